//! Where a space stands between two tokens of a statement.

use crate::ptx::tokens::{Kind, Token};
use crate::ptx::word;

/// How dots are set: `add.s32` and `.reg .s32`.
#[derive(Copy, Clone, PartialEq)]
pub enum Style {
    Instruction,
    Declaration,
}

/// Whether a space stands before the `n`th token, which is not the first.
pub fn is_space_before(tokens: &[Token], n: usize, style: Style, source: &str) -> bool {
    let (left, right) = (tokens[n - 1], tokens[n]);
    let instruction = style == Style::Instruction;
    match (left.kind, right.kind) {
        (_, Kind::Comma | Kind::Semi | Kind::RParen | Kind::RBracket | Kind::RBrace) => false,
        (Kind::LParen | Kind::LBracket | Kind::LBrace | Kind::At, _) => false,
        (Kind::Comma | Kind::Semi, _) => true,
        // The colon of `a ? b : c`; else that of a label.
        (_, Kind::Colon) => tokens[..n].iter().any(|token| token.kind == Kind::Question),
        (Kind::Colon | Kind::Question, _) | (_, Kind::Question) => true,
        // `7%2` would be a register.
        (Kind::Percent, _) | (_, Kind::Percent) => true,
        (_, Kind::Equal) => is_assignment(tokens, n),
        (Kind::Equal, _) => is_assignment(tokens, n - 1),
        // The first operand.
        (Kind::Dot, kind) if instruction && (is_operator(kind) || kind == Kind::LParen) => true,
        (left, right) if is_operator(left) || is_operator(right) => false,
        (Kind::Dot, Kind::LParen) => left.name != word::ATTRIBUTE,
        (Kind::Word, Kind::LParen) => instruction || left.span().text(source) == "_",
        (Kind::Number | Kind::RParen, Kind::LParen) => false,
        // A cast.
        (Kind::RParen, Kind::Number) => false,
        (Kind::Word | Kind::Dot, Kind::Dot) => !instruction,
        (Kind::Word | Kind::RBracket | Kind::Greater, Kind::LBracket) => instruction,
        _ => true,
    }
}

fn is_operator(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Bang
            | Kind::Pipe
            | Kind::Plus
            | Kind::Minus
            | Kind::Less
            | Kind::Greater
            | Kind::Star
            | Kind::Slash
            | Kind::And
            | Kind::Caret
            | Kind::Tilde
    )
}

/// Whether the `=` at `n` is no part of `==`, `!=`, `<=` or `>=`.
fn is_assignment(tokens: &[Token], n: usize) -> bool {
    let joined = |a: usize, b: usize| match (tokens.get(a), tokens.get(b)) {
        (Some(a), Some(b)) => a.end == b.start,
        _ => false,
    };
    let kind = |n: usize| tokens.get(n).map_or(Kind::End, |token| token.kind);
    let second = n > 0 && joined(n - 1, n) && matches!(kind(n - 1), Kind::Equal | Kind::Bang | Kind::Less)
        || n > 0 && joined(n - 1, n) && kind(n - 1) == Kind::Greater && !closes_range(tokens, n - 1);
    let first = joined(n, n + 1) && kind(n + 1) == Kind::Equal;
    !second && !first
}

/// Whether the `>` at `n` ends `<10>`.
fn closes_range(tokens: &[Token], n: usize) -> bool {
    n >= 2 && tokens[n - 2].kind == Kind::Less && tokens[n - 1].kind == Kind::Number
}
