//! Printing diagnostics.

use super::args::{Color, MessageFormat};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use warp2wave::diag::{Diag, SarifLog, Source};

pub struct Reporter {
    pub format: MessageFormat,
    /// On standard error.
    color: bool,
    choice: Color,
    /// What will be one log at the end.
    log: RefCell<SarifLog>,
}

impl Reporter {
    pub fn new(format: MessageFormat, choice: Color) -> Reporter {
        Reporter { format, color: colors(choice, &std::io::stderr()), choice, log: RefCell::default() }
    }

    /// Whether standard output is coloured.
    pub fn colors_output(&self) -> bool {
        colors(self.choice, &std::io::stdout())
    }

    /// Prints each diagnostic of one file on standard error. A closed standard error is not worth failing for.
    pub fn diags(&self, diags: &[Diag], path: &str, source: &str) {
        let mut out = String::new();
        let source = Source::new(path, source);
        for d in diags {
            match self.format {
                MessageFormat::Human => out += &source.human(d, self.color),
                MessageFormat::Json => out += &format!("{}\n", source.json(d)),
                MessageFormat::Sarif => self.log(d, &source, Map::new()),
            }
        }
        let _ = std::io::stderr().lock().write_all(out.as_bytes());
    }

    /// Prints a failure that has no place in a source text.
    pub fn failure(&self, err: &anyhow::Error) {
        let text = match self.format {
            MessageFormat::Human => format!("error: {err:#}\n"),
            MessageFormat::Json => {
                let message = format!("{err:#}");
                format!("{}\n", serde_json::json!({"type": "failure", "severity": "error", "message": message}))
            }
            MessageFormat::Sarif => return self.log.borrow_mut().fail(&format!("{err:#}")),
        };
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}

impl Reporter {
    /// Puts a diagnostic into the log.
    pub fn log(&self, diag: &Diag, source: &Source, properties: Map<String, Value>) {
        self.log.borrow_mut().add(diag, source, &root(), properties);
    }

    /// The log so far; a new one begins.
    pub fn take_log(&self, properties: Map<String, Value>) -> Value {
        self.log.take().finish(properties)
    }

    /// Prints the log on standard error, when there is one.
    pub fn finish(&self) {
        if self.format == MessageFormat::Sarif && !self.log.borrow().is_empty() {
            let _ = writeln!(std::io::stderr().lock(), "{}", self.take_log(Map::new()));
        }
    }
}

/// The folder that paths are relative to.
fn root() -> PathBuf {
    std::env::current_dir().unwrap_or_default()
}

fn colors(choice: Color, stream: &impl IsTerminal) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => stream.is_terminal() && std::env::var_os("NO_COLOR").is_none(),
    }
}
