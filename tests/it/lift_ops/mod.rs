//! What lifted instructions compute, against the PTX ISA's pseudo-code written out here, before and after `opt`.
//!
//! Each form runs with its operands in registers and, where it takes them, as constants.

mod arith;
mod bits;
mod control;
mod convert;

use crate::interp::{Event, Machine, by_byte};
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
