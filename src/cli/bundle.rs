//! Picking code objects out of bundles.

use anyhow::{Context, Result, bail};
use warp2wave::amd::Target;
use warp2wave::container::{self, Entry};

/// The code objects of a file that is one or a bundle of them: all, or the one that `wanted` would load.
pub fn code_objects(bytes: Vec<u8>, wanted: Option<&Target>) -> Result<Vec<Vec<u8>>> {
    if !container::is_bundle(&bytes) {
        return Ok(vec![bytes]);
    }
    let mut entries = container::read(&bytes)?;
    entries.retain(|entry| entry.target().is_some());
    if entries.is_empty() {
        bail!("the bundle holds no code object for AMD GPUs");
    }
    if let Some(wanted) = wanted {
        entries = vec![pick(entries, wanted)?];
    }
    Ok(entries.into_iter().map(|entry| entry.bytes).collect())
}

/// The one code object of a file, or the entry of a bundle that `wanted` would load.
pub fn code_object(bytes: Vec<u8>, wanted: Option<&Target>) -> Result<Vec<u8>> {
    let names = container::is_bundle(&bytes).then(|| container::read(&bytes).map(|entries| names(&entries)));
    let mut objects = code_objects(bytes, wanted)?;
    if objects.len() > 1 {
        let names = names.transpose()?.unwrap_or_default();
        bail!("which code object of the bundle? --target takes one of: {names}");
    }
    objects.pop().context("no code object")
}

fn names(entries: &[Entry]) -> String {
    entries.iter().filter_map(Entry::target).collect::<Vec<_>>().join(", ")
}

/// The entry for this very target, else the one of its processor that names most features, else that of its family.
fn pick(entries: Vec<Entry>, wanted: &Target) -> Result<Entry> {
    let names = names(&entries);
    let rank = |entry: &Entry| {
        let id = entry.target()?;
        let target = Target::parse(id).ok()?;
        wanted.loads(&target).then(|| (target == *wanted, target.name() == wanted.name(), id.matches(':').count()))
    };
    let ranked = entries.into_iter().filter_map(|entry| Some((rank(&entry)?, entry)));
    // The first of equals, as a loader takes it.
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
    best.map(|(_, entry)| entry).with_context(|| format!("the bundle has nothing for {wanted}; it has: {names}"))
}
