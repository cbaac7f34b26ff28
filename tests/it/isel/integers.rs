//! Integer arithmetic, carries, bit fields and dot products.

use super::*;

#[test]
fn int32() {
    let two = [B32, B32];
    op("int.add.b32 %1, %2", &two, B32, |v| (v[0] as u32).wrapping_add(v[1] as u32) as u64);
    op("int.sub.b32 %1, %2", &two, B32, |v| (v[0] as u32).wrapping_sub(v[1] as u32) as u64);
    op("int.mul.b32 %1, %2", &two, B32, |v| (v[0] as u32).wrapping_mul(v[1] as u32) as u64);
    op("int.mulhi_u.b32 %1, %2", &two, B32, |v| (v[0] * v[1]) >> 32);
    op("int.mulhi_s.b32 %1, %2", &two, B32, |v| ((s32(v[0]) as i64 * s32(v[1]) as i64) >> 32) as u32 as u64);
    op("int.min_u.b32 %1, %2", &two, B32, |v| v[0].min(v[1]));
    op("int.min_s.b32 %1, %2", &two, B32, |v| u32_of(s32(v[0]).min(s32(v[1]))));
    op("int.max_u.b32 %1, %2", &two, B32, |v| v[0].max(v[1]));
    op("int.max_s.b32 %1, %2", &two, B32, |v| u32_of(s32(v[0]).max(s32(v[1]))));
    op("int.and.b32 %1, %2", &two, B32, |v| v[0] & v[1]);
    op("int.or.b32 %1, %2", &two, B32, |v| v[0] | v[1]);
    op("int.xor.b32 %1, %2", &two, B32, |v| v[0] ^ v[1]);
    op("int.shl.b32 %1, %2", &two, B32, |v| (v[0] as u32).wrapping_shl(v[1] as u32) as u64);
    op("int.shr_u.b32 %1, %2", &two, B32, |v| (v[0] as u32).wrapping_shr(v[1] as u32) as u64);
    op("int.shr_s.b32 %1, %2", &two, B32, |v| u32_of(s32(v[0]).wrapping_shr(v[1] as u32)));
    op("int.add_sat_s.b32 %1, %2", &two, B32, |v| u32_of(s32(v[0]).saturating_add(s32(v[1]))));
    op("int.sub_sat_s.b32 %1, %2", &two, B32, |v| u32_of(s32(v[0]).saturating_sub(s32(v[1]))));
    op("unary.not.b32 %1", &[B32], B32, |v| !v[0] as u32 as u64);
    op("unary.neg.b32 %1", &[B32], B32, |v| (v[0] as u32).wrapping_neg() as u64);
    op("unary.popc.b32 %1", &[B32], B32, |v| v[0].count_ones() as u64);
    op("unary.brev.b32 %1", &[B32], B32, |v| (v[0] as u32).reverse_bits() as u64);
    op(
        "unary.ffbh.b32 %1",
        &[B32],
        B32,
        |v| if v[0] == 0 { 0xffff_ffff } else { (v[0] as u32).leading_zeros() as u64 },
    );
    op("unary.ffbl.b32 %1", &[B32], B32, |v| if v[0] == 0 { 0xffff_ffff } else { v[0].trailing_zeros() as u64 });
}

/// Sums, shifts and logic that one machine op takes together, with each operand in each place.
#[test]
fn int32_chains() {
    let three = [B32, B32, B32];
    let chain = |inner: &str, outer: &str, swapped: bool| {
        let args = if swapped { "%3, %49" } else { "%49, %3" };
        format!("  %49 = {inner} %1, %2\n  %50 = {outer} {args}\n")
    };
    let add = |a: u64, b: u64| (a as u32).wrapping_add(b as u32) as u64;
    let shl = |a: u64, b: u64| (a as u32).wrapping_shl(b as u32) as u64;
    for swapped in [false, true] {
        let same = |inner: &str, outer: &str, f: &dyn Fn(&[u64]) -> u64| {
            check(&three, &chain(inner, outer, swapped), &[("%50", B32)], |v| vec![f(v)]);
        };
        same("int.add.b32", "int.add.b32", &|v| add(add(v[0], v[1]), v[2]));
        same("int.xor.b32", "int.add.b32", &|v| add(v[0] ^ v[1], v[2]));
        same("int.shl.b32", "int.add.b32", &|v| add(shl(v[0], v[1]), v[2]));
        same("int.shl.b32", "int.or.b32", &|v| shl(v[0], v[1]) | v[2]);
        same("int.and.b32", "int.or.b32", &|v| v[0] & v[1] | v[2]);
        same("int.or.b32", "int.or.b32", &|v| v[0] | v[1] | v[2]);
        same("int.xor.b32", "int.xor.b32", &|v| v[0] ^ v[1] ^ v[2]);
        same("int.min_s.b32", "int.min_s.b32", &|v| u32_of(s32(v[0]).min(s32(v[1])).min(s32(v[2]))));
        same("int.max_u.b32", "int.max_u.b32", &|v| v[0].max(v[1]).max(v[2]));
    }
    check(&three, &chain("int.add.b32", "int.shl.b32", false), &[("%50", B32)], |v| vec![shl(add(v[0], v[1]), v[2])]);
    check(
        &[B32, B32],
        "  %49 = byteperm [zero, zero, %1.0, %1.1]\n  %50 = int.add.b32 %49, %2\n",
        &[("%50", B32)],
        |v| vec![add(v[0] << 16, v[1])],
    );
    check(&[B32, B32], "  %49 = unary.popc.b32 %1\n  %50 = int.add.b32 %2, %49\n", &[("%50", B32)], |v| {
        vec![add(v[0].count_ones() as u64, v[1])]
    });
}

#[test]
fn int64() {
    let two = [B64, B64];
    let i = |v: u64| v as i64;
    op("int.add.b64 %1, %2", &two, B64, |v| v[0].wrapping_add(v[1]));
    op("int.sub.b64 %1, %2", &two, B64, |v| v[0].wrapping_sub(v[1]));
    op("int.mul.b64 %1, %2", &two, B64, |v| v[0].wrapping_mul(v[1]));
    op("int.mulhi_u.b64 %1, %2", &two, B64, |v| ((v[0] as u128 * v[1] as u128) >> 64) as u64);
    op("int.mulhi_s.b64 %1, %2", &two, B64, |v| ((i(v[0]) as i128 * i(v[1]) as i128) >> 64) as u64);
    op("int.and.b64 %1, %2", &two, B64, |v| v[0] & v[1]);
    op("int.or.b64 %1, %2", &two, B64, |v| v[0] | v[1]);
    op("int.xor.b64 %1, %2", &two, B64, |v| v[0] ^ v[1]);
    op("int.min_u.b64 %1, %2", &two, B64, |v| v[0].min(v[1]));
    op("int.min_s.b64 %1, %2", &two, B64, |v| i(v[0]).min(i(v[1])) as u64);
    op("int.max_u.b64 %1, %2", &two, B64, |v| v[0].max(v[1]));
    op("int.max_s.b64 %1, %2", &two, B64, |v| i(v[0]).max(i(v[1])) as u64);
    op("int.add_sat_s.b64 %1, %2", &two, B64, |v| i(v[0]).saturating_add(i(v[1])) as u64);
    op("int.sub_sat_s.b64 %1, %2", &two, B64, |v| i(v[0]).saturating_sub(i(v[1])) as u64);
    let shift = [B64, B32];
    op("int.shl.b64 %1, %2", &shift, B64, |v| v[0].wrapping_shl(v[1] as u32));
    op("int.shr_u.b64 %1, %2", &shift, B64, |v| v[0].wrapping_shr(v[1] as u32));
    op("int.shr_s.b64 %1, %2", &shift, B64, |v| i(v[0]).wrapping_shr(v[1] as u32) as u64);
    for amount in [0u32, 1, 31, 32, 33, 47, 63] {
        let with = |line: &str| format!("  %49 = const.b32 {amount:#x}\n  %50 = {line} %1, %49\n");
        let out = [("%50", B64)];
        check(&[B64], &with("int.shl.b64"), &out, |v| vec![v[0] << amount]);
        check(&[B64], &with("int.shr_u.b64"), &out, |v| vec![v[0] >> amount]);
        check(&[B64], &with("int.shr_s.b64"), &out, |v| vec![(i(v[0]) >> amount) as u64]);
    }
    for constant in [0u64, 1, 0xffff_ffff, 0xffff_ffff_0000_0000, 0x1234_5678_9abc_def0, u64::MAX] {
        let with = |line: &str| format!("  %49 = const.b64 {constant:#x}\n  %50 = {line} %1, %49\n");
        let out = [("%50", B64)];
        check(&[B64], &with("int.add.b64"), &out, |v| vec![v[0].wrapping_add(constant)]);
        check(&[B64], &with("int.sub.b64"), &out, |v| vec![v[0].wrapping_sub(constant)]);
        check(&[B64], &with("int.and.b64"), &out, |v| vec![v[0] & constant]);
        check(&[B64], &with("int.or.b64"), &out, |v| vec![v[0] | constant]);
        check(&[B64], &with("int.xor.b64"), &out, |v| vec![v[0] ^ constant]);
        check(&[B64], &with("int.mul.b64"), &out, |v| vec![v[0].wrapping_mul(constant)]);
        check(&[B64], &with("cmp.lt_s.b64"), &[("%50", Pred)], |v| vec![(i(v[0]) < i(constant)) as u64]);
    }
    op("unary.not.b64 %1", &[B64], B64, |v| !v[0]);
    op("unary.neg.b64 %1", &[B64], B64, |v| v[0].wrapping_neg());
    op("unary.brev.b64 %1", &[B64], B64, |v| v[0].reverse_bits());
    op("unary.popc.b64 %1", &[B64], B32, |v| v[0].count_ones() as u64);
    op("unary.ffbh.b64 %1", &[B64], B32, |v| if v[0] == 0 { 0xffff_ffff } else { v[0].leading_zeros() as u64 });
    op("unary.ffbl.b64 %1", &[B64], B32, |v| if v[0] == 0 { 0xffff_ffff } else { v[0].trailing_zeros() as u64 });
    op("mul_wide.u %1, %2", &[B32, B32], B64, |v| v[0] * v[1]);
    op("mul_wide.s %1, %2", &[B32, B32], B64, |v| (s32(v[0]) as i64 * s32(v[1]) as i64) as u64);
    let mad = "  %49 = mul_wide.s %1, %2\n  %50 = int.add.b64 %3, %49\n";
    check(&[B32, B32, B64], mad, &[("%50", B64)], |v| {
        vec![(s32(v[0]) as i64 * s32(v[1]) as i64).wrapping_add(v[2] as i64) as u64]
    });
    op("pack64 %1, %2", &[B32, B32], B64, |v| v[1] << 32 | v[0]);
    op("lo %1", &[B64], B32, |v| v[0] as u32 as u64);
    op("hi %1", &[B64], B32, |v| v[0] >> 32);
}

#[test]
fn carries() {
    for (w, ty, bits) in [("b32", B32, 32u32), ("b64", B64, 64)] {
        let m = u128::MAX >> (128 - bits);
        let out = [("%50", ty), ("%51", Pred)];
        check(&[ty, ty, Pred], &format!("  %50, %51 = add_carry.{w} %1, %2, %3\n"), &out, |v| {
            let sum = v[0] as u128 + v[1] as u128 + v[2] as u128;
            vec![(sum & m) as u64, (sum >> bits) as u64]
        });
        check(&[ty, ty, Pred], &format!("  %50, %51 = sub_borrow.{w} %1, %2, %3\n"), &out, |v| {
            let difference = (v[0] as u128).wrapping_sub(v[1] as u128).wrapping_sub(v[2] as u128);
            vec![(difference & m) as u64, (difference >> 127) as u64]
        });
        for carry in [false, true] {
            let body = format!("  %49 = const.pred {carry}\n  %50, %51 = add_carry.{w} %1, %2, %49\n");
            check(&[ty, ty], &body, &out, |v| {
                let sum = v[0] as u128 + v[1] as u128 + carry as u128;
                vec![(sum & m) as u64, (sum >> bits) as u64]
            });
        }
    }
    // 128 bits, in two links.
    let chain =
        "  %40 = const.pred false\n  %50, %41 = add_carry.b64 %1, %3, %40\n  %51, %42 = add_carry.b64 %2, %4, %41\n";
    check(&[B64, B64, B64, B64], chain, &[("%50", B64), ("%51", B64)], |v| {
        let wide = |lo: u64, hi: u64| (hi as u128) << 64 | lo as u128;
        let sum = wide(v[0], v[1]).wrapping_add(wide(v[2], v[3]));
        vec![sum as u64, (sum >> 64) as u64]
    });
}

#[test]
fn bit_fields_and_dots() {
    let three = [B32, B32, B32];
    op("funnel_shr %1, %2, %3", &three, B32, |v| ((v[0] << 32 | v[1]) >> (v[2] & 31)) as u32 as u64);
    let field = |v: &[u64]| ((v[0] >> (v[1] & 31)) & ((1 << (v[2] & 31)) - 1), v[2] & 31);
    op("bfe.u %1, %2, %3", &three, B32, |v| field(v).0);
    op("bfe.s %1, %2, %3", &three, B32, |v| {
        let (pos, len) = (v[1] as u32 & 31, v[2] as u32 & 31);
        if len == 0 {
            return 0;
        }
        // The sign is the field's top bit, or the word's where the field runs out of it.
        let value = s32(v[0]) >> pos;
        if pos + len >= 32 { u32_of(value) } else { u32_of(value << (32 - len) >> (32 - len)) }
    });
    for (pos, len) in [(0, 8), (7, 1), (8, 16), (31, 31), (4, 0)] {
        let body = format!("  %40 = const.b32 {pos:#x}\n  %41 = const.b32 {len:#x}\n  %50 = bfe.u %1, %40, %41\n");
        check(&[B32], &body, &[("%50", B32)], |v| vec![field(&[v[0], pos, len]).0]);
    }
    op("bit_select %1, %2, %3", &three, B32, |v| v[0] & v[1] | !v[0] & v[2]);
    op("sad.u %1, %2, %3", &three, B32, |v| (v[0].abs_diff(v[1]) + v[2]) as u32 as u64);
    op("sad.s %1, %2, %3", &three, B32, |v| (s32(v[0]).abs_diff(s32(v[1])) as u64 + v[2]) as u32 as u64);
    let u24 = |v: u64| v & 0xff_ffff;
    let s24 = |v: u64| (v << 40) as i64 >> 40;
    op("mad24.u %1, %2, %3", &three, B32, |v| (u24(v[0]) * u24(v[1]) + v[2]) as u32 as u64);
    op("mad24.s %1, %2, %3", &three, B32, |v| (s24(v[0]) * s24(v[1]) + v[2] as i64) as u32 as u64);
    op("mul24_hi.u %1, %2", &[B32, B32], B32, |v| ((u24(v[0]) * u24(v[1])) >> 16) as u32 as u64);
    op("mul24_hi.s %1, %2", &[B32, B32], B32, |v| ((s24(v[0]) * s24(v[1])) >> 16) as u32 as u64);
    let byte = |signed: bool, v: u64, n: usize| {
        let byte = (v as u32).to_le_bytes()[n];
        if signed { byte as i8 as i64 } else { byte as i64 }
    };
    for (word, a, b) in [("u.u", false, false), ("s.s", true, true), ("u.s", false, true), ("s.u", true, false)] {
        op(&format!("dot4.{word} %1, %2, %3"), &three, B32, |v| {
            let dot: i64 = (0..4).map(|n| byte(a, v[0], n) * byte(b, v[1], n)).sum();
            (dot + v[2] as i64) as u32 as u64
        });
    }
}
