//! Values between lanes: DPP, LDS permutes and swizzle, `v_permlane*`.
//!
//! Spec: the AMD ISA manuals, "DPP", "DS_PERMUTE_B32", "DS_BPERMUTE_B32", "DS_SWIZZLE_B32", "V_PERMLANE16_B32".

use super::code::{Dest, Prepared, Source};
use super::exec::Flow;
use super::fault::Fault;
use super::group::Machine;
use super::wave::{Wave, lanes_of};
use crate::amd::lane::Wave as WaveOp;
use crate::amd::{Column, Dpp};

impl Machine<'_> {
    /// Source 0 of a DPP instruction for each lane, and the lanes that are written.
    pub fn dpp(&self, wave: &Wave, p: &Prepared, dpp: Dpp, base: usize) -> Result<(Box<[u32; 64]>, u64), Box<Fault>> {
        let exec = wave.exec();
        let eight = p.inst.mods.encoding.is_dpp8();
        let mut values = Box::new([0u32; 64]);
        let mut written = 0u64;
        for lane in 0..wave.lanes {
            let from = if eight {
                Some(lane & !7 | dpp.ctrl >> (3 * (lane & 7)) & 7)
            } else {
                dpp16_lane(dpp.ctrl, lane, wave.lanes, self.target.column())?
            };
            // A lane that is switched off gives nothing, unless `fi` fetches it all the same.
            let from = from.filter(|&from| exec >> from & 1 == 1 || dpp.fetch_inactive);
            let enabled = eight || (dpp.row_mask >> (lane / 16) & 1 == 1 && dpp.bank_mask >> (lane / 4 % 4) & 1 == 1);
            match from {
                Some(from) => values[lane as usize] = wave.vgprs[base + from as usize],
                None if dpp.bound_ctrl || eight => {}
                None => continue,
            }
            if enabled {
                written |= 1 << lane;
            }
        }
        Ok((values, written))
    }

    /// `ds_permute`, `ds_bpermute`, `ds_swizzle` and the permlane ops.
    pub fn move_lanes(&mut self, wave: &mut Wave, p: &Prepared, op: WaveOp) -> Result<Flow, Box<Fault>> {
        let exec = wave.exec();
        let count = wave.lanes;
        let vector = |index: usize| match p.uses.get(index).map(|u| u.source) {
            Some(Source::Vector(first, _)) => Ok(first),
            _ => Err(Fault::unsupported("a lane permute of something that is no VGPR")),
        };
        let Some(&Dest::Vector(dest, _)) = p.defs.first() else {
            return Err(Fault::unsupported("a lane permute to nowhere"));
        };
        // `None` leaves the lane's register as it is.
        let mut results = [None; 64];
        match op {
            WaveOp::DsBpermute | WaveOp::DsBpermuteFi => {
                let (address, data) = (vector(0)?, vector(1)?);
                for lane in lanes_of(exec) {
                    let at = wave.vgpr(address, lane).wrapping_add(p.inst.mods.offset as u32);
                    let from = at / 4 % count;
                    let active = exec >> from & 1 == 1 || op == WaveOp::DsBpermuteFi;
                    results[lane as usize] = Some(if active { wave.vgpr(data, from) } else { 0 });
                }
            }
            WaveOp::DsPermute => {
                let (address, data) = (vector(0)?, vector(1)?);
                let mut pushed = [0u32; 64];
                for lane in lanes_of(exec) {
                    // Of several lanes that push to one, the highest wins.
                    let at = wave.vgpr(address, lane).wrapping_add(p.inst.mods.offset as u32);
                    pushed[(at / 4 % count) as usize] = wave.vgpr(data, lane);
                }
                for lane in lanes_of(exec) {
                    results[lane as usize] = Some(pushed[lane as usize]);
                }
            }
            WaveOp::DsSwizzle => {
                let data = vector(0)?;
                for lane in lanes_of(exec) {
                    let from = swizzle_lane(p.inst.mods.offset as u32 & 0xffff, lane)?;
                    let active = exec >> from & 1 == 1;
                    results[lane as usize] = Some(if active { wave.vgpr(data, from) } else { 0 });
                }
            }
            WaveOp::Permlane16 | WaveOp::PermlaneX16 => {
                let data = vector(0)?;
                let select = self.scalar_use(wave, p, 1)? & 0xffff_ffff | self.scalar_use(wave, p, 2)? << 32;
                let (fetch_inactive, bound_ctrl) = (p.inst.mods.op_sel & 1 != 0, p.inst.mods.op_sel & 2 != 0);
                for lane in lanes_of(exec) {
                    let row = if op == WaveOp::PermlaneX16 { (lane / 16) ^ 1 } else { lane / 16 };
                    let from = row * 16 + (select >> (4 * (lane % 16)) & 15) as u32;
                    results[lane as usize] = if exec >> from & 1 == 1 || fetch_inactive {
                        Some(wave.vgpr(data, from))
                    } else {
                        bound_ctrl.then_some(0)
                    };
                }
            }
            WaveOp::Permlane16Var | WaveOp::PermlaneX16Var => {
                let (data, select) = (vector(0)?, vector(1)?);
                let (fetch_inactive, bound_ctrl) = (p.inst.mods.op_sel & 1 != 0, p.inst.mods.op_sel & 2 != 0);
                for lane in lanes_of(exec) {
                    let row = if op == WaveOp::PermlaneX16Var { (lane / 16) ^ 1 } else { lane / 16 };
                    let from = row * 16 + (wave.vgpr(select, lane) & 15);
                    results[lane as usize] = if exec >> from & 1 == 1 || fetch_inactive {
                        Some(wave.vgpr(data, from))
                    } else {
                        bound_ctrl.then_some(0)
                    };
                }
            }
            // The manuals make it a no-op in wave32.
            WaveOp::Permlane64 if count == 32 => {}
            WaveOp::Permlane64 => {
                let data = vector(0)?;
                for lane in lanes_of(exec) {
                    results[lane as usize] = Some(wave.vgpr(data, lane ^ 32));
                }
            }
            _ => return Err(Fault::unsupported("this lane permute")),
        }
        for lane in lanes_of(exec) {
            if let Some(value) = results[lane as usize] {
                wave.set_vgpr(dest, lane, value);
            }
        }
        Ok(Flow::Next)
    }
}

impl Machine<'_> {
    /// `v_swap_b32`, `v_swap_b16`, `v_permlane16_swap_b32`, `v_permlane32_swap_b32`: two registers are written.
    pub fn swap(&mut self, wave: &mut Wave, p: &Prepared, op: WaveOp) -> Result<Flow, Box<Fault>> {
        let &[Dest::Vector(dest, _), Dest::Vector(source, _)] = &p.defs[..] else {
            return Err(Fault::unsupported("a swap of something that is no VGPR"));
        };
        let exec = wave.exec();
        let row_lanes = match op {
            WaveOp::Permlane16Swap => 16,
            WaveOp::Permlane32Swap => 32,
            WaveOp::Swap16 => {
                // Bit 0 of `op_sel` would be the half of the source, bit 3 that of the destination.
                let (high, source_high) = (p.inst.mods.op_sel & 8 != 0, p.inst.mods.op_sel & 1 != 0);
                for lane in lanes_of(exec) {
                    let (to, from) = (16 * high as u32, 16 * source_high as u32);
                    let (d, s) = (wave.vgpr(dest, lane) >> to & 0xffff, wave.vgpr(source, lane) >> from & 0xffff);
                    wave.set_vgpr(dest, lane, wave.vgpr(dest, lane) & !(0xffff << to) | s << to);
                    wave.set_vgpr(source, lane, wave.vgpr(source, lane) & !(0xffff << from) | d << from);
                }
                return Ok(Flow::Next);
            }
            _ => {
                for lane in lanes_of(exec) {
                    let (d, s) = (wave.vgpr(dest, lane), wave.vgpr(source, lane));
                    wave.set_vgpr(dest, lane, s);
                    wave.set_vgpr(source, lane, d);
                }
                return Ok(Flow::Next);
            }
        };
        // The pseudocode knows no EXEC; what inactive lanes do is said nowhere.
        if exec != if wave.lanes == 32 { u32::MAX as u64 } else { u64::MAX } {
            return Err(Fault::unsupported("a swap of rows with inactive lanes"));
        }
        for lane in (0..wave.lanes).filter(|lane| lane / row_lanes % 2 == 0) {
            let (s, d) = (wave.vgpr(source, lane), wave.vgpr(dest, lane + row_lanes));
            wave.set_vgpr(source, lane, d);
            wave.set_vgpr(dest, lane + row_lanes, s);
        }
        Ok(Flow::Next)
    }
}

/// The lane that DPP16 control reads for `lane`; `None` beyond the row or wave.
fn dpp16_lane(ctrl: u32, lane: u32, lanes: u32, column: Column) -> Result<Option<u32>, Box<Fault>> {
    let (row, at) = (lane & !15, lane & 15);
    let gfx9 = column == Column::Gfx9;
    let in_wave = |from: u32| (from < lanes).then_some(from);
    Ok(match ctrl {
        0..=0xff => Some(lane & !3 | ctrl >> (2 * (lane & 3)) & 3),
        // A shift left moves values to lower lanes.
        0x101..=0x10f => (at + (ctrl & 15) < 16).then(|| lane + (ctrl & 15)),
        0x111..=0x11f => (at >= ctrl & 15).then(|| lane - (ctrl & 15)),
        0x121..=0x12f => Some(row | (at + 16 - (ctrl & 15)) & 15),
        0x130 if gfx9 => in_wave(lane + 1),
        0x134 if gfx9 => Some((lane + 1) % lanes),
        0x138 if gfx9 => lane.checked_sub(1),
        0x13c if gfx9 => Some((lane + lanes - 1) % lanes),
        0x140 => Some(row | (15 - at)),
        0x141 => Some((lane & !7) | (7 - (lane & 7))),
        0x142 if gfx9 => row.checked_sub(1),
        0x143 if gfx9 => (lane >= 32).then_some(31),
        0x150..=0x15f => Some(row | ctrl & 15),
        0x160..=0x16f if !gfx9 => Some(row | at ^ ctrl & 15),
        _ => return Err(Fault::unsupported(format!("dpp_ctrl {ctrl:#x}"))),
    })
}

/// The lane that `ds_swizzle_b32` reads for `lane`.
fn swizzle_lane(offset: u32, lane: u32) -> Result<u32, Box<Fault>> {
    let group = lane & !31;
    Ok(match offset {
        0..=0x7fff => {
            let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
            group | ((lane & 31 & and | or) ^ xor)
        }
        0x8000..=0x80ff => lane & !3 | offset >> (2 * (lane & 3)) & 3,
        // Rotation and FFT modes are not modelled.
        _ => return Err(Fault::unsupported(format!("ds_swizzle offset {offset:#x}"))),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dpp(ctrl: u32, lane: u32, column: Column) -> Option<u32> {
        dpp16_lane(ctrl, lane, if column == Column::Gfx9 { 64 } else { 32 }, column).expect("a control of this family")
    }

    #[test]
    fn dpp_controls() {
        use Column::*;
        assert_eq!([0, 1, 2, 3].map(|lane| dpp(0b00_01_10_11, lane + 8, Gfx9)), [11, 10, 9, 8].map(Some));
        assert_eq!((dpp(0x101, 14, Gfx10), dpp(0x101, 15, Gfx10)), (Some(15), None));
        assert_eq!((dpp(0x112, 17, Gfx10), dpp(0x112, 18, Gfx10)), (None, Some(16)));
        assert_eq!((dpp(0x121, 16, Gfx10), dpp(0x121, 17, Gfx10)), (Some(31), Some(16)));
        assert_eq!((dpp(0x140, 3, Gfx11), dpp(0x141, 3, Gfx11)), (Some(12), Some(4)));
        assert_eq!((dpp(0x142, 16, Gfx9), dpp(0x142, 47, Gfx9), dpp(0x142, 5, Gfx9)), (Some(15), Some(31), None));
        assert_eq!((dpp(0x143, 40, Gfx9), dpp(0x143, 31, Gfx9)), (Some(31), None));
        assert_eq!((dpp(0x138, 32, Gfx9), dpp(0x138, 0, Gfx9), dpp(0x13c, 0, Gfx9)), (Some(31), None, Some(63)));
        assert_eq!((dpp(0x153, 20, Gfx10), dpp(0x161, 20, Gfx10)), (Some(19), Some(21)));
        assert!(dpp16_lane(0x142, 16, 32, Gfx10).is_err());
        assert!(dpp16_lane(0x161, 16, 64, Gfx9).is_err());
    }

    #[test]
    fn swizzles() {
        // xor_mask 1 with and_mask 31: neighbours swap. Broadcast of lane 5: or_mask 5.
        assert_eq!(swizzle_lane(1 << 10 | 31, 6).expect("a bit mask"), 7);
        assert_eq!(swizzle_lane(5 << 5, 40).expect("a bit mask"), 37);
        assert_eq!(swizzle_lane(0x8000 | 0b00_01_10_11, 4).expect("a quad permute"), 7);
        assert!(swizzle_lane(0xe000, 0).is_err());
    }
}
