//! Files that hold several code objects: clang's offload bundles, plain and compressed.
//!
//! Not here: what a code object is ([`crate::object`]), and which one a processor may run.

mod bundle;
mod compressed;

pub use bundle::{Entry, is_bundle, read, write};
pub use compressed::{compress, is_compressed};

use std::fmt;

/// Bytes that are no bundle we can read, or objects that cannot stand in one, with the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BundleError(pub String);

impl fmt::Display for BundleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
impl std::error::Error for BundleError {}

/// A little-endian number of `N` bytes at `at`; `None` beyond the end.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut wide = [0; 8];
    wide[..N].copy_from_slice(bytes.get(at..at.checked_add(N)?)?);
    Some(u64::from_le_bytes(wide))
}
