//! The layouts, format by format, column by column.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "Microcode Formats"; gfx90a and gfx942 differ from GFX9 in the cache
//! bits of memory instructions only.

use super::FieldName::*;
use super::{Field, FieldName, Layout, Mark};
use crate::amd::op::Format;
use crate::amd::target::{Column, Feature, Target};

pub(super) const fn f(name: FieldName, hi: u8, lo: u8) -> Field {
    Field { name, hi, lo }
}
pub(super) const fn m(value: u128, hi: u8, lo: u8) -> Mark {
    Mark { value, hi, lo }
}
macro_rules! layout {
    ($name:ident, $dwords:literal, [$($mark:expr),*], [$($field:expr),* $(,)?]) => {
        static $name: Layout = Layout { dwords: $dwords, marks: &[$($mark),*], fields: &[$($field),*] };
    };
}

// Scalar. The same everywhere but SMEM.
layout!(SOP1, 1, [m(0b1_0111_1101, 31, 23)], [f(Src0, 7, 0), f(Op, 15, 8), f(Sdst, 22, 16)]);
layout!(SOP2, 1, [m(0b10, 31, 30)], [f(Src0, 7, 0), f(Src1, 15, 8), f(Sdst, 22, 16), f(Op, 29, 23)]);
layout!(SOPC, 1, [m(0b1_0111_1110, 31, 23)], [f(Src0, 7, 0), f(Src1, 15, 8), f(Op, 22, 16)]);
layout!(SOPK, 1, [m(0b1011, 31, 28)], [f(Simm16, 15, 0), f(Sdst, 22, 16), f(Op, 27, 23)]);
layout!(SOPP, 1, [m(0b1_0111_1111, 31, 23)], [f(Simm16, 15, 0), f(Op, 22, 16)]);

layout!(
    SMEM_9,
    2,
    [m(0b110000, 31, 26)],
    [
        f(Sbase, 5, 0),
        f(Sdata, 12, 6),
        f(SoffsetEnable, 14, 14),
        f(Glc, 16, 16),
        f(ImmEnable, 17, 17),
        f(Op, 25, 18),
        f(OffsetSigned, 52, 32),
        f(Soffset, 63, 57),
    ]
);
layout!(
    SMEM_10,
    2,
    [m(0b111101, 31, 26)],
    [
        f(Sbase, 5, 0),
        f(Sdata, 12, 6),
        f(Dlc, 14, 14),
        f(Glc, 16, 16),
        f(Op, 25, 18),
        f(OffsetSigned, 52, 32),
        f(Soffset, 63, 57),
    ]
);
layout!(
    SMEM_11,
    2,
    [m(0b111101, 31, 26)],
    [
        f(Sbase, 5, 0),
        f(Sdata, 12, 6),
        f(Dlc, 13, 13),
        f(Glc, 14, 14),
        f(Op, 25, 18),
        f(OffsetSigned, 52, 32),
        f(Soffset, 63, 57),
    ]
);
layout!(
    SMEM_12,
    2,
    [m(0b111101, 31, 26)],
    [
        f(Sbase, 5, 0),
        f(Sdata, 12, 6),
        f(Op, 18, 13),
        f(Scope, 22, 21),
        f(Th, 24, 23),
        f(OffsetSigned, 55, 32),
        f(Soffset, 63, 57),
    ]
);

// Vector. The 32-bit ones are the same everywhere.
layout!(VOP1, 1, [m(0b011_1111, 31, 25)], [f(Src0, 8, 0), f(Op, 16, 9), f(Vdst, 24, 17)]);
layout!(VOPC, 1, [m(0b011_1110, 31, 25)], [f(Src0, 8, 0), f(Vsrc1, 16, 9), f(Op, 24, 17)]);
layout!(VOP2, 1, [m(0, 31, 31)], [f(Src0, 8, 0), f(Vsrc1, 16, 9), f(Vdst, 24, 17), f(Op, 30, 25)]);

/// VOP3 under either mark.
macro_rules! vop3 {
    ($vop3:ident $vop3sd:ident $bitop3:ident, $mark:expr) => {
        layout!(
            $vop3,
            2,
            [$mark],
            [
                f(Vdst, 7, 0),
                f(Abs, 10, 8),
                f(OpSel, 14, 11),
                f(Clamp, 15, 15),
                f(Op, 25, 16),
                f(Src0, 40, 32),
                f(Src1, 49, 41),
                f(Src2, 58, 50),
                f(Omod, 60, 59),
                f(Neg, 63, 61),
            ]
        );
        layout!(
            $vop3sd,
            2,
            [$mark],
            [
                f(Vdst, 7, 0),
                f(Sdst, 14, 8),
                f(Clamp, 15, 15),
                f(Op, 25, 16),
                f(Src0, 40, 32),
                f(Src1, 49, 41),
                f(Src2, 58, 50),
                f(Omod, 60, 59),
                f(Neg, 63, 61),
            ]
        );
        // The truth table takes the place of the float modifiers.
        layout!(
            $bitop3,
            2,
            [$mark],
            [
                f(Vdst, 7, 0),
                f(Bitop3Middle, 10, 8),
                f(OpSel, 14, 11),
                f(Op, 25, 16),
                f(Src0, 40, 32),
                f(Src1, 49, 41),
                f(Src2, 58, 50),
                f(Bitop3High, 60, 59),
                f(Bitop3Low, 63, 61),
            ]
        );
    };
}
vop3!(VOP3_9 VOP3SD_9 BITOP3_9, m(0b110100, 31, 26));
vop3!(VOP3_10 VOP3SD_10 BITOP3_10, m(0b110101, 31, 26));

macro_rules! vop3p {
    ($name:ident, $mark:expr) => {
        layout!(
            $name,
            2,
            [$mark],
            [
                f(Vdst, 7, 0),
                f(NegHi, 10, 8),
                f(OpSel, 13, 11),
                f(OpSelHi2, 14, 14),
                f(Clamp, 15, 15),
                f(Op, 22, 16),
                f(Src0, 40, 32),
                f(Src1, 49, 41),
                f(Src2, 58, 50),
                f(OpSelHi01, 60, 59),
                f(Neg, 63, 61),
            ]
        );
    };
}
vop3p!(VOP3P_9, m(0b1_1010_0111, 31, 23));
vop3p!(VOP3P_10, m(0b1_1001_1000, 31, 23));

layout!(
    DS_9,
    2,
    [m(0b110110, 31, 26)],
    [
        f(Offset0, 7, 0),
        f(Offset1, 15, 8),
        f(Op, 24, 17),
        f(Addr, 39, 32),
        f(Data0, 47, 40),
        f(Data1, 55, 48),
        f(Vdst, 63, 56),
    ]
);
layout!(
    DS_10,
    2,
    [m(0b110110, 31, 26)],
    [
        f(Offset0, 7, 0),
        f(Offset1, 15, 8),
        f(Op, 25, 18),
        f(Addr, 39, 32),
        f(Data0, 47, 40),
        f(Data1, 55, 48),
        f(Vdst, 63, 56),
    ]
);

// FLAT, GLOBAL, SCRATCH: one encoding, told apart by its segment. FLAT has no SGPR base; its offset is unsigned and one bit
// narrower.
macro_rules! memory {
    ($flat:ident $global:ident $scratch:ident, $segment:literal..$segment_hi:literal, $offset:literal, [$($common:expr),* $(,)?],
     flat_base: [$($none:expr)?], scratch: [$($enable:expr)?]) => {
        layout!($flat, 2, [m(0b110111, 31, 26), m(0, $segment_hi, $segment) $(, $none)?], [
            f(OffsetUnsigned, $offset - 1, 0), f(Op, 24, 18), f(Addr, 39, 32), f(Data0, 47, 40), f(Vdst, 63, 56), $($common),*
        ]);
        layout!($global, 2, [m(0b110111, 31, 26), m(2, $segment_hi, $segment)], [
            f(OffsetSigned, $offset, 0), f(Op, 24, 18), f(Addr, 39, 32), f(Data0, 47, 40), f(Saddr, 54, 48), f(Vdst, 63, 56),
            $($common),*
        ]);
        layout!($scratch, 2, [m(0b110111, 31, 26), m(1, $segment_hi, $segment)], [
            f(OffsetSigned, $offset, 0), f(Op, 24, 18), f(Addr, 39, 32), f(Data0, 47, 40), f(Saddr, 54, 48), f(Vdst, 63, 56),
            $($common,)* $($enable)?
        ]);
    };
}
memory!(FLAT_9 GLOBAL_9 SCRATCH_9, 14..15, 12, [f(Glc, 16, 16), f(Slc, 17, 17)], flat_base: [], scratch: []);
memory!(FLAT_94 GLOBAL_94 SCRATCH_94, 14..15, 12, [f(Sc0, 16, 16), f(Nt, 17, 17), f(Sc1, 25, 25)],
    flat_base: [], scratch: [f(VaddrEnable, 13, 13)]);
memory!(FLAT_10 GLOBAL_10 SCRATCH_10, 14..15, 11, [f(Dlc, 12, 12), f(Glc, 16, 16), f(Slc, 17, 17)],
    flat_base: [m(0x7d, 54, 48)], scratch: []);
memory!(FLAT_11 GLOBAL_11 SCRATCH_11, 16..17, 12, [f(Dlc, 13, 13), f(Glc, 14, 14), f(Slc, 15, 15)],
    flat_base: [m(0x7c, 54, 48)], scratch: [f(VaddrEnable, 55, 55)]);

macro_rules! memory12 {
    ($name:ident, $segment:literal, [$($base:expr)?], [$($more:expr),*]) => {
        layout!($name, 3, [m(0b111011, 31, 26), m($segment, 25, 24) $(, $base)?], [
            f(Op, 21, 14), f(Vdst, 39, 32), f(Scope, 51, 50), f(Th, 54, 52), f(Data0, 62, 55), f(Addr, 71, 64),
            f(OffsetSigned, 95, 72), $($more),*
        ]);
    };
}
memory12!(FLAT_12, 0, [m(0x7c, 6, 0)], []);
memory12!(GLOBAL_12, 2, [], [f(Saddr, 6, 0)]);
memory12!(SCRATCH_12, 1, [], [f(Saddr, 6, 0), f(VaddrEnable, 49, 49)]);

// MUBUF: cache control only, no operand fields.
layout!(MUBUF_9, 2, [m(0b111000, 31, 26)], [f(Op, 24, 18)]);
layout!(MUBUF_94, 2, [m(0b111000, 31, 26)], [f(Sc0, 14, 14), f(Sc1, 15, 15), f(Op, 24, 18)]);
layout!(MUBUF_11, 2, [m(0b111000, 31, 26)], [f(Op, 25, 18)]);

pub fn plain(format: Format, target: &Target) -> &'static Layout {
    let column = target.column();
    let sc_bits = target.has(Feature::ScBits);
    let by_column = |layouts: [&'static Layout; Column::COUNT]| layouts[column as usize];
    let memory =
        |gfx9, gfx94, gfx10, gfx11, gfx12| by_column([if sc_bits { gfx94 } else { gfx9 }, gfx10, gfx11, gfx12]);
    match format {
        Format::Sop1 => &SOP1,
        Format::Sop2 => &SOP2,
        Format::Sopc => &SOPC,
        Format::Sopk => &SOPK,
        Format::Sopp => &SOPP,
        Format::Smem => by_column([&SMEM_9, &SMEM_10, &SMEM_11, &SMEM_12]),
        Format::Vop1 => &VOP1,
        Format::Vop2 => &VOP2,
        Format::Vopc => &VOPC,
        Format::Vop3 => by_column([&VOP3_9, &VOP3_10, &VOP3_10, &VOP3_10]),
        Format::Vop3sd => by_column([&VOP3SD_9, &VOP3SD_10, &VOP3SD_10, &VOP3SD_10]),
        Format::Vop3p => by_column([&VOP3P_9, &VOP3P_10, &VOP3P_10, &VOP3P_10]),
        Format::Ds => by_column([&DS_9, &DS_10, &DS_10, &DS_10]),
        Format::Flat => memory(&FLAT_9, &FLAT_94, &FLAT_10, &FLAT_11, &FLAT_12),
        Format::Global => memory(&GLOBAL_9, &GLOBAL_94, &GLOBAL_10, &GLOBAL_11, &GLOBAL_12),
        Format::Scratch => memory(&SCRATCH_9, &SCRATCH_94, &SCRATCH_10, &SCRATCH_11, &SCRATCH_12),
        Format::Mubuf => memory(&MUBUF_9, &MUBUF_94, &MUBUF_9, &MUBUF_11, &MUBUF_11),
    }
}

pub fn bitop3(target: &Target) -> &'static Layout {
    if target.column() == Column::Gfx9 { &BITOP3_9 } else { &BITOP3_10 }
}

#[cfg(test)]
#[rustfmt::skip]
pub fn all() -> impl Iterator<Item = &'static Layout> {
    [
        &SOP1, &SOP2, &SOPC, &SOPK, &SOPP, &SMEM_9, &SMEM_10, &SMEM_11, &SMEM_12, &VOP1, &VOPC, &VOP2, &VOP3_9, &VOP3SD_9,
        &BITOP3_9, &VOP3_10, &VOP3SD_10, &BITOP3_10, &VOP3P_9, &VOP3P_10, &DS_9, &DS_10, &FLAT_9, &GLOBAL_9, &SCRATCH_9,
        &FLAT_94, &GLOBAL_94, &SCRATCH_94, &FLAT_10, &GLOBAL_10, &SCRATCH_10, &FLAT_11, &GLOBAL_11, &SCRATCH_11, &FLAT_12,
        &GLOBAL_12, &SCRATCH_12, &MUBUF_9, &MUBUF_94, &MUBUF_11,
    ]
    .into_iter()
}
