//! The bytes of small kernels beside their assembly, as snapshots: VOP3, DS, SMEM, FLAT, GLOBAL, SCRATCH on each kind of target.
//! LLVM agrees with every line: see `disassembly.rs` and `mc/`.

use std::fmt::Write;
use warp2wave::amd::{self, Target};
use warp2wave::{Options, object, translate};

fn listing(source: &str, target: &str) -> String {
    let target = Target::parse(target).expect("a known target");
    let bytes = translate(source, &Options { max_block: 256, ..Options::new(target.clone()) }).expect("translates");
    let read = object::read(bytes.bytes()).expect("our own object");
    let mut out = String::new();
    for kernel in &read.kernels {
        let code = read.image(kernel.entry_address, kernel.code_bytes).expect("the code is in the file");
        let words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let mut at = 0;
        while at < words.len() {
            let (inst, dwords) = amd::decode(&words[at..], &target).expect("our own code");
            let hex: Vec<String> = words[at..at + dwords].iter().map(|w| format!("{w:08x}")).collect();
            let _ = writeln!(out, "{:<27} {}", hex.join(" "), amd::asm::print(&inst, &target));
            at += dwords;
        }
    }
    out
}

#[test]
fn small_kernels() {
    for name in ["prmt", "shared", "params", "generic"] {
        let path = format!("{}/fixtures/ptx/bytes/{name}.ptx", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(&path).expect("the fixture");
        for target in ["gfx942", "gfx1100"] {
            insta::assert_snapshot!(format!("bytes_{name}_{target}"), listing(&source, target));
        }
    }
}
