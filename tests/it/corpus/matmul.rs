//! `24_matmul.cu`: f32 matrix products. The sums run over k in order, so the result is exact to the bit.

use super::case::{Case, Ptx};
use super::rng::Rng;

pub fn cases(ptx: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    let rng = &mut Rng::of("matmul");
    for (m, n, k, block) in [(1, 1, 1, [8, 4]), (5, 7, 3, [8, 8]), (9, 18, 33, [16, 4]), (4, 3, 0, [4, 4])] {
        let (a, b) = (rng.edge_floats((m * k).max(1)), rng.edge_floats((k * n).max(1)));
        let grid = [n.div_ceil(block[0]) as u32, m.div_ceil(block[1]) as u32, 1];
        let block = [block[0] as u32, block[1] as u32, 1];
        let after = product(&a, &b, [m, n, k], ptx.fuses());
        cases.push(plain("matmul_naive", grid, block, &a, &b, [m, n, k], after));
    }
    for (m, n, k) in [(16, 16, 16), (5, 17, 3), (20, 9, 33)] {
        let (a, b) = (rng.floats(m * k), rng.floats(k * n));
        let grid = [n.div_ceil(16) as u32, m.div_ceil(16) as u32, 1];
        // The source says fmaf. The tiles are filled up with zeros, which changes no sum but the sign of a zero.
        let after = product(&a, &b, [m, n, k], true);
        cases.push(plain("matmul_tiled", grid, [16, 16, 1], &a, &b, [m, n, k], after));
    }
    for (m, n, k, alpha, beta) in [(64, 64, 16, 1.0, 0.0), (128, 64, 32, 0.3, -1.7)] {
        cases.push(regtile(ptx, m, n, k, alpha, beta));
    }
    cases
}

fn plain(
    kernel: &'static str,
    grid: [u32; 3],
    block: [u32; 3],
    a: &[f32],
    b: &[f32],
    [m, n, k]: [usize; 3],
    after: Vec<f32>,
) -> Case {
    let case = Case::new_3d(kernel, grid, block).note(format!("m {m} n {n} k {k}")).read(a).read(b);
    case.write_floats(&vec![7.0; m * n], after).val(m as i32).val(n as i32).val(k as i32)
}

/// C = A B, row major, each sum from zero upwards in k; `fuses` says whether a step is one rounding or two.
fn product(a: &[f32], b: &[f32], [m, n, k]: [usize; 3], fuses: bool) -> Vec<f32> {
    let dot = |row: usize, column: usize| {
        (0..k).fold(0.0, |sum, i| {
            let (x, y): (f32, f32) = (a[row * k + i], b[i * n + column]);
            if fuses { x.mul_add(y, sum) } else { sum + x * y }
        })
    };
    (0..m * n).map(|at| dot(at / n, at % n)).collect()
}

/// Sizes are multiples of the 64 by 64 tile and of 16 in k.
fn regtile(ptx: &Ptx, m: usize, n: usize, k: usize, alpha: f32, beta: f32) -> Case {
    let rng = &mut Rng::of("regtile");
    let (a, b, before) = (rng.floats(m * k), rng.floats(k * n), rng.floats(m * n));
    let sums = product(&a, &b, [m, n, k], ptx.fuses());
    let after = (0..m * n).map(|at| scaled(ptx, at % 4, alpha * sums[at], sums[at], alpha, beta, before[at])).collect();
    let case = Case::new_3d("matmul_regtile", [n as u32 / 64, m as u32 / 64, 1], [128, 1, 1]);
    let case = case.note(format!("m {m} n {n} k {k}")).read(&a).read(&b).write_floats(&before, after);
    case.val(n as i32 / 4).val(k as i32 / 4).val(alpha).val(beta)
}

/// `alpha * sum + beta * c`. Either product may be the one that is rounded; which one is, the PTX at hand shows: NVVM 7
/// (nvcc below sm_100, NVRTC) rounds `beta * c` in the first component of a float4 and `alpha * sum` in the others.
fn scaled(ptx: &Ptx, component: usize, scaled_sum: f32, sum: f32, alpha: f32, beta: f32, c: f32) -> f32 {
    let newer = ptx.by("clang") || ptx.is("sm_100");
    if !ptx.fuses() {
        scaled_sum + beta * c
    } else if component == 0 && !newer {
        sum.mul_add(alpha, beta * c)
    } else {
        beta.mul_add(c, scaled_sum)
    }
}

#[test]
fn products_of_small_matrices() {
    let (a, b) = ([1.0, 2.0, 3.0, 4.0, 5.0, 6.0], [7.0, 8.0, 9.0, 10.0, 11.0, 12.0]);
    assert_eq!(product(&a, &b, [2, 2, 3], true), [58.0, 64.0, 139.0, 154.0]);
    // One rounding keeps what two lose: (1 + 2^-12)^2 - (1 + 2^-11) is 2^-24.
    let x = 1.0 + f32::EPSILON * 2048.0;
    let (a, b) = ([1.0, x], [-(1.0 + f32::EPSILON * 4096.0), x]);
    assert_eq!(product(&a, &b, [1, 1, 2], true), [5.9604645e-8]);
    assert_eq!(product(&a, &b, [1, 1, 2], false), [0.0]);
}
