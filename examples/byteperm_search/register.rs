//! Selectors in a register: how few instructions are certainly too few.
//!
//! A value is what it is for each selector that is tried, all bits of the selector but those that count being named. One and two
//! instructions are searched: operands are `a`, `b`, the selector, the first instruction's result and a pool of constants, and where a
//! second instruction takes a constant that can be solved for (the selector of `v_perm_b32`, the mask of a bitwise op), every
//! constant there is; so too for a first instruction that is a window over constants ([`super::windows`]). So what is not found in two needs
//! three, but for other first instructions with constants outside the pool.

use super::windows;
use std::collections::HashSet;
use warp2wave::provenance::{Bit, Modifiers, Word, vector};

const MODES: [(&str, [[u8; 4]; 4]); 6] = [
    ("f4e", [[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]]),
    ("b4e", [[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]]),
    ("rc8", [[0; 4], [1; 4], [2; 4], [3; 4]]),
    ("ecl", [[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3; 4]]),
    ("ecr", [[0; 4], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]]),
    ("rc16", [[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]]),
];

/// What a value is, selector by selector.
pub type Tuple = Vec<Word>;

const POOL: [u32; 22] = [
    0,
    1,
    2,
    3,
    4,
    8,
    12,
    16,
    24,
    31,
    u32::MAX,
    0x0302_0100,
    0x0001_0203,
    0x0405_0607,
    0x0706_0504,
    0x0101_0101,
    0x0707_0707,
    0x0f0f_0f0f,
    0x0808_0808,
    0xfcfd_ff00,
    0x0c0c_0c00,
    0x00ff_00ff,
];

const TWO: [&str; 11] = [
    "v_lshlrev_b32",
    "v_lshrrev_b32",
    "v_ashrrev_i32",
    "v_and_b32",
    "v_or_b32",
    "v_xor_b32",
    "v_add_nc_u32",
    "v_sub_nc_u32",
    "v_mul_u32_u24",
    "v_mul_i32_i24",
    "v_mul_lo_u32",
];
const THREE: [&str; 13] = [
    "v_perm_b32",
    "v_alignbit_b32",
    "v_alignbyte_b32",
    "v_bfe_u32",
    "v_bfe_i32",
    "v_bfi_b32",
    "v_lshl_or_b32",
    "v_and_or_b32",
    "v_or3_b32",
    "v_lshl_add_u32",
    "v_add_lshl_u32",
    "v_add3_u32",
    "v_mad_u32_u24",
];
const PACKED: [&str; 4] = ["v_pk_lshlrev_b16", "v_pk_lshrrev_b16", "v_pk_ashrrev_i16", "v_pk_add_u16"];

fn apply(op: &str, uses: &[&Tuple], mods: Modifiers, n: usize) -> Option<Word> {
    let words: Vec<Word> = uses.iter().map(|tuple| tuple[n]).collect();
    vector(op, &words, mods)
}

fn all_of(op: &str, uses: &[&Tuple], mods: Modifiers) -> Option<Tuple> {
    (0..uses[0].len()).map(|n| apply(op, uses, mods, n)).collect()
}

/// The halves that a packed op of two sources can select.
pub fn selects() -> impl Iterator<Item = Modifiers> {
    (0..16u8).map(|n| Modifiers { op_sel: n & 3, op_sel_hi: n >> 2 | 0b100, table: 0 })
}

/// Calls `f` with every instruction over the operands of which one is `must`, if given.
fn each(operands: &[&Tuple], must: Option<usize>, mut f: impl FnMut(&'static str, &[&Tuple], Modifiers)) {
    let count = operands.len();
    let wanted = |list: &[usize]| must.is_none_or(|m| list.contains(&m));
    let plain = Modifiers::default();
    for x in 0..count {
        if wanted(&[x]) {
            f("v_not_b32", &[operands[x]], plain);
            f("v_bfrev_b32", &[operands[x]], plain);
        }
        for y in 0..count {
            if wanted(&[x, y]) {
                TWO.iter().for_each(|op| f(op, &[operands[x], operands[y]], plain));
                for op in PACKED {
                    selects().for_each(|mods| f(op, &[operands[x], operands[y]], mods));
                }
            }
            for z in 0..count {
                if wanted(&[x, y, z]) {
                    THREE.iter().for_each(|op| f(op, &[operands[x], operands[y], operands[z]], plain));
                }
            }
        }
    }
}

/// Whether one `v_perm_b32` of these with some constant selector gives the wanted words.
fn solved_by_perm(hi: &Tuple, lo: &Tuple, wanted: &Tuple) -> bool {
    (0..4).all(|byte| {
        (0..14u32).any(|selector| {
            (0..wanted.len()).all(|n| {
                let got = vector("v_perm_b32", &[hi[n], lo[n], Word::constant(selector)], Modifiers::default());
                got.is_some_and(|word| word.byte_bits(0) == wanted[n].byte_bits(byte))
            })
        })
    })
}

/// Whether a select by some constant mask between these gives the wanted words.
fn solved_by_mask(x: &Tuple, y: &Tuple, wanted: &Tuple) -> bool {
    (0..32).all(|bit| {
        let is = |side: &Tuple| (0..wanted.len()).all(|n| side[n].0[bit] == wanted[n].0[bit]);
        is(x) || is(y)
    })
}

/// The fewest instructions up to two, or three for "more than two".
fn fewest(wanted: &Tuple, operands: &[&Tuple], firsts: &[Tuple]) -> u32 {
    let mut found = 3;
    let check = |got: Option<Word>| got.is_some_and(|word| word == wanted[0]);
    each(operands, None, |op, uses, mods| {
        if check(apply(op, uses, mods, 0)) && all_of(op, uses, mods).is_some_and(|tuple| tuple == *wanted) {
            found = 1;
        }
    });
    if found == 1 {
        return 1;
    }
    for first in firsts {
        let mut with: Vec<&Tuple> = operands[..3].to_vec();
        // Constants of the second instruction: amounts of whole bytes; selectors and masks are solved for.
        with.extend(operands[3..].iter().filter(|tuple| matches!(tuple[0].value(), Some(0 | 8 | 16 | 24 | u32::MAX))));
        let place = with.len();
        with.push(first);
        // The result depends on the selector and on the data, so what is read must.
        let (selects, has_data) = (depends(first), holds_data(first));
        each(&with, Some(place), |op, uses, mods| {
            let reads = |n: usize| uses.iter().any(|tuple| std::ptr::eq(*tuple, with[n]));
            if !selects && !reads(2) || !has_data && !reads(0) && !reads(1) {
                return;
            }
            if check(apply(op, uses, mods, 0)) && all_of(op, uses, mods).is_some_and(|tuple| tuple == *wanted) {
                found = 2;
            }
        });
        for other in with.iter().filter(|_| selects && has_data) {
            if solved_by_perm(first, other, wanted)
                || solved_by_perm(other, first, wanted)
                || solved_by_mask(first, other, wanted)
            {
                found = 2;
            }
        }
        if found == 2 {
            return 2;
        }
    }
    found
}

/// Whether a value differs from selector to selector, or has bits of it.
fn depends(tuple: &Tuple) -> bool {
    tuple.iter().any(|word| *word != tuple[0] || word.0.iter().any(|bit| matches!(bit, Bit::Of { source: 2, .. })))
}

fn holds_data(tuple: &Tuple) -> bool {
    tuple.iter().all(|word| word.0.iter().any(|bit| matches!(bit, Bit::Of { source: 0 | 1, .. })))
}

pub fn report() {
    let (a, b) = (Word::named(0), Word::named(1));
    let c = Word::named(2);
    let selector = |value: u32, bits: usize| -> Word {
        Word(std::array::from_fn(|n| if n < bits { Bit::known(value >> n & 1 == 1) } else { c.0[n] }))
    };
    let byte = |n: u8| if n < 4 { a.byte_bits(n as usize) } else { b.byte_bits(n as usize - 4) };
    for (mode, table) in MODES {
        let wanted: Tuple = table.iter().map(|row| Word::from_bytes(row.map(byte))).collect();
        let selectors: Tuple = (0..4).map(|n| selector(n, 2)).collect();
        let (left, right): (Tuple, Tuple) = (vec![a; 4], vec![b; 4]);
        let searched = least(&wanted, &selectors);
        let by_window = windows::may_do(&wanted, &[&left, &right]);
        println!("  register selector, {mode}: at least {}", if by_window { searched.min(2) } else { searched });
    }
    // Any few selectors bound the generic form from below.
    let values = [0x3210, 0x7654, 0x0123, 0x8d41, 0xb2e7, 0x0f0a];
    let selectors: Tuple = values.iter().map(|&value| selector(value, 16)).collect();
    for (name, signs) in [("generic", true), ("generic without signs", false)] {
        let wanted: Tuple = values
            .iter()
            .map(|value| {
                Word::from_bytes(std::array::from_fn(|n| {
                    let nibble = (value >> (4 * n) & 15) as u8;
                    let bits = byte(nibble & 7);
                    if signs && nibble > 7 { [bits[7]; 8] } else { bits }
                }))
            })
            .collect();
        println!("  register selector, {name}: at least {}", least(&wanted, &selectors));
    }
}

fn least(wanted: &Tuple, selectors: &Tuple) -> u32 {
    let count = wanted.len();
    let fixed = |word: Word| vec![word; count];
    let mut values: Vec<Tuple> = vec![fixed(Word::named(0)), fixed(Word::named(1)), selectors.clone()];
    values.extend(POOL.iter().map(|&bits| fixed(Word::constant(bits))));
    let operands: Vec<&Tuple> = values.iter().collect();
    let mut seen: HashSet<Tuple> = HashSet::new();
    let mut firsts: Vec<Tuple> = vec![];
    each(&operands, None, |op, uses, mods| {
        let Some(tuple) = all_of(op, uses, mods) else { return };
        // A constant, or nothing known of it, is no help.
        let constant = tuple.iter().all(|word| *word == tuple[0] && word.value().is_some());
        let unknown = tuple.iter().any(|word| word.0.iter().filter(|&&bit| bit == Bit::Unknown).count() > 24);
        if !constant && !unknown && seen.insert(tuple.clone()) {
            firsts.push(tuple);
        }
    });
    fewest(wanted, &operands, &firsts)
}
