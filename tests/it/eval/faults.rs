//! What stops a launch, with its place.

use super::{header, program, run};
use warp2wave::eval::{self, Arg, Launch, Options};

fn kernel(body: &str) -> String {
    header(&format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<20>;\n.reg .b64 %o<4>;\n.reg .pred %p<9>;\n.shared .align 8 .b32 s[4];\n\
         ld.param.u64 %o0, [out];\nmov.u32 %r1, %tid.x;\n{body}\nret;\n}}\n"
    ))
}

#[track_caller]
fn fault(body: &str, at: &str, message: &str) {
    let source = kernel(body);
    let fault = run(&source, 32, &[16]).expect_err("a fault");
    assert_eq!(fault.span.text(&source), at);
    assert!(fault.to_string().contains(message), "{fault}");
}

#[test]
fn bad_accesses() {
    fault("ld.global.b32 %r2, [%o0+16];", "ld.global.b32 %r2, [%o0+16];", "byte 16 of buffer 0 `out`, which has 16");
    fault("st.global.b64 [%o0+12], %o0;", "st.global.b64 [%o0+12], %o0;", "is not a multiple of 8");
    fault("ld.global.v2.b32 {%r2, %r3}, [%o0+4];", "ld.global.v2.b32 {%r2, %r3}, [%o0+4];", "is not a multiple of 8");
    fault("st.shared.b32 [s+16], %r1;", "st.shared.b32 [s+16], %r1;", "there are 16 bytes");
    fault("mov.b64 %o1, out;\nst.b32 [%o1], %r1;", "st.b32 [%o1], %r1;", "read-only");
    fault("ld.local.b32 %r2, [0];", "ld.local.b32 %r2, [0];", "local address 0x0");
}

#[test]
fn traps_deadlocks_and_endless_loops() {
    fault("trap;", "trap;", "trap, thread (0, 0, 0) of block (0, 0, 0)");
    fault(
        "setp.eq.u32 %p1, %r1, 3;\n@%p1 bra L;\nbar.sync 1, 64;\nL:",
        "bar.sync 1, 64;",
        "nothing can run: 31 threads wait at barriers",
    );
    fault(
        "setp.ge.u32 %p1, %r1, 3;\n@%p1 bra L;\nbar.warp.sync 0xf;\nL:\nbar.sync 0;",
        "bar.warp.sync 0xf;",
        "nothing can run: 29 threads wait at barriers, 3 for others of their warp",
    );
    fault("bar.warp.sync 0x1;", "bar.warp.sync 0x1;", "membermask 0x00000001 is without it");
    fault("mov.u32 %r2, 16;\nbar.sync %r2;", "bar.sync %r2;", "no barrier 16");
    let launch = Launch {
        grid: [1; 3],
        block: [1; 3],
        args: vec![Arg::Bytes(vec![0; 8])],
        options: Options { step_limit: 1000, ..Options::default() },
        ..Launch::default()
    };
    let fault = eval::launch(&program(&kernel("L: bra L;")), &launch).expect_err("no end");
    assert!(fault.to_string().contains("still running after 1000 instructions"), "{fault}");
}

#[test]
fn launches_that_do_not_fit() {
    let source = kernel("");
    for (args, block, message) in [
        (vec![], 32, "takes 1 arguments, 0 were given"),
        (vec![Arg::Bytes(vec![0; 4])], 32, "`out` has 8 bytes, 4 were given"),
        (vec![Arg::Bytes(vec![0; 8])], 2048, "no launch"),
    ] {
        let launch = Launch { grid: [1; 3], block: [block, 1, 1], args, ..Launch::default() };
        let fault = eval::launch(&program(&source), &launch).expect_err("refused");
        assert!(fault.to_string().contains(message), "{fault}");
    }
}
