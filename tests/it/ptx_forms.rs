//! The forms of the grammar against ptxas, and modules made from them at random.
//!
//! `fixtures/ptx/verdicts.forms.txt` holds, form by form, statements that `ptx::forms::sample` made and what ptxas said of
//! each. `tests/record_verdicts.py` records it anew; `W2W_SAMPLES` names a file that gets the statements to judge.

use super::ptx::rendered;
use std::collections::HashSet;
use std::fmt::Write;
use warp2wave::diag::{Diag, codes};
use warp2wave::ptx;
use warp2wave::ptx::forms::sample;

fn read(statement: &str, version: &str, target: &str) -> (String, Vec<Diag>) {
    let frame = sample::FRAME.replace("//BODY", statement);
    let source = frame.replace(".version 9.2", &format!(".version {version}")).replace("sm_90", target);
    let (_, diags) = ptx::parse(&source);
    (source, diags)
}

/// The version and the targets that our warnings of a statement ask for, as the grammar writes them.
fn needs(statement: &str) -> String {
    let (source, diags) = read(statement, "1.0", "sm_10");
    let first = source.find(statement).unwrap() as u32;
    let place = first..first + statement.len() as u32;
    asked(diags.iter().filter(|d| place.contains(&d.span.start)))
}

/// The same of some warnings.
fn asked<'d>(diags: impl Iterator<Item = &'d Diag>) -> String {
    let mut version = (1, 0);
    let mut targets: Vec<&str> = Vec::new();
    for diag in diags.filter(|d| d.code == codes::NEEDS) {
        let words: Vec<&str> = diag.message.split('`').skip(2).collect();
        let of_version = words.iter().find_map(|word| word.strip_prefix(".version ")?.split_once('.'));
        if let Some((major, minor)) = of_version {
            version = version.max((major.parse().unwrap(), minor.parse().unwrap()));
        }
        let asked: Vec<&str> = words.into_iter().filter(|word| word.starts_with("sm_")).collect();
        // A special register asks for itself.
        let number = |targets: &[&str]| targets.first().and_then(|t| t[3..].parse::<u32>().ok());
        if number(&asked) >= number(&targets) || number(&asked).is_none() && !asked.is_empty() {
            targets = asked;
        }
    }
    let (major, minor) = version;
    let version = if version == (1, 0) { String::new() } else { format!("{major}.{minor} ") };
    format!("{version}{}", targets.join(" ")).trim().to_string()
}

/// What is wrong with each of some statements, which stand on lines of one module.
fn faults(statements: &[&str]) -> Vec<Option<String>> {
    let (source, diags) = read(&statements.join("\n"), "9.2", "sm_90");
    let first = sample::FRAME[..sample::FRAME.find("//BODY").unwrap()].matches('\n').count();
    let mut faults = vec![None; statements.len()];
    for diag in diags.iter().filter(|d| d.is_fatal()) {
        let line = source[..diag.span.start as usize].matches('\n').count();
        let fault = &mut faults[line - first];
        *fault = fault.take().or_else(|| Some(rendered(std::slice::from_ref(diag), "", &source)));
    }
    faults
}

/// Each sample of a form is read.
#[test]
fn samples_of_the_forms_are_read() {
    let mut failures = String::new();
    for samples in sample::all() {
        let right: Vec<&str> = samples.right.iter().map(String::as_str).collect();
        failures.extend(faults(&right).into_iter().flatten());
    }
    if let Some(path) = std::env::var_os("W2W_SAMPLES") {
        std::fs::write(path, record()).unwrap();
    }
    assert!(failures.is_empty(), "{failures}");
}

/// All samples with what we make of them, for ptxas to judge.
fn record() -> String {
    let mut record = String::new();
    for samples in sample::all() {
        writeln!(record, "= {}", samples.form.line).unwrap();
        for (sort, statements) in [("right", &samples.right), ("neighbour", &samples.neighbours)] {
            for statement in statements {
                let verdict = if faults(&[statement]) == [None] { "ok" } else { "no" };
                writeln!(record, "{sort}\t{verdict}\t{}\t{statement}", needs(statement)).unwrap();
            }
        }
    }
    record
}

#[test]
fn every_form_agrees_with_ptxas() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ptx/verdicts.forms.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut failures = String::new();
    let mut known = HashSet::new();
    for group in text.split("\n= ").skip(1) {
        let mut lines = group.lines();
        let form = lines.next().unwrap();
        let (excuses, lines): (Vec<&str>, Vec<&str>) = lines.partition(|line| line.starts_with("! "));
        let statements: Vec<&str> = lines.iter().map(|line| line.rsplit('\t').next().unwrap()).collect();
        let verdicts: Vec<&str> = lines.iter().map(|line| line.split('\t').next().unwrap()).collect();
        let judged = |verdict: &str| verdicts.contains(&verdict);
        if !excuses.is_empty() || judged("ok") && judged("no") {
            known.insert(form);
        }
        let faults = if statements.is_empty() { Vec::new() } else { faults(&statements) };
        for ((line, fault), (verdict, statement)) in lines.iter().zip(faults).zip(verdicts.into_iter().zip(&statements))
        {
            // `ok but`, `no but`: the reader decides otherwise, and the middle field says why.
            let agrees = fault.is_none() == verdict.starts_with("ok");
            if agrees == verdict.ends_with("but") {
                writeln!(failures, "{line}\n{}", fault.unwrap_or_default()).unwrap();
            }
            // The middle field is what ptxas asks for. `ok more`: it asks more of some operand than we do, or less.
            let asked = line.split('\t').nth(1).unwrap();
            if matches!(verdict, "ok" | "ok more") && (needs(statement) == asked) == (verdict == "ok more") {
                writeln!(failures, "{line}\nours: {}", needs(statement)).unwrap();
            }
        }
    }
    for samples in sample::all().filter(|samples| !known.contains(samples.form.line)) {
        writeln!(failures, "not judged both ways: {}", samples.form.line).unwrap();
    }
    assert!(failures.is_empty(), "{failures}");
}

/// What an earlier release said, for processors before sm_75 and for 32-bit addresses: `tests/record_verdicts.py --early`.
#[test]
fn forms_agree_with_an_earlier_ptxas() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ptx/verdicts.early.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut failures = String::new();
    let mut sizes = HashSet::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (verdict, statement) = (fields[0], fields[3]);
        let module: Vec<&str> = fields[1].split(' ').collect();
        let frame =
            sample::FRAME.replace("//BODY", statement).replace(".version 9.2", &format!(".version {}", module[0]));
        let source =
            frame.replace("sm_90", module[1]).replace(".address_size 64", &format!(".address_size {}", module[2]));
        let (_, diags) = ptx::parse(&source);
        let at = source.find(statement).unwrap() as u32;
        let place = at..at + statement.len() as u32;
        let taken = !diags.iter().any(|d| d.is_fatal() && place.contains(&d.span.start));
        if (taken == verdict.starts_with("ok")) == verdict.ends_with("but") {
            writeln!(failures, "{line}\n{}", rendered(&diags, "", &source)).unwrap();
        }
        sizes.insert((module[2].to_string(), verdict.to_string()));
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(["ok", "no"].iter().all(|verdict| sizes.contains(&("32".to_string(), verdict.to_string()))));
}

/// `tests/record_verdicts.py --directives`.
#[test]
fn directives_need_what_ptxas_asks_for() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ptx/verdicts.directives.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut failures = String::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let (needs, body) = line.split_once('\t').unwrap();
        let (needs, ended) = needs.split_once(" before ").map_or((needs, None), |(needs, ended)| (needs, Some(ended)));
        if let Some(version) = ended {
            let (_, diags) = ptx::parse(&format!(".version {version}\n.target sm_10\n{body}\n"));
            assert!(diags.iter().any(Diag::is_fatal), "{line}");
        }
        let source = format!(".version 1.0\n.target sm_10\n{body}\n");
        let (_, diags) = ptx::parse(&source);
        if asked(diags.iter()) != needs || diags.iter().any(Diag::is_fatal) {
            writeln!(failures, "{line}\n{}", rendered(&diags, "", &source)).unwrap();
        }
        count += 1;
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 50);
}

/// ptxas takes each of these; the PTX ISA has the first of each pair only.
#[test]
fn what_the_isa_does_not_list_draws_a_warning() {
    let pairs = [
        ("wgmma.fence.sync.aligned;", "wgmma.fence.sync;"),
        ("prefetch.global.L2::evict_last [b64_8];", "prefetch.L2::evict_last [b64_8];"),
        ("setmaxnreg.inc.sync.aligned.u32 24;", "setmaxnreg.inc.sync.aligned.s32 24;"),
        ("mapa.u32 u32_1, u32_2, u32_2;", "mapa.s32 u32_1, u32_2, u32_2;"),
        (
            "ld.global.v4.b8 {b8_0, b8_1, b8_2, b8_3}, [b64_8];",
            "ld.global.v8.b8 {b8_0, b8_1, b8_2, b8_3, b8_4, b8_5, b8_6, b8_7}, [b64_8];",
        ),
        ("ld.global.u32 u32_1, [b64_8].unified;", "atom.add.u32 u32_1, [b64_8].unified, u32_2;"),
        (
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [b64_8], [b64_8], u32_2, [b64_8];",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [b64_8], [b64_8], u32_2, b64_8;",
        ),
        (
            "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f32_0, f32_1, f32_2, f32_3}, {b32_0, b32_1}, {b32_0}, {f32_0, f32_1, f32_2, f32_3};",
            "mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32 {f32_0, f32_1, f32_2, f32_3}, {b32_0, 1}, {b32_0}, {f32_0, f32_1, f32_2, f32_3};",
        ),
        ("red.add.v2.f32 [b64_8], {b32_0, b32_1};", "red.add.v2.f32 [b64_8], {u32_0, u32_1};"),
        (
            "tex.1d.v4.s32.s32 {s32_0, s32_1, s32_2, s32_3}, [texture_, {s32_0, s32_1, s32_2, s32_3}];",
            "tex.1d.v4.s32.s32 {s32_0, s32_1, s32_2, s32_3}, [texture_, b64_9, {s32_0, s32_1}];",
        ),
        (
            "suld.b.2d.b32.trap b32_1, [surface_, {s32_0, s32_1}];",
            "suld.b.2d.b32.trap b32_1, [surface_, {s32_0, s32_1, s32_2, s32_3}];",
        ),
    ];
    for (listed, unlisted) in pairs {
        for (statement, count) in [(listed, 0), (unlisted, 1)] {
            let (source, diags) = read(statement, "9.2", "sm_90a");
            let warned = diags.iter().filter(|d| d.code == codes::UNKNOWN_FORM && !d.is_fatal()).count();
            let fatal = diags.iter().any(Diag::is_fatal);
            assert!(warned == count && !fatal, "{statement}\n{}", rendered(&diags, "", &source));
        }
    }
}

/// What only early modules may write, and what only 32-bit addresses allow: `tests/record_verdicts.py --old`.
#[test]
fn forms_of_early_modules_agree_with_ptxas() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/ptx/verdicts.old.txt");
    let text = std::fs::read_to_string(path).unwrap();
    let mut failures = String::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (verdict, statement) = (fields[0], fields[2]);
        let module: Vec<&str> = fields[1].split(' ').collect();
        let frame =
            sample::FRAME.replace("//BODY", statement).replace(".version 9.2", &format!(".version {}", module[0]));
        let source =
            frame.replace("sm_90", module[1]).replace(".address_size 64", &format!(".address_size {}", module[2]));
        let (_, diags) = ptx::parse(&source);
        let at = source.find(statement).unwrap() as u32;
        let on_line = |d: &&Diag| (at..at + statement.len() as u32).contains(&d.span.start) && d.is_fatal();
        if diags.iter().any(|d| on_line(&d)) != (verdict == "no") {
            writeln!(failures, "{line}\n{}", rendered(&diags, "", &source)).unwrap();
        }
        count += 1;
    }
    assert!(failures.is_empty(), "{failures}");
    assert!(count > 40);
}

#[test]
fn random_modules_print_to_the_same_tree_and_damaged_ones_do_not_panic() {
    for seed in 0..400u64 {
        let mut bytes = seed.to_le_bytes().to_vec();
        bytes.extend(sample::random_bytes(seed, 3 * (seed as usize % 12)));
        warp2wave::fuzz::forms(&bytes);
    }
}
