//! Code of the back end that neither the corpus nor generated kernels come to: small kernels for it, interpreter against emulator on six families.

use warp2wave::amd::Target;
use warp2wave::run::{ArgValue, Launch};
use warp2wave::verify::{Subject, Verdict};
use warp2wave::{Options, translate};

/// A body that may use `%d1`, the address of 1 KiB of output, `%n`, a number, and `%t`, the thread's.
#[track_caller]
fn agrees(declarations: &str, body: &str, n: u64) {
    let source = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n{declarations}\n.visible .entry k(.param .u64 out, .param .u64 n)\n{{\n\
         .reg .b32 %t, %r<9>;\n.reg .b64 %n, %d<9>;\n.reg .pred %p<5>;\nld.param.u64 %d1, [out];\nld.param.u64 %n, [n];\nmov.u32 %t, %tid.x;\n\
         mad.wide.u32 %d2, %t, 4, %d1;\n{body}\nret;\n}}\n"
    );
    let subject = Subject::new(&source, "k").unwrap_or_else(|d| panic!("{d:?}\n{source}"));
    let launch = Launch {
        kernel: "k".into(),
        grid: [1; 3],
        block: [64, 1, 1],
        dynamic_lds_bytes: 0,
        args: vec![ArgValue::Buffer(vec![0; 1024]), ArgValue::Bytes(n.to_le_bytes().to_vec())],
    };
    for name in ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"] {
        let object =
            translate(&source, &Options::new(Target::parse(name).unwrap())).unwrap_or_else(|d| panic!("{d:?}"));
        match subject.compare(&object, &launch, 1_000_000) {
            Ok(Verdict::Same { .. }) => {}
            other => panic!("{name}: {other:?}\n{source}"),
        }
    }
}

/// Scalar loads whose offset no instruction holds: the base is moved, with the carry of a 64-bit addition.
#[test]
fn constants_far_from_their_base() {
    let table = ".const .align 8 .b32 table[4] = {11, 22, 33, 44};";
    for offset in [1 << 20, 1 << 23, (1 << 30) + 4, -(1 << 20) - 4, -(1 << 23) - 4, -(1 << 30)] {
        let body = format!(
            "mov.u64 %d3, table;\nsub.s64 %d4, %d3, %n;\nld.const.u32 %r1, [%d4+{offset}];\nld.const.v2.u32 {{%r2, %r3}}, [%d4+{}];\n\
             xor.b32 %r4, %r1, %r2;\nshl.b32 %r3, %r3, 8;\nadd.u32 %r4, %r4, %r3;\nst.global.u32 [%d2], %r4;",
            offset + 8
        );
        agrees(table, &body, offset as i64 as u64);
    }
}
