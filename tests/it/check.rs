//! `check`: its verdicts, its reports in three formats, its rules.

use super::cli::{Folder, KERNEL, run, stderr, stdout};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use warp2wave::diag::rules::{self, Rule};

fn json_lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

/// Three kernels: one that translates everywhere, one that is too large for most processors, one with a wrong instruction.
fn mixed() -> String {
    let more = ".visible .entry large()\n{\n    .shared .align 4 .b8 tile[81920];\n    st.shared.u32 [tile], 1;\n    ret;\n}\n\
        .func f(.reg .f32 %x)\n{\n    .reg .f32 %y;\n    tex.1d.v4.f32.f32 {%y, %y, %y, %y}, [handle, {%x}];\n    ret;\n}\n\
        .visible .entry textured()\n{\n    call f, (0f00000000);\n    ret;\n}\n\
        .visible .entry also_textured()\n{\n    call f, (0f00000000);\n    mov.u32 %r, %smid;\n    ret;\n}\n";
    let handle = ".global .texref handle;\n.visible .entry k";
    format!("{KERNEL}{more}")
        .replacen(".visible .entry k", handle, 1)
        .replace("    mov.u32 %r, %smid;", "    .reg .b32 %r;\n    mov.u32 %r, %smid;")
}

#[test]
fn every_kernel_and_target_has_a_verdict() {
    let folder = Folder::new("check");
    let path = folder.file("mixed.ptx", mixed().as_bytes());
    let out = run(&["check", &path, "--target", "gfx1100,gfx950,gfx942"]);
    assert_eq!(out.status.code(), Some(1), "{}", stderr(&out));
    insta::assert_snapshot!("check_mixed", stdout(&out).replace(&path, "mixed.ptx"));

    let out = run(&["check", &path, "--target", "gfx1100,gfx950,gfx942", "--message-format", "json"]);
    let pretty: Vec<String> =
        json_lines(&stdout(&out)).iter().map(|line| serde_json::to_string_pretty(line).expect("JSON")).collect();
    insta::assert_snapshot!("check_mixed_json", pretty.join("\n").replace(&path, "mixed.ptx"));

    // Only what is asked for counts.
    assert_eq!(run(&["check", &path, "--target", "gfx950", "--kernel", "k,large"]).status.code(), Some(0));
    assert_eq!(run(&["check", &path, "--target", "gfx942", "--kernel", "k,large"]).status.code(), Some(1));
    assert_eq!(run(&["check", &path, "--ptx-only"]).status.code(), Some(0));
}

#[test]
fn folders_are_searched_and_summed_up() {
    let folder = Folder::new("walk");
    std::fs::create_dir_all(folder.path("deep/er")).expect("writable");
    folder.file("b.ptx", KERNEL.as_bytes());
    folder.file("deep/er/c.PTX", mixed().as_bytes());
    folder.file("deep/a.ptx", b".version 8.0\n.target sm_80\n.entry k() { ret }\n.entry l() { ret; }\n");
    folder.file("deep/notes.txt", b"no PTX");
    folder.file("z.ptx", b"\x7fELF\x02\x01\x01\x00");
    let place = folder.path("");
    let out = run(&["check", &place, "--target", "gfx1100,gfx950", "--summary"]);
    assert_eq!(out.status.code(), Some(1));
    insta::assert_snapshot!("check_summary", stdout(&out));
    assert!(stderr(&out).contains("z.ptx is an ELF file"), "{}", stderr(&out));

    // The same files in the same order, whatever the number of threads.
    let lines = |threads: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warp2wave"));
        command.env("RAYON_NUM_THREADS", threads).args(["check", &place, "--message-format", "json"]);
        String::from_utf8_lossy(&command.output().expect("the program starts").stdout).into_owned()
    };
    let one = lines("1");
    assert_eq!(one, lines("4"));
    let files: Vec<Value> = json_lines(&one).into_iter().filter(|line| line["type"] == "file").collect();
    let names: Vec<&str> = files.iter().filter_map(|file| file["path"].as_str()?.rsplit('/').next()).collect();
    assert_eq!(names, ["b.ptx", "a.ptx", "c.PTX"]);
    // By default, one processor of each family.
    assert_eq!(files[0]["translates"].as_object().expect("an object").len(), 11);

    let out = run(&["check", &folder.path("deep/er/nothing")]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(run(&["check", "src"]).status.code(), Some(1));
    assert_eq!(run(&["check"]).status.code(), Some(2));
    assert_eq!(run(&["check", &place, "--target", "gfx1"]).status.code(), Some(2));
}

#[test]
fn standard_input_is_checked() {
    use std::io::Write;
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_warp2wave"))
        .args(["check", "-", "--target", "gfx1100"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("a pipe").write_all(KERNEL.as_bytes()).expect("it reads");
    let out = child.wait_with_output().expect("it ends");
    assert_eq!((out.status.code(), stdout(&out).as_str()), (Some(0), "<stdin>: translatable\n  k: translatable\n\n"));
}

/// The schema of the OASIS judges the log; lines and columns are checked by hand.
#[test]
fn a_sarif_log_is_valid() {
    let folder = Folder::new("sarif");
    // A letter of one, one of two UTF-16 code units before the place.
    let text = KERNEL.replace(
        "    st.global.u32",
        "/* \u{e9}\u{10348} */ prtm.b32 %r1, %r1, %r1, 0;\n    mov.u32 %r2, %r9;\n    st.global.u32",
    );
    let wrong = folder.file("wrong one.ptx", text.as_bytes());
    let mixed = folder.file("mixed.ptx", mixed().as_bytes());
    let elf = folder.file("elf.ptx", b"\x7fELF");
    let out = run(&["check", &wrong, &mixed, &elf, "--target", "gfx1100,gfx942", "--message-format", "sarif"]);
    assert_eq!((out.status.code(), stderr(&out)), (Some(1), String::new()));
    let log: Value = serde_json::from_str(&stdout(&out)).expect("JSON");

    let schema = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/sarif/sarif-schema-2.1.0.json");
    let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
    let index = compiler.compile(schema.to_str().expect("a name"), &mut schemas).expect("the schema");
    if let Err(err) = schemas.validate(&log, index) {
        panic!("{err}\n{log:#}");
    }

    let run_ = &log["runs"][0];
    assert_eq!(run_["columnKind"], "utf16CodeUnits");
    assert_eq!(run_["invocations"][0]["executionSuccessful"], false);
    let results = run_["results"].as_array().expect("a list");
    let rules = run_["tool"]["driver"]["rules"].as_array().expect("a list");
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().expect("a number") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    let misspelt = results.iter().find(|result| result["ruleId"] == "W2W0002").expect("a result");
    let place = &misspelt["locations"][0]["physicalLocation"];
    assert!(place["artifactLocation"]["uri"].as_str().is_some_and(|uri| uri.ends_with("/wrong%20one.ptx")), "{place}");
    let region = serde_json::json!({"startLine": 10, "startColumn": 11, "endLine": 10, "endColumn": 15});
    assert_eq!(place["region"], region);
    let replacement = &misspelt["fixes"][0]["artifactChanges"][0]["replacements"][0];
    assert_eq!((&replacement["deletedRegion"], &replacement["insertedContent"]["text"]), (&region, &"prmt".into()));
    let unsupported =
        results.iter().find(|result| result["ruleId"] == "W2W0021" || result["ruleId"] == "W2W0020").expect("a result");
    assert_eq!(
        (&unsupported["level"], &unsupported["properties"]["severity"]),
        (&"error".into(), &"unsupported".into())
    );
    assert_eq!(run_["properties"]["summary"]["files"], 2);

    // Relative to the folder where the program runs.
    let out = run(&["check", "fixtures/ptx/err/modifiers.ptx", "--message-format", "sarif"]);
    let log: Value = serde_json::from_str(&stdout(&out)).expect("JSON");
    let uri = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"];
    assert_eq!(*uri, serde_json::json!({"uri": "fixtures/ptx/err/modifiers.ptx", "uriBaseId": "%SRCROOT%"}));

    // Other commands have the log on standard error.
    let out = run(&["translate-file", &wrong, "--target", "gfx1100", "--message-format", "sarif", "-o", "-"]);
    let log: Value = serde_json::from_str(&stderr(&out)).expect("JSON");
    assert!(schemas.validate(&log, index).is_ok());
}

/// A part of a page: what follows a heading, up to the next.
fn part<'p>(rule: &'p Rule, heading: &str) -> &'p str {
    let (_, rest) =
        rule.text.split_once(&format!("\n## {heading}\n")).unwrap_or_else(|| panic!("{} has no {heading}", rule.code));
    rest.split_once("\n## ").map_or(rest, |(part, _)| part)
}

/// The codes that the command of a part of a page prints for the program in it.
fn codes_of(part: &str) -> BTreeSet<String> {
    let folder = Folder::new("rules");
    let (_, rest) = part.split_once("`warp2wave ").expect("a command");
    let (command, rest) = rest.split_once('`').expect("the end of the command");
    let (_, rest) = rest.split_once("```ptx\n").expect("a program");
    let (program, _) = rest.split_once("```").expect("the end of the program");
    folder.file("example.ptx", program.as_bytes());
    let mut run = std::process::Command::new(env!("CARGO_BIN_EXE_warp2wave"));
    run.current_dir(folder.path("")).args(command.split(' ')).args(["--message-format", "json"]);
    let out = run.output().expect("the program starts");
    let lines = json_lines(&(stdout(&out) + &stderr(&out)));
    let codes: BTreeSet<String> = lines.iter().filter_map(|line| Some(line["code"].as_str()?.to_string())).collect();
    // A warning is no failure.
    let warning = lines.iter().any(|line| line["severity"] == "warning");
    assert_eq!(out.status.success(), codes.is_empty() || warning, "{command}: {}{}", stdout(&out), stderr(&out));
    codes
}

#[test]
fn examples_of_rules_break_them_and_are_repaired() {
    for rule in rules::ALL {
        // No program may show a wrong translation: it would be repaired.
        if rule.code == warp2wave::diag::codes::MISMATCH {
            assert!(!rule.text.contains("```ptx"));
            continue;
        }
        let code = rule.code.to_string();
        assert_eq!(codes_of(part(rule, "Breaks it")), BTreeSet::from([code.clone()]), "{code}");
        assert_eq!(codes_of(part(rule, "Repaired")), BTreeSet::new(), "{code}");
    }
}

#[test]
fn rules_are_explained() {
    let page = include_str!("../../docs/rules/W2W0007.md");
    for args in [&["check", "--explain", "W2W0007"][..], &["explain", "w2w0007"], &["check", "--explain", "W2W7"]] {
        assert_eq!(stdout(&run(args)), page, "{args:?}");
    }
    let out = run(&["check", "--explain", "W2W9999"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(stderr(&out).contains("W2W0001, W2W0002"), "{}", stderr(&out));
}

#[test]
fn completions_and_manual_pages_come_from_the_definitions() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let out = stdout(&run(&["completions", shell]));
        assert!(out.contains("translate-file") && out.contains("message-format"), "{shell}: {out}");
    }
    let page = stdout(&run(&["man"]));
    assert!(page.contains(".TH warp2wave 1") && page.contains("check") && page.contains("message\\-format"), "{page}");
    let folder = Folder::new("man");
    assert_eq!(run(&["man", "-o", &folder.path("")]).status.code(), Some(0));
    let page = std::fs::read_to_string(folder.path("warp2wave-check.1")).expect("a page");
    assert!(page.contains("ptx\\-only"), "{page}");
    assert!(Path::new(&folder.path("warp2wave-translate-file.1")).exists());
}
