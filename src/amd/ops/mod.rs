//! The op tables, one file per format, rows in manual order.
//!
//! ```text
//! //  mnemonic      defs      uses                     gfx9  gfx10 gfx11 gfx12   meaning
//! v_perm_b32   [V32] <- [SRC32, SRC32, SRC32]  (0x1ed 0x344 0x244 0x244)  Sem::Lane(lane::perm_b32);
//! ```
//! `_` means that the generation lacks the op. A row may go on with `needs Feature`, `flags(A | B)`,
//! `alias(Gfx9 Gfx10 "old_name")` and `in(Gfx12 Vop2 0x1f)` for a column where the op has another format.
//!
//! Each row is an [`Op`] constant here: `ops::v_perm_b32`. What the columns of a row do not say:
//!
//! - Operands stand in the assembler's order, with tied uses last. A lane mask is always an operand, of carry ops and
//!   compares too; their VOP2 and VOPC encodings can only name VCC, the VOP3 ones (`Encoding::Vop3`) any SGPRs.
//! - The second source of VOP2 and VOPC is a VGPR in the native encoding and anything in VOP3.
//! - Flags that follow from the format or the meaning are derived ([`derived_flags`]); a row names the others.
//! - FLAT and GLOBAL atomics that return the old value are rows of their own (`global_atomic_add_u32_rtn`, printed without
//!   `_rtn`); the encoder sets the return bit, and it is never in `Mods::cache`.
//! - `ds_cmpst_*` (gfx9, gfx10: comparand, new value) and `ds_cmpstore_*` (gfx11, gfx12: new value, comparand) are two ops.

// Op constants are spelled as the assembler spells the mnemonic.
#![allow(non_upper_case_globals)]

use super::lane::{Sem, Wave};
use super::op::{Flags, Format, Op, Opcode};
use super::target::Column;

/// Makes an [`Op`] constant of each row, and `TABLE` of all of them. The row syntax is above.
macro_rules! ops {
    ($format:ident; $(
        $(#[$doc:meta])*
        $name:ident [$($def:ident),*] <- [$($use:ident),*] ($g9:tt $g10:tt $g11:tt $g12:tt) $sem:expr
        $(, needs $feature:ident)?
        $(, flags($($flag:ident)|+))?
        $(, alias($($($alias_column:ident)+ $alias:literal)+))?
        $(, in($($in_column:ident $in_format:ident $in_number:literal)+))?
        ;
    )*) => {
        $(
            $(#[$doc])*
            pub const $name: Op = {
                const CODES: [Option<Opcode>; Column::COUNT] = codes(
                    [number!($format $g9), number!($format $g10), number!($format $g11), number!($format $g12)],
                    &[$($((Column::$in_column, Format::$in_format, $in_number)),+)?],
                );
                const SEM: Sem = $sem;
                static ROW: OpInfo = OpInfo {
                    name: stringify!($name),
                    aliases: &[$($((&[$(Column::$alias_column),+], $alias)),+)?],
                    codes: CODES,
                    needs: needs!($($feature)?),
                    defs: &[$($def),*],
                    uses: &[$($use),*],
                    flags: derived_flags(Format::$format, &SEM)$($(.union(Flags::$flag))+)?,
                    sem: SEM,
                };
                Op(&ROW)
            };
        )*
        pub(super) static TABLE: &[Op] = &[$($name),*];
    };
}
macro_rules! number {
    ($format:ident _) => {
        None
    };
    ($format:ident $number:literal) => {
        Some(Opcode { format: Format::$format, number: $number })
    };
}
macro_rules! needs {
    () => {
        None
    };
    ($feature:ident) => {
        Some(Feature::$feature)
    };
}

/// What every table file wants in scope.
mod prelude {
    pub(super) use super::{codes, derived_flags};
    pub(super) use crate::amd::lane::{self, AtomicKind, AtomicOp, MaskOp, MemKind, Sem, Wave};
    pub(super) use crate::amd::op::slots::*;
    pub(super) use crate::amd::op::{Flags, Format, Op, OpInfo, Opcode};
    pub(super) use crate::amd::target::{Column, Feature};
}

// A file that defines a name hides the glob import of `slots`; unused ones are fine.
mod cmpx;
mod ds;
mod flat;
mod global;
mod mubuf;
mod scratch;
mod smem;
mod sop1;
mod sop2;
mod sopc;
mod sopk;
mod sopp;
mod vop1;
mod vop2;
mod vop3;
mod vop3p;
mod vop3sd;
mod vopc;

static TABLES: [&[Op]; 18] = [
    sop1::TABLE,
    sop2::TABLE,
    sopc::TABLE,
    sopk::TABLE,
    sopp::TABLE,
    smem::TABLE,
    vop1::TABLE,
    vop2::TABLE,
    vopc::TABLE,
    cmpx::TABLE,
    vop3::TABLE,
    vop3sd::TABLE,
    vop3p::TABLE,
    ds::TABLE,
    flat::TABLE,
    global::TABLE,
    scratch::TABLE,
    mubuf::TABLE,
];

/// Every row, file by file, in order.
pub fn all() -> impl Iterator<Item = Op> {
    TABLES.iter().flat_map(|table| table.iter().copied())
}

/// The row of this name (the newest mnemonic), for text forms and tests. Linear: build a map to ask often.
pub fn by_name(name: &str) -> Option<Op> {
    all().find(|op| op.name == name)
}

/// The four columns with the exceptions of `in(..)` put over them.
const fn codes(
    mut codes: [Option<Opcode>; Column::COUNT],
    exceptions: &[(Column, Format, u16)],
) -> [Option<Opcode>; Column::COUNT] {
    let mut i = 0;
    while i < exceptions.len() {
        let (column, format, number) = exceptions[i];
        codes[column as usize] = Some(Opcode { format, number });
        i += 1;
    }
    codes
}

/// The flags that follow from the format and the meaning of a row.
const fn derived_flags(format: Format, sem: &Sem) -> Flags {
    let vector = match format {
        Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk | Format::Sopp | Format::Smem | Format::Mubuf => {
            Flags::empty()
        }
        Format::Vop1
        | Format::Vop2
        | Format::Vopc
        | Format::Vop3
        | Format::Vop3sd
        | Format::Vop3p
        | Format::Ds
        | Format::Flat
        | Format::Global
        | Format::Scratch => Flags::READS_EXEC,
    };
    match sem {
        Sem::LaneFloat(_) | Sem::LaneFloatMods(_) | Sem::LaneWideFloat(_) | Sem::LaneCmpFloat(_) => {
            vector.union(Flags::READS_MODE)
        }
        Sem::LaneFloatBit(_) => vector.union(Flags::READS_MODE).union(Flags::READS_VCC),
        Sem::ScalarCmp(_) => Flags::WRITES_SCC,
        Sem::Load(_) => vector.union(Flags::LOAD),
        Sem::Store(_) => vector.union(Flags::STORE),
        Sem::Atomic(_) => vector.union(Flags::ATOMIC),
        Sem::Wave(wave) => wave_flags(vector, *wave),
        Sem::Lane(_)
        | Sem::LaneMods(_)
        | Sem::LaneCarry(_)
        | Sem::LaneWide(_)
        | Sem::LaneSelect(_)
        | Sem::LaneCmp(_)
        | Sem::Scalar(_)
        | Sem::Unmodelled => vector,
    }
}

const fn wave_flags(vector: Flags, wave: Wave) -> Flags {
    const EFFECT: Flags = Flags::EFFECT;
    const BRANCH: Flags = Flags::BRANCH;
    match wave {
        Wave::ReadLane | Wave::WriteLane => Flags::IGNORES_EXEC,
        Wave::ReadFirstLane
        | Wave::DsPermute
        | Wave::DsBpermute
        | Wave::DsBpermuteFi
        | Wave::DsSwizzle
        | Wave::Permlane16
        | Wave::PermlaneX16
        | Wave::Permlane16Var
        | Wave::PermlaneX16Var
        | Wave::Permlane64
        | Wave::Permlane16Swap
        | Wave::Permlane32Swap
        | Wave::Swap
        | Wave::Swap16
        | Wave::MbcntLo
        | Wave::MbcntHi => vector,
        Wave::MovRel => vector.union(Flags::READS_M0),
        Wave::Branch | Wave::SetPc | Wave::AddPc => BRANCH.union(Flags::END),
        Wave::SwapPc => BRANCH,
        Wave::BranchScc(_) => BRANCH.union(Flags::READS_SCC),
        Wave::BranchVcc { .. } => BRANCH.union(Flags::READS_VCC),
        Wave::BranchExec { .. } => BRANCH.union(Flags::READS_EXEC),
        Wave::EndPgm | Wave::CodeEnd => EFFECT.union(Flags::END),
        Wave::SaveExec(_) => Flags::READS_EXEC.union(Flags::WRITES_EXEC).union(Flags::WRITES_SCC),
        Wave::SendMsg => EFFECT.union(Flags::READS_M0),
        Wave::Nop
        | Wave::Barrier
        | Wave::BarrierSignal
        | Wave::BarrierWait
        | Wave::WaitCnt
        | Wave::Trap
        | Wave::SetReg
        | Wave::SetRegImm
        | Wave::GetReg
        | Wave::RoundMode
        | Wave::DenormMode
        | Wave::ICacheInv
        | Wave::CacheControl
        | Wave::SleepOrHint
        | Wave::MemTime
        | Wave::MemRealTime => EFFECT,
        Wave::GetPc => Flags::empty(),
    }
}

pub use self::{
    cmpx::*, ds::*, flat::*, global::*, mubuf::*, scratch::*, smem::*, sop1::*, sop2::*, sopc::*, sopk::*, sopp::*,
};
pub use self::{vop1::*, vop2::*, vop3::*, vop3p::*, vop3sd::*, vopc::*};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::amd::target::Target;
    use std::collections::HashMap;

    #[test]
    fn names_are_unique() {
        let mut seen = HashMap::new();
        for op in all() {
            assert!(seen.insert(op.name, op).is_none(), "two rows named {op:?}");
            assert_eq!(by_name(op.name), Some(op));
        }
    }

    /// Numbers may be shared inside a column, but not on one processor; only an atomic and its returning twin do.
    #[test]
    fn numbers_are_unique_on_every_processor() {
        for target in Target::all() {
            let mut seen: HashMap<(Format, u16, bool), Op> = HashMap::new();
            for op in all() {
                let Some(code) = op.opcode(&target) else { continue };
                let other = seen.insert((code.format, code.number, op.returns_old()), op);
                assert!(other.is_none(), "{target}: {op:?} and {other:?} have one number");
            }
        }
    }

    #[test]
    fn flags_follow_from_the_meaning() {
        for (op, flags) in [
            (s_mov_b32, Flags::empty()),
            (s_add_co_u32, Flags::WRITES_SCC),
            (s_cmp_lt_i32, Flags::WRITES_SCC),
            (s_cbranch_scc1, Flags::BRANCH | Flags::READS_SCC),
            (s_branch, Flags::BRANCH | Flags::END),
            (s_and_saveexec_b64, Flags::READS_EXEC | Flags::WRITES_EXEC | Flags::WRITES_SCC),
            (v_readlane_b32, Flags::IGNORES_EXEC),
            (v_writelane_b32, Flags::IGNORES_EXEC),
            (v_perm_b32, Flags::READS_EXEC),
            (v_add_f32, Flags::READS_EXEC | Flags::READS_MODE),
            (global_load_b32, Flags::READS_EXEC | Flags::LOAD),
            (s_load_b32, Flags::LOAD),
            (ds_add_u32, Flags::READS_EXEC | Flags::ATOMIC),
        ] {
            assert_eq!(op.flags, flags, "{op:?}");
        }
    }
}
