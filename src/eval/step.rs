//! Executes the instructions of one thread until it stops.

use super::code::*;
use super::fault::{Fault, FaultKind, Memory as Which};
use super::machine::{FUNCTION_BYTES, FUNCTIONS, Machine};
use super::memory::{load, store};
use super::thread::{Frame, MAX_CALLS, MAX_LOCAL_BYTES, Meeting, Thread};
use super::watch::{Place, Touch, Watch, Who};
use crate::diag::Span;

/// Why a thread gave way.
pub enum Stop {
    Slice,
    Exit,
    /// It came to a barrier, as an index in its function's list.
    Barrier(u32),
    Warp(Meeting),
}

use super::decode::{LOCAL_HIGH, SHARED_HIGH};

impl<W: Watch> Machine<'_, W> {
    pub fn who(&self, thread: &Thread, span: Span) -> Who {
        Who { thread: thread.number, block: self.block_number, span }
    }

    pub fn run_thread(&mut self, t: &mut Thread, slice: u64) -> Result<Stop, Box<Fault>> {
        let budget = slice.min(self.options.step_limit.saturating_sub(self.steps));
        let before = t.steps;
        let end = before + budget;
        let stop = self.run_until(t, end);
        self.steps += t.steps - before;
        match stop {
            Ok(Stop::Slice) if self.steps >= self.options.step_limit => Err(self.place(self.limit(), t, self.span(t))),
            Ok(stop) => Ok(stop),
            Err(fault) => {
                let span = self.span(t);
                Err(self.place(fault, t, span))
            }
        }
    }

    /// Of the instruction that the thread executed last.
    pub fn span(&self, t: &Thread) -> Span {
        let insts = &self.program.functions[t.function as usize].insts;
        insts.get((t.pc as usize).saturating_sub(1)).map_or(Span::NONE, |inst| inst.span)
    }

    fn run_until(&mut self, t: &mut Thread, end: u64) -> Result<Stop, Box<Fault>> {
        let program = self.program;
        // Once for each function entered or left.
        'frame: loop {
            let function = &program.functions[t.function as usize];
            let insts = &function.insts[..];
            let base = t.base;
            let mut pc = t.pc as usize;
            loop {
                if t.steps >= end {
                    t.pc = pc as u32;
                    return Ok(Stop::Slice);
                }
                t.steps += 1;
                let inst = &insts[pc];
                pc += 1;
                let r = &mut t.slots[base..];
                if W::ACTIVE && inst.guard != NONE {
                    let who = Who { thread: t.number, block: self.block_number, span: inst.span };
                    self.watch.guard(who, function, inst.guard, base);
                }
                if inst.guard != NONE && (r[inst.guard as usize] != 0) != inst.when {
                    continue;
                }
                if W::ACTIVE {
                    let who = Who { thread: t.number, block: self.block_number, span: inst.span };
                    self.watch.step(who, function, inst, r, base);
                }
                match inst.kind {
                    Kind::Compute { f, d, s } => {
                        let value = f(r[s[0] as usize], r[s[1] as usize], r[s[2] as usize], r[s[3] as usize]);
                        r[d as usize] = value;
                        if W::ACTIVE {
                            let who = Who { thread: t.number, block: self.block_number, span: inst.span };
                            self.watch.wrote(who, d, base, value);
                        }
                    }
                    Kind::Compute2 { f, d, s } => {
                        let (first, second) = f(r[s[0] as usize], r[s[1] as usize], r[s[2] as usize], r[s[3] as usize]);
                        (r[d[0] as usize], r[d[1] as usize]) = (first, second);
                        if W::ACTIVE {
                            let who = Who { thread: t.number, block: self.block_number, span: inst.span };
                            self.watch.wrote(who, d[0], base, first);
                            self.watch.wrote(who, d[1], base, second);
                        }
                    }
                    Kind::Branch(target) => pc = target as usize,
                    Kind::Load(n) => {
                        t.pc = pc as u32;
                        self.load(t, &function.accesses[n as usize], inst.span)?;
                    }
                    Kind::Store(n) => {
                        t.pc = pc as u32;
                        self.store(t, &function.accesses[n as usize], inst.span)?;
                    }
                    Kind::Atomic(n) => {
                        t.pc = pc as u32;
                        self.atomic(t, &function.accesses[n as usize], inst.span)?;
                    }
                    Kind::Special { d, which } => {
                        let value = self.special(t, which);
                        t.slots[base + d as usize] = value;
                        if W::ACTIVE {
                            let who = Who { thread: t.number, block: self.block_number, span: inst.span };
                            self.watch.wrote(who, d, base, value);
                        }
                    }
                    Kind::Table(n) => {
                        t.pc = pc as u32;
                        let table = &function.tables[n as usize];
                        let index = r[table.index as usize];
                        let Some(&target) = table.targets.get(index as usize) else {
                            let targets = table.targets.len();
                            return Err(Fault::new(FaultKind::BranchIndex { index, targets }));
                        };
                        pc = target as usize;
                    }
                    Kind::Call(n) => {
                        t.pc = pc as u32;
                        self.call(t, function, n, inst.span)?;
                        continue 'frame;
                    }
                    Kind::Ret => {
                        self.ret(t, function, inst.span);
                        continue 'frame;
                    }
                    Kind::Exit => {
                        t.pc = pc as u32;
                        return Ok(Stop::Exit);
                    }
                    Kind::Trap => {
                        t.pc = pc as u32;
                        return Err(Fault::new(FaultKind::Trap));
                    }
                    Kind::Barrier(n) => {
                        t.pc = pc as u32;
                        return Ok(Stop::Barrier(n));
                    }
                    Kind::Warp(n) => {
                        let op = &function.warp_ops[n as usize];
                        let s = op.s.map(|slot| r[slot as usize]);
                        let mask = op.mask.map(|slot| r[slot as usize] as u32);
                        t.pc = pc as u32;
                        if let Some(mask) = mask
                            && mask >> t.lane() & 1 == 0
                        {
                            return Err(Fault::new(FaultKind::NotAMember { mask, lane: t.lane() }));
                        }
                        let (function, key) = (t.function, op.key);
                        return Ok(Stop::Warp(Meeting { function, op: n, pc: t.pc, key, mask, s }));
                    }
                    Kind::Fence => {
                        if W::ACTIVE {
                            self.watch.fence(Who { thread: t.number, block: self.block_number, span: inst.span });
                        }
                    }
                    Kind::Nop => {}
                }
            }
        }
    }

    fn special(&self, t: &Thread, which: Special) -> u64 {
        let lane = t.lane();
        let bit = 1u64 << lane;
        let threads: u32 = self.block.iter().product();
        match which {
            Special::Tid(n) => t.tid[n as usize].into(),
            Special::Ntid(n) => self.block[n as usize].into(),
            Special::Ctaid(n) => self.ctaid[n as usize].into(),
            Special::Nctaid(n) => self.grid[n as usize].into(),
            Special::LaneId => lane.into(),
            Special::WarpId => t.warp().into(),
            Special::NWarpId => threads.div_ceil(32).into(),
            Special::MaskEq => bit,
            Special::MaskLe => 2 * bit - 1,
            Special::MaskLt => bit - 1,
            Special::MaskGe => !(bit - 1) & 0xffff_ffff,
            Special::MaskGt => !(2 * bit - 1) & 0xffff_ffff,
            Special::DynamicSharedBytes => self.dynamic_shared_bytes.into(),
            Special::TotalSharedBytes => self.shared.len() as u64,
            Special::Clock(0) => t.steps & 0xffff_ffff,
            Special::Clock(1) => t.steps >> 32,
            Special::Clock(_) => t.steps,
            Special::Fixed(value) => value,
        }
    }

    /// Where an access goes; it is in bounds and aligned.
    fn resolve(&mut self, t: &Thread, a: &Access, write: bool) -> Result<(Place, usize, usize), Box<Fault>> {
        let count = a.list.len().max(1) as u32;
        let bytes = u32::from(a.bytes) * count;
        let address = t.slots[t.base + a.base as usize].wrapping_add(a.offset as u64);
        let space = match a.space {
            Space::Generic if address >> 32 == SHARED_HIGH => Space::Shared,
            Space::Generic if address >> 32 == LOCAL_HIGH => Space::Local,
            Space::Generic => Space::Global,
            space => space,
        };
        // The windows of shared and local memory have 32-bit addresses; a register of 64 may hold a generic one.
        let offset = if a.space == Space::Generic { address & 0xffff_ffff } else { address };
        let aligned = |memory| {
            let align = bytes;
            if address.is_multiple_of(align.into()) {
                return Ok(());
            }
            Err(Fault::new(FaultKind::Misaligned { memory, address, align }))
        };
        let window = |memory, size: usize| {
            aligned(memory)?;
            if offset.checked_add(bytes.into()).is_some_and(|end| end <= size as u64) {
                return Ok(());
            }
            let near = format!("there are {size} bytes");
            Err(Fault::new(FaultKind::OutOfBounds { memory, address, bytes, write, near }))
        };
        match space {
            Space::Shared => {
                window(Which::Shared, self.shared.len())?;
                Ok((Place::Shared(offset as u32), 0, offset as usize))
            }
            Space::Local => {
                window(Which::Local, t.local.len())?;
                Ok((Place::Local(offset as u32), 0, offset as usize))
            }
            Space::Global | Space::Const | Space::Generic => {
                aligned(Which::Global)?;
                let (region, at) = self.memory.find(address, bytes, write)?;
                Ok((Place::Global(address), region, at))
            }
        }
    }

    fn load(&mut self, t: &mut Thread, a: &Access, span: Span) -> Result<(), Box<Fault>> {
        let (place, region, at) = self.resolve(t, a, false)?;
        if W::ACTIVE {
            let bytes = u32::from(a.bytes) * a.list.len() as u32;
            self.watch.touch(self.who(t, span), Touch::Read, place, bytes, a);
        }
        let size = a.bytes as usize;
        for (n, &(d, register)) in a.list.iter().enumerate() {
            let at = at + n * size;
            let mut value = match place {
                Place::Global(_) => load(&self.memory.regions[region].bytes, at, size),
                Place::Shared(_) => load(&self.shared, at, size),
                Place::Local(_) => load(&t.local, at, size),
            };
            if a.signed && size < 8 {
                let shift = 64 - 8 * size as u32;
                value = ((value << shift) as i64 >> shift) as u64;
                if register < 8 {
                    value &= (1 << (8 * register)) - 1;
                }
            }
            t.slots[t.base + d as usize] = value;
            if W::ACTIVE {
                self.watch.wrote(self.who(t, span), d, t.base, value);
            }
        }
        Ok(())
    }

    fn store(&mut self, t: &mut Thread, a: &Access, span: Span) -> Result<(), Box<Fault>> {
        let (place, region, at) = self.resolve(t, a, true)?;
        let size = a.bytes as usize;
        if W::ACTIVE {
            let bytes = u32::from(a.bytes) * a.list.len() as u32;
            self.watch.touch(self.who(t, span), Touch::Write, place, bytes, a);
        }
        for (n, &(s, _)) in a.list.iter().enumerate() {
            let value = t.slots[t.base + s as usize];
            let at = at + n * size;
            match place {
                Place::Global(_) => store(&mut self.memory.regions[region].bytes, at, size, value),
                Place::Shared(_) => store(&mut self.shared, at, size, value),
                Place::Local(_) => store(&mut t.local, at, size, value),
            }
        }
        Ok(())
    }

    fn atomic(&mut self, t: &mut Thread, a: &Access, span: Span) -> Result<(), Box<Fault>> {
        let (place, region, at) = self.resolve(t, a, true)?;
        let Some(op) = a.atomic else { return Ok(()) };
        if W::ACTIVE {
            self.watch.touch(self.who(t, span), Touch::Atomic, place, a.bytes.into(), a);
        }
        let size = a.bytes as usize;
        let operand = |slot: Slot| t.slots[t.base + slot as usize];
        let (b, c) = (operand(op.s[0]), operand(op.s[1]));
        let memory = match place {
            Place::Global(_) => &mut self.memory.regions[region].bytes,
            Place::Shared(_) => &mut self.shared,
            Place::Local(_) => &mut t.local,
        };
        let old = load(memory, at, size);
        store(memory, at, size, (op.f)(old, b, c, 0));
        t.slots[t.base + op.d as usize] = old;
        if W::ACTIVE {
            self.watch.wrote(self.who(t, span), op.d, t.base, old);
        }
        Ok(())
    }

    fn call(&mut self, t: &mut Thread, caller: &Function, n: u32, span: Span) -> Result<(), Box<Fault>> {
        let call = &caller.calls[n as usize];
        let number = match call.callee {
            Callee::Direct(number) => number,
            Callee::Indirect(slot) => {
                let address = t.slots[t.base + slot as usize];
                let at = address.wrapping_sub(FUNCTIONS);
                let number = at / FUNCTION_BYTES;
                if !at.is_multiple_of(FUNCTION_BYTES) || number >= self.program.functions.len() as u64 {
                    return Err(Fault::new(FaultKind::NoFunction(address)));
                }
                number as u32
            }
        };
        if t.frames.len() >= MAX_CALLS || t.local.len() >= MAX_LOCAL_BYTES {
            return Err(Fault::new(FaultKind::CallDepth));
        }
        let callee = &self.program.functions[number as usize];
        let (base, local) = (t.base, t.slots[t.base + LOCAL_BASE as usize] as usize);
        t.frames.push(Frame { function: t.function, pc: t.pc, base, call: n });
        t.enter(number, callee, &self.templates[number as usize]);
        if W::ACTIVE {
            self.watch.enter(self.who(t, span), callee, t.base);
        }
        let to_local = t.slots[t.base + LOCAL_BASE as usize] as usize;
        for (from, to) in call.arguments.iter().zip(&callee.params) {
            self.pass(t, (*from, base, local), (*to, t.base, to_local), span);
        }
        Ok(())
    }

    fn ret(&mut self, t: &mut Thread, callee: &Function, span: Span) {
        let Some(frame) = t.frames.pop() else { return };
        let (base, local) = (t.base, t.slots[t.base + LOCAL_BASE as usize] as usize);
        let caller = &self.program.functions[frame.function as usize];
        let to_local = t.slots[frame.base + LOCAL_BASE as usize] as usize;
        for (from, to) in callee.returns.iter().zip(&caller.calls[frame.call as usize].results) {
            self.pass(t, (*from, base, local), (*to, frame.base, to_local), span);
        }
        t.leave(&frame);
    }

    /// Copies an argument or result between frames; each side says where, its slots, its local memory.
    fn pass(&mut self, t: &mut Thread, from: (Passed, usize, usize), to: (Passed, usize, usize), span: Span) {
        let size = |passed| match passed {
            Passed::Slot(_) => 8,
            Passed::Frame { bytes, .. } => bytes as usize,
        };
        let bytes = size(from.0).min(size(to.0));
        let content = match from.0 {
            Passed::Slot(slot) => t.slots[from.1 + slot as usize].to_le_bytes()[..bytes].to_vec(),
            Passed::Frame { offset, .. } => {
                let at = from.2 + offset as usize;
                t.local[at..at + bytes].to_vec()
            }
        };
        match to.0 {
            Passed::Slot(slot) => {
                let value = load(&content, 0, bytes.min(8));
                t.slots[to.1 + slot as usize] = value;
                if W::ACTIVE {
                    self.watch.wrote(self.who(t, span), slot, to.1, value);
                }
            }
            Passed::Frame { offset, .. } => {
                let at = to.2 + offset as usize;
                t.local[at..at + bytes].copy_from_slice(&content);
                if W::ACTIVE {
                    self.watch.passed(self.who(t, span), at as u32, bytes as u32);
                }
            }
        }
    }
}
