//! Logic, shifts, bit fields, counts, dot products and byte permutes.

use super::*;

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
