//! What ops compute, against LLVM's constant folder (`fixtures/lane/llvm.txt`, written by `tests/record_lane.py`), the host's
//! arithmetic, and values from the manuals.

use warp2wave::amd::lane::{FloatMode, Sem};
use warp2wave::amd::{Mods, Op, ops};

fn mode(round: u8) -> FloatMode {
    FloatMode { round_f32: round, round_f64: round, denorm_f32: 3, denorm_f64: 3, ieee: false, dx10_clamp: false }
}

fn row(name: &str) -> Op {
    ops::by_name(name).unwrap_or_else(|| panic!("no row {name}"))
}

/// The result, and the carry, mask bit or SCC where there is one.
fn run(op: Op, input: u8, s: [u64; 3]) -> (u64, Option<bool>) {
    let bit = input & 1 == 1;
    match op.sem {
        Sem::Lane(f) => (f(s), None),
        Sem::LaneFloat(f) => (f(s, mode(input)), None),
        Sem::LaneMods(f) => (f(s, &op.default_mods()), None),
        Sem::LaneFloatBit(f) => (f(s, bit, mode(0)), None),
        Sem::LaneFloatMods(f) => (f(s, &op.default_mods(), mode(input)), None),
        Sem::LaneWideFloat(f) => with_bit(f(s, mode(input))),
        Sem::LaneCarry(f) => with_bit(f(s[0], s[1], bit)),
        Sem::LaneWide(f) => with_bit(f(s)),
        Sem::LaneSelect(f) => (f(s[0], s[1], bit), None),
        Sem::LaneCmp(f) => (f(s[0], s[1]) as u64, None),
        Sem::LaneCmpFloat(f) => (f(s[0], s[1], mode(input)) as u64, None),
        Sem::Scalar(f) => with_bit(f(s, bit)),
        Sem::ScalarCmp(f) => (f(s[0], s[1]) as u64, None),
        Sem::Load(_) | Sem::Store(_) | Sem::Atomic(_) | Sem::Wave(_) | Sem::Unmodelled => {
            panic!("{op:?} is no function")
        }
    }
}

fn with_bit((d, bit): (u64, bool)) -> (u64, Option<bool>) {
    (d, Some(bit))
}

#[test]
fn meanings_agree_with_llvms_folder() {
    let text = include_str!("../../fixtures/lane/llvm.txt");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(' ').collect();
        let [name, input, a, b, c, "=", d, out] = words[..] else { panic!("{line}") };
        let hex = |word: &str| u64::from_str_radix(word, 16).expect("hex");
        let (got, bit) = run(row(name), input.parse().expect("a digit"), [hex(a), hex(b), hex(c)]);
        let bit_agrees = match out {
            "-" => true,
            out => bit == Some(out == "1"),
        };
        if got != hex(d) || !bit_agrees {
            wrong.push(format!("{line}    ours {got:x} {bit:?}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{} of {count}:\n{}", wrong.len(), wrong[..wrong.len().min(40)].join("\n"));
    assert!(count > 3000);
}

/// A value between two neighbours of a narrower format goes to the one that the mode names. The exact value is an f64.
fn rounded(exact: f64, round: u8) -> f32 {
    let near = exact as f32;
    let (down, up) = match (near as f64).partial_cmp(&exact) {
        Some(std::cmp::Ordering::Greater) => (near.next_down(), near),
        Some(std::cmp::Ordering::Less) => (near, near.next_up()),
        _ => return near,
    };
    match round {
        0 => near,
        1 => up,
        2 => down,
        _ if exact < 0.0 => up,
        _ => down,
    }
}

#[test]
fn conversions_round_as_mode_says() {
    let mut seed = 1u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 32
    };
    for _ in 0..20_000 {
        for round in 0..4 {
            let int = next() as u32;
            assert_eq!(
                run(row("v_cvt_f32_u32"), round, [int as u64, 0, 0]).0,
                rounded(int as f64, round).to_bits() as u64
            );
            let signed = rounded(int as i32 as f64, round).to_bits() as u64;
            assert_eq!(run(row("v_cvt_f32_i32"), round, [int as u64, 0, 0]).0, signed);
            // Exponents around an f32's normal range.
            let bits = (next() << 32 | next()) & !(0x7ff << 52) | (1023 - 100 + next() % 200) << 52;
            let narrow = rounded(f64::from_bits(bits), round).to_bits() as u64;
            assert_eq!(run(row("v_cvt_f32_f64"), round, [bits, 0, 0]).0, narrow, "{bits:x} {round}");
        }
    }
}

/// Every f16 goes to f32 and back unchanged; NaNs become quiet.
#[test]
fn halves_survive_a_round_trip() {
    for half in 0..=0xffffu64 {
        let single = run(row("v_cvt_f32_f16"), 0, [half, 0, 0]).0;
        let nan = half & 0x7c00 == 0x7c00 && half & 0x3ff != 0;
        let expected = if nan { half | 0x200 } else { half };
        assert_eq!(run(row("v_cvt_f16_f32"), 0, [single, 0, 0]).0, expected, "{half:x}");
    }
}

#[test]
fn denormals_follow_mode() {
    let tiny = 0x8000_0001u64;
    let one = 1f32.to_bits() as u64;
    let add = |denorm_f32| match row("v_add_f32").sem {
        Sem::LaneFloat(f) => f([tiny, 0x8000_0000, 0], FloatMode { denorm_f32, ..mode(0) }),
        _ => panic!(),
    };
    assert_eq!([0, 1, 2, 3].map(add), [0x8000_0000, 0x8000_0000, 0x8000_0000, tiny]);
    let mul = |denorm_f32| match row("v_mul_f32").sem {
        // 2^-149 * 2^30 is normal: only the source can be flushed.
        Sem::LaneFloat(f) => f([1, one + (30 << 23), 0], FloatMode { denorm_f32, ..mode(0) }),
        _ => panic!(),
    };
    assert_eq!([0, 1, 2, 3].map(mul), [0, (8 << 23), 0, (8 << 23)]);
}

/// From the pseudocode of V_MIN_F32 and V_MAX_F32.
#[test]
fn minimum_and_maximum_of_zeros_and_nans() {
    let (quiet, signalling, one, minus_zero) = (0x7fc0_0000, 0x7f80_0001, 0x3f80_0000, 0x8000_0000);
    let min = |a, b| run(row("v_min_num_f32"), 0, [a, b, 0]).0;
    let max = |a, b| run(row("v_max_num_f32"), 0, [a, b, 0]).0;
    assert_eq!((min(0, minus_zero), min(minus_zero, 0)), (minus_zero, minus_zero));
    assert_eq!((max(0, minus_zero), max(minus_zero, 0)), (0, 0));
    assert_eq!((min(quiet, one), min(one, quiet), min(signalling, one), max(one, signalling)), (one, one, one, one));
    let Sem::LaneFloat(min) = row("v_min_num_f32").sem else { panic!() };
    assert_eq!(min([signalling, one, 0], FloatMode { ieee: true, ..mode(0) }), signalling | 0x40_0000);
}

/// Dot products: by hand, with both signs, and clamped.
#[test]
fn dot_products() {
    let (a, b) = (0xff_02_80_7f, 0x02_03_7f_80);
    let dot = |name, mods: Mods, c: u64| match row(name).sem {
        Sem::LaneMods(f) => f([a, b, c], &mods),
        _ => panic!(),
    };
    // -1*2 + 2*3 + -128*127 + 127*-128 + 5.
    assert_eq!(dot("v_dot4_i32_i8", Mods::vop3p(), 5) as u32 as i32, -2 + 6 - 16256 - 16256 + 5);
    assert_eq!(dot("v_dot4_u32_u8", Mods::vop3p(), 5), 255 * 2 + 6 + 128 * 127 + 127 * 128 + 5);
    // Only the first operand signed.
    let mixed = Mods { neg: 1, ..Mods::vop3p() };
    assert_eq!(dot("v_dot4_i32_iu8", mixed, 0) as u32 as i32, -2 + 6 - 128 * 127 + 127 * 128);
    let clamped = Mods { clamp: true, ..Mods::vop3p() };
    assert_eq!(dot("v_dot4_u32_u8", clamped, 0xffff_fff0), 0xffff_ffff);
    assert_eq!(dot("v_dot4_i32_i8", clamped, 0x8000_0000), 0x8000_0000);
}

/// `v_bitop3_b32`: the truth table's bit 4a + 2b + c.
#[test]
fn truth_tables() {
    let Sem::LaneMods(f) = row("v_bitop3_b32").sem else { panic!() };
    for table in 0..=255u8 {
        let d = f([0xf0, 0xcc, 0xaa], &Mods { bitop3: table, ..Mods::default() });
        assert_eq!(d & 0xff, table as u64);
    }
}

#[test]
fn signed_sums_saturate_with_clamp() {
    let clamped = Mods { clamp: true, ..Mods::default() };
    let sum = |name, a: i32, b: i32, mods: &Mods| match row(name).sem {
        Sem::LaneMods(f) => f([a as u32 as u64, b as u32 as u64, 0], mods) as u32 as i32,
        _ => panic!(),
    };
    assert_eq!(sum("v_add_nc_i32", i32::MAX, 1, &clamped), i32::MAX);
    assert_eq!(sum("v_add_nc_i32", i32::MAX, 1, &Mods::default()), i32::MIN);
    assert_eq!(sum("v_sub_nc_i32", i32::MIN, 1, &clamped), i32::MIN);
    assert_eq!(sum("v_sub_nc_i32", 5, 7, &clamped), -2);
}

/// What the division steps are for: with them, LLVM's expansion of `fdiv` (f32 with denormals, and f64) divides right, for
/// quotients and operands anywhere in the range.
#[test]
fn division_steps_divide() {
    let float = |name: &str, s: [u64; 3]| run(row(name), 0, s).0;
    let scale = |name: &str, s: [u64; 3]| {
        let (d, bit) = run(row(name), 0, s);
        (d, bit.expect("a mask bit"))
    };
    let fmas = |name: &str, s: [u64; 3], scaled: bool| run(row(name), scaled as u8, s).0;
    let single = |n: f32, d: f32| {
        let [x, y] = [n, d].map(|v| v.to_bits() as u64);
        let (den, _) = scale("v_div_scale_f32", [y, y, x]);
        let (num, scaled) = scale("v_div_scale_f32", [x, y, x]);
        let fma = |a, b, c| float("v_fma_f32", [a, b, c]);
        let (negative, one) = (den ^ 1 << 31, 1f32.to_bits() as u64);
        let rcp = float("v_rcp_f32", [den, 0, 0]);
        let f1 = fma(fma(negative, rcp, one), rcp, rcp);
        let q = float("v_mul_f32", [num, f1, 0]);
        let q = fma(fma(negative, q, num), f1, q);
        let d = fmas("v_div_fmas_f32", [fma(negative, q, num), f1, q], scaled);
        f32::from_bits(float("v_div_fixup_f32", [d, y, x]) as u32)
    };
    let double = |n: f64, d: f64| {
        let [x, y] = [n, d].map(f64::to_bits);
        let (den, _) = scale("v_div_scale_f64", [y, y, x]);
        let (num, scaled) = scale("v_div_scale_f64", [x, y, x]);
        let fma = |a, b, c| float("v_fma_f64", [a, b, c]);
        let (negative, one) = (den ^ 1 << 63, 1f64.to_bits());
        let rcp = float("v_rcp_f64", [den, 0, 0]);
        let r = fma(rcp, fma(negative, rcp, one), rcp);
        let r = fma(r, fma(negative, r, one), r);
        let q = float("v_mul_f64", [num, r, 0]);
        let d = fmas("v_div_fmas_f64", [fma(negative, q, num), r, q], scaled);
        f64::from_bits(float("v_div_fixup_f64", [d, y, x]))
    };
    let mut seed = 7u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed ^ seed >> 29
    };
    let edges = [
        0x0000_0001u32,
        0x007f_ffff,
        0x0080_0000,
        0x7f7f_ffff,
        0x3f80_0000,
        0x0,
        0x7f80_0000,
        0x7fc0_0000,
        0x7e80_0001,
    ];
    for i in 0..20_000 {
        let pick = |bits: u64| {
            if i % 3 == 0 { edges[bits as usize % edges.len()] | (bits as u32 & 1 << 31) } else { bits as u32 }
        };
        let (n, d) = (f32::from_bits(pick(next() >> 16)), f32::from_bits(pick(next() >> 16)));
        let (ours, host) = (single(n, d), n / d);
        assert!(
            ours.to_bits() == host.to_bits() || ours.is_nan() && host.is_nan(),
            "{n:e} / {d:e}: {ours:e}, not {host:e}"
        );
        let wide = |f: f32| f as f64 * if i % 2 == 0 { 2f64.powi(890 * f.signum() as i32) } else { 1.0 };
        let (n, d) = if i % 5 == 0 { (wide(n), wide(d)) } else { (f64::from_bits(next()), f64::from_bits(next())) };
        let (ours, host) = (double(n, d), n / d);
        assert!(
            ours.to_bits() == host.to_bits() || ours.is_nan() && host.is_nan(),
            "{n:e} / {d:e}: {ours:e}, not {host:e}"
        );
    }
}

/// 16-bit ops keep to 16 bits whatever is above, against Rust's own arithmetic.
#[test]
fn sixteen_bits() {
    let mut seed = 3u64;
    let mut next = || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 32
    };
    let plain = |name: &str, s: [u64; 3]| run(row(name), 0, s).0;
    let clamped = |name: &str, s: [u64; 3]| match row(name).sem {
        Sem::LaneMods(f) => f(s, &Mods { clamp: true, ..Mods::default() }),
        _ => panic!("{name}"),
    };
    for _ in 0..20_000 {
        let s = [next(), next(), next()];
        let [a, b, c] = s.map(|v| v as u16);
        let [x, y, z] = s.map(|v| v as i16);
        let by = (a & 15) as u32;
        let s16 = |v: i16| v as u16 as u64;
        assert_eq!(plain("v_add_nc_u16", s), a.wrapping_add(b) as u64);
        assert_eq!(clamped("v_add_nc_u16", s), a.saturating_add(b) as u64);
        assert_eq!(plain("v_sub_nc_u16", s), a.wrapping_sub(b) as u64);
        assert_eq!(clamped("v_sub_nc_u16", s), a.saturating_sub(b) as u64);
        assert_eq!(clamped("v_add_nc_i16", s), s16(x.saturating_add(y)));
        assert_eq!(clamped("v_sub_nc_i16", s), s16(x.saturating_sub(y)));
        assert_eq!(plain("v_mul_lo_u16", s), a.wrapping_mul(b) as u64);
        assert_eq!(plain("v_mad_u16", s), a.wrapping_mul(b).wrapping_add(c) as u64);
        assert_eq!(plain("v_mad_i16", s), s16(x.wrapping_mul(y).wrapping_add(z)));
        assert_eq!(plain("v_mad_u32_u16", s) as u32, (a as u32 * b as u32).wrapping_add(s[2] as u32));
        assert_eq!(plain("v_mad_i32_i16", s) as u32 as i32, (x as i32 * y as i32).wrapping_add(s[2] as u32 as i32));
        assert_eq!(plain("v_lshlrev_b16", s), (b << by) as u64);
        assert_eq!(plain("v_lshrrev_b16", s), (b >> by) as u64);
        assert_eq!(plain("v_ashrrev_i16", s), s16(y >> by));
        assert_eq!(plain("v_min_i16", s), s16(x.min(y)));
        assert_eq!(plain("v_max_u16", s), a.max(b) as u64);
        assert_eq!(plain("v_med3_i16", s), s16(x.max(y).min(x.min(y).max(z))));
        let saturated = |half: i16| half.clamp(0, 255) as u64;
        assert_eq!(plain("v_sat_pk_u8_i16", s), saturated(x) | saturated((s[0] >> 16) as i16) << 8);
    }
}

/// f16 arithmetic by way of f64, whose results are exact for one operation on f16.
#[test]
fn halves_add_and_multiply() {
    let convert = |name: &str, v: u64| run(row(name), 0, [v, 0, 0]).0;
    let wide = |half: u64| f32::from_bits(convert("v_cvt_f32_f16", half) as u32) as f64;
    // One rounding: the sum and the product of two f16 fit in an f32.
    let narrow = |v: f64| convert("v_cvt_f16_f32", (v as f32).to_bits() as u64);
    let mut half = 1u64;
    for _ in 0..20_000 {
        half = half.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let (a, b) = (half >> 20 & 0xffff, half >> 40 & 0xffff);
        if wide(a).is_nan() || wide(b).is_nan() {
            continue;
        }
        for (name, exact) in [("v_add_f16", wide(a) + wide(b)), ("v_mul_f16", wide(a) * wide(b))] {
            if !exact.is_nan() && exact == exact as f32 as f64 {
                assert_eq!(run(row(name), 0, [a, b, 0]).0, narrow(exact), "{name} {a:x} {b:x}");
            }
        }
        // Both halves of a pair, the second one's sources swapped.
        let mods = Mods { op_sel: 0, op_sel_hi: 3, ..Mods::vop3p() };
        let Sem::LaneFloatMods(f) = row("v_pk_add_f16").sem else { panic!() };
        let d = f([a | b << 16, b | a << 16, 0], &mods, mode(0));
        assert_eq!(d & 0xffff, d >> 16);
        assert_eq!(d & 0xffff, run(row("v_add_f16"), 0, [a, b, 0]).0);
    }
}

/// f16 ops as the f32 ops of the same values: what rounds nothing, and what rounds once.
#[test]
fn halves_do_as_singles_do() {
    let plain = |name: &str, s: [u64; 3]| run(row(name), 0, s).0;
    let wide = |half: u64| plain("v_cvt_f32_f16", [half, 0, 0]);
    let narrow = |single: u64| plain("v_cvt_f16_f32", [single, 0, 0]);
    let is_nan = |half: u64| half & 0x7fff > 0x7c00;
    let mut seed = 11u64;
    for _ in 0..20_000 {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let [a, b, c] = [20u32, 36, 48].map(|at| seed >> at & 0xffff);
        let (x, y, z) = (wide(a), wide(b), wide(c));
        for holds in ["lt", "eq", "le", "gt", "lg", "ge", "o", "u", "nge", "nlg", "ngt", "nle", "neq", "nlt"] {
            let (half, single) = (format!("v_cmp_{holds}_f16"), format!("v_cmp_{holds}_f32"));
            assert_eq!(plain(&half, [a, b, 0]), plain(&single, [x, y, 0]), "{half} {a:x} {b:x}");
        }
        if [a, b, c].into_iter().any(is_nan) {
            continue;
        }
        for op in ["floor", "ceil", "trunc", "rndne", "fract"] {
            let (half, single) = (format!("v_{op}_f16"), format!("v_{op}_f32"));
            let expected = narrow(plain(&single, [x, 0, 0]));
            // A fraction stays below 1.
            let expected = if op == "fract" { expected.min(0x3bff) } else { expected };
            assert_eq!(plain(&half, [a, 0, 0]), expected, "{half} {a:x}");
        }
        for op in ["min_num", "max_num", "min3_num", "max3_num", "med3_num"] {
            let (half, single) = (format!("v_{op}_f16"), format!("v_{op}_f32"));
            assert_eq!(plain(&half, [a, b, c]), narrow(plain(&single, [x, y, z])), "{half} {a:x} {b:x} {c:x}");
        }
        let value = f32::from_bits(x as u32) as f64;
        assert_eq!(plain("v_cvt_i16_f16", [a, 0, 0]), value as i16 as u16 as u64);
        assert_eq!(plain("v_cvt_u16_f16", [a, 0, 0]), value as u16 as u64);
        assert_eq!(plain("v_cvt_f16_i16", [a, 0, 0]), narrow((a as i16 as f32).to_bits() as u64));
        assert_eq!(plain("v_cvt_f16_u16", [a, 0, 0]), narrow((a as f32).to_bits() as u64));
        let root = plain("v_sqrt_f16", [a & 0x7fff, 0, 0]);
        assert_eq!(root, narrow((value.abs().sqrt() as f32).to_bits() as u64), "square root of {a:x}");
    }
}

/// Bytes and halves by hand, from the pseudocode.
#[test]
fn sums_of_differences_and_packs() {
    let plain = |name: &str, s: [u64; 3]| run(row(name), 0, s).0;
    let (a, b) = (0x10_ff_00_05, 0x20_0f_00_07);
    assert_eq!(plain("v_sad_u8", [a, b, 100]), 0x10 + 0xf0 + 2 + 100);
    // The byte that is zero in S1 does not count.
    assert_eq!(plain("v_msad_u8", [a | 0x900, b, 100]), 0x10 + 0xf0 + 2 + 100);
    assert_eq!(plain("v_sad_hi_u8", [a, b, 3]), (0x102 << 16) + 3);
    assert_eq!(plain("v_sad_u16", [a, b, 1]), 0x200f - 0x10ff + 2 + 1);
    let single = |v: f32| v.to_bits() as u64;
    let byte = |v: f32, at: u64| plain("v_cvt_pk_u8_f32", [single(v), at, 0x1122_3344]);
    assert_eq!(
        [byte(2.9, 0), byte(300.0, 1), byte(-5.0, 6), byte(f32::NAN, 3)],
        [0x11223302, 0x1122ff44, 0x11003344, 0x223344]
    );
    let pack = |name: &str, x: f32, y: f32| plain(name, [single(x), single(y), 0]);
    assert_eq!(pack("v_cvt_pk_i16_f32", -40000.0, 2.9), 0x0002_8000);
    assert_eq!(pack("v_cvt_pk_u16_f32", -1.0, 70000.0), 0xffff_0000);
    assert_eq!(pack("v_cvt_pk_rtz_f16_f32", 1.9999999, -65519.0), 0xfbff_3fff);
    assert_eq!(pack("v_cvt_pk_f16_f32", 1.9999999, 65520.0), 0x7c00_4000);
    // Halfway between two bf16 to the even one.
    assert_eq!(plain("v_cvt_pk_bf16_f32", [0x3f80_8000, 0x3f81_8000, 0]), 0x3f82_3f80);
    assert_eq!(plain("v_cvt_f32_bf16", [0x1_3f80, 0, 0]), 0x3f80_0000);
    assert_eq!(plain("v_minmax_i32", [5, 0xffff_fff0, 0xffff_ff00]), 0xffff_fff0);
    assert_eq!(plain("v_maxmin_u32", [5, 9, 7]), 7);
}
