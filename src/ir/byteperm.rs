//! Byte permutes: each byte of a result dword names a byte of some source dword, its sign, zero or ones.
//!
//! PTX `prmt`, shifts and rotates by whole bytes, byte masks, packs, unpacks and integer `cvt` are all of this kind, and
//! a permute of permutes is one permute.
//!
//! The algebra is on single bytes, so it holds for any number of sources and for values of any size: [`ByteSel::compose`] puts a permute
//! behind others, [`ByteSel::folded`] knows bytes of constants, and [`ByteSel::and`] to [`ByteSel::lop3`] say which bytewise ops between bytes
//! are a byte again. `tests/it/byteperm/laws.rs` states the laws.

use super::PrmtMode;

/// One byte of the result, of a source that has a name. In [`super::Op::BytePerm`] that is an index into the op's arguments, which are dwords;
/// byte 0 is the lowest.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ByteSel<Source = u8> {
    Byte(Source, u8),
    /// 0xff if the top bit of that byte is set, else 0x00.
    Sign(Source, u8),
    Zero,
    Ones,
}

impl<Source: Copy + PartialEq> ByteSel<Source> {
    /// The source it reads, if any.
    pub fn source(self) -> Option<Source> {
        match self {
            ByteSel::Byte(source, _) | ByteSel::Sign(source, _) => Some(source),
            ByteSel::Zero | ByteSel::Ones => None,
        }
    }

    /// The sign of the byte. That of a sign is itself.
    pub fn sign(self) -> Self {
        match self {
            ByteSel::Byte(source, byte) | ByteSel::Sign(source, byte) => ByteSel::Sign(source, byte),
            constant => constant,
        }
    }

    /// The same byte where each source's bytes are bytes of other sources.
    pub fn compose<Inner: Copy + PartialEq>(self, of: impl FnOnce(Source, u8) -> ByteSel<Inner>) -> ByteSel<Inner> {
        match self {
            ByteSel::Byte(source, byte) => of(source, byte),
            ByteSel::Sign(source, byte) => of(source, byte).sign(),
            ByteSel::Zero => ByteSel::Zero,
            ByteSel::Ones => ByteSel::Ones,
        }
    }

    /// The same byte if its source is a constant and it is 0x00 or 0xff; other constant bytes keep their names.
    pub fn folded(self, constant: impl FnOnce(Source) -> Option<u64>) -> Self {
        let Some(bits) = self.source().and_then(constant) else { return self };
        match self {
            ByteSel::Byte(_, byte) => match bits.to_le_bytes()[byte as usize] {
                0x00 => ByteSel::Zero,
                0xff => ByteSel::Ones,
                _ => self,
            },
            ByteSel::Sign(_, byte) => ByteSel::of_bit(bits.to_le_bytes()[byte as usize] & 0x80 != 0),
            ByteSel::Zero | ByteSel::Ones => self,
        }
    }

    fn of_bit(set: bool) -> Self {
        if set { ByteSel::Ones } else { ByteSel::Zero }
    }

    pub fn and(self, other: Self) -> Option<Self> {
        self.lop3(0xc0, other, ByteSel::Zero)
    }

    pub fn or(self, other: Self) -> Option<Self> {
        self.lop3(0xfc, other, ByteSel::Zero)
    }

    pub fn xor(self, other: Self) -> Option<Self> {
        self.lop3(0x3c, other, ByteSel::Zero)
    }

    /// The sum, where no carry can arise.
    pub fn plus(self, other: Self) -> Option<Self> {
        match (self, other) {
            (ByteSel::Zero, x) | (x, ByteSel::Zero) => Some(x),
            _ => None,
        }
    }

    pub fn inverted(self) -> Option<Self> {
        self.lop3(0x0f, ByteSel::Zero, ByteSel::Zero)
    }

    /// `self ? then : els`, bit by bit.
    pub fn select(self, then: Self, els: Self) -> Option<Self> {
        self.lop3(0xca, then, els)
    }

    /// Any function of three bits on each bit of three bytes, by PTX `lop3`'s table: the bits are the index, `self`'s the highest. A byte
    /// again where the function is constant, or is one of the bytes; not where it is a byte's complement or a mixture.
    pub fn lop3(self, table: u8, b: Self, c: Self) -> Option<Self> {
        let args = [self, b, c];
        let mut names: [Option<Self>; 3] = [None; 3];
        let mut count = 0;
        for arg in args.into_iter().filter(|arg| arg.source().is_some()) {
            if !names[..count].contains(&Some(arg)) {
                names[count] = Some(arg);
                count += 1;
            }
        }
        // The result for every value that the bits of the names may have.
        let result = |values: usize| {
            let index = args.iter().fold(0, |index, arg| {
                let bit = match arg {
                    ByteSel::Zero => 0,
                    ByteSel::Ones => 1,
                    named => names.iter().position(|name| name.as_ref() == Some(named)).map_or(0, |n| values >> n & 1),
                };
                index << 1 | bit
            });
            table >> index & 1 == 1
        };
        let all = || 0..1usize << count;
        if all().all(|values| result(values) == result(0)) {
            return Some(Self::of_bit(result(0)));
        }
        (0..count).find(|n| all().all(|values| result(values) == (values >> n & 1 == 1))).and_then(|n| names[n])
    }
}

impl ByteSel {
    pub const IDENTITY: [ByteSel; 4] =
        [ByteSel::Byte(0, 0), ByteSel::Byte(0, 1), ByteSel::Byte(0, 2), ByteSel::Byte(0, 3)];

    /// What PTX `prmt` does with a constant selector: bytes 0 to 3 are of source 0, 4 to 7 of source 1.
    ///
    /// PTX ISA, "prmt". The generic mode takes a nibble of c\[15:0\] for each byte, whose bit 3 asks for the sign; the other
    /// modes take c\[1:0\] and never give a sign.
    pub fn prmt(mode: PrmtMode, selector: u32) -> [ByteSel; 4] {
        if mode == PrmtMode::Bytes {
            return selector.to_le_bytes().map(|byte| match byte {
                0..=7 => ByteSel::Byte(byte >> 2, byte & 3),
                8..=11 => ByteSel::Sign((byte - 8) >> 1, (2 * (byte - 8) + 1) & 3),
                12 => ByteSel::Zero,
                13..=255 => ByteSel::Ones,
            });
        }
        // The manual's tables, one row for each c[1:0]; hex digits from byte 3 down to byte 0.
        let row = |table: [u32; 4]| table[selector as usize & 3];
        let nibbles = match mode {
            PrmtMode::Generic | PrmtMode::Bytes => selector,
            PrmtMode::F4e => row([0x3210, 0x4321, 0x5432, 0x6543]),
            PrmtMode::B4e => row([0x5670, 0x6701, 0x7012, 0x0123]),
            PrmtMode::Rc8 => row([0x0000, 0x1111, 0x2222, 0x3333]),
            PrmtMode::Ecl => row([0x3210, 0x3211, 0x3222, 0x3333]),
            PrmtMode::Ecr => row([0x0000, 0x1110, 0x2210, 0x3210]),
            PrmtMode::Rc16 => row([0x1010, 0x3232, 0x1010, 0x3232]),
        };
        std::array::from_fn(|n| {
            let nibble = (nibbles >> (4 * n)) as u8 & 0xf;
            let (source, byte) = (nibble >> 2 & 1, nibble & 3);
            if nibble & 8 == 0 { ByteSel::Byte(source, byte) } else { ByteSel::Sign(source, byte) }
        })
    }

    /// The selected byte, given the source dwords.
    pub fn eval(self, sources: &[u32]) -> u8 {
        match self {
            ByteSel::Byte(s, b) => sources[s as usize].to_le_bytes()[b as usize],
            ByteSel::Sign(s, b) => {
                if sources[s as usize].to_le_bytes()[b as usize] & 0x80 != 0 {
                    0xff
                } else {
                    0
                }
            }
            ByteSel::Zero => 0,
            ByteSel::Ones => 0xff,
        }
    }
}
