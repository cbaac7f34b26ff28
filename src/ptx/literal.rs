//! Numbers and constant expressions.
//!
//! PTX ISA 8.8, "Constants": integers are 64 bits wide, signed unless they have the suffix `U` or do not fit;
//! expressions follow C, with the integer conversions of "Summary of Constant Expression Evaluation Rules".
//! `WARP_SZ` is 32. Floating-point expressions are evaluated in f64; a `0f` literal takes part in none. Integers and
//! floats do not mix.

use super::fault::{Parsed, breaks, expected, peek, token};
use super::tokens::{Kind, Tokens};
use super::tree::Literal;
use super::word;
use crate::diag::codes;
use nom::Input;
use nom::Parser;

/// How deep parentheses, signs and list braces may nest.
pub const MAX_DEPTH: u32 = 64;

/// The value of one number token.
pub fn read_number(text: &str) -> Result<Literal, &'static str> {
    let bytes = text.as_bytes();
    if bytes.len() < 10 && bytes.first().is_some_and(|&b| b != b'0') && bytes.iter().all(u8::is_ascii_digit) {
        let value = bytes.iter().fold(0, |value, digit| value * 10 + u32::from(digit - b'0'));
        return Ok(Literal::Int { value: value.into(), unsigned: false });
    }
    let prefix = if bytes.len() > 1 && bytes[0] == b'0' { bytes[1] } else { 0 };
    match prefix {
        b'f' | b'F' => {
            hex_bits(&text[2..], 8, "a `0f` literal has eight hexadecimal digits").map(|b| Literal::F32(b as u32))
        }
        b'd' | b'D' => hex_bits(&text[2..], 16, "a `0d` literal has sixteen hexadecimal digits").map(Literal::F64),
        b'x' | b'X' => integer(&bytes[2..], 16),
        b'b' | b'B' => integer(&bytes[2..], 2),
        b'0'..=b'9' if !bytes.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) => {
            integer(&bytes[1..], 8).map_err(|_| "a number that begins with 0 is octal")
        }
        _ if bytes.iter().any(|b| matches!(b, b'.' | b'e' | b'E')) => decimal(text),
        _ => integer(bytes, 10),
    }
}

fn hex_bits(digits: &str, count: usize, rule: &'static str) -> Result<u64, &'static str> {
    let plain = digits.len() == count && digits.bytes().all(|b| b.is_ascii_hexdigit());
    if plain { u64::from_str_radix(digits, 16).map_err(|_| rule) } else { Err(rule) }
}

fn integer(digits: &[u8], radix: u32) -> Result<Literal, &'static str> {
    let (digits, suffix) = match digits.split_last() {
        Some((b'U', digits)) => (digits, true),
        _ => (digits, false),
    };
    let mut value = 0u64;
    for &digit in digits {
        let digit = (digit as char).to_digit(radix).ok_or("this is not a number of PTX")?;
        let scaled = value.checked_mul(u64::from(radix)).and_then(|v| v.checked_add(u64::from(digit)));
        value = scaled.ok_or("the number does not fit 64 bits")?;
    }
    if digits.is_empty() {
        return Err("this is not a number of PTX");
    }
    Ok(Literal::Int { value, unsigned: suffix || value > i64::MAX as u64 })
}

fn decimal(text: &str) -> Result<Literal, &'static str> {
    let plain = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-'));
    match text.parse::<f64>() {
        Ok(value) if plain && value.is_finite() => Ok(Literal::Decimal(value.to_bits())),
        Ok(_) if plain => Err("the number is too large for a double"),
        _ => Err("this is not a number of PTX"),
    }
}

/// A number without sign or operators: counts, lines, alignments.
pub fn plain_integer(input: Tokens<'_>) -> Parsed<'_, u64> {
    let (rest, literal) = number(input)?;
    match literal {
        Literal::Int { value, .. } => Ok((rest, value)),
        _ => expected(input, "an integer"),
    }
}

fn number(input: Tokens<'_>) -> Parsed<'_, Literal> {
    let (rest, number) = token(Kind::Number, "a number").parse(input)?;
    match read_number(number.span().text(input.source)) {
        Ok(literal) => Ok((rest, literal)),
        Err(rule) => breaks(input, codes::SYNTAX, rule),
    }
}

/// A constant expression; a lone number in the common case.
pub fn constant(input: Tokens<'_>) -> Parsed<'_, Literal> {
    let ends = |n| matches!(input.kind(n), Kind::Comma | Kind::Semi | Kind::RBrace | Kind::RBracket);
    match input.kind(0) {
        Kind::Number if ends(1) => return number(input),
        Kind::Plus | Kind::Minus if input.kind(1) == Kind::Number && ends(2) => return unary(input, 0),
        _ => {}
    }
    ternary(input, 0)
}

/// A constant expression that is an integer, as its 64 bits.
pub fn constant_integer(input: Tokens<'_>) -> Parsed<'_, u64> {
    let (rest, literal) = constant(input)?;
    match literal {
        Literal::Int { value, .. } => Ok((rest, value)),
        _ => expected(input, "an integer"),
    }
}

/// Whether a constant expression can begin with this token.
pub fn begins_constant(kind: Kind) -> bool {
    matches!(kind, Kind::Number | Kind::Minus | Kind::Plus | Kind::Tilde | Kind::Bang | Kind::LParen)
}

fn ternary(input: Tokens<'_>, depth: u32) -> Parsed<'_, Literal> {
    let (rest, condition) = binary(input, 0, depth)?;
    if peek(rest, 0)? != Kind::Question {
        return Ok((rest, condition));
    }
    let (rest, yes) = ternary(rest.take_from(1), depth + 1)?;
    let (rest, _) = token(Kind::Colon, "`:`").parse(rest)?;
    let (rest, no) = ternary(rest, depth + 1)?;
    let Some(condition) = truth(condition) else { return expected(input, "an integer condition") };
    Ok((rest, if condition { yes } else { no }))
}

#[derive(Copy, Clone, PartialEq)]
enum Operator {
    LogicalOr,
    LogicalAnd,
    Or,
    Xor,
    And,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    Shl,
    Shr,
    Add,
    Sub,
    Mul,
    Div,
    Rem,
}

/// The operator at the front, its precedence as in C, and how many tokens it takes.
fn operator(input: Tokens<'_>) -> Option<(Operator, u8, usize)> {
    let first = input.kind(0);
    let joined = input.tokens.len() > 1 && input.tokens[0].end == input.tokens[1].start;
    let second = if joined { input.kind(1) } else { Kind::End };
    Some(match (first, second) {
        (Kind::Pipe, Kind::Pipe) => (Operator::LogicalOr, 1, 2),
        (Kind::And, Kind::And) => (Operator::LogicalAnd, 2, 2),
        (Kind::Pipe, _) => (Operator::Or, 3, 1),
        (Kind::Caret, _) => (Operator::Xor, 4, 1),
        (Kind::And, _) => (Operator::And, 5, 1),
        (Kind::Equal, Kind::Equal) => (Operator::Eq, 6, 2),
        (Kind::Bang, Kind::Equal) => (Operator::Ne, 6, 2),
        (Kind::Less, Kind::Less) => (Operator::Shl, 8, 2),
        (Kind::Greater, Kind::Greater) => (Operator::Shr, 8, 2),
        (Kind::Less, Kind::Equal) => (Operator::Le, 7, 2),
        (Kind::Greater, Kind::Equal) => (Operator::Ge, 7, 2),
        (Kind::Less, _) => (Operator::Lt, 7, 1),
        (Kind::Greater, _) => (Operator::Gt, 7, 1),
        (Kind::Plus, _) => (Operator::Add, 9, 1),
        (Kind::Minus, _) => (Operator::Sub, 9, 1),
        (Kind::Star, _) => (Operator::Mul, 10, 1),
        (Kind::Slash, _) => (Operator::Div, 10, 1),
        (Kind::Percent, _) => (Operator::Rem, 10, 1),
        _ => return None,
    })
}

/// Operators that bind tighter than `above`, from the left.
fn binary(input: Tokens<'_>, above: u8, depth: u32) -> Parsed<'_, Literal> {
    let (mut rest, mut left) = unary(input, depth)?;
    loop {
        if peek(rest, 0)? != Kind::End {
            peek(rest, 1)?;
        }
        let Some((operator, precedence, length)) = operator(rest) else { return Ok((rest, left)) };
        if precedence <= above {
            return Ok((rest, left));
        }
        let (after, right) = binary(rest.take_from(length), precedence, depth)?;
        left = match apply(operator, left, right) {
            Ok(value) => value,
            Err(rule) => return breaks(rest, codes::SYNTAX, rule),
        };
        rest = after;
    }
}

fn unary(input: Tokens<'_>, depth: u32) -> Parsed<'_, Literal> {
    if depth > MAX_DEPTH {
        return breaks(input, codes::LIMIT, "the constant expression is nested too deeply");
    }
    let inner = |rest| unary(rest, depth + 1);
    match peek(input, 0)? {
        Kind::Number => number(input),
        Kind::Word if input.tokens[0].name == word::WARP_SZ => Ok((input.take_from(1), int(32, false))),
        Kind::Plus => inner(input.take_from(1)),
        Kind::Minus => {
            let (rest, value) = inner(input.take_from(1))?;
            let negated = match value {
                Literal::Int { value, unsigned } => Literal::Int { value: value.wrapping_neg(), unsigned },
                Literal::F32(bits) => Literal::F32(bits ^ 1 << 31),
                Literal::F64(bits) => Literal::F64(bits ^ 1 << 63),
                Literal::Decimal(bits) => Literal::Decimal(bits ^ 1 << 63),
            };
            Ok((rest, negated))
        }
        Kind::Tilde | Kind::Bang => {
            let (rest, value) = inner(input.take_from(1))?;
            let Literal::Int { value, unsigned } = value else { return expected(input, "an integer expression") };
            let complement = input.kind(0) == Kind::Tilde;
            Ok((rest, if complement { int(!value, unsigned) } else { int(u64::from(value == 0), false) }))
        }
        Kind::LParen if peek(input, 1)? == Kind::Dot => {
            let unsigned = match input.tokens[1].name {
                word::U64 => true,
                word::S64 => false,
                _ => return expected(input.take_from(1), "`.s64` or `.u64`"),
            };
            let (rest, _) = token(Kind::RParen, "`)`").parse(input.take_from(2))?;
            let (rest, value) = inner(rest)?;
            let Literal::Int { value, .. } = value else { return expected(input, "an integer expression") };
            Ok((rest, int(value, unsigned)))
        }
        Kind::LParen => {
            let (rest, value) = ternary(input.take_from(1), depth + 1)?;
            let (rest, _) = token(Kind::RParen, "`)`").parse(rest)?;
            Ok((rest, value))
        }
        _ => expected(input, "a constant"),
    }
}

fn int(value: u64, unsigned: bool) -> Literal {
    Literal::Int { value, unsigned }
}

fn truth(value: Literal) -> Option<bool> {
    match value {
        Literal::Int { value, .. } => Some(value != 0),
        Literal::F32(_) | Literal::F64(_) | Literal::Decimal(_) => None,
    }
}

fn apply(operator: Operator, left: Literal, right: Literal) -> Result<Literal, &'static str> {
    match (left, right) {
        (Literal::Int { value: a, unsigned: ua }, Literal::Int { value: b, unsigned: ub }) => {
            integers(operator, a, ua, b, ub)
        }
        (Literal::F32(_), _) | (_, Literal::F32(_)) => Err("a `0f` literal cannot take part in an expression"),
        (Literal::F64(a) | Literal::Decimal(a), Literal::F64(b) | Literal::Decimal(b)) => {
            doubles(operator, f64::from_bits(a), f64::from_bits(b))
        }
        (Literal::Int { .. }, _) | (_, Literal::Int { .. }) => Err("an integer and a float do not mix"),
    }
}

fn integers(operator: Operator, a: u64, ua: bool, b: u64, ub: bool) -> Result<Literal, &'static str> {
    let unsigned = ua || ub;
    let (sa, sb) = (a as i64, b as i64);
    let less = if unsigned { a < b } else { sa < sb };
    let flag = |value: bool| Ok(int(u64::from(value), false));
    Ok(match operator {
        Operator::LogicalOr => return flag(a != 0 || b != 0),
        Operator::LogicalAnd => return flag(a != 0 && b != 0),
        Operator::Eq => return flag(a == b),
        Operator::Ne => return flag(a != b),
        Operator::Lt => return flag(less),
        Operator::Le => return flag(less || a == b),
        Operator::Gt => return flag(!less && a != b),
        Operator::Ge => return flag(!less),
        Operator::Or => int(a | b, unsigned),
        Operator::Xor => int(a ^ b, unsigned),
        Operator::And => int(a & b, unsigned),
        // The type is that of the left side. ptxas shifts by the amount modulo 64; no manual says so.
        Operator::Shl | Operator::Shr if b > 63 => return Err("a shift by less than 0 or more than 63"),
        Operator::Shl => int(a << b, ua),
        Operator::Shr if ua => int(a >> b, ua),
        Operator::Shr => int((sa >> b) as u64, ua),
        Operator::Add => int(a.wrapping_add(b), unsigned),
        Operator::Sub => int(a.wrapping_sub(b), unsigned),
        Operator::Mul => int(a.wrapping_mul(b), unsigned),
        Operator::Div | Operator::Rem if b == 0 => return Err("division by zero"),
        Operator::Div => int(if unsigned { a / b } else { sa.wrapping_div(sb) as u64 }, unsigned),
        // The remainder is that of the unsigned numbers, and unsigned.
        Operator::Rem => int(a % b, true),
    })
}

fn doubles(operator: Operator, a: f64, b: f64) -> Result<Literal, &'static str> {
    let flag = |value: bool| Ok(int(u64::from(value), false));
    let value = match operator {
        Operator::Eq => return flag(a == b),
        Operator::Ne => return flag(a != b),
        Operator::Lt => return flag(a < b),
        Operator::Le => return flag(a <= b),
        Operator::Gt => return flag(a > b),
        Operator::Ge => return flag(a >= b),
        Operator::Add => a + b,
        Operator::Sub => a - b,
        Operator::Mul => a * b,
        Operator::Div => a / b,
        Operator::LogicalOr
        | Operator::LogicalAnd
        | Operator::Or
        | Operator::Xor
        | Operator::And
        | Operator::Shl
        | Operator::Shr
        | Operator::Rem => return Err("this operator takes integers only"),
    };
    if value.is_finite() { Ok(Literal::F64(value.to_bits())) } else { Err("the result is not a finite number") }
}
