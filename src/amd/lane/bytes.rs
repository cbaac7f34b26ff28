//! Bit fields, bytes and packs of a dword.
//!
//! Spec: the AMD ISA manuals, "VOP3 Instructions".

use crate::amd::inst::Mods;

type In = [u64; 3];

const M32: u64 = 0xffff_ffff;

/// D.byte\[i\] = what selector byte i names: 0 to 3 a byte of S1, 4 to 7 a byte of S0, 8 to 11 the sign of byte 1, 3, 5 or
/// 7 of {S0, S1}, 12 zero, 13 and above ones.
pub fn perm_b32([a, b, c]: In) -> u64 {
    let data = (a << 32 | b).to_le_bytes();
    let sign = |byte: u8| if byte & 0x80 != 0 { 0xff } else { 0 };
    let pick = |selector: u8| match selector {
        0..=7 => data[selector as usize],
        8..=11 => sign(data[(selector as usize - 8) * 2 + 1]),
        12 => 0,
        13..=255 => 0xff,
    };
    u32::from_le_bytes((c as u32).to_le_bytes().map(pick)) as u64
}
/// {S0, S1} >> S2\[4:0\].
pub fn alignbit_b32([a, b, c]: In) -> u64 {
    (a << 32 | b) >> (c & 31) & M32
}
/// {S0, S1} >> 8 * S2\[1:0\].
pub fn alignbyte_b32([a, b, c]: In) -> u64 {
    (a << 32 | b) >> (8 * (c & 3)) & M32
}
/// S1\[4:0\] is the offset, S2\[4:0\] the width: 32 cannot be said.
pub fn bfe_u32([a, b, c]: In) -> u64 {
    a >> (b & 31) & ((1 << (c & 31)) - 1)
}
pub fn bfe_i32([a, b, c]: In) -> u64 {
    let width = c & 31;
    if width == 0 {
        return 0;
    }
    // An offset near the top leaves fewer bits than the width; the field is then extended from its own top bit, which the
    // logical view of the manual (shift, then mask) takes from the arithmetic shift.
    let shifted = a as i32 >> (b & 31);
    (shifted << (32 - width) >> (32 - width)) as u32 as u64
}
pub fn bfi_b32([a, b, c]: In) -> u64 {
    a & b | !a & c & M32
}
/// S0\[4:0\] ones at S1\[4:0\].
pub fn bfm_b32([a, b, _]: In) -> u64 {
    ((1 << (a & 31)) - 1) << (b & 31) & M32
}
/// Bit i of the truth table is the result where (S0, S1, S2) are the bits of i, S0 the highest.
pub fn bitop3_b32([a, b, c]: In, mods: &Mods) -> u64 {
    let mut d = 0;
    for row in 0..8u64 {
        if mods.bitop3 >> row & 1 == 1 {
            let side = |v: u64, bit: u64| if row >> bit & 1 == 1 { v } else { !v };
            d |= side(a, 2) & side(b, 1) & side(c, 0);
        }
    }
    d & M32
}

fn bytes(v: u64) -> [u8; 4] {
    (v as u32).to_le_bytes()
}
/// Byte-wise average, rounding up where bit 0 of S2's byte is set.
pub fn lerp_u8([a, b, c]: In) -> u64 {
    let (a, b, c) = (bytes(a), bytes(b), bytes(c));
    u32::from_le_bytes(std::array::from_fn(|i| ((a[i] as u16 + b[i] as u16 + (c[i] & 1) as u16) >> 1) as u8)) as u64
}
pub fn sad_u8([a, b, c]: In) -> u64 {
    let (a, b) = (bytes(a), bytes(b));
    let sum: u64 = (0..4).map(|i| a[i].abs_diff(b[i]) as u64).sum();
    (sum + c) & M32
}
pub fn sad_u32([a, b, c]: In) -> u64 {
    (a.abs_diff(b) + c) & M32
}
/// Both halves saturate.
pub fn cvt_pk_u16_u32([a, b, _]: In) -> u64 {
    a.min(0xffff) | b.min(0xffff) << 16
}
pub fn cvt_pk_i16_i32([a, b, _]: In) -> u64 {
    let half = |v: u64| (v as i32).clamp(-0x8000, 0x7fff) as u16 as u64;
    half(a) | half(b) << 16
}
/// As `sad_u8`, bytes where S1 is zero left out.
pub fn msad_u8([a, b, c]: In) -> u64 {
    let (a, b) = (bytes(a), bytes(b));
    let sum: u64 = (0..4).filter(|&i| b[i] != 0).map(|i| a[i].abs_diff(b[i]) as u64).sum();
    (sum + c) & M32
}
pub fn sad_hi_u8([a, b, c]: In) -> u64 {
    ((sad_u8([a, b, 0]) << 16) + c) & M32
}
pub fn sad_u16([a, b, c]: In) -> u64 {
    let half = |v: u64, at: u32| (v >> at) as u16;
    let sum = |at| half(a, at).abs_diff(half(b, at)) as u64;
    (sum(0) + sum(16) + c) & M32
}
