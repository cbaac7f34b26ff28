//! Printing diagnostics.

use super::args::{Color, MessageFormat};
use std::io::{IsTerminal, Write};
use warp2wave::diag::{self, Diag};

pub struct Reporter {
    format: MessageFormat,
    color: bool,
}

impl Reporter {
    pub fn new(format: MessageFormat, color: Color) -> Reporter {
        let color = match color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        };
        Reporter { format, color }
    }

    /// Prints each diagnostic of one file on standard error. A closed standard error is not worth failing for.
    pub fn diags(&self, diags: &[Diag], path: &str, source: &str) {
        let mut out = String::new();
        for d in diags {
            match self.format {
                MessageFormat::Human => out += &diag::render_human(d, path, source, self.color),
                MessageFormat::Json => {
                    out += &diag::render_json(d, path, source);
                    out.push('\n');
                }
            }
        }
        let _ = std::io::stderr().lock().write_all(out.as_bytes());
    }

    /// Prints a failure that has no place in a source text.
    pub fn failure(&self, err: &anyhow::Error) {
        let text = match self.format {
            MessageFormat::Human => format!("error: {err:#}\n"),
            MessageFormat::Json => {
                format!("{}\n", serde_json::json!({"severity": "error", "message": format!("{err:#}")}))
            }
        };
        let _ = std::io::stderr().lock().write_all(text.as_bytes());
    }
}
