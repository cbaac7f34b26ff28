//! The programs about warps on one processor of each family that issue and manual tell apart, from every compiler's PTX, also as blocks whose rows are no
//! multiple of a warp.
//!
//! The sources count threads along x. Here `%tid.x` and `%ntid.x` of their PTX become the linear number of a thread and their count, so that a
//! block of 24 by 4 does what one of 96 did: PTX ISA, "tid": warps are made by the linear number. What must be in memory stays the
//! same.

use super::case::{Case, Ptx};
use super::{SOURCES, check, harness};
use rayon::prelude::*;

/// Those of issue and design: reductions, scans, forms of `shfl`, sorts, compaction, prefix sums, norms, votes and groups.
const STEMS: [&str; 10] = [
    "18_warp_reduce",
    "19_warp_scan",
    "20_shfl_forms",
    "21_bitonic_warp",
    "22_compact",
    "28_prefix_sum",
    "32_softmax",
    "33_layernorm",
    "50_vote_match",
    "54_coop_groups",
];

const TARGETS: [&str; 6] = ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];

/// How many threads a row has, of as many threads as a block has. None is a multiple of 32.
fn row(threads: u32) -> Option<u32> {
    match threads {
        32 => Some(8),
        64 => Some(16),
        96 => Some(24),
        128 | 256 => Some(4),
        1024 => Some(16),
        _ => None,
    }
}

/// `mov.u32 REG, WHAT;` with another source, or with code between braces that ends in a write of the register.
fn with_linear_threads(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let code = match words[..] {
            ["mov.u32", reg, "%tid.x;"] => linear(reg.trim_end_matches(','), "%ntid.x", "%tid.y", "%tid.x"),
            ["mov.u32", reg, "%ntid.x;"] => linear(reg.trim_end_matches(','), "%ntid.x", "%ntid.y", "0"),
            ["mov.u32", reg, "%tid.y;"] => format!("mov.u32 {reg} 0;"),
            ["mov.u32", reg, "%ntid.y;"] => format!("mov.u32 {reg} 1;"),
            _ => line.to_string(),
        };
        assert!(code != line || !line.contains("tid.x") && !line.contains("tid.y"), "{line}");
        out += &code;
        out.push('\n');
    }
    out
}

/// reg = a * b + c.
fn linear(reg: &str, a: &str, b: &str, c: &str) -> String {
    format!(
        "{{ .reg .b32 %lin<3>; mov.u32 %lin0, {a}; mov.u32 %lin1, {b}; mov.u32 %lin2, {c}; \
         mad.lo.u32 {reg}, %lin0, %lin1, %lin2; }}"
    )
}

/// One kernel of a file on a processor: in rows, and as it is where the other tests leave that out.
fn failures(ptx: &Ptx, kernel: &str, target: &str, cases: &[Case]) -> Vec<String> {
    let mut wrong = vec![];
    let plain_elsewhere = harness::targets().iter().any(|runs| runs.target == target && runs.all_files)
        || harness::is_selected(&ptx.file) && harness::targets().iter().any(|runs| runs.target == target);
    let linear = with_linear_threads(&ptx.text);
    for (text, rows) in [(&ptx.text, false), (&linear, true)] {
        // One build of each compiler will do for rows.
        if rows && !ptx.is("sm_75") || !rows && plain_elsewhere {
            continue;
        }
        let object = match harness::compile(&ptx.file, text, target, Some(kernel)) {
            Ok(object) => object,
            Err(refusal) => {
                wrong.push(format!("{}/{kernel}/{target}: {}", ptx.file, refusal.text));
                continue;
            }
        };
        for case in cases.iter().filter(|case| case.kernel == kernel) {
            let [threads, 1, 1] = case.block else { continue };
            let block = match (rows, row(threads)) {
                (false, _) => case.block,
                (true, Some(x)) => [x, threads / x, 1],
                (true, None) => continue,
            };
            if let Err(what) = check::run_in(&object, case, block) {
                wrong.push(format!("{}/{kernel}/{target}, {} as {block:?}: {what}", ptx.file, case.what));
            }
        }
    }
    wrong
}

#[test]
fn rows_that_are_no_multiple_of_a_warp() {
    let mut work = vec![];
    for source in SOURCES.iter().filter(|source| STEMS.contains(&source.stem)) {
        for ptx in check::files(source) {
            let cases = (source.cases)(&ptx);
            work.push((ptx, cases));
        }
    }
    assert_eq!(work.len(), 35);
    let wrong: Vec<String> = work
        .par_iter()
        .flat_map(|(ptx, cases)| {
            let kernels: Vec<&str> =
                ptx.kernels().into_iter().filter(|k| super::outside::reason(&ptx.file, k).is_none()).collect();
            let runs: Vec<(&str, &str)> = kernels.iter().flat_map(|&k| TARGETS.map(|target| (k, target))).collect();
            runs.into_iter().flat_map(|(kernel, target)| failures(ptx, kernel, target, cases)).collect::<Vec<String>>()
        })
        .collect();
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
