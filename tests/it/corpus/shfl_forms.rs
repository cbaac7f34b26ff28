//! `20_shfl_forms.cu`: every form of `shfl`, by the rule of the PTX ISA.

use super::case::{Case, Ptx};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

#[derive(Copy, Clone)]
enum Mode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// The thread of the warp that `lane` reads from, and whether it is in range.
fn source(mode: Mode, lane: i32, b: i32, c: i32) -> (i32, bool) {
    let (b, clamp, segment) = (b & 31, c & 31, c >> 8 & 31);
    let limit = lane & segment | clamp & !segment;
    let (from, ok) = match mode {
        Mode::Up => (lane - b, lane - b >= limit),
        Mode::Down => (lane + b, lane + b <= limit),
        Mode::Bfly => (lane ^ b, lane ^ b <= limit),
        Mode::Idx => {
            let from = lane & segment | b & !segment;
            (from, from <= limit)
        }
    };
    (if ok { from } else { lane }, ok)
}

/// What `__shfl*_sync(.., b, width)` gives thread `i`.
fn intrinsic(mode: Mode, values: &[i32], i: usize, b: i32, width: i32) -> i32 {
    let clamp = if matches!(mode, Mode::Up) { 0 } else { 31 };
    let (from, _) = source(mode, i as i32 & 31, b, (32 - width) << 8 | clamp);
    values[i & !31 | from as usize]
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    use Mode::*;
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let n = (grid * block) as usize;
        let rng = &mut Rng::of("shfl_forms");
        let words = rng.words(n);
        let ints: Vec<i32> = words.iter().map(|&w| w as i32).collect();
        let (b, c) = (rng.words(n), rng.words(n));
        let (b, c): (Vec<i32>, Vec<i32>) = b.iter().zip(&c).map(|(&b, &c)| (b as i32, c as i32)).unzip();
        let members = vec![u32::MAX; n / 32];
        for (kernel, mode) in
            [("shfl_up_all", Up), ("shfl_down_all", Down), ("shfl_bfly_all", Bfly), ("shfl_idx_all", Idx)]
        {
            let mut after = vec![];
            for i in 0..n {
                let of = |b: i32, c: i32| {
                    let (from, ok) = source(mode, i as i32 & 31, b, c);
                    (words[i & !31 | from as usize], ok as u32)
                };
                let (first, second, third) = (of(1, 0x1f), of(b[i], c[i]), of(2, 0x181f));
                after.extend([first.0, second.0, third.0, second.1, third.1]);
            }
            let case = Case::new(kernel, grid, block).read(&words).read(&b).read(&c).read(&members);
            cases.push(case.write(&vec![0u32; 5 * n], &after));
        }
        let case = |kernel| Case::new(kernel, grid, block);
        let widths = [
            (Idx, 0, 32),
            (Idx, 3, 8),
            (Idx, 5, 16),
            (Up, 1, 8),
            (Up, 2, 16),
            (Up, 4, 32),
            (Down, 1, 8),
            (Down, 2, 16),
            (Down, 4, 32),
            (Bfly, 1, 8),
            (Bfly, 8, 16),
            (Bfly, 16, 32),
        ];
        let mut after = vec![];
        for i in 0..n {
            after.extend(widths.iter().map(|&(mode, b, width)| intrinsic(mode, &ints, i, b, width)));
        }
        cases.push(case("shfl_widths").read(&ints).write(&vec![0i32; 12 * n], &after));

        for width in [32, 16, 2, 1] {
            let after: Vec<i32> = (0..n).map(|i| intrinsic(Idx, &ints, i, b[i], width)).collect();
            let case = case("shfl_dynamic").note(format!("width {width}")).read(&ints).read(&b);
            cases.push(case.write(&vec![0i32; n], &after).val(width));
        }
        let rows: Vec<[u32; 4]> = words.iter().map(|&w| [w, w ^ 1, !w, w.rotate_left(9)]).collect();
        let after: Vec<[u32; 4]> = (0..n).map(|i| rows[i & !31 | (b[i] & 31) as usize]).collect();
        cases.push(case("shfl_gather").read(&rows).read(&b).write(&vec![[0u32; 4]; n], &after));

        let (doubles, longs) = (rng.longs(n), rng.longs(n));
        let swapped: Vec<u64> = (0..n).map(|i| doubles[i ^ 1]).collect();
        let moved: Vec<u64> = (0..n).map(|i| longs[if i % 32 + 3 < 32 { i + 3 } else { i }]).collect();
        let case_of_longs = case("shfl_wide_types").read(&doubles).read(&longs);
        cases.push(case_of_longs.write(&vec![0u64; n], &swapped).write(&vec![0u64; n], &moved));

        let after: Vec<i32> = (0..n)
            .map(|i| match i & 31 {
                lane @ 0..16 => ints[i & !31 | (lane ^ 1)],
                lane => ints[i & !31 | (16 + ((lane + 5) & 15))],
            })
            .collect();
        cases.push(case("shfl_partial_mask").read(&ints).write(&vec![0i32; n], &after));

        for limit in [i32::MIN, 0, i32::MAX] {
            let active = |i: &usize| ints[*i] < limit;
            let first = |i: usize| (i & !31..(i & !31) + 32).find(active).unwrap_or(i);
            let after: Vec<i32> = (0..n).map(|i| if active(&i) { ints[first(i)] } else { ints[i] }).collect();
            let case = case("shfl_active").note(format!("limit {limit}")).read(&ints);
            cases.push(case.write(&vec![0i32; n], &after).val(limit));
        }
        let mut after = vec![];
        for warp in words.chunks(32) {
            after.extend((0..32).map(|bit| (0..32).fold(0, |row, k| row | (warp[k] >> bit & 1) << k)));
        }
        cases.push(case("warp_bit_transpose").read(&words).write(&vec![0u32; n], &after));
        let next = |i: usize| words[if i % 32 == 31 { i } else { i + 1 }];
        let after: Vec<u32> = (0..n).map(|i| words[i] >> 8 | next(i) << 24).collect();
        cases.push(case("lane_rotate_bytes").read(&words).write(&vec![0u32; n], &after));
    }
    cases
}

#[test]
fn sources_of_known_threads() {
    assert_eq!(source(Mode::Down, 28, 4, 0x1f), (28, false));
    assert_eq!(source(Mode::Up, 4, 4, 0), (0, true));
    assert_eq!(source(Mode::Idx, 13, 3, 0x181f), (11, true));
    assert_eq!(intrinsic(Mode::Bfly, &(0..32).collect::<Vec<i32>>(), 5, 1, 8), 4);
}
