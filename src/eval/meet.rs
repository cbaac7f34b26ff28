//! Where threads meet: barriers of a block, and instructions that a warp executes together.
//!
//! PTX ISA, "bar, barrier": sixteen barriers; a count of threads is reached in whole warps, and threads that have ended count
//! as arrived where no count is given. "shfl.sync" and its kin: a thread waits until all threads of its membermask that
//! have not ended execute the instruction with the same qualifiers and the same mask. The forms without a mask take the
//! threads of the warp that are at the same place once none of the block can run.

use super::code::*;
use super::fault::{Fault, FaultKind};
use super::machine::Machine;
use super::step::Stop;
use super::thread::{Meeting, Status, Thread};
use super::watch::Watch;
use crate::diag::Span;
use std::collections::VecDeque;

#[derive(Default)]
pub struct BarrierState {
    arrived: Vec<Arrival>,
}

struct Arrival {
    thread: u32,
    /// It waits; after `arrive` it does not.
    waits: bool,
    kind: BarrierKind,
    predicate: bool,
    count: Option<u32>,
    span: Span,
    aligned: bool,
}

/// How the threads of a warp stand.
struct Warp {
    first: u32,
    end: u32,
}

impl Warp {
    fn of(thread: u32, threads: usize) -> Warp {
        let first = thread / 32 * 32;
        Warp { first, end: (first + 32).min(threads as u32) }
    }

    fn live(&self, threads: &[Thread]) -> u32 {
        let alive = |&n: &u32| !matches!(threads[n as usize].status, Status::Done);
        (self.first..self.end).filter(alive).fold(0, |mask, n| mask | 1 << (n % 32))
    }
}

impl<W: Watch> Machine<'_, W> {
    /// Takes note of why a thread stopped, and wakes whom that sets free.
    pub fn stopped(
        &mut self,
        threads: &mut [Thread],
        number: u32,
        stop: Stop,
        ready: &mut VecDeque<u32>,
    ) -> Result<(), Box<Fault>> {
        let thread = &mut threads[number as usize];
        match stop {
            Stop::Slice => ready.push_back(number),
            Stop::Exit => {
                thread.status = Status::Done;
                for barrier in 0..self.barriers.len() {
                    self.try_barrier(threads, barrier, ready);
                }
                // Somebody of the warp may have waited for this one.
                let warp = Warp::of(number, threads.len());
                for other in warp.first..warp.end {
                    self.try_meeting(threads, other, ready, false);
                }
            }
            Stop::Barrier(n) => {
                let span = self.span(thread);
                let at = |slot: Slot| thread.slots[thread.base + slot as usize];
                let barrier = &self.program.functions[thread.function as usize].barriers[n as usize];
                let which = at(barrier.number);
                if which >= 16 {
                    return Err(self.place(Fault::new(FaultKind::BarrierNumber(which)), thread, span));
                }
                let predicate = match barrier.kind {
                    BarrierKind::Popc { p, .. } | BarrierKind::And { p, .. } | BarrierKind::Or { p, .. } => at(p) != 0,
                    BarrierKind::Sync | BarrierKind::Arrive => false,
                };
                let waits = !matches!(barrier.kind, BarrierKind::Arrive);
                let (kind, aligned) = (barrier.kind, barrier.aligned);
                let count = barrier.count.map(|slot| at(slot) as u32);
                self.barriers[which as usize].arrived.push(Arrival {
                    thread: number,
                    waits,
                    kind,
                    predicate,
                    count,
                    span,
                    aligned,
                });
                if waits {
                    thread.status = Status::Barrier;
                } else {
                    ready.push_back(number);
                }
                self.try_barrier(threads, which as usize, ready);
            }
            Stop::Warp(meeting) => {
                thread.status = Status::Warp(meeting);
                self.try_meeting(threads, number, ready, false);
            }
        }
        Ok(())
    }

    fn try_barrier(&mut self, threads: &mut [Thread], which: usize, ready: &mut VecDeque<u32>) {
        let arrived = &self.barriers[which].arrived;
        if arrived.is_empty() {
            return;
        }
        let complete = match arrived.iter().find_map(|a| a.count) {
            Some(count) => {
                let mut units = 0;
                for first in (0..threads.len() as u32).step_by(32) {
                    let warp = Warp::of(first, threads.len());
                    let here = arrived.iter().filter(|a| a.thread / 32 == first / 32).count() as u32;
                    // "Incremented by the warp size, not the number of active threads."
                    units += if here > 0 && here >= warp.live(threads).count_ones() {
                        here.next_multiple_of(32)
                    } else {
                        here
                    };
                }
                units >= count
            }
            None => {
                let live = threads.iter().filter(|t| !matches!(t.status, Status::Done)).count();
                arrived.len() >= live
            }
        };
        if !complete {
            return;
        }
        let arrived = std::mem::take(&mut self.barriers[which].arrived);
        if W::ACTIVE {
            let numbers: Vec<u32> = arrived.iter().map(|a| a.thread).collect();
            let sites: Vec<(u32, Span)> = arrived.iter().map(|a| (a.thread, a.span)).collect();
            self.watch.barrier(self.block_number, &numbers, &sites, arrived.iter().any(|a| a.aligned));
        }
        let count = arrived.iter().filter(|a| a.predicate).count();
        let (all, any) = (count == arrived.len(), count > 0);
        for arrival in arrived.iter().filter(|a| a.waits) {
            let thread = &mut threads[arrival.thread as usize];
            let result = match arrival.kind {
                BarrierKind::Popc { d, .. } => Some((d, count as u64)),
                BarrierKind::And { d, .. } => Some((d, u64::from(all))),
                BarrierKind::Or { d, .. } => Some((d, u64::from(any))),
                BarrierKind::Sync | BarrierKind::Arrive => None,
            };
            if let Some((d, value)) = result {
                thread.slots[thread.base + d as usize] = value;
                if W::ACTIVE {
                    self.watch.wrote(self.who(thread, arrival.span), d, thread.base, value);
                }
            }
            thread.status = Status::Ready;
            ready.push_back(arrival.thread);
        }
    }

    /// Lets the warp of a waiting thread execute, if everybody is there. `whoever`: a form without a mask takes those who are.
    fn try_meeting(&mut self, threads: &mut [Thread], number: u32, ready: &mut VecDeque<u32>, whoever: bool) -> bool {
        let Status::Warp(mine) = &threads[number as usize].status else { return false };
        let warp = Warp::of(number, threads.len());
        let live = warp.live(threads);
        let here = (warp.first..warp.end).filter(|&n| match &threads[n as usize].status {
            Status::Warp(other) if mine.mask.is_some() => other.key == mine.key && other.mask == mine.mask,
            // Without a mask, the same instruction in the same place.
            Status::Warp(other) => other.mask.is_none() && other.function == mine.function && other.pc == mine.pc,
            _ => false,
        });
        let here: Vec<u32> = here.collect();
        let present = here.iter().fold(0u32, |mask, n| mask | 1 << (n % 32));
        let wanted = mine.mask.unwrap_or(u32::MAX) & live;
        if present & wanted != wanted && !(whoever && mine.mask.is_none()) {
            return false;
        }
        if W::ACTIVE {
            self.report_overlaps(threads, &here, present);
        }
        // Only `bar.warp.sync` orders memory.
        let op = &self.program.functions[mine.function as usize].warp_ops[mine.op as usize];
        if W::ACTIVE && matches!(op.kind, WarpKind::Barrier) {
            self.watch.warp_met(self.block_number, &here);
        }
        self.meet(threads, &here, present);
        ready.extend(here);
        true
    }

    /// Tells who waits at the same instruction, with another mask, for a thread that is about to execute it.
    fn report_overlaps(&mut self, threads: &[Thread], here: &[u32], present: u32) {
        let Some(&first) = here.first() else { return };
        let Status::Warp(mine) = &threads[first as usize].status else { return };
        let Some(executes) = mine.mask else { return };
        let warp = Warp::of(first, threads.len());
        for other in &threads[warp.first as usize..warp.end as usize] {
            let Status::Warp(waiting) = &other.status else { continue };
            let Some(waits) = waiting.mask else { continue };
            if waits != executes && waits & present != 0 && (waiting.function, waiting.pc) == (mine.function, mine.pc) {
                let span = self.program.functions[mine.function as usize].insts[mine.pc as usize - 1].span;
                let fault = Fault::new(FaultKind::OverlappingMasks { waits, executes });
                let fault = self.place(fault, other, span);
                let who = self.who(other, span);
                self.watch.finding(who, &fault);
            }
        }
    }

    /// Executes an instruction for the threads that have met.
    fn meet(&mut self, threads: &mut [Thread], here: &[u32], members: u32) {
        let meetings: Vec<Meeting> = here
            .iter()
            .filter_map(|&n| match std::mem::replace(&mut threads[n as usize].status, Status::Ready) {
                Status::Warp(meeting) => Some(meeting),
                _ => None,
            })
            .collect();
        // Values by lane.
        let mut values = [0u64; 32];
        for (n, meeting) in here.iter().zip(&meetings) {
            values[*n as usize % 32] = meeting.s[0];
        }
        let each = |f: &dyn Fn(u64) -> bool| {
            (0..32u32)
                .filter(|&lane| members >> lane & 1 == 1 && f(values[lane as usize]))
                .fold(0u32, |m, n| m | 1 << n)
        };
        let first = values[members.trailing_zeros() as usize % 32];
        let (truth, same) = (each(&|v| v != 0), each(&|v| v == first));
        for (&number, meeting) in here.iter().zip(&meetings) {
            let thread = &mut threads[number as usize];
            let lane = number % 32;
            let op = &self.program.functions[meeting.function as usize].warp_ops[meeting.op as usize];
            let span = self.program.functions[meeting.function as usize].insts[meeting.pc as usize - 1].span;
            let mut absent = None;
            let (d, p) = match op.kind {
                WarpKind::Barrier => (0, 0),
                WarpKind::ShflUp | WarpKind::ShflDown | WarpKind::ShflBfly | WarpKind::ShflIdx => {
                    let (from, inside) = shuffle_source(op.kind, lane, meeting.s[1] as u32, meeting.s[2] as u32);
                    if members >> from & 1 == 0 {
                        absent = Some(from);
                    }
                    (values[from as usize], u64::from(inside))
                }
                WarpKind::VoteAll => (u64::from(truth == members), 0),
                WarpKind::VoteAny => (u64::from(truth != 0), 0),
                WarpKind::VoteUni => (u64::from(truth == members || truth == 0), 0),
                WarpKind::Ballot => (truth.into(), 0),
                WarpKind::MatchAny => (each(&|v| v == meeting.s[0]).into(), 0),
                WarpKind::MatchAll => {
                    let all = same == members;
                    (if all { members.into() } else { 0 }, u64::from(all))
                }
                WarpKind::Redux(f) | WarpKind::ReduxFloat(f) => {
                    let mut all = (0..32usize).filter(|&lane| members >> lane & 1 == 1).map(|lane| values[lane]);
                    let first = all.next().unwrap_or(0);
                    let start = if matches!(op.kind, WarpKind::ReduxFloat(_)) { f(first, first, 0, 0) } else { first };
                    (all.fold(start, |a, b| f(a, b, 0, 0)), 0)
                }
                WarpKind::Elect => {
                    let leader = members.trailing_zeros();
                    (leader.into(), u64::from(leader == lane))
                }
                WarpKind::ActiveMask => (members.into(), 0),
            };
            let (to, with) = (op.d, op.p);
            thread.slots[thread.base + to as usize] = d;
            thread.slots[thread.base + with as usize] = p;
            if W::ACTIVE {
                let who = self.who(thread, span);
                self.watch.wrote(who, to, thread.base, d);
                self.watch.wrote(who, with, thread.base, p);
                if let Some(lane) = absent {
                    let fault = self.place(Fault::new(FaultKind::AbsentSource { lane }), thread, span);
                    self.watch.finding(who, &fault);
                }
            }
        }
    }

    /// No thread can run: those at a form without a mask go on with whoever is there; else it is a deadlock.
    pub fn unblock(&mut self, threads: &mut [Thread], ready: &mut VecDeque<u32>) -> Result<(), Box<Fault>> {
        let mut moved = false;
        for first in (0..threads.len() as u32).step_by(32) {
            let warp = Warp::of(first, threads.len());
            // One place of each warp at a time, that of the lowest lane.
            moved |= (warp.first..warp.end).any(|n| self.try_meeting(threads, n, ready, true));
        }
        if moved {
            return Ok(());
        }
        let (mut at_barrier, mut in_warp, mut who) = (0, 0, None);
        for thread in threads.iter() {
            match thread.status {
                Status::Barrier => at_barrier += 1,
                Status::Warp(_) => in_warp += 1,
                Status::Ready | Status::Done => continue,
            }
            who = who.or(Some(thread));
        }
        let text = format!("{at_barrier} threads wait at barriers, {in_warp} for others of their warp");
        let fault = Fault::new(FaultKind::Deadlock(text));
        Err(match who {
            Some(thread) => self.place(fault, thread, self.span(thread)),
            None => fault,
        })
    }
}

/// The lane that a `shfl` reads, and whether it is within the segment. PTX ISA, "shfl.sync".
fn shuffle_source(kind: WarpKind, lane: u32, b: u32, c: u32) -> (u32, bool) {
    let (segment, clamp, b) = (c >> 8 & 31, c & 31, b & 31);
    let max = lane & segment | clamp & !segment;
    let min = lane & segment;
    let (from, inside) = match kind {
        WarpKind::ShflUp => {
            let from = lane as i32 - b as i32;
            (from as u32, from >= max as i32)
        }
        WarpKind::ShflDown => (lane + b, lane + b <= max),
        WarpKind::ShflBfly => (lane ^ b, lane ^ b <= max),
        _ => {
            let from = min | b & !segment;
            (from, from <= max)
        }
    };
    if inside { (from & 31, true) } else { (lane, false) }
}
