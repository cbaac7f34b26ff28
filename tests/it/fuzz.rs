//! The bodies of the fuzz targets, for a moment each: damaged programs, objects and instruction words never panic.

use warp2wave::amd::Target;
use warp2wave::{Options, container, fuzz, translate};

/// splitmix64: the seed of a failure is in the message of the panic's test.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }
}

fn small_sources() -> Vec<String> {
    let folder = format!("{}/fixtures/ptx/bytes", env!("CARGO_MANIFEST_DIR"));
    let mut paths: Vec<_> =
        std::fs::read_dir(folder).expect("the fixtures").map(|e| e.expect("an entry").path()).collect();
    paths.sort();
    paths.iter().map(|p| std::fs::read_to_string(p).expect("readable")).collect()
}

/// Swaps, drops, repeats and replaces words of a program: much of it stays valid, with another meaning.
fn damaged(source: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = source.split_inclusive([' ', ',', '\n', ';', '.']).collect();
    let all = words.clone();
    for _ in 0..1 + random.below(4) {
        let (a, b) = (random.below(words.len()), random.below(words.len()));
        match random.below(5) {
            0 => words.swap(a, b),
            1 => drop(words.remove(a)),
            2 => words.insert(a, words[b]),
            3 => words[a] = all[random.below(all.len())],
            _ => {
                words[a] =
                    ["0 ", "%r1,", "-1,", "0xffffffff,", "u64 ", "s8 ", "{", "}", "[%rd1],", "@%p "][random.below(10)]
            }
        }
    }
    words.concat()
}

#[test]
fn damaged_programs_are_translated_or_refused() {
    let sources = small_sources();
    for seed in 0..4000 {
        let mut random = Random(seed);
        let text = damaged(&sources[random.below(sources.len())], &mut random);
        fuzz::ptx(&text);
        fuzz::translate(&text);
    }
}

#[test]
fn damaged_objects_are_read_or_refused() {
    let source = &small_sources()[0];
    let target = Target::parse("gfx942").expect("a known target");
    let good = translate(source, &Options::new(target)).expect("translates").into_bytes();
    for seed in 0..20000 {
        let mut random = Random(seed);
        let mut bytes = good.clone();
        for _ in 0..1 + random.below(6) {
            let at = random.below(bytes.len());
            bytes[at] = random.next() as u8;
        }
        bytes.truncate(if random.below(3) == 0 { random.below(bytes.len()) } else { bytes.len() });
        fuzz::object(&bytes);
    }
}

#[test]
fn damaged_bundles_are_read_or_refused() {
    let plain = container::write(&[("gfx1100".into(), &b"one"[..]), ("gfx942".into(), b"two")]).expect("writable");
    let packed = container::compress(&plain).expect("small");
    for seed in 0..5000 {
        let mut random = Random(seed);
        let mut bytes = if seed % 2 == 0 { plain[..8192 + 3].to_vec() } else { packed.clone() };
        for _ in 0..1 + random.below(4) {
            // The table of a plain bundle is at its start.
            let at = random.below(bytes.len().min(240));
            bytes[at] = random.next() as u8;
        }
        fuzz::bundle(&bytes);
    }
}

#[test]
fn any_words_decode_or_are_refused() {
    for seed in 0..20000 {
        let mut random = Random(seed);
        let bytes: Vec<u8> = (0..5).flat_map(|_| (random.next() as u32).to_le_bytes()).collect();
        fuzz::decode(&bytes);
    }
}
