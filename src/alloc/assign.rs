//! Assignment of registers to bundles.
//!
//! First the pressure is brought down to what there is: walking the positions, the bundle that is cheapest to spill for the
//! room that it frees goes, wherever too many dwords are live. Then the bundles, by first position, take the
//! first registers that are free in their ranges. Where alignment leaves no gap, bundles in the way move elsewhere; if
//! that fails too, the cheaper side is spilled.

use super::bundle::{Bundle, Bundles, Vcc};
use crate::mir::liveness::{Liveness, Range, Segment, VCC_INDEX};
use std::collections::{BTreeMap, BTreeSet};

/// Who holds a segment: a bundle, or a physical register that instructions name.
const FIXED: u32 = u32::MAX;

/// A bundle could not be placed, and nothing could be spilled for it.
pub(super) struct OutOfRegisters {
    pub bundle: u32,
}

pub(super) struct Assignment {
    /// First register of each bundle.
    pub regs: Vec<Option<u16>>,
    pub spilled: Vec<u32>,
}

/// One physical register over time.
#[derive(Default)]
struct Register {
    /// Start to end and holder.
    segments: BTreeMap<u32, (u32, u32)>,
    /// Behind the last segment.
    end: u32,
}

impl Register {
    /// A segment that overlaps.
    fn conflict(&self, s: Segment) -> Option<Segment> {
        if self.end <= s.start {
            return None;
        }
        let (&start, &(end, _)) = self.segments.range(..s.end).next_back()?;
        (s.start < end).then_some(Segment { start, end })
    }

    fn insert(&mut self, range: &Range, holder: u32) {
        for s in range {
            self.segments.insert(s.start, (s.end, holder));
            self.end = self.end.max(s.end);
        }
    }

    fn remove(&mut self, range: &Range) {
        for s in range {
            self.segments.remove(&s.start);
        }
    }

    /// Adds every holder that overlaps the range.
    fn holders(&self, range: &Range, into: &mut Vec<u32>) {
        for s in range {
            let before = self.segments.range(..s.start).next_back().filter(|(_, v)| v.0 > s.start);
            into.extend(before.map(|(_, v)| v.1));
            into.extend(self.segments.range(s.start..s.end).map(|(_, v)| v.1));
        }
    }
}

struct Ctx<'a> {
    bundles: &'a [Bundle],
    /// Registers free to use are those below `limit`; VCC stands behind them.
    limit: u16,
    registers: Vec<Register>,
    /// For each register a position up to which it is known to be held without a gap, from the start of the bundle that is being
    /// placed or before. Bundles come by ascending start, so that most places that are taken are passed over by this alone.
    busy_until: Vec<u32>,
    regs: Vec<Option<u16>>,
    spilled: BTreeSet<u32>,
    /// Ascending.
    block_starts: Vec<u32>,
}

/// Assigns registers below `limit` to all bundles, or names bundles to spill. `mask_dwords` is the size of VCC, or 0 where the
/// class has none.
pub(super) fn assign(
    bundles: &Bundles,
    live: &Liveness,
    limit: u16,
    mask_dwords: u8,
) -> Result<Assignment, OutOfRegisters> {
    let list = &bundles.list;
    let spilled = relieve_pressure(list, live.end, limit);
    let mut ctx = Ctx {
        bundles: list,
        limit,
        registers: (0..limit.max(VCC_INDEX + 2)).map(|_| Register::default()).collect(),
        busy_until: vec![0; usize::from(limit.max(VCC_INDEX + 2))],
        regs: vec![None; list.len()],
        spilled,
        block_starts: live.layout_starts(),
    };
    for (i, range) in live.phys().iter().enumerate().filter(|r| !r.1.is_empty()) {
        if let Some(register) = ctx.registers.get_mut(i) {
            register.insert(range, FIXED);
        }
    }
    let mut order: Vec<(u32, u32)> = list.iter().enumerate().map(|(i, b)| (b.start(), i as u32)).collect();
    // Of those that start together, the wider first.
    order.sort_by_key(|&(start, i)| (start, std::cmp::Reverse(list[i as usize].width()), i));
    for (start, i) in order {
        if ctx.spilled.contains(&i) || list[i as usize].members.is_empty() {
            continue;
        }
        if start == u32::MAX {
            // Never live: any register that is aligned.
            ctx.regs[i as usize] = Some(list[i as usize].phase as u16);
            continue;
        }
        if let Some(reg) = ctx.find(i, mask_dwords) {
            ctx.place(i, reg);
        } else {
            ctx.make_room(i)?;
        }
    }
    Ok(Assignment { regs: ctx.regs, spilled: ctx.spilled.into_iter().collect() })
}

impl Ctx<'_> {
    /// A first register where the bundle fits now.
    fn find(&mut self, i: u32, mask_dwords: u8) -> Option<u16> {
        let bundle = &self.bundles[i as usize];
        if bundle.vcc == Vcc::Prefer
            && bundle.width() == mask_dwords
            && self.is_local(bundle)
            && self.fits_next(i, VCC_INDEX)
        {
            return Some(VCC_INDEX);
        }
        if let Some(hint) = bundle.hint
            && hint & (bundle.align as u16 - 1) == bundle.phase as u16
            && hint + bundle.width() as u16 <= self.limit
            && self.fits_next(i, hint)
        {
            return Some(hint);
        }
        let first = bundle.ranges.first().and_then(|range| range.first()).map_or(0, |s| s.start);
        self.candidates(i).find(|&reg| self.busy_until[reg as usize] <= first && self.fits_next(i, reg))
    }

    /// Live within one block, and shortly: VCC is one register, so that what lives long would keep everything else out; and a far
    /// branch goes through it.
    fn is_local(&self, bundle: &Bundle) -> bool {
        const LONG: u32 = 64;
        bundle.ranges.iter().flatten().all(|s| {
            let next_block = self.block_starts.partition_point(|&start| start <= s.start);
            s.end - s.start <= LONG && self.block_starts.get(next_block).is_none_or(|&start| s.end <= start)
        })
    }

    fn candidates(&self, i: u32) -> impl Iterator<Item = u16> + use<> {
        let bundle = &self.bundles[i as usize];
        let last = (self.limit + 1).saturating_sub(bundle.width() as u16);
        (bundle.phase as u16..last).step_by(bundle.align as usize)
    }

    fn fits(&self, i: u32, reg: u16) -> bool {
        let registers = &self.registers[reg as usize..];
        let ranges = &self.bundles[i as usize].ranges;
        ranges.iter().zip(registers).all(|(range, r)| range.iter().all(|&s| r.conflict(s).is_none()))
    }

    /// [`Ctx::fits`] for the bundle whose turn it is: none that starts earlier is asked about later.
    fn fits_next(&mut self, i: u32, reg: u16) -> bool {
        let bundles = self.bundles;
        let ranges = &bundles[i as usize].ranges;
        let busy = &mut self.busy_until[reg as usize..];
        let held = |(range, busy): (&Range, &u32)| range.first().is_some_and(|first| first.start < *busy);
        if ranges.iter().zip(&*busy).any(held) {
            return false;
        }
        let start = bundles[i as usize].start();
        for ((range, register), busy) in ranges.iter().zip(&self.registers[reg as usize..]).zip(busy) {
            if let Some(conflict) = range.iter().find_map(|&s| register.conflict(s)) {
                if conflict.start <= start {
                    *busy = conflict.end;
                }
                return false;
            }
        }
        true
    }

    fn place(&mut self, i: u32, reg: u16) {
        let bundle = &self.bundles[i as usize];
        for (range, register) in bundle.ranges.iter().zip(&mut self.registers[reg as usize..]) {
            register.insert(range, i);
        }
        self.regs[i as usize] = Some(reg);
    }

    fn unplace(&mut self, i: u32) {
        let Some(reg) = self.regs[i as usize].take() else { return };
        let bundle = &self.bundles[i as usize];
        let registers = self.registers[reg as usize..].iter_mut().zip(&mut self.busy_until[reg as usize..]);
        for (range, (register, busy)) in bundle.ranges.iter().zip(registers) {
            register.remove(range);
            *busy = 0;
        }
    }

    /// The bundles in the way at a place; `None` where a fixed register is.
    fn in_the_way(&self, i: u32, reg: u16) -> Option<Vec<u32>> {
        let mut holders = vec![];
        for (range, register) in self.bundles[i as usize].ranges.iter().zip(&self.registers[reg as usize..]) {
            register.holders(range, &mut holders);
        }
        holders.sort_unstable();
        holders.dedup();
        (holders.last() != Some(&FIXED)).then_some(holders)
    }

    /// Moves or spills others for a bundle that fits nowhere, or spills it.
    fn make_room(&mut self, i: u32) -> Result<(), OutOfRegisters> {
        let bundles = self.bundles;
        let density = |&b: &u32| bundles[b as usize].density();
        let mut places: Vec<(f32, u16, Vec<u32>)> = vec![];
        for reg in self.candidates(i) {
            if let Some(holders) = self.in_the_way(i, reg) {
                places.push((holders.iter().map(density).fold(0.0, f32::max), reg, holders));
            }
        }
        places
            .sort_by(|a, b| (a.2.len(), a.0, a.1).partial_cmp(&(b.2.len(), b.0, b.1)).expect("densities are numbers"));
        const TRIES: usize = 12;
        for (_, reg, holders) in places.iter().filter(|p| p.2.len() <= 8).take(TRIES) {
            if self.try_moving(i, *reg, holders) {
                return Ok(());
            }
        }
        let own = bundles[i as usize].density();
        let cheapest = places.iter().min_by(|a, b| (a.0, a.1).partial_cmp(&(b.0, b.1)).expect("densities are numbers"));
        match cheapest {
            Some((cost, reg, holders)) if *cost < own => {
                for &holder in holders {
                    self.unplace(holder);
                    self.spilled.insert(holder);
                }
                self.place(i, *reg);
                Ok(())
            }
            _ if own.is_finite() => {
                self.spilled.insert(i);
                Ok(())
            }
            _ => Err(OutOfRegisters { bundle: i }),
        }
    }

    /// Places the bundle if all that is in the way finds another place.
    fn try_moving(&mut self, i: u32, reg: u16, holders: &[u32]) -> bool {
        let before: Vec<u16> = holders.iter().filter_map(|&h| self.regs[h as usize]).collect();
        holders.iter().for_each(|&h| self.unplace(h));
        self.place(i, reg);
        for (n, &h) in holders.iter().enumerate() {
            if let Some(to) = self.candidates(h).find(|&to| self.fits(h, to)) {
                self.place(h, to);
                continue;
            }
            holders[..n].iter().for_each(|&h| self.unplace(h));
            self.unplace(i);
            holders.iter().zip(&before).for_each(|(&h, &reg)| self.place(h, reg));
            return false;
        }
        true
    }
}

/// Bundles to spill so that nowhere more than `limit` dwords are live.
fn relieve_pressure(bundles: &[Bundle], end: u32, limit: u16) -> BTreeSet<u32> {
    let mut spilled = BTreeSet::new();
    // What begins less what ends at each position.
    let mut changes = vec![0; end as usize + 1];
    for s in bundles.iter().flat_map(|bundle| bundle.ranges.iter().flatten()) {
        changes[s.start as usize] += 1;
        changes[s.end as usize] -= 1;
    }
    let mut pressure = 0;
    let too_high = changes.iter().any(|change| {
        pressure += change;
        pressure > limit as i32
    });
    if !too_high {
        return spilled;
    }
    let mut events: Vec<(u32, i32, u32)> = vec![];
    for (i, bundle) in bundles.iter().enumerate() {
        for s in bundle.ranges.iter().flatten() {
            events.push((s.start, 1, i as u32));
            events.push((s.end, -1, i as u32));
        }
    }
    // Ends before starts.
    events.sort_unstable();
    // Reloads need some room beside what stays.
    let limit = (limit as i32 - 2).max(limit as i32 / 2);
    // Density as bits sorts like the number, which is not negative. Values: how many dwords are live now.
    let mut candidates: BTreeMap<(u32, u32), i32> = BTreeMap::new();
    let mut pressure = 0;
    for (_, change, i) in events {
        if spilled.contains(&i) {
            continue;
        }
        pressure += change;
        let bundle = &bundles[i as usize];
        if !bundle.spillable {
            // What cannot be spilled presses all the same.
        } else {
            let key = (bundle.density().to_bits(), i);
            let live = candidates.entry(key).or_insert(0);
            *live += change;
            if *live == 0 {
                candidates.remove(&key);
            }
        }
        while pressure > limit {
            let Some((&(bits, victim), &live)) = candidates.first_key_value() else { break };
            candidates.remove(&(bits, victim));
            spilled.insert(victim);
            pressure -= live;
        }
    }
    spilled
}
