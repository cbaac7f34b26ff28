//! Physical MIR in its final order to bytes.

pub mod waits;
