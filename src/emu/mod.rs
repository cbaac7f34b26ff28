//! Runs code objects on the CPU: decodes their very bytes and executes a grid, wave by wave.
//!
//! Spec: the AMD ISA manuals for what instructions do, LLVM's "User Guide for AMDGPU Backend" for what a wave finds when it
//! starts (`ABI` sections: initial kernel execution state, kernarg segment, code object metadata). `docs/emu.md` lists what
//! is modelled, what is refused, and how a fault reads. It never sees the compiler's own structures: if it did, it would be
//! no judge of them.

mod access;
mod code;
mod control;
mod dispatch;
mod exec;
mod fault;
mod group;
mod lanes;
mod memory;
mod waits;
mod wave;

pub use dispatch::{Device, Executed, Module, Options, Stats, Traced};
pub use fault::{Fault, FaultKind, Space};
