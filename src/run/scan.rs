//! Reading argument text: a cursor, and errors that point into the text.

use std::fmt;

/// What is wrong with an argument, and where in its text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArgError {
    pub text: String,
    /// Byte range of the text.
    pub start: usize,
    pub end: usize,
    pub message: String,
}

/// The message, the text, and a mark under the place.
impl fmt::Display for ArgError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let before = self.text[..self.start].chars().count();
        let marked = self.text[self.start..self.end].chars().count().max(1);
        write!(f, "{}\n  {}\n  {}{}", self.message, self.text, " ".repeat(before), "^".repeat(marked))
    }
}
impl std::error::Error for ArgError {}

pub struct Scan<'a> {
    pub text: &'a str,
    pub at: usize,
}

impl<'a> Scan<'a> {
    pub fn new(text: &'a str) -> Scan<'a> {
        Scan { text, at: 0 }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn is_done(&self) -> bool {
        self.rest().is_empty()
    }

    /// Takes `token` if it is next.
    pub fn take(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    /// Takes the longest prefix of characters that fit.
    pub fn take_while(&mut self, fits: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.find(|c| !fits(c)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    pub fn word(&mut self) -> &'a str {
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    pub fn skip_spaces(&mut self) {
        self.take_while(|c| c == ' ');
    }

    /// An error that marks everything from `start` to here.
    pub fn error_from(&self, start: usize, message: impl Into<String>) -> ArgError {
        ArgError { text: self.text.to_owned(), start, end: self.at.max(start), message: message.into() }
    }

    /// An error that marks everything that is left.
    pub fn error_rest(&self, message: impl Into<String>) -> ArgError {
        ArgError { text: self.text.to_owned(), start: self.at, end: self.text.len(), message: message.into() }
    }

    pub fn expect(&mut self, token: &str, why: &str) -> Result<(), ArgError> {
        if self.take(token) { Ok(()) } else { Err(self.error_rest(format!("expected `{token}` {why}"))) }
    }

    pub fn expect_end(&self) -> Result<(), ArgError> {
        if self.is_done() { Ok(()) } else { Err(self.error_rest("nothing more belongs here")) }
    }
}
