//! Bit layouts of the instruction formats, as data, and the one packer and unpacker that read them.
//!
//! Spec: the AMD ISA manuals, "Microcode Formats". Which operand of a row goes into which field is in [`places`]; how a
//! register or constant becomes a number is in [`operand`].

pub(super) mod forms;
mod layouts;
pub(super) mod operand;
pub(super) mod places;

use super::inst::Encoding;
use super::lane::Sem;
use super::op::{Flags, Format, Op, Opcode};
use super::target::{Column, Target};

/// A field of an instruction, by the manuals' name.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FieldName {
    /// The opcode number.
    Op,
    Vdst,
    Sdst,
    Src0,
    Src1,
    Src2,
    /// The second source of VOP2 and VOPC: a VGPR.
    Vsrc1,
    Simm16,
    /// SMEM: the base pair, halved; the destination; the SGPR offset.
    Sbase,
    Sdata,
    Soffset,
    /// gfx9 SMEM: the offset field is there; the SGPR offset is there beside it.
    ImmEnable,
    SoffsetEnable,
    /// Memory: VGPR address, data, SGPR base.
    Addr,
    Data0,
    Data1,
    Saddr,
    /// SCRATCH: the VGPR address is there.
    VaddrEnable,
    /// Byte offsets, unsigned or two's complement, as wide as the field.
    OffsetUnsigned,
    OffsetSigned,
    /// DS: two 8-bit offsets, or the halves of one.
    Offset0,
    Offset1,
    Glc,
    Slc,
    Dlc,
    Sc0,
    Sc1,
    Nt,
    Scope,
    Th,
    /// One bit per source.
    Abs,
    Neg,
    NegHi,
    OpSel,
    /// Bits 0 and 1; bit 2 stands elsewhere.
    OpSelHi01,
    OpSelHi2,
    Clamp,
    Omod,
    /// `v_bitop3_b32`: bits 2:0, 5:3, 7:6 of its truth table.
    Bitop3Low,
    Bitop3Middle,
    Bitop3High,
    /// DPP and SDWA: the source that SRC0's marker code displaced, and the rest of its dword.
    FormSrc0,
    DppCtrl,
    FetchInactive,
    BoundCtrl,
    Src0Neg,
    Src0Abs,
    Src1Neg,
    Src1Abs,
    BankMask,
    RowMask,
    Dpp8Lanes,
    DstSel,
    DstUnused,
    Src0Sel,
    Src0Sext,
    Src0Scalar,
    Src1Sel,
    Src1Sext,
    Src1Scalar,
    /// A compare's destination is named; otherwise it is VCC.
    SdstEnable,
}

/// Bits `[hi:lo]`, inclusive, counted from bit 0 of the first dword.
#[derive(Copy, Clone, Debug)]
pub struct Field {
    pub name: FieldName,
    pub hi: u8,
    pub lo: u8,
}

impl Field {
    pub const fn mask(&self) -> u128 {
        ((1 << (self.hi - self.lo + 1)) - 1) << self.lo
    }
    pub const fn width(&self) -> u32 {
        (self.hi - self.lo + 1) as u32
    }
}

/// Bits that are always the same: the encoding's mark, the segment of FLAT.
#[derive(Copy, Clone, Debug)]
pub struct Mark {
    pub value: u128,
    pub hi: u8,
    pub lo: u8,
}

impl Mark {
    pub const fn mask(&self) -> u128 {
        ((1 << (self.hi - self.lo + 1)) - 1) << self.lo
    }
}

/// One format in one column.
#[derive(Debug)]
pub struct Layout {
    /// Without literals.
    pub dwords: u8,
    pub marks: &'static [Mark],
    pub fields: &'static [Field],
}

impl Layout {
    pub fn field(&self, name: FieldName) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }

    /// Whether a first dword carries those of this layout's marks that stand in it.
    pub fn matches_first_dword(&self, first: u32) -> bool {
        let mut marks = self.marks.iter().filter(|mark| mark.hi < 32);
        marks.all(|mark| first as u128 & mark.mask() == mark.value << mark.lo)
    }

    fn mark_bits(&self) -> u128 {
        self.marks.iter().fold(0, |bits, mark| bits | mark.value << mark.lo)
    }

    /// All bits that the layout knows.
    #[cfg(test)]
    fn known(&self) -> u128 {
        let marks = self.marks.iter().fold(0, |bits, mark| bits | mark.mask());
        self.fields.iter().fold(marks, |bits, field| bits | field.mask())
    }
}

/// Why a field could not take a value.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum PackError {
    /// The layout has no such field.
    Missing(FieldName),
    /// The value is wider than the field.
    TooWide(FieldName),
}

/// An instruction being put together.
pub struct Packer {
    pub layout: &'static Layout,
    bits: u128,
}

impl Packer {
    pub fn new(layout: &'static Layout) -> Packer {
        Packer { layout, bits: layout.mark_bits() }
    }

    pub fn set(&mut self, name: FieldName, value: u32) -> Result<(), PackError> {
        let field = self.layout.field(name).ok_or(PackError::Missing(name))?;
        if value as u64 >> field.width() != 0 {
            return Err(PackError::TooWide(name));
        }
        self.bits |= (value as u128) << field.lo;
        Ok(())
    }

    /// Sets a field that may be missing as long as its value is zero.
    pub fn set_if_any(&mut self, name: FieldName, value: u32) -> Result<(), PackError> {
        if value == 0 { Ok(()) } else { self.set(name, value) }
    }

    pub fn dwords(&self) -> impl Iterator<Item = u32> + use<> {
        let bits = self.bits;
        (0..self.layout.dwords).map(move |i| (bits >> (32 * i)) as u32)
    }
}

/// An instruction being taken apart. Every field must be asked for or be zero: see [`Unpacker::finish`].
pub struct Unpacker {
    pub layout: &'static Layout,
    bits: u128,
    /// Not asked for yet.
    rest: u128,
}

impl Unpacker {
    pub fn new(layout: &'static Layout, bits: u128) -> Unpacker {
        let used = if layout.dwords == 4 { u128::MAX } else { (1 << (32 * layout.dwords)) - 1 };
        let bits = bits & used;
        Unpacker { layout, bits, rest: bits & !layout.marks.iter().fold(0, |m, mark| m | mark.mask()) }
    }

    pub fn get(&mut self, name: FieldName) -> Option<u32> {
        let field = self.layout.field(name)?;
        self.rest &= !field.mask();
        Some(((self.bits & field.mask()) >> field.lo) as u32)
    }

    /// 0 where the layout lacks the field.
    pub fn get_or_zero(&mut self, name: FieldName) -> u32 {
        self.get(name).unwrap_or(0)
    }

    /// Whether all bits that nobody asked for are zero.
    pub fn finish(&self) -> bool {
        self.rest == 0
    }
}

/// The layout and opcode number of an op under an encoding; `None` where there is no such form.
pub fn select(op: Op, code: Opcode, encoding: Encoding, target: &Target) -> Option<(&'static Layout, Format, u32)> {
    let number = code.number as u32;
    if encoding == Encoding::Native {
        return Some((layout_of(code.format, op.is_bitop3(), target), code.format, number));
    }
    // Lane operations have no other form (`v_readfirstlane_b32`, `v_permlane64_b32`).
    if matches!(op.sem, Sem::Wave(_)) || op.flags.contains(Flags::ONE_FORM) {
        return None;
    }
    let as_vop3 = || match code.format {
        Format::Vop3 | Format::Vop3sd => Some((code.format, number)),
        format => {
            let format_as_vop3 = if op.defs.len() == 2 { Format::Vop3sd } else { Format::Vop3 };
            Some((format_as_vop3, vop3_base(format, target.column())? + number))
        }
    };
    match encoding {
        Encoding::Native => None,
        Encoding::Vop3 => {
            vop3_base(code.format, target.column())?;
            let (format, number) = as_vop3()?;
            Some((layout_of(format, false, target), format, number))
        }
        Encoding::Dpp16 | Encoding::Dpp8 => {
            // Compares by DPP came with RDNA3.
            let compare = code.format == Format::Vopc && matches!(target.column(), Column::Gfx9 | Column::Gfx10);
            if compare || !has_forms(op) || op.flags.contains(Flags::NO_DPP) {
                return None;
            }
            Some((forms::layout(code.format, encoding, false, target)?, code.format, number))
        }
        Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8 => {
            if !has_forms(op) || op.flags.contains(Flags::NO_DPP) {
                return None;
            }
            let (format, number) = as_vop3()?;
            Some((forms::layout(format, encoding, op.is_bitop3(), target)?, format, number))
        }
        Encoding::Sdwa => {
            if !has_forms(op) || op.flags.contains(Flags::NO_SDWA) {
                return None;
            }
            Some((forms::layout(code.format, encoding, false, target)?, code.format, number))
        }
    }
}

/// Whether the operands allow DPP and SDWA: none has 64 bits.
fn has_forms(op: Op) -> bool {
    op.defs.iter().chain(op.uses).all(|slot| slot.bits <= 32)
}

/// Where the VOP3 numbers of a 32-bit format start.
pub fn vop3_base(format: Format, column: Column) -> Option<u32> {
    match format {
        Format::Vopc => Some(0),
        Format::Vop2 => Some(0x100),
        Format::Vop1 => Some(if column == Column::Gfx9 { 0x140 } else { 0x180 }),
        Format::Sop1
        | Format::Sop2
        | Format::Sopc
        | Format::Sopk
        | Format::Sopp
        | Format::Smem
        | Format::Vop3
        | Format::Vop3sd
        | Format::Vop3p
        | Format::Ds
        | Format::Flat
        | Format::Global
        | Format::Scratch
        | Format::Mubuf => None,
    }
}

pub fn layout_of(format: Format, bitop3: bool, target: &Target) -> &'static Layout {
    if bitop3 { layouts::bitop3(target) } else { layouts::plain(format, target) }
}

/// The layouts in the order in which a first dword is to be compared with their marks: a longer mark first.
pub const DECODE_ORDER: [Format; 17] = [
    Format::Sop1,
    Format::Sopc,
    Format::Sopp,
    Format::Sopk,
    Format::Sop2,
    Format::Vop1,
    Format::Vopc,
    Format::Vop2,
    Format::Vop3p,
    Format::Vop3,
    Format::Smem,
    Format::Ds,
    Format::Flat,
    Format::Global,
    Format::Scratch,
    Format::Mubuf,
    // Told from VOP3 by its opcode.
    Format::Vop3sd,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_overlap() {
        let mut seen = 0;
        for layout in layouts::all().chain(forms::all()) {
            let mut taken = 0u128;
            let marks = layout.marks.iter().map(Mark::mask);
            for mask in marks.chain(layout.fields.iter().map(Field::mask)) {
                assert_eq!(taken & mask, 0, "{layout:#?}");
                taken |= mask;
            }
            assert_eq!(taken >> (32 * layout.dwords as u32), 0, "beyond the end: {layout:#?}");
            assert!(layout.field(FieldName::Op).is_some());
            assert_eq!(layout.known(), taken);
            seen += 1;
        }
        assert!(seen > 40, "{seen}");
    }
}
