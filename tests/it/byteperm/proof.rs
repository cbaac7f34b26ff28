//! Every selector, every mode, on every family.

use super::*;

/// Selectors in one kernel: what they store must be in reach of an offset.
const CHUNK: u32 = 255;

/// Proves a kernel on each processor: result n must be `want(n)` given the inputs.
fn prove(program: &Program, ids: &[&str], inputs: &[Word], want: impl Fn(usize) -> Word) {
    let kernel = program.kernel();
    let mut proved = Proved::default();
    for id in ids {
        let func = selected(&kernel, id);
        if !proved.add(&func) {
            continue;
        }
        for (n, got) in outputs(&func, inputs, program.results).into_iter().enumerate() {
            let want = want(n);
            let line = || program.text.lines().filter(|line| line.contains("prmt")).nth(n).unwrap_or("").trim();
            assert!(got == want, "{} on {id} is {got:?}, not {want:?}", line());
        }
    }
}

/// One processor of each op table.
const TABLES: [&str; 4] = ["gfx90a", "gfx1030", "gfx1100", "gfx1250"];

fn named() -> [Word; 3] {
    [0, 1, 2].map(Word::named)
}

#[test]
fn generic_constant_selectors() {
    for first in (0..0x1_0000).step_by(CHUNK as usize) {
        let mut program = Program::new();
        for selector in first..(first + CHUNK).min(0x1_0000) {
            // What is above bit 15 must not count.
            program.line(&format!("prmt.b32 %d, %a, %b, 0x{:x};", selector | 0x5a3c_0000 << (selector & 1)));
        }
        let [a, b, _] = named();
        prove(&program, &FAMILIES, &named(), |n| expected(rule("", first + n as u32), &a, &b));
    }
}

/// One register twice. Which of its two names a byte goes by is no question here, so one pattern of names will do.
#[test]
fn generic_constant_selectors_of_one_register() {
    let selectors: Vec<u32> = (0..0x1_0000).filter(|s| s & 0x4444 == 0x4040).collect();
    for selectors in selectors.chunks(CHUNK as usize) {
        let mut program = Program::new();
        selectors.iter().for_each(|s| program.line(&format!("prmt.b32 %d, %a, %a, 0x{s:x};")));
        let [a, _, _] = named();
        prove(&program, &FAMILIES, &named(), |n| expected(rule("", selectors[n]), &a, &a));
    }
}

/// `a` or `b` is a constant: zero and ones, which vanish into the selector, and bytes that may not.
#[test]
fn constant_operands() {
    let [a, b, _] = named();
    for (constant, step) in [(0u32, 1), (0xffff_ffff, 11), (0x6400_80ff, 7)] {
        let k = Word::constant(constant);
        let selectors: Vec<u32> = (0..0x1_0000).step_by(step).collect();
        for selectors in selectors.chunks(CHUNK as usize / 2) {
            let (mut program, mut wanted) = (Program::new(), vec![]);
            for &selector in selectors {
                program.line(&format!("prmt.b32 %d, %a, 0x{constant:x}, 0x{selector:x};"));
                wanted.push(expected(rule("", selector), &a, &k));
                // The operands the other way round are the same permute of another name.
                if selector % 5 != 0 {
                    continue;
                }
                program.line(&format!("prmt.b32 %d, 0x{constant:x}, %b, 0x{:x};", selector ^ 0x4444));
                wanted.push(expected(rule("", selector ^ 0x4444), &k, &b));
            }
            prove(&program, &TABLES, &named(), |n| wanted[n]);
        }
    }
}

const MODES: [&str; 6] = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];

#[test]
fn modes_with_constant_selectors() {
    let (mut program, mut wanted) = (Program::new(), vec![]);
    let [a, b, _] = named();
    for mode in MODES {
        for selector in 0..4u32 {
            // Only c[1:0] counts.
            for garbage in [0u32, 0xffff_fffc, 0x8888_8888] {
                program.line(&format!("prmt.b32.{mode} %d, %a, %b, 0x{:x};", selector | garbage));
                wanted.push(expected(rule(mode, selector), &a, &b));
                program.line(&format!("prmt.b32.{mode} %d, %b, %b, 0x{:x};", selector | garbage));
                wanted.push(expected(rule(mode, selector), &b, &b));
            }
        }
    }
    prove(&program, &FAMILIES, &named(), |n| wanted[n]);
}

/// Register selectors: every value of the bits that count, whatever is in the others, with named data.
#[test]
fn register_selectors() {
    let [a, b, _] = named();
    for mode in ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"] {
        let mut program = Program::new();
        let suffix = if mode.is_empty() { String::new() } else { format!(".{mode}") };
        program.line(&format!("prmt.b32{suffix} %d, %a, %b, %c;"));
        let kernel = program.kernel();
        let mut proved = Proved::default();
        for id in FAMILIES {
            let func = selected(&kernel, id);
            if !proved.add(&func) {
                continue;
            }
            // The modes ignore all but two bits, and so may the proof.
            let count = if mode.is_empty() { 0x1_0000 } else { 4 };
            for selector in 0..count {
                let c = if mode.is_empty() { with_garbage(selector) } else { two_bits(selector) };
                let got = outputs(&func, &[a, b, c], 1)[0];
                let want = expected(rule(mode, selector), &a, &b);
                assert!(got == want, "prmt{suffix} by {selector:#x} on {id} is {got:?}, not {want:?}");
            }
        }
    }
}

fn two_bits(selector: u32) -> Word {
    let c = Word::named(2);
    Word(std::array::from_fn(|n| if n < 2 { Bit::known(selector >> n & 1 == 1) } else { c.0[n] }))
}

/// Selectors that never ask for a sign, as `__byte_perm` makes them, and two permutes that share one.
#[test]
fn register_selectors_without_signs() {
    let [a, b, _] = named();
    let mut program = Program::new();
    program.line("and.b32 %t, %c, 0x7777; prmt.b32 %d, %a, %b, %t;");
    program.line("prmt.b32 %d, %b, %a, %t;");
    let kernel = program.kernel();
    let mut proved = Proved::default();
    for id in FAMILIES {
        let func = selected(&kernel, id);
        let perms = moves(&func).iter().filter(|inst| inst.op.name == "v_perm_b32").count();
        assert_eq!(perms, 3, "one spreads the selector of both on {id}");
        if !proved.add(&func) {
            continue;
        }
        for selector in (0..0x1_0000).filter(|selector| selector & 0x8888 == 0) {
            // The bits of signs are masked away: any will do.
            let c = Word(std::array::from_fn(|n| {
                if n < 16 && n % 4 == 3 { Word::named(2).0[n] } else { with_garbage(selector).0[n] }
            }));
            let got = outputs(&func, &[a, b, c], 2);
            let want = [expected(rule("", selector), &a, &b), expected(rule("", selector), &b, &a)];
            assert!(got == want, "{selector:#x} on {id} is {got:?}, not {want:?}");
        }
    }
}

/// What arrives as shifts, masks, conversions and selectors made of parts is one permute.
#[test]
fn chains_become_one_permute() {
    let [a, b, _] = named();
    let by = |nibbles: u32| expected(rule("", nibbles), &a, &b);
    let zero = Word::ZERO;
    let of_zero = |nibbles: u32| expected(rule("", nibbles), &a, &zero);
    let cases: [(&str, Word); 8] = [
        // A selector in parts.
        ("mov.u32 %r0, 0x1200; or.b32 %r0, %r0, 0x34; shl.b32 %r0, %r0, 0; prmt.b32 %d, %a, %b, %r0;", by(0x1234)),
        ("mov.u16 %h0, 0x4567; cvt.u32.u16 %r0, %h0; prmt.b32 %d, %a, %b, %r0;", by(0x4567)),
        // Endian swap by shifts and masks.
        (
            "shl.b32 %r0, %a, 24; shl.b32 %r1, %a, 8; and.b32 %r1, %r1, 0xff0000; or.b32 %r0, %r0, %r1; shr.u32 %r1, %a, 8; \
             and.b32 %r1, %r1, 0xff00; or.b32 %r0, %r0, %r1; shr.u32 %r1, %a, 24; or.b32 %d, %r0, %r1;",
            by(0x0123),
        ),
        // Bytes out of one word and into another.
        ("bfe.u32 %r0, %a, 8, 8; bfi.b32 %d, %r0, %b, 16, 8;", by(0x7154)),
        ("bfe.s32 %r0, %a, 16, 8; and.b32 %r0, %r0, 0xffff; shl.b32 %r1, %b, 16; or.b32 %d, %r0, %r1;", by(0x54a2)),
        // Conversions.
        ("cvt.u16.u32 %h0, %a; cvt.s16.s8 %h0, %h0; cvt.s32.s16 %d, %h0;", by(0x8880)),
        ("shr.u32 %r0, %a, 8; cvt.u16.u32 %h0, %r0; cvt.u32.u16 %d, %h0;", of_zero(0x4421)),
        ("mov.b32 {%h0, %h1}, %a; mov.b32 {%h2, %h3}, %b; mov.b32 %d, {%h1, %h2};", by(0x5432)),
    ];
    let mut bare = Program::new();
    bare.line("mov.b32 %d, %a;");
    let bare = bare.kernel();
    for (body, want) in cases {
        let mut program = Program::new();
        program.line(&format!("{{ .reg .b16 %h<4>; {body} }}"));
        let kernel = program.kernel();
        for id in FAMILIES {
            let func = selected(&kernel, id);
            let got = outputs(&func, &named(), 1)[0];
            assert!(got == want, "{body} on {id} is {got:?}, not {want:?}");
            // Beside the address of the thread.
            let names = |func: &MirFunc| moves(func).iter().map(|inst| inst.op.name).collect::<Vec<_>>();
            let vector = |names: &[&str]| names.iter().filter(|name| name.starts_with("v_")).count();
            let (own, bare) = (names(&func), names(&selected(&bare, id)));
            let least = if want == by(0x54a2) { 2 } else { 1 };
            assert_eq!(vector(&own), vector(&bare) + least, "{body} on {id}: {own:?}");
        }
    }
}

/// GFX9 holds a selector in a register: in a loop it is put there once, in front, and equal ones share it.
#[test]
fn selectors_leave_loops() {
    let mut program = Program::new();
    program.text += "    .reg .pred %p;\n    mov.u32 %r0, 0;\nLOOP:\n    prmt.b32 %a, %a, %b, 0x1062;\n    xor.b32 %b, %b, %a;\n    \
                     prmt.b32 %b, %b, %a, 0x1062;\n    setp.lt.u32 %p, %a, 77;\n    @%p bra NEXT;\n    \
                     prmt.b32 %b, %a, %b, 0x1062;\nNEXT:\n    add.u32 %r0, %r0, 1;\n    setp.lt.u32 %p, %r0, %c;\n    \
                     @%p bra LOOP;\n";
    program.line("xor.b32 %d, %a, %b;");
    let func = selected(&program.kernel(), "gfx942");
    let selector = |block: &&warp2wave::mir::Block| {
        func.blocks[**block]
            .insts
            .iter()
            .any(|inst| matches!(inst.kind, InstKind::Copy { src: Operand::Imm(bits), .. } if bits == 0x0100_0602))
    };
    let with: Vec<_> = func.layout.iter().filter(selector).collect();
    assert_eq!(with, [&func.entry], "{}", warp2wave::mir::text::print(&func));
    let perms = func.layout.iter().flat_map(|&block| &func.blocks[block].insts);
    let perms = perms.filter(|inst| matches!(&inst.kind, InstKind::Op(op) if op.op.name == "v_perm_b32")).count();
    assert_eq!(perms, 3);
}
