//! Interned names of a module.
//!
//! The words of [`super::word`] (opcodes, modifiers, special registers) have the first ids, in table order, in every
//! module, so they can be matched as constants: `match inst.opcode { word::ADD => .. }`. Words that only the grammar
//! files mention follow them, then the names of the module in order of appearance.
//! The table is open addressing over one string: no allocation per name, and a clone of the seed is three copies.

use super::forms::GRAMMAR;
use super::word;

/// An interned word or name. Only the [`Names`] it came from can spell it, except for the constants of [`word`].
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub(crate) u32);

impl Name {
    /// The position in the interner: a dense key for side tables.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl std::fmt::Debug for Name {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match word::TEXTS.get(self.index()) {
            Some(text) => f.write_str(text),
            None => write!(f, "name{}", self.0),
        }
    }
}

/// Where a name lies in the common text, and its hash.
#[derive(Copy, Clone)]
struct Entry {
    start: u32,
    len: u32,
    hash: u32,
}

/// The interner.
#[derive(Clone)]
pub struct Names {
    text: String,
    entries: Vec<Entry>,
    /// Entry numbers plus one, by hash with linear probing; 0 is free. The length is a power of two.
    slots: Vec<u32>,
}

impl Names {
    /// An interner that holds the fixed words: those of the table, then those of the grammar files.
    pub fn new() -> Names {
        GRAMMAR.names.clone()
    }

    /// An interner without any words.
    pub(super) fn empty() -> Names {
        Names { text: String::new(), entries: Vec::new(), slots: vec![0; 4096] }
    }

    /// How many names there are; every id is below.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The spelling. A name of another module spells as the empty string when it lies beyond this table.
    pub fn get(&self, name: Name) -> &str {
        let Some(entry) = self.entries.get(name.index()) else { return "" };
        let start = entry.start as usize;
        &self.text[start..start + entry.len as usize]
    }

    pub fn lookup(&self, text: &str) -> Option<Name> {
        let hash = hash(text.as_bytes());
        let mut at = self.first_slot(hash);
        loop {
            match self.slots[at] {
                0 => return None,
                slot if self.is(slot - 1, hash, text) => return Some(Name(slot - 1)),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
    }

    pub fn intern(&mut self, text: &str) -> Name {
        let hash = hash(text.as_bytes());
        let mut at = self.first_slot(hash);
        loop {
            match self.slots[at] {
                0 => break,
                slot if self.is(slot - 1, hash, text) => return Name(slot - 1),
                _ => at = (at + 1) & (self.slots.len() - 1),
            }
        }
        let id = self.entries.len() as u32;
        self.entries.push(Entry { start: self.text.len() as u32, len: text.len() as u32, hash });
        self.text.push_str(text);
        self.slots[at] = id + 1;
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(id)
    }

    fn is(&self, id: u32, hash: u32, text: &str) -> bool {
        let entry = &self.entries[id as usize];
        let start = entry.start as usize;
        entry.hash == hash && self.text.as_bytes()[start..start + entry.len as usize] == *text.as_bytes()
    }

    fn first_slot(&self, hash: u32) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots.clear();
        self.slots.resize(size, 0);
        for (id, entry) in self.entries.iter().enumerate() {
            let mut at = entry.hash as usize & (size - 1);
            while self.slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = id as u32 + 1;
        }
    }
}

impl Default for Names {
    fn default() -> Names {
        Names::new()
    }
}

impl std::fmt::Debug for Names {
    /// The names of the module itself, without the fixed words.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let own = (GRAMMAR.names.len()..self.len()).map(|id| self.get(Name(id as u32)));
        f.debug_list().entries(own).finish()
    }
}

/// A multiplicative hash of up to eight bytes at a time, with the high bits folded down. The same on every machine.
fn hash(bytes: &[u8]) -> u32 {
    const K: u64 = 0x9e37_79b9_7f4a_7c15;
    let mix = |state: u64, word: u64| (state.rotate_left(23) ^ word).wrapping_mul(K);
    let eight = |at: usize| bytes[at..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
    let four = |at: usize| bytes[at..].first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b)));
    let length = bytes.len();
    let mut state = length as u64;
    // The last piece overlaps the one before it, so that every read is a whole word.
    match length {
        0 => {}
        1..=3 => {
            let (first, middle, last) = (bytes[0], bytes[length / 2], bytes[length - 1]);
            state = mix(state, u64::from(first) | u64::from(middle) << 8 | u64::from(last) << 16);
        }
        4..=8 => state = mix(state, four(0) | four(length - 4) << 32),
        _ => {
            for at in (0..length - 8).step_by(8) {
                state = mix(state, eight(at));
            }
            state = mix(state, eight(length - 8));
        }
    }
    (state ^ state >> 29 ^ state >> 47) as u32
}
