//! Integer compares, scalar and vector.
//!
//! Spec: the AMD ISA manuals, "SOPC" and "VOPC Instructions". `lg` ("less or greater") is "not equal".

macro_rules! compares {
    ($($ty:ident: $lt:ident $eq:ident $le:ident $gt:ident $lg:ident $ge:ident;)*) => { $(
        pub fn $lt(a: u64, b: u64) -> bool { (a as $ty) < b as $ty }
        pub fn $eq(a: u64, b: u64) -> bool { a as $ty == b as $ty }
        pub fn $le(a: u64, b: u64) -> bool { a as $ty <= b as $ty }
        pub fn $gt(a: u64, b: u64) -> bool { a as $ty > b as $ty }
        pub fn $lg(a: u64, b: u64) -> bool { a as $ty != b as $ty }
        pub fn $ge(a: u64, b: u64) -> bool { a as $ty >= b as $ty }
    )* };
}
compares! {
    i16: lt_i16 eq_i16 le_i16 gt_i16 lg_i16 ge_i16;
    u16: lt_u16 eq_u16 le_u16 gt_u16 lg_u16 ge_u16;
    i32: lt_i32 eq_i32 le_i32 gt_i32 lg_i32 ge_i32;
    u32: lt_u32 eq_u32 le_u32 gt_u32 lg_u32 ge_u32;
    i64: lt_i64 eq_i64 le_i64 gt_i64 lg_i64 ge_i64;
    u64: lt_u64 eq_u64 le_u64 gt_u64 lg_u64 ge_u64;
}

pub fn bitcmp0_b32(a: u64, b: u64) -> bool {
    a >> (b & 31) & 1 == 0
}
pub fn bitcmp1_b32(a: u64, b: u64) -> bool {
    a >> (b & 31) & 1 == 1
}
pub fn bitcmp0_b64(a: u64, b: u64) -> bool {
    a >> (b & 63) & 1 == 0
}
pub fn bitcmp1_b64(a: u64, b: u64) -> bool {
    a >> (b & 63) & 1 == 1
}
