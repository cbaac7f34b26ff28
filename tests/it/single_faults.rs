//! One fault, one diagnostic: what a slip of the pen brings about in a module that is right otherwise.

use super::ptx::rendered;
use warp2wave::ptx;

/// A module with a bit of everything.
const MODULE: &str = "\
.version 8.8
.target sm_90
.address_size 64
.extern .shared .align 16 .b8 dynamic[];
.visible .const .align 4 .u32 table[4] = {1, 2, 3, 0x4};
.global .u64 place = generic(table)+4;
.func (.param .b32 result) twice(.param .b32 x)
{
    .reg .b32 %r<3>;
    ld.param.u32 %r1, [x];
    shl.b32 %r2, %r1, 1;
    st.param.b32 [result], %r2;
    ret;
}
.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u32 n)
.maxntid 256, 1, 1
{
    .reg .pred %p<3>;
    .reg .b16 %rs<4>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<8>;
    .reg .f32 %f<5>;
    .shared .align 4 .b8 tile[1024];
    ld.param.u64 %rd1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %tid.x;
    setp.ge.u32 %p1, %r2, %r1;
    @%p1 bra DONE;
    mul.wide.u32 %rd2, %r2, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd3+16];
    prmt.b32 %r7, %r3, %r4, 0x5410;
    {
        .param .b32 in;
        .param .b32 out;
        st.param.b32 [in], %r7;
        call.uni (out), twice, (in);
        ld.param.b32 %r8, [out];
    }
    mov.u32 %r9, tile;
    st.shared.u32 [%r9], %r8;
    bar.sync 0;
    ld.shared.f32 %f1, [tile+4];
    fma.rn.f32 %f2, %f1, 0f3F800000, %f1;
    add.f32 %f3, %f2, %f1;
    shfl.sync.bfly.b32 %r10|%p2, %r8, 16, 31, -1;
    mov.b32 {%rs1, %rs2}, %r10;
    cvt.u32.u16 %r11, %rs1;
LOOP:
    add.u32 %r12, %r11, 1;
    setp.lt.u32 %p2, %r12, 10;
    @%p2 bra LOOP;
    st.global.u32 [%rd3], %r12;
DONE:
    ret;
}
";

/// A part of the module, what stands there instead, and the code that this has.
const FAULTS: &[(&str, &str, &str)] = &[
    // Punctuation.
    ("bar.sync 0;", "bar.sync 0", "W2W0001"),
    ("mov.u32 %r2, %tid.x;", "mov.u32 %r2 %tid.x;", "W2W0001"),
    ("[%rd3+16]", "[%rd3+16", "W2W0001"),
    ("[%rd3+16]", "%rd3+16]", "W2W0001"),
    ("{%r3, %r4, %r5, %r6}", "{%r3, %r4, %r5, %r6", "W2W0001"),
    ("(out), twice, (in)", "(out, twice, (in)", "W2W0001"),
    ("(out), twice, (in)", "(out) twice, (in)", "W2W0001"),
    ("@%p1 bra DONE;", "@ bra DONE;", "W2W0003"),
    ("%r<20>", "%r<20", "W2W0001"),
    ("%r<20>", "%r<>", "W2W0001"),
    ("%r<20>", "%r<2 0>", "W2W0001"),
    ("tile[1024]", "tile[1024", "W2W0001"),
    ("tile[1024]", "tile 1024]", "W2W0001"),
    ("    .reg .b64 %rd<8>;", "    .reg .b64 %rd<8>", "W2W0001"),
    (".param .u32 n)", ".param .u32 n", "W2W0001"),
    (" .param .u32 n)", " .param .u32)", "W2W0001"),
    ("align 4 p, .param", "align 4 p .param", "W2W0001"),
    ("    {\n        .param .b32 in;", "        .param .b32 in;", "W2W0001"),
    ("[out];\n    }", "[out];", "W2W0001"),
    ("    ret;\n}\n.visible", "    ret;\n.visible", "W2W0001"),
    ("DONE:\n    ret;\n}", "DONE:\n    ret;", "W2W0001"),
    ("{1, 2, 3, 0x4}", "{1, 2, 3, 0x4", "W2W0001"),
    ("{1, 2, 3, 0x4}", "{1, 2, 3 0x4}", "W2W0001"),
    ("+4;\n.func", "+4\n.func", "W2W0001"),
    ("bar.sync 0;", "bar.sync 0; /* open", "W2W0001"),
    ("bar.sync 0;", "bar.sync 0; \u{20ac}", "W2W0001"),
    ("bar.sync 0;", "bar.sync 0; 17;", "W2W0001"),
    ("0x5410", "0x54g0", "W2W0001"),
    ("0f3F800000", "0f3F80000", "W2W0001"),
    ("-1;", "-;", "W2W0001"),
    (".version 8.8\n", "", "W2W0001"),
    // Spelling.
    ("prmt.b32", "prtm.b32", "W2W0002"),
    ("prmt.b32", "prmt.b23", "W2W0002"),
    ("add.f32 %f3", "add %f3", "W2W0002"),
    ("add.f32 %f3", "add.f23 %f3", "W2W0002"),
    ("fma.rn.f32", "fma.f32", "W2W0002"),
    ("mul.wide.u32", "mul.u32", "W2W0002"),
    ("shfl.sync.bfly.b32", "shfl.sync.butterfly.b32", "W2W0002"),
    ("ld.global.v4.u32", "ld.global.v3.u32", "W2W0002"),
    ("st.shared.u32", "store.shared.u32", "W2W0002"),
    ("bar.sync 0", "barsync 0", "W2W0002"),
    (".reg .f32 %f<5>", ".reg .f31 %f<5>", "W2W0001"),
    (".shared .align 4 .b8 tile", ".sharde .align 4 .b8 tile", "W2W0001"),
    (".maxntid 256", ".maxntdi 256", "W2W0007"),
    (".visible .entry", ".visibel .entry", "W2W0001"),
    (".visible .entry", ".visible .enrty", "W2W0001"),
    // Names.
    ("mov.u32 %r9, tile;", "mov.u32 %r9, tiel;", "W2W0003"),
    ("@%p1 bra DONE;", "@%p1 bra OUT;", "W2W0003"),
    ("ld.param.u32 %r1, [n];", "ld.param.u32 %r1, [m];", "W2W0003"),
    ("setp.ge.u32 %p1, %r2, %r1;", "setp.ge.u32 %p1, %r2, %r21;", "W2W0003"),
    (".reg .b16 %rs<4>;", ".reg .b16 %rz<4>;", "W2W0003 W2W0003"),
    ("twice, (in)", "thrice, (in)", "W2W0003"),
    ("generic(table)", "generic(tabel)", "W2W0003"),
    ("LOOP:", "LOPO:", "W2W0003"),
    ("LOOP:", "DONE:", "W2W0003 W2W0004"),
    (".reg .f32 %f<5>;", ".reg .f32 %f<5>;\n    .reg .f32 %f<5>;", "W2W0004"),
    ("align 4 p, .param .u32 n", "align 4 p, .param .u32 p", "W2W0003 W2W0004"),
    // Operands.
    ("shl.b32 %r2, %r1, 1;", "shl.b32 %r2, %r1;", "W2W0005"),
    ("shl.b32 %r2, %r1, 1;", "shl.b32 %r2, %r1, 1, 2;", "W2W0005"),
    ("add.s64 %rd3, %rd1, %rd2;", "add.s64 %rd3, %rd1, %r2;", "W2W0005"),
    ("add.s64 %rd3, %rd1, %rd2;", "add.s32 %rd3, %rd1, %rd2;", "W2W0005"),
    ("st.shared.u32 [%r9], %r8;", "st.shared.u32 %r9, %r8;", "W2W0005"),
    ("[%rd3+16]", "[%f1+16]", "W2W0005"),
    ("setp.ge.u32 %p1, %r2, %r1;", "setp.ge.u32 %r7, %r2, %r1;", "W2W0005"),
    ("@%p1 bra DONE;", "@%r1 bra DONE;", "W2W0005"),
    ("{%r3, %r4, %r5, %r6}", "{%r3, %r4, %r5}", "W2W0005"),
    ("bar.sync 0;", "bar.sync 16;", "W2W0005"),
    ("st.global.u32 [%rd3], %r12;", "st.global.u32 [%rd3], %tid.x;", "W2W0005"),
    ("add.u32 %r12, %r11, 1;", "add.u32 7, %r11, 1;", "W2W0005"),
    ("ld.shared.f32 %f1, [tile+4];", "ld.global.f32 %f1, [tile+4];", "W2W0005"),
    // Calls and branches.
    ("(out), twice, (in)", "(out), twice, (in, in)", "W2W0006"),
    ("(out), twice, (in)", "twice, (in)", "W2W0006"),
    ("(out), twice, (in)", "(out), k, (in)", "W2W0006"),
    ("(out), twice, (in)", "(out), tile, (in)", "W2W0006"),
    ("@%p2 bra LOOP;", "@%p2 bra tile;", "W2W0005"),
    // Declarations.
    (".shared .align 4 .b8 tile", ".shared .align 3 .b8 tile", "W2W0007"),
    ("tile[1024]", "tile[-1]", "W2W0007"),
    (".maxntid 256, 1, 1", ".maxntid 256, 1, 1, 1", "W2W0007"),
    (".address_size 64", ".address_size 16", "W2W0007"),
    (".reg .b32 %r<20>;", ".reg .b32 %r<4294967296>;", "W2W0008"),
    (".shared .align 4 .b8 tile[1024]", ".shared .align 4 .pred tile[1024]", "W2W0007"),
];

#[test]
fn the_module_is_right() {
    let (_, diags) = ptx::parse(MODULE);
    assert!(diags.is_empty(), "{}", rendered(&diags, "module.ptx", MODULE));
}

/// Names that two places use are reported at each place in their functions once; nothing else comes twice.
#[test]
fn a_fault_has_one_diagnostic() {
    let mut wrong = vec![];
    for (right, broken, expected) in FAULTS {
        assert_eq!(MODULE.matches(right).count(), 1, "`{right}` is not there once");
        let source = MODULE.replace(right, broken);
        let (_, diags) = ptx::parse(&source);
        let mut codes: Vec<String> = diags.iter().map(|diag| diag.code.to_string()).collect();
        codes.sort();
        if codes.join(" ") != *expected {
            wrong
                .push(format!("`{broken}` has {codes:?}, not {expected}\n{}", rendered(&diags, "module.ptx", &source)));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), FAULTS.len(), wrong.join("\n"));
}

/// What is suggested makes the module right again.
#[test]
fn suggestions_repair_the_fault() {
    for (right, broken) in [
        ("prmt.b32", "prtm.b32"),
        ("prmt.b32", "prmt.b23"),
        ("mul.wide.u32", "mul.wied.u32"),
        ("add.f32 %f3", "add %f3"),
        ("fma.rn.f32", "fma.rn"),
        ("bar.sync 0;", "bar.sync 0"),
        ("    .reg .b64 %rd<8>;", "    .reg .b64 %rd<8>"),
    ] {
        let source = MODULE.replace(right, broken);
        let (_, diags) = ptx::parse(&source);
        let fix = diags[0].fix.as_ref().unwrap_or_else(|| panic!("`{broken}` has no suggestion"));
        let mut repaired = source.clone();
        repaired.replace_range(fix.span.start as usize..fix.span.end as usize, &fix.text);
        assert_eq!(repaired, MODULE, "{broken}");
    }
    // What could be meant in two ways is not guessed.
    for (right, broken) in
        [("add.u32 %r12", "add %r12"), ("mul.wide.u32", "mul.u32"), ("mov.u32 %r2, %tid.x", "mov %r2, %tid.x")]
    {
        let (_, diags) = ptx::parse(&MODULE.replace(right, broken));
        assert_eq!((diags.len(), &diags[0].fix), (1, &None), "{broken}");
    }
}
