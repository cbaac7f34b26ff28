//! Covering a constant byte permute with machine ops.
//!
//! `v_perm_b32` picks four bytes of two dwords, or the sign of bytes 1, 3, 5 and 7 only, or 0x00, or 0xff; PTX has the sign of
//! any byte. So an even byte whose sign is wanted moves to an odd place first.
//!
//! The fewest instructions for each selection of two dwords were searched (`examples/byteperm_search`), and among equals the fewest
//! constants that need a literal or a register. What the search found is [`table`] where no rule gives it; the rules are: one
//! `v_perm_b32` where it reaches, else a helper without a constant and one `v_perm_b32`, else two of them of which the first puts the
//! bytes whose signs are wanted at odd places, and three for three or four such signs. More sources are combined in pairs: each
//! instruction brings together two dwords, so n sources take n - 1 at least.
//!
//! Plans are data: [`plan`] looks at the selection alone, and [`Ctx::byteperm`] writes what it says. `docs/byteperm.md` has the counts,
//! `tests/it/byteperm` the proofs.

mod emit;
mod row;
mod scalar;
mod table;

pub(super) use emit::is_scalar;
pub use scalar::scalar_parts;

use crate::amd::{Op, Target, ops};
use crate::ir::byteperm::ByteSel;
use row::{Row, RowStep, RowUse};
use smallvec::{SmallVec, smallvec};

/// A source of the permute, the result of an earlier step, or a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Source(u8),
    Step(u8),
    Constant(u32),
}

/// One instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub op: Op,
    pub uses: SmallVec<[Place; 3]>,
    /// `op_sel` and `op_sel_hi` of a packed op.
    pub halves: Option<(u8, u8)>,
}

/// The steps in order; the result is the last one's, or what is there already.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub steps: Vec<Step>,
    pub result: Place,
}

/// What four bytes hold.
type Bytes = [ByteSel; 4];

/// Bytes and signs of two sources, 0x00 and 0xff as the table's keys number them.
type Symbol = u8;
const ZERO: Symbol = 16;
const ONES: Symbol = 17;

/// What `v_perm_b32` makes of 0x00 and 0xff.
const SELECT_ZERO: u8 = 12;
const SELECT_ONES: u8 = 13;

fn source_bytes(source: u8) -> Bytes {
    std::array::from_fn(|byte| ByteSel::Byte(source, byte as u8))
}

/// A sign that `v_perm_b32` cannot spread from where the byte is in its source.
fn is_even_sign(sel: ByteSel) -> bool {
    matches!(sel, ByteSel::Sign(_, byte) if byte % 2 == 0)
}

fn perm(hi: Place, lo: Place, selector: u32) -> Step {
    Step { op: ops::v_perm_b32, uses: smallvec![hi, lo, Place::Constant(selector)], halves: None }
}

/// The selector that makes `wanted` out of two registers' bytes, if there is one.
fn selector(wanted: Bytes, hi: Bytes, lo: Bytes) -> Option<u32> {
    let all: [ByteSel; 8] = std::array::from_fn(|i| if i < 4 { lo[i] } else { hi[i - 4] });
    let mut out = [0; 4];
    for (byte, want) in out.iter_mut().zip(wanted) {
        *byte = match want {
            ByteSel::Zero => SELECT_ZERO,
            ByteSel::Ones => SELECT_ONES,
            ByteSel::Byte(..) => all.iter().position(|&have| have == want)? as u8,
            ByteSel::Sign(source, byte) => {
                let of = ByteSel::Byte(source, byte);
                let sign = || [1, 3, 5, 7].into_iter().position(|odd| all[odd] == of).map(|n| 8 + n);
                all.iter().position(|&have| have == want).or_else(sign)? as u8
            }
        };
    }
    Some(u32::from_le_bytes(out))
}

/// The sources by order of appearance.
fn sources_of(sels: Bytes) -> SmallVec<[u8; 4]> {
    let mut sources: SmallVec<[u8; 4]> = SmallVec::new();
    for source in sels.iter().filter_map(|sel| sel.source()) {
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
    sources
}

/// The fewest instructions of the vector unit that are known for a selection; the minimum for one and two sources.
pub fn plan(sels: Bytes) -> Plan {
    let sources = sources_of(sels);
    if let Some(done) = without_steps(sels, &sources) {
        return done;
    }
    let steps = match sources[..] {
        [only] => two_sources(sels, only, only),
        [first, second] => two_sources(sels, first, second),
        _ => many_sources(sels, &sources),
    };
    let result = Place::Step(steps.len() as u8 - 1);
    Plan { steps, result }
}

/// The fewest vector instructions that a selection takes, by the search: one where an instruction does it, else two for up to two
/// different signs of even bytes, three for more. Not known for more than two sources.
pub fn minimum(sels: Bytes) -> Option<u32> {
    let sources = sources_of(sels);
    let (first, second) = match sources[..] {
        [] => return Some(1),
        [only] if sels == source_bytes(only) => return Some(0),
        [only] => (only, only),
        [first, second] => (first, second),
        _ => return None,
    };
    let one = find(table::ROWS, key(symbols(sels, first))).is_some_and(|row| row.len() == 1);
    if one || selector(sels, source_bytes(second), source_bytes(first)).is_some() {
        return Some(1);
    }
    let mut signs: SmallVec<[ByteSel; 4]> = sels.into_iter().filter(|&sel| is_even_sign(sel)).collect();
    signs.sort_unstable();
    signs.dedup();
    Some(if signs.len() > 2 { 3 } else { 2 })
}

/// The same on the scalar unit, for up to two sources and instructions; beyond that the vector unit is shorter.
pub fn scalar_plan(sels: Bytes, target: &Target) -> Option<Plan> {
    let sources = sources_of(sels);
    if let Some(done) = without_steps(sels, &sources) {
        return Some(done);
    }
    let (first, second) = match sources[..] {
        [only] => (only, only),
        [first, second] => (first, second),
        _ => return None,
    };
    let key = key(symbols(sels, first));
    let with_hl = || find(table::ROWS_SCALAR_PACK_HL, key).filter(|_| ops::s_pack_hl_b32_b16.exists_on(target));
    let row = with_hl().or_else(|| find(table::ROWS_SCALAR, key))?;
    let steps = row_steps(row, first, second);
    let result = Place::Step(steps.len() as u8 - 1);
    Some(Plan { steps, result })
}

/// A source as it is, or a constant.
fn without_steps(sels: Bytes, sources: &[u8]) -> Option<Plan> {
    let result = match *sources {
        [] => Place::Constant(u32::from_le_bytes(sels.map(|sel| sel.eval(&[])))),
        [only] if sels == source_bytes(only) => Place::Source(only),
        _ => return None,
    };
    Some(Plan { steps: vec![], result })
}

fn symbol(sel: ByteSel, first: u8) -> Symbol {
    let base = |source: u8| if source == first { 0 } else { 4 };
    match sel {
        ByteSel::Byte(source, byte) => base(source) + byte,
        ByteSel::Sign(source, byte) => 8 + base(source) + byte,
        ByteSel::Zero => ZERO,
        ByteSel::Ones => ONES,
    }
}

fn symbols(sels: Bytes, first: u8) -> [Symbol; 4] {
    sels.map(|sel| symbol(sel, first))
}

fn key(symbols: [Symbol; 4]) -> u32 {
    symbols.iter().rev().fold(0, |key, &symbol| key << 5 | symbol as u32)
}

fn find(rows: &'static [Row], key: u32) -> Option<&'static [RowStep]> {
    rows.binary_search_by_key(&key, |row| row.0).ok().map(|n| rows[n].1)
}

fn row_steps(row: &[RowStep], first: u8, second: u8) -> Vec<Step> {
    let place = |u: &RowUse| match *u {
        RowUse::First => Place::Source(first),
        RowUse::Second => Place::Source(second),
        RowUse::Helper => Place::Step(0),
        RowUse::Constant(bits) => Place::Constant(bits),
    };
    row.iter()
        .map(|step| Step { op: step.op, uses: step.uses.iter().map(place).collect(), halves: step.halves })
        .collect()
}

fn two_sources(sels: Bytes, first: u8, second: u8) -> Vec<Step> {
    let symbols = symbols(sels, first);
    if let Some(row) = find(table::ROWS, key(symbols)) {
        return row_steps(row, first, second);
    }
    if let Some(selector) = selector(sels, source_bytes(second), source_bytes(first)) {
        return vec![perm(Place::Source(second), Place::Source(first), selector)];
    }
    helper_and_perm(symbols, first, second).unwrap_or_else(|| gathered(sels, first, second))
}

/// A helper that needs no constant, and a permute of it and a source.
fn helper_and_perm(symbols: [Symbol; 4], first: u8, second: u8) -> Option<Vec<Step>> {
    // Selectors 0 to 3, 8 and 9 take from the low operand what `gives` lists, 4 to 7, 10 and 11 from the high one.
    const LOW: [u8; 6] = [0, 1, 2, 3, 8, 9];
    let of_source = |base: Symbol| [base, base + 1, base + 2, base + 3, base + 9, base + 11];
    for (gives, step) in table::HELPERS {
        for (base, other) in [(0, first), (4, second)] {
            let have = of_source(base);
            let select = |want: Symbol| match want {
                ZERO => Some(SELECT_ZERO),
                ONES => Some(SELECT_ONES),
                want => {
                    let low = gives.iter().position(|&symbol| symbol == want).map(|n| LOW[n]);
                    low.or_else(|| {
                        have.iter().position(|&symbol| symbol == want).map(|n| LOW[n] + if n < 4 { 4 } else { 2 })
                    })
                }
            };
            let mut bytes = [0; 4];
            if bytes.iter_mut().zip(symbols).all(|(byte, want)| select(want).map(|n| *byte = n).is_some()) {
                let mut steps = row_steps(std::slice::from_ref(step), first, second);
                steps.push(perm(Place::Source(other), Place::Step(0), u32::from_le_bytes(bytes)));
                return Some(steps);
            }
        }
    }
    None
}

/// One or two gathers, then a permute of what they hold.
fn gathered(sels: Bytes, first: u8, second: u8) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let mut held: Vec<Bytes> = vec![];
    for group in gather_groups(sels) {
        let Some(selector) = selector(group, source_bytes(second), source_bytes(first)) else { continue };
        steps.push(perm(Place::Source(second), Place::Source(first), selector));
        held.push(group);
    }
    let last = held.len().saturating_sub(1);
    if let Some(selector) = selector(sels, held[last], held[0]) {
        steps.push(perm(Place::Step(last as u8), Place::Step(0), selector));
    }
    steps
}

/// What one or two gathers hold: bytes whose sign is wanted at odd places, the rest in the free ones. Four distinct items
/// and two even signs fit one gather.
fn gather_groups(sels: Bytes) -> Vec<Bytes> {
    let mut odd: Vec<ByteSel> = vec![];
    let mut free: Vec<ByteSel> = vec![];
    for &sel in sels.iter().filter(|&&s| is_even_sign(s)) {
        if let ByteSel::Sign(source, byte) = sel {
            let byte = ByteSel::Byte(source, byte);
            if !odd.contains(&byte) {
                odd.push(byte);
            }
        }
    }
    for &sel in &sels {
        let constant = matches!(sel, ByteSel::Zero | ByteSel::Ones);
        if !constant && !is_even_sign(sel) && !odd.contains(&sel) && !free.contains(&sel) {
            free.push(sel);
        }
    }
    let mut groups = vec![];
    while !odd.is_empty() || !free.is_empty() {
        let mut group = [ByteSel::Zero; 4];
        for place in [1, 3, 0, 2] {
            if place % 2 == 1 && !odd.is_empty() {
                group[place] = odd.remove(0);
            } else if !free.is_empty() && (place % 2 == 0 || odd.is_empty()) {
                group[place] = free.remove(0);
            }
        }
        groups.push(group);
    }
    groups
}

/// Three and four sources: the bytes of each half of the sources come together in one register, then both do.
fn many_sources(sels: Bytes, sources: &[u8]) -> Vec<Step> {
    let splits: &[(&[usize], &[usize])] = if sources.len() == 3 {
        &[(&[0, 1], &[2]), (&[0, 2], &[1]), (&[1, 2], &[0])]
    } else {
        &[(&[0, 1], &[2, 3]), (&[0, 2], &[1, 3]), (&[0, 3], &[1, 2])]
    };
    let candidates = splits.iter().map(|(left, right)| {
        let pick = |half: &[usize]| half.iter().map(|&i| sources[i]).collect::<Vec<u8>>();
        joined(sels, &pick(left), &pick(right))
    });
    candidates.min_by_key(Vec::len).unwrap_or_default()
}

/// Both halves' carriers, then one `v_perm_b32` of the two.
fn joined(sels: Bytes, left: &[u8], right: &[u8]) -> Vec<Step> {
    let mut steps = vec![];
    let (lo, lo_bytes) = carrier(sels, left, &mut steps);
    let (hi, hi_bytes) = carrier(sels, right, &mut steps);
    if let Some(selector) = selector(sels, hi_bytes, lo_bytes) {
        steps.push(perm(hi, lo, selector));
    }
    steps
}

/// A register that holds what the selection wants from some of its sources, in a form from which one `v_perm_b32` can take it.
fn carrier(sels: Bytes, sources: &[u8], steps: &mut Vec<Step>) -> (Place, Bytes) {
    let own: Bytes = sels.map(|s| if s.source().is_some_and(|n| sources.contains(&n)) { s } else { ByteSel::Zero });
    if let [only] = *sources
        && !own.iter().any(|&s| is_even_sign(s))
    {
        return (Place::Source(only), source_bytes(only));
    }
    let (lo, hi) = (sources[0], *sources.last().unwrap_or(&sources[0]));
    if let [group] = gather_groups(own)[..]
        && let Some(selector) = selector(group, source_bytes(hi), source_bytes(lo))
    {
        steps.push(perm(Place::Source(hi), Place::Source(lo), selector));
        return (Place::Step(steps.len() as u8 - 1), group);
    }
    // More even signs than one gather can carry: the finished bytes.
    let base = steps.len() as u8;
    let moved = |place: Place| match place {
        Place::Step(n) => Place::Step(base + n),
        other => other,
    };
    let plan = plan(own);
    steps.extend(plan.steps.into_iter().map(|mut step| {
        step.uses.iter_mut().for_each(|place| *place = moved(*place));
        step
    }));
    (moved(plan.result), own)
}
