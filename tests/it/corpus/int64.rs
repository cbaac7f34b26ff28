//! `36_int64.cu`: 64- and 128-bit arithmetic, divisions, and narrow types. No kernel has a guard.

use super::case::{Case, EXACT_SHAPES, Ptx};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in EXACT_SHAPES {
        let n = shape.n;
        let rng = &mut Rng::of("int64");

        let (a, b) = dividends(rng, n);
        let after: Vec<i64> = (0..n).flat_map(|i| s64_ops(a[i] as i64, b[i] as i64)).collect();
        cases.push(shape.case("s64_ops").read(&a).read(&b).write(&vec![0i64; 12 * n], &after));
        let after: Vec<u64> = (0..n).flat_map(|i| u64_ops(a[i], b[i])).collect();
        cases.push(shape.case("u64_ops").read(&a).read(&b).write(&vec![0u64; 9 * n], &after));

        let after: Vec<u64> = a.iter().flat_map(|x| [x / 10, x % 1_000_000_007, x / 641, x / 64]).collect();
        cases.push(shape.case("u64_divconst").read(&a).write(&vec![0u64; 4 * n], &after));

        let after: Vec<i32> = a.iter().flat_map(|&x| clz_popc(x)).collect();
        cases.push(shape.case("clz_popc64").read(&a).write(&vec![0i32; 4 * n], &after));

        let (a, b) = words(dividends(rng, n));
        let after: Vec<u32> = (0..n).flat_map(|i| s32_divs(a[i] as i32, b[i] as i32)).collect();
        cases.push(shape.case("s32_divs").read(&a).read(&b).write(&vec![0u32; 8 * n], &after));

        // Each thread multiplies its element with the next.
        let (a, b, s, u) = (rng.words(n + 1), rng.words(n + 1), rng.longs(n), rng.longs(n));
        let signed = |i: usize| i64::from(a[i] as i32).wrapping_mul((a[i + 1] as i32).into()) as u64;
        let s_after: Vec<u64> = (0..n).map(|i| signed(i).wrapping_add(s[i])).collect();
        let u_after: Vec<u64> = (0..n).map(|i| (u64::from(b[i]) * u64::from(b[i + 1])).wrapping_add(u[i])).collect();
        cases.push(shape.case("mul_wide").read(&a).read(&b).write(&s, &s_after).write(&u, &u_after));

        let mut wide = || -> Vec<u128> {
            let (low, high) = (rng.longs(n), rng.longs(n));
            low.iter().zip(high).map(|(&low, high)| u128::from(high) << 64 | u128::from(low)).collect()
        };
        let (a, b) = (wide(), wide());
        let after: Vec<u128> = (0..n).map(|i| a[i].wrapping_mul(b[i]).wrapping_add(a[i])).collect();
        cases.push(shape.case("int128_mul").read(&a).read(&b).write(&vec![0u128; n], &after));

        cases.push(small_ints(shape.case("small_ints"), rng, n));
    }
    cases
}

/// Pairs whose quotient is defined: no divisor is zero, and the smallest number is not divided by -1.
fn dividends(rng: &mut Rng, n: usize) -> (Vec<u64>, Vec<u64>) {
    let (mut a, mut b) = (rng.longs(n), rng.longs(n));
    for (i, (x, y)) in a.iter_mut().zip(&mut b).enumerate() {
        match i % 4 {
            // Small by small, and large by small: quotients of every length.
            1 => (*x, *y) = (*x & 0xff, *y & 0xf),
            2 => *y &= 0xffff,
            _ => {}
        }
        if *y == 0 || *y == u64::MAX && *x == 1 << 63 {
            *y = 3;
        }
    }
    (a, b)
}

/// The low words of such pairs, made definable again.
fn words((a, b): (Vec<u64>, Vec<u64>)) -> (Vec<u32>, Vec<u32>) {
    let pairs = a.iter().zip(&b).map(|(&x, &y)| match (x as u32, y as u32) {
        (x, 0) => (x, 7),
        (0x8000_0000, u32::MAX) => (0x8000_0000, 2),
        pair => pair,
    });
    pairs.unzip()
}

fn s64_ops(x: i64, y: i64) -> [i64; 12] {
    let shift = (y & 63) as u32;
    [
        x.wrapping_add(y),
        x.wrapping_sub(y),
        x.wrapping_mul(y),
        x / y,
        x % y,
        x << shift,
        x >> shift,
        ((i128::from(x) * i128::from(y)) >> 64) as i64,
        x.min(y),
        x.max(y),
        x.wrapping_neg(),
        x.wrapping_abs(),
    ]
}

fn u64_ops(x: u64, y: u64) -> [u64; 9] {
    let high = ((u128::from(x) * u128::from(y)) >> 64) as u64;
    [x / y, x % y, high, x >> (y & 63), x & y, x | y, !x, u64::from(x > y), x.reverse_bits()]
}

fn clz_popc(x: u64) -> [i32; 4] {
    let first_set = if x == 0 { 0 } else { x.trailing_zeros() as i32 + 1 };
    [x.leading_zeros() as i32, x.count_ones() as i32, first_set, (x >> 32) as i32 ^ x as i32]
}

fn s32_divs(x: i32, y: i32) -> [u32; 8] {
    let (ux, uy) = (x as u32, y as u32);
    [(x / y) as u32, (x % y) as u32, ux / uy, ux % uy, (x / 7) as u32, (x % 10) as u32, (x / 8) as u32, ux / 1000]
}

fn small_ints(case: Case, rng: &mut Rng, n: usize) -> Case {
    let a: Vec<i8> = rng.edge_bytes(n).iter().map(|&b| b as i8).collect();
    let b = rng.edge_bytes(n);
    let c: Vec<i16> = rng.words(n).iter().map(|&w| w as i16).collect();
    let d: Vec<u16> = rng.words(n).iter().map(|&w| w as u16).collect();
    let wide = |i: usize| (i32::from(a[i]), i32::from(b[i]), i32::from(c[i]), i32::from(d[i]));
    let (mut o, mut p, mut q) = (vec![], vec![], vec![]);
    for (a, b, c, d) in (0..n).map(wide) {
        o.push(a * c + b - d);
        p.push(((a >> 2) - b) as i8);
        q.push((i32::from((c / (a | 1)) as i16) + (d >> 3)) as i16);
    }
    let case = case.read(&a).read(&b).read(&c).read(&d);
    case.write(&vec![0i32; n], &o).write(&vec![0i8; n], &p).write(&vec![0i16; n], &q)
}

#[test]
fn wide_products_and_counts() {
    assert_eq!(s64_ops(-1, 1)[7], -1);
    assert_eq!(u64_ops(u64::MAX, u64::MAX)[2], u64::MAX - 1);
    assert_eq!(clz_popc(0), [64, 0, 0, 0]);
    assert_eq!(clz_popc(1 << 40), [23, 1, 41, 256]);
    assert_eq!(s32_divs(-7, 2)[..2], [(-3i32) as u32, (-1i32) as u32]);
}
