//! The scalar ops that masks need, in the wave's size.

use crate::amd::op::Op;
use crate::amd::{self, Target, ops};
use crate::diag::Span;
use crate::mir::{Block, Inst, MirFunc, Operand, Reg, RegClass};

/// Makes instructions over lane masks.
#[derive(Copy, Clone)]
pub(super) struct MaskOps {
    wide: bool,
    pub exec: Reg,
    pub span: Span,
}

impl MaskOps {
    pub fn new(target: &Target) -> MaskOps {
        MaskOps { wide: target.wave_lanes() == 64, exec: amd::Reg::exec(target.wave_lanes()).into(), span: Span::NONE }
    }

    pub fn at(self, span: Span) -> MaskOps {
        MaskOps { span, ..self }
    }

    /// A new register of a mask's size.
    pub fn fresh(self, func: &mut MirFunc) -> Reg {
        let vreg = func.new_vreg(RegClass::Sgpr, self.exec.dwords());
        func.reg(vreg)
    }

    fn make(self, narrow: Op, wide: Op, defs: &[Reg], uses: &[Operand]) -> Inst {
        let op = if self.wide { wide } else { narrow };
        Inst::op(amd::Inst::new(op, defs.iter().copied(), uses.iter().copied()), self.span)
    }

    pub fn mov(self, dst: Reg, src: impl Into<Operand>) -> Inst {
        self.make(ops::s_mov_b32, ops::s_mov_b64, &[dst], &[src.into()])
    }

    pub fn zero(self, dst: Reg) -> Inst {
        self.mov(dst, Operand::Imm(0))
    }

    pub fn and(self, dst: Reg, a: Reg, b: impl Into<Operand>) -> Inst {
        self.make(ops::s_and_b32, ops::s_and_b64, &[dst], &[a.into(), b.into()])
    }

    /// a & !b
    pub fn and_not(self, dst: Reg, a: Reg, b: impl Into<Operand>) -> Inst {
        self.make(ops::s_and_not1_b32, ops::s_and_not1_b64, &[dst], &[a.into(), b.into()])
    }

    pub fn or(self, dst: Reg, a: Reg, b: impl Into<Operand>) -> Inst {
        self.make(ops::s_or_b32, ops::s_or_b64, &[dst], &[a.into(), b.into()])
    }

    pub fn xor(self, dst: Reg, a: Reg, b: Reg) -> Inst {
        self.make(ops::s_xor_b32, ops::s_xor_b64, &[dst], &[a.into(), b.into()])
    }

    /// dst = EXEC; EXEC &= mask.
    pub fn and_save(self, dst: Reg, mask: Reg) -> Inst {
        self.make(ops::s_and_saveexec_b32, ops::s_and_saveexec_b64, &[dst], &[mask.into()])
    }

    /// SCC = a != b
    pub fn differ(self, a: Reg, b: impl Into<Operand>) -> Inst {
        self.make(ops::s_cmp_lg_u32, ops::s_cmp_lg_u64, &[], &[a.into(), b.into()])
    }

    pub fn branch(self, op: Op, to: Block) -> Inst {
        Inst::op(amd::Inst::new(op, [], [Operand::Label(to.as_u32())]), self.span)
    }

    pub fn plain(self, op: Op, uses: impl IntoIterator<Item = Operand>) -> Inst {
        Inst::op(amd::Inst::new(op, [], uses), self.span)
    }

    /// Arrive at barrier 0 and wait.
    pub fn barrier(self, target: &Target) -> Vec<Inst> {
        if target.has(amd::Feature::SplitBarrier) {
            // The barrier's number is -1; SIMM16 of the wait holds its 16 bits.
            let signal = self.plain(ops::s_barrier_signal, [Operand::Imm(0xffff_ffff)]);
            vec![signal, self.plain(ops::s_barrier_wait, [Operand::Imm(0xffff)])]
        } else {
            vec![self.plain(ops::s_barrier, [])]
        }
    }
}
