//! Large modules of nvcc's output: the kernels of the corpus, again and again under new names.

use std::path::{Path, PathBuf};
use warp2wave::diag::Diag;
use warp2wave::ptx::{self, tree::Item};

/// What nvcc made of the corpus, without the lines that a module begins with.
fn corpus() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus");
    let entries = std::fs::read_dir(&folder).expect("the corpus is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.retain(|path| path.to_string_lossy().contains(".nvcc."));
    paths.sort();
    let of_head = |line: &&str| ![".version", ".target", ".address_size"].iter().any(|head| line.starts_with(head));
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("text");
    paths.iter().map(|path| text(path).lines().filter(of_head).map(|line| format!("{line}\n")).collect()).collect()
}

const HEAD: &str = ".version 9.2\n.target sm_90\n.address_size 64\n";

/// The text with the functions and variables of its module renamed.
fn renamed(text: &str, copy: usize, names: &[String]) -> String {
    let mut out = String::with_capacity(text.len() + 1024);
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.');
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        out.push_str(word);
        if names.iter().any(|name| name == word) {
            out.push_str(&format!("_{copy}"));
        }
        let (between, next) = after.split_at(after.find(is_word).unwrap_or(after.len()));
        out.push_str(between);
        rest = next;
    }
    out
}

/// Names of the functions and variables of a module.
fn item_names(text: &str) -> Vec<String> {
    let (module, _) = ptx::parse(&format!("{HEAD}{text}"));
    let name = |item: &Item| match item {
        Item::Function(f) => Some(module.names.get(f.name).to_string()),
        Item::Variable(v) => Some(module.names.get(v.name).to_string()),
        Item::Directive(_) | Item::Broken(_) => None,
    };
    module.items.iter().filter_map(name).collect()
}

/// A module of so many bytes, or a few more, that is right.
pub fn module(size: usize) -> String {
    let files: Vec<(Vec<String>, String)> = corpus().into_iter().map(|text| (item_names(&text), text)).collect();
    let mut source = HEAD.to_string();
    for (copy, (names, text)) in files.iter().cycle().enumerate() {
        source.push_str(&renamed(text, copy, names));
        if source.len() >= size {
            break;
        }
    }
    let (_, diags) = ptx::parse(&source);
    assert!(!diags.iter().any(Diag::is_fatal), "{:?}", diags.first());
    source
}
