//! The covers in `docs/lanes.md` are what selection does today, and its kernels take no more instructions than it says.
//! `W2W_RECORD=1 cargo test --test it warp::docs` writes both tables.

use super::TARGETS;
use std::collections::BTreeMap;
use std::fmt::Write;
use warp2wave::Options;
use warp2wave::amd::Target;
use warp2wave::ir::lanemap::{LaneMap, ShuffleMode};
use warp2wave::isel::{LaneBase, LaneMove, LanePlan, lane_plan};
use warp2wave::pipeline::{Stage, text_of};

fn move_text(what: LaneMove) -> String {
    match what {
        LaneMove::Dpp16 { ctrl, row_mask, bank_mask, .. } => {
            let n = ctrl & 15;
            let name = match ctrl >> 4 {
                0..=0xf => format!("quad_perm:[{},{},{},{}]", ctrl & 3, ctrl >> 2 & 3, ctrl >> 4 & 3, ctrl >> 6 & 3),
                0x10 => format!("row_shl:{n}"),
                0x11 => format!("row_shr:{n}"),
                0x12 => format!("row_ror:{n}"),
                0x13 => if n == 0 { "wave_shl:1" } else { "wave_shr:1" }.to_string(),
                0x14 => ["row_mirror", "row_half_mirror", "row_bcast:15"][n as usize].to_string(),
                0x15 => format!("row_share:{n}"),
                _ => format!("row_xmask:{n}"),
            };
            match (row_mask, bank_mask) {
                (15, 15) => name,
                (rows, 15) => format!("{name} rows {rows:#x}"),
                (15, banks) => format!("{name} banks {banks:#x}"),
                (rows, banks) => format!("{name} rows {rows:#x} banks {banks:#x}"),
            }
        }
        LaneMove::Dpp8(_) => "dpp8".to_string(),
        LaneMove::Swizzle(_) => "ds_swizzle".to_string(),
        LaneMove::Row { other: true, .. } => "permlanex16".to_string(),
        LaneMove::Row { other: false, .. } => "permlane16".to_string(),
    }
}

fn plan_text(plan: Option<LanePlan>, readlane: bool) -> String {
    if readlane {
        return "readlane".to_string();
    }
    let Some(plan) = plan else { return "ds_bpermute".to_string() };
    let mut parts = vec![];
    if plan.base == LaneBase::Own {
        parts.push("own".to_string());
    }
    parts.extend(plan.steps.iter().map(|step| move_text(step.what)));
    let runs = parts.chunk_by(|a, b| a == b);
    let runs = runs.map(|run| if run.len() > 1 { format!("{} x {}", run.len(), run[0]) } else { run[0].clone() });
    runs.collect::<Vec<String>>().join(" + ")
}

fn covers() -> String {
    let mut maps: Vec<(String, LaneMap)> = vec![];
    for (name, mode, clamp) in
        [("bfly", ShuffleMode::Bfly, 31), ("down", ShuffleMode::Down, 31), ("up", ShuffleMode::Up, 0)]
    {
        for b in [1, 2, 4, 8, 16] {
            maps.push((format!("`{name}` {b}"), LaneMap::shuffle(mode, |_| b, clamp).0));
        }
    }
    for (name, mode, clamp) in
        [("down", ShuffleMode::Down, 31), ("up", ShuffleMode::Up, 0), ("idx", ShuffleMode::Idx, 31)]
    {
        for (width, b) in [(16, 1), (16, 8), (8, 1), (8, 4), (4, 1), (2, 1)] {
            maps.push((
                format!("`{name}` {b}, width {width}"),
                LaneMap::shuffle(mode, |_| b, (32 - width) << 8 | clamp).0,
            ));
        }
    }
    maps.push(("`idx` 5".to_string(), LaneMap::shuffle(ShuffleMode::Idx, |_| 5, 31).0));
    maps.push(("31 - lane".to_string(), LaneMap::new(|lane| 31 - lane)));
    maps.push(("lane + 1, around".to_string(), LaneMap::new(|lane| (lane + 1) & 31)));
    maps.push(("lane * 5".to_string(), LaneMap::new(|lane| lane.wrapping_mul(5))));
    // Processors that cover every map alike share a column.
    let mut columns: Vec<(Vec<&str>, Vec<String>)> = vec![];
    for name in TARGETS {
        let target = Target::parse(name).unwrap();
        let cells: Vec<String> = maps
            .iter()
            .map(|(_, map)| plan_text(lane_plan(map, &target), target.wave_lanes() == 32 && map.broadcast().is_some()))
            .collect();
        match columns.iter_mut().find(|column| column.1 == cells) {
            Some(column) => column.0.push(name),
            None => columns.push((vec![name], cells)),
        }
    }
    let heads: Vec<String> = columns.iter().map(|(names, _)| names.join(", ")).collect();
    let mut out = format!("| map | {} |\n|{}\n", heads.join(" | "), " --- |".repeat(columns.len() + 1));
    for (n, (name, _)) in maps.iter().enumerate() {
        let cells: Vec<&str> = columns.iter().map(|(_, cells)| cells[n].as_str()).collect();
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    }
    out
}

/// Vector and LDS instructions.
type Counts = [u32; 2];

fn clang() -> BTreeMap<(String, String), Counts> {
    let text = include_str!("../../../fixtures/lanes/clang.txt");
    let rows = text.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let words: Vec<&str> = line.split(' ').collect();
        let count = |n: usize| words[n].parse().unwrap();
        ((words[0].to_string(), words[1].to_string()), [count(2), count(3)])
    });
    rows.collect()
}

const KERNELS: [(&str, &str); 9] = [
    ("18_warp_reduce", "warp_sum_f32"),
    ("18_warp_reduce", "warp_sum_i32_w16"),
    ("18_warp_reduce", "warp_sum_i64_w8"),
    ("18_warp_reduce", "warp_max_xor"),
    ("19_warp_scan", "warp_scan_incl"),
    ("19_warp_scan", "warp_scan_excl_w8"),
    ("20_shfl_forms", "warp_bit_transpose"),
    ("20_shfl_forms", "shfl_widths"),
    ("21_bitonic_warp", "bitonic_warp_u32"),
];

fn ours(stem: &str, kernel: &str, target: &str) -> Counts {
    let path = format!("{}/fixtures/ptx/corpus/{stem}.nvcc.sm_75.ptx", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(path).unwrap();
    let options = Options { kernels: Some(vec![kernel.to_string()]), ..Options::new(Target::parse(target).unwrap()) };
    let text = text_of(&source, &options, Stage::Assembly).unwrap();
    let mut counts = [0; 2];
    for op in text.lines().map(str::trim) {
        counts[0] += op.starts_with("v_") as u32;
        counts[1] += op.starts_with("ds_") as u32;
        if op.starts_with("s_endpgm") {
            break;
        }
    }
    assert!(counts[0] > 5, "{text}");
    counts
}

fn kernels() -> String {
    let clang = clang();
    let mut out = String::from("| processor | kernel | vector | LDS | clang: vector | LDS |\n");
    out += "| --- | --- | --- | --- | --- | --- |\n";
    for target in TARGETS {
        for (stem, kernel) in KERNELS {
            let [vector, lds] = ours(stem, kernel, target);
            let theirs = clang[&(target.to_string(), kernel.to_string())];
            let [v, l] = theirs;
            let _ = writeln!(out, "| {target} | `{kernel}` | {vector} | {lds} | {v} | {l} |");
            // An LDS move and the wait for it are worth several vector instructions.
            let cost = |vector: u32, lds: u32| vector + 6 * lds;
            assert!(
                lds <= l && cost(vector, lds) <= cost(v, l),
                "{target} {kernel}: [{vector}, {lds}], clang {theirs:?}"
            );
        }
    }
    out
}

fn replaced(text: &str, name: &str, table: &str) -> String {
    let (start, end) = (format!("<!-- {name} -->\n"), format!("<!-- end of {name} -->"));
    let from = text.find(&start).unwrap() + start.len();
    let to = text.find(&end).unwrap();
    format!("{}{table}{}", &text[..from], &text[to..])
}

/// Whether the text has each kernel's row with clang's counts as they are, and ours no lower: other parts of the compiler may get better.
fn no_more_than(text: &str, counted: &str) -> bool {
    let cells = |row: &str| row.split('|').map(|cell| cell.trim().to_string()).collect::<Vec<_>>();
    counted.lines().all(|row| {
        let row = cells(row);
        text.lines().map(cells).any(|known| {
            let count = |row: &[String], n: usize| row[n].parse::<u32>().unwrap_or(0);
            known.len() == row.len()
                && (known[..3] == row[..3] && known[5..] == row[5..])
                && (3..5).all(|n| count(&row, n) <= count(&known, n))
        })
    })
}

#[test]
fn the_tables_are_up_to_date() {
    let path = format!("{}/docs/lanes.md", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut fresh, counted) = (replaced(&text, "covers", &covers()), kernels());
    let recording = std::env::var("W2W_RECORD").is_ok_and(|v| v == "1");
    if recording || !no_more_than(&text, &counted) {
        fresh = replaced(&fresh, "kernels", &counted);
    }
    if recording {
        std::fs::write(&path, &fresh).unwrap();
        return;
    }
    assert!(text == fresh, "docs/lanes.md is stale: `W2W_RECORD=1 cargo test --test it warp::docs` writes it");
}
