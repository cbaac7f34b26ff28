//! The covers of constant lane maps: every map that `shfl` with constant operands makes, on every family.

use super::TARGETS;
use std::collections::BTreeSet;
use warp2wave::Options;
use warp2wave::amd::Target;
use warp2wave::ir::lanemap::{LaneMap, ShuffleMode};
use warp2wave::isel::lane_plan;
use warp2wave::pipeline::{Stage, text_of};

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

/// A sum over the warp by butterflies: the steps within rows are one vector op each, taken in by the addition.
#[test]
fn sums_take_their_moves_in() {
    let body = "mov.b32 %f1, %in;
shfl.sync.bfly.b32 %r10, %in, 8, 31, -1;
mov.b32 %f2, %r10;
add.f32 %f1, %f1, %f2;
mov.b32 %r11, %f1;
shfl.sync.bfly.b32 %r10, %r11, 2, 31, -1;
mov.b32 %f2, %r10;
add.f32 %f1, %f2, %f1;
mov.b32 %r11, %f1;
shfl.sync.bfly.b32 %r10, %r11, 1, 31, -1;
sub.u32 %r12, %r11, %r10;
st.global.u32 [%at], %r12;";
    let source = super::kernel(1, body);
    for target in TARGETS {
        let options = Options::new(Target::parse(target).unwrap());
        let text = text_of(&source, &options, Stage::Assembly).unwrap();
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| l.contains("_dpp")).collect();
        let ops: Vec<&str> = lines.iter().filter_map(|l| l.split("_dpp").next()).collect();
        assert_eq!(ops.len(), 3, "{target}: {lines:?}");
        assert_eq!(ops[..2], ["v_add_f32"; 2], "{target}: {lines:?}");
        assert!(ops[2].starts_with("v_sub"), "{target}: {lines:?}");
        let input: Vec<u32> = (0..64).map(|n| (n as f32 + 0.5).to_bits()).collect();
        let got = super::run(target, &source, [64, 1, 1], 1, &input);
        let float = |bits: u32| f32::from_bits(bits);
        let first: Vec<f32> = (0..64).map(|i| float(input[i]) + float(input[i ^ 8])).collect();
        let second: Vec<u32> = (0..64).map(|i| (first[i ^ 2] + first[i]).to_bits()).collect();
        for thread in 0..64 {
            assert_eq!(got[thread], [second[thread].wrapping_sub(second[thread ^ 1])], "{target}, thread {thread}");
        }
    }
}
