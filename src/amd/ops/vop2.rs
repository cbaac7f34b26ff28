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
    v_fmac_f32         [V32]       <- [SRCF32, SRCF32, TIEDF32] (0x3b 0x2b 0x2b 0x2b) Sem::LaneFloat(lane::fma_f32), needs Fmac;
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
    v_add_nc_u64       [V64]       <- [SRC64, SRC64]            (_    _    _    0x28) Sem::Lane(lane::add_nc_u64), needs VectorU64;
    v_sub_nc_u64       [V64]       <- [SRC64, SRC64]            (_    _    _    0x29) Sem::Lane(lane::sub_nc_u64), needs VectorU64;
    v_mul_u64          [V64]       <- [SRC64, SRC64]            (_    _    _    0x2a) Sem::Lane(lane::mul_u64), needs VectorU64;
}
