//! Loads, stores and parameters.

use super::*;

/// Loads of every width, sign and vector length from every space, at offsets that do and do not fit the instruction.
#[test]
fn loads() {
    for (space, address) in ADDRESSES {
        for (bytes, count, signed) in shapes() {
            for offset in OFFSETS {
                let (letter, ty) = (if signed { 's' } else { 'u' }, if bytes == 8 { B64 } else { B32 });
                let vector = if count > 1 { format!(".v{count}") } else { String::new() };
                let names: Vec<String> = (0..count).map(|n| format!("%{}", 20 + n)).collect();
                let results = names.join(", ");
                let bits = 8 * bytes;
                let body = format!("{address}  {results} = load.{space}.{letter}{bits}{vector} [%10 + {offset}]\n");
                let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), ty)).collect();
                for id in TARGETS {
                    let target = Target::parse(id).unwrap();
                    let func = selected(&program("global", &[B64], &body, &outputs), id);
                    let at = (0x1_8000 + offset) as usize;
                    let mut memory = pattern();
                    memory[0x100..0x108].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let want: Vec<u64> =
                        (0..count).map(|n| element(&memory[at + n * bytes..], bytes, signed)).collect();
                    let mut kernarg = vec![0; 64];
                    kernarg[8..16].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut lane = Lane::new(&func, &target, memory, kernarg);
                    lane.run();
                    let stored = |n: usize| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap());
                    let mask = if ty == B64 { u64::MAX } else { 0xffff_ffff };
                    let got: Vec<u64> = (0..count).map(|n| stored(n) & mask).collect();
                    assert_eq!(got, want, "{space} {letter}{bits}{vector} + {offset} on {id}");
                }
            }
        }
    }
}

#[test]
fn stores() {
    for (space, address) in ADDRESSES.into_iter().filter(|a| a.0 != "const") {
        for (bytes, count, signed) in shapes().into_iter().filter(|s| !s.2) {
            for offset in OFFSETS {
                let ty = if bytes == 8 { B64 } else { B32 };
                let vector = if count > 1 { format!(".v{count}") } else { String::new() };
                let values: Vec<String> = (0..count).map(|n| format!("%{}", 2 + n)).collect();
                let (bits, values) = (8 * bytes, values.join(", "));
                let _ = signed;
                let body = format!("{address}  store.{space}.u{bits}{vector} [%10 + {offset}], {values}\n");
                let mut inputs = vec![B64];
                inputs.extend(vec![ty; count]);
                for id in TARGETS {
                    let target = Target::parse(id).unwrap();
                    let func = selected(&program("global", &inputs, &body, &[]), id);
                    let at = (0x1_8000 + offset) as usize;
                    let mut memory = pattern();
                    memory[0x100..0x108].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut want = memory.clone();
                    for n in 0..count {
                        let value = memory[0x108 + 8 * n..][..bytes].to_vec();
                        want[at + n * bytes..][..bytes].copy_from_slice(&value);
                    }
                    let mut kernarg = vec![0; 64];
                    kernarg[8..16].copy_from_slice(&0x1_8000u64.to_le_bytes());
                    let mut lane = Lane::new(&func, &target, memory, kernarg);
                    lane.run();
                    assert!(lane.memory == want, "{space} u{bits}{vector} + {offset} on {id}");
                }
            }
        }
    }
}

/// How `%10` becomes 0x18000, in VGPRs, SGPRs, a constant, or an SGPR base with an index.
const ADDRESSES: [(&str, &str); 11] = [
    ("global", "  %10 = int.or.b64 %1, %1\n"),
    ("global", "  %10 = load.param.u64 [8]\n"),
    ("global", "  %10 = const.b64 0x18000\n"),
    ("global", "  %11 = lo %1\n  %12 = pack64 %11, %61\n  %13 = load.param.u64 [16]\n  %10 = int.add.b64 %12, %13\n"),
    ("const", "  %10 = load.param.u64 [8]\n"),
    ("const", "  %10 = int.or.b64 %1, %1\n"),
    ("generic", "  %10 = int.or.b64 %1, %1\n"),
    ("generic", "  %10 = load.param.u64 [8]\n"),
    ("shared", "  %10 = lo %1\n"),
    ("shared", "  %10 = const.b32 0x18000\n"),
    ("local", "  %10 = lo %1\n"),
];

const OFFSETS: [i64; 6] = [0, 16, -16, 4080, 0x1_0000, -0x1_0000];

/// Bytes of an element, elements, sign.
fn shapes() -> Vec<(usize, usize, bool)> {
    let mut out = vec![];
    for bytes in [1, 2, 4, 8] {
        for count in [1, 2, 4, 8].into_iter().filter(|count| bytes * count <= 32) {
            out.push((bytes, count, false));
            if bytes < 4 {
                out.push((bytes, count, true));
            }
        }
    }
    out
}

fn pattern() -> Vec<u8> {
    let mut random = Random(21);
    (0..0x3_0000).map(|_| random.next() as u8).collect()
}

fn element(memory: &[u8], bytes: usize, signed: bool) -> u64 {
    match (bytes, signed) {
        (1, false) => memory[0] as u64,
        (1, true) => memory[0] as i8 as u32 as u64,
        (2, false) => u16::from_le_bytes([memory[0], memory[1]]) as u64,
        (2, true) => i16::from_le_bytes([memory[0], memory[1]]) as u32 as u64,
        (4, _) => u32::from_le_bytes(memory[..4].try_into().unwrap()) as u64,
        _ => u64::from_le_bytes(memory[..8].try_into().unwrap()),
    }
}

/// Kernel parameters of every size, also unaligned to a dword.
#[test]
fn parameters() {
    for (bytes, count, signed) in shapes() {
        for at in [0, 32, 64 + bytes * count, 128 + 3 * bytes * count] {
            let (letter, ty) = (if signed { 's' } else { 'u' }, if bytes == 8 { B64 } else { B32 });
            let vector = if count > 1 { format!(".v{count}") } else { String::new() };
            let names: Vec<String> = (0..count).map(|n| format!("%{}", 20 + n)).collect();
            let body = format!("  {} = load.param.{letter}{}{vector} [{at}]\n", names.join(", "), 8 * bytes);
            let outputs: Vec<(&str, Ty)> = names.iter().map(|n| (n.as_str(), ty)).collect();
            for id in TARGETS {
                let target = Target::parse(id).unwrap();
                let func = selected(&program("global", &[], &body, &outputs), id);
                let mut kernarg = pattern()[..256].to_vec();
                kernarg[..8].fill(0);
                let want: Vec<u64> = (0..count).map(|n| element(&kernarg[at + n * bytes..], bytes, signed)).collect();
                let mut lane = Lane::new(&func, &target, vec![0; 0x1000], kernarg);
                lane.run();
                let got: Vec<u64> = (0..count)
                    .map(|n| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap()))
                    .collect();
                assert_eq!(got, want, "{letter}{}{vector} at {at} on {id}", 8 * bytes);
            }
        }
    }
}
