//! Coverage as JSON, one object a line: `docs/check.md` has the schema.

use super::{BlockedForm, Blocker, Coverage, Kernel, Summary};
use crate::diag::Source;
use serde_json::{Map, Value, json};

/// A diagnostic, with the kernels and targets that it is about.
pub fn diagnostic(blocker: &Blocker, coverage: &Coverage, source: &Source) -> Value {
    let mut object = source.json(&blocker.diag);
    if let Some(fields) = object.as_object_mut() {
        fields.extend(about(blocker, coverage));
    }
    object
}

/// The kernels and targets of a diagnostic, and the form that cannot be translated.
pub fn about(blocker: &Blocker, coverage: &Coverage) -> Map<String, Value> {
    let kernels = blocker.kernels.iter().map(|&n| coverage.kernels[n].name.as_str());
    let targets = blocker.targets.iter().map(|&n| coverage.targets[n].as_str());
    let form = |part: fn(&BlockedForm) -> &String| blocker.form.as_ref().map(part);
    let fields = [
        ("kernels", json!(kernels.collect::<Vec<_>>())),
        ("targets", json!(targets.collect::<Vec<_>>())),
        ("form", json!(form(|form| &form.form))),
        ("spelled", json!(form(|form| &form.spelled))),
    ];
    fields.into_iter().map(|(name, value)| (name.to_string(), value)).collect()
}

pub fn kernel(kernel: &Kernel, coverage: &Coverage, source: &Source) -> Value {
    let place = source.lines.place(kernel.name_span.start);
    json!({
        "type": "kernel",
        "path": source.path,
        "kernel": kernel.name,
        "line": place.line,
        "column": place.column,
        "blocking": kernel.blockers,
        "translates": verdicts(&kernel.translates, coverage),
    })
}

pub fn file(coverage: &Coverage, path: &str) -> Value {
    json!({
        "type": "file",
        "path": path,
        "kernels": coverage.kernels.len(),
        "blocking": coverage.blockers.iter().filter(|blocker| blocker.diag.is_fatal()).count(),
        "translates": verdicts(&coverage.translates, coverage),
    })
}

/// Target to verdict.
fn verdicts(translates: &[bool], coverage: &Coverage) -> Value {
    let verdict = |(target, &translates): (&String, &bool)| (target.clone(), Value::Bool(translates));
    Value::Object(coverage.targets.iter().zip(translates).map(verdict).collect())
}

pub fn summary(summary: &Summary) -> Value {
    let targets = summary
        .targets
        .iter()
        .map(|count| json!({"target": count.target, "files": count.files, "kernels": count.kernels}));
    let forms = summary.forms().into_iter().map(|form| {
        json!({
            "form": form.form,
            "example": form.example,
            "kernels": form.kernels,
            "places": form.places,
            "files": form.files,
        })
    });
    json!({
        "type": "summary",
        "files": summary.files,
        "unreadable": summary.unreadable,
        "broken": summary.broken,
        "kernels": summary.kernels,
        "translates": targets.collect::<Vec<_>>(),
        "blocked_by": forms.collect::<Vec<_>>(),
    })
}
