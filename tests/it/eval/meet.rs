//! Shuffles, votes and barriers: what the threads of a warp or block do together.

use super::{dwords, header, program, run};
use warp2wave::eval::{self, Arg, Launch, Options};

/// A kernel of one warp that stores `%r9` of every thread; `%r1` is the lane.
fn warp(body: &str) -> Vec<u32> {
    let outcome = run(&kernel(body), 32, &[128]).unwrap_or_else(|f| panic!("{f}"));
    dwords(&outcome.buffers[0])
}

fn kernel(body: &str) -> String {
    header(&format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<20>;\n.reg .b64 %o<3>;\n.reg .pred %p<9>;\n.shared .b32 s[64];\n\
         ld.param.u64 %o0, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %o1, %r1, 4;\nadd.u64 %o2, %o0, %o1;\n{body}\n\
         st.global.b32 [%o2], %r9;\nret;\n}}\n"
    ))
}

#[test]
fn shuffles() {
    // Up by 2 in segments of 8 (mask 0x18): lanes 0 and 1 of each keep their own.
    let up =
        warp("add.u32 %r2, %r1, 100;\nshfl.sync.up.b32 %r9|%p1, %r2, 2, 0x1800, -1;\n@!%p1 add.u32 %r9, %r9, 1000;");
    assert_eq!(up[..10], [1100, 1101, 100, 101, 102, 103, 104, 105, 1108, 1109]);
    // Down by 3 with the clamp at 31 and one segment.
    let down = warp("shfl.sync.down.b32 %r9|%p1, %r1, 3, 31, -1;\n@!%p1 add.u32 %r9, %r9, 1000;");
    assert_eq!(down[26..], [29, 30, 31, 1029, 1030, 1031]);
    let bfly = warp("shfl.sync.bfly.b32 %r9, %r1, 5, 31, -1;");
    assert_eq!(bfly[..8], [5, 4, 7, 6, 1, 0, 3, 2]);
    // Within segments of 16, lane 20 of the operand is lane 4 of the own segment; a clamp of 3 keeps it out.
    let idx = warp("shfl.sync.idx.b32 %r9|%p1, %r1, 20, 0x1003, -1;\n@!%p1 add.u32 %r9, %r9, 1000;");
    assert_eq!((idx[0], idx[31]), (1000, 1031));
    let idx = warp("shfl.sync.idx.b32 %r9|%p1, %r1, 20, 0x101f, -1;\n@!%p1 add.u32 %r9, %r9, 1000;");
    assert_eq!((idx[0], idx[31]), (4, 20));
}

#[test]
fn votes_and_matches() {
    let ballot = warp("setp.lt.u32 %p1, %r1, 5;\nvote.sync.ballot.b32 %r9, %p1, -1;");
    assert!(ballot.iter().all(|&v| v == 31));
    // Halves of the warp vote apart, each for itself.
    let apart = warp(
        "setp.lt.u32 %p1, %r1, 16;\nsetp.eq.u32 %p2, %r1, 3;\n@%p1 bra LOW;\nvote.sync.all.pred %p3, %p2, 0xffff0000;\nbra OUT;\n\
         LOW:\nvote.sync.any.pred %p3, %p2, 0x0000ffff;\nOUT:\nselp.b32 %r9, 1, 0, %p3;",
    );
    assert_eq!((apart[0], apart[15], apart[16]), (1, 1, 0));
    let any = warp("and.b32 %r2, %r1, 3;\nmatch.any.sync.b32 %r9, %r2, -1;");
    assert_eq!(any[..2], [0x1111_1111, 0x2222_2222]);
    let all = warp("match.all.sync.b32 %r9|%p1, %r1, -1;\n@!%p1 add.u32 %r9, %r9, 7;");
    assert!(all.iter().all(|&v| v == 7));
    let redux = warp("sub.u32 %r2, %r1, 4;\nredux.sync.min.s32 %r9, %r2, -1;");
    assert!(redux.iter().all(|&v| v as i32 == -4));
    let elect = warp("elect.sync %r9|%p1, -1;\n@%p1 add.u32 %r9, %r9, 50;");
    assert_eq!(elect[..2], [50, 0]);
    // Threads that have ended take no part.
    let ended = warp("setp.gt.u32 %p1, %r1, 7;\n@%p1 exit;\nvote.sync.ballot.b32 %r9, 1, -1;");
    assert_eq!((ended[7], ended[8]), (255, 0));
}

#[test]
fn who_is_active() {
    let mask = warp("setp.lt.u32 %p1, %r1, 4;\n@%p1 bra L;\nactivemask.b32 %r9;\nbra O;\nL:\nactivemask.b32 %r9;\nO:");
    assert_eq!((mask[0], mask[31]), (15, 0xffff_fff0));
}

#[test]
fn barriers_order_shared_memory_in_every_interleaving() {
    // Each thread reads its neighbour's value of the turn before, ten times over.
    let body = "mov.u32 %r3, s;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r5, %r3, %r4;\nxor.b32 %r6, %r4, 4;\nadd.u32 %r6, %r6, %r3;\n\
                mov.u32 %r9, %r1;\nmov.u32 %r7, 0;\nL:\nst.shared.u32 [%r5], %r9;\nbar.sync 0;\nld.shared.u32 %r8, [%r6];\n\
                bar.sync 0;\nmad.lo.u32 %r9, %r9, 3, %r8;\nadd.u32 %r7, %r7, 1;\nsetp.lt.u32 %p1, %r7, 10;\n@%p1 bra L;";
    let mut want: Vec<u32> = (0..64).collect();
    for _ in 0..10 {
        want = (0..64).map(|n: usize| want[n].wrapping_mul(3).wrapping_add(want[n ^ 1])).collect();
    }
    let program = program(&kernel(body));
    for seed in 0..30 {
        let launch = Launch {
            grid: [1; 3],
            block: [64, 1, 1],
            args: vec![Arg::Buffer { address: None, bytes: vec![0; 256] }],
            options: Options { seed, ..Options::default() },
            ..Launch::default()
        };
        assert_eq!(dwords(&eval::launch(&program, &launch).unwrap().buffers[0]), want, "seed {seed}");
    }
}

#[test]
fn barriers_count_and_combine() {
    let popc = warp("setp.lt.u32 %p1, %r1, 5;\nbar.red.popc.u32 %r9, 0, %p1;");
    assert!(popc.iter().all(|&v| v == 5));
    let and = warp("setp.lt.u32 %p1, %r1, 5;\nbar.red.and.pred %p2, 0, %p1;\nselp.b32 %r9, 1, 2, %p2;");
    assert!(and.iter().all(|&v| v == 2));
    // One warp arrives, the other waits for it.
    let body = "setp.lt.u32 %p1, %r1, 32;\nmov.u32 %r9, 7;\n@%p1 bra FIRST;\nst.shared.u32 [s], 99;\nbar.arrive 3, 64;\nbra OUT;\n\
                FIRST:\nbar.sync 3, 64;\nld.shared.u32 %r9, [s];\nOUT:";
    let outcome = run(&kernel(body), 64, &[256]).unwrap();
    let got = dwords(&outcome.buffers[0]);
    assert_eq!((got[0], got[31], got[32]), (99, 99, 7));
}

#[test]
fn calls_pass_values_and_recursion_ends() {
    let source = header(
        ".func (.param .b32 out) fib(.param .b32 n)\n{\n.reg .b32 %r<9>;\n.reg .pred %p;\nld.param.b32 %r1, [n];\n\
         setp.lt.u32 %p, %r1, 2;\n@%p bra LEAF;\nsub.u32 %r2, %r1, 1;\n{ .param .b32 a; .param .b32 b; st.param.b32 [a], %r2;\n\
         call (b), fib, (a); ld.param.b32 %r3, [b]; }\nsub.u32 %r2, %r1, 2;\n{ .param .b32 a; .param .b32 b;\n\
         st.param.b32 [a], %r2; call (b), fib, (a); ld.param.b32 %r4, [b]; }\nadd.u32 %r1, %r3, %r4;\n\
         LEAF:\nst.param.b32 [out], %r1;\nret;\n}\n\
         .visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<9>;\n.reg .b64 %o;\nld.param.u64 %o, [out];\nmov.u32 %r1, 10;\n\
         { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call (b), fib, (a); ld.param.b32 %r2, [b]; }\n\
         st.global.b32 [%o], %r2;\nret;\n}\n",
    );
    assert_eq!(dwords(&run(&source, 1, &[4]).unwrap().buffers[0]), [55]);
}

/// A body without a last `ret` ends at its brace, whatever guards its last instruction.
#[test]
fn the_brace_returns_for_every_thread() {
    let source = header(
        ".func set(.param .b64 at, .param .b32 value)
        {
        .reg .b64 %d;\n.reg .b32 %r;\n.reg .pred %p;
        ld.param.b64 %d, [at];\nld.param.b32 %r, [value];\nsetp.gt.u32 %p, %r, 1;
        @%p st.global.u32 [%d], %r;
        }
        .visible .entry k(.param .u64 out)
        {
        .reg .b64 %d<3>;\n.reg .b32 %r;\n.reg .pred %p;
        ld.param.b64 %d1, [out];\nmov.u32 %r, %tid.x;\nmad.wide.u32 %d2, %r, 4, %d1;\nsetp.eq.u32 %p, %r, 1;
        call set, (%d2, %r);
        @%p st.global.u32 [%d2], 77;
        }",
    );
    let out = run(&source, 4, &[16]).expect("runs");
    assert_eq!(dwords(&out.buffers[0]), [0, 77, 2, 3]);
}
