//! Constant selections: the fewest instructions, and among those the fewest constants that need a literal or a register.
//!
//! A selection is four symbols of eighteen: bytes and signs of two dwords, 0x00, 0xff. All 104,976 are searched, breadth first:
//! every instruction of [`super::forms`] and every `v_perm_b32` over `a` and `b` (one), then every instruction over those results
//! (two). Three always do: two `v_perm_b32` gather the bytes whose signs are wanted at odd places, a third spreads them.
//!
//! `v_perm_b32` is not enumerated as a second instruction but solved: it can make a selection of two registers exactly when each
//! wanted byte is a byte of one of them, the sign of an odd byte, or constant. The other second instructions are run over every
//! helper that a short argument does not rule out ([`Search::can_lead_to`]).

use super::forms::{Form, SdwaForms, Use, forms, inline_constants};
use std::collections::HashMap;
use warp2wave::provenance::{Bit, Byte, Word};

/// Bytes 0 to 3 of `a` and 4 to 7 of `b`; 8 to 15 their signs; 16 zero; 17 ones.
pub type Symbol = u8;
pub const SYMBOLS: usize = 18;
pub const ZERO: Symbol = 16;
pub const ONES: Symbol = 17;
pub type Selection = [Symbol; 4];

pub fn index(s: Selection) -> usize {
    s.iter().rev().fold(0, |n, &symbol| n * SYMBOLS + symbol as usize)
}

pub fn selection(mut index: usize) -> Selection {
    std::array::from_fn(|_| {
        let symbol = (index % SYMBOLS) as u8;
        index /= SYMBOLS;
        symbol
    })
}

pub const COUNT: usize = SYMBOLS * SYMBOLS * SYMBOLS * SYMBOLS;

fn symbol_of(byte: Byte) -> Option<Symbol> {
    match byte {
        Byte::Of { source, byte } => Some(4 * source + byte),
        Byte::Sign { source, byte } => Some(8 + 4 * source + byte),
        Byte::Known(0) => Some(ZERO),
        Byte::Known(0xff) => Some(ONES),
        Byte::Known(_) | Byte::Mixed => None,
    }
}

pub fn selection_of(word: &Word) -> Option<Selection> {
    let mut out = [0; 4];
    for (symbol, byte) in out.iter_mut().zip(word.bytes()) {
        *symbol = symbol_of(byte)?;
    }
    Some(out)
}

/// Signs of even bytes, each once: what `v_perm_b32` alone cannot give.
pub fn even_signs(s: Selection) -> usize {
    (8..16u8).filter(|n| n % 2 == 0 && s.contains(n)).count()
}

/// What `v_perm_b32` can take from a register: its four bytes, and the signs of bytes 1 and 3.
pub fn symbols_within(word: &Word) -> [Option<Symbol>; 6] {
    let sign = |byte: usize| match word.0[8 * byte + 7] {
        Bit::Of { source, bit } if bit % 8 == 7 => Some(8 + 4 * source + bit / 8),
        Bit::Zero => Some(ZERO),
        Bit::One => Some(ONES),
        Bit::Of { .. } | Bit::Unknown => None,
    };
    let byte = |n: usize| symbol_of(word.byte(n));
    [byte(0), byte(1), byte(2), byte(3), sign(1), sign(3)]
}

/// The symbols, as bits, that one `v_perm_b32` can give of a register pair.
fn within_reach(words: &[Word; 2]) -> u32 {
    let symbols = words.iter().flat_map(symbols_within).flatten();
    symbols.fold(1 << ZERO | 1 << ONES, |mask, symbol| mask | 1 << symbol)
}

fn symbols_mask(s: Selection) -> u32 {
    s.iter().fold(0, |mask, &symbol| mask | 1 << symbol)
}

/// Instructions, then constants.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cost {
    pub ops: u32,
    pub literals: u32,
}

/// How a selection is reached.
#[derive(Clone, Debug)]
pub struct Found {
    pub cost: Cost,
    pub steps: Vec<Form>,
}

/// A result of one instruction.
struct Helper {
    word: Word,
    form: Form,
    literals: u32,
}

pub struct Search {
    pub best: Vec<Option<Found>>,
    /// What was evaluated.
    pub evaluated: u64,
}

fn perm(hi: u8, lo: u8, selector: u32) -> Form {
    Form::new("v_perm_b32", &[Use::Place(hi), Use::Place(lo), Use::Constant(selector)])
}

impl Search {
    pub fn run(sdwa: SdwaForms) -> Search {
        let mut search = Search { best: vec![None; COUNT], evaluated: 0 };
        let places = [Word::named(0), Word::named(1)];
        for s in places.iter().filter_map(selection_of) {
            search.offer(s, Cost { ops: 0, literals: 0 }, Vec::new);
        }
        let helpers = search.first(&places, sdwa);
        search.second_by_perm(&places, &helpers);
        search.second_by_others(&places, &helpers, sdwa);
        search.third();
        search
    }

    fn offer(&mut self, s: Selection, cost: Cost, steps: impl FnOnce() -> Vec<Form>) {
        let slot = &mut self.best[index(s)];
        if slot.as_ref().is_none_or(|found| cost < found.cost) {
            *slot = Some(Found { cost, steps: steps() });
        }
    }

    /// One instruction. Gives every distinct result with the fewest literals.
    fn first(&mut self, places: &[Word; 2], sdwa: SdwaForms) -> Vec<Helper> {
        let mut seen: HashMap<Word, usize> = HashMap::new();
        let mut helpers: Vec<Helper> = vec![];
        let mut all = forms(2, None, sdwa);
        for hi in 0..2 {
            for lo in 0..2 {
                all.extend(inline_constants().into_iter().map(|selector| perm(hi, lo, selector)));
            }
        }
        for n in 0..14u32.pow(4) {
            let selector = [n % 14, n / 14 % 14, n / 196 % 14, n / 2744].map(|byte| byte as u8);
            all.push(perm(1, 0, u32::from_le_bytes(selector)));
        }
        for form in all {
            self.evaluated += 1;
            let Some(word) = form.eval(places) else { continue };
            let literals = form.literals();
            if let Some(s) = selection_of(&word) {
                self.offer(s, Cost { ops: 1, literals }, || vec![form.clone()]);
            }
            match seen.get(&word) {
                Some(&n) if helpers[n].literals <= literals => {}
                Some(&n) => helpers[n] = Helper { word, form, literals },
                None => {
                    seen.insert(word, helpers.len());
                    helpers.push(Helper { word, form, literals });
                }
            }
        }
        helpers
    }

    /// `v_perm_b32` of the helper and anything.
    fn second_by_perm(&mut self, places: &[Word; 2], helpers: &[Helper]) {
        // For each set of symbols within reach, the helper with the fewest literals that gives it.
        let mut reach: HashMap<u32, (u32, usize, [u8; 2])> = HashMap::new();
        for (n, helper) in helpers.iter().enumerate() {
            for (hi, lo) in [(2, 0), (0, 2), (2, 1), (1, 2), (2, 2)] {
                let of = |place: u8| if place == 2 { helper.word } else { places[place as usize] };
                let mask = within_reach(&[of(hi), of(lo)]);
                let entry = reach.entry(mask).or_insert((u32::MAX, 0, [0; 2]));
                if helper.literals < entry.0 {
                    *entry = (helper.literals, n, [hi, lo]);
                }
                // Selectors that are inline constants: a literal less.
                for selector in inline_constants() {
                    self.evaluated += 1;
                    let form = perm(hi, lo, selector);
                    let word = form.eval(&[places[0], places[1], helper.word]);
                    if let Some(s) = word.and_then(|word| selection_of(&word)) {
                        let cost = Cost { ops: 2, literals: helper.literals };
                        self.offer(s, cost, || vec![helper.form.clone(), form]);
                    }
                }
            }
        }
        let mut reach: Vec<_> = reach.into_iter().collect();
        reach.sort_by_key(|&(mask, (literals, n, _))| (literals, n, mask));
        let mut by_set: HashMap<u32, Option<usize>> = HashMap::new();
        for n in 0..COUNT {
            let s = selection(n);
            let wanted = symbols_mask(s);
            let found = *by_set.entry(wanted).or_insert_with(|| reach.iter().position(|(mask, _)| wanted & !mask == 0));
            let Some((_, (literals, helper, [hi, lo]))) = found.map(|n| reach[n]) else { continue };
            let helper = &helpers[helper];
            let of = |place: u8| if place == 2 { helper.word } else { places[place as usize] };
            let selector = solve(s, &[of(hi), of(lo)]);
            let cost = Cost { ops: 2, literals: literals + 1 };
            self.offer(s, cost, || vec![helper.form.clone(), perm(hi, lo, selector)]);
        }
    }

    /// Every other second instruction.
    fn second_by_others(&mut self, places: &[Word; 2], helpers: &[Helper], sdwa: SdwaForms) {
        let all = forms(3, Some(2), sdwa);
        let costs: Vec<u32> = all.iter().map(Form::literals).collect();
        for helper in helpers {
            let words = [places[0], places[1], helper.word];
            // A selection that has two instructions already can only lose literals: it takes a helper with one at most, and a
            // second instruction without.
            let open = self.can_lead_to(helper);
            for (form, &literals) in all.iter().zip(&costs) {
                let total = literals + helper.literals;
                if !open && total >= 1 && (helper.literals > 0 || total > 1) {
                    continue;
                }
                self.evaluated += 1;
                let Some(s) = form.eval(&words).and_then(|word| selection_of(&word)) else { continue };
                self.offer(s, Cost { ops: 2, literals: total }, || vec![helper.form.clone(), form.clone()]);
            }
        }
    }

    /// Whether a second instruction other than `v_perm_b32` may turn the helper into a selection that no two instructions give
    /// yet. Those have three or more different signs of even bytes. An instruction spreads one bit over at most two parts of its
    /// result (`v_pk_ashrrev_i16`), and otherwise moves each bit to at most one place of a byte. So the bits of one of those
    /// signs, all eight, are in the helper already.
    fn can_lead_to(&self, helper: &Helper) -> bool {
        let mut counts: HashMap<Bit, u32> = HashMap::new();
        for &bit in &helper.word.0 {
            *counts.entry(bit).or_default() += 1;
        }
        counts.iter().any(|(bit, &count)| matches!(bit, Bit::Of { bit, .. } if bit % 16 == 7) && count >= 8)
    }

    fn third(&mut self) {
        for n in 0..COUNT {
            let s = selection(n);
            if self.best[n].is_none() {
                assert!(even_signs(s) > 2, "{s:?} has no sequence");
                // One constant for each permute; fewer were not looked for.
                self.best[n] = Some(Found { cost: Cost { ops: 3, literals: 3 }, steps: vec![] });
            }
        }
    }
}

/// The selector with which `v_perm_b32` makes the selection.
fn solve(s: Selection, [hi, lo]: &[Word; 2]) -> u32 {
    let byte = |n: usize| if n < 4 { lo.byte(n) } else { hi.byte(n - 4) };
    let top = |n: usize| if n < 4 { lo.0[8 * n + 7] } else { hi.0[8 * (n - 4) + 7] };
    u32::from_le_bytes(s.map(|symbol| match symbol {
        ZERO => 12,
        ONES => 13,
        symbol => {
            let pick = (0..8).position(|n| symbol_of(byte(n)) == Some(symbol));
            let of = Bit::Of { source: (symbol / 4) & 1, bit: (symbol & 3) * 8 + 7 };
            let sign = || (0..4).position(|n| symbol >= 8 && top(2 * n + 1) == of).map(|n| n + 8);
            pick.or_else(sign).unwrap_or(12) as u8
        }
    }))
}
