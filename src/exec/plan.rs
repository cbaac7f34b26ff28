//! Decides, for each block and loop, how lanes get there.
//!
//! The facts come from [`crate::graph`]: the order, dominance on its levels, and where the lanes of a divergent branch are together
//! again. Everything is answered with range queries over positions, so the cost is O(blocks * log blocks) for each depth of loops.

use super::shape::Shape;
use crate::graph::resume::Interrupted;
use crate::graph::split::Splitter;
use crate::graph::{Graph, Layout, NONE};
use crate::id::EntityRef;

/// How a block gets its lanes from outside the loop that it heads, if it heads one.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Enter {
    /// EXEC is theirs already.
    Straight,
    /// EXEC of its immediate dominator, saved there, is theirs.
    Saved,
    /// They wait in a mask that each edge adds to.
    Gathered,
}

/// How a loop's lanes go back to its header.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Back {
    Straight,
    Gathered,
}

/// What comes next on the wave's way.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Stop {
    /// Entry of a block whose lanes wait for it.
    Enter(u32),
    /// The test behind the last block of a component.
    Bottom(u32),
    End,
}

pub(super) struct Plan {
    pub graph: Graph,
    pub layout: Layout,
    /// By block.
    pub enter: Vec<Enter>,
    /// By component.
    pub back: Vec<Back>,
    /// By component: lanes waiting elsewhere go first.
    pub yields: Vec<bool>,
    /// By position: lanes may come here in several passes, or in any order; masks are zero from the start and cleared when taken.
    pub general: Vec<bool>,
    /// Where the first of it is so.
    interrupted: Interrupted,
    /// By node: gathered blocks, whose masks start at the node (at its end; of a component, at its entry).
    pub starts: Vec<Vec<u32>>,
    /// By node: the saved block whose mask is EXEC there.
    pub saves: Vec<Option<u32>>,
    /// By node: components whose masks for jumping back start there too.
    pub back_starts: Vec<Vec<u32>>,
    /// Gathered blocks and components whose masks start at the kernel's entry.
    pub from_entry: Vec<u32>,
    pub back_from_entry: Vec<u32>,
    /// Whether there are resume points: then `live` and `parked` masks exist.
    pub resumes: bool,
    /// Whether the mask of live lanes is kept.
    pub tracks_live: bool,
    /// By block: need not be skipped when it has no lanes.
    pub through: Vec<bool>,
    /// By position: the first stop for a wave that comes to this position without lanes for it, out of blocks that have run.
    stops: Vec<Stop>,
    /// The same for one that has passed over blocks: only those count whose lanes come in several passes, for no mask of the others holds anything.
    far_stops: Vec<Stop>,
}

impl Plan {
    pub fn new(shape: &Shape) -> Plan {
        let blocks = shape.succs.len();
        let entry = shape.entry.index() as u32;
        let graph = Graph::new(blocks, entry, |b, out| out.extend_from_slice(&shape.succs[b as usize]));
        let layout = Layout::new(&graph, entry, &shape.rank);
        let nodes = blocks + layout.components.len();
        let mut plan = Plan {
            enter: vec![Enter::Straight; blocks],
            back: vec![Back::Straight; layout.components.len()],
            yields: vec![false; layout.components.len()],
            general: vec![false; layout.order.len()],
            interrupted: Interrupted::new(&layout, |_| false),
            starts: vec![vec![]; nodes],
            saves: vec![None; nodes],
            back_starts: vec![vec![]; nodes],
            from_entry: vec![],
            back_from_entry: vec![],
            resumes: false,
            tracks_live: false,
            through: vec![false; blocks],
            stops: vec![],
            far_stops: vec![],
            graph,
            layout,
        };
        plan.find_general(shape);
        plan.tracks_live = plan.resumes || shape.asks_live;
        let apart = Apart::new(&plan, shape);
        let reach = Reach::new(&plan, shape);
        plan.decide_back(shape, &apart);
        plan.decide_enter(shape, &apart, &reach);
        plan.find_through(shape);
        plan.find_stops();
        plan
    }

    /// The blocks to which the dispatcher may bring lanes in between, and irreducible cycles.
    fn find_general(&mut self, shape: &Shape) {
        let layout = &self.layout;
        let mut resume = vec![false; layout.blocks() as usize];
        for &b in &layout.order {
            if shape.yields[b as usize] {
                // Of an irreducible cycle another header may have been chosen here than in the analysis; a loop may be gone.
                let c = layout.headed_by(b).or(Some(layout.component[b as usize]).filter(|&c| c != NONE));
                let Some(c) = c else { continue };
                self.yields[c as usize] = true;
                resume[layout.components[c as usize].header as usize] = true;
            } else if shape.parked[b as usize] || shape.waits[b as usize] {
                resume[b as usize] = true;
            }
        }
        self.resumes = resume.contains(&true);
        self.interrupted = Interrupted::new(layout, |b| resume[b as usize]);
        for (p, &b) in layout.order.iter().enumerate() {
            self.general[p] = self.interrupted.at[p] || layout.irreducible_around(b).is_some();
        }
    }

    fn decide_back(&mut self, shape: &Shape, apart: &Apart) {
        let layout = &self.layout;
        for (c, component) in layout.components.iter().enumerate() {
            let straight = |x: u32| {
                if !layout.contains(c as u32, x) {
                    return true;
                }
                let node = layout.node_on(c as u32, x);
                let last = node == x && layout.position[x as usize] + 1 == component.end;
                // A divergent branch may go back at once when its other lanes leave the loop, or are done.
                let alone =
                    last && self.graph.succs(x).iter().all(|&s| s == component.header || !layout.contains(c as u32, s));
                !apart.open(layout, c as u32, node)
                    && (!apart.split[node as usize] || alone)
                    && (!shape.divergent[x as usize] || alone)
            };
            let irreducible = layout.irreducible_around(component.header).is_some();
            let general = irreducible || self.interrupted.has_points(layout.range(c as u32));
            if general || !self.graph.preds(component.header).iter().all(|&x| straight(x)) {
                self.back[c] = Back::Gathered;
            }
            // A loop that yields has one mask for both, so that each pass takes those who wait.
            if self.back[c] == Back::Gathered && !self.yields[c] {
                let header = component.header;
                match (general, layout.irreducible_around(header)) {
                    (false, _) => self.back_starts[layout.blocks() as usize + c].push(c as u32),
                    (true, Some(outer)) if !self.resumes => {
                        let at = layout.idom[(layout.blocks() + outer) as usize];
                        self.back_starts[at as usize].push(c as u32);
                    }
                    (true, _) => self.back_from_entry.push(c as u32),
                }
            }
        }
    }

    fn decide_enter(&mut self, shape: &Shape, apart: &Apart, reach: &Reach) {
        let layout = &self.layout;
        for p in 1..layout.order.len() as u32 {
            let b = layout.order[p as usize];
            let node = layout.entry_node(b);
            let level = layout.level(node);
            let above = layout.idom[node as usize];
            let own_loop = layout.headed_by(b);
            let mut preds =
                self.graph.preds(b).iter().filter(|&&x| own_loop.is_none_or(|c| !layout.contains(c, x))).copied();
            let first = preds.next();
            let carried = first.is_some_and(|x| {
                layout.position[x as usize] + 1 == p
                    && layout.component[x as usize] == level
                    && !shape.parks[x as usize]
            }) && preds.next().is_none();
            // A cycle with several entries is always come to through its header's, where masks start.
            let fixed = |c: u32| self.yields[c as usize] || !layout.components[c as usize].side_entries.is_empty();
            if carried && !own_loop.is_some_and(fixed) && !shape.waits[b as usize] {
                continue;
            }
            if self.general[p as usize] {
                self.enter[b as usize] = Enter::Gathered;
                match layout.irreducible_around(b) {
                    Some(outer) if !self.resumes => {
                        let at = layout.idom[(layout.blocks() + outer) as usize];
                        self.starts[at as usize].push(b);
                    }
                    _ => self.from_entry.push(b),
                }
            } else if apart.together_at(layout, above, p) {
                // Straight.
            } else if reach.all_come(layout, above, p) {
                self.enter[b as usize] = Enter::Saved;
                self.saves[above as usize] = Some(b);
            } else {
                self.enter[b as usize] = Enter::Gathered;
                self.starts[above as usize].push(b);
            }
        }
    }

    /// Blocks that dominate nothing, hold nothing that minds, and only pass their lanes on to masks.
    fn find_through(&mut self, shape: &Shape) {
        let layout = &self.layout;
        for (p, &b) in layout.order.iter().enumerate() {
            let leaf = layout.headed_by(b).is_none() && layout.subtree_end[b as usize] == p as u32 + 1;
            let succs = self.graph.succs(b);
            let level = layout.component[b as usize];
            let passes = succs.len() <= 1
                && succs.iter().all(|&s| {
                    if level != NONE && layout.components[level as usize].header == s {
                        return self.back[level as usize] == Back::Gathered;
                    }
                    layout.contains(level, s) && self.enter[s as usize] != Enter::Straight
                });
            self.through[b as usize] = leaf
                && passes
                && shape.harmless[b as usize]
                && !shape.parks[b as usize]
                && !shape.parked[b as usize]
                && (!succs.is_empty() || shape.ends[b as usize]);
        }
    }

    fn find_stops(&mut self) {
        self.stops = vec![Stop::End; self.layout.order.len()];
        self.far_stops = self.stops.clone();
        for p in (0..self.layout.order.len()).rev() {
            let b = self.layout.order[p];
            let waits = self.enter[b as usize] != Enter::Straight;
            self.stops[p] = if waits { Stop::Enter(b) } else { self.past(b) };
            self.far_stops[p] = if waits && self.interrupted.at[p] {
                Stop::Enter(b)
            } else {
                self.far_stop_after(self.layout.component[b as usize], p as u32 + 1)
            };
        }
    }

    /// The next stop of a wave that comes to a block, and has no lanes for it.
    fn past(&self, block: u32) -> Stop {
        let layout = &self.layout;
        let p = layout.position[block as usize];
        let (level, next) = (layout.component[block as usize], p + 1);
        if layout.irreducible_around(block).is_some() {
            return match self.interrupted.at[p as usize] {
                true => self.far_stop_after(level, next),
                false => self.stop_after(level, next),
            };
        }
        let node = layout.entry_node(block);
        let end = layout.subtree_end[node as usize];
        if self.interrupted.has_blocks(next..end) {
            // Then so is whatever else waits behind those that the block dominates.
            return self.far_stop_after(level, next);
        }
        self.stop_after(layout.level(node), end)
    }

    /// The next stop of a wave that is done with the blocks of a level before a position.
    fn stop_after(&self, level: u32, position: u32) -> Stop {
        self.stop_where(level, position, &self.stops, |c| self.back[c as usize] == Back::Gathered)
    }

    /// The same of a wave that has passed over blocks.
    fn far_stop_after(&self, level: u32, position: u32) -> Stop {
        self.stop_where(level, position, &self.far_stops, |c| self.interrupted.has_points(self.layout.range(c)))
    }

    fn stop_where(&self, mut level: u32, position: u32, stops: &[Stop], tests: impl Fn(u32) -> bool) -> Stop {
        while position == self.layout.range(level).end {
            if level == NONE {
                return Stop::End;
            }
            if tests(level) {
                return Stop::Bottom(level);
            }
            level = self.layout.components[level as usize].parent;
        }
        stops[position as usize]
    }

    /// Where the wave goes behind a block when no lane goes on at once.
    pub fn after_block(&self, block: u32) -> Stop {
        self.stop_after(self.layout.component[block as usize], self.layout.position[block as usize] + 1)
    }

    /// Where it goes behind a component's last block when none goes back.
    pub fn after_component(&self, c: u32) -> Stop {
        let component = &self.layout.components[c as usize];
        self.stop_after(component.parent, component.end)
    }

    /// Where it goes when none waits to enter a block.
    pub fn skipping(&self, block: u32) -> Stop {
        self.past(block)
    }
}

/// Where lanes of a level are apart.
struct Apart {
    /// By node.
    split: Vec<bool>,
    /// By position: where lanes that a block's branch sends apart are together again; and the same for a component there.
    blocks: Ranges,
    components: Ranges,
}

impl Apart {
    fn new(plan: &Plan, shape: &Shape) -> Apart {
        let layout = &plan.layout;
        let n = layout.order.len();
        let mut apart = Apart {
            split: vec![false; layout.blocks() as usize + layout.components.len()],
            blocks: Ranges::new(n, 0, u32::max),
            components: Ranges::new(n, 0, u32::max),
        };
        let mut splitter = Splitter::new(&plan.graph, layout);
        for &b in &layout.order {
            if shape.divergent[b as usize] {
                apart.split[b as usize] = true;
                let split = splitter.run(b, &|_| false, &mut |_| {});
                apart.blocks.set(layout.position[b as usize], split.end);
                apart.leave(layout, b, split.leaves);
            }
        }
        for c in (0..layout.components.len() as u32).rev() {
            let component = &layout.components[c as usize];
            let node = layout.blocks() + c;
            let loose = layout.irreducible_around(component.header).is_some()
                || component.exits.iter().any(|&(x, _)| apart.open(layout, c, layout.node_on(c, x)));
            if loose || apart.split[node as usize] {
                apart.split[node as usize] = true;
                let split = splitter.run(node, &|_| false, &mut |_| {});
                apart.components.set(component.first, split.end);
                apart.leave(layout, node, split.leaves);
            }
        }
        apart
    }

    fn leave(&mut self, layout: &Layout, node: u32, leaves: bool) {
        let level = layout.level(node);
        if leaves && level != NONE {
            self.split[(layout.blocks() + level) as usize] = true;
        }
    }

    /// Whether lanes of the level may be waiting behind `node` when it runs.
    fn open(&self, layout: &Layout, level: u32, node: u32) -> bool {
        let (first, head) = (layout.range(level).start, layout.head(node));
        self.blocks.over(first, head) > head || self.components.over(first + 1, head) > head
    }

    /// Whether all lanes that `above` sends on are together before a position that it dominates.
    fn together_at(&self, layout: &Layout, above: u32, position: u32) -> bool {
        let head = layout.head(above);
        let inner = if above < layout.blocks() { head + 1 } else { head };
        self.blocks.over(head, position) < position && self.components.over(inner, position) < position
    }
}

/// Where lanes may go, by position of the block they are in.
struct Reach {
    low: Ranges,
    high: Ranges,
}

impl Reach {
    fn new(plan: &Plan, shape: &Shape) -> Reach {
        let n = plan.layout.order.len();
        let mut reach = Reach { low: Ranges::new(n, NONE, u32::min), high: Ranges::new(n, 0, u32::max) };
        for (p, &b) in plan.layout.order.iter().enumerate() {
            let targets = plan.graph.succs(b).iter().map(|&s| plan.layout.position[s as usize]);
            if let Some(low) = targets.clone().min() {
                reach.low.set(p as u32, low);
            }
            let lost = shape.ends[b as usize] || shape.parks[b as usize];
            reach.high.set(p as u32, if lost { NONE } else { targets.max().unwrap_or(0) });
        }
        reach
    }

    /// Whether all lanes that come to `above` come to a position it dominates, in the same pass.
    fn all_come(&self, layout: &Layout, above: u32, position: u32) -> bool {
        let head = layout.head(above);
        let lowest = match above.checked_sub(layout.blocks()) {
            None => head + 1,
            // EXEC at the header's entry is that of those who come to the header alone.
            Some(c) if !layout.components[c as usize].side_entries.is_empty() => return false,
            Some(_) => head,
        };
        self.low.over(head, position) >= lowest && self.high.over(head, position) <= position
    }
}

/// A segment tree.
struct Ranges {
    size: usize,
    tree: Vec<u32>,
    none: u32,
    merge: fn(u32, u32) -> u32,
}

impl Ranges {
    fn new(len: usize, none: u32, merge: fn(u32, u32) -> u32) -> Ranges {
        let size = len.next_power_of_two();
        Ranges { size, tree: vec![none; 2 * size], none, merge }
    }

    fn set(&mut self, at: u32, value: u32) {
        let mut i = at as usize + self.size;
        self.tree[i] = value;
        while i > 1 {
            i /= 2;
            self.tree[i] = (self.merge)(self.tree[2 * i], self.tree[2 * i + 1]);
        }
    }

    /// Over `[start, end)`.
    fn over(&self, start: u32, end: u32) -> u32 {
        let mut out = self.none;
        let (mut a, mut b) = (start as usize + self.size, end.max(start) as usize + self.size);
        while a < b {
            if a & 1 == 1 {
                out = (self.merge)(out, self.tree[a]);
                a += 1;
            }
            if b & 1 == 1 {
                b -= 1;
                out = (self.merge)(out, self.tree[b]);
            }
            a /= 2;
            b /= 2;
        }
        out
    }
}
