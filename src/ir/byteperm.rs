//! Byte permutes: each byte of a result dword names a byte of some source dword, its sign, zero or ones.
//!
//! PTX `prmt`, shifts and rotates by whole bytes, byte masks, packs, unpacks and integer `cvt` are all of this kind, and
//! a permute of permutes is one permute.

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
