//! The exec stage against a simulation: random control flow runs on a machine of one wave that knows only the ops the stage
//! emits, and each lane must walk the logical CFG as its own decisions say.

mod machine;
mod spec;

use crate::divergence::Rng;
use machine::{simulate, simulate_with};
use spec::{BlockSpec, End, build, random_meetings, random_spec, spec_of_ir};
use warp2wave::amd::{self, Target};
use warp2wave::exec::insert_masks;
use warp2wave::mir::{Block, Inst, InstKind, MirFunc, Reg, text, verify::verify};

fn targets() -> [Target; 3] {
    ["gfx1100", "gfx942", "gfx1200"].map(|t| Target::parse(t).unwrap())
}

#[test]
fn no_lane_is_lost_on_random_graphs() {
    let targets = targets();
    let mut ran = 0;
    for seed in 0..6000 {
        let spec = random_spec(&mut Rng::new(seed));
        let (steps, _) = simulate(&spec, seed, &targets[seed as usize % 3]).unwrap_or_else(|e| panic!("{e}\n{spec:?}"));
        ran += usize::from(steps > 0);
    }
    assert!(ran > 2000, "{ran}");
}

#[test]
fn no_lane_is_lost_where_the_analysis_says_what_is_uniform() {
    let targets = targets();
    let mut ran = 0;
    for seed in 0..3000 {
        let target = &targets[seed as usize % 3];
        let spec = spec_of_ir(seed, target.wave_lanes());
        let (steps, _) = simulate(&spec, seed, target).unwrap_or_else(|e| panic!("{e}\n{spec:?}"));
        ran += usize::from(steps > 0);
    }
    assert!(ran > 500, "{ran}");
}

#[test]
fn warps_meet_on_random_graphs() {
    let targets = targets();
    let mut ran = 0;
    for seed in 0..6000 {
        let target = &targets[seed as usize % 3];
        let spec = random_meetings(&mut Rng::new(seed), target.wave_lanes());
        let (steps, _) = simulate(&spec, seed, target).unwrap_or_else(|e| panic!("{e}\n{spec:?}"));
        ran += usize::from(steps > 0 && spec.iter().any(|s| matches!(s.end, End::Wait { .. })));
    }
    assert!(ran > 800, "{ran}");
}

/// Warp 0 waits for warp 1, which gathers and arrives, with or without yielding.
#[test]
fn one_warp_of_a_wave_waits_for_the_other() {
    let target = Target::parse("gfx942").unwrap();
    let meet = |resume: bool| {
        let spin = |end: End| BlockSpec { resume, ..plain(end) };
        let long: Vec<BlockSpec> = (6..12).map(|b| plain(End::Jump(b + 1))).collect();
        let mut spec = vec![
            plain(branch(1, 6)),
            plain(End::Jump(2)),
            spin(End::Gather { next: 3 }),
            plain(End::Arrive { next: 4 }),
            spin(End::Wait { next: 5 }),
            plain(End::Exit),
        ];
        spec.extend(long);
        spec.push(plain(End::Jump(2)));
        (0..40).map(|seed| simulate(&spec, seed, &target).map(|_| ())).collect::<Result<Vec<()>, String>>()
    };
    meet(true).unwrap();
    assert!(meet(false).unwrap_err().contains("no end"));
}

fn plain(end: End) -> BlockSpec {
    BlockSpec { end, empty: false, effect: false, scc: false, resume: false }
}

fn branch(then: usize, els: usize) -> End {
    End::Branch { uniform: false, then, els }
}

/// A lock that one lane at a time takes, and gives back behind the loop in which the others spin.
fn lock(yields: bool, target: &Target) -> Result<(), String> {
    let spin = BlockSpec { resume: yields, ..plain(branch(2, 1)) };
    let spec = [plain(End::Jump(1)), spin, plain(End::Jump(3)), plain(End::Exit)];
    let mut holder = None;
    let script = move |lane: usize, block: usize, decides: bool| {
        if block == 2 {
            assert_eq!(holder, Some(lane));
            holder = None;
        }
        if block == 1 && decides && holder.is_none() {
            holder = Some(lane);
            return 0;
        }
        1
    };
    simulate_with(&spec, 3, target, Some(Box::new(script)), |_| {}).map(|_| ())
}

#[test]
fn a_lane_that_holds_a_lock_runs_while_others_spin() {
    for target in targets() {
        lock(true, &target).unwrap();
        assert!(lock(false, &target).unwrap_err().contains("no end"));
    }
}

#[test]
fn two_spinning_loops_take_turns() {
    for target in targets() {
        // Odd lanes spin in bb2 until bb4 has run five times, then set a flag in bb3; even lanes count in bb4 until it is set.
        let spin = |end: End| BlockSpec { resume: true, ..plain(end) };
        let spec = [
            plain(branch(1, 4)),
            plain(End::Jump(2)),
            spin(branch(3, 2)),
            plain(End::Jump(5)),
            spin(branch(5, 4)),
            plain(End::Exit),
        ];
        for seed in 0..8 {
            two_loops(&spec, seed, &target);
        }
    }
}

fn two_loops(spec: &[BlockSpec], seed: u64, target: &Target) {
    let (mut count, mut flag) = (0, false);
    let script = move |lane: usize, block: usize, decides: bool| match (block, decides) {
        (0, true) => 1 - lane % 2,
        (2, true) => usize::from(count < 5),
        (3, false) => {
            flag = true;
            0
        }
        (4, true) => {
            count += 1;
            usize::from(!flag)
        }
        _ => 0,
    };
    // These seeds all start lanes of both kinds.
    simulate_with(spec, seed, target, Some(Box::new(script)), |_| {}).unwrap_or_else(|e| panic!("{e}"));
}

/// The code that a function gets, blocks as they stand in the layout.
fn listing(body: &str) -> String {
    let source = format!("func @f {{\n  %0: s1\n  %1: v1\n  %2: v2\n  %3: s1\n{body}}}\n");
    let target = Target::parse("gfx1100").unwrap();
    let mut func = text::parse(&source).unwrap_or_else(|d| panic!("{d:?}"));
    insert_masks(&mut func, &target);
    verify(&func, &target).unwrap();
    let code = text::print(&func);
    let lines = code.lines().skip(1).filter(|l| !l.starts_with("  %") && *l != "  linear" && *l != "}");
    let shown = lines.take_while(|l| !l.contains("unplaced"));
    shown.map(|l| l.split(" ->").next().unwrap_or(l).trim_end_matches(':').to_string() + "\n").collect()
}

const STORE: &str = "  global_store_b32 %2, %1, off\n";

/// As few scalar ops as llc 22 needs for the same shapes, or fewer: and_saveexec and a restore for `if`, one more for `else`
/// (llc: two), one for each divergent way out of a loop (llc: two).
#[test]
fn structured_code_is_what_one_would_write() {
    let store = |text: &str| text.replace("STORE\n", STORE);
    let check = |body: &str, expected: &str| assert_eq!(listing(&store(body)), store(expected), "{body}");
    check(
        "bb0 -> bb1, bb2:\n  branch_mask %0, bb1, bb2\nbb1 -> bb2:\nSTORE\n  jump bb2\nbb2:\nSTORE\n  exit\n",
        "bb0\nbb5\n  s_and_saveexec_b32 %6, %0\n  s_cbranch_execz bb4\nbb1\nSTORE\nbb4\n  s_mov_b32 exec_lo, %6\n\
         bb2\nSTORE\nbb3\n  s_endpgm\n",
    );
    check(
        "bb0 -> bb1, bb2:\n  branch_mask %0, bb1, bb2\nbb1 -> bb3:\nSTORE\n  jump bb3\nbb2 -> bb3:\nSTORE\n  jump bb3\n\
         bb3:\nSTORE\n  exit\n",
        "bb0\nbb7\n  s_and_saveexec_b32 %7, %0\n  s_xor_b32 %6, %7, exec_lo\n  s_cbranch_execz bb5\nbb1\nSTORE\n\
         bb5\n  s_mov_b32 exec_lo, %6\n  s_cbranch_execz bb6\nbb2\nSTORE\nbb6\n  s_mov_b32 exec_lo, %7\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
    // A loop that lanes leave in its middle and at its end.
    check(
        "bb0 -> bb1:\n  jump bb1\nbb1 -> bb2, bb3:\nSTORE\n  branch_mask %0, bb3, bb2\nbb2 -> bb1, bb3:\nSTORE\n\
         branch_mask %0, bb1, bb3\nbb3:\nSTORE\n  exit\n"
            .replace("bb2, bb3:\nSTORE", "bb3, bb2:\nSTORE")
            .as_str(),
        "bb0\nbb5\n  s_mov_b32 %6, exec_lo\nbb1\nSTORE\nbb7\n  s_and_not1_b32 exec_lo, exec_lo, %0\n  s_cbranch_execz bb6\n\
         bb2\nSTORE\nbb8\n  s_and_b32 exec_lo, exec_lo, %0\n  s_cbranch_execnz bb1\nbb6\n  s_mov_b32 exec_lo, %6\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
    // Lanes that are done at once, then a uniform loop.
    check(
        "bb0 -> bb2, bb1:\n  branch_mask %0, bb2, bb1\nbb1 -> bb1, bb2:\nSTORE\n  s_cmp_eq_u32 %3, 5\n  branch_scc bb1, bb2\n\
         bb2:\n  exit\n",
        "bb0\nbb4\n  s_and_not1_b32 exec_lo, exec_lo, %0\n  s_cbranch_execz bb3\nbb1\nSTORE\n  s_cmp_eq_u32 %3, 5\n\
         s_cbranch_scc1 bb1\nbb3\n  s_endpgm\n"
            .replace("\ns_cbranch", "\n  s_cbranch")
            .as_str(),
    );
    check(
        "bb0 -> bb1, bb2:\n  s_cmp_eq_u32 %3, 5\n  branch_scc bb1, bb2\nbb1 -> bb3:\nSTORE\n  jump bb3\nbb2 -> bb3:\nSTORE\n\
         jump bb3\nbb3:\nSTORE\n  exit\n",
        "bb0\n  s_cmp_eq_u32 %3, 5\n  s_cbranch_scc0 bb2\nbb1\nSTORE\n  s_branch bb3\nbb2\nSTORE\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
}

/// Many blocks: a long chain of ifs, nested loops, early exits and a wide switch, in time that grows with their number.
#[test]
fn thousands_of_blocks() {
    let target = Target::parse("gfx942").unwrap();
    let n = 9000;
    let spec: Vec<BlockSpec> = (0..n)
        .map(|b| {
            let next = (b + 1).min(n - 1);
            plain(match b {
                _ if b == n - 1 => End::Exit,
                // Early exits to one end, ifs, breaks out of a loop, and a switch over it all.
                _ if b == 5000 => End::Switch { uniform: false, targets: (5001..5600).collect() },
                _ if b % 7 == 3 => branch(next, n - 1),
                _ if b % 50 == 40 => branch(b - 30, next),
                _ if b % 3 == 0 => branch(next, (b + 2).min(n - 1)),
                _ => End::Jump(next),
            })
        })
        .collect();
    let (mut func, _) = build(&spec, &target);
    insert_masks(&mut func, &target);
    verify(&func, &target).unwrap();
}

#[test]
fn any_bytes_are_a_control_flow() {
    let mut rng = Rng::new(7);
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..rng.below(160)).map(|_| rng.next() as u8).collect();
        warp2wave::fuzz::control_flow(&bytes);
    }
}

/// Seeded faults: every write of EXEC matters, and the simulation tells when one is gone.
#[test]
fn no_write_of_exec_can_go() {
    let to = |targets: &[usize]| match *targets {
        [] => plain(End::Exit),
        [next] => plain(End::Jump(next)),
        [then, els] => plain(branch(then, els)),
        _ => panic!("{targets:?}"),
    };
    let graphs: [&[&[usize]]; 3] = [
        // If and else, a loop with two ways out, a loop in a branch.
        &[&[1, 2], &[3], &[3], &[]],
        &[&[1], &[2, 4], &[3, 4], &[1], &[]],
        &[&[1, 4], &[2], &[2, 3], &[4], &[]],
    ];
    let writes_exec = |inst: &Inst| match &inst.kind {
        InstKind::Op(op) => {
            op.op.flags.contains(amd::Flags::WRITES_EXEC)
                || op.defs.iter().any(|d| matches!(d, Reg::Phys(r) if r.file == amd::File::Exec))
        }
        _ => false,
    };
    for target in targets() {
        for graph in graphs {
            let spec: Vec<BlockSpec> = graph.iter().map(|targets| to(targets)).collect();
            let (_, func) = simulate(&spec, 1, &target).unwrap();
            let places: Vec<(Block, usize)> = func
                .layout
                .iter()
                .flat_map(|&b| (0..func.blocks[b].insts.len()).map(move |i| (b, i)))
                .filter(|&(b, i)| writes_exec(&func.blocks[b].insts[i]))
                .collect();
            assert!(places.len() > 2, "{target}: {places:?}");
            for (block, at) in places {
                let without = |func: &mut MirFunc| drop(func.blocks[block].insts.remove(at));
                let seen = (0..40).any(|seed| simulate_with(&spec, seed, &target, None, without).is_err());
                assert!(seen, "{target}: {block} {at} of {}", text::print(&func));
            }
        }
    }
}
