//! `11_xxhash.cu`: xxHash against `xxhash-rust`, SipHash against the standard library, MurmurHash3 and FNV-1a.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;
use xxhash_rust::{xxh32::xxh32, xxh64::xxh64};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("xxhash");
        let n_arg = n as i32;
        let seed = rng.u32();

        for words in [0, 3, 4, 11] {
            let data = rng.bytes(4 * words * len + 1);
            let old = rng.words(len);
            for (kernel, hash) in [("xxh32_rows", xxh32 as fn(&[u8], u32) -> u32), ("murmur3_32", murmur3)] {
                let after = rows(&old, n, |i| hash(&data[4 * words * i..4 * words * (i + 1)], seed));
                let case = shape.case(kernel).note(format!("{words} words")).read(&data).write(&old, &after);
                cases.push(case.val(words as i32).val(seed).val(n_arg));
            }
        }

        let (keys, old) = (rng.longs(len), rng.longs(len));
        let seed = rng.u64();
        let after = rows(&old, n, |i| xxh64(&keys[i].to_le_bytes(), seed));
        cases.push(shape.case("xxh64_keys").read(&keys).write(&old, &after).val(seed).val(n_arg));

        let (k0, k1) = (rng.u64(), rng.u64());
        let after = rows(&old, n, |i| siphash(k0, k1, &keys[i].to_le_bytes()));
        cases.push(shape.case("siphash24").read(&keys).write(&old, &after).val(k0).val(k1).val(n_arg));

        for length in [0, 9] {
            let data = rng.bytes(length * len + 1);
            let after = rows(&old, n, |i| fnv1a(&data[length * i..length * (i + 1)]));
            let case = shape.case("fnv1a64").note(format!("{length} bytes")).read(&data).write(&old, &after);
            cases.push(case.val(length as i32).val(n_arg));
        }
    }
    cases
}

fn rows<T: Copy>(old: &[T], n: usize, item: impl Fn(usize) -> T) -> Vec<T> {
    (0..old.len()).map(|i| if i < n { item(i) } else { old[i] }).collect()
}

/// MurmurHash3_x86_32 (Appleby) of whole words.
fn murmur3(data: &[u8], seed: u32) -> u32 {
    let mut hash = seed;
    for word in super::case::words_of(data) {
        let k = word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593);
        hash = (hash ^ k).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64);
    }
    hash ^= data.len() as u32;
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}

/// FNV-1a, 64 bits (draft-eastlake-fnv).
fn fnv1a(data: &[u8]) -> u64 {
    data.iter().fold(0xcbf2_9ce4_8422_2325, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x100_0000_01b3))
}

/// SipHash-2-4: the standard library still carries it under its old name.
#[allow(deprecated)]
fn siphash(k0: u64, k1: u64, data: &[u8]) -> u64 {
    use std::hash::{Hasher, SipHasher};
    let mut hasher = SipHasher::new_with_keys(k0, k1);
    hasher.write(data);
    hasher.finish()
}

#[test]
fn hashes_of_known_inputs() {
    assert_eq!(xxh32(b"", 0), 0x02cc_5d05);
    assert_eq!(xxh64(b"", 0), 0xef46_db37_51d8_e999);
    assert_eq!((murmur3(b"", 1), murmur3(b"test", 0x9747_b28c)), (0x514e_28b7, 0x704b_81dc));
    assert_eq!((fnv1a(b"a"), fnv1a(b"foobar")), (0xaf63_dc4c_8601_ec8c, 0x8594_4171_f739_67e8));
    // The vector of the SipHash paper's appendix: key 00..0f, message 00..0e.
    let message: Vec<u8> = (0..15).collect();
    assert_eq!(siphash(0x0706_0504_0302_0100, 0x0f0e_0d0c_0b0a_0908, &message), 0xa129_ca61_49be_45e5);
}
