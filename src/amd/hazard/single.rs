//! Rules about one instruction, or a run of memory instructions.
//!
//! Not here: an SMEM load that overwrites its own address. Whether it may be replayed in parts depends on the address's alignment, which the
//! bytes do not tell; `alloc::checker` sees to it for our own code.

use super::facts::{Class, Facts, Scalars, Vgprs, meet};
use crate::amd::op::Format;
use crate::amd::target::Setting;
use crate::amd::{Column, Feature, Flags, Operand, Target, ops};
use smallvec::SmallVec;

const FLAT_OFFSET: &str = "FLAT with an offset";
const BRANCH_3F: &str = "branch by 0x3f dwords";
const SMEM_CLAUSE: &str = "a run of SMEM overwrites a source of its own, with XNACK";
const VMEM_CLAUSE: &str = "a run of VMEM loads overwrites a source of its own or goes on with a store, with XNACK";
const SHIFT_64: &str = "64-bit shift by the last VGPR of the wave's, the eighth of its block";

/// Whether faulting accesses may be replayed.
fn xnack(t: &Target) -> bool {
    matches!(t.xnack, Setting::Any | Setting::On)
}

pub fn names(target: &Target) -> impl Iterator<Item = &'static str> {
    [
        (target.has(Feature::FlatOffsetBug), FLAT_OFFSET),
        (target.has(Feature::BranchOffset3fBug), BRANCH_3F),
        (xnack(target), SMEM_CLAUSE),
        (xnack(target) && target.column() == Column::Gfx9, VMEM_CLAUSE),
        (target.has(Feature::Shift64HighRegBug), SHIFT_64),
    ]
    .into_iter()
    .filter_map(|(holds, name)| holds.then_some(name))
}

pub fn find(
    facts: &[Facts],
    preds: &[SmallVec<[u32; 2]>],
    vgprs: u32,
    target: &Target,
) -> Option<(usize, &'static str)> {
    (0..facts.len()).find_map(|at| {
        let f = &facts[at];
        let format = f.op().opcode(target).map(|c| c.format);
        if target.has(Feature::FlatOffsetBug) && format == Some(Format::Flat) && f.inst.mods.offset != 0 {
            return Some((at, FLAT_OFFSET));
        }
        let jumps = f.class == Class::Sopp && f.op().flags.contains(Flags::BRANCH);
        if target.has(Feature::BranchOffset3fBug) && jumps {
            let distance = match f.inst.uses.first() {
                Some(Operand::Imm(simm16)) => *simm16 as u16,
                Some(Operand::Label(distance)) => *distance as u16,
                _ => 0,
            };
            if distance == 0x3f {
                return Some((at, BRANCH_3F));
            }
        }
        if target.has(Feature::Shift64HighRegBug)
            && [ops::v_lshlrev_b64, ops::v_lshrrev_b64, ops::v_ashrrev_i64].contains(&f.op())
            && let [(amount, _)] = f.source(0)[..]
            && amount % 8 == 7
            && u32::from(amount) + 1 >= vgprs
        {
            return Some((at, SHIFT_64));
        }
        if xnack(target) {
            let on_gfx9 = target.column() == Column::Gfx9;
            if (f.class == Class::Smem || (on_gfx9 && f.class == Class::Vmem)) && overwrites_in_run(facts, preds, at) {
                return Some((at, if f.class == Class::Smem { SMEM_CLAUSE } else { VMEM_CLAUSE }));
            }
        }
        None
    })
}

/// Instructions of a class that follow each other at once may be replayed together: none may write what another reads, and a store behind a
/// load is kept out.
fn overwrites_in_run(facts: &[Facts], preds: &[SmallVec<[u32; 2]>], at: usize) -> bool {
    let class = facts[at].class;
    let (mut read, mut written): (Vgprs, Vgprs) = Default::default();
    let (mut scalars_read, mut scalars_written): (Scalars, Scalars) = (0, 0);
    let mut here = at;
    while let Some(&before) = preds[here].iter().find(|&&p| facts[p as usize].class == class) {
        here = before as usize;
        // A run of nothing but these that comes round has no end; there is none without a branch.
        if here >= at {
            break;
        }
        let f = &facts[here];
        read.extend(f.vgprs_read.iter().copied());
        written.extend(f.vgprs_written.iter().copied());
        scalars_read |= f.reads;
        scalars_written |= f.writes;
    }
    if written.is_empty() && scalars_written == 0 {
        return false;
    }
    let f = &facts[at];
    if f.op().flags.intersects(Flags::STORE | Flags::ATOMIC) {
        return true;
    }
    read.extend(f.vgprs_read.iter().copied());
    written.extend(f.vgprs_written.iter().copied());
    meet(&written, &read) || (scalars_written | f.writes) & (scalars_read | f.reads) != 0
}
