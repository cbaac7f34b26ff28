//! Lines and columns of a text: one pass over it, then each place in no time.

/// Bytes for which UTF-16 code units are counted at once.
const BLOCK: usize = 4096;

pub struct Lines<'s> {
    text: &'s str,
    /// Byte offsets of line starts.
    starts: Vec<u32>,
    /// UTF-16 code units before each block of a text that is not ASCII.
    units: Vec<u32>,
}

/// A place for people: line and column in bytes, both from 1.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Place {
    pub line: usize,
    pub column: usize,
}

impl<'s> Lines<'s> {
    pub fn new(text: &'s str) -> Lines<'s> {
        let newlines = memchr::memchr_iter(b'\n', text.as_bytes());
        let starts = std::iter::once(0).chain(newlines.map(|at| at as u32 + 1)).collect();
        let mut units = Vec::new();
        if !text.is_ascii() {
            let mut before = 0;
            for block in text.as_bytes().chunks(BLOCK) {
                units.push(before);
                before += block.iter().map(|&byte| units_of(byte)).sum::<u32>();
            }
        }
        Lines { text, starts, units }
    }

    pub fn text(&self) -> &'s str {
        self.text
    }

    /// How many lines there are; at least one.
    pub fn count(&self) -> usize {
        self.starts.len()
    }

    /// The line, from 1, that holds a byte.
    pub fn line(&self, at: u32) -> usize {
        self.starts.partition_point(|&start| start <= at)
    }

    pub fn place(&self, at: u32) -> Place {
        let at = at.min(self.text.len() as u32);
        let line = self.line(at);
        Place { line, column: (at - self.starts[line - 1]) as usize + 1 }
    }

    /// The column in UTF-16 code units, from 1.
    pub fn utf16_column(&self, at: u32) -> usize {
        let place = self.place(at);
        if self.units.is_empty() {
            return place.column;
        }
        let start = self.starts[place.line - 1] as usize;
        (self.units_before(start + place.column - 1) - self.units_before(start)) as usize + 1
    }

    fn units_before(&self, at: usize) -> u32 {
        let block = at / BLOCK;
        let rest = &self.text.as_bytes()[block * BLOCK..at];
        self.units.get(block).copied().unwrap_or(0) + rest.iter().map(|&byte| units_of(byte)).sum::<u32>()
    }

    /// The bytes of a line, from 1, without its end.
    pub fn range(&self, line: usize) -> std::ops::Range<usize> {
        let start = self.starts[line - 1] as usize;
        let end = self.starts.get(line).map_or(self.text.len(), |&next| next as usize - 1);
        let end = if self.text.as_bytes()[start..end].last() == Some(&b'\r') { end - 1 } else { end };
        start..end
    }
}

/// UTF-16 code units of the character that a byte of UTF-8 begins.
fn units_of(byte: u8) -> u32 {
    match byte {
        // Within a character.
        0x80..=0xbf => 0,
        0xf0..=0xff => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_found_as_by_counting() {
        let long = "\u{10348}\u{e9}x".repeat(3000);
        let text = format!("one\r\n\ntwo\u{e9}\u{10348} end\n{long}\nlast");
        let lines = Lines::new(&text);
        assert_eq!(lines.count(), 5);
        for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
            let before = &text[..at];
            let start = before.rfind('\n').map_or(0, |n| n + 1);
            let place = lines.place(at as u32);
            assert_eq!(place, Place { line: before.matches('\n').count() + 1, column: at - start + 1 });
            assert_eq!(lines.utf16_column(at as u32), text[start..at].encode_utf16().count() + 1);
        }
        assert_eq!(&text[lines.range(1)], "one");
        assert_eq!((lines.range(2).len(), lines.range(4).len(), &text[lines.range(5)]), (0, long.len(), "last"));
    }
}
