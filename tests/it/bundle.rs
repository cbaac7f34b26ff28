//! Offload bundles: what clang-offload-bundler 22 writes is read, what is written is the same bytes as its own, and the command line
//! finds the right entry.

use crate::cli::{Folder, KERNEL, run, stderr, stdout};
use crate::judge;
use std::process::Command;
use warp2wave::amd::Target;
use warp2wave::{Options, container, translate, translate_bundle};

const TARGETS: [&str; 4] = ["gfx1100", "gfx942:sramecc+:xnack-", "gfx906", "gfx11-generic"];

fn objects() -> Vec<(String, Vec<u8>)> {
    let object = |id: &&str| {
        let options = Options::new(Target::parse(id).expect("a known target"));
        (id.to_string(), translate(KERNEL, &options).expect("translates").into_bytes())
    };
    TARGETS.iter().map(object).collect()
}

fn bundle() -> Vec<u8> {
    let each: Vec<Options> =
        TARGETS.iter().map(|id| Options::new(Target::parse(id).expect("a known target"))).collect();
    translate_bundle(KERNEL, &each).expect("translates")
}

/// `clang-offload-bundler-22` for these targets, with the host's entry in front; `None` where it is not installed.
fn bundler(ids: &[&str]) -> Option<Command> {
    let mut command = judge::tool("clang-offload-bundler-22")?;
    let ids: Vec<String> = ids.iter().map(|id| format!("hipv4-amdgcn-amd-amdhsa--{id}")).collect();
    command.arg("-type=o").arg(format!("-targets=host-x86_64-unknown-linux-gnu-,{}", ids.join(",")));
    Some(command)
}

#[test]
fn a_bundle_is_the_one_that_clang_makes() {
    let objects = objects();
    let ours = bundle();
    let Some(mut command) = bundler(&TARGETS) else { return };
    let files: Vec<judge::TempFile> = objects.iter().map(|(_, bytes)| judge::TempFile::new(".hsaco", bytes)).collect();
    let theirs = judge::TempFile::new(".bundle", b"");
    command.args(["-bundle-align=4096", "-input=/dev/null"]);
    for file in &files {
        command.arg(format!("-input={}", file.path().display()));
    }
    command.arg(format!("-output={}", theirs.path().display()));
    judge::output(command);
    assert!(std::fs::read(theirs.path()).expect("written") == ours, "the bytes differ");
}

#[test]
fn clang_takes_our_bundles_apart() {
    let objects = objects();
    for bytes in [bundle(), container::compress(&bundle()).expect("small")] {
        let file = judge::TempFile::new(".bundle", &bytes);
        let Some(mut command) = judge::tool("clang-offload-bundler-22") else { return };
        command.args(["-list", "-type=o"]).arg(format!("-input={}", file.path().display()));
        let mut ids: Vec<String> = judge::output(command).lines().map(str::to_string).collect();
        ids.sort();
        let mut expected: Vec<String> = TARGETS.iter().map(|id| format!("hipv4-amdgcn-amd-amdhsa--{id}")).collect();
        expected.push("host-x86_64-unknown-linux-gnu-".into());
        expected.sort();
        assert_eq!(ids, expected);
        for (id, object) in &objects {
            let Some(mut command) = bundler(&[id]) else { return };
            let (host, device) = (judge::TempFile::new(".o", b""), judge::TempFile::new(".o", b""));
            command.arg("-unbundle").arg(format!("-input={}", file.path().display()));
            for out in [&host, &device] {
                command.arg(format!("-output={}", out.path().display()));
            }
            judge::output(command);
            assert!(std::fs::read(device.path()).expect("written") == *object, "{id}");
        }
    }
}

/// Bundles recorded from clang's bundler (`fixtures/bundle/record.sh`), and one by zlib.
fn recorded(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/fixtures/bundle/{name}", env!("CARGO_MANIFEST_DIR"))).expect("the fixture")
}

const CONTENTS: [(&str, &str); 2] = [("gfx1100", "first object\n"), ("gfx942:sramecc+:xnack-", "the second object\n")];

fn contents(bytes: &[u8]) -> Vec<(String, String)> {
    let entries = container::read(bytes).expect("readable");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    entries.into_iter().filter_map(|e| Some((e.target()?.to_string(), text(e.bytes)))).collect()
}

#[test]
fn recorded_bundles_are_read() {
    let expected = CONTENTS.map(|(id, text)| (id.to_string(), text.to_string()));
    for name in ["v2.bundle", "v3.bundle", "zlib.bundle"] {
        assert_eq!(contents(&recorded(name)), expected, "{name}");
    }
    let plain = container::write(&CONTENTS.map(|(id, text)| (id.to_string(), text.as_bytes()))).expect("writable");
    assert_eq!(contents(&plain), expected);
    assert_eq!(contents(&container::compress(&plain).expect("small")), expected);
    // Several, as a linker leaves them in one section, the payload of one holding the magic of another.
    let inner =
        container::write(&[("gfx906".into(), b"CCOB __CLANG_OFFLOAD_BUNDLE__ CCOB".as_slice())]).expect("writable");
    let packed = container::compress(&inner).expect("small");
    let several = [&plain[..], &[0; 100], &packed, &recorded("v3.bundle"), &[0; 7], &inner].concat();
    let ids: Vec<String> = contents(&several).into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids, ["gfx1100", "gfx942:sramecc+:xnack-", "gfx906", "gfx1100", "gfx942:sramecc+:xnack-", "gfx906"]);
}

#[test]
fn damaged_bundles_are_refused() {
    let refused = |bytes: &[u8]| container::read(bytes).expect_err("damaged").0;
    let changed = |name: &str, at: usize, value: u8| {
        let mut bytes = recorded(name);
        bytes[at] = value;
        refused(&bytes)
    };
    let plain = container::write(&CONTENTS.map(|(id, text)| (id.to_string(), text.as_bytes()))).expect("writable");
    // The offset and the size of the second entry, whose row stands behind the magic, the count and the host's row.
    let grown = |at: usize| {
        let mut bytes = plain.clone();
        bytes[24 + 8 + 24 + 30 + at + 3] = 1;
        refused(&bytes)
    };
    insta::assert_snapshot!(
        [
            changed("v2.bundle", 4, 9),
            changed("v2.bundle", 6, 7),
            changed("v2.bundle", 12, 1),
            changed("v2.bundle", 16, 0),
            changed("v3.bundle", 23, 1),
            changed("zlib.bundle", 8, 0),
            refused(&recorded("v3.bundle")[..20]),
            refused(&recorded("v3.bundle")[..100]),
            refused(&plain[..30]),
            refused(&plain[..60]),
            refused(&plain[..plain.len() - 1]),
            grown(0),
            grown(8),
            refused(&[&plain[..], b"more"].concat()),
            refused(b"\x7fELF"),
        ]
        .join("\n")
    );
}

#[test]
fn the_command_line_writes_and_reads_bundles() {
    let folder = Folder::new("bundle");
    let ptx = folder.file("k.ptx", KERNEL.as_bytes());
    let ids = TARGETS.join(",");
    for compress in [false, true] {
        let bundle = folder.path(if compress { "c.hsacobundle" } else { "p.hsacobundle" });
        let mut args = vec!["translate-file", &ptx, "--target", &ids, "--emit", "bundle", "-o", &bundle];
        args.extend(compress.then_some("--compress"));
        let out = run(&args);
        assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
        // The entry of the processor, of its family, and of the features.
        for (target, entry) in [
            ("gfx1100", "gfx1100"),
            ("gfx1151", "gfx11-generic"),
            ("gfx942", "gfx942:sramecc+:xnack-"),
            ("gfx942:xnack-", "gfx942:sramecc+:xnack-"),
            ("gfx906:xnack+", "gfx906"),
        ] {
            let out = run(&["disasm", &bundle, "--target", target]);
            assert!(stdout(&out).starts_with(&format!("; {entry}, code object")), "{target}: {}", stdout(&out));
            let out = run(&["run", &bundle, "--target", target, "--arg", "u32[1]", "--arg", "u32:77", "--dump", "p"]);
            assert_eq!(stdout(&out), "p:\n     0: 77\n", "{target}: {}", stderr(&out));
        }
        let out = run(&["disasm", &bundle]);
        assert_eq!(stdout(&out).matches("; gfx").count(), TARGETS.len());
        for (args, expected) in [
            (
                &["--target", "gfx1200"][..],
                "nothing for gfx1200; it has: gfx1100, gfx942:sramecc+:xnack-, gfx906, gfx11",
            ),
            (&["--target", "gfx942:xnack+"], "nothing for gfx942:xnack+"),
            (&[], "which code object of the bundle? --target takes one of: gfx1100, gfx942"),
        ] {
            let out = run(&[&["run", &bundle, "--arg", "u32[1]", "--arg", "u32:77"], args].concat());
            assert_eq!(out.status.code(), Some(1));
            assert!(stderr(&out).contains(expected), "`{expected}` is not in {}", stderr(&out));
        }
    }
    let out = run(&["translate-file", &ptx, "--target", "gfx90a,gfx90a:xnack-", "--emit", "bundle", "-o", "/dev/null"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(stderr(&out).contains("cannot stand in one bundle"), "{}", stderr(&out));
    let out = run(&["translate-file", &ptx, "--target", "gfx90a", "--compress", "-o", "/dev/null"]);
    assert!(stderr(&out).contains("--emit bundle"), "{}", stderr(&out));
}
