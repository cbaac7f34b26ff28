//! What vector ops do to named bits.
//!
//! Spec: the AMD ISA manuals (Vega 7nm, MI300, RDNA2 to RDNA4), "VOP1", "VOP2", "VOP3" and "VOP3P Instructions", and "SDWA".
//! Written for proofs: an amount, a selector or a truth table must be known, or the result is not.

use super::word::{Bit, Word};

/// The modifiers that change which bits go where; all zero is none, but for `op_sel_hi`, whose default is ones.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Modifiers {
    /// Bit i: the low result takes the high half of source i. Bit 3: the high half of the destination is written (VOP3).
    pub op_sel: u8,
    /// VOP3P, bit i: the high result takes the high half of source i.
    pub op_sel_hi: u8,
    /// The truth table of `v_bitop3_b32`.
    pub table: u8,
}

impl Default for Modifiers {
    fn default() -> Modifiers {
        Modifiers { op_sel: 0, op_sel_hi: 0b111, table: 0 }
    }
}

/// The result of a vector op whose mnemonic is given in its newest spelling, or `None` for one without a meaning here.
pub fn vector(op: &str, uses: &[Word], mods: Modifiers) -> Option<Word> {
    let [a, b, c] = [0, 1, 2].map(|n| uses.get(n).copied().unwrap_or(Word::UNKNOWN));
    Some(match op {
        "v_mov_b32" | "v_readfirstlane_b32" => a,
        "v_not_b32" => a.inverted(),
        "v_bfrev_b32" => Word(std::array::from_fn(|n| a.0[31 - n])),
        "v_and_b32" => a.zip(&b, Bit::and),
        "v_or_b32" => a.zip(&b, Bit::or),
        "v_xor_b32" => a.zip(&b, Bit::xor),
        "v_xnor_b32" => a.zip(&b, Bit::xor).inverted(),
        "v_and_or_b32" => a.zip(&b, Bit::and).zip(&c, Bit::or),
        "v_or3_b32" => a.zip(&b, Bit::or).zip(&c, Bit::or),
        "v_xor3_b32" => a.zip(&b, Bit::xor).zip(&c, Bit::xor),
        // D = (S0 & S1) | (~S0 & S2).
        "v_bfi_b32" => Word(std::array::from_fn(|n| a.0[n].select(b.0[n], c.0[n]))),
        "v_bitop3_b32" => Word(std::array::from_fn(|n| table_bit(mods.table, [a.0[n], b.0[n], c.0[n]]))),
        // The reversed shifts take the amount first, five bits of it.
        "v_lshlrev_b32" => shl(&b, amount(&a)?),
        "v_lshrrev_b32" => shr(&b, amount(&a)?),
        "v_ashrrev_i32" => sar(&b, amount(&a)?),
        "v_lshl_or_b32" => shl(&a, amount(&b)?).zip(&c, Bit::or),
        "v_lshl_add_u32" => sum(&shl(&a, amount(&b)?), &c),
        "v_add_lshl_u32" => shl(&sum(&a, &b), amount(&c)?),
        "v_add_nc_u32" => sum(&a, &b),
        "v_add3_u32" => sum(&sum(&a, &b), &c),
        "v_sub_nc_u32" => a.add(&b.inverted(), Bit::One).0,
        "v_subrev_nc_u32" => b.add(&a.inverted(), Bit::One).0,
        "v_alignbit_b32" => funnel(&a, &b, c.low(5)? as usize),
        "v_alignbyte_b32" => funnel(&a, &b, 8 * c.low(2)? as usize),
        "v_bfe_u32" => field(&a, &b, &c, |_| Bit::Zero)?,
        "v_bfe_i32" => field(&a, &b, &c, |top| top)?,
        "v_perm_b32" => Word::from_bytes(std::array::from_fn(|n| perm_byte(&a, &b, &c.byte_bits(n)))),
        "v_mul_u32_u24" => product(&low24(&a, Bit::Zero), &low24(&b, Bit::Zero))?,
        "v_mul_i32_i24" => product(&low24(&a, a.0[23]), &low24(&b, b.0[23]))?,
        "v_mul_lo_u32" => product(&a, &b)?,
        "v_mad_u32_u24" => sum(&product(&low24(&a, Bit::Zero), &low24(&b, Bit::Zero))?, &c),
        "v_pk_lshlrev_b16" => halves(uses, mods, |[n, x, _]| {
            let by = half_amount(&n)?;
            Some(std::array::from_fn(|i| if i < by { Bit::Zero } else { x[i - by] }))
        }),
        "v_pk_lshrrev_b16" => halves(uses, mods, |[n, x, _]| {
            let by = half_amount(&n)?;
            Some(std::array::from_fn(|i| if i + by < 16 { x[i + by] } else { Bit::Zero }))
        }),
        "v_pk_ashrrev_i16" => halves(uses, mods, |[n, x, _]| {
            let by = half_amount(&n)?;
            Some(std::array::from_fn(|i| x[(i + by).min(15)]))
        }),
        "v_pk_mul_lo_u16" => halves(uses, mods, |[x, y, _]| half_product(&x, &y)),
        "v_pk_mad_u16" | "v_pk_mad_i16" => {
            halves(uses, mods, |[x, y, z]| half_product(&x, &y).map(|product| half_sum(&product, &z)))
        }
        "v_pk_add_u16" | "v_pk_add_i16" => halves(uses, mods, |[x, y, _]| Some(half_sum(&x, &y))),
        // A pack of 16-bit floats moves both halves as they are when subnormals are kept, which is how kernels run; a signalling NaN may
        // be quieted, so the names hold for other values only and none are given.
        "v_pack_b32_f16" => return None,
        _ => return None,
    })
}

/// The part of a dword that SDWA reads or writes: first bit and width (8, 16 or 32).
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Part {
    pub first: u8,
    pub width: u8,
}

impl Part {
    pub const DWORD: Part = Part { first: 0, width: 32 };
    /// In the order of the encodings: bytes, words, the dword.
    pub const ALL: [Part; 7] = [
        Part { first: 0, width: 8 },
        Part { first: 8, width: 8 },
        Part { first: 16, width: 8 },
        Part { first: 24, width: 8 },
        Part { first: 0, width: 16 },
        Part { first: 16, width: 16 },
        Part::DWORD,
    ];
}

/// What SDWA puts into the rest of the destination.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Rest {
    /// Zeros.
    Pad,
    /// The sign of the result above it, zeros below it.
    Sext,
    /// What was there.
    Preserve,
}

/// A source as SDWA reads it: the part, in the low bits, with zeros or its sign above.
pub fn sdwa_source(word: &Word, part: Part, sext: bool) -> Word {
    let (first, width) = (part.first as usize, part.width as usize);
    let fill = if sext { word.0[first + width - 1] } else { Bit::Zero };
    Word(std::array::from_fn(|n| if n < width { word.0[first + n] } else { fill }))
}

/// The destination as SDWA writes it: the low bits of the result into the part.
pub fn sdwa_result(result: &Word, part: Part, rest: Rest, old: &Word) -> Word {
    let (first, width) = (part.first as usize, part.width as usize);
    Word(std::array::from_fn(|n| {
        if (first..first + width).contains(&n) {
            return result.0[n - first];
        }
        match rest {
            Rest::Pad => Bit::Zero,
            Rest::Sext if n >= first + width => result.0[width - 1],
            Rest::Sext => Bit::Zero,
            Rest::Preserve => old.0[n],
        }
    }))
}

/// One byte of `v_perm_b32`: selector 0 to 3 picks a byte of S1, 4 to 7 of S0, 8 to 11 the sign of byte 1, 3, 5 or 7 of the pair, 12 is
/// 0x00 and everything above 0xff. The whole selector byte counts.
fn perm_byte(s0: &Word, s1: &Word, selector: &[Bit; 8]) -> [Bit; 8] {
    let of = |n: usize| if n < 4 { s1.byte_bits(n) } else { s0.byte_bits(n - 4) };
    let pick = |selector: usize| match selector {
        0..=7 => of(selector),
        8..=11 => [of(2 * (selector - 8) + 1)[7]; 8],
        12 => [Bit::Zero; 8],
        _ => [Bit::One; 8],
    };
    let mut known = 0;
    for (n, bit) in selector.iter().enumerate() {
        match bit.value() {
            Some(set) => known |= usize::from(set) << n,
            None => return [Bit::Unknown; 8],
        }
    }
    pick(known)
}

fn amount(word: &Word) -> Option<usize> {
    word.low(5).map(|n| n as usize)
}

fn shl(x: &Word, by: usize) -> Word {
    Word(std::array::from_fn(|n| if n < by { Bit::Zero } else { x.0[n - by] }))
}

fn shr(x: &Word, by: usize) -> Word {
    Word(std::array::from_fn(|n| x.bit(n + by)))
}

fn sar(x: &Word, by: usize) -> Word {
    Word(std::array::from_fn(|n| x.0[(n + by).min(31)]))
}

fn sum(a: &Word, b: &Word) -> Word {
    a.add(b, Bit::Zero).0
}

/// The low dword of {hi, lo} >> by.
fn funnel(hi: &Word, lo: &Word, by: usize) -> Word {
    Word(std::array::from_fn(|n| if n + by < 32 { lo.0[n + by] } else { hi.0[n + by - 32] }))
}

/// Width and offset are five bits each; a width of 0 is an empty field.
fn field(x: &Word, offset: &Word, width: &Word, fill: impl Fn(Bit) -> Bit) -> Option<Word> {
    let (offset, width) = (offset.low(5)? as usize, width.low(5)? as usize);
    if width == 0 {
        return Some(Word::ZERO);
    }
    if offset + width > 32 {
        // What is beyond the top differs between manuals; no sequence of ours asks.
        return None;
    }
    let top = x.0[offset + width - 1];
    Some(Word(std::array::from_fn(|n| if n < width { x.0[offset + n] } else { fill(top) })))
}

fn low24(x: &Word, fill: Bit) -> Word {
    Word(std::array::from_fn(|n| if n < 24 { x.0[n] } else { fill }))
}

/// The low dword of a product of which one factor is known: a sum of shifts.
fn product(a: &Word, b: &Word) -> Option<Word> {
    let (x, factor) = match (a.value(), b.value()) {
        (_, Some(factor)) => (a, factor),
        (Some(factor), None) => (b, factor),
        (None, None) => return None,
    };
    let places = (0..32).filter(|n| factor >> n & 1 == 1);
    Some(places.fold(Word::ZERO, |total, n| sum(&total, &shl(x, n))))
}

type Half = [Bit; 16];

/// Both results of a packed op, each of the halves that its selects name. A half of unknown amount is unknown.
fn halves(uses: &[Word], mods: Modifiers, f: impl Fn([Half; 3]) -> Option<Half>) -> Word {
    let half = |i: usize, high: bool| -> Half {
        let from = if high { 16 } else { 0 };
        std::array::from_fn(|n| uses.get(i).map_or(Bit::Unknown, |word| word.0[from + n]))
    };
    let side = |selects: u8| f(std::array::from_fn(|i| half(i, selects >> i & 1 == 1))).unwrap_or([Bit::Unknown; 16]);
    let (low, high) = (side(mods.op_sel), side(mods.op_sel_hi));
    Word(std::array::from_fn(|n| if n < 16 { low[n] } else { high[n - 16] }))
}

/// Four bits of the amount.
fn half_amount(half: &Half) -> Option<usize> {
    let mut by = 0;
    for (n, bit) in half.iter().enumerate().take(4) {
        by |= usize::from(bit.value()?) << n;
    }
    Some(by)
}

fn wide(half: &Half) -> Word {
    Word(std::array::from_fn(|n| if n < 16 { half[n] } else { Bit::Zero }))
}

fn half_sum(x: &Half, y: &Half) -> Half {
    let sum = sum(&wide(x), &wide(y));
    std::array::from_fn(|n| sum.0[n])
}

/// Its low half.
fn half_product(x: &Half, y: &Half) -> Option<Half> {
    let product = product(&wide(x), &wide(y))?;
    Some(std::array::from_fn(|n| product.0[n]))
}

/// The table's bit at index S0 S1 S2, S0 the highest.
fn table_bit(table: u8, [a, b, c]: [Bit; 3]) -> Bit {
    let entry = |n: u8| Bit::known(table >> n & 1 == 1);
    let pair = |n: u8| c.select(entry(n | 1), entry(n));
    let quad = |n: u8| b.select(pair(n | 2), pair(n));
    a.select(quad(4), quad(0))
}
