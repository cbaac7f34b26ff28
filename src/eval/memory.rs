//! Global memory: buffers, variables and parameters, each an allocation of its own.

use super::fault::{Fault, FaultKind, Memory as Which};

/// One allocation.
pub struct Region {
    pub name: String,
    pub start: u64,
    pub bytes: Vec<u8>,
    pub writable: bool,
}

#[derive(Default)]
pub struct Memory {
    /// By address.
    pub regions: Vec<Region>,
    /// The one that was found last.
    last: usize,
}

impl Memory {
    /// Fails when it would overlap another.
    pub fn add(&mut self, region: Region) -> Result<(), Box<Fault>> {
        let at = self.regions.partition_point(|r| r.start <= region.start);
        let end = region.start.saturating_add(region.bytes.len() as u64);
        let before = at.checked_sub(1).and_then(|n| self.regions.get(n));
        let overlaps = before.is_some_and(|r| r.start + r.bytes.len() as u64 > region.start)
            || self.regions.get(at).is_some_and(|r| r.start < end);
        if overlaps {
            return Err(Fault::launch(format!("{} overlaps another allocation", region.name)));
        }
        self.regions.insert(at, region);
        Ok(())
    }

    /// The region that holds all the bytes, and where in it.
    #[inline]
    pub fn find(&mut self, address: u64, bytes: u32, write: bool) -> Result<(usize, usize), Box<Fault>> {
        if let Some(region) = self.regions.get(self.last) {
            let at = address.wrapping_sub(region.start);
            if at < region.bytes.len() as u64 && region.bytes.len() as u64 - at >= bytes.into() {
                if write && !region.writable {
                    return Err(read_only(region, address));
                }
                return Ok((self.last, at as usize));
            }
        }
        self.search(address, bytes, write)
    }

    #[cold]
    fn search(&mut self, address: u64, bytes: u32, write: bool) -> Result<(usize, usize), Box<Fault>> {
        let after = self.regions.partition_point(|r| r.start <= address);
        let before = after.checked_sub(1);
        if let Some(n) = before {
            let region = &self.regions[n];
            let at = address - region.start;
            if at.saturating_add(bytes.into()) <= region.bytes.len() as u64 {
                self.last = n;
                if write && !region.writable {
                    return Err(read_only(region, address));
                }
                return Ok((n, at as usize));
            }
        }
        let near = match before.map(|n| &self.regions[n]) {
            Some(r) => format!("byte {} of {}, which has {}", address - r.start, r.name, r.bytes.len()),
            None => "nothing is there".to_string(),
        };
        Err(Fault::new(FaultKind::OutOfBounds { memory: Which::Global, address, bytes, write, near }))
    }

    pub fn region_at(&self, start: u64) -> Option<&Region> {
        let at = self.regions.partition_point(|r| r.start < start);
        self.regions.get(at).filter(|r| r.start == start)
    }
}

fn read_only(region: &Region, address: u64) -> Box<Fault> {
    let near = format!("byte {} of {}", address - region.start, region.name);
    Fault::new(FaultKind::ReadOnly { address, near })
}

/// Up to eight bytes, little-endian.
#[inline]
pub fn load(bytes: &[u8], at: usize, count: usize) -> u64 {
    let mut value = [0; 8];
    value[..count].copy_from_slice(&bytes[at..at + count]);
    u64::from_le_bytes(value)
}

#[inline]
pub fn store(bytes: &mut [u8], at: usize, count: usize, value: u64) {
    bytes[at..at + count].copy_from_slice(&value.to_le_bytes()[..count]);
}
