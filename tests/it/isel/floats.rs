//! Compares, selects, floats and conversions.

use super::*;

/// The inverse of a compare, read as a mask: a select by an inverse would swap its sides instead.
fn inverted(compare: &str) -> String {
    format!("  %48 = const.pred true\n  %47 = {compare}\n  %49 = pred.not %47\n  %50 = select.pred %48, %49, %49\n")
}

#[test]
fn compares_and_selects() {
    for (w, ty) in [("b32", B32), ("b64", B64)] {
        let signed = move |v: u64| if w == "b32" { v as i32 as i64 } else { v as i64 };
        let cmp = |word: &str, f: &dyn Fn(u64, u64) -> bool| {
            op(&format!("cmp.{word}.{w} %1, %2"), &[ty, ty], Pred, |v| f(v[0], v[1]) as u64);
            let body = inverted(&format!("cmp.{word}.{w} %1, %2"));
            check(&[ty, ty], &body, &[("%50", Pred)], |v| vec![!f(v[0], v[1]) as u64]);
        };
        cmp("eq", &|a, b| a == b);
        cmp("ne", &|a, b| a != b);
        cmp("lt_u", &|a, b| a < b);
        cmp("le_u", &|a, b| a <= b);
        cmp("gt_u", &|a, b| a > b);
        cmp("ge_u", &|a, b| a >= b);
        cmp("lt_s", &|a, b| signed(a) < signed(b));
        cmp("le_s", &|a, b| signed(a) <= signed(b));
        cmp("gt_s", &|a, b| signed(a) > signed(b));
        cmp("ge_s", &|a, b| signed(a) >= signed(b));
        op(&format!("select.{w} %1, %2, %3"), &[Pred, ty, ty], ty, |v| if v[0] == 1 { v[1] } else { v[2] });
        let inverted = format!("  %49 = pred.not %1\n  %50 = select.{w} %49, %2, %3\n");
        check(&[Pred, ty, ty], &inverted, &[("%50", ty)], |v| vec![if v[0] == 1 { v[2] } else { v[1] }]);
    }
    let two = [Pred, Pred];
    op("pred.and %1, %2", &two, Pred, |v| v[0] & v[1]);
    op("pred.or %1, %2", &two, Pred, |v| v[0] | v[1]);
    op("pred.xor %1, %2", &two, Pred, |v| v[0] ^ v[1]);
    op("select.pred %1, %2, %3", &[Pred, Pred, Pred], Pred, |v| if v[0] == 1 { v[1] } else { v[2] });
    for (word, f) in [("and", (|p, q| p & !q) as fn(u64, u64) -> u64), ("or", |p, q| p | !q), ("xor", |p, q| p ^ !q)] {
        for args in ["%49, %2", "%2, %49"] {
            let body = format!("  %49 = pred.not %1\n  %50 = pred.{word} {args}\n");
            check(&two, &body, &[("%50", Pred)], |v| vec![f(v[1], v[0]) & 1]);
        }
    }
}

#[test]
fn float32() {
    let f = |v: u64| f32::from_bits(v as u32);
    let floats = |v: f32| v.to_bits() as u64;
    let two = [B32, B32];
    // Bits of a NaN result are nobody's promise here.
    let canonical = |v: f32| if v.is_nan() { 0x7fc0_0000 } else { v.to_bits() as u64 };
    let arithmetic = |line: &str, n: usize, g: &dyn Fn(&[f32]) -> f32| {
        let body = format!(
            "  %48 = {line}\n  %49 = fcmp.nan.f32 %48, %48\n  %47 = const.b32 0x7fc00000\n  %50 = select.b32 %49, %47, %48\n"
        );
        check(&[B32, B32, B32][..n], &body, &[("%50", B32)], |v| {
            vec![canonical(g(&v.iter().map(|&v| f(v)).collect::<Vec<_>>()))]
        });
    };
    arithmetic("float.add.f32 %1, %2", 2, &|v| v[0] + v[1]);
    arithmetic("float.sub.f32 %1, %2", 2, &|v| v[0] - v[1]);
    arithmetic("float.mul.f32 %1, %2", 2, &|v| v[0] * v[1]);
    arithmetic("float.fma.f32 %1, %2, %3", 3, &|v| v[0].mul_add(v[1], v[2]));
    arithmetic("float.rint.f32 %1", 1, &|v| v[0].round_ties_even());
    arithmetic("float.rint.f32.rp %1", 1, &|v| v[0].ceil());
    arithmetic("float.rint.f32.rm %1", 1, &|v| v[0].floor());
    arithmetic("float.rint.f32.rz %1", 1, &|v| v[0].trunc());
    let number = |a: f32, b: f32, least: bool| match (a.is_nan(), b.is_nan()) {
        (true, _) => b,
        (_, true) => a,
        _ if a == b => {
            if (a.is_sign_negative()) == least {
                a
            } else {
                b
            }
        }
        _ => {
            if (a < b) == least {
                a
            } else {
                b
            }
        }
    };
    arithmetic("float.min.f32 %1, %2", 2, &|v| number(v[0], v[1], true));
    arithmetic("float.max.f32 %1, %2", 2, &|v| number(v[0], v[1], false));
    let propagate = |a: f32, b: f32, least| if a.is_nan() || b.is_nan() { f32::NAN } else { number(a, b, least) };
    arithmetic("float.min_nan.f32 %1, %2", 2, &|v| propagate(v[0], v[1], true));
    arithmetic("float.max_nan.f32 %1, %2", 2, &|v| propagate(v[0], v[1], false));
    let clamp = |v: f32| if v > 0.0 { v.min(1.0) } else { 0.0 };
    arithmetic("float.add.f32.sat %1, %2", 2, &|v| clamp(v[0] + v[1]));
    arithmetic("float.fma.f32.sat %1, %2, %3", 3, &|v| clamp(v[0].mul_add(v[1], v[2])));
    op("float.neg.f32 %1", &[B32], B32, |v| v[0] ^ 0x8000_0000);
    op("float.abs.f32 %1", &[B32], B32, |v| v[0] & 0x7fff_ffff);
    let flush = |v: f32| if v.is_subnormal() { 0f32.copysign(v) } else { v };
    arithmetic("float.neg.f32.ftz %1", 1, &|v| flush(-v[0]));
    arithmetic("float.abs.f32.ftz %1", 1, &|v| flush(v[0].abs()));
    arithmetic("float.add.f32.ftz %1, %2", 2, &|v| flush(flush(v[0]) + flush(v[1])));
    // Modifiers of sources.
    let body = "  %40 = float.abs.f32 %1\n  %41 = float.neg.f32 %40\n  %42 = float.neg.f32 %2\n  %48 = float.fma.f32 %41, %42, %3\n  \
                %49 = fcmp.nan.f32 %48, %48\n  %47 = const.b32 0x7fc00000\n  %50 = select.b32 %49, %47, %48\n";
    check(&[B32, B32, B32], body, &[("%50", B32)], |v| vec![canonical((-f(v[0]).abs()).mul_add(-f(v[1]), f(v[2])))]);
    let compare = |word: &str, g: &dyn Fn(f32, f32) -> bool| {
        op(&format!("fcmp.{word}.f32 %1, %2"), &two, Pred, |v| g(f(v[0]), f(v[1])) as u64);
        let body = inverted(&format!("fcmp.{word}.f32 %1, %2"));
        check(&two, &body, &[("%50", Pred)], |v| vec![!g(f(v[0]), f(v[1])) as u64]);
    };
    let nan = |a: f32, b: f32| a.is_nan() || b.is_nan();
    compare("eq", &|a, b| a == b);
    compare("ne", &|a, b| a != b && !nan(a, b));
    compare("lt", &|a, b| a < b);
    compare("le", &|a, b| a <= b);
    compare("gt", &|a, b| a > b);
    compare("ge", &|a, b| a >= b);
    compare("eq_u", &|a, b| a == b || nan(a, b));
    compare("ne_u", &|a, b| a != b);
    compare("lt_u", &|a, b| a < b || nan(a, b));
    compare("le_u", &|a, b| a <= b || nan(a, b));
    compare("gt_u", &|a, b| a > b || nan(a, b));
    compare("ge_u", &|a, b| a >= b || nan(a, b));
    compare("num", &|a, b| !nan(a, b));
    compare("nan", &|a, b| nan(a, b));
    let _ = floats;
}

/// A 64-bit integer rounded to f32 by hand, towards `round`.
fn to_f32(negative: bool, magnitude: u64, round: &str) -> u32 {
    if magnitude == 0 {
        return 0;
    }
    let exponent = 63 - magnitude.leading_zeros();
    let sign = (negative as u32) << 31;
    if exponent <= 23 {
        return sign | (127 + exponent) << 23 | ((magnitude << (23 - exponent)) as u32 & 0x7f_ffff);
    }
    let drop = exponent - 23;
    let (kept, rest, half) = (magnitude >> drop, magnitude & ((1 << drop) - 1), 1u64 << (drop - 1));
    let up = match round {
        "rn" => rest > half || rest == half && kept & 1 == 1,
        "rz" => false,
        "rp" => !negative && rest != 0,
        _ => negative && rest != 0,
    };
    // A carry out of the fraction moves the exponent, as it must.
    let magnitude = ((127 + exponent) << 23) + ((kept as u32) & 0x7f_ffff) + up as u32;
    sign | magnitude
}

#[test]
fn conversions() {
    for round in ["rn", "rz", "rp", "rm"] {
        let words = if round == "rn" { String::new() } else { format!(".{round}") };
        op(&format!("int_to_float.u32.f32{words} %1"), &[B32], B32, |v| to_f32(false, v[0], round) as u64);
        op(&format!("int_to_float.u64.f32{words} %1"), &[B64], B32, |v| to_f32(false, v[0], round) as u64);
        op(&format!("int_to_float.s32.f32{words} %1"), &[B32], B32, |v| {
            to_f32(s32(v[0]) < 0, s32(v[0]).unsigned_abs() as u64, round) as u64
        });
        op(&format!("int_to_float.s64.f32{words} %1"), &[B64], B32, |v| {
            to_f32((v[0] as i64) < 0, (v[0] as i64).unsigned_abs(), round) as u64
        });
        let integral = |v: u64| {
            let v = f32::from_bits(v as u32);
            match round {
                "rn" => v.round_ties_even(),
                "rz" => v.trunc(),
                "rp" => v.ceil(),
                _ => v.floor(),
            }
        };
        op(&format!("float_to_int.f32.u32.{round} %1"), &[B32], B32, |v| integral(v[0]) as u32 as u64);
        op(&format!("float_to_int.f32.s32.{round} %1"), &[B32], B32, |v| u32_of(integral(v[0]) as i32));
        op(&format!("float_to_int.f32.u64.{round} %1"), &[B32], B64, |v| integral(v[0]) as u64);
        op(&format!("float_to_int.f32.s64.{round} %1"), &[B32], B64, |v| integral(v[0]) as i64 as u64);
        // Numbers around the limits of the integers.
        for exponent in [30, 31, 32, 62, 63, 64, 65] {
            for bits in [0u32, 1, 0x7f_ffff] {
                for sign in [0u32, 1 << 31] {
                    let v = (sign | (127 + exponent) << 23 | bits) as u64;
                    let body = format!(
                        "  %1 = const.b32 {v:#x}\n  %40 = int.or.b32 %2, %1\n  %50 = float_to_int.f32.s64.{round} %40\n  %51 = float_to_int.f32.u64.{round} %40\n"
                    );
                    for id in TARGETS {
                        let target = Target::parse(id).unwrap();
                        let source = program("global", &[], &body.replace("%2", "%61"), &[("%50", B64), ("%51", B64)]);
                        let func = selected(&source, id);
                        let want = [integral(v) as i64 as u64, integral(v) as u64];
                        assert_eq!(run(&func, &target, &[], 2), want, "{v:#x}");
                    }
                }
            }
        }
    }
}
