//! Selectors in a register, first instructions with constants that no pool has.
//!
//! `v_alignbyte_b32` of two constants by the selector is a window over eight bytes of one's choice: byte k of it is constant number k + c.
//! Whether some constants make a second instruction give what is wanted is decided byte by byte: each of the seven that can be seen
//! has to suit every place where it is seen. Where a second instruction reads a window as an amount, each selector may have one of its own.

use super::register::{Tuple, selects};
use warp2wave::provenance::{Modifiers, Word, vector};

const SEEN: usize = 7;

/// Whether a window and one instruction that reads it give the wanted words of the selectors 0 to 3. Says yes also where amounts would have
/// to be in two places at once: what it rules out is ruled out.
pub fn may_do(wanted: &Tuple, data: &[&Tuple]) -> bool {
    data.iter().any(|x| {
        let alone = by_field(x, wanted) || by_packed_shift(x, wanted);
        alone || data.iter().any(|y| by_selector(x, y, wanted) || by_mask(x, y, wanted) || by_amount(x, y, wanted))
    })
}

/// For every byte of the constants, some value that suits all its places: `suits(value, k, c)`.
fn bytes_that_suit(values: u32, suits: impl Fn(u32, usize, usize) -> bool) -> bool {
    let places = |n: usize| (0..4).filter_map(move |c| n.checked_sub(c).filter(|&k| k < 4).map(|k| (k, c)));
    (0..SEEN).all(|n| (0..values).any(|value| places(n).all(|(k, c)| suits(value, k, c))))
}

fn by_selector(hi: &Tuple, lo: &Tuple, wanted: &Tuple) -> bool {
    bytes_that_suit(14, |selector, k, c| {
        let got = vector("v_perm_b32", &[hi[c], lo[c], Word::constant(selector)], Modifiers::default());
        got.is_some_and(|word| word.byte_bits(0) == wanted[c].byte_bits(k))
    })
}

/// The window as the mask of `v_bfi_b32`, and so of `and` and `or`: bit by bit.
fn by_mask(x: &Tuple, y: &Tuple, wanted: &Tuple) -> bool {
    (0..8).all(|bit| {
        bytes_that_suit(2, |side, k, c| {
            let from = if side == 1 { x } else { y };
            from[c].0[8 * k + bit] == wanted[c].0[8 * k + bit]
        })
    })
}

fn by_amount(x: &Tuple, y: &Tuple, wanted: &Tuple) -> bool {
    let any = |f: &dyn Fn(usize, Word) -> Option<Word>| {
        (0..wanted.len()).all(|c| (0..32).any(|n| f(c, Word::constant(n)) == Some(wanted[c])))
    };
    let plain = Modifiers::default();
    ["v_lshlrev_b32", "v_lshrrev_b32", "v_ashrrev_i32"].iter().any(|op| any(&|c, n| vector(op, &[n, x[c]], plain)))
        || any(&|c, n| vector("v_alignbit_b32", &[x[c], y[c], n], plain))
        || (0..32).any(|shift| {
            let by = Word::constant(shift);
            any(&|c, _| vector("v_lshl_or_b32", &[x[c], by, y[c]], plain))
        })
}

fn by_field(x: &Tuple, wanted: &Tuple) -> bool {
    ["v_bfe_u32", "v_bfe_i32"].iter().any(|op| {
        (0..wanted.len()).all(|c| {
            let mut fields = (0..32).flat_map(|from| (1..=32 - from).map(move |width| [from, width]));
            fields.any(|field| {
                let [from, width] = field.map(Word::constant);
                vector(op, &[x[c], from, width], Modifiers::default()) == Some(wanted[c])
            })
        })
    })
}

fn by_packed_shift(x: &Tuple, wanted: &Tuple) -> bool {
    ["v_pk_lshlrev_b16", "v_pk_lshrrev_b16", "v_pk_ashrrev_i16"].iter().any(|op| {
        selects().any(|mods| {
            (0..wanted.len()).all(|c| {
                let mut amounts = (0..16).flat_map(|low| (0..16).map(move |high| low | high << 16));
                amounts.any(|amount| {
                    // Each half of the amount for the half of the result beside it.
                    let mods = Modifiers { op_sel: mods.op_sel & !1, op_sel_hi: mods.op_sel_hi | 1, ..mods };
                    vector(op, &[Word::constant(amount), x[c]], mods) == Some(wanted[c])
                })
            })
        })
    })
}
