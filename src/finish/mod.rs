//! Physical MIR in its final order to bytes.
//!
//! The order of the passes matters: MODE switches and short encodings first, since hazards and waits look at what will really be
//! there; then waits, then hazards (which count the waits as time), then distances.

mod entry;
mod flow;
pub mod hazards;
mod layout;
mod mode;
mod shrink;
pub mod waits;

use crate::amd::{self, Target};
use crate::diag::{Diag, Span};
use crate::mir::MirFunc;

/// A finished kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Code {
    pub bytes: Vec<u8>,
    /// Places that hold the distance to a variable.
    pub fixups: Vec<Fixup>,
    /// Every instruction with the byte offset it stands at; a branch names its target block as [`amd::Operand::Label`].
    pub insts: Vec<Line>,
    /// Where each block starts: block number and byte offset, in layout order.
    pub blocks: Vec<(u32, u32)>,
    /// Highest VGPR that an operand names, plus 1.
    pub vgprs_used: u32,
    /// Highest SGPR that an operand names, plus 1.
    pub sgprs_used: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    pub offset: u32,
    pub inst: amd::Inst,
    pub span: Span,
}

/// The low 32 bits of `address(global) + addend - address(code[pc_offset])`, into the 4 bytes at `offset`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Fixup {
    pub offset: u32,
    pub pc_offset: u32,
    pub global: u32,
    pub addend: i64,
}

/// Finishes a kernel. Needs: no virtual registers, no pseudo instructions but `GlobalAddr`, `Terminator::Linear` everywhere.
pub fn run(func: &mut MirFunc, target: &Target) -> Result<Code, Vec<Diag>> {
    entry::insert(func, target).map_err(|diag| vec![diag])?;
    verify(func, target, "entry");
    mode::insert(func, target);
    verify(func, target, "mode");
    shrink::shrink(func, target);
    verify(func, target, "shrink");
    waits::insert(func, target);
    verify(func, target, "waits");
    hazards::insert(func, target);
    verify(func, target, "hazards");
    let code = layout::assemble(func, target)?;
    if cfg!(debug_assertions) {
        check(&code, target);
    }
    Ok(code)
}

fn verify(func: &MirFunc, target: &Target, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(text) = crate::mir::verify::verify(func, target)
    {
        panic!("after {pass}: {text}");
    }
}

/// What `amd::hazard` finds in the bytes is a bug of ours.
fn check(code: &Code, target: &Target) {
    let found = amd::hazard::read(&code.bytes, target)
        .and_then(|steps| amd::hazard::check(&steps, code.vgprs_used, target).map_err(|fault| fault.to_string()));
    if let Err(text) = found {
        let list: Vec<String> = code.insts.iter().map(|l| format!("{:#x}: {:?}", l.offset, l.inst)).collect();
        panic!("{text}\n{}", list.join("\n"));
    }
}
