//! AMD machine code as the manuals describe it: registers, op tables, encodings, assembly text, targets, lane semantics.
//!
//! An op is one row of a table in `ops/`; bytes, text, decoding, emulation and liveness read that row. Nothing here knows
//! PTX, the IR, or virtual registers: [`Inst`] is generic over what stands for a register.

pub mod asm;
mod decode;
mod encode;
mod format;
pub mod hazard;
pub mod inst;
pub mod lane;
pub mod op;
pub mod ops;
pub mod reg;
pub mod target;
pub mod vopd;

pub use decode::{DecodeError, decode, decode_any};
pub use encode::{Dwords, EncodeError, encode};
pub use inst::{Cache, Dpp, Encoding, Inst, Mods, Operand, Sdwa, Sel, Unused};
pub use op::{Flags, Op, OpInfo, Slot, SlotKind};
pub use reg::{File, Reg};
pub use target::{Column, Feature, Target};
