//! SMEM: scalar loads and cache invalidation.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "SMEM Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Smem;
    //                                      gfx9 gfx10 gfx11 gfx12  meaning
    s_load_b32    [S32]  <- [S64, SOFF32] (0x0  0x0  0x0  0x0 ) Sem::Load(MemKind::dwords(1)), alias(Gfx9 Gfx10 "s_load_dword");
    s_load_b64    [S64]  <- [S64, SOFF32] (0x1  0x1  0x1  0x1 ) Sem::Load(MemKind::dwords(2)), alias(Gfx9 Gfx10 "s_load_dwordx2");
    s_load_b128   [S128] <- [S64, SOFF32] (0x2  0x2  0x2  0x2 ) Sem::Load(MemKind::dwords(4)), alias(Gfx9 Gfx10 "s_load_dwordx4");
    s_load_b256   [S256] <- [S64, SOFF32] (0x3  0x3  0x3  0x3 ) Sem::Load(MemKind::dwords(8)), alias(Gfx9 Gfx10 "s_load_dwordx8");
    s_load_b512   [S512] <- [S64, SOFF32] (0x4  0x4  0x4  0x4 ) Sem::Load(MemKind::dwords(16)), alias(Gfx9 Gfx10 "s_load_dwordx16");
    s_load_b96    [S96]  <- [S64, SOFF32] (_    _    _    0x5 ) Sem::Load(MemKind::dwords(3));
    s_load_i8     [S32]  <- [S64, SOFF32] (_    _    _    0x8 ) Sem::Load(MemKind::signed(1));
    s_load_u8     [S32]  <- [S64, SOFF32] (_    _    _    0x9 ) Sem::Load(MemKind::unsigned(1));
    s_load_i16    [S32]  <- [S64, SOFF32] (_    _    _    0xa ) Sem::Load(MemKind::signed(2));
    s_load_u16    [S32]  <- [S64, SOFF32] (_    _    _    0xb ) Sem::Load(MemKind::unsigned(2));
    s_dcache_inv  []     <- []            (0x20 0x20 0x21 0x21) Sem::Wave(Wave::CacheControl);
    s_memtime     [S64]  <- []            (0x24 0x24 _    _   ) Sem::Wave(Wave::MemTime);
    s_memrealtime [S64]  <- []            (0x25 0x25 _    _   ) Sem::Wave(Wave::MemRealTime);
}
