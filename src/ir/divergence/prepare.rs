//! Makes a function's edges and predicates fit for lane masks.

use super::{DemotedUse, Divergence, analyze};
use crate::id::{EntityRef, SecondaryMap, side_table};
use crate::ir::barrier::warp::{meet, take_words_back};
use crate::ir::decided::follow_decided_branches;
use crate::ir::dom::reverse_postorder;
use crate::ir::{
    Barrier, Block, BlockData, CmpOp, Edge, Func, Inst, IntOp, Op, Span, Terminator, Type, UnaryOp, Value, ValueDef,
    Width,
};
use std::collections::HashMap;

/// Follows branches on constants, splits edges, analyses, writes barriers and resume points into the blocks, and reads the predicates of [`Divergence::demoted`]
/// through VGPRs.
///
/// A `warp_sync` whose members may not all be there ends its block; the next one only counts them and is where those wait
/// that somebody is missing for ([`Terminator::Wait`]). At a `warp_barrier` they wait in a loop ([`crate::ir::barrier::warp`]). Such waiting changes what comes together later on, so that all is asked again.
///
/// Leaves: no `warp_sync` or `warp_barrier`, no critical edge, no arguments on the edges of a block with several successors, and the block after a barrier entered by
/// that barrier alone and without parameters. So the copies of an edge belong to the end of the block it comes from.
pub fn prepare(func: &mut Func, wave_lanes: u32) -> Divergence {
    follow_decided_branches(func);
    split_edges(func);
    let mut unused_word = warp_word(func);
    let mut divergence = loop {
        let divergence = analyze(func, wave_lanes);
        let open = open_syncs(func, &divergence);
        if open.is_empty() {
            break divergence;
        }
        for (block, inst) in open {
            match func.insts[inst].op {
                Op::WarpBarrier => {
                    unused_word = None;
                    meet(func, block, inst);
                }
                _ => wait_for_members(func, (block, inst)),
            }
        }
        func.order = reverse_postorder(func);
    };
    for &block in &func.order {
        let insts = &func.insts;
        func.blocks[block].insts.retain(|&inst| !waits(&insts[inst].op));
    }
    if let Some(word) = unused_word {
        take_words_back(func, word);
    }
    for &block in &func.order {
        let data = &mut func.blocks[block];
        data.resume = divergence.resume[block];
        if let Terminator::Barrier { barrier, .. } = &mut data.term {
            *barrier = Barrier { whole: divergence.whole[block] };
        }
    }
    demote(func, &mut divergence);
    divergence
}

/// The address that the kernel's `warp_barrier`s have.
fn warp_word(func: &Func) -> Option<Value> {
    let mut insts = func.order.iter().flat_map(|&block| &func.blocks[block].insts);
    let barrier = insts.find(|&&inst| func.insts[inst].op == Op::WarpBarrier)?;
    func.insts[*barrier].args.get(1).copied()
}

fn waits(op: &Op) -> bool {
    matches!(op, Op::WarpSync | Op::WarpBarrier)
}

/// The `warp_sync`s whose members may not all be there, last first in each block. They are where the block's lanes are all that live, where
/// the members have been counted in this very block, or where the same ones have been waited for in it.
fn open_syncs(func: &Func, divergence: &Divergence) -> Vec<(Block, Inst)> {
    let mut open = vec![];
    for &block in &func.order {
        let insts = &func.blocks[block].insts;
        if divergence.together[block] || !insts.iter().any(|&inst| waits(&func.insts[inst].op)) {
            continue;
        }
        // Masks whose members are here.
        let mut here: Vec<Value> = vec![];
        let mut everyone = false;
        let first = open.len();
        // What the block before has waited for, which leads here alone.
        if let Some((all, members)) = waited_for(func, block) {
            everyone = all;
            here.push(members);
        }
        for &inst in insts {
            let data = &func.insts[inst];
            match (&data.op, &data.args[..]) {
                (Op::Ballot, _) => here.push(data.results[0]),
                (Op::Int(IntOp::And, Width::W32), [a, b]) if here.contains(a) || here.contains(b) => {
                    here.push(data.results[0]);
                }
                (Op::WarpSync | Op::WarpBarrier, &[members, ..]) => {
                    if !everyone && !here.contains(&members) {
                        open.insert(first, (block, inst));
                    }
                    everyone |= is_everyone(func, members);
                    here.push(members);
                }
                _ => {}
            }
        }
    }
    open
}

fn is_everyone(func: &Func, members: Value) -> bool {
    func.def(members).is_some_and(|(data, _)| data.op == Op::Const32(u32::MAX))
}

/// The members that the only block in front of this one has waited for, and whether they are the whole warp.
fn waited_for(func: &Func, block: Block) -> Option<(bool, Value)> {
    let before = func.order.iter().find(|&&b| match &func.blocks[b].term {
        Terminator::Wait { next, .. } => next.block == block,
        _ => false,
    })?;
    // `missing` of `wait_for_members`.
    let cond = func.blocks[*before].term.condition()?;
    let missing = func.def(cond)?.0.args[0];
    let members = func.def(missing)?.0.args[1];
    Some((is_everyone(func, members), members))
}

/// Ends the block at a `warp_sync`; a block of its own counts the members, and the rest comes behind that.
fn wait_for_members(func: &mut Func, (block, sync): (Block, Inst)) {
    let span = func.spans[sync];
    let members = func.insts[sync].args[0];
    let Some(at) = func.blocks[block].insts.iter().position(|&inst| inst == sync) else { return };
    let rest = func.blocks[block].insts.split_off(at + 1);
    func.blocks[block].insts.pop();
    let mut insts = vec![];
    let mut make = |op: Op, args: &[Value]| {
        let inst = func.make(op, args.iter().copied(), span);
        insts.push(inst);
        func.result(inst)
    };
    let (all, live) = (make(Op::ConstPred(true), &[]), make(Op::LiveLanes, &[]));
    let here = make(Op::Ballot, &[all]);
    let elsewhere = make(Op::Unary(UnaryOp::Not, Width::W32), &[here]);
    let elsewhere = make(Op::Int(IntOp::And, Width::W32), &[elsewhere, live]);
    let missing = make(Op::Int(IntOp::And, Width::W32), &[elsewhere, members]);
    let zero = make(Op::Const32(0), &[]);
    let cond = make(Op::Cmp(CmpOp::Ne, Width::W32), &[missing, zero]);
    let term = std::mem::take(&mut func.blocks[block].term);
    let term_span = func.blocks[block].term_span;
    let behind = func.blocks.push(BlockData { insts: rest, term, term_span, ..BlockData::default() });
    let wait = Terminator::Wait { cond, next: Edge::new(behind, []) };
    let count = BlockData { insts, term: wait, term_span: span, ..BlockData::default() };
    let count = func.blocks.push(count);
    func.blocks[block].term = Terminator::Jump(Edge::new(count, []));
    func.blocks[block].term_span = span;
}

fn split_edges(func: &mut Func) {
    let mut preds: SecondaryMap<Block, u32> = SecondaryMap::new();
    for &block in &func.order {
        func.successors(block).iter().for_each(|&s| preds[s] += 1);
    }
    let mut any = false;
    for at in 0..func.order.len() {
        let block = func.order[at];
        let span = func.blocks[block].term_span;
        let mut term = std::mem::take(&mut func.blocks[block].term);
        let barrier = matches!(term, Terminator::Barrier { .. });
        let several = term.edges().len() > 1;
        for edge in term.edges_mut() {
            if (several || barrier) && (preds[edge.block] > 1 || !edge.args.is_empty()) {
                let jump = Terminator::Jump(std::mem::replace(edge, Edge::new(Block::new(0), [])));
                edge.block = func.blocks.push(BlockData { term: jump, term_span: span, ..BlockData::default() });
                any = true;
            }
        }
        func.blocks[block].term = term;
    }
    if any {
        func.order = reverse_postorder(func);
    }
}

/// At the definition of such a predicate: a dword with its value; at the uses: a comparison of that dword.
fn demote(func: &mut Func, divergence: &mut Divergence) {
    let mut dwords: HashMap<Value, Value> = HashMap::new();
    // Instructions to be put before an instruction, or at the end of a block.
    let mut before: HashMap<Inst, Vec<Inst>> = HashMap::new();
    let mut touched: Vec<Block> = vec![];
    let mut homes: SecondaryMap<Inst, Option<Block>> = side_table(func.insts.len(), None);
    for &block in &func.order {
        func.blocks[block].insts.iter().for_each(|&i| homes[i] = Some(block));
    }
    let mut after: HashMap<Inst, Vec<Inst>> = HashMap::new();
    let mut at_start: HashMap<Block, Vec<Inst>> = HashMap::new();
    let mut at_end: HashMap<Block, Vec<Inst>> = HashMap::new();
    for (p, used) in std::mem::take(&mut divergence.demoted) {
        let dword = *dwords.entry(p).or_insert_with(|| {
            let span = match func.values[p].def {
                ValueDef::Result(inst, _) => func.spans[inst],
                ValueDef::Param(..) => Span::NONE,
            };
            let one = func.make(Op::Const32(1), [], span);
            let zero = func.make(Op::Const32(0), [], span);
            let (o, z) = (func.result(one), func.result(zero));
            let select = func.make(Op::Select(Type::B32), [p, o, z], span);
            let made = [one, zero, select];
            match func.values[p].def {
                ValueDef::Result(inst, _) => {
                    after.entry(inst).or_default().extend(made);
                    touched.extend(homes[inst]);
                }
                ValueDef::Param(block, _) => {
                    at_start.entry(block).or_default().extend(made);
                    touched.push(block);
                }
            }
            let dword = func.result(select);
            divergence.divergent[dword] = true;
            dword
        });
        let span = match used {
            DemotedUse::Inst(_, inst) => func.spans[inst],
            DemotedUse::Terminator(block) => func.blocks[block].term_span,
        };
        let zero = func.make(Op::Const32(0), [], span);
        let z = func.result(zero);
        let compare = func.make(Op::Cmp(CmpOp::Ne, Width::W32), [dword, z], span);
        let copy = func.result(compare);
        divergence.divergent[copy] = true;
        let replace = |v: &mut Value| {
            if *v == p {
                *v = copy;
            }
        };
        match used {
            DemotedUse::Inst(block, inst) => {
                func.insts[inst].args.iter_mut().for_each(replace);
                before.entry(inst).or_default().extend([zero, compare]);
                touched.push(block);
            }
            DemotedUse::Terminator(block) => {
                let term = &mut func.blocks[block].term;
                if let Terminator::Branch { cond, .. } = term {
                    replace(cond);
                }
                term.edges_mut().into_iter().for_each(|e| e.args.iter_mut().for_each(replace));
                at_end.entry(block).or_default().extend([zero, compare]);
                touched.push(block);
            }
        }
    }
    touched.sort_unstable();
    touched.dedup();
    for block in touched {
        let old = std::mem::take(&mut func.blocks[block].insts);
        let mut new = at_start.remove(&block).unwrap_or_default();
        for inst in old {
            new.extend(before.remove(&inst).unwrap_or_default());
            new.push(inst);
            new.extend(after.remove(&inst).unwrap_or_default());
        }
        new.extend(at_end.remove(&block).unwrap_or_default());
        func.blocks[block].insts = new;
    }
}
