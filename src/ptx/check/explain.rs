//! Words for what does not fit.

use super::Checker;
use super::names::Entity;
use super::needs::Ground;
use super::operand::{Misfit, Why};
use crate::diag::{Diag, Span, codes};
use crate::ptx::forms::{self, Braces, Expected, Form, GRAMMAR, Kind, Match, Pair, Place, Selector};
use crate::ptx::names::Name;
use crate::ptx::tree::*;

/// The forms that are shown under an error.
const SHOWN_FORMS: usize = 3;

/// No form has this opcode with these modifiers.
pub fn no_form(module: &Module, inst: &Inst<'_>, source: &str, ground: &Ground) -> Diag {
    let opcode = module.names.get(inst.opcode);
    let candidates: Vec<&Form> = forms::forms_of(inst.opcode).iter().filter(|form| !ground.is_past(form)).collect();
    if candidates.is_empty() {
        let span = part_of(inst, 0, source);
        let mut diag = Diag::error(codes::UNKNOWN_FORM, span, format!("PTX has no instruction `{opcode}`"));
        if let Some(near) = nearest(opcode, forms::opcodes()) {
            diag = diag.fix(span, near, format!("there is `{near}`"));
        }
        return diag;
    }
    for (n, &modifier) in inst.modifiers.iter().enumerate() {
        if candidates.iter().any(|form| form.mentions(modifier)) {
            continue;
        }
        let text = module.names.get(modifier);
        let span = part_of(inst, n + 1, source);
        let mut diag = Diag::error(codes::UNKNOWN_FORM, span, format!("`{opcode}` has no modifier `.{text}`"));
        let words = candidates.iter().flat_map(|form| form.words()).map(|word| GRAMMAR.names.get(word));
        diag = match nearest(text, words) {
            Some(near) => diag.fix(span, format!(".{near}"), format!("there is `.{near}`")),
            None => with_forms(diag, candidates.iter().copied(), inst.modifiers),
        };
        return diag;
    }
    if let Some(form) = candidates.iter().find(|form| form.has_all(inst.modifiers)) {
        let message = format!("the modifiers of `{opcode}` stand in another order");
        let diag = Diag::error(codes::UNKNOWN_FORM, inst.opcode_span, message);
        return diag.note(format!("the form: {}", form.plain()));
    }
    let message = format!("`{opcode}` does not combine these modifiers");
    with_forms(Diag::error(codes::UNKNOWN_FORM, inst.opcode_span, message), candidates.iter().copied(), inst.modifiers)
}

/// Shows the forms that have most of the modifiers.
fn with_forms(mut diag: Diag, forms: impl Iterator<Item = &'static Form>, modifiers: &[Name]) -> Diag {
    let shared = |form: &&Form| std::cmp::Reverse(modifiers.iter().filter(|&&m| form.mentions(m)).count());
    let mut forms: Vec<_> = forms.collect();
    forms.sort_by_key(shared);
    for form in forms.into_iter().take(SHOWN_FORMS) {
        let sets: String = form.sets().map(|set| format!("; {set}")).collect();
        diag = diag.note(format!("a form: {}{sets}", form.plain()));
    }
    diag
}

/// A constant with more bits than its place.
pub fn narrowed(span: Span) -> Diag {
    let message = "the constant does not fit the type of the instruction; its high bits are dropped";
    Diag::warning(codes::OPERAND, span, message)
}

/// ptxas reads it so, and the PTX ISA does not say that it may be written so.
pub fn unlisted(head: &str, span: Span, form: &Form) -> Diag {
    let message = format!("the PTX ISA does not list this form of `{head}`; read as ptxas reads it");
    Diag::warning(codes::UNKNOWN_FORM, span, message).note(format!("read as the form: {}", form.plain()))
}

/// The span of the opcode (0) or of a modifier (from 1) in the text.
fn part_of(inst: &Inst<'_>, part: usize, source: &str) -> Span {
    let text = inst.opcode_span.text(source);
    // A guard stands before the opcode.
    let from = text.rfind(char::is_whitespace).map_or(0, |n| n + 1);
    let mut start = from;
    for (n, piece) in text[from..].split('.').enumerate() {
        if n == part {
            let at = inst.opcode_span.start + start as u32;
            let dot = u32::from(n > 0);
            return Span::new(at - dot, at + piece.len() as u32);
        }
        start += piece.len() + 1;
    }
    inst.opcode_span
}

impl<'m> Checker<'m> {
    pub(super) fn explain_misfit(&self, inst: &Inst<'_>, candidate: &Match, misfit: Misfit) -> Diag {
        let head = self.head(inst);
        let span = if misfit.operand.is_none() { inst.span } else { misfit.operand };
        let want = describe(&misfit.expected);
        let error = |message: String| Diag::error(codes::OPERAND, span, message);
        let diag = match misfit.why {
            Why::Count => {
                let most = candidate.operands.len();
                let least = candidate.operands.iter().filter(|o| !o.optional).count();
                let takes = match (least, most) {
                    (_, 0) => "no operands".to_string(),
                    (1, 1) => "1 operand".to_string(),
                    _ if least == most => format!("{most} operands"),
                    _ => format!("{least} to {most} operands"),
                };
                error(format!("`{head}` takes {takes}, not {}", inst.operands.len()))
            }
            Why::Type(name) => {
                let diag = error(format!("`{head}` takes {want} here, `{}` is {}", self.spell(name), self.sort(name)));
                return self.with_declaration(diag, name);
            }
            Why::Memory(name) => {
                let text = self.spell(name);
                let diag = error(format!("`{head}` takes {want} here, not the address of `{text}`"));
                let diag = diag.note(format!("`mov` takes the address, `[{text}]` in `ld` and `st` the contents"));
                return self.with_declaration(diag, name);
            }
            Why::Space(name) => {
                let diag = error(format!("`{head}` cannot reach `{}`, which is {}", self.spell(name), self.sort(name)));
                return self.with_declaration(diag, name);
            }
            Why::ShortAddress(name) => {
                let diag = error(format!("an address of this module has 64 bits, `{head}` uses 32 here"));
                return self.with_declaration(diag, name);
            }
            Why::Absolute => error("only `.local` memory has absolute addresses".into()),
            Why::Constant => error(format!("`{head}` takes {want} here, not this constant")),
            Why::ConstantResult => error(format!("the result of `{head}` cannot be a constant")),
            Why::Length => error(format!("`{head}` takes {want} here")),
            Why::Sink => error(format!("`{head}` cannot drop this with `_`")),
            Why::Special => {
                error(format!("`{head}` does not read special registers")).note("`mov` copies one to a register")
            }
            Why::Shape => error(format!("`{head}` takes {want} here")),
            Why::Values => {
                let values = misfit.expected.values.map_or(String::new(), |values| values.to_string());
                error(format!("`{head}` takes {values} here, not this constant"))
            }
            Why::Mixed => error(format!("the registers of a vector of `{head}` are all of one type")),
        };
        diag.note(format!("the form: {}", candidate.form.plain()))
    }

    /// What a name is: `a .f32 register`, `a .shared variable`.
    fn sort(&self, name: Name) -> String {
        match self.scopes.find(name) {
            Some((Entity::Variable(v), _)) if v.space == Space::Reg && v.vector > 1 => {
                format!("a register of {} .{}", v.vector, v.ty.word())
            }
            Some((Entity::Variable(v), _)) if v.space == Space::Reg => format!("a .{} register", v.ty.word()),
            Some((Entity::Variable(v), _)) => {
                let space = match v.space {
                    Space::Reg | Space::Sreg => "special",
                    Space::Const => ".const",
                    Space::Global => ".global",
                    Space::Local => ".local",
                    Space::Param => ".param",
                    Space::Shared => ".shared",
                    Space::Tex => ".tex",
                };
                format!("a {space} variable")
            }
            Some((Entity::Function(_), _)) => "a function".into(),
            Some((Entity::Label | Entity::Targets | Entity::Callees(_), _)) => "a label".into(),
            Some((Entity::Unknown, _)) | None => "a special register of another size".into(),
        }
    }
}

/// What an operand should be.
pub fn describe(expected: &Expected) -> String {
    let ty = expected.ty.map_or(String::new(), |ty| format!(".{} ", ty.word()));
    let or_constant = match expected.ty {
        _ if expected.result || expected.register => "",
        Some(ScalarType::F32 | ScalarType::F64) => " or floating-point constant",
        Some(ty) if ty.is_float() => "",
        Some(ScalarType::B32 | ScalarType::B64) | None => " or constant",
        Some(_) => " or integer constant",
    };
    match expected.kind {
        Kind::Value if expected.pair == Pair::Must => "a pair `r|p`".into(),
        Kind::Value if expected.braces == Braces::Must && expected.count == 1 => format!("a {ty}register in braces"),
        Kind::Value if expected.count > 1 => format!("a vector of {} {ty}values", expected.count),
        Kind::Value if expected.ty == Some(ScalarType::Pred) => format!("a predicate register{or_constant}"),
        Kind::Value => {
            let wider = if expected.wider { "(or wider) " } else { "" };
            format!("a {ty}{wider}register{or_constant}")
        }
        Kind::Immediate => "an integer constant".into(),
        Kind::Address(place) => match place {
            Place::Memory => "an address `[..]`".into(),
            Place::TensorMemory => "an address of tensor memory `[..]`, in a 32-bit register".into(),
            Place::Texture | Place::Sampler | Place::Surface | Place::TensorMap => format!("{} `[..]`", object(place)),
        },
        Kind::Object(place) => object(place).into(),
        Kind::Tuple { count, .. } => format!("a vector of {count} elements"),
        Kind::Bracket { .. } => "brackets with what the form lists".into(),
        Kind::Sink => "`_`".into(),
        Kind::Label => "a label".into(),
        Kind::Targets => "the label of a `.branchtargets` list".into(),
        Kind::Symbol => "a variable or function".into(),
        Kind::SpecialRegister => "a special register".into(),
        Kind::AddressRegister => "a 32- or 64-bit integer register".into(),
        Kind::Pack => format!("a vector whose elements together have the size of {}", ty.trim_end()),
        Kind::Part(selector) => {
            let of = match selector {
                Selector::One => "`.b0` to `.b3`, `.h0` or `.h1`",
                Selector::Mask2 => "`.h0`, `.h1` or `.h10`",
                Selector::Mask4 => "`.b3210` or part of it",
                Selector::Lanes2 => "two of `.h3210`",
                Selector::Lanes4 => "four of `.b76543210`",
            };
            format!("a 32-bit register, perhaps with {of}")
        }
        Kind::Any => "an operand".into(),
    }
}

fn object(place: Place) -> &'static str {
    match place {
        Place::Memory => "a variable",
        Place::TensorMemory => "an address of tensor memory",
        Place::Texture => "a texture or its handle",
        Place::Sampler => "a sampler or its handle",
        Place::Surface => "a surface or its handle",
        Place::TensorMap => "the address of a tensor map",
    }
}

/// The one word at distance one from the text: a letter more, less, other, or two swapped.
pub fn nearest<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let mut found = None;
    for word in words {
        if is_near(text.as_bytes(), word.as_bytes()) && found != Some(word) {
            if found.is_some() {
                return None;
            }
            found = Some(word);
        }
    }
    found
}

fn is_near(a: &[u8], b: &[u8]) -> bool {
    if a.len().min(b.len()) < 2 || a.len().abs_diff(b.len()) > 1 || a == b {
        return false;
    }
    let front = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[front..], &b[front..]);
    let back = a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[..a.len() - back], &b[..b.len() - back]);
    match (a, b) {
        ([_], [_]) | ([], [_]) | ([_], []) => true,
        ([x, y], [u, v]) => x == v && y == u,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words() {
        for (a, b) in [("prmt", "prtm"), ("prmt", "pmt"), ("pmt", "prmt"), ("prmt", "pxmt")] {
            assert!(is_near(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
        for (a, b) in [("prmt", "prmt"), ("prmt", "permute"), ("add", "dda"), ("a", "b")] {
            assert!(!is_near(a.as_bytes(), b.as_bytes()), "{a} {b}");
        }
        assert_eq!(nearest("ad", ["add", "and"].into_iter()), None);
        assert_eq!(nearest("prtm", ["add", "prmt"].into_iter()), Some("prmt"));
    }
}
