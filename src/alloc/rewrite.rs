//! The last step: physical registers for virtual ones, machine ops for copies, spills and reloads.

use super::copies::{Source, Step, sequence};
use super::spill::{is_aperture, map_regs};
use super::{Budget, Work, max_scratch_offset, reserved_sgprs};
use crate::amd::{self, Feature, File, Target, ops};
use crate::diag::Span;
use crate::id::SecondaryMap;
use crate::mir::liveness::VCC_INDEX;
use crate::mir::{Inst, InstKind, Operand, Reg, RegClass, VReg, constant_dword};

/// Where things that have no virtual register live.
pub(super) struct Frame {
    /// The first VGPR whose lanes hold spilled SGPRs.
    pub first_lane_vgpr: u16,
    /// VGPRs in use, those included.
    pub used_vgprs: u16,
    pub budget: Budget,
}

pub(super) fn rewrite(work: &mut Work, target: &Target, places: &SecondaryMap<VReg, u16>, frame: Frame) {
    let classes: Vec<RegClass> = work.func.vregs.values().map(|d| d.class).collect();
    let spill_base = work.func.local_bytes.next_multiple_of(4);
    let (insts, tags, span) = (vec![], vec![], Span::NONE);
    let mut ctx = Ctx { target, places, classes: &classes, frame, spill_base, insts, tags, span, base_holds: None };
    for block in work.func.layout.clone() {
        let insts = std::mem::take(&mut work.func.blocks[block].insts);
        let tags = std::mem::take(&mut work.tags[block]);
        ctx.insts.reserve(insts.len());
        ctx.base_holds = None;
        for (inst, tag) in insts.into_iter().zip(tags) {
            ctx.inst(inst);
            ctx.tags.resize(ctx.insts.len(), tag);
        }
        work.func.blocks[block].insts = std::mem::take(&mut ctx.insts);
        work.tags[block] = std::mem::take(&mut ctx.tags);
    }
}

struct Ctx<'a> {
    target: &'a Target,
    places: &'a SecondaryMap<VReg, u16>,
    classes: &'a [RegClass],
    frame: Frame,
    /// Scratch address of slot 0, bytes.
    spill_base: u32,
    insts: Vec<Inst>,
    tags: Vec<u32>,
    span: Span,
    /// What the reserved SGPR for scratch bases holds here; nothing else writes it before a block's end.
    base_holds: Option<u32>,
}

type Move = (amd::Reg, Source<amd::Reg, Constant>);

/// A source that no copy changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Constant {
    Imm(u32),
    /// An SGPR, as the source of a VGPR.
    Reg(amd::Reg),
}

impl Ctx<'_> {
    fn place(&self, reg: Reg) -> amd::Reg {
        let p = match reg {
            Reg::Virt(p) => p,
            Reg::Phys(r) => return r,
        };
        let index = self.places[p.vreg] + p.first as u16;
        match self.classes[p.vreg.as_u32() as usize] {
            RegClass::Vgpr => amd::Reg::vn(index, p.dwords),
            RegClass::Sgpr if index >= VCC_INDEX => amd::Reg::new(File::Vcc, index - VCC_INDEX, p.dwords),
            RegClass::Sgpr => amd::Reg::sn(index, p.dwords),
        }
    }

    fn push(&mut self, op: amd::Op, defs: &[amd::Reg], uses: &[Operand]) {
        let inst = amd::Inst::new(op, defs.iter().map(|&r| Reg::Phys(r)), uses.iter().copied());
        self.insts.push(Inst::op(inst, self.span));
    }

    fn inst(&mut self, mut inst: Inst) {
        self.span = inst.span;
        map_regs(&mut inst, |reg| Reg::Phys(self.place(reg)));
        match inst.kind {
            InstKind::Copy { dst, src } => self.copies(&[(dst, src)]),
            InstKind::ParallelCopy(list) => self.copies(&list),
            InstKind::Spill { slot, src: Reg::Phys(src) } => self.spill(slot, src),
            InstKind::Reload { dst: Reg::Phys(dst), slot } => self.reload(slot, dst),
            InstKind::Undef { .. } => {}
            _ => self.insts.push(inst),
        }
    }

    /// VGPR and lane of a spilled SGPR.
    fn lane(&self, slot: u32) -> (amd::Reg, Operand) {
        let lanes = self.target.wave_lanes();
        (amd::Reg::v(self.frame.first_lane_vgpr + (slot / lanes) as u16), Operand::Imm((slot % lanes).into()))
    }

    fn spill(&mut self, slot: u32, src: amd::Reg) {
        if src.file == File::Vgpr {
            let (base, offset) = self.scratch_address(slot);
            let uses = [Operand::Off, Operand::Reg(src.into()), base];
            self.push(ops::scratch_store_b32, &[], &uses);
            self.set_offset(offset);
            return;
        }
        let (vgpr, lane) = self.lane(slot);
        let uses = [Operand::Reg(src.into()), lane, Operand::Reg(vgpr.into())];
        self.push(ops::v_writelane_b32, &[vgpr], &uses);
    }

    fn reload(&mut self, slot: u32, dst: amd::Reg) {
        if dst.file == File::Vgpr {
            let (base, offset) = self.scratch_address(slot);
            self.push(ops::scratch_load_b32, &[dst], &[Operand::Off, base]);
            self.set_offset(offset);
            return;
        }
        let (vgpr, lane) = self.lane(slot);
        self.push(ops::v_readlane_b32, &[dst], &[Operand::Reg(vgpr.into()), lane]);
    }

    /// The SGPR base and the immediate offset of a scratch slot.
    fn scratch_address(&mut self, slot: u32) -> (Operand, u32) {
        let address = self.spill_base + 4 * slot;
        let reach = max_scratch_offset(self.target) + 1;
        if address < reach && self.target.has(Feature::ScratchOff) {
            return (Operand::Off, address);
        }
        let (base, holds) = (reserved_sgprs(self.target).sub(0, 1), address / reach * reach);
        if self.base_holds != Some(holds) {
            self.push(ops::s_mov_b32, &[base], &[Operand::Imm(holds.into())]);
            self.base_holds = Some(holds);
        }
        (Operand::Reg(base.into()), address % reach)
    }

    fn set_offset(&mut self, offset: u32) {
        if let Some(Inst { kind: InstKind::Op(op), .. }) = self.insts.last_mut() {
            op.mods.offset = offset as i32;
        }
    }

    fn copies(&mut self, list: &[(Reg, Operand)]) {
        let (mut vector, mut scalar, mut apertures): (Vec<Move>, Vec<Move>, Vec<(amd::Reg, amd::Reg)>) =
            Default::default();
        for &(dst, src) in list {
            let Reg::Phys(dst) = dst else { continue };
            if let Operand::Reg(Reg::Phys(src)) = src
                && is_aperture(src.file)
            {
                apertures.push((dst, src));
                continue;
            }
            for k in 0..dst.dwords {
                let to = dst.sub(k, 1);
                let from = match src {
                    Operand::Reg(Reg::Phys(r)) => {
                        let r = r.sub(k, 1);
                        match to.file == File::Vgpr && r.file != File::Vgpr {
                            true => Source::Other(Constant::Reg(r)),
                            false => Source::Loc(r),
                        }
                    }
                    Operand::Imm(v) => Source::Other(Constant::Imm(constant_dword(v, k))),
                    Operand::Reg(Reg::Virt(_)) | Operand::Label(_) | Operand::Off => continue,
                };
                if to.file == File::Vgpr { &mut vector } else { &mut scalar }.push((to, from));
            }
        }
        // VGPRs may read SGPRs that the scalar moves then write.
        let spare = self.spare_vgpr();
        let steps = sequence(&vector, |_| spare);
        if steps.iter().any(|s| matches!(s, Step::Move(dst, _) if Some(*dst) == spare)) {
            self.frame.used_vgprs = self.frame.used_vgprs.max(spare.map_or(0, |r| r.index + 1));
        }
        self.moves(&steps);
        let temp = reserved_sgprs(self.target).sub(1, 1);
        let steps = sequence(&scalar, |_| Some(temp));
        self.moves(&steps);
        for (dst, src) in apertures {
            let op = if src.dwords == 2 { ops::s_mov_b64 } else { ops::s_mov_b32 };
            self.push(op, &[dst], &[Operand::Reg(src.into())]);
        }
    }

    /// A VGPR that nothing uses in the whole function.
    fn spare_vgpr(&self) -> Option<amd::Reg> {
        let used = self.frame.first_lane_vgpr.max(self.frame.used_vgprs);
        (used < self.frame.budget.vgprs).then(|| amd::Reg::v(used))
    }

    fn moves(&mut self, steps: &[Step<amd::Reg, Constant>]) {
        let mut i = 0;
        while i < steps.len() {
            if let Some((op, dst, src)) = steps.get(i + 1).and_then(|&next| self.as_one(steps[i], next)) {
                self.push(op, &[dst], &[src]);
                i += 2;
                continue;
            }
            match steps[i] {
                Step::Move(dst, src) => {
                    let src = match src {
                        Source::Loc(r) | Source::Other(Constant::Reg(r)) => Operand::Reg(r.into()),
                        Source::Other(Constant::Imm(v)) => Operand::Imm(v.into()),
                    };
                    let op = if dst.file == File::Vgpr { ops::v_mov_b32 } else { ops::s_mov_b32 };
                    self.push(op, &[dst], &[src]);
                }
                Step::Swap(a, b) => {
                    for (dst, src) in [(a, b), (b, a), (a, b)] {
                        self.push(ops::v_xor_b32, &[dst], &[Operand::Reg(src.into()), Operand::Reg(dst.into())]);
                    }
                }
            }
            i += 1;
        }
    }

    /// Two moves of neighbouring dwords as one of 64 bits.
    fn as_one(
        &self,
        low: Step<amd::Reg, Constant>,
        high: Step<amd::Reg, Constant>,
    ) -> Option<(amd::Op, amd::Reg, Operand)> {
        let (Step::Move(low_dst, low_src), Step::Move(high_dst, high_src)) = (low, high) else { return None };
        let dst = pair(low_dst, high_dst)?;
        let vector = dst.file == File::Vgpr;
        if vector && !self.target.has(Feature::MovB64) {
            return None;
        }
        let src = match (low_src, high_src) {
            (Source::Loc(low), Source::Loc(high))
            | (Source::Other(Constant::Reg(low)), Source::Other(Constant::Reg(high))) => {
                // The second must not read what the first wrote.
                let src = pair(low, high).filter(|_| low_dst != high)?;
                Operand::Reg(src.into())
            }
            (Source::Other(Constant::Imm(low)), Source::Other(Constant::Imm(high))) => {
                let value = (high as u64) << 32 | low as u64;
                Some(value).filter(|&v| (-16..=64).contains(&(v as i64))).map(Operand::Imm)?
            }
            _ => return None,
        };
        Some((if vector { ops::v_mov_b64 } else { ops::s_mov_b64 }, dst, src))
    }
}

/// The aligned pair of two dwords.
fn pair(low: amd::Reg, high: amd::Reg) -> Option<amd::Reg> {
    let pairs = matches!(low.file, File::Sgpr | File::Vgpr | File::Vcc | File::Exec | File::Ttmp);
    (pairs && low.file == high.file && low.index.is_multiple_of(2) && high.index == low.index + 1)
        .then(|| amd::Reg::new(low.file, low.index, 2))
}
