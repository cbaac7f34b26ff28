//! What stands in front of a kernel's code.
//!
//! Spec: AMDGPUUsage, "Flat Scratch"; ABI_FACTS, sections 1 and 7. Where the hardware does not set scratch up: FLAT_SCRATCH = the initial
//! value + the wave's offset. On GFX9 FLAT_SCRATCH is a pair of SGPRs, on GFX10 two hardware
//! registers. The code stands in front of everything, where the SGPRs that it reads are as they arrived and nothing needs SCC yet.

use crate::amd::{self, Column, Feature, File, Op, Target, ops};
use crate::diag::{Diag, Span, codes};
use crate::mir::{Inst, MirFunc, Operand, Reg};

/// The operand of `s_setreg_b32` for all 32 bits of a hardware register.
const fn hwreg(id: u64) -> u64 {
    id | (32 - 1) << 11
}
const FLAT_SCR_LO: u64 = hwreg(20);
const FLAT_SCR_HI: u64 = hwreg(21);

/// MODE[25] of gfx1250: instructions that fault are replayed by groups.
const REPLAY_MODE: u64 = 1 | 25 << 6;

/// Writes the set-up into the entry block.
pub fn insert(func: &mut MirFunc, target: &Target) -> Result<(), Diag> {
    set_up_scratch(func, target)?;
    if target.has(Feature::XCounter) {
        // The very first instruction, as LLVM has it.
        let set = amd::Inst::new(ops::s_setreg_imm32_b32, [], [Operand::Imm(REPLAY_MODE), Operand::Imm(1)]);
        func.blocks[func.entry].insts.insert(0, Inst::op(set, Span::NONE));
    }
    Ok(())
}

/// FLAT_SCRATCH in a kernel that uses scratch.
fn set_up_scratch(func: &mut MirFunc, target: &Target) -> Result<(), Diag> {
    if func.scratch_bytes() == 0 || target.has(Feature::ArchitectedScratch) {
        return Ok(());
    }
    let Some(first) = func.abi.flat_scratch_init else {
        let text = format!("kernel `{}` uses scratch, but keeps no SGPRs for the initial FLAT_SCRATCH", func.name);
        return Err(Diag::unsupported(codes::RESOURCES, Span::NONE, text));
    };
    let ids = func.abi.workgroup_id.iter().filter(|&&on| on).count() as u16;
    let wave_offset = amd::Reg::s(func.abi.user_sgprs as u16 + ids);
    let init = amd::Reg::sn(first.into(), 2);
    // On GFX10 the sum takes the place of the initial value, which nothing else reads.
    let on_gfx9 = target.column() == Column::Gfx9;
    let sum = if on_gfx9 { amd::Reg::new(File::FlatScratch, 0, 2) } else { init };
    let reg = |r: amd::Reg| Operand::Reg(Reg::Phys(r));

    let mut code = vec![];
    let mut push = |op: Op, defs: &[amd::Reg], uses: &[Operand]| {
        let inst = amd::Inst::new(op, defs.iter().map(|&r| Reg::Phys(r)), uses.iter().copied());
        code.push(Inst::op(inst, Span::NONE));
    };
    push(ops::s_add_co_u32, &[sum.sub(0, 1)], &[reg(init.sub(0, 1)), reg(wave_offset)]);
    push(ops::s_add_co_ci_u32, &[sum.sub(1, 1)], &[reg(init.sub(1, 1)), Operand::Imm(0)]);
    if !on_gfx9 {
        push(ops::s_setreg_b32, &[], &[Operand::Imm(FLAT_SCR_LO), reg(sum.sub(0, 1))]);
        push(ops::s_setreg_b32, &[], &[Operand::Imm(FLAT_SCR_HI), reg(sum.sub(1, 1))]);
    }
    func.blocks[func.entry].insts.splice(0..0, code);
    Ok(())
}
