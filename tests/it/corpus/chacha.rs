//! `14_chacha20.cu`: ChaCha20 (RFC 8439) against the `chacha20` crate.

use super::case::{Case, FEW_SHAPES, Ptx};
use super::rng::Rng;
use chacha20::ChaCha20;
use chacha20::cipher::{KeyIvInit, StreamCipher, StreamCipherSeek};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("chacha20");
        let (key, nonce) = (rng.bytes(32), rng.bytes(12));
        let counter = 0x7fff_fff0;
        let before = rng.bytes(64 * len);
        let mut after = before.clone();
        cipher(&key, &nonce, counter, &mut after[..64 * n]);
        let case = shape.case("chacha20_xor").write(&before, &after).read(&key).read(&nonce);
        cases.push(case.val(counter).val(n as i32));
    }
    for (grid, block) in [(1, 32), (1, 20), (2, 64), (1, 96)] {
        let rng = &mut Rng::of("chacha20 of four lanes");
        let blocks = (grid * block / 4) as usize;
        let (mut states, mut after) = (vec![], vec![]);
        for _ in 0..blocks {
            let (key, nonce, counter) = (rng.bytes(32), rng.bytes(12), rng.u32());
            states.extend(b"expand 32-byte k".iter().chain(&key).copied());
            states.extend(counter.to_le_bytes().iter().chain(&nonce).copied());
            let mut block = vec![0; 64];
            cipher(&key, &nonce, counter, &mut block);
            after.extend(block);
        }
        let case = Case::new("chacha20_block_4lanes", grid, block).read(&states);
        cases.push(case.write(&vec![0u8; after.len()], &after));
    }
    cases
}

/// Encrypts `data` with the keystream from block `counter` on.
fn cipher(key: &[u8], nonce: &[u8], counter: u32, data: &mut [u8]) {
    let mut cipher = ChaCha20::new_from_slices(key, nonce).expect("a key of 32 and a nonce of 12 bytes");
    cipher.seek(64 * u64::from(counter));
    cipher.apply_keystream(data);
}

#[test]
fn keystream_matches_rfc_8439() {
    // Section 2.3.2: the block with counter 1.
    let key: Vec<u8> = (0..32).collect();
    let nonce = [0, 0, 0, 9, 0, 0, 0, 0x4a, 0, 0, 0, 0];
    let mut data = [0; 16];
    cipher(&key, &nonce, 1, &mut data);
    assert_eq!(u128::from_be_bytes(data), 0x10f1_e7e4_d13b_5915_500f_dd1f_a320_71c4);
}
