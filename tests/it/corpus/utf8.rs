//! `09_utf8.cu`: validation, decoding and encoding of UTF-8, against the standard library.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("utf8");
        let n_arg = n as i32;

        for (what, bytes) in texts(rng, len) {
            let bad = flags(&bytes[..n]);
            let case = shape.case("utf8_validate").note(what).read(&bytes);
            cases.push(case.val(n_arg).write(&[0u32], &[bad]));
        }

        let chars: Vec<char> = (0..len).map(|_| any_char(rng)).collect();
        let text: String = chars.iter().collect();
        let starts: Vec<i32> = text.char_indices().map(|(at, _)| at as i32).collect();
        let old = rng.words(len);
        let after: Vec<u32> = (0..len).map(|i| if i < n { chars[i].into() } else { old[i] }).collect();
        cases.push(shape.case("utf8_decode").read(text.as_bytes()).read(&starts).write(&old, &after).val(n_arg));

        // One in four is no character: surrogates and values behind U+10FFFF are encoded all the same.
        let points: Vec<u32> = (0..len)
            .map(|i| if i % 4 == 3 { [0xd800, 0xdfff, 0x11_0000, 0x1f_ffff][i / 4 % 4] } else { any_char(rng).into() })
            .collect();
        let (old_text, old_len) = (rng.words(len), rng.bytes(len));
        let (mut text, mut lengths) = (old_text.clone(), old_len.clone());
        for i in 0..n {
            (text[i], lengths[i]) = encode(points[i]);
        }
        let case = shape.case("utf32_to_utf8").read(&points).write(&old_text, &text);
        cases.push(case.write(&old_len, &lengths).val(n_arg));

        let before = rng.bytes(4 * len);
        let mut after = before.clone();
        after[..4 * n].make_ascii_uppercase();
        cases.push(shape.case("ascii_upper_swar").write(&before, &after).val(n_arg));
    }
    // Whole warps; the text ends inside one.
    for (n, grid, block) in [(3, 1, 32), (64, 1, 64), (150, 2, 96), (1000, 1, 1024)] {
        let rng = &mut Rng::of("count");
        let words = rng.words(n);
        let heads = words.iter().flat_map(|w| w.to_le_bytes()).filter(|b| b & 0xc0 != 0x80).count() as u64;
        let case = Case::new("utf8_count", grid, block).note(format!("n {n}")).read(&words).val(n as i32);
        cases.push(case.write(&[7u64], &[7 + heads]));
    }
    cases
}

fn any_char(rng: &mut Rng) -> char {
    const EDGES: [char; 9] =
        ['\0', '\u{7f}', '\u{80}', '\u{7ff}', '\u{800}', '\u{ffff}', '\u{10000}', '\u{10ffff}', '{'];
    match rng.below(6) {
        0 => EDGES[rng.below(9) as usize],
        1 => char::from(rng.below(0x80) as u8),
        2 => char::from_u32(0x80 + rng.below(0x780)).unwrap_or('x'),
        3 => char::from_u32(0x800 + rng.below(0xf800)).unwrap_or('x'),
        _ => char::from_u32(0x1_0000 + rng.below(0x10_0000)).unwrap_or('x'),
    }
}

/// Byte strings of `len` bytes: well-formed text, text cut anywhere, text with one kind of damage, noise.
fn texts(rng: &mut Rng, len: usize) -> Vec<(&'static str, Vec<u8>)> {
    let text: String = (0..len).map(|_| any_char(rng)).collect();
    let mut cut = text.clone().into_bytes();
    cut.truncate(len);
    let ascii = vec![b'a'; len];
    let mut lead = ascii.clone();
    lead[len / 2] = 0xc1;
    let mut tail = ascii.clone();
    tail[len / 3] = 0x80;
    vec![("ascii", ascii), ("cut", cut), ("bad lead", lead), ("stray continuation", tail), ("noise", rng.bytes(len))]
}

/// The kernel's verdict over all bytes: 1 for a continuation byte that no lead byte covers, 2 for a byte that never
/// occurs, 4 for a lead byte whose continuation bytes are missing. (It does not look for overlong forms of three and
/// four bytes or for surrogates.)
fn flags(bytes: &[u8]) -> u32 {
    let is_tail = |byte: u8| (0x80..0xc0).contains(&byte);
    // The length that a lead byte announces; stray bytes announce 1.
    let announced = |byte: u8| match byte {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xff => 4,
        _ => 1,
    };
    let mut bad = 0;
    for (i, &byte) in bytes.iter().enumerate() {
        if is_tail(byte) {
            // The nearest byte before that is no continuation, looked for up to four back.
            let lead = (1..=4).take_while(|&back| back <= i).find(|&back| back == 4 || !is_tail(bytes[i - back]));
            if lead.is_none_or(|back| back >= announced(bytes[i - back])) {
                bad |= 1;
            }
        } else if matches!(byte, 0xc0 | 0xc1 | 0xf5..=0xff) {
            bad |= 2;
        } else if byte >= 0xc2 {
            let missing = (1..announced(byte)).any(|k| bytes.get(i + k).is_none_or(|&next| !is_tail(next)));
            bad |= if missing { 4 } else { 0 };
        }
    }
    bad
}

/// The bytes of a code point as a little-endian word, and their number.
fn encode(point: u32) -> (u32, u8) {
    let mut bytes = [0; 4];
    let length = match char::from_u32(point) {
        Some(c) => c.encode_utf8(&mut bytes).len(),
        None => {
            let tail = |shift: u32| 0x80 | (point >> shift & 63) as u8;
            if point < 0x1_0000 {
                bytes[..3].copy_from_slice(&[0xe0 | (point >> 12) as u8, tail(6), tail(0)]);
                3
            } else {
                bytes = [0xf0 | (point >> 18) as u8, tail(12), tail(6), tail(0)];
                4
            }
        }
    };
    (u32::from_le_bytes(bytes), length as u8)
}

#[test]
fn flags_agree_with_the_standard_library() {
    let rng = &mut Rng::of("flags");
    for _ in 0..2000 {
        let count = rng.below(12) as usize;
        let mut bytes = (0..count).map(|_| any_char(rng)).collect::<String>().into_bytes();
        assert_eq!(flags(&bytes), 0);
        bytes.truncate(rng.below(bytes.len() as u32 + 1) as usize);
        assert_eq!(flags(&bytes) == 0, std::str::from_utf8(&bytes).is_ok(), "{bytes:x?}");
    }
    assert_eq!((flags(b"a\x80"), flags(b"\xc1a"), flags(b"\xe2\x82"), flags(b"\x80\x80\x80\x80\x80")), (1, 2, 4, 1));
}

#[test]
fn encoding_of_known_points() {
    assert_eq!(encode(0x20ac), (0x00ac_82e2, 3));
    assert_eq!(encode(0xd800), (0x0080_a0ed, 3));
}
