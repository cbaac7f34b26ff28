//! A generated kernel computes what the interpreter says.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::verify(bytes));
