//! The command line: arguments, files, printing, exit codes. All work is the library's.

#![forbid(unsafe_code)]

mod cli;

use std::process::ExitCode;

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::main()
}
