//! Calls: the callee exists, and arguments and results match its parameters.
//!
//! PTX ISA 8.8, "call". Arguments are `.param` variables, registers or constants; each must have the size of its
//! parameter.

use super::Checker;
use super::names::Entity;
use super::operand::{agrees, loses_bits};
use crate::diag::{Diag, Span, codes};
use crate::ptx::names::Name;
use crate::ptx::tree::*;
use crate::ptx::word;

/// What a callee takes and gives.
struct Signature<'m> {
    returns: &'m [Variable],
    params: &'m [Variable],
    /// Where it is written.
    span: Span,
}

/// The size of a parameter or variable, bytes; None without a definite one.
fn size_bytes(v: &Variable) -> Option<u64> {
    let element = u64::from(v.ty.size_bytes()?) * u64::from(v.vector);
    v.dims.iter().try_fold(element, |size, dim| size.checked_mul((*dim)?))
}

/// The operands in a list.
fn items<'m>(module: &'m Module, list: Option<&Operand>) -> &'m [Operand] {
    match list.map(|o| o.kind) {
        Some(OperandKind::List(items)) => module.list(items),
        _ => &[],
    }
}

/// Whether two declarations of one function agree.
pub fn same_signature(a: &Function, b: &Function) -> bool {
    let same = |x: &[Variable], y: &[Variable]| {
        x.len() == y.len() && x.iter().zip(y).all(|(x, y)| size_bytes(x) == size_bytes(y) && x.space == y.space)
    };
    a.kind == b.kind && same(&a.returns, &b.returns) && same(&a.params, &b.params)
}

impl<'m> Checker<'m> {
    pub(super) fn call(&mut self, inst: &Inst<'_>) {
        let is_list = |o: &&Operand| matches!(o.kind, OperandKind::List(_));
        let mut operands = inst.operands.iter().peekable();
        let results = operands.next_if(is_list);
        let Some(target) = operands.next() else {
            return self.report(Diag::error(codes::CONTROL, inst.span, "a call names what it calls"));
        };
        let arguments = operands.next_if(is_list);
        let callees = operands.next();
        if let Some(extra) = operands.next() {
            self.report(Diag::error(codes::CONTROL, extra.span, "nothing follows the prototype of a call"));
        }
        let (results_items, argument_items) = (items(self.module, results), items(self.module, arguments));
        self.resolve_all(results_items);
        self.resolve_all(argument_items);
        let OperandKind::Name(name) = target.kind else {
            return self.report(Diag::error(codes::CONTROL, target.span, "a call names a function or a register"));
        };
        let signature = match self.resolve(name, target.span) {
            Some(Entity::Unknown) => return,
            Some(Entity::Function(index)) => match &self.module.items[index as usize] {
                Item::Function(f) if f.kind == FunctionKind::Entry => {
                    let message = format!("`{}` is a kernel, which is not called", self.spell(name));
                    let diag = Diag::error(codes::CONTROL, target.span, message);
                    return self.report(diag.label(f.name_span, "declared here"));
                }
                Item::Function(f) => Signature { returns: &f.returns, params: &f.params, span: f.name_span },
                _ => return,
            },
            Some(Entity::Variable(v)) if v.space == Space::Reg => match self.indirect(inst, callees) {
                Some(signature) => signature,
                None => return,
            },
            _ => {
                let message = format!("`{}` is not a function", self.spell(name));
                let diag = Diag::error(codes::CONTROL, target.span, message);
                return self.report(self.with_declaration(diag, name));
            }
        };
        let place = |list: Option<&Operand>| list.map_or(target.span, |o| o.span);
        self.pass(results_items, signature.returns, place(results), "result", &signature, name);
        self.pass(argument_items, signature.params, place(arguments), "argument", &signature, name);
    }

    /// The signature of a call through a register, from its prototype or its first target.
    fn indirect(&mut self, inst: &Inst<'_>, callees: Option<&Operand>) -> Option<Signature<'m>> {
        let Some(callees) = callees else {
            let diag = Diag::error(codes::CONTROL, inst.span, "a call through a register needs a prototype");
            self.report(diag.note("name a `.callprototype` or `.calltargets` label as the last operand"));
            return None;
        };
        let entity = match callees.kind {
            OperandKind::Name(name) => self.resolve(name, callees.span)?,
            _ => Entity::Label,
        };
        match entity {
            Entity::Callees(Stmt::CallPrototype(prototype)) => {
                let Prototype { returns, params, span, .. } = &**prototype;
                Some(Signature { returns, params, span: *span })
            }
            Entity::Callees(Stmt::CallTargets(list)) => {
                let first = list.targets.first().and_then(|&(name, _)| self.scopes.find(name));
                match first {
                    Some((Entity::Function(index), _)) => match &self.module.items[index as usize] {
                        Item::Function(f) => {
                            Some(Signature { returns: &f.returns, params: &f.params, span: f.name_span })
                        }
                        _ => None,
                    },
                    _ => None,
                }
            }
            Entity::Unknown => None,
            _ => {
                let message = "this is neither a `.callprototype` nor a `.calltargets` label";
                self.report(Diag::error(codes::CONTROL, callees.span, message));
                None
            }
        }
    }

    fn pass(
        &mut self,
        given: &[Operand],
        wanted: &[Variable],
        place: Span,
        what: &str,
        signature: &Signature<'m>,
        callee: Name,
    ) {
        // An array without a size takes any number of further arguments.
        let open = wanted.last().is_some_and(|v| v.dims.iter().any(Option::is_none));
        if given.len() != wanted.len() && !(open && given.len() + 1 >= wanted.len()) {
            let plural = if wanted.len() == 1 { "" } else { "s" };
            let (has, does) = if what == "result" { ("returns", "takes") } else { ("takes", "gives") };
            let callee = self.spell(callee);
            let message = format!("`{callee}` {has} {} {what}{plural}, the call {does} {}", wanted.len(), given.len());
            let diag = Diag::error(codes::CONTROL, place, message);
            return self.report(diag.label(signature.span, "declared here"));
        }
        for (operand, param) in given.iter().zip(wanted) {
            if let Some(why) = self.passes(operand, param, what == "result") {
                let diag = Diag::error(codes::CONTROL, operand.span, why);
                self.report(diag.label(param.span, "the parameter"));
            }
        }
    }

    /// Why the operand cannot be passed as this parameter.
    fn passes(&self, operand: &Operand, param: &Variable, result: bool) -> Option<String> {
        let wanted = size_bytes(param)?;
        match &operand.kind {
            OperandKind::Name(name) if word::is_special_register(*name) => {
                Some("a special register is no argument".into())
            }
            OperandKind::Name(name) => match self.scopes.find(*name) {
                Some((Entity::Variable(v), _)) if matches!(v.space, Space::Reg | Space::Param) => {
                    let register = v.space == Space::Reg && param.dims.is_empty() && v.vector == 1 && param.vector == 1;
                    let same_sort = (v.ty == ScalarType::Pred) == (param.ty == ScalarType::Pred);
                    match size_bytes(v) {
                        Some(size) if size != wanted => {
                            Some(format!("`{}` has {size} bytes, the parameter {wanted}", self.spell(*name)))
                        }
                        _ if same_sort && register && !agrees(v.ty, param.ty, false) => {
                            let (has, wants) = (v.ty.word(), param.ty.word());
                            Some(format!("`{}` is a .{has} register, the parameter .{wants}", self.spell(*name)))
                        }
                        _ if same_sort => None,
                        _ => Some(format!("`{}` is a predicate", self.spell(*name))),
                    }
                }
                Some((Entity::Unknown, _)) | None => None,
                Some(_) => Some(format!("`{}` is neither a register nor a `.param` variable", self.spell(*name))),
            },
            OperandKind::Literal(_) if result => Some("a result goes to a register or a `.param` variable".into()),
            OperandKind::Literal(literal) if loses_bits(param.ty, *literal) => {
                Some("the constant does not fit the parameter".into())
            }
            OperandKind::Literal(_) => None,
            OperandKind::Sink if result => None,
            _ => Some("a register, a constant or a `.param` variable is passed".into()),
        }
    }
}
