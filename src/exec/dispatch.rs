//! Barriers that not all live lanes reach together, and the end of the layout of a kernel that has some.
//!
//! Lanes that wait for others of their warp (`Terminator::Wait`) are parked as well; they look again when others come to the same place, and
//! when lanes have ended since they last did.
//!
//! Lanes that arrive alone wait in the mask of the block behind the barrier and in `parked`; the wave goes on with the others. When all
//! that are alive are parked, whatever the barrier's place in the text, the wave executes one barrier for them.

use super::emit::Emitter;
use crate::amd::ops;
use crate::diag::Span;
use crate::id::EntityRef;
use crate::mir::{Block, Operand, Reg};

impl Emitter<'_> {
    /// The end of a block whose lanes wait at a barrier.
    pub(super) fn park(&mut self, next: Block, after: Block) {
        let ops = self.ops;
        let Some(mask) = self.mask[next.index()] else { return };
        let alone = self.func.add_block();
        self.place_new(vec![
            ops.or(mask, mask, ops.exec),
            ops.differ(ops.exec, self.live),
            ops.branch(ops::s_cbranch_scc1, alone),
        ]);
        // Nobody is missing.
        let mut code = ops.barrier(self.target);
        code.push(ops.branch(ops::s_branch, after));
        self.place_new(code);
        self.place(alone, vec![ops.or(self.parked, self.parked, ops.exec), ops.branch(ops::s_branch, after)]);
    }

    pub(super) fn has_waits(&self) -> bool {
        self.shape.waits.contains(&true)
    }

    /// The end of a block where lanes wait that miss others.
    pub(super) fn wait(&mut self, b: u32, missing: Reg, next: Block, after: Block) {
        let ops = self.ops;
        let Some(mask) = self.mask[b as usize] else { return };
        let some = ops.fresh(self.func);
        let mut code = vec![
            ops.and(some, ops.exec, missing),
            ops.or(mask, mask, some),
            ops.or(self.parked, self.parked, some),
            ops.and_not(ops.exec, ops.exec, missing),
        ];
        code.extend(self.go(self.way(b, next), after));
        self.place_new(code);
    }

    /// All live lanes wait; some of them, it may be, for others of their warp. Those look again if lanes have ended in between; else they wait
    /// for ever, as on the machine that the kernel was written for, and the launch is aborted.
    fn look_again(&mut self, choose: Block) {
        let waits = &self.shape.waits;
        // The trap is at the first of the places where lanes may wait.
        let place = self.plan.layout.order.iter().find(|&&b| waits[b as usize]);
        let span = place.map_or(Span::NONE, |&b| self.func.blocks[Block::new(b as usize)].term_span);
        let ops = self.ops.at(span);
        let masks: Vec<Reg> = waits.iter().zip(&self.mask).filter(|w| *w.0).filter_map(|w| *w.1).collect();
        let Some((&first, rest)) = masks.split_first() else { return };
        let (waiting, behind, again) = (ops.fresh(self.func), self.func.add_block(), self.func.add_block());
        let mut code = vec![ops.mov(waiting, first)];
        code.extend(rest.iter().map(|&mask| ops.or(waiting, waiting, mask)));
        code.extend([ops.differ(waiting, Operand::Imm(0)), ops.branch(ops::s_cbranch_scc0, behind)]);
        self.place_new(code);
        self.place_new(vec![ops.differ(self.live, self.looked), ops.branch(ops::s_cbranch_scc1, again)]);
        self.place_new(vec![ops.plain(ops::s_trap, [Operand::Imm(2)]), ops.plain(ops::s_endpgm, [])]);
        let again_code = vec![
            ops.mov(self.looked, self.live),
            ops.and_not(self.parked, self.parked, waiting),
            ops.branch(ops::s_branch, choose),
        ];
        self.place(again, again_code);
        self.place(behind, vec![]);
    }

    /// Behind the last block: lanes wait at resume points alone, or none is left.
    pub(super) fn dispatch(&mut self, start: Block) {
        let (ops, plan) = (self.ops, self.plan);
        let waiting = ops.fresh(self.func);
        let choose = self.func.add_block();
        let code = vec![ops.and_not(waiting, self.live, self.parked), ops.branch(ops::s_cbranch_scc1, choose)];
        self.place(start, code);
        let none = vec![ops.differ(self.live, Operand::Imm(0)), ops.branch(ops::s_cbranch_scc0, self.shape.end)];
        self.place_new(none);
        self.look_again(choose);
        let mut code = ops.barrier(self.target);
        code.push(ops.zero(self.parked));
        self.place_new(code);
        self.place(choose, vec![]);
        let mut resumed = vec![];
        for &b in &plan.layout.order {
            let heads = plan.layout.headed_by(b).filter(|&c| plan.yields[c as usize]);
            let Some(mask) = self.mask[b as usize] else { continue };
            if self.shape.parked[b as usize] || self.shape.waits[b as usize] {
                let code = vec![
                    ops.and_not(waiting, mask, self.parked),
                    ops.branch(ops::s_cbranch_scc1, self.entry[b as usize]),
                ];
                self.place_new(code);
            } else if heads.is_some() {
                let resume = self.func.add_block();
                let code = vec![ops.differ(mask, Operand::Imm(0)), ops.branch(ops::s_cbranch_scc1, resume)];
                self.place_new(code);
                resumed.push((resume, mask, Block::new(b as usize)));
            }
        }
        // A live lane that waits nowhere: an error of this stage.
        self.place_new(vec![ops.plain(ops::s_trap, [Operand::Imm(2)]), ops.plain(ops::s_endpgm, [])]);
        for (block, mask, header) in resumed {
            let code = vec![ops.mov(ops.exec, mask), ops.zero(mask), ops.branch(ops::s_branch, header)];
            self.place(block, code);
        }
    }
}
