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
