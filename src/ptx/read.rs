//! Reads a module: statement by statement, with recovery.
//!
//! A statement that does not match is reported once and becomes an error node; reading goes on behind its semicolon, or
//! before the brace that closes its scope. Plain statements are read straight off the source (`quick`), all others from
//! tokens. Those are read statement by statement: a production that runs out of them is tried again on twice as many,
//! so time and memory stay linear.

use super::code::Code;
use super::decl;
use super::fault::{Fault, Parsed, Reason};
use super::inst::instruction;
use super::names::{Name, Names};
use super::quick::Spellings;
use super::tokens::{Kind, Lexer, Token, Tokens};
use super::tree::*;
use super::word;
use crate::diag::{Diag, Span, codes};
use nom::Input;

/// How deep `{ }` scopes may nest.
const MAX_SCOPES: u32 = 256;
/// How many errors of one module are reported.
const MAX_ERRORS: usize = 200;
/// The most tokens in a first portion.
const PORTION: usize = 1024;
/// How many tokens more are read at least where they do not suffice.
const MORE: usize = 16;
/// The most tokens that are looked through for the end of a scope that may be none.
const MAX_LOOK: usize = 1 << 16;

/// The tree of a module and what is wrong with its syntax.
pub fn read_module(source: &str) -> (Module, Vec<Diag>) {
    let mut reader = Reader {
        source,
        lexer: Lexer::new(source),
        names: Names::new(),
        code: Code::for_source(source.len()),
        spellings: Spellings::new(),
        tokens: Vec::new(),
        at: 0,
        done: false,
        address_size: false,
        diags: Vec::new(),
    };
    let mut module = Module {
        names: Names::empty(),
        version: None,
        version_span: Span::NONE,
        targets_span: Span::NONE,
        targets: Vec::new(),
        address_size: 64,
        items: Vec::new(),
        code: Code::default(),
    };
    if u32::try_from(source.len()).is_ok_and(|n| n < u32::MAX) {
        reader.module(&mut module);
    } else {
        reader.report(Diag::error(codes::LIMIT, Span::NONE, "a module is smaller than 4 GiB"));
    }
    reader.code.shrink();
    (module.names, module.code) = (reader.names, reader.code);
    (module, reader.diags)
}

struct Reader<'s> {
    source: &'s str,
    lexer: Lexer<'s>,
    names: Names,
    code: Code,
    spellings: Spellings,
    /// The portion: tokens before `at` are used up.
    tokens: Vec<Token>,
    at: usize,
    /// The lexer has come to the end.
    done: bool,
    /// There was an `.address_size`.
    address_size: bool,
    diags: Vec<Diag>,
}

/// How a list of statements ended.
#[derive(PartialEq)]
enum Close {
    Brace,
    /// At the end of the file, or before what begins the next item: a brace is missing, and was reported.
    Early,
}

impl<'s> Reader<'s> {
    fn report(&mut self, diag: Diag) {
        if self.diags.len() < MAX_ERRORS {
            self.diags.push(diag);
        } else if self.diags.len() == MAX_ERRORS {
            let note = Diag::error(codes::LIMIT, diag.span, "more errors follow that are not shown");
            self.diags.push(note);
        }
    }

    /// More tokens behind those that are there.
    fn more(&mut self) {
        if self.done {
            // Looking beyond the end finds the end again.
            if let Some(&last) = self.tokens.last() {
                self.tokens.push(last);
            }
            return;
        }
        let count = (self.tokens.len() - self.at).max(MORE);
        self.lexer.read(count, &mut self.names, &mut self.tokens);
        self.done = self.tokens.last().is_some_and(|t| t.kind == Kind::End);
    }

    /// Whether all tokens that were read are used up.
    fn is_used_up(&self) -> bool {
        self.at == self.tokens.len() && !self.done
    }

    /// Between statements: forgets used tokens but the last, and reads those of the next statement.
    fn refill(&mut self) {
        if self.is_used_up() {
            self.forget();
            self.lexer.read_statement(PORTION, &mut self.names, &mut self.tokens);
            self.done = self.tokens.last().is_some_and(|t| t.kind == Kind::End);
        }
    }

    /// Forgets used tokens but the last.
    fn forget(&mut self) {
        let last = self.at.saturating_sub(1);
        self.tokens.drain(..last);
        self.at -= last;
    }

    /// The `n`th token from here.
    fn token(&mut self, n: usize) -> Token {
        while self.tokens.len() <= self.at + n {
            self.more();
        }
        self.tokens[self.at + n]
    }

    /// Runs a production from here; on success its tokens are used up.
    fn apply<T>(&mut self, production: impl for<'t> Fn(Tokens<'t>) -> Parsed<'t, T>) -> Result<T, Fault> {
        loop {
            let input = Tokens { tokens: &self.tokens[self.at..], source: self.source };
            match production(input) {
                Ok((rest, value)) => {
                    self.at = self.tokens.len() - rest.input_len();
                    return Ok(value);
                }
                Err(nom::Err::Error(fault) | nom::Err::Failure(fault)) => return Err(fault),
                Err(nom::Err::Incomplete(_)) => self.more(),
            }
        }
    }

    fn text(&mut self, span: Span) -> Name {
        let text = span.text(self.source).trim();
        self.names.intern(text)
    }

    // ---- the module ----

    fn module(&mut self, module: &mut Module) {
        self.refill();
        let first = self.token(0);
        if first.kind != Kind::Dot || first.name != word::VERSION {
            let found =
                if first.kind == Kind::End { "the file is empty" } else { "this does not begin with `.version`" };
            self.report(
                Diag::error(codes::SYNTAX, first.span(), format!("this is not PTX: {found}"))
                    .note("a module begins with `.version major.minor` and `.target`"),
            );
            if first.kind != Kind::Dot {
                return;
            }
        }
        loop {
            self.refill();
            let first = self.token(0);
            let start = self.at;
            let fault = match first.kind {
                Kind::End => break,
                Kind::Semi => {
                    self.at += 1;
                    continue;
                }
                Kind::Dot => self.item(module, first),
                Kind::Dwarf => self.text_directive().map(|d| module.items.push(Item::Directive(d))),
                Kind::RBrace => Err(self.fault_here(Reason::Breaks(codes::SYNTAX, "this `}` closes nothing"))),
                _ => Err(self.fault_here(Reason::Expected("a directive"))),
            };
            if let Err(fault) = fault {
                self.report(fault.diag(self.source));
                module.items.push(Item::Broken(first.span()));
                // Statements outside of bodies: a brace too many has ended one.
                if matches!(first.kind, Kind::Word | Kind::At | Kind::RBrace) {
                    self.skip_statements(start);
                } else {
                    self.skip_item(start);
                }
            }
        }
        // Before there was `.address_size`, an address had 32 bits or 64, as its register has.
        if module.version.is_some_and(|version| version < FIRST_ADDRESS_SIZE) && !self.address_size {
            module.address_size = 32;
        }
        if module.targets.is_empty() && self.diags.is_empty() {
            self.report(Diag::error(codes::DIRECTIVE, Span::NONE, "the module has no `.target`"));
        }
    }

    fn fault_here(&mut self, reason: Reason) -> Fault {
        Fault { span: self.token(0).span(), reason }
    }

    fn item(&mut self, module: &mut Module, first: Token) -> Result<(), Fault> {
        match first.name {
            word::VERSION => {
                let number = self.directive_number()?;
                module.version = Some(self.version(number));
                module.version_span = first.span().to(number.span());
            }
            word::TARGET => {
                self.at += 1;
                loop {
                    let word = self.token(0);
                    if word.kind != Kind::Word {
                        return Err(self.fault_here(Reason::Expected("a target such as `sm_80`")));
                    }
                    self.check_target(word);
                    module.targets.push(word.name);
                    module.targets_span = first.span().to(word.span());
                    self.at += 1;
                    if self.token(0).kind != Kind::Comma {
                        break;
                    }
                    self.at += 1;
                }
            }
            word::ADDRESS_SIZE => {
                let number = self.directive_number()?;
                self.address_size = true;
                if module.version.is_some_and(|version| version < FIRST_ADDRESS_SIZE) {
                    let (major, minor) = FIRST_ADDRESS_SIZE;
                    let message = format!("`.address_size` needs `.version {major}.{minor}`");
                    let diag = Diag::warning(codes::NEEDS, first.span(), message);
                    self.report(diag.label(module.version_span, "the module has an earlier one"));
                }
                module.address_size = match number.span().text(self.source) {
                    "64" => 64,
                    "32" => 32,
                    _ => {
                        let rule = Reason::Breaks(codes::DIRECTIVE, "an address has 32 or 64 bits");
                        return Err(Fault { span: number.span(), reason: rule });
                    }
                };
            }
            word::LOC => {
                let (stmt, _) = self.apply(decl::location)?;
                if let Stmt::Loc { span, .. } = stmt {
                    let text = self.text(Span::new(first.end, span.end));
                    module.items.push(Item::Directive(Directive { name: word::LOC, text, span }));
                }
            }
            name if decl::is_text_directive(name) => {
                let directive = self.text_directive()?;
                module.items.push(Item::Directive(directive));
            }
            _ => self.declaration(module)?,
        }
        Ok(())
    }

    /// The number behind `.version` and `.address_size`.
    fn directive_number(&mut self) -> Result<Token, Fault> {
        let number = self.token(1);
        self.at += 1;
        if number.kind != Kind::Number {
            return Err(self.fault_here(Reason::Expected("a number")));
        }
        self.at += 1;
        Ok(number)
    }

    fn version(&mut self, number: Token) -> (u16, u16) {
        let text = number.span().text(self.source);
        let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
        let version = (major.parse().unwrap_or(0), minor.parse().unwrap_or(0));
        if !((1, 0)..=NEWEST_VERSION).contains(&version) {
            let message = format!("PTX version {text} is not known to this reader, which goes on all the same");
            self.report(Diag::warning(codes::VERSION, number.span(), message));
        }
        version
    }

    /// `sm_` and a number, perhaps with `a` or `f`; `compute_` likewise; or an option.
    fn check_target(&mut self, word: Token) {
        let text = self.names.get(word.name);
        let number = text.strip_prefix("sm_").or_else(|| text.strip_prefix("compute_"));
        let number = number.map(|n| n.strip_suffix(['a', 'f']).unwrap_or(n));
        let known = match number {
            Some(digits) => digits.parse::<u32>().is_ok_and(|n| (10..=129).contains(&n)),
            None => TARGET_OPTIONS.contains(&text),
        };
        if !known {
            let message = format!("target `{text}` is not known to this reader");
            self.report(Diag::warning(codes::VERSION, word.span(), message));
        }
    }

    /// A variable or a function, with the words of linkage before it.
    fn declaration(&mut self, module: &mut Module) -> Result<(), Fault> {
        let start = self.token(0);
        let mut linkage = Linkage::Internal;
        let mut words = 0;
        while let Some(found) =
            (self.token(words).kind == Kind::Dot).then(|| decl::linkage(self.tokens[self.at + words].name)).flatten()
        {
            if words == 1 {
                self.at += 1;
                return Err(
                    self.fault_here(Reason::Breaks(codes::DIRECTIVE, "only one of `.extern .visible .weak .common`"))
                );
            }
            linkage = found;
            words = 1;
        }
        self.at += words;
        let word = self.token(0);
        match word.name {
            _ if word.kind != Kind::Dot => Err(self.fault_here(Reason::Expected("`.entry`, `.func` or a state space"))),
            word::ENTRY | word::FUNC => self.function(module, linkage, start),
            name if decl::space(name).is_some() => {
                let variables = self.apply(|input| decl::variables(input, linkage))?;
                for mut variable in variables {
                    variable.span.start = start.start;
                    module.items.push(Item::Variable(variable));
                }
                Ok(())
            }
            _ => Err(self.fault_here(Reason::Expected("a directive of PTX"))),
        }
    }

    fn function(&mut self, module: &mut Module, linkage: Linkage, start: Token) -> Result<(), Fault> {
        let mut function = match self.apply(|input| decl::function(input, linkage)) {
            Ok(function) => function,
            Err(fault) => {
                // The body is still read, for what is wrong in it.
                self.report(fault.diag(self.source));
                self.skip_to(&[Kind::LBrace, Kind::Semi, Kind::RBrace]);
                if self.token(0).kind == Kind::LBrace {
                    let open = self.token(0);
                    self.at += 1;
                    self.statements(open, 0);
                } else if self.token(0).kind != Kind::End {
                    self.at += 1;
                }
                module.items.push(Item::Broken(start.span()));
                return Ok(());
            }
        };
        function.span.start = start.start;
        let open = self.token(0);
        self.at += 1;
        if open.kind == Kind::LBrace {
            let (mut body, close) = self.statements(open, 0);
            body.shrink_to_fit();
            function.body = Some(body);
            // Between statements, the tokens before this one may be gone.
            function.span.end = match close {
                Close::Brace => self.tokens[self.at - 1].end,
                Close::Early => self.token(0).start,
            };
        }
        module.items.push(Item::Function(function));
        Ok(())
    }

    fn text_directive(&mut self) -> Result<Directive, Fault> {
        let (name, text, span) = self.apply(decl::text_directive)?;
        Ok(Directive { name, text: self.text(text), span })
    }

    // ---- statements ----

    /// Statements up to the brace that closes `open`, which is taken.
    fn statements(&mut self, open: Token, depth: u32) -> (Vec<Stmt>, Close) {
        let mut body = Vec::new();
        loop {
            if self.is_used_up() {
                self.lexer.plain_statements(&self.spellings, &mut self.names, &mut self.code, &mut body);
            }
            self.refill();
            let first = self.token(0);
            let start = self.at;
            let result = match first.kind {
                Kind::RBrace => {
                    self.at += 1;
                    return (body, Close::Brace);
                }
                Kind::End => {
                    // A comment without its end has taken the rest, and was reported.
                    if !self.lexer.cut_off {
                        self.report(Diag::error(codes::SYNTAX, open.span(), decl::UNCLOSED));
                    }
                    body.push(Stmt::Error(Span::new(open.start, first.start)));
                    return (body, Close::Early);
                }
                Kind::Dot if is_item_in_body(first.name) => {
                    let diag = Diag::error(codes::SYNTAX, open.span(), decl::UNCLOSED);
                    self.report(diag.label(first.span(), "this does not belong inside"));
                    return (body, Close::Early);
                }
                Kind::Semi => {
                    self.at += 1;
                    continue;
                }
                Kind::LBrace if depth == MAX_SCOPES => {
                    self.report(Diag::error(codes::LIMIT, first.span(), "scopes are nested more than 256 deep"));
                    self.skip_braces();
                    body.push(Stmt::Error(first.span()));
                    continue;
                }
                Kind::LBrace => {
                    self.at += 1;
                    let (inner, close) = self.statements(first, depth + 1);
                    let end =
                        if close == Close::Brace { self.tokens[self.at - 1].end } else { self.source.len() as u32 };
                    body.push(Stmt::Block(inner.into(), Span::new(first.start, end)));
                    if close == Close::Early {
                        // Reported already: one unclosed brace leaves all outer ones unclosed.
                        return (body, Close::Early);
                    }
                    continue;
                }
                Kind::Word if self.token(1).kind == Kind::Colon => {
                    self.apply(decl::labelled).map(|label| body.push(label))
                }
                Kind::Word | Kind::At => self.instruction(&mut body),
                Kind::Dot | Kind::Dwarf => self.directive(first, &mut body),
                _ => Err(self.fault_here(Reason::Expected("a statement"))),
            };
            if let Err(fault) = result {
                self.at = start;
                match self.missing_end(fault) {
                    Some((end, next)) => {
                        let here = Span::new(end, end);
                        let diag = Diag::error(codes::SYNTAX, here, "expected `;` at the end of the statement");
                        self.report(diag.fix(here, ";", "end it with `;`"));
                        self.at += next;
                    }
                    None => {
                        self.report(fault.diag(self.source));
                        self.skip_statement();
                    }
                }
                // Tokens before the last that was skipped may be gone.
                let last = self.at.checked_sub(1).map_or(first, |at| self.tokens[at]);
                body.push(Stmt::Error(Span::new(first.start, last.end.max(first.end))));
            }
        }
    }

    /// The most frequent statement: as `apply`, with operands going to the code.
    fn instruction(&mut self, body: &mut Vec<Stmt>) -> Result<(), Fault> {
        loop {
            let mark = self.code.mark();
            match instruction(Tokens { tokens: &self.tokens[self.at..], source: self.source }, &mut self.code) {
                Ok((rest, inst)) => {
                    self.at = self.tokens.len() - rest.input_len();
                    // Lists in parentheses are for calls alone.
                    if self.code.head(inst.head).0 != word::CALL {
                        self.spellings.add(inst.opcode_span.text(self.source), inst.head);
                    }
                    body.push(Stmt::Inst(inst));
                    return Ok(());
                }
                Err(error) => {
                    self.code.back_to(mark);
                    match error {
                        nom::Err::Error(fault) | nom::Err::Failure(fault) => return Err(fault),
                        nom::Err::Incomplete(_) => self.more(),
                    }
                }
            }
        }
    }

    fn directive(&mut self, first: Token, body: &mut Vec<Stmt>) -> Result<(), Fault> {
        match first.name {
            _ if first.kind == Kind::Dwarf => body.push(Stmt::Directive(self.text_directive()?)),
            word::LOC => {
                let (mut stmt, more) = self.apply(decl::location)?;
                if let (Stmt::Loc { rest, .. }, Some(span)) = (&mut stmt, more) {
                    let text = decl::location_text(&self.source[span.start as usize..span.end as usize]);
                    *rest = Some(self.names.intern(&text));
                }
                body.push(stmt);
            }
            name if decl::is_text_directive(name) => body.push(Stmt::Directive(self.text_directive()?)),
            name if decl::space(name).is_some() => {
                let variables = self.apply(|input| decl::variables(input, Linkage::Internal))?;
                body.extend(variables.into_iter().map(|v| Stmt::Variable(Box::new(v))));
            }
            _ => return Err(self.fault_here(Reason::Expected("a directive that may stand in a body"))),
        }
        Ok(())
    }

    // ---- recovery ----

    /// Goes to the next token of one of these kinds, or to the end.
    fn skip_to(&mut self, kinds: &[Kind]) {
        loop {
            let kind = self.token(0).kind;
            if kind == Kind::End || kinds.contains(&kind) {
                return;
            }
            self.at += 1;
            self.refill();
        }
    }

    /// Over `{ .. }` with everything inside.
    fn skip_braces(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.token(0).kind {
                Kind::LBrace => depth += 1,
                Kind::RBrace => depth = depth.saturating_sub(1),
                Kind::End => return,
                _ => {}
            }
            self.at += 1;
            if depth == 0 {
                return;
            }
            self.refill();
        }
    }

    /// Where a semicolon is missing: a line that begins a statement before the fault, though nothing asks for more at
    /// the end of the line above. Its first token, from here, and where the line above ends.
    fn missing_end(&mut self, fault: Fault) -> Option<(u32, usize)> {
        for n in 1.. {
            let token = self.token(n);
            if token.start > fault.span.start || token.kind == Kind::End {
                return None;
            }
            let begins = matches!(token.kind, Kind::Word | Kind::At | Kind::Dot | Kind::LBrace | Kind::RBrace);
            if begins && self.begins_line(n) {
                let before = self.token(n - 1);
                let over = match before.kind {
                    Kind::Word => n > 1 || super::forms::forms_of(before.name).iter().any(|form| form.is_bare()),
                    Kind::Dot | Kind::Number | Kind::RBrace | Kind::RBracket | Kind::RParen | Kind::Greater => true,
                    _ => false,
                };
                if over {
                    return Some((before.end, n));
                }
            }
        }
        None
    }

    /// Behind the statement that begins here and did not match.
    fn skip_statement(&mut self) {
        let mut scope = None;
        let mut is_first = true;
        let mut n = 0;
        loop {
            match self.token(n).kind {
                Kind::End => break,
                Kind::Semi => {
                    // A semicolon in braces that begin a line: they are a scope, which is read.
                    self.at += scope.unwrap_or(n + 1);
                    return;
                }
                Kind::LBrace if scope.is_none() && self.begins_line(n) => scope = Some(n),
                Kind::RBrace if scope.is_some() => scope = None,
                // The brace of a vector.
                Kind::RBrace if !is_first && !self.begins_line(n) && !self.closes_body(n) => {}
                Kind::RBrace => break,
                _ => {}
            }
            is_first = false;
            n += 1;
            if n > MAX_LOOK {
                scope = None;
            }
            // Nothing goes back to these.
            if scope.is_none() && n >= PORTION {
                self.at += n;
                self.forget();
                n = 0;
            }
        }
        self.at += n;
    }

    /// Whether a statement could begin behind the brace.
    fn closes_body(&mut self, n: usize) -> bool {
        !matches!(self.token(n + 1).kind, Kind::Comma | Kind::Semi)
    }

    /// Whether only white space and comments stand before the token in its line.
    fn begins_line(&mut self, n: usize) -> bool {
        let token = self.token(n);
        (self.at + n).checked_sub(1).is_some_and(|before| {
            let before = self.tokens[before];
            Span::new(before.end, token.start).text(self.source).contains('\n')
        })
    }

    /// Behind the item that began at `start` and did not match: its semicolon, its body, or before the next item.
    fn skip_item(&mut self, start: usize) {
        self.at = start;
        if !matches!(self.token(0).kind, Kind::End | Kind::LBrace) {
            self.at += 1;
        }
        loop {
            self.refill();
            let token = self.token(0);
            match token.kind {
                Kind::End => return,
                Kind::Semi => {
                    self.at += 1;
                    return;
                }
                Kind::LBrace => return self.skip_braces(),
                Kind::Dot if opens_item(token.name) => return,
                Kind::Dot if self.begins_line(0) && !decl::is_kernel_directive(token.name) => return,
                _ => self.at += 1,
            }
        }
    }

    /// Over statements that stand in no body, up to what begins an item and stands in no body either.
    fn skip_statements(&mut self, start: usize) {
        self.at = start + 1;
        loop {
            let token = self.token(0);
            let begins_item = match token.name {
                word::PRAGMA => false,
                word::GLOBAL | word::CONST_ => self.begins_line(0),
                name => opens_item(name),
            };
            if token.kind == Kind::End || token.kind == Kind::Dot && begins_item {
                return;
            }
            self.at += 1;
            self.refill();
        }
    }
}

/// Words that begin an item, and stand in no body.
fn is_item_in_body(name: Name) -> bool {
    decl::linkage(name).is_some() || matches!(name, word::ENTRY | word::FUNC)
}

/// Words that begin an item of a module and nothing else.
fn opens_item(name: Name) -> bool {
    let text = decl::is_text_directive(name);
    text || decl::linkage(name).is_some() || matches!(name, word::ENTRY | word::FUNC | word::VERSION | word::TARGET)
}

/// The newest version of the PTX ISA that the forms were checked against.
const NEWEST_VERSION: (u16, u16) = (9, 5);

/// The version that has `.address_size`.
const FIRST_ADDRESS_SIZE: (u16, u16) = (2, 3);

/// What may stand in `.target` besides a processor.
const TARGET_OPTIONS: &[&str] = &["texmode_unified", "texmode_independent", "debug", "map_f64_to_f32"];
