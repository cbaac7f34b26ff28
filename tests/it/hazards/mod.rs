//! Hazards: what `finish::hazards` inserts, whether `amd::hazard` sees each that is left, and what LLVM 22 inserts for the same.

mod cases;

use crate::finish::{run as pass, trim};
use crate::judge;
use cases::{CASES, Case};
use std::collections::BTreeSet;
use std::fmt::Write;
use warp2wave::amd::{self, Operand, Reg, Target, hazard, ops};
use warp2wave::finish::hazards;
use warp2wave::mir::{self, InstKind};
use warp2wave::run::{self, ArgValue, Launch};
use warp2wave::{Options, translate};

/// One processor of each family.
const FAMILIES: &[&str] = &[
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1201", "gfx1250",
];

fn whole(body: &str) -> String {
    format!("bb0:\n{body}\nlinear")
}

/// The bytes of a block's instructions; branches lead to the next one.
fn bytes(body: &str, target: &Target) -> Vec<u8> {
    let func = mir::text::parse(&format!("func @f {{\n{}\n}}\n", whole(body))).unwrap();
    let physical = |r: mir::Reg| match r {
        mir::Reg::Phys(r) => r,
        mir::Reg::Virt(_) => panic!("{r}"),
    };
    let insts = func.blocks[func.entry].insts.iter().map(|inst| match &inst.kind {
        InstKind::Op(op) => amd::Inst {
            op: op.op,
            defs: op.defs.iter().map(|&r| physical(r)).collect(),
            uses: op.uses.iter().map(|&u| operand(u, physical)).collect(),
            mods: op.mods,
        },
        other => panic!("{other:?}"),
    });
    let dwords = insts.flat_map(|i| amd::encode(&i, target).unwrap_or_else(|e| panic!("{i:?}: {e}")));
    dwords.flat_map(u32::to_le_bytes).collect()
}

fn operand(u: mir::Operand, physical: impl Fn(mir::Reg) -> Reg) -> Operand {
    match u {
        Operand::Reg(r) => Operand::Reg(physical(r)),
        Operand::Imm(v) => Operand::Imm(v),
        Operand::Label(_) => Operand::Imm(0),
        Operand::Off => Operand::Off,
    }
}

fn check(bytes: &[u8], target: &Target) -> Result<(), &'static str> {
    let steps = hazard::read(bytes, target).unwrap();
    hazard::check(&steps, 256, target).map_err(|fault| fault.rule)
}

/// Bodies with a little less than what was inserted: a wait state fewer, or an instruction.
fn weaker(body: &str, expected: &str) -> Vec<String> {
    let lines: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    let mut given = body.lines().map(str::trim).filter(|l| !l.is_empty()).peekable();
    let mut out = vec![];
    for (at, line) in lines.iter().enumerate() {
        if given.next_if(|g| g == line).is_some() {
            continue;
        }
        let mut less: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        match line.strip_prefix("s_nop ").map(|n| n.parse::<u32>().unwrap()) {
            Some(n) if n > 0 => less[at] = format!("s_nop {}", n - 1),
            _ => drop(less.remove(at)),
        }
        out.push(less.join("\n"));
    }
    assert_eq!(given.next(), None, "the expected body goes on otherwise");
    out
}

/// Whether the tables have every op of a case.
fn is_known(case: &Case) -> bool {
    case.body.split_whitespace().filter(|w| w.starts_with("v_permlane")).all(|w| ops::by_name(w).is_some())
}

#[test]
fn each_hazard_gets_what_it_needs_and_no_less_passes() {
    for case in CASES.iter().filter(|c| is_known(c)) {
        for name in case.targets {
            let target = Target::parse(name).unwrap();
            let got = pass(name, &whole(case.body), hazards::insert);
            assert_eq!(got, trim(&format!("bb0:\n{}", case.expected)), "{} on {name}", case.rule);
            assert_eq!(check(&bytes(case.body, &target), &target), Err(case.rule), "on {name}");
            assert_eq!(check(&bytes(case.expected, &target), &target), Ok(()), "{} on {name}", case.rule);
            for less in weaker(case.body, case.expected) {
                assert_eq!(check(&bytes(&less, &target), &target), Err(case.rule), "on {name}: {less}");
            }
        }
    }
}

/// Rules that no pass can keep by inserting something: `single_instructions` has their cases.
const SINGLE: &[&str] = &[
    "FLAT with an offset",
    "branch by 0x3f dwords",
    "64-bit shift by the last VGPR of the wave's, the eighth of its block",
];

#[test]
fn every_rule_has_a_case_on_every_family_and_a_line_in_the_docs() {
    let docs = include_str!("../../../docs/hazards.md");
    for name in FAMILIES {
        let target = Target::parse(name).unwrap();
        let rules: BTreeSet<&str> = hazard::rule_names(&target).into_iter().collect();
        let inserted: BTreeSet<&str> = hazards::names(&target).into_iter().collect();
        let rest: BTreeSet<&str> = rules.difference(&inserted).copied().collect();
        assert!(inserted.is_subset(&rules), "{name}: {inserted:?} {rules:?}");
        assert!(rest.iter().all(|rule| SINGLE.contains(rule)), "{name}: {rest:?}");
        for rule in &inserted {
            let covered = CASES.iter().any(|c| c.rule == *rule && c.targets.contains(name));
            assert!(covered, "{rule} has no case on {name}");
        }
        for rule in rules {
            assert!(docs.contains(&format!("| {rule} |")), "docs/hazards.md does not list: {rule}");
        }
    }
}

/// A line of either side, as far as the two can be compared.
fn token(line: &str) -> &str {
    let line = line.trim();
    let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|w| w.starts_with("vgpr"));
    let to_itself = line.contains("= V_MOV_B32_e32") && words.next() == words.next();
    if to_itself || line == "v_mov_b32 v3, v3" {
        return "move";
    }
    match line.split_whitespace().next().unwrap_or("") {
        "s_nop" | "S_NOP" => line.split_whitespace().nth(1).unwrap_or(""),
        "v_nop" | "V_NOP_e32" => "v_nop",
        "s_wait_alu" | "S_WAITCNT_DEPCTR" => "wait_alu",
        _ if line.starts_with("s_mov_b32 null") || line.starts_with("$sgpr_null = S_MOV_B32") => "scalar move",
        _ => "-",
    }
}

/// The cases as LLVM's passes leave them: as many of the same remedies at the same places.
#[test]
fn llvm_inserts_the_same() {
    for (pass, of_sgprs) in [("post-RA-hazard-rec", false), ("amdgpu-wait-sgpr-hazards", true)] {
        for name in FAMILIES {
            let of_pass = |c: &&Case| c.rule.contains("read by VALU") == of_sgprs;
            let cases: Vec<&Case> =
                CASES.iter().filter(of_pass).filter(|c| c.targets.contains(name) && !c.mir.is_empty()).collect();
            let Some(mut llc) = judge::tool("llc-22") else { return };
            let mut text = String::from("--- |\n");
            for i in 0..cases.len() {
                let _ = writeln!(text, "  define amdgpu_kernel void @f{i}() {{ ret void }}");
            }
            text.push_str("...\n");
            for (i, case) in cases.iter().enumerate() {
                let _ = writeln!(text, "---\nname: f{i}\nbody: |\n  bb.0:");
                for line in case.mir.lines() {
                    let _ = writeln!(text, "    {}", line.trim());
                }
                text.push_str("...\n");
            }
            if cases.is_empty() {
                continue;
            }
            let file = judge::TempFile::new(".mir", text.as_bytes());
            llc.args(["-mtriple=amdgcn-amd-amdhsa", &format!("-mcpu={name}"), &format!("-run-pass={pass}"), "-o", "-"]);
            llc.arg(file.path());
            let out = judge::output(llc);
            let bodies: Vec<&str> = out.split("\nbody:").skip(1).collect();
            assert_eq!(bodies.len(), cases.len());
            for (case, theirs) in cases.iter().zip(bodies) {
                let lines = theirs.lines().skip(1).map(str::trim).filter(|l| !l.is_empty());
                let lines = lines.filter(|l| !l.starts_with("bb.0") && !l.starts_with("...") && !l.starts_with("---"));
                let lines = lines.take_while(|l| !l.starts_with("name:"));
                let theirs: Vec<&str> = lines.map(token).collect();
                let expected = trim(case.expected);
                let ours: Vec<&str> = expected.lines().map(token).collect();
                assert_eq!(ours, theirs, "{} on {name}", case.rule);
            }
        }
    }
}

#[test]
fn single_instructions() {
    let broken = |name: &str, body: &str| {
        let target = Target::parse(name).unwrap();
        check(&bytes(body, &target), &target).err()
    };
    let flat = "flat_load_b32 v2, v[0:1] offset:4";
    assert_eq!(broken("gfx1010", flat), Some("FLAT with an offset"));
    assert_eq!(broken("gfx1030", flat), None);
    // Without replays a run may overwrite what it likes.
    let run = "s_load_b32 s8, s[0:1], off\ns_load_b32 s0, s[4:5], off";
    assert_eq!(broken("gfx906:xnack-", run), None);
    assert!(broken("gfx906:xnack+", run).is_some());
}

/// gfx90a: the amount of a 64-bit shift in v7 needs v8 to be the wave's as well.
#[test]
fn shifts_by_the_last_vgpr() {
    let target = Target::parse("gfx90a").unwrap();
    let steps = hazard::read(&bytes("v_lshlrev_b64 v[0:1], v7, v[0:1]", &target), &target).unwrap();
    let rule = "64-bit shift by the last VGPR of the wave's, the eighth of its block";
    assert_eq!(hazard::check(&steps, 8, &target).map_err(|f| f.rule), Err(rule));
    assert_eq!(hazard::check(&steps, 9, &target), Ok(()));
    // Whoever finishes such a kernel asks for one more.
    for (amount, vgprs) in [(7, 9), (6, 7), (15, 17)] {
        let body = whole(&format!("v_lshlrev_b64 v[0:1], v{amount}, v[0:1]\ns_endpgm"));
        let mut func = mir::text::parse(&format!("func @f {{\n{body}\n}}\n")).unwrap();
        let code = warp2wave::finish::run(&mut func, &target).unwrap();
        assert_eq!(code.vgprs_used, vgprs);
    }
    assert_eq!(target.max_vgprs(256), 255);
}

/// gfx10.1: a branch over 63 dwords gets an `s_nop` behind it, and only there.
#[test]
fn branches_by_63_dwords() {
    for (name, dwords, nops) in [("gfx1010", 63, 1), ("gfx1010", 62, 0), ("gfx1010", 64, 0), ("gfx1030", 63, 0)] {
        let target = Target::parse(name).unwrap();
        let filler = "s_mov_b32 s0, s1\n".repeat(dwords);
        let body = format!(
            "bb0 -> bb1, bb2 | bb1, bb2:\ns_cbranch_scc0 bb2\nlinear\nbb1 -> bb2 | bb2:\n{filler}linear\nbb2:\ns_endpgm\nlinear"
        );
        let mut func = mir::text::parse(&format!("func @f {{\n{body}\n}}\n")).unwrap();
        let code = warp2wave::finish::run(&mut func, &target).unwrap();
        let count = code.insts.iter().filter(|l| l.inst.op == ops::s_nop).count();
        assert_eq!(count, nops, "{name} over {dwords}");
        assert_eq!(check(&code.bytes, &target), Ok(()));
        if nops > 0 {
            // Without it the branch would be one of these.
            let mut without = code.bytes.clone();
            without.drain(4..8);
            without[0] = 0x3f;
            assert_eq!(check(&without, &target), Err("branch by 0x3f dwords"));
        }
    }
}

/// A hazard reaches into the next block, by the shorter of two ways, and round a loop.
#[test]
fn hazards_across_blocks() {
    let body = "bb0 -> bb1, bb2 | bb1, bb2:
        v_readfirstlane_b32 s4, v0
        linear
    bb1 -> bb2 | bb2:
        s_nop 1
        linear
    bb2 -> bb2 | bb2:
        v_readlane_b32 s8, v7, s4
        s_mov_b32 s9, 0
        s_mov_b32 s9, 1
        v_readfirstlane_b32 s4, v0
        linear";
    let got = pass("gfx906", body, hazards::insert);
    assert_eq!(
        got,
        trim(
            "bb0 -> bb1, bb2 | bb1, bb2:
        v_readfirstlane_b32 s4, v0
        bb1 -> bb2 | bb2:
        s_nop 1
        bb2 -> bb2 | bb2:
        s_nop 3
        v_readlane_b32 s8, v7, s4
        s_mov_b32 s9, 0
        s_mov_b32 s9, 1
        v_readfirstlane_b32 s4, v0"
        )
    );
}

/// The judge follows branches: the shorter way counts, backwards too.
#[test]
fn the_judge_follows_branches() {
    let target = Target::parse("gfx906").unwrap();
    let encode = |body: &str| bytes(body, &target);
    // s_cbranch_scc0 over three wait states to the read; then the same with the read reached by a loop.
    let over = |states: u32| {
        let mut code =
            encode("v_readfirstlane_b32 s4, v0\ns_cbranch_scc0 bb0\ns_nop 2\ns_nop 0\nv_readlane_b32 s8, v7, s4");
        code[4] = 1 + u8::from(states == 0);
        code
    };
    let rule = "VALU writes SGPR, v_readlane or v_writelane selects by it";
    assert_eq!(check(&over(0), &target), Err(rule));
    let mut looped =
        encode("v_readlane_b32 s8, v7, s4\ns_nop 1\nv_readfirstlane_b32 s4, v0\ns_cbranch_scc0 bb0\ns_nop 3\ns_endpgm");
    // Back to the first: over the eight bytes of the read, the nop, the write and itself.
    let back = looped.len() - 12;
    looped[back..back + 2].copy_from_slice(&(-5i16).to_le_bytes());
    assert_eq!(check(&looped, &target), Err(rule));
}

/// Code of clang 22 for every family: the judge asks for nothing that LLVM does not do.
#[test]
fn compiled_code_has_no_hazard() {
    for gfx in ["gfx900", "gfx908", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"] {
        let path = format!("{}/fixtures/emu/kernels.{gfx}.hsaco", env!("CARGO_MANIFEST_DIR"));
        let object = warp2wave::object::read(&std::fs::read(&path).unwrap()).unwrap();
        let target = Target::parse(gfx).unwrap();
        for kernel in &object.kernels {
            let code = object.image(kernel.entry_address, kernel.code_bytes).unwrap();
            let steps = hazard::read(&code, &target).unwrap_or_else(|e| panic!("{gfx} {}: {e}", kernel.metadata.name));
            assert_eq!(hazard::check(&steps, 256, &target), Ok(()), "{gfx} {}", kernel.metadata.name);
        }
    }
}

/// A jump through registers is followed: a kernel whose loop is longer than a branch reaches, from PTX to the judge.
#[test]
fn jumps_through_registers_are_followed() {
    let body = "\txor.b32 %r1, %r1, %r2;\n\tmul.lo.u32 %r1, %r1, %r2;\n".repeat(12_000);
    let source = format!(
        ".version 8.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n) {{\n\
         .reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\nld.param.u64 %rd1, [p];\nld.param.u32 %r2, [n];\n\
         mov.u32 %r1, %tid.x;\nmov.u32 %r3, 0;\nL:\n{body}\tadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, 2;\n@%p1 bra L;\n\
         st.global.u32 [%rd1], %r1;\nret;\n}}\n"
    );
    for name in ["gfx906", "gfx1201"] {
        let target = Target::parse(name).unwrap();
        let object = translate(&source, &Options::new(target.clone())).unwrap();
        let object = warp2wave::object::read(object.bytes()).unwrap();
        let kernel = object.kernel("k").unwrap();
        let code = object.image(kernel.entry_address, kernel.code_bytes).unwrap();
        let steps = hazard::read(&code, &target).unwrap();
        let far: Vec<_> = steps.iter().filter(|s| s.inst.op == ops::s_setpc_b64).collect();
        assert!(!far.is_empty() && far.iter().all(|s| s.next.len() == 1), "{name}: {far:?}");
        assert_eq!(hazard::check(&steps, 256, &target), Ok(()), "{name}");
    }
    for name in ["gfx906", "gfx1010", "gfx1201", "gfx1250"] {
        let object = translate(&source, &Options::new(Target::parse(name).unwrap())).unwrap();
        let n = 0x1234_5671u32;
        let args = vec![ArgValue::Buffer(vec![0; 4]), ArgValue::Bytes(n.to_le_bytes().to_vec())];
        let launch = Launch { kernel: "k".into(), grid: [1; 3], block: [1; 3], dynamic_lds_bytes: 0, args };
        let buffers = run::launch(object.bytes(), &launch).unwrap_or_else(|e| panic!("{name}: {e}"));
        let expected = (0..24_000).fold(0u32, |x, _| (x ^ n).wrapping_mul(n));
        assert_eq!(buffers[0], expected.to_le_bytes(), "{name}");
    }
}
