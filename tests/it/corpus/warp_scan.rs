//! `19_warp_scan.cu`: running sums over a warp, over eight threads, over segments, over a block.

use super::case::{Case, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

/// Running sums that start anew at every multiple of `width`.
fn running(values: &[i32], width: usize) -> Vec<i32> {
    let mut sum = 0i32;
    let step = |(i, v): (usize, &i32)| {
        sum = if i % width == 0 { *v } else { sum.wrapping_add(*v) };
        sum
    };
    values.iter().enumerate().map(step).collect()
}

/// Sums of segments of floats, in the order of the source: each thread takes in the sum of the one `d` below it while that is in its segment.
fn segments(values: &[f32], heads: &[i32]) -> Vec<f32> {
    let mut out = vec![];
    for (values, heads) in values.chunks(32).zip(heads.chunks(32)) {
        let first: Vec<usize> = (0..32).map(|i| (0..=i).rev().find(|&k| heads[k] != 0).unwrap_or(0)).collect();
        let mut sums = values.to_vec();
        for d in [1, 2, 4, 8, 16] {
            let before = sums.clone();
            (0..32).filter(|&i| i >= d && i - d >= first[i]).for_each(|i| sums[i] += before[i - d]);
        }
        out.extend(sums);
    }
    out
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let n = (grid * block) as usize;
        let rng = &mut Rng::of("warp_scan");
        let ints: Vec<i32> = rng.words(n).into_iter().map(|w| w as i32).collect();
        let floats = rng.floats(n);
        let zeros = vec![0i32; n];
        let case = |kernel| Case::new(kernel, grid, block);
        let after = running(&ints, 32);
        cases.push(case("warp_scan_incl").read(&ints).write(&zeros, &after));
        cases.push(case("warp_scan_pred").read(&ints).write(&zeros, &after));
        let after: Vec<i32> = running(&ints, 8).iter().zip(&ints).map(|(s, v)| s.wrapping_sub(*v)).collect();
        cases.push(case("warp_scan_excl_w8").read(&ints).write(&zeros, &after));
        let heads: Vec<i32> = (0..n).map(|_| (rng.below(5) == 0) as i32).collect();
        let after = segments(&floats, &heads);
        cases.push(case("warp_seg_scan").read(&floats).read(&heads).write(&vec![0f32; n], &after));

        // The last block ends early.
        let items = n - 5;
        let mut after = vec![-1i32; n];
        for (b, values) in ints[..items].chunks(block as usize).enumerate() {
            for (i, sum) in running(values, block as usize).into_iter().enumerate() {
                after[b * block as usize + i] = sum.wrapping_sub(values[i]);
            }
        }
        cases.push(case("block_scan").read(&ints).write(&vec![-1i32; n], &after).val(items as i32));
    }
    cases
}

#[test]
fn sums_of_known_values() {
    assert_eq!(running(&[1, 2, 3, 4], 2), [1, 3, 3, 7]);
    let mut heads = vec![0; 32];
    heads[3] = 1;
    assert_eq!(segments(&[1.0; 32], &heads)[..6], [1.0, 2.0, 3.0, 1.0, 2.0, 3.0]);
}
