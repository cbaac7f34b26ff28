//! `51_bignum.cu`: carry chains of 256 bits, a 128-bit product, Montgomery powers, wide accumulation.

use super::case::{Case, EXACT_SHAPES, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in EXACT_SHAPES {
        let n = shape.n;
        let rng = &mut Rng::of("bignum");

        let (a, b) = (carrying(rng, 8 * n), carrying(rng, 8 * n));
        let after: Vec<u32> = (0..n).flat_map(|i| sum(&a[8 * i..8 * i + 8], &b[8 * i..8 * i + 8])).collect();
        cases.push(shape.case("add256").read(&a).read(&b).write(&vec![0u32; 9 * n], &after));

        let (a, b) = (rng.longs(4 * n), rng.longs(4 * n));
        let after: Vec<u64> = (0..n).flat_map(|i| difference(&a[4 * i..4 * i + 4], &b[4 * i..4 * i + 4])).collect();
        cases.push(shape.case("sub256_u64").read(&a).read(&b).write(&vec![0u64; 5 * n], &after));

        let (a, b) = (carrying(rng, 4 * n), carrying(rng, 4 * n));
        let after: Vec<u32> = (0..n).flat_map(|i| product(&a[4 * i..4 * i + 4], &b[4 * i..4 * i + 4])).collect();
        cases.push(shape.case("mul128_mad").read(&a).read(&b).write(&vec![0u32; 8 * n], &after));

        for count in [0, 1, 21] {
            let (a, b) = (rng.words(n + count), rng.words(count.max(1)));
            let term = |i: usize, k: usize| u64::from(a[i + k]) * u64::from(b[k]);
            let total = |i| (0..count).fold(0u64, |sum, k| sum.wrapping_add(term(i, k)));
            let after: Vec<u64> = (0..n).map(total).collect();
            let a = if a.is_empty() { vec![0] } else { a };
            let case = shape.case("wide_acc").note(format!("{count} terms")).read(&a).read(&b);
            cases.push(case.write(&vec![0u64; n], &after).val(count as i32));
        }
    }
    // The largest prime below 2^64, and a small one.
    for (shape, modulus) in SHAPES.iter().flat_map(|shape| [(shape, 0xffff_ffff_ffff_ffc5), (shape, 1_000_003)]) {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("modpow");
        let exponents: Vec<u64> = (0..len).map(|i| if i % 7 == 0 { rng.u64() } else { rng.below(40).into() }).collect();
        let bases: Vec<u64> = rng.longs(len).iter().map(|x| x % modulus).collect();
        let forms: Vec<u64> = bases.iter().map(|&x| montgomery_form(x, modulus)).collect();
        let old = rng.longs(len);
        let after: Vec<u64> = (0..len)
            .map(|i| if i < n { montgomery_form(power(bases[i], exponents[i], modulus), modulus) } else { old[i] })
            .collect();
        let case = shape.case("modpow").note(modulus).read(&forms).read(&exponents).write(&old, &after);
        let case = case.val(modulus).val(inverse(modulus)).val(montgomery_form(1, modulus));
        cases.push(case.val(n as i32));
    }
    cases
}

/// Words of which half are all ones or zero, so that carries run far.
fn carrying(rng: &mut Rng, n: usize) -> Vec<u32> {
    (0..n).map(|_| [u32::MAX, 0, rng.u32(), rng.u32()][rng.below(4) as usize]).collect()
}

/// Eight words and the carry out of them.
fn sum(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0u64;
    let mut out = vec![];
    for (&x, &y) in a.iter().zip(b) {
        carry += u64::from(x) + u64::from(y);
        out.push(carry as u32);
        carry >>= 32;
    }
    out.push(carry as u32);
    out
}

/// Four words and 0 minus the borrow out of them.
fn difference(a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut borrow = 0i128;
    let mut out = vec![];
    for (&x, &y) in a.iter().zip(b) {
        borrow += i128::from(x) - i128::from(y);
        out.push(borrow as u64);
        borrow >>= 64;
    }
    out.push(borrow as u64);
    out
}

/// The schoolbook product of numbers in words.
fn product(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut out = vec![0u32; a.len() + b.len()];
    for (i, &x) in a.iter().enumerate() {
        let mut carry = 0u64;
        for (j, &y) in b.iter().enumerate() {
            carry += u64::from(x) * u64::from(y) + u64::from(out[i + j]);
            out[i + j] = carry as u32;
            carry >>= 32;
        }
        out[i + b.len()] = carry as u32;
    }
    out
}

/// x 2^64 modulo p.
fn montgomery_form(x: u64, p: u64) -> u64 {
    ((u128::from(x) << 64) % u128::from(p)) as u64
}

/// The inverse of an odd number modulo 2^64, by Newton's iteration: each step doubles the right bits.
fn inverse(p: u64) -> u64 {
    (0..6).fold(p, |x, _| x.wrapping_mul(2u64.wrapping_sub(p.wrapping_mul(x))))
}

fn power(base: u64, exponent: u64, p: u64) -> u64 {
    let times = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(p)) as u64;
    (0..64).rev().fold(1 % p, |r, bit| if exponent >> bit & 1 == 1 { times(times(r, r), base) } else { times(r, r) })
}

#[test]
fn arithmetic_of_known_numbers() {
    assert_eq!(sum(&[u32::MAX; 8], &[1, 0, 0, 0, 0, 0, 0, 0]), [0, 0, 0, 0, 0, 0, 0, 0, 1]);
    assert_eq!(difference(&[0; 4], &[1, 0, 0, 0]), [u64::MAX; 5]);
    assert_eq!(product(&[u32::MAX; 4], &[u32::MAX; 4]), [1, 0, 0, 0, u32::MAX - 1, u32::MAX, u32::MAX, u32::MAX]);
    assert_eq!(power(3, 1_000_002, 1_000_003), 1, "Fermat");
    assert_eq!(power(2, 10, 1_000_003), 1024);
    assert_eq!(inverse(0xffff_ffff_ffff_ffc5).wrapping_mul(0xffff_ffff_ffff_ffc5), 1);
}
