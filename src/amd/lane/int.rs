//! Integer vector ops on 32 and 64 bits.
//!
//! Spec: the AMD ISA manuals, "VOP1", "VOP2", "VOP3" and "VOP3SD Instructions". Shift amounts are masked, not clamped.

use crate::amd::inst::Mods;

type In = [u64; 3];

const M32: u64 = 0xffff_ffff;
/// What a find op gives when there is nothing to find: -1.
const NONE: u64 = M32;

pub fn mov([a, ..]: In) -> u64 {
    a
}
pub fn not_b32([a, ..]: In) -> u64 {
    !a & M32
}
pub fn bfrev_b32([a, ..]: In) -> u64 {
    (a as u32).reverse_bits() as u64
}
pub fn clz_i32_u32([a, ..]: In) -> u64 {
    if a == 0 { NONE } else { (a as u32).leading_zeros() as u64 }
}
pub fn ctz_i32_b32([a, ..]: In) -> u64 {
    if a == 0 { NONE } else { a.trailing_zeros() as u64 }
}
/// Distance from the top of the first bit that differs from the sign.
pub fn cls_i32([a, ..]: In) -> u64 {
    let flipped = a as u32 ^ (a as i32 >> 31) as u32;
    if flipped == 0 { NONE } else { flipped.leading_zeros() as u64 }
}
pub fn bcnt_u32_b32([a, b, _]: In) -> u64 {
    (b + a.count_ones() as u64) & M32
}

pub fn cndmask_b32(a: u64, b: u64, mask: bool) -> u64 {
    if mask { b } else { a }
}

fn u24(v: u64) -> u64 {
    v & 0xff_ffff
}
fn i24(v: u64) -> i64 {
    (v << 40) as i64 >> 40
}
pub fn mul_i32_i24([a, b, _]: In) -> u64 {
    (i24(a) * i24(b)) as u64 & M32
}
pub fn mul_hi_i32_i24([a, b, _]: In) -> u64 {
    ((i24(a) * i24(b)) >> 32) as u64 & M32
}
pub fn mul_u32_u24([a, b, _]: In) -> u64 {
    (u24(a) * u24(b)) & M32
}
pub fn mul_hi_u32_u24([a, b, _]: In) -> u64 {
    (u24(a) * u24(b)) >> 32
}
pub fn mad_i32_i24([a, b, c]: In) -> u64 {
    (i24(a) * i24(b) + c as i64) as u64 & M32
}
pub fn mad_u32_u24([a, b, c]: In) -> u64 {
    (u24(a) * u24(b) + c) & M32
}
pub fn mul_lo_u32([a, b, _]: In) -> u64 {
    a.wrapping_mul(b) & M32
}
pub fn mul_hi_u32([a, b, _]: In) -> u64 {
    (a * b) >> 32
}
pub fn mul_hi_i32([a, b, _]: In) -> u64 {
    ((a as i32 as i64 * b as i32 as i64) >> 32) as u64 & M32
}
pub fn mad_u32([a, b, c]: In) -> u64 {
    a.wrapping_mul(b).wrapping_add(c) & M32
}
/// The mask bit is the carry out of 64 bits.
pub fn mad_u64_u32([a, b, c]: In) -> (u64, bool) {
    (a * b).overflowing_add(c)
}
/// The mask bit is bit 64 of the signed sum: its sign, which bit 63 is not where it overflows.
pub fn mad_i64_i32([a, b, c]: In) -> (u64, bool) {
    let sum = a as i32 as i128 * b as i32 as i128 + c as i64 as i128;
    (sum as u64, sum < 0)
}
pub fn mad_nc_u64_u32(s: In) -> u64 {
    mad_u64_u32(s).0
}
pub fn mad_nc_i64_i32(s: In) -> u64 {
    mad_i64_i32(s).0
}

pub fn min_i32([a, b, _]: In) -> u64 {
    (a as i32).min(b as i32) as u32 as u64
}
pub fn max_i32([a, b, _]: In) -> u64 {
    (a as i32).max(b as i32) as u32 as u64
}
pub fn min_u32([a, b, _]: In) -> u64 {
    a.min(b)
}
pub fn max_u32([a, b, _]: In) -> u64 {
    a.max(b)
}
pub fn min_i64([a, b, _]: In) -> u64 {
    (a as i64).min(b as i64) as u64
}
pub fn max_i64([a, b, _]: In) -> u64 {
    (a as i64).max(b as i64) as u64
}
pub fn min_u64([a, b, _]: In) -> u64 {
    a.min(b)
}
pub fn max_u64([a, b, _]: In) -> u64 {
    a.max(b)
}
pub fn min3_i32([a, b, c]: In) -> u64 {
    min_i32([min_i32([a, b, 0]), c, 0])
}
pub fn max3_i32([a, b, c]: In) -> u64 {
    max_i32([max_i32([a, b, 0]), c, 0])
}
pub fn min3_u32([a, b, c]: In) -> u64 {
    a.min(b).min(c)
}
pub fn max3_u32([a, b, c]: In) -> u64 {
    a.max(b).max(c)
}
/// The maximum of S2 and the minimum of the others.
pub fn minmax_i32([a, b, c]: In) -> u64 {
    max_i32([min_i32([a, b, 0]), c, 0])
}
pub fn maxmin_i32([a, b, c]: In) -> u64 {
    min_i32([max_i32([a, b, 0]), c, 0])
}
pub fn minmax_u32([a, b, c]: In) -> u64 {
    a.min(b).max(c)
}
pub fn maxmin_u32([a, b, c]: In) -> u64 {
    a.max(b).min(c)
}
/// The middle one of three.
pub fn med3_i32([a, b, c]: In) -> u64 {
    let mut sorted = [a as i32, b as i32, c as i32];
    sorted.sort_unstable();
    sorted[1] as u32 as u64
}
pub fn med3_u32([a, b, c]: In) -> u64 {
    let mut sorted = [a, b, c];
    sorted.sort_unstable();
    sorted[1]
}

pub fn lshlrev_b32([a, b, _]: In) -> u64 {
    b << (a & 31) & M32
}
pub fn lshrrev_b32([a, b, _]: In) -> u64 {
    b >> (a & 31)
}
pub fn ashrrev_i32([a, b, _]: In) -> u64 {
    (b as i32 >> (a & 31)) as u32 as u64
}
pub fn lshlrev_b64([a, b, _]: In) -> u64 {
    b << (a & 63)
}
pub fn lshrrev_b64([a, b, _]: In) -> u64 {
    b >> (a & 63)
}
pub fn ashrrev_i64([a, b, _]: In) -> u64 {
    (b as i64 >> (a & 63)) as u64
}

pub fn and_b32([a, b, _]: In) -> u64 {
    a & b
}
pub fn or_b32([a, b, _]: In) -> u64 {
    a | b
}
pub fn xor_b32([a, b, _]: In) -> u64 {
    a ^ b
}
pub fn xnor_b32([a, b, _]: In) -> u64 {
    !(a ^ b) & M32
}
pub fn or3_b32([a, b, c]: In) -> u64 {
    a | b | c
}
pub fn xor3_b32([a, b, c]: In) -> u64 {
    a ^ b ^ c
}
pub fn and_or_b32([a, b, c]: In) -> u64 {
    a & b | c
}
pub fn lshl_or_b32([a, b, c]: In) -> u64 {
    lshlrev_b32([b, a, 0]) | c
}

/// The mask bit is the carry out.
pub fn add_co_u32(a: u64, b: u64, _: bool) -> (u64, bool) {
    add_co_ci_u32(a, b, false)
}
pub fn sub_co_u32(a: u64, b: u64, _: bool) -> (u64, bool) {
    sub_co_ci_u32(a, b, false)
}
pub fn subrev_co_u32(a: u64, b: u64, _: bool) -> (u64, bool) {
    sub_co_ci_u32(b, a, false)
}
pub fn add_co_ci_u32(a: u64, b: u64, carry: bool) -> (u64, bool) {
    let sum = a + b + carry as u64;
    (sum & M32, sum > M32)
}
/// The mask bit is the borrow, in and out.
pub fn sub_co_ci_u32(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    let subtrahend = b + borrow as u64;
    (a.wrapping_sub(subtrahend) & M32, subtrahend > a)
}
pub fn subrev_co_ci_u32(a: u64, b: u64, borrow: bool) -> (u64, bool) {
    sub_co_ci_u32(b, a, borrow)
}
pub fn add_nc_u32([a, b, _]: In) -> u64 {
    (a + b) & M32
}
pub fn sub_nc_u32([a, b, _]: In) -> u64 {
    a.wrapping_sub(b) & M32
}
pub fn subrev_nc_u32([a, b, _]: In) -> u64 {
    b.wrapping_sub(a) & M32
}
/// With `clamp` the sum saturates.
pub fn add_nc_i32([a, b, _]: In, mods: &Mods) -> u64 {
    let (a, b) = (a as i32, b as i32);
    (if mods.clamp { a.saturating_add(b) } else { a.wrapping_add(b) }) as u32 as u64
}
pub fn sub_nc_i32([a, b, _]: In, mods: &Mods) -> u64 {
    let (a, b) = (a as i32, b as i32);
    (if mods.clamp { a.saturating_sub(b) } else { a.wrapping_sub(b) }) as u32 as u64
}
pub fn add_nc_u64([a, b, _]: In) -> u64 {
    a.wrapping_add(b)
}
pub fn sub_nc_u64([a, b, _]: In) -> u64 {
    a.wrapping_sub(b)
}
pub fn mul_u64([a, b, _]: In) -> u64 {
    a.wrapping_mul(b)
}
pub fn add3_u32([a, b, c]: In) -> u64 {
    (a + b + c) & M32
}
pub fn xad_u32([a, b, c]: In) -> u64 {
    ((a ^ b) + c) & M32
}
pub fn lshl_add_u32([a, b, c]: In) -> u64 {
    ((a << (b & 31)) + c) & M32
}
pub fn add_lshl_u32([a, b, c]: In) -> u64 {
    (a + b) << (c & 31) & M32
}
/// The amount is S1[2:0].
pub fn lshl_add_u64([a, b, c]: In) -> u64 {
    (a << (b & 7)).wrapping_add(c)
}
