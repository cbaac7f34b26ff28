//! Integer vector ops on 16 bits.
//!
//! Spec: the AMD ISA manuals, "VOP1", "VOP2" and "VOP3 Instructions". Shift amounts are masked, not clamped; `clamp` saturates
//! sums.

use crate::amd::inst::Mods;

type In = [u64; 3];

const M16: u64 = 0xffff;

fn i(v: u64) -> i64 {
    v as i16 as i64
}
/// The exact value, wrapped to 16 bits or clamped to the signed or unsigned range.
fn signed(exact: i64, mods: &Mods) -> u64 {
    (if mods.clamp { exact.clamp(-0x8000, 0x7fff) } else { exact }) as u64 & M16
}
fn unsigned(exact: i64, mods: &Mods) -> u64 {
    (if mods.clamp { exact.clamp(0, 0xffff) } else { exact }) as u64 & M16
}

pub fn add_nc_u16([a, b, _]: In, m: &Mods) -> u64 {
    unsigned((a & M16) as i64 + (b & M16) as i64, m)
}
pub fn sub_nc_u16([a, b, _]: In, m: &Mods) -> u64 {
    unsigned((a & M16) as i64 - (b & M16) as i64, m)
}
pub fn subrev_nc_u16([a, b, _]: In, m: &Mods) -> u64 {
    sub_nc_u16([b, a, 0], m)
}
pub fn add_nc_i16([a, b, _]: In, m: &Mods) -> u64 {
    signed(i(a) + i(b), m)
}
pub fn sub_nc_i16([a, b, _]: In, m: &Mods) -> u64 {
    signed(i(a) - i(b), m)
}
pub fn mad_u16([a, b, c]: In, m: &Mods) -> u64 {
    unsigned(((a & M16) * (b & M16) + (c & M16)) as i64, m)
}
pub fn mad_i16([a, b, c]: In, m: &Mods) -> u64 {
    signed(i(a) * i(b) + i(c), m)
}
pub fn mul_lo_u16([a, b, _]: In) -> u64 {
    ((a & M16) * (b & M16)) & M16
}
/// 32 bits from 16-bit factors; with `clamp` the sum saturates.
pub fn mad_u32_u16([a, b, c]: In, m: &Mods) -> u64 {
    let exact = (a & M16) * (b & M16) + c;
    if m.clamp { exact.min(0xffff_ffff) } else { exact & 0xffff_ffff }
}
pub fn mad_i32_i16([a, b, c]: In, m: &Mods) -> u64 {
    let exact = i(a) * i(b) + c as i32 as i64;
    (if m.clamp { exact.clamp(i32::MIN as i64, i32::MAX as i64) } else { exact }) as u32 as u64
}

pub fn lshlrev_b16([a, b, _]: In) -> u64 {
    b << (a & 15) & M16
}
pub fn lshrrev_b16([a, b, _]: In) -> u64 {
    (b & M16) >> (a & 15)
}
pub fn ashrrev_i16([a, b, _]: In) -> u64 {
    (b as i16 >> (a & 15)) as u16 as u64
}
pub fn not_b16([a, ..]: In) -> u64 {
    !a & M16
}
pub fn min_i16([a, b, _]: In) -> u64 {
    (a as i16).min(b as i16) as u16 as u64
}
pub fn max_i16([a, b, _]: In) -> u64 {
    (a as i16).max(b as i16) as u16 as u64
}
pub fn min_u16([a, b, _]: In) -> u64 {
    (a & M16).min(b & M16)
}
pub fn max_u16([a, b, _]: In) -> u64 {
    (a & M16).max(b & M16)
}
pub fn min3_i16([a, b, c]: In) -> u64 {
    min_i16([min_i16([a, b, 0]), c, 0])
}
pub fn max3_i16([a, b, c]: In) -> u64 {
    max_i16([max_i16([a, b, 0]), c, 0])
}
pub fn min3_u16([a, b, c]: In) -> u64 {
    min_u16([min_u16([a, b, 0]), c, 0])
}
pub fn max3_u16([a, b, c]: In) -> u64 {
    max_u16([max_u16([a, b, 0]), c, 0])
}
/// The middle one of three.
pub fn med3_i16([a, b, c]: In) -> u64 {
    let mut sorted = [a as i16, b as i16, c as i16];
    sorted.sort_unstable();
    sorted[1] as u16 as u64
}
pub fn med3_u16([a, b, c]: In) -> u64 {
    let mut sorted = [a as u16, b as u16, c as u16];
    sorted.sort_unstable();
    sorted[1] as u64
}

pub fn cvt_i32_i16([a, ..]: In) -> u64 {
    a as i16 as u32 as u64
}
pub fn cvt_u32_u16([a, ..]: In) -> u64 {
    a & M16
}
/// Two signed halves to two bytes, saturating.
pub fn sat_pk_u8_i16([a, ..]: In) -> u64 {
    let byte = |half: u64| (half as i16).clamp(0, 255) as u64;
    byte(a) | byte(a >> 16) << 8
}
