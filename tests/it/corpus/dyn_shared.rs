//! `41_dyn_shared.cu`: dynamic shared memory beside static, generic pointers, vectors in shared memory.

use super::case::{Case, Ptx};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for block in [32, 64, 128] {
        // `s` has 32 elements: larger blocks write each several times, so the input repeats every 32.
        let pattern = Rng::of("dyn_static_mix").words(32);
        let a: Vec<u32> = (0..block).map(|t| pattern[t % 32]).collect();
        let after: Vec<u32> = (1..=block).map(|t| a[t % 32].wrapping_add(a[t % block].wrapping_mul(2))).collect();
        let case = Case::new("dyn_static_mix", 1, block as u32).lds(4 * block as u32);
        cases.push(case.read(&a).write(&vec![0u32; block], &after));
    }
    for (block, which) in [(4, 0), (64, 0), (5, 1), (64, 1), (33, 2), (64, 2), (64, -1)] {
        let g = Rng::of("generic_pointer").words(block);
        let after: Vec<u32> = (0..block)
            .map(|t| match which {
                0 | 1 => g[t & 3],
                _ => [1, 2, 3, t as u32][t & 3],
            })
            .collect();
        let case = Case::new("generic_pointer", 1, block as u32).note(format!("which {which}"));
        cases.push(case.read(&g).write(&vec![0u32; block], &after).val(which));
    }
    for (grid, block) in [(1, 4), (2, 32), (1, 100), (3, 64)] {
        let input = Rng::of("shared_vec").edge_floats(4 * (grid * block) as usize);
        let mut after = vec![];
        for part in input.chunks(4 * block as usize) {
            for t in 0..block as usize {
                let from = 4 * (t ^ 3);
                after.extend([part[from] + part[t], part[from + 1], part[from + 2], part[from + 3]]);
            }
        }
        let case = Case::new("shared_vec", grid, block).lds(16 * block).read(&input);
        cases.push(case.write_floats(&vec![0.0; input.len()], after));
    }
    cases
}
