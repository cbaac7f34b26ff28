//! One work-group: its waves, LDS and barrier, and the order in which the waves run.
//!
//! Waves take turns of a fixed number of instructions, so that a wave that spins on another's store sees it, and stop at
//! barriers. The order is the same every time. A barrier completes when every wave that has not ended has signalled it. When all
//! waves are as they were some rounds ago and no memory has changed since, they will go on like that for ever: a fault.

use super::code::{Prepared, RegisterFile, prepare, range_name};
use super::dispatch::{Executed, Traced};
use super::exec::Flow;
use super::fault::{Fault, FaultKind};
use super::memory::Memory;
use super::waits::{Counter, Waits};
use super::wave::{Snapshot, Wave, lanes_of, slot};
use crate::amd::{Feature, Target};
use crate::object::Family;

/// High addresses that mean LDS and scratch.
#[derive(Copy, Clone, Debug)]
pub struct Apertures {
    pub shared: u64,
    pub private: u64,
    /// gfx1250: its private aperture is of another kind.
    pub flat_scratch: Option<u64>,
}

/// What the waves of a work-group share.
pub struct Machine<'d> {
    pub target: &'d Target,
    pub family: Family,
    pub memory: &'d mut Memory,
    pub apertures: Apertures,
    pub lds: Vec<u8>,
    /// Scratch of one lane, bytes.
    pub scratch_bytes: u32,
    /// What code must put into FLAT_SCRATCH, less the wave's offset; `None` where scratch is architected.
    pub scratch_base: Option<u64>,
    /// Check wait counters.
    pub check_waits: bool,
    /// gfx1250: field [9:6] of IB_STS2, not zero in a cluster.
    pub in_cluster: bool,
    pub barrier: Barrier,
    /// The lane that is recorded, if it is of this work-group, and what it has executed.
    pub trace: Option<(Traced, &'d mut Vec<Executed>)>,
    /// How often memory that waves share, or scratch, has been given another content.
    pub changes: u64,
}

/// Rounds without a change of memory after which waves are watched.
const WATCH_AFTER_ROUNDS: u64 = 32;

/// Instructions that are recorded.
const MAX_TRACE: usize = 1 << 20;

#[derive(Copy, Clone, Debug, Default)]
pub struct Barrier {
    phase: u64,
    arrived: u32,
    /// Waves that have not ended.
    live: u32,
}

impl Barrier {
    pub fn new(waves: u32) -> Barrier {
        Barrier { phase: 0, arrived: 0, live: waves }
    }
    fn complete_if_all_here(&mut self) {
        if self.arrived > 0 && self.arrived == self.live {
            self.arrived = 0;
            self.phase += 1;
        }
    }
}

impl Machine<'_> {
    /// Byte offset of a wave's scratch, as the system SGPR gives it.
    pub fn scratch_wave_offset(&self, wave: u32) -> u64 {
        wave as u64 * self.target.wave_lanes() as u64 * self.scratch_bytes as u64
    }

    pub fn barrier_signal(&mut self, wave: &mut Wave) -> Result<(), Box<Fault>> {
        if wave.signalled.is_some() {
            let message = "the barrier is signalled a second time before it was waited for";
            return Err(Fault::new(FaultKind::Barrier(message.into())));
        }
        wave.signalled = Some(self.barrier.phase);
        self.barrier.arrived += 1;
        self.barrier.complete_if_all_here();
        Ok(())
    }

    /// Goes on once the signalled phase is complete. `signals`: `s_barrier` does both.
    pub fn barrier_wait(&mut self, wave: &mut Wave, signals: bool) -> Result<Flow, Box<Fault>> {
        match wave.signalled {
            None if signals => self.barrier_signal(wave)?,
            None => {
                return Err(Fault::new(FaultKind::Barrier("the barrier is waited for but was not signalled".into())));
            }
            Some(_) => {}
        }
        if wave.signalled.is_some_and(|phase| phase < self.barrier.phase) {
            wave.signalled = None;
            wave.waiting = false;
            return Ok(Flow::Next);
        }
        wave.waiting = true;
        Ok(Flow::Again)
    }

    /// What must not be in flight where a wave arrives at a barrier: LDS accesses, or another wave reads what was there before; vector
    /// memory too, where the waves of a work-group do not share one cache in order (WGP mode, gfx1250). gfx900 to gfx909 and gfx90c lose
    /// track unless all of the memory counters are zero.
    pub fn check_arrival(&self, wave: &Wave) -> Result<(), Box<Fault>> {
        if !self.check_waits || wave.waits.idle() {
            return Ok(());
        }
        let missing = |what: String| Err(Fault::new(FaultKind::MissingWait(what)));
        if matches!(self.family, Family::Gfx9 | Family::Gfx908) {
            return missing("s_barrier on this processor needs every memory counter at 0".into());
        }
        let apart = self.target.has(Feature::WgpMode) || self.target.has(Feature::XCounter);
        let all = [Counter::Lds, Counter::Vector, Counter::Store];
        match wave.waits.in_flight(if apart { &all } else { &all[..1] }, false) {
            Some((counter, pc)) => missing(format!(
                "the barrier is reached before a wait for the instruction at pc {pc:#x} ({} counter)",
                format!("{counter:?}").to_lowercase()
            )),
            None => Ok(()),
        }
    }

    /// A cache is emptied for the loads before: they must have returned.
    pub fn check_invalidate(&self, wave: &Wave) -> Result<(), Box<Fault>> {
        let loads = if self.check_waits { wave.waits.in_flight(&[Counter::Vector], true) } else { None };
        match loads {
            Some((_, pc)) => Err(Fault::new(FaultKind::MissingWait(format!(
                "the cache is invalidated before a wait for the load at pc {pc:#x}"
            )))),
            _ => Ok(()),
        }
    }

    fn end(&mut self, wave: &mut Wave) {
        wave.ended = true;
        wave.waits = Waits::default();
        self.barrier.live -= 1;
        if wave.signalled == Some(self.barrier.phase) {
            self.barrier.arrived -= 1;
        }
        self.barrier.complete_if_all_here();
    }

    /// Whether a wave could run now.
    fn runnable(&self, wave: &Wave) -> bool {
        let blocked = wave.waiting && wave.signalled == Some(self.barrier.phase);
        !wave.ended && !blocked
    }

    /// Runs all waves to their end. Returns the instructions executed; `budget` of them at most.
    pub fn run(&mut self, waves: &mut [Wave], code: &mut Code, slice: u32, budget: u64) -> Result<u64, Box<Fault>> {
        let mut executed = 0u64;
        // Since memory changed, the barrier completed or a wave ended: rounds, and how all waves were after some of them.
        let mut before = (self.changes, self.barrier.phase, self.barrier.live);
        let mut rounds = 0u64;
        let mut seen: Vec<Snapshot> = vec![];
        loop {
            let mut progress = false;
            for wave in waves.iter_mut() {
                if !self.runnable(wave) {
                    continue;
                }
                progress = true;
                for _ in 0..slice {
                    if executed == budget {
                        return Err(code.locate(Fault::new(FaultKind::StepLimit(budget)), wave, self.target));
                    }
                    executed += 1;
                    match self.step(wave, code) {
                        Ok(true) => {}
                        Ok(false) => break,
                        Err(fault) => return Err(code.locate(fault, wave, self.target)),
                    }
                }
            }
            if waves.iter().all(|w| w.ended) {
                return Ok(executed);
            }
            let first = waves.iter().position(|w| !w.ended).unwrap_or(0);
            if !progress {
                return Err(code.locate(Fault::new(FaultKind::Deadlock), &waves[first], self.target));
            }
            let now = (self.changes, self.barrier.phase, self.barrier.live);
            if now != before {
                (before, rounds) = (now, 0);
                seen.clear();
                continue;
            }
            rounds += 1;
            if rounds >= WATCH_AFTER_ROUNDS && rounds.is_power_of_two() {
                seen = waves.iter().map(Wave::snapshot).collect();
            } else if !seen.is_empty() && waves.iter().zip(&seen).all(|(wave, seen)| wave.is_as(seen)) {
                return Err(code.locate(Fault::new(FaultKind::Spinning), &waves[first], self.target));
            }
        }
    }

    /// Notes what an instruction has left in the recorded lane.
    fn record(&mut self, wave: &Wave, prepared: &Prepared, code_offset: u64) {
        let Some((traced, list)) = &mut self.trace else { return };
        if list.len() >= MAX_TRACE {
            return;
        }
        let mut values = vec![];
        for range in &prepared.writes {
            for n in range.first..range.first + range.count {
                values.push(match range.scalar {
                    true => wave.scalars.get(n as usize).copied().unwrap_or(0),
                    false => wave.vgpr(n, traced.lane),
                });
            }
        }
        list.push(Executed { code_offset, values });
    }

    /// One instruction; false when the wave cannot go on now.
    fn step(&mut self, wave: &mut Wave, code: &mut Code) -> Result<bool, Box<Fault>> {
        let index = code.index(wave.pc, self.target)?;
        let prepared = &code.prepared[index];
        if self.check_waits {
            if !wave.waits.idle() {
                let name = |range| range_name(range, &code.file);
                let checked = wave.waits.check(&prepared.reads, &prepared.writes, &prepared.issue, name);
                // All active lanes have the same fault: the first one stands for them.
                checked.map_err(|fault| match lanes_of(wave.exec()).next() {
                    Some(lane) if !prepared.inst.op.is_scalar() => fault.at_lane(lane),
                    _ => fault,
                })?;
            }
            wave.waits.issue(&prepared.issue, wave.pc);
        }
        wave.instructions += 1;
        let traced = self.trace.as_ref().is_some_and(|(t, _)| t.wave == wave.number && wave.exec() >> t.lane & 1 == 1);
        let pc = wave.pc;
        let flow = self.execute(wave, prepared)?;
        if traced {
            self.record(wave, prepared, pc.wrapping_sub(code.entry));
        }
        match flow {
            Flow::Next => wave.pc += prepared.bytes,
            Flow::Jump(pc) => wave.pc = pc,
            Flow::Again => return Ok(false),
            Flow::End => {
                self.end(wave);
                return Ok(false);
            }
        }
        // EXEC is as wide as the wave.
        debug_assert!(wave.lanes == 64 || wave.scalars[slot::EXEC as usize + 1] == 0);
        Ok(true)
    }
}

/// The code of a module, decoded where it has run.
pub struct Code {
    pub base: u64,
    pub bytes: Vec<u8>,
    pub file: RegisterFile,
    /// By dword: index into `prepared` plus one.
    known: Vec<u32>,
    prepared: Vec<Prepared>,
    pub entry: u64,
}

impl Code {
    pub fn new(base: u64, bytes: Vec<u8>, entry: u64, file: RegisterFile) -> Code {
        let known = vec![0; bytes.len() / 4];
        Code { base, bytes, file, known, prepared: vec![], entry }
    }

    fn index(&mut self, pc: u64, target: &Target) -> Result<usize, Box<Fault>> {
        let offset = pc.wrapping_sub(self.base);
        if offset >= self.bytes.len() as u64 || !pc.is_multiple_of(4) {
            return Err(Fault::new(FaultKind::LostPc));
        }
        let at = offset as usize / 4;
        if self.known[at] == 0 {
            self.prepared.push(prepare(&self.bytes[offset as usize..], target, &self.file)?);
            self.known[at] = self.prepared.len() as u32;
        }
        Ok(self.known[at] as usize - 1)
    }

    /// Adds the place to a fault.
    fn locate(&self, mut fault: Box<Fault>, wave: &Wave, target: &Target) -> Box<Fault> {
        fault.pc = Some(wave.pc);
        fault.code_offset = wave.pc.checked_sub(self.entry);
        let at = wave.pc.wrapping_sub(self.base) as usize / 4;
        let known = self.known.get(at).and_then(|&known| (known as usize).checked_sub(1));
        fault.instruction = known.map(|index| super::code::text(&self.prepared[index].inst, target));
        fault.wave = Some(([0; 3], wave.number));
        fault
    }
}
