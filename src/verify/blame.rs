//! Where a wrong value came from: the last PTX instruction whose value agrees, and the AMD instruction that differs.
//!
//! The thread that stored the byte runs once more under a recorder, and so does its lane in the emulator. From the store backwards,
//! the PTX instructions that its value depends on through registers are compared with what the AMD instructions of the same PTX
//! statement wrote. The translator may fold a value away or make it by other ways, so that an instruction whose value is nowhere is
//! no proof, only the first place to look at.

use super::{Origin, Subject};
use crate::diag::{Diag, Span};
use crate::emu::{self, Traced};
use crate::eval::{self, Access, Function, Inst, Launch, Place, Touch, Watch, Who};
use crate::options::Options;
use crate::pipeline::{self, CodeLine};
use crate::run;
use std::collections::{BTreeSet, HashMap, HashSet};

/// Instructions of the thread that are recorded.
const MAX_EVENTS: usize = 1 << 20;

/// What the comparison found.
#[derive(Clone, Debug, Default)]
pub struct Blame {
    /// The statement, and its value.
    pub agrees: Option<(Span, u64)>,
    pub differs: Option<Differs>,
}

#[derive(Clone, Debug)]
pub struct Differs {
    pub span: Span,
    /// What PTX says.
    pub value: u64,
    /// The instruction, as the assembler writes it, and its place in the kernel's code.
    pub text: String,
    pub code_offset: u32,
    /// What it wrote.
    pub got: Vec<u32>,
}

/// One write of a slot, or the store.
struct Event {
    span: Span,
    value: u64,
    /// Earlier events that the value was computed from.
    from: Vec<usize>,
}

struct Recorder {
    thread: u32,
    block: u32,
    address: u64,
    events: Vec<Event>,
    /// The last write of each slot of the thread.
    last: HashMap<usize, usize>,
    /// What the instruction under way reads.
    sources: Vec<usize>,
    /// The last store to the address.
    store: Option<usize>,
}

impl Watch for Recorder {
    const ACTIVE: bool = true;

    fn step(&mut self, who: Who, function: &Function, inst: &Inst, _: &[u64], base: usize) {
        if (who.thread, who.block) == (self.thread, self.block) {
            let slots = inst.values(function);
            self.sources = slots.iter().filter_map(|&slot| self.last.get(&(base + slot as usize)).copied()).collect();
        }
    }

    fn wrote(&mut self, who: Who, slot: u32, base: usize, value: u64) {
        if (who.thread, who.block) == (self.thread, self.block) && self.events.len() < MAX_EVENTS {
            self.last.insert(base + slot as usize, self.events.len());
            self.events.push(Event { span: who.span, value, from: self.sources.clone() });
        }
    }

    fn touch(&mut self, who: Who, touch: Touch, place: Place, bytes: u32, _: &Access) {
        if let Place::Global(at) = place
            && (who.thread, who.block) == (self.thread, self.block)
            && touch != Touch::Read
            && self.address.wrapping_sub(at) < bytes.into()
        {
            self.store = Some(self.events.len());
            self.events.push(Event { span: who.span, value: 0, from: self.sources.clone() });
        }
    }
}

impl Subject {
    /// Looks for the instruction that went wrong before the store of a byte at `address`.
    pub fn blame(
        &self,
        source: &str,
        options: &Options,
        launch: &run::Launch,
        origin: &Origin,
        address: u64,
    ) -> Result<Blame, Vec<Diag>> {
        let options = Options { kernels: Some(vec![launch.kernel.clone()]), ..options.clone() };
        let object = pipeline::translate(source, &options)?;
        let lanes = options.target.wave_lanes();
        let [gx, gy, _] = launch.grid;
        let group = [origin.block % gx, origin.block / gx % gy, origin.block / gx / gy];
        let traced = Traced { group, wave: origin.thread / lanes, lane: origin.thread % lanes };
        let emu_options = emu::Options { trace: Some(traced), ..emu::Options::default() };
        let Ok(placed) = run::launch_placed(object.bytes(), launch, &emu_options) else { return Ok(Blame::default()) };
        let eval_launch: Launch = self.launch(launch, Some(&placed), eval::Options::default());
        let mut recorder = Recorder {
            thread: origin.thread,
            block: origin.block,
            address,
            events: vec![],
            last: HashMap::new(),
            sources: vec![],
            store: None,
        };
        let _ = eval::launch_watched(&self.program, &eval_launch, &mut recorder);
        let lines = pipeline::lines_of(source, &options)?.into_iter().next().unwrap_or_default();
        Ok(compare(&recorder, &lines, &placed.trace))
    }
}

fn compare(recorder: &Recorder, lines: &[CodeLine], trace: &[emu::Executed]) -> Blame {
    let by_offset: HashMap<u64, &CodeLine> = lines.iter().map(|line| (line.offset.into(), line)).collect();
    // What the instructions of each statement wrote, and the last of them.
    let mut wrote: HashMap<Span, (HashSet<u32>, &CodeLine, &[u32])> = HashMap::new();
    for executed in trace.iter().filter(|executed| !executed.values.is_empty()) {
        if let Some(&line) = by_offset.get(&executed.code_offset) {
            let entry = wrote.entry(line.span).or_insert_with(|| (HashSet::new(), line, &[]));
            entry.0.extend(&executed.values);
            (entry.1, entry.2) = (line, &executed.values);
        }
    }
    let mut slice = BTreeSet::new();
    let mut work: Vec<usize> = recorder.store.into_iter().collect();
    while let Some(n) = work.pop() {
        for &from in &recorder.events[n].from {
            if slice.insert(from) {
                work.push(from);
            }
        }
    }
    let mut blame = Blame::default();
    for &n in &slice {
        let event = &recorder.events[n];
        let Some((values, line, got)) = wrote.get(&event.span) else { continue };
        let (low, high) = (event.value as u32, (event.value >> 32) as u32);
        if values.contains(&low) && (high == 0 || values.contains(&high)) {
            blame = Blame { agrees: Some((event.span, event.value)), differs: None };
        } else if blame.differs.is_none() && event.value > 1 {
            // Zeros and ones may be predicates, which are bits of a mask there.
            blame.differs = Some(Differs {
                span: event.span,
                value: event.value,
                text: line.text.clone(),
                code_offset: line.offset,
                got: got.to_vec(),
            });
        }
    }
    blame
}
