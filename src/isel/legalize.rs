//! Writing machine instructions within the limits of their operands.
//!
//! Spec: the AMD ISA manuals, "Vector ALU Operands"; ABI_FACTS, section 4. A vector instruction reads at most
//! `constant_bus_limit` SGPRs and literals together; GFX9 takes no literal in VOP3; the second source of VOP2 and VOPC in
//! their short forms is a VGPR; a scalar instruction takes one literal. What does not fit goes through a register.

use super::{Ctx, Operands};
use crate::amd::op::{Format, Num, Slot};
use crate::amd::{self, Encoding, Feature, Mods, Op, SlotKind, ops};
use crate::mir::{InstKind, Operand, Reg, RegClass};

/// Constants that wait in registers for more uses further up in the block. They are written when a newer one pushes them out, or
/// at the block's start; so a run of instructions with one selector loads it once, and pressure stays bounded.
#[derive(Default)]
pub(super) struct Constants {
    /// Least recently used first.
    waiting: Vec<Constant>,
    evicted: Vec<(Reg, u64)>,
}

struct Constant {
    bits: u64,
    class: RegClass,
    reg: Reg,
    /// Operands that name it.
    reads: u32,
}

/// More than any one IR instruction asks for.
const WAITING_SGPRS: usize = 16;
const WAITING_VGPRS: usize = 6;

impl Constants {
    fn find(&mut self, bits: u64, class: RegClass, dwords: u8) -> Option<Reg> {
        let same = |c: &Constant| c.bits == bits && c.class == class && c.reg.dwords() == dwords;
        let at = self.waiting.iter().position(same)?;
        let mut constant = self.waiting.remove(at);
        let reg = constant.reg;
        constant.reads += 1;
        self.waiting.push(constant);
        Some(reg)
    }

    fn add(&mut self, bits: u64, class: RegClass, reg: Reg) {
        let limit = if class == RegClass::Sgpr { WAITING_SGPRS } else { WAITING_VGPRS };
        if self.waiting.iter().filter(|c| c.class == class).count() >= limit
            && let Some(at) = self.waiting.iter().position(|c| c.class == class)
        {
            let old = self.waiting.remove(at);
            if old.reads > 0 {
                self.evicted.push((old.reg, old.bits));
            }
        }
        self.waiting.push(Constant { bits, class, reg, reads: 1 });
    }

    /// An operand does not name it after all.
    fn give_back(&mut self, reg: Operand) {
        if let Some(constant) = self.waiting.iter_mut().find(|c| Operand::Reg(c.reg) == reg) {
            constant.reads = constant.reads.saturating_sub(1);
        }
    }

    pub(super) fn take_evicted(&mut self) -> Vec<(Reg, u64)> {
        std::mem::take(&mut self.evicted)
    }

    /// All of them, at the start of a block.
    pub(super) fn take_all(&mut self) -> Vec<(Reg, u64)> {
        self.waiting.drain(..).filter(|c| c.reads > 0).map(|c| (c.reg, c.bits)).collect()
    }
}

impl Ctx<'_> {
    /// A register that holds a constant here.
    pub(super) fn constant_reg(&mut self, bits: u64, class: RegClass, dwords: u8) -> Reg {
        if let Some(reg) = self.constants.find(bits, class, dwords) {
            return reg;
        }
        let vreg = self.mir.new_vreg(class, dwords);
        let reg = self.mir.reg(vreg);
        self.constants.add(bits, class, reg);
        reg
    }

    /// The operand in a VGPR (or a group of them).
    pub(super) fn in_vgpr(&mut self, operand: Operand, dwords: u8) -> Reg {
        match operand {
            Operand::Reg(reg) if self.mir.class(reg) == RegClass::Vgpr => reg,
            Operand::Imm(bits) => self.constant_reg(bits, RegClass::Vgpr, dwords),
            other => {
                let tmp = self.vtmp(dwords);
                self.copy(tmp, other);
                tmp
            }
        }
    }

    /// The operand in SGPRs; it must not be in VGPRs.
    pub(super) fn in_sgpr(&mut self, operand: Operand, dwords: u8) -> Reg {
        match operand {
            Operand::Reg(reg) => reg,
            Operand::Imm(bits) => self.constant_reg(bits, RegClass::Sgpr, dwords),
            Operand::Off | Operand::Label(_) => self.stmp(dwords),
        }
    }

    /// Writes a scalar instruction.
    pub(super) fn salu(&mut self, op: Op, defs: &[Reg], uses: &[Operand]) {
        self.require(op);
        let mut uses = Operands::from_slice(uses);
        let mut literal = None;
        for (operand, slot) in uses.iter_mut().zip(op.uses) {
            let Operand::Imm(bits) = *operand else { continue };
            if slot.kind != SlotKind::Ssrc || is_inline(bits, slot) {
                continue;
            }
            if slot.bits == 32 && literal.is_none_or(|l| l == bits) {
                literal = Some(bits);
            } else {
                *operand = self.constant_reg(bits, RegClass::Sgpr, slot.dwords(32)).into();
            }
        }
        self.emit_op(amd::Inst::new(op, defs.iter().copied(), uses));
    }

    /// Writes a vector instruction without modifiers.
    pub(super) fn valu(&mut self, op: Op, dst: Reg, uses: &[Operand]) {
        self.valu_mods(op, &[dst], uses, op.default_mods());
    }

    /// Writes a vector instruction.
    pub(super) fn valu_mods(&mut self, op: Op, defs: &[Reg], uses: &[Operand], mods: Mods) {
        if !self.require(op) {
            return;
        }
        let mut op = op;
        let mut uses = Operands::from_slice(uses);
        if uses.len() >= 2
            && !self.is_vgpr(uses[1])
            && self.is_vgpr(uses[0])
            && mods == op.default_mods()
            && let Some(commuted) = commuted(op)
        {
            op = commuted;
            uses.swap(0, 1);
        }
        for (operand, slot) in uses.iter_mut().zip(op.uses) {
            if matches!(slot.kind, SlotKind::Vgpr) && !self.is_vgpr(*operand) {
                *operand = self.in_vgpr(*operand, slot.dwords(32)).into();
            }
        }
        let encoding = self.encoding(op, &uses, &mods);
        self.place_literals(op, encoding, &mut uses);
        self.keep_bus_limit(op, &mut uses);
        let mods = Mods { encoding, ..mods };
        self.emit_op(amd::Inst::new(op, defs.iter().copied(), uses).with(mods));
    }

    /// The short form where it holds everything, else VOP3.
    fn encoding(&self, op: Op, uses: &[Operand], mods: &Mods) -> Encoding {
        let plain = *mods == Mods { encoding: mods.encoding, ..op.default_mods() };
        let has_mask = op.defs.iter().chain(op.uses).any(|s| s.kind == SlotKind::Mask);
        match op.opcode(self.target).map(|c| c.format) {
            Some(Format::Vop1) if !plain => Encoding::Vop3,
            Some(Format::Vopc) => Encoding::Vop3,
            Some(Format::Vop2) if has_mask || !plain || !uses.get(1).is_some_and(|&u| self.is_vgpr(u)) => {
                Encoding::Vop3
            }
            _ => mods.encoding,
        }
    }

    fn place_literals(&mut self, op: Op, encoding: Encoding, uses: &mut Operands) {
        let format = op.opcode(self.target).map(|c| c.format);
        let short = encoding == Encoding::Native && matches!(format, Some(Format::Vop1 | Format::Vop2 | Format::Vopc));
        let allowed = short || self.target.has(Feature::Vop3Literal);
        let mut literal = None;
        for (operand, slot) in uses.iter_mut().zip(op.uses) {
            let Operand::Imm(mut bits) = *operand else { continue };
            if slot.kind != SlotKind::Src || is_inline(bits, slot) {
                continue;
            }
            // Of a dword whose upper half says nothing.
            if slot.bits == 16 {
                bits &= 0xffff;
                *operand = Operand::Imm(bits);
                if is_inline(bits, slot) {
                    continue;
                }
            }
            if allowed && slot.bits <= 32 && literal.is_none_or(|l| l == bits) {
                literal = Some(bits);
            } else {
                *operand = self.constant_reg(bits, RegClass::Sgpr, slot.dwords(32)).into();
            }
        }
    }

    fn keep_bus_limit(&mut self, op: Op, uses: &mut Operands) {
        let limit = if is_shift64(op) { 1 } else { self.target.constant_bus_limit() as usize };
        while bus_reads(self, op, uses) > limit {
            // Masks must stay; a constant in a VGPR can be shared; else the first SGPR moves.
            let movable = |ctx: &Ctx, i: usize| match (uses[i], op.uses[i].kind) {
                (Operand::Reg(r), SlotKind::Src) => ctx.mir.class(r) == RegClass::Sgpr,
                (Operand::Imm(bits), SlotKind::Src) => !is_inline(bits, &op.uses[i]),
                _ => false,
            };
            let mut candidates: Vec<usize> = (0..uses.len()).filter(|&i| movable(self, i)).collect();
            candidates.sort_by_key(|&i| !self.is_constant(uses[i]));
            let Some(&at) = candidates.first() else { return };
            let old = uses[at];
            let dwords = op.uses[at].dwords(32);
            let new = match self.constant_bits(old) {
                Some(bits) => self.constant_reg(bits, RegClass::Vgpr, dwords),
                None => self.in_vgpr(old, dwords),
            };
            for operand in uses.iter_mut().filter(|o| **o == old) {
                self.constants.give_back(old);
                *operand = new.into();
            }
        }
    }

    fn is_constant(&self, operand: Operand) -> bool {
        self.constant_bits(operand).is_some()
    }

    fn constant_bits(&self, operand: Operand) -> Option<u64> {
        match operand {
            Operand::Imm(bits) => Some(bits),
            Operand::Reg(reg) => self.constants.waiting.iter().find(|c| c.reg == reg).map(|c| c.bits),
            Operand::Label(_) | Operand::Off => None,
        }
    }

    pub(super) fn is_vgpr(&self, operand: Operand) -> bool {
        matches!(operand, Operand::Reg(r) if self.mir.class(r) == RegClass::Vgpr)
    }

    /// Reports an op that the target lacks: a rule forgot to ask.
    fn require(&mut self, op: Op) -> bool {
        let exists = op.exists_on(self.target);
        if !exists {
            let diag = self.unsupported(format_args!("what needs `{}`", op.name));
            self.diags.push(diag);
        }
        exists
    }

    /// Writes a memory or other instruction whose operands already fit.
    pub(super) fn raw(&mut self, op: Op, defs: &[Reg], uses: &[Operand], mods: Mods) {
        if self.require(op) {
            self.emit_op(amd::Inst::new(op, defs.iter().copied(), uses.iter().copied()).with(mods));
        }
    }

    /// A scalar op on lane masks: its 32- or 64-bit form.
    pub(super) fn mask_op(&self, b32: Op, b64: Op) -> Op {
        if self.target.mask_dwords() == 1 { b32 } else { b64 }
    }

    pub(super) fn undef(&mut self, dst: Reg) {
        self.emit(InstKind::Undef { dst });
    }
}

/// Distinct SGPRs and literals that a vector instruction reads.
fn bus_reads(ctx: &Ctx, op: Op, uses: &[Operand]) -> usize {
    let mut seen: Vec<Operand> = vec![];
    for (&operand, slot) in uses.iter().zip(op.uses) {
        let reads = match (operand, slot.kind) {
            (Operand::Reg(_), SlotKind::Mask) => true,
            (Operand::Reg(r), SlotKind::Src) => ctx.mir.class(r) == RegClass::Sgpr,
            (Operand::Imm(bits), SlotKind::Src) => !is_inline(bits, slot),
            _ => false,
        };
        if reads && !seen.contains(&operand) {
            seen.push(operand);
        }
    }
    seen.len()
}

/// 64-bit shifts read one SGPR at most, on every target.
fn is_shift64(op: Op) -> bool {
    [ops::v_lshlrev_b64, ops::v_lshrrev_b64, ops::v_ashrrev_i64].contains(&op)
}

/// The op that does the same with its first two sources swapped.
pub(super) fn commuted(op: Op) -> Option<Op> {
    use ops::*;
    let pairs = [(v_sub_nc_u32, v_subrev_nc_u32), (v_sub_f32, v_subrev_f32), (v_sub_co_u32, v_subrev_co_u32)];
    if let Some(&(_, reversed)) = pairs.iter().find(|p| p.0 == op) {
        return Some(reversed);
    }
    let symmetric = [
        v_add_nc_u32,
        v_add_co_u32,
        v_add_co_ci_u32,
        v_and_b32,
        v_or_b32,
        v_xor_b32,
        v_xnor_b32,
        v_min_u32,
        v_min_i32,
        v_max_u32,
        v_max_i32,
        v_mul_u32_u24,
        v_mul_i32_i24,
        v_mul_hi_u32_u24,
        v_mul_hi_i32_i24,
        v_add_f32,
        v_mul_f32,
    ];
    symmetric.contains(&op).then_some(op)
}

/// Whether a constant has a code of its own in an operand: -16 to 64, and a few floats.
pub(crate) fn is_inline(bits: u64, slot: &Slot) -> bool {
    let signed = match slot.bits {
        64 => bits as i64,
        16 => bits as i16 as i64,
        _ => bits as i32 as i64,
    };
    if (-16..=64).contains(&signed) {
        // f64 and f32 operands read the integer codes as bit patterns of that width.
        return true;
    }
    const F32: [u32; 9] = [
        0x3f00_0000,
        0xbf00_0000,
        0x3f80_0000,
        0xbf80_0000,
        0x4000_0000,
        0xc000_0000,
        0x4080_0000,
        0xc080_0000,
        0x3e22_f983,
    ];
    match (slot.bits, slot.num) {
        // Two f16 have inline constants too, but none is asked for.
        (_, Num::PackedHalf) => false,
        (32, _) => F32.contains(&(bits as u32)),
        (_, Num::Float | Num::Bits) => false,
    }
}
