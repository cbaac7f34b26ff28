//! The rules of [`super::fold`]: identities of single ops.
//!
//! A rule returns a value that equals the op's for every input. Constants stand on the right of commutative ops when
//! the rules for them are tried.

use super::eval::Const;
use super::fold::{Args, Folder};
use crate::ir::byteperm::ByteSel;
use crate::ir::{IntOp, Op, PrmtMode, Type, UnaryOp, Value, Width};

impl Folder<'_> {
    pub(super) fn rule(&mut self, op: &Op, args: &[Value]) -> Option<Value> {
        match *op {
            Op::Lo | Op::Hi => self.half(op, args[0]),
            Op::Pack64 => self.pack(args[0], args[1]),
            Op::Int(op, width) => self.int_rule(op, width, args[0], args[1]),
            Op::Unary(op, width) => self.unary_rule(op, width, args[0]),
            Op::Lop3(table) => self.lop3_rule(table, args),
            Op::FunnelShr => self.funnel_rule(args[0], args[1], args[2]),
            Op::Bfe { signed } => self.bfe_rule(signed, args[0], args[1], args[2]),
            Op::BitSelect => self.bit_select_rule(args[0], args[1], args[2]),
            Op::BytePerm(sels) => self.byteperm_rule(sels, args),
            Op::PrmtDynamic(mode) => {
                if let Some(selector) = self.constant32(args[2]) {
                    return Some(self.build(Op::BytePerm(ByteSel::prmt(mode, selector)), &args[..2]));
                }
                self.prmt_without_signs(mode, args)
            }
            Op::MulWide { signed } => self.mul_wide_rule(signed, args[0], args[1]),
            Op::Cmp(op, width) => self.cmp_rule(op, width, args[0], args[1]),
            Op::PredBin(op) => self.pred_rule(op, args[0], args[1]),
            Op::PredNot => self.not_rule(args[0]),
            Op::Select(ty) => self.select_rule(ty, args[0], args[1], args[2]),
            _ => None,
        }
    }

    /// No nibble of the selector asks for a sign: each becomes a byte of its own, which permutes with the same selector share.
    fn prmt_without_signs(&mut self, mode: PrmtMode, args: &[Value]) -> Option<Value> {
        const SIGNS: u64 = 0x8888;
        if mode != PrmtMode::Generic || self.bits(args[2]).zeros & SIGNS != SIGNS {
            return None;
        }
        let mut selector = args[2];
        // What `__byte_perm` masks away is masked away below.
        if let Some((Op::Int(IntOp::And, Width::W32), inner)) = self.op_of(selector)
            && self.constant32(inner[1]).is_some_and(|mask| mask & 0x7777 == 0x7777)
        {
            selector = inner[0];
        }
        let four = self.c32(4);
        let odd = self.int(IntOp::ShrU, Width::W32, selector, four);
        let spread = [ByteSel::Byte(0, 0), ByteSel::Byte(1, 0), ByteSel::Byte(0, 1), ByteSel::Byte(1, 1)];
        let spread = self.build(Op::BytePerm(spread), &[selector, odd]);
        let mask = self.c32(0x0707_0707);
        let picks = self.int(IntOp::And, Width::W32, spread, mask);
        Some(self.build(Op::PrmtDynamic(PrmtMode::Bytes), &[args[0], args[1], picks]))
    }

    fn half(&mut self, op: &Op, pair: Value) -> Option<Value> {
        let high = *op == Op::Hi;
        let (def, args) = self.op_of(pair)?;
        match def {
            Op::Pack64 => Some(args[usize::from(high)]),
            Op::Undef(_) => Some(self.build(Op::Undef(Type::B32), &[])),
            _ => {
                // What has other uses is computed as a whole anyway.
                let (def, args) = self.single_use(pair)?;
                self.half_of(high, def, &args)
            }
        }
    }

    fn half_of(&mut self, high: bool, def: Op, args: &Args) -> Option<Value> {
        let half = if high { Op::Hi } else { Op::Lo };
        match def {
            Op::Int(op @ (IntOp::And | IntOp::Or | IntOp::Xor), Width::W64) => {
                let (a, b) = (self.build(half, &args[..1]), self.build(half, &args[1..2]));
                Some(self.int(op, Width::W32, a, b))
            }
            Op::Int(op @ (IntOp::Add | IntOp::Sub | IntOp::Mul), Width::W64) if !high => {
                let (a, b) = (self.build(Op::Lo, &args[..1]), self.build(Op::Lo, &args[1..2]));
                Some(self.int(op, Width::W32, a, b))
            }
            Op::MulWide { signed } => {
                let op = match (high, signed) {
                    (false, _) => IntOp::Mul,
                    (true, false) => IntOp::MulHiU,
                    (true, true) => IntOp::MulHiS,
                };
                Some(self.int(op, Width::W32, args[0], args[1]))
            }
            Op::Int(op @ (IntOp::Shl | IntOp::ShrU | IntOp::ShrS), Width::W64) => {
                let n = self.constant32(args[1])? & 63;
                let (low, high_in) = (self.build(Op::Lo, &args[..1]), self.build(Op::Hi, &args[..1]));
                // 32 and more are rules of the shift itself.
                if n == 0 || n >= 32 {
                    return None;
                }
                let amount = self.c32(n);
                Some(match (op, high) {
                    (IntOp::Shl, false) => self.int(IntOp::Shl, Width::W32, low, amount),
                    (IntOp::Shl, true) => {
                        let amount = self.c32(32 - n);
                        self.build(Op::FunnelShr, &[high_in, low, amount])
                    }
                    (_, false) => self.build(Op::FunnelShr, &[high_in, low, amount]),
                    (op, true) => self.int(op, Width::W32, high_in, amount),
                })
            }
            Op::Unary(UnaryOp::Not, Width::W64) => {
                let a = self.build(half, &args[..1]);
                Some(self.build(Op::Unary(UnaryOp::Not, Width::W32), &[a]))
            }
            Op::Select(Type::B64) => {
                let (a, b) = (self.build(half, &args[1..2]), self.build(half, &args[2..3]));
                Some(self.build(Op::Select(Type::B32), &[args[0], a, b]))
            }
            _ => None,
        }
    }

    fn pack(&mut self, low: Value, high: Value) -> Option<Value> {
        if let (Some((Op::Lo, a)), Some((Op::Hi, b))) = (self.op_of(low), self.op_of(high))
            && a[0] == b[0]
        {
            return Some(a[0]);
        }
        None
    }

    pub(super) fn is_undef(&self, value: Value) -> bool {
        matches!(self.op_of(value), Some((Op::Undef(_), _)))
    }

    fn zero(&mut self, width: Width) -> Value {
        self.build(Const::of_width(width, 0).op(), &[])
    }

    fn constant_of(&mut self, width: Width, bits: u64) -> Value {
        self.build(Const::of_width(width, bits).op(), &[])
    }

    fn int_rule(&mut self, op: IntOp, width: Width, a: Value, b: Value) -> Option<Value> {
        use IntOp::*;
        let commutes = matches!(op, Add | Mul | MulHiU | MulHiS | MinU | MinS | MaxU | MaxS | And | Or | Xor | AddSatS);
        if commutes && self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.int(op, width, b, a));
        }
        if a == b {
            match op {
                And | Or | MinU | MinS | MaxU | MaxS => return Some(a),
                Xor | Sub => return Some(self.zero(width)),
                _ => {}
            }
        }
        if let Some(c) = self.constant(b).map(Const::bits)
            && let Some(value) = self.int_constant_rule(op, width, a, b, c)
        {
            return Some(value);
        }
        if matches!(op, Shl | ShrU | ShrS)
            && let Some((Op::Int(And, Width::W32), masked)) = self.op_of(b)
        {
            // Amounts are taken modulo the width.
            let last = width.bits() - 1;
            if self.constant32(masked[1]).is_some_and(|mask| mask & last == last) {
                return Some(self.int(op, width, a, masked[0]));
            }
        }
        if width == Width::W64 && matches!(op, And | Or | Xor) {
            return self.by_halves(op, a, b);
        }
        if matches!(op, And | Or | Xor | MinU | MaxU) {
            return self.int_bits_rule(op, a, b);
        }
        None
    }

    /// 64-bit logic on pairs that were put together from dwords.
    fn by_halves(&mut self, op: IntOp, a: Value, b: Value) -> Option<Value> {
        let is_pack = |this: &Self, v: Value| matches!(this.op_of(v), Some((Op::Pack64, _)));
        let trivial = |c: Option<Const>| {
            c.is_some_and(|c| {
                [0, u32::MAX].contains(&(c.bits() as u32)) || [0, u32::MAX].contains(&((c.bits() >> 32) as u32))
            })
        };
        if !is_pack(self, a) && !is_pack(self, b) && !trivial(self.constant(b)) {
            return None;
        }
        let mut halves = [a; 2];
        for (half, part) in halves.iter_mut().zip([Op::Lo, Op::Hi]) {
            let (a, b) = (self.build(part, &[a]), self.build(part, &[b]));
            *half = self.int(op, Width::W32, a, b);
        }
        Some(self.build(Op::Pack64, &halves))
    }

    fn int_constant_rule(&mut self, op: IntOp, width: Width, a: Value, b: Value, c: u64) -> Option<Value> {
        use IntOp::*;
        let ones = if width == Width::W32 { u64::from(u32::MAX) } else { u64::MAX };
        let amount = c as u32 & (width.bits() - 1);
        match (op, c) {
            (Add | Sub | Or | Xor | AddSatS | SubSatS | MaxU, 0) => return Some(a),
            (And | Mul | MulHiU | MulHiS | MinU, 0) => return Some(self.zero(width)),
            (And | MinU, _) if c == ones => return Some(a),
            (Or | MaxU, _) if c == ones => return Some(b),
            (Xor, _) if c == ones => return Some(self.build(Op::Unary(UnaryOp::Not, width), &[a])),
            (Mul | DivU | DivS, 1) => return Some(a),
            (MulHiU | RemU | RemS, 1) => return Some(self.zero(width)),
            (Shl | ShrU | ShrS, _) if amount == 0 => return Some(a),
            (Sub, _) => {
                let negated = self.constant_of(width, c.wrapping_neg());
                return Some(self.int(Add, width, a, negated));
            }
            (Mul, _) if c.is_power_of_two() => {
                let amount = self.c32(c.trailing_zeros());
                return Some(self.int(Shl, width, a, amount));
            }
            (Mul, _) if c == ones => return Some(self.build(Op::Unary(UnaryOp::Neg, width), &[a])),
            (DivU, _) if c.is_power_of_two() => {
                let amount = self.c32(c.trailing_zeros());
                return Some(self.int(ShrU, width, a, amount));
            }
            (RemU, _) if c.is_power_of_two() => {
                let mask = self.constant_of(width, c - 1);
                return Some(self.int(And, width, a, mask));
            }
            _ => {}
        }
        if let Some((Op::Int(inner, w), args)) = self.op_of(a)
            && w == width
            && let Some(d) = self.constant(args[1]).map(Const::bits)
        {
            let merged = match (op, inner) {
                (Add, Add) => Some((Add, c.wrapping_add(d))),
                (And, And) => Some((And, c & d)),
                (Or, Or) => Some((Or, c | d)),
                (Xor, Xor) => Some((Xor, c ^ d)),
                _ => None,
            };
            if let Some((op, bits)) = merged {
                let bits = self.constant_of(width, bits);
                return Some(self.int(op, width, args[0], bits));
            }
            if matches!(op, Shl | ShrU | ShrS) && op == inner {
                let inner_amount = d as u32 & (width.bits() - 1);
                let sum = amount + inner_amount;
                if sum < width.bits() {
                    let sum = self.c32(sum);
                    return Some(self.int(op, width, args[0], sum));
                }
                if op != ShrS {
                    return Some(self.zero(width));
                }
                let last = self.c32(width.bits() - 1);
                return Some(self.int(ShrS, width, args[0], last));
            }
        }
        if let (Some((Op::GlobalAddr(global, addend), _)), Add) = (self.op_of(a), op)
            && let Some(sum) = addend.checked_add(c as i64)
        {
            return Some(self.build(Op::GlobalAddr(global, sum), &[]));
        }
        if width == Width::W64 && matches!(op, Shl | ShrU | ShrS) && amount >= 32 {
            return self.long_shift(op, a, amount - 32);
        }
        let bits = self.bits(a);
        match op {
            // What is left above the shift is known.
            ShrU if bits.max() >> amount == 0 => Some(self.zero(width)),
            ShrS if u32::from(bits.signs) + amount >= width.bits() && bits.signs > 1 => {
                // Only copies of the sign are left.
                let last = width.bits() - 1;
                if bits.zeros >> last & 1 != 0 {
                    Some(self.zero(width))
                } else if amount < last {
                    let last = self.c32(last);
                    Some(self.int(ShrS, width, a, last))
                } else {
                    None
                }
            }
            ShrS if bits.zeros >> (width.bits() - 1) & 1 != 0 => Some(self.int(ShrU, width, a, b)),
            And if c | bits.zeros == u64::MAX => Some(a),
            And if c & !bits.zeros == 0 => Some(self.zero(width)),
            Or if c & !bits.ones == 0 => Some(a),
            MinU if bits.max() <= c => Some(a),
            MinU if bits.min() >= c => Some(b),
            MaxU if bits.min() >= c => Some(a),
            MaxU if bits.max() <= c => Some(b),
            DivU if bits.max() < c => Some(self.zero(width)),
            RemU if bits.max() < c => Some(a),
            // A product that cannot leave the dword needs no high half.
            MulHiU if width == Width::W32 && u128::from(bits.max()) * u128::from(c) < 1 << 32 => Some(self.zero(width)),
            _ => None,
        }
    }

    /// A 64-bit shift by `32 + amount`.
    fn long_shift(&mut self, op: IntOp, a: Value, amount: u32) -> Option<Value> {
        let zero = self.c32(0);
        let n = self.c32(amount);
        if op == IntOp::Shl {
            let low = self.build(Op::Lo, &[a]);
            let high = self.int(IntOp::Shl, Width::W32, low, n);
            return Some(self.build(Op::Pack64, &[zero, high]));
        }
        let high = self.build(Op::Hi, &[a]);
        let low = self.int(op, Width::W32, high, n);
        let top = if op == IntOp::ShrS {
            let last = self.c32(31);
            self.int(IntOp::ShrS, Width::W32, high, last)
        } else {
            zero
        };
        Some(self.build(Op::Pack64, &[low, top]))
    }

    fn int_bits_rule(&mut self, op: IntOp, a: Value, b: Value) -> Option<Value> {
        let (x, y) = (self.bits(a), self.bits(b));
        match op {
            IntOp::And if y.ones | x.zeros == u64::MAX => Some(a),
            IntOp::And if x.ones | y.zeros == u64::MAX => Some(b),
            IntOp::Or if y.zeros | x.ones == u64::MAX => Some(a),
            IntOp::Or if x.zeros | y.ones == u64::MAX => Some(b),
            IntOp::MinU if x.max() <= y.min() => Some(a),
            IntOp::MinU if y.max() <= x.min() => Some(b),
            IntOp::MaxU if x.max() <= y.min() => Some(b),
            IntOp::MaxU if y.max() <= x.min() => Some(a),
            _ => None,
        }
    }

    fn unary_rule(&mut self, op: UnaryOp, width: Width, a: Value) -> Option<Value> {
        match (op, self.op_of(a)?) {
            (UnaryOp::Not, (Op::Unary(UnaryOp::Not, w), args))
            | (UnaryOp::Neg, (Op::Unary(UnaryOp::Neg, w), args))
            | (UnaryOp::Brev, (Op::Unary(UnaryOp::Brev, w), args))
                if w == width =>
            {
                Some(args[0])
            }
            (UnaryOp::Not | UnaryOp::Brev, (Op::Pack64, args)) => {
                let not = Op::Unary(op, Width::W32);
                let (low, high) = (self.build(not, &args[..1]), self.build(not, &args[1..2]));
                let (low, high) = if op == UnaryOp::Brev { (high, low) } else { (low, high) };
                Some(self.build(Op::Pack64, &[low, high]))
            }
            _ => None,
        }
    }

    fn mul_wide_rule(&mut self, signed: bool, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::MulWide { signed }, &[b, a]));
        }
        let (x, y) = (self.bits(a), self.bits(b));
        // Small enough that the product stays in the low dword and nothing is negative.
        if u128::from(x.max()) * u128::from(y.max()) < 1 << 31 {
            let (low, zero) = (self.int(IntOp::Mul, Width::W32, a, b), self.c32(0));
            return Some(self.build(Op::Pack64, &[low, zero]));
        }
        match self.constant32(b)? {
            0 => Some(self.build(Op::Const64(0), &[])),
            1 => {
                let high = if signed {
                    let last = self.c32(31);
                    self.int(IntOp::ShrS, Width::W32, a, last)
                } else {
                    self.c32(0)
                };
                Some(self.build(Op::Pack64, &[a, high]))
            }
            _ => None,
        }
    }
}
