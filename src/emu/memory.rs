//! The device's 64-bit address space: allocations with nothing between them.
//!
//! An allocation lies across a multiple of 4 GiB where its size allows, and no two share a 4 GiB slot: a kernel that loses
//! the carry of an address, or its high half, goes out of bounds at once.

use super::fault::{Fault, FaultKind, Space};

/// Smallest alignment of an allocation, bytes; what HIP promises.
const ALIGN: u64 = 256;
const SLOT: u64 = 1 << 32;
const FIRST_SLOT: u64 = 0x7f00;

pub struct Memory {
    /// Ordered by address.
    regions: Vec<Region>,
    next_slot: u64,
    /// The region that was hit last.
    last: usize,
}

struct Region {
    base: u64,
    bytes: Vec<u8>,
    writable: bool,
    name: String,
}

impl Memory {
    pub fn new() -> Memory {
        Memory { regions: vec![], next_slot: FIRST_SLOT, last: 0 }
    }

    /// Address of a new allocation with this content.
    pub fn alloc(&mut self, name: impl Into<String>, bytes: Vec<u8>, writable: bool) -> u64 {
        let size = bytes.len() as u64;
        let below = size / 2 / ALIGN * ALIGN;
        let base = (self.next_slot + 1) * SLOT - below;
        self.next_slot += 2 + size / SLOT;
        self.regions.push(Region { base, bytes, writable, name: name.into() });
        base
    }

    /// Places an image whose parts keep their distances, `below` bytes before a multiple of 4 GiB: `parts` are (offset,
    /// bytes, writable).
    pub fn alloc_image(&mut self, name: &str, below: u64, parts: Vec<(u64, Vec<u8>, bool)>) -> u64 {
        let base = (self.next_slot + 1) * SLOT - below;
        let end = parts.iter().map(|(offset, bytes, _)| offset + bytes.len() as u64).max().unwrap_or(0);
        self.next_slot += 2 + end / SLOT;
        let mut regions: Vec<Region> = parts
            .into_iter()
            .map(|(offset, bytes, writable)| Region { base: base + offset, bytes, writable, name: name.to_owned() })
            .collect();
        regions.sort_by_key(|r| r.base);
        self.regions.extend(regions);
        base
    }

    /// Where `address` is: region and offset, if `len` bytes fit.
    fn find(&mut self, address: u64, len: usize) -> Option<(usize, usize)> {
        let fits = |r: &Region| {
            let offset = address.wrapping_sub(r.base);
            (offset < r.bytes.len() as u64 && r.bytes.len() as u64 - offset >= len as u64).then_some(offset as usize)
        };
        if let Some(offset) = self.regions.get(self.last).and_then(fits) {
            return Some((self.last, offset));
        }
        let after = self.regions.partition_point(|r| r.base <= address);
        let index = after.checked_sub(1)?;
        let offset = fits(&self.regions[index])?;
        self.last = index;
        Some((index, offset))
    }

    /// In words, what lies next to an address that nothing holds.
    fn near(&self, address: u64) -> String {
        let after = self.regions.partition_point(|r| r.base <= address);
        let distance = |r: &Region| address.wrapping_sub(r.base);
        let below = after.checked_sub(1).map(|index| &self.regions[index]);
        match (below, self.regions.get(after)) {
            (Some(r), _) if distance(r) < SLOT => {
                format!("byte {} of {}, which has {}", distance(r), r.name, r.bytes.len())
            }
            (_, Some(r)) if r.base - address < SLOT => format!("{} bytes before {}", r.base - address, r.name),
            _ => "near no allocation".to_owned(),
        }
    }

    pub fn read(&mut self, address: u64, len: usize) -> Result<&[u8], Box<Fault>> {
        match self.find(address, len) {
            Some((index, offset)) => Ok(&self.regions[index].bytes[offset..offset + len]),
            None => Err(self.out_of_bounds(address, len, false)),
        }
    }

    pub fn write(&mut self, address: u64, len: usize) -> Result<&mut [u8], Box<Fault>> {
        match self.find(address, len) {
            Some((index, offset)) if self.regions[index].writable => {
                Ok(&mut self.regions[index].bytes[offset..offset + len])
            }
            Some(_) => Err(Fault::new(FaultKind::ReadOnly { address, near: self.near(address) })),
            None => Err(self.out_of_bounds(address, len, true)),
        }
    }

    /// Writes as the host does: read-only memory too.
    pub fn host_write(&mut self, address: u64, bytes: &[u8]) -> Result<(), Box<Fault>> {
        match self.find(address, bytes.len()) {
            Some((index, offset)) => {
                self.regions[index].bytes[offset..offset + bytes.len()].copy_from_slice(bytes);
                Ok(())
            }
            None => Err(self.out_of_bounds(address, bytes.len(), true)),
        }
    }

    /// Ends an allocation: later accesses are out of bounds.
    pub fn free(&mut self, base: u64) {
        if let Ok(index) = self.regions.binary_search_by_key(&base, |r| r.base) {
            self.regions.remove(index);
            self.last = 0;
        }
    }

    fn out_of_bounds(&self, address: u64, len: usize, write: bool) -> Box<Fault> {
        let near = self.near(address);
        Fault::new(FaultKind::OutOfBounds { space: Space::Global, address, bytes: len as u32, write, near })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_access_must_lie_in_one_allocation() {
        let mut memory = Memory::new();
        let a = memory.alloc("a", vec![1; 1024], true);
        let b = memory.alloc("b", vec![2; 3], false);
        assert!(a >> 32 != (a + 1023) >> 32, "it lies across a multiple of 4 GiB");
        assert_eq!(memory.read(a, 1024).expect("within the buffer"), [1; 1024]);
        for (address, len) in [(a - 1, 1), (a + 1024, 1), (a + 1021, 4), (b + 2, 2), (0, 1), (u64::MAX, 8), (a, 1025)] {
            assert!(memory.read(address, len).is_err(), "{len} bytes at {address:#x}");
        }
        assert_eq!(memory.read(b + 2, 1).expect("within the buffer"), [2]);
        assert!(memory.write(b, 1).is_err());
        assert!(memory.host_write(b, &[3]).is_ok());
        assert_eq!(memory.read(b, 1).expect("within the buffer"), [3]);
        memory.free(b);
        assert!(memory.read(b, 1).is_err());
        assert!(memory.write(a, 4).is_ok());
    }

    #[test]
    fn neighbours_are_named() {
        let mut memory = Memory::new();
        let a = memory.alloc("a", vec![0; 4], true);
        let text = |fault: Box<Fault>| fault.kind.to_string();
        let beyond = text(memory.read(a + 4, 4).unwrap_err());
        assert!(beyond.ends_with("is out of bounds (byte 4 of a, which has 4)"), "{beyond}");
        let before = text(memory.write(a - 8, 4).unwrap_err());
        assert!(before.ends_with("is out of bounds (8 bytes before a)"), "{before}");
        assert!(text(memory.read(0, 4).unwrap_err()).ends_with("(near no allocation)"));
    }
}
