//! `--emit asm` against LLVM: assembled by llvm-mc and linked by ld.lld it gives the `.text`, descriptors and metadata of our own object.
//!
//! What may differ: the distance of code to a variable and of a descriptor to its code, since the linker lays the file out by itself.

use crate::judge;
use warp2wave::amd::Target;
use warp2wave::object::{self, Kernel};
use warp2wave::pipeline::{Stage, text_of};
use warp2wave::{Options, translate};

/// The file that LLVM makes of the assembly; `None` without LLVM.
pub fn linked(text: &str, target: &str) -> Option<Vec<u8>> {
    let (mut mc, mut lld) = (judge::tool("llvm-mc-22")?, judge::tool("ld.lld-22")?);
    let source = judge::TempFile::new(".s", text.as_bytes());
    let object = judge::TempFile::new(".o", b"");
    let linked = judge::TempFile::new(".hsaco", b"");
    // Features of the target id are attributes of the processor.
    let mut parts = target.split(':');
    mc.args(["-triple=amdgcn-amd-amdhsa", "-filetype=obj"]);
    mc.arg(format!("-mcpu={}", parts.next().unwrap_or_default()));
    for feature in parts {
        let (name, sign) = feature.split_at(feature.len() - 1);
        mc.arg(format!("-mattr={sign}{name}"));
    }
    judge::output({
        mc.arg(source.path()).arg("-o").arg(object.path());
        mc
    });
    judge::output({
        lld.arg("-shared").arg(object.path()).arg("-o").arg(linked.path());
        lld
    });
    Some(std::fs::read(linked.path()).expect("the linker wrote it"))
}

/// Places of the literals behind `s_getpc_b64`, and the code without them.
fn without_distances(code: &[u8]) -> Vec<u32> {
    let mut words: Vec<u32> = code.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    for at in 0..words.len() {
        // SOP1 s_getpc_b64: gfx9 0x1c, gfx11 and gfx12 0x47, gfx10 0x1f; the add follows, on gfx12 behind an s_sext_i32_i16.
        let is_getpc = words[at] & 0xff80_0000 == 0xbe80_0000 && matches!(words[at] >> 8 & 0xff, 0x1c | 0x1f | 0x47);
        for add in [at + 1, at + 2] {
            if is_getpc && words.get(add).is_some_and(|w| w & 0xff80_ff00 == 0x8000_ff00) {
                words[add + 1] = 0;
                break;
            }
        }
    }
    words
}

/// What the file says about its processor.
fn identity(object: &object::CodeObject) -> impl PartialEq + std::fmt::Debug {
    (object.version, object.target.clone(), object.machine, object.generic_version, object.xnack, object.sramecc)
}

fn compare(ours: &object::CodeObject, theirs: &object::CodeObject, kernel: &Kernel) -> Result<(), String> {
    let name = &kernel.name;
    let other = theirs.kernel(name).ok_or_else(|| format!("{name} is missing"))?;
    let code =
        |object: &object::CodeObject, k: &Kernel| object.image(k.entry_address, k.code_bytes).unwrap_or_default();
    let (a, b) = (without_distances(&code(ours, kernel)), without_distances(&code(theirs, other)));
    if a != b {
        let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        return Err(format!("{name}: code differs at {:#x} of {} and {} words", at * 4, a.len(), b.len()));
    }
    let without_entry = |d: &[u8; 64]| [&d[..16], &d[24..]].concat();
    if without_entry(&kernel.descriptor) != without_entry(&other.descriptor) {
        return Err(format!("{name}: descriptors\n{:02x?}\n{:02x?}", kernel.descriptor, other.descriptor));
    }
    if kernel.metadata != other.metadata {
        return Err(format!("{name}: metadata\n{:?}\n{:?}", kernel.metadata, other.metadata));
    }
    Ok(())
}

#[test]
fn assembled_and_linked_text_is_our_object() {
    let files = [
        "bytes/prmt.ptx",
        "bytes/shared.ptx",
        "bytes/params.ptx",
        "bytes/generic.ptx",
        // Stack frames, so that scratch is set up.
        "corpus/12_sha256.nvcc.sm_75.G.ptx",
        "corpus/10_crc32.nvcc.sm_75.ptx",
        "corpus/15_aes_ttable.nvcc.sm_75.ptx",
        "corpus/23_transpose.nvcc.sm_75.ptx",
        "corpus/36_int64.nvcc.sm_75.ptx",
    ];
    let mut wrong = vec![];
    for file in files {
        let path = format!("{}/fixtures/ptx/{file}", env!("CARGO_MANIFEST_DIR"));
        let source = std::fs::read_to_string(&path).expect("the fixture");
        for target in ["gfx1100", "gfx942", "gfx906", "gfx90a", "gfx1010", "gfx1030", "gfx1201", "gfx1250"] {
            let options = Options { max_block: 256, ..Options::new(Target::parse(target).expect("a known target")) };
            let text = text_of(&source, &options, Stage::Assembly).expect("translates");
            let Some(theirs) = linked(&text, target) else { return };
            let theirs = object::read(&theirs).expect("LLVM's object is readable");
            let ours = translate(&source, &options).expect("translates");
            let ours = object::read(ours.bytes()).expect("our object is readable");
            assert_eq!(ours.kernels.len(), theirs.kernels.len(), "{file} {target}");
            assert_eq!(identity(&ours), identity(&theirs), "{file} {target}");
            for kernel in &ours.kernels {
                wrong.extend(compare(&ours, &theirs, kernel).err().map(|e| format!("{file} {target} {e}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The directives, on every processor and with every setting of the target-ID features of two of them.
#[test]
fn every_processor_is_named_as_llvm_names_it() {
    let mut ids: Vec<String> = Target::all().map(|t| t.to_string()).collect();
    for id in [
        "gfx90a:sramecc+:xnack-",
        "gfx90a:sramecc-",
        "gfx90a:xnack+",
        "gfx9-4-generic:sramecc-:xnack+",
        "gfx1010:xnack-",
    ] {
        ids.push(id.to_string());
    }
    let path = format!("{}/fixtures/ptx/bytes/params.ptx", env!("CARGO_MANIFEST_DIR"));
    let source = std::fs::read_to_string(&path).expect("the fixture");
    for id in &ids {
        let options = Options::new(Target::parse(id).expect("a known target"));
        let text = text_of(&source, &options, Stage::Assembly).expect("translates");
        let Some(theirs) = linked(&text, id) else { return };
        let theirs = object::read(&theirs).expect("LLVM's object is readable");
        let ours = object::read(translate(&source, &options).expect("translates").bytes()).expect("readable");
        assert_eq!(identity(&ours), identity(&theirs), "{id}");
        for kernel in &ours.kernels {
            assert_eq!(compare(&ours, &theirs, kernel), Ok(()), "{id}");
        }
    }
}
