//! Switches the float part of MODE where an instruction asks for another one.
//!
//! Needs: final order, `linear_succs`. Leaves: at every op with `Flags::READS_MODE`, MODE is what its `float_mode` says.
//! Spec: MODE in the AMD ISA manuals, "Mode register"; the bits are in `docs/design.md`'s terms: round f32 [1:0], f16/f64 [3:2], denorm
//! f32 [5:4], f16/f64 [7:6]. GFX9 writes it by `s_setreg_imm32_b32`, later ones by `s_round_mode` and `s_denorm_mode`.

use crate::amd::{Column, Flags, Inst as AmdInst, Op, Operand as AmdOperand, Target, ops};
use crate::diag::Span;
use crate::id::SecondaryMap;
use crate::mir::{Block, FloatMode, Inst, InstKind, MirFunc, Reg};

/// What is known of MODE at a point.
#[derive(Copy, Clone, PartialEq, Eq)]
enum State {
    /// Not reached yet.
    None,
    Known(FloatMode),
    /// Different on different ways.
    Mixed,
}

impl State {
    fn meet(self, other: State) -> State {
        match (self, other) {
            (State::None, s) | (s, State::None) => s,
            (State::Known(a), State::Known(b)) if a == b => self,
            _ => State::Mixed,
        }
    }
}

pub fn insert(func: &mut MirFunc, target: &Target) {
    let needs = func
        .layout
        .iter()
        .any(|&b| func.blocks[b].insts.iter().any(|i| wanted(i).is_some_and(|mode| mode != FloatMode::default())));
    if !needs {
        return;
    }
    let entries = entry_states(func);
    for index in 0..func.layout.len() {
        let block = func.layout[index];
        let mut state = entries[block];
        let old = std::mem::take(&mut func.blocks[block].insts);
        let mut new = Vec::with_capacity(old.len());
        for inst in old {
            if let Some(mode) = wanted(&inst)
                && state != State::Known(mode)
            {
                switch(state, mode, target, inst.span, &mut new);
                state = State::Known(mode);
            }
            new.push(inst);
        }
        func.blocks[block].insts = new;
    }
}

/// The mode an instruction needs, if it reads MODE.
fn wanted(inst: &Inst) -> Option<FloatMode> {
    match &inst.kind {
        InstKind::Op(op) if op.op.flags.contains(Flags::READS_MODE) => Some(inst.float_mode),
        _ => None,
    }
}

/// Forward dataflow along the linear CFG. A block's last demand is its exit state, whatever came in, so each block changes at most
/// twice.
fn entry_states(func: &MirFunc) -> SecondaryMap<Block, State> {
    let mut entries = SecondaryMap::with_default(State::None);
    entries[func.entry] = State::Known(FloatMode::default());
    let mut work = vec![func.entry];
    while let Some(block) = work.pop() {
        let demand = func.blocks[block].insts.iter().rev().find_map(wanted);
        let exit = demand.map_or(entries[block], State::Known);
        for &next in &func.blocks[block].linear_succs {
            let met = entries[next].meet(exit);
            if met != entries[next] {
                entries[next] = met;
                work.push(next);
            }
        }
    }
    entries
}

fn switch(from: State, to: FloatMode, target: &Target, span: Span, out: &mut Vec<Inst>) {
    let known = match from {
        State::Known(mode) => Some(mode),
        State::None | State::Mixed => None,
    };
    let round = |m: FloatMode| u64::from(m.round_f32 | m.round_f64 << 2);
    // f16 and f64 subnormals are always kept.
    let denorm = |m: FloatMode| if m.ftz_f32 { 0b1100 } else { 0b1111 };
    let mut push = |op: Op, imms: &[u64]| {
        let inst = AmdInst::<Reg>::new(op, [], imms.iter().map(|&i| AmdOperand::Imm(i)));
        out.push(Inst::op(inst, span));
    };
    if target.column() == Column::Gfx9 {
        // hwreg(HW_REG_MODE, 0, 8): id 1, offset 0, size 8.
        let hwreg = 1 | (8 - 1) << 11;
        push(ops::s_setreg_imm32_b32, &[hwreg, round(to) | denorm(to) << 4]);
        return;
    }
    if known.is_none_or(|m| round(m) != round(to)) {
        push(ops::s_round_mode, &[round(to)]);
    }
    if known.is_none_or(|m| denorm(m) != denorm(to)) {
        push(ops::s_denorm_mode, &[denorm(to)]);
    }
}
