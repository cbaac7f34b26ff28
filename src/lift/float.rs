//! f32 arithmetic.
//!
//! PTX ISA, "Floating-Point Instructions". PTX floats never contract: `mul` and `add` stay two ops. The `.approx` forms give what the machine's
//! own approximation does, scaled where that knows no subnormals; division is exact wherever PTX allows more than that.

use super::body::Body;
use super::operands::{Fault, Mods, Res, operand};
use crate::ir::{ApproxOp, FCmpOp, FloatEnv, FloatOp, FloatTy, Op, Round, Value};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, ScalarType};
use crate::ptx::word;

const F32: ScalarType = ScalarType::F32;

impl<'m> Body<'m, '_> {
    pub fn float(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::DIV | word::RCP => self.float_divide(inst),
            word::RSQRT | word::EX2 => self.approximate(inst),
            _ => self.float_arith(inst),
        }
    }

    /// `div` and `rcp`, rounded to nearest even or approximate.
    fn float_divide(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let approx = mods.flag(word::APPROX);
        let full = mods.flag(word::FULL);
        let rounded = mods.flag(word::RN);
        let ftz = mods.flag(word::FTZ);
        mods.ty()?;
        mods.done()?;
        let exact = full || rounded;
        if exact == approx {
            return Err(Fault::Form);
        }
        let env = FloatEnv { ftz, ..FloatEnv::default() };
        let a = self.src(operand(inst, 1)?, F32)?;
        let value = if inst.opcode == word::RCP {
            let one = self.c32(1.0f32.to_bits());
            if exact { self.float_op(FloatOp::Div, env, &[one, a]) } else { self.approx(ApproxOp::Rcp, ftz, a) }
        } else {
            let b = self.src(operand(inst, 2)?, F32)?;
            if exact { self.float_op(FloatOp::Div, env, &[a, b]) } else { self.divide_approx(env, a, b) }
        };
        self.dst(operand(inst, 0)?, value)
    }

    /// "For 2^126 < |b| < 2^128, if a is infinity, div.approx.f32 returns NaN. Otherwise, a result is 0": that of a product with a flushed
    /// reciprocal, which is within 2 ulp for smaller ones. Only a subnormal b has none, where it is not flushed itself.
    fn divide_approx(&mut self, env: FloatEnv, a: Value, b: Value) -> Value {
        let reciprocal = self.approx(ApproxOp::Rcp, true, b);
        let product = self.float_op(FloatOp::Mul, env, &[a, reciprocal]);
        if env.ftz {
            return product;
        }
        let quotient = self.float_op(FloatOp::Div, env, &[a, b]);
        let size = self.float_op(FloatOp::Abs, env, &[b]);
        let normal = self.c32(f32::MIN_POSITIVE.to_bits());
        let subnormal = self.emit(Op::FCmp(FCmpOp::Lt, FloatTy::F32, env), [size, normal]);
        self.choose(subnormal, quotient, product)
    }

    fn approximate(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let (approx, ftz) = (mods.flag(word::APPROX), mods.flag(word::FTZ));
        mods.ty()?;
        mods.done()?;
        if !approx {
            return Err(Fault::Form);
        }
        let op = if inst.opcode == word::EX2 { ApproxOp::Ex2 } else { ApproxOp::Rsqrt };
        let a = self.src(operand(inst, 1)?, F32)?;
        let value = self.approx(op, ftz, a);
        self.dst(operand(inst, 0)?, value)
    }

    fn approx(&mut self, op: ApproxOp, ftz: bool, a: Value) -> Value {
        self.emit(Op::Approx { op, ftz }, [a])
    }

    fn float_op(&mut self, op: FloatOp, env: FloatEnv, args: &[Value]) -> Value {
        self.emit(Op::Float(op, FloatTy::F32, env), args.iter().copied())
    }

    fn float_arith(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let round = mods.one_of(&[word::RN, word::RZ, word::RM, word::RP]);
        let (ftz, sat) = (mods.flag(word::FTZ), mods.flag(word::SAT));
        let nan = self.scope.module.names.lookup("NaN").is_some_and(|word| mods.flag(word));
        mods.ty()?;
        mods.done()?;
        let rounds = matches!(inst.opcode, word::ADD | word::SUB | word::MUL | word::FMA | word::MAD);
        let picks = matches!(inst.opcode, word::MIN | word::MAX);
        if !rounds && (round.is_some() || sat) || nan && !picks {
            return Err(Fault::Form);
        }
        let env = FloatEnv { round: rounding(round), ftz, sat };
        let a = self.src(operand(inst, 1)?, F32)?;
        let (op, count) = match inst.opcode {
            word::ADD => (FloatOp::Add, 2),
            word::SUB => (FloatOp::Sub, 2),
            word::MUL => (FloatOp::Mul, 2),
            // "mad.{rn,rz,rm,rp}.f32 is equivalent to fma"; without rounding it is a form of old machines.
            word::FMA | word::MAD if round.is_some() => (FloatOp::Fma, 3),
            word::MIN => (if nan { FloatOp::MinNan } else { FloatOp::Min }, 2),
            word::MAX => (if nan { FloatOp::MaxNan } else { FloatOp::Max }, 2),
            word::NEG => (FloatOp::Neg, 1),
            word::ABS => (FloatOp::Abs, 1),
            word::COPYSIGN if !ftz => {
                // The sign of a, the magnitude of b.
                let b = self.src(operand(inst, 2)?, F32)?;
                let mask = self.c32(0x8000_0000);
                let value = self.emit(Op::BitSelect, [mask, a, b]);
                return self.dst(operand(inst, 0)?, value);
            }
            _ => return Err(Fault::Form),
        };
        if inst.operands.len() != count + 1 {
            return Err(Fault::operand(inst.span, format!("{} operands are expected here", count + 1)));
        }
        let mut args = vec![a];
        for n in 1..count {
            args.push(self.src(operand(inst, n + 1)?, F32)?);
        }
        let value = self.float_op(op, env, &args);
        self.dst(operand(inst, 0)?, value)
    }
}

/// The rounding that a modifier names; to nearest even without one.
pub fn rounding(word: Option<Name>) -> Round {
    match word {
        Some(word::RZ | word::RZI) => Round::Zero,
        Some(word::RM | word::RMI) => Round::Down,
        Some(word::RP | word::RPI) => Round::Up,
        _ => Round::NearestEven,
    }
}
