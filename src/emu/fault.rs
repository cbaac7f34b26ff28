//! What stops a launch, and where.

use std::fmt;

/// A launch that did not end well. Everything known about the place is filled in as the fault travels outwards.
#[derive(Clone, PartialEq, Debug)]
pub struct Fault {
    pub kind: FaultKind,
    pub kernel: String,
    /// Address of the instruction; `None` before the first one.
    pub pc: Option<u64>,
    /// Bytes from the start of the kernel's code to `pc`.
    pub code_offset: Option<u64>,
    /// The instruction as the assembler writes it.
    pub instruction: Option<String>,
    pub lane: Option<u32>,
    /// Work-group, and wave within it.
    pub wave: Option<([u32; 3], u32)>,
}

/// The memory that an access went to.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Space {
    Global,
    Lds,
    Scratch,
}

#[derive(Clone, PartialEq, Debug)]
pub enum FaultKind {
    /// No allocation holds all the bytes.
    OutOfBounds {
        space: Space,
        address: u64,
        bytes: u32,
        write: bool,
        near: String,
    },
    Misaligned {
        space: Space,
        address: u64,
        align: u32,
    },
    ReadOnly {
        address: u64,
        near: String,
    },
    /// The bytes at `pc` are no instruction of this target.
    Undecodable(String),
    /// An instruction or an operand of it that the emulator has no meaning for.
    Unsupported(String),
    /// A register that the descriptor did not ask for.
    BeyondRegisters(String),
    /// A register read, or written, while an earlier memory instruction may still write it.
    MissingWait(String),
    /// Instructions that come too close for the hardware; found before anything runs.
    Hazard(String),
    /// `s_trap`, with its number.
    Trap(u32),
    /// Control left the code.
    LostPc,
    /// Barrier signal and wait do not pair up.
    Barrier(String),
    /// Nothing can run and something has not ended.
    Deadlock,
    /// Every wave is as it was before, and so is memory: they would go on for ever.
    Spinning,
    StepLimit(u64),
    /// The launch itself is impossible: sizes, registers, LDS, arguments.
    Launch(String),
}

impl Fault {
    pub(super) fn new(kind: FaultKind) -> Box<Fault> {
        Box::new(Fault {
            kind,
            kernel: String::new(),
            pc: None,
            code_offset: None,
            instruction: None,
            lane: None,
            wave: None,
        })
    }

    pub(super) fn launch(message: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Launch(message.into()))
    }

    pub(super) fn unsupported(what: impl Into<String>) -> Box<Fault> {
        Fault::new(FaultKind::Unsupported(what.into()))
    }

    pub(super) fn at_lane(mut self: Box<Fault>, lane: u32) -> Box<Fault> {
        self.lane = Some(lane);
        self
    }
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Space::Global => "memory",
            Space::Lds => "LDS",
            Space::Scratch => "scratch",
        })
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FaultKind::OutOfBounds { space, address, bytes, write, near } => {
                let what = if *write { "write" } else { "read" };
                write!(f, "{what} of {bytes} bytes at {space} address {address:#x} is out of bounds ({near})")
            }
            FaultKind::Misaligned { space, address, align } => {
                write!(f, "{space} address {address:#x} is not a multiple of {align}")
            }
            FaultKind::ReadOnly { address, near } => write!(f, "write to read-only memory at {address:#x} ({near})"),
            FaultKind::Undecodable(why) => write!(f, "no instruction: {why}"),
            FaultKind::Unsupported(what) => write!(f, "the emulator cannot execute this: {what}"),
            FaultKind::BeyondRegisters(what) => f.write_str(what),
            FaultKind::MissingWait(what) | FaultKind::Hazard(what) => f.write_str(what),
            FaultKind::Trap(number) => write!(f, "s_trap {number}"),
            FaultKind::LostPc => f.write_str("the program counter left the code"),
            FaultKind::Barrier(what) => f.write_str(what),
            FaultKind::Deadlock => f.write_str("all remaining waves wait at a barrier that cannot complete"),
            FaultKind::Spinning => {
                f.write_str("all remaining waves repeat themselves, waiting for what none of them will do")
            }
            FaultKind::StepLimit(limit) => write!(f, "still running after {limit} instructions"),
            FaultKind::Launch(why) => f.write_str(why),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "kernel `{}`: {}", self.kernel, self.kind)?;
        if let Some(instruction) = &self.instruction {
            write!(f, "\n  in `{instruction}`")?;
        }
        if let Some(pc) = self.pc {
            write!(f, " at pc {pc:#x}")?;
        }
        if let Some(offset) = self.code_offset {
            write!(f, " (kernel + {offset:#x})")?;
        }
        if let Some(([x, y, z], wave)) = self.wave {
            write!(f, ", work-group ({x}, {y}, {z}), wave {wave}")?;
        }
        if let Some(lane) = self.lane {
            write!(f, ", lane {lane}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}
