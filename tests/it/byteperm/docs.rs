//! The tables of `docs/byteperm.md` are what selection does today. `W2W_RECORD=1 cargo test --test it byteperm::docs` writes them.

use std::collections::BTreeMap;
use std::fmt::Write;
use warp2wave::amd::Target;
use warp2wave::explain::{Explanation, Operands, Unit, explain};
use warp2wave::ir::PrmtMode;
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::isel::byteperm_plan;

const MODES: [(&str, &str); 8] = [
    ("generic", "prmt.b32 d, a, b, c"),
    ("generic without signs", ""),
    ("f4e", "prmt.b32.f4e d, a, b, c"),
    ("b4e", "prmt.b32.b4e d, a, b, c"),
    ("rc8", "prmt.b32.rc8 d, a, b, c"),
    ("ecl", "prmt.b32.ecl d, a, b, c"),
    ("ecr", "prmt.b32.ecr d, a, b, c"),
    ("rc16", "prmt.b32.rc16 d, a, b, c"),
];

/// The search's lower bound for a register selector.
fn bound(mode: &str) -> u32 {
    let path = format!("{}/fixtures/byteperm/search.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).expect("the record of the search");
    let prefix = format!("  register selector, {mode}: at least ");
    text.lines()
        .find_map(|line| line.strip_prefix(&prefix)?.parse().ok())
        .unwrap_or_else(|| panic!("no bound for {mode}"))
}

fn targets() -> Vec<Target> {
    Target::all().collect()
}

fn constant_selectors() -> String {
    let mut counts: BTreeMap<usize, u32> = BTreeMap::new();
    for selector in 0..0x1_0000 {
        *counts.entry(byteperm_plan(ByteSel::prmt(PrmtMode::Generic, selector)).steps.len()).or_default() += 1;
    }
    let mut least: BTreeMap<usize, u32> = BTreeMap::new();
    for ((ops, _), count) in super::searched("prmt of two registers") {
        *least.entry(ops).or_default() += count;
    }
    let mut out = String::from("| processor | 0 | 1 | 2 | 3 | mean |\n| --- | --- | --- | --- | --- | --- |\n");
    let row = |name: &str, counts: &BTreeMap<usize, u32>| {
        let total: u32 = counts.iter().map(|(&ops, &count)| ops as u32 * count).sum();
        let cells: Vec<String> = (0..4).map(|ops| counts.get(&ops).copied().unwrap_or(0).to_string()).collect();
        format!("| {name} | {} | {:.4} |\n", cells.join(" | "), f64::from(total) / 65536.0)
    };
    for target in targets() {
        out += &row(target.name(), &counts);
    }
    out + &row("the fewest there can be", &least)
}

fn register_selectors() -> String {
    let mut out = String::new();
    for (mode, instruction) in MODES {
        let least = bound(mode);
        if instruction.is_empty() {
            let _ = writeln!(
                out,
                "### {mode}\n\nWhere the selector is known to have bit 3 of each nibble clear, as `__byte_perm` leaves it: `v_lshrrev_b32`, \
                 `v_perm_b32`, `v_and_b32` for the selector, shared by all permutes that use it, and one `v_perm_b32` each. At least {least} \
                 by search.\n"
            );
            continue;
        }
        let explanation: Explanation = explain(instruction, &targets(), Operands::Divergent).expect("translates");
        let _ = writeln!(out, "### {mode}\n\n`{instruction}`: at least {least} by search.\n");
        for group in &explanation.groups {
            let _ =
                writeln!(out, "{}: {} vector instructions.\n\n```text", group.targets.join(", "), group.cost.vector);
            for step in &group.steps {
                let constant = if step.unit == Unit::Constant { "    ; shared, out of loops" } else { "" };
                let _ = writeln!(out, "{}{constant}", step.text);
            }
            out += "```\n\n";
        }
    }
    out
}

#[test]
fn tables_are_fresh() {
    let path = format!("{}/docs/byteperm.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("docs/byteperm.md");
    let mut fresh = text.clone();
    for (name, table) in [("constant selectors", constant_selectors()), ("register selectors", register_selectors())] {
        let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
        let from = fresh.find(&start).unwrap_or_else(|| panic!("no {start}")) + start.len();
        let to = fresh.find(&end).unwrap_or_else(|| panic!("no {end}"));
        fresh.replace_range(from..to, &format!("\n{}\n", table.trim_end().to_owned() + "\n"));
    }
    if std::env::var_os("W2W_RECORD").is_some() {
        std::fs::write(&path, &fresh).expect("writable");
        return;
    }
    assert!(text == fresh, "docs/byteperm.md is stale: `W2W_RECORD=1 cargo test --test it byteperm::docs` writes it");
}
