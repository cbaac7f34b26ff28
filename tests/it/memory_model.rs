//! Cache bits of accesses and what fences do to the caches, against LLVM's memory legaliser for the same meaning.
//!
//! `fixtures/amd/memory_model.tsv` has what llc 22 makes of each case; `W2W_RECORD=1 cargo test --test it memory_model` writes it anew.
//! Waits are not compared: each side has others on its way, and the emulator judges ours.

use super::judge::{TempFile, output, tool};
use std::fmt::Write as _;
use warp2wave::amd::Target;
use warp2wave::{Options, disasm, object, translate};

const TARGETS: [&str; 11] = [
    "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];

/// A name, the PTX and the LLVM IR of a kernel's body; addresses are `%d4` and `%p`, values `%r2` and `%x`.
const CASES: &[(&str, &str, &str)] = &[
    ("load weak", "ld.global.u32 %r2, [%d4];", "%x = load i32, ptr addrspace(1) %p"),
    ("load volatile", "ld.volatile.global.u32 %r2, [%d4];", "%x = load volatile i32, ptr addrspace(1) %p"),
    ("load streaming", "ld.global.cs.u32 %r2, [%d4];", "%x = load i32, ptr addrspace(1) %p, !nontemporal !0"),
    (
        "load cta",
        "ld.relaxed.cta.global.u32 %r2, [%d4];",
        "%x = load atomic i32, ptr addrspace(1) %p syncscope(\"workgroup\") monotonic, align 4",
    ),
    (
        "load gpu",
        "ld.relaxed.gpu.global.u32 %r2, [%d4];",
        "%x = load atomic i32, ptr addrspace(1) %p syncscope(\"agent\") monotonic, align 4",
    ),
    (
        "load sys",
        "ld.relaxed.sys.global.u32 %r2, [%d4];",
        "%x = load atomic i32, ptr addrspace(1) %p monotonic, align 4",
    ),
    ("store weak", "st.global.u32 [%d4], %r2;", "store i32 %x, ptr addrspace(1) %p"),
    ("store volatile", "st.volatile.global.u32 [%d4], %r2;", "store volatile i32 %x, ptr addrspace(1) %p"),
    ("store streaming", "st.global.cs.u32 [%d4], %r2;", "store i32 %x, ptr addrspace(1) %p, !nontemporal !0"),
    (
        "store cta",
        "st.relaxed.cta.global.u32 [%d4], %r2;",
        "store atomic i32 %x, ptr addrspace(1) %p syncscope(\"workgroup\") monotonic, align 4",
    ),
    (
        "store gpu",
        "st.relaxed.gpu.global.u32 [%d4], %r2;",
        "store atomic i32 %x, ptr addrspace(1) %p syncscope(\"agent\") monotonic, align 4",
    ),
    (
        "store sys",
        "st.relaxed.sys.global.u32 [%d4], %r2;",
        "store atomic i32 %x, ptr addrspace(1) %p monotonic, align 4",
    ),
    (
        "atomic cta",
        "atom.relaxed.cta.global.add.u32 %r2, [%d4], %r1;",
        "%x = atomicrmw add ptr addrspace(1) %p, i32 %t syncscope(\"workgroup\") monotonic",
    ),
    (
        "atomic gpu",
        "atom.relaxed.gpu.global.add.u32 %r2, [%d4], %r1;",
        "%x = atomicrmw add ptr addrspace(1) %p, i32 %t syncscope(\"agent\") monotonic",
    ),
    (
        "atomic sys",
        "atom.relaxed.sys.global.add.u32 %r2, [%d4], %r1;",
        "%x = atomicrmw add ptr addrspace(1) %p, i32 %t monotonic",
    ),
    ("fence.acq_rel cta", "fence.acq_rel.cta;", "fence syncscope(\"workgroup\") acq_rel"),
    ("fence.acq_rel gpu", "fence.acq_rel.gpu;", "fence syncscope(\"agent\") acq_rel"),
    ("fence.acq_rel sys", "fence.acq_rel.sys;", "fence acq_rel"),
    ("fence.sc cta", "fence.sc.cta;", "fence syncscope(\"workgroup\") seq_cst"),
    ("fence.sc gpu", "fence.sc.gpu;", "fence syncscope(\"agent\") seq_cst"),
    ("fence.sc sys", "fence.sc.sys;", "fence seq_cst"),
];

/// What a body does beside its case: a load is stored, a store stores a thread's number.
fn body(case: &str, ptx: bool) -> (&'static str, &'static str) {
    let kind = case.split(['.', ' ']).next().unwrap_or("");
    match (kind, ptx) {
        ("load" | "atomic", true) => ("", "st.shared.u32 [%r3], %r2;"),
        ("load" | "atomic", false) => ("", "store i32 %x, ptr addrspace(3) @s"),
        ("store", true) => ("mov.u32 %r2, %tid.x;", ""),
        ("store", false) => ("%x = add i32 %t, 0", ""),
        _ => ("", ""),
    }
}

fn ptx() -> String {
    let mut text = ".version 8.0\n.target sm_80\n.address_size 64\n.shared .b32 s;\n".to_string();
    for (n, (case, ptx, _)) in CASES.iter().enumerate() {
        let (before, behind) = body(case, true);
        let _ = write!(
            text,
            ".visible .entry c{n}(.param .u64 p)\n{{\n.reg .b32 %r<4>;\n.reg .b64 %d<5>;\nld.param.u64 %d1, [p];\nmov.u32 %r1, %tid.x;\n\
             mad.wide.u32 %d4, %r1, 4, %d1;\nmov.u32 %r3, s;\n{before}\n{ptx}\n{behind}\nret;\n}}\n"
        );
    }
    text
}

fn ir() -> String {
    let mut text =
        "@s = internal addrspace(3) global i32 poison\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n!0 = !{i32 1}\n"
            .to_string();
    for (n, (case, _, ir)) in CASES.iter().enumerate() {
        let (before, behind) = body(case, false);
        let _ = write!(
            text,
            "define amdgpu_kernel void @c{n}(ptr addrspace(1) %b) {{\n%t = call i32 @llvm.amdgcn.workitem.id.x()\n\
             %p = getelementptr i32, ptr addrspace(1) %b, i32 %t\n{before}\n{ir}\n{behind}\nret void\n}}\n"
        );
    }
    text
}

/// The accesses and cache operations of assembly text, with their cache bits.
fn cache_lines<'t>(lines: impl Iterator<Item = &'t str>) -> String {
    let mut found = vec![];
    for line in lines {
        let line = line.split(';').next().unwrap_or("").trim();
        let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
        let Some(op) = words.next() else { continue };
        let kind = match op {
            _ if op.starts_with("global_load") || op.starts_with("flat_load") => "load",
            _ if op.starts_with("global_store") || op.starts_with("flat_store") => "store",
            _ if op.starts_with("global_atomic") || op.starts_with("flat_atomic") => "atomic",
            _ if op.starts_with("buffer_") || ["global_inv", "global_wb", "global_wbinv"].contains(&op) => op,
            _ => continue,
        };
        let bits = ["glc", "slc", "dlc", "sc0", "sc1", "nt"];
        let is_bit = |word: &&str| bits.contains(word) || word.starts_with("scope:") || word.starts_with("th:");
        let mut bits: Vec<&str> = words.filter(is_bit).collect();
        bits.sort_unstable();
        found.push([&[kind], bits.as_slice()].concat().join(" "));
    }
    found.join(", ")
}

fn ours(target: &str) -> Vec<String> {
    let bytes =
        translate(&ptx(), &Options::new(Target::parse(target).unwrap())).unwrap_or_else(|d| panic!("{target}: {d:?}"));
    let object = object::read(bytes.bytes()).unwrap();
    let text = disasm::text(&object).unwrap();
    let kernels: Vec<(&str, &str)> = text.split("\n\n").filter_map(|part| part.trim().split_once(':')).collect();
    let of = |n: usize| kernels.iter().find(|k| k.0 == format!("c{n}")).map(|k| cache_lines(k.1.lines()));
    (0..CASES.len()).map(|n| of(n).unwrap_or_else(|| panic!("no kernel c{n}\n{text}"))).collect()
}

fn theirs(target: &str) -> Option<Vec<String>> {
    let file = TempFile::new(".ll", ir().as_bytes());
    let mut llc = tool("llc-22")?;
    llc.args(["-mtriple=amdgcn-amd-amdhsa", "-O2", "-o", "-"]).arg(format!("-mcpu={target}")).arg(file.path());
    let text = output(llc);
    let of = |n: usize| {
        let start = text.find(&format!("\nc{n}:")).unwrap_or_else(|| panic!("no c{n}\n{text}"));
        let part = &text[start..];
        cache_lines(part[..part.find("s_endpgm").unwrap_or(part.len())].lines())
    };
    Some((0..CASES.len()).map(of).collect())
}

fn table(of: impl Fn(&str) -> Option<Vec<String>>) -> Option<String> {
    let mut text = "target\tcase\tmemory operations and cache bits\n".to_string();
    for target in TARGETS {
        for ((case, ..), line) in CASES.iter().zip(of(target)?) {
            let _ = writeln!(text, "{target}\t{case}\t{line}");
        }
    }
    Some(text)
}

#[test]
fn cache_bits_are_those_of_llvm() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/amd/memory_model.tsv");
    if std::env::var("W2W_RECORD").is_ok_and(|v| v == "1") {
        std::fs::write(path, table(theirs).expect("llc-22")).expect("writable");
    }
    let expected = std::fs::read_to_string(path).expect("the fixture");
    let found = table(|target| Some(ours(target))).expect("a table");
    let wrong: String = expected
        .lines()
        .zip(found.lines())
        .filter(|(a, b)| a != b)
        .map(|(a, b)| format!("llc:  {a}\nours: {b}\n"))
        .collect();
    assert!(wrong.is_empty() && expected.lines().count() == found.lines().count(), "{wrong}");
}
