//! What no published pseudocode says: ops of gfx1250 alone, DPP, swizzles, MODE. Values are from the words of the manuals ("DPP",
//! "DS_SWIZZLE_B32", "S_ROUND_MODE", "V_PERMLANE16_B32") and the host's arithmetic.

use super::bed::{Bed, DEFS, Form, PLACES, Space, State, all, instruction};
use warp2wave::amd::lane::{AtomicOp, Sem};
use warp2wave::amd::{Dpp, Encoding, Inst, Mods, Op, Target, ops};

/// What an op of 64-bit integers computes of three sources.
type Host = fn(u64, u64, u64) -> u64;

const WIDE: [(Op, Host); 10] = [
    (ops::v_add_nc_u64, |a, b, _| a.wrapping_add(b)),
    (ops::v_sub_nc_u64, |a, b, _| a.wrapping_sub(b)),
    (ops::v_mul_u64, |a, b, _| a.wrapping_mul(b)),
    (ops::v_min_i64, |a, b, _| (a as i64).min(b as i64) as u64),
    (ops::v_max_i64, |a, b, _| (a as i64).max(b as i64) as u64),
    (ops::v_min_u64, |a, b, _| a.min(b)),
    (ops::v_max_u64, |a, b, _| a.max(b)),
    (ops::v_mad_nc_u64_u32, |a, b, c| (a as u32 as u64 * b as u32 as u64).wrapping_add(c)),
    (ops::v_mad_nc_i64_i32, |a, b, c| (a as i32 as i64 * b as i32 as i64).wrapping_add(c as i64) as u64),
    (ops::v_mad_u32, |a, b, c| (a as u32).wrapping_mul(b as u32).wrapping_add(c as u32) as u64),
];

/// Whether an op that no manual judges is judged elsewhere, or is refused.
pub fn judges(op: Op) -> bool {
    let mov = |op: Op| match op.sem {
        Sem::Lane(f) => Some(f as usize),
        _ => None,
    };
    WIDE.iter().any(|(wide, _)| *wide == op)
        // `tests/it/lane.rs` divides by them (errata 1).
        || [ops::v_div_scale_f32, ops::v_div_scale_f64].contains(&op)
        // Moves to and from AGPRs are moves.
        || op.name.starts_with("v_accvgpr_") && mov(op) == mov(ops::v_mov_b32)
        || matches!(op.sem, Sem::Atomic(kind) if matches!(kind.op, AtomicOp::AddF32 | AtomicOp::AddF64))
}

fn target(name: &str) -> Target {
    Target::parse(name).expect("a processor")
}

fn noise(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    *seed ^ *seed >> 31
}

fn run(target: &Target, inst: &Inst, space: Space, state: &State) -> State {
    let bed = Bed::new(target, inst, space, state.mode).unwrap_or_else(|e| panic!("{inst:?} on {target}: {e}"));
    bed.run(state, &|_, _| {}).unwrap_or_else(|e| panic!("{inst:?} on {target}: {e}")).0
}

#[test]
fn wide_integers_of_gfx1250() {
    let target = target("gfx1250");
    let edges = [0, 1, u64::MAX, 1 << 63, (1 << 63) - 1, u32::MAX as u64, 1 << 32, 0x8000_0000];
    let mut seed = 5;
    for (op, host) in WIDE {
        let mut state = State::new(&target);
        let mut expected = vec![];
        for lane in 0..32 {
            let mut pick = || {
                if noise(&mut seed).is_multiple_of(3) { edges[noise(&mut seed) as usize % 8] } else { noise(&mut seed) }
            };
            let sources = [pick(), pick(), pick()];
            for (&value, place) in sources.iter().zip(PLACES.vector) {
                state.vgprs[place as usize][lane] = value as u32;
                state.vgprs[place as usize + 1][lane] = (value >> 32) as u32;
            }
            expected.push(host(sources[0], sources[1], sources[2]));
        }
        let after = run(&target, &instruction(op, &target, Mods::default(), Form::default()), Space::None, &state);
        for (lane, &expected) in expected.iter().enumerate() {
            let high = if op.defs[0].bits == 64 { after.vgprs[DEFS[0] as usize + 1][lane] } else { 0 };
            let got = after.vgprs[DEFS[0] as usize][lane] as u64 | (high as u64) << 32;
            assert_eq!(got, expected, "{op:?}, lane {lane}");
        }
    }
}

/// The lane that a DPP control names for a lane, `None` outside its row or the wave.
type Control = fn(lane: u32, n: u32, lanes: u32) -> Option<u32>;

/// The same for one number and wave.
type From = Box<dyn Fn(u32) -> Option<u32>>;

/// Controls with the number in their low four bits, and what each says.
fn controls(gfx9: bool, new_broadcast: bool) -> Vec<(u32, std::ops::Range<u32>, Control)> {
    fn in_row(lane: u32, from: i64) -> Option<u32> {
        (from >= 0 && from as u32 / 16 == lane / 16).then_some(from as u32)
    }
    let mut list: Vec<(u32, std::ops::Range<u32>, Control)> = vec![
        (0x100, 1..16, |lane, n, _| in_row(lane, lane as i64 + n as i64)),
        (0x110, 1..16, |lane, n, _| in_row(lane, lane as i64 - n as i64)),
        (0x120, 1..16, |lane, n, _| Some(lane / 16 * 16 + (lane % 16 + 16 - n) % 16)),
        (0x140, 0..1, |lane, _, _| Some(lane / 16 * 16 + 15 - lane % 16)),
        (0x141, 0..1, |lane, _, _| Some(lane / 8 * 8 + 7 - lane % 8)),
    ];
    if gfx9 {
        list.push((0x130, 0..1, |lane, _, lanes| (lane + 1 < lanes).then_some(lane + 1)));
        list.push((0x134, 0..1, |lane, _, lanes| Some((lane + 1) % lanes)));
        list.push((0x138, 0..1, |lane, _, _| lane.checked_sub(1)));
        list.push((0x13c, 0..1, |lane, _, lanes| Some((lane + lanes - 1) % lanes)));
        // Lane 15 of a row to the next row; lane 31 to the upper half.
        list.push((0x142, 0..1, |lane, _, _| (lane >= 16).then(|| lane / 16 * 16 - 1)));
        list.push((0x143, 0..1, |lane, _, _| (lane >= 32).then_some(31)));
    }
    if !gfx9 || new_broadcast {
        list.push((0x150, 0..16, |lane, n, _| Some(lane / 16 * 16 + n)));
    }
    if !gfx9 {
        list.push((0x160, 0..16, |lane, n, _| Some(lane ^ n)));
    }
    list
}

#[test]
fn dpp_controls() {
    let mut seed = 9;
    for name in ["gfx906", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1201", "gfx1250"] {
        let target = target(name);
        let lanes = target.wave_lanes();
        let gfx9 = lanes == 64;
        let mut cases: Vec<(u32, From)> = vec![];
        for (base, numbers, control) in controls(gfx9, name != "gfx906") {
            cases.extend(numbers.map(|n| -> (u32, From) { (base + n, Box::new(move |lane| control(lane, n, lanes))) }));
        }
        for quad in [0x00, 0xe4, 0x1b, 0xb1, 0x4e, 0x93, 0xff, 0x6c] {
            cases.push((quad, Box::new(move |lane| Some(lane / 4 * 4 + (quad >> (2 * (lane % 4)) & 3)))));
        }
        for (ctrl, from) in cases {
            let exec = if noise(&mut seed).is_multiple_of(2) { all(&target) } else { noise(&mut seed) & all(&target) };
            let bits = noise(&mut seed);
            let dpp = Dpp {
                ctrl,
                row_mask: if bits & 1 == 0 { 15 } else { (bits >> 8 & 15) as u8 },
                bank_mask: if bits & 2 == 0 { 15 } else { (bits >> 12 & 15) as u8 },
                bound_ctrl: bits & 4 != 0,
                // GFX9 has none.
                fetch_inactive: bits & 8 != 0 && !gfx9,
            };
            let mods = Mods { encoding: Encoding::Dpp16, dpp: Some(dpp), ..Mods::default() };
            let inst = instruction(ops::v_mov_b32, &target, mods, Form::default());
            let mut state = State::new(&target);
            state.exec = exec;
            let (source, old) = (|lane: u32| 0x100 + lane, |lane: u32| 0x200 + lane);
            state.vgprs[PLACES.vector[0] as usize] = (0..lanes).map(source).collect();
            state.vgprs[DEFS[0] as usize] = (0..lanes).map(old).collect();
            let after = run(&target, &inst, Space::None, &state);
            for lane in 0..lanes {
                let enabled = exec >> lane & 1 == 1
                    && dpp.row_mask >> (lane / 16) & 1 == 1
                    && dpp.bank_mask >> (lane % 16 / 4) & 1 == 1;
                let value = match from(lane) {
                    Some(from) if exec >> from & 1 == 1 || dpp.fetch_inactive => Some(source(from)),
                    _ => dpp.bound_ctrl.then_some(0),
                };
                let expected = if enabled { value.unwrap_or(old(lane)) } else { old(lane) };
                let got = after.vgprs[DEFS[0] as usize][lane as usize];
                assert_eq!(got, expected, "{name}: {dpp:x?}, EXEC {exec:x}, lane {lane}");
            }
        }
    }
}

/// Bit-mask mode: lane = ((lane & and) | or) ^ xor within 32; quad mode, bit 15: two bits for each lane of four.
#[test]
fn swizzles() {
    let mut seed = 3;
    for name in ["gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"] {
        let target = target(name);
        let lanes = target.wave_lanes();
        for round in 0..24 {
            let bits = noise(&mut seed) as u32;
            let (and, or, xor) = (bits & 31, bits >> 5 & 31, bits >> 10 & 31);
            let quad = round % 3 == 0;
            let offset = if quad { 0x8000 | bits & 0xff } else { and | or << 5 | xor << 10 };
            let exec = if round % 2 == 0 { all(&target) } else { noise(&mut seed) & all(&target) };
            let mods = Mods { offset: offset as i32, ..Mods::default() };
            let mut state = State::new(&target);
            state.exec = exec;
            state.vgprs[PLACES.vector[0] as usize] = (0..lanes).map(|lane| 0x100 + lane).collect();
            let inst = instruction(ops::ds_swizzle_b32, &target, mods, Form::default());
            let after = run(&target, &inst, Space::None, &state);
            for lane in (0..lanes).filter(|lane| exec >> lane & 1 == 1) {
                let from = if quad {
                    lane / 4 * 4 + (bits >> (lane % 4 * 2) & 3)
                } else {
                    lane / 32 * 32 + (((lane % 32) & and | or) ^ xor)
                };
                let expected = if exec >> from & 1 == 1 { 0x100 + from } else { 0 };
                assert_eq!(after.vgprs[DEFS[0] as usize][lane as usize], expected, "{name}: {offset:#x}, lane {lane}");
            }
        }
    }
}

/// SIMM16[3:0] to MODE[3:0], and to MODE[7:4].
#[test]
fn mode_halves() {
    for name in ["gfx1030", "gfx1100", "gfx1201", "gfx1250"] {
        let target = target(name);
        for imm in 0..16 {
            for (op, expected) in
                [(ops::s_round_mode, 0x50 | imm as u32), (ops::s_denorm_mode, (imm as u32) << 4 | 0xa)]
            {
                let mut state = State::new(&target);
                state.mode = 0x5a | 1 << 8;
                let inst = instruction(op, &target, Mods::default(), Form { imm, ..Form::default() });
                assert_eq!(run(&target, &inst, Space::None, &state).mode & 0xff, expected, "{op:?} {imm} on {name}");
            }
        }
    }
}

/// Without "fetch inactive" (OP_SEL[0]) a lane whose source is switched off keeps its value, or gets zero with "bound
/// control" (OP_SEL[1]).
#[test]
fn permlane_of_inactive_lanes() {
    let mut seed = 4;
    for name in ["gfx1030", "gfx1100", "gfx1201"] {
        let target = target(name);
        for (op, row_flip) in [(ops::v_permlane16_b32, 0), (ops::v_permlanex16_b32, 16)] {
            for op_sel in 0..4u8 {
                let exec = noise(&mut seed) & all(&target);
                let select = noise(&mut seed);
                let mut state = State::new(&target);
                state.exec = exec;
                state.vgprs[PLACES.vector[0] as usize] = (0..32).map(|lane| 0x100 + lane).collect();
                state.vgprs[DEFS[0] as usize] = (0..32).map(|lane| 0x200 + lane).collect();
                state.sgprs[PLACES.scalar[1] as usize] = select as u32;
                state.sgprs[PLACES.scalar[2] as usize] = (select >> 32) as u32;
                let inst = instruction(op, &target, Mods { op_sel, ..Mods::default() }, Form::default());
                let after = run(&target, &inst, Space::None, &state);
                for lane in 0..32u32 {
                    let from = (lane ^ row_flip) / 16 * 16 + (select >> (lane % 16 * 4) & 15) as u32;
                    let expected = match (exec >> lane & 1 == 1, exec >> from & 1 == 1 || op_sel & 1 != 0) {
                        (true, true) => 0x100 + from,
                        (true, false) if op_sel & 2 != 0 => 0,
                        _ => 0x200 + lane,
                    };
                    assert_eq!(
                        after.vgprs[DEFS[0] as usize][lane as usize], expected,
                        "{op:?} on {name}, op_sel {op_sel}, lane {lane}"
                    );
                }
            }
        }
    }
}
