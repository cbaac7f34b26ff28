//! Searches the fewest machine instructions for byte permutes: what is written out by hand is an opinion, what is searched a bound.
//!
//! `cargo run --release --example byteperm_search > src/isel/byteperm/table.rs` (then `cargo fmt`) writes the table that selection
//! reads. With `report` as its argument it prints the counts instead, with `register` those lines of it that are about selectors in registers,
//! and with `sdwa` the counts with SDWA besides (minutes).

mod constant;
mod forms;
mod register;
mod uniform;
mod windows;

use constant::{COUNT, Cost, Found, ONES, Search, Selection, ZERO, even_signs, selection, symbols_within};
use forms::{Form, SdwaForms, Use};
use std::collections::BTreeMap;
use warp2wave::provenance::Word;

fn main() {
    match std::env::args().nth(1).as_deref() {
        None => {
            let rows =
                [("ROWS_SCALAR", false), ("ROWS_SCALAR_PACK_HL", true)].map(|(name, hl)| (name, uniform::search(hl)));
            print!("{}{}", table(&checked(SdwaForms::None)), scalar_tables(&rows));
        }
        Some("report") => {
            report("without SDWA", &checked(SdwaForms::None));
            register::report();
        }
        Some("register") => register::report(),
        Some("sdwa") => {
            report("with SDWA", &Search::run(SdwaForms::Fresh));
            report("with SDWA into a register that dies", &Search::run(SdwaForms::All));
        }
        Some(other) => eprintln!("`{other}`: nothing, `report`, `register` or `sdwa` is expected"),
    }
}

/// The search, with the rule that its result follows: two instructions but for what one can do and what has three even signs.
fn checked(sdwa: SdwaForms) -> Search {
    let search = Search::run(sdwa);
    for n in 0..COUNT {
        let (s, Some(found)) = (selection(n), &search.best[n]) else { panic!("{n} has no sequence") };
        let ops = found.cost.ops;
        let expected = if even_signs(s) > 2 { 3 } else { 2 };
        assert!(ops <= 1 || ops == expected, "{s:?} takes {ops}");
    }
    search
}

/// Selections by cost: all, those that `prmt` of two registers can ask for, and of one.
fn report(title: &str, search: &Search) {
    println!("{title}: {} sequences evaluated", search.evaluated);
    type Wanted = fn(Selection) -> bool;
    let kinds: [(&str, Wanted); 3] = [
        ("all selections", |_| true),
        ("prmt of two registers", |s| s.iter().all(|&symbol| symbol < 16)),
        ("prmt of one register", |s| s.iter().all(|&symbol| symbol < 16 && symbol & 4 == 0)),
    ];
    for (name, wanted) in kinds {
        let mut counts: BTreeMap<Cost, u32> = BTreeMap::new();
        // What reads no register is a constant, not a permute.
        let reads = |s: Selection| s.iter().any(|&symbol| symbol < ZERO);
        for n in (0..COUNT).filter(|&n| reads(selection(n)) && wanted(selection(n))) {
            if let Some(found) = &search.best[n] {
                *counts.entry(found.cost).or_default() += 1;
            }
        }
        let text: Vec<String> = counts
            .iter()
            .map(|(cost, count)| format!("{count} of {} op(s) and {} constant(s)", cost.ops, cost.literals))
            .collect();
        println!("  {name}: {}", text.join(", "));
    }
}

/// Five bits a symbol, byte 0 lowest.
fn key(s: Selection) -> u32 {
    s.iter().rev().fold(0, |key, &symbol| key << 5 | symbol as u32)
}

/// The first byte that names a source names `a`.
fn canonical(s: Selection) -> bool {
    s.iter().find(|&&symbol| symbol < ZERO).is_none_or(|&symbol| symbol & 4 == 0)
}

fn table(search: &Search) -> String {
    let mut out = String::from(
        "//! Byte selections whose shortest sequence is none of those that the module above makes by rule, and helpers for these.\n//!\n\
         //! Written by `cargo run --release --example byteperm_search`, which says what was searched. Not for editing.\n\n\
         use super::row::{A, B, H, Helper, K, Row, pk, step};\nuse crate::amd::ops;\n\n\
         /// For the vector unit, by key: five bits for each byte, byte 0 lowest. 0 to 3 are the bytes of the first source, 4 to 7 of the\n\
         /// second, 8 to 15 their signs, 16 zero, 17 ones. The first byte of a source that is named is one of the first source.\n\
         #[rustfmt::skip]\npub(super) static ROWS: &[Row] = &[\n",
    );
    let mut rows: BTreeMap<u32, String> = BTreeMap::new();
    let mut helpers: BTreeMap<String, (String, u32)> = BTreeMap::new();
    for n in 0..COUNT {
        let (s, Some(found)) = (selection(n), &search.best[n]) else { continue };
        if !canonical(s) || found.steps.is_empty() || s.iter().all(|&symbol| symbol >= ZERO) {
            continue;
        }
        let perm = |form: &Form| form.op == "v_perm_b32";
        match &found.steps[..] {
            // Any single permute, and two of which the first gathers and the second spreads.
            [only] if perm(only) && only.literals() == 1 => continue,
            [first, last] if perm(first) && perm(last) && found.cost.literals == 2 => continue,
            [helper, last] if perm(last) && helper.literals() == 0 && last.literals() == 1 => {
                if let Some(word) = helper.eval(&[Word::named(0), Word::named(1)]) {
                    helpers.entry(row_step(helper)).or_insert((gives(&word), 0)).1 += 1;
                }
            }
            steps => {
                rows.insert(key(s), row(s, steps));
            }
        }
    }
    rows.values().for_each(|row| out += row);
    out += "];\n\n/// Results of one instruction without a constant that a `v_perm_b32` starts from, the most useful first. What they give: the\n\
            /// symbols of bytes 0 to 3 and of the signs of bytes 1 and 3, 31 for one that is none.\n\
            #[rustfmt::skip]\npub(super) static HELPERS: &[Helper] = &[\n";
    let mut helpers: Vec<_> = helpers.into_iter().collect();
    helpers.sort_by_key(|(step, (_, count))| (std::cmp::Reverse(*count), step.clone()));
    for (step, (gives, _)) in helpers {
        out += &format!("    ({gives}, {step}),\n");
    }
    out + "];\n"
}

fn row(s: Selection, steps: &[Form]) -> String {
    let steps: Vec<String> = steps.iter().map(row_step).collect();
    let names: Vec<String> = s.iter().map(|&symbol| name(symbol)).collect();
    format!("    (0x{:05x}, &[{}]), // {}\n", key(s), steps.join(", "), names.join(" "))
}

/// Rows of the scalar unit; the second table has what `s_pack_hl_b32_b16` makes shorter.
fn scalar_tables(searches: &[(&str, BTreeMap<Selection, Found>); 2]) -> String {
    let mut out = String::new();
    for (name, found) in searches {
        let what =
            if *name == "ROWS_SCALAR" { "up to two instructions." } else { "what `s_pack_hl_b32_b16` makes shorter." };
        out += &format!(
            "\n/// The same for the scalar unit: {what}\n#[rustfmt::skip]\npub(super) static {name}: &[Row] = &[\n"
        );
        let mut rows: BTreeMap<u32, String> = BTreeMap::new();
        for (&s, found) in found {
            let known = searches[0].1.get(&s).filter(|_| *name != searches[0].0);
            let better = known.is_none_or(|known| found.cost < known.cost);
            if better && canonical(s) && !found.steps.is_empty() && s.iter().any(|&symbol| symbol < ZERO) {
                rows.insert(key(s), row(s, &found.steps));
            }
        }
        rows.values().for_each(|row| out += row);
        out += "];\n";
    }
    out
}

/// The symbols of a helper's bytes, and of the signs of its odd bytes.
fn gives(word: &Word) -> String {
    let symbols = symbols_within(word);
    format!("[{}]", symbols.map(|symbol| symbol.unwrap_or(31).to_string()).join(", "))
}

fn row_step(form: &Form) -> String {
    let uses: Vec<String> = form
        .uses
        .iter()
        .map(|u| match *u {
            Use::Place(0) => "A".into(),
            Use::Place(1) => "B".into(),
            Use::Place(_) => "H".into(),
            Use::Constant(bits) if bits < 65 => format!("K({bits})"),
            Use::Constant(bits) => format!("K(0x{bits:08x})"),
        })
        .collect();
    let op = form.op;
    if op.starts_with("v_pk") {
        return format!("pk(ops::{op}, &[{}], {}, {})", uses.join(", "), form.mods.op_sel, form.mods.op_sel_hi & 3);
    }
    format!("step(ops::{op}, &[{}])", uses.join(", "))
}

fn name(symbol: u8) -> String {
    match symbol {
        ZERO => "0x00".into(),
        ONES => "0xff".into(),
        _ => {
            let source = if symbol & 4 == 0 { 'a' } else { 'b' };
            if symbol < 8 { format!("{source}.{}", symbol & 3) } else { format!("sign({source}.{})", symbol & 3) }
        }
    }
}
