//! Waits for memory operations in flight.
//!
//! Spec: the AMD ISA manuals, "Data Dependency Resolution"; counters per family in `ABI_FACTS`, section 5. A vector load or LDS
//! access returns in order with others of its counter; SMEM and FLAT do not, and neither do LDS and SMEM that share one.
//! Counters belong to the wave, so they follow the linear CFG.
//!
//! Needs: physical registers, final order. Leaves: no instruction reads or writes a register that a load in flight will write;
//! on gfx1250 none overwrites a source of one; what `bar.sync` orders is done before the wave arrives at a barrier, and stale
//! lines are gone after it. Waits that are there already are kept, less what is known to be done. Fences and acquires are
//! `isel`'s.

use super::flow;
use crate::amd::lane::{Sem, Wave};
use crate::amd::op::Format;
use crate::amd::{self, Cache, Column, Feature, File, Flags, Mods, Op, Target, ops};
use crate::diag::Span;
use crate::mir::liveness::visit_all;
use crate::mir::{Inst, InstKind, MirFunc, Operand, Reg};

/// A hardware counter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Counter {
    /// vmcnt, loadcnt: vector loads; stores too on gfx9.
    Vector,
    /// lgkmcnt, or dscnt where the counters are split.
    Lds,
    /// kmcnt.
    Scalar,
    /// vscnt, storecnt.
    Store,
    /// xcnt: sources of operations in flight.
    Sources,
}
use Counter::*;

const COUNTERS: usize = 5;
const ALL: [Counter; COUNTERS] = [Vector, Lds, Scalar, Store, Sources];

/// Registers that a wait may be for: VGPRs, then SGPRs with VCC at 106.
const REGS: usize = 256 + 128;

/// How far each counter must have come: the number that may be outstanding. `None`: no matter.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
struct Needs([Option<u8>; COUNTERS]);

impl Needs {
    fn at_most(&mut self, counter: Counter, outstanding: u8) {
        let need = &mut self.0[counter as usize];
        *need = Some(need.map_or(outstanding, |n| n.min(outstanding)));
    }

    fn merge(&mut self, other: Needs) {
        ALL.into_iter().filter_map(|c| Some((c, other.0[c as usize]?))).for_each(|(c, n)| self.at_most(c, n));
    }
}

/// What one instruction starts.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Kind {
    Load,
    Store,
    Lds,
    Scalar,
    /// FLAT: the address decides between vector memory and LDS.
    FlatLoad,
    FlatStore,
}

/// A register that an operation in flight concerns.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Flight {
    list: u8,
    reg: u16,
    /// Operations of the counter that were issued after this one.
    age: u8,
}

impl Flight {
    fn key(&self) -> (u8, u16) {
        (self.list, self.reg)
    }
}

/// What may be in flight at a point.
#[derive(Clone)]
struct State {
    /// By list and register. A list is a counter's, of registers that wait for it; or, behind those and on gfx1250 only, a [`Finish`]'s, of
    /// registers that its operations read, since who is done reads no more.
    flights: Vec<Flight>,
    /// Upper bound of the operations in flight.
    outstanding: [u8; COUNTERS],
    /// Bits of [`Kind`]: what is in flight, by counter.
    kinds: [u8; COUNTERS],
}

/// Which counter says that an operation is done, where only one does.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Finish {
    Vector,
    Store,
    Scalar,
    /// Two: their waits are not looked at.
    Both,
}

const FINISHES: [Finish; 4] = [Finish::Vector, Finish::Store, Finish::Scalar, Finish::Both];

impl Finish {
    fn of_counter(counter: usize) -> Option<Finish> {
        match ALL[counter] {
            Vector => Some(Finish::Vector),
            Store => Some(Finish::Store),
            Scalar => Some(Finish::Scalar),
            Lds | Sources => None,
        }
    }

    /// The counter that tells; none for two.
    fn counter(self) -> Option<Counter> {
        match self {
            Finish::Vector => Some(Vector),
            Finish::Store => Some(Store),
            Finish::Scalar => Some(Scalar),
            Finish::Both => None,
        }
    }

    /// The list of what its operations read.
    fn list(self) -> u8 {
        COUNTERS as u8 + self as u8
    }
}

impl flow::State for State {
    fn merge(&mut self, other: &State) -> bool {
        let mut changed = false;
        if self.flights.is_empty() {
            changed = !other.flights.is_empty();
            self.flights.clone_from(&other.flights);
        } else {
            let ours = self.flights.len();
            let mut at = 0;
            for theirs in &other.flights {
                while at < ours && self.flights[at].key() < theirs.key() {
                    at += 1;
                }
                match self.flights[..ours].get_mut(at) {
                    Some(flight) if flight.key() == theirs.key() => {
                        changed |= theirs.age < flight.age;
                        flight.age = flight.age.min(theirs.age);
                    }
                    _ => self.flights.push(*theirs),
                }
            }
            if self.flights.len() > ours {
                changed = true;
                self.flights.sort_unstable_by_key(Flight::key);
            }
        }
        for c in 0..COUNTERS {
            changed |= other.outstanding[c] > self.outstanding[c] || other.kinds[c] & !self.kinds[c] != 0;
            self.outstanding[c] = self.outstanding[c].max(other.outstanding[c]);
            self.kinds[c] |= other.kinds[c];
        }
        changed
    }
}

impl State {
    fn new() -> State {
        State { flights: vec![], outstanding: [0; COUNTERS], kinds: [0; COUNTERS] }
    }

    fn find(&self, list: u8, reg: usize) -> Result<usize, usize> {
        self.flights.binary_search_by_key(&(list, reg as u16), Flight::key)
    }

    /// The age of what concerns a register.
    fn age(&self, list: u8, reg: usize) -> Option<u8> {
        self.find(list, reg).ok().map(|at| self.flights[at].age)
    }

    /// The newest operation concerns the register.
    fn set_newest(&mut self, list: u8, reg: usize) {
        match self.find(list, reg) {
            Ok(at) => self.flights[at].age = 0,
            Err(at) => self.flights.insert(at, Flight { list, reg: reg as u16, age: 0 }),
        }
    }

    fn issue(&mut self, counter: Counter, kind: Kind, model: &Model) {
        let c = counter as usize;
        let limit = model.max(counter);
        let read = Finish::of_counter(c).map(Finish::list);
        for flight in self.flights.iter_mut().filter(|f| f.list == c as u8 || Some(f.list) == read) {
            flight.age = (flight.age + 1).min(limit);
        }
        self.outstanding[c] = (self.outstanding[c] + 1).min(limit);
        self.kinds[c] |= 1 << kind as u8;
    }

    /// What a register that is about to be read or written needs.
    fn need(&self, counter: Counter, reg: usize, model: &Model) -> Option<u8> {
        let age = self.age(counter as u8, reg)?;
        Some(if self.is_ordered(counter) { age.min(model.max(counter) - 1) } else { 0 })
    }

    /// Whether an operation may still read a register once these waits are over.
    fn is_read(&self, reg: usize, waits: &Needs) -> bool {
        FINISHES.into_iter().any(|finish| {
            let waited = finish.counter().and_then(|c| waits.0[c as usize]);
            self.age(finish.list(), reg).is_some_and(|age| waited.is_none_or(|n| age < n))
        })
    }

    /// Whether operations of the counter finish in the order of their issue.
    fn is_ordered(&self, counter: Counter) -> bool {
        let kinds = self.kinds[counter as usize];
        let unordered = 1 << Kind::Scalar as u8 | 1 << Kind::FlatLoad as u8 | 1 << Kind::FlatStore as u8;
        match counter {
            // Translations of vector and scalar addresses overtake each other.
            Sources => kinds.count_ones() <= 1,
            Vector | Lds | Scalar | Store => kinds & unordered == 0,
        }
    }

    /// The state after a wait.
    fn wait(&mut self, needs: Needs) {
        if needs == Needs::default() {
            return;
        }
        // What is done, by list.
        let mut done = [None; COUNTERS + FINISHES.len()];
        for (c, need) in needs.0.iter().enumerate() {
            let Some(n) = *need else { continue };
            self.outstanding[c] = self.outstanding[c].min(n);
            done[c] = *need;
            if let Some(finish) = Finish::of_counter(c) {
                done[finish.list() as usize] = *need;
            }
            if n == 0 {
                self.kinds[c] = 0;
            }
        }
        self.flights.retain(|f| done[f.list as usize].is_none_or(|n| f.age < n));
        // What no longer counts in xcnt has been read.
        if needs.0[Sources as usize].is_some() {
            let (counted, rest): (Vec<_>, Vec<_>) = self.flights.iter().partition(|f| f.list == Sources as u8);
            let still = |reg: u16| counted.binary_search_by_key(&reg, |f: &Flight| f.reg).is_ok();
            self.flights = rest;
            self.flights.retain(|f| (f.list as usize) < COUNTERS || still(f.reg));
            self.flights.extend(counted);
            self.flights.sort_unstable_by_key(Flight::key);
        }
    }

    /// Drops needs that are met already.
    fn reduce(&self, mut needs: Needs) -> Needs {
        for (c, need) in needs.0.iter_mut().enumerate() {
            *need = need.filter(|n| self.outstanding[c] > *n);
        }
        needs
    }
}

/// How a family counts.
struct Model<'a> {
    target: &'a Target,
    split: bool,
    store_counter: bool,
    /// Give VGPRs back before the last stores are done.
    gives_back: bool,
}

impl Model<'_> {
    fn new(target: &Target) -> Model<'_> {
        let split = target.has(Feature::SplitWaitCounters);
        Model { target, split, store_counter: split || target.has(Feature::StoreCounter), gives_back: false }
    }

    /// The largest value of a counter.
    fn max(&self, counter: Counter) -> u8 {
        match (counter, self.target.column()) {
            (Lds, Column::Gfx9) => 15,
            (Scalar, _) => 31,
            _ => 63,
        }
    }

    fn store(&self) -> Counter {
        if self.store_counter { Store } else { Vector }
    }

    fn scalar(&self) -> Counter {
        if self.split { Scalar } else { Lds }
    }

    /// What an op starts.
    fn kind(&self, op: Op, has_result: bool) -> Option<Kind> {
        let code = op.opcode(self.target)?;
        let stores = !(op.flags.contains(Flags::LOAD) || (op.flags.contains(Flags::ATOMIC) && has_result));
        match code.format {
            Format::Smem => Some(Kind::Scalar),
            Format::Ds => Some(Kind::Lds),
            Format::Flat => Some(if stores { Kind::FlatStore } else { Kind::FlatLoad }),
            // A write-back counts as a store, a load's line is invalidated under the load counter of gfx12 only.
            Format::Global | Format::Mubuf if matches!(op.sem, Sem::Wave(Wave::CacheControl)) => {
                if op == ops::global_inv {
                    return Some(Kind::Load);
                }
                let writes_back = [ops::buffer_wbl2, ops::global_wb, ops::global_wbinv].contains(&op);
                writes_back.then_some(Kind::Store)
            }
            Format::Global | Format::Scratch => Some(if stores { Kind::Store } else { Kind::Load }),
            Format::Sop1 if matches!(op.sem, Sem::Wave(Wave::SendMsg)) => Some(Kind::Scalar),
            Format::Sopp if matches!(op.sem, Sem::Wave(Wave::SendMsg)) => Some(Kind::Scalar),
            _ => None,
        }
    }

    fn counters(&self, kind: Kind) -> [Option<Counter>; 2] {
        match kind {
            Kind::Load => [Some(Vector), None],
            Kind::Store => [Some(self.store()), None],
            Kind::Lds => [Some(Lds), None],
            Kind::Scalar => [Some(self.scalar()), None],
            Kind::FlatLoad => [Some(Vector), Some(Lds)],
            Kind::FlatStore => [Some(self.store()), Some(Lds)],
        }
    }

    /// What an instruction waits for before it goes.
    fn needs(&self, state: &State, inst: &Inst, asked: Needs) -> Needs {
        let mut needs = asked;
        // With nothing in flight there is nothing to wait for.
        if !state.flights.is_empty() {
            visit_all(inst, |reg, _| {
                for r in slots(reg) {
                    for counter in [Vector, Lds, Scalar] {
                        if let Some(n) = state.need(counter, r, self) {
                            needs.at_most(counter, n);
                        }
                    }
                }
            });
        }
        let op = match &inst.kind {
            InstKind::Op(op) => Some(op),
            _ => None,
        };
        if op.is_some_and(|op| arrives(op.op)) {
            needs.merge(self.barrier_needs());
        }
        // Vector memory ops are replayed in order, so that none overwrites what an earlier one has yet to read.
        let kind = op.and_then(|op| self.kind(op.op, !op.defs.is_empty()));
        let in_order = matches!(kind, Some(Kind::Load | Kind::Store | Kind::FlatLoad | Kind::FlatStore));
        if state.outstanding[Sources as usize] > 0 && !in_order {
            let before = needs;
            visit_all(inst, |reg, role| {
                let written = if role == crate::mir::liveness::Role::Def { slots(reg) } else { 0..0 };
                for r in written.filter(|&r| state.is_read(r, &before)) {
                    if let Some(n) = state.need(Sources, r, self) {
                        needs.at_most(Sources, n);
                    }
                }
            });
        }
        needs
    }

    /// `bar.sync` orders the memory operations of the work-group: `ABI_FACTS`, sections 5 and 8.
    fn barrier_needs(&self) -> Needs {
        let mut needs = Needs::default();
        needs.at_most(Lds, 0);
        // In CU mode all waves of a work-group go through one cache in order. GFX9 before gfx90a wants the counters at 0.
        let backs_off = self.target.column() != Column::Gfx9 || self.target.has(Feature::UnifiedAgprs);
        if self.target.has(Feature::WgpMode) || !backs_off || self.target.has(Feature::XCounter) {
            needs.at_most(Vector, 0);
            needs.at_most(Store, 0);
        }
        needs
    }

    /// Notes what an instruction starts.
    fn issue(&self, state: &mut State, inst: &Inst) {
        let InstKind::Op(op) = &inst.kind else { return };
        let Some(kind) = self.kind(op.op, !op.defs.is_empty()) else { return };
        for counter in self.counters(kind).into_iter().flatten() {
            state.issue(counter, kind, self);
            for r in op.defs.iter().flat_map(|&d| slots(d)) {
                state.set_newest(counter as u8, r);
            }
        }
        let translates = kind != Kind::Lds && op.op.flags.intersects(Flags::LOAD | Flags::STORE | Flags::ATOMIC);
        if self.target.has(Feature::XCounter) && translates {
            let family = if kind == Kind::Scalar { Kind::Scalar } else { Kind::Load };
            let finish = match kind {
                Kind::Load => Finish::Vector,
                Kind::Store => Finish::Store,
                Kind::Scalar => Finish::Scalar,
                Kind::FlatLoad | Kind::FlatStore | Kind::Lds => Finish::Both,
            };
            state.issue(Sources, family, self);
            for operand in &op.uses {
                if let amd::Operand::Reg(r) = operand {
                    for r in slots(*r) {
                        state.set_newest(Sources as u8, r);
                        state.set_newest(finish.list(), r);
                    }
                }
            }
        }
    }

    /// The message that the wave's VGPRs are free, although stores are in flight. LLVM has an `s_nop` before it up to gfx12.
    fn give_back(&self, span: Span, out: &mut Vec<Inst>) {
        const MSG_DEALLOC_VGPRS: u64 = 3;
        let mut push = |op: Op, imm: u64| out.push(Inst::op(amd::Inst::new(op, [], [Operand::Imm(imm)]), span));
        if !self.target.has(Feature::XCounter) {
            push(ops::s_nop, 0);
        }
        push(ops::s_sendmsg, MSG_DEALLOC_VGPRS);
    }

    /// What a wait instruction waits for; `None` for any other.
    fn parse(&self, inst: &Inst) -> Option<Needs> {
        let InstKind::Op(op) = &inst.kind else { return None };
        let bits = match op.uses.last() {
            Some(amd::Operand::Imm(v)) => *v as u16,
            _ => return None,
        };
        let mut needs = Needs::default();
        let mut need = |counter: Counter, n: u16| {
            if n < u16::from(self.max(counter)) {
                needs.at_most(counter, n as u8);
            }
        };
        let op = op.op;
        if op == ops::s_waitcnt {
            let (vector, lds) = match self.target.column() {
                Column::Gfx9 => ((bits & 15) | (bits >> 14) << 4, bits >> 8 & 15),
                Column::Gfx10 => ((bits & 15) | (bits >> 14) << 4, bits >> 8 & 63),
                Column::Gfx11 | Column::Gfx12 => (bits >> 10, bits >> 4 & 63),
            };
            need(Vector, vector);
            need(Lds, lds);
        } else if op == ops::s_waitcnt_vscnt || op == ops::s_wait_storecnt {
            need(Store, bits);
        } else if op == ops::s_wait_loadcnt {
            need(Vector, bits);
        } else if op == ops::s_wait_dscnt {
            need(Lds, bits);
        } else if op == ops::s_wait_kmcnt {
            need(Scalar, bits);
        } else if op == ops::s_wait_xcnt {
            need(Sources, bits);
        } else if op == ops::s_wait_loadcnt_dscnt {
            need(Vector, bits >> 8 & 63);
            need(Lds, bits & 63);
        } else if op == ops::s_wait_storecnt_dscnt {
            need(Store, bits >> 8 & 63);
            need(Lds, bits & 63);
        } else {
            return None;
        }
        Some(needs)
    }

    /// The instructions for a wait.
    fn emit(&self, needs: Needs, span: Span, out: &mut Vec<Inst>) {
        let mut push = |op: Op, uses: &[Operand]| {
            out.push(Inst::op(amd::Inst::new(op, [], uses.iter().copied()), span));
        };
        let of = |counter: Counter| needs.0[counter as usize];
        if !self.split {
            let (vector, lds) = (of(Vector).map_or(63, u16::from), of(Lds).map_or(63, u16::from));
            if of(Vector).is_some() || of(Lds).is_some() {
                let low_high = (vector & 15) | (vector >> 4) << 14;
                let bits = match self.target.column() {
                    Column::Gfx9 => low_high | 0x70 | lds.min(15) << 8,
                    Column::Gfx10 => low_high | 0x70 | lds << 8,
                    Column::Gfx11 | Column::Gfx12 => vector << 10 | lds << 4 | 7,
                };
                push(ops::s_waitcnt, &[Operand::Imm(bits.into())]);
            }
            if let Some(n) = of(Store) {
                push(ops::s_waitcnt_vscnt, &[Operand::Reg(Reg::Phys(amd::Reg::NULL)), Operand::Imm(n.into())]);
            }
            return;
        }
        match (of(Vector), of(Store), of(Lds)) {
            (Some(load), store, Some(lds)) => {
                push(ops::s_wait_loadcnt_dscnt, &[Operand::Imm((load as u64) << 8 | lds as u64)]);
                if let Some(n) = store {
                    push(ops::s_wait_storecnt, &[Operand::Imm(n.into())]);
                }
            }
            (None, Some(store), Some(lds)) => {
                push(ops::s_wait_storecnt_dscnt, &[Operand::Imm((store as u64) << 8 | lds as u64)]);
            }
            (load, store, lds) => {
                for (op, n) in [(ops::s_wait_loadcnt, load), (ops::s_wait_storecnt, store), (ops::s_wait_dscnt, lds)] {
                    if let Some(n) = n {
                        push(op, &[Operand::Imm(n.into())]);
                    }
                }
            }
        }
        for (op, n) in [(ops::s_wait_kmcnt, of(Scalar)), (ops::s_wait_xcnt, of(Sources))] {
            if let Some(n) = n {
                push(op, &[Operand::Imm(n.into())]);
            }
        }
    }

    /// Lines that other waves of the work-group may have written are dropped after a barrier.
    fn after_barrier(&self) -> Option<amd::Inst<Reg>> {
        if !self.target.has(Feature::WgpMode) {
            return None;
        }
        Some(match self.target.column() {
            Column::Gfx12 => {
                let mods = Mods { cache: Cache::SCOPE_SE, ..Mods::default() };
                amd::Inst::new(ops::global_inv, [], []).with(mods)
            }
            Column::Gfx9 | Column::Gfx10 | Column::Gfx11 => amd::Inst::new(ops::buffer_gl0_inv, [], []),
        })
    }

    /// Goes through a block; `out` takes the instructions with their waits.
    fn block(&self, state: &mut State, insts: &[Inst], mut out: Option<&mut Vec<Inst>>) {
        // Waits that stand in the code join the next need.
        let mut asked = Needs::default();
        let mut asked_at = Span::NONE;
        for (i, inst) in insts.iter().enumerate() {
            let waits = self.parse(inst);
            let is_wait = waits.is_some();
            if let Some(needs) = waits {
                asked.merge(needs);
                asked_at = inst.span;
                // The next instruction or wait follows at once.
                if i + 1 < insts.len() {
                    continue;
                }
            }
            let mut needs = std::mem::take(&mut asked);
            if !is_wait {
                needs = self.needs(state, inst, needs);
            }
            let needs = state.reduce(needs);
            if let Some(out) = out.as_deref_mut() {
                self.emit(needs, if is_wait { asked_at } else { inst.span }, out);
            }
            state.wait(needs);
            if is_wait {
                continue;
            }
            self.issue(state, inst);
            if let Some(out) = out.as_deref_mut() {
                if self.gives_back && state.outstanding[Store as usize] > 0 && is_end(inst) {
                    self.give_back(inst.span, out);
                }
                out.push(inst.clone());
            }
            if let InstKind::Op(op) = &inst.kind
                && leaves(op.op)
                && let Some(invalidate) = self.after_barrier()
                && !matches!(insts.get(i + 1).map(|n| &n.kind), Some(InstKind::Op(next)) if next.op == invalidate.op)
            {
                let invalidate = Inst::op(invalidate, inst.span);
                self.issue(state, &invalidate);
                if let Some(out) = out.as_deref_mut() {
                    out.push(invalidate);
                }
            }
        }
        if asked != Needs::default() {
            let needs = state.reduce(asked);
            if let Some(out) = out {
                self.emit(needs, asked_at, out);
            }
            state.wait(needs);
        }
    }
}

/// Indices of a register's dwords among those that waits are for.
fn slots(reg: Reg) -> std::ops::Range<usize> {
    let Reg::Phys(r) = reg else { return 0..0 };
    let first = match r.file {
        File::Vgpr => r.index as usize,
        File::Sgpr => 256 + r.index as usize,
        File::Vcc => 256 + 106 + r.index as usize,
        _ => return 0..0,
    };
    first..(first + r.dwords as usize).min(REGS)
}

fn is_end(inst: &Inst) -> bool {
    matches!(&inst.kind, InstKind::Op(op) if op.op == ops::s_endpgm)
}

/// Whether fewer waves fit than could run, so that another one may be waiting for this one's VGPRs. Scratch must be there to the end.
fn gives_back(func: &MirFunc, target: &Target) -> bool {
    if target.column() < Column::Gfx11 || func.scratch_bytes() > 0 {
        return false;
    }
    let mut vgprs = 0;
    for inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
        visit_all(inst, |reg, _| {
            if let Reg::Phys(r) = reg
                && r.file == File::Vgpr
            {
                vgprs = vgprs.max(r.index + u16::from(r.dwords));
            }
        });
    }
    target.waves_by_vgprs(vgprs.into()) < target.processor().max_waves
}

/// Whether a wave says here that it has come to a barrier.
fn arrives(op: Op) -> bool {
    matches!(op.sem, Sem::Wave(Wave::Barrier | Wave::BarrierSignal))
}

/// Whether a wave has left a barrier after this.
fn leaves(op: Op) -> bool {
    matches!(op.sem, Sem::Wave(Wave::Barrier | Wave::BarrierWait))
}

/// Inserts the waits.
pub fn insert(func: &mut MirFunc, target: &Target) {
    let model = Model { gives_back: gives_back(func, target), ..Model::new(target) };
    let behind = |mut state: State, insts: &[Inst]| {
        model.block(&mut state, insts, None);
        state
    };
    flow::rewrite(func, State::new(), behind, |state, insts, out| model.block(state, insts, Some(out)));
}
