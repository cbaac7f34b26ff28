//! Logic, shifts, bit fields, counts and byte permutes.
//!
//! PTX ISA, "Logic and Shift Instructions", "Integer Arithmetic Instructions", "prmt". PTX clamps shift amounts where the
//! IR takes them modulo the width; `bfe` and `bfi` take the low 8 bits of position and length.

use super::body::Body;
use super::operands::{Fault, Mods, Res, is_bits, literal, operand, width};
use crate::ir::byteperm::ByteSel;
use crate::ir::{CmpOp, IntOp, Op, PredOp, PrmtMode, UnaryOp, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, OperandKind, ScalarType};
use crate::ptx::word;

pub fn knows(opcode: Name) -> bool {
    matches!(
        opcode,
        word::AND
            | word::OR
            | word::XOR
            | word::NOT
            | word::CNOT
            | word::SHL
            | word::SHR
            | word::SHF
            | word::LOP3
            | word::BFE
            | word::BFI
            | word::BREV
            | word::POPC
            | word::CLZ
            | word::BFIND
            | word::BMSK
            | word::SZEXT
            | word::PRMT
    )
}

impl<'m> Body<'m, '_> {
    pub fn logic(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        let predicate = ty == ScalarType::Pred;
        if ty.size_bytes() == Some(1) || !predicate && !is_bits(ty) {
            return Err(Fault::Form);
        }
        let a = self.src(operand(inst, 1)?, ty)?;
        let value = match (inst.opcode, predicate) {
            (word::NOT, true) => self.emit(Op::PredNot, [a]),
            (word::NOT, false) => self.unary(UnaryOp::Not, width(ty)?, a),
            (word::CNOT, false) => {
                let a = self.extend(a, ty);
                let width = width(ty)?;
                let (zero, one) = (self.constant(width, 0), self.constant(width, 1));
                let empty = self.cmp(CmpOp::Eq, width, a, zero);
                self.choose(empty, one, zero)
            }
            (word::AND | word::OR | word::XOR, predicate) => {
                let b = self.src(operand(inst, 2)?, ty)?;
                let (op, of_predicates) = match inst.opcode {
                    word::AND => (IntOp::And, PredOp::And),
                    word::OR => (IntOp::Or, PredOp::Or),
                    _ => (IntOp::Xor, PredOp::Xor),
                };
                if predicate { self.emit(Op::PredBin(of_predicates), [a, b]) } else { self.int(op, width(ty)?, a, b) }
            }
            _ => return Err(Fault::Form),
        };
        self.dst(operand(inst, 0)?, value)
    }

    pub fn bits(&mut self, inst: &Inst<'m>) -> Res<()> {
        let value = match inst.opcode {
            word::SHL | word::SHR => self.shift(inst)?,
            word::SHF => self.funnel(inst)?,
            word::LOP3 => return self.lop3(inst),
            word::BFE => self.bfe(inst)?,
            word::BFI => self.bfi(inst)?,
            word::BREV | word::POPC | word::CLZ | word::BFIND => self.count(inst)?,
            word::BMSK => self.bmsk(inst)?,
            word::SZEXT => self.szext(inst)?,
            word::FNS => self.fns(inst)?,
            word::PRMT => self.prmt(inst)?,
            _ => return Err(Fault::Form),
        };
        self.dst(operand(inst, 0)?, value)
    }

    fn shift(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        let left = inst.opcode == word::SHL;
        if ty.size_bytes() == Some(1) || ty.is_float() || left && !is_bits(ty) {
            return Err(Fault::Form);
        }
        let width = width(ty)?;
        let a = self.src(operand(inst, 1)?, ty)?;
        let a = if left { a } else { self.extend(a, ty) };
        let op = match (left, ty.is_signed()) {
            (true, _) => IntOp::Shl,
            (false, false) => IntOp::ShrU,
            (false, true) => IntOp::ShrS,
        };
        let amount = operand(inst, 2)?;
        if let Some(n) = literal(amount) {
            let n = n as u32;
            return Ok(match (n < width.bits(), op) {
                (true, _) => {
                    let n = self.c32(n);
                    self.int(op, width, a, n)
                }
                (false, IntOp::ShrS) => {
                    let n = self.c32(width.bits() - 1);
                    self.int(op, width, a, n)
                }
                (false, _) => self.constant(width, 0),
            });
        }
        let amount = self.src(amount, ScalarType::U32)?;
        if op == IntOp::ShrS {
            let amount = self.int32c(IntOp::MinU, amount, width.bits() - 1);
            return Ok(self.int(op, width, a, amount));
        }
        let shifted = self.int(op, width, a, amount);
        Ok(self.if_below(amount, width.bits(), shifted, 0, width))
    }

    /// `value` while `amount` is below the limit, else a constant.
    fn if_below(&mut self, amount: Value, limit: u32, value: Value, els: u64, width: Width) -> Value {
        let limit = self.c32(limit);
        let below = self.cmp(CmpOp::LtU, Width::W32, amount, limit);
        let els = self.constant(width, els);
        self.choose(below, value, els)
    }

    fn funnel(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let left = match mods.one_of(&[word::L, word::R]) {
            Some(word::L) => true,
            Some(_) => false,
            None => return Err(Fault::Form),
        };
        let clamp = match mods.one_of(&[word::CLAMP, word::WRAP]) {
            Some(word::CLAMP) => true,
            Some(_) => false,
            None => return Err(Fault::Form),
        };
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::B32 {
            return Err(Fault::Form);
        }
        let (low, high) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let amount = operand(inst, 3)?;
        if let Some(n) = literal(amount) {
            let n = n as u32;
            let n = if clamp { n.min(32) } else { n & 31 };
            return Ok(match (left, n) {
                (true, 0) | (false, 32) => high,
                (true, 32) | (false, 0) => low,
                (left, n) => {
                    let n = self.c32(if left { 32 - n } else { n });
                    self.emit(Op::FunnelShr, [high, low, n])
                }
            });
        }
        let amount = self.src(amount, ScalarType::U32)?;
        let value = if !left {
            self.emit(Op::FunnelShr, [high, low, amount])
        } else {
            // {high, low} << n, high dword, is {high, low} >> 1 >> (31 - n): right for n = 0 as well.
            let one = self.c32(1);
            let low = self.emit(Op::FunnelShr, [high, low, one]);
            let high = self.int32(IntOp::ShrU, high, one);
            let rest = self.unary(UnaryOp::Not, Width::W32, amount);
            self.emit(Op::FunnelShr, [high, low, rest])
        };
        if !clamp {
            return Ok(value);
        }
        let limit = self.c32(32);
        let below = self.cmp(CmpOp::LtU, Width::W32, amount, limit);
        Ok(self.choose(below, value, if left { low } else { high }))
    }

    fn lop3(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let combine = mods.one_of(&[word::AND, word::OR, word::XOR]);
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::B32 {
            return Err(Fault::Form);
        }
        let mut args = Vec::new();
        for n in 1..4 {
            args.push(self.src(operand(inst, n)?, ty)?);
        }
        let table = operand(inst, 4)?;
        let Some(bits) = literal(table) else {
            return Err(Fault::operand(table.span, "the truth table is a constant"));
        };
        let value = self.emit(Op::Lop3(bits as u8), args);
        let to = operand(inst, 0)?;
        let Some(combine) = combine else { return self.dst(to, value) };
        // `lop3.or.b32 d|p, a, b, c, table, q`: p = (d != 0) op q.
        let OperandKind::Pair(pair) = to.kind else { return Err(Fault::Form) };
        let [first, second] = self.scope.module.list(pair) else { return Err(Fault::Form) };
        let q = self.src(operand(inst, 5)?, ScalarType::Pred)?;
        let zero = self.c32(0);
        let nonzero = self.cmp(CmpOp::Ne, Width::W32, value, zero);
        let op = match combine {
            word::AND => PredOp::And,
            word::OR => PredOp::Or,
            _ => PredOp::Xor,
        };
        let p = self.emit(Op::PredBin(op), [nonzero, q]);
        self.dst(first, value)?;
        self.dst(second, p)
    }

    /// Position or length of a bit field: the low 8 bits.
    fn field_number(&mut self, operand: &crate::ptx::tree::Operand) -> Res<Result<u32, Value>> {
        match literal(operand) {
            Some(n) => Ok(Ok(n as u32 & 0xff)),
            None => {
                let value = self.src(operand, ScalarType::U32)?;
                Ok(Err(self.extend(value, ScalarType::U8)))
            }
        }
    }

    fn number(&mut self, number: Result<u32, Value>) -> Value {
        match number {
            Ok(n) => self.c32(n),
            Err(value) => value,
        }
    }

    fn bfe(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if !matches!(ty, ScalarType::U32 | ScalarType::S32 | ScalarType::U64 | ScalarType::S64) {
            return Err(Fault::Form);
        }
        let (width, signed) = (width(ty)?, ty.is_signed());
        let bits = width.bits();
        let a = self.src(operand(inst, 1)?, ty)?;
        let pos = self.field_number(operand(inst, 2)?)?;
        let len = self.field_number(operand(inst, 3)?)?;
        let shift = if signed { IntOp::ShrS } else { IntOp::ShrU };
        if let (Ok(pos), Ok(len)) = (pos, len) {
            // Bits beyond the top are the sign (or zero), so the field ends at the top at the latest.
            if len == 0 || !signed && pos >= bits {
                return Ok(self.constant(width, 0));
            }
            let pos = pos.min(bits - 1);
            let len = len.min(bits - pos);
            if len == bits {
                return Ok(a);
            }
            if width == Width::W32 && pos + len < 32 {
                let (pos, len) = (self.c32(pos), self.c32(len));
                return Ok(self.emit(Op::Bfe { signed }, [a, pos, len]));
            }
            let up = self.c32(bits - pos - len);
            let down = self.c32(bits - len);
            let at_top = self.int(IntOp::Shl, width, a, up);
            return Ok(self.int(shift, width, at_top, down));
        }
        let (pos, len) = (self.number(pos), self.number(len));
        let last = self.c32(bits - 1);
        let full = self.c32(bits);
        if signed {
            // Shifted down with the sign behind it; then the field's own top bit is spread.
            let pos = self.int32(IntOp::MinU, pos, last);
            let down = self.int(shift, width, a, pos);
            let len_or_all = self.int32(IntOp::MinU, len, full);
            let rest = self.int32(IntOp::Sub, full, len_or_all);
            let up = self.int(IntOp::Shl, width, down, rest);
            let field = self.int(shift, width, up, rest);
            let zero = self.c32(0);
            let empty = self.cmp(CmpOp::Eq, Width::W32, len, zero);
            let none = self.constant(width, 0);
            return Ok(self.choose(empty, none, field));
        }
        let down = self.int(shift, width, a, pos);
        let down = self.if_below(pos, bits, down, 0, width);
        let mask = self.low_mask(len, width);
        Ok(self.int(IntOp::And, width, down, mask))
    }

    /// `len` ones from bit 0; all ones from the width on.
    fn low_mask(&mut self, len: Value, width: Width) -> Value {
        let one = self.constant(width, 1);
        let top = self.int(IntOp::Shl, width, one, len);
        let ones = self.constant(width, u64::MAX);
        let mask = self.int(IntOp::Add, width, top, ones);
        self.if_below(len, width.bits(), mask, u64::MAX, width)
    }

    fn bfi(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if !matches!(ty, ScalarType::B32 | ScalarType::B64) {
            return Err(Fault::Form);
        }
        let width = width(ty)?;
        let bits = width.bits();
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let pos = self.field_number(operand(inst, 3)?)?;
        let len = self.field_number(operand(inst, 4)?)?;
        let (mask, placed) = if let (Ok(pos), Ok(len)) = (pos, len) {
            if pos >= bits || len == 0 {
                return Ok(b);
            }
            let low = if len >= 64 { u64::MAX } else { (1 << len) - 1 };
            let mask = self.constant(width, low << pos);
            let pos = self.c32(pos);
            (mask, self.int(IntOp::Shl, width, a, pos))
        } else {
            let (pos, len) = (self.number(pos), self.number(len));
            let low = self.low_mask(len, width);
            let mask = self.int(IntOp::Shl, width, low, pos);
            let mask = self.if_below(pos, bits, mask, 0, width);
            (mask, self.int(IntOp::Shl, width, a, pos))
        };
        if width == Width::W32 {
            return Ok(self.emit(Op::BitSelect, [mask, placed, b]));
        }
        let mut halves = [b; 2];
        for (half, op) in halves.iter_mut().zip([Op::Lo, Op::Hi]) {
            let args = [mask, placed, b].map(|value| self.emit(op, [value]));
            *half = self.emit(Op::BitSelect, args);
        }
        Ok(self.emit(Op::Pack64, halves))
    }

    fn count(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let amount = inst.opcode == word::BFIND && mods.flag(word::SHIFTAMT);
        let ty = mods.ty()?;
        mods.done()?;
        let ok = match inst.opcode {
            word::BFIND => matches!(ty, ScalarType::U32 | ScalarType::S32 | ScalarType::U64 | ScalarType::S64),
            _ => matches!(ty, ScalarType::B32 | ScalarType::B64),
        };
        if !ok {
            return Err(Fault::Form);
        }
        let width = width(ty)?;
        let a = self.src(operand(inst, 1)?, ty)?;
        Ok(match inst.opcode {
            word::BREV => self.unary(UnaryOp::Brev, width, a),
            word::POPC => self.unary(UnaryOp::Popc, width, a),
            word::CLZ => {
                let first = self.unary(UnaryOp::Ffbh, width, a);
                self.int32c(IntOp::MinU, first, width.bits())
            }
            _ => {
                // The first bit that differs from the sign.
                let a = if ty.is_signed() {
                    let last = self.c32(width.bits() - 1);
                    let sign = self.int(IntOp::ShrS, width, a, last);
                    self.int(IntOp::Xor, width, a, sign)
                } else {
                    a
                };
                let first = self.unary(UnaryOp::Ffbh, width, a);
                if amount {
                    return Ok(first);
                }
                let last = self.c32(width.bits() - 1);
                let position = self.int32(IntOp::Sub, last, first);
                let zero = self.constant(width, 0);
                let none = self.cmp(CmpOp::Eq, width, a, zero);
                // Without a one the count is -1 already.
                self.choose(none, first, position)
            }
        })
    }

    /// Whether a `.clamp` or `.wrap` form clamps.
    fn clamps(mods: &mut Mods<'_>) -> Res<bool> {
        match mods.one_of(&[word::CLAMP, word::WRAP]) {
            Some(word::CLAMP) => Ok(true),
            Some(_) => Ok(false),
            None => Err(Fault::Form),
        }
    }

    fn bmsk(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let clamp = Self::clamps(&mut mods)?;
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::B32 {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let (start, len) = (self.int32c(IntOp::And, a, 31), self.int32c(IntOp::And, b, 31));
        let ones = self.c32(u32::MAX);
        let mut from = self.int32(IntOp::Shl, ones, start);
        let end = self.int32(IntOp::Add, start, len);
        let behind = self.int32(IntOp::Shl, ones, end);
        let mut behind = self.if_below(end, 32, behind, 0, Width::W32);
        if clamp {
            behind = self.if_below(b, 32, behind, 0, Width::W32);
            from = self.if_below(a, 32, from, 0, Width::W32);
        }
        let before = self.unary(UnaryOp::Not, Width::W32, behind);
        Ok(self.int32(IntOp::And, from, before))
    }

    fn szext(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let clamp = Self::clamps(&mut mods)?;
        let ty = mods.ty()?;
        mods.done()?;
        if !matches!(ty, ScalarType::U32 | ScalarType::S32) {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ScalarType::U32)?);
        let len = self.int32c(IntOp::And, b, 31);
        let zero = self.c32(0);
        // Up to the top and down again by 32 - len, which is 0 only modulo 32, where the result is 0 anyway.
        let rest = self.int32(IntOp::Sub, zero, len);
        let up = self.int32(IntOp::Shl, a, rest);
        let down = self.int32(if ty.is_signed() { IntOp::ShrS } else { IntOp::ShrU }, up, rest);
        let empty = self.cmp(CmpOp::Eq, Width::W32, len, zero);
        let value = self.choose(empty, zero, down);
        if !clamp {
            return Ok(value);
        }
        let limit = self.c32(32);
        let below = self.cmp(CmpOp::LtU, Width::W32, b, limit);
        Ok(self.choose(below, value, a))
    }

    /// The `|offset|`th one of the mask from the bit `base` on, upwards or downwards; with offset 0 the bit itself.
    fn fns(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::B32 {
            return Err(Fault::Form);
        }
        let mask = self.src(operand(inst, 1)?, ty)?;
        let base = self.src(operand(inst, 2)?, ty)?;
        let offset = self.src(operand(inst, 3)?, ty)?;
        let (zero, one, ones) = (self.c32(0), self.c32(1), self.c32(u32::MAX));

        // Downwards is upwards in the reversed mask.
        let down = self.cmp(CmpOp::LtS, Width::W32, offset, zero);
        let reversed = self.unary(UnaryOp::Brev, Width::W32, mask);
        let mask = self.choose(down, reversed, mask);
        let mirrored = self.int32c(IntOp::Xor, base, 31);
        let start = self.choose(down, mirrored, base);
        let from = self.int32(IntOp::Shl, ones, start);
        let only = self.int32(IntOp::Shl, one, start);
        let still = self.cmp(CmpOp::Eq, Width::W32, offset, zero);
        let window = self.choose(still, only, from);
        let rest = self.int32(IntOp::And, mask, window);
        let rest = self.if_below(base, 32, rest, 0, Width::W32);
        let negated = self.unary(UnaryOp::Neg, Width::W32, offset);
        let distance = self.choose(down, negated, offset);
        let count = self.int32(IntOp::MaxU, distance, one);

        // Halving: skip the lower half of what is left while it holds fewer ones than wanted.
        let mut wanted = count;
        let mut position = zero;
        for half in [16u32, 8, 4, 2, 1] {
            let there = self.int32(IntOp::ShrU, rest, position);
            let lower = self.int32c(IntOp::And, there, (1 << half) - 1);
            let ones = self.unary(UnaryOp::Popc, Width::W32, lower);
            let skip = self.cmp(CmpOp::GtU, Width::W32, wanted, ones);
            let fewer = self.int32(IntOp::Sub, wanted, ones);
            wanted = self.choose(skip, fewer, wanted);
            let higher = self.int32c(IntOp::Add, position, half);
            position = self.choose(skip, higher, position);
        }
        let mirrored = self.int32c(IntOp::Xor, position, 31);
        let position = self.choose(down, mirrored, position);
        let all = self.unary(UnaryOp::Popc, Width::W32, rest);
        let missing = self.cmp(CmpOp::GtU, Width::W32, count, all);
        Ok(self.choose(missing, ones, position))
    }

    fn prmt(&mut self, inst: &Inst<'m>) -> Res<Value> {
        let mut mods = Mods::new(inst);
        let mode = match mods.one_of(&[word::F4E, word::B4E, word::RC8, word::ECL, word::ECR, word::RC16]) {
            None => PrmtMode::Generic,
            Some(word::F4E) => PrmtMode::F4e,
            Some(word::B4E) => PrmtMode::B4e,
            Some(word::RC8) => PrmtMode::Rc8,
            Some(word::ECL) => PrmtMode::Ecl,
            Some(word::ECR) => PrmtMode::Ecr,
            Some(_) => PrmtMode::Rc16,
        };
        let ty = mods.ty()?;
        mods.done()?;
        if ty != ScalarType::B32 {
            return Err(Fault::Form);
        }
        let (a, b) = (self.src(operand(inst, 1)?, ty)?, self.src(operand(inst, 2)?, ty)?);
        let selector = operand(inst, 3)?;
        if let Some(selector) = literal(selector) {
            return Ok(self.emit(Op::BytePerm(ByteSel::prmt(mode, selector as u32)), [a, b]));
        }
        let selector = self.src(selector, ty)?;
        Ok(self.emit(Op::PrmtDynamic(mode), [a, b, selector]))
    }
}
