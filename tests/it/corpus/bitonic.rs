//! `21_bitonic_warp.cu`: sorts of 32 values, of 32 pairs, of a block.

use super::case::{Case, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let n = (grid * block) as usize;
        let rng = &mut Rng::of("bitonic");
        let words = rng.words(n);
        let mut after = words.clone();
        after.chunks_mut(32).for_each(|warp| warp.sort_unstable());
        cases.push(Case::new("bitonic_warp_u32", grid, block).write(&words, &after));

        // No two keys of a warp are equal, so that there is one order.
        let mut keys = rng.floats(n);
        keys.iter_mut().enumerate().for_each(|(i, key)| *key += 100.0 * (i * 7 % 32) as f32);
        let values: Vec<i32> = (0..n as i32).collect();
        let (mut sorted, mut along) = (vec![], vec![]);
        for warp in 0..n / 32 {
            let mut order: Vec<usize> = (32 * warp..32 * warp + 32).collect();
            order.sort_unstable_by(|&a, &b| keys[a].total_cmp(&keys[b]));
            sorted.extend(order.iter().map(|&i| keys[i]));
            along.extend(order.iter().map(|&i| values[i]));
        }
        cases.push(Case::new("bitonic_warp_kv", grid, block).write(&keys, &sorted).write(&values, &along));
    }
    for (grid, block) in [(1, 32), (2, 64), (1, 256)] {
        let rng = &mut Rng::of("bitonic block");
        let ints: Vec<i32> = rng.words((grid * block) as usize).into_iter().map(|w| w as i32).collect();
        let mut after = ints.clone();
        after.chunks_mut(block as usize).for_each(|block| block.sort_unstable());
        cases.push(Case::new("bitonic_block", grid, block).lds(4 * block).write(&ints, &after));
    }
    cases
}
