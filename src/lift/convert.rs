//! `cvt` among integers, between integers and f32, between f32 and itself, f16 and bf16.
//!
//! PTX ISA, "cvt". Float to integer clamps to the destination's range; a NaN gives 0, but 2^63 for 64-bit integers. Integer
//! to integer without `.sat` cuts or extends by the source's signedness.

use super::body::Body;
use super::float::rounding;
use super::operands::{Fault, Mods, Res, is_integer, operand, width};
use crate::ir::{FCmpOp, FloatEnv, FloatOp, FloatTy, IntOp, Op, Type, Value, Width};
use crate::ptx::tree::{Inst, ScalarType};
use crate::ptx::word;

impl<'m> Body<'m, '_> {
    pub fn cvt(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let round = mods.one_of(&[word::RN, word::RZ, word::RM, word::RP, word::RNI, word::RZI, word::RMI, word::RPI]);
        let integral = matches!(round, Some(word::RNI | word::RZI | word::RMI | word::RPI));
        let (ftz, sat) = (mods.flag(word::FTZ), mods.flag(word::SAT));
        let (to, from) = (mods.ty()?, mods.ty()?);
        mods.done()?;
        let source = operand(inst, 1)?;
        let float = ScalarType::F32;
        let (value, extended) = match (is_integer(to), is_integer(from)) {
            (true, true) if round.is_none() && !ftz => {
                let value = self.src_ext(source, from)?;
                self.int_to_int(value, from, to, sat)?
            }
            (false, true) if to == float && round.is_some() && !integral => {
                let value = self.src_ext(source, from)?;
                let env = FloatEnv { round: rounding(round), ftz, sat };
                let op = Op::IntToFloat { signed: from.is_signed(), from: width(from)?, to: FloatTy::F32, env };
                (self.emit(op, [value]), true)
            }
            (true, false) if from == float && integral => {
                let value = self.src(source, from)?;
                self.float_to_int(value, to, round, ftz)?
            }
            (false, false) if to == float && from == float && (round.is_none() || integral) => {
                let value = self.src(source, from)?;
                let env = FloatEnv { round: rounding(round), ftz, sat };
                let value = if integral {
                    self.emit(Op::Float(FloatOp::Rint, FloatTy::F32, env), [value])
                } else if ftz || sat {
                    // Times one: flushed and clamped as asked, otherwise the value itself.
                    let one = self.c32(1.0f32.to_bits());
                    self.emit(Op::Float(FloatOp::Mul, FloatTy::F32, env), [value, one])
                } else {
                    value
                };
                (value, true)
            }
            (false, false) if matches!((to, from), (ScalarType::F32, ScalarType::F16)) && round.is_none() => {
                let value = self.src(source, from)?;
                (
                    self.float_to_float(
                        FloatTy::F16,
                        FloatTy::F32,
                        FloatEnv { ftz, sat, ..FloatEnv::default() },
                        value,
                    ),
                    true,
                )
            }
            (false, false)
                if matches!((to, from), (ScalarType::F16, ScalarType::F32)) && round.is_some() && !integral =>
            {
                let value = self.src(source, from)?;
                let env = FloatEnv { round: rounding(round), ftz, sat };
                (self.float_to_float(FloatTy::F32, FloatTy::F16, env, value), false)
            }
            (false, false) if matches!((to, from), (ScalarType::F32, ScalarType::Bf16)) && !ftz && !sat => {
                // Every bf16 is an f32, whatever the rounding.
                let value = self.src(source, from)?;
                (self.int32c(IntOp::Shl, value, 16), true)
            }
            (false, false)
                if matches!((to, from), (ScalarType::Bf16, ScalarType::F32))
                    && matches!(round, Some(word::RN))
                    && !ftz
                    && !sat =>
            {
                let value = self.src(source, from)?;
                (self.float_to_bf16(value), false)
            }
            _ => return Err(Fault::Form),
        };
        self.dst_wide(operand(inst, 0)?, value, to, extended)
    }

    fn float_to_float(&mut self, from: FloatTy, to: FloatTy, env: FloatEnv, value: Value) -> Value {
        self.emit(Op::FloatConvert { from, to, env }, [value])
    }

    /// The upper half of an f32, rounded to nearest even on its bits: a carry goes into the exponent, and past the largest number to infinity.
    /// A NaN is the canonical one.
    fn float_to_bf16(&mut self, value: Value) -> Value {
        let odd = self.int32c(IntOp::ShrU, value, 16);
        let odd = self.int32c(IntOp::And, odd, 1);
        let rounded = self.int32c(IntOp::Add, value, 0x7fff);
        let rounded = self.int32(IntOp::Add, rounded, odd);
        let rounded = self.int32c(IntOp::ShrU, rounded, 16);
        let nan = self.emit(Op::FCmp(FCmpOp::Nan, FloatTy::F32, FloatEnv::default()), [value, value]);
        let canonical = self.c32(0x7fff);
        self.choose(nan, canonical, rounded)
    }

    /// The value in the destination's IR type, and whether bits above an 8- or 16-bit destination are its extension.
    fn int_to_int(&mut self, value: Value, from: ScalarType, to: ScalarType, sat: bool) -> Res<(Value, bool)> {
        let (from_width, to_width) = (width(from)?, width(to)?);
        let mut value = value;
        let mut wide = from_width;
        if to_width == Width::W64 && from_width == Width::W32 {
            value = self.widen(value, from.is_signed());
            wide = Width::W64;
        }
        let clamped = sat && self.clamp(&mut value, wide, from, to);
        if to_width == Width::W32 && wide == Width::W64 {
            value = self.emit(Op::Lo, [value]);
        }
        // A value that was extended from no more bits than the destination has, by the same signedness, or a
        // saturated one, has the right bits above.
        let narrower = from.size_bytes() < to.size_bytes() && (!from.is_signed() || to.is_signed()) || from == to;
        Ok((value, clamped || narrower))
    }

    /// Saturates to the range of `to`; whether anything was done. `wide` holds all of `from`.
    fn clamp(&mut self, value: &mut Value, wide: Width, from: ScalarType, to: ScalarType) -> bool {
        let range = |ty: ScalarType| {
            let bits = 8 * ty.size_bytes().unwrap_or(4);
            if ty.is_signed() { (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) } else { (0, (1i128 << bits) - 1) }
        };
        let ((from_low, from_high), (to_low, to_high)) = (range(from), range(to));
        let signed = from.is_signed();
        let mut done = false;
        if to_low > from_low {
            let bound = self.constant(wide, to_low as u64);
            *value = self.int_min_max(true, signed, wide, *value, bound);
            done = true;
        }
        if to_high < from_high {
            let bound = self.constant(wide, to_high as u64);
            *value = self.int_min_max(false, signed, wide, *value, bound);
            done = true;
        }
        done
    }

    fn float_to_int(
        &mut self,
        value: Value,
        to: ScalarType,
        round: Option<crate::ptx::names::Name>,
        ftz: bool,
    ) -> Res<(Value, bool)> {
        let (signed, to_width) = (to.is_signed(), width(to)?);
        let op = Op::FloatToInt { signed, from: FloatTy::F32, to: to_width, round: rounding(round), ftz };
        let mut result = self.emit(op, [value]);
        if to_width == Width::W64 {
            let env = FloatEnv { ftz, ..FloatEnv::default() };
            let nan = self.emit(Op::FCmp(FCmpOp::Nan, FloatTy::F32, env), [value, value]);
            let none = self.c64(1 << 63);
            result = self.choose(nan, none, result);
        }
        debug_assert_eq!(self.ssa.func.ty(result), if to_width == Width::W64 { Type::B64 } else { Type::B32 });
        let bits = 8 * to.size_bytes().unwrap_or(4);
        if bits < 32 {
            let (low, high) =
                if signed { (-(1i32 << (bits - 1)), (1i32 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            result = self.int32c(if signed { IntOp::MinS } else { IntOp::MinU }, result, high as u32);
            if signed {
                result = self.int32c(IntOp::MaxS, result, low as u32);
            }
        }
        Ok((result, true))
    }
}
