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
use rows::{Key, Remedy, Row, View};
use std::collections::{BTreeMap, VecDeque};

/// By row and register at risk: units that must still pass.
#[derive(Clone, PartialEq, Default)]
struct State {
    risks: BTreeMap<(u8, Key), u8>,
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
        for (&risk, &left) in &other.risks {
            let ours = self.risks.entry(risk).or_insert(0);
            if *ours < left {
                *ours = left;
                changed = true;
            }
        }
        for (a, b) in [(&mut self.lds, other.lds), (&mut self.vmem, other.vmem)] {
            let both = Seen { now: a.now | b.now, before_branch: a.before_branch | b.before_branch };
            changed |= both != *a;
            *a = both;
        }
        changed
    }
}

struct Model<'a> {
    target: &'a Target,
    rows: Vec<&'static Row>,
    /// The three-step hazard of gfx10.1.
    lds_branch_vmem: bool,
}

impl Model<'_> {
    fn new(target: &Target) -> Model<'_> {
        let lds_branch_vmem = target.has(amd::Feature::BranchOffset3fBug);
        Model { target, rows: rows::rows(target).collect(), lds_branch_vmem }
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
            for (index, row) in self.rows.iter().enumerate() {
                let index = index as u8;
                if state.risks.range((index, 0)..=(index, Key::MAX)).next().is_none() {
                    continue;
                }
                let left = (row.then)(view).iter().filter_map(|&k| state.risks.get(&(index, k))).max().copied();
                let Some(left) = left.filter(|n| *n > 0) else { continue };
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
                return Some(imm(ops::s_wait_alu, (!fields).into()));
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
            let progress: Vec<u8> = self.rows.iter().map(|row| view.progress(row)).collect();
            state.risks.retain(|(row, _), left| {
                *left = left.saturating_sub(progress[*row as usize]);
                *left > 0
            });
        }
        for (index, row) in self.rows.iter().enumerate() {
            for key in (row.first)(view) {
                state.risks.insert((index as u8, key), (row.distance)(self.target));
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
        let Some(mut state) = starts[block].clone() else { continue };
        let data = &func.blocks[block];
        model.block(&mut state, &data.insts, None);
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
