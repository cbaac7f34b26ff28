//! Straightens the graph: blocks that only jump are skipped, a block with one predecessor that only leads to it joins that
//! one.
//!
//! Barriers keep their own block boundaries. Leaves: `order` in reverse postorder.

use super::retain_reachable;
use crate::id::EntityRef;
use crate::ir::{Block, Edge, Func, Terminator, Value};

pub fn run(func: &mut Func) {
    skip_empty(func);
    merge(func);
    retain_reachable(func);
}

/// Edges to a block that holds nothing but a jump go to its target at once.
fn skip_empty(func: &mut Func) {
    // A chain is followed once: each block's final target, found from the end of the order backwards.
    let mut target: Vec<Option<Edge>> = vec![None; func.blocks.len()];
    for &block in func.order.iter().rev() {
        let data = &func.blocks[block];
        if block == func.entry || !data.insts.is_empty() || !data.params.is_empty() {
            continue;
        }
        if let Terminator::Jump(edge) = &data.term
            && edge.block != block
        {
            target[block.index()] = Some(match &target[edge.block.index()] {
                // The next one has no parameters, so the edge there carries nothing.
                Some(next) if next.block != block => next.clone(),
                _ => edge.clone(),
            });
        }
    }
    for block in func.order.clone() {
        let mut term = std::mem::take(&mut func.blocks[block].term);
        for edge in term.edges_mut() {
            if let Some(next) = &target[edge.block.index()]
                && next.block != edge.block
            {
                *edge = next.clone();
            }
        }
        if let Terminator::Branch { then, els, .. } = &term
            && then == els
        {
            term = Terminator::Jump(then.clone());
        }
        func.blocks[block].term = term;
    }
    func.order = crate::ir::dom::reverse_postorder(func);
}

/// Appends a block to its only predecessor, if that has no other successor.
fn merge(func: &mut Func) {
    let mut preds = vec![0u32; func.blocks.len()];
    for &block in &func.order {
        for edge in func.blocks[block].term.edges() {
            preds[edge.block.index()] += 1;
        }
    }
    let mut forward: Vec<Option<Value>> = vec![None; func.values.len()];
    let mut gone = vec![false; func.blocks.len()];
    for block in func.order.clone() {
        if gone[block.index()] {
            continue;
        }
        while let Terminator::Jump(edge) = &func.blocks[block].term {
            let next: Block = edge.block;
            if preds[next.index()] != 1 || next == func.entry || next == block {
                break;
            }
            let args = edge.args.clone();
            let data = std::mem::take(&mut func.blocks[next]);
            for (param, arg) in data.params.into_iter().zip(args) {
                forward[param.index()] = Some(arg);
            }
            let into = &mut func.blocks[block];
            into.insts.extend(data.insts);
            into.term = data.term;
            into.term_span = data.term_span;
            gone[next.index()] = true;
        }
    }
    func.order.retain(|block| !gone[block.index()]);
    let resolve = |value: &mut Value| {
        while let Some(next) = forward[value.index()] {
            *value = next;
        }
    };
    for &block in &func.order {
        for &inst in &func.blocks[block].insts {
            func.insts[inst].args.iter_mut().for_each(resolve);
        }
        let term = &mut func.blocks[block].term;
        match term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => resolve(value),
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            edge.args.iter_mut().for_each(resolve);
        }
    }
}
