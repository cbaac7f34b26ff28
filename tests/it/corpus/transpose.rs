//! `23_transpose.cu`: matrix transposes, directly and through shared memory. Bits move, nothing is computed.

use super::case::{Case, Ptx};
use super::rng::Rng;

/// Width and height; the grid covers them with tiles of 32 by 32.
const SIZES: [(usize, usize); 5] = [(32, 32), (1, 1), (33, 7), (40, 70), (64, 31)];

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (w, h) in SIZES {
        let rng = &mut Rng::of("transpose");
        let grid = [w.div_ceil(32) as u32, h.div_ceil(32) as u32, 1];
        let note = format!("{w}x{h}");

        let words: Vec<u32> = rng.edge_floats(w * h).iter().map(|x| x.to_bits()).collect();
        for kernel in ["transpose_naive", "transpose_shared"] {
            let case = Case::new_3d(kernel, grid, [32, 8, 1]).note(&note).read(&words);
            cases.push(case.write(&vec![0u32; w * h], &transposed(&words, w, h)).val(w as i32).val(h as i32));
        }
        let longs = rng.longs(w * h);
        for rows in [8, 3] {
            let case = Case::new_3d("transpose_swizzle_f64", grid, [32, rows, 1]).note(&note).read(&longs);
            cases.push(case.write(&vec![0u64; w * h], &transposed(&longs, w, h)).val(w as i32).val(h as i32));
        }
    }
    cases
}

fn transposed<T: Copy>(data: &[T], w: usize, h: usize) -> Vec<T> {
    (0..w).flat_map(|x| (0..h).map(move |y| data[y * w + x])).collect()
}

#[test]
fn transposing_swaps_row_and_column() {
    assert_eq!(transposed(&[1, 2, 3, 4, 5, 6], 3, 2), [1, 4, 2, 5, 3, 6]);
}
