//! Who wrote a byte of global memory last.

use crate::diag::Span;
use crate::eval::{self, Access, Launch, Place, Program, Touch, Watch, Who};

/// A store, with the thread that executed it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub span: Span,
    /// Linear, within the block.
    pub thread: u32,
    /// Linear.
    pub block: u32,
}

struct LastWriter {
    address: u64,
    found: Option<Origin>,
}

impl Watch for LastWriter {
    const ACTIVE: bool = true;

    fn touch(&mut self, who: Who, touch: Touch, place: Place, bytes: u32, _: &Access) {
        if let Place::Global(at) = place
            && touch != Touch::Read
            && self.address.wrapping_sub(at) < bytes.into()
        {
            self.found = Some(Origin { span: who.span, thread: who.thread, block: who.block });
        }
    }
}

/// Interprets the launch once more and watches the address.
pub fn find(program: &Program, launch: &Launch, address: u64) -> Option<Origin> {
    let mut watch = LastWriter { address, found: None };
    eval::launch_watched(program, launch, &mut watch).ok()?;
    watch.found
}
