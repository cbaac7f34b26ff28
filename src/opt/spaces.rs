//! Generic accesses whose address was made from a shared or local one become accesses of that space.
//!
//! An address is *from* an aperture if it is `Pack64(_, aperture)`, such an address plus or minus anything, a choice
//! between such addresses, or a block parameter that only gets such addresses. PTX lets an address derived from a
//! variable point only into that variable, so the access is in that space, and its offset there is the low dword.
//! The 64-bit address itself stays, for comparisons and the like; a low dword is computed beside it.

use crate::id::EntityRef;
use crate::ir::{Aperture, Block, Func, Inst, IntOp, Op, Space, Type, Value, ValueDef, Width};
use smallvec::SmallVec;

/// Where an address comes from: nothing known yet, one aperture, or anything.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum From {
    Nothing,
    One(Aperture),
    Any,
}

impl From {
    fn meet(self, other: From) -> From {
        match (self, other) {
            (From::Nothing, x) | (x, From::Nothing) => x,
            (a, b) if a == b => a,
            _ => From::Any,
        }
    }
}

pub fn run(func: &mut Func) {
    let used = func
        .order
        .iter()
        .any(|&block| func.blocks[block].insts.iter().any(|&inst| matches!(func.insts[inst].op, Op::Aperture(_))));
    if !used {
        return;
    }
    let from = analyse(func);
    let mut lows = Lows { low: vec![None; func.values.len()], from };
    let order = func.order.clone();
    // Parameters first: an edge back needs the low dword of a value that comes later in the order.
    for &block in &order {
        for param in func.blocks[block].params.clone() {
            if matches!(lows.from[param.index()], From::One(_)) {
                lows.low[param.index()] = Some(func.add_param(block, Type::B32));
            }
        }
    }
    for &block in &order {
        lows.block(func, block);
    }
    for &block in &order {
        let mut term = std::mem::take(&mut func.blocks[block].term);
        for edge in term.edges_mut() {
            // The old arguments stand before the new ones, as the parameters do.
            let old: SmallVec<[Value; 4]> = edge.args.clone();
            for (n, &arg) in old.iter().enumerate() {
                let param = func.blocks[edge.block].params[n];
                if lows.low.get(param.index()).copied().flatten().is_some() {
                    let low = lows.of(func, block, arg);
                    edge.args.push(low);
                }
            }
        }
        func.blocks[block].term = term;
    }
}

/// The fixed point over parameters, from below: each value can only move towards `Any`, at most twice.
fn analyse(func: &Func) -> Vec<From> {
    let mut from = vec![From::Nothing; func.values.len()];
    loop {
        let mut changed = false;
        for &block in &func.order {
            for &inst in &func.blocks[block].insts {
                for &result in &func.insts[inst].results {
                    let new = of_result(func, &from, inst);
                    changed |= new != from[result.index()];
                    from[result.index()] = new;
                }
            }
            for edge in func.blocks[block].term.edges() {
                for (&param, &arg) in func.blocks[edge.block].params.iter().zip(&edge.args) {
                    let new = from[param.index()].meet(from[arg.index()]);
                    changed |= new != from[param.index()];
                    from[param.index()] = new;
                }
            }
        }
        if !changed {
            return from;
        }
    }
}

fn of_result(func: &Func, from: &[From], inst: Inst) -> From {
    let data = &func.insts[inst];
    let of = |n: usize| from[data.args[n].index()];
    match data.op {
        Op::Undef(_) => From::Nothing,
        Op::Pack64 => match func.def(data.args[1]) {
            Some((high, _)) => match high.op {
                Op::Aperture(aperture) => From::One(aperture),
                _ => From::Any,
            },
            None => From::Any,
        },
        Op::Int(IntOp::Add, Width::W64) => match (of(0), of(1)) {
            (From::Nothing, _) | (_, From::Nothing) => From::Nothing,
            (From::One(a), From::Any) | (From::Any, From::One(a)) => From::One(a),
            _ => From::Any,
        },
        Op::Int(IntOp::Sub, Width::W64) => match (of(0), of(1)) {
            (From::Nothing, _) | (_, From::Nothing) => From::Nothing,
            (From::One(a), From::Any) => From::One(a),
            _ => From::Any,
        },
        Op::Select(Type::B64) => of(1).meet(of(2)),
        _ => From::Any,
    }
}

struct Lows {
    from: Vec<From>,
    /// The low dword of an address, where there is one.
    low: Vec<Option<Value>>,
}

impl Lows {
    fn is_from(&self, value: Value) -> Option<Aperture> {
        match self.from.get(value.index()) {
            Some(From::One(aperture)) => Some(*aperture),
            _ => None,
        }
    }

    fn block(&mut self, func: &mut Func, block: Block) {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        for inst in insts {
            self.access(func, block, inst);
            func.blocks[block].insts.push(inst);
            let data = func.insts[inst].clone();
            let [result] = data.results[..] else { continue };
            if self.is_from(result).is_none() {
                continue;
            }
            let span = func.spans[inst];
            let (op, args) = match data.op {
                Op::Pack64 => {
                    self.low[result.index()] = Some(data.args[0]);
                    continue;
                }
                Op::Select(_) => (Op::Select(Type::B32), vec![data.args[0], data.args[1], data.args[2]]),
                Op::Int(op, _) => (Op::Int(op, Width::W32), data.args.to_vec()),
                _ => continue,
            };
            let mut lows = Vec::new();
            for arg in args {
                lows.push(if func.ty(arg) == Type::B64 { self.of(func, block, arg) } else { arg });
            }
            let low = func.push(block, op, lows, span);
            self.low[result.index()] = Some(func.result(low));
        }
    }

    /// The low dword of a value, appended to the block if there is none yet.
    fn of(&mut self, func: &mut Func, block: Block, value: Value) -> Value {
        if let Some(low) = self.low.get(value.index()).copied().flatten() {
            return low;
        }
        let span = match func.values[value].def {
            ValueDef::Result(inst, _) => func.spans[inst],
            ValueDef::Param(..) => crate::diag::Span::NONE,
        };
        let inst = func.push(block, Op::Lo, [value], span);
        func.result(inst)
    }

    fn access(&mut self, func: &mut Func, block: Block, inst: Inst) {
        let data = &func.insts[inst];
        let (Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. }) = &data.op else { return };
        let mut mem = *mem;
        if mem.space != Space::Generic {
            return;
        }
        let address = data.args[0];
        let space = match self.is_from(address) {
            Some(Aperture::Shared) => Space::Shared,
            // Atomics on a thread's own memory are not worth an instruction of their own.
            Some(Aperture::Local) if !matches!(data.op, Op::Atomic { .. }) => Space::Local,
            _ => return,
        };
        let low = self.of(func, block, address);
        mem.space = space;
        let data = &mut func.insts[inst];
        data.op = match &data.op {
            Op::Load(_) => Op::Load(mem),
            Op::Store(_) => Op::Store(mem),
            Op::Atomic { op, width, .. } => Op::Atomic { op: *op, width: *width, mem },
            other => *other,
        };
        data.args[0] = low;
    }
}
