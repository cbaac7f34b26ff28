//! Where threads that a node of a level sends apart meet again.
//!
//! A *split* is a divergent branch, or a component that threads leave at different times. Labels run from each of its edges along the
//! order; where two different labels meet there is a join; once a single label is left, the threads are together again. This
//! is the sync dependence of Karrenberg and Hack, "Whole-Function Vectorization", with the order's levels in the place of loops.

use super::{Graph, Layout, NONE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What came of a split.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Position of the node where those that stay on the level are together again; the split's own position if it sends none
    /// of them to another node.
    pub end: u32,
    /// Whether some are on their way to the level's header, or out of it, while others are not.
    pub apart: bool,
    /// Whether threads may leave the level's component at different times.
    pub leaves: bool,
}

/// What [`Splitter::run`] tells about.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A node runs with some of the threads missing.
    Node(u32),
    /// A block where threads of different labels meet, coming along edges on its own level.
    Join(u32),
    /// The same for the level's header and its edges from inside.
    HeaderJoin(u32),
}

pub struct Splitter<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
    /// By position of a node's head.
    label: Vec<u32>,
    stamp: Vec<u32>,
    runs: u32,
    heap: BinaryHeap<Reverse<u32>>,
    budget: u64,
    /// By level (the function's is the last): from where on everything counts as apart.
    flooded: Vec<u32>,
}

impl<'a> Splitter<'a> {
    pub fn new(graph: &'a Graph, layout: &'a Layout) -> Splitter<'a> {
        let n = layout.order.len();
        Splitter {
            graph,
            layout,
            label: vec![0; n],
            stamp: vec![0; n],
            runs: 0,
            heap: BinaryHeap::new(),
            budget: 64 * n as u64 + 4096,
            flooded: vec![NONE; layout.components.len() + 1],
        }
    }

    /// Follows the threads that `node` sends apart. Edges to blocks that `ignore` names are not there.
    pub fn run(&mut self, node: u32, ignore: &dyn Fn(u32) -> bool, event: &mut dyn FnMut(Event)) -> Split {
        if self.budget == 0 {
            return self.flood(node, event);
        }
        let level = self.layout.level(node);
        let mut run = Run { level, sink: None, sinks_differ: false, header: None, left: false };
        self.runs += 1;
        let exits: Vec<u32>;
        let targets = match node.checked_sub(self.layout.blocks()) {
            None => self.graph.succs(node),
            Some(c) => {
                exits = self.layout.components[c as usize].exits.iter().map(|e| e.1).collect();
                &exits
            }
        };
        for &t in targets.iter().filter(|&&t| !ignore(t)) {
            self.arrive(&mut run, t, None, event);
        }
        let mut end = self.layout.head(node);
        let mut remaining = None;
        while let Some(Reverse(p)) = self.heap.pop() {
            end = p;
            if self.heap.is_empty() {
                remaining = Some(self.label[p as usize]);
                break;
            }
            self.budget = self.budget.saturating_sub(1);
            let at = self.layout.node_on(level, self.layout.order[p as usize]);
            event(Event::Node(at));
            let label = Some(self.label[p as usize]);
            match at.checked_sub(self.layout.blocks()) {
                None => {
                    for &t in self.graph.succs(at).iter().filter(|&&t| !ignore(t)) {
                        self.arrive(&mut run, t, label, event);
                    }
                }
                Some(c) => {
                    let layout = self.layout;
                    for &(_, t) in layout.components[c as usize].exits.iter().filter(|e| !ignore(e.1)) {
                        self.arrive(&mut run, t, label, event);
                    }
                }
            }
        }
        // Those left over go to the header or out in the end.
        let Some(label) = remaining else {
            return Split { end, apart: run.sinks_differ, leaves: run.sinks_differ && run.left };
        };
        let apart = run.sinks_differ || run.sink.is_some_and(|s| s != label);
        if run.header.is_some_and(|h| h != label) {
            event(Event::HeaderJoin(self.layout.components[level as usize].header));
        }
        let leaves = apart
            && level != NONE
            && (run.left || self.layout.components[level as usize].exits.iter().any(|e| !ignore(e.1)));
        Split { end, apart, leaves }
    }

    /// An edge to `target`; `label` is none for an edge of the split itself, which is a label of its own.
    fn arrive(&mut self, run: &mut Run, target: u32, label: Option<u32>, event: &mut dyn FnMut(Event)) {
        let layout = self.layout;
        let outside = run.level != NONE && !layout.contains(run.level, target);
        let header = run.level != NONE && layout.components[run.level as usize].header == target;
        if outside || header {
            // Positions outside the level serve as labels that no node of it has.
            let own = layout.position[target as usize];
            let twice = label.is_none() && outside && run.sink == Some(own);
            let label = label.unwrap_or(own);
            run.sinks_differ |= twice || run.sink.is_some_and(|s| s != label);
            run.sink = Some(label);
            if outside {
                run.left = true;
            } else {
                if run.header.is_some_and(|h| h != label || h == own) {
                    event(Event::HeaderJoin(target));
                }
                run.header = Some(if run.header.is_some_and(|h| h != label) { own } else { label });
            }
            return;
        }
        let p = layout.head(layout.node_on(run.level, target));
        if self.stamp[p as usize] != self.runs {
            self.stamp[p as usize] = self.runs;
            self.label[p as usize] = label.unwrap_or(p);
            self.heap.push(Reverse(p));
            return;
        }
        if label.is_none() || self.label[p as usize] == p || label != Some(self.label[p as usize]) {
            self.label[p as usize] = p;
            event(Event::Join(target));
        }
    }

    /// The answer when following each split would cost too much: nothing behind it on its level comes together again.
    fn flood(&mut self, node: u32, event: &mut dyn FnMut(Event)) -> Split {
        let level = self.layout.level(node);
        let range = self.layout.range(level);
        let slot = if level == NONE { self.layout.components.len() } else { level as usize };
        let from = self.layout.end(node);
        let result = Split { end: range.end - 1, apart: level != NONE, leaves: level != NONE };
        let until = self.flooded[slot].min(range.end);
        if from >= until {
            return result;
        }
        self.flooded[slot] = from;
        let mut p = from;
        while p < until {
            let at = self.layout.node_on(level, self.layout.order[p as usize]);
            event(Event::Node(at));
            let inside = self.layout.end(at);
            match at.checked_sub(self.layout.blocks()) {
                None => event(Event::Join(at)),
                Some(c) => {
                    let component = &self.layout.components[c as usize];
                    event(Event::Join(component.header));
                    component.side_entries.iter().for_each(|&b| event(Event::Join(b)));
                }
            }
            p = inside;
        }
        if level != NONE {
            event(Event::HeaderJoin(self.layout.components[level as usize].header));
        }
        result
    }
}

struct Run {
    level: u32,
    /// Label of those that went to the header or out, and whether there are several.
    sink: Option<u32>,
    sinks_differ: bool,
    header: Option<u32>,
    left: bool,
}
