//! The state of one wave: registers, masks, MODE.

use super::waits::Waits;
use crate::amd::lane::FloatMode;
use crate::amd::reg::File;

/// Scalar registers have one array; this is where each file starts. Null, SCC and the apertures are not in it.
pub mod slot {
    pub const VCC: u16 = 106;
    pub const TTMP: u16 = 108;
    pub const FLAT_SCRATCH: u16 = 124;
    pub const XNACK_MASK: u16 = 126;
    pub const M0: u16 = 128;
    pub const EXEC: u16 = 130;
    pub const COUNT: usize = 132;
}

/// The slot of a scalar register; `None` of a file that is no storage.
pub fn slot_of(file: File, index: u16) -> Option<u16> {
    let (base, count) = match file {
        File::Sgpr => (0, slot::VCC),
        File::Vcc => (slot::VCC, 2),
        File::Ttmp => (slot::TTMP, 16),
        File::FlatScratch => (slot::FLAT_SCRATCH, 2),
        File::XnackMask => (slot::XNACK_MASK, 2),
        File::M0 => (slot::M0, 1),
        File::Exec => (slot::EXEC, 2),
        File::Vgpr
        | File::Agpr
        | File::Null
        | File::Scc
        | File::SharedBase
        | File::SharedLimit
        | File::PrivateBase
        | File::PrivateLimit
        | File::FlatScratchBase => return None,
    };
    (index < count).then_some(base + index)
}

/// How a register that nothing has written reads.
pub fn garbage(seed: u64) -> u32 {
    // splitmix64, so that neighbours differ in every bit.
    let mut z = seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ z >> 31) as u32
}

pub struct Wave {
    /// Number within the work-group.
    pub number: u32,
    pub lanes: u32,
    pub pc: u64,
    /// `vgprs[register * lanes + lane]`; AGPRs follow the VGPRs.
    pub vgprs: Vec<u32>,
    pub scalars: [u32; slot::COUNT],
    pub scc: bool,
    /// MODE: [3:0] rounding, [7:4] denormals, 8 DX10_CLAMP, 9 IEEE.
    pub mode: u32,
    /// `scratch[lane * bytes_per_lane + offset]`.
    pub scratch: Vec<u8>,
    pub waits: Waits,
    pub ended: bool,
    /// The barrier phase that this wave has signalled and not yet waited for.
    pub signalled: Option<u64>,
    /// Stopped at a barrier wait of `signalled`.
    pub waiting: bool,
    pub instructions: u64,
}

/// All that decides what a wave does next, beside memory.
pub struct Snapshot {
    pc: u64,
    scalars: [u32; slot::COUNT],
    vgprs: Vec<u32>,
    scc: bool,
    mode: u32,
    stands: (bool, Option<u64>, bool),
}

impl Wave {
    pub fn snapshot(&self) -> Snapshot {
        let stands = (self.ended, self.signalled, self.waiting);
        let (scalars, vgprs) = (self.scalars, self.vgprs.clone());
        Snapshot { pc: self.pc, scalars, vgprs, scc: self.scc, mode: self.mode, stands }
    }

    pub fn is_as(&self, other: &Snapshot) -> bool {
        self.pc == other.pc
            && (self.scc, self.mode) == (other.scc, other.mode)
            && (self.ended, self.signalled, self.waiting) == other.stands
            && self.scalars == other.scalars
            && self.vgprs == other.vgprs
    }

    pub fn exec(&self) -> u64 {
        self.mask(slot::EXEC)
    }

    /// A lane mask in a scalar slot: one dword in wave32, two in wave64.
    pub fn mask(&self, slot: u16) -> u64 {
        let low = self.scalars[slot as usize] as u64;
        if self.lanes == 32 { low } else { low | (self.scalars[slot as usize + 1] as u64) << 32 }
    }

    pub fn set_mask(&mut self, slot: u16, mask: u64) {
        self.scalars[slot as usize] = mask as u32;
        if self.lanes == 64 {
            self.scalars[slot as usize + 1] = (mask >> 32) as u32;
        }
    }

    pub fn scalar64(&self, slot: u16) -> u64 {
        self.scalars[slot as usize] as u64 | (self.scalars[slot as usize + 1] as u64) << 32
    }

    pub fn vgpr(&self, register: u16, lane: u32) -> u32 {
        self.vgprs[(register as u32 * self.lanes + lane) as usize]
    }

    pub fn set_vgpr(&mut self, register: u16, lane: u32, value: u32) {
        self.vgprs[(register as u32 * self.lanes + lane) as usize] = value;
    }

    pub fn float_mode(&self) -> FloatMode {
        FloatMode {
            round_f32: (self.mode & 3) as u8,
            round_f64: (self.mode >> 2 & 3) as u8,
            denorm_f32: (self.mode >> 4 & 3) as u8,
            denorm_f64: (self.mode >> 6 & 3) as u8,
            dx10_clamp: self.mode >> 8 & 1 == 1,
            ieee: self.mode >> 9 & 1 == 1,
        }
    }
}

/// The lanes of a mask, lowest first.
pub fn lanes_of(mut mask: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let lane = mask.trailing_zeros();
            mask &= mask - 1;
            lane
        })
    })
}
