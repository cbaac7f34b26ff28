//! Which values may differ between the lanes of a wave, and where lanes may be apart.
//!
//! A value is *uniform* when at each execution all active lanes of the wave compute the same, and when at each use the last execution
//! of its definition was that of all active lanes: then it may live in an SGPR. DESIGN, "Uniform means the same for the whole wave".
//!
//! - **Data**: a result with a divergent argument is divergent.
//! - **Sync**: a parameter is, where lanes meet that a divergent branch sent along disjoint paths ([`crate::graph::split`]).
//! - **Temporal**: a loop that lanes leave at different times redefines its values while the first wait outside; those used
//!   outside are divergent. A predicate is a lane mask in SGPRs, which EXEC does not protect: uniform or not, such uses of it read a copy
//!   in a VGPR ([`prepare`] inserts it). The same holds across *resume points* ([`resume`]), for what is defined more than once.
//! - Irreducible cycles: nothing inside is taken for uniform beyond its block.
//!
//! [`analyze`] answers for a function as it is; an argument of an edge out of a block with several successors counts as read on the
//! edge. Not here: what a target does with uniform values.

mod prepare;
mod resume;

pub use prepare::prepare;

use super::{Block, Func, Inst, Op, Order, Space, Special, Terminator, Type, Value, ValueDef};
use crate::graph::split::{Event, Splitter};
use crate::graph::{Graph, Layout, NONE};
use crate::id::{EntityRef, SecondaryMap, side_table};

/// Threads of a PTX warp.
const WARP_LANES: u32 = 32;

/// What [`analyze`] finds.
#[derive(Clone, Debug, Default)]
pub struct Divergence {
    /// Values that may differ between active lanes, or whose SGPR could be overwritten before its last use.
    pub divergent: SecondaryMap<Value, bool>,
    /// Blocks that end in a barrier where all live lanes of a wave provably arrive together.
    pub whole: SecondaryMap<Block, bool>,
    /// Blocks that all live lanes of a wave provably execute together, but for those that end at once.
    pub together: SecondaryMap<Block, bool>,
    /// Resume points: continuations of barriers that are not whole, and headers of loops that yield.
    pub resume: SecondaryMap<Block, bool>,
    /// Predicates to be read through a VGPR, and where.
    pub demoted: Vec<(Value, DemotedUse)>,
}

/// A use of a predicate that must not read its lane mask.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum DemotedUse {
    Inst(Block, Inst),
    /// The condition of a block's terminator, or an argument of its edges.
    Terminator(Block),
}

impl Divergence {
    pub fn is_divergent(&self, value: Value) -> bool {
        self.divergent[value]
    }

    pub fn is_uniform(&self, value: Value) -> bool {
        !self.divergent[value]
    }
}

/// Analyses a function for waves of `wave_lanes` (32 or 64).
pub fn analyze(func: &Func, wave_lanes: u32) -> Divergence {
    let flow = Flow::new(func);
    let mut state = State::new(func, &flow, wave_lanes);
    let yields = resume::yielding_loops(func, &flow);
    state.seed();
    loop {
        state.propagate();
        if !state.find_resume_points(&yields) {
            break;
        }
    }
    state.finish()
}

/// The function's graph, order and use lists.
struct Flow {
    graph: Graph,
    layout: Layout,
    /// By block: nothing happens from here on, the thread just ends.
    trivial: Vec<bool>,
    /// By value: where it is used.
    use_start: Vec<u32>,
    uses: Vec<Use>,
    /// By value: the block that defines it.
    home: Vec<u32>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Use {
    Inst(Block, Inst),
    Condition(Block),
    /// The argument of a parameter, on an edge from a block.
    Edge(Block, Value),
}

impl Flow {
    fn new(func: &Func) -> Flow {
        let blocks = func.blocks.len();
        let entry = func.entry.index() as u32;
        let graph = Graph::new(blocks, entry, |b, out| {
            out.extend(func.successors(Block::new(b as usize)).iter().map(|s| s.index() as u32));
        });
        let mut rank = vec![u32::MAX; blocks];
        func.order.iter().enumerate().for_each(|(i, b)| rank[b.index()] = i as u32);
        let layout = Layout::new(&graph, entry, &rank);
        let mut trivial = vec![false; blocks];
        for &b in layout.order.iter().rev() {
            let data = &func.blocks[Block::new(b as usize)];
            trivial[b as usize] = data.insts.is_empty()
                && data.params.is_empty()
                && match &data.term {
                    Terminator::Exit => true,
                    Terminator::Jump(e) => trivial[e.block.index()],
                    _ => false,
                };
        }
        let mut flow = Flow { graph, layout, trivial, use_start: vec![], uses: vec![], home: vec![] };
        flow.collect_uses(func);
        flow
    }

    fn collect_uses(&mut self, func: &Func) {
        let n = func.values.len();
        let mut pairs: Vec<(Value, Use)> = vec![];
        self.home = vec![NONE; n];
        for &b in &self.layout.order {
            let block = Block::new(b as usize);
            let data = &func.blocks[block];
            data.params.iter().for_each(|&p| self.home[p.index()] = b);
            for &inst in &data.insts {
                func.insts[inst].results.iter().for_each(|&r| self.home[r.index()] = b);
                pairs.extend(func.insts[inst].args.iter().map(|&a| (a, Use::Inst(block, inst))));
            }
            pairs.extend(data.term.condition().map(|c| (c, Use::Condition(block))));
            for edge in data.term.edges() {
                let params = &func.blocks[edge.block].params;
                pairs.extend(edge.args.iter().zip(params).map(|(&a, &p)| (a, Use::Edge(block, p))));
            }
        }
        self.use_start = vec![0; n + 1];
        pairs.iter().for_each(|(v, _)| self.use_start[v.index() + 1] += 1);
        (0..n).for_each(|i| self.use_start[i + 1] += self.use_start[i]);
        let mut at = self.use_start.clone();
        self.uses = vec![Use::Condition(func.entry); pairs.len()];
        for (v, u) in pairs {
            self.uses[at[v.index()] as usize] = u;
            at[v.index()] += 1;
        }
    }

    fn uses(&self, value: Value) -> &[Use] {
        &self.uses[self.use_start[value.index()] as usize..self.use_start[value.index() + 1] as usize]
    }

    /// The block in whose execution a use reads its value. An argument on an edge from a block with several successors is read on
    /// the edge, which belongs to no loop that its target is outside of.
    fn use_block(&self, func: &Func, used: Use) -> u32 {
        match used {
            Use::Inst(b, _) | Use::Condition(b) => b.index() as u32,
            Use::Edge(b, param) => match func.values[param].def {
                ValueDef::Param(to, _) if self.graph.succs(b.index() as u32).len() > 1 => to.index() as u32,
                _ => b.index() as u32,
            },
        }
    }

    fn in_component(&self, c: u32, block: u32) -> bool {
        self.layout.contains(c, block)
    }
}

struct State<'a> {
    func: &'a Func,
    flow: &'a Flow,
    wave_lanes: u32,
    splitter: Splitter<'a>,
    divergent: Vec<bool>,
    values: Vec<Value>,
    /// Nodes (blocks that branch divergently, components left at different times) not followed yet.
    splits: Vec<u32>,
    /// By node: whether it is such a split.
    split: Vec<bool>,
    /// By component: values used outside it.
    escaping: Vec<Vec<Value>>,
    /// By position: lanes may be missing there (a difference array, one entry longer).
    apart: Vec<i32>,
    resume: Vec<bool>,
    /// By block: reachable from a resume point.
    resumed: Vec<bool>,
    /// By block: it ends in a barrier at which lanes park.
    parks: Vec<bool>,
    /// Predicates live into a resume point.
    held: Vec<bool>,
}

impl<'a> State<'a> {
    fn new(func: &'a Func, flow: &'a Flow, wave_lanes: u32) -> State<'a> {
        let blocks = func.blocks.len();
        let components = flow.layout.components.len();
        State {
            func,
            flow,
            wave_lanes,
            splitter: Splitter::new(&flow.graph, &flow.layout),
            divergent: vec![false; func.values.len()],
            values: vec![],
            splits: vec![],
            split: vec![false; blocks + components],
            escaping: vec![vec![]; components],
            apart: vec![0; flow.layout.order.len() + 1],
            resume: vec![false; blocks],
            resumed: vec![false; blocks],
            parks: vec![false; blocks],
            held: vec![false; func.values.len()],
        }
    }

    fn mark(&mut self, value: Value) {
        if !std::mem::replace(&mut self.divergent[value.index()], true) {
            self.values.push(value);
        }
    }

    fn mark_split(&mut self, node: u32) {
        if !std::mem::replace(&mut self.split[node as usize], true) {
            self.splits.push(node);
        }
    }

    /// Sources, uses outside of loops, irreducible cycles.
    fn seed(&mut self) {
        let (func, flow) = (self.func, self.flow);
        for &b in &flow.layout.order {
            let data = &func.blocks[Block::new(b as usize)];
            for &inst in &data.insts {
                if is_source(&func.insts[inst].op, self.wave_lanes) {
                    func.insts[inst].results.iter().for_each(|&r| self.mark(r));
                }
            }
            let home = flow.layout.component[b as usize];
            if home == NONE {
                continue;
            }
            let results = data.insts.iter().flat_map(|&i| func.insts[i].results.iter().copied());
            let values: Vec<Value> = data.params.iter().copied().chain(results).collect();
            if flow.layout.irreducible_around(b).is_some() {
                data.params.iter().for_each(|&p| self.mark(p));
                for &v in &values {
                    if flow.uses(v).iter().any(|&u| flow.use_block(func, u) != b) {
                        self.mark(v);
                    }
                }
            }
            for v in values {
                let outermost = flow.uses(v).iter().filter_map(|&u| self.outermost_left(b, flow.use_block(func, u)));
                let Some(depth) = outermost.map(|c| flow.layout.components[c as usize].depth).min() else { continue };
                for c in flow.layout.around(home).take_while(|&c| flow.layout.components[c as usize].depth >= depth) {
                    self.escaping[c as usize].push(v);
                }
            }
        }
        for c in 0..flow.layout.components.len() {
            let header = flow.layout.components[c].header;
            if flow.layout.irreducible_around(header).is_some() {
                self.mark_split((func.blocks.len() + c) as u32);
            }
        }
    }

    /// The outermost component around `from` that `to` is outside of.
    fn outermost_left(&self, from: u32, to: u32) -> Option<u32> {
        let layout = &self.flow.layout;
        layout.around(layout.component[from as usize]).take_while(|&c| !layout.contains(c, to)).last()
    }

    fn propagate(&mut self) {
        let func = self.func;
        loop {
            if let Some(value) = self.values.pop() {
                for &used in self.flow.uses(value) {
                    match used {
                        Use::Inst(_, inst) if self.is_levelled(value, inst) => {}
                        Use::Inst(_, inst) => func.insts[inst].results.iter().for_each(|&r| self.mark(r)),
                        Use::Condition(block) => {
                            let targets = self.flow.graph.succs(block.index() as u32);
                            if targets.len() > 1 {
                                self.mark_split(block.index() as u32);
                            }
                        }
                        Use::Edge(_, param) => self.mark(param),
                    }
                }
            } else if let Some(node) = self.splits.pop() {
                self.follow(node);
            } else {
                return;
            }
        }
    }

    /// Whether an instruction gives all lanes the same although this argument differs: where a wave is one warp, what is gathered from
    /// all threads of a warp, or read from one.
    fn is_levelled(&self, value: Value, inst: Inst) -> bool {
        let data = &self.func.insts[inst];
        self.wave_lanes == WARP_LANES
            && match &data.op {
                Op::Ballot | Op::FromFirstLane => true,
                Op::LaneRead => data.args[1] != value,
                Op::LanePerm(map) => map.broadcast().is_some(),
                _ => false,
            }
    }

    /// Marks what a split makes divergent.
    fn follow(&mut self, node: u32) {
        let flow = self.flow;
        let layout = &flow.layout;
        if let Some(c) = node.checked_sub(layout.blocks()) {
            let range = layout.range(c);
            self.set_apart(range.start, range.end);
            for v in std::mem::take(&mut self.escaping[c as usize]) {
                self.mark(v);
            }
        }
        let level = layout.level(node);
        let mut joins = vec![];
        let mut nodes = vec![];
        let ignore = |b: u32| flow.trivial[b as usize];
        let split = self.splitter.run(node, &ignore, &mut |e| match e {
            Event::Node(n) => nodes.push(n),
            Event::Join(b) => joins.push((b, false)),
            Event::HeaderJoin(b) => joins.push((b, true)),
        });
        nodes.iter().for_each(|&n| self.set_apart(layout.head(n), layout.end(n)));
        for (block, inside) in joins {
            self.join(block, inside);
        }
        if split.apart {
            self.set_apart(split.end, layout.range(level).end);
        }
        if split.leaves && level != NONE {
            self.mark_split(layout.blocks() + level);
        }
    }

    fn set_apart(&mut self, start: u32, end: u32) {
        if start < end {
            self.apart[start as usize] += 1;
            self.apart[end as usize] -= 1;
        }
    }

    /// Lanes meet in a block: parameters that get different values are divergent. Of a loop's header only the edges from inside or
    /// only those from outside count.
    fn join(&mut self, block: u32, inside: bool) {
        let (func, layout) = (self.func, &self.flow.layout);
        let target = Block::new(block as usize);
        let heads = layout.headed_by(block);
        for n in 0..func.blocks[target].params.len() {
            let mut only = None;
            let mut differ = false;
            for &p in self.flow.graph.preds(block) {
                if heads.is_some_and(|c| layout.contains(c, p) != inside) {
                    continue;
                }
                for edge in func.blocks[Block::new(p as usize)].term.edges() {
                    if edge.block == target {
                        differ |= only.is_some_and(|v| v != edge.args[n]);
                        only = Some(edge.args[n]);
                    }
                }
            }
            if differ {
                self.mark(func.blocks[target].params[n]);
            }
        }
    }

    fn finish(mut self) -> Divergence {
        let (func, flow) = (self.func, self.flow);
        let divergent = side_table(func.values.len(), false);
        let mut out = Divergence { divergent, ..Divergence::default() };
        for v in func.values.keys().filter(|v| self.divergent[v.index()]) {
            out.divergent[v] = true;
        }
        let mut missing = 0;
        for (p, &b) in flow.layout.order.iter().enumerate() {
            let block = Block::new(b as usize);
            missing += self.apart[p];
            out.together[block] = missing == 0 && !self.resumed[b as usize];
            if matches!(func.blocks[block].term, Terminator::Barrier { .. }) {
                out.whole[block] = !self.parks[b as usize];
            }
            out.resume[block] = self.resume[b as usize];
        }
        self.demote(&mut out);
        out
    }

    /// Finds the uses of predicates that may come after another run of the definition.
    fn demote(&mut self, out: &mut Divergence) {
        let (func, flow) = (self.func, self.flow);
        for v in func.values.keys() {
            let home = flow.home[v.index()];
            if func.ty(v) != Type::Pred || home == NONE {
                continue;
            }
            let confined = flow.layout.irreducible_around(home).is_some() || self.held[v.index()];
            for &used in flow.uses(v) {
                let block = flow.use_block(func, used);
                let stale = (confined && block != home)
                    || flow
                        .layout
                        .around(flow.layout.component[home as usize])
                        .take_while(|&c| !flow.layout.contains(c, block))
                        .any(|c| self.split[flow.layout.blocks() as usize + c as usize]);
                if !stale {
                    continue;
                }
                let at = match used {
                    Use::Inst(b, i) => DemotedUse::Inst(b, i),
                    Use::Condition(b) | Use::Edge(b, _) => DemotedUse::Terminator(b),
                };
                out.demoted.push((v, at));
            }
        }
        out.demoted.dedup();
    }
}

/// Whether an op makes values that differ between lanes out of uniform ones.
fn is_source(op: &Op, wave_lanes: u32) -> bool {
    match op {
        Op::Special(s) => match s {
            Special::TidX | Special::TidY | Special::TidZ | Special::LaneId => true,
            Special::LanemaskEq
            | Special::LanemaskLe
            | Special::LanemaskLt
            | Special::LanemaskGe
            | Special::LanemaskGt => true,
            // A wave of 64 lanes holds two warps.
            Special::WarpId => wave_lanes > WARP_LANES,
            Special::NtidX
            | Special::NtidY
            | Special::NtidZ
            | Special::CtaidX
            | Special::CtaidY
            | Special::CtaidZ
            | Special::NctaidX
            | Special::NctaidY
            | Special::NctaidZ
            | Special::GridX
            | Special::GridY
            | Special::GridZ
            | Special::DynamicSharedBytes => false,
        },
        Op::Atomic { .. } => true,
        Op::Ballot | Op::LiveLanes | Op::FromFirstLane | Op::LaneRead => wave_lanes > WARP_LANES,
        Op::LanePerm(map) => wave_lanes > WARP_LANES || map.broadcast().is_none(),
        Op::LaneBits(_) | Op::Shuffle(_) => true,
        // The scalar cache is not coherent with stores, so only memory that nothing in the launch changes is read through it.
        Op::Load(mem) => !(matches!(mem.space, Space::Param | Space::Const) && mem.order == Order::Weak),
        _ => false,
    }
}
