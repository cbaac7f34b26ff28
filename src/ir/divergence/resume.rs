//! Barriers where the wave is whole, loops that yield, and what resume points do to values.
//!
//! DESIGN, "Synchronising points end a block" and "Progress". A barrier that lanes may reach without each other parks them, and
//! from then on nothing can be said about which lanes are together: a barrier is whole only if all resume points come behind it. Lanes
//! waiting at a *resume point* stay while others run past it, so what they hold in SGPRs must not be written again meanwhile.

use super::{Flow, State, Use};
use crate::graph::NONE;
use crate::graph::resume::Interrupted;
use crate::graph::split::{Event, Splitter};
use crate::id::EntityRef;
use crate::ir::dom::Dominators;
use crate::ir::{AtomicOp, Block, CmpOp, Func, Inst, Op, Order, Space, Terminator, Type, Value, ValueDef};

/// Components whose end depends on memory that another thread may change: by component.
///
/// Looked for in the conditions of the blocks that leave it, through data, and where a parameter chooses between values also
/// through the conditions inside: volatile and relaxed or stronger loads, results of atomics, and plain loads of an unchanging address in a
/// loop that neither stores nor waits at a barrier.
pub(super) fn yielding_loops(func: &Func, flow: &Flow) -> Vec<bool> {
    let layout = &flow.layout;
    let mut out = vec![false; layout.components.len()];
    for (c, component) in layout.components.iter().enumerate() {
        let range = component.first as usize..component.end as usize;
        let blocks = || layout.order[range.clone()].iter().map(|&b| Block::new(b as usize));
        let quiet = blocks().all(|b| {
            let data = &func.blocks[b];
            !matches!(data.term, Terminator::Barrier { .. })
                && !data
                    .insts
                    .iter()
                    .any(|&i| matches!(func.insts[i].op, Op::Store(_) | Op::Atomic { .. } | Op::Fence(_)))
        });
        let watches = |inst: Inst| watches_memory(func, flow, c as u32, quiet, inst);
        if !blocks().any(|b| func.blocks[b].insts.iter().any(|&i| watches(i))) {
            continue;
        }
        let mut seen = vec![false; func.values.len()];
        let mut work: Vec<Value> = vec![];
        let mut conditions_added = false;
        for &(from, _) in &component.exits {
            work.extend(func.blocks[Block::new(from as usize)].term.condition());
        }
        while let Some(v) = work.pop() {
            let home = flow.home[v.index()];
            if home == NONE || !flow.in_component(c as u32, home) || std::mem::replace(&mut seen[v.index()], true) {
                continue;
            }
            match func.values[v].def {
                // Who fails to swap has lost to somebody that got on.
                ValueDef::Result(inst, _) if tests_own_swap(func, flow, c as u32, inst) => {}
                ValueDef::Result(inst, _) if watches(inst) => {
                    out[c] = true;
                    break;
                }
                ValueDef::Result(inst, _) => work.extend(func.insts[inst].args.iter().copied()),
                ValueDef::Param(block, n) => {
                    for &p in flow.graph.preds(block.index() as u32) {
                        let edges = func.blocks[Block::new(p as usize)].term.edges();
                        work.extend(edges.iter().filter(|e| e.block == block).map(|e| e.args[n as usize]));
                    }
                    if !std::mem::replace(&mut conditions_added, true) {
                        work.extend(blocks().filter_map(|b| func.blocks[b].term.condition()));
                    }
                }
            }
        }
    }
    out
}

/// Whether an instruction's result may change because another thread writes memory.
fn watches_memory(func: &Func, flow: &Flow, c: u32, quiet: bool, inst: Inst) -> bool {
    let data = &func.insts[inst];
    match &data.op {
        Op::Atomic { .. } | Op::LiveLanes => true,
        Op::Load(mem) if mem.order != Order::Weak => mem.space != Space::Local,
        Op::Load(mem) if quiet => match mem.space {
            Space::Global | Space::Shared | Space::Generic => {
                data.args.iter().all(|&a| is_invariant(func, flow, c, a, 16))
            }
            Space::Param | Space::Const | Space::Local => false,
        },
        _ => false,
    }
}

/// Whether an instruction compares what a compare-and-swap of the loop found with what it expected, and that is what the memory was seen
/// to hold in the same loop: by the swap before, or by a load. Such a loop waits for nobody: it goes round again only when
/// another thread has swapped.
fn tests_own_swap(func: &Func, flow: &Flow, c: u32, inst: Inst) -> bool {
    let Op::Cmp(CmpOp::Eq | CmpOp::Ne, _) = func.insts[inst].op else { return false };
    let args = &func.insts[inst].args;
    [(args[0], args[1]), (args[1], args[0])].into_iter().any(|(found, expected)| {
        let Some((swap, _)) = func.def(found) else { return false };
        let Op::Atomic { op: AtomicOp::CompareExchange, mem, .. } = swap.op else { return false };
        if swap.args[1] != expected || !flow.in_component(c, flow.home[found.index()]) {
            return false;
        }
        match func.values[expected].def {
            ValueDef::Param(block, n) => {
                let Some(own) = flow.layout.headed_by(block.index() as u32) else { return false };
                let from = flow.graph.preds(block.index() as u32).iter().filter(|&&p| flow.in_component(own, p));
                flow.in_component(c, block.index() as u32)
                    && from
                        .flat_map(|&p| func.blocks[Block::new(p as usize)].term.edges())
                        .all(|edge| edge.block != block || edge.args[n as usize] == found)
            }
            ValueDef::Result(load, _) => match func.insts[load].op {
                Op::Load(seen) => {
                    flow.in_component(c, flow.home[expected.index()])
                        && (seen.space, seen.offset) == (mem.space, mem.offset)
                        && func.insts[load].args[0] == swap.args[0]
                }
                _ => false,
            },
        }
    })
}

/// Whether a value is the same in each iteration, as far as `depth` steps show.
fn is_invariant(func: &Func, flow: &Flow, c: u32, value: Value, depth: u32) -> bool {
    if !flow.in_component(c, flow.home[value.index()]) {
        return true;
    }
    match func.values[value].def {
        ValueDef::Param(..) => false,
        ValueDef::Result(inst, _) => {
            let data = &func.insts[inst];
            let pure = !matches!(data.op, Op::Load(_) | Op::Atomic { .. }) && !data.op.is_convergent();
            depth > 0 && pure && data.args.iter().all(|&a| is_invariant(func, flow, c, a, depth - 1))
        }
    }
}

impl State<'_> {
    /// Looks for resume points with what is known to be divergent; marks what new ones add. Returns whether there were any.
    pub(super) fn find_resume_points(&mut self, yields: &[bool]) -> bool {
        let layout = &self.flow.layout;
        let mut apart = self.apart.clone();
        (1..apart.len()).for_each(|p| apart[p] += apart[p - 1]);
        let waits = |&b: &u32| matches!(self.func.blocks[Block::new(b as usize)].term, Terminator::Wait { .. });
        let mut new: Vec<u32> = layout.order.iter().copied().filter(waits).collect();
        for (c, component) in layout.components.iter().enumerate() {
            let split = self.split[layout.blocks() as usize + c];
            // Behind a resume point lanes come one part after another, also where all of them leave a loop together.
            let in_parts = self.resumed[component.header as usize];
            if yields[c] && (split || in_parts || apart[component.first as usize] > 0) {
                new.push(component.header);
            }
        }
        let mut grown = false;
        for b in new {
            grown |= !std::mem::replace(&mut self.resume[b as usize], true);
        }
        if grown {
            self.spread_resume();
        }
        grown | self.park_barriers()
    }

    /// Finds barriers that are not whole, and makes resume points behind them.
    fn park_barriers(&mut self) -> bool {
        let missing = self.missing_at_barriers();
        let mut points: Vec<Block> =
            self.resume.iter().enumerate().filter(|(_, r)| **r).map(|(b, _)| Block::new(b)).collect();
        let mut dominators = None;
        let mut grown = false;
        // What parks at one barrier resumes in front of others.
        let mut again = !missing.is_empty();
        while std::mem::take(&mut again) {
            for (n, &b) in missing.iter().map(|(b, _)| b).enumerate() {
                let block = Block::new(b as usize);
                let Terminator::Barrier { next, .. } = &self.func.blocks[block].term else { continue };
                if self.parks[b as usize] {
                    continue;
                }
                let behind = |&point: &Block| {
                    let dominators = dominators.get_or_insert_with(|| Dominators::new(self.func));
                    dominators.dominates(block, point) && block != point
                };
                let alone = missing[n].1 || self.resumed[b as usize] || !points.iter().all(behind);
                if alone {
                    self.parks[b as usize] = true;
                    if !std::mem::replace(&mut self.resume[next.block.index()], true) {
                        points.push(next.block);
                    }
                    (again, grown) = (true, true);
                }
            }
            if again {
                self.spread_resume();
            }
        }
        grown
    }

    /// The blocks that end in barriers, and whether lanes may arrive there without others that are alive and may still come to one.
    fn missing_at_barriers(&self) -> Vec<(u32, bool)> {
        let (func, flow) = (self.func, self.flow);
        let layout = &flow.layout;
        let waits: Vec<bool> = (0..layout.blocks())
            .map(|b| matches!(func.blocks[Block::new(b as usize)].term, Terminator::Barrier { .. }))
            .collect();
        if !waits.iter().any(|&w| w) {
            return vec![];
        }
        let mut comes_to_one = waits.clone();
        let mut work: Vec<u32> = (0..layout.blocks()).filter(|&b| waits[b as usize]).collect();
        while let Some(b) = work.pop() {
            for &p in flow.graph.preds(b) {
                if !std::mem::replace(&mut comes_to_one[p as usize], true) {
                    work.push(p);
                }
            }
        }
        let ignore = |b: u32| !comes_to_one[b as usize];
        let mut splitter = Splitter::new(&flow.graph, layout);
        let mut done = vec![false; self.split.len()];
        let mut nodes: Vec<u32> = (0..layout.blocks()).filter(|&b| self.split[b as usize]).collect();
        let irreducible = |c: u32| layout.irreducible_around(layout.components[c as usize].header).is_some();
        nodes.extend((0..layout.components.len() as u32).filter(|&c| irreducible(c)).map(|c| layout.blocks() + c));
        let mut missing = vec![0; layout.order.len() + 1];
        let mut add = |start: u32, end: u32| {
            missing[start as usize] += 1;
            missing[end.max(start) as usize] -= 1;
        };
        while let Some(node) = nodes.pop() {
            if std::mem::replace(&mut done[node as usize], true) {
                continue;
            }
            if node >= layout.blocks() {
                add(layout.head(node), layout.end(node));
            }
            let level = layout.level(node);
            let result = splitter.run(node, &ignore, &mut |e| {
                if let Event::Node(n) = e {
                    add(layout.head(n), layout.end(n));
                }
            });
            if result.apart {
                add(result.end, layout.range(level).end);
            }
            if result.leaves && level != NONE {
                nodes.push(layout.blocks() + level);
            }
        }
        (1..missing.len()).for_each(|p| missing[p] += missing[p - 1]);
        let barriers = layout.order.iter().enumerate().filter(|&(_, &b)| waits[b as usize]);
        barriers.map(|(p, &b)| (b, missing[p] > 0)).collect()
    }

    /// Lanes come out of a resume point at any time: what they may meet or run past is divergent.
    fn spread_resume(&mut self) {
        let (func, flow) = (self.func, self.flow);
        let layout = &flow.layout;
        let mut work: Vec<u32> = layout.order.iter().copied().filter(|&b| self.resume[b as usize]).collect();
        work.iter().for_each(|&b| self.resumed[b as usize] = true);
        while let Some(b) = work.pop() {
            for &s in flow.graph.succs(b) {
                if !std::mem::replace(&mut self.resumed[s as usize], true) {
                    work.push(s);
                }
            }
        }
        let interrupted = Interrupted::new(layout, |b| self.resume[b as usize]);
        for p in 0..layout.order.len() {
            let b = layout.order[p];
            if !self.resumed[b as usize] {
                continue;
            }
            // Lanes of a pass meet as ever where no resume point comes in between.
            let own_loop = layout.headed_by(b).is_some_and(|c| interrupted.has_points(layout.range(c)));
            if interrupted.at[p] || own_loop {
                self.join_all(b);
            }
            for c in layout.around(layout.component[b as usize]) {
                if interrupted.has_points(layout.range(c)) {
                    self.mark_split(layout.blocks() + c);
                }
            }
        }
        // What is written once for the wave stays; what is live nowhere else than between two resume points is safe.
        let mut live_in = vec![NONE; layout.blocks() as usize];
        for v in func.values.keys() {
            let home = flow.home[v.index()];
            let masked = func.ty(v) == Type::Pred;
            if home == NONE || (self.divergent[v.index()] && !masked) {
                continue;
            }
            if layout.component[home as usize] == NONE && !self.resumed[home as usize] {
                continue;
            }
            let mut work: Vec<u32> = vec![];
            for &used in flow.uses(v) {
                match used {
                    Use::Edge(b, _) | Use::Inst(b, _) | Use::Condition(b) => work.push(b.index() as u32),
                }
                // Read on the edge, or in the target.
                let at = flow.use_block(func, used);
                work.push(at);
            }
            let stamp = v.index() as u32;
            while let Some(b) = work.pop() {
                if b == home || std::mem::replace(&mut live_in[b as usize], stamp) == stamp {
                    continue;
                }
                if self.resume[b as usize] {
                    self.held[v.index()] |= masked;
                    self.mark(v);
                    break;
                }
                work.extend_from_slice(flow.graph.preds(b));
            }
        }
    }

    /// As `join`, over all edges together.
    fn join_all(&mut self, block: u32) {
        let func = self.func;
        let target = Block::new(block as usize);
        for n in 0..func.blocks[target].params.len() {
            let mut args = vec![];
            for &p in self.flow.graph.preds(block) {
                let edges = func.blocks[Block::new(p as usize)].term.edges();
                args.extend(edges.iter().filter(|e| e.block == target).map(|e| e.args[n]));
            }
            if args.iter().any(|&a| a != args[0]) {
                self.mark(func.blocks[target].params[n]);
            }
        }
    }
}
