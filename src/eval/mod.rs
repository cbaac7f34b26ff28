//! Interprets PTX: the tree itself, thread by thread, as the PTX ISA describes it.
//!
//! It shares nothing with the translator: not its IR, not its semantics of instructions, and what it executes has never
//! seen an optimisation. `verify` compares the two; the sanitizer stands on it. `docs/eval.md` says what is modelled.

mod code;
mod decode;
mod fault;
mod float;
mod int;
mod machine;
mod meet;
mod memory;
mod sanitize;
mod step;
mod thread;
mod watch;
mod words;

pub use code::{Access, Function, Inst, Param, Program};
pub use fault::{Fault, FaultKind, Other};
pub use machine::{Arg, Launch, Options, Outcome, launch_watched};
pub use sanitize::sanitize;
pub use watch::{Place, Touch, Watch, Who};

use watch::Nobody;

/// Executes a launch of a decoded kernel.
pub fn launch(program: &Program, launch: &Launch) -> Result<Outcome, Box<Fault>> {
    machine::launch_watched(program, launch, &mut Nobody)
}
