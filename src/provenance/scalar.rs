//! What scalar ops do to named bits.
//!
//! Spec: the AMD ISA manuals, "SOP1", "SOP2" and "SOPK Instructions". SCC is not followed.

use super::word::{Bit, Word};

/// The dwords of a scalar op's result; the uses are lists of dwords too. `None`: no meaning here.
pub fn scalar(op: &str, uses: &[Vec<Word>]) -> Option<Vec<Word>> {
    let word = |n: usize| uses.get(n).and_then(|dwords| dwords.first()).copied().unwrap_or(Word::UNKNOWN);
    let (a, b) = (word(0), word(1));
    let one = match op {
        "s_mov_b32" => a,
        "s_not_b32" => a.inverted(),
        "s_brev_b32" => Word(std::array::from_fn(|n| a.0[31 - n])),
        "s_and_b32" => a.zip(&b, Bit::and),
        "s_or_b32" => a.zip(&b, Bit::or),
        "s_xor_b32" => a.zip(&b, Bit::xor),
        "s_and_not1_b32" => a.zip(&b.inverted(), Bit::and),
        "s_or_not1_b32" => a.zip(&b.inverted(), Bit::or),
        "s_lshl_b32" => {
            let by = b.low(5)? as usize;
            Word(std::array::from_fn(|n| if n < by { Bit::Zero } else { a.0[n - by] }))
        }
        "s_lshr_b32" => {
            let by = b.low(5)? as usize;
            Word(std::array::from_fn(|n| a.bit(n + by)))
        }
        "s_ashr_i32" => {
            let by = b.low(5)? as usize;
            Word(std::array::from_fn(|n| a.0[(n + by).min(31)]))
        }
        "s_bfe_u32" => field(&a, &b, |_| Bit::Zero)?,
        "s_bfe_i32" => field(&a, &b, |top| top)?,
        "s_sext_i32_i8" => extended(&a, 8),
        "s_sext_i32_i16" => extended(&a, 16),
        "s_pack_ll_b32_b16" => pack(&a, 0, &b, 0),
        "s_pack_lh_b32_b16" => pack(&a, 0, &b, 16),
        "s_pack_hh_b32_b16" => pack(&a, 16, &b, 16),
        "s_pack_hl_b32_b16" => pack(&a, 16, &b, 0),
        "s_add_co_u32" | "s_add_co_i32" => a.add(&b, Bit::Zero).0,
        "s_mov_b64" => return uses.first().cloned(),
        "s_lshr_b64" => {
            let (pair, by) = (pair(uses.first()?)?, b.low(6)? as usize);
            return Some(split(std::array::from_fn(|n| pair.get(n + by).copied().unwrap_or(Bit::Zero))));
        }
        "s_lshl_b64" => {
            let (pair, by) = (pair(uses.first()?)?, b.low(6)? as usize);
            return Some(split(std::array::from_fn(|n| if n < by { Bit::Zero } else { pair[n - by] })));
        }
        _ => return None,
    };
    Some(vec![one])
}

/// Offset \[4:0\], width \[22:16\] of the second source.
fn field(x: &Word, at: &Word, fill: impl Fn(Bit) -> Bit) -> Option<Word> {
    let at = at.low(23)? as usize;
    let (offset, width) = (at & 31, at >> 16);
    if width == 0 {
        return Some(Word::ZERO);
    }
    if offset + width > 32 {
        return None;
    }
    let top = x.0[offset + width - 1];
    Some(Word(std::array::from_fn(|n| if n < width { x.0[offset + n] } else { fill(top) })))
}

fn extended(x: &Word, bits: usize) -> Word {
    Word(std::array::from_fn(|n| x.0[n.min(bits - 1)]))
}

/// Low half from `low`, high half from `high`, each from a bit on.
fn pack(low: &Word, low_from: usize, high: &Word, high_from: usize) -> Word {
    Word(std::array::from_fn(|n| if n < 16 { low.0[low_from + n] } else { high.0[high_from + n - 16] }))
}

fn pair(dwords: &[Word]) -> Option<[Bit; 64]> {
    let [low, high] = dwords else { return None };
    Some(std::array::from_fn(|n| if n < 32 { low.0[n] } else { high.0[n - 32] }))
}

fn split(bits: [Bit; 64]) -> Vec<Word> {
    vec![Word(std::array::from_fn(|n| bits[n])), Word(std::array::from_fn(|n| bits[32 + n]))]
}
