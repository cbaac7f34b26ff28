//! Byte permutes: constant and register selectors.

use super::*;

/// PTX's nibble as a selection of `a` (source 0) and `b` (source 1).
fn nibble(n: u32) -> ByteSel {
    let (source, byte) = ((n >> 2 & 1) as u8, (n & 3) as u8);
    if n & 8 == 0 { ByteSel::Byte(source, byte) } else { ByteSel::Sign(source, byte) }
}

fn sels(selector: u32) -> [ByteSel; 4] {
    std::array::from_fn(|i| nibble(selector >> (4 * i) & 15))
}

/// PTX ISA, "prmt", read from the manual's table.
fn prmt(mode: &str, a: u32, b: u32, c: u32) -> u32 {
    let bytes = ((b as u64) << 32 | a as u64).to_le_bytes();
    let row = |table: [u16; 4]| table[c as usize & 3] as u32;
    let nibbles = match mode {
        "generic" => c & 0xffff,
        "f4e" => row([0x3210, 0x4321, 0x5432, 0x6543]),
        "b4e" => row([0x5670, 0x6701, 0x7012, 0x0123]),
        "rc8" => row([0x0000, 0x1111, 0x2222, 0x3333]),
        "ecl" => row([0x3210, 0x3211, 0x3222, 0x3333]),
        "ecr" => row([0x0000, 0x1110, 0x2210, 0x3210]),
        _ => row([0x1010, 0x3232, 0x1010, 0x3232]),
    };
    u32::from_le_bytes(std::array::from_fn(|i| {
        let n = nibbles >> (4 * i) & 15;
        let byte = bytes[n as usize & 7];
        if n & 8 == 0 { byte } else { (byte as i8 >> 7) as u8 }
    }))
}

fn sel_text(sel: ByteSel, names: &[&str]) -> String {
    match sel {
        ByteSel::Byte(source, byte) => format!("{}.{byte}", names[source as usize]),
        ByteSel::Sign(source, byte) => format!("sign {}.{byte}", names[source as usize]),
        ByteSel::Zero => "zero".into(),
        ByteSel::Ones => "ones".into(),
    }
}

/// Runs byte permutes of up to four sources, 256 in a function, and compares each with the algebra's own meaning.
fn check_byteperms(all: &[[ByteSel; 4]], sources: usize, space: &str) {
    let names = ["%1", "%2", "%3", "%4"];
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        let mut random = Random(77);
        for chunk in all.chunks(256) {
            let mut body = String::new();
            let mut outputs = vec![];
            for (n, sels) in chunk.iter().enumerate() {
                let text: Vec<String> = sels.iter().map(|&s| sel_text(s, &names[..sources])).collect();
                body += &format!("  %{} = byteperm [{}]\n", 1000 + n, text.join(", "));
                outputs.push(format!("%{}", 1000 + n));
            }
            let outputs: Vec<(&str, Ty)> = outputs.iter().map(|o| (o.as_str(), B32)).collect();
            let inputs = vec![B32; sources];
            let func = selected(&program(space, &inputs, &body, &outputs), id);
            for _ in 0..2 {
                let values: Vec<u64> = (0..sources).map(|_| random.next() & 0xffff_ffff).collect();
                let words: Vec<u32> = values.iter().map(|&v| v as u32).collect();
                let got = run(&func, &target, &values, outputs.len());
                for (sels, got) in chunk.iter().zip(got) {
                    let want = u32::from_le_bytes(sels.map(|s| s.eval(&words)));
                    assert_eq!(got as u32, want, "{sels:?} of {words:x?} on {id}");
                }
            }
        }
    }
}

#[test]
fn constant_selectors_all_of_them() {
    let all: Vec<[ByteSel; 4]> = (0..0x10000).map(sels).collect();
    check_byteperms(&all, 2, "global");
    // PRMT_COSTS, section 2: how many selectors of two different registers need so many instructions. The two identities
    // count as one there.
    let mut counts = [0; 4];
    for sels in &all {
        counts[byteperm_plan(*sels).steps.len()] += 1;
    }
    assert_eq!(counts, [2, 20746, 43468, 1320]);
}

#[test]
fn constant_selectors_of_one_register() {
    let one = |sel: ByteSel| match sel {
        ByteSel::Byte(_, byte) => ByteSel::Byte(0, byte),
        ByteSel::Sign(_, byte) => ByteSel::Sign(0, byte),
        same => same,
    };
    let mut counts = [0; 4];
    for selector in 0..0x10000 {
        counts[byteperm_plan(sels(selector).map(one)).steps.len()] += 1;
    }
    assert_eq!(counts, [16, 20832 - 16, 44704, 0]);
}

/// Zeros and ones beside bytes and signs, from one to four sources, on both units.
#[test]
fn byte_permutes_of_more_sources() {
    let mut random = Random(5);
    let pick = |random: &mut Random, sources: u64| match random.next() % 8 {
        0 => ByteSel::Zero,
        1 => ByteSel::Ones,
        2..=4 => ByteSel::Sign((random.next() % sources) as u8, (random.next() % 4) as u8),
        _ => ByteSel::Byte((random.next() % sources) as u8, (random.next() % 4) as u8),
    };
    for sources in 1..=4 {
        let all: Vec<[ByteSel; 4]> = (0..2048).map(|_| [(); 4].map(|()| pick(&mut random, sources))).collect();
        for space in ["global", "const"] {
            check_byteperms(&all, sources as usize, space);
        }
        assert!(all.iter().all(|&s| byteperm_plan(s).steps.len() <= sources as usize + 2));
    }
}

#[test]
fn dynamic_selectors_all_of_them() {
    for id in TARGETS {
        let target = Target::parse(id).unwrap();
        for (mode, cost) in [("generic", 8), ("f4e", 1), ("b4e", 3), ("rc8", 2), ("ecl", 3), ("ecr", 3), ("rc16", 3)] {
            let body = format!("  %50 = prmt.{mode} %1, %2, %3\n");
            let func = selected(&program("global", &[B32; 3], &body, &[("%50", B32)]), id);
            let vector = ops_of(&func).iter().filter(|op| op.starts_with("v_")).count();
            assert_eq!(vector, cost, "{mode}");
            let mut random = Random(11);
            for selector in 0..0x10000u64 {
                let (a, b, junk) = (random.next() as u32, random.next() as u32, random.next() << 16 & 0xffff_0000);
                let got = run(&func, &target, &[a as u64, b as u64, selector | junk], 1)[0] as u32;
                assert_eq!(got, prmt(mode, a, b, selector as u32), "{mode} {selector:#x} of {a:x}, {b:x} on {id}");
            }
        }
    }
}
