//! `08_base64_hex.cu`: base64 and hexadecimal, against the `base64` crate and the standard library.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;
use base64::{Engine, engine::general_purpose::STANDARD};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("base64_hex");
        let n_arg = n as i32;

        let raw = rng.edge_bytes(3 * len);
        let old = rng.bytes(4 * len);
        let text = spliced(&old, STANDARD.encode(&raw[..3 * n]).as_bytes());
        for kernel in ["base64_encode", "base64_encode_lut"] {
            cases.push(shape.case(kernel).read(&raw).write(&old, &text).val(n_arg));
        }

        let encoded = STANDARD.encode(&raw).into_bytes();
        let old = rng.bytes(3 * len);
        let decoded = spliced(&old, &raw[..3 * n]);
        cases.push(shape.case("base64_decode").read(&encoded).write(&old, &decoded).write(&[0], &[0]).val(n_arg));

        // Groups with a character that is no base64 digit: they set the flag and write nothing.
        if n > 2 {
            let mut damaged = encoded.clone();
            for (k, bad) in [(0, b'='), (4 * (n / 2) + 1, b'-'), (4 * (n - 1) + 3, 0xff)] {
                damaged[k] = bad;
            }
            let mut partial = old.clone();
            for group in 0..n {
                if let Ok(bytes) = STANDARD.decode(&damaged[4 * group..4 * group + 4]) {
                    partial[3 * group..3 * group + 3].copy_from_slice(&bytes);
                }
            }
            let case = shape.case("base64_decode").note("damaged").read(&damaged).write(&old, &partial);
            cases.push(case.write(&[0], &[1]).val(n_arg));
        }

        // A 16-bit item is two bytes; its text is four characters.
        let raw = rng.edge_bytes(2 * len);
        let digits: String = raw[..2 * n].iter().map(|b| format!("{b:02x}")).collect();
        let old = rng.bytes(4 * len);
        cases.push(shape.case("hex_encode").read(&raw).write(&old, &spliced(&old, digits.as_bytes())).val(n_arg));

        let raw = rng.edge_bytes(len);
        let digits: String = raw
            .iter()
            .enumerate()
            .map(|(i, b)| if i % 2 == 0 { format!("{b:02x}") } else { format!("{b:02X}") })
            .collect();
        let old = rng.bytes(len);
        cases.push(shape.case("hex_decode").read(digits.as_bytes()).write(&old, &spliced(&old, &raw[..n])).val(n_arg));
    }
    cases
}

/// `old` with its beginning replaced.
fn spliced(old: &[u8], new: &[u8]) -> Vec<u8> {
    [new, &old[new.len()..]].concat()
}

#[test]
fn base64_matches_rfc_4648() {
    assert_eq!(STANDARD.encode("foobar"), "Zm9vYmFy");
    assert_eq!(STANDARD.decode("Zm9v").unwrap(), b"foo");
    assert!(STANDARD.decode("Zm-v").is_err());
}
