//! Makes a function's edges and predicates fit for lane masks.

use super::{DemotedUse, Divergence, analyze};
use crate::id::{EntityRef, SecondaryMap, side_table};
use crate::ir::dom::reverse_postorder;
use crate::ir::{
    Barrier, Block, BlockData, CmpOp, Edge, Func, Inst, IntOp, Op, Span, Terminator, Type, Value, ValueDef, Width,
};
use std::collections::HashMap;

/// Splits edges, analyses, writes barriers and resume points into the blocks, and reads the predicates of [`Divergence::demoted`]
/// through VGPRs.
///
/// Leaves: no critical edge, no arguments on the edges of a block with several successors, and the block after a barrier entered by
/// that barrier alone and without parameters. So the copies of an edge belong to the end of the block it comes from.
pub fn prepare(func: &mut Func, wave_lanes: u32) -> Divergence {
    split_edges(func);
    let mut divergence = analyze(func, wave_lanes);
    for &block in &func.order {
        let data = &mut func.blocks[block];
        data.resume = divergence.resume[block];
        if let Terminator::Barrier { barrier, .. } = &mut data.term {
            *barrier = Barrier { whole: divergence.whole[block] };
        }
    }
    remove_syncs(func, &divergence);
    demote(func, &mut divergence);
    divergence
}

/// Removes `warp_sync`s whose members are all there: the block's lanes are all that live, the members have been counted in this very
/// block, or the same members have been waited for in it.
fn remove_syncs(func: &mut Func, divergence: &Divergence) {
    for block in func.order.clone() {
        let is_sync = |&inst: &Inst| func.insts[inst].op == Op::WarpSync;
        if !func.blocks[block].insts.iter().any(is_sync) {
            continue;
        }
        let together = divergence.together[block];
        // Masks whose members are here.
        let mut here: Vec<Value> = vec![];
        let mut everyone = false;
        let insts = std::mem::take(&mut func.blocks[block].insts);
        func.blocks[block].insts = insts
            .into_iter()
            .filter(|&inst| {
                let data = &func.insts[inst];
                match (&data.op, &data.args[..]) {
                    (Op::Ballot, _) => here.push(data.results[0]),
                    (Op::Int(IntOp::And, Width::W32), [a, b]) if here.contains(a) || here.contains(b) => {
                        here.push(data.results[0]);
                    }
                    (Op::WarpSync, &[members]) => {
                        let all = func.def(members).is_some_and(|(data, _)| data.op == Op::Const32(u32::MAX));
                        let known = together || everyone || here.contains(&members);
                        everyone |= all;
                        here.push(members);
                        return !known;
                    }
                    _ => {}
                }
                true
            })
            .collect();
    }
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
