//! One instruction each: what the PTX ISA says comes out, worked out by hand.

use super::{header, program};
use warp2wave::eval::{self, Arg, Launch};

/// Executes `%rd9 = form` with literal operands put into registers: the operand's first letter says its kind (`r` b32, `rd`
/// b64, `h` b16, `f` f32, `fd` f64, `p` predicate) in `d` and the sources alike.
#[track_caller]
fn one(form: &str, sources: &[(&str, u64)], result: &str) -> u64 {
    let mut body = String::new();
    let mut operands = vec![];
    for (n, (kind, value)) in sources.iter().enumerate() {
        let n = n + 1;
        operands.push(match *kind {
            "#" => format!("{value}"),
            "p" => {
                body += &format!("setp.ne.u32 %p{n}, {value}, 0;\n");
                format!("%p{n}")
            }
            "h" => {
                body += &format!("mov.b16 %h{n}, {value};\n");
                format!("%h{n}")
            }
            "rd" => {
                body += &format!("mov.b64 %rd{n}, {value:#x};\n");
                format!("%rd{n}")
            }
            "f" => {
                body += &format!("mov.b32 %f{n}, {value:#x};\n");
                format!("%f{n}")
            }
            "fd" => {
                body += &format!("mov.b64 %fd{n}, {value:#x};\n");
                format!("%fd{n}")
            }
            _ => {
                body += &format!("mov.b32 %r{n}, {value:#x};\n");
                format!("%r{n}")
            }
        });
    }
    let list: Vec<String> = std::iter::once(format!("%{result}9")).chain(operands).collect();
    body += &format!("{form} {};\n", list.join(", "));
    body += match result {
        "p" => "selp.b32 %r9, 1, 0, %p9;\nst.global.b32 [%o], %r9;\n",
        "h" => "st.global.b16 [%o], %h9;\n",
        "rd" => "st.global.b64 [%o], %rd9;\n",
        "f" => "st.global.b32 [%o], %f9;\n",
        "fd" => "st.global.b64 [%o], %fd9;\n",
        _ => "st.global.b32 [%o], %r9;\n",
    };
    body_result(&body)
}

/// What statements leave at `[%o]`.
#[track_caller]
fn body_result(body: &str) -> u64 {
    let source = header(&format!(
        ".visible .entry k(.param .u64 out)\n{{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n.reg .b16 %h<20>;\n.reg .f32 %f<20>;\n\
         .reg .f64 %fd<20>;\n.reg .pred %p<20>;\n.reg .b64 %o;\nld.param.u64 %o, [out];\n{body}ret;\n}}\n"
    ));
    let args = vec![Arg::Buffer { address: None, bytes: vec![0; 8] }];
    let launch = Launch { grid: [1; 3], block: [1; 3], args, ..Launch::default() };
    let outcome = eval::launch(&program(&source), &launch).unwrap_or_else(|f| panic!("{f}\n{source}"));
    u64::from_le_bytes(outcome.buffers[0][..].try_into().unwrap())
}

/// `form: sources => result`, dwords unless the letters say otherwise.
macro_rules! vectors {
    ($($form:literal $result:literal: $(($($kind:literal $value:expr),*) => $want:expr;)*)*) => {
        $($(
            let got = one($form, &[$(($kind, $value as u64)),*], $result);
            let want = $want as u64;
            assert_eq!(got, want, "{} {:x?}: {got:#x}, not {want:#x}", $form, [$($value as u64),*]);
        )*)*
    };
}

#[test]
fn prmt_modes() {
    let (a, b) = (0x0302_8100u32, 0x8706_05f4u32);
    vectors! {
        "prmt.b32" "r":
            ("r" a, "r" b, "r" 0x3210) => a;
            ("r" a, "r" b, "r" 0x7654) => b;
            ("r" a, "r" b, "r" 0x7531) => 0x8705_0381;
            // Signs: byte 1 (0x81), byte 7 (0x87), byte 4 (0xf4), byte 0 (0).
            ("r" a, "r" b, "r" 0x9fc8) => 0xffff_ff00u32;
            // Only the low half of the selector counts.
            ("r" a, "r" b, "r" 0xffff_3210u32) => a;
        "prmt.b32.f4e" "r":
            ("r" a, "r" b, "r" 0) => a;
            ("r" a, "r" b, "r" 1) => 0xf403_0281u32;
            ("r" a, "r" b, "r" 3) => 0x0605_f403;
            ("r" a, "r" b, "r" 0xfffc) => a;
        "prmt.b32.b4e" "r":
            ("r" a, "r" b, "r" 0) => 0x0506_8700;
            ("r" a, "r" b, "r" 3) => 0x0081_0203;
        "prmt.b32.rc8" "r":
            ("r" a, "r" b, "r" 1) => 0x8181_8181u32;
        "prmt.b32.ecl" "r":
            ("r" a, "r" b, "r" 1) => 0x0302_8181;
            ("r" a, "r" b, "r" 3) => 0x0303_0303;
        "prmt.b32.ecr" "r":
            ("r" a, "r" b, "r" 0) => 0;
            ("r" a, "r" b, "r" 1) => 0x8181_8100u32;
            ("r" a, "r" b, "r" 2) => 0x0202_8100;
        "prmt.b32.rc16" "r":
            ("r" a, "r" b, "r" 0) => 0x8100_8100u32;
            ("r" a, "r" b, "r" 1) => 0x0302_0302;
    }
}

#[test]
fn bit_fields() {
    vectors! {
        "bfe.u32" "r":
            ("r" 0x1234_5678, "r" 8, "r" 8) => 0x56;
            ("r" 0x1234_5678, "r" 8, "r" 0) => 0;
            ("r" 0xf234_5678u32, "r" 28, "r" 8) => 0xf;
            ("r" 0xf234_5678u32, "r" 32, "r" 8) => 0;
            // Only eight bits of position and length count.
            ("r" 0x1234_5678, "r" 0x108, "r" 0x108) => 0x56;
            ("r" 0x1234_5678, "r" 0, "r" 255) => 0x1234_5678;
        "bfe.s32" "r":
            ("r" 0x0000_0080, "r" 4, "r" 4) => 0xffff_fff8u32;
            ("r" 0x8000_0000u32, "r" 40, "r" 3) => 0xffff_ffffu32;
            ("r" 0x8000_0000u32, "r" 31, "r" 4) => 0xffff_ffffu32;
            ("r" 0x8000_0000u32, "r" 40, "r" 0) => 0;
        "bfe.s64" "rd":
            ("rd" 0x0000_0800_0000_0000u64, "r" 40, "r" 4) => 0xffff_ffff_ffff_fff8u64;
        "bfe.u64" "rd":
            ("rd" u64::MAX, "r" 60, "r" 10) => 0xf;
        "bfi.b32" "r":
            ("r" 0xab, "r" 0x1234_5678, "r" 8, "r" 8) => 0x1234_ab78;
            ("r" 0xab, "r" 0x1234_5678, "r" 28, "r" 8) => 0xb234_5678u32;
            ("r" 0xab, "r" 0x1234_5678, "r" 32, "r" 8) => 0x1234_5678;
            ("r" 0xab, "r" 0x1234_5678, "r" 4, "r" 0) => 0x1234_5678;
        "bfi.b64" "rd":
            ("rd" 3, "rd" 0, "r" 63, "r" 2) => 1u64 << 63;
        "bmsk.clamp.b32" "r":
            ("r" 4, "r" 8) => 0xff0;
            ("r" 32, "r" 8) => 0;
            ("r" 4, "r" 32) => 0xffff_fff0u32;
            ("r" 28, "r" 8) => 0xf000_0000u32;
        "bmsk.wrap.b32" "r":
            ("r" 36, "r" 40) => 0xff0;
            ("r" 0, "r" 32) => 0;
        "szext.clamp.s32" "r":
            ("r" 0x1f8, "r" 4) => 0xffff_fff8u32;
            ("r" 0x1f8, "r" 40) => 0x1f8;
            ("r" 0x1f8, "r" 0) => 0;
        "szext.wrap.u32" "r":
            ("r" 0x1f8, "r" 36) => 8;
        "fns.b32" "r":
            ("r" 0xaaaa_aaaau32, "r" 1, "r" 0) => 1;
            ("r" 0xaaaa_aaaau32, "r" 2, "r" 0) => 0xffff_ffffu32;
            ("r" 0xaaaa_aaaau32, "r" 3, "r" 1) => 3;
            ("r" 0xaaaa_aaaau32, "r" 0, "r" 3) => 5;
            ("r" 0xaaaa_aaaau32, "r" 3, "r" -2i32) => 1;
            ("r" 0xaaaa_aaaau32, "r" 3, "r" -3i32) => 0xffff_ffffu32;
        "bfind.u32" "r":
            ("r" 0) => 0xffff_ffffu32;
            ("r" 0x8000) => 15;
        "bfind.s32" "r":
            ("r" -1i32) => 0xffff_ffffu32;
            ("r" 0xffff_0000u32) => 15;
        "bfind.shiftamt.u32" "r":
            ("r" 0x8000) => 16;
            ("r" 0) => 0xffff_ffffu32;
        "bfind.s64" "r":
            ("rd" 0x8000_0000_0000_0000u64) => 62;
        "clz.b64" "r":
            ("rd" 1) => 63;
            ("rd" 0) => 64;
        "brev.b32" "r":
            ("r" 0x1) => 0x8000_0000u32;
        "popc.b64" "r":
            ("rd" u64::MAX) => 64;
    }
}

#[test]
fn shifts() {
    vectors! {
        "shl.b32" "r":
            ("r" 1, "r" 31) => 0x8000_0000u32;
            ("r" 1, "r" 32) => 0;
            ("r" 1, "r" 0xffff_ffffu32) => 0;
        "shl.b16" "h":
            ("h" 0x8001, "r" 1) => 2;
            ("h" 1, "r" 16) => 0;
        "shr.s32" "r":
            ("r" 0x8000_0000u32, "r" 40) => 0xffff_ffffu32;
        "shr.u64" "rd":
            ("rd" u64::MAX, "r" 63) => 1;
            ("rd" u64::MAX, "r" 64) => 0;
        "shr.s16" "h":
            ("h" 0x8000, "r" 3) => 0xf000;
        "shf.l.clamp.b32" "r":
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 8) => 0xbcde_f012u32;
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 0) => 0x9abc_def0u32;
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 33) => 0x1234_5678;
        "shf.l.wrap.b32" "r":
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 40) => 0xbcde_f012u32;
        "shf.r.clamp.b32" "r":
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 8) => 0xf012_3456u32;
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 99) => 0x9abc_def0u32;
        "shf.r.wrap.b32" "r":
            ("r" 0x1234_5678, "r" 0x9abc_def0u32, "r" 32) => 0x1234_5678;
    }
}

#[test]
fn arithmetic() {
    vectors! {
        "add.sat.s32" "r":
            ("r" 0x7fff_ffff, "r" 1) => 0x7fff_ffff;
            ("r" 0x8000_0000u32, "r" -1i32) => 0x8000_0000u32;
        "sub.sat.s32" "r":
            ("r" 0x8000_0000u32, "r" 1) => 0x8000_0000u32;
        "mul.hi.s32" "r":
            ("r" -2i32, "r" 3) => 0xffff_ffffu32;
        "mul.hi.u32" "r":
            ("r" 0xffff_ffffu32, "r" 0xffff_ffffu32) => 0xffff_fffeu32;
        "mul.hi.u64" "rd":
            ("rd" u64::MAX, "rd" u64::MAX) => u64::MAX - 1;
        "mul.hi.s64" "rd":
            ("rd" i64::MIN as u64, "rd" i64::MIN as u64) => 1u64 << 62;
        "mul.hi.s16" "h":
            ("h" 0x8000, "h" 0x7fff) => 0xc000;
        "mul.wide.s16" "r":
            ("h" 0xffff, "h" 2) => 0xffff_fffeu32;
        "mul.wide.s32" "rd":
            ("r" -1i32, "r" 2) => -2i64;
        "mad.wide.u32" "rd":
            ("r" 0xffff_ffffu32, "r" 0xffff_ffffu32, "rd" 2) => 0xffff_fffe_0000_0003u64;
        "mad.hi.sat.s32" "r":
            ("r" 0x4000_0000, "r" 8, "r" 0x7fff_ffff) => 0x7fff_ffff;
            ("r" 0x4000_0000, "r" -8i32, "r" 0x8000_0000u32) => 0x8000_0000u32;
        "mul24.lo.s32" "r":
            ("r" 0x00ff_ffff, "r" 2) => 0xffff_fffeu32;
        "mul24.hi.u32" "r":
            ("r" 0x00ff_ffff, "r" 0x00ff_ffff) => 0xffff_fe00u32;
        "mad24.hi.sat.s32" "r":
            ("r" 0x7f_ffff, "r" 0x7f_ffff, "r" 0x7fff_ffff) => 0x7fff_ffff;
        "sad.s32" "r":
            ("r" -5i32, "r" 3, "r" 10) => 18;
        "sad.u32" "r":
            ("r" 0, "r" 0xffff_ffffu32, "r" 1) => 0;
        "div.s32" "r":
            ("r" -7i32, "r" 2) => 0xffff_fffdu32;
            ("r" 0x8000_0000u32, "r" -1i32) => 0x8000_0000u32;
            // NVIDIA's machines give all ones.
            ("r" 5, "r" 0) => 0xffff_ffffu32;
        "rem.s32" "r":
            ("r" -7i32, "r" 2) => 0xffff_ffffu32;
            ("r" -7i32, "r" -2i32) => 0xffff_ffffu32;
        "abs.s32" "r":
            ("r" 0x8000_0000u32) => 0x8000_0000u32;
        "neg.s16" "h":
            ("h" 1) => 0xffff;
        "dp4a.s32.u32" "r":
            ("r" 0xff01_807fu32, "r" 0x0102_ff03, "r" 10) => (10 + 127 * 3 - 128 * 255 + 2 - 1) as u32;
        "dp2a.hi.s32.s32" "r":
            ("r" 0x8000_0002u32, "r" 0xff03_0000u32, "r" 1) => 1 + 2 * 3 + 32768;
        "add.u16x2" "r":
            ("r" 0xffff_0001u32, "r" 0x0001_0001) => 2;
        "min.s16x2" "r":
            ("r" 0xffff_0001u32, "r" 0x0001_8000) => 0xffff_8000u32;
        "max.relu.s32" "r":
            ("r" -5i32, "r" -3i32) => 0;
        "cnot.b32" "r":
            ("r" 0) => 1;
            ("r" 7) => 0;
        "slct.b32.s32" "r":
            ("r" 1, "r" 2, "r" 0) => 1;
            ("r" 1, "r" 2, "r" -1i32) => 2;
        "slct.b32.f32" "r":
            ("r" 1, "r" 2, "f" 0x8000_0000u32) => 1;
            ("r" 1, "r" 2, "f" 0x7fc0_0000) => 2;
        "set.lt.u32.s32" "r":
            ("r" -1i32, "r" 1) => 0xffff_ffffu32;
        "set.gt.f32.u32" "f":
            ("r" -1i32, "r" 1) => 0x3f80_0000;
        "setp.hi.u32" "p":
            ("r" -1i32, "r" 1) => 1;
        "lop3.b32" "r":
            ("r" 0xf0f0, "r" 0xcccc, "r" 0xaaaa, "#" 0x96) => 0xf0f0 ^ 0xcccc ^ 0xaaaa;
            ("r" 0xf0f0, "r" 0xcccc, "r" 0xaaaa, "#" 0xe8) => (0xf0f0 & 0xcccc) | (0xf0f0 & 0xaaaa) | (0xcccc & 0xaaaa);
    }
}

#[test]
fn conversions() {
    vectors! {
        "cvt.u8.u32" "r": ("r" 0x1ff) => 0xff;
        "cvt.s8.u32" "r": ("r" 0x80) => 0xffff_ff80u32;
        "cvt.s64.s32" "rd": ("r" -2i32) => -2i64;
        "cvt.u64.u32" "rd": ("r" -2i32) => 0xffff_fffeu32;
        "cvt.sat.u8.s32" "r":
            ("r" -1i32) => 0;
            ("r" 256) => 255;
        "cvt.sat.s16.u32" "r":
            ("r" 0xffff_ffffu32) => 0x7fff;
        "cvt.sat.s8.s32" "r":
            ("r" -1000i32) => 0xffff_ff80u32;
        "cvt.rzi.s32.f32" "r":
            ("f" (-1.5f32).to_bits()) => 0xffff_ffffu32;
            ("f" 3e9f32.to_bits()) => 0x7fff_ffff;
            ("f" f32::NAN.to_bits()) => 0;
        "cvt.rni.s32.f32" "r":
            ("f" 2.5f32.to_bits()) => 2;
            ("f" 3.5f32.to_bits()) => 4;
        "cvt.rmi.s32.f32" "r": ("f" (-1.5f32).to_bits()) => 0xffff_fffeu32;
        "cvt.rpi.u32.f32" "r":
            ("f" 1.25f32.to_bits()) => 2;
            ("f" (-7f32).to_bits()) => 0;
        "cvt.rzi.u64.f32" "rd": ("f" f32::NAN.to_bits()) => 1u64 << 63;
        "cvt.rzi.s8.f32" "r": ("f" 1000f32.to_bits()) => 127;
        "cvt.rn.f32.u32" "f": ("r" 0x0100_0001) => 16777216f32.to_bits();
        "cvt.rp.f32.u32" "f": ("r" 0x0100_0001) => 16777218f32.to_bits();
        "cvt.rn.f32.s64" "f": ("rd" i64::MIN as u64) => (-9223372036854775808f32).to_bits();
        "cvt.rn.f32.f64" "f": ("fd" 0.1f64.to_bits()) => 0.1f32.to_bits();
        "cvt.f64.f32" "fd": ("f" 1.5f32.to_bits()) => 1.5f64.to_bits();
        "cvt.sat.f32.f32" "f":
            ("f" 1.5f32.to_bits()) => 1f32.to_bits();
            ("f" (-0f32).to_bits()) => 0;
            ("f" f32::NAN.to_bits()) => 0;
        "cvt.rn.f16.f32" "h":
            ("f" 65519f32.to_bits()) => 0x7bff;
            ("f" 65520f32.to_bits()) => 0x7c00;
        "cvt.rn.f16x2.f32" "r": ("f" 1f32.to_bits(), "f" 2f32.to_bits()) => 0x3c00_4000;
        "cvt.rn.bf16.f32" "h": ("f" 0x3f80_8000) => 0x3f80;
        "cvt.pack.sat.u8.s32.b32" "r": ("r" 300, "r" -1i32, "r" 0x1234_5678) => 0x5678_ff00;
        "cvt.pack.sat.s16.s32" "r": ("r" 40000, "r" -40000i32) => 0x7fff_8000;
    }
}

#[test]
fn floats() {
    let f = |x: f32| x.to_bits();
    vectors! {
        "add.rn.f32" "f":
            ("f" 0x3f80_0000, "f" 0x3380_0000) => 0x3f80_0000;
            ("f" 0x3f80_0001, "f" 0x3380_0000) => 0x3f80_0002;
            ("f" 1, "f" 2) => 3;
        "add.rz.f32" "f": ("f" 0x3f80_0001, "f" 0x3380_0000) => 0x3f80_0001;
        "add.rm.f32" "f": ("f" f(1.0), "f" f(-1.0)) => 0x8000_0000u32;
        "add.ftz.f32" "f": ("f" 1, "f" 0x0080_0000) => 0x0080_0000;
        "mul.ftz.f32" "f": ("f" 0x8080_0000u32, "f" f(0.5)) => 0x8000_0000u32;
        "add.sat.f32" "f":
            ("f" f(0.75), "f" f(0.75)) => f(1.0);
            ("f" f(-1.0), "f" f(0.5)) => 0;
        "fma.rn.f32" "f":
            ("f" 0x3f80_0001, "f" 0x3f80_0001, "f" 0xbf80_0002u32) => f(2f32.powi(-46));
        "min.f32" "f":
            ("f" f(0.0), "f" f(-0.0)) => f(-0.0);
            ("f" 0x7fc0_0000, "f" f(1.0)) => f(1.0);
        "max.f32" "f": ("f" f(-0.0), "f" f(0.0)) => 0;
        "max.NaN.f32" "f": ("f" 0x7fc0_0000, "f" f(1.0)) => 0x7fff_ffff;
        "min.xorsign.abs.f32" "f": ("f" f(-2.0), "f" f(3.0)) => f(-2.0);
        "neg.f32" "f": ("f" 0) => 0x8000_0000u32;
        "copysign.f32" "f": ("f" f(-1.0), "f" f(3.0)) => f(-3.0);
        "div.rn.f32" "f": ("f" f(1.0), "f" f(3.0)) => 0x3eaa_aaab;
        "div.rz.f32" "f": ("f" f(1.0), "f" f(3.0)) => 0x3eaa_aaaa;
        "sqrt.rn.f32" "f":
            ("f" f(2.0)) => 0x3fb5_04f3;
            ("f" f(-0.0)) => f(-0.0);
            ("f" 1) => 0x1a35_04f3;
            ("f" f(4.0)) => f(2.0);
        "sqrt.rp.f32" "f": ("f" f(2.0)) => 0x3fb5_04f4;
        "sqrt.rn.f64" "fd": ("fd" 2f64.to_bits()) => 2f64.sqrt().to_bits();
        "rcp.rn.f32" "f": ("f" f(3.0)) => 0x3eaa_aaab;
        "add.f64" "fd": ("fd" 0.1f64.to_bits(), "fd" 0.2f64.to_bits()) => (0.1f64 + 0.2).to_bits();
        "add.f16x2" "r": ("r" 0x3c00_3c00, "r" 0x4000_3c00) => 0x4200_4000;
        "fma.rn.relu.f16" "h": ("h" 0xbc00, "h" 0x3c00, "h" 0) => 0;
        "mul.bf16" "h": ("h" 0x3fc0, "h" 0x3fc0) => 0x4010;
        "setp.ltu.f32" "p": ("f" 0x7fc0_0000, "f" 0) => 1;
        "setp.ne.f32" "p": ("f" 0x7fc0_0000, "f" 0) => 0;
        "setp.neu.f32" "p": ("f" 0x7fc0_0000, "f" 0) => 1;
        "setp.eq.ftz.f32" "p": ("f" 1, "f" 0x8000_0002u32) => 1;
        "testp.subnormal.f32" "p": ("f" 1) => 1;
        "testp.normal.f32" "p": ("f" 0) => 0;
    }
}

#[test]
fn square_roots_of_many_numbers_are_the_hosts() {
    for n in 0..400u32 {
        let bits = n.wrapping_mul(0x01a3_5c47) & 0x7fff_ffff;
        let x = f32::from_bits(bits);
        if x.is_finite() {
            assert_eq!(one("sqrt.rn.f32", &[("f", bits.into())], "f"), u64::from(x.sqrt().to_bits()), "{x:e}");
        }
    }
}

#[test]
fn carry_chains() {
    let add = "mov.b32 %r1, -1;\nadd.cc.u32 %r2, %r1, 1;\naddc.cc.u32 %r3, %r1, 0;\naddc.u32 %r4, 5, 6;\nmov.b64 %rd1, {%r3, %r4};\n\
               st.global.b64 [%o], %rd1;\n";
    assert_eq!(body_result(add), 12 << 32);
    // The borrow of a subtraction comes off the next one.
    let sub = "sub.cc.u32 %r1, 0, 1;\nsubc.cc.u32 %r2, 0, 0;\nsubc.u32 %r3, 5, 1;\nmov.b64 %rd1, {%r2, %r3};\nst.global.b64 [%o], %rd1;\n";
    assert_eq!(body_result(sub), 3 << 32 | 0xffff_ffff);
    let mad = "mov.b32 %r1, -1;\nmad.lo.cc.u32 %r2, %r1, %r1, %r1;\nmadc.hi.u32 %r3, %r1, %r1, 0;\nmov.b64 %rd1, {%r2, %r3};\n\
               st.global.b64 [%o], %rd1;\n";
    assert_eq!(body_result(mad), 0xffff_ffffu64 * 0xffff_ffff + 0xffff_ffff);
}

#[test]
fn predicates_in_pairs_and_combinations() {
    // p = (1 < 2) & !q, r = !(1 < 2) & !q, with q false.
    let body = "setp.ne.u32 %p1, 0, 0;\nsetp.lt.and.s32 %p2|%p3, 1, 2, !%p1;\nselp.b32 %r1, 1, 0, %p2;\nselp.b32 %r2, 2, 0, %p3;\n\
                or.b32 %r1, %r1, %r2;\nst.global.b32 [%o], %r1;\n";
    assert_eq!(body_result(body), 1);
    let xor = "setp.ne.u32 %p1, 1, 0;\nsetp.lt.xor.s32 %p2|%p1, 1, 2, %p1;\nselp.b32 %r1, 1, 0, %p2;\nselp.b32 %r2, 2, 0, %p1;\n\
               or.b32 %r1, %r1, %r2;\nst.global.b32 [%o], %r1;\n";
    assert_eq!(body_result(xor), 2);
    let lop = "setp.ne.u32 %p1, 0, 0;\nlop3.or.b32 %r1|%p2, 0, 0, 0, 0x80, %p1;\nselp.b32 %r1, 1, 2, %p2;\nst.global.b32 [%o], %r1;\n";
    assert_eq!(body_result(lop), 2);
}

#[test]
fn packing_and_widths() {
    let body =
        "mov.b32 %r1, 0x44332211;\nmov.b32 {%h1, %h2}, %r1;\nmov.b32 %r2, {%h2, %h1};\nst.global.b32 [%o], %r2;\n";
    assert_eq!(body_result(body), 0x2211_4433);
    // A load extends to its register by its own type; a store cuts.
    let body = "st.global.b32 [%o], 0x8081;\nld.global.s8 %rd1, [%o];\nst.global.b64 [%o], %rd1;\n";
    assert_eq!(body_result(body), 0xffff_ffff_ffff_ff81);
    let body =
        "st.global.b32 [%o], 0x8081;\nld.global.s8 %h1, [%o];\nmov.b32 %r1, {%h1, %h1};\nst.global.b32 [%o], %r1;\n";
    assert_eq!(body_result(body), 0xff81_ff81);
    let body = "mov.b32 %r1, 0x12345678;\nst.global.u8 [%o+1], %r1;\n";
    assert_eq!(body_result(body), 0x7800);
}

#[test]
fn atomics() {
    let body =
        |start: u32, op: &str| format!("st.global.b32 [%o], {start};\natom.global.{op};\nst.global.b32 [%o+4], %r1;\n");
    for (start, op, new) in [
        (5, "inc.u32 %r1, [%o], 5", 0),
        (4, "inc.u32 %r1, [%o], 5", 5),
        (0, "dec.u32 %r1, [%o], 5", 5),
        (6, "dec.u32 %r1, [%o], 5", 5),
        (3, "cas.b32 %r1, [%o], 3, 9", 9),
        (4, "cas.b32 %r1, [%o], 3, 9", 4),
        (4, "max.s32 %r1, [%o], -1", 4),
        (4, "max.u32 %r1, [%o], -1", u32::MAX),
        (4, "exch.b32 %r1, [%o], 8", 8),
    ] {
        assert_eq!(body_result(&body(start, op)), u64::from(start) << 32 | u64::from(new), "{op}");
    }
}
