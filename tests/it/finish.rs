//! Waits on physical MIR, against what the manuals and llc 22 ask for.

use crate::alloc::{Random, Shape, random_func};
use std::collections::VecDeque;
use warp2wave::alloc;
use warp2wave::amd::{self, Flags, Target, op::Format};
use warp2wave::finish::waits;
use warp2wave::mir::{InstKind, MirFunc, Operand, Reg, text};

/// Parses a body of blocks, runs a pass, and prints what came out, one instruction a line.
pub fn run(target: &str, body: &str, pass: impl Fn(&mut MirFunc, &Target)) -> String {
    let target = Target::parse(target).unwrap();
    let source = format!("func @f {{\n{body}\n}}\n");
    let mut func = text::parse(&source).unwrap_or_else(|d| panic!("{} at {:?}", d.message, d.span));
    pass(&mut func, &target);
    let printed = text::print(&func);
    let lines = printed.lines().skip(1).map(str::trim).filter(|l| *l != "}" && *l != "linear");
    lines.collect::<Vec<_>>().join("\n")
}

pub fn trim(text: &str) -> String {
    text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}

#[track_caller]
fn check(target: &str, body: &str, expected: &str) {
    assert_eq!(run(target, body, waits::insert), trim(expected), "on {target}");
}

/// Loads return in order: the first of two is there when one is left.
#[test]
fn a_use_waits_for_its_load_alone() {
    let body = "bb0:
        global_load_b32 v0, v2, s[0:1]
        global_load_b32 v1, v2, s[0:1]
        v_add_nc_u32 v3, 1, v0
        v_add_nc_u32 v4, 1, v1
        linear";
    check(
        "gfx1100",
        body,
        "bb0:
        global_load_b32 v0, v2, s[0:1]
        global_load_b32 v1, v2, s[0:1]
        s_waitcnt 2039
        v_add_nc_u32 v3, 1, v0
        s_waitcnt 1015
        v_add_nc_u32 v4, 1, v1",
    );
    check(
        "gfx942",
        body,
        "bb0:
        global_load_b32 v0, v2, s[0:1]
        global_load_b32 v1, v2, s[0:1]
        s_waitcnt 3953
        v_add_nc_u32 v3, 1, v0
        s_waitcnt 3952
        v_add_nc_u32 v4, 1, v1",
    );
    check(
        "gfx1201",
        body,
        "bb0:
        global_load_b32 v0, v2, s[0:1]
        global_load_b32 v1, v2, s[0:1]
        s_wait_loadcnt 1
        v_add_nc_u32 v3, 1, v0
        s_wait_loadcnt 0
        v_add_nc_u32 v4, 1, v1",
    );
}

/// SMEM returns in any order, and on gfx9 to gfx11 shares its counter with LDS.
#[test]
fn smem_waits_for_zero() {
    let body = "bb0:
        s_load_b32 s4, s[0:1], off
        s_load_b32 s5, s[0:1], off offset:4
        ds_load_b32 v1, v0
        s_add_co_u32 s6, s4, 1
        v_add_nc_u32 v2, 1, v1
        linear";
    check(
        "gfx1100",
        body,
        "bb0:
        s_load_b32 s4, s[0:1], off
        s_load_b32 s5, s[0:1], off offset:4
        ds_load_b32 v1, v0
        s_waitcnt 64519
        s_add_co_u32 s6, s4, 1
        v_add_nc_u32 v2, 1, v1",
    );
    check(
        "gfx1201",
        body,
        "bb0:
        s_load_b32 s4, s[0:1], off
        s_load_b32 s5, s[0:1], off offset:4
        ds_load_b32 v1, v0
        s_wait_kmcnt 0
        s_add_co_u32 s6, s4, 1
        s_wait_dscnt 0
        v_add_nc_u32 v2, 1, v1",
    );
}

/// A FLAT load counts twice, and stores have their own counter from gfx10 on.
#[test]
fn flat_and_stores() {
    let body = "bb0:
        global_store_b32 v2, v1, s[0:1]
        flat_load_b32 v0, v[2:3]
        global_load_b32 v4, v2, s[0:1]
        v_add_nc_u32 v3, 1, v0
        linear";
    // vmcnt(0) and lgkmcnt(0): both.
    let wait = |bits: u32| {
        format!(
            "bb0:
        global_store_b32 v2, v1, s[0:1]
        flat_load_b32 v0, v[2:3]
        global_load_b32 v4, v2, s[0:1]
        s_waitcnt {bits}
        v_add_nc_u32 v3, 1, v0"
        )
    };
    check("gfx1100", body, &wait(7));
    check("gfx942", body, &wait(0x70));
}

/// An overwritten result is waited for too, and a loop's load as well when it comes round.
#[test]
fn overwriting_and_loops() {
    check(
        "gfx1100",
        "bb0 -> bb1 | bb1:
        v_mov_b32 v0, 0
        linear
    bb1 -> bb1, bb2 | bb1, bb2:
        v_mov_b32 v0, 1
        global_load_b32 v0, v2, s[0:1]
        linear
    bb2:
        s_endpgm
        linear",
        "bb0 -> bb1 | bb1:
        v_mov_b32 v0, 0
        bb1 -> bb1, bb2 | bb1, bb2:
        s_waitcnt 1015
        v_mov_b32 v0, 1
        global_load_b32 v0, v2, s[0:1]
        bb2:
        s_endpgm",
    );
}

/// `bar.sync` orders LDS and global memory; where waves of a work-group sit on two CUs, through the cache.
#[test]
fn barriers() {
    let body = "bb0:
        global_store_b32 v2, v1, s[0:1]
        global_load_b32 v5, v2, s[0:1]
        ds_store_b32 v0, v1
        s_barrier
        linear";
    let expected = |waits: &str, after: &str| {
        format!(
            "bb0:
        global_store_b32 v2, v1, s[0:1]
        global_load_b32 v5, v2, s[0:1]
        ds_store_b32 v0, v1
        {waits}
        s_barrier
        {after}"
        )
    };
    check("gfx942", body, &expected("s_waitcnt 49279", ""));
    check("gfx906", body, &expected("s_waitcnt 112", ""));
    check("gfx1030", body, &expected("s_waitcnt 112\ns_waitcnt_vscnt null, 0", "buffer_gl0_inv"));
    check("gfx1100", body, &expected("s_waitcnt 7\ns_waitcnt_vscnt null, 0", "buffer_gl0_inv"));
    check(
        "gfx1201",
        "bb0:
        global_store_b32 v2, v1, s[0:1]
        global_load_b32 v5, v2, s[0:1]
        ds_store_b32 v0, v1
        s_barrier_signal 0xffffffff
        s_barrier_wait 65535
        linear",
        "bb0:
        global_store_b32 v2, v1, s[0:1]
        global_load_b32 v5, v2, s[0:1]
        ds_store_b32 v0, v1
        s_wait_loadcnt_dscnt 0
        s_wait_storecnt 0
        s_barrier_signal 0xffffffff
        s_barrier_wait 65535
        global_inv scope_se",
    );
}

/// A wait that stands there is kept while something may be in flight, and once only.
#[test]
fn waits_that_are_there() {
    check(
        "gfx942",
        "bb0:
        s_waitcnt 112
        global_store_b32 v2, v1, s[0:1]
        s_waitcnt 112
        buffer_inv sc1
        s_waitcnt 112
        linear",
        "bb0:
        global_store_b32 v2, v1, s[0:1]
        s_waitcnt 3952
        buffer_inv sc1",
    );
}

/// gfx1250: the address of an operation in flight must not be overwritten, but by vector memory ops; one that is done reads nothing.
#[test]
fn sources_in_flight() {
    check(
        "gfx1250",
        "bb0:
        global_store_b32 v[2:3], v1, off
        global_load_b32 v4, v[6:7], off
        v_mov_b32 v2, 0
        v_mov_b32 v7, 0
        linear",
        "bb0:
        global_store_b32 v[2:3], v1, off
        global_load_b32 v4, v[6:7], off
        s_wait_xcnt 1
        v_mov_b32 v2, 0
        s_wait_xcnt 0
        v_mov_b32 v7, 0",
    );
    check(
        "gfx1250",
        "bb0:
        global_load_b32 v8, v[2:3], off
        global_load_b32 v3, v[4:5], off
        v_mov_b32 v9, v8
        v_mov_b32 v2, 0
        global_load_b32 v8, v10, s[0:1]
        s_load_b32 s0, s[4:5], off
        ds_load_b32 v10, v12
        linear",
        "bb0:
        global_load_b32 v8, v[2:3], off
        global_load_b32 v3, v[4:5], off
        s_wait_loadcnt 1
        v_mov_b32 v9, v8
        v_mov_b32 v2, 0
        global_load_b32 v8, v10, s[0:1]
        s_wait_xcnt 0
        s_load_b32 s0, s[4:5], off
        ds_load_b32 v10, v12",
    );
}

/// gfx11 and later: VGPRs go back before the last stores are done, where more waves could run with fewer. LLVM 22 does so by the same
/// measure.
#[test]
fn vgprs_are_given_back() {
    let body = |vgpr: u32| format!("bb0:\nv_mov_b32 v{vgpr}, 0\nglobal_store_b32 v[2:3], v1, off\ns_endpgm\nlinear");
    for (target, vgpr, message) in [
        ("gfx1030", 100, ""),
        ("gfx1100", 95, ""),
        ("gfx1100", 96, "s_nop 0\ns_sendmsg 3"),
        ("gfx1151", 100, "s_nop 0\ns_sendmsg 3"),
        ("gfx1201", 100, "s_nop 0\ns_sendmsg 3"),
        ("gfx1250", 100, "s_sendmsg 3"),
    ] {
        let expected = format!("bb0:\nv_mov_b32 v{vgpr}, 0\nglobal_store_b32 v[2:3], v1, off\n{message}\ns_endpgm");
        check(target, &body(vgpr), &expected);
    }
    // Nothing in flight, nothing to gain.
    check("gfx1100", "bb0:\nv_mov_b32 v200, 0\ns_endpgm\nlinear", "bb0:\nv_mov_b32 v200, 0\ns_endpgm");
}

/// An operation in flight: the registers that it will write, and whether it may overtake or be overtaken.
struct InFlight {
    results: Vec<amd::Reg>,
    unordered: bool,
}

/// Vector memory, LDS (with SMEM before gfx12), SMEM, stores.
#[derive(Default)]
struct Machine {
    queues: [VecDeque<InFlight>; 4],
}

impl Machine {
    /// Waits until `n` operations of a queue are left. Of those that keep no order only zero says anything.
    fn wait(&mut self, queue: usize, n: usize) {
        let queue = &mut self.queues[queue];
        while queue.len() > n && (n == 0 || queue.iter().all(|o| !o.unordered)) {
            queue.pop_front();
        }
    }

    fn step(&mut self, op: &amd::Inst<Reg>, target: &Target) -> Result<(), String> {
        let split = target.has(amd::Feature::SplitWaitCounters);
        let stores_apart = split || target.has(amd::Feature::StoreCounter);
        let imm = op.uses.iter().rev().find_map(|u| match u {
            Operand::Imm(v) => Some(*v as usize),
            _ => None,
        });
        let gfx11 = target.name().starts_with("gfx11");
        match (op.op.name, imm) {
            ("s_waitcnt", Some(bits)) if gfx11 => {
                self.wait(0, bits >> 10);
                self.wait(1, bits >> 4 & 63);
            }
            ("s_waitcnt", Some(bits)) => {
                self.wait(0, (bits & 15) | (bits >> 14) << 4);
                let lds = bits >> 8 & if target.name().starts_with("gfx10") { 63 } else { 15 };
                self.wait(1, if lds == 15 { 63 } else { lds });
            }
            ("s_waitcnt_vscnt" | "s_wait_storecnt", Some(n)) => self.wait(3, n),
            ("s_wait_loadcnt", Some(n)) => self.wait(0, n),
            ("s_wait_dscnt", Some(n)) => self.wait(1, n),
            ("s_wait_kmcnt", Some(n)) => self.wait(2, n),
            ("s_wait_loadcnt_dscnt", Some(n)) => {
                self.wait(0, n >> 8);
                self.wait(1, n & 63);
            }
            ("s_wait_storecnt_dscnt", Some(n)) => {
                self.wait(3, n >> 8);
                self.wait(1, n & 63);
            }
            _ => {}
        }
        let phys = |r: Reg| match r {
            Reg::Phys(r) => r,
            Reg::Virt(_) => panic!("a virtual register"),
        };
        let uses = op.uses.iter().filter_map(|u| match u {
            Operand::Reg(r) => Some(phys(*r)),
            _ => None,
        });
        let defs: Vec<amd::Reg> = op.defs.iter().map(|r| phys(*r)).collect();
        for reg in uses.chain(defs.iter().copied()) {
            if self.queues.iter().flatten().flat_map(|o| &o.results).any(|r| r.overlaps(reg)) {
                return Err(format!("{op:?} uses {reg}, which is in flight"));
            }
        }
        let Some(code) = op.op.opcode(target) else { return Ok(()) };
        let loads = op.op.flags.contains(Flags::LOAD);
        let store = if stores_apart && !loads { 3 } else { 0 };
        let queues: &[usize] = match code.format {
            Format::Smem => &[if split { 2 } else { 1 }],
            Format::Ds => &[1],
            Format::Flat => &[store, 1],
            Format::Global | Format::Scratch => &[store],
            _ => &[],
        };
        for &q in queues {
            let unordered = matches!(code.format, Format::Smem | Format::Flat);
            self.queues[q].push_back(InFlight { results: defs.clone(), unordered });
        }
        Ok(())
    }
}

/// Random walks of waves through random functions: nothing is used before it is there, and on the way to it the walk meets waits
/// that the machine needs.
fn walk(func: &MirFunc, target: &Target, random: &mut Random) -> Result<(), String> {
    let mut machine = Machine::default();
    let mut block = func.entry;
    for _ in 0..60 {
        for inst in &func.blocks[block].insts {
            if let InstKind::Op(op) = &inst.kind {
                machine.step(op, target)?;
            }
        }
        let succs = &func.blocks[block].linear_succs;
        if succs.is_empty() {
            return Ok(());
        }
        block = succs[random.below(succs.len())];
    }
    Ok(())
}

#[test]
fn nothing_in_flight_is_used_on_random_walks() {
    let mut needed = 0;
    for seed in 0..60 {
        let target = Target::parse(["gfx1100", "gfx942", "gfx1030", "gfx1201"][seed as usize % 4]).unwrap();
        let shape = Shape { blocks: 1 + seed as usize % 9, insts: 100, vregs: 20, defined: true, recent: 0 };
        let mut func = random_func(seed, &shape, &target);
        alloc::allocate_unchecked(&mut func, &target, alloc::Budget { vgprs: 128, sgprs: 60 }).unwrap();
        let without = func.clone();
        waits::insert(&mut func, &target);
        for round in 0..20 {
            let mut random = Random::new(seed * 100 + round);
            walk(&func, &target, &mut random)
                .unwrap_or_else(|e| panic!("seed {seed} on {target}: {e}\n{}", text::print(&func)));
            needed += usize::from(walk(&without, &target, &mut random).is_err());
        }
    }
    assert!(needed > 500, "{needed}");
}
