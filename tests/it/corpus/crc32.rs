//! `10_crc32.cu`: CRC-32 against `crc32fast`; Adler-32.

use super::case::{Case, FEW_SHAPES, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("crc32");
        let n_arg = n as i32;

        // Rows of 0 to 11 bytes, given by offsets.
        let mut offsets = vec![0i32];
        for _ in 0..len {
            offsets.push(offsets[offsets.len() - 1] + rng.between(0, 11));
        }
        let data = rng.bytes(offsets[len] as usize + 1);
        let old = rng.words(len);
        let after = rows(&old, n, |i| crc32fast::hash(&data[offsets[i] as usize..offsets[i + 1] as usize]));
        cases.push(shape.case("crc32_bitwise").read(&data).read(&offsets).write(&old, &after).val(n_arg));

        for words in [1, 7] {
            let data = rng.bytes(4 * words * len);
            let after = rows(&old, n, |i| crc32fast::hash(&data[4 * words * i..4 * words * (i + 1)]));
            let case = shape.case("crc32_slice4").note(format!("{words} words")).read(&data).write(&old, &after);
            let case = case.val(words as i32).val(n_arg);
            // The host program fills the table; here the module is given its contents.
            let bytes: Vec<String> =
                table().iter().flatten().flat_map(|w| w.to_le_bytes()).map(|b| b.to_string()).collect();
            cases.push(case.edit("crc_tab[4096];", format!("crc_tab[4096] = {{{}}};", bytes.join(", "))));

            // As it stands the table is zero, and only the last xor is left.
            let after = rows(&old, n, |_| !0);
            let case = shape.case("crc32_slice4").note("zero table").read(&data).write(&old, &after);
            cases.push(case.val(words as i32).val(n_arg));
        }
    }
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("checksums");
        for length in [0, 1, 30] {
            let data = rng.edge_bytes(length * len + 1);
            let old = rng.words(len);
            let row = |i: usize| &data[length * i..length * (i + 1)];
            for (kernel, hash) in [("crc32_shared_table", crc32fast::hash as fn(&[u8]) -> u32), ("adler32", adler32)] {
                let after = rows(&old, n, |i| hash(row(i)));
                let case = shape.case(kernel).note(format!("{length} bytes")).read(&data).write(&old, &after);
                cases.push(case.val(length as i32).val(n as i32));
            }
        }
    }
    cases
}

fn rows(old: &[u32], n: usize, item: impl Fn(usize) -> u32) -> Vec<u32> {
    (0..old.len()).map(|i| if i < n { item(i) } else { old[i] }).collect()
}

/// The slicing tables: `table()[k][b]` is the remainder of byte `b` followed by `k` zero bytes.
fn table() -> [[u32; 256]; 4] {
    let mut tables = [[0; 256]; 4];
    for byte in 0..256 {
        let mut remainder = byte as u32;
        for table in &mut tables {
            for _ in 0..8 {
                remainder = if remainder & 1 == 1 { remainder >> 1 ^ 0xedb8_8320 } else { remainder >> 1 };
            }
            table[byte] = remainder;
        }
    }
    tables
}

/// RFC 1950, section 8.2.
fn adler32(data: &[u8]) -> u32 {
    let (mut a, mut b) = (1, 0);
    for &byte in data {
        a = (a + u32::from(byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

#[test]
fn checksums_of_known_texts() {
    assert_eq!(crc32fast::hash(b"123456789"), 0xcbf4_3926);
    assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
    assert_eq!(table()[0][1], 0x7707_3096);
    // Two bytes at once equal one after the other.
    assert_eq!(table()[1][0x80], table()[0][(table()[0][0x80] & 255) as usize] ^ table()[0][0x80] >> 8);
}
