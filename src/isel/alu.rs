//! 32-bit integer arithmetic, logic and shifts.
//!
//! One-to-one cases are rows of [`PLAIN`]; what remains are the ops that fold a neighbour (`v_add3_u32`, `v_lshl_or_b32`, ...) and
//! those that some unit lacks.

use super::{Ctx, Lowered};
use crate::amd::{Feature, Mods, Op as AmdOp, ops};
use crate::ir::byteperm::ByteSel;
use crate::ir::{InstData, IntOp, Op, UnaryOp, Value, Width};
use crate::mir::{Operand, Reg};

/// An IR op with its scalar and its vector op; the vector op may take its sources in reverse.
struct Plain {
    ir: IntOp,
    scalar: AmdOp,
    vector: AmdOp,
    reversed: bool,
}

const fn plain(ir: IntOp, scalar: AmdOp, vector: AmdOp) -> Plain {
    Plain { ir, scalar, vector, reversed: false }
}

const fn reversed(ir: IntOp, scalar: AmdOp, vector: AmdOp) -> Plain {
    Plain { ir, scalar, vector, reversed: true }
}

const PLAIN: &[Plain] = &[
    plain(IntOp::Add, ops::s_add_co_u32, ops::v_add_nc_u32),
    plain(IntOp::Sub, ops::s_sub_co_u32, ops::v_sub_nc_u32),
    plain(IntOp::Mul, ops::s_mul_i32, ops::v_mul_lo_u32),
    plain(IntOp::MulHiU, ops::s_mul_hi_u32, ops::v_mul_hi_u32),
    plain(IntOp::MulHiS, ops::s_mul_hi_i32, ops::v_mul_hi_i32),
    plain(IntOp::MinU, ops::s_min_u32, ops::v_min_u32),
    plain(IntOp::MinS, ops::s_min_i32, ops::v_min_i32),
    plain(IntOp::MaxU, ops::s_max_u32, ops::v_max_u32),
    plain(IntOp::MaxS, ops::s_max_i32, ops::v_max_i32),
    plain(IntOp::And, ops::s_and_b32, ops::v_and_b32),
    plain(IntOp::Or, ops::s_or_b32, ops::v_or_b32),
    plain(IntOp::Xor, ops::s_xor_b32, ops::v_xor_b32),
    reversed(IntOp::Shl, ops::s_lshl_b32, ops::v_lshlrev_b32),
    reversed(IntOp::ShrU, ops::s_lshr_b32, ops::v_lshrrev_b32),
    reversed(IntOp::ShrS, ops::s_ashr_i32, ops::v_ashrrev_i32),
];

impl Ctx<'_> {
    pub(super) fn lower_int32(&mut self, op: IntOp, data: &InstData) -> Lowered {
        let (a, b) = (data.args[0], data.args[1]);
        let dst = self.dst(data.results[0]);
        if matches!(op, IntOp::AddSatS | IntOp::SubSatS) {
            let machine = if op == IntOp::AddSatS { ops::v_add_nc_i32 } else { ops::v_sub_nc_i32 };
            let uses = [self.src(a), self.src(b)];
            self.valu_mods(machine, &[dst], &uses, Mods { clamp: true, ..Mods::default() });
            return Ok(());
        }
        let Some(row) = PLAIN.iter().find(|r| r.ir == op) else {
            return Err(self.unsupported(format_args!("`{op:?}` of 32 bits: `opt` expands it first")));
        };
        if self.is_sgpr(data.results[0]) {
            let uses = [self.src(a), self.src(b)];
            self.salu(row.scalar, &[dst], &uses);
        } else if self.fold_dpp(row.vector, dst, if row.reversed { [b, a] } else { [a, b] }) {
            // The lane map of a source is in the op.
        } else if !self.fold_logic(dst, data) && !self.fold_int32(op, dst, a, b) {
            let (a, b) = (self.src(a), self.src(b));
            let uses = if row.reversed { [b, a] } else { [a, b] };
            self.valu(row.vector, dst, &uses);
        }
        Ok(())
    }

    /// Three-source ops that take in the op behind one source. Tries each source as the inner one.
    fn fold_int32(&mut self, op: IntOp, dst: Reg, a: Value, b: Value) -> bool {
        match op {
            IntOp::Add => self.fold_add(dst, a, b) || self.fold_add(dst, b, a),
            IntOp::Or => self.fold_or(dst, a, b) || self.fold_or(dst, b, a),
            IntOp::Xor if self.target.has(Feature::Xor3) => {
                self.fold_chain(ops::v_xor3_b32, IntOp::Xor, dst, a, b)
                    || self.fold_chain(ops::v_xor3_b32, IntOp::Xor, dst, b, a)
            }
            IntOp::MinU => {
                self.fold_chain(ops::v_min3_u32, op, dst, a, b) || self.fold_chain(ops::v_min3_u32, op, dst, b, a)
            }
            IntOp::MinS => {
                self.fold_chain(ops::v_min3_i32, op, dst, a, b) || self.fold_chain(ops::v_min3_i32, op, dst, b, a)
            }
            IntOp::MaxU => {
                self.fold_chain(ops::v_max3_u32, op, dst, a, b) || self.fold_chain(ops::v_max3_u32, op, dst, b, a)
            }
            IntOp::MaxS => {
                self.fold_chain(ops::v_max3_i32, op, dst, a, b) || self.fold_chain(ops::v_max3_i32, op, dst, b, a)
            }
            IntOp::Shl => self.fold_shl(dst, a, b),
            _ => false,
        }
    }

    fn fold_add(&mut self, dst: Reg, inner: Value, other: Value) -> bool {
        let Some(data) = self.folded(inner) else { return false };
        let args = &data.args;
        match data.op {
            Op::Int(IntOp::Add, Width::W32) => self.three(ops::v_add3_u32, dst, [args[0], args[1], other]),
            Op::Int(IntOp::Xor, Width::W32) => self.three(ops::v_xad_u32, dst, [args[0], args[1], other]),
            Op::Unary(UnaryOp::Popc, Width::W32) => {
                let uses = [self.src(args[0]), self.src(other)];
                self.valu(ops::v_bcnt_u32_b32, dst, &uses);
            }
            _ => {
                let Some((x, amount)) = self.left_shift(data) else { return false };
                self.three_shift(ops::v_lshl_add_u32, dst, x, amount, other);
            }
        }
        true
    }

    fn fold_or(&mut self, dst: Reg, inner: Value, other: Value) -> bool {
        let Some(data) = self.folded(inner) else { return false };
        let args = &data.args;
        match data.op {
            Op::Int(IntOp::Or, Width::W32) => self.three(ops::v_or3_b32, dst, [args[0], args[1], other]),
            Op::Int(IntOp::And, Width::W32) => self.three(ops::v_and_or_b32, dst, [args[0], args[1], other]),
            _ => {
                let Some((x, amount)) = self.left_shift(data) else { return false };
                self.three_shift(ops::v_lshl_or_b32, dst, x, amount, other);
            }
        }
        true
    }

    fn fold_chain(&mut self, three: AmdOp, op: IntOp, dst: Reg, inner: Value, other: Value) -> bool {
        match self.folded(inner) {
            Some(data) if data.op == Op::Int(op, Width::W32) => {
                self.three(three, dst, [data.args[0], data.args[1], other]);
                true
            }
            _ => false,
        }
    }

    /// (a + b) << c.
    fn fold_shl(&mut self, dst: Reg, inner: Value, amount: Value) -> bool {
        match self.folded(inner) {
            Some(data) if data.op == Op::Int(IntOp::Add, Width::W32) => {
                self.three(ops::v_add_lshl_u32, dst, [data.args[0], data.args[1], amount]);
                true
            }
            _ => false,
        }
    }

    /// A shift left by a constant or a value, also when it has become a byte permute.
    fn left_shift(&self, data: &InstData) -> Option<(Value, Amount)> {
        match &data.op {
            Op::Int(IntOp::Shl, Width::W32) => Some((data.args[0], Amount::Value(data.args[1]))),
            Op::BytePerm(sels) => {
                let bytes = (1..4u8).find(|&n| {
                    (0..4u8).all(|i| match i.checked_sub(n) {
                        None => sels[i as usize] == ByteSel::Zero,
                        Some(byte) => sels[i as usize] == ByteSel::Byte(0, byte),
                    })
                })?;
                Some((data.args[0], Amount::Bits(8 * bytes as u32)))
            }
            _ => None,
        }
    }

    fn three(&mut self, op: AmdOp, dst: Reg, values: [Value; 3]) {
        let uses = values.map(|v| self.src(v));
        self.valu(op, dst, &uses);
    }

    fn three_shift(&mut self, op: AmdOp, dst: Reg, x: Value, amount: Amount, other: Value) {
        let amount = match amount {
            Amount::Value(v) => self.src(v),
            Amount::Bits(n) => Operand::Imm(n as u64),
        };
        let uses = [self.src(x), amount, self.src(other)];
        self.valu(op, dst, &uses);
    }

    /// The lanes whose signed sum or difference `s` of `a` and `b` (high dwords) has overflowed: it shows in the sign of
    /// `(a ^ s) & (b ^ s)` for a sum, of `(a ^ b) & (a ^ s)` for a difference.
    pub(super) fn overflow(&mut self, op: IntOp, a: Operand, b: Operand, s: Operand) -> Reg {
        let (x, y, both, mask) = (self.vtmp(1), self.vtmp(1), self.vtmp(1), self.mask_tmp());
        let other = if op == IntOp::AddSatS { s } else { a };
        self.valu(ops::v_xor_b32, x, &[a, s]);
        self.valu(ops::v_xor_b32, y, &[b, other]);
        self.valu(ops::v_and_b32, both, &[x.into(), y.into()]);
        self.valu(ops::v_cmp_gt_i32, mask, &[Operand::Imm(0), both.into()]);
        mask
    }

    /// The limit on the side of `a`'s sign, high dword: 0x7fffffff or 0x80000000.
    pub(super) fn saturation(&mut self, a: Operand) -> Reg {
        let (sign, limit) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_ashrrev_i32, sign, &[Operand::Imm(31), a]);
        self.valu(ops::v_xor_b32, limit, &[Operand::Imm(0x7fff_ffff), sign.into()]);
        limit
    }

    pub(super) fn lower_unary32(&mut self, op: UnaryOp, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let scalar = self.is_sgpr(data.results[0]);
        if !scalar && self.fold_logic(dst, data) {
            return Ok(());
        }
        let a = self.src(data.args[0]);
        match (op, scalar) {
            (UnaryOp::Neg, true) => self.salu(ops::s_sub_co_u32, &[dst], &[Operand::Imm(0), a]),
            (UnaryOp::Not, true) => self.salu(ops::s_not_b32, &[dst], &[a]),
            (UnaryOp::Popc, true) => self.salu(ops::s_bcnt1_i32_b32, &[dst], &[a]),
            (UnaryOp::Ffbh, true) => self.salu(ops::s_clz_i32_u32, &[dst], &[a]),
            (UnaryOp::Ffbl, true) => self.salu(ops::s_ctz_i32_b32, &[dst], &[a]),
            (UnaryOp::Brev, true) => self.salu(ops::s_brev_b32, &[dst], &[a]),
            (UnaryOp::Neg, false) => self.valu(ops::v_sub_nc_u32, dst, &[Operand::Imm(0), a]),
            (UnaryOp::Not, false) => self.valu(ops::v_not_b32, dst, &[a]),
            (UnaryOp::Popc, false) => self.valu(ops::v_bcnt_u32_b32, dst, &[a, Operand::Imm(0)]),
            (UnaryOp::Ffbh, false) => self.valu(ops::v_clz_i32_u32, dst, &[a]),
            (UnaryOp::Ffbl, false) => self.valu(ops::v_ctz_i32_b32, dst, &[a]),
            (UnaryOp::Brev, false) => self.valu(ops::v_bfrev_b32, dst, &[a]),
        }
        Ok(())
    }

    pub(super) fn lower_mad24(&mut self, signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [a, b, c] = [0, 1, 2].map(|i| self.src(data.args[i]));
        match (signed, c) {
            (true, Operand::Imm(0)) => self.valu(ops::v_mul_i32_i24, dst, &[a, b]),
            (false, Operand::Imm(0)) => self.valu(ops::v_mul_u32_u24, dst, &[a, b]),
            (true, _) => self.valu(ops::v_mad_i32_i24, dst, &[a, b, c]),
            (false, _) => self.valu(ops::v_mad_u32_u24, dst, &[a, b, c]),
        }
        Ok(())
    }

    /// Bits 47:16 of the product, of which the machine gives bits 31:0 and 63:32.
    pub(super) fn lower_mul24_hi(&mut self, signed: bool, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [a, b] = [0, 1].map(|i| self.src(data.args[i]));
        let (lo, hi) = (self.vtmp(1), self.vtmp(1));
        let (mul, mul_hi) = if signed {
            (ops::v_mul_i32_i24, ops::v_mul_hi_i32_i24)
        } else {
            (ops::v_mul_u32_u24, ops::v_mul_hi_u32_u24)
        };
        self.valu(mul, lo, &[a, b]);
        self.valu(mul_hi, hi, &[a, b]);
        self.valu(ops::v_alignbit_b32, dst, &[hi.into(), lo.into(), Operand::Imm(16)]);
        Ok(())
    }
}

/// By how much a folded shift goes.
#[derive(Copy, Clone)]
enum Amount {
    Value(Value),
    Bits(u32),
}
