//! The verifier of machine IR: what encoder, allocator and `exec` may rely on.
//!
//! Spec: the rows' slots (`amd::op`); the AMD ISA manuals, "Vector ALU Operands"; ABI_FACTS, section 4. Checked in every state:
//!
//! - blocks stand in the layout once, the entry first; the logical successors are the terminator's;
//! - operands are as many as the row has, of the class and size of their slots; parts lie inside their groups;
//! - constant bus, literals, and the VGPR and VCC places of short encodings;
//! - copies keep sizes and never go from VGPRs to SGPRs;
//! - whoever reads SCC stands behind an instruction that wrote it in the same block, with nothing between that destroys it.
//!
//! Not here: definitions before uses (the allocator's liveness finds those), EXEC, waits, hazards.

use super::{Block, Inst, InstKind, MirFunc, Operand, Reg, RegClass, Terminator, text};
use crate::amd::op::{Format, Num, Slot};
use crate::amd::{self, Encoding, Feature, File, Flags, SlotKind, Target, ops};
use crate::id::EntityRef;

/// Checks a function. The message of a failure names block and instruction and ends with the function.
pub fn verify(func: &MirFunc, target: &Target) -> Result<(), String> {
    Verifier { func, target }.check().map_err(|fault| format!("{fault}\n{}", text::print(func)))
}

type Fault = Result<(), String>;

struct Verifier<'a> {
    func: &'a MirFunc,
    target: &'a Target,
}

impl Verifier<'_> {
    fn check(&self) -> Fault {
        let func = self.func;
        if func.layout.first() != Some(&func.entry) {
            return Err("the entry is not the first block of the layout".into());
        }
        let mut placed = vec![false; func.blocks.len()];
        for &block in &func.layout {
            if std::mem::replace(&mut placed[block.index()], true) {
                return Err(format!("{block} is in the layout twice"));
            }
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            for (n, inst) in data.insts.iter().enumerate() {
                self.inst(inst).map_err(|fault| format!("{block}, instruction {n}: {fault}"))?;
            }
            self.terminator(block, &placed).map_err(|fault| format!("{block}, terminator: {fault}"))?;
            self.scc(block).map_err(|fault| format!("{block}: {fault}"))?;
        }
        Ok(())
    }

    fn terminator(&self, block: Block, placed: &[bool]) -> Fault {
        let data = &self.func.blocks[block];
        let mask_dwords = self.target.mask_dwords();
        match &data.term {
            Terminator::BranchMask { mask, .. } | Terminator::Wait { mask, .. } => {
                self.reg(*mask, RegClass::Sgpr, mask_dwords)?
            }
            Terminator::Switch { index, targets } => {
                self.part(*index)?;
                if index.dwords() != 1 || targets.is_empty() {
                    return Err("a switch has an index of one dword and a target".into());
                }
            }
            Terminator::Jump(_) | Terminator::BranchScc { .. } | Terminator::Barrier { .. } => {}
            Terminator::Exit | Terminator::Trap | Terminator::Linear => {}
        }
        let next = if data.term == Terminator::Linear { data.linear_succs.clone() } else { data.term.successors() };
        if data.term != Terminator::Linear && data.logical_succs != next {
            return Err(format!("the logical successors are {:?}, not {next:?}", data.logical_succs));
        }
        match next.iter().find(|b| !placed.get(b.index()).copied().unwrap_or(false)) {
            Some(lost) => Err(format!("{lost} is not in the layout")),
            None => Ok(()),
        }
    }

    /// SCC is written before it is read, and by nothing else between.
    fn scc(&self, block: Block) -> Fault {
        let data = &self.func.blocks[block];
        let mut set = false;
        for (n, inst) in data.insts.iter().enumerate() {
            match &inst.kind {
                InstKind::Op(op) => {
                    let flags = op.op.flags;
                    // Linear code may test what another block left.
                    if flags.contains(Flags::READS_SCC) && !set && data.term != Terminator::Linear {
                        return Err(format!("instruction {n} reads SCC, which nothing has set"));
                    }
                    set |= flags.contains(Flags::WRITES_SCC);
                }
                InstKind::MaskMerge { .. } | InstKind::GlobalAddr { .. } => set = false,
                InstKind::Copy { .. } | InstKind::ParallelCopy(_) | InstKind::Undef { .. } => {}
                InstKind::Spill { .. } | InstKind::Reload { .. } | InstKind::LiveLanes { .. } => {}
            }
        }
        match data.term {
            Terminator::BranchScc { .. } if !set => Err("branches by SCC, which nothing has set".into()),
            _ => Ok(()),
        }
    }

    fn inst(&self, inst: &Inst) -> Fault {
        match &inst.kind {
            InstKind::Op(op) => self.op(op),
            InstKind::Copy { dst, src } => self.copy(*dst, src),
            InstKind::ParallelCopy(copies) => {
                for (n, (dst, src)) in copies.iter().enumerate() {
                    self.copy(*dst, src)?;
                    if copies[..n].iter().any(|(other, _)| other == dst) {
                        return Err(format!("{dst} is written twice"));
                    }
                }
                Ok(())
            }
            InstKind::MaskMerge { dst, src, scratch } => {
                let dwords = self.target.mask_dwords();
                self.reg(*dst, RegClass::Sgpr, dwords)?;
                self.reg(*scratch, RegClass::Sgpr, dwords)?;
                match src {
                    Operand::Reg(src) => self.reg(*src, RegClass::Sgpr, dwords),
                    Operand::Imm(_) => Ok(()),
                    Operand::Off | Operand::Label(_) => Err("a mask is a register or a constant".into()),
                }
            }
            InstKind::GlobalAddr { dst, .. } => self.reg(*dst, RegClass::Sgpr, 2),
            InstKind::Spill { src: reg, .. } | InstKind::Reload { dst: reg, .. } => self.part(*reg),
            InstKind::Undef { dst } => self.part(*dst),
            InstKind::LiveLanes { dst } => self.reg(*dst, RegClass::Sgpr, self.target.mask_dwords()),
        }
    }

    fn copy(&self, dst: Reg, src: &Operand) -> Fault {
        self.part(dst)?;
        match *src {
            Operand::Reg(src) => {
                self.part(src)?;
                if src.dwords() != dst.dwords() {
                    return Err(format!("{dst} and {src} differ in size"));
                }
                if self.func.class(src) == RegClass::Vgpr && self.func.class(dst) == RegClass::Sgpr {
                    return Err(format!("{src} is a VGPR and {dst} an SGPR"));
                }
                Ok(())
            }
            Operand::Imm(bits) if dst.dwords() > 2 || dst.dwords() == 1 && bits >> 32 != 0 => {
                Err(format!("{bits:#x} does not fill {dst}"))
            }
            Operand::Imm(_) => Ok(()),
            Operand::Off | Operand::Label(_) => Err("a copy has a register or a constant as its source".into()),
        }
    }

    /// A register that exists, with its part inside its group.
    fn part(&self, reg: Reg) -> Fault {
        let Reg::Virt(part) = reg else { return Ok(()) };
        match self.func.vregs.get(part.vreg) {
            None => Err(format!("{} does not exist", part.vreg)),
            Some(data) if part.dwords == 0 || part.first + part.dwords > data.dwords => {
                Err(format!("{reg} is not inside its {} dwords", data.dwords))
            }
            Some(_) => Ok(()),
        }
    }

    fn reg(&self, reg: Reg, class: RegClass, dwords: u8) -> Fault {
        self.part(reg)?;
        let null = matches!(reg, Reg::Phys(r) if r.file == File::Null);
        if self.func.class(reg) != class || reg.dwords() != dwords && !null {
            return Err(format!("{reg} is not {dwords} dwords of a {class:?}"));
        }
        Ok(())
    }

    fn op(&self, inst: &amd::Inst<Reg>) -> Fault {
        let op = inst.op;
        let name = op.name;
        let Some(code) = op.opcode(self.target) else {
            return Err(format!("{} has no {name}", self.target.name()));
        };
        if (inst.defs.len(), inst.uses.len()) != (op.defs.len(), op.uses.len()) {
            return Err(format!("{name} takes {} defs and {} uses", op.defs.len(), op.uses.len()));
        }
        for (&def, slot) in inst.defs.iter().zip(op.defs) {
            let class = if slot.kind == SlotKind::Vgpr { RegClass::Vgpr } else { RegClass::Sgpr };
            self.reg(def, class, slot.dwords(self.target.wave_lanes())).map_err(|e| format!("{name}: {e}"))?;
        }
        let based = inst.uses.last().is_some_and(|u| matches!(u, Operand::Reg(_)));
        for (operand, slot) in inst.uses.iter().zip(op.uses) {
            self.use_(operand, slot, based).map_err(|e| format!("{name}: {e}"))?;
        }
        self.limits(inst, code.format).map_err(|e| format!("{name}: {e}"))
    }

    fn use_(&self, operand: &Operand, slot: &Slot, based: bool) -> Fault {
        let dwords = slot.dwords(self.target.wave_lanes());
        match (slot.kind, *operand) {
            (SlotKind::Vgpr, Operand::Reg(r)) => self.reg(r, RegClass::Vgpr, dwords),
            (SlotKind::Sgpr | SlotKind::Mask, Operand::Reg(r)) => self.reg(r, RegClass::Sgpr, dwords),
            (SlotKind::Ssrc, Operand::Reg(r)) => self.reg(r, RegClass::Sgpr, dwords),
            (SlotKind::Src, Operand::Reg(r)) => self.reg(r, self.func.class(r), dwords),
            (SlotKind::VgprOrOff, Operand::Reg(r)) => self.reg(r, RegClass::Vgpr, dwords),
            (SlotKind::SgprOrOff, Operand::Reg(r)) => self.reg(r, RegClass::Sgpr, dwords),
            (SlotKind::VgprAddr, Operand::Reg(r)) => self.reg(r, RegClass::Vgpr, if based { 1 } else { 2 }),
            (SlotKind::Src | SlotKind::Ssrc, Operand::Imm(bits))
                if slot.bits < 64 && bits >> slot.bits.min(32) != 0 =>
            {
                Err(format!("{bits:#x} does not fit {} bits", slot.bits))
            }
            (SlotKind::Src | SlotKind::Ssrc, Operand::Imm(_)) => Ok(()),
            (SlotKind::Simm16 | SlotKind::Literal, Operand::Imm(_)) => Ok(()),
            (SlotKind::VgprOrOff | SlotKind::SgprOrOff, Operand::Off) => Ok(()),
            (SlotKind::Label, Operand::Label(_)) => Ok(()),
            (kind, operand) => Err(format!("{operand:?} cannot stand in a slot of {kind:?}")),
        }
    }

    /// Constant bus, literals, and what the short encodings ask for.
    fn limits(&self, inst: &amd::Inst<Reg>, format: Format) -> Fault {
        let op = inst.op;
        let native = inst.mods.encoding == Encoding::Native;
        let short = native && matches!(format, Format::Vop1 | Format::Vop2 | Format::Vopc);
        if short {
            let masks = inst.uses.iter().zip(op.uses).filter(|(_, s)| s.kind == SlotKind::Mask);
            let masks = masks.filter_map(|(u, _)| if let Operand::Reg(r) = u { Some(*r) } else { None });
            let defs = inst.defs.iter().zip(op.defs).filter(|(_, s)| s.kind == SlotKind::Mask).map(|(d, _)| *d);
            if let Some(mask) = masks.chain(defs).find(|m| !matches!(m, Reg::Phys(r) if r.file == File::Vcc)) {
                return Err(format!("{mask} is not VCC in the short encoding"));
            }
            if format != Format::Vop1
                && inst
                    .uses
                    .get(1)
                    .is_some_and(|u| !matches!(u, Operand::Reg(r) if self.func.class(*r) == RegClass::Vgpr))
            {
                return Err("the second source of the short encoding is a VGPR".into());
            }
        }
        let mut scalars: Vec<Operand> = vec![];
        let mut literals: Vec<u64> = vec![];
        for (&operand, slot) in inst.uses.iter().zip(op.uses) {
            match (operand, slot.kind) {
                (Operand::Imm(bits), SlotKind::Src | SlotKind::Ssrc) if !is_inline(bits, slot) => {
                    if slot.bits == 64 && !self.target.has(Feature::Literal64) {
                        return Err(format!("{bits:#x} is a literal of 64 bits"));
                    }
                    if !literals.contains(&bits) {
                        literals.push(bits);
                    }
                }
                (Operand::Reg(r), SlotKind::Src | SlotKind::Mask)
                    if self.func.class(r) == RegClass::Sgpr && !scalars.contains(&operand) =>
                {
                    scalars.push(operand);
                }
                _ => {}
            }
        }
        let scalar_unit = op.is_scalar();
        let allowed = scalar_unit || short || self.target.has(Feature::Vop3Literal);
        if literals.len() > allowed as usize {
            return Err(format!("literals {literals:x?}"));
        }
        let shift64 = [ops::v_lshlrev_b64, ops::v_lshrrev_b64, ops::v_ashrrev_i64].contains(&op);
        let limit = if shift64 { 1 } else { self.target.constant_bus_limit() as usize };
        if !scalar_unit && scalars.len() + literals.len() > limit {
            return Err(format!("reads {scalars:?} and literals {literals:x?} over the constant bus"));
        }
        Ok(())
    }
}

/// Whether a constant has an operand code of its own.
fn is_inline(bits: u64, slot: &Slot) -> bool {
    const F32: [f32; 9] = [0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.159_154_94];
    let value = match slot.bits {
        64 => bits as i64,
        16 => bits as i16 as i64,
        _ => bits as i32 as i64,
    };
    (-16..=64).contains(&value)
        || slot.bits == 32 && F32.iter().any(|f| f.to_bits() as u64 == bits)
        || slot.bits == 64
            && slot.num == Num::Float
            && F32.iter().any(|&f| (f as f64).to_bits() == bits && f != 0.159_154_94)
}
