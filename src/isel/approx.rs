//! Division of f32, approximations, and conversions between f32 and f16.
//!
//! Spec: the AMD ISA manuals, "V_DIV_SCALE_F32", "V_DIV_FMAS_F32", "V_DIV_FIXUP_F32", "V_RCP_F32", "V_RSQ_F32", "V_EXP_F32"; PTX ISA, "div", "rcp",
//! "rsqrt", "ex2". The machine's approximations are good to 1 ulp and take subnormals for zeros; without `.ftz` such are scaled by powers of
//! two, which is exact.

use super::{Ctx, Lowered};
use crate::amd::{self, Encoding, Mods, Op as AmdOp, ops};
use crate::ir::{ApproxOp, FloatEnv, FloatTy, InstData, Round};
use crate::mir::{FloatMode, Operand, Reg};

/// Powers of two.
const ONE: Operand = pow2(0);

const fn pow2(n: i32) -> Operand {
    Operand::Imm(((n + 127) as u64) << 23)
}

impl Ctx<'_> {
    /// a / b, rounded to nearest even: Newton's iteration on scaled operands.
    ///
    /// With 1 / b to an ulp, two steps of a quotient that starts from a better reciprocal are exact in every case (as LLVM's lowering relies on too);
    /// `v_div_fixup_f32` takes care of zeros, infinities and NaNs. Subnormal remainders count, so MODE keeps them.
    pub(super) fn lower_divide(&mut self, env: FloatEnv, data: &InstData) -> Lowered {
        if env.round != Round::NearestEven || env.sat {
            return Err(self.unsupported("a division that is not rounded to nearest even"));
        }
        let dst = self.dst(data.results[0]);
        let [a, b] = [0, 1].map(|n| {
            let source = self.src(data.args[n]);
            if env.ftz { self.flushed(source) } else { self.in_vgpr(source, 1) }
        });
        let scale = ops::v_div_scale_f32;
        let (below, above, scaled, unused) = (self.vtmp(1), self.vtmp(1), self.mask_tmp(), self.mask_tmp());
        self.valu_mods(scale, &[below, unused], &[b.into(), b.into(), a.into()], scale.default_mods());
        self.valu_mods(scale, &[above, scaled], &[a.into(), b.into(), a.into()], scale.default_mods());
        let estimate = self.vtmp(1);
        self.valu(ops::v_rcp_f32, estimate, &[below.into()]);
        let error = self.remainder(below, estimate, ONE);
        let reciprocal = self.fma(error, estimate, estimate);
        let quotient = self.vtmp(1);
        self.valu(ops::v_mul_f32, quotient, &[above.into(), reciprocal.into()]);
        let rest = self.remainder(below, quotient, above.into());
        let quotient = self.fma(rest, reciprocal, quotient);
        let rest = self.remainder(below, quotient, above.into());
        // It reads VCC, whatever else is free.
        let vcc: Reg = match self.target.wave_lanes() {
            32 => amd::Reg::VCC.sub(0, 1).into(),
            _ => amd::Reg::VCC.into(),
        };
        self.copy(vcc, scaled.into());
        let whole = self.vtmp(1);
        self.valu(ops::v_div_fmas_f32, whole, &[rest.into(), reciprocal.into(), quotient.into()]);
        if env.ftz {
            let fixed = self.vtmp(1);
            self.valu(ops::v_div_fixup_f32, fixed, &[whole.into(), b.into(), a.into()]);
            self.with_float_env(env, |ctx| ctx.valu(ops::v_mul_f32, dst, &[ONE, fixed.into()]));
        } else {
            self.valu(ops::v_div_fixup_f32, dst, &[whole.into(), b.into(), a.into()]);
        }
        Ok(())
    }

    /// The operand with a subnormal made zero.
    fn flushed(&mut self, a: Operand) -> Reg {
        let flushed = self.vtmp(1);
        let env = FloatEnv { ftz: true, ..FloatEnv::default() };
        self.with_float_env(env, |ctx| ctx.valu(ops::v_mul_f32, flushed, &[ONE, a]));
        flushed
    }

    /// c - a * b.
    fn remainder(&mut self, a: Reg, b: Reg, c: Operand) -> Reg {
        let rest = self.vtmp(1);
        let mods = Mods { neg: 1, ..ops::v_fma_f32.default_mods() };
        self.valu_mods(ops::v_fma_f32, &[rest], &[a.into(), b.into(), c], mods);
        rest
    }

    fn fma(&mut self, a: Reg, b: Reg, c: Reg) -> Reg {
        let sum = self.vtmp(1);
        self.valu(ops::v_fma_f32, sum, &[a.into(), b.into(), c.into()]);
        sum
    }

    pub(super) fn lower_approx(&mut self, op: ApproxOp, ftz: bool, data: &InstData) -> Lowered {
        let (dst, a) = (self.dst(data.results[0]), self.src(data.args[0]));
        match (op, ftz) {
            (ApproxOp::Rcp, true) => self.valu(ops::v_rcp_f32, dst, &[a]),
            (ApproxOp::Rsqrt, true) => self.valu(ops::v_rsq_f32, dst, &[a]),
            (ApproxOp::Ex2, true) => self.valu(ops::v_exp_f32, dst, &[a]),
            (ApproxOp::Rcp, false) => {
                // By 2^64 where the argument is subnormal, by 2^-64 where the result is.
                let a = self.in_vgpr(a, 1);
                let (small, large) = (self.mask_tmp(), self.mask_tmp());
                let size = Mods { abs: 0b10, ..ops::v_cmp_gt_f32.default_mods() };
                self.valu_mods(ops::v_cmp_gt_f32, &[small], &[pow2(-126), a.into()], size);
                self.valu_mods(ops::v_cmp_lt_f32, &[large], &[pow2(126), a.into()], size);
                let up = self.chosen(small, pow2(64), ONE);
                let by = self.chosen(large, pow2(-64), up.into());
                let near = self.between(ops::v_rcp_f32, a, by);
                self.valu(ops::v_mul_f32, dst, &[by.into(), near.into()]);
            }
            (ApproxOp::Rsqrt, false) => {
                let a = self.in_vgpr(a, 1);
                let small = self.mask_tmp();
                self.valu(ops::v_cmp_gt_f32, small, &[pow2(-126), a.into()]);
                let by = self.chosen(small, pow2(64), ONE);
                let near = self.between(ops::v_rsq_f32, a, by);
                let back = self.chosen(small, pow2(32), ONE);
                self.valu(ops::v_mul_f32, dst, &[back.into(), near.into()]);
            }
            (ApproxOp::Ex2, false) => {
                // 2^(a + 64) * 2^-64 where the result is subnormal; the sum is exact.
                let a = self.in_vgpr(a, 1);
                let (small, moved, near) = (self.mask_tmp(), self.vtmp(1), self.vtmp(1));
                self.valu(ops::v_cmp_gt_f32, small, &[Operand::Imm(0xc2fc_0000), a.into()]);
                let up = self.chosen(small, Operand::Imm(0x4280_0000), Operand::Imm(0));
                self.valu(ops::v_add_f32, moved, &[a.into(), up.into()]);
                self.valu(ops::v_exp_f32, near, &[moved.into()]);
                let down = self.chosen(small, pow2(-64), ONE);
                self.valu(ops::v_mul_f32, dst, &[down.into(), near.into()]);
            }
        }
        Ok(())
    }

    /// The approximation of a * by.
    fn between(&mut self, op: AmdOp, a: Reg, by: Reg) -> Reg {
        let (scaled, near) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_mul_f32, scaled, &[a.into(), by.into()]);
        self.valu(op, near, &[scaled.into()]);
        near
    }

    fn chosen(&mut self, mask: Reg, yes: Operand, no: Operand) -> Reg {
        let value = self.vtmp(1);
        self.valu(ops::v_cndmask_b32, value, &[no, yes, mask.into()]);
        value
    }

    /// Between f32 and f16, of which a register holds the bits [15:0]; what stands above them afterwards is open.
    pub(super) fn lower_float_convert(
        &mut self,
        from: FloatTy,
        to: FloatTy,
        env: FloatEnv,
        data: &InstData,
    ) -> Lowered {
        let op = match (from, to) {
            (FloatTy::F16, FloatTy::F32) => ops::v_cvt_f32_f16,
            (FloatTy::F32, FloatTy::F16) => ops::v_cvt_f16_f32,
            _ => {
                return Err(self.unsupported(format_args!("a conversion from `{}` to `{}`", from.word(), to.word())));
            }
        };
        let (dst, a) = (self.dst(data.results[0]), self.src(data.args[0]));
        // VOP3 first: 16-bit operands of the short form end at v127 on gfx11 and later.
        let mods = Mods { clamp: env.sat, encoding: Encoding::Vop3, ..op.default_mods() };
        self.with_float_env(env, |ctx| {
            // f16 results are rounded as f64 ones are.
            ctx.float_mode = FloatMode { round_f64: ctx.float_mode.round_f32, round_f32: 0, ..ctx.float_mode };
            ctx.valu_mods(op, &[dst], &[a], mods);
        });
        Ok(())
    }
}
