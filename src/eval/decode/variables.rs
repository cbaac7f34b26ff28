//! Declarations: registers, frame memory, shared memory, module variables with their initialisers.
//!
//! PTX ISA, "State Spaces", "Variables", "Initializers".

use super::super::code::{Passed, Pointer, Target, Variable};
use super::names::Binding;
use super::{Decoder, Fault, Res, Shared};
use crate::diag::{Diag, Span, codes};
use crate::ptx::names::Name;
use crate::ptx::tree::{self, Init, Linkage, Literal, ScalarType, Space};

/// Most bytes of one module variable, and of all.
const MAX_BYTES: u64 = 1 << 28;
/// Most bytes of shared memory, and of a function's local memory.
const MAX_WINDOW_BYTES: u64 = 1 << 20;

/// Where a variable goes behind others, and where it ends; nothing where that is too far.
fn place(end: u32, bytes: u64, align: u32) -> Option<(u32, u32)> {
    let offset = u64::from(end).next_multiple_of(align.into());
    let end = offset.checked_add(bytes).filter(|&end| end <= MAX_WINDOW_BYTES)?;
    Some((offset as u32, end as u32))
}

/// Bytes and alignment. An opaque type has the size of a pointer.
pub fn size_and_align(v: &tree::Variable) -> (u64, u32) {
    let element = u64::from(v.ty.size_bytes().unwrap_or(8)) * u64::from(v.vector);
    let outer = match &v.init {
        Some(Init::List(items, _)) => items.len() as u64,
        _ => 0,
    };
    let count = v
        .dims
        .iter()
        .enumerate()
        .fold(1u64, |count, (n, dim)| count.saturating_mul(dim.unwrap_or(if n == 0 { outer } else { 0 })));
    (element.saturating_mul(count), v.align_bytes.unwrap_or(element as u32).max(1))
}

impl<'m> Decoder<'m, '_> {
    pub fn declare(&mut self, v: &'m tree::Variable) {
        let (bytes, align) = size_and_align(v);
        let too_large =
            || Diag::error(codes::LIMIT, v.span, "the variables here have more bytes than can be interpreted");
        let binding = match v.space {
            Space::Reg => {
                let count = v.range.unwrap_or(0);
                let slots = u64::from(count.max(1)) * u64::from(v.vector);
                if self.function.template.len() as u64 + slots > 1 << 22 {
                    let message = "the function has more registers than can be interpreted";
                    return self.shared.diags.push(Diag::error(codes::LIMIT, v.span, message));
                }
                let first = self.slot();
                for _ in 1..slots {
                    self.slot();
                }
                self.function.is_register.resize(first as usize, false);
                self.function.is_register.resize(first as usize + slots as usize, true);
                Binding::Register { first, ty: v.ty, elements: v.vector, count }
            }
            Space::Local | Space::Param => {
                let Some((offset, end)) = place(self.function.local_bytes, bytes, align) else {
                    return self.shared.diags.push(too_large());
                };
                self.function.local_bytes = end;
                Binding::Local { offset, bytes: bytes as u32, param: v.space == Space::Param }
            }
            Space::Shared => match self.shared.shared_variable(v) {
                Some(binding) => binding,
                None => return self.shared.diags.push(too_large()),
            },
            Space::Global | Space::Const | Space::Sreg | Space::Tex => {
                let message = "a variable of this state space inside a function cannot be interpreted yet";
                return self.shared.diags.push(Diag::unsupported(codes::UNSUPPORTED_DECL, v.span, message));
            }
        };
        self.scopes.bind(v.name, binding);
    }

    /// Where a parameter or result of this function lies.
    pub fn passed(&self, name: Name) -> Option<Passed> {
        match self.scopes.find(name)? {
            Binding::Register { first, .. } => Some(Passed::Slot(first)),
            Binding::Local { offset, bytes, .. } => Some(Passed::Frame { offset, bytes }),
            _ => None,
        }
    }
}

impl<'m> Shared<'m> {
    /// Nothing when shared memory has no room for it.
    pub fn shared_variable(&mut self, v: &'m tree::Variable) -> Option<Binding> {
        let (bytes, align) = size_and_align(v);
        if v.linkage == Linkage::Extern {
            self.has_dynamic_shared = true;
            self.dynamic_align = self.dynamic_align.max(align.min(1 << 16));
            return Some(Binding::DynamicShared);
        }
        if let Some(&offset) = self.shared_at.get(&v.name_span.start) {
            return Some(Binding::Shared { offset });
        }
        let (offset, end) = place(self.shared_bytes, bytes, align)?;
        self.shared_bytes = end;
        self.shared_at.insert(v.name_span.start, offset);
        Some(Binding::Shared { offset })
    }

    /// The number of a `.global` or `.const` variable.
    pub fn global(&mut self, v: &'m tree::Variable) -> Res<u32> {
        if let Some(&number) = self.global_at.get(&v.name) {
            return Ok(number);
        }
        let name = self.text(v.name).to_string();
        let unsupported =
            |message: String| Fault::Diag(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, v.name_span, message)));
        if v.linkage == Linkage::Extern {
            return Err(unsupported(format!("`{name}` is declared `.extern`, and nothing here defines it")));
        }
        let (bytes, align) = size_and_align(v);
        let all: u64 = self.globals.iter().map(|v| v.bytes.len() as u64).sum();
        if v.ty.size_bytes().is_none() || bytes > MAX_BYTES || all + bytes > MAX_BYTES {
            return Err(unsupported(format!("`{name}` cannot be interpreted yet")));
        }
        let number = self.globals.len() as u32;
        self.global_at.insert(v.name, number);
        self.globals.push(Variable {
            name,
            bytes: vec![0; bytes as usize],
            align,
            writable: v.space == Space::Global,
            exported: matches!(v.linkage, Linkage::Visible | Linkage::Weak | Linkage::Common),
            pointers: vec![],
        });
        if let Some(init) = &v.init {
            let dims: Vec<u64> =
                v.dims.iter().map(|d| d.unwrap_or(0)).chain((v.vector > 1).then_some(v.vector.into())).collect();
            let mut found = vec![];
            self.initial(init, v.ty, &dims, 0, &mut found)?;
            let variable = &mut self.globals[number as usize];
            for (at, value) in found {
                let size = v.ty.size_bytes().unwrap_or(8) as usize;
                match value {
                    Value::Bits(bits) => {
                        if let Some(place) = variable.bytes.get_mut(at as usize..at as usize + size) {
                            place.copy_from_slice(&bits.to_le_bytes()[..size]);
                        }
                    }
                    Value::Pointer(pointer) => variable.pointers.push(Pointer { at: at as u32, ..pointer }),
                }
            }
        }
        Ok(number)
    }

    /// Elements of an initialiser with their places: a list fills one dimension, the rest of it stays zero.
    fn initial(
        &mut self,
        init: &'m Init,
        ty: ScalarType,
        dims: &[u64],
        at: u64,
        found: &mut Vec<(u64, Value)>,
    ) -> Res<()> {
        match init {
            Init::Literal(literal, span) => found.push((at, Value::Bits(literal_bits(*literal, ty, *span)?))),
            Init::Field { span, .. } => {
                return Err(Fault::at(*span, "an initialiser of a texture or sampler cannot be interpreted yet"));
            }
            Init::Address { name, offset, mask, span, .. } => {
                let target = match (self.variables.get(name), self.functions.get(name)) {
                    (Some(&variable), _) => Target::Variable(self.global(variable)?),
                    (None, Some(&function)) => Target::Function(self.reach(function)),
                    (None, None) => {
                        return Err(Fault::at(*span, "this address in an initialiser cannot be interpreted yet"));
                    }
                };
                found.push((at, Value::Pointer(Pointer { at: 0, target, addend: *offset, mask: *mask })));
            }
            Init::List(items, _) => {
                let size = u64::from(ty.size_bytes().unwrap_or(8));
                let inner = dims.get(1..).unwrap_or(&[]);
                let mut next = at;
                for item in items {
                    // A flat list runs over all inner dimensions.
                    let step = match item {
                        Init::List(..) => inner.iter().product::<u64>() * size,
                        _ => size,
                    };
                    self.initial(item, ty, inner, next, found)?;
                    next += step;
                }
            }
        }
        Ok(())
    }

    /// The host sees these, whether the kernel uses them or not; what cannot be laid out is left out.
    pub fn export_variables(&mut self) {
        let mut all: Vec<&'m tree::Variable> = self.variables.values().copied().collect();
        all.sort_by_key(|v| v.span);
        for v in all {
            let visible = matches!(v.linkage, Linkage::Visible | Linkage::Weak | Linkage::Common);
            if visible && matches!(v.space, Space::Global | Space::Const) {
                let before = self.globals.len();
                if self.global(v).is_err() {
                    self.globals.truncate(before);
                    self.global_at.retain(|_, number| (*number as usize) < before);
                }
            }
        }
    }
}

enum Value {
    Bits(u64),
    Pointer(Pointer),
}

/// The bits of a constant as an operand or element of a type.
pub fn literal_bits(literal: Literal, ty: ScalarType, span: Span) -> Res<u64> {
    let wrong = || Fault::at(span, "the constant does not fit the type");
    let single = |double: u64| u64::from((f64::from_bits(double) as f32).to_bits());
    let bits = match (literal, ty) {
        (Literal::Int { value, .. }, ScalarType::Pred) => return Ok(u64::from(value != 0)),
        (Literal::Int { value, .. }, ScalarType::F32) => u64::from((value as i64 as f32).to_bits()),
        (Literal::Int { value, .. }, ScalarType::F64) => (value as i64 as f64).to_bits(),
        (Literal::Int { value, .. }, _) => value,
        (Literal::F32(bits), ScalarType::F64) => f64::from(f32::from_bits(bits)).to_bits(),
        (Literal::F32(bits), _) => u64::from(bits),
        (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F32) => single(bits),
        (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F64 | ScalarType::B64) => bits,
        (Literal::F64(_) | Literal::Decimal(_), _) => return Err(wrong()),
    };
    match ty.size_bytes() {
        Some(8) => Ok(bits),
        Some(bytes @ 1..=4) => Ok(bits & ((1 << (8 * bytes)) - 1)),
        _ => Err(wrong()),
    }
}
