//! `37_control_flow.cu`: switches, irreducible loops, early returns, nested breaks, predicates.

use super::case::{Case, EXACT_SHAPES, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("control_flow");
        let n_arg = n as i32;
        let old: Vec<i32> = (0..len).map(|_| rng.between(-1000, 1000)).collect();
        let rows = |item: &dyn Fn(usize) -> i32| -> Vec<i32> {
            (0..len).map(|i| if i < n { item(i) } else { old[i] }).collect()
        };

        let ops: Vec<i32> = (0..len).map(|_| rng.between(-1, 12)).collect();
        let (a, b): (Vec<i32>, Vec<i32>) = (0..len).map(|_| operands(rng)).unzip();
        let after = rows(&|i| dense(ops[i], a[i], b[i]));
        cases.push(shape.case("switch_dense").read(&ops).read(&a).read(&b).write(&old, &after).val(n_arg));

        let ops: Vec<i32> = (0..len).map(|_| [1, 100, 1000, -5, 77, 0, 2][rng.below(7) as usize]).collect();
        let after = rows(&|i| sparse(ops[i], old[i]));
        cases.push(shape.case("switch_sparse_fallthrough").read(&ops).write(&old, &after).val(n_arg));

        let a: Vec<i32> = (0..len).map(|_| rng.between(-100, 100)).collect();
        let after = rows(&|i| irreducible(a[i]));
        cases.push(shape.case("irreducible").read(&a).write(&old, &after).val(n_arg));

        let a: Vec<i32> =
            (0..len).map(|i| if i % 3 == 0 { rng.between(0, 30).pow(2) } else { rng.between(-5, 400) }).collect();
        let after = rows(&|i| integer_root(a[i]).unwrap_or(old[i]));
        cases.push(shape.case("early_returns").read(&a).write(&old, &after).val(n_arg));

        // A zero never reaches 1 and stops after 10,000 steps: once, in the smallest launch.
        let a: Vec<u32> = (0..len).map(|_| if n == 1 { 0 } else { 1 + rng.below(300) }).collect();
        let after = rows(&|i| collatz(a[i]) as i32);
        cases.push(shape.case("collatz").read(&a).write(&old, &after).val(n_arg));
    }
    for (w, h, grid, block) in [(1, 1, 1, 32), (9, 20, 1, 32), (4, 70, 2, 40)] {
        let rng = &mut Rng::of("nested");
        let cells: Vec<i32> = (0..w * h)
            .map(|_| match rng.below(24) {
                0 => 0,
                1 => -99,
                2..=5 => -7,
                6 => 400_000,
                _ => rng.between(1, 50),
            })
            .collect();
        let after: Vec<i32> = (0..h).map(|i| nested(&cells, w, h, i)).collect();
        let case = Case::new("nested_break_continue", grid, block).note(format!("{w}x{h}")).read(&cells);
        cases.push(case.write(&vec![-1i32; h], &after).val(w as i32).val(h as i32));
    }
    for (grid, block) in [(1, 64), (2, 128), (1, 256)] {
        let rng = &mut Rng::of("diverge");
        // Of -4 and -2 the shift by ones has no end.
        let number = |x: i32| if (-4..0).contains(&x) { -5 } else { x };
        let a: Vec<i32> = (0..grid * block).map(|_| number(rng.between(-1000, 1000))).collect();
        let x: Vec<i32> = a.iter().map(|&x| diverged(x)).collect();
        let sums: Vec<i32> = (0..x.len()).map(|i| x[i] + x[i ^ 1]).collect();
        let after: Vec<i32> = (0..x.len()).map(|i| sums[i ^ 33]).collect();
        let case = Case::new("diverge_reconverge", grid, block).read(&a);
        cases.push(case.write(&vec![0i32; a.len()], &after));
    }
    for shape in EXACT_SHAPES {
        let rng = &mut Rng::of("bool_logic");
        let (mut a, b) = (rng.edge_floats(shape.n), rng.edge_floats(shape.n));
        for i in (0..shape.n).step_by(5) {
            a[i] = b[i];
        }
        let after: Vec<i32> = (0..shape.n).map(|i| logic(a[i], b[i])).collect();
        cases.push(shape.case("bool_logic").read(&a).read(&b).write(&vec![0i32; shape.n], &after));
    }
    cases
}

/// Two numbers whose sum, product and quotient are defined in C: small, or one of them zero or one.
fn operands(rng: &mut Rng) -> (i32, i32) {
    match rng.below(4) {
        0 => (rng.u32() as i32, 0),
        1 => (rng.u32() as i32 / 2, 1),
        _ => (rng.between(-30_000, 30_000), rng.between(-30_000, 30_000)),
    }
}

fn dense(op: i32, x: i32, y: i32) -> i32 {
    match op {
        0 => x + y,
        1 => x - y,
        2 => x * y,
        3 => x.checked_div(y).unwrap_or(0),
        4 => x & y,
        5 => x | y,
        6 => x ^ y,
        7 => x << (y & 31),
        8 => x >> (y & 31),
        9 => x.min(y),
        10 => x.max(y),
        11 => x.count_ones() as i32,
        _ => -1,
    }
}

fn sparse(op: i32, r: i32) -> i32 {
    match op {
        1 => ((r + 1) * 3) ^ 0x55,
        100 => (r * 3) ^ 0x55,
        1000 => r ^ 0x55,
        -5 => -r - 9,
        77 => r - 9,
        _ => 0,
    }
}

/// The cycle top -> mid -> top with a second entry at mid, as a machine of two states.
fn irreducible(start: i32) -> i32 {
    let (mut x, mut k, mut at_mid) = (start, 0, start & 1 != 0);
    loop {
        x = if at_mid { (x >> 1) ^ k } else { x * 3 + 1 };
        k += 1;
        if k > 40 || at_mid && x <= 3 && x & 2 == 0 {
            return x + k * 1000;
        }
        at_mid = !at_mid || x <= 3;
    }
}

/// -1 for a negative number, the root of a square, the number itself if no k below it reaches it, otherwise nothing.
fn integer_root(x: i32) -> Option<i32> {
    if x < 0 {
        return Some(-1);
    }
    match (0..x).find(|k| k * k >= x) {
        Some(k) if k * k == x => Some(k),
        Some(_) => None,
        None => Some(x),
    }
}

fn diverged(mut x: i32) -> i32 {
    match x & 7 {
        1 | 5 => {
            // The limit moves with x.
            let mut k = 0;
            while k < x & 15 {
                x += k;
                k += 1;
            }
        }
        3 | 7 => x *= 5,
        4 | 6 => {
            while x & 4 != 0 {
                x >>= 1;
            }
        }
        _ => {}
    }
    x
}

fn collatz(start: u32) -> u32 {
    let path = std::iter::successors(Some(u64::from(start)), |&x| {
        (x != 1).then(|| if x % 2 == 1 { 3 * x + 1 } else { x / 2 })
    });
    (path.take(10_001).count() - 1) as u32
}

/// The sum over rows of the parity of `i`: a row ends at 0, negatives are skipped, -99 ends everything.
fn nested(cells: &[i32], w: usize, h: usize, i: usize) -> i32 {
    let mut sum = 0;
    for row in (i % 2..h).step_by(2) {
        for &v in cells[row * w..(row + 1) * w].iter().take_while(|&&v| v != 0) {
            match v {
                -99 => return sum,
                v if v > 0 => sum += v,
                _ => {}
            }
        }
        if sum > 1_000_000 {
            break;
        }
    }
    sum
}

fn logic(x: f32, y: f32) -> i32 {
    let (p, q, r) = (x < y, !x.is_nan(), y > 1.0);
    let bits = [p && !q, p || r, p != r, if x <= y { q } else { r }, x.is_nan() || y.is_nan() || x < y];
    bits.iter().enumerate().map(|(k, &bit)| i32::from(bit) << k).sum()
}

#[test]
fn paths_through_small_programs() {
    assert_eq!([collatz(1), collatz(6), collatz(27), collatz(0)], [0, 8, 111, 10_000]);
    assert_eq!(
        [integer_root(-3), integer_root(0), integer_root(1), integer_root(2)],
        [Some(-1), Some(0), Some(1), Some(2)]
    );
    assert_eq!([integer_root(3), integer_root(49), integer_root(50)], [None, Some(7), None]);
    // 0: top gives 1, mid gives 0 ^ 1 = 1, neither > 3 nor bit 1: the end after two steps.
    assert_eq!(irreducible(0), 2001);
    // 7 enters at mid: 3 ^ 0 = 3, bit 1 leads to mid again: 1 ^ 1 = 0, the end.
    assert_eq!(irreducible(7), 2000);
    assert_eq!(nested(&[1, 2, 0, 9, 4, -7, 5, -99], 4, 2, 0), 3);
    assert_eq!(nested(&[1, 2, 0, 9, 4, -7, 5, -99], 4, 2, 1), 9);
    assert_eq!((logic(f32::NAN, 2.0), logic(0.5, 2.0), logic(1.0, 1.0)), (0b11110, 0b11010, 0b01000));
}
