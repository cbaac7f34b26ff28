//! Any text is translated or refused.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &str| warp2wave::fuzz::translate(source));
