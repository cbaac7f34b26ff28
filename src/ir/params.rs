//! Block parameters that carry one value only.
//!
//! A parameter whose edges all bring the same value, or the parameter itself, is that value (Braun et al., "Simple and
//! efficient construction of SSA form", 2013). The single value dominates the block, because every way into the block
//! passes its definition. Users of a removed parameter are looked at again, so chains of them go as well.

use super::*;
use crate::id::EntityRef;

/// A parameter with what each edge into its block carries.
struct Phi {
    value: Value,
    args: SmallVec<[Value; 4]>,
}

/// Removes redundant parameters and rewrites their uses. `order` must hold the reachable blocks.
pub fn remove_redundant_params(func: &mut Func) {
    let mut first: SecondaryMap<Block, usize> = SecondaryMap::new();
    let mut phis: Vec<Phi> = Vec::new();
    for &block in &func.order {
        first[block] = phis.len();
        for &value in &func.blocks[block].params {
            phis.push(Phi { value, args: SmallVec::new() });
        }
    }
    if phis.is_empty() {
        return;
    }
    for &block in &func.order {
        for edge in func.blocks[block].term.edges() {
            for (n, &arg) in edge.args.iter().enumerate() {
                phis[first[edge.block] + n].args.push(arg);
            }
        }
    }
    let mut forward = Forward { to: vec![None; func.values.len()] };
    if !remove_trivial(&phis, &mut forward) {
        return;
    }

    // Positions that stay, block by block.
    let keep: Vec<bool> = phis.iter().map(|phi| forward.find(phi.value) == phi.value).collect();
    for &block in &func.order.clone() {
        let data = &mut func.blocks[block];
        let start = first[block];
        let mut n = 0;
        data.params.retain(|_| {
            n += 1;
            keep[start + n - 1]
        });
        for (n, &param) in data.params.iter().enumerate() {
            func.values[param].def = ValueDef::Param(block, n as u16);
        }
        for edge in data.term.edges_mut() {
            let start = first[edge.block];
            let mut n = 0;
            edge.args.retain(|_| {
                n += 1;
                keep[start + n - 1]
            });
        }
    }
    forward.apply(func);
}

/// Values by what they were replaced with.
struct Forward {
    to: Vec<Option<Value>>,
}

impl Forward {
    /// What a value stands for in the end, with path compression.
    fn find(&mut self, value: Value) -> Value {
        let mut root = value;
        while let Some(next) = self.to[root.index()] {
            root = next;
        }
        let mut at = value;
        while at != root {
            at = self.to[at.index()].replace(root).unwrap_or(root);
        }
        root
    }

    fn apply(&mut self, func: &mut Func) {
        for &block in &func.order.clone() {
            for &inst in &func.blocks[block].insts {
                for arg in &mut func.insts[inst].args {
                    *arg = self.find(*arg);
                }
            }
            let term = &mut func.blocks[block].term;
            match term {
                Terminator::Branch { cond: value, .. }
                | Terminator::Switch { index: value, .. }
                | Terminator::Wait { cond: value, .. } => {
                    *value = self.find(*value);
                }
                Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
            }
            for edge in term.edges_mut() {
                for arg in &mut edge.args {
                    *arg = self.find(*arg);
                }
            }
        }
    }
}

/// Forwards each trivial parameter; whether there was one.
fn remove_trivial(phis: &[Phi], forward: &mut Forward) -> bool {
    const NONE: u32 = u32::MAX;
    let mut phi_of: SecondaryMap<Value, u32> = SecondaryMap::with_default(NONE);
    for (n, phi) in phis.iter().enumerate() {
        phi_of[phi.value] = n as u32;
    }
    // The users of each parameter among the parameters: linked lists, so that two of them join in one step.
    let (mut heads, mut tails) = (vec![NONE; phis.len()], vec![NONE; phis.len()]);
    let mut nodes: Vec<(u32, u32)> = Vec::new();
    for (n, phi) in phis.iter().enumerate() {
        for &arg in &phi.args {
            let of = phi_of[arg];
            if of != NONE && of != n as u32 {
                nodes.push((n as u32, heads[of as usize]));
                let node = nodes.len() as u32 - 1;
                heads[of as usize] = node;
                if tails[of as usize] == NONE {
                    tails[of as usize] = node;
                }
            }
        }
    }
    let mut work: Vec<u32> = (0..phis.len() as u32).rev().collect();
    let mut changed = false;
    while let Some(n) = work.pop() {
        let phi = &phis[n as usize];
        if forward.find(phi.value) != phi.value {
            continue;
        }
        let mut only = None;
        let trivial = phi.args.iter().all(|&arg| {
            let arg = forward.find(arg);
            arg == phi.value || *only.get_or_insert(arg) == arg
        });
        // A parameter of itself alone belongs to a cycle that nothing enters; no reachable block is in one.
        let (true, Some(only)) = (trivial, only) else { continue };
        changed = true;
        forward.to[phi.value.index()] = Some(only);
        let n = n as usize;
        let mut node = heads[n];
        while node != NONE {
            let (user, next) = nodes[node as usize];
            work.push(user);
            node = next;
        }
        let of = phi_of[only];
        if of != NONE && heads[n] != NONE {
            let of = of as usize;
            if heads[of] == NONE {
                (heads[of], tails[of]) = (heads[n], tails[n]);
            } else {
                nodes[tails[of] as usize].1 = heads[n];
                tails[of] = tails[n];
            }
        }
    }
    changed
}
