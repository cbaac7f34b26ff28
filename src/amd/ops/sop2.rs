//! SOP2: scalar ops with two sources.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SOP2 Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Sop2;
    //                                            gfx9 gfx10 gfx11 gfx12  meaning
    s_add_co_u32      [S32] <- [SSRC32, SSRC32] (0x0  0x0  0x0  0x0 ) Sem::Scalar(lane::s_add_u32), flags(WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_add_u32");
    s_sub_co_u32      [S32] <- [SSRC32, SSRC32] (0x1  0x1  0x1  0x1 ) Sem::Scalar(lane::s_sub_u32), flags(WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_sub_u32");
    s_add_co_i32      [S32] <- [SSRC32, SSRC32] (0x2  0x2  0x2  0x2 ) Sem::Scalar(lane::s_add_i32), flags(WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_add_i32");
    s_sub_co_i32      [S32] <- [SSRC32, SSRC32] (0x3  0x3  0x3  0x3 ) Sem::Scalar(lane::s_sub_i32), flags(WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_sub_i32");
    s_add_co_ci_u32   [S32] <- [SSRC32, SSRC32] (0x4  0x4  0x4  0x4 ) Sem::Scalar(lane::s_addc_u32), flags(READS_SCC | WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_addc_u32");
    s_sub_co_ci_u32   [S32] <- [SSRC32, SSRC32] (0x5  0x5  0x5  0x5 ) Sem::Scalar(lane::s_subb_u32), flags(READS_SCC | WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_subb_u32");
    s_absdiff_i32     [S32] <- [SSRC32, SSRC32] (0x2a 0x2c 0x6  0x6 ) Sem::Scalar(lane::s_absdiff_i32), flags(WRITES_SCC);
    s_min_i32         [S32] <- [SSRC32, SSRC32] (0x6  0x6  0x12 0x12) Sem::Scalar(lane::s_min_i32), flags(WRITES_SCC);
    s_min_u32         [S32] <- [SSRC32, SSRC32] (0x7  0x7  0x13 0x13) Sem::Scalar(lane::s_min_u32), flags(WRITES_SCC);
    s_max_i32         [S32] <- [SSRC32, SSRC32] (0x8  0x8  0x14 0x14) Sem::Scalar(lane::s_max_i32), flags(WRITES_SCC);
    s_max_u32         [S32] <- [SSRC32, SSRC32] (0x9  0x9  0x15 0x15) Sem::Scalar(lane::s_max_u32), flags(WRITES_SCC);
    s_cselect_b32     [S32] <- [SSRC32, SSRC32] (0xa  0xa  0x30 0x30) Sem::Scalar(lane::s_cselect), flags(READS_SCC);
    s_cselect_b64     [S64] <- [SSRC64, SSRC64] (0xb  0xb  0x31 0x31) Sem::Scalar(lane::s_cselect), flags(READS_SCC);
    s_and_b32         [S32] <- [SSRC32, SSRC32] (0xc  0xe  0x16 0x16) Sem::Scalar(lane::s_and), flags(WRITES_SCC);
    s_and_b64         [S64] <- [SSRC64, SSRC64] (0xd  0xf  0x17 0x17) Sem::Scalar(lane::s_and), flags(WRITES_SCC);
    s_or_b32          [S32] <- [SSRC32, SSRC32] (0xe  0x10 0x18 0x18) Sem::Scalar(lane::s_or), flags(WRITES_SCC);
    s_or_b64          [S64] <- [SSRC64, SSRC64] (0xf  0x11 0x19 0x19) Sem::Scalar(lane::s_or), flags(WRITES_SCC);
    s_xor_b32         [S32] <- [SSRC32, SSRC32] (0x10 0x12 0x1a 0x1a) Sem::Scalar(lane::s_xor), flags(WRITES_SCC);
    s_xor_b64         [S64] <- [SSRC64, SSRC64] (0x11 0x13 0x1b 0x1b) Sem::Scalar(lane::s_xor), flags(WRITES_SCC);
    s_and_not1_b32    [S32] <- [SSRC32, SSRC32] (0x12 0x14 0x22 0x22) Sem::Scalar(lane::s_andn2), flags(WRITES_SCC), alias(Gfx9 Gfx10 "s_andn2_b32");
    s_and_not1_b64    [S64] <- [SSRC64, SSRC64] (0x13 0x15 0x23 0x23) Sem::Scalar(lane::s_andn2), flags(WRITES_SCC), alias(Gfx9 Gfx10 "s_andn2_b64");
    s_or_not1_b32     [S32] <- [SSRC32, SSRC32] (0x14 0x16 0x24 0x24) Sem::Scalar(lane::s_orn2_b32), flags(WRITES_SCC), alias(Gfx9 Gfx10 "s_orn2_b32");
    s_or_not1_b64     [S64] <- [SSRC64, SSRC64] (0x15 0x17 0x25 0x25) Sem::Scalar(lane::s_orn2_b64), flags(WRITES_SCC), alias(Gfx9 Gfx10 "s_orn2_b64");
    s_nand_b32        [S32] <- [SSRC32, SSRC32] (0x16 0x18 0x1c 0x1c) Sem::Scalar(lane::s_nand_b32), flags(WRITES_SCC);
    s_nand_b64        [S64] <- [SSRC64, SSRC64] (0x17 0x19 0x1d 0x1d) Sem::Scalar(lane::s_nand_b64), flags(WRITES_SCC);
    s_nor_b32         [S32] <- [SSRC32, SSRC32] (0x18 0x1a 0x1e 0x1e) Sem::Scalar(lane::s_nor_b32), flags(WRITES_SCC);
    s_nor_b64         [S64] <- [SSRC64, SSRC64] (0x19 0x1b 0x1f 0x1f) Sem::Scalar(lane::s_nor_b64), flags(WRITES_SCC);
    s_xnor_b32        [S32] <- [SSRC32, SSRC32] (0x1a 0x1c 0x20 0x20) Sem::Scalar(lane::s_xnor_b32), flags(WRITES_SCC);
    s_xnor_b64        [S64] <- [SSRC64, SSRC64] (0x1b 0x1d 0x21 0x21) Sem::Scalar(lane::s_xnor_b64), flags(WRITES_SCC);
    s_lshl_b32        [S32] <- [SSRC32, SSRC32] (0x1c 0x1e 0x8  0x8 ) Sem::Scalar(lane::s_lshl_b32), flags(WRITES_SCC);
    s_lshl_b64        [S64] <- [SSRC64, SSRC32] (0x1d 0x1f 0x9  0x9 ) Sem::Scalar(lane::s_lshl_b64), flags(WRITES_SCC);
    s_lshr_b32        [S32] <- [SSRC32, SSRC32] (0x1e 0x20 0xa  0xa ) Sem::Scalar(lane::s_lshr_b32), flags(WRITES_SCC);
    s_lshr_b64        [S64] <- [SSRC64, SSRC32] (0x1f 0x21 0xb  0xb ) Sem::Scalar(lane::s_lshr_b64), flags(WRITES_SCC);
    s_ashr_i32        [S32] <- [SSRC32, SSRC32] (0x20 0x22 0xc  0xc ) Sem::Scalar(lane::s_ashr_i32), flags(WRITES_SCC);
    s_ashr_i64        [S64] <- [SSRC64, SSRC32] (0x21 0x23 0xd  0xd ) Sem::Scalar(lane::s_ashr_i64), flags(WRITES_SCC);
    s_bfm_b32         [S32] <- [SSRC32, SSRC32] (0x22 0x24 0x2a 0x2a) Sem::Scalar(lane::s_bfm_b32);
    s_bfm_b64         [S64] <- [SSRC32, SSRC32] (0x23 0x25 0x2b 0x2b) Sem::Scalar(lane::s_bfm_b64);
    s_mul_i32         [S32] <- [SSRC32, SSRC32] (0x24 0x26 0x2c 0x2c) Sem::Scalar(lane::s_mul_i32);
    s_bfe_u32         [S32] <- [SSRC32, SSRC32] (0x25 0x27 0x26 0x26) Sem::Scalar(lane::s_bfe_u32), flags(WRITES_SCC);
    s_bfe_i32         [S32] <- [SSRC32, SSRC32] (0x26 0x28 0x27 0x27) Sem::Scalar(lane::s_bfe_i32), flags(WRITES_SCC);
    s_bfe_u64         [S64] <- [SSRC64, SSRC32] (0x27 0x29 0x28 0x28) Sem::Scalar(lane::s_bfe_u64), flags(WRITES_SCC);
    s_bfe_i64         [S64] <- [SSRC64, SSRC32] (0x28 0x2a 0x29 0x29) Sem::Scalar(lane::s_bfe_i64), flags(WRITES_SCC);
    s_mul_hi_u32      [S32] <- [SSRC32, SSRC32] (0x2c 0x35 0x2d 0x2d) Sem::Scalar(lane::s_mul_hi_u32);
    s_mul_hi_i32      [S32] <- [SSRC32, SSRC32] (0x2d 0x36 0x2e 0x2e) Sem::Scalar(lane::s_mul_hi_i32);
    s_lshl1_add_u32   [S32] <- [SSRC32, SSRC32] (0x2e 0x2e 0xe  0xe ) Sem::Scalar(lane::s_lshl1_add_u32), flags(WRITES_SCC);
    s_lshl2_add_u32   [S32] <- [SSRC32, SSRC32] (0x2f 0x2f 0xf  0xf ) Sem::Scalar(lane::s_lshl2_add_u32), flags(WRITES_SCC);
    s_lshl3_add_u32   [S32] <- [SSRC32, SSRC32] (0x30 0x30 0x10 0x10) Sem::Scalar(lane::s_lshl3_add_u32), flags(WRITES_SCC);
    s_lshl4_add_u32   [S32] <- [SSRC32, SSRC32] (0x31 0x31 0x11 0x11) Sem::Scalar(lane::s_lshl4_add_u32), flags(WRITES_SCC);
    s_pack_ll_b32_b16 [S32] <- [SSRC32, SSRC32] (0x32 0x32 0x32 0x32) Sem::Scalar(lane::s_pack_ll);
    s_pack_lh_b32_b16 [S32] <- [SSRC32, SSRC32] (0x33 0x33 0x33 0x33) Sem::Scalar(lane::s_pack_lh);
    s_pack_hh_b32_b16 [S32] <- [SSRC32, SSRC32] (0x34 0x34 0x34 0x34) Sem::Scalar(lane::s_pack_hh);
    s_pack_hl_b32_b16 [S32] <- [SSRC32, SSRC32] (_    _    0x35 0x35) Sem::Scalar(lane::s_pack_hl);
    s_add_nc_u64      [S64] <- [SSRC64, SSRC64] (_    _    _    0x53) Sem::Scalar(lane::s_add_nc_u64);
    s_sub_nc_u64      [S64] <- [SSRC64, SSRC64] (_    _    _    0x54) Sem::Scalar(lane::s_sub_nc_u64);
    s_mul_u64         [S64] <- [SSRC64, SSRC64] (_    _    _    0x55) Sem::Scalar(lane::s_mul_u64);
}
