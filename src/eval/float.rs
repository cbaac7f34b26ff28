//! Floating-point instructions and every `cvt`, in exact arithmetic from a soft-float library.
//!
//! PTX ISA, "Floating Point Instructions", "Half Precision Floating Point Instructions", "cvt". A NaN result is the canonical
//! one, which other machines need not give. The `.approx` and `.full` forms have no exact result and are not here.

use super::int::{Alu, Bits, Compute};
use super::words::Words;
use crate::ptx::names::Name;
use crate::ptx::tree::ScalarType;
use crate::ptx::word;
use ScalarType::*;
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Category, Float, FloatConvert, Round};
use std::cmp::Ordering;

/// Modifiers packed into the last operand.
const FTZ: u64 = 4;
const SAT: u64 = 8;
const RELU: u64 = 16;
const NAN: u64 = 32;
const XORSIGN: u64 = 64;
const ABS: u64 = 128;
const SATFINITE: u64 = 256;

fn rounding(env: u64) -> Round {
    match env & 3 {
        0 => Round::NearestTiesToEven,
        1 => Round::TowardZero,
        2 => Round::TowardNegative,
        _ => Round::TowardPositive,
    }
}

fn rounding_bits(word: &str) -> u64 {
    match word {
        "rz" | "rzi" => 1,
        "rm" | "rmi" => 2,
        "rp" | "rpi" => 3,
        _ => 0,
    }
}

/// A number as the operation sees it: subnormals are zeros under `.ftz`.
fn num<F: Float>(bits: u64, env: u64) -> F {
    flush(F::from_bits(bits.into()), env)
}

fn flush<F: Float>(x: F, env: u64) -> F {
    if env & FTZ != 0 && x.is_denormal() { F::ZERO.copy_sign(x) } else { x }
}

/// All ones but the sign.
fn canonical_nan<F: Float>() -> u64 {
    if F::BITS == 64 { 0x7ff8_0000_0000_0000 } else { (1 << (F::BITS - 1)) - 1 }
}

/// A result as the modifiers want it.
fn done<F: Float>(x: F, env: u64) -> u64 {
    let one = F::from_u128(1).value;
    if env & SAT != 0 {
        if x.is_nan() || x.is_negative() || x.is_zero() {
            return 0;
        }
        if x.partial_cmp(&one) == Some(Ordering::Greater) {
            return one.to_bits() as u64;
        }
    }
    if x.is_nan() {
        return canonical_nan::<F>();
    }
    if env & RELU != 0 && x.is_negative() {
        return 0;
    }
    if env & SATFINITE != 0 && x.is_infinite() {
        return F::largest().copy_sign(x).to_bits() as u64;
    }
    flush(x, env).to_bits() as u64
}

/// Both halves of packed operands.
fn packed(f: Compute, a: u64, b: u64, c: u64, env: u64) -> u64 {
    let half = |n: u32| f(a >> n & 0xffff, b >> n & 0xffff, c >> n & 0xffff, env);
    half(0) | half(16) << 16
}

/// The function for a floating-point type `F`; operands arrive as bits.
macro_rules! float {
    ($ty:expr, $a:ident $b:ident $c:ident $env:ident => $body:expr) => {
        float!(@ $ty, $a $b $c $env => $body; F32 Single, F64 Double, F16 Half, Bf16 BFloat; F16x2 Half, Bf16x2 BFloat)
    };
    (@ $ty:expr, $a:ident $b:ident $c:ident $env:ident => $body:expr; $($v:ident $f:ident),*; $($pv:ident $pf:ident),*) => {
        match $ty {
            $(ScalarType::$v => {
                fn f($a: u64, $b: u64, $c: u64, $env: u64) -> u64 {
                    #[allow(dead_code)]
                    type F = $f;
                    let _ = ($a, $b, $c, $env);
                    $body
                }
                Some(f as Compute)
            })*
            $(ScalarType::$pv => {
                fn f(a: u64, b: u64, c: u64, env: u64) -> u64 {
                    fn one($a: u64, $b: u64, $c: u64, $env: u64) -> u64 {
                        #[allow(dead_code)]
                        type F = $pf;
                        let _ = ($a, $b, $c, $env);
                        $body
                    }
                    packed(one, a, b, c, env)
                }
                Some(f as Compute)
            })*
            _ => None,
        }
    };
}

/// Instructions on floats, except conversions and comparisons.
pub fn pick(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let round = w.one_of(&["rn", "rz", "rm", "rp"]);
    let mut env = round.map_or(0, rounding_bits);
    let flags = [("ftz", FTZ), ("sat", SAT), ("relu", RELU), ("NaN", NAN), ("xorsign", XORSIGN), ("abs", ABS)];
    for (text, bit) in flags {
        if w.flag(text) {
            env |= bit;
        }
    }
    if opcode == word::TESTP {
        return testp(w);
    }
    let ty = w.ty()?;
    if !w.done() {
        return None;
    }
    let rounds = matches!(opcode, word::ADD | word::SUB | word::MUL | word::FMA | word::MAD);
    let divides = matches!(opcode, word::DIV | word::SQRT | word::RCP);
    let picks = matches!(opcode, word::MIN | word::MAX);
    if divides && (round.is_none() || !matches!(ty, F32 | F64))
        || !rounds && !divides && round.is_some()
        || !picks && env & (NAN | XORSIGN | ABS) != 0
        || opcode == word::MAD && round.is_none()
    {
        return None;
    }
    let f = match opcode {
        word::ADD => float!(ty, a b _c e => done(num::<F>(a, e).add_r(num(b, e), rounding(e)).value, e)),
        word::SUB => float!(ty, a b _c e => done(num::<F>(a, e).sub_r(num(b, e), rounding(e)).value, e)),
        word::MUL => float!(ty, a b _c e => done(num::<F>(a, e).mul_r(num(b, e), rounding(e)).value, e)),
        word::DIV => float!(ty, a b _c e => done(num::<F>(a, e).div_r(num(b, e), rounding(e)).value, e)),
        word::FMA | word::MAD => {
            float!(ty, a b c e => done(num::<F>(a, e).mul_add_r(num(b, e), num(c, e), rounding(e)).value, e))
        }
        word::RCP => {
            float!(ty, a _b _c e => done(F::from_u128(1).value.div_r(num(a, e), rounding(e)).value, e))
        }
        word::SQRT => float!(ty, a _b _c e => done(sqrt(num::<F>(a, e), rounding(e)), e)),
        word::NEG => float!(ty, a _b _c e => done_sign::<F>(a, e, |x| -x)),
        word::ABS => float!(ty, a _b _c e => done_sign::<F>(a, e, |x| x.abs())),
        word::COPYSIGN if matches!(ty, F32 | F64) && env == 0 => {
            float!(ty, a b _c _e => F::from_bits(b.into()).copy_sign(F::from_bits(a.into())).to_bits() as u64)
        }
        word::MIN => float!(ty, a b _c e => pick_one::<F>(num(a, e), num(b, e), e, Ordering::Less)),
        word::MAX => float!(ty, a b _c e => pick_one::<F>(num(a, e), num(b, e), e, Ordering::Greater)),
        _ => None,
    }?;
    let sources = match opcode {
        word::FMA | word::MAD => 3,
        word::RCP | word::SQRT | word::NEG | word::ABS => 1,
        _ => 2,
    };
    let mut alu = Alu::new(f, ty, &[ty, ty, ty][..sources]);
    alu.extra = vec![0; 3 - sources];
    Some(alu.with(env))
}

/// `neg` and `abs`: the sign alone changes, of a NaN as well (which is then open).
fn done_sign<F: Float>(a: u64, env: u64, f: impl Fn(F) -> F) -> u64 {
    let x: F = num(a, env);
    if x.is_nan() { canonical_nan::<F>() } else { f(x).to_bits() as u64 }
}

/// Minimum or maximum. A single NaN loses unless `.NaN` is given; -0 is below +0.
fn pick_one<F: Float>(mut a: F, mut b: F, env: u64, wanted: Ordering) -> u64 {
    let sign = a.is_negative() != b.is_negative();
    if env & (XORSIGN | ABS) != 0 {
        (a, b) = (a.abs(), b.abs());
    }
    let order = |a: F, b: F| a.partial_cmp(&b).map(|o| o.then(b.is_negative().cmp(&a.is_negative())));
    let x = match (a.is_nan(), b.is_nan()) {
        (true, true) => a,
        (true, false) => {
            if env & NAN != 0 {
                a
            } else {
                b
            }
        }
        (false, true) => {
            if env & NAN != 0 {
                b
            } else {
                a
            }
        }
        (false, false) => {
            if order(a, b) == Some(wanted) {
                a
            } else {
                b
            }
        }
    };
    let x = if env & XORSIGN != 0 && sign { -x } else { x };
    done(x, env)
}

/// The square root: of an integer with two bits more than the precision, the rest as a sticky bit.
fn sqrt<F: Float>(x: F, round: Round) -> F {
    match x.category() {
        Category::NaN | Category::Zero => return x,
        _ if x.is_negative() => return F::NAN,
        Category::Infinity => return x,
        Category::Normal => {}
    }
    let mut exponent = x.ilogb() - (F::PRECISION as i32 - 1);
    let mut digits = x.scalbn(-exponent).to_u128(128).value;
    // The root keeps half of the bits.
    let mut shift = F::PRECISION as i32 + 4;
    if (exponent - shift) % 2 != 0 {
        shift += 1;
    }
    digits <<= shift;
    exponent -= shift;
    let root = digits.isqrt();
    let sticky = u128::from(root * root != digits);
    F::from_u128_r(root << 1 | sticky, round).value.scalbn(exponent / 2 - 1)
}

fn testp(w: &mut Words<'_>) -> Option<Alu> {
    const TESTS: [&str; 6] = ["finite", "infinite", "number", "notanumber", "normal", "subnormal"];
    let test = w.one_of(&TESTS)?;
    let ty = w.ty()?;
    let test = TESTS.iter().position(|t| *t == test)? as u64;
    let f = float!(ty, a _b _c e => {
        let x = F::from_bits(a.into());
        [x.is_finite(), x.is_infinite(), !x.is_nan(), x.is_nan(), x.is_normal(), x.is_denormal()][e as usize].bits()
    });
    Some(Alu::new(f.filter(|_| w.done())?, Pred, &[ty]).with(0).with(0).with(test))
}

/// Comparisons of floats, the halves of packed ones apart: bit 0 and bit 16 of the result.
pub fn comparison(test: &str, ty: ScalarType, ftz: bool) -> Option<(Compute, u64)> {
    // Which of less, equal, greater, unordered make it true.
    let mask = match test {
        "eq" => 2,
        "ne" => 5,
        "lt" => 1,
        "le" => 3,
        "gt" => 4,
        "ge" => 6,
        "equ" => 2 | 8,
        "neu" => 5 | 8,
        "ltu" => 1 | 8,
        "leu" => 3 | 8,
        "gtu" => 4 | 8,
        "geu" => 6 | 8,
        "num" => 7,
        "nan" => 8,
        _ => return None,
    };
    let f = float!(ty, a b _c e => {
        let case = match num::<F>(a, e).partial_cmp(&num(b, e)) {
            Some(Ordering::Less) => 1,
            Some(Ordering::Equal) => 2,
            Some(Ordering::Greater) => 4,
            None => 8,
        };
        u64::from(case & (e >> 16) != 0)
    });
    Some((f?, (u64::from(ftz) * FTZ) | (mask << 16)))
}

// ---- cvt ----

/// Bits of an integer type, with 256 for signed ones.
fn code(ty: ScalarType) -> Option<u64> {
    let bits = u64::from(ty.size_bytes()?) * 8;
    matches!(ty, U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64).then_some(bits | u64::from(ty.is_signed()) << 8)
}

fn range(code: u64) -> (i128, i128) {
    let bits = code & 255;
    if code >> 8 != 0 { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn integer(a: u64, code: u64) -> i128 {
    let bits = code & 255;
    let a = i128::from(a) & ((1 << bits) - 1);
    if code >> 8 != 0 && a >> (bits - 1) != 0 { a - (1 << bits) } else { a }
}

fn cut(value: i128, code: u64) -> u64 {
    (value & ((1 << (code & 255)) - 1)) as u64
}

fn int_to_int(a: u64, from: u64, to: u64, sat: u64) -> u64 {
    let value = integer(a, from);
    let (low, high) = range(to);
    cut(if sat != 0 { value.clamp(low, high) } else { value }, to)
}

/// Out of range clamps; a NaN is 0, or the top bit alone where a 64-bit type takes part.
fn float_to_int<F: Float>(a: u64, to: u64, env: u64) -> u64 {
    let x: F = num(a, env);
    let bits = to & 255;
    if x.is_nan() {
        return if F::BITS == 64 || bits == 64 { 1 << (bits - 1) } else { 0 };
    }
    let (low, high) = range(to);
    // 65 bits hold every number that does not clamp.
    let value = x.round_to_integral(rounding(env)).value.to_i128_r(100, Round::TowardZero, &mut false).value;
    cut(value.clamp(low, high), to)
}

fn int_to_float<F: Float>(a: u64, from: u64, env: u64) -> u64 {
    done(F::from_i128_r(integer(a, from), rounding(env)).value, env)
}

/// Bit 16 of `env`: the result is a whole number of the same type. `.ftz` is for what is f32 alone.
fn float_to_float<A: FloatConvert<B> + Float, B: Float>(a: u64, env: u64) -> u64 {
    let flushes = |bits: usize| if bits == Single::BITS { env } else { env & !FTZ };
    let x: A = num(a, flushes(A::BITS));
    let x = if env >> 16 & 1 != 0 { x.round_to_integral(rounding(env)).value } else { x };
    done(x.convert_r(rounding(env), &mut false).value, flushes(B::BITS))
}

pub fn cvt(w: &mut Words<'_>) -> Option<Alu> {
    let pack = w.flag("pack");
    let round = w.one_of(&["rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi", "rna"]);
    let mut env = round.map_or(0, rounding_bits);
    for (text, bit) in [("ftz", FTZ), ("sat", SAT), ("relu", RELU), ("satfinite", SATFINITE)] {
        if w.flag(text) {
            env |= bit;
        }
    }
    if pack {
        return cvt_pack(w);
    }
    let (to, from) = (w.ty()?, w.ty()?);
    if !w.done() || round == Some("rna") {
        return None;
    }
    let integral = round.is_some_and(|r| r.ends_with('i'));
    match (code(to), code(from)) {
        (Some(to_code), Some(from_code)) if round.is_none() && env & !SAT == 0 => {
            let alu = Alu::new(int_to_int, to, &[from]).with(from_code).with(to_code);
            Some(alu.with(u64::from(env & SAT != 0)))
        }
        (Some(to_code), None) if integral => {
            let f = float_of(
                from,
                |a, to, env, _| float_to_int::<Single>(a, to, env),
                [
                    |a, to, env, _| float_to_int::<Double>(a, to, env),
                    |a, to, env, _| float_to_int::<Half>(a, to, env),
                    |a, to, env, _| float_to_int::<BFloat>(a, to, env),
                ],
            );
            // `.sat` says nothing new here: the result is in range anyhow.
            Some(Alu::new(f?, to, &[from]).with(to_code).with(env))
        }
        (None, Some(from_code)) if round.is_some() && !integral => {
            let f = float_of(
                to,
                |a, from, env, _| int_to_float::<Single>(a, from, env),
                [
                    |a, from, env, _| int_to_float::<Double>(a, from, env),
                    |a, from, env, _| int_to_float::<Half>(a, from, env),
                    |a, from, env, _| int_to_float::<BFloat>(a, from, env),
                ],
            );
            Some(Alu::new(f?, to, &[from]).with(from_code).with(env))
        }
        (None, None) => {
            if matches!(to, F16x2 | Bf16x2) && from == F32 && !integral && round.is_some() {
                let f: Compute = if to == F16x2 {
                    |a, b, env, _| float_to_float::<Single, Half>(b, env) | float_to_float::<Single, Half>(a, env) << 16
                } else {
                    |a, b, env, _| {
                        float_to_float::<Single, BFloat>(b, env) | float_to_float::<Single, BFloat>(a, env) << 16
                    }
                };
                return Some(Alu::new(f, B32, &[F32, F32]).with(env));
            }
            if integral && to != from {
                return None;
            }
            let env = env | u64::from(integral) << 16;
            Some(Alu::new(between(to, from)?, to, &[from]).with(env))
        }
        _ => None,
    }
}

fn float_of(ty: ScalarType, single: Compute, others: [Compute; 3]) -> Option<Compute> {
    Some(match ty {
        F32 => single,
        F64 => others[0],
        F16 => others[1],
        Bf16 => others[2],
        _ => return None,
    })
}

fn between(to: ScalarType, from: ScalarType) -> Option<Compute> {
    macro_rules! table {
        ($($from:ident $a:ident, $to:ident $b:ident;)*) => {
            match (from, to) {
                $((ScalarType::$from, ScalarType::$to) => Some(|a, env, _, _| float_to_float::<$a, $b>(a, env)),)*
                _ => None,
            }
        };
    }
    table! {
        F32 Single, F32 Single; F32 Single, F64 Double; F32 Single, F16 Half; F32 Single, Bf16 BFloat;
        F64 Double, F32 Single; F64 Double, F64 Double; F64 Double, F16 Half; F64 Double, Bf16 BFloat;
        F16 Half, F32 Single; F16 Half, F64 Double; F16 Half, F16 Half; F16 Half, Bf16 BFloat;
        Bf16 BFloat, F32 Single; Bf16 BFloat, F64 Double; Bf16 BFloat, F16 Half; Bf16 BFloat, Bf16 BFloat;
    }
}

/// `cvt.pack.sat.u16.s32 d, a, b`: a saturated into the high part, b into the low; with `c` its low parts move up by two.
fn cvt_pack(w: &mut Words<'_>) -> Option<Alu> {
    // The narrow types are no types of registers.
    let (bits, signed) = match w.one_of(&["u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"])? {
        "u16" => (16, 0),
        "s16" => (16, 256),
        "u8" => (8, 0),
        "s8" => (8, 256),
        "u4" => (4, 0),
        "s4" => (4, 256),
        "u2" => (2, 0),
        _ => (2, 256),
    };
    if w.ty()? != S32 {
        return None;
    }
    fn run(a: u64, b: u64, c: u64, code: u64) -> u64 {
        let bits = code & 255;
        let (low, high) = range(code);
        let part = |x: u64| cut(i128::from(x as i32).clamp(low, high), code);
        let upper = if bits == 16 { 0 } else { c << (2 * bits) };
        (upper | part(a) << bits | part(b)) as u32 as u64
    }
    let three = w.ty() == Some(B32);
    if !w.done() || three == (bits == 16) {
        return None;
    }
    let alu = if three { Alu::new(run, U32, &[S32, S32, B32]) } else { Alu::new(run, U32, &[S32, S32]).with(0) };
    Some(alu.with(bits | signed))
}

/// Addition to nearest even, as atomics do it.
pub fn add_of(ty: ScalarType) -> Option<Compute> {
    float!(ty, a b _c _e => done(num::<F>(a, 0).add_r(num(b, 0), Round::NearestTiesToEven).value, 0))
}

/// `redux.sync.min` and `.max`: as `min` and `max` do it, of magnitudes under `.abs`.
pub fn reduction(op: &str, abs: bool, nan: bool) -> Option<Compute> {
    fn pick<const WANTED: i8, const ENV: u64>(a: u64, b: u64, _: u64, _: u64) -> u64 {
        let wanted = if WANTED < 0 { Ordering::Less } else { Ordering::Greater };
        pick_one::<Single>(num(a, 0), num(b, 0), ENV, wanted)
    }
    Some(match (op, abs, nan) {
        ("min", false, false) => pick::<-1, 0>,
        ("min", true, false) => pick::<-1, ABS>,
        ("min", false, true) => pick::<-1, NAN>,
        ("min", true, true) => pick::<-1, { ABS | NAN }>,
        ("max", false, false) => pick::<1, 0>,
        ("max", true, false) => pick::<1, ABS>,
        ("max", false, true) => pick::<1, NAN>,
        ("max", true, true) => pick::<1, { ABS | NAN }>,
        _ => return None,
    })
}
