//! Any bytes are a code object or are refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::object(bytes));
