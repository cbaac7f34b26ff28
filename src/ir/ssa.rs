//! SSA construction: variables in, block parameters out.
//!
//! While blocks are written, a read of a variable that its block has not written yet yields a *placeholder*. When the
//! whole graph is known, placeholders are resolved variable by variable: up a chain of single predecessors, to a
//! parameter at every join (Braun et al., "Simple and efficient construction of SSA form", 2013, with all blocks
//! sealed), and parameters that turn out to carry one value are removed. Nothing recurses; the work is bounded by the
//! blocks through which variables live.

use super::dom::reverse_postorder;
use super::{Block, Func, Inst, Op, Terminator, Type, Value, ValueData, ValueDef, remove_redundant_params};
use crate::diag::Span;
use crate::id::{EntityRef, SecondaryMap, define_id};
use smallvec::SmallVec;

define_id!(/** A register, or a dword of a `.param` variable. */ Var, "v");

#[derive(Clone)]
struct VarData {
    /// Last value written in each block that writes, by the sequence number of the block, ascending.
    defs: SmallVec<[(u32, Value); 1]>,
    /// The placeholder of the block that last read without writing.
    placeholder: (u32, Value),
}

impl VarData {
    fn new() -> VarData {
        VarData { defs: SmallVec::new(), placeholder: (0, Value::new(0)) }
    }
}

/// Data of so many variables lie together.
const PAGE: usize = 64;

/// The variables of a function. It may declare far more than it uses: a page is there once something in it is touched.
#[derive(Default)]
struct Vars {
    /// The first variable of each run of one type.
    runs: Vec<(usize, Type)>,
    count: usize,
    pages: Vec<Option<Box<[VarData]>>>,
}

impl Vars {
    /// The first of some new variables.
    fn add(&mut self, ty: Type, count: usize) -> Var {
        if self.runs.last().is_none_or(|&(_, last)| last != ty) {
            self.runs.push((self.count, ty));
        }
        self.count += count;
        Var::new(self.count - count)
    }

    fn ty(&self, var: Var) -> Type {
        let after = self.runs.partition_point(|&(first, _)| first <= var.index());
        self.runs[after - 1].1
    }

    #[inline]
    fn touch(&mut self, var: Var) -> &mut VarData {
        let page = var.index() / PAGE;
        if page >= self.pages.len() {
            self.pages.resize_with(page + 1, || None);
        }
        let page = self.pages[page].get_or_insert_with(|| vec![VarData::new(); PAGE].into());
        &mut page[var.index() % PAGE]
    }

    fn defs(&self, var: Var) -> &[(u32, Value)] {
        match self.pages.get(var.index() / PAGE) {
            Some(Some(page)) => &page[var.index() % PAGE].defs,
            _ => &[],
        }
    }
}

struct Read {
    var: Var,
    block: Block,
    placeholder: Value,
}

pub struct Ssa {
    pub func: Func,
    pub current: Block,
    vars: Vars,
    reads: Vec<Read>,
    /// Position of a block in the order of writing, from 1; 0 if it has not begun. A block is written in one go.
    sequence: SecondaryMap<Block, u32>,
    begun: u32,
}

impl Ssa {
    pub fn new() -> Ssa {
        Ssa::of(Func::new())
    }

    /// Variables for a function that exists; its entry is the block being written.
    pub fn of(func: Func) -> Ssa {
        let current = func.entry;
        let mut sequence = SecondaryMap::new();
        sequence[current] = 1;
        Ssa { func, current, vars: Vars::default(), reads: Vec::new(), sequence, begun: 1 }
    }

    pub fn add_var(&mut self, ty: Type) -> Var {
        self.vars.add(ty, 1)
    }

    /// The first of some variables with consecutive numbers; those that are not used cost nothing.
    pub fn add_vars(&mut self, ty: Type, count: usize) -> Var {
        self.vars.add(ty, count)
    }

    pub fn var_count(&self) -> usize {
        self.vars.count
    }

    /// Whether a block has been begun.
    pub fn has_begun(&self, block: Block) -> bool {
        self.sequence[block] != 0
    }

    /// Makes a block the one being written; it must not have been begun.
    pub fn begin(&mut self, block: Block) {
        debug_assert!(!self.has_begun(block));
        self.begun += 1;
        self.sequence[block] = self.begun;
        self.current = block;
    }

    pub fn set_terminator(&mut self, term: Terminator, span: Span) {
        let data = &mut self.func.blocks[self.current];
        data.term = term;
        data.term_span = span;
    }

    pub fn write(&mut self, var: Var, value: Value) {
        let now = self.sequence[self.current];
        let data = self.vars.touch(var);
        match data.defs.last_mut() {
            Some(last) if last.0 == now => last.1 = value,
            _ => data.defs.push((now, value)),
        }
    }

    pub fn read(&mut self, var: Var) -> Value {
        let now = self.sequence[self.current];
        let data = self.vars.touch(var);
        match data.defs.last() {
            Some(last) if last.0 == now => return last.1,
            _ if data.placeholder.0 == now => return data.placeholder.1,
            _ => {}
        }
        let def = ValueDef::Param(self.current, u16::MAX);
        let placeholder = self.func.values.push(ValueData { ty: self.vars.ty(var), def });
        self.vars.touch(var).placeholder = (now, placeholder);
        self.reads.push(Read { var, block: self.current, placeholder });
        placeholder
    }

    /// The finished function, or the name of what is too large.
    pub fn finish(mut self) -> Result<Func, &'static str> {
        let order = reverse_postorder(&self.func);
        // Edges into each block, by the position of their source in the order.
        let mut preds: SecondaryMap<Block, SmallVec<[(Block, u32); 2]>> = SecondaryMap::new();
        let mut reachable: SecondaryMap<Block, bool> = SecondaryMap::new();
        for &block in &order {
            reachable[block] = true;
            for (n, edge) in self.func.blocks[block].term.edges().into_iter().enumerate() {
                preds[edge.block].push((block, n as u32));
            }
        }

        let mut reads = std::mem::take(&mut self.reads);
        reads.retain(|read| reachable[read.block]);
        reads.sort_by_key(|read| read.var);
        let mut join = Joins {
            vars: &self.vars,
            sequence: &self.sequence,
            preds: &preds,
            entry_values: vec![(0, Value::new(0)); self.func.blocks.len()],
            phis: Vec::new(),
            undefs: [None; 3],
            path: Vec::new(),
            func: self.func,
        };
        let mut forward: SecondaryMap<Value, Option<Value>> = SecondaryMap::new();
        for group in reads.chunk_by(|a, b| a.var == b.var) {
            join.variable(group, &mut forward);
        }
        let Joins { phis, mut func, .. } = join;

        place(&phis, &mut forward, &preds, &mut func)?;

        for &block in &order {
            for &inst in &func.blocks[block].insts {
                for arg in &mut func.insts[inst].args {
                    *arg = find(&mut forward, *arg);
                }
            }
            match &mut func.blocks[block].term {
                Terminator::Branch { cond: value, .. }
                | Terminator::Switch { index: value, .. }
                | Terminator::Wait { cond: value, .. } => {
                    *value = find(&mut forward, *value);
                }
                Terminator::Jump(_) | Terminator::Exit | Terminator::Trap | Terminator::Barrier { .. } => {}
            }
            for edge in func.blocks[block].term.edges_mut() {
                for arg in &mut edge.args {
                    *arg = find(&mut forward, *arg);
                }
            }
        }
        func.order = order;
        remove_redundant_params(&mut func);
        Ok(func)
    }
}

impl Default for Ssa {
    fn default() -> Ssa {
        Ssa::new()
    }
}

/// A parameter that a join may need, with what each edge into its block carries, in the order of the edges.
struct Phi {
    block: Block,
    value: Value,
    args: SmallVec<[Value; 4]>,
}

struct Joins<'a> {
    vars: &'a Vars,
    sequence: &'a SecondaryMap<Block, u32>,
    preds: &'a SecondaryMap<Block, SmallVec<[(Block, u32); 2]>>,
    /// The variable's value at the entry of each block; valid if the stamp is the variable's number plus one.
    entry_values: Vec<(u32, Value)>,
    phis: Vec<Phi>,
    undefs: [Option<Value>; 3],
    path: Vec<Block>,
    func: Func,
}

impl Joins<'_> {
    fn variable(&mut self, group: &[Read], forward: &mut SecondaryMap<Value, Option<Value>>) {
        let var = group[0].var;
        let first = self.phis.len();
        for read in group {
            forward[read.placeholder] = Some(self.at_entry(var, read.block));
        }
        // Arguments of a parameter may need parameters farther up; those are appended and come later.
        let mut at = first;
        while at < self.phis.len() {
            let block = self.phis[at].block;
            let preds = self.preds;
            for &(pred, _) in &preds[block] {
                let arg = self.at_exit(var, pred);
                self.phis[at].args.push(arg);
            }
            at += 1;
        }
    }

    fn at_exit(&mut self, var: Var, block: Block) -> Value {
        match self.written(var, block) {
            Some(value) => value,
            None => self.at_entry(var, block),
        }
    }

    fn written(&self, var: Var, block: Block) -> Option<Value> {
        let defs = self.vars.defs(var);
        let sequence = self.sequence[block];
        defs.binary_search_by_key(&sequence, |def| def.0).ok().map(|n| defs[n].1)
    }

    fn at_entry(&mut self, var: Var, start: Block) -> Value {
        let stamp = var.index() as u32 + 1;
        self.path.clear();
        let mut block = start;
        let value = loop {
            let (seen, value) = self.entry_values[block.index()];
            if seen == stamp {
                break value;
            }
            self.path.push(block);
            match self.preds[block][..] {
                [] => break self.undef(self.vars.ty(var)),
                [(pred, _)] => {
                    if let Some(value) = self.written(var, pred) {
                        break value;
                    }
                    block = pred;
                }
                _ => {
                    let def = ValueDef::Param(block, u16::MAX);
                    let value = self.func.values.push(ValueData { ty: self.vars.ty(var), def });
                    self.phis.push(Phi { block, value, args: SmallVec::new() });
                    break value;
                }
            }
        };
        for block in self.path.drain(..) {
            self.entry_values[block.index()] = (stamp, value);
        }
        value
    }

    /// One undefined value of each type, at the head of the entry.
    fn undef(&mut self, ty: Type) -> Value {
        let slot = ty as usize;
        if let Some(value) = self.undefs[slot] {
            return value;
        }
        let inst: Inst = self.func.make(Op::Undef(ty), [], Span::NONE);
        let entry = self.func.entry;
        self.func.blocks[entry].insts.insert(0, inst);
        let value = self.func.result(inst);
        self.undefs[slot] = Some(value);
        value
    }
}

/// What a value stands for in the end, with path compression.
fn find(forward: &mut SecondaryMap<Value, Option<Value>>, value: Value) -> Value {
    let mut root = value;
    while let Some(next) = forward.get(root).copied().flatten() {
        root = next;
    }
    let mut at = value;
    while at != root {
        let next = forward[at].unwrap_or(root);
        forward[at] = Some(root);
        at = next;
    }
    root
}

/// Makes the parameters, and hands their arguments to the edges.
fn place(
    phis: &[Phi],
    forward: &mut SecondaryMap<Value, Option<Value>>,
    preds: &SecondaryMap<Block, SmallVec<[(Block, u32); 2]>>,
    func: &mut Func,
) -> Result<(), &'static str> {
    for phi in phis {
        let n = func.blocks[phi.block].params.len();
        if n >= u16::MAX as usize {
            return Err("more than 65534 registers meet at one label");
        }
        func.values[phi.value].def = ValueDef::Param(phi.block, n as u16);
        func.blocks[phi.block].params.push(phi.value);
        for (&(pred, edge), &arg) in preds[phi.block].iter().zip(&phi.args) {
            let arg = find(forward, arg);
            if let Some(edge) = func.blocks[pred].term.edge_mut(edge as usize) {
                edge.args.push(arg);
            }
        }
    }
    Ok(())
}
