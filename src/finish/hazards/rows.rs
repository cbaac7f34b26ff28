//! The hazards, one row each: what comes first, what must not follow too soon, how far apart they must be, and what helps.
//!
//! Spec: the AMD ISA manuals (Vega, MI200, MI300), "Manually Inserted Wait States"; RDNA1 and later have no table of their own,
//! and `ABI_FACTS`, section 6, lists what LLVM 22 was seen to insert. Registers are keys: see [`Key`].

use crate::amd::lane::{Sem, Wave};
use crate::amd::op::{Format, SlotKind};
use crate::amd::{self, Column, Encoding, Feature, File, Flags, Op, Target, ops};
use crate::mir::{Inst, InstKind, Operand, Reg};
use smallvec::SmallVec;

/// A register that a hazard is about.
pub type Key = u16;
const SGPRS: Key = 256;
const VCC: Key = SGPRS + 106;
const EXEC: Key = SGPRS + 126;
const M0: Key = SGPRS + 130;
const NULL: Key = SGPRS + 131;
/// Hardware registers, by number.
const HWREGS: Key = 512;

pub type Keys = SmallVec<[Key; 8]>;

/// What passes between the two instructions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Wait states: instructions, `s_nop` counting for as many as it says.
    States,
    /// VALU instructions.
    Valu,
    /// SALU instructions but SOPP.
    Salu,
    /// Nothing but the remedy helps.
    Never,
}

/// What goes in front of the second instruction.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Remedy {
    /// `s_nop` for the missing states.
    Nops,
    /// `v_nop`.
    VNop,
    /// `v_mov_b32` of the second instruction's first source to itself.
    MoveSource,
    /// `s_mov_b32 null, 0`.
    ScalarMove,
    /// `s_wait_alu` (`s_waitcnt_depctr`) with this field at zero.
    Depctr(Depctr),
}

/// A field of `s_wait_alu`, as its mask.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u16)]
pub enum Depctr {
    SaSdst = 0x0001,
    VaVcc = 0x0002,
    VmVsrc = 0x001c,
    VaSdst = 0x0e00,
    VaVdst = 0xf000,
}

pub struct Row {
    pub name: &'static str,
    pub applies: fn(&Target) -> bool,
    /// Keys that the first instruction puts at risk.
    pub first: fn(&View) -> Keys,
    /// Keys that the second must not meet too soon.
    pub then: fn(&View) -> Keys,
    pub unit: Unit,
    /// How many units must pass between them.
    pub distance: fn(&Target) -> u8,
    pub remedy: Remedy,
}

fn gfx9(t: &Target) -> bool {
    t.column() == Column::Gfx9
}
fn gfx94(t: &Target) -> bool {
    t.has(Feature::ScBits)
}
fn gfx950(t: &Target) -> bool {
    gfx94(t) && t.has(Feature::Permlane16Swap)
}
fn gfx10_1(t: &Target) -> bool {
    t.has(Feature::BranchOffset3fBug)
}
fn gfx1250(t: &Target) -> bool {
    t.has(Feature::XCounter)
}

#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    Row { name: "VALU writes SGPR, VMEM reads it", applies: gfx9, unit: Unit::States, distance: |_| 5, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.vmem(|i| i.read(scalar)) },
    Row { name: "VALU writes SGPR, v_readlane or v_writelane selects by it", applies: gfx9, unit: Unit::States, distance: |_| 4, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.lane_select() },
    Row { name: "VALU writes VCC, v_div_fmas", applies: gfx9, unit: Unit::States, distance: |_| 4, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(|k| (VCC..VCC + 2).contains(&k))), then: |i| i.only(i.flags().contains(Flags::READS_VCC) && i.is_valu(), |_| (VCC..VCC + 2).collect()) },
    Row { name: "VALU writes VGPR, DPP reads it", applies: gfx9, unit: Unit::States, distance: |_| 2, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(vector)), then: |i| i.only(i.is_dpp(), |i| i.read(vector)) },
    Row { name: "VALU writes EXEC, DPP", applies: gfx9, unit: Unit::States, distance: |_| 5, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.is_dpp(), |_| (EXEC..EXEC + 2).collect()) },
    Row { name: "SALU writes M0, then v_movrel or s_sendmsg", applies: gfx9, unit: Unit::States, distance: |_| 1, remedy: Remedy::Nops,
          first: |i| i.salu(|i| i.written(|k| k == M0)), then: |i| i.only(i.flags().contains(Flags::READS_M0), |_| [M0].into_iter().collect()) },
    Row { name: "s_setreg, then s_getreg or s_setreg of the same", applies: gfx9, unit: Unit::States, distance: |_| 2, remedy: Remedy::Nops,
          first: |i| i.hwreg(false), then: |i| i.hwreg(true) },
    Row { name: "store of more than 64 bits, VALU overwrites its data", applies: gfx9, unit: Unit::States, distance: |t| if gfx94(t) { 2 } else { 1 }, remedy: Remedy::Nops,
          first: |i| i.wide_store_data(), then: |i| i.valu(|i| i.written(vector)) },
    Row { name: "VALU writes SGPR or VCC, VALU reads it", applies: gfx94, unit: Unit::States, distance: |_| 2, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.valu(|i| i.read(scalar)) },
    Row { name: "VALU writes VGPR, v_readlane or v_readfirstlane reads it", applies: gfx94, unit: Unit::States, distance: |_| 1, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(vector)), then: |i| i.only(i.reads_lane(), |i| i.read(vector)) },
    Row { name: "VALU writes EXEC, v_readlane, v_readfirstlane or v_writelane", applies: gfx94, unit: Unit::States, distance: |_| 4, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.reads_lane() || i.is(Wave::WriteLane), |_| (EXEC..EXEC + 2).collect()) },
    Row { name: "SDWA or op_sel writes part of a VGPR, VALU reads it", applies: gfx94, unit: Unit::States, distance: |_| 1, remedy: Remedy::Nops,
          first: |i| i.only(i.writes_part(), |i| i.written(vector)), then: |i| i.valu(|i| i.read(vector)) },
    Row { name: "VALU writes VGPR, v_permlane*_swap", applies: gfx950, unit: Unit::States, distance: |_| 2, remedy: Remedy::Nops,
          first: |i| i.valu(|i| i.written(vector)), then: |i| i.only(i.name().starts_with("v_permlane") && i.name().contains("swap"), |i| i.read(vector)) },
    Row { name: "transcendental, VALU reads the result", applies: gfx94, unit: Unit::States, distance: |_| 1, remedy: Remedy::Nops,
          first: |i| i.only(i.flags().contains(Flags::TRANS), |i| i.written(vector)), then: |i| i.valu(|i| i.read(vector)) },
    Row { name: "transcendental, VALU reads the result", applies: |t| t.has(Feature::TransUseHazard), unit: Unit::Valu, distance: |_| 6, remedy: Remedy::Depctr(Depctr::VaVdst),
          first: |i| i.only(i.flags().contains(Flags::TRANS), |i| i.written(vector)), then: |i| i.valu(|i| i.read(vector)) },
    Row { name: "transcendental, VALU reads or overwrites the result", applies: gfx1250, unit: Unit::Valu, distance: |_| 1, remedy: Remedy::VNop,
          first: |i| i.only(i.flags().contains(Flags::TRANS), |i| i.written(vector)), then: |i| i.valu(|i| i.touched(vector)) },
    Row { name: "v_cmpx, v_permlane16 or v_permlanex16", applies: |t| gfx10_1(t) || matches!(t.column(), Column::Gfx11 | Column::Gfx12), unit: Unit::Valu, distance: |_| 1, remedy: Remedy::MoveSource,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.is(Wave::Permlane16) || i.is(Wave::PermlaneX16), |_| (EXEC..EXEC + 2).collect()) },
    Row { name: "VMEM or DS reads SGPR or EXEC, SALU or SMEM writes it", applies: gfx10_1, unit: Unit::Valu, distance: |_| 1, remedy: Remedy::Depctr(Depctr::VmVsrc),
          first: |i| i.only(i.is_vmem() || i.is_ds(), |i| { let mut keys = i.read(scalar); keys.extend(EXEC..EXEC + 2); keys }),
          then: |i| i.only(i.is_salu() || i.is_smem(), |i| i.written(|k| scalar(k) || exec(k))) },
    Row { name: "SMEM reads SGPR, VALU writes it", applies: gfx10_1, unit: Unit::Salu, distance: |_| 1, remedy: Remedy::ScalarMove,
          first: |i| i.only(i.is_smem(), |i| i.read(scalar)), then: |i| i.valu(|i| i.written(scalar)) },
    Row { name: "SALU reads EXEC, v_cmpx", applies: gfx10_1, unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::SaSdst),
          first: |i| i.salu(|i| i.read(exec)), then: |i| i.valu(|i| i.written(exec)) },
    // Asked for after a VALU read of the old value alone; that every SGPR was read before is always safe to say.
    Row { name: "SALU writes SGPR, VALU or SALU reads it", applies: |t| t.has(Feature::SampleCounter), unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::SaSdst),
          first: |i| i.salu(|i| i.written(scalar)), then: |i| i.only(i.is_valu() || i.is_salu(), |i| i.read(scalar)) },
    Row { name: "VALU writes SGPR, VALU reads it", applies: |t| t.has(Feature::SampleCounter), unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::VaSdst),
          first: |i| i.valu(|i| i.written(|k| scalar(k) && k < VCC)), then: |i| i.valu(|i| i.read(scalar)) },
    Row { name: "VALU writes VCC, VALU reads it", applies: |t| t.has(Feature::SampleCounter), unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::VaVcc),
          first: |i| i.valu(|i| i.written(|k| scalar(k) && k >= VCC)), then: |i| i.valu(|i| i.read(scalar)) },
    // What was written to s102 and s103 may be forwarded in place of the base.
    Row { name: "SALU writes s102 or s103, src_flat_scratch_base read", applies: gfx1250, unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::SaSdst),
          first: |i| i.salu(|i| i.written(beside_scratch_base)), then: |i| i.only(i.reads_scratch_base(), |_| BESIDE_SCRATCH_BASE.collect()) },
    Row { name: "VALU writes s102 or s103, src_flat_scratch_base read", applies: gfx1250, unit: Unit::Never, distance: |_| 1, remedy: Remedy::Depctr(Depctr::VaSdst),
          first: |i| i.valu(|i| i.written(beside_scratch_base)), then: |i| i.only(i.reads_scratch_base(), |_| BESIDE_SCRATCH_BASE.collect()) },
];

fn vector(key: Key) -> bool {
    key < SGPRS
}
/// SGPRs and VCC.
fn scalar(key: Key) -> bool {
    (SGPRS..VCC + 2).contains(&key)
}
/// s102 and s103.
const BESIDE_SCRATCH_BASE: std::ops::Range<Key> = SGPRS + 102..SGPRS + 104;
fn beside_scratch_base(key: Key) -> bool {
    BESIDE_SCRATCH_BASE.contains(&key)
}
fn exec(key: Key) -> bool {
    (EXEC..EXEC + 2).contains(&key)
}

/// An instruction as the rows see it.
pub struct View<'a> {
    op: Option<&'a amd::Inst<Reg>>,
    format: Option<Format>,
    defs: Keys,
    uses: Keys,
}

impl<'a> View<'a> {
    pub fn new(inst: &'a Inst, target: &Target) -> View<'a> {
        let (mut defs, mut uses) = (Keys::new(), Keys::new());
        crate::mir::liveness::visit_all(inst, |reg, role| match role {
            crate::mir::liveness::Role::Use => keys(reg).for_each(|key| uses.push(key)),
            crate::mir::liveness::Role::Def => keys(reg).for_each(|key| defs.push(key)),
        });
        let op = match &inst.kind {
            InstKind::Op(op) => Some(op),
            _ => None,
        };
        let format = op.and_then(|op| op.op.opcode(target)).map(|c| c.format);
        if let Some(op) = op {
            if op.op.flags.contains(Flags::WRITES_EXEC) {
                defs.extend(EXEC..EXEC + 2);
            }
            if op.op.flags.contains(Flags::READS_EXEC) {
                uses.extend(EXEC..EXEC + 2);
            }
        }
        View { op, format, defs, uses }
    }

    /// Wait states that the instruction itself takes.
    pub fn states(&self) -> u8 {
        match self.op {
            Some(op) if op.op == ops::s_nop => match op.uses[0] {
                Operand::Imm(n) => (n.min(63) as u8) + 1,
                _ => 1,
            },
            _ => 1,
        }
    }

    /// How far an instruction takes a row on.
    pub fn progress(&self, row: &Row) -> u8 {
        let passes = match row.unit {
            Unit::States => return self.states(),
            Unit::Valu => self.is_valu(),
            Unit::Salu => self.is_salu() && self.format != Some(Format::Sopp),
            Unit::Never => false,
        };
        let waits = match (row.remedy, self.op) {
            (Remedy::Depctr(field), Some(op)) if op.op == ops::s_wait_alu => {
                matches!(op.uses[0], Operand::Imm(bits) if bits as u16 & field as u16 == 0)
            }
            _ => false,
        };
        if waits { u8::MAX } else { passes.into() }
    }

    fn op(&self) -> Option<Op> {
        self.op.map(|o| o.op)
    }
    fn name(&self) -> &'static str {
        self.op().map_or("", |o| o.0.name)
    }
    fn flags(&self) -> Flags {
        self.op().map_or(Flags::empty(), |o| o.flags)
    }
    pub fn is_valu(&self) -> bool {
        use Format::*;
        matches!(self.format, Some(Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p))
    }
    /// The address of a variable is made by SALU ops.
    pub fn is_salu(&self) -> bool {
        use Format::*;
        matches!(self.format, Some(Sop1 | Sop2 | Sopc | Sopk | Sopp)) || self.op.is_none()
    }
    pub fn is_vmem(&self) -> bool {
        matches!(self.format, Some(Format::Flat | Format::Global | Format::Scratch | Format::Mubuf))
    }
    pub fn is_ds(&self) -> bool {
        self.format == Some(Format::Ds)
    }
    fn reads_scratch_base(&self) -> bool {
        let is_base = |o: &Operand| matches!(o, Operand::Reg(Reg::Phys(r)) if r.file == File::FlatScratchBase);
        self.op.is_some_and(|op| op.uses.iter().any(is_base))
    }
    pub fn is_smem(&self) -> bool {
        self.format == Some(Format::Smem)
    }
    pub fn is_branch(&self) -> bool {
        self.flags().contains(Flags::BRANCH)
    }
    /// A wait for all stores.
    pub fn is_store_wait(&self) -> bool {
        let zero = |op: &amd::Inst<Reg>| matches!(op.uses.last(), Some(Operand::Imm(0)));
        self.op.is_some_and(|op| op.op == ops::s_waitcnt_vscnt && zero(op))
    }
    fn is(&self, wave: Wave) -> bool {
        matches!(self.op(), Some(op) if matches!(op.sem, Sem::Wave(w) if w == wave))
    }
    fn is_dpp(&self) -> bool {
        self.op.is_some_and(|op| op.mods.encoding.is_dpp())
    }
    fn reads_lane(&self) -> bool {
        self.is(Wave::ReadLane) || self.is(Wave::ReadFirstLane)
    }
    fn writes_part(&self) -> bool {
        let part = |op: &amd::Inst<Reg>| op.mods.encoding == Encoding::Sdwa || op.mods.op_sel & 8 != 0;
        self.is_valu() && self.op.is_some_and(part)
    }

    fn only(&self, condition: bool, keys: impl Fn(&View) -> Keys) -> Keys {
        if condition { keys(self) } else { Keys::new() }
    }
    fn valu(&self, keys: impl Fn(&View) -> Keys) -> Keys {
        self.only(self.is_valu(), keys)
    }
    fn salu(&self, keys: impl Fn(&View) -> Keys) -> Keys {
        self.only(self.is_salu(), keys)
    }
    fn vmem(&self, keys: impl Fn(&View) -> Keys) -> Keys {
        self.only(self.is_vmem(), keys)
    }
    fn written(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.defs.iter().copied().filter(|k| of(*k)).collect()
    }
    fn read(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.uses.iter().copied().filter(|k| of(*k)).collect()
    }
    fn touched(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.uses.iter().chain(&self.defs).copied().filter(|k| of(*k)).collect()
    }

    /// The SGPR that chooses the lane.
    fn lane_select(&self) -> Keys {
        let Some(op) = self.op else { return Keys::new() };
        match op.uses.get(1) {
            Some(Operand::Reg(r)) if self.is(Wave::ReadLane) || self.is(Wave::WriteLane) => keys(*r).collect(),
            _ => Keys::new(),
        }
    }

    /// The hardware register that `s_setreg` writes, or `s_getreg` reads as well.
    fn hwreg(&self, reads: bool) -> Keys {
        let Some(op) = self.op else { return Keys::new() };
        let sets = self.is(Wave::SetReg) || self.is(Wave::SetRegImm);
        match op.uses.first() {
            Some(Operand::Imm(simm16)) if sets || (reads && self.is(Wave::GetReg)) => {
                [HWREGS + (*simm16 as u16 & 63)].into_iter().collect()
            }
            _ => Keys::new(),
        }
    }

    /// Data of a store of more than two dwords.
    fn wide_store_data(&self) -> Keys {
        let Some(op) = self.op else { return Keys::new() };
        if !self.is_vmem() || !op.op.flags.intersects(Flags::STORE | Flags::ATOMIC) {
            return Keys::new();
        }
        let slots = op.op.uses.iter().zip(&op.uses);
        let wide = slots.filter(|(slot, _)| slot.kind == SlotKind::Vgpr && slot.bits > 64);
        wide.filter_map(|(_, operand)| match operand {
            Operand::Reg(r) => Some(keys(*r)),
            _ => None,
        })
        .flatten()
        .collect()
    }

    /// The first source, for [`Remedy::MoveSource`].
    pub fn first_source(&self) -> Option<Reg> {
        match self.op?.uses.first()? {
            Operand::Reg(r) => Some(*r),
            _ => None,
        }
    }
}

/// The keys of a register's dwords.
fn keys(reg: Reg) -> std::ops::Range<Key> {
    let Reg::Phys(r) = reg else { return 0..0 };
    let first = match r.file {
        File::Vgpr => r.index,
        File::Sgpr => SGPRS + r.index,
        File::Vcc => VCC + r.index,
        File::Exec => EXEC + r.index,
        File::M0 => M0,
        File::Null => NULL,
        _ => return 0..0,
    };
    first..first + r.dwords as u16
}

/// Rows for a target.
pub fn rows(target: &Target) -> impl Iterator<Item = &'static Row> {
    ROWS.iter().filter(|row| (row.applies)(target))
}
