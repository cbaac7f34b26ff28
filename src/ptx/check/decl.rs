//! Declarations: where a variable may stand, of which type, with which initialiser; what a kernel may say of itself.
//!
//! PTX ISA 9.0, "State Spaces", "Types" ("Restricted Use of Sub-Word Sizes", "Alternate Floating-Point Data Formats"),
//! "Variables" ("Initializers"), "Performance-Tuning Directives", "Cluster Dimension Directives". Where the manual is
//! silent, ptxas 13.2 decides.

use super::Checker;
use super::names::Entity;
use crate::diag::{Diag, Span, codes};
use crate::ptx::names::Name;
use crate::ptx::tree::*;
use crate::ptx::word;

/// Bytes of the largest vector.
const MAX_VECTOR_BYTES: u32 = 16;

/// What is wrong with a declaration by itself.
fn misplaced(v: &Variable, version: (u16, u16), in_body: bool) -> Option<String> {
    use ScalarType::*;
    let opaque = matches!(v.ty, Texref | Samplerref | Surfref);
    let module_scope = !in_body;
    Some(match v.space {
        _ if matches!(v.ty, Bf16 | Bf16x2 | Tf32 | U16x2 | S16x2 | E4m3 | E5m2 | E4m3x2 | E5m2x2)
            || matches!(v.ty, E2m1x2 | E2m3x2 | E3m2x2 | Ue8m0x2) =>
        {
            format!("`.{}` is a type of instructions, not of variables", v.ty.word())
        }
        _ if v.vector > 1 && (v.ty == Pred || opaque) => "there are no vectors of this type".into(),
        _ if v.vector > 4 => "a variable is a vector of two or four".into(),
        _ if v.ty.size_bytes().is_some_and(|size| size * u32::from(v.vector) > MAX_VECTOR_BYTES) => {
            "a vector has at most 16 bytes".into()
        }
        Space::Reg if opaque => "a register has no opaque type".into(),
        Space::Reg if !v.dims.is_empty() => "registers have no arrays; write `r<4>`".into(),
        Space::Reg | Space::Local if module_scope && version >= (3, 0) => {
            "registers and `.local` variables are declared in a function".into()
        }
        Space::Param if module_scope => "a `.param` variable belongs to a function".into(),
        Space::Sreg => "special registers are not declared".into(),
        Space::Tex if version >= (1, 5) => "`.tex` variables ended with PTX 1.5; declare `.global .texref`".into(),
        Space::Reg => return None,
        _ if v.range.is_some() => "only registers are declared by the range".into(),
        _ if v.ty == Pred => "a predicate lives in a register only".into(),
        Space::Const | Space::Shared | Space::Local if opaque => "textures, samplers and surfaces are `.global`".into(),
        Space::Const | Space::Shared | Space::Local if v.attributes.contains(&word::MANAGED) => {
            "only `.global` variables are managed".into()
        }
        _ if v.linkage == Linkage::Common && v.space != Space::Global => "`.common` variables are `.global`".into(),
        _ => return None,
    })
}

impl<'m> Checker<'m> {
    /// Everything about one declaration but its name.
    pub(super) fn declaration(&mut self, v: &'m Variable) {
        let (version, in_body) = (self.module.version.unwrap_or((1, 0)), self.scopes.is_inner());
        self.needs_of_variable(v);
        if let Some(rule) = misplaced(v, version, in_body) {
            return self.directive(v.span, rule);
        }
        let incomplete = v.dims.iter().any(|dim| matches!(dim, None | Some(0)));
        if v.dims.iter().skip(1).any(Option::is_none) {
            return self.directive(v.span, "only the first dimension may be left out");
        }
        // A parameter without a size takes any number of arguments; kernels are checked with their parameters.
        if incomplete && v.init.is_none() && v.linkage != Linkage::Extern && v.space != Space::Param {
            return self.directive(v.span, "an array without a size is `.extern` or has an initialiser");
        }
        let Some(init) = &v.init else { return };
        if v.linkage == Linkage::Extern {
            self.directive(v.span, "an external variable has no initialiser here");
        } else if !matches!(v.space, Space::Global | Space::Const) {
            self.directive(v.span, "only `.global` and `.const` variables have initialisers");
        } else {
            self.initialiser(v, init, &v.dims);
        }
    }

    fn directive(&mut self, span: Span, rule: impl Into<String>) {
        self.report(Diag::error(codes::DIRECTIVE, span, rule));
    }

    /// The initialiser against what is left of the dimensions.
    fn initialiser(&mut self, v: &Variable, init: &Init, dims: &[Option<u64>]) {
        match (init, dims) {
            (Init::List(items, span), [first, rest @ ..]) => {
                if first.is_some_and(|count| items.len() as u64 > count) {
                    let count = first.unwrap_or(0);
                    self.directive(*span, format!("{} values for an array of {count}", items.len()));
                }
                items.iter().for_each(|item| self.initialiser(v, item, rest));
            }
            // The modes of a sampler stand in braces.
            (Init::List(items, span), []) if v.vector > 1 => {
                if items.len() != usize::from(v.vector) {
                    self.directive(*span, format!("{} values for a vector of {}", items.len(), v.vector));
                }
                items.iter().for_each(|item| self.element(v, item));
            }
            (_, []) if v.vector == 1 => self.element(v, init),
            (init, _) => {
                let what = if dims.is_empty() { "vector" } else { "array" };
                self.directive(span_of(init), format!("the initialiser of this {what} stands in braces"));
            }
        }
    }

    fn element(&mut self, v: &Variable, init: &Init) {
        use ScalarType::*;
        let opaque = matches!(v.ty, Texref | Samplerref | Surfref);
        match init {
            Init::List(items, _) if opaque => items.iter().for_each(|item| self.element(v, item)),
            Init::Field { .. } if opaque => {}
            Init::Literal(literal, span) => {
                let float = !matches!(literal, Literal::Int { .. });
                let fits = match v.ty {
                    F32 | F64 => float,
                    F16 | F16x2 | Texref | Samplerref | Surfref => false,
                    B8 | B16 | B32 | B64 => true,
                    _ => !float,
                };
                if !fits {
                    self.directive(*span, format!("a `.{}` variable does not begin with this value", v.ty.word()));
                }
            }
            Init::Address { name, span, mask, .. } => self.address_value(v, *name, *span, mask.is_some()),
            Init::List(_, span) | Init::Field { span, .. } => {
                self.directive(*span, format!("a single `.{}` value is expected", v.ty.word()));
            }
        }
    }

    /// An address as an initial value.
    fn address_value(&mut self, v: &Variable, name: Name, span: Span, byte: bool) {
        use ScalarType::*;
        let fits = match v.ty {
            U8 | S8 | B8 => byte,
            U32 | S32 | B32 | U64 | S64 | B64 => !byte,
            _ => false,
        };
        match self.scopes.find(name) {
            None if !self.may_miss_globals => self.undeclared(name, span),
            Some((Entity::Variable(other), _)) if !matches!(other.space, Space::Global | Space::Const) => {
                let diag = Diag::error(codes::DIRECTIVE, span, "only `.global` and `.const` addresses are known here");
                self.report(self.with_declaration(diag, name));
            }
            _ if !fits => {
                self.directive(span, format!("a `.{}` variable does not begin with an address", v.ty.word()));
            }
            _ => {}
        }
    }

    /// Parameters and directives of a function.
    pub(super) fn signature(&mut self, f: &Function) {
        let kernel = f.kind == FunctionKind::Entry;
        for v in f.params.iter().chain(&f.returns) {
            let rule = match v.space {
                Space::Param if v.vector > 1 => "a `.param` variable is no vector; declare an array of bytes",
                Space::Param if kernel && v.dims.iter().any(Option::is_none) => {
                    "the size of a parameter of a kernel is known"
                }
                Space::Param => continue,
                _ if kernel => "parameters of a kernel are `.param` variables",
                _ => continue,
            };
            self.directive(v.span, rule);
        }
        if f.linkage == Linkage::Extern && f.body.is_some() {
            self.directive(f.name_span, "an external function has its body elsewhere");
        }
        let has = |name: Name| f.directives.iter().find(|d| d.name == name);
        for d in &f.directives {
            let of_kernels =
                !matches!(d.name, word::NORETURN | word::PRAGMA | word::ABI_PRESERVE | word::ABI_PRESERVE_CONTROL);
            if of_kernels && !kernel {
                self.directive(d.span, format!("`.{}` is said of kernels", self.spell(d.name)));
            } else if d.name == word::NORETURN && kernel {
                self.directive(d.span, "`.noreturn` is said of functions");
            } else if matches!(d.name, word::MAXNTID | word::REQNTID) && d.numbers.contains(&0) {
                self.directive(d.span, "a CTA has threads in each dimension");
            }
        }
        for (one, other) in [(word::MAXNTID, word::REQNTID), (word::MAXCLUSTERRANK, word::REQNCTAPERCLUSTER)] {
            if let (Some(one), Some(other)) = (has(one), has(other)) {
                let both = format!("`.{}` and `.{}` exclude each other", self.spell(one.name), self.spell(other.name));
                self.report(Diag::error(codes::DIRECTIVE, one.span, both).label(other.span, "the other"));
            }
        }
        if let Some(d) = has(word::BLOCKSARECLUSTERS)
            && (has(word::REQNTID).is_none() || has(word::REQNCTAPERCLUSTER).is_none())
        {
            self.directive(d.span, "`.blocksareclusters` goes with `.reqntid` and `.reqnctapercluster`");
        }
    }
}

fn span_of(init: &Init) -> Span {
    match init {
        Init::Literal(_, span) | Init::Address { span, .. } | Init::List(_, span) | Init::Field { span, .. } => *span,
    }
}
