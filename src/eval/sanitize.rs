//! The sanitizer: races, reads of what nothing has written, barriers met at different places.
//!
//! Every byte of global and shared memory remembers who wrote and read it last, and each thread knows how far it has
//! synchronised with every other (vector clocks, as FastTrack by Flanagan and Freund, PLDI 2009, keeps them): barriers and
//! `bar.warp.sync` order what stands before them with what stands behind; a fence releases to whoever reads a later strong
//! write of the thread and then fences or meets a barrier. Two accesses without order race if one writes and not both are
//! strong (`volatile`, `relaxed` and stronger, atomics). PTX ISA, "Memory Consistency Model".

use super::code::*;
use super::fault::{Fault, FaultKind, Memory as Which, Other};
use super::machine::{Launch, Outcome, launch_watched};
use super::watch::{Place, Touch, Watch, Who};
use crate::diag::Span;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// Findings that are kept.
const MAX_FINDINGS: usize = 100;

type Clock = HashMap<u32, u32>;

/// An access as a byte remembers it.
#[derive(Copy, Clone)]
struct Seen {
    /// Linear in the grid.
    thread: u32,
    /// Of that thread, at the time.
    clock: u32,
    strong: bool,
    span: Span,
}

#[derive(Clone, Default)]
struct Cell {
    written: Option<Seen>,
    /// The last read of each thread since the last write, those that are ordered after one another left out.
    read: Vec<Seen>,
    initialised: bool,
}

#[derive(Default)]
struct Shadow {
    /// What this thread knows of others.
    known: Rc<Clock>,
    own: u32,
    /// What a fence has released.
    released: Option<Rc<Clock>>,
    /// What strong reads have seen and no fence has acquired yet.
    pending: Option<Rc<Clock>>,
    slots: Vec<bool>,
    local: Vec<bool>,
}

struct Sanitizer {
    block_dims: [u32; 3],
    grid_dims: [u32; 3],
    threads: u32,
    shadows: Vec<Shadow>,
    shared: Vec<Cell>,
    /// Bytes by address over 64.
    global: HashMap<u64, Vec<Cell>>,
    /// What strong writes to a place have released.
    published: HashMap<(Place, u32), Rc<Clock>>,
    findings: Vec<Fault>,
    told: HashSet<(Span, Span, u8)>,
}

/// Executes a launch under the sanitizer: its outcome, and what it does that PTX leaves undefined.
pub fn sanitize(program: &Program, launch: &Launch) -> (Result<Outcome, Box<Fault>>, Vec<Fault>) {
    let mut sanitizer = Sanitizer {
        block_dims: launch.block,
        grid_dims: launch.grid,
        threads: launch.block.iter().product(),
        shadows: vec![],
        shared: vec![],
        global: HashMap::new(),
        published: HashMap::new(),
        findings: vec![],
        told: HashSet::new(),
    };
    let outcome = launch_watched(program, launch, &mut sanitizer);
    for finding in &mut sanitizer.findings {
        finding.kernel = program.kernel.clone();
    }
    (outcome, sanitizer.findings)
}

fn dims(number: u32, [x, y, _]: [u32; 3]) -> [u32; 3] {
    let (x, y) = (x.max(1), y.max(1));
    [number % x, number / x % y, number / x / y]
}

fn join(into: &mut Rc<Clock>, other: &Rc<Clock>) {
    if Rc::ptr_eq(into, other) || other.is_empty() {
        return;
    }
    if into.is_empty() {
        *into = other.clone();
        return;
    }
    let clock = Rc::make_mut(into);
    for (&thread, &time) in other.iter() {
        let known = clock.entry(thread).or_insert(0);
        *known = (*known).max(time);
    }
}

impl Sanitizer {
    fn report(&mut self, who: Who, kind: FaultKind, other: Option<Seen>) {
        let tag = match &kind {
            FaultKind::Race { .. } => 0,
            FaultKind::Uninitialised { .. } => 1,
            FaultKind::UninitialisedRegister => 2,
            FaultKind::DivergentBarrier => 3,
            _ => 4,
        };
        let other_span = other.map_or(Span::NONE, |o| o.span);
        if self.findings.len() >= MAX_FINDINGS || !self.told.insert((who.span, other_span, tag)) {
            return;
        }
        let mut fault = Fault::of(kind);
        fault.span = who.span;
        fault.thread = Some((dims(who.thread, self.block_dims), dims(who.block, self.grid_dims)));
        fault.other = other.map(|seen| Other {
            span: seen.span,
            thread: dims(seen.thread % self.threads, self.block_dims),
            block: dims(seen.thread / self.threads, self.grid_dims),
            write: false,
        });
        self.findings.push(*fault);
    }

    fn join_all(&mut self, threads: &[u32], block: u32) {
        let mut all: Rc<Clock> = Rc::default();
        let mut own = vec![];
        for &thread in threads {
            let shadow = &mut self.shadows[thread as usize];
            // A barrier acquires what was seen before it.
            if let Some(pending) = shadow.pending.take() {
                join(&mut shadow.known, &pending);
            }
            join(&mut all, &shadow.known);
            own.push((block * self.threads + thread, shadow.own));
        }
        let clock = Rc::make_mut(&mut all);
        for (thread, time) in own {
            clock.insert(thread, time);
        }
        for &thread in threads {
            let shadow = &mut self.shadows[thread as usize];
            shadow.known = all.clone();
            shadow.own += 1;
        }
    }

    /// One byte is accessed; the first conflict it has.
    fn byte(cell: &mut Cell, now: Seen, known: &Clock, touch: Touch) -> Option<(Seen, bool)> {
        let ordered = |seen: &Seen| {
            seen.thread == now.thread
                || seen.strong && now.strong
                || known.get(&seen.thread).is_some_and(|&t| t >= seen.clock)
        };
        let mut conflict = cell.written.filter(|seen| !ordered(seen)).map(|seen| (seen, true));
        if touch == Touch::Read {
            cell.read
                .retain(|seen| seen.thread != now.thread && known.get(&seen.thread).is_none_or(|&t| t < seen.clock));
            cell.read.push(now);
        } else {
            conflict = conflict.or_else(|| cell.read.iter().find(|seen| !ordered(seen)).map(|&seen| (seen, false)));
            cell.read.clear();
            cell.written = Some(now);
            cell.initialised = true;
        }
        conflict
    }

    fn check_slots(&mut self, who: Who, function: &Function, base: usize, slots: &[Slot]) {
        let shadow = &self.shadows[who.thread as usize];
        let unwritten = slots.iter().any(|&slot| {
            function.is_register.get(slot as usize).copied().unwrap_or(false) && !shadow.slots[base + slot as usize]
        });
        if unwritten {
            self.report(who, FaultKind::UninitialisedRegister, None);
        }
    }
}

impl Watch for Sanitizer {
    const ACTIVE: bool = true;

    fn guard(&mut self, who: Who, function: &Function, slot: Slot, base: usize) {
        self.check_slots(who, function, base, &[slot]);
    }

    fn step(&mut self, who: Who, function: &Function, inst: &Inst, _: &[u64], base: usize) {
        self.check_slots(who, function, base, &inst.sources(function));
    }

    fn wrote(&mut self, who: Who, slot: Slot, base: usize, _: u64) {
        let slots = &mut self.shadows[who.thread as usize].slots;
        if let Some(written) = slots.get_mut(base + slot as usize) {
            *written = true;
        }
    }

    fn enter(&mut self, who: Who, function: &Function, base: usize) {
        let slots = &mut self.shadows[who.thread as usize].slots;
        slots.truncate(base);
        slots.extend((0..function.template.len()).map(|n| !function.is_register.get(n).copied().unwrap_or(false)));
    }

    fn passed(&mut self, who: Who, at: u32, bytes: u32) {
        let local = &mut self.shadows[who.thread as usize].local;
        let end = (at + bytes) as usize;
        local.resize(local.len().max(end), false);
        local[at as usize..end].fill(true);
    }

    fn block_begins(&mut self, _: u32, threads: u32, shared_bytes: u32) {
        self.shadows = (0..threads).map(|_| Shadow { own: 1, ..Shadow::default() }).collect();
        self.shared = vec![Cell::default(); shared_bytes as usize];
    }

    fn touch(&mut self, who: Who, touch: Touch, place: Place, bytes: u32, access: &Access) {
        let me = who.block * self.threads + who.thread;
        let strong = access.order != Order::Weak;
        let mut conflict = None;
        let mut unwritten = None;
        match place {
            Place::Local(at) => {
                let local = &mut self.shadows[who.thread as usize].local;
                let (from, to) = (at as usize, (at + bytes) as usize);
                local.resize(local.len().max(to), false);
                if touch == Touch::Read {
                    unwritten = (from..to).find(|&n| !local[n]).map(|n| (Which::Local, format!("byte {n}")));
                } else {
                    local[from..to].fill(true);
                }
            }
            Place::Global(_) | Place::Shared(_) => {
                let shadow = &self.shadows[who.thread as usize];
                let now = Seen { thread: me, clock: shadow.own, strong, span: who.span };
                for n in 0..bytes {
                    let cell = match place.plus(n) {
                        Place::Shared(at) => &mut self.shared[at as usize],
                        Place::Global(at) => {
                            let line = self.global.entry(at / 64).or_insert_with(|| vec![Cell::default(); 64]);
                            &mut line[at as usize % 64]
                        }
                        Place::Local(_) => continue,
                    };
                    if matches!(place, Place::Shared(_)) && !cell.initialised && touch != Touch::Write {
                        unwritten = unwritten.or(Some((Which::Shared, format!("byte {}", at_of(place.plus(n))))));
                    }
                    let found = Self::byte(cell, now, &shadow.known, touch);
                    conflict = conflict.or(found.map(|found| (found, n)));
                }
                if strong {
                    self.synchronise(who, touch, place, access.order);
                }
            }
        }
        if let Some((memory, at)) = unwritten {
            self.report(who, FaultKind::Uninitialised { memory, at }, None);
        }
        if let Some(((seen, wrote), n)) = conflict {
            let memory = if matches!(place, Place::Shared(_)) { Which::Shared } else { Which::Global };
            let at = match place.plus(n) {
                Place::Global(at) => format!("{at:#x}"),
                place => format!("byte {}", at_of(place)),
            };
            let before = self.findings.len();
            self.report(who, FaultKind::Race { memory, at, write: touch != Touch::Read }, Some(seen));
            if let Some(Some(other)) = self.findings.get_mut(before).map(|f| f.other.as_mut()) {
                other.write = wrote;
            }
        }
    }

    fn fence(&mut self, who: Who) {
        let me = who.block * self.threads + who.thread;
        let shadow = &mut self.shadows[who.thread as usize];
        if let Some(pending) = shadow.pending.take() {
            join(&mut shadow.known, &pending);
        }
        let mut released = shadow.known.clone();
        Rc::make_mut(&mut released).insert(me, shadow.own);
        shadow.own += 1;
        shadow.released = Some(released);
    }

    fn barrier(&mut self, block: u32, threads: &[u32], sites: &[(u32, Span)], aligned: bool) {
        if aligned {
            let mut first: HashMap<u32, Span> = HashMap::new();
            for &(thread, span) in sites {
                let expected = *first.entry(thread / 32).or_insert(span);
                if expected != span {
                    let seen = Seen {
                        thread: block * self.threads + thread / 32 * 32,
                        clock: 0,
                        strong: false,
                        span: expected,
                    };
                    self.report(Who { thread, block, span }, FaultKind::DivergentBarrier, Some(seen));
                }
            }
        }
        self.join_all(threads, block);
    }

    fn warp_met(&mut self, block: u32, threads: &[u32]) {
        self.join_all(threads, block);
    }

    fn finding(&mut self, who: Who, fault: &Fault) {
        self.report(who, fault.kind.clone(), None);
    }
}

impl Sanitizer {
    /// A strong access: what it releases and what it sees.
    fn synchronise(&mut self, who: Who, touch: Touch, place: Place, order: Order) {
        // Shared memory is the block's own.
        let key = (place, if matches!(place, Place::Shared(_)) { who.block } else { 0 });
        if matches!(order, Order::Release | Order::AcquireRelease) {
            self.fence(who);
        }
        let shadow = &mut self.shadows[who.thread as usize];
        if touch != Touch::Write
            && let Some(seen) = self.published.get(&key)
        {
            let mut pending = shadow.pending.take().unwrap_or_default();
            join(&mut pending, seen);
            if matches!(order, Order::Acquire | Order::AcquireRelease) {
                join(&mut shadow.known, &pending);
            } else {
                shadow.pending = Some(pending);
            }
        }
        if touch != Touch::Read
            && let Some(released) = shadow.released.clone()
        {
            let published = self.published.entry(key).or_default();
            if touch == Touch::Write {
                *published = released;
            } else {
                join(published, &released);
            }
        }
    }
}

fn at_of(place: Place) -> u64 {
    match place {
        Place::Global(at) => at,
        Place::Shared(at) | Place::Local(at) => at.into(),
    }
}
