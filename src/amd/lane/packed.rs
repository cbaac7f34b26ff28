//! VOP3P: packed 16-bit integers and dot products.
//!
//! Spec: the AMD ISA manuals, "VOP3P Instructions". Sources come in raw: `op_sel` picks the half that makes the low
//! result, `op_sel_hi` the one that makes the high result; the dot products read `neg` as "signed" where they have it.
//! `clamp` saturates, here and not outside, because only the op knows its range.

use crate::amd::inst::Mods;

type In = [u64; 3];

/// Applies `f` to both halves.
fn halves(s: In, mods: &Mods, f: impl Fn([u16; 3]) -> u16) -> u64 {
    let half = |i: usize, select: u8| (s[i] >> if select >> i & 1 == 1 { 16 } else { 0 }) as u16;
    let side = |select: u8| f([half(0, select), half(1, select), half(2, select)]) as u64;
    side(mods.op_sel) | side(mods.op_sel_hi) << 16
}
/// The exact value, wrapped to 16 bits or clamped to the signed or unsigned range.
fn signed(exact: i64, clamp: bool) -> u16 {
    if clamp { exact.clamp(-0x8000, 0x7fff) as u16 } else { exact as u16 }
}
fn unsigned(exact: i64, clamp: bool) -> u16 {
    if clamp { exact.clamp(0, 0xffff) as u16 } else { exact as u16 }
}
fn i(v: u16) -> i64 {
    v as i16 as i64
}
fn u(v: u16) -> i64 {
    v as i64
}

pub fn pk_mad_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, c]| signed(i(a) * i(b) + i(c), m.clamp))
}
pub fn pk_mad_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, c]| unsigned(u(a) * u(b) + u(c), m.clamp))
}
pub fn pk_mul_lo_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| a.wrapping_mul(b))
}
pub fn pk_add_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| signed(i(a) + i(b), m.clamp))
}
pub fn pk_sub_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| signed(i(a) - i(b), m.clamp))
}
pub fn pk_add_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| unsigned(u(a) + u(b), m.clamp))
}
pub fn pk_sub_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| unsigned(u(a) - u(b), m.clamp))
}
pub fn pk_lshlrev_b16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| b << (a & 15))
}
pub fn pk_lshrrev_b16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| b >> (a & 15))
}
pub fn pk_ashrrev_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| (b as i16 >> (a & 15)) as u16)
}
pub fn pk_max_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| i(a).max(i(b)) as u16)
}
pub fn pk_min_i16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| i(a).min(i(b)) as u16)
}
pub fn pk_max_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| a.max(b))
}
pub fn pk_min_u16(s: In, m: &Mods) -> u64 {
    halves(s, m, |[a, b, _]| a.min(b))
}

/// Wrapped, or clamped to what the sum's type can hold.
fn sum_i32(exact: i64, clamp: bool) -> u64 {
    (if clamp { exact.clamp(i32::MIN as i64, i32::MAX as i64) } else { exact }) as u32 as u64
}
fn sum_u32(exact: i64, clamp: bool) -> u64 {
    (if clamp { exact.clamp(0, u32::MAX as i64) } else { exact }) as u32 as u64
}
fn byte(v: u64, at: usize, signed: bool) -> i64 {
    let byte = (v as u32).to_le_bytes()[at];
    if signed { byte as i8 as i64 } else { byte as i64 }
}
fn dot4(s: In, a_signed: bool, b_signed: bool) -> i64 {
    (0..4).map(|at| byte(s[0], at, a_signed) * byte(s[1], at, b_signed)).sum()
}
pub fn dot4_i32_i8(s: In, m: &Mods) -> u64 {
    sum_i32(dot4(s, true, true) + s[2] as i32 as i64, m.clamp)
}
pub fn dot4_u32_u8(s: In, m: &Mods) -> u64 {
    sum_u32(dot4(s, false, false) + s[2] as i64, m.clamp)
}
/// `neg_lo` bit 0 makes S0 signed, bit 1 S1.
pub fn dot4_i32_iu8(s: In, m: &Mods) -> u64 {
    sum_i32(dot4(s, m.neg & 1 != 0, m.neg & 2 != 0) + s[2] as i32 as i64, m.clamp)
}
/// The halves of S0 and S1 that `op_sel` and `op_sel_hi` pick; S2 is one dword.
fn dot2(s: In, m: &Mods, half: impl Fn(u16) -> i64) -> i64 {
    let pick = |i: usize, select: u8| half((s[i] >> if select >> i & 1 == 1 { 16 } else { 0 }) as u16);
    pick(0, m.op_sel) * pick(1, m.op_sel) + pick(0, m.op_sel_hi) * pick(1, m.op_sel_hi)
}
pub fn dot2_i32_i16(s: In, m: &Mods) -> u64 {
    sum_i32(dot2(s, m, i) + s[2] as i32 as i64, m.clamp)
}
pub fn dot2_u32_u16(s: In, m: &Mods) -> u64 {
    sum_u32(dot2(s, m, u) + s[2] as i64, m.clamp)
}
