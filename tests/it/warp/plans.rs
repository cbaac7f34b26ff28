//! The covers of constant lane maps: every map that `shfl` with constant operands makes, on every family.

use super::TARGETS;
use std::collections::BTreeSet;
use warp2wave::amd::Target;
use warp2wave::ir::lanemap::{LaneMap, ShuffleMode};
use warp2wave::isel::lane_plan;

fn all_maps() -> Vec<LaneMap> {
    let mut seen = BTreeSet::new();
    for mode in [ShuffleMode::Up, ShuffleMode::Down, ShuffleMode::Bfly, ShuffleMode::Idx] {
        for b in 0..32 {
            for c in 0..1024u32 {
                seen.insert(LaneMap::shuffle(mode, |_| b, c & 31 | (c >> 5) << 8).0);
            }
        }
    }
    seen.into_iter().collect()
}

#[test]
fn every_cover_is_the_map() {
    let maps = all_maps();
    assert!(maps.len() > 4000, "{}", maps.len());
    for target in ["gfx906", "gfx90a", "gfx1030", "gfx1100"] {
        let target = Target::parse(target).unwrap();
        let lanes = target.wave_lanes();
        let mut covered = 0;
        for map in &maps {
            let Some(plan) = lane_plan(map, &target) else { continue };
            covered += 1;
            let got = plan.lanes(lanes);
            let wanted: Vec<Option<u32>> =
                (0..lanes).map(|l| Some(l & !31 | map.source(l as u8 & 31) as u32)).collect();
            assert_eq!(got, wanted, "{target}: {plan:?} for {map:?}");
        }
        assert!(covered > 500, "{target}: {covered}");
    }
}

#[test]
fn butterflies_within_rows_are_one_move() {
    for target in TARGETS {
        let target = Target::parse(target).unwrap();
        let gfx9 = target.wave_lanes() == 64;
        for step in [1, 2, 3, 4, 8, 15, 16] {
            let (map, _) = LaneMap::shuffle(ShuffleMode::Bfly, |_| step, 31);
            let plan = lane_plan(&map, &target).unwrap();
            let moves = match step {
                4 if gfx9 => 2,
                _ => 1,
            };
            assert_eq!(plan.steps.len(), moves, "{target}: bfly {step} by {plan:?}");
            assert_eq!(plan.only_dpp().is_some(), moves == 1 && step != 16, "{target}: bfly {step} by {plan:?}");
        }
    }
}
