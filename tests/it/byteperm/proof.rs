//! Every selector, every mode, on every family.

use super::*;
use rayon::prelude::*;

/// Selectors in one kernel: what they store must be in reach of an offset.
const CHUNK: usize = 255;

/// Proves a kernel on each kind of processor: result n must be `want(n)` given the inputs.
fn prove(program: &Program, inputs: &[Word], want: impl Fn(usize) -> Word) {
    let kernel = program.kernel();
    let mut proved = Proved::default();
    for (target, _) in kinds() {
        let func = selected_for(&kernel, target);
        if !proved.add(&func) {
            continue;
        }
        for (n, got) in outputs(&func, inputs, program.results).into_iter().enumerate() {
            let want = want(n);
            let line = || program.text.lines().filter(|line| line.contains("prmt")).nth(n).unwrap_or("").trim();
            assert!(got == want, "{} on {target} is {got:?}, not {want:?}", line());
        }
    }
}

fn named() -> [Word; 3] {
    [0, 1, 2].map(Word::named)
}

/// All 65,536 selectors in pieces, each with what is above bit 15, which must not count.
fn all_selectors(each: impl Fn(&[u32]) + Sync + Send) {
    let all: Vec<u32> = (0..0x1_0000).map(|selector| selector | 0x5a3c_0000 << (selector & 1)).collect();
    all.par_chunks(CHUNK).for_each(each);
}

/// `prmt.b32 %d, a, b, selector` for each selector.
fn program_of(a: &str, b: &str, selectors: &[u32]) -> Program {
    let mut program = Program::new();
    selectors.iter().for_each(|selector| program.line(&format!("prmt.b32 %d, {a}, {b}, 0x{selector:x};")));
    program
}

#[test]
fn processors_of_a_kind_are_alike() {
    let kernel = program_of("%a", "%b", &[0x3210, 0x9a41, 0x0123, 0x8888, 0xeca8, 0xb2e7, 0xaaa2, 0x0f0a]).kernel();
    let modes = MODES.map(|mode| {
        let mut program = Program::new();
        program.line(&format!("prmt.b32.{mode} %d, %a, %b, %c;"));
        program.kernel()
    });
    let mut count = 0;
    for (first, others) in kinds() {
        count += 1 + others.len();
        for kernel in modes.iter().chain([&kernel]) {
            let own = moves(&selected_for(kernel, first));
            assert!(others.iter().all(|other| moves(&selected_for(kernel, other)) == own), "not all are like {first}");
        }
    }
    assert_eq!(count, Target::all().count());
}

#[test]
fn generic_constant_selectors() {
    let [a, b, _] = named();
    all_selectors(|selectors| {
        prove(&program_of("%a", "%b", selectors), &named(), |n| expected(rule("", selectors[n]), &a, &b));
    });
}

/// One register twice.
#[test]
fn generic_constant_selectors_of_one_register() {
    let [a, _, _] = named();
    all_selectors(|selectors| {
        prove(&program_of("%a", "%a", selectors), &named(), |n| expected(rule("", selectors[n]), &a, &a));
    });
}

/// `a` or `b` is a constant of which no byte vanishes, whose signs are of both kinds: each selection of bytes of a register, bytes of a constant,
/// 0x00 and 0xff is one of these. The first needs a literal or a register, the second is the inline constant 1 / (2 pi).
const OPAQUE: [u32; 2] = [0x1281_9a34, 0x3e22_f983];

#[test]
fn constant_operands_on_every_processor() {
    let [a, b, _] = named();
    for constant in OPAQUE {
        let k = Word::constant(constant);
        let text = format!("0x{constant:x}");
        all_selectors(|selectors| {
            prove(&program_of("%a", &text, selectors), &named(), |n| expected(rule("", selectors[n]), &a, &k));
            prove(&program_of(&text, "%b", selectors), &named(), |n| expected(rule("", selectors[n]), &k, &b));
        });
    }
}

/// Bytes of constants that vanish, before a processor is known: what remains is one of the selections above. Folding looks at each
/// byte alone: it is 0x00, 0xff, or another one with its top bit clear or set. Each of these in each place has all selectors; the same in all
/// places, and inline constants, have some.
#[test]
fn constant_operands_fold() {
    let [a, b, _] = named();
    let kinds = u32::from_le_bytes([0x00, 0xff, 0x7f, 0x80]);
    let rotated = (0..4).map(|n| (kinds.rotate_left(8 * n), 1));
    let alike =
        [0, u32::MAX, 0x7f7f_7f7f, 0x8080_8080, 1, 64, -16i32 as u32, 0x3f80_0000].map(|constant| (constant, 19));
    for (constant, step) in rotated.chain(alike) {
        let k = Word::constant(constant);
        let text = format!("0x{constant:x}");
        all_selectors(|selectors| {
            let selectors: Vec<u32> = selectors.iter().copied().step_by(step).collect();
            for (left, right) in [("%a", &text[..]), (&text[..], "%b")] {
                let (x, y) = if left == "%a" { (&a, &k) } else { (&k, &b) };
                let got = meanings(&program_of(left, right, &selectors).kernel(), &named(), selectors.len());
                for (n, got) in got.into_iter().enumerate() {
                    let want = expected(rule("", selectors[n]), x, y);
                    assert!(got == want, "prmt of {left} and {right} by {:#x} is {got:?}", selectors[n]);
                }
            }
        });
    }
}

const MODES: [&str; 6] = ["f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];

#[test]
fn modes_with_constant_selectors() {
    let [a, b, _] = named();
    let words = [("%a", "%b", a, b), ("%b", "%b", b, b)];
    let constants = OPAQUE.map(|k| (format!("0x{k:x}"), Word::constant(k)));
    let with_constants = constants.iter().flat_map(|(text, k)| [("%a", &text[..], a, *k), (&text[..], "%b", *k, b)]);
    let operands: Vec<(&str, &str, Word, Word)> = words.into_iter().chain(with_constants).collect();
    for mode in MODES {
        let (mut program, mut wanted) = (Program::new(), vec![]);
        for selector in 0..4u32 {
            // Only c[1:0] counts.
            for garbage in [0u32, 0xffff_fffc, 0x8888_8888] {
                for (left, right, x, y) in &operands {
                    program.line(&format!("prmt.b32.{mode} %d, {left}, {right}, 0x{:x};", selector | garbage));
                    wanted.push(expected(rule(mode, selector), x, y));
                }
            }
        }
        prove(&program, &named(), |n| wanted[n]);
    }
}

/// Register selectors: every value of the bits that count, whatever is in the others, with named data; two registers, one twice, and a
/// constant on either side.
#[test]
fn register_selectors() {
    let [a, b, _] = named();
    let k = Word::constant(OPAQUE[0]);
    let text = format!("0x{:x}", OPAQUE[0]);
    let operands = [("%a", "%b", a, b), ("%a", "%a", a, a), ("%a", &text[..], a, k), (&text[..], "%b", k, b)];
    let modes = ["", "f4e", "b4e", "rc8", "ecl", "ecr", "rc16"];
    let cases: Vec<_> = modes.iter().flat_map(|mode| operands.map(|operands| (*mode, operands))).collect();
    cases.into_par_iter().for_each(|(mode, (left, right, x, y))| {
        let mut program = Program::new();
        let suffix = if mode.is_empty() { String::new() } else { format!(".{mode}") };
        program.line(&format!("prmt.b32{suffix} %d, {left}, {right}, %c;"));
        let kernel = program.kernel();
        let mut proved = Proved::default();
        for (target, _) in kinds() {
            let func = selected_for(&kernel, target);
            if !proved.add(&func) {
                continue;
            }
            // The modes ignore all but two bits, and so may the proof. Other operands in the same instructions need no more than a look.
            let count = if mode.is_empty() { 0x1_0000 } else { 4 };
            let step = if mode.is_empty() && (left, right) != ("%a", "%b") { 7 } else { 1 };
            (0..count).into_par_iter().step_by(step).for_each(|selector| {
                let c = if mode.is_empty() { with_garbage(selector) } else { two_bits(selector) };
                let got = outputs(&func, &[a, b, c], 1)[0];
                let want = expected(rule(mode, selector), &x, &y);
                assert!(got == want, "prmt{suffix} of {left} and {right} by {selector:#x} on {target} is {got:?}");
            });
        }
    });
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
