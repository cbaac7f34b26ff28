//! `33_layernorm.cu`: normalisation of a block's row; `rsqrt.approx` and orders of sums are why the judge is f64 arithmetic and a bound.

use super::case::{Case, Number, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

/// Sums of up to 150 terms, and a variance that is a difference of a few of its own size: 2^10 times the rounding of one operation.
const BOUND: f64 = 1.0 / (1 << 14) as f64;
/// bf16 results are rounded by 2^-8.
const BF16_BOUND: f64 = BOUND + 1.0 / (1 << 8) as f64;

const EPSILON: f32 = 1e-5;

fn bf16(bits: u16) -> f64 {
    f64::from(f32::from_bits(u32::from(bits) << 16))
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let rows = grid as usize;
        for c in [3usize, 32, 150] {
            let rng = &mut Rng::of("layernorm");
            let mut floats =
                |n: usize| -> Vec<f32> { (0..n).map(|_| rng.between(-1000, 1000) as f32 / 512.0).collect() };
            let (x, gain, bias) = (floats(rows * c), floats(c), floats(c));
            let mut after = vec![];
            for row in x.chunks(c) {
                let row: Vec<f64> = row.iter().map(|&v| f64::from(v)).collect();
                let mean = row.iter().sum::<f64>() / c as f64;
                let variance = row.iter().map(|v| v * v).sum::<f64>() / c as f64 - mean * mean;
                let scale = 1.0 / (variance + f64::from(EPSILON)).sqrt();
                after.extend((0..c).map(|i| (row[i] - mean) * scale * f64::from(gain[i]) + f64::from(bias[i])));
            }
            let case = |kernel| Case::new(kernel, grid, block).note(format!("c {c}"));
            let layer = case("layernorm_f32").read(&x).read(&gain).read(&bias);
            cases.push(layer.near(Number::F32, after, BOUND, 4.0 * BOUND).val(c as i32).val(EPSILON));

            let rounded = |x: &[f32]| -> Vec<u16> { x.iter().map(|v| (v.to_bits() >> 16) as u16).collect() };
            let (x, gain) = (rounded(&x), rounded(&gain));
            let mut after = vec![];
            for row in x.chunks(c) {
                let square = row.iter().map(|&v| bf16(v) * bf16(v)).sum::<f64>() / c as f64;
                let scale = 1.0 / (square + f64::from(EPSILON)).sqrt();
                after.extend((0..c).map(|i| bf16(row[i]) * scale * bf16(gain[i])));
            }
            let rms = case("rmsnorm_bf16").read(&x).read(&gain);
            cases.push(rms.near(Number::Bf16, after, BF16_BOUND, 0.0).val(c as i32).val(EPSILON));
        }
    }
    cases
}
