//! Any text is interpreted, faults or is refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &str| warp2wave::fuzz::eval(source));
