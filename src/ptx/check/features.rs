//! What directives and declarations need against what the module says it has.
//!
//! `grammar/directives.forms` has the versions and targets; each directive is spoken of once.

use super::Checker;
use super::names::Entity;
use crate::diag::{Diag, Span, codes};
use crate::ptx::forms;
use crate::ptx::names::Name;
use crate::ptx::tree::*;
use crate::ptx::word;

impl<'m> Checker<'m> {
    /// Warns once where the module does not have this.
    fn needs(&mut self, feature: &str, span: Span) {
        let Some((feature, needs)) = forms::needs_of_feature(feature) else { return };
        if let Some((major, minor)) = self.ground.ended(needs) {
            let rule = format!("`{feature}` ended with PTX {major}.{minor}");
            return self.report(Diag::error(codes::DIRECTIVE, span, rule));
        }
        if self.ground.lacks_feature(feature, needs) {
            let diag = self.ground.warning(feature, span, &[needs], self.module);
            self.report(diag);
        }
    }

    fn needs_directive(&mut self, name: Name, span: Span) {
        self.needs(&format!(".{}", self.spell(name)), span);
    }

    /// The options of `.target`.
    pub(super) fn target_options(&mut self) {
        for &option in &self.module.targets {
            if matches!(self.spell(option), "debug" | "texmode_independent") {
                self.needs(&format!(".target {}", self.spell(option)), self.module.targets_span);
            }
        }
    }

    /// A directive of the module or of a body.
    pub(super) fn needs_of_text(&mut self, d: &Directive) {
        if matches!(d.name, word::PRAGMA | word::ALIAS | word::SECTION) {
            self.needs_directive(d.name, d.span);
        }
        if d.name == word::PRAGMA {
            self.pragma(self.spell(d.text), d.span);
        }
    }

    /// The strings of a `.pragma`; one that is not known is nobody's.
    fn pragma(&mut self, text: &str, span: Span) {
        for string in text.split('"') {
            let first = string.split_whitespace().next().unwrap_or("");
            self.needs(&format!(".pragma \"{first}\""), span);
        }
    }

    /// A list of targets or a prototype.
    pub(super) fn needs_of_list(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::BranchTargets(list) => self.needs_directive(word::BRANCHTARGETS, list.span),
            Stmt::CallTargets(list) => self.needs_directive(word::CALLTARGETS, list.span),
            Stmt::CallPrototype(prototype) => self.needs_directive(word::CALLPROTOTYPE, prototype.span),
            _ => {}
        }
    }

    /// What stands between the name of a function and its body.
    pub(super) fn needs_of_function(&mut self, f: &Function) {
        if f.linkage == Linkage::Weak {
            self.needs_directive(word::WEAK, f.name_span);
        }
        let kernel = f.kind == FunctionKind::Entry;
        let param = |v: &&Variable| v.space == Space::Param;
        if let Some(v) = f.params.iter().chain(&f.returns).find(param) {
            self.needs(if kernel { "a list of kernel parameters" } else { ".param of a function" }, v.span);
        }
        if let Some(v) = f.params.iter().find(|v| !kernel && param(v) && v.dims.contains(&None)) {
            self.needs("a parameter without a size", v.span);
        }
        for d in &f.directives {
            self.needs_directive(d.name, d.span);
            if let Some(text) = d.text {
                self.pragma(self.spell(text), d.span);
            }
        }
    }

    pub(super) fn needs_of_variable(&mut self, v: &Variable) {
        use ScalarType::*;
        if matches!(v.ty, F16x2 | B128 | Texref | Samplerref | Surfref) {
            self.needs(&format!(".{}", v.ty.word()), v.span);
        }
        match v.linkage {
            Linkage::Weak => self.needs_directive(word::WEAK, v.span),
            Linkage::Common => self.needs_directive(word::COMMON, v.span),
            Linkage::Internal | Linkage::Visible | Linkage::Extern => {}
        }
        for &attribute in &v.attributes {
            self.needs_directive(attribute, v.span);
        }
        if v.ptr.is_some() {
            self.needs_directive(word::PTR, v.span);
        }
        if let Some(init) = &v.init {
            self.needs_of_init(init);
        }
    }

    fn needs_of_init(&mut self, init: &Init) {
        match init {
            Init::Address { name, generic, mask, span, .. } => {
                let function = matches!(self.scopes.find(*name), Some((Entity::Function(_), _)));
                let what = if function { "a function as initial value" } else { "an address as initial value" };
                self.needs(what, *span);
                if *generic {
                    self.needs("generic()", *span);
                }
                if mask.is_some() {
                    self.needs("a byte of an address", *span);
                }
            }
            Init::List(items, _) if items.iter().any(|item| !matches!(item, Init::Literal(..))) => {
                items.iter().for_each(|item| self.needs_of_init(item));
            }
            Init::List(..) | Init::Literal(..) | Init::Field { .. } => {}
        }
    }
}
