//! The PTX interpreter: vectors derived by hand from the PTX ISA's text, meetings of threads, faults, and the corpus.

mod corpus;
mod faults;
mod meet;
mod sanitize;
mod vectors;

use warp2wave::eval::{self, Arg, Fault, Launch, Outcome, Program};
use warp2wave::ptx;

/// Decodes the kernel `k` of a module.
#[track_caller]
fn program(source: &str) -> Program {
    let (module, diags) = ptx::parse(source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}\n{source}");
    Program::new(&module, "k").unwrap_or_else(|d| panic!("{d:#?}\n{source}"))
}

fn header(body: &str) -> String {
    format!(".version 8.8\n.target sm_100\n.address_size 64\n{body}")
}

/// Runs the kernel `k` with `u64` buffers of this size.
fn run(source: &str, block: u32, buffers: &[usize]) -> Result<Outcome, Box<Fault>> {
    let args = buffers.iter().map(|&bytes| Arg::Buffer { address: None, bytes: vec![0; bytes] }).collect();
    let launch = Launch { grid: [1; 3], block: [block, 1, 1], args, ..Launch::default() };
    eval::launch(&program(source), &launch)
}

fn dwords(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}
