//! `bar.warp.sync` that the threads of a warp come to at several places of the code.
//!
//! PTX ISA, "bar.warp.sync": a thread waits until all threads of its mask that have not ended have executed a `bar.warp.sync` with that
//! mask; which one is not said. A thread whose members are not all here sets its bit in a word of LDS that its warp has, and goes on when
//! somebody takes it away: whoever sees the bits of all its members that live takes away theirs. All of a warp are in one wave, so
//! that nothing comes between a look and what it leads to. The loop reads memory that others write, and so lets those run
//! (DESIGN, "Progress").
//!
//! [`super::lower`] gives each warp its word; [`meet`] is for `divergence::prepare`, which knows where members may be missing. A kernel with one
//! `bar.warp.sync` needs no word: [`Op::WarpSync`] waits as the other `.sync` forms do.

use super::{Lower, relaxed, word};
use crate::id::EntityRef;
use crate::ir::{
    AtomicOp, Block, BlockData, CmpOp, Edge, Func, Inst, IntOp, Op, Special, Terminator, UnaryOp, Value, Width,
};

/// Makes every `warp_barrier` a `warp_sync`.
pub(super) fn only_waits(func: &mut Func) {
    for inst in func.insts.keys().collect::<Vec<_>>() {
        let data = &mut func.insts[inst];
        if data.op == Op::WarpBarrier {
            data.op = Op::WarpSync;
            data.args.truncate(1);
        }
    }
}

impl Lower<'_> {
    /// Names each warp's word of those from `base` on, and has the warp clear its own at the kernel's start.
    pub(super) fn give_words(&mut self, base: u32) {
        let insts = std::mem::take(&mut self.func.blocks[self.at].insts);
        let address = self.warp_word(base);
        let zero = self.c32(0);
        self.push(Op::Store(relaxed(word())), &[address, zero]);
        self.func.blocks[self.at].insts.extend(insts);
        for data in self.func.insts.values_mut().filter(|data| data.op == Op::WarpBarrier) {
            data.args[1] = address;
        }
    }
}

/// The word's address, where it is computed and cleared for nothing: takes that away. Nobody else knows the word.
pub(in crate::ir) fn take_words_back(func: &mut Func, address: Value) {
    let mut uses = vec![0u32; func.values.len()];
    for &block in &func.order {
        let data = &func.blocks[block];
        let read = data.insts.iter().flat_map(|&inst| &func.insts[inst].args);
        let passed = data.term.edges().into_iter().flat_map(|edge| &edge.args);
        read.chain(passed).copied().chain(data.term.condition()).for_each(|value| uses[value.index()] += 1);
    }
    let insts = &func.insts;
    let mut kept = std::mem::take(&mut func.blocks[func.entry].insts);
    kept.reverse();
    kept.retain(|&inst| {
        let data = &insts[inst];
        let clears = matches!(data.op, Op::Store(_)) && data.args[0] == address;
        let unused = data.results.iter().all(|result| uses[result.index()] == 0);
        let goes = clears || unused && !data.op.has_effect();
        if goes {
            data.args.iter().for_each(|arg| uses[arg.index()] -= 1);
        }
        !goes
    });
    kept.reverse();
    func.blocks[func.entry].insts = kept;
}

/// Ends the block at a `warp_barrier` and waits in a loop if members are missing; the rest comes behind that.
pub(in crate::ir) fn meet(func: &mut Func, block: Block, barrier: Inst) {
    let span = func.spans[barrier];
    let (members, address) = (func.insts[barrier].args[0], func.insts[barrier].args[1]);
    let Some(at) = func.blocks[block].insts.iter().position(|&inst| inst == barrier) else { return };
    let rest = func.blocks[block].insts.split_off(at + 1);
    func.blocks[block].insts.pop();
    let term = std::mem::take(&mut func.blocks[block].term);
    let term_span = func.blocks[block].term_span;
    let behind = func.blocks.push(BlockData { insts: rest, term, term_span, ..BlockData::default() });
    let [arrive, head, look, take, again, done, at_once] = [(); 7].map(|()| func.add_block());
    let mut make = |block: Block, op: Op, args: &[Value]| {
        let inst = func.push(block, op, args.iter().copied(), span);
        func.insts[inst].results.first().copied()
    };
    let mut value = |block, op, args: &[Value]| make(block, op, args).unwrap_or(members);
    let int = |op| Op::Int(op, Width::W32);
    let atomic = |op| Op::Atomic { op, width: Width::W32, mem: relaxed(word()) };
    let not = Op::Unary(UnaryOp::Not, Width::W32);
    let zero = value(block, Op::Const32(0), &[]);
    let (all, live) = (value(block, Op::ConstPred(true), &[]), value(block, Op::LiveLanes, &[]));
    let here = value(block, Op::Ballot, &[all]);
    let elsewhere = value(block, not, &[here]);
    let elsewhere = value(block, int(IntOp::And), &[elsewhere, live]);
    let missing = value(block, int(IntOp::And), &[elsewhere, members]);
    let apart = value(block, Op::Cmp(CmpOp::Ne, Width::W32), &[missing, zero]);

    let (one, lane) = (value(arrive, Op::Const32(1), &[]), value(arrive, Op::Special(Special::LaneId), &[]));
    let own = value(arrive, int(IntOp::Shl), &[one, lane]);
    let others = value(arrive, not, &[members]);
    value(arrive, atomic(AtomicOp::Or), &[address, own]);

    let seen = value(head, Op::Load(relaxed(word())), &[address]);
    let mine = value(head, int(IntOp::And), &[seen, own]);
    let waits = value(head, Op::Cmp(CmpOp::Ne, Width::W32), &[mine, zero]);

    let live = value(look, Op::LiveLanes, &[]);
    let wanted = value(look, int(IntOp::And), &[live, members]);
    let elsewhere = value(look, not, &[seen]);
    let missing = value(look, int(IntOp::And), &[elsewhere, wanted]);
    let complete = value(look, Op::Cmp(CmpOp::Eq, Width::W32), &[missing, zero]);

    value(take, atomic(AtomicOp::And), &[address, others]);

    let branch = |cond, then, els| Terminator::Branch { cond, then: Edge::new(then, []), els: Edge::new(els, []) };
    let jump = |to| Terminator::Jump(Edge::new(to, []));
    let terms = [
        (block, branch(apart, arrive, at_once)),
        (at_once, jump(behind)),
        (arrive, jump(head)),
        (head, branch(waits, look, done)),
        (look, branch(complete, take, again)),
        (take, jump(head)),
        (again, jump(head)),
        (done, jump(behind)),
    ];
    for (block, term) in terms {
        func.blocks[block].term = term;
        func.blocks[block].term_span = span;
    }
}
