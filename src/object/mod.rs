//! Code objects: ELF, kernel descriptors, metadata; written and read.
//!
//! Spec: LLVM "User Guide for AMDGPU Backend", "ELF Code Object", "Code Object V3 to V6 Metadata", "Kernel Descriptor".
//! Takes bytes and plain structs, and knows no instruction: what fills the gaps between kernels comes in as words.
//! `docs/object.md` says where our layout differs from ld.lld's.

mod check;
pub mod descriptor;
mod dwarf;
mod elf;
mod metadata;
mod read;
mod tables;

pub use descriptor::{Descriptor, Family};
pub use dwarf::{DebugInput, KernelLines, Language, LineRow, Place};
pub use elf::{inst_pref_size, write};
pub use metadata::{KernelMetadata, yaml as metadata_yaml};
pub use read::{CodeObject, Kernel, Relocation, RelocationKind, Segment, Symbol, SymbolKind, read};

use std::fmt;

/// Code object version, by its EI_ABIVERSION.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub enum Version {
    V4 = 2,
    #[default]
    V5 = 3,
    V6 = 4,
}

/// A target-ID feature as the `e_flags` fields code it.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Setting {
    #[default]
    Unsupported = 0,
    Any = 1,
    Off = 2,
    On = 3,
}

/// What the file says about its processor.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetInfo {
    /// Canonical target id: `gfx90a:sramecc+:xnack-`.
    pub id: String,
    /// `EF_AMDGPU_MACH`.
    pub machine: u32,
    /// Of a generic target, else 0. Needs [`Version::V6`].
    pub generic_version: u8,
    pub xnack: Setting,
    pub sramecc: Setting,
}

/// Words that fill `.text` where no kernel is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TextPadding {
    /// Between kernels, each of which starts at a multiple of 256 bytes.
    pub gap_word: u32,
    /// After the last kernel: `end_word` up to a multiple of `end_align_bytes`, then `end_words` more of it.
    pub end_word: u32,
    pub end_align_bytes: u32,
    pub end_words: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CodeObjectInput {
    pub version: Version,
    pub target: TargetInfo,
    pub kernels: Vec<KernelInput>,
    pub variables: Vec<Variable>,
    pub padding: TextPadding,
    /// Places in the source, for DWARF sections.
    pub debug: Option<DebugInput>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelInput {
    pub name: String,
    pub code: Vec<u8>,
    pub fixups: Vec<Fixup>,
    /// Registers used: highest number + 1. `sgprs` counts the numbered ones only.
    pub vgprs: u32,
    pub agprs: u32,
    pub sgprs: u32,
    /// Everything but the register fields, `entry_offset` and `inst_pref_size`, which are filled in.
    pub descriptor: Descriptor,
    pub kernarg_align_bytes: u32,
    pub args: Vec<ArgInfo>,
    /// Lanes of a wave.
    pub wave_lanes: u32,
    /// Work-items of the largest work-group.
    pub max_flat_workgroup_size: u32,
    pub reqd_workgroup_size: Option<[u32; 3]>,
    pub sgpr_spill_count: u32,
    pub vgpr_spill_count: u32,
}

/// One entry of `.args`. Offsets and sizes are bytes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ArgInfo {
    pub name: Option<String>,
    pub offset: u32,
    pub size: u32,
    /// `by_value`, `global_buffer`, `dynamic_shared_pointer` or a `hidden_` kind.
    pub value_kind: String,
    /// `global`, `constant`, `local`, `generic`, .. of a pointer.
    pub address_space: Option<String>,
    pub type_name: Option<String>,
}

impl ArgInfo {
    pub fn is_hidden(&self) -> bool {
        self.value_kind.starts_with("hidden_")
    }
}

/// A place in a kernel's code that holds the distance to a variable: bits of
/// `address(variable) + addend - address(code[pc_offset])`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fixup {
    pub kind: FixupKind,
    /// Where the bits go: byte offset into the kernel's code.
    pub offset: u32,
    /// Byte offset that the distance counts from: what `s_getpc_b64` returns, the end of that instruction.
    pub pc_offset: u32,
    /// Index into [`CodeObjectInput::variables`].
    pub variable: usize,
    pub addend: i64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum FixupKind {
    /// Bits [31:0], into 4 bytes.
    Low32,
    /// Bits [63:32], into 4 bytes.
    High32,
    /// All 64 bits, into 8 bytes.
    Full64,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum VariableKind {
    /// `.rodata`, or `.data` when it holds addresses.
    Constant,
    /// `.data`, or `.bss` when it is all zero.
    ReadWrite,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Bytes(Vec<u8>),
    /// So many zero bytes.
    Zero(u64),
}

/// A module-scope variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: VariableKind,
    pub align_bytes: u64,
    pub content: Content,
    /// Whether the host finds it by name.
    pub exported: bool,
    /// 64-bit addresses of variables in its bytes.
    pub addresses: Vec<AddressOf>,
}

/// `variable`'s address plus `addend`, in the 8 bytes at `offset`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AddressOf {
    pub offset: u64,
    pub variable: usize,
    pub addend: i64,
}

/// An input that no code object can express.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WriteError(pub String);

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for WriteError {}

/// Bytes that are no code object we can read, and where they stop being one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError(pub String);

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not a readable code object: {}", self.0)
    }
}
impl std::error::Error for ReadError {}
