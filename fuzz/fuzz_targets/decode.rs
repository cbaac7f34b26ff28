//! Any words decode or are refused, on every target; what decodes encodes to the same words.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::decode(bytes));
