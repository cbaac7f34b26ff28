//! What stands beside the operands: signs, halves, clamp, DPP and SDWA controls.
//!
//! Spec: the AMD ISA manuals, "VOP3", "VOP3P", "DPP" and "SDWA". Which modifiers an op takes is asked here and nowhere else; the
//! decoder encodes again what it read.

use super::{EncodeError, Encoder, Form};
use crate::amd::format::FieldName;
use crate::amd::inst::{Encoding, Mods, Operand, Sdwa, Sel, Unused};
use crate::amd::lane::Sem;
use crate::amd::op::{Flags, Format, Num, Op, SlotKind};
use crate::amd::reg::File;
use crate::amd::target::{Column, Feature, Target};

/// Formats whose 16-bit VGPR operands have a half selector in bit 7: gfx11 and later name v0 to v127 there only.
pub(in crate::amd) fn splits_halves(format: Format, target: &Target) -> bool {
    has_halves(target) && matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc)
}

/// Whether 16-bit operands name a half of a register, in every encoding.
fn has_halves(target: &Target) -> bool {
    matches!(target.column(), Column::Gfx11 | Column::Gfx12)
}

/// The sources of a packed op that choose a half: the addend of a dot product is whole, and from gfx942 on it chooses none.
fn packed_sources(op: Op, target: &Target) -> u8 {
    let sources = op.uses.iter().filter(|slot| !slot.tied).count();
    match op.needs {
        Some(Feature::DotI16) if target.has(Feature::ScBits) => 0,
        Some(Feature::DotI16) => 3,
        _ => (1 << sources) - 1,
    }
}

/// The bits of `op_sel` that stand for 16-bit operands: bit i for source i, bit 3 for the destination.
fn half_bits(op: Op) -> u8 {
    let half = |kind| matches!(kind, SlotKind::Src | SlotKind::Vgpr);
    let sources = op.uses.iter().enumerate().filter(|(_, slot)| slot.bits == 16 && !slot.tied && half(slot.kind));
    let sources = sources.fold(0, |set, (i, _)| set | 1 << i);
    let def = op.defs.first().is_some_and(|slot| slot.bits == 16 && slot.kind == SlotKind::Vgpr);
    // The other register of `v_swap_b16`.
    let other = op.defs.get(1).is_some_and(|slot| slot.bits == 16 && slot.kind == SlotKind::Vgpr);
    sources | (def as u8) << 3 | other as u8
}

impl Encoder<'_> {
    pub(super) fn modifiers(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = self.inst.mods;
        self.check_modifiers()?;
        if self.op().is_bitop3() {
            self.packer.set(Bitop3Low, mods.bitop3 as u32 & 7)?;
            self.packer.set(Bitop3Middle, mods.bitop3 as u32 >> 3 & 7)?;
            self.packer.set(Bitop3High, mods.bitop3 as u32 >> 6)?;
        } else if mods.bitop3 != 0 {
            return Err(EncodeError::Modifier("bitop3"));
        }
        match self.form {
            Form::Plain if mods.dpp.is_some() => return Err(EncodeError::Modifier("dpp")),
            Form::Plain if mods.sdwa.is_some() => return Err(EncodeError::Modifier("sdwa")),
            Form::Plain => {}
            Form::Dpp => self.dpp()?,
            Form::Sdwa => return self.sdwa(),
        }
        // A compare that writes EXEC names it in VOP3.
        if self.op().defs.is_empty() && self.op().flags.contains(Flags::WRITES_EXEC) && self.format == Format::Vop3 {
            self.packer.set(Vdst, 126)?;
        }
        if matches!(self.format, Format::Vop1 | Format::Vop2 | Format::Vopc) {
            // DPP has signs in these encodings, and halves are part of the register codes.
            if self.form == Form::Dpp {
                return self.form_signs();
            }
            self.packer.set_if_any(Neg, mods.neg as u32)?;
            self.packer.set_if_any(Abs, mods.abs as u32)?;
        } else {
            self.packer.set_if_any(Neg, mods.neg as u32)?;
            self.packer.set_if_any(if self.format == Format::Vop3p { NegHi } else { Abs }, mods.abs as u32)?;
            self.packer.set_if_any(OpSel, mods.op_sel as u32)?;
        }
        self.packer.set_if_any(OpSelHi01, mods.op_sel_hi as u32 & 3)?;
        self.packer.set_if_any(OpSelHi2, mods.op_sel_hi as u32 >> 2)?;
        self.packer.set_if_any(Clamp, mods.clamp as u32)?;
        self.packer.set_if_any(Omod, mods.omod as u32)?;
        Ok(())
    }

    /// The sign modifiers of DPP and SDWA in the short encodings.
    fn form_signs(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = &self.inst.mods;
        if mods.neg | mods.abs == 0 && (self.form == Form::Sdwa || !mods.clamp && mods.omod == 0) {
            return Ok(());
        }
        if (mods.neg | mods.abs) > 3 || self.form == Form::Dpp && (mods.clamp || mods.omod != 0) {
            return Err(EncodeError::Modifier("VOP3 modifier beside DPP or SDWA"));
        }
        let (neg, abs) = (mods.neg, mods.abs);
        for (bit, neg_field, abs_field) in [(1, Src0Neg, Src0Abs), (2, Src1Neg, Src1Abs)] {
            self.packer.set_if_any(neg_field, (neg & bit != 0) as u32)?;
            self.packer.set_if_any(abs_field, (abs & bit != 0) as u32)?;
        }
        Ok(())
    }

    fn dpp(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = &self.inst.mods;
        let Some(dpp) = mods.dpp else { return Err(EncodeError::Modifier("dpp")) };
        if mods.sdwa.is_some() {
            return Err(EncodeError::Modifier("sdwa"));
        }
        if matches!(mods.encoding, Encoding::Dpp8 | Encoding::Vop3Dpp8) {
            if dpp.row_mask != 0 || dpp.bank_mask != 0 || dpp.bound_ctrl {
                return Err(EncodeError::Modifier("DPP16 modifier in DPP8"));
            }
            return Ok(self.packer.set(Dpp8Lanes, dpp.ctrl)?);
        }
        if !dpp_ctrl_exists(dpp.ctrl, self.target) {
            return Err(EncodeError::Modifier("dpp_ctrl of another generation"));
        }
        self.packer.set(DppCtrl, dpp.ctrl)?;
        self.packer.set(RowMask, dpp.row_mask as u32)?;
        self.packer.set(BankMask, dpp.bank_mask as u32)?;
        self.packer.set(BoundCtrl, dpp.bound_ctrl as u32)?;
        Ok(self.packer.set_if_any(FetchInactive, dpp.fetch_inactive as u32)?)
    }

    fn sdwa(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = self.inst.mods;
        let Some(sdwa) = mods.sdwa else { return Err(EncodeError::Modifier("sdwa")) };
        if mods.dpp.is_some() {
            return Err(EncodeError::Modifier("dpp"));
        }
        if mods.op_sel | mods.op_sel_hi != 0 {
            return Err(EncodeError::Modifier("op_sel"));
        }
        self.check_sdwa(&sdwa)?;
        self.packer.set_if_any(Clamp, mods.clamp as u32)?;
        self.packer.set_if_any(Omod, mods.omod as u32)?;
        if self.packer.layout.field(DstSel).is_some() {
            self.packer.set(DstSel, sdwa.dst as u32)?;
            self.packer.set(DstUnused, sdwa.unused as u32)?;
        }
        for (i, sel, sext) in [(0, Src0Sel, Src0Sext), (1, Src1Sel, Src1Sext)] {
            if self.packer.layout.field(sel).is_some() {
                self.packer.set(sel, sdwa.src[i] as u32)?;
            }
            self.packer.set_if_any(sext, sdwa.sext as u32 >> i & 1)?;
        }
        self.form_signs()
    }

    /// Controls of operands that are not there keep their defaults; integers are extended, floats negated.
    fn check_sdwa(&self, sdwa: &Sdwa) -> Result<(), EncodeError> {
        let whole = |sel| sel == Sel::Dword;
        let plain_dst = whole(sdwa.dst) && sdwa.unused == Unused::Pad;
        if self.format == Format::Vopc && !plain_dst {
            return Err(EncodeError::Modifier("dst_sel"));
        }
        if self.format == Format::Vop1 && !whole(sdwa.src[1]) {
            return Err(EncodeError::Modifier("src1_sel"));
        }
        let selects = matches!(self.op().sem, Sem::LaneSelect(_));
        let integers = self.op().uses.iter().take(2).enumerate();
        let integers = integers.filter(|(_, s)| s.num == Num::Bits && s.kind == SlotKind::Src);
        let integers = integers.fold(0u8, |set, (i, _)| set | 1 << i);
        if sdwa.sext & !integers != 0 || sdwa.sext != 0 && selects {
            return Err(EncodeError::Modifier("sext"));
        }
        Ok(())
    }

    /// Which modifiers an op takes, whatever its fields could hold.
    fn check_modifiers(&self) -> Result<(), EncodeError> {
        let (op, format, mods) = (self.inst.op, self.format, &self.inst.mods);
        let packed = format == Format::Vop3p;
        if mods.neg | mods.abs != 0 {
            let floats = op.uses.iter().enumerate().filter(|(_, s)| s.num != Num::Bits && !s.tied);
            let floats = floats.fold(0u8, |set, (i, _)| set | 1 << i);
            // `neg` says "signed" in the dot product of mixed signs.
            let signs = if packed && op.needs == Some(Feature::DotIu8) { 3 } else { 0 };
            if mods.neg & !(floats | signs) != 0 {
                return Err(EncodeError::Modifier("neg"));
            }
            if mods.abs & !floats != 0 {
                return Err(EncodeError::Modifier("abs"));
            }
        }
        if mods.clamp || mods.omod != 0 {
            let float = matches!(op.sem, Sem::LaneFloat(_) | Sem::LaneFloatBit(_));
            let reads_mods = matches!(op.sem, Sem::LaneMods(_) | Sem::LaneFloatMods(_));
            if mods.clamp && !(float || reads_mods && !op.is_bitop3()) {
                return Err(EncodeError::Modifier("clamp"));
            }
            if mods.omod > 3 || mods.omod != 0 && (!float || op.flags.intersects(Flags::OP_SEL | Flags::NO_OMOD)) {
                return Err(EncodeError::Modifier("omod"));
            }
        }
        if mods.op_sel != 0 {
            self.check_op_sel(mods)?;
        }
        // One bit per source there is; an absent source has the default.
        let default = op.default_mods().op_sel_hi;
        if mods.op_sel_hi != default {
            let allowed = if packed && op.flags.contains(Flags::OP_SEL) { packed_sources(op, self.target) } else { 0 };
            if (mods.op_sel_hi ^ default) & !allowed != 0 {
                return Err(EncodeError::Modifier("op_sel_hi"));
            }
        }
        Ok(())
    }

    fn check_op_sel(&self, mods: &Mods) -> Result<(), EncodeError> {
        let op = self.inst.op;
        let error = Err(EncodeError::Modifier("op_sel"));
        let selects = op.flags.contains(Flags::OP_SEL);
        let allowed = match op.sem {
            // Fetch-inactive and bound control.
            Sem::Wave(_) if selects => 3,
            _ if self.format == Format::Vop3p && selects => packed_sources(op, self.target),
            _ if has_halves(self.target) => half_bits(op),
            // GFX9 and GFX10: the ops that are VOP3 by birth.
            _ if selects && op.opcode(self.target).is_some_and(|code| code.format == Format::Vop3) => half_bits(op),
            _ => 0,
        };
        if mods.op_sel & !allowed != 0 {
            return error;
        }
        // Where bit 7 of a VGPR says it, nothing else has a half; `v_cndmask_b16` has no text for another one's.
        if (splits_halves(self.format, self.target) || matches!(op.sem, Sem::LaneSelect(_))) && !op.uses[0].tied {
            let vgpr = |operand: &Operand| matches!(operand, Operand::Reg(reg) if reg.file == File::Vgpr);
            let scalars = self.inst.uses.iter().enumerate().filter(|(_, operand)| !vgpr(operand));
            if scalars.fold(0u8, |set, (i, _)| set | 1u8.wrapping_shl(i as u32)) & mods.op_sel & 7 != 0 {
                return error;
            }
        }
        Ok(())
    }
}

/// Whether the target has this `dpp_ctrl`.
pub(super) fn dpp_ctrl_exists(ctrl: u32, target: &Target) -> bool {
    let gfx9 = !target.has(Feature::Dpp8);
    match ctrl {
        // quad_perm, row_shl, row_shr, row_ror by 1 to 15, row_mirror, row_half_mirror.
        0..=0xff | 0x101..=0x10f | 0x111..=0x11f | 0x121..=0x12f | 0x140 | 0x141 => true,
        // wave_shl, wave_rol, wave_shr, wave_ror, row_bcast15, row_bcast31.
        0x130 | 0x134 | 0x138 | 0x13c | 0x142 | 0x143 => gfx9,
        // row_newbcast; row_share and row_xmask.
        0x150..=0x15f => !gfx9 || target.has(Feature::UnifiedAgprs),
        0x160..=0x16f => !gfx9,
        _ => false,
    }
}
