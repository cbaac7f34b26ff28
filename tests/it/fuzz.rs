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
        fuzz::check(&text);
    }
}

#[test]
fn damaged_programs_are_interpreted_or_refused() {
    let mut sources = small_sources();
    sources.push(warp2wave::generate::generate(1, &Default::default()).source);
    for seed in 0..2000 {
        let mut random = Random(seed);
        let text = damaged(&sources[random.below(sources.len())], &mut random);
        fuzz::eval(&text);
    }
    // Sizes that would fill any memory.
    for declaration in [
        ".shared .b8 s[0xffffffff];\n.shared .b8 t[0xffffffff];",
        ".local .align 0x80000000 .b64 l[0x7fffffffffffffff];",
        ".shared .align 0x80000000 .b8 s[9];",
        ".reg .b32 %q<0xffffffff>;",
        ".param .b8 p[0xffffffffff];",
    ] {
        let body = format!("{declaration}\nmov.u32 %r0, 1;\n");
        fuzz::eval(&format!(
            ".version 8.0\n.target sm_80\n.address_size 64\n.global .b8 g[0x3fffffff];\n.visible .entry k(.param .b8 p[65535], \
             .param .align 0x1000000 .b64 z)\n{{\n.reg .b32 %r<2>;\n{body}ret;\n}}\n"
        ));
    }
}

#[test]
fn damaged_arguments_are_read_or_refused() {
    let good = [
        "out=u32[8]={1,2,3}",
        "f32:1.5",
        "str:\"a\\n\"",
        "u8[]=@file",
        "i64[16]=range:-8:2",
        "out:f32:3",
        "bytes:0102 03",
    ];
    for seed in 0..20000 {
        let mut random = Random(seed);
        let mut text: Vec<char> = good[random.below(good.len())].chars().collect();
        for _ in 0..1 + random.below(3) {
            let at = random.below(text.len());
            match random.below(3) {
                0 => drop(text.remove(at)),
                1 => text.insert(at, ['{', ':', '[', '9', '\u{e9}', '-', '"', '@'][random.below(8)]),
                _ => text[at] = char::from(random.next() as u8),
            }
        }
        fuzz::run_arg(&text.into_iter().collect::<String>());
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
        fuzz::object(&bytes);
    }
}

#[test]
fn any_words_decode_or_are_refused() {
    for seed in 0..20000 {
        let mut random = Random(seed);
        let bytes: Vec<u8> = (0..5).flat_map(|_| (random.next() as u32).to_le_bytes()).collect();
        fuzz::code(&bytes);
    }
}

/// What a fuzzer found once: half of an aperture, as a source of 32 bits.
#[test]
fn findings_stay_fixed() {
    fuzz::code(&[0x20, 0x20, 0x0c, 0xe7, 0x98, 0x96, 0xbb, 0xff, 0xff, 0xff, 0x21]);
}

#[test]
fn kernels_of_any_choices_compute_what_the_interpreter_says() {
    for seed in 0..24 {
        let mut random = Random(seed);
        let mut bytes: Vec<u8> = (0..9 + random.below(300)).map(|_| random.next() as u8).collect();
        bytes[8] &= 0x3f;
        fuzz::verify(&bytes);
    }
}
