//! Constants in registers leave the loops.
//!
//! Selection writes a constant that an instruction cannot hold (a selector of `v_perm_b32` on GFX9) at the start of the block that
//! reads it ([`super::legalize`]). In a loop that is once an iteration; here those constants move to the entry block, equal ones
//! together. If registers run out, the allocator makes a constant again at its uses rather than spill it, so nothing is lost.
//!
//! Needs: the logical state of MIR, loop depths. Leaves: constants of the blocks that no loop contains where they are.

use crate::id::SecondaryMap;
use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, Part, Reg, RegClass, Terminator, VReg};

/// Registers that may be taken for the whole function, dwords: few enough to be felt nowhere.
const MOST_SGPRS: usize = 32;
const MOST_VGPRS: usize = 6;

/// A constant of a loop.
struct Hoisted {
    bits: u64,
    class: RegClass,
    reg: Reg,
}

pub(super) fn hoist_constants(func: &mut MirFunc) {
    let in_loop = |func: &MirFunc, block: Block| func.blocks[block].loop_depth > 0;
    let any = func.layout.iter().any(|&block| in_loop(func, block) && first_constant(func, block).is_some());
    if !any || in_loop(func, func.entry) {
        return;
    }
    let local = block_local(func);
    let mut hoisted: Vec<Hoisted> = vec![];
    let mut renamed: SecondaryMap<VReg, Option<VReg>> = SecondaryMap::with_default(None);
    // Inner loops first, while there is room.
    let mut blocks: Vec<Block> = func.layout.iter().copied().filter(|&block| in_loop(func, block)).collect();
    blocks.sort_by_key(|&block| std::cmp::Reverse(func.blocks[block].loop_depth));
    for block in blocks {
        let mut insts = std::mem::take(&mut func.blocks[block].insts);
        let mut moved = false;
        insts.retain(|inst| {
            let Some((vreg, reg, bits)) = constant(inst) else { return true };
            if local[vreg] != Local::To(block) {
                return true;
            }
            let class = func.class(reg);
            let known = hoisted
                .iter()
                .find(|h| (h.bits, h.class, h.reg.dwords()) == (bits, class, reg.dwords()))
                .map(|h| h.reg);
            let Some(kept) = known.or_else(|| has_room(&hoisted, class, reg.dwords()).then_some(reg)) else {
                return true;
            };
            if known.is_none() {
                hoisted.push(Hoisted { bits, class, reg });
            }
            if let Reg::Virt(part) = kept {
                renamed[vreg] = Some(part.vreg);
            }
            moved = true;
            false
        });
        if moved {
            insts.iter_mut().for_each(|inst| rename(inst, &renamed));
        }
        func.blocks[block].insts = insts;
    }
    let entry = func.entry;
    let span = func.blocks[entry].term_span;
    let constants =
        hoisted.into_iter().map(|h| Inst::new(InstKind::Copy { dst: h.reg, src: Operand::Imm(h.bits) }, span));
    func.blocks[entry].insts.extend(constants);
}

fn has_room(hoisted: &[Hoisted], class: RegClass, dwords: u8) -> bool {
    let used: usize = hoisted.iter().filter(|h| h.class == class).map(|h| h.reg.dwords() as usize).sum();
    let most = if class == RegClass::Sgpr { MOST_SGPRS } else { MOST_VGPRS };
    used + dwords as usize <= most
}

/// The whole of a virtual register set to a constant.
fn constant(inst: &Inst) -> Option<(VReg, Reg, u64)> {
    match inst.kind {
        InstKind::Copy { dst: dst @ Reg::Virt(Part { vreg, first: 0, .. }), src: Operand::Imm(bits) } => {
            Some((vreg, dst, bits))
        }
        _ => None,
    }
}

fn first_constant(func: &MirFunc, block: Block) -> Option<()> {
    func.blocks[block].insts.iter().find_map(constant).map(|_| ())
}

/// Where a register is named.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Local {
    Nowhere,
    /// Written once, as a whole, and then read by instructions, in this block only.
    To(Block),
    No,
}

fn block_local(func: &MirFunc) -> SecondaryMap<VReg, Local> {
    let mut local: SecondaryMap<VReg, Local> = SecondaryMap::with_default(Local::Nowhere);
    for &block in &func.layout {
        let data = &func.blocks[block];
        for inst in &data.insts {
            let own = constant(inst).map(|(vreg, ..)| vreg);
            inst.visit(
                |used| {
                    if let Reg::Virt(part) = used
                        && local[part.vreg] != Local::To(block)
                    {
                        local[part.vreg] = Local::No;
                    }
                },
                |_| {},
            );
            inst.visit(
                |_| {},
                |def| {
                    let Reg::Virt(part) = def else { return };
                    let fresh = own == Some(part.vreg)
                        && part.dwords == func.vregs[part.vreg].dwords
                        && local[part.vreg] == Local::Nowhere;
                    local[part.vreg] = if fresh { Local::To(block) } else { Local::No };
                },
            );
        }
        if let Terminator::BranchMask { mask: Reg::Virt(part), .. }
        | Terminator::Switch { index: Reg::Virt(part), .. } = data.term
        {
            local[part.vreg] = Local::No;
        }
    }
    local
}

fn rename(inst: &mut Inst, renamed: &SecondaryMap<VReg, Option<VReg>>) {
    let new = |reg: &mut Reg| {
        if let Reg::Virt(part) = reg
            && let Some(vreg) = renamed[part.vreg]
        {
            part.vreg = vreg;
        }
    };
    let operand = |operand: &mut Operand| {
        if let Operand::Reg(reg) = operand {
            new(reg);
        }
    };
    match &mut inst.kind {
        InstKind::Op(op) => op.uses.iter_mut().for_each(operand),
        InstKind::Copy { src, .. } | InstKind::MaskMerge { src, .. } => operand(src),
        InstKind::ParallelCopy(copies) => copies.iter_mut().for_each(|(_, src)| operand(src)),
        InstKind::Spill { src, .. } => new(src),
        _ => {}
    }
}
