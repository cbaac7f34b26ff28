//! `fmt`.

use super::args::{Fmt, MessageFormat};
use super::check::gather;
use super::report::Reporter;
use super::{Outcome, files};
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::io::Write;
use std::path::Path;
use warp2wave::diag::Diag;
use warp2wave::ptx;

/// Files that are in memory at once.
const PORTION: usize = 256;

enum Formatted {
    Failed(anyhow::Error),
    /// It does not parse.
    Broken(String, Vec<Diag>),
    Done {
        before: String,
        after: String,
    },
}

/// Formats each file in its place; standard input goes to standard output. A file with errors stays as it is, and the others are
/// formatted all the same.
pub fn fmt(args: &Fmt, reporter: &Reporter) -> Result<Outcome> {
    let paths = gather(&args.files)?;
    if args.output.is_some() && paths.len() != 1 {
        bail!("--output is for one file, and there are {}", paths.len());
    }
    let mut outcome = Outcome::Done;
    for portion in paths.chunks(PORTION) {
        let results: Vec<Formatted> = portion.par_iter().map(|path| format_file(path)).collect();
        for (path, formatted) in portion.iter().zip(results) {
            match formatted {
                Formatted::Failed(err) => {
                    reporter.failure(&err);
                    outcome = Outcome::Refused;
                }
                Formatted::Broken(source, diags) => {
                    reporter.diags(&diags, &files::shown(path), &source);
                    outcome = Outcome::Refused;
                }
                Formatted::Done { before, after } if args.check => {
                    if before != after {
                        tell(path, reporter)?;
                        outcome = Outcome::Refused;
                    }
                }
                Formatted::Done { before, after } => write(path, args, &before, &after)?,
            }
        }
    }
    Ok(outcome)
}

/// The name of a file that is not formatted.
fn tell(path: &Path, reporter: &Reporter) -> Result<()> {
    let path = files::shown(path);
    let line = match reporter.format {
        MessageFormat::Human | MessageFormat::Sarif => format!("would be formatted: {path}\n"),
        MessageFormat::Json => format!("{}\n", serde_json::json!({"type": "unformatted", "path": path})),
    };
    std::io::stdout().lock().write_all(line.as_bytes())?;
    Ok(())
}

fn write(path: &Path, args: &Fmt, before: &str, after: &str) -> Result<()> {
    match &args.output {
        Some(out) => files::write(out, after.as_bytes()),
        None if args.stdout || files::is_std(path) => files::write(Path::new("-"), after.as_bytes()),
        None if before == after => Ok(()),
        None => {
            // A link stays one: what it points to is formatted.
            let real = std::fs::canonicalize(path).with_context(|| format!("cannot write {}", path.display()))?;
            files::write(&real, after.as_bytes())
        }
    }
}

fn format_file(path: &Path) -> Formatted {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(err) => return Formatted::Failed(err),
    };
    // Bytes that are no text would not come out as they went in.
    if std::str::from_utf8(&bytes).is_err() {
        return Formatted::Failed(anyhow::anyhow!("{} is not UTF-8 text, and stays as it is", files::shown(path)));
    }
    let before = match files::ptx_text(bytes, path) {
        Ok(text) => text,
        Err(err) => return Formatted::Failed(err),
    };
    let after = match ptx::format(&before) {
        Ok(after) => after,
        Err(diags) => return Formatted::Broken(before, diags),
    };
    // A file is somebody's work: what we write must read as what was there.
    if ptx::same_tree(&ptx::parse(&before).0, &ptx::parse(&after).0) {
        Formatted::Done { before, after }
    } else {
        Formatted::Failed(anyhow::anyhow!(
            "{}: formatting would change it: a fault of ours; it stays as it is",
            files::shown(path)
        ))
    }
}
