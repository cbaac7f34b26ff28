//! Operands: registers, constants, addresses, special registers.

use super::super::code::*;
use super::names::Binding;
use super::variables::literal_bits;
use super::{Decoder, Fault, Res};
use crate::diag::Span;
use crate::ptx::names::Name;
use crate::ptx::tree::{self, Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

/// The high dwords of generic addresses of shared and local memory.
pub const SHARED_HIGH: u64 = 0x0001_0000;
pub const LOCAL_HIGH: u64 = 0x0002_0000;

impl<'m> Decoder<'m, '_> {
    pub fn operand<'o>(&self, inst: &Inst<'o>, n: usize) -> Res<&'o Operand> {
        inst.operands.get(n).ok_or_else(|| Fault::at(inst.span, "an operand is missing"))
    }

    /// What a name of the function stands for; of a range, the register with the number.
    pub fn binding(&self, name: Name) -> Option<Binding> {
        match self.scopes.find(name) {
            Some(Binding::Register { count, .. }) if count > 0 => None,
            Some(binding) => Some(binding),
            None => {
                let text = self.shared.text(name);
                let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
                let (base, number) = text.split_at(text.len() - digits);
                // `%r01` is not `%r1`.
                let number: u32 = number.parse().ok().filter(|n: &u32| n.to_string() == number)?;
                let base = self.shared.module.names.lookup(base)?;
                match self.scopes.find(base)? {
                    Binding::Register { first, ty, elements, count } if number < count => {
                        Some(Binding::Register { first: first + number * u32::from(elements), ty, elements, count: 0 })
                    }
                    _ => None,
                }
            }
        }
    }

    pub fn register(&self, name: Name, span: Span) -> Res<(Slot, ScalarType)> {
        match self.binding(name) {
            Some(Binding::Register { first, ty, elements: 1, .. }) => Ok((first, ty)),
            _ => Err(Fault::at(span, format!("`{}` is no register", self.shared.text(name)))),
        }
    }

    /// The slot of a source of this type.
    pub fn src(&mut self, operand: &Operand, ty: ScalarType) -> Res<Slot> {
        let span = operand.span;
        match operand.kind {
            OperandKind::Name(name) if word::is_special_register(name) => {
                let d = self.slot();
                let which = special(name).ok_or_else(|| {
                    Fault::at(span, format!("`{}` cannot be interpreted yet", self.shared.text(name)))
                })?;
                self.push(Kind::Special { d, which });
                Ok(d)
            }
            OperandKind::Name(name) => match self.binding(name) {
                Some(Binding::Register { first, elements: 1, .. }) => Ok(first),
                _ => self.address_of(name, 0, false, span),
            },
            OperandKind::NameOffset(name, offset) => self.address_of(name, offset.bytes(), false, span),
            OperandKind::Component(name, index) => match self.binding(name) {
                Some(Binding::Register { first, elements, .. }) if index < elements => Ok(first + u32::from(index)),
                _ => Err(Fault::at(span, "there is no such component")),
            },
            OperandKind::Not(name) => {
                let (slot, _) = self.register(name, span)?;
                let d = self.slot();
                self.push(Kind::Compute { f: |a, _, _, _| a ^ 1, d, s: [slot, ZERO, ZERO, ZERO] });
                Ok(d)
            }
            OperandKind::Literal(literal) => {
                let bits = literal_bits(literal, ty, span)?;
                Ok(self.constant(bits))
            }
            OperandKind::Sink => Ok(SINK),
            _ => Err(Fault::at(span, "this operand cannot be interpreted yet")),
        }
    }

    /// The number of an integer literal.
    pub fn literal(&self, operand: &Operand) -> Option<u64> {
        match operand.kind {
            OperandKind::Literal(tree::Literal::Int { value, .. }) => Some(value),
            _ => None,
        }
    }

    /// The slot and type of a destination; a sink has none.
    pub fn dst(&mut self, operand: &Operand) -> Res<(Slot, Option<ScalarType>)> {
        match operand.kind {
            OperandKind::Name(name) => self.register(name, operand.span).map(|(slot, ty)| (slot, Some(ty))),
            OperandKind::Component(name, _) => {
                let slot = self.src(operand, ScalarType::B32)?;
                let ty = match self.binding(name) {
                    Some(Binding::Register { ty, .. }) => Some(ty),
                    _ => None,
                };
                Ok((slot, ty))
            }
            OperandKind::Sink => Ok((SINK, None)),
            _ => Err(Fault::at(operand.span, "a register is expected here")),
        }
    }

    /// The address of a variable plus bytes: in its own window, or generic.
    pub fn address_of(&mut self, name: Name, offset: i64, generic: bool, span: Span) -> Res<Slot> {
        let (space, slot) = self.variable(name, offset, span)?;
        let high = match space {
            _ if !generic => return Ok(slot),
            Space::Shared => SHARED_HIGH << 32,
            Space::Local => LOCAL_HIGH << 32,
            _ => return Ok(slot),
        };
        let (d, high) = (self.slot(), self.constant(high));
        self.push(Kind::Compute { f: |a, b, _, _| a | b, d, s: [slot, high, ZERO, ZERO] });
        Ok(d)
    }

    /// The space of a variable and a slot with its address there.
    pub fn variable(&mut self, name: Name, offset: i64, span: Span) -> Res<(Space, Slot)> {
        let mut binding = self.binding(name);
        if binding.is_none()
            && let Some(&v) = self.shared.variables.get(&name)
        {
            match v.space {
                tree::Space::Global | tree::Space::Const => {
                    let number = self.shared.global(v)?;
                    let slot = self.relocated(offset as u64, Some(Reloc::Variable(number)));
                    return Ok((Space::Global, slot));
                }
                tree::Space::Shared => binding = self.shared.shared_variable(v),
                _ => {}
            }
        }
        Ok(match binding {
            Some(Binding::Shared { offset: at }) => {
                (Space::Shared, self.constant(u64::from(at).wrapping_add(offset as u64) & 0xffff_ffff))
            }
            Some(Binding::DynamicShared) => (Space::Shared, self.relocated(offset as u64, Some(Reloc::DynamicShared))),
            Some(Binding::Local { offset: at, .. }) => {
                let (d, by) = (self.slot(), self.constant(u64::from(at).wrapping_add(offset as u64)));
                let f = |a: u64, b: u64, _, _| a.wrapping_add(b) & 0xffff_ffff;
                self.push(Kind::Compute { f, d, s: [LOCAL_BASE, by, ZERO, ZERO] });
                (Space::Local, d)
            }
            Some(Binding::KernelParam { offset: at }) => {
                let value = u64::from(at).wrapping_add(offset as u64);
                (Space::Const, self.relocated(value, Some(Reloc::Params)))
            }
            _ => match self.shared.functions.get(&name) {
                Some(&function) => {
                    let number = self.shared.reach(function);
                    (Space::Global, self.relocated(offset as u64, Some(Reloc::Function(number))))
                }
                None => return Err(Fault::at(span, format!("`{}` has no address", self.shared.text(name)))),
            },
        })
    }
}

/// A special register, or a component of one.
fn special(name: Name) -> Option<Special> {
    for (vector, make) in [
        (word::TID, Special::Tid as fn(u8) -> Special),
        (word::NTID, Special::Ntid),
        (word::CTAID, Special::Ctaid),
        (word::NCTAID, Special::Nctaid),
    ] {
        if let Some(n) = (0..4).find(|&n| word::component(vector, n) == Some(name)) {
            // "The fourth element is unused and always returns zero."
            return Some(if n == 3 { Special::Fixed(0) } else { make(n) });
        }
    }
    Some(match name {
        word::LANEID => Special::LaneId,
        word::WARPID => Special::WarpId,
        word::NWARPID => Special::NWarpId,
        word::LANEMASK_EQ => Special::MaskEq,
        word::LANEMASK_LE => Special::MaskLe,
        word::LANEMASK_LT => Special::MaskLt,
        word::LANEMASK_GE => Special::MaskGe,
        word::LANEMASK_GT => Special::MaskGt,
        word::DYNAMIC_SMEM_SIZE => Special::DynamicSharedBytes,
        word::TOTAL_SMEM_SIZE => Special::TotalSharedBytes,
        word::CLOCK | word::GLOBALTIMER_LO => Special::Clock(0),
        word::CLOCK_HI | word::GLOBALTIMER_HI => Special::Clock(1),
        word::CLOCK64 | word::GLOBALTIMER => Special::Clock(2),
        word::SMID | word::GRIDID | word::IS_EXPLICIT_CLUSTER | word::CLUSTER_CTARANK => Special::Fixed(0),
        word::NSMID | word::CLUSTER_NCTARANK => Special::Fixed(1),
        _ => return None,
    })
}
