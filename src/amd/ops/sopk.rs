//! SOPK: scalar ops with a 16-bit constant.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SOPK Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Sopk;
    //                                              gfx9 gfx10 gfx11 gfx12  meaning
    s_movk_i32         [S32] <- [SIMM16]          (0x0  0x0  0x0  0x0 ) Sem::Scalar(lane::s_movk_i32);
    s_cmovk_i32        [S32] <- [SIMM16, TIEDS32] (0x1  0x2  0x2  0x2 ) Sem::Scalar(lane::s_cmovk_i32), flags(READS_SCC);
    s_addk_co_i32      [S32] <- [SIMM16, TIEDS32] (0xe  0xf  0xf  0xf ) Sem::Scalar(lane::s_addk_i32), flags(WRITES_SCC), alias(Gfx9 Gfx10 Gfx11 "s_addk_i32");
    s_mulk_i32         [S32] <- [SIMM16, TIEDS32] (0xf  0x10 0x10 0x10) Sem::Scalar(lane::s_mulk_i32);
    s_getreg_b32       [S32] <- [SIMM16]          (0x11 0x12 0x11 0x11) Sem::Wave(Wave::GetReg);
    s_setreg_b32       []    <- [SIMM16, S32]     (0x12 0x13 0x12 0x12) Sem::Wave(Wave::SetReg);
    s_setreg_imm32_b32 []    <- [SIMM16, LIT32]   (0x14 0x15 0x13 0x13) Sem::Wave(Wave::SetRegImm);
    s_waitcnt_vscnt    []    <- [S32, SIMM16]     (_    0x17 0x18 _   ) Sem::Wave(Wave::WaitCnt);
}
