//! Rules of [`super::fold`] for comparisons, predicates and selections.

use super::eval::{Const, compare};
use super::fold::Folder;
use crate::ir::{CmpOp, FCmpOp, FloatTy, IntOp, Op, PredOp, Type, Value, Width};

impl Folder<'_> {
    pub(super) fn cmp_rule(&mut self, op: CmpOp, width: Width, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::Cmp(swapped(op), width), &[b, a]));
        }
        let truth = |this: &mut Self, v: bool| Some(this.build(Op::ConstPred(v), &[]));
        if a == b {
            use CmpOp::*;
            return truth(self, matches!(op, Eq | LeU | GeU | LeS | GeS));
        }
        if let Some(c) = self.constant(b)
            && let Some((Op::Select(_), select)) = self.op_of(a)
            && let (Some(yes), Some(no)) = (self.constant(select[1]), self.constant(select[2]))
        {
            let holds = |v: Const| compare(op, width, v.bits(), c.bits());
            return match (holds(yes), holds(no)) {
                (true, false) => Some(select[0]),
                (false, true) => Some(self.build(Op::PredNot, &select[..1])),
                (same, _) => truth(self, same),
            };
        }
        let (x, y) = (self.bits(a), self.bits(b));
        let top = width.bits() - 1;
        let both_positive = x.zeros >> top & 1 != 0 && y.zeros >> top & 1 != 0;
        let unsigned = match op {
            CmpOp::LtS if both_positive => CmpOp::LtU,
            CmpOp::LeS if both_positive => CmpOp::LeU,
            CmpOp::GtS if both_positive => CmpOp::GtU,
            CmpOp::GeS if both_positive => CmpOp::GeU,
            op => op,
        };
        match unsigned {
            CmpOp::LtU if x.max() < y.min() => return truth(self, true),
            CmpOp::LtU if x.min() >= y.max() => return truth(self, false),
            CmpOp::LeU if x.max() <= y.min() => return truth(self, true),
            CmpOp::LeU if x.min() > y.max() => return truth(self, false),
            CmpOp::GtU if x.min() > y.max() => return truth(self, true),
            CmpOp::GtU if x.max() <= y.min() => return truth(self, false),
            CmpOp::GeU if x.min() >= y.max() => return truth(self, true),
            CmpOp::GeU if x.max() < y.min() => return truth(self, false),
            CmpOp::Eq if x.zeros & y.ones | x.ones & y.zeros != 0 => return truth(self, false),
            CmpOp::Ne if x.zeros & y.ones | x.ones & y.zeros != 0 => return truth(self, true),
            _ => {}
        }
        if width == Width::W64 && x.max() >> 32 == 0 && y.max() >> 32 == 0 {
            let (a, b) = (self.build(Op::Lo, &[a]), self.build(Op::Lo, &[b]));
            return Some(self.build(Op::Cmp(unsigned, Width::W32), &[a, b]));
        }
        if width == Width::W64 && x.signs > 32 && y.signs > 32 {
            // Both are widened from a signed dword; every order of the pairs is that of the dwords.
            let (a, b) = (self.build(Op::Lo, &[a]), self.build(Op::Lo, &[b]));
            return Some(self.build(Op::Cmp(op, Width::W32), &[a, b]));
        }
        if matches!(op, CmpOp::Eq | CmpOp::Ne)
            && self.constant(b).is_some_and(|c| c.bits() == 0)
            && let Some((Op::Int(IntOp::Xor | IntOp::Sub, w), args)) = self.op_of(a)
            && w == width
        {
            return Some(self.build(Op::Cmp(op, width), &args));
        }
        None
    }

    pub(super) fn pred_rule(&mut self, op: PredOp, a: Value, b: Value) -> Option<Value> {
        if self.constant(a).is_some() && self.constant(b).is_none() {
            return Some(self.build(Op::PredBin(op), &[b, a]));
        }
        if a == b {
            return match op {
                PredOp::And | PredOp::Or => Some(a),
                PredOp::Xor => Some(self.build(Op::ConstPred(false), &[])),
            };
        }
        let Some(Const::Pred(c)) = self.constant(b) else { return None };
        match (op, c) {
            (PredOp::And, true) | (PredOp::Or, false) | (PredOp::Xor, false) => Some(a),
            (PredOp::And, false) | (PredOp::Or, true) => Some(b),
            (PredOp::Xor, true) => Some(self.build(Op::PredNot, &[a])),
        }
    }

    pub(super) fn not_rule(&mut self, a: Value) -> Option<Value> {
        if let Some((Op::PredNot, args)) = self.op_of(a) {
            return Some(args[0]);
        }
        match self.single_use(a)? {
            (Op::Cmp(op, width), args) => Some(self.build(Op::Cmp(inverse(op), width), &args)),
            (Op::FCmp(op, ty @ FloatTy::F32, env), args) => {
                Some(self.build(Op::FCmp(float_inverse(op), ty, env), &args))
            }
            _ => None,
        }
    }

    pub(super) fn select_rule(&mut self, ty: Type, p: Value, yes: Value, no: Value) -> Option<Value> {
        if let Some(Const::Pred(p)) = self.constant(p) {
            return Some(if p { yes } else { no });
        }
        if yes == no || self.is_undef(no) {
            return Some(yes);
        }
        if self.is_undef(yes) {
            return Some(no);
        }
        match self.op_of(p) {
            Some((Op::PredNot, args)) => return Some(self.build(Op::Select(ty), &[args[0], no, yes])),
            Some((Op::Undef(_), _)) => return Some(no),
            _ => {}
        }
        if ty == Type::Pred {
            let (y, n) = (self.constant(yes), self.constant(no));
            let (or, and) = (Op::PredBin(PredOp::Or), Op::PredBin(PredOp::And));
            return match (y, n) {
                (Some(Const::Pred(true)), Some(Const::Pred(false))) => Some(p),
                (Some(Const::Pred(false)), Some(Const::Pred(true))) => Some(self.build(Op::PredNot, &[p])),
                (Some(Const::Pred(true)), _) => Some(self.build(or, &[p, no])),
                (_, Some(Const::Pred(false))) => Some(self.build(and, &[p, yes])),
                _ => None,
            };
        }
        // The same choice made before.
        if let Some((Op::Select(_), inner)) = self.op_of(yes)
            && inner[0] == p
        {
            return Some(self.build(Op::Select(ty), &[p, inner[1], no]));
        }
        if let Some((Op::Select(_), inner)) = self.op_of(no)
            && inner[0] == p
        {
            return Some(self.build(Op::Select(ty), &[p, yes, inner[2]]));
        }
        None
    }
}

fn swapped(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Eq,
        CmpOp::Ne => CmpOp::Ne,
        CmpOp::LtU => CmpOp::GtU,
        CmpOp::LeU => CmpOp::GeU,
        CmpOp::GtU => CmpOp::LtU,
        CmpOp::GeU => CmpOp::LeU,
        CmpOp::LtS => CmpOp::GtS,
        CmpOp::LeS => CmpOp::GeS,
        CmpOp::GtS => CmpOp::LtS,
        CmpOp::GeS => CmpOp::LeS,
    }
}

fn inverse(op: CmpOp) -> CmpOp {
    match op {
        CmpOp::Eq => CmpOp::Ne,
        CmpOp::Ne => CmpOp::Eq,
        CmpOp::LtU => CmpOp::GeU,
        CmpOp::LeU => CmpOp::GtU,
        CmpOp::GtU => CmpOp::LeU,
        CmpOp::GeU => CmpOp::LtU,
        CmpOp::LtS => CmpOp::GeS,
        CmpOp::LeS => CmpOp::GtS,
        CmpOp::GtS => CmpOp::LeS,
        CmpOp::GeS => CmpOp::LtS,
    }
}

/// The comparison that holds exactly when the other does not: NaNs change sides.
fn float_inverse(op: FCmpOp) -> FCmpOp {
    match op {
        FCmpOp::Eq => FCmpOp::NeU,
        FCmpOp::Ne => FCmpOp::EqU,
        FCmpOp::Lt => FCmpOp::GeU,
        FCmpOp::Le => FCmpOp::GtU,
        FCmpOp::Gt => FCmpOp::LeU,
        FCmpOp::Ge => FCmpOp::LtU,
        FCmpOp::EqU => FCmpOp::Ne,
        FCmpOp::NeU => FCmpOp::Eq,
        FCmpOp::LtU => FCmpOp::Ge,
        FCmpOp::LeU => FCmpOp::Gt,
        FCmpOp::GtU => FCmpOp::Le,
        FCmpOp::GeU => FCmpOp::Lt,
        FCmpOp::Num => FCmpOp::Nan,
        FCmpOp::Nan => FCmpOp::Num,
    }
}
