//! How registers and constants become operand codes, and back.
//!
//! Spec: the AMD ISA manuals, "Operand Fields" and "Inline Constants". Codes are 9 bits: scalar operands and constants below
//! 256, VGPRs from 256.

use crate::amd::op::{Num, Slot};
use crate::amd::reg::{File, Reg};
use crate::amd::target::{Column, Feature, Target};

/// A literal follows: one dword, or two (gfx1250).
pub const LITERAL: u32 = 255;
pub const LITERAL64: u32 = 254;
pub const VGPR: u32 = 256;

const VCC: u32 = 106;
const TTMP: u32 = 108;
const EXEC: u32 = 126;
const FLAT_SCRATCH_BASE: u32 = 230;
const SHARED_BASE: u32 = 235;
const SHARED_LIMIT: u32 = 236;
const PRIVATE_BASE: u32 = 237;
const PRIVATE_LIMIT: u32 = 238;
const SCC: u32 = 253;

/// M0 and null changed places in GFX11; GFX9 has no null.
fn m0(target: &Target) -> u32 {
    match target.column() {
        Column::Gfx9 | Column::Gfx10 => 124,
        Column::Gfx11 | Column::Gfx12 => 125,
    }
}
pub fn null(target: &Target) -> Option<u32> {
    match target.column() {
        Column::Gfx9 => None,
        Column::Gfx10 => Some(125),
        Column::Gfx11 | Column::Gfx12 => Some(124),
    }
}

/// "No SGPR address" in SADDR of GLOBAL and SCRATCH.
pub fn no_saddr(target: &Target) -> u32 {
    null(target).unwrap_or(0x7f)
}

/// Why a register has no code.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RegError {
    /// The processor or the operand place lacks it.
    Unavailable,
    /// A tuple must start at a multiple of 2 or 4.
    Misaligned,
    OutOfRange,
}

/// The code of a register as a source; scalar ones are also the codes of destinations.
pub fn encode_reg(reg: Reg, target: &Target) -> Result<u32, RegError> {
    let gfx9 = target.column() == Column::Gfx9;
    let index = reg.index as u32;
    let end = index + reg.dwords as u32;
    let tuple = |base: u32, count: u32, align: u32| {
        if end > count {
            Err(RegError::OutOfRange)
        } else if !index.is_multiple_of(align) {
            Err(RegError::Misaligned)
        } else {
            Ok(base + index)
        }
    };
    // SGPR pairs are even, larger tuples start at a multiple of four.
    let scalar_align = match reg.dwords {
        0 | 1 => 1,
        2 => 2,
        _ => 4,
    };
    // A special register's halves have no codes of their own, or no names.
    let whole = |code: u32| if index == 0 && reg.dwords <= 2 { Ok(code) } else { Err(RegError::OutOfRange) };
    match reg.file {
        File::Vgpr => {
            let even = reg.dwords > 1 && target.has(Feature::EvenVgprTuples);
            tuple(VGPR, 256, if even { 2 } else { 1 })
        }
        File::Sgpr => tuple(0, target.processor().sgprs as u32, scalar_align),
        File::Ttmp => tuple(TTMP, 16, scalar_align),
        File::Vcc => tuple(VCC, 2, scalar_align),
        File::Exec => tuple(EXEC, 2, scalar_align),
        File::FlatScratch if gfx9 => tuple(102, 2, scalar_align),
        File::XnackMask if gfx9 => tuple(104, 2, scalar_align),
        File::M0 => tuple(m0(target), 1, 1),
        File::Null => null(target).ok_or(RegError::Unavailable),
        File::Scc => whole(SCC),
        File::SharedBase => whole(SHARED_BASE),
        File::SharedLimit => whole(SHARED_LIMIT),
        File::PrivateBase => whole(PRIVATE_BASE),
        File::PrivateLimit => whole(PRIVATE_LIMIT),
        File::FlatScratchBase if target.has(Feature::Literal64) => tuple(FLAT_SCRATCH_BASE, 2, scalar_align),
        File::Agpr | File::FlatScratch | File::XnackMask | File::FlatScratchBase => Err(RegError::Unavailable),
    }
}

/// The register of `dwords` dwords that a code below 256 names, if it is one.
pub fn decode_scalar(code: u32, dwords: u8, target: &Target) -> Option<Reg> {
    let gfx9 = target.column() == Column::Gfx9;
    let sgprs = target.processor().sgprs as u32;
    let reg = |file, first: u32| Some(Reg::new(file, (code - first) as u16, dwords));
    let named = |file| Some(Reg::new(file, 0, dwords));
    let reg = match code {
        _ if code < sgprs => reg(File::Sgpr, 0),
        102..=103 if gfx9 => reg(File::FlatScratch, 102),
        104..=105 if gfx9 => reg(File::XnackMask, 104),
        106..=107 => reg(File::Vcc, VCC),
        108..=123 => reg(File::Ttmp, TTMP),
        _ if code == m0(target) => Some(Reg::new(File::M0, 0, dwords)),
        _ if Some(code) == null(target) => Some(Reg::NULL),
        126..=127 => reg(File::Exec, EXEC),
        230..=231 if target.has(Feature::Literal64) => reg(File::FlatScratchBase, FLAT_SCRATCH_BASE),
        SHARED_BASE => named(File::SharedBase),
        SHARED_LIMIT => named(File::SharedLimit),
        PRIVATE_BASE => named(File::PrivateBase),
        PRIVATE_LIMIT => named(File::PrivateLimit),
        SCC => named(File::Scc),
        _ => None,
    }?;
    // Misaligned or overlong tuples have codes but are no operands.
    encode_reg(reg, target).is_ok().then_some(reg)
}

/// The number of an accumulation VGPR.
pub fn encode_agpr(reg: Reg, target: &Target) -> Result<u32, RegError> {
    match reg.file {
        File::Agpr if reg.index as u32 + reg.dwords as u32 > 256 => Err(RegError::OutOfRange),
        File::Agpr if target.has(Feature::Mai) => Ok(reg.index as u32),
        _ => Err(RegError::Unavailable),
    }
}

pub fn decode_vgpr(index: u32, dwords: u8, target: &Target) -> Option<Reg> {
    let reg = Reg::vn(index as u16, dwords);
    encode_reg(reg, target).is_ok().then_some(reg)
}

/// The float constants 240 to 248: 0.5, -0.5, 1, -1, 2, -2, 4, -4, 1/(2 pi), as the assembler spells them and as the bits of
/// each size.
struct Inline {
    text: &'static str,
    half: u16,
    single: u32,
    double: u64,
}
const fn inline(text: &'static str, half: u16, single: u32, double: u64) -> Inline {
    Inline { text, half, single, double }
}
const INLINE_FLOATS: [Inline; 9] = [
    inline("0.5", 0x3800, 0x3f00_0000, 0x3fe0_0000_0000_0000),
    inline("-0.5", 0xb800, 0xbf00_0000, 0xbfe0_0000_0000_0000),
    inline("1.0", 0x3c00, 0x3f80_0000, 0x3ff0_0000_0000_0000),
    inline("-1.0", 0xbc00, 0xbf80_0000, 0xbff0_0000_0000_0000),
    inline("2.0", 0x4000, 0x4000_0000, 0x4000_0000_0000_0000),
    inline("-2.0", 0xc000, 0xc000_0000, 0xc000_0000_0000_0000),
    inline("4.0", 0x4400, 0x4080_0000, 0x4010_0000_0000_0000),
    inline("-4.0", 0xc400, 0xc080_0000, 0xc010_0000_0000_0000),
    inline("0.15915494", 0x3118, 0x3e22_f983, 0x3fc4_5f30_6dc9_c882),
];
/// LLVM prints 1/(2 pi) of a 64-bit slot with all its digits.
const INV_2PI_64: &str = "0.15915494309189532";

impl Inline {
    /// The value in a slot; a 16-bit integer slot has no float constants.
    fn value(&self, slot: Slot) -> Option<u64> {
        match (slot.bits, slot.num) {
            (16, Num::Float) | (_, Num::PackedHalf) => Some(self.half as u64),
            (16, Num::Bits) => None,
            (32, _) => Some(self.single as u64),
            (64, _) => Some(self.double),
            _ => None,
        }
    }
}

fn mask(bits: u16) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}

/// The code of a value that has an inline constant: -16 to 64 and the floats.
pub fn encode_inline(value: u64, slot: Slot) -> Option<u32> {
    let shift = 64 - slot.bits.min(64) as u32;
    let signed = (value << shift) as i64 >> shift;
    match signed {
        0..=64 => Some(128 + signed as u32),
        -16..=-1 => Some(192 + signed.unsigned_abs() as u32),
        _ => INLINE_FLOATS.iter().position(|c| c.value(slot) == Some(value)).map(|at| 240 + at as u32),
    }
}

/// The value of an inline constant code in a slot.
pub fn decode_inline(code: u32, slot: Slot) -> Option<u64> {
    match code {
        128..=192 => Some((code - 128) as u64),
        193..=208 => Some((192 - code as i64) as u64 & mask(slot.bits)),
        240..=248 => INLINE_FLOATS[(code - 240) as usize].value(slot),
        _ => None,
    }
}

/// How the assembler writes an inline constant of a slot, `None` where the value is not one.
pub fn inline_text(value: u64, slot: Slot) -> Option<String> {
    match encode_inline(value, slot)? {
        code @ 128..=192 => Some((code - 128).to_string()),
        code @ 193..=208 => Some((192 - code as i64).to_string()),
        248 if slot.bits == 64 => Some(INV_2PI_64.to_string()),
        code => Some(INLINE_FLOATS[(code - 240) as usize].text.to_string()),
    }
}

/// The dword that says a value as a 32-bit literal of a slot. A double's literal is its high half. A 64-bit integer's is
/// given only where zero and sign extension agree (`docs/errata.md`, 3).
pub fn literal(value: u64, slot: Slot) -> Option<u32> {
    match (slot.bits, slot.num) {
        (64, Num::Float) => (value as u32 == 0).then_some((value >> 32) as u32),
        (64, Num::Bits | Num::PackedHalf) => (value < 1 << 31).then_some(value as u32),
        (bits, _) => (value <= mask(bits)).then_some(value as u32),
    }
}

/// The value of a literal dword, `None` where the slot cannot have come from [`literal`].
pub fn literal_value(dword: u32, slot: Slot) -> Option<u64> {
    let value = match (slot.bits, slot.num) {
        (64, Num::Float) => (dword as u64) << 32,
        _ => dword as u64,
    };
    (literal(value, slot) == Some(dword)).then_some(value)
}
