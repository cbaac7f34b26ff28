//! Looks for hazards that are left: from each instruction that a row names second, backwards over every path of the linear CFG,
//! until enough has passed.

use super::rows::{self, Key, Keys, Row, View};
use crate::amd::{Feature, Target};
use crate::id::SecondaryMap;
use crate::mir::{Block, MirFunc};
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// Tells of the first pair that is too close.
pub fn check(func: &MirFunc, target: &Target) -> Result<(), String> {
    let rows: Vec<&Row> = rows::rows(target).collect();
    let mut search = Search { func, target, preds: SecondaryMap::new() };
    for &block in &func.layout {
        func.blocks[block].linear_succs.iter().for_each(|&s| search.preds[s].push(block));
    }
    for &block in &func.layout {
        for (at, inst) in func.blocks[block].insts.iter().enumerate() {
            let view = View::new(inst, target);
            for &row in &rows {
                let keys = (row.then)(&view);
                if !keys.is_empty() && search.meets(row, &keys, block, at) {
                    return Err(format!("hazard before {block} instruction {at}: {}", row.name));
                }
            }
            if target.has(Feature::BranchOffset3fBug)
                && (view.is_ds() || view.is_vmem())
                && search.meets_across_branch(view.is_ds(), block, at)
            {
                return Err(format!("hazard before {block} instruction {at}: LDS, branch, vector memory"));
            }
        }
    }
    Ok(())
}

struct Search<'a> {
    func: &'a MirFunc,
    target: &'a Target,
    preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
}

impl Search<'_> {
    /// Whether some path to the instruction has the row's first one closer than the row allows.
    fn meets(&self, row: &Row, keys: &[Key], block: Block, at: usize) -> bool {
        let wanted = u32::from((row.distance)(self.target));
        // Least that had passed when the end of a block was looked at.
        let mut seen: BTreeMap<Block, u32> = BTreeMap::new();
        let mut work = vec![(block, at, 0u32)];
        while let Some((block, before, mut passed)) = work.pop() {
            let mut open = true;
            for inst in self.func.blocks[block].insts[..before].iter().rev() {
                let view = View::new(inst, self.target);
                let first: Keys = (row.first)(&view);
                if first.iter().any(|k| keys.contains(k)) {
                    return true;
                }
                passed += u32::from(view.progress(row));
                if passed >= wanted {
                    open = false;
                    break;
                }
            }
            if !open {
                continue;
            }
            for &p in &self.preds[block] {
                let known = seen.entry(p).or_insert(u32::MAX);
                if passed < *known {
                    *known = passed;
                    work.push((p, self.func.blocks[p].insts.len(), passed));
                }
            }
        }
        false
    }

    /// gfx10.1: whether the other kind of memory was used, then a branch taken, with no wait for stores since.
    fn meets_across_branch(&self, is_ds: bool, block: Block, at: usize) -> bool {
        let mut seen: BTreeMap<(Block, bool), ()> = BTreeMap::new();
        let mut work = vec![(block, at, false)];
        while let Some((block, before, mut branched)) = work.pop() {
            let mut open = true;
            for inst in self.func.blocks[block].insts[..before].iter().rev() {
                let view = View::new(inst, self.target);
                if view.is_store_wait() {
                    open = false;
                    break;
                }
                branched |= view.is_branch();
                if branched && (if is_ds { view.is_vmem() } else { view.is_ds() }) {
                    return true;
                }
            }
            for &p in self.preds[block].iter().filter(|_| open) {
                if seen.insert((p, branched), ()).is_none() {
                    work.push((p, self.func.blocks[p].insts.len(), branched));
                }
            }
        }
        false
    }
}
