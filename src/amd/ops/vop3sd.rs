//! VOP3SD: VOP3 with a lane mask as second result.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOP3SD Instructions" (VOP3B in the older manuals). Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vop3sd;
    //                                                         gfx9 gfx10 gfx11 gfx12  meaning
    v_div_scale_f32  [V32, MASK] <- [SRCF32, SRCF32, SRCF32] (0x1e0 0x16d 0x2fc 0x2fc) Sem::LaneWideFloat(lane::div_scale_f32), flags(NO_DPP);
    v_div_scale_f64  [V64, MASK] <- [SRCF64, SRCF64, SRCF64] (0x1e1 0x16e 0x2fd 0x2fd) Sem::LaneWideFloat(lane::div_scale_f64);
    v_mad_co_u64_u32 [V64, MASK] <- [SRC32, SRC32, SRC64]    (0x1e8 0x176 0x2fe 0x2fe) Sem::LaneWide(lane::mad_u64_u32), alias(Gfx9 Gfx10 Gfx11 "v_mad_u64_u32");
    v_mad_co_i64_i32 [V64, MASK] <- [SRC32, SRC32, SRC64]    (0x1e9 0x177 0x2ff 0x2ff) Sem::LaneWide(lane::mad_i64_i32), alias(Gfx9 Gfx10 Gfx11 "v_mad_i64_i32");
}
