//! What ops compute: the meaning of a row, apart from where its operands come from.
//!
//! Spec: the pseudocode of each op in the AMD ISA manuals. Values come in as the slot's bits, zero-extended, after source
//! modifiers; results go out the same way. `emu` supplies registers, EXEC, memory and control flow around them.

/// The float part of MODE (`ABI_FACTS`, section 9): rounding and denormal handling of f32 and of f16/f64.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct FloatMode {
    /// 0 nearest even, 1 towards +inf, 2 towards -inf, 3 towards zero.
    pub round_f32: u8,
    pub round_f64: u8,
    /// Bit 0: keep source denormals... in the register's own coding: 0 flush both, 1 flush sources only kept results,
    /// 2 flush results, 3 keep all.
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
    /// D and a mask bit = f(S0, S1, mask bit in): adds and subtracts with carry.
    LaneCarry(fn(u64, u64, bool) -> (u64, bool)),
    /// D and a mask bit from three sources (`v_mad_u64_u32`, `v_div_scale`).
    LaneWide(fn([u64; 3]) -> (u64, bool)),
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
    /// The upper half of the register (`_d16_hi`).
    pub high: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct AtomicKind {
    pub op: AtomicOp,
    /// 4 or 8.
    pub bytes: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AtomicOp {
    Swap,
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
    DsSwizzle,
    Permlane16,
    PermlaneX16,
    MbcntLo,
    MbcntHi,
    MovRel,
    ICacheInv,
    CacheControl,
    SleepOrHint,
    SendMsg,
    MemTime,
    MemRealTime,
    DivFmas,
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
