//! The commands of `warp2wave`. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

mod args;
mod bundle;
mod check;
mod files;
mod fmt;
mod inspect;
mod manual;
mod progress;
mod report;
mod run;
mod translate;
mod verify;

use clap::Parser;
use std::process::ExitCode;

pub fn main() -> ExitCode {
    let args = match args::Args::try_parse() {
        Ok(args) => args,
        Err(err) => {
            // `--help` and `--version` are not failures; a closed pipe is nobody's fault.
            let _ = err.print();
            return ExitCode::from(if err.use_stderr() { 2 } else { 0 });
        }
    };
    let reporter = report::Reporter::new(args.message_format, args.color);
    let outcome = match &args.command {
        args::Command::Check(c) => check::check(c, &reporter),
        args::Command::Fmt(c) => fmt::fmt(c, &reporter),
        args::Command::TranslateFile(c) => translate::translate_files(c, &reporter),
        args::Command::Run(c) => run::run(c, &reporter),
        args::Command::Verify(c) => verify::verify(c, &reporter),
        args::Command::Disasm(c) => inspect::disasm(c),
        args::Command::Explain(c) => inspect::explain(c, &reporter),
        args::Command::Targets(c) => inspect::targets(c),
        args::Command::Completions(c) => manual::completions(c),
        args::Command::Man(c) => manual::man(c),
    };
    let code = match outcome {
        Ok(Outcome::Done) => ExitCode::SUCCESS,
        Ok(Outcome::Refused) => ExitCode::FAILURE,
        Err(err) => {
            if closed_pipe(&err) {
                return ExitCode::SUCCESS;
            }
            reporter.failure(&err);
            ExitCode::FAILURE
        }
    };
    reporter.finish();
    code
}

/// How a command ended when nothing went wrong with the machine: `Refused` has been reported.
pub enum Outcome {
    Done,
    Refused,
}

fn closed_pipe(err: &anyhow::Error) -> bool {
    err.chain().filter_map(|e| e.downcast_ref::<std::io::Error>()).any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
