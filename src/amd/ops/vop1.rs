//! VOP1: vector ops with one source.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOP1 Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vop1;
    //                                      gfx9 gfx10 gfx11 gfx12  meaning
    v_nop               []    <- []       (0x0  0x0  0x0  0x0 ) Sem::Wave(Wave::Nop);
    v_mov_b32           [V32] <- [SRC32]  (0x1  0x1  0x1  0x1 ) Sem::Lane(lane::mov);
    v_readfirstlane_b32 [S32] <- [V32]    (0x2  0x2  0x2  0x2 ) Sem::Wave(Wave::ReadFirstLane);
    v_cvt_i32_f64       [V32] <- [SRCF64] (0x3  0x3  0x3  0x3 ) Sem::LaneFloat(lane::cvt_i32_f64);
    v_cvt_f64_i32       [V64] <- [SRC32]  (0x4  0x4  0x4  0x4 ) Sem::Lane(lane::cvt_f64_i32);
    v_cvt_f32_i32       [V32] <- [SRC32]  (0x5  0x5  0x5  0x5 ) Sem::LaneFloat(lane::cvt_f32_i32);
    v_cvt_f32_u32       [V32] <- [SRC32]  (0x6  0x6  0x6  0x6 ) Sem::LaneFloat(lane::cvt_f32_u32);
    v_cvt_u32_f32       [V32] <- [SRCF32] (0x7  0x7  0x7  0x7 ) Sem::LaneFloat(lane::cvt_u32_f32);
    v_cvt_i32_f32       [V32] <- [SRCF32] (0x8  0x8  0x8  0x8 ) Sem::LaneFloat(lane::cvt_i32_f32);
    v_cvt_f16_f32       [V16] <- [SRCF32] (0xa  0xa  0xa  0xa ) Sem::LaneFloat(lane::cvt_f16_f32);
    v_cvt_f32_f16       [V32] <- [SRCF16] (0xb  0xb  0xb  0xb ) Sem::LaneFloat(lane::cvt_f32_f16);
    v_cvt_f32_f64       [V32] <- [SRCF64] (0xf  0xf  0xf  0xf ) Sem::LaneFloat(lane::cvt_f32_f64);
    v_cvt_f64_f32       [V64] <- [SRCF32] (0x10 0x10 0x10 0x10) Sem::LaneFloat(lane::cvt_f64_f32);
    v_cvt_f32_ubyte0    [V32] <- [SRC32]  (0x11 0x11 0x11 0x11) Sem::Lane(lane::cvt_f32_ubyte0);
    v_cvt_f32_ubyte1    [V32] <- [SRC32]  (0x12 0x12 0x12 0x12) Sem::Lane(lane::cvt_f32_ubyte1);
    v_cvt_f32_ubyte2    [V32] <- [SRC32]  (0x13 0x13 0x13 0x13) Sem::Lane(lane::cvt_f32_ubyte2);
    v_cvt_f32_ubyte3    [V32] <- [SRC32]  (0x14 0x14 0x14 0x14) Sem::Lane(lane::cvt_f32_ubyte3);
    v_cvt_u32_f64       [V32] <- [SRCF64] (0x15 0x15 0x15 0x15) Sem::LaneFloat(lane::cvt_u32_f64);
    v_cvt_f64_u32       [V64] <- [SRC32]  (0x16 0x16 0x16 0x16) Sem::Lane(lane::cvt_f64_u32);
    v_trunc_f64         [V64] <- [SRCF64] (0x17 0x17 0x17 0x17) Sem::LaneFloat(lane::trunc_f64);
    v_ceil_f64          [V64] <- [SRCF64] (0x18 0x18 0x18 0x18) Sem::LaneFloat(lane::ceil_f64);
    v_rndne_f64         [V64] <- [SRCF64] (0x19 0x19 0x19 0x19) Sem::LaneFloat(lane::rndne_f64);
    v_floor_f64         [V64] <- [SRCF64] (0x1a 0x1a 0x1a 0x1a) Sem::LaneFloat(lane::floor_f64);
    v_fract_f32         [V32] <- [SRCF32] (0x1b 0x20 0x20 0x20) Sem::LaneFloat(lane::fract_f32);
    v_trunc_f32         [V32] <- [SRCF32] (0x1c 0x21 0x21 0x21) Sem::LaneFloat(lane::trunc_f32);
    v_ceil_f32          [V32] <- [SRCF32] (0x1d 0x22 0x22 0x22) Sem::LaneFloat(lane::ceil_f32);
    v_rndne_f32         [V32] <- [SRCF32] (0x1e 0x23 0x23 0x23) Sem::LaneFloat(lane::rndne_f32);
    v_floor_f32         [V32] <- [SRCF32] (0x1f 0x24 0x24 0x24) Sem::LaneFloat(lane::floor_f32);
    v_exp_f32           [V32] <- [SRCF32] (0x20 0x25 0x25 0x25) Sem::LaneFloat(lane::exp_f32), flags(TRANS);
    v_log_f32           [V32] <- [SRCF32] (0x21 0x27 0x27 0x27) Sem::LaneFloat(lane::log_f32), flags(TRANS);
    v_rcp_f32           [V32] <- [SRCF32] (0x22 0x2a 0x2a 0x2a) Sem::LaneFloat(lane::rcp_f32), flags(TRANS);
    v_rcp_iflag_f32     [V32] <- [SRCF32] (0x23 0x2b 0x2b 0x2b) Sem::LaneFloat(lane::rcp_f32), flags(TRANS);
    v_rsq_f32           [V32] <- [SRCF32] (0x24 0x2e 0x2e 0x2e) Sem::LaneFloat(lane::rsq_f32), flags(TRANS);
    v_rcp_f64           [V64] <- [SRCF64] (0x25 0x2f 0x2f 0x2f) Sem::LaneFloat(lane::rcp_f64), flags(TRANS);
    v_rsq_f64           [V64] <- [SRCF64] (0x26 0x31 0x31 0x31) Sem::LaneFloat(lane::rsq_f64), flags(TRANS);
    v_sqrt_f32          [V32] <- [SRCF32] (0x27 0x33 0x33 0x33) Sem::LaneFloat(lane::sqrt_f32), flags(TRANS);
    v_sqrt_f64          [V64] <- [SRCF64] (0x28 0x34 0x34 0x34) Sem::LaneFloat(lane::sqrt_f64), flags(TRANS);
    v_sin_f32           [V32] <- [SRCF32] (0x29 0x35 0x35 0x35) Sem::LaneFloat(lane::sin_f32), flags(TRANS);
    v_cos_f32           [V32] <- [SRCF32] (0x2a 0x36 0x36 0x36) Sem::LaneFloat(lane::cos_f32), flags(TRANS);
    v_not_b32           [V32] <- [SRC32]  (0x2b 0x37 0x37 0x37) Sem::Lane(lane::not_b32);
    v_bfrev_b32         [V32] <- [SRC32]  (0x2c 0x38 0x38 0x38) Sem::Lane(lane::bfrev_b32);
    v_clz_i32_u32       [V32] <- [SRC32]  (0x2d 0x39 0x39 0x39) Sem::Lane(lane::clz_i32_u32), alias(Gfx9 Gfx10 "v_ffbh_u32");
    v_ctz_i32_b32       [V32] <- [SRC32]  (0x2e 0x3a 0x3a 0x3a) Sem::Lane(lane::ctz_i32_b32), alias(Gfx9 Gfx10 "v_ffbl_b32");
    v_cls_i32           [V32] <- [SRC32]  (0x2f 0x3b 0x3b 0x3b) Sem::Lane(lane::cls_i32), alias(Gfx9 Gfx10 "v_ffbh_i32");
    v_fract_f64         [V64] <- [SRCF64] (0x32 0x3e 0x3e 0x3e) Sem::LaneFloat(lane::fract_f64);
    v_mov_b64           [V64] <- [SRC64]  (0x38 _    _    0x1d) Sem::Lane(lane::mov), needs MovB64;
    v_permlane64_b32    [V32] <- [V32]    (_    _    0x67 0x67) Sem::Wave(Wave::Permlane64);
}
