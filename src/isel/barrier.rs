//! What barriers ask of a warp: which of its lanes are here, which are alive, and what the first one says.
//!
//! DESIGN, "Warp is 32, wave is 32 or 64": on wave64 each half of the wave has an answer of its own.

use super::{Ctx, Lowered};
use crate::amd::{self, ops};
use crate::ir::InstData;
use crate::mir::{InstKind, Operand, Reg, RegClass};

/// Lanes 32 to 63.
const UPPER_HALF: u64 = 0xffff_ffff_0000_0000;

impl Ctx<'_> {
    pub(super) fn lower_ballot(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let (exec, holds) = (self.exec(), self.src(data.args[0]));
        match holds {
            Operand::Imm(0) => self.copy(dst, Operand::Imm(0)),
            Operand::Imm(_) => self.of_own_half(dst, exec),
            other => {
                let mask = self.mask_tmp();
                let and = self.mask_op(ops::s_and_b32, ops::s_and_b64);
                self.salu(and, &[mask], &[exec.into(), other]);
                self.of_own_half(dst, mask);
            }
        }
        Ok(())
    }

    pub(super) fn lower_live_lanes(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let live = self.mask_tmp();
        self.emit(InstKind::LiveLanes { dst: live });
        self.of_own_half(dst, live);
        Ok(())
    }

    pub(super) fn lower_from_first_lane(&mut self, data: &InstData) -> Lowered {
        let (dst, src) = (self.dst(data.results[0]), self.src(data.args[0]));
        let from = match src {
            Operand::Reg(reg) if self.mir.class(reg) == RegClass::Vgpr => reg,
            other => {
                self.copy(dst, other);
                return Ok(());
            }
        };
        if self.target.wave_lanes() == 32 {
            let first = self.stmp(1);
            self.valu(ops::v_readfirstlane_b32, first, &[from.into()]);
            self.copy(dst, first.into());
            return Ok(());
        }
        let both = self.stmp(2);
        for half in [0, 1] {
            let lane = self.stmp(1);
            // -1 where no lane of the half is active: any lane will do then.
            self.salu(ops::s_ctz_i32_b32, &[lane], &[self.exec().sub(half, 1).into()]);
            if half == 1 {
                self.salu(ops::s_or_b32, &[lane], &[lane.into(), Operand::Imm(32)]);
            }
            self.valu(ops::v_readlane_b32, both.sub(half, 1), &[from.into(), lane.into()]);
        }
        self.of_own_half(dst, both);
        Ok(())
    }

    pub(super) fn exec(&self) -> Reg {
        amd::Reg::exec(self.target.wave_lanes()).into()
    }

    /// dst = the dword of `mask` (as many dwords as a lane mask has) that belongs to each lane's warp.
    pub(super) fn of_own_half(&mut self, dst: Reg, mask: Reg) {
        if self.target.wave_lanes() == 32 {
            return self.copy(dst, mask.into());
        }
        let upper = self.constant_reg(UPPER_HALF, RegClass::Sgpr, 2);
        let low = self.vtmp(1);
        self.copy(low, mask.sub(0, 1).into());
        let high = self.vtmp(1);
        self.copy(high, mask.sub(1, 1).into());
        self.valu(ops::v_cndmask_b32, dst, &[low.into(), high.into(), upper.into()]);
    }
}
