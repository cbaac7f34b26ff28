//! Translates NVIDIA PTX kernels to loadable AMD GPU code objects, offline and without LLVM, and runs them on a CPU.
//!
//! The modules below are the stages, in the order of `docs/design.md`. They are visible for the project's own tests and
//! tools; the promise to users is what this page re-exports by name.

#![forbid(unsafe_code)]

#[doc(hidden)]
pub mod alloc;
#[doc(hidden)]
pub mod amd;
pub mod container;
pub mod coverage;
pub mod diag;
#[doc(hidden)]
pub mod disasm;
#[doc(hidden)]
pub mod emu;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod exec;
#[doc(hidden)]
pub mod explain;
#[doc(hidden)]
pub mod finish;
#[doc(hidden)]
pub mod fuzz;
#[doc(hidden)]
pub mod generate;
#[doc(hidden)]
pub mod graph;
pub mod id;
#[doc(hidden)]
pub mod ir;
#[doc(hidden)]
pub mod isel;
#[doc(hidden)]
pub mod lift;
#[doc(hidden)]
pub mod mir;
#[doc(hidden)]
pub mod object;
#[doc(hidden)]
pub mod opt;
pub mod options;
#[doc(hidden)]
pub mod pipeline;
#[doc(hidden)]
pub mod provenance;
#[doc(hidden)]
pub mod ptx;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod verify;

pub use options::{CodeObject, Debug, Options};
pub use pipeline::{translate, translate_bundle};
