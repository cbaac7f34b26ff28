//! Common subexpressions: one computation for equal pure ops, where the first dominates the second.
//!
//! Value numbering over the dominator tree. Loads of parameters and constant memory are pure as well: nothing in the
//! launch changes what they read. Undefined values stay apart.

use crate::id::EntityRef;
use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Inst, IntOp, Op, Order, Space, Terminator, Value};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

type Args = SmallVec<[Value; 4]>;

pub fn run(func: &mut Func) {
    let dominators = Dominators::new(func);
    let mut forward: Vec<Option<Value>> = vec![None; func.values.len()];
    // The innermost computation of each expression, with the one it hides.
    let mut table: HashMap<(Op, Args), Inst, BuildHasherDefault<Fast>> = HashMap::default();
    // Blocks on the path from the root, each with the expressions it has added.
    let mut path: Vec<(Block, Vec<(Op, Args)>)> = Vec::new();
    for &block in dominators.preorder() {
        while let Some((top, _)) = path.last()
            && !dominators.dominates(*top, block)
        {
            if let Some((_, added)) = path.pop() {
                for key in added {
                    table.remove(&key);
                }
            }
        }
        let mut added = Vec::new();
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut kept = Vec::with_capacity(insts.len());
        for inst in insts {
            let data = &mut func.insts[inst];
            for arg in &mut data.args {
                *arg = resolve(&forward, *arg);
            }
            if !is_pure(&data.op) {
                kept.push(inst);
                continue;
            }
            let mut args: Args = SmallVec::from_slice(&data.args);
            if commutes(&data.op) {
                args.sort_unstable();
            }
            let key = (data.op.clone(), args);
            if let Some(&first) = table.get(&key) {
                for n in 0..func.insts[inst].results.len() {
                    forward[func.insts[inst].results[n].index()] = Some(func.insts[first].results[n]);
                }
            } else {
                table.insert((key.0.clone(), SmallVec::from_slice(&key.1)), inst);
                added.push(key);
                kept.push(inst);
            }
        }
        func.blocks[block].insts = kept;
        path.push((block, added));
    }
    for block in func.order.clone() {
        let term = &mut func.blocks[block].term;
        match term {
            Terminator::Branch { cond: value, .. } | Terminator::Switch { index: value, .. } => {
                *value = resolve(&forward, *value);
            }
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            for arg in &mut edge.args {
                *arg = resolve(&forward, *arg);
            }
        }
    }
}

/// Replaced values are replaced by ones that stay, so one step is enough.
fn resolve(forward: &[Option<Value>], value: Value) -> Value {
    forward[value.index()].unwrap_or(value)
}

fn is_pure(op: &Op) -> bool {
    match op {
        Op::Undef(_) => false,
        Op::Load(mem) => matches!(mem.space, Space::Param | Space::Const) && mem.order == Order::Weak,
        op => !op.has_effect(),
    }
}

fn commutes(op: &Op) -> bool {
    use IntOp::*;
    match op {
        Op::Int(op, _) => {
            matches!(op, Add | Mul | MulHiU | MulHiS | MinU | MinS | MaxU | MaxS | And | Or | Xor | AddSatS)
        }
        Op::MulWide { .. } | Op::PredBin(_) => true,
        _ => false,
    }
}

/// Multiply and rotate, eight bytes at a time: the same on every machine, and nothing here depends on the order of a map.
#[derive(Default)]
struct Fast(u64);

impl Hasher for Fast {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, v: u8) {
        self.write_u64(u64::from(v));
    }

    fn write_u32(&mut self, v: u32) {
        self.write_u64(u64::from(v));
    }

    fn write_u64(&mut self, v: u64) {
        self.0 = (self.0.rotate_left(23) ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, v: usize) {
        self.write_u64(v as u64);
    }

    fn write_isize(&mut self, v: isize) {
        self.write_u64(v as u64);
    }
}
