//! The state of one thread.

use super::code::{Function, LOCAL_BASE};

pub struct Frame {
    pub function: u32,
    /// Of the caller, behind the call.
    pub pc: u32,
    /// Slots and local memory of the caller begin here.
    pub base: usize,
    /// The call in the caller's list.
    pub call: u32,
}

/// Why a thread does not run.
#[derive(Clone, Debug)]
pub enum Status {
    Ready,
    Done,
    /// At a barrier of the block.
    Barrier,
    /// At an instruction that the warp executes together.
    Warp(Meeting),
}

/// What a thread brings to an instruction of the whole warp.
#[derive(Clone, Debug)]
pub struct Meeting {
    pub function: u32,
    /// Index in [`Function::warp_ops`].
    pub op: u32,
    pub pc: u32,
    pub key: u32,
    pub mask: Option<u32>,
    pub s: [u64; 3],
}

pub struct Thread {
    /// Linear, within the block.
    pub number: u32,
    pub tid: [u32; 3],
    pub slots: Vec<u64>,
    /// The window of the running function.
    pub base: usize,
    pub function: u32,
    pub pc: u32,
    pub frames: Vec<Frame>,
    pub local: Vec<u8>,
    pub status: Status,
    /// Instructions executed.
    pub steps: u64,
}

/// Local memory of nested calls.
pub const MAX_LOCAL_BYTES: usize = 1 << 26;
pub const MAX_CALLS: usize = 1 << 14;
/// What nothing has written.
pub const FILL: u8 = 0xa5;

impl Thread {
    pub fn new(number: u32, tid: [u32; 3]) -> Thread {
        Thread {
            number,
            tid,
            slots: vec![],
            base: 0,
            function: 0,
            pc: 0,
            frames: vec![],
            local: vec![],
            status: Status::Ready,
            steps: 0,
        }
    }

    pub fn lane(&self) -> u32 {
        self.number % 32
    }

    pub fn warp(&self) -> u32 {
        self.number / 32
    }

    /// At the beginning of a kernel, whatever it did before.
    pub fn restart(&mut self, number: u32, function: &Function, template: &[u64]) {
        self.number = number;
        self.slots.clear();
        self.local.clear();
        self.frames.clear();
        self.status = Status::Ready;
        self.steps = 0;
        self.enter(0, function, template);
    }

    /// A new window behind the present one.
    pub fn enter(&mut self, number: u32, function: &Function, template: &[u64]) {
        self.base = self.slots.len();
        self.slots.extend_from_slice(template);
        let local_base = self.local.len().next_multiple_of(16);
        self.local.resize(local_base + function.local_bytes as usize, FILL);
        self.slots[self.base + LOCAL_BASE as usize] = local_base as u64;
        (self.function, self.pc) = (number, 0);
    }

    /// Drops the present window.
    pub fn leave(&mut self, frame: &Frame) {
        let local_base = self.slots[self.base + LOCAL_BASE as usize] as usize;
        self.local.truncate(local_base);
        self.slots.truncate(self.base);
        (self.function, self.pc, self.base) = (frame.function, frame.pc, frame.base);
    }
}
