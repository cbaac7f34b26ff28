//! The processor table.
//!
//! Spec: LLVM's AMDGPUUsage, "Processors" and "Generic Processors"; machine numbers from `ELF.h`. What a processor has was
//! asked of llvm-mc 22, one instruction each; limits from what clang 22 writes (`docs/` has the list).

use super::Feature::*;
use super::{Column, Features, Processor};

const GFX9: Features = Features::of(&[SMulHi, Sdwa, IeeeBit, Xnack]);
const VEGA: Features = GFX9.and(Features::of(&[InvL1]));
const VEGA20: Features = VEGA.and(Features::of(&[Fmac, FmaMix, DotI16, DotU8, DotI8Signed, SramEcc]));
const CDNA1: Features = VEGA20.and(Features::of(&[Mai, SeparateAgprs, GlobalAddF32, PkFmacF16]));
/// What CDNA 2 and 3 share.
const CDNA: Features = GFX9.and(Features::of(&[
    Fmac,
    FmaMix,
    PkFmacF16,
    PackedF32,
    DotI16,
    DotU8,
    DotI8Signed,
    SramEcc,
    Mai,
    UnifiedAgprs,
    EvenVgprTuples,
    PackedWorkitemIds,
    GlobalAddF32,
    AtomicAddF32Rtn,
    AtomicAddF64,
    WriteBackL2,
]));
const CDNA2: Features = CDNA.and(Features::of(&[InvL1, InvL2, Shift64HighRegBug]));
const CDNA3: Features =
    CDNA.and(Features::of(&[ScBits, ArchitectedScratch, LshlAddU64, MovB64, FlatAddF32, ScratchOff]));
const CDNA4: Features = CDNA3.and(Features::of(&[Bitop3, Permlane16Swap, Permlane32Swap, CvtPkBf16]));

/// What all of RDNA shares, and gfx1250 too.
const WAVE32: Features = Features::of(&[Vop3Literal, Xor3, SMulHi, Dpp8, Permlane16, Fmac, FmaMix, PkFmacF16]);
const GFX10: Features = WAVE32.and(Features::of(&[StoreCounter, WgpMode, Sdwa, IeeeBit]));
const RDNA1: Features = GFX10.and(Features::of(&[Xnack, BranchOffset3fBug, FlatOffsetBug]));
const DOT_10: Features = Features::of(&[DotI16, DotU8, DotI8Signed]);
const RDNA1_DOT: Features = RDNA1.and(DOT_10);
const RDNA2: Features = GFX10.and(DOT_10).and(Features::of(&[ScratchOff]));
/// What RDNA 3 and everything later shares.
const GFX11_ON: Features = WAVE32.and(Features::of(&[
    ArchitectedScratch,
    PackedWorkitemIds,
    ScratchOff,
    DotU8,
    DotIu8,
    Vopd,
    GlobalAddF32,
    AtomicAddF32Rtn,
    FlatAddF32,
]));
/// What RDNA 3 and 3.5 share.
const GFX11: Features = GFX11_ON.and(Features::of(&[StoreCounter, WgpMode, IeeeBit]));
const RDNA35: Features = GFX11.and(Features::of(&[DppScalarSrc1]));
const RDNA3: Features = GFX11.and(Features::of(&[TrapDoorbell, MadForwardBug, TransUseHazard]));
const RDNA3_SGPR16: Features = RDNA3.and(Features::of(&[Sgpr16Minimum]));
const GFX12: Features = GFX11_ON.and(Features::of(&[
    TtmpWorkgroupIds,
    SplitWaitCounters,
    SplitBarrier,
    SMulU64,
    DsBpermuteFi,
    DppScalarSrc1,
]));
const RDNA4: Features = GFX12.and(Features::of(&[WgpMode, SampleCounter, GetpcZeroExtends]));
const CDNA5: Features = GFX12.and(Features::of(&[
    EvenVgprTuples,
    Bitop3,
    LshlAddU64,
    MovB64,
    VectorU64,
    AtomicAddF64,
    Permlane16Swap,
    PermlaneBcast,
    PackedF32,
    CvtPkBf16,
    Literal64,
    XCounter,
    Xnack,
    SramEcc,
    FixedTargetId,
]));

/// A row. `vgprs` is (addressable, descriptor granule, at 1024 work-items, allocation granule).
const fn row(
    name: &'static str,
    machine: u32,
    column: Column,
    features: Features,
    vgprs: (u16, u16, u16, u16),
    lds_bytes: u32,
) -> Processor {
    let gfx9 = matches!(column, Column::Gfx9);
    Processor {
        name,
        machine,
        generic_version: 0,
        column,
        wave_lanes: if gfx9 { 64 } else { 32 },
        features,
        vgprs: vgprs.0,
        vgpr_granule: vgprs.1,
        vgprs_at_1024: vgprs.2,
        vgpr_allocation_granule: vgprs.3,
        max_waves: match column {
            Column::Gfx9 if features.contains(UnifiedAgprs) => 8,
            Column::Gfx9 => 10,
            Column::Gfx10 if features.contains(BranchOffset3fBug) => 20,
            Column::Gfx10 | Column::Gfx11 | Column::Gfx12 => 16,
        },
        sgprs: if gfx9 { 102 } else { 106 },
        lds_bytes,
    }
}
const fn generic(processor: Processor) -> Processor {
    Processor { generic_version: 1, ..processor }
}

const KB64: u32 = 64 << 10;
const V9: (u16, u16, u16, u16) = (256, 4, 64, 4);
const V90A: (u16, u16, u16, u16) = (512, 8, 128, 8);
const V10: (u16, u16, u16, u16) = (256, 8, 128, 8);
const V10_16: (u16, u16, u16, u16) = (256, 8, 128, 16);
const V11_24: (u16, u16, u16, u16) = (256, 8, 192, 24);
const V1250: (u16, u16, u16, u16) = (1024, 16, 128, 16);

use Column::{Gfx9, Gfx10, Gfx11, Gfx12};

#[rustfmt::skip]
pub(super) static TABLE: &[Processor] = &[
    row("gfx900",  0x2c, Gfx9,  VEGA,         V9,     KB64),
    row("gfx902",  0x2d, Gfx9,  VEGA,         V9,     KB64),
    row("gfx904",  0x2e, Gfx9,  VEGA,         V9,     KB64),
    row("gfx906",  0x2f, Gfx9,  VEGA20,       V9,     KB64),
    row("gfx908",  0x30, Gfx9,  CDNA1,        V9,     KB64),
    row("gfx909",  0x31, Gfx9,  VEGA,         V9,     KB64),
    row("gfx90a",  0x3f, Gfx9,  CDNA2,        V90A,   KB64),
    row("gfx90c",  0x32, Gfx9,  VEGA,         V9,     KB64),
    row("gfx942",  0x4c, Gfx9,  CDNA3,        V90A,   KB64),
    row("gfx950",  0x4f, Gfx9,  CDNA4,        V90A,   160 << 10),
    row("gfx1010", 0x33, Gfx10, RDNA1,        V10,    KB64),
    row("gfx1011", 0x34, Gfx10, RDNA1_DOT,    V10,    KB64),
    row("gfx1012", 0x35, Gfx10, RDNA1_DOT,    V10,    KB64),
    row("gfx1013", 0x42, Gfx10, RDNA1,        V10,    KB64),
    row("gfx1030", 0x36, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1031", 0x37, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1032", 0x38, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1033", 0x39, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1034", 0x3e, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1035", 0x3d, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1036", 0x45, Gfx10, RDNA2,        V10_16, KB64),
    row("gfx1100", 0x41, Gfx11, RDNA3_SGPR16, V11_24, KB64),
    row("gfx1101", 0x46, Gfx11, RDNA3,        V11_24, KB64),
    row("gfx1102", 0x47, Gfx11, RDNA3_SGPR16, V10_16, KB64),
    row("gfx1103", 0x44, Gfx11, RDNA3,        V10_16, KB64),
    row("gfx1150", 0x43, Gfx11, RDNA35,       V10_16, KB64),
    row("gfx1151", 0x4a, Gfx11, RDNA35,       V11_24, KB64),
    row("gfx1152", 0x55, Gfx11, RDNA35,       V10_16, KB64),
    row("gfx1153", 0x58, Gfx11, RDNA35,       V10_16, KB64),
    row("gfx1200", 0x48, Gfx12, RDNA4,        V11_24, KB64),
    row("gfx1201", 0x4e, Gfx12, RDNA4,        V11_24, KB64),
    row("gfx1250", 0x49, Gfx12, CDNA5,        V1250,  320 << 10),
    row("gfx1251", 0x5a, Gfx12, CDNA5,        V1250,  320 << 10),
    // Generic targets have what all their members have, and the smallest limits.
    generic(row("gfx9-generic",    0x51, Gfx9,  VEGA,         V9,     KB64)),
    generic(row("gfx9-4-generic",  0x5f, Gfx9,  CDNA3,        V90A,   KB64)),
    generic(row("gfx10-1-generic", 0x52, Gfx10, RDNA1,        V10,    KB64)),
    generic(row("gfx10-3-generic", 0x53, Gfx10, RDNA2,        V10_16, KB64)),
    generic(row("gfx11-generic",   0x54, Gfx11, RDNA3_SGPR16, V10_16, KB64)),
    generic(row("gfx12-generic",   0x59, Gfx12, RDNA4,        V11_24, KB64)),
];

/// Generic targets and the processors that each stands for (AMDGPUUsage, "Generic Processors").
pub(super) static GENERICS: &[(&str, &[&str])] = &[
    ("gfx9-generic", &["gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"]),
    ("gfx9-4-generic", &["gfx942", "gfx950"]),
    ("gfx10-1-generic", &["gfx1010", "gfx1011", "gfx1012", "gfx1013"]),
    ("gfx10-3-generic", &["gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"]),
    ("gfx11-generic", &["gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"]),
    ("gfx12-generic", &["gfx1200", "gfx1201"]),
];

/// The message for a processor that the table lacks, with the nearest names.
pub(super) fn unknown(name: &str) -> String {
    let common = |row: &&Processor| row.name.bytes().zip(name.bytes()).take_while(|(a, b)| a == b).count();
    let most = TABLE.iter().map(|row| common(&row)).max().unwrap_or(0);
    // "gfx" alone is no likeness.
    let near: Vec<_> = TABLE.iter().filter(|row| most > 3 && common(row) == most).map(|row| row.name).collect();
    if near.is_empty() {
        format!("unknown target `{name}`: expected a processor such as gfx942, gfx1100 or gfx11-generic")
    } else {
        format!("unknown target `{name}`: did you mean {}?", near.join(", "))
    }
}
