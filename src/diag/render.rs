//! Diagnostics as text with source excerpts, and as JSON lines.

use super::{Diag, Severity, Span};
use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// One diagnostic as people read it. `color` asks for ANSI escapes.
pub fn render_human(diag: &Diag, path: &str, source: &str, color: bool) -> String {
    let level = match diag.severity {
        Severity::Error => Level::ERROR,
        Severity::Unsupported => Level::ERROR.with_name("unsupported"),
        Severity::Warning => Level::WARNING,
    };
    let id = diag.code.to_string();
    let title = level.primary_title(diag.message.as_str()).id(id.as_str());
    let mut group = annotate_snippets::Group::with_title(title);
    if !diag.span.is_none() {
        let mut snippet =
            Snippet::source(source).path(path).annotation(AnnotationKind::Primary.span(clip(diag.span, source)));
        for label in diag.labels.iter().filter(|l| !l.span.is_none()) {
            snippet =
                snippet.annotation(AnnotationKind::Context.span(clip(label.span, source)).label(label.text.as_str()));
        }
        group = group.element(snippet);
    }
    for note in &diag.notes {
        group = group.element(Level::NOTE.message(note.as_str()));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n", renderer.render(&[group]))
}

fn clip(span: Span, source: &str) -> std::ops::Range<usize> {
    let end = (span.end as usize).min(source.len());
    (span.start as usize).min(end)..end
}

/// One diagnostic as one JSON object: `path line column severity code message labels notes`, 1-based, columns in bytes.
pub fn render_json(diag: &Diag, path: &str, source: &str) -> String {
    let place = |span: Span| {
        if span.is_none() {
            return (serde_json::Value::Null, serde_json::Value::Null);
        }
        let at = (span.start as usize).min(source.len());
        let before = &source.as_bytes()[..at];
        let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
        let column = at - before.iter().rposition(|&b| b == b'\n').map_or(0, |p| p + 1) + 1;
        (line.into(), column.into())
    };
    let (line, column) = place(diag.span);
    let severity = match diag.severity {
        Severity::Error => "error",
        Severity::Unsupported => "unsupported",
        Severity::Warning => "warning",
    };
    let labels: Vec<_> = diag
        .labels
        .iter()
        .map(|l| {
            let (line, column) = place(l.span);
            serde_json::json!({"line": line, "column": column, "text": l.text})
        })
        .collect();
    serde_json::json!({
        "path": path, "line": line, "column": column, "severity": severity, "code": diag.code.to_string(),
        "message": diag.message, "labels": labels, "notes": diag.notes,
    })
    .to_string()
}
