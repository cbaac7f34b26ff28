//! Diagnostics as JSON: the schema is in `docs/check.md`.

use super::{Diag, Severity, Source, Span};
use serde_json::{Value, json};

/// What JSON calls a severity.
pub fn severity_word(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Unsupported => "unsupported",
        Severity::Warning => "warning",
    }
}

pub fn render(diag: &Diag, source: &Source) -> Value {
    let labels = diag.labels.iter().map(|label| with_place(json!({"text": label.text}), label.span, source));
    let fix = diag.fix.as_ref().map(|fix| {
        let replacement = with_place(json!({"text": fix.text}), fix.span, source);
        json!({"message": fix.message, "replacement": replacement})
    });
    let about = json!({
        "type": "diagnostic",
        "path": source.path,
        "severity": severity_word(diag.severity),
        "code": diag.code.to_string(),
        "message": diag.message,
        "labels": labels.collect::<Vec<_>>(),
        "notes": diag.notes,
        "fix": fix,
    });
    with_place(about, diag.span, source)
}

/// Adds a place to an object: lines and columns from 1, columns in bytes, and the bytes themselves; null where there is none.
fn with_place(mut object: Value, span: Span, source: &Source) -> Value {
    let end = span.end.max(span.start);
    let numbers = (!span.is_none()).then(|| {
        let (from, to) = (source.lines.place(span.start), source.lines.place(end));
        [from.line, from.column, to.line, to.column, span.start as usize, end as usize]
    });
    for (n, key) in ["line", "column", "end_line", "end_column", "byte_start", "byte_end"].into_iter().enumerate() {
        object[key] = numbers.map_or(Value::Null, |numbers| numbers[n].into());
    }
    object
}
