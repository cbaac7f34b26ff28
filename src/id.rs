//! Typed ids, arenas and side tables.
//!
//! An id prints exactly as the text forms spell it (`%7`, `bb3`). Facts about entities live beside them in a
//! [`SecondaryMap`], keyed by id.

pub use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};

/// A side table with room for the first `len` entities, so that it does not grow by steps.
pub fn side_table<K: EntityRef, V: Clone>(len: usize, default: V) -> SecondaryMap<K, V> {
    let mut table = SecondaryMap::with_default(default);
    table.resize(len);
    table
}

/// Defines a `u32` id that prints with its prefix and has a reserved value, so that `PackedOption` works on it.
macro_rules! define_id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);
        cranelift_entity::entity_impl!($name, $prefix);
    };
}
pub(crate) use define_id;
