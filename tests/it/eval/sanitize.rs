//! The sanitizer: each kind of finding, with its place, and programs that are right.

use super::{header, program};
use warp2wave::eval::{self, Arg, Fault, Launch};

/// Two blocks of 64 threads; `%r1` is the thread, `%o0` a buffer of 2 KiB.
fn kernel(body: &str) -> String {
    header(&format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<20>;\n.reg .b64 %o<6>;\n.reg .pred %p<9>;\n.shared .align 8 .b32 s[64];\n\
         .local .align 8 .b32 l[4];\nld.param.u64 %o0, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, s;\nshl.b32 %r3, %r1, 2;\n\
         add.u32 %r4, %r2, %r3;\nmov.u32 %r5, %ctaid.x;\nmad.lo.u32 %r6, %r5, 64, %r1;\nmul.wide.u32 %o1, %r6, 4;\n\
         add.u64 %o2, %o0, %o1;\n{body}\nret;\n}}\n"
    ))
}

fn findings(source: &str) -> Vec<Fault> {
    let launch = Launch {
        grid: [2, 1, 1],
        block: [64, 1, 1],
        args: vec![Arg::Buffer { address: None, bytes: vec![0; 2048] }],
        ..Launch::default()
    };
    let (outcome, findings) = eval::sanitize(&program(source), &launch);
    outcome.unwrap_or_else(|f| panic!("{f}"));
    findings
}

#[track_caller]
fn clean(body: &str) {
    let found = findings(&kernel(body));
    assert!(found.is_empty(), "{found:?}");
}

/// One finding, at a statement, that says this; and the other place, if any.
#[track_caller]
fn found(body: &str, at: &str, message: &str, other: Option<&str>) {
    let source = kernel(body);
    let list = findings(&source);
    let fits = |f: &&Fault| f.span.text(&source) == at && f.to_string().contains(message);
    let Some(first) = list.iter().find(fits) else { panic!("not there: {list:?}") };
    assert_eq!(first.other.map(|o| o.span.text(&source)), other);
}

#[test]
fn races_on_shared_memory() {
    let stores = "st.shared.b32 [%r4], %r1;";
    let reads = "xor.b32 %r7, %r4, 4;\nld.shared.b32 %r8, [%r7];\nst.global.b32 [%o2], %r8;";
    clean(&format!("{stores}\nbar.sync 0;\n{reads}"));
    found(&format!("{stores}\n{reads}"), "ld.shared.b32 %r8, [%r7];", "race: read of shared memory", Some(stores));
    // The second store of a loop comes before others have read the first.
    let looped = format!(
        "mov.u32 %r9, 0;\nL:\n{stores}\nbar.sync 0;\n{reads}\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p1, %r9, 2;\n@%p1 bra L;"
    );
    found(&looped, stores, "race: write to shared memory", Some("ld.shared.b32 %r8, [%r7];"));
    found(
        "st.shared.b32 [s], %r1;",
        "st.shared.b32 [s], %r1;",
        "race: write to shared memory",
        Some("st.shared.b32 [s], %r1;"),
    );
    // Within a warp, `bar.warp.sync` is enough.
    clean(&format!("{stores}\nbar.warp.sync -1;\n{reads}"));
    // A barrier of part of the block orders that part only.
    found(
        &format!(
            "{stores}\nsetp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 32;\n@!%p1 bar.sync 2, 32;\nxor.b32 %r7, %r4, 128;\nld.shared.b32 %r8, [%r7];"
        ),
        "ld.shared.b32 %r8, [%r7];",
        "race: read of shared memory",
        Some(stores),
    );
}

#[test]
fn races_on_global_memory() {
    clean("st.global.b32 [%o2], %r1;\nld.global.b32 %r7, [%o2];");
    clean("red.global.add.u32 [%o0], 1;\nld.volatile.global.u32 %r7, [%o0];");
    found(
        "red.global.add.u32 [%o0], 1;\nld.global.u32 %r7, [%o0];",
        "red.global.add.u32 [%o0], 1;",
        "race: write to global memory",
        Some("ld.global.u32 %r7, [%o0];"),
    );
    // Blocks are never ordered by barriers.
    let text = "setp.eq.u32 %p1, %r1, 0;\nbar.sync 0;\n@%p1 st.global.b32 [%o0], %r5;";
    found(
        text,
        "@%p1 st.global.b32 [%o0], %r5;",
        "thread (0, 0, 0) of block (1, 0, 0)",
        Some("@%p1 st.global.b32 [%o0], %r5;"),
    );
    // The last block takes the results of all: they are released by a fence before the counter.
    let last = |fence: &str| {
        format!(
            "st.global.b32 [%o2], %r1;\n{fence}\nbar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra W;\n{fence}\n\
             atom.global.add.u32 %r8, [%o0+1024], 1;\nst.shared.b32 [s], %r8;\nW:\nbar.sync 0;\nld.shared.b32 %r8, [s];\n\
             setp.ne.u32 %p2, %r8, 1;\n@%p2 bra E;\nmul.wide.u32 %o3, %r3, 1;\nadd.u64 %o3, %o0, %o3;\nld.global.b32 %r9, [%o3];\nE:"
        )
    };
    clean(&last("membar.gl;"));
    found(&last(""), "ld.global.b32 %r9, [%o3];", "race: read of global memory", Some("st.global.b32 [%o2], %r1;"));
}

#[test]
fn what_nothing_has_written() {
    found(
        "ld.shared.b32 %r7, [%r4];",
        "ld.shared.b32 %r7, [%r4];",
        "read of shared memory that nothing has written",
        None,
    );
    found(
        "st.local.b32 [l], %r1;\nld.local.v2.b32 {%r7, %r8}, [l];",
        "ld.local.v2.b32 {%r7, %r8}, [l];",
        "read of local memory",
        None,
    );
    clean("st.local.b64 [l], %o0;\nld.local.v2.b32 {%r7, %r8}, [l];");
    found("add.u32 %r9, %r15, 1;", "add.u32 %r9, %r15, 1;", "register that nothing has written", None);
    clean("setp.lt.u32 %p1, %r1, 99;\n@%p1 mov.u32 %r15, 1;\nadd.u32 %r9, %r15, 1;");
    found("@%p3 add.u32 %r9, %r1, 1;", "@%p3 add.u32 %r9, %r1, 1;", "register that nothing has written", None);
}

#[test]
fn barriers_met_apart() {
    let split = |bar: &str| format!("setp.lt.u32 %p1, %r1, 5;\n@%p1 bra L;\n{bar}\nbra E;\nL:\n{bar}\nE:");
    found(
        &split("bar.sync 0;"),
        "bar.sync 0;",
        "came to this aligned barrier at different instructions",
        Some("bar.sync 0;"),
    );
    clean(&split("barrier.sync 0;"));
    // Apart by whole warps is well.
    clean("setp.lt.u32 %p1, %r1, 32;\n@%p1 bra L;\nbar.sync 0;\nbra E;\nL:\nbar.sync 0;\nE:");
}

#[test]
fn shuffles_from_nobody() {
    let text = "setp.gt.u32 %p1, %r1, 7;\n@%p1 exit;\nshfl.sync.idx.b32 %r7, %r1, 20, 31, -1;";
    found(text, "shfl.sync.idx.b32 %r7, %r1, 20, 31, -1;", "lane 20, which takes no part", None);
}

#[test]
fn membermasks_that_overlap() {
    // Lane 0 names lanes 0 and 1, all others everybody but lane 0: they go on without it, and then it has nobody to wait for.
    let meet = |others: &str| {
        format!(
            "setp.eq.u32 %p1, %r1, 0;\nselp.b32 %r7, 3, {others}, %p1;\nsetp.ge.u32 %p2, %r1, 32;\n@%p2 mov.b32 %r7, -1;\n\
             setp.eq.u32 %p3, %r1, 1;\n@%p3 mov.b32 %r7, {};\nvote.sync.any.pred %p4, %p1, %r7;",
            if others == "-4" { "3" } else { others }
        )
    };
    clean(&meet("-4"));
    found(
        &format!("{}\nsetp.eq.u32 %p5, %r1, 1;\n@%p5 exit;", meet("-2")),
        "vote.sync.any.pred %p4, %p1, %r7;",
        "membermasks 0x00000003 and 0xfffffffe of this instruction overlap and differ",
        None,
    );
}
