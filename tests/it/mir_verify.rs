//! The verifier of machine IR refuses what encoder, allocator and mask insertion may not see: a seeded fault for each rule.

use warp2wave::amd::Target;
use warp2wave::mir::{text, verify::verify};

const VREGS: &str = "%0: v1\n%1: v1\n%2: s1\n%3: s1\n%4: v2\n%5: s2\n";

/// The verdict on a body between sound instructions.
#[track_caller]
fn verdict(target: &str, body: &str) -> Result<(), String> {
    let source = format!("func @f {{\n{VREGS}bb0:\n  %0 = copy v0\n  {body}\n  exit\n}}\n");
    let func = text::parse(&source).unwrap_or_else(|d| panic!("{} at {:?}\n{source}", d.message, d.span));
    verify(&func, &Target::parse(target).unwrap())
}

#[test]
fn sound_code_passes() {
    for target in ["gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"] {
        for body in [
            "v_perm_b32 %1, %0, %1, %2",
            "v_lshlrev_b64 %4, %0, %4",
            "s_and_b32 %2, %2, %3\n  %5[0] = copy %2",
            "v_add_f32 %1, 0x12345678, %0",
            "%1, %4 = parallel_copy %0, %4",
        ] {
            assert_eq!(verdict(target, body), Ok(()), "{target}: {body}");
        }
    }
}

#[test]
fn broken_code_is_refused() {
    let mut wrong = String::new();
    for (target, body, message) in [
        // Classes and sizes of slots; parts of groups.
        ("gfx1100", "v_mov_b32 %2, %0", "is not 1 dwords of a Vgpr"),
        ("gfx1100", "v_mov_b32 %4, %0", "is not 1 dwords of a Vgpr"),
        ("gfx1100", "s_and_b32 %2, %0, %3", "is not 1 dwords of a Sgpr"),
        ("gfx1100", "v_lshlrev_b64 %4, %0, %1", "is not 2 dwords"),
        ("gfx1100", "global_load_b32 %0, %0, off", "is not 2 dwords of a Vgpr"),
        // What the processor has.
        ("gfx906", "v_xor3_b32 %0, %0, %1, %1", "has no v_xor3_b32"),
        ("gfx1100", "v_lshl_add_u64 %4, %4, 1, %4", "has no v_lshl_add_u64"),
        // Constants.
        ("gfx942", "v_perm_b32 %0, %0, %1, 0x12345", "literals"),
        ("gfx1100", "v_perm_b32 %0, 0x54321, %1, 0x12345", "literals"),
        ("gfx942", "v_lshlrev_b64 %4, %0, 0x123456789", "is a literal of 64 bits"),
        ("gfx1100", "s_and_b32 %2, 0x123456789, %3", "does not fit"),
        // The constant bus: one read before gfx10, then two, but one for shifts of 64 bits.
        ("gfx942", "v_perm_b32 %0, %2, %3, %1", "over the constant bus"),
        ("gfx1100", "v_perm_b32 %0, %2, %3, 0x12345", "over the constant bus"),
        ("gfx1100", "v_lshlrev_b64 %4, %2, %5", "over the constant bus"),
        // Short encodings.
        ("gfx1100", "v_add_f32 %0, %1, %2", "the second source of the short encoding is a VGPR"),
        ("gfx1100", "v_cndmask_b32 %0, %1, %1, %2", "is not VCC in the short encoding"),
        // Copies.
        ("gfx1100", "%2 = copy %0", "is a VGPR and"),
        ("gfx1100", "%5 = copy %2", "differ in size"),
        ("gfx1100", "%2 = copy 0x123456789", "does not fill"),
        ("gfx1100", "%0, %0 = parallel_copy %1, 0", "is written twice"),
        // SCC.
        ("gfx1100", "s_cselect_b32 %2, %2, %3", "reads SCC, which nothing has set"),
    ] {
        let fault = verdict(target, body).err().unwrap_or_default();
        let first = fault.lines().next().unwrap_or("nothing");
        if !first.contains(message) {
            wrong += &format!("{target}: {body}: {message:?} is expected, not {first:?}\n");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn broken_blocks_are_refused() {
    let target = Target::parse("gfx1100").unwrap();
    let sound = "func @f {\n%0: s1\nbb0 -> bb1, bb2 | bb1, bb2:\n  s_cmp_eq_u32 %0, 0\n  branch_scc bb1, bb2\nbb1 -> bb2 | bb2:\n  jump bb2\nbb2:\n  exit\n}\n";
    let func = text::parse(sound).unwrap_or_else(|d| panic!("{}", d.message));
    assert_eq!(verify(&func, &target), Ok(()));
    let broken = |change: &dyn Fn(&mut warp2wave::mir::MirFunc)| {
        let mut func = func.clone();
        change(&mut func);
        verify(&func, &target).expect_err("a fault")
    };
    let twice = broken(&|func| func.layout.push(func.layout[1]));
    assert!(twice.contains("is in the layout twice"), "{twice}");
    let lost = broken(&|func| func.layout.truncate(2));
    assert!(lost.contains("is not in the layout"), "{lost}");
    let entry = broken(&|func| func.layout.swap(0, 1));
    assert!(entry.contains("the entry is not the first block"), "{entry}");
    let edges = broken(&|func| func.blocks[func.entry].logical_succs.truncate(1));
    assert!(edges.contains("the logical successors are"), "{edges}");
    let flag = broken(&|func| func.blocks[func.entry].insts.clear());
    assert!(flag.contains("branches by SCC, which nothing has set"), "{flag}");
}
