//! What the threads of a warp do together: shuffles, votes, matches, reductions, elections, `bar.warp.sync`.
//!
//! PTX ISA, "shfl", "shfl.sync", "vote", "vote.sync", "match.sync", "activemask", "redux.sync", "elect.sync", "bar.warp.sync". A `.sync`
//! form first waits for its members ([`Op::WarpSync`]); then it works on the active threads and looks at its members alone, so that
//! two groups of threads with masks of their own may run it at the same time.

use super::body::Body;
use super::operands::{Fault, Mods, Res, operand};
use crate::ir::lanemap::{LaneMap, ShuffleMode};
use crate::ir::{
    CmpOp, Edge, FCmpOp, FloatEnv, FloatOp, FloatTy, IntOp, Op, PredOp, Special, Terminator, Type, UnaryOp, Value,
    Width,
};
use crate::ptx::tree::{Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

/// How a reduction combines two values.
#[derive(Copy, Clone)]
enum Combine {
    Int(IntOp),
    Float(FloatOp),
}

impl<'m> Body<'m, '_> {
    pub fn warp(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::SHFL => self.shfl(inst),
            word::VOTE => self.vote(inst),
            word::MATCH_ => self.match_values(inst),
            word::REDUX => self.redux(inst),
            word::ELECT => self.elect(inst),
            word::ACTIVEMASK => {
                let mut mods = Mods::new(inst);
                typed(&mut mods, ScalarType::B32)?;
                let active = self.active();
                self.dst(operand(inst, 0)?, active)
            }
            _ => {
                let mut mods = Mods::new(inst);
                if !(mods.flag(word::WARP) && mods.flag(word::SYNC)) {
                    return Err(Fault::Form);
                }
                mods.done()?;
                let members = self.src(operand(inst, 0)?, ScalarType::B32)?;
                // The word is `ir::barrier`'s to give.
                let none = self.c32(0);
                self.emit_inst(Op::WarpBarrier, [members, none]);
                Ok(())
            }
        }
    }

    /// Waits for the members that the `n`th operand names, and gives them.
    fn members(&mut self, inst: &Inst<'m>, n: usize) -> Res<Value> {
        let members = self.src(operand(inst, n)?, ScalarType::B32)?;
        self.emit_inst(Op::WarpSync, [members]);
        Ok(members)
    }

    fn shfl(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let sync = mods.flag(word::SYNC);
        let mode = match mods.one_of(&[word::UP, word::DOWN, word::BFLY, word::IDX]) {
            Some(word::UP) => ShuffleMode::Up,
            Some(word::DOWN) => ShuffleMode::Down,
            Some(word::BFLY) => ShuffleMode::Bfly,
            Some(_) => ShuffleMode::Idx,
            None => return Err(Fault::Form),
        };
        typed(&mut mods, ScalarType::B32)?;
        let mut args = vec![];
        for n in 1..4 {
            args.push(self.src(operand(inst, n)?, ScalarType::B32)?);
        }
        if sync {
            self.members(inst, 4)?;
        }
        let shuffle = self.emit_inst(Op::Shuffle(mode), args);
        let (value, in_range) = {
            let results = &self.ssa.func.insts[shuffle].results;
            (results[0], results[1])
        };
        let (to, pred) = self.pair(operand(inst, 0)?)?;
        self.dst(to, value)?;
        match pred {
            Some(pred) => self.dst(pred, in_range),
            None => Ok(()),
        }
    }

    /// `d`, or `d|p`.
    fn pair(&self, to: &'m Operand) -> Res<(&'m Operand, Option<&'m Operand>)> {
        let OperandKind::Pair(pair) = to.kind else { return Ok((to, None)) };
        match self.scope.module.list(pair) {
            [value, pred] => Ok((value, Some(pred))),
            _ => Err(Fault::Form),
        }
    }

    fn ballot(&mut self, pred: Value) -> Value {
        self.emit(Op::Ballot, [pred])
    }

    fn active(&mut self) -> Value {
        let all = self.emit(Op::ConstPred(true), []);
        self.ballot(all)
    }

    fn vote(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let sync = mods.flag(word::SYNC);
        let mode = mods.one_of(&[word::ALL, word::ANY, word::UNI, word::BALLOT]).ok_or(Fault::Form)?;
        typed(&mut mods, if mode == word::BALLOT { ScalarType::B32 } else { ScalarType::Pred })?;
        let pred = self.src(operand(inst, 1)?, ScalarType::Pred)?;
        let members = if sync { Some(self.members(inst, 2)?) } else { None };
        let to = operand(inst, 0)?;
        if mode == word::BALLOT {
            let votes = self.votes(pred, members);
            return self.dst(to, votes);
        }
        let zero = self.c32(0);
        let none = |this: &mut Self, pred: Value, op: CmpOp| {
            let votes = this.votes(pred, members);
            this.cmp(op, Width::W32, votes, zero)
        };
        let not = self.emit(Op::PredNot, [pred]);
        let result = match mode {
            word::ANY => none(self, pred, CmpOp::Ne),
            word::ALL => none(self, not, CmpOp::Eq),
            _ => {
                let (never, always) = (none(self, pred, CmpOp::Eq), none(self, not, CmpOp::Eq));
                self.emit(Op::PredBin(PredOp::Or), [never, always])
            }
        };
        self.dst(to, result)
    }

    /// The members whose predicate is set.
    fn votes(&mut self, pred: Value, members: Option<Value>) -> Value {
        let votes = self.ballot(pred);
        match members {
            Some(members) => self.int32(IntOp::And, votes, members),
            None => votes,
        }
    }

    fn match_values(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let any = match mods.one_of(&[word::ANY, word::ALL]) {
            Some(mode) => mode == word::ANY,
            None => return Err(Fault::Form),
        };
        if !mods.flag(word::SYNC) {
            return Err(Fault::Form);
        }
        let ty = mods.ty()?;
        mods.done()?;
        let width = match ty {
            ScalarType::B32 => Width::W32,
            ScalarType::B64 => Width::W64,
            _ => return Err(Fault::Form),
        };
        let a = self.src(operand(inst, 1)?, ty)?;
        let members = self.members(inst, 2)?;
        let to = operand(inst, 0)?;
        if any {
            // Value by value: in each turn, the threads that have the value of the first one left.
            let (turn, done) = (self.ssa.func.add_block(), self.ssa.func.add_block());
            self.jump_to(turn);
            let first = self.each_dword(a, |this, dword| this.emit(Op::FromFirstLane, [dword]));
            let equal = self.cmp(CmpOp::Eq, width, a, first);
            let same = self.ballot(equal);
            let (then, els) = (Edge::new(done, []), Edge::new(turn, []));
            self.ssa.set_terminator(Terminator::Branch { cond: equal, then, els }, self.span);
            self.ssa.begin(done);
            let same = self.int32(IntOp::And, same, members);
            return self.dst(to, same);
        }
        let alive = self.active();
        let alive = self.int32(IntOp::And, alive, members);
        let leader = self.unary(UnaryOp::Ffbl, Width::W32, alive);
        let first = self.each_dword(a, |this, dword| this.emit(Op::LaneRead, [dword, leader]));
        let differs = self.cmp(CmpOp::Ne, width, a, first);
        let differing = self.votes(differs, Some(members));
        let zero = self.c32(0);
        let all = self.cmp(CmpOp::Eq, Width::W32, differing, zero);
        let value = self.choose(all, alive, zero);
        let (to, pred) = self.pair(to)?;
        self.dst(to, value)?;
        match pred {
            Some(pred) => self.dst(pred, all),
            None => Ok(()),
        }
    }

    /// An op on a dword, or on both dwords of a pair.
    fn each_dword(&mut self, value: Value, mut op: impl FnMut(&mut Self, Value) -> Value) -> Value {
        if self.ssa.func.ty(value) == Type::B32 {
            return op(self, value);
        }
        let (low, high) = (self.emit(Op::Lo, [value]), self.emit(Op::Hi, [value]));
        let halves = [op(self, low), op(self, high)];
        self.emit(Op::Pack64, halves)
    }

    fn elect(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        if !mods.flag(word::SYNC) {
            return Err(Fault::Form);
        }
        mods.done()?;
        let members = self.members(inst, 1)?;
        let alive = self.active();
        let alive = self.int32(IntOp::And, alive, members);
        let leader = self.unary(UnaryOp::Ffbl, Width::W32, alive);
        let own = self.emit(Op::Special(Special::LaneId), []);
        let elected = self.cmp(CmpOp::Eq, Width::W32, own, leader);
        let (to, pred) = self.pair(operand(inst, 0)?)?;
        self.dst(to, leader)?;
        match pred {
            Some(pred) => self.dst(pred, elected),
            None => Ok(()),
        }
    }

    fn redux(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        if !mods.flag(word::SYNC) {
            return Err(Fault::Form);
        }
        let ops = [word::ADD, word::MIN, word::MAX, word::AND, word::OR, word::XOR];
        let op = mods.one_of(&ops).ok_or(Fault::Form)?;
        let nan = self.scope.module.names.lookup("NaN").is_some_and(|word| mods.flag(word));
        let abs = mods.flag(word::ABS);
        let ty = mods.ty()?;
        mods.done()?;
        let combine = match (op, ty) {
            (word::MIN, ScalarType::F32) => Combine::Float(if nan { FloatOp::MinNan } else { FloatOp::Min }),
            (word::MAX, ScalarType::F32) => Combine::Float(if nan { FloatOp::MaxNan } else { FloatOp::Max }),
            _ if abs || nan => return Err(Fault::Form),
            (word::ADD, ScalarType::U32 | ScalarType::S32) => Combine::Int(IntOp::Add),
            (word::MIN, ScalarType::U32) => Combine::Int(IntOp::MinU),
            (word::MIN, ScalarType::S32) => Combine::Int(IntOp::MinS),
            (word::MAX, ScalarType::U32) => Combine::Int(IntOp::MaxU),
            (word::MAX, ScalarType::S32) => Combine::Int(IntOp::MaxS),
            (word::AND, ScalarType::B32) => Combine::Int(IntOp::And),
            (word::OR, ScalarType::B32) => Combine::Int(IntOp::Or),
            (word::XOR, ScalarType::B32) => Combine::Int(IntOp::Xor),
            _ => return Err(Fault::Form),
        };
        let mut a = self.src(operand(inst, 1)?, ty)?;
        let members = self.members(inst, 2)?;
        if abs {
            a = self.int32c(IntOp::And, a, 0x7fff_ffff);
        }
        let mut value = self.reduce(combine, a, members);
        if let Combine::Float(_) = combine {
            // "The result is the canonical NaN."
            let is_nan = self.emit(Op::FCmp(FCmpOp::Nan, FloatTy::F32, FloatEnv::default()), [value, value]);
            let canonical = self.c32(0x7fff_ffff);
            value = self.choose(is_nan, canonical, value);
        }
        self.dst(operand(inst, 0)?, value)
    }

    /// Combines the values of all members that are alive: by butterflies where that is the whole warp.
    fn reduce(&mut self, combine: Combine, a: Value, members: Value) -> Value {
        let alive = self.active();
        let alive = self.int32(IntOp::And, alive, members);
        let everyone = self.c32(u32::MAX);
        let whole = self.cmp(CmpOp::Eq, Width::W32, alive, everyone);
        let func = &mut self.ssa.func;
        let (all, some, join) = (func.add_block(), func.add_block(), func.add_block());
        let (then, els) = (Edge::new(all, []), Edge::new(some, []));
        self.ssa.set_terminator(Terminator::Branch { cond: whole, then, els }, self.span);
        let result = self.ssa.add_var(Type::B32);
        self.ssa.begin(all);
        let mut sum = a;
        for distance in [1, 2, 4, 8, 16] {
            let other = self.emit(Op::LanePerm(LaneMap::new(|lane| lane ^ distance)), [sum]);
            sum = self.combine(combine, sum, other);
        }
        self.ssa.write(result, sum);
        self.ssa.set_terminator(Terminator::Jump(Edge::new(join, [])), self.span);
        self.ssa.begin(some);
        let sum = self.reduce_some(combine, a, alive);
        self.ssa.write(result, sum);
        self.jump_to(join);
        self.ssa.read(result)
    }

    fn combine(&mut self, combine: Combine, a: Value, b: Value) -> Value {
        match combine {
            Combine::Int(op) => self.int32(op, a, b),
            Combine::Float(op) => self.emit(Op::Float(op, FloatTy::F32, FloatEnv::default()), [a, b]),
        }
    }

    /// Combines the values of the threads in `alive`.
    ///
    /// Each member points at the next one above it. In each of five steps it takes in the value that the one it points at has gathered,
    /// and points where that one does; so the lowest has gathered all of them in the end. A member that points at itself has nobody above;
    /// taking its own value in again does no harm, but to sums and `xor`.
    fn reduce_some(&mut self, combine: Combine, a: Value, alive: Value) -> Value {
        let above = self.emit(Op::Special(Special::LanemaskGt), []);
        let above = self.int32(IntOp::And, alive, above);
        let own = self.emit(Op::Special(Special::LaneId), []);
        let next = self.unary(UnaryOp::Ffbl, Width::W32, above);
        let zero = self.c32(0);
        let last = self.cmp(CmpOp::Eq, Width::W32, above, zero);
        let mut next = self.choose(last, own, next);
        let twice = !matches!(combine, Combine::Int(IntOp::Add | IntOp::Xor));
        let mut sum = a;
        for step in 0..5 {
            let other = self.emit(Op::LaneRead, [sum, next]);
            let both = self.combine(combine, sum, other);
            let here = if twice { None } else { Some(self.cmp(CmpOp::Ne, Width::W32, next, own)) };
            sum = match here {
                None => both,
                Some(more) => self.choose(more, both, sum),
            };
            if step < 4 {
                let beyond = self.emit(Op::LaneRead, [next, next]);
                next = if twice {
                    beyond
                } else {
                    // Whoever it pointed at has nobody above: nor has it any more.
                    let end = self.cmp(CmpOp::Eq, Width::W32, beyond, next);
                    self.choose(end, own, beyond)
                };
            }
        }
        let leader = self.unary(UnaryOp::Ffbl, Width::W32, alive);
        self.emit(Op::LaneRead, [sum, leader])
    }
}

fn typed(mods: &mut Mods<'_>, ty: ScalarType) -> Res<()> {
    if mods.ty()? != ty {
        return Err(Fault::Form);
    }
    mods.done()
}
