//! Comparisons and selections.
//!
//! PTX ISA, "Comparison and Selection Instructions". `setp` may combine its result with a predicate, negated or not, and
//! give the complement as well: `setp.lt.and.s32 p|q, a, b, !r` is p = (a < b) & !r, q = !(a < b) & !r.

use super::body::Body;
use super::operands::{Fault, Mods, Res, is_bits, is_integer, operand, width};
use crate::ir::{CmpOp, FCmpOp, FloatEnv, FloatTy, Op, PredOp, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, OperandKind, ScalarType};
use crate::ptx::word;

pub fn knows(opcode: Name) -> bool {
    matches!(opcode, word::SET | word::SETP | word::SELP | word::SLCT)
}

const COMPARISONS: &[Name] = &[
    word::EQ,
    word::NE,
    word::LT,
    word::LE,
    word::GT,
    word::GE,
    word::LO,
    word::LS,
    word::HI,
    word::HS,
    word::EQU,
    word::NEU,
    word::LTU,
    word::LEU,
    word::GTU,
    word::GEU,
    word::NUM,
    word::NAN,
];

impl<'m> Body<'m, '_> {
    pub fn compare(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::SETP => self.setp(inst),
            word::SET => self.set(inst),
            word::SELP => self.selp(inst),
            _ => self.slct(inst),
        }
    }

    fn setp(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let comparison = mods.one_of(COMPARISONS).ok_or(Fault::Form)?;
        let combine = mods.one_of(&[word::AND, word::OR, word::XOR]);
        let ftz = mods.flag(word::FTZ);
        let ty = mods.ty()?;
        mods.done()?;
        let value = self.comparison(inst, comparison, ty, ftz)?;
        let to = operand(inst, 0)?;
        let (first, second) = match to.kind {
            OperandKind::Pair(pair) => match self.scope.module.list(pair) {
                [first, second] => (first, Some(second)),
                _ => return Err(Fault::Form),
            },
            _ => (to, None),
        };
        let Some(combine) = combine else {
            if inst.operands.len() != 3 {
                return Err(Fault::operand(inst.span, "3 operands are expected here"));
            }
            let complement = second.map(|second| (second, self.emit(Op::PredNot, [value])));
            self.dst(first, value)?;
            return complement.map_or(Ok(()), |(second, value)| self.dst(second, value));
        };
        let with = self.src(operand(inst, 3)?, ScalarType::Pred)?;
        let op = pred_op(combine);
        let result = self.emit(Op::PredBin(op), [value, with]);
        let complement = second.map(|second| {
            let not = self.emit(Op::PredNot, [value]);
            (second, self.emit(Op::PredBin(op), [not, with]))
        });
        self.dst(first, result)?;
        complement.map_or(Ok(()), |(second, value)| self.dst(second, value))
    }

    /// `a cmp b` of operands 1 and 2.
    fn comparison(&mut self, inst: &Inst<'m>, comparison: Name, ty: ScalarType, ftz: bool) -> Res<Value> {
        let (a, b) = (operand(inst, 1)?, operand(inst, 2)?);
        if ty == ScalarType::F32 {
            let op = float_comparison(comparison).ok_or(Fault::Form)?;
            let (a, b) = (self.src(a, ty)?, self.src(b, ty)?);
            let env = FloatEnv { ftz, ..FloatEnv::default() };
            return Ok(self.emit(Op::FCmp(op, FloatTy::F32, env), [a, b]));
        }
        if ftz || ty.size_bytes() == Some(1) || !is_integer(ty) && !is_bits(ty) {
            return Err(Fault::Form);
        }
        let op = int_comparison(comparison, ty).ok_or(Fault::Form)?;
        let (a, b) = (self.src_ext(a, ty)?, self.src_ext(b, ty)?);
        Ok(self.cmp(op, width(ty)?, a, b))
    }

    fn set(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let comparison = mods.one_of(COMPARISONS).ok_or(Fault::Form)?;
        let combine = mods.one_of(&[word::AND, word::OR, word::XOR]);
        let ftz = mods.flag(word::FTZ);
        let (to, ty) = (mods.ty()?, mods.ty()?);
        mods.done()?;
        let yes = match to {
            ScalarType::U32 | ScalarType::S32 => u32::MAX,
            ScalarType::F32 => 1.0f32.to_bits(),
            _ => return Err(Fault::Form),
        };
        let mut value = self.comparison(inst, comparison, ty, ftz)?;
        if let Some(combine) = combine {
            let with = self.src(operand(inst, 3)?, ScalarType::Pred)?;
            value = self.emit(Op::PredBin(pred_op(combine)), [value, with]);
        }
        let (yes, no) = (self.c32(yes), self.c32(0));
        let value = self.choose(value, yes, no);
        self.dst(operand(inst, 0)?, value)
    }

    fn selp(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if ty == ScalarType::Pred || matches!(ty.size_bytes(), None | Some(1)) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let condition = self.src(operand(inst, 3)?, ScalarType::Pred)?;
        let value = self.choose(condition, a, b);
        self.dst(operand(inst, 0)?, value)
    }

    /// a if c >= 0, else b; a NaN chooses b.
    fn slct(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ftz = mods.flag(word::FTZ);
        let (ty, by) = (mods.ty()?, mods.ty()?);
        mods.done()?;
        if ty == ScalarType::Pred || matches!(ty.size_bytes(), None | Some(1)) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let c = self.src(operand(inst, 3)?, by)?;
        let zero = self.c32(0);
        let condition = match by {
            ScalarType::S32 if !ftz => self.cmp(CmpOp::GeS, Width::W32, c, zero),
            ScalarType::F32 => {
                let env = FloatEnv { ftz, ..FloatEnv::default() };
                self.emit(Op::FCmp(FCmpOp::Ge, FloatTy::F32, env), [c, zero])
            }
            _ => return Err(Fault::Form),
        };
        let value = self.choose(condition, a, b);
        self.dst(operand(inst, 0)?, value)
    }
}

fn pred_op(word: Name) -> PredOp {
    match word {
        word::AND => PredOp::And,
        word::OR => PredOp::Or,
        _ => PredOp::Xor,
    }
}

fn int_comparison(word: Name, ty: ScalarType) -> Option<CmpOp> {
    let (signed, bits) = (ty.is_signed(), is_bits(ty));
    Some(match word {
        word::EQ => CmpOp::Eq,
        word::NE => CmpOp::Ne,
        // Untyped bits have no order.
        _ if bits => return None,
        word::LT => {
            if signed {
                CmpOp::LtS
            } else {
                CmpOp::LtU
            }
        }
        word::LE => {
            if signed {
                CmpOp::LeS
            } else {
                CmpOp::LeU
            }
        }
        word::GT => {
            if signed {
                CmpOp::GtS
            } else {
                CmpOp::GtU
            }
        }
        word::GE => {
            if signed {
                CmpOp::GeS
            } else {
                CmpOp::GeU
            }
        }
        word::LO if !signed => CmpOp::LtU,
        word::LS if !signed => CmpOp::LeU,
        word::HI if !signed => CmpOp::GtU,
        word::HS if !signed => CmpOp::GeU,
        _ => return None,
    })
}

fn float_comparison(word: Name) -> Option<FCmpOp> {
    Some(match word {
        word::EQ => FCmpOp::Eq,
        word::NE => FCmpOp::Ne,
        word::LT => FCmpOp::Lt,
        word::LE => FCmpOp::Le,
        word::GT => FCmpOp::Gt,
        word::GE => FCmpOp::Ge,
        word::EQU => FCmpOp::EqU,
        word::NEU => FCmpOp::NeU,
        word::LTU => FCmpOp::LtU,
        word::LEU => FCmpOp::LeU,
        word::GTU => FCmpOp::GtU,
        word::GEU => FCmpOp::GeU,
        word::NUM => FCmpOp::Num,
        word::NAN => FCmpOp::Nan,
        _ => return None,
    })
}
