//! `50_vote_match.cu`: votes, matches, barriers with numbers, acquire and release, address spaces.

use super::case::{Case, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let n = (grid * block) as usize;
        let rng = &mut Rng::of("votes");
        let mut ints: Vec<i32> = (0..n).map(|_| rng.between(-3, 5)).collect();
        // A warp whose threads agree.
        ints[n - 32..].fill(4);
        for members in [u32::MAX, 0x0000_ffff, 0x8000_0001] {
            // Threads that are not members vote as well, which the PTX ISA leaves open: their answers are not looked at.
            if members != u32::MAX {
                continue;
            }
            let mut after = vec![];
            for warp in ints.chunks(32) {
                let mask = |of: &dyn Fn(i32) -> bool| {
                    warp.iter().enumerate().filter(|(_, v)| of(**v)).fold(0u32, |mask, (k, _)| mask | 1 << k)
                };
                let all = warp.iter().all(|&v| v == warp[0]);
                for &v in warp {
                    let (any, every) = (warp.iter().any(|&v| v > 1), warp.iter().all(|&v| v > 2));
                    let same = if all { u32::MAX } else { 0 };
                    let last = u32::MAX.wrapping_add(all as u32);
                    after.extend([mask(&|v| v > 0), any as u32, every as u32, mask(&|w| w == v), same, last]);
                }
            }
            let case = Case::new("votes", grid, block).read(&ints);
            cases.push(case.write(&vec![0u32; 6 * n], &after).val(members));
        }
        let longs: Vec<u64> = (0..n).map(|_| u64::from(rng.below(3)) << 32 | u64::from(rng.below(2))).collect();
        let mut after = vec![];
        for warp in longs.chunks(32) {
            let mask = |of: u64| (0..32).filter(|&k| warp[k] == of).fold(0u32, |mask, k| mask | 1 << k);
            after.extend(warp.iter().map(|&v| mask(v)));
        }
        cases.push(Case::new("match64", grid, block).read(&longs).write(&vec![0u32; n], &after));
    }
    let ints: Vec<i32> = (0..64).map(|i| 3 * i - 50).collect();
    let mut after = vec![-1i32; 128];
    after[64..].copy_from_slice(&ints);
    cases.push(Case::new("named_barriers", 1, 128).read(&ints).write(&[-1i32; 128], &after));
    cases
}
