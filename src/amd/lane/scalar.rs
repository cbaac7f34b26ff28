//! Scalar ops: D, and SCC where it is written, from the sources and SCC.
//!
//! Spec: the AMD ISA manuals, "SOP1", "SOP2" and "SOPK Instructions". An op that leaves SCC alone returns the one it got.

type In = [u64; 3];
type Out = (u64, bool);

const M32: u64 = 0xffff_ffff;

/// A 32-bit result with SCC = "not zero".
fn nz32(d: u32) -> Out {
    (d as u64, d != 0)
}
fn nz64(d: u64) -> Out {
    (d, d != 0)
}
fn sext16(v: u64) -> i32 {
    v as u16 as i16 as i32
}

pub fn s_mov([a, ..]: In, scc: bool) -> Out {
    (a, scc)
}
pub fn s_cmov([a, old, _]: In, scc: bool) -> Out {
    (if scc { a } else { old }, scc)
}
pub fn s_not_b32([a, ..]: In, _: bool) -> Out {
    nz32(!a as u32)
}
pub fn s_not_b64([a, ..]: In, _: bool) -> Out {
    nz64(!a)
}

/// Every group of four bits becomes all ones if one of them is set.
fn whole_quads(a: u64) -> u64 {
    let any = (a | a >> 1 | a >> 2 | a >> 3) & 0x1111_1111_1111_1111;
    any * 15
}
pub fn s_wqm_b32([a, ..]: In, _: bool) -> Out {
    nz32(whole_quads(a) as u32)
}
pub fn s_wqm_b64([a, ..]: In, _: bool) -> Out {
    nz64(whole_quads(a))
}
pub fn s_brev_b32([a, ..]: In, scc: bool) -> Out {
    ((a as u32).reverse_bits() as u64, scc)
}
pub fn s_brev_b64([a, ..]: In, scc: bool) -> Out {
    (a.reverse_bits(), scc)
}
pub fn s_bcnt1([a, ..]: In, _: bool) -> Out {
    nz32(a.count_ones())
}

/// Index of the lowest one, -1 if there is none.
pub fn s_ctz([a, ..]: In, scc: bool) -> Out {
    (if a == 0 { M32 } else { a.trailing_zeros() as u64 }, scc)
}
/// Zeros above the highest one, -1 if there is none.
pub fn s_clz_u32([a, ..]: In, scc: bool) -> Out {
    (super::clz_i32_u32([a, 0, 0]), scc)
}
pub fn s_clz_u64([a, ..]: In, scc: bool) -> Out {
    (if a == 0 { M32 } else { a.leading_zeros() as u64 }, scc)
}
/// Bits equal to the sign, the sign counted, -1 if all are.
pub fn s_cls_i32([a, ..]: In, scc: bool) -> Out {
    (super::cls_i32([a, 0, 0]), scc)
}
pub fn s_cls_i64([a, ..]: In, scc: bool) -> Out {
    let flipped = a ^ ((a as i64) >> 63) as u64;
    (if flipped == 0 { M32 } else { flipped.leading_zeros() as u64 }, scc)
}
pub fn s_sext_i8([a, ..]: In, scc: bool) -> Out {
    (a as u8 as i8 as i32 as u32 as u64, scc)
}
pub fn s_sext_i16([a, ..]: In, scc: bool) -> Out {
    (sext16(a) as u32 as u64, scc)
}
pub fn s_bitset0_b32([a, old, _]: In, scc: bool) -> Out {
    (old & !(1 << (a & 31)), scc)
}
pub fn s_bitset1_b32([a, old, _]: In, scc: bool) -> Out {
    (old | 1 << (a & 31), scc)
}
pub fn s_bitset0_b64([a, old, _]: In, scc: bool) -> Out {
    (old & !(1 << (a & 63)), scc)
}
pub fn s_bitset1_b64([a, old, _]: In, scc: bool) -> Out {
    (old | 1 << (a & 63), scc)
}
/// The most negative value stays what it is.
pub fn s_abs_i32([a, ..]: In, _: bool) -> Out {
    nz32((a as u32 as i32).wrapping_abs() as u32)
}

/// SCC = carry out.
pub fn s_add_u32([a, b, _]: In, _: bool) -> Out {
    let sum = a + b;
    (sum & M32, sum > M32)
}
/// SCC = borrow out.
pub fn s_sub_u32([a, b, _]: In, _: bool) -> Out {
    (a.wrapping_sub(b) & M32, b > a)
}
/// SCC = signed overflow.
pub fn s_add_i32([a, b, _]: In, _: bool) -> Out {
    let (sum, over) = (a as i32).overflowing_add(b as i32);
    (sum as u32 as u64, over)
}
pub fn s_sub_i32([a, b, _]: In, _: bool) -> Out {
    let (difference, over) = (a as i32).overflowing_sub(b as i32);
    (difference as u32 as u64, over)
}
pub fn s_addc_u32([a, b, _]: In, scc: bool) -> Out {
    let sum = a + b + scc as u64;
    (sum & M32, sum > M32)
}
pub fn s_subb_u32([a, b, _]: In, scc: bool) -> Out {
    let subtrahend = b + scc as u64;
    (a.wrapping_sub(subtrahend) & M32, subtrahend > a)
}
pub fn s_absdiff_i32([a, b, _]: In, _: bool) -> Out {
    nz32((a as i32).wrapping_sub(b as i32).wrapping_abs() as u32)
}
/// Minimum and maximum: SCC = "S0 was taken"; equal sources are not S0's.
pub fn s_min_i32([a, b, _]: In, _: bool) -> Out {
    if (a as i32) < b as i32 { (a, true) } else { (b, false) }
}
pub fn s_min_u32([a, b, _]: In, _: bool) -> Out {
    if a < b { (a, true) } else { (b, false) }
}
pub fn s_max_i32([a, b, _]: In, _: bool) -> Out {
    if a as i32 >= b as i32 { (a, true) } else { (b, false) }
}
pub fn s_max_u32([a, b, _]: In, _: bool) -> Out {
    if a >= b { (a, true) } else { (b, false) }
}
pub fn s_cselect([a, b, _]: In, scc: bool) -> Out {
    (if scc { a } else { b }, scc)
}

pub fn s_and([a, b, _]: In, _: bool) -> Out {
    nz64(a & b)
}
pub fn s_or([a, b, _]: In, _: bool) -> Out {
    nz64(a | b)
}
pub fn s_xor([a, b, _]: In, _: bool) -> Out {
    nz64(a ^ b)
}
pub fn s_andn2([a, b, _]: In, _: bool) -> Out {
    nz64(a & !b)
}
pub fn s_orn2_b32([a, b, _]: In, _: bool) -> Out {
    nz32((a | !b) as u32)
}
pub fn s_orn2_b64([a, b, _]: In, _: bool) -> Out {
    nz64(a | !b)
}
pub fn s_nand_b32([a, b, _]: In, _: bool) -> Out {
    nz32(!(a & b) as u32)
}
pub fn s_nand_b64([a, b, _]: In, _: bool) -> Out {
    nz64(!(a & b))
}
pub fn s_nor_b32([a, b, _]: In, _: bool) -> Out {
    nz32(!(a | b) as u32)
}
pub fn s_nor_b64([a, b, _]: In, _: bool) -> Out {
    nz64(!(a | b))
}
pub fn s_xnor_b32([a, b, _]: In, _: bool) -> Out {
    nz32(!(a ^ b) as u32)
}
pub fn s_xnor_b64([a, b, _]: In, _: bool) -> Out {
    nz64(!(a ^ b))
}

/// Shift amounts are S1[4:0] or S1[5:0].
pub fn s_lshl_b32([a, b, _]: In, _: bool) -> Out {
    nz32((a as u32) << (b & 31))
}
pub fn s_lshl_b64([a, b, _]: In, _: bool) -> Out {
    nz64(a << (b & 63))
}
pub fn s_lshr_b32([a, b, _]: In, _: bool) -> Out {
    nz32(a as u32 >> (b & 31))
}
pub fn s_lshr_b64([a, b, _]: In, _: bool) -> Out {
    nz64(a >> (b & 63))
}
pub fn s_ashr_i32([a, b, _]: In, _: bool) -> Out {
    nz32((a as i32 >> (b & 31)) as u32)
}
pub fn s_ashr_i64([a, b, _]: In, _: bool) -> Out {
    nz64((a as i64 >> (b & 63)) as u64)
}
pub fn s_bfm_b32([a, b, _]: In, scc: bool) -> Out {
    ((((1u32 << (a & 31)) - 1) << (b & 31)) as u64, scc)
}
pub fn s_bfm_b64([a, b, _]: In, scc: bool) -> Out {
    (((1u64 << (a & 63)) - 1) << (b & 63), scc)
}

/// A field of `width` bits at `at`, zero- or sign-extended; a width of 0 gives 0. Widths come from a 7-bit field and may
/// exceed the value, which then ends it.
fn field(value: u64, at: u64, width: u64, size: u64, signed: bool) -> u64 {
    if width == 0 {
        return 0;
    }
    let shifted = if signed { (((value << (64 - size)) as i64 >> (64 - size)) >> at) as u64 } else { value >> at };
    if width >= size {
        return shifted;
    }
    let up = 64 - width;
    if signed { ((shifted << up) as i64 >> up) as u64 } else { shifted << up >> up }
}
/// The offset is S1[4:0] (S1[5:0]), the width S1[22:16].
pub fn s_bfe_u32([a, b, _]: In, _: bool) -> Out {
    nz32(field(a, b & 31, b >> 16 & 127, 32, false) as u32)
}
pub fn s_bfe_i32([a, b, _]: In, _: bool) -> Out {
    nz32(field(a, b & 31, b >> 16 & 127, 32, true) as u32)
}
pub fn s_bfe_u64([a, b, _]: In, _: bool) -> Out {
    nz64(field(a, b & 63, b >> 16 & 127, 64, false))
}
pub fn s_bfe_i64([a, b, _]: In, _: bool) -> Out {
    nz64(field(a, b & 63, b >> 16 & 127, 64, true))
}

pub fn s_mul_i32([a, b, _]: In, scc: bool) -> Out {
    (a.wrapping_mul(b) & M32, scc)
}
pub fn s_mul_hi_u32([a, b, _]: In, scc: bool) -> Out {
    ((a * b) >> 32, scc)
}
pub fn s_mul_hi_i32([a, b, _]: In, scc: bool) -> Out {
    (((a as i32 as i64 * b as i32 as i64) >> 32) as u32 as u64, scc)
}
/// SCC = the shifted sum does not fit in 32 bits.
fn lshl_add(a: u64, b: u64, by: u32) -> Out {
    let sum = (a << by) + b;
    (sum & M32, sum > M32)
}
pub fn s_lshl1_add_u32([a, b, _]: In, _: bool) -> Out {
    lshl_add(a, b, 1)
}
pub fn s_lshl2_add_u32([a, b, _]: In, _: bool) -> Out {
    lshl_add(a, b, 2)
}
pub fn s_lshl3_add_u32([a, b, _]: In, _: bool) -> Out {
    lshl_add(a, b, 3)
}
pub fn s_lshl4_add_u32([a, b, _]: In, _: bool) -> Out {
    lshl_add(a, b, 4)
}
/// `pack_xy`: half x of S0 below half y of S1.
fn pack(low: u64, high: u64) -> u64 {
    (low & 0xffff) | (high & 0xffff) << 16
}
pub fn s_pack_ll([a, b, _]: In, scc: bool) -> Out {
    (pack(a, b), scc)
}
pub fn s_pack_lh([a, b, _]: In, scc: bool) -> Out {
    (pack(a, b >> 16), scc)
}
pub fn s_pack_hh([a, b, _]: In, scc: bool) -> Out {
    (pack(a >> 16, b >> 16), scc)
}
pub fn s_pack_hl([a, b, _]: In, scc: bool) -> Out {
    (pack(a >> 16, b), scc)
}
pub fn s_add_nc_u64([a, b, _]: In, scc: bool) -> Out {
    (a.wrapping_add(b), scc)
}
pub fn s_sub_nc_u64([a, b, _]: In, scc: bool) -> Out {
    (a.wrapping_sub(b), scc)
}
pub fn s_mul_u64([a, b, _]: In, scc: bool) -> Out {
    (a.wrapping_mul(b), scc)
}

pub fn s_movk_i32([k, ..]: In, scc: bool) -> Out {
    (sext16(k) as u32 as u64, scc)
}
pub fn s_cmovk_i32([k, old, _]: In, scc: bool) -> Out {
    (if scc { sext16(k) as u32 as u64 } else { old }, scc)
}
pub fn s_addk_i32([k, old, _]: In, scc: bool) -> Out {
    s_add_i32([old, sext16(k) as u32 as u64, 0], scc)
}
pub fn s_mulk_i32([k, old, _]: In, scc: bool) -> Out {
    ((old as i32).wrapping_mul(sext16(k)) as u32 as u64, scc)
}
