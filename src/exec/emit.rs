//! Writes masks and branches as the plan says.

use super::ops::MaskOps;
use super::plan::{Back, Enter, Plan, Stop};
use super::shape::Shape;
use crate::amd::{self, Target, ops};
use crate::id::EntityRef;
use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg, Terminator};

pub(super) struct Emitter<'a> {
    pub func: &'a mut MirFunc,
    pub target: &'a Target,
    pub shape: &'a Shape,
    pub plan: &'a Plan,
    pub ops: MaskOps,
    pub out: Vec<Block>,
    /// By block: its mask, if it has one.
    pub mask: Vec<Option<Reg>>,
    /// By component: the mask of the lanes that go back.
    pub back: Vec<Option<Reg>>,
    /// By block: where the wave enters it from outside the loop it heads.
    pub entry: Vec<Block>,
    /// By component.
    bottom: Vec<Option<Block>>,
    /// Where the wave goes behind the last block.
    behind: Block,
    /// Lanes that are not done (if the plan tracks them), and lanes that wait at a barrier (with resume points).
    pub live: Reg,
    pub parked: Reg,
    /// `live` when lanes that wait for others of their warp were last told to look again.
    pub looked: Reg,
    depth: u8,
}

/// What an edge does with its lanes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Way {
    /// They go on at once.
    Go(Block),
    /// They wait in a mask that has them already, or are done.
    Leave,
    /// They wait in this mask.
    Add(Reg),
    /// They are done, and leave the mask of live lanes.
    Done,
}

pub(super) fn emit(func: &mut MirFunc, target: &Target, shape: &Shape, plan: &Plan) {
    let ops = MaskOps::new(target);
    let (live, parked) = (ops.fresh(func), ops.fresh(func));
    let looked = if shape.waits.contains(&true) { ops.fresh(func) } else { parked };
    let components = plan.layout.components.len();
    let mut emitter = Emitter {
        entry: func.blocks.keys().collect(),
        mask: vec![None; func.blocks.len()],
        back: vec![None; components],
        bottom: vec![None; components],
        behind: shape.end,
        out: vec![],
        live,
        parked,
        looked,
        depth: 0,
        func,
        target,
        shape,
        plan,
        ops,
    };
    emitter.make_masks();
    emitter.run();
    emitter.func.layout = emitter.out;
}

impl Emitter<'_> {
    fn make_masks(&mut self) {
        let layout = &self.plan.layout;
        for &b in &layout.order {
            let node = layout.entry_node(b) as usize;
            let enter = self.plan.enter[b as usize];
            if enter != Enter::Straight {
                self.mask[b as usize] = Some(self.ops.fresh(self.func));
            }
            let plan = self.plan;
            let heads = layout.headed_by(b).is_some();
            let work =
                !plan.starts[node].is_empty() || !plan.back_starts[node].is_empty() || plan.saves[node].is_some();
            if enter != Enter::Straight || heads && work {
                self.entry[b as usize] = self.func.add_block();
            }
        }
        for (c, component) in layout.components.iter().enumerate() {
            if self.plan.back[c] == Back::Gathered {
                let own = if self.plan.yields[c] { self.mask[component.header as usize] } else { None };
                self.back[c] = Some(own.unwrap_or_else(|| self.ops.fresh(self.func)));
                self.bottom[c] = Some(self.func.add_block());
            }
        }
        if self.plan.resumes {
            self.behind = self.func.add_block();
        }
    }

    fn run(&mut self) {
        let layout = &self.plan.layout;
        for (p, &b) in layout.order.iter().enumerate() {
            let block = Block::new(b as usize);
            let component = layout.component[b as usize];
            let depth = layout.around(component).next().map_or(0, |c| layout.components[c as usize].depth);
            self.depth = depth.min(u8::MAX as u32) as u8;
            self.ops.span = self.func.blocks[block].term_span;
            if self.entry[b as usize] != block {
                self.enter(b);
            }
            self.out.push(block);
            self.func.blocks[block].loop_depth = self.depth;
            if self.shape.asks_live {
                self.expand_live_lanes(block, p == 0);
            }
            self.leave(b);
            for c in layout.around(component).take_while(|&c| layout.components[c as usize].end == p as u32 + 1) {
                self.depth = layout.components[c as usize].depth.min(u8::MAX as u32) as u8;
                self.go_back(c);
            }
        }
        self.depth = 0;
        if self.plan.resumes {
            self.dispatch(self.behind);
        }
        self.out.push(self.shape.end);
    }

    /// Lanes that are not done: EXEC in the entry block, where the mask does not exist yet.
    fn expand_live_lanes(&mut self, block: Block, entry: bool) {
        let live = if entry { self.ops.exec } else { self.live };
        for inst in &mut self.func.blocks[block].insts {
            if let InstKind::LiveLanes { dst } = inst.kind {
                *inst = self.ops.at(inst.span).mov(dst, live);
            }
        }
    }

    /// Places a block of mask code.
    pub fn place(&mut self, block: Block, insts: Vec<Inst>) {
        let data = &mut self.func.blocks[block];
        data.insts = insts;
        data.linear_only = true;
        data.term = Terminator::Linear;
        data.term_span = self.ops.span;
        data.loop_depth = self.depth;
        self.out.push(block);
    }

    pub fn place_new(&mut self, insts: Vec<Inst>) -> Block {
        let block = self.func.add_block();
        self.place(block, insts);
        block
    }

    fn block_of(&self, stop: Stop) -> Block {
        match stop {
            Stop::Enter(b) => self.entry[b as usize],
            Stop::Bottom(c) => self.bottom[c as usize].unwrap_or(self.behind),
            Stop::End => self.behind,
        }
    }

    fn mask_of(&self, block: u32) -> Reg {
        self.mask[block as usize].expect("a block that is not entered straight has a mask")
    }

    /// The lanes that wait for a block become EXEC; masks inside start.
    fn enter(&mut self, b: u32) {
        let (ops, plan) = (self.ops, self.plan);
        let node = plan.layout.entry_node(b);
        let heads = node != b;
        let mut code = vec![];
        if heads {
            code.extend(plan.starts[node as usize].iter().map(|&t| ops.zero(self.mask_of(t))));
            code.extend(
                plan.back_starts[node as usize].iter().filter_map(|&c| self.back[c as usize]).map(|m| ops.zero(m)),
            );
        }
        match plan.enter[b as usize] {
            Enter::Straight => {}
            Enter::Saved => code.push(ops.mov(ops.exec, self.mask_of(b))),
            Enter::Gathered => {
                let mask = self.mask_of(b);
                if self.shape.parked[b as usize] {
                    code.push(ops.and_not(ops.exec, mask, self.parked));
                    code.push(ops.and(mask, mask, self.parked));
                } else {
                    code.push(ops.mov(ops.exec, mask));
                    if self.shape.waits[b as usize] {
                        code.push(ops.and_not(self.parked, self.parked, mask));
                    }
                    if plan.general[plan.layout.position[b as usize] as usize] {
                        code.push(ops.zero(mask));
                    }
                }
            }
        }
        if heads && let Some(t) = plan.saves[node as usize] {
            code.push(ops.mov(self.mask_of(t), ops.exec));
        }
        if plan.enter[b as usize] == Enter::Gathered && !plan.through[b as usize] {
            code.push(ops.branch(ops::s_cbranch_execz, self.block_of(plan.skipping(b))));
        }
        self.place(self.entry[b as usize], code);
    }

    /// The test behind a component's last block.
    fn go_back(&mut self, c: u32) {
        let (Some(mask), Some(bottom)) = (self.back[c as usize], self.bottom[c as usize]) else { return };
        let ops = self.ops;
        let header = Block::new(self.plan.layout.components[c as usize].header as usize);
        let after = self.block_of(self.plan.after_component(c));
        let mut code = vec![];
        let mut at = bottom;
        if self.plan.yields[c as usize] {
            let others = ops.fresh(self.func);
            code.push(ops.and_not(others, self.live, self.parked));
            code.push(ops.and_not(others, others, mask));
            code.push(ops.branch(ops::s_cbranch_scc1, after));
            self.place(at, std::mem::take(&mut code));
            at = self.func.add_block();
        }
        code.push(ops.mov(ops.exec, mask));
        code.push(ops.zero(mask));
        code.push(ops.branch(ops::s_cbranch_execnz, header));
        code.push(ops.branch(ops::s_branch, after));
        self.place(at, code);
    }

    pub(super) fn way(&self, from: u32, to: Block) -> Way {
        if to == self.shape.end {
            return if self.plan.tracks_live { Way::Done } else { Way::Leave };
        }
        let t = to.index() as u32;
        let layout = &self.plan.layout;
        if let Some(c) = layout.headed_by(t)
            && layout.contains(c, from)
        {
            return self.back[c as usize].map_or(Way::Go(to), Way::Add);
        }
        match self.plan.enter[t as usize] {
            Enter::Straight => Way::Go(self.entry[t as usize]),
            Enter::Saved => Way::Leave,
            Enter::Gathered => Way::Add(self.mask_of(t)),
        }
    }

    /// What the end of a block does: masks that start here, then the terminator.
    fn leave(&mut self, b: u32) {
        let (ops, plan) = (self.ops, self.plan);
        let block = Block::new(b as usize);
        let term = std::mem::replace(&mut self.func.blocks[block].term, Terminator::Linear);
        let mut body = vec![];
        if plan.layout.position[b as usize] == 0 {
            body.extend(plan.from_entry.iter().map(|&t| ops.zero(self.mask_of(t))));
            body.extend(plan.back_from_entry.iter().filter_map(|&c| self.back[c as usize]).map(|m| ops.zero(m)));
            if plan.tracks_live {
                body.push(ops.mov(self.live, ops.exec));
            }
            if plan.resumes {
                body.push(ops.zero(self.parked));
                if self.has_waits() {
                    body.push(ops.zero(self.looked));
                }
            }
        }
        // A divergent branch writes the mask of its target rather than adding to it.
        let mut written = vec![];
        if let Terminator::BranchMask { uniform: false, then, els, .. } = term {
            written = vec![then, els];
        }
        for &t in &plan.starts[b as usize] {
            if !written.contains(&Block::new(t as usize)) {
                body.push(ops.zero(self.mask_of(t)));
            }
        }
        body.extend(plan.back_starts[b as usize].iter().filter_map(|&c| self.back[c as usize]).map(|m| ops.zero(m)));
        let save = plan.saves[b as usize].map(|t| self.mask_of(t));
        if let (Some(save), false) = (save, self.shape.divergent[b as usize]) {
            body.push(ops.mov(save, ops.exec));
        }
        self.func.blocks[block].insts.extend(body);
        let after = self.block_of(plan.after_block(b));
        match term {
            Terminator::Jump(to) => self.all_go(block, self.way(b, to), after),
            Terminator::Exit => self.all_go(block, self.way(b, self.shape.end), after),
            Terminator::Trap => {
                let trap = [ops.plain(ops::s_trap, [Operand::Imm(2)]), ops.plain(ops::s_endpgm, [])];
                self.func.blocks[block].insts.extend(trap);
            }
            Terminator::BranchScc { then, els } => self.branch_uniform(block, then, els, after),
            Terminator::BranchMask { mask, uniform: true, then, els } => {
                let taken = ops.fresh(self.func);
                self.func.blocks[block].insts.push(ops.and(taken, ops.exec, mask));
                self.branch_uniform(block, then, els, after);
            }
            Terminator::BranchMask { mask, uniform: false, then, els } => {
                self.branch_divergent(b, mask, then, els, save, after);
            }
            Terminator::Wait { mask, next } => self.wait(b, mask, next, after),
            Terminator::Barrier { next, .. } => self.park(next, after),
            Terminator::Switch { index, targets } => self.switch_uniform(block, index, &targets, after),
            // Never there.
            Terminator::Linear => {}
        }
    }

    /// Code for all active lanes going one way.
    pub(super) fn go(&self, way: Way, after: Block) -> Vec<Inst> {
        let ops = self.ops;
        match way {
            Way::Go(to) => vec![ops.branch(ops::s_branch, to)],
            Way::Leave => vec![ops.branch(ops::s_branch, after)],
            Way::Add(mask) => vec![ops.or(mask, mask, ops.exec), ops.branch(ops::s_branch, after)],
            Way::Done => vec![ops.and_not(self.live, self.live, ops.exec), ops.branch(ops::s_branch, after)],
        }
    }

    fn all_go(&mut self, block: Block, way: Way, after: Block) {
        let code = self.go(way, after);
        if code.len() == 1 {
            self.func.blocks[block].insts.extend(code);
        } else {
            self.place_new(code);
        }
    }

    /// All active lanes go to `then` if SCC is set, else to `els`.
    fn branch_uniform(&mut self, block: Block, then: Block, els: Block, after: Block) {
        let ops = self.ops;
        let b = block.index() as u32;
        let (yes, no) = (self.go(self.way(b, then), after), self.go(self.way(b, els), after));
        let target = |code: &[Inst]| match code {
            [only] => super::linear::branch_target(only),
            _ => None,
        };
        let insts = &mut self.func.blocks[block].insts;
        match (target(&yes), target(&no)) {
            (Some(to), _) => {
                insts.push(ops.branch(ops::s_cbranch_scc1, to));
                if no.len() == 1 {
                    insts.extend(no);
                } else {
                    self.place_new(no);
                }
            }
            (None, Some(to)) => {
                insts.push(ops.branch(ops::s_cbranch_scc0, to));
                self.place_new(yes);
            }
            (None, None) => {
                let other = self.func.add_block();
                self.func.blocks[block].insts.push(ops.branch(ops::s_cbranch_scc1, other));
                self.place_new(no);
                self.place(other, yes);
            }
        }
    }

    /// All active lanes go to the `index`th target: a tree of comparisons.
    fn switch_uniform(&mut self, block: Block, index: Reg, targets: &[Block], after: Block) {
        let ops = self.ops;
        let b = block.index() as u32;
        let ways: Vec<Way> = targets.iter().map(|&t| self.way(b, t)).collect();
        // (block to fill, range of targets): the first is the switch's own end.
        let mut work = vec![(block, 0usize, ways.len())];
        while let Some((at, low, high)) = work.pop() {
            let mut code = if ways[low..high].iter().all(|w| *w == ways[low]) {
                self.go(ways[low], after)
            } else {
                let middle = low.midpoint(high);
                let (yes, no) = (self.func.add_block(), self.func.add_block());
                work.extend([(yes, low, middle), (no, middle, high)]);
                let bound = Operand::Imm(middle as u64);
                let compare = amd::Inst::new(ops::s_cmp_lt_u32, [], [index.into(), bound]);
                vec![Inst::op(compare, ops.span), ops.branch(ops::s_cbranch_scc1, yes), ops.branch(ops::s_branch, no)]
            };
            if at == block {
                // Masks change in blocks of their own.
                match code.len() {
                    1 | 3 => self.func.blocks[block].insts.append(&mut code),
                    _ => _ = self.place_new(code),
                }
            } else {
                self.place(at, code);
            }
        }
    }

    /// Lanes whose bit is set go to `then`, the others to `els`; those that do not go on at once leave EXEC.
    fn branch_divergent(&mut self, b: u32, mask: Reg, then: Block, els: Block, save: Option<Reg>, after: Block) {
        let ops = self.ops;
        let (yes, no) = (self.way(b, then), self.way(b, els));
        let starts = |to: Block| self.plan.starts[b as usize].contains(&(to.index() as u32));
        let (write_yes, write_no) = (starts(then), starts(els));
        let mut code = vec![];
        // EXEC as it was, when it is still needed behind its change.
        let mut whole = None;
        if let Some(save) = save {
            if matches!(yes, Way::Go(_)) {
                code.push(ops.and_save(save, mask));
                whole = Some(save);
            } else {
                code.push(ops.mov(save, ops.exec));
            }
        }
        for (way, write, set) in [(yes, write_yes, true), (no, write_no, false)] {
            let lanes = |dst: Reg| match (whole, set) {
                (Some(whole), _) => ops.xor(dst, whole, ops.exec),
                (None, true) => ops.and(dst, ops.exec, mask),
                (None, false) => ops.and_not(dst, ops.exec, mask),
            };
            match way {
                Way::Go(_) | Way::Leave => {}
                Way::Add(to) if write => code.push(lanes(to)),
                Way::Add(to) => {
                    let some = ops.fresh(self.func);
                    code.extend([lanes(some), ops.or(to, to, some)]);
                }
                Way::Done => {
                    let some = ops.fresh(self.func);
                    code.extend([lanes(some), ops.and_not(self.live, self.live, some)]);
                }
            }
        }
        let (to, target) = match (yes, no) {
            (Way::Go(to), _) => {
                if whole.is_none() {
                    code.push(ops.and(ops.exec, ops.exec, mask));
                }
                (to, then)
            }
            (_, Way::Go(to)) => {
                code.push(ops.and_not(ops.exec, ops.exec, mask));
                (to, els)
            }
            _ => {
                code.push(ops.branch(ops::s_branch, after));
                self.place_new(code);
                return;
            }
        };
        let position = &self.plan.layout.position;
        if position[target.index()] <= position[b as usize] {
            code.push(ops.branch(ops::s_cbranch_execnz, to));
            code.push(ops.branch(ops::s_branch, after));
        } else {
            if !self.plan.through[target.index()] {
                code.push(ops.branch(ops::s_cbranch_execz, after));
            }
            code.push(ops.branch(ops::s_branch, to));
        }
        self.place_new(code);
    }
}
