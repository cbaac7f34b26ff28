//! `.sync` operations that the threads of a warp do not come to together: they wait for each other, or for ever.

use super::{TARGETS, kernel, noise, run, try_run, warps};
use warp2wave::Options;
use warp2wave::amd::Target;
use warp2wave::pipeline::{Stage, text_of};

const BLOCKS: [[u32; 3]; 4] = [[64, 1, 1], [96, 1, 1], [50, 1, 1], [20, 7, 1]];

#[track_caller]
fn everywhere(words: usize, body: &str, expected: impl Fn(&[u32], std::ops::Range<usize>, usize) -> Vec<u32>) {
    let source = kernel(words as u32, body);
    for target in TARGETS {
        for block in BLOCKS {
            let input: Vec<u32> = (0..super::threads(block) as u32).map(noise).collect();
            let got = run(target, &source, block, words, &input);
            for warp in warps(input.len()) {
                for thread in warp.clone() {
                    let wanted = expected(&input, warp.clone(), thread);
                    assert_eq!(got[thread], wanted, "{target} {block:?}, thread {thread}");
                }
            }
        }
    }
}

#[test]
fn one_warp_of_several() {
    // The threads of the first warp, which a wave may share with another.
    let body = "mov.u32 %r10, 0;
setp.ge.u32 %p1, %me, 32;
@%p1 bra DONE;
shfl.sync.bfly.b32 %r10, %in, 1, 31, 0xffffffff;
vote.sync.any.pred %p2, %p1, 0xffffffff;
selp.u32 %r11, 100, 1, %p2;
add.u32 %r10, %r10, %r11;
shfl.sync.idx.b32 %r10, %r10, 3, 31, 0xffffffff;
DONE:
st.global.u32 [%at], %r10;";
    everywhere(1, body, |input, _, thread| vec![if thread < 32 { input[2].wrapping_add(1) } else { 0 }]);
}

#[test]
fn threads_that_end_on_another_way() {
    // Those with a multiple of 3 store, in a loop, and are gone; the others vote for all of the warp.
    let body = "rem.u32 %r10, %in, 3;
setp.ne.u32 %p1, %r10, 0;
@%p1 bra VOTE;
and.b32 %r12, %in, 15;
AGAIN:
st.global.u32 [%at], %r12;
add.u32 %r12, %r12, 1;
setp.lt.u32 %p2, %r12, 16;
@%p2 bra AGAIN;
exit;
VOTE:
and.b32 %r11, %in, 1;
setp.ne.u32 %p2, %r11, 0;
vote.sync.ballot.b32 %r12, %p2, 0xffffffff;
st.global.u32 [%at], %r12;";
    everywhere(1, body, |input, warp, thread| {
        if input[thread] % 3 == 0 {
            return vec![15];
        }
        let voted = warp.filter(|&t| input[t] % 3 != 0 && input[t] & 1 == 1);
        vec![voted.fold(0, |mask, t| mask | 1 << (t & 31))]
    });
}

#[test]
fn meeting_out_of_different_iterations() {
    // Even threads come in the first turn of the loop, odd ones in the second; then each group by itself, with its own mask.
    let body = "mov.u32 %r10, 0;
mov.u32 %r20, 0;
mov.u32 %r21, 0;
and.b32 %r11, %lane, 1;
setp.ne.u32 %p3, %r11, 0;
selp.b32 %r13, 0xaaaaaaaa, 0x55555555, %p3;
LOOP:
setp.ne.u32 %p1, %r10, %r11;
@%p1 bra SKIP;
shfl.sync.idx.b32 %r20, %in, 0, 31, 0xffffffff;
shfl.sync.idx.b32 %r21, %in, %r11, 31, %r13;
SKIP:
add.u32 %r10, %r10, 1;
setp.lt.u32 %p2, %r10, 3;
@%p2 bra LOOP;
shfl.sync.down.b32 %r22, %in, 1, 31, 0xffffffff;
st.global.u32 [%at], %r20;
st.global.u32 [%at+4], %r21;
vote.sync.ballot.b32 %r23, 1, -1;
st.global.u32 [%at+8], %r23;";
    everywhere(3, body, |input, warp, thread| {
        let group = warp.start + (thread & 1);
        let alive = warp.clone().fold(0, |mask, t| mask | 1 << (t & 31));
        vec![input[warp.start], input[group], alive]
    });
}

#[test]
fn a_warp_apart_and_a_barrier_for_all() {
    let body = "mov.u32 %r10, %in;
and.b32 %r11, %in, 1;
setp.ne.u32 %p1, %r11, 0;
mov.u32 %r14, buffer;
mad.lo.u32 %r14, %me, 4, %r14;
mov.u32 %r20, 0;
ROUND:
activemask.b32 %r12;
@!%p1 bra EVEN;
vote.sync.ballot.b32 %r13, 1, %r16;
add.u32 %r10, %r10, %r13;
bra.uni JOIN;
EVEN:
add.u32 %r10, %r10, 7;
JOIN:
st.shared.u32 [%r14], %r10;
bar.sync 0;
xor.b32 %r15, %r14, 4;
ld.shared.u32 %r10, [%r15];
bar.sync 0;
xor.b32 %r11, %r11, 1;
setp.ne.u32 %p1, %r11, 0;
not.b32 %r16, %r16;
add.u32 %r20, %r20, 1;
setp.lt.u32 %p2, %r20, 2;
@%p2 bra ROUND;
st.global.u32 [%at], %r10;";
    // The masks of odd and of even words are given by a vote first.
    let body = format!("and.b32 %r17, %in, 1;\nsetp.ne.u32 %p4, %r17, 0;\nvote.sync.ballot.b32 %r16, %p4, -1;\n{body}");
    let source = kernel(1, &body).replace("{\n.reg", "{\n.shared .align 4 .b8 buffer[4096];\n.reg");
    for target in TARGETS {
        for block in [[64, 1, 1], [96, 1, 1], [20, 8, 1]] {
            let input: Vec<u32> = (0..super::threads(block) as u32).map(noise).collect();
            let got = run(target, &source, block, 1, &input);
            let mut value = input.clone();
            let mut odd: Vec<bool> = input.iter().map(|w| w & 1 == 1).collect();
            for _ in 0..2 {
                let voted: Vec<u32> = (0..value.len())
                    .map(|t| (t & !31..(t & !31) + 32).filter(|&u| odd[u]).fold(0, |m, u| m | 1 << (u & 31)))
                    .collect();
                let next: Vec<u32> =
                    (0..value.len()).map(|t| value[t].wrapping_add(if odd[t] { voted[t] } else { 7 })).collect();
                value = (0..value.len()).map(|t| next[t ^ 1]).collect();
                odd.iter_mut().for_each(|o| *o = !*o);
            }
            for thread in 0..value.len() {
                assert_eq!(got[thread], [value[thread]], "{target} {block:?}, thread {thread}");
            }
        }
    }
}

/// Rounds in which each thread leaves a value for its neighbour and takes the neighbour's, with two `bar.warp.sync` of its own: even threads
/// at other ones than odd threads, and late.
fn exchanges(mask: &str) -> String {
    format!(
        "mov.u32 %r10, %in;
and.b32 %r11, %lane, 1;
setp.ne.u32 %p1, %r11, 0;
mov.u32 %r14, buffer;
mad.lo.u32 %r14, %me, 4, %r14;
xor.b32 %r15, %r14, 4;
shl.b32 %r16, 15, %lane;
mov.u32 %r20, 0;
and.b32 %r17, %lane, 28;
shl.b32 %r17, 15, %r17;
ROUND:
@!%p1 bra EVEN;
st.shared.u32 [%r14], %r10;
bar.warp.sync {mask};
ld.shared.u32 %r10, [%r15];
bar.warp.sync {mask};
add.u32 %r10, %r10, 5;
bra.uni JOIN;
EVEN:
mov.u32 %r21, 0;
LATE:
add.u32 %r21, %r21, 1;
setp.lt.u32 %p3, %r21, %lane;
@%p3 bra LATE;
st.shared.u32 [%r14], %r10;
bar.warp.sync {mask};
ld.shared.u32 %r10, [%r15];
bar.warp.sync {mask};
add.u32 %r10, %r10, 7;
JOIN:
add.u32 %r20, %r20, 1;
setp.lt.u32 %p2, %r20, 3;
@%p2 bra ROUND;
st.global.u32 [%at], %r10;"
    )
}

fn with_buffer(body: &str) -> String {
    kernel(1, body).replace("{\n.reg", "{\n.shared .align 4 .b8 buffer[4096];\n.reg")
}

fn exchanged(input: &[u32], thread: usize) -> u32 {
    let mut values = [input[thread], input.get(thread ^ 1).copied().unwrap_or(0)];
    let own = [5 + 2 * (thread as u32 & 1 ^ 1), 5 + 2 * (thread as u32 & 1)];
    for _ in 0..3 {
        values = [values[1].wrapping_add(own[0]), values[0].wrapping_add(own[1])];
    }
    values[0]
}

#[test]
fn warp_barriers_at_several_places() {
    for mask in ["-1", "%r17"] {
        let source = with_buffer(&exchanges(mask));
        for target in TARGETS {
            for block in BLOCKS {
                let input: Vec<u32> = (0..super::threads(block) as u32).map(noise).collect();
                let got = run(target, &source, block, 1, &input);
                for (thread, got) in got.iter().enumerate() {
                    assert_eq!(*got, [exchanged(&input, thread)], "{target} {block:?} {mask}, thread {thread}");
                }
            }
        }
    }
}

#[test]
fn warp_barriers_that_ended_threads_never_come_to() {
    // Threads 6 and 7 of each eight are gone before, in turns of their own.
    let leave = "and.b32 %r30, %lane, 7;
setp.lt.u32 %p5, %r30, 6;
@%p5 bra STAY;
mov.u32 %r31, 0;
GO:
add.u32 %r31, %r31, 1;
setp.lt.u32 %p6, %r31, %lane;
@%p6 bra GO;
st.global.u32 [%at], 9;
exit;
STAY:
";
    let source = with_buffer(&format!("{leave}{}", exchanges("-1")));
    for target in TARGETS {
        let input: Vec<u32> = (0..96).map(noise).collect();
        let got = run(target, &source, [96, 1, 1], 1, &input);
        for (thread, got) in got.iter().enumerate() {
            let wanted = if thread & 7 >= 6 { 9 } else { exchanged(&input, thread) };
            assert_eq!(*got, [wanted], "{target}, thread {thread}");
        }
    }
}

/// Where members cannot be missing, the words and their address are no part of the kernel.
#[test]
fn warp_barriers_of_whole_warps_are_nothing() {
    let body = "bar.warp.sync -1;\nst.global.u32 [%at], %in;\nbar.warp.sync -1;";
    for target in ["gfx1100", "gfx942"] {
        let options = Options::new(Target::parse(target).unwrap());
        let text = text_of(&kernel(1, body), &options, Stage::Assembly).unwrap();
        assert!(!text.contains("ds_") && !text.contains("s_cbranch"), "{text}");
    }
}

#[test]
fn waiting_for_ever_is_no_result() {
    // Two places in the text: neither half of the warp ever has the other's company.
    let body = "and.b32 %r11, %lane, 1;
setp.ne.u32 %p1, %r11, 0;
@%p1 bra ODD;
shfl.sync.idx.b32 %r20, %in, 0, 31, 0xffffffff;
add.u32 %r20, %r20, 1;
bra.uni DONE;
ODD:
shfl.sync.idx.b32 %r20, %in, 0, 31, 0xffffffff;
DONE:
st.global.u32 [%at], %r20;";
    let source = kernel(1, body);
    for target in TARGETS {
        let outcome = try_run(target, &source, [64, 1, 1], 1, &[0; 64]);
        assert!(outcome.as_ref().is_err_and(|e| e.contains("trap")), "{target}: {outcome:?}");
    }
}
