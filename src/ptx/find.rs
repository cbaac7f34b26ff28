//! Finds the instruction at a place of the source, and the form that it has.

use super::forms::{self, Form, Kind, Match};
use super::tree::*;
use super::word;
use crate::diag::Span;

/// The instructions of a module in the order of the source.
pub struct Instructions<'m> {
    module: &'m Module,
    list: Vec<PackedInst>,
}

impl<'m> Instructions<'m> {
    pub fn new(module: &'m Module) -> Instructions<'m> {
        let mut list = Vec::new();
        for item in &module.items {
            if let Item::Function(Function { body: Some(body), .. }) = item {
                collect(body, &mut list);
            }
        }
        Instructions { module, list }
    }

    /// The instruction that a span lies in.
    pub fn at(&self, span: Span) -> Option<Inst<'m>> {
        let after = self.list.partition_point(|inst| inst.span.start <= span.start);
        let inst = self.list.get(after.checked_sub(1)?)?;
        (span.end <= inst.span.end).then(|| self.module.inst(inst))
    }
}

fn collect(body: &[Stmt], list: &mut Vec<PackedInst>) {
    for stmt in body {
        match stmt {
            Stmt::Inst(inst) => list.push(*inst),
            // The reader bounds the depth.
            Stmt::Block(body, _) => collect(body, list),
            _ => {}
        }
    }
}

/// The form of an instruction as the manual writes it, operands included: the first that has its modifiers and as many operands of
/// such kinds.
pub fn form_of(inst: &Inst<'_>) -> Option<String> {
    let matches = forms::matches(inst.opcode, inst.modifiers);
    let plausible = |m: &&Match| is_plausible(m, inst.operands);
    let best: Option<&'static Form> = matches.iter().find(plausible).or(matches.first()).map(|m| m.form);
    best.map(Form::plain)
}

fn is_plausible(candidate: &Match, operands: &[Operand]) -> bool {
    let needed = candidate.operands.iter().filter(|o| !o.optional).count();
    let count = candidate.form.open || (needed..=candidate.operands.len()).contains(&operands.len());
    let kinds = candidate.operands.iter().zip(operands).all(|(expected, operand)| {
        let special = matches!(operand.kind, OperandKind::Name(name) if word::is_special_register(name));
        let address = matches!(
            operand.kind,
            OperandKind::Address { .. } | OperandKind::Absolute(_) | OperandKind::Unified { .. }
        );
        match expected.kind {
            Kind::SpecialRegister => special,
            Kind::Address(_) => address,
            Kind::Bracket { .. } => matches!(operand.kind, OperandKind::Bracket(_)),
            Kind::Pack => matches!(operand.kind, OperandKind::Vector(_)),
            Kind::Any => true,
            _ => !special && !address,
        }
    });
    count && candidate.in_order && kinds
}

/// Opcode and modifiers as they stand in the source.
pub fn spelling(inst: &Inst<'_>, module: &Module) -> String {
    let mut text = module.names.get(inst.opcode).to_string();
    for &modifier in inst.modifiers {
        text.push('.');
        text.push_str(module.names.get(modifier));
    }
    text
}

/// The special register that is the operand at this very place.
pub fn special_register_at<'m>(inst: &Inst<'_>, span: Span, module: &'m Module) -> Option<&'m str> {
    inst.operands.iter().find_map(|operand| match operand.kind {
        OperandKind::Name(name) if operand.span == span && word::is_special_register(name) => {
            Some(module.names.get(name))
        }
        _ => None,
    })
}
