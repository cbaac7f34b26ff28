//! Compares, selects, conversions and packing.

use super::*;

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
