//! Where each bit of a result comes from: machine instructions executed over named bits instead of numbers.
//!
//! A bit is 0, 1, bit n of a named dword, or unknown. An instruction that only moves bits (permutes, shifts, fields, masks) keeps
//! the names; arithmetic keeps them where no carry can arise. What comes out of a sequence is then a proof for all values of its
//! inputs at once: a byte that reads `a[15:8]` *is* byte 1 of `a`, and one whose eight bits all read `a[15]` is its sign.
//!
//! The meanings of the ops ([`vector`], [`scalar`]) are written from the manuals once more, for this purpose; they share nothing with
//! `amd::lane`, so that the two can judge each other. An op without a meaning here gives unknown bits, which prove nothing.
//!
//! Not here: lanes, EXEC, memory. [`Machine`] asks its caller what a load gives.

mod machine;
mod scalar;
mod vector;
mod word;

pub use machine::{Machine, Registers};
pub use scalar::scalar;
pub use vector::{Modifiers, Part, Rest, sdwa_result, sdwa_source, vector};
pub use word::{Bit, Byte, Word};
