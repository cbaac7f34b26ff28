//! Checks a tree: every name is declared once, and every instruction has one of its forms.
//!
//! PTX ISA 8.8, "Identifiers", "Operand Type Checking" ("Operand Size Exceeding Instruction-Type Size" for `ld`, `st`
//! and `cvt`), "Labels and Function Names as Operands". What ptxas 13.2 does counts where the manual is silent: names
//! and labels are seen in their `{ }` scope and those inside it, modifiers may come in any order, braces may surround a
//! single loaded register. Each undeclared name is reported once in a function.

mod call;
mod decl;
mod explain;
mod features;
mod flow;
mod names;
mod needs;
mod operand;
mod suggest;
mod usual;

use super::forms::{self, Form, Kind, Match};
use super::names::Name;
use super::tree::*;
use super::word;
use crate::diag::{Diag, Span, codes};
use names::{Entity, Scopes};
use needs::Ground;
use operand::Misfit;
use std::ops::Range;
use usual::Usual;

/// How many errors of one module are reported.
const MAX_ERRORS: usize = 200;

/// Everything that is wrong with a module beyond its syntax; `has_errors` when that is wrong already.
pub fn check(module: &Module, source: &str, has_errors: bool) -> Vec<Diag> {
    let broken = module.items.iter().any(|item| matches!(item, Item::Broken(_)));
    let ground = Ground::new(module);
    let mut checker = Checker {
        module,
        source,
        scopes: Scopes::new(module),
        shapes: module.code.heads().map(|head| Shape::new(head, &ground)).collect(),
        ground,
        diags: Vec::new(),
        has_errors,
        may_miss_globals: broken,
        may_miss: broken,
    };
    checker.module();
    checker.diags
}

struct Checker<'m> {
    module: &'m Module,
    source: &'m str,
    scopes: Scopes<'m>,
    /// By spelling.
    shapes: Vec<Shape>,
    /// What the module is for.
    ground: Ground,
    diags: Vec<Diag>,
    /// Some statement did not parse.
    has_errors: bool,
    /// A declaration of the module did not parse, so undeclared names say nothing.
    may_miss_globals: bool,
    /// The same for the function.
    may_miss: bool,
}

/// What is known of an opcode with its modifiers.
struct Shape {
    matches: Vec<Match>,
    /// The usual operands.
    usual: Usual,
    /// A form needs more than the module says it has, and nothing was said yet.
    lacks: bool,
    /// There is nothing to check beyond the operands.
    is_plain: bool,
}

impl Shape {
    fn new((opcode, modifiers): (Name, &[Name]), ground: &Ground) -> Shape {
        let mut matches = forms::matches(opcode, modifiers);
        matches.retain(|found| !ground.is_past(found.form));
        // Of forms that differ in the order of their words, the one that is written so.
        matches.sort_by_key(|found| !found.in_order);
        let usual = Usual::of(&matches);
        let lacks = matches.iter().any(|found| ground.lacks(found) || ground.may_lack(found));
        // Calls go by their callee; `limits` has a rule for `cvta`.
        let limited = opcode == word::CALL || opcode == word::CVTA && modifiers.contains(&word::U32);
        let is_plain = !matches.is_empty() && !lacks && !limited;
        Shape { matches, usual, lacks, is_plain }
    }
}

impl<'m> Checker<'m> {
    fn report(&mut self, diag: Diag) {
        if self.diags.len() < MAX_ERRORS {
            self.diags.push(diag);
        } else if self.diags.len() == MAX_ERRORS {
            self.diags.push(Diag::error(codes::LIMIT, diag.span, "more errors follow that are not shown"));
        }
    }

    /// Whether nothing more is reported, so that no words need be found for it.
    fn is_full(&self) -> bool {
        self.diags.len() > MAX_ERRORS
    }

    fn spell(&self, name: Name) -> &'m str {
        self.module.names.get(name)
    }

    // ---- declarations ----

    fn module(&mut self) {
        self.check_target();
        self.target_options();
        for (index, item) in self.module.items.iter().enumerate() {
            match item {
                Item::Function(f) => self.declare_function(index, f),
                Item::Variable(v) => self.declare_global(v),
                Item::Directive(d) if d.name == word::ALIAS => self.declare_alias(d),
                Item::Directive(_) | Item::Broken(_) => {}
            }
        }
        for item in &self.module.items {
            match item {
                Item::Function(f) => {
                    self.needs_of_function(f);
                    self.function(f);
                }
                Item::Variable(v) => self.declaration(v),
                Item::Directive(d) => self.needs_of_text(d),
                Item::Broken(_) => {}
            }
        }
    }

    fn declare_function(&mut self, index: usize, f: &'m Function) {
        let entity = Entity::Function(index as u32);
        match self.scopes.own(f.name) {
            None => self.scopes.declare(f.name, entity, f.name_span),
            Some((Entity::Function(other), first)) => {
                let Item::Function(other) = &self.module.items[other as usize] else { return };
                if other.body.is_some() && f.body.is_some() {
                    return self.duplicate(f.name, f.name_span, first);
                }
                if !call::same_signature(other, f) {
                    let message = format!("`{}` is declared again with other parameters", self.spell(f.name));
                    self.report(
                        Diag::error(codes::DUPLICATE, f.name_span, message).label(first, "first declared here"),
                    );
                }
                if f.body.is_some() {
                    self.scopes.declare(f.name, entity, f.name_span);
                }
            }
            Some((_, first)) => self.duplicate(f.name, f.name_span, first),
        }
    }

    fn declare_global(&mut self, v: &'m Variable) {
        if let Some((entity, first)) = self.scopes.own(v.name) {
            // An external declaration may come before or after the definition.
            let external = |v: &Variable| matches!(v.linkage, Linkage::Extern | Linkage::Common | Linkage::Weak);
            match entity {
                Entity::Variable(other) if other.linkage == Linkage::Extern && v.linkage == Linkage::Internal => {
                    let message =
                        format!("`{}` is external, and declared here for this module alone", self.spell(v.name));
                    let diag = Diag::error(codes::DUPLICATE, v.name_span, message);
                    return self.report(diag.label(first, "declared external here"));
                }
                Entity::Variable(other) if external(other) || external(v) => {
                    if v.linkage == Linkage::Extern {
                        return;
                    }
                }
                _ => return self.duplicate(v.name, v.name_span, first),
            }
        }
        self.variable(v);
    }

    /// `.alias new, old` makes a second name of a function.
    fn declare_alias(&mut self, d: &Directive) {
        let text = self.spell(d.text);
        let parts = text.split_once(',').map(|(new, old)| (new.trim(), old.trim()));
        let lookup = |text| self.module.names.lookup(text);
        if let Some((Some(new), Some(old))) = parts.map(|(new, old)| (lookup(new), lookup(old)))
            && self.scopes.own(new).is_none()
            && let Some((entity, _)) = self.scopes.find(old)
        {
            self.scopes.declare(new, entity, d.span);
        }
    }

    fn duplicate(&mut self, name: Name, span: Span, first: Span) {
        let message = format!("`{}` is declared twice", self.spell(name));
        self.report(Diag::error(codes::DUPLICATE, span, message).label(first, "first declared here"));
    }

    fn variable(&mut self, v: &'m Variable) {
        let entity = Entity::Variable(v);
        if v.name == word::SINK {
            return;
        }
        if v.range.is_some() {
            match self.scopes.declare_range(v.name, v) {
                Ok(()) => {}
                Err(first) => self.duplicate(v.name, v.name_span, first),
            }
            return;
        }
        match self.scopes.own(v.name) {
            Some((_, first)) if self.scopes.is_inner() => self.duplicate(v.name, v.name_span, first),
            _ => self.scopes.declare(v.name, entity, v.name_span),
        }
    }

    fn undeclared(&mut self, name: Name, span: Span) {
        if self.is_full() {
            return self.scopes.declare_unknown(name, span);
        }
        let text = self.spell(name);
        let mut diag = Diag::error(codes::UNDECLARED, span, format!("`{text}` is not declared"));
        if let Some(near) = self.scopes.nearest(text) {
            diag = diag.note(format!("a name that is declared here: `{near}`"));
        }
        self.report(diag);
        self.scopes.declare_unknown(name, span);
    }

    // ---- bodies ----

    fn function(&mut self, f: &'m Function) {
        let Some(body) = &f.body else { return };
        self.may_miss = self.may_miss_globals || self.has_errors && lost_declaration(body, self.source);
        self.scopes.open();
        for v in f.returns.iter().chain(&f.params) {
            self.variable(v);
            self.declaration(v);
        }
        self.signature(f);
        self.statements(body);
        if !self.has_errors {
            self.flow(f, body);
        }
        self.scopes.close();
    }

    /// The statements of a scope.
    fn statements(&mut self, body: &'m [Stmt]) {
        self.declare_labels(body);
        for stmt in body {
            self.needs_of_list(stmt);
            match stmt {
                Stmt::Inst(packed) => {
                    if !self.is_usual(packed) {
                        self.inst(&self.module.inst(packed));
                    }
                }
                Stmt::Variable(v) => {
                    self.variable(v);
                    self.declaration(v);
                }
                Stmt::Block(body, _) => {
                    self.scopes.open();
                    self.statements(body);
                    self.scopes.close();
                }
                Stmt::BranchTargets(list) => {
                    for &(name, span) in &list.targets {
                        if self.resolve(name, span).is_some_and(|e| !matches!(e, Entity::Label | Entity::Unknown)) {
                            let message = format!("`{}` is not a label", self.spell(name));
                            self.report(Diag::error(codes::CONTROL, span, message));
                        }
                    }
                }
                Stmt::CallTargets(list) => {
                    for &(name, span) in &list.targets {
                        let entity = self.resolve(name, span);
                        if entity.is_some_and(|e| !matches!(e, Entity::Function(_) | Entity::Unknown)) {
                            let message = format!("`{}` is not a function", self.spell(name));
                            self.report(Diag::error(codes::CONTROL, span, message));
                        }
                    }
                }
                Stmt::Label(..) | Stmt::Loc { .. } | Stmt::CallPrototype(_) => {}
                Stmt::Directive(d) => self.needs_of_text(d),
                Stmt::Error(_) => {}
            }
        }
    }

    /// Labels are seen in the whole of their scope.
    fn declare_labels(&mut self, body: &'m [Stmt]) {
        for stmt in body {
            let (name, entity, span) = match stmt {
                Stmt::Label(name, span) => (*name, Entity::Label, *span),
                Stmt::BranchTargets(list) => (list.name, Entity::Targets, list.span),
                Stmt::CallTargets(list) => (list.name, Entity::Callees(stmt), list.span),
                Stmt::CallPrototype(prototype) => (prototype.name, Entity::Callees(stmt), prototype.span),
                _ => continue,
            };
            match self.scopes.own(name) {
                Some((_, first)) => self.duplicate(name, span, first),
                None => self.scopes.declare(name, entity, span),
            }
        }
    }

    /// What a name means; an undeclared one is reported.
    fn resolve(&mut self, name: Name, span: Span) -> Option<Entity<'m>> {
        if word::is_special_register(name) {
            return None;
        }
        self.scopes.remember(name);
        match self.scopes.find(name) {
            Some((entity, _)) => Some(entity),
            None if self.may_miss => {
                self.scopes.declare_unknown(name, span);
                Some(Entity::Unknown)
            }
            None => {
                self.undeclared(name, span);
                Some(Entity::Unknown)
            }
        }
    }

    fn resolve_all(&mut self, operands: &[Operand]) {
        for operand in operands {
            match operand.kind {
                OperandKind::Name(name)
                | OperandKind::Not(name)
                | OperandKind::NameOffset(name, _)
                | OperandKind::Component(name, _)
                | OperandKind::Part(name, _)
                | OperandKind::Address { base: name, .. }
                | OperandKind::Unified { base: name, .. } => {
                    self.resolve(name, operand.span);
                }
                OperandKind::Vector(list)
                | OperandKind::List(list)
                | OperandKind::Bracket(list)
                | OperandKind::Pair(list) => self.resolve_all(self.module.list(list)),
                OperandKind::Literal(_) | OperandKind::Sink | OperandKind::Absolute(_) => {}
            }
        }
    }

    /// A quick yes: the instruction has the usual operands, and nothing else can be wrong with it.
    #[inline(always)]
    fn is_usual(&mut self, packed: &PackedInst) -> bool {
        let shape = &self.shapes[packed.head.index()];
        if !shape.is_plain {
            return false;
        }
        let mut operands = self.module.code.operands.get(packed.operands.range()).unwrap_or(&[]);
        if packed.guarded
            && let Some((guard, rest)) = operands.split_first()
        {
            let (OperandKind::Name(register) | OperandKind::Not(register)) = guard.kind else { return false };
            if self.scopes.register(register) != Some(ScalarType::Pred) {
                return false;
            }
            operands = rest;
        }
        shape.usual.are(operands, self.module, &mut self.scopes)
    }

    fn inst(&mut self, inst: &Inst<'_>) {
        let before = self.diags.len();
        if let Some(guard) = inst.guard {
            let entity = self.resolve(guard.register, guard.span);
            if !self.is_predicate(entity) {
                let message = format!("`{}` guards an instruction and is no predicate", self.spell(guard.register));
                self.report(self.with_declaration(Diag::error(codes::OPERAND, guard.span, message), guard.register));
            }
        }
        let shape = &self.shapes[inst.head.index()];
        if shape.matches.is_empty() {
            // `@ bra L` without its predicate reads as a guard `bra`.
            if self.diags.len() > before {
                return;
            }
            self.resolve_all(inst.operands);
            if self.is_full() {
                return;
            }
            let diag = self
                .missing_type(inst)
                .unwrap_or_else(|| explain::no_form(self.module, inst, self.source, &self.ground));
            return self.report(diag);
        }
        if inst.opcode == word::CALL {
            return self.call(inst);
        }
        if shape.usual.are(inst.operands, self.module, &mut self.scopes) {
            if shape.lacks {
                self.lacking(inst, None);
            }
        } else {
            self.resolve_all(inst.operands);
            self.operands(inst);
        }
        self.limits(inst);
    }

    /// A rule that no form can state.
    fn limits(&mut self, inst: &Inst<'_>) {
        if inst.opcode == word::CVTA && inst.has(word::U32) && self.module.address_size == 64 {
            let message = "an address of this module has 64 bits, `cvta` uses 32 here";
            self.report(Diag::error(codes::OPERAND, inst.opcode_span, message));
        }
    }

    /// The operands fit one of the forms, or the best attempt is explained.
    fn operands(&mut self, inst: &Inst<'_>) {
        self.special_registers(inst);
        let shape = &self.shapes[inst.head.index()];
        let mut best: Option<(&Match, Misfit)> = None;
        for candidate in &shape.matches {
            match self.attempt(candidate, inst) {
                Ok(narrowed) => {
                    let form = candidate.form;
                    if let Some(span) = narrowed {
                        self.report(explain::narrowed(span));
                    }
                    return self.lacking(inst, Some(form));
                }
                Err(misfit) => {
                    if best.as_ref().is_none_or(|(_, best)| misfit.explains_more_than(best)) {
                        best = Some((candidate, misfit));
                    }
                }
            }
        }
        if let Some((form, span)) = self.loosely(inst) {
            let head = self.head(inst);
            self.report(explain::unlisted(&head, span, form));
            return self.lacking(inst, Some(form));
        }
        if let Some((candidate, misfit)) = best
            && !self.is_full()
        {
            let diag = self.explain_misfit(inst, candidate, misfit);
            self.report(diag);
        }
    }

    /// The form that takes the operands as ptxas does beyond the PTX ISA, and the place of the first that it takes so.
    fn loosely(&self, inst: &Inst<'_>) -> Option<(&'static Form, Span)> {
        self.shapes[inst.head.index()].matches.iter().find_map(|candidate| {
            self.attempt(&candidate.loosened()?, inst).ok()?;
            let span = self.attempt(candidate, inst).err().map_or(inst.opcode_span, |misfit| misfit.operand);
            Some((candidate.form, span))
        })
    }

    /// The opcode with its modifiers.
    fn head(&self, inst: &Inst<'_>) -> String {
        let mut head = self.spell(inst.opcode).to_string();
        for &modifier in inst.modifiers {
            head.push('.');
            head.push_str(self.spell(modifier));
        }
        head
    }

    /// Whether the operands fit; the place of a constant that loses bits.
    fn attempt(&self, candidate: &Match, inst: &Inst<'_>) -> Result<Option<Span>, Misfit> {
        let optional = candidate.operands.iter().filter(|expected| expected.optional).count();
        let missing = candidate.operands.len().saturating_sub(inst.operands.len()).min(optional);
        // Which of the optional operands are missing shows in the others: the last ones are tried first.
        let mut result = self.attempt_without(candidate, inst, optional - missing..optional);
        for first in (0..optional - missing).rev() {
            match self.attempt_without(candidate, inst, first..first + missing) {
                Err(misfit) if result.as_ref().is_err_and(|best| !misfit.explains_more_than(best)) => {}
                other if result.is_err() => result = other,
                _ => {}
            }
        }
        result
    }

    /// The same where these of the optional operands are missing.
    fn attempt_without(
        &self,
        candidate: &Match,
        inst: &Inst<'_>,
        missing: Range<usize>,
    ) -> Result<Option<Span>, Misfit> {
        let mut given = inst.operands.iter();
        let mut narrowed = None;
        let mut optional = 0;
        for (progress, expected) in candidate.operands.iter().enumerate() {
            if expected.optional {
                optional += 1;
                if missing.contains(&(optional - 1)) {
                    continue;
                }
            }
            let Some(operand) = given.next() else { return Err(Misfit::count(progress)) };
            if let Err(why) = self.fits(candidate, expected, operand) {
                return Err(Misfit { progress, operand: operand.span, why, expected: *expected });
            }
            if let (Some(ty), OperandKind::Literal(literal)) = (expected.ty, &operand.kind)
                && expected.kind == Kind::Value
                && operand::loses_bits(ty, *literal)
            {
                narrowed = Some(operand.span);
            }
        }
        match given.next() {
            Some(extra) if !candidate.form.open => {
                Err(Misfit { operand: extra.span, ..Misfit::count(candidate.operands.len()) })
            }
            _ => Ok(narrowed),
        }
    }

    fn is_predicate(&self, entity: Option<Entity<'_>>) -> bool {
        match entity {
            Some(Entity::Variable(v)) => v.space == Space::Reg && v.ty == ScalarType::Pred && v.vector == 1,
            Some(Entity::Unknown) => true,
            _ => false,
        }
    }

    fn with_declaration(&self, diag: Diag, name: Name) -> Diag {
        match self.scopes.find(name) {
            Some((Entity::Unknown, _)) | None => diag,
            Some((_, span)) => diag.label(span, "declared here"),
        }
    }
}

/// Whether a statement that did not parse was a declaration: names may then be missing through no fault of their users.
fn lost_declaration(body: &[Stmt], source: &str) -> bool {
    body.iter().any(|stmt| match stmt {
        Stmt::Error(span) => {
            let text = span.text(source);
            text.starts_with('.') || text.contains("\n\t.reg") || text.contains(':')
        }
        Stmt::Block(body, _) => lost_declaration(body, source),
        _ => false,
    })
}
