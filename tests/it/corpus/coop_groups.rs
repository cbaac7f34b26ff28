//! `54_coop_groups.cu`: reductions and scans of cooperative groups, and one atomic for all threads that are there.

use super::case::{Case, Ptx, Want};
use super::rng::Rng;
use super::warp_reduce::LAUNCHES;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for (grid, block) in LAUNCHES {
        let len = (grid * block) as usize;
        let rng = &mut Rng::of("coop_groups");
        let ints: Vec<i32> = (0..len).map(|_| rng.between(-1000, 1000)).collect();
        for n in [len, len - 21] {
            let mut after = vec![];
            for tile in 0..len / 16 {
                let values = (16 * tile..16 * tile + 16).map(|i| if i < n { ints[i] } else { 0 });
                after.extend([values.clone().sum::<i32>(), values.max().unwrap_or(0)]);
            }
            let case = Case::new("tile_reduce", grid, block).note(format!("n {n}")).read(&ints);
            cases.push(case.write(&vec![0i32; after.len()], &after).val(n as i32));
        }
        let mut after = vec![];
        for warp in ints.chunks(32) {
            let any = warp.iter().any(|&v| v > 3) as i32;
            after.extend((0..32).map(|k| warp[..k].iter().sum::<i32>() + warp[5] + warp[k ^ 3] + any));
        }
        cases.push(Case::new("tile_scan", grid, block).read(&ints).write(&vec![0i32; len], &after));

        for n in [len, len - 21] {
            let kept: Vec<u32> = ints[..n].iter().filter(|&&v| v > 0).map(|&v| v as u32).collect();
            let count = kept.len() as i32;
            let place = |k: usize| match k < kept.len() {
                true if len == 32 => vec![kept[k]],
                true => kept.clone(),
                false => vec![0xeeee_eeee],
            };
            let case = Case::new("coalesced_inc", grid, block).note(format!("n {n}")).read(&ints);
            let case = case.write(&[0i32], &[count]);
            let case = case.buffer(vec![0xee; 4 * len], Want::AnyOf((0..len).map(place).collect()));
            cases.push(case.val(n as i32));
        }
    }
    cases
}
