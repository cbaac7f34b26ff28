//! `--emit asm` against LLVM: assembled by llvm-mc and linked by ld.lld it gives the `.text`, descriptors and metadata of our own object.
//!
//! What may differ: the distance of code to a variable and of a descriptor to its code, since the linker lays the file out by itself.

use crate::clang_objects::target_ids;
use crate::judge;
use std::collections::BTreeMap;
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

fn executable(object: &object::CodeObject) -> Vec<u32> {
    without_distances(&object.segments.iter().find(|s| s.executable).expect("code").bytes)
}

/// Name, size and first bytes of each variable that the host finds, and what each relocated place points to.
fn variables(object: &object::CodeObject) -> BTreeMap<String, (u64, Vec<u8>)> {
    let objects = object.symbols.iter().filter(|s| s.kind == object::SymbolKind::Object && !s.name.ends_with(".kd"));
    let mut found: BTreeMap<String, (u64, Vec<u8>)> = BTreeMap::new();
    for symbol in objects.clone() {
        let mut bytes = object.image(symbol.address, symbol.size).expect("in the image");
        for relocation in &object.relocations {
            let at = relocation.address.wrapping_sub(symbol.address);
            if at < symbol.size {
                // Our own symbol and offset for an address.
                let to = relocation.symbol_address.expect("defined").wrapping_add(relocation.addend as u64);
                let named = objects.clone().find(|s| (s.address..s.address + s.size.max(1)).contains(&to));
                let text = named.map_or("?".to_string(), |s| format!("{}+{}", s.name, to - s.address));
                bytes.splice(at as usize..at as usize + 8, text.bytes());
            }
        }
        found.insert(symbol.name.clone(), (symbol.size, bytes));
    }
    found
}

fn compare(ours: &object::CodeObject, theirs: &object::CodeObject) -> Result<(), String> {
    let (a, b) = (identity(ours), identity(theirs));
    if a != b {
        return Err(format!("{a:?} and {b:?}"));
    }
    let (a, b) = (executable(ours), executable(theirs));
    if a != b {
        let at = a.iter().zip(&b).position(|(x, y)| x != y).unwrap_or(a.len().min(b.len()));
        return Err(format!(".text differs at {:#x} of {} and {} words", at * 4, a.len(), b.len()));
    }
    if variables(ours) != variables(theirs) {
        return Err(format!("variables {:?}\n{:?}", variables(ours), variables(theirs)));
    }
    if ours.kernels.len() != theirs.kernels.len() {
        return Err("the number of kernels".into());
    }
    ours.kernels.iter().try_for_each(|kernel| compare_kernel(kernel, theirs))
}

fn compare_kernel(kernel: &Kernel, theirs: &object::CodeObject) -> Result<(), String> {
    let name = &kernel.name;
    let other = theirs.kernel(name).ok_or_else(|| format!("{name} is missing"))?;
    if kernel.code_bytes != other.code_bytes {
        return Err(format!("{name}: code of {} and {} bytes", kernel.code_bytes, other.code_bytes));
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

/// Variables that the host finds, zero and not, one with the address of another; names that the assembler may take for something else.
const VARIABLES: &str = "\
.version 8.0
.target sm_80
.address_size 64
.visible .global .u32 v0 = 7;
.visible .global .align 16 .u32 zeros[16];
.visible .global .u64 where = v0+2;
.visible .const .u32 table[4] = {1, 2, 3, 4};
.global .u32 $hidden;
.visible .entry first(.param .u64 p)
{
    .reg .b32 %r<6>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    ld.global.u32 %r1, [v0];
    ld.const.u32 %r2, [table+4];
    ld.global.u32 %r4, [zeros];
    st.global.u32 [$hidden], %r4;
    add.u32 %r3, %r1, %r2;
    st.global.u32 [%rd1], %r3;
    ret;
}
.visible .entry %second()
{
    .reg .pred %p1;
    .reg .b32 %r<2>;
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 3;
    @%p1 bra end;
    st.global.u32 [v0], %r1;
end:
    ret;
}
";

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
            wrong.extend(compare(&ours, &theirs).err().map(|e| format!("{file} {target} {e}")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The directives, on every processor with every setting of its target-ID features.
#[test]
fn every_processor_is_named_as_llvm_names_it() {
    for id in &target_ids() {
        let options = Options::new(Target::parse(id).expect("a known target"));
        let text = text_of(VARIABLES, &options, Stage::Assembly).expect("translates");
        let Some(theirs) = linked(&text, id) else { return };
        let theirs = object::read(&theirs).expect("LLVM's object is readable");
        let ours = object::read(translate(VARIABLES, &options).expect("translates").bytes()).expect("readable");
        assert_eq!(compare(&ours, &theirs), Ok(()), "{id}");
    }
}
