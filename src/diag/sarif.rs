//! Diagnostics as a SARIF 2.1.0 log.
//!
//! OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0". Columns are UTF-16 code units. What is unsupported
//! has the level `error`, as it stops a translation; its own word is in the property `severity`.

use super::{Code, Diag, Severity, Source, Span, rules, severity_word};
use serde_json::{Map, Value, json};
use std::path::{Component, Path};

/// The folder that relative paths begin in.
const ROOT: &str = "%SRCROOT%";
const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// A log being filled.
#[derive(Default)]
pub struct SarifLog {
    results: Vec<Value>,
    failures: Vec<Value>,
}

impl SarifLog {
    /// A diagnostic; `root` is the folder that paths are made relative to.
    pub fn add(&mut self, diag: &Diag, source: &Source, root: &Path, properties: Map<String, Value>) {
        let artifact = artifact(&source.path, root);
        let place = |span: Span| match region(span, source) {
            Some(region) => json!({"artifactLocation": artifact, "region": region}),
            None => json!({"artifactLocation": artifact}),
        };
        let mut text = diag.message.clone();
        for note in &diag.notes {
            text.push('\n');
            text.push_str(note);
        }
        let mut properties = properties;
        properties.insert("severity".into(), severity_word(diag.severity).into());
        let mut result = json!({
            "ruleId": diag.code.to_string(),
            "level": level(diag.severity),
            "message": {"text": text},
            "locations": [{"physicalLocation": place(diag.span)}],
            "properties": properties,
        });
        if let Some(index) = rules::ALL.iter().position(|rule| rule.code == diag.code) {
            result["ruleIndex"] = index.into();
        }
        if !diag.labels.is_empty() {
            let related = diag.labels.iter().enumerate().map(|(n, label)| {
                json!({"id": n + 1, "physicalLocation": place(label.span), "message": {"text": label.text}})
            });
            result["relatedLocations"] = related.collect();
        }
        if let Some(fix) = &diag.fix {
            let replacement = json!({"deletedRegion": region(fix.span, source), "insertedContent": {"text": fix.text}});
            let change = json!({"artifactLocation": artifact, "replacements": [replacement]});
            result["fixes"] = json!([{"description": {"text": fix.message}, "artifactChanges": [change]}]);
        }
        self.results.push(result);
    }

    /// Whether nothing has happened.
    pub fn is_empty(&self) -> bool {
        self.results.is_empty() && self.failures.is_empty()
    }

    /// A failure that has no place in a text.
    pub fn fail(&mut self, message: &str) {
        self.failures.push(json!({"level": "error", "message": {"text": message}}));
    }

    /// The log as it stands; `properties` are the run's.
    pub fn finish(self, properties: Map<String, Value>) -> Value {
        let rules: Vec<Value> = rules::ALL.iter().map(rule).collect();
        let version = env!("CARGO_PKG_VERSION");
        json!({
            "$schema": SCHEMA,
            "version": "2.1.0",
            "runs": [{
                "tool": {"driver": {"name": "warp2wave", "version": version, "semanticVersion": version, "rules": rules}},
                "columnKind": "utf16CodeUnits",
                "originalUriBaseIds": {ROOT: {"description": {"text": "The folder in which warp2wave was started."}}},
                "invocations": [{
                    "executionSuccessful": self.failures.is_empty(),
                    "toolExecutionNotifications": self.failures,
                }],
                "results": self.results,
                "properties": properties,
            }],
        })
    }
}

fn rule(rule: &rules::Rule) -> Value {
    json!({
        "id": rule.code.to_string(),
        "name": rule.name(),
        "shortDescription": {"text": rule.title()},
        "fullDescription": {"text": rule.says()},
        "help": {"text": rule.text, "markdown": rule.text},
        "defaultConfiguration": {"level": level(severity(rule.code))},
    })
}

/// What the diagnostics of a code usually are.
fn severity(code: Code) -> Severity {
    match code.0 {
        20..30 => Severity::Unsupported,
        40.. => Severity::Warning,
        _ => Severity::Error,
    }
}

fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error | Severity::Unsupported => "error",
        Severity::Warning => "warning",
    }
}

fn region(span: Span, source: &Source) -> Option<Value> {
    if span.is_none() {
        return None;
    }
    let lines = &source.lines;
    let end = span.end.max(span.start);
    Some(json!({
        "startLine": lines.place(span.start).line,
        "startColumn": lines.utf16_column(span.start),
        "endLine": lines.place(end).line,
        "endColumn": lines.utf16_column(end),
    }))
}

/// Where a file is: below the root by a relative reference, elsewhere by a whole one.
fn artifact(path: &str, root: &Path) -> Value {
    let path = Path::new(path);
    let path = path.strip_prefix(root).unwrap_or(path);
    let mut uri = if path.is_absolute() { "file://".to_string() } else { String::new() };
    let mut segments = 0;
    for component in path.components() {
        let name = match component {
            Component::Normal(name) => name.to_string_lossy(),
            Component::Prefix(prefix) => prefix.as_os_str().to_string_lossy(),
            Component::ParentDir => "..".into(),
            Component::RootDir | Component::CurDir => continue,
        };
        if segments > 0 || path.is_absolute() {
            uri.push('/');
        }
        segments += 1;
        name.bytes().for_each(|byte| match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ => uri.push_str(&format!("%{byte:02X}")),
        });
    }
    if path.is_absolute() { json!({"uri": uri}) } else { json!({"uri": uri, "uriBaseId": ROOT}) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_uris() {
        let root = Path::new("/home/me/my project");
        let relative = |uri: &str| json!({"uri": uri, "uriBaseId": "%SRCROOT%"});
        assert_eq!(artifact("a/b.ptx", root), relative("a/b.ptx"));
        assert_eq!(artifact("./a b/\u{e9}.ptx", root), relative("a%20b/%C3%A9.ptx"));
        assert_eq!(artifact("../x.ptx", root), relative("../x.ptx"));
        assert_eq!(artifact("/home/me/my project/a/k.ptx", root), relative("a/k.ptx"));
        assert_eq!(artifact("/tmp/my k.ptx", root), json!({"uri": "file:///tmp/my%20k.ptx"}));
    }
}
