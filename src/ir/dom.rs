//! Reverse postorder, predecessors and dominators.
//!
//! The dominator tree is Lengauer and Tarjan's with path compression ("A fast algorithm for finding dominators in a
//! flowgraph", 1979, the simple version): O(edges * log blocks), and no recursion.

use super::{Block, Func};
use crate::id::{EntityRef, SecondaryMap};
use cranelift_entity::packed_option::PackedOption;
use smallvec::SmallVec;

/// The reachable blocks in reverse postorder.
pub fn reverse_postorder(func: &Func) -> Vec<Block> {
    let mut seen = vec![false; func.blocks.len()];
    let mut order = Vec::new();
    let mut stack: Vec<(Block, SmallVec<[Block; 2]>)> = vec![(func.entry, func.successors(func.entry))];
    seen[func.entry.index()] = true;
    while let Some((block, rest)) = stack.last_mut() {
        match rest.pop() {
            Some(next) => {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    stack.push((next, func.successors(next)));
                }
            }
            None => {
                order.push(*block);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Predecessors of each block of `func.order`: one entry for each edge, in layout order.
pub fn predecessors(func: &Func) -> SecondaryMap<Block, SmallVec<[Block; 4]>> {
    let mut preds: SecondaryMap<Block, SmallVec<[Block; 4]>> = SecondaryMap::new();
    for &block in &func.order {
        for edge in func.blocks[block].term.edges() {
            preds[edge.block].push(block);
        }
    }
    preds
}

/// The dominator tree over the blocks that the entry reaches.
#[derive(Debug, Clone)]
pub struct Dominators {
    idom: SecondaryMap<Block, PackedOption<Block>>,
    /// Preorder number in the tree and the last number of the subtree; `(1, 0)` for unreachable blocks.
    range: SecondaryMap<Block, (u32, u32)>,
    /// The tree in preorder.
    preorder: Vec<Block>,
}

impl Dominators {
    pub fn new(func: &Func) -> Dominators {
        let tree = lengauer_tarjan(func);
        let mut idom: SecondaryMap<Block, PackedOption<Block>> = SecondaryMap::new();
        let mut children: SecondaryMap<Block, SmallVec<[Block; 4]>> = SecondaryMap::new();
        for &(block, parent) in &tree {
            idom[block] = Some(parent).into();
            children[parent].push(block);
        }
        let mut range = SecondaryMap::with_default((1, 0));
        let mut preorder = Vec::new();
        let mut stack = vec![(func.entry, false)];
        while let Some((block, done)) = stack.pop() {
            if done {
                range[block].1 = preorder.len() as u32 - 1;
                continue;
            }
            range[block].0 = preorder.len() as u32;
            preorder.push(block);
            stack.push((block, true));
            stack.extend(children[block].iter().rev().map(|&child| (child, false)));
        }
        Dominators { idom, range, preorder }
    }

    /// The immediate dominator; none for the entry and for unreachable blocks.
    pub fn idom(&self, block: Block) -> Option<Block> {
        self.idom[block].expand()
    }

    pub fn is_reachable(&self, block: Block) -> bool {
        self.range[block].0 <= self.range[block].1
    }

    /// Whether `a` dominates `b`; a block dominates itself.
    pub fn dominates(&self, a: Block, b: Block) -> bool {
        let ((a_first, a_last), (b_first, _)) = (self.range[a], self.range[b]);
        self.is_reachable(b) && a_first <= b_first && b_first <= a_last
    }

    /// Every reachable block, each after its dominator.
    pub fn preorder(&self) -> &[Block] {
        &self.preorder
    }
}

/// Each reachable block but the entry with its immediate dominator, in depth-first preorder of the graph.
fn lengauer_tarjan(func: &Func) -> Vec<(Block, Block)> {
    // Depth-first numbering; everything below is by number.
    const NONE: usize = usize::MAX;
    let mut number = vec![NONE; func.blocks.len()];
    let (mut vertex, mut parent) = (Vec::new(), Vec::new());
    let mut preds: Vec<SmallVec<[usize; 4]>> = Vec::new();
    let mut stack = vec![(func.entry, NONE)];
    while let Some((block, from)) = stack.pop() {
        if number[block.index()] != NONE {
            preds[number[block.index()]].push(from);
            continue;
        }
        let n = vertex.len();
        number[block.index()] = n;
        vertex.push(block);
        parent.push(from);
        preds.push(if from == NONE { SmallVec::new() } else { SmallVec::from_slice(&[from]) });
        stack.extend(func.successors(block).into_iter().rev().map(|next| (next, n)));
    }

    let count = vertex.len();
    let mut semi: Vec<usize> = (0..count).collect();
    let mut label = semi.clone();
    let mut ancestor = vec![NONE; count];
    let mut idom = vec![0; count];
    let mut bucket: Vec<SmallVec<[usize; 2]>> = vec![SmallVec::new(); count];
    let mut path = Vec::new();
    for w in (1..count).rev() {
        for &v in &preds[w] {
            let u = eval(v, &semi, &mut label, &mut ancestor, &mut path);
            semi[w] = semi[w].min(semi[u]);
        }
        bucket[semi[w]].push(w);
        ancestor[w] = parent[w];
        for v in std::mem::take(&mut bucket[parent[w]]) {
            let u = eval(v, &semi, &mut label, &mut ancestor, &mut path);
            idom[v] = if semi[u] < semi[v] { u } else { parent[w] };
        }
    }
    for w in 1..count {
        if idom[w] != semi[w] {
            idom[w] = idom[idom[w]];
        }
    }
    (1..count).map(|w| (vertex[w], vertex[idom[w]])).collect()
}

/// The vertex of least semidominator on the forest path above `v`, compressing the path.
fn eval(v: usize, semi: &[usize], label: &mut [usize], ancestor: &mut [usize], path: &mut Vec<usize>) -> usize {
    const NONE: usize = usize::MAX;
    if ancestor[v] == NONE {
        return label[v];
    }
    path.clear();
    let mut at = v;
    while ancestor[ancestor[at]] != NONE {
        path.push(at);
        at = ancestor[at];
    }
    while let Some(w) = path.pop() {
        let up = ancestor[w];
        if semi[label[up]] < semi[label[w]] {
            label[w] = label[up];
        }
        ancestor[w] = ancestor[up];
    }
    label[v]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Edge, Op, Terminator, Type};

    /// A block is dominated by another if cutting the other out makes it unreachable: the definition, by brute force.
    fn reachable_without(func: &Func, cut: Block) -> Vec<bool> {
        let mut seen = vec![false; func.blocks.len()];
        let mut stack = if cut == func.entry { vec![] } else { vec![func.entry] };
        while let Some(block) = stack.pop() {
            if block != cut && !std::mem::replace(&mut seen[block.index()], true) {
                stack.extend(func.successors(block));
            }
        }
        seen
    }

    proptest::proptest! {
        #[test]
        fn dominators_agree_with_their_definition(edges in proptest::collection::vec((0usize..12, 0usize..12), 12)) {
            let mut func = Func::new();
            while func.blocks.len() < 12 {
                func.add_block();
            }
            let inst = func.push(func.entry, Op::Undef(Type::Pred), [], crate::diag::Span::NONE);
            let cond = func.result(inst);
            for (n, &(a, b)) in edges.iter().enumerate() {
                let (then, els) = (Edge::new(Block::new(a), []), Edge::new(Block::new(b), []));
                func.blocks[Block::new(n)].term = match (a + b) % 5 {
                    0 => Terminator::Exit,
                    _ => Terminator::Branch { cond, then, els },
                };
            }
            let dominators = Dominators::new(&func);
            for a in func.blocks.keys() {
                let without = reachable_without(&func, a);
                for b in func.blocks.keys() {
                    let expected = dominators.is_reachable(b) && !without[b.index()];
                    proptest::prop_assert_eq!(dominators.dominates(a, b), expected, "{} over {}", a, b);
                }
            }
            let order = reverse_postorder(&func);
            for b in func.blocks.keys() {
                proptest::prop_assert_eq!(order.contains(&b), dominators.is_reachable(b));
            }
        }
    }
}
