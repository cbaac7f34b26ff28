//! `01_endian_swap.cu`: byte reversal of 16- to 128-bit values.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("endian_swap");

        let halves: Vec<u16> = rng.words(len).iter().map(|&w| w as u16).collect();
        let (before, after) = swapped(&halves, n, u16::swap_bytes);
        cases.push(shape.case("bswap16_shift").read(&halves).write(&before, &after).val(n as i32));

        let words = rng.words(len);
        for kernel in ["bswap32_shift", "bswap32_perm"] {
            let (before, after) = swapped(&words, n, u32::swap_bytes);
            cases.push(shape.case(kernel).read(&words).write(&before, &after).val(n as i32));
        }

        let longs = rng.longs(len);
        let (before, after) = swapped(&longs, n, u64::swap_bytes);
        cases.push(shape.case("bswap64_perm").read(&longs).write(&before, &after).val(n as i32));

        let quads: Vec<u128> = (0..len).map(|_| u128::from(rng.u64()) << 64 | u128::from(rng.u64())).collect();
        let (before, after) = swapped(&quads, n, u128::swap_bytes);
        cases.push(shape.case("bswap128_vec").read(&quads).write(&before, &after).val(n as i32));

        // One thread for each pair of bytes, so up to twice as many bytes as threads; an odd middle byte stays.
        for bytes in [2 * n, n] {
            let before = rng.bytes(bytes.max(1));
            let mut after = before.clone();
            after[..bytes].reverse();
            cases.push(shape.case("reverse_bytes_inplace").note(bytes).write(&before, &after).val(bytes as i32));
        }
    }
    cases
}

/// The output buffer before (filled with its index, reversed) and after: the first `n` are the inputs with `swap` applied.
fn swapped<T: Copy>(input: &[T], n: usize, swap: fn(T) -> T) -> (Vec<T>, Vec<T>) {
    let before: Vec<T> = input.iter().rev().copied().collect();
    let after = (0..input.len()).map(|i| if i < n { swap(input[i]) } else { before[i] }).collect();
    (before, after)
}

#[test]
fn a_swap_reverses_bytes_and_leaves_the_rest() {
    let (before, after) = swapped(&[0x0102_0304_u32, 5, 6], 2, u32::swap_bytes);
    assert_eq!((before, after), (vec![6, 5, 0x0102_0304], vec![0x0403_0201, 0x0500_0000, 0x0102_0304]));
}
