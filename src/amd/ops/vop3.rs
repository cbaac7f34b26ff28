//! VOP3: vector ops that need the 64-bit encoding.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "VOP3 Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Vop3;
    //                                                          gfx9 gfx10 gfx11 gfx12  meaning
    v_mad_i32_i24      [V32] <- [SRC32, SRC32, SRC32]         (0x1c2 0x142 0x20a 0x20a) Sem::Lane(lane::mad_i32_i24);
    v_mad_u32_u24      [V32] <- [SRC32, SRC32, SRC32]         (0x1c3 0x143 0x20b 0x20b) Sem::Lane(lane::mad_u32_u24);
    v_bfe_u32          [V32] <- [SRC32, SRC32, SRC32]         (0x1c8 0x148 0x210 0x210) Sem::Lane(lane::bfe_u32);
    v_bfe_i32          [V32] <- [SRC32, SRC32, SRC32]         (0x1c9 0x149 0x211 0x211) Sem::Lane(lane::bfe_i32);
    v_bfi_b32          [V32] <- [SRC32, SRC32, SRC32]         (0x1ca 0x14a 0x212 0x212) Sem::Lane(lane::bfi_b32);
    v_fma_f32          [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1cb 0x14b 0x213 0x213) Sem::LaneFloat(lane::fma_f32);
    v_fma_f64          [V64] <- [SRCF64, SRCF64, SRCF64]      (0x1cc 0x14c 0x214 0x214) Sem::LaneFloat(lane::fma_f64);
    v_lerp_u8          [V32] <- [SRC32, SRC32, SRC32]         (0x1cd 0x14d 0x215 0x215) Sem::Lane(lane::lerp_u8);
    v_alignbit_b32     [V32] <- [SRC32, SRC32, SRC32]         (0x1ce 0x14e 0x216 0x216) Sem::Lane(lane::alignbit_b32);
    v_alignbyte_b32    [V32] <- [SRC32, SRC32, SRC16]         (0x1cf 0x14f 0x217 0x217) Sem::Lane(lane::alignbyte_b32);
    v_min3_num_f32     [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1d0 0x151 0x219 0x229) Sem::LaneFloat(lane::min3_f32), alias(Gfx9 Gfx10 Gfx11 "v_min3_f32");
    v_min3_i32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d1 0x152 0x21a 0x21a) Sem::Lane(lane::min3_i32);
    v_min3_u32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d2 0x153 0x21b 0x21b) Sem::Lane(lane::min3_u32);
    v_max3_num_f32     [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1d3 0x154 0x21c 0x22a) Sem::LaneFloat(lane::max3_f32), alias(Gfx9 Gfx10 Gfx11 "v_max3_f32");
    v_max3_i32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d4 0x155 0x21d 0x21d) Sem::Lane(lane::max3_i32);
    v_max3_u32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d5 0x156 0x21e 0x21e) Sem::Lane(lane::max3_u32);
    v_med3_num_f32     [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1d6 0x157 0x21f 0x231) Sem::LaneFloat(lane::med3_f32), alias(Gfx9 Gfx10 Gfx11 "v_med3_f32");
    v_med3_i32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d7 0x158 0x220 0x220) Sem::Lane(lane::med3_i32);
    v_med3_u32         [V32] <- [SRC32, SRC32, SRC32]         (0x1d8 0x159 0x221 0x221) Sem::Lane(lane::med3_u32);
    v_sad_u8           [V32] <- [SRC32, SRC32, SRC32]         (0x1d9 0x15a 0x222 0x222) Sem::Lane(lane::sad_u8);
    v_sad_u32          [V32] <- [SRC32, SRC32, SRC32]         (0x1dc 0x15d 0x225 0x225) Sem::Lane(lane::sad_u32);
    v_cvt_pk_u8_f32    [V32] <- [SRCF32, SRC32, SRC32]        (0x1dd 0x15e 0x226 0x226) Sem::Unmodelled;
    v_div_fixup_f32    [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1de 0x15f 0x227 0x227) Sem::LaneFloat(lane::div_fixup_f32);
    v_div_fixup_f64    [V64] <- [SRCF64, SRCF64, SRCF64]      (0x1df 0x160 0x228 0x228) Sem::LaneFloat(lane::div_fixup_f64);
    v_div_fmas_f32     [V32] <- [SRCF32, SRCF32, SRCF32]      (0x1e2 0x16f 0x237 0x237) Sem::Unmodelled, flags(READS_VCC | READS_MODE);
    v_div_fmas_f64     [V64] <- [SRCF64, SRCF64, SRCF64]      (0x1e3 0x170 0x238 0x238) Sem::Unmodelled, flags(READS_VCC | READS_MODE);
    v_perm_b32         [V32] <- [SRC32, SRC32, SRC32]         (0x1ed 0x344 0x244 0x244) Sem::Lane(lane::perm_b32);
    v_xad_u32          [V32] <- [SRC32, SRC32, SRC32]         (0x1f3 0x345 0x245 0x245) Sem::Lane(lane::xad_u32);
    v_lshl_add_u32     [V32] <- [SRC32, SRC32, SRC32]         (0x1fd 0x346 0x246 0x246) Sem::Lane(lane::lshl_add_u32);
    v_add_lshl_u32     [V32] <- [SRC32, SRC32, SRC32]         (0x1fe 0x347 0x247 0x247) Sem::Lane(lane::add_lshl_u32);
    v_add3_u32         [V32] <- [SRC32, SRC32, SRC32]         (0x1ff 0x36d 0x255 0x255) Sem::Lane(lane::add3_u32);
    v_lshl_or_b32      [V32] <- [SRC32, SRC32, SRC32]         (0x200 0x36f 0x256 0x256) Sem::Lane(lane::lshl_or_b32);
    v_and_or_b32       [V32] <- [SRC32, SRC32, SRC32]         (0x201 0x371 0x257 0x257) Sem::Lane(lane::and_or_b32);
    v_or3_b32          [V32] <- [SRC32, SRC32, SRC32]         (0x202 0x372 0x258 0x258) Sem::Lane(lane::or3_b32);
    v_xor3_b32         [V32] <- [SRC32, SRC32, SRC32]         (_     0x178 0x240 0x240) Sem::Lane(lane::xor3_b32);
    v_lshl_add_u64     [V64] <- [SRC64, SRC32, SRC64]         (0x208 _     _     0x252) Sem::Lane(lane::lshl_add_u64), needs LshlAddU64;
    v_bitop3_b32       [V32] <- [SRC32, SRC32, SRC32]         (0x234 _     _     0x234) Sem::LaneMods(lane::bitop3_b32), needs Bitop3;
    v_add_f64          [V64] <- [SRCF64, SRCF64]              (0x280 0x164 0x327 _    ) Sem::LaneFloat(lane::add_f64), in(Gfx12 Vop2 0x2);
    v_mul_f64          [V64] <- [SRCF64, SRCF64]              (0x281 0x165 0x328 _    ) Sem::LaneFloat(lane::mul_f64), in(Gfx12 Vop2 0x6);
    v_min_num_f64      [V64] <- [SRCF64, SRCF64]              (0x282 0x166 0x329 _    ) Sem::LaneFloat(lane::min_f64), alias(Gfx9 Gfx10 Gfx11 "v_min_f64"), in(Gfx12 Vop2 0xd);
    v_max_num_f64      [V64] <- [SRCF64, SRCF64]              (0x283 0x167 0x32a _    ) Sem::LaneFloat(lane::max_f64), alias(Gfx9 Gfx10 Gfx11 "v_max_f64"), in(Gfx12 Vop2 0xe);
    v_ldexp_f64        [V64] <- [SRCF64, SRC32]               (0x284 0x168 0x32b 0x32b) Sem::LaneFloat(lane::ldexp_f64);
    v_mul_lo_u32       [V32] <- [SRC32, SRC32]                (0x285 0x169 0x32c 0x32c) Sem::Lane(lane::mul_lo_u32);
    v_mul_hi_u32       [V32] <- [SRC32, SRC32]                (0x286 0x16a 0x32d 0x32d) Sem::Lane(lane::mul_hi_u32);
    v_mul_hi_i32       [V32] <- [SRC32, SRC32]                (0x287 0x16c 0x32e 0x32e) Sem::Lane(lane::mul_hi_i32);
    v_ldexp_f32        [V32] <- [SRCF32, SRC32]               (0x288 0x362 0x31c 0x31c) Sem::LaneFloat(lane::ldexp_f32);
    v_readlane_b32     [S32] <- [V32, SSRC32]                 (0x289 0x360 0x360 0x360) Sem::Wave(Wave::ReadLane);
    v_writelane_b32    [V32] <- [SSRC32, SSRC32, TIED32]      (0x28a 0x361 0x361 0x361) Sem::Wave(Wave::WriteLane);
    v_bcnt_u32_b32     [V32] <- [SRC32, SRC32]                (0x28b 0x364 0x31e 0x31e) Sem::Lane(lane::bcnt_u32_b32);
    v_mbcnt_lo_u32_b32 [V32] <- [SRC32, SRC32]                (0x28c 0x365 0x31f 0x31f) Sem::Wave(Wave::MbcntLo);
    v_mbcnt_hi_u32_b32 [V32] <- [SRC32, SRC32]                (0x28d 0x366 0x320 0x320) Sem::Wave(Wave::MbcntHi);
    v_lshlrev_b64      [V64] <- [SRC32, SRC64]                (0x28f 0x2ff 0x33c _    ) Sem::Lane(lane::lshlrev_b64), flags(ONE_SCALAR), in(Gfx12 Vop2 0x1f);
    v_lshrrev_b64      [V64] <- [SRC32, SRC64]                (0x290 0x300 0x33d 0x33d) Sem::Lane(lane::lshrrev_b64), flags(ONE_SCALAR);
    v_ashrrev_i64      [V64] <- [SRC32, SRC64]                (0x291 0x301 0x33e 0x33e) Sem::Lane(lane::ashrrev_i64), flags(ONE_SCALAR);
    v_bfm_b32          [V32] <- [SRC32, SRC32]                (0x293 0x363 0x31d 0x31d) Sem::Lane(lane::bfm_b32);
    v_cvt_pk_u16_u32   [V32] <- [SRC32, SRC32]                (0x297 0x36a 0x323 0x323) Sem::Lane(lane::cvt_pk_u16_u32);
    v_cvt_pk_i16_i32   [V32] <- [SRC32, SRC32]                (0x298 0x36b 0x324 0x324) Sem::Lane(lane::cvt_pk_i16_i32);
    v_pack_b32_f16     [V32] <- [SRCF16, SRCF16]              (0x2a0 0x311 0x311 0x311) Sem::LaneFloat(lane::pack_b32_f16), flags(OP_SEL);
    v_add_nc_i32       [V32] <- [SRC32, SRC32]                (0x29c 0x37f 0x326 0x326) Sem::LaneMods(lane::add_nc_i32), alias(Gfx9 "v_add_i32");
    v_sub_nc_i32       [V32] <- [SRC32, SRC32]                (0x29d 0x376 0x325 0x325) Sem::LaneMods(lane::sub_nc_i32), alias(Gfx9 "v_sub_i32");
    v_permlane16_b32   [V32] <- [V32, SSRC32, SSRC32, TIED32] (_     0x377 0x25b 0x25b) Sem::Wave(Wave::Permlane16), flags(OP_SEL);
    v_permlanex16_b32  [V32] <- [V32, SSRC32, SSRC32, TIED32] (_     0x378 0x25c 0x25c) Sem::Wave(Wave::PermlaneX16), flags(OP_SEL);
    v_min_i64          [V64] <- [SRC64, SRC64]                (_     _     _     0x31a) Sem::Lane(lane::min_i64), needs VectorU64;
    v_max_i64          [V64] <- [SRC64, SRC64]                (_     _     _     0x31b) Sem::Lane(lane::max_i64), needs VectorU64;
    v_min_u64          [V64] <- [SRC64, SRC64]                (_     _     _     0x318) Sem::Lane(lane::min_u64), needs VectorU64;
    v_max_u64          [V64] <- [SRC64, SRC64]                (_     _     _     0x319) Sem::Lane(lane::max_u64), needs VectorU64;
    v_mad_nc_u64_u32   [V64] <- [SRC32, SRC32, SRC64]         (_     _     _     0x2fa) Sem::Lane(lane::mad_nc_u64_u32), needs VectorU64;
    v_mad_nc_i64_i32   [V64] <- [SRC32, SRC32, SRC64]         (_     _     _     0x2fb) Sem::Lane(lane::mad_nc_i64_i32), needs VectorU64;
    v_mad_u32          [V32] <- [SRC32, SRC32, SRC32]         (_     _     _     0x235) Sem::Lane(lane::mad_u32), needs VectorU64;
}
