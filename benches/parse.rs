//! Speed and memory of the reader.
//!
//! `cargo bench --bench parse`. Printed first: the first parse of a process, all forms, and the peak memory for each byte
//! of source. The large module is ten million bytes of nvcc's output; `unchecked` is its tree without the checks.

#[path = "common/large.rs"]
mod large;

use divan::Bencher;
use divan::counter::BytesCount;
use peak_alloc::PeakAlloc;
use std::path::Path;
use std::time::Instant;
use warp2wave::ptx::{self, forms};

#[global_allocator]
static ALLOC: PeakAlloc = PeakAlloc;

fn main() {
    // Before all others, once: the first parse of a process reads the forms that it needs.
    let start = Instant::now();
    divan::black_box(ptx::parse(TINY));
    println!("first parse of a tiny module: {:?}", start.elapsed());
    let start = Instant::now();
    println!("all {} forms beyond that: {:?}", all_forms(), start.elapsed());
    print_memory("ten megabytes of nvcc's output", &large::module(SIZE));
    print_memory("ten megabytes of `(`", &format!("{OPEN}{}", "(".repeat(SIZE)));
    divan::main();
}

const TINY: &str = ".version 8.0\n.target sm_80\n.visible .entry k() { ret; }\n";

/// What a statement may follow.
const OPEN: &str = ".version 8.0\n.target sm_80\n.visible .entry k() {\n";

/// Bytes of the large module.
const SIZE: usize = 10_000_000;

fn all_forms() -> usize {
    let names = ptx::names::Names::new();
    forms::opcodes().filter_map(|opcode| names.lookup(opcode)).map(|opcode| forms::forms_of(opcode).len()).sum()
}

fn print_memory(what: &str, source: &str) {
    let before = ALLOC.current_usage();
    ALLOC.reset_peak_usage();
    divan::black_box(ptx::parse(source));
    let bytes = ALLOC.peak_usage() - before;
    println!("{what}: {:.2} bytes of peak memory for each byte", bytes as f64 / source.len() as f64);
}

#[divan::bench(sample_size = 1, sample_count = 20)]
fn ten_megabytes(bencher: Bencher) {
    let source = large::module(SIZE);
    bencher.counter(BytesCount::of_str(&source)).bench(|| ptx::parse(&source));
}

#[divan::bench(sample_size = 1, sample_count = 20)]
fn ten_megabytes_unchecked(bencher: Bencher) {
    let source = large::module(SIZE);
    bencher.counter(BytesCount::of_str(&source)).bench(|| ptx::parse_unchecked(&source));
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
