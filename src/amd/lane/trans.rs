//! The transcendental unit: approximations.
//!
//! Spec: the AMD ISA manuals, "VOP1 Instructions". The f32 ops promise about 1 ulp; here they are computed in f64 and
//! rounded once, which is within that and not the hardware's bits. Denormal sources and results count as zero whatever
//! MODE says. The f64 ops promise little more than an f32's worth of bits and are meant to be refined; only so many are
//! given here, so that code which leaves the refinement out is seen.

use super::FloatMode;
use std::f64::consts::TAU;

type In = [u64; 3];

fn unary(a: u64, f: impl Fn(f64) -> f64) -> u64 {
    let value = f32::from_bits(a as u32);
    if value.is_nan() {
        return a | 0x40_0000;
    }
    let value = if value.is_subnormal() { 0f32.copysign(value) } else { value };
    let d = f(value as f64) as f32;
    let d = if d.is_subnormal() { 0f32.copysign(d) } else { d };
    if d.is_nan() { 0x7fc0_0000 } else { d.to_bits() as u64 }
}
pub fn exp_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, f64::exp2)
}
pub fn log_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, f64::log2)
}
pub fn rcp_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, f64::recip)
}
pub fn rsq_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, |x| x.sqrt().recip())
}
pub fn sqrt_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, f64::sqrt)
}
/// The argument is in turns; beyond 256 of them the result is that of 0.
pub fn sin_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, |x| if x.is_infinite() { f64::NAN } else { turn(x).sin() })
}
pub fn cos_f32([a, ..]: In, _: FloatMode) -> u64 {
    unary(a, |x| if x.is_infinite() { f64::NAN } else { turn(x).cos() })
}
fn turn(x: f64) -> f64 {
    if x.abs() > 256.0 { 0.0 } else { (x - x.trunc()) * TAU }
}

/// Keeps 25 bits of the fraction.
fn unary64(a: u64, f: impl Fn(f64) -> f64) -> u64 {
    let value = f64::from_bits(a);
    if value.is_nan() {
        return a | 1 << 51;
    }
    let d = f(value);
    if d.is_nan() { 0x7ff8 << 48 } else { d.to_bits() & !((1 << 27) - 1) }
}
pub fn rcp_f64([a, ..]: In, _: FloatMode) -> u64 {
    unary64(a, f64::recip)
}
pub fn rsq_f64([a, ..]: In, _: FloatMode) -> u64 {
    unary64(a, |x| x.sqrt().recip())
}
pub fn sqrt_f64([a, ..]: In, _: FloatMode) -> u64 {
    unary64(a, f64::sqrt)
}
