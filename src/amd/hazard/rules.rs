//! Pairs of instructions between which something must pass.

use super::facts::{EXEC, Facts, M0, SGPRS, VCC, meet};
use crate::amd::inst::Sel;
use crate::amd::lane::Wave;
use crate::amd::{Column, Feature, Target};
use smallvec::SmallVec;
use std::collections::HashSet;

pub struct Rule {
    pub name: &'static str,
    pub applies: fn(&Target) -> bool,
    /// Whether an instruction may be the second one at all.
    pub second: fn(&Facts) -> bool,
    /// Whether the two are a pair.
    pub pair: fn(&Facts, &Facts) -> bool,
    /// What an instruction between them adds.
    pub adds: fn(&Facts) -> u32,
    /// Whether a sum of these is enough.
    pub enough: fn(u32) -> bool,
}

/// A sum that is enough for every rule.
const OVER: u32 = 1 << 20;

fn gfx9(t: &Target) -> bool {
    t.column() == Column::Gfx9
}
/// gfx942, gfx950.
fn cdna3(t: &Target) -> bool {
    t.has(Feature::ScBits)
}
fn before_cdna3(t: &Target) -> bool {
    gfx9(t) && !cdna3(t)
}
fn cdna4(t: &Target) -> bool {
    cdna3(t) && t.has(Feature::Permlane16Swap)
}
fn cdna5(t: &Target) -> bool {
    t.has(Feature::XCounter)
}

fn states(f: &Facts) -> u32 {
    f.states()
}
fn valu(f: &Facts) -> u32 {
    f.is_valu().into()
}
fn valu_writes(first: &Facts, registers: u128) -> bool {
    first.is_valu() && first.writes & registers != 0
}
/// The lanes that a `v_readlane` or its like takes from come in the one, EXEC in the other.
fn moves_lane(f: &Facts) -> bool {
    f.is(Wave::ReadLane) || f.is(Wave::ReadFirstLane)
}

#[rustfmt::skip]
pub static RULES: &[Rule] = &[
    Rule { name: "VALU writes SGPR, VMEM reads it", applies: gfx9,
           second: |b| b.class == super::facts::Class::Vmem && b.reads & SGPRS != 0, pair: |a, b| valu_writes(a, b.reads & SGPRS), adds: states, enough: |n| n >= 5 },
    Rule { name: "VALU writes SGPR, v_readlane or v_writelane selects by it", applies: gfx9,
           second: |b| b.lane_select() != 0, pair: |a, b| valu_writes(a, b.lane_select()), adds: states, enough: |n| n >= 4 },
    Rule { name: "VALU writes VCC, v_div_fmas", applies: gfx9,
           second: |b| b.op().name.starts_with("v_div_fmas"), pair: |a, _| valu_writes(a, VCC), adds: states, enough: |n| n >= 4 },
    Rule { name: "VGPR written, DPP reads it", applies: gfx9,
           second: |b| b.is_dpp(), pair: |a, b| meet(&a.vgprs_written, &b.vgprs_read), adds: states, enough: |n| n >= 2 },
    Rule { name: "VALU writes EXEC, DPP", applies: gfx9,
           second: |b| b.is_dpp(), pair: |a, _| valu_writes(a, EXEC), adds: states, enough: |n| n >= 5 },
    Rule { name: "SALU writes M0, then v_movrel or s_sendmsg", applies: gfx9,
           second: |b| b.reads & M0 != 0, pair: |a, _| a.is_salu() && a.writes & M0 != 0, adds: states, enough: |n| n >= 1 },
    Rule { name: "s_setreg, then s_getreg or s_setreg of the same", applies: gfx9,
           second: |b| b.hwreg(true).or(b.hwreg(false)).is_some(), pair: |a, b| a.hwreg(true).is_some() && a.hwreg(true) == b.hwreg(true).or(b.hwreg(false)),
           adds: states, enough: |n| n >= 2 },
    Rule { name: "store of more than 64 bits, VALU overwrites its data", applies: before_cdna3,
           second: |b| b.is_valu(), pair: |a, b| meet(&a.wide_store_data(), &b.vgprs_written), adds: states, enough: |n| n >= 1 },
    Rule { name: "store of more than 64 bits, VALU overwrites its data", applies: cdna3,
           second: |b| b.is_valu(), pair: |a, b| meet(&a.wide_store_data(), &b.vgprs_written), adds: states, enough: |n| n >= 2 },
    Rule { name: "VALU writes SGPR or VCC, VALU reads it", applies: cdna3,
           second: |b| b.is_valu() && b.reads & SGPRS != 0, pair: |a, b| valu_writes(a, b.reads & SGPRS), adds: states, enough: |n| n >= 2 },
    Rule { name: "VALU writes VGPR, v_readlane or v_readfirstlane reads it", applies: cdna3,
           second: moves_lane, pair: |a, b| a.is_valu() && meet(&a.vgprs_written, &b.vgprs_read), adds: states, enough: |n| n >= 1 },
    Rule { name: "VALU writes EXEC, v_readlane, v_readfirstlane or v_writelane", applies: cdna3,
           second: |b| moves_lane(b) || b.is(Wave::WriteLane), pair: |a, _| valu_writes(a, EXEC), adds: states, enough: |n| n >= 4 },
    Rule { name: "SDWA or op_sel writes part of a VGPR, VALU reads or writes it", applies: cdna3,
           second: |b| b.is_valu(),
           pair: |a, b| a.is_valu() && (a.inst.mods.op_sel & 8 != 0 || a.inst.mods.sdwa.is_some_and(|sdwa| sdwa.dst != Sel::Dword))
                        && (meet(&a.vgprs_written, &b.vgprs_read) || meet(&a.vgprs_written, &b.vgprs_written)),
           adds: states, enough: |n| n >= 1 },
    Rule { name: "transcendental, VALU reads the result", applies: cdna3,
           second: |b| b.is_valu() && !b.is_trans(), pair: |a, b| a.is_trans() && meet(&a.vgprs_written, &b.vgprs_read), adds: states, enough: |n| n >= 1 },
    Rule { name: "VALU writes VGPR, v_permlane*_swap", applies: cdna4,
           second: |b| b.is_permlane_swap(), pair: |a, b| a.is_valu() && meet(&a.vgprs_written, &b.vgprs_read), adds: states, enough: |n| n >= 2 },
    Rule { name: "VALU writes EXEC, v_permlane*_swap", applies: cdna4,
           second: |b| b.is_permlane_swap(), pair: |a, _| valu_writes(a, EXEC), adds: states, enough: |n| n >= 4 },
    Rule { name: "dot product, its result used but as the same op's addend", applies: |t| t.has(Feature::UnifiedAgprs),
           second: |b| b.is_valu() || b.is_memory(), pair: dot, adds: states, enough: |n| n >= 3 },
    Rule { name: "transcendental, VALU reads the result", applies: |t| t.has(Feature::TransUseHazard),
           second: |b| b.is_valu(), pair: |a, b| a.is_trans() && meet(&a.vgprs_written, &b.vgprs_read),
           // Six VALU ops, or two transcendentals, or whatever empties va_vdst.
           adds: |f| if f.is_memory() || f.depctr().is_some_and(|w| w & 0xf000 == 0) { OVER } else { valu(f) | u32::from(f.is_trans()) << 8 },
           enough: |n| n & 0xff > 5 || n >> 8 > 1 },
    Rule { name: "transcendental, VALU reads its result or overwrites its source", applies: cdna5,
           second: |b| b.is_valu() && !b.is_trans(),
           pair: |a, b| a.is_trans() && (meet(&a.vgprs_written, &b.vgprs_read) || meet(&a.vgprs_read, &b.vgprs_written)), adds: valu, enough: |n| n >= 1 },
    Rule { name: "VALU writes EXEC, v_permlane16, v_permlanex16 or v_permlane64",
           applies: |t| t.has(Feature::BranchOffset3fBug) || matches!(t.column(), Column::Gfx11 | Column::Gfx12),
           second: |b| b.is(Wave::Permlane16) || b.is(Wave::PermlaneX16) || b.is(Wave::Permlane64), pair: |a, _| valu_writes(a, EXEC),
           adds: |f| (f.is_valu() && !f.is_vnop()).into(), enough: |n| n >= 1 },
    Rule { name: "VALU, then s_setreg of MODE", applies: cdna5,
           second: |b| b.hwreg(true) == Some(1), pair: |a, _| a.is_valu() && !a.is_vnop(), adds: valu, enough: |n| n >= 2 },
    Rule { name: "s102 or s103 written, src_flat_scratch_base read", applies: cdna5,
           second: |b| b.reads_scratch_base, pair: |a, _| (a.is_valu() || a.is_salu()) && a.writes & (3 << 102) != 0,
           // Ten writes of SGPRs, or a wait for both kinds.
           adds: |f| if f.depctr().is_some_and(|w| w & 0x0e01 == 0) { OVER } else { ((f.is_valu() || f.is_salu()) && f.writes & SGPRS != 0).into() },
           enough: |n| n >= 10 },
];

/// The result of a dot product may go straight to the addend of the same op only.
fn dot(a: &Facts, b: &Facts) -> bool {
    if !a.is_dot() {
        return false;
    }
    if a.op() == b.op() {
        return meet(&a.vgprs_written, &b.source(0)) || meet(&a.vgprs_written, &b.source(1));
    }
    meet(&a.vgprs_written, &b.vgprs_read) || meet(&a.vgprs_written, &b.vgprs_written)
}

/// The first instruction that follows another too closely, and the rule.
pub fn find(facts: &[Facts], preds: &[SmallVec<[u32; 2]>], target: &Target) -> Option<(usize, &'static str)> {
    let rules: Vec<&Rule> = RULES.iter().filter(|r| (r.applies)(target)).collect();
    (0..facts.len()).find_map(|at| {
        let rule = rules.iter().find(|r| (r.second)(&facts[at]) && follows_too_soon(r, facts, preds, at))?;
        Some((at, rule.name))
    })
}

/// Looks backwards over every way to the instruction, as far as the sum is not enough.
fn follows_too_soon(rule: &Rule, facts: &[Facts], preds: &[SmallVec<[u32; 2]>], at: usize) -> bool {
    let mut seen: HashSet<(u32, u32)> = HashSet::new();
    let mut work: SmallVec<[(u32, u32); 4]> = preds[at].iter().map(|&p| (p, 0)).collect();
    while let Some((from, mut passed)) = work.pop() {
        let mut here = from as usize;
        loop {
            if (rule.pair)(&facts[here], &facts[at]) {
                return true;
            }
            passed += (rule.adds)(&facts[here]);
            if (rule.enough)(passed) {
                break;
            }
            match preds[here][..] {
                [one] if one as usize + 1 == here => here -= 1,
                _ => {
                    let more = preds[here].iter().map(|&p| (p, passed));
                    work.extend(more.filter(|&key| seen.insert(key)));
                    break;
                }
            }
        }
    }
    false
}
