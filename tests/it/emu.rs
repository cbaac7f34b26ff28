//! The emulator on objects that clang compiled (`fixtures/emu/kernels.c`) or that are written by hand (gfx1250): results
//! against plain Rust, faults against what was done wrong.

use proptest::prelude::*;
use warp2wave::amd::Target;
use warp2wave::amd::lane::{Sem, Wave};
use warp2wave::emu::{Device, FaultKind, Options, Stats};
use warp2wave::run::{ArgValue, Launch, RunError, launch_with};

const TARGETS: [&str; 8] = ["gfx900", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"];

fn object(gfx: &str) -> Vec<u8> {
    let path = format!("{}/fixtures/emu/kernels.{gfx}.hsaco", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The targets whose object has the kernel.
fn targets(kernel: &str) -> Vec<&'static str> {
    let has = |gfx: &&str| warp2wave::object::read(&object(gfx)).unwrap().kernel(kernel).is_some();
    TARGETS.into_iter().filter(has).collect()
}

fn lanes(gfx: &str) -> u32 {
    Target::parse(gfx).unwrap().wave_lanes()
}

fn words(values: impl IntoIterator<Item = u32>) -> ArgValue {
    ArgValue::Buffer(values.into_iter().flat_map(u32::to_le_bytes).collect())
}

fn zeros(count: usize) -> ArgValue {
    words(std::iter::repeat_n(0, count))
}

fn scalar(value: u32) -> ArgValue {
    ArgValue::Bytes(value.to_le_bytes().to_vec())
}

fn as_words(buffer: &[u8]) -> Vec<u32> {
    buffer.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

fn try_run(
    gfx: &str,
    kernel: &str,
    grid: [u32; 3],
    block: [u32; 3],
    args: &[ArgValue],
    options: &Options,
) -> Result<(Vec<Vec<u8>>, Stats), RunError> {
    let launch = Launch { kernel: kernel.into(), grid, block, dynamic_lds_bytes: 0, args: args.to_vec() };
    launch_with(&object(gfx), &launch, options)
}

/// Runs under several interleavings, which must agree, and returns the buffers as dwords.
fn run(gfx: &str, kernel: &str, grid: [u32; 3], block: [u32; 3], args: &[ArgValue]) -> Vec<Vec<u32>> {
    let mut results = [1, 7, 100].map(|slice| {
        let options = Options { slice, ..Options::default() };
        let result = try_run(gfx, kernel, grid, block, args, &options);
        result.unwrap_or_else(|e| panic!("{gfx}: {e}")).0
    });
    assert!(results.iter().all(|r| *r == results[0]), "{gfx}: the interleaving changes the result");
    std::mem::take(&mut results[0]).iter().map(|b| as_words(b)).collect()
}

/// A simple generator for inputs.
fn noise(seed: u32, count: usize) -> Vec<u32> {
    let mut state = seed;
    let step = |_| {
        state = state.wrapping_mul(1664525).wrapping_add(1013904223);
        state ^ state >> 15
    };
    (0..count).map(step).collect()
}

#[test]
fn vector_add() {
    for gfx in targets("vector_add") {
        // 100 work-items leave the last wave partial; 250 elements the last work-group.
        let (a, b, n) = (noise(1, 300), noise(2, 300), 250);
        let args = [words(a.clone()), words(b.clone()), words(vec![9; 300]), scalar(n), scalar(100)];
        let out = run(gfx, "vector_add", [3, 1, 1], [100, 1, 1], &args);
        let expected: Vec<u32> = (0..300).map(|i| if i < 250 { a[i].wrapping_add(b[i]) } else { 9 }).collect();
        assert_eq!(out[2], expected, "{gfx}");
    }
}

#[test]
fn lds_reversal_with_barrier() {
    for gfx in targets("lds_reverse") {
        let data = noise(3, 512);
        let out = run(gfx, "lds_reverse", [2, 1, 1], [256, 1, 1], &[words(data.clone())]);
        let expected: Vec<u32> = data.chunks(256).flat_map(|c| c.iter().rev().copied()).collect();
        assert_eq!(out[0], expected, "{gfx}");
    }
}

#[test]
fn divergent_loop() {
    let steps = |mut n: u32| {
        let mut steps = 0;
        while n != 1 {
            n = if n % 2 == 1 { 3 * n + 1 } else { n / 2 };
            steps += 1;
        }
        steps
    };
    let expected: Vec<u32> = (1..=160).map(steps).collect();
    for gfx in targets("collatz") {
        let out = run(gfx, "collatz", [2, 1, 1], [80, 1, 1], &[zeros(160), scalar(80)]);
        assert_eq!(out[0], expected, "{gfx}");
    }
}

#[test]
fn atomics() {
    for gfx in targets("histogram") {
        let input: Vec<u32> = noise(4, 512).iter().map(|v| v & 0xfff).collect();
        let args = [words(input.clone()), zeros(17), zeros(512), zeros(2)];
        let options = Options::default();
        let (buffers, _) =
            try_run(gfx, "histogram", [2, 1, 1], [256, 1, 1], &args, &options).unwrap_or_else(|e| panic!("{e}"));
        let (total, tickets, wide) = (as_words(&buffers[1]), as_words(&buffers[2]), as_words(&buffers[3]));
        for (bin, &count) in total[..16].iter().enumerate() {
            assert_eq!(count as usize, input.iter().filter(|&&v| v & 15 == bin as u32).count(), "{gfx} bin {bin}");
        }
        assert_eq!(total[16], *input.iter().max().unwrap(), "{gfx}");
        // Every ticket is a maximum so far: zero or an input, and never above the final one.
        assert!(tickets.iter().all(|t| *t == 0 || input.contains(t)), "{gfx}");
        assert_eq!(tickets.iter().filter(|&&t| t == 0).count(), 1, "{gfx}: only the first finds nothing");
        assert_eq!(wide, [512, input.iter().sum()], "{gfx}");
    }
}

#[test]
fn lane_permutes() {
    for gfx in targets("neighbour") {
        let (lanes, value) = (lanes(gfx), 0x0101_0101);
        let out = run(gfx, "neighbour", [1, 1, 1], [256, 1, 1], &[zeros(768), scalar(value)]);
        for i in 0..256u32 {
            let (wave, lane) = (i / lanes * lanes, i % lanes);
            let own = |lane: u32| (wave + lane).wrapping_mul(value);
            assert_eq!(out[0][i as usize], own((lane + 1) % lanes), "{gfx} pull {i}");
            assert_eq!(out[0][256 + i as usize], own((lane + lanes - 1) % lanes), "{gfx} push {i}");
            // Odd lanes pull from the next odd lane, or from an even one, which is switched off and reads as zero.
            let expected = match i % 4 {
                1 => own((lane + 2) % lanes),
                3 => 0,
                _ => 0xdead,
            };
            assert_eq!(out[0][512 + i as usize], expected, "{gfx} divergent {i}");
        }
    }
}

#[test]
fn generic_addresses() {
    for gfx in targets("generic") {
        let mut data = noise(5, 192);
        let out = run(gfx, "generic", [1, 1, 1], [64, 1, 1], &[words(data.clone())]);
        let mut cells: Vec<u32> = (0..64).map(|i| i * 3).collect();
        let before = (data.clone(), cells.clone());
        for i in 0..64 {
            let v = if i % 2 == 1 { before.1[63 - i] } else { before.0[i] };
            if i % 2 == 1 {
                cells[63 - i] = v + 1000;
            } else {
                data[i] = v.wrapping_add(1000);
            }
            data[64 + i] = v;
        }
        data[128..].copy_from_slice(&cells);
        assert_eq!(out[0], data, "{gfx}");
    }
}

#[test]
fn module_variables() {
    for gfx in targets("variables") {
        let target = Target::parse(gfx).unwrap();
        let mut device = Device::new(&target).unwrap();
        let module = device.load(&object(gfx)).unwrap();
        let out = device.alloc("out", vec![0; 512]);
        let (counter, bytes) = module.variable("counter").unwrap();
        assert_eq!(bytes, 4);
        for launch in 1..=2 {
            let run = device.launch(&module, "variables", [1, 1, 1], [64, 1, 1], 0, &out.to_le_bytes());
            run.unwrap_or_else(|e| panic!("{gfx}: {e}"));
            let table = [3, 1, 4, 1, 5, 9, 2, 6];
            let expected: Vec<u32> = (0..64).map(|i| table[i % 8]).chain([1; 64]).collect();
            assert_eq!(as_words(&device.read(out, 512).unwrap()), expected, "{gfx}");
            // Variables keep their value from launch to launch.
            assert_eq!(as_words(&device.read(counter, 4).unwrap()), [7 + launch * (63 * 64 / 2)], "{gfx}");
        }
    }
}

#[test]
fn launch_geometry() {
    for gfx in targets("geometry") {
        let (grid, block) = ([3, 2, 2], [5, 3, 4]);
        let out = run(gfx, "geometry", grid, block, &[zeros(12 * 60 * 4)]);
        for (index, quad) in out[0].chunks(4).enumerate() {
            assert_eq!(quad, [index as u32 / 60, index as u32 % 60, 20203, 15], "{gfx} item {index}");
        }
    }
}

#[test]
fn waves_that_wait_for_each_other() {
    for gfx in targets("ping_pong") {
        let lanes = lanes(gfx);
        let out = run(gfx, "ping_pong", [1, 1, 1], [2 * lanes, 1, 1], &[zeros(2), scalar(lanes)]);
        assert_eq!(out[0], [43, 42], "{gfx}");
    }
}

#[test]
fn arithmetic() {
    for gfx in targets("arithmetic") {
        let raw = noise(6, 128);
        let a: Vec<u64> = raw.chunks(2).map(|p| p[0] as u64 | (p[1] as u64) << 32).collect();
        let f: Vec<f32> = noise(7, 64).iter().map(|&v| (v as i32 as f32) / 65536.0).collect();
        let args = [words(raw.clone()), zeros(384), words(f.iter().map(|v| v.to_bits())), zeros(192)];
        let out = run(gfx, "arithmetic", [1, 1, 1], [64, 1, 1], &args);
        let wide = |i: usize| out[1][2 * i] as u64 | (out[1][2 * i + 1] as u64) << 32;
        for i in 0..64 {
            let (x, y) = (a[i], a[63 - i]);
            assert_eq!(wide(i), x.wrapping_mul(y), "{gfx} {i}");
            assert_eq!(wide(64 + i), (x << i) ^ (y >> (i & 31)) ^ ((x as i64) >> 5) as u64, "{gfx} {i}");
            assert_eq!(wide(128 + i), if x > y { x.wrapping_sub(y) } else { x.wrapping_add(y) }, "{gfx} {i}");
            let g = |k: usize| f32::from_bits(out[3][k * 64 + i]);
            assert_eq!(g(0), f[i] * f[63 - i], "{gfx} {i}");
            assert_eq!(g(1), f[i].mul_add(f[i ^ 1], f[63 - i]), "{gfx} {i}");
            assert_eq!(g(2), i as f32 - f[i], "{gfx} {i}");
        }
    }
}

#[test]
fn scratch() {
    for gfx in targets("scratch") {
        let mut data = noise(8, 128);
        let steps = 40;
        let out = run(gfx, "scratch", [1, 1, 1], [64, 1, 1], &[words(data.clone()), scalar(steps)]);
        for i in 0..64u32 {
            let mut local: Vec<u32> = (0..64).map(|k| i * 64 + k).collect();
            for k in 0..steps {
                let j = data[k as usize & 15] & 63;
                local[j as usize] = local[(j + i) as usize & 63].wrapping_add(k);
            }
            data[64 + i as usize] = local.iter().fold(0u32, |sum, v| sum.wrapping_mul(31).wrapping_add(*v));
        }
        assert_eq!(out[0], data, "{gfx}");
    }
}

/// The kind of the fault, with everything located.
fn fault(gfx: &str, kernel: &str, block: [u32; 3], args: &[ArgValue], options: &Options) -> Box<warp2wave::emu::Fault> {
    match try_run(gfx, kernel, [1, 1, 1], block, args, options) {
        Err(RunError::Fault(fault)) => {
            assert_eq!(fault.kernel, kernel);
            assert!(fault.pc.is_some() && fault.instruction.is_some(), "{fault}");
            fault
        }
        other => panic!("{gfx}: {other:?}"),
    }
}

#[test]
fn out_of_bounds_is_reported_with_lane_and_address() {
    for gfx in targets("vector_add") {
        // The third buffer is one element short.
        let args = [zeros(64), zeros(64), zeros(63), scalar(64), scalar(64)];
        let fault = fault(gfx, "vector_add", [64, 1, 1], &args, &Options::default());
        assert!(
            matches!(&fault.kind, FaultKind::OutOfBounds { write: true, bytes: 4, near, .. }
            if near.starts_with("byte 252 of buffer 2")),
            "{fault}"
        );
        assert_eq!(fault.lane, Some(63 % lanes(gfx)), "{fault}");
    }
}

#[test]
fn private_memory_of_gfx1250() {
    let out = run("gfx1250", "private", [1, 1, 1], [64, 1, 1], &[zeros(64)]);
    assert_eq!(out[0], (0..64).map(|i| i * 256 + 7).collect::<Vec<u32>>());
}

#[test]
fn sources_of_a_store_in_flight_must_stay() {
    let fault = fault("gfx1250", "changed_in_flight", [32, 1, 1], &[zeros(32)], &Options::default());
    assert!(matches!(&fault.kind, FaultKind::MissingWait(what) if what.starts_with("v2 is overwritten")), "{fault}");
}

/// Every wait of `vector_add`, replaced by `s_nop`, is missed.
#[test]
fn missing_waits_are_reported() {
    const S_NOP: u32 = 0xbf80_0000;
    for gfx in targets("vector_add") {
        let target = Target::parse(gfx).unwrap();
        let bytes = object(gfx);
        let code_object = warp2wave::object::read(&bytes).unwrap();
        let kernel = code_object.kernel("vector_add").unwrap();
        let code = as_words(&code_object.image(kernel.entry_address, kernel.code_bytes).unwrap());
        let place = bytes.windows(code.len() * 4).position(|w| as_words(w) == code).unwrap();
        let (mut at, mut waits) = (0, 0);
        while at < code.len() {
            let Ok((inst, length, _)) = warp2wave::amd::decode_any(&code[at..], &target) else { break };
            if matches!(inst.op.sem, Sem::Wave(Wave::WaitCnt)) && inst.op.name != "s_wait_alu" {
                let mut patched = bytes.clone();
                patched[place + 4 * at..][..4].copy_from_slice(&S_NOP.to_le_bytes());
                let args = vec![zeros(64), zeros(64), zeros(64), scalar(64), scalar(64)];
                let launch =
                    Launch { kernel: "vector_add".into(), grid: [1; 3], block: [64, 1, 1], dynamic_lds_bytes: 0, args };
                match launch_with(&patched, &launch, &Options::default()) {
                    Err(RunError::Fault(fault)) if matches!(fault.kind, FaultKind::MissingWait(_)) => {}
                    other => panic!("{gfx} without the wait at {:#x}: {other:?}", 4 * at),
                }
                // It is the check that objects: without it the launch goes through.
                let unchecked = Options { check_waits: false, ..Options::default() };
                assert!(launch_with(&patched, &launch, &unchecked).is_ok(), "{gfx}");
                waits += 1;
            }
            at += length;
        }
        assert!(waits >= 2, "{gfx}: {waits} waits");
    }
}

#[test]
fn endless_loops_end() {
    let end = |options| fault("gfx1100", "ping_pong", [32, 1, 1], &[zeros(2), scalar(32)], &options).kind;
    assert_eq!(end(Options { step_limit: 1000, ..Options::default() }), FaultKind::StepLimit(1000));
    // A wave that waits for one that is not there does the same again and again.
    assert_eq!(end(Options::default()), FaultKind::Spinning);
}

#[test]
fn launches_that_do_not_fit_are_refused() {
    let options = Options::default();
    let refuse =
        |kernel: &str, block, args: &[ArgValue]| match try_run("gfx942", kernel, [1, 1, 1], block, args, &options) {
            Err(RunError::Launch(message)) => message,
            other => panic!("{other:?}"),
        };
    insta::assert_snapshot!(
        "refused_launches",
        [
            refuse("nothing", [64, 1, 1], &[]),
            refuse("collatz", [64, 1, 1], &[]),
            refuse("collatz", [64, 1, 1], &[scalar(1), zeros(1)]),
            refuse("collatz", [257, 1, 1], &[zeros(1), scalar(1)]),
            refuse("collatz", [0, 1, 1], &[zeros(1), scalar(1)]),
        ]
        .join("\n")
    );
}

/// `fixtures/emu/lanes.s`, result by result.
#[test]
fn lane_moves_by_hand() {
    for gfx in ["gfx942", "gfx1100"] {
        let lanes = lanes(gfx);
        let path = format!("{}/fixtures/emu/lanes.{gfx}.hsaco", env!("CARGO_MANIFEST_DIR"));
        let launch = Launch {
            kernel: "lanes".into(),
            grid: [1; 3],
            block: [lanes, 1, 1],
            dynamic_lds_bytes: 0,
            args: vec![zeros(10 * lanes as usize)],
        };
        let result = launch_with(&std::fs::read(path).unwrap(), &launch, &Options::default());
        let out = as_words(&result.unwrap_or_else(|e| panic!("{gfx}: {e}")).0[0]);
        // What result n should be, from the lane.
        let own = |lane: u32| 3 * lane;
        let active = if lanes == 64 { 0xf_ffff_fff0u64 } else { 0x0fff_fff0 };
        let expected: [Box<dyn Fn(u32) -> u32>; 10] = [
            Box::new(|l| if l % 16 == 15 { 0x77 } else { own(l + 1) }),
            Box::new(|l| if l % 16 < 2 { 0 } else { own(l - 2) }),
            Box::new(|l| if l / 16 == 1 { own(16 + (l + 11) % 16) } else { 0x77 }),
            Box::new(|l| if l / 4 % 2 == 0 { own(l / 4 * 4 + (l + 1) % 4) + own(l) } else { 0x77 }),
            Box::new(|l| own(l / 8 * 8 + 7 - l % 8)),
            Box::new(|l| own(l ^ 1)),
            Box::new(|l| match l {
                30 => own(9),
                31 => 5,
                _ => 0x77,
            }),
            Box::new(|l| 3 + (21u64 & ((1 << l) - 1)).count_ones() + l.saturating_sub(32)),
            Box::new(|l| own(4) << 8 | (active >> l & 1) as u32),
            Box::new(|l| 0x11 << 16 | own(l)),
        ];
        for (n, expected) in expected.iter().enumerate() {
            let row = &out[n * lanes as usize..][..lanes as usize];
            assert_eq!(row, (0..lanes).map(expected).collect::<Vec<u32>>(), "{gfx} result {n}");
        }
    }
}

/// A launch of a kernel of `fixtures/emu/faults.s`.
fn faulty(kernel: &str, block: u32, dynamic_lds_bytes: u32) -> Result<Vec<Vec<u8>>, RunError> {
    let path = format!("{}/fixtures/emu/faults.gfx1100.hsaco", env!("CARGO_MANIFEST_DIR"));
    let args = vec![zeros(64)];
    let launch = Launch { kernel: kernel.into(), grid: [1; 3], block: [block, 1, 1], dynamic_lds_bytes, args };
    let options = Options { step_limit: 1000, ..Options::default() };
    launch_with(&std::fs::read(path).unwrap(), &launch, &options).map(|(buffers, _)| buffers)
}

#[test]
fn ended_waves_do_not_hold_a_barrier() {
    let out = faulty("early_exit", 128, 0).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(as_words(&out[0])[..33], [[7; 32].as_slice(), &[0]].concat());
}

#[test]
fn faults_by_hand() {
    let shown: Vec<String> = [
        ("trap", 32),
        ("misaligned", 32),
        ("lds_bounds", 32),
        ("scratch_bounds", 32),
        ("read_only", 32),
        ("beyond_vgprs", 32),
        ("lost_pc", 32),
        ("ran_off_the_end", 32),
        ("endless", 32),
        ("null_pointer", 32),
        ("not_ours", 32),
    ]
    .iter()
    .map(|(kernel, block)| match faulty(kernel, *block, 0) {
        Err(RunError::Fault(fault)) => fault.to_string(),
        other => panic!("{kernel}: {other:?}"),
    })
    .collect();
    insta::assert_snapshot!("faults", shown.join("\n"));
}

#[test]
fn dynamic_lds_comes_behind_the_static() {
    // The kernel writes dword 16 + lane of LDS, of which 64 bytes are static.
    assert!(faulty("lds_bounds", 32, 128).is_ok());
    assert!(matches!(faulty("lds_bounds", 32, 124), Err(RunError::Fault(f)) if f.lane == Some(31)));
    assert!(matches!(faulty("lds_bounds", 32, 65536), Err(RunError::Launch(_))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Damaged code ends in some way; it never panics.
    #[test]
    fn damaged_code_ends(
        target in 0usize..TARGETS.len(),
        edits in proptest::collection::vec((0usize..200, any::<u32>(), any::<u32>()), 1..6),
    ) {
        let gfx = TARGETS[target];
        let mut bytes = object(gfx);
        let code_object = warp2wave::object::read(&bytes).unwrap();
        let segment = code_object.segments.iter().find(|s| s.executable).unwrap();
        let place = bytes.windows(segment.bytes.len()).position(|w| w == segment.bytes).unwrap();
        let kernel = (code_object.kernel("vector_add").unwrap().entry_address - segment.address) as usize;
        for (at, bits, keep) in edits {
            // Some bits of a word that is there, so that much of it stays an instruction.
            let at = place + kernel + at % 60 * 4;
            let old = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
            let new = old & (keep | bits.rotate_left(7)) | bits & !keep & 0xff00_ffff;
            bytes[at..at + 4].copy_from_slice(&new.to_le_bytes());
        }
        let args = vec![zeros(64), zeros(64), zeros(64), scalar(64), scalar(64)];
        let launch = Launch { kernel: "vector_add".into(), grid: [1; 3], block: [64, 1, 1], dynamic_lds_bytes: 0, args };
        for check_waits in [true, false] {
            let _ = launch_with(&bytes, &launch, &Options { check_waits, step_limit: 2000, ..Options::default() });
        }
    }
}
