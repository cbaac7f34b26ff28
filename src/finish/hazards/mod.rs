//! Hazards: pairs of instructions that the hardware lets come too close.
//!
//! [`rows`] holds them as data. This pass walks the linear CFG with, for each row, the registers at risk and how much must still
//! pass; where an instruction would come too soon, the row's remedy goes before it. [`check`] looks for what is left in
//! another way: backwards from each instruction, over every path.
//!
//! Needs: physical registers, the final order and the final encodings. Leaves: no pair of a row closer than the row allows.
//! Not here: branches by 0x3f on gfx10.1 (`layout`), waits for memory (`waits`).

mod check;
mod rows;

pub use check::check;

use crate::amd::{self, Op, Target, ops};
use crate::id::{EntityRef, SecondaryMap};
use crate::mir::{Block, Inst, MirFunc, Operand, Reg};
use rows::{Key, Remedy, Row, Unit, View};
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A register at risk by a row, and the units that must still pass.
#[derive(Copy, Clone)]
struct Risk {
    row: u8,
    left: u8,
    key: Key,
}

impl Risk {
    fn place(&self) -> (u8, Key) {
        (self.row, self.key)
    }
}

#[derive(Clone, Default)]
struct State {
    /// Sorted by row and register. Few at a time: most rows are about the last handful of instructions.
    risks: SmallVec<[Risk; 16]>,
    /// gfx10.1: LDS and vector memory used since the stores were waited for, without and with a branch behind them.
    lds: Seen,
    vmem: Seen,
}

#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct Seen {
    now: bool,
    before_branch: bool,
}

impl State {
    fn merge(&mut self, other: &State) -> bool {
        let mut changed = false;
        for &risk in &other.risks {
            changed |= self.raise(risk);
        }
        for (a, b) in [(&mut self.lds, other.lds), (&mut self.vmem, other.vmem)] {
            let both = Seen { now: a.now | b.now, before_branch: a.before_branch | b.before_branch };
            changed |= both != *a;
            *a = both;
        }
        changed
    }

    /// Makes a risk at least as great as this one; tells whether it was smaller.
    fn raise(&mut self, risk: Risk) -> bool {
        match self.risks.binary_search_by_key(&risk.place(), Risk::place) {
            Ok(at) => {
                let ours = &mut self.risks[at].left;
                let smaller = *ours < risk.left;
                *ours = risk.left.max(*ours);
                smaller
            }
            Err(at) => {
                self.risks.insert(at, risk);
                true
            }
        }
    }

    /// The most that is left of a row over some registers.
    fn left(&self, row: u8, keys: &[Key]) -> u8 {
        let start = self.risks.partition_point(|risk| risk.row < row);
        let of_row = self.risks[start..].iter().take_while(|risk| risk.row == row);
        of_row.filter(|risk| keys.contains(&risk.key)).map(|risk| risk.left).max().unwrap_or(0)
    }
}

struct Model<'a> {
    target: &'a Target,
    rows: Vec<&'static Row>,
    /// The three-step hazard of gfx10.1.
    lds_branch_vmem: bool,
    /// How many instructions can matter behind themselves, where each takes every row on.
    reach: Option<usize>,
}

impl Model<'_> {
    fn new(target: &Target) -> Model<'_> {
        let lds_branch_vmem = target.has(amd::Feature::BranchOffset3fBug);
        let rows: Vec<_> = rows::rows(target).collect();
        let in_states = !lds_branch_vmem && rows.iter().all(|row| row.unit == Unit::States);
        let reach = rows.iter().map(|row| usize::from((row.distance)(target))).max();
        Model { target, rows, lds_branch_vmem, reach: reach.filter(|_| in_states) }
    }

    /// The state behind a block. Where only the last instructions matter, the walk begins early enough for the remedies among
    /// those to be known as well; a remedy missed would only leave a risk greater.
    fn behind(&self, mut state: State, insts: &[Inst]) -> State {
        let tail = match self.reach {
            Some(reach) if insts.len() > 3 * reach => {
                state = State::default();
                &insts[insts.len() - 3 * reach..]
            }
            _ => insts,
        };
        self.block(&mut state, tail, None);
        state
    }

    /// Goes through a block; `out` takes the instructions with the remedies.
    fn block(&self, state: &mut State, insts: &[Inst], mut out: Option<&mut Vec<Inst>>) {
        for inst in insts {
            let view = View::new(inst, self.target);
            // A remedy is an instruction, which takes every row on.
            while let Some(remedy) = self.remedy(state, &view) {
                let remedy = Inst::op(remedy, inst.span);
                self.pass(state, &View::new(&remedy, self.target));
                if let Some(out) = out.as_deref_mut() {
                    out.push(remedy);
                }
            }
            self.pass(state, &view);
            if let Some(out) = out.as_deref_mut() {
                out.push(inst.clone());
            }
        }
    }

    /// What must go before an instruction, if anything.
    fn remedy(&self, state: &State, view: &View) -> Option<amd::Inst<Reg>> {
        let imm = |op: Op, bits: u64| amd::Inst::new(op, [], [Operand::Imm(bits)]);
        if !state.risks.is_empty() {
            let mut nops = 0;
            let mut fields = 0u16;
            let mut rows_at_risk: SmallVec<[u8; 16]> = state.risks.iter().map(|risk| risk.row).collect();
            rows_at_risk.dedup();
            for index in rows_at_risk {
                let row = self.rows[usize::from(index)];
                let left = state.left(index, &(row.then)(view));
                if left == 0 {
                    continue;
                }
                match row.remedy {
                    Remedy::Nops => nops = nops.max(left),
                    Remedy::Depctr(field) => fields |= field as u16,
                    Remedy::VNop => return Some(amd::Inst::new(ops::v_nop, [], [])),
                    Remedy::MoveSource => {
                        let source = view.first_source()?;
                        return Some(amd::Inst::new(ops::v_mov_b32, [source], [Operand::Reg(source)]));
                    }
                    Remedy::ScalarMove => {
                        let null = Reg::Phys(amd::Reg::NULL);
                        return Some(amd::Inst::new(ops::s_mov_b32, [null], [Operand::Imm(0)]));
                    }
                }
            }
            if fields != 0 {
                return Some(imm(ops::s_wait_alu, (!fields & amd::asm::depctr_bits(self.target)).into()));
            }
            if nops > 0 {
                return Some(imm(ops::s_nop, (nops - 1).into()));
            }
        }
        let meets = (view.is_vmem() && state.lds.before_branch) || (view.is_ds() && state.vmem.before_branch);
        (self.lds_branch_vmem && meets).then(|| {
            let null = Operand::Reg(Reg::Phys(amd::Reg::NULL));
            amd::Inst::new(ops::s_waitcnt_vscnt, [], [null, Operand::Imm(0)])
        })
    }

    /// The state behind an instruction.
    fn pass(&self, state: &mut State, view: &View) {
        if !state.risks.is_empty() {
            state.risks.retain(|risk| {
                risk.left = risk.left.saturating_sub(view.progress(self.rows[usize::from(risk.row)]));
                risk.left > 0
            });
        }
        for (index, row) in self.rows.iter().enumerate() {
            for key in (row.first)(view) {
                state.raise(Risk { row: index as u8, left: (row.distance)(self.target), key });
            }
        }
        if self.lds_branch_vmem {
            let (lds, vmem) = (&mut state.lds, &mut state.vmem);
            if view.is_store_wait() {
                (*lds, *vmem) = Default::default();
            }
            lds.now |= view.is_ds();
            vmem.now |= view.is_vmem();
            if view.is_branch() {
                lds.before_branch |= lds.now;
                vmem.before_branch |= vmem.now;
            }
        }
    }
}

/// Inserts what keeps hazards apart.
pub fn insert(func: &mut MirFunc, target: &Target) {
    let model = Model::new(target);
    if model.rows.is_empty() {
        return;
    }
    let starts = starts(func, &model);
    for &block in &func.layout {
        let Some(mut state) = starts[block].clone() else { continue };
        let insts = std::mem::take(&mut func.blocks[block].insts);
        let mut out = Vec::with_capacity(insts.len() + insts.len() / 8);
        model.block(&mut state, &insts, Some(&mut out));
        func.blocks[block].insts = out;
    }
    if cfg!(debug_assertions)
        && let Err(fault) = check(func, target)
    {
        panic!("{fault}\n{}", crate::mir::text::print(func));
    }
}

/// The state where each block begins.
fn starts(func: &MirFunc, model: &Model) -> SecondaryMap<Block, Option<State>> {
    let mut starts: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
    let mut place = vec![usize::MAX; func.blocks.len()];
    func.layout.iter().enumerate().for_each(|(i, b)| place[b.index()] = i);
    let mut queued = vec![true; func.layout.len()];
    let mut work: VecDeque<usize> = (0..func.layout.len()).collect();
    starts[func.entry] = Some(State::default());
    while let Some(index) = work.pop_front() {
        queued[index] = false;
        let block = func.layout[index];
        let Some(state) = starts[block].clone() else { continue };
        let data = &func.blocks[block];
        let state = model.behind(state, &data.insts);
        for &s in &data.linear_succs {
            let changed = match &mut starts[s] {
                Some(start) => start.merge(&state),
                empty => {
                    *empty = Some(state.clone());
                    true
                }
            };
            let at = place[s.index()];
            if changed && at != usize::MAX && !std::mem::replace(&mut queued[at], true) {
                work.push_back(at);
            }
        }
    }
    starts
}
