//! The PTX reader on real compilers' output: it reads everything, finds nothing wrong, and prints what it read.

use std::path::{Path, PathBuf};
use warp2wave::diag::{Diag, codes, render_human};
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

/// What is wrong with reading a file, or with reading again what was printed.
fn complaints(path: &Path) -> String {
    let source = std::fs::read_to_string(path).unwrap();
    let (module, diags) = ptx::parse(&source);
    let name = path.file_name().unwrap().to_string_lossy();
    // Of the many alike, three will do.
    let shown: Vec<Diag> = diags.into_iter().filter(|d| d.code != codes::VERSION).take(3).collect();
    let mut complaints = rendered(&shown, &name, &source);
    let printed = ptx::print(&module);
    let (again, _) = ptx::parse(&printed);
    if !ptx::same_tree(&module, &again) {
        complaints.push_str(&format!("{name}: the printed module reads as another tree\n{printed}"));
    }
    if ptx::print(&again) != printed {
        complaints.push_str(&format!("{name}: printing twice gives two texts\n"));
    }
    complaints
}

#[test]
fn corpus_reads_without_complaint_and_prints_to_the_same_tree() {
    let complaints: String = corpus().iter().map(|path| complaints(path)).collect();
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn unusual_syntax_reads_without_complaint_and_prints_to_the_same_tree() {
    let files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/ok"));
    assert!(!files.is_empty());
    let complaints: String = files.iter().map(|path| complaints(path)).collect();
    assert!(complaints.is_empty(), "{complaints}");
}
