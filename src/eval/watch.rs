//! What observes a run: nothing, or one of the tools that stand on the interpreter.

use super::code::{Access, Function, Inst};
use super::fault::Fault;
use crate::diag::Span;

/// Which memory an access goes to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Place {
    /// Address.
    Global(u64),
    /// Offset in the block's shared memory.
    Shared(u32),
    /// Offset in the thread's local memory.
    Local(u32),
}

impl Place {
    pub fn plus(self, bytes: u32) -> Place {
        match self {
            Place::Global(a) => Place::Global(a.wrapping_add(bytes.into())),
            Place::Shared(a) => Place::Shared(a.wrapping_add(bytes)),
            Place::Local(a) => Place::Local(a.wrapping_add(bytes)),
        }
    }
}

/// Who does something, and where in the program.
#[derive(Copy, Clone, Debug)]
pub struct Who {
    /// Linear, within the block.
    pub thread: u32,
    /// Linear.
    pub block: u32,
    pub span: Span,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Touch {
    Read,
    Write,
    Atomic,
}

/// Hooks of the interpreter. All are called only where `ACTIVE` is set.
pub trait Watch {
    const ACTIVE: bool;

    /// Before a guard is looked at.
    fn guard(&mut self, _who: Who, _function: &Function, _slot: u32, _base: usize) {}
    /// Before an instruction whose guard is true; `slots` is the frame's window, `base` where it begins in the thread.
    fn step(&mut self, _who: Who, _function: &Function, _inst: &Inst, _slots: &[u64], _base: usize) {}
    /// Behind an instruction: the slot that it wrote, and the value.
    fn wrote(&mut self, _who: Who, _slot: u32, _base: usize, _value: u64) {}
    fn touch(&mut self, _who: Who, _touch: Touch, _place: Place, _bytes: u32, _access: &Access) {}
    /// Bytes of local memory have got an argument or result.
    fn passed(&mut self, _who: Who, _at: u32, _bytes: u32) {}
    fn fence(&mut self, _who: Who) {}
    /// A window begins at `base`; a copied argument follows by `wrote`.
    fn enter(&mut self, _who: Who, _function: &Function, _base: usize) {}
    /// These threads have met; `sites` are the places where each came to the barrier.
    fn barrier(&mut self, _block: u32, _threads: &[u32], _sites: &[(u32, Span)], _aligned: bool) {}
    fn warp_met(&mut self, _block: u32, _threads: &[u32]) {}
    /// Something undefined that does not stop the run.
    fn finding(&mut self, _who: Who, _fault: &Fault) {}
    fn block_begins(&mut self, _block: u32, _threads: u32, _shared_bytes: u32) {}
}

/// Nobody watches.
pub struct Nobody;

impl Watch for Nobody {
    const ACTIVE: bool = false;
}
