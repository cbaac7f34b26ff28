//! Coverage as people read it.

use super::{Blocker, Coverage, Summary};
use crate::diag::Source;
use std::fmt::Write;

/// How many forms a summary shows.
const SHOWN_FORMS: usize = 20;
/// Targets and kernels that are named in one line.
const NAMED: usize = 12;

/// A diagnostic with its excerpt, and which kernels and targets it is about where that is not obvious.
pub fn blocker(blocker: &Blocker, coverage: &Coverage, source: &Source, color: bool) -> String {
    let mut diag = blocker.diag.clone();
    if blocker.targets.len() < coverage.targets.len() {
        diag = diag.note(format!("on {}", listed(&blocker.targets, |n| coverage.targets[n].as_str())));
    }
    if !blocker.kernels.is_empty() && coverage.kernels.len() > 1 {
        diag = diag.note(format!("in {}", listed(&blocker.kernels, |n| coverage.kernels[n].name.as_str())));
    }
    source.human(&diag, color)
}

fn listed<'c>(positions: &[usize], name: impl Fn(usize) -> &'c str) -> String {
    let names: Vec<&str> = positions.iter().take(NAMED).map(|&n| name(n)).collect();
    let more = positions.len() - names.len();
    if more > 0 { format!("{} and {more} more", names.join(", ")) } else { names.join(", ") }
}

/// One line for the file and one for each kernel: for which targets it translates.
pub fn kernels(path: &str, coverage: &Coverage) -> String {
    let mut out = format!("{path}: {}\n", verdict(&coverage.translates, &coverage.targets));
    for kernel in &coverage.kernels {
        let _ = write!(out, "  {}: {}", kernel.name, verdict(&kernel.translates, &coverage.targets));
        if kernel.blockers > 0 {
            let _ = write!(out, ", {} blocking", kernel.blockers);
        }
        out.push('\n');
    }
    out
}

fn verdict(translates: &[bool], targets: &[String]) -> String {
    let yes = translates.iter().filter(|&&yes| yes).count();
    let where_ = |wanted: bool| {
        let positions: Vec<usize> = (0..targets.len()).filter(|&n| translates[n] == wanted).collect();
        listed(&positions, |n| targets[n].as_str())
    };
    match yes {
        _ if targets.is_empty() => "read".into(),
        0 => "not translatable".into(),
        _ if yes == targets.len() => "translatable".into(),
        _ if yes * 2 > targets.len() => format!("translatable, but not for {}", where_(false)),
        _ => format!("translatable for {}", where_(true)),
    }
}

/// The table over all files.
pub fn summary(summary: &Summary) -> String {
    let mut out = format!("{} and {}", counted(summary.files, "file"), counted(summary.kernels, "kernel"));
    if summary.broken > 0 {
        let _ = write!(out, "; {} with errors", counted(summary.broken, "file"));
    }
    if summary.unreadable > 0 {
        let _ = write!(out, "; {} that could not be read", counted(summary.unreadable, "file"));
    }
    out.push('\n');
    if !summary.targets.is_empty() {
        let width = summary.targets.iter().map(|count| count.target.len()).max().unwrap_or(0).max(12);
        let _ = writeln!(out, "\n{:<width$}  {:>16}  {:>16}", "translatable", "files", "kernels");
        for count in &summary.targets {
            let files = share(count.files, summary.files);
            let kernels = share(count.kernels, summary.kernels);
            let _ = writeln!(out, "{:<width$}  {files:>16}  {kernels:>16}", count.target);
        }
    }
    let forms = summary.forms();
    if !forms.is_empty() {
        let _ = writeln!(out, "\nkernels  places   files  blocked by");
        for form in forms.iter().take(SHOWN_FORMS) {
            let _ = write!(out, "{:>7} {:>7} {:>7}  {}", form.kernels, form.places, form.files, form.form);
            if let Some(example) = form.example.as_ref().filter(|example| **example != form.form) {
                let _ = write!(out, "   as `{example}`");
            }
            out.push('\n');
        }
        if forms.len() > SHOWN_FORMS {
            let _ = writeln!(out, "                         and {} more", forms.len() - SHOWN_FORMS);
        }
    }
    out
}

fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

fn share(part: usize, whole: usize) -> String {
    let percent = if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 };
    format!("{part} {percent:>5.1} %")
}
