//! Sums, products, carries, division, order.

use super::*;

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
