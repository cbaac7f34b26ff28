//! One machine instruction: an op with operands in the order of its row, and modifiers.

use super::op::Op;
use super::reg::Reg;
use smallvec::SmallVec;

/// An instruction over registers `R`: [`Reg`] here, virtual or physical ones in `mir`.
#[derive(PartialEq, Debug)]
pub struct Inst<R = Reg> {
    pub op: Op,
    /// As many as the row has defs, in its order.
    pub defs: SmallVec<[R; 2]>,
    /// As many as the row has uses, in its order.
    pub uses: SmallVec<[Operand<R>; 4]>,
    pub mods: Mods,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operand<R = Reg> {
    Reg(R),
    /// A constant: the bits of the slot's width, zero-extended. The encoder makes it an inline constant where one exists,
    /// else a literal where the target and format allow one.
    Imm(u64),
    /// A branch target: an index that the caller gives meaning to (a block before layout).
    Label(u32),
    /// No register in an optional place: `off` of a FLAT address, an SMEM offset.
    Off,
}

/// Which of its encodings an op takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// The format of the row: VOP2 for a VOP2 row.
    #[default]
    Native,
    /// The 64-bit VOP3 form of a VOP1, VOP2 or VOPC row (`_e64`).
    Vop3,
    /// The DPP16, DPP8 or SDWA form; `Mods` has the rest.
    Dpp16,
    Dpp8,
    Sdwa,
}

bitflags::bitflags! {
    /// Cache policy bits by name; a format holds those that its generation has.
    #[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
    pub struct Cache: u16 {
        const GLC = 1;
        const SLC = 2;
        const DLC = 4;
        /// gfx942 and gfx950 name them so.
        const SC0 = 8;
        const SC1 = 16;
        const NT = 32;
        /// gfx12: scope 0 CU, 1 SE, 2 DEV, 3 SYS.
        const SCOPE_SE = 64;
        const SCOPE_DEV = 128;
        const SCOPE_SYS = 64 | 128;
        /// gfx12: th:TH_ATOMIC_RETURN, th:TH_LOAD_NT / TH_STORE_NT.
        const TH_RETURN = 256;
        const TH_NT = 512;
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Dpp {
    /// `dpp_ctrl` of DPP16, or the eight 3-bit selectors of DPP8.
    pub ctrl: u32,
    pub row_mask: u8,
    pub bank_mask: u8,
    pub bound_ctrl: bool,
    pub fetch_inactive: bool,
}

/// What stands beside the operands. All zero means "none".
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Mods {
    pub encoding: Encoding,
    /// Bytes: FLAT, GLOBAL, SCRATCH, SMEM, and DS with one offset.
    pub offset: i32,
    /// The two 8-bit offsets of DS `read2`/`write2`, in elements; `offset` is 0 then.
    pub offset0: u8,
    pub offset1: u8,
    pub cache: Cache,
    /// Bit i is source i.
    pub neg: u8,
    /// Bit i is source i; `neg_hi` of VOP3P.
    pub abs: u8,
    pub clamp: bool,
    pub omod: u8,
    /// Bit i is source i; bit 3 the destination (VOP3).
    pub op_sel: u8,
    /// VOP3P only; the assembler's default is all ones, and so must ours be: see `Mods::vop3p`.
    pub op_sel_hi: u8,
    /// The truth table of `v_bitop3_b32`.
    pub bitop3: u8,
    pub dpp: Option<Dpp>,
}

impl Mods {
    /// The defaults of a VOP3P op.
    pub fn vop3p() -> Mods {
        Mods { op_sel_hi: 0b111, ..Mods::default() }
    }
}

impl<R> Inst<R> {
    pub fn new(op: Op, defs: impl IntoIterator<Item = R>, uses: impl IntoIterator<Item = Operand<R>>) -> Inst<R> {
        Inst { op, defs: defs.into_iter().collect(), uses: uses.into_iter().collect(), mods: op.default_mods() }
    }

    pub fn with(mut self, mods: Mods) -> Inst<R> {
        self.mods = mods;
        self
    }
}

/// By whole lists: `SmallVec`'s own goes element by element.
impl<R: Copy> Clone for Inst<R> {
    fn clone(&self) -> Inst<R> {
        let (defs, uses) = (SmallVec::from_slice(&self.defs), SmallVec::from_slice(&self.uses));
        Inst { op: self.op, defs, uses, mods: self.mods }
    }
}

impl<R> From<R> for Operand<R> {
    fn from(reg: R) -> Operand<R> {
        Operand::Reg(reg)
    }
}
