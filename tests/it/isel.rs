//! Instruction selection: what is emitted, and that it computes what the IR says.
//!
//! Each family is run through the meanings of the emitted rows ([`crate::mir_eval`]) on edge cases and random inputs, from
//! VGPRs (inputs loaded from global memory) and from SGPRs (from constant memory), and compared with plain Rust.

use crate::mir_eval::Lane;
use warp2wave::amd::Target;
use warp2wave::diag::Span;
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::ir::divergence::prepare;
use warp2wave::ir::{Kernel, text, verify as verify_ir};
use warp2wave::isel::{IselOptions, byteperm_plan, lower_specials, scalar_plan, select, vector_plan};
use warp2wave::mir::MirFunc;
use warp2wave::mir::verify::verify;

const TARGETS: [&str; 2] = ["gfx1100", "gfx942"];

/// One of each kind of op table and feature set, for what is cheap.
const FAMILIES: [&str; 7] = ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"];

fn kernel(source: &str) -> Kernel {
    let (name, func) =
        text::parse(source).unwrap_or_else(|d| panic!("{} at {:?} of\n{source}", d.message, d.span.text(source)));
    Kernel {
        name,
        func,
        params: vec![],
        param_bytes: 64,
        param_align_bytes: 8,
        shared_bytes: 0,
        dynamic_shared: false,
        local_bytes: 0,
        reqntid: None,
        maxntid: None,
        span: Span::NONE,
    }
}

fn try_select(source: &str, target: &Target) -> Result<MirFunc, Vec<String>> {
    let mut kernel = kernel(source);
    verify_ir(&kernel.func).unwrap();
    lower_specials(&mut kernel);
    let divergence = prepare(&mut kernel.func, target.wave_lanes());
    verify_ir(&kernel.func).unwrap();
    let func = select(&kernel, &divergence, target, &IselOptions::default())
        .map_err(|diags| diags.into_iter().map(|d| d.message).collect::<Vec<_>>())?;
    verify(&func, target).unwrap_or_else(|fault| panic!("{fault}"));
    Ok(func)
}

fn selected(source: &str, target: &str) -> MirFunc {
    let target = Target::parse(target).unwrap();
    try_select(source, &target).unwrap_or_else(|messages| panic!("{messages:?}"))
}

/// The MIR of a body between `bb0:` and the end, without its register table.
fn listing(body: &str, target: &str) -> String {
    let func = selected(&format!("func @f {{\n{body}}}\n"), target);
    let text = warp2wave::mir::text::print(&func);
    text.lines().filter(|l| !l.starts_with("  %") || !l.contains(": ")).collect::<Vec<_>>().join("\n")
}

fn ops_of(func: &MirFunc) -> Vec<&'static str> {
    let insts = func.layout.iter().flat_map(|&b| &func.blocks[b].insts);
    insts
        .filter_map(|i| match &i.kind {
            warp2wave::mir::InstKind::Op(op) => Some(op.op.name),
            _ => None,
        })
        .collect()
}

/// A type of a test's input or output, and how it goes to and from memory.
#[derive(Copy, Clone, PartialEq)]
enum Ty {
    B32,
    B64,
    Pred,
}
use Ty::{B32, B64, Pred};

/// IR that loads inputs `%1..` from 0x100 on, runs a body and stores its outputs from 0x800 on, 8 bytes each.
fn program(space: &str, inputs: &[Ty], body: &str, outputs: &[(&str, Ty)]) -> String {
    let mut out =
        String::from("func @f {\nbb0:\n  %60 = load.param.u64 [0]\n  %61 = const.b32 0x0\n  %62 = const.b32 0x1\n");
    for (n, ty) in inputs.iter().enumerate() {
        let (bits, at, v) = (if *ty == B64 { 64 } else { 32 }, 0x100 + 8 * n, n + 1);
        match ty {
            Pred => {
                out += &format!("  %{} = load.{space}.u32 [%60 + {at}]\n", 70 + n);
                out += &format!("  %{v} = cmp.ne.b32 %{}, %61\n", 70 + n);
            }
            B32 | B64 => out += &format!("  %{v} = load.{space}.u{bits} [%60 + {at}]\n"),
        }
    }
    out += body;
    for (n, (name, ty)) in outputs.iter().enumerate() {
        let at = 0x800 + 8 * n;
        match ty {
            Pred => {
                out += &format!("  %{} = select.b32 {name}, %62, %61\n", 80 + n);
                out += &format!("  store.global.u32 [%60 + {at}], %{}\n", 80 + n);
            }
            B32 => out += &format!("  store.global.u32 [%60 + {at}], {name}\n"),
            B64 => out += &format!("  store.global.u64 [%60 + {at}], {name}\n"),
        }
    }
    out + "  exit\n}\n"
}

fn run(func: &MirFunc, target: &Target, inputs: &[u64], outputs: usize) -> Vec<u64> {
    let mut memory = vec![0; 0x800 + 8 * outputs];
    for (n, input) in inputs.iter().enumerate() {
        memory[0x100 + 8 * n..][..8].copy_from_slice(&input.to_le_bytes());
    }
    let mut lane = Lane::new(func, target, memory, vec![0; 64]);
    lane.run();
    (0..outputs).map(|n| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap())).collect()
}

/// xorshift64*, with the edges of words mixed in.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn value(&mut self, ty: Ty) -> u64 {
        const EDGES: [u64; 20] = [
            0,
            1,
            2,
            31,
            32,
            33,
            63,
            64,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x8000_0000_0000_0000,
            // As f32: 1, -2, infinities, NaNs, subnormals.
            0x3f80_0000,
            0xc000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffa0_0001,
            0x0000_0400,
            0x807f_ffff,
        ];
        let edge = EDGES[self.next() as usize % EDGES.len()];
        let value = match self.next() % 6 {
            0 => edge,
            1 => edge.wrapping_neg(),
            2 => edge << 32 | EDGES[self.next() as usize % EDGES.len()],
            3 => self.next() >> (self.next() % 64),
            _ => self.next(),
        };
        match ty {
            B64 => value,
            B32 => value as u32 as u64,
            Pred => value & 1,
        }
    }
}

/// Compares a body's outputs with `expected` on both targets, from VGPRs and SGPRs.
#[track_caller]
fn check(inputs: &[Ty], body: &str, outputs: &[(&str, Ty)], expected: impl Fn(&[u64]) -> Vec<u64>) {
    for id in FAMILIES {
        let target = Target::parse(id).unwrap();
        for space in ["global", "const"] {
            let func = selected(&program(space, inputs, body, outputs), id);
            let mut random = Random(0x9e37_79b9_7f4a_7c15 + id.len() as u64 + inputs.len() as u64);
            for _ in 0..50 {
                let values: Vec<u64> = inputs.iter().map(|&ty| random.value(ty)).collect();
                let want = expected(&values);
                let got = run(&func, &target, &values, outputs.len());
                assert_eq!(
                    format!("{got:x?}"),
                    format!("{want:x?}"),
                    "{values:x?} on {id} from {space}:\n{}",
                    warp2wave::mir::text::print(&func)
                );
            }
        }
    }
}

/// One op: its result is `%50`.
#[track_caller]
fn op(line: &str, inputs: &[Ty], output: Ty, expected: impl Fn(&[u64]) -> u64) {
    check(inputs, &format!("  %50 = {line}\n"), &[("%50", output)], |v| vec![expected(v)]);
}

fn s32(v: u64) -> i32 {
    v as i32
}

fn u32_of(v: i32) -> u64 {
    v as u32 as u64
}

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

/// PTX's nibble as a selection of `a` (source 0) and `b` (source 1).
fn nibble(n: u32) -> ByteSel {
    let (source, byte) = ((n >> 2 & 1) as u8, (n & 3) as u8);
    if n & 8 == 0 { ByteSel::Byte(source, byte) } else { ByteSel::Sign(source, byte) }
}

fn sels(selector: u32) -> [ByteSel; 4] {
    std::array::from_fn(|i| nibble(selector >> (4 * i) & 15))
}

/// PTX ISA, "prmt", read from the manual's table.
fn prmt(mode: &str, a: u32, b: u32, c: u32) -> u32 {
    let bytes = ((b as u64) << 32 | a as u64).to_le_bytes();
    let row = |table: [u16; 4]| table[c as usize & 3] as u32;
    let nibbles = match mode {
        "generic" => c & 0xffff,
        "f4e" => row([0x3210, 0x4321, 0x5432, 0x6543]),
        "b4e" => row([0x5670, 0x6701, 0x7012, 0x0123]),
        "rc8" => row([0x0000, 0x1111, 0x2222, 0x3333]),
        "ecl" => row([0x3210, 0x3211, 0x3222, 0x3333]),
        "ecr" => row([0x0000, 0x1110, 0x2210, 0x3210]),
        _ => row([0x1010, 0x3232, 0x1010, 0x3232]),
    };
    u32::from_le_bytes(std::array::from_fn(|i| {
        let n = nibbles >> (4 * i) & 15;
        let byte = bytes[n as usize & 7];
        if n & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
    }))
}

fn sel_text(sel: ByteSel, names: &[&str]) -> String {
    match sel {
        ByteSel::Byte(source, byte) => format!("{}.{byte}", names[source as usize]),
        ByteSel::Sign(source, byte) => format!("sign {}.{byte}", names[source as usize]),
        ByteSel::Zero => "zero".into(),
        ByteSel::Ones => "ones".into(),
    }
}

/// Runs byte permutes of up to four sources, 256 in a function, and compares each with the algebra's own meaning.
fn check_byteperms(all: &[[ByteSel; 4]], sources: usize, space: &str) {
    let names = ["%1", "%2", "%3", "%4"];
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        let mut random = Random(77);
        for chunk in all.chunks(256) {
            let mut body = String::new();
            let mut outputs = vec![];
            for (n, sels) in chunk.iter().enumerate() {
                let text: Vec<String> = sels.iter().map(|&s| sel_text(s, &names[..sources])).collect();
                body += &format!("  %{} = byteperm [{}]\n", 1000 + n, text.join(", "));
                outputs.push(format!("%{}", 1000 + n));
            }
            let outputs: Vec<(&str, Ty)> = outputs.iter().map(|o| (o.as_str(), B32)).collect();
            let inputs = vec![B32; sources];
            let func = selected(&program(space, &inputs, &body, &outputs), id);
            for _ in 0..2 {
                let values: Vec<u64> = (0..sources).map(|_| random.next() & 0xffff_ffff).collect();
                let words: Vec<u32> = values.iter().map(|&v| v as u32).collect();
                let got = run(&func, &target, &values, outputs.len());
                for (sels, got) in chunk.iter().zip(got) {
                    let want = u32::from_le_bytes(sels.map(|s| s.eval(&words)));
                    assert_eq!(got as u32, want, "{sels:?} of {words:x?} on {id}");
                }
            }
        }
    }
}

#[test]
fn constant_selectors_all_of_them() {
    let all: Vec<[ByteSel; 4]> = (0..0x10000).map(sels).collect();
    check_byteperms(&all, 2, "global");
    // PRMT_COSTS, section 2: how many selectors of two different registers need so many instructions. The two identities
    // count as one there.
    let mut counts = [0; 4];
    for sels in &all {
        counts[byteperm_plan(*sels).steps.len()] += 1;
    }
    assert_eq!(counts, [2, 20746, 43468, 1320]);
}

#[test]
fn constant_selectors_of_one_register() {
    let one = |sel: ByteSel| match sel {
        ByteSel::Byte(_, byte) => ByteSel::Byte(0, byte),
        ByteSel::Sign(_, byte) => ByteSel::Sign(0, byte),
        same => same,
    };
    let mut counts = [0; 4];
    for selector in 0..0x10000 {
        counts[byteperm_plan(sels(selector).map(one)).steps.len()] += 1;
    }
    assert_eq!(counts, [16, 20832 - 16, 44704, 0]);
}

/// Zeros and ones beside bytes and signs, from one to four sources, on both units.
#[test]
fn byte_permutes_of_more_sources() {
    let mut random = Random(5);
    let pick = |random: &mut Random, sources: u64| match random.next() % 8 {
        0 => ByteSel::Zero,
        1 => ByteSel::Ones,
        2..=4 => ByteSel::Sign((random.next() % sources) as u8, (random.next() % 4) as u8),
        _ => ByteSel::Byte((random.next() % sources) as u8, (random.next() % 4) as u8),
    };
    for sources in 1..=4 {
        let all: Vec<[ByteSel; 4]> = (0..2048).map(|_| [(); 4].map(|()| pick(&mut random, sources))).collect();
        for space in ["global", "const"] {
            check_byteperms(&all, sources as usize, space);
        }
        assert!(all.iter().all(|&s| byteperm_plan(s).steps.len() <= sources as usize + 2));
    }
}

#[test]
fn dynamic_selectors_all_of_them() {
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        for (mode, cost) in [("generic", 8), ("f4e", 1), ("b4e", 3), ("rc8", 2), ("ecl", 4), ("ecr", 3), ("rc16", 3)] {
            let body = format!("  %50 = prmt.{mode} %1, %2, %3\n");
            let func = selected(&program("global", &[B32; 3], &body, &[("%50", B32)]), id);
            let vector = ops_of(&func).iter().filter(|op| op.starts_with("v_")).count();
            assert_eq!(vector, cost, "{mode}");
            let mut random = Random(11);
            for selector in 0..0x10000u64 {
                let (a, b, junk) = (random.next() as u32, random.next() as u32, random.next() << 16 & 0xffff_0000);
                let got = run(&func, &target, &[a as u64, b as u64, selector | junk], 1)[0] as u32;
                assert_eq!(got, prmt(mode, a, b, selector as u32), "{mode} {selector:#x} of {a:x}, {b:x} on {id}");
            }
        }
    }
}

#[test]
fn truth_tables_all_of_them() {
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        for space in ["global", "const"] {
            let mut body = String::new();
            let names: Vec<String> = (0..256).map(|lut| format!("%{}", 1000 + lut)).collect();
            for (lut, name) in names.iter().enumerate() {
                body += &format!("  {name} = lop3[{lut:#04x}] %1, %2, %3\n");
            }
            let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), B32)).collect();
            let func = selected(&program(space, &[B32; 3], &body, &outputs), id);
            let mut random = Random(3);
            for _ in 0..8 {
                let v = [(); 3].map(|()| random.next() & 0xffff_ffff);
                let got = run(&func, &target, &v, 256);
                for (lut, got) in got.iter().enumerate() {
                    let bit = |i: u32| {
                        let index = (v[0] >> i & 1) << 2 | (v[1] >> i & 1) << 1 | v[2] >> i & 1;
                        (lut as u64 >> index & 1) << i
                    };
                    assert_eq!(*got, (0..32).map(bit).sum::<u64>(), "{lut:#x} on {id} from {space}");
                }
            }
        }
    }
}

/// How many tables need 0, 1, 2.. steps. The search tries all sequences of a length before it goes on, so these are the least for its ops;
/// the counts are recorded to see a lost op.
#[test]
fn truth_table_costs() {
    let count = |plan: &dyn Fn(u8) -> usize| {
        let mut counts = [0; 5];
        (0..=255).for_each(|lut| counts[plan(lut)] += 1);
        counts
    };
    assert_eq!(count(&|lut| vector_plan(lut, true, true).steps.len()), [5, 38, 160, 53, 0]);
    assert_eq!(count(&|lut| vector_plan(lut, false, true).steps.len()), [5, 37, 158, 56, 0]);
    assert_eq!(count(&|lut| vector_plan(lut, false, false).steps.len()), [5, 34, 148, 67, 2]);
    assert_eq!(count(&|lut| scalar_plan(lut).steps.len()), [5, 33, 114, 80, 24]);
}

/// The choice and majority functions of SHA-2, as compilers write them.
#[test]
fn logic_of_three_values() {
    let three = [B32, B32, B32];
    let count = |body: &str, id: &str| {
        let func = selected(&program("global", &three, body, &[("%50", B32)]), id);
        ops_of(&func).iter().filter(|op| op.starts_with("v_")).count()
    };
    let choice = "  %40 = int.and.b32 %1, %2\n  %41 = unary.not.b32 %1\n  %42 = int.and.b32 %3, %41\n  %50 = int.xor.b32 %40, %42\n";
    check(&three, choice, &[("%50", B32)], |v| vec![v[0] & v[1] | !v[0] & v[2]]);
    let majority = "  %40 = int.and.b32 %1, %2\n  %41 = int.and.b32 %1, %3\n  %42 = int.xor.b32 %40, %41\n  \
                    %43 = int.and.b32 %2, %3\n  %50 = int.xor.b32 %42, %43\n";
    check(&three, majority, &[("%50", B32)], |v| vec![v[0] & v[1] | v[0] & v[2] | v[1] & v[2]]);
    for id in TARGETS {
        assert_eq!((count(choice, id), count(majority, id)), (1, 2), "{id}");
    }
    // An op that somebody else reads stays.
    let shared = "  %40 = int.and.b32 %1, %2\n  %41 = unary.not.b32 %1\n  %42 = int.and.b32 %3, %41\n  %51 = int.xor.b32 %40, %42\n  \
                  %50 = int.xor.b32 %51, %42\n";
    check(&three, shared, &[("%50", B32), ("%51", B32)], |v| vec![v[0] & v[1], v[0] & v[1] | !v[0] & v[2]]);
}

/// Random straight-line functions give the same results from VGPRs, from SGPRs and from a mix, on every kind of target: the scalar and the
/// vector forms of an op, and what folds into what, know nothing of each other.
#[test]
fn units_and_targets_agree_on_random_code() {
    for seed in 1..120 {
        let mut random = Random(seed * 0x1234_5677);
        let body = random_body(&mut random);
        let inputs = [B32, B32, B32, B64, B64, Pred];
        let values: Vec<Vec<u64>> = (0..4).map(|_| inputs.iter().map(|&ty| random.value(ty)).collect()).collect();
        let outputs: Vec<(&str, Ty)> = body.outputs.iter().map(|(name, ty)| (name.as_str(), *ty)).collect();
        let mut expected: Option<Vec<Vec<u64>>> = None;
        for id in FAMILIES {
            let target = Target::parse(id).unwrap();
            for spaces in [["global", "global"], ["const", "const"], ["global", "const"], ["const", "global"]] {
                let source = program(spaces[0], &inputs, &body.text, &outputs);
                let mut turn = 0;
                // Every other input from the second space.
                let source: String = source
                    .lines()
                    .map(|line| {
                        let input = line.contains(" = load.global") || line.contains(" = load.const");
                        turn += input as usize;
                        if input && turn % 2 == 0 {
                            line.replace(&format!("load.{}", spaces[0]), &format!("load.{}", spaces[1])) + "\n"
                        } else {
                            line.to_string() + "\n"
                        }
                    })
                    .collect();
                let func = selected(&source, id);
                let got: Vec<Vec<u64>> = values.iter().map(|v| run(&func, &target, v, outputs.len())).collect();
                match &expected {
                    None => expected = Some(got),
                    Some(expected) => assert!(
                        *expected == got,
                        "seed {seed}, {id} from {spaces:?}: {got:x?}, not {expected:x?}\n{source}\n{}",
                        warp2wave::mir::text::print(&func)
                    ),
                }
            }
        }
    }
}

struct Body {
    text: String,
    outputs: Vec<(String, Ty)>,
}

fn random_body(random: &mut Random) -> Body {
    let mut pools: [Vec<String>; 3] = [
        ["%1", "%2", "%3", "%61", "%62"].map(String::from).to_vec(),
        ["%4", "%5"].map(String::from).to_vec(),
        vec!["%6".to_string()],
    ];
    let mut text = String::new();
    let mut made: Vec<(String, Ty)> = vec![];
    for n in 0..60 {
        // Mostly the newest values, so that chains form.
        let pick = |random: &mut Random, pool: &[String]| {
            let back = (random.next() % 4).min(random.next() % pool.len() as u64) as usize;
            let at = if random.next().is_multiple_of(3) {
                random.next() as usize % pool.len()
            } else {
                pool.len() - 1 - back
            };
            pool[at].clone()
        };
        let args = |random: &mut Random, types: &[Ty]| {
            let values: Vec<String> = types.iter().map(|&ty| pick(random, &pools[ty as usize])).collect();
            values.join(", ")
        };
        let from = |random: &mut Random, words: &[&str]| words[random.next() as usize % words.len()].to_string();
        let int = [
            "add", "sub", "mul", "mulhi_u", "mulhi_s", "min_u", "min_s", "max_u", "max_s", "and", "or", "xor", "and",
            "or", "xor",
        ];
        let cmp = ["eq", "ne", "lt_u", "le_u", "gt_u", "ge_u", "lt_s", "le_s", "gt_s", "ge_s"];
        let name = format!("%{}", 100 + n);
        let (line, ty) = match random.next() % 22 {
            0..=4 => (format!("int.{}.b32 {}", from(random, &int), args(random, &[B32, B32])), B32),
            5 => (format!("int.{}.b32 {}", from(random, &["shl", "shr_u", "shr_s"]), args(random, &[B32, B32])), B32),
            6 => (format!("int.{}.b64 {}", from(random, &int), args(random, &[B64, B64])), B64),
            7 => (format!("int.{}.b64 {}", from(random, &["shl", "shr_u", "shr_s"]), args(random, &[B64, B32])), B64),
            8 => (
                format!(
                    "unary.{}.b32 {}",
                    from(random, &["not", "neg", "popc", "ffbh", "ffbl", "brev"]),
                    args(random, &[B32])
                ),
                B32,
            ),
            9 => (format!("unary.{}.b64 {}", from(random, &["popc", "ffbh", "ffbl"]), args(random, &[B64])), B32),
            10 => (format!("pack64 {}", args(random, &[B32, B32])), B64),
            11 => (format!("{} {}", from(random, &["lo", "hi"]), args(random, &[B64])), B32),
            12 => (format!("mul_wide.{} {}", from(random, &["u", "s"]), args(random, &[B32, B32])), B64),
            13 => (format!("lop3[{:#04x}] {}", random.next() as u8, args(random, &[B32, B32, B32])), B32),
            14 => (
                format!(
                    "{} {}",
                    from(random, &["funnel_shr", "bfe.u", "bfe.s", "bit_select", "bit_select"]),
                    args(random, &[B32, B32, B32])
                ),
                B32,
            ),
            15 => {
                let sources = args(random, &[B32, B32, B32]);
                let names: Vec<&str> = sources.split(", ").collect();
                let sels: Vec<String> = (0..4)
                    .map(|_| match random.next() % 5 {
                        0 => "zero".to_string(),
                        1 => format!("sign {}.{}", names[random.next() as usize % 3], random.next() % 4),
                        _ => format!("{}.{}", names[random.next() as usize % 3], random.next() % 4),
                    })
                    .collect();
                (format!("byteperm [{}]", sels.join(", ")), B32)
            }
            16 => (format!("cmp.{}.b32 {}", from(random, &cmp), args(random, &[B32, B32])), Pred),
            17 => (format!("cmp.{}.b64 {}", from(random, &cmp), args(random, &[B64, B64])), Pred),
            18 => (format!("pred.{} {}", from(random, &["and", "or", "xor"]), args(random, &[Pred, Pred])), Pred),
            19 => (format!("pred.not {}", args(random, &[Pred])), Pred),
            20 => (format!("select.b32 {}", args(random, &[Pred, B32, B32])), B32),
            _ => (format!("select.b64 {}", args(random, &[Pred, B64, B64])), B64),
        };
        text += &format!("  {name} = {line}\n");
        pools[ty as usize].push(name.clone());
        made.push((name, ty));
    }
    let outputs = made.into_iter().rev().step_by(3).take(12).collect();
    Body { text, outputs }
}

/// Loads of every width, sign and vector length from every space, at offsets that do and do not fit the instruction.
#[test]
fn loads() {
    for (space, address) in ADDRESSES {
        for (bytes, count, signed) in shapes() {
            for offset in OFFSETS {
                let (letter, ty) = (if signed { 's' } else { 'u' }, if bytes == 8 { B64 } else { B32 });
                let vector = if count > 1 { format!(".v{count}") } else { String::new() };
                let names: Vec<String> = (0..count).map(|n| format!("%{}", 20 + n)).collect();
                let results = names.join(", ");
                let bits = 8 * bytes;
                let body = format!("{address}  {results} = load.{space}.{letter}{bits}{vector} [%10 + {offset}]\n");
                let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), ty)).collect();
                for id in TARGETS {
                    let target = Target::parse(id).unwrap();
                    let func = selected(&program("global", &[B64], &body, &outputs), id);
                    let at = (0x1_8000 + offset) as usize;
                    let mut memory = pattern();
                    memory[0x100..0x108].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let want: Vec<u64> =
                        (0..count).map(|n| element(&memory[at + n * bytes..], bytes, signed)).collect();
                    let mut kernarg = vec![0; 64];
                    kernarg[8..16].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut lane = Lane::new(&func, &target, memory, kernarg);
                    lane.run();
                    let stored = |n: usize| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap());
                    let mask = if ty == B64 { u64::MAX } else { 0xffff_ffff };
                    let got: Vec<u64> = (0..count).map(|n| stored(n) & mask).collect();
                    assert_eq!(got, want, "{space} {letter}{bits}{vector} + {offset} on {id}");
                }
            }
        }
    }
}

#[test]
fn stores() {
    for (space, address) in ADDRESSES.into_iter().filter(|a| a.0 != "const") {
        for (bytes, count, signed) in shapes().into_iter().filter(|s| !s.2) {
            for offset in OFFSETS {
                let ty = if bytes == 8 { B64 } else { B32 };
                let vector = if count > 1 { format!(".v{count}") } else { String::new() };
                let values: Vec<String> = (0..count).map(|n| format!("%{}", 2 + n)).collect();
                let (bits, values) = (8 * bytes, values.join(", "));
                let _ = signed;
                let body = format!("{address}  store.{space}.u{bits}{vector} [%10 + {offset}], {values}\n");
                let mut inputs = vec![B64];
                inputs.extend(vec![ty; count]);
                for id in TARGETS {
                    let target = Target::parse(id).unwrap();
                    let func = selected(&program("global", &inputs, &body, &[]), id);
                    let at = (0x1_8000 + offset) as usize;
                    let mut memory = pattern();
                    memory[0x100..0x108].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut want = memory.clone();
                    for n in 0..count {
                        let value = memory[0x108 + 8 * n..][..bytes].to_vec();
                        want[at + n * bytes..][..bytes].copy_from_slice(&value);
                    }
                    let mut kernarg = vec![0; 64];
                    kernarg[8..16].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut lane = Lane::new(&func, &target, memory, kernarg);
                    lane.run();
                    assert!(lane.memory == want, "{space} u{bits}{vector} + {offset} on {id}");
                }
            }
        }
    }
}

/// How `%10` becomes 0x18000, in VGPRs, SGPRs, a constant, or an SGPR base with an index.
const ADDRESSES: [(&str, &str); 11] = [
    ("global", "  %10 = int.or.b64 %1, %1\n"),
    ("global", "  %10 = load.param.u64 [8]\n"),
    ("global", "  %10 = const.b64 0x18000\n"),
    ("global", "  %11 = lo %1\n  %12 = pack64 %11, %61\n  %13 = load.param.u64 [16]\n  %10 = int.add.b64 %12, %13\n"),
    ("const", "  %10 = load.param.u64 [8]\n"),
    ("const", "  %10 = int.or.b64 %1, %1\n"),
    ("generic", "  %10 = int.or.b64 %1, %1\n"),
    ("generic", "  %10 = load.param.u64 [8]\n"),
    ("shared", "  %10 = lo %1\n"),
    ("shared", "  %10 = const.b32 0x18000\n"),
    ("local", "  %10 = lo %1\n"),
];

const OFFSETS: [i64; 6] = [0, 16, -16, 4080, 0x1_0000, -0x1_0000];

/// Bytes of an element, elements, sign.
fn shapes() -> Vec<(usize, usize, bool)> {
    let mut out = vec![];
    for bytes in [1, 2, 4, 8] {
        for count in [1, 2, 4, 8].into_iter().filter(|count| bytes * count <= 32) {
            out.push((bytes, count, false));
            if bytes < 4 {
                out.push((bytes, count, true));
            }
        }
    }
    out
}

fn pattern() -> Vec<u8> {
    let mut random = Random(21);
    (0..0x3_0000).map(|_| random.next() as u8).collect()
}

fn element(memory: &[u8], bytes: usize, signed: bool) -> u64 {
    match (bytes, signed) {
        (1, false) => memory[0] as u64,
        (1, true) => memory[0] as i8 as u32 as u64,
        (2, false) => u16::from_le_bytes([memory[0], memory[1]]) as u64,
        (2, true) => i16::from_le_bytes([memory[0], memory[1]]) as u32 as u64,
        (4, _) => u32::from_le_bytes(memory[..4].try_into().unwrap()) as u64,
        _ => u64::from_le_bytes(memory[..8].try_into().unwrap()),
    }
}

/// Kernel parameters of every size, also unaligned to a dword.
#[test]
fn parameters() {
    for (bytes, count, signed) in shapes() {
        for at in [0, 32, 64 + bytes * count, 128 + 3 * bytes * count] {
            let (letter, ty) = (if signed { 's' } else { 'u' }, if bytes == 8 { B64 } else { B32 });
            let vector = if count > 1 { format!(".v{count}") } else { String::new() };
            let names: Vec<String> = (0..count).map(|n| format!("%{}", 20 + n)).collect();
            let body = format!("  {} = load.param.{letter}{}{vector} [{at}]\n", names.join(", "), 8 * bytes);
            let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), ty)).collect();
            for id in TARGETS {
                let target = Target::parse(id).unwrap();
                let func = selected(&program("global", &[], &body, &outputs), id);
                let mut kernarg = pattern()[..256].to_vec();
                kernarg[..8].fill(0);
                let want: Vec<u64> = (0..count).map(|n| element(&kernarg[at + n * bytes..], bytes, signed)).collect();
                let mut lane = Lane::new(&func, &target, vec![0; 0x1000], kernarg);
                lane.run();
                let got: Vec<u64> = (0..count)
                    .map(|n| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap()))
                    .collect();
                assert_eq!(got, want, "{letter}{}{vector} at {at} on {id}", 8 * bytes);
            }
        }
    }
}

#[track_caller]
fn snapshot(name: &str, body: &str) {
    for id in TARGETS {
        insta::assert_snapshot!(format!("isel_{name}_{id}"), listing(body, id));
    }
}

/// A guarded kernel: ids, size of the work-group from the dispatch packet, a divergent branch, an address of base and index.
#[test]
fn kernel_with_a_guard() {
    let source = "bb0:
  %0 = load.param.u64 [0]
  %1 = special.tid_x
  %2 = special.ctaid_x
  %3 = special.ntid_x
  %4 = int.mul.b32 %2, %3
  %5 = int.add.b32 %4, %1
  %6 = load.param.u32 [8]
  %7 = cmp.ge_u.b32 %5, %6
  branch %7, bb2, bb1
bb1:
  %8 = const.b32 0x4
  %9 = mul_wide.u %5, %8
  %10 = int.add.b64 %0, %9
  %11 = load.global.u32 [%10]
  %12 = int.add.b32 %11, %11
  store.global.u32 [%10], %12
  jump bb2
bb2:
  exit
";
    snapshot("guard", source);
}

/// A uniform loop: its counter is in an SGPR, its compare in SCC right before the branch, its divergent sum in a VGPR.
#[test]
fn uniform_loop() {
    let source = "bb0:
  %0 = load.param.u32 [0]
  %1 = special.tid_x
  %2 = const.b32 0x0
  %3 = const.b32 0x1
  jump bb1(%2, %2)
bb1(%4: b32, %5: b32):
  %6 = int.add.b32 %4, %3
  %7 = int.add.b32 %5, %1
  %8 = cmp.lt_u.b32 %6, %0
  branch %8, bb1(%6, %7), bb2
bb2:
  %9 = const.b32 0x100
  store.shared.u32 [%9], %7
  exit
";
    snapshot("uniform_loop", source);
}

/// Two lane masks meet under different masks and swap.
#[test]
fn lane_masks_as_parameters() {
    let source = "bb0:
  %0 = special.tid_x
  %1 = const.b32 0x5
  %2 = cmp.lt_u.b32 %0, %1
  %3 = cmp.eq.b32 %0, %1
  jump bb1(%2, %3)
bb1(%4: pred, %5: pred):
  branch %4, bb1(%5, %4), bb2
bb2:
  %6 = const.b32 0x0
  %7 = select.b32 %5, %1, %6
  store.shared.u32 [%6], %7
  exit
";
    snapshot("mask_params", source);
}

/// Everything that the entry state holds.
#[test]
fn entry_state() {
    let mut source = String::from("bb0:\n  %0 = load.param.u64 [0]\n");
    let specials = [
        "tid_x",
        "tid_y",
        "tid_z",
        "ntid_x",
        "ntid_y",
        "ntid_z",
        "ctaid_x",
        "ctaid_y",
        "ctaid_z",
        "grid_x",
        "grid_y",
        "grid_z",
        "laneid",
        "lanemask_lt",
        "dynamic_shared_bytes",
    ];
    for (n, special) in specials.iter().enumerate() {
        source += &format!("  %{} = special.{special}\n  store.global.u32 [%0 + {}], %{}\n", n + 1, 4 * n, n + 1);
    }
    snapshot("entry", &(source + "  exit\n"));
}

/// A barrier, a switch, ordered accesses and a fence.
#[test]
fn synchronisation() {
    let source = "bb0:
  %0 = load.param.u64 [0]
  %1 = special.tid_x
  %2 = const.b32 0x7
  store.shared.u32 [%1], %2
  barrier bb1
bb1:
  %3 = load.global.u32.acquire.gpu [%0]
  store.global.u32.release.sys [%0 + 8], %3
  %4 = atomic.add.b32.global.u32.relaxed.gpu [%0 + 16], %1
  %5 = atomic.cas.b64.shared.u64.relaxed.cta [%1], %0, %0
  fence.gpu
  switch %1, bb2, bb3
bb2:
  exit
bb3:
  store.global.u64.volatile [%0], %5
  trap
";
    snapshot("synchronisation", source);
}

/// Every kernel of the corpus that lifts is selected and verified; only what `opt` expands first may be refused.
#[test]
fn corpus_kernels_are_selected() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx");
    let mut selected = 0;
    for file in walk(&folder) {
        let source = std::fs::read_to_string(&file).unwrap();
        let (module, diags) = warp2wave::ptx::parse(&source);
        if !diags.is_empty() {
            continue;
        }
        let entries = source.lines().filter_map(|l| l.split_once(".entry ").map(|(_, rest)| rest));
        for name in entries.map(|rest| rest.trim().split(['(', ' ']).next().unwrap_or("").to_string()) {
            let Ok(module) = warp2wave::lift::lift(&module, Some(std::slice::from_ref(&name))) else { continue };
            for mut kernel in module.kernels {
                lower_specials(&mut kernel);
                verify_ir(&kernel.func).unwrap();
                for id in TARGETS {
                    selected += select_corpus(&kernel, id).unwrap_or_else(|e| panic!("{file:?} {name}: {e}"));
                }
            }
        }
    }
    assert!(selected > 800, "{selected} kernels");
}

fn select_corpus(kernel: &Kernel, id: &str) -> Result<usize, String> {
    let target = Target::parse(id).unwrap();
    let mut func = kernel.func.clone();
    let divergence = prepare(&mut func, target.wave_lanes());
    let kernel = Kernel { func, name: kernel.name.clone(), params: vec![], ..*kernel };
    match select(&kernel, &divergence, &target, &IselOptions::default()) {
        Ok(func) => {
            if std::env::var("W2W_DUMP").is_ok_and(|name| name == func.name) {
                println!("{id}\n{}", warp2wave::mir::text::print(&func));
            }
            verify(&func, &target).map(|()| 1)
        }
        Err(diags) => match diags.iter().find(|d| !d.message.contains("`opt` expands it first")) {
            Some(other) => Err(other.message.clone()),
            None => Ok(0),
        },
    }
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let mut out = vec![];
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            out.extend(walk(&path));
        } else if path.extension().is_some_and(|e| e == "ptx") {
            out.push(path);
        }
    }
    out
}
