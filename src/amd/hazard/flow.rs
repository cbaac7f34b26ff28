//! Hazards that no distance ends: what may be in flight, forward along every way.

use super::Step;
use super::facts::{Class, EXEC, Facts, SGPRS, Scalars, VCC};
use crate::amd::{Feature, Flags, Target, ops};
use std::collections::BTreeSet;

const VM_VSRC: u16 = 0x1c;
const SA_SDST: u16 = 0x1;
const VA_VCC: u16 = 0x2;
const VA_SDST: u16 = 0xe00;

const MEMORY_READS: &str = "VMEM or DS reads SGPR or EXEC, SALU or SMEM writes it";
const SMEM_READS: &str = "SMEM reads SGPR, VALU writes it";
const EXEC_READ: &str = "EXEC read but by VALU, then VALU writes it";
const LDS_BRANCH: &str = "LDS, branch, vector memory, or the other way round";
const SALU_SGPR: &str = "SGPR read by VALU, SALU writes it, VALU or SALU reads it";
const VALU_SGPR: &str = "SGPR read by VALU, VALU writes it, VALU reads it";
const VALU_VCC: &str = "VCC read by VALU, VALU writes it, VALU reads it";

/// What was used last: LDS or vector memory, before or after a branch.
mod used {
    pub const DS: u8 = 1;
    pub const VMEM: u8 = 2;
    /// Shifted by this once a branch stands behind.
    pub const BRANCHED: u8 = 2;
}

fn rdna1(t: &Target) -> bool {
    t.has(Feature::BranchOffset3fBug)
}
fn rdna4(t: &Target) -> bool {
    t.has(Feature::SampleCounter)
}

pub fn names(target: &Target) -> impl Iterator<Item = &'static str> {
    let first = rdna1(target).then_some([MEMORY_READS, SMEM_READS, EXEC_READ, LDS_BRANCH]);
    let fourth = rdna4(target).then_some([SALU_SGPR, VALU_SGPR, VALU_VCC]);
    first.into_iter().flatten().chain(fourth.into_iter().flatten())
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct State {
    /// gfx10.1: read by vector memory or LDS, and by SMEM, that may not have read yet.
    memory_reads: Scalars,
    smem_reads: Scalars,
    exec_read: bool,
    used: u8,
    /// gfx12: ever read by VALU, whole pairs; those written since, by SALU and by VALU, and not waited for.
    ever: Scalars,
    salu: Scalars,
    valu: Scalars,
}

impl State {
    fn merge(&mut self, other: &State) -> bool {
        let before = *self;
        self.memory_reads |= other.memory_reads;
        self.smem_reads |= other.smem_reads;
        self.exec_read |= other.exec_read;
        self.used |= other.used;
        self.ever |= other.ever;
        self.salu |= other.salu;
        self.valu |= other.valu;
        *self != before
    }
}

pub fn find(facts: &[Facts], steps: &[Step], target: &Target) -> Option<(usize, &'static str)> {
    if facts.is_empty() || !(rdna1(target) || rdna4(target)) {
        return None;
    }
    let pass = |state: &mut State, f: &Facts| if rdna1(target) { on_rdna1(state, f) } else { on_rdna4(state, f) };
    let spread = |states: &mut [Option<State>], mut work: BTreeSet<usize>| {
        while let Some(at) = work.pop_first() {
            let mut state = states[at].unwrap_or_default();
            pass(&mut state, &facts[at]);
            for &next in &steps[at].next {
                let changed = match &mut states[next as usize] {
                    Some(known) => known.merge(&state),
                    unknown => {
                        *unknown = Some(state);
                        true
                    }
                };
                if changed {
                    work.insert(next as usize);
                }
            }
        }
    };
    let mut states: Vec<Option<State>> = vec![None; facts.len()];
    states[0] = Some(State::default());
    spread(&mut states, BTreeSet::from([0]));
    if rdna4(target) {
        // What a SALU op waits for by itself depends on what VALU has ever read, on all ways to it, as LLVM sees it too. That is known now; what was
        // spread before it was is forgotten.
        states.iter_mut().flatten().for_each(|state| *state = State { ever: state.ever, ..State::default() });
        let reached = (0..facts.len()).filter(|&at| states[at].is_some()).collect();
        spread(&mut states, reached);
    }
    let mut reached = states.iter().enumerate().filter_map(|(at, state)| Some((at, (*state)?)));
    reached.find_map(|(at, mut state)| Some((at, pass(&mut state, &facts[at])?)))
}

fn on_rdna1(state: &mut State, f: &Facts) -> Option<&'static str> {
    let mut broken = None;
    let mut rule = |name, holds: bool| broken = broken.or(holds.then_some(name));
    rule(MEMORY_READS, (f.is_salu() || f.class == Class::Smem) && f.writes & state.memory_reads != 0);
    rule(SMEM_READS, f.is_valu() && f.writes & state.smem_reads != 0);
    rule(EXEC_READ, f.is_valu() && f.writes & EXEC != 0 && state.exec_read);
    let other = match f.class {
        Class::Ds => used::VMEM,
        Class::Vmem => used::DS,
        _ => 0,
    };
    rule(LDS_BRANCH, state.used & other << used::BRANCHED != 0);

    let depctr = |field: u16| f.depctr().is_some_and(|w| w & field == 0);
    let waitcnt = if f.op() == ops::s_waitcnt { f.imm() } else { None };
    if f.is_valu() || depctr(VM_VSRC) || waitcnt == Some(0) {
        state.memory_reads = 0;
    }
    // A wait for LDS and SMEM, or any SALU op that goes through the pipeline.
    let no_wait = f.class == Class::Salu && f.op() != ops::s_waitcnt_vscnt;
    if no_wait || waitcnt.is_some_and(|bits| bits >> 8 & 0x3f == 0) {
        state.smem_reads = 0;
    }
    if depctr(SA_SDST) || (f.is_valu() && f.writes & (SGPRS | EXEC) != 0) {
        state.exec_read = false;
    }
    if f.is_memory() {
        state.memory_reads |= f.reads & (SGPRS | EXEC);
        state.used = if f.class == Class::Ds { used::DS } else { used::VMEM };
    }
    if f.class == Class::Smem {
        state.smem_reads |= f.reads & SGPRS;
    }
    state.exec_read |= !f.is_valu() && f.reads & EXEC != 0;
    if f.op().flags.contains(Flags::BRANCH) {
        state.used |= state.used << used::BRANCHED & 0xf;
        state.used &= 3 << used::BRANCHED;
    }
    if f.waits_for_stores() {
        state.used = 0;
    }
    broken
}

fn on_rdna4(state: &mut State, f: &Facts) -> Option<&'static str> {
    // What goes through the memory pipelines by an SGPR waits for all of them. FLAT, GLOBAL and SCRATCH do not.
    if f.class == Class::Smem || f.is_mubuf {
        (state.salu, state.valu) = (0, 0);
        return None;
    }
    if let Some(word) = f.depctr() {
        if word & SA_SDST == 0 {
            state.salu = 0;
        }
        if word & VA_SDST == 0 {
            state.valu &= VCC;
        }
        if word & VA_VCC == 0 {
            state.valu &= !VCC;
        }
        return None;
    }
    if !(f.is_valu() || f.is_salu()) {
        return None;
    }
    let (read, written) = (f.reads & SGPRS, f.writes & SGPRS);
    if f.is_salu() {
        // It waits for VALU by itself, and so does whatever comes behind.
        let known = read & state.ever;
        if known & !VCC != 0 {
            state.valu &= VCC;
        }
        if known & VCC != 0 {
            state.valu &= !VCC;
        }
    }
    let mut broken = None;
    let mut rule = |name, holds: bool| broken = broken.or(holds.then_some(name));
    rule(SALU_SGPR, read & state.salu != 0);
    rule(VALU_SGPR, f.is_valu() && read & state.valu & !VCC != 0);
    rule(VALU_VCC, f.is_valu() && read & state.valu & VCC != 0);
    if f.is_valu() {
        state.ever |= pairs(read);
        state.valu |= written & state.ever;
        if written & VCC != 0 {
            state.salu &= !VCC;
        }
    } else {
        state.salu |= written & state.ever;
        if written & VCC != 0 {
            state.valu &= !VCC;
        }
    }
    broken
}

/// Both registers of each pair that one of is there.
fn pairs(scalars: Scalars) -> Scalars {
    const EVEN: Scalars = Scalars::MAX / 3;
    let low = (scalars | scalars >> 1) & EVEN;
    low | low << 1
}

/// The generations whose hazards of this kind are known here.
#[cfg(test)]
mod tests {
    use super::*;
    use crate::amd::Column;

    #[test]
    fn pairs_are_whole() {
        assert_eq!(pairs(0b1000_0001), 0b1100_0011);
        assert_eq!(pairs(VCC & 1 << 107), VCC);
    }

    #[test]
    fn two_generations_have_them() {
        let has = |t: &Target| names(t).next().is_some();
        let columns: BTreeSet<Column> = Target::all().filter(has).map(|t| t.column()).collect();
        assert_eq!(columns.into_iter().collect::<Vec<_>>(), [Column::Gfx10, Column::Gfx12]);
    }
}
