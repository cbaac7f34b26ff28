//! Speed and memory of the reader, checks included.
//!
//! `cargo bench --bench parse`. The large module is ten million bytes of nvcc's output: the kernels of the corpus, again
//! and again under new names. `max alloc` is the peak memory; by ten million it is the bytes for each byte of source.

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher};
use std::path::{Path, PathBuf};
use std::time::Instant;
use warp2wave::diag::Diag;
use warp2wave::ptx::{self, tree::Item};

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() {
    // Before all others, once: the first parse of a process reads the forms.
    let start = Instant::now();
    divan::black_box(ptx::parse(TINY));
    println!("first parse of a tiny module: {:?}", start.elapsed());
    divan::main();
}

const TINY: &str = ".version 8.0\n.target sm_80\n.visible .entry k() { ret; }\n";

/// Bytes of the large module.
const SIZE: usize = 10_000_000;

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

fn large_module() -> String {
    let files: Vec<(Vec<String>, String)> = corpus().into_iter().map(|text| (item_names(&text), text)).collect();
    let mut source = HEAD.to_string();
    for (copy, (names, text)) in files.iter().cycle().enumerate() {
        source.push_str(&renamed(text, copy, names));
        if source.len() >= SIZE {
            break;
        }
    }
    let (_, diags) = ptx::parse(&source);
    assert!(!diags.iter().any(Diag::is_fatal), "{:?}", diags.first());
    source
}

#[divan::bench(sample_size = 1, sample_count = 20)]
fn ten_megabytes(bencher: Bencher) {
    let source = large_module();
    bencher.counter(BytesCount::of_str(&source)).bench(|| ptx::parse(&source));
}

/// One file, as a build system has them.
#[divan::bench]
fn sha256(bencher: Bencher) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus/12_sha256.nvcc.sm_75.ptx");
    let source = std::fs::read_to_string(path).expect("text");
    bencher.counter(BytesCount::of_str(&source)).bench(|| ptx::parse(&source));
}

/// What every parse costs, however small.
#[divan::bench]
fn tiny(bencher: Bencher) {
    bencher.bench(|| ptx::parse(TINY));
}
