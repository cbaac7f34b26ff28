//! `13_blake.cu`: BLAKE2s of one block against `blake2`, and the BLAKE3 compression function.

use super::case::{Case, FEW_SHAPES, Ptx, words_of};
use super::rng::Rng;
use blake2::{Blake2s256, Digest};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("blake");
        let messages = rng.bytes(64 * len);
        let old = rng.bytes(32 * len);
        let mut after = old.clone();
        for (message, digest) in messages.chunks(64).zip(after.chunks_mut(32)).take(n) {
            digest.copy_from_slice(&Blake2s256::digest(message));
        }
        cases.push(shape.case("blake2s_64B").read(&messages).write(&old, &after).val(n as i32));

        let chaining = rng.words(8 * len);
        let blocks = rng.words(16 * len);
        let (counter, flags) = (rng.u64(), rng.u32());
        let before = rng.words(8 * len);
        let mut after = before.clone();
        for i in 0..n {
            let out = compress(&chaining[8 * i..8 * i + 8], &blocks[16 * i..16 * i + 16], counter, 64, flags);
            after[8 * i..8 * i + 8].copy_from_slice(&out);
        }
        let case = shape.case("blake3_compress").read(&chaining).read(&blocks).write(&before, &after);
        cases.push(case.val(counter).val(flags).val(n as i32));
    }
    cases
}

const IV: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// The BLAKE3 paper, section 2.2, truncated to the first eight words of output.
fn compress(chaining: &[u32], block: &[u32], counter: u64, length: u32, flags: u32) -> [u32; 8] {
    // After a round, word k of the message is what word PERMUTE[k] was.
    const PERMUTE: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
    let mut state = [chaining, &IV[..4], &[counter as u32, (counter >> 32) as u32, length, flags]].concat();
    let mut order: [usize; 16] = std::array::from_fn(|k| k);
    for _ in 0..7 {
        for step in 0..8 {
            // Four columns, then four diagonals.
            let shift = if step < 4 { 0 } else { 1 };
            let at = std::array::from_fn(|row| 4 * row + (step + shift * row) % 4);
            mix(&mut state, at, block[order[2 * step]], block[order[2 * step + 1]]);
        }
        order = PERMUTE.map(|k| order[k]);
    }
    std::array::from_fn(|k| state[k] ^ state[k + 8])
}

fn mix(state: &mut [u32], [a, b, c, d]: [usize; 4], x: u32, y: u32) {
    for (word, by_d, by_b) in [(x, 16, 12), (y, 8, 7)] {
        state[a] = state[a].wrapping_add(state[b]).wrapping_add(word);
        state[d] = (state[d] ^ state[a]).rotate_right(by_d);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_right(by_b);
    }
}

#[test]
fn digests_of_known_messages() {
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    // RFC 7693, appendix B.
    let abc = Blake2s256::digest(b"abc");
    assert_eq!(hex(&abc), "508c5e8c327c14e2e1a72ba34eeb452f37458b209ed63a294d999b4c86675982");

    // BLAKE3's test vectors: the empty input, and 64 bytes counting up. Flags: chunk start, chunk end, root.
    let root = |block: &[u32], length| {
        let words = compress(&IV, block, 0, length, 1 | 2 | 8);
        hex(&words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>())
    };
    assert_eq!(root(&[0; 16], 0), "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
    let counting: Vec<u8> = (0..64).collect();
    assert_eq!(root(&words_of(&counting), 64), "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98");
}
