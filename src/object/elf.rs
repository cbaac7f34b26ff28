//! Lays out and writes the ELF file.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "ELF Code Object"; the order of sections, segments and dynamic tags is
//! ld.lld 22's (`docs/object.md`). Two passes: sections get their bytes and places, then the tables that mention places are
//! written; everything of known size before that.

use super::descriptor::Family;
use super::{
    CodeObjectInput, Content, Descriptor, FixupKind, KernelInput, Variable, VariableKind, WriteError, check, dwarf,
    metadata, tables,
};
use object::Endianness;
use object::elf;
use object::write::elf::{Encoder, FileHeader, FileHeaderLayout, ProgramHeader, Rel, SectionHeader, Sym};

pub(super) const PAGE: u64 = 0x1000;
/// Code of a kernel starts at a multiple of this.
const CODE_ALIGN: u64 = 256;
const DESCRIPTOR_BYTES: u64 = 64;
const NT_AMDGPU_METADATA: u32 = 32;
const R_AMDGPU_RELATIVE64: u32 = 13;
const COMMENT: &str = concat!("warp2wave ", env!("CARGO_PKG_VERSION"), "\0");

/// A section with its place. Section numbers are indices into the list plus one.
#[derive(Clone)]
struct Section {
    name: &'static str,
    kind: elf::SectionType,
    flags: elf::SectionFlags,
    align: u64,
    entry_size: u64,
    bytes: Vec<u8>,
    /// Size in memory; of NOBITS the only one.
    size: u64,
    address: u64,
    offset: u64,
    link: u32,
    info: u32,
}

impl Section {
    fn new(
        name: &'static str,
        kind: elf::SectionType,
        flags: elf::SectionFlags,
        align: u64,
        bytes: Vec<u8>,
    ) -> Section {
        let size = bytes.len() as u64;
        Section { name, kind, flags, align, entry_size: 0, bytes, size, address: 0, offset: 0, link: 0, info: 0 }
    }
    fn entries(mut self, size: u64) -> Section {
        self.entry_size = size;
        self
    }
    fn file_size(&self) -> u64 {
        if self.kind == elf::SHT_NOBITS { 0 } else { self.size }
    }
    fn end(&self) -> u64 {
        self.address + self.size
    }
}

/// Where a symbol is: a section (by name, until numbers are known) and an offset into it.
struct Place {
    section: &'static str,
    offset: u64,
}

struct Symbol {
    name: String,
    place: Place,
    size: u64,
    kind: elf::SymbolType,
    global: bool,
}

/// Writes the code object: an ET_DYN file ready for the loader.
pub fn write(input: &CodeObjectInput) -> Result<Vec<u8>, WriteError> {
    let family = check::check(input)?;
    let variables = place_variables(&input.variables);
    let (text, code_offsets) = text_bytes(input);
    let descriptor_offset = |index: usize| index as u64 * DESCRIPTOR_BYTES;

    let mut symbols = vec![];
    for (index, kernel) in input.kernels.iter().enumerate() {
        let code = Place { section: ".text", offset: code_offsets[index] };
        let descriptor = Place { section: ".rodata", offset: descriptor_offset(index) };
        let size = kernel.code.len() as u64;
        symbols.push(Symbol { name: kernel.name.clone(), place: code, size, kind: elf::STT_FUNC, global: true });
        let (name, size) = (format!("{}.kd", kernel.name), DESCRIPTOR_BYTES);
        symbols.push(Symbol { name, place: descriptor, size, kind: elf::STT_OBJECT, global: true });
    }
    // Constants follow the descriptors in .rodata.
    let rodata_base = descriptor_offset(input.kernels.len());
    for (variable, place) in input.variables.iter().zip(&variables.places) {
        let base = if place.section == ".rodata" { rodata_base.next_multiple_of(variables.rodata_align) } else { 0 };
        symbols.push(Symbol {
            name: variable.name.clone(),
            place: Place { section: place.section, offset: base + place.offset },
            size: content_size(&variable.content),
            kind: elf::STT_OBJECT,
            global: variable.exported,
        });
    }

    let encoder: Encoder<Endianness> = Encoder::new(Endianness::Little, true, elf::EM_AMDGPU);
    let mut dynamic_symbols: Vec<&Symbol> = symbols.iter().filter(|s| s.global).collect();
    let dynamic_count = dynamic_symbols.len();
    dynamic_symbols.sort_by_key(|s| tables::gnu_bucket(&s.name, dynamic_count));
    let dynamic_names: Vec<&str> = dynamic_symbols.iter().map(|s| s.name.as_str()).collect();
    let (dynstr, dynstr_at) = tables::strings(dynamic_names.iter().copied());
    let relocation_count = input.variables.iter().map(|v| v.addresses.len() as u64).sum::<u64>();
    let rodata_align = variables.rodata_align.max(64);
    let mut rodata = vec![0; rodata_base as usize];
    if !variables.rodata.is_empty() {
        rodata.resize(rodata_base.next_multiple_of(variables.rodata_align) as usize, 0);
        rodata.extend(&variables.rodata);
    }

    // Sections in file order; what mentions addresses is zeros of the right size for now.
    let zeros = |n: u64| vec![0; n as usize];
    let (alloc, write, exec) = (elf::SHF_ALLOC, elf::SHF_ALLOC | elf::SHF_WRITE, elf::SHF_ALLOC | elf::SHF_EXECINSTR);
    let symbol_count = dynamic_symbols.len() as u32 + 1;
    let mut sections = vec![
        Section::new(".note", elf::SHT_NOTE, alloc, 4, note(&metadata::encode(input, family)?)),
        Section::new(".dynsym", elf::SHT_DYNSYM, alloc, 8, zeros(symbol_count as u64 * 24)).entries(24),
        Section::new(".gnu.hash", elf::SHT_GNU_HASH, alloc, 8, tables::gnu_hash(&encoder, &dynamic_names)),
        Section::new(".hash", elf::SHT_HASH, alloc, 4, tables::sysv_hash(&encoder, &dynamic_names)).entries(4),
        Section::new(".dynstr", elf::SHT_STRTAB, alloc, 1, dynstr),
    ];
    if relocation_count > 0 {
        sections.push(Section::new(".rela.dyn", elf::SHT_RELA, alloc, 8, zeros(relocation_count * 24)).entries(24));
    }
    if !rodata.is_empty() {
        sections.push(Section::new(".rodata", elf::SHT_PROGBITS, alloc, rodata_align, rodata));
    }
    let dynamic_tags = 7 + if relocation_count > 0 { 4 } else { 0 };
    sections.push(Section::new(".text", elf::SHT_PROGBITS, exec, CODE_ALIGN, text));
    sections.push(Section::new(".dynamic", elf::SHT_DYNAMIC, write, 8, zeros(dynamic_tags * 16)).entries(16));
    sections.push(Section::new(".relro_padding", elf::SHT_NOBITS, write, 1, vec![]));
    if !variables.data.is_empty() {
        sections.push(Section::new(".data", elf::SHT_PROGBITS, write, variables.data_align, variables.data.clone()));
    }
    if variables.bss_bytes > 0 {
        let mut bss = Section::new(".bss", elf::SHT_NOBITS, write, variables.bss_align, vec![]);
        bss.size = variables.bss_bytes;
        sections.push(bss);
    }

    let segments = place(&mut sections);
    let number = |sections: &[Section], name: &str| {
        sections.iter().position(|s| s.name == name).map_or(0, |index| index as u32 + 1)
    };
    let address_of = |sections: &[Section], place: &Place| {
        sections.iter().find(|s| s.name == place.section).map_or(0, |s| s.address + place.offset)
    };

    // Now that addresses are known, what mentions them.
    let variable_symbols = &symbols[input.kernels.len() * 2..];
    let variable_addresses: Vec<u64> = variable_symbols.iter().map(|s| address_of(&sections, &s.place)).collect();
    let text_address = address_of(&sections, &Place { section: ".text", offset: 0 });
    for (index, kernel) in input.kernels.iter().enumerate() {
        let start = code_offsets[index];
        let at = symbols[index * 2 + 1].place.offset as usize;
        let descriptor_address = address_of(&sections, &symbols[index * 2 + 1].place);
        let descriptor = fill_descriptor(kernel, family, text_address + start, descriptor_address)?;
        patch(&mut sections, ".rodata", at, &descriptor);
        for fixup in &kernel.fixups {
            let from = text_address + start + fixup.pc_offset as u64;
            let distance =
                (variable_addresses[fixup.variable] as i64).wrapping_add(fixup.addend).wrapping_sub(from as i64);
            let (bytes, count) = match fixup.kind {
                FixupKind::Low32 => ((distance as u32 as u64).to_le_bytes(), 4),
                FixupKind::High32 => (((distance >> 32) as u32 as u64).to_le_bytes(), 4),
                FixupKind::Full64 => (distance.to_le_bytes(), 8),
            };
            patch(&mut sections, ".text", start as usize + fixup.offset as usize, &bytes[..count]);
        }
    }
    let mut relocations = vec![];
    for (index, variable) in input.variables.iter().enumerate() {
        for address in &variable.addresses {
            let rel = Rel {
                r_offset: variable_addresses[index] + address.offset,
                r_sym: 0,
                r_type: elf::RelocationType(R_AMDGPU_RELATIVE64),
                r_addend: (variable_addresses[address.variable] as i64).wrapping_add(address.addend),
            };
            encoder.relocation(&mut relocations, true, &rel);
        }
    }
    patch(&mut sections, ".rela.dyn", 0, &relocations);
    let mut dynsym = vec![];
    encoder.null_symbol(&mut dynsym);
    for (symbol, name) in dynamic_symbols.iter().zip(&dynstr_at) {
        let (section, value) = (number(&sections, symbol.place.section), address_of(&sections, &symbol.place));
        encoder.symbol(&mut dynsym, &elf_symbol(symbol, *name, section, value));
    }
    patch(&mut sections, ".dynsym", 0, &dynsym);
    let dynamic = dynamic_section(&encoder, &sections, relocation_count)?;
    patch(&mut sections, ".dynamic", 0, &dynamic);
    for (name, link, info) in [
        (".dynsym", ".dynstr", 1),
        (".gnu.hash", ".dynsym", 0),
        (".hash", ".dynsym", 0),
        (".rela.dyn", ".dynsym", 0),
        (".dynamic", ".dynstr", 0),
    ] {
        let link = number(&sections, link);
        if let Some(section) = sections.iter_mut().find(|s| s.name == name) {
            section.link = link;
            section.info = info;
        }
    }

    if let Some(debug) = &input.debug {
        let codes = input.kernels.iter().zip(&code_offsets).map(|(kernel, start)| dwarf::Code {
            name: &kernel.name,
            address: text_address + start,
            bytes: kernel.code.len() as u64,
        });
        for (name, bytes) in dwarf::sections(debug, &codes.collect::<Vec<_>>())? {
            let is_text = matches!(name, ".debug_str" | ".debug_line_str");
            let flags = if is_text { elf::SHF_MERGE | elf::SHF_STRINGS } else { elf::SectionFlags(0) };
            sections.push(Section::new(name, elf::SHT_PROGBITS, flags, 1, bytes).entries(is_text.into()));
        }
    }
    add_unloaded(&mut sections, &symbols, &encoder);
    Ok(file_bytes(input, &encoder, &sections, &segments))
}

/// `.comment`, `.symtab` with its strings, and `.shstrtab`, behind everything that is loaded.
fn add_unloaded(sections: &mut Vec<Section>, symbols: &[Symbol], encoder: &Encoder<Endianness>) {
    let mut comment =
        Section::new(".comment", elf::SHT_PROGBITS, elf::SHF_MERGE | elf::SHF_STRINGS, 1, COMMENT.as_bytes().to_vec());
    comment.entry_size = 1;
    let dynamic = sections.iter().position(|s| s.name == ".dynamic");
    let number = |name: &str| sections.iter().position(|s| s.name == name).map_or(0, |index| index as u32 + 1);
    let address = |name: &str| sections.iter().find(|s| s.name == name).map_or(0, |s| s.address);

    // Local symbols come first; `_DYNAMIC` as the linker defines it.
    let locals: Vec<&Symbol> = symbols.iter().filter(|s| !s.global).collect();
    let globals: Vec<&Symbol> = symbols.iter().filter(|s| s.global).collect();
    let names =
        locals.iter().map(|s| s.name.as_str()).chain(["_DYNAMIC"]).chain(globals.iter().map(|s| s.name.as_str()));
    let (strtab, at) = tables::strings(names);
    let mut symtab = vec![];
    encoder.null_symbol(&mut symtab);
    for (symbol, name) in locals.iter().zip(&at) {
        let value = address(symbol.place.section) + symbol.place.offset;
        encoder.symbol(&mut symtab, &elf_symbol(symbol, *name, number(symbol.place.section), value));
    }
    let dynamic_symbol = Sym {
        section: dynamic.map(|index| index as u32 + 1),
        st_name: at[locals.len()],
        st_info: elf::SymbolInfo::new(elf::STB_LOCAL, elf::STT_NOTYPE),
        st_other: elf::SymbolOther(elf::STV_HIDDEN.0),
        st_shndx: elf::SHN_UNDEF,
        st_value: address(".dynamic"),
        st_size: 0,
    };
    encoder.symbol(&mut symtab, &dynamic_symbol);
    for (symbol, name) in globals.iter().zip(&at[locals.len() + 1..]) {
        let value = address(symbol.place.section) + symbol.place.offset;
        encoder.symbol(&mut symtab, &elf_symbol(symbol, *name, number(symbol.place.section), value));
    }
    let mut symtab = Section::new(".symtab", elf::SHT_SYMTAB, elf::SectionFlags(0), 8, symtab).entries(24);
    symtab.info = locals.len() as u32 + 2;
    symtab.link = sections.len() as u32 + 4;

    sections.push(comment);
    sections.push(symtab);
    let names = sections.iter().map(|s| s.name).chain([".shstrtab", ".strtab"]);
    let (shstrtab, _) = tables::strings(names);
    sections.push(Section::new(".shstrtab", elf::SHT_STRTAB, elf::SectionFlags(0), 1, shstrtab));
    sections.push(Section::new(".strtab", elf::SHT_STRTAB, elf::SectionFlags(0), 1, strtab));

    let mut offset =
        sections.iter().filter(|s| s.flags.0 & elf::SHF_ALLOC.0 != 0).map(|s| s.offset + s.file_size()).max();
    for section in sections.iter_mut().filter(|s| s.flags.0 & elf::SHF_ALLOC.0 == 0) {
        section.offset = offset.unwrap_or(0).next_multiple_of(section.align);
        offset = Some(section.offset + section.file_size());
    }
}

/// Gives sections addresses and offsets, and returns the program headers.
fn place(sections: &mut [Section]) -> Vec<ProgramHeader> {
    // Sections of one LOAD have one flag set; .data and .bss form a fourth, behind the read-only-after-relocation one.
    let load_of = |s: &Section| match s.name {
        ".text" => 1,
        ".dynamic" | ".relro_padding" => 2,
        ".data" | ".bss" => 3,
        _ => 0,
    };
    let loads = 1 + sections.iter().map(load_of).max().unwrap_or(0);
    let headers = 5 + loads as u64; // PHDR, DYNAMIC, RELRO, STACK, NOTE
    let headers_bytes = headers * 56;
    let (mut offset, mut address, mut current) = (64 + headers_bytes, 64 + headers_bytes, 0);
    for section in sections.iter_mut() {
        if load_of(section) != current {
            // A new page in memory, the same place within the page as in the file.
            current = load_of(section);
            address = address.next_multiple_of(PAGE) + offset % PAGE;
        }
        let aligned = address.next_multiple_of(section.align);
        offset += aligned - address;
        address = aligned;
        if section.name == ".relro_padding" {
            section.size = address.next_multiple_of(PAGE) - address;
        }
        (section.offset, section.address) = (offset, address);
        offset += section.file_size();
        address += section.size;
    }

    let header = |p_type, flags: u32, first: &Section, last: &Section, align: u64| {
        let files = last.offset + last.file_size();
        ProgramHeader {
            p_type,
            p_flags: elf::ProgramFlags(flags),
            p_offset: first.offset,
            p_vaddr: first.address,
            p_paddr: first.address,
            p_filesz: files - first.offset,
            p_memsz: last.end() - first.address,
            p_align: align,
        }
    };
    const R: u32 = 4;
    const W: u32 = 2;
    const X: u32 = 1;
    let start = |size: u64, p_type, align| ProgramHeader {
        p_type,
        p_flags: elf::ProgramFlags(R),
        p_offset: 64,
        p_vaddr: 64,
        p_paddr: 64,
        p_filesz: size,
        p_memsz: size,
        p_align: align,
    };
    let mut list = vec![start(headers_bytes, elf::PT_PHDR, 8)];
    for load in 0..loads {
        let members: Vec<&Section> = sections.iter().filter(|s| load_of(s) == load).collect();
        let (Some(first), Some(last)) = (members.first(), members.last()) else { continue };
        let flags = [R, R | X, R | W, R | W][load];
        let mut load_header = header(elf::PT_LOAD, flags, first, last, PAGE);
        if load == 0 {
            // The first LOAD takes the headers in.
            load_header.p_filesz += load_header.p_offset;
            load_header.p_memsz += load_header.p_vaddr;
            (load_header.p_offset, load_header.p_vaddr, load_header.p_paddr) = (0, 0, 0);
        }
        list.push(load_header);
    }
    let by_name = |name: &str| sections.iter().find(|s| s.name == name);
    if let (Some(dynamic), Some(padding), Some(note)) =
        (by_name(".dynamic"), by_name(".relro_padding"), by_name(".note"))
    {
        list.push(header(elf::PT_DYNAMIC, R | W, dynamic, dynamic, 8));
        list.push(header(elf::PT_GNU_RELRO, R, dynamic, padding, 1));
        list.push(ProgramHeader {
            p_type: elf::PT_GNU_STACK,
            p_flags: elf::ProgramFlags(R | W),
            p_offset: 0,
            p_vaddr: 0,
            p_paddr: 0,
            p_filesz: 0,
            p_memsz: 0,
            p_align: 0,
        });
        list.push(header(elf::PT_NOTE, R, note, note, 4));
    }
    list
}

fn file_bytes(
    input: &CodeObjectInput,
    encoder: &Encoder<Endianness>,
    sections: &[Section],
    segments: &[ProgramHeader],
) -> Vec<u8> {
    let end = sections.iter().map(|s| s.offset + s.file_size()).max().unwrap_or(0);
    let section_headers = end.next_multiple_of(8);
    let shstrtab = sections.iter().position(|s| s.name == ".shstrtab").map_or(0, |index| index as u32 + 1);
    let target = &input.target;
    let mut flags = target.machine | (target.xnack as u32) << 8 | (target.sramecc as u32) << 10;
    flags |= (target.generic_version as u32) << 24;
    let header = FileHeader {
        os_abi: elf::OsAbi(64),
        abi_version: input.version as u8,
        e_type: elf::ET_DYN,
        e_machine: elf::EM_AMDGPU,
        e_entry: 0,
        e_flags: elf::FileFlags(flags),
    };
    let layout = FileHeaderLayout {
        e_phoff: 64,
        segment_num: segments.len() as u32,
        e_shoff: section_headers,
        section_num: sections.len() as u32 + 1,
        shstrtab_index: shstrtab,
    };
    let mut bytes: Vec<u8> = vec![];
    // Cannot fail: the counts fit their fields.
    let _ = encoder.file_header(&mut bytes, &header, &layout);
    for segment in segments {
        encoder.program_header(&mut bytes, segment);
    }
    for section in sections.iter().filter(|s| s.kind != elf::SHT_NOBITS) {
        bytes.resize(section.offset as usize, 0);
        bytes.extend(&section.bytes);
    }
    bytes.resize(section_headers as usize, 0);
    encoder.null_section_header(&mut bytes, &layout);
    let (_, names) = tables::strings(sections.iter().map(|s| s.name));
    for (section, name) in sections.iter().zip(names) {
        encoder.section_header(
            &mut bytes,
            &SectionHeader {
                sh_name: name,
                sh_type: section.kind,
                sh_flags: section.flags,
                sh_addr: section.address,
                sh_offset: section.offset,
                sh_size: section.size,
                sh_link: section.link,
                sh_info: section.info,
                sh_addralign: section.align,
                sh_entsize: section.entry_size,
            },
        );
    }
    bytes
}

fn patch(sections: &mut [Section], name: &str, at: usize, bytes: &[u8]) {
    if let Some(section) = sections.iter_mut().find(|s| s.name == name) {
        section.bytes[at..at + bytes.len()].copy_from_slice(bytes);
    }
}

/// The code of all kernels with its gaps filled, and where each starts.
fn text_bytes(input: &CodeObjectInput) -> (Vec<u8>, Vec<u64>) {
    let (mut text, mut offsets) = (vec![], vec![]);
    let fill = |text: &mut Vec<u8>, align: usize, word: u32| {
        while !text.len().is_multiple_of(align.max(4)) {
            text.extend(word.to_le_bytes());
        }
    };
    for kernel in &input.kernels {
        fill(&mut text, CODE_ALIGN as usize, input.padding.gap_word);
        offsets.push(text.len() as u64);
        text.extend(&kernel.code);
    }
    if !text.is_empty() {
        fill(&mut text, input.padding.end_align_bytes as usize, input.padding.end_word);
        for _ in 0..input.padding.end_words {
            text.extend(input.padding.end_word.to_le_bytes());
        }
    }
    (text, offsets)
}

/// `inst_pref_size` of a kernel: all of its 128-byte lines, as far as the field holds them; 0 where there is none.
pub fn inst_pref_size(code_bytes: u32, family: Family) -> u32 {
    let most_lines = match family {
        Family::Gfx11 => 63,
        Family::Gfx12 | Family::Gfx125 => 255,
        _ => 0,
    };
    code_bytes.div_ceil(128).min(most_lines)
}

fn fill_descriptor(kernel: &KernelInput, family: Family, code: u64, descriptor: u64) -> Result<[u8; 64], WriteError> {
    let mut d: Descriptor = kernel.descriptor;
    d.set_registers(family, kernel.vgprs, kernel.agprs, kernel.sgprs);
    d.entry_offset = code as i64 - descriptor as i64;
    d.inst_pref_size = inst_pref_size(kernel.code.len() as u32, family);
    d.pack(family).map_err(|e| WriteError(format!("kernel `{}`: {e}", kernel.name)))
}

struct PlacedVariables {
    places: Vec<Place>,
    rodata: Vec<u8>,
    rodata_align: u64,
    data: Vec<u8>,
    data_align: u64,
    bss_bytes: u64,
    bss_align: u64,
}

fn place_variables(variables: &[Variable]) -> PlacedVariables {
    let mut placed = PlacedVariables {
        places: vec![],
        rodata: vec![],
        rodata_align: 1,
        data: vec![],
        data_align: 1,
        bss_bytes: 0,
        bss_align: 1,
    };
    for variable in variables {
        let size = content_size(&variable.content);
        let is_zero = matches!(variable.content, Content::Zero(_)) && variable.addresses.is_empty();
        let (section, bytes, align) = match variable.kind {
            VariableKind::Constant if variable.addresses.is_empty() => {
                (".rodata", &mut placed.rodata, &mut placed.rodata_align)
            }
            VariableKind::ReadWrite if is_zero => {
                placed.bss_align = placed.bss_align.max(variable.align_bytes);
                let offset = placed.bss_bytes.next_multiple_of(variable.align_bytes);
                placed.bss_bytes = offset + size;
                placed.places.push(Place { section: ".bss", offset });
                continue;
            }
            _ => (".data", &mut placed.data, &mut placed.data_align),
        };
        *align = (*align).max(variable.align_bytes);
        bytes.resize(bytes.len().next_multiple_of(variable.align_bytes as usize), 0);
        placed.places.push(Place { section, offset: bytes.len() as u64 });
        match &variable.content {
            Content::Bytes(content) => bytes.extend(content),
            Content::Zero(count) => bytes.resize(bytes.len() + *count as usize, 0),
        }
    }
    placed
}

pub(super) fn content_size(content: &Content) -> u64 {
    match content {
        Content::Bytes(bytes) => bytes.len() as u64,
        Content::Zero(count) => *count,
    }
}

fn note(description: &[u8]) -> Vec<u8> {
    let mut note = vec![];
    for word in [7u32, description.len() as u32, NT_AMDGPU_METADATA] {
        note.extend(word.to_le_bytes());
    }
    note.extend(b"AMDGPU\0\0");
    note.extend(description);
    note.resize(note.len().next_multiple_of(4), 0);
    note
}

fn dynamic_section(
    encoder: &Encoder<Endianness>,
    sections: &[Section],
    relocation_count: u64,
) -> Result<Vec<u8>, WriteError> {
    let find = |name: &str| sections.iter().find(|s| s.name == name).map_or((0, 0), |s| (s.address, s.size));
    let mut tags = vec![];
    if relocation_count > 0 {
        let (address, size) = find(".rela.dyn");
        tags.extend([(elf::DT_RELA, address), (elf::DT_RELASZ, size), (elf::DT_RELAENT, 24)]);
        tags.push((elf::DT_RELACOUNT, relocation_count));
    }
    tags.extend([(elf::DT_SYMTAB, find(".dynsym").0), (elf::DT_SYMENT, 24)]);
    tags.extend([(elf::DT_STRTAB, find(".dynstr").0), (elf::DT_STRSZ, find(".dynstr").1)]);
    tags.extend([(elf::DT_GNU_HASH, find(".gnu.hash").0), (elf::DT_HASH, find(".hash").0), (elf::DT_NULL, 0)]);
    let mut bytes: Vec<u8> = vec![];
    for (tag, value) in tags {
        encoder.dynamic(&mut bytes, tag, value).map_err(|e| WriteError(e.to_string()))?;
    }
    Ok(bytes)
}

fn elf_symbol(symbol: &Symbol, name: u32, section: u32, value: u64) -> Sym {
    let (bind, visibility) =
        if symbol.global { (elf::STB_GLOBAL, elf::STV_PROTECTED) } else { (elf::STB_LOCAL, elf::STV_HIDDEN) };
    Sym {
        section: Some(section),
        st_name: name,
        st_info: elf::SymbolInfo::new(bind, symbol.kind),
        st_other: elf::SymbolOther(visibility.0),
        st_shndx: elf::SHN_UNDEF,
        st_value: value,
        st_size: symbol.size,
    }
}
