//! Where the operands of a permute are: selectors in registers, uniform operands, loaded ones.

use super::*;
use warp2wave::Options;
use warp2wave::amd::Feature;
use warp2wave::explain::{Operands, Unit, explain};
use warp2wave::ir::PrmtMode;
use warp2wave::isel::byteperm_scalar_plan;
use warp2wave::pipeline::{Stage, text_of};
use warp2wave::provenance::Byte;

/// GFX9 and CDNA: a selector stands in a register there.
fn without_literals() -> impl Iterator<Item = &'static Target> {
    kinds().iter().map(|(target, _)| target).filter(|target| !target.has(Feature::Vop3Literal))
}

fn loads_selector(inst: &warp2wave::mir::Inst, selector: u64) -> bool {
    matches!(inst.kind, InstKind::Copy { src: Operand::Imm(bits), .. } if bits == selector)
}

#[test]
fn equal_selectors_share_a_register() {
    let mut program = Program::new();
    for operands in ["%a, %b", "%b, %c", "%c, %a"] {
        program.line(&format!("prmt.b32 %d, {operands}, 0x1062;"));
    }
    let kernel = program.kernel();
    for target in without_literals() {
        let func = selected_for(&kernel, target);
        let insts = || func.blocks[func.entry].insts.iter();
        assert_eq!(insts().filter(|inst| loads_selector(inst, 0x0100_0602)).count(), 1, "{target}");
        assert_eq!(moves(&func).iter().filter(|inst| inst.op.name == "v_perm_b32").count(), 3, "{target}");
    }
}

/// In a loop a selector is put into its register once, in front, and equal ones share it.
#[test]
fn selectors_leave_loops() {
    let mut program = Program::new();
    program.text += "    .reg .pred %p;\n    mov.u32 %r0, 0;\nLOOP:\n    prmt.b32 %a, %a, %b, 0x1062;\n    xor.b32 %b, %b, %a;\n    \
                     prmt.b32 %b, %b, %a, 0x1062;\n    setp.lt.u32 %p, %a, 77;\n    @%p bra NEXT;\n    \
                     prmt.b32 %b, %a, %b, 0x1062;\nNEXT:\n    add.u32 %r0, %r0, 1;\n    setp.lt.u32 %p, %r0, %c;\n    \
                     @%p bra LOOP;\n";
    program.line("xor.b32 %d, %a, %b;");
    let kernel = program.kernel();
    for target in without_literals() {
        let func = selected_for(&kernel, target);
        let selector =
            |block: &&warp2wave::mir::Block| func.blocks[**block].insts.iter().any(|i| loads_selector(i, 0x0100_0602));
        let with: Vec<_> = func.layout.iter().filter(selector).collect();
        assert_eq!(with, [&func.entry], "{target}: {}", warp2wave::mir::text::print(&func));
        let perms = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
        let perms = perms.filter(|inst| matches!(&inst.kind, InstKind::Op(op) if op.op.name == "v_perm_b32")).count();
        assert_eq!(perms, 3, "{target}");
    }
}

/// More selectors in a loop than there are SGPRs: those without one are made again at their uses, and nothing is spilled.
#[test]
fn selectors_are_made_again_rather_than_spilled() {
    const COUNT: usize = 140;
    let mut program = Program::new();
    program.text += "    .reg .pred %p;\n    mov.u32 %r0, 0;\nLOOP:\n";
    // Any bytes of both, in an order of its own each time; sums keep one permute from becoming part of the next.
    for n in 0..COUNT {
        let [p, q, r, s] = [n % 8, n / 8 % 8, (n / 64 + 4) % 8, (n + 3) % 8];
        program.text += &format!("    prmt.b32 %a, %a, %b, 0x{p:x}{q:x}{r:x}{s:x};\n    add.u32 %b, %b, %a;\n");
    }
    program.text += "    add.u32 %r0, %r0, 1;\n    setp.lt.u32 %p, %r0, %c;\n    @%p bra LOOP;\n";
    program.line("xor.b32 %d, %a, %b;");
    let source = format!("{}    ret;\n}}\n", program.text);
    for target in without_literals() {
        let text = text_of(&source, &Options::new(target.clone()), Stage::Assembly).expect("translates");
        for spill in ["v_writelane", "v_readlane", "scratch_", "buffer_"] {
            assert!(!text.lines().any(|line| line.trim().starts_with(spill)), "{spill} on {target}");
        }
        assert_eq!(text.matches("v_perm_b32").count(), COUNT, "{target}");
    }
}

/// Uniform operands: the scalar unit where two instructions of it do, else one `v_perm_b32` of SGPRs, of which no more are
/// read at once than may be.
#[test]
fn uniform_operands() {
    let selectors =
        [0x3210, 0x5410, 0x7632, 0x5432, 0x3276, 0x4321, 0x5140, 0x0123, 0x9a41, 0x2222, 0x8880, 0xaaa2, 0x6240];
    let (mut on_scalar, mut on_vector) = (0, 0);
    for (target, _) in kinds() {
        for selector in selectors {
            let text = format!("prmt.b32 d, a, b, 0x{selector:x}");
            let explanation = explain(&text, std::slice::from_ref(target), Operands::Uniform).expect("translates");
            let group = &explanation.groups[0];
            let wanted = rule("", selector).map(|(byte, sign)| {
                // Operands are numbered in order of appearance: the result is the first name.
                let (source, byte) = (1 + byte as u8 / 4, byte as u8 % 4);
                if sign { Byte::Sign { source, byte } } else { Byte::Of { source, byte } }
            });
            assert_eq!(group.results[0].bytes, wanted, "{text} on {target}: {:?}", group.steps);
            let scalar = byteperm_scalar_plan(ByteSel::prmt(PrmtMode::Generic, selector), target);
            if let Some(plan) = scalar {
                assert_eq!(group.cost.scalar as usize, plan.steps.len(), "{text} on {target}: {:?}", group.steps);
                assert!(plan.steps.len() <= 2);
                on_scalar += 1;
            } else {
                assert_eq!(group.cost.scalar, 0, "{text} on {target}");
                on_vector += 1;
            }
            for step in group.steps.iter().filter(|step| step.unit == Unit::Vector) {
                let mut read: Vec<&str> =
                    step.text.split([' ', ',']).skip(2).filter(|word| word.starts_with('s')).collect();
                read.sort_unstable();
                read.dedup();
                assert!(read.len() <= target.constant_bus_limit() as usize, "{} on {target}", step.text);
            }
        }
    }
    assert!(on_scalar > 50 && on_vector > 50, "{on_scalar} and {on_vector}");
}

/// What several permutes take from one load is loaded once.
#[test]
fn loads_are_not_duplicated() {
    let mut program = Program::new();
    for body in
        ["prmt.b32 %d, %a, %b, 0x0123;", "prmt.b32 %d, %b, %a, 0x9a41;", "shr.u32 %d, %a, 8;", "mov.b32 %d, %a;"]
    {
        program.line(body);
    }
    // Four bytes in one access, of which two make one result and all four another.
    program.line(
        "{ .reg .b16 %h<4>; ld.global.v4.u8 {%h0, %h1, %h2, %h3}, [%in+16]; cvt.u32.u16 %r0, %h0; cvt.u32.u16 %r1, %h3; \
         shl.b32 %r1, %r1, 8; or.b32 %d, %r0, %r1; mov.b32 %r2, {%h1, %h2}; xor.b32 %d, %d, %r2; }",
    );
    let kernel = program.kernel();
    for (target, _) in kinds() {
        let func = selected_for(&kernel, target);
        let dwords: usize = func.blocks[func.entry]
            .insts
            .iter()
            .filter_map(|inst| match &inst.kind {
                InstKind::Op(op) if op.op.flags.contains(amd::Flags::LOAD) && op.op.name.starts_with("global") => {
                    Some(op.defs[0].dwords() as usize)
                }
                _ => None,
            })
            .sum();
        // `a`, `b` and the four bytes; nothing reads `c`.
        assert_eq!(dwords, 3, "{target}");
    }
}
