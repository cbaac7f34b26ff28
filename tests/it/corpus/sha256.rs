//! `12_sha256.cu`: SHA-256 of 64-byte messages and the double-SHA-256 nonce search, against `sha2`.

use super::case::{Case, FEW_SHAPES, Ptx, Want, to_bytes};
use super::rng::Rng;
use sha2::{Digest, Sha256};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("sha256");
        let messages = rng.bytes(64 * len);
        let old = rng.bytes(32 * len);
        let mut after = old.clone();
        for (message, digest) in messages.chunks(64).zip(after.chunks_mut(32)).take(n) {
            digest.copy_from_slice(&Sha256::digest(message));
        }
        cases.push(shape.case("sha256_64B").read(&messages).write(&old, &after).val(n as i32));
    }
    for (grid, block, start) in [(1, 32, 0), (2, 40, 0xffff_fff0)] {
        cases.push(search(grid, block, start));
    }
    cases
}

/// A search over `grid * block` nonces, with a target that about one in eight meets.
fn search(grid: u32, block: u32, start: u32) -> Case {
    let rng = &mut Rng::of("search");
    let header = rng.bytes(76);
    let target = u32::MAX / 8;
    let hits = (0..grid * block).map(|k| start.wrapping_add(k)).filter(|nonce| {
        let message = [&header[..], &nonce.to_le_bytes()[..]].concat();
        let digest = Sha256::digest(Sha256::digest(message));
        u32::from_le_bytes([digest[28], digest[29], digest[30], digest[31]]) <= target
    });
    let hits: Vec<u32> = hits.collect();
    assert!((1..16).contains(&hits.len()), "{} hits: a search must find some and keep all", hits.len());

    let before = vec![0u32; 16];
    let mut found = before.clone();
    found[0] = hits.len() as u32;
    found[1..=hits.len()].copy_from_slice(&hits);

    let mut mid = START;
    compress(&mut mid, &words_be(&header[..64]));
    let tail = words_be(&header[64..]);
    let case = Case::new("sha256d_search", grid, block).read(&mid).val(tail[0]).val(tail[1]).val(tail[2]);
    case.val(start).val(target).buffer(to_bytes(&before), Want::Claimed(found))
}

fn words_be(bytes: &[u8]) -> Vec<u32> {
    bytes.chunks(4).map(|c| u32::from_be_bytes([c[0], c[1], c[2], c[3]])).collect()
}

/// FIPS 180-4, 5.3.3: the first 32 bits of the fractional parts of the square roots of the first eight primes.
const START: [u32; 8] =
    [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];

/// FIPS 180-4, 6.2.2. The crate does not show its state between blocks by name, and the search starts from one.
fn compress(state: &mut [u32; 8], block: &[u32]) {
    let mut w = block.to_vec();
    for t in 16..64 {
        let (x, y) = (w[t - 15], w[t - 2]);
        let s0 = x.rotate_right(7) ^ x.rotate_right(18) ^ x >> 3;
        let s1 = y.rotate_right(17) ^ y.rotate_right(19) ^ y >> 10;
        w.push(s1.wrapping_add(w[t - 7]).wrapping_add(s0).wrapping_add(w[t - 16]));
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (k, w) in round_constants().into_iter().zip(w) {
        let s1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let t1 = h.wrapping_add(s1).wrapping_add(e & f ^ !e & g).wrapping_add(k).wrapping_add(w);
        let s0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let t2 = s0.wrapping_add(a & b ^ a & c ^ b & c);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(t1), c, b, a, t1.wrapping_add(t2));
    }
    for (word, sum) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *word = word.wrapping_add(sum);
    }
}

/// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
fn round_constants() -> Vec<u32> {
    let primes = (2u128..).filter(|n| (2..*n).take_while(|d| d * d <= *n).all(|d| n % d != 0)).take(64);
    // floor(cbrt(p) * 2^32) is the largest x with x^3 <= p * 2^96.
    let scaled_root = |p: u128| {
        let (mut low, mut high) = (0u128, 8u128 << 32);
        while high - low > 1 {
            let middle = (low + high) / 2;
            if middle * middle * middle <= p << 96 { low = middle } else { high = middle }
        }
        low
    };
    primes.map(|p| scaled_root(p) as u32).collect()
}

#[test]
fn compression_agrees_with_the_crate_and_the_standard() {
    assert_eq!(round_constants()[63], 0xc671_78f2);
    // FIPS 180-4 example: "abc".
    let digest: String = Sha256::digest(b"abc").iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digest, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");

    let message = Rng::of("compress").bytes(64);
    let mut padding = [0; 16];
    (padding[0], padding[15]) = (0x8000_0000, 512);
    let mut state = START;
    compress(&mut state, &words_be(&message));
    compress(&mut state, &padding);
    let bytes: Vec<u8> = state.iter().flat_map(|w| w.to_be_bytes()).collect();
    assert_eq!(bytes, Sha256::digest(&message).to_vec());
}
