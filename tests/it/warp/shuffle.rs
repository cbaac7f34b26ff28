//! `shfl`: every mode, amount, clamp and segment; constant and computed operands; predicates; the old form.

use super::{BLOCKS, TARGETS, kernel, noise, run, threads};

/// The PTX ISA's pseudo-code of `shfl` for one thread: the thread of the warp read from, and the predicate.
fn rule(mode: &str, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (bval, cval, segmask) = (b & 0x1f, c & 0x1f, c >> 8 & 0x1f);
    let max_lane = (lane & segmask) | (cval & !segmask);
    let min_lane = lane & segmask;
    let (j, pval) = match mode {
        "up" => {
            let j = lane as i32 - bval as i32;
            (j, j >= max_lane as i32)
        }
        "down" => {
            let j = lane as i32 + bval as i32;
            (j, j <= max_lane as i32)
        }
        "bfly" => {
            let j = (lane ^ bval) as i32;
            (j, j <= max_lane as i32)
        }
        _ => {
            let j = (min_lane | (bval & !segmask)) as i32;
            (j, j <= max_lane as i32)
        }
    };
    (if pval { j as u32 } else { lane }, pval)
}

const MODES: [&str; 4] = ["up", "down", "bfly", "idx"];

/// The rolling sum that the kernel below keeps over all c.
fn mix(sum: u32, value: u32, pred: bool) -> u32 {
    sum.wrapping_mul(0x0100_0193) ^ (2 * value + pred as u32)
}

#[test]
fn all_modes_amounts_clamps_and_segments() {
    // Each thread loops over b and over the 1024 values of c's fields, with noise in the other bits; it stores a sum for each b.
    let mut body = String::from("mov.u32 %r10, 0;\nNEXT_B:\n");
    body += "mov.u32 %r20, 0;\nmov.u32 %r21, 0;\nmov.u32 %r22, 0;\nmov.u32 %r23, 0;\nmov.u32 %r11, 0;\nNEXT_C:\n";
    body += "and.b32 %r12, %r11, 31;\nshr.u32 %r13, %r11, 5;\nshl.b32 %r13, %r13, 8;\nor.b32 %r12, %r12, %r13;\n";
    body += "or.b32 %r12, %r12, 0xabc0e0e0;\n";
    for (n, mode) in MODES.iter().enumerate() {
        let sum = 20 + n;
        body += &format!("shfl.sync.{mode}.b32 %r14|%p1, %me, %r10, %r12, -1;\n");
        body += "selp.u32 %r15, 1, 0, %p1;\nmad.lo.u32 %r14, %r14, 2, %r15;\n";
        body += &format!("mul.lo.u32 %r{sum}, %r{sum}, 0x01000193;\nxor.b32 %r{sum}, %r{sum}, %r14;\n");
    }
    body += "add.u32 %r11, %r11, 1;\nsetp.lt.u32 %p2, %r11, 1024;\n@%p2 bra NEXT_C;\n";
    body += "st.global.v4.u32 [%at], {%r20, %r21, %r22, %r23};\nadd.u64 %at, %at, 16;\n";
    body += "add.u32 %r10, %r10, 1;\nsetp.lt.u32 %p2, %r10, 64;\n@%p2 bra NEXT_B;\n";
    let source = kernel(4 * 64, &body);
    let mut expected = vec![];
    for thread in 0..64u32 {
        let mut words = vec![];
        for b in 0..64 {
            for mode in MODES {
                words.push((0..1024).fold(0, |sum, n| {
                    let (from, ok) = rule(mode, thread & 31, b, n & 31 | (n >> 5) << 8);
                    mix(sum, thread & 32 | from, ok)
                }));
            }
        }
        expected.push(words);
    }
    for target in ["gfx1100", "gfx942"] {
        let got = run(target, &source, [64, 1, 1], 4 * 64, &[0; 64]);
        for thread in 0..64 {
            for n in 0..4 * 64 {
                let (b, mode) = (n / 4, MODES[n % 4]);
                assert_eq!(got[thread][n], expected[thread][n], "{target}: shfl.{mode}, b = {b}, thread {thread}");
            }
        }
    }
}

/// Constant operands, each in a form of its own: (mode, b, c).
fn constants() -> Vec<(&'static str, u32, u32)> {
    let mut forms = vec![];
    for mode in MODES {
        let full = if mode == "up" { 0 } else { 0x1f };
        for b in [0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 24, 31, 32, 33] {
            forms.push((mode, b, full));
        }
        for (width, segment) in [(2, 0x1e00), (4, 0x1c00), (8, 0x1800), (16, 0x1000)] {
            for b in [1, width / 2, width - 1] {
                forms.push((mode, b, segment | full));
            }
        }
        forms.extend([(mode, 3, 0x0a05), (mode, 6, 0x1f), (mode, 6, 0), (mode, 1, 0x0111), (mode, 20, 0x0c)]);
    }
    forms
}

#[test]
fn constant_operands() {
    let forms = constants();
    for (group, forms) in forms.chunks(32).enumerate() {
        let mut body = String::new();
        for (n, (mode, b, c)) in forms.iter().enumerate() {
            let sync = if n % 3 == 0 { ("", "") } else { (".sync", ", 0xffffffff") };
            body += &format!("shfl{}.{mode}.b32 %r10|%p1, %in, {b}, {c}{};\n", sync.0, sync.1);
            body += "selp.u32 %r11, 1, 0, %p1;\n";
            body += &format!("st.global.v2.u32 [%at+{}], {{%r10, %r11}};\n", 8 * n);
        }
        let source = kernel(2 * forms.len() as u32, &body);
        let input: Vec<u32> = (0..96).map(noise).collect();
        for target in TARGETS {
            let got = run(target, &source, [96, 1, 1], 2 * forms.len(), &input);
            for (thread, got) in got.iter().enumerate() {
                for (n, &(mode, b, c)) in forms.iter().enumerate() {
                    let (from, ok) = rule(mode, thread as u32 & 31, b, c);
                    let value = input[(thread & !31) + from as usize];
                    let what = format!("{target}: group {group}, shfl.{mode} {b}, {c:#x}, thread {thread}");
                    assert_eq!((got[2 * n], got[2 * n + 1]), (value, ok as u32), "{what}");
                }
            }
        }
    }
}

#[test]
fn maps_of_maps_and_bytes() {
    // Two exchanges are one; a byte reversal between shuffles; a source computed from the thread's number.
    let body = "shfl.sync.bfly.b32 %r10, %in, 3, 31, -1;
shfl.sync.bfly.b32 %r10, %r10, 19, 31, -1;
st.global.u32 [%at], %r10;
shfl.sync.bfly.b32 %r11, %in, 1, 31, -1;
prmt.b32 %r11, %r11, 0, 0x0123;
shfl.sync.down.b32 %r11, %r11, 1, 31, -1;
prmt.b32 %r11, %r11, 0, 0x0123;
st.global.u32 [%at+4], %r11;
xor.b32 %r12, %lane, 31;
shfl.sync.idx.b32 %r13, %in, %r12, 31, -1;
st.global.u32 [%at+8], %r13;
shfl.sync.idx.b32 _|%p1, %in, 40, 31, -1;
selp.u32 %r14, 1, 0, %p1;
st.global.u32 [%at+12], %r14;
mad.lo.u32 %r12, %lane, 7, 5;
shfl.sync.idx.b32 %r13, %in, %r12, 31, -1;
st.global.u32 [%at+16], %r13;";
    let source = kernel(5, body);
    let input: Vec<u32> = (0..64).map(noise).collect();
    for target in TARGETS {
        let got = run(target, &source, [64, 1, 1], 5, &input);
        for (thread, got) in got.iter().enumerate() {
            let (base, lane) = (thread & !31, thread & 31);
            let down = (lane + 1).min(31);
            let expected = [
                input[base + (lane ^ 16)],
                input[base + (down ^ 1)],
                input[base + 31 - lane],
                1,
                input[base + (7 * lane + 5) % 32],
            ];
            assert_eq!(got[..], expected, "{target}, thread {thread}");
        }
    }
}

#[test]
fn partial_warps_and_divergent_callers() {
    // Threads whose word is odd shuffle alone, by the old form and by the new one with the mask of those that are there.
    let body = "and.b32 %r10, %in, 1;
setp.ne.u32 %p1, %r10, 0;
mov.u32 %r11, 7;
mov.u32 %r12, 7;
mov.u32 %r13, 7;
@!%p1 bra DONE;
activemask.b32 %r13;
brev.b32 %r14, %r13;
clz.b32 %r14, %r14;
shfl.sync.idx.b32 %r11, %in, %r14, 31, %r13;
clz.b32 %r15, %r13;
sub.u32 %r15, 31, %r15;
shfl.idx.b32 %r12, %in, %r15, 31;
shfl.down.b32 %r16, %in, 1, 31;
DONE:
st.global.u32 [%at], %r11;
st.global.u32 [%at+4], %r12;
st.global.u32 [%at+8], %r13;";
    let source = kernel(3, body);
    for target in TARGETS {
        for block in BLOCKS {
            let input: Vec<u32> = (0..threads(block) as u32).map(noise).collect();
            let got = run(target, &source, block, 3, &input);
            for warp in super::warps(input.len()) {
                let there: Vec<usize> = warp.clone().filter(|&t| input[t] & 1 == 1).collect();
                let mask = there.iter().fold(0, |mask, t| mask | 1 << (t & 31));
                for thread in warp {
                    let expected = match (input[thread] & 1, there.first(), there.last()) {
                        (1, Some(&first), Some(&last)) => [input[first], input[last], mask],
                        _ => [7, 7, 7],
                    };
                    assert_eq!(got[thread], expected, "{target} {block:?}, thread {thread}");
                }
            }
        }
    }
}
