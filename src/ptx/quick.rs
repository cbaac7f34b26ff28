//! The most frequent statements, read straight off the source without tokens.
//!
//! What is not plain to the last byte is left to the productions, from the beginning of its statement on: comments
//! within, expressions, calls, pairs, and whatever is wrong. So nothing here says what is valid, and everything here
//! gives what the productions give.
//! An opcode with its modifiers is read by the productions once; from then on it is found by its bytes.

use super::code::{Code, HeadId};
use super::inst::{component, simple};
use super::literal::read_number;
use super::names::{Name, Names};
use super::tokens::{FOLLOW, LETTER, Lexer, MARK, SPACE, is, leading_letters};
use super::tree::{Literal, Offset, Operand, OperandKind, PackedInst, Space, Stmt, Variable};
use super::word;
use crate::diag::Span;

/// A spelling of up to 24 bytes, zeros behind it.
type Text = [u64; 3];

/// Spellings by their bytes. One that finds no place takes that of another, which is then read by the productions.
pub struct Spellings {
    slots: Box<[(Text, Option<HeadId>); Spellings::SLOTS]>,
}

impl Spellings {
    const BITS: u32 = 9;
    const SLOTS: usize = 1 << Spellings::BITS;

    pub fn new() -> Spellings {
        Spellings { slots: Box::new([([0; 3], None); Spellings::SLOTS]) }
    }

    /// Where a spelling lies, or the place next to it.
    #[inline(always)]
    fn places(text: &Text) -> [usize; 2] {
        const MIX: [u64; 3] = [0x9e37_79b9_7f4a_7c15, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
        let product = |n: usize| text[n].wrapping_mul(MIX[n]);
        let sum = product(0).wrapping_add(product(1)).wrapping_add(product(2));
        let first = (sum >> (u64::BITS - Spellings::BITS)) as usize;
        [first, first ^ 1]
    }

    #[inline(always)]
    fn find(&self, text: &Text) -> Option<HeadId> {
        let [first, second] = Spellings::places(text);
        let slot = &self.slots[first % Spellings::SLOTS];
        if slot.0 == *text {
            return slot.1;
        }
        let slot = &self.slots[second % Spellings::SLOTS];
        if slot.0 == *text { slot.1 } else { None }
    }

    /// What the productions made of a spelling.
    pub fn add(&mut self, text: &str, head: HeadId) {
        let plain = text.len() <= size_of::<Text>() && text.bytes().all(|b| is(b, FOLLOW) || matches!(b, b'.' | b':'));
        if !plain {
            return;
        }
        let mut key = [0; 3];
        for (n, byte) in text.bytes().enumerate() {
            key[n / 8] |= u64::from(byte) << (n % 8 * 8);
        }
        let [first, second] = Spellings::places(&key);
        let is_free = |at: usize| self.slots[at].1.is_none() || self.slots[at].0 == key;
        let at = if !is_free(first) && is_free(second) { second } else { first };
        self.slots[at] = (key, Some(head));
    }
}

/// How many of the eight bytes, from the lowest on, are neither blank nor a semicolon.
#[inline(always)]
fn leading_dark(bytes: u64) -> usize {
    const EACH: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x80 * EACH;
    let semis = bytes ^ (b';' as u64 * EACH);
    // A borrow reaches upwards only, so the lowest hit is one.
    let blank = bytes.wrapping_sub((b' ' as u64 + 1) * EACH) & !bytes;
    let semi = semis.wrapping_sub(EACH) & !semis;
    (((blank | semi) & HIGH).trailing_zeros() / 8) as usize
}

/// The lowest bytes of eight.
#[inline(always)]
fn lowest(bytes: u64, count: usize) -> u64 {
    bytes & ((1 << (8 * count)) - 1)
}

impl Lexer<'_> {
    /// The statements from here up to one that is not plain.
    pub fn plain_statements(
        &mut self,
        spellings: &Spellings,
        names: &mut Names,
        code: &mut Code,
        body: &mut Vec<Stmt>,
    ) {
        while let Some(stmt) = self.plain_statement(spellings, names, code) {
            body.push(stmt);
        }
    }

    #[inline(always)]
    fn plain_statement(&mut self, spellings: &Spellings, names: &mut Names, code: &mut Code) -> Option<Stmt> {
        let mut start = self.behind_blanks(self.at);
        while self.byte(start) == b'/' && self.byte(start + 1) == b'/' {
            start = self.behind_blanks(self.end_of_line(start));
        }
        self.at = start;
        let guarded = match self.byte(start) {
            b'@' => true,
            b'.' => return self.plain_directive(start, names),
            b'$' => return self.plain_label(start, names),
            _ => false,
        };
        let mark = code.mark();
        let found = self.plain_inst(start, guarded, spellings, names, code);
        let Some((head, opcode, operands, end)) = found else {
            code.back_to(mark);
            return if guarded { None } else { self.plain_label(start, names) };
        };
        self.at = end;
        let (span, opcode_span) = (span(start, end), span(opcode, operands));
        Some(Stmt::Inst(PackedInst { head, operands: code.since(mark), guarded, span, opcode_span }))
    }

    /// The spelling of an instruction, where it begins and ends, and where the instruction ends.
    #[inline(always)]
    fn plain_inst(
        &self,
        start: usize,
        guarded: bool,
        spellings: &Spellings,
        names: &mut Names,
        code: &mut Code,
    ) -> Option<(HeadId, usize, usize, usize)> {
        let opcode = if guarded { self.plain_guard(start, names, code)? } else { start };
        let (head, operands) = self.plain_opcode(opcode, spellings)?;
        Some((head, opcode, operands, self.plain_operands(operands, names, code)?))
    }

    /// `@p` or `@!p`; where the opcode begins.
    #[inline(always)]
    fn plain_guard(&self, start: usize, names: &mut Names, code: &mut Code) -> Option<usize> {
        let negated = self.byte(start + 1) == b'!';
        let (register, end, _) = self.plain_name(start + 1 + usize::from(negated), names)?;
        code.push(if negated { OperandKind::Not(register) } else { OperandKind::Name(register) }, span(start, end));
        Some(self.behind_blanks(end))
    }

    /// An opcode with its modifiers that the productions have read before, up to a blank or semicolon.
    #[inline(always)]
    fn plain_opcode(&self, at: usize, spellings: &Spellings) -> Option<(HeadId, usize)> {
        let mut text = [0; 3];
        for (n, part) in text.iter_mut().enumerate() {
            let eight = self.eight(at + 8 * n);
            let count = leading_dark(eight);
            if count < 8 {
                *part = lowest(eight, count);
                return Some((spellings.find(&text)?, at + 8 * n + count));
            }
            *part = eight;
        }
        if leading_dark(self.eight(at + 24)) == 0 { Some((spellings.find(&text)?, at + 24)) } else { None }
    }

    /// The operands up to the semicolon, and where that ends.
    #[inline(always)]
    fn plain_operands(&self, at: usize, names: &mut Names, code: &mut Code) -> Option<usize> {
        let mut at = self.behind_blanks(at);
        if self.byte(at) == b';' {
            return Some(at + 1);
        }
        loop {
            let start = at;
            let (kind, end) = match self.byte(at) {
                b' ' => {
                    at += 1;
                    continue;
                }
                b'[' => self.plain_address(at, names)?,
                b'{' => self.plain_vector(at, names, code)?,
                b'0'..=b'9' | b'-' => self.plain_number(at)?,
                _ => {
                    let (name, end, next) = self.plain_name(at, names)?;
                    match next {
                        b',' => {
                            code.push(simple(name), span(start, end));
                            at = end + 1;
                            continue;
                        }
                        b'.' => self.plain_component(name, end, names)?,
                        b'|' => self.plain_pair(name, start, end, names, code)?,
                        _ => (simple(name), end),
                    }
                }
            };
            code.push(kind, span(start, end));
            at = match self.byte(end) {
                b',' | b';' => end,
                _ => self.behind_blanks(end),
            };
            match self.byte(at) {
                b',' => at = self.behind_blanks(at + 1),
                b';' => return Some(at + 1),
                _ => return None,
            }
        }
    }

    /// An identifier or register, where it ends, and the byte there.
    #[inline(always)]
    fn plain_name(&self, at: usize, names: &mut Names) -> Option<(Name, usize, u8)> {
        let eight = self.eight(at);
        let first = eight as u8;
        // The first byte is no digit; `%` has one of the others behind it.
        let begins = is(first, LETTER | MARK) || first == b'%' && is((eight >> 8) as u8, FOLLOW);
        if !begins {
            return None;
        }
        let count = leading_letters(eight & !0xff | u64::from(b'a'));
        if count == 8 {
            return Some(self.plain_long_name(at, names));
        }
        let next = (eight >> (8 * count)) as u8;
        if is(next, MARK) {
            return Some(self.plain_long_name(at, names));
        }
        Some((names.intern_short(lowest(eight, count), self.source, at), at + count, next))
    }

    #[inline(never)]
    fn plain_long_name(&self, at: usize, names: &mut Names) -> (Name, usize, u8) {
        let end = self.end_of_name(at + 1);
        (names.intern(&self.source[at..end]), end, self.byte(end))
    }

    /// `.x` behind a name.
    fn plain_component(&self, name: Name, dot: usize, names: &mut Names) -> Option<(OperandKind, usize)> {
        let (suffix, end, _) = self.plain_name(dot + 1, names)?;
        Some((component(name, suffix), end))
    }

    /// `|q` behind a name.
    fn plain_pair(
        &self,
        left: Name,
        start: usize,
        bar: usize,
        names: &mut Names,
        code: &mut Code,
    ) -> Option<(OperandKind, usize)> {
        let (right, end, _) = self.plain_name(bar + 1, names)?;
        let left = Operand { kind: simple(left), span: span(start, bar) };
        let right = Operand { kind: simple(right), span: span(bar + 1, end) };
        Some((OperandKind::Pair(code.list(&[left, right])), end))
    }

    /// A number, perhaps with a minus.
    fn plain_number(&self, at: usize) -> Option<(OperandKind, usize)> {
        let negative = self.byte(at) == b'-';
        let start = at + usize::from(negative);
        if !self.byte(start).is_ascii_digit() {
            return None;
        }
        let end = self.end_of_name(start);
        // A fraction or an exponent.
        if matches!(self.byte(end), b'.' | b'+' | b'-') {
            return None;
        }
        let literal = match read_number(&self.source[start..end]).ok()? {
            Literal::Int { value, unsigned } if negative => Literal::Int { value: value.wrapping_neg(), unsigned },
            _ if negative => return None,
            other => other,
        };
        Some((OperandKind::Literal(literal), end))
    }

    /// `[base]`, `[base+8]`, `[base+-8]`.
    #[inline(always)]
    fn plain_address(&self, at: usize, names: &mut Names) -> Option<(OperandKind, usize)> {
        let (name, mut end, next) = self.plain_name(at + 1, names)?;
        let OperandKind::Name(base) = simple(name) else { return None };
        let mut offset = Offset::default();
        if next == b']' {
            return Some((OperandKind::Address { base, offset }, end + 1));
        }
        if next == b'+' {
            let (number, after) = self.plain_number(end + 1)?;
            let OperandKind::Literal(Literal::Int { value, .. }) = number else { return None };
            (offset, end) = (Offset::new(value as i64), after);
        }
        (self.byte(end) == b']').then_some((OperandKind::Address { base, offset }, end + 1))
    }

    /// `{a, b}` of names and numbers.
    fn plain_vector(&self, at: usize, names: &mut Names, code: &mut Code) -> Option<(OperandKind, usize)> {
        let first = code.elements.len();
        let mut at = self.behind_blanks(at + 1);
        loop {
            let (kind, end) = match self.byte(at) {
                b'0'..=b'9' => self.plain_number(at)?,
                _ => {
                    let (name, end, _) = self.plain_name(at, names)?;
                    (simple(name), end)
                }
            };
            code.elements.push(Operand { kind, span: span(at, end) });
            at = self.behind_blanks(end);
            match self.byte(at) {
                b',' => at = self.behind_blanks(at + 1),
                b'}' => return Some((OperandKind::Vector(code.elements_since(first)), at + 1)),
                _ => return None,
            }
        }
    }

    /// `name:` before an instruction, another label or the end of the scope.
    fn plain_label(&mut self, start: usize, names: &mut Names) -> Option<Stmt> {
        let end = self.end_of_name(start);
        let begins = is(self.byte(start), LETTER | MARK);
        let next = self.byte(self.behind_blanks(end + 1));
        let is_plain = is(next, LETTER | MARK) || matches!(next, b'@' | b'}') || self.is_location(end + 1);
        if !begins || self.byte(end) != b':' || !is_plain {
            return None;
        }
        self.at = end + 1;
        Some(Stmt::Label(names.intern(&self.source[start..end]), span(start, end)))
    }

    /// Whether `.loc` or a word that begins so comes next.
    fn is_location(&self, at: usize) -> bool {
        lowest(self.eight(self.behind_blanks(at)), 4) == word_of(*b".loc\0\0\0\0")
    }

    #[inline(never)]
    fn plain_directive(&mut self, start: usize, names: &mut Names) -> Option<Stmt> {
        let eight = self.eight(start);
        if lowest(eight, 4) == word_of(*b".loc\0\0\0\0") {
            self.plain_location(start)
        } else if lowest(eight, 4) == word_of(*b".reg\0\0\0\0") {
            self.plain_variable(start, start + 4, Space::Reg, names)
        } else if lowest(eight, 6) == word_of(*b".param\0\0") {
            self.plain_variable(start, start + 6, Space::Param, names)
        } else {
            None
        }
    }

    /// `.reg .b32 r;`, `.reg .b32 %r<4>;`, `.param .b64 p;`, from behind the space.
    fn plain_variable(&mut self, start: usize, at: usize, space: Space, names: &mut Names) -> Option<Stmt> {
        let dot = self.behind_blanks(at);
        if self.byte(dot) != b'.' || !is(self.byte(dot + 1), LETTER) {
            return None;
        }
        let (ty, end, _) = self.plain_name(dot + 1, names)?;
        let ty = word::scalar_type(ty)?;
        let at = self.behind_blanks(end);
        // `.b32.v2`, `.b32::x`.
        let (name, mut end, _) = if at > end { self.plain_name(at, names)? } else { return None };
        let name_span = span(at, end);
        let mut range = None;
        if self.byte(end) == b'<' {
            let (number, after) = self.plain_number(end + 1)?;
            let OperandKind::Literal(Literal::Int { value, .. }) = number else { return None };
            if self.byte(end + 1) == b'-' || self.byte(after) != b'>' {
                return None;
            }
            (range, end) = (Some(u32::try_from(value).ok()?), after + 1);
        }
        if self.byte(end) != b';' {
            return None;
        }
        self.at = end + 1;
        let span = span(start, end);
        Some(Stmt::Variable(Box::new(Variable { range, span, ..Variable::scalar(space, ty, name, name_span) })))
    }

    /// `.loc file line column` with nothing behind it.
    fn plain_location(&mut self, start: usize) -> Option<Stmt> {
        let mut numbers = [0; 3];
        let mut end = start + 4;
        for number in &mut numbers {
            let at = self.behind_blanks(end);
            let (literal, after) = self.plain_number(at)?;
            let OperandKind::Literal(Literal::Int { value, .. }) = literal else { return None };
            if at == end || self.byte(at) == b'-' {
                return None;
            }
            (*number, end) = (u32::try_from(value).ok()?, after);
        }
        let next = self.byte(self.behind_blanks(end));
        if !is(next, LETTER | MARK) && !matches!(next, b'@' | b'.' | b'{' | b'}') {
            return None;
        }
        self.at = end;
        let [file, line, column] = numbers;
        Some(Stmt::Loc { file, line, column, rest: None, span: span(start, end) })
    }

    #[inline(always)]
    fn behind_blanks(&self, mut at: usize) -> usize {
        while is(self.byte(at), SPACE) {
            at += 1;
        }
        at
    }
}

const fn word_of(bytes: [u8; 8]) -> u64 {
    u64::from_le_bytes(bytes)
}

#[inline(always)]
fn span(start: usize, end: usize) -> Span {
    Span::new(start as u32, end as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_up_to_a_blank_or_semicolon_are_counted() {
        for byte in 0..=255u8 {
            for place in 0..8 {
                let mut bytes = *b"a.Z_9~$:";
                bytes[place] = byte;
                let count = if byte <= b' ' || byte == b';' { place } else { 8 };
                assert_eq!(leading_dark(u64::from_le_bytes(bytes)), count, "{byte:#x} at {place}");
            }
        }
    }
}
