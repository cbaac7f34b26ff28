//! Why a production did not match, and the small productions that all others are made of.

use super::names::Name;
use super::tokens::{Kind, Token, Tokens};
use crate::diag::{Code, Diag, Span, codes};
use nom::error::{ErrorKind, ParseError};
use nom::{Err, IResult, Needed, Parser};

/// The result of a production.
pub type Parsed<'t, T> = IResult<Tokens<'t>, T, Fault>;

#[derive(Copy, Clone, Debug)]
pub enum Reason {
    /// What could have stood here.
    Expected(&'static str),
    /// A rule that is broken here.
    Breaks(Code, &'static str),
}

/// The place where a production stopped, and why.
#[derive(Copy, Clone, Debug)]
pub struct Fault {
    pub span: Span,
    pub reason: Reason,
}

impl Fault {
    pub fn at(input: Tokens<'_>, reason: Reason) -> Fault {
        Fault { span: input.tokens.first().map_or(Span::new(input.start(), input.start()), |t| t.span()), reason }
    }

    /// The message, with what was found instead.
    pub fn diag(self, source: &str) -> Diag {
        match self.reason {
            Reason::Breaks(code, text) => Diag::error(code, self.span, text),
            Reason::Expected(what) => {
                let message = format!("expected {what}, found {}", found(self.span, source));
                Diag::error(codes::SYNTAX, self.span, message)
            }
        }
    }
}

fn found(span: Span, source: &str) -> String {
    let text = span.text(source);
    match text.chars().next() {
        None => "the end of the file".into(),
        Some('"') if text.len() < 2 || !text.ends_with('"') => "a string without its closing quote".into(),
        Some('"') => "a string".into(),
        Some('/') if text.len() > 1 => "a comment without its end".into(),
        Some(c) if c.is_control() || !c.is_ascii() => "bytes that are not PTX".into(),
        Some(_) if text.len() > 40 => {
            let end = (0..=40).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0);
            format!("`{}..`", &text[..end])
        }
        Some(_) => format!("`{text}`"),
    }
}

impl<'t> ParseError<Tokens<'t>> for Fault {
    fn from_error_kind(input: Tokens<'t>, _: ErrorKind) -> Fault {
        Fault::at(input, Reason::Expected("something else"))
    }

    fn append(_: Tokens<'t>, _: ErrorKind, other: Fault) -> Fault {
        other
    }

    /// Of two alternatives, the one that came further knows more.
    fn or(self, other: Fault) -> Fault {
        if self.span.start > other.span.start { self } else { other }
    }
}

/// Fails at the next token.
pub fn expected<'t, T>(input: Tokens<'t>, what: &'static str) -> Parsed<'t, T> {
    Err(refuse(input, Reason::Expected(what)))
}

/// Fails at the next token: a rule is broken.
pub fn breaks<'t, T>(input: Tokens<'t>, code: Code, rule: &'static str) -> Parsed<'t, T> {
    Err(refuse(input, Reason::Breaks(code, rule)))
}

/// A failure at the next token, or the wish for more tokens when this portion is used up.
fn refuse(input: Tokens<'_>, reason: Reason) -> Err<Fault> {
    if input.tokens.is_empty() { Err::Incomplete(Needed::Unknown) } else { Err::Error(Fault::at(input, reason)) }
}

/// One token of this kind.
pub fn token<'t>(kind: Kind, what: &'static str) -> impl Parser<Tokens<'t>, Output = Token, Error = Fault> {
    move |input: Tokens<'t>| match input.tokens.split_first() {
        Some((first, rest)) if first.kind == kind => Ok((Tokens { tokens: rest, ..input }, *first)),
        _ => expected(input, what),
    }
}

/// `.word`, this one.
pub fn dot<'t>(name: Name, what: &'static str) -> impl Parser<Tokens<'t>, Output = Token, Error = Fault> {
    move |input: Tokens<'t>| match input.tokens.split_first() {
        Some((first, rest)) if first.kind == Kind::Dot && first.name == name => {
            Ok((Tokens { tokens: rest, ..input }, *first))
        }
        _ => expected(input, what),
    }
}

/// An identifier with its place.
pub fn identifier<'t>(what: &'static str) -> impl Parser<Tokens<'t>, Output = (Name, Span), Error = Fault> {
    move |input: Tokens<'t>| match input.tokens.split_first() {
        Some((first, rest)) if first.kind == Kind::Word => {
            Ok((Tokens { tokens: rest, ..input }, (first.name, first.span())))
        }
        _ => expected(input, what),
    }
}

/// Whether the next token is of this kind; asks for more tokens when the portion is used up.
pub fn peek<'t>(input: Tokens<'t>, n: usize) -> Result<Kind, Err<Fault>> {
    match input.tokens.get(n) {
        Some(token) => Ok(token.kind),
        None => Err(Err::Incomplete(Needed::Unknown)),
    }
}
