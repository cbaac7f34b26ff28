//! An instruction to its dwords.
//!
//! Spec: the AMD ISA manuals, "Microcode Formats"; limits on literals and scalar sources from "Operand Fields" and "Constant
//! Bus". Refuses what the target cannot say; never changes the meaning to make it fit.

use super::format::operand::{self, RegError};
use super::format::places::{self, Place};
use super::format::{self, FieldName, PackError, Packer};
use super::inst::{Cache, Encoding, Inst, Mods, Operand};
use super::lane::{Sem, Wave};
use super::op::{Flags, Format, Num, Op, Slot, SlotKind};
use super::reg::{File, Reg};
use super::target::{Feature, Target};
use smallvec::SmallVec;
use std::fmt;

/// Why an instruction has no encoding. Operands are counted from 0, defs first, then uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodeError {
    /// The target lacks the op.
    NoSuchOp,
    /// The op lacks the encoding asked for.
    NoSuchEncoding(Encoding),
    /// Not as many operands as the row says.
    OperandCount,
    OperandNotEncodable {
        operand: u8,
        why: &'static str,
    },
    LiteralNotAllowed {
        operand: u8,
    },
    TwoLiterals,
    /// More scalar sources and literals than the limit.
    ConstantBus {
        limit: u8,
    },
    OffsetOutOfRange,
    /// A modifier that the op or the target lacks.
    Modifier(&'static str),
    /// A branch target without a distance: resolve labels first.
    LabelNotResolved,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::NoSuchOp => f.write_str("the target has no such instruction"),
            EncodeError::NoSuchEncoding(encoding) => write!(f, "no {encoding:?} encoding"),
            EncodeError::OperandCount => f.write_str("wrong number of operands"),
            EncodeError::OperandNotEncodable { operand, why } => write!(f, "operand {operand}: {why}"),
            EncodeError::LiteralNotAllowed { operand } => write!(f, "operand {operand}: no literal is possible here"),
            EncodeError::TwoLiterals => f.write_str("two different literals"),
            EncodeError::ConstantBus { limit } => write!(f, "more than {limit} scalar sources and literals"),
            EncodeError::OffsetOutOfRange => f.write_str("the offset does not fit"),
            EncodeError::Modifier(name) => write!(f, "no modifier `{name}` here"),
            EncodeError::LabelNotResolved => f.write_str("a label without a distance"),
        }
    }
}
impl std::error::Error for EncodeError {}

impl From<PackError> for EncodeError {
    fn from(error: PackError) -> EncodeError {
        use FieldName::*;
        let (PackError::Missing(name) | PackError::TooWide(name)) = error;
        EncodeError::Modifier(match name {
            OffsetSigned | OffsetUnsigned | Offset0 | Offset1 => return EncodeError::OffsetOutOfRange,
            Glc => "glc",
            Slc => "slc",
            Dlc => "dlc",
            Sc0 => "sc0",
            Sc1 => "sc1",
            Nt => "nt",
            Scope => "scope",
            Th => "th",
            Abs | Src0Abs | Src1Abs => "abs",
            Neg | Src0Neg | Src1Neg => "neg",
            NegHi => "neg_hi",
            OpSel => "op_sel",
            OpSelHi01 | OpSelHi2 => "op_sel_hi",
            Clamp => "clamp",
            Omod => "omod",
            Bitop3Low | Bitop3Middle | Bitop3High => "bitop3",
            DppSrc0 | DppCtrl | FetchInactive | BoundCtrl | BankMask | RowMask | Dpp8Lanes => "dpp",
            Op | Vdst | Sdst | Src0 | Src1 | Src2 | Vsrc1 | Simm16 | Sbase | Sdata | Soffset | ImmEnable
            | SoffsetEnable | Addr | Data0 | Data1 | Saddr | VaddrEnable => "operand",
        })
    }
}

/// One instruction: at most three dwords and a literal of one or two.
pub type Dwords = SmallVec<[u32; 5]>;

/// The dwords of an instruction, literals last.
pub fn encode(inst: &Inst, target: &Target) -> Result<Dwords, EncodeError> {
    let op = inst.op;
    let code = op.opcode(target).ok_or(EncodeError::NoSuchOp)?;
    if inst.defs.len() != op.defs.len() || inst.uses.len() != op.uses.len() {
        return Err(EncodeError::OperandCount);
    }
    let encoding = match inst.mods.encoding {
        // An op of a VOP3 format has that one anyway.
        Encoding::Vop3 if matches!(code.format, Format::Vop3 | Format::Vop3sd) => Encoding::Native,
        other => other,
    };
    let (layout, format, number) =
        format::select(op, code, encoding, target).ok_or(EncodeError::NoSuchEncoding(encoding))?;
    let mut encoder = Encoder {
        inst,
        target,
        format,
        dpp: matches!(encoding, Encoding::Dpp16 | Encoding::Dpp8),
        packer: Packer::new(layout),
        literal: None,
        scalars: SmallVec::new(),
    };
    encoder.packer.set(FieldName::Op, number)?;
    for (index, reg) in inst.defs.iter().enumerate() {
        encoder.def(index, *reg)?;
    }
    for (index, operand) in inst.uses.iter().enumerate() {
        encoder.use_of(index, *operand)?;
    }
    encoder.check_constant_bus()?;
    encoder.address()?;
    encoder.cache()?;
    encoder.modifiers()?;
    let mut dwords: Dwords = encoder.packer.dwords().collect();
    match encoder.literal {
        Some(Literal::Dword(dword)) => dwords.push(dword),
        Some(Literal::Pair(value)) => dwords.extend([value as u32, (value >> 32) as u32]),
        None => {}
    }
    Ok(dwords)
}

#[derive(Copy, Clone, PartialEq)]
enum Literal {
    Dword(u32),
    /// gfx1250.
    Pair(u64),
}

struct Encoder<'a> {
    inst: &'a Inst,
    target: &'a Target,
    /// Of the encoding, which need not be the row's.
    format: Format,
    dpp: bool,
    packer: Packer,
    literal: Option<Literal>,
    /// Different scalar sources of a vector instruction.
    scalars: SmallVec<[Reg; 4]>,
}

fn is_vector(format: Format) -> bool {
    use Format::*;
    match format {
        Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p => true,
        Sop1 | Sop2 | Sopc | Sopk | Sopp | Smem | Ds | Flat | Global | Scratch | Mubuf => false,
    }
}

/// Formats whose 16-bit VGPR operands have a half selector in bit 7: gfx11 and later name v0 to v127 there only.
fn splits_halves(format: Format, target: &Target) -> bool {
    target.has(Feature::Vop3Literal)
        && target.has(Feature::PackedWorkitemIds)
        && matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc)
}

impl Encoder<'_> {
    fn op(&self) -> Op {
        self.inst.op
    }

    fn bad(&self, operand: usize, why: &'static str) -> EncodeError {
        EncodeError::OperandNotEncodable { operand: operand as u8, why }
    }

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

    fn def(&mut self, index: usize, reg: Reg) -> Result<(), EncodeError> {
        let slot = self.op().defs[index];
        let dwords = slot.dwords(self.target.wave_lanes());
        let name = match places::of_def(self.op(), self.format, index) {
            Place::Vcc => return self.implied_vcc(index, reg),
            Place::Field(name) => name,
            Place::Tied | Place::LiteralDword => return Err(self.bad(index, "no place for a result")),
        };
        let code = match slot.kind {
            SlotKind::Vgpr => self.vgpr(index, reg, slot, dwords)?,
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

    fn use_of(&mut self, index: usize, operand: Operand) -> Result<(), EncodeError> {
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
                let same = self.inst.defs.first().is_some_and(|def| operand == Operand::Reg(*def));
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
                let index = self.vgpr(at, reg, slot, dwords)?;
                // In a 9-bit field VGPRs stand above the scalars.
                if matches!(name, FieldName::Src0 | FieldName::Src1 | FieldName::Src2) && !self.dpp {
                    index + operand::VGPR
                } else {
                    index
                }
            }
            (SlotKind::Sgpr | SlotKind::Mask, Operand::Reg(reg)) => {
                let code = self.sgpr(at, reg, slot, dwords)?;
                self.note_scalar(reg);
                if name == FieldName::Sbase { code / 2 } else { code }
            }
            (SlotKind::SgprOrOff, Operand::Reg(reg)) => self.sgpr(at, reg, slot, dwords)?,
            (SlotKind::Src | SlotKind::Ssrc, Operand::Reg(reg)) => self.source(at, name, reg, slot, dwords)?,
            (SlotKind::Src | SlotKind::Ssrc, Operand::Imm(value)) => self.constant(at, name, value, slot)?,
            (SlotKind::Simm16 | SlotKind::Label, Operand::Imm(value)) => {
                u16::try_from(value).map_err(|_| self.bad(at, "a constant of more than 16 bits"))? as u32
            }
            (SlotKind::Label, Operand::Label(_)) => return Err(EncodeError::LabelNotResolved),
            // `address` writes what stands for "off".
            (SlotKind::VgprOrOff | SlotKind::SgprOrOff, Operand::Off) => return Ok(()),
            (
                SlotKind::Vgpr
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
            FieldName::Src0 if self.dpp => Ok(self.packer.set(FieldName::DppSrc0, code)?),
            FieldName::Simm16 | FieldName::Src0 if slot.kind == SlotKind::Simm16 => {
                self.packer.set(name, code).map_err(|_| self.bad(at, "the constant does not fit"))
            }
            _ => Ok(self.packer.set(name, code)?),
        }
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
        if name == FieldName::Vsrc1 || (self.dpp && name == FieldName::Src0) {
            return if vgpr {
                Ok(code - operand::VGPR)
            } else {
                Err(self.bad(at, "only a VGPR is possible in this encoding"))
            };
        }
        // M0 as lane select of `v_writelane_b32` comes another way than the constant bus.
        if !(reg == Reg::M0 && matches!(self.op().sem, Sem::Wave(Wave::WriteLane)) && name == FieldName::Src1) {
            self.note_scalar(reg);
        }
        Ok(code)
    }

    /// A constant: inline where there is a code, else a literal where one may stand.
    fn constant(&mut self, at: usize, name: FieldName, value: u64, slot: Slot) -> Result<u32, EncodeError> {
        if name == FieldName::Vsrc1 || self.dpp {
            return Err(self.bad(at, "only a VGPR is possible in this encoding"));
        }
        if let Some(code) = operand::encode_inline(value, slot) {
            return Ok(code);
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

    fn check_constant_bus(&self) -> Result<(), EncodeError> {
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

    /// Offsets, and the codes that say which parts of an address are there.
    fn address(&mut self) -> Result<(), EncodeError> {
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

    fn cache(&mut self) -> Result<(), EncodeError> {
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

    fn modifiers(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = self.inst.mods;
        check_modifiers(self.op(), self.format, &mods)?;
        if self.op().is_bitop3() {
            self.packer.set(Bitop3Low, mods.bitop3 as u32 & 7)?;
            self.packer.set(Bitop3Middle, mods.bitop3 as u32 >> 3 & 7)?;
            self.packer.set(Bitop3High, mods.bitop3 as u32 >> 6)?;
        } else if mods.bitop3 != 0 {
            return Err(EncodeError::Modifier("bitop3"));
        }
        if self.dpp {
            return self.dpp();
        }
        if mods.dpp.is_some() {
            return Err(EncodeError::Modifier("dpp"));
        }
        self.packer.set_if_any(Neg, mods.neg as u32)?;
        self.packer.set_if_any(if self.format == Format::Vop3p { NegHi } else { Abs }, mods.abs as u32)?;
        self.packer.set_if_any(OpSel, mods.op_sel as u32)?;
        self.packer.set_if_any(OpSelHi01, mods.op_sel_hi as u32 & 3)?;
        self.packer.set_if_any(OpSelHi2, mods.op_sel_hi as u32 >> 2)?;
        self.packer.set_if_any(Clamp, mods.clamp as u32)?;
        self.packer.set_if_any(Omod, mods.omod as u32)?;
        Ok(())
    }

    fn dpp(&mut self) -> Result<(), EncodeError> {
        use FieldName::*;
        let mods = self.inst.mods;
        let Some(dpp) = mods.dpp else { return Err(EncodeError::Modifier("dpp")) };
        if mods.clamp || mods.omod != 0 || mods.op_sel != 0 || mods.op_sel_hi != 0 || (mods.neg | mods.abs) > 3 {
            return Err(EncodeError::Modifier("VOP3 modifier beside DPP"));
        }
        if self.packer.layout.field(Dpp8Lanes).is_some() {
            if dpp.row_mask != 0
                || dpp.bank_mask != 0
                || dpp.bound_ctrl
                || dpp.fetch_inactive
                || mods.neg | mods.abs != 0
            {
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
        self.packer.set_if_any(FetchInactive, dpp.fetch_inactive as u32)?;
        for (bit, neg, abs) in [(1, Src0Neg, Src0Abs), (2, Src1Neg, Src1Abs)] {
            self.packer.set_if_any(neg, (mods.neg & bit != 0) as u32)?;
            self.packer.set_if_any(abs, (mods.abs & bit != 0) as u32)?;
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

/// Which modifiers an op takes, whatever its fields could hold.
fn check_modifiers(op: Op, format: Format, mods: &Mods) -> Result<(), EncodeError> {
    let float_sources = op
        .uses
        .iter()
        .enumerate()
        .filter(|(_, s)| s.num == Num::Float && !s.tied)
        .fold(0u8, |set, (i, _)| set | 1 << i);
    let packed = format == Format::Vop3p;
    let reads_mods = matches!(op.sem, Sem::LaneMods(_));
    let float = matches!(op.sem, Sem::LaneFloat(_) | Sem::Unmodelled);
    // `neg` says "signed" in the dot product of mixed signs.
    let signs = if packed && op.needs == Some(Feature::DotIu8) { 3 } else { 0 };
    if mods.neg & !(float_sources | signs) != 0 {
        return Err(EncodeError::Modifier("neg"));
    }
    if mods.abs & !float_sources != 0 {
        return Err(EncodeError::Modifier("abs"));
    }
    if mods.clamp && !(float || reads_mods && !op.is_bitop3()) {
        return Err(EncodeError::Modifier("clamp"));
    }
    if mods.omod != 0 && (!float || op.flags.contains(Flags::OP_SEL)) {
        return Err(EncodeError::Modifier("omod"));
    }
    // One bit per source there is, and bit 3 for the destination outside VOP3P; an absent source has the default.
    let sources = op.uses.iter().filter(|slot| !slot.tied).count();
    let per_source = ((1u16 << sources) - 1) as u8;
    let selects = op.flags.contains(Flags::OP_SEL);
    let op_sel = match op.sem {
        _ if !selects => 0,
        // Fetch-inactive and bound control.
        Sem::Wave(_) => 3,
        _ if packed => per_source,
        _ => per_source | 8,
    };
    if mods.op_sel & !op_sel != 0 {
        return Err(EncodeError::Modifier("op_sel"));
    }
    let op_sel_hi = if packed && selects { per_source } else { 0 };
    if (mods.op_sel_hi ^ op.default_mods().op_sel_hi) & !op_sel_hi != 0 {
        return Err(EncodeError::Modifier("op_sel_hi"));
    }
    if mods.omod > 3 {
        return Err(EncodeError::Modifier("omod"));
    }
    Ok(())
}
