//! The text form of the IR: `print(parse(s)) == s`.
//!
//! ```text
//! func @name {
//! bb0(%0: b32):
//!   %1 = int.add.b32 %0, %0 ; from 12-30
//!   %2 = byteperm [%1.0, sign %0.1, zero, ones]
//!   %3 = load.global.u16.v2.volatile [%4 + 8]
//!   branch %5, bb1(%1), bb2
//! }
//! ```
//! One instruction a line; an op is words joined by dots, constants stand in square brackets or as literals. A comment
//! runs from `;` to the end of the line; `; from a-b` is the span of the instruction before it and is kept.
//! Ids are kept as written, so a dump and its parse speak of the same values. The parser builds; it does not judge:
//! types and dominance are [`super::verify`]'s.

mod parse;
mod print;

pub use parse::parse;
pub(crate) use print::{Mark, print_marked};
pub use print::{print, print_inst, print_terminator, print_with_spans};
