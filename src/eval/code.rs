//! A kernel and what it calls, decoded once: flat instructions over the slots of a frame.
//!
//! A frame is a window of 64-bit slots: a few fixed ones, the constants, the registers. Every register has its declared size
//! in the low bits and zeros above. `.param` variables of calls and `.local` variables lie in the thread's local memory.

use super::int::{Compute, Compute2};
use crate::diag::Span;

/// A place in the frame.
pub type Slot = u32;

/// `CC.CF`.
pub const CARRY: Slot = 0;
/// Where the frame's local memory begins.
pub const LOCAL_BASE: Slot = 1;
/// Takes results that nobody wants.
pub const SINK: Slot = 2;
/// Always zero.
pub const ZERO: Slot = 3;
/// The first free one.
pub const FIRST: Slot = 4;
/// No guard.
pub const NONE: Slot = u32::MAX;

#[derive(Copy, Clone)]
pub struct Inst {
    pub kind: Kind,
    /// Executed if the guard's slot has this value.
    pub guard: Slot,
    pub when: bool,
    /// The statement it comes from.
    pub span: Span,
}

impl Inst {
    /// The slots that it reads, the guard's left out.
    pub fn sources(&self, function: &Function) -> Vec<Slot> {
        match self.kind {
            Kind::Compute { s, .. } | Kind::Compute2 { s, .. } => s.to_vec(),
            Kind::Load(n) => vec![function.accesses[n as usize].base],
            Kind::Store(n) => {
                let access = &function.accesses[n as usize];
                access.list.iter().map(|(slot, _)| *slot).chain([access.base]).collect()
            }
            Kind::Atomic(n) => {
                let access = &function.accesses[n as usize];
                let [a, b] = access.atomic.map_or([ZERO; 2], |atomic| atomic.s);
                vec![access.base, a, b]
            }
            Kind::Table(n) => vec![function.tables[n as usize].index],
            Kind::Warp(n) => {
                let op = &function.warp_ops[n as usize];
                op.s.iter().copied().chain(op.mask).collect()
            }
            Kind::Barrier(n) => match function.barriers[n as usize].kind {
                BarrierKind::Popc { p, .. } | BarrierKind::And { p, .. } | BarrierKind::Or { p, .. } => vec![p],
                BarrierKind::Sync | BarrierKind::Arrive => vec![],
            },
            Kind::Special { .. } | Kind::Fence | Kind::Branch(_) | Kind::Call(_) | Kind::Ret | Kind::Exit => vec![],
            Kind::Trap | Kind::Nop => vec![],
        }
    }

    /// The same without the address of a store or atomic.
    pub fn values(&self, function: &Function) -> Vec<Slot> {
        match self.kind {
            Kind::Store(n) => function.accesses[n as usize].list.iter().map(|(slot, _)| *slot).collect(),
            Kind::Atomic(n) => function.accesses[n as usize].atomic.map_or(vec![], |atomic| atomic.s.to_vec()),
            _ => self.sources(function),
        }
    }
}

#[derive(Copy, Clone)]
pub enum Kind {
    Compute {
        f: Compute,
        d: Slot,
        s: [Slot; 4],
    },
    Compute2 {
        f: Compute2,
        d: [Slot; 2],
        s: [Slot; 4],
    },
    Special {
        d: Slot,
        which: Special,
    },
    /// Index in [`Function::accesses`], as for stores and atomics.
    Load(u32),
    Store(u32),
    Atomic(u32),
    Fence,
    Branch(u32),
    /// Index in [`Function::tables`].
    Table(u32),
    Call(u32),
    Ret,
    Exit,
    Trap,
    /// Index in [`Function::barriers`].
    Barrier(u32),
    /// Index in [`Function::warp_ops`].
    Warp(u32),
    Nop,
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Special {
    Tid(u8),
    Ntid(u8),
    Ctaid(u8),
    Nctaid(u8),
    LaneId,
    WarpId,
    NWarpId,
    MaskEq,
    MaskLe,
    MaskLt,
    MaskGe,
    MaskGt,
    DynamicSharedBytes,
    TotalSharedBytes,
    /// Instructions that the thread has executed; the low dword, the high one, or both.
    Clock(u8),
    /// What has one value here: processor 0 of 1, grid 0, no cluster.
    Fixed(u64),
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Space {
    Generic,
    Global,
    Const,
    Shared,
    Local,
}

/// How an access takes part in the memory model.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Order {
    Weak,
    /// `volatile`, `relaxed` and atomics: they race with nothing that is strong as well.
    Strong,
    Acquire,
    Release,
    AcquireRelease,
}

pub struct Access {
    pub space: Space,
    pub base: Slot,
    pub offset: i64,
    /// Bytes of an element.
    pub bytes: u8,
    /// A load extends by the sign.
    pub signed: bool,
    pub order: Order,
    /// Registers loaded or stored, with their sizes in bytes.
    pub list: Vec<(Slot, u8)>,
    pub atomic: Option<Atomic>,
}

#[derive(Copy, Clone)]
pub struct Atomic {
    /// From the old value and two operands to the new value.
    pub f: Compute,
    pub d: Slot,
    pub s: [Slot; 2],
}

pub struct Table {
    pub index: Slot,
    pub targets: Vec<u32>,
}

#[derive(Copy, Clone)]
pub enum Callee {
    Direct(u32),
    Indirect(Slot),
}

/// Where an argument or result lies in a frame.
#[derive(Copy, Clone, Debug)]
pub enum Passed {
    Slot(Slot),
    /// Bytes of local memory from the frame's base on.
    Frame {
        offset: u32,
        bytes: u32,
    },
}

pub struct Call {
    pub callee: Callee,
    pub arguments: Vec<Passed>,
    pub results: Vec<Passed>,
}

pub struct Barrier {
    pub number: Slot,
    /// Threads that take part; all without.
    pub count: Option<Slot>,
    pub kind: BarrierKind,
    /// All threads of a warp must execute the same instruction.
    pub aligned: bool,
}

#[derive(Copy, Clone)]
pub enum BarrierKind {
    Sync,
    Arrive,
    /// A predicate is counted or combined over all threads.
    Popc {
        d: Slot,
        p: Slot,
    },
    And {
        d: Slot,
        p: Slot,
    },
    Or {
        d: Slot,
        p: Slot,
    },
}

/// An instruction that the threads of a warp execute together.
pub struct WarpOp {
    pub kind: WarpKind,
    /// Threads that meet must agree on it: opcode and qualifiers.
    pub key: u32,
    /// The membermask; `None` is whoever is there.
    pub mask: Option<Slot>,
    pub d: Slot,
    /// The predicate result.
    pub p: Slot,
    pub s: [Slot; 3],
}

#[derive(Copy, Clone)]
pub enum WarpKind {
    Barrier,
    ShflUp,
    ShflDown,
    ShflBfly,
    ShflIdx,
    VoteAll,
    VoteAny,
    VoteUni,
    Ballot,
    MatchAny,
    MatchAll,
    /// The function combines two values.
    Redux(Compute),
    /// A value alone is combined with itself.
    ReduxFloat(Compute),
    Elect,
    ActiveMask,
}

/// What a constant slot holds besides its number.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Reloc {
    /// Address of a module variable.
    Variable(u32),
    /// Address of the kernel's parameters.
    Params,
    /// Offset of the dynamic shared memory.
    DynamicShared,
    /// A function's number as an address.
    Function(u32),
}

#[derive(Default)]
pub struct Function {
    pub name: String,
    pub insts: Vec<Inst>,
    pub accesses: Vec<Access>,
    pub tables: Vec<Table>,
    pub calls: Vec<Call>,
    pub barriers: Vec<Barrier>,
    pub warp_ops: Vec<WarpOp>,
    /// Slots at the beginning: constants, zeros for registers.
    pub template: Vec<u64>,
    /// Which slots are declared registers; the rest are constants and temporaries.
    pub is_register: Vec<bool>,
    pub relocs: Vec<(Slot, Reloc)>,
    pub local_bytes: u32,
    pub params: Vec<Passed>,
    pub returns: Vec<Passed>,
}

/// A `.global` or `.const` variable.
#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub bytes: Vec<u8>,
    pub align: u32,
    pub writable: bool,
    /// The host can see it.
    pub exported: bool,
    /// Where addresses of variables stand in the bytes.
    pub pointers: Vec<Pointer>,
}

#[derive(Copy, Clone, Debug)]
pub enum Target {
    Variable(u32),
    Function(u32),
}

#[derive(Copy, Clone, Debug)]
pub struct Pointer {
    pub at: u32,
    pub target: Target,
    pub addend: i64,
    /// A mask of one byte selects that byte of the address.
    pub mask: Option<u64>,
}

/// A parameter of the kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: String,
    pub offset: u32,
    pub bytes: u32,
    /// A `.u64`, `.b64` or `.s64` scalar, which may hold an address.
    pub may_point: bool,
}

pub struct Program {
    pub kernel: String,
    /// The kernel is the first.
    pub functions: Vec<Function>,
    pub variables: Vec<Variable>,
    pub params: Vec<Param>,
    pub param_bytes: u32,
    pub shared_bytes: u32,
    /// Of dynamic shared memory, bytes; 1 without any.
    pub dynamic_align: u32,
    pub has_dynamic_shared: bool,
    pub reqntid: Option<[u32; 3]>,
    pub maxntid: Option<[u32; 3]>,
    /// Some instruction computes floats, so bits of a NaN may be open.
    pub computes_floats: bool,
}
