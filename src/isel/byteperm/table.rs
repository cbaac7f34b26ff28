//! Byte selections whose shortest sequence is none of those that the module above makes by rule, and helpers for these.
//!
//! Written by `cargo run --release --example byteperm_search`, which says what was searched. Not for editing.

use super::row::{A, B, H, Helper, K, Row, pk, step};
use crate::amd::ops;

/// For the vector unit, by key: five bits for each byte, byte 0 lowest. 0 to 3 are the bytes of the first source, 4 to 7 of the
/// second, 8 to 15 their signs, 16 zero, 17 ones. The first byte of a source that is named is one of the first source.
#[rustfmt::skip]
pub(super) static ROWS: &[Row] = &[
    (0x00000, &[step(ops::v_perm_b32, &[A, A, K(0)])]), // a.0 a.0 a.0 a.0
    (0x00001, &[step(ops::v_perm_b32, &[A, A, K(1)])]), // a.1 a.0 a.0 a.0
    (0x00002, &[step(ops::v_perm_b32, &[A, A, K(2)])]), // a.2 a.0 a.0 a.0
    (0x00003, &[step(ops::v_perm_b32, &[A, A, K(3)])]), // a.3 a.0 a.0 a.0
    (0x00008, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_perm_b32, &[H, A, K(5)])]), // sign(a.0) a.0 a.0 a.0
    (0x00009, &[step(ops::v_perm_b32, &[A, A, K(8)])]), // sign(a.1) a.0 a.0 a.0
    (0x0000a, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_perm_b32, &[H, A, K(7)])]), // sign(a.2) a.0 a.0 a.0
    (0x0000b, &[step(ops::v_perm_b32, &[A, A, K(9)])]), // sign(a.3) a.0 a.0 a.0
    (0x00010, &[step(ops::v_perm_b32, &[A, A, K(12)])]), // 0x00 a.0 a.0 a.0
    (0x00011, &[step(ops::v_perm_b32, &[A, A, K(13)])]), // 0xff a.0 a.0 a.0
    (0x00100, &[step(ops::v_perm_b32, &[A, A, K(0)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) a.0 a.0
    (0x00108, &[step(ops::v_perm_b32, &[A, A, K(0)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) a.0 a.0
    (0x00500, &[step(ops::v_perm_b32, &[A, A, K(1)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) a.1 a.0
    (0x00508, &[step(ops::v_perm_b32, &[A, A, K(1)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) a.1 a.0
    (0x00900, &[step(ops::v_perm_b32, &[A, A, K(2)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) a.2 a.0
    (0x00908, &[step(ops::v_perm_b32, &[A, A, K(2)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) a.2 a.0
    (0x00c41, &[step(ops::v_alignbit_b32, &[A, A, K(8)])]), // a.1 a.2 a.3 a.0
    (0x00d00, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 3)]), // a.0 sign(a.0) a.3 a.0
    (0x00d08, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 3)]), // sign(a.0) sign(a.0) a.3 a.0
    (0x00d42, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.3 a.0
    (0x00d4a, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.3 a.0
    (0x01100, &[step(ops::v_perm_b32, &[B, A, K(4)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) b.0 a.0
    (0x01108, &[step(ops::v_perm_b32, &[B, A, K(4)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) b.0 a.0
    (0x01500, &[step(ops::v_perm_b32, &[B, A, K(5)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) b.1 a.0
    (0x01508, &[step(ops::v_perm_b32, &[B, A, K(5)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) b.1 a.0
    (0x01900, &[step(ops::v_perm_b32, &[B, A, K(6)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) b.2 a.0
    (0x01908, &[step(ops::v_perm_b32, &[B, A, K(6)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) b.2 a.0
    (0x01d00, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 3)]), // a.0 sign(a.0) b.3 a.0
    (0x01d08, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 3)]), // sign(a.0) sign(a.0) b.3 a.0
    (0x01d42, &[step(ops::v_alignbit_b32, &[A, B, K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.2 sign(a.2) b.3 a.0
    (0x01d4a, &[step(ops::v_alignbit_b32, &[A, B, K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 1)]), // sign(a.2) sign(a.2) b.3 a.0
    (0x02108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[A, H, K(8)])]), // sign(a.0) sign(a.0) sign(a.0) a.0
    (0x02500, &[step(ops::v_perm_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) sign(a.1) a.0
    (0x02508, &[step(ops::v_perm_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) sign(a.1) a.0
    (0x02841, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), step(ops::v_alignbit_b32, &[A, H, K(8)])]), // a.1 a.2 sign(a.2) a.0
    (0x02942, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[A, H, K(8)])]), // a.2 sign(a.2) sign(a.2) a.0
    (0x0294a, &[step(ops::v_bfe_i32, &[A, K(15), K(9)]), step(ops::v_alignbit_b32, &[A, H, K(8)])]), // sign(a.2) sign(a.2) sign(a.2) a.0
    (0x02d00, &[step(ops::v_perm_b32, &[A, A, K(9)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) sign(a.3) a.0
    (0x02d08, &[step(ops::v_perm_b32, &[A, A, K(9)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) sign(a.3) a.0
    (0x03500, &[step(ops::v_perm_b32, &[B, A, K(10)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) sign(b.1) a.0
    (0x03508, &[step(ops::v_perm_b32, &[B, A, K(10)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) sign(b.1) a.0
    (0x03d00, &[step(ops::v_perm_b32, &[B, A, K(11)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) sign(b.3) a.0
    (0x03d08, &[step(ops::v_perm_b32, &[B, A, K(11)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) sign(b.3) a.0
    (0x04010, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 0)]), // 0x00 a.0 0x00 a.0
    (0x04020, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 1, 0)]), // a.0 a.1 0x00 a.0
    (0x04050, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 0)]), // 0x00 a.2 0x00 a.0
    (0x04062, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 3, 0)]), // a.2 a.3 0x00 a.0
    (0x04100, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 1)]), // a.0 sign(a.0) 0x00 a.0
    (0x04108, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 1)]), // sign(a.0) sign(a.0) 0x00 a.0
    (0x04110, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 0)]), // 0x00 sign(a.0) 0x00 a.0
    (0x04142, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.2 sign(a.2) 0x00 a.0
    (0x0414a, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 1)]), // sign(a.2) sign(a.2) 0x00 a.0
    (0x04210, &[step(ops::v_alignbit_b32, &[A, K(0), K(8)])]), // 0x00 0x00 0x00 a.0
    (0x04500, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 3)]), // a.0 sign(a.0) 0xff a.0
    (0x04508, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 3)]), // sign(a.0) sign(a.0) 0xff a.0
    (0x04542, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.2 sign(a.2) 0xff a.0
    (0x0454a, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 1)]), // sign(a.2) sign(a.2) 0xff a.0
    (0x04631, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)])]), // 0xff 0xff 0xff a.0
    (0x08010, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1)]), // 0x00 a.0 a.0 a.1
    (0x08020, &[pk(ops::v_pk_lshlrev_b16, &[K(0), A], 0, 0)]), // a.0 a.1 a.0 a.1
    (0x08050, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 1)]), // 0x00 a.2 a.0 a.1
    (0x08062, &[step(ops::v_alignbit_b32, &[A, A, K(16)])]), // a.2 a.3 a.0 a.1
    (0x08100, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.0 sign(a.0) a.0 a.1
    (0x08108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[A, H, K(16)])]), // sign(a.0) sign(a.0) a.0 a.1
    (0x08121, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 0, 1)]), // a.1 sign(a.1) a.0 a.1
    (0x08129, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 0, 1)]), // sign(a.1) sign(a.1) a.0 a.1
    (0x08142, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), step(ops::v_alignbit_b32, &[A, H, K(16)])]), // a.2 sign(a.2) a.0 a.1
    (0x0814a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), step(ops::v_alignbit_b32, &[A, H, K(16)])]), // sign(a.2) sign(a.2) a.0 a.1
    (0x08163, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 2, 1)]), // a.3 sign(a.3) a.0 a.1
    (0x0816b, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 2, 1)]), // sign(a.3) sign(a.3) a.0 a.1
    (0x08201, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 0, 1)]), // a.1 0x00 a.0 a.1
    (0x08203, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 2, 1)]), // a.3 0x00 a.0 a.1
    (0x0820a, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 1)]), // sign(a.2) 0x00 a.0 a.1
    (0x08210, &[step(ops::v_lshlrev_b32, &[K(16), A])]), // 0x00 0x00 a.0 a.1
    (0x08231, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(16)])]), // 0xff 0xff a.0 a.1
    (0x08428, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.0) a.1 a.1 a.1
    (0x0842a, &[step(ops::v_lshrrev_b32, &[K(8), A]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) a.1 a.1 a.1
    (0x0a942, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[H, H, K(8)])]), // a.2 sign(a.2) sign(a.2) a.1
    (0x0c14a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 3, 0)]), // sign(a.2) sign(a.2) 0x00 a.1
    (0x0c150, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 0)]), // 0x00 sign(a.2) 0x00 a.1
    (0x10403, &[step(ops::v_alignbit_b32, &[A, A, K(24)])]), // a.3 a.0 a.1 a.2
    (0x10408, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[A, H, K(24)])]), // sign(a.0) a.0 a.1 a.2
    (0x1040a, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_alignbit_b32, &[A, H, K(24)])]), // sign(a.2) a.0 a.1 a.2
    (0x10410, &[step(ops::v_lshlrev_b32, &[K(8), A])]), // 0x00 a.0 a.1 a.2
    (0x10411, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)])]), // 0xff a.0 a.1 a.2
    (0x10500, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.0 sign(a.0) a.1 a.2
    (0x10508, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.0) sign(a.0) a.1 a.2
    (0x10542, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 3)]), // a.2 sign(a.2) a.1 a.2
    (0x1054a, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 3)]), // sign(a.2) sign(a.2) a.1 a.2
    (0x10550, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 1)]), // 0x00 sign(a.2) a.1 a.2
    (0x1060a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 1)]), // sign(a.2) 0x00 a.1 a.2
    (0x10848, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 3, 0), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.0) a.2 a.2 a.2
    (0x1084a, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_perm_b32, &[A, H, K(1)])]), // sign(a.2) a.2 a.2 a.2
    (0x1294a, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, H, K(8)])]), // sign(a.2) sign(a.2) sign(a.2) a.2
    (0x14010, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 2)]), // 0x00 a.0 0x00 a.2
    (0x14020, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 1, 2)]), // a.0 a.1 0x00 a.2
    (0x14050, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 2)]), // 0x00 a.2 0x00 a.2
    (0x14062, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 3, 2)]), // a.2 a.3 0x00 a.2
    (0x14100, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 0), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.0 sign(a.0) 0x00 a.2
    (0x14108, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 0), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 1)]), // sign(a.0) sign(a.0) 0x00 a.2
    (0x14142, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 1, 0)]), // a.2 sign(a.2) 0x00 a.2
    (0x1414a, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 3, 0)]), // sign(a.2) sign(a.2) 0x00 a.2
    (0x14150, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 0)]), // 0x00 sign(a.2) 0x00 a.2
    (0x18810, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3)]), // 0x00 a.0 a.2 a.3
    (0x18830, &[step(ops::v_and_b32, &[K(0xffffff00), A])]), // 0x00 a.1 a.2 a.3
    (0x18831, &[step(ops::v_or_b32, &[K(0x000000ff), A])]), // 0xff a.1 a.2 a.3
    (0x18850, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 3)]), // 0x00 a.2 a.2 a.3
    (0x18862, &[pk(ops::v_pk_lshlrev_b16, &[K(0), A], 2, 2)]), // a.2 a.3 a.2 a.3
    (0x188a0, &[step(ops::v_bfi_b32, &[K(0xffff00ff), A, B])]), // a.0 b.1 a.2 a.3
    (0x18900, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.0 sign(a.0) a.2 a.3
    (0x18908, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.0) sign(a.0) a.2 a.3
    (0x18921, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 0, 3)]), // a.1 sign(a.1) a.2 a.3
    (0x18929, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 0, 3)]), // sign(a.1) sign(a.1) a.2 a.3
    (0x18942, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 3), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.2 a.3
    (0x1894a, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 3), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.2 a.3
    (0x18963, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 2, 3)]), // a.3 sign(a.3) a.2 a.3
    (0x1896b, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 2, 3)]), // sign(a.3) sign(a.3) a.2 a.3
    (0x18a00, &[step(ops::v_and_b32, &[K(0xffff00ff), A])]), // a.0 0x00 a.2 a.3
    (0x18a01, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 0, 3)]), // a.1 0x00 a.2 a.3
    (0x18a03, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 2, 3)]), // a.3 0x00 a.2 a.3
    (0x18a10, &[step(ops::v_and_b32, &[K(0xffff0000), A])]), // 0x00 0x00 a.2 a.3
    (0x18a20, &[step(ops::v_or_b32, &[K(0x0000ff00), A])]), // a.0 0xff a.2 a.3
    (0x18a31, &[step(ops::v_or_b32, &[K(0x0000ffff), A])]), // 0xff 0xff a.2 a.3
    (0x18c68, &[step(ops::v_alignbit_b32, &[A, A, K(24)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) a.3 a.3 a.3
    (0x18c6a, &[step(ops::v_alignbit_b32, &[A, A, K(24)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.2) a.3 a.3 a.3
    (0x19820, &[step(ops::v_bfi_b32, &[K(0xff00ffff), A, B])]), // a.0 a.1 b.2 a.3
    (0x198a0, &[step(ops::v_bfi_b32, &[K(0xff0000ff), A, B])]), // a.0 b.1 b.2 a.3
    (0x1c020, &[step(ops::v_and_b32, &[K(0xff00ffff), A])]), // a.0 a.1 0x00 a.3
    (0x1c030, &[step(ops::v_and_b32, &[K(0xff00ff00), A])]), // 0x00 a.1 0x00 a.3
    (0x1c200, &[step(ops::v_and_b32, &[K(0xff0000ff), A])]), // a.0 0x00 0x00 a.3
    (0x1c210, &[step(ops::v_and_b32, &[K(0xff000000), A])]), // 0x00 0x00 0x00 a.3
    (0x1c420, &[step(ops::v_or_b32, &[K(0x00ff0000), A])]), // a.0 a.1 0xff a.3
    (0x1c431, &[step(ops::v_or_b32, &[K(0x00ff00ff), A])]), // 0xff a.1 0xff a.3
    (0x1c620, &[step(ops::v_or_b32, &[K(0x00ffff00), A])]), // a.0 0xff 0xff a.3
    (0x1c631, &[step(ops::v_or_b32, &[K(0x00ffffff), A])]), // 0xff 0xff 0xff a.3
    (0x20c41, &[step(ops::v_alignbit_b32, &[B, A, K(8)])]), // a.1 a.2 a.3 b.0
    (0x20d42, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.3 b.0
    (0x20d4a, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.3 b.0
    (0x21080, &[step(ops::v_perm_b32, &[A, B, K(4)])]), // a.0 b.0 b.0 b.0
    (0x21081, &[step(ops::v_perm_b32, &[A, B, K(5)])]), // a.1 b.0 b.0 b.0
    (0x21082, &[step(ops::v_perm_b32, &[A, B, K(6)])]), // a.2 b.0 b.0 b.0
    (0x21083, &[step(ops::v_perm_b32, &[A, B, K(7)])]), // a.3 b.0 b.0 b.0
    (0x21088, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_perm_b32, &[H, B, K(5)])]), // sign(a.0) b.0 b.0 b.0
    (0x21089, &[step(ops::v_perm_b32, &[A, B, K(10)])]), // sign(a.1) b.0 b.0 b.0
    (0x2108a, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_perm_b32, &[H, B, K(7)])]), // sign(a.2) b.0 b.0 b.0
    (0x2108b, &[step(ops::v_perm_b32, &[A, B, K(11)])]), // sign(a.3) b.0 b.0 b.0
    (0x22108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[B, H, K(8)])]), // sign(a.0) sign(a.0) sign(a.0) b.0
    (0x22841, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), step(ops::v_alignbit_b32, &[B, H, K(8)])]), // a.1 a.2 sign(a.2) b.0
    (0x22942, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[B, H, K(8)])]), // a.2 sign(a.2) sign(a.2) b.0
    (0x2294a, &[step(ops::v_bfe_i32, &[A, K(15), K(9)]), step(ops::v_alignbit_b32, &[B, H, K(8)])]), // sign(a.2) sign(a.2) sign(a.2) b.0
    (0x29062, &[step(ops::v_alignbit_b32, &[B, A, K(16)])]), // a.2 a.3 b.0 b.1
    (0x29108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[B, H, K(16)])]), // sign(a.0) sign(a.0) b.0 b.1
    (0x29142, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), step(ops::v_alignbit_b32, &[B, H, K(16)])]), // a.2 sign(a.2) b.0 b.1
    (0x2914a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), step(ops::v_alignbit_b32, &[B, H, K(16)])]), // sign(a.2) sign(a.2) b.0 b.1
    (0x294a8, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.0) b.1 b.1 b.1
    (0x294aa, &[step(ops::v_perm_b32, &[B, A, K(0x00000205)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) b.1 b.1 b.1
    (0x31483, &[step(ops::v_alignbit_b32, &[B, A, K(24)])]), // a.3 b.0 b.1 b.2
    (0x31488, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_alignbit_b32, &[B, H, K(24)])]), // sign(a.0) b.0 b.1 b.2
    (0x3148a, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_alignbit_b32, &[B, H, K(24)])]), // sign(a.2) b.0 b.1 b.2
    (0x31500, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.0 sign(a.0) b.1 b.2
    (0x31508, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 1)]), // sign(a.0) sign(a.0) b.1 b.2
    (0x318c8, &[step(ops::v_perm_b32, &[B, A, K(6)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) b.2 b.2 b.2
    (0x318ca, &[step(ops::v_perm_b32, &[B, A, K(0x00000206)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) b.2 b.2 b.2
    (0x38820, &[step(ops::v_bfi_b32, &[K(0x00ffffff), A, B])]), // a.0 a.1 a.2 b.3
    (0x388a0, &[step(ops::v_bfi_b32, &[K(0x00ff00ff), A, B])]), // a.0 b.1 a.2 b.3
    (0x39820, &[step(ops::v_bfi_b32, &[K(0x0000ffff), A, B])]), // a.0 a.1 b.2 b.3
    (0x398a0, &[step(ops::v_bfi_b32, &[K(0x000000ff), A, B])]), // a.0 b.1 b.2 b.3
    (0x39ce8, &[step(ops::v_alignbit_b32, &[A, B, K(24)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) b.3 b.3 b.3
    (0x39cea, &[step(ops::v_alignbit_b32, &[A, B, K(24)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.2) b.3 b.3 b.3
    (0x40000, &[step(ops::v_perm_b32, &[A, A, K(0)]), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.0 a.0 a.0 sign(a.0)
    (0x40001, &[step(ops::v_perm_b32, &[A, A, K(1)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.1 a.0 a.0 sign(a.0)
    (0x40002, &[step(ops::v_perm_b32, &[A, A, K(2)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.2 a.0 a.0 sign(a.0)
    (0x40003, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 2)]), // a.3 a.0 a.0 sign(a.0)
    (0x40009, &[step(ops::v_perm_b32, &[A, A, K(8)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.1) a.0 a.0 sign(a.0)
    (0x4000b, &[step(ops::v_perm_b32, &[A, A, K(9)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.3) a.0 a.0 sign(a.0)
    (0x40010, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 1, 0)]), // 0x00 a.0 a.0 sign(a.0)
    (0x40011, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 2)]), // 0xff a.0 a.0 sign(a.0)
    (0x40020, &[pk(ops::v_pk_lshlrev_b16, &[K(0), A], 0, 0), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.0 a.1 a.0 sign(a.0)
    (0x40041, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.1 a.2 a.0 sign(a.0)
    (0x40050, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 1), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // 0x00 a.2 a.0 sign(a.0)
    (0x40062, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 a.0 sign(a.0)
    (0x40100, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 0)]), // a.0 sign(a.0) a.0 sign(a.0)
    (0x40108, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, H, K(16)])]), // sign(a.0) sign(a.0) a.0 sign(a.0)
    (0x40110, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 1)]), // 0x00 sign(a.0) a.0 sign(a.0)
    (0x40121, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // a.1 sign(a.1) a.0 sign(a.0)
    (0x40129, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 0, 1), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.1) sign(a.1) a.0 sign(a.0)
    (0x40142, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // a.2 sign(a.2) a.0 sign(a.0)
    (0x40163, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // a.3 sign(a.3) a.0 sign(a.0)
    (0x4016b, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 2, 1), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.3) sign(a.3) a.0 sign(a.0)
    (0x40200, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 0), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.0 0x00 a.0 sign(a.0)
    (0x40201, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 1, 0), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.1 0x00 a.0 sign(a.0)
    (0x40202, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 0), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.2 0x00 a.0 sign(a.0)
    (0x40203, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 3, 0), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.3 0x00 a.0 sign(a.0)
    (0x40208, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 1)]), // sign(a.0) 0x00 a.0 sign(a.0)
    (0x40210, &[step(ops::v_alignbit_b32, &[A, K(0), K(8)]), step(ops::v_ashrrev_i32, &[K(8), H])]), // 0x00 0x00 a.0 sign(a.0)
    (0x40220, &[step(ops::v_perm_b32, &[A, A, K(0x3f000000)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.0 0xff a.0 sign(a.0)
    (0x40231, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), step(ops::v_ashrrev_i32, &[K(8), H])]), // 0xff 0xff a.0 sign(a.0)
    (0x40c41, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(8)])]), // a.1 a.2 a.3 sign(a.0)
    (0x42000, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // a.0 a.0 sign(a.0) sign(a.0)
    (0x42001, &[pk(ops::v_pk_lshlrev_b16, &[K(0), A], 0, 0), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // a.1 a.0 sign(a.0) sign(a.0)
    (0x42002, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 1), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // a.2 a.0 sign(a.0) sign(a.0)
    (0x42003, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 a.0 sign(a.0) sign(a.0)
    (0x42008, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, H, K(24)])]), // sign(a.0) a.0 sign(a.0) sign(a.0)
    (0x42009, &[pk(ops::v_pk_ashrrev_i16, &[K(7), A], 0, 1), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // sign(a.1) a.0 sign(a.0) sign(a.0)
    (0x4200b, &[pk(ops::v_pk_ashrrev_i16, &[K(7), A], 2, 1), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // sign(a.3) a.0 sign(a.0) sign(a.0)
    (0x42010, &[step(ops::v_lshlrev_b32, &[K(8), A]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // 0x00 a.0 sign(a.0) sign(a.0)
    (0x42011, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), step(ops::v_ashrrev_i32, &[K(16), H])]), // 0xff a.0 sign(a.0) sign(a.0)
    (0x42020, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.0 a.1 sign(a.0) sign(a.0)
    (0x42041, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.1 a.2 sign(a.0) sign(a.0)
    (0x42050, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 0), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 1, 2)]), // 0x00 a.2 sign(a.0) sign(a.0)
    (0x42062, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 sign(a.0) sign(a.0)
    (0x42100, &[step(ops::v_bfe_i32, &[A, K(0), K(8)])]), // a.0 sign(a.0) sign(a.0) sign(a.0)
    (0x42101, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(5)])]), // a.1 sign(a.0) sign(a.0) sign(a.0)
    (0x42102, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(6)])]), // a.2 sign(a.0) sign(a.0) sign(a.0)
    (0x42103, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(7)])]), // a.3 sign(a.0) sign(a.0) sign(a.0)
    (0x42108, &[step(ops::v_bfe_i32, &[A, K(7), K(1)])]), // sign(a.0) sign(a.0) sign(a.0) sign(a.0)
    (0x42109, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(10)])]), // sign(a.1) sign(a.0) sign(a.0) sign(a.0)
    (0x4210b, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(11)])]), // sign(a.3) sign(a.0) sign(a.0) sign(a.0)
    (0x42110, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(12)])]), // 0x00 sign(a.0) sign(a.0) sign(a.0)
    (0x42111, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(13)])]), // 0xff sign(a.0) sign(a.0) sign(a.0)
    (0x42129, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.1) sign(a.1) sign(a.0) sign(a.0)
    (0x4214a, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.2) sign(a.2) sign(a.0) sign(a.0)
    (0x4216b, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.3) sign(a.3) sign(a.0) sign(a.0)
    (0x42208, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 3)]), // sign(a.0) 0x00 sign(a.0) sign(a.0)
    (0x42210, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_lshlrev_b32, &[K(16), H])]), // 0x00 0x00 sign(a.0) sign(a.0)
    (0x42220, &[step(ops::v_perm_b32, &[A, A, K(0x3f000000)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.0 0xff sign(a.0) sign(a.0)
    (0x42231, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, K(0xffffffff), K(16)])]), // 0xff 0xff sign(a.0) sign(a.0)
    (0x44010, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 0, 2)]), // 0x00 a.0 0x00 sign(a.0)
    (0x44100, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 1, 2)]), // a.0 sign(a.0) 0x00 sign(a.0)
    (0x44108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 3, 2)]), // sign(a.0) sign(a.0) 0x00 sign(a.0)
    (0x44110, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 2)]), // 0x00 sign(a.0) 0x00 sign(a.0)
    (0x44210, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, K(0), K(8)])]), // 0x00 0x00 0x00 sign(a.0)
    (0x44631, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, K(0xffffffff), K(8)])]), // 0xff 0xff 0xff sign(a.0)
    (0x48420, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 1, 0)]), // a.0 a.1 a.1 sign(a.1)
    (0x48462, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 3, 0)]), // a.2 a.3 a.1 sign(a.1)
    (0x48500, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.0 sign(a.0) a.1 sign(a.1)
    (0x48521, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 0, 0)]), // a.1 sign(a.1) a.1 sign(a.1)
    (0x48529, &[pk(ops::v_pk_ashrrev_i16, &[K(0x0008000f), A], 0, 1)]), // sign(a.1) sign(a.1) a.1 sign(a.1)
    (0x48542, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.2 sign(a.2) a.1 sign(a.1)
    (0x4854a, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // sign(a.2) sign(a.2) a.1 sign(a.1)
    (0x48563, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 2, 0)]), // a.3 sign(a.3) a.1 sign(a.1)
    (0x4856b, &[pk(ops::v_pk_ashrrev_i16, &[K(0x0008000f), A], 2, 1)]), // sign(a.3) sign(a.3) a.1 sign(a.1)
    (0x4a420, &[step(ops::v_bfe_i32, &[A, K(0), K(16)])]), // a.0 a.1 sign(a.1) sign(a.1)
    (0x4a462, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 3, 0)]), // a.2 a.3 sign(a.1) sign(a.1)
    (0x4a508, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.0) sign(a.0) sign(a.1) sign(a.1)
    (0x4a521, &[step(ops::v_bfe_i32, &[A, K(8), K(8)])]), // a.1 sign(a.1) sign(a.1) sign(a.1)
    (0x4a528, &[step(ops::v_perm_b32, &[A, A, K(8)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) sign(a.1) sign(a.1) sign(a.1)
    (0x4a529, &[step(ops::v_bfe_i32, &[A, K(15), K(1)])]), // sign(a.1) sign(a.1) sign(a.1) sign(a.1)
    (0x4a52a, &[step(ops::v_perm_b32, &[B, A, K(0x00000208)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) sign(a.1) sign(a.1) sign(a.1)
    (0x4a542, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.2 sign(a.2) sign(a.1) sign(a.1)
    (0x4a54a, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.2) sign(a.2) sign(a.1) sign(a.1)
    (0x4a563, &[pk(ops::v_pk_ashrrev_i16, &[K(0x000f0008), A], 2, 1)]), // a.3 sign(a.3) sign(a.1) sign(a.1)
    (0x4a56b, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 2, 0)]), // sign(a.3) sign(a.3) sign(a.1) sign(a.1)
    (0x50803, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.3 a.0 a.2 sign(a.2)
    (0x50810, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 1, 2)]), // 0x00 a.0 a.2 sign(a.2)
    (0x50811, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 1, 2)]), // 0xff a.0 a.2 sign(a.2)
    (0x50820, &[step(ops::v_bfe_i32, &[A, K(0), K(24)])]), // a.0 a.1 a.2 sign(a.2)
    (0x50823, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 a.1 a.2 sign(a.2)
    (0x5082a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[H, H, K(24)])]), // sign(a.2) a.1 a.2 sign(a.2)
    (0x50830, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_lshlrev_b32, &[K(8), H])]), // 0x00 a.1 a.2 sign(a.2)
    (0x50831, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[H, K(0xffffffff), K(24)])]), // 0xff a.1 a.2 sign(a.2)
    (0x50841, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 2)]), // a.1 a.2 a.2 sign(a.2)
    (0x50850, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 0, 1)]), // 0x00 a.2 a.2 sign(a.2)
    (0x50862, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 a.2 sign(a.2)
    (0x50883, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.3 b.0 a.2 sign(a.2)
    (0x50900, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.0 sign(a.0) a.2 sign(a.2)
    (0x50921, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.1 sign(a.1) a.2 sign(a.2)
    (0x50929, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.1) sign(a.1) a.2 sign(a.2)
    (0x50942, &[step(ops::v_mul_i32_i24, &[K(2), A]), pk(ops::v_pk_ashrrev_i16, &[K(1), H], 2, 2)]), // a.2 sign(a.2) a.2 sign(a.2)
    (0x5094a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // sign(a.2) sign(a.2) a.2 sign(a.2)
    (0x50950, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 1)]), // 0x00 sign(a.2) a.2 sign(a.2)
    (0x50963, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.3 sign(a.3) a.2 sign(a.2)
    (0x5096b, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // sign(a.3) sign(a.3) a.2 sign(a.2)
    (0x50a00, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 2), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.0 0x00 a.2 sign(a.2)
    (0x50a01, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 3)]), // a.1 0x00 a.2 sign(a.2)
    (0x50a02, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 2), step(ops::v_ashrrev_i32, &[K(8), H])]), // a.2 0x00 a.2 sign(a.2)
    (0x50a03, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.3 0x00 a.2 sign(a.2)
    (0x50a0a, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 1)]), // sign(a.2) 0x00 a.2 sign(a.2)
    (0x50a10, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // 0x00 0x00 a.2 sign(a.2)
    (0x50a23, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 0)]), // a.3 0xff a.2 sign(a.2)
    (0x50a31, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // 0xff 0xff a.2 sign(a.2)
    (0x50c41, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(8)])]), // a.1 a.2 a.3 sign(a.2)
    (0x52803, &[step(ops::v_alignbit_b32, &[A, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.3 a.0 sign(a.2) sign(a.2)
    (0x52810, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 1, 2)]), // 0x00 a.0 sign(a.2) sign(a.2)
    (0x52811, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 1, 2)]), // 0xff a.0 sign(a.2) sign(a.2)
    (0x52820, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(7), H], 1, 2)]), // a.0 a.1 sign(a.2) sign(a.2)
    (0x52830, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 0, 3)]), // 0x00 a.1 sign(a.2) sign(a.2)
    (0x52840, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // a.0 a.2 sign(a.2) sign(a.2)
    (0x52841, &[step(ops::v_bfe_i32, &[A, K(8), K(16)])]), // a.1 a.2 sign(a.2) sign(a.2)
    (0x52842, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 2, 3), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // a.2 a.2 sign(a.2) sign(a.2)
    (0x52843, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 a.2 sign(a.2) sign(a.2)
    (0x52849, &[pk(ops::v_pk_ashrrev_i16, &[K(7), A], 0, 3), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // sign(a.1) a.2 sign(a.2) sign(a.2)
    (0x5284a, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, H, K(24)])]), // sign(a.2) a.2 sign(a.2) sign(a.2)
    (0x5284b, &[pk(ops::v_pk_ashrrev_i16, &[K(7), A], 2, 3), step(ops::v_bfe_i32, &[H, K(8), K(16)])]), // sign(a.3) a.2 sign(a.2) sign(a.2)
    (0x52850, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_lshlrev_b32, &[K(8), H])]), // 0x00 a.2 sign(a.2) sign(a.2)
    (0x52851, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, K(0xffffffff), K(24)])]), // 0xff a.2 sign(a.2) sign(a.2)
    (0x52862, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 sign(a.2) sign(a.2)
    (0x52883, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.3 b.0 sign(a.2) sign(a.2)
    (0x52908, &[step(ops::v_lshlrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.0) sign(a.0) sign(a.2) sign(a.2)
    (0x52921, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.1 sign(a.1) sign(a.2) sign(a.2)
    (0x52929, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.1) sign(a.1) sign(a.2) sign(a.2)
    (0x52940, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(4)])]), // a.0 sign(a.2) sign(a.2) sign(a.2)
    (0x52941, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(5)])]), // a.1 sign(a.2) sign(a.2) sign(a.2)
    (0x52942, &[step(ops::v_bfe_i32, &[A, K(16), K(8)])]), // a.2 sign(a.2) sign(a.2) sign(a.2)
    (0x52943, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(7)])]), // a.3 sign(a.2) sign(a.2) sign(a.2)
    (0x52949, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(10)])]), // sign(a.1) sign(a.2) sign(a.2) sign(a.2)
    (0x5294a, &[step(ops::v_bfe_i32, &[A, K(23), K(1)])]), // sign(a.2) sign(a.2) sign(a.2) sign(a.2)
    (0x5294b, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(11)])]), // sign(a.3) sign(a.2) sign(a.2) sign(a.2)
    (0x52950, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(12)])]), // 0x00 sign(a.2) sign(a.2) sign(a.2)
    (0x52951, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(13)])]), // 0xff sign(a.2) sign(a.2) sign(a.2)
    (0x52963, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.3 sign(a.3) sign(a.2) sign(a.2)
    (0x5296b, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.3) sign(a.3) sign(a.2) sign(a.2)
    (0x52a02, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 3)]), // a.2 0x00 sign(a.2) sign(a.2)
    (0x52a03, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.3 0x00 sign(a.2) sign(a.2)
    (0x52a0a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 3)]), // sign(a.2) 0x00 sign(a.2) sign(a.2)
    (0x52a10, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // 0x00 0x00 sign(a.2) sign(a.2)
    (0x52a23, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 3, 0)]), // a.3 0xff sign(a.2) sign(a.2)
    (0x52a31, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // 0xff 0xff sign(a.2) sign(a.2)
    (0x54030, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 0, 2)]), // 0x00 a.1 0x00 sign(a.2)
    (0x54041, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 1, 2)]), // a.1 a.2 0x00 sign(a.2)
    (0x54050, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 0, 2)]), // 0x00 a.2 0x00 sign(a.2)
    (0x54142, &[step(ops::v_bfe_i32, &[A, K(16), K(8)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 1, 2)]), // a.2 sign(a.2) 0x00 sign(a.2)
    (0x5414a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 3, 2)]), // sign(a.2) sign(a.2) 0x00 sign(a.2)
    (0x54150, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), pk(ops::v_pk_lshlrev_b16, &[K(8), H], 2, 2)]), // 0x00 sign(a.2) 0x00 sign(a.2)
    (0x54210, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, K(0), K(8)])]), // 0x00 0x00 0x00 sign(a.2)
    (0x54631, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, K(0xffffffff), K(8)])]), // 0xff 0xff 0xff sign(a.2)
    (0x58c20, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 1, 2)]), // a.0 a.1 a.3 sign(a.3)
    (0x58c41, &[step(ops::v_ashrrev_i32, &[K(8), A])]), // a.1 a.2 a.3 sign(a.3)
    (0x58c62, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 3, 2)]), // a.2 a.3 a.3 sign(a.3)
    (0x58d00, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.0 sign(a.0) a.3 sign(a.3)
    (0x58d21, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 0, 2)]), // a.1 sign(a.1) a.3 sign(a.3)
    (0x58d29, &[pk(ops::v_pk_ashrrev_i16, &[K(0x0008000f), A], 0, 3)]), // sign(a.1) sign(a.1) a.3 sign(a.3)
    (0x58d42, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.3 sign(a.3)
    (0x58d4a, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.3 sign(a.3)
    (0x58d63, &[pk(ops::v_pk_ashrrev_i16, &[K(8), A], 2, 2)]), // a.3 sign(a.3) a.3 sign(a.3)
    (0x58d6b, &[pk(ops::v_pk_ashrrev_i16, &[K(0x0008000f), A], 2, 3)]), // sign(a.3) sign(a.3) a.3 sign(a.3)
    (0x5ac20, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 1, 2)]), // a.0 a.1 sign(a.3) sign(a.3)
    (0x5ac62, &[step(ops::v_ashrrev_i32, &[K(16), A])]), // a.2 a.3 sign(a.3) sign(a.3)
    (0x5ad08, &[pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.0) sign(a.0) sign(a.3) sign(a.3)
    (0x5ad21, &[pk(ops::v_pk_ashrrev_i16, &[K(0x000f0008), A], 0, 3)]), // a.1 sign(a.1) sign(a.3) sign(a.3)
    (0x5ad29, &[pk(ops::v_pk_ashrrev_i16, &[K(15), A], 0, 2)]), // sign(a.1) sign(a.1) sign(a.3) sign(a.3)
    (0x5ad42, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.2 sign(a.2) sign(a.3) sign(a.3)
    (0x5ad4a, &[step(ops::v_ashrrev_i32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.2) sign(a.2) sign(a.3) sign(a.3)
    (0x5ad63, &[step(ops::v_ashrrev_i32, &[K(24), A])]), // a.3 sign(a.3) sign(a.3) sign(a.3)
    (0x5ad68, &[step(ops::v_perm_b32, &[A, A, K(9)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) sign(a.3) sign(a.3) sign(a.3)
    (0x5ad6a, &[step(ops::v_perm_b32, &[B, A, K(0x00000209)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) sign(a.3) sign(a.3) sign(a.3)
    (0x5ad6b, &[step(ops::v_ashrrev_i32, &[K(31), A])]), // sign(a.3) sign(a.3) sign(a.3) sign(a.3)
    (0x60c41, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(8)])]), // a.1 a.2 a.3 sign(b.0)
    (0x61041, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 1, 2)]), // a.1 a.2 b.0 sign(b.0)
    (0x61062, &[step(ops::v_bfe_i32, &[B, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 b.0 sign(b.0)
    (0x61080, &[step(ops::v_perm_b32, &[A, B, K(4)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.0 b.0 b.0 sign(b.0)
    (0x61081, &[step(ops::v_perm_b32, &[A, B, K(5)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.1 b.0 b.0 sign(b.0)
    (0x61082, &[step(ops::v_perm_b32, &[A, B, K(6)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // a.2 b.0 b.0 sign(b.0)
    (0x61083, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 3, 2)]), // a.3 b.0 b.0 sign(b.0)
    (0x61089, &[step(ops::v_perm_b32, &[A, B, K(10)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.1) b.0 b.0 sign(b.0)
    (0x6108b, &[step(ops::v_perm_b32, &[A, B, K(11)]), step(ops::v_bfe_i32, &[H, K(0), K(24)])]), // sign(a.3) b.0 b.0 sign(b.0)
    (0x61142, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.2 sign(a.2) b.0 sign(b.0)
    (0x63041, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 1, 2)]), // a.1 a.2 sign(b.0) sign(b.0)
    (0x63062, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 sign(b.0) sign(b.0)
    (0x63080, &[step(ops::v_perm_b32, &[A, B, K(4)]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // a.0 b.0 sign(b.0) sign(b.0)
    (0x63081, &[step(ops::v_perm_b32, &[A, B, K(5)]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // a.1 b.0 sign(b.0) sign(b.0)
    (0x63082, &[step(ops::v_perm_b32, &[A, B, K(6)]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // a.2 b.0 sign(b.0) sign(b.0)
    (0x63083, &[step(ops::v_bfe_i32, &[B, K(0), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 b.0 sign(b.0) sign(b.0)
    (0x63089, &[step(ops::v_perm_b32, &[A, B, K(10)]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // sign(a.1) b.0 sign(b.0) sign(b.0)
    (0x6308b, &[step(ops::v_perm_b32, &[A, B, K(11)]), step(ops::v_bfe_i32, &[H, K(0), K(16)])]), // sign(a.3) b.0 sign(b.0) sign(b.0)
    (0x6314a, &[step(ops::v_alignbit_b32, &[B, A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 2)]), // sign(a.2) sign(a.2) sign(b.0) sign(b.0)
    (0x63180, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(4)])]), // a.0 sign(b.0) sign(b.0) sign(b.0)
    (0x63181, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(5)])]), // a.1 sign(b.0) sign(b.0) sign(b.0)
    (0x63182, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(6)])]), // a.2 sign(b.0) sign(b.0) sign(b.0)
    (0x63183, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(7)])]), // a.3 sign(b.0) sign(b.0) sign(b.0)
    (0x63189, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(10)])]), // sign(a.1) sign(b.0) sign(b.0) sign(b.0)
    (0x6318b, &[step(ops::v_bfe_i32, &[B, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(11)])]), // sign(a.3) sign(b.0) sign(b.0) sign(b.0)
    (0x6b5a8, &[step(ops::v_perm_b32, &[B, A, K(10)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) sign(b.1) sign(b.1) sign(b.1)
    (0x6b5aa, &[step(ops::v_perm_b32, &[B, A, K(0x0000020a)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) sign(b.1) sign(b.1) sign(b.1)
    (0x70c41, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(8)])]), // a.1 a.2 a.3 sign(b.2)
    (0x71862, &[step(ops::v_bfe_i32, &[B, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 b.2 sign(b.2)
    (0x71883, &[step(ops::v_alignbit_b32, &[B, A, K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 1, 2)]), // a.3 b.0 b.2 sign(b.2)
    (0x718a3, &[step(ops::v_bfe_i32, &[B, K(8), K(16)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 b.1 b.2 sign(b.2)
    (0x71900, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 0)]), // a.0 sign(a.0) b.2 sign(b.2)
    (0x73862, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_alignbit_b32, &[H, A, K(16)])]), // a.2 a.3 sign(b.2) sign(b.2)
    (0x73883, &[step(ops::v_alignbit_b32, &[B, A, K(24)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 1, 2)]), // a.3 b.0 sign(b.2) sign(b.2)
    (0x738c3, &[step(ops::v_bfe_i32, &[B, K(16), K(8)]), step(ops::v_alignbit_b32, &[H, A, K(24)])]), // a.3 b.2 sign(b.2) sign(b.2)
    (0x73908, &[step(ops::v_alignbit_b32, &[A, B, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 2, 0)]), // sign(a.0) sign(a.0) sign(b.2) sign(b.2)
    (0x739c0, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(4)])]), // a.0 sign(b.2) sign(b.2) sign(b.2)
    (0x739c1, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(5)])]), // a.1 sign(b.2) sign(b.2) sign(b.2)
    (0x739c2, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(6)])]), // a.2 sign(b.2) sign(b.2) sign(b.2)
    (0x739c3, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(7)])]), // a.3 sign(b.2) sign(b.2) sign(b.2)
    (0x739c9, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(10)])]), // sign(a.1) sign(b.2) sign(b.2) sign(b.2)
    (0x739cb, &[step(ops::v_bfe_i32, &[B, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(11)])]), // sign(a.3) sign(b.2) sign(b.2) sign(b.2)
    (0x7bde8, &[step(ops::v_perm_b32, &[B, A, K(11)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) sign(b.3) sign(b.3) sign(b.3)
    (0x7bdea, &[step(ops::v_perm_b32, &[B, A, K(0x0000020b)]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.2) sign(b.3) sign(b.3) sign(b.3)
    (0x80420, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 1, 0)]), // a.0 a.1 a.1 0x00
    (0x80462, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 3, 0)]), // a.2 a.3 a.1 0x00
    (0x80542, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 3, 0)]), // a.2 sign(a.2) a.1 0x00
    (0x80601, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 0, 0)]), // a.1 0x00 a.1 0x00
    (0x80603, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 2, 0)]), // a.3 0x00 a.1 0x00
    (0x8060a, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 0)]), // sign(a.2) 0x00 a.1 0x00
    (0x80820, &[step(ops::v_bfe_u32, &[A, K(0), K(24)])]), // a.0 a.1 a.2 0x00
    (0x80830, &[step(ops::v_and_b32, &[K(0x00ffff00), A])]), // 0x00 a.1 a.2 0x00
    (0x8094a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 3, 0)]), // sign(a.2) sign(a.2) a.2 0x00
    (0x80a00, &[step(ops::v_and_b32, &[K(0x00ff00ff), A])]), // a.0 0x00 a.2 0x00
    (0x80a0a, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 0)]), // sign(a.2) 0x00 a.2 0x00
    (0x80a10, &[step(ops::v_and_b32, &[K(0x00ff0000), A])]), // 0x00 0x00 a.2 0x00
    (0x80c20, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 1, 2)]), // a.0 a.1 a.3 0x00
    (0x80c41, &[step(ops::v_lshrrev_b32, &[K(8), A])]), // a.1 a.2 a.3 0x00
    (0x80c62, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 3, 2)]), // a.2 a.3 a.3 0x00
    (0x80d42, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.3 0x00
    (0x80d4a, &[step(ops::v_lshrrev_b32, &[K(8), A]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.3 0x00
    (0x80e01, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 0, 2)]), // a.1 0x00 a.3 0x00
    (0x80e03, &[pk(ops::v_pk_lshrrev_b16, &[K(8), A], 2, 2)]), // a.3 0x00 a.3 0x00
    (0x82100, &[step(ops::v_bfe_i32, &[A, K(0), K(8)]), step(ops::v_bfe_u32, &[H, K(0), K(24)])]), // a.0 sign(a.0) sign(a.0) 0x00
    (0x82108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_bfe_u32, &[H, K(6), K(24)])]), // sign(a.0) sign(a.0) sign(a.0) 0x00
    (0x82208, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 0)]), // sign(a.0) 0x00 sign(a.0) 0x00
    (0x82820, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 1, 2)]), // a.0 a.1 sign(a.2) 0x00
    (0x82841, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_bfe_u32, &[H, K(7), K(24)])]), // a.1 a.2 sign(a.2) 0x00
    (0x82942, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_lshrrev_b32, &[K(8), H])]), // a.2 sign(a.2) sign(a.2) 0x00
    (0x8294a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 3, 2)]), // sign(a.2) sign(a.2) sign(a.2) 0x00
    (0x82a01, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 2)]), // a.1 0x00 sign(a.2) 0x00
    (0x82a02, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 0, 2)]), // a.2 0x00 sign(a.2) 0x00
    (0x82a0a, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), pk(ops::v_pk_lshrrev_b16, &[K(8), H], 2, 2)]), // sign(a.2) 0x00 sign(a.2) 0x00
    (0x84020, &[step(ops::v_bfe_u32, &[A, K(0), K(16)])]), // a.0 a.1 0x00 0x00
    (0x84030, &[step(ops::v_and_b32, &[K(0x0000ff00), A])]), // 0x00 a.1 0x00 0x00
    (0x84041, &[step(ops::v_bfe_u32, &[A, K(8), K(16)])]), // a.1 a.2 0x00 0x00
    (0x84062, &[step(ops::v_lshrrev_b32, &[K(16), A])]), // a.2 a.3 0x00 0x00
    (0x84100, &[step(ops::v_alignbit_b32, &[A, K(0), K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.0 sign(a.0) 0x00 0x00
    (0x84108, &[step(ops::v_bfe_i32, &[A, K(1), K(7)]), step(ops::v_bfe_u32, &[H, K(6), K(16)])]), // sign(a.0) sign(a.0) 0x00 0x00
    (0x84142, &[step(ops::v_bfe_i32, &[A, K(1), K(23)]), step(ops::v_bfe_u32, &[H, K(15), K(16)])]), // a.2 sign(a.2) 0x00 0x00
    (0x8414a, &[step(ops::v_bfe_i32, &[A, K(7), K(17)]), step(ops::v_lshrrev_b32, &[K(16), H])]), // sign(a.2) sign(a.2) 0x00 0x00
    (0x84200, &[step(ops::v_bfe_u32, &[A, K(0), K(8)])]), // a.0 0x00 0x00 0x00
    (0x84201, &[step(ops::v_bfe_u32, &[A, K(8), K(8)])]), // a.1 0x00 0x00 0x00
    (0x84202, &[step(ops::v_bfe_u32, &[A, K(16), K(8)])]), // a.2 0x00 0x00 0x00
    (0x84203, &[step(ops::v_lshrrev_b32, &[K(24), A])]), // a.3 0x00 0x00 0x00
    (0x84208, &[step(ops::v_lshlrev_b32, &[K(8), A]), step(ops::v_perm_b32, &[A, H, K(8)])]), // sign(a.0) 0x00 0x00 0x00
    (0x8420a, &[step(ops::v_lshlrev_b32, &[K(8), A]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.2) 0x00 0x00 0x00
    (0x88000, &[step(ops::v_perm_b32, &[A, A, K(0x3f000000)])]), // a.0 a.0 a.0 0xff
    (0x88100, &[step(ops::v_perm_b32, &[A, A, K(0x3f000000)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.0 sign(a.0) a.0 0xff
    (0x88108, &[step(ops::v_perm_b32, &[A, A, K(0x3f000000)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.0) sign(a.0) a.0 0xff
    (0x88820, &[step(ops::v_or_b32, &[K(0xff000000), A])]), // a.0 a.1 a.2 0xff
    (0x88831, &[step(ops::v_or_b32, &[K(0xff0000ff), A])]), // 0xff a.1 a.2 0xff
    (0x88a20, &[step(ops::v_or_b32, &[K(0xff00ff00), A])]), // a.0 0xff a.2 0xff
    (0x88a31, &[step(ops::v_or_b32, &[K(0xff00ffff), A])]), // 0xff 0xff a.2 0xff
    (0x88c41, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)])]), // a.1 a.2 a.3 0xff
    (0x88d42, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 3)]), // a.2 sign(a.2) a.3 0xff
    (0x88d4a, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(15), H], 0, 3)]), // sign(a.2) sign(a.2) a.3 0xff
    (0x8a108, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(0x3f000000)])]), // sign(a.0) sign(a.0) sign(a.0) 0xff
    (0x8a841, &[step(ops::v_bfe_i32, &[A, K(0), K(24)]), step(ops::v_alignbit_b32, &[K(0xffffffff), H, K(8)])]), // a.1 a.2 sign(a.2) 0xff
    (0x8a942, &[step(ops::v_bfe_i32, &[A, K(8), K(16)]), step(ops::v_alignbit_b32, &[K(0xffffffff), H, K(8)])]), // a.2 sign(a.2) sign(a.2) 0xff
    (0x8a94a, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(0x3f000000)])]), // sign(a.2) sign(a.2) sign(a.2) 0xff
    (0x8c400, &[step(ops::v_perm_b32, &[A, A, K(0x3f800000)])]), // a.0 a.0 0xff 0xff
    (0x8c420, &[step(ops::v_or_b32, &[K(0xffff0000), A])]), // a.0 a.1 0xff 0xff
    (0x8c431, &[step(ops::v_or_b32, &[K(0xffff00ff), A])]), // 0xff a.1 0xff 0xff
    (0x8c462, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(16)])]), // a.2 a.3 0xff 0xff
    (0x8c500, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 2, 1)]), // a.0 sign(a.0) 0xff 0xff
    (0x8c508, &[step(ops::v_bfe_i32, &[A, K(7), K(1)]), step(ops::v_perm_b32, &[A, H, K(0x3f800000)])]), // sign(a.0) sign(a.0) 0xff 0xff
    (0x8c542, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(8)]), pk(ops::v_pk_ashrrev_i16, &[K(8), H], 0, 2)]), // a.2 sign(a.2) 0xff 0xff
    (0x8c54a, &[step(ops::v_bfe_i32, &[A, K(23), K(1)]), step(ops::v_perm_b32, &[A, H, K(0x3f800000)])]), // sign(a.2) sign(a.2) 0xff 0xff
    (0x8c620, &[step(ops::v_or_b32, &[K(0xffffff00), A])]), // a.0 0xff 0xff 0xff
    (0x8c623, &[step(ops::v_alignbit_b32, &[K(0xffffffff), A, K(24)])]), // a.3 0xff 0xff 0xff
    (0x8c628, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(8)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.0) 0xff 0xff 0xff
    (0x8c62a, &[step(ops::v_alignbit_b32, &[A, K(0xffffffff), K(24)]), step(ops::v_perm_b32, &[A, H, K(9)])]), // sign(a.2) 0xff 0xff 0xff
];

/// Results of one instruction without a constant that a `v_perm_b32` starts from, the most useful first. What they give: the
/// symbols of bytes 0 to 3 and of the signs of bytes 1 and 3, 31 for one that is none.
#[rustfmt::skip]
pub(super) static HELPERS: &[Helper] = &[
    ([16, 0, 1, 2, 8, 10], step(ops::v_lshlrev_b32, &[K(8), A])),
    ([31, 8, 8, 8, 8, 8], step(ops::v_bfe_i32, &[A, K(1), K(7)])),
    ([31, 31, 31, 10, 31, 10], step(ops::v_bfe_i32, &[A, K(1), K(23)])),
    ([16, 4, 5, 6, 12, 14], step(ops::v_lshlrev_b32, &[K(8), B])),
    ([5, 6, 7, 0, 14, 8], step(ops::v_alignbit_b32, &[A, B, K(8)])),
    ([1, 2, 3, 4, 10, 12], step(ops::v_alignbit_b32, &[B, A, K(8)])),
    ([31, 31, 31, 14, 31, 14], step(ops::v_bfe_i32, &[B, K(1), K(23)])),
    ([31, 12, 12, 12, 12, 12], step(ops::v_bfe_i32, &[B, K(1), K(7)])),
    ([1, 2, 3, 0, 10, 8], step(ops::v_alignbit_b32, &[A, A, K(8)])),
    ([1, 2, 3, 11, 10, 11], step(ops::v_ashrrev_i32, &[K(8), A])),
    ([0, 1, 2, 10, 9, 10], step(ops::v_bfe_i32, &[A, K(0), K(24)])),
    ([1, 2, 3, 16, 10, 16], step(ops::v_lshrrev_b32, &[K(8), A])),
    ([16, 0, 2, 3, 8, 11], pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 3)),
    ([5, 6, 7, 15, 14, 15], step(ops::v_ashrrev_i32, &[K(8), B])),
    ([4, 5, 6, 14, 13, 14], step(ops::v_bfe_i32, &[B, K(0), K(24)])),
    ([16, 0, 0, 1, 8, 9], pk(ops::v_pk_lshlrev_b16, &[K(8), A], 0, 1)),
    ([5, 6, 7, 16, 14, 16], step(ops::v_lshrrev_b32, &[K(8), B])),
    ([5, 6, 7, 4, 14, 12], step(ops::v_alignbit_b32, &[B, B, K(8)])),
    ([16, 4, 6, 7, 12, 15], pk(ops::v_pk_lshlrev_b16, &[K(8), B], 0, 3)),
    ([16, 4, 4, 5, 12, 13], pk(ops::v_pk_lshlrev_b16, &[K(8), B], 0, 1)),
    ([7, 0, 1, 2, 8, 10], step(ops::v_alignbit_b32, &[A, B, K(24)])),
    ([13, 0, 0, 0, 8, 8], step(ops::v_perm_b32, &[B, A, K(10)])),
    ([15, 0, 0, 0, 8, 8], step(ops::v_perm_b32, &[B, A, K(11)])),
    ([4, 0, 0, 0, 8, 8], step(ops::v_perm_b32, &[B, A, K(4)])),
    ([3, 4, 5, 6, 12, 14], step(ops::v_alignbit_b32, &[B, A, K(24)])),
    ([9, 4, 4, 4, 12, 12], step(ops::v_perm_b32, &[A, B, K(10)])),
    ([11, 4, 4, 4, 12, 12], step(ops::v_perm_b32, &[A, B, K(11)])),
    ([0, 4, 4, 4, 12, 12], step(ops::v_perm_b32, &[A, B, K(4)])),
];

/// The same for the scalar unit: up to two instructions.
#[rustfmt::skip]
pub(super) static ROWS_SCALAR: &[Row] = &[
    (0x00410, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.0 a.1 a.0
    (0x04010, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // 0x00 a.0 0x00 a.0
    (0x04020, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 0x00 a.0
    (0x04062, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0x00 a.0
    (0x04210, &[step(ops::s_lshl_b32, &[A, K(24)])]), // 0x00 0x00 0x00 a.0
    (0x04211, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff 0x00 0x00 a.0
    (0x04230, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // 0x00 0xff 0x00 a.0
    (0x04231, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff 0x00 a.0
    (0x04610, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 0xff a.0
    (0x04611, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff 0x00 0xff a.0
    (0x04630, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 0xff 0xff a.0
    (0x04631, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff a.0
    (0x08010, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // 0x00 a.0 a.0 a.1
    (0x08020, &[step(ops::s_pack_ll_b32_b16, &[A, A])]), // a.0 a.1 a.0 a.1
    (0x08030, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // 0x00 a.1 a.0 a.1
    (0x08031, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // 0xff a.1 a.0 a.1
    (0x08041, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.1 a.2 a.0 a.1
    (0x08062, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.0 a.1
    (0x08100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.0 sign(a.0) a.0 a.1
    (0x08108, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // sign(a.0) sign(a.0) a.0 a.1
    (0x08121, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.1 sign(a.1) a.0 a.1
    (0x08129, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // sign(a.1) sign(a.1) a.0 a.1
    (0x08142, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.2 sign(a.2) a.0 a.1
    (0x0814a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // sign(a.2) sign(a.2) a.0 a.1
    (0x08163, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.3 sign(a.3) a.0 a.1
    (0x0816b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // sign(a.3) sign(a.3) a.0 a.1
    (0x08200, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.0 0x00 a.0 a.1
    (0x08201, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.1 0x00 a.0 a.1
    (0x08202, &[step(ops::s_bfe_u32, &[A, K(0x00080010)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.2 0x00 a.0 a.1
    (0x08203, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.3 0x00 a.0 a.1
    (0x08210, &[step(ops::s_lshl_b32, &[A, K(16)])]), // 0x00 0x00 a.0 a.1
    (0x08211, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff 0x00 a.0 a.1
    (0x08220, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_ll_b32_b16, &[H, A])]), // a.0 0xff a.0 a.1
    (0x08230, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // 0x00 0xff a.0 a.1
    (0x08231, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A])]), // 0xff 0xff a.0 a.1
    (0x0c020, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 0x00 a.1
    (0x0c030, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // 0x00 a.1 0x00 a.1
    (0x0c200, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 a.1
    (0x0c210, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_lshl_b32, &[H, K(24)])]), // 0x00 0x00 0x00 a.1
    (0x0c211, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // 0xff 0x00 0x00 a.1
    (0x0c230, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 0xff 0x00 a.1
    (0x0c231, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff 0x00 a.1
    (0x0c420, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 0xff a.1
    (0x0c431, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // 0xff a.1 0xff a.1
    (0x0c610, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 0xff a.1
    (0x0c611, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff 0x00 0xff a.1
    (0x0c620, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff a.1
    (0x0c630, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // 0x00 0xff 0xff a.1
    (0x0c631, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff a.1
    (0x10410, &[step(ops::s_lshl_b32, &[A, K(8)])]), // 0x00 a.0 a.1 a.2
    (0x10411, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff a.0 a.1 a.2
    (0x10420, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 a.1 a.2
    (0x10441, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.1 a.2 a.1 a.2
    (0x10462, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.1 a.2
    (0x10610, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 a.1 a.2
    (0x10630, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // 0x00 0xff a.1 a.2
    (0x10631, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.1 a.2
    (0x10c50, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.2 a.3 a.2
    (0x14010, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.0 0x00 a.2
    (0x14210, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 0x00 0x00 a.2
    (0x14410, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // 0x00 a.0 0xff a.2
    (0x14411, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.0 0xff a.2
    (0x14630, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 0xff 0xff a.2
    (0x14631, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff a.2
    (0x18810, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // 0x00 a.0 a.2 a.3
    (0x18830, &[step(ops::s_and_b32, &[A, K(0xffffff00)])]), // 0x00 a.1 a.2 a.3
    (0x18831, &[step(ops::s_or_b32, &[A, K(0x000000ff)])]), // 0xff a.1 a.2 a.3
    (0x18841, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.1 a.2 a.2 a.3
    (0x18862, &[step(ops::s_pack_hh_b32_b16, &[A, A])]), // a.2 a.3 a.2 a.3
    (0x18870, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // 0x00 a.3 a.2 a.3
    (0x18871, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // 0xff a.3 a.2 a.3
    (0x18900, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_lh_b32_b16, &[H, A])]), // a.0 sign(a.0) a.2 a.3
    (0x18908, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // sign(a.0) sign(a.0) a.2 a.3
    (0x18921, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_lh_b32_b16, &[H, A])]), // a.1 sign(a.1) a.2 a.3
    (0x18929, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // sign(a.1) sign(a.1) a.2 a.3
    (0x18942, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.2 sign(a.2) a.2 a.3
    (0x1894a, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // sign(a.2) sign(a.2) a.2 a.3
    (0x18963, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.3 sign(a.3) a.2 a.3
    (0x1896b, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // sign(a.3) sign(a.3) a.2 a.3
    (0x18a00, &[step(ops::s_and_b32, &[A, K(0xffff00ff)])]), // a.0 0x00 a.2 a.3
    (0x18a01, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_lh_b32_b16, &[H, A])]), // a.1 0x00 a.2 a.3
    (0x18a02, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.2 0x00 a.2 a.3
    (0x18a03, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.3 0x00 a.2 a.3
    (0x18a10, &[step(ops::s_pack_lh_b32_b16, &[K(0), A])]), // 0x00 0x00 a.2 a.3
    (0x18a11, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff 0x00 a.2 a.3
    (0x18a20, &[step(ops::s_or_b32, &[A, K(0x0000ff00)])]), // a.0 0xff a.2 a.3
    (0x18a22, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hh_b32_b16, &[H, A])]), // a.2 0xff a.2 a.3
    (0x18a30, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // 0x00 0xff a.2 a.3
    (0x18a31, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A])]), // 0xff 0xff a.2 a.3
    (0x1c020, &[step(ops::s_and_b32, &[A, K(0xff00ffff)])]), // a.0 a.1 0x00 a.3
    (0x1c030, &[step(ops::s_and_b32, &[A, K(0xff00ff00)])]), // 0x00 a.1 0x00 a.3
    (0x1c031, &[step(ops::s_and_b32, &[A, K(0xff00ff00)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff a.1 0x00 a.3
    (0x1c062, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0x00 a.3
    (0x1c070, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // 0x00 a.3 0x00 a.3
    (0x1c200, &[step(ops::s_and_b32, &[A, K(0xff0000ff)])]), // a.0 0x00 0x00 a.3
    (0x1c202, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 a.3
    (0x1c210, &[step(ops::s_and_b32, &[A, K(0xff000000)])]), // 0x00 0x00 0x00 a.3
    (0x1c211, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // 0xff 0x00 0x00 a.3
    (0x1c220, &[step(ops::s_and_b32, &[A, K(0xff0000ff)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.0 0xff 0x00 a.3
    (0x1c230, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 0xff 0x00 a.3
    (0x1c231, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff 0x00 a.3
    (0x1c420, &[step(ops::s_or_b32, &[A, K(0x00ff0000)])]), // a.0 a.1 0xff a.3
    (0x1c430, &[step(ops::s_and_b32, &[A, K(0xff00ff00)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // 0x00 a.1 0xff a.3
    (0x1c431, &[step(ops::s_or_b32, &[A, K(0x00ff00ff)])]), // 0xff a.1 0xff a.3
    (0x1c462, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0xff a.3
    (0x1c471, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // 0xff a.3 0xff a.3
    (0x1c600, &[step(ops::s_and_b32, &[A, K(0xff0000ff)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.0 0x00 0xff a.3
    (0x1c610, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 0xff a.3
    (0x1c611, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff 0x00 0xff a.3
    (0x1c620, &[step(ops::s_or_b32, &[A, K(0x00ffff00)])]), // a.0 0xff 0xff a.3
    (0x1c622, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff a.3
    (0x1c630, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // 0x00 0xff 0xff a.3
    (0x1c631, &[step(ops::s_or_b32, &[A, K(0x00ffffff)])]), // 0xff 0xff 0xff a.3
    (0x20410, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.0 a.1 b.0
    (0x24020, &[step(ops::s_lshl_b32, &[B, K(24)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 0x00 b.0
    (0x24062, &[step(ops::s_lshl_b32, &[B, K(24)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0x00 b.0
    (0x29010, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // 0x00 a.0 b.0 b.1
    (0x29020, &[step(ops::s_pack_ll_b32_b16, &[A, B])]), // a.0 a.1 b.0 b.1
    (0x29030, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // 0x00 a.1 b.0 b.1
    (0x29031, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // 0xff a.1 b.0 b.1
    (0x29041, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.1 a.2 b.0 b.1
    (0x29062, &[step(ops::s_lshl_b32, &[B, K(16)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.0 b.1
    (0x29100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.0 sign(a.0) b.0 b.1
    (0x29108, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // sign(a.0) sign(a.0) b.0 b.1
    (0x29121, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.1 sign(a.1) b.0 b.1
    (0x29129, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // sign(a.1) sign(a.1) b.0 b.1
    (0x29142, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.2 sign(a.2) b.0 b.1
    (0x2914a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // sign(a.2) sign(a.2) b.0 b.1
    (0x29163, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.3 sign(a.3) b.0 b.1
    (0x2916b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // sign(a.3) sign(a.3) b.0 b.1
    (0x29200, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.0 0x00 b.0 b.1
    (0x29201, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.1 0x00 b.0 b.1
    (0x29202, &[step(ops::s_bfe_u32, &[A, K(0x00080010)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.2 0x00 b.0 b.1
    (0x29203, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.3 0x00 b.0 b.1
    (0x29220, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_ll_b32_b16, &[H, B])]), // a.0 0xff b.0 b.1
    (0x2c020, &[step(ops::s_and_b32, &[B, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 0x00 b.1
    (0x2c030, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.1 0x00 b.1
    (0x2c200, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 b.1
    (0x2c420, &[step(ops::s_or_b32, &[B, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 0xff b.1
    (0x2c431, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.1 0xff b.1
    (0x2c620, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff b.1
    (0x30410, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.0 a.1 b.2
    (0x30c50, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.2 a.3 b.2
    (0x31420, &[step(ops::s_lshl_b32, &[B, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 b.1 b.2
    (0x31462, &[step(ops::s_lshl_b32, &[B, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.1 b.2
    (0x39810, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // 0x00 a.0 b.2 b.3
    (0x39820, &[step(ops::s_pack_lh_b32_b16, &[A, B])]), // a.0 a.1 b.2 b.3
    (0x39830, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // 0x00 a.1 b.2 b.3
    (0x39831, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // 0xff a.1 b.2 b.3
    (0x39841, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.1 a.2 b.2 b.3
    (0x39862, &[step(ops::s_pack_hh_b32_b16, &[A, B])]), // a.2 a.3 b.2 b.3
    (0x39870, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // 0x00 a.3 b.2 b.3
    (0x39871, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // 0xff a.3 b.2 b.3
    (0x39900, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // a.0 sign(a.0) b.2 b.3
    (0x39908, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // sign(a.0) sign(a.0) b.2 b.3
    (0x39921, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // a.1 sign(a.1) b.2 b.3
    (0x39929, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // sign(a.1) sign(a.1) b.2 b.3
    (0x39942, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.2 sign(a.2) b.2 b.3
    (0x3994a, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // sign(a.2) sign(a.2) b.2 b.3
    (0x39963, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.3 sign(a.3) b.2 b.3
    (0x3996b, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // sign(a.3) sign(a.3) b.2 b.3
    (0x39a00, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // a.0 0x00 b.2 b.3
    (0x39a01, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // a.1 0x00 b.2 b.3
    (0x39a02, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.2 0x00 b.2 b.3
    (0x39a03, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.3 0x00 b.2 b.3
    (0x39a20, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_lh_b32_b16, &[H, B])]), // a.0 0xff b.2 b.3
    (0x39a22, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hh_b32_b16, &[H, B])]), // a.2 0xff b.2 b.3
    (0x3c020, &[step(ops::s_and_b32, &[B, K(0xff000000)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 0x00 b.3
    (0x3c030, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.1 0x00 b.3
    (0x3c062, &[step(ops::s_and_b32, &[B, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0x00 b.3
    (0x3c070, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.3 0x00 b.3
    (0x3c200, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 b.3
    (0x3c202, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 b.3
    (0x3c420, &[step(ops::s_or_b32, &[B, K(0x00ffffff)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 0xff b.3
    (0x3c431, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.1 0xff b.3
    (0x3c462, &[step(ops::s_or_b32, &[B, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 0xff b.3
    (0x3c471, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.3 0xff b.3
    (0x3c620, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff b.3
    (0x3c622, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff b.3
    (0x40020, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 a.0 sign(a.0)
    (0x40100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // a.0 sign(a.0) a.0 sign(a.0)
    (0x40210, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0x00 0x00 a.0 sign(a.0)
    (0x40231, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.0 sign(a.0)
    (0x42001, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.1 a.0 sign(a.0) sign(a.0)
    (0x42010, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_ashr_i32, &[H, K(16)])]), // 0x00 a.0 sign(a.0) sign(a.0)
    (0x42011, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // 0xff a.0 sign(a.0) sign(a.0)
    (0x42020, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(a.0) sign(a.0)
    (0x42062, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(a.0) sign(a.0)
    (0x42100, &[step(ops::s_sext_i32_i8, &[A])]), // a.0 sign(a.0) sign(a.0) sign(a.0)
    (0x42108, &[step(ops::s_bfe_i32, &[A, K(0x00010007)])]), // sign(a.0) sign(a.0) sign(a.0) sign(a.0)
    (0x42110, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xffffff00)])]), // 0x00 sign(a.0) sign(a.0) sign(a.0)
    (0x42111, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff sign(a.0) sign(a.0) sign(a.0)
    (0x42200, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.0 0x00 sign(a.0) sign(a.0)
    (0x42208, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // sign(a.0) 0x00 sign(a.0) sign(a.0)
    (0x42210, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 sign(a.0) sign(a.0)
    (0x42220, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.0 0xff sign(a.0) sign(a.0)
    (0x42228, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // sign(a.0) 0xff sign(a.0) sign(a.0)
    (0x42231, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff sign(a.0) sign(a.0)
    (0x44100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.0 sign(a.0) 0x00 sign(a.0)
    (0x44108, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // sign(a.0) sign(a.0) 0x00 sign(a.0)
    (0x44110, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 sign(a.0) 0x00 sign(a.0)
    (0x44200, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 sign(a.0)
    (0x44208, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // sign(a.0) 0x00 0x00 sign(a.0)
    (0x44210, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0xff000000)])]), // 0x00 0x00 0x00 sign(a.0)
    (0x44500, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.0 sign(a.0) 0xff sign(a.0)
    (0x44508, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // sign(a.0) sign(a.0) 0xff sign(a.0)
    (0x44511, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff sign(a.0) 0xff sign(a.0)
    (0x44620, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff sign(a.0)
    (0x44628, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // sign(a.0) 0xff 0xff sign(a.0)
    (0x44631, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff sign(a.0)
    (0x48401, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 a.0 a.1 sign(a.1)
    (0x48410, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0x00 a.0 a.1 sign(a.1)
    (0x48411, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0xff a.0 a.1 sign(a.1)
    (0x48420, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 a.1 sign(a.1)
    (0x48521, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // a.1 sign(a.1) a.1 sign(a.1)
    (0x48610, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_lshl_b32, &[H, K(16)])]), // 0x00 0x00 a.1 sign(a.1)
    (0x48631, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.1 sign(a.1)
    (0x4a420, &[step(ops::s_sext_i32_i16, &[A])]), // a.0 a.1 sign(a.1) sign(a.1)
    (0x4a430, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_sext_i32_i16, &[H])]), // 0x00 a.1 sign(a.1) sign(a.1)
    (0x4a431, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_sext_i32_i16, &[H])]), // 0xff a.1 sign(a.1) sign(a.1)
    (0x4a462, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(a.1) sign(a.1)
    (0x4a521, &[step(ops::s_bfe_i32, &[A, K(0x00080008)])]), // a.1 sign(a.1) sign(a.1) sign(a.1)
    (0x4a529, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)])]), // sign(a.1) sign(a.1) sign(a.1) sign(a.1)
    (0x4a530, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 sign(a.1) sign(a.1) sign(a.1)
    (0x4a531, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff sign(a.1) sign(a.1) sign(a.1)
    (0x4a600, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.0 0x00 sign(a.1) sign(a.1)
    (0x4a601, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.1 0x00 sign(a.1) sign(a.1)
    (0x4a609, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // sign(a.1) 0x00 sign(a.1) sign(a.1)
    (0x4a610, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 sign(a.1) sign(a.1)
    (0x4a620, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.0 0xff sign(a.1) sign(a.1)
    (0x4a621, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.1 0xff sign(a.1) sign(a.1)
    (0x4a629, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // sign(a.1) 0xff sign(a.1) sign(a.1)
    (0x4a631, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff sign(a.1) sign(a.1)
    (0x4c020, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.0 a.1 0x00 sign(a.1)
    (0x4c030, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.1 0x00 sign(a.1)
    (0x4c121, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.1 sign(a.1) 0x00 sign(a.1)
    (0x4c129, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // sign(a.1) sign(a.1) 0x00 sign(a.1)
    (0x4c130, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 sign(a.1) 0x00 sign(a.1)
    (0x4c200, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 sign(a.1)
    (0x4c201, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.1 0x00 0x00 sign(a.1)
    (0x4c209, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // sign(a.1) 0x00 0x00 sign(a.1)
    (0x4c210, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0xff000000)])]), // 0x00 0x00 0x00 sign(a.1)
    (0x4c420, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.0 a.1 0xff sign(a.1)
    (0x4c431, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.1 0xff sign(a.1)
    (0x4c521, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.1 sign(a.1) 0xff sign(a.1)
    (0x4c529, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // sign(a.1) sign(a.1) 0xff sign(a.1)
    (0x4c531, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff sign(a.1) 0xff sign(a.1)
    (0x4c620, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff sign(a.1)
    (0x4c621, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.1 0xff 0xff sign(a.1)
    (0x4c629, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // sign(a.1) 0xff 0xff sign(a.1)
    (0x4c631, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff sign(a.1)
    (0x50820, &[step(ops::s_bfe_i32, &[A, K(0x00180000)])]), // a.0 a.1 a.2 sign(a.2)
    (0x50830, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.1 a.2 sign(a.2)
    (0x50831, &[step(ops::s_or_b32, &[A, K(0xff0000ff)]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // 0xff a.1 a.2 sign(a.2)
    (0x50862, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.2 sign(a.2)
    (0x50942, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.2 sign(a.2) a.2 sign(a.2)
    (0x50a00, &[step(ops::s_and_b32, &[A, K(0x00ff00ff)]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // a.0 0x00 a.2 sign(a.2)
    (0x50a10, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // 0x00 0x00 a.2 sign(a.2)
    (0x50a20, &[step(ops::s_or_b32, &[A, K(0xff00ff00)]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // a.0 0xff a.2 sign(a.2)
    (0x50a31, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // 0xff 0xff a.2 sign(a.2)
    (0x52820, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(a.2) sign(a.2)
    (0x52841, &[step(ops::s_bfe_i32, &[A, K(0x00100008)])]), // a.1 a.2 sign(a.2) sign(a.2)
    (0x52843, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.3 a.2 sign(a.2) sign(a.2)
    (0x52850, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // 0x00 a.2 sign(a.2) sign(a.2)
    (0x52851, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // 0xff a.2 sign(a.2) sign(a.2)
    (0x52862, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(a.2) sign(a.2)
    (0x52942, &[step(ops::s_bfe_i32, &[A, K(0x00080010)])]), // a.2 sign(a.2) sign(a.2) sign(a.2)
    (0x5294a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)])]), // sign(a.2) sign(a.2) sign(a.2) sign(a.2)
    (0x52950, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 sign(a.2) sign(a.2) sign(a.2)
    (0x52951, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff sign(a.2) sign(a.2) sign(a.2)
    (0x52a01, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.1 0x00 sign(a.2) sign(a.2)
    (0x52a02, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.2 0x00 sign(a.2) sign(a.2)
    (0x52a0a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // sign(a.2) 0x00 sign(a.2) sign(a.2)
    (0x52a10, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 sign(a.2) sign(a.2)
    (0x52a21, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.1 0xff sign(a.2) sign(a.2)
    (0x52a22, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.2 0xff sign(a.2) sign(a.2)
    (0x52a2a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // sign(a.2) 0xff sign(a.2) sign(a.2)
    (0x52a31, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff sign(a.2) sign(a.2)
    (0x54020, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.0 a.1 0x00 sign(a.2)
    (0x54030, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.1 0x00 sign(a.2)
    (0x54041, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.1 a.2 0x00 sign(a.2)
    (0x54050, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.2 0x00 sign(a.2)
    (0x54142, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.2 sign(a.2) 0x00 sign(a.2)
    (0x5414a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // sign(a.2) sign(a.2) 0x00 sign(a.2)
    (0x54150, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 sign(a.2) 0x00 sign(a.2)
    (0x54200, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 sign(a.2)
    (0x54201, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.1 0x00 0x00 sign(a.2)
    (0x54202, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 sign(a.2)
    (0x5420a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // sign(a.2) 0x00 0x00 sign(a.2)
    (0x54210, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_lshl_b32, &[H, K(24)])]), // 0x00 0x00 0x00 sign(a.2)
    (0x54420, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.0 a.1 0xff sign(a.2)
    (0x54431, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.1 0xff sign(a.2)
    (0x54441, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.1 a.2 0xff sign(a.2)
    (0x54451, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.2 0xff sign(a.2)
    (0x54542, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.2 sign(a.2) 0xff sign(a.2)
    (0x5454a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // sign(a.2) sign(a.2) 0xff sign(a.2)
    (0x54551, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff sign(a.2) 0xff sign(a.2)
    (0x54620, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff sign(a.2)
    (0x54621, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.1 0xff 0xff sign(a.2)
    (0x54622, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff sign(a.2)
    (0x5462a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // sign(a.2) 0xff 0xff sign(a.2)
    (0x54631, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff sign(a.2)
    (0x58c20, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 a.3 sign(a.3)
    (0x58c41, &[step(ops::s_ashr_i32, &[A, K(8)])]), // a.1 a.2 a.3 sign(a.3)
    (0x58c43, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.3 a.2 a.3 sign(a.3)
    (0x58c50, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0x00 a.2 a.3 sign(a.3)
    (0x58c51, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0xff a.2 a.3 sign(a.3)
    (0x58c62, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.3 sign(a.3)
    (0x58d63, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.3 sign(a.3) a.3 sign(a.3)
    (0x58e01, &[step(ops::s_and_b32, &[A, K(0xff00ff00)]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 0x00 a.3 sign(a.3)
    (0x58e10, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 a.3 sign(a.3)
    (0x58e21, &[step(ops::s_or_b32, &[A, K(0x00ff00ff)]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 0xff a.3 sign(a.3)
    (0x58e31, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.3 sign(a.3)
    (0x5ac20, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(a.3) sign(a.3)
    (0x5ac62, &[step(ops::s_ashr_i32, &[A, K(16)])]), // a.2 a.3 sign(a.3) sign(a.3)
    (0x5ac70, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.3 sign(a.3) sign(a.3)
    (0x5ac71, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_ashr_i32, &[H, K(16)])]), // 0xff a.3 sign(a.3) sign(a.3)
    (0x5ad63, &[step(ops::s_ashr_i32, &[A, K(24)])]), // a.3 sign(a.3) sign(a.3) sign(a.3)
    (0x5ad6b, &[step(ops::s_ashr_i32, &[A, K(31)])]), // sign(a.3) sign(a.3) sign(a.3) sign(a.3)
    (0x5ad70, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 sign(a.3) sign(a.3) sign(a.3)
    (0x5ad71, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff sign(a.3) sign(a.3) sign(a.3)
    (0x5ae02, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.2 0x00 sign(a.3) sign(a.3)
    (0x5ae03, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // a.3 0x00 sign(a.3) sign(a.3)
    (0x5ae0b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_and_b32, &[H, K(0xffff00ff)])]), // sign(a.3) 0x00 sign(a.3) sign(a.3)
    (0x5ae10, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 sign(a.3) sign(a.3)
    (0x5ae22, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.2 0xff sign(a.3) sign(a.3)
    (0x5ae23, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.3 0xff sign(a.3) sign(a.3)
    (0x5ae2b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // sign(a.3) 0xff sign(a.3) sign(a.3)
    (0x5ae31, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff sign(a.3) sign(a.3)
    (0x5c041, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.1 a.2 0x00 sign(a.3)
    (0x5c050, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.2 0x00 sign(a.3)
    (0x5c062, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.2 a.3 0x00 sign(a.3)
    (0x5c070, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.3 0x00 sign(a.3)
    (0x5c163, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // a.3 sign(a.3) 0x00 sign(a.3)
    (0x5c16b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_and_b32, &[H, K(0xff00ffff)])]), // sign(a.3) sign(a.3) 0x00 sign(a.3)
    (0x5c170, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 sign(a.3) 0x00 sign(a.3)
    (0x5c201, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.1 0x00 0x00 sign(a.3)
    (0x5c202, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 sign(a.3)
    (0x5c203, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.3 0x00 0x00 sign(a.3)
    (0x5c20b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // sign(a.3) 0x00 0x00 sign(a.3)
    (0x5c210, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_lshl_b32, &[H, K(24)])]), // 0x00 0x00 0x00 sign(a.3)
    (0x5c441, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.1 a.2 0xff sign(a.3)
    (0x5c451, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.2 0xff sign(a.3)
    (0x5c462, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.2 a.3 0xff sign(a.3)
    (0x5c471, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.3 0xff sign(a.3)
    (0x5c563, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.3 sign(a.3) 0xff sign(a.3)
    (0x5c56b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // sign(a.3) sign(a.3) 0xff sign(a.3)
    (0x5c571, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff sign(a.3) 0xff sign(a.3)
    (0x5c621, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.1 0xff 0xff sign(a.3)
    (0x5c622, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff sign(a.3)
    (0x5c623, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.3 0xff 0xff sign(a.3)
    (0x5c62b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // sign(a.3) 0xff 0xff sign(a.3)
    (0x5c631, &[step(ops::s_ashr_i32, &[A, K(7)]), step(ops::s_or_b32, &[H, K(0x00ffffff)])]), // 0xff 0xff 0xff sign(a.3)
    (0x61020, &[step(ops::s_sext_i32_i8, &[B]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 b.0 sign(b.0)
    (0x63020, &[step(ops::s_sext_i32_i8, &[B]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(b.0) sign(b.0)
    (0x63062, &[step(ops::s_sext_i32_i8, &[B]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(b.0) sign(b.0)
    (0x63081, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.1 b.0 sign(b.0) sign(b.0)
    (0x69420, &[step(ops::s_bfe_i32, &[B, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 b.1 sign(b.1)
    (0x69481, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 b.0 b.1 sign(b.1)
    (0x6b420, &[step(ops::s_sext_i32_i16, &[B]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(b.1) sign(b.1)
    (0x6b462, &[step(ops::s_sext_i32_i16, &[B]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(b.1) sign(b.1)
    (0x71820, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // a.0 a.1 b.2 sign(b.2)
    (0x71862, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00180000)])]), // a.2 a.3 b.2 sign(b.2)
    (0x73820, &[step(ops::s_bfe_i32, &[B, K(0x00110007)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(b.2) sign(b.2)
    (0x73862, &[step(ops::s_bfe_i32, &[B, K(0x00110007)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(b.2) sign(b.2)
    (0x738c1, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.1 b.2 sign(b.2) sign(b.2)
    (0x738c3, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.3 b.2 sign(b.2) sign(b.2)
    (0x79c20, &[step(ops::s_ashr_i32, &[B, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 b.3 sign(b.3)
    (0x79c62, &[step(ops::s_ashr_i32, &[B, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.3 sign(b.3)
    (0x79cc1, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 b.2 b.3 sign(b.3)
    (0x79cc3, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.3 b.2 b.3 sign(b.3)
    (0x7bc20, &[step(ops::s_ashr_i32, &[B, K(15)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 sign(b.3) sign(b.3)
    (0x7bc62, &[step(ops::s_ashr_i32, &[B, K(15)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 sign(b.3) sign(b.3)
    (0x80020, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 a.0 0x00
    (0x80030, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.1 a.0 0x00
    (0x80200, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // a.0 0x00 a.0 0x00
    (0x80210, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0x00 0x00 a.0 0x00
    (0x80211, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // 0xff 0x00 a.0 0x00
    (0x80230, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 0xff a.0 0x00
    (0x80231, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_u32, &[H, K(0x00180000)])]), // 0xff 0xff a.0 0x00
    (0x80401, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 a.0 a.1 0x00
    (0x80410, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0x00 a.0 a.1 0x00
    (0x80411, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0xff a.0 a.1 0x00
    (0x80420, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 a.1 0x00
    (0x80601, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // a.1 0x00 a.1 0x00
    (0x80610, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_and_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 a.1 0x00
    (0x80631, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.1 0x00
    (0x80820, &[step(ops::s_bfe_u32, &[A, K(0x00180000)])]), // a.0 a.1 a.2 0x00
    (0x80830, &[step(ops::s_and_b32, &[A, K(0x00ffff00)])]), // 0x00 a.1 a.2 0x00
    (0x80831, &[step(ops::s_and_b32, &[A, K(0x00ffff00)]), step(ops::s_or_b32, &[H, K(0x000000ff)])]), // 0xff a.1 a.2 0x00
    (0x80862, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.2 0x00
    (0x80870, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.3 a.2 0x00
    (0x80a00, &[step(ops::s_and_b32, &[A, K(0x00ff00ff)])]), // a.0 0x00 a.2 0x00
    (0x80a02, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.2 0x00 a.2 0x00
    (0x80a10, &[step(ops::s_and_b32, &[A, K(0x00ff0000)])]), // 0x00 0x00 a.2 0x00
    (0x80a11, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // 0xff 0x00 a.2 0x00
    (0x80a20, &[step(ops::s_and_b32, &[A, K(0x00ff00ff)]), step(ops::s_or_b32, &[H, K(0x0000ff00)])]), // a.0 0xff a.2 0x00
    (0x80a30, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 0xff a.2 0x00
    (0x80a31, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.2 0x00
    (0x80c20, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 a.3 0x00
    (0x80c41, &[step(ops::s_lshr_b32, &[A, K(8)])]), // a.1 a.2 a.3 0x00
    (0x80c43, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 a.2 a.3 0x00
    (0x80c50, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0x00 a.2 a.3 0x00
    (0x80c51, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0xff a.2 a.3 0x00
    (0x80c62, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.3 0x00
    (0x80e01, &[step(ops::s_and_b32, &[A, K(0xff00ff00)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 0x00 a.3 0x00
    (0x80e03, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.3 0x00 a.3 0x00
    (0x80e10, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0), H])]), // 0x00 0x00 a.3 0x00
    (0x80e21, &[step(ops::s_or_b32, &[A, K(0x00ff00ff)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 0xff a.3 0x00
    (0x80e31, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), H])]), // 0xff 0xff a.3 0x00
    (0x81020, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00180000)])]), // a.0 a.1 b.0 0x00
    (0x81030, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.1 b.0 0x00
    (0x81200, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.0 0x00 b.0 0x00
    (0x81420, &[step(ops::s_bfe_u32, &[B, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 b.1 0x00
    (0x81481, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 b.0 b.1 0x00
    (0x81820, &[step(ops::s_and_b32, &[B, K(0x00ff0000)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 b.2 0x00
    (0x81830, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.1 b.2 0x00
    (0x81862, &[step(ops::s_and_b32, &[B, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.2 0x00
    (0x81870, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.3 b.2 0x00
    (0x81a00, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.0 0x00 b.2 0x00
    (0x81a02, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.2 0x00 b.2 0x00
    (0x81c20, &[step(ops::s_lshr_b32, &[B, K(8)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 b.3 0x00
    (0x81c62, &[step(ops::s_lshr_b32, &[B, K(8)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.3 0x00
    (0x81cc1, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 b.2 b.3 0x00
    (0x81cc3, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 b.2 b.3 0x00
    (0x82100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_bfe_u32, &[H, K(0x00180000)])]), // a.0 sign(a.0) sign(a.0) 0x00
    (0x82108, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_lshr_b32, &[H, K(8)])]), // sign(a.0) sign(a.0) sign(a.0) 0x00
    (0x82110, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 sign(a.0) sign(a.0) 0x00
    (0x82200, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.0 0x00 sign(a.0) 0x00
    (0x82208, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // sign(a.0) 0x00 sign(a.0) 0x00
    (0x82210, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 sign(a.0) 0x00
    (0x82420, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_bfe_u32, &[H, K(0x00180000)])]), // a.0 a.1 sign(a.1) 0x00
    (0x82430, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.1 sign(a.1) 0x00
    (0x82521, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 sign(a.1) sign(a.1) 0x00
    (0x82529, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_lshr_b32, &[H, K(8)])]), // sign(a.1) sign(a.1) sign(a.1) 0x00
    (0x82530, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 sign(a.1) sign(a.1) 0x00
    (0x82600, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.0 0x00 sign(a.1) 0x00
    (0x82601, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.1 0x00 sign(a.1) 0x00
    (0x82609, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // sign(a.1) 0x00 sign(a.1) 0x00
    (0x82610, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_and_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 sign(a.1) 0x00
    (0x82841, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 a.2 sign(a.2) 0x00
    (0x82850, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.2 sign(a.2) 0x00
    (0x82942, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.2 sign(a.2) sign(a.2) 0x00
    (0x8294a, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_lshr_b32, &[H, K(8)])]), // sign(a.2) sign(a.2) sign(a.2) 0x00
    (0x82950, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 sign(a.2) sign(a.2) 0x00
    (0x82a01, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.1 0x00 sign(a.2) 0x00
    (0x82a02, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.2 0x00 sign(a.2) 0x00
    (0x82a0a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // sign(a.2) 0x00 sign(a.2) 0x00
    (0x82a10, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_and_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 sign(a.2) 0x00
    (0x82c62, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.2 a.3 sign(a.3) 0x00
    (0x82c70, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.3 sign(a.3) 0x00
    (0x82d63, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 sign(a.3) sign(a.3) 0x00
    (0x82d6b, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_lshr_b32, &[H, K(8)])]), // sign(a.3) sign(a.3) sign(a.3) 0x00
    (0x82d70, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 sign(a.3) sign(a.3) 0x00
    (0x82e02, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.2 0x00 sign(a.3) 0x00
    (0x82e03, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.3 0x00 sign(a.3) 0x00
    (0x82e0b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // sign(a.3) 0x00 sign(a.3) 0x00
    (0x82e10, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_and_b32, &[H, K(0x00ff0000)])]), // 0x00 0x00 sign(a.3) 0x00
    (0x84001, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.1 a.0 0x00 0x00
    (0x84010, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_lshr_b32, &[H, K(16)])]), // 0x00 a.0 0x00 0x00
    (0x84011, &[step(ops::s_pack_ll_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // 0xff a.0 0x00 0x00
    (0x84020, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)])]), // a.0 a.1 0x00 0x00
    (0x84030, &[step(ops::s_and_b32, &[A, K(0x0000ff00)])]), // 0x00 a.1 0x00 0x00
    (0x84031, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_ll_b32_b16, &[H, K(0)])]), // 0xff a.1 0x00 0x00
    (0x84041, &[step(ops::s_bfe_u32, &[A, K(0x00100008)])]), // a.1 a.2 0x00 0x00
    (0x84043, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.3 a.2 0x00 0x00
    (0x84050, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0x00 a.2 0x00 0x00
    (0x84051, &[step(ops::s_pack_lh_b32_b16, &[K(0xffffffff), A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // 0xff a.2 0x00 0x00
    (0x84062, &[step(ops::s_lshr_b32, &[A, K(16)])]), // a.2 a.3 0x00 0x00
    (0x84070, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.3 0x00 0x00
    (0x84071, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_lshr_b32, &[H, K(16)])]), // 0xff a.3 0x00 0x00
    (0x84081, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.1 b.0 0x00 0x00
    (0x840c1, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.1 b.2 0x00 0x00
    (0x840c3, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.3 b.2 0x00 0x00
    (0x84100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[H, K(0)])]), // a.0 sign(a.0) 0x00 0x00
    (0x84108, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_lshr_b32, &[H, K(16)])]), // sign(a.0) sign(a.0) 0x00 0x00
    (0x84110, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_and_b32, &[H, K(0x0000ff00)])]), // 0x00 sign(a.0) 0x00 0x00
    (0x84121, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.1 sign(a.1) 0x00 0x00
    (0x84129, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_lshr_b32, &[H, K(16)])]), // sign(a.1) sign(a.1) 0x00 0x00
    (0x84130, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_and_b32, &[H, K(0x0000ff00)])]), // 0x00 sign(a.1) 0x00 0x00
    (0x84142, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_lshr_b32, &[H, K(16)])]), // a.2 sign(a.2) 0x00 0x00
    (0x8414a, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_lshr_b32, &[H, K(16)])]), // sign(a.2) sign(a.2) 0x00 0x00
    (0x84150, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_and_b32, &[H, K(0x0000ff00)])]), // 0x00 sign(a.2) 0x00 0x00
    (0x84163, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_lshr_b32, &[H, K(16)])]), // a.3 sign(a.3) 0x00 0x00
    (0x8416b, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_lshr_b32, &[H, K(16)])]), // sign(a.3) sign(a.3) 0x00 0x00
    (0x84170, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_and_b32, &[H, K(0x0000ff00)])]), // 0x00 sign(a.3) 0x00 0x00
    (0x84200, &[step(ops::s_bfe_u32, &[A, K(0x00080000)])]), // a.0 0x00 0x00 0x00
    (0x84201, &[step(ops::s_bfe_u32, &[A, K(0x00080008)])]), // a.1 0x00 0x00 0x00
    (0x84202, &[step(ops::s_bfe_u32, &[A, K(0x00080010)])]), // a.2 0x00 0x00 0x00
    (0x84203, &[step(ops::s_lshr_b32, &[A, K(24)])]), // a.3 0x00 0x00 0x00
    (0x84208, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_lshr_b32, &[H, K(24)])]), // sign(a.0) 0x00 0x00 0x00
    (0x84209, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_lshr_b32, &[H, K(24)])]), // sign(a.1) 0x00 0x00 0x00
    (0x8420a, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_lshr_b32, &[H, K(24)])]), // sign(a.2) 0x00 0x00 0x00
    (0x8420b, &[step(ops::s_ashr_i32, &[A, K(7)]), step(ops::s_lshr_b32, &[H, K(24)])]), // sign(a.3) 0x00 0x00 0x00
    (0x84220, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_ll_b32_b16, &[H, K(0)])]), // a.0 0xff 0x00 0x00
    (0x84221, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.1 0xff 0x00 0x00
    (0x84222, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_lshr_b32, &[H, K(16)])]), // a.2 0xff 0x00 0x00
    (0x84223, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.3 0xff 0x00 0x00
    (0x84420, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.0 a.1 0xff 0x00
    (0x84430, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.1 0xff 0x00
    (0x84431, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.1 0xff 0x00
    (0x84441, &[step(ops::s_or_b32, &[A, K(0xff0000ff)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 a.2 0xff 0x00
    (0x84451, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_lshr_b32, &[H, K(8)])]), // 0xff a.2 0xff 0x00
    (0x84462, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.2 a.3 0xff 0x00
    (0x84470, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.3 0xff 0x00
    (0x84471, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.3 0xff 0x00
    (0x84600, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.0 0x00 0xff 0x00
    (0x84601, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.1 0x00 0xff 0x00
    (0x84602, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.2 0x00 0xff 0x00
    (0x84603, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0x00ff0000)])]), // a.3 0x00 0xff 0x00
    (0x84620, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.0 0xff 0xff 0x00
    (0x84621, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.1 0xff 0xff 0x00
    (0x84622, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff 0x00
    (0x84623, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 0xff 0xff 0x00
    (0x88020, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_ll_b32_b16, &[A, H])]), // a.0 a.1 a.0 0xff
    (0x88031, &[step(ops::s_pack_ll_b32_b16, &[A, A]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.1 a.0 0xff
    (0x88210, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // 0x00 0x00 a.0 0xff
    (0x88211, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff 0x00 a.0 0xff
    (0x88220, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_ll_b32_b16, &[H, H])]), // a.0 0xff a.0 0xff
    (0x88230, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // 0x00 0xff a.0 0xff
    (0x88231, &[step(ops::s_lshl_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff a.0 0xff
    (0x88410, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.0 a.1 0xff
    (0x88411, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.0 a.1 0xff
    (0x88630, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // 0x00 0xff a.1 0xff
    (0x88631, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff a.1 0xff
    (0x88820, &[step(ops::s_or_b32, &[A, K(0xff000000)])]), // a.0 a.1 a.2 0xff
    (0x88830, &[step(ops::s_and_b32, &[A, K(0x00ffff00)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // 0x00 a.1 a.2 0xff
    (0x88831, &[step(ops::s_or_b32, &[A, K(0xff0000ff)])]), // 0xff a.1 a.2 0xff
    (0x88862, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 a.2 0xff
    (0x88871, &[step(ops::s_pack_hh_b32_b16, &[A, A]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.3 a.2 0xff
    (0x88a00, &[step(ops::s_and_b32, &[A, K(0x00ff00ff)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.0 0x00 a.2 0xff
    (0x88a10, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // 0x00 0x00 a.2 0xff
    (0x88a11, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff 0x00 a.2 0xff
    (0x88a20, &[step(ops::s_or_b32, &[A, K(0xff00ff00)])]), // a.0 0xff a.2 0xff
    (0x88a22, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hh_b32_b16, &[H, H])]), // a.2 0xff a.2 0xff
    (0x88a30, &[step(ops::s_pack_lh_b32_b16, &[K(0), A]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // 0x00 0xff a.2 0xff
    (0x88a31, &[step(ops::s_or_b32, &[A, K(0xff00ffff)])]), // 0xff 0xff a.2 0xff
    (0x88c41, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.1 a.2 a.3 0xff
    (0x88c50, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.2 a.3 0xff
    (0x88c51, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.2 a.3 0xff
    (0x88e21, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.1 0xff a.3 0xff
    (0x88e31, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff a.3 0xff
    (0x89020, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.0 a.1 b.0 0xff
    (0x89031, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.1 b.0 0xff
    (0x89220, &[step(ops::s_pack_ll_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.0 0xff b.0 0xff
    (0x89820, &[step(ops::s_or_b32, &[B, K(0xff00ffff)]), step(ops::s_pack_lh_b32_b16, &[A, H])]), // a.0 a.1 b.2 0xff
    (0x89831, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.1 b.2 0xff
    (0x89862, &[step(ops::s_or_b32, &[B, K(0xff00ffff)]), step(ops::s_pack_hh_b32_b16, &[A, H])]), // a.2 a.3 b.2 0xff
    (0x89871, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.3 b.2 0xff
    (0x89a20, &[step(ops::s_pack_lh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.0 0xff b.2 0xff
    (0x89a22, &[step(ops::s_pack_hh_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.2 0xff b.2 0xff
    (0x8a100, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.0 sign(a.0) sign(a.0) 0xff
    (0x8a108, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // sign(a.0) sign(a.0) sign(a.0) 0xff
    (0x8a111, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff sign(a.0) sign(a.0) 0xff
    (0x8a220, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.0 0xff sign(a.0) 0xff
    (0x8a228, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // sign(a.0) 0xff sign(a.0) 0xff
    (0x8a231, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff sign(a.0) 0xff
    (0x8a420, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.0 a.1 sign(a.1) 0xff
    (0x8a431, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.1 sign(a.1) 0xff
    (0x8a521, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.1 sign(a.1) sign(a.1) 0xff
    (0x8a529, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // sign(a.1) sign(a.1) sign(a.1) 0xff
    (0x8a531, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff sign(a.1) sign(a.1) 0xff
    (0x8a620, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.0 0xff sign(a.1) 0xff
    (0x8a621, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.1 0xff sign(a.1) 0xff
    (0x8a629, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // sign(a.1) 0xff sign(a.1) 0xff
    (0x8a631, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff sign(a.1) 0xff
    (0x8a841, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.1 a.2 sign(a.2) 0xff
    (0x8a851, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.2 sign(a.2) 0xff
    (0x8a942, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.2 sign(a.2) sign(a.2) 0xff
    (0x8a94a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // sign(a.2) sign(a.2) sign(a.2) 0xff
    (0x8a951, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff sign(a.2) sign(a.2) 0xff
    (0x8aa21, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.1 0xff sign(a.2) 0xff
    (0x8aa22, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.2 0xff sign(a.2) 0xff
    (0x8aa2a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // sign(a.2) 0xff sign(a.2) 0xff
    (0x8aa31, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff sign(a.2) 0xff
    (0x8ac62, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.2 a.3 sign(a.3) 0xff
    (0x8ac71, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.3 sign(a.3) 0xff
    (0x8ad63, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.3 sign(a.3) sign(a.3) 0xff
    (0x8ad6b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // sign(a.3) sign(a.3) sign(a.3) 0xff
    (0x8ad71, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff sign(a.3) sign(a.3) 0xff
    (0x8ae22, &[step(ops::s_ashr_i32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.2 0xff sign(a.3) 0xff
    (0x8ae23, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.3 0xff sign(a.3) 0xff
    (0x8ae2b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // sign(a.3) 0xff sign(a.3) 0xff
    (0x8ae31, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_or_b32, &[H, K(0xff00ffff)])]), // 0xff 0xff sign(a.3) 0xff
    (0x8c020, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.0 a.1 0x00 0xff
    (0x8c030, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.1 0x00 0xff
    (0x8c031, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.1 0x00 0xff
    (0x8c041, &[step(ops::s_bfe_u32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.1 a.2 0x00 0xff
    (0x8c051, &[step(ops::s_bfe_u32, &[A, K(0x00100008)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.2 0x00 0xff
    (0x8c062, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.2 a.3 0x00 0xff
    (0x8c070, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.3 0x00 0xff
    (0x8c071, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.3 0x00 0xff
    (0x8c200, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.0 0x00 0x00 0xff
    (0x8c201, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.1 0x00 0x00 0xff
    (0x8c202, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 0xff
    (0x8c203, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.3 0x00 0x00 0xff
    (0x8c220, &[step(ops::s_pack_ll_b32_b16, &[A, K(0)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.0 0xff 0x00 0xff
    (0x8c221, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.1 0xff 0x00 0xff
    (0x8c222, &[step(ops::s_lshr_b32, &[A, K(16)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.2 0xff 0x00 0xff
    (0x8c223, &[step(ops::s_lshr_b32, &[A, K(24)]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.3 0xff 0x00 0xff
    (0x8c410, &[step(ops::s_lshl_b32, &[A, K(24)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // 0x00 a.0 0xff 0xff
    (0x8c411, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_or_b32, &[H, K(0xffff00ff)])]), // 0xff a.0 0xff 0xff
    (0x8c420, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)])]), // a.0 a.1 0xff 0xff
    (0x8c430, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_ll_b32_b16, &[H, K(0xffffffff)])]), // 0x00 a.1 0xff 0xff
    (0x8c431, &[step(ops::s_or_b32, &[A, K(0xffff00ff)])]), // 0xff a.1 0xff 0xff
    (0x8c441, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // a.1 a.2 0xff 0xff
    (0x8c451, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_ashr_i32, &[H, K(8)])]), // 0xff a.2 0xff 0xff
    (0x8c462, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)])]), // a.2 a.3 0xff 0xff
    (0x8c470, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // 0x00 a.3 0xff 0xff
    (0x8c471, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // 0xff a.3 0xff 0xff
    (0x8c500, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_ll_b32_b16, &[H, K(0xffffffff)])]), // a.0 sign(a.0) 0xff 0xff
    (0x8c508, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // sign(a.0) sign(a.0) 0xff 0xff
    (0x8c511, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_or_b32, &[H, K(0xffff00ff)])]), // 0xff sign(a.0) 0xff 0xff
    (0x8c521, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, K(0xffffffff)])]), // a.1 sign(a.1) 0xff 0xff
    (0x8c529, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // sign(a.1) sign(a.1) 0xff 0xff
    (0x8c531, &[step(ops::s_bfe_i32, &[A, K(0x00090007)]), step(ops::s_or_b32, &[H, K(0xffff00ff)])]), // 0xff sign(a.1) 0xff 0xff
    (0x8c542, &[step(ops::s_bfe_i32, &[A, K(0x00180000)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // a.2 sign(a.2) 0xff 0xff
    (0x8c54a, &[step(ops::s_bfe_i32, &[A, K(0x00110007)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // sign(a.2) sign(a.2) 0xff 0xff
    (0x8c551, &[step(ops::s_bfe_i32, &[A, K(0x0009000f)]), step(ops::s_or_b32, &[H, K(0xffff00ff)])]), // 0xff sign(a.2) 0xff 0xff
    (0x8c563, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // a.3 sign(a.3) 0xff 0xff
    (0x8c56b, &[step(ops::s_ashr_i32, &[A, K(15)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // sign(a.3) sign(a.3) 0xff 0xff
    (0x8c571, &[step(ops::s_ashr_i32, &[A, K(23)]), step(ops::s_or_b32, &[H, K(0xffff00ff)])]), // 0xff sign(a.3) 0xff 0xff
    (0x8c600, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_ll_b32_b16, &[H, K(0xffffffff)])]), // a.0 0x00 0xff 0xff
    (0x8c601, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_ll_b32_b16, &[H, K(0xffffffff)])]), // a.1 0x00 0xff 0xff
    (0x8c602, &[step(ops::s_and_b32, &[A, K(0x00ff0000)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // a.2 0x00 0xff 0xff
    (0x8c603, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hh_b32_b16, &[H, K(0xffffffff)])]), // a.3 0x00 0xff 0xff
    (0x8c620, &[step(ops::s_or_b32, &[A, K(0xffffff00)])]), // a.0 0xff 0xff 0xff
    (0x8c621, &[step(ops::s_pack_ll_b32_b16, &[A, K(0xffffffff)]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.1 0xff 0xff 0xff
    (0x8c622, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_ashr_i32, &[H, K(16)])]), // a.2 0xff 0xff 0xff
    (0x8c623, &[step(ops::s_pack_hh_b32_b16, &[A, K(0xffffffff)]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.3 0xff 0xff 0xff
    (0x8c628, &[step(ops::s_bfe_i32, &[A, K(0x00010007)]), step(ops::s_or_b32, &[H, K(0xffffff00)])]), // sign(a.0) 0xff 0xff 0xff
    (0x8c629, &[step(ops::s_bfe_i32, &[A, K(0x0001000f)]), step(ops::s_or_b32, &[H, K(0xffffff00)])]), // sign(a.1) 0xff 0xff 0xff
    (0x8c62a, &[step(ops::s_bfe_i32, &[A, K(0x00010017)]), step(ops::s_or_b32, &[H, K(0xffffff00)])]), // sign(a.2) 0xff 0xff 0xff
    (0x8c62b, &[step(ops::s_ashr_i32, &[A, K(31)]), step(ops::s_or_b32, &[H, K(0xffffff00)])]), // sign(a.3) 0xff 0xff 0xff
];

/// The same for the scalar unit: what `s_pack_hl_b32_b16` makes shorter.
#[rustfmt::skip]
pub(super) static ROWS_SCALAR_PACK_HL: &[Row] = &[
    (0x00c50, &[step(ops::s_pack_hl_b32_b16, &[A, A]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.2 a.3 a.0
    (0x04041, &[step(ops::s_lshl_b32, &[A, K(8)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.1 a.2 0x00 a.0
    (0x08062, &[step(ops::s_pack_hl_b32_b16, &[A, A])]), // a.2 a.3 a.0 a.1
    (0x08070, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hl_b32_b16, &[H, A])]), // 0x00 a.3 a.0 a.1
    (0x08071, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hl_b32_b16, &[H, A])]), // 0xff a.3 a.0 a.1
    (0x08108, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hl_b32_b16, &[H, A])]), // sign(a.0) sign(a.0) a.0 a.1
    (0x08129, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hl_b32_b16, &[H, A])]), // sign(a.1) sign(a.1) a.0 a.1
    (0x08222, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hl_b32_b16, &[H, A])]), // a.2 0xff a.0 a.1
    (0x0c062, &[step(ops::s_and_b32, &[A, K(0x0000ff00)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 0x00 a.1
    (0x0c070, &[step(ops::s_and_b32, &[A, K(0xff00ff00)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // 0x00 a.3 0x00 a.1
    (0x0c202, &[step(ops::s_and_b32, &[A, K(0x00ffff00)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.2 0x00 0x00 a.1
    (0x0c462, &[step(ops::s_or_b32, &[A, K(0xffff00ff)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 0xff a.1
    (0x0c471, &[step(ops::s_or_b32, &[A, K(0x00ff00ff)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // 0xff a.3 0xff a.1
    (0x0c622, &[step(ops::s_or_b32, &[A, K(0xff0000ff)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.2 0xff 0xff a.1
    (0x1054a, &[step(ops::s_bfe_i32, &[A, K(0x00100008)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // sign(a.2) sign(a.2) a.1 a.2
    (0x10563, &[step(ops::s_ashr_i32, &[A, K(8)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.3 sign(a.3) a.1 a.2
    (0x10603, &[step(ops::s_lshr_b32, &[A, K(8)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.3 0x00 a.1 a.2
    (0x20c50, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_lshl_b32, &[H, K(8)])]), // 0x00 a.2 a.3 b.0
    (0x29062, &[step(ops::s_pack_hl_b32_b16, &[A, B])]), // a.2 a.3 b.0 b.1
    (0x29070, &[step(ops::s_and_b32, &[A, K(0xff000000)]), step(ops::s_pack_hl_b32_b16, &[H, B])]), // 0x00 a.3 b.0 b.1
    (0x29071, &[step(ops::s_or_b32, &[A, K(0x00ffffff)]), step(ops::s_pack_hl_b32_b16, &[H, B])]), // 0xff a.3 b.0 b.1
    (0x29108, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hl_b32_b16, &[H, B])]), // sign(a.0) sign(a.0) b.0 b.1
    (0x29129, &[step(ops::s_sext_i32_i16, &[A]), step(ops::s_pack_hl_b32_b16, &[H, B])]), // sign(a.1) sign(a.1) b.0 b.1
    (0x29222, &[step(ops::s_or_b32, &[A, K(0xff00ffff)]), step(ops::s_pack_hl_b32_b16, &[H, B])]), // a.2 0xff b.0 b.1
    (0x2c062, &[step(ops::s_and_b32, &[B, K(0x0000ff00)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 0x00 b.1
    (0x2c070, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff00ff00)])]), // 0x00 a.3 0x00 b.1
    (0x2c202, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0xff0000ff)])]), // a.2 0x00 0x00 b.1
    (0x2c462, &[step(ops::s_or_b32, &[B, K(0xffff00ff)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 0xff b.1
    (0x2c471, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ff00ff)])]), // 0xff a.3 0xff b.1
    (0x2c622, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0x00ffff00)])]), // a.2 0xff 0xff b.1
    (0x40062, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 a.0 sign(a.0)
    (0x40108, &[step(ops::s_sext_i32_i8, &[A]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // sign(a.0) sign(a.0) a.0 sign(a.0)
    (0x42003, &[step(ops::s_pack_hl_b32_b16, &[A, A]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.3 a.0 sign(a.0) sign(a.0)
    (0x48403, &[step(ops::s_pack_hl_b32_b16, &[A, A]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.3 a.0 a.1 sign(a.1)
    (0x48462, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 a.1 sign(a.1)
    (0x48529, &[step(ops::s_bfe_i32, &[A, K(0x00080008)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // sign(a.1) sign(a.1) a.1 sign(a.1)
    (0x5094a, &[step(ops::s_bfe_i32, &[A, K(0x00080010)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // sign(a.2) sign(a.2) a.2 sign(a.2)
    (0x58d6b, &[step(ops::s_ashr_i32, &[A, K(24)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // sign(a.3) sign(a.3) a.3 sign(a.3)
    (0x61062, &[step(ops::s_sext_i32_i8, &[B]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 b.0 sign(b.0)
    (0x63083, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_bfe_i32, &[H, K(0x00100008)])]), // a.3 b.0 sign(b.0) sign(b.0)
    (0x69462, &[step(ops::s_bfe_i32, &[B, K(0x00080008)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 b.1 sign(b.1)
    (0x69483, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_ashr_i32, &[H, K(8)])]), // a.3 b.0 b.1 sign(b.1)
    (0x80062, &[step(ops::s_bfe_u32, &[A, K(0x00080000)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 a.0 0x00
    (0x80070, &[step(ops::s_and_b32, &[A, K(0xff0000ff)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // 0x00 a.3 a.0 0x00
    (0x80202, &[step(ops::s_and_b32, &[A, K(0x00ff00ff)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.2 0x00 a.0 0x00
    (0x80403, &[step(ops::s_pack_hl_b32_b16, &[A, A]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 a.0 a.1 0x00
    (0x80462, &[step(ops::s_bfe_u32, &[A, K(0x00080008)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 a.1 0x00
    (0x81062, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00180000)])]), // a.2 a.3 b.0 0x00
    (0x81070, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ffff00)])]), // 0x00 a.3 b.0 0x00
    (0x81202, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_and_b32, &[H, K(0x00ff00ff)])]), // a.2 0x00 b.0 0x00
    (0x81462, &[step(ops::s_bfe_u32, &[B, K(0x00080008)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 b.1 0x00
    (0x81483, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_lshr_b32, &[H, K(8)])]), // a.3 b.0 b.1 0x00
    (0x84003, &[step(ops::s_pack_hl_b32_b16, &[A, A]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.3 a.0 0x00 0x00
    (0x84083, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_bfe_u32, &[H, K(0x00100008)])]), // a.3 b.0 0x00 0x00
    (0x88062, &[step(ops::s_or_b32, &[A, K(0xffffff00)]), step(ops::s_pack_hl_b32_b16, &[A, H])]), // a.2 a.3 a.0 0xff
    (0x88071, &[step(ops::s_or_b32, &[A, K(0x00ffff00)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // 0xff a.3 a.0 0xff
    (0x88222, &[step(ops::s_or_b32, &[A, K(0xff00ff00)]), step(ops::s_pack_hl_b32_b16, &[H, H])]), // a.2 0xff a.0 0xff
    (0x89062, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff000000)])]), // a.2 a.3 b.0 0xff
    (0x89071, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff0000ff)])]), // 0xff a.3 b.0 0xff
    (0x89222, &[step(ops::s_pack_hl_b32_b16, &[A, B]), step(ops::s_or_b32, &[H, K(0xff00ff00)])]), // a.2 0xff b.0 0xff
];
