//! `check`.

use super::args::{Check, MessageFormat};
use super::report::Reporter;
use super::translate::options;
use super::{Outcome, files, inspect, progress};
use anyhow::{Context, Result, anyhow, bail};
use rayon::prelude::*;
use serde_json::Map;
use std::io::Write;
use std::path::{Path, PathBuf};
use warp2wave::Options;
use warp2wave::amd::Target;
use warp2wave::coverage::{self, Coverage, Summary};
use warp2wave::diag::Source;

/// One processor of each family.
const TARGETS: [&str; 11] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];

/// Files that are in memory at once.
const PORTION: usize = 256;

/// What came of one file.
enum Checked {
    Unreadable(anyhow::Error),
    Read { text: String, coverage: Coverage },
}

/// Checks every file and prints the report on standard output; all of it does not depend on how many threads there are.
pub fn check(args: &Check, reporter: &Reporter) -> Result<Outcome> {
    if let Some(rule) = args.explain {
        return inspect::explain_rule(rule);
    }
    let mut targets = args.target.clone();
    if targets.is_empty() && !args.ptx_only {
        targets = TARGETS.iter().map(|name| Target::parse(name).map_err(|e| anyhow!(e))).collect::<Result<_>>()?;
    }
    let paths = gather(&args.files)?;
    let bar = progress::bar(paths.len());
    let mut summary = Summary::new(targets.iter().map(Target::to_string));
    let mut out = std::io::stdout().lock();
    let mut complete = true;
    for portion in paths.chunks(PORTION) {
        let one = |path: &PathBuf| {
            let checked = check_file(path, args, &targets);
            bar.inc(1);
            checked
        };
        let results: Vec<Checked> = portion.par_iter().map(one).collect();
        for (path, checked) in portion.iter().zip(results) {
            match checked {
                Checked::Unreadable(err) => {
                    summary.unreadable += 1;
                    complete = false;
                    bar.suspend(|| reporter.failure(&err));
                }
                Checked::Read { text, coverage } => {
                    summary.add(&coverage);
                    complete &= coverage.is_complete();
                    if !args.summary {
                        let report = report(&files::shown(path), &text, &coverage, reporter);
                        bar.suspend(|| out.write_all(report.as_bytes()))?;
                    }
                }
            }
        }
    }
    bar.finish_and_clear();
    let end = match reporter.format {
        MessageFormat::Human if args.summary || paths.len() > 1 => coverage::summary_text(&summary),
        MessageFormat::Human => String::new(),
        MessageFormat::Json => format!("{}\n", coverage::summary_json(&summary)),
        MessageFormat::Sarif => {
            let properties = Map::from_iter([("summary".to_string(), coverage::summary_json(&summary))]);
            format!("{}\n", reporter.take_log(properties))
        }
    };
    out.write_all(end.as_bytes())?;
    Ok(if complete { Outcome::Done } else { Outcome::Refused })
}

fn check_file(path: &Path, args: &Check, targets: &[Target]) -> Checked {
    let text = match files::read(path).and_then(|bytes| files::ptx_text(bytes, path)) {
        Ok(text) => text,
        Err(err) => return Checked::Unreadable(err),
    };
    let each: Vec<Options> = targets.iter().map(|target| options(target, &args.common, path)).collect();
    let coverage = coverage::of(&text, &each);
    Checked::Read { text, coverage }
}

fn report(path: &str, text: &str, coverage: &Coverage, reporter: &Reporter) -> String {
    let source = Source::new(path, text);
    let mut out = String::new();
    let color = reporter.colors_output();
    for blocker in &coverage.blockers {
        match reporter.format {
            MessageFormat::Human => out += &coverage::blocker_text(blocker, coverage, &source, color),
            MessageFormat::Json => out += &format!("{}\n", coverage::diagnostic_json(blocker, coverage, &source)),
            MessageFormat::Sarif => reporter.log(&blocker.diag, &source, coverage::about_json(blocker, coverage)),
        }
    }
    match reporter.format {
        MessageFormat::Human => {
            out += &coverage::kernels_text(path, coverage);
            out.push('\n');
        }
        MessageFormat::Json => {
            for kernel in &coverage.kernels {
                out += &format!("{}\n", coverage::kernel_json(kernel, coverage, &source));
            }
            out += &format!("{}\n", coverage::file_json(coverage, path));
        }
        MessageFormat::Sarif => {}
    }
    out
}

/// The files that are named, and the `.ptx` files under the folders that are: by name in each folder.
pub fn gather(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for path in named {
        if files::is_std(path) || !path.is_dir() {
            paths.push(path.clone());
            continue;
        }
        let before = paths.len();
        for entry in walkdir::WalkDir::new(path).sort_by_file_name() {
            let entry = entry.with_context(|| format!("cannot search {}", path.display()))?;
            let is_ptx = entry.path().extension().is_some_and(|ending| ending.eq_ignore_ascii_case("ptx"));
            if is_ptx && !entry.file_type().is_dir() {
                paths.push(entry.into_path());
            }
        }
        if paths.len() == before {
            bail!("{} has no `.ptx` files", path.display());
        }
    }
    Ok(paths)
}
