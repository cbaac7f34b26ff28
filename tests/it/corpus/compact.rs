//! `22_compact.cu`: values picked by ballots, a partition of each block, votes of a warp and of a block.

use super::case::{Case, Ptx, Want};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

/// The picked values at the front of a buffer of `len` words. Of one warp they keep their order; each of several claims its place when it comes.
fn picked(values: Vec<u32>, len: usize, warps: usize, filler: u32) -> Want {
    let place = |k: usize| match k < values.len() {
        true if warps == 1 => vec![values[k]],
        true => values.clone(),
        false => vec![filler],
    };
    Want::AnyOf((0..len).map(place).collect())
}

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let len = (grid * block) as usize;
        let rng = &mut Rng::of("compact");
        for n in [len, len - 7] {
            let ints: Vec<i32> = (0..len).map(|_| rng.between(-50, 50)).collect();
            let kept: Vec<u32> = ints[..n].iter().filter(|&&v| v > 10).map(|&v| v as u32).collect();
            let count = kept.len() as u32;
            let case = |kernel| Case::new(kernel, grid, block).note(format!("n {n}"));
            let compact =
                case("compact_warp").read(&ints).buffer(vec![0xee; 4 * len], picked(kept, len, len / 32, 0xeeee_eeee));
            cases.push(compact.write(&[0u32], &[count]).val(n as i32).val(10i32));

            let floats: Vec<f32> = rng.floats(len).into_iter().map(|f| if f < 0.5 { 0.0 } else { f }).collect();
            let kept: Vec<u32> = floats[..n].iter().filter(|&&v| v != 0.0).map(|v| v.to_bits()).collect();
            let count = kept.len() as u32;
            let compact = case("compact_lanemask")
                .read(&floats)
                .buffer(vec![0xee; 4 * len], picked(kept, len, len / 32, 0xeeee_eeee));
            cases.push(compact.write(&[0u32], &[count]).val(n as i32));

            let (mut after, mut evens) = (vec![], vec![]);
            for (b, values) in ints.chunks(block as usize).enumerate() {
                let values = &values[..values.len().min(n.saturating_sub(b * block as usize))];
                let (odd, even): (Vec<i32>, Vec<i32>) = values.iter().partition(|v| *v & 1 == 1);
                evens.push((block as usize - odd.len()) as i32);
                after.extend(odd.iter().chain(&even));
            }
            after.resize(len, -1);
            let partition = case("partition_block").read(&ints).write(&vec![-1i32; len], &after);
            cases.push(partition.write(&vec![0i32; grid as usize], &evens).val(n as i32));
        }
        // A warp of positive values, a block that has a 7, a block with values of 100 and more.
        let mut ints: Vec<i32> = (0..len).map(|_| rng.between(-2, 6)).collect();
        ints[..32].iter_mut().for_each(|v| *v = v.abs() + 1);
        ints[len - 1] = 7;
        if grid > 1 {
            ints[block as usize + 3] = 100;
        }
        let mut after = vec![];
        for values in ints.chunks(block as usize) {
            let (seven, small) = (values.contains(&7), values.iter().all(|&v| v < 100));
            for warp in values.chunks(32) {
                let (any, all) = (warp.iter().any(|&v| v > 3), warp.iter().all(|&v| v > 0));
                let bits = any as i32 | (all as i32) << 1 | (seven as i32) << 2 | (small as i32) << 3;
                after.extend(vec![bits; warp.len()]);
            }
        }
        cases.push(Case::new("any_all", grid, block).read(&ints).write(&vec![0i32; len], &after));
    }
    cases
}
