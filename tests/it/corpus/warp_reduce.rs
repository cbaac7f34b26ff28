//! `18_warp_reduce.cu`: sums, maxima and minima of a warp or of a part of it.

use super::case::{Case, Ptx};
use super::rng::Rng;

/// Grids and blocks of whole warps.
pub const LAUNCHES: [(u32, u32); 4] = [(1, 32), (3, 64), (2, 96), (1, 1024)];

/// The value that each thread has after `__shfl_down_sync(.., d, width)`: its own at the end of a segment.
pub fn down<T: Copy>(values: &[T], d: usize, width: usize) -> Vec<T> {
    (0..values.len()).map(|i| values[if i % width + d < width { i + d } else { i }]).collect()
}

pub fn xor<T: Copy>(values: &[T], d: usize) -> Vec<T> {
    (0..values.len()).map(|i| values[i ^ d]).collect()
}

/// The first value of each segment when all have been added up, in the order of the source.
fn sums<T: Copy>(values: &[T], width: usize, add: impl Fn(T, T) -> T) -> Vec<T> {
    let mut sums = values.to_vec();
    let mut d = width / 2;
    while d > 0 {
        let other = down(&sums, d, width);
        sums = sums.iter().zip(other).map(|(&a, b)| add(a, b)).collect();
        d /= 2;
    }
    sums.into_iter().step_by(width).collect()
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let n = (grid * block) as usize;
        let rng = &mut Rng::of("warp_reduce");
        let (floats, words) = (rng.floats(n), rng.words(n));
        let ints: Vec<i32> = words.iter().map(|&w| w as i32).collect();
        let longs: Vec<i64> = rng.longs(n).into_iter().map(|w| w as i64).collect();
        let case = |kernel| Case::new(kernel, grid, block);
        let after = sums(&floats, 32, |a, b| a + b);
        cases.push(case("warp_sum_f32").read(&floats).write(&vec![0f32; after.len()], &after));
        let after = sums(&ints, 16, i32::wrapping_add);
        cases.push(case("warp_sum_i32_w16").read(&ints).write(&vec![0i32; after.len()], &after));
        let after = sums(&longs, 8, i64::wrapping_add);
        cases.push(case("warp_sum_i64_w8").read(&longs).write(&vec![0i64; after.len()], &after));

        let mut after = vec![];
        for warp in floats.chunks(32) {
            after.extend([warp.iter().copied().fold(f32::NEG_INFINITY, f32::max); 32]);
        }
        cases.push(case("warp_max_xor").read(&floats).write(&vec![0f32; n], &after));

        // Equal values: the lowest index wins.
        let mut few = floats.clone();
        (0..n).filter(|i| i % 3 == 0).for_each(|i| few[i] = -100.0 - (i / 64) as f32);
        let (mut least, mut at) = (vec![], vec![]);
        for (w, warp) in few.chunks(32).enumerate() {
            let best = (1..32).fold(0, |best, i| if warp[i] < warp[best] { i } else { best });
            least.push(warp[best]);
            at.push((32 * w + best) as i32);
        }
        let warps = n / 32;
        let case = case("warp_argmin").read(&few).write(&vec![0f32; warps], &least);
        cases.push(case.write(&vec![0i32; warps], &at));
    }
    cases
}

#[test]
fn segments_of_known_values() {
    assert_eq!(down(&[1, 2, 3, 4], 1, 2), [2, 2, 4, 4]);
    assert_eq!(sums(&[1, 2, 3, 4, 5, 6, 7, 8], 4, |a, b| a + b), [10, 26]);
    assert_eq!(xor(&[1, 2, 3, 4], 2), [3, 4, 1, 2]);
}
