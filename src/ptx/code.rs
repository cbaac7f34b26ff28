//! The rows that the instructions of a module lie in: operands, elements of operands, and spellings.
//!
//! A spelling is an opcode with its modifiers. A module has few of them, so each is kept once, and what follows from it
//! (its forms, above all) is worked out once.

use super::names::Name;
use super::tokens::Token;
use super::tree::{Operand, OperandKind};
use crate::diag::Span;
use std::ops::Range;

/// Operands in a row.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct List {
    start: u32,
    end: u32,
}

impl List {
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// How many operands there are.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(self) -> usize {
        self.range().len()
    }
}

/// An opcode with its modifiers.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct HeadId(u32);

impl HeadId {
    /// The position: a dense key for side tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Copy, Clone, Debug)]
struct Head {
    opcode: Name,
    /// The modifiers in `Code::words`.
    start: u32,
    end: u32,
}

#[derive(Debug, Default)]
pub struct Code {
    /// Of instructions, guards first.
    pub(super) operands: Vec<Operand>,
    /// Of operands.
    pub(super) elements: Vec<Operand>,
    heads: Vec<Head>,
    words: Vec<Name>,
    /// Heads plus one, by hash with linear probing; 0 is free. The length is a power of two, or 0.
    slots: Vec<u32>,
}

/// Lengths of the rows, to go back to when an instruction does not match.
#[derive(Copy, Clone)]
pub struct Mark {
    operands: usize,
    elements: usize,
}

impl Code {
    /// Rows with room for what so much source usually has.
    pub(super) fn for_source(bytes: usize) -> Code {
        Code { operands: Vec::with_capacity(bytes / 16), ..Code::default() }
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { operands: self.operands.len(), elements: self.elements.len() }
    }

    pub(super) fn back_to(&mut self, mark: Mark) {
        self.operands.truncate(mark.operands);
        self.elements.truncate(mark.elements);
    }

    /// Gives back what the rows have too much.
    pub(super) fn shrink(&mut self) {
        self.operands.shrink_to_fit();
        self.elements.shrink_to_fit();
    }

    /// An operand of the instruction being read.
    #[inline]
    pub(super) fn push(&mut self, kind: OperandKind, span: Span) {
        if self.operands.len() == self.operands.capacity() {
            // The row is the largest part of a tree: it does not double.
            self.operands.reserve_exact(self.operands.len() / 4 + 16);
        }
        self.operands.push(Operand { kind, span });
    }

    /// The operands since the mark.
    pub(super) fn since(&self, mark: Mark) -> List {
        List { start: mark.operands as u32, end: self.operands.len() as u32 }
    }

    /// Elements of one operand.
    pub(super) fn list(&mut self, items: &[Operand]) -> List {
        let start = self.elements.len() as u32;
        self.elements.extend_from_slice(items);
        List { start, end: self.elements.len() as u32 }
    }

    /// The elements from this one on, of one operand.
    pub(super) fn elements_since(&self, first: usize) -> List {
        List { start: first as u32, end: self.elements.len() as u32 }
    }

    // ---- spellings ----

    /// The opcode and the modifiers.
    pub fn head(&self, id: HeadId) -> (Name, &[Name]) {
        let Head { opcode, start, end } = self.heads[id.index()];
        (opcode, &self.words[start as usize..end as usize])
    }

    /// All spellings, by [`HeadId`].
    pub fn heads(&self) -> impl Iterator<Item = (Name, &[Name])> {
        self.heads.iter().map(|head| (head.opcode, &self.words[head.start as usize..head.end as usize]))
    }

    /// The id of an opcode with these words behind it.
    #[inline]
    pub(super) fn intern(&mut self, opcode: Name, modifiers: &[Token]) -> HeadId {
        let hash = hash(opcode, modifiers.iter().map(|token| token.name));
        let mask = self.slots.len().wrapping_sub(1);
        let mut at = hash & mask;
        // An empty table has no first slot.
        while let Some(id) = self.slots.get(at).and_then(|slot| slot.checked_sub(1)) {
            let (other, words) = self.head(HeadId(id));
            if other == opcode
                && words.len() == modifiers.len()
                && words.iter().zip(modifiers).all(|(w, t)| *w == t.name)
            {
                return HeadId(id);
            }
            at = (at + 1) & mask;
        }
        self.add(opcode, modifiers)
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, opcode: Name, modifiers: &[Token]) -> HeadId {
        let start = self.words.len() as u32;
        self.words.extend(modifiers.iter().map(|token| token.name));
        self.heads.push(Head { opcode, start, end: self.words.len() as u32 });
        if self.heads.len() * 2 > self.slots.len() {
            self.slots = vec![0; (self.slots.len() * 2).max(64)];
            for id in 0..self.heads.len() as u32 - 1 {
                self.place(id);
            }
        }
        let id = self.heads.len() as u32 - 1;
        self.place(id);
        HeadId(id)
    }

    fn place(&mut self, id: u32) {
        let (opcode, words) = self.head(HeadId(id));
        let mask = self.slots.len() - 1;
        let mut at = hash(opcode, words.iter().copied()) & mask;
        while self.slots[at] != 0 {
            at = (at + 1) & mask;
        }
        self.slots[at] = id + 1;
    }
}

#[inline]
fn hash(opcode: Name, modifiers: impl Iterator<Item = Name>) -> usize {
    const MIX: u64 = 0x517c_c1b7_2722_0a95;
    let mix = |state: u64, name: Name| (state.rotate_left(5) ^ name.index() as u64).wrapping_mul(MIX);
    (modifiers.fold(mix(0, opcode), mix) >> 32) as usize
}
