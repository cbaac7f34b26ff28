//! What a translation is asked for and what it gives.

use crate::amd::Target;

/// What to translate for, and how.
#[derive(Clone, Debug)]
pub struct Options {
    pub target: Target,
    /// Only these entries and what they reach; `None` is all of them.
    pub kernels: Option<Vec<String>>,
    /// Code object version: 4, 5 or 6. A generic target needs 6.
    pub code_object_version: u8,
    /// The largest work-group that a kernel without `.maxntid`/`.reqntid` will be launched with, work-items. Fewer
    /// leave more registers for each.
    pub max_block: u32,
    /// Whether the code object has DWARF line tables, and assembly text `.loc` directives.
    pub debug: Debug,
    /// What debug information calls the PTX: its path.
    pub source_name: String,
}

/// What the lines of debug information are lines of.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Debug {
    /// No debug information.
    #[default]
    None,
    /// The PTX.
    Ptx,
    /// What the PTX was compiled from, as its `.file` and `.loc` directives say. Code without them has lines of the PTX.
    Source,
}

impl Options {
    /// Every kernel, code object V5 (V6 for a generic target), work-groups up to 1024 work-items, no debug information.
    pub fn new(target: Target) -> Options {
        let code_object_version = if target.is_generic() { 6 } else { 5 };
        Options {
            target,
            kernels: None,
            code_object_version,
            max_block: 1024,
            debug: Debug::None,
            source_name: "kernel.ptx".into(),
        }
    }
}

/// A loadable code object (`.hsaco`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeObject {
    pub(crate) bytes: Vec<u8>,
}

impl CodeObject {
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}
