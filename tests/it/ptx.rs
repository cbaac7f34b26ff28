//! The PTX reader on real compilers' output: it reads everything, finds nothing wrong, and prints what it read.

use std::path::{Path, PathBuf};
use warp2wave::diag::{Diag, render_human};
use warp2wave::ptx;

/// The `.ptx` files of a folder, in order.
pub fn ptx_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "ptx"))
        .collect();
    files.sort();
    files
}

/// The shipped corpus, and the folder that `W2W_CORPUS` names.
pub fn corpus() -> Vec<PathBuf> {
    let mut files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus"));
    assert!(!files.is_empty());
    if let Some(folder) = std::env::var_os("W2W_CORPUS") {
        files.extend(ptx_files(Path::new(&folder)));
    }
    files
}

pub fn rendered(diags: &[Diag], path: &str, source: &str) -> String {
    diags.iter().map(|d| render_human(d, path, source, false)).collect()
}

#[test]
fn corpus_reads_without_complaint_and_prints_to_the_same_tree() {
    let mut failures = String::new();
    for path in corpus() {
        let source = std::fs::read_to_string(&path).unwrap();
        let (module, diags) = ptx::parse(&source);
        let name = path.file_name().unwrap().to_string_lossy();
        failures.push_str(&rendered(&diags[..diags.len().min(3)], &name, &source));
        let printed = ptx::print(&module);
        let (again, _) = ptx::parse(&printed);
        if !ptx::same_tree(&module, &again) {
            failures.push_str(&format!("{name}: the printed module reads as another tree\n"));
        }
        if ptx::print(&again) != printed {
            failures.push_str(&format!("{name}: printing twice gives two texts\n"));
        }
    }
    assert!(failures.is_empty(), "{failures}");
}
