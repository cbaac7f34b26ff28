//! What a row of an op table says.

use super::inst::Mods;
use super::lane::{Sem, Wave};
use super::target::{Column, Feature, Target};
use std::fmt;

/// A reference to a row. Equal means the same row.
#[derive(Copy, Clone)]
pub struct Op(pub &'static OpInfo);

impl PartialEq for Op {
    fn eq(&self, other: &Op) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Op {}

impl std::ops::Deref for Op {
    type Target = OpInfo;
    fn deref(&self) -> &OpInfo {
        self.0
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Hash)]
pub enum Format {
    Sop1,
    Sop2,
    Sopc,
    Sopk,
    Sopp,
    Smem,
    Vop1,
    Vop2,
    Vopc,
    Vop3,
    /// VOP3 with a scalar destination (carry out, `v_mad_u64_u32`).
    Vop3sd,
    Vop3p,
    Ds,
    Flat,
    Global,
    Scratch,
    /// Only the cache-control ops, which leave its operand fields zero.
    Mubuf,
}

/// Format and opcode number of a row in one column.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Opcode {
    pub format: Format,
    pub number: u16,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SlotKind {
    /// VGPRs only.
    Vgpr,
    /// Accumulation VGPRs only.
    Agpr,
    /// SGPRs (or VCC, M0, TTMP, null) only.
    Sgpr,
    /// A vector op's source: VGPR, SGPR, inline constant, or literal where allowed.
    Src,
    /// A scalar op's source: SGPR, inline constant or literal.
    Ssrc,
    /// One bit per lane, in an SGPR (wave32) or an SGPR pair (wave64). As a def or as a use.
    Mask,
    /// A VGPR address or `off` / SGPR base or `off` of FLAT, GLOBAL, SCRATCH; SGPR offset or `off` of SMEM.
    VgprOrOff,
    SgprOrOff,
    /// The VGPR address of GLOBAL: 64 bits where the SGPR base is `off`, a 32-bit offset where there is a base.
    VgprAddr,
    /// A 16-bit constant of SOPK/SOPP (signed where the manual says so), an s_waitcnt word, a hwreg.
    Simm16,
    /// A 32-bit literal that is always there (`v_madmk`, `s_setreg_imm32_b32`).
    Literal,
    /// A branch target in SIMM16.
    Label,
}

/// How a constant of a slot is read, which decides the inline constants it has.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Num {
    /// Integer or untyped bits.
    Bits,
    Float,
    /// Two f16 in a dword: a float constant is an f16 in the lower half.
    PackedHalf,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Slot {
    pub kind: SlotKind,
    /// Size, bits: 16 to 512. Of a lane mask: 0, it is the wave's.
    pub bits: u16,
    pub num: Num,
    /// A use that is the same register as a def: encoded once. The first tied use is def 0 (`v_fmac_f32`,
    /// `v_writelane_b32`), the second def 1 (`v_swap_b32`).
    pub tied: bool,
}

impl Slot {
    const fn of(kind: SlotKind, bits: u16) -> Slot {
        Slot { kind, bits, num: Num::Bits, tied: false }
    }
    const fn float(mut self) -> Slot {
        self.num = Num::Float;
        self
    }
    const fn tie(mut self) -> Slot {
        self.tied = true;
        self
    }
    /// Registers it takes on a wave of `wave_lanes`, dwords.
    pub const fn dwords(&self, wave_lanes: u32) -> u8 {
        match self.kind {
            SlotKind::Mask => (wave_lanes / 32) as u8,
            _ => self.bits.div_ceil(32) as u8,
        }
    }
}

/// The slots as rows spell them.
pub mod slots {
    use super::{Slot, SlotKind::*};
    pub const V16: Slot = Slot::of(Vgpr, 16);
    pub const V32: Slot = Slot::of(Vgpr, 32);
    pub const V64: Slot = Slot::of(Vgpr, 64);
    pub const A32: Slot = Slot::of(Agpr, 32);
    pub const TIED16: Slot = Slot::of(Vgpr, 16).tie();
    pub const TIEDF16: Slot = Slot::of(Vgpr, 16).float().tie();
    pub const V96: Slot = Slot::of(Vgpr, 96);
    pub const V128: Slot = Slot::of(Vgpr, 128);
    /// The old value of def 0.
    pub const TIED32: Slot = Slot::of(Vgpr, 32).tie();
    pub const S32: Slot = Slot::of(Sgpr, 32);
    pub const TIED64: Slot = Slot::of(Vgpr, 64).tie();
    pub const TIEDF32: Slot = Slot::of(Vgpr, 32).float().tie();
    pub const TIEDS32: Slot = Slot::of(Sgpr, 32).tie();
    pub const TIEDS64: Slot = Slot::of(Sgpr, 64).tie();
    pub const S64: Slot = Slot::of(Sgpr, 64);
    pub const S96: Slot = Slot::of(Sgpr, 96);
    pub const S128: Slot = Slot::of(Sgpr, 128);
    pub const S256: Slot = Slot::of(Sgpr, 256);
    pub const S512: Slot = Slot::of(Sgpr, 512);
    pub const SRC16: Slot = Slot::of(Src, 16);
    pub const SRC32: Slot = Slot::of(Src, 32);
    pub const SRC64: Slot = Slot::of(Src, 64);
    pub const SRCF16: Slot = Slot::of(Src, 16).float();
    pub const SRCF32: Slot = Slot::of(Src, 32).float();
    pub const PACKF16: Slot = Slot { num: super::Num::PackedHalf, ..Slot::of(Src, 32) };
    pub const SRCF64: Slot = Slot::of(Src, 64).float();
    pub const SSRC32: Slot = Slot::of(Ssrc, 32);
    pub const SSRC64: Slot = Slot::of(Ssrc, 64);
    pub const MASK: Slot = Slot::of(Mask, 0);
    pub const VOFF32: Slot = Slot::of(VgprOrOff, 32);
    pub const VADDR: Slot = Slot::of(VgprAddr, 64);
    pub const SOFF32: Slot = Slot::of(SgprOrOff, 32);
    pub const SOFF64: Slot = Slot::of(SgprOrOff, 64);
    pub const SIMM16: Slot = Slot::of(Simm16, 16);
    pub const LIT32: Slot = Slot::of(Literal, 32);
    pub const LABEL: Slot = Slot::of(Label, 16);
}

bitflags::bitflags! {
    /// What an op does beside its defs and uses.
    #[derive(Copy, Clone, PartialEq, Eq, Debug)]
    pub struct Flags: u32 {
        const READS_SCC = 1;
        const WRITES_SCC = 1 << 1;
        /// Implicit VCC (E32 carry ops, `v_div_fmas`); a VOP3 form names its mask as an operand.
        const READS_VCC = 1 << 2;
        const WRITES_VCC = 1 << 3;
        const READS_EXEC = 1 << 4;
        const WRITES_EXEC = 1 << 5;
        const READS_M0 = 1 << 6;
        /// Works on lanes that EXEC has switched off too (`v_readlane`, `v_writelane`, SALU is marked by its format).
        const IGNORES_EXEC = 1 << 7;
        const LOAD = 1 << 8;
        const STORE = 1 << 9;
        const ATOMIC = 1 << 10;
        /// Changes control flow.
        const BRANCH = 1 << 11;
        /// Ends the wave or never falls through.
        const END = 1 << 12;
        /// Must not be removed or moved: barriers, messages, waits, MODE writes.
        const EFFECT = 1 << 13;
        /// Transcendental unit.
        const TRANS = 1 << 14;
        /// Rounds by MODE, so the float mode matters.
        const READS_MODE = 1 << 15;
        /// Takes `op_sel` outside VOP3P: 16-bit halves, or fetch-inactive and bound control of `v_permlane16_b32`.
        const OP_SEL = 1 << 16;
        /// One scalar source or literal at most, whatever the target's limit (64-bit shifts).
        const ONE_SCALAR = 1 << 17;
        /// Has no DPP or no SDWA form although its operands would allow one.
        const NO_DPP = 1 << 18;
        const NO_SDWA = 1 << 19;
        /// A float source, and a result that no output multiplier changes.
        const NO_OMOD = 1 << 20;
        /// LLVM has it with 16-bit registers only, also where it is to be asked for them.
        const TRUE16 = 1 << 21;
        /// Has one encoding, whatever its format allows others.
        const ONE_FORM = 1 << 22;
    }
}

/// One row.
pub struct OpInfo {
    /// The newest mnemonic, without `_e32`/`_e64`.
    pub name: &'static str,
    /// Names in other columns: `(columns, mnemonic)`.
    pub aliases: &'static [(&'static [Column], &'static str)],
    /// By `Column as usize`; `None` where the generation lacks it.
    pub codes: [Option<Opcode>; Column::COUNT],
    /// Beyond the column: only processors with this feature have it.
    pub needs: Option<Feature>,
    pub defs: &'static [Slot],
    pub uses: &'static [Slot],
    pub flags: Flags,
    pub sem: Sem,
}

impl OpInfo {
    pub fn opcode(&self, target: &Target) -> Option<Opcode> {
        if self.needs.is_some_and(|f| !target.has(f)) {
            return None;
        }
        self.codes[target.column() as usize]
    }

    pub fn exists_on(&self, target: &Target) -> bool {
        self.opcode(target).is_some()
    }

    /// The def that tied use `index` is the same register as.
    pub fn tied_def(&self, index: usize) -> usize {
        self.uses[..index].iter().filter(|slot| slot.tied).count()
    }

    /// The mnemonic on this target, without `_e32`/`_e64`.
    pub fn mnemonic(&self, target: &Target) -> &'static str {
        let column = target.column();
        let name = self.aliases.iter().find(|a| a.0.contains(&column)).map_or(self.name, |a| a.1);
        if self.is_pc_op() && target.has(Feature::PermlaneBcast) {
            return gfx1250_pc_name(name);
        }
        if self.returns_old() { name.strip_suffix("_rtn").unwrap_or(name) } else { name }
    }

    /// Ops on the program counter, which gfx1250 calls by other names.
    fn is_pc_op(&self) -> bool {
        matches!(self.sem, Sem::Wave(Wave::GetPc | Wave::SetPc | Wave::SwapPc))
    }

    /// `v_bitop3_b32`, whose truth table displaces the float modifiers: the one op with a layout of its own.
    pub fn is_bitop3(&self) -> bool {
        self.needs == Some(Feature::Bitop3)
    }

    /// A FLAT or GLOBAL atomic with the return bit: the encoder sets it.
    pub fn returns_old(&self) -> bool {
        matches!(self.sem, Sem::Atomic(_))
            && !self.defs.is_empty()
            && self.codes.iter().flatten().any(|c| matches!(c.format, Format::Flat | Format::Global))
    }

    pub fn is_vop3p(&self) -> bool {
        self.codes.iter().flatten().any(|c| c.format == Format::Vop3p)
    }

    pub fn default_mods(&self) -> Mods {
        if self.is_vop3p() { Mods::vop3p() } else { Mods::default() }
    }

    /// SOP*, SMEM: executed once for the wave, whatever EXEC is.
    pub fn is_scalar(&self) -> bool {
        use Format::*;
        self.codes.iter().flatten().any(|c| matches!(c.format, Sop1 | Sop2 | Sopc | Sopk | Sopp | Smem))
    }
}

fn gfx1250_pc_name(name: &'static str) -> &'static str {
    match name {
        "s_getpc_b64" => "s_get_pc_i64",
        "s_setpc_b64" => "s_set_pc_i64",
        "s_swappc_b64" => "s_swap_pc_i64",
        other => other,
    }
}
