//! Reads a code object, ours or anybody's, and never trusts a byte of it.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "ELF Code Object". goblin reads the ELF, [`metadata`] the note. A kernel is
//! what the metadata lists; its descriptor and code are found by symbol, as the loader finds them.

use super::metadata::{self, KernelMetadata};
use super::{ReadError, Setting, Version};
use goblin::elf::{Elf, header, program_header, sym};

/// Loaded images above this are refused: nothing real comes near.
const MAX_IMAGE_BYTES: u64 = 1 << 32;

#[derive(Clone, PartialEq, Debug)]
pub struct CodeObject {
    pub version: Version,
    /// Target id without the triple: `gfx942:xnack-`.
    pub target: String,
    pub machine: u32,
    pub generic_version: u8,
    pub xnack: Setting,
    pub sramecc: Setting,
    pub segments: Vec<Segment>,
    pub symbols: Vec<Symbol>,
    pub relocations: Vec<Relocation>,
    pub kernels: Vec<Kernel>,
}

/// A PT_LOAD segment. Bytes beyond `bytes` up to `memory_bytes` are zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    pub address: u64,
    pub bytes: Vec<u8>,
    pub memory_bytes: u64,
    pub writable: bool,
    pub executable: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SymbolKind {
    Function,
    Object,
    Other,
}

/// A defined symbol of the dynamic symbol table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: String,
    pub address: u64,
    pub size: u64,
    pub kind: SymbolKind,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum RelocationKind {
    /// The low 32 bits of symbol + addend.
    Abs32,
    Abs64,
    /// Load address + addend.
    Relative64,
}

/// A dynamic relocation: what the loader writes at `address`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relocation {
    pub address: u64,
    pub kind: RelocationKind,
    /// Address of the symbol, 0 for `Relative64`; `None` when nothing in the object defines it.
    pub symbol_address: Option<u64>,
    pub symbol: String,
    pub addend: i64,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Kernel {
    pub name: String,
    pub descriptor_address: u64,
    pub descriptor: [u8; 64],
    /// Address of the first instruction.
    pub entry_address: u64,
    /// Size of the function symbol, 0 when there is none.
    pub code_bytes: u64,
    pub metadata: KernelMetadata,
}

impl CodeObject {
    pub fn kernel(&self, name: &str) -> Option<&Kernel> {
        self.kernels.iter().find(|k| k.name == name)
    }

    /// `bytes` bytes of the loaded image before relocation; `None` outside the segments.
    pub fn image(&self, address: u64, bytes: u64) -> Option<Vec<u8>> {
        let end = address.checked_add(bytes)?;
        let segment = self.segments.iter().find(|s| s.address <= address && end - s.address <= s.memory_bytes)?;
        let start = (address - segment.address) as usize;
        let mut found: Vec<u8> = segment.bytes.iter().skip(start).take(bytes as usize).copied().collect();
        found.resize(bytes as usize, 0);
        Some(found)
    }
}

/// Reads a code object of version 4, 5 or 6.
pub fn read(bytes: &[u8]) -> Result<CodeObject, ReadError> {
    let fail = |message: String| Err(ReadError(message));
    if bytes.get(..4) != Some(b"\x7fELF") {
        return fail("it does not start as an ELF file does".into());
    }
    let elf = Elf::parse(bytes).map_err(|e| ReadError(format!("ELF: {e}")))?;
    let ident = &elf.header.e_ident;
    if elf.header.e_machine != 224 || !elf.is_64 || !elf.little_endian {
        return fail(format!("it is an ELF file for machine {}, not for AMDGPU (224)", elf.header.e_machine));
    }
    if ident[header::EI_OSABI] != 64 {
        return fail(format!("OS ABI {} is not AMDGPU_HSA (64)", ident[header::EI_OSABI]));
    }
    if elf.header.e_type != header::ET_DYN {
        return fail("it is not linked: e_type is not ET_DYN".into());
    }
    let version = match ident[header::EI_ABIVERSION] {
        2 => Version::V4,
        3 => Version::V5,
        4 => Version::V6,
        other => return fail(format!("ABI version {other} is not one of 2, 3, 4 (code object V4, V5, V6)")),
    };
    let flags = elf.header.e_flags;
    let segments = read_segments(&elf, bytes)?;
    let symbols = read_symbols(&elf);
    let relocations = read_relocations(&elf)?;
    let metadata = read_note(&elf, bytes)?;
    let minor = if version == Version::V4 { 1 } else { 2 };
    if metadata.version != [1, minor] {
        return fail(format!("metadata version {:?} does not belong to {version:?}", metadata.version));
    }
    let target = match metadata.target.split_once("--") {
        Some((_, id)) if !id.is_empty() => id.to_owned(),
        _ => return fail(format!("metadata: `amdhsa.target` is `{}`", metadata.target)),
    };
    let mut object = CodeObject {
        version,
        target,
        machine: flags & 0xff,
        generic_version: (flags >> 24) as u8,
        xnack: setting(flags >> 8 & 3),
        sramecc: setting(flags >> 10 & 3),
        segments,
        symbols,
        relocations,
        kernels: vec![],
    };
    for kernel in metadata.kernels {
        let kernel = read_kernel(&object, kernel)?;
        object.kernels.push(kernel);
    }
    Ok(object)
}

fn setting(bits: u32) -> Setting {
    [Setting::Unsupported, Setting::Any, Setting::Off, Setting::On][bits as usize & 3]
}

fn read_segments(elf: &Elf, bytes: &[u8]) -> Result<Vec<Segment>, ReadError> {
    let mut segments = vec![];
    let mut total = 0u64;
    for header in elf.program_headers.iter().filter(|h| h.p_type == program_header::PT_LOAD) {
        let range = header.p_offset.checked_add(header.p_filesz).map(|end| (header.p_offset as usize, end as usize));
        let content = range
            .and_then(|(start, end)| bytes.get(start..end))
            .ok_or_else(|| ReadError(format!("segment at {:#x} reaches beyond the file", header.p_vaddr)))?;
        total = total.saturating_add(header.p_memsz);
        let fits = header.p_vaddr.checked_add(header.p_memsz).is_some_and(|end| end <= MAX_IMAGE_BYTES);
        if header.p_memsz < header.p_filesz || !fits || total > MAX_IMAGE_BYTES {
            return Err(ReadError(format!("segment at {:#x} has impossible sizes", header.p_vaddr)));
        }
        segments.push(Segment {
            address: header.p_vaddr,
            bytes: content.to_vec(),
            memory_bytes: header.p_memsz,
            writable: header.is_write(),
            executable: header.is_executable(),
        });
    }
    Ok(segments)
}

fn read_symbols(elf: &Elf) -> Vec<Symbol> {
    elf.dynsyms
        .iter()
        .filter(|s| s.st_shndx != 0)
        .filter_map(|s| {
            let name = elf.dynstrtab.get_at(s.st_name)?;
            let kind = match s.st_type() {
                sym::STT_FUNC => SymbolKind::Function,
                sym::STT_OBJECT => SymbolKind::Object,
                _ => SymbolKind::Other,
            };
            Some(Symbol { name: name.to_owned(), address: s.st_value, size: s.st_size, kind })
        })
        .collect()
}

fn read_relocations(elf: &Elf) -> Result<Vec<Relocation>, ReadError> {
    let mut relocations = vec![];
    for rel in elf.dynrelas.iter() {
        let kind = match rel.r_type {
            3 => RelocationKind::Abs64,
            6 => RelocationKind::Abs32,
            13 => RelocationKind::Relative64,
            other => return Err(ReadError(format!("dynamic relocation of type {other} at {:#x}", rel.r_offset))),
        };
        let symbol = elf.dynsyms.get(rel.r_sym);
        let name = symbol.as_ref().and_then(|s| elf.dynstrtab.get_at(s.st_name)).unwrap_or("").to_owned();
        let symbol_address = match kind {
            RelocationKind::Relative64 => Some(0),
            _ => symbol.filter(|s| s.st_shndx != 0).map(|s| s.st_value),
        };
        let addend = rel.r_addend.unwrap_or(0);
        relocations.push(Relocation { address: rel.r_offset, kind, symbol_address, symbol: name, addend });
    }
    Ok(relocations)
}

fn read_note(elf: &Elf, bytes: &[u8]) -> Result<metadata::Metadata, ReadError> {
    for header in elf.program_headers.iter().filter(|h| h.p_type == program_header::PT_NOTE) {
        let end = header.p_offset.saturating_add(header.p_filesz);
        let Some(mut rest) = bytes.get(header.p_offset as usize..end as usize) else { continue };
        // namesz, descsz, type; then name and description, each padded to 4 bytes.
        while rest.len() >= 12 {
            let word = |at: usize| u32::from_le_bytes([rest[at], rest[at + 1], rest[at + 2], rest[at + 3]]) as usize;
            let (name_bytes, description_bytes, kind) = (word(0), word(4), word(8));
            let description_at = 12 + name_bytes.next_multiple_of(4);
            let name = rest.get(12..12 + name_bytes);
            let Some(description) = rest.get(description_at..description_at + description_bytes) else { break };
            if name == Some(b"AMDGPU\0") && kind == 32 {
                return metadata::decode(description);
            }
            rest = rest.get(description_at + description_bytes.next_multiple_of(4)..).unwrap_or(&[]);
        }
    }
    Err(ReadError("it has no AMDGPU metadata note".into()))
}

fn read_kernel(object: &CodeObject, metadata: KernelMetadata) -> Result<Kernel, ReadError> {
    let fail = |message: &str| Err(ReadError(format!("kernel `{}`: {message}", metadata.name)));
    let Some(symbol) = object.symbols.iter().find(|s| s.name == metadata.symbol) else {
        return fail("its descriptor symbol is not in the dynamic symbol table");
    };
    let descriptor: [u8; 64] = match object.image(symbol.address, 64).and_then(|bytes| bytes.try_into().ok()) {
        Some(bytes) if symbol.address % 64 == 0 => bytes,
        _ => return fail("its descriptor is not 64 aligned bytes of a segment"),
    };
    let mut entry = [0; 8];
    entry.copy_from_slice(&descriptor[16..24]);
    let entry_address = symbol.address.wrapping_add(u64::from_le_bytes(entry));
    let in_code = object
        .segments
        .iter()
        .any(|s| s.executable && s.address <= entry_address && entry_address - s.address < s.bytes.len() as u64);
    if !in_code || entry_address % 256 != 0 {
        return fail("its entry is not a multiple of 256 in an executable segment");
    }
    let code = object.symbols.iter().find(|s| s.kind == SymbolKind::Function && s.address == entry_address);
    Ok(Kernel {
        name: metadata.name.clone(),
        descriptor_address: symbol.address,
        descriptor,
        entry_address,
        code_bytes: code.map_or(0, |s| s.size),
        metadata,
    })
}
