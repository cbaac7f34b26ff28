//! PTX text to tree and back: tokens, forms, productions, printer, checks.

pub mod names;
pub mod tree;
