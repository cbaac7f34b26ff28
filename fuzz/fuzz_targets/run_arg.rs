//! Any text is an argument of `run`, or a mistake with a place.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| warp2wave::fuzz::run_arg(text));
