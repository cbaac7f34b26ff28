//! The op tables, one file per format, rows in manual order.
//!
//! ```text
//! //  mnemonic      defs      uses                     gfx9  gfx10 gfx11 gfx12   meaning
//! v_perm_b32   [V32] <- [SRC32, SRC32, SRC32]  (0x1ed 0x344 0x244 0x244)  Sem::Lane(lane::perm_b32);
//! ```
//! `_` means that the generation lacks the op. A row may go on with `needs Feature`, `flags(A | B)`,
//! `alias(Gfx9 "old_name")` and `in(Gfx12 Vop2 0x1f)` for a column where the op has another format.
