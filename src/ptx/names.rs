//! Interned names of a module.
//!
//! The words of [`super::word`] (opcodes, modifiers, special registers) have the first ids, in table order, in every
//! module, so they can be matched as constants: `match inst.opcode { word::ADD => .. }`. Words that only the grammar
//! files mention follow them, then the names of the module in order of appearance.
//! The table is open addressing over one string: no allocation per name, and a clone of the seed is three copies. A name
//! of up to eight bytes, as most registers and words are, is its own key and found without a look at its text.

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

/// Where a name lies in the common text.
#[derive(Copy, Clone)]
struct Entry {
    start: u32,
    len: u32,
}

/// A place in the table: the key of a name in two halves, and its number plus one; 0 is free.
#[derive(Copy, Clone, Default)]
struct Slot {
    low: u32,
    high: u32,
    id: u32,
}

impl Slot {
    fn new(key: u64, id: u32) -> Slot {
        Slot { low: key as u32, high: (key >> 32) as u32, id: id + 1 }
    }

    fn key(self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// The interner.
#[derive(Clone)]
pub struct Names {
    text: String,
    entries: Vec<Entry>,
    /// By key with linear probing. The length is a power of two.
    slots: Vec<Slot>,
    /// 64 less the bits of a slot's number.
    shift: u32,
}

impl Names {
    /// An interner that holds the fixed words: those of the table, then those of the grammar files.
    pub fn new() -> Names {
        GRAMMAR.names.clone()
    }

    /// An interner without any words.
    pub(super) fn empty() -> Names {
        const BITS: u32 = 12;
        Names {
            text: String::new(),
            entries: Vec::new(),
            slots: vec![Slot::default(); 1 << BITS],
            shift: u64::BITS - BITS,
        }
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
        self.find(key(text.as_bytes()), text).ok()
    }

    pub fn intern(&mut self, text: &str) -> Name {
        let key = key(text.as_bytes());
        match self.find(key, text) {
            Ok(name) => name,
            Err(free) => self.add(free, key, text),
        }
    }

    /// The same for a text of up to eight bytes, which are the key and stand in the source from `start` on.
    #[inline(always)]
    pub(super) fn intern_short(&mut self, key: u64, source: &str, start: usize) -> Name {
        let slots = &self.slots[..];
        let mut at = first_slot(key, self.shift);
        while let Some(slot) = slots.get(at) {
            if slot.key() == key && slot.id != 0 {
                return Name(slot.id - 1);
            }
            if slot.id == 0 {
                break;
            }
            at = (at + 1) & (slots.len() - 1);
        }
        self.add_short(at, key, source, start)
    }

    #[cold]
    #[inline(never)]
    fn add_short(&mut self, free: usize, key: u64, source: &str, start: usize) -> Name {
        let length = 8 - key.leading_zeros() as usize / 8;
        self.add(free, key, &source[start..start + length])
    }

    /// The name, or the free slot where it would be.
    #[inline]
    fn find(&self, key: u64, text: &str) -> Result<Name, usize> {
        let mut at = first_slot(key, self.shift);
        loop {
            let slot = self.slots[at];
            if slot.id == 0 {
                return Err(at);
            }
            // The key of a short name is all of it.
            if slot.key() == key && (key < LONG || self.get(Name(slot.id - 1)) == text) {
                return Ok(Name(slot.id - 1));
            }
            at = (at + 1) & (self.slots.len() - 1);
        }
    }

    #[cold]
    #[inline(never)]
    fn add(&mut self, free: usize, key: u64, text: &str) -> Name {
        let id = self.entries.len() as u32;
        self.entries.push(Entry { start: self.text.len() as u32, len: text.len() as u32 });
        self.text.push_str(text);
        self.slots[free] = Slot::new(key, id);
        if self.entries.len() * 2 > self.slots.len() {
            self.grow();
        }
        Name(id)
    }

    fn grow(&mut self) {
        self.shift -= 1;
        let size = self.slots.len() * 2;
        let old = std::mem::replace(&mut self.slots, vec![Slot::default(); size]);
        for slot in old.into_iter().filter(|slot| slot.id != 0) {
            let mut at = first_slot(slot.key(), self.shift);
            while self.slots[at].id != 0 {
                at = (at + 1) & (size - 1);
            }
            self.slots[at] = slot;
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

const MIX: u64 = 0x9e37_79b9_7f4a_7c15;

/// The halves of the product together depend on every bit of the key.
#[inline]
fn first_slot(key: u64, shift: u32) -> usize {
    let product = u128::from(key) * u128::from(MIX);
    ((product as u64 ^ (product >> 64) as u64) >> shift) as usize
}

/// Keys from here on are hashes. Texts of up to eight bytes are below: no UTF-8 has a byte of all ones.
const LONG: u64 = 0xff << 56;

/// What a name is found by: its bytes when they are up to eight, else a hash of them. The same on every machine.
fn key(bytes: &[u8]) -> u64 {
    let length = bytes.len();
    let eight = |at: usize| bytes[at..].first_chunk().map_or(0, |b| u64::from_le_bytes(*b));
    match length {
        // A zero at the end would be lost.
        0..=8 if bytes.last() != Some(&0) => bytes.iter().rev().fold(0, |key, &byte| key << 8 | u64::from(byte)),
        0..=8 => LONG | length as u64,
        _ => {
            let mix = |state: u64, word: u64| (state.rotate_left(23) ^ word).wrapping_mul(MIX);
            let mut state = length as u64;
            for at in (0..length - 8).step_by(8) {
                state = mix(state, eight(at));
            }
            // The last piece overlaps the one before it, so that every read is a whole word.
            state = mix(state, eight(length - 8));
            LONG | (state ^ state >> 29) >> 8
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_differ_get_names_that_differ() {
        let texts = ["", "\0", "\0\0", "a", "a\0", "ab", "abcdefgh", "abcdefg\0", "abcdefgh\0", "abcdefghi"];
        let mut names = Names::empty();
        let many: Vec<String> = (0..10_000).map(|n| format!("%register{n}")).collect();
        let all: Vec<&str> = texts.into_iter().chain(many.iter().map(String::as_str)).collect();
        let ids: Vec<Name> = all.iter().map(|text| names.intern(text)).collect();
        for (index, (text, id)) in all.iter().zip(ids).enumerate() {
            assert_eq!(id.index(), index);
            assert_eq!(names.get(id), *text);
            assert_eq!(names.lookup(text), Some(id));
        }
        assert_eq!(names.lookup("b"), None);
    }
}
