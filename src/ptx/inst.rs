//! Productions of instructions and their operands.
//!
//! PTX ISA 8.8, "Instruction Statements", "Instruction Operands". Every instruction has one shape here: guard, opcode,
//! modifiers, operands; which ones exist is the matter of the forms. `WARP_SZ` and constant expressions arrive as
//! literals, components of special registers as names of their own.

use super::fault::{Parsed, breaks, expected, identifier, peek, token};
use super::literal::{begins_constant, constant, constant_integer};
use super::names::Name;
use super::tokens::{Kind, Tokens};
use super::tree::{AddressBase, Guard, Inst, Literal, Operand, OperandKind};
use super::word;
use crate::diag::codes;
use nom::Input;
use nom::Parser;
use nom::combinator::opt;
use smallvec::SmallVec;

// test_ok guard
//   @p bra L;
//   @!%p1 exit;
fn guard(input: Tokens<'_>) -> Parsed<'_, Option<Guard>> {
    if peek(input, 0)? != Kind::At {
        return Ok((input, None));
    }
    let (rest, negation) = opt(token(Kind::Bang, "`!`")).parse(input.take_from(1))?;
    let (rest, (register, _)) = identifier("a predicate register").parse(rest)?;
    Ok((rest, Some(Guard { register, negated: negation.is_some(), span: rest.since(input) })))
}

/// From the guard to the semicolon.
// test_ok instruction
//   ret;
//   prmt.b32.f4e %r1, %r2, %r3, 0x7531;
//   call.uni (r), f, (a, 1);
pub fn instruction(input: Tokens<'_>) -> Parsed<'_, Inst> {
    let (start, guard) = guard(input)?;
    let (mut rest, (opcode, _)) = identifier("an instruction").parse(start)?;
    let mut modifiers = SmallVec::new();
    while peek(rest, 0)? == Kind::Dot {
        modifiers.push(rest.tokens[0].name);
        rest = rest.take_from(1);
    }
    let opcode_span = rest.since(start);
    let mut operands = SmallVec::new();
    if peek(rest, 0)? != Kind::Semi {
        loop {
            let (after, operand) = if opcode == word::CALL { call_operand(rest)? } else { operand(rest)? };
            operands.push(operand);
            rest = after;
            match peek(rest, 0)? {
                Kind::Comma => rest = rest.take_from(1),
                Kind::Semi => break,
                _ => return expected(rest, "`,` or `;`"),
            }
        }
    }
    let (rest, _) = token(Kind::Semi, "`;`").parse(rest)?;
    Ok((rest, Inst { guard, opcode, modifiers, operands, span: rest.since(input), opcode_span }))
}

/// `(a, b)` in a call; what any instruction takes elsewhere.
fn call_operand(input: Tokens<'_>) -> Parsed<'_, Operand> {
    if peek(input, 0)? != Kind::LParen {
        return operand(input);
    }
    let (rest, items) = sequence(input.take_from(1), Kind::RParen, "`,` or `)`", true)?;
    Ok((rest, Operand { kind: OperandKind::List(items), span: rest.since(input) }))
}

/// One operand of an instruction other than `call`.
pub fn operand(input: Tokens<'_>) -> Parsed<'_, Operand> {
    let (rest, kind) = match peek(input, 0)? {
        Kind::Word => named(input)?,
        Kind::LBracket => address(input)?,
        Kind::LBrace => {
            let (rest, items) = sequence(input.take_from(1), Kind::RBrace, "`,` or `}`", false)?;
            (rest, OperandKind::Vector(items))
        }
        Kind::Bang if peek(input, 1)? == Kind::Word => (input.take_from(2), OperandKind::Not(input.tokens[1].name)),
        Kind::Minus if peek(input, 1)? == Kind::Word && input.tokens[1].name != word::WARP_SZ => {
            return breaks(input, codes::SYNTAX, "only a constant can have a sign; use `neg`");
        }
        kind if begins_constant(kind) => {
            let (rest, literal) = constant(input)?;
            (rest, OperandKind::Literal(literal))
        }
        _ => return expected(input, "an operand"),
    };
    Ok((rest, Operand { kind, span: rest.since(input) }))
}

/// Operands up to a closing token, which is taken.
fn sequence<'t>(mut rest: Tokens<'t>, close: Kind, what: &'static str, or_none: bool) -> Parsed<'t, Vec<Operand>> {
    let mut items = Vec::new();
    if or_none && peek(rest, 0)? == close {
        return Ok((rest.take_from(1), items));
    }
    loop {
        let (after, item) = element(rest)?;
        items.push(item);
        match peek(after, 0)? {
            Kind::Comma => rest = after.take_from(1),
            kind if kind == close => return Ok((after.take_from(1), items)),
            _ => return expected(after, what),
        }
    }
}

/// An element of a vector or list: no vectors and addresses inside.
fn element(input: Tokens<'_>) -> Parsed<'_, Operand> {
    match peek(input, 0)? {
        Kind::LBrace | Kind::LBracket => expected(input, "a register, a name or a constant"),
        _ => operand(input),
    }
}

/// What begins with a name: the name itself, a component, `p|q`, `name+4`.
fn named(input: Tokens<'_>) -> Parsed<'_, OperandKind> {
    let first = input.tokens[0];
    let rest = input.take_from(1);
    let next = peek(rest, 0)?;
    if matches!(next, Kind::Comma | Kind::Semi) {
        return Ok((rest, simple(first.name)));
    }
    match next {
        Kind::Dot => {
            let suffix = rest.tokens[0].name;
            Ok((rest.take_from(1), component(first.name, suffix)))
        }
        Kind::Pipe => {
            let (rest, right) = match peek(rest, 1)? {
                Kind::Word => {
                    let right = rest.tokens[1];
                    (rest.take_from(2), Operand { kind: simple(right.name), span: right.span() })
                }
                _ => return expected(rest.take_from(1), "a predicate register or `_`"),
            };
            let left = Operand { kind: simple(first.name), span: first.span() };
            Ok((rest, OperandKind::Pair(Box::new(left), Box::new(right))))
        }
        Kind::Plus | Kind::Minus => {
            let (rest, offset) = constant_integer(rest)?;
            Ok((rest, OperandKind::NameOffset(first.name, offset as i64)))
        }
        Kind::LBracket => {
            breaks(rest, codes::SYNTAX, "array subscripts are not read; write the address as `name+bytes`")
        }
        _ => Ok((rest, simple(first.name))),
    }
}

fn simple(name: Name) -> OperandKind {
    match name {
        word::SINK => OperandKind::Sink,
        word::WARP_SZ => OperandKind::Literal(Literal::Int { value: 32, unsigned: false }),
        _ => OperandKind::Name(name),
    }
}

fn component(name: Name, suffix: Name) -> OperandKind {
    let index = match suffix {
        word::X | word::R => 0,
        word::Y | word::G => 1,
        word::Z | word::B => 2,
        word::W | word::A => 3,
        _ => return OperandKind::Part(name, suffix),
    };
    word::component(name, index).map_or(OperandKind::Component(name, index), OperandKind::Name)
}

/// `[base+offset]`, `[8]`, or the bracketed list of texture and tensor operands.
fn address(input: Tokens<'_>) -> Parsed<'_, OperandKind> {
    let inside = input.take_from(1);
    let mut items: SmallVec<[Operand; 1]> = SmallVec::new();
    let mut rest = inside;
    loop {
        let (after, item) = match peek(rest, 0)? {
            Kind::LBracket => return expected(rest, "an address"),
            _ => operand(rest)?,
        };
        items.push(item);
        match peek(after, 0)? {
            Kind::Comma => rest = after.take_from(1),
            Kind::RBracket => {
                rest = after.take_from(1);
                break;
            }
            _ => return expected(after, "`]`"),
        }
    }
    if items.len() > 1 {
        return Ok((rest, OperandKind::Bracket(items.into_vec())));
    }
    let address = match items[0].kind {
        OperandKind::Name(name) => OperandKind::Address { base: AddressBase::Name(name), offset: 0 },
        OperandKind::NameOffset(name, offset) => OperandKind::Address { base: AddressBase::Name(name), offset },
        OperandKind::Literal(Literal::Int { value, .. }) => {
            OperandKind::Address { base: AddressBase::None, offset: value as i64 }
        }
        _ => return expected(inside, "an address"),
    };
    Ok((rest, address))
}
