//! Any bytes are an offload bundle or are refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::bundle(bytes));
