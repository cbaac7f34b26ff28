//! Time of a translation: small kernels, whole files, and how it grows with the length of a kernel.
//!
//! `cargo bench --bench translate`. Figures are per call; `items` are PTX instructions, so that time per instruction can be read off.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use std::fmt::Write;
use warp2wave::amd::Target;
use warp2wave::{Options, translate};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
}

const TARGETS: [&str; 2] = ["gfx1100", "gfx942"];

fn options(target: &str) -> Options {
    Options::new(Target::parse(target).expect("a target of the table"))
}

const ONE_PRMT: &str = "
.version 8.0
.target sm_80
.address_size 64
.visible .entry one_prmt(.param .u64 out, .param .u32 a, .param .u32 b)
{
    .reg .b32 %r<4>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [a];
    ld.param.u32 %r2, [b];
    cvta.to.global.u64 %rd2, %rd1;
    prmt.b32 %r3, %r1, %r2, 0x9a41;
    st.global.u32 [%rd2], %r3;
    ret;
}
";

#[divan::bench(args = TARGETS)]
fn one_prmt(bencher: Bencher, target: &str) {
    let options = options(target);
    bencher.bench(|| translate(ONE_PRMT, &options).expect("translates"));
}

fn fixture(name: &str) -> String {
    let path = format!("{}/fixtures/ptx/corpus/{name}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

#[divan::bench(args = TARGETS)]
fn sha256_file(bencher: Bencher, target: &str) {
    let source = fixture("12_sha256.nvcc.sm_75.ptx");
    let options = options(target);
    bencher.counter(BytesCount::of_str(&source)).bench(|| translate(&source, &options).expect("translates"));
}

#[divan::bench(args = TARGETS)]
fn keccak_file(bencher: Bencher, target: &str) {
    let source = fixture("17_keccak.nvcc.sm_75.ptx");
    let options = options(target);
    bencher.counter(BytesCount::of_str(&source)).bench(|| translate(&source, &options).expect("translates"));
}

/// `n` dependent ALU instructions in one block.
fn straight(n: usize) -> String {
    let mut s = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<2>;\n\
         ld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\n",
    );
    let ops = ["add.s32", "xor.b32", "mul.lo.s32", "and.b32", "sub.s32", "or.b32"];
    for i in 0..n {
        let _ = writeln!(s, "{} %r{}, %r{}, %r{};", ops[i % ops.len()], i % 16 + 2, (i + 15) % 16 + 2, i % 2);
        if i == 0 {
            s = s.replace("%r17", "%r1");
        }
    }
    let _ = writeln!(s, "st.global.u32 [%rd1], %r{};\nret;\n}}", (n - 1) % 16 + 2);
    s
}

/// `n` divergent diamonds of four instructions each, one behind the other.
fn diamonds(n: usize) -> String {
    let mut s = String::from(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<4>;\n.reg .pred %p;\n\
         .reg .b64 %rd<2>;\nld.param.u64 %rd1, [out];\nmov.u32 %r0, %tid.x;\nmov.u32 %r1, %tid.y;\n",
    );
    for i in 0..n {
        let _ = writeln!(
            s,
            "setp.gt.u32 %p, %r1, {i};\n@%p bra T{i};\nadd.s32 %r1, %r1, %r0;\nbra J{i};\nT{i}:\nxor.b32 %r1, %r1, 77;\nJ{i}:"
        );
    }
    s += "st.global.u32 [%rd1], %r1;\nret;\n}\n";
    s
}

#[divan::bench(args = [10, 100, 1_000, 10_000, 100_000, 1_000_000], max_time = 20)]
fn straight_line(bencher: Bencher, n: usize) {
    let source = straight(n);
    let options = options("gfx1100");
    bencher.counter(ItemsCount::new(n)).bench(|| translate(&source, &options).expect("translates"));
}

#[divan::bench(args = [10, 100, 1_000, 10_000], max_time = 20)]
fn divergent_diamonds(bencher: Bencher, n: usize) {
    let source = diamonds(n);
    let options = options("gfx1100");
    bencher.counter(ItemsCount::new(5 * n)).bench(|| translate(&source, &options).expect("translates"));
}

#[divan::bench]
fn parse_sha256(bencher: Bencher) {
    let source = fixture("12_sha256.nvcc.sm_75.ptx");
    bencher.counter(BytesCount::of_str(&source)).bench(|| warp2wave::ptx::parse(&source));
}
