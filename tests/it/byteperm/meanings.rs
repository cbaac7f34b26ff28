//! The two meanings of each op, over named bits and over numbers, written apart from each other, judge each other.

use warp2wave::amd::lane::Sem;
use warp2wave::amd::{Mods, ops};
use warp2wave::provenance::{Bit, Modifiers, Word, scalar, vector};

/// xorshift64*.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A word with some bits known and some named, and often a number or a small one.
    fn word(&mut self) -> Word {
        let (kind, bits) = (self.next() % 5, self.next() as u32);
        match kind {
            0 => Word::constant(bits),
            1 => Word::constant(bits % 34),
            2 => Word::constant(u32::from_le_bytes(bits.to_le_bytes().map(|b| b % 15))),
            3 => Word::named((self.next() % 3) as u8),
            _ => {
                let (known, source) = (self.next() as u32, (self.next() % 3) as u8);
                Word(std::array::from_fn(|n| match known >> n & 1 {
                    0 => Bit::Of { source, bit: (bits.rotate_left(n as u32) & 31) as u8 },
                    _ => Bit::known(bits >> n & 1 == 1),
                }))
            }
        }
    }
}

/// Every known bit of `got` must be the number's.
fn check(name: &str, got: &Word, want: u32, sources: &[u32], uses: &[Word]) {
    for (n, bit) in got.0.iter().enumerate() {
        let set = match *bit {
            Bit::Of { source, bit } => sources[source as usize] >> bit & 1 == 1,
            Bit::Unknown => continue,
            other => other == Bit::One,
        };
        assert_eq!(set, want >> n & 1 == 1, "{name}, bit {n} of {got:?}, number {want:#x}, of {uses:?}");
    }
}

#[test]
fn named_bits_agree_with_numbers() {
    let mut random = Random(0x5eed);
    let mut seen = 0;
    for op in ops::all() {
        let mut known_bits = 0u32;
        for _ in 0..600 {
            let sources: Vec<u32> = (0..3).map(|_| random.next() as u32).collect();
            let uses: Vec<Word> = op.uses.iter().map(|_| random.word()).collect();
            let selects = random.next() as u8 & 7;
            let packed = op.is_vop3p();
            let mods = Mods {
                op_sel: if packed { selects } else { 0 },
                op_sel_hi: if packed { random.next() as u8 & 7 } else { 0 },
                bitop3: if op.is_bitop3() { random.next() as u8 } else { 0 },
                ..op.default_mods()
            };
            let named = Modifiers {
                op_sel: mods.op_sel,
                op_sel_hi: if packed { mods.op_sel_hi } else { 0b111 },
                table: mods.bitop3,
            };
            let numbers: [u64; 3] =
                std::array::from_fn(|n| uses.get(n).and_then(|word| word.eval(&sources)).map_or(0, u64::from));
            let (got, want) = match op.sem {
                Sem::Lane(f) => (vector(op.name, &uses, named), f(numbers)),
                Sem::LaneMods(f) => (vector(op.name, &uses, named), f(numbers, &mods)),
                Sem::Scalar(f) if op.uses.iter().all(|slot| slot.bits == 32) => {
                    let uses: Vec<Vec<Word>> = uses.iter().map(|&word| vec![word]).collect();
                    (scalar(op.name, &uses).map(|dwords| dwords[0]), f(numbers, false).0)
                }
                _ => break,
            };
            let Some(got) = got else { continue };
            check(op.name, &got, want as u32, &sources, &uses);
            known_bits += got.0.iter().filter(|&&bit| bit != Bit::Unknown).count() as u32;
        }
        seen += u32::from(known_bits > 0);
    }
    // As many ops as have both meanings.
    assert!(seen >= 55, "{seen} ops were compared");
}
