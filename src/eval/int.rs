//! Integer, logic, bit and byte instructions: one function for each form and type.
//!
//! PTX ISA, "Integer Arithmetic Instructions", "Extended-Precision Arithmetic Instructions", "Logic and Shift Instructions",
//! "prmt". Values are the bits of the instruction's type, zeros above. [`pick`] reads the modifiers and names the function
//! with the types of its operands; what the modifiers do not spell out stands beside the manual's pseudo-code here.

use super::words::Words;
use crate::ptx::names::Name;
use crate::ptx::tree::ScalarType;
use crate::ptx::word;
use ScalarType::*;

/// Up to four operands to one result.
pub type Compute = fn(u64, u64, u64, u64) -> u64;
/// The same to two results.
pub type Compute2 = fn(u64, u64, u64, u64) -> (u64, u64);

#[derive(Copy, Clone)]
pub enum Fun {
    One(Compute),
    Two(Compute2),
}

/// What an instruction computes, with the types that its operands are read by.
pub struct Alu {
    pub fun: Fun,
    pub to: ScalarType,
    pub from: Vec<ScalarType>,
    /// Operands that the modifiers stand for; they follow the sources.
    pub extra: Vec<u64>,
    /// `CC.CF` follows the sources, or is the second result.
    pub carry_in: bool,
    pub carry_out: bool,
}

impl Alu {
    pub fn new(fun: Compute, to: ScalarType, from: &[ScalarType]) -> Alu {
        Alu { fun: Fun::One(fun), to, from: from.to_vec(), extra: vec![], carry_in: false, carry_out: false }
    }

    pub fn with(mut self, extra: u64) -> Alu {
        self.extra.push(extra);
        self
    }
}

/// The bits of a number, zeros above.
pub trait Bits {
    fn bits(self) -> u64;
}

macro_rules! bits {
    ($($t:ident $u:ident),*) => { $(impl Bits for $t { fn bits(self) -> u64 { self as $u as u64 } })* };
}
bits!(u8 u8, i8 u8, u16 u16, i16 u16, u32 u32, i32 u32, u64 u64, i64 u64, bool u8);

/// The function for an integer type: `a` and `b` arrive as `T`, the third and fourth operand as bits.
macro_rules! int {
    (@ $out:ty, $wrap:expr, $ty:expr, $a:ident $b:ident $c:ident $d:ident => $body:expr; $($v:ident $t:ident),*) => {
        match $ty {
            $(ScalarType::$v => {
                fn f($a: u64, $b: u64, $c: u64, $d: u64) -> $out {
                    #[allow(dead_code)]
                    type T = $t;
                    let ($a, $b) = ($a as T, $b as T);
                    let _ = ($a, $b, $c, $d);
                    $wrap($body)
                }
                Some(f as fn(u64, u64, u64, u64) -> $out)
            })*
            _ => None,
        }
    };
    ($ty:expr, $a:ident $b:ident $c:ident $d:ident => $body:expr) => {
        int!(@ u64, $crate::eval::int::Bits::bits, $ty, $a $b $c $d => $body; U8 u8, S8 i8, B8 u8, U16 u16, S16 i16, B16 u16, U32 u32, S32 i32,
             B32 u32, U64 u64, S64 i64, B64 u64)
    };
}
pub(super) use int;

/// The same with two results.
macro_rules! int2 {
    ($ty:expr, $a:ident $b:ident $c:ident $d:ident => $body:expr) => {
        int!(@ (u64, u64), two, $ty, $a $b $c $d => $body; U32 u32, S32 i32, B32 u32, U64 u64, S64 i64, B64 u64)
    };
}

fn two<A: Bits, B: Bits>((a, b): (A, B)) -> (u64, u64) {
    (a.bits(), b.bits())
}

/// The low bits of a product, as wide as the number says.
fn low(value: i128, bits: u32) -> u64 {
    if bits >= 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) }
}

/// The instruction's function, or nothing when it is none of these or has modifiers that do not belong.
pub fn pick(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let alu = match opcode {
        word::ADD | word::SUB | word::ADDC | word::SUBC => add(opcode, w),
        word::MUL | word::MAD | word::MADC => multiply(opcode, w),
        word::MUL24 | word::MAD24 => multiply24(opcode, w),
        word::DIV | word::REM | word::ABS | word::NEG | word::MIN | word::MAX | word::SAD => simple(opcode, w),
        word::DP4A | word::DP2A => dot(opcode, w),
        word::AND | word::OR | word::XOR | word::NOT | word::CNOT => logic(opcode, w),
        word::SHL | word::SHR | word::SHF => shift(opcode, w),
        word::POPC | word::CLZ | word::BFIND | word::BREV => count(opcode, w),
        word::BFE | word::BFI | word::FNS | word::SZEXT | word::BMSK => field(opcode, w),
        word::PRMT => prmt(w),
        _ => None,
    }?;
    w.done().then_some(alu)
}

fn is_int(ty: ScalarType) -> bool {
    matches!(ty, U16 | U32 | U64 | S16 | S32 | S64)
}

fn add(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let (sat, cc) = (w.flag("sat"), w.flag("cc"));
    let ty = w.ty()?;
    let chained = matches!(opcode, word::ADDC | word::SUBC);
    let subtract = matches!(opcode, word::SUB | word::SUBC);
    if matches!(ty, U16x2 | S16x2) {
        let f: Compute = if subtract {
            |a, b, _, _| halves(a, b, |x, y| x.wrapping_sub(y))
        } else {
            |a, b, _, _| halves(a, b, |x, y| x.wrapping_add(y))
        };
        return (!sat && !cc && !chained).then(|| Alu::new(f, ty, &[ty, ty]));
    }
    if !is_int(ty) || sat && (ty != S32 || cc || chained) {
        return None;
    }
    if sat {
        let f: Compute = if subtract {
            |a, b, _, _| (a as i32).saturating_sub(b as i32).bits()
        } else {
            |a, b, _, _| (a as i32).saturating_add(b as i32).bits()
        };
        return Some(Alu::new(f, ty, &[ty, ty]));
    }
    if !chained && !cc {
        let f =
            if subtract { int!(ty, a b _c _d => a.wrapping_sub(b)) } else { int!(ty, a b _c _d => a.wrapping_add(b)) };
        return Some(Alu::new(f?, ty, &[ty, ty]));
    }
    // "Borrow" is held inverted by no text of the manual: sub.cc sets CC.CF to the borrow, subc subtracts it.
    let f = if subtract {
        int2!(ty, a b c _d => {
            let wide = a as u64 as i128 & low_mask(T::BITS);
            let other = b as u64 as i128 & low_mask(T::BITS);
            let result = wide - other - c as i128;
            (low(result, T::BITS), result < 0)
        })
    } else {
        int2!(ty, a b c _d => {
            let result = (a as u64 as i128 & low_mask(T::BITS)) + (b as u64 as i128 & low_mask(T::BITS)) + c as i128;
            (low(result, T::BITS), result >> T::BITS != 0)
        })
    };
    let mut alu = Alu::new(|_, _, _, _| 0, ty, &[ty, ty]);
    alu.fun = Fun::Two(f?);
    (alu.carry_in, alu.carry_out) = (chained, cc);
    if !chained {
        alu.extra.push(0);
    }
    Some(alu)
}

fn low_mask(bits: u32) -> i128 {
    (1 << bits) - 1
}

fn halves(a: u64, b: u64, f: fn(u16, u16) -> u16) -> u64 {
    u64::from(f(a as u16, b as u16)) | u64::from(f((a >> 16) as u16, (b >> 16) as u16)) << 16
}

fn multiply(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let part = w.one_of(&["lo", "hi", "wide"])?;
    let (sat, cc) = (w.flag("sat"), w.flag("cc"));
    let ty = w.ty()?;
    if !is_int(ty) {
        return None;
    }
    let adds = opcode != word::MUL;
    if cc || opcode == word::MADC {
        if part == "wide" || sat || !adds {
            return None;
        }
        // The carry out of the addition of c and the carry in.
        let f = if part == "lo" {
            int2!(ty, a b c d => {
                let product = low((a as i128).wrapping_mul(b as i128), T::BITS);
                let sum = product as i128 + (c as i128 & low_mask(T::BITS)) + d as i128;
                (low(sum, T::BITS), sum >> T::BITS != 0)
            })
        } else {
            int2!(ty, a b c d => {
                let product = ((a as i128).wrapping_mul(b as i128) as u128 >> T::BITS) as i128;
                let sum = low(product, T::BITS) as i128 + (c as i128 & low_mask(T::BITS)) + d as i128;
                (low(sum, T::BITS), sum >> T::BITS != 0)
            })
        };
        let mut alu = Alu::new(|_, _, _, _| 0, ty, &[ty, ty, ty]);
        alu.fun = Fun::Two(f?);
        (alu.carry_in, alu.carry_out) = (opcode == word::MADC, cc);
        if !alu.carry_in {
            alu.extra.push(0);
        }
        return Some(alu);
    }
    if sat {
        let f: Compute = |a, b, c, _| {
            let high = (i64::from(a as i32) * i64::from(b as i32)) >> 32;
            (high as i32).saturating_add(c as i32).bits()
        };
        return (adds && part == "hi" && ty == S32).then(|| Alu::new(f, ty, &[ty, ty, ty]));
    }
    let wide = match ty {
        U16 => U32,
        S16 => S32,
        U32 => U64,
        S32 => S64,
        _ if part == "wide" => return None,
        _ => ty,
    };
    let f = match (part, adds) {
        ("lo", false) => int!(ty, a b _c _d => a.wrapping_mul(b)),
        ("lo", true) => int!(ty, a b c _d => a.wrapping_mul(b).wrapping_add(c as T)),
        ("hi", false) => int!(ty, a b _c _d => ((a as i128).wrapping_mul(b as i128) as u128 >> T::BITS) as T),
        ("hi", true) => {
            int!(ty, a b c _d => (((a as i128).wrapping_mul(b as i128) as u128 >> T::BITS) as T).wrapping_add(c as T))
        }
        (_, false) => int!(ty, a b _c _d => low((a as i128).wrapping_mul(b as i128), 2 * T::BITS)),
        (_, true) => {
            int!(ty, a b c _d => low((a as i128).wrapping_mul(b as i128).wrapping_add(c as i128), 2 * T::BITS))
        }
    };
    let to = if part == "wide" { wide } else { ty };
    let from: &[ScalarType] = if adds { &[ty, ty, to] } else { &[ty, ty] };
    Some(Alu::new(f?, to, from))
}

/// Products of the low 24 bits: 48 bits, of which `.lo` takes the low 32 and `.hi` the high 32.
fn multiply24(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let high = w.one_of(&["lo", "hi"])? == "hi";
    let sat = w.flag("sat");
    let ty = w.ty()?;
    let adds = opcode == word::MAD24;
    fn product(a: u64, b: u64, signed: bool) -> i64 {
        let cut = |x: u64| if signed { i64::from((x as i32) << 8 >> 8) } else { (x & 0xff_ffff) as i64 };
        cut(a) * cut(b)
    }
    fn run(a: u64, b: u64, c: u64, mode: u64) -> u64 {
        let product = product(a, b, mode & 1 != 0);
        let part = if mode & 2 != 0 { (product >> 16) as u32 } else { product as u32 };
        if mode & 4 != 0 {
            return (part as i32).saturating_add(c as i32).bits();
        }
        part.wrapping_add(c as u32).bits()
    }
    if !matches!(ty, U32 | S32) || sat && !(adds && high && ty == S32) {
        return None;
    }
    let mode = u64::from(ty == S32) | u64::from(high) << 1 | u64::from(sat) << 2;
    let alu = if adds { Alu::new(run, ty, &[ty, ty, ty]) } else { Alu::new(run, ty, &[ty, ty]).with(0) };
    Some(alu.with(mode))
}

fn simple(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let relu = w.flag("relu");
    let ty = w.ty()?;
    if matches!(ty, U16x2 | S16x2) {
        let signed = ty == S16x2;
        let f: Compute = match (opcode, signed, relu) {
            (word::NEG, _, false) => |a, _, _, _| halves(a, 0, |x, _| x.wrapping_neg()),
            (word::MIN, false, false) => |a, b, _, _| halves(a, b, |x, y| x.min(y)),
            (word::MAX, false, false) => |a, b, _, _| halves(a, b, |x, y| x.max(y)),
            (word::MIN, true, false) => |a, b, _, _| halves(a, b, |x, y| (x as i16).min(y as i16) as u16),
            (word::MAX, true, false) => |a, b, _, _| halves(a, b, |x, y| (x as i16).max(y as i16) as u16),
            (word::MIN, true, true) => |a, b, _, _| halves(a, b, |x, y| (x as i16).min(y as i16).max(0) as u16),
            (word::MAX, true, true) => |a, b, _, _| halves(a, b, |x, y| (x as i16).max(y as i16).max(0) as u16),
            _ => return None,
        };
        let from: &[ScalarType] = if opcode == word::NEG { &[ty] } else { &[ty, ty] };
        return Some(Alu::new(f, ty, from));
    }
    if !is_int(ty) || relu && (ty != S32 || !matches!(opcode, word::MIN | word::MAX)) {
        return None;
    }
    let signed = ty.is_signed();
    Some(match opcode {
        // Division by zero is left to the machine; NVIDIA's gives all ones for quotient and remainder.
        word::DIV => Alu::new(int!(ty, a b _c _d => if b == 0 { !b } else { a.wrapping_div(b) })?, ty, &[ty, ty]),
        word::REM => Alu::new(int!(ty, a b _c _d => if b == 0 { !b } else { a.wrapping_rem(b) })?, ty, &[ty, ty]),
        word::ABS if signed => Alu::new(int!(ty, a _b _c _d => (a as i64).wrapping_abs() as T)?, ty, &[ty]),
        word::NEG if signed => Alu::new(int!(ty, a _b _c _d => (a as i64).wrapping_neg() as T)?, ty, &[ty]),
        word::MIN if relu => Alu::new(|a, b, _, _| (a as i32).min(b as i32).max(0).bits(), ty, &[ty, ty]),
        word::MAX if relu => Alu::new(|a, b, _, _| (a as i32).max(b as i32).max(0).bits(), ty, &[ty, ty]),
        word::MIN => Alu::new(int!(ty, a b _c _d => a.min(b))?, ty, &[ty, ty]),
        word::MAX => Alu::new(int!(ty, a b _c _d => a.max(b))?, ty, &[ty, ty]),
        word::SAD => {
            let f = int!(ty, a b c _d => {
                let distance = if a < b { b.wrapping_sub(a) } else { a.wrapping_sub(b) };
                distance.wrapping_add(c as T)
            });
            Alu::new(f?, ty, &[ty, ty, ty])
        }
        _ => return None,
    })
}

fn dot(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let high = if opcode == word::DP2A { w.one_of(&["lo", "hi"])? == "hi" } else { false };
    let (a, b) = (w.ty()?, w.ty()?);
    if !matches!(a, U32 | S32) || !matches!(b, U32 | S32) {
        return None;
    }
    fn byte(x: u64, n: u32, signed: bool) -> i64 {
        let byte = (x >> (8 * n)) as u8;
        if signed { i64::from(byte as i8) } else { i64::from(byte) }
    }
    fn half(x: u64, n: u32, signed: bool) -> i64 {
        let half = (x >> (16 * n)) as u16;
        if signed { i64::from(half as i16) } else { i64::from(half) }
    }
    fn dp4a(a: u64, b: u64, c: u64, mode: u64) -> u64 {
        let (sa, sb) = (mode & 1 != 0, mode & 2 != 0);
        let sum: i64 = (0..4).map(|n| byte(a, n, sa) * byte(b, n, sb)).sum();
        (c as u32).wrapping_add(sum as u32).bits()
    }
    fn dp2a(a: u64, b: u64, c: u64, mode: u64) -> u64 {
        let (sa, sb, at) = (mode & 1 != 0, mode & 2 != 0, (mode >> 2) as u32 * 2);
        let sum: i64 = (0..2).map(|n| half(a, n, sa) * byte(b, n + at, sb)).sum();
        (c as u32).wrapping_add(sum as u32).bits()
    }
    let mode = u64::from(a == S32) | u64::from(b == S32) << 1 | u64::from(high) << 2;
    Some(Alu::new(if opcode == word::DP4A { dp4a } else { dp2a }, U32, &[a, b, B32]).with(mode))
}

fn logic(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let ty = w.ty()?;
    if ty == Pred {
        let f: Compute = match opcode {
            word::AND => |a, b, _, _| a & b,
            word::OR => |a, b, _, _| a | b,
            word::XOR => |a, b, _, _| a ^ b,
            word::NOT => |a, _, _, _| a ^ 1,
            _ => return None,
        };
        let from: &[ScalarType] = if opcode == word::NOT { &[ty] } else { &[ty, ty] };
        return Some(Alu::new(f, ty, from));
    }
    if !matches!(ty, B16 | B32 | B64) {
        return None;
    }
    Some(match opcode {
        word::AND => Alu::new(|a, b, _, _| a & b, ty, &[ty, ty]),
        word::OR => Alu::new(|a, b, _, _| a | b, ty, &[ty, ty]),
        word::XOR => Alu::new(|a, b, _, _| a ^ b, ty, &[ty, ty]),
        word::NOT => Alu::new(int!(ty, a _b _c _d => !a)?, ty, &[ty]),
        _ => Alu::new(int!(ty, a _b _c _d => a == 0)?, ty, &[ty]),
    })
}

/// "Shift amounts greater than the register width N are clamped to N."
fn shift(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    if opcode == word::SHF {
        let left = w.one_of(&["l", "r"])? == "l";
        let clamp = w.one_of(&["clamp", "wrap"])? == "clamp";
        fn run(a: u64, b: u64, c: u64, mode: u64) -> u64 {
            let n = if mode & 2 != 0 { (c as u32).min(32) } else { c as u32 & 31 };
            let both = b << 32 | a;
            if mode & 1 != 0 { (((both as u128) << n) as u64 >> 32) as u32 as u64 } else { (both >> n) as u32 as u64 }
        }
        let mode = u64::from(left) | u64::from(clamp) << 1;
        return (w.ty()? == B32).then(|| Alu::new(run, B32, &[B32, B32, U32]).with(mode));
    }
    let ty = w.ty()?;
    let f: Compute = match (opcode == word::SHL, ty) {
        (true, B16) => |a, n, _, _| shl(a, n, 16),
        (true, B32) => |a, n, _, _| shl(a, n, 32),
        (true, B64) => |a, n, _, _| shl(a, n, 64),
        (false, B16 | U16) => |a, n, _, _| shr(a.into(), n, 16),
        (false, B32 | U32) => |a, n, _, _| shr(a.into(), n, 32),
        (false, B64 | U64) => |a, n, _, _| shr(a.into(), n, 64),
        (false, S16) => |a, n, _, _| shr((a as i16).into(), n, 16),
        (false, S32) => |a, n, _, _| shr((a as i32).into(), n, 32),
        (false, S64) => |a, n, _, _| shr((a as i64).into(), n, 64),
        _ => return None,
    };
    Some(Alu::new(f, ty, &[ty, U32]))
}

fn shl(a: u64, n: u64, bits: u32) -> u64 {
    low(i128::from(a) << (n as u32).min(bits), bits)
}

/// `a` has its sign or zeros above.
fn shr(a: i128, n: u64, bits: u32) -> u64 {
    low(a >> (n as u32).min(bits), bits)
}

fn count(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let amount = w.flag("shiftamt");
    let ty = w.ty()?;
    let bits = matches!(ty, B32 | B64);
    Some(match opcode {
        word::POPC if bits && !amount => Alu::new(|a, _, _, _| a.count_ones().bits(), U32, &[ty]),
        word::CLZ if bits && !amount => Alu::new(int!(ty, a _b _c _d => a.leading_zeros())?, U32, &[ty]),
        word::BREV if bits && !amount => Alu::new(int!(ty, a _b _c _d => a.reverse_bits())?, ty, &[ty]),
        // The highest one of a number that is not negative, the highest zero of one that is; all ones without any.
        word::BFIND if is_int(ty) && ty.size_bytes() >= Some(4) => {
            let f = int!(ty, a _b _c d => {
                let zeros = if (a as i128) < 0 { (!a).leading_zeros() } else { a.leading_zeros() };
                if zeros == T::BITS { u32::MAX } else if d != 0 { zeros } else { T::BITS - 1 - zeros }
            });
            Alu::new(f?, U32, &[ty]).with(0).with(0).with(u64::from(amount))
        }
        _ => return None,
    })
}

fn field(opcode: Name, w: &mut Words<'_>) -> Option<Alu> {
    let mode = if matches!(opcode, word::SZEXT | word::BMSK) { w.one_of(&["clamp", "wrap"])? } else { "" };
    let clamp = u64::from(mode == "clamp");
    let ty = w.ty()?;
    Some(match (opcode, ty) {
        (word::BFE, U32) => Alu::new(|a, b, c, _| bfe(a, b, c, 31, false), ty, &[ty, U32, U32]),
        (word::BFE, S32) => Alu::new(|a, b, c, _| bfe(a, b, c, 31, true), ty, &[ty, U32, U32]),
        (word::BFE, U64) => Alu::new(|a, b, c, _| bfe(a, b, c, 63, false), ty, &[ty, U32, U32]),
        (word::BFE, S64) => Alu::new(|a, b, c, _| bfe(a, b, c, 63, true), ty, &[ty, U32, U32]),
        (word::BFI, B32) => Alu::new(|a, b, c, d| bfi(a, b, c, d, 31), ty, &[ty, ty, U32, U32]),
        (word::BFI, B64) => Alu::new(|a, b, c, d| bfi(a, b, c, d, 63), ty, &[ty, ty, U32, U32]),
        (word::FNS, B32) => Alu::new(|a, b, c, _| fns(a as u32, b as u32, c as i32).bits(), B32, &[B32, B32, S32]),
        (word::SZEXT, U32) => {
            Alu::new(|a, b, c, _| szext(a as u32, b as u32, c != 0, false), ty, &[ty, U32]).with(clamp)
        }
        (word::SZEXT, S32) => {
            Alu::new(|a, b, c, _| szext(a as u32, b as u32, c != 0, true), ty, &[ty, U32]).with(clamp)
        }
        (word::BMSK, B32) => Alu::new(|a, b, c, _| bmsk(a as u32, b as u32, c != 0), ty, &[B32, B32]).with(clamp),
        _ => return None,
    })
}

/// The manual's loop over the bits.
fn bfe(a: u64, pos: u64, len: u64, msb: u32, signed: bool) -> u64 {
    let (pos, len) = (pos as u32 & 0xff, len as u32 & 0xff);
    let bit = |n: u32| a >> n & 1;
    let sign = if !signed || len == 0 { 0 } else { bit((pos + len - 1).min(msb)) };
    let mut d = 0;
    for i in 0..=msb {
        d |= (if i < len && pos + i <= msb { bit(pos + i) } else { sign }) << i;
    }
    d
}

fn bfi(a: u64, b: u64, pos: u64, len: u64, msb: u32) -> u64 {
    let (pos, len) = (pos as u32 & 0xff, len as u32 & 0xff);
    let mut f = b;
    let mut i = 0;
    while i < len && pos + i <= msb {
        f = f & !(1 << (pos + i)) | (a >> i & 1) << (pos + i);
        i += 1;
    }
    f
}

fn fns(mask: u32, base: u32, offset: i32) -> u32 {
    // "base must be in 0..31".
    if offset == 0 {
        return if base < 32 && mask >> base & 1 == 1 { base } else { u32::MAX };
    }
    let mut pos = i64::from(base);
    let mut count = offset.unsigned_abs() - 1;
    while (0..32).contains(&pos) {
        if mask >> pos & 1 == 1 {
            if count == 0 {
                return pos as u32;
            }
            count -= 1;
        }
        pos += i64::from(offset.signum());
    }
    u32::MAX
}

fn szext(a: u32, b: u32, clamp: bool, signed: bool) -> u64 {
    let len = b & 31;
    let too_large = b >= 32 && clamp;
    let mask = if too_large { 0 } else { u32::MAX << len };
    let sign = signed && len != 0 && !too_large && a >> (len.wrapping_sub(1) & 31) & 1 == 1;
    (a & !mask | if sign { mask } else { 0 }).into()
}

fn bmsk(a: u32, b: u32, clamp: bool) -> u64 {
    let sum = (a & 31) + (b & 31);
    let mask0 = if clamp && a >= 32 { 0 } else { u32::MAX << (a & 31) };
    let overflow = sum >= 32 || clamp && (a >= 32 || b >= 32);
    let mask1 = if overflow { 0 } else { u32::MAX << sum };
    (mask0 & !mask1).into()
}

/// Bytes 0 to 3 are those of `a`, 4 to 7 those of `b`; the tables stand as in the manual, byte 3 first.
fn prmt(w: &mut Words<'_>) -> Option<Alu> {
    const TABLES: [(&str, [u16; 4]); 6] = [
        ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
        ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
        ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
        ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
        ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
        ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
    ];
    fn run(a: u64, b: u64, c: u64, mode: u64) -> u64 {
        let selector = match TABLES.get(mode as usize) {
            Some((_, rows)) => u64::from(rows[c as usize & 3]),
            None => c,
        };
        let bytes = (b << 32 | a).to_le_bytes();
        let mut d = 0;
        for n in 0..4 {
            let nibble = selector >> (4 * n) & 15;
            let byte = bytes[nibble as usize & 7];
            // The top bit of a nibble replicates the sign of the byte; the modes have none.
            let byte = if nibble & 8 != 0 { (byte as i8 >> 7) as u8 } else { byte };
            d |= u64::from(byte) << (8 * n);
        }
        d
    }
    let names: Vec<&str> = TABLES.iter().map(|(name, _)| *name).collect();
    let mode = w.one_of(&names).and_then(|word| names.iter().position(|name| *name == word)).unwrap_or(TABLES.len());
    (w.ty()? == B32).then(|| Alu::new(run, B32, &[B32, B32, B32]).with(mode as u64))
}
