//! Tokens: spans of the source with their kind and, for words, their interned name.
//!
//! PTX ISA 8.8, "Source Format", "Identifiers", "Constants". A dot belongs to the word behind it (`.shared::cta` is one
//! token), so an opcode with its modifiers is a [`Kind::Word`] and some [`Kind::Dot`]s. Comments and white space vanish
//! here. Numbers are only delimited; `literal` reads them.
//! The lexer hands out tokens in portions, so a module never lies in memory as tokens; plain statements become none
//! at all (`quick`).

use super::names::{Name, Names};
use super::word;
use crate::diag::Span;
use nom::{Input, Needed};

/// What a token is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An identifier, `%r1`, `$L_3` or `_`.
    Word,
    /// `.word` or `.word::word`; the name has no dot in front.
    Dot,
    /// Anything that begins with a digit.
    Number,
    /// `"text"`, without escapes; the name is what lies between the quotes.
    String,
    Comma,
    Semi,
    Colon,
    LBrace,
    RBrace,
    LParen,
    RParen,
    LBracket,
    RBracket,
    At,
    Bang,
    Pipe,
    Plus,
    Minus,
    Less,
    Greater,
    Equal,
    Star,
    Slash,
    Percent,
    And,
    Caret,
    Tilde,
    Question,
    /// A line `@@DWARF ..` of PTX 1.x.
    Dwarf,
    /// Bytes that PTX does not know, or a string or comment without an end.
    Bad,
    /// The end of the source.
    End,
}

#[derive(Copy, Clone, Debug)]
pub struct Token {
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    /// The word or string; [`word::SINK`] where there is none.
    pub name: Name,
}

impl Token {
    pub fn span(self) -> Span {
        Span::new(self.start, self.end)
    }
}

/// Reads tokens off a source of less than 4 GiB.
pub struct Lexer<'s> {
    pub(super) source: &'s str,
    pub(super) at: usize,
    /// The source ends within a comment.
    pub cut_off: bool,
}

/// Character classes, one bit each.
pub(super) const SPACE: u8 = 1;
pub(super) const LETTER: u8 = 2;
const DIGIT: u8 = 4;
/// `_`, `$`: letters of identifiers besides the alphabet.
pub(super) const MARK: u8 = 8;
/// What no token begins with: controls and everything beyond ASCII.
const ALIEN: u8 = 16;
pub(super) const FOLLOW: u8 = LETTER | DIGIT | MARK;

static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        class[byte] = match byte as u8 {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => SPACE,
            b'a'..=b'z' | b'A'..=b'Z' => LETTER,
            b'0'..=b'9' => DIGIT,
            b'_' | b'$' => MARK,
            0..=0x1f | 0x7f..=0xff => ALIEN,
            _ => 0,
        };
        byte += 1;
    }
    class
};

/// What a token is, as far as its first byte tells; [`Kind::Bad`] where that is not far.
static FIRST: [Kind; 256] = {
    let mut first = [Kind::Bad; 256];
    let mut byte = 0;
    while byte < 256 {
        first[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' => Kind::Word,
            b'0'..=b'9' => Kind::Number,
            b'.' => Kind::Dot,
            b'%' => Kind::Percent,
            b'/' => Kind::Slash,
            b',' => Kind::Comma,
            b';' => Kind::Semi,
            b':' => Kind::Colon,
            b'{' => Kind::LBrace,
            b'}' => Kind::RBrace,
            b'(' => Kind::LParen,
            b')' => Kind::RParen,
            b'[' => Kind::LBracket,
            b']' => Kind::RBracket,
            b'!' => Kind::Bang,
            b'|' => Kind::Pipe,
            b'+' => Kind::Plus,
            b'-' => Kind::Minus,
            b'<' => Kind::Less,
            b'>' => Kind::Greater,
            b'=' => Kind::Equal,
            b'*' => Kind::Star,
            b'&' => Kind::And,
            b'^' => Kind::Caret,
            b'~' => Kind::Tilde,
            b'?' => Kind::Question,
            _ => Kind::Bad,
        };
        byte += 1;
    }
    first
};

const EACH: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x80 * EACH;

/// The high bits of the bytes that are letters or digits.
///
/// All bytes at once: a sum of seven-bit numbers reaches the high bit of its byte where a bound is passed.
#[inline(always)]
fn letters_and_digits(bytes: u64) -> u64 {
    let low = bytes & !HIGH;
    let from = |text: u64, first: u8| text + (0x80 - first as u64) * EACH;
    let lower = low | (0x20 * EACH);
    let letter = from(lower, b'a') & !from(lower, b'z' + 1);
    let digit = from(low, b'0') & !from(low, b'9' + 1);
    (letter | digit) & !bytes & HIGH
}

#[inline(always)]
fn leading(follow: u64) -> usize {
    ((follow ^ HIGH).trailing_zeros() / 8) as usize
}

/// How many of the eight bytes, from the lowest on, are letters, digits, `_` or `$`.
#[inline(always)]
pub(super) fn leading_follow(bytes: u64) -> usize {
    let is = |byte: u8| !((bytes & !HIGH ^ (byte as u64 * EACH)) + 0x7f * EACH) & !bytes & HIGH;
    leading(letters_and_digits(bytes) | is(b'_') | is(b'$'))
}

/// How many of them are letters and digits, which is most of what registers are.
#[inline(always)]
pub(super) fn leading_letters(bytes: u64) -> usize {
    leading(letters_and_digits(bytes))
}

#[inline]
pub(super) fn is(byte: u8, class: u8) -> bool {
    CLASS[byte as usize] & class != 0
}

impl<'s> Lexer<'s> {
    pub fn new(source: &'s str) -> Lexer<'s> {
        let at = if source.starts_with('\u{feff}') { 3 } else { 0 };
        // Text taken from a fat binary ends in zeros.
        Lexer { source: source.trim_end_matches(['\0', ' ', '\t', '\r', '\n']), at, cut_off: false }
    }

    /// Appends up to `count` tokens. The last token of the source is [`Kind::End`], and comes again when asked again.
    pub fn read(&mut self, count: usize, names: &mut Names, into: &mut Vec<Token>) {
        self.read_to(count, |kind| kind == Kind::End, names, into);
    }

    /// The same up to the first semicolon or brace.
    pub fn read_statement(&mut self, count: usize, names: &mut Names, into: &mut Vec<Token>) {
        let ends = |kind| matches!(kind, Kind::Semi | Kind::LBrace | Kind::RBrace | Kind::End);
        self.read_to(count, ends, names, into);
    }

    #[inline(always)]
    fn read_to(&mut self, count: usize, ends: impl Fn(Kind) -> bool, names: &mut Names, into: &mut Vec<Token>) {
        for _ in 0..count {
            let token = self.next(names);
            into.push(token);
            if ends(token.kind) {
                break;
            }
        }
    }

    #[inline(always)]
    pub(super) fn byte(&self, at: usize) -> u8 {
        self.source.as_bytes().get(at).copied().unwrap_or(0)
    }

    /// Eight bytes from `at`, little-endian; zeros beyond the end.
    #[inline(always)]
    pub(super) fn eight(&self, at: usize) -> u64 {
        match self.source.as_bytes().get(at..).and_then(|rest| rest.first_chunk()) {
            Some(bytes) => u64::from_le_bytes(*bytes),
            None => self.last_bytes(at),
        }
    }

    #[cold]
    #[inline(never)]
    fn last_bytes(&self, at: usize) -> u64 {
        let rest = self.source.as_bytes().get(at..).unwrap_or(&[]);
        rest.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte))
    }

    /// The first position from `at` on whose byte no name has.
    #[inline]
    pub(super) fn end_of_name(&self, mut at: usize) -> usize {
        loop {
            let count = leading_follow(self.eight(at));
            at += count;
            if count < 8 {
                return at;
            }
        }
    }

    /// The first position from `at` on whose byte lacks the class.
    #[inline]
    fn end_of(&self, mut at: usize, class: u8) -> usize {
        let bytes = self.source.as_bytes();
        while at < bytes.len() && is(bytes[at], class) {
            at += 1;
        }
        at
    }

    #[inline]
    fn next(&mut self, names: &mut Names) -> Token {
        loop {
            let mut at = self.at;
            let first = loop {
                match self.source.as_bytes().get(at) {
                    Some(&byte) if is(byte, SPACE) => at += 1,
                    Some(&byte) => break byte,
                    None => {
                        self.at = at;
                        return self.token(Kind::End, at);
                    }
                }
            };
            self.at = at;
            match FIRST[first as usize] {
                Kind::Word => return self.named(Kind::Word, at, at, names),
                Kind::Dot if is(self.byte(at + 1), LETTER | MARK) => return self.dot_word(names),
                Kind::Percent if is(self.byte(at + 1), FOLLOW) => return self.named(Kind::Word, at, at, names),
                Kind::Number => return self.token(Kind::Number, self.end_of_number(at)),
                Kind::Slash if self.byte(at + 1) == b'/' => self.at = self.end_of_line(at),
                Kind::Dot | Kind::Slash | Kind::Bad => {
                    if let Some(token) = self.unusual(first, names) {
                        return token;
                    }
                }
                kind => return self.token(kind, at + 1),
            }
        }
    }

    /// A token that begins as few do; none when it was a comment.
    #[cold]
    #[inline(never)]
    fn unusual(&mut self, first: u8, names: &mut Names) -> Option<Token> {
        let at = self.at;
        let (kind, end) = match first {
            // `.5` is a number, `.2d` a word.
            b'.' if is(self.byte(at + 1), DIGIT) && !is(self.byte(self.end_of(at + 1, DIGIT)), LETTER | MARK) => {
                (Kind::Number, self.end_of(at + 1, DIGIT))
            }
            b'.' if is(self.byte(at + 1), FOLLOW) => return Some(self.dot_word(names)),
            b'/' if self.byte(at + 1) == b'*' => match self.source[at + 2..].find("*/") {
                Some(length) => {
                    self.at = at + 2 + length + 2;
                    return None;
                }
                None => {
                    self.cut_off = true;
                    (Kind::Bad, self.source.len())
                }
            },
            b'/' => (Kind::Slash, at + 1),
            b'"' => return Some(self.string(names)),
            b'@' if self.byte(at + 1) == b'@' => (Kind::Dwarf, self.end_of_line(at)),
            b'@' => (Kind::At, at + 1),
            _ if is(first, ALIEN) => (Kind::Bad, self.end_of(at, ALIEN)),
            _ => (Kind::Bad, at + 1),
        };
        Some(self.token(kind, end))
    }

    /// The token from here to `end`; reading goes on behind it.
    fn token(&mut self, kind: Kind, end: usize) -> Token {
        let start = self.at;
        self.at = end;
        Token { kind, start: start as u32, end: end as u32, name: word::SINK }
    }

    /// The name from `text` on, in a token from `start` on. Up to eight bytes are found without a look at the text.
    #[inline(always)]
    fn named(&mut self, kind: Kind, start: usize, text: usize, names: &mut Names) -> Token {
        let eight = self.eight(text);
        // The first byte is known, and may be one that cannot follow: `%`.
        let count = leading_follow(eight & !0xff | u64::from(b'a'));
        if count == 8 {
            return self.long_name(kind, start, text, names);
        }
        let end = text + count;
        self.at = end;
        let key = eight & ((1 << (8 * count)) - 1);
        Token { kind, start: start as u32, end: end as u32, name: names.intern_short(key, self.source, text) }
    }

    #[inline(never)]
    fn long_name(&mut self, kind: Kind, start: usize, text: usize, names: &mut Names) -> Token {
        let end = self.end_of_name(text + 8);
        self.at = end;
        Token { kind, start: start as u32, end: end as u32, name: names.intern(&self.source[text..end]) }
    }

    /// `.word` or `.shared::cta`, from the dot.
    #[inline(always)]
    fn dot_word(&mut self, names: &mut Names) -> Token {
        let start = self.at;
        let token = self.named(Kind::Dot, start, start + 1, names);
        if self.byte(self.at) == b':' && self.byte(self.at + 1) == b':' && is(self.byte(self.at + 2), FOLLOW) {
            let end = self.end_of_dot_word(start + 1);
            self.at = end;
            let name = names.intern(&self.source[start + 1..end]);
            return Token { kind: Kind::Dot, start: start as u32, end: end as u32, name };
        }
        token
    }

    pub(super) fn end_of_line(&self, at: usize) -> usize {
        let line = &self.source.as_bytes()[at..];
        at + memchr::memchr(b'\n', line).unwrap_or(line.len())
    }

    /// `shared::cta`, `mbarrier::complete_tx::bytes`, from behind the dot.
    fn end_of_dot_word(&self, at: usize) -> usize {
        let mut end = self.end_of(at, FOLLOW);
        while self.byte(end) == b':' && self.byte(end + 1) == b':' && is(self.byte(end + 2), FOLLOW) {
            end = self.end_of(end + 2, FOLLOW);
        }
        end
    }

    /// Digits, prefixes, suffixes, a fraction and an exponent, whether or not they make sense together.
    fn end_of_number(&self, at: usize) -> usize {
        let end = self.end_of_name(at);
        let prefixed = self.byte(at) == b'0' && matches!(self.byte(at + 1), b'x' | b'X' | b'f' | b'F' | b'd' | b'D');
        if prefixed {
            return end;
        }
        let end = if self.byte(end) == b'.' { self.end_of(end + 1, FOLLOW) } else { end };
        let exponent = matches!(self.byte(end - 1), b'e' | b'E') && matches!(self.byte(end), b'+' | b'-');
        if exponent && is(self.byte(end + 1), DIGIT) { self.end_of(end + 1, FOLLOW) } else { end }
    }

    fn string(&mut self, names: &mut Names) -> Token {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let mut at = start + 1;
        loop {
            match bytes.get(at) {
                None | Some(b'\n') => return self.token(Kind::Bad, at),
                Some(b'"') => break,
                Some(_) => at += 1,
            }
        }
        let name = names.intern(&self.source[start + 1..at]);
        self.at = at + 1;
        Token { kind: Kind::String, start: start as u32, end: self.at as u32, name }
    }
}

/// The input of the productions: some tokens, and the source that they point into.
#[derive(Copy, Clone, Debug)]
pub struct Tokens<'t> {
    pub tokens: &'t [Token],
    pub source: &'t str,
}

impl<'t> Tokens<'t> {
    /// The kind of the `n`th token; [`Kind::End`] beyond the portion.
    pub fn kind(self, n: usize) -> Kind {
        self.tokens.get(n).map_or(Kind::End, |t| t.kind)
    }

    /// Where the next token begins.
    pub fn start(self) -> u32 {
        self.tokens.first().map_or(self.source.len() as u32, |t| t.start)
    }

    /// From `start` to the end of the last token before `self`, which is what `from` began with.
    pub fn since(self, from: Tokens<'t>) -> Span {
        let taken = from.tokens.len() - self.tokens.len();
        let end = if taken == 0 { from.start() } else { from.tokens[taken - 1].end };
        Span::new(from.start(), end)
    }
}

impl<'t> Input for Tokens<'t> {
    type Item = Token;
    type Iter = std::iter::Copied<std::slice::Iter<'t, Token>>;
    type IterIndices = std::iter::Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.tokens.len()
    }

    fn take(&self, index: usize) -> Self {
        Tokens { tokens: &self.tokens[..index], ..*self }
    }

    fn take_from(&self, index: usize) -> Self {
        Tokens { tokens: &self.tokens[index..], ..*self }
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        (self.take_from(index), self.take(index))
    }

    fn position<P: Fn(Token) -> bool>(&self, predicate: P) -> Option<usize> {
        self.tokens.iter().position(|&t| predicate(t))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.tokens.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if self.tokens.len() >= count { Ok(count) } else { Err(Needed::new(count - self.tokens.len())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_of_names_are_counted_as_the_table_has_them() {
        for byte in 0..=255u8 {
            for place in 0..8 {
                let mut bytes = *b"a0_$Zz9A";
                bytes[place] = byte;
                let count = if is(byte, FOLLOW) { 8 } else { place };
                assert_eq!(leading_follow(u64::from_le_bytes(bytes)), count, "{byte:#x} at {place}");
            }
        }
    }
}
