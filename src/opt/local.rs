//! `.local` memory that is only accessed at constant places becomes SSA values.
//!
//! Unoptimised code keeps every variable, pointers included, in such memory. A load of a pointer hides where the next
//! access goes until that load is itself a value. So the places of accesses are found in rounds: in a copy, the loads
//! whose places are known are replaced by values, as if no other access touched the frame; `fold` and `spaces` then show
//! the places of more accesses. The accesses themselves stay in the copy until the places no longer change.
//! Then they are consistent: if every access up to some point of an execution was where we think it is, the values are
//! right up to there, and so is the place of the next access. What is left to check is that no access to local memory has
//! an unknown place, and that no address of it went where an access of other memory could pick it up; otherwise the copy
//! is thrown away.
//!
//! Each dword of the frame is one variable; what is read before it is written is undefined.

use super::{dce, fold, spaces};
use crate::id::EntityRef;
use crate::ir::byteperm::ByteSel;
use crate::ir::ssa::{Ssa, Var};
use crate::ir::{self, Aperture, Func, Inst, Mem, Op, Space, Terminator, Type, Value};
use std::collections::BTreeMap;

/// How many layers of pointers in memory are followed.
const MAX_ROUNDS: usize = 8;

pub fn run(func: &mut Func) {
    if !uses_local(func) {
        return;
    }
    let mut places = places(func);
    for _ in 0..MAX_ROUNDS {
        // Too many values meeting at one block is the only failure.
        let Ok(mut copy) = promote(func.clone(), &places) else { return };
        fold::run(&mut copy);
        spaces::run(&mut copy);
        fold::run(&mut copy);
        let found = self::places(&copy);
        if found == places {
            remove(&mut copy, &places);
            dce::run(&mut copy);
            if is_free_of_local(&copy) {
                *func = copy;
            }
            return;
        }
        places = found;
    }
}

/// The place of each access that has a known one, by instruction.
type Places = BTreeMap<Inst, u32>;

fn places(func: &Func) -> Places {
    let insts = func.order.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.filter_map(|&inst| Some((inst, constant_place(func, inst)?))).collect()
}

fn remove(func: &mut Func, places: &Places) {
    for block in func.order.clone() {
        func.blocks[block].insts.retain(|inst| !places.contains_key(inst));
    }
}

/// Whether the code touches `.local` memory or makes addresses of it.
pub fn uses_local(func: &Func) -> bool {
    func.order.iter().any(|&block| {
        func.blocks[block].insts.iter().any(|&inst| match &func.insts[inst].op {
            Op::Aperture(aperture) => *aperture == Aperture::Local,
            op => memory(op).is_some_and(|mem| mem.space == Space::Local),
        })
    })
}

fn memory(op: &Op) -> Option<Mem> {
    match op {
        Op::Load(mem) | Op::Store(mem) | Op::Atomic { mem, .. } => Some(*mem),
        _ => None,
    }
}

/// The offset in the frame of a load or store of local memory, if it is constant.
fn constant_place(func: &Func, inst: Inst) -> Option<u32> {
    let data = &func.insts[inst];
    let (Op::Load(mem) | Op::Store(mem)) = data.op else { return None };
    if mem.space != Space::Local {
        return None;
    }
    let Op::Const32(base) = func.def(data.args[0])?.0.op else { return None };
    let at = base.wrapping_add(mem.offset as u32);
    let size = u32::from(mem.bytes);
    // Misaligned accesses are undefined; leave them to the machine.
    (at % size == 0 && at.checked_add(size * u32::from(mem.count)).is_some()).then_some(at)
}

/// Replaces the results of loads with known places by what was stored there; the accesses stay.
fn promote(func: Func, places: &Places) -> Result<Func, &'static str> {
    let order = func.order.clone();
    let mut frame = Frame { ssa: Ssa::of(func), dwords: BTreeMap::new(), forward: Vec::new() };
    for &block in &order {
        if block != frame.ssa.func.entry {
            frame.ssa.begin(block);
        }
        let insts = std::mem::take(&mut frame.ssa.func.blocks[block].insts);
        for inst in insts {
            frame.inst(inst, places.get(&inst).copied());
        }
        let mut term = std::mem::take(&mut frame.ssa.func.blocks[block].term);
        frame.resolve_terminator(&mut term);
        frame.ssa.func.blocks[block].term = term;
    }
    // Edges back may carry values that were loads farther down.
    for &block in &order {
        let mut term = std::mem::take(&mut frame.ssa.func.blocks[block].term);
        frame.resolve_terminator(&mut term);
        frame.ssa.func.blocks[block].term = term;
    }
    frame.ssa.finish()
}

struct Frame {
    ssa: Ssa,
    /// The variable of each dword of the frame, by its number.
    dwords: BTreeMap<u32, Var>,
    /// What loads were replaced by.
    forward: Vec<Option<Value>>,
}

impl Frame {
    fn resolve(&self, value: &mut Value) {
        while let Some(next) = self.forward.get(value.index()).copied().flatten() {
            *value = next;
        }
    }

    fn resolve_terminator(&self, term: &mut Terminator) {
        match term {
            Terminator::Branch { cond: value, .. }
            | Terminator::Switch { index: value, .. }
            | Terminator::Wait { cond: value, .. } => self.resolve(value),
            Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
        }
        for edge in term.edges_mut() {
            for arg in &mut edge.args {
                self.resolve(arg);
            }
        }
    }

    fn emit(&mut self, op: Op, args: &[Value], inst: Inst) -> Value {
        let span = self.ssa.func.spans[inst];
        let new = self.ssa.func.push(self.ssa.current, op, args.iter().copied(), span);
        self.ssa.func.result(new)
    }

    fn inst(&mut self, inst: Inst, place: Option<u32>) {
        let mut args = std::mem::take(&mut self.ssa.func.insts[inst].args);
        for arg in &mut args {
            self.resolve(arg);
        }
        self.ssa.func.insts[inst].args = args;
        self.ssa.func.blocks[self.ssa.current].insts.push(inst);
        let data = self.ssa.func.insts[inst].clone();
        let (Some(at), Some(mem)) = (place, memory(&data.op)) else { return };
        let size = u32::from(mem.bytes);
        for n in 0..mem.count as usize {
            let place = at + n as u32 * size;
            if let Op::Store(_) = data.op {
                self.store(place, size, data.args[n + 1], inst);
            } else {
                let value = self.load(place, mem, inst);
                let result = data.results[n];
                if self.forward.len() <= result.index() {
                    self.forward.resize(result.index() + 1, None);
                }
                self.forward[result.index()] = Some(value);
            }
        }
    }

    fn dword(&mut self, n: u32) -> Var {
        let ssa = &mut self.ssa;
        *self.dwords.entry(n).or_insert_with(|| ssa.add_var(Type::B32))
    }

    fn store(&mut self, at: u32, size: u32, value: Value, inst: Inst) {
        let var = self.dword(at / 4);
        match size {
            8 => {
                let (low, high) = (self.emit(Op::Lo, &[value], inst), self.emit(Op::Hi, &[value], inst));
                self.ssa.write(var, low);
                let var = self.dword(at / 4 + 1);
                self.ssa.write(var, high);
            }
            4 => self.ssa.write(var, value),
            _ => {
                let old = self.ssa.read(var);
                let mut sels = ByteSel::IDENTITY;
                for n in 0..size {
                    sels[(at % 4 + n) as usize] = ByteSel::Byte(1, n as u8);
                }
                let mixed = self.emit(Op::BytePerm(sels), &[old, value], inst);
                self.ssa.write(var, mixed);
            }
        }
    }

    fn load(&mut self, at: u32, mem: Mem, inst: Inst) -> Value {
        let var = self.dword(at / 4);
        let value = self.ssa.read(var);
        match mem.bytes {
            8 => {
                let var = self.dword(at / 4 + 1);
                let high = self.ssa.read(var);
                self.emit(Op::Pack64, &[value, high], inst)
            }
            4 => value,
            bytes => {
                let first = (at % 4) as u8;
                let last = first + bytes - 1;
                let mut sels = [if mem.signed { ByteSel::Sign(0, last) } else { ByteSel::Zero }; 4];
                for n in 0..bytes {
                    sels[n as usize] = ByteSel::Byte(0, first + n);
                }
                self.emit(Op::BytePerm(sels), &[value], inst)
            }
        }
    }
}

/// Whether no access to local memory is left, by its space or through an address made from the aperture, and no such
/// address has been stored where another access could find it.
fn is_free_of_local(func: &Func) -> bool {
    let mut tainted = vec![false; func.values.len()];
    loop {
        let mut changed = false;
        for &block in &func.order {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                let source = data.op == Op::Aperture(Aperture::Local);
                let from_memory = memory(&data.op).is_some();
                let taint = source || !from_memory && data.args.iter().any(|a| tainted[a.index()]);
                for result in &data.results {
                    if taint && func.ty(*result) != Type::Pred && !tainted[result.index()] {
                        tainted[result.index()] = true;
                        changed = true;
                    }
                }
            }
            for edge in func.blocks[block].term.edges() {
                for (param, arg) in func.blocks[edge.block].params.iter().zip(&edge.args) {
                    if tainted[arg.index()] && !tainted[param.index()] {
                        tainted[param.index()] = true;
                        changed = true;
                    }
                }
            }
        }
        if !changed {
            break;
        }
    }
    debug_assert_eq!(ir::verify(func), Ok(()));
    let mut insts = func.order.iter().flat_map(|&block| &func.blocks[block].insts);
    insts.all(|&inst| {
        let data = &func.insts[inst];
        match memory(&data.op) {
            Some(mem) => mem.space != Space::Local && !data.args.iter().any(|a| tainted[a.index()]),
            None => true,
        }
    })
}
