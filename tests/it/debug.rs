//! `-g`: DWARF against LLVM's readers and LLVM's own line tables, and that it changes nothing that is loaded.

use crate::assembly::linked;
use crate::cli::{Folder, run, stderr, stdout};
use crate::judge;
use std::collections::BTreeMap;
use std::fmt::Write;
use warp2wave::amd::Target;
use warp2wave::pipeline::{Stage, text_of};
use warp2wave::{Debug, Options, object, translate};

fn fixture(name: &str) -> String {
    std::fs::read_to_string(format!("{}/fixtures/{name}", env!("CARGO_MANIFEST_DIR"))).expect("the fixture")
}

fn options(target: &str, debug: Debug, name: &str) -> Options {
    Options { debug, source_name: name.into(), ..Options::new(Target::parse(target).expect("a known target")) }
}

const FILES: [(&str, Debug); 5] = [
    ("ptx/corpus/12_sha256.nvcc.sm_75.ptx", Debug::Ptx),
    ("ptx/corpus/23_transpose.nvcc.sm_75.ptx", Debug::Ptx),
    ("ptx/corpus/12_sha256.nvcc.sm_75.G.ptx", Debug::Source),
    ("ptx/corpus/07_pixel_rgb.nvcc.sm_75.lineinfo.ptx", Debug::Source),
    ("ptx/corpus/triton_vec_add.triton.sm_80.ptx", Debug::Source),
];
const TARGETS: [&str; 4] = ["gfx942", "gfx1030", "gfx1100", "gfx1250"];

#[test]
fn what_is_loaded_is_the_same_without() {
    for (file, debug) in FILES {
        let source = fixture(file);
        for target in TARGETS {
            let plain = translate(&source, &options(target, Debug::None, file)).expect("translates");
            let with = translate(&source, &options(target, debug, file)).expect("translates");
            assert!(with.bytes().len() > plain.bytes().len());
            let (mut plain, mut with) =
                (object::read(plain.bytes()).expect("readable"), object::read(with.bytes()).expect("readable"));
            // The first segment begins with the ELF header, which says where the section headers are and how many.
            for object in [&mut plain, &mut with] {
                for at in (0x28..0x30).chain(0x3c..0x40) {
                    object.segments[0].bytes[at] = 0;
                }
            }
            assert!(plain == with, "{file} {target}");
        }
    }
}

#[test]
fn dwarf_is_valid() {
    for (file, debug) in FILES {
        for target in TARGETS {
            let object = translate(&fixture(file), &options(target, debug, file)).expect("translates");
            let Some(mut dwarfdump) = judge::tool("llvm-dwarfdump-22") else { return };
            let path = judge::TempFile::new(".hsaco", object.bytes());
            let said = judge::output({
                dwarfdump.arg("--verify").arg(path.path());
                dwarfdump
            });
            assert!(said.contains("No errors."), "{file} {target}: {said}");
        }
    }
}

/// Rows of the line table: address to file, line and column, and whether a prologue ends.
type Rows = BTreeMap<u64, (String, u32, u32, bool)>;

fn rows(object: &[u8]) -> Option<Rows> {
    let mut dwarfdump = judge::tool("llvm-dwarfdump-22")?;
    let path = judge::TempFile::new(".hsaco", object);
    dwarfdump.arg("--debug-line").arg(path.path());
    let text = judge::output(dwarfdump);
    let mut files: BTreeMap<u32, String> = BTreeMap::new();
    let mut rows = Rows::new();
    let mut index = 0;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if let Some(number) = line.strip_prefix("file_names[") {
            index = number.trim_end_matches("]:").trim().parse().expect("a number");
        } else if let Some(name) = line.trim().strip_prefix("name: ") {
            // The assembler makes folders of paths.
            let name = name.trim_matches('"');
            files.insert(index, name.rsplit('/').next().unwrap_or(name).to_string());
        } else if line.starts_with("0x") && !line.contains("end_sequence") {
            let number = |at: usize| words[at].parse::<u32>().expect("a number");
            let address = u64::from_str_radix(&words[0][2..], 16).expect("an address");
            let place = (files[&number(3)].clone(), number(1), number(2), line.contains("prologue_end"));
            rows.insert(address, place);
        }
    }
    Some(rows)
}

#[test]
fn line_tables_are_those_that_llvm_makes_of_our_assembly() {
    for (file, debug) in FILES {
        let source = fixture(file);
        for target in TARGETS {
            let options = options(target, debug, file);
            let ours = translate(&source, &options).expect("translates");
            let text = text_of(&source, &options, Stage::Assembly).expect("translates");
            let Some(theirs) = linked(&text, target) else { return };
            // Kernels may lie elsewhere: places are compared by kernel and offset.
            let by_kernel = |bytes: &[u8]| {
                let object = object::read(bytes).expect("readable");
                let rows = rows(bytes)?;
                let mut found = BTreeMap::new();
                for kernel in &object.kernels {
                    let start = kernel.entry_address;
                    for (address, place) in rows.range(start..start + kernel.code_bytes) {
                        found.insert((kernel.name.clone(), address - start), place.clone());
                    }
                }
                Some(found)
            };
            let (Some(ours), Some(theirs)) = (by_kernel(ours.bytes()), by_kernel(&theirs)) else { return };
            assert!(!ours.is_empty());
            let different: Vec<_> = ours.iter().filter(|(at, place)| theirs.get(at) != Some(place)).take(5).collect();
            assert!(different.is_empty() && ours.len() == theirs.len(), "{file} {target}: {different:?}");
        }
    }
}

/// Each instruction that `llvm-objdump -d -l` prints, with the file and line that it names last.
fn lines_of_instructions(object: &[u8], target: &str) -> Option<Vec<(String, String, usize)>> {
    let mut objdump = judge::tool("llvm-objdump-22")?;
    let path = judge::TempFile::new(".hsaco", object);
    objdump.args(["-d", "-l"]).arg(format!("--mcpu={target}")).arg(path.path());
    let mut place = (String::new(), 0);
    let mut found = vec![];
    for line in judge::output(objdump).lines() {
        if let Some((file, number)) = line.strip_prefix("; ").and_then(|l| l.rsplit_once(':'))
            && let Ok(number) = number.parse()
        {
            place = (file.trim_start_matches("./").to_string(), number);
        } else if line.starts_with('\t') && place.1 > 0 {
            let opcode = line.split_whitespace().next().unwrap_or_default();
            found.push((opcode.to_string(), place.0.clone(), place.1));
        }
    }
    Some(found)
}

/// Instructions that come of one kind of PTX instruction only: what the line must hold.
const ORIGINS: &[(&str, &str)] = &[
    ("global_store", "st.global"),
    ("global_load", "ld.global"),
    ("ds_write", "st.shared"),
    ("ds_store", "st.shared"),
    ("ds_read", "ld.shared"),
    ("ds_load", "ld.shared"),
    ("s_barrier", "bar"),
];

#[test]
fn instructions_have_the_lines_of_their_ptx() {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    let mut wrong = String::new();
    for file in ["23_transpose.nvcc.sm_75.ptx", "12_sha256.nvcc.sm_75.ptx", "15_aes_ttable.nvcc.sm_75.ptx"] {
        let source = fixture(&format!("ptx/corpus/{file}"));
        let lines: Vec<&str> = source.lines().collect();
        for target in TARGETS {
            let object = translate(&source, &options(target, Debug::Ptx, file)).expect("translates");
            let Some(found) = lines_of_instructions(object.bytes(), target) else { return };
            for (opcode, name, line) in found {
                let Some((head, origin)) = ORIGINS.iter().find(|(head, _)| opcode.starts_with(head)) else { continue };
                *seen.entry(head).or_default() += 1;
                if name != file || !lines[line - 1].contains(origin) {
                    let _ = writeln!(wrong, "{file} {target}: {opcode} at {name}:{line}: {}", lines[line - 1]);
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(seen.len(), ORIGINS.len(), "{seen:?}");
}

#[test]
fn instructions_have_the_lines_of_their_source() {
    // Every store of this program writes an element of `out` or of an array by that name.
    let (ptx, cu) = ("ptx/corpus/01_endian_swap.nvcc.sm_75.lineinfo.ptx", "cuda/01_endian_swap.cu");
    let cuda = fixture(cu);
    let lines: Vec<&str> = cuda.lines().collect();
    for target in TARGETS {
        let object = translate(&fixture(ptx), &options(target, Debug::Source, ptx)).expect("translates");
        let Some(found) = lines_of_instructions(object.bytes(), target) else { return };
        let stores: Vec<_> = found.iter().filter(|(opcode, ..)| opcode.starts_with("global_store")).collect();
        assert!(stores.len() > 3);
        for (opcode, name, line) in stores {
            assert_eq!(name, "01_endian_swap.cu");
            assert!(lines[line - 1].contains("] ="), "{target}: {opcode} at {line}: {}", lines[line - 1]);
        }
    }
}

#[test]
fn the_symbolizer_names_kernel_and_line() {
    let file = "bytes/prmt.ptx";
    let source = fixture(&format!("ptx/{file}"));
    let object = translate(&source, &options("gfx1100", Debug::Ptx, file)).expect("translates");
    let Some(mut symbolizer) = judge::tool("llvm-symbolizer-22") else { return };
    let path = judge::TempFile::new(".hsaco", object.bytes());
    let entry = object::read(object.bytes()).expect("readable").kernels[0].entry_address;
    symbolizer.arg(format!("--obj={}", path.path().display())).arg(format!("{entry:#x}"));
    let said = judge::output(symbolizer);
    let line = said.lines().nth(1).and_then(|l| l.strip_prefix("./bytes/prmt.ptx:")).expect("a place");
    let number: usize = line.split(':').next().and_then(|n| n.parse().ok()).expect("a line");
    assert!(said.starts_with("prmt\n"), "{said}");
    let text = source.lines().nth(number - 1).unwrap_or_default();
    assert!(text.contains("ld.param") || text.contains(".entry") || text.contains("%tid"), "{number}: {text}");
}

#[test]
fn the_command_line_asks_for_it() {
    let folder = Folder::new("debug");
    let ptx = "fixtures/ptx/corpus/07_pixel_rgb.nvcc.sm_75.lineinfo.ptx";
    let asm = |flag: &str| stdout(&run(&["translate-file", ptx, flag, "-t", "gfx1100", "--emit", "asm", "-o", "-"]));
    let plain = asm("--code-object=5");
    assert!(!plain.contains(".loc\t") && plain.contains("; "), "PTX lines as comments, nothing else");
    for flag in ["-g", "-g=ptx", "--debug"] {
        let text = asm(flag);
        assert!(text.contains(&format!("\t.file\t1 \"{ptx}\"")) && text.contains("\t.loc\t1 "), "{flag}");
    }
    let text = asm("-g=source");
    assert!(text.contains("\t.file\t2 \"07_pixel_rgb.cu\"") && text.contains("\t.loc\t2 "), "{text}");
    let none = folder.file("k.ptx", crate::cli::KERNEL.as_bytes());
    let out = run(&["translate-file", &none, "-g=source", "-t", "gfx1100", "-o", &folder.path("k.hsaco")]);
    assert_eq!(out.status.code(), Some(1));
    assert!(stderr(&out).contains("no `.loc` directives"), "{}", stderr(&out));
}
