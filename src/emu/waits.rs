//! Which registers a memory instruction may still write, and which counter says so.
//!
//! Spec: the AMD ISA manuals, "Data Dependency Resolution"; counters per family as `docs/emu.md` lists them. The emulator
//! moves data at once; this module reports a register used before the counter allows it, which on a machine gives
//! yesterday's value some of the time. Counters belong to the wave, whatever EXEC is.

use super::fault::{Fault, FaultKind};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A wait counter. Families that lack one never issue to it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Counter {
    /// vmcnt, loadcnt: vector loads (on gfx9 stores too).
    Vector,
    /// vscnt, storecnt.
    Store,
    /// lgkmcnt on gfx9 to gfx11 (LDS and SMEM), dscnt from gfx12.
    Lds,
    /// kmcnt of gfx12; earlier the same as `Lds`.
    Scalar,
    /// gfx1250: sources of memory instructions in flight.
    Sources,
}

const COUNTERS: usize = 5;

/// A range of registers: VGPRs (AGPRs behind them), or scalar slots.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct RegRange {
    pub scalar: bool,
    pub first: u16,
    pub count: u16,
}

impl RegRange {
    fn overlaps(self, other: RegRange) -> bool {
        self.scalar == other.scalar && self.first < other.first + other.count && other.first < self.first + self.count
    }
}

/// What an instruction issues.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Issue {
    /// Where it counts; empty when it touches no memory.
    pub counters: SmallVec<[Counter; 2]>,
    /// It may return before or after its neighbours of the same counter.
    pub out_of_order: bool,
    /// Registers it writes when it returns.
    pub results: SmallVec<[RegRange; 1]>,
    /// Registers that must keep their value while it is in flight (gfx1250).
    pub sources: SmallVec<[RegRange; 3]>,
    /// It counts in [`Counter::Sources`], whether or not it has register sources.
    pub counts_sources: bool,
}

struct Entry {
    tickets: SmallVec<[(Counter, u64); 2]>,
    source_ticket: Option<u64>,
    out_of_order: bool,
    results: SmallVec<[RegRange; 1]>,
    sources: SmallVec<[RegRange; 3]>,
    pc: u64,
}

/// The instructions of one wave that are in flight.
#[derive(Default)]
pub struct Waits {
    issued: [u64; COUNTERS],
    complete: [u64; COUNTERS],
    entries: VecDeque<Entry>,
}

impl Waits {
    pub fn idle(&self) -> bool {
        self.entries.is_empty()
    }

    /// The counter and the place of an instruction in flight that counts in one of these. `loads`: only of one with a result.
    pub fn in_flight(&self, counters: &[Counter], loads: bool) -> Option<(Counter, u64)> {
        let open = |t: &&(Counter, u64)| counters.contains(&t.0) && t.1 > self.complete[t.0 as usize];
        let entries = self.entries.iter().filter(|e| !loads || !e.results.is_empty());
        entries.filter_map(|e| e.tickets.iter().find(open).map(|t| (t.0, e.pc))).next()
    }

    pub fn issue(&mut self, issue: &Issue, pc: u64) {
        if issue.counters.is_empty() {
            return;
        }
        let mut take = |counter: Counter| {
            self.issued[counter as usize] += 1;
            self.issued[counter as usize]
        };
        let tickets = issue.counters.iter().map(|&c| (c, take(c))).collect();
        let source_ticket = issue.counts_sources.then(|| take(Counter::Sources));
        self.entries.push_back(Entry {
            tickets,
            source_ticket,
            out_of_order: issue.out_of_order,
            results: issue.results.clone(),
            sources: issue.sources.clone(),
            pc,
        });
    }

    /// Waits until at most `left` instructions of `counter` are outstanding.
    pub fn wait(&mut self, counter: Counter, left: u64) {
        let c = counter as usize;
        // FLAT that is through with this counter, and waits for the other one only, stands in nobody's way here.
        let outstanding = |t: &(Counter, u64)| t.0 == counter && t.1 > self.complete[c];
        let unordered = self.entries.iter().any(|e| e.out_of_order && e.tickets.iter().any(outstanding));
        if left == 0 || !unordered {
            self.complete[c] = self.complete[c].max(self.issued[c].saturating_sub(left));
        }
        let complete = &self.complete;
        let done = |t: &(Counter, u64)| t.1 <= complete[t.0 as usize];
        let sources = complete[Counter::Sources as usize];
        for entry in &mut self.entries {
            if entry.source_ticket.is_some_and(|t| t <= sources) {
                entry.sources.clear();
            }
        }
        self.entries.retain(|e| !e.tickets.iter().all(done));
    }

    /// Checks that an instruction at this point may read and write these registers. `issue` is what it issues itself.
    pub fn check(
        &self,
        reads: &[RegRange],
        writes: &[RegRange],
        issue: &Issue,
        name: impl Fn(RegRange) -> String,
    ) -> Result<(), Box<Fault>> {
        for entry in &self.entries {
            for &result in &entry.results {
                if let Some(&read) = reads.iter().find(|r| r.overlaps(result)) {
                    return Err(missing("read", &name(read), entry));
                }
                if let Some(&write) = writes.iter().find(|w| w.overlaps(result)) {
                    // A later instruction of the same ordered counter writes later.
                    let ordered = !entry.out_of_order
                        && !issue.out_of_order
                        && issue.counters.len() == 1
                        && entry.tickets.len() == 1
                        && entry.tickets[0].0 == issue.counters[0];
                    if !ordered {
                        return Err(missing("overwritten", &name(write), entry));
                    }
                }
            }
            // Vector memory instructions are replayed in order, and may overwrite each other's sources.
            let in_order = issue.counters.iter().any(|c| matches!(c, Counter::Vector | Counter::Store));
            let in_use = |w: &&RegRange| entry.sources.iter().any(|s| s.overlaps(**w));
            if !in_order && let Some(&write) = writes.iter().find(in_use) {
                let message = format!(
                    "{} is overwritten while the memory instruction at pc {:#x} may still read it (s_wait_xcnt)",
                    name(write),
                    entry.pc
                );
                return Err(Fault::new(FaultKind::MissingWait(message)));
            }
        }
        Ok(())
    }
}

fn missing(what: &str, register: &str, entry: &Entry) -> Box<Fault> {
    let counters: Vec<String> = entry.tickets.iter().map(|t| format!("{:?}", t.0).to_lowercase()).collect();
    Fault::new(FaultKind::MissingWait(format!(
        "{register} is {what} before a wait for the instruction at pc {:#x} ({} counter)",
        entry.pc,
        counters.join(" and ")
    )))
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    fn v(first: u16) -> RegRange {
        RegRange { scalar: false, first, count: 1 }
    }
    fn load(counter: Counter, first: u16, out_of_order: bool) -> Issue {
        Issue { counters: smallvec![counter], out_of_order, results: smallvec![v(first)], ..Issue::default() }
    }
    fn reads(waits: &Waits, first: u16) -> bool {
        waits.check(&[v(first)], &[], &Issue::default(), |r| format!("v{}", r.first)).is_ok()
    }

    #[test]
    fn ordered_counters_complete_from_the_oldest() {
        let mut waits = Waits::default();
        waits.issue(&load(Counter::Vector, 1, false), 0);
        waits.issue(&load(Counter::Vector, 2, false), 8);
        assert!(!reads(&waits, 1) && !reads(&waits, 2) && reads(&waits, 3));
        waits.wait(Counter::Vector, 1);
        assert!(reads(&waits, 1) && !reads(&waits, 2));
        waits.wait(Counter::Lds, 0);
        assert!(!reads(&waits, 2));
        waits.wait(Counter::Vector, 0);
        assert!(reads(&waits, 2) && waits.idle());
    }

    #[test]
    fn scalar_loads_need_zero() {
        let mut waits = Waits::default();
        waits.issue(&load(Counter::Lds, 1, true), 0);
        waits.issue(&load(Counter::Lds, 2, false), 8);
        waits.wait(Counter::Lds, 1);
        assert!(!reads(&waits, 1) && !reads(&waits, 2));
        waits.wait(Counter::Lds, 0);
        assert!(reads(&waits, 1) && reads(&waits, 2));
    }

    #[test]
    fn flat_needs_both_counters() {
        let mut waits = Waits::default();
        let mut flat = load(Counter::Vector, 1, true);
        flat.counters.push(Counter::Lds);
        waits.issue(&flat, 0);
        waits.wait(Counter::Vector, 0);
        assert!(!reads(&waits, 1));
        waits.wait(Counter::Lds, 0);
        assert!(reads(&waits, 1));
    }

    #[test]
    fn flat_that_has_left_a_counter_does_not_disorder_it() {
        let mut waits = Waits::default();
        let mut flat = load(Counter::Vector, 1, true);
        flat.counters.push(Counter::Lds);
        waits.issue(&flat, 0);
        waits.wait(Counter::Vector, 0);
        waits.issue(&load(Counter::Vector, 2, false), 8);
        waits.issue(&load(Counter::Vector, 3, false), 16);
        waits.wait(Counter::Vector, 1);
        assert!(reads(&waits, 2) && !reads(&waits, 3) && !reads(&waits, 1));
    }

    #[test]
    fn sources_in_flight_may_not_change() {
        let mut waits = Waits::default();
        let store = Issue {
            counters: smallvec![Counter::Store],
            out_of_order: false,
            results: smallvec![],
            sources: smallvec![v(4)],
            counts_sources: true,
        };
        waits.issue(&store, 0);
        let writes = |waits: &Waits| waits.check(&[], &[v(4)], &Issue::default(), |_| "v4".into()).is_ok();
        assert!(!writes(&waits));
        // A scratch access by a constant address reads no register and counts all the same.
        waits.issue(&Issue { sources: smallvec![], ..store.clone() }, 4);
        waits.wait(Counter::Sources, 1);
        assert!(writes(&waits) && !waits.idle());
        waits.issue(&store, 8);
        waits.wait(Counter::Store, 0);
        assert!(writes(&waits) && waits.idle(), "a store that is done reads nothing");
    }
}
