//! `06_dp4a.cu`: four- and two-way dot products of bytes and halves.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

/// Byte `k` of a word.
fn byte(word: u32, k: usize) -> u8 {
    word.to_le_bytes()[k]
}

fn dot_s8(a: u32, b: u32) -> i32 {
    (0..4).map(|k| i32::from(byte(a, k) as i8) * i32::from(byte(b, k) as i8)).sum()
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("dp4a");
        let (a, b, acc) = (rng.words(len), rng.words(len), rng.words(len));
        let mut simple = |kernel, item: &dyn Fn(u32, u32) -> u32| {
            let after: Vec<u32> =
                (0..len).map(|i| if i < n { acc[i].wrapping_add(item(a[i], b[i])) } else { acc[i] }).collect();
            cases.push(shape.case(kernel).read(&a).read(&b).write(&acc, &after).val(n as i32));
        };
        simple("dp4a_s8", &|a, b| dot_s8(a, b) as u32);
        simple("dp4a_u8", &|a, b| (0..4).map(|k| u32::from(byte(a, k)) * u32::from(byte(b, k))).sum());
        simple("dp4a_mixed", &|a, b| {
            (0..4).map(|k| i32::from(byte(a, k)) * i32::from(byte(b, k) as i8)).sum::<i32>() as u32
        });
        // Low half: bytes 0 and 1 of b; high half: bytes 2 and 3.
        simple("dp2a_lo_hi", &|a, b| {
            let half = [a as u16 as i16, (a >> 16) as u16 as i16].map(i32::from);
            (0..4).map(|k| half[k & 1] * i32::from(byte(b, k) as i8)).sum::<i32>() as u32
        });

        let (q4, q8) = (rng.words(4 * len), rng.words(8 * len));
        let (d4, d8, before) = (rng.floats(len), rng.floats(len), rng.floats(len));
        let mut after = before.clone();
        for i in 0..n {
            let mut sum = 0i32;
            for k in 0..4 {
                let v = q4[4 * i + k];
                sum = sum.wrapping_add(dot_s8(v & 0x0f0f_0f0f, q8[8 * i + k]));
                sum = sum.wrapping_add(dot_s8(v >> 4 & 0x0f0f_0f0f, q8[8 * i + 4 + k]));
            }
            after[i] = d4[i] * d8[i] * sum as f32;
        }
        let case = shape.case("dot_q4_q8").read(&q4).read(&q8).read(&d4).read(&d8);
        cases.push(case.write_floats(&before, after).val(n as i32));
    }
    // One warp for each row: all rows, and fewer than warps.
    for (block, rows, k16) in [(32, 1, 5), (64, 2, 40), (96, 2, 33), (128, 3, 70)] {
        let rng = &mut Rng::of("gemv");
        let (w, x) = (rng.words(4 * rows * k16), rng.words(4 * k16));
        let before = rng.floats(4);
        let mut after = before.clone();
        for (row, y) in after.iter_mut().enumerate().take(rows) {
            let sum = (0..4 * k16).fold(0i32, |sum, k| sum.wrapping_add(dot_s8(w[4 * row * k16 + k], x[k])));
            *y = sum as f32 * 0.125;
        }
        let case = Case::new("gemv_s8", 1, block).note(format!("{rows} x {k16}")).read(&w).read(&x);
        cases.push(case.write_floats(&before, after).val(0.125f32).val(k16 as i32).val(rows as i32));
    }
    cases
}

#[test]
fn dot_products_of_known_words() {
    assert_eq!(dot_s8(0x0403_0201, 0x0101_0101), 10);
    assert_eq!(dot_s8(0x8080_8080, 0x8080_8080), 65536);
    assert_eq!(dot_s8(0xff00_0000, 0x0200_0000), -2);
}
