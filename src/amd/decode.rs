//! Dwords to an instruction.
//!
//! Spec: the AMD ISA manuals, "Microcode Formats". Looks up format, number *and* features, because numbers collide inside a
//! column. Encoding what [`decode`] returns gives the same dwords; [`decode_any`] also reads constants that other assemblers
//! and linkers write as literals although they have an inline code. Non-zero unused fields are reported, and so is
//! everything that no row has.

use super::encode;
use super::format::places::{self, Place};
use super::format::{self, FieldName, Layout, Unpacker, forms, operand};
use super::inst::{Cache, Dpp, Encoding, Inst, Operand, Sdwa, Sel, Unused};
use super::lane::Sem;
use super::op::{Flags, Format, Op, Slot, SlotKind};
use super::ops;
use super::reg::{File, Reg};
use super::target::{Column, Feature, Target};
use smallvec::SmallVec;
use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// Fewer dwords than the instruction has.
    Truncated,
    /// No format has these leading bits.
    UnknownEncoding,
    /// The format is known, its opcode is not one of ours on this target.
    UnknownOp { format: Format, number: u32 },
    /// A code that names no operand of this place.
    Operand { op: &'static str },
    /// Bits that should be zero, or modifiers and constants that the encoder would refuse.
    NotCanonical { op: &'static str },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DecodeError::Truncated => f.write_str("the code ends inside an instruction"),
            DecodeError::UnknownEncoding => f.write_str("no known instruction format"),
            DecodeError::UnknownOp { format, number } => write!(f, "unknown {format:?} opcode {number:#x}"),
            DecodeError::Operand { op } => write!(f, "`{op}` with an operand code that means nothing there"),
            DecodeError::NotCanonical { op } => write!(f, "`{op}` encoded in a way that we never write"),
        }
    }
}
impl std::error::Error for DecodeError {}

/// Rows by column, format and number.
type Index = HashMap<(Column, Format, u16), SmallVec<[Op; 2]>>;

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let mut index = Index::new();
    for op in ops::all() {
        for column in [Column::Gfx9, Column::Gfx10, Column::Gfx11, Column::Gfx12] {
            if let Some(code) = op.codes[column as usize] {
                index.entry((column, code.format, code.number)).or_default().push(op);
            }
        }
    }
    index
});

fn candidates<'a>(format: Format, number: u32, target: &'a Target) -> impl Iterator<Item = Op> + use<'a> {
    let rows = u16::try_from(number).ok().and_then(|number| INDEX.get(&(target.column(), format, number)));
    rows.into_iter().flatten().copied().filter(move |op| op.exists_on(target))
}

/// The instruction at the start of `dwords`, and how many of them it takes. Never panics, whatever the bits.
pub fn decode(dwords: &[u32], target: &Target) -> Result<(Inst, usize), DecodeError> {
    match decode_any(dwords, target)? {
        (inst, length, true) => Ok((inst, length)),
        (inst, _, false) => Err(DecodeError::NotCanonical { op: inst.op.name }),
    }
}

/// The same for code of other compilers: it may spell a constant in another way than ours, which the `false` tells.
pub fn decode_any(dwords: &[u32], target: &Target) -> Result<(Inst, usize, bool), DecodeError> {
    let found = identify(dwords, target)?;
    let layout = found.layout;
    let length = layout.dwords as usize;
    let body = dwords.get(..length).ok_or(DecodeError::Truncated)?;
    let bits = body.iter().rev().fold(0u128, |bits, dword| bits << 32 | *dword as u128);
    let mut decoder = Decoder {
        op: found.op,
        target,
        format: found.format,
        encoding: found.encoding,
        fields: Unpacker::new(layout, bits),
        rest: &dwords[length..],
        literal_dwords: 0,
        synonym: false,
        op_sel: 0,
    };
    let mut inst = decoder.instruction()?;
    inst.mods.encoding = found.encoding;
    let length = length + decoder.literal_dwords;
    // A bit that we have no field for may mean something (`scale_offset` of gfx1250), and so may a modifier that we never
    // write.
    let error = DecodeError::NotCanonical { op: inst.op.name };
    if !decoder.fields.finish() {
        return Err(error);
    }
    match encode::encode(&inst, target) {
        Ok(again) if again.as_slice() == &dwords[..length] => Ok((inst, length, true)),
        Ok(_) if decoder.synonym => Ok((inst, length, false)),
        _ => Err(error),
    }
}

/// What the first dword says.
struct Found {
    op: Op,
    encoding: Encoding,
    /// The format whose layout it has, which for VOP3 forms is not the row's.
    format: Format,
    layout: &'static Layout,
}

fn identify(dwords: &[u32], target: &Target) -> Result<Found, DecodeError> {
    let first = *dwords.first().ok_or(DecodeError::Truncated)?;
    let bits = first as u128;
    let number_of = |layout: &'static Layout| Unpacker::new(layout, bits).get_or_zero(FieldName::Op);
    let mut error = DecodeError::UnknownEncoding;
    for format in format::DECODE_ORDER {
        let layout = format::layout_of(format, false, target);
        // The segment base of FLAT stands in the second dword; compare what the first one has.
        if !layout.matches_first_dword(first) {
            continue;
        }
        let number = number_of(layout);
        if matches!(format, Format::Vop3 | Format::Vop3sd) {
            // SRC0 stands in the second dword; one that is missing is found to be later.
            let src0 = dwords.get(1).map_or(0, |second| second & 0x1ff);
            return identify_vop3(number, src0, target).ok_or(DecodeError::UnknownOp { format, number });
        }
        let returns = match format {
            Format::Flat | Format::Global => Some(returns_old(layout, first, target)),
            _ => None,
        };
        for op in candidates(format, number, target) {
            // Atomics with and without a result share a number; the second dword of gfx12 tells, so both stay possible.
            if returns.flatten().is_some_and(|returns| is_atomic(op) && op.returns_old() != returns) {
                continue;
            }
            return Ok(native_or_form(op, format, layout, first, target));
        }
        error = DecodeError::UnknownOp { format, number };
    }
    Err(error)
}

fn is_atomic(op: Op) -> bool {
    matches!(op.sem, Sem::Atomic(_))
}

/// Whether the return bit is set; `None` where it is not in the first dword.
fn returns_old(layout: &'static Layout, first: u32, target: &Target) -> Option<bool> {
    let bit = if target.has(Feature::ScBits) { FieldName::Sc0 } else { FieldName::Glc };
    Unpacker::new(layout, first as u128).get(bit).map(|bit| bit == 1)
}

/// A 32-bit vector format whose SRC0 is a marker has DPP or SDWA controls behind it.
fn native_or_form(op: Op, format: Format, layout: &'static Layout, first: u32, target: &Target) -> Found {
    if matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc)
        && let Some(encoding) = forms::marked(first & 0x1ff, false)
        && let Some(code) = op.opcode(target)
        && let Some((layout, ..)) = format::select(op, code, encoding, target)
    {
        return Found { op, encoding, format, layout };
    }
    Found { op, encoding: Encoding::Native, format, layout }
}

/// VOP3 numbers: rows of VOP3 and VOP3SD, then the VOP3 forms of VOPC, VOP2 and VOP1.
fn identify_vop3(number: u32, src0: u32, target: &Target) -> Option<Found> {
    let form = forms::marked(src0, true);
    for format in [Format::Vop3, Format::Vop3sd, Format::Vopc, Format::Vop2, Format::Vop1] {
        let base = format::vop3_base(format, target.column());
        let encoding = if base.is_some() { Encoding::Vop3 } else { Encoding::Native };
        let Some(number) = number.checked_sub(base.unwrap_or(0)) else { continue };
        for op in candidates(format, number, target) {
            let Some(code) = op.opcode(target) else { continue };
            for encoding in form.into_iter().chain([encoding]) {
                if let Some((layout, format, _)) = format::select(op, code, encoding, target) {
                    return Some(Found { op, encoding, format, layout });
                }
            }
        }
    }
    None
}

struct Decoder<'a> {
    op: Op,
    target: &'a Target,
    format: Format,
    encoding: Encoding,
    fields: Unpacker,
    /// What follows the instruction proper: literals.
    rest: &'a [u32],
    literal_dwords: usize,
    /// The same can be said, and the encoder says it, in another way: a literal that has an inline constant (as linkers
    /// leave them behind), an SMEM offset register beside a zero.
    synonym: bool,
    /// Upper halves that register codes say.
    op_sel: u8,
}

impl Decoder<'_> {
    fn bad(&self) -> DecodeError {
        DecodeError::Operand { op: self.op.name }
    }

    fn instruction(&mut self) -> Result<Inst, DecodeError> {
        use FieldName::*;
        self.fields.get(Op);
        self.pick_atomic();
        let op = self.op;
        let mut defs: SmallVec<[Reg; 2]> = SmallVec::new();
        for index in 0..op.defs.len() {
            let def = self.def(index)?;
            defs.push(def);
        }
        let has_base = self.has_base();
        let mut uses: SmallVec<[Operand; 4]> = SmallVec::new();
        for index in 0..op.uses.len() {
            let operand = match places::of_use(op, self.format, index) {
                Place::Tied => defs.get(op.tied_def(index)).map(|def| Operand::Reg(*def)).ok_or_else(|| self.bad())?,
                Place::Vcc => Operand::Reg(Reg::vcc(self.target.wave_lanes())),
                Place::LiteralDword => Operand::Imm(self.literal_dword()? as u64),
                Place::Field(name) => self.use_of(name, op.uses[index], index, has_base)?,
            };
            uses.push(operand);
        }
        // A compare that writes EXEC names it in VOP3; the encoder writes it again.
        if op.defs.is_empty() && op.flags.contains(Flags::WRITES_EXEC) && self.format == Format::Vop3 {
            self.fields.get(Vdst);
        }
        let mut inst = Inst::new(op, defs, uses);
        self.offsets(&mut inst);
        self.cache(&mut inst);
        self.modifiers(&mut inst);
        Ok(inst)
    }

    /// gfx12 has the return bit of an atomic in its second dword: take the row that it says.
    fn pick_atomic(&mut self) {
        if !is_atomic(self.op) {
            return;
        }
        if let Some(th) = self.fields.get(FieldName::Th) {
            let returns = th & 1 == 1;
            let Some(code) = self.op.opcode(self.target) else { return };
            let other = candidates(code.format, code.number as u32, self.target)
                .find(|op| is_atomic(*op) && op.returns_old() == returns);
            self.op = other.unwrap_or(self.op);
        }
    }

    fn def(&mut self, index: usize) -> Result<Reg, DecodeError> {
        let slot = self.op.defs[index];
        let dwords = slot.dwords(self.target.wave_lanes());
        match places::of_def(self.op, self.format, index) {
            Place::Vcc if self.fields.get(FieldName::SdstEnable) == Some(1) => {
                let code = self.fields.get_or_zero(FieldName::Sdst);
                operand::decode_scalar(code, dwords, self.target).ok_or_else(|| self.bad())
            }
            Place::Vcc => Ok(Reg::vcc(self.target.wave_lanes())),
            Place::Field(name) => {
                let code = self.fields.get_or_zero(name);
                let reg = match slot.kind {
                    SlotKind::Vgpr if name == FieldName::Src0 => {
                        code.checked_sub(operand::VGPR).and_then(|i| self.vgpr(i, slot, 0, dwords))
                    }
                    SlotKind::Vgpr => self.vgpr(code, slot, 3, dwords),
                    SlotKind::Agpr => Some(Reg::new(File::Agpr, code as u16, dwords)),
                    _ => operand::decode_scalar(code, dwords, self.target),
                };
                reg.ok_or_else(|| self.bad())
            }
            Place::Tied | Place::LiteralDword => Err(self.bad()),
        }
    }

    /// A VGPR by its number, whose bit 7 says "upper half" of a 16-bit operand in some encodings. `position` as in
    /// `Mods::op_sel`.
    fn vgpr(&mut self, code: u32, slot: Slot, position: usize, dwords: u8) -> Option<Reg> {
        let mut index = code;
        if slot.bits == 16 && encode::splits_halves(self.format, self.target) {
            self.op_sel |= ((code >> 7 & 1) as u8) << position;
            index &= 0x7f;
        }
        operand::decode_vgpr(index, dwords, self.target)
    }

    /// Whether GLOBAL or SCRATCH names an SGPR base.
    fn has_base(&mut self) -> bool {
        let code = self.fields.get(FieldName::Saddr);
        code.is_some_and(|code| code != operand::no_saddr(self.target) && !self.is_scratch_off(code))
    }

    /// gfx10 SCRATCH: neither a VGPR nor an SGPR address.
    fn is_scratch_off(&self, code: u32) -> bool {
        let enable = self.fields.layout.field(FieldName::VaddrEnable).is_some();
        self.format == Format::Scratch && !enable && self.target.has(Feature::ScratchOff) && code == 0x7f
    }

    fn next_literal(&mut self) -> Result<u32, DecodeError> {
        let dword = *self.rest.get(self.literal_dwords).ok_or(DecodeError::Truncated)?;
        self.literal_dwords += 1;
        Ok(dword)
    }

    /// The one literal dword, however many operands share it.
    fn literal_dword(&mut self) -> Result<u32, DecodeError> {
        if self.literal_dwords == 0 { self.next_literal() } else { Ok(self.rest[0]) }
    }

    fn literal_pair(&mut self) -> Result<u64, DecodeError> {
        if self.literal_dwords == 0 {
            self.next_literal()?;
            self.next_literal()?;
        }
        match self.rest {
            [low, high, ..] => Ok(*low as u64 | (*high as u64) << 32),
            _ => Err(DecodeError::Truncated),
        }
    }

    fn use_of(&mut self, name: FieldName, slot: Slot, position: usize, has_base: bool) -> Result<Operand, DecodeError> {
        let displaced = name == FieldName::Src0 && !matches!(self.encoding, Encoding::Native | Encoding::Vop3);
        let name = if displaced { FieldName::FormSrc0 } else { name };
        let dwords = places::dwords_of_use(slot, self.target.wave_lanes(), has_base);
        let target = self.target;
        match slot.kind {
            SlotKind::Simm16 | SlotKind::Label => Ok(Operand::Imm(self.fields.get_or_zero(name) as u64)),
            SlotKind::SgprOrOff if self.format == Format::Smem => self.scalar_offset(),
            SlotKind::SgprOrOff => {
                let code = self.fields.get_or_zero(name);
                if !has_base {
                    return Ok(Operand::Off);
                }
                operand::decode_scalar(code, dwords, target).map(Operand::Reg).ok_or_else(|| self.bad())
            }
            SlotKind::VgprOrOff => {
                let code = self.fields.get_or_zero(name);
                let there = match self.fields.get(FieldName::VaddrEnable) {
                    Some(bit) => bit == 1,
                    // Without the bit: an SGPR base, or gfx10's code for "neither", excludes it.
                    None => {
                        !has_base && !self.fields.get(FieldName::Saddr).is_some_and(|code| self.is_scratch_off(code))
                    }
                };
                if !there {
                    return if code == 0 { Ok(Operand::Off) } else { Err(self.bad()) };
                }
                operand::decode_vgpr(code, dwords, target).map(Operand::Reg).ok_or_else(|| self.bad())
            }
            SlotKind::Vgpr | SlotKind::VgprAddr => {
                let code = self.fields.get_or_zero(name);
                let nine_bits = matches!(name, FieldName::Src0 | FieldName::Src1 | FieldName::Src2);
                let index = if nine_bits { code.checked_sub(operand::VGPR) } else { Some(code) };
                index.and_then(|i| self.vgpr(i, slot, position, dwords)).map(Operand::Reg).ok_or_else(|| self.bad())
            }
            SlotKind::Agpr => {
                let index = self.fields.get_or_zero(name).checked_sub(operand::VGPR).ok_or_else(|| self.bad())?;
                Ok(Operand::Reg(Reg::new(File::Agpr, index as u16, dwords)))
            }
            SlotKind::Sgpr | SlotKind::Mask => {
                let code = self.fields.get_or_zero(name);
                let code = if name == FieldName::Sbase { code * 2 } else { code };
                operand::decode_scalar(code, dwords, target).map(Operand::Reg).ok_or_else(|| self.bad())
            }
            SlotKind::Src | SlotKind::Ssrc => self.source(name, slot, position, dwords),
            SlotKind::Literal => Ok(Operand::Imm(self.literal_dword()? as u64)),
        }
    }

    fn source(&mut self, name: FieldName, slot: Slot, position: usize, dwords: u8) -> Result<Operand, DecodeError> {
        let code = self.fields.get_or_zero(name);
        let vgpr = match name {
            FieldName::FormSrc0 if self.fields.get(FieldName::Src0Scalar) == Some(1) => None,
            FieldName::Vsrc1 if self.fields.get(FieldName::Src1Scalar) == Some(1) => None,
            FieldName::Vsrc1 | FieldName::FormSrc0 => Some(code),
            _ => code.checked_sub(operand::VGPR),
        };
        if let Some(index) = vgpr {
            return self.vgpr(index, slot, position, dwords).map(Operand::Reg).ok_or_else(|| self.bad());
        }
        if code == operand::LITERAL {
            let dword = self.literal_dword()?;
            let value = operand::literal_value(dword, slot);
            let value = value.ok_or(DecodeError::NotCanonical { op: self.op.name })?;
            self.synonym |= operand::encode_inline(value, slot).is_some();
            return Ok(Operand::Imm(value));
        }
        if code == operand::LITERAL64 && self.target.has(Feature::Literal64) && slot.bits == 64 {
            let value = self.literal_pair()?;
            self.synonym |= operand::encode_inline(value, slot).is_some() || operand::literal(value, slot).is_some();
            return Ok(Operand::Imm(value));
        }
        if let Some(value) = operand::decode_inline(code, slot) {
            return Ok(Operand::Imm(value));
        }
        operand::decode_scalar(code, dwords, self.target).map(Operand::Reg).ok_or_else(|| self.bad())
    }

    /// The SGPR offset of SMEM.
    fn scalar_offset(&mut self) -> Result<Operand, DecodeError> {
        use FieldName::*;
        let code = match (operand::null(self.target), self.fields.get(ImmEnable), self.fields.get(SoffsetEnable)) {
            (Some(null), ..) => {
                let code = self.fields.get_or_zero(Soffset);
                if code == null {
                    return Ok(Operand::Off);
                }
                code
            }
            (None, Some(1), Some(1)) => {
                self.synonym |= self.fields.get(OffsetSigned) == Some(0);
                self.fields.get_or_zero(Soffset)
            }
            // An SGPR alone stands in the offset field.
            (None, Some(0), Some(0)) => self.fields.get_or_zero(OffsetSigned),
            (None, ..) => return Ok(Operand::Off),
        };
        operand::decode_scalar(code, 1, self.target).map(Operand::Reg).ok_or_else(|| self.bad())
    }

    fn offsets(&mut self, inst: &mut Inst) {
        use FieldName::*;
        let mods = &mut inst.mods;
        if self.format == Format::Ds {
            let (low, high) = (self.fields.get_or_zero(Offset0), self.fields.get_or_zero(Offset1));
            if matches!(self.op.sem, Sem::Load(kind) | Sem::Store(kind) if kind.two) {
                (mods.offset0, mods.offset1) = (low as u8, high as u8);
            } else {
                mods.offset = (low | high << 8) as i32;
            }
            return;
        }
        if self.format == Format::Smem {
            let immediate = self.fields.get(ImmEnable).is_none_or(|bit| bit == 1);
            if inst.uses.is_empty() || !immediate {
                return;
            }
        }
        if let Some(offset) = self.fields.get(OffsetUnsigned) {
            mods.offset = offset as i32;
        }
        if let Some(width) = self.fields.layout.field(OffsetSigned).map(|field| field.width()) {
            let offset = self.fields.get_or_zero(OffsetSigned);
            mods.offset = (offset << (32 - width)) as i32 >> (32 - width);
        }
    }

    fn cache(&mut self, inst: &mut Inst) {
        use FieldName::*;
        let atomic = is_atomic(self.op);
        let mut cache = Cache::empty();
        for (flag, field) in [
            (Cache::GLC, Glc),
            (Cache::SLC, Slc),
            (Cache::DLC, Dlc),
            (Cache::SC0, Sc0),
            (Cache::SC1, Sc1),
            (Cache::NT, Nt),
        ] {
            cache.set(flag, self.fields.get_or_zero(field) == 1);
        }
        let scope = self.fields.get_or_zero(Scope);
        cache.set(Cache::SCOPE_SE, scope & 1 == 1);
        cache.set(Cache::SCOPE_DEV, scope & 2 == 2);
        cache.set(Cache::TH_NT, self.fields.get_or_zero(Th) & if atomic { 2 } else { 1 } != 0);
        if atomic {
            // The row says it.
            cache.remove(Cache::GLC | Cache::SC0);
        }
        inst.mods.cache = cache;
    }

    fn modifiers(&mut self, inst: &mut Inst) {
        use FieldName::*;
        let packed = self.format == Format::Vop3p;
        let fields = &mut self.fields;
        let mods = &mut inst.mods;
        mods.neg = fields.get_or_zero(Neg) as u8;
        mods.abs = fields.get_or_zero(if packed { NegHi } else { Abs }) as u8;
        mods.op_sel = fields.get_or_zero(OpSel) as u8 | self.op_sel;
        mods.op_sel_hi = (fields.get_or_zero(OpSelHi01) | fields.get_or_zero(OpSelHi2) << 2) as u8;
        mods.clamp = fields.get_or_zero(Clamp) == 1;
        mods.omod = fields.get_or_zero(Omod) as u8;
        mods.bitop3 = (fields.get_or_zero(Bitop3Low)
            | fields.get_or_zero(Bitop3Middle) << 3
            | fields.get_or_zero(Bitop3High) << 6) as u8;
        mods.neg |= (fields.get_or_zero(Src0Neg) | fields.get_or_zero(Src1Neg) << 1) as u8;
        mods.abs |= (fields.get_or_zero(Src0Abs) | fields.get_or_zero(Src1Abs) << 1) as u8;
        if self.encoding == Encoding::Sdwa {
            // Eight codes for seven parts: encoding again finds the eighth out.
            let sel = |code: Option<u32>| Sel::ALL[code.unwrap_or(6).min(6) as usize];
            mods.sdwa = Some(Sdwa {
                dst: sel(fields.get(DstSel)),
                unused: Unused::ALL[fields.get_or_zero(DstUnused).min(2) as usize],
                src: [sel(fields.get(Src0Sel)), sel(fields.get(Src1Sel))],
                sext: (fields.get_or_zero(Src0Sext) | fields.get_or_zero(Src1Sext) << 1) as u8,
            });
        }
        if !matches!(self.encoding, Encoding::Native | Encoding::Vop3) {
            // The marker.
            let marker = fields.get_or_zero(Src0);
            if let Some(ctrl) = fields.get(Dpp8Lanes) {
                let fetch_inactive = marker == forms::DPP8_FETCH_INACTIVE;
                mods.dpp = Some(Dpp { ctrl, fetch_inactive, ..Dpp::default() });
            }
        }
        if let Some(ctrl) = fields.get(DppCtrl) {
            mods.dpp = Some(Dpp {
                ctrl,
                row_mask: fields.get_or_zero(RowMask) as u8,
                bank_mask: fields.get_or_zero(BankMask) as u8,
                bound_ctrl: fields.get_or_zero(BoundCtrl) == 1,
                fetch_inactive: fields.get_or_zero(FetchInactive) == 1,
            });
        }
    }
}
