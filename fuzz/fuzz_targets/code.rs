//! Any words decode or are refused, on every target, and what decodes encodes to the same words; executed, they end or fault.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::code(bytes));
