//! Barriers that not all live lanes reach together, and the end of the layout of a kernel that has some.
//!
//! Lanes that arrive alone wait in the mask of the block behind the barrier and in `parked`; the wave goes on with the others. When all
//! that are alive are parked, whatever the barrier's place in the text, the wave executes one barrier for them.

use super::emit::Emitter;
use crate::amd::ops;
use crate::id::EntityRef;
use crate::mir::{Block, Operand};

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

    /// Behind the last block: lanes wait at resume points alone, or none is left.
    pub(super) fn dispatch(&mut self, start: Block) {
        let (ops, plan) = (self.ops, self.plan);
        let waiting = ops.fresh(self.func);
        let choose = self.func.add_block();
        let code = vec![ops.and_not(waiting, self.live, self.parked), ops.branch(ops::s_cbranch_scc1, choose)];
        self.place(start, code);
        let none = vec![ops.differ(self.live, Operand::Imm(0)), ops.branch(ops::s_cbranch_scc0, self.shape.end)];
        self.place_new(none);
        let mut code = ops.barrier(self.target);
        code.push(ops.zero(self.parked));
        self.place_new(code);
        self.place(choose, vec![]);
        let mut resumed = vec![];
        for &b in &plan.layout.order {
            let heads = plan.layout.headed_by(b).filter(|&c| plan.yields[c as usize]);
            let Some(mask) = self.mask[b as usize] else { continue };
            if self.shape.parked[b as usize] {
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
