//! What lifted instructions compute, against the PTX ISA's pseudo-code written out here, before and after `opt`.
//!
//! Each form runs with its operands in registers and, where it takes them, as constants.

use crate::interp::{Event, Machine};
use warp2wave::diag::Severity;
use warp2wave::{ir, lift, opt, ptx};

const DWORDS: &[u32] = &[
    0, 1, 2, 5, 8, 16, 31, 32, 33, 40, 64, 255, 256, 260, 0x7fff, 0x8000, 0xffff, 0x10000, 0x12345678, 0x80ff7f01,
    0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff,
];

const PAIRS: &[u64] = &[
    0,
    1,
    63,
    64,
    0x7fff_ffff,
    0xffff_ffff,
    1 << 32,
    0x0123_4567_89ab_cdef,
    0xfedc_ba98_7654_3210,
    i64::MAX as u64,
    1 << 63,
    u64::MAX - 1,
    u64::MAX,
];

/// A kernel around statements: `%r1`-`%r3`, `%rd1`-`%rd3` and `%h1`-`%h3` hold three parameters of each width (as b32,
/// b64 and b16), `%f1`-`%f3` the dwords; `%r9`, `%rd9`, `%h9`, `%f9` and `%p9` are stored at the end by `result`.
fn kernel(body: &str, result: &str) -> String {
    let mut text = String::from(
        ".version 8.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .b32 a, .param .b32 b, \
         .param .b32 c, .param .b64 x, .param .b64 y, .param .b64 z)\n{\n.reg .b32 %r<20>;\n.reg .b64 %rd<20>;\n\
         .reg .b16 %h<20>;\n.reg .f32 %f<20>;\n.reg .pred %p<20>;\n.reg .b64 %o;\nld.param.u64 %o, [out];\n",
    );
    for (n, (dword, pair)) in [("a", "x"), ("b", "y"), ("c", "z")].iter().enumerate() {
        let n = n + 1;
        text += &format!("ld.param.b32 %r{n}, [{dword}];\nld.param.b64 %rd{n}, [{pair}];\n");
        text += &format!("cvt.u16.u32 %h{n}, %r{n};\nmov.b32 %f{n}, %r{n};\n");
    }
    text += body;
    text += "\n";
    text += match result {
        "%p9" => "selp.b32 %r9, 1, 0, %p9;\nst.global.b32 [%o], %r9;\n",
        "%h9" => "st.global.b16 [%o], %h9;\n",
        "%rd9" => "st.global.b64 [%o], %rd9;\n",
        "%f9" => "st.global.f32 [%o], %f9;\n",
        _ => "st.global.b32 [%o], %r9;\n",
    };
    text + "ret;\n}\n"
}

struct Lifted {
    before: ir::Func,
    after: ir::Func,
    source: String,
}

#[track_caller]
fn compile(body: &str, result: &str) -> Lifted {
    let source = kernel(body, result);
    let (module, diags) = ptx::parse(&source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}\n{source}");
    let out = lift::lift(&module, None).unwrap_or_else(|d| panic!("{d:#?}\n{source}"));
    let before = out.kernels.into_iter().next().unwrap().func;
    ir::verify(&before).unwrap();
    let mut after = before.clone();
    opt::run(&mut after);
    Lifted { before, after, source }
}

impl Lifted {
    /// The stored result, the same before and after optimisation.
    #[track_caller]
    fn run(&self, dwords: [u32; 3], pairs: [u64; 3]) -> u64 {
        let mut params = 0x1000u64.to_le_bytes().to_vec();
        params.extend(dwords.iter().flat_map(|d| d.to_le_bytes()));
        params.extend([0; 4]);
        params.extend(pairs.iter().flat_map(|d| d.to_le_bytes()));
        let [before, after] = [&self.before, &self.after].map(|func| {
            let mut machine = Machine::new(&params, &[]);
            machine.run(func);
            match machine.events[..] {
                [Event::Store(_, 0x1000, _, value), Event::Exit] => value,
                ref events => panic!("{events:?}\n{}", self.source),
            }
        });
        assert_eq!(before, after, "optimisation changes {dwords:x?} {pairs:x?} of\n{}", self.source);
        before
    }
}

/// A form with `A`, `B`, `C` for 32-bit sources and `D` for the destination.
#[track_caller]
fn dwords(form: &str, expected: impl Fn(u32, u32, u32) -> u32) {
    let registers = form.replace('D', "%r9").replace('A', "%r1").replace('B', "%r2").replace('C', "%r3");
    let lifted = compile(&registers, "%r9");
    let seldom = if form.contains('C') { DWORDS } else { &DWORDS[..1] };
    for &a in DWORDS {
        for &b in DWORDS {
            for &c in seldom {
                let got = lifted.run([a, b, c], [0; 3]);
                assert_eq!(got, u64::from(expected(a, b, c)), "{form} of {a:#x}, {b:#x}, {c:#x}");
            }
        }
    }
    // The last operands as constants.
    for &b in DWORDS {
        let c = b.rotate_left(7) % 41;
        let constants =
            form.replace('D', "%r9").replace('A', "%r1").replace('B', &b.to_string()).replace('C', &c.to_string());
        let lifted = compile(&constants, "%r9");
        for &a in DWORDS {
            assert_eq!(lifted.run([a, 0, 0], [0; 3]), u64::from(expected(a, b, c)), "{constants} of {a:#x}");
        }
    }
}

/// A form with `X`, `Y`, `Z` for 64-bit sources, `A`, `B` for 32-bit ones and `D` for a 64-bit destination.
#[track_caller]
fn pairs(form: &str, expected: impl Fn(u64, u64, u64, u32, u32) -> u64) {
    let text = form.replace('D', "%rd9").replace('A', "%r1").replace('B', "%r2");
    let text = text.replace('X', "%rd1").replace('Y', "%rd2").replace('Z', "%rd3");
    let lifted = compile(&text, "%rd9");
    let some = |needed: bool, of: &'static [u64]| if needed { of } else { &of[..1] };
    let some32 = |needed: bool| if needed { DWORDS } else { &DWORDS[..1] };
    for &x in some(form.contains('X'), PAIRS) {
        for &y in some(form.contains('Y'), PAIRS) {
            for &z in some(form.contains('Z'), PAIRS) {
                for &a in some32(form.contains('A')) {
                    for &b in some32(form.contains('B')) {
                        let got = lifted.run([a, b, 0], [x, y, z]);
                        let want = expected(x, y, z, a, b);
                        assert_eq!(got, want, "{form} of {x:#x}, {y:#x}, {z:#x}, {a:#x}, {b:#x}");
                    }
                }
            }
        }
    }
}

/// A form with `A`, `B`, `C` for 16-bit sources and `D` for a 16-bit destination; the registers' upper halves hold junk.
#[track_caller]
fn halves(form: &str, expected: impl Fn(u16, u16, u16) -> u16) {
    let text = form.replace('D', "%h9").replace('A', "%h1").replace('B', "%h2").replace('C', "%h3");
    let lifted = compile(&text, "%h9");
    let third = if form.contains('C') { DWORDS } else { &DWORDS[..1] };
    for &a in DWORDS {
        for &b in DWORDS {
            for &c in third {
                let got = lifted.run([a, b, c], [0; 3]);
                let want = expected(a as u16, b as u16, c as u16);
                assert_eq!(got, u64::from(want), "{form} of {a:#x}, {b:#x}, {c:#x}");
            }
        }
    }
}

/// A form with dword sources `A`, `B`, `C` and a result in any register.
#[track_caller]
fn into(result: &str, form: &str, expected: impl Fn(u32, u32, u32) -> u64) {
    let text = form.replace('A', "%r1").replace('B', "%r2").replace('C', "%r3");
    let lifted = compile(&text, result);
    let third = if form.contains('C') || form.contains("f3") { DWORDS } else { &DWORDS[..1] };
    for &a in DWORDS {
        for &b in DWORDS {
            for &c in third {
                assert_eq!(lifted.run([a, b, c], [0; 3]), expected(a, b, c), "{form} of {a:#x}, {b:#x}, {c:#x}");
            }
        }
    }
}

#[test]
fn add_sub_mul_mad() {
    dwords("add.s32 D, A, B;", |a, b, _| a.wrapping_add(b));
    dwords("sub.u32 D, A, B;", |a, b, _| a.wrapping_sub(b));
    dwords("add.sat.s32 D, A, B;", |a, b, _| (a as i32).saturating_add(b as i32) as u32);
    dwords("sub.sat.s32 D, A, B;", |a, b, _| (a as i32).saturating_sub(b as i32) as u32);
    dwords("mul.lo.u32 D, A, B;", |a, b, _| a.wrapping_mul(b));
    dwords("mul.hi.u32 D, A, B;", |a, b, _| ((u64::from(a) * u64::from(b)) >> 32) as u32);
    dwords("mul.hi.s32 D, A, B;", |a, b, _| ((i64::from(a as i32) * i64::from(b as i32)) >> 32) as u32);
    dwords("mad.lo.s32 D, A, B, C;", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    dwords("mad.hi.u32 D, A, B, C;", |a, b, c| (((u64::from(a) * u64::from(b)) >> 32) as u32).wrapping_add(c));
    dwords("mad.hi.sat.s32 D, A, B, C;", |a, b, c| {
        (((i64::from(a as i32) * i64::from(b as i32)) >> 32) as i32).saturating_add(c as i32) as u32
    });
    halves("mul.lo.s16 D, A, B;", |a, b, _| a.wrapping_mul(b));
    halves("mul.hi.s16 D, A, B;", |a, b, _| ((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u16);
    halves("mul.hi.u16 D, A, B;", |a, b, _| ((u32::from(a) * u32::from(b)) >> 16) as u16);
    halves("mad.hi.s16 D, A, B, C;", |a, b, c| {
        (((i32::from(a as i16) * i32::from(b as i16)) >> 16) as u16).wrapping_add(c)
    });
    into("%r9", "mul.wide.s16 %r9, %h1, %h2;", |a, b, _| u64::from((i32::from(a as i16) * i32::from(b as i16)) as u32));
    into("%r9", "mad.wide.u16 %r9, %h1, %h2, C;", |a, b, c| {
        u64::from((u32::from(a as u16) * u32::from(b as u16)).wrapping_add(c))
    });
    into("%rd9", "mul.wide.s32 %rd9, A, B;", |a, b, _| (i64::from(a as i32) * i64::from(b as i32)) as u64);
    into("%rd9", "mul.wide.u32 %rd9, A, 4;", |a, _, _| u64::from(a) * 4);
    into("%rd9", "mul.wide.s32 %rd9, A, -8;", |a, _, _| (i64::from(a as i32) * -8) as u64);
    pairs("mad.wide.u32 D, A, B, X;", |x, _, _, a, b| (u64::from(a) * u64::from(b)).wrapping_add(x));
    pairs("mul.lo.u64 D, X, Y;", |x, y, _, _, _| x.wrapping_mul(y));
    pairs("mul.hi.u64 D, X, Y;", |x, y, _, _, _| ((u128::from(x) * u128::from(y)) >> 64) as u64);
    pairs("mul.hi.s64 D, X, Y;", |x, y, _, _, _| ((i128::from(x as i64) * i128::from(y as i64)) >> 64) as u64);
    pairs("mad.lo.s64 D, X, Y, Z;", |x, y, z, _, _| x.wrapping_mul(y).wrapping_add(z));
}

fn low24(v: u32, signed: bool) -> i64 {
    if signed { i64::from((v << 8) as i32 >> 8) } else { i64::from(v & 0xff_ffff) }
}

#[test]
fn multiplication_of_24_bits() {
    for (signed, ty) in [(false, "u32"), (true, "s32")] {
        let product = move |a, b| low24(a, signed) * low24(b, signed);
        dwords(&format!("mul24.lo.{ty} D, A, B;"), move |a, b, _| product(a, b) as u32);
        dwords(&format!("mul24.hi.{ty} D, A, B;"), move |a, b, _| (product(a, b) >> 16) as u32);
        dwords(&format!("mad24.lo.{ty} D, A, B, C;"), move |a, b, c| (product(a, b) as u32).wrapping_add(c));
        dwords(&format!("mad24.hi.{ty} D, A, B, C;"), move |a, b, c| ((product(a, b) >> 16) as u32).wrapping_add(c));
    }
    dwords("mad24.hi.sat.s32 D, A, B, C;", |a, b, c| {
        (((low24(a, true) * low24(b, true)) >> 16) as i32).saturating_add(c as i32) as u32
    });
}

#[test]
fn carry_chains() {
    let sum = "add.cc.u32 %r4, %r1, %r2;\naddc.cc.u32 %r5, %r3, %r1;\naddc.u32 %r9, %r2, %r3;";
    into("%r9", sum, |a, b, c| {
        let first = u64::from(a) + u64::from(b);
        let second = u64::from(c) + u64::from(a) + (first >> 32);
        u64::from(b.wrapping_add(c).wrapping_add((second >> 32) as u32))
    });
    let difference = "sub.cc.u32 %r4, %r1, %r2;\nsubc.cc.u32 %r5, %r3, %r1;\nsubc.u32 %r9, %r2, %r3;";
    into("%r9", difference, |a, b, c| {
        let first = u32::from(a < b);
        let second = u32::from(u64::from(c) < u64::from(a) + u64::from(first));
        u64::from(b.wrapping_sub(c).wrapping_sub(second))
    });
    let product = "mad.lo.cc.u32 %r4, %r1, %r2, %r3;\nmadc.hi.u32 %r9, %r1, %r2, 0;";
    into("%r9", product, |a, b, c| (u64::from(a) * u64::from(b) + u64::from(c)) >> 32);
    pairs("add.cc.u64 %rd4, X, Y;\naddc.u64 D, X, Z;", |x, y, z, _, _| {
        x.wrapping_add(z).wrapping_add(u64::from(x.checked_add(y).is_none()))
    });
    pairs("sub.cc.s64 %rd4, X, Y;\nsubc.s64 D, X, Z;", |x, y, z, _, _| {
        x.wrapping_sub(z).wrapping_sub(u64::from(x < y))
    });
}

#[test]
fn division() {
    // A zero divisor is undefined in PTX; the constants have it.
    let or = |v: Option<u32>, els: u32| v.unwrap_or(els);
    dwords("div.u32 D, A, B;", |a, b, _| or(a.checked_div(b), !0));
    dwords("rem.u32 D, A, B;", |a, b, _| or(a.checked_rem(b), a));
    dwords("div.s32 D, A, B;", |a, b, _| if b == 0 { !0 } else { (a as i32).wrapping_div(b as i32) as u32 });
    dwords("rem.s32 D, A, B;", |a, b, _| if b == 0 { a } else { (a as i32).wrapping_rem(b as i32) as u32 });
    halves("div.s16 D, A, B;", |a, b, _| if b == 0 { !0 } else { (a as i16).wrapping_div(b as i16) as u16 });
    halves("rem.u16 D, A, B;", |a, b, _| a.checked_rem(b).unwrap_or(a));
    pairs("div.s64 D, X, Y;", |x, y, _, _, _| if y == 0 { !0 } else { (x as i64).wrapping_div(y as i64) as u64 });
    pairs("rem.u64 D, X, Y;", |x, y, _, _, _| x.checked_rem(y).unwrap_or(x));
}

#[test]
fn signs_and_order() {
    dwords("abs.s32 D, A;", |a, _, _| (a as i32).wrapping_abs() as u32);
    dwords("neg.s32 D, A;", |a, _, _| (a as i32).wrapping_neg() as u32);
    dwords("min.s32 D, A, B;", |a, b, _| (a as i32).min(b as i32) as u32);
    dwords("max.u32 D, A, B;", |a, b, _| a.max(b));
    halves("abs.s16 D, A;", |a, _, _| (a as i16).wrapping_abs() as u16);
    halves("min.u16 D, A, B;", |a, b, _| a.min(b));
    halves("max.s16 D, A, B;", |a, b, _| (a as i16).max(b as i16) as u16);
    pairs("abs.s64 D, X;", |x, _, _, _, _| (x as i64).wrapping_abs() as u64);
    pairs("min.u64 D, X, Y;", |x, y, _, _, _| x.min(y));
    pairs("max.s64 D, X, Y;", |x, y, _, _, _| (x as i64).max(y as i64) as u64);
    dwords("sad.s32 D, A, B, C;", |a, b, c| c.wrapping_add((a as i32).abs_diff(b as i32)));
    dwords("sad.u32 D, A, B, C;", |a, b, c| c.wrapping_add(a.abs_diff(b)));
    halves("sad.s16 D, A, B, C;", |a, b, c| c.wrapping_add((a as i16).abs_diff(b as i16)));
    pairs("sad.s64 D, X, Y, Z;", |x, y, z, _, _| z.wrapping_add((x as i64).abs_diff(y as i64)));
}

#[test]
fn logic() {
    dwords("and.b32 D, A, B;", |a, b, _| a & b);
    dwords("or.b32 D, A, B;", |a, b, _| a | b);
    dwords("xor.b32 D, A, B;", |a, b, _| a ^ b);
    dwords("not.b32 D, A;", |a, _, _| !a);
    dwords("cnot.b32 D, A;", |a, _, _| u32::from(a == 0));
    halves("cnot.b16 D, A;", |a, _, _| u16::from(a == 0));
    pairs("xor.b64 D, X, Y;", |x, y, _, _, _| x ^ y);
    pairs("cnot.b64 D, X;", |x, _, _, _, _| u64::from(x == 0));
    for table in [0x96u8, 0xe8, 0xca, 0x6a, 0x1b, 0xea, 0x00, 0xff, 0xf0, 0x33, 0x80] {
        dwords(&format!("lop3.b32 D, A, B, C, {table:#x};"), move |a, b, c| {
            (0..32).fold(0, |out, n| {
                let row = (a >> n & 1) << 2 | (b >> n & 1) << 1 | c >> n & 1;
                out | u32::from(table >> row & 1) << n
            })
        });
    }
    into(
        "%p9",
        "setp.lt.u32 %p1, A, B;\nsetp.lt.u32 %p2, B, C;\nxor.pred %p3, %p1, %p2;\nnot.pred %p9, %p3;",
        |a, b, c| u64::from(!((a < b) ^ (b < c))),
    );
}

#[test]
fn shifts_clamp() {
    dwords("shl.b32 D, A, B;", |a, b, _| a.checked_shl(b).unwrap_or(0));
    dwords("shr.u32 D, A, B;", |a, b, _| a.checked_shr(b).unwrap_or(0));
    dwords("shr.b32 D, A, B;", |a, b, _| a.checked_shr(b).unwrap_or(0));
    dwords("shr.s32 D, A, B;", |a, b, _| ((a as i32) >> b.min(31)) as u32);
    into("%h9", "shl.b16 %h9, %h1, B;", |a, b, _| u64::from(if b < 16 { (a as u16) << b } else { 0 }));
    into("%h9", "shr.u16 %h9, %h1, B;", |a, b, _| u64::from(if b < 16 { a as u16 >> b } else { 0 }));
    into("%h9", "shr.s16 %h9, %h1, B;", |a, b, _| u64::from((a as i16 >> b.min(15)) as u16));
    pairs("shl.b64 D, X, A;", |x, _, _, a, _| x.checked_shl(a).unwrap_or(0));
    pairs("shr.u64 D, X, A;", |x, _, _, a, _| x.checked_shr(a).unwrap_or(0));
    pairs("shr.s64 D, X, A;", |x, _, _, a, _| ((x as i64) >> a.min(63)) as u64);
    for n in [0u32, 1, 8, 24, 31, 32, 33, 40, 63, 64, 65] {
        pairs(&format!("shl.b64 D, X, {n};"), move |x, _, _, _, _| x.checked_shl(n).unwrap_or(0));
        pairs(&format!("shr.u64 D, X, {n};"), move |x, _, _, _, _| x.checked_shr(n).unwrap_or(0));
        pairs(&format!("shr.s64 D, X, {n};"), move |x, _, _, _, _| ((x as i64) >> n.min(63)) as u64);
    }
    let funnel = |a: u32, b: u32| u64::from(b) << 32 | u64::from(a);
    dwords("shf.l.clamp.b32 D, A, B, C;", move |a, b, c| (funnel(a, b) << c.min(32) >> 32) as u32);
    dwords("shf.l.wrap.b32 D, A, B, C;", move |a, b, c| (funnel(a, b) << (c & 31) >> 32) as u32);
    dwords("shf.r.clamp.b32 D, A, B, C;", move |a, b, c| (funnel(a, b) >> c.min(32)) as u32);
    dwords("shf.r.wrap.b32 D, A, B, C;", move |a, b, c| (funnel(a, b) >> (c & 31)) as u32);
    for n in [0, 1, 8, 31, 32, 33, 255] {
        dwords(&format!("shf.l.clamp.b32 D, A, B, {n};"), move |a, b, _| (funnel(a, b) << n.min(32) >> 32) as u32);
        dwords(&format!("shf.r.wrap.b32 D, A, B, {n};"), move |a, b, _| (funnel(a, b) >> (n & 31)) as u32);
    }
}

/// PTX ISA, "bfe": pos and len are the low 8 bits; bits beyond the field are the sign bit of min(pos+len-1, msb), or 0.
fn bfe(signed: bool, msb: u32, a: u64, pos: u32, len: u32) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let bit = |n: u32| a >> n & 1;
    let sign = if !signed || len == 0 { 0 } else { bit((pos + len - 1).min(msb)) };
    (0..=msb).fold(0, |out, n| out | (if n < len && pos + n <= msb { bit(pos + n) } else { sign }) << n)
}

/// PTX ISA, "bfi".
fn bfi(msb: u32, a: u64, b: u64, pos: u32, len: u32) -> u64 {
    let (pos, len) = (pos & 0xff, len & 0xff);
    let mut out = b;
    for n in 0..len {
        if pos + n <= msb {
            out = out & !(1 << (pos + n)) | (a >> n & 1) << (pos + n);
        }
    }
    out
}

#[test]
fn bit_fields() {
    dwords("bfe.u32 D, A, B, C;", |a, b, c| bfe(false, 31, a.into(), b, c) as u32);
    dwords("bfe.s32 D, A, B, C;", |a, b, c| bfe(true, 31, a.into(), b, c) as u32);
    pairs("bfe.u64 D, X, A, B;", |x, _, _, a, b| bfe(false, 63, x, a, b));
    pairs("bfe.s64 D, X, A, B;", |x, _, _, a, b| bfe(true, 63, x, a, b));
    pairs("bfi.b64 D, X, Y, A, B;", |x, y, _, a, b| bfi(63, x, y, a, b));
    into("%r9", "bfi.b32 %r9, A, 0x12345678, B, C;", |a, b, c| bfi(31, a.into(), 0x12345678, b, c));
    for (pos, len) in
        [(0, 32), (28, 8), (32, 4), (40, 8), (0, 0), (260, 8), (8, 8), (16, 16), (0, 8), (31, 1), (4, 260)]
    {
        dwords(&format!("bfe.u32 D, A, {pos}, {len};"), move |a, _, _| bfe(false, 31, a.into(), pos, len) as u32);
        dwords(&format!("bfe.s32 D, A, {pos}, {len};"), move |a, _, _| bfe(true, 31, a.into(), pos, len) as u32);
        dwords(&format!("bfi.b32 D, A, B, {pos}, {len};"), move |a, b, _| bfi(31, a.into(), b.into(), pos, len) as u32);
        pairs(&format!("bfe.s64 D, X, {pos}, {len};"), move |x, _, _, _, _| bfe(true, 63, x, pos, len));
        pairs(&format!("bfe.u64 D, X, {pos}, {len};"), move |x, _, _, _, _| bfe(false, 63, x, pos, len));
        pairs(&format!("bfi.b64 D, X, Y, {pos}, {len};"), move |x, y, _, _, _| bfi(63, x, y, pos, len));
    }
}

/// PTX ISA, "bfind".
fn bfind(a: u64, msb: u32, signed: bool, amount: bool) -> u32 {
    let negative = signed && a >> msb & 1 != 0;
    let a = if negative { !a } else { a };
    match (0..=msb).rev().find(|&n| a >> n & 1 != 0) {
        None => u32::MAX,
        Some(n) => {
            if amount {
                msb - n
            } else {
                n
            }
        }
    }
}

/// PTX ISA, "fns", word for word.
fn fns(mask: u32, base: u32, offset: i32) -> u32 {
    let bit = |n: i64| mask >> n & 1 == 1;
    if offset == 0 {
        return if base < 32 && bit(base.into()) { base } else { u32::MAX };
    }
    let (mut pos, mut count) = (i64::from(base), i64::from(offset).abs() - 1);
    let inc = if offset > 0 { 1 } else { -1 };
    while (0..32).contains(&pos) {
        if bit(pos) {
            if count == 0 {
                return pos as u32;
            }
            count -= 1;
        }
        pos += inc;
    }
    u32::MAX
}

fn bmsk(clamp: bool, a: u32, b: u32) -> u32 {
    let (start, len) = if clamp { (a, b) } else { (a & 31, b & 31) };
    (0..32u64).fold(0, |out, n| {
        let inside = n >= u64::from(start) && n < u64::from(start) + u64::from(len);
        out | u32::from(inside) << n
    })
}

fn szext(clamp: bool, signed: bool, a: u32, n: u32) -> u32 {
    let n = match (clamp, n) {
        (true, 32..) => return a,
        (false, n) => n & 31,
        (true, n) => n,
    };
    if n == 0 {
        return 0;
    }
    let up = a << (32 - n);
    if signed { (up as i32 >> (32 - n)) as u32 } else { up >> (32 - n) }
}

#[test]
fn counts_and_masks() {
    dwords("popc.b32 D, A;", |a, _, _| a.count_ones());
    dwords("clz.b32 D, A;", |a, _, _| a.leading_zeros());
    dwords("brev.b32 D, A;", |a, _, _| a.reverse_bits());
    pairs("brev.b64 D, X;", |x, _, _, _, _| x.reverse_bits());
    pairs("clz.b64 %r9, X;\ncvt.u64.u32 D, %r9;", |x, _, _, _, _| x.leading_zeros().into());
    pairs("popc.b64 %r9, X;\ncvt.u64.u32 D, %r9;", |x, _, _, _, _| x.count_ones().into());
    for (signed, ty) in [(false, "u"), (true, "s")] {
        for (amount, word) in [(false, ""), (true, ".shiftamt")] {
            dwords(&format!("bfind{word}.{ty}32 D, A;"), move |a, _, _| bfind(a.into(), 31, signed, amount));
            pairs(&format!("bfind{word}.{ty}64 %r9, X;\ncvt.u64.u32 D, %r9;"), move |x, _, _, _, _| {
                bfind(x, 63, signed, amount).into()
            });
        }
        for (clamp, mode) in [(true, "clamp"), (false, "wrap")] {
            dwords(&format!("szext.{mode}.{ty}32 D, A, B;"), move |a, b, _| szext(clamp, signed, a, b));
        }
    }
    dwords("bmsk.clamp.b32 D, A, B;", |a, b, _| bmsk(true, a, b));
    dwords("bmsk.wrap.b32 D, A, B;", |a, b, _| {
        // A mask that would run over the top is the part that fits.
        bmsk(false, a, b)
    });
    dwords("fns.b32 D, A, B, C;", |a, b, c| fns(a, b, c as i32));
    dwords("fns.b32 D, A, B, -2;", |a, b, _| fns(a, b, -2));
}

#[test]
fn dot_products() {
    let byte = |v: u32, n: u32, signed: bool| {
        let b = (v >> (8 * n)) as u8;
        if signed { i64::from(b as i8) } else { i64::from(b) }
    };
    let half = |v: u32, n: u32, signed: bool| {
        let h = (v >> (16 * n)) as u16;
        if signed { i64::from(h as i16) } else { i64::from(h) }
    };
    for (sa, a_ty) in [(false, "u32"), (true, "s32")] {
        for (sb, b_ty) in [(false, "u32"), (true, "s32")] {
            dwords(&format!("dp4a.{a_ty}.{b_ty} D, A, B, C;"), move |a, b, c| {
                (0..4).map(|n| byte(a, n, sa) * byte(b, n, sb)).sum::<i64>().wrapping_add(c.into()) as u32
            });
            for (first, mode) in [(0, "lo"), (2, "hi")] {
                dwords(&format!("dp2a.{mode}.{a_ty}.{b_ty} D, A, B, C;"), move |a, b, c| {
                    (0..2).map(|n| half(a, n, sa) * byte(b, first + n, sb)).sum::<i64>().wrapping_add(c.into()) as u32
                });
            }
        }
    }
}

#[test]
fn byte_permutes() {
    let pick = |a: u32, b: u32, nibble: u32| {
        let byte = ((u64::from(b) << 32 | u64::from(a)) >> (8 * (nibble & 7))) as u8;
        if nibble & 8 == 0 {
            byte
        } else if byte & 0x80 != 0 {
            0xff
        } else {
            0
        }
    };
    let generic = move |a: u32, b: u32, c: u32| u32::from_le_bytes([0, 4, 8, 12].map(|n| pick(a, b, c >> n & 15)));
    dwords("prmt.b32 D, A, B, C;", generic);
    for selector in [0x3210, 0x7654, 0x0123, 0x8888, 0xfedc, 0x4140, 0x1234_9abc] {
        dwords(&format!("prmt.b32 D, A, B, {selector};"), move |a, b, _| generic(a, b, selector));
        // The selector through a register that holds a constant.
        dwords(&format!("mov.u32 %r5, {selector};\nprmt.b32 D, A, B, %r5;"), move |a, b, _| generic(a, b, selector));
    }
    // The manual's tables, byte 3 first.
    let modes = [
        ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
        ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
        ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
        ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
        ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
        ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
    ];
    for (mode, table) in modes {
        dwords(&format!("prmt.b32.{mode} D, A, B, C;"), move |a, b, c| generic(a, b, table[c as usize & 3]));
    }
}

#[test]
fn comparisons_and_selections() {
    type Order = fn(i64, i64) -> bool;
    let orders: [(&str, Order); 6] = [
        ("eq", |a, b| a == b),
        ("ne", |a, b| a != b),
        ("lt", |a, b| a < b),
        ("le", |a, b| a <= b),
        ("gt", |a, b| a > b),
        ("ge", |a, b| a >= b),
    ];
    for (word, holds) in orders {
        into("%p9", &format!("setp.{word}.s32 %p9, A, B;"), move |a, b, _| {
            u64::from(holds((a as i32).into(), (b as i32).into()))
        });
        into("%p9", &format!("setp.{word}.u32 %p9, A, B;"), move |a, b, _| u64::from(holds(a.into(), b.into())));
        into("%p9", &format!("setp.{word}.u16 %p9, %h1, %h2;"), move |a, b, _| {
            u64::from(holds((a as u16).into(), (b as u16).into()))
        });
        into("%p9", &format!("setp.{word}.s16 %p9, %h1, -3;"), move |a, _, _| u64::from(holds((a as i16).into(), -3)));
        pairs(&format!("setp.{word}.s64 %p9, X, Y;\nselp.b64 D, 1, 0, %p9;"), move |x, y, _, _, _| {
            u64::from(holds(x as i64, y as i64))
        });
    }
    for (word, same) in [("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")] {
        let holds = orders.iter().find(|o| o.0 == same).unwrap().1;
        into("%p9", &format!("setp.{word}.u32 %p9, A, B;"), move |a, b, _| u64::from(holds(a.into(), b.into())));
    }
    let combined = "setp.gt.u32 %p1, B, C;\nsetp.lt.and.s32 %p9|%p2, A, B, !%p1;";
    into("%p9", combined, |a, b, c| u64::from((a as i32) < (b as i32) && b <= c));
    let complement = "setp.gt.u32 %p1, B, C;\nsetp.lt.or.s32 %p2|%p9, A, B, %p1;";
    into("%p9", complement, |a, b, c| u64::from((a as i32) >= (b as i32) || b > c));
    dwords("set.lt.u32.s32 D, A, B;", |a, b, _| if (a as i32) < b as i32 { u32::MAX } else { 0 });
    dwords("set.hi.f32.u32 D, A, B;", |a, b, _| if a > b { 0x3f80_0000 } else { 0 });
    into("%r9", "setp.eq.u32 %p1, C, 1;\nset.ge.xor.s32.u32 %r9, A, B, %p1;", |a, b, c| {
        if (a >= b) ^ (c == 1) { 0xffff_ffff } else { 0 }
    });
    into("%r9", "setp.eq.u32 %p1, C, 1;\nselp.b32 %r9, A, B, !%p1;", |a, b, c| u64::from(if c != 1 { a } else { b }));
    dwords("slct.u32.s32 D, A, B, C;", |a, b, c| if c as i32 >= 0 { a } else { b });
    into("%r9", "slct.u32.f32 %r9, A, B, %f3;", |a, b, c| u64::from(if f32::from_bits(c) >= 0.0 { a } else { b }));
    into("%p9", "setp.ltu.f32 %p9, %f1, %f2;", |a, b, _| {
        let (a, b) = (f32::from_bits(a), f32::from_bits(b));
        u64::from(a.is_nan() || b.is_nan() || a < b)
    });
    into("%p9", "setp.nan.f32 %p9, %f1, %f2;", |a, b, _| {
        u64::from(f32::from_bits(a).is_nan() || f32::from_bits(b).is_nan())
    });
}

#[test]
fn integer_conversions() {
    into("%r9", "cvt.u32.u16 %r9, %h1;", |a, _, _| u64::from(a as u16));
    into("%r9", "cvt.s32.s16 %r9, %h1;", |a, _, _| u64::from(a as i16 as u32));
    into("%r9", "cvt.s32.s8 %r9, A;", |a, _, _| u64::from(a as i8 as u32));
    into("%r9", "cvt.u32.u8 %r9, A;", |a, _, _| u64::from(a as u8));
    into("%h9", "cvt.s16.s8 %h9, %h1;", |a, _, _| u64::from(a as i8 as u16));
    into("%h9", "cvt.u16.u8 %h9, A;", |a, _, _| u64::from(a as u8));
    into("%h9", "cvt.u8.u32 %h9, A;", |a, _, _| u64::from(a as u8));
    into("%r9", "cvt.s8.s32 %r9, A;", |a, _, _| u64::from(a as i8 as u32));
    into("%r9", "cvt.u16.s32 %r9, A;", |a, _, _| u64::from(a as u16));
    into("%r9", "cvt.u16.s8 %r9, A;", |a, _, _| u64::from(a as i8 as u16));
    into("%rd9", "cvt.s64.s32 %rd9, A;", |a, _, _| a as i32 as u64);
    into("%rd9", "cvt.u64.u32 %rd9, A;", |a, _, _| u64::from(a));
    into("%rd9", "cvt.u64.s16 %rd9, %h1;", |a, _, _| a as i16 as u64);
    into("%rd9", "cvt.s64.u8 %rd9, A;", |a, _, _| u64::from(a as u8));
    pairs("cvt.u32.u64 %r9, X;\ncvt.u64.u32 D, %r9;", |x, _, _, _, _| x & 0xffff_ffff);
    pairs("cvt.s16.s64 %h9, X;\ncvt.s64.s16 D, %h9;", |x, _, _, _, _| x as i16 as u64);
    into("%h9", "cvt.sat.u8.s32 %h9, A;", |a, _, _| (a as i32).clamp(0, 255) as u64);
    into("%r9", "cvt.sat.s8.u32 %r9, A;", |a, _, _| u64::from(a.min(127)));
    into("%r9", "cvt.sat.s16.s32 %r9, A;", |a, _, _| u64::from((a as i32).clamp(-32768, 32767) as u32));
    into("%r9", "cvt.sat.u32.s32 %r9, A;", |a, _, _| u64::from((a as i32).max(0) as u32));
    into("%r9", "cvt.sat.s32.u32 %r9, A;", |a, _, _| u64::from(a.min(i32::MAX as u32)));
    into("%rd9", "cvt.sat.u64.s32 %rd9, A;", |a, _, _| (a as i32).max(0) as u64);
    pairs("cvt.sat.s32.s64 %r9, X;\ncvt.s64.s32 D, %r9;", |x, _, _, _, _| {
        (x as i64).clamp(i32::MIN.into(), i32::MAX.into()) as u64
    });
    pairs("cvt.sat.u32.u64 %r9, X;\ncvt.u64.u32 D, %r9;", |x, _, _, _, _| x.min(u32::MAX.into()));
    pairs("cvt.sat.u64.s64 D, X;", |x, _, _, _, _| (x as i64).max(0) as u64);
    pairs("cvt.sat.u16.s64 %h9, X;\ncvt.u64.u16 D, %h9;", |x, _, _, _, _| (x as i64).clamp(0, 65535) as u64);
}

#[test]
fn float_conversions() {
    into("%f9", "cvt.rn.f32.s32 %f9, A;", |a, _, _| u64::from((a as i32 as f32).to_bits()));
    into("%f9", "cvt.rn.f32.u16 %f9, %h1;", |a, _, _| u64::from((a as u16 as f32).to_bits()));
    into("%r9", "cvt.rzi.s32.f32 %r9, %f1;", |a, _, _| u64::from(f32::from_bits(a) as i32 as u32));
    into("%r9", "cvt.rzi.u32.f32 %r9, %f1;", |a, _, _| u64::from(f32::from_bits(a) as u32));
    into("%h9", "cvt.rzi.s16.f32 %h9, %f1;", |a, _, _| u64::from(f32::from_bits(a) as i16 as u16));
    into("%h9", "cvt.rzi.u8.f32 %h9, %f1;", |a, _, _| u64::from(f32::from_bits(a) as u8));
    // A NaN gives 0 in a dword, and 2^63 in a pair.
    let wide = |a: u32, v: u64| if f32::from_bits(a).is_nan() { 1 << 63 } else { v };
    into("%rd9", "cvt.rzi.s64.f32 %rd9, %f1;", move |a, _, _| wide(a, f32::from_bits(a) as i64 as u64));
    into("%rd9", "cvt.rzi.u64.f32 %rd9, %f1;", move |a, _, _| wide(a, f32::from_bits(a) as u64));
    into("%f9", "copysign.f32 %f9, %f1, %f2;", |a, b, _| u64::from(a & 0x8000_0000 | b & 0x7fff_ffff));
    into("%f9", "fma.rn.f32 %f9, %f1, %f2, %f3;", |a, b, c| {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        u64::from(a.mul_add(b, c).to_bits())
    });
}

#[test]
fn packing() {
    assert_eq!(compile("mov.u32 %r9, WARP_SZ;", "%r9").run([0; 3], [0; 3]), 32);
    into("%r9", "mov.b32 %r9, {%h1, %h2};", |a, b, _| u64::from((a & 0xffff) | b << 16));
    into("%h9", "mov.b32 {_, %h9}, A;", |a, _, _| u64::from(a >> 16));
    into("%rd9", "mov.b64 %rd9, {A, B};", |a, b, _| u64::from(a) | u64::from(b) << 32);
    pairs("mov.b64 {%r8, %r9}, X;\nmov.b64 D, {%r9, %r8};", |x, _, _, _, _| x.rotate_left(32));
    pairs("mov.b64 {%h4, %h5, %h6, %h7}, X;\nmov.b64 D, {%h7, %h6, %h5, %h4};", |x, _, _, _, _| {
        (0..4).fold(0, |out, n| out | (x >> (16 * n) & 0xffff) << (48 - 16 * n))
    });
    into("%r9", "mov.u32 %r9, %laneid;\nadd.u32 %r9, %r9, A;", |a, _, _| u64::from(a.wrapping_add(2)));
}

#[test]
fn guards() {
    let source = "setp.lt.u32 %p1, A, B;\nmov.u32 %r9, 1;\n@%p1 add.u32 %r9, A, 7;\n@!%p1 sub.u32 %r9, %r9, B;";
    into("%r9", source, |a, b, _| u64::from(if a < b { a.wrapping_add(7) } else { 1u32.wrapping_sub(b) }));
    // Division and memory are not for threads whose guard is false.
    let source = "setp.ne.u32 %p1, B, 0;\nmov.u32 %r9, 5;\n@%p1 div.u32 %r9, A, B;\n@%p1 add.u32 %r9, %r9, 1;";
    into("%r9", source, |a, b, _| u64::from(a.checked_div(b).map_or(5, |q| q.wrapping_add(1))));
    // The guard itself changes in between.
    let source = "setp.ne.u32 %p1, B, 0;\nmov.u32 %r9, 5;\n@%p1 rem.u32 %r9, A, B;\n@%p1 setp.eq.u32 %p1, A, 1;\n\
                  @%p1 rem.u32 %r9, 77, B;";
    into("%r9", source, |a, b, _| {
        u64::from(if b == 0 {
            5
        } else if a == 1 {
            77 % b
        } else {
            a % b
        })
    });
    let source = "setp.ge.u32 %p1, A, B;\nmov.u32 %r9, 3;\n@%p1 bra L;\nadd.u32 %r9, A, 1;\nL:\nadd.u32 %r9, %r9, B;";
    into("%r9", source, |a, b, _| u64::from((if a >= b { 3 } else { a.wrapping_add(1) }).wrapping_add(b)));
}

#[test]
fn scopes_and_loops() {
    let source = "mov.u32 %r9, 0;\nand.b32 %r4, A, 15;\n{\n.reg .b32 %r<6>;\n.reg .pred %p1;\nmov.u32 %r5, 3;\n}\n\
                  mov.u32 %r5, 0;\nLOOP:\nsetp.ge.u32 %p1, %r5, %r4;\n@%p1 bra.uni DONE;\nadd.u32 %r9, %r9, B;\n\
                  add.u32 %r5, %r5, 1;\nbra LOOP;\nDONE:";
    into("%r9", source, |a, b, _| u64::from((a & 15).wrapping_mul(b)));
    let source = "and.b32 %r4, A, 3;\nmov.u32 %r9, 0;\nTS: .branchtargets L0, L1, L2, L1;\nbrx.idx %r4, TS;\nL0:\n\
                  add.u32 %r9, %r9, 1;\nL1:\nadd.u32 %r9, %r9, 10;\nL2:\nadd.u32 %r9, %r9, 100;";
    into("%r9", source, |a, _, _| [111, 110, 100, 110][a as usize & 3]);
    let source = "shared_address:\nadd.u32 %r9, A, B;";
    into("%r9", source, |a, b, _| u64::from(a.wrapping_add(b)));
}

/// A module of its own: the words that the thread stores to global memory.
#[track_caller]
fn stores(source: &str, params: &[u8]) -> Vec<u64> {
    let source = format!(".version 8.5\n.target sm_80\n.address_size 64\n{source}");
    let (module, diags) = ptx::parse(&source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}");
    let out = lift::lift(&module, None).unwrap_or_else(|d| panic!("{d:#?}"));
    let globals: Vec<ir::GlobalData> = out.globals.values().cloned().collect();
    let mut results = Vec::new();
    let mut after = out.kernels[0].func.clone();
    opt::run(&mut after);
    for func in [&out.kernels[0].func, &after] {
        let mut machine = Machine::new(params, &globals);
        machine.run(func);
        assert!(machine.ended);
        let values: Vec<u64> = machine
            .events
            .iter()
            .filter_map(|e| match e {
                Event::Store(ir::Space::Global, _, _, value) => Some(*value),
                _ => None,
            })
            .collect();
        results.push(values);
    }
    assert_eq!(results[0], results[1]);
    results.swap_remove(0)
}

#[test]
fn calls_are_inlined() {
    let source = "
        .func (.param .b32 r) mul3(.param .b32 a) { .reg .b32 %r<3>; .reg .pred %p;
            ld.param.u32 %r1, [a]; setp.eq.u32 %p, %r1, 0; @%p bra Z; mul.lo.u32 %r2, %r1, 3; st.param.b32 [r], %r2; ret;
            Z: st.param.b32 [r+0], 1000; ret; }
        .func (.reg .u32 r) both(.reg .u32 a, .reg .u64 b) { .reg .b32 t; cvt.u32.u64 t, b; { .param .b32 x; .param .b32 y;
            st.param.b32 [x], a; call.uni (y), mul3, (x); ld.param.b32 a, [y]; } add.u32 r, a, t; }
        .func (.param .align 8 .b8 r[16]) swap(.param .align 8 .b8 s[16]) { .reg .b64 x; .reg .b16 h; .reg .b32 w;
            ld.param.b64 x, [s]; st.param.b64 [r+8], x; ld.param.u8 h, [s+9]; st.param.b8 [r+1], h;
            ld.param.b8 h, [s+8]; st.param.b8 [r], h; ld.param.b16 h, [s+10]; st.param.b16 [r+2], h;
            ld.param.b32 w, [s+12]; st.param.v2.b16 [r+4], {h, h}; st.param.b32 [r+4], w; ret; }
        .visible .entry k(.param .u64 out, .param .u32 n) { .reg .b64 %o; .reg .u32 %r<9>; .reg .b64 %d<4>; .reg .pred %p;
            ld.param.u64 %o, [out]; ld.param.u32 %r1, [n];
            call (%r2), both, (%r1, 5); st.global.u32 [%o], %r2;
            call (%r3), both, (0, 7); st.global.u32 [%o+4], %r3;
            setp.gt.u32 %p, %r1, 100; mov.u32 %r4, 9; @%p call (%r4), both, (%r1, 1); st.global.u32 [%o+8], %r4;
            @!%p call (%r4), both, (%r1, 2); st.global.u32 [%o+12], %r4;
            { .param .align 8 .b8 s[16]; .param .align 8 .b8 t[16];
              st.param.b64 [s], 0x0123456789abcdef; st.param.v2.b32 [s+8], {0x11223344, 0x55667788};
              call (t), swap, (s); ld.param.b64 %d1, [t]; ld.param.b64 %d2, [t+8]; }
            st.global.v2.b64 [%o+16], {%d1, %d2};
            ret; }";
    let mut params = 0x1000u64.to_le_bytes().to_vec();
    params.extend(4u32.to_le_bytes());
    let expected = [17, 1007, 9, 14, 0x5566_7788_1122_3344, 0x0123_4567_89ab_cdef];
    assert_eq!(stores(source, &params), expected);
}

#[test]
fn memory_of_every_width_and_space() {
    let source = "
        .const .align 4 .u16 table[2][2] = {{1, 2}, {0xfffe}};
        .global .align 8 .u64 where = table+2;
        .shared .align 4 .b8 buffer[64];
        .extern .shared .align 16 .b8 dynamic[];
        .visible .entry k(.param .u64 out, .param .align 4 .b8 s[12]) { .reg .b64 %o, %x, %y; .reg .b32 %r<9>;
            .reg .b16 %h<5>; .local .align 8 .b8 mine[16]; .reg .pred %p;
            ld.param.u64 %o, [out];
            ld.const.u16 %r1, [table+4]; st.global.u32 [%o], %r1;
            ld.const.s16 %r1, [table+4]; st.global.u32 [%o], %r1;
            ld.param.v2.u16 {%h1, %h2}, [s+4]; st.global.v2.u16 [%o], {%h1, %h2};
            mov.u64 %x, s; cvta.param.u64 %y, %x; ld.u8 %r2, [%y+9]; st.global.u32 [%o], %r2;
            ld.param.s8 %x, [s+11]; st.global.u64 [%o], %x;
            mov.u64 %x, buffer; cvta.shared.u64 %y, %x; st.u32 [%y+8], 77; ld.shared.u32 %r3, [buffer+8];
            st.global.u32 [%o], %r3;
            isspacep.shared %p, %y; selp.u32 %r4, 1, 0, %p; st.global.u32 [%o], %r4;
            isspacep.global %p, %o; selp.u32 %r4, 1, 0, %p; st.global.u32 [%o], %r4;
            cvta.to.shared.u64 %x, %y; ld.shared.u32 %r5, [%x+8]; st.global.u32 [%o], %r5;
            mov.u64 %x, mine; st.local.v2.u32 [%x], {5, 6}; cvta.local.u64 %y, %x; ld.u64 %x, [%y]; st.global.u64 [%o], %x;
            mov.u32 %r6, dynamic; st.global.u32 [%o], %r6;
            ret; }";
    let mut params = 0x1000u64.to_le_bytes().to_vec();
    params.extend([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 0xf4]);
    let expected = [0xfffe, 0xffff_fffe, 0x605, 0x807, 10, 0xffff_ffff_ffff_fff4, 77, 1, 1, 77, 0x6_0000_0005, 64];
    assert_eq!(stores(source, &params), expected);
}

#[test]
fn what_cannot_be_inlined_is_refused_all_at_once() {
    let source = ".version 8.5\n.target sm_80\n.address_size 64\n
        .extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
        .func f(.reg .u32 n) { call f, (n); ret; }
        .func unused() { .reg .f64 %d; sqrt.rn.f64 %d, %d; ret; }
        .visible .entry k() { .reg .b64 %d; .reg .b32 %r; .reg .f64 %x;
            { .param .b32 r; .param .b64 a; st.param.b64 [a], 0; call (r), vprintf, (a, a); }
            call f, (1);
            barrier.cluster.arrive;
            mov.u32 %r, %smid; fma.rn.f64 %x, %x, %x, %x; atom.global.acquire.gpu.add.u32 %r, [%d], 1; ret; }";
    let (module, diags) = ptx::parse(source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}");
    let diags = lift::lift(&module, None).unwrap_err();
    let messages: Vec<&str> = diags.iter().map(|d| &d.message[..]).collect();
    assert!(diags.iter().all(|d| d.severity == Severity::Unsupported));
    let expected = [
        "the call of `f` is recursive and cannot be inlined",
        "`vprintf` has no body in this module, so the call cannot be inlined",
        "`barrier.cluster.arrive` has no exact translation yet",
        "the special register `%smid` has no exact translation yet",
        "`fma.rn.f64` has no exact translation yet",
        "`atom.global.acquire.gpu.add.u32` has no exact translation yet",
    ];
    assert_eq!(messages, expected);
}
