//! Every object the corpus makes, read by LLVM: no unknown instruction, and its text assembles to the same bytes.

use crate::corpus::case::entries;
use crate::corpus::harness::{Runs, is_selected, targets};
use crate::judge;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;
use warp2wave::amd::Target;
use warp2wave::pipeline::examine;
use warp2wave::{Options, translate};

/// Every corpus file with its text, by name.
fn fixture_files() -> Vec<(String, String)> {
    let folder = format!("{}/fixtures/ptx/corpus", env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .expect("the corpus")
        .map(|entry| entry.expect("a folder entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "ptx"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("readable"))
        })
        .collect();
    files.sort();
    files
}

fn kernels_of(source: &str) -> Vec<String> {
    entries(source).into_iter().map(|(name, _)| name.to_string()).collect()
}

/// Instruction words by text, as llvm-objdump prints one line: `s_nop 0   // 000000001A00: BF800000`.
type Listing = BTreeMap<String, Vec<u8>>;

fn add_listing(object: &[u8], target: &str, into: &mut Listing) -> Result<(), String> {
    let Some(mut objdump) = judge::tool("llvm-objdump-22") else { return Ok(()) };
    let file = judge::TempFile::new(".hsaco", object);
    objdump.arg("-d").arg(format!("--mcpu={target}")).arg(file.path());
    for line in judge::output(objdump).lines() {
        let Some((text, comment)) = line.split_once("//") else { continue };
        let Some((_, words)) = comment.split_once(':') else { continue };
        // A branch's target stands behind its words.
        let words = words.split('<').next().unwrap_or(words);
        let text = text.trim();
        if text.starts_with(".long") || text.contains("<unknown>") {
            return Err(format!("{target}: {line}"));
        }
        let mut bytes = vec![];
        for word in words.split_whitespace() {
            let word = u32::from_str_radix(word, 16).map_err(|e| format!("{line}: {e}"))?;
            bytes.extend(word.to_le_bytes());
        }
        add_line(into, text.to_string(), bytes).map_err(|e| format!("{target}: {e}"))?;
    }
    Ok(())
}

fn add_line(into: &mut Listing, text: String, bytes: Vec<u8>) -> Result<(), String> {
    match into.entry(text) {
        Entry::Occupied(before) if *before.get() != bytes => {
            Err(format!("`{}` has two encodings: {:02x?} and {bytes:02x?}", before.key(), before.get()))
        }
        Entry::Occupied(_) => Ok(()),
        Entry::Vacant(place) => {
            place.insert(bytes);
            Ok(())
        }
    }
}

/// The bytes llvm-mc gives each text, by `-show-encoding`.
fn assemble(listing: &Listing, target: &str) -> Vec<String> {
    let Some(mut mc) = judge::tool("llvm-mc-22") else { return vec![] };
    let mut source = String::new();
    for text in listing.keys() {
        let _ = writeln!(source, "{text}");
    }
    let file = judge::TempFile::new(".s", source.as_bytes());
    mc.args(["-triple=amdgcn-amd-amdhsa", "-show-encoding"]).arg(format!("-mcpu={target}")).arg(file.path());
    let out = judge::output(mc);
    let encodings: Vec<Vec<u8>> = out
        .lines()
        .filter_map(|l| l.split_once("encoding: [")?.1.split_once(']'))
        .map(|(bytes, _)| {
            bytes.split(',').map(|b| u8::from_str_radix(b.trim().trim_start_matches("0x"), 16).unwrap_or(0)).collect()
        })
        .collect();
    let mut wrong = vec![];
    if encodings.len() != listing.len() {
        wrong.push(format!("{target}: {} lines assembled of {}", encodings.len(), listing.len()));
    }
    for ((text, ours), theirs) in listing.iter().zip(&encodings) {
        if ours != theirs {
            wrong.push(format!("{target}: `{text}` is {ours:02x?} here and {theirs:02x?} from llvm-mc"));
        }
    }
    wrong
}

/// The objects of a file, with all its kernels that translate, and what is wrong, by target.
fn objects_of(file: &str, source: &str, runs: &[&Runs]) -> Vec<Option<Result<Listing, String>>> {
    let options: Vec<Options> =
        runs.iter().map(|run| Options::new(Target::parse(&run.target).expect("a known target"))).collect();
    let examined = examine(source, &options);
    let object = |(n, (run, options)): (usize, (&&Runs, &Options))| {
        let kernels: Vec<String> =
            examined.kernels.iter().filter(|k| examined.translates(k, n)).map(|k| k.name.clone()).collect();
        if kernels.is_empty() {
            return None;
        }
        let object = match translate(source, &Options { kernels: Some(kernels), ..options.clone() }) {
            Ok(object) => object,
            Err(diags) => return Some(Err(format!("each kernel translates, all together do not: {diags:?}"))),
        };
        let mut listing = Listing::new();
        Some(add_listing(object.bytes(), &run.target, &mut listing).map(|()| listing))
    };
    let named = |found: Option<Result<Listing, String>>| found.map(|r| r.map_err(|e| format!("{file}: {e}")));
    runs.iter().zip(&options).enumerate().map(object).map(named).collect()
}

/// Whether the `nth` file is looked at for a target: each of the few for both or for a third of the targets, of the others each for one of two,
/// where nothing else is asked for.
fn is_looked_at(nth: usize, file: &str, target: usize, run: &Runs) -> bool {
    let asked_for = std::env::var_os("W2W_TARGETS").is_some();
    let in_turn = if run.all_files { is_selected(file) || nth % 2 == target % 2 } else { nth % 3 == target % 3 };
    asked_for || in_turn
}

#[test]
fn objects_disassemble_and_assemble_again() {
    let mut wrong = vec![];
    let files = fixture_files();
    let (all, selected): (Vec<Runs>, Vec<Runs>) = targets().into_iter().partition(|run| run.all_files);
    for runs in [all, selected].iter().filter(|runs| !runs.is_empty()) {
        let all_files = runs[0].all_files;
        let files: Vec<_> = files.iter().filter(|(file, _)| all_files || is_selected(file)).collect();
        let mut listings: Vec<(Listing, u32)> = runs.iter().map(|_| (Listing::new(), 0)).collect();
        let of_file = |(nth, (file, source)): (usize, &&(String, String))| {
            let wanted: Vec<usize> = (0..runs.len()).filter(|&n| is_looked_at(nth, file, n, &runs[n])).collect();
            let runs: Vec<&Runs> = wanted.iter().map(|&n| &runs[n]).collect();
            wanted.into_iter().zip(objects_of(file, source, &runs)).collect::<Vec<_>>()
        };
        let found: Vec<_> = files.par_iter().enumerate().map(of_file).collect();
        for of_file in found {
            for (n, found) in of_file {
                let (listing, objects) = &mut listings[n];
                match found {
                    None => {}
                    Some(Ok(more)) => {
                        *objects += 1;
                        more.into_iter().for_each(|(text, bytes)| wrong.extend(add_line(listing, text, bytes).err()));
                    }
                    Some(Err(what)) => wrong.push(what),
                }
            }
        }
        for (Runs { target, .. }, (listing, objects)) in runs.iter().zip(&listings) {
            let expected = if all_files { 80 } else { 12 };
            assert!(*objects > expected, "{target}: only {objects} files translate");
            wrong.extend(assemble(listing, target));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong[..wrong.len().min(40)].join("\n"));
}

/// Metadata of every target's object of a small kernel, as llvm-readelf reads it.
#[test]
fn notes_are_readable() {
    let source = &fixture_files().into_iter().find(|(f, _)| f == "12_sha256.nvcc.sm_75.ptx").expect("the fixture").1;
    for Runs { target, .. } in &targets() {
        let Some(mut readelf) = judge::tool("llvm-readelf-22") else { return };
        let object =
            translate(source, &Options::new(Target::parse(target).expect("a known target"))).expect("translates");
        let file = judge::TempFile::new(".hsaco", object.bytes());
        readelf.arg("--notes").arg(file.path());
        let text = judge::output(readelf);
        for kernel in kernels_of(source) {
            assert!(text.contains(&format!(".symbol:         {kernel}.kd")), "{target}: {kernel} is not in\n{text}");
        }
        assert!(text.contains(&format!("amdhsa.target:   amdgcn-amd-amdhsa--{target}")), "{target}:\n{text}");
    }
}
