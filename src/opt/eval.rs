//! What pure integer ops give for constants: the IR's definitions, one line each.
//!
//! Floats are left to the machine, except for what is exact by definition. A division by zero gives all ones and the
//! remainder the dividend, as `expand` has it; the one overflowing quotient wraps.

use crate::ir::byteperm::ByteSel;
use crate::ir::{CmpOp, FloatOp, FloatTy, IntOp, Op, PredOp, UnaryOp, Width};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Const {
    Pred(bool),
    B32(u32),
    B64(u64),
}

impl Const {
    pub fn of(op: &Op) -> Option<Const> {
        match *op {
            Op::Const32(v) => Some(Const::B32(v)),
            Op::Const64(v) => Some(Const::B64(v)),
            Op::ConstPred(v) => Some(Const::Pred(v)),
            _ => None,
        }
    }

    pub fn op(self) -> Op {
        match self {
            Const::Pred(v) => Op::ConstPred(v),
            Const::B32(v) => Op::Const32(v),
            Const::B64(v) => Op::Const64(v),
        }
    }

    /// The bits, zero-extended.
    pub fn bits(self) -> u64 {
        match self {
            Const::Pred(v) => u64::from(v),
            Const::B32(v) => u64::from(v),
            Const::B64(v) => v,
        }
    }

    pub fn of_width(width: Width, bits: u64) -> Const {
        match width {
            Width::W32 => Const::B32(bits as u32),
            Width::W64 => Const::B64(bits),
        }
    }
}

/// The value of a single-result op on constants, if it is one that we fold.
pub fn eval(op: &Op, args: &[Const]) -> Option<Const> {
    let x = |n: usize| args[n].bits();
    let d = |n: usize| args[n].bits() as u32;
    let b32 = |v: u32| Some(Const::B32(v));
    let b64 = |v: u64| Some(Const::B64(v));
    let pred = |v: bool| Some(Const::Pred(v));
    match *op {
        Op::Pack64 => b64(x(1) << 32 | x(0)),
        Op::Lo => b32(d(0)),
        Op::Hi => b32((x(0) >> 32) as u32),
        Op::Int(op, width) => Some(Const::of_width(width, int(op, width, x(0), x(1)))),
        Op::Unary(op, width) => {
            let value = unary(op, width, x(0));
            match op {
                UnaryOp::Popc | UnaryOp::Ffbh | UnaryOp::Ffbl => b32(value as u32),
                UnaryOp::Not | UnaryOp::Neg | UnaryOp::Brev => Some(Const::of_width(width, value)),
            }
        }
        Op::MulWide { signed: true } => b64((i64::from(d(0) as i32) * i64::from(d(1) as i32)) as u64),
        Op::MulWide { signed: false } => b64(x(0) * x(1)),
        Op::Mad24 { signed } => b32((mul24(signed, d(0), d(1)) as u32).wrapping_add(d(2))),
        Op::Mul24Hi { signed } => b32((mul24(signed, d(0), d(1)) >> 16) as u32),
        Op::Lop3(table) => b32(lop3(table, d(0), d(1), d(2))),
        Op::FunnelShr => b32(((x(0) << 32 | x(1)) >> (d(2) & 31)) as u32),
        Op::Bfe { signed } => b32(bfe(signed, d(0), d(1) & 31, d(2) & 31)),
        Op::BitSelect => b32(d(0) & d(1) | !d(0) & d(2)),
        Op::Sad { signed: true } => b32(d(2).wrapping_add((d(0) as i32).abs_diff(d(1) as i32))),
        Op::Sad { signed: false } => b32(d(2).wrapping_add(d(0).abs_diff(d(1)))),
        Op::Dot4 { a_signed, b_signed } => {
            let byte = |v: u32, n: usize, signed: bool| {
                let byte = v.to_le_bytes()[n];
                if signed { byte as i8 as i32 } else { byte as i32 }
            };
            let sum = (0..4).map(|n| byte(d(0), n, a_signed) * byte(d(1), n, b_signed)).sum::<i32>();
            b32(d(2).wrapping_add(sum as u32))
        }
        Op::BytePerm(sels) => {
            let sources: Vec<u32> = (0..args.len()).map(d).collect();
            b32(u32::from_le_bytes(sels.map(|sel| sel.eval(&sources))))
        }
        Op::PrmtDynamic(mode) => {
            let sels = ByteSel::prmt(mode, d(2));
            b32(u32::from_le_bytes(sels.map(|sel| sel.eval(&[d(0), d(1)]))))
        }
        Op::Cmp(op, width) => pred(compare(op, width, x(0), x(1))),
        Op::PredBin(op) => {
            let (p, q) = (x(0) != 0, x(1) != 0);
            pred(match op {
                PredOp::And => p & q,
                PredOp::Or => p | q,
                PredOp::Xor => p ^ q,
            })
        }
        Op::PredNot => pred(x(0) == 0),
        Op::Select(_) => Some(if x(0) != 0 { args[1] } else { args[2] }),
        Op::Float(FloatOp::Neg, FloatTy::F32, env) if !env.ftz && !env.sat => b32(d(0) ^ 1 << 31),
        Op::Float(FloatOp::Abs, FloatTy::F32, env) if !env.ftz && !env.sat => b32(d(0) & !(1 << 31)),
        _ => None,
    }
}

fn mul24(signed: bool, a: u32, b: u32) -> i64 {
    let part = |v: u32| if signed { i64::from((v << 8) as i32 >> 8) } else { i64::from(v & 0xff_ffff) };
    part(a) * part(b)
}

fn lop3(table: u8, a: u32, b: u32, c: u32) -> u32 {
    let mut out = 0;
    for row in 0..8 {
        if table >> row & 1 != 0 {
            let pick = |v: u32, bit: u32| if row >> bit & 1 != 0 { v } else { !v };
            out |= pick(a, 2) & pick(b, 1) & pick(c, 0);
        }
    }
    out
}

fn bfe(signed: bool, a: u32, pos: u32, len: u32) -> u32 {
    if len == 0 {
        return 0;
    }
    // Bits beyond the top are zero, or the sign.
    let wide = if signed { i64::from(a as i32) } else { i64::from(a) };
    let field = wide >> pos;
    let shift = 64 - len;
    if signed { (field << shift >> shift) as u32 } else { (((field as u64) << shift) >> shift) as u32 }
}

/// One width's signed view of zero-extended bits.
fn signed(width: Width, v: u64) -> i64 {
    match width {
        Width::W32 => i64::from(v as u32 as i32),
        Width::W64 => v as i64,
    }
}

fn int(op: IntOp, width: Width, a: u64, b: u64) -> u64 {
    let bits = width.bits();
    let (sa, sb) = (signed(width, a), signed(width, b));
    let amount = b as u32 & (bits - 1);
    let value = match op {
        IntOp::Add => a.wrapping_add(b),
        IntOp::Sub => a.wrapping_sub(b),
        IntOp::Mul => a.wrapping_mul(b),
        IntOp::MulHiU => ((u128::from(a) * u128::from(b)) >> bits) as u64,
        IntOp::MulHiS => ((i128::from(sa) * i128::from(sb)) >> bits) as u64,
        IntOp::DivU => a.checked_div(b).unwrap_or(u64::MAX),
        IntOp::RemU => a.checked_rem(b).unwrap_or(a),
        IntOp::DivS if sb == 0 => u64::MAX,
        IntOp::DivS => sa.wrapping_div(sb) as u64,
        IntOp::RemS if sb == 0 => a,
        IntOp::RemS => sa.wrapping_rem(sb) as u64,
        IntOp::MinU => a.min(b),
        IntOp::MaxU => a.max(b),
        IntOp::MinS => sa.min(sb) as u64,
        IntOp::MaxS => sa.max(sb) as u64,
        IntOp::And => a & b,
        IntOp::Or => a | b,
        IntOp::Xor => a ^ b,
        IntOp::Shl => a << amount,
        IntOp::ShrU => a >> amount,
        IntOp::ShrS => (sa >> amount) as u64,
        IntOp::AddSatS | IntOp::SubSatS => {
            let sum =
                if op == IntOp::AddSatS { i128::from(sa) + i128::from(sb) } else { i128::from(sa) - i128::from(sb) };
            sum.clamp(-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1) as u64
        }
    };
    match width {
        Width::W32 => u64::from(value as u32),
        Width::W64 => value,
    }
}

fn unary(op: UnaryOp, width: Width, a: u64) -> u64 {
    let bits = width.bits();
    let value = match op {
        UnaryOp::Not => !a,
        UnaryOp::Neg => a.wrapping_neg(),
        UnaryOp::Popc => u64::from(a.count_ones()),
        UnaryOp::Ffbh if a == 0 => u64::MAX,
        UnaryOp::Ffbh => u64::from(a.leading_zeros() + bits - 64),
        UnaryOp::Ffbl if a == 0 => u64::MAX,
        UnaryOp::Ffbl => u64::from(a.trailing_zeros()),
        UnaryOp::Brev => a.reverse_bits() >> (64 - bits),
    };
    match width {
        Width::W32 => u64::from(value as u32),
        Width::W64 => value,
    }
}

pub fn compare(op: CmpOp, width: Width, a: u64, b: u64) -> bool {
    let (sa, sb) = (signed(width, a), signed(width, b));
    match op {
        CmpOp::Eq => a == b,
        CmpOp::Ne => a != b,
        CmpOp::LtU => a < b,
        CmpOp::LeU => a <= b,
        CmpOp::GtU => a > b,
        CmpOp::GeU => a >= b,
        CmpOp::LtS => sa < sb,
        CmpOp::LeS => sa <= sb,
        CmpOp::GtS => sa > sb,
        CmpOp::GeS => sa >= sb,
    }
}
