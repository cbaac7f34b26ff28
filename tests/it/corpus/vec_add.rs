//! Triton's `vec_add`: predicated vector loads and stores, 1024 elements a program.

use super::case::{Case, Ptx};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    // Triton compiled for sizes divisible by 16.
    for (n, grid) in [(0, 1), (16, 1), (528, 1), (1024, 1), (1600, 2), (2048, 3)] {
        let rng = &mut Rng::of("vec_add");
        let (x, y, old) = (rng.edge_floats(n.max(16)), rng.edge_floats(n.max(16)), rng.floats(n.max(16)));
        let after = (0..old.len()).map(|i| if i < n { x[i] + y[i] } else { old[i] }).collect();
        let case = Case::new("vec_add", grid, 128).note(format!("n {n}")).read(&x).read(&y).write_floats(&old, after);
        // Two pointers to scratch memory that this kernel does not use.
        cases.push(case.val(n as i32).val(0u64).val(0u64));
    }
    cases
}
