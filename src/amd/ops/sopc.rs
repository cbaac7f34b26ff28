//! SOPC: scalar compares; SCC is the result.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SOPC Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Sopc;
    //                                     gfx9 gfx10 gfx11 gfx12  meaning
    s_cmp_eq_i32  [] <- [SSRC32, SSRC32] (0x0  0x0  0x0  0x0 ) Sem::ScalarCmp(lane::eq_i32);
    s_cmp_lg_i32  [] <- [SSRC32, SSRC32] (0x1  0x1  0x1  0x1 ) Sem::ScalarCmp(lane::lg_i32);
    s_cmp_gt_i32  [] <- [SSRC32, SSRC32] (0x2  0x2  0x2  0x2 ) Sem::ScalarCmp(lane::gt_i32);
    s_cmp_ge_i32  [] <- [SSRC32, SSRC32] (0x3  0x3  0x3  0x3 ) Sem::ScalarCmp(lane::ge_i32);
    s_cmp_lt_i32  [] <- [SSRC32, SSRC32] (0x4  0x4  0x4  0x4 ) Sem::ScalarCmp(lane::lt_i32);
    s_cmp_le_i32  [] <- [SSRC32, SSRC32] (0x5  0x5  0x5  0x5 ) Sem::ScalarCmp(lane::le_i32);
    s_cmp_eq_u32  [] <- [SSRC32, SSRC32] (0x6  0x6  0x6  0x6 ) Sem::ScalarCmp(lane::eq_u32);
    s_cmp_lg_u32  [] <- [SSRC32, SSRC32] (0x7  0x7  0x7  0x7 ) Sem::ScalarCmp(lane::lg_u32);
    s_cmp_gt_u32  [] <- [SSRC32, SSRC32] (0x8  0x8  0x8  0x8 ) Sem::ScalarCmp(lane::gt_u32);
    s_cmp_ge_u32  [] <- [SSRC32, SSRC32] (0x9  0x9  0x9  0x9 ) Sem::ScalarCmp(lane::ge_u32);
    s_cmp_lt_u32  [] <- [SSRC32, SSRC32] (0xa  0xa  0xa  0xa ) Sem::ScalarCmp(lane::lt_u32);
    s_cmp_le_u32  [] <- [SSRC32, SSRC32] (0xb  0xb  0xb  0xb ) Sem::ScalarCmp(lane::le_u32);
    s_bitcmp0_b32 [] <- [SSRC32, SSRC32] (0xc  0xc  0xc  0xc ) Sem::ScalarCmp(lane::bitcmp0_b32);
    s_bitcmp1_b32 [] <- [SSRC32, SSRC32] (0xd  0xd  0xd  0xd ) Sem::ScalarCmp(lane::bitcmp1_b32);
    s_bitcmp0_b64 [] <- [SSRC64, SSRC32] (0xe  0xe  0xe  0xe ) Sem::ScalarCmp(lane::bitcmp0_b64);
    s_bitcmp1_b64 [] <- [SSRC64, SSRC32] (0xf  0xf  0xf  0xf ) Sem::ScalarCmp(lane::bitcmp1_b64);
    s_cmp_eq_u64  [] <- [SSRC64, SSRC64] (0x12 0x12 0x10 0x10) Sem::ScalarCmp(lane::eq_u64);
    s_cmp_lg_u64  [] <- [SSRC64, SSRC64] (0x13 0x13 0x11 0x11) Sem::ScalarCmp(lane::lg_u64);
}
