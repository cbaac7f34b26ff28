//! What ops compute: the meaning of a row, apart from where its operands come from.
//!
//! Spec: the pseudocode of each op in the AMD ISA manuals. Values come in as the slot's bits, zero-extended, after source
//! modifiers; results go out the same way. `emu` supplies registers, EXEC, memory and control flow around them, applies
//! `neg` and `abs` before and `omod` and `clamp` after (not for [`Sem::LaneMods`], which reads them itself).

mod bytes;
mod cmp;
mod convert;
mod float;
mod half;
mod int;
mod packed;
mod scalar;
mod short;
mod trans;

pub use bytes::*;
pub use cmp::*;
pub use convert::*;
pub use float::*;
pub use half::*;
pub use int::*;
pub use packed::*;
pub use scalar::*;
pub use short::*;
pub use trans::*;

use super::inst::Mods;

/// The float part of MODE (`ABI_FACTS`, section 9): rounding and denormal handling of f32 and of f16/f64.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FloatMode {
    /// 0 nearest even, 1 towards +inf, 2 towards -inf, 3 towards zero.
    pub round_f32: u8,
    pub round_f64: u8,
    /// Bit 0 keeps denormal sources, bit 1 denormal results; what is not kept becomes a zero of the same sign.
    pub denorm_f32: u8,
    pub denorm_f64: u8,
    pub ieee: bool,
    pub dx10_clamp: bool,
}

/// The meaning of a row.
#[derive(Copy, Clone)]
pub enum Sem {
    /// A vector op: D = f(sources) in every active lane.
    Lane(fn([u64; 3]) -> u64),
    /// The same, rounding and flushing by MODE.
    LaneFloat(fn([u64; 3], FloatMode) -> u64),
    /// The same, and a lane of VCC (`v_div_fmas_f32`).
    LaneFloatBit(fn([u64; 3], bool, FloatMode) -> u64),
    /// As `LaneFloat` and `LaneMods` (packed f16).
    LaneFloatMods(fn([u64; 3], &Mods, FloatMode) -> u64),
    /// As `Lane`, and it reads modifiers: `op_sel`, `neg` and `clamp` of VOP3P, the truth table of `v_bitop3_b32`.
    LaneMods(fn([u64; 3], &Mods) -> u64),
    /// D and a mask bit = f(S0, S1, mask bit in): adds and subtracts with carry.
    LaneCarry(fn(u64, u64, bool) -> (u64, bool)),
    /// D and a mask bit from three sources (`v_mad_u64_u32`).
    LaneWide(fn([u64; 3]) -> (u64, bool)),
    /// The same of floats (`v_div_scale_f32`).
    LaneWideFloat(fn([u64; 3], FloatMode) -> (u64, bool)),
    /// D = f(S0, S1, mask bit): `v_cndmask_b32`.
    LaneSelect(fn(u64, u64, bool) -> u64),
    /// Mask bit = f(S0, S1).
    LaneCmp(fn(u64, u64) -> bool),
    LaneCmpFloat(fn(u64, u64, FloatMode) -> bool),
    /// A scalar op: D, and SCC where it is written, = f(sources, SCC).
    Scalar(fn([u64; 3], bool) -> (u64, bool)),
    /// SCC = f(S0, S1).
    ScalarCmp(fn(u64, u64) -> bool),
    /// Memory access; the format says which path, the slots which registers.
    Load(MemKind),
    Store(MemKind),
    Atomic(AtomicKind),
    /// Everything that needs the wave or the work-group: see [`Wave`].
    Wave(Wave),
    /// No manual that we know says what it does: executing it is an error.
    Unmodelled,
}

/// One element of a memory access, and how many.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MemKind {
    /// Bytes of an element: 1, 2, 4 (a dword) or, in `read2_b64`, 8.
    pub bytes: u8,
    pub signed: bool,
    /// Dwords (or elements of `read2`/`write2`) moved.
    pub count: u8,
    /// Two addresses, `offset0` and `offset1` in elements.
    pub two: bool,
    /// With `two`: the offsets count 64 elements each.
    pub stride64: bool,
    /// The upper half of the register (`_d16_hi`).
    pub high: bool,
}

impl MemKind {
    pub const fn dwords(count: u8) -> MemKind {
        MemKind { bytes: 4, signed: false, count, two: false, stride64: false, high: false }
    }
    /// `bytes` bytes, zero-extended to a dword by a load.
    pub const fn unsigned(bytes: u8) -> MemKind {
        MemKind { bytes, ..MemKind::dwords(1) }
    }
    pub const fn signed(bytes: u8) -> MemKind {
        MemKind { signed: true, ..MemKind::unsigned(bytes) }
    }
    /// Two elements of `bytes` bytes at two addresses.
    pub const fn two(bytes: u8) -> MemKind {
        MemKind { bytes, two: true, ..MemKind::dwords(2) }
    }
    pub const fn stride64(mut self) -> MemKind {
        self.stride64 = true;
        self
    }
    pub const fn high(mut self) -> MemKind {
        self.high = true;
        self
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AtomicKind {
    pub op: AtomicOp,
    /// 4 or 8.
    pub bytes: u8,
}

impl AtomicKind {
    pub const fn new(op: AtomicOp, bytes: u8) -> AtomicKind {
        AtomicKind { op, bytes }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    Swap,
    /// The comparand's place: in FLAT and GLOBAL one operand {new, comparand}, low dwords first; in DS `ds_cmpst_*` has
    /// (comparand, new), `ds_cmpstore_*` (new, comparand).
    CmpSwap,
    Add,
    Sub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    Inc,
    Dec,
    AddF32,
    AddF64,
}

/// Ops whose meaning is in the wave: control, lanes, waits, modes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Wave {
    Nop,
    EndPgm,
    /// Padding that is never executed.
    CodeEnd,
    Branch,
    /// Taken when SCC, VCC or EXEC is as said.
    BranchScc(bool),
    BranchVcc {
        zero: bool,
    },
    BranchExec {
        zero: bool,
    },
    Barrier,
    BarrierSignal,
    BarrierWait,
    WaitCnt,
    Trap,
    GetPc,
    SetPc,
    SwapPc,
    /// D = old EXEC; EXEC = op(S0, EXEC); SCC = EXEC != 0.
    SaveExec(MaskOp),
    SetReg,
    SetRegImm,
    GetReg,
    RoundMode,
    DenormMode,
    ReadLane,
    ReadFirstLane,
    WriteLane,
    DsPermute,
    DsBpermute,
    /// As `DsBpermute`, but inactive lanes are read too (gfx12).
    DsBpermuteFi,
    DsSwizzle,
    Permlane16,
    PermlaneX16,
    /// The same with the lane numbers in a VGPR (gfx12).
    Permlane16Var,
    PermlaneX16Var,
    /// The halves of a wave64 swapped; nothing in wave32.
    Permlane64,
    /// Odd rows of 16 lanes (halves of the wave) of D swapped with even ones (the lower half) of S0.
    Permlane16Swap,
    Permlane32Swap,
    /// D and S0 swapped.
    Swap,
    /// 16 bits of each.
    Swap16,
    MbcntLo,
    MbcntHi,
    MovRel,
    ICacheInv,
    CacheControl,
    /// Sleeps, halts, prefetch and scheduling hints: nothing to compute.
    SleepOrHint,
    SendMsg,
    MemTime,
    MemRealTime,
    /// PC += S0, from the end of the instruction.
    AddPc,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum MaskOp {
    And,
    Or,
    Xor,
    Andn1,
    Andn2,
    Orn2,
}
