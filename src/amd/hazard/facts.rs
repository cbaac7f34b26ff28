//! What the rules want to know of an instruction.

use crate::amd::lane::{Sem, Wave};
use crate::amd::op::{Format, SlotKind};
use crate::amd::{File, Flags, Inst, Op, Operand, Reg, Target, ops};
use smallvec::SmallVec;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Class {
    Valu,
    /// But SOPP.
    Salu,
    Sopp,
    Smem,
    /// GLOBAL, SCRATCH, FLAT and the cache controls.
    Vmem,
    Ds,
    Other,
}

/// Scalar registers, one bit each, numbered as in the encodings: s0 up, VCC at 106, EXEC at 126.
pub type Scalars = u128;
pub const VCC: Scalars = 3 << 106;
pub const EXEC: Scalars = 3 << 126;
pub const M0: Scalars = 1 << 124;

/// SGPRs and VCC.
pub const SGPRS: Scalars = (1 << 108) - 1;

/// VGPRs `[first, end)`; AGPRs from 256.
pub type Vgprs = SmallVec<[(u16, u16); 4]>;

pub struct Facts<'a> {
    pub inst: &'a Inst,
    pub class: Class,
    pub reads: Scalars,
    pub writes: Scalars,
    pub vgprs_read: Vgprs,
    pub vgprs_written: Vgprs,
    /// The highest VGPR named, plus 1.
    pub vgprs_end: u16,
    /// A cache control.
    pub is_mubuf: bool,
    /// It reads `src_flat_scratch_base`.
    pub reads_scratch_base: bool,
}

impl<'a> Facts<'a> {
    pub fn new(inst: &'a Inst, target: &Target) -> Facts<'a> {
        use Format::*;
        let class = match inst.op.opcode(target).map(|c| c.format) {
            Some(Vop1 | Vop2 | Vopc | Vop3 | Vop3sd | Vop3p) => Class::Valu,
            Some(Sop1 | Sop2 | Sopc | Sopk) => Class::Salu,
            Some(Sopp) => Class::Sopp,
            Some(Smem) => Class::Smem,
            Some(Flat | Global | Scratch | Mubuf) => Class::Vmem,
            Some(Ds) => Class::Ds,
            None => Class::Other,
        };
        let mut facts = Facts {
            inst,
            class,
            reads: 0,
            writes: 0,
            vgprs_read: Vgprs::new(),
            vgprs_written: Vgprs::new(),
            vgprs_end: 0,
            is_mubuf: inst.op.opcode(target).is_some_and(|c| c.format == Mubuf),
            reads_scratch_base: false,
        };
        for operand in &inst.uses {
            let Operand::Reg(reg) = operand else { continue };
            facts.reads |= scalars(*reg);
            facts.vgprs_read.extend(vgprs(*reg));
            facts.reads_scratch_base |= reg.file == File::FlatScratchBase;
        }
        for reg in &inst.defs {
            facts.writes |= scalars(*reg);
            facts.vgprs_written.extend(vgprs(*reg));
        }
        let flags = inst.op.flags;
        for (flag, reads, writes) in [
            (Flags::READS_VCC, VCC, 0),
            (Flags::WRITES_VCC, 0, VCC),
            (Flags::READS_EXEC, EXEC, 0),
            (Flags::WRITES_EXEC, 0, EXEC),
            (Flags::READS_M0, M0, 0),
        ] {
            if flags.contains(flag) {
                facts.reads |= reads;
                facts.writes |= writes;
            }
        }
        // What keeps half of its result, or some lanes of it, reads it.
        let keeps_lanes = inst.mods.dpp.is_some_and(|d| !(d.bound_ctrl && d.row_mask == 15 && d.bank_mask == 15));
        if inst.mods.op_sel & 8 != 0 || keeps_lanes {
            facts.vgprs_read.extend(inst.defs.iter().filter_map(|&r| vgprs(r)));
        }
        let ends = facts.vgprs_read.iter().chain(&facts.vgprs_written).map(|v| v.1).filter(|&end| end <= 256);
        facts.vgprs_end = ends.max().unwrap_or(0);
        facts
    }

    pub fn op(&self) -> Op {
        self.inst.op
    }
    pub fn is_valu(&self) -> bool {
        self.class == Class::Valu
    }
    /// SALU, SOPP among it.
    pub fn is_salu(&self) -> bool {
        matches!(self.class, Class::Salu | Class::Sopp)
    }
    pub fn is_memory(&self) -> bool {
        matches!(self.class, Class::Vmem | Class::Ds)
    }
    pub fn is(&self, wave: Wave) -> bool {
        matches!(self.inst.op.sem, Sem::Wave(w) if w == wave)
    }
    pub fn is_trans(&self) -> bool {
        self.inst.op.flags.contains(Flags::TRANS)
    }
    pub fn is_dpp(&self) -> bool {
        self.inst.mods.encoding.is_dpp()
    }
    pub fn is_dot(&self) -> bool {
        self.inst.op.name.starts_with("v_dot")
    }
    pub fn is_permlane_swap(&self) -> bool {
        self.inst.op.name.starts_with("v_permlane") && self.inst.op.name.contains("swap")
    }
    pub fn is_vnop(&self) -> bool {
        self.inst.op == ops::v_nop
    }
    /// A wait for all stores, as gfx10 has it.
    pub fn waits_for_stores(&self) -> bool {
        self.inst.op == ops::s_waitcnt_vscnt && self.imm() == Some(0)
    }
    /// Its last constant.
    pub fn imm(&self) -> Option<u64> {
        self.inst.uses.iter().rev().find_map(|u| match u {
            Operand::Imm(value) => Some(*value),
            _ => None,
        })
    }
    /// The word of `s_wait_alu` (`s_waitcnt_depctr`).
    pub fn depctr(&self) -> Option<u16> {
        if self.inst.op == ops::s_wait_alu { self.imm().map(|v| v as u16) } else { None }
    }
    /// Wait states that it takes.
    pub fn states(&self) -> u32 {
        match self.inst.op {
            op if op == ops::s_nop => self.imm().unwrap_or(0) as u32 % 64 + 1,
            // Stands for an empty block.
            op if op == ops::s_code_end => 0,
            _ => 1,
        }
    }
    /// The hardware register that `s_setreg` (or else `s_getreg`) names.
    pub fn hwreg(&self, sets: bool) -> Option<u64> {
        let fits = if sets { self.is(Wave::SetReg) || self.is(Wave::SetRegImm) } else { self.is(Wave::GetReg) };
        match self.inst.uses.first() {
            Some(Operand::Imm(word)) if fits => Some(word & 63),
            _ => None,
        }
    }
    /// The SGPRs that choose the lane of `v_readlane` or `v_writelane`.
    pub fn lane_select(&self) -> Scalars {
        match self.inst.uses.get(1) {
            Some(Operand::Reg(r)) if self.is(Wave::ReadLane) || self.is(Wave::WriteLane) => scalars(*r),
            _ => 0,
        }
    }
    /// The data of a store of more than 64 bits.
    pub fn wide_store_data(&self) -> Vgprs {
        if self.class != Class::Vmem || !self.inst.op.flags.intersects(Flags::STORE | Flags::ATOMIC) {
            return Vgprs::new();
        }
        let slots = self.inst.op.uses.iter().zip(&self.inst.uses);
        let wide = slots.filter(|(slot, _)| slot.kind == SlotKind::Vgpr && slot.bits > 64);
        wide.filter_map(|(_, operand)| match operand {
            Operand::Reg(r) => vgprs(*r),
            _ => None,
        })
        .collect()
    }
    /// The VGPRs of one source.
    pub fn source(&self, index: usize) -> Vgprs {
        match self.inst.uses.get(index) {
            Some(Operand::Reg(r)) => vgprs(*r).into_iter().collect(),
            _ => Vgprs::new(),
        }
    }
}

/// Whether two lists of VGPRs share one.
pub fn meet(a: &[(u16, u16)], b: &[(u16, u16)]) -> bool {
    a.iter().any(|x| b.iter().any(|y| x.0 < y.1 && y.0 < x.1))
}

fn vgprs(reg: Reg) -> Option<(u16, u16)> {
    let first = match reg.file {
        File::Vgpr => reg.index,
        File::Agpr => 256 + reg.index,
        _ => return None,
    };
    Some((first, first + u16::from(reg.dwords)))
}

pub fn scalars(reg: Reg) -> Scalars {
    let first = match reg.file {
        File::Sgpr => reg.index,
        File::Vcc => 106 + reg.index,
        File::M0 => 124,
        File::Exec => 126 + reg.index,
        _ => return 0,
    };
    let mask = if reg.dwords >= 128 { Scalars::MAX } else { (1 << reg.dwords) - 1 };
    mask << first
}
