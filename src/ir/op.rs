//! The ops of the IR and what they mean.
//!
//! Shift amounts are taken modulo the width, as machines do: `lift` adds PTX's clamping. Arguments and results are named in
//! each item's comment; `W` is the width of an op's type.

use super::byteperm::ByteSel;
use super::lanemap::{LaneMap, ShuffleMode};
use super::{Global, Type};
use smallvec::{SmallVec, smallvec};

/// 32 or 64 bits.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Width {
    W32,
    W64,
}

impl Width {
    pub fn ty(self) -> Type {
        match self {
            Width::W32 => Type::B32,
            Width::W64 => Type::B64,
        }
    }
    pub fn bits(self) -> u32 {
        match self {
            Width::W32 => 32,
            Width::W64 => 64,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Const32(u32),
    Const64(u64),
    ConstPred(bool),
    /// Any bits; each use may differ.
    Undef(Type),
    /// A special register: B32.
    Special(Special),
    /// Address of a module variable plus bytes: B64.
    GlobalAddr(Global, i64),
    /// Address of the kernel's parameters, for dynamic indexing: B64 in `Space::Global` terms.
    ParamBase,
    /// High dword of generic addresses in an aperture: B32. Or the base of local memory, B64.
    Aperture(Aperture),

    /// (lo, hi) -> B64.
    Pack64,
    /// B64 -> B32.
    Lo,
    Hi,

    /// (a, b) -> W.
    Int(IntOp, Width),
    /// (a) -> W, except counts, which are B32 for both widths.
    Unary(UnaryOp, Width),
    /// (a: B32, b: B32) -> B64: the full product.
    MulWide {
        signed: bool,
    },
    /// (a, b, c: B32) -> B32: a * b + c, low half, of 24-bit operands (the upper 8 bits of a and b are ignored).
    Mad24 {
        signed: bool,
    },
    /// (a, b: B32) -> B32: bits 47:16 of the 48-bit product (`mul24.hi`).
    Mul24Hi {
        signed: bool,
    },
    /// (a, b, carry: Pred) -> (W, carry out: Pred).
    AddCarry(Width),
    /// (a, b, borrow: Pred) -> (W, borrow out: Pred): a - b - borrow.
    SubBorrow(Width),
    /// (a, b, c: B32) -> B32: the truth table's bit `a<<2 | b<<1 | c`, bit by bit.
    Lop3(u8),
    /// (hi, lo, amount: B32) -> B32: low dword of {hi, lo} >> (amount mod 32).
    FunnelShr,
    /// (a, pos, len: B32) -> B32: len mod 32 bits from pos mod 32 up, zero- or sign-extended; 0 if the length is 0.
    Bfe {
        signed: bool,
    },
    /// (mask, a, b: B32) -> B32: (mask & a) | (!mask & b).
    BitSelect,
    /// (a, b, c: B32) -> B32: c + |a - b|.
    Sad {
        signed: bool,
    },
    /// (a, b, c: B32) -> B32: c + the dot product of four bytes each.
    Dot4 {
        a_signed: bool,
        b_signed: bool,
    },
    /// (sources: B32...) -> B32.
    BytePerm([ByteSel; 4]),
    /// (a, b, selector: B32) -> B32: PTX `prmt` with a selector that is not a constant.
    PrmtDynamic(PrmtMode),

    /// (a, b) -> Pred.
    Cmp(CmpOp, Width),
    /// (p, q) -> Pred.
    PredBin(PredOp),
    /// (p) -> Pred.
    PredNot,
    /// (p, if true, if false) -> type.
    Select(Type),

    /// (args) -> float type; see [`FloatOp`].
    Float(FloatOp, FloatTy, FloatEnv),
    /// (a, b) -> Pred.
    FCmp(FCmpOp, FloatTy, FloatEnv),
    /// (a: F32) -> F32: the reciprocal, within 1 ulp where it and the argument are normal; of zero, infinity.
    RcpF32,
    /// (a: F32) -> F32: as near as PTX asks of the `.approx` form. With `ftz` subnormal arguments and results are zeros.
    Approx {
        op: ApproxOp,
        ftz: bool,
    },
    /// (a: float) -> float of another size.
    FloatConvert {
        from: FloatTy,
        to: FloatTy,
        env: FloatEnv,
    },
    /// (a: W) -> float.
    IntToFloat {
        signed: bool,
        from: Width,
        to: FloatTy,
        env: FloatEnv,
    },
    /// (a: float) -> W: rounded as `round` says, saturated to W; NaN gives 0.
    FloatToInt {
        signed: bool,
        from: FloatTy,
        to: Width,
        round: Round,
        ftz: bool,
    },

    /// (address) -> `count` values. Shared and local addresses are B32, the others B64; for `Space::Param` there is no
    /// address and `offset` counts from the first parameter.
    Load(Mem),
    /// (address, values...).
    Store(Mem),
    /// (address, a) or (address, compare, new) -> W: the old value.
    Atomic {
        op: AtomicOp,
        width: Width,
        mem: Mem,
    },
    /// Memory ordering without access (`membar`, `fence`).
    Fence(Scope),

    // What the threads of a warp do together. "Active" are those that execute the instruction at the same time: all that come to it
    // in this iteration of the loops around it. Such an op must not be moved to where others are active.
    /// (p: Pred) -> B32: the active threads of the warp for which p holds, a bit each.
    Ballot,
    /// -> B32: the lanes of the thread's warp whose threads have not ended.
    LiveLanes,
    /// (a: B32) -> B32: a of the first active lane of the thread's warp.
    FromFirstLane,
    /// (a, b, c: B32) -> (B32, Pred): PTX `shfl`. `opt::lanes` turns it into the ops below.
    Shuffle(ShuffleMode),
    /// (a, from: B32) -> B32: the a of thread `from` of the warp, which is 0 to 31. Any bits if that is not active.
    LaneRead,
    /// (a: B32) -> B32: the a of the thread that the map names. Any bits if that is not active.
    LanePerm(LaneMap),
    /// -> Pred: the thread's own bit.
    LaneBits(u32),
    /// (members: B32): waits until all members (threads of the warp, a bit each) that are alive are here, with their memory accesses
    /// before this one done as far as the members can see. [`super::divergence::prepare`] removes it where that is so anyway.
    WarpSync,
    /// (members, word: B32): the same for `bar.warp.sync`, at whatever such instruction a member is. The word of LDS has a bit for each
    /// thread of the warp that waits apart from others; see [`super::barrier::warp`].
    WarpBarrier,
    /// (id: B32[, threads: B32][, p: Pred]) -> nothing, B32 or Pred: see [`Bar`].
    Bar(Bar),
}

/// `bar`, `barrier`: what `lift` writes, and [`super::barrier`] turns into terminators or code.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct Bar {
    pub kind: BarKind,
    /// With a number of threads; without, all of the CTA take part.
    pub counted: bool,
    /// The threads of a warp come to this very instruction together.
    pub aligned: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum BarKind {
    /// Arrive and wait.
    Sync,
    /// Arrive alone.
    Arrive,
    /// Arrive, wait, and count the threads where p holds; or whether it does in all, or in any.
    Popc,
    And,
    Or,
}

impl BarKind {
    /// Whether it has a predicate and a result.
    pub fn reduces(self) -> bool {
        matches!(self, BarKind::Popc | BarKind::And | BarKind::Or)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum IntOp {
    Add,
    Sub,
    /// Low half of the product.
    Mul,
    MulHiU,
    MulHiS,
    DivU,
    DivS,
    RemU,
    RemS,
    MinU,
    MinS,
    MaxU,
    MaxS,
    And,
    Or,
    Xor,
    /// The second argument is B32 for both widths, taken modulo the width.
    Shl,
    ShrU,
    ShrS,
    /// a + b, saturated to the signed (unsigned) range.
    AddSatS,
    SubSatS,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum UnaryOp {
    Not,
    Neg,
    Popc,
    /// Bits from the most significant down to the first one; all ones (-1) if there is none.
    Ffbh,
    /// Position of the lowest one; -1 if there is none.
    Ffbl,
    Brev,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum CmpOp {
    Eq,
    Ne,
    LtU,
    LeU,
    GtU,
    GeU,
    LtS,
    LeS,
    GtS,
    GeS,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum PredOp {
    And,
    Or,
    Xor,
}

/// PTX `prmt` modes, and one of our own.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum PrmtMode {
    Generic,
    /// Not PTX: a whole byte of the selector for each byte of the result. 0 to 7 pick, 8 to 11 give the sign of byte 1, 3, 5 or 7, 12
    /// gives 0x00 and everything above 0xff.
    Bytes,
    F4e,
    B4e,
    Rc8,
    Ecl,
    Ecr,
    Rc16,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum FloatTy {
    F16,
    Bf16,
    F32,
    F64,
    F16x2,
    Bf16x2,
}

impl FloatTy {
    pub fn ty(self) -> Type {
        if self == FloatTy::F64 { Type::B64 } else { Type::B32 }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub enum Round {
    #[default]
    NearestEven,
    Up,
    Down,
    Zero,
}

/// How a float op rounds and treats subnormals; saturation clamps to [0, 1] with NaN to 0.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct FloatEnv {
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    /// Only rounded to nearest even.
    Div,
    /// (a, b, c): a * b + c, rounded once.
    Fma,
    /// The other operand if one is NaN.
    Min,
    Max,
    /// NaN if one is NaN.
    MinNan,
    MaxNan,
    /// Sign flipped or cleared; only subnormals change otherwise, with `ftz`.
    Neg,
    Abs,
    /// To an integral value, by the op's rounding.
    Rint,
}

/// Approximations. PTX ISA, "rcp", "rsqrt", "ex2": within 1 ulp, 2^-22.9, and 2^-22.5 of the result.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum ApproxOp {
    Rcp,
    Rsqrt,
    /// 2 to the power of a.
    Ex2,
}

/// Ordered comparisons are false with a NaN; the ones with `U` true.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum FCmpOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    EqU,
    NeU,
    LtU,
    LeU,
    GtU,
    GeU,
    /// Neither is NaN.
    Num,
    /// One is NaN.
    Nan,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Special {
    TidX,
    TidY,
    TidZ,
    NtidX,
    NtidY,
    NtidZ,
    CtaidX,
    CtaidY,
    CtaidZ,
    NctaidX,
    NctaidY,
    NctaidZ,
    /// Threads of the grid along an axis.
    GridX,
    GridY,
    GridZ,
    /// Linear thread id modulo 32.
    LaneId,
    /// Linear thread id divided by 32.
    WarpId,
    LanemaskEq,
    LanemaskLe,
    LanemaskLt,
    LanemaskGe,
    LanemaskGt,
    /// Bytes of dynamic shared memory.
    DynamicSharedBytes,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Aperture {
    Shared,
    Local,
    /// Not an aperture: the address, in all of memory, of lane 0's local memory, where the hardware keeps it there (64 bits).
    LocalBase,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Space {
    /// Kernel parameters.
    Param,
    Global,
    /// `.const` and loads that nothing in the launch can change (`ld.global.nc`): may be read by the scalar unit.
    Const,
    Shared,
    Local,
    /// Global, or shared or local through the apertures.
    Generic,
}

impl Space {
    pub fn address_type(self) -> Type {
        match self {
            Space::Shared | Space::Local => Type::B32,
            Space::Param | Space::Global | Space::Const | Space::Generic => Type::B64,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, PartialOrd, Ord, Default)]
pub enum Scope {
    #[default]
    Cta,
    Cluster,
    Gpu,
    Sys,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub enum Order {
    #[default]
    Weak,
    /// Never merged, moved or cached: treated as relaxed at system scope.
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
}

/// A memory access.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub struct Mem {
    pub space: Space,
    /// Bytes of one element: 1, 2, 4 or 8. An element of 8 is a B64 value, smaller ones are B32.
    pub bytes: u8,
    /// Elements shorter than a dword are sign-extended by a load, else zero-extended.
    pub signed: bool,
    /// Elements: 1, 2, 4 or 8; the access is aligned to all of them together.
    pub count: u8,
    /// Added to the address, bytes.
    pub offset: i32,
    pub order: Order,
    pub scope: Scope,
    /// A streaming hint (`.cs`, `.lu`, evict-first).
    pub nontemporal: bool,
}

impl Mem {
    pub fn new(space: Space, bytes: u8) -> Mem {
        Mem {
            space,
            bytes,
            signed: false,
            count: 1,
            offset: 0,
            order: Order::Weak,
            scope: Scope::Cta,
            nontemporal: false,
        }
    }
    /// Type of one element.
    pub fn element(&self) -> Type {
        if self.bytes == 8 { Type::B64 } else { Type::B32 }
    }
    /// Dwords that all elements fill in registers.
    pub fn dwords(&self) -> u8 {
        self.count * self.element().dwords()
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum AtomicOp {
    Add,
    And,
    Or,
    Xor,
    MinU,
    MinS,
    MaxU,
    MaxS,
    /// (old >= a) ? 0 : old + 1.
    Inc,
    /// (old == 0 || old > a) ? a : old - 1.
    Dec,
    Exchange,
    /// (address, compare, new).
    CompareExchange,
}

impl Op {
    /// Types of the results.
    pub fn results(&self) -> SmallVec<[Type; 2]> {
        use Type::*;
        match self {
            Op::Aperture(Aperture::LocalBase) => smallvec![B64],
            Op::Const32(_) | Op::Special(_) | Op::Aperture(_) | Op::Lo | Op::Hi => smallvec![B32],
            Op::Const64(_) | Op::GlobalAddr(..) | Op::ParamBase | Op::Pack64 | Op::MulWide { .. } => smallvec![B64],
            Op::ConstPred(_) | Op::Cmp(..) | Op::PredBin(_) | Op::PredNot | Op::FCmp(..) => smallvec![Pred],
            Op::Undef(ty) | Op::Select(ty) => smallvec![*ty],
            Op::Unary(UnaryOp::Popc | UnaryOp::Ffbh | UnaryOp::Ffbl, _) => smallvec![B32],
            Op::Int(_, w) | Op::Unary(_, w) => smallvec![w.ty()],
            Op::Mad24 { .. }
            | Op::Mul24Hi { .. }
            | Op::Lop3(_)
            | Op::FunnelShr
            | Op::Bfe { .. }
            | Op::BitSelect
            | Op::Sad { .. }
            | Op::Dot4 { .. }
            | Op::BytePerm(_)
            | Op::RcpF32
            | Op::Approx { .. }
            | Op::PrmtDynamic(_) => smallvec![B32],
            Op::AddCarry(w) | Op::SubBorrow(w) => smallvec![w.ty(), Pred],
            Op::Float(_, ty, _) => smallvec![ty.ty()],
            Op::IntToFloat { to, .. } | Op::FloatConvert { to, .. } => smallvec![to.ty()],
            Op::FloatToInt { to, .. } => smallvec![to.ty()],
            Op::Load(mem) => (0..mem.count).map(|_| mem.element()).collect(),
            Op::Atomic { width, .. } => smallvec![width.ty()],
            Op::Store(_) | Op::Fence(_) | Op::WarpSync | Op::WarpBarrier => smallvec![],
            Op::Ballot | Op::LiveLanes | Op::FromFirstLane | Op::LaneRead | Op::LanePerm(_) => smallvec![B32],
            Op::Shuffle(_) => smallvec![B32, Pred],
            Op::LaneBits(_) => smallvec![Pred],
            Op::Bar(bar) => match bar.kind {
                BarKind::Sync | BarKind::Arrive => smallvec![],
                BarKind::Popc => smallvec![B32],
                BarKind::And | BarKind::Or => smallvec![Pred],
            },
        }
    }

    /// Whether it must stay even when nobody uses its results.
    pub fn has_effect(&self) -> bool {
        match self {
            Op::Store(_) | Op::Atomic { .. } | Op::Fence(_) | Op::Bar(_) | Op::WarpSync | Op::WarpBarrier => true,
            // Other threads end at any time.
            Op::LiveLanes => true,
            Op::Load(mem) => mem.order != Order::Weak,
            _ => false,
        }
    }

    /// Whether the result depends on which other threads are active.
    pub fn is_convergent(&self) -> bool {
        use Op::*;
        matches!(
            self,
            Ballot | LiveLanes | FromFirstLane | Shuffle(_) | LaneRead | LanePerm(_) | WarpSync | WarpBarrier
        )
    }
}
