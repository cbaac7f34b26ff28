//! Control-flow graphs over plain indices: a linear order with loops contiguous, dominance, and where split threads meet again.
//!
//! Both `ir::divergence` and `exec` stand on this. The order is DESIGN's: strongly connected components in topological
//! order, each contiguous, its header first, recursively without the edges into that header. A *level* is the inside of a component (or
//! the whole function) seen as an acyclic graph whose nodes are blocks and inner components. On a level, what a node
//! dominates follows it contiguously.
//!
//! Cost: linear in blocks and edges for each depth of nesting; [`split`] has a budget beyond which it answers conservatively.

pub mod resume;
pub mod split;

/// "No component": the level of the function itself.
pub const NONE: u32 = u32::MAX;

/// Successors and predecessors, in the order of the edges given.
#[derive(Clone, Debug)]
pub struct Graph {
    succ_start: Vec<u32>,
    succs: Vec<u32>,
    pred_start: Vec<u32>,
    preds: Vec<u32>,
}

impl Graph {
    /// Of `nodes` nodes; only edges from nodes reachable from `entry` are kept.
    pub fn new(nodes: usize, entry: u32, mut succs_of: impl FnMut(u32, &mut Vec<u32>)) -> Graph {
        let mut succ_start = vec![0u32; nodes + 1];
        let mut lists: Vec<(u32, u32)> = vec![];
        let mut seen = vec![false; nodes];
        let mut stack = vec![entry];
        let mut out = vec![];
        seen[entry as usize] = true;
        while let Some(n) = stack.pop() {
            out.clear();
            succs_of(n, &mut out);
            for &s in &out {
                lists.push((n, s));
                if !std::mem::replace(&mut seen[s as usize], true) {
                    stack.push(s);
                }
            }
        }
        let mut pred_start = vec![0u32; nodes + 1];
        for &(a, b) in &lists {
            succ_start[a as usize + 1] += 1;
            pred_start[b as usize + 1] += 1;
        }
        for i in 0..nodes {
            succ_start[i + 1] += succ_start[i];
            pred_start[i + 1] += pred_start[i];
        }
        let (mut s_at, mut p_at) = (succ_start.clone(), pred_start.clone());
        let mut succs = vec![0; lists.len()];
        let mut preds = vec![0; lists.len()];
        for &(a, b) in &lists {
            succs[s_at[a as usize] as usize] = b;
            s_at[a as usize] += 1;
        }
        for a in 0..nodes {
            for &b in &succs[succ_start[a] as usize..succ_start[a + 1] as usize] {
                preds[p_at[b as usize] as usize] = a as u32;
                p_at[b as usize] += 1;
            }
        }
        Graph { succ_start, succs, pred_start, preds }
    }

    pub fn len(&self) -> usize {
        self.succ_start.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn succs(&self, node: u32) -> &[u32] {
        &self.succs[self.succ_start[node as usize] as usize..self.succ_start[node as usize + 1] as usize]
    }

    pub fn preds(&self, node: u32) -> &[u32] {
        &self.preds[self.pred_start[node as usize] as usize..self.pred_start[node as usize + 1] as usize]
    }
}

/// A cycle: a strongly connected component of a level.
#[derive(Clone, Debug)]
pub struct Component {
    pub header: u32,
    /// The component around it, or [`NONE`].
    pub parent: u32,
    /// Positions `[first, end)` of its blocks; the header stands at `first`.
    pub first: u32,
    pub end: u32,
    pub depth: u32,
    /// Blocks other than the header that can be entered from outside: none in a reducible loop.
    pub side_entries: Vec<u32>,
    /// Edges that leave it.
    pub exits: Vec<(u32, u32)>,
}

/// The order and its levels.
///
/// A node of a level is a block `b < blocks` or component `c` as `blocks + c`.
#[derive(Clone, Debug)]
pub struct Layout {
    pub order: Vec<u32>,
    /// Of each block; [`NONE`] if unreachable.
    pub position: Vec<u32>,
    /// Parents before children.
    pub components: Vec<Component>,
    /// Innermost component of each block.
    pub component: Vec<u32>,
    /// Immediate dominator of each node on its level; [`NONE`] for the level's first node.
    pub idom: Vec<u32>,
    /// Position behind the last block that a node dominates on its level.
    pub subtree_end: Vec<u32>,
}

impl Layout {
    /// Orders the blocks reachable from `entry`, which no edge enters. Among the orders possible, blocks of lower `rank` come early.
    pub fn new(graph: &Graph, entry: u32, rank: &[u32]) -> Layout {
        debug_assert!(graph.preds(entry).is_empty());
        Builder::new(graph, rank).run(entry)
    }

    pub fn blocks(&self) -> u32 {
        self.position.len() as u32
    }

    /// The level that a node is on.
    pub fn level(&self, node: u32) -> u32 {
        match node.checked_sub(self.blocks()) {
            Some(c) => self.components[c as usize].parent,
            None => self.component[node as usize],
        }
    }

    /// Position of a node's first block.
    pub fn head(&self, node: u32) -> u32 {
        match node.checked_sub(self.blocks()) {
            Some(c) => self.components[c as usize].first,
            None => self.position[node as usize],
        }
    }

    /// Position behind a node's last block.
    pub fn end(&self, node: u32) -> u32 {
        match node.checked_sub(self.blocks()) {
            Some(c) => self.components[c as usize].end,
            None => self.position[node as usize] + 1,
        }
    }

    /// Positions of a level.
    pub fn range(&self, level: u32) -> std::ops::Range<u32> {
        match level {
            NONE => 0..self.order.len() as u32,
            c => self.components[c as usize].first..self.components[c as usize].end,
        }
    }

    /// Whether a block is on a level, or inside a component there.
    pub fn contains(&self, level: u32, block: u32) -> bool {
        self.range(level).contains(&self.position[block as usize])
    }

    /// The node of a level that holds a block of it.
    pub fn node_on(&self, level: u32, block: u32) -> u32 {
        let mut node = block;
        let mut at = self.component[block as usize];
        while at != level {
            node = self.blocks() + at;
            at = self.components[at as usize].parent;
        }
        node
    }

    /// The component that a block is the header of.
    pub fn headed_by(&self, block: u32) -> Option<u32> {
        let c = self.component[block as usize];
        (c != NONE && self.components[c as usize].header == block).then_some(c)
    }

    /// The node that a block stands for where it is entered from outside: the component it heads, or itself.
    pub fn entry_node(&self, block: u32) -> u32 {
        self.headed_by(block).map_or(block, |c| self.blocks() + c)
    }

    /// A component and those around it, innermost first.
    pub fn around(&self, component: u32) -> impl Iterator<Item = u32> + '_ {
        std::iter::successors((component != NONE).then_some(component), |&c| {
            Some(self.components[c as usize].parent).filter(|&p| p != NONE)
        })
    }

    /// The outermost irreducible component around a block.
    pub fn irreducible_around(&self, block: u32) -> Option<u32> {
        self.around(self.component[block as usize])
            .filter(|&c| !self.components[c as usize].side_entries.is_empty())
            .last()
    }
}

struct Builder<'a> {
    graph: &'a Graph,
    rank: &'a [u32],
    component: Vec<u32>,
    components: Vec<Component>,
    /// Nodes of each level in order, with the index of the last node each dominates; the function's level first.
    levels: Vec<Vec<(u32, u32)>>,
    idom: Vec<u32>,
    /// Scratch, by block: number of its strong component on the level at work, Tarjan's index and low link.
    strong: Vec<u32>,
    index: Vec<u32>,
    low: Vec<u32>,
}

impl<'a> Builder<'a> {
    fn new(graph: &'a Graph, rank: &'a [u32]) -> Builder<'a> {
        let n = graph.len();
        Builder {
            graph,
            rank,
            component: vec![NONE; n],
            components: vec![],
            levels: vec![],
            idom: vec![NONE; n],
            strong: vec![NONE; n],
            index: vec![NONE; n],
            low: vec![0; n],
        }
    }

    fn run(mut self, entry: u32) -> Layout {
        let mut work = vec![(NONE, entry)];
        let mut next = 0;
        while next < work.len() {
            let (level, source) = work[next];
            next += 1;
            let first_child = self.components.len();
            self.order_level(level, source);
            work.extend((first_child..self.components.len()).map(|c| (c as u32, self.components[c].header)));
        }
        self.flatten()
    }

    /// Edges of a level: inside it, and not into its source.
    fn level_succs(&self, level: u32, source: u32, block: u32) -> impl Iterator<Item = u32> + '_ {
        let succs = self.graph.succs(block).iter().copied();
        succs.filter(move |&s| self.component[s as usize] == level && s != source)
    }

    /// Strong components of a level, in reverse topological order.
    fn strong_components(&mut self, level: u32, source: u32) -> Vec<Vec<u32>> {
        let mut found: Vec<Vec<u32>> = vec![];
        let mut open: Vec<u32> = vec![];
        let mut counter = 0;
        // (block, next successor)
        let mut stack: Vec<(u32, usize)> = vec![];
        let mut enter = Some(source);
        // Indices of an outer level are stale: forget those of this level's blocks as they are met.
        let mut fresh = vec![];
        self.collect(level, source, &mut fresh);
        fresh.iter().for_each(|&b| {
            self.index[b as usize] = NONE;
            self.strong[b as usize] = NONE;
        });
        loop {
            if let Some(b) = enter.take() {
                self.index[b as usize] = counter;
                self.low[b as usize] = counter;
                counter += 1;
                open.push(b);
                stack.push((b, 0));
            }
            let Some(top) = stack.last_mut() else { return found };
            let b = top.0;
            let succs = self.graph.succs(b);
            if let Some(&s) = succs.get(top.1) {
                top.1 += 1;
                if self.component[s as usize] != level || s == source {
                    continue;
                }
                if self.index[s as usize] == NONE {
                    enter = Some(s);
                } else if self.strong[s as usize] == NONE {
                    self.low[b as usize] = self.low[b as usize].min(self.index[s as usize]);
                }
                continue;
            }
            stack.pop();
            if let Some(&(parent, _)) = stack.last() {
                self.low[parent as usize] = self.low[parent as usize].min(self.low[b as usize]);
            }
            if self.low[b as usize] == self.index[b as usize] {
                let mut members = vec![];
                loop {
                    let m = open.pop().expect("the root of a strong component is on the stack");
                    self.strong[m as usize] = found.len() as u32;
                    members.push(m);
                    if m == b {
                        break;
                    }
                }
                found.push(members);
            }
        }
    }

    /// All blocks of a level.
    fn collect(&mut self, level: u32, source: u32, out: &mut Vec<u32>) {
        // `low` serves as the mark here: Tarjan's walk sets it again.
        let mut stack = vec![source];
        let mark = NONE - 1 - self.levels.len() as u32;
        self.low[source as usize] = mark;
        while let Some(b) = stack.pop() {
            out.push(b);
            for i in 0..self.graph.succs(b).len() {
                let s = self.graph.succs(b)[i];
                if self.component[s as usize] == level && s != source && self.low[s as usize] != mark {
                    self.low[s as usize] = mark;
                    stack.push(s);
                }
            }
        }
    }

    fn order_level(&mut self, level: u32, source: u32) {
        let strong = self.strong_components(level, source);
        let n = self.graph.len() as u32;
        let mut nodes = vec![0; strong.len()];
        let mut made = vec![];
        for (i, members) in strong.iter().enumerate() {
            let cyclic = members.len() > 1 || self.level_succs(level, source, members[0]).any(|s| s == members[0]);
            if !cyclic {
                nodes[i] = members[0];
                continue;
            }
            let outside = |b: u32| {
                let preds = self.graph.preds(b).iter();
                preds.clone().any(|&p| self.component[p as usize] != level || self.strong[p as usize] != i as u32)
            };
            let mut entries: Vec<u32> = members.iter().copied().filter(|&b| outside(b)).collect();
            entries.sort_by_key(|&b| self.index[b as usize]);
            let header = entries.remove(0);
            let depth = if level == NONE { 1 } else { self.components[level as usize].depth + 1 };
            nodes[i] = n + (self.components.len() + made.len()) as u32;
            made.push((
                Component { header, parent: level, first: 0, end: 0, depth, side_entries: entries, exits: vec![] },
                i,
            ));
        }
        let ranks: Vec<u32> =
            strong.iter().map(|members| members.iter().map(|&b| self.rank[b as usize]).min().unwrap_or(0)).collect();
        let mut succs: Vec<Vec<u32>> = vec![];
        let mut preds: Vec<Vec<u32>> = vec![vec![]; strong.len()];
        for (i, members) in strong.iter().enumerate() {
            let mut to: Vec<u32> = vec![];
            for &b in members {
                to.extend(self.level_succs(level, source, b).map(|s| self.strong[s as usize]));
            }
            to.retain(|&s| s != i as u32);
            // Visited last comes first in reverse postorder.
            to.sort_by_key(|&s| (std::cmp::Reverse(ranks[s as usize]), s));
            to.dedup();
            to.iter().for_each(|&s| preds[s as usize].push(i as u32));
            succs.push(to);
        }
        let rpo = reverse_postorder(&succs, self.strong[source as usize]);
        let (idom, order) = dominator_preorder(&rpo, &preds);
        self.idom.resize(n as usize + self.components.len() + made.len(), NONE);
        for &(i, _) in &order {
            let above = idom[i as usize];
            self.idom[nodes[i as usize] as usize] = if above == i { NONE } else { nodes[above as usize] };
        }
        self.levels.push(order.iter().map(|&(i, last)| (nodes[i as usize], last)).collect());
        for (component, i) in made {
            let id = self.components.len() as u32;
            strong[i].iter().for_each(|&b| self.component[b as usize] = id);
            self.components.push(component);
        }
    }

    fn flatten(mut self) -> Layout {
        let n = self.graph.len();
        let mut order: Vec<u32> = Vec::with_capacity(n);
        // Level c of `levels` is component c - 1; (level, next node).
        let mut stack = vec![(0usize, 0usize)];
        while let Some(top) = stack.last_mut() {
            let (level, at) = *top;
            let Some(&(node, _)) = self.levels[level].get(at) else {
                stack.pop();
                if level > 0 {
                    self.components[level - 1].end = order.len() as u32;
                }
                continue;
            };
            top.1 += 1;
            match (node as usize).checked_sub(n) {
                None => order.push(node),
                Some(c) => {
                    self.components[c].first = order.len() as u32;
                    stack.push((c + 1, 0));
                }
            }
        }
        let mut position = vec![NONE; n];
        order.iter().enumerate().for_each(|(p, &b)| position[b as usize] = p as u32);
        let mut layout = Layout {
            order,
            position,
            components: self.components,
            component: self.component,
            subtree_end: vec![0; self.idom.len()],
            idom: self.idom,
        };
        for nodes in &self.levels {
            for &(node, last) in nodes {
                layout.subtree_end[node as usize] = layout.end(nodes[last as usize].0);
            }
        }
        for i in 0..layout.order.len() {
            let b = layout.order[i];
            for &s in self.graph.succs(b) {
                let mut c = layout.component[b as usize];
                while c != NONE && !layout.contains(c, s) {
                    layout.components[c as usize].exits.push((b, s));
                    c = layout.components[c as usize].parent;
                }
            }
        }
        layout
    }
}

fn reverse_postorder(succs: &[Vec<u32>], source: u32) -> Vec<u32> {
    let mut seen = vec![false; succs.len()];
    let mut post = vec![];
    let mut stack = vec![(source, 0usize)];
    seen[source as usize] = true;
    while let Some(top) = stack.last_mut() {
        match succs[top.0 as usize].get(top.1) {
            Some(&s) => {
                top.1 += 1;
                if !std::mem::replace(&mut seen[s as usize], true) {
                    stack.push((s, 0));
                }
            }
            None => {
                post.push(top.0);
                stack.pop();
            }
        }
    }
    post.reverse();
    post
}

/// Immediate dominators (the source's is itself) of an acyclic graph, and the nodes in preorder of the dominator tree, children in
/// topological order, each with the index in that list of the last node it dominates.
///
/// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm"; without cycles one pass is enough.
fn dominator_preorder(rpo: &[u32], preds: &[Vec<u32>]) -> (Vec<u32>, Vec<(u32, u32)>) {
    let mut number = vec![NONE; preds.len()];
    rpo.iter().enumerate().for_each(|(i, &b)| number[b as usize] = i as u32);
    // By reverse postorder number.
    let mut idom = vec![0u32; rpo.len()];
    let mut children: Vec<Vec<u32>> = vec![vec![]; rpo.len()];
    for (i, &b) in rpo.iter().enumerate().skip(1) {
        let mut above = NONE;
        for &p in &preds[b as usize] {
            let (mut a, mut b) = (number[p as usize], above);
            if b == NONE {
                above = a;
                continue;
            }
            while a != b {
                if a > b {
                    a = idom[a as usize];
                } else {
                    b = idom[b as usize];
                }
            }
            above = a;
        }
        idom[i] = above;
        children[above as usize].push(i as u32);
    }
    let mut order: Vec<(u32, u32)> = vec![];
    // (number, next child, index in `order`)
    let mut stack = vec![(0u32, 0usize, 0usize)];
    order.push((rpo[0], 0));
    while let Some(top) = stack.last_mut() {
        match children[top.0 as usize].get(top.1) {
            Some(&c) => {
                top.1 += 1;
                stack.push((c, 0, order.len()));
                order.push((rpo[c as usize], 0));
            }
            None => {
                let at = top.2;
                order[at].1 = order.len() as u32 - 1;
                stack.pop();
            }
        }
    }
    let mut above = vec![0; preds.len()];
    rpo.iter().enumerate().for_each(|(i, &b)| above[b as usize] = rpo[idom[i] as usize]);
    (above, order)
}
