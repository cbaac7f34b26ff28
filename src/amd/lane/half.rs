//! f16 arithmetic, compares and conversions, alone and in pairs.
//!
//! Spec: the AMD ISA manuals, "VOP1", "VOP2", "VOP3", "VOP3P" and "VOPC Instructions". f16 goes by the f16/f64 part of MODE.
//! The transcendental ops promise half an ulp and a bit; here they are computed in f64 and rounded once.

use super::FloatMode;
use super::float::{
    Rules, arithmetic, class, convert, div_fixup, extreme, first_nan, fract, integral, middle, result, source,
};
use crate::amd::inst::Mods;
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering::{Equal, Greater, Less};
use std::f64::consts::TAU;

type In = [u64; 3];

const M16: u64 = 0xffff;

pub fn add_f16([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f64(m), |[a, b]: [Half; 2], r| a.add_r(b, r).value)
}
pub fn sub_f16([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f64(m), |[a, b]: [Half; 2], r| a.sub_r(b, r).value)
}
pub fn subrev_f16([a, b, _]: In, m: FloatMode) -> u64 {
    sub_f16([b, a, 0], m)
}
pub fn mul_f16([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f64(m), |[a, b]: [Half; 2], r| a.mul_r(b, r).value)
}
pub fn fma_f16(s: In, m: FloatMode) -> u64 {
    arithmetic(s, Rules::f64(m), |[a, b, c]: [Half; 3], r| a.mul_add_r(b, c, r).value)
}
pub fn min_f16([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Half>(a, b, Rules::f64(m), m.ieee, Less)
}
pub fn max_f16([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Half>(a, b, Rules::f64(m), m.ieee, Greater)
}
pub fn min3_f16([a, b, c]: In, m: FloatMode) -> u64 {
    min_f16([min_f16([a, b, 0], m), c, 0], m)
}
pub fn max3_f16([a, b, c]: In, m: FloatMode) -> u64 {
    max_f16([max_f16([a, b, 0], m), c, 0], m)
}
pub fn med3_f16(s: In, m: FloatMode) -> u64 {
    middle::<Half>(s, m, min3_f16, max_f16)
}
pub fn div_fixup_f16(s: In, m: FloatMode) -> u64 {
    // The text has no underflow case for f16.
    div_fixup::<Half>(s, Rules::f64(m), i32::MIN)
}
/// S0 * 2 ** S1, S1 a signed 16-bit integer.
pub fn ldexp_f16([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a], Rules::f64(m), |[a]: [Half; 1], r| a.scalbn_r(b as i16 as i32, r))
}
pub fn floor_f16([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Half>(a, Rules::f64(m), Round::TowardNegative)
}
pub fn ceil_f16([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Half>(a, Rules::f64(m), Round::TowardPositive)
}
pub fn trunc_f16([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Half>(a, Rules::f64(m), Round::TowardZero)
}
pub fn rndne_f16([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Half>(a, Rules::f64(m), Round::NearestTiesToEven)
}
pub fn fract_f16([a, ..]: In, m: FloatMode) -> u64 {
    fract::<Half>(a, Rules::f64(m))
}

/// An f16 as an f64, which holds every one of them.
fn wide(a: u64, m: FloatMode) -> f64 {
    let value: Half = source(a & M16, Rules::f64(m));
    let value: Double = value.convert(&mut false).value;
    f64::from_bits(value.to_bits() as u64)
}
fn unary(a: u64, m: FloatMode, f: impl Fn(f64) -> f64) -> u64 {
    if let Some(nan) = first_nan(&[Half::from_bits((a & M16) as u128)]) {
        return nan.to_bits() as u64;
    }
    let d = f(wide(a, m));
    if d.is_nan() {
        return 0x7e00;
    }
    let d: Half = Double::from_bits(d.to_bits() as u128).convert_r(Round::NearestTiesToEven, &mut false).value;
    result(d, Rules::f64(m))
}
pub fn rcp_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, f64::recip)
}
pub fn sqrt_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, f64::sqrt)
}
pub fn rsq_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, |x| x.sqrt().recip())
}
pub fn log_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, f64::log2)
}
pub fn exp_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, f64::exp2)
}
/// The argument is in turns.
pub fn sin_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, |x| if x.is_infinite() { f64::NAN } else { ((x - x.trunc()) * TAU).sin() })
}
pub fn cos_f16([a, ..]: In, m: FloatMode) -> u64 {
    unary(a, m, |x| if x.is_infinite() { f64::NAN } else { ((x - x.trunc()) * TAU).cos() })
}

/// To an integer: towards zero, saturating, NaN to 0, as Rust's `as`.
pub fn cvt_u16_f16([a, ..]: In, m: FloatMode) -> u64 {
    wide(a, m) as u16 as u64
}
pub fn cvt_i16_f16([a, ..]: In, m: FloatMode) -> u64 {
    wide(a, m) as i16 as u16 as u64
}
pub fn cvt_f16_u16([a, ..]: In, m: FloatMode) -> u64 {
    let rules = Rules::f64(m);
    result(Half::from_u128_r((a & M16) as u128, rules.round).value, rules)
}
pub fn cvt_f16_i16([a, ..]: In, m: FloatMode) -> u64 {
    let rules = Rules::f64(m);
    result(Half::from_i128_r(a as i16 as i128, rules.round).value, rules)
}
/// Towards zero, whatever MODE says.
pub fn cvt_pk_rtz_f16_f32([a, b, _]: In, m: FloatMode) -> u64 {
    let to = Rules { round: Round::TowardZero, ..Rules::f64(m) };
    let half = |bits| convert::<Single, Half>(bits, Rules::f32(m), to);
    half(a) | half(b) << 16
}
/// To the nearest, ties to even, whatever MODE says.
pub fn cvt_pk_f16_f32([a, b, _]: In, m: FloatMode) -> u64 {
    let to = Rules { round: Round::NearestTiesToEven, ..Rules::f64(m) };
    let half = |bits| convert::<Single, Half>(bits, Rules::f32(m), to);
    half(a) | half(b) << 16
}

macro_rules! compares {
    ($($name:ident |$o:ident| $holds:expr;)*) => { $(
        pub fn $name(a: u64, b: u64, m: FloatMode) -> bool {
            let rules = Rules::f64(m);
            let $o = source::<Half>(a & M16, rules).partial_cmp(&source::<Half>(b & M16, rules));
            $holds
        }
    )* };
}
compares! {
    cmp_lt_f16 |o| o == Some(Less);
    cmp_eq_f16 |o| o == Some(Equal);
    cmp_le_f16 |o| matches!(o, Some(Less | Equal));
    cmp_gt_f16 |o| o == Some(Greater);
    cmp_lg_f16 |o| matches!(o, Some(Less | Greater));
    cmp_ge_f16 |o| matches!(o, Some(Greater | Equal));
    cmp_o_f16 |o| o.is_some();
    cmp_u_f16 |o| o.is_none();
    cmp_nge_f16 |o| !matches!(o, Some(Greater | Equal));
    cmp_nlg_f16 |o| !matches!(o, Some(Less | Greater));
    cmp_ngt_f16 |o| o != Some(Greater);
    cmp_nle_f16 |o| !matches!(o, Some(Less | Equal));
    cmp_neq_f16 |o| o != Some(Equal);
    cmp_nlt_f16 |o| o != Some(Less);
}
pub fn cmp_class_f16(a: u64, b: u64) -> bool {
    class::<Half>(a & M16, b)
}

/// Applies `f` to both halves, `neg_lo` and `neg_hi` first.
fn halves(s: In, mods: &Mods, f: impl Fn(In) -> u64) -> u64 {
    let side = |select: u8, neg: u8| {
        let half = |i: usize| {
            let value = s[i] >> (16 * (select >> i & 1)) & M16;
            value ^ ((neg >> i & 1) as u64) << 15
        };
        f([half(0), half(1), half(2)])
    };
    side(mods.op_sel, mods.neg) | side(mods.op_sel_hi, mods.abs) << 16
}
/// With `clamp`: between 0 and 1, NaN to 0 (DX10_CLAMP) or kept.
fn clamped(d: u64, mods: &Mods, m: FloatMode) -> u64 {
    let value = Half::from_bits(d as u128);
    if !mods.clamp {
        return d;
    }
    if value.is_nan() {
        return if m.dx10_clamp { 0 } else { d };
    }
    let one = Half::from_u128(1).value;
    if value.is_negative() || value.is_zero() { 0 } else { (if value > one { one } else { value }).to_bits() as u64 }
}
pub fn pk_add_f16(s: In, mods: &Mods, m: FloatMode) -> u64 {
    halves(s, mods, |s| clamped(add_f16(s, m), mods, m))
}
pub fn pk_mul_f16(s: In, mods: &Mods, m: FloatMode) -> u64 {
    halves(s, mods, |s| clamped(mul_f16(s, m), mods, m))
}
pub fn pk_fma_f16(s: In, mods: &Mods, m: FloatMode) -> u64 {
    halves(s, mods, |s| clamped(fma_f16(s, m), mods, m))
}
pub fn pk_min_f16(s: In, mods: &Mods, m: FloatMode) -> u64 {
    halves(s, mods, |s| clamped(min_f16(s, m), mods, m))
}
pub fn pk_max_f16(s: In, mods: &Mods, m: FloatMode) -> u64 {
    halves(s, mods, |s| clamped(max_f16(s, m), mods, m))
}
