//! Seeded faults: something is broken on purpose, and a checker must tell. More of them beside what they are about: waits in
//! `corpus::waits`, hazards in `hazards`, moves in `alloc`, masks in `exec`.

use warp2wave::amd::{self, Inst, Operand, Target, ops};
use warp2wave::emu::{FaultKind, Options as EmuOptions};
use warp2wave::object;
use warp2wave::run::{ArgValue, Launch, RunError, launch_with};
use warp2wave::{Options, translate};

const FAMILIES: &[&str] = &["gfx906", "gfx90a", "gfx942", "gfx1010", "gfx1030", "gfx1100", "gfx1201", "gfx1250"];

/// One byte permute, LDS, and more registers than one granule has.
const KERNEL: &str = "
.version 8.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b32 %r<24>;
    .reg .b64 %rd<4>;
    .shared .align 4 .b8 s[256];
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 64;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3];
    ld.global.v4.u32 {%r6, %r7, %r8, %r9}, [%rd3+16];
    ld.global.v4.u32 {%r10, %r11, %r12, %r13}, [%rd3+32];
    prmt.b32 %r14, %r2, %r3, 0x5140;
    shl.b32 %r15, %r1, 2;
    mov.u32 %r16, s;
    add.u32 %r16, %r16, %r15;
    st.shared.u32 [%r16], %r14;
    ld.shared.u32 %r17, [%r16];
    st.global.v4.u32 [%rd3+16], {%r17, %r10, %r11, %r12};
    st.global.v4.u32 [%rd3+32], {%r6, %r7, %r8, %r9};
    st.global.v4.u32 [%rd3], {%r13, %r4, %r5, %r2};
    ret;
}
";

fn object_for(name: &str) -> Vec<u8> {
    translate(KERNEL, &Options::new(Target::parse(name).unwrap())).unwrap().bytes().to_vec()
}

fn launch(object: &[u8]) -> Result<Vec<u8>, RunError> {
    let content = (0..2048u32).map(|i| (i * 7 + 3) as u8).collect();
    let args = vec![ArgValue::Buffer(content)];
    let launch = Launch { kernel: "k".into(), grid: [1; 3], block: [32, 1, 1], dynamic_lds_bytes: 0, args };
    launch_with(object, &launch, &EmuOptions::default()).map(|(mut buffers, _)| buffers.remove(0))
}

fn code_of(bytes: &[u8]) -> (usize, Vec<u32>) {
    let read = object::read(bytes).unwrap();
    let kernel = read.kernel("k").unwrap();
    let code = read.image(kernel.entry_address, kernel.code_bytes).unwrap();
    let place = bytes.windows(code.len()).position(|w| w == code).unwrap();
    (place, code.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect())
}

/// The instructions of a kernel with their places in the object.
fn insts(bytes: &[u8], target: &Target) -> Vec<(usize, Inst, usize)> {
    let (place, words) = code_of(bytes);
    let (mut at, mut list) = (0, vec![]);
    while at < words.len() {
        let (inst, length) = amd::decode(&words[at..], target).unwrap();
        list.push((place + 4 * at, inst, length));
        at += length;
    }
    list
}

fn put(bytes: &mut [u8], at: usize, inst: &Inst, length: usize, target: &Target) {
    let words = amd::encode(inst, target).unwrap();
    assert_eq!(words.len(), length);
    let new: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    bytes[at..at + new.len()].copy_from_slice(&new);
}

/// The sources of `v_perm_b32` the other way about: the result is another one.
#[test]
fn swapped_sources_of_a_permute_show() {
    for name in FAMILIES {
        let target = Target::parse(name).unwrap();
        let object = object_for(name);
        let sound = launch(&object).unwrap_or_else(|e| panic!("{name}: {e}"));
        for thread in 0..32 {
            let byte = |i: usize| ((64 * thread + i) * 7 + 3) as u8;
            // 0x5140: bytes 0 and 4, 1 and 5.
            assert_eq!(sound[64 * thread + 16..][..4], [byte(0), byte(4), byte(1), byte(5)], "{name}");
        }
        let perms: Vec<_> = insts(&object, &target).into_iter().filter(|(_, i, _)| i.op == ops::v_perm_b32).collect();
        assert!(!perms.is_empty(), "{name}");
        for (at, mut inst, length) in perms {
            inst.uses.swap(0, 1);
            let mut broken = object.clone();
            put(&mut broken, at, &inst, length, &target);
            assert_ne!(launch(&broken).unwrap(), sound, "{name}");
        }
    }
}

/// A descriptor that declares less than the code uses.
#[test]
fn shrunk_resources_show() {
    for name in FAMILIES {
        let object = object_for(name);
        let kernel = object::read(&object).unwrap().kernel("k").unwrap().clone();
        let place = object.windows(64).position(|w| w == kernel.descriptor).unwrap();
        let shrunk = |at: usize, mask: u32| {
            let mut broken = object.clone();
            let word = u32::from_le_bytes(broken[place + at..][..4].try_into().unwrap()) & !mask;
            broken[place + at..][..4].copy_from_slice(&word.to_le_bytes());
            match launch(&broken) {
                Err(RunError::Fault(fault)) => fault.kind,
                Err(RunError::Launch(why)) => FaultKind::Launch(why),
                other => panic!("{name}, {at} {mask:#x}: {other:?}"),
            }
        };
        // VGPR granules.
        assert!(matches!(shrunk(48, 0x3f), FaultKind::BeyondRegisters(_)), "{name}");
        assert!(matches!(shrunk(0, u32::MAX), FaultKind::Launch(_)), "{name}: LDS");
    }
}

/// A wait state less than was inserted: the emulator refuses the kernel before it runs.
#[test]
fn a_missing_wait_state_shows() {
    let mut told = 0;
    for name in ["gfx906", "gfx90a", "gfx942"] {
        let target = Target::parse(name).unwrap();
        let object = object_for(name);
        for (at, inst, length) in insts(&object, &target) {
            let Some(Operand::Imm(n)) = inst.uses.first().filter(|_| inst.op == ops::s_nop) else { continue };
            // Nothing is as long and takes no state: the instruction before it once more, where that changes nothing.
            let mut broken = object.clone();
            if *n == 0 {
                continue;
            }
            put(&mut broken, at, &Inst::new(ops::s_nop, [], [Operand::Imm(n - 1)]), length, &target);
            match launch(&broken) {
                Err(RunError::Fault(fault)) if matches!(fault.kind, FaultKind::Hazard(_)) => told += 1,
                other => panic!("{name} at {at:#x}: {other:?}"),
            }
        }
    }
    assert!(told > 0, "no kernel here has more than one wait state in a row");
}

/// gfx1250: work-group ids in clusters, and without.
#[test]
fn clusters_number_their_groups() {
    let source = "
.version 8.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 p) {
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [p];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ctaid.y;
    mov.u32 %r3, %ctaid.z;
    mov.u32 %r4, %nctaid.x;
    mov.u32 %r5, %nctaid.y;
    mad.lo.u32 %r6, %r3, %r5, %r2;
    mad.lo.u32 %r6, %r6, %r4, %r1;
    mul.wide.u32 %rd2, %r6, 4;
    add.s64 %rd3, %rd1, %rd2;
    shl.b32 %r7, %r2, 8;
    shl.b32 %r8, %r3, 16;
    or.b32 %r9, %r1, %r7;
    or.b32 %r9, %r9, %r8;
    st.global.u32 [%rd3], %r9;
    ret;
}
";
    let run = |name: &str, cluster: [u32; 3]| {
        let object = translate(source, &Options::new(Target::parse(name).unwrap())).unwrap();
        let grid = [4, 6, 2];
        let launch = Launch {
            kernel: "k".into(),
            grid,
            block: [1; 3],
            dynamic_lds_bytes: 0,
            args: vec![ArgValue::Buffer(vec![0; 4 * 48])],
        };
        launch_with(object.bytes(), &launch, &EmuOptions { cluster, ..EmuOptions::default() }).map(|(buffers, _)| {
            let words = buffers[0].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap()));
            words.collect::<Vec<u32>>()
        })
    };
    let expected: Vec<u32> = (0..48).map(|i| (i % 4) | ((i / 4 % 6) << 8) | ((i / 24) << 16)).collect();
    for cluster in [[1, 1, 1], [2, 1, 1], [4, 3, 2], [1, 6, 1]] {
        assert_eq!(run("gfx1250", cluster).unwrap(), expected, "{cluster:?}");
    }
    assert_eq!(run("gfx1201", [1; 3]).unwrap(), expected);
    assert!(run("gfx1201", [2, 1, 1]).is_err() && run("gfx1250", [3, 1, 1]).is_err());
}
