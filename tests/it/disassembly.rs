//! Every object the corpus makes, read by LLVM: no unknown instruction, and its text assembles to the same bytes.

use crate::corpus::case::entries;
use crate::corpus::harness::{Runs, is_selected, targets};
use crate::judge;
use std::collections::BTreeMap;
use std::fmt::Write;
use warp2wave::amd::Target;
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
        if let Some(before) = into.insert(text.to_string(), bytes.clone())
            && before != bytes
        {
            return Err(format!("{target}: `{text}` has two encodings: {before:02x?} and {bytes:02x?}"));
        }
    }
    Ok(())
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

#[test]
fn objects_disassemble_and_assemble_again() {
    let mut wrong = vec![];
    let files = fixture_files();
    for Runs { target, all_files } in &targets() {
        let mut listing = Listing::new();
        let mut objects = 0;
        for (file, source) in files.iter().filter(|(file, _)| *all_files || is_selected(file)) {
            let options = Options::new(Target::parse(target).expect("a known target"));
            let translatable: Vec<String> = kernels_of(source)
                .into_iter()
                .filter(|k| translate(source, &Options { kernels: Some(vec![k.clone()]), ..options.clone() }).is_ok())
                .collect();
            if translatable.is_empty() {
                continue;
            }
            match translate(source, &Options { kernels: Some(translatable), ..options }) {
                Ok(object) => {
                    objects += 1;
                    wrong.extend(
                        add_listing(object.bytes(), target, &mut listing).err().map(|e| format!("{file}: {e}")),
                    );
                }
                Err(diags) => wrong.push(format!("{file}: each kernel translates, all together do not: {diags:?}")),
            }
        }
        let expected = if *all_files { 80 } else { 25 };
        assert!(objects > expected, "{target}: only {objects} files translate");
        wrong.extend(assemble(&listing, target));
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
