//! Code objects: descriptors against llvm-mc's, the file against llvm-readelf, the reader against damage.

use crate::judge;
use proptest::prelude::*;
use warp2wave::object::{
    AddressOf, ArgInfo, CodeObjectInput, Content, Descriptor, Family, Fixup, FixupKind, KernelInput, Setting,
    TargetInfo, TextPadding, Variable, VariableKind, Version, read, write,
};

/// Bytes of `.rodata` that llvm-mc 22.1.8 wrote for [`descriptor_source`]:
/// `llvm-mc-22 -triple=amdgcn-amd-amdhsa -mcpu=GFX -filetype=obj`, `llvm-objdump-22 -s -j .rodata`.
const RECORDED: &[(&str, u32, &str)] = &[
    (
        "gfx900",
        0x2c,
        "00100000800000001801000000000000000000000000000000000000000000000000000000000000000000000000000\
        00901ac00951100002b00000000000000",
    ),
    (
        "gfx908",
        0x30,
        "00100000800000001801000000000000000000000000000000000000000000000000000000000000000000000000000\
        00901ac00951100002b00000000000000",
    ),
    (
        "gfx90a",
        0x3f,
        "00100000800000001801000000000000000000000000000000000000000000000000000000000000000000000500000\
        00401ac00951100002b00000000000000",
    ),
    (
        "gfx942",
        0x4c,
        "00100000800000001801000000000000000000000000000000000000000000000000000000000000000000000500000\
        00401ac00891100000a00000000000000",
    ),
    (
        "gfx1030",
        0x36,
        "0010000080000000180100000000000000000000000000000000000000000000000000000000000000000000000000\
        000400ace0951100002b04000000000000",
    ),
    (
        "gfx1100",
        0x41,
        "0010000080000000180100000000000000000000000000000000000000000000000000000000000000000000000000\
        000400ace0891100000a04000000000000",
    ),
    (
        "gfx1201",
        0x4e,
        "0010000080000000180100000000000000000000000000000000000000000000000000000000000000000000000000\
        0004000ce0891100000a04000000000000",
    ),
    (
        "gfx1250",
        0x49,
        "0010000080000000180100000000000000000000000000000000000000000000000000000000000000000000000000\
        0002000cc0891100000a04000000000000",
    ),
];

/// What the directives below ask for, in our words. The assembler's default flushes f32 denormals.
fn descriptor_under_test(family: Family) -> Descriptor {
    let buffer = !family.has_architected_scratch();
    let mut d = Descriptor {
        lds_bytes: 4096,
        scratch_bytes: 128,
        kernarg_bytes: 280,
        denorm_f32: 0,
        user_kernarg_segment_ptr: true,
        user_dispatch_ptr: true,
        user_private_segment_buffer: buffer,
        user_flat_scratch_init: buffer,
        private_segment: true,
        workgroup_id_y: true,
        workitem_ids: 2,
        ..Descriptor::new(family)
    };
    d.user_sgpr_count = d.user_sgprs_needed();
    if family.has_unified_agprs() {
        d.set_registers(family, 24, 13, 33);
    } else {
        d.set_registers(family, 37, 0, 33);
    }
    d
}

fn descriptor_source(gfx: &str, family: Family) -> String {
    let mut text = format!(".amdgcn_target \"amdgcn-amd-amdhsa--{gfx}\"\n.amdhsa_code_object_version 5\n");
    text += ".text\n.p2align 8\nk:\ns_endpgm\n.rodata\n.amdhsa_kernel k\n";
    text += ".amdhsa_group_segment_fixed_size 4096\n.amdhsa_private_segment_fixed_size 128\n.amdhsa_kernarg_size 280\n";
    text += ".amdhsa_next_free_vgpr 37\n.amdhsa_next_free_sgpr 33\n";
    if family.has_unified_agprs() {
        text += ".amdhsa_accum_offset 24\n";
    }
    if !family.is_gfx9() {
        text += ".amdhsa_wavefront_size32 1\n";
    }
    text += ".amdhsa_user_sgpr_kernarg_segment_ptr 1\n.amdhsa_user_sgpr_dispatch_ptr 1\n";
    text += ".amdhsa_system_sgpr_workgroup_id_y 1\n.amdhsa_system_vgpr_workitem_id 2\n";
    text += if family.has_architected_scratch() {
        ".amdhsa_enable_private_segment 1\n"
    } else {
        ".amdhsa_system_sgpr_private_segment_wavefront_offset 1\n.amdhsa_user_sgpr_private_segment_buffer 1\n\
         .amdhsa_user_sgpr_flat_scratch_init 1\n"
    };
    text + ".end_amdhsa_kernel\n"
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[test]
fn descriptors_are_what_the_assembler_writes() {
    for &(gfx, machine, recorded) in RECORDED {
        let family = Family::of_machine(machine).unwrap();
        let d = descriptor_under_test(family);
        let bytes = d.pack(family).unwrap();
        assert_eq!(hex(&bytes), recorded, "{gfx}");
        assert_eq!(Descriptor::unpack(&bytes, family), d, "{gfx}");
    }
}

#[test]
fn recorded_descriptors_are_still_the_assemblers() {
    for &(gfx, machine, recorded) in RECORDED {
        let Some(mut mc) = judge::tool("llvm-mc-22") else { return };
        let family = Family::of_machine(machine).unwrap();
        let source = judge::TempFile::new(".s", descriptor_source(gfx, family).as_bytes());
        let object = judge::TempFile::new(".o", b"");
        mc.args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={gfx}"), "-filetype=obj", "-o"]);
        mc.args([object.path(), source.path()]);
        judge::output(mc);
        let bytes = std::fs::read(object.path()).unwrap();
        let elf = goblin::elf::Elf::parse(&bytes).unwrap();
        let rodata = elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(".rodata")).unwrap();
        assert_eq!(hex(&bytes[rodata.sh_offset as usize..][..64]), recorded, "{gfx}");
    }
}

const S_ENDPGM: u32 = 0xbf81_0000;

/// Two kernels and four variables: the second kernel's code holds the distance to each variable.
fn sample(version: Version) -> CodeObjectInput {
    let family = Family::Gfx942;
    let mut descriptor = Descriptor { kernarg_bytes: 12, user_kernarg_segment_ptr: true, ..Descriptor::new(family) };
    descriptor.user_sgpr_count = 2;
    let arg = |name: &str, offset, size, kind: &str| ArgInfo {
        name: Some(name.into()),
        offset,
        size,
        value_kind: kind.into(),
        address_space: (kind == "global_buffer").then(|| "global".into()),
        type_name: None,
    };
    let kernel = |name: &str, words: &[u32], fixups| KernelInput {
        name: name.into(),
        code: words.iter().flat_map(|w| w.to_le_bytes()).collect(),
        fixups,
        vgprs: 5,
        agprs: 0,
        sgprs: 10,
        descriptor,
        kernarg_align_bytes: 8,
        args: vec![arg("out", 0, 8, "global_buffer"), arg("n", 8, 4, "by_value")],
        wave_lanes: 64,
        max_flat_workgroup_size: 256,
        reqd_workgroup_size: Some([256, 1, 1]),
        sgpr_spill_count: 0,
        vgpr_spill_count: 0,
    };
    let variable = |name: &str, kind, content, exported, addresses| Variable {
        name: name.into(),
        kind,
        align_bytes: 16,
        content,
        exported,
        addresses,
    };
    let fixup =
        |variable, word: u32| Fixup { kind: FixupKind::Low32, offset: word * 4, pc_offset: 4, variable, addend: 0 };
    let mut fixups: Vec<Fixup> = (0..4).map(|v| fixup(v, v as u32 + 1)).collect();
    fixups.push(Fixup { kind: FixupKind::High32, offset: 20, pc_offset: 0x1000_0000, variable: 0, addend: 0 });
    CodeObjectInput {
        version,
        target: TargetInfo {
            id: "gfx942".into(),
            machine: 0x4c,
            generic_version: 0,
            xnack: Setting::Any,
            sramecc: Setting::Any,
        },
        kernels: vec![kernel("first", &[S_ENDPGM], vec![]), kernel("second$.x", &[0, 0, 0, 0, 0, 0, S_ENDPGM], fixups)],
        variables: vec![
            variable("table", VariableKind::Constant, Content::Bytes(vec![1, 2, 3, 4, 5]), true, vec![]),
            variable("counter", VariableKind::ReadWrite, Content::Bytes(vec![7, 0, 0, 0]), true, vec![]),
            variable("scratchpad", VariableKind::ReadWrite, Content::Zero(400), false, vec![]),
            variable(
                "pointer",
                VariableKind::ReadWrite,
                Content::Zero(8),
                true,
                vec![AddressOf { offset: 0, variable: 1, addend: 2 }],
            ),
        ],
        padding: TextPadding { gap_word: 0xbf80_0000, end_word: 0xbf80_0000, end_align_bytes: 64, end_words: 256 },
        debug: None,
    }
}

#[test]
fn what_is_written_is_read() {
    for version in [Version::V4, Version::V5, Version::V6] {
        let input = sample(version);
        let object = read(&write(&input).unwrap()).unwrap();
        assert_eq!((object.version, object.target.as_str(), object.machine), (version, "gfx942", 0x4c));
        assert_eq!((object.xnack, object.sramecc, object.generic_version), (Setting::Any, Setting::Any, 0));
        assert_eq!(object.kernels.len(), 2);
        for (kernel, given) in object.kernels.iter().zip(&input.kernels) {
            assert_eq!(kernel.name, given.name);
            assert_eq!(kernel.metadata.args, given.args);
            assert_eq!(kernel.metadata.sgpr_count, 16);
            assert_eq!(kernel.metadata.reqd_workgroup_size, Some([256, 1, 1]));
            assert_eq!(kernel.code_bytes, given.code.len() as u64);
            assert_eq!(kernel.entry_address % 256, 0);
            let d = Descriptor::unpack(&kernel.descriptor, Family::Gfx942);
            assert_eq!((d.vgpr_granules, d.sgpr_granules, d.accum_offset), (0, 1, 1));
        }
        // Kernels and variables lie where the symbols and the fix-ups say.
        let symbol = |name: &str| object.symbols.iter().find(|s| s.name == name).map(|s| s.address);
        assert_eq!(object.image(symbol("table").unwrap(), 5), Some(vec![1, 2, 3, 4, 5]));
        assert_eq!(object.image(symbol("counter").unwrap(), 4), Some(vec![7, 0, 0, 0]));
        assert_eq!(symbol("scratchpad"), None, "not exported");
        let code = object.kernels[1].entry_address;
        let word = |index: u64| {
            u32::from_le_bytes(object.image(code + 4 * index, 4).unwrap().try_into().unwrap()) as i32 as i64
        };
        assert_eq!(code as i64 + 4 + word(1), symbol("table").unwrap() as i64);
        assert_eq!(code as i64 + 4 + word(2), symbol("counter").unwrap() as i64);
        assert_eq!(code as i64 + 4 + word(4), symbol("pointer").unwrap() as i64);
        assert_eq!(word(5), -1, "the high half of a negative distance");
        let bss = (code as i64 + 4 + word(3)) as u64;
        assert_eq!(object.image(bss, 400), Some(vec![0; 400]));
        assert_eq!(bss % 16, 0);
        // One relocation: pointer = &counter + 2.
        assert_eq!(object.relocations.len(), 1);
        assert_eq!(object.relocations[0].address, symbol("pointer").unwrap());
        assert_eq!(object.relocations[0].addend as u64, symbol("counter").unwrap() + 2);
    }
}

#[test]
fn inputs_that_no_object_can_hold_are_refused() {
    let refused = |change: &dyn Fn(&mut CodeObjectInput)| {
        let mut input = sample(Version::V5);
        change(&mut input);
        write(&input).unwrap_err().0
    };
    insta::assert_snapshot!(
        [
            refused(&|i| i.target.generic_version = 1),
            refused(&|i| i.target.machine = 0x50 + 0xa0),
            refused(&|i| i.kernels[1].name = "first".into()),
            refused(&|i| i.variables[0].name = String::new()),
            refused(&|i| i.kernels[1].fixups[0].offset = 26),
            refused(&|i| i.kernels[1].fixups[0].variable = 4),
            refused(&|i| i.variables[3].addresses[0].offset = 1),
            refused(&|i| i.kernels[0].descriptor.user_sgpr_count = 1),
            refused(&|i| i.kernels[0].descriptor.wave32 = true),
            refused(&|i| i.kernels[0].vgprs = 513),
            refused(&|i| i.kernels[0].args[1].offset = 12),
            refused(&|i| i.kernels[0].code.clear()),
        ]
        .join("\n")
    );
}

#[test]
fn readelf_agrees_with_the_file() {
    for version in [Version::V4, Version::V5, Version::V6] {
        let Some(mut readelf) = judge::tool("llvm-readelf-22") else { return };
        let file = judge::TempFile::new(".hsaco", &write(&sample(version)).unwrap());
        readelf
            .args(["-h", "-l", "-S", "-d", "-r", "--dyn-syms", "-s", "--notes", "--gnu-hash-table"])
            .arg(file.path());
        let text = judge::output(readelf).replace(&file.path().display().to_string(), "FILE");
        if version == Version::V5 {
            insta::assert_snapshot!("readelf", text);
        }
        assert!(text.contains("amdgcn-amd-amdhsa--gfx942"));
    }
    let Some(mut objdump) = judge::tool("llvm-objdump-22") else { return };
    let file = judge::TempFile::new(".hsaco", &write(&sample(Version::V5)).unwrap());
    objdump.args(["-d"]).arg(file.path());
    assert!(judge::output(objdump).contains("s_endpgm"));
}

/// Many kernels, so that the tables have many buckets and chains.
fn crowded() -> CodeObjectInput {
    let mut input = sample(Version::V5);
    let kernel = input.kernels[0].clone();
    input.kernels = (0..97).map(|n| KernelInput { name: format!("kernel_{n}_of_many"), ..kernel.clone() }).collect();
    input
}

/// A loader finds every symbol through each of the two hash tables: System V ABI, "Hash Table", and the GNU one with its filter.
#[test]
fn every_symbol_is_found_by_its_hash() {
    let bytes = write(&crowded()).expect("writable");
    let elf = goblin::elf::Elf::parse(&bytes).expect("an ELF file");
    let dynamic = elf.dynamic.as_ref().expect("a dynamic section");
    // The tables lie in the first segment, where addresses are file offsets.
    let tag = |wanted: u64| dynamic.dyns.iter().find(|d| d.d_tag == wanted).expect("the tag").d_val as usize;
    let (hash, gnu) = (tag(4), tag(0x6fff_fef5));
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("a word"));
    let name_of = |index: u32| elf.dynsyms.get(index as usize).and_then(|s| elf.dynstrtab.get_at(s.st_name));
    let (buckets, chains) = (word(hash), word(hash + 4));
    assert_eq!(chains as usize, elf.dynsyms.len(), "the chains say how many symbols there are");
    let (gnu_buckets, base, filters, shift) = (word(gnu), word(gnu + 4), word(gnu + 8), word(gnu + 12));
    for index in 1..elf.dynsyms.len() as u32 {
        let name = name_of(index).expect("a name");
        let h = name.bytes().fold(0u32, |h, c| {
            let h = (h << 4).wrapping_add(c.into());
            let high = h & 0xf000_0000;
            (h ^ high >> 24) & !high
        });
        let mut at = word(hash + 8 + 4 * (h % buckets) as usize);
        while at != 0 && name_of(at) != Some(name) {
            at = word(hash + 8 + 4 * (buckets + at) as usize);
        }
        assert_eq!(at, index, "{name} through .hash");

        let h = name.bytes().fold(5381u32, |h, c| h.wrapping_mul(33).wrapping_add(c.into()));
        let filter_at = gnu + 16 + 8 * (h / 64 % filters) as usize;
        let filter = u64::from(word(filter_at)) | u64::from(word(filter_at + 4)) << 32;
        assert!(filter >> (h % 64) & 1 == 1 && filter >> ((h >> shift) % 64) & 1 == 1, "{name} passes the filter");
        let bucket_at = gnu + 16 + 8 * filters as usize;
        let mut at = word(bucket_at + 4 * (h % gnu_buckets) as usize);
        let chain = |at: u32| word(bucket_at + 4 * (gnu_buckets + at - base) as usize);
        while name_of(at) != Some(name) {
            assert_eq!(chain(at) & 1, 0, "{name}: the chain ends before it");
            at += 1;
        }
        assert_eq!((at, chain(at) | 1), (index, h | 1), "{name} through .gnu.hash");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// A damaged object is read or refused; it never panics.
    #[test]
    fn reading_survives_damage(
        edits in proptest::collection::vec((0usize..4096, any::<u8>()), 1..8),
        cut in prop_oneof![Just(usize::MAX), 0usize..4096],
    ) {
        let mut bytes = write(&sample(Version::V5)).unwrap();
        for (at, value) in edits {
            let at = at % bytes.len();
            bytes[at] = value;
        }
        bytes.truncate(cut.min(bytes.len()));
        let _ = read(&bytes);
    }
}
