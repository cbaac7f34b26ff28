//! The text being written, by lines.

/// Spaces of one level.
const LEVEL: usize = 4;

#[derive(Default)]
pub struct Output {
    text: String,
    /// Where the current line begins.
    line: usize,
    /// An empty line comes before the next one.
    blank: bool,
    /// A block has just been opened: no empty line comes.
    opened: bool,
    /// A function's body has just been closed.
    after_body: bool,
    /// The token before which the comments have been written.
    pub written_gaps: Option<usize>,
}

impl Output {
    pub fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// A comment, which may have several lines.
    pub fn comment(&mut self, text: &str) {
        self.text.push_str(text);
        if let Some(n) = text.rfind('\n') {
            self.line = self.text.len() - (text.len() - n - 1);
        }
    }

    /// Bytes of the current line.
    pub fn column(&self) -> usize {
        self.text.len() - self.line
    }

    pub fn begin_line(&mut self, indent: usize) {
        if !self.text.is_empty() {
            self.text.push('\n');
            if self.blank && !self.opened {
                self.text.push('\n');
            }
        }
        (self.blank, self.opened, self.after_body) = (false, false, false);
        self.line = self.text.len();
        self.text.extend(std::iter::repeat_n(' ', indent * LEVEL));
    }

    /// The statement goes on in the next line.
    pub fn continue_line(&mut self, indent: usize) {
        let end = self.text.trim_end_matches(' ').len();
        self.text.truncate(end);
        self.text.push('\n');
        self.line = self.text.len();
        self.text.extend(std::iter::repeat_n(' ', (indent + 1) * LEVEL));
    }

    pub fn blank_line(&mut self) {
        self.blank = true;
    }

    pub fn open_block(&mut self) {
        self.opened = true;
    }

    pub fn close_block(&mut self, is_body: bool) {
        self.after_body = is_body;
    }

    /// Whether the last line closed the body of a function.
    pub fn ends_with_body(&self) -> bool {
        self.after_body
    }

    pub fn finish(mut self) -> String {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text
    }
}
