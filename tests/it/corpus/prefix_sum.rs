//! `28_prefix_sum.cu`: scans in shared memory, and one over many blocks that look back at each other's sums.

use super::case::{Case, Ptx};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for grid in [1, 3] {
        let n = 512 * grid as usize;
        let rng = &mut Rng::of("prefix_sum");
        let ints: Vec<i32> = rng.words(n).into_iter().map(|w| w as i32).collect();
        let (mut after, mut sums) = (vec![], vec![]);
        for block in ints.chunks(512) {
            let mut sum = 0i32;
            for v in block {
                after.push(sum);
                sum = sum.wrapping_add(*v);
            }
            sums.push(sum);
        }
        cases.push(Case::new("scan_blelloch", grid, 256).write(&ints, &after).write(&vec![0i32; grid as usize], &sums));

        let added: Vec<i32> = ints.iter().enumerate().map(|(i, v)| v.wrapping_add(sums[i / 512])).collect();
        cases.push(Case::new("add_block_sums", grid, 256).write(&ints, &added).read(&sums));
    }
    for (grid, n) in [(1u32, 256usize), (3, 700)] {
        let words = Rng::of("lookback").words(n);
        let mut sum = 0u32;
        let after: Vec<u32> = words
            .iter()
            .map(|&w| {
                sum = sum.wrapping_add(w);
                sum
            })
            .collect();
        // Of each tile, in the end: the sum of everything up to its end.
        let state: Vec<u64> =
            (0..grid as usize).map(|t| 2 << 32 | u64::from(after[n.min(256 * t + 256) - 1])).collect();
        let case = Case::new("scan_lookback", grid, 256).note(format!("n {n}")).read(&words);
        let case = case.write(&vec![0u32; n], &after).write(&vec![0u64; state.len()], &state);
        cases.push(case.write(&[0u32], &[grid]).val(n as i32));
    }
    cases
}
