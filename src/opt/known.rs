//! What is known about the bits of a value without knowing the value.

use crate::ir::byteperm::ByteSel;
use crate::ir::{Func, IntOp, Mem, Op, Special, Type, UnaryOp, Value, Width};

/// Facts about the low 32 or 64 bits; above them, `zeros` is set and `ones` is not.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Bits {
    /// Bits that are certainly zero.
    pub zeros: u64,
    /// Bits that are certainly one.
    pub ones: u64,
    /// How many of the top bits certainly equal the top bit, itself included: 1 to the width.
    pub signs: u8,
}

impl Bits {
    pub fn unknown(width: u32) -> Bits {
        Bits { zeros: above(width), ones: 0, signs: 1 }
    }

    pub fn constant(value: u64, width: u32) -> Bits {
        Bits { zeros: !value, ones: value, signs: 1 }.settled(width)
    }

    /// The largest value that the facts allow.
    pub fn max(self) -> u64 {
        !self.zeros
    }

    pub fn min(self) -> u64 {
        self.ones
    }

    /// Draws the number of sign bits from the known ones.
    fn settled(mut self, width: u32) -> Bits {
        let shift = 64 - width;
        let zeros = (self.zeros << shift).leading_ones().min(width);
        let ones = (self.ones << shift).leading_ones().min(width);
        self.signs = self.signs.max(zeros.max(ones).max(1) as u8);
        self
    }

    /// Facts that hold on either of two ways.
    pub fn either(self, other: Bits) -> Bits {
        Bits { zeros: self.zeros & other.zeros, ones: self.ones & other.ones, signs: self.signs.min(other.signs) }
    }
}

fn above(width: u32) -> u64 {
    if width == 64 { 0 } else { !0 << width }
}

/// A value no larger than `max`.
fn at_most(max: u64, width: u32) -> Bits {
    let used = 64 - max.leading_zeros();
    let zeros = if used == 64 { 0 } else { !0 << used };
    Bits { zeros: zeros | above(width), ones: 0, signs: 1 }.settled(width)
}

/// Facts about the `n`th result of an op, from those about its arguments.
pub fn of_result(func: &Func, known: &impl Fn(Value) -> Bits, op: &Op, args: &[Value], ty: Type) -> Bits {
    let width = match ty {
        Type::Pred => return Bits::unknown(1),
        Type::B32 => 32,
        Type::B64 => 64,
    };
    let k = |n: usize| known(args[n]);
    let constant = |n: usize| match func.def(args[n])?.0.op {
        Op::Const32(v) => Some(u64::from(v)),
        Op::Const64(v) => Some(v),
        _ => None,
    };
    let bits = match op {
        Op::Const32(v) => return Bits::constant(u64::from(*v), 32),
        Op::Const64(v) => return Bits::constant(*v, 64),
        Op::Special(special) => match special {
            Special::TidX | Special::TidY | Special::TidZ => at_most(1023, 32),
            Special::NtidX | Special::NtidY | Special::NtidZ => at_most(1024, 32),
            Special::LaneId | Special::WarpId => at_most(31, 32),
            // PTX's limit of the first axis; the others have less there, but not on every runtime.
            Special::CtaidX | Special::CtaidY | Special::CtaidZ => at_most(i32::MAX as u64, 32),
            Special::NctaidX | Special::NctaidY | Special::NctaidZ => at_most(i32::MAX as u64, 32),
            _ => return Bits::unknown(32),
        },
        Op::Pack64 => {
            let (low, high) = (k(0), k(1));
            let mut bits = Bits {
                zeros: high.zeros << 32 | low.zeros & 0xffff_ffff,
                ones: high.ones << 32 | low.ones,
                signs: high.signs,
            };
            // The sign of the low dword above it: what widening gives.
            if let Some((data, _)) = func.def(args[1])
                && let Op::Int(IntOp::ShrS, Width::W32) = data.op
                && data.args[0] == args[0]
                && func.def(data.args[1]).is_some_and(|(amount, _)| amount.op == Op::Const32(31))
            {
                bits.signs = bits.signs.max(32 + low.signs);
            }
            bits
        }
        Op::Lo => {
            let pair = k(0);
            let zeros = pair.zeros | above(32);
            Bits { zeros, ones: pair.ones & 0xffff_ffff, signs: pair.signs.saturating_sub(32).max(1) }
        }
        Op::Hi => {
            let pair = k(0);
            Bits { zeros: pair.zeros >> 32 | above(32), ones: pair.ones >> 32, signs: pair.signs.min(32) }
        }
        Op::Int(op, _) => return int(*op, width, k(0), k(1), constant(1)),
        Op::LaneRead | Op::LanePerm(_) | Op::FromFirstLane => k(0),
        Op::Unary(UnaryOp::Popc, w) => at_most(u64::from(w.bits()), 32),
        Op::Unary(UnaryOp::Not, _) => {
            let a = k(0);
            Bits { zeros: a.ones | above(width), ones: a.zeros & !above(width), signs: a.signs }
        }
        Op::Select(_) => k(1).either(k(2)),
        Op::BytePerm(sels) => {
            let mut bits = Bits { zeros: above(32), ones: 0, signs: 1 };
            for (n, sel) in sels.iter().enumerate() {
                let (zeros, ones) = match *sel {
                    ByteSel::Zero => (0xff, 0),
                    ByteSel::Ones => (0, 0xff),
                    ByteSel::Byte(source, byte) => {
                        let a = k(source as usize);
                        (a.zeros >> (8 * byte) & 0xff, a.ones >> (8 * byte) & 0xff)
                    }
                    ByteSel::Sign(source, byte) => {
                        let a = k(source as usize);
                        let top = 8 * byte + 7;
                        ((a.zeros >> top & 1) * 0xff, (a.ones >> top & 1) * 0xff)
                    }
                };
                bits.zeros |= zeros << (8 * n);
                bits.ones |= ones << (8 * n);
            }
            // Whole bytes of sign at the top, above the byte that they repeat.
            let signs =
                sels.iter().rev().take_while(|sel| matches!(sel, ByteSel::Sign(..)) && **sel == sels[3]).count();
            if signs > 0 {
                let repeats = signs < 4
                    && matches!((sels[3], sels[3 - signs]), (ByteSel::Sign(a, x), ByteSel::Byte(b, y)) if a == b && x == y);
                bits.signs = (8 * signs + usize::from(repeats)) as u8;
            }
            bits
        }
        Op::Bfe { signed } => match constant(2).map(|len| len & 31) {
            Some(0) => Bits::constant(0, 32),
            Some(len) if *signed => Bits { signs: 33 - len as u8, ..Bits::unknown(32) },
            Some(len) => at_most((1 << len) - 1, 32),
            None => return Bits::unknown(width),
        },
        Op::Load(Mem { bytes: bytes @ (1 | 2), signed, .. }) => {
            if *signed {
                Bits { signs: 33 - 8 * bytes, ..Bits::unknown(32) }
            } else {
                at_most((1 << (8 * bytes)) - 1, 32)
            }
        }
        _ => return Bits::unknown(width),
    };
    bits.settled(width)
}

fn int(op: IntOp, width: u32, a: Bits, b: Bits, constant: Option<u64>) -> Bits {
    let mask = !above(width);
    let amount = constant.map(|n| n as u32 & (width - 1));
    let bits = match op {
        IntOp::And => Bits { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, signs: a.signs.min(b.signs) },
        IntOp::Or => Bits { zeros: a.zeros & b.zeros, ones: a.ones | b.ones, signs: a.signs.min(b.signs) },
        IntOp::Xor => {
            let zeros = a.zeros & b.zeros | a.ones & b.ones;
            let ones = a.zeros & b.ones | a.ones & b.zeros;
            Bits { zeros, ones: ones & mask, signs: a.signs.min(b.signs) }
        }
        IntOp::Shl => {
            let Some(n) = amount else { return Bits::unknown(width) };
            let zeros = a.zeros << n | ((1 << n) - 1) | above(width);
            Bits { zeros, ones: a.ones << n & mask, signs: (u32::from(a.signs)).saturating_sub(n).max(1) as u8 }
        }
        IntOp::ShrU => {
            let Some(n) = amount else { return at_most(a.max(), width) };
            Bits { zeros: (a.zeros & mask) >> n | !(mask >> n), ones: a.ones >> n, signs: 1 }
        }
        IntOp::ShrS => {
            let Some(n) = amount else { return Bits { signs: a.signs, ..Bits::unknown(width) } };
            let shift = 64 - width;
            let spread = |bits: u64| (((bits << shift) as i64 >> shift) >> n) as u64;
            let zeros = spread(a.zeros & mask) | above(width);
            Bits { zeros, ones: spread(a.ones) & mask, signs: (u32::from(a.signs) + n).min(width) as u8 }
        }
        IntOp::Add | IntOp::Mul | IntOp::MulHiU => {
            let max = match op {
                IntOp::Add => u128::from(a.max()) + u128::from(b.max()),
                IntOp::Mul => u128::from(a.max()) * u128::from(b.max()),
                _ => (u128::from(a.max()) * u128::from(b.max())) >> width,
            };
            let low_zeros = match op {
                IntOp::Add => a.zeros.trailing_ones().min(b.zeros.trailing_ones()),
                IntOp::Mul => (a.zeros.trailing_ones() + b.zeros.trailing_ones()).min(width),
                _ => 0,
            };
            let low = if low_zeros >= 64 { !0 } else { (1u64 << low_zeros) - 1 };
            let mut bits = if max <= u128::from(mask) { at_most(max as u64, width) } else { Bits::unknown(width) };
            bits.zeros |= low;
            bits
        }
        IntOp::MinU => at_most(a.max().min(b.max()), width),
        IntOp::MaxU => at_most(a.max().max(b.max()), width),
        IntOp::DivU => {
            // Division by zero gives all ones.
            if b.min() == 0 { Bits::unknown(width) } else { at_most(a.max() / b.min(), width) }
        }
        IntOp::RemU => {
            if b.min() == 0 {
                at_most(a.max(), width)
            } else {
                at_most(a.max().min(b.max().wrapping_sub(1)), width)
            }
        }
        IntOp::MinS | IntOp::MaxS => Bits { signs: a.signs.min(b.signs), ..Bits::unknown(width) },
        IntOp::Sub | IntOp::MulHiS | IntOp::DivS | IntOp::RemS | IntOp::AddSatS | IntOp::SubSatS => {
            return Bits::unknown(width);
        }
    };
    bits.settled(width)
}
