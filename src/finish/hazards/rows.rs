//! The hazards, one row each: what comes first, what must not follow too soon, how far apart they must be, and what helps.
//!
//! Spec: the AMD ISA manuals (Vega, MI200, MI300), "Manually Inserted Wait States"; RDNA1 and later have no table of their own,
//! and `ABI_FACTS`, section 6, lists what LLVM 22 was seen to insert. Registers are keys: see [`Key`].

use crate::amd::inst::Sel;
use crate::amd::lane::{Sem, Wave};
use crate::amd::op::{Format, SlotKind};
use crate::amd::{self, Column, Feature, File, Flags, Op, Target, ops};
use crate::mir::{Inst, InstKind, Operand, Reg};
use smallvec::SmallVec;

/// A register that a hazard is about.
pub type Key = u16;
pub const SGPRS: Key = 256;
pub const VCC: Key = SGPRS + 106;
const EXEC: Key = SGPRS + 126;
const M0: Key = SGPRS + 130;
const NULL: Key = SGPRS + 131;
/// Hardware registers, by number.
const HWREGS: Key = 512;
/// A VGPR that must keep its value: this much above its own key.
const KEPT: Key = 640;
/// Results of dot products, by op ([`DOTS`]) and VGPR.
const DOT_RESULTS: Key = 1024;
/// The dot products; another one would count as different from itself, which costs a few wait states.
static DOTS: &[Op] = &[ops::v_dot2_i32_i16, ops::v_dot2_u32_u16, ops::v_dot4_i32_i8, ops::v_dot4_u32_u8];

pub type Keys = SmallVec<[Key; 8]>;

/// What passes between the two instructions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit {
    /// Wait states: instructions, `s_nop` counting for as many as it says.
    States,
    /// VALU instructions.
    Valu,
    /// VALU instructions but `v_nop`, which is dropped before it gets that far.
    ValuButNop,
    /// Instructions of SALU and VALU that write an SGPR.
    SgprWrites,
    /// Nothing but what [`Row::ends`] says.
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
    /// `s_wait_alu` (`s_waitcnt_depctr`) with these fields at zero: of [`depctr`].
    Depctr(u16),
}

/// Fields of `s_wait_alu`, as masks.
pub mod depctr {
    pub const SA_SDST: u16 = 0x0001;
    pub const VA_VCC: u16 = 0x0002;
    pub const VM_VSRC: u16 = 0x001c;
    pub const VA_SDST: u16 = 0x0e00;
    pub const VA_VDST: u16 = 0xf000;
}

/// A hazard; `docs/hazards.md` gives the source of each.
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
    /// Instructions that end the hazard at once, beside a remedy that is a wait.
    pub ends: fn(&View) -> bool,
    pub remedy: Remedy,
}

/// What most rows have in common.
const STATES: Row = Row {
    name: "",
    applies: gfx9,
    first: |_| Keys::new(),
    then: |_| Keys::new(),
    unit: Unit::States,
    distance: |_| 1,
    ends: |_| false,
    remedy: Remedy::Nops,
};
const WAIT: Row = Row { unit: Unit::Never, remedy: Remedy::Depctr(depctr::SA_SDST), ..STATES };

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
fn agprs(t: &Target) -> bool {
    t.has(Feature::UnifiedAgprs)
}

#[rustfmt::skip]
pub static ROWS: &[Row] = &[
    Row { name: "VALU writes SGPR, VMEM reads it", distance: |_| 5,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.vmem(|i| i.read(scalar)), ..STATES },
    Row { name: "VALU writes SGPR, v_readlane or v_writelane selects by it", distance: |_| 4,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.lane_select(), ..STATES },
    Row { name: "VALU writes VCC, v_div_fmas", distance: |_| 4,
          first: |i| i.valu(|i| i.written(|k| (VCC..VCC + 2).contains(&k))), then: |i| i.only(i.flags().contains(Flags::READS_VCC) && i.is_valu(), |_| (VCC..VCC + 2).collect()), ..STATES },
    Row { name: "VGPR written, DPP reads it", distance: |_| 2,
          first: |i| i.written(vector), then: |i| i.only(i.is_dpp(), |i| i.read(vector)), ..STATES },
    Row { name: "VALU writes EXEC, DPP", distance: |_| 5,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.is_dpp(), |_| (EXEC..EXEC + 2).collect()), ..STATES },
    Row { name: "SALU writes M0, then v_movrel or s_sendmsg",
          first: |i| i.salu(|i| i.written(|k| k == M0)), then: |i| i.only(i.flags().contains(Flags::READS_M0), |_| [M0].into_iter().collect()), ..STATES },
    Row { name: "s_setreg, then s_getreg or s_setreg of the same", distance: |_| 2,
          first: |i| i.hwreg(false), then: |i| i.hwreg(true), ..STATES },
    Row { name: "store of more than 64 bits, VALU overwrites its data", distance: |t| if gfx94(t) { 2 } else { 1 },
          first: |i| i.wide_store_data(), then: |i| i.valu(|i| i.written(vector)), ..STATES },
    Row { name: "VALU writes SGPR or VCC, VALU reads it", applies: gfx94, distance: |_| 2,
          first: |i| i.valu(|i| i.written(scalar)), then: |i| i.valu(|i| i.read(scalar)), ..STATES },
    Row { name: "VALU writes VGPR, v_readlane or v_readfirstlane reads it", applies: gfx94,
          first: |i| i.valu(|i| i.written(vector)), then: |i| i.only(i.reads_lane(), |i| i.read(vector)), ..STATES },
    Row { name: "VALU writes EXEC, v_readlane, v_readfirstlane or v_writelane", applies: gfx94, distance: |_| 4,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.reads_lane() || i.is(Wave::WriteLane), |_| (EXEC..EXEC + 2).collect()), ..STATES },
    Row { name: "SDWA or op_sel writes part of a VGPR, VALU reads or writes it", applies: gfx94,
          first: |i| i.only(i.writes_part(), |i| i.written(vector)), then: |i| i.valu(|i| i.touched(vector)), ..STATES },
    Row { name: "transcendental, VALU reads the result", applies: gfx94,
          first: |i| i.only(i.is_trans(), |i| i.written(vector)), then: |i| i.only(i.is_valu() && !i.is_trans(), |i| i.read(vector)), ..STATES },
    Row { name: "VALU writes VGPR, v_permlane*_swap", applies: gfx950, distance: |_| 2,
          first: |i| i.valu(|i| i.written(vector)), then: |i| i.only(i.is_permlane_swap(), |i| i.read(vector)), ..STATES },
    Row { name: "VALU writes EXEC, v_permlane*_swap", applies: gfx950, distance: |_| 4,
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.is_permlane_swap(), |_| (EXEC..EXEC + 2).collect()), ..STATES },
    Row { name: "dot product, its result used but as the same op's addend", applies: agprs, distance: |_| 3,
          first: |i| i.dot_result(), then: |i| i.not_dot_addend(), ..STATES },
    Row { name: "transcendental, VALU reads the result", applies: |t| t.has(Feature::TransUseHazard), unit: Unit::Valu, distance: |_| 6, remedy: Remedy::Depctr(depctr::VA_VDST),
          // LLVM also takes two transcendentals in between for enough; six VALU ops are so anyhow.
          ends: |i| i.is_vmem() || i.is_ds(),
          first: |i| i.only(i.is_trans(), |i| i.written(vector)), then: |i| i.valu(|i| i.read(vector)) },
    Row { name: "transcendental, VALU reads its result or overwrites its source", applies: gfx1250, unit: Unit::Valu, remedy: Remedy::VNop,
          first: |i| i.only(i.is_trans(), |i| { let mut keys = i.written(vector); keys.extend(i.read(vector).iter().map(|k| k + KEPT)); keys }),
          then: |i| i.only(i.is_valu() && !i.is_trans(), |i| { let mut keys = i.read(vector); keys.extend(i.written(vector).iter().map(|k| k + KEPT)); keys }), ..STATES },
    Row { name: "VALU writes EXEC, v_permlane16, v_permlanex16 or v_permlane64", unit: Unit::ValuButNop, remedy: Remedy::MoveSource,
          applies: |t| gfx10_1(t) || matches!(t.column(), Column::Gfx11 | Column::Gfx12),
          first: |i| i.valu(|i| i.written(exec)), then: |i| i.only(i.is_permlane(), |_| (EXEC..EXEC + 2).collect()), ..STATES },
    Row { name: "VALU, then s_setreg of MODE", applies: gfx1250, unit: Unit::Valu, distance: |_| 2, remedy: Remedy::VNop,
          first: |i| i.only(i.is_valu() && !i.is_vnop(), |_| [HWREGS + 1].into_iter().collect()),
          then: |i| i.only(!i.is_getreg(), |i| i.hwreg(false)), ..STATES },
    Row { name: "VMEM or DS reads SGPR or EXEC, SALU or SMEM writes it", applies: gfx10_1, unit: Unit::Valu, remedy: Remedy::Depctr(depctr::VM_VSRC),
          ends: |i| i.waitcnt().is_some_and(|bits| bits == 0),
          first: |i| i.only(i.is_vmem() || i.is_ds(), |i| { let mut keys = i.read(scalar); keys.extend(EXEC..EXEC + 2); keys }),
          then: |i| i.only(i.is_salu() || i.is_smem(), |i| i.written(|k| scalar(k) || exec(k))), ..STATES },
    Row { name: "SMEM reads SGPR, VALU writes it", applies: gfx10_1, remedy: Remedy::ScalarMove,
          ends: |i| i.goes_through_salu() || i.waitcnt().is_some_and(|bits| bits >> 8 & 0x3f == 0),
          first: |i| i.only(i.is_smem(), |i| i.read(scalar)), then: |i| i.valu(|i| i.written(scalar)), ..WAIT },
    Row { name: "EXEC read but by VALU, then VALU writes it", applies: gfx10_1,
          ends: |i| i.is_valu() && !i.written(|k| scalar(k) || exec(k)).is_empty(),
          first: |i| i.only(!i.is_valu(), |i| i.read(exec)), then: |i| i.valu(|i| i.written(exec)), ..WAIT },
    // What was written to s102 and s103 may be forwarded in place of the base.
    Row { name: "s102 or s103 written, src_flat_scratch_base read", applies: gfx1250, unit: Unit::SgprWrites, distance: |_| 10,
          remedy: Remedy::Depctr(depctr::SA_SDST | depctr::VA_SDST),
          first: |i| i.only(i.is_salu() || i.is_valu(), |i| i.written(beside_scratch_base)), then: |i| i.only(i.reads_scratch_base(), |_| BESIDE_SCRATCH_BASE.collect()), ..STATES },
];

fn vector(key: Key) -> bool {
    key < SGPRS
}
/// SGPRs and VCC.
pub fn scalar(key: Key) -> bool {
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

    pub fn defs(&self) -> &[Key] {
        &self.defs
    }
    pub fn uses(&self) -> &[Key] {
        &self.uses
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
        let waits = match row.remedy {
            Remedy::Depctr(fields) => self.depctr().is_some_and(|word| word & fields == 0),
            _ => false,
        };
        if waits || (row.ends)(self) {
            return u8::MAX;
        }
        match row.unit {
            Unit::States => self.states(),
            Unit::Valu => self.is_valu().into(),
            Unit::ValuButNop => (self.is_valu() && !self.is_vnop()).into(),
            Unit::SgprWrites => {
                let writes = self.defs.iter().any(|&k| scalar(k));
                ((self.is_valu() || self.is_salu()) && writes).into()
            }
            Unit::Never => 0,
        }
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
    pub fn is_mubuf(&self) -> bool {
        self.format == Some(Format::Mubuf)
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
    pub fn is_memory(&self) -> bool {
        self.is_smem() || self.is_vmem()
    }
    /// A store, or an atomic.
    pub fn is_store(&self) -> bool {
        self.flags().intersects(Flags::STORE | Flags::ATOMIC)
    }
    pub fn is_branch(&self) -> bool {
        self.flags().contains(Flags::BRANCH)
    }
    /// A wait for all stores, as gfx10 has it.
    pub fn is_store_wait(&self) -> bool {
        let zero = |op: &amd::Inst<Reg>| matches!(op.uses.last(), Some(Operand::Imm(0)));
        self.op.is_some_and(|op| op.op == ops::s_waitcnt_vscnt && zero(op))
    }
    fn is(&self, wave: Wave) -> bool {
        matches!(self.op(), Some(op) if matches!(op.sem, Sem::Wave(w) if w == wave))
    }
    fn is_trans(&self) -> bool {
        self.flags().contains(Flags::TRANS)
    }
    fn is_vnop(&self) -> bool {
        self.op() == Some(ops::v_nop)
    }
    fn is_permlane(&self) -> bool {
        [Wave::Permlane16, Wave::PermlaneX16, Wave::Permlane64].into_iter().any(|wave| self.is(wave))
    }
    fn is_permlane_swap(&self) -> bool {
        self.is_valu() && self.name().starts_with("v_permlane") && self.name().contains("swap")
    }
    fn is_getreg(&self) -> bool {
        self.is(Wave::GetReg)
    }
    /// The word of `s_wait_alu`.
    pub fn depctr(&self) -> Option<u16> {
        self.word(ops::s_wait_alu)
    }
    /// The word of `s_waitcnt`.
    fn waitcnt(&self) -> Option<u16> {
        self.word(ops::s_waitcnt)
    }
    fn word(&self, op: Op) -> Option<u16> {
        match self.op.filter(|i| i.op == op)?.uses.first() {
            Some(Operand::Imm(bits)) => Some(*bits as u16),
            _ => None,
        }
    }
    /// A SALU op that is more than a wait or a jump.
    fn goes_through_salu(&self) -> bool {
        self.is_salu() && self.format != Some(Format::Sopp) && self.op() != Some(ops::s_waitcnt_vscnt)
    }
    fn is_dpp(&self) -> bool {
        self.op.is_some_and(|op| op.mods.encoding.is_dpp())
    }
    fn reads_lane(&self) -> bool {
        self.is(Wave::ReadLane) || self.is(Wave::ReadFirstLane)
    }
    fn writes_part(&self) -> bool {
        let part =
            |op: &amd::Inst<Reg>| op.mods.op_sel & 8 != 0 || op.mods.sdwa.is_some_and(|sdwa| sdwa.dst != Sel::Dword);
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
    pub fn written(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.defs.iter().copied().filter(|k| of(*k)).collect()
    }
    pub fn read(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.uses.iter().copied().filter(|k| of(*k)).collect()
    }
    fn touched(&self, of: impl Fn(Key) -> bool) -> Keys {
        self.uses.iter().chain(&self.defs).copied().filter(|k| of(*k)).collect()
    }

    /// The keys of a dot product's result, one for each op that must not come too soon: all others, by [`DOTS`], and those that are none.
    fn dot_result(&self) -> Keys {
        let Some(mine) = self.dot() else { return Keys::new() };
        let result = self.written(vector);
        let others = (0..=DOTS.len()).filter(|&other| Some(other) != mine);
        let mut keys: Keys = others.flat_map(|o| result.iter().map(move |k| dot_key(o, *k))).collect();
        // As a factor, of the same op too.
        keys.extend(result);
        keys
    }

    /// What an instruction takes of dot products' results beyond what it may have at once.
    fn not_dot_addend(&self) -> Keys {
        match self.dot() {
            None if self.is_valu() || self.is_vmem() || self.is_ds() => {
                self.touched(vector).iter().map(|k| dot_key(DOTS.len(), *k)).collect()
            }
            None => Keys::new(),
            Some(mine) => {
                let factors = self.op.map_or(&[][..], |op| &op.uses[..2]);
                let mut keys: Keys = factors.iter().flat_map(operand_keys).filter(|k| vector(*k)).collect();
                keys.extend(self.touched(vector).iter().map(|k| dot_key(mine.unwrap_or(DOTS.len()), *k)));
                keys
            }
        }
    }

    /// Whether it is a dot product, and which of [`DOTS`].
    fn dot(&self) -> Option<Option<usize>> {
        let op = self.op().filter(|op| self.format == Some(Format::Vop3p) && op.name.starts_with("v_dot"))?;
        Some(DOTS.iter().position(|&dot| dot == op))
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

fn dot_key(op: usize, vgpr: Key) -> Key {
    DOT_RESULTS + 256 * op as Key + vgpr
}

fn operand_keys(operand: &Operand) -> std::ops::Range<Key> {
    match operand {
        Operand::Reg(r) => keys(*r),
        _ => 0..0,
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
