//! Operands: registers and constants into their fields; literals; the constant bus.
//!
//! Spec: the AMD ISA manuals, "Operand Fields", "Inline Constants", "Literal Constants" and "Constant Bus".

use super::modifiers::splits_halves;
use super::{EncodeError, Encoder, Form, Literal};
use crate::amd::format::FieldName;
use crate::amd::format::operand::{self, RegError};
use crate::amd::format::places::{self, Place};
use crate::amd::inst::Operand;
use crate::amd::lane::{Sem, Wave};
use crate::amd::op::{Flags, Format, Num, Slot, SlotKind};
use crate::amd::reg::{File, Reg};
use crate::amd::target::Feature;

fn is_vector(format: Format) -> bool {
    use Format::*;
    match format {
        Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p => true,
        Sop1 | Sop2 | Sopc | Sopk | Sopp | Smem | Ds | Flat | Global | Scratch | Mubuf => false,
    }
}

impl Encoder<'_> {
    /// The code of a register after the checks that all places share.
    fn reg(&self, operand: usize, reg: Reg, slot: Slot, dwords: u8) -> Result<u32, EncodeError> {
        if reg.dwords != dwords && reg.file != File::Null {
            return Err(self.bad(operand, "a register of another size"));
        }
        if slot.bits == 16 && reg.file == File::Vgpr && reg.index > 127 && splits_halves(self.format, self.target) {
            return Err(self.bad(operand, "16-bit operands of this encoding end at v127"));
        }
        operand::encode_reg(reg, self.target).map_err(|error| {
            self.bad(
                operand,
                match error {
                    RegError::Unavailable => "the target lacks this register",
                    RegError::Misaligned => "a misaligned register tuple",
                    RegError::OutOfRange => "a register number out of range",
                },
            )
        })
    }

    fn vgpr(&self, operand: usize, reg: Reg, slot: Slot, dwords: u8) -> Result<u32, EncodeError> {
        if reg.file != File::Vgpr {
            return Err(self.bad(operand, "only a VGPR is possible here"));
        }
        Ok(self.reg(operand, reg, slot, dwords)? - operand::VGPR)
    }

    fn agpr(&self, operand: usize, reg: Reg) -> Result<u32, EncodeError> {
        operand::encode_agpr(reg, self.target)
            .map_err(|_| self.bad(operand, "only an accumulation VGPR is possible here"))
    }

    /// A scalar register that is read or written as a whole: no constants, no apertures.
    fn sgpr(&self, operand: usize, reg: Reg, slot: Slot, dwords: u8) -> Result<u32, EncodeError> {
        use File::*;
        let memory = matches!(self.format, Format::Smem | Format::Global | Format::Scratch);
        match reg.file {
            Sgpr | Ttmp | Vcc => {}
            M0 if slot.kind == SlotKind::SgprOrOff && self.format == Format::Smem => {}
            Exec | FlatScratch | XnackMask | M0 | Null if !memory => {}
            Vgpr | Agpr | Exec | FlatScratch | XnackMask | M0 | Null | Scc | SharedBase | SharedLimit | PrivateBase
            | PrivateLimit | FlatScratchBase => return Err(self.bad(operand, "no scalar register for this place")),
        }
        self.reg(operand, reg, slot, dwords)
    }

    fn implied_vcc(&self, operand: usize, reg: Reg) -> Result<(), EncodeError> {
        if reg == Reg::vcc(self.target.wave_lanes()) {
            Ok(())
        } else {
            Err(self.bad(operand, "this encoding has VCC only; VOP3 takes any SGPR"))
        }
    }

    pub(super) fn def(&mut self, index: usize, reg: Reg) -> Result<(), EncodeError> {
        let slot = self.op().defs[index];
        let dwords = slot.dwords(self.target.wave_lanes());
        let name = match places::of_def(self.op(), self.format, index) {
            // A compare by SDWA names its destination, or says nothing where it is VCC.
            Place::Vcc if self.form == Form::Sdwa && self.format == Format::Vopc => {
                let code = self.sgpr(index, reg, slot, dwords)?;
                if reg != Reg::vcc(self.target.wave_lanes()) {
                    self.packer.set(FieldName::SdstEnable, 1)?;
                    self.packer.set(FieldName::Sdst, code)?;
                }
                return Ok(());
            }
            Place::Vcc => return self.implied_vcc(index, reg),
            Place::Field(name) => name,
            Place::Tied | Place::LiteralDword => return Err(self.bad(index, "no place for a result")),
        };
        let code = match slot.kind {
            SlotKind::Vgpr if name == FieldName::Src0 => {
                (self.vgpr(index, reg, slot, dwords)? | self.upper_half(slot, 0)) + operand::VGPR
            }
            SlotKind::Vgpr => self.vgpr(index, reg, slot, dwords)? | self.upper_half(slot, 3),
            SlotKind::Agpr => self.agpr(index, reg)?,
            SlotKind::Sgpr | SlotKind::Mask => self.sgpr(index, reg, slot, dwords)?,
            SlotKind::Src
            | SlotKind::Ssrc
            | SlotKind::VgprOrOff
            | SlotKind::SgprOrOff
            | SlotKind::VgprAddr
            | SlotKind::Simm16
            | SlotKind::Literal
            | SlotKind::Label => return Err(self.bad(index, "no register as result")),
        };
        Ok(self.packer.set(name, code)?)
    }

    pub(super) fn use_of(&mut self, index: usize, operand: Operand) -> Result<(), EncodeError> {
        let op = self.op();
        let slot = op.uses[index];
        let at = op.defs.len() + index;
        let name = match places::of_use(op, self.format, index) {
            Place::Field(name) => name,
            Place::Vcc => {
                let Operand::Reg(reg) = operand else { return Err(self.bad(at, "a lane mask is a register")) };
                self.scalars.push(reg);
                return self.implied_vcc(at, reg);
            }
            Place::Tied => {
                let same = self.inst.defs.get(op.tied_def(index)).is_some_and(|def| operand == Operand::Reg(*def));
                return if same { Ok(()) } else { Err(self.bad(at, "must be the same register as the result")) };
            }
            Place::LiteralDword => {
                let Operand::Imm(value) = operand else { return Err(self.bad(at, "a constant is needed here")) };
                let dword = u32::try_from(value).map_err(|_| self.bad(at, "a constant of more than 32 bits"))?;
                self.literal = Some(Literal::Dword(dword));
                return Ok(());
            }
        };
        let has_base = op
            .uses
            .iter()
            .zip(&self.inst.uses)
            .any(|(slot, operand)| slot.kind == SlotKind::SgprOrOff && matches!(operand, Operand::Reg(_)));
        let dwords = places::dwords_of_use(slot, self.target.wave_lanes(), has_base);
        let code = match (slot.kind, operand) {
            (SlotKind::Vgpr | SlotKind::VgprOrOff | SlotKind::VgprAddr, Operand::Reg(reg)) => {
                let code = self.vgpr(at, reg, slot, dwords)?;
                // In a 9-bit field VGPRs stand above the scalars.
                let wide = match name {
                    FieldName::Src0 => self.form == Form::Plain,
                    FieldName::Src1 | FieldName::Src2 => true,
                    _ => false,
                };
                if wide { code + operand::VGPR } else { code }
            }
            (SlotKind::Agpr, Operand::Reg(reg)) => self.agpr(at, reg)? + operand::VGPR,
            (SlotKind::Sgpr | SlotKind::Mask, Operand::Reg(reg)) => {
                let code = self.sgpr(at, reg, slot, dwords)?;
                self.note_scalar(reg);
                if name == FieldName::Sbase { code / 2 } else { code }
            }
            (SlotKind::SgprOrOff, Operand::Reg(reg)) => self.sgpr(at, reg, slot, dwords)?,
            (SlotKind::Src | SlotKind::Ssrc, Operand::Reg(reg)) => {
                let code = self.source(at, name, reg, slot, dwords)?;
                if reg.file == File::Vgpr { code | self.upper_half(slot, index) } else { code }
            }
            (SlotKind::Src | SlotKind::Ssrc, Operand::Imm(value)) => self.constant(at, name, value, slot)?,
            (SlotKind::Simm16 | SlotKind::Label, Operand::Imm(value)) => {
                u16::try_from(value).map_err(|_| self.bad(at, "a constant of more than 16 bits"))? as u32
            }
            (SlotKind::Label, Operand::Label(_)) => return Err(EncodeError::LabelNotResolved),
            // `address` writes what stands for "off".
            (SlotKind::VgprOrOff | SlotKind::SgprOrOff, Operand::Off) => return Ok(()),
            (
                SlotKind::Vgpr
                | SlotKind::Agpr
                | SlotKind::Sgpr
                | SlotKind::Src
                | SlotKind::Ssrc
                | SlotKind::Mask
                | SlotKind::VgprOrOff
                | SlotKind::SgprOrOff
                | SlotKind::VgprAddr
                | SlotKind::Simm16
                | SlotKind::Literal
                | SlotKind::Label,
                Operand::Reg(_) | Operand::Imm(_) | Operand::Label(_) | Operand::Off,
            ) => return Err(self.bad(at, "the wrong kind of operand")),
        };
        match name {
            // gfx9 SMEM says in other fields whether and where the SGPR offset is.
            FieldName::Soffset => Ok(()),
            FieldName::Src0 if self.form != Form::Plain => Ok(self.packer.set(FieldName::FormSrc0, code)?),
            FieldName::Simm16 | FieldName::Src0 if slot.kind == SlotKind::Simm16 => {
                self.packer.set(name, code).map_err(|_| self.bad(at, "the constant does not fit"))
            }
            _ => Ok(self.packer.set(name, code)?),
        }
    }

    fn only_vgpr(&self, operand: usize) -> EncodeError {
        self.bad(operand, "only a VGPR is possible in this encoding")
    }

    /// Whether a source field may hold a scalar or a constant: under DPP the first source is a VGPR, and the second where
    /// the target does not allow more.
    fn takes_scalar(&self, name: FieldName) -> bool {
        self.form == Form::Plain
            || match name {
                FieldName::Src0 => false,
                FieldName::Src1 => self.target.has(Feature::DppScalarSrc1),
                _ => true,
            }
    }

    /// SDWA: the source is a scalar or a constant.
    fn sdwa_scalar(&mut self, name: FieldName) -> Result<(), EncodeError> {
        let bit = if name == FieldName::Src0 { FieldName::Src0Scalar } else { FieldName::Src1Scalar };
        Ok(self.packer.set(bit, 1)?)
    }

    /// Bit 7 of a VGPR code: the upper half, in the encodings that say it so. `position` as in `Mods::op_sel`.
    fn upper_half(&self, slot: Slot, position: usize) -> u32 {
        let op_sel = self.inst.mods.op_sel;
        let high = op_sel != 0 && slot.bits == 16 && op_sel >> position & 1 == 1;
        if high && splits_halves(self.format, self.target) { 0x80 } else { 0 }
    }

    fn note_scalar(&mut self, reg: Reg) {
        if reg.file != File::Null && reg.file != File::Vgpr && !self.scalars.contains(&reg) {
            self.scalars.push(reg);
        }
    }

    /// A register in a source field that may hold anything.
    fn source(&mut self, at: usize, name: FieldName, reg: Reg, slot: Slot, dwords: u8) -> Result<u32, EncodeError> {
        let code = self.reg(at, reg, slot, dwords)?;
        let vgpr = reg.file == File::Vgpr;
        if vgpr && slot.kind == SlotKind::Ssrc {
            return Err(self.bad(at, "no VGPR is possible here"));
        }
        if self.form == Form::Sdwa {
            if vgpr {
                return Ok(code - operand::VGPR);
            }
            self.sdwa_scalar(name)?;
            self.note_scalar(reg);
            return Ok(code);
        }
        if name == FieldName::Vsrc1 || (self.form == Form::Dpp && name == FieldName::Src0) {
            return if vgpr { Ok(code - operand::VGPR) } else { Err(self.only_vgpr(at)) };
        }
        // gfx908 moves VGPRs and constants only into accumulation registers.
        let to_agpr = self.op().needs == Some(Feature::Mai) && self.target.has(Feature::SeparateAgprs);
        if !vgpr && (to_agpr || !self.takes_scalar(name)) {
            return Err(self.only_vgpr(at));
        }
        // M0 as lane select of `v_writelane_b32` comes another way than the constant bus.
        if !(reg == Reg::M0 && matches!(self.op().sem, Sem::Wave(Wave::WriteLane)) && name == FieldName::Src1) {
            self.note_scalar(reg);
        }
        Ok(code)
    }

    /// A constant: inline where there is a code, else a literal where one may stand.
    fn constant(&mut self, at: usize, name: FieldName, value: u64, slot: Slot) -> Result<u32, EncodeError> {
        if self.form != Form::Sdwa && (name == FieldName::Vsrc1 || !self.takes_scalar(name)) {
            return Err(self.only_vgpr(at));
        }
        if let Some(code) = operand::encode_inline(value, slot) {
            if self.form == Form::Sdwa {
                self.sdwa_scalar(name)?;
            }
            return Ok(code);
        }
        if self.form != Form::Plain {
            return Err(EncodeError::LiteralNotAllowed { operand: at as u8 });
        }
        let allowed = match self.format {
            Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Vop1 | Format::Vop2 | Format::Vopc => true,
            Format::Vop3 | Format::Vop3sd | Format::Vop3p => {
                // gfx950's `v_bitop3_b32` is as literal-free as the rest of its VOP3; lane selects are inline or SGPRs.
                self.target.has(Feature::Vop3Literal) && slot.kind == SlotKind::Src
            }
            Format::Sopk
            | Format::Sopp
            | Format::Smem
            | Format::Ds
            | Format::Flat
            | Format::Global
            | Format::Scratch
            | Format::Mubuf => false,
        };
        // The assembler takes no sign modifier on a 64-bit literal, and the value can have the sign itself.
        let modified = (self.inst.mods.neg | self.inst.mods.abs) >> (at - self.op().defs.len()) & 1 == 1;
        if !allowed || modified && slot.bits == 64 {
            return Err(EncodeError::LiteralNotAllowed { operand: at as u8 });
        }
        let (literal, code) = match operand::literal(value, slot) {
            Some(dword) => (Literal::Dword(dword), operand::LITERAL),
            None if self.takes_literal64(slot) => (Literal::Pair(value), operand::LITERAL64),
            None => return Err(EncodeError::LiteralNotAllowed { operand: at as u8 }),
        };
        match self.literal {
            Some(other) if other != literal => Err(EncodeError::TwoLiterals),
            _ => {
                self.literal = Some(literal);
                Ok(code)
            }
        }
    }

    fn takes_literal64(&self, slot: Slot) -> bool {
        use Format::*;
        self.target.has(Feature::Literal64)
            && slot.bits == 64
            && slot.num == Num::Bits
            && matches!(self.format, Sop1 | Sop2 | Sopc | Vop1 | Vop2 | Vopc)
    }

    pub(super) fn check_constant_bus(&self) -> Result<(), EncodeError> {
        if !is_vector(self.format) {
            return Ok(());
        }
        let limit = if self.op().flags.contains(Flags::ONE_SCALAR) { 1 } else { self.target.constant_bus_limit() };
        let implied = self.op().flags.contains(Flags::READS_VCC) as usize;
        // M0 as the lane of v_writelane comes over a path of its own.
        let m0 = Operand::Reg(Reg::M0);
        let free = matches!(self.op().sem, Sem::Wave(Wave::WriteLane))
            && self.inst.uses.get(1) == Some(&m0)
            && self.inst.uses.first() != Some(&m0);
        let used = self.scalars.len() - free as usize + implied + self.literal.is_some() as usize;
        if used > limit as usize { Err(EncodeError::ConstantBus { limit }) } else { Ok(()) }
    }
}
