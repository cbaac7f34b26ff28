//! Code for a barrier whose state is a word in LDS.
//!
//! A warp comes together ([`Lower::gather`]), its first lane adds 32 to the slot by compare-and-swap or completes the barrier, and
//! those who wait read the slot until its upper half has changed. Both loops yield (DESIGN, "Progress"), so the other warp of a wave64,
//! and threads that are about to end, go on meanwhile.
//!
//! Without `.aligned` the threads of a warp may wait for each other at several places. If a kernel has such, each place adds
//! the threads that come to it; those that have ended are added by the lowest lane that has not, on arrival, and whenever more end
//! while it waits. So a warp that is all there counts for 32 here too. `arrive` does not wait, and gathers always. Where it and others of its
//! number may be at several places, all of them gather by a record in LDS that the warp has ([`Lower::gather_anywhere`]).

use super::{ARRIVED, GATHERING_BYTES, Lower, NUMBERS, WARP_THREADS, constant, relaxed, word};
use crate::ir::{AtomicOp, Bar, CmpOp, InstData, IntOp, Mem, Op, PredOp, Space, Special, Type, UnaryOp, Value, Width};

/// No round: those are in the upper half.
const UNKNOWN: u32 = 1;

/// How many threads complete a barrier.
#[derive(Copy, Clone)]
enum Threads {
    Stated(Value),
    /// All of the CTA, less those of warps that have ended.
    All(Value),
}

/// A barrier as an instruction names it.
pub(super) struct Meeting {
    /// Address of the slot.
    pub state: Value,
    threads: Threads,
    /// The threads of a warp may be at several places, with these operands in registers.
    scattered: bool,
    /// Or they may be at several places some of which do not wait: where the warp's entry for that is.
    gathering: Option<Value>,
    registers: Vec<Value>,
}

/// What arrives.
#[derive(Copy, Clone)]
enum Adds {
    Threads(Value),
    /// A warp that does not wait, by its bit, where slots have a mask of those.
    Warp(Value),
}

/// The words of a slot as they were read, or will be written.
#[derive(Copy, Clone)]
struct State {
    /// Threads that have arrived, and completions.
    count: Value,
    /// Warps that have arrived and do not wait, if there is such a word.
    warps: Option<Value>,
}

/// What an arrival leaves to wait for.
struct Arrival {
    /// Completions before, in the place that they have in a slot.
    round: Value,
    /// Ended threads that this one has added.
    told: Value,
}

impl Lower<'_> {
    pub(super) fn meeting(&mut self, bar: Bar, data: &InstData, number: Option<u32>, scattered: bool) -> Meeting {
        let gathered = match number {
            Some(number) => self.area.uses.gathered >> number & 1 != 0,
            None => self.area.uses.gathered != 0,
        };
        let gathered = gathered && !bar.aligned;
        let scattered = scattered && !gathered;
        let mut registers = vec![];
        let mut operand = |lower: &mut Self, value: Value| {
            if constant(lower.func, value).is_some() || gathered {
                return value;
            }
            if scattered {
                registers.push(value);
                return value;
            }
            // The warp is together, and PTX has it meet at one barrier.
            lower.value(Op::FromFirstLane, &[value])
        };
        let slot = number.map(|n| self.area.slot(n));
        let at = match slot {
            Some(_) => data.args[0],
            None => operand(self, data.args[0]),
        };
        let state = match slot {
            Some(slot) => self.c32(slot),
            None => self.slot_in_register(at),
        };
        let threads =
            if bar.counted { Threads::Stated(operand(self, data.args[1])) } else { Threads::All(self.cta_threads()) };
        let gathering = gathered.then(|| self.gathering(number, at));
        Meeting { state, threads, scattered, gathering, registers }
    }

    /// The address of the warp's entry for a number, which is in a register if it is not known.
    fn gathering(&mut self, number: Option<u32>, register: Value) -> Value {
        let record = self.warp_record(self.area.gatherings(), self.area.gathering_bytes());
        let offset = match number {
            Some(number) => self.c32(self.area.gathering(number)),
            // All numbers have entries then.
            None => {
                let mask = self.c32(NUMBERS - 1);
                let number = self.int(IntOp::And, register, mask);
                let shift = self.c32(GATHERING_BYTES.trailing_zeros());
                self.int(IntOp::Shl, number, shift)
            }
        };
        self.int(IntOp::Add, record, offset)
    }

    pub(super) fn only_arrive(&mut self, meeting: &Meeting) {
        let adds = match self.area.has_masks() {
            true => Adds::Warp(self.warp_bit()),
            false => Adds::Threads(self.c32(WARP_THREADS)),
        };
        match meeting.gathering {
            Some(entry) => self.gather_anywhere(meeting, entry, adds),
            None => {
                let first = self.gather();
                self.fence();
                self.arrive(meeting, first, adds);
            }
        }
    }

    /// Arrives and waits.
    pub(super) fn synchronise(&mut self, meeting: &Meeting) {
        if let Some(entry) = meeting.gathering {
            let warp = self.c32(WARP_THREADS);
            self.gather_anywhere(meeting, entry, Adds::Threads(warp));
            let round = self.gathered_round(entry);
            self.wait(meeting, round);
        } else if meeting.scattered {
            self.fence();
            let [round, told] = self.grouped(meeting, |lower| lower.arrive_in_part(meeting));
            self.wait_in_part(meeting, Arrival { round, told });
        } else {
            let first = self.gather();
            self.fence();
            let warp = self.c32(WARP_THREADS);
            let round = self.arrive(meeting, first, Adds::Threads(warp));
            self.wait(meeting, round);
        }
        self.fence();
    }

    /// Runs code for the threads here, those of each barrier for themselves if they may be at different ones. What it gives are dwords.
    pub(super) fn grouped<const N: usize>(
        &mut self,
        meeting: &Meeting,
        code: impl FnOnce(&mut Self) -> [Value; N],
    ) -> [Value; N] {
        if meeting.registers.is_empty() {
            return code(self);
        }
        let [head, body, latch, out] = [(); 4].map(|()| self.func.add_block());
        let results = [(); N].map(|()| self.func.add_param(latch, Type::B32));
        self.jump(head, &[]);
        self.at = head;
        let mut mine = self.value(Op::ConstPred(true), &[]);
        for &register in &meeting.registers {
            let first = self.value(Op::FromFirstLane, &[register]);
            let same = self.compare(CmpOp::Eq, register, first);
            mine = self.value(Op::PredBin(PredOp::And), &[mine, same]);
        }
        let zero = self.c32(0);
        self.branch(mine, (body, &[]), (latch, &[zero; N]));
        self.at = body;
        let made = code(self);
        self.jump(latch, &made);
        self.at = latch;
        self.branch(mine, (out, &[]), (head, &[]));
        self.at = out;
        results
    }

    /// Waits until all threads of the warp that have not ended are here. Returns whether a thread is the first of them.
    fn gather(&mut self) -> Value {
        let (head, next) = (self.func.add_block(), self.func.add_block());
        self.jump(head, &[]);
        self.at = head;
        let (here, live) = self.lanes();
        let all = self.compare(CmpOp::Eq, here, live);
        self.branch(all, (next, &[]), (head, &[]));
        self.at = next;
        self.is_first(here)
    }

    /// Waits until all threads of the warp that have not ended have come to this barrier, wherever, and has one of them arrive for the warp. A
    /// thread sets its bit in the entry's low word, and goes on when somebody takes it away: one of those that see the bits of all that
    /// live. The high word is then [`UNKNOWN`] until that one has arrived, and the completions before, in the place that they have in a slot.
    fn gather_anywhere(&mut self, meeting: &Meeting, entry: Value, adds: Adds) {
        self.fence();
        let [head, look, take, lead, next] = [(); 5].map(|()| self.func.add_block());
        let own = self.value(Op::Special(Special::LanemaskEq), &[]);
        self.value(Op::Atomic { op: AtomicOp::Or, width: Width::W32, mem: relaxed(word()) }, &[entry, own]);
        self.jump(head, &[]);

        self.at = head;
        let seen = self.value(Op::Load(relaxed(both_words())), &[entry]);
        let bits = self.value(Op::Lo, &[seen]);
        let mine = self.int(IntOp::And, bits, own);
        let zero = self.c32(0);
        let waits = self.compare(CmpOp::Ne, mine, zero);
        self.branch(waits, (look, &[]), (next, &[]));

        self.at = look;
        let live = self.value(Op::LiveLanes, &[]);
        let elsewhere = self.value(Op::Unary(UnaryOp::Not, Width::W32), &[bits]);
        let missing = self.int(IntOp::And, elsewhere, live);
        let complete = self.compare(CmpOp::Eq, missing, zero);
        self.branch(complete, (take, &[]), (head, &[]));

        // Threads at several places may see the same; one of them succeeds.
        self.at = take;
        let unknown = self.c32(UNKNOWN);
        let taken = self.value(Op::Pack64, &[zero, unknown]);
        let op = Op::Atomic { op: AtomicOp::CompareExchange, width: Width::W64, mem: relaxed(both_words()) };
        let found = self.value(op, &[entry, seen, taken]);
        let leads = self.value(Op::Cmp(CmpOp::Eq, Width::W64), &[found, seen]);
        self.branch(leads, (lead, &[]), (head, &[]));

        self.at = lead;
        let count = self.arrive_for_warp(meeting, adds);
        let round = self.round(count);
        self.push(Op::Store(relaxed(round_word())), &[entry, round]);
        self.jump(next, &[]);
        self.at = next;
    }

    /// Waits until the round in which the warp has arrived is known.
    fn gathered_round(&mut self, entry: Value) -> Value {
        let (head, next) = (self.func.add_block(), self.func.add_block());
        self.jump(head, &[]);
        self.at = head;
        let round = self.value(Op::Load(relaxed(round_word())), &[entry]);
        let unknown = self.c32(UNKNOWN);
        let waits = self.compare(CmpOp::Eq, round, unknown);
        self.branch(waits, (head, &[]), (next, &[]));
        self.at = next;
        round
    }

    /// The address of the warp's own word of those from `base` on.
    pub(super) fn warp_word(&mut self, base: u32) -> Value {
        self.warp_record(base, 4)
    }

    /// The address of the warp's own record of those from `base` on.
    pub(super) fn warp_record(&mut self, base: u32, bytes: u32) -> Value {
        let (warp, bytes, base) = (self.value(Op::Special(Special::WarpId), &[]), self.c32(bytes), self.c32(base));
        let offset = self.int(IntOp::Mul, warp, bytes);
        self.int(IntOp::Add, base, offset)
    }

    /// The first lane arrives for all that are here, or completes the barrier. Returns the completions before, in the place that they
    /// have in a slot.
    fn arrive(&mut self, meeting: &Meeting, first: Value, adds: Adds) -> Value {
        let [lead, together] = [(); 2].map(|()| self.func.add_block());
        let before = self.func.add_param(together, Type::B32);
        let zero = self.c32(0);
        self.branch(first, (lead, &[]), (together, &[zero]));
        self.at = lead;
        let count = self.arrive_for_warp(meeting, adds);
        self.jump(together, &[count]);
        self.at = together;
        let before = self.value(Op::FromFirstLane, &[before]);
        self.round(before)
    }

    /// One lane arrives, or completes the barrier. Returns the count before.
    fn arrive_for_warp(&mut self, meeting: &Meeting, adds: Adds) -> Value {
        let [swap, done] = [(); 2].map(|()| self.func.add_block());
        let seen = self.load_slot(meeting);
        self.jump(swap, &[seen]);

        self.at = swap;
        let old = self.func.add_param(swap, self.func.ty(seen));
        let State { count, warps } = self.parts(old);
        let more = match adds {
            Adds::Threads(threads) => State { count: self.int(IntOp::Add, count, threads), warps },
            Adds::Warp(bit) => State { count, warps: warps.map(|warps| self.int(IntOp::Or, warps, bit)) },
        };
        let complete = self.is_complete(more, meeting);
        let found = self.swap(meeting, old, more, complete);
        let swapped = self.same(found, old);
        self.branch(swapped, (done, &[]), (swap, &[found]));
        self.at = done;
        count
    }

    /// Reads the slot until the barrier has completed once more. Threads that end may complete it as well.
    fn wait(&mut self, meeting: &Meeting, round: Value) {
        let (head, next) = (self.func.add_block(), self.func.add_block());
        self.jump(head, &[]);
        self.at = head;
        let seen = self.load_slot(meeting);
        let state = self.parts(seen);
        // The lanes of a warp that wait here are at the same barrier.
        let count = self.value(Op::FromFirstLane, &[state.count]);
        let now = self.round(count);
        let waits = self.compare(CmpOp::Eq, now, round);
        match meeting.threads {
            Threads::Stated(_) => self.branch(waits, (head, &[]), (next, &[])),
            Threads::All(_) => {
                let [check, finish] = [(); 2].map(|()| self.func.add_block());
                self.branch(waits, (check, &[]), (next, &[]));
                self.at = check;
                let complete = self.is_complete(state, meeting);
                self.branch(complete, (finish, &[]), (head, &[]));
                self.at = finish;
                self.swap(meeting, seen, state, complete);
                self.jump(head, &[]);
            }
        }
        self.at = next;
    }

    fn arrive_in_part(&mut self, meeting: &Meeting) -> [Value; 2] {
        let (here, live) = self.lanes();
        let first = self.is_first(here);
        let told = self.ended_to_tell(live);
        let count = self.value(Op::Unary(UnaryOp::Popc, Width::W32), &[here]);
        let threads = self.int(IntOp::Add, count, told);
        [self.arrive(meeting, first, Adds::Threads(threads)), told]
    }

    /// Lanes of the warp that are not alive, for the lowest that is; 0 for the others.
    fn ended_to_tell(&mut self, live: Value) -> Value {
        let lowest = self.is_first(live);
        let count = self.value(Op::Unary(UnaryOp::Popc, Width::W32), &[live]);
        let (warp, zero) = (self.c32(WARP_THREADS), self.c32(0));
        let ended = self.int(IntOp::Sub, warp, count);
        self.value(Op::Select(Type::B32), &[lowest, ended, zero])
    }

    /// As [`Lower::wait`], each thread for itself, and with those that end meanwhile.
    fn wait_in_part(&mut self, meeting: &Meeting, arrival: Arrival) {
        let [head, look, tell, next] = [(); 4].map(|()| self.func.add_block());
        let told = self.func.add_param(head, Type::B32);
        self.jump(head, &[arrival.told]);
        self.at = head;
        let seen = self.load_slot(meeting);
        let state = self.parts(seen);
        let now = self.round(state.count);
        let waits = self.compare(CmpOp::Eq, now, arrival.round);
        self.branch(waits, (look, &[]), (next, &[]));

        self.at = look;
        let live = self.value(Op::LiveLanes, &[]);
        let ended = self.ended_to_tell(live);
        // A lane stays the lowest while it waits, and what it has to tell only grows.
        let ended = self.int(IntOp::MaxU, ended, told);
        let news = self.int(IntOp::Sub, ended, told);
        let more = State { count: self.int(IntOp::Add, state.count, news), ..state };
        let complete = self.is_complete(more, meeting);
        let changed = self.compare(CmpOp::Ne, ended, told);
        let acts = self.value(Op::PredBin(PredOp::Or), &[complete, changed]);
        self.branch(acts, (tell, &[]), (head, &[told]));

        self.at = tell;
        let found = self.swap(meeting, seen, more, complete);
        let done = self.same(found, seen);
        let told = self.value(Op::Select(Type::B32), &[done, ended, told]);
        self.jump(head, &[told]);
        self.at = next;
    }

    /// Whether as many have arrived as it takes.
    fn is_complete(&mut self, state: State, meeting: &Meeting) -> Value {
        let mask = self.c32(ARRIVED);
        let mut arrived = self.int(IntOp::And, state.count, mask);
        let (needed, mut ended) = match meeting.threads {
            Threads::Stated(needed) => (needed, None),
            Threads::All(needed) => {
                let address = self.c32(self.area.ended());
                (needed, Some(self.value(Op::Load(relaxed(word())), &[address])))
            }
        };
        if let Some(warps) = state.warps {
            // Those that do not wait, and those that have ended: each warp once.
            let warps = match ended {
                Some(ended) => self.int(IntOp::Or, warps, ended),
                None => warps,
            };
            let count = self.value(Op::Unary(UnaryOp::Popc, Width::W32), &[warps]);
            let shift = self.c32(WARP_THREADS.trailing_zeros());
            ended = Some(self.int(IntOp::Shl, count, shift));
        }
        if let Some(others) = ended {
            arrived = self.int(IntOp::Add, arrived, others);
        }
        self.compare(CmpOp::GeU, arrived, needed)
    }

    fn round(&mut self, state: Value) -> Value {
        let mask = self.c32(!ARRIVED);
        self.int(IntOp::And, state, mask)
    }

    /// Writes `more`, or if that completes the barrier the state in which nobody has arrived and that is one completion further.
    /// Returns what was there: as `old` if it was written.
    fn swap(&mut self, meeting: &Meeting, old: Value, more: State, complete: Value) -> Value {
        let (mask, one, zero) = (self.c32(ARRIVED), self.c32(1), self.c32(0));
        let full = self.int(IntOp::Or, more.count, mask);
        let next = self.int(IntOp::Add, full, one);
        let mut new = self.value(Op::Select(Type::B32), &[complete, next, more.count]);
        if let Some(warps) = more.warps {
            let warps = self.value(Op::Select(Type::B32), &[complete, zero, warps]);
            new = self.value(Op::Pack64, &[new, warps]);
        }
        let op = Op::Atomic { op: AtomicOp::CompareExchange, width: self.width(), mem: self.slot() };
        self.value(op, &[meeting.state, old, new])
    }

    fn width(&self) -> Width {
        if self.area.has_masks() { Width::W64 } else { Width::W32 }
    }

    fn slot(&self) -> Mem {
        relaxed(Mem::new(Space::Shared, self.area.state_bytes as u8))
    }

    fn load_slot(&mut self, meeting: &Meeting) -> Value {
        self.value(Op::Load(self.slot()), &[meeting.state])
    }

    fn same(&mut self, a: Value, b: Value) -> Value {
        self.value(Op::Cmp(CmpOp::Eq, self.width()), &[a, b])
    }

    fn parts(&mut self, slot: Value) -> State {
        match self.area.has_masks() {
            true => State { count: self.value(Op::Lo, &[slot]), warps: Some(self.value(Op::Hi, &[slot])) },
            false => State { count: slot, warps: None },
        }
    }
}

/// An entry for gathering.
fn both_words() -> Mem {
    Mem::new(Space::Shared, GATHERING_BYTES as u8)
}

/// Its high word.
fn round_word() -> Mem {
    Mem { offset: 4, ..word() }
}
