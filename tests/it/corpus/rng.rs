//! Seeded test data: SplitMix64, and value lists that mix it with the edges of a type.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence depends on the text alone, so that adding a case moves no other.
    pub fn of(name: &str) -> Rng {
        Rng(name.bytes().fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3)))
    }

    pub fn u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn u32(&mut self) -> u32 {
        (self.u64() >> 32) as u32
    }

    /// A number in `[0, end)`.
    pub fn below(&mut self, end: u32) -> u32 {
        ((u64::from(self.u32()) * u64::from(end)) >> 32) as u32
    }

    /// An integer in `[low, high]`.
    pub fn between(&mut self, low: i32, high: i32) -> i32 {
        low + self.below((high - low + 1) as u32) as i32
    }

    pub fn bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n).map(|_| self.u64() as u8).collect()
    }

    /// `n` words; one in four is an edge: 0, all ones, a sign bit, a boundary of a narrower type.
    pub fn words(&mut self, n: usize) -> Vec<u32> {
        const EDGES: [u32; 14] =
            [0, 1, 2, 31, 32, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
        (0..n).map(|_| if self.below(4) == 0 { EDGES[self.below(14) as usize] } else { self.u32() }).collect()
    }

    /// `n` 64-bit words with edges, as [`Rng::words`].
    pub fn longs(&mut self, n: usize) -> Vec<u64> {
        const EDGES: [u64; 10] = [0, 1, 63, 64, 0xffff_ffff, 1 << 32, 0x8000_0000, i64::MAX as u64, 1 << 63, u64::MAX];
        (0..n).map(|_| if self.below(4) == 0 { EDGES[self.below(10) as usize] } else { self.u64() }).collect()
    }

    /// `n` bytes of which one in four is 0, 0x7f, 0x80 or 0xff.
    pub fn edge_bytes(&mut self, n: usize) -> Vec<u8> {
        (0..n)
            .map(|_| if self.below(4) == 0 { [0, 0x7f, 0x80, 0xff][self.below(4) as usize] } else { self.u64() as u8 })
            .collect()
    }

    /// A finite f32 of moderate size: 24 random bits of significand, exponent in `[-6, 6]`, either sign.
    pub fn float(&mut self) -> f32 {
        let exponent = 127 - 6 + self.below(13);
        f32::from_bits((self.u32() & 0x807f_ffff) | (exponent << 23))
    }

    pub fn floats(&mut self, n: usize) -> Vec<f32> {
        (0..n).map(|_| self.float()).collect()
    }

    /// Floats of which one in three is an edge: zeros, infinities, NaNs, subnormals, the extremes.
    pub fn edge_floats(&mut self, n: usize) -> Vec<f32> {
        const EDGES: [u32; 16] = [
            0x0000_0000,
            0x8000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffc1_2345,
            0x7f80_0001,
            0x0000_0001,
            0x8000_0001,
            0x007f_ffff,
            0x807f_ffff,
            0x0080_0000,
            0x7f7f_ffff,
            0xff7f_ffff,
            0x3f80_0000,
            0xbf80_0000,
        ];
        (0..n)
            .map(|_| if self.below(3) == 0 { f32::from_bits(EDGES[self.below(16) as usize]) } else { self.float() })
            .collect()
    }
}

#[test]
fn splitmix64_matches_the_published_sequence() {
    // First outputs for seed 1234567, as printed with the reference implementation (prng.di.unimi.it/splitmix64.c).
    let mut rng = Rng(1_234_567);
    assert_eq!([rng.u64(), rng.u64(), rng.u64()], [6457827717110365317, 3203168211198807973, 9817491932198370423]);
}
