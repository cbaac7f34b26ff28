//! Every row of the op tables against llvm-mc: `fixtures/mc/<processor>/<format>.txt` holds lines `bytes text` that llvm-mc
//! assembled. Decoding the bytes, printing gives the text; encoding gives the bytes. Each row that a processor has must be
//! there.
//!
//! `fixtures/mc/digests.txt` has a digest of many more cases for each row and processor.
//!
//! `W2W_RECORD=1 cargo test --test it mc::write_fixtures` writes the files anew (it needs llvm-mc-22). Where llvm-mc-22 is
//! installed the recorded texts are assembled again and compared; with `W2W_REQUIRE_JUDGES=1` it must be.

mod generate;
pub mod judge;
mod vopd;

use generate::Case;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use warp2wave::amd::{Column, Op, Target, asm, decode, decode_any, encode, ops};

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
        for (line, result) in lines.iter().zip(assemble(&target(name), &texts)) {
            assert_eq!(result.as_ref(), Ok(&line.dwords), "{name}: {}", line.text);
        }
    }
}

/// Whether llvm-mc must be told of 16-bit registers to read a text.
fn needs_true16(target: &Target, text: &str) -> bool {
    target.column() == Column::Gfx12 && [".l", ".h", "op_sel:"].iter().any(|half| text.contains(half))
}
const TRUE16: &str = "-mattr=+real-true16";
const PLAIN: &str = "-mattr=";

/// The dwords of each text, or llvm-mc's complaint.
pub fn assemble(target: &Target, texts: &[&str]) -> Vec<Result<Vec<u32>, String>> {
    let mut results = vec![Err(String::new()); texts.len()];
    for (attributes, true16) in [(PLAIN, false), (TRUE16, true)] {
        let chosen: Vec<usize> = (0..texts.len()).filter(|&i| needs_true16(target, texts[i]) == true16).collect();
        if chosen.is_empty() {
            continue;
        }
        let lines: Vec<&str> = chosen.iter().map(|&i| texts[i]).collect();
        for (i, result) in chosen.iter().zip(judge::assemble(target.name(), attributes, &lines)) {
            results[*i] = result;
        }
    }
    results
}

/// Whether llvm-mc makes the cases' dwords of their texts, all in one go.
fn llvm_agrees(target: &Target, cases: &[Case]) -> bool {
    [(PLAIN, false), (TRUE16, true)].iter().all(|&(attributes, true16)| {
        let mut text = String::new();
        let mut bytes: Vec<u8> = Vec::new();
        for case in cases.iter().filter(|case| needs_true16(target, &case.text) == true16) {
            text.push_str(&case.text);
            text.push('\n');
            bytes.extend(case.dwords.iter().flat_map(|dword| dword.to_le_bytes()));
        }
        text.is_empty() || judge::assemble_all(target.name(), attributes, &text) == Some(bytes)
    })
}

/// What llvm-mc says otherwise, line by line.
fn disagreements(target: &Target, cases: &[Case]) -> Vec<String> {
    let texts: Vec<&str> = cases.iter().map(|case| case.text.as_str()).collect();
    let results = assemble(target, &texts);
    let differs = cases.iter().zip(results).filter(|(case, result)| result.as_ref() != Ok(&case.dwords));
    differs
        .map(|(case, result)| {
            let theirs = result.map_or_else(|error| error, |dwords| to_hex(&dwords));
            format!("{target} {:?}: {}: ours {}, llvm-mc {theirs}", case.encoding, case.text, to_hex(&case.dwords))
        })
        .collect()
}

/// Processors whose rows, operands and limits are the same, so that one set of cases does for all of them.
fn families() -> Vec<Vec<Target>> {
    let mut families: Vec<Vec<Target>> = Vec::new();
    for target in Target::all() {
        let shape = |t: &Target| (t.processor().features, t.column(), t.processor().sgprs);
        match families.iter_mut().find(|family| shape(&family[0]) == shape(&target)) {
            Some(family) => family.push(target),
            None => families.push(vec![target]),
        }
    }
    families
}

/// FNV-1a.
struct Digest(u64);

impl Digest {
    fn add(&mut self, text: &str) {
        for byte in text.bytes().chain([b'\n']) {
            self.0 = (self.0 ^ byte as u64).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// For each row of a target: how many cases, and a digest of their texts and dwords.
type Digests = BTreeMap<&'static str, (usize, u64)>;

fn digests(cases: &[Case]) -> Digests {
    let mut rows: BTreeMap<&str, (usize, Digest)> = BTreeMap::new();
    for case in cases {
        let (count, digest) = rows.entry(case.op.name).or_insert((0, Digest(0xcbf2_9ce4_8422_2325)));
        *count += 1;
        digest.add(&case.text);
        digest.add(&to_hex(&case.dwords));
    }
    rows.into_iter().map(|(row, (count, digest))| (row, (count, digest.0))).collect()
}

/// A line `row count digest processors` for each row and each set of processors that have the same cases of it.
fn digest_lines(families: &[(Vec<Target>, Digests)]) -> String {
    let mut lines: BTreeMap<(&str, usize, u64), Vec<&str>> = BTreeMap::new();
    for (family, rows) in families {
        for (row, &(count, digest)) in rows {
            lines.entry((row, count, digest)).or_default().extend(family.iter().map(|target| target.name()));
        }
    }
    let lines = lines.into_iter().map(|((row, count, digest), mut targets)| {
        targets.sort();
        format!("{row} {count} {digest:016x} {}\n", targets.join(" "))
    });
    lines.collect()
}

fn digest_file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/mc/digests.txt")
}

/// Every row of every processor with random operands, 20 times and more where it has so many: registers at the ends of
/// their ranges, tuples, constants, literals, modifiers, cache bits, offsets at their limits, every encoding. What llvm-mc
/// made of them is recorded as one digest for each row and processor; decoding gives the same instruction back; and the
/// llvm-mc that is here must still agree.
#[test]
fn every_row_of_every_processor_with_random_operands() {
    let judged = judge::present();
    let families = families();
    let results = families.par_iter().map(|family| {
        let cases = generate::cases(&family[0]);
        let mut wrong: Vec<String> = Vec::new();
        for case in &cases {
            let decoded = decode(&case.dwords, &family[0]);
            if decoded.as_ref() != Ok(&(case.inst.clone(), case.dwords.len())) {
                wrong.push(format!("{} {}: {decoded:?}\n    {:?}", family[0], case.text, case.inst));
            }
        }
        for target in family.iter().filter(|_| judged) {
            if !llvm_agrees(target, &cases) {
                wrong.extend(disagreements(target, &cases));
            }
        }
        (digests(&cases), wrong)
    });
    let results: Vec<_> = results.collect();
    let wrong: Vec<String> = results.iter().flat_map(|(_, wrong)| wrong.iter().cloned()).collect();
    assert!(wrong.is_empty(), "{} faults:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
    let found: Vec<_> = families.into_iter().zip(results.into_iter().map(|(rows, _)| rows)).collect();
    let recorded = std::fs::read_to_string(digest_file()).expect("fixtures/mc/digests.txt");
    let (header, recorded) = recorded.split_once('\n').expect("a header");
    assert!(header.starts_with('#'));
    let found = digest_lines(&found);
    let changed: Vec<&str> = found.lines().filter(|line| !recorded.contains(line)).collect();
    assert!(
        found == recorded,
        "{} lines differ from the record:\n{}",
        changed.len(),
        changed[..changed.len().min(40)].join("\n")
    );
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
    let families = families();
    let results = families.par_iter().map(|family| {
        let cases = generate::cases(&family[0]);
        let agrees = |target| llvm_agrees(target, &cases);
        let faults: Vec<String> =
            family.iter().filter(|t| !agrees(*t)).flat_map(|target| disagreements(target, &cases)).collect();
        for target in family.iter().filter(|target| TARGETS.contains(&target.name())) {
            let mut files: BTreeMap<String, String> = BTreeMap::new();
            let mut last = None;
            for case in &cases {
                // The first of each row and encoding is written out.
                if last == Some((case.op, case.encoding)) {
                    continue;
                }
                last = Some((case.op, case.encoding));
                let file = files.entry(file_name(case.op, target)).or_insert_with(|| judge::header(target.name()));
                file.push_str(&format!("{} {}\n", to_hex(&case.dwords), case.text));
            }
            let _ = std::fs::remove_dir_all(folder(target.name()));
            std::fs::create_dir_all(folder(target.name())).expect("a writable folder");
            for (file, text) in files {
                std::fs::write(folder(target.name()).join(file), text).expect("a writable file");
            }
        }
        (digests(&cases), faults)
    });
    let results: Vec<_> = results.collect();
    let faults: Vec<String> = results.iter().flat_map(|(_, faults)| faults.iter().cloned()).collect();
    std::fs::write(std::env::temp_dir().join("w2w_mc_faults.txt"), faults.join("\n")).expect("a writable folder");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults[..faults.len().min(200)].join("\n"));
    let found: Vec<_> = families.into_iter().zip(results.into_iter().map(|(rows, _)| rows)).collect();
    let header =
        judge::header("PROCESSOR").replace("dwords, text", "row, cases, digest of texts and dwords, processors");
    std::fs::write(digest_file(), header + &digest_lines(&found)).expect("a writable file");
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
        "s_waitcnt" => target.starts_with("gfx12") && !target.starts_with("gfx125"),
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
        let results = assemble(&target, &texts.iter().map(|(_, text)| *text).collect::<Vec<_>>());
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
