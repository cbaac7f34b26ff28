//! Bodies of the fuzz targets: `fuzz/` calls them for ever, the tests for a moment. Each panics on a finding.

use crate::amd::{self, Target};
use crate::{Options, object, ptx};

/// Inputs longer than this only slow a fuzzer down.
const LIMIT_BYTES: usize = 1 << 16;

/// Any text parses or is refused; what parses prints to text that parses to an equal tree.
pub fn ptx(source: &str) {
    let (tree, diags) = ptx::parse(source);
    if diags.iter().any(crate::diag::Diag::is_fatal) {
        for diag in &diags {
            crate::diag::render_human(diag, "fuzz.ptx", source, false);
        }
        return;
    }
    let text = ptx::print(&tree);
    let (again, diags) = ptx::parse(&text);
    assert!(!diags.iter().any(crate::diag::Diag::is_fatal), "the printed text does not parse: {diags:?}\n{text}");
    assert_eq!(ptx::print(&again), text, "printing is not stable");
}

/// Any bytes are a code object or are refused.
pub fn object(bytes: &[u8]) {
    if let Ok(object) = object::read(bytes) {
        for kernel in &object.kernels {
            object.image(kernel.entry_address, kernel.code_bytes.min(1 << 20));
        }
    }
}

/// Any words decode or are refused, on every target.
pub fn decode(bytes: &[u8]) {
    let words: Vec<u32> =
        bytes.chunks_exact(4).take(64).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    for target in Target::all() {
        if let Ok((inst, dwords)) = amd::decode(&words, &target) {
            assert!(dwords >= 1 && dwords <= words.len());
            amd::asm::print(&inst, &target);
            // Unused bits of a word need not survive, but what we write must read back the same.
            if let Ok(encoded) = amd::encode(&inst, &target) {
                let again = amd::decode(&encoded, &target).map(|(i, _)| i);
                assert_eq!(again.as_ref().ok(), Some(&inst), "{target}");
            }
        }
    }
}

/// Any text is translated or refused.
pub fn translate(source: &str) {
    if source.len() > LIMIT_BYTES {
        return;
    }
    for name in ["gfx1100", "gfx942"] {
        if let Ok(target) = Target::parse(name) {
            let _ = crate::translate(source, &Options::new(target));
        }
    }
}
