//! 64-bit integers: pairs of dwords, carries through lane masks or SCC.

use super::{Ctx, Lowered, half, halves};
use crate::amd::{Feature, Mods, Op as AmdOp, ops};
use crate::ir::{CmpOp, InstData, IntOp, Op, UnaryOp, Value, Width};
use crate::mir::{Operand, Reg};

#[derive(Copy, Clone, PartialEq, Eq)]
pub(super) enum Carry {
    Add,
    Sub,
}

impl Carry {
    /// The first step of a chain, and the next ones.
    fn vector(self) -> (AmdOp, AmdOp) {
        match self {
            Carry::Add => (ops::v_add_co_u32, ops::v_add_co_ci_u32),
            Carry::Sub => (ops::v_sub_co_u32, ops::v_sub_co_ci_u32),
        }
    }
    fn scalar(self) -> (AmdOp, AmdOp) {
        match self {
            Carry::Add => (ops::s_add_co_u32, ops::s_add_co_ci_u32),
            Carry::Sub => (ops::s_sub_co_u32, ops::s_sub_co_ci_u32),
        }
    }
}

impl Ctx<'_> {
    pub(super) fn lower_int64(&mut self, op: IntOp, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let (a, b) = (data.args[0], data.args[1]);
        let scalar = self.is_sgpr(data.results[0]);
        match op {
            IntOp::Add if !scalar && (self.fold_mad(dst, a, b) || self.fold_mad(dst, b, a)) => {}
            IntOp::Add | IntOp::Sub => {
                let carry = if op == IntOp::Add { Carry::Add } else { Carry::Sub };
                let (a, b) = (self.src(a), self.src(b));
                if scalar { self.sum64_scalar(carry, dst, a, b) } else { self.sum64(carry, dst, a, b) }
            }
            IntOp::And | IntOp::Or | IntOp::Xor => self.logic64(op, scalar, dst, a, b),
            IntOp::Mul => {
                let (a, b) = (self.src(a), self.src(b));
                if scalar { self.mul64_scalar(dst, a, b) } else { self.mul64(dst, a, b) }
            }
            IntOp::Shl | IntOp::ShrU | IntOp::ShrS => self.shift64(op, scalar, dst, a, b),
            IntOp::MinU | IntOp::MinS | IntOp::MaxU | IntOp::MaxS => self.min_max64(op, dst, a, b),
            IntOp::AddSatS | IntOp::SubSatS => self.saturating64(op, dst, a, b),
            IntOp::MulHiU | IntOp::MulHiS => {
                let (a, b) = (self.src(a), self.src(b));
                self.mul_hi64(op == IntOp::MulHiS, dst, a, b);
            }
            IntOp::DivU | IntOp::DivS | IntOp::RemU | IntOp::RemS => {
                return Err(self.unsupported(format_args!("`{op:?}` of 64 bits: `opt` expands it first")));
            }
        }
        Ok(())
    }

    /// a * b + c, where the product is used here alone.
    fn fold_mad(&mut self, dst: Reg, product: Value, c: Value) -> bool {
        let Some(data) = self.folded(product) else { return false };
        let Op::MulWide { signed } = data.op else { return false };
        let uses = [self.src(data.args[0]), self.src(data.args[1]), self.src(c)];
        self.mad_wide(signed, dst, &uses);
        true
    }

    fn mad_wide(&mut self, signed: bool, dst: Reg, uses: &[Operand; 3]) {
        if self.target.has(Feature::VectorU64) {
            self.valu(if signed { ops::v_mad_nc_i64_i32 } else { ops::v_mad_nc_u64_u32 }, dst, uses);
        } else {
            let op = if signed { ops::v_mad_co_i64_i32 } else { ops::v_mad_co_u64_u32 };
            let carry = self.mask_tmp();
            self.valu_mods(op, &[dst, carry], uses, op.default_mods());
        }
    }

    fn sum64_scalar(&mut self, carry: Carry, dst: Reg, a: Operand, b: Operand) {
        let (first, next) = carry.scalar();
        self.salu(first, &[dst.sub(0, 1)], &[half(a, 0), half(b, 0)]);
        self.salu(next, &[dst.sub(1, 1)], &[half(a, 1), half(b, 1)]);
    }

    pub(super) fn sum64(&mut self, carry: Carry, dst: Reg, a: Operand, b: Operand) {
        if self.target.has(Feature::VectorU64) {
            let op = if carry == Carry::Add { ops::v_add_nc_u64 } else { ops::v_sub_nc_u64 };
            return self.valu(op, dst, &[a, b]);
        }
        if carry == Carry::Add && self.target.has(Feature::LshlAddU64) {
            return self.valu(ops::v_lshl_add_u64, dst, &[a, Operand::Imm(0), b]);
        }
        let ([a_lo, a_hi], [b_lo, b_hi]) = (halves(a), halves(b));
        if b_lo == Operand::Imm(0) {
            // Nothing carries.
            self.copy(dst.sub(0, 1), a_lo);
            let op = if carry == Carry::Add { ops::v_add_nc_u32 } else { ops::v_sub_nc_u32 };
            return self.valu(op, dst.sub(1, 1), &[a_hi, b_hi]);
        }
        let (first, next) = carry.vector();
        let (mask, last) = (self.mask_tmp(), self.mask_tmp());
        self.valu_mods(first, &[dst.sub(0, 1), mask], &[a_lo, b_lo], first.default_mods());
        self.valu_mods(next, &[dst.sub(1, 1), last], &[a_hi, b_hi, mask.into()], next.default_mods());
    }

    pub(super) fn lower_carry(&mut self, width: Width, carry: Carry, data: &InstData) -> Lowered {
        let (dst, out) = (self.dst(data.results[0]), self.dst(data.results[1]));
        let [a, b, carry_in] = [0, 1, 2].map(|i| self.src(data.args[i]));
        match width {
            Width::W32 => self.carry_step(carry, dst, out, a, b, carry_in),
            Width::W64 => {
                let mask = self.mask_tmp();
                self.carry_step(carry, dst.sub(0, 1), mask, half(a, 0), half(b, 0), carry_in);
                self.carry_step(carry, dst.sub(1, 1), out, half(a, 1), half(b, 1), mask.into());
            }
        }
        Ok(())
    }

    fn carry_step(&mut self, carry: Carry, dst: Reg, out: Reg, a: Operand, b: Operand, carry_in: Operand) {
        let (first, next) = carry.vector();
        match carry_in {
            Operand::Imm(0) => self.valu_mods(first, &[dst, out], &[a, b], first.default_mods()),
            carry_in => {
                let mask = self.in_sgpr(carry_in, self.target.mask_dwords());
                self.valu_mods(next, &[dst, out], &[a, b, mask.into()], next.default_mods());
            }
        }
    }

    fn logic64(&mut self, op: IntOp, scalar: bool, dst: Reg, a: Value, b: Value) {
        if scalar {
            let uses = [self.src(a), self.src(b)];
            let op = match op {
                IntOp::And => ops::s_and_b64,
                IntOp::Or => ops::s_or_b64,
                _ => ops::s_xor_b64,
            };
            return self.salu(op, &[dst], &uses);
        }
        for which in [0, 1] {
            let (x, y) = (self.half(a, which), self.half(b, which));
            self.logic_half(op, dst.sub(which, 1), x, y);
        }
    }

    /// One dword of a 64-bit `and`, `or` or `xor`; constants often decide it.
    fn logic_half(&mut self, op: IntOp, dst: Reg, x: Operand, y: Operand) {
        const ONES: Operand = Operand::Imm(0xffff_ffff);
        const ZERO: Operand = Operand::Imm(0);
        let (x, y) = if matches!(x, Operand::Imm(_)) { (y, x) } else { (x, y) };
        match (op, y) {
            (IntOp::And, ONES) | (IntOp::Or | IntOp::Xor, ZERO) => self.copy(dst, x),
            (IntOp::And, ZERO) => self.copy(dst, ZERO),
            (IntOp::Or, ONES) => self.copy(dst, ONES),
            (IntOp::And, _) => self.valu(ops::v_and_b32, dst, &[x, y]),
            (IntOp::Or, _) => self.valu(ops::v_or_b32, dst, &[x, y]),
            (_, _) => self.valu(ops::v_xor_b32, dst, &[x, y]),
        }
    }

    pub(super) fn lower_mul_wide(&mut self, signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let (a, b) = (self.src(data.args[0]), self.src(data.args[1]));
        if self.is_sgpr(data.results[0]) {
            let high = if signed { ops::s_mul_hi_i32 } else { ops::s_mul_hi_u32 };
            self.salu(ops::s_mul_i32, &[dst.sub(0, 1)], &[a, b]);
            self.salu(high, &[dst.sub(1, 1)], &[a, b]);
        } else {
            self.mad_wide(signed, dst, &[a, b, Operand::Imm(0)]);
        }
        Ok(())
    }

    fn mul64_scalar(&mut self, dst: Reg, a: Operand, b: Operand) {
        if self.target.has(Feature::SMulU64) {
            return self.salu(ops::s_mul_u64, &[dst], &[a, b]);
        }
        let ([a_lo, a_hi], [b_lo, b_hi]) = (halves(a), halves(b));
        let (high, x, y, cross) = (self.stmp(1), self.stmp(1), self.stmp(1), self.stmp(1));
        self.salu(ops::s_mul_hi_u32, &[high], &[a_lo, b_lo]);
        self.salu(ops::s_mul_i32, &[x], &[a_lo, b_hi]);
        self.salu(ops::s_mul_i32, &[y], &[a_hi, b_lo]);
        self.salu(ops::s_add_co_u32, &[cross], &[x.into(), y.into()]);
        self.salu(ops::s_mul_i32, &[dst.sub(0, 1)], &[a_lo, b_lo]);
        self.salu(ops::s_add_co_u32, &[dst.sub(1, 1)], &[high.into(), cross.into()]);
    }

    fn mul64(&mut self, dst: Reg, a: Operand, b: Operand) {
        if self.target.has(Feature::VectorU64) {
            return self.valu(ops::v_mul_u64, dst, &[a, b]);
        }
        let ([a_lo, a_hi], [b_lo, b_hi]) = (halves(a), halves(b));
        let (product, x, y) = (self.vtmp(2), self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_mul_lo_u32, x, &[a_lo, b_hi]);
        self.valu(ops::v_mul_lo_u32, y, &[a_hi, b_lo]);
        self.mad_wide(false, product, &[a_lo, b_lo, Operand::Imm(0)]);
        self.copy(dst.sub(0, 1), product.sub(0, 1).into());
        self.valu(ops::v_add3_u32, dst.sub(1, 1), &[product.sub(1, 1).into(), x.into(), y.into()]);
    }

    /// The upper half of the 128-bit product, by four partial products, none of whose sums overflows; a negative factor takes the other
    /// one away from it.
    fn mul_hi64(&mut self, signed: bool, dst: Reg, a: Operand, b: Operand) {
        let ([a_lo, a_hi], [b_lo, b_hi]) = (halves(a), halves(b));
        let product = |ctx: &mut Self, x: Operand, y: Operand, plus: Operand| {
            let (sum, out) = (ctx.vtmp(2), ctx.vtmp(2));
            ctx.copy(sum.sub(0, 1), plus);
            ctx.copy(sum.sub(1, 1), Operand::Imm(0));
            ctx.mad_wide(false, out, &[x, y, sum.into()]);
            out
        };
        let low = self.vtmp(1);
        self.valu(ops::v_mul_hi_u32, low, &[a_lo, b_lo]);
        let first = product(self, a_hi, b_lo, low.into());
        let second = product(self, a_lo, b_hi, first.sub(0, 1).into());
        let (middle, mask) = (self.vtmp(2), self.mask_tmp());
        let carries = [first.sub(1, 1).into(), second.sub(1, 1).into()];
        self.valu_mods(ops::v_add_co_u32, &[middle.sub(0, 1), mask], &carries, Mods::default());
        self.valu(ops::v_cndmask_b32, middle.sub(1, 1), &[Operand::Imm(0), Operand::Imm(1), mask.into()]);
        if !signed {
            return self.mad_wide(false, dst, &[a_hi, b_hi, middle.into()]);
        }
        let (unsigned, less) = (self.vtmp(2), self.vtmp(2));
        self.mad_wide(false, unsigned, &[a_hi, b_hi, middle.into()]);
        let from_a = self.where_negative(a, b);
        self.sum64(Carry::Sub, less, unsigned.into(), from_a.into());
        let from_b = self.where_negative(b, a);
        self.sum64(Carry::Sub, dst, less.into(), from_b.into());
    }

    /// `value` where `sign` is negative, else 0.
    fn where_negative(&mut self, sign: Operand, value: Operand) -> Reg {
        let (mask, out) = (self.vtmp(1), self.vtmp(2));
        self.valu(ops::v_ashrrev_i32, mask, &[Operand::Imm(31), half(sign, 1)]);
        self.valu(ops::v_and_b32, out.sub(0, 1), &[half(value, 0), mask.into()]);
        self.valu(ops::v_and_b32, out.sub(1, 1), &[half(value, 1), mask.into()]);
        out
    }

    fn shift64(&mut self, op: IntOp, scalar: bool, dst: Reg, a: Value, amount: Value) {
        if let Some(amount) = self.constant(amount)
            && !scalar
            && amount & 63 >= 32
        {
            return self.shift64_far(op, dst, a, amount & 31);
        }
        let (a, amount) = (self.src(a), self.src(amount));
        if scalar {
            let op = match op {
                IntOp::Shl => ops::s_lshl_b64,
                IntOp::ShrU => ops::s_lshr_b64,
                _ => ops::s_ashr_i64,
            };
            self.salu(op, &[dst], &[a, amount]);
        } else {
            let op = match op {
                IntOp::Shl => ops::v_lshlrev_b64,
                IntOp::ShrU => ops::v_lshrrev_b64,
                _ => ops::v_ashrrev_i64,
            };
            self.valu(op, dst, &[amount, a]);
        }
    }

    /// By 32 and more: one dword moves, the other is filled.
    fn shift64_far(&mut self, op: IntOp, dst: Reg, a: Value, rest: u64) {
        let rest = Operand::Imm(rest);
        let shift = |ctx: &mut Self, op: AmdOp, dst: Reg, a: Operand| match rest {
            Operand::Imm(0) => ctx.copy(dst, a),
            rest => ctx.valu(op, dst, &[rest, a]),
        };
        match op {
            IntOp::Shl => {
                let lo = self.half(a, 0);
                shift(self, ops::v_lshlrev_b32, dst.sub(1, 1), lo);
                self.copy(dst.sub(0, 1), Operand::Imm(0));
            }
            IntOp::ShrU => {
                let hi = self.half(a, 1);
                shift(self, ops::v_lshrrev_b32, dst.sub(0, 1), hi);
                self.copy(dst.sub(1, 1), Operand::Imm(0));
            }
            _ => {
                let hi = self.half(a, 1);
                shift(self, ops::v_ashrrev_i32, dst.sub(0, 1), hi);
                self.valu(ops::v_ashrrev_i32, dst.sub(1, 1), &[Operand::Imm(31), hi]);
            }
        }
    }

    fn min_max64(&mut self, op: IntOp, dst: Reg, a: Value, b: Value) {
        let (a, b) = (self.src(a), self.src(b));
        if self.target.has(Feature::VectorU64) {
            let op = match op {
                IntOp::MinU => ops::v_min_u64,
                IntOp::MinS => ops::v_min_i64,
                IntOp::MaxU => ops::v_max_u64,
                _ => ops::v_max_i64,
            };
            return self.valu(op, dst, &[a, b]);
        }
        let cmp = match op {
            IntOp::MinU => CmpOp::LtU,
            IntOp::MinS => CmpOp::LtS,
            IntOp::MaxU => CmpOp::GtU,
            _ => CmpOp::GtS,
        };
        let mask = self.mask_tmp();
        self.vector_cmp(cmp, Width::W64, mask, a, b);
        self.select64(dst, mask, a, b);
    }

    /// `a` where the mask is set, else `b`.
    pub(super) fn select64(&mut self, dst: Reg, mask: Reg, a: Operand, b: Operand) {
        for which in [0, 1] {
            let uses = [half(b, which), half(a, which), mask.into()];
            self.valu(ops::v_cndmask_b32, dst.sub(which, 1), &uses);
        }
    }

    fn saturating64(&mut self, op: IntOp, dst: Reg, a: Value, b: Value) {
        let (a, b) = (self.src(a), self.src(b));
        let sum = self.vtmp(2);
        self.sum64(if op == IntOp::AddSatS { Carry::Add } else { Carry::Sub }, sum, a, b);
        let overflow = self.overflow(op, half(a, 1), half(b, 1), sum.sub(1, 1).into());
        let limit = self.saturation(half(a, 1));
        // The low dword of the limit is all ones below 0x7fffffff and zero below 0x80000000: the inverse of its sign.
        let (sign, low) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_ashrrev_i32, sign, &[Operand::Imm(31), limit.into()]);
        self.valu(ops::v_not_b32, low, &[sign.into()]);
        self.valu(ops::v_cndmask_b32, dst.sub(0, 1), &[sum.sub(0, 1).into(), low.into(), overflow.into()]);
        self.valu(ops::v_cndmask_b32, dst.sub(1, 1), &[sum.sub(1, 1).into(), limit.into(), overflow.into()]);
    }

    pub(super) fn lower_unary64(&mut self, op: UnaryOp, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let a = self.src(data.args[0]);
        let [lo, hi] = halves(a);
        const ZERO: Operand = Operand::Imm(0);
        if self.is_sgpr(data.results[0]) {
            match op {
                UnaryOp::Not => self.salu(ops::s_not_b64, &[dst], &[a]),
                UnaryOp::Neg => self.sum64_scalar(Carry::Sub, dst, ZERO, a),
                UnaryOp::Popc => self.salu(ops::s_bcnt1_i32_b64, &[dst], &[a]),
                UnaryOp::Ffbh => self.salu(ops::s_clz_i32_u64, &[dst], &[a]),
                UnaryOp::Ffbl => self.salu(ops::s_ctz_i32_b64, &[dst], &[a]),
                UnaryOp::Brev => self.salu(ops::s_brev_b64, &[dst], &[a]),
            }
            return Ok(());
        }
        match op {
            UnaryOp::Not => {
                self.valu(ops::v_not_b32, dst.sub(0, 1), &[lo]);
                self.valu(ops::v_not_b32, dst.sub(1, 1), &[hi]);
            }
            UnaryOp::Neg => self.sum64(Carry::Sub, dst, ZERO, a),
            UnaryOp::Popc => {
                let count = self.vtmp(1);
                self.valu(ops::v_bcnt_u32_b32, count, &[lo, ZERO]);
                self.valu(ops::v_bcnt_u32_b32, dst, &[hi, count.into()]);
            }
            UnaryOp::Ffbh => self.find64(ops::v_clz_i32_u32, dst, hi, lo),
            UnaryOp::Ffbl => self.find64(ops::v_ctz_i32_b32, dst, lo, hi),
            UnaryOp::Brev => {
                self.valu(ops::v_bfrev_b32, dst.sub(0, 1), &[hi]);
                self.valu(ops::v_bfrev_b32, dst.sub(1, 1), &[lo]);
            }
        }
        Ok(())
    }

    /// The count in the dword looked at first, else 32 more than in the second: -1 stays -1 under `| 32` and is the largest.
    fn find64(&mut self, op: AmdOp, dst: Reg, first: Operand, second: Operand) {
        let (near, far, beyond) = (self.vtmp(1), self.vtmp(1), self.vtmp(1));
        self.valu(op, near, &[first]);
        self.valu(op, far, &[second]);
        self.valu(ops::v_or_b32, beyond, &[Operand::Imm(32), far.into()]);
        self.valu(ops::v_min_u32, dst, &[near.into(), beyond.into()]);
    }
}
