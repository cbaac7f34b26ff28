//! Covering a constant byte permute with machine ops.
//!
//! `v_perm_b32` picks four bytes of two dwords, or the sign of bytes 1, 3, 5 and 7 only, or 0x00, or 0xff; PTX has the sign of
//! any byte. So an even byte whose sign is wanted moves to an odd place first. PRMT_COSTS, section 2, says what is the least
//! for each selector of two sources, and which moves reach it; more sources are combined in pairs.
//!
//! Plans are data: [`plan`] looks at the selection alone, and [`Ctx::byteperm`] writes what it says. The tests follow symbolic
//! bytes through them and through the meanings of the rows.

use super::{Ctx, Lowered};
use crate::amd::ops;
use crate::ir::InstData;
use crate::ir::byteperm::ByteSel;
use crate::mir::{Operand, Reg, RegClass};

/// A source of the permute, or the result of an earlier step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Source(u8),
    Step(u8),
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Step {
    /// `v_perm_b32 hi, lo, selector`.
    Perm {
        hi: Place,
        lo: Place,
        selector: u32,
    },
    /// Shifts by whole bytes, in bits.
    Shl {
        of: Place,
        bits: u8,
    },
    Shr {
        of: Place,
        bits: u8,
    },
    Sar {
        of: Place,
        bits: u8,
    },
    /// `{hi, lo} >> bits`, low dword.
    Align {
        hi: Place,
        lo: Place,
        bits: u8,
    },
    /// A field, zero- or sign-extended.
    Field {
        of: Place,
        first_bit: u8,
        bits: u8,
        signed: bool,
    },
    And {
        of: Place,
        mask: u32,
    },
    Or {
        of: Place,
        mask: u32,
    },
    Constant(u32),
}

/// The steps in order; the result is the last one's, or a source when there is none.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub steps: Vec<Step>,
    pub result: Place,
}

/// What four bytes hold.
type Bytes = [ByteSel; 4];

fn source_bytes(source: u8) -> Bytes {
    std::array::from_fn(|byte| ByteSel::Byte(source, byte as u8))
}

/// The sign of what a byte holds.
fn sign_of(byte: ByteSel) -> ByteSel {
    match byte {
        ByteSel::Byte(source, byte) => ByteSel::Sign(source, byte),
        same => same,
    }
}

/// A sign that `v_perm_b32` cannot spread from where the byte is in its source.
fn is_even_sign(sel: ByteSel) -> bool {
    matches!(sel, ByteSel::Sign(_, byte) if byte % 2 == 0)
}

/// What a step makes of bytes.
fn apply(step: &Step, bytes: impl Fn(Place) -> Bytes) -> Bytes {
    let shifted = |low: [ByteSel; 8], n: u8| std::array::from_fn(|i| low[i + n as usize / 8]);
    let join =
        |lo: Bytes, hi: Bytes| -> [ByteSel; 8] { std::array::from_fn(|i| if i < 4 { lo[i] } else { hi[i - 4] }) };
    const ZEROS: Bytes = [ByteSel::Zero; 4];
    match *step {
        Step::Perm { hi, lo, selector } => {
            let all = join(bytes(lo), bytes(hi));
            selector.to_le_bytes().map(|s| match s {
                0..=7 => all[s as usize],
                8..=11 => sign_of(all[2 * (s as usize - 8) + 1]),
                12 => ByteSel::Zero,
                _ => ByteSel::Ones,
            })
        }
        Step::Shl { of, bits } => shifted(join(ZEROS, bytes(of)), 32 - bits),
        Step::Shr { of, bits } => shifted(join(bytes(of), ZEROS), bits),
        Step::Sar { of, bits } => {
            let of = bytes(of);
            if bits == 31 { [sign_of(of[3]); 4] } else { shifted(join(of, [sign_of(of[3]); 4]), bits) }
        }
        Step::Align { hi, lo, bits } => shifted(join(bytes(lo), bytes(hi)), bits),
        Step::Field { of, first_bit, bits, signed } => {
            let of = bytes(of);
            let fill = if signed { sign_of(of[(first_bit + bits - 1) as usize / 8]) } else { ByteSel::Zero };
            std::array::from_fn(|i| if i < bits as usize / 8 { of[first_bit as usize / 8 + i] } else { fill })
        }
        Step::And { of, mask } => {
            let (of, mask) = (bytes(of), mask.to_le_bytes());
            std::array::from_fn(|i| if mask[i] == 0xff { of[i] } else { ByteSel::Zero })
        }
        Step::Or { of, mask } => {
            let (of, mask) = (bytes(of), mask.to_le_bytes());
            std::array::from_fn(|i| if mask[i] == 0xff { ByteSel::Ones } else { of[i] })
        }
        Step::Constant(bits) => bits.to_le_bytes().map(|b| if b == 0 { ByteSel::Zero } else { ByteSel::Ones }),
    }
}

/// The selector that makes `wanted` out of two registers' bytes, if there is one.
fn selector(wanted: Bytes, hi: Bytes, lo: Bytes) -> Option<u32> {
    let all: [ByteSel; 8] = std::array::from_fn(|i| if i < 4 { lo[i] } else { hi[i - 4] });
    let mut out = [0; 4];
    for (byte, want) in out.iter_mut().zip(wanted) {
        *byte = match want {
            ByteSel::Zero => 12,
            ByteSel::Ones => 13,
            want => {
                let pick = all.iter().position(|&have| have == want);
                let sign = || [1, 3, 5, 7].into_iter().position(|odd| sign_of(all[odd]) == want);
                pick.or_else(|| sign().map(|n| 8 + n))? as u8
            }
        };
    }
    Some(u32::from_le_bytes(out))
}

/// The fewest steps that we know for a selection; optimal for one and two sources.
pub fn plan(sels: [ByteSel; 4]) -> Plan {
    let mut sources: Vec<u8> = sels.iter().filter_map(|s| s.source()).collect();
    sources.sort_unstable();
    sources.dedup();
    if let Some(&source) = sources.iter().find(|&&s| source_bytes(s) == sels) {
        return Plan { steps: vec![], result: Place::Source(source) };
    }
    let steps = one_step(sels, &sources).map(|s| vec![s]).unwrap_or_else(|| match sources.len() {
        0..=2 => two_sources(sels, &sources),
        _ => many_sources(sels, &sources),
    });
    let result = Place::Step(steps.len() as u8 - 1);
    Plan { steps, result }
}

/// A single instruction: without a constant if possible.
fn one_step(sels: Bytes, sources: &[u8]) -> Option<Step> {
    if sources.is_empty() {
        let bytes = sels.map(|s| if s == ByteSel::Ones { 0xff } else { 0 });
        return Some(Step::Constant(u32::from_le_bytes(bytes)));
    }
    let bytes = |place| match place {
        Place::Source(n) => source_bytes(n),
        Place::Step(_) => [ByteSel::Zero; 4],
    };
    let found = literal_free(sources).into_iter().find(|step| apply(step, bytes) == sels);
    found.or_else(|| masks(sels, sources)).or_else(|| {
        let (lo, hi) = match *sources {
            [only] => (only, only),
            [a, b] => (a, b),
            _ => return None,
        };
        let selector = selector(sels, source_bytes(hi), source_bytes(lo))?;
        Some(Step::Perm { hi: Place::Source(hi), lo: Place::Source(lo), selector })
    })
}

/// Every move of whole bytes that needs no constant beyond the inline ones.
fn literal_free(sources: &[u8]) -> Vec<Step> {
    let mut steps = vec![];
    for &source in sources {
        let of = Place::Source(source);
        for bits in [8, 16, 24] {
            steps.push(Step::Shl { of, bits });
            steps.push(Step::Shr { of, bits });
            steps.push(Step::Sar { of, bits });
        }
        steps.push(Step::Sar { of, bits: 31 });
        for bits in [8, 16, 24] {
            for first_bit in (0..=24 - bits).step_by(8) {
                steps.push(Step::Field { of, first_bit, bits, signed: false });
                steps.push(Step::Field { of, first_bit, bits, signed: true });
            }
        }
        for first_bit in [7, 15, 23] {
            steps.push(Step::Field { of, first_bit, bits: 1, signed: true });
        }
        for &other in sources {
            for bits in [8, 16, 24] {
                steps.push(Step::Align { hi: of, lo: Place::Source(other), bits });
            }
        }
    }
    steps
}

/// Bytes of one source where they are, zeros or ones elsewhere: shorter than `v_perm_b32` with its selector.
fn masks(sels: Bytes, sources: &[u8]) -> Option<Step> {
    let [source] = *sources else { return None };
    let in_place = |i: usize| sels[i] == ByteSel::Byte(source, i as u8);
    let fixed = |what: ByteSel| (0..4).all(|i| in_place(i) || sels[i] == what);
    let mask = |on: &dyn Fn(usize) -> bool| u32::from_le_bytes(std::array::from_fn(|i| if on(i) { 0xff } else { 0 }));
    let of = Place::Source(source);
    if fixed(ByteSel::Zero) {
        return Some(Step::And { of, mask: mask(&in_place) });
    }
    fixed(ByteSel::Ones).then(|| Step::Or { of, mask: mask(&|i| !in_place(i)) })
}

/// At least two steps: a helper, then `v_perm_b32` of the helper and a source.
fn two_sources(sels: Bytes, sources: &[u8]) -> Vec<Step> {
    let helper = Place::Step(0);
    let from = |place: Place, step: &Step| match place {
        Place::Source(n) => source_bytes(n),
        Place::Step(_) => apply(step, |p| match p {
            Place::Source(n) => source_bytes(n),
            Place::Step(_) => [ByteSel::Zero; 4],
        }),
    };
    // A helper without a constant saves one.
    let mut places: Vec<Place> = sources.iter().map(|&s| Place::Source(s)).collect();
    places.push(helper);
    for step in literal_free(sources) {
        for &other in &places {
            for (hi, lo) in [(helper, other), (other, helper)] {
                if let Some(selector) = selector(sels, from(hi, &step), from(lo, &step)) {
                    return vec![step, Step::Perm { hi, lo, selector }];
                }
            }
        }
    }
    let groups = gather_groups(sels);
    let (lo, hi) = (sources[0], *sources.last().unwrap_or(&sources[0]));
    let mut steps: Vec<Step> = vec![];
    let mut held: Vec<Bytes> = vec![];
    for group in &groups {
        let Some(selector) = selector(*group, source_bytes(hi), source_bytes(lo)) else { continue };
        steps.push(Step::Perm { hi: Place::Source(hi), lo: Place::Source(lo), selector });
        held.push(*group);
    }
    let (first, last) = (0, held.len().saturating_sub(1));
    if let Some(selector) = selector(sels, held[last], held[first]) {
        steps.push(Step::Perm { hi: Place::Step(last as u8), lo: Place::Step(first as u8), selector });
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
        steps.push(Step::Perm { hi, lo, selector });
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
        steps.push(Step::Perm { hi: Place::Source(hi), lo: Place::Source(lo), selector });
        return (Place::Step(steps.len() as u8 - 1), group);
    }
    // More even signs than one gather can carry: the finished bytes.
    let base = steps.len() as u8;
    let moved = |place: Place| match place {
        Place::Step(n) => Place::Step(base + n),
        source => source,
    };
    let plan = plan(own);
    steps.extend(plan.steps.iter().map(|step| relocated(*step, moved)));
    (moved(plan.result), own)
}

fn relocated(step: Step, moved: impl Fn(Place) -> Place) -> Step {
    match step {
        Step::Perm { hi, lo, selector } => Step::Perm { hi: moved(hi), lo: moved(lo), selector },
        Step::Align { hi, lo, bits } => Step::Align { hi: moved(hi), lo: moved(lo), bits },
        Step::Shl { of, bits } => Step::Shl { of: moved(of), bits },
        Step::Shr { of, bits } => Step::Shr { of: moved(of), bits },
        Step::Sar { of, bits } => Step::Sar { of: moved(of), bits },
        Step::Field { of, first_bit, bits, signed } => Step::Field { of: moved(of), first_bit, bits, signed },
        Step::And { of, mask } => Step::And { of: moved(of), mask },
        Step::Or { of, mask } => Step::Or { of: moved(of), mask },
        Step::Constant(bits) => Step::Constant(bits),
    }
}

impl Ctx<'_> {
    pub(super) fn lower_byteperm(&mut self, sels: [ByteSel; 4], data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let sources: super::Operands = data.args.iter().map(|&a| self.src(a)).collect();
        self.byteperm(dst, sels, &sources);
        Ok(())
    }

    /// Writes a byte permute of any sources into a VGPR, or of SGPRs and constants into an SGPR.
    pub(super) fn byteperm(&mut self, dst: Reg, sels: [ByteSel; 4], sources: &[Operand]) {
        let sels = sels.map(|sel| canonical(sel, sources));
        if self.mir.class(dst) == RegClass::Sgpr {
            return self.scalar_byteperm(dst, sels, sources);
        }
        let plan = plan(sels);
        let mut results: Vec<Reg> = vec![];
        for (n, step) in plan.steps.iter().enumerate() {
            let out = if n + 1 == plan.steps.len() { dst } else { self.vtmp(1) };
            self.byteperm_step(step, out, |place| match place {
                Place::Source(n) => sources[n as usize],
                Place::Step(n) => results[n as usize].into(),
            });
            results.push(out);
        }
        if let (true, Place::Source(n)) = (plan.steps.is_empty(), plan.result) {
            self.copy(dst, sources[n as usize]);
        }
    }

    fn byteperm_step(&mut self, step: &Step, dst: Reg, at: impl Fn(Place) -> Operand) {
        let k = |bits: u32| Operand::Imm(bits as u64);
        match *step {
            Step::Perm { hi, lo, selector } => self.valu(ops::v_perm_b32, dst, &[at(hi), at(lo), k(selector)]),
            Step::Shl { of, bits } => self.valu(ops::v_lshlrev_b32, dst, &[k(bits as u32), at(of)]),
            Step::Shr { of, bits } => self.valu(ops::v_lshrrev_b32, dst, &[k(bits as u32), at(of)]),
            Step::Sar { of, bits } => self.valu(ops::v_ashrrev_i32, dst, &[k(bits as u32), at(of)]),
            Step::Align { hi, lo, bits } => self.valu(ops::v_alignbit_b32, dst, &[at(hi), at(lo), k(bits as u32)]),
            Step::Field { of, first_bit, bits, signed } => {
                let op = if signed { ops::v_bfe_i32 } else { ops::v_bfe_u32 };
                self.valu(op, dst, &[at(of), k(first_bit as u32), k(bits as u32)]);
            }
            Step::And { of, mask } => self.valu(ops::v_and_b32, dst, &[k(mask), at(of)]),
            Step::Or { of, mask } => self.valu(ops::v_or_b32, dst, &[k(mask), at(of)]),
            Step::Constant(bits) => self.copy(dst, k(bits)),
        }
    }

    /// The scalar unit has no permute: bytes that move by the same distance go together by a shift and a mask, signs by a
    /// field extract.
    fn scalar_byteperm(&mut self, dst: Reg, sels: Bytes, sources: &[Operand]) {
        let mut parts: Vec<Operand> = vec![];
        let ones = byte_mask(|i| sels[i] == ByteSel::Ones);
        if ones != 0 || sels.iter().all(|s| s.source().is_none()) {
            parts.push(Operand::Imm(ones as u64));
        }
        let mut done = [false; 4];
        for i in 0..4 {
            if done[i] {
                continue;
            }
            let (source, mask) = match sels[i] {
                ByteSel::Byte(source, byte) => {
                    let up = i as i32 - byte as i32;
                    let together = |j: usize| match sels[j] {
                        ByteSel::Byte(other, from) => other == source && j as i32 - from as i32 == up,
                        ByteSel::Sign(..) | ByteSel::Zero | ByteSel::Ones => false,
                    };
                    (self.scalar_shift(sources[source as usize], up), byte_mask(together))
                }
                ByteSel::Sign(source, byte) => {
                    let tmp = self.stmp(1);
                    let field = Operand::Imm((1 << 16) | (8 * byte as u64 + 7));
                    self.salu(ops::s_bfe_i32, &[tmp], &[sources[source as usize], field]);
                    (tmp.into(), byte_mask(|j| sels[j] == sels[i]))
                }
                ByteSel::Zero | ByteSel::Ones => continue,
            };
            for (j, done) in done.iter_mut().enumerate() {
                *done |= mask.to_le_bytes()[j] != 0;
            }
            parts.push(self.scalar_masked(source, mask, sels[i], i));
        }
        match parts[..] {
            [] => self.copy(dst, Operand::Imm(0)),
            [only] => self.copy(dst, only),
            [first, ref rest @ ..] => {
                let mut sum = first;
                for (n, &part) in rest.iter().enumerate() {
                    let out = if n + 1 == rest.len() { dst } else { self.stmp(1) };
                    self.salu(ops::s_or_b32, &[out], &[sum, part]);
                    sum = out.into();
                }
            }
        }
    }

    /// The operand moved up by so many bytes, zeros behind.
    fn scalar_shift(&mut self, of: Operand, up_bytes: i32) -> Operand {
        if up_bytes == 0 {
            return of;
        }
        let tmp = self.stmp(1);
        let op = if up_bytes > 0 { ops::s_lshl_b32 } else { ops::s_lshr_b32 };
        self.salu(op, &[tmp], &[of, Operand::Imm(8 * up_bytes.unsigned_abs() as u64)]);
        tmp.into()
    }

    /// Clears the bytes outside the mask, unless a shift has.
    fn scalar_masked(&mut self, of: Operand, mask: u32, sel: ByteSel, at: usize) -> Operand {
        let filled = match sel {
            // A shift by n bytes leaves zeros in n bytes of one end.
            ByteSel::Byte(_, byte) if at >= byte as usize => u32::MAX << (8 * (at - byte as usize)),
            ByteSel::Byte(_, byte) => u32::MAX >> (8 * (byte as usize - at)),
            _ => u32::MAX,
        };
        if filled == mask {
            return of;
        }
        let tmp = self.stmp(1);
        self.salu(ops::s_and_b32, &[tmp], &[of, Operand::Imm(mask as u64)]);
        tmp.into()
    }
}

fn byte_mask(on: impl Fn(usize) -> bool) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| if on(i) { 0xff } else { 0 }))
}

/// The same byte by its first name: sources may be equal, and constant bytes are known when they are 0x00 or 0xff.
fn canonical(sel: ByteSel, sources: &[Operand]) -> ByteSel {
    let (source, byte, sign) = match sel {
        ByteSel::Byte(source, byte) => (source, byte, false),
        ByteSel::Sign(source, byte) => (source, byte, true),
        constant => return constant,
    };
    let operand = sources[source as usize];
    if let Operand::Imm(bits) = operand {
        let value = (bits >> (8 * byte)) as u8;
        match (value, sign) {
            (0x00, _) => return ByteSel::Zero,
            (0xff, _) => return ByteSel::Ones,
            (value, true) => return if value & 0x80 != 0 { ByteSel::Ones } else { ByteSel::Zero },
            (_, false) => {}
        }
    }
    let first = sources.iter().position(|&o| o == operand).unwrap_or(source as usize) as u8;
    if sign { ByteSel::Sign(first, byte) } else { ByteSel::Byte(first, byte) }
}
