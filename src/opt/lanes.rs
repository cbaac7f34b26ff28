//! Shuffles become lane maps where they are constant, and composed ones become one; others become arithmetic on thread numbers.
//!
//! PTX ISA, "shfl". A `shuffle` whose clamp is constant and whose b is constant, or computed from the thread's number alone, is a
//! [`LaneMap`] and a constant predicate; else its source is computed as the manual's pseudo-code does and read by `lane_read`. A map of a map
//! is one map where both stand in one block, so that the same threads are active. A byte permute of one dword in front of a map moves
//! behind it, to meet other byte permutes there (`opt::byteperm`).
//!
//! Leaves: no `shuffle`; the ops that were passed over have no users (`dce`).

use super::eval::{self, Const};
use super::use_counts;
use crate::diag::Span;
use crate::id::EntityRef;
use crate::ir::lanemap::{LaneMap, ShuffleMode};
use crate::ir::{Block, CmpOp, Func, Inst, IntOp, Op, Special, Terminator, Type, Value, ValueDef, Width};
use smallvec::SmallVec;

/// Ops between a thread's number and the thread it reads from that are followed.
const MAX_DEPTH: u32 = 6;

pub fn run(func: &mut Func) {
    let is_one = |op: &Op| matches!(op, Op::Shuffle(_) | Op::LanePerm(_) | Op::LaneRead);
    if !func.order.iter().flat_map(|&block| &func.blocks[block].insts).any(|&inst| is_one(&func.insts[inst].op)) {
        return;
    }
    let count = func.values.len();
    let mut pass = Pass {
        forward: vec![None; count],
        home: vec![None; func.insts.len()],
        uses: use_counts(func),
        block: func.entry,
        span: Span::NONE,
        out: vec![],
        func,
    };
    for block in pass.func.order.clone() {
        pass.block = block;
        for inst in std::mem::take(&mut pass.func.blocks[block].insts) {
            pass.span = pass.func.spans[inst];
            pass.inst(inst);
        }
        pass.func.blocks[block].insts = std::mem::take(&mut pass.out);
    }
    for block in pass.func.order.clone() {
        let mut term = std::mem::take(&mut pass.func.blocks[block].term);
        match &mut term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => {
                *value = pass.resolve(*value);
            }
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            edge.args.iter_mut().for_each(|arg| *arg = pass.resolve(*arg));
        }
        pass.func.blocks[block].term = term;
    }
}

struct Pass<'f> {
    func: &'f mut Func,
    forward: Vec<Option<Value>>,
    /// By instruction, of lane maps only: its block.
    home: Vec<Option<Block>>,
    /// Uses of each value before the pass.
    uses: Vec<u32>,
    block: Block,
    span: Span,
    out: Vec<Inst>,
}

impl Pass<'_> {
    fn inst(&mut self, inst: Inst) {
        let mut args = std::mem::take(&mut self.func.insts[inst].args);
        args.iter_mut().for_each(|arg| *arg = self.resolve(*arg));
        let results = self.func.insts[inst].results.clone();
        match (self.func.insts[inst].op, &args[..]) {
            (Op::Shuffle(mode), &[a, b, c]) => {
                let (value, in_range) = self.shuffle(mode, a, b, c);
                self.forward[results[0].index()] = Some(value);
                self.forward[results[1].index()] = Some(in_range);
                return;
            }
            (Op::LanePerm(map), &[a]) => {
                self.forward[results[0].index()] = Some(self.permute(a, map));
                return;
            }
            (Op::LaneRead, &[a, from]) => {
                if let Some(map) = self.by_lane(from) {
                    self.forward[results[0].index()] =
                        Some(self.permute(a, LaneMap::new(|lane| map[lane as usize] as u8)));
                    return;
                }
            }
            _ => {}
        }
        self.func.insts[inst].args = args;
        self.out.push(inst);
    }

    fn resolve(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.forward[value.index()] {
            value = next;
        }
        value
    }

    fn push(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.func.make(op, args.iter().copied(), self.span);
        self.out.push(inst);
        self.forward.resize(self.func.values.len(), None);
        self.home.resize(self.func.insts.len(), None);
        self.home[inst.index()] = Some(self.block);
        self.func.result(inst)
    }

    fn c32(&mut self, value: u32) -> Value {
        self.push(Op::Const32(value), &[])
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        self.push(Op::Int(op, Width::W32), &[a, b])
    }

    fn constant(&self, value: Value) -> Option<u32> {
        match self.func.def(value)?.0.op {
            Op::Const32(v) => Some(v),
            _ => None,
        }
    }

    fn shuffle(&mut self, mode: ShuffleMode, a: Value, b: Value, c: Value) -> (Value, Value) {
        if let (Some(c), Some(b)) = (self.constant(c), self.by_lane(b)) {
            let (map, in_range) = LaneMap::shuffle(mode, |lane| b[lane as usize], c);
            let op = match in_range {
                0 => Op::ConstPred(false),
                u32::MAX => Op::ConstPred(true),
                bits => Op::LaneBits(bits),
            };
            return (self.permute(a, map), self.push(op, &[]));
        }
        // The manual's pseudo-code.
        let (own, five_bits, eight) = (self.push(Op::Special(Special::LaneId), &[]), self.c32(31), self.c32(8));
        let b = self.int(IntOp::And, b, five_bits);
        let clamp = self.int(IntOp::And, c, five_bits);
        let segment = self.int(IntOp::ShrU, c, eight);
        let segment = self.int(IntOp::And, segment, five_bits);
        let inside = self.int(IntOp::Xor, segment, five_bits);
        let low = self.int(IntOp::And, own, segment);
        let rest = self.int(IntOp::And, clamp, inside);
        let limit = self.int(IntOp::Or, low, rest);
        let (from, cmp) = match mode {
            ShuffleMode::Up => (self.int(IntOp::Sub, own, b), CmpOp::GeS),
            ShuffleMode::Down => (self.int(IntOp::Add, own, b), CmpOp::LeS),
            ShuffleMode::Bfly => (self.int(IntOp::Xor, own, b), CmpOp::LeS),
            ShuffleMode::Idx => {
                let within = self.int(IntOp::And, b, inside);
                (self.int(IntOp::Or, low, within), CmpOp::LeS)
            }
        };
        let in_range = self.push(Op::Cmp(cmp, Width::W32), &[from, limit]);
        let from = self.push(Op::Select(Type::B32), &[in_range, from, own]);
        (self.push(Op::LaneRead, &[a, from]), in_range)
    }

    /// The value that each thread takes from where the map says.
    fn permute(&mut self, a: Value, map: LaneMap) -> Value {
        let ValueDef::Result(inst, _) = self.func.values[a].def else { return self.permute_plain(a, map) };
        let data = self.func.insts[inst].clone();
        match (&data.op, &data.args[..]) {
            (Op::Const32(_) | Op::Undef(_), _) => a,
            (Op::LanePerm(inner), &[source]) if self.home[inst.index()] == Some(self.block) => {
                let map = map.of(inner);
                self.permute_plain(source, map)
            }
            (Op::BytePerm(sels), &[source]) if self.uses.get(a.index()) == Some(&1) => {
                let moved = self.permute(source, map);
                self.push(Op::BytePerm(*sels), &[moved])
            }
            _ => self.permute_plain(a, map),
        }
    }

    fn permute_plain(&mut self, a: Value, map: LaneMap) -> Value {
        if map.is_identity() { a } else { self.push(Op::LanePerm(map), &[a]) }
    }

    /// The value of each thread, if the thread's number alone decides it.
    fn by_lane(&self, value: Value) -> Option<[u32; 32]> {
        if let Some(constant) = self.constant(value) {
            return Some([constant; 32]);
        }
        let mut steps = 0;
        self.by_lane_steps(value, MAX_DEPTH, &mut steps)
    }

    fn by_lane_steps(&self, value: Value, depth: u32, steps: &mut u32) -> Option<[u32; 32]> {
        let (data, _) = self.func.def(self.resolve(value))?;
        *steps += 1;
        match &data.op {
            Op::Const32(v) => Some([*v; 32]),
            Op::Special(Special::LaneId) => Some(std::array::from_fn(|lane| lane as u32)),
            Op::Int(..) | Op::Unary(_, Width::W32) | Op::Lop3(_) if depth > 0 && *steps < 32 => {
                let mut args: SmallVec<[[u32; 32]; 3]> = SmallVec::new();
                for &arg in &data.args {
                    args.push(self.by_lane_steps(arg, depth - 1, steps)?);
                }
                let mut out = [0; 32];
                for (lane, out) in out.iter_mut().enumerate() {
                    let args: SmallVec<[Const; 3]> = args.iter().map(|arg| Const::B32(arg[lane])).collect();
                    match eval::eval(&data.op, &args) {
                        Some(Const::B32(v)) => *out = v,
                        _ => return None,
                    }
                }
                Some(out)
            }
            _ => None,
        }
    }
}
