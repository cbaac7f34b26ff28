//! AMD ops over virtual registers.
//!
//! What `isel` writes and `exec`, `alloc` and `finish` rewrite, in three states of one structure:
//!
//! 1. **logical** (from `isel`): blocks end in a [`Terminator`] that speaks of each lane by itself; block parameters are gone
//!    (parallel copies stand at the end of predecessors; critical edges are split).
//! 2. **linear** (from `exec`): blocks hold EXEC updates and real branches, end in [`Terminator::Linear`], and
//!    [`MirFunc::layout`] is the final order. `logical_succs` still tells where a lane may go, `linear_succs` where the wave may go.
//! 3. **physical** (from `alloc`): no [`Reg::Virt`] is left.
//!
//! Registers: a virtual register is a group of dwords that needs consecutive physical ones; operands name the whole
//! group or a part. Not SSA: a dword may be written at several places (copies into a phi's register, halves of a pair).
//! Liveness: VGPR writes are masked by EXEC, so VGPR liveness follows the logical CFG; SGPRs and *linear* VGPRs follow the linear
//! CFG (DESIGN, "Liveness").

pub mod liveness;
pub mod text;
pub mod verify;

use crate::amd;
use crate::diag::Span;
use crate::id::{PrimaryMap, define_id};
use smallvec::SmallVec;

define_id!(/** A virtual register: a group of dwords. */ VReg, "%");
define_id!(/** A basic block. */ Block, "bb");

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum RegClass {
    Vgpr,
    Sgpr,
}

#[derive(Clone, Debug, PartialEq)]
pub struct VRegData {
    pub class: RegClass,
    /// Size of the group: 1, 2, 3, 4, 8 or 16.
    pub dwords: u8,
    /// A VGPR whose inactive lanes matter too; it follows the linear CFG.
    pub linear: bool,
}

/// `dwords` dwords of a virtual register from the `first`th.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Part {
    pub vreg: VReg,
    pub first: u8,
    pub dwords: u8,
}

#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub enum Reg {
    Virt(Part),
    Phys(amd::Reg),
}

impl Reg {
    pub fn dwords(self) -> u8 {
        match self {
            Reg::Virt(p) => p.dwords,
            Reg::Phys(r) => r.dwords,
        }
    }
    /// `dwords` dwords of this one from the `first`th.
    pub fn sub(self, first: u8, dwords: u8) -> Reg {
        match self {
            Reg::Virt(p) => Reg::Virt(Part { vreg: p.vreg, first: p.first + first, dwords }),
            Reg::Phys(r) => Reg::Phys(r.sub(first, dwords)),
        }
    }
}

impl From<amd::Reg> for Reg {
    fn from(reg: amd::Reg) -> Reg {
        Reg::Phys(reg)
    }
}

pub type Operand = amd::Operand<Reg>;

#[derive(Clone, PartialEq, Debug)]
pub struct Inst {
    pub kind: InstKind,
    pub span: Span,
    /// The float mode that an op with `Flags::READS_MODE` needs; `finish::mode` switches MODE where it differs.
    pub float_mode: FloatMode,
}

/// What an instruction asks of MODE. The default is the kernel's entry mode: nearest even, all subnormals kept.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash, Default)]
pub struct FloatMode {
    /// MODE's coding: 0 nearest even, 1 up, 2 down, 3 towards zero.
    pub round_f32: u8,
    pub round_f64: u8,
    pub ftz_f32: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub enum InstKind {
    Op(amd::Inst<Reg>),
    /// dst = src, same number of dwords. SGPR to SGPR, SGPR or constant to VGPR, VGPR to VGPR; a constant of two dwords is
    /// the 64 bits. Copies never touch SCC.
    Copy {
        dst: Reg,
        src: Operand,
    },
    /// All at once: sources are read before any destination is written. The destinations differ.
    ParallelCopy(Vec<(Reg, Operand)>),
    /// A lane mask written for the active lanes alone: dst = (dst & !EXEC) | (src & EXEC). Clobbers SCC. `scratch` is a register of
    /// the mask's size. `exec` expands it.
    MaskMerge {
        dst: Reg,
        src: Operand,
        scratch: Reg,
    },
    /// dst (an SGPR pair) = address of a global plus bytes, relative to the program counter; clobbers SCC.
    GlobalAddr {
        dst: Reg,
        global: u32,
        addend: i64,
    },
    /// A spilled dword: `slot` counts dwords of the spill area. Made by `alloc` only and expanded there.
    Spill {
        slot: u32,
        src: Reg,
    },
    Reload {
        dst: Reg,
        slot: u32,
    },
    /// The value is undefined from here on; a def for liveness, no code.
    Undef {
        dst: Reg,
    },
    /// dst (a lane mask) = the lanes that are not done. `exec` expands it.
    LiveLanes {
        dst: Reg,
    },
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub enum Terminator {
    Jump(Block),
    /// By SCC, which the last instruction of the block that writes it set: uniform. `then` when SCC is 1.
    BranchScc {
        then: Block,
        els: Block,
    },
    /// By a lane mask: lanes whose bit is set go to `then`. Bits of inactive lanes are unspecified. `uniform`: all active lanes agree.
    BranchMask {
        mask: Reg,
        uniform: bool,
        then: Block,
        els: Block,
    },
    /// Each lane to the `index`th block; `index` is a VGPR, or an SGPR when uniform.
    Switch {
        index: Reg,
        targets: Vec<Block>,
    },
    /// The active lanes are done.
    Exit,
    /// Abort the launch.
    Trap,
    /// Lanes whose bit is set wait to run the block again, when others have come to it or are done; the rest goes on.
    Wait {
        mask: Reg,
        next: Block,
    },
    /// Arrive at barrier 0 and wait, then go on. `whole`: all live lanes of the wave are provably here.
    Barrier {
        whole: bool,
        next: Block,
    },
    /// After `exec`: control flow stands in the instructions (`s_cbranch_*`, `s_branch`, `s_endpgm`) at the block's end; without a branch
    /// it falls through to the next block of the layout.
    Linear,
}

#[derive(Clone, Debug, PartialEq)]
pub struct BlockData {
    pub insts: Vec<Inst>,
    pub term: Terminator,
    pub term_span: Span,
    /// Where a lane that is here may go next. Kept up to date from the start.
    pub logical_succs: SmallVec<[Block; 2]>,
    /// Where the wave may go next: filled by `exec`.
    pub linear_succs: SmallVec<[Block; 2]>,
    /// Depth of loop nesting, for weights.
    pub loop_depth: u8,
    /// A resume point, copied from the IR's block: lanes may wait here while others run past (DESIGN, "Synchronising points").
    pub resume: bool,
    /// After `exec`: only masks and branches, on the wave's way but on no lane's: `logical_succs` is empty and no block's `logical_succs`
    /// leads here. EXEC changes in such blocks alone, so it is constant in every other one.
    pub linear_only: bool,
}

/// What the kernel finds in registers at entry, and so what its descriptor must ask for. `isel` fills it.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Abi {
    pub dispatch_ptr: bool,
    pub kernarg_ptr: bool,
    /// Where code sets scratch up: the first of the two user SGPRs kept for the initial value of FLAT_SCRATCH, behind the pointers
    /// above. They arrive in a kernel that turns out to use scratch ([`MirFunc::scratch_bytes`]) and are padding in one that does not,
    /// so that what comes behind them has its place before spills are known.
    pub flat_scratch_init: Option<u8>,
    /// Total of user SGPRs, padding included.
    pub user_sgprs: u8,
    pub workgroup_id: [bool; 3],
    /// 0: x, 1: x y, 2: x y z.
    pub workitem_dims: u8,
    /// Hidden arguments read, as (name in the metadata, offset in the hidden area, size), e.g. `("hidden_dynamic_lds_size", 120, 4)`.
    pub hidden_args: Vec<(&'static str, u32, u32)>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MirFunc {
    pub name: String,
    pub vregs: PrimaryMap<VReg, VRegData>,
    pub blocks: PrimaryMap<Block, BlockData>,
    pub entry: Block,
    /// Before `exec`: reverse postorder; after: the final order, entry first.
    pub layout: Vec<Block>,
    pub abi: Abi,
    /// Bytes of `.local` variables of a lane, at scratch addresses from 0.
    pub local_bytes: u32,
    /// Bytes of spills of a lane, behind `local_bytes` rounded up to 4. `alloc` fills it.
    pub spill_bytes: u32,
    /// The largest work-group promised, work-items: the VGPR budget follows it.
    pub max_workgroup_items: u32,
    /// Work-groups that should run on a compute unit at once; 0 if nobody says. A hint to the allocator.
    pub min_workgroups: u32,
    pub lds_bytes: u32,
}

impl MirFunc {
    /// An empty function: no blocks yet.
    pub fn new(name: impl Into<String>) -> MirFunc {
        MirFunc {
            name: name.into(),
            vregs: PrimaryMap::new(),
            blocks: PrimaryMap::new(),
            entry: Block::from_u32(0),
            layout: vec![],
            abi: Abi::default(),
            local_bytes: 0,
            spill_bytes: 0,
            max_workgroup_items: 1024,
            min_workgroups: 0,
            lds_bytes: 0,
        }
    }

    pub fn new_vreg(&mut self, class: RegClass, dwords: u8) -> VReg {
        self.vregs.push(VRegData { class, dwords, linear: false })
    }

    /// Scratch of a lane, bytes: local variables and spills.
    pub fn scratch_bytes(&self) -> u32 {
        self.local_bytes.next_multiple_of(4) + self.spill_bytes
    }

    /// The whole of a virtual register.
    pub fn reg(&self, vreg: VReg) -> Reg {
        Reg::Virt(Part { vreg, first: 0, dwords: self.vregs[vreg].dwords })
    }

    pub fn class(&self, reg: Reg) -> RegClass {
        match reg {
            Reg::Virt(p) => self.vregs[p.vreg].class,
            Reg::Phys(r) if matches!(r.file, amd::File::Vgpr | amd::File::Agpr) => RegClass::Vgpr,
            Reg::Phys(_) => RegClass::Sgpr,
        }
    }

    pub fn add_block(&mut self) -> Block {
        self.blocks.push(BlockData {
            insts: vec![],
            term: Terminator::Exit,
            term_span: Span::NONE,
            logical_succs: SmallVec::new(),
            linear_succs: SmallVec::new(),
            loop_depth: 0,
            resume: false,
            linear_only: false,
        })
    }
}

/// The `dword`th dword of a constant's bits.
pub fn constant_dword(bits: u64, dword: u8) -> u32 {
    bits.checked_shr(32 * dword as u32).unwrap_or(0) as u32
}

impl Terminator {
    /// The successors of the logical terminators.
    pub fn successors(&self) -> SmallVec<[Block; 2]> {
        match self {
            Terminator::Jump(b) | Terminator::Wait { next: b, .. } | Terminator::Barrier { next: b, .. } => {
                SmallVec::from_slice(&[*b])
            }
            Terminator::BranchScc { then, els } | Terminator::BranchMask { then, els, .. } => {
                SmallVec::from_slice(&[*then, *els])
            }
            Terminator::Switch { targets, .. } => targets.iter().copied().collect(),
            Terminator::Exit | Terminator::Trap | Terminator::Linear => SmallVec::new(),
        }
    }
}

impl Inst {
    pub fn new(kind: InstKind, span: Span) -> Inst {
        Inst { kind, span, float_mode: FloatMode::default() }
    }

    pub fn op(inst: amd::Inst<Reg>, span: Span) -> Inst {
        Inst::new(InstKind::Op(inst), span)
    }

    /// Calls `def` for every register written and `use_` for every one read, in operand order: explicit operands only. SCC, VCC and EXEC are in
    /// the op's flags.
    pub fn visit(&self, mut use_: impl FnMut(Reg), mut def: impl FnMut(Reg)) {
        let mut operand = |o: &Operand| {
            if let Operand::Reg(r) = o {
                use_(*r);
            }
        };
        match &self.kind {
            InstKind::Op(inst) => {
                inst.uses.iter().for_each(&mut operand);
                inst.defs.iter().for_each(|&r| def(r));
            }
            InstKind::Copy { dst, src } => {
                operand(src);
                def(*dst);
            }
            InstKind::ParallelCopy(copies) => {
                copies.iter().for_each(|(_, src)| operand(src));
                copies.iter().for_each(|(dst, _)| def(*dst));
            }
            InstKind::MaskMerge { dst, src, scratch } => {
                operand(src);
                use_(*dst);
                def(*dst);
                def(*scratch);
            }
            InstKind::GlobalAddr { dst, .. } | InstKind::Reload { dst, .. } => def(*dst),
            InstKind::Undef { dst } | InstKind::LiveLanes { dst } => def(*dst),
            InstKind::Spill { src, .. } => use_(*src),
        }
    }
}

/// `%7`, `%7[1]`, `%7[0:1]` for parts; physical registers as the assembler prints them.
impl std::fmt::Display for Reg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Reg::Virt(Part { vreg, first, dwords: 1 }) => write!(f, "{vreg}[{first}]"),
            Reg::Virt(Part { vreg, first, dwords }) => write!(f, "{vreg}[{first}:{}]", first + dwords - 1),
            Reg::Phys(r) => write!(f, "{r}"),
        }
    }
}

impl std::fmt::Debug for Reg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}
