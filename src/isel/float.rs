//! f32 arithmetic and the conversions between integers and f32.
//!
//! Spec: PTX ISA, "Floating Point Instructions", "cvt"; the AMD ISA manuals, "VOP2", "VOP3". Rounding and flushing go by MODE, which
//! `finish::mode` sets to each instruction's `float_mode`. Saturation is the clamp bit, which with DX10_CLAMP gives 0 for a NaN.
//! `v_min`/`v_max` give the operand that is not a NaN because kernels run with MODE.IEEE clear.

use super::{Ctx, Lowered, half};
use crate::amd::{Encoding, Feature, Mods, Op as AmdOp, Sdwa, Sel, ops};
use crate::ir::byteperm::ByteSel;
use crate::ir::{FloatEnv, FloatOp, FloatTy, InstData, IntOp, Op, Round, Value, Width};
use crate::mir::{FloatMode, Operand, Reg};

const ZERO: Operand = Operand::Imm(0);
const ONE: Operand = Operand::Imm(0x3f80_0000);
const MINUS_ONE: Operand = Operand::Imm(0xbf80_0000);
const SIGN: Operand = Operand::Imm(0x8000_0000);
/// 2^-32, -2^32, 2^63, 2^64.
const TWO_M32: Operand = Operand::Imm(0x2f80_0000);
const MINUS_TWO_32: Operand = Operand::Imm(0xcf80_0000);
const TWO_63: Operand = Operand::Imm(0x5f00_0000);
const TWO_64: Operand = Operand::Imm(0x5f80_0000);
/// PTX's canonical NaN.
const NAN: Operand = Operand::Imm(0x7fff_ffff);

impl Ctx<'_> {
    /// Runs `write` with MODE as `env` wants it.
    pub(super) fn with_float_env<T>(&mut self, env: FloatEnv, write: impl FnOnce(&mut Self) -> T) -> T {
        let round_f32 = match env.round {
            Round::NearestEven => 0,
            Round::Up => 1,
            Round::Down => 2,
            Round::Zero => 3,
        };
        self.float_mode = FloatMode { round_f32, round_f64: 0, ftz_f32: env.ftz };
        let out = write(self);
        self.float_mode = FloatMode::default();
        out
    }

    pub(super) fn lower_float(&mut self, op: FloatOp, ty: FloatTy, env: FloatEnv, data: &InstData) -> Lowered {
        if ty != FloatTy::F32 {
            return Err(self.unsupported(format_args!("`{}` on `{}`", op.word(), ty.word())));
        }
        let dst = self.dst(data.results[0]);
        match op {
            FloatOp::Add => self.float_op(ops::v_add_f32, env, dst, &data.args),
            FloatOp::Sub => self.float_op(ops::v_sub_f32, env, dst, &data.args),
            FloatOp::Mul => self.float_op(ops::v_mul_f32, env, dst, &data.args),
            FloatOp::Div => return self.lower_divide(env, data),
            FloatOp::Fma => self.float_op(ops::v_fma_f32, env, dst, &data.args),
            FloatOp::Min => self.float_op(ops::v_min_num_f32, env, dst, &data.args),
            FloatOp::Max => self.float_op(ops::v_max_num_f32, env, dst, &data.args),
            FloatOp::MinNan => self.nan_propagating(ops::v_min_num_f32, env, dst, data),
            FloatOp::MaxNan => self.nan_propagating(ops::v_max_num_f32, env, dst, data),
            FloatOp::Neg => self.sign_op(env, dst, data.args[0], true),
            FloatOp::Abs => self.sign_op(env, dst, data.args[0], false),
            FloatOp::Rint => {
                let a = self.src(data.args[0]);
                let mods = Mods { clamp: env.sat, ..Mods::default() };
                self.with_float_env(env, |ctx| ctx.valu_mods(rint_op(env.round), &[dst], &[a], mods));
            }
        }
        Ok(())
    }

    /// An op whose sources may be negated or absolute values by modifiers.
    fn float_op(&mut self, op: AmdOp, env: FloatEnv, dst: Reg, args: &[Value]) {
        if let (&[a, b], false) = (args, env.sat)
            && self.with_float_env(env, |ctx| ctx.fold_dpp(op, dst, [a, b]))
        {
            return;
        }
        let mut mods = Mods { clamp: env.sat, ..op.default_mods() };
        let mut uses = super::Operands::new();
        for (n, &arg) in args.iter().enumerate() {
            let (value, neg, abs) = self.source_modifiers(arg, env);
            mods.neg |= (neg as u8) << n;
            mods.abs |= (abs as u8) << n;
            uses.push(self.src(value));
        }
        self.with_float_env(env, |ctx| ctx.valu_mods(op, &[dst], &uses, mods));
    }

    /// Takes `neg` and `abs` off a source that is read here alone: the value below, whether negated, whether absolute.
    fn source_modifiers(&self, value: Value, env: FloatEnv) -> (Value, bool, bool) {
        let (mut value, mut neg, mut abs) = (value, false, false);
        while let Some(data) = self.folded(value) {
            match data.op {
                Op::Float(FloatOp::Neg, FloatTy::F32, inner) if !inner.sat && (env.ftz || !inner.ftz) => neg ^= !abs,
                Op::Float(FloatOp::Abs, FloatTy::F32, inner) if !inner.sat && (env.ftz || !inner.ftz) => abs = true,
                _ => break,
            }
            value = data.args[0];
        }
        (value, neg, abs)
    }

    fn nan_propagating(&mut self, op: AmdOp, env: FloatEnv, dst: Reg, data: &InstData) {
        let (number, mask) = (self.vtmp(1), self.mask_tmp());
        let uses = [self.src(data.args[0]), self.src(data.args[1])];
        self.with_float_env(env, |ctx| {
            ctx.valu(op, number, &uses);
            ctx.valu(ops::v_cmp_u_f32, mask, &uses);
        });
        self.valu(ops::v_cndmask_b32, dst, &[number.into(), NAN, mask.into()]);
    }

    /// A flipped or cleared sign; with `ftz` by a multiplication, which flushes.
    fn sign_op(&mut self, env: FloatEnv, dst: Reg, arg: Value, negate: bool) {
        let a = self.src(arg);
        match (env.ftz, negate) {
            (false, true) => self.valu(ops::v_xor_b32, dst, &[SIGN, a]),
            (false, false) => self.valu(ops::v_and_b32, dst, &[Operand::Imm(0x7fff_ffff), a]),
            (true, true) => self.with_float_env(env, |ctx| ctx.valu(ops::v_mul_f32, dst, &[MINUS_ONE, a])),
            (true, false) => {
                let mods = Mods { abs: 0b10, ..Mods::default() };
                self.with_float_env(env, |ctx| ctx.valu_mods(ops::v_mul_f32, &[dst], &[ONE, a], mods));
            }
        }
    }

    pub(super) fn lower_int_to_float(
        &mut self,
        signed: bool,
        from: Width,
        to: FloatTy,
        env: FloatEnv,
        data: &InstData,
    ) -> Lowered {
        if to != FloatTy::F32 {
            return Err(self.unsupported(format_args!("a conversion to `{}`", to.word())));
        }
        let dst = self.dst(data.results[0]);
        if from == Width::W32 && !env.sat && self.converted_byte(signed, dst, data.args[0]) {
            return Ok(());
        }
        let a = self.src(data.args[0]);
        let convert = if signed { ops::v_cvt_f32_i32 } else { ops::v_cvt_f32_u32 };
        let clamp = Mods { clamp: env.sat, ..Mods::default() };
        if from == Width::W32 {
            self.with_float_env(env, |ctx| ctx.valu_mods(convert, &[dst], &[a], clamp));
            return Ok(());
        }
        // The top 32 significant bits, the lowest of them sticky, convert with one rounding; the rest is a power of two.
        let shift = if signed { self.signed_shift(a) } else { self.unsigned_shift(a) };
        let (shifted, sticky, top) = (self.vtmp(2), self.vtmp(1), self.vtmp(1));
        let (float, exponent) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_lshlrev_b64, shifted, &[shift.into(), a]);
        self.valu(ops::v_min_u32, sticky, &[Operand::Imm(1), shifted.sub(0, 1).into()]);
        self.valu(ops::v_or_b32, top, &[sticky.into(), shifted.sub(1, 1).into()]);
        self.with_float_env(env, |ctx| ctx.valu(convert, float, &[top.into()]));
        self.valu(ops::v_sub_nc_u32, exponent, &[Operand::Imm(32), shift.into()]);
        self.valu_mods(ops::v_ldexp_f32, &[dst], &[float.into(), exponent.into()], clamp);
        Ok(())
    }

    /// Converts a byte that is extended for this alone: `v_cvt_f32_ubyte0` to `3` take theirs from any place, and SDWA extends a sign on
    /// the way. Exact in every mode. Gives whether it could.
    fn converted_byte(&mut self, signed: bool, dst: Reg, value: Value) -> bool {
        let Some((of, byte, sign)) = self.extended_byte(value) else { return false };
        if !sign {
            let ops = [ops::v_cvt_f32_ubyte0, ops::v_cvt_f32_ubyte1, ops::v_cvt_f32_ubyte2, ops::v_cvt_f32_ubyte3];
            let src = self.src(of);
            self.valu(ops[byte as usize], dst, &[src]);
            return true;
        }
        if !signed || !self.target.has(Feature::Sdwa) {
            return false;
        }
        let src = self.src(of);
        let src = self.in_vgpr(src, 1);
        let sdwa = Sdwa { src: [Sel::ALL[byte as usize], Sel::Dword], sext: 1, ..Sdwa::default() };
        let mods = Mods { encoding: Encoding::Sdwa, sdwa: Some(sdwa), ..Mods::default() };
        self.raw(ops::v_cvt_f32_i32, &[dst], &[src.into()], mods);
        true
    }

    /// A byte of a dword that is extended with zeros or, if true, its sign, and read by one instruction alone.
    fn extended_byte(&self, value: Value) -> Option<(Value, u8, bool)> {
        let data = self.folded(value)?;
        let constant = |n: usize| self.const32(data.args[n]);
        let (byte, sign) = match data.op {
            Op::BytePerm([ByteSel::Byte(source, byte), a, b, c]) if a == b && b == c => {
                let sign = match a {
                    ByteSel::Zero => false,
                    ByteSel::Sign(..) if a == ByteSel::Sign(source, byte) => true,
                    _ => return None,
                };
                return Some((data.args[source as usize], byte, sign));
            }
            Op::Int(IntOp::And, Width::W32) if constant(1) == Some(0xff) => (0, false),
            Op::Int(IntOp::ShrU, Width::W32) if constant(1) == Some(24) => (3, false),
            Op::Int(IntOp::ShrS, Width::W32) if constant(1) == Some(24) => (3, true),
            Op::Bfe { signed } if constant(2) == Some(8) => match constant(1)? {
                first @ (0 | 8 | 16 | 24) => ((first / 8) as u8, signed),
                _ => return None,
            },
            _ => return None,
        };
        Some((data.args[0], byte, sign))
    }

    /// By how much a 64-bit number can go left: its leading zeros, 32 at most.
    fn unsigned_shift(&mut self, a: Operand) -> Reg {
        let (zeros, shift) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_clz_i32_u32, zeros, &[half(a, 1)]);
        self.valu(ops::v_min_u32, shift, &[Operand::Imm(32), zeros.into()]);
        shift
    }

    /// Copies of the sign in the high dword but one; at most 32, or 31 when the low dword's top bit is not the sign.
    fn signed_shift(&mut self, a: Operand) -> Reg {
        let (differ, limit, least) = (self.vtmp(1), self.vtmp(1), self.vtmp(1));
        let (signs, most, shift) = (self.vtmp(1), self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_xor_b32, differ, &[half(a, 0), half(a, 1)]);
        self.valu(ops::v_ashrrev_i32, limit, &[Operand::Imm(31), differ.into()]);
        self.valu(ops::v_add_nc_u32, least, &[Operand::Imm(32), limit.into()]);
        self.valu(ops::v_cls_i32, signs, &[half(a, 1)]);
        self.valu(ops::v_add_nc_u32, most, &[Operand::Imm(0xffff_ffff), signs.into()]);
        self.valu(ops::v_min_u32, shift, &[most.into(), least.into()]);
        shift
    }

    pub(super) fn lower_float_to_int(
        &mut self,
        signed: bool,
        from: FloatTy,
        to: Width,
        round: Round,
        ftz: bool,
        data: &InstData,
    ) -> Lowered {
        if from != FloatTy::F32 {
            return Err(self.unsupported(format_args!("a conversion from `{}`", from.word())));
        }
        let dst = self.dst(data.results[0]);
        let a = self.src(data.args[0]);
        let env = FloatEnv { round, ftz, sat: false };
        // The conversions truncate, saturate, and give 0 for a NaN.
        let integral = if round == Round::Zero {
            a
        } else {
            let tmp = self.vtmp(1);
            self.with_float_env(env, |ctx| ctx.valu(rint_op(round), tmp, &[a]));
            tmp.into()
        };
        match (to, signed) {
            (Width::W32, true) => self.valu(ops::v_cvt_i32_f32, dst, &[integral]),
            (Width::W32, false) => self.valu(ops::v_cvt_u32_f32, dst, &[integral]),
            (Width::W64, signed) => {
                let integral = self.truncated(integral, round);
                if signed { self.float_to_i64(dst, integral) } else { self.float_to_u64(dst, integral) }
            }
        }
        Ok(())
    }

    fn truncated(&mut self, a: Operand, round: Round) -> Operand {
        if round != Round::Zero {
            return a;
        }
        let tmp = self.vtmp(1);
        self.valu(ops::v_trunc_f32, tmp, &[a]);
        tmp.into()
    }

    fn float_to_u64(&mut self, dst: Reg, integral: Operand) {
        // Negative numbers and NaN become 0.
        let number = self.vtmp(1);
        self.valu(ops::v_max_num_f32, number, &[ZERO, integral]);
        let low = self.split_float(dst.sub(1, 1), number.into());
        let over = self.mask_tmp();
        self.valu(ops::v_cmp_le_f32, over, &[TWO_64, number.into()]);
        // The high dword saturates by itself; the low one is 0 then.
        self.valu(ops::v_cndmask_b32, dst.sub(0, 1), &[low.into(), Operand::Imm(0xffff_ffff), over.into()]);
    }

    fn float_to_i64(&mut self, dst: Reg, integral: Operand) {
        let (sign, magnitude, high) = (self.vtmp(1), self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_ashrrev_i32, sign, &[Operand::Imm(31), integral]);
        let abs = Mods { abs: 0b10, ..Mods::default() };
        self.valu_mods(ops::v_max_num_f32, &[magnitude], &[ZERO, integral], abs);
        let low = self.split_float(high, magnitude.into());
        // (magnitude ^ sign) - sign.
        let (flipped, signs, value) = (self.vtmp(2), self.vtmp(2), self.vtmp(2));
        self.valu(ops::v_xor_b32, flipped.sub(0, 1), &[sign.into(), low.into()]);
        self.valu(ops::v_xor_b32, flipped.sub(1, 1), &[sign.into(), high.into()]);
        self.copy(signs.sub(0, 1), sign.into());
        self.copy(signs.sub(1, 1), sign.into());
        self.sum64(super::wide::Carry::Sub, value, flipped.into(), signs.into());
        let (over, limit_low, limit_high) = (self.mask_tmp(), self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_cmp_le_f32, over, &[TWO_63, magnitude.into()]);
        self.valu(ops::v_not_b32, limit_low, &[sign.into()]);
        self.valu(ops::v_xor_b32, limit_high, &[Operand::Imm(0x7fff_ffff), sign.into()]);
        self.valu(ops::v_cndmask_b32, dst.sub(0, 1), &[value.sub(0, 1).into(), limit_low.into(), over.into()]);
        self.valu(ops::v_cndmask_b32, dst.sub(1, 1), &[value.sub(1, 1).into(), limit_high.into(), over.into()]);
    }

    /// The high dword of a non-negative integral number into `high`, and the low one: every step is exact.
    fn split_float(&mut self, high: Reg, number: Operand) -> Reg {
        let (scaled, floor, rest, low) = (self.vtmp(1), self.vtmp(1), self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_mul_f32, scaled, &[TWO_M32, number]);
        self.valu(ops::v_floor_f32, floor, &[scaled.into()]);
        self.valu(ops::v_fma_f32, rest, &[floor.into(), MINUS_TWO_32, number]);
        self.valu(ops::v_cvt_u32_f32, high, &[floor.into()]);
        self.valu(ops::v_cvt_u32_f32, low, &[rest.into()]);
        low
    }
}

fn rint_op(round: Round) -> AmdOp {
    match round {
        Round::NearestEven => ops::v_rndne_f32,
        Round::Up => ops::v_ceil_f32,
        Round::Down => ops::v_floor_f32,
        Round::Zero => ops::v_trunc_f32,
    }
}
