//! Any control flow gets masks and branches.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| warp2wave::fuzz::control_flow(bytes));
