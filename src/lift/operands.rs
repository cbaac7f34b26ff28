//! Modifiers, sources and destinations of instructions.
//!
//! PTX ISA, "Operand Size Exceeding Instruction-Type Size": only `ld`, `st` and `cvt` may name registers wider than
//! their type; sources are cut, destinations extended by the type's signedness.

use super::body::{Body, register_type};
use super::declare::Resolved;
use super::names::Binding;
use crate::diag::{Diag, Span, codes};
use crate::ir::byteperm::ByteSel;
use crate::ir::ssa::Var;
use crate::ir::{IntOp, Op, Space, Special, Type, UnaryOp, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, Literal, Operand, OperandKind, ScalarType};
use crate::ptx::word;

/// Why an instruction was not lifted.
pub enum Fault {
    /// The form as a whole.
    Form,
    /// The form, in a respect that its modifiers do not show: "with a byte count".
    Detail(&'static str),
    Diag(Box<Diag>),
}

impl Fault {
    pub fn operand(span: Span, message: impl Into<String>) -> Fault {
        Fault::Diag(Box::new(Diag::error(codes::OPERAND, span, message)))
    }
}

impl From<Box<Diag>> for Fault {
    fn from(diag: Box<Diag>) -> Fault {
        Fault::Diag(diag)
    }
}

pub type Res<T> = Result<T, Fault>;

/// The modifiers of an instruction, taken one by one; what nobody takes makes the form unknown.
pub struct Mods<'i> {
    inst: &'i Inst<'i>,
    /// Bit `n`: the `n`th modifier is taken.
    taken: u64,
}

impl<'i> Mods<'i> {
    pub fn new(inst: &'i Inst<'_>) -> Mods<'i> {
        Mods { inst, taken: 0 }
    }

    fn take(&mut self, accept: impl Fn(Name) -> bool) -> Option<Name> {
        let free = |n: usize| n < 64 && self.taken & 1 << n == 0;
        let n = (0..self.inst.modifiers.len()).find(|&n| free(n) && accept(self.inst.modifiers[n]))?;
        self.taken |= 1 << n;
        Some(self.inst.modifiers[n])
    }

    pub fn flag(&mut self, word: Name) -> bool {
        self.take(|w| w == word).is_some()
    }

    pub fn one_of(&mut self, words: &[Name]) -> Option<Name> {
        self.take(|w| words.contains(&w))
    }

    /// The next type.
    pub fn ty(&mut self) -> Res<ScalarType> {
        let word = self.take(|w| word::scalar_type(w).is_some()).ok_or(Fault::Form)?;
        word::scalar_type(word).ok_or(Fault::Form)
    }

    pub fn done(&self) -> Res<()> {
        let count = self.inst.modifiers.len();
        if count < 64 && self.taken == (1 << count) - 1 { Ok(()) } else { Err(Fault::Form) }
    }
}

/// The `n`th operand.
pub fn operand<'m>(inst: &Inst<'m>, n: usize) -> Res<&'m Operand> {
    inst.operands.get(n).ok_or_else(|| Fault::operand(inst.span, "an operand is missing"))
}

/// The number of an integer literal.
pub fn literal(operand: &Operand) -> Option<u64> {
    match operand.kind {
        OperandKind::Literal(Literal::Int { value, .. }) => Some(value),
        _ => None,
    }
}

/// 32 or 64 bits of an integer type; 8 and 16 bits are computed in 32.
pub fn width(ty: ScalarType) -> Res<Width> {
    match ty.size_bytes() {
        Some(1 | 2 | 4) => Ok(Width::W32),
        Some(8) => Ok(Width::W64),
        _ => Err(Fault::Form),
    }
}

pub fn is_integer(ty: ScalarType) -> bool {
    use ScalarType::*;
    matches!(ty, U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64)
}

pub fn is_bits(ty: ScalarType) -> bool {
    use ScalarType::*;
    matches!(ty, B8 | B16 | B32 | B64)
}

impl<'m> Body<'m, '_> {
    /// The register that a name stands for.
    pub fn register(&mut self, name: Name, span: Span) -> Res<(Var, ScalarType)> {
        match self.resolve(name, span)? {
            Resolved::Local(Binding::Register { var, ty, elements: 1 }) => Ok((var, ty)),
            _ => Err(Fault::operand(span, format!("`{}` is no register", self.scope.text(name)))),
        }
    }

    fn component(&mut self, name: Name, index: u8, span: Span) -> Res<(Var, ScalarType)> {
        match self.resolve(name, span)? {
            Resolved::Local(Binding::Register { var, ty, elements }) if index < elements && elements > 1 => {
                Ok((Var::from_u32(var.as_u32() + u32::from(index)), ty))
            }
            _ => Err(Fault::operand(span, format!("`{}` has no such component", self.scope.text(name)))),
        }
    }

    /// A source operand as the type says: a predicate, a dword or a pair. Bits above 8- and 16-bit types are unspecified.
    pub fn src(&mut self, operand: &Operand, ty: ScalarType) -> Res<Value> {
        let Some(wanted) = register_type(ty) else { return Err(Fault::Form) };
        let value = match operand.kind {
            OperandKind::Name(name) if word::is_special_register(name) => self.special(name, operand.span)?,
            OperandKind::Name(name) => match self.resolve(name, operand.span)? {
                Resolved::Local(Binding::Register { var, elements: 1, .. }) => self.ssa.read(var),
                _ => self.address_value(name, 0, operand.span)?.1,
            },
            OperandKind::NameOffset(name, offset) => self.address_value(name, offset.bytes(), operand.span)?.1,
            OperandKind::Component(name, index) => {
                let (var, _) = self.component(name, index, operand.span)?;
                self.ssa.read(var)
            }
            OperandKind::Not(name) => {
                let (var, _) = self.register(name, operand.span)?;
                let value = self.ssa.read(var);
                if self.ssa.func.ty(value) != Type::Pred {
                    return Err(Fault::operand(operand.span, "only a predicate can be negated"));
                }
                self.emit(Op::PredNot, [value])
            }
            OperandKind::Literal(literal) => return self.literal(literal, ty, operand.span),
            _ => return Err(Fault::operand(operand.span, "a register or a constant is expected here")),
        };
        match (wanted, self.ssa.func.ty(value)) {
            (a, b) if a == b => Ok(value),
            (Type::B32, Type::B64) => Ok(self.emit(Op::Lo, [value])),
            _ => Err(Fault::operand(operand.span, "the operand's size does not fit the instruction's type")),
        }
    }

    fn literal(&mut self, literal: Literal, ty: ScalarType, span: Span) -> Res<Value> {
        let bits = match (literal, ty) {
            (Literal::Int { value, .. }, ScalarType::Pred) => {
                return Ok(self.emit(Op::ConstPred(value != 0), []));
            }
            (Literal::Int { value, .. }, _) if !ty.is_float() => value,
            (Literal::Int { value, .. }, ScalarType::F32) => u64::from((value as i64 as f32).to_bits()),
            (Literal::F32(bits), ScalarType::F32 | ScalarType::B32) => u64::from(bits),
            (Literal::F32(bits), ScalarType::F64) => f64::from(f32::from_bits(bits)).to_bits(),
            (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F64 | ScalarType::B64) => bits,
            (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F32) => {
                u64::from((f64::from_bits(bits) as f32).to_bits())
            }
            _ => return Err(Fault::operand(span, "the constant does not fit the instruction's type")),
        };
        match ty.size_bytes() {
            Some(1) => Ok(self.c32(bits as u8 as u32)),
            Some(2) => Ok(self.c32(bits as u16 as u32)),
            Some(4) => Ok(self.c32(bits as u32)),
            Some(8) => Ok(self.c64(bits)),
            _ => Err(Fault::Form),
        }
    }

    /// An integer source in a full dword (or pair): 8- and 16-bit types are extended by their signedness.
    pub fn src_ext(&mut self, operand: &Operand, ty: ScalarType) -> Res<Value> {
        let value = self.src(operand, ty)?;
        Ok(self.extend(value, ty))
    }

    /// Fills the bits above an 8- or 16-bit type.
    pub fn extend(&mut self, value: Value, ty: ScalarType) -> Value {
        let bytes = match ty.size_bytes() {
            Some(bytes @ (1 | 2)) if self.ssa.func.ty(value) == Type::B32 => bytes as u8,
            _ => return value,
        };
        if let Some((data, _)) = self.ssa.func.def(value)
            && let Op::Const32(bits) = data.op
        {
            let shift = 32 - 8 * u32::from(bytes);
            let bits = bits << shift;
            return self.c32(if ty.is_signed() { (bits as i32 >> shift) as u32 } else { bits >> shift });
        }
        let fill = if ty.is_signed() { ByteSel::Sign(0, bytes - 1) } else { ByteSel::Zero };
        let mut sels = ByteSel::IDENTITY;
        sels[bytes as usize..].fill(fill);
        self.emit(Op::BytePerm(sels), [value])
    }

    /// A dword that is extended already, as a pair.
    pub fn widen(&mut self, value: Value, signed: bool) -> Value {
        let high = if signed {
            let amount = self.c32(31);
            self.int(IntOp::ShrS, Width::W32, value, amount)
        } else {
            self.c32(0)
        };
        self.emit(Op::Pack64, [value, high])
    }

    /// The register of a destination; none for `_`.
    fn destination(&mut self, operand: &Operand) -> Res<Option<(Var, ScalarType)>> {
        match operand.kind {
            OperandKind::Name(name) if word::is_special_register(name) => {
                Err(Fault::operand(operand.span, "a special register cannot be written"))
            }
            OperandKind::Name(name) => self.register(name, operand.span).map(Some),
            OperandKind::Component(name, index) => self.component(name, index, operand.span).map(Some),
            OperandKind::Sink => Ok(None),
            _ => Err(Fault::operand(operand.span, "a register is expected here")),
        }
    }

    /// Writes a result of the instruction's type.
    pub fn dst(&mut self, operand: &Operand, value: Value) -> Res<()> {
        let Some((var, ty)) = self.destination(operand)? else { return Ok(()) };
        if register_type(ty) != Some(self.ssa.func.ty(value)) {
            return Err(Fault::operand(operand.span, "the destination's size does not fit the instruction's type"));
        }
        self.write(var, value);
        Ok(())
    }

    /// Writes a result of type `ty`, extended if the register is wider. `extended`: a dword value is so already.
    pub fn dst_wide(&mut self, operand: &Operand, value: Value, ty: ScalarType, extended: bool) -> Res<()> {
        let Some((var, register)) = self.destination(operand)? else { return Ok(()) };
        let (Some(have), Some(want)) = (ty.size_bytes(), register.size_bytes()) else {
            return self.dst(operand, value);
        };
        let mut value = value;
        if want > have {
            if !extended {
                value = self.extend(value, ty);
            }
            if want == 8 && have < 8 {
                value = self.widen(value, ty.is_signed());
            }
        }
        if want < have || register_type(register) != Some(self.ssa.func.ty(value)) {
            return Err(Fault::operand(operand.span, "the destination's size does not fit the instruction's type"));
        }
        self.write(var, value);
        Ok(())
    }

    /// Writes a variable, under the guard if there is one.
    pub fn write(&mut self, var: Var, value: Value) {
        let value = match self.select {
            Some(condition) => {
                let old = self.ssa.read(var);
                let ty = self.ssa.func.ty(value);
                self.emit(Op::Select(ty), [condition, value, old])
            }
            None => value,
        };
        self.ssa.write(var, value);
    }

    /// Whether a name stands for a register of this function.
    pub fn is_register(&mut self, name: Name) -> bool {
        !word::is_special_register(name) && matches!(self.scopes.lookup(name), Some(Binding::Register { .. }))
    }

    /// The address of a variable plus bytes, in its own state space.
    pub fn address_value(&mut self, name: Name, offset: i64, span: Span) -> Res<(Space, Value)> {
        let (space, base) = match self.resolve(name, span)? {
            Resolved::Local(Binding::Shared(base)) => {
                let address = self.c32(base.wrapping_add(offset as u32));
                return Ok((Space::Shared, self.widen(address, false)));
            }
            Resolved::Local(Binding::Local(base)) => {
                let address = self.c32(base.wrapping_add(offset as u32));
                return Ok((Space::Local, self.widen(address, false)));
            }
            Resolved::Local(Binding::DynamicShared) => {
                let base = self.dynamic_base();
                (Space::Shared, self.widen(base, false))
            }
            Resolved::Local(Binding::KernelParam { offset: param, .. }) => {
                let base = self.emit(Op::ParamBase, []);
                let offset = self.c64((i64::from(param) + offset) as u64);
                return Ok((Space::Param, self.int(IntOp::Add, Width::W64, base, offset)));
            }
            Resolved::Global(global) => return Ok((Space::Global, self.emit(Op::GlobalAddr(global, offset), []))),
            Resolved::Local(Binding::CallParam { .. }) => {
                let message = "the address of a function's parameter has no exact translation yet";
                let diag = Diag::unsupported(codes::UNSUPPORTED_INST, span, message);
                return Err(Fault::Diag(Box::new(diag)));
            }
            Resolved::Function(_) => {
                let message = "the address of a function has no exact translation yet";
                let diag = Diag::unsupported(codes::UNSUPPORTED_CALL, span, message);
                return Err(Fault::Diag(Box::new(diag)));
            }
            Resolved::Local(_) => {
                let message = format!("`{}` is no variable", self.scope.text(name));
                return Err(Fault::operand(span, message));
            }
        };
        if offset == 0 {
            return Ok((space, base));
        }
        let offset = self.c64(offset as u64);
        Ok((space, self.int(IntOp::Add, Width::W64, base, offset)))
    }

    /// The value of a special register: a dword, or a pair for 64-bit ones.
    fn special(&mut self, name: Name, span: Span) -> Res<Value> {
        let special = match name {
            word::TID_X => Special::TidX,
            word::TID_Y => Special::TidY,
            word::TID_Z => Special::TidZ,
            word::NTID_X => Special::NtidX,
            word::NTID_Y => Special::NtidY,
            word::NTID_Z => Special::NtidZ,
            word::CTAID_X => Special::CtaidX,
            word::CTAID_Y => Special::CtaidY,
            word::CTAID_Z => Special::CtaidZ,
            word::NCTAID_X => Special::NctaidX,
            word::NCTAID_Y => Special::NctaidY,
            word::NCTAID_Z => Special::NctaidZ,
            word::LANEID => Special::LaneId,
            word::WARPID => Special::WarpId,
            word::LANEMASK_EQ => Special::LanemaskEq,
            word::LANEMASK_LE => Special::LanemaskLe,
            word::LANEMASK_LT => Special::LanemaskLt,
            word::LANEMASK_GE => Special::LanemaskGe,
            word::LANEMASK_GT => Special::LanemaskGt,
            word::DYNAMIC_SMEM_SIZE => Special::DynamicSharedBytes,
            // The most warps that a CTA can have, and so more than any `%warpid`.
            word::NWARPID => return Ok(self.c32(32)),
            // "The fourth element is unused and always returns zero."
            word::TID_W | word::NTID_W | word::CTAID_W | word::NCTAID_W => return Ok(self.c32(0)),
            _ => {
                let message = format!("the special register `{}` has no exact translation yet", self.scope.text(name));
                let diag = Diag::unsupported(codes::UNSUPPORTED_INST, span, message);
                return Err(Fault::Diag(Box::new(diag)));
            }
        };
        Ok(self.emit(Op::Special(special), []))
    }

    pub fn int(&mut self, op: IntOp, width: Width, a: Value, b: Value) -> Value {
        self.emit(Op::Int(op, width), [a, b])
    }

    pub fn int32(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        self.int(op, Width::W32, a, b)
    }

    /// With a constant second argument.
    pub fn int32c(&mut self, op: IntOp, a: Value, b: u32) -> Value {
        let b = self.c32(b);
        self.int(op, Width::W32, a, b)
    }

    pub fn unary(&mut self, op: UnaryOp, width: Width, a: Value) -> Value {
        self.emit(Op::Unary(op, width), [a])
    }

    pub fn cmp(&mut self, op: crate::ir::CmpOp, width: Width, a: Value, b: Value) -> Value {
        self.emit(Op::Cmp(op, width), [a, b])
    }

    pub fn choose(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        let ty = self.ssa.func.ty(yes);
        self.emit(Op::Select(ty), [condition, yes, no])
    }
}
