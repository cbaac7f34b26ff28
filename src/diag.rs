//! Spans, diagnostics and their codes.
//!
//! Three kinds of failure are never mixed: an *error* is the fault of the PTX or of the arguments, *unsupported* is right
//! PTX that we cannot translate exactly yet, and a bug of ours is a panic of a verifier in debug builds. A module with one
//! error or one unsupported construct yields no output.

mod human;
mod json;
mod lines;
pub mod rules;
mod sarif;

pub use json::severity_word;
pub use lines::{Lines, Place};
pub use sarif::SarifLog;

use std::fmt;

/// A range of bytes `[start, end)` of the source text.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub const fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The span of something that has no place in the source: it prints without an excerpt.
    pub const NONE: Span = Span { start: u32::MAX, end: u32::MAX };

    pub fn is_none(self) -> bool {
        self == Span::NONE
    }

    /// The smallest span that covers both.
    pub fn to(self, other: Span) -> Span {
        if self.is_none() {
            return other;
        }
        if other.is_none() {
            return self;
        }
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    pub fn text(self, source: &str) -> &str {
        source.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() { write!(f, "-") } else { write!(f, "{}..{}", self.start, self.end) }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Severity {
    /// The input breaks a rule.
    Error,
    /// The input is right, and we cannot translate it exactly.
    Unsupported,
    /// The input is accepted, and probably not what was meant.
    Warning,
}

/// A stable diagnostic code; prints as `W2W0001`. The table is [`codes`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(pub u16);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "W2W{:04}", self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Every code with its one-line title. A number, once given, keeps its meaning.
macro_rules! codes {
    ($($name:ident = $number:literal $title:literal;)*) => {
        pub mod codes {
            use super::Code;
            $(#[doc = $title] pub const $name: Code = Code($number);)*
            pub const ALL: &[(Code, &str)] = &[$((Code($number), $title)),*];
        }
    };
}

codes! {
    SYNTAX = 1 "The text is not PTX.";
    UNKNOWN_FORM = 2 "No PTX instruction has this opcode, these modifiers or these operands.";
    UNDECLARED = 3 "A name is used that nothing declares.";
    DUPLICATE = 4 "A name is declared twice in one scope.";
    OPERAND = 5 "An operand has the wrong kind, type or size for its instruction.";
    CONTROL = 6 "A label, call or branch target does not fit.";
    DIRECTIVE = 7 "A directive is malformed or out of place.";
    LIMIT = 8 "The input exceeds a limit of the translator.";
    NO_SUCH_KERNEL = 9 "The module has no such kernel.";
    UNSUPPORTED_INST = 20 "The instruction has no exact translation yet.";
    UNSUPPORTED_DECL = 21 "The declaration has no exact translation yet.";
    UNSUPPORTED_CALL = 22 "The call cannot be inlined.";
    UNSUPPORTED_TARGET = 23 "The target lacks something the kernel needs.";
    RESOURCES = 24 "The kernel needs more registers, LDS or scratch than the target has.";
    UNDEFINED = 30 "The kernel does at run time what PTX leaves undefined, or faults.";
    MISMATCH = 31 "The translation computes something else than the PTX.";
    VERSION = 40 "The module's version or target is unknown to us, and was read all the same.";
    NEEDS = 41 "The module's version or target is too low for what it uses.";
}

/// A secondary place with what it has to do with the matter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A change of the text that is certain to be meant: the text that stands in the place of the span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fix {
    pub span: Span,
    pub text: String,
    /// What the change is, for people.
    pub message: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diag {
    pub severity: Severity,
    pub code: Code,
    pub span: Span,
    pub message: String,
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    /// Boxed, because few have one and many functions return a diagnostic.
    pub fix: Option<Box<Fix>>,
}

impl Diag {
    pub fn error(code: Code, span: Span, message: impl Into<String>) -> Diag {
        Diag::new(Severity::Error, code, span, message)
    }

    pub fn unsupported(code: Code, span: Span, message: impl Into<String>) -> Diag {
        Diag::new(Severity::Unsupported, code, span, message)
    }

    pub fn warning(code: Code, span: Span, message: impl Into<String>) -> Diag {
        Diag::new(Severity::Warning, code, span, message)
    }

    fn new(severity: Severity, code: Code, span: Span, message: impl Into<String>) -> Diag {
        Diag { severity, code, span, message: message.into(), labels: vec![], notes: vec![], fix: None }
    }

    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diag {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diag {
        self.notes.push(text.into());
        self
    }

    /// Says what to write instead of a part of the text.
    pub fn fix(mut self, span: Span, text: impl Into<String>, message: impl Into<String>) -> Diag {
        self.fix = Some(Box::new(Fix { span, text: text.into(), message: message.into() }));
        self
    }

    /// Whether this stops the translation.
    pub fn is_fatal(&self) -> bool {
        self.severity != Severity::Warning
    }
}

/// A text that diagnostics are about, with the name that it is known by. Lines are found once for all of them.
pub struct Source<'s> {
    pub path: String,
    pub lines: Lines<'s>,
}

impl<'s> Source<'s> {
    pub fn new(path: impl Into<String>, text: &'s str) -> Source<'s> {
        Source { path: path.into(), lines: Lines::new(text) }
    }

    /// One diagnostic as people read it, with an excerpt. `color` asks for ANSI escapes.
    pub fn human(&self, diag: &Diag, color: bool) -> String {
        human::render(diag, self, color)
    }

    /// One diagnostic as a JSON object: `docs/check.md`.
    pub fn json(&self, diag: &Diag) -> serde_json::Value {
        json::render(diag, self)
    }
}

/// One diagnostic of a text as people read it: [`Source::human`] for one that comes alone.
pub fn render_human(diag: &Diag, path: &str, source: &str, color: bool) -> String {
    Source::new(path, source).human(diag, color)
}
