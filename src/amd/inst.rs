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
    /// The DPP16, DPP8 or SDWA form of a VOP1, VOP2 or VOPC row; `Mods` has the rest.
    Dpp16,
    Dpp8,
    Sdwa,
    /// VOP3 with DPP (gfx11 and later), of VOP3 rows too.
    Vop3Dpp16,
    Vop3Dpp8,
}

impl Encoding {
    pub const fn is_dpp(self) -> bool {
        self.is_dpp16() || self.is_dpp8()
    }
    pub const fn is_dpp16(self) -> bool {
        matches!(self, Encoding::Dpp16 | Encoding::Vop3Dpp16)
    }
    pub const fn is_dpp8(self) -> bool {
        matches!(self, Encoding::Dpp8 | Encoding::Vop3Dpp8)
    }
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
    /// Rows (16 lanes) and banks (4 lanes of each row) that are written; 0 in DPP8, which has neither.
    pub row_mask: u8,
    pub bank_mask: u8,
    /// DPP16: a lane whose source does not exist or is inactive reads 0; otherwise it is not written.
    pub bound_ctrl: bool,
    /// Inactive lanes are read all the same.
    pub fetch_inactive: bool,
}

/// The part of a dword that SDWA reads or writes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Sel {
    Byte0,
    Byte1,
    Byte2,
    Byte3,
    Word0,
    Word1,
    #[default]
    Dword,
}

impl Sel {
    pub const ALL: [Sel; 7] = [Sel::Byte0, Sel::Byte1, Sel::Byte2, Sel::Byte3, Sel::Word0, Sel::Word1, Sel::Dword];

    /// First bit and width.
    pub const fn bits(self) -> (u32, u32) {
        match self {
            Sel::Byte0 => (0, 8),
            Sel::Byte1 => (8, 8),
            Sel::Byte2 => (16, 8),
            Sel::Byte3 => (24, 8),
            Sel::Word0 => (0, 16),
            Sel::Word1 => (16, 16),
            Sel::Dword => (0, 32),
        }
    }
}

/// What SDWA does to the rest of the destination.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Unused {
    /// Zeros.
    #[default]
    Pad,
    /// The sign of the result above it, zeros below.
    Sext,
    /// What was there.
    Preserve,
}

impl Unused {
    pub const ALL: [Unused; 3] = [Unused::Pad, Unused::Sext, Unused::Preserve];
}

/// The controls of SDWA. Compares have no `dst` and `unused`, VOP1 no second source: those keep their defaults.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Sdwa {
    pub dst: Sel,
    pub unused: Unused,
    pub src: [Sel; 2],
    /// Bit i: source i, an integer, is sign-extended from its part; otherwise zero-extended.
    pub sext: u8,
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
    /// The upper half of a 16-bit operand: bit i is source i, bit 3 the destination. VOP3, and from gfx11 on the VGPRs of
    /// the short encodings too.
    pub op_sel: u8,
    /// VOP3P only; the assembler's default is all ones, and so must ours be: see `Mods::vop3p`.
    pub op_sel_hi: u8,
    /// The truth table of `v_bitop3_b32`.
    pub bitop3: u8,
    pub dpp: Option<Dpp>,
    pub sdwa: Option<Sdwa>,
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
