//! Processors: columns of the op tables, features, limits. One row per processor; code asks for features and figures,
//! never for a processor number.

use std::fmt;

/// A column of the op tables: one numbering of opcodes.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Column {
    /// GFX9 and CDNA.
    Gfx9,
    /// RDNA 1 and 2.
    Gfx10,
    /// RDNA 3 and 3.5.
    Gfx11,
    /// RDNA 4 and gfx1250.
    Gfx12,
}

impl Column {
    pub const COUNT: usize = 4;
}

/// What some processors have and others lack.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Feature {
    /// A VOP3/VOP3P instruction may hold one 32-bit literal.
    Vop3Literal,
    /// VGPR tuples must start at an even register.
    EvenVgprTuples,
    /// Scratch needs no set-up; `scratch_*` addresses it directly.
    ArchitectedScratch,
    /// Work-item ids arrive as x | y<<10 | z<<20 in v0.
    PackedWorkitemIds,
    /// Work-group ids arrive in TTMP registers.
    TtmpWorkgroupIds,
    /// Separate `s_wait_*cnt` counters.
    SplitWaitCounters,
    /// `s_waitcnt_vscnt`: stores have a counter of their own.
    StoreCounter,
    /// `s_barrier_signal`/`s_barrier_wait`.
    SplitBarrier,
    /// Accumulation VGPRs unified with the VGPRs (gfx90a and later CDNA).
    UnifiedAgprs,
    Mai,
    /// AGPRs in a file of their own (gfx908).
    SeparateAgprs,
    /// User plus system SGPRs must total at least 16 (gfx1100, gfx1102).
    Sgpr16Minimum,
    WgpMode,
    Xnack,
    SramEcc,
    /// `sc0 sc1 nt` cache bits (gfx942, gfx950).
    ScBits,
    Bitop3,
    Xor3,
    /// `v_lshl_add_u64`, `v_mov_b64` (gfx942, gfx950).
    LshlAddU64,
    MovB64,
    /// `s_mul_hi_u32` and friends.
    SMulHi,
    SMulU64,
    Sdwa,
    Dpp8,
    Permlane16,
    Permlane16Swap,
    DotI8Signed,
    /// `v_dot4_i32_iu8`.
    DotIu8,
    /// MODE has IEEE and DX10_CLAMP bits.
    IeeeBit,
    Vopd,
    Literal64,
    XCounter,
    TrapDoorbell,
    DsBpermuteFi,
    /// `v_fmac_f32`, `v_xnor_b32` (all but gfx900 to gfx904, gfx909, gfx90c).
    Fmac,
    /// 64-bit integer VALU arithmetic (gfx1250).
    VectorU64,
    /// `v_dot2_i32_i16`, `v_dot2_u32_u16`.
    DotI16,
    /// `v_dot4_u32_u8`.
    DotU8,
    /// `s_wait_samplecnt`, `s_wait_bvhcnt`, `s_wait_expcnt` (gfx1200, gfx1201).
    SampleCounter,
    /// `buffer_wbinvl1`, `buffer_wbinvl1_vol` (GFX9 and CDNA 1 and 2).
    InvL1,
    /// `buffer_invl2` (gfx90a).
    InvL2,
    /// `buffer_wbl2` (gfx90a, gfx942, gfx950).
    WriteBackL2,
    /// `global_atomic_add_f32` without, and with, the old value returned; the FLAT form of both.
    GlobalAddF32,
    AtomicAddF32Rtn,
    FlatAddF32,
    /// `flat_` and `global_atomic_add_f64`.
    AtomicAddF64,
}

/// A processor with its target-ID features.
#[derive(Clone, PartialEq, Eq)]
pub struct Target {
    pub(super) row: &'static Processor,
    pub xnack: Setting,
    pub sramecc: Setting,
}

/// A target-ID feature of an object: absent, any, off, on (their e_flags codes are 0 to 3).
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Setting {
    Unsupported = 0,
    Any = 1,
    Off = 2,
    On = 3,
}

/// One row of the processor table.
#[derive(Debug, PartialEq, Eq)]
pub struct Processor {
    pub name: &'static str,
    /// `EF_AMDGPU_MACH`.
    pub machine: u32,
    /// Generic version of a generic target; 0 otherwise.
    pub generic_version: u8,
    pub column: Column,
    pub wave_lanes: u32,
    pub features: &'static [Feature],
    /// Addressable VGPRs of a wave.
    pub vgprs: u16,
    /// Granule of the descriptor's VGPR field, registers.
    pub vgpr_granule: u16,
    /// VGPRs that a wave may use so that a work-group of 1024 work-items fits.
    pub vgprs_at_1024: u16,
    /// SGPRs free to use: s0 up to here.
    pub sgprs: u16,
    pub lds_bytes: u32,
}

impl Target {
    pub fn name(&self) -> &'static str {
        self.row.name
    }
    pub fn processor(&self) -> &'static Processor {
        self.row
    }
    pub fn column(&self) -> Column {
        self.row.column
    }
    /// Lanes of a wave: 32 or 64.
    pub fn wave_lanes(&self) -> u32 {
        self.row.wave_lanes
    }
    /// Dwords of a lane mask: 1 or 2.
    pub fn mask_dwords(&self) -> u8 {
        (self.row.wave_lanes / 32) as u8
    }
    pub fn has(&self, feature: Feature) -> bool {
        self.row.features.contains(&feature)
    }
    /// SGPRs (and literal) that one VALU instruction may read.
    pub fn constant_bus_limit(&self) -> u8 {
        if self.column() == Column::Gfx9 { 1 } else { 2 }
    }
}

/// The canonical target id: `gfx90a:sramecc+:xnack-`.
impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name)?;
        for (name, setting) in [("sramecc", self.sramecc), ("xnack", self.xnack)] {
            match setting {
                Setting::On => write!(f, ":{name}+")?,
                Setting::Off => write!(f, ":{name}-")?,
                Setting::Any | Setting::Unsupported => {}
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
