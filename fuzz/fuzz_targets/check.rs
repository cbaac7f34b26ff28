//! Any text is checked, with the verdict of its translation.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &str| warp2wave::fuzz::check(source));
