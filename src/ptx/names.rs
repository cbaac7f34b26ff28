//! Interned names of a module.
//!
//! The words of `ptx::word` (opcodes, modifiers, special registers) have the first ids, in table order, in every module,
//! so they can be matched as constants.

use std::fmt;
