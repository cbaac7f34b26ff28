//! Byte permutes: each byte of a result dword names a byte of some source dword, its sign, zero or ones.
//!
//! PTX `prmt`, shifts and rotates by whole bytes, byte masks, packs, unpacks and integer `cvt` are all of this kind, and
//! a permute of permutes is one permute.

use super::PrmtMode;

/// One byte of the result. The source is an index into the op's arguments (dwords); the byte index is 0 to 3, little-endian.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ByteSel {
    Byte(u8, u8),
    /// 0xff if the top bit of that byte is set, else 0x00.
    Sign(u8, u8),
    Zero,
    Ones,
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

    /// The source it reads, if any.
    pub fn source(self) -> Option<u8> {
        match self {
            ByteSel::Byte(s, _) | ByteSel::Sign(s, _) => Some(s),
            ByteSel::Zero | ByteSel::Ones => None,
        }
    }
}
