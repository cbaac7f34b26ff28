//! Addresses of memory instructions: offsets, what of an address is there, cache policy bits.
//!
//! Spec: the AMD ISA manuals, "SMEM", "LDS", "FLAT, Scratch and Global"; RDNA4 ISA, "Temporal hints" and "Scope".

use super::{EncodeError, Encoder};
use crate::amd::format::{FieldName, operand};
use crate::amd::inst::{Cache, Operand};
use crate::amd::lane::Sem;
use crate::amd::op::{Format, SlotKind};
use crate::amd::target::Feature;

impl Encoder<'_> {
    /// Offsets, and the codes that say which parts of an address are there.
    pub(super) fn address(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = self.inst.mods;
        let two = matches!(self.op().sem, Sem::Load(kind) | Sem::Store(kind) if kind.two);
        if !two && (mods.offset0 != 0 || mods.offset1 != 0) {
            return Err(EncodeError::Modifier("offset0"));
        }
        match self.format {
            Format::Ds if two => {
                if mods.offset != 0 {
                    return Err(EncodeError::Modifier("offset"));
                }
                self.packer.set(Offset0, mods.offset0 as u32)?;
                self.packer.set(Offset1, mods.offset1 as u32)?;
            }
            Format::Ds => {
                let offset = u16::try_from(mods.offset).map_err(|_| EncodeError::OffsetOutOfRange)?;
                self.packer.set(Offset0, offset as u32 & 0xff)?;
                self.packer.set(Offset1, offset as u32 >> 8)?;
            }
            Format::Smem if !self.inst.uses.is_empty() => self.scalar_address()?,
            Format::Flat | Format::Global | Format::Scratch if !self.inst.uses.is_empty() => {
                self.offset(mods.offset)?;
                self.vector_address()?;
            }
            // A cache-control op in the GLOBAL format names no base either.
            Format::Global => {
                self.packer.set(Saddr, operand::no_saddr(self.target))?;
                return if mods.offset == 0 { Ok(()) } else { Err(EncodeError::Modifier("offset")) };
            }
            Format::Sop1
            | Format::Sop2
            | Format::Sopc
            | Format::Sopk
            | Format::Sopp
            | Format::Smem
            | Format::Vop1
            | Format::Vop2
            | Format::Vopc
            | Format::Vop3
            | Format::Vop3sd
            | Format::Vop3p
            | Format::Flat
            | Format::Scratch
            | Format::Mubuf => {
                if mods.offset != 0 {
                    return Err(EncodeError::Modifier("offset"));
                }
            }
        }
        Ok(())
    }

    /// A byte offset, as wide and as signed as the layout has it.
    fn offset(&mut self, offset: i32) -> Result<(), EncodeError> {
        if let Some(field) = self.packer.layout.field(FieldName::OffsetSigned) {
            let half = 1i64 << (field.width() - 1);
            if !(-half..half).contains(&(offset as i64)) {
                return Err(EncodeError::OffsetOutOfRange);
            }
            return Ok(self.packer.set(FieldName::OffsetSigned, offset as u32 & (2 * half - 1) as u32)?);
        }
        let offset = u32::try_from(offset).map_err(|_| EncodeError::OffsetOutOfRange)?;
        Ok(self.packer.set(FieldName::OffsetUnsigned, offset)?)
    }

    fn scalar_address(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let offset = self.inst.mods.offset;
        let register = match self.inst.uses.get(1) {
            Some(Operand::Reg(reg)) => {
                Some(operand::encode_reg(*reg, self.target).map_err(|_| self.bad(2, "no register"))?)
            }
            _ => None,
        };
        if let Some(null) = operand::null(self.target) {
            self.packer.set(Soffset, register.unwrap_or(null))?;
            return self.offset(offset);
        }
        // gfx9: an SGPR offset alone stands in the offset field; beside a constant it has a field of its own.
        match register {
            Some(code) if offset == 0 => Ok(self.packer.set(OffsetSigned, code)?),
            Some(code) => {
                self.packer.set(SoffsetEnable, 1)?;
                self.packer.set(ImmEnable, 1)?;
                self.packer.set(Soffset, code)?;
                self.offset(offset)
            }
            None => {
                self.packer.set(ImmEnable, 1)?;
                self.offset(offset)
            }
        }
    }

    fn vector_address(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let (mut vaddr, mut saddr) = (true, true);
        for (slot, operand) in self.op().uses.iter().zip(&self.inst.uses) {
            match slot.kind {
                SlotKind::VgprOrOff => vaddr = *operand != Operand::Off,
                SlotKind::SgprOrOff => saddr = *operand != Operand::Off,
                _ => {}
            }
        }
        if self.format == Format::Flat {
            return Ok(());
        }
        let enable = self.packer.layout.field(VaddrEnable).is_some();
        if self.format == Format::Scratch {
            if enable {
                self.packer.set(VaddrEnable, vaddr as u32)?;
            } else if vaddr && saddr {
                return Err(self.bad(0, "this target's scratch takes a VGPR or an SGPR address, not both"));
            }
            if !vaddr && !saddr && !self.target.has(Feature::ScratchOff) {
                return Err(self.bad(0, "this target's scratch needs an address register"));
            }
        }
        if !saddr {
            // gfx10 without the enable bit tells "neither" from "VGPR only" by the code.
            let neither = self.format == Format::Scratch && !vaddr && !enable;
            self.packer.set(Saddr, if neither { 0x7f } else { operand::no_saddr(self.target) })?;
        }
        Ok(())
    }

    pub(super) fn cache(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let cache = self.inst.mods.cache;
        let atomic = matches!(self.op().sem, Sem::Atomic(_));
        // The return bit of atomics belongs to the op, not to the cache policy.
        let system = cache.contains(Cache::SCOPE_SYS);
        if self.op().returns_old() && system && cache.contains(Cache::TH_NT) {
            return Err(EncodeError::Modifier("non-temporal at system scope on a returning atomic"));
        }
        if atomic && cache.intersects(Cache::GLC | Cache::SC0) || cache.contains(Cache::TH_RETURN) {
            return Err(EncodeError::Modifier("cache bit that returns the old value"));
        }
        for (flag, field) in [
            (Cache::GLC, Glc),
            (Cache::SLC, Slc),
            (Cache::DLC, Dlc),
            (Cache::SC0, Sc0),
            (Cache::SC1, Sc1),
            (Cache::NT, Nt),
        ] {
            self.packer.set_if_any(field, cache.contains(flag) as u32)?;
        }
        self.packer.set_if_any(
            Scope,
            cache.contains(Cache::SCOPE_SE) as u32 | (cache.contains(Cache::SCOPE_DEV) as u32) << 1,
        )?;
        let returns = self.op().returns_old();
        // Non-temporal is 1 for loads and stores and 2 for atomics, whose 1 is "return".
        let hint = cache.contains(Cache::TH_NT) as u32 * if atomic { 2 } else { 1 };
        if self.packer.layout.field(Th).is_some() {
            self.packer.set(Th, hint | returns as u32)?;
        } else {
            self.packer.set_if_any(Th, hint)?;
            if returns {
                let field = if self.packer.layout.field(Sc0).is_some() { Sc0 } else { Glc };
                self.packer.set(field, 1)?;
            }
        }
        Ok(())
    }
}
