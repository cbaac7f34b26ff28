//! Declarations inside functions, the layout of `.shared` and `.local` memory, and what names stand for.
//!
//! PTX ISA, "State Spaces", "Kernel Function Parameters", "Shared State Space", "Local State Space".

use super::body::{Body, register_type, type_word};
use super::module::{ModuleName, size_and_align};
use super::names::Binding;
use super::operands::{Fault, Res};
use crate::diag::{Diag, Span, codes};
use crate::ir::{self, Inst, Type, Value};
use crate::ptx::names::Name;
use crate::ptx::tree::{Function, Linkage, Space, Variable};
use std::collections::BTreeMap;

/// Variables of one kernel after inlining.
pub const MAX_VARS: usize = 16 << 20;
/// Bytes of one `.param` variable of a call: each dword is a variable of ours.
const MAX_CALL_PARAM_BYTES: u64 = 1 << 16;

/// `.shared` and `.local` variables at their offsets, by the place of their declaration.
#[derive(Default)]
pub struct Layout {
    pub shared: BTreeMap<u32, u32>,
    pub shared_bytes: u64,
    pub local: BTreeMap<u32, u32>,
    pub local_bytes: u64,
    pub dynamic_align: u32,
    /// Constants that hold the offset of the dynamic array, before it is known.
    pub dynamic_uses: Vec<Inst>,
}

/// What a name outside the special registers stands for.
pub enum Resolved<'m> {
    Local(Binding),
    Global(ir::Global),
    Function(&'m Function),
}

impl<'m> Body<'m, '_> {
    /// Declares a variable of the scope.
    pub fn declare(&mut self, variable: &'m Variable) -> Result<(), Box<Diag>> {
        let binding = match variable.space {
            Space::Reg => {
                let Some(ty) = register_type(variable.ty) else {
                    let message =
                        format!("registers of type `.{}` have no exact translation yet", type_word(variable.ty));
                    return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message)));
                };
                let count = variable.range.unwrap_or(1);
                let total = u64::from(count) * u64::from(variable.vector);
                if self.ssa.var_count() as u64 + total > MAX_VARS as u64 {
                    let message = "the kernel has too many registers";
                    return Err(Box::new(Diag::error(codes::LIMIT, variable.span, message)));
                }
                let first = self.ssa.add_vars(ty, total as usize);
                if variable.range.is_some() {
                    self.scopes.bind_range(variable.name, count, first, variable.ty, variable.vector);
                    return Ok(());
                }
                Binding::Register { var: first, ty: variable.ty, elements: variable.vector }
            }
            Space::Param => {
                let (bytes, _) = size_and_align(variable, &self.scope)?;
                if bytes > MAX_CALL_PARAM_BYTES {
                    let message = format!("a `.param` variable of a call has at most {MAX_CALL_PARAM_BYTES} bytes");
                    return Err(Box::new(Diag::error(codes::LIMIT, variable.span, message)));
                }
                let var = self.ssa.add_vars(Type::B32, bytes.div_ceil(4) as usize);
                Binding::CallParam { var, bytes: bytes as u32 }
            }
            Space::Shared => self.shared(variable)?,
            Space::Local => self.local(variable)?,
            Space::Global | Space::Const | Space::Sreg | Space::Tex => {
                let message = "a variable of this state space inside a function has no exact translation yet";
                return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message)));
            }
        };
        self.scopes.bind(variable.name, binding);
        Ok(())
    }

    fn shared(&mut self, variable: &Variable) -> Result<Binding, Box<Diag>> {
        let (bytes, align) = size_and_align(variable, &self.scope)?;
        if variable.linkage == Linkage::Extern {
            self.layout.dynamic_align = self.layout.dynamic_align.max(align);
            return Ok(Binding::DynamicShared);
        }
        let layout = &mut self.layout;
        let offset = *layout.shared.entry(variable.name_span.start).or_insert_with(|| {
            let offset = layout.shared_bytes.next_multiple_of(u64::from(align));
            layout.shared_bytes = offset + bytes;
            offset as u32
        });
        Ok(Binding::Shared(offset))
    }

    /// One place for each declaration: a function is never active twice in a thread, because recursion is refused.
    fn local(&mut self, variable: &Variable) -> Result<Binding, Box<Diag>> {
        let (bytes, align) = size_and_align(variable, &self.scope)?;
        let layout = &mut self.layout;
        let offset = *layout.local.entry(variable.name_span.start).or_insert_with(|| {
            let offset = layout.local_bytes.next_multiple_of(u64::from(align));
            layout.local_bytes = offset + bytes;
            offset as u32
        });
        Ok(Binding::Local(offset))
    }

    /// The meaning of a name that is not a special register: of the function, or a variable of the module.
    pub fn resolve(&mut self, name: Name, span: Span) -> Res<Resolved<'m>> {
        if let Some(binding) = self.scopes.lookup(name) {
            return Ok(Resolved::Local(binding));
        }
        match self.scope.lookup(name) {
            Some(ModuleName::Variable(variable)) => match variable.space {
                Space::Global | Space::Const => Ok(Resolved::Global(self.scope.global(variable)?)),
                Space::Shared => Ok(Resolved::Local(self.shared(variable)?)),
                Space::Local => Ok(Resolved::Local(self.local(variable)?)),
                Space::Reg | Space::Sreg | Space::Param | Space::Tex => {
                    let message = "a module variable of this kind has no exact translation yet";
                    Err(Fault::Diag(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message))))
                }
            },
            Some(ModuleName::Function(function)) => Ok(Resolved::Function(function)),
            None => {
                let message = format!("nothing declares `{}`", self.scope.text(name));
                Err(Fault::Diag(Box::new(Diag::error(codes::UNDECLARED, span, message))))
            }
        }
    }

    /// The offset of the dynamic `.shared` array, which is known at the end.
    pub fn dynamic_base(&mut self) -> Value {
        let value = self.c32(0);
        if let Some((_, _)) = self.ssa.func.def(value)
            && let ir::ValueDef::Result(inst, _) = self.ssa.func.values[value].def
        {
            self.layout.dynamic_uses.push(inst);
        }
        value
    }
}
