//! Dwords of named bits.

use std::fmt;

/// One bit.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bit {
    Zero,
    One,
    /// A bit (0 to 31) of a named dword.
    Of {
        source: u8,
        bit: u8,
    },
    Unknown,
}

use Bit::{One, Unknown, Zero};

impl Bit {
    pub fn known(set: bool) -> Bit {
        if set { One } else { Zero }
    }

    pub fn value(self) -> Option<bool> {
        match self {
            Zero => Some(false),
            One => Some(true),
            Bit::Of { .. } | Unknown => None,
        }
    }

    fn same(self, other: Bit) -> bool {
        self == other && self != Unknown
    }

    pub fn inverted(self) -> Bit {
        self.value().map_or(Unknown, |set| Bit::known(!set))
    }

    pub fn and(self, other: Bit) -> Bit {
        match (self, other) {
            (Zero, _) | (_, Zero) => Zero,
            (One, x) | (x, One) => x,
            (x, y) if x.same(y) => x,
            _ => Unknown,
        }
    }

    pub fn or(self, other: Bit) -> Bit {
        match (self, other) {
            (One, _) | (_, One) => One,
            (Zero, x) | (x, Zero) => x,
            (x, y) if x.same(y) => x,
            _ => Unknown,
        }
    }

    pub fn xor(self, other: Bit) -> Bit {
        match (self, other) {
            (Zero, x) | (x, Zero) => x,
            (One, x) | (x, One) => x.inverted(),
            (x, y) if x.same(y) => Zero,
            _ => Unknown,
        }
    }

    /// `self ? then : els`, exact too where both sides are the same bit.
    pub fn select(self, then: Bit, els: Bit) -> Bit {
        match self {
            One => then,
            Zero => els,
            _ if then.same(els) => then,
            _ => self.and(then).or(self.inverted().and(els)),
        }
    }
}

/// What the eight bits of a byte are together.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Byte {
    /// A byte of a named dword.
    Of {
        source: u8,
        byte: u8,
    },
    /// Eight times the top bit of that byte.
    Sign {
        source: u8,
        byte: u8,
    },
    Known(u8),
    /// Bits of several places, or unknown ones.
    Mixed,
}

/// Bit 0 first.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Word(pub [Bit; 32]);

impl Word {
    pub const UNKNOWN: Word = Word([Unknown; 32]);
    pub const ZERO: Word = Word([Zero; 32]);

    pub fn constant(bits: u32) -> Word {
        Word(std::array::from_fn(|n| Bit::known(bits >> n & 1 == 1)))
    }

    /// The named dword itself.
    pub fn named(source: u8) -> Word {
        Word(std::array::from_fn(|bit| Bit::Of { source, bit: bit as u8 }))
    }

    /// The value, if every bit is known.
    pub fn value(&self) -> Option<u32> {
        let mut value = 0;
        for (n, bit) in self.0.iter().enumerate() {
            value |= u32::from(bit.value()?) << n;
        }
        Some(value)
    }

    /// The low bits as a number, whatever is above them.
    pub fn low(&self, count: usize) -> Option<u32> {
        let mut value = 0;
        for (n, bit) in self.0.iter().enumerate().take(count) {
            value |= u32::from(bit.value()?) << n;
        }
        Some(value)
    }

    /// Bit `n`; zero above the top.
    pub fn bit(&self, n: usize) -> Bit {
        self.0.get(n).copied().unwrap_or(Zero)
    }

    pub fn zip(&self, other: &Word, f: impl Fn(Bit, Bit) -> Bit) -> Word {
        Word(std::array::from_fn(|n| f(self.0[n], other.0[n])))
    }

    pub fn inverted(&self) -> Word {
        Word(self.0.map(Bit::inverted))
    }

    pub fn byte_bits(&self, byte: usize) -> [Bit; 8] {
        std::array::from_fn(|n| self.0[8 * byte + n])
    }

    pub fn from_bytes(bytes: [[Bit; 8]; 4]) -> Word {
        Word(std::array::from_fn(|n| bytes[n / 8][n % 8]))
    }

    pub fn byte(&self, byte: usize) -> Byte {
        let bits = self.byte_bits(byte);
        match bits[0] {
            Zero | One => {
                let value = Word(std::array::from_fn(|n| if n < 8 { bits[n] } else { Zero })).value();
                value.map_or(Byte::Mixed, |value| Byte::Known(value as u8))
            }
            Bit::Of { source, bit } if bit % 8 == 7 && bits == [bits[0]; 8] => Byte::Sign { source, byte: bit / 8 },
            Bit::Of { source, bit } if bit % 8 == 0 => {
                let whole = (0..8).all(|n| bits[n] == Bit::Of { source, bit: bit + n as u8 });
                if whole { Byte::Of { source, byte: bit / 8 } } else { Byte::Mixed }
            }
            Bit::Of { .. } | Unknown => Byte::Mixed,
        }
    }

    /// From byte 0 up.
    pub fn bytes(&self) -> [Byte; 4] {
        std::array::from_fn(|byte| self.byte(byte))
    }

    /// The sum and the carry out. A bit is unknown from the first place on where a carry depends on a name.
    pub fn add(&self, other: &Word, carry: Bit) -> (Word, Bit) {
        let mut carry = carry;
        let mut out = [Zero; 32];
        for (n, sum) in out.iter_mut().enumerate() {
            let (x, y) = (self.0[n], other.0[n]);
            *sum = x.xor(y).xor(carry);
            // The majority of the three.
            carry = x.and(y).or(carry.and(x.or(y)));
        }
        (Word(out), carry)
    }

    /// The value that it has when the named dwords have these.
    pub fn eval(&self, sources: &[u32]) -> Option<u32> {
        let mut value = 0;
        for (n, bit) in self.0.iter().enumerate() {
            let set = match *bit {
                Bit::Of { source, bit } => sources[source as usize] >> bit & 1 == 1,
                other => other.value()?,
            };
            value |= u32::from(set) << n;
        }
        Some(value)
    }
}

/// Bytes from 3 down to 0.
impl fmt::Debug for Word {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.bytes().iter().rev().map(|byte| format!("{byte}")).collect();
        write!(f, "[{}]", names.join(" "))
    }
}

impl fmt::Display for Byte {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Byte::Of { source, byte } => write!(f, "{}.{byte}", name(*source)),
            Byte::Sign { source, byte } => write!(f, "sign({}.{byte})", name(*source)),
            Byte::Known(value) => write!(f, "0x{value:02x}"),
            Byte::Mixed => f.write_str("?"),
        }
    }
}

/// Sources are called `a`, `b`, `c`, ...
fn name(source: u8) -> char {
    (b'a' + source.min(25)) as char
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_names() {
        let a = Word::named(0);
        assert_eq!(format!("{a:?}"), "[a.3 a.2 a.1 a.0]");
        let sign = Word([a.0[15]; 32]);
        assert_eq!(sign.byte(2), Byte::Sign { source: 0, byte: 1 });
        assert_eq!(Word::constant(0xff12_0080).bytes().map(|b| b.to_string()), ["0x80", "0x00", "0x12", "0xff"]);
        // One bit off is no byte.
        let shifted = Word(std::array::from_fn(|n| a.bit(n + 1)));
        assert_eq!(shifted.bytes(), [Byte::Mixed; 4]);
    }

    #[test]
    fn sums_keep_names_where_nothing_carries() {
        let a = Word::named(0);
        let low = Word(std::array::from_fn(|n| if n < 8 { a.0[n] } else { Zero }));
        let (sum, carry) = low.add(&Word::constant(0x1200), Zero);
        assert_eq!((format!("{sum:?}"), carry), ("[0x00 0x00 0x12 a.0]".into(), Zero));
        assert_eq!(a.add(&Word::constant(1), Zero).0.0[1], Unknown);
        let (sum, _) = Word::constant(0xffff_fff0).add(&Word::constant(0x25), Zero);
        assert_eq!(sum.value(), Some(0x15));
    }

    #[test]
    fn a_select_between_equal_bits_needs_no_condition() {
        let x = Bit::Of { source: 0, bit: 3 };
        assert_eq!(Unknown.select(x, x), x);
        assert_eq!(Unknown.select(One, Zero), Unknown);
        assert_eq!(x.select(One, Zero), x);
        assert_eq!(Unknown.select(Zero, Zero), Zero);
    }
}
