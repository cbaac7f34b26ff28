//! Integer arithmetic.
//!
//! PTX ISA, "Integer Arithmetic Instructions", "Extended-Precision Integer Arithmetic Instructions". 16-bit operations are done in a
//! dword; their operands are extended where high bits would show. Not here: floats ([`super::float`]).

use super::body::Body;
use super::operands::{Fault, Mods, Res, is_integer, operand, width};
use crate::ir::byteperm::ByteSel;
use crate::ir::{CmpOp, IntOp, Op, UnaryOp, Value, Width};
use crate::ptx::tree::{Inst, ScalarType};
use crate::ptx::word;

/// Which half of a product.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Part {
    Lo,
    Hi,
    Wide,
}

fn part(mods: &mut Mods<'_>) -> Option<Part> {
    Some(match mods.one_of(&[word::LO, word::HI, word::WIDE])? {
        word::LO => Part::Lo,
        word::HI => Part::Hi,
        _ => Part::Wide,
    })
}

impl<'m> Body<'m, '_> {
    pub fn arith(&mut self, inst: &Inst<'m>) -> Res<()> {
        if inst.ty(0) == Some(ScalarType::F32) {
            return self.float(inst);
        }
        match inst.opcode {
            word::ADD | word::SUB | word::ADDC | word::SUBC => self.add(inst),
            word::MUL | word::MAD | word::MADC => self.multiply(inst),
            word::MUL24 | word::MAD24 => self.multiply24(inst),
            word::DIV | word::REM => self.divide(inst),
            word::ABS | word::NEG | word::MIN | word::MAX => self.min_max(inst),
            word::SAD => self.sad(inst),
            word::DP4A => self.dp4a(inst),
            word::DP2A => self.dp2a(inst),
            _ => Err(Fault::Form),
        }
    }

    fn add(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let saturate = mods.flag(word::SAT);
        let carry_out = mods.flag(word::CC);
        let ty = mods.ty()?;
        mods.done()?;
        let chained = matches!(inst.opcode, word::ADDC | word::SUBC);
        if !is_integer(ty) || saturate && (ty != ScalarType::S32 || carry_out || chained) {
            return Err(Fault::Form);
        }
        let subtract = matches!(inst.opcode, word::SUB | word::SUBC);
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let width = width(ty)?;
        let value = if carry_out || chained {
            if ty.size_bytes() < Some(4) {
                return Err(Fault::Form);
            }
            self.carry_chain(subtract, width, a, b, chained, carry_out)
        } else {
            let op = match (subtract, saturate) {
                (false, false) => IntOp::Add,
                (false, true) => IntOp::AddSatS,
                (true, false) => IntOp::Sub,
                (true, true) => IntOp::SubSatS,
            };
            self.int(op, width, a, b)
        };
        self.dst(operand(inst, 0)?, value)
    }

    /// `CC.CF` holds the carry after additions and the borrow after subtractions.
    fn carry_chain(&mut self, subtract: bool, width: Width, a: Value, b: Value, input: bool, output: bool) -> Value {
        let carry = self.carry();
        let input = if input { self.ssa.read(carry) } else { self.emit(Op::ConstPred(false), []) };
        let op = if subtract { Op::SubBorrow(width) } else { Op::AddCarry(width) };
        let inst = self.emit_inst(op, [a, b, input]);
        let results = &self.ssa.func.insts[inst].results;
        let (value, out) = (results[0], results[1]);
        if output {
            self.write(carry, out);
        }
        value
    }

    fn multiply(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let part = part(&mut mods).ok_or(Fault::Form)?;
        let saturate = mods.flag(word::SAT);
        let carry_out = mods.flag(word::CC);
        let ty = mods.ty()?;
        mods.done()?;
        let chained = inst.opcode == word::MADC;
        let adds = inst.opcode != word::MUL;
        if !is_integer(ty) || ty.size_bytes() == Some(1) {
            return Err(Fault::Form);
        }
        if saturate && (ty != ScalarType::S32 || part != Part::Hi || !adds || carry_out || chained) {
            return Err(Fault::Form);
        }
        let (a, b) = (operand(inst, 1)?, operand(inst, 2)?);
        let (a, b) = if part == Part::Lo {
            (self.src(a, ty)?, self.src(b, ty)?)
        } else {
            (self.src_ext(a, ty)?, self.src_ext(b, ty)?)
        };
        let width = width(ty)?;
        let (product, product_width) = self.product(part, ty, width, a, b)?;
        if !adds {
            return self.dst(operand(inst, 0)?, product);
        }
        let addend = match (part, ty.size_bytes()) {
            (Part::Wide, Some(2)) => ScalarType::B32,
            (Part::Wide, _) => ScalarType::B64,
            _ => ty,
        };
        let c = self.src(operand(inst, 3)?, addend)?;
        let value = if carry_out || chained {
            if part == Part::Wide || ty.size_bytes() < Some(4) {
                return Err(Fault::Form);
            }
            self.carry_chain(false, width, product, c, chained, carry_out)
        } else {
            let op = if saturate { IntOp::AddSatS } else { IntOp::Add };
            self.int(op, product_width, product, c)
        };
        self.dst(operand(inst, 0)?, value)
    }

    fn product(&mut self, part: Part, ty: ScalarType, width: Width, a: Value, b: Value) -> Res<(Value, Width)> {
        let signed = ty.is_signed();
        Ok(match (part, ty.size_bytes()) {
            (Part::Lo, _) => (self.int(IntOp::Mul, width, a, b), width),
            (Part::Hi, Some(2)) => {
                let product = self.int32(IntOp::Mul, a, b);
                (self.int32c(IntOp::ShrU, product, 16), Width::W32)
            }
            (Part::Hi, _) => {
                let op = if signed { IntOp::MulHiS } else { IntOp::MulHiU };
                (self.int(op, width, a, b), width)
            }
            (Part::Wide, Some(2)) => (self.int32(IntOp::Mul, a, b), Width::W32),
            (Part::Wide, Some(4)) => (self.emit(Op::MulWide { signed }, [a, b]), Width::W64),
            (Part::Wide, _) => return Err(Fault::Form),
        })
    }

    fn multiply24(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let part = part(&mut mods).ok_or(Fault::Form)?;
        let saturate = mods.flag(word::SAT);
        let ty = mods.ty()?;
        mods.done()?;
        let adds = inst.opcode == word::MAD24;
        if !matches!(ty, ScalarType::U32 | ScalarType::S32)
            || part == Part::Wide
            || saturate && (!adds || part != Part::Hi || ty != ScalarType::S32)
        {
            return Err(Fault::Form);
        }
        let signed = ty.is_signed();
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let value = match (part, adds) {
            (Part::Lo, _) => {
                let c = if adds { self.src(operand(inst, 3)?, ty)? } else { self.c32(0) };
                self.emit(Op::Mad24 { signed }, [a, b, c])
            }
            (_, false) => self.emit(Op::Mul24Hi { signed }, [a, b]),
            (_, true) => {
                let product = self.emit(Op::Mul24Hi { signed }, [a, b]);
                let c = self.src(operand(inst, 3)?, ty)?;
                self.int32(if saturate { IntOp::AddSatS } else { IntOp::Add }, product, c)
            }
        };
        self.dst(operand(inst, 0)?, value)
    }

    fn divide(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if !is_integer(ty) || ty.size_bytes() == Some(1) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src_ext(operand(inst, 1)?, ty)?, self.src_ext(operand(inst, 2)?, ty)?);
        let op = match (inst.opcode == word::DIV, ty.is_signed()) {
            (true, false) => IntOp::DivU,
            (true, true) => IntOp::DivS,
            (false, false) => IntOp::RemU,
            (false, true) => IntOp::RemS,
        };
        let value = self.int(op, width(ty)?, a, b);
        self.dst(operand(inst, 0)?, value)
    }

    fn min_max(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        let one = matches!(inst.opcode, word::ABS | word::NEG);
        if !is_integer(ty) || ty.size_bytes() == Some(1) || one && !ty.is_signed() {
            return Err(Fault::Form);
        }
        let width = width(ty)?;
        let a = self.src_ext(operand(inst, 1)?, ty)?;
        let value = match inst.opcode {
            word::NEG => self.unary(UnaryOp::Neg, width, a),
            word::ABS => {
                let negated = self.unary(UnaryOp::Neg, width, a);
                self.int_min_max(true, true, width, a, negated)
            }
            _ => {
                if inst.operands.len() > 3 {
                    return Err(Fault::Detail("of three values"));
                }
                let b = self.src_ext(operand(inst, 2)?, ty)?;
                self.int_min_max(inst.opcode == word::MAX, ty.is_signed(), width, a, b)
            }
        };
        self.dst(operand(inst, 0)?, value)
    }

    /// Minimum or maximum; of 64 bits by a comparison, as no machine has an op for it.
    pub fn int_min_max(&mut self, max: bool, signed: bool, width: Width, a: Value, b: Value) -> Value {
        if width == Width::W64 {
            let op = match (max, signed) {
                (false, false) => CmpOp::LtU,
                (false, true) => CmpOp::LtS,
                (true, false) => CmpOp::GtU,
                (true, true) => CmpOp::GtS,
            };
            let first = self.cmp(op, width, a, b);
            return self.choose(first, a, b);
        }
        let op = match (max, signed) {
            (false, false) => IntOp::MinU,
            (false, true) => IntOp::MinS,
            (true, false) => IntOp::MaxU,
            (true, true) => IntOp::MaxS,
        };
        self.int32(op, a, b)
    }

    fn sad(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if !is_integer(ty) || ty.size_bytes() == Some(1) {
            return Err(Fault::Form);
        }
        let signed = ty.is_signed();
        let (a, b) = (self.src_ext(operand(inst, 1)?, ty)?, self.src_ext(operand(inst, 2)?, ty)?);
        let c = self.src(operand(inst, 3)?, ty)?;
        let value = match width(ty)? {
            Width::W32 => self.emit(Op::Sad { signed }, [a, b, c]),
            width => {
                let larger = self.int_min_max(true, signed, width, a, b);
                let smaller = self.int_min_max(false, signed, width, a, b);
                let difference = self.int(IntOp::Sub, width, larger, smaller);
                self.int(IntOp::Add, width, difference, c)
            }
        };
        self.dst(operand(inst, 0)?, value)
    }

    fn dp4a(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let (a_ty, b_ty) = (mods.ty()?, mods.ty()?);
        mods.done()?;
        let ok = |ty| matches!(ty, ScalarType::U32 | ScalarType::S32);
        if !ok(a_ty) || !ok(b_ty) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, a_ty)?, self.src(operand(inst, 2)?, b_ty)?);
        let c = self.src(operand(inst, 3)?, ScalarType::B32)?;
        let value = self.emit(Op::Dot4 { a_signed: a_ty.is_signed(), b_signed: b_ty.is_signed() }, [a, b, c]);
        self.dst(operand(inst, 0)?, value)
    }

    /// Two 16-bit elements of `a` by two bytes of `b`: bytes 0 and 1 (`.lo`) or 2 and 3 (`.hi`).
    fn dp2a(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let high = match mods.one_of(&[word::LO, word::HI]) {
            Some(word::HI) => true,
            Some(_) => false,
            None => return Err(Fault::Form),
        };
        let (a_ty, b_ty) = (mods.ty()?, mods.ty()?);
        mods.done()?;
        let ok = |ty| matches!(ty, ScalarType::U32 | ScalarType::S32);
        if !ok(a_ty) || !ok(b_ty) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, a_ty)?, self.src(operand(inst, 2)?, b_ty)?);
        let mut sum = self.src(operand(inst, 3)?, ScalarType::B32)?;
        for n in 0..2u8 {
            let a_fill = if a_ty.is_signed() { ByteSel::Sign(0, 2 * n + 1) } else { ByteSel::Zero };
            let half = [ByteSel::Byte(0, 2 * n), ByteSel::Byte(0, 2 * n + 1), a_fill, a_fill];
            let byte = if high { 2 + n } else { n };
            let b_fill = if b_ty.is_signed() { ByteSel::Sign(0, byte) } else { ByteSel::Zero };
            let a = self.emit(Op::BytePerm(half), [a]);
            let b = self.emit(Op::BytePerm([ByteSel::Byte(0, byte), b_fill, b_fill, b_fill]), [b]);
            let product = self.int32(IntOp::Mul, a, b);
            sum = self.int32(IntOp::Add, sum, product);
        }
        self.dst(operand(inst, 0)?, sum)
    }
}
