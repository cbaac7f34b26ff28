//! Any bytes are a code object or a bundle, or are refused; an object is disassembled and run.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::object(bytes));
