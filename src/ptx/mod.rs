//! PTX text to tree and back: tokens, forms, productions, printer, checks.

mod compare;
mod decl;
mod fault;
mod inst;
mod literal;
pub mod names;
mod print;
mod read;
mod tokens;
pub mod tree;
pub mod word;

pub use compare::same_tree;
pub use print::print_inst;

use crate::diag::Diag;

/// Reads a module. Bad statements are reported and become error nodes; reading goes on behind them.
pub fn parse(source: &str) -> (tree::Module, Vec<Diag>) {
    read::read_module(source)
}

/// Writes a module as normalised PTX: `parse(&print(m))` gives the same tree, spans excepted.
pub fn print(module: &tree::Module) -> String {
    print::print_module(module)
}
