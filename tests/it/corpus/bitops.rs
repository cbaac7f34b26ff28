//! `44_bitops.cu`: counts, fields, funnel shifts, `lop3`, clamped shifts, Morton codes, averages.

use super::case::{Case, EXACT_SHAPES, Ptx};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in EXACT_SHAPES {
        let n = shape.n;
        let rng = &mut Rng::of("bitops");
        let (a, b, c) = (rng.words(n), rng.words(n), rng.words(n));
        // Shift amounts and field bounds: mostly small, some far outside.
        let mut bounds =
            || -> Vec<u32> { (0..n).map(|_| if rng.below(5) == 0 { rng.u32() } else { rng.below(72) }).collect() };
        let (pos, len) = (bounds(), bounds());

        let after: Vec<u32> = a.iter().flat_map(|&x| basic(x)).collect();
        cases.push(shape.case("bits_basic").read(&a).write(&vec![0u32; 8 * n], &after));

        // `fns` wants a base below 32.
        let base: Vec<u32> = pos.iter().map(|by| by % 32).collect();
        let signed = |(i, len): (usize, &u32)| if i % 3 == 0 { (len % 9).wrapping_neg() } else { *len };
        let count: Vec<u32> = len.iter().enumerate().map(signed).collect();
        let after: Vec<u32> = (0..n).flat_map(|i| fields32(a[i], b[i], base[i], count[i])).collect();
        let case = shape.case("bits_field").read(&a).read(&b).read(&base).read(&count);
        cases.push(case.write(&vec![0u32; 8 * n], &after));

        let (x, y) = (rng.longs(n), rng.longs(n));
        let after: Vec<u64> = (0..n).flat_map(|i| fields(x[i], y[i], pos[i], len[i])).collect();
        let case = shape.case("bits_field64").read(&x).read(&y).read(&pos).read(&len);
        cases.push(case.write(&vec![0u64; 3 * n], &after));

        let after: Vec<u32> = (0..n).flat_map(|i| funnels(a[i], b[i], pos[i])).collect();
        cases.push(shape.case("funnel").read(&a).read(&b).read(&pos).write(&vec![0u32; 6 * n], &after));

        let tables = [0x96, 0xe8, 0xca, 0xea, 0x6a, 0x1b, 0xfe, 0xca];
        let after: Vec<u32> = (0..n).flat_map(|i| tables.map(|table| lop3(a[i], b[i], c[i], table))).collect();
        cases.push(shape.case("lop3_luts").read(&a).read(&b).read(&c).write(&vec![0u32; 8 * n], &after));

        // PTX clamps the amount to the width of the type.
        let shifted = |i: usize| {
            let (x, by) = (a[i], pos[i]);
            let sign = (x as i32 >> by.min(31)) as u32;
            [x.checked_shl(by).unwrap_or(0), x.checked_shr(by).unwrap_or(0), sign]
        };
        let after: Vec<u32> = (0..n).flat_map(shifted).collect();
        let spread = |i: usize| u64::from(a[i]).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let long: Vec<u64> = (0..n).map(|i| spread(i).checked_shl(pos[i]).unwrap_or(0)).collect();
        let case = shape.case("shift_edges").read(&a).read(&pos);
        cases.push(case.write(&vec![0u32; 3 * n], &after).write(&vec![0u64; n], &long));

        let after: Vec<u32> = (0..n).map(|i| morton(a[i], b[i])).collect();
        cases.push(shape.case("morton").read(&a).read(&b).write(&vec![0u32; n], &after));

        let after: Vec<u32> = (0..n).flat_map(|i| misc(a[i], b[i])).collect();
        cases.push(shape.case("int_misc").read(&a).read(&b).write(&vec![0u32; 10 * n], &after));
    }
    cases
}

fn basic(x: u32) -> [u32; 8] {
    let first_set = if x == 0 { 0 } else { x.trailing_zeros() + 1 };
    let lowest = if x == 0 { 0 } else { 1 << x.trailing_zeros() };
    let clz = x.leading_zeros();
    let rest = x.count_ones().saturating_sub(1);
    [clz, x.count_ones(), x.reverse_bits(), first_set, !x, 31u32.wrapping_sub(clz), lowest, rest]
}

/// `bfe.u64`, `bfe.s64` and `bfi.b64` bit by bit, as the PTX ISA defines them: position and length count modulo 256.
fn fields(a: u64, b: u64, pos: u32, len: u32) -> [u64; 3] {
    let (pos, len) = (pos & 255, len & 255);
    let bit = |x: u64, i: u32| x >> i & 1;
    let sign = if len == 0 { 0 } else { bit(a, (pos + len - 1).min(63)) };
    let extract =
        |beyond: u64| (0..64).map(|i| (if i < len && pos + i < 64 { bit(a, pos + i) } else { beyond }) << i).sum();
    let insert = (0..64).map(|i| (if i >= pos && i - pos < len { bit(a, i - pos) } else { bit(b, i) }) << i).sum();
    [extract(0), extract(sign), insert]
}

/// `bfe.u32`, `bfe.s32`, `bfi.b32`, `bfind.u32`, `bfind.shiftamt.s32`, `szext.wrap.s32`, `bmsk.clamp.b32` and `fns.b32`.
fn fields32(a: u32, b: u32, pos: u32, len: u32) -> [u32; 8] {
    let count = len & 255;
    let outside = |at: u32| at >= 32;
    let bit = |x: u32, i: u32| x >> i & 1;
    let sign = if count == 0 { 0 } else { bit(a, (pos + count - 1).min(31)) };
    let extract = |beyond: u32| -> u32 {
        (0..32).map(|i| (if i < count && !outside(pos + i) { bit(a, pos + i) } else { beyond }) << i).sum()
    };
    let insert = (0..32).map(|i| (if i >= pos && i - pos < count { bit(a, i - pos) } else { bit(b, i) }) << i).sum();
    let highest = (0..32).rev().find(|&i| bit(a, i) == 1);
    // The highest bit that differs from the sign, counted from the top.
    let amount = (0..32).find(|&k| bit(a, 31 - k) != bit(a, 31));
    // The low `len` modulo 32 bits, sign-extended; no bits are zero.
    let width = len % 32;
    let extended = if width == 0 { 0 } else { ((a << (32 - width)) as i32 >> (32 - width)) as u32 };
    let mask = (0..32).filter(|&i| i >= pos && i - pos < len).map(|i| 1 << i).sum();
    // The n-th set bit from `pos` on: upwards, or downwards for a negative number; 0 asks for the bit itself.
    let nth = len as i32;
    let mut set: Vec<u32> = match nth {
        0 => vec![pos],
        1.. => (pos..32).collect(),
        _ => (0..=pos).rev().collect(),
    };
    set.retain(|&i| bit(a, i) == 1);
    let found = set.get(nth.unsigned_abs().saturating_sub(1) as usize);
    [
        extract(0),
        extract(sign),
        insert,
        highest.unwrap_or(u32::MAX),
        amount.unwrap_or(u32::MAX),
        extended,
        mask,
        found.copied().unwrap_or(u32::MAX),
    ]
}

/// Both directions, wrapping and clamping, of the pair `high:low`; the left one by 13; a rotation by 5.
fn funnels(low: u32, high: u32, by: u32) -> [u32; 6] {
    let pair = u64::from(high) << 32 | u64::from(low);
    let left = |by: u32| ((u128::from(pair) << by) >> 32) as u32;
    let right = |by: u32| (pair >> by) as u32;
    [left(by % 32), right(by % 32), left(by.min(32)), right(by.min(32)), left(13), low.rotate_left(5)]
}

/// Bit i of the result is the bit of `table` that the three input bits number.
fn lop3(a: u32, b: u32, c: u32, table: u32) -> u32 {
    (0..32).map(|i| (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i).sum()
}

/// The low halves of x and y, interleaved.
fn morton(x: u32, y: u32) -> u32 {
    (0..16).map(|i| (x >> i & 1) << (2 * i) | (y >> i & 1) << (2 * i + 1)).sum()
}

fn misc(a: u32, b: u32) -> [u32; 10] {
    let (x, y) = (a as i32, b as i32);
    let (wide_x, wide_y) = (i64::from(x), i64::from(y));
    let low24 = |x: i32| i64::from(x << 8 >> 8);
    [
        x.wrapping_abs().wrapping_add(x.saturating_add(y)) as u32,
        x.min(y) as u32,
        a.max(b),
        x.abs_diff(y).wrapping_add(7),
        a.abs_diff(b).wrapping_add(7),
        ((wide_x * wide_y) >> 32) as u32,
        ((u64::from(a) * u64::from(b)) >> 32) as u32,
        (low24(x) * low24(y)) as u32,
        ((wide_x + wide_y) >> 1) as u32,
        ((wide_x + wide_y + 1) >> 1) as u32,
    ]
}

#[test]
fn bits_of_known_words() {
    assert_eq!(basic(0), [32, 0, 0, 0, u32::MAX, u32::MAX, 0, 0]);
    assert_eq!(basic(0x0000_0180)[..7], [23, 2, 0x0180_0000, 8, 0xffff_fe7f, 8, 0x80]);
    assert_eq!(fields(0xf0, 0, 4, 4), [0xf, u64::MAX, 0]);
    assert_eq!(fields(0b101, u64::MAX, 62, 9), [0, 0, 0x7fff_ffff_ffff_ffff]);
    assert_eq!(fields(1 << 63, 0, 100, 4), [0, u64::MAX, 0]);
    // The manual's examples of `fns` and `bmsk`.
    let fns = |base: u32, nth: i32| fields32(0xaaaa_aaaa, 0, base, nth as u32)[7];
    assert_eq!([fns(3, 1), fns(3, -1), fns(2, 1), fns(2, -1), fns(2, 0), fns(0, 40)], [3, 3, 3, 1, u32::MAX, u32::MAX]);
    assert_eq!((fields32(0, 0, 1, 2)[6], fields32(0, 0, 4, 99)[6], fields32(0, 0, 4, 0)[6]), (6, 0xffff_fff0, 0));
    assert_eq!(fields32(0xffff_fff0, 0, 4, 8)[..6], [0xff, u32::MAX, 0xf00, 31, 28, 0xffff_fff0]);
    assert_eq!(
        (fields32(0x17f, 0, 0, 8)[5], fields32(0x17f, 0, 0, 41)[5], fields32(7, 0, 0, 64)[5]),
        (0x7f, 0xffff_ff7f, 0)
    );
    assert_eq!(funnels(0x8000_0001, 0x0000_0002, 33), [5, 0x4000_0000, 0x8000_0001, 2, 0x5000, 0x30]);
    // 0xf0, 0xcc and 0xaa number the inputs, so the table is its own result on them.
    assert_eq!(lop3(0xf0, 0xcc, 0xaa, 0x96) & 0xff, 0x96);
    assert_eq!(morton(0xffff, 0), 0x5555_5555);
    assert_eq!(misc(0xffff_fffd, 0)[8..], [0xffff_fffe, 0xffff_ffff]);
    assert_eq!(misc(0x8000_0000, 0xffff_ffff)[0], 0);
}
