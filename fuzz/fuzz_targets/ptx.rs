//! Any text parses or is refused; what parses prints and formats to text that parses to the same tree.
#![no_main]

libfuzzer_sys::fuzz_target!(|source: &str| warp2wave::fuzz::ptx(source));
