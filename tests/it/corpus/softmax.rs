//! `32_softmax.cu`: softmax of a warp's and of a block's row, attention of one query, activations. They approximate (`ex2.approx`), so the
//! judge is f64 arithmetic and a bound.

use super::case::{Case, Number, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

/// `ex2.approx` is within 2^-22.5, and its argument, a product with log2(e), within 2^-23 of at most 2^5: 2^-18 of the result. Sums and the
/// division add less than as much again.
const BOUND: f64 = 1.0 / (1 << 17) as f64;
/// f16 results are rounded once more, by 2^-11.
const HALF_BOUND: f64 = BOUND + 1.0 / (1 << 11) as f64;

fn softmax(row: &[f64]) -> Vec<f64> {
    let most = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let parts: Vec<f64> = row.iter().map(|x| (x - most).exp()).collect();
    let sum: f64 = parts.iter().sum();
    parts.iter().map(|p| p / sum).collect()
}

/// By its series, which is exact enough for |x| < 4.
pub fn erf(x: f64) -> f64 {
    let (mut term, mut sum) = (x, x);
    for n in 1..80 {
        term *= -x * x / n as f64;
        sum += term / (2 * n + 1) as f64;
    }
    sum * std::f64::consts::FRAC_2_SQRT_PI
}

/// The f16 with these bits, none of which is special.
pub fn half(bits: u16) -> f64 {
    let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
    let size =
        if exponent == 0 { fraction * 2f64.powi(-24) } else { (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15) };
    if bits >> 15 == 1 { -size } else { size }
}

pub fn cases(ptx: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let warps = (grid * block) as usize / 32;
        let rng = &mut Rng::of("softmax");
        let case = |kernel| Case::new(kernel, grid, block);
        for cols in [7usize, 32, 83] {
            // The last warp has no row.
            let rows = warps - (warps > 1) as usize;
            let x: Vec<f32> = (0..rows * cols).map(|_| rng.between(-9000, 9000) as f32 / 1024.0).collect();
            let mut after = vec![];
            for row in x.chunks(cols) {
                after.extend(softmax(&row.iter().map(|&v| f64::from(v)).collect::<Vec<_>>()));
            }
            let case = case("softmax_warp").note(format!("cols {cols}")).read(&x);
            let case = case.near(Number::F32, after, BOUND, 0.0);
            cases.push(case.val(cols as i32).val(rows as i32));
        }
        for cols in [5usize, 150] {
            let x: Vec<u16> =
                (0..grid as usize * cols).map(|_| rng.below(2) as u16 * 0x8000 + rng.below(0x4480) as u16).collect();
            let mut after = vec![];
            for row in x.chunks(cols) {
                after.extend(softmax(&row.iter().map(|&v| half(v)).collect::<Vec<_>>()));
            }
            let case = case("softmax_block_f16").note(format!("cols {cols}")).read(&x);
            // Below 2^-14 an f16 has steps of 2^-24.
            cases.push(case.near(Number::F16, after, HALF_BOUND, 2f64.powi(-25) * 1.01).val(cols as i32));
        }
        for len in [1usize, 9] {
            let mut floats =
                |n: usize| -> Vec<f32> { (0..n).map(|_| rng.between(-1000, 1000) as f32 / 512.0).collect() };
            let (q, k, v) = (floats(32 * warps), floats(32 * len), floats(32 * len));
            let scale = 0.25f32;
            let mut after = vec![];
            for q in q.chunks(32) {
                let score = |k: &[f32]| q.iter().zip(k).map(|(&q, &k)| f64::from(q * scale) * f64::from(k)).sum();
                let weights = softmax(&k.chunks(32).map(score).collect::<Vec<f64>>());
                after.extend((0..32).map(|lane| -> f64 {
                    weights.iter().zip(v.chunks(32)).map(|(w, v)| w * f64::from(v[lane])).sum()
                }));
            }
            let case = case("attn_row32").note(format!("len {len}")).read(&q).read(&k).read(&v);
            // Terms of either sign, of size 2, cancel.
            cases.push(case.near(Number::F32, after, BOUND, 4.0 * BOUND).val(len as i32).val(scale));
        }
    }
    for shape in super::case::SHAPES {
        let rng = &mut Rng::of("gelu");
        let x: Vec<f32> = (0..shape.len()).map(|_| rng.between(-4000, 4000) as f32 / 1024.0).collect();
        let each = |f: &dyn Fn(f64) -> f64| -> Vec<f64> {
            (0..shape.len()).map(|i| if i < shape.n { f(f64::from(x[i])) } else { 0.0 }).collect()
        };
        let tanh = each(&|v| 0.5 * v * (1.0 + (0.797_884_56 * (v + 0.044715 * v * v * v)).tanh()));
        let logistic = each(&|v| v / (1.0 + (-v).exp()));
        let with_erf = each(&|v| 0.5 * v * (1.0 + erf(v * std::f64::consts::FRAC_1_SQRT_2)));
        // 1 + tanh and 1 + erf cancel below zero.
        let tight = 8.0 * BOUND;
        // `tanh.approx` is outside.
        if !ptx.is("fastmath") {
            let case = shape.case("gelu_silu").read(&x).near(Number::F32, tanh, 0.0, tight);
            cases.push(case.near(Number::F32, logistic, BOUND, tight).val(shape.n as i32));
        }
        cases.push(shape.case("gelu_erf").read(&x).near(Number::F32, with_erf, 0.0, tight).val(shape.n as i32));
    }
    cases
}

#[test]
fn functions_of_known_values() {
    assert_eq!(softmax(&[3.0, 3.0]), [0.5, 0.5]);
    assert!((erf(1.0) - 0.842_700_792_949_714_9).abs() < 1e-14 && (erf(-3.0) + 0.999_977_909_503_001_4).abs() < 1e-12);
    assert_eq!([0x3c00, 0xc000, 1, 0x7bff].map(half), [1.0, -2.0, 2f64.powi(-24), 65504.0]);
}
