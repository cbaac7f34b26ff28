//! `15_aes_ttable.cu`: AES-128 in ECB mode against the `aes` crate, and doubling in GF(2^8).

use super::case::{Case, FEW_SHAPES, Ptx, SHAPES, words_of};
use super::rng::Rng;
use aes::Aes128;
use aes::cipher::{BlockCipherEncrypt, KeyInit};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("aes");
        let key = rng.bytes(16);
        let blocks = rng.bytes(16 * len);
        let old = rng.bytes(16 * len);
        let mut after = old.clone();
        after[..16 * n].copy_from_slice(&encrypt(&key, &blocks[..16 * n]));
        let case = shape.case("aes128_ecb").read(&t_table()).read(&round_keys(&key)).read(&blocks);
        cases.push(case.write(&old, &after).val(n as i32));
    }
    for shape in SHAPES {
        let before = Rng::of("xtime").edge_bytes(4 * shape.len());
        let mut after = before.clone();
        for byte in &mut after[..4 * shape.n] {
            *byte = double(*byte);
        }
        cases.push(shape.case("xtime_packed").write(&before, &after).val(shape.n as i32));
    }
    cases
}

fn encrypt(key: &[u8], blocks: &[u8]) -> Vec<u8> {
    let cipher = Aes128::new_from_slice(key).expect("a key of 16 bytes");
    let mut out = blocks.to_vec();
    for block in out.chunks_mut(16) {
        cipher.encrypt_block(block.try_into().expect("a block of 16 bytes"));
    }
    out
}

/// FIPS 197, 4.2.1: the product with {02} modulo x^8 + x^4 + x^3 + x + 1.
fn double(x: u8) -> u8 {
    (x << 1) ^ if x & 0x80 != 0 { 0x1b } else { 0 }
}

fn product(a: u8, b: u8) -> u8 {
    let (mut power, mut sum) = (a, 0);
    for bit in 0..8 {
        if b >> bit & 1 == 1 {
            sum ^= power;
        }
        power = double(power);
    }
    sum
}

/// FIPS 197, 5.1.1: the multiplicative inverse (the 254th power), then the affine map.
fn s_box(x: u8) -> u8 {
    let inverse = (0..254).fold(1, |power, _| product(power, x));
    (0..5).fold(0x63, |sum, by| sum ^ inverse.rotate_left(by))
}

/// One column of SubBytes and MixColumns: the bytes 2 S(x), S(x), S(x), 3 S(x), lowest first.
fn t_table() -> Vec<u32> {
    let column = |x: u8| {
        let s = s_box(x);
        u32::from_le_bytes([double(s), s, s, double(s) ^ s])
    };
    (0..=255).map(column).collect()
}

/// FIPS 197, 5.2: the 44 words of the key schedule, each with its first byte lowest.
fn round_keys(key: &[u8]) -> Vec<u32> {
    let mut words = words_of(key);
    let mut rcon = 1;
    for i in 4..44 {
        let mut word = words[i - 1];
        if i % 4 == 0 {
            word = u32::from_le_bytes(word.rotate_right(8).to_le_bytes().map(s_box)) ^ u32::from(rcon);
            rcon = double(rcon);
        }
        words.push(words[i - 4] ^ word);
    }
    words
}

#[test]
fn inputs_and_cipher_match_fips_197() {
    assert_eq!((s_box(0), s_box(0x53), s_box(0xff)), (0x63, 0xed, 0x16));
    // Appendix A.1: the last word of the expanded key.
    let key = 0x2b7e_1516_28ae_d2a6_abf7_1588_09cf_4f3c_u128.to_be_bytes();
    assert_eq!(round_keys(&key)[43].swap_bytes(), 0xb663_0ca6);
    // Appendix B.
    let cipher = encrypt(&key, &0x3243_f6a8_885a_308d_3131_98a2_e037_0734_u128.to_be_bytes());
    assert_eq!(cipher, 0x3925_841d_02dc_09fb_dc11_8597_196a_0b32_u128.to_be_bytes());
}
