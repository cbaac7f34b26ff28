//! The layouts of DPP and SDWA: a marker code in SRC0, the source itself and the controls in one more dword.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "DPP16", "DPP8" and "SDWA" in "Microcode Formats". VOP3 takes DPP from
//! RDNA3 on; SDWA ends with RDNA2.

use super::FieldName::*;
use super::Layout;
use super::layouts::{f, m};
use crate::amd::inst::Encoding;
use crate::amd::op::Format;
use crate::amd::target::{Column, Feature, Target};

/// What SRC0 says instead of a source.
pub const SDWA: u32 = 0xf9;
pub const DPP16: u32 = 0xfa;
pub const DPP8: u32 = 0xe9;
/// DPP8 that reads inactive lanes too.
pub const DPP8_FETCH_INACTIVE: u32 = 0xea;

/// The encoding that a code in SRC0 of a short (or VOP3) encoding stands for.
pub fn marked(code: u32, vop3: bool) -> Option<Encoding> {
    match (code, vop3) {
        (SDWA, false) => Some(Encoding::Sdwa),
        (DPP16, false) => Some(Encoding::Dpp16),
        (DPP16, true) => Some(Encoding::Vop3Dpp16),
        (DPP8 | DPP8_FETCH_INACTIVE, false) => Some(Encoding::Dpp8),
        (DPP8 | DPP8_FETCH_INACTIVE, true) => Some(Encoding::Vop3Dpp8),
        _ => None,
    }
}

/// The head of an encoding with the fields of the dword at bit `$at` behind it.
macro_rules! with_form {
    ($name:ident, $dwords:literal, $mark:expr, [$($head:expr),* $(,)?], [$($tail:expr),* $(,)?]) => {
        static $name: Layout = Layout { dwords: $dwords, marks: &[$mark], fields: &[$($head,)* $($tail),*] };
    };
}
macro_rules! vop1 {
    ($name:ident, [$($tail:expr),* $(,)?]) => {
        with_form!($name, 2, m(0b011_1111, 31, 25), [f(Src0, 8, 0), f(Op, 16, 9), f(Vdst, 24, 17)], [$($tail),*]);
    };
}
macro_rules! vop2 {
    ($name:ident, [$($tail:expr),* $(,)?]) => {
        with_form!($name, 2, m(0, 31, 31), [f(Src0, 8, 0), f(Vsrc1, 16, 9), f(Vdst, 24, 17), f(Op, 30, 25)], [$($tail),*]);
    };
}
macro_rules! vopc {
    ($name:ident, [$($tail:expr),* $(,)?]) => {
        with_form!($name, 2, m(0b011_1110, 31, 25), [f(Src0, 8, 0), f(Vsrc1, 16, 9), f(Op, 24, 17)], [$($tail),*]);
    };
}

/// DPP16 controls; `fi` came with GFX10. The sign modifiers of the second source are VOP2's and VOPC's.
macro_rules! dpp16 {
    ($vop1:ident $vop2:ident $vopc:ident, [$($fi:expr)?]) => {
        vop1!($vop1, [f(FormSrc0, 39, 32), f(DppCtrl, 48, 40), f(BoundCtrl, 51, 51), f(Src0Neg, 52, 52), f(Src0Abs, 53, 53),
            f(BankMask, 59, 56), f(RowMask, 63, 60), $($fi)?]);
        vop2!($vop2, [f(FormSrc0, 39, 32), f(DppCtrl, 48, 40), f(BoundCtrl, 51, 51), f(Src0Neg, 52, 52), f(Src0Abs, 53, 53),
            f(Src1Neg, 54, 54), f(Src1Abs, 55, 55), f(BankMask, 59, 56), f(RowMask, 63, 60), $($fi)?]);
        vopc!($vopc, [f(FormSrc0, 39, 32), f(DppCtrl, 48, 40), f(BoundCtrl, 51, 51), f(Src0Neg, 52, 52), f(Src0Abs, 53, 53),
            f(Src1Neg, 54, 54), f(Src1Abs, 55, 55), f(BankMask, 59, 56), f(RowMask, 63, 60), $($fi)?]);
    };
}
dpp16!(DPP16_VOP1_9 DPP16_VOP2_9 DPP16_VOPC_9, []);
dpp16!(DPP16_VOP1_10 DPP16_VOP2_10 DPP16_VOPC_10, [f(FetchInactive, 50, 50)]);

vop1!(DPP8_VOP1, [f(FormSrc0, 39, 32), f(Dpp8Lanes, 63, 40)]);
vop2!(DPP8_VOP2, [f(FormSrc0, 39, 32), f(Dpp8Lanes, 63, 40)]);
vopc!(DPP8_VOPC, [f(FormSrc0, 39, 32), f(Dpp8Lanes, 63, 40)]);

// SDWA. S0 and S1 say that the source is a scalar or a constant. A compare names its destination, SD says that it does.
vop1!(
    SDWA_VOP1,
    [
        f(FormSrc0, 39, 32),
        f(DstSel, 42, 40),
        f(DstUnused, 44, 43),
        f(Clamp, 45, 45),
        f(Omod, 47, 46),
        f(Src0Sel, 50, 48),
        f(Src0Sext, 51, 51),
        f(Src0Neg, 52, 52),
        f(Src0Abs, 53, 53),
        f(Src0Scalar, 55, 55),
    ]
);
vop2!(
    SDWA_VOP2,
    [
        f(FormSrc0, 39, 32),
        f(DstSel, 42, 40),
        f(DstUnused, 44, 43),
        f(Clamp, 45, 45),
        f(Omod, 47, 46),
        f(Src0Sel, 50, 48),
        f(Src0Sext, 51, 51),
        f(Src0Neg, 52, 52),
        f(Src0Abs, 53, 53),
        f(Src0Scalar, 55, 55),
        f(Src1Sel, 58, 56),
        f(Src1Sext, 59, 59),
        f(Src1Neg, 60, 60),
        f(Src1Abs, 61, 61),
        f(Src1Scalar, 63, 63),
    ]
);
vopc!(
    SDWA_VOPC,
    [
        f(FormSrc0, 39, 32),
        f(Sdst, 46, 40),
        f(SdstEnable, 47, 47),
        f(Src0Sel, 50, 48),
        f(Src0Sext, 51, 51),
        f(Src0Neg, 52, 52),
        f(Src0Abs, 53, 53),
        f(Src0Scalar, 55, 55),
        f(Src1Sel, 58, 56),
        f(Src1Sext, 59, 59),
        f(Src1Neg, 60, 60),
        f(Src1Abs, 61, 61),
        f(Src1Scalar, 63, 63),
    ]
);

macro_rules! vop3 {
    ($vop3:ident $vop3sd:ident, [$($tail:expr),* $(,)?]) => {
        with_form!($vop3, 3, m(0b110101, 31, 26), [
            f(Vdst, 7, 0), f(Abs, 10, 8), f(OpSel, 14, 11), f(Clamp, 15, 15), f(Op, 25, 16), f(Src0, 40, 32), f(Src1, 49, 41),
            f(Src2, 58, 50), f(Omod, 60, 59), f(Neg, 63, 61),
        ], [$($tail),*]);
        with_form!($vop3sd, 3, m(0b110101, 31, 26), [
            f(Vdst, 7, 0), f(Sdst, 14, 8), f(Clamp, 15, 15), f(Op, 25, 16), f(Src0, 40, 32), f(Src1, 49, 41), f(Src2, 58, 50),
            f(Omod, 60, 59), f(Neg, 63, 61),
        ], [$($tail),*]);
    };
}
vop3!(DPP16_VOP3 DPP16_VOP3SD, [
    f(FormSrc0, 71, 64), f(DppCtrl, 80, 72), f(FetchInactive, 82, 82), f(BoundCtrl, 83, 83), f(BankMask, 91, 88), f(RowMask, 95, 92),
]);
vop3!(DPP8_VOP3 DPP8_VOP3SD, [f(FormSrc0, 71, 64), f(Dpp8Lanes, 95, 72)]);
with_form!(
    DPP16_BITOP3,
    3,
    m(0b110101, 31, 26),
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
    ],
    [
        f(FormSrc0, 71, 64),
        f(DppCtrl, 80, 72),
        f(FetchInactive, 82, 82),
        f(BoundCtrl, 83, 83),
        f(BankMask, 91, 88),
        f(RowMask, 95, 92),
    ]
);
with_form!(
    DPP8_BITOP3,
    3,
    m(0b110101, 31, 26),
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
    ],
    [f(FormSrc0, 71, 64), f(Dpp8Lanes, 95, 72)]
);

/// The layout of `format` (that of the encoding: VOP3 for a VOP2 op's `_e64_dpp`) with DPP or SDWA; `None` where the target has
/// no such thing.
pub fn layout(format: Format, encoding: Encoding, bitop3: bool, target: &Target) -> Option<&'static Layout> {
    use Format::*;
    let gfx9 = target.column() == Column::Gfx9;
    let by_format = |vop1, vop2, vopc| match format {
        Vop1 => Some(vop1),
        Vop2 => Some(vop2),
        Vopc => Some(vopc),
        _ => None,
    };
    match encoding {
        Encoding::Dpp16 if gfx9 => by_format(&DPP16_VOP1_9, &DPP16_VOP2_9, &DPP16_VOPC_9),
        Encoding::Dpp16 => by_format(&DPP16_VOP1_10, &DPP16_VOP2_10, &DPP16_VOPC_10),
        Encoding::Dpp8 if target.has(Feature::Dpp8) => by_format(&DPP8_VOP1, &DPP8_VOP2, &DPP8_VOPC),
        Encoding::Sdwa if target.has(Feature::Sdwa) => by_format(&SDWA_VOP1, &SDWA_VOP2, &SDWA_VOPC),
        Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8 if !matches!(target.column(), Column::Gfx11 | Column::Gfx12) => None,
        Encoding::Vop3Dpp16 => match format {
            Vop3 if bitop3 => Some(&DPP16_BITOP3),
            Vop3 => Some(&DPP16_VOP3),
            Vop3sd => Some(&DPP16_VOP3SD),
            _ => None,
        },
        Encoding::Vop3Dpp8 => match format {
            Vop3 if bitop3 => Some(&DPP8_BITOP3),
            Vop3 => Some(&DPP8_VOP3),
            Vop3sd => Some(&DPP8_VOP3SD),
            _ => None,
        },
        Encoding::Native | Encoding::Vop3 | Encoding::Dpp8 | Encoding::Sdwa => None,
    }
}

#[cfg(test)]
#[rustfmt::skip]
pub fn all() -> impl Iterator<Item = &'static Layout> {
    [
        &DPP16_VOP1_9, &DPP16_VOP2_9, &DPP16_VOPC_9, &DPP16_VOP1_10, &DPP16_VOP2_10, &DPP16_VOPC_10, &DPP8_VOP1, &DPP8_VOP2,
        &DPP8_VOPC, &SDWA_VOP1, &SDWA_VOP2, &SDWA_VOPC, &DPP16_VOP3, &DPP16_VOP3SD, &DPP8_VOP3, &DPP8_VOP3SD, &DPP16_BITOP3,
        &DPP8_BITOP3,
    ]
    .into_iter()
}
