//! SCRATCH: private memory of a lane.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "FLAT, Scratch and Global Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Scratch;
    //                                                          gfx9 gfx10 gfx11 gfx12  meaning
    scratch_load_u8          [V32]  <- [VOFF32, SOFF32]       (0x10 0x8  0x10 0x10) Sem::Load(MemKind::unsigned(1)), alias(Gfx9 Gfx10 "scratch_load_ubyte");
    scratch_load_i8          [V32]  <- [VOFF32, SOFF32]       (0x11 0x9  0x11 0x11) Sem::Load(MemKind::signed(1)), alias(Gfx9 Gfx10 "scratch_load_sbyte");
    scratch_load_u16         [V32]  <- [VOFF32, SOFF32]       (0x12 0xa  0x12 0x12) Sem::Load(MemKind::unsigned(2)), alias(Gfx9 Gfx10 "scratch_load_ushort");
    scratch_load_i16         [V32]  <- [VOFF32, SOFF32]       (0x13 0xb  0x13 0x13) Sem::Load(MemKind::signed(2)), alias(Gfx9 Gfx10 "scratch_load_sshort");
    scratch_load_b32         [V32]  <- [VOFF32, SOFF32]       (0x14 0xc  0x14 0x14) Sem::Load(MemKind::dwords(1)), alias(Gfx9 Gfx10 "scratch_load_dword");
    scratch_load_b64         [V64]  <- [VOFF32, SOFF32]       (0x15 0xd  0x15 0x15) Sem::Load(MemKind::dwords(2)), alias(Gfx9 Gfx10 "scratch_load_dwordx2");
    scratch_load_b96         [V96]  <- [VOFF32, SOFF32]       (0x16 0xf  0x16 0x16) Sem::Load(MemKind::dwords(3)), alias(Gfx9 Gfx10 "scratch_load_dwordx3");
    scratch_load_b128        [V128] <- [VOFF32, SOFF32]       (0x17 0xe  0x17 0x17) Sem::Load(MemKind::dwords(4)), alias(Gfx9 Gfx10 "scratch_load_dwordx4");
    scratch_store_b8         []     <- [VOFF32, V32, SOFF32]  (0x18 0x18 0x18 0x18) Sem::Store(MemKind::unsigned(1)), alias(Gfx9 Gfx10 "scratch_store_byte");
    scratch_store_b16        []     <- [VOFF32, V32, SOFF32]  (0x1a 0x1a 0x19 0x19) Sem::Store(MemKind::unsigned(2)), alias(Gfx9 Gfx10 "scratch_store_short");
    scratch_store_b32        []     <- [VOFF32, V32, SOFF32]  (0x1c 0x1c 0x1a 0x1a) Sem::Store(MemKind::dwords(1)), alias(Gfx9 Gfx10 "scratch_store_dword");
    scratch_store_b64        []     <- [VOFF32, V64, SOFF32]  (0x1d 0x1d 0x1b 0x1b) Sem::Store(MemKind::dwords(2)), alias(Gfx9 Gfx10 "scratch_store_dwordx2");
    scratch_store_b96        []     <- [VOFF32, V96, SOFF32]  (0x1e 0x1f 0x1c 0x1c) Sem::Store(MemKind::dwords(3)), alias(Gfx9 Gfx10 "scratch_store_dwordx3");
    scratch_store_b128       []     <- [VOFF32, V128, SOFF32] (0x1f 0x1e 0x1d 0x1d) Sem::Store(MemKind::dwords(4)), alias(Gfx9 Gfx10 "scratch_store_dwordx4");
    scratch_store_d16_hi_b8  []     <- [VOFF32, V32, SOFF32]  (0x19 0x19 0x24 0x24) Sem::Store(MemKind::unsigned(1).high()), alias(Gfx9 Gfx10 "scratch_store_byte_d16_hi");
    scratch_store_d16_hi_b16 []     <- [VOFF32, V32, SOFF32]  (0x1b 0x1b 0x25 0x25) Sem::Store(MemKind::unsigned(2).high()), alias(Gfx9 Gfx10 "scratch_store_short_d16_hi");
}
