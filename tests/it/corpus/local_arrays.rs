//! `39_local_arrays.cu`: arrays in local memory, indexed at run time.

use super::case::{Case, EXACT_SHAPES, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("local_arrays");
        let n_arg = n as i32;

        // Only the low five bits of an index count.
        let index: Vec<i32> = (0..8 * len).map(|_| rng.u32() as i32).collect();
        let (input, old) = (rng.edge_floats(len), rng.floats(len));
        let mut after = old.clone();
        for i in 0..n {
            let element = |k: usize| input[(i + k) % n] * k as f32;
            after[i] = (0..8).fold(0.0, |sum, k| sum + element((index[8 * i + k] & 31) as usize));
        }
        let case = shape.case("local_dynamic_index").read(&index).read(&input);
        cases.push(case.write_floats(&old, after).val(n_arg));

        for (what, tree) in trees(rng) {
            let keys: Vec<i32> = (0..len).map(|_| rng.between(-1, tree.len() as i32)).collect();
            let old: Vec<i32> = (0..len).map(|_| rng.u32() as i32).collect();
            let visits = visited(&tree);
            let hits = |key: i32| visits.iter().filter(|&&node| node == key).count() as i32;
            let after: Vec<i32> = (0..len).map(|i| if i < n { hits(keys[i]) } else { old[i] }).collect();
            let case = shape.case("local_stack_dfs").note(what).read(&tree).read(&keys);
            cases.push(case.write(&old, &after).val(n_arg));
        }
    }
    for (w, h, grid, block) in
        [(3, 3, [1, 1, 1], [8, 4, 1]), (2, 9, [1, 3, 1], [16, 4, 1]), (37, 9, [2, 2, 1], [32, 8, 1])]
    {
        let rng = &mut Rng::of("median");
        let (image, old) = (rng.edge_bytes(w * h), rng.bytes(w * h));
        let mut after = old.clone();
        for y in 1..h - 1 {
            for x in 1..w - 1 {
                let mut window: Vec<u8> = (0..9).map(|k| image[(y + k / 3 - 1) * w + x + k % 3 - 1]).collect();
                window.sort_unstable();
                after[y * w + x] = window[4];
            }
        }
        let case = Case::new_3d("median_insertion", grid, block).note(format!("{w}x{h}")).read(&image);
        cases.push(case.write(&old, &after).val(w as i32).val(h as i32));
    }
    for shape in EXACT_SHAPES {
        let rng = &mut Rng::of("alloca");
        let numbers: Vec<i32> = rng.words(shape.n).iter().map(|&w| w as i32).collect();
        let after: Vec<i32> = numbers.iter().map(|&v| digits_hash(v)).collect();
        cases.push(shape.case("alloca_like").read(&numbers).write(&vec![0i32; shape.n], &after));
    }
    cases
}

/// Trees as the children of each node: a heap of 21 nodes, and a comb that overflows the stack of 63.
fn trees(rng: &mut Rng) -> [(&'static str, Vec<[i32; 2]>); 2] {
    let heap = (0..21).map(|k| [2 * k + 1, 2 * k + 2].map(|child| if child < 21 { child } else { -1 })).collect();
    // Node 2k has the leaf 2k + 1 and the next tooth 2k + 2, in that order or the other.
    let mut comb: Vec<[i32; 2]> =
        (0..160).map(|k| if k % 2 == 0 && k < 158 { [k + 1, k + 2] } else { [-1, -1] }).collect();
    if rng.below(2) == 0 {
        comb[10].swap(0, 1);
    }
    [("heap", heap), ("comb", comb)]
}

/// The nodes met from node 0 on, depth first, with a stack that takes no child once it holds 63.
fn visited(tree: &[[i32; 2]]) -> Vec<i32> {
    let (mut stack, mut order) = (vec![0i32], vec![]);
    while let Some(node) = stack.pop() {
        order.push(node);
        for child in tree[node as usize] {
            if child >= 0 && stack.len() < 63 {
                stack.push(child);
            }
        }
    }
    order
}

/// The decimal digits of a number, hashed from the first on; a negative number has none.
fn digits_hash(v: i32) -> i32 {
    let text = if v < 0 { String::new() } else { v.to_string() };
    text.bytes().fold(0i32, |hash, digit| hash.wrapping_mul(31).wrapping_add(digit.into()))
}

#[test]
fn local_array_references() {
    assert_eq!((digits_hash(0), digits_hash(12), digits_hash(-5)), (48, 49 * 31 + 50, 0));
    let [(_, heap), (_, comb)] = trees(&mut Rng::of("trees"));
    let mut order = visited(&heap);
    assert_eq!(order[..3], [0, 2, 6]);
    order.sort_unstable();
    assert_eq!(order, (0..21).collect::<Vec<i32>>());
    assert!(visited(&comb).len() < 159, "the comb must overflow the stack");
}
