//! Any text is formatted without loss, or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &str| warp2wave::fuzz::format(source));
