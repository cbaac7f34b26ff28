//! Productions of instructions and their operands.
//!
//! PTX ISA 8.8, "Instruction Statements", "Instruction Operands". Every instruction has one shape here: guard, opcode,
//! modifiers, operands; which ones exist is the matter of the forms. `WARP_SZ` and constant expressions arrive as
//! literals, components of special registers as names of their own.

use super::code::Code;
use super::fault::{Parsed, breaks, expected, identifier, peek, token};
use super::literal::{begins_constant, constant, constant_integer};
use super::names::Name;
use super::tokens::{Kind, Tokens};
use super::tree::{Guard, Literal, Offset, Operand, OperandKind, PackedInst};
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

/// From the guard to the semicolon; the operands go to the rows of the code.
// test_ok instruction
//   ret;
//   prmt.b32.f4e %r1, %r2, %r3, 0x7531;
//   call.uni (r), f, (a, 1);
pub fn instruction<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, PackedInst> {
    let mark = code.mark();
    let (start, guard) = guard(input)?;
    if let Some(Guard { register, negated, span }) = guard {
        code.push(if negated { OperandKind::Not(register) } else { OperandKind::Name(register) }, span);
    }
    let (rest, (opcode, _)) = identifier("an instruction").parse(start)?;
    let count = rest.tokens.iter().take_while(|token| token.kind == Kind::Dot).count();
    let (modifiers, mut rest) = (&rest.tokens[..count], rest.take_from(count));
    let opcode_span = rest.since(start);
    if peek(rest, 0)? != Kind::Semi {
        loop {
            rest = match rest.tokens {
                // Most operands are one token.
                [one, next, ..] if one.kind == Kind::Word && matches!(next.kind, Kind::Comma | Kind::Semi) => {
                    code.push(simple(one.name), one.span());
                    rest.take_from(1)
                }
                _ => {
                    let (after, Operand { kind, span }) =
                        if opcode == word::CALL { call_operand(rest, code)? } else { operand(rest, code)? };
                    code.push(kind, span);
                    after
                }
            };
            match peek(rest, 0)? {
                Kind::Comma => rest = rest.take_from(1),
                Kind::Semi => break,
                _ => return expected(rest, "`,` or `;`"),
            }
        }
    }
    let rest = rest.take_from(1);
    let (head, operands) = (code.intern(opcode, modifiers), code.since(mark));
    Ok((rest, PackedInst { head, operands, guarded: guard.is_some(), span: rest.since(input), opcode_span }))
}

/// `(a, b)` in a call; what any instruction takes elsewhere.
fn call_operand<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, Operand> {
    if peek(input, 0)? != Kind::LParen {
        return operand(input, code);
    }
    let (rest, items) = sequence(input.take_from(1), Kind::RParen, "`,` or `)`", true, code)?;
    Ok((rest, Operand { kind: OperandKind::List(code.list(&items)), span: rest.since(input) }))
}

/// One operand of an instruction other than `call`.
fn operand<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, Operand> {
    let (rest, kind) = match peek(input, 0)? {
        Kind::Word => named(input, code)?,
        Kind::LBracket => address(input, code)?,
        Kind::LBrace => {
            let (rest, items) = sequence(input.take_from(1), Kind::RBrace, "`,` or `}`", false, code)?;
            let vector = OperandKind::Vector(code.list(&items));
            if peek(rest, 0)? == Kind::Pipe {
                pair(Operand { kind: vector, span: rest.since(input) }, rest, code)?
            } else {
                (rest, vector)
            }
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

/// Operands of a list.
type Items = SmallVec<[Operand; 8]>;

/// Operands up to a closing token, which is taken.
fn sequence<'t>(
    mut rest: Tokens<'t>,
    close: Kind,
    what: &'static str,
    or_none: bool,
    code: &mut Code,
) -> Parsed<'t, Items> {
    let mut items = Items::new();
    if or_none && peek(rest, 0)? == close {
        return Ok((rest.take_from(1), items));
    }
    loop {
        let (after, item) = element(rest, code)?;
        items.push(item);
        match peek(after, 0)? {
            Kind::Comma => rest = after.take_from(1),
            kind if kind == close => return Ok((after.take_from(1), items)),
            _ => return expected(after, what),
        }
    }
}

/// An element of a vector or list: no vectors and addresses inside.
fn element<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, Operand> {
    match peek(input, 0)? {
        Kind::LBrace | Kind::LBracket => expected(input, "a register, a name or a constant"),
        _ => operand(input, code),
    }
}

/// What begins with a name: the name itself, a component, `p|q`, `name+4`.
fn named<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, OperandKind> {
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
        Kind::Pipe => pair(Operand { kind: simple(first.name), span: first.span() }, rest, code),
        Kind::Plus | Kind::Minus => {
            let (rest, offset) = constant_integer(rest)?;
            Ok((rest, OperandKind::NameOffset(first.name, Offset::new(offset as i64))))
        }
        Kind::LBracket => {
            breaks(rest, codes::SYNTAX, "array subscripts are not read; write the address as `name+bytes`")
        }
        _ => Ok((rest, simple(first.name))),
    }
}

/// `|q` behind the left half.
fn pair<'t>(left: Operand, bar: Tokens<'t>, code: &mut Code) -> Parsed<'t, OperandKind> {
    match peek(bar, 1)? {
        Kind::Word => {
            let right = Operand { kind: simple(bar.tokens[1].name), span: bar.tokens[1].span() };
            Ok((bar.take_from(2), OperandKind::Pair(code.list(&[left, right]))))
        }
        _ => expected(bar.take_from(1), "a predicate register or `_`"),
    }
}

#[inline]
pub fn simple(name: Name) -> OperandKind {
    match name {
        word::SINK => OperandKind::Sink,
        word::WARP_SZ => OperandKind::Literal(Literal::Int { value: 32, unsigned: false }),
        _ => OperandKind::Name(name),
    }
}

pub fn component(name: Name, suffix: Name) -> OperandKind {
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
fn address<'t>(input: Tokens<'t>, code: &mut Code) -> Parsed<'t, OperandKind> {
    if let [_, name, close, next, ..] = input.tokens
        && (name.kind, close.kind) == (Kind::Word, Kind::RBracket)
        && next.kind != Kind::Dot
        && let OperandKind::Name(base) = simple(name.name)
    {
        return Ok((input.take_from(3), OperandKind::Address { base, offset: Offset::default() }));
    }
    let inside = input.take_from(1);
    let mut items: SmallVec<[Operand; 1]> = SmallVec::new();
    let mut rest = inside;
    loop {
        let (after, item) = match peek(rest, 0)? {
            Kind::LBracket => return expected(rest, "an address"),
            _ => operand(rest, code)?,
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
        return Ok((rest, OperandKind::Bracket(code.list(&items))));
    }
    let address = match items[0].kind {
        OperandKind::Name(base) => OperandKind::Address { base, offset: Offset::default() },
        OperandKind::NameOffset(base, offset) => OperandKind::Address { base, offset },
        OperandKind::Literal(Literal::Int { value, .. }) => OperandKind::Absolute(value as i64),
        _ => return expected(inside, "an address"),
    };
    unified(rest, address)
}

/// `.unified` behind an address.
fn unified(rest: Tokens<'_>, address: OperandKind) -> Parsed<'_, OperandKind> {
    match address {
        OperandKind::Address { base, offset }
            if peek(rest, 0)? == Kind::Dot && rest.tokens[0].name == word::UNIFIED =>
        {
            Ok((rest.take_from(1), OperandKind::Unified { base, offset }))
        }
        _ => Ok((rest, address)),
    }
}
