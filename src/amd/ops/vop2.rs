//! VOP2: vector ops with two sources, the second a VGPR.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOP2 Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vop2;
    //                                                            gfx9 gfx10 gfx11 gfx12  meaning
    v_cndmask_b32      [V32]       <- [SRC32, SRC32, MASK]      (0x0  0x1  0x1  0x1 ) Sem::LaneSelect(lane::cndmask_b32);
    v_add_f32          [V32]       <- [SRCF32, SRCF32]          (0x1  0x3  0x3  0x3 ) Sem::LaneFloat(lane::add_f32);
    v_sub_f32          [V32]       <- [SRCF32, SRCF32]          (0x2  0x4  0x4  0x4 ) Sem::LaneFloat(lane::sub_f32);
    v_subrev_f32       [V32]       <- [SRCF32, SRCF32]          (0x3  0x5  0x5  0x5 ) Sem::LaneFloat(lane::subrev_f32);
    v_mul_f32          [V32]       <- [SRCF32, SRCF32]          (0x5  0x8  0x8  0x8 ) Sem::LaneFloat(lane::mul_f32);
    v_fmac_f32         [V32]       <- [SRCF32, SRCF32, TIEDF32] (0x3b 0x2b 0x2b 0x2b) Sem::LaneFloat(lane::fma_f32), needs Fmac, flags(NO_SDWA);
    v_mul_i32_i24      [V32]       <- [SRC32, SRC32]            (0x6  0x9  0x9  0x9 ) Sem::Lane(lane::mul_i32_i24);
    v_mul_hi_i32_i24   [V32]       <- [SRC32, SRC32]            (0x7  0xa  0xa  0xa ) Sem::Lane(lane::mul_hi_i32_i24);
    v_mul_u32_u24      [V32]       <- [SRC32, SRC32]            (0x8  0xb  0xb  0xb ) Sem::Lane(lane::mul_u32_u24);
    v_mul_hi_u32_u24   [V32]       <- [SRC32, SRC32]            (0x9  0xc  0xc  0xc ) Sem::Lane(lane::mul_hi_u32_u24);
    v_min_num_f32      [V32]       <- [SRCF32, SRCF32]          (0xa  0xf  0xf  0x15) Sem::LaneFloat(lane::min_f32), alias(Gfx9 Gfx10 Gfx11 "v_min_f32");
    v_max_num_f32      [V32]       <- [SRCF32, SRCF32]          (0xb  0x10 0x10 0x16) Sem::LaneFloat(lane::max_f32), alias(Gfx9 Gfx10 Gfx11 "v_max_f32");
    v_min_i32          [V32]       <- [SRC32, SRC32]            (0xc  0x11 0x11 0x11) Sem::Lane(lane::min_i32);
    v_max_i32          [V32]       <- [SRC32, SRC32]            (0xd  0x12 0x12 0x12) Sem::Lane(lane::max_i32);
    v_min_u32          [V32]       <- [SRC32, SRC32]            (0xe  0x13 0x13 0x13) Sem::Lane(lane::min_u32);
    v_max_u32          [V32]       <- [SRC32, SRC32]            (0xf  0x14 0x14 0x14) Sem::Lane(lane::max_u32);
    v_lshlrev_b32      [V32]       <- [SRC32, SRC32]            (0x12 0x1a 0x18 0x18) Sem::Lane(lane::lshlrev_b32);
    v_lshrrev_b32      [V32]       <- [SRC32, SRC32]            (0x10 0x16 0x19 0x19) Sem::Lane(lane::lshrrev_b32);
    v_ashrrev_i32      [V32]       <- [SRC32, SRC32]            (0x11 0x18 0x1a 0x1a) Sem::Lane(lane::ashrrev_i32);
    v_and_b32          [V32]       <- [SRC32, SRC32]            (0x13 0x1b 0x1b 0x1b) Sem::Lane(lane::and_b32);
    v_or_b32           [V32]       <- [SRC32, SRC32]            (0x14 0x1c 0x1c 0x1c) Sem::Lane(lane::or_b32);
    v_xor_b32          [V32]       <- [SRC32, SRC32]            (0x15 0x1d 0x1d 0x1d) Sem::Lane(lane::xor_b32);
    v_xnor_b32         [V32]       <- [SRC32, SRC32]            (0x3d 0x1e 0x1e 0x1e) Sem::Lane(lane::xnor_b32), needs Fmac;
    v_add_co_u32       [V32, MASK] <- [SRC32, SRC32]            (0x19 _    _    _   ) Sem::LaneCarry(lane::add_co_u32), in(Gfx10 Vop3sd 0x30f Gfx11 Vop3sd 0x300 Gfx12 Vop3sd 0x300);
    v_sub_co_u32       [V32, MASK] <- [SRC32, SRC32]            (0x1a _    _    _   ) Sem::LaneCarry(lane::sub_co_u32), in(Gfx10 Vop3sd 0x310 Gfx11 Vop3sd 0x301 Gfx12 Vop3sd 0x301);
    v_subrev_co_u32    [V32, MASK] <- [SRC32, SRC32]            (0x1b _    _    _   ) Sem::LaneCarry(lane::subrev_co_u32), in(Gfx10 Vop3sd 0x319 Gfx11 Vop3sd 0x302 Gfx12 Vop3sd 0x302);
    v_add_co_ci_u32    [V32, MASK] <- [SRC32, SRC32, MASK]      (0x1c 0x28 0x20 0x20) Sem::LaneCarry(lane::add_co_ci_u32), alias(Gfx9 "v_addc_co_u32");
    v_sub_co_ci_u32    [V32, MASK] <- [SRC32, SRC32, MASK]      (0x1d 0x29 0x21 0x21) Sem::LaneCarry(lane::sub_co_ci_u32), alias(Gfx9 "v_subb_co_u32");
    v_subrev_co_ci_u32 [V32, MASK] <- [SRC32, SRC32, MASK]      (0x1e 0x2a 0x22 0x22) Sem::LaneCarry(lane::subrev_co_ci_u32), alias(Gfx9 "v_subbrev_co_u32");
    v_add_nc_u32       [V32]       <- [SRC32, SRC32]            (0x34 0x25 0x25 0x25) Sem::Lane(lane::add_nc_u32), alias(Gfx9 "v_add_u32");
    v_sub_nc_u32       [V32]       <- [SRC32, SRC32]            (0x35 0x26 0x26 0x26) Sem::Lane(lane::sub_nc_u32), alias(Gfx9 "v_sub_u32");
    v_subrev_nc_u32    [V32]       <- [SRC32, SRC32]            (0x36 0x27 0x27 0x27) Sem::Lane(lane::subrev_nc_u32), alias(Gfx9 "v_subrev_u32");
    v_add_f16          [V16]       <- [SRCF16, SRCF16]          (0x1f 0x32 0x32 0x32) Sem::LaneFloat(lane::add_f16);
    v_sub_f16          [V16]       <- [SRCF16, SRCF16]          (0x20 0x33 0x33 0x33) Sem::LaneFloat(lane::sub_f16);
    v_subrev_f16       [V16]       <- [SRCF16, SRCF16]          (0x21 0x34 0x34 0x34) Sem::LaneFloat(lane::subrev_f16);
    v_mul_f16          [V16]       <- [SRCF16, SRCF16]          (0x22 0x35 0x35 0x35) Sem::LaneFloat(lane::mul_f16);
    v_fmac_f16         [V16]       <- [SRCF16, SRCF16, TIEDF16] (_    0x36 0x36 0x36) Sem::LaneFloat(lane::fma_f16), flags(NO_SDWA);
    v_max_num_f16      [V16]       <- [SRCF16, SRCF16]          (0x2d 0x39 0x39 0x31) Sem::LaneFloat(lane::max_f16), alias(Gfx9 Gfx10 Gfx11 "v_max_f16");
    v_min_num_f16      [V16]       <- [SRCF16, SRCF16]          (0x2e 0x3a 0x3a 0x30) Sem::LaneFloat(lane::min_f16), alias(Gfx9 Gfx10 Gfx11 "v_min_f16");
    v_ldexp_f16        [V16]       <- [SRCF16, SRC16]           (0x33 0x3b 0x3b 0x3b) Sem::LaneFloat(lane::ldexp_f16);
    v_add_nc_u16       [V16]       <- [SRC16, SRC16]            (0x26 _    _    _   ) Sem::LaneMods(lane::add_nc_u16), flags(OP_SEL), alias(Gfx9 "v_add_u16"), in(Gfx10 Vop3 0x303 Gfx11 Vop3 0x303 Gfx12 Vop3 0x303);
    v_sub_nc_u16       [V16]       <- [SRC16, SRC16]            (0x27 _    _    _   ) Sem::LaneMods(lane::sub_nc_u16), flags(OP_SEL), alias(Gfx9 "v_sub_u16"), in(Gfx10 Vop3 0x304 Gfx11 Vop3 0x304 Gfx12 Vop3 0x304);
    v_subrev_u16       [V16]       <- [SRC16, SRC16]            (0x28 _    _    _   ) Sem::LaneMods(lane::subrev_nc_u16);
    v_mul_lo_u16       [V16]       <- [SRC16, SRC16]            (0x29 _    _    _   ) Sem::Lane(lane::mul_lo_u16), flags(OP_SEL), in(Gfx10 Vop3 0x305 Gfx11 Vop3 0x305 Gfx12 Vop3 0x305);
    v_lshlrev_b16      [V16]       <- [SRC16, SRC16]            (0x2a _    _    _   ) Sem::Lane(lane::lshlrev_b16), flags(OP_SEL), in(Gfx10 Vop3 0x314 Gfx11 Vop3 0x338 Gfx12 Vop3 0x338);
    v_lshrrev_b16      [V16]       <- [SRC16, SRC16]            (0x2b _    _    _   ) Sem::Lane(lane::lshrrev_b16), flags(OP_SEL), in(Gfx10 Vop3 0x307 Gfx11 Vop3 0x339 Gfx12 Vop3 0x339);
    v_ashrrev_i16      [V16]       <- [SRC16, SRC16]            (0x2c _    _    _   ) Sem::Lane(lane::ashrrev_i16), flags(OP_SEL), in(Gfx10 Vop3 0x308 Gfx11 Vop3 0x33a Gfx12 Vop3 0x33a);
    v_max_u16          [V16]       <- [SRC16, SRC16]            (0x2f _    _    _   ) Sem::Lane(lane::max_u16), flags(OP_SEL), in(Gfx10 Vop3 0x309 Gfx11 Vop3 0x309 Gfx12 Vop3 0x309);
    v_max_i16          [V16]       <- [SRC16, SRC16]            (0x30 _    _    _   ) Sem::Lane(lane::max_i16), flags(OP_SEL), in(Gfx10 Vop3 0x30a Gfx11 Vop3 0x30a Gfx12 Vop3 0x30a);
    v_min_u16          [V16]       <- [SRC16, SRC16]            (0x31 _    _    _   ) Sem::Lane(lane::min_u16), flags(OP_SEL), in(Gfx10 Vop3 0x30b Gfx11 Vop3 0x30b Gfx12 Vop3 0x30b);
    v_min_i16          [V16]       <- [SRC16, SRC16]            (0x32 _    _    _   ) Sem::Lane(lane::min_i16), flags(OP_SEL), in(Gfx10 Vop3 0x30c Gfx11 Vop3 0x30c Gfx12 Vop3 0x30c);
    v_cvt_pk_rtz_f16_f32 [V32]     <- [SRCF32, SRCF32]          (_    0x2f 0x2f 0x2f) Sem::LaneFloat(lane::cvt_pk_rtz_f16_f32), alias(Gfx9 Gfx10 "v_cvt_pkrtz_f16_f32"), in(Gfx9 Vop3 0x296);
    v_add_nc_u64       [V64]       <- [SRC64, SRC64]            (_    _    _    0x28) Sem::Lane(lane::add_nc_u64), needs VectorU64;
    v_sub_nc_u64       [V64]       <- [SRC64, SRC64]            (_    _    _    0x29) Sem::Lane(lane::sub_nc_u64), needs VectorU64;
    v_mul_u64          [V64]       <- [SRC64, SRC64]            (_    _    _    0x2a) Sem::Lane(lane::mul_u64), needs VectorU64;
}
