//! `vote`, `activemask`, `match`, `redux`, `elect` and the lane masks, in warps whole and partial, by groups of threads.

use super::{BLOCKS, TARGETS, kernel, noise, run, threads, warps};

/// Runs a kernel in every block on every target; `expected` gives each thread's words, out of all inputs, its warp's threads and itself.
#[track_caller]
fn everywhere(
    words: usize,
    body: &str,
    input: impl Fn(u32) -> u32,
    expected: impl Fn(&[u32], std::ops::Range<usize>, usize) -> Vec<u32>,
) {
    let source = kernel(words as u32, body);
    for target in TARGETS {
        for block in BLOCKS {
            let input: Vec<u32> = (0..threads(block) as u32).map(&input).collect();
            let got = run(target, &source, block, words, &input);
            for warp in warps(input.len()) {
                for thread in warp.clone() {
                    assert_eq!(
                        got[thread],
                        expected(&input, warp.clone(), thread),
                        "{target} {block:?}, thread {thread}"
                    );
                }
            }
        }
    }
}

/// The mask of the warp's threads that something holds for.
fn mask(warp: std::ops::Range<usize>, of: impl Fn(usize) -> bool) -> u32 {
    warp.filter(|&t| of(t)).fold(0, |mask, t| mask | 1 << (t & 31))
}

#[test]
fn votes_of_whole_warps() {
    let mut body = String::from("and.b32 %r10, %in, 3;\nsetp.eq.u32 %p1, %r10, 0;\nsetp.ne.u32 %p2, %r10, 4;\n");
    let stores = |n: usize, reg: &str| format!("st.global.u32 [%at+{}], {reg};\n", 4 * n);
    body += "vote.sync.ballot.b32 %r20, %p1, -1;\nvote.ballot.b32 %r21, !%p1;\nvote.sync.ballot.b32 %r22, %p1, 0x00ff00ff;\n";
    body += "activemask.b32 %r23;\n";
    body += "vote.sync.ballot.b32 %r24, 1, -1;\n";
    for (n, form) in
        ["all.pred %p3, %p1", "any.pred %p3, %p1", "uni.pred %p3, %p1", "all.pred %p3, %p2", "uni.pred %p3, !%p2"]
            .iter()
            .enumerate()
    {
        body += &format!("vote.sync.{form}, 0xffffffff;\nselp.u32 %r{}, 1, 0, %p3;\n", 25 + 2 * n);
        body += &format!("vote.{form};\nselp.u32 %r{}, 1, 0, %p3;\n", 26 + 2 * n);
    }
    for n in 0..15 {
        body += &stores(n, &format!("%r{}", 20 + n));
    }
    // A third of the words are multiples of 4; of some warps all are.
    let input = |n: u32| if n / 32 % 3 == 1 { 8 } else { noise(n) };
    everywhere(15, &body, input, |input, warp, _| {
        let zero = |t: usize| input[t] & 3 == 0;
        let alive = mask(warp.clone(), |_| true);
        let votes = mask(warp.clone(), zero);
        let (all, any) = (votes == alive, votes != 0);
        let mut words = vec![votes, alive & !votes, votes & 0x00ff_00ff, alive, alive];
        for vote in [all, any, all || !any, true, true] {
            words.extend([vote as u32; 2]);
        }
        words
    });
}

#[test]
fn threads_that_left_are_not_counted() {
    // A third of the threads end early: without a trace, or by a store.
    for end in ["@%p1 exit;", "@%p1 bra END;"] {
        let body = format!(
            "rem.u32 %r10, %in, 3;
setp.eq.u32 %p1, %r10, 0;
{end}
and.b32 %r11, %in, 1;
setp.ne.u32 %p2, %r11, 0;
vote.ballot.b32 %r12, %p2;
activemask.b32 %r13;
st.global.u32 [%at], %r12;
st.global.u32 [%at+4], %r13;
ret;
END:"
        );
        everywhere(2, &body, noise, |input, warp, thread| {
            if input[thread] % 3 == 0 {
                return vec![0xcdcd_cdcd; 2];
            }
            let alive = |t: usize| input[t] % 3 != 0;
            vec![mask(warp.clone(), |t| alive(t) && input[t] & 1 == 1), mask(warp, alive)]
        });
    }
}

#[test]
fn matches() {
    let body = "and.b32 %r10, %in, 7;
match.any.sync.b32 %r11, %r10, -1;
st.global.u32 [%at], %r11;
shr.u32 %r12, %in, 30;
mov.b64 %d3, {%r10, %r12};
match.any.sync.b64 %r11, %d3, 0xffffffff;
st.global.u32 [%at+4], %r11;
match.all.sync.b32 %r11|%p1, %r10, -1;
selp.u32 %r13, 1, 0, %p1;
st.global.v2.u32 [%at+8], {%r11, %r13};
match.all.sync.b64 %r11, %d3, -1;
st.global.u32 [%at+16], %r11;
match.any.sync.b32 %r11, %in, -1;
st.global.u32 [%at+20], %r11;";
    let body = body.replace(
        "st.global.v2.u32 [%at+8], {%r11, %r13};",
        "st.global.u32 [%at+8], %r11;\nst.global.u32 [%at+12], %r13;",
    );
    let input = |n: u32| if n / 32 % 3 == 1 { 0xc000_0005 } else { noise(n) };
    everywhere(6, &body, input, |input, warp, thread| {
        let own = input[thread];
        let low = mask(warp.clone(), |t| input[t] & 7 == own & 7);
        let both = mask(warp.clone(), |t| (input[t] & 7, input[t] >> 30) == (own & 7, own >> 30));
        let alive = mask(warp.clone(), |_| true);
        let all = |same: u32| if same == alive { alive } else { 0 };
        vec![low, both, all(low), (low == alive) as u32, all(both), mask(warp, |t| input[t] == own)]
    });
}

#[test]
fn groups_with_masks_of_their_own() {
    // The threads of a warp that agree in two bits form a group, all groups at once.
    let body = "and.b32 %r10, %in, 3;
match.any.sync.b32 %r11, %r10, -1;
redux.sync.add.u32 %r12, %in, %r11;
redux.sync.max.s32 %r13, %in, %r11;
redux.sync.xor.b32 %r14, %in, %r11;
elect.sync %r15|%p1, %r11;
selp.u32 %r16, 1, 0, %p1;
shr.u32 %r17, %in, 2;
and.b32 %r17, %r17, 1;
setp.ne.u32 %p2, %r17, 0;
vote.sync.ballot.b32 %r18, %p2, %r11;
vote.sync.any.pred %p3, %p2, %r11;
selp.u32 %r19, 1, 0, %p3;
match.all.sync.b32 %r20, %r17, %r11;
st.global.u32 [%at], %r12;
st.global.u32 [%at+4], %r13;
st.global.u32 [%at+8], %r14;
st.global.u32 [%at+12], %r15;
st.global.u32 [%at+16], %r16;
st.global.u32 [%at+20], %r18;
st.global.u32 [%at+24], %r19;
st.global.u32 [%at+28], %r20;";
    everywhere(8, body, noise, |input, warp, thread| {
        let group: Vec<usize> = warp.filter(|&t| input[t] & 3 == input[thread] & 3).collect();
        let words = || group.iter().map(|&t| input[t]);
        let members = mask(0..1024, |t| group.contains(&t));
        let votes = group.iter().filter(|&&t| input[t] & 4 != 0).fold(0, |mask, t| mask | 1 << (t & 31));
        vec![
            words().fold(0, u32::wrapping_add),
            words().map(|w| w as i32).max().unwrap() as u32,
            words().fold(0, |a, b| a ^ b),
            group[0] as u32 & 31,
            (group[0] == thread) as u32,
            votes,
            (votes != 0) as u32,
            if votes == 0 || votes == members { members } else { 0 },
        ]
    });
}

#[test]
fn reductions() {
    let forms = ["add.u32", "add.s32", "min.u32", "min.s32", "max.u32", "max.s32", "and.b32", "or.b32", "xor.b32"];
    let mut body = String::new();
    for (n, form) in forms.iter().enumerate() {
        body += &format!("redux.sync.{form} %r10, %in, -1;\nst.global.u32 [%at+{}], %r10;\n", 4 * n);
    }
    // Never all of the bits, and never none.
    everywhere(
        forms.len(),
        &body,
        |n| noise(n) & !0x40 | 0x10,
        |input, warp, _| {
            let words = || warp.clone().map(|t| input[t]);
            let signed = || words().map(|w| w as i32);
            let sum = words().fold(0, u32::wrapping_add);
            vec![
                sum,
                sum,
                words().min().unwrap(),
                signed().min().unwrap() as u32,
                words().max().unwrap(),
                signed().max().unwrap() as u32,
                words().fold(u32::MAX, |a, b| a & b),
                words().fold(0, |a, b| a | b),
                words().fold(0, |a, b| a ^ b),
            ]
        },
    );
}

#[test]
fn float_reductions() {
    let forms = ["min", "max", "min.abs", "max.abs", "min.NaN", "max.NaN", "min.abs.NaN", "max.abs.NaN"];
    let mut body = String::from("mov.b32 %f1, %in;\n");
    for (n, form) in forms.iter().enumerate() {
        body += &format!("redux.sync.{form}.f32 %f2, %f1, -1;\nst.global.f32 [%at+{}], %f2;\n", 4 * n);
    }
    // Warp 0 has numbers, warp 1 a few NaNs, warp 2 NaNs alone, warp 3 zeros of both signs.
    let input = |n: u32| match n / 32 % 4 {
        0 => noise(n) & 0xbfff_ffff,
        1 if n.is_multiple_of(5) => 0x7fc1_2345,
        1 => noise(n) & 0xbfff_ffff,
        2 => 0xffc0_0000 | n,
        _ => (n & 1) << 31,
    };
    everywhere(forms.len(), &body, input, |input, warp, _| {
        let reduce = |max: bool, abs: bool, nan: bool| {
            let mut best: Option<f32> = None;
            for bits in warp.clone().map(|t| input[t]) {
                let value = f32::from_bits(if abs { bits & 0x7fff_ffff } else { bits });
                if value.is_nan() {
                    if nan {
                        return 0x7fff_ffff;
                    }
                    continue;
                }
                let better = |b: f32| if max { value.total_cmp(&b).is_gt() } else { value.total_cmp(&b).is_lt() };
                if best.is_none_or(better) {
                    best = Some(value);
                }
            }
            best.map_or(0x7fff_ffff, f32::to_bits)
        };
        let mut words = vec![];
        for (abs, nan) in [(false, false), (true, false), (false, true), (true, true)] {
            words.extend([reduce(false, abs, nan), reduce(true, abs, nan)]);
        }
        words
    });
}

#[test]
fn numbers_and_masks_of_a_thread() {
    let names =
        ["laneid", "warpid", "nwarpid", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt"];
    let mut body = String::new();
    for (n, name) in names.iter().enumerate() {
        body += &format!("mov.u32 %r10, %{name};\nst.global.u32 [%at+{}], %r10;\n", 4 * n);
    }
    body += "mov.u32 %r10, WARP_SZ;\nst.global.u32 [%at+32], %r10;\n";
    everywhere(9, &body, noise, |_, _, thread| {
        let (lane, warp) = (thread as u32 & 31, thread as u32 / 32);
        let eq = 1u32 << lane;
        vec![lane, warp, 32, eq, eq | (eq - 1), eq - 1, !(eq - 1), !(eq | (eq - 1)), 32]
    });
}

#[test]
fn a_warp_barrier_orders_memory() {
    // Each thread writes a word, its mirror image in the warp reads it, twice over.
    let body = "mov.u32 %r10, buffer;
mad.lo.u32 %r10, %me, 4, %r10;
xor.b32 %r11, %me, 31;
mov.u32 %r12, buffer;
mad.lo.u32 %r12, %r11, 4, %r12;
st.shared.u32 [%r10], %in;
bar.warp.sync 0xffffffff;
ld.shared.u32 %r13, [%r12];
bar.warp.sync -1;
st.shared.u32 [%r10], %r13;
bar.warp.sync -1;
ld.shared.u32 %r14, [%r12];
st.global.u32 [%at], %r13;
st.global.u32 [%at+4], %r14;";
    let source = kernel(2, body).replace("{\n.reg", "{\n.shared .align 4 .b8 buffer[4096];\n.reg");
    for target in TARGETS {
        for block in [[32, 1, 1], [64, 1, 1], [96, 1, 1], [1024, 1, 1]] {
            let input: Vec<u32> = (0..threads(block) as u32).map(noise).collect();
            let got = run(target, &source, block, 2, &input);
            for (thread, got) in got.iter().enumerate() {
                assert_eq!(got, &[input[thread ^ 31], input[thread]], "{target} {block:?}, thread {thread}");
            }
        }
    }
}
