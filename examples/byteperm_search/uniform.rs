//! The same for the scalar unit, up to two instructions: beyond that a `v_perm_b32` of SGPRs is shorter.

use super::constant::{Cost, Found, Selection, selection_of};
use super::forms::{Form, Use, is_inline};
use std::collections::{BTreeMap, HashMap};
use warp2wave::provenance::{Word, scalar};

/// Every scalar op that moves bits over these places.
fn forms(places: u8, must_read: Option<u8>, pack_hl: bool) -> Vec<Form> {
    let mut out = vec![];
    let k = Use::Constant;
    let mut add = |op: &'static str, uses: &[Use]| {
        if must_read.is_none_or(|n| uses.contains(&Use::Place(n))) {
            out.push(Form::new(op, uses));
        }
    };
    let all: Vec<Use> = (0..places).map(Use::Place).collect();
    let byte_masks: Vec<u32> =
        (1..15u32).map(|n| (0..4).filter(|b| n >> b & 1 == 1).fold(0, |mask, b| mask | 0xff << (8 * b))).collect();
    for &x in &all {
        add("s_sext_i32_i8", &[x]);
        add("s_sext_i32_i16", &[x]);
        for n in 1..32 {
            add("s_lshl_b32", &[x, k(n)]);
            add("s_lshr_b32", &[x, k(n)]);
            add("s_ashr_i32", &[x, k(n)]);
        }
        // A field's place and width are one constant.
        for offset in 0..32 {
            for width in 1..=32 - offset {
                if width < 32 {
                    add("s_bfe_u32", &[x, k(width << 16 | offset)]);
                    add("s_bfe_i32", &[x, k(width << 16 | offset)]);
                }
            }
        }
        for &mask in &byte_masks {
            add("s_and_b32", &[x, k(mask)]);
            add("s_or_b32", &[x, k(mask)]);
        }
        for fill in [0, u32::MAX] {
            for op in ["s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16", "s_pack_hl_b32_b16"] {
                if pack_hl || op != "s_pack_hl_b32_b16" {
                    add(op, &[x, k(fill)]);
                    add(op, &[k(fill), x]);
                }
            }
        }
    }
    for &x in &all {
        for &y in &all {
            for op in ["s_pack_ll_b32_b16", "s_pack_lh_b32_b16", "s_pack_hh_b32_b16", "s_pack_hl_b32_b16"] {
                if pack_hl || op != "s_pack_hl_b32_b16" {
                    add(op, &[x, y]);
                }
            }
            for op in ["s_and_b32", "s_or_b32", "s_xor_b32"] {
                add(op, &[x, y]);
            }
        }
    }
    out
}

fn eval(form: &Form, places: &[Word]) -> Option<Word> {
    let word = |u: &Use| match *u {
        Use::Place(n) => vec![places[n as usize]],
        Use::Constant(bits) => vec![Word::constant(bits)],
    };
    let uses: Vec<Vec<Word>> = form.uses.iter().map(word).collect();
    Some(scalar(form.op, &uses)?[0])
}

fn literals(form: &Form) -> u32 {
    form.uses.iter().filter(|u| matches!(u, Use::Constant(bits) if !is_inline(*bits))).count() as u32
}

pub fn search(pack_hl: bool) -> BTreeMap<Selection, Found> {
    let places = [Word::named(0), Word::named(1)];
    let mut best: BTreeMap<Selection, Found> = BTreeMap::new();
    let mut offer = |word: &Word, cost: Cost, steps: &[&Form]| {
        let Some(s) = selection_of(word) else { return };
        if best.get(&s).is_none_or(|found| cost < found.cost) {
            best.insert(s, Found { cost, steps: steps.iter().map(|&form| form.clone()).collect() });
        }
    };
    for word in &places {
        offer(word, Cost { ops: 0, literals: 0 }, &[]);
    }
    let first = forms(2, None, pack_hl);
    let mut helpers: HashMap<Word, &Form> = HashMap::new();
    for form in &first {
        let Some(word) = eval(form, &places) else { continue };
        offer(&word, Cost { ops: 1, literals: literals(form) }, &[form]);
        let known = helpers.entry(word).or_insert(form);
        if literals(form) < literals(known) {
            *known = form;
        }
    }
    let mut helpers: Vec<(Word, &Form)> = helpers.into_iter().collect();
    helpers.sort_by_key(|helper| helper.0);
    let second = forms(3, Some(2), pack_hl);
    for (word, helper) in helpers {
        let words = [places[0], places[1], word];
        for form in &second {
            let Some(word) = eval(form, &words) else { continue };
            let cost = Cost { ops: 2, literals: literals(helper) + literals(form) };
            offer(&word, cost, &[helper, form]);
        }
    }
    best
}
