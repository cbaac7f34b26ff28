//! What is true of the wave where each block begins, and blocks rewritten with that: the walk that waits and hazards share.
//!
//! Forward along the linear CFG, in layout order, so that loops are the only reason to come again.

use crate::id::{EntityRef, SecondaryMap};
use crate::mir::{Block, Inst, MirFunc};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What a pass knows at a point. Merging only ever adds, up to some bound.
pub trait State: Clone {
    /// Takes in what may be true on another way here. Tells whether that is news.
    fn merge(&mut self, other: &Self) -> bool;
}

/// Rewrites every block that can be reached. `behind` gives the state at a block's end from that at its start; `write` goes through a block
/// and writes it out with what the pass adds.
pub fn rewrite<S: State>(
    func: &mut MirFunc,
    first: S,
    behind: impl Fn(S, &[Inst]) -> S,
    write: impl Fn(&mut S, &[Inst], &mut Vec<Inst>),
) {
    let starts = starts(func, first, behind);
    for &block in &func.layout {
        let Some(mut state) = starts[block].clone() else { continue };
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len() + insts.len() / 4);
        write(&mut state, &insts, &mut out);
        func.blocks[block].insts = out;
    }
}

fn starts<S: State>(func: &MirFunc, first: S, behind: impl Fn(S, &[Inst]) -> S) -> SecondaryMap<Block, Option<S>> {
    let mut starts: SecondaryMap<Block, Option<S>> = SecondaryMap::new();
    let mut place = vec![usize::MAX; func.blocks.len()];
    func.layout.iter().enumerate().for_each(|(i, b)| place[b.index()] = i);
    let mut queued = vec![true; func.layout.len()];
    // The first in the layout first, so that a loop is settled before what follows it.
    let mut work: BinaryHeap<Reverse<usize>> = (0..func.layout.len()).map(Reverse).collect();
    starts[func.entry] = Some(first);
    while let Some(Reverse(index)) = work.pop() {
        queued[index] = false;
        let block = func.layout[index];
        let Some(state) = starts[block].clone() else { continue };
        let data = &func.blocks[block];
        let state = behind(state, &data.insts);
        for &s in &data.linear_succs {
            let changed = match &mut starts[s] {
                Some(start) => start.merge(&state),
                empty => {
                    *empty = Some(state.clone());
                    true
                }
            };
            let at = place[s.index()];
            if changed && at != usize::MAX && !std::mem::replace(&mut queued[at], true) {
                work.push(Reverse(at));
            }
        }
    }
    starts
}
