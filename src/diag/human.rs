//! Diagnostics as text with source excerpts.
//!
//! What is drawn from is not the whole source but the few lines that a diagnostic is about, long ones cut, so that its cost depends
//! on neither the length of the file nor that of its lines.

use super::{Diag, Severity, Source, Span};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Labels further away from the place itself have an excerpt of their own, lines.
const FAR: usize = 400;
/// Lines of a span that are shown: where it has more, its first line only.
const MAX_SPAN_LINES: usize = 12;
/// Bytes of a line that are shown; around the places in it.
const MAX_LINE: usize = 400;
/// Bytes before and behind a place in a line that is cut.
const AROUND: usize = 80;
/// Bytes of a message.
const MAX_MESSAGE: usize = 1000;

pub fn render(diag: &Diag, source: &Source, color: bool) -> String {
    let level = match diag.severity {
        Severity::Error => Level::ERROR,
        Severity::Unsupported => Level::ERROR.with_name("unsupported"),
        Severity::Warning => Level::WARNING,
    };
    let id = diag.code.to_string();
    let mut group = Group::with_title(level.primary_title(short(&diag.message)).id(id.as_str()));
    // Places as they are drawn, and as they are: columns of a cut line are not those of the text.
    let mut moved = Vec::new();
    if !diag.span.is_none() {
        let mut near: Vec<Mark> = vec![(AnnotationKind::Primary, clip(diag.span, source), None)];
        let mut far: Vec<Mark> = vec![];
        let line = source.lines.line(diag.span.start);
        for label in diag.labels.iter().filter(|label| !label.span.is_none()) {
            let mark = (AnnotationKind::Context, clip(label.span, source), Some(short(&label.text)));
            let is_near = source.lines.line(label.span.start).abs_diff(line) <= FAR;
            if is_near { near.push(mark) } else { far.push(mark) }
        }
        let excerpts = std::iter::once(near).chain(far.into_iter().map(|mark| vec![mark]));
        for marks in excerpts {
            let excerpt = Excerpt::new(&marks, source);
            if excerpt.cut {
                let drawn = columns(&excerpt.text, excerpt.spans[0].start);
                let at = marks[0].1.start as u32;
                let header = |column: usize| format!("{}:{}:{column}", source.path, source.lines.line(at));
                moved.push((header(drawn), header(source.lines.utf16_column(at))));
            }
            let mut snippet = Snippet::source(excerpt.text).line_start(excerpt.first_line).path(source.path.as_str());
            for ((kind, _, text), span) in marks.into_iter().zip(excerpt.spans) {
                snippet = snippet.annotation(kind.span(span).label(text));
            }
            group = group.element(snippet);
        }
    }
    for note in &diag.notes {
        group = group.element(Level::NOTE.message(short(note)));
    }
    if let Some(fix) = &diag.fix {
        group = group.element(Level::HELP.message(short(&fix.message)));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let text = renderer.render(&[group]);
    let text = moved.iter().fold(text, |text, (drawn, real)| text.replacen(drawn, real, 1));
    format!("{text}\n")
}

/// The column of a byte of some lines in characters, from 1.
fn columns(text: &str, at: usize) -> usize {
    let before = &text[..floor(text, at)];
    before[before.rfind('\n').map_or(0, |n| n + 1)..].chars().count() + 1
}

/// What is marked, and what is written to the mark.
type Mark = (AnnotationKind, Range<usize>, Option<String>);

/// A long text without its end.
fn short(text: &str) -> String {
    if text.len() <= MAX_MESSAGE {
        return text.to_string();
    }
    format!("{}..", &text[..floor(text, MAX_MESSAGE)])
}

/// The last place up to an offset at which no character is cut.
fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|&n| text.is_char_boundary(n)).unwrap_or(0)
}

/// A span within the text, not over too many lines, and not into the middle of characters.
fn clip(span: Span, source: &Source) -> Range<usize> {
    let text = source.lines.text();
    let end = floor(text, span.end as usize);
    let start = floor(text, span.start as usize).min(end);
    let (first, last) = (source.lines.line(start as u32), source.lines.line(end as u32));
    if last - first < MAX_SPAN_LINES { start..end } else { start..source.lines.range(first).end.max(start) }
}

/// Some lines of a source.
struct Excerpt {
    text: String,
    /// From 1.
    first_line: usize,
    /// The marked places in `text`.
    spans: Vec<Range<usize>>,
    /// Some line is not whole.
    cut: bool,
}

impl Excerpt {
    /// The lines of the marks, with those between them; what will not be shown is empty.
    fn new(marks: &[Mark], source: &Source) -> Excerpt {
        let lines = &source.lines;
        let mut shown = BTreeSet::new();
        // The part of each marked line that is marked.
        let mut parts: BTreeMap<usize, Range<usize>> = BTreeMap::new();
        for (_, span, _) in marks {
            let (first, last) = (lines.line(span.start as u32), lines.line(span.end as u32));
            // Few lines between two that are marked are shown as well.
            shown.extend(first.saturating_sub(2).max(1)..=(last + 2).min(lines.count()));
            for line in first..=last {
                let whole = lines.range(line);
                let from = span.start.clamp(whole.start, whole.end);
                let to = span.end.clamp(whole.start, whole.end);
                let part = parts.entry(line).or_insert(from..to);
                *part = part.start.min(from)..part.end.max(to);
            }
        }
        let first_line = parts.keys().next().copied().unwrap_or(1);
        let last_line = parts.keys().next_back().copied().unwrap_or(1);
        let mut excerpt = Excerpt { text: String::new(), first_line, spans: Vec::new(), cut: false };
        // Where each marked line begins in the excerpt, and which of its bytes are there.
        let mut placed: BTreeMap<usize, (usize, Range<usize>)> = BTreeMap::new();
        for line in first_line..=last_line {
            let whole = lines.range(line);
            let kept = match parts.get(&line) {
                Some(part) => window(&whole, part, lines.text()),
                None if shown.contains(&line) => window(&whole, &(whole.start..whole.start), lines.text()),
                None => whole.start..whole.start,
            };
            placed.insert(line, (excerpt.text.len(), kept.clone()));
            excerpt.cut |= parts.contains_key(&line) && kept != whole;
            excerpt.text.push_str(&lines.text()[kept]);
            excerpt.text.push('\n');
        }
        let at = |offset: usize| {
            let (start, kept) = &placed[&lines.line(offset as u32).clamp(first_line, last_line)];
            start + (offset.clamp(kept.start, kept.end) - kept.start)
        };
        excerpt.spans = marks.iter().map(|(_, span, _)| at(span.start)..at(span.end)).collect();
        excerpt
    }
}

/// What is kept of a line: all of it, or the surroundings of the part that is marked.
fn window(whole: &Range<usize>, part: &Range<usize>, text: &str) -> Range<usize> {
    if whole.len() <= MAX_LINE {
        return whole.clone();
    }
    let start = floor(text, part.start.saturating_sub(AROUND).max(whole.start));
    let end = floor(text, (part.end + AROUND).min(start + MAX_LINE).min(whole.end));
    start..end
}
