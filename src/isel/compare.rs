//! Compares, predicates and selects.
//!
//! A predicate is a lane mask. A uniform compare of SGPRs goes through SCC: fused into the branch or the select that reads it,
//! and turned into a mask (all ones or zero) for whoever else does. SCC is never live across anything else.

use super::{Ctx, Lowered};
use crate::amd::{self, Op as AmdOp, ops};
use crate::ir::{CmpOp, FCmpOp, FloatEnv, FloatTy, InstData, Op, PredOp, Type, Value, ValueDef, Width};
use crate::mir::{Operand, Reg};

/// A compare on each unit, 32 and 64 bits; the scalar unit knows equality only of 64.
struct CmpRow {
    ir: CmpOp,
    /// The same with its sources swapped.
    mirrored: CmpOp,
    inverse: CmpOp,
    scalar: AmdOp,
    vector32: AmdOp,
    vector64: AmdOp,
}

const fn row(ir: CmpOp, mirrored: CmpOp, inverse: CmpOp, scalar: AmdOp, vector32: AmdOp, vector64: AmdOp) -> CmpRow {
    CmpRow { ir, mirrored, inverse, scalar, vector32, vector64 }
}

const CMP: [CmpRow; 10] = {
    use CmpOp::*;
    use ops::*;
    [
        row(Eq, Eq, Ne, s_cmp_eq_u32, v_cmp_eq_u32, v_cmp_eq_u64),
        row(Ne, Ne, Eq, s_cmp_lg_u32, v_cmp_ne_u32, v_cmp_ne_u64),
        row(LtU, GtU, GeU, s_cmp_lt_u32, v_cmp_lt_u32, v_cmp_lt_u64),
        row(LeU, GeU, GtU, s_cmp_le_u32, v_cmp_le_u32, v_cmp_le_u64),
        row(GtU, LtU, LeU, s_cmp_gt_u32, v_cmp_gt_u32, v_cmp_gt_u64),
        row(GeU, LeU, LtU, s_cmp_ge_u32, v_cmp_ge_u32, v_cmp_ge_u64),
        row(LtS, GtS, GeS, s_cmp_lt_i32, v_cmp_lt_i32, v_cmp_lt_i64),
        row(LeS, GeS, GtS, s_cmp_le_i32, v_cmp_le_i32, v_cmp_le_i64),
        row(GtS, LtS, LeS, s_cmp_gt_i32, v_cmp_gt_i32, v_cmp_gt_i64),
        row(GeS, LeS, LtS, s_cmp_ge_i32, v_cmp_ge_i32, v_cmp_ge_i64),
    ]
};

fn cmp_row(op: CmpOp) -> &'static CmpRow {
    static ROWS: [CmpRow; 10] = CMP;
    ROWS.iter().find(|r| r.ir == op).unwrap_or(&ROWS[0])
}

/// A float compare: its op on f32, mirrored and inverse.
const FCMP: [(FCmpOp, AmdOp, FCmpOp, FCmpOp); 14] = {
    use FCmpOp::*;
    use ops::*;
    [
        (Eq, v_cmp_eq_f32, Eq, NeU),
        (Ne, v_cmp_lg_f32, Ne, EqU),
        (Lt, v_cmp_lt_f32, Gt, GeU),
        (Le, v_cmp_le_f32, Ge, GtU),
        (Gt, v_cmp_gt_f32, Lt, LeU),
        (Ge, v_cmp_ge_f32, Le, LtU),
        (EqU, v_cmp_nlg_f32, EqU, Ne),
        (NeU, v_cmp_neq_f32, NeU, Eq),
        (LtU, v_cmp_nge_f32, GtU, Ge),
        (LeU, v_cmp_ngt_f32, GeU, Gt),
        (GtU, v_cmp_nle_f32, LtU, Le),
        (GeU, v_cmp_nlt_f32, LeU, Lt),
        (Num, v_cmp_o_f32, Num, Nan),
        (Nan, v_cmp_u_f32, Nan, Num),
    ]
};

impl Ctx<'_> {
    pub(super) fn lower_cmp(&mut self, op: CmpOp, width: Width, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        if let Some(scalar) = self.scalar_cmp(data.results[0]) {
            self.write_scc(scalar);
            self.mask_from_scc(dst);
        } else {
            let (a, b) = (self.src(data.args[0]), self.src(data.args[1]));
            self.vector_cmp(op, width, dst, a, b);
        }
        Ok(())
    }

    pub(super) fn vector_cmp(&mut self, op: CmpOp, width: Width, mask: Reg, a: Operand, b: Operand) {
        // The short form wants its VGPR second.
        let swap = self.is_vgpr(a) && !self.is_vgpr(b);
        let row = cmp_row(if swap { cmp_row(op).mirrored } else { op });
        let op = if width == Width::W32 { row.vector32 } else { row.vector64 };
        let uses = if swap { [b, a] } else { [a, b] };
        self.valu(op, mask, &uses);
    }

    pub(super) fn lower_fcmp(&mut self, op: FCmpOp, ty: FloatTy, env: FloatEnv, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        self.float_cmp(op, ty, env, dst, data.args[0], data.args[1])
    }

    fn float_cmp(&mut self, op: FCmpOp, ty: FloatTy, env: FloatEnv, mask: Reg, a: Value, b: Value) -> Lowered {
        if ty != FloatTy::F32 {
            return Err(self.unsupported(format_args!("a compare of `{ty:?}`")));
        }
        let (a, b) = (self.src(a), self.src(b));
        let swap = self.is_vgpr(a) && !self.is_vgpr(b);
        let find = |op: FCmpOp| *FCMP.iter().find(|r| r.0 == op).unwrap_or(&FCMP[0]);
        let (_, vector, mirrored, _) = find(op);
        let op = if swap { find(mirrored).1 } else { vector };
        let uses = if swap { [b, a] } else { [a, b] };
        self.with_float_env(env, |ctx| ctx.valu(op, mask, &uses));
        Ok(())
    }

    /// The compare behind a predicate, where the scalar unit can do it in this block: it may be done again for any reader.
    pub(super) fn scalar_cmp(&self, pred: Value) -> Option<ScalarCmp> {
        let ValueDef::Result(inst, _) = self.func.values[pred].def else { return None };
        let data = &self.func.insts[inst];
        let Op::Cmp(op, width) = data.op else { return None };
        let (a, b) = (data.args[0], data.args[1]);
        let placed = self.is_sgpr(a) && self.is_sgpr(b) && self.divergence.is_uniform(pred);
        let op = match (width, op) {
            (Width::W32, op) => cmp_row(op).scalar,
            (Width::W64, CmpOp::Eq) => ops::s_cmp_eq_u64,
            (Width::W64, CmpOp::Ne) => ops::s_cmp_lg_u64,
            (Width::W64, _) => return None,
        };
        (placed && self.home[inst] == Some(self.cur)).then_some(ScalarCmp { op, a, b })
    }

    pub(super) fn write_scc(&mut self, cmp: ScalarCmp) {
        let uses = [self.src(cmp.a), self.src(cmp.b)];
        self.salu(cmp.op, &[], &uses);
    }

    /// All ones or zero.
    fn mask_from_scc(&mut self, mask: Reg) {
        let op = self.mask_op(ops::s_cselect_b32, ops::s_cselect_b64);
        let ones = Operand::Imm(self.mask_constant(true));
        self.salu(op, &[mask], &[ones, Operand::Imm(0)]);
    }

    /// SCC = a uniform predicate: by its compare, or by looking at the active lanes of its mask.
    fn scc_from(&mut self, pred: Value) {
        if let Some(cmp) = self.scalar_cmp(pred) {
            return self.write_scc(cmp);
        }
        let mask = self.src(pred);
        let (tmp, exec) = (self.mask_tmp(), amd::Reg::exec(self.target.wave_lanes()));
        let op = self.mask_op(ops::s_and_b32, ops::s_and_b64);
        self.salu(op, &[tmp], &[mask, Reg::Phys(exec).into()]);
    }

    pub(super) fn lower_pred_bin(&mut self, op: PredOp, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let (p, q) = (data.args[0], data.args[1]);
        // p & !q and p | !q are one instruction.
        let (p, q) = if self.inverted(p).is_some() && self.inverted(q).is_none() { (q, p) } else { (p, q) };
        let (row, q) = match (op, self.inverted(q)) {
            (PredOp::And, Some(q)) => ((ops::s_and_not1_b32, ops::s_and_not1_b64), q),
            (PredOp::Or, Some(q)) => ((ops::s_or_not1_b32, ops::s_or_not1_b64), q),
            (PredOp::Xor, Some(q)) => ((ops::s_xnor_b32, ops::s_xnor_b64), q),
            (PredOp::And, None) => ((ops::s_and_b32, ops::s_and_b64), q),
            (PredOp::Or, None) => ((ops::s_or_b32, ops::s_or_b64), q),
            (PredOp::Xor, None) => ((ops::s_xor_b32, ops::s_xor_b64), q),
        };
        let op = self.mask_op(row.0, row.1);
        let uses = [self.src(p), self.src(q)];
        self.salu(op, &[dst], &uses);
        Ok(())
    }

    /// The predicate that this one is the inverse of.
    pub(super) fn inverted(&self, pred: Value) -> Option<Value> {
        match self.func.def(pred) {
            Some((data, _)) if data.op == Op::PredNot => Some(data.args[0]),
            _ => None,
        }
    }

    /// The inverse of a compare is a compare.
    pub(super) fn lower_pred_not(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let arg = data.args[0];
        let only_reader = self.uses[arg] == 1 && self.regs[arg].is_none();
        if let Some((inner, _)) = self.func.def(arg)
            && only_reader
            && self.scalar_cmp(arg).is_none()
        {
            let (a, b) = (inner.args.first(), inner.args.get(1));
            match (&inner.op, a, b) {
                (Op::Cmp(op, width), Some(&a), Some(&b)) => {
                    let (a, b) = (self.src(a), self.src(b));
                    self.vector_cmp(cmp_row(*op).inverse, *width, dst, a, b);
                    return Ok(());
                }
                (Op::FCmp(op, ty, env), Some(&a), Some(&b)) => {
                    let inverse = FCMP.iter().find(|r| r.0 == *op).map_or(*op, |r| r.3);
                    return self.float_cmp(inverse, *ty, *env, dst, a, b);
                }
                _ => {}
            }
        }
        let src = self.src(arg);
        let op = self.mask_op(ops::s_not_b32, ops::s_not_b64);
        self.salu(op, &[dst], &[src]);
        Ok(())
    }

    pub(super) fn lower_select(&mut self, ty: Type, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let [mut pred, mut a, mut b] = [data.args[0], data.args[1], data.args[2]];
        if let Some(inner) = self.inverted(pred) {
            pred = inner;
            std::mem::swap(&mut a, &mut b);
        }
        match ty {
            Type::Pred => self.select_mask(dst, pred, a, b),
            Type::B32 | Type::B64 if self.is_sgpr(data.results[0]) => {
                let uses = [self.src(a), self.src(b)];
                self.scc_from(pred);
                let op = if ty == Type::B32 { ops::s_cselect_b32 } else { ops::s_cselect_b64 };
                self.salu(op, &[dst], &uses);
            }
            Type::B32 => {
                let mask = self.mask_reg(pred);
                let uses = [self.src(b), self.src(a), mask.into()];
                self.valu(ops::v_cndmask_b32, dst, &uses);
            }
            Type::B64 => {
                let mask = self.mask_reg(pred);
                let (a, b) = (self.src(a), self.src(b));
                self.select64(dst, mask, a, b);
            }
        }
        Ok(())
    }

    /// (p & a) | (!p & b).
    fn select_mask(&mut self, dst: Reg, pred: Value, a: Value, b: Value) {
        let (p, a, b) = (self.src(pred), self.src(a), self.src(b));
        let (x, y) = (self.mask_tmp(), self.mask_tmp());
        let and = self.mask_op(ops::s_and_b32, ops::s_and_b64);
        let and_not = self.mask_op(ops::s_and_not1_b32, ops::s_and_not1_b64);
        let or = self.mask_op(ops::s_or_b32, ops::s_or_b64);
        self.salu(and, &[x], &[a, p]);
        self.salu(and_not, &[y], &[b, p]);
        self.salu(or, &[dst], &[x.into(), y.into()]);
    }

    /// A predicate in a register.
    pub(super) fn mask_reg(&mut self, pred: Value) -> Reg {
        let operand = self.src(pred);
        self.in_sgpr(operand, self.target.mask_dwords())
    }
}

/// A compare that the scalar unit does.
#[derive(Copy, Clone)]
pub(super) struct ScalarCmp {
    op: AmdOp,
    a: Value,
    b: Value,
}
