//! MUBUF: only its cache-control ops, which have no operands.
//!
//! Spec: the AMD ISA manuals (MI300, RDNA1 to RDNA4), "MUBUF Instructions". Numbers checked against llvm-mc 22.

use super::prelude::*;

ops! { Mubuf;
    //                            gfx9 gfx10 gfx11 gfx12  meaning
    buffer_wbl2        [] <- [] (0x28 _    _    _) Sem::Wave(Wave::CacheControl), needs WriteBackL2;
    buffer_inv         [] <- [] (0x29 _    _    _) Sem::Wave(Wave::CacheControl), needs ScBits;
    buffer_invl2       [] <- [] (0x29 _    _    _) Sem::Wave(Wave::CacheControl), needs InvL2;
    buffer_wbinvl1     [] <- [] (0x3e _    _    _) Sem::Wave(Wave::CacheControl), needs InvL1;
    buffer_wbinvl1_vol [] <- [] (0x3f _    _    _) Sem::Wave(Wave::CacheControl), needs InvL1;
    buffer_gl0_inv     [] <- [] (_    0x71 0x2b _) Sem::Wave(Wave::CacheControl);
    buffer_gl1_inv     [] <- [] (_    0x72 0x2c _) Sem::Wave(Wave::CacheControl);
}
