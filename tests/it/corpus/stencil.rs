//! `25_stencil.cu`: averages, convolution, a heat step and the game of life, with halos and clamped borders.

use super::case::{Case, Ptx, SHAPES, to_bytes};
use super::rng::Rng;

/// Width, height, grid and block of the images.
const IMAGES: [(usize, usize, [u32; 3], [u32; 3]); 4] = [
    (1, 1, [1, 1, 1], [8, 4, 1]),
    (16, 16, [1, 1, 1], [16, 16, 1]),
    (37, 9, [3, 2, 1], [16, 8, 1]),
    (5, 30, [1, 4, 1], [32, 8, 1]),
];

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let rng = &mut Rng::of("stencil1d");
        let (n, input, old) = (shape.n, rng.edge_floats(shape.len()), rng.floats(shape.len()));
        let mut after = old.clone();
        for (i, out) in after.iter_mut().enumerate().take(n) {
            let window = (i as isize - 3..=i as isize + 3).map(|at| pixel(&input[..n], n, 1, at, 0));
            *out = window.fold(0.0, |sum, x| sum + x) * (1.0 / 7.0);
        }
        let case = shape.case("stencil1d_r3").lds(4 * (shape.block + 6)).read(&input);
        cases.push(case.write_floats(&old, after).val(n as i32));
    }
    for (w, h, grid, block) in IMAGES {
        let rng = &mut Rng::of("stencil2d");
        let note = format!("{w}x{h}");
        let sized = |case: Case| case.val(w as i32).val(h as i32);
        let image = rng.floats(w * h);
        let old = rng.floats(w * h);

        // The host program sets the weights; as the module stands they are zero.
        let weights = rng.floats(25);
        let bytes: Vec<String> = to_bytes(&weights).iter().map(|b| b.to_string()).collect();
        let case = Case::new_3d("conv2d_5x5", grid, block).note(&note).read(&image);
        let case = case.write_floats(&old, convolved(&image, w, h, &weights));
        cases.push(sized(case).edit("gk[100];", format!("gk[100] = {{{}}};", bytes.join(", "))));
        let case = Case::new_3d("conv2d_5x5", grid, block).note(&note).note("zero weights").read(&image);
        cases.push(sized(case.write_floats(&old, convolved(&image, w, h, &[0.0; 25]))));

        let grid16 = [w.div_ceil(16) as u32, h.div_ceil(16) as u32, 1];
        let case = Case::new_3d("heat2d", grid16, [16, 16, 1]).note(&note).read(&image);
        cases.push(sized(case.write_floats(&old, heated(&image, w, h, 0.1))).val(0.1f32));

        for top in [1, 3] {
            let cells: Vec<u8> = (0..w * h).map(|_| rng.below(top + 1) as u8).collect();
            let case = Case::new_3d("life", grid, block).note(&note).read(&cells);
            cases.push(sized(case.write(&vec![9u8; w * h], &lived(&cells, w, h))));
        }
    }
    cases
}

/// A pixel, or zero outside the image.
fn pixel(image: &[f32], w: usize, h: usize, x: isize, y: isize) -> f32 {
    if (0..w as isize).contains(&x) && (0..h as isize).contains(&y) { image[y as usize * w + x as usize] } else { 0.0 }
}

/// 5 by 5 weights over an image whose border pixels repeat; each step is one fma, row by row.
fn convolved(image: &[f32], w: usize, h: usize, weights: &[f32]) -> Vec<f32> {
    let clamp = |at: usize, by: usize, size: usize| (at + by).saturating_sub(2).min(size - 1);
    let at = |x: usize, y: usize| {
        (0..25).fold(0.0, |sum, k| weights[k].mul_add(image[clamp(y, k / 5, h) * w + clamp(x, k % 5, w)], sum))
    };
    (0..w * h).map(|i| at(i % w, i / w)).collect()
}

/// u + k (left + right + up + down - 4 u): both products are fused with their sums.
fn heated(image: &[f32], w: usize, h: usize, k: f32) -> Vec<f32> {
    let at = |i: usize| {
        let (x, y) = ((i % w) as isize, (i / w) as isize);
        let near = |dx: isize, dy: isize| pixel(image, w, h, x + dx, y + dy);
        let sum = near(-1, 0) + near(1, 0) + near(0, -1) + near(0, 1);
        image[i].mul_add(-4.0, sum).mul_add(k, image[i])
    };
    (0..w * h).map(at).collect()
}

/// One generation on a torus. Cells hold any byte; neighbours are summed.
fn lived(cells: &[u8], w: usize, h: usize) -> Vec<u8> {
    let at = |i: usize| {
        let mut sum = 0;
        for (dx, dy) in [(-1, -1), (0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1), (1, 1)] {
            let x = ((i % w) as isize + dx).rem_euclid(w as isize) as usize;
            let y = ((i / w) as isize + dy).rem_euclid(h as isize) as usize;
            sum += u32::from(cells[y * w + x]);
        }
        u8::from(sum == 3 || sum == 2 && cells[i] != 0)
    };
    (0..w * h).map(at).collect()
}

#[test]
fn stencils_of_known_images() {
    // A blinker turns.
    let bar = |cells: [usize; 3]| (0..25).map(|i| u8::from(cells.contains(&i))).collect::<Vec<u8>>();
    assert_eq!(lived(&bar([11, 12, 13]), 5, 5), bar([7, 12, 17]));
    // A spike spreads.
    assert_eq!(heated(&[0.0, 0.0, 0.0, 0.0, 8.0, 0.0, 0.0, 0.0, 0.0], 3, 3, 0.125)[3..6], [1.0, 4.0, 1.0]);
    // The identity kernel is the identity; a box over a constant image counts.
    let image: Vec<f32> = (0..12).map(|i| i as f32).collect();
    let identity: Vec<f32> = (0..25).map(|k| if k == 12 { 1.0 } else { 0.0 }).collect();
    assert_eq!(convolved(&image, 4, 3, &identity), image);
    assert_eq!(convolved(&[2.0; 12], 4, 3, &[1.0; 25]), [50.0; 12]);
}
