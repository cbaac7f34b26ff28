//! Ops whose meaning is in the wave: branches, barriers, MODE, lane reads.
//!
//! Spec: the AMD ISA manuals, "Program Flow Control", "SOPP", "S_SETREG_B32"; hardware register numbers from the same.

use super::code::{Dest, Prepared, Source};
use super::exec::{Flow, write_scalar};
use super::fault::{Fault, FaultKind};
use super::group::Machine;
use super::wave::{Wave, lanes_of, slot};
use crate::amd::lane::{MaskOp, Wave as WaveOp};

const HW_REG_MODE: u32 = 1;
const HW_REG_FLAT_SCR_LO: u32 = 20;
const HW_REG_FLAT_SCR_HI: u32 = 21;
/// gfx1250: [9:6] are not zero where the work-group is one of a cluster.
const HW_REG_IB_STS2: u32 = 28;
/// gfx12: issue order, a hint to us.
const HW_REG_SCHED_MODE: u32 = 26;

impl Machine<'_> {
    pub fn control(&mut self, wave: &mut Wave, p: &Prepared, op: WaveOp) -> Result<Flow, Box<Fault>> {
        let next = wave.pc + p.bytes;
        let lanes_mask = if wave.lanes == 32 { u32::MAX as u64 } else { u64::MAX };
        let branch = |taken: bool| -> Result<Flow, Box<Fault>> {
            match p.uses.first().map(|u| u.source) {
                _ if !taken => Ok(Flow::Next),
                Some(Source::Const(target)) => {
                    Ok(Flow::Jump(next.wrapping_add((target as u16 as i16 as i64 * 4) as u64)))
                }
                _ => Err(Fault::unsupported("a branch without a target")),
            }
        };
        match op {
            WaveOp::Nop | WaveOp::SleepOrHint | WaveOp::ICacheInv => {}
            WaveOp::CacheControl => {
                if !p.inst.op.name.contains("wb") {
                    self.check_invalidate(wave)?;
                }
            }
            WaveOp::WaitCnt => {
                for &(counter, left) in &p.waits {
                    wave.waits.wait(counter, left);
                }
            }
            WaveOp::EndPgm => return Ok(Flow::End),
            WaveOp::CodeEnd => return Err(Fault::new(FaultKind::LostPc)),
            WaveOp::Branch => return branch(true),
            WaveOp::BranchScc(value) => return branch(wave.scc == value),
            WaveOp::BranchVcc { zero } => return branch((wave.mask(slot::VCC) == 0) == zero),
            WaveOp::BranchExec { zero } => return branch((wave.exec() == 0) == zero),
            WaveOp::Barrier => {
                // Once: it is executed again when others have run.
                if wave.signalled.is_none() {
                    self.check_arrival(wave)?;
                }
                return self.barrier_wait(wave, true);
            }
            WaveOp::BarrierSignal => {
                if self.scalar_use(wave, p, 0)? as u32 as i32 != -1 {
                    return Err(Fault::unsupported("a barrier other than -1"));
                }
                self.check_arrival(wave)?;
                self.barrier_signal(wave)?;
            }
            WaveOp::BarrierWait => {
                if self.scalar_use(wave, p, 0)? as u16 != 0xffff {
                    return Err(Fault::unsupported("a barrier other than -1"));
                }
                return self.barrier_wait(wave, false);
            }
            WaveOp::Trap => {
                let number = self.scalar_use(wave, p, 0)? as u32 & 0xff;
                // 3 is a breakpoint, which nobody waits at.
                if number != 3 {
                    return Err(Fault::new(FaultKind::Trap(number)));
                }
            }
            WaveOp::GetPc => write_scalar(wave, p, 0, next),
            WaveOp::AddPc => return Ok(Flow::Jump(next.wrapping_add(self.scalar_use(wave, p, 0)?))),
            WaveOp::SetPc => return Ok(Flow::Jump(self.scalar_use(wave, p, 0)?)),
            WaveOp::SwapPc => {
                let target = self.scalar_use(wave, p, 0)?;
                write_scalar(wave, p, 0, next);
                return Ok(Flow::Jump(target));
            }
            WaveOp::SaveExec(mask_op) => {
                let (source, exec) = (self.scalar_use(wave, p, 0)?, wave.exec());
                let mask = match mask_op {
                    MaskOp::And => source & exec,
                    MaskOp::Or => source | exec,
                    MaskOp::Xor => source ^ exec,
                    MaskOp::Andn1 => !source & exec,
                    MaskOp::Andn2 => source & !exec,
                    MaskOp::Orn2 => source | !exec,
                } & lanes_mask;
                write_scalar(wave, p, 0, exec);
                wave.set_mask(slot::EXEC, mask);
                wave.scc = mask != 0;
            }
            WaveOp::SetReg | WaveOp::SetRegImm => {
                let (id, shift, mask) = hwreg(self.scalar_use(wave, p, 0)?);
                let value = (self.scalar_use(wave, p, 1)? as u32 & mask) << shift;
                let merge = |old: u32| old & !(mask << shift) | value;
                match id {
                    HW_REG_MODE => wave.mode = merge(wave.mode),
                    HW_REG_FLAT_SCR_LO | HW_REG_FLAT_SCR_HI => {
                        let at = (slot::FLAT_SCRATCH as u32 + id - HW_REG_FLAT_SCR_LO) as usize;
                        wave.scalars[at] = merge(wave.scalars[at]);
                    }
                    HW_REG_SCHED_MODE => {}
                    _ => return Err(Fault::unsupported(format!("writing hardware register {id}"))),
                }
            }
            WaveOp::GetReg => {
                let (id, shift, mask) = hwreg(self.scalar_use(wave, p, 0)?);
                let value = match id {
                    HW_REG_MODE => wave.mode,
                    HW_REG_IB_STS2 => (self.in_cluster as u32) << 6,
                    _ => return Err(Fault::unsupported(format!("reading hardware register {id}"))),
                };
                write_scalar(wave, p, 0, (value >> shift & mask) as u64);
            }
            WaveOp::RoundMode => wave.mode = wave.mode & !0xf | self.scalar_use(wave, p, 0)? as u32 & 0xf,
            WaveOp::DenormMode => wave.mode = wave.mode & !0xf0 | (self.scalar_use(wave, p, 0)? as u32 & 0xf) << 4,
            WaveOp::ReadLane => {
                let lane = self.scalar_use(wave, p, 1)? as u32 % wave.lanes;
                let value = self.lane_value(wave, p, 0, lane)?;
                write_scalar(wave, p, 0, value as u64);
            }
            WaveOp::ReadFirstLane => {
                // Lane 0 when none is active.
                let lane = lanes_of(wave.exec()).next().unwrap_or(0);
                let value = self.lane_value(wave, p, 0, lane)?;
                write_scalar(wave, p, 0, value as u64);
            }
            WaveOp::WriteLane => {
                let value = self.scalar_use(wave, p, 0)? as u32;
                let lane = self.scalar_use(wave, p, 1)? as u32 % wave.lanes;
                if let Some(&Dest::Vector(register, _)) = p.defs.first() {
                    wave.set_vgpr(register, lane, value);
                }
            }
            WaveOp::MbcntLo | WaveOp::MbcntHi => {
                let Some(&Dest::Vector(register, _)) = p.defs.first() else { return Ok(Flow::Next) };
                for lane in lanes_of(wave.exec()) {
                    let below = (1u64 << lane) - 1;
                    let below = if op == WaveOp::MbcntLo { below as u32 } else { (below >> 32) as u32 };
                    let mask = self.lane_value(wave, p, 0, lane)?;
                    let base = self.lane_value(wave, p, 1, lane)?;
                    wave.set_vgpr(register, lane, base.wrapping_add((mask & below).count_ones()));
                }
            }
            WaveOp::DsPermute
            | WaveOp::DsBpermute
            | WaveOp::DsBpermuteFi
            | WaveOp::DsSwizzle
            | WaveOp::Permlane16
            | WaveOp::PermlaneX16
            | WaveOp::Permlane16Var
            | WaveOp::PermlaneX16Var
            | WaveOp::Permlane64 => {
                return self.move_lanes(wave, p, op);
            }
            WaveOp::Permlane16Swap | WaveOp::Permlane32Swap | WaveOp::Swap | WaveOp::Swap16 => {
                return self.swap(wave, p, op);
            }
            WaveOp::MemTime | WaveOp::MemRealTime => write_scalar(wave, p, 0, wave.instructions),
            WaveOp::SendMsg => {
                // With a result it asks for a doorbell or the like, which nothing here has.
                if !p.defs.is_empty() {
                    return Err(Fault::unsupported("a message with an answer"));
                }
            }
            WaveOp::MovRel => return Err(Fault::unsupported("relative register indexing")),
        }
        Ok(Flow::Next)
    }

    /// One lane of a 32-bit vector or scalar source.
    fn lane_value(&self, wave: &Wave, p: &Prepared, index: usize, lane: u32) -> Result<u32, Box<Fault>> {
        match p.uses.get(index).map(|u| u.source) {
            Some(Source::Vector(first, _)) => Ok(wave.vgpr(first, lane)),
            _ => Ok(self.scalar_use(wave, p, index)? as u32),
        }
    }
}

/// A `hwreg` constant: register, shift, and mask of the field before shifting.
fn hwreg(simm16: u64) -> (u32, u32, u32) {
    let simm16 = simm16 as u32;
    let bits = (simm16 >> 11 & 31) + 1;
    (simm16 & 63, simm16 >> 6 & 31, (u32::MAX as u64 >> (32 - bits)) as u32)
}
