//! The host's `prmt`, written from the tables of the PTX ISA ("prmt"), and `02_prmt_modes.cu`, `03_byte_perm_intrin.cu`.

use super::case::{Case, Ptx, SHAPES};
use super::rng::Rng;

/// `prmt.b32 d, a, b, c`: each selector nibble picks one of eight bytes; its bit 3 replicates that byte's sign.
pub fn prmt(a: u32, b: u32, c: u32) -> u32 {
    let bytes = u64::from(b) << 32 | u64::from(a);
    let mut d = [0; 4];
    for (k, out) in d.iter_mut().enumerate() {
        let nibble = c >> (4 * k) & 15;
        let byte = (bytes >> (8 * (nibble & 7))) as u8;
        *out = match nibble & 8 {
            0 => byte,
            _ if byte & 0x80 != 0 => 0xff,
            _ => 0,
        };
    }
    u32::from_le_bytes(d)
}

/// The special modes: the row is the mode, the column c[1:0], a digit (most significant byte first) a byte of {b, a}.
const MODES: [(&str, [u16; 4]); 6] = [
    ("f4e", [0x3210, 0x4321, 0x5432, 0x6543]),
    ("b4e", [0x5670, 0x6701, 0x7012, 0x0123]),
    ("rc8", [0x0000, 0x1111, 0x2222, 0x3333]),
    ("ecl", [0x3210, 0x3211, 0x3222, 0x3333]),
    ("ecr", [0x0000, 0x1110, 0x2210, 0x3210]),
    ("rc16", [0x1010, 0x3232, 0x1010, 0x3232]),
];

/// `prmt.b32.MODE d, a, b, c`; the empty mode is the generic one.
pub fn prmt_mode(mode: &str, a: u32, b: u32, c: u32) -> u32 {
    match MODES.iter().find(|(name, _)| *name == mode) {
        Some((_, rows)) => prmt(a, b, rows[(c & 3) as usize].into()),
        None => prmt(a, b, c),
    }
}

/// Which constant mode and control the elements of `prmt_const_modes` have, in order.
const CONST_MODES: [(&str, u32); 14] = [
    ("f4e", 0),
    ("f4e", 1),
    ("f4e", 2),
    ("f4e", 3),
    ("b4e", 1),
    ("b4e", 3),
    ("rc8", 0),
    ("rc8", 2),
    ("ecl", 1),
    ("ecl", 2),
    ("ecr", 1),
    ("ecr", 2),
    ("rc16", 0),
    ("rc16", 1),
];

const CONST_PLAIN: [u32; 12] =
    [0x3210, 0x7654, 0x0123, 0x5410, 0x7632, 0x5140, 0x7362, 0x6420, 0x7531, 0x0000, 0x1032, 0x4321];
const CONST_SIGN: [u32; 8] = [0x8880, 0x9991, 0xaaa2, 0xbbb3, 0xba98, 0xfedc, 0xb3a2, 0x9180];

/// The words behind the first `n` groups of `each` stay as they were.
fn output<const N: usize>(
    rng: &mut Rng,
    len: usize,
    n: usize,
    item: impl Fn(usize) -> [u32; N],
) -> (Vec<u32>, Vec<u32>) {
    let before = rng.words(len * N);
    let mut after = before.clone();
    for i in 0..n {
        after[i * N..(i + 1) * N].copy_from_slice(&item(i));
    }
    (before, after)
}

pub fn prmt_modes(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("prmt_modes");
        let (a, b) = (rng.words(len + 1), rng.words(len));
        let n_arg = n as i32;

        // Selectors with junk in the upper half, which must not count.
        let selectors: Vec<u32> = (0..len).map(|_| rng.u32()).collect();
        let dynamic = [
            ("prmt_dyn_gen", ""),
            ("prmt_dyn_f4e", "f4e"),
            ("prmt_dyn_b4e", "b4e"),
            ("prmt_dyn_rc8", "rc8"),
            ("prmt_dyn_ecl", "ecl"),
            ("prmt_dyn_ecr", "ecr"),
            ("prmt_dyn_rc16", "rc16"),
        ];
        for (kernel, mode) in dynamic {
            let (before, after) = output(rng, len, n, |i| [prmt_mode(mode, a[i], b[i], selectors[i])]);
            cases.push(shape.case(kernel).read(&a).read(&b).read(&selectors).write(&before, &after).val(n_arg));
        }

        let (before, after) = output(rng, len, n, |i| CONST_PLAIN.map(|c| prmt(a[i], b[i], c)));
        cases.push(shape.case("prmt_const_plain").read(&a).read(&b).write(&before, &after).val(n_arg));
        let (before, after) = output(rng, len, n, |i| CONST_SIGN.map(|c| prmt(a[i], b[i], c)));
        cases.push(shape.case("prmt_const_sign").read(&a).read(&b).write(&before, &after).val(n_arg));
        let (before, after) = output(rng, len, n, |i| CONST_MODES.map(|(mode, c)| prmt_mode(mode, a[i], b[i], c)));
        cases.push(shape.case("prmt_const_modes").read(&a).read(&b).write(&before, &after).val(n_arg));

        let before = a.clone();
        let after: Vec<u32> = (0..=len).map(|i| if i < n { operand_forms(before[i]) } else { before[i] }).collect();
        cases.push(shape.case("prmt_operand_forms").write(&before, &after).val(n_arg));

        // Both results are the four bytes from byte `threadIdx.x & 3` of the pair.
        let (before, after) = output(rng, len, n, |i| {
            let pair = u64::from(a[i + 1]) << 32 | u64::from(a[i]);
            [(pair >> (8 * ((i as u32 % shape.block) & 3))) as u32; 2]
        });
        cases.push(shape.case("prmt_byte_funnel").read(&a).write(&before, &after).val(n_arg));

        let table: Vec<u8> = rng.bytes(16);
        let t = super::case::words_of(&table);
        // The low nibble of each input byte indexes the table.
        let (before, after) =
            output(rng, len, n, |i| [u32::from_le_bytes(a[i].to_le_bytes().map(|byte| table[usize::from(byte & 15)]))]);
        let case = shape.case("prmt_lut16").read(&a).write(&before, &after);
        cases.push(case.val(t[0]).val(t[1]).val(t[2]).val(t[3]).val(n_arg));
    }
    cases.extend(all_selectors());
    cases
}

/// Every one of the 65,536 selectors of the generic mode, in blocks of 256.
fn all_selectors() -> Option<Case> {
    let rng = &mut Rng::of("all_selectors");
    let selectors: Vec<u32> = (0..0x1_0000).map(|c| c | rng.u32() << 16).collect();
    let a: Vec<u32> = selectors.iter().map(|_| rng.u32()).collect();
    let b: Vec<u32> = selectors.iter().map(|_| rng.u32()).collect();
    let after: Vec<u32> = (0..a.len()).map(|i| prmt(a[i], b[i], selectors[i])).collect();
    let case = Case::new("prmt_dyn_gen", 256, 256).note("every selector").read(&a).read(&b).read(&selectors);
    Some(case.write(&vec![0u32; a.len()], &after).val(a.len() as i32))
}

fn operand_forms(v: u32) -> u32 {
    let v = prmt(v, 0, 0x4140);
    let v = prmt(v, 0x6400_6400, 25152);
    let v = prmt(0x0302_0100, 0x0706_0504, v);
    let v = prmt(v, v, 0x2301);
    prmt(v, 0, 0x8080) ^ v
}

pub fn byte_perm(_: &Ptx) -> Vec<Case> {
    let mut cases = vec![];
    for shape in SHAPES {
        let (n, len) = (shape.n, shape.len());
        let rng = &mut Rng::of("byte_perm");
        let (a, b) = (rng.words(len), rng.words(len));
        let n_arg = n as i32;

        let (before, after) = output(rng, len, n, |i| {
            let (x, y) = (a[i], b[i]);
            let (xb, yb) = (x.to_le_bytes(), y.to_le_bytes());
            let pick = |p: [u8; 4]| u32::from_le_bytes(p);
            [
                pick([xb[0], xb[1], yb[0], yb[1]]),
                pick([xb[2], xb[3], yb[2], yb[3]]),
                pick([xb[0], xb[2], yb[0], yb[2]]),
                pick([xb[1], xb[3], yb[1], yb[3]]),
                xb[0].into(),
                xb[1].into(),
                xb[2].into(),
                xb[3].into(),
            ]
        });
        cases.push(shape.case("byte_perm_table").read(&a).read(&b).write(&before, &after).val(n_arg));

        // __byte_perm takes three bits of each nibble: it never replicates a sign.
        let selectors: Vec<u32> = (0..len).map(|_| rng.u32()).collect();
        let (before, after) = output(rng, len, n, |i| {
            let bytes = (u64::from(b[i]) << 32 | u64::from(a[i])).to_le_bytes();
            [u32::from_le_bytes([0, 4, 8, 12].map(|at| bytes[(selectors[i] >> at & 7) as usize]))]
        });
        let case = shape.case("byte_perm_dynamic").read(&a).read(&b).read(&selectors);
        cases.push(case.write(&before, &after).val(n_arg));

        let quads = rng.words(4 * len);
        let (before, after) = output::<4>(rng, len, n, |i| {
            let rows: [[u8; 4]; 4] = std::array::from_fn(|r| quads[4 * i + r].to_le_bytes());
            std::array::from_fn(|c| u32::from_le_bytes(std::array::from_fn(|r| rows[r][c])))
        });
        cases.push(shape.case("byte_transpose4").read(&quads).write(&before, &after).val(n_arg));

        // Offsets in bytes; the word behind the last one is read too.
        let offsets: Vec<i32> = (0..len).map(|_| rng.between(0, 4 * (len as i32 - 2) + 3)).collect();
        let bytes: Vec<u8> = a.iter().flat_map(|w| w.to_le_bytes()).collect();
        let (before, after) = output(rng, len, n, |i| {
            let at = offsets[i] as usize;
            [u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])]
        });
        cases.push(shape.case("unaligned_load").read(&a).read(&offsets).write(&before, &after).val(n_arg));

        let (before, after) = output(rng, len, n, |i| [8, 16, 24].map(|by| a[i].rotate_left(by)));
        cases.push(shape.case("rotate_left_bytes").read(&a).write(&before, &after).val(n_arg));

        let (before, after) = output(rng, len, n, |i| {
            let (x, y) = (a[i].to_le_bytes(), b[i].to_le_bytes());
            [
                u32::from_le_bytes([x[0], x[1], y[0], y[1]]),
                u32::from_le_bytes([x[2], x[3], y[2], y[3]]),
                // Byte 1 and 3 stay; 0 goes to 2, 2 to 0.
                u32::from_le_bytes([x[2], x[1], x[0], x[3]]),
                u32::from_le_bytes([x[1], x[2], x[3], y[0]]),
            ]
        });
        cases.push(shape.case("shifts_that_become_prmt").read(&a).read(&b).write(&before, &after).val(n_arg));

        let planes: [Vec<u8>; 4] = std::array::from_fn(|_| rng.bytes(len));
        let (before, after) = output(rng, len, n, |i| [u32::from_le_bytes(std::array::from_fn(|p| planes[p][i]))]);
        let case = planes.iter().fold(shape.case("pack_bytes"), |case, plane| case.read(plane));
        cases.push(case.write(&before, &after).val(n_arg));
    }
    cases
}

#[test]
fn prmt_follows_the_tables_of_the_manual() {
    let (a, b) = (0x8302_8100, 0x0786_0584);
    assert_eq!(prmt(a, b, 0x3210), a);
    assert_eq!(prmt(a, b, 0x7654), b);
    assert_eq!(prmt(a, b, 0x0123), a.swap_bytes());
    // Signs: bytes 1, 3, 4 and 6 are negative.
    assert_eq!(prmt(a, b, 0xba98), 0xff00_ff00);
    assert_eq!(prmt(a, b, 0xfedc), 0x00ff_00ff);
    // Only c[15:0] counts.
    assert_eq!(prmt(a, b, 0xdead_3210), a);
    // The manual's f4e row 1: bytes 4, 3, 2, 1 of {b, a}; b4e row 1: 6, 7, 0, 1; ecr row 2: 2, 2, 1, 0.
    assert_eq!(prmt_mode("f4e", a, b, 1), 0x8483_0281);
    assert_eq!(prmt_mode("b4e", a, b, 1), 0x8607_0081);
    assert_eq!(prmt_mode("rc8", a, b, 6), 0x0202_0202);
    assert_eq!(prmt_mode("ecl", a, b, 1), 0x8302_8181);
    assert_eq!(prmt_mode("ecr", a, b, 2), 0x0202_8100);
    assert_eq!(prmt_mode("rc16", a, b, 3), 0x8302_8302);
}
