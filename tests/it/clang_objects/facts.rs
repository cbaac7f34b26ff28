//! What a code object says about itself, as keys and values: every header field, segment, dynamic tag, symbol, descriptor field and
//! metadata key. Addresses and sizes that only follow from the length of the code are left out.

use goblin::elf::{Elf, SectionHeader, dynamic, program_header, section_header, sym};
use rmpv::Value;
use std::collections::BTreeMap;
use warp2wave::object::{Descriptor, Family};

pub type Facts = BTreeMap<String, String>;

pub fn facts(bytes: &[u8]) -> Facts {
    let elf = Elf::parse(bytes).expect("an ELF file");
    let mut facts = Facts::new();
    let header = &elf.header;
    let ident = &header.e_ident;
    for (key, value) in [
        ("class", ident[4].to_string()),
        ("data", ident[5].to_string()),
        ("os_abi", ident[7].to_string()),
        ("abi_version", ident[8].to_string()),
        ("e_type", header.e_type.to_string()),
        ("e_machine", header.e_machine.to_string()),
        ("e_version", header.e_version.to_string()),
        ("e_entry", header.e_entry.to_string()),
        ("e_phoff", header.e_phoff.to_string()),
        ("e_flags", format!("{:#x}", header.e_flags)),
        ("e_sizes", format!("{} {} {}", header.e_ehsize, header.e_phentsize, header.e_shentsize)),
    ] {
        facts.insert(format!("header.{key}"), value);
    }
    segments(&elf, &mut facts);
    sections(&elf, &mut facts);
    let tags = elf.dynamic.as_ref().map_or(&[][..], |d| &d.dyns);
    let names: Vec<String> = tags
        .iter()
        .map(|tag| match dynamic::tag_to_str(tag.d_tag) {
            name @ ("DT_SYMENT" | "DT_NULL") => format!("{name}={}", tag.d_val),
            name => name.to_string(),
        })
        .collect();
    facts.insert("dynamic.tags".into(), names.join(" "));
    for table in [(".dynsym", &elf.dynsyms, &elf.dynstrtab), (".symtab", &elf.syms, &elf.strtab)] {
        symbols(&elf, table, &mut facts);
    }
    descriptors(&elf, bytes, &mut facts);
    notes(&elf, bytes, &mut facts);
    facts
}

fn segments(elf: &Elf, facts: &mut Facts) {
    for (index, header) in elf.program_headers.iter().enumerate() {
        let flags: String =
            [(4, 'R'), (2, 'W'), (1, 'X')].iter().filter(|f| header.p_flags & f.0 != 0).map(|f| f.1).collect();
        let page = header.p_align.max(1);
        let congruent = header.p_offset % page == header.p_vaddr % page && header.p_vaddr == header.p_paddr;
        let sizes = if header.p_memsz == header.p_filesz { "=" } else { ">" };
        let kind = program_header::pt_to_str(header.p_type);
        let members: Vec<&str> = elf
            .section_headers
            .iter()
            .filter(|s| s.sh_flags & 2 != 0 && header.p_memsz > 0)
            .filter(|s| s.sh_addr >= header.p_vaddr && s.sh_addr + s.sh_size <= header.p_vaddr + header.p_memsz)
            .map(|s| section_name(elf, s))
            .collect();
        let text = format!(
            "{kind} {flags} align {:#x}, {}, memory {sizes} file: {}",
            header.p_align,
            if congruent { "congruent" } else { "not congruent" },
            members.join(" ")
        );
        facts.insert(format!("segment.{index}"), text);
    }
}

fn section_name<'e>(elf: &Elf<'e>, section: &SectionHeader) -> &'e str {
    elf.shdr_strtab.get_at(section.sh_name).unwrap_or("?")
}

fn sections(elf: &Elf, facts: &mut Facts) {
    let names: Vec<&str> = elf.section_headers.iter().map(|s| section_name(elf, s)).collect();
    facts.insert("sections".into(), names.join(" ").trim().to_string());
    for section in elf.section_headers.iter().skip(1) {
        let link = names.get(section.sh_link as usize).filter(|_| section.sh_link != 0).unwrap_or(&"-");
        let text = format!(
            "{} flags {:#x} align {} entries {} link {link}",
            section_header::sht_to_str(section.sh_type),
            section.sh_flags,
            section.sh_addralign,
            section.sh_entsize,
        );
        facts.insert(format!("section {}", section_name(elf, section)), text);
    }
}

fn symbols(
    elf: &Elf,
    (table, list, strings): (&str, &goblin::elf::Symtab, &goblin::strtab::Strtab),
    facts: &mut Facts,
) {
    for symbol in list.iter().skip(1) {
        let name = strings.get_at(symbol.st_name).unwrap_or("?");
        let section = match symbol.st_shndx as u32 {
            section_header::SHN_ABS => "ABS",
            index => elf.section_headers.get(index as usize).map_or("?", |s| section_name(elf, s)),
        };
        let visibility = ["DEFAULT", "INTERNAL", "HIDDEN", "PROTECTED"][symbol.st_other as usize & 3];
        let kind = sym::type_to_str(symbol.st_type());
        // The code's own length is no matter of form.
        let size = if symbol.st_type() == sym::STT_FUNC { "its code".to_string() } else { symbol.st_size.to_string() };
        let align = if symbol.st_type() == sym::STT_FUNC { 256 } else { 64 };
        let place = if symbol.st_value % align == 0 { "aligned" } else { "not aligned" };
        let bind = sym::bind_to_str(symbol.st_bind());
        facts.insert(format!("{table} {name}"), format!("{kind} {bind} {visibility} {section} {size} bytes {place}"));
    }
}

/// The `n` bytes at an address of the image.
fn at_address<'b>(elf: &Elf, bytes: &'b [u8], address: u64, n: u64) -> &'b [u8] {
    let loads = elf.program_headers.iter().filter(|h| h.p_type == program_header::PT_LOAD);
    let load = { loads }.find(|h| h.p_vaddr <= address && address + n <= h.p_vaddr + h.p_filesz).expect("in a segment");
    let start = (address - load.p_vaddr + load.p_offset) as usize;
    &bytes[start..start + n as usize]
}

fn descriptors(elf: &Elf, bytes: &[u8], facts: &mut Facts) {
    let family = Family::of_machine(elf.header.e_flags & 0xff).expect("a known processor");
    let address =
        |name: &str| elf.dynsyms.iter().find(|s| elf.dynstrtab.get_at(s.st_name) == Some(name)).map(|s| s.st_value);
    for kernel in ["empty", "simple"] {
        let at = address(&format!("{kernel}.kd")).expect("a descriptor");
        let raw: [u8; 64] = at_address(elf, bytes, at, 64).try_into().expect("64 bytes");
        let mut d = Descriptor::unpack(&raw, family);
        let unknown = d.pack(family).expect("what was unpacked") != raw;
        facts.insert(format!("{kernel} descriptor: bits outside every field"), unknown.to_string());
        let entry = at.wrapping_add(d.entry_offset as u64);
        facts.insert(format!("{kernel} descriptor: entry is the kernel"), (address(kernel) == Some(entry)).to_string());
        d.entry_offset = 0;
        let text = format!("{d:?}");
        let fields = text.trim_start_matches("Descriptor { ").trim_end_matches(" }");
        for field in fields.split(", ") {
            let (name, value) = field.split_once(": ").expect("a field");
            facts.insert(format!("{kernel} descriptor: {name}"), value.to_string());
        }
    }
}

fn notes(elf: &Elf, bytes: &[u8], facts: &mut Facts) {
    let notes: Vec<_> = elf.iter_note_headers(bytes).expect("notes").map(|n| n.expect("a note")).collect();
    let heads: Vec<String> = notes.iter().map(|n| format!("{} {}", n.name, n.n_type)).collect();
    facts.insert("note.heads".into(), heads.join(", "));
    let root = rmpv::decode::read_value(&mut &notes[0].desc[..]).expect("MessagePack");
    let map = root.as_map().expect("a map");
    let keys: Vec<String> = map.iter().map(|(k, _)| text(k)).collect();
    facts.insert("note.keys".into(), keys.join(" "));
    for (key, value) in map {
        if text(key) != "amdhsa.kernels" {
            facts.insert(format!("note.{}", text(key)), text(value));
        }
    }
    for kernel in
        map.iter().find(|(k, _)| text(k) == "amdhsa.kernels").and_then(|(_, v)| v.as_array()).expect("kernels")
    {
        let fields = kernel.as_map().expect("a map");
        let get = |key: &str| fields.iter().find(|(k, _)| text(k) == key).map(|(_, v)| v);
        let name = text(get(".name").expect("a name"));
        for (key, value) in fields.iter().filter(|(k, _)| text(k) != ".args") {
            facts.insert(format!("{name} metadata {}", text(key)), text(value));
        }
        for (index, arg) in get(".args").and_then(Value::as_array).into_iter().flatten().enumerate() {
            for (key, value) in arg.as_map().expect("a map") {
                facts.insert(format!("{name} argument {index} {}", text(key)), text(value));
            }
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_string)
}
