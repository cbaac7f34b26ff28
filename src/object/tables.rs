//! String and hash tables.
//!
//! Spec: System V ABI, "String Table" and "Hash Table"; the GNU hash table as ld.lld 22 sizes it.

use object::Endianness;
use object::elf;
use object::write::elf::{Encoder, GnuHashTable};

/// A string table and the offset of each name. No suffix is shared, so offsets follow the order alone.
pub fn strings<'a>(names: impl IntoIterator<Item = &'a str>) -> (Vec<u8>, Vec<u32>) {
    let (mut table, mut offsets) = (vec![0], vec![]);
    for name in names {
        offsets.push(table.len() as u32);
        table.extend(name.as_bytes());
        table.push(0);
    }
    (table, offsets)
}

/// The bucket of a name in the GNU hash table of so many symbols, which are sorted by it.
pub fn gnu_bucket(name: &str, symbols: usize) -> u32 {
    elf::gnu_hash(name.as_bytes()) % gnu_buckets(symbols)
}

fn gnu_buckets(symbols: usize) -> u32 {
    (symbols as u32 / 4).max(1)
}

/// Names in the order of their buckets; the first has symbol number 1.
pub fn gnu_hash(encoder: &Encoder<Endianness>, names: &[&str]) -> Vec<u8> {
    // Twelve filter bits a symbol.
    let words = (names.len() as u32 * 12 / 64 + 1).next_power_of_two();
    let table = GnuHashTable {
        bucket_count: gnu_buckets(names.len()),
        bloom_count: words,
        bloom_shift: 26,
        symbol_base: 1,
        symbol_count: names.len() as u32,
    };
    let mut bytes: Vec<u8> = vec![];
    encoder.gnu_hash_table(&mut bytes, &table, |index| elf::gnu_hash(names[index as usize].as_bytes()));
    bytes
}

/// The first name has symbol number 1.
pub fn sysv_hash(encoder: &Encoder<Endianness>, names: &[&str]) -> Vec<u8> {
    let count = names.len() as u32 + 1;
    let mut bytes: Vec<u8> = vec![];
    encoder.hash_table(&mut bytes, count, count, |index| {
        index.checked_sub(1).map(|index| elf::hash(names[index as usize].as_bytes()))
    });
    bytes
}
