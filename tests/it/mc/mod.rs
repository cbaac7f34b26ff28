//! Every row of the op tables against llvm-mc: `fixtures/mc/<processor>/<format>.txt` holds lines `bytes text` that llvm-mc
//! assembled. Decoding the bytes, printing gives the text; encoding gives the bytes. Each row that a processor has must be
//! there.
//!
//! `W2W_RECORD=1 cargo test --test it mc::write_fixtures` writes the files anew (it needs llvm-mc-22). Where llvm-mc-22 is
//! installed the recorded texts are assembled again and compared; with `W2W_REQUIRE_JUDGES=1` it must be.

mod generate;
mod judge;

use std::collections::BTreeMap;
use std::path::PathBuf;
use warp2wave::amd::{Op, Target, asm, decode, decode_any, encode, ops};

/// One family each, and both of those that the first issue is about.
const TARGETS: [&str; 10] =
    ["gfx906", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250"];

fn target(name: &str) -> Target {
    Target::parse(name).unwrap_or_else(|error| panic!("{error}"))
}

fn folder(target: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/mc").join(target)
}

/// The name of the file that a row's lines are in.
fn file_name(op: Op, target: &Target) -> String {
    let code = op.opcode(target).expect("the row exists on the target");
    format!("{:?}.txt", code.format).to_lowercase()
}

struct Line {
    dwords: Vec<u32>,
    text: String,
}

fn to_hex(dwords: &[u32]) -> String {
    dwords.iter().map(|d| format!("{d:08x}")).collect::<Vec<_>>().join(".")
}

fn read_records(target: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let entries = std::fs::read_dir(folder(target)).unwrap_or_else(|error| panic!("fixtures/mc/{target}: {error}"));
    let mut files: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a readable file");
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (hex, text) = line.split_once(' ').unwrap_or_else(|| panic!("{}: {line}", file.display()));
            let dwords = hex.split('.').map(|d| u32::from_str_radix(d, 16).expect("hex")).collect();
            lines.push(Line { dwords, text: text.to_string() });
        }
    }
    lines
}

#[test]
fn recorded_bytes_and_texts_agree_with_ours() {
    for name in TARGETS {
        let target = target(name);
        let mut wrong = Vec::new();
        let mut lines_of_row: BTreeMap<&str, usize> = BTreeMap::new();
        for Line { dwords, text } in read_records(name) {
            match decode(&dwords, &target) {
                Ok((inst, length)) => {
                    *lines_of_row.entry(inst.op.name).or_default() += 1;
                    let printed = asm::print(&inst, &target);
                    let encoded = encode(&inst, &target);
                    if length != dwords.len() || printed != text || encoded.as_deref() != Ok(&dwords[..]) {
                        wrong.push(format!("{} {text}\n    {printed}\n    {encoded:x?}", to_hex(&dwords)));
                    }
                }
                Err(error) => wrong.push(format!("{} {text}: {error}", to_hex(&dwords))),
            }
        }
        assert!(wrong.is_empty(), "{name}: {} lines differ:\n{}", wrong.len(), wrong[..wrong.len().min(20)].join("\n"));
        let missing: Vec<_> =
            ops::all().filter(|op| op.exists_on(&target) && !lines_of_row.contains_key(op.name)).collect();
        assert!(missing.is_empty(), "{name} has no record of {missing:?}");
    }
}

/// The same texts through the assembler that is here now.
#[test]
fn llvm_mc_still_agrees() {
    if !judge::present() {
        return;
    }
    for name in TARGETS {
        let lines = read_records(name);
        let texts: Vec<_> = lines.iter().map(|line| line.text.as_str()).collect();
        let again = judge::assemble(name, &texts);
        for (line, result) in lines.iter().zip(again) {
            assert_eq!(result.as_ref(), Ok(&line.dwords), "{name}: {}", line.text);
        }
    }
}

/// Processors without records: a case of each row they have.
#[test]
fn every_processor_has_what_we_say() {
    if !judge::present() {
        return;
    }
    for target in Target::all().filter(|target| !TARGETS.contains(&target.name())) {
        let cases = generate::cases(&target, 1);
        let texts: Vec<_> = cases.iter().map(|case| case.text.as_str()).collect();
        for (case, result) in cases.iter().zip(judge::assemble(target.name(), &texts)) {
            assert_eq!(result.as_ref(), Ok(&case.dwords), "{target}: {}", case.text);
        }
    }
}

/// Machine numbers, target-ID features left open, generic versions: all of `e_flags` in code object V6, llvm-mc's default.
#[test]
fn machine_numbers_are_llvms() {
    if !judge::present() {
        return;
    }
    for target in Target::all() {
        let row = target.processor();
        let settings = (target.xnack as u32) << 8 | (target.sramecc as u32) << 10;
        let ours = row.machine | settings | (row.generic_version as u32) << 24;
        assert_eq!(ours, judge::e_flags(target.name()), "{target}");
    }
}

/// Writes the fixtures. What we encode and llvm-mc refuses, or encodes otherwise, is a fault in a row or a layout.
#[test]
fn write_fixtures() {
    if std::env::var_os("W2W_RECORD").is_none() {
        return;
    }
    let mut faults = Vec::new();
    for name in TARGETS {
        let target = target(name);
        let cases = generate::cases(&target, usize::MAX);
        let texts: Vec<_> = cases.iter().map(|case| case.text.as_str()).collect();
        let results = judge::assemble(name, &texts);
        let mut files: BTreeMap<String, String> = BTreeMap::new();
        for (case, result) in cases.iter().zip(results) {
            match result {
                Ok(dwords) => {
                    if dwords != case.dwords {
                        faults.push(format!(
                            "{name}: {}: ours {}, llvm-mc {}",
                            case.text,
                            to_hex(&case.dwords),
                            to_hex(&dwords)
                        ));
                    }
                    let file = files.entry(file_name(case.op, &target)).or_insert_with(|| judge::header(name));
                    file.push_str(&format!("{} {}\n", to_hex(&dwords), case.text));
                }
                Err(error) => faults.push(format!("{name}: {}: {error}", case.text)),
            }
        }
        let _ = std::fs::remove_dir_all(folder(name));
        std::fs::create_dir_all(folder(name)).expect("a writable folder");
        for (file, text) in files {
            std::fs::write(folder(name).join(file), text).expect("a writable file");
        }
    }
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
}

/// Random words: decoding never panics, and what it accepts is said the same way again.
#[test]
fn random_words_decode_or_are_refused() {
    let mut random = generate::Random::new(0x5eed);
    let (mut accepted, mut shorter) = (0, 0);
    for target in Target::all() {
        for _ in 0..40_000 {
            let words: [u32; 5] = std::array::from_fn(|_| random.word());
            // Half of the words get few operand bits, or hardly one of them would decode.
            let words = if random.below(2) == 0 { words } else { words.map(|w| w & 0xff8f_81ff) };
            let Ok((inst, length, canonical)) = decode_any(&words, &target) else {
                assert!(decode(&words, &target).is_err());
                continue;
            };
            accepted += 1;
            let again = encode(&inst, &target).unwrap_or_else(|error| panic!("{target} {inst:?}: {error}"));
            assert_eq!(again[..] == words[..length], canonical, "{target} {inst:?}");
            assert_eq!(decode(&words, &target).is_ok(), canonical);
            // A literal that has an inline constant, or the like, is said more shortly; the meaning stays.
            assert_eq!(decode(&again, &target), Ok((inst.clone(), again.len())), "{target} {inst:?}");
            shorter += !canonical as usize;
            let _ = asm::print(&inst, &target);
        }
        assert!(decode(&[], &target).is_err());
    }
    assert!(accepted > 100_000 && shorter < accepted / 100, "{accepted} {shorter}");
}

/// A row that a processor lacks: no text of another processor's records with any of the row's names assembles there, so
/// no column was left out by mistake.
#[test]
fn absent_rows_are_absent() {
    if !judge::present() {
        return;
    }
    // llvm-mc takes these where the processor has no such instruction, or a spelling of another row.
    let known = |op: Op, target: &str| match op.name {
        // GFX12 replaced it; llvm-mc assembles it for gfx1200 all the same.
        "s_waitcnt" => target.starts_with("gfx12") && target != "gfx1250",
        // Spelled so for `v_dot4_i32_iu8` with both signs.
        "v_dot4_i32_i8" => target.starts_with("gfx11") || target.starts_with("gfx12"),
        _ => false,
    };
    let mut texts_of: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for name in TARGETS {
        let target = target(name);
        for Line { dwords, text } in read_records(name) {
            let (inst, _) = decode(&dwords, &target).expect("the other test says so");
            let mut names = vec![inst.op.name];
            names.extend(inst.op.aliases.iter().map(|alias| alias.1));
            let names =
                names.iter().map(|name| if inst.op.returns_old() { name.trim_end_matches("_rtn") } else { name });
            let (mnemonic, rest) = text.split_once(' ').unwrap_or((&text, ""));
            let suffix = mnemonic.strip_prefix(inst.op.mnemonic(&target)).expect("our own text");
            let texts = texts_of.entry(inst.op.name).or_default();
            for name in names {
                // Each family's spelling of the return bit.
                for bit in [" glc", " sc0", " th:TH_ATOMIC_RETURN"] {
                    let rest = if inst.op.returns_old() {
                        rest.replace(" glc", bit).replace(" sc0", bit).replace(" th:TH_ATOMIC_RETURN", bit)
                    } else {
                        rest.to_string()
                    };
                    // Wave sizes name VCC differently.
                    for rest in [rest.replace("vcc_lo", "vcc"), rest.replace("vcc,", "vcc_lo,"), rest] {
                        texts.push(format!("{name}{suffix} {rest}"));
                    }
                }
            }
        }
    }
    for texts in texts_of.values_mut() {
        texts.sort();
        texts.dedup();
    }
    let mut wrong = Vec::new();
    for target in Target::all() {
        let name = target.name();
        let absent: Vec<Op> = ops::all().filter(|op| !op.exists_on(&target) && !known(*op, name)).collect();
        let texts: Vec<(Op, &str)> = absent
            .iter()
            .flat_map(|op| texts_of.get(op.name).into_iter().flatten().map(|text| (*op, text.as_str())))
            .collect();
        let results = judge::assemble(name, &texts.iter().map(|(_, text)| *text).collect::<Vec<_>>());
        for ((op, text), result) in texts.iter().zip(results) {
            // Another row may own the name (`ds_cmpst` of one number under two names, old names of new rows).
            if let Ok(dwords) = result
                && decode(&dwords, &target).is_err()
            {
                wrong.push(format!("{name} has {op:?}: {text} {}", to_hex(&dwords)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
}
