//! Constants, copies and identities.
//!
//! One walk over the blocks in layout order. Every instruction is rebuilt from its resolved arguments by [`Folder::build`],
//! which applies the rules of `fold_rules` first: a rule gives a value that exists, or builds smaller ones. Facts about
//! bits ([`super::known`]) come along, so that extensions of what is extended, masks of what is masked, and comparisons
//! that can only go one way vanish.
//!
//! Leaves: valid IR with some instructions unused (`dce`), and branches on constants replaced by jumps, with blocks that
//! became unreachable dropped. Each rule does less work than what it replaces; chains of rules end because each step
//! shrinks constants-to-be or moves them to the right.

use super::eval::{Const, eval};
use super::known::{self, Bits};
use super::{retain_reachable, use_counts};
use crate::diag::Span;
use crate::id::EntityRef;
use crate::ir::{Block, Func, Inst, IntOp, Mem, Op, Space, Terminator, Type, Value, ValueDef, Width};
use smallvec::{SmallVec, smallvec};

pub fn run(func: &mut Func) {
    let count = func.values.len();
    let mut folder = Folder {
        forward: vec![None; count],
        known: vec![None; count],
        uses: use_counts(func),
        out: Vec::new(),
        span: Span::NONE,
        block: func.entry,
        depth: 0,
        func,
    };
    folder.run();
    retain_reachable(func);
}

pub(super) struct Folder<'f> {
    pub func: &'f mut Func,
    /// What a value was replaced by.
    forward: Vec<Option<Value>>,
    known: Vec<Option<Bits>>,
    /// Uses of each value before the pass.
    uses: Vec<u32>,
    /// The block under construction.
    out: Vec<Inst>,
    block: Block,
    span: Span,
    /// Rules within rules.
    depth: u32,
}

pub(super) type Args = SmallVec<[Value; 4]>;

impl Folder<'_> {
    fn run(&mut self) {
        for block in self.func.order.clone() {
            self.block = block;
            let insts = std::mem::take(&mut self.func.blocks[block].insts);
            self.out = Vec::with_capacity(insts.len());
            for inst in insts {
                self.span = self.func.spans[inst];
                self.inst(inst);
            }
            self.span = self.func.blocks[block].term_span;
            self.terminator(block);
            self.func.blocks[block].insts = std::mem::take(&mut self.out);
        }
        for block in self.func.order.clone() {
            let mut term = std::mem::take(&mut self.func.blocks[block].term);
            for edge in term.edges_mut() {
                for arg in &mut edge.args {
                    *arg = self.resolve(*arg);
                }
            }
            self.func.blocks[block].term = term;
        }
    }

    fn inst(&mut self, inst: Inst) {
        let mut args = std::mem::take(&mut self.func.insts[inst].args);
        for arg in &mut args {
            *arg = self.resolve(*arg);
        }
        let op = self.func.insts[inst].op;
        match &op {
            Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } => {
                let mem = self.address(&op, *mem, &mut args);
                self.func.insts[inst].op = match op {
                    Op::Load(_) => Op::Load(mem),
                    Op::Store(_) => Op::Store(mem),
                    Op::Atomic { op, width, .. } => Op::Atomic { op, width, mem },
                    other => other,
                };
            }
            Op::AddCarry(width) | Op::SubBorrow(width) => {
                if self.carry(inst, &op, *width, &args) {
                    return;
                }
            }
            _ => {
                if let [result] = self.func.insts[inst].results[..]
                    && let Some(value) = self.simplify(&op, &args)
                {
                    self.forward[result.index()] = Some(value);
                    return;
                }
            }
        }
        self.func.insts[inst].args = args;
        self.out.push(inst);
    }

    /// A carry op that nobody reads the carry of, or whose carry is plain.
    fn carry(&mut self, inst: Inst, op: &Op, width: Width, args: &Args) -> bool {
        let [value, carry] = self.func.insts[inst].results[..] else { return false };
        let no_carry_in = self.constant(args[2]) == Some(Const::Pred(false));
        let add = matches!(op, Op::AddCarry(_));
        if no_carry_in && self.uses_of(carry) == 0 {
            let op = if add { IntOp::Add } else { IntOp::Sub };
            let sum = self.build(Op::Int(op, width), &[args[0], args[1]]);
            self.forward[value.index()] = Some(sum);
            return true;
        }
        let zero = |this: &Self, n: usize| this.constant(args[n]).is_some_and(|c| c.bits() == 0);
        if no_carry_in && (zero(self, 1) || add && zero(self, 0)) {
            let none = self.build(Op::ConstPred(false), &[]);
            self.forward[value.index()] = Some(if zero(self, 1) { args[0] } else { args[1] });
            self.forward[carry.index()] = Some(none);
            return true;
        }
        false
    }

    fn terminator(&mut self, block: Block) {
        let mut term = std::mem::take(&mut self.func.blocks[block].term);
        match &mut term {
            Terminator::Branch { cond, then, els } => {
                *cond = self.resolve(*cond);
                while let Some((Op::PredNot, args)) = self.op_of(*cond) {
                    *cond = args[0];
                    std::mem::swap(then, els);
                }
                if let Some(Const::Pred(taken)) = self.constant(*cond) {
                    term = Terminator::Jump(if taken { then.clone() } else { els.clone() });
                } else if then == els {
                    term = Terminator::Jump(then.clone());
                }
            }
            Terminator::Switch { index, targets } => {
                *index = self.resolve(*index);
                let chosen = self.constant(*index).and_then(|c| targets.get(c.bits() as usize));
                if let Some(edge) = chosen {
                    term = Terminator::Jump(edge.clone());
                } else if let [only] = &targets[..] {
                    // An index out of range is undefined.
                    term = Terminator::Jump(only.clone());
                }
            }
            Terminator::Wait { cond, .. } => *cond = self.resolve(*cond),
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        self.func.blocks[block].term = term;
    }

    /// Moves constants of an address into the access, and names the space where the address tells it.
    fn address(&mut self, op: &Op, mut mem: Mem, args: &mut Args) -> Mem {
        if mem.space == Space::Param {
            return mem;
        }
        while let Some((Op::Int(IntOp::Add, _), sum)) = self.op_of(args[0]) {
            let Some(constant) = self.constant(sum[1]) else { break };
            let step = match constant {
                Const::B32(v) => i64::from(v as i32),
                Const::B64(v) => v as i64,
                Const::Pred(_) => break,
            };
            let Some(offset) = i64::from(mem.offset).checked_add(step).and_then(|o| i32::try_from(o).ok()) else {
                break;
            };
            // A base that is no address by itself may be out of the window of 32-bit spaces, where machines do not
            // wrap: only offsets that go up from a base within are moved.
            if mem.space.address_type() == Type::B32 && (step < 0 || mem.offset < 0) {
                break;
            }
            mem.offset = offset;
            args[0] = sum[0];
        }
        match self.op_of(args[0]) {
            // One base for all places of a variable.
            Some((Op::GlobalAddr(global, addend), _)) if addend != 0 => {
                let sum = addend.checked_add(i64::from(mem.offset));
                if let Some(offset) = sum.and_then(|sum| i32::try_from(sum).ok()) {
                    args[0] = self.build(Op::GlobalAddr(global, 0), &[]);
                    mem.offset = offset;
                }
            }
            // Whatever the access calls the space, nothing writes parameters.
            Some((Op::ParamBase, _))
                if matches!(op, Op::Load(_)) && mem.space.address_type() == Type::B64 && mem.offset >= 0 =>
            {
                mem.space = Space::Param;
                args.remove(0);
            }
            Some((Op::Const32(base), _)) if mem.offset != 0 => {
                args[0] = self.build(Op::Const32(base.wrapping_add(mem.offset as u32)), &[]);
                mem.offset = 0;
            }
            _ => {}
        }
        mem
    }

    /// The value of an op: by a rule, or a new instruction.
    pub fn build(&mut self, op: Op, args: &[Value]) -> Value {
        if self.depth < 16 {
            self.depth += 1;
            let value = self.simplify(&op, args);
            self.depth -= 1;
            if let Some(value) = value {
                return value;
            }
        }
        let inst = self.func.make(op, args.iter().copied(), self.span);
        self.out.push(inst);
        let count = self.func.values.len();
        self.forward.resize(count, None);
        self.known.resize(count, None);
        self.uses.resize(count, 0);
        self.func.result(inst)
    }

    fn simplify(&mut self, op: &Op, args: &[Value]) -> Option<Value> {
        if args.first().is_some_and(|&a| self.constant(a).is_some()) {
            let constants: Option<SmallVec<[Const; 4]>> = args.iter().map(|&a| self.constant(a)).collect();
            if let Some(value) = constants.and_then(|c| eval(op, &c)) {
                return Some(self.build(value.op(), &[]));
            }
        }
        self.rule(op, args)
    }

    pub fn resolve(&self, value: Value) -> Value {
        let mut value = value;
        while let Some(next) = self.forward[value.index()] {
            value = next;
        }
        value
    }

    /// The op that defines a value, with its arguments resolved.
    pub fn op_of(&self, value: Value) -> Option<(Op, Args)> {
        match self.func.values[value].def {
            ValueDef::Result(inst, 0) => {
                let data = &self.func.insts[inst];
                Some((data.op, data.args.iter().map(|&a| self.resolve(a)).collect()))
            }
            _ => None,
        }
    }

    /// The op that defines a value which nothing else uses.
    pub fn single_use(&self, value: Value) -> Option<(Op, Args)> {
        if self.uses_of(value) <= 1 { self.op_of(value) } else { None }
    }

    pub fn uses_of(&self, value: Value) -> u32 {
        self.uses[value.index()]
    }

    pub fn constant(&self, value: Value) -> Option<Const> {
        match self.func.values[value].def {
            ValueDef::Result(inst, 0) => Const::of(&self.func.insts[inst].op),
            _ => None,
        }
    }

    pub fn constant32(&self, value: Value) -> Option<u32> {
        match self.constant(value) {
            Some(Const::B32(v)) => Some(v),
            _ => None,
        }
    }

    pub fn c32(&mut self, value: u32) -> Value {
        self.build(Op::Const32(value), &[])
    }

    pub fn int(&mut self, op: IntOp, width: Width, a: Value, b: Value) -> Value {
        self.build(Op::Int(op, width), &[a, b])
    }

    /// Facts about a value; arguments that have none yet are looked at first, without recursion.
    pub fn bits(&mut self, value: Value) -> Bits {
        if let Some(bits) = self.known[value.index()] {
            return bits;
        }
        let mut stack: SmallVec<[Value; 16]> = smallvec![value];
        while let Some(&value) = stack.last() {
            if self.known[value.index()].is_some() {
                stack.pop();
                continue;
            }
            let width = match self.func.ty(value) {
                Type::Pred => 1,
                Type::B32 => 32,
                Type::B64 => 64,
            };
            let bits = match self.func.values[value].def {
                ValueDef::Param(..) => Bits::unknown(width),
                ValueDef::Result(inst, n) => {
                    let data = &self.func.insts[inst];
                    let loads = matches!(data.op, Op::Load(_));
                    if n > 0 && !loads {
                        Bits::unknown(width)
                    } else {
                        let before = stack.len();
                        if !loads && !matches!(data.op, Op::Atomic { .. }) {
                            stack.extend(data.args.iter().copied().filter(|a| self.known[a.index()].is_none()));
                        }
                        if stack.len() > before {
                            continue;
                        }
                        let known = |v: Value| self.known[v.index()].unwrap_or(Bits::unknown(64));
                        known::of_result(self.func, &known, &data.op, &data.args, self.func.ty(value))
                    }
                }
            };
            self.known[value.index()] = Some(bits);
            stack.pop();
        }
        self.known[value.index()].unwrap_or(Bits::unknown(64))
    }
}
