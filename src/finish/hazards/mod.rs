//! Hazards: instructions that the hardware lets come too close.
//!
//! [`rows`] holds the pairs as data. This pass walks the linear CFG with, for each row, the registers at risk and how much must still
//! pass; where an instruction would come too soon, the row's remedy goes before it. Three are of another kind: the three steps of
//! [`LdsBranch`], the runs of memory instructions of [`Clause`], and what gfx12 keeps of SGPRs ([`Sgprs`]).
//!
//! Needs: physical registers, the final order and the final encodings. Leaves: no pair of a row closer than the row allows.
//! The judge is `amd::hazard`, which starts from the bytes.
//! Not here: branches by 0x3f on gfx10.1 and the last VGPR of gfx90a (`layout`), waits for memory (`waits`).

mod rows;
mod runs;
mod sgprs;

use super::flow;
use crate::amd::{self, Op, Target, hazard, ops};
use crate::id::SecondaryMap;
use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg};
use rows::{Key, Remedy, Row, Unit, View};
use runs::{Clause, LdsBranch};
use sgprs::Sgprs;
use smallvec::SmallVec;

/// The names of the hazards that a target has, as `docs/hazards.md` has them.
pub fn names(target: &Target) -> Vec<&'static str> {
    let sgprs = Sgprs::applies(target).then_some(sgprs::NAMES);
    rows::rows(target).map(|row| row.name).chain(runs::names(target)).chain(sgprs.into_iter().flatten()).collect()
}

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
    used: LdsBranch,
    clause: Clause,
    sgprs: Sgprs,
}

impl flow::State for State {
    fn merge(&mut self, other: &State) -> bool {
        let mut changed =
            self.used.merge(other.used) | self.clause.merge(&other.clause) | self.sgprs.merge(other.sgprs);
        for &risk in &other.risks {
            changed |= self.raise(risk);
        }
        changed
    }
}

impl State {
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
    lds_branch: bool,
    /// Faulting memory instructions may be replayed.
    clauses: bool,
    /// The SGPRs of gfx12.
    sgprs: bool,
    /// How many instructions can matter behind themselves, where each takes every row on.
    reach: Option<usize>,
}

impl Model<'_> {
    fn new(target: &Target) -> Model<'_> {
        let lds_branch = LdsBranch::applies(target);
        let rows: Vec<_> = rows::rows(target).collect();
        let sgprs = Sgprs::applies(target);
        let in_states = !lds_branch && !sgprs && rows.iter().all(|row| row.unit == Unit::States);
        let reach = rows.iter().map(|row| usize::from((row.distance)(target))).max();
        let reach = reach.filter(|_| in_states);
        Model { target, rows, lds_branch, clauses: Clause::applies(target), sgprs, reach }
    }

    /// The state behind a block. Where only the last instructions matter, the walk begins early enough for the remedies among
    /// those to be known as well, and before a run of memory instructions; a remedy missed would only leave a risk greater.
    fn behind(&self, mut state: State, insts: &[Inst]) -> State {
        let mut tail = insts;
        if let Some(reach) = self.reach.filter(|reach| insts.len() > 3 * reach) {
            let far = &insts[..insts.len() - 3 * reach];
            let in_run = far.iter().rev().take_while(|inst| View::new(inst, self.target).is_memory()).count();
            if far.len() > in_run {
                state = State::default();
                tail = &insts[far.len() - in_run..];
            }
        }
        self.block(&mut state, tail, None);
        state
    }

    /// Goes through a block; `out` takes the instructions with the remedies.
    fn block(&self, state: &mut State, insts: &[Inst], mut out: Option<&mut Vec<Inst>>) {
        for inst in insts {
            // No code comes of it.
            if matches!(inst.kind, InstKind::Undef { .. }) {
                if let Some(out) = out.as_deref_mut() {
                    out.push(inst.clone());
                }
                continue;
            }
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
        let mut nops = u8::from(self.clauses && state.clause.must_end_before(view, self.target));
        let mut fields = if self.sgprs { state.sgprs.fields(view) } else { 0 };
        if !state.risks.is_empty() {
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
                    Remedy::Depctr(row_fields) => fields |= row_fields,
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
        }
        if fields != 0 {
            return Some(imm(ops::s_wait_alu, (!fields & amd::asm::depctr_bits(self.target)).into()));
        }
        if nops > 0 {
            return Some(imm(ops::s_nop, (nops - 1).into()));
        }
        (self.lds_branch && state.used.meets(view)).then(|| {
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
        if self.lds_branch {
            state.used.pass(view);
        }
        if self.sgprs {
            state.sgprs.pass(view);
        }
        if self.clauses {
            state.clause.pass(view, self.target);
        }
    }
}

/// Inserts what keeps hazards apart.
pub fn insert(func: &mut MirFunc, target: &Target) {
    let model = Model::new(target);
    if model.rows.is_empty() && !model.lds_branch && !model.clauses && !model.sgprs {
        return;
    }
    flow::rewrite(
        func,
        State::default(),
        |state, insts| model.behind(state, insts),
        |state, insts, out| model.block(state, insts, Some(out)),
    );
}

/// What `amd::hazard` says of a function whose blocks lead where `linear_succs` says, before there are bytes.
pub fn check(func: &MirFunc, target: &Target) -> Result<(), hazard::Fault> {
    let mut steps: Vec<hazard::Step> = vec![];
    let mut starts: SecondaryMap<Block, u32> = SecondaryMap::new();
    let mut ends: Vec<(usize, Block)> = vec![];
    for &block in &func.layout {
        starts[block] = steps.len() as u32;
        let insts = func.blocks[block].insts.iter().flat_map(|inst| match &inst.kind {
            InstKind::Op(op) => vec![super::layout::physical(op)],
            InstKind::GlobalAddr { dst: Reg::Phys(dst), .. } => {
                super::layout::global_addr(*dst, target).into_iter().map(|(inst, _)| inst).collect()
            }
            _ => vec![],
        });
        for inst in insts {
            let offset = 4 * steps.len() as u32;
            steps.push(hazard::Step { inst, offset, next: SmallVec::from_slice(&[steps.len() as u32 + 1]) });
        }
        // An empty block would have no end to lead on from.
        if starts[block] == steps.len() as u32 {
            let nothing = amd::Inst::new(ops::s_code_end, [], []);
            steps.push(hazard::Step { inst: nothing, offset: 0, next: SmallVec::new() });
        }
        ends.push((steps.len() - 1, block));
    }
    for (end, block) in ends {
        steps[end].next = func.blocks[block].linear_succs.iter().map(|&s| starts[s]).collect();
    }
    hazard::check(&steps, 256, target)
}
