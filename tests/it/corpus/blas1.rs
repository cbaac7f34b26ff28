//! `31_blas1.cu`: vector sums and products, with and without flushing of subnormals.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(ptx: &Ptx) -> Vec<Case> {
    let fma = if ptx.is("ftz") { fma_ftz } else { f32::mul_add };
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("blas1");
        let n_arg = n as i32;

        // 2.5, a subnormal, infinity.
        for a in [2.5, f32::from_bits(0x0012_3456), f32::INFINITY] {
            let (x, y) = (rng.edge_floats(len), rng.edge_floats(len));
            let after = (0..len).map(|i| if i < n { fma(a, x[i], y[i]) } else { y[i] }).collect();
            cases.push(shape.case("saxpy").note(a).val(n_arg).val(a).read(&x).write_floats(&y, after));

            let (x, y) = (rng.edge_floats(4 * len), rng.edge_floats(4 * len));
            let after = (0..4 * len).map(|i| if i < 4 * n { fma(a, x[i], y[i]) } else { y[i] }).collect();
            cases.push(shape.case("saxpy_vec4").note(a).val(n_arg).val(a).read(&x).write_floats(&y, after));
        }

        let (a, b, old) = (rng.words(len), rng.words(len), rng.words(len));
        let after: Vec<u32> = (0..len).map(|i| if i < n { a[i].wrapping_add(b[i]) } else { old[i] }).collect();
        cases.push(shape.case("vec_add_i32").read(&a).read(&b).write(&old, &after).val(n_arg));

        let start = 0xffff_fff0_u32;
        let after: Vec<u32> = (0..len).map(|i| if i < n { start.wrapping_add(i as u32) } else { old[i] }).collect();
        cases.push(shape.case("fill_iota").write(&old, &after).val(start).val(n_arg));

        // Rows of 0 to 9 entries.
        let mut row_start = vec![0i32];
        for _ in 0..len {
            row_start.push(row_start[row_start.len() - 1] + rng.between(0, 9));
        }
        let count = row_start[len] as usize + 1;
        let columns: Vec<i32> = (0..count).map(|_| rng.between(0, 49)).collect();
        let (values, x, old) = (rng.edge_floats(count), rng.floats(50), rng.floats(len));
        let mut after = old.clone();
        for row in 0..n {
            let entries = row_start[row] as usize..row_start[row + 1] as usize;
            after[row] = entries.fold(0.0, |sum, k| fma(values[k], x[columns[k] as usize], sum));
        }
        let case = shape.case("spmv_csr").read(&row_start).read(&columns).read(&values).read(&x);
        cases.push(case.write_floats(&old, after).val(n_arg));
    }
    cases
}

/// `fma.rn.ftz.f32`: subnormal inputs and results are zeros of the same sign.
fn fma_ftz(a: f32, b: f32, c: f32) -> f32 {
    let flush = |x: f32| if x.is_subnormal() { 0f32.copysign(x) } else { x };
    flush(flush(a).mul_add(flush(b), flush(c)))
}

#[test]
fn flushing_keeps_the_sign() {
    let tiny = f32::from_bits(1);
    assert_eq!(fma_ftz(1.0, -tiny, -0.0).to_bits(), 0x8000_0000);
    assert_eq!(fma_ftz(f32::MIN_POSITIVE, 0.5, 0.0), 0.0);
    assert_eq!(fma_ftz(2.0, f32::MIN_POSITIVE, 0.0), 2.0 * f32::MIN_POSITIVE);
}
