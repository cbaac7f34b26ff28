//! Division, approximations and conversions of f32 on the emulator, against the host's arithmetic and the bounds that the PTX ISA states.

use warp2wave::amd::Target;
use warp2wave::run::{ArgValue, Launch, launch};
use warp2wave::{Options, translate};

const TARGETS: [&str; 11] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];

/// What one instruction makes of `%a` and `%b` in `%d`, for all pairs.
fn run(target: &str, instruction: &str, a: &[u32], b: &[u32]) -> Vec<u32> {
    let source = format!(
        ".version 8.6
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 left, .param .u64 right)
{{
.reg .b32 %i, %x, %d;
.reg .b16 %h;
.reg .b32 %c<4>;
.reg .f32 %a, %b;
.reg .b64 %q<8>;
ld.param.u64 %q1, [out];
ld.param.u64 %q2, [left];
ld.param.u64 %q3, [right];
mov.u32 %c1, %ctaid.x;
mov.u32 %c2, %ntid.x;
mov.u32 %c3, %tid.x;
mad.lo.u32 %i, %c1, %c2, %c3;
mul.wide.u32 %q4, %i, 4;
add.u64 %q1, %q1, %q4;
add.u64 %q2, %q2, %q4;
add.u64 %q3, %q3, %q4;
ld.global.f32 %a, [%q2];
ld.global.f32 %b, [%q3];
{instruction}
st.global.u32 [%q1], %d;
ret;
}}
"
    );
    let options = Options::new(Target::parse(target).unwrap());
    let object = translate(&source, &options).unwrap_or_else(|d| panic!("{target}: {d:?}\n{source}"));
    let bytes = |words: &[u32]| words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(a.len() % 64, 0);
    let args = vec![ArgValue::Buffer(vec![0; 4 * a.len()]), ArgValue::Buffer(bytes(a)), ArgValue::Buffer(bytes(b))];
    let grid = [a.len() as u32 / 64, 1, 1];
    let launched = Launch { kernel: "k".into(), grid, block: [64, 1, 1], dynamic_lds_bytes: 0, args };
    let buffers = launch(object.bytes(), &launched).unwrap_or_else(|e| panic!("{target}: {e}\n{source}"));
    buffers[0].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

/// Edges, their neighbours, and words of every exponent.
fn words(seed: u64, count: usize) -> Vec<u32> {
    let edges: [u32; 20] = [
        0,
        1,
        2,
        0x7f_ffff,
        0x80_0000,
        0x80_0001,
        0xff_ffff,
        0x0100_0000,
        0x3f80_0000,
        0x3f7f_ffff,
        0x3f80_0001,
        0x4040_0000,
        0x7e80_0000,
        0x7e80_0001,
        0x7f00_0000,
        0x7f7f_ffff,
        0x7f80_0000,
        0x7fc0_0000,
        0x7fa0_0000,
        0x4b00_0001,
    ];
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 32) as u32
    };
    (0..count)
        .map(|_| {
            let word = next();
            if word % 3 == 0 { edges[next() as usize % edges.len()] | (next() & 1) << 31 } else { next() }
        })
        .collect()
}

fn flushed(x: f32) -> f32 {
    if x.is_subnormal() { 0f32.copysign(x) } else { x }
}

#[track_caller]
fn same(got: u32, want: f32, what: &dyn Fn() -> String) {
    let ok = if want.is_nan() { f32::from_bits(got).is_nan() } else { got == want.to_bits() };
    assert!(ok, "{}: {got:08x} for {:08x}", what(), want.to_bits());
}

#[test]
fn quotients_are_rounded_to_nearest_even() {
    let (a, b) = (words(1, 2048), words(2, 2048));
    type Exact = fn(f32, f32) -> f32;
    let cases: [(&str, Exact); 5] = [
        ("div.rn.f32 %d, %a, %b;", |a, b| a / b),
        ("div.full.f32 %d, %a, %b;", |a, b| a / b),
        ("div.rn.ftz.f32 %d, %a, %b;", |a, b| flushed(flushed(a) / flushed(b))),
        ("rcp.rn.f32 %d, %a;", |a, _| 1.0 / a),
        ("rcp.rn.ftz.f32 %d, %a;", |a, _| flushed(1.0 / flushed(a))),
    ];
    for target in TARGETS {
        for (instruction, wanted) in cases {
            let got = run(target, &instruction.replace("%d", "%x").replace(';', ";\nmov.b32 %d, %x;"), &a, &b);
            for (i, &got) in got.iter().enumerate() {
                let (a, b) = (f32::from_bits(a[i]), f32::from_bits(b[i]));
                same(got, wanted(a, b), &|| format!("{target} {instruction} of {a:e}, {b:e}"));
            }
        }
    }
}

/// By how much a result is off, in ulps of an f32 of its size.
fn ulps(got: f32, want: f64) -> f64 {
    let exponent = if want == 0.0 { -126 } else { want.abs().log2().floor().max(-126.0) as i32 };
    (f64::from(got) - want).abs() / 2f64.powi(exponent - 23)
}

#[test]
fn approximations_are_as_near_as_stated() {
    let (a, b) = (words(3, 2048), words(4, 2048));
    let ex2: Vec<u32> =
        (0..2048u32).map(|i| if i < 1024 { a[i as usize] } else { (i as f32 / 7.0 - 290.0).to_bits() }).collect();
    // Within 1 ulp; 2^-22.9 and 2^-22.5 of the result; 2 ulp.
    let (one, two) = (1.0, 2.0);
    let (rsqrt, exp) = (2f64.powf(23.0 - 22.9) * 2.0, 2f64.powf(23.0 - 22.5) * 2.0);
    type Exact = fn(f64, f64) -> f64;
    let cases: [(&str, f64, Exact); 4] = [
        ("rcp.approxFTZ.f32 %x, %a;", one, |a, _| 1.0 / a),
        ("rsqrt.approxFTZ.f32 %x, %a;", rsqrt, |a, _| 1.0 / a.sqrt()),
        ("ex2.approxFTZ.f32 %x, %a;", exp, |a, _| a.exp2()),
        ("div.approxFTZ.f32 %x, %a, %b;", two, |a, b| a / b),
    ];
    for target in TARGETS {
        for (instruction, bound, exact) in cases {
            let a = if instruction.starts_with("ex2") { &ex2 } else { &a };
            for ftz in [false, true] {
                let instruction = instruction.replace("FTZ", if ftz { ".ftz" } else { "" });
                let got = run(target, &format!("{instruction}\nmov.b32 %d, %x;"), a, &b);
                for (i, &got) in got.iter().enumerate() {
                    let seen = |bits: u32| {
                        let value = f32::from_bits(bits);
                        if ftz { flushed(value) } else { value }
                    };
                    let (a, b, got) = (seen(a[i]), seen(b[i]), f32::from_bits(got));
                    let mut want = exact(f64::from(a), f64::from(b));
                    if instruction.starts_with("div") && b.is_finite() && b.abs() > 2f32.powi(126) {
                        want = if a.is_finite() { 0f64.copysign(want) } else { f64::NAN };
                    }
                    let what = || format!("{target} {instruction} of {a:e}, {b:e}: {got:e}, not {want:e}");
                    let largest = f64::from(f32::MAX);
                    if want.is_nan() {
                        assert!(got.is_nan(), "{}", what());
                    } else if want.abs() > largest {
                        // The last of the finite ones may go either way.
                        assert!(
                            got == (want as f32) || want.abs() < largest * 1.000_001 && got.abs() == f32::MAX,
                            "{}",
                            what()
                        );
                    } else if ftz && (want as f32).is_subnormal() {
                        assert!(flushed(got) == got && got.abs() <= f32::MIN_POSITIVE, "{}", what());
                    } else if got.is_infinite() {
                        assert!(want.abs() > largest * 0.999_999, "{}", what());
                    } else {
                        assert!(ulps(got, want) <= bound, "{}", what());
                        assert!(want != 0.0 || got.is_sign_negative() == want.is_sign_negative(), "{}", what());
                    }
                }
            }
        }
    }
}

/// The number that bits of an f16 or bf16 stand for.
fn small(bits: u16, exponent_bits: u32) -> f64 {
    let fraction_bits = 15 - exponent_bits;
    let (exponent, fraction) =
        (i32::from(bits >> fraction_bits & ((1 << exponent_bits) - 1)), bits & ((1 << fraction_bits) - 1));
    let (bias, step) = ((1 << (exponent_bits - 1)) - 1, 2f64.powi(-(fraction_bits as i32)));
    let size = match exponent {
        0 => f64::from(fraction) * step * 2f64.powi(1 - bias),
        e if e == (1 << exponent_bits) - 1 => {
            if fraction == 0 {
                f64::INFINITY
            } else {
                f64::NAN
            }
        }
        e => (1.0 + f64::from(fraction) * step) * 2f64.powi(e - bias),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// The nearest of them, of two the even one: found among all.
fn nearest(x: f32, exponent_bits: u32) -> u16 {
    let sign = ((x.to_bits() >> 31) as u16) << 15;
    let size = f64::from(x.abs());
    let infinity = (((1 << exponent_bits) - 1) << (15 - exponent_bits)) as u16;
    let (mut low, mut high) = (0, infinity);
    // The infinity is where the next number would be.
    let value = |bits: u16| {
        if bits == infinity {
            small(bits - 1, exponent_bits) + small(bits - 1, exponent_bits) - small(bits - 2, exponent_bits)
        } else {
            small(bits, exponent_bits)
        }
    };
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if value(middle) <= size { low = middle } else { high = middle }
    }
    let (below, above) = (size - value(low), value(high) - size);
    let up = above < below || above == below && low & 1 == 1;
    sign | if up { high } else { low }
}

#[test]
fn f16_and_bf16_to_f32_and_back() {
    let halves: Vec<u32> = (0..65536).step_by(16).map(|i| i + i / 4096).collect();
    let singles = words(5, 4096);
    for target in TARGETS {
        for (name, exponent_bits) in [("f16", 5), ("bf16", 8)] {
            // What stands above the 16 bits does not matter.
            let widen = format!("mov.b32 {{%h, _}}, %a;\ncvt.f32.{name} %b, %h;\nmov.b32 %d, %b;");
            let dirty: Vec<u32> = halves.iter().map(|h| h | 0xabcd_0000).collect();
            let got = run(target, &widen, &dirty, &dirty);
            for (i, &got) in got.iter().enumerate() {
                let what = || format!("{target} {name} {:04x}", halves[i]);
                same(got, small(halves[i] as u16, exponent_bits) as f32, &what);
            }
            let narrow = format!("cvt.rn.{name}.f32 %h, %a;\ncvt.u32.u16 %d, %h;");
            let got = run(target, &narrow, &singles, &singles);
            for (i, &got) in got.iter().enumerate() {
                let x = f32::from_bits(singles[i]);
                let ok = if x.is_nan() {
                    small(got as u16, exponent_bits).is_nan()
                } else {
                    got == u32::from(nearest(x, exponent_bits))
                };
                assert!(
                    ok && got < 65536,
                    "{target} {name} of {x:e}: {got:04x}, not {:04x}",
                    nearest(x, exponent_bits)
                );
            }
        }
    }
}

#[test]
fn roundings_of_division_are_refused_where_it_is() {
    let source = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .f32 %f<4>;\ndiv.rz.f32 %f1, %f2, %f3;\nret;\n}\n";
    let diags = translate(source, &Options::new(Target::parse("gfx1100").unwrap())).unwrap_err();
    assert!(diags.iter().any(|d| d.span.text(source).contains("div.rz")), "{diags:?}");
}
