//! Seeded faults in waits: each wait of compiled kernels is taken out in turn, a counter at a time, and the emulator must tell.

use super::case::Case;
use super::{SOURCES, check, harness};
use warp2wave::amd::lane::{Sem, Wave};
use warp2wave::amd::{self, Inst, Operand, Target, ops};

/// Sources with loads of every kind, LDS, barriers and loops, and small launches.
const STEMS: &[&str] = &["23_transpose", "31_blas1", "42_vec_ldst"];

const FAMILIES: &[&str] = &[
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];

/// The fields of a wait's word: each alone lets its counter go.
fn fields(inst: &Inst, target: &Target) -> Vec<u64> {
    match inst.op.name {
        "s_waitcnt" if target.name().starts_with("gfx11") => vec![0xfc00, 0x03f0],
        "s_waitcnt" if target.name().starts_with("gfx10") => vec![0xc00f, 0x3f00],
        "s_waitcnt" => vec![0xc00f, 0x0f00],
        "s_wait_loadcnt_dscnt" | "s_wait_storecnt_dscnt" => vec![0x3f00, 0x003f],
        _ => vec![0xffff],
    }
}

/// Every wait of a kernel: the offset in the object, the instruction, and the words without one of its counters.
fn waits(object: &[u8], kernel: &str, target: &Target) -> Vec<(usize, Inst, Vec<u32>)> {
    let read = warp2wave::object::read(object).unwrap();
    let kernel = read.kernel(kernel).unwrap();
    let code = read.image(kernel.entry_address, kernel.code_bytes).unwrap();
    let place = object.windows(code.len()).position(|w| w == code).unwrap();
    let words: Vec<u32> = code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    let encode = |inst: &Inst| amd::encode(inst, target).unwrap()[0];
    let (mut at, mut found) = (0, vec![]);
    while at < words.len() {
        let (inst, length) = amd::decode(&words[at..], target).unwrap();
        if matches!(inst.op.sem, Sem::Wave(Wave::WaitCnt)) && inst.op != ops::s_wait_alu {
            let word = match inst.uses.last() {
                Some(Operand::Imm(word)) => *word,
                other => panic!("{other:?}"),
            };
            let open = fields(&inst, target).into_iter().filter(|field| word & field != *field);
            let without = open.map(|field| {
                if field == 0xffff {
                    return encode(&Inst::new(ops::s_nop, [], [Operand::Imm(0)]));
                }
                let mut less = inst.clone();
                *less.uses.last_mut().unwrap() = Operand::Imm(word | field);
                encode(&less)
            });
            found.push((place + 4 * at, inst.clone(), without.collect()));
        }
        at += length;
    }
    found
}

/// Waits that only a launch needs in which no lane enters the first loop: behind it its wait is over on the other way.
const ON_ANOTHER_WAY: &[(&str, &str)] = &[("transpose_swizzle_f64", "s_wait_kmcnt")];

fn patched(object: &[u8], at: usize, word: u32) -> Vec<u8> {
    let mut bytes = object.to_vec();
    bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    bytes
}

#[test]
fn no_wait_can_go() {
    let (mut told, mut silent) = (0, vec![]);
    for source in SOURCES.iter().filter(|s| STEMS.contains(&s.stem)) {
        let file = format!("{}.nvcc.sm_75.ptx", source.stem);
        let ptx = check::files(source).into_iter().find(|ptx| ptx.file == file).unwrap();
        let cases: Vec<Case> = (source.cases)(&ptx);
        for kernel in ptx.kernels() {
            let Some(case) = cases.iter().find(|c| c.kernel == kernel && c.edits.is_empty()) else { continue };
            for name in FAMILIES {
                let object = harness::compile(&ptx.file, &ptx.text, name, Some(kernel));
                let object = object.unwrap_or_else(|refusal| panic!("{}", refusal.text));
                let (seen, missed) = without_each(&object, case, name);
                told += seen;
                silent.extend(missed.into_iter().map(|what| format!("{file}/{kernel}/{name}: {what}")));
            }
        }
    }
    assert!(silent.is_empty(), "{told} told of, but not:\n{}", silent.join("\n"));
    assert!(told > 500, "{told}");
}

/// How many of a kernel's waits are missed when they are gone, and those that are not. What a launch does not reach is no evidence.
fn without_each(object: &[u8], case: &Case, name: &str) -> (usize, Vec<String>) {
    let target = Target::parse(name).unwrap();
    let trap = amd::encode(&Inst::new(ops::s_trap, [], [Operand::Imm(2)]), &target).unwrap()[0];
    let (mut told, mut silent) = (0, vec![]);
    for (at, inst, less) in waits(object, case.kernel, &target) {
        if ON_ANOTHER_WAY.contains(&(case.kernel, inst.op.name)) {
            continue;
        }
        let reached = harness::launch(&patched(object, at, trap), case, case.block);
        if !reached.is_err_and(|e| e.contains("s_trap 2")) {
            continue;
        }
        for word in less {
            match harness::launch(&patched(object, at, word), case, case.block) {
                Err(e) if ["before a wait", "may still read it", "counter at 0"].iter().any(|w| e.contains(w)) => {
                    told += 1
                }
                other => silent.push(format!("{} {:?} at {at:#x}: {:?}", inst.op.name, inst.uses, other.err())),
            }
        }
    }
    (told, silent)
}
