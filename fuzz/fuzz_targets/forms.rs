//! A module made from the forms at random is read and printed; damaged, it is refused or read.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::forms(bytes));
