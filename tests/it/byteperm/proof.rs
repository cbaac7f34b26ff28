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
            let line = program.text.lines().filter(|line| line.contains("prmt")).nth(n).unwrap_or("");
            assert!(got == want, "{} on {id} is {got:?}, not {want:?}", line.trim());
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
