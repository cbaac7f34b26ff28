//! IR to IR: what `lift` left plain becomes short.
//!
//! Each pass is a file with its contract on top, takes verified IR and leaves verified IR, and costs no more than n log n.
//! [`run`] is the order they go in; divisions are gone afterwards, and so is what does not contribute to a result.
//!
//! Not here: anything about a target.

pub mod byteperm;
pub mod cfg;
pub mod cse;
pub mod dce;
mod eval;
pub mod expand;
pub mod fold;
mod fold_bits;
mod fold_compare;
mod fold_rules;
mod known;
pub mod lanes;
pub mod local;
pub mod spaces;

use crate::id::EntityRef;
use crate::ir::dom::reverse_postorder;
use crate::ir::{self, Func, Kernel};

/// A pass by name.
pub type Pass = (&'static str, fn(&mut Func));

/// Every pass, in the order of [`run`].
pub const PASSES: &[Pass] = &[
    ("fold", fold::run),
    ("cfg", cfg::run),
    ("spaces", spaces::run),
    ("local", local::run),
    ("fold", fold::run),
    ("lanes", lanes::run),
    ("byteperm", byteperm::run),
    ("cse", cse::run),
    ("expand", expand::run),
    ("fold", fold::run),
    ("cfg", cfg::run),
    ("cse", cse::run),
    ("dce", dce::run),
];

/// Optimises a function and expands its divisions.
pub fn run(func: &mut Func) {
    for (name, pass) in PASSES {
        pass(func);
        debug_assert_eq!(ir::verify(func), Ok(()), "after {name}");
    }
    let old = std::mem::take(func);
    *func = ir::compact(old);
}

/// [`run`] on a kernel, which also forgets `.local` memory that nothing uses any more.
pub fn run_kernel(kernel: &mut Kernel) {
    run(&mut kernel.func);
    if !local::uses_local(&kernel.func) {
        kernel.local_bytes = 0;
    }
}

/// How often each value is used, by arguments of instructions, edges and terminators.
fn use_counts(func: &Func) -> Vec<u32> {
    let mut uses = vec![0; func.values.len()];
    for &block in &func.order {
        let data = &func.blocks[block];
        for &inst in &data.insts {
            for arg in &func.insts[inst].args {
                uses[arg.index()] += 1;
            }
        }
        for value in data.term.edges().into_iter().flat_map(|edge| &edge.args).copied().chain(data.term.condition()) {
            uses[value.index()] += 1;
        }
    }
    uses
}

/// Sets the order anew, after edges went away, and drops parameters that have one value left.
fn retain_reachable(func: &mut Func) {
    func.order = reverse_postorder(func);
    ir::remove_redundant_params(func);
}
