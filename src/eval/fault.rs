//! What goes wrong in a launch, and where: a fault ends it, a finding of the sanitizer does not.

use crate::diag::{Diag, Span, codes};
use std::fmt;

/// A fault or finding with its place: statement, thread and block.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    pub kernel: String,
    /// `Span::NONE` before the first instruction.
    pub span: Span,
    /// `%tid` and `%ctaid`.
    pub thread: Option<([u32; 3], [u32; 3])>,
    /// The other access of a race.
    pub other: Option<Other>,
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Other {
    pub span: Span,
    pub thread: [u32; 3],
    pub block: [u32; 3],
    pub write: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Memory {
    Global,
    Shared,
    Local,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FaultKind {
    /// No buffer, variable or window holds all the bytes.
    OutOfBounds {
        memory: Memory,
        address: u64,
        bytes: u32,
        write: bool,
        near: String,
    },
    Misaligned {
        memory: Memory,
        address: u64,
        align: u32,
    },
    ReadOnly {
        address: u64,
        near: String,
    },
    Trap,
    /// `brx.idx` beyond its list.
    BranchIndex {
        index: u64,
        targets: usize,
    },
    /// A call through a register that holds no function's address.
    NoFunction(u64),
    CallDepth,
    /// The executing thread is not in its own membermask.
    NotAMember {
        mask: u32,
        lane: u32,
    },
    /// Nothing can run, and something has not ended.
    Deadlock(String),
    BarrierNumber(u64),
    StepLimit(u64),
    /// The launch itself is impossible.
    Launch(String),
    /// Two threads access a byte without order between them, and one of them writes.
    Race {
        memory: Memory,
        at: String,
        write: bool,
    },
    Uninitialised {
        memory: Memory,
        at: String,
    },
    UninitialisedRegister,
    /// Threads of one warp came to a barrier at different instructions.
    DivergentBarrier,
    /// A `shfl` took its value from a thread that takes no part.
    AbsentSource {
        lane: u32,
    },
    /// A thread waits here for one that executes this very instruction with another membermask.
    OverlappingMasks {
        waits: u32,
        executes: u32,
    },
}

impl Fault {
    pub(super) fn new(kind: FaultKind) -> Box<Fault> {
        Box::new(Fault { kind, kernel: String::new(), span: Span::NONE, thread: None, other: None })
    }

    /// Without a place.
    pub fn of(kind: FaultKind) -> Box<Fault> {
        Fault::new(kind)
    }

    pub(super) fn launch(message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Launch(message.into()))
    }

    /// With an excerpt of the source.
    pub fn diag(&self) -> Diag {
        let mut message = format!("kernel `{}`: {}", self.kernel, self.kind);
        if let Some((thread, block)) = self.thread {
            message += &format!(", thread {} of block {}", dims(thread), dims(block));
        }
        let diag = Diag::error(codes::UNDEFINED, self.span, message);
        match self.other {
            Some(other) => {
                let verb = if other.write { "written" } else { "read" };
                let text = format!("{verb} here by thread {} of block {}", dims(other.thread), dims(other.block));
                diag.label(other.span, text)
            }
            None => diag,
        }
    }
}

fn dims([x, y, z]: [u32; 3]) -> String {
    format!("({x}, {y}, {z})")
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Memory::Global => "global",
            Memory::Shared => "shared",
            Memory::Local => "local",
        })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfBounds { memory, address, bytes, write, near } => {
                let what = if *write { "write" } else { "read" };
                write!(f, "{what} of {bytes} bytes at {memory} address {address:#x} is out of bounds ({near})")
            }
            FaultKind::Misaligned { memory, address, align } => {
                write!(f, "{memory} address {address:#x} is not a multiple of {align}")
            }
            FaultKind::ReadOnly { address, near } => write!(f, "write to read-only memory at {address:#x} ({near})"),
            FaultKind::Trap => f.write_str("trap"),
            FaultKind::BranchIndex { index, targets } => write!(f, "branch index {index} of {targets} targets"),
            FaultKind::NoFunction(address) => write!(f, "{address:#x} is no function's address"),
            FaultKind::CallDepth => f.write_str("calls are nested too deeply"),
            FaultKind::NotAMember { mask, lane } => {
                write!(f, "lane {lane} executes this, but its membermask {mask:#010x} is without it")
            }
            FaultKind::Deadlock(who) => write!(f, "nothing can run: {who}"),
            FaultKind::BarrierNumber(number) => write!(f, "there is no barrier {number}: 0 to 15 exist"),
            FaultKind::StepLimit(limit) => write!(f, "still running after {limit} instructions"),
            FaultKind::Launch(why) => f.write_str(why),
            FaultKind::Race { memory, at, write } => {
                let what = if *write { "write to" } else { "read of" };
                write!(f, "race: {what} {memory} memory at {at}")
            }
            FaultKind::Uninitialised { memory, at } => {
                write!(f, "read of {memory} memory that nothing has written, at {at}")
            }
            FaultKind::UninitialisedRegister => f.write_str("read of a register that nothing has written"),
            FaultKind::DivergentBarrier => {
                f.write_str("threads of one warp came to this aligned barrier at different instructions")
            }
            FaultKind::AbsentSource { lane } => {
                write!(f, "the value comes from lane {lane}, which takes no part")
            }
            FaultKind::OverlappingMasks { waits, executes } => {
                write!(f, "membermasks {waits:#010x} and {executes:#010x} of this instruction overlap and differ")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let diag = self.diag();
        f.write_str(&diag.message)?;
        if !self.span.is_none() {
            write!(f, " (bytes {} to {} of the source)", self.span.start, self.span.end)?;
        }
        diag.labels.iter().try_for_each(|label| write!(f, "; {}", label.text))
    }
}

impl std::error::Error for Fault {}
