//! Cleans up branches between neighbours and fills in the linear CFG.

use crate::amd::op::Op;
use crate::amd::{Flags, ops};
use crate::id::{EntityRef, SecondaryMap};
use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, Terminator};
use smallvec::SmallVec;

/// Leaves: no branch to the next block, linear-only blocks joined where nothing leads between them, both lists of successors right.
pub(super) fn finish(func: &mut MirFunc, end: Block) {
    let layout = std::mem::take(&mut func.layout);
    skip_detours(func, &layout);
    for (i, &block) in layout.iter().enumerate() {
        tidy_branches(&mut func.blocks[block].insts, layout.get(i + 1).copied(), end);
    }
    let mut targeted: SecondaryMap<Block, bool> = SecondaryMap::new();
    for &block in &layout {
        func.blocks[block].insts.iter().filter_map(branch_target).for_each(|t| targeted[t] = true);
        func.blocks[block].logical_succs.iter().for_each(|&t| targeted[t] = true);
    }
    let mut kept: Vec<Block> = vec![];
    for block in layout {
        if block == end && !targeted[end] && kept.last().is_some_and(|&b| is_last(&func.blocks[b].insts)) {
            continue;
        }
        // Nothing leads to a detour any more when the block before it does not run into it.
        let data = &func.blocks[block];
        let detour = data.linear_only && matches!(&data.insts[..], [only] if op_of(only) == Some(ops::s_branch));
        if detour && !targeted[block] && kept.last().is_some_and(|&b| is_last(&func.blocks[b].insts)) {
            continue;
        }
        let joins = kept.last().filter(|&&before| {
            let data = &func.blocks[before];
            data.linear_only && func.blocks[block].linear_only && !targeted[block] && !ends_in_branch(&data.insts)
        });
        if let Some(&before) = joins {
            let insts = std::mem::take(&mut func.blocks[block].insts);
            func.blocks[before].insts.extend(insts);
        } else {
            kept.push(block);
        }
    }
    for (i, &block) in kept.iter().enumerate() {
        let data = &mut func.blocks[block];
        data.term = Terminator::Linear;
        let mut succs: SmallVec<[Block; 2]> = data.insts.iter().filter_map(branch_target).collect();
        if !is_last(&data.insts) {
            succs.extend(kept.get(i + 1).copied());
        }
        succs.sort_unstable();
        succs.dedup();
        data.linear_succs = succs;
        if data.linear_only {
            data.logical_succs.clear();
        }
    }
    func.layout = kept;
    // Blocks that are gone have nothing to say any more.
    let mut placed: SecondaryMap<Block, bool> = SecondaryMap::new();
    func.layout.iter().for_each(|&b| placed[b] = true);
    for block in func.blocks.keys().collect::<Vec<_>>() {
        if !placed[block] {
            let data = &mut func.blocks[block];
            data.insts.clear();
            data.term = Terminator::Linear;
            data.logical_succs.clear();
        }
    }
}

/// Branches to a block of mask code that only branches on lead to its target.
fn skip_detours(func: &mut MirFunc, layout: &[Block]) {
    let mut beyond: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    // Such blocks lead forwards to others, so that from the end each is followed once.
    for &block in layout.iter().rev() {
        let data = &func.blocks[block];
        if let (true, [only]) = (data.linear_only, &data.insts[..])
            && op_of(only) == Some(ops::s_branch)
            && let Some(to) = branch_target(only)
        {
            beyond[block] = Some(beyond[to].unwrap_or(to));
        }
    }
    for &block in layout {
        for inst in &mut func.blocks[block].insts {
            if let Some(to) = branch_target(inst).and_then(|t| beyond[t])
                && let InstKind::Op(op) = &mut inst.kind
            {
                op.uses[0] = Operand::Label(to.index() as u32);
            }
        }
    }
}

fn tidy_branches(insts: &mut Vec<Inst>, next: Option<Block>, end: Block) {
    let last_op = |insts: &[Inst]| insts.last().and_then(op_of);
    if last_op(insts) == Some(ops::s_branch) {
        let to = insts.last().and_then(branch_target);
        let before = insts.len().checked_sub(2).and_then(|i| insts.get(i));
        let around = before.and_then(op_of).and_then(inverse);
        if to == next {
            insts.pop();
        } else if let (Some(inverse), true) = (around, before.and_then(branch_target) == next) {
            // Around the next block: the other way about.
            insts.pop();
            if let (Some(Inst { kind: InstKind::Op(op), .. }), Some(to)) = (insts.last_mut(), to) {
                op.op = inverse;
                op.uses[0] = Operand::Label(to.index() as u32);
            }
        } else if to == Some(end)
            && let Some(Inst { kind: InstKind::Op(op), .. }) = insts.last_mut()
        {
            op.op = ops::s_endpgm;
            op.uses.clear();
        }
    }
    while last_op(insts).and_then(inverse).is_some() && insts.last().and_then(branch_target) == next {
        insts.pop();
    }
}

fn op_of(inst: &Inst) -> Option<Op> {
    match &inst.kind {
        InstKind::Op(op) => Some(op.op),
        _ => None,
    }
}

/// The block that a branch instruction leads to.
pub(super) fn branch_target(inst: &Inst) -> Option<Block> {
    let InstKind::Op(op) = &inst.kind else { return None };
    match op.uses.first() {
        Some(&Operand::Label(to)) if op.op.flags.contains(Flags::BRANCH) => Some(Block::new(to as usize)),
        _ => None,
    }
}

/// The conditional branch that is taken when this one is not.
fn inverse(op: Op) -> Option<Op> {
    let pairs = [(ops::s_cbranch_scc0, ops::s_cbranch_scc1), (ops::s_cbranch_execz, ops::s_cbranch_execnz)];
    pairs.iter().find_map(|&(a, b)| if op == a { Some(b) } else { (op == b).then_some(a) })
}

fn ends_in_branch(insts: &[Inst]) -> bool {
    insts.last().is_some_and(|i| op_of(i).is_some_and(|op| op.flags.intersects(Flags::BRANCH | Flags::END)))
}

/// Whether the wave never goes on behind these.
fn is_last(insts: &[Inst]) -> bool {
    insts.last().is_some_and(|i| op_of(i).is_some_and(|op| op.flags.contains(Flags::END)))
}
