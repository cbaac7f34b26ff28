//! What an instruction needs against what the module says it has: `.version` and `.target`.
//!
//! PTX ISA 9.0, ".version", ".target", and the notes at the end of each instruction. A module that says too little is let
//! through with a warning, once for each form: whoever writes PTX by hand expects that.

use super::names::Entity;
use super::usual::Usual;
use super::{Checker, Match, explain};
use crate::diag::{Diag, Span, codes};
use crate::ptx::forms::{self, Arch, Expected, Form, HANDLE, Kind, Needs, Pair, Place, Version};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, Module, Operand, OperandKind, Space};
use crate::ptx::word;

/// What a module is for.
pub struct Ground {
    version: Option<Version>,
    target: Option<Arch>,
    /// Forms that were spoken of.
    told: Vec<&'static Form>,
    told_registers: Vec<Name>,
    told_features: Vec<&'static str>,
}

impl Ground {
    pub fn new(module: &Module) -> Ground {
        let target = module.targets.iter().find_map(|&target| Arch::parse(module.names.get(target)));
        Ground {
            version: module.version,
            target,
            told: Vec::new(),
            told_registers: Vec::new(),
            told_features: Vec::new(),
        }
    }

    /// Whether the module has what this needs of the version, and of the target.
    fn meets(&self, needs: &Needs) -> (bool, bool) {
        let version = self.version.is_none_or(|version| needs.version_is_enough(version));
        let target = match (self.version, self.target) {
            (Some(version), Some(target)) => needs.target_is_enough(version, target),
            _ => true,
        };
        (version, target)
    }

    /// Whether this module may not write the form so.
    pub fn is_past(&self, form: &Form) -> bool {
        matches!((self.version, self.target), (Some(version), Some(target)) if form.is_past(version, target))
    }

    /// The version that ended this, where the module has it.
    pub fn ended(&self, needs: &Needs) -> Option<Version> {
        let (version, target) = (self.version?, self.target?);
        needs.before.filter(|_| needs.is_past(version, target)).map(|(ended, _)| ended)
    }

    pub fn lacks(&self, found: &Match) -> bool {
        found.needs.iter().any(|needs| needs.unlisted || self.meets(needs) != (true, true))
    }

    /// The same of operands, should they stand there.
    pub fn may_lack(&self, found: &Match) -> bool {
        let opaque = |kind| matches!(kind, Kind::Address(p) | Kind::Object(p) if is_opaque(p));
        let lacks = |needs: &Needs| self.meets(needs) != (true, true);
        let operands = found.operands.iter().chain(&found.inner);
        lacks(&HANDLE) && operands.clone().any(|e| opaque(e.kind)) || operands.filter_map(|e| e.needs).any(lacks)
    }

    /// Whether this is lacking and was not spoken of; it is now.
    pub fn lacks_feature(&mut self, feature: &'static str, needs: &Needs) -> bool {
        let lacks = self.meets(needs) != (true, true) && !self.told_features.contains(&feature);
        if lacks {
            self.told_features.push(feature);
        }
        lacks
    }

    /// What is lacking, and where the module says so.
    pub fn warning(&self, what: &str, span: Span, needs: &[&Needs], module: &Module) -> Diag {
        let version = needs.iter().filter(|needs| !self.meets(needs).0).filter_map(|needs| needs.version).max();
        // Of several, the one that asks most.
        let within = |a: &Needs, b: &Needs| a.targets.iter().all(|a| b.targets.iter().any(|&b| a.has(b)));
        let unmet = needs.iter().copied().filter(|needs| !self.meets(needs).1);
        let target = unmet.reduce(|most, other| if within(other, most) { other } else { most });
        let mut wants = Vec::new();
        if let Some((major, minor)) = version {
            wants.push(format!("`.version {major}.{minor}`"));
        }
        if let Some(needs) = target {
            let too_low = self.target.is_some_and(|target| !needs.targets.iter().any(|&needed| target.has(needed)));
            let names: Vec<String> = needs.targets.iter().map(|target| format!("`{target}`")).collect();
            wants.push(match needs.until {
                Some(((major, minor), end)) if needs.targets.is_empty() || !too_low => {
                    format!("a target before `{end}`, or a version before {major}.{minor}")
                }
                _ => format!("target {}", names.join(" or ")),
            });
        }
        let mut diag = Diag::warning(codes::NEEDS, span, format!("`{what}` needs {}", wants.join(" and ")));
        if version.is_some() {
            diag = diag.label(module.version_span, "the module has an earlier one");
        }
        if target.is_some() {
            diag = diag.label(module.targets_span, "the module is for this one");
        }
        diag
    }
}

/// Whether a register has a handle of such a thing.
fn is_opaque(place: Place) -> bool {
    matches!(place, Place::Texture | Place::Sampler | Place::Surface)
}

impl Checker<'_> {
    /// The target itself came with some version.
    pub(super) fn check_target(&mut self) {
        let (Some(version), Some(target)) = (self.ground.version, self.ground.target) else { return };
        if let Some(first @ (major, minor)) = target.introduced()
            && version < first
        {
            let message = format!("target `{target}` needs `.version {major}.{minor}`");
            let diag = Diag::warning(codes::NEEDS, self.module.targets_span, message);
            self.report(diag.label(self.module.version_span, "the module has an earlier one"));
        }
    }

    /// Says once what a form needs that the module does not have; the usual form without one.
    pub(super) fn lacking(&mut self, inst: &Inst<'_>, form: Option<&'static Form>) {
        let shape = &self.shapes[inst.head.index()];
        if !shape.lacks {
            return;
        }
        let found = match form {
            Some(form) => shape.matches.iter().find(|found| std::ptr::eq(found.form, form)),
            None => Usual::form(&shape.matches),
        };
        let Some(found) = found else { return };
        let form = found.form;
        let mut needs = found.needs.clone();
        let found = (found.operands.clone(), found.inner.clone());
        needs.extend(self.needs_of_operands(&found.0, &found.1, inst));
        if !needs.iter().any(|needs| needs.unlisted || self.ground.meets(needs) != (true, true)) {
            return;
        }
        self.shapes[inst.head.index()].lacks = false;
        if self.ground.told.iter().any(|told| std::ptr::eq(*told, form)) {
            return;
        }
        self.ground.told.push(form);
        let head = self.head(inst);
        if needs.iter().any(|needs| needs.unlisted) {
            self.report(explain::unlisted(&head, inst.opcode_span, form));
        }
        if needs.iter().any(|needs| self.ground.meets(needs) != (true, true)) {
            let diag = self.ground.warning(&head, inst.opcode_span, &needs, self.module);
            self.report(diag);
        }
    }

    /// What operands need that may be missing, the predicate of a pair, and a handle in a register.
    fn needs_of_operands(&self, expected: &[Expected], inner: &[Expected], inst: &Inst<'_>) -> Vec<&'static Needs> {
        let optional = expected.iter().filter(|expected| expected.optional).count();
        let given = (inst.operands.len() + optional).saturating_sub(expected.len());
        let mut found: Vec<&Needs> = Vec::new();
        // Of several that may be missing, nothing is asked where some are there and others not.
        if given == optional {
            found.extend(expected.iter().filter(|expected| expected.optional).filter_map(|expected| expected.needs));
        }
        if let (Some(first), Some(Operand { kind: OperandKind::Pair(_), .. })) =
            (expected.first(), inst.operands.first())
            && first.pair == Pair::May
        {
            found.extend(first.needs);
        }
        let handle =
            |name: Name| matches!(self.scopes.find(name), Some((Entity::Variable(v), _)) if v.space == Space::Reg);
        let opaque = |e: &Expected| matches!(e.kind, Kind::Address(p) | Kind::Object(p) if is_opaque(p));
        let by_handle = inst.operands.iter().any(|operand| match operand.kind {
            OperandKind::Address { base, .. } => expected.iter().any(opaque) && handle(base),
            OperandKind::Bracket(list) => match self.module.list(list).first() {
                Some(Operand { kind: OperandKind::Name(name), .. }) => inner.iter().any(opaque) && handle(*name),
                _ => false,
            },
            _ => false,
        });
        if by_handle {
            found.push(&HANDLE);
        }
        found
    }

    /// The same for special registers, once for each.
    pub(super) fn special_registers(&mut self, inst: &Inst<'_>) {
        for operand in inst.operands {
            let OperandKind::Name(name) = operand.kind else { continue };
            if !word::is_special_register(name) || self.ground.told_registers.contains(&name) {
                continue;
            }
            if let Some(needs) = forms::needs_of_register(name)
                && self.ground.meets(needs) != (true, true)
            {
                self.ground.told_registers.push(name);
                let diag = self.ground.warning(self.spell(name), operand.span, &[needs], self.module);
                self.report(diag);
            }
        }
    }
}
