//! Float arithmetic and compares, exact under MODE.
//!
//! Spec: the AMD ISA manuals, "VOP1", "VOP2", "VOP3" and "VOPC Instructions", and "Denormals and Rounding Modes".
//!
//! NaN results: the first NaN source, quieted; 0x7fc00000 (0x7ff8...) where no source is one. The manuals do not say which
//! source wins, so nothing may depend on it.

use super::FloatMode;
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round, Status};
use std::cmp::Ordering;

type In = [u64; 3];

/// The part of MODE that one size of float uses.
#[derive(Copy, Clone)]
pub(super) struct Rules {
    pub round: Round,
    pub flush_sources: bool,
    pub flush_results: bool,
}

impl Rules {
    fn new(round: u8, denorm: u8) -> Rules {
        let round = match round & 3 {
            0 => Round::NearestTiesToEven,
            1 => Round::TowardPositive,
            2 => Round::TowardNegative,
            _ => Round::TowardZero,
        };
        Rules { round, flush_sources: denorm & 1 == 0, flush_results: denorm & 2 == 0 }
    }
    pub(super) fn f32(mode: FloatMode) -> Rules {
        Rules::new(mode.round_f32, mode.denorm_f32)
    }
    /// f64 and f16.
    pub(super) fn f64(mode: FloatMode) -> Rules {
        Rules::new(mode.round_f64, mode.denorm_f64)
    }
}

fn flush<F: Float>(value: F, on: bool) -> F {
    if on && value.is_denormal() { F::ZERO.copy_sign(value) } else { value }
}
pub(super) fn source<F: Float>(bits: u64, rules: Rules) -> F {
    flush(F::from_bits(bits as u128), rules.flush_sources)
}
pub(super) fn result<F: Float>(value: F, rules: Rules) -> u64 {
    let value = if value.is_nan() { quiet(value) } else { flush(value, rules.flush_results) };
    value.to_bits() as u64
}
fn quiet<F: Float>(nan: F) -> F {
    // The top bit of the fraction, that is the precision less the hidden bit.
    F::from_bits(nan.to_bits() | 1 << (F::PRECISION - 2))
}
fn default_nan<F: Float>() -> F {
    F::NAN.copy_sign(F::ZERO)
}
pub(super) fn first_nan<F: Float>(sources: &[F]) -> Option<F> {
    sources.iter().find(|s| s.is_nan()).map(|s| quiet(*s))
}

/// One rounding of an exact function of the sources.
pub(super) fn arithmetic<F: Float, const N: usize>(s: [u64; N], rules: Rules, f: impl Fn([F; N], Round) -> F) -> u64 {
    let s = s.map(|bits| source::<F>(bits, rules));
    if let Some(nan) = first_nan(&s) {
        return nan.to_bits() as u64;
    }
    let d = f(s, rules.round);
    result(if d.is_nan() { default_nan() } else { d }, rules)
}

pub fn add_f32([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f32(m), |[a, b]: [Single; 2], r| a.add_r(b, r).value)
}
pub fn sub_f32([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f32(m), |[a, b]: [Single; 2], r| a.sub_r(b, r).value)
}
pub fn subrev_f32([a, b, _]: In, m: FloatMode) -> u64 {
    sub_f32([b, a, 0], m)
}
pub fn mul_f32([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f32(m), |[a, b]: [Single; 2], r| a.mul_r(b, r).value)
}
pub fn fma_f32(s: In, m: FloatMode) -> u64 {
    arithmetic(s, Rules::f32(m), |[a, b, c]: [Single; 3], r| a.mul_add_r(b, c, r).value)
}
pub fn add_f64([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f64(m), |[a, b]: [Double; 2], r| a.add_r(b, r).value)
}
pub fn mul_f64([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a, b], Rules::f64(m), |[a, b]: [Double; 2], r| a.mul_r(b, r).value)
}
pub fn fma_f64(s: In, m: FloatMode) -> u64 {
    arithmetic(s, Rules::f64(m), |[a, b, c]: [Double; 3], r| a.mul_add_r(b, c, r).value)
}

/// Minimum or maximum. A NaN loses against a number; with MODE.IEEE a signalling one wins, quieted; -0 is below +0.
pub(super) fn extreme<F: Float>(a: u64, b: u64, rules: Rules, ieee: bool, wanted: Ordering) -> u64 {
    let (a, b) = (source::<F>(a, rules), source::<F>(b, rules));
    if let Some(nan) = [a, b].iter().find(|v| ieee && v.is_signaling()) {
        return quiet(*nan).to_bits() as u64;
    }
    let d = if b.is_nan() {
        a
    } else if a.is_nan() {
        b
    } else {
        let order = match a.partial_cmp(&b) {
            Some(Ordering::Equal) => b.is_negative().cmp(&a.is_negative()),
            Some(order) => order,
            None => Ordering::Equal,
        };
        if order == wanted { a } else { b }
    };
    flush(d, rules.flush_results).to_bits() as u64
}
pub fn min_f32([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Single>(a, b, Rules::f32(m), m.ieee, Ordering::Less)
}
pub fn max_f32([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Single>(a, b, Rules::f32(m), m.ieee, Ordering::Greater)
}
pub fn min_f64([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Double>(a, b, Rules::f64(m), m.ieee, Ordering::Less)
}
pub fn max_f64([a, b, _]: In, m: FloatMode) -> u64 {
    extreme::<Double>(a, b, Rules::f64(m), m.ieee, Ordering::Greater)
}
pub fn min3_f32([a, b, c]: In, m: FloatMode) -> u64 {
    min_f32([min_f32([a, b, 0], m), c, 0], m)
}
pub fn max3_f32([a, b, c]: In, m: FloatMode) -> u64 {
    max_f32([max_f32([a, b, 0], m), c, 0], m)
}
pub fn minmax_f32([a, b, c]: In, m: FloatMode) -> u64 {
    max_f32([min_f32([a, b, 0], m), c, 0], m)
}
pub fn maxmin_f32([a, b, c]: In, m: FloatMode) -> u64 {
    min_f32([max_f32([a, b, 0], m), c, 0], m)
}
/// The middle one of three; the minimum when a source is a NaN.
pub(super) fn middle<F: Float>(
    [a, b, c]: In,
    m: FloatMode,
    min3: fn(In, FloatMode) -> u64,
    max: fn(In, FloatMode) -> u64,
) -> u64 {
    let value = |bits: u64| F::from_bits(bits as u128);
    if [a, b, c].iter().any(|s| value(*s).is_nan()) {
        return min3([a, b, c], m);
    }
    let top = value(max([max([a, b, 0], m), c, 0], m));
    let rest = if top == value(a) {
        [b, c, 0]
    } else if top == value(b) {
        [a, c, 0]
    } else {
        [a, b, 0]
    };
    max(rest, m)
}
pub fn med3_f32(s: In, m: FloatMode) -> u64 {
    middle::<Single>(s, m, min3_f32, max_f32)
}

pub(super) fn integral<F: Float>(a: u64, rules: Rules, round: Round) -> u64 {
    arithmetic([a], rules, |[a]: [F; 1], _| a.round_to_integral(round).value)
}
pub fn trunc_f32([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Single>(a, Rules::f32(m), Round::TowardZero)
}
pub fn ceil_f32([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Single>(a, Rules::f32(m), Round::TowardPositive)
}
pub fn rndne_f32([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Single>(a, Rules::f32(m), Round::NearestTiesToEven)
}
pub fn floor_f32([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Single>(a, Rules::f32(m), Round::TowardNegative)
}
pub fn trunc_f64([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Double>(a, Rules::f64(m), Round::TowardZero)
}
pub fn ceil_f64([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Double>(a, Rules::f64(m), Round::TowardPositive)
}
pub fn rndne_f64([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Double>(a, Rules::f64(m), Round::NearestTiesToEven)
}
pub fn floor_f64([a, ..]: In, m: FloatMode) -> u64 {
    integral::<Double>(a, Rules::f64(m), Round::TowardNegative)
}
/// x - floor(x), below 1 even where that rounds up to 1.
pub(super) fn fract<F: Float>(a: u64, rules: Rules) -> u64 {
    arithmetic([a], rules, |[a]: [F; 1], r| {
        let part = a.sub_r(a.round_to_integral(Round::TowardNegative).value, r).value;
        let one = F::from_u128(1).value;
        if part >= one { one.next_down().value } else { part }
    })
}
pub fn fract_f32([a, ..]: In, m: FloatMode) -> u64 {
    fract::<Single>(a, Rules::f32(m))
}
pub fn fract_f64([a, ..]: In, m: FloatMode) -> u64 {
    fract::<Double>(a, Rules::f64(m))
}
/// S0 * 2 ** S1, S1 a signed dword.
pub fn ldexp_f32([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a], Rules::f32(m), |[a]: [Single; 1], r| a.scalbn_r(exponent(b), r))
}
pub fn ldexp_f64([a, b, _]: In, m: FloatMode) -> u64 {
    arithmetic([a], Rules::f64(m), |[a]: [Double; 1], r| a.scalbn_r(exponent(b), r))
}
/// Far beyond what changes a result, and safe to add to an exponent.
fn exponent(bits: u64) -> i32 {
    (bits as i32).clamp(-0x8000, 0x7fff)
}

macro_rules! float_compares {
    ($float:ident $rules:ident: $($name:ident |$o:ident| $holds:expr;)*) => { $(
        pub fn $name(a: u64, b: u64, m: FloatMode) -> bool {
            let rules = Rules::$rules(m);
            let $o = source::<$float>(a, rules).partial_cmp(&source::<$float>(b, rules));
            $holds
        }
    )* };
}
use Ordering::{Equal, Greater, Less};
float_compares! { Single f32:
    cmp_lt_f32 |o| o == Some(Less);
    cmp_eq_f32 |o| o == Some(Equal);
    cmp_le_f32 |o| matches!(o, Some(Less | Equal));
    cmp_gt_f32 |o| o == Some(Greater);
    cmp_lg_f32 |o| matches!(o, Some(Less | Greater));
    cmp_ge_f32 |o| matches!(o, Some(Greater | Equal));
    cmp_o_f32 |o| o.is_some();
    cmp_u_f32 |o| o.is_none();
    cmp_nge_f32 |o| !matches!(o, Some(Greater | Equal));
    cmp_nlg_f32 |o| !matches!(o, Some(Less | Greater));
    cmp_ngt_f32 |o| o != Some(Greater);
    cmp_nle_f32 |o| !matches!(o, Some(Less | Equal));
    cmp_neq_f32 |o| o != Some(Equal);
    cmp_nlt_f32 |o| o != Some(Less);
}
float_compares! { Double f64:
    cmp_lt_f64 |o| o == Some(Less);
    cmp_eq_f64 |o| o == Some(Equal);
    cmp_le_f64 |o| matches!(o, Some(Less | Equal));
    cmp_gt_f64 |o| o == Some(Greater);
    cmp_lg_f64 |o| matches!(o, Some(Less | Greater));
    cmp_ge_f64 |o| matches!(o, Some(Greater | Equal));
    cmp_o_f64 |o| o.is_some();
    cmp_u_f64 |o| o.is_none();
    cmp_nge_f64 |o| !matches!(o, Some(Greater | Equal));
    cmp_nlg_f64 |o| !matches!(o, Some(Less | Greater));
    cmp_ngt_f64 |o| o != Some(Greater);
    cmp_nle_f64 |o| !matches!(o, Some(Less | Equal));
    cmp_neq_f64 |o| o != Some(Equal);
    cmp_nlt_f64 |o| o != Some(Less);
}

/// The bit of S1 that stands for S0's class: 0 signalling NaN, 1 quiet NaN, then negative infinity, normal, denormal,
/// zero, positive zero, denormal, normal, infinity.
pub(super) fn class<F: Float>(a: u64, b: u64) -> bool {
    let value = F::from_bits(a as u128);
    let bit = if value.is_nan() {
        if value.is_signaling() { 0 } else { 1 }
    } else {
        let size = if value.is_infinite() {
            0
        } else if value.is_zero() {
            3
        } else if value.is_denormal() {
            2
        } else {
            1
        };
        if value.is_negative() { 2 + size } else { 9 - size }
    };
    b >> bit & 1 == 1
}
pub fn cmp_class_f32(a: u64, b: u64) -> bool {
    class::<Single>(a, b)
}
pub fn cmp_class_f64(a: u64, b: u64) -> bool {
    class::<Double>(a, b)
}

/// The last step of a division: the quotient S0 of S2 (numerator) by S1, with the special cases put right.
pub(super) fn div_fixup<F: Float>([q, d, n]: [u64; 3], rules: Rules, max_exponent_gap: i32) -> u64 {
    let [q, d, n] = [q, d, n].map(|bits| source::<F>(bits, rules));
    let signed = |v: F| if d.is_negative() != n.is_negative() { -v } else { v };
    if let Some(nan) = first_nan(&[n, d]) {
        return nan.to_bits() as u64;
    }
    let fixed = if d.is_zero() && n.is_zero() || d.is_infinite() && n.is_infinite() {
        -default_nan::<F>()
    } else if d.is_zero() || n.is_infinite() {
        signed(F::INFINITY)
    } else if d.is_infinite() || n.is_zero() || n.ilogb() - d.ilogb() < max_exponent_gap {
        signed(F::ZERO)
    } else if !q.is_finite() {
        // The text asks for the exponent of S1 here, which is not 255 any more; of a quotient it is where the steps overflowed.
        let largest = if d.is_negative() != n.is_negative() { -F::largest() } else { F::largest() };
        largest.scalbn_r(1, rules.round)
    } else {
        signed(q.abs())
    };
    result(fixed, rules)
}
pub fn div_fixup_f32(s: In, m: FloatMode) -> u64 {
    div_fixup::<Single>(s, Rules::f32(m), -150)
}
pub fn div_fixup_f64(s: In, m: FloatMode) -> u64 {
    div_fixup::<Double>(s, Rules::f64(m), -1075)
}

/// Scales a numerator or denominator (S0) of the division of S2 by S1 so that no step of it overflows or loses bits; the mask
/// bit tells [`div_fmas`] to scale the quotient back (`docs/errata.md`, 1). `far` is 2 ** 64 or 2 ** 128 as an exponent.
fn div_scale<F: Float>([s, d, n]: [u64; 3], rules: Rules, far: i32, near_max: i32, tiny: i32) -> (u64, bool) {
    let [value, d, n] = [s, d, n].map(|bits| source::<F>(bits, rules));
    let is = |other: F| value.partial_cmp(&other) == Some(Ordering::Equal);
    if d.is_zero() || n.is_zero() {
        return (default_nan::<F>().to_bits() as u64, false);
    }
    if [value, d, n].iter().any(|v| !v.is_finite()) {
        return (s, false);
    }
    // Biased exponents, as the text has them: 0 of a denormal.
    let biased = |v: F| if v.is_denormal() { 0 } else { v.ilogb() + F::MAX_EXP };
    let one = F::from_u128(1).value;
    let is_small = |v: F| v.is_denormal() || v.is_zero();
    let reciprocal_small = is_small(one.div_r(d, Round::NearestTiesToEven).value);
    let quotient_small = is_small(n.div_r(d, Round::NearestTiesToEven).value);
    let (by, flag) = if biased(n) - biased(d) >= near_max {
        (if is(d) { far } else { 0 }, true)
    } else if d.is_denormal() {
        (far, false)
    } else if reciprocal_small && quotient_small {
        (if is(d) { -far } else { 0 }, true)
    } else if reciprocal_small {
        (-far, false)
    } else if quotient_small {
        (if is(n) { far } else { 0 }, true)
    } else if biased(n) <= tiny {
        (far, false)
    } else {
        (0, false)
    };
    (value.scalbn_r(by, Round::NearestTiesToEven).to_bits() as u64, flag)
}
pub fn div_scale_f32(s: In, m: FloatMode) -> (u64, bool) {
    div_scale::<Single>(s, Rules::f32(m), 64, 96, 23)
}
pub fn div_scale_f64(s: In, m: FloatMode) -> (u64, bool) {
    div_scale::<Double>(s, Rules::f64(m), 128, 768, 53)
}
/// The last fused multiply-add of a division. With the mask bit, the quotient is scaled back to where it belongs, up where it
/// is above 1, down where it is below, and rounded once.
fn div_fmas<F>(s: [u64; 3], scaled: bool, rules: Rules, far: i32) -> u64
where
    F: Float + FloatConvert<Quad>,
    Quad: FloatConvert<F>,
{
    arithmetic(s, rules, |[a, b, c]: [F; 3], r| {
        if !scaled {
            return a.mul_add_r(b, c, r).value;
        }
        let [a, b, wide_c] = [a, b, c].map(|v| FloatConvert::<Quad>::convert(v, &mut false).value);
        // The product is exact; an inexact sum becomes odd, so that the rounding below is the only one.
        let sum = a.mul_add_r(b, wide_c, Round::TowardZero);
        let sticky = sum.status.contains(Status::INEXACT) as u128;
        let sum = Quad::from_bits(sum.value.to_bits() | sticky);
        let by = if c.ilogb() > 0 { far } else { -far };
        FloatConvert::<F>::convert_r(sum.scalbn(by), r, &mut false).value
    })
}
pub fn div_fmas_f32(s: In, scaled: bool, m: FloatMode) -> u64 {
    div_fmas::<Single>(s, scaled, Rules::f32(m), 64)
}
pub fn div_fmas_f64(s: In, scaled: bool, m: FloatMode) -> u64 {
    div_fmas::<Double>(s, scaled, Rules::f64(m), 128)
}

/// S0's half below S1's; denormals are flushed, NaNs kept as they are.
pub fn pack_b32_f16([a, b, _]: In, m: FloatMode) -> u64 {
    let half =
        |bits: u64| flush(source::<Half>(bits & 0xffff, Rules::f64(m)), Rules::f64(m).flush_results).to_bits() as u64;
    half(a) | half(b) << 16
}

/// One size of float to another, with the rules of either side.
pub(super) fn convert<A: Float + FloatConvert<B>, B: Float>(a: u64, from: Rules, to: Rules) -> u64 {
    let value = source::<A>(a, from);
    result(value.convert_r(to.round, &mut false).value, to)
}
