//! `17_keccak.cu`: Keccak-256 against `sha3`, and the permutation Keccak-f\[1600\].

use super::case::{Case, FEW_SHAPES, Ptx};
use super::rng::Rng;
use sha3::{Digest, Keccak256};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("keccak");
        let messages = rng.bytes(32 * len);
        let old = rng.bytes(32 * len);
        let mut after = old.clone();
        for (message, digest) in messages.chunks(32).zip(after.chunks_mut(32)).take(n) {
            digest.copy_from_slice(&Keccak256::digest(message));
        }
        cases.push(shape.case("keccak256_32B").read(&messages).write(&old, &after).val(n as i32));

        let before = rng.longs(25 * len);
        let mut after = before.clone();
        for state in after.chunks_mut(25).take(n) {
            permute(state);
        }
        cases.push(shape.case("keccak_f1600").write(&before, &after).val(n as i32));
    }
    cases
}

/// FIPS 202, section 3.3, with lane (x, y) at `5 * y + x`; offsets and constants are computed as the standard defines them.
fn permute(a: &mut [u64]) {
    let mut lfsr = 1u8;
    for _ in 0..24 {
        // Theta.
        let parity: Vec<u64> = (0..5).map(|x| (0..5).fold(0, |sum, y| sum ^ a[5 * y + x])).collect();
        for (i, lane) in a.iter_mut().enumerate() {
            *lane ^= parity[(i + 4) % 5] ^ parity[(i + 1) % 5].rotate_left(1);
        }
        // Rho and pi: lane (x, y) turns by its offset and moves to (y, 2x + 3y).
        let old = a.to_vec();
        let (mut x, mut y) = (1, 0);
        for t in 0..24 {
            let target = (y, (2 * x + 3 * y) % 5);
            a[5 * target.1 + target.0] = old[5 * y + x].rotate_left((t + 1) * (t + 2) / 2 % 64);
            (x, y) = target;
        }
        // Chi.
        for row in a.chunks_mut(5) {
            let old = row.to_vec();
            for x in 0..5 {
                row[x] = old[x] ^ (!old[(x + 1) % 5] & old[(x + 2) % 5]);
            }
        }
        // Iota: bits 2^j - 1 of the constant come from an LFSR over x^8 + x^6 + x^5 + x^4 + 1.
        for j in 0..7 {
            a[0] ^= u64::from(lfsr & 1) << ((1 << j) - 1);
            lfsr = (lfsr << 1) ^ if lfsr & 0x80 != 0 { 0x71 } else { 0 };
        }
    }
}

#[test]
fn permutation_agrees_with_the_crate_and_the_known_digest() {
    let digest: String = Keccak256::digest(b"").iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digest, "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");

    // One block of Keccak-256: 136 bytes of rate, padded with 0x01 .. 0x80.
    let message = Rng::of("sponge").bytes(32);
    let mut block = [0u8; 200];
    block[..32].copy_from_slice(&message);
    (block[32], block[135]) = (0x01, 0x80);
    let mut state: Vec<u64> = block.as_chunks().0.iter().map(|lane| u64::from_le_bytes(*lane)).collect();
    permute(&mut state);
    let bytes: Vec<u8> = state[..4].iter().flat_map(|lane| lane.to_le_bytes()).collect();
    assert_eq!(bytes, Keccak256::digest(&message).to_vec());
}
