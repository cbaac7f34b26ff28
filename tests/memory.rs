//! Peak memory of the reader, in bytes for each byte of source.
//!
//! A program of its own: the allocator counts for the whole process, so one test runs at a time.

#[path = "../benches/common/large.rs"]
mod large;

use peak_alloc::PeakAlloc;
use warp2wave::ptx;

#[global_allocator]
static ALLOC: PeakAlloc = PeakAlloc;

/// Bytes for each byte of source while it is read and checked, the source itself left out.
fn bytes_for_each(source: &str) -> f64 {
    let before = ALLOC.current_usage();
    ALLOC.reset_peak_usage();
    let parsed = ptx::parse(source);
    let peak = ALLOC.peak_usage() - before;
    drop(parsed);
    peak as f64 / source.len() as f64
}

#[test]
fn trees_and_hostile_text_take_a_bounded_multiple_of_the_source() {
    let usual = large::module(2_000_000);
    let taken = bytes_for_each(&usual);
    assert!(taken < 8.0, "nvcc's output takes {taken:.2} bytes for each byte");

    let heads = ["", ".version 8.0\n.target sm_80\n", ".version 8.0\n.target sm_80\n.visible .entry k() {\n"];
    for head in heads {
        for text in ["(", "{", ",", "a", "\"", "[", "%", "@", ".b", "mov a,", "mov (", "{\n,"] {
            let source = format!("{head}{}", text.repeat(1_000_000 / text.len()));
            let taken = bytes_for_each(&source);
            assert!(taken < 10.0, "`{text}` behind {head:?} takes {taken:.2} bytes for each byte");
        }
    }
}
