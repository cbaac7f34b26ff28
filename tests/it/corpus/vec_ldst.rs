//! `42_vec_ldst.cu`: vector loads and stores, structures, cache hints, volatile accesses, narrow types.

use super::case::{Case, EXACT_SHAPES, Ptx, SHAPES, Want, to_bytes};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in EXACT_SHAPES {
        let n = shape.n;
        let rng = &mut Rng::of("vec_ldst");

        // struct { int a; uint8_t b, c; uint16_t d; }, 8 bytes.
        let records = rng.edge_bytes(8 * n);
        let after: Vec<i32> = records
            .chunks(8)
            .map(|r| {
                let a = i32::from_le_bytes([r[0], r[1], r[2], r[3]]);
                let (b, c, d) = (i32::from(r[4]), i32::from(r[5]), i32::from(u16::from_le_bytes([r[6], r[7]])));
                a.wrapping_add(b * c).wrapping_sub(d)
            })
            .collect();
        cases.push(shape.case("aos_record").read(&records).write(&vec![0i32; n], &after));

        // struct { char k; int v; } packed, 5 bytes.
        let records = rng.edge_bytes(5 * n);
        let after: Vec<i32> = records
            .chunks(5)
            .map(|r| i32::from_le_bytes([r[1], r[2], r[3], r[4]]).wrapping_add((r[0] as i8).into()))
            .collect();
        cases.push(shape.case("packed_record").read(&records).write(&vec![0i32; n], &after));

        let (a, b) = (rng.edge_floats(n + 5), rng.edge_floats(4 * n));
        let sum = |i: usize| a[i + 1..i + 6].iter().fold(a[i], |sum, x| sum + x) + b[4 * i + 1];
        let case = shape.case("cache_hints").read(&a).read(&b).write_floats(&vec![0.0; n], (0..n).map(sum).collect());
        cases.push(case.buffer(to_bytes(&vec![0f32; n + 3]), stored_by_neighbours(n)));

        // A NaN converts to 0, and what is too large to the nearest integer there is (PTX ISA, "cvt").
        let (a, pairs) = (rng.words(n), rng.edge_floats(2 * n));
        let after_a: Vec<u32> = (0..n as u32).collect();
        let after_pairs: Vec<f32> = (0..2 * n).map(|k| if k % 2 == 0 { (k / 2) as f32 } else { pairs[k] }).collect();
        let sums: Vec<i32> = (0..n).map(|i| (i as i32).wrapping_add(pairs[2 * i + 1] as i32)).collect();
        let case = shape.case("volatile_rw").write(&a, &after_a).write(&pairs, &after_pairs);
        cases.push(case.write(&vec![0i32; n], &sums));

        let (a, b) = (rng.edge_bytes(n), rng.edge_bytes(n));
        let halves = |words: Vec<u32>| words.iter().map(|&w| w as u16).collect::<Vec<u16>>();
        let (c, d) = (halves(rng.words(n)), halves(rng.words(n)));
        let sums: Vec<u8> = (0..n).map(|i| a[i].wrapping_add(b[i])).collect();
        let products: Vec<u16> = (0..n).map(|i| c[i].wrapping_mul(d[i])).collect();
        let case = shape.case("bytes_shorts").read(&a).read(&b).read(&c).read(&d);
        cases.push(case.write(&vec![0u8; n], &sums).write(&vec![0u16; n], &products));
    }
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("restrict_ro");
        let (a, b, old) = (rng.edge_floats(len), rng.edge_floats(4 * len), rng.floats(len));
        let mut after = old.clone();
        for i in 0..n {
            after[i] = b[4 * i + 2].mul_add(b[4 * i + 3], b[4 * i].mul_add(b[4 * i + 1], a[i]));
        }
        cases.push(shape.case("restrict_ro").read(&a).read(&b).write_floats(&old, after).val(n as i32));
    }
    cases
}

/// Thread i stores 1, 2, 3, 4 to elements i to i + 3, so neighbours race; any of their values may stay.
fn stored_by_neighbours(n: usize) -> Want {
    let writers = |at: usize| (0..4).filter(move |k| (*k..*k + n).contains(&at));
    Want::AnyOf((0..n + 3).map(|at| writers(at).map(|k| (k as f32 + 1.0).to_bits()).collect()).collect())
}

#[test]
fn racing_stores_have_the_right_candidates() {
    let Want::AnyOf(choices) = stored_by_neighbours(2) else { panic!("a race") };
    let values = |k: usize| choices[k].iter().map(|&bits| f32::from_bits(bits)).collect::<Vec<f32>>();
    assert_eq!((values(0), values(1), values(4)), (vec![1.0], vec![1.0, 2.0], vec![4.0]));
}
