//! `16_md5.cu`: MD5 of messages of up to 55 bytes against `md-5`.

use super::case::{Case, FEW_SHAPES, Ptx};
use super::rng::Rng;
use md5::{Digest, Md5};

pub fn cases(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in FEW_SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("md5");
        let old = rng.bytes(16 * len);
        let (mut blocks, mut lengths, mut after) = (vec![], vec![], old.clone());
        for i in 0..len {
            let length = match i {
                0 => 0,
                1 => 55,
                _ => rng.below(56),
            };
            let message = rng.bytes(length as usize);
            if i < n {
                after[16 * i..16 * i + 16].copy_from_slice(&Md5::digest(&message));
            }
            // The host pads; the kernel writes the length into the last two words, which hold noise until then.
            let mut block = message;
            block.push(0x80);
            block.resize(56, 0);
            block.extend(rng.bytes(8));
            blocks.extend(block);
            lengths.push(length);
        }
        cases.push(shape.case("md5_55B").read(&blocks).read(&lengths).write(&old, &after).val(n as i32));
    }
    cases
}

#[test]
fn md5_matches_rfc_1321() {
    let digest: String = Md5::digest(b"abc").iter().map(|b| format!("{b:02x}")).collect();
    assert_eq!(digest, "900150983cd24fb0d6963f7d28e17f72");
}
