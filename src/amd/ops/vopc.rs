//! VOPC: vector compares; one bit per lane.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOPC Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vopc;
    //                                           gfx9 gfx10 gfx11 gfx12  meaning
    v_cmp_lt_i16    [MASK] <- [SRC16, SRC16]   (0xa1 0x89 0x31 0x31) Sem::LaneCmp(lane::lt_i16);
    v_cmp_eq_i16    [MASK] <- [SRC16, SRC16]   (0xa2 0x8a 0x32 0x32) Sem::LaneCmp(lane::eq_i16);
    v_cmp_le_i16    [MASK] <- [SRC16, SRC16]   (0xa3 0x8b 0x33 0x33) Sem::LaneCmp(lane::le_i16);
    v_cmp_gt_i16    [MASK] <- [SRC16, SRC16]   (0xa4 0x8c 0x34 0x34) Sem::LaneCmp(lane::gt_i16);
    v_cmp_ne_i16    [MASK] <- [SRC16, SRC16]   (0xa5 0x8d 0x35 0x35) Sem::LaneCmp(lane::lg_i16);
    v_cmp_ge_i16    [MASK] <- [SRC16, SRC16]   (0xa6 0x8e 0x36 0x36) Sem::LaneCmp(lane::ge_i16);
    v_cmp_lt_u16    [MASK] <- [SRC16, SRC16]   (0xa9 0xa9 0x39 0x39) Sem::LaneCmp(lane::lt_u16);
    v_cmp_eq_u16    [MASK] <- [SRC16, SRC16]   (0xaa 0xaa 0x3a 0x3a) Sem::LaneCmp(lane::eq_u16);
    v_cmp_le_u16    [MASK] <- [SRC16, SRC16]   (0xab 0xab 0x3b 0x3b) Sem::LaneCmp(lane::le_u16);
    v_cmp_gt_u16    [MASK] <- [SRC16, SRC16]   (0xac 0xac 0x3c 0x3c) Sem::LaneCmp(lane::gt_u16);
    v_cmp_ne_u16    [MASK] <- [SRC16, SRC16]   (0xad 0xad 0x3d 0x3d) Sem::LaneCmp(lane::lg_u16);
    v_cmp_ge_u16    [MASK] <- [SRC16, SRC16]   (0xae 0xae 0x3e 0x3e) Sem::LaneCmp(lane::ge_u16);
    v_cmp_lt_i32    [MASK] <- [SRC32, SRC32]   (0xc1 0x81 0x41 0x41) Sem::LaneCmp(lane::lt_i32);
    v_cmp_eq_i32    [MASK] <- [SRC32, SRC32]   (0xc2 0x82 0x42 0x42) Sem::LaneCmp(lane::eq_i32);
    v_cmp_le_i32    [MASK] <- [SRC32, SRC32]   (0xc3 0x83 0x43 0x43) Sem::LaneCmp(lane::le_i32);
    v_cmp_gt_i32    [MASK] <- [SRC32, SRC32]   (0xc4 0x84 0x44 0x44) Sem::LaneCmp(lane::gt_i32);
    v_cmp_ne_i32    [MASK] <- [SRC32, SRC32]   (0xc5 0x85 0x45 0x45) Sem::LaneCmp(lane::lg_i32);
    v_cmp_ge_i32    [MASK] <- [SRC32, SRC32]   (0xc6 0x86 0x46 0x46) Sem::LaneCmp(lane::ge_i32);
    v_cmp_lt_u32    [MASK] <- [SRC32, SRC32]   (0xc9 0xc1 0x49 0x49) Sem::LaneCmp(lane::lt_u32);
    v_cmp_eq_u32    [MASK] <- [SRC32, SRC32]   (0xca 0xc2 0x4a 0x4a) Sem::LaneCmp(lane::eq_u32);
    v_cmp_le_u32    [MASK] <- [SRC32, SRC32]   (0xcb 0xc3 0x4b 0x4b) Sem::LaneCmp(lane::le_u32);
    v_cmp_gt_u32    [MASK] <- [SRC32, SRC32]   (0xcc 0xc4 0x4c 0x4c) Sem::LaneCmp(lane::gt_u32);
    v_cmp_ne_u32    [MASK] <- [SRC32, SRC32]   (0xcd 0xc5 0x4d 0x4d) Sem::LaneCmp(lane::lg_u32);
    v_cmp_ge_u32    [MASK] <- [SRC32, SRC32]   (0xce 0xc6 0x4e 0x4e) Sem::LaneCmp(lane::ge_u32);
    v_cmp_lt_i64    [MASK] <- [SRC64, SRC64]   (0xe1 0xa1 0x51 0x51) Sem::LaneCmp(lane::lt_i64);
    v_cmp_eq_i64    [MASK] <- [SRC64, SRC64]   (0xe2 0xa2 0x52 0x52) Sem::LaneCmp(lane::eq_i64);
    v_cmp_le_i64    [MASK] <- [SRC64, SRC64]   (0xe3 0xa3 0x53 0x53) Sem::LaneCmp(lane::le_i64);
    v_cmp_gt_i64    [MASK] <- [SRC64, SRC64]   (0xe4 0xa4 0x54 0x54) Sem::LaneCmp(lane::gt_i64);
    v_cmp_ne_i64    [MASK] <- [SRC64, SRC64]   (0xe5 0xa5 0x55 0x55) Sem::LaneCmp(lane::lg_i64);
    v_cmp_ge_i64    [MASK] <- [SRC64, SRC64]   (0xe6 0xa6 0x56 0x56) Sem::LaneCmp(lane::ge_i64);
    v_cmp_lt_u64    [MASK] <- [SRC64, SRC64]   (0xe9 0xe1 0x59 0x59) Sem::LaneCmp(lane::lt_u64);
    v_cmp_eq_u64    [MASK] <- [SRC64, SRC64]   (0xea 0xe2 0x5a 0x5a) Sem::LaneCmp(lane::eq_u64);
    v_cmp_le_u64    [MASK] <- [SRC64, SRC64]   (0xeb 0xe3 0x5b 0x5b) Sem::LaneCmp(lane::le_u64);
    v_cmp_gt_u64    [MASK] <- [SRC64, SRC64]   (0xec 0xe4 0x5c 0x5c) Sem::LaneCmp(lane::gt_u64);
    v_cmp_ne_u64    [MASK] <- [SRC64, SRC64]   (0xed 0xe5 0x5d 0x5d) Sem::LaneCmp(lane::lg_u64);
    v_cmp_ge_u64    [MASK] <- [SRC64, SRC64]   (0xee 0xe6 0x5e 0x5e) Sem::LaneCmp(lane::ge_u64);
    v_cmp_lt_f32    [MASK] <- [SRCF32, SRCF32] (0x41 0x1  0x11 0x11) Sem::LaneCmpFloat(lane::cmp_lt_f32);
    v_cmp_eq_f32    [MASK] <- [SRCF32, SRCF32] (0x42 0x2  0x12 0x12) Sem::LaneCmpFloat(lane::cmp_eq_f32);
    v_cmp_le_f32    [MASK] <- [SRCF32, SRCF32] (0x43 0x3  0x13 0x13) Sem::LaneCmpFloat(lane::cmp_le_f32);
    v_cmp_gt_f32    [MASK] <- [SRCF32, SRCF32] (0x44 0x4  0x14 0x14) Sem::LaneCmpFloat(lane::cmp_gt_f32);
    v_cmp_lg_f32    [MASK] <- [SRCF32, SRCF32] (0x45 0x5  0x15 0x15) Sem::LaneCmpFloat(lane::cmp_lg_f32);
    v_cmp_ge_f32    [MASK] <- [SRCF32, SRCF32] (0x46 0x6  0x16 0x16) Sem::LaneCmpFloat(lane::cmp_ge_f32);
    v_cmp_o_f32     [MASK] <- [SRCF32, SRCF32] (0x47 0x7  0x17 0x17) Sem::LaneCmpFloat(lane::cmp_o_f32);
    v_cmp_u_f32     [MASK] <- [SRCF32, SRCF32] (0x48 0x8  0x18 0x18) Sem::LaneCmpFloat(lane::cmp_u_f32);
    v_cmp_nge_f32   [MASK] <- [SRCF32, SRCF32] (0x49 0x9  0x19 0x19) Sem::LaneCmpFloat(lane::cmp_nge_f32);
    v_cmp_nlg_f32   [MASK] <- [SRCF32, SRCF32] (0x4a 0xa  0x1a 0x1a) Sem::LaneCmpFloat(lane::cmp_nlg_f32);
    v_cmp_ngt_f32   [MASK] <- [SRCF32, SRCF32] (0x4b 0xb  0x1b 0x1b) Sem::LaneCmpFloat(lane::cmp_ngt_f32);
    v_cmp_nle_f32   [MASK] <- [SRCF32, SRCF32] (0x4c 0xc  0x1c 0x1c) Sem::LaneCmpFloat(lane::cmp_nle_f32);
    v_cmp_neq_f32   [MASK] <- [SRCF32, SRCF32] (0x4d 0xd  0x1d 0x1d) Sem::LaneCmpFloat(lane::cmp_neq_f32);
    v_cmp_nlt_f32   [MASK] <- [SRCF32, SRCF32] (0x4e 0xe  0x1e 0x1e) Sem::LaneCmpFloat(lane::cmp_nlt_f32);
    v_cmp_lt_f64    [MASK] <- [SRCF64, SRCF64] (0x61 0x21 0x21 0x21) Sem::LaneCmpFloat(lane::cmp_lt_f64);
    v_cmp_eq_f64    [MASK] <- [SRCF64, SRCF64] (0x62 0x22 0x22 0x22) Sem::LaneCmpFloat(lane::cmp_eq_f64);
    v_cmp_le_f64    [MASK] <- [SRCF64, SRCF64] (0x63 0x23 0x23 0x23) Sem::LaneCmpFloat(lane::cmp_le_f64);
    v_cmp_gt_f64    [MASK] <- [SRCF64, SRCF64] (0x64 0x24 0x24 0x24) Sem::LaneCmpFloat(lane::cmp_gt_f64);
    v_cmp_lg_f64    [MASK] <- [SRCF64, SRCF64] (0x65 0x25 0x25 0x25) Sem::LaneCmpFloat(lane::cmp_lg_f64);
    v_cmp_ge_f64    [MASK] <- [SRCF64, SRCF64] (0x66 0x26 0x26 0x26) Sem::LaneCmpFloat(lane::cmp_ge_f64);
    v_cmp_o_f64     [MASK] <- [SRCF64, SRCF64] (0x67 0x27 0x27 0x27) Sem::LaneCmpFloat(lane::cmp_o_f64);
    v_cmp_u_f64     [MASK] <- [SRCF64, SRCF64] (0x68 0x28 0x28 0x28) Sem::LaneCmpFloat(lane::cmp_u_f64);
    v_cmp_nge_f64   [MASK] <- [SRCF64, SRCF64] (0x69 0x29 0x29 0x29) Sem::LaneCmpFloat(lane::cmp_nge_f64);
    v_cmp_nlg_f64   [MASK] <- [SRCF64, SRCF64] (0x6a 0x2a 0x2a 0x2a) Sem::LaneCmpFloat(lane::cmp_nlg_f64);
    v_cmp_ngt_f64   [MASK] <- [SRCF64, SRCF64] (0x6b 0x2b 0x2b 0x2b) Sem::LaneCmpFloat(lane::cmp_ngt_f64);
    v_cmp_nle_f64   [MASK] <- [SRCF64, SRCF64] (0x6c 0x2c 0x2c 0x2c) Sem::LaneCmpFloat(lane::cmp_nle_f64);
    v_cmp_neq_f64   [MASK] <- [SRCF64, SRCF64] (0x6d 0x2d 0x2d 0x2d) Sem::LaneCmpFloat(lane::cmp_neq_f64);
    v_cmp_nlt_f64   [MASK] <- [SRCF64, SRCF64] (0x6e 0x2e 0x2e 0x2e) Sem::LaneCmpFloat(lane::cmp_nlt_f64);
    v_cmp_class_f32 [MASK] <- [SRCF32, SRC32]  (0x10 0x88 0x7e 0x7e) Sem::LaneCmp(lane::cmp_class_f32);
    v_cmp_class_f64 [MASK] <- [SRCF64, SRC32]  (0x12 0xa8 0x7f 0x7f) Sem::LaneCmp(lane::cmp_class_f64);
}
