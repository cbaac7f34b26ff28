//! Barriers of a kernel: which ones the hardware's barrier does, and code for the others.
//!
//! PTX ISA, "bar, barrier": a thread waits for all threads of its warp that have not ended, then its warp has arrived and counts as 32
//! threads; a barrier completes when as many as stated have arrived, or all of the CTA, and is at once ready for its next use.
//!
//! - **Without a thread count** all threads take part, so that two such barriers are never under way at once and every wave meets them in
//!   one order: [`Terminator::Barrier`], whatever the number. A program that would hang in PTX, because its threads wait at
//!   different numbers, goes on here.
//! - **With a thread count** ([`BarKind::Arrive`] always has one), and without one at a number that is also used with one: a *slot* in
//!   LDS holds how many threads have arrived (bits 15:0) and how often it has completed (31:16); [`meet`] has the code. A number in
//!   a register may be any of the sixteen: then all are slots.
//! - Threads that have ended do not count where no number is stated: the last ones of a warp add 32 to `ended`. A warp that has arrived
//!   without waiting may end before the barrier completes, and must not count twice. Where that can be, slots have a second word with
//!   a bit for each warp that arrived so, and `ended` has a bit for each warp too.
//! - **Reductions** count the threads whose predicate holds (for `and`: does not) in a word of their own, which everybody reads between
//!   two barriers. Then each thread takes back what it added. At the hardware's barrier the next round cannot be read before all
//!   have; at a slot others may use it next, so there is a third.
//!
//! - **`bar.warp.sync`** may be at several places for the threads of a warp: [`warp`]. So may, without `.aligned`, an arrival and others of its
//!   number: each warp gathers by a record of its own.
//!
//! Memory: a slot's barrier has a fence of the CTA on both sides; that of the hardware's is `finish`'s to see to.
//!
//! Leaves: no [`Op::Bar`]; `order` anew. Not here: which barriers all lanes of a wave reach together (`divergence`).

mod meet;
pub mod warp;

use super::dom::reverse_postorder;
use super::{
    AtomicOp, Bar, BarKind, Barrier, Block, CmpOp, Edge, Func, Inst, InstData, IntOp, Mem, Op, Order, PredOp, Scope,
    Space, Special, Terminator, Type, UnaryOp, Value, Width,
};
use crate::diag::Span;

/// What a warp counts for.
const WARP_THREADS: u32 = 32;
/// Bits of a slot that count arrived threads.
const ARRIVED: u32 = 0xffff;
/// Of a CTA.
const MAX_WARPS: u32 = 32;
/// PTX has barriers 0 to 15.
const NUMBERS: u32 = 16;
const ALL_NUMBERS: u32 = (1 << NUMBERS) - 1;
/// Alignment of the area, so that it is cleared 16 bytes at a time.
const AREA_ALIGN: u32 = 16;
/// What a warp has to gather at a number: a bit for each thread that is there, and what [`meet`] says of rounds.
const GATHERING_BYTES: u32 = 8;

/// Turns every [`Op::Bar`] into terminators and code. LDS from `shared_bytes` on is free; returns how many bytes of it are used, from
/// the next multiple of 16.
pub fn lower(func: &mut Func, shared_bytes: u64) -> u64 {
    let uses = Uses::find(func);
    if uses.none && !uses.warp_barriers {
        warp::only_waits(func);
        return 0;
    }
    let area = Area::new(uses, shared_bytes.next_multiple_of(AREA_ALIGN.into()) as u32);
    let bytes = area.bytes();
    let entry = func.entry;
    let mut lower = Lower { func, area, at: entry, span: Span::NONE };
    for block in lower.func.order.clone() {
        lower.block(block);
    }
    if lower.area.uses.warp_barriers {
        let words = lower.area.warp_barriers();
        lower.at = entry;
        lower.give_words(words);
    } else {
        warp::only_waits(lower.func);
    }
    func.order = reverse_postorder(func);
    if bytes == 0 { 0 } else { shared_bytes.next_multiple_of(AREA_ALIGN.into()) - shared_bytes + u64::from(bytes) }
}

/// Which numbers are used how.
#[derive(Default)]
struct Uses {
    none: bool,
    /// Numbers with a thread count, by bit; all if one of them is not known.
    counted: u32,
    /// Numbers without.
    plain: u32,
    /// Numbers at which warps arrive without waiting.
    arrivals: u32,
    plain_reduces: bool,
    counted_reduces: bool,
    /// Numbers at which threads of a warp may wait at several places in the code.
    scattered: u32,
    /// Numbers at which threads of a warp may be at several places, one of which does not wait.
    gathered: u32,
    /// There are several `bar.warp.sync`.
    warp_barriers: bool,
}

impl Uses {
    fn find(func: &Func) -> Uses {
        let mut uses = Uses { none: true, ..Uses::default() };
        let mut any_number = false;
        // Numbers of one barrier that is not `.aligned`.
        let mut once = 0;
        // The same with those that do not wait, and where such a barrier is.
        let (mut any_once, mut arrivals) = (0, 0);
        let mut any_gathers = false;
        let mut warp_barriers = 0;
        for &block in &func.order {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                warp_barriers += u32::from(data.op == Op::WarpBarrier);
                let Op::Bar(bar) = data.op else { continue };
                uses.none = false;
                let number = number(func, data);
                any_number |= number.is_none();
                let bits = number.map_or(ALL_NUMBERS, |n| 1 << n);
                let arrives = bar.kind == BarKind::Arrive;
                if arrives {
                    uses.arrivals |= bits;
                }
                if !bar.aligned {
                    if arrives {
                        arrivals |= bits;
                    } else {
                        uses.scattered |= once & bits;
                        once |= bits;
                    }
                    // A number in a register may be another one for each thread.
                    let several = if number.is_none() { ALL_NUMBERS } else { any_once };
                    any_gathers |= number.is_none();
                    uses.gathered |= several & bits;
                    any_once |= bits;
                }
                if bar.counted {
                    uses.counted |= bits;
                } else {
                    uses.plain |= bits;
                }
            }
        }
        uses.gathered &= arrivals;
        if any_gathers && uses.gathered != 0 {
            uses.gathered = ALL_NUMBERS;
        }
        uses.warp_barriers = warp_barriers > 1;
        if any_number && uses.counted != 0 {
            uses.counted = ALL_NUMBERS;
        }
        // What needs room depends on which way each goes.
        for &block in &func.order {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                if let Op::Bar(bar) = data.op
                    && bar.kind.reduces()
                {
                    let slots = uses.in_slot(bar, number(func, data));
                    uses.counted_reduces |= slots;
                    uses.plain_reduces |= !slots;
                }
            }
        }
        uses
    }

    fn in_slot(&self, bar: Bar, number: Option<u32>) -> bool {
        bar.counted || number.map_or(self.counted != 0, |n| self.counted >> n & 1 != 0)
    }
}

/// The number of a barrier, if it is a constant.
fn number(func: &Func, data: &InstData) -> Option<u32> {
    constant(func, data.args[0]).map(|n| n % NUMBERS)
}

fn constant(func: &Func, value: Value) -> Option<u32> {
    match func.def(value)?.0.op {
        Op::Const32(c) => Some(c),
        _ => None,
    }
}

/// The words of a kernel's barriers in LDS, from `base_bytes` on.
struct Area {
    base_bytes: u32,
    uses: Uses,
    /// Bytes of a slot's state: 4, or 8 with a mask of warps.
    state_bytes: u32,
    /// Bytes of a slot: its state, and the count of a reduction if there are any. A power of two.
    slot_bytes: u32,
    slots: u32,
    /// Whether threads that end are counted.
    counts_ends: bool,
}

impl Area {
    fn new(uses: Uses, base_bytes: u32) -> Area {
        let state_bytes = if uses.arrivals & uses.plain != 0 { 8 } else { 4 };
        Area {
            base_bytes,
            state_bytes,
            slot_bytes: state_bytes << uses.counted_reduces as u32,
            slots: uses.counted.count_ones(),
            counts_ends: uses.counted & uses.plain != 0,
            uses,
        }
    }

    fn has_masks(&self) -> bool {
        self.state_bytes == 8
    }

    /// Where threads that have ended are counted, or warps noted.
    fn ended(&self) -> u32 {
        self.base_bytes + self.slots * self.slot_bytes
    }

    /// The count of reductions at the hardware's barrier.
    fn reduction(&self) -> u32 {
        self.ended() + 4 * self.counts_ends as u32
    }

    fn after_reduction(&self) -> u32 {
        self.reduction() + 4 * self.uses.plain_reduces as u32
    }

    /// Where the first warp's record begins, whose entries are [`GATHERING_BYTES`].
    fn gatherings(&self) -> u32 {
        self.base_bytes + (self.after_reduction() - self.base_bytes).next_multiple_of(AREA_ALIGN)
    }

    /// Bytes of a warp's record.
    fn gathering_bytes(&self) -> u32 {
        (GATHERING_BYTES * self.uses.gathered.count_ones()).next_multiple_of(AREA_ALIGN)
    }

    /// The place of a number's entry in a warp's record.
    fn gathering(&self, number: u32) -> u32 {
        let before = self.uses.gathered & ((1 << number) - 1);
        before.count_ones() * GATHERING_BYTES
    }

    /// A word for each warp, for `bar.warp.sync`. The warp clears its own.
    fn warp_barriers(&self) -> u32 {
        self.gatherings() + MAX_WARPS * self.gathering_bytes()
    }

    /// Bytes that every thread clears.
    fn shared_bytes(&self) -> u32 {
        self.gatherings() - self.base_bytes
    }

    fn bytes(&self) -> u32 {
        self.warp_barriers() - self.base_bytes + if self.uses.warp_barriers { 4 * MAX_WARPS } else { 0 }
    }

    /// Of a number that has a slot. All of them have if one is not known.
    fn slot(&self, number: u32) -> u32 {
        let before = self.uses.counted & ((1 << number) - 1);
        self.base_bytes + before.count_ones() * self.slot_bytes
    }
}

struct Lower<'a> {
    func: &'a mut Func,
    area: Area,
    /// The block being written.
    at: Block,
    span: Span,
}

impl Lower<'_> {
    fn block(&mut self, block: Block) {
        let has_bar = |inst: &Inst| matches!(self.func.insts[*inst].op, Op::Bar(_));
        let start = block == self.func.entry && self.area.shared_bytes() > 0;
        let end = self.area.counts_ends && self.func.blocks[block].term == Terminator::Exit;
        if !start && !end && !self.func.blocks[block].insts.iter().any(has_bar) {
            return;
        }
        let insts = std::mem::take(&mut self.func.blocks[block].insts);
        let term = std::mem::take(&mut self.func.blocks[block].term);
        let term_span = self.func.blocks[block].term_span;
        self.at = block;
        if start {
            self.span = insts.first().map_or(term_span, |&inst| self.func.spans[inst]);
            self.clear();
        }
        for inst in insts {
            match self.func.insts[inst].op {
                Op::Bar(bar) => {
                    self.span = self.func.spans[inst];
                    self.bar(inst, bar);
                }
                _ => self.func.blocks[self.at].insts.push(inst),
            }
        }
        self.span = term_span;
        if end {
            self.count_end();
        }
        self.end(term);
    }

    /// Every thread clears all words, so that no thread needs another for it.
    fn clear(&mut self) {
        let zero = self.c32(0);
        let address = self.c32(self.area.base_bytes);
        for offset in (0..self.area.shared_bytes()).step_by(AREA_ALIGN as usize) {
            let mem = Mem { count: 4, offset: offset as i32, ..word() };
            self.push(Op::Store(mem), &[address, zero, zero, zero, zero]);
        }
        let record_bytes = self.area.gathering_bytes();
        if record_bytes > 0 {
            let record = self.warp_record(self.area.gatherings(), record_bytes);
            for offset in (0..record_bytes).step_by(AREA_ALIGN as usize) {
                let mem = Mem { count: 4, offset: offset as i32, ..word() };
                self.push(Op::Store(mem), &[record, zero, zero, zero, zero]);
            }
        }
        self.hardware_barrier();
    }

    fn bar(&mut self, inst: Inst, bar: Bar) {
        let data = self.func.insts[inst].clone();
        let number = number(self.func, &data);
        let pred = bar.kind.reduces().then(|| data.args[1 + bar.counted as usize]);
        if !self.area.uses.in_slot(bar, number) {
            match pred {
                None => self.hardware_barrier(),
                Some(pred) => self.hardware_reduction(inst, bar.kind, pred),
            }
            return;
        }
        let scattered = number.map_or(self.area.uses.scattered != 0, |n| self.area.uses.scattered >> n & 1 != 0);
        let scattered = scattered && !bar.aligned && bar.kind != BarKind::Arrive;
        let meeting = self.meeting(bar, &data, number, scattered);
        let Some(pred) = pred else {
            return if bar.kind == BarKind::Arrive { self.only_arrive(&meeting) } else { self.synchronise(&meeting) };
        };
        let count = Mem { offset: self.area.state_bytes as i32, ..word() };
        let counts = if bar.kind == BarKind::And { self.value(Op::PredNot, &[pred]) } else { pred };
        let added = self.grouped(&meeting, |lower| [lower.add_to_count(counts, meeting.state, count)])[0];
        self.synchronise(&meeting);
        let total = self.value(Op::Load(relaxed(count)), &[meeting.state]);
        self.synchronise(&meeting);
        self.take_back(added, meeting.state, count);
        self.synchronise(&meeting);
        self.result(inst, bar.kind, total);
    }

    /// The address of a slot.
    fn slot_in_register(&mut self, number: Value) -> Value {
        let mask = self.c32(NUMBERS - 1);
        let number = self.int(IntOp::And, number, mask);
        let shift = self.c32(self.area.slot_bytes.trailing_zeros());
        let offset = self.int(IntOp::Shl, number, shift);
        let base = self.c32(self.area.base_bytes);
        self.int(IntOp::Add, base, offset)
    }

    /// Threads of the CTA, as warps of 32.
    fn cta_threads(&mut self) -> Value {
        let [x, y, z] = [Special::NtidX, Special::NtidY, Special::NtidZ].map(|s| self.value(Op::Special(s), &[]));
        let rows = self.int(IntOp::Mul, y, z);
        let threads = self.int(IntOp::Mul, x, rows);
        let (up, mask) = (self.c32(WARP_THREADS - 1), self.c32(!(WARP_THREADS - 1)));
        let threads = self.int(IntOp::Add, threads, up);
        self.int(IntOp::And, threads, mask)
    }

    /// Lanes of the warp that are here, and those that have not ended.
    fn lanes(&mut self) -> (Value, Value) {
        let yes = self.value(Op::ConstPred(true), &[]);
        (self.value(Op::Ballot, &[yes]), self.value(Op::LiveLanes, &[]))
    }

    /// Whether none of the lanes stands before this thread's.
    fn is_first(&mut self, lanes: Value) -> Value {
        let before = self.value(Op::Special(Special::LanemaskLt), &[]);
        let before = self.int(IntOp::And, lanes, before);
        let zero = self.c32(0);
        self.compare(CmpOp::Eq, before, zero)
    }

    /// The last threads of a warp tell that it is gone.
    fn count_end(&mut self) {
        let (here, live) = self.lanes();
        let last = self.compare(CmpOp::Eq, here, live);
        let first = self.is_first(here);
        let tells = self.value(Op::PredBin(PredOp::And), &[last, first]);
        let address = self.c32(self.area.ended());
        let (op, what) = match self.area.has_masks() {
            true => (AtomicOp::Or, self.warp_bit()),
            false => (AtomicOp::Add, self.c32(WARP_THREADS)),
        };
        self.update_if(tells, op, address, word(), what);
    }

    fn warp_bit(&mut self) -> Value {
        let (one, warp) = (self.c32(1), self.value(Op::Special(Special::WarpId), &[]));
        self.int(IntOp::Shl, one, warp)
    }

    /// The first of the warp's threads here that count adds how many there are. Returns what a thread has added.
    fn add_to_count(&mut self, counts: Value, address: Value, count: Mem) -> Value {
        let lanes = self.value(Op::Ballot, &[counts]);
        let first = self.is_first(lanes);
        let adds = self.value(Op::PredBin(PredOp::And), &[counts, first]);
        let (number, zero) = (self.value(Op::Unary(UnaryOp::Popc, Width::W32), &[lanes]), self.c32(0));
        self.update_if(adds, AtomicOp::Add, address, count, number);
        self.value(Op::Select(Type::B32), &[adds, number, zero])
    }

    fn take_back(&mut self, added: Value, address: Value, count: Mem) {
        let zero = self.c32(0);
        let some = self.compare(CmpOp::Ne, added, zero);
        let back = self.value(Op::Unary(UnaryOp::Neg, Width::W32), &[added]);
        self.update_if(some, AtomicOp::Add, address, count, back);
    }

    fn update_if(&mut self, condition: Value, op: AtomicOp, address: Value, mem: Mem, number: Value) {
        let (add, next) = (self.func.add_block(), self.func.add_block());
        self.branch(condition, (add, &[]), (next, &[]));
        self.at = add;
        self.value(Op::Atomic { op, width: Width::W32, mem: relaxed(mem) }, &[address, number]);
        self.jump(next, &[]);
        self.at = next;
    }

    fn hardware_barrier(&mut self) {
        let next = self.func.add_block();
        self.end(Terminator::Barrier { barrier: Barrier { whole: false }, next: Edge::new(next, []) });
        self.at = next;
    }

    fn hardware_reduction(&mut self, inst: Inst, kind: BarKind, pred: Value) {
        let address = self.c32(self.area.reduction());
        let counts = if kind == BarKind::And { self.value(Op::PredNot, &[pred]) } else { pred };
        let added = self.add_to_count(counts, address, word());
        self.hardware_barrier();
        let total = self.value(Op::Load(relaxed(word())), &[address]);
        self.hardware_barrier();
        self.take_back(added, address, word());
        self.result(inst, kind, total);
    }

    /// The barrier's own result, out of the count.
    fn result(&mut self, inst: Inst, kind: BarKind, total: Value) {
        let zero = self.c32(0);
        let (op, zero) = match kind {
            BarKind::And => (Op::Cmp(CmpOp::Eq, Width::W32), zero),
            BarKind::Or => (Op::Cmp(CmpOp::Ne, Width::W32), zero),
            // A count: as it is.
            BarKind::Popc | BarKind::Sync | BarKind::Arrive => (Op::Int(IntOp::Or, Width::W32), zero),
        };
        let data = &mut self.func.insts[inst];
        data.op = op;
        data.args = [total, zero].into_iter().collect();
        self.func.blocks[self.at].insts.push(inst);
    }

    fn fence(&mut self) {
        self.push(Op::Fence(Scope::Cta), &[]);
    }

    fn push(&mut self, op: Op, args: &[Value]) -> Inst {
        self.func.push(self.at, op, args.iter().copied(), self.span)
    }

    fn value(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.push(op, args);
        self.func.result(inst)
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        self.value(Op::Int(op, Width::W32), &[a, b])
    }

    fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> Value {
        self.value(Op::Cmp(op, Width::W32), &[a, b])
    }

    fn c32(&mut self, value: u32) -> Value {
        self.value(Op::Const32(value), &[])
    }

    fn end(&mut self, term: Terminator) {
        let data = &mut self.func.blocks[self.at];
        data.term = term;
        data.term_span = self.span;
    }

    fn jump(&mut self, to: Block, args: &[Value]) {
        self.end(Terminator::Jump(Edge::new(to, args.iter().copied())));
    }

    fn branch(&mut self, cond: Value, then: (Block, &[Value]), els: (Block, &[Value])) {
        let edge = |(block, args): (Block, &[Value])| Edge::new(block, args.iter().copied());
        self.end(Terminator::Branch { cond, then: edge(then), els: edge(els) });
    }
}

/// A word of LDS.
fn word() -> Mem {
    Mem::new(Space::Shared, 4)
}

fn relaxed(mem: Mem) -> Mem {
    Mem { order: Order::Relaxed, ..mem }
}
