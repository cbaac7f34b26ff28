//! SOP1: scalar ops with one source.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SOP1 Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Sop1;
    //                                                   gfx9 gfx10 gfx11 gfx12  meaning
    s_mov_b32               [S32] <- [SSRC32]          (0x0  0x3  0x0  0x0 ) Sem::Scalar(lane::s_mov);
    s_mov_b64               [S64] <- [SSRC64]          (0x1  0x4  0x1  0x1 ) Sem::Scalar(lane::s_mov);
    s_cmov_b32              [S32] <- [SSRC32, TIEDS32] (0x2  0x5  0x2  0x2 ) Sem::Scalar(lane::s_cmov), flags(READS_SCC);
    s_cmov_b64              [S64] <- [SSRC64, TIEDS64] (0x3  0x6  0x3  0x3 ) Sem::Scalar(lane::s_cmov), flags(READS_SCC);
    s_not_b32               [S32] <- [SSRC32]          (0x4  0x7  0x1e 0x1e) Sem::Scalar(lane::s_not_b32), flags(WRITES_SCC);
    s_not_b64               [S64] <- [SSRC64]          (0x5  0x8  0x1f 0x1f) Sem::Scalar(lane::s_not_b64), flags(WRITES_SCC);
    s_wqm_b32               [S32] <- [SSRC32]          (0x6  0x9  0x1c 0x1c) Sem::Scalar(lane::s_wqm_b32), flags(WRITES_SCC);
    s_wqm_b64               [S64] <- [SSRC64]          (0x7  0xa  0x1d 0x1d) Sem::Scalar(lane::s_wqm_b64), flags(WRITES_SCC);
    s_brev_b32              [S32] <- [SSRC32]          (0x8  0xb  0x4  0x4 ) Sem::Scalar(lane::s_brev_b32);
    s_brev_b64              [S64] <- [SSRC64]          (0x9  0xc  0x5  0x5 ) Sem::Scalar(lane::s_brev_b64);
    s_bcnt1_i32_b32         [S32] <- [SSRC32]          (0xc  0xf  0x18 0x18) Sem::Scalar(lane::s_bcnt1), flags(WRITES_SCC);
    s_bcnt1_i32_b64         [S32] <- [SSRC64]          (0xd  0x10 0x19 0x19) Sem::Scalar(lane::s_bcnt1), flags(WRITES_SCC);
    s_ctz_i32_b32           [S32] <- [SSRC32]          (0x10 0x13 0x8  0x8 ) Sem::Scalar(lane::s_ctz), alias(Gfx9 Gfx10 "s_ff1_i32_b32");
    s_ctz_i32_b64           [S32] <- [SSRC64]          (0x11 0x14 0x9  0x9 ) Sem::Scalar(lane::s_ctz), alias(Gfx9 Gfx10 "s_ff1_i32_b64");
    s_clz_i32_u32           [S32] <- [SSRC32]          (0x12 0x15 0xa  0xa ) Sem::Scalar(lane::s_clz_u32), alias(Gfx9 Gfx10 "s_flbit_i32_b32");
    s_clz_i32_u64           [S32] <- [SSRC64]          (0x13 0x16 0xb  0xb ) Sem::Scalar(lane::s_clz_u64), alias(Gfx9 Gfx10 "s_flbit_i32_b64");
    s_cls_i32               [S32] <- [SSRC32]          (0x14 0x17 0xc  0xc ) Sem::Scalar(lane::s_cls_i32), alias(Gfx9 Gfx10 "s_flbit_i32");
    s_cls_i32_i64           [S32] <- [SSRC64]          (0x15 0x18 0xd  0xd ) Sem::Scalar(lane::s_cls_i64), alias(Gfx9 Gfx10 "s_flbit_i32_i64");
    s_sext_i32_i8           [S32] <- [SSRC32]          (0x16 0x19 0xe  0xe ) Sem::Scalar(lane::s_sext_i8);
    s_sext_i32_i16          [S32] <- [SSRC32]          (0x17 0x1a 0xf  0xf ) Sem::Scalar(lane::s_sext_i16);
    s_bitset0_b32           [S32] <- [SSRC32, TIEDS32] (0x18 0x1b 0x10 0x10) Sem::Scalar(lane::s_bitset0_b32);
    s_bitset0_b64           [S64] <- [SSRC32, TIEDS64] (0x19 0x1c 0x11 0x11) Sem::Scalar(lane::s_bitset0_b64);
    s_bitset1_b32           [S32] <- [SSRC32, TIEDS32] (0x1a 0x1d 0x12 0x12) Sem::Scalar(lane::s_bitset1_b32);
    s_bitset1_b64           [S64] <- [SSRC32, TIEDS64] (0x1b 0x1e 0x13 0x13) Sem::Scalar(lane::s_bitset1_b64);
    s_getpc_b64             [S64] <- []                (0x1c 0x1f 0x47 0x47) Sem::Wave(Wave::GetPc);
    s_setpc_b64             []    <- [S64]             (0x1d 0x20 0x48 0x48) Sem::Wave(Wave::SetPc);
    s_swappc_b64            [S64] <- [S64]             (0x1e 0x21 0x49 0x49) Sem::Wave(Wave::SwapPc);
    s_add_pc_i64            []    <- [SSRC64]          (_    _    _    0x4b) Sem::Wave(Wave::AddPc), needs PermlaneBcast;
    s_and_saveexec_b32      [S32] <- [SSRC32]          (_    0x3c 0x20 0x20) Sem::Wave(Wave::SaveExec(MaskOp::And));
    s_and_saveexec_b64      [S64] <- [SSRC64]          (0x20 0x24 0x21 0x21) Sem::Wave(Wave::SaveExec(MaskOp::And));
    s_or_saveexec_b32       [S32] <- [SSRC32]          (_    0x3d 0x22 0x22) Sem::Wave(Wave::SaveExec(MaskOp::Or));
    s_or_saveexec_b64       [S64] <- [SSRC64]          (0x21 0x25 0x23 0x23) Sem::Wave(Wave::SaveExec(MaskOp::Or));
    s_xor_saveexec_b32      [S32] <- [SSRC32]          (_    0x3e 0x24 0x24) Sem::Wave(Wave::SaveExec(MaskOp::Xor));
    s_xor_saveexec_b64      [S64] <- [SSRC64]          (0x22 0x26 0x25 0x25) Sem::Wave(Wave::SaveExec(MaskOp::Xor));
    s_and_not0_saveexec_b32 [S32] <- [SSRC32]          (_    0x44 0x2c 0x2c) Sem::Wave(Wave::SaveExec(MaskOp::Andn1)), alias(Gfx10 "s_andn1_saveexec_b32");
    s_and_not0_saveexec_b64 [S64] <- [SSRC64]          (0x33 0x37 0x2d 0x2d) Sem::Wave(Wave::SaveExec(MaskOp::Andn1)), alias(Gfx9 Gfx10 "s_andn1_saveexec_b64");
    s_and_not1_saveexec_b32 [S32] <- [SSRC32]          (_    0x3f 0x30 0x30) Sem::Wave(Wave::SaveExec(MaskOp::Andn2)), alias(Gfx10 "s_andn2_saveexec_b32");
    s_and_not1_saveexec_b64 [S64] <- [SSRC64]          (0x23 0x27 0x31 0x31) Sem::Wave(Wave::SaveExec(MaskOp::Andn2)), alias(Gfx9 Gfx10 "s_andn2_saveexec_b64");
    s_or_not1_saveexec_b32  [S32] <- [SSRC32]          (_    0x40 0x32 0x32) Sem::Wave(Wave::SaveExec(MaskOp::Orn2)), alias(Gfx10 "s_orn2_saveexec_b32");
    s_or_not1_saveexec_b64  [S64] <- [SSRC64]          (0x24 0x28 0x33 0x33) Sem::Wave(Wave::SaveExec(MaskOp::Orn2)), alias(Gfx9 Gfx10 "s_orn2_saveexec_b64");
    s_abs_i32               [S32] <- [SSRC32]          (0x30 0x34 0x15 0x15) Sem::Scalar(lane::s_abs_i32), flags(WRITES_SCC);
    s_sendmsg_rtn_b32       [S32] <- [SIMM16]          (_    _    0x4c 0x4c) Sem::Wave(Wave::SendMsg);
    s_sendmsg_rtn_b64       [S64] <- [SIMM16]          (_    _    0x4d 0x4d) Sem::Wave(Wave::SendMsg);
    s_barrier_signal        []    <- [SSRC32]          (_    _    _    0x4e) Sem::Wave(Wave::BarrierSignal);
}
