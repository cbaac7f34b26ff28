//! The comments between two tokens.

use crate::diag::Span;

/// What stands between two tokens: white space and comments.
pub struct Gap {
    pub comments: Vec<Comment>,
    /// Line ends behind the last comment.
    pub newlines_after: usize,
    /// Nothing stands before.
    first: bool,
}

#[derive(Copy, Clone)]
pub struct Comment {
    span: Span,
    /// `//` rather than `/* */`.
    pub is_line: bool,
    /// Line ends between it and what stands before it.
    pub newlines_before: usize,
}

impl Comment {
    /// The comment without what surrounds it; lines end as everywhere.
    pub fn text(self, source: &str) -> String {
        let lines = self.span.text(source).lines();
        lines.map(str::trim_end).collect::<Vec<_>>().join("\n")
    }
}

impl Gap {
    /// How many comments stand in the line of the token before.
    pub fn trailing(&self) -> usize {
        if self.first {
            return 0;
        }
        let run = self.comments.iter().take_while(|comment| comment.newlines_before == 0).count();
        let ends_line = self.newlines_behind(run) > 0;
        if ends_line { run } else { 0 }
    }

    /// From which comment on they stand in the line of the token behind.
    pub fn inline_from(&self) -> usize {
        let mut from = self.comments.len();
        while from > 0 && self.newlines_behind(from) == 0 && !self.comments[from - 1].is_line {
            from -= 1;
        }
        from.max(self.trailing())
    }

    /// Line ends between the `n`th comment and what stands before it; behind all comments when there are no more.
    fn newlines_behind(&self, n: usize) -> usize {
        self.comments.get(n).map_or(self.newlines_after, |comment| comment.newlines_before)
    }
}

/// Reads a part of the source in which there are no tokens.
pub fn read(source: &str, span: Span, first: bool, last: bool) -> Gap {
    let bytes = source.as_bytes();
    let (mut at, end) = (span.start as usize, span.end as usize);
    let mut gap = Gap { comments: Vec::new(), newlines_after: 0, first };
    while at < end {
        let rest = &bytes[at..end];
        let (length, is_line) = match (bytes[at], bytes.get(at + 1)) {
            (b'/', Some(b'/')) => (memchr::memchr(b'\n', rest).unwrap_or(rest.len()), true),
            (b'/', Some(b'*')) => (memchr::memmem::find(rest, b"*/").map_or(rest.len(), |n| n + 2), false),
            (byte, _) => {
                gap.newlines_after += usize::from(byte == b'\n');
                at += 1;
                continue;
            }
        };
        let span = Span::new(at as u32, (at + length) as u32);
        gap.comments.push(Comment { span, is_line, newlines_before: gap.newlines_after });
        gap.newlines_after = 0;
        at += length;
    }
    // The end of the file ends the line.
    if last {
        gap.newlines_after += 1;
    }
    gap
}
