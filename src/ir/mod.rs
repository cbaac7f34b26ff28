//! The IR: SSA over dword values, with byte permutes as first-class ops.
//!
//! A value is one dword per thread ([`Type::B32`]), a group of two ([`Type::B64`]), or one bit per thread
//! ([`Type::Pred`]). 8- and 16-bit PTX registers live in the low bits of a dword whose high bits are *unspecified*: an op that
//! cares extends first. Blocks have parameters instead of phis. There is one function per kernel: calls are inlined
//! by `lift`. The IR knows neither how a value was spelled in PTX nor which target comes next.
//!
//! Not here: registers of any machine, EXEC, the order of blocks in memory.

pub mod barrier;
pub mod byteperm;
mod compact;
mod decided;
pub mod divergence;
pub mod dom;
pub mod lanemap;
pub mod op;
mod params;
pub mod ssa;
pub mod text;
mod verify;
mod words;

pub use compact::compact;
pub use op::*;
pub use params::remove_redundant_params;
pub use verify::verify;

use crate::diag::Span;
use crate::id::{PrimaryMap, SecondaryMap, define_id};
use smallvec::SmallVec;

define_id!(/** An SSA value. */ Value, "%");
define_id!(/** An instruction. */ Inst, "inst");
define_id!(/** A basic block. */ Block, "bb");
define_id!(/** A variable of the module in global memory (`.global` or `.const`). */ Global, "@g");

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Type {
    /// One bit per thread.
    Pred,
    /// One dword per thread.
    B32,
    /// A group of two dwords, low first.
    B64,
}

impl Type {
    /// Dwords of the group; 0 for a predicate.
    pub fn dwords(self) -> u8 {
        match self {
            Type::Pred => 0,
            Type::B32 => 1,
            Type::B64 => 2,
        }
    }
}

/// What a module turns into: kernels, and the variables they share.
#[derive(Debug, Default)]
pub struct Module {
    pub kernels: Vec<Kernel>,
    pub globals: PrimaryMap<Global, GlobalData>,
}

/// A `.global` or `.const` variable.
#[derive(Clone, Debug, PartialEq)]
pub struct GlobalData {
    pub name: String,
    pub size_bytes: u64,
    pub align_bytes: u32,
    /// Initial bytes; shorter than the size means that zeros follow.
    pub init: Vec<u8>,
    /// Addresses inside the initial bytes.
    pub relocs: Vec<GlobalReloc>,
    pub constant: bool,
    /// Visible to the host by name.
    pub exported: bool,
    pub span: Span,
}

/// 8 bytes at `offset_bytes` hold the address of `target` plus `addend`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct GlobalReloc {
    pub offset_bytes: u64,
    pub target: Global,
    pub addend: i64,
}

#[derive(Clone, Debug)]
pub struct Kernel {
    pub name: String,
    pub func: Func,
    /// In PTX order, at natural (or stated) alignment.
    pub params: Vec<Param>,
    /// All parameters, without hidden arguments.
    pub param_bytes: u32,
    pub param_align_bytes: u32,
    /// Static `.shared` memory; addresses of its variables are constants in the code.
    pub shared_bytes: u32,
    /// Whether dynamic `.shared` memory (an `extern` array) is used; it starts at `shared_bytes` rounded up to its alignment,
    /// which `shared_bytes` already includes.
    pub dynamic_shared: bool,
    /// `.local` memory of a thread; addresses of its variables are constants in the code.
    pub local_bytes: u32,
    /// `.reqntid` (exact) and `.maxntid` (a bound), if stated.
    pub reqntid: Option<[u32; 3]>,
    pub maxntid: Option<[u32; 3]>,
    /// `.minnctapersm`: how many CTAs should run on a multiprocessor at once, if stated. A hint.
    pub min_ctas_per_sm: Option<u32>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub name: String,
    pub offset_bytes: u32,
    pub size_bytes: u32,
    pub align_bytes: u32,
    /// A pointer by its `.ptr` attribute, else a value (PTX does not say which 64-bit parameters are addresses).
    pub pointer: bool,
    /// PTX type for the metadata: `u32`, `f64`, `b8[16]`.
    pub type_name: String,
}

/// One kernel's code.
#[derive(Debug, Clone)]
pub struct Func {
    pub values: PrimaryMap<Value, ValueData>,
    pub insts: PrimaryMap<Inst, InstData>,
    pub blocks: PrimaryMap<Block, BlockData>,
    /// Where each instruction comes from.
    pub spans: SecondaryMap<Inst, Span>,
    pub entry: Block,
    /// Reachable blocks, in reverse postorder from the entry once `lift` is done.
    pub order: Vec<Block>,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub struct ValueData {
    pub ty: Type,
    pub def: ValueDef,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum ValueDef {
    /// The `n`th result of an instruction.
    Result(Inst, u16),
    /// The `n`th parameter of a block.
    Param(Block, u16),
}

#[derive(Clone, Debug, PartialEq)]
pub struct InstData {
    pub op: Op,
    pub args: SmallVec<[Value; 4]>,
    pub results: SmallVec<[Value; 2]>,
}

#[derive(Clone, Debug, Default)]
pub struct BlockData {
    pub params: Vec<Value>,
    pub insts: Vec<Inst>,
    pub term: Terminator,
    pub term_span: Span,
    /// A resume point: lanes may wait here while others run past. The block after a barrier that is not whole (entered by the barrier
    /// alone), or the header of a loop that yields. `divergence::prepare` sets it.
    pub resume: bool,
}

/// A successor with the values of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    pub block: Block,
    pub args: SmallVec<[Value; 4]>,
}

impl Edge {
    pub fn new(block: Block, args: impl IntoIterator<Item = Value>) -> Edge {
        Edge { block, args: args.into_iter().collect() }
    }
}

/// How a block ends, for each thread by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Terminator {
    Jump(Edge),
    Branch {
        cond: Value,
        then: Edge,
        els: Edge,
    },
    /// `brx.idx`: the `index`th target; an index out of range is undefined in PTX.
    Switch {
        index: Value,
        targets: Vec<Edge>,
    },
    /// `exit`, or `ret` of the kernel: the thread is gone.
    #[default]
    Exit,
    /// `trap`: the whole launch is aborted.
    Trap,
    /// A thread whose condition is set waits, and runs the block again when more threads have come to it or others have ended; the
    /// others go on. [`divergence::prepare`] makes it of a `warp_sync` that threads may come to apart.
    Wait {
        cond: Value,
        next: Edge,
    },
    /// The thread waits at the barrier of its CTA for all threads of that which have not ended; then it goes on.
    Barrier {
        barrier: Barrier,
        next: Edge,
    },
}

/// What is known about a barrier of the hardware. Barriers for some of the threads are [`barrier`]'s.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Barrier {
    /// Whether every live lane of a wave provably arrives together. `ir::divergence` sets it; false is always right.
    pub whole: bool,
}

impl Terminator {
    pub fn edges(&self) -> SmallVec<[&Edge; 2]> {
        match self {
            Terminator::Jump(e) | Terminator::Wait { next: e, .. } | Terminator::Barrier { next: e, .. } => {
                SmallVec::from_slice(&[e])
            }
            Terminator::Branch { then, els, .. } => SmallVec::from_slice(&[then, els]),
            Terminator::Switch { targets, .. } => targets.iter().collect(),
            Terminator::Exit | Terminator::Trap => SmallVec::new(),
        }
    }

    pub fn edges_mut(&mut self) -> SmallVec<[&mut Edge; 2]> {
        let mut out = SmallVec::new();
        match self {
            Terminator::Jump(e) | Terminator::Wait { next: e, .. } | Terminator::Barrier { next: e, .. } => out.push(e),
            Terminator::Branch { then, els, .. } => {
                out.push(then);
                out.push(els);
            }
            Terminator::Switch { targets, .. } => out.extend(targets.iter_mut()),
            Terminator::Exit | Terminator::Trap => {}
        }
        out
    }

    /// The `n`th edge, in the order of [`Terminator::edges`].
    pub fn edge(&self, n: usize) -> Option<&Edge> {
        match self {
            Terminator::Jump(e) | Terminator::Wait { next: e, .. } | Terminator::Barrier { next: e, .. } => {
                (n == 0).then_some(e)
            }
            Terminator::Branch { then, els, .. } => [then, els].get(n).copied(),
            Terminator::Switch { targets, .. } => targets.get(n),
            Terminator::Exit | Terminator::Trap => None,
        }
    }

    pub fn edge_mut(&mut self, n: usize) -> Option<&mut Edge> {
        match self {
            Terminator::Jump(e) | Terminator::Wait { next: e, .. } | Terminator::Barrier { next: e, .. } => {
                (n == 0).then_some(e)
            }
            Terminator::Branch { then, els, .. } => match n {
                0 => Some(then),
                1 => Some(els),
                _ => None,
            },
            Terminator::Switch { targets, .. } => targets.get_mut(n),
            Terminator::Exit | Terminator::Trap => None,
        }
    }

    /// The value it decides by.
    pub fn condition(&self) -> Option<Value> {
        match self {
            Terminator::Branch { cond, .. } | Terminator::Wait { cond, .. } => Some(*cond),
            Terminator::Switch { index, .. } => Some(*index),
            _ => None,
        }
    }
}

impl Func {
    pub fn new() -> Func {
        let mut blocks = PrimaryMap::new();
        let entry = blocks.push(BlockData::default());
        Func {
            values: PrimaryMap::new(),
            insts: PrimaryMap::new(),
            blocks,
            spans: SecondaryMap::with_default(Span::NONE),
            entry,
            order: vec![entry],
        }
    }

    /// Makes room for so many more instructions with one result each.
    pub fn reserve(&mut self, insts: usize) {
        self.insts.reserve(insts);
        self.values.reserve(insts);
    }

    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData::default())
    }

    pub fn add_param(&mut self, block: Block, ty: Type) -> Value {
        let n = self.blocks[block].params.len() as u16;
        let value = self.values.push(ValueData { ty, def: ValueDef::Param(block, n) });
        self.blocks[block].params.push(value);
        value
    }

    /// Appends an instruction; its results get the types that [`Op::results`] states.
    pub fn push(&mut self, block: Block, op: Op, args: impl IntoIterator<Item = Value>, span: Span) -> Inst {
        let inst = self.make(op, args, span);
        self.blocks[block].insts.push(inst);
        inst
    }

    /// Makes an instruction that is in no block yet.
    pub fn make(&mut self, op: Op, args: impl IntoIterator<Item = Value>, span: Span) -> Inst {
        let types = op.results();
        let inst = self.insts.push(InstData { op, args: args.into_iter().collect(), results: SmallVec::new() });
        for (n, ty) in types.into_iter().enumerate() {
            let value = self.values.push(ValueData { ty, def: ValueDef::Result(inst, n as u16) });
            self.insts[inst].results.push(value);
        }
        self.spans[inst] = span;
        inst
    }

    pub fn result(&self, inst: Inst) -> Value {
        self.insts[inst].results[0]
    }

    pub fn ty(&self, value: Value) -> Type {
        self.values[value].ty
    }

    /// The op that defines a value, if an instruction does.
    pub fn def(&self, value: Value) -> Option<(&InstData, u16)> {
        match self.values[value].def {
            ValueDef::Result(inst, n) => Some((&self.insts[inst], n)),
            ValueDef::Param(..) => None,
        }
    }

    pub fn successors(&self, block: Block) -> SmallVec<[Block; 2]> {
        self.blocks[block].term.edges().into_iter().map(|e| e.block).collect()
    }
}

impl Default for Func {
    fn default() -> Func {
        Func::new()
    }
}
