//! Kernels whose lanes wait for each other, run on the emulator. What must come out is worked out by hand from the PTX.

use warp2wave::amd::Target;
use warp2wave::run::{ArgValue, Launch, launch};
use warp2wave::{Options, translate};

const TARGETS: [&str; 5] = ["gfx1100", "gfx942", "gfx1030", "gfx1200", "gfx90a"];

fn run(kernel: &str, target: &str, grid: u32, block: u32, words: usize, more: &[ArgValue]) -> Vec<u32> {
    let source = include_str!("../../fixtures/run/control_flow.ptx");
    let target = Target::parse(target).unwrap();
    let object = translate(source, &Options::new(target)).unwrap_or_else(|d| panic!("{d:?}"));
    let mut args = vec![ArgValue::Buffer(vec![0; 4 * words])];
    args.extend_from_slice(more);
    let launched =
        Launch { kernel: kernel.into(), grid: [grid, 1, 1], block: [block, 1, 1], dynamic_lds_bytes: 0, args };
    let buffers = launch(object.bytes(), &launched).unwrap_or_else(|e| panic!("{kernel}: {e}"));
    buffers[0].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn lanes_at_different_barriers_meet() {
    for target in TARGETS {
        // Even threads read what their odd neighbours wrote (3 * tid), and the other way about (5 * tid).
        let expected: Vec<u32> =
            (0..100).map(|t| if t % 2 == 0 { 2000 + 3 * (t + 1) } else { 1000 + 5 * (t - 1) }).collect();
        assert_eq!(run("split_barrier", target, 1, 100, 100, &[]), expected, "{target}");
    }
}

#[test]
fn barriers_in_a_loop_without_the_threads_that_left() {
    for target in TARGETS {
        // 50 odd threads add 1, 50 even ones 100, in each of three rounds; 28 threads have left.
        let mut expected = vec![5050 * (1 + 2 + 3); 100];
        expected.resize(128, 0);
        let n = ArgValue::Bytes(100u32.to_le_bytes().to_vec());
        assert_eq!(run("loop_barrier", target, 1, 128, 128, &[n]), expected, "{target}");
    }
}

#[test]
fn a_spin_lock_counts_every_thread() {
    for target in TARGETS {
        let mutex = ArgValue::Buffer(vec![0; 4]);
        assert_eq!(run("lock", target, 3, 70, 1, &[mutex]), [3 * 70 * 2], "{target}");
    }
}

#[test]
fn two_warps_of_a_wave_take_turns() {
    for target in TARGETS {
        let mut expected = vec![42; 32];
        expected.resize(64, 0);
        assert_eq!(run("handshake", target, 1, 64, 64, &[]), expected, "{target}");
    }
}

#[test]
fn a_counter_outlives_its_loop_for_each_lane() {
    for target in TARGETS {
        let expected: Vec<u32> = (0..96).map(|t| 3 * ((t & 13) + 1)).collect();
        assert_eq!(run("trips", target, 1, 96, 96, &[]), expected, "{target}");
    }
}
