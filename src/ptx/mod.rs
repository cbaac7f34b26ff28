//! PTX text to tree and back: tokens, forms, productions, printer, checks.

pub mod names;
pub mod tree;
pub mod word;

use crate::diag::{Diag, Span, codes};

/// Reads a module. Bad statements are reported and become error nodes; reading goes on behind them.
pub fn parse(source: &str) -> (tree::Module, Vec<Diag>) {
    let module = tree::Module {
        names: names::Names::new(),
        version: None,
        targets: Vec::new(),
        address_size: 64,
        items: Vec::new(),
    };
    let all = Span::new(0, source.len().min(u32::MAX as usize - 1) as u32);
    (module, vec![Diag::error(codes::SYNTAX, all, "this build does not read PTX yet")])
}

/// Writes a module as normalised PTX: `parse(&print(m))` gives the same tree, spans excepted.
pub fn print(module: &tree::Module) -> String {
    let mut out = String::new();
    if let Some((major, minor)) = module.version {
        out.push_str(&format!(".version {major}.{minor}\n"));
    }
    out
}
