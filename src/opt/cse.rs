//! Common subexpressions: one computation for equal pure ops, where the first dominates the second.
//!
//! Value numbering over the dominator tree. Loads of parameters and constant memory are pure as well: nothing in the
//! launch changes what they read. Undefined values stay apart.

use crate::id::EntityRef;
use crate::ir::dom::Dominators;
use crate::ir::{Block, Func, Inst, InstData, IntOp, Op, Order, Space, Terminator, Value};
use hashbrown::HashTable;
use std::hash::{Hash, Hasher};

pub fn run(func: &mut Func) {
    let dominators = Dominators::new(func);
    let mut forward: Vec<Option<Value>> = vec![None; func.values.len()];
    // The computation of each expression, by its hash.
    let mut table: HashTable<(u64, Inst)> = HashTable::with_capacity(func.insts.len());
    // Blocks on the path from the root, each with the computations it has added.
    let mut path: Vec<(Block, Vec<(u64, Inst)>)> = Vec::new();
    for &block in dominators.preorder() {
        while let Some((top, _)) = path.last()
            && !dominators.dominates(*top, block)
        {
            for (hash, inst) in path.pop().into_iter().flat_map(|(_, added)| added) {
                if let Ok(entry) = table.find_entry(hash, |known| known.1 == inst) {
                    entry.remove();
                }
            }
        }
        let mut added = Vec::new();
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        insts.retain(|&inst| {
            let data = &mut func.insts[inst];
            for arg in &mut data.args {
                *arg = resolve(&forward, *arg);
            }
            if !is_pure(&data.op) {
                return true;
            }
            let data = &func.insts[inst];
            let hash = hash_of(data);
            match table.find(hash, |known| known.0 == hash && same(&func.insts[known.1], data)) {
                Some(&(_, first)) => {
                    for (result, known) in data.results.iter().zip(&func.insts[first].results) {
                        forward[result.index()] = Some(*known);
                    }
                    false
                }
                None => {
                    table.insert_unique(hash, (hash, inst), |known| known.0);
                    added.push((hash, inst));
                    true
                }
            }
        });
        func.blocks[block].insts = insts;
        // Elsewhere other threads are active.
        added.retain(|&(hash, inst)| {
            let stays = !func.insts[inst].op.is_convergent();
            if !stays && let Ok(entry) = table.find_entry(hash, |known| known.1 == inst) {
                entry.remove();
            }
            stays
        });
        path.push((block, added));
    }
    for block in func.order.clone() {
        let term = &mut func.blocks[block].term;
        match term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => {
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

/// Of the op and its arguments, in ascending order where that does not matter.
fn hash_of(data: &InstData) -> u64 {
    let mut hasher = Fast::default();
    data.op.hash(&mut hasher);
    match data.args[..] {
        [a, b] if commutes(&data.op) => [a.min(b), a.max(b)].hash(&mut hasher),
        ref args => args.iter().for_each(|arg| arg.hash(&mut hasher)),
    }
    hasher.finish()
}

fn same(a: &InstData, b: &InstData) -> bool {
    a.op == b.op && (a.args == b.args || commutes(&a.op) && a.args.iter().eq(b.args.iter().rev()))
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
