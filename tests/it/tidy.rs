//! Rules about the source itself: which module may import which, and file hygiene.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Who may say `use crate::X`. `diag`, `id` and `graph` are for everyone; a module may always name itself.
const LAYERS: &[(&str, &[&str])] = &[
    ("diag", &[]),
    ("id", &[]),
    ("graph", &[]),
    ("ptx", &[]),
    ("ir", &[]),
    ("lift", &["ptx", "ir"]),
    ("opt", &["ir"]),
    ("amd", &[]),
    ("mir", &["amd"]),
    ("isel", &["ir", "amd", "mir"]),
    ("exec", &["amd", "mir"]),
    ("alloc", &["amd", "mir"]),
    ("finish", &["amd", "mir"]),
    ("object", &[]),
    ("container", &[]),
    ("disasm", &["amd", "object"]),
    ("emu", &["amd", "object"]),
    ("run", &["emu", "object", "amd"]),
    ("provenance", &["amd", "mir"]),
    ("explain", &["amd", "finish", "ir", "isel", "options", "pipeline", "provenance", "ptx"]),
    ("eval", &["ptx"]),
    ("generate", &[]),
    ("verify", &["amd", "emu", "eval", "generate", "options", "pipeline", "ptx", "run"]),
    ("options", &["amd"]),
    ("coverage", &["options", "pipeline", "ptx"]),
    (
        "fuzz",
        &[
            "amd",
            "container",
            "coverage",
            "disasm",
            "emu",
            "eval",
            "exec",
            "generate",
            "mir",
            "object",
            "options",
            "pipeline",
            "ptx",
            "run",
            "verify",
        ],
    ),
    (
        "pipeline",
        &[
            "ptx",
            "ir",
            "lift",
            "opt",
            "amd",
            "mir",
            "isel",
            "exec",
            "alloc",
            "finish",
            "object",
            "container",
            "options",
        ],
    ),
];

fn rust_files(dir: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> = fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            rust_files(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

fn sources() -> Vec<(PathBuf, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = vec![];
    rust_files(&root.join("src"), &mut files);
    files
        .into_iter()
        .map(|p| {
            let text = fs::read_to_string(&p).unwrap();
            (p.strip_prefix(root.join("src")).unwrap().to_path_buf(), text)
        })
        .collect()
}

/// The first path segment after each `crate::` of a text, comments left out.
fn imports(text: &str) -> Vec<(usize, String)> {
    let mut found = vec![];
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap_or("");
        for (at, _) in code.match_indices("crate::") {
            let before = code[..at].chars().next_back();
            if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '$') {
                continue;
            }
            let rest = &code[at + "crate::".len()..];
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            found.push((number + 1, name));
        }
    }
    found
}

#[test]
fn imports_point_one_way() {
    let layers: BTreeMap<&str, &[&str]> = LAYERS.iter().copied().collect();
    let mut wrong = vec![];
    for (path, text) in sources() {
        let module =
            path.components().next().unwrap().as_os_str().to_str().unwrap().trim_end_matches(".rs").to_string();
        if matches!(module.as_str(), "lib" | "main" | "cli") {
            continue;
        }
        let Some(allowed) = layers.get(module.as_str()) else {
            wrong.push(format!("{}: module `{module}` is not in the table of layers", path.display()));
            continue;
        };
        for (line, name) in imports(&text) {
            // Macros are exported at the crate root.
            let is_module = layers.contains_key(name.as_str());
            if !is_module
                || name == module
                || matches!(name.as_str(), "diag" | "id" | "graph")
                || allowed.contains(&name.as_str())
            {
                continue;
            }
            wrong.push(format!("{}:{line}: `{module}` must not import `{name}`", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_unfinished_or_ignored_code() {
    let mut wrong = vec![];
    let words = ["todo!(", "unimplemented!(", "dbg!(", "#[ignore", "#[should_panic"];
    let mut files = vec![];
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for dir in ["src", "tests", "benches"] {
        rust_files(&root.join(dir), &mut files);
    }
    for path in files.iter().filter(|p| !p.ends_with("tidy.rs")) {
        let text = fs::read_to_string(path).unwrap();
        for (number, line) in text.lines().enumerate() {
            for word in words.iter().filter(|w| line.contains(**w)) {
                wrong.push(format!("{}:{}: {word}", path.display(), number + 1));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_module_says_what_it_is() {
    let silent: Vec<String> = sources()
        .into_iter()
        .filter(|(_, text)| !text.starts_with("//!") && !text.starts_with("#!["))
        .map(|(path, _)| path.display().to_string())
        .collect();
    assert!(silent.is_empty(), "no `//!` at the top of: {}", silent.join(", "));
}
