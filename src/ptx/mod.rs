//! PTX text to tree and back: tokens, forms, productions, printer, checks.

mod check;
pub mod code;
mod compare;
mod decl;
mod fault;
mod find;
mod format;
pub mod forms;
mod inst;
mod literal;
pub mod names;
mod print;
mod quick;
mod read;
mod tokens;
pub mod tree;
pub mod word;

pub use compare::same_tree;
pub use find::{Instructions, form_of, special_register_at, spelling};
pub use format::format_module as format;
pub use print::print_inst;

use crate::diag::Diag;

/// Reads and checks a module. Bad statements are reported and become error nodes; reading goes on behind them.
///
/// Without a fatal diagnostic every name is declared, every instruction has one of its forms, and every call matches
/// the signature of its callee.
pub fn parse(source: &str) -> (tree::Module, Vec<Diag>) {
    let (module, mut diags) = read::read_module(source);
    diags.extend(check::check(&module, source, !diags.is_empty()));
    diags.sort_by_key(|diag| diag.span);
    (module, diags)
}

/// The same without the checks: what is not declared or has no form is not seen.
pub fn parse_unchecked(source: &str) -> (tree::Module, Vec<Diag>) {
    read::read_module(source)
}

/// Writes a module as normalised PTX: `parse(&print(m))` gives the same tree, spans excepted.
pub fn print(module: &tree::Module) -> String {
    print::print_module(module)
}
