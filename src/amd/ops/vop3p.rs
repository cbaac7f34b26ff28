//! VOP3P: packed 16-bit arithmetic and dot products.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOP3P Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vop3p;
    //                                                gfx9 gfx10 gfx11 gfx12  meaning
    v_pk_mad_i16     [V32] <- [SRC32, SRC32, SRC32] (0x0  0x0  0x0  0x0 ) Sem::LaneMods(lane::pk_mad_i16), flags(OP_SEL);
    v_pk_mul_lo_u16  [V32] <- [SRC32, SRC32]        (0x1  0x1  0x1  0x1 ) Sem::LaneMods(lane::pk_mul_lo_u16), flags(OP_SEL);
    v_pk_add_i16     [V32] <- [SRC32, SRC32]        (0x2  0x2  0x2  0x2 ) Sem::LaneMods(lane::pk_add_i16), flags(OP_SEL);
    v_pk_sub_i16     [V32] <- [SRC32, SRC32]        (0x3  0x3  0x3  0x3 ) Sem::LaneMods(lane::pk_sub_i16), flags(OP_SEL);
    v_pk_lshlrev_b16 [V32] <- [SRC32, SRC32]        (0x4  0x4  0x4  0x4 ) Sem::LaneMods(lane::pk_lshlrev_b16), flags(OP_SEL);
    v_pk_lshrrev_b16 [V32] <- [SRC32, SRC32]        (0x5  0x5  0x5  0x5 ) Sem::LaneMods(lane::pk_lshrrev_b16), flags(OP_SEL);
    v_pk_ashrrev_i16 [V32] <- [SRC32, SRC32]        (0x6  0x6  0x6  0x6 ) Sem::LaneMods(lane::pk_ashrrev_i16), flags(OP_SEL);
    v_pk_max_i16     [V32] <- [SRC32, SRC32]        (0x7  0x7  0x7  0x7 ) Sem::LaneMods(lane::pk_max_i16), flags(OP_SEL);
    v_pk_min_i16     [V32] <- [SRC32, SRC32]        (0x8  0x8  0x8  0x8 ) Sem::LaneMods(lane::pk_min_i16), flags(OP_SEL);
    v_pk_mad_u16     [V32] <- [SRC32, SRC32, SRC32] (0x9  0x9  0x9  0x9 ) Sem::LaneMods(lane::pk_mad_u16), flags(OP_SEL);
    v_pk_add_u16     [V32] <- [SRC32, SRC32]        (0xa  0xa  0xa  0xa ) Sem::LaneMods(lane::pk_add_u16), flags(OP_SEL);
    v_pk_sub_u16     [V32] <- [SRC32, SRC32]        (0xb  0xb  0xb  0xb ) Sem::LaneMods(lane::pk_sub_u16), flags(OP_SEL);
    v_pk_max_u16     [V32] <- [SRC32, SRC32]        (0xc  0xc  0xc  0xc ) Sem::LaneMods(lane::pk_max_u16), flags(OP_SEL);
    v_pk_min_u16     [V32] <- [SRC32, SRC32]        (0xd  0xd  0xd  0xd ) Sem::LaneMods(lane::pk_min_u16), flags(OP_SEL);
    v_pk_fma_f16     [V32] <- [PACKF16, PACKF16, PACKF16] (0xe 0xe  0xe  0xe ) Sem::LaneFloatMods(lane::pk_fma_f16), flags(OP_SEL);
    v_pk_add_f16     [V32] <- [PACKF16, PACKF16]      (0xf  0xf  0xf  0xf ) Sem::LaneFloatMods(lane::pk_add_f16), flags(OP_SEL);
    v_pk_mul_f16     [V32] <- [PACKF16, PACKF16]      (0x10 0x10 0x10 0x10) Sem::LaneFloatMods(lane::pk_mul_f16), flags(OP_SEL);
    v_pk_min_num_f16 [V32] <- [PACKF16, PACKF16]      (0x11 0x11 0x11 0x1b) Sem::LaneFloatMods(lane::pk_min_f16), flags(OP_SEL), alias(Gfx9 Gfx10 Gfx11 "v_pk_min_f16");
    v_pk_max_num_f16 [V32] <- [PACKF16, PACKF16]      (0x12 0x12 0x12 0x1c) Sem::LaneFloatMods(lane::pk_max_f16), flags(OP_SEL), alias(Gfx9 Gfx10 Gfx11 "v_pk_max_f16");
    v_accvgpr_read_b32  [V32] <- [A32]              (0x58 _    _    _   ) Sem::Lane(lane::mov), needs Mai;
    v_accvgpr_write_b32 [A32] <- [SRC32]            (0x59 _    _    _   ) Sem::Lane(lane::mov), needs Mai;
    v_dot2_i32_i16   [V32] <- [SRC32, SRC32, SRC32] (0x26 0x14 _    _   ) Sem::LaneMods(lane::dot2_i32_i16), needs DotI16, flags(OP_SEL);
    v_dot2_u32_u16   [V32] <- [SRC32, SRC32, SRC32] (0x27 0x15 _    _   ) Sem::LaneMods(lane::dot2_u32_u16), needs DotI16, flags(OP_SEL);
    v_dot4_i32_i8    [V32] <- [SRC32, SRC32, SRC32] (0x28 0x16 _    _   ) Sem::LaneMods(lane::dot4_i32_i8), needs DotI8Signed;
    v_dot4_u32_u8    [V32] <- [SRC32, SRC32, SRC32] (0x29 0x17 0x17 0x17) Sem::LaneMods(lane::dot4_u32_u8), needs DotU8;
    v_dot4_i32_iu8   [V32] <- [SRC32, SRC32, SRC32] (_    _    0x16 0x16) Sem::LaneMods(lane::dot4_i32_iu8), needs DotIu8;
}
