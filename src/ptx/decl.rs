//! Productions of declarations: variables, functions, targets of indirect branches and calls, and what only debuggers read.
//!
//! PTX ISA 8.8, "State Spaces, Types, and Variables", "Kernel and Function Directives", "Performance-Tuning Directives",
//! "Debugging Directives", "Linking Directives", "Cluster Dimension Directives".

use super::fault::{Fault, Parsed, Reason, breaks, dot, expected, identifier, peek, token};
use super::literal::{MAX_DEPTH, begins_constant, constant, constant_integer, plain_integer};
use super::names::Name;
use super::tokens::{Kind, Tokens};
use super::tree::*;
use super::word;
use crate::diag::{Span, codes};
use nom::Input;
use nom::Parser;
use nom::combinator::opt;
use nom::multi::separated_list1;
use nom::sequence::{delimited, preceded};
use smallvec::SmallVec;

/// The state space that a directive opens: `.reg`, `.shared`.
pub fn space(word: Name) -> Option<Space> {
    Some(match word {
        word::REG => Space::Reg,
        word::SREG => Space::Sreg,
        word::CONST_ => Space::Const,
        word::GLOBAL => Space::Global,
        word::LOCAL => Space::Local,
        word::PARAM | word::PARAM_ENTRY | word::PARAM_FUNC => Space::Param,
        word::SHARED | word::SHARED_CTA => Space::Shared,
        word::TEX => Space::Tex,
        _ => return None,
    })
}

/// What `.visible`, `.extern`, `.weak` and `.common` say.
pub fn linkage(word: Name) -> Option<Linkage> {
    Some(match word {
        word::VISIBLE => Linkage::Visible,
        word::EXTERN_ => Linkage::Extern,
        word::WEAK => Linkage::Weak,
        word::COMMON => Linkage::Common,
        _ => return None,
    })
}

/// A list of integers with commas between.
fn integers(input: Tokens<'_>) -> Parsed<'_, Vec<u64>> {
    separated_list1(token(Kind::Comma, "`,`"), plain_integer).parse(input)
}

/// Everything of a declaration that stands before the names.
struct Prefix {
    linkage: Linkage,
    space: Space,
    align_bytes: Option<u32>,
    vector: u8,
    ty: ScalarType,
    ptr: Option<PtrAttribute>,
    attributes: Vec<Name>,
}

/// `.global .align 16 .v4 .f32`, in any order behind the space; `.ptr` takes the space and alignment behind it.
fn prefix(input: Tokens<'_>, linkage: Linkage) -> Parsed<'_, Prefix> {
    let Some(space_of) = (peek(input, 0)? == Kind::Dot).then(|| space(input.tokens[0].name)).flatten() else {
        return expected(input, "a state space");
    };
    let mut found = Prefix {
        linkage,
        space: space_of,
        align_bytes: None,
        vector: 1,
        ty: ScalarType::B8,
        ptr: None,
        attributes: Vec::new(),
    };
    let mut has_type = false;
    let mut rest = input.take_from(1);
    while peek(rest, 0)? == Kind::Dot {
        let name = rest.tokens[0].name;
        let after = rest.take_from(1);
        rest = match name {
            word::ALIGN => {
                let (after, bytes) = alignment(after)?;
                match &mut found.ptr {
                    Some(ptr) => ptr.align_bytes = Some(bytes),
                    None => found.align_bytes = Some(bytes),
                }
                after
            }
            word::V2 | word::V4 | word::V8 => {
                found.vector = if name == word::V2 {
                    2
                } else if name == word::V4 {
                    4
                } else {
                    8
                };
                after
            }
            word::PTR => {
                found.ptr = Some(PtrAttribute { space: None, align_bytes: None });
                after
            }
            word::ATTRIBUTE => {
                let (after, words) = attribute(after)?;
                found.attributes.extend(words);
                after
            }
            _ => match (word::scalar_type(name), space(name), &mut found.ptr) {
                (Some(ty), _, _) if !has_type => {
                    found.ty = ty;
                    has_type = true;
                    after
                }
                (None, Some(space), Some(ptr)) if ptr.space.is_none() => {
                    ptr.space = Some(space);
                    after
                }
                _ if has_type => return expected(rest, "a name"),
                _ => return expected(rest, "a type"),
            },
        };
    }
    if !has_type {
        return expected(rest, "a type");
    }
    Ok((rest, found))
}

fn alignment(input: Tokens<'_>) -> Parsed<'_, u32> {
    let (rest, bytes) = plain_integer(input)?;
    match u32::try_from(bytes) {
        Ok(bytes) if bytes.is_power_of_two() => Ok((rest, bytes)),
        _ => breaks(input, codes::DIRECTIVE, "an alignment is a power of two"),
    }
}

/// `(.managed)`, `(.unified(1, 2), .managed)`: the words.
fn attribute(input: Tokens<'_>) -> Parsed<'_, Vec<Name>> {
    let numbers = delimited(token(Kind::LParen, "`(`"), integers, token(Kind::RParen, "`)`"));
    let one = (token(Kind::Dot, "an attribute"), opt(numbers)).map(|(word, _)| word.name);
    let list = separated_list1(token(Kind::Comma, "`,`"), one);
    delimited(token(Kind::LParen, "`(`"), list, token(Kind::RParen, "`)`")).parse(input)
}

/// `name`, `%r<10>`, `a[4][]`, with an initialiser where one may stand.
fn declarator<'t>(input: Tokens<'t>, from: Tokens<'t>, prefix: &Prefix, may_init: bool) -> Parsed<'t, Variable> {
    let (mut rest, (name, name_span)) = identifier("a name").parse(input)?;
    let mut variable = Variable {
        linkage: prefix.linkage,
        align_bytes: prefix.align_bytes,
        vector: prefix.vector,
        ptr: prefix.ptr,
        attributes: prefix.attributes.clone(),
        ..Variable::scalar(prefix.space, prefix.ty, name, name_span)
    };
    if peek(rest, 0)? == Kind::Less {
        let (after, count) = plain_integer(rest.take_from(1))?;
        let Ok(count) = u32::try_from(count) else {
            return breaks(rest.take_from(1), codes::LIMIT, "more registers than 32 bits can number");
        };
        variable.range = Some(count);
        rest = token(Kind::Greater, "`>`").parse(after)?.0;
    }
    while peek(rest, 0)? == Kind::LBracket {
        let inside = rest.take_from(1);
        if peek(inside, 0)? == Kind::RBracket {
            variable.dims.push(None);
            rest = inside.take_from(1);
            continue;
        }
        let (after, count) = constant_integer(inside)?;
        if count > i64::MAX as u64 {
            return breaks(inside, codes::DIRECTIVE, "an array has no negative size");
        }
        variable.dims.push(Some(count));
        rest = token(Kind::RBracket, "`]`").parse(after)?.0;
    }
    if may_init && peek(rest, 0)? == Kind::Equal {
        let (after, init) = initialiser(rest.take_from(1), 0)?;
        variable.init = Some(init);
        rest = after;
    }
    variable.span = rest.since(from);
    Ok((rest, variable))
}

/// A declaration statement up to its semicolon; it may declare several names.
// test_ok variables
//   .reg .b32 %r<10>, %spare;
//   .shared .align 16 .v4 .f32 tile[16][17];
//   .global .u64 table[2] = {generic(a)+8, 0xFF(b)};
pub fn variables(input: Tokens<'_>, linkage: Linkage) -> Parsed<'_, SmallVec<[Variable; 1]>> {
    let (mut rest, prefix) = prefix(input, linkage)?;
    let mut found = SmallVec::new();
    loop {
        let (after, variable) = declarator(rest, input, &prefix, true)?;
        found.push(variable);
        match peek(after, 0)? {
            Kind::Comma => rest = after.take_from(1),
            Kind::Semi => return Ok((after.take_from(1), found)),
            _ => return expected(after, "`;`"),
        }
    }
}

fn initialiser(input: Tokens<'_>, depth: u32) -> Parsed<'_, Init> {
    if depth > MAX_DEPTH {
        return breaks(input, codes::LIMIT, "the initialiser is nested too deeply");
    }
    match peek(input, 0)? {
        Kind::LBrace => {
            let mut items = Vec::new();
            let mut rest = input.take_from(1);
            while peek(rest, 0)? != Kind::RBrace {
                let (after, item) = initialiser(rest, depth + 1)?;
                items.push(item);
                rest = match peek(after, 0)? {
                    Kind::Comma => after.take_from(1),
                    Kind::RBrace => after,
                    _ => return expected(after, "`,` or `}`"),
                };
            }
            let rest = rest.take_from(1);
            Ok((rest, Init::List(items, rest.since(input))))
        }
        Kind::Word if input.tokens[0].name == word::WARP_SZ => number(input),
        Kind::Word if peek(input, 1)? == Kind::Equal => {
            let name = input.tokens[0].name;
            let (rest, value) = initialiser(input.take_from(2), depth + 1)?;
            Ok((rest, Init::Field { name, value: Box::new(value), span: rest.since(input) }))
        }
        Kind::Word => address(input, input, None),
        // `0xFF00(name)` is the second byte of an address.
        Kind::Number if peek(input, 1)? == Kind::LParen => {
            let (rest, mask) = plain_integer(input)?;
            let (rest, inner) = address(input, rest.take_from(1), Some(mask))?;
            let (rest, _) = token(Kind::RParen, "`)`").parse(rest)?;
            Ok((rest, inner))
        }
        kind if begins_constant(kind) => number(input),
        _ => expected(input, "a value"),
    }
}

fn number(input: Tokens<'_>) -> Parsed<'_, Init> {
    let (rest, literal) = constant(input)?;
    Ok((rest, Init::Literal(literal, rest.since(input))))
}

/// `name+4`, `generic(name)+4`.
fn address<'t>(from: Tokens<'t>, input: Tokens<'t>, mask: Option<u64>) -> Parsed<'t, Init> {
    let (rest, (name, _)) = identifier("a name").parse(input)?;
    let generic = name == word::GENERIC && peek(rest, 0)? == Kind::LParen;
    let (rest, name) = if generic {
        let inner = identifier("a name").map(|(name, _)| name);
        delimited(token(Kind::LParen, "`(`"), inner, token(Kind::RParen, "`)`")).parse(rest)?
    } else {
        (rest, name)
    };
    let (rest, offset) = match peek(rest, 0)? {
        Kind::Plus | Kind::Minus => constant_integer(rest)?,
        _ => (rest, 0),
    };
    Ok((rest, Init::Address { name, offset: offset as i64, generic, mask, span: rest.since(from) }))
}

/// `(.param .b32 a, .reg .u32 b)`.
fn parameters(input: Tokens<'_>) -> Parsed<'_, Vec<Variable>> {
    let (mut rest, _) = token(Kind::LParen, "`(`").parse(input)?;
    let mut found = Vec::new();
    if peek(rest, 0)? == Kind::RParen {
        return Ok((rest.take_from(1), found));
    }
    loop {
        let (after, prefix) = prefix(rest, Linkage::Internal)?;
        let (after, variable) = declarator(after, rest, &prefix, false)?;
        found.push(variable);
        match peek(after, 0)? {
            Kind::Comma => rest = after.take_from(1),
            Kind::RParen => return Ok((after.take_from(1), found)),
            _ => return expected(after, "`,` or `)`"),
        }
    }
}

/// The directives that may stand between parameters and body, with the most numbers that they take.
const KERNEL_DIRECTIVES: &[(Name, usize)] = &[
    (word::MAXNTID, 3),
    (word::REQNTID, 3),
    (word::MINNCTAPERSM, 1),
    (word::MAXNCTAPERSM, 1),
    (word::MAXNREG, 1),
    (word::NORETURN, 0),
    (word::EXPLICITCLUSTER, 0),
    (word::REQNCTAPERCLUSTER, 3),
    (word::MAXCLUSTERRANK, 1),
    (word::BLOCKSARECLUSTERS, 0),
    (word::ABI_PRESERVE, 1),
    (word::ABI_PRESERVE_CONTROL, 1),
];

/// Whether a directive stands between parameters and body.
pub fn is_kernel_directive(word: Name) -> bool {
    KERNEL_DIRECTIVES.iter().any(|(name, _)| *name == word)
}

fn kernel_directive(input: Tokens<'_>) -> Parsed<'_, KernelDirective> {
    let (rest, word) = token(Kind::Dot, "a directive, `{` or `;`").parse(input)?;
    let Some(&(name, most)) = KERNEL_DIRECTIVES.iter().find(|(name, _)| *name == word.name) else {
        return breaks(input, codes::DIRECTIVE, "no such directive between parameters and body");
    };
    let (rest, numbers) = if most == 0 { (rest, Vec::new()) } else { integers(rest)? };
    if numbers.len() > most {
        return breaks(input, codes::DIRECTIVE, "the directive has too many numbers");
    }
    let directive = KernelDirective { name, numbers: numbers.into(), text: None, span: rest.since(input) };
    Ok((rest, directive))
}

/// `.pragma "a", "b";` of a function: one directive for each string.
fn kernel_pragma(input: Tokens<'_>) -> Parsed<'_, Vec<KernelDirective>> {
    let text = token(Kind::String, "a string");
    let strings = separated_list1(token(Kind::Comma, "`,`"), text);
    let (rest, strings) = preceded(dot(word::PRAGMA, "`.pragma`"), strings).parse(input)?;
    let (rest, _) = token(Kind::Semi, "`;`").parse(rest)?;
    let span = rest.since(input);
    let one = |string: super::tokens::Token| KernelDirective {
        name: word::PRAGMA,
        numbers: SmallVec::new(),
        text: Some(string.name),
        span,
    };
    Ok((rest, strings.into_iter().map(one).collect()))
}

/// `.entry` or `.func` up to the brace of its body or its semicolon, which stays.
// test_ok function
//   .visible .entry k(.param .u64 .ptr .global .align 16 p) .maxntid 256, 1, 1 { ret; }
//   .func (.reg .b32 r) f(.reg .b32 a);
pub fn function(input: Tokens<'_>, linkage: Linkage) -> Parsed<'_, Function> {
    let (rest, word) = token(Kind::Dot, "`.entry` or `.func`").parse(input)?;
    let kind = match word.name {
        word::ENTRY => FunctionKind::Entry,
        word::FUNC => FunctionKind::Func,
        _ => return expected(input, "`.entry` or `.func`"),
    };
    let (rest, _) = opt(preceded(dot(word::ATTRIBUTE, "`.attribute`"), attribute)).parse(rest)?;
    let (rest, returns) = match kind {
        FunctionKind::Func if peek(rest, 0)? == Kind::LParen => parameters(rest)?,
        FunctionKind::Func | FunctionKind::Entry => (rest, Vec::new()),
    };
    let (rest, (name, name_span)) = identifier("the name of the function").parse(rest)?;
    let (mut rest, params) = if peek(rest, 0)? == Kind::LParen { parameters(rest)? } else { (rest, Vec::new()) };
    let mut directives = Vec::new();
    while !matches!(peek(rest, 0)?, Kind::LBrace | Kind::Semi) {
        if rest.tokens[0].kind == Kind::Dot && rest.tokens[0].name == word::PRAGMA {
            let (after, pragmas) = kernel_pragma(rest)?;
            directives.extend(pragmas);
            rest = after;
        } else {
            let (after, directive) = kernel_directive(rest)?;
            directives.push(directive);
            rest = after;
        }
    }
    let span = rest.since(input);
    Ok((rest, Function { kind, linkage, name, name_span, returns, params, directives, body: None, span }))
}

/// A label, or a named list of targets: `name:`, `name: .branchtargets L0, L1;`.
pub fn labelled(input: Tokens<'_>) -> Parsed<'_, Stmt> {
    let (rest, (name, name_span)) = identifier("a label").parse(input)?;
    let (rest, _) = token(Kind::Colon, "`:`").parse(rest)?;
    if peek(rest, 0)? != Kind::Dot {
        return Ok((rest, Stmt::Label(name, name_span)));
    }
    match rest.tokens[0].name {
        word::BRANCHTARGETS => {
            let (rest, targets) = target_list(rest.take_from(1))?;
            Ok((rest, Stmt::BranchTargets(Box::new(Targets { name, targets, span: rest.since(input) }))))
        }
        word::CALLTARGETS => {
            let (rest, targets) = target_list(rest.take_from(1))?;
            Ok((rest, Stmt::CallTargets(Box::new(Targets { name, targets, span: rest.since(input) }))))
        }
        word::CALLPROTOTYPE => prototype(input, rest.take_from(1), name),
        _ => Ok((rest, Stmt::Label(name, name_span))),
    }
}

fn target_list(input: Tokens<'_>) -> Parsed<'_, Vec<(Name, Span)>> {
    let (rest, targets) = separated_list1(token(Kind::Comma, "`,`"), identifier("a target")).parse(input)?;
    let (rest, _) = token(Kind::Semi, "`,` or `;`").parse(rest)?;
    Ok((rest, targets))
}

/// `(ret) _ (params) .noreturn .abi_preserve 8;`, from behind the word.
fn prototype<'t>(from: Tokens<'t>, input: Tokens<'t>, name: Name) -> Parsed<'t, Stmt> {
    let (rest, returns) = if peek(input, 0)? == Kind::LParen { parameters(input)? } else { (input, Vec::new()) };
    let (rest, _) = identifier("`_`").parse(rest)?;
    let (mut rest, params) = if peek(rest, 0)? == Kind::LParen { parameters(rest)? } else { (rest, Vec::new()) };
    while peek(rest, 0)? != Kind::Semi {
        rest = kernel_directive(rest)?.0;
    }
    let rest = rest.take_from(1);
    let prototype = Prototype { name, returns, params, span: rest.since(from) };
    Ok((rest, Stmt::CallPrototype(Box::new(prototype))))
}

/// `.loc file line column, function_name L, inlined_at f l c`: the numbers, and where the rest stands.
pub fn location(input: Tokens<'_>) -> Parsed<'_, (Stmt, Option<Span>)> {
    let (rest, _) = dot(word::LOC, "`.loc`").parse(input)?;
    let (rest, file) = line_number(rest)?;
    let (rest, line) = line_number(rest)?;
    let (rest, column) = if peek(rest, 0)? == Kind::Number { line_number(rest)? } else { (rest, 0) };
    let start = rest;
    let mut end = rest;
    while peek(end, 0)? == Kind::Comma {
        let (after, (word, _)) = identifier("`function_name` or `inlined_at`").parse(end.take_from(1))?;
        end = match word {
            word::FUNCTION_NAME => {
                let (after, _) = identifier("a label").parse(after)?;
                if peek(after, 0)? == Kind::Plus { line_number(after.take_from(1))?.0 } else { after }
            }
            word::INLINED_AT => (line_number, line_number, line_number).parse(after)?.0,
            _ => return expected(end.take_from(1), "`function_name` or `inlined_at`"),
        };
    }
    let more = (end.input_len() != start.input_len()).then(|| end.since(start));
    let span = end.since(input);
    Ok((end, (Stmt::Loc { file, line, column, rest: None, span }, more)))
}

/// What follows the numbers of a `.loc`, with one space between words and without comments.
pub fn location_text(raw: &str) -> String {
    let mut text = String::with_capacity(raw.len());
    let mut left = raw;
    let mut space = false;
    while let Some(next) = left.chars().next() {
        let comment = match left.get(..2) {
            Some("//") => left.find('\n'),
            Some("/*") => left.find("*/").map(|at| at + 2),
            _ => None,
        };
        let taken = comment.unwrap_or(next.len_utf8());
        match next {
            _ if comment.is_some() || next.is_whitespace() => space = true,
            ',' | '+' => {
                text.push(next);
                space = next == ',';
            }
            _ => {
                if std::mem::take(&mut space) && !text.ends_with('+') {
                    text.push(' ');
                }
                text.push(next);
            }
        }
        left = &left[taken..];
    }
    text
}

fn line_number(input: Tokens<'_>) -> Parsed<'_, u32> {
    let (rest, value) = plain_integer(input)?;
    match u32::try_from(value) {
        Ok(value) => Ok((rest, value)),
        Err(_) => breaks(input, codes::LIMIT, "the number does not fit 32 bits"),
    }
}

/// Words that open a directive kept as text.
pub fn is_text_directive(word: Name) -> bool {
    matches!(word, word::FILE | word::SECTION | word::PRAGMA | word::ALIAS)
}

/// `.file`, `.section`, `.pragma`, `.alias` and the old `@@DWARF`: the name, where the text stands, and the whole.
pub fn text_directive(input: Tokens<'_>) -> Parsed<'_, (Name, Span, Span)> {
    if peek(input, 0)? == Kind::Dwarf {
        let rest = input.take_from(1);
        return Ok((rest, (word::DWARF, rest.since(input), rest.since(input))));
    }
    let (start, word) = token(Kind::Dot, "a directive").parse(input)?;
    let end = match word.name {
        word::FILE => {
            let (rest, _) = plain_integer(start)?;
            let (rest, _) = token(Kind::String, "a file name").parse(rest)?;
            // A time stamp and a size.
            match peek(rest, 0)? {
                Kind::Comma => integers(rest.take_from(1))?.0,
                _ => rest,
            }
        }
        word::SECTION => {
            let mut rest = start;
            while !matches!(peek(rest, 0)?, Kind::LBrace | Kind::Semi | Kind::End) {
                rest = rest.take_from(1);
            }
            let (open, _) = token(Kind::LBrace, "`{`").parse(rest)?;
            match open.position(|t| matches!(t.kind, Kind::RBrace | Kind::End)) {
                Some(n) if open.tokens[n].kind == Kind::RBrace => open.take_from(n + 1),
                Some(_) => return Err(nom::Err::Error(Fault::at(rest, Reason::Breaks(codes::SYNTAX, UNCLOSED)))),
                None => return Err(nom::Err::Incomplete(nom::Needed::Unknown)),
            }
        }
        word::PRAGMA | word::ALIAS => match start.position(|t| matches!(t.kind, Kind::Semi | Kind::End | Kind::Dot)) {
            Some(n) if start.tokens[n].kind == Kind::Semi => start.take_from(n),
            Some(n) => return expected(start.take_from(n), "`;`"),
            None => return Err(nom::Err::Incomplete(nom::Needed::Unknown)),
        },
        _ => return expected(input, "a directive"),
    };
    let text = end.since(start);
    // The semicolon is no part of the text.
    let rest = if matches!(word.name, word::PRAGMA | word::ALIAS) { end.take_from(1) } else { end };
    Ok((rest, (word.name, text, rest.since(input))))
}

/// What is said of a brace without its partner.
pub const UNCLOSED: &str = "this `{` is never closed";
