//! Divisions, remainders and 64-bit high products in terms of what machines have.
//!
//! A constant divisor becomes a multiplication by a reciprocal (Granlund and Montgomery, "Division by invariant integers
//! using multiplication", 1994). A variable one starts from an approximate float reciprocal, is refined by Newton's
//! method in integers from below, and ends with two corrections; see [`Expander::divide32`] for the error bounds, which
//! hold for any reciprocal within 1 ulp. PTX leaves a division by zero open: here the quotient is all ones and the
//! remainder the dividend, as the constant folder has it.
//!
//! Leaves: no `DivU DivS RemU RemS` of either width and no 64-bit `MulHiU MulHiS`.

use crate::diag::Span;
use crate::id::EntityRef;
use crate::ir::{CmpOp, FloatEnv, FloatOp, FloatTy, Func, Inst, IntOp, Op, Round, Terminator, UnaryOp, Value, Width};

pub fn run(func: &mut Func) {
    let mut forward: Vec<Option<Value>> = vec![None; func.values.len()];
    for block in func.order.clone() {
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len());
        for inst in insts {
            for arg in &mut func.insts[inst].args {
                *arg = forward.get(arg.index()).copied().flatten().unwrap_or(*arg);
            }
            let mut expander = Expander { span: func.spans[inst], func, out: &mut out };
            match expander.expand(inst) {
                Some(value) => forward[expander.func.result(inst).index()] = Some(value),
                None => out.push(inst),
            }
        }
        func.blocks[block].insts = out;
    }
    for block in func.order.clone() {
        let resolve = |value: &mut Value| *value = forward.get(value.index()).copied().flatten().unwrap_or(*value);
        let term = &mut func.blocks[block].term;
        match term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => resolve(value),
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            edge.args.iter_mut().for_each(resolve);
        }
    }
}

struct Expander<'f> {
    func: &'f mut Func,
    out: &'f mut Vec<Inst>,
    span: Span,
}

const F32: FloatEnv = FloatEnv { round: Round::NearestEven, ftz: false, sat: false };

impl Expander<'_> {
    fn expand(&mut self, inst: Inst) -> Option<Value> {
        use IntOp::*;
        let data = &self.func.insts[inst];
        let Op::Int(op, width) = data.op else { return None };
        let (a, b) = match (&data.args[..], op, width) {
            (&[a, b], DivU | DivS | RemU | RemS, _) => (a, b),
            (&[a, b], MulHiU | MulHiS, Width::W64) => (a, b),
            _ => return None,
        };
        Some(match op {
            MulHiU => self.mul_hi(width, a, b),
            MulHiS => self.mul_hi_signed(width, a, b),
            DivU | RemU => {
                let remainder = op == RemU;
                match self.constant(b) {
                    Some(0) if remainder => a,
                    Some(0) => self.constant_of(width, u64::MAX),
                    Some(d) => {
                        let quotient = self.divide_by_constant(width, a, d);
                        if remainder { self.rest(width, a, quotient, b) } else { quotient }
                    }
                    None => self.divide(width, a, b, remainder),
                }
            }
            _ => {
                let remainder = op == RemS;
                match self.constant(b) {
                    Some(0) if remainder => a,
                    Some(0) => self.constant_of(width, u64::MAX),
                    Some(d) => {
                        let quotient = self.divide_by_signed_constant(width, a, d);
                        if remainder { self.rest(width, a, quotient, b) } else { quotient }
                    }
                    None => self.divide_signed(width, a, b, remainder),
                }
            }
        })
    }

    fn constant(&self, value: Value) -> Option<u64> {
        match self.func.def(value)?.0.op {
            Op::Const32(v) => Some(u64::from(v)),
            Op::Const64(v) => Some(v),
            _ => None,
        }
    }

    fn emit(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.func.make(op, args.iter().copied(), self.span);
        self.out.push(inst);
        self.func.result(inst)
    }

    fn int(&mut self, op: IntOp, width: Width, a: Value, b: Value) -> Value {
        self.emit(Op::Int(op, width), &[a, b])
    }

    fn c32(&mut self, value: u32) -> Value {
        self.emit(Op::Const32(value), &[])
    }

    fn f32(&mut self, value: f32) -> Value {
        self.c32(value.to_bits())
    }

    fn constant_of(&mut self, width: Width, bits: u64) -> Value {
        match width {
            Width::W32 => self.c32(bits as u32),
            Width::W64 => self.emit(Op::Const64(bits), &[]),
        }
    }

    fn shift(&mut self, op: IntOp, width: Width, a: Value, amount: u32) -> Value {
        if amount == 0 {
            return a;
        }
        let amount = self.c32(amount);
        self.int(op, width, a, amount)
    }

    fn float(&mut self, op: FloatOp, args: &[Value]) -> Value {
        self.emit(Op::Float(op, FloatTy::F32, F32), args)
    }

    /// dividend - quotient * divisor.
    fn rest(&mut self, width: Width, a: Value, quotient: Value, b: Value) -> Value {
        let product = self.int(IntOp::Mul, width, quotient, b);
        self.int(IntOp::Sub, width, a, product)
    }

    /// The upper half of the full product.
    fn mul_hi(&mut self, width: Width, a: Value, b: Value) -> Value {
        if width == Width::W32 {
            return self.int(IntOp::MulHiU, width, a, b);
        }
        let [a_low, a_high] = self.halves(a);
        let [b_low, b_high] = self.halves(b);
        // Schoolbook; a product of dwords plus two dwords fits 64 bits.
        let lowest = self.int(IntOp::MulHiU, Width::W32, a_low, b_low);
        let first = self.product_plus(a_high, b_low, lowest);
        let [first_low, first_high] = self.halves(first);
        let second = self.product_plus(a_low, b_high, first_low);
        let [_, second_high] = self.halves(second);
        let third = self.product_plus(a_high, b_high, first_high);
        let second_high = self.zero_extend(second_high);
        self.int(IntOp::Add, Width::W64, third, second_high)
    }

    fn product_plus(&mut self, a: Value, b: Value, c: Value) -> Value {
        let product = self.emit(Op::MulWide { signed: false }, &[a, b]);
        let c = self.zero_extend(c);
        self.int(IntOp::Add, Width::W64, product, c)
    }

    fn zero_extend(&mut self, a: Value) -> Value {
        let zero = self.c32(0);
        self.emit(Op::Pack64, &[a, zero])
    }

    fn halves(&mut self, a: Value) -> [Value; 2] {
        [self.emit(Op::Lo, &[a]), self.emit(Op::Hi, &[a])]
    }

    /// The unsigned product is too large by b where a is negative, and by a where b is.
    fn mul_hi_signed(&mut self, width: Width, a: Value, b: Value) -> Value {
        if width == Width::W32 {
            return self.int(IntOp::MulHiS, width, a, b);
        }
        let mut high = self.mul_hi(width, a, b);
        for (x, y) in [(a, b), (b, a)] {
            let sign = self.shift(IntOp::ShrS, width, x, width.bits() - 1);
            let excess = self.int(IntOp::And, width, sign, y);
            high = self.int(IntOp::Sub, width, high, excess);
        }
        high
    }

    /// n / d for a constant d > 0: with 2^(W+s) = m*d - e, 0 < e <= 2^s, s = ceil(log2 d), the quotient is
    /// m*n >> (W+s); m has W+1 bits, whose top one is added by hand.
    fn divide_by_constant(&mut self, width: Width, n: Value, d: u64) -> Value {
        let bits = width.bits();
        if d.is_power_of_two() {
            return self.shift(IntOp::ShrU, width, n, d.trailing_zeros());
        }
        // An even divisor leaves room: divide by its odd part what is shifted down first. A multiplier of W bits
        // suffices then, and often without.
        let twos = d.trailing_zeros();
        for before in [0, twos] {
            let (d, range) = (d >> before, bits - before);
            let s = 64 - (d - 1).leading_zeros();
            // The least s' <= s for which the rounded multiplier is exact on `range` bits.
            for s in 0..=s {
                let power = 1u128 << s;
                // m = floor(2^(W+s) / d) + 1, without overflow for W = 64.
                let (quotient, remainder) = divide_power(bits + s, d);
                let error = u128::from(d - remainder);
                if quotient + 1 < 1 << bits && error <= power << (bits - range) {
                    let n = self.shift(IntOp::ShrU, width, n, before);
                    let m = self.constant_of(width, (quotient + 1) as u64);
                    let high = self.mul_hi(width, n, m);
                    return self.shift(IntOp::ShrU, width, high, s);
                }
            }
        }
        let s = 64 - (d - 1).leading_zeros();
        let (quotient, _) = divide_power(bits + s, d);
        let m = self.constant_of(width, (quotient + 1) as u64);
        let high = self.mul_hi(width, n, m);
        // (n + high) >> s, where the sum has one bit more: halve the difference first.
        let difference = self.int(IntOp::Sub, width, n, high);
        let half = self.shift(IntOp::ShrU, width, difference, 1);
        let sum = self.int(IntOp::Add, width, half, high);
        self.shift(IntOp::ShrU, width, sum, s - 1)
    }

    /// n / d, towards zero, for a constant d != 0.
    fn divide_by_signed_constant(&mut self, width: Width, n: Value, d: u64) -> Value {
        let bits = width.bits();
        let signed = (d << (64 - bits)) as i64 >> (64 - bits);
        let magnitude = signed.unsigned_abs();
        let quotient = if magnitude == 1 {
            n
        } else if magnitude.is_power_of_two() {
            // Negative dividends are rounded up by adding 2^k - 1 first.
            let k = magnitude.trailing_zeros();
            let sign = self.shift(IntOp::ShrS, width, n, bits - 1);
            let bias = self.shift(IntOp::ShrU, width, sign, bits - k);
            let sum = self.int(IntOp::Add, width, n, bias);
            self.shift(IntOp::ShrS, width, sum, k)
        } else {
            // 2^(W-1+s) = m*d - e with 0 < e <= 2^s and s = ceil(log2 d): m has W bits, and stands for m - 2^W as a
            // signed number, which adding n makes good.
            let s = 64 - (magnitude - 1).leading_zeros();
            let (quotient, _) = divide_power(bits - 1 + s, magnitude);
            let multiplier = (quotient + 1) as u64;
            let m = self.constant_of(width, multiplier);
            let mut high = self.mul_hi_signed(width, n, m);
            if multiplier >> (bits - 1) & 1 != 0 {
                high = self.int(IntOp::Add, width, high, n);
            }
            let down = self.shift(IntOp::ShrS, width, high, s - 1);
            let sign = self.shift(IntOp::ShrS, width, n, bits - 1);
            self.int(IntOp::Sub, width, down, sign)
        };
        if signed < 0 { self.emit(Op::Unary(UnaryOp::Neg, width), &[quotient]) } else { quotient }
    }

    fn divide(&mut self, width: Width, a: Value, b: Value, remainder: bool) -> Value {
        let [quotient, rest] = match width {
            Width::W32 => self.divide32(a, b),
            Width::W64 => self.divide64(a, b),
        };
        let value = if remainder { rest } else { quotient };
        let by_zero = if remainder { a } else { self.constant_of(width, u64::MAX) };
        self.unless_zero(width, b, value, by_zero)
    }

    fn unless_zero(&mut self, width: Width, b: Value, value: Value, by_zero: Value) -> Value {
        let zero = self.constant_of(width, 0);
        let is_zero = self.emit(Op::Cmp(CmpOp::Eq, width), &[b, zero]);
        self.emit(Op::Select(width.ty()), &[is_zero, by_zero, value])
    }

    /// Through magnitudes: the quotient has the sign of both, the remainder that of the dividend.
    fn divide_signed(&mut self, width: Width, a: Value, b: Value, remainder: bool) -> Value {
        let a_sign = self.shift(IntOp::ShrS, width, a, width.bits() - 1);
        let b_sign = self.shift(IntOp::ShrS, width, b, width.bits() - 1);
        let (a_abs, b_abs) = (self.flip(width, a, a_sign), self.flip(width, b, b_sign));
        let [quotient, rest] = match width {
            Width::W32 => self.divide32(a_abs, b_abs),
            Width::W64 => self.divide64(a_abs, b_abs),
        };
        if remainder {
            let value = self.flip(width, rest, a_sign);
            return self.unless_zero(width, b, value, a);
        }
        let sign = self.int(IntOp::Xor, width, a_sign, b_sign);
        let value = self.flip(width, quotient, sign);
        let ones = self.constant_of(width, u64::MAX);
        self.unless_zero(width, b, value, ones)
    }

    /// The value, negated where the sign is all ones.
    fn flip(&mut self, width: Width, a: Value, sign: Value) -> Value {
        let flipped = self.int(IntOp::Xor, width, a, sign);
        self.int(IntOp::Sub, width, flipped, sign)
    }

    /// Quotient and remainder of dwords, b != 0.
    ///
    /// Let z be an estimate of 2^32/b with y = b*z and e = 1 - y/2^32 its relative error. Float b, its reciprocal within
    /// 1 ulp, and the product with 2^32 - 2^11 = 2^32 * (1 - 2^-21) err by 2^-24, 2^-23 and 2^-24: together by less than
    /// 2^-21.9, so that z is below 2^32/b, and 0 < e < 2^-20.4 + b/2^32, the last term for cutting to an integer.
    /// One step z + floor(z * (2^32 - y) / 2^32) stays below and leaves e' <= e^2 + b/2^32.
    /// floor(a*z/2^32) is then less than the true quotient by at most (2^32/b)*e^2 + b/2^32 + 1, rounded up: for b < 2^31
    /// that is 2; for b >= 2^31 the quotient is at most 1. Two corrections make it exact.
    fn divide32(&mut self, a: Value, b: Value) -> [Value; 2] {
        let width = Width::W32;
        let float_b = self.emit(Op::IntToFloat { signed: false, from: width, to: FloatTy::F32, env: F32 }, &[b]);
        let reciprocal = self.emit(Op::RcpF32, &[float_b]);
        let scale = self.f32(4294965248.0);
        let estimate = self.float(FloatOp::Mul, &[reciprocal, scale]);
        let mut z = self.float_to_u32(estimate);
        let missing = self.int(IntOp::Mul, width, b, z);
        let missing = self.emit(Op::Unary(UnaryOp::Neg, width), &[missing]);
        let step = self.mul_hi(width, z, missing);
        z = self.int(IntOp::Add, width, z, step);
        let quotient = self.mul_hi(width, a, z);
        let rest = self.rest(width, a, quotient, b);
        self.correct(width, quotient, rest, b)
    }

    fn float_to_u32(&mut self, a: Value) -> Value {
        let op = Op::FloatToInt { signed: false, from: FloatTy::F32, to: Width::W32, round: Round::Zero, ftz: false };
        self.emit(op, &[a])
    }

    /// Twice: where the remainder is not below the divisor, the quotient is one more.
    fn correct(&mut self, width: Width, quotient: Value, rest: Value, b: Value) -> [Value; 2] {
        let (mut quotient, mut rest) = (quotient, rest);
        let one = self.constant_of(width, 1);
        for _ in 0..2 {
            let more = self.emit(Op::Cmp(CmpOp::GeU, width), &[rest, b]);
            let next = self.int(IntOp::Add, width, quotient, one);
            let less = self.int(IntOp::Sub, width, rest, b);
            quotient = self.emit(Op::Select(width.ty()), &[more, next, quotient]);
            rest = self.emit(Op::Select(width.ty()), &[more, less, rest]);
        }
        [quotient, rest]
    }

    /// As [`Expander::divide32`], with 2^64 for 2^32 and two steps.
    ///
    /// Float b is rounded three times (two dwords and their sum), so it errs by 2^-23; the estimate by less than 2^-21.6
    /// around 2^64/b * (1 - 2^-21), and again stays below. Two steps leave (2^64/b)*e^4 far below 1.
    fn divide64(&mut self, a: Value, b: Value) -> [Value; 2] {
        let width = Width::W64;
        let [low, high] = self.halves(b);
        let to_float = Op::IntToFloat { signed: false, from: Width::W32, to: FloatTy::F32, env: F32 };
        let (low, high) = (self.emit(to_float, &[low]), self.emit(to_float, &[high]));
        let two_32 = self.f32(4294967296.0);
        let float_b = self.float(FloatOp::Fma, &[high, two_32, low]);
        let reciprocal = self.emit(Op::RcpF32, &[float_b]);
        let scale = self.f32(18446735277616529408.0);
        let estimate = self.float(FloatOp::Mul, &[reciprocal, scale]);
        // To an integer by halves: the upper one is exact, and so is what is left.
        let down = self.f32(1.0 / 4294967296.0);
        let upper = self.float(FloatOp::Mul, &[estimate, down]);
        let truncate = FloatEnv { round: Round::Zero, ..F32 };
        let upper = self.emit(Op::Float(FloatOp::Rint, FloatTy::F32, truncate), &[upper]);
        let minus_two_32 = self.f32(-4294967296.0);
        let lower = self.float(FloatOp::Fma, &[upper, minus_two_32, estimate]);
        let (lower, upper) = (self.float_to_u32(lower), self.float_to_u32(upper));
        let mut z = self.emit(Op::Pack64, &[lower, upper]);
        for _ in 0..2 {
            let missing = self.int(IntOp::Mul, width, b, z);
            let missing = self.emit(Op::Unary(UnaryOp::Neg, width), &[missing]);
            let step = self.mul_hi(width, z, missing);
            z = self.int(IntOp::Add, width, z, step);
        }
        let quotient = self.mul_hi(width, a, z);
        let rest = self.rest(width, a, quotient, b);
        self.correct(width, quotient, rest, b)
    }
}

/// Quotient and remainder of 2^power by d; power is at most 128.
fn divide_power(power: u32, d: u64) -> (u128, u64) {
    let d = u128::from(d);
    if power < 128 {
        let n = 1u128 << power;
        return (n / d, (n % d) as u64);
    }
    // 2^128 = (2^128 - 1) + 1.
    let (quotient, remainder) = (u128::MAX / d, u128::MAX % d + 1);
    if remainder == d { (quotient + 1, 0) } else { (quotient, remainder as u64) }
}
