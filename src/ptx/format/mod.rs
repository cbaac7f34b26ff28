//! The formatter: the tokens of a module as they are, with the white space of one style, and every comment.
//!
//! What `print` writes is another tree for the eye: constants evaluated, declarations divided. Here nothing but white space changes, so
//! numbers stay as they were written. A statement is a line, or several where it is longer than [`WIDTH`]; blocks are indented
//! by four; labels stand at the margin; parameters have a line each when there are several. A comment stays where it stood: on
//! its line, behind its statement, or in it. Of empty lines, one stays.
//! Text that means nothing to PTX (`.section`, `.file`, `.pragma`) stays as it is.

mod comments;
mod output;
mod spacing;

use super::names::Names;
use super::read;
use super::tokens::{Kind, Lexer, Token};
use super::tree::*;
use super::word;
use crate::diag::{Diag, Span};
use output::Output;
use spacing::Style;

/// Columns of a line, as far as commas allow.
const WIDTH: usize = 100;

/// Formats a module. Fails on what is no PTX by its syntax; names and types are not looked at.
pub fn format_module(source: &str) -> Result<String, Vec<Diag>> {
    let (tree, diags) = read::read_module(source);
    if diags.iter().any(Diag::is_fatal) {
        return Err(diags);
    }
    let mut tokens = Vec::new();
    Lexer::new(source).read(usize::MAX, &mut Names::new(), &mut tokens);
    let mut formatter = Formatter { source, tree: &tree, tokens, at: 0, indent: 0, out: Output::default() };
    formatter.module();
    Ok(formatter.out.finish())
}

struct Formatter<'s> {
    source: &'s str,
    tree: &'s Module,
    tokens: Vec<Token>,
    /// The next token to be written.
    at: usize,
    /// Blocks that we are in.
    indent: usize,
    out: Output,
}

impl Formatter<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn kind(&self, n: usize) -> Kind {
        self.tokens.get(self.at + n).map_or(Kind::End, |token| token.kind)
    }

    /// How many tokens from here on begin before an offset.
    fn until(&self, end: u32) -> usize {
        self.tokens[self.at..].partition_point(|token| token.start < end && token.kind != Kind::End)
    }

    /// How many tokens there are up to the first of a kind, with it.
    fn through(&self, kind: Kind) -> usize {
        let found =
            self.tokens[self.at..].iter().position(|token| matches!(token.kind, k if k == kind || k == Kind::End));
        found.map_or(0, |n| n + usize::from(self.kind(n) == kind))
    }

    // ---- the module ----

    fn module(&mut self) {
        for item in &self.tree.items {
            match item {
                Item::Function(f) => {
                    self.header(f.span.start);
                    self.function(f);
                }
                // Several names of one declaration are one statement.
                Item::Variable(v) if v.span.start < self.token().start => {}
                Item::Variable(v) => {
                    self.header(v.span.start);
                    self.line(self.through(Kind::Semi), Style::Declaration);
                }
                Item::Directive(directive) => {
                    self.header(directive.span.start);
                    self.directive(directive);
                }
                Item::Broken(_) => {}
            }
        }
        self.header(u32::MAX);
        self.comments(true);
    }

    /// `.version`, `.target` and `.address_size`, which are no items, and semicolons without a statement.
    fn header(&mut self, before: u32) {
        while self.token().start < before && self.token().kind != Kind::End {
            if self.kind(0) == Kind::Semi {
                self.drop_token();
                continue;
            }
            let rest = self.tokens[self.at + 1..].iter();
            let count = rest.take_while(|token| !matches!(token.kind, Kind::Dot | Kind::Semi | Kind::End)).count();
            self.line(1 + count.min(self.until(before).saturating_sub(1)), Style::Declaration);
        }
    }

    /// Leaves a token out, but not the comments before it.
    fn drop_token(&mut self) {
        self.comments(true);
        self.at += 1;
    }

    fn directive(&mut self, directive: &Directive) {
        self.begin();
        let count = self.until(directive.span.end);
        let names = &self.tree.names;
        let text = names.get(directive.text);
        let ended = matches!(directive.name, word::PRAGMA | word::ALIAS);
        // The text has its own comments; those around it are lost with it in pieces.
        let around = [1, if ended { count.saturating_sub(1) } else { 1 }];
        if around.iter().any(|&n| n > 0 && n < count && !self.gap(self.at + n).comments.is_empty()) {
            self.out.comment(directive.span.text(self.source));
        } else if directive.name == word::DWARF {
            self.out.push(text);
        } else {
            self.out.push(".");
            self.out.push(names.get(directive.name));
            self.out.push(" ");
            self.out.comment(text);
            self.out.push(if ended { ";" } else { "" });
        }
        self.at += count;
    }

    fn function(&mut self, f: &Function) {
        if self.out.ends_with_body() {
            self.out.blank_line();
        }
        let end = match f.body {
            Some(_) => self.at + self.through(Kind::LBrace) - 1,
            None => self.at + self.until(f.span.end),
        };
        self.head(end);
        match &f.body {
            Some(body) => self.block(body),
            None => {
                // Comments before the semicolon come behind it.
                let comments = self.gap(self.at).comments;
                self.out.push(";");
                self.at += 1;
                let mut ended = false;
                for comment in comments {
                    if ended {
                        self.out.begin_line(self.indent)
                    } else {
                        self.out.push(" ")
                    }
                    self.out.comment(&comment.text(self.source));
                    ended = comment.is_line;
                }
            }
        }
    }

    /// From linkage to the last directive before the body.
    fn head(&mut self, end: usize) {
        let params =
            (self.at + 1..end).find(|&n| self.tokens[n].kind == Kind::LParen && self.tokens[n - 1].kind == Kind::Word);
        let Some(open) = params else {
            // The name is the word outside the parentheses of a result.
            let mut depth = 0u32;
            let name = self.tokens[self.at..end].iter().position(|token| {
                match token.kind {
                    Kind::LParen => depth += 1,
                    Kind::RParen => depth = depth.saturating_sub(1),
                    _ => {}
                }
                depth == 0 && token.kind == Kind::Word
            });
            self.line(name.map_or(end - self.at, |n| n + 1), Style::Declaration);
            return self.head_directives(end);
        };
        let close = self.closing(open, end);
        self.line(open + 1 - self.at, Style::Declaration);
        if self.fits_in_line(open + 1, close) {
            self.out.push(&self.inline(open + 1, close));
            self.out.push(")");
            self.at = close + 1;
        } else {
            self.indent += 1;
            while self.at < close {
                let params = &self.tokens[self.at..close];
                let mut depth = 0u32;
                let comma = params.iter().position(|token| {
                    match token.kind {
                        Kind::LParen => depth += 1,
                        Kind::RParen => depth = depth.saturating_sub(1),
                        _ => {}
                    }
                    depth == 0 && token.kind == Kind::Comma
                });
                self.line(comma.map_or(params.len(), |n| n + 1), Style::Declaration);
            }
            self.comments(false);
            self.indent -= 1;
            self.line(1, Style::Declaration);
        }
        self.head_directives(end);
    }

    /// Where the parenthesis at `open` is closed.
    fn closing(&self, open: usize, end: usize) -> usize {
        let mut depth = 0u32;
        let closes = self.tokens[open..end].iter().position(|token| {
            match token.kind {
                Kind::LParen => depth += 1,
                Kind::RParen => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        closes.map_or(end - 1, |n| open + n)
    }

    /// Whether tokens stay in the line that has been begun: one parameter at most, no comments.
    fn fits_in_line(&self, from: usize, to: usize) -> bool {
        let single = !self.tokens[from..to].iter().any(|token| token.kind == Kind::Comma);
        let plain = (from..=to).all(|n| self.gap(n).comments.is_empty());
        single && plain && self.out.column() + self.inline(from, to).len() < WIDTH
    }

    /// Tokens with the spaces between them.
    fn inline(&self, from: usize, to: usize) -> String {
        let mut text = String::new();
        for n in from..to {
            if n > from && spacing::is_space_before(&self.tokens[from..to], n - from, Style::Declaration, self.source) {
                text.push(' ');
            }
            text.push_str(self.tokens[n].span().text(self.source));
        }
        text
    }

    /// `.maxntid 256, 1, 1` and the like, a line each.
    fn head_directives(&mut self, end: usize) {
        while self.at < end {
            let rest = &self.tokens[self.at + 1..end];
            let next = rest.iter().position(|token| token.kind == Kind::Dot);
            self.line(1 + next.unwrap_or(rest.len()), Style::Declaration);
        }
    }

    // ---- statements ----

    /// From the opening brace to the closing one.
    fn block(&mut self, body: &[Stmt]) {
        self.line(1, Style::Declaration);
        self.out.open_block();
        self.indent += 1;
        for stmt in body {
            self.stmt(stmt);
        }
        while self.kind(0) == Kind::Semi {
            self.drop_token();
        }
        self.comments(false);
        self.indent -= 1;
        self.line(1, Style::Declaration);
        self.out.close_block(self.indent == 0);
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let already_written = matches!(stmt, Stmt::Variable(v) if v.span.start < self.token().start);
        if already_written {
            return;
        }
        while self.kind(0) == Kind::Semi {
            self.drop_token();
        }
        match stmt {
            Stmt::Inst(_) => self.line(self.through(Kind::Semi), Style::Instruction),
            Stmt::Variable(_) | Stmt::BranchTargets(_) | Stmt::CallTargets(_) | Stmt::CallPrototype(_) => {
                self.line(self.through(Kind::Semi), Style::Declaration);
            }
            Stmt::Label(..) => {
                // Comments before a label belong to what it labels.
                self.comments(false);
                let indent = std::mem::take(&mut self.indent);
                self.line(2, Style::Declaration);
                self.indent = indent;
            }
            Stmt::Block(body, _) => self.block(body),
            Stmt::Loc { span, .. } => self.line(self.until(span.end), Style::Declaration),
            Stmt::Directive(directive) => self.directive(directive),
            Stmt::Error(_) => {}
        }
    }

    /// Begins a line for the next token: comments that stand before it, and those of the line above.
    fn begin(&mut self) {
        let inline = self.comments(false);
        self.out.begin_line(self.indent);
        for comment in inline {
            self.out.comment(&comment.text(self.source));
            self.out.push(" ");
        }
    }

    /// A line with the next tokens. Behind commas it goes on in the next one where it would be too long.
    fn line(&mut self, count: usize, style: Style) {
        self.begin();
        let end = self.at + count;
        let tokens = &self.tokens[self.at..end];
        for n in 0..count {
            let text = tokens[n].span().text(self.source);
            if n > 0 {
                let gap = self.gap(self.at + n);
                let mut broken = false;
                for comment in &gap.comments {
                    if !broken {
                        self.out.push(" ");
                    }
                    self.out.comment(&comment.text(self.source));
                    broken = comment.is_line;
                    if broken {
                        self.out.continue_line(self.indent);
                    }
                }
                let spaced = !gap.comments.is_empty() || spacing::is_space_before(tokens, n, style, self.source);
                let too_long = self.out.column() + 1 + text.len() + 1 > WIDTH;
                if broken {
                } else if spaced && too_long && tokens[n - 1].kind == Kind::Comma {
                    self.out.continue_line(self.indent);
                } else if spaced {
                    self.out.push(" ");
                }
            }
            self.out.push(text);
        }
        self.at = end;
    }

    /// Writes the comments before the next token that have lines of their own, or stand in the line above. Those in the line of the
    /// token are given back.
    fn comments(&mut self, all: bool) -> Vec<comments::Comment> {
        let gap = self.gap(self.at);
        // What has been written is not there again.
        let written = self.out.written_gaps.replace(self.at) == Some(self.at);
        if written && !all {
            let inline = gap.inline_from();
            return gap.comments[inline..].to_vec();
        }
        let inline = if all { gap.comments.len() } else { gap.inline_from() };
        if written {
            return Vec::new();
        }
        let trailing = gap.trailing();
        for (n, comment) in gap.comments[..inline].iter().enumerate() {
            let text = comment.text(self.source);
            if n < trailing || comment.newlines_before == 0 && n > 0 {
                self.out.push(" ");
            } else {
                if comment.newlines_before > 1 {
                    self.out.blank_line();
                }
                self.out.begin_line(self.indent);
            }
            self.out.comment(&text);
        }
        let before_code = gap.comments.get(inline).map_or(gap.newlines_after, |comment| comment.newlines_before);
        if before_code > 1 && !matches!(self.kind(0), Kind::RBrace | Kind::End) {
            self.out.blank_line();
        }
        gap.comments[inline..].to_vec()
    }

    /// What stands before a token.
    fn gap(&self, n: usize) -> comments::Gap {
        let start = n.checked_sub(1).map_or(0, |n| self.tokens[n].end);
        let token = self.tokens[n.min(self.tokens.len() - 1)];
        comments::read(self.source, Span::new(start.min(token.start), token.start), n == 0, token.kind == Kind::End)
    }
}
