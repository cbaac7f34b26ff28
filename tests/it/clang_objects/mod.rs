//! Our object of an empty and of a simple kernel, field by field against clang's, for every processor and target id.
//!
//! `fixtures/object/clang.txt` holds what clang 22 and ld.lld 22 wrote; where they are installed it is made again and compared.
//! `W2W_RECORD=1 cargo test --test it clang_objects` writes it anew. Every difference of ours stands in [`DIFFERENCES`] with its
//! reason, and the snapshot says what it is; `docs/object.md` explains them.

mod facts;

use crate::judge;
use facts::{Facts, facts};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use warp2wave::amd::Target;
use warp2wave::amd::target::Setting;
use warp2wave::{Options, translate};

const PTX: &str = include_str!("../../../fixtures/object/kernels.ptx");
const RECORD: &str = "fixtures/object/clang.txt";

/// Keys where we differ, with the reason; `*` is any text. `docs/object.md` has the same list.
const DIFFERENCES: &[(&str, &str)] = &[
    (
        "* descriptor: ieee",
        "PTX `min` and `max` return the number beside a signalling NaN; with IEEE set AMD returns a NaN",
    ),
    ("* descriptor: user_private_segment_buffer", "our scratch code does not use the buffer descriptor"),
    (
        "* descriptor: user_sgpr_count",
        "without the buffer descriptor, four fewer, or two where FLAT_SCRATCH's initial value may come; one more padding to 16 where the work-group id does not count",
    ),
    ("* descriptor: workgroup_id_x", "asked for only where the kernel reads it; clang always does"),
    ("simple descriptor: sgpr_granules", "room for the XNACK mask also where the target id says `:xnack-`"),
    (
        "* metadata .sgpr_count",
        "VCC counts whether used or not, on gfx9 the XNACK mask and FLAT_SCRATCH too; and our code is not clang's",
    ),
    ("empty metadata .kernarg_segment_align", "never below 8; clang says 4 where there is no argument"),
    (
        "* metadata .uniform_work_group_size",
        "always 1, as PTX grids are whole CTAs; clang writes it for HIP and OpenCL",
    ),
    ("simple argument * .name", "the names of the PTX parameters; clang drops names"),
    ("simple argument * .type_name", "the types of the PTX parameters; clang writes them for OpenCL"),
    ("section .AMDGPU.gpr_maximums", "left out: empty, and only LLVM's own linker reads it"),
    ("sections", "the same without `.AMDGPU.gpr_maximums`"),
    (".symtab empty.*", "left out: absolute local symbols for LLVM's own use"),
    (".symtab simple.*", "left out: absolute local symbols for LLVM's own use"),
];

/// Every processor, and every setting of its target-ID features.
pub fn target_ids() -> Vec<String> {
    let mut ids = vec![];
    for target in Target::all() {
        let fixed = target.has(warp2wave::amd::Feature::FixedTargetId);
        let settings = |s: Setting, name: &str| match s {
            Setting::Any if !fixed => vec![String::new(), format!(":{name}+"), format!(":{name}-")],
            _ => vec![String::new()],
        };
        for sramecc in settings(target.sramecc, "sramecc") {
            for xnack in settings(target.xnack, "xnack") {
                ids.push(format!("{target}{sramecc}{xnack}"));
            }
        }
    }
    ids
}

/// All target ids, and one of each family in the other versions, as `gfx942/v4`.
fn compared_ids() -> Vec<String> {
    let mut ids = target_ids();
    for id in ["gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1201", "gfx1250"]
    {
        ids.extend([format!("{id}/v4"), format!("{id}/v6")]);
    }
    ids
}

/// What a target id of the list, with its version, asks for.
fn options(id: &str) -> Options {
    let (id, version) = id.split_once("/v").map_or((id, None), |(id, version)| (id, version.parse().ok()));
    let options = Options::new(Target::parse(id).expect("a known target"));
    Options { code_object_version: version.unwrap_or(options.code_object_version), ..options }
}

/// Keys to values to the targets that have them, in the order of the table.
type Matrix = BTreeMap<String, BTreeMap<String, Vec<String>>>;

/// Every key has a value for every target; `absent` where an object lacks it.
fn matrix(each: &[(String, Facts)], absent: &str) -> Matrix {
    let mut matrix = Matrix::new();
    for key in each.iter().flat_map(|(_, facts)| facts.keys()) {
        matrix.entry(key.clone()).or_default();
    }
    for (key, values) in &mut matrix {
        for (id, facts) in each {
            let value = facts.get(key).map_or(absent, |v| v);
            values.entry(value.to_string()).or_default().push(id.clone());
        }
    }
    matrix
}

/// One line a value: `key = value | targets`. The value of most targets comes last, for the `others`.
fn print(matrix: &Matrix) -> String {
    let mut out = String::new();
    for (key, values) in matrix {
        let most = values.iter().max_by_key(|(_, ids)| ids.len()).map(|(value, _)| value);
        for (value, ids) in values.iter().filter(|(value, _)| Some(*value) != most) {
            let _ = writeln!(out, "{key} = {value} | {}", ids.join(" "));
        }
        let _ = writeln!(out, "{key} = {} | others", most.map_or("", |m| m));
    }
    out
}

fn read(text: &str, all: &[String]) -> BTreeMap<String, Facts> {
    let mut read: BTreeMap<String, Facts> = all.iter().map(|id| (id.clone(), Facts::new())).collect();
    for line in text.lines().filter(|l| !l.starts_with('#')) {
        let (fact, ids) = line.rsplit_once(" | ").expect("a line of the record");
        let (key, value) = fact.split_once(" = ").expect("a fact");
        for (id, facts) in &mut read {
            let is_named = if ids == "others" { !facts.contains_key(key) } else { ids.split(' ').any(|i| i == id) };
            if is_named {
                facts.insert(key.to_string(), value.to_string());
            }
        }
    }
    for facts in read.values_mut() {
        facts.retain(|_, value| value != ABSENT);
    }
    read
}

const ABSENT: &str = "(absent)";

const FLAGS: &[&str] = &["-target", "amdgcn-amd-amdhsa", "-nogpulib", "-O2"];

/// What clang and ld.lld write today; `None` where they are not installed.
fn clang() -> Option<String> {
    judge::tool("ld.lld-22")?;
    let mut each = vec![];
    for id in compared_ids() {
        let mut clang = judge::tool("clang-22")?;
        let out = judge::TempFile::new(".hsaco", b"");
        clang.current_dir(env!("CARGO_MANIFEST_DIR")).args(FLAGS).arg("fixtures/object/kernels.c");
        let options = options(&id);
        clang.arg(format!("-mcpu={}", options.target));
        clang.arg(format!("-mcode-object-version={}", options.code_object_version));
        judge::output({
            clang.arg("-o").arg(out.path());
            clang
        });
        each.push((id, facts(&std::fs::read(out.path()).expect("clang wrote it"))));
    }
    let head = format!(
        "# clang 22.1.8 and ld.lld 22.1.8: clang-22 {} fixtures/object/kernels.c -mcpu=TARGET\n\
         # -mcode-object-version=5, 6 for generic targets, else as `/v4` says. Written by `W2W_RECORD=1 cargo test --test it clang_objects`.\n",
        FLAGS.join(" ")
    );
    Some(head + &print(&matrix(&each, ABSENT)))
}

#[test]
fn the_record_is_what_clang_writes() {
    let Some(now) = clang() else { return };
    let path = format!("{}/{RECORD}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var("W2W_RECORD").is_ok_and(|v| v == "1") {
        std::fs::write(path, &now).expect("writable");
        return;
    }
    let recorded = std::fs::read_to_string(path).expect("the record");
    let (old, new): (BTreeSet<&str>, BTreeSet<&str>) = (recorded.lines().collect(), now.lines().collect());
    let changed: Vec<_> = old.symmetric_difference(&new).collect();
    assert!(changed.is_empty(), "{changed:#?}");
}

fn is_like(pattern: &str, key: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == key,
        Some((head, tail)) => key.len() >= head.len() + tail.len() && key.starts_with(head) && key.ends_with(tail),
    }
}

#[test]
fn our_objects_differ_from_clangs_only_as_listed() {
    let ids = compared_ids();
    let recorded = std::fs::read_to_string(format!("{}/{RECORD}", env!("CARGO_MANIFEST_DIR"))).expect("the record");
    let theirs = read(&recorded, &ids);
    let mut differences = vec![];
    for id in &ids {
        let ours = facts(translate(PTX, &options(id)).expect("translates").bytes());
        let keys: BTreeSet<&String> = ours.keys().chain(theirs[id].keys()).collect();
        let value = |facts: &Facts, key: &str| facts.get(key).map_or("absent".to_string(), |v| format!("`{v}`"));
        let differ = keys.into_iter().filter(|key| ours.get(*key) != theirs[id].get(*key));
        let lines =
            differ.map(|key| (key.clone(), format!("clang {}, ours {}", value(&theirs[id], key), value(&ours, key))));
        differences.push((id.clone(), lines.collect::<Facts>()));
    }
    let matrix = matrix(&differences, "the same");
    let mut unlisted = matrix.clone();
    unlisted.retain(|key, _| !DIFFERENCES.iter().any(|(pattern, _)| is_like(pattern, key)));
    assert!(unlisted.is_empty(), "not listed:\n{}", print(&unlisted));
    let unused: Vec<_> =
        DIFFERENCES.iter().filter(|(pattern, _)| !matrix.keys().any(|key| is_like(pattern, key))).collect();
    assert!(unused.is_empty(), "no longer different: {unused:?}");
    let docs =
        std::fs::read_to_string(format!("{}/docs/object.md", env!("CARGO_MANIFEST_DIR"))).expect("docs/object.md");
    for (_, why) in DIFFERENCES {
        assert!(docs.contains(why), "docs/object.md does not say: {why}");
    }
    insta::assert_snapshot!("clang_differences", print(&matrix));
}
