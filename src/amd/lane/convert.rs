//! Conversions between integers and floats, and between sizes of float.
//!
//! Spec: the AMD ISA manuals, "VOP1 Instructions". To an integer: towards zero, saturating, NaN to 0. To a float: by MODE;
//! what makes an f16 or shortens an f64 goes by the rounding of f16/f64.

use super::FloatMode;
use super::float::{Rules, convert, result, source};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, Round};

type In = [u64; 3];

pub fn cvt_f32_i32([a, ..]: In, m: FloatMode) -> u64 {
    let rules = Rules::f32(m);
    result(Single::from_i128_r(a as i32 as i128, rules.round).value, rules)
}
pub fn cvt_f32_u32([a, ..]: In, m: FloatMode) -> u64 {
    let rules = Rules::f32(m);
    result(Single::from_u128_r(a as u128, rules.round).value, rules)
}
/// Every dword is exact in an f64.
pub fn cvt_f64_i32([a, ..]: In) -> u64 {
    (a as i32 as f64).to_bits()
}
pub fn cvt_f64_u32([a, ..]: In) -> u64 {
    (a as u32 as f64).to_bits()
}
fn ubyte(a: u64, at: u32) -> u64 {
    ((a >> (8 * at)) as u8 as f32).to_bits() as u64
}
pub fn cvt_f32_ubyte0([a, ..]: In) -> u64 {
    ubyte(a, 0)
}
pub fn cvt_f32_ubyte1([a, ..]: In) -> u64 {
    ubyte(a, 1)
}
pub fn cvt_f32_ubyte2([a, ..]: In) -> u64 {
    ubyte(a, 2)
}
pub fn cvt_f32_ubyte3([a, ..]: In) -> u64 {
    ubyte(a, 3)
}

/// Rust's `as` truncates and saturates like the hardware, NaN to 0.
fn float32(a: u64, m: FloatMode) -> f32 {
    f32::from_bits(source::<Single>(a, Rules::f32(m)).to_bits() as u32)
}
fn float64(a: u64, m: FloatMode) -> f64 {
    f64::from_bits(source::<Double>(a, Rules::f64(m)).to_bits() as u64)
}
pub fn cvt_u32_f32([a, ..]: In, m: FloatMode) -> u64 {
    float32(a, m) as u32 as u64
}
pub fn cvt_i32_f32([a, ..]: In, m: FloatMode) -> u64 {
    float32(a, m) as i32 as u32 as u64
}
pub fn cvt_u32_f64([a, ..]: In, m: FloatMode) -> u64 {
    float64(a, m) as u32 as u64
}
pub fn cvt_i32_f64([a, ..]: In, m: FloatMode) -> u64 {
    float64(a, m) as i32 as u32 as u64
}

pub fn cvt_f16_f32([a, ..]: In, m: FloatMode) -> u64 {
    convert::<Single, Half>(a, Rules::f32(m), Rules::f64(m))
}
pub fn cvt_f32_f16([a, ..]: In, m: FloatMode) -> u64 {
    let to = Rules { round: Round::NearestTiesToEven, ..Rules::f32(m) };
    convert::<Half, Single>(a & 0xffff, Rules::f64(m), to)
}
pub fn cvt_f32_f64([a, ..]: In, m: FloatMode) -> u64 {
    let to = Rules { round: Rules::f64(m).round, ..Rules::f32(m) };
    convert::<Double, Single>(a, Rules::f64(m), to)
}
pub fn cvt_f64_f32([a, ..]: In, m: FloatMode) -> u64 {
    convert::<Single, Double>(a, Rules::f32(m), Rules::f64(m))
}
/// S0 to a byte, put into byte S1\[1:0\] of S2 (`docs/errata.md`, 2).
pub fn cvt_pk_u8_f32([a, b, c]: In, m: FloatMode) -> u64 {
    let at = 8 * (b & 3);
    let byte = float32(a, m) as u8 as u64;
    c & !(0xff << at) & 0xffff_ffff | byte << at
}
/// To 16-bit integers: towards zero, saturating, NaN to 0.
pub fn cvt_pk_i16_f32([a, b, _]: In, m: FloatMode) -> u64 {
    let half = |v| float32(v, m) as i16 as u16 as u64;
    half(a) | half(b) << 16
}
pub fn cvt_pk_u16_f32([a, b, _]: In, m: FloatMode) -> u64 {
    let half = |v| float32(v, m) as u16 as u64;
    half(a) | half(b) << 16
}
/// A bf16 is the upper half of an f32.
pub fn cvt_f32_bf16([a, ..]: In) -> u64 {
    (a & 0xffff) << 16
}
/// To the nearest, ties to even, whatever MODE says.
pub fn cvt_pk_bf16_f32([a, b, _]: In, m: FloatMode) -> u64 {
    let to = Rules { round: Round::NearestTiesToEven, flush_results: false, ..Rules::f64(m) };
    let half = |bits| convert::<Single, BFloat>(bits, Rules::f32(m), to);
    half(a) | half(b) << 16
}
