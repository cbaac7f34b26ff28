//! Clang's offload bundle: a table of ids, offsets and sizes in front of the files.
//!
//! Spec: Clang documentation, "Clang Offload Bundler", "Bundled Binary File Layout" and "Target ID". What is written equals
//! `clang-offload-bundler-22 -type=o -bundle-align=4096`, as HIP's driver calls it (`tests/it/bundle.rs`): a host entry of no bytes,
//! then one entry a target.

use super::{BundleError, compressed, number};
use std::collections::BTreeMap;

const MAGIC: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
/// HIP maps entries from files, so each starts a page.
const ENTRY_ALIGN_BYTES: usize = 4096;
const HOST_ID: &str = "host-x86_64-unknown-linux-gnu-";
/// What stands before the target id of a HIP code object.
const DEVICE_PREFIX: &str = "hipv4-amdgcn-amd-amdhsa--";
/// More entries than any producer writes.
const MAX_ENTRIES: u64 = 4096;

/// One file of a bundle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// `hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-`.
    pub id: String,
    pub bytes: Vec<u8>,
}

impl Entry {
    /// The AMD target id, `gfx90a:xnack-`; `None` for the host's entry and for other devices.
    pub fn target(&self) -> Option<&str> {
        let at = self.id.find("-gfx")?;
        (self.id.contains("amdgcn") && !self.bytes.is_empty()).then(|| &self.id[at + 1..])
    }
}

/// Whether the bytes begin as a bundle does, compressed or not.
pub fn is_bundle(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC) || compressed::is_compressed(bytes)
}

/// A bundle of code objects, each with its canonical target id, in the order given.
///
/// Fails where a loader could not tell which object a device wants: a target twice, or a feature that one object of
/// a processor states and another leaves open.
pub fn write(objects: &[(String, &[u8])]) -> Result<Vec<u8>, BundleError> {
    check_ids(objects.iter().map(|(id, _)| id.as_str()))?;
    let ids = std::iter::once(HOST_ID.to_string()).chain(objects.iter().map(|(id, _)| format!("{DEVICE_PREFIX}{id}")));
    let ids: Vec<String> = ids.collect();
    let table_bytes = MAGIC.len() + 8 + ids.iter().map(|id| 24 + id.len()).sum::<usize>();
    let mut at = table_bytes.next_multiple_of(ENTRY_ALIGN_BYTES);
    let mut out = MAGIC.to_vec();
    out.extend((ids.len() as u64).to_le_bytes());
    let contents: Vec<&[u8]> = std::iter::once(&[][..]).chain(objects.iter().map(|(_, bytes)| *bytes)).collect();
    let mut offsets = vec![];
    for (id, content) in ids.iter().zip(&contents) {
        for value in [at, content.len(), id.len()] {
            out.extend((value as u64).to_le_bytes());
        }
        out.extend(id.as_bytes());
        offsets.push(at);
        at = (at + content.len()).next_multiple_of(ENTRY_ALIGN_BYTES);
    }
    for (offset, content) in offsets.into_iter().zip(contents) {
        out.resize(offset, 0);
        out.extend(content);
    }
    Ok(out)
}

/// Target ids that may stand in one bundle: for each processor every id names the same features, and no id comes twice.
fn check_ids<'a>(ids: impl Iterator<Item = &'a str>) -> Result<(), BundleError> {
    let mut first: BTreeMap<&str, (&str, Vec<&str>)> = BTreeMap::new();
    let mut seen = std::collections::BTreeSet::new();
    for id in ids {
        if !seen.insert(id) {
            return Err(BundleError(format!("`{id}` stands twice in one bundle")));
        }
        let mut parts = id.split(':');
        let processor = parts.next().unwrap_or_default();
        let features: Vec<&str> = parts.map(|f| f.trim_end_matches(['+', '-'])).collect();
        let (other, others) = first.entry(processor).or_insert_with(|| (id, features.clone()));
        if *others != features {
            return Err(BundleError(format!(
                "`{other}` and `{id}` cannot stand in one bundle: for each processor all of its objects name the same features"
            )));
        }
    }
    Ok(())
}

/// The entries of a bundle, compressed or not; of all of them where several follow each other, as in `.hip_fatbin`.
pub fn read(bytes: &[u8]) -> Result<Vec<Entry>, BundleError> {
    let mut entries = vec![];
    let mut rest = bytes;
    loop {
        let used = if compressed::is_compressed(rest) {
            let (plain, used) = compressed::decompress(rest)?;
            read_one(&plain, &mut entries)?;
            used
        } else {
            read_one(rest, &mut entries)?
        };
        // Bundles are padded to pages.
        let behind = &rest[used.min(rest.len())..];
        rest = &behind[behind.iter().position(|&b| b != 0).unwrap_or(behind.len())..];
        if rest.is_empty() {
            return Ok(entries);
        }
        if !is_bundle(rest) {
            let at = bytes.len() - rest.len();
            return Err(BundleError(format!("what follows the bundle at byte {at:#x} is not a bundle")));
        }
    }
}

/// Appends the entries of the plain bundle at the start of `bytes`; returns its size.
fn read_one(bytes: &[u8], entries: &mut Vec<Entry>) -> Result<usize, BundleError> {
    let cut = || BundleError("the offload bundle ends within its table".into());
    if !bytes.starts_with(MAGIC) {
        return Err(BundleError("it does not begin as an offload bundle does".into()));
    }
    let count = number::<8>(bytes, MAGIC.len()).ok_or_else(cut)?;
    if count > MAX_ENTRIES {
        return Err(BundleError(format!("an offload bundle of {count} entries is damaged")));
    }
    let mut at = MAGIC.len() + 8;
    let mut end = at;
    let mut total_bytes = 0u64;
    for _ in 0..count {
        let field = |index: usize| number::<8>(bytes, at + 8 * index).ok_or_else(cut);
        let (offset, size, id_bytes) = (field(0)?, field(1)?, field(2)?);
        let id_end = usize::try_from(id_bytes).ok().and_then(|n| (at + 24).checked_add(n)).ok_or_else(cut)?;
        let id = String::from_utf8_lossy(bytes.get(at + 24..id_end).ok_or_else(cut)?).into_owned();
        let range = offset.checked_add(size).and_then(|end| Some(offset.try_into().ok()?..end.try_into().ok()?));
        // Entries do not overlap: a small file does not become a large one here.
        total_bytes = total_bytes.saturating_add(size);
        if total_bytes > bytes.len() as u64 {
            return Err(BundleError("the entries of the offload bundle have more bytes than it".into()));
        }
        let Some(content) = range.clone().and_then(|range: std::ops::Range<usize>| bytes.get(range)) else {
            return Err(BundleError(format!("entry `{id}` of the offload bundle reaches beyond its end")));
        };
        entries.push(Entry { id, bytes: content.to_vec() });
        at = id_end;
        end = end.max(range.map_or(0, |range| range.end)).max(at);
    }
    Ok(end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_a_loader_cannot_tell_apart_are_refused() {
        let refused = |ids: &[&str]| check_ids(ids.iter().copied()).err().map(|e| e.0);
        assert_eq!(refused(&["gfx90a:xnack+", "gfx90a:xnack-", "gfx1100"]), None);
        assert_eq!(refused(&["gfx1100", "gfx1100"]), Some("`gfx1100` stands twice in one bundle".into()));
        assert_eq!(
            refused(&["gfx90a", "gfx90a:xnack-"]),
            Some(
                "`gfx90a` and `gfx90a:xnack-` cannot stand in one bundle: for each processor all of its objects name \
                 the same features"
                    .into()
            )
        );
    }
}
