//! Processors: columns of the op tables, features, limits. One row per processor; code asks for features and figures,
//! never for a processor number.

mod occupancy;
mod processors;

pub use occupancy::Needs;

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
    /// A branch by 0x3f dwords goes wrong (gfx10.1).
    BranchOffset3fBug,
    /// The offset of a FLAT instruction is ignored where the address is global (gfx10.1).
    FlatOffsetBug,
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
    /// `s_trap 2` may act as a no-op: LLVM follows it by the doorbell message and a halt (gfx1100 to gfx1103).
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
    /// `scratch_*` with neither a VGPR nor an SGPR address.
    ScratchOff,
    /// XNACK and SRAMECC, where there, are what they are: a target ID may not say (gfx1250, gfx1251).
    FixedTargetId,
    /// `v_mad_u64_u32` may read a source after it wrote half of the result (gfx1100 to gfx1103).
    MadForwardBug,
    /// A VALU op must not read a transcendental's result too early (gfx1100 to gfx1103).
    TransUseHazard,
    /// The second source of VOP3 with DPP may be an SGPR or a constant.
    DppScalarSrc1,
    /// `v_permlane32_swap_b32` (gfx950).
    Permlane32Swap,
    /// `v_permlane_bcast_b32`, `_up_`, `_down_`, `_xor_`, `v_permlane_idx_gen_b32`, `s_add_pc_i64` (gfx1250).
    PermlaneBcast,
    /// `v_fma_mix_f32`.
    FmaMix,
    /// `v_pk_fma_f32` and its like.
    PackedF32,
    /// `v_cvt_pk_bf16_f32`, `v_cvt_pk_f16_f32`.
    CvtPkBf16,
    /// `v_pk_fmac_f16` (not gfx900 to gfx906, gfx909, gfx90c).
    PkFmacF16,
    /// A 64-bit shift by the last VGPR of the wave's goes wrong where that is the eighth of its block (gfx90a).
    Shift64HighRegBug,
    /// `s_getpc_b64` does not extend the sign of the 48-bit program counter (gfx1200, gfx1201).
    GetpcZeroExtends,
}

/// A set of features.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Features(u128);

impl Features {
    pub const fn of(list: &[Feature]) -> Features {
        let mut bits = 0;
        let mut i = 0;
        while i < list.len() {
            bits |= 1 << list[i] as u32;
            i += 1;
        }
        Features(bits)
    }
    pub const fn and(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }
    pub const fn contains(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 == 1
    }
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
    pub features: Features,
    /// VGPRs that a wave may have, AGPRs included where they are unified. An instruction names v0 to v255 at most.
    pub vgprs: u16,
    /// Granule of the descriptor's VGPR field, registers.
    pub vgpr_granule: u16,
    /// VGPRs that a wave may use so that a work-group of 1024 work-items fits.
    pub vgprs_at_1024: u16,
    /// Granule in which the hardware hands out VGPRs to waves, registers.
    pub vgpr_allocation_granule: u16,
    /// Waves that a SIMD can run at once.
    pub max_waves: u32,
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
        self.row.features.contains(feature)
    }
    /// VGPRs (v0 and up, AGPRs not counted) that a kernel may use when its work-groups have up to `workgroup_items`
    /// work-items: with more of them the launch fails. 256 at most, what an operand can name.
    pub fn max_vgprs(&self, workgroup_items: u32) -> u16 {
        let row = self.row;
        let waves = |items: u32| items.clamp(1, 1024).div_ceil(row.wave_lanes);
        // A work-group spreads over four SIMDs.
        let per_simd = |items: u32| waves(items).div_ceil(4);
        let of_simd = row.vgprs_at_1024 as u32 * per_simd(1024);
        let granule = row.vgpr_allocation_granule as u32;
        let fits = of_simd / per_simd(workgroup_items) / granule * granule;
        // A shift by the last one of all could not have another behind it.
        let most = if self.has(Feature::Shift64HighRegBug) { 255 } else { 256 };
        fits.min(most).max(row.vgprs_at_1024 as u32) as u16
    }

    /// Scratch that a work-item may have, bytes: what the field for the size of a wave's scratch can say. It has 13 bits of 1 KiB up to
    /// gfx10, 15 bits of 256 bytes on gfx11, 18 bits of 256 bytes later.
    pub fn max_scratch_bytes(&self) -> u32 {
        let wave_bytes = match self.column() {
            Column::Gfx9 | Column::Gfx10 => ((1 << 13) - 1) * 1024,
            Column::Gfx11 => ((1 << 15) - 1) * 256,
            Column::Gfx12 => ((1 << 18) - 1) * 256,
        };
        wave_bytes / self.wave_lanes()
    }

    /// The descriptor's VGPR granule field for `count` VGPRs (with AGPRs, where unified): granules less one.
    pub fn vgpr_granules(&self, count: u16) -> u32 {
        (count.max(1)).div_ceil(self.row.vgpr_granule) as u32 - 1
    }

    /// The descriptor's SGPR granule field for `count` SGPRs from s0. gfx9 adds six for VCC, the XNACK mask and FLAT_SCRATCH;
    /// later processors give every wave all SGPRs and want 0.
    pub fn sgpr_granules(&self, count: u16) -> u32 {
        match self.column() {
            Column::Gfx9 => (count + 6).div_ceil(8) as u32 - 1,
            Column::Gfx10 | Column::Gfx11 | Column::Gfx12 => 0,
        }
    }

    /// Whether this stands for a family of processors rather than for one.
    pub fn is_generic(&self) -> bool {
        self.row.generic_version != 0
    }

    /// The generic target that this processor belongs to.
    pub fn generic(&self) -> Option<Target> {
        let name = processors::GENERICS.iter().find(|(_, members)| members.contains(&self.row.name))?.0;
        processors::TABLE.iter().find(|row| row.name == name).map(Target::of)
    }

    /// Whether a device of this target loads an object made for `object`: for its processor or the family of that, and no feature
    /// the other way round. A feature that this target leaves open fits either way.
    pub fn loads(&self, object: &Target) -> bool {
        let fits = |mine: Setting, theirs: Setting| {
            mine == theirs
                || !matches!(mine, Setting::On | Setting::Off)
                || !matches!(theirs, Setting::On | Setting::Off)
        };
        let processor = self.row == object.row || self.generic().is_some_and(|generic| generic.row == object.row);
        processor && fits(self.xnack, object.xnack) && fits(self.sramecc, object.sramecc)
    }

    /// A target for each processor, target-ID features left open, in the order of the table.
    pub fn all() -> impl Iterator<Item = Target> {
        processors::TABLE.iter().map(Target::of)
    }

    fn of(row: &'static Processor) -> Target {
        let setting = |feature| if row.features.contains(feature) { Setting::Any } else { Setting::Unsupported };
        Target { row, xnack: setting(Feature::Xnack), sramecc: setting(Feature::SramEcc) }
    }

    /// Reads a target ID: `gfx1100`, `gfx90a:sramecc+:xnack-`, in any order of the features. The message says what would
    /// be accepted.
    pub fn parse(id: &str) -> Result<Target, String> {
        let mut parts = id.split(':');
        let name = parts.next().unwrap_or_default();
        let Some(row) = processors::TABLE.iter().find(|row| row.name == name) else {
            return Err(processors::unknown(name));
        };
        let mut target = Target::of(row);
        let mut seen: Vec<&str> = Vec::new();
        for part in parts {
            let (feature, setting) = match (part.strip_suffix('+'), part.strip_suffix('-')) {
                (Some(feature), _) => (feature, Setting::On),
                (None, Some(feature)) => (feature, Setting::Off),
                (None, None) => return Err(format!("target feature `{part}` in `{id}` needs a `+` or `-` at its end")),
            };
            if seen.contains(&feature) {
                return Err(format!("target feature `{feature}` is given twice in `{id}`"));
            }
            seen.push(feature);
            let field = match feature {
                "xnack" => &mut target.xnack,
                "sramecc" => &mut target.sramecc,
                _ => return Err(format!("unknown target feature `{feature}` in `{id}`; `xnack` and `sramecc` exist")),
            };
            if *field == Setting::Unsupported || row.features.contains(Feature::FixedTargetId) {
                return Err(format!("{name} has no `{feature}` setting: leave `:{part}` out"));
            }
            *field = setting;
        }
        Ok(target)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn target_ids_read_and_print() {
        for (given, printed) in [
            ("gfx1100", "gfx1100"),
            ("gfx90a:xnack-:sramecc+", "gfx90a:sramecc+:xnack-"),
            ("gfx906:xnack+", "gfx906:xnack+"),
            ("gfx9-4-generic:sramecc-", "gfx9-4-generic:sramecc-"),
        ] {
            assert_eq!(Target::parse(given).map(|t| t.to_string()), Ok(printed.to_string()));
        }
        for (given, message) in [
            ("gfx1100:xnack+", "gfx1100 has no `xnack` setting: leave `:xnack+` out"),
            ("gfx900:sramecc-", "gfx900 has no `sramecc` setting: leave `:sramecc-` out"),
            ("gfx1250:xnack+", "gfx1250 has no `xnack` setting: leave `:xnack+` out"),
            ("gfx90a:xnack", "target feature `xnack` in `gfx90a:xnack` needs a `+` or `-` at its end"),
            ("gfx90a:xnack+:xnack-", "target feature `xnack` is given twice in `gfx90a:xnack+:xnack-`"),
            ("gfx90a:cumode+", "unknown target feature `cumode` in `gfx90a:cumode+`; `xnack` and `sramecc` exist"),
            ("gfx1104", "unknown target `gfx1104`: did you mean gfx1100, gfx1101, gfx1102, gfx1103?"),
            ("", "unknown target ``: expected a processor such as gfx942, gfx1100 or gfx11-generic"),
            ("sm_80", "unknown target `sm_80`: expected a processor such as gfx942, gfx1100 or gfx11-generic"),
        ] {
            assert_eq!(Target::parse(given), Err(message.to_string()));
        }
    }

    /// The figures are those of clang 22's "stack frame size exceeds limit".
    #[test]
    fn scratch_limits() {
        for (id, bytes) in [("gfx90a", 131056), ("gfx1030", 262112), ("gfx1100", 262136), ("gfx1250", 2097144)] {
            assert_eq!(Target::parse(id).expect("in the table").max_scratch_bytes(), bytes, "{id}");
        }
    }

    #[test]
    fn devices_load_objects_of_their_processor_or_family() {
        let loads = |device: &str, object: &str| {
            Target::parse(device).expect("in the table").loads(&Target::parse(object).expect("in the table"))
        };
        for (device, object) in [
            ("gfx1100", "gfx1100"),
            ("gfx1151", "gfx11-generic"),
            ("gfx90a:sramecc+:xnack-", "gfx90a"),
            ("gfx90a:sramecc+:xnack-", "gfx90a:xnack-"),
            ("gfx90a", "gfx90a:xnack-"),
            ("gfx950:xnack+", "gfx9-4-generic:xnack+"),
        ] {
            assert!(loads(device, object), "{device} {object}");
        }
        for (device, object) in [
            ("gfx1100", "gfx1101"),
            ("gfx1201", "gfx11-generic"),
            ("gfx90a:xnack-", "gfx90a:xnack+"),
            ("gfx90a", "gfx9-generic"),
            ("gfx11-generic", "gfx1100"),
        ] {
            assert!(!loads(device, object), "{device} {object}");
        }
    }

    /// The figures are what clang 22 allows for `.max_flat_workgroup_size` of 1024, 512 and 256.
    #[test]
    fn vgpr_budgets() {
        for (id, budgets) in [
            ("gfx906", [64, 128, 256]),
            ("gfx908", [64, 128, 256]),
            ("gfx942", [128, 256, 256]),
            ("gfx1030", [128, 256, 256]),
            ("gfx1100", [192, 256, 256]),
            ("gfx1102", [128, 256, 256]),
            ("gfx1201", [192, 256, 256]),
            ("gfx1250", [128, 256, 256]),
        ] {
            let target = Target::parse(id).expect("in the table");
            assert_eq!([1024, 512, 256].map(|items| target.max_vgprs(items)), budgets, "{id}");
        }
    }
}
