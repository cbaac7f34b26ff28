//! Blocks, terminators and the copies that block parameters become.
//!
//! Where the copies of an edge stand: at the end of the predecessor when that has one successor; in front of the
//! predecessor's branch when the successor has one predecessor, so that a lane which leaves a loop takes along the values of
//! its own last iteration; in a block of their own on a critical edge.

use super::compare::ScalarCmp;
use super::{Ctx, Place};
use crate::diag::{Span, codes};
use crate::ir::{self, Edge, Type, Value};
use crate::mir::{self, InstKind, Operand, Reg, Terminator};
use smallvec::SmallVec;

impl Ctx<'_> {
    /// MIR blocks in the order of the IR's, those of critical edges behind the block that they leave.
    pub(super) fn make_blocks(&mut self) {
        let func = self.func;
        for &block in &func.order {
            let new = self.mir.add_block();
            self.blocks[block] = Some(new);
            self.mir.layout.push(new);
            let edges = func.blocks[block].term.edges();
            if edges.len() < 2 {
                continue;
            }
            for edge in edges {
                let critical = self.preds[edge.block] > 1;
                let made = critical.then(|| {
                    let made = self.mir.add_block();
                    self.mir.layout.push(made);
                    made
                });
                self.edge_blocks[block].push(made);
            }
        }
        if let Some(entry) = self.blocks[func.entry] {
            self.mir.entry = entry;
        }
    }

    /// Walks a block from its end to its start.
    pub(super) fn lower_block(&mut self, block: ir::Block) {
        let func = self.func;
        let data = &func.blocks[block];
        let Some(into) = self.blocks[block] else { return };
        self.cur = block;
        self.span = data.term_span;
        self.mir.blocks[into].term_span = data.term_span;
        self.mir.blocks[into].resume = data.resume;
        let term = self.lower_terminator(block);
        self.flush();
        for &inst in data.insts.iter().rev() {
            let data = &func.insts[inst];
            if !data.op.has_effect() && !data.results.iter().any(|&r| self.is_read(r)) {
                continue;
            }
            self.span = func.spans[inst];
            if let Err(diag) = self.lower(inst) {
                self.diags.push(diag);
            }
            self.flush();
        }
        for (dst, bits) in self.constants.take_all() {
            self.emit(InstKind::Copy { dst, src: Operand::Imm(bits) });
        }
        self.flush();
        if block == func.entry {
            self.span = self.kernel.span;
            self.lower_entry();
            self.flush();
        }
        let insts = self.rev.drain(..).rev().collect();
        self.set_block(into, insts, term);
    }

    fn set_block(&mut self, block: mir::Block, insts: Vec<mir::Inst>, term: Terminator) {
        let data = &mut self.mir.blocks[block];
        data.insts = insts;
        data.logical_succs = term.successors();
        data.term = term;
    }

    /// Writes the copies and compares that the terminator needs, and gives it.
    fn lower_terminator(&mut self, block: ir::Block) -> Terminator {
        let func = self.func;
        let term = &func.blocks[block].term;
        let edges: SmallVec<[&Edge; 2]> = term.edges();
        let mut targets: SmallVec<[mir::Block; 2]> = SmallVec::new();
        for (n, edge) in edges.iter().enumerate() {
            targets.push(self.lower_edge(block, n, edge));
        }
        match term {
            ir::Terminator::Jump(_) => Terminator::Jump(targets[0]),
            ir::Terminator::Branch { cond, .. } => self.lower_branch(*cond, targets[0], targets[1]),
            // Every edge stays, whatever the index: the analysis of divergence has seen this graph.
            ir::Terminator::Switch { index, .. } => {
                let index = match self.src(*index) {
                    Operand::Reg(index) => index,
                    constant => {
                        let index = self.stmp(1);
                        self.copy(index, constant);
                        index
                    }
                };
                Terminator::Switch { index, targets: targets.to_vec() }
            }
            ir::Terminator::Wait { cond, .. } => Terminator::Wait { mask: self.mask_reg(*cond), next: targets[0] },
            ir::Terminator::Exit => Terminator::Exit,
            ir::Terminator::Trap => Terminator::Trap,
            // That a barrier orders the memory accesses of a CTA's threads is `finish::waits`'s to see to, at the instruction.
            ir::Terminator::Barrier { barrier, .. } => Terminator::Barrier { whole: barrier.whole, next: targets[0] },
        }
    }

    fn lower_branch(&mut self, cond: Value, then: mir::Block, els: mir::Block) -> Terminator {
        if let Some(inner) = self.inverted(cond) {
            return self.lower_branch(inner, els, then);
        }
        if let Some(cmp) = self.scalar_cmp(cond) {
            let cmp: ScalarCmp = cmp;
            self.write_scc(cmp);
            return Terminator::BranchScc { then, els };
        }
        let uniform = self.divergence.is_uniform(cond);
        let mask = self.mask_reg(cond);
        Terminator::BranchMask { mask, uniform, then, els }
    }

    /// Writes the copies of an edge where they belong, and gives the block to go to.
    fn lower_edge(&mut self, from: ir::Block, n: usize, edge: &Edge) -> mir::Block {
        let target = self.blocks[edge.block].unwrap_or(self.mir.entry);
        let own = self.edge_blocks[from].get(n).copied().flatten();
        match own {
            None => {
                self.edge_copies(edge);
                target
            }
            Some(own) => {
                let before = std::mem::take(&mut self.seq);
                self.edge_copies(edge);
                let insts = std::mem::replace(&mut self.seq, before);
                self.mir.blocks[own].term_span = self.span;
                self.set_block(own, insts, Terminator::Jump(target));
                own
            }
        }
    }

    /// The parameters' parallel copy, then the merges of lane masks that only some lanes bring along.
    fn edge_copies(&mut self, edge: &Edge) {
        let func = self.func;
        let params = &func.blocks[edge.block].params;
        let mut copies: Vec<(Reg, Operand)> = vec![];
        let mut merges: Vec<(Reg, Operand)> = vec![];
        for (n, (&param, &arg)) in params.iter().zip(&edge.args).enumerate() {
            if self.forwarded_param(edge.block, n as u16, param).is_some() {
                continue;
            }
            let (dst, src) = (self.reg_of(param), self.src(arg));
            if src == Operand::Reg(dst) {
                continue;
            }
            if func.ty(param) == Type::Pred && !self.divergence.is_uniform(param) {
                merges.push((dst, src));
                self.entry.undefined(dst);
            } else {
                copies.push((dst, src));
            }
        }
        // A mask that is itself about to be merged into is read first.
        let written: Vec<Reg> = merges.iter().map(|m| m.0).collect();
        for (_, src) in &mut merges {
            if matches!(src, Operand::Reg(r) if written.contains(r)) {
                let tmp = self.mask_tmp();
                copies.push((tmp, *src));
                *src = tmp.into();
            }
        }
        match copies[..] {
            [] => {}
            [(dst, src)] => self.copy(dst, src),
            _ => self.emit(InstKind::ParallelCopy(copies)),
        }
        for (dst, src) in merges {
            let scratch = self.mask_tmp();
            self.emit(InstKind::MaskMerge { dst, src, scratch });
        }
    }

    /// The argument that a parameter simply is: its block has one predecessor and both live in the same kind of place.
    pub(super) fn forwarded_param(&self, block: ir::Block, n: u16, param: Value) -> Option<Value> {
        let (from, edge) = self.only_edge[block]?;
        let arg = *self.func.blocks[from].term.edges().get(edge as usize)?.args.get(n as usize)?;
        let same = match self.func.ty(param) {
            Type::Pred => true,
            Type::B32 | Type::B64 => self.places[arg] == self.places[param],
        };
        let constant = self.constant(arg).is_some() && self.places[param] == Place::Sgpr;
        (same || constant).then_some(arg)
    }

    /// Loop depths from back edges: in reverse postorder a loop's blocks lie between its header and its last latch.
    pub(super) fn lay_out(&mut self) {
        let layout = &self.mir.layout;
        let mut at = vec![0usize; self.mir.blocks.len()];
        for (n, &block) in layout.iter().enumerate() {
            at[block.as_u32() as usize] = n;
        }
        let mut starts = vec![0i32; layout.len() + 1];
        let mut last_latch = vec![None; layout.len()];
        for (n, &block) in layout.iter().enumerate() {
            for succ in self.mir.blocks[block].term.successors() {
                let header = at[succ.as_u32() as usize];
                if header <= n {
                    last_latch[header] = last_latch[header].max(Some(n));
                }
            }
        }
        for (header, latch) in last_latch.iter().enumerate() {
            if let Some(latch) = latch {
                starts[header] += 1;
                starts[latch + 1] -= 1;
            }
        }
        let mut depth = 0;
        for (n, start) in starts.iter().take(layout.len()).enumerate() {
            depth += start;
            self.mir.blocks[self.mir.layout[n]].loop_depth = depth.clamp(0, 255) as u8;
        }
    }

    /// A refusal that concerns the kernel as a whole.
    pub(super) fn refuse_kernel(&mut self, span: Span, message: String) {
        self.diags.push(crate::diag::Diag::unsupported(codes::UNSUPPORTED_TARGET, span, message));
    }
}
