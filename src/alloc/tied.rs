//! Makes tied uses name the register that they are tied to, and keeps early destinations apart from sources.
//!
//! A row's tied use (`v_fmac_f32`, `v_writelane_b32`) is encoded as def 0. Where the operand is another register or a constant, a
//! copy into def 0's register goes before; where def 0's register is a source besides, by way of a new one. An instruction that
//! must not write what it reads, and names one register for both, writes a new one.

use super::{Tag, Work};
use crate::amd::{self, Target};
use crate::mir::liveness::is_early_clobber;
use crate::mir::{Inst, InstKind, MirFunc, Operand, Part, Reg, VReg};

pub(super) fn separate(work: &mut Work, target: &Target) {
    for block in work.func.layout.clone() {
        let is_split = |inst: &Inst| tied_elsewhere(inst).is_some() || is_early_clobber(inst, target);
        if !work.func.blocks[block].insts.iter().any(is_split) {
            continue;
        }
        let insts = std::mem::take(&mut work.func.blocks[block].insts);
        let tags = std::mem::take(&mut work.tags[block]);
        let (mut new_insts, mut new_tags) = (vec![], vec![]);
        for (mut inst, tag) in insts.into_iter().zip(tags) {
            let mut push = |inst: Inst, tag: u32| {
                new_insts.push(inst);
                new_tags.push(tag);
            };
            let span = inst.span;
            let Some(tied) = tied_elsewhere(&inst) else {
                let early = is_early_clobber(&inst, target);
                let mut copies = vec![];
                if let InstKind::Op(op) = &mut inst.kind
                    && early
                {
                    for i in 0..op.defs.len() {
                        let def = op.defs[i];
                        if names_part_of(op, usize::MAX, def) {
                            op.defs[i] = new_like(&mut work.func, def);
                            copies.push(InstKind::Copy { dst: def, src: Operand::Reg(op.defs[i]) });
                        }
                    }
                }
                push(inst, tag);
                copies.into_iter().for_each(|copy| push(Inst::new(copy, span), Tag::after(tag)));
                continue;
            };
            let InstKind::Op(op) = &mut inst.kind else { continue };
            let (def, old) = (op.defs[0], op.uses[tied]);
            if names_part_of(op, tied, def) {
                let temp = new_like(&mut work.func, def);
                op.defs[0] = temp;
                op.uses[tied] = Operand::Reg(temp);
                push(Inst::new(InstKind::Copy { dst: temp, src: old }, span), Tag::before(tag));
                push(inst, tag);
                push(Inst::new(InstKind::Copy { dst: def, src: Operand::Reg(temp) }, span), Tag::after(tag));
            } else {
                op.uses[tied] = Operand::Reg(def);
                push(Inst::new(InstKind::Copy { dst: def, src: old }, span), Tag::before(tag));
                push(inst, tag);
            }
        }
        work.func.blocks[block].insts = new_insts;
        work.tags[block] = new_tags;
    }
}

/// Index of a tied use that is not def 0.
fn tied_elsewhere(inst: &Inst) -> Option<usize> {
    let InstKind::Op(op) = &inst.kind else { return None };
    let tied = op.op.uses.iter().position(|slot| slot.tied)?;
    (op.uses[tied] != Operand::Reg(op.defs[0])).then_some(tied)
}

/// Whether a source other than the tied one shares a dword with the destination.
fn names_part_of(op: &amd::Inst<Reg>, tied: usize, def: Reg) -> bool {
    op.uses.iter().enumerate().any(|(i, o)| match (o, def) {
        (Operand::Reg(Reg::Virt(a)), Reg::Virt(b)) => {
            i != tied && a.vreg == b.vreg && a.first < b.first + b.dwords && b.first < a.first + a.dwords
        }
        (Operand::Reg(Reg::Phys(a)), Reg::Phys(b)) => i != tied && a.overlaps(b),
        _ => false,
    })
}

fn new_like(func: &mut MirFunc, reg: Reg) -> Reg {
    let vreg: VReg = func.new_vreg(func.class(reg), reg.dwords());
    Reg::Virt(Part { vreg, first: 0, dwords: reg.dwords() })
}
