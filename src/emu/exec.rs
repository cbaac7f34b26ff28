//! Executes one instruction: scalar and vector arithmetic. Memory is in `access`, everything about the wave in `control`.
//!
//! Spec: the AMD ISA manuals; what an op computes is its row's [`Sem`], what surrounds it is here: operands, source and
//! result modifiers, DPP, EXEC. A vector op with EXEC zero writes nothing, except that a lane mask is written whole: bits of
//! inactive lanes are 0.

use super::code::{Dest, Prepared, Source, Use, is_float_result};
use super::fault::Fault;
use super::group::Machine;
use super::wave::{Wave, lanes_of, slot};
use crate::amd::lane::{FloatMode, Sem};
use crate::amd::op::Format;
use crate::amd::reg::File;
use crate::amd::{Column, Flags, Sdwa, Sel, Unused};

/// Where control goes next.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    Next,
    Jump(u64),
    /// The same instruction again, once others have run.
    Again,
    End,
}

/// A vector source, resolved for all lanes.
enum Lanes {
    Uniform(u64),
    /// Index of lane 0 in the VGPR array.
    One(usize),
    Two(usize, usize),
    Fixed(Box<Lanes>, Use),
    /// Values by lane, from another lane each.
    Moved(Box<[u32; 64]>, Use),
}

impl Lanes {
    #[inline(always)]
    fn at(&self, vgprs: &[u32], lane: usize) -> u64 {
        match self {
            Lanes::Uniform(value) => *value,
            Lanes::One(base) => vgprs[base + lane] as u64,
            Lanes::Two(low, high) => vgprs[low + lane] as u64 | (vgprs[high + lane] as u64) << 32,
            Lanes::Fixed(raw, fix) => fix.fix(raw.at(vgprs, lane)),
            Lanes::Moved(values, fix) => fix.fix(values[lane] as u64),
        }
    }
}

/// A vector result.
#[derive(Copy, Clone)]
enum Out {
    Nowhere,
    One(usize),
    Two(usize, usize),
    /// 16 bits; the other half is kept or cleared.
    LowHalf(usize, bool),
    HighHalf(usize),
    /// SDWA: a part, and what happens to the rest.
    Part(usize, Sel, Unused),
}

impl Out {
    #[inline(always)]
    fn put(self, vgprs: &mut [u32], lane: usize, value: u64) {
        match self {
            Out::Nowhere => {}
            Out::One(base) => vgprs[base + lane] = value as u32,
            Out::Two(low, high) => {
                vgprs[low + lane] = value as u32;
                vgprs[high + lane] = (value >> 32) as u32;
            }
            Out::LowHalf(base, keep) => {
                let old = if keep { vgprs[base + lane] & 0xffff_0000 } else { 0 };
                vgprs[base + lane] = old | value as u32 & 0xffff;
            }
            Out::Part(base, sel, unused) => {
                let (first, width) = sel.bits();
                let mask = ((1u64 << width) - 1) as u32;
                let part = value as u32 & mask;
                let sign = (part << (32 - width)) as i32 >> (32 - width);
                let old = &mut vgprs[base + lane];
                *old = match unused {
                    Unused::Pad => part << first,
                    Unused::Sext => (sign as u32) << first,
                    Unused::Preserve => *old & !(mask << first) | part << first,
                };
            }
            Out::HighHalf(base) => vgprs[base + lane] = vgprs[base + lane] & 0xffff | (value as u32) << 16,
        }
    }
}

impl Machine<'_> {
    pub fn execute(&mut self, wave: &mut Wave, p: &Prepared) -> Result<Flow, Box<Fault>> {
        match p.inst.op.sem {
            Sem::Scalar(f) => {
                let mut sources = [0; 3];
                for (index, value) in sources.iter_mut().enumerate().take(p.uses.len()) {
                    *value = self.scalar_use(wave, p, index)?;
                }
                let (result, scc) = f(sources, wave.scc);
                write_scalar(wave, p, 0, result);
                wave.scc = scc;
            }
            Sem::ScalarCmp(f) => {
                wave.scc = f(self.scalar_use(wave, p, 0)?, self.scalar_use(wave, p, 1)?);
            }
            Sem::Load(_) | Sem::Store(_) | Sem::Atomic(_) => {
                if let Some(code) = p.inst.op.opcode(self.target) {
                    self.access(wave, p, code.format)?;
                }
            }
            Sem::Wave(op) => return self.control(wave, p, op),
            Sem::Lane(_)
            | Sem::LaneFloat(_)
            | Sem::LaneFloatBit(_)
            | Sem::LaneFloatMods(_)
            | Sem::LaneMods(_)
            | Sem::LaneCarry(_)
            | Sem::LaneWide(_)
            | Sem::LaneWideFloat(_)
            | Sem::LaneSelect(_)
            | Sem::LaneCmp(_)
            | Sem::LaneCmpFloat(_)
            | Sem::Unmodelled => self.vector(wave, p)?,
        }
        Ok(Flow::Next)
    }

    fn vector(&mut self, wave: &mut Wave, p: &Prepared) -> Result<(), Box<Fault>> {
        let (sources, exec) = self.sources(wave, p)?;
        let out = self.out(wave, p);
        let mode = wave.float_mode();
        let mask = |index: usize| match p.uses.get(index).map(|u| u.source) {
            Some(Source::Scalar(first, _)) => wave.mask(first),
            Some(Source::Const(bits)) => bits,
            _ => 0,
        };
        let [a, b, c] = &sources;
        let mut mask_out = None;
        match p.inst.op.sem {
            Sem::Lane(f) => {
                if p.inst.mods.clamp || p.inst.mods.omod != 0 {
                    return Err(Fault::unsupported("clamp on an integer op"));
                }
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let value = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)]);
                    out.put(vgprs, lane, value);
                });
            }
            Sem::LaneFloat(f) => {
                let finish = finish_float(p, mode)?;
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let value = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)], mode);
                    out.put(vgprs, lane, finish(value));
                });
            }
            Sem::LaneFloatBit(f) => {
                let finish = finish_float(p, mode)?;
                let vcc = wave.mask(slot::VCC);
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let sources = [a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)];
                    out.put(vgprs, lane, finish(f(sources, vcc >> lane & 1 == 1, mode)));
                });
            }
            Sem::LaneFloatMods(f) => {
                let mods = &p.inst.mods;
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let value = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)], mods, mode);
                    out.put(vgprs, lane, value);
                });
            }
            Sem::LaneMods(f) => {
                let mods = &p.inst.mods;
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let value = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)], mods);
                    out.put(vgprs, lane, value);
                });
            }
            Sem::LaneSelect(f) => {
                let select = mask(2);
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let value = f(a.at(vgprs, lane), b.at(vgprs, lane), select >> lane & 1 == 1);
                    out.put(vgprs, lane, value);
                });
            }
            Sem::LaneCarry(f) => {
                if p.inst.mods.clamp {
                    return Err(Fault::unsupported("clamp on an op with carry"));
                }
                let (carry, mut bits) = (mask(2), 0u64);
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let (value, bit) = f(a.at(vgprs, lane), b.at(vgprs, lane), carry >> lane & 1 == 1);
                    out.put(vgprs, lane, value);
                    bits |= (bit as u64) << lane;
                });
                mask_out = Some((1, bits));
            }
            Sem::LaneWide(f) => {
                let mut bits = 0u64;
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let (value, bit) = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)]);
                    out.put(vgprs, lane, value);
                    bits |= (bit as u64) << lane;
                });
                mask_out = Some((1, bits));
            }
            Sem::LaneWideFloat(f) => {
                if p.inst.mods.clamp || p.inst.mods.omod != 0 {
                    return Err(Fault::unsupported("clamp on a division step"));
                }
                let mut bits = 0u64;
                let vgprs = &mut wave.vgprs[..];
                for_lanes(exec, |lane| {
                    let (value, bit) = f([a.at(vgprs, lane), b.at(vgprs, lane), c.at(vgprs, lane)], mode);
                    out.put(vgprs, lane, value);
                    bits |= (bit as u64) << lane;
                });
                mask_out = Some((1, bits));
            }
            Sem::LaneCmp(f) => {
                let (mut bits, vgprs) = (0u64, &wave.vgprs[..]);
                for_lanes(exec, |lane| bits |= (f(a.at(vgprs, lane), b.at(vgprs, lane)) as u64) << lane);
                mask_out = Some((0, bits));
            }
            Sem::LaneCmpFloat(f) => {
                let (mut bits, vgprs) = (0u64, &wave.vgprs[..]);
                for_lanes(exec, |lane| bits |= (f(a.at(vgprs, lane), b.at(vgprs, lane), mode) as u64) << lane);
                mask_out = Some((0, bits));
            }
            Sem::Unmodelled => return Err(Fault::unsupported("its meaning is not in the op table")),
            Sem::Scalar(_) | Sem::ScalarCmp(_) | Sem::Load(_) | Sem::Store(_) | Sem::Atomic(_) | Sem::Wave(_) => {
                return Err(Fault::unsupported("this op as a vector op"));
            }
        }
        if let Some((index, bits)) = mask_out {
            if let Some(&Dest::Scalar(first, _)) = p.defs.get(index) {
                wave.set_mask(first, bits);
            }
            if p.inst.op.flags.contains(Flags::WRITES_EXEC) {
                wave.set_mask(slot::EXEC, bits);
            }
        }
        Ok(())
    }

    /// The three value sources of a vector op, and the lanes that execute.
    fn sources(&self, wave: &Wave, p: &Prepared) -> Result<([Lanes; 3], u64), Box<Fault>> {
        let mut exec = wave.exec();
        let mut sources = [Lanes::Uniform(0), Lanes::Uniform(0), Lanes::Uniform(0)];
        for (index, used) in p.uses.iter().enumerate().take(3) {
            sources[index] = match (used.source, p.inst.mods.dpp) {
                (Source::Vector(_, 2..), Some(_)) if index == 0 => {
                    return Err(Fault::unsupported("DPP on 64-bit sources"));
                }
                (Source::Vector(first, _), Some(dpp)) if index == 0 => {
                    let base = (first as u32 * wave.lanes) as usize;
                    let (values, written) = self.dpp(wave, p, dpp, base)?;
                    exec &= written;
                    Lanes::Moved(values, *used)
                }
                (Source::Vector(first, dwords), _) => {
                    let base = |register: u16| (register as u32 * wave.lanes) as usize;
                    let raw = match dwords {
                        1 => Lanes::One(base(first)),
                        _ => Lanes::Two(base(first), base(first + 1)),
                    };
                    if used.is_plain() { raw } else { Lanes::Fixed(Box::new(raw), *used) }
                }
                (Source::Off, _) => Lanes::Uniform(0),
                // A mask is read by bit, elsewhere.
                (Source::Scalar(..), _) if used.bits == 0 => Lanes::Uniform(0),
                _ => {
                    let raw = self.scalar_value(wave, used.source)?;
                    Lanes::Uniform(if used.is_plain() { raw } else { used.fix(raw) })
                }
            };
        }
        Ok((sources, exec))
    }

    fn out(&self, wave: &Wave, p: &Prepared) -> Out {
        let Some(&Dest::Vector(first, dwords)) = p.defs.first() else { return Out::Nowhere };
        let base = (first as u32 * wave.lanes) as usize;
        let op = p.inst.op;
        let sixteen = op.defs.first().is_some_and(|d| d.bits == 16);
        if let Some(Sdwa { dst, unused, .. }) = p.inst.mods.sdwa {
            // A 16-bit result is a dword whose upper half is zero.
            let (dst, unused) = if dst == Sel::Dword && sixteen { (Sel::Word0, Unused::Pad) } else { (dst, unused) };
            return Out::Part(base, dst, unused);
        }
        if sixteen {
            return if p.inst.mods.op_sel & 8 != 0 {
                Out::HighHalf(base)
            } else {
                // gfx9 clears the upper half of a 16-bit result, but for the ops that can write either; later ones keep it.
                let either = op.flags.contains(Flags::OP_SEL)
                    && op.opcode(self.target).is_some_and(|code| code.format == Format::Vop3);
                Out::LowHalf(base, either || self.target.column() != Column::Gfx9)
            };
        }
        match dwords {
            1 => Out::One(base),
            _ => Out::Two(base, base + wave.lanes as usize),
        }
    }

    /// A scalar operand's bits.
    pub fn scalar_use(&self, wave: &Wave, p: &Prepared, index: usize) -> Result<u64, Box<Fault>> {
        match p.uses.get(index) {
            Some(used) => self.scalar_value(wave, used.source),
            None => Err(Fault::unsupported(format!("missing operand {index}"))),
        }
    }

    fn scalar_value(&self, wave: &Wave, source: Source) -> Result<u64, Box<Fault>> {
        Ok(match source {
            Source::Const(bits) => bits,
            Source::Scalar(first, 1) => wave.scalars[first as usize] as u64,
            Source::Scalar(first, _) => wave.scalar64(first),
            Source::Scc => wave.scc as u64,
            Source::ApertureHalf(file, upper) => {
                let whole = self.scalar_value(wave, Source::Aperture(file))?;
                if upper { whole >> 32 } else { whole & 0xffff_ffff }
            }
            Source::Aperture(file) => match (file, self.apertures.flat_scratch) {
                (File::SharedBase, _) => self.apertures.shared,
                (File::SharedLimit, _) => self.apertures.shared | 0xffff_ffff,
                (File::FlatScratchBase, Some(base)) => base,
                (File::PrivateBase, None) => self.apertures.private,
                (File::PrivateLimit, None) => self.apertures.private | 0xffff_ffff,
                _ => return Err(Fault::unsupported("this aperture register on this processor")),
            },
            Source::Off => 0,
            Source::Vector(..) => return Err(Fault::unsupported("a VGPR where a scalar is read")),
        })
    }
}

/// Calls `f` for each lane of `mask`; the common case of all lanes is a plain loop.
#[inline(always)]
pub fn for_lanes(mask: u64, mut f: impl FnMut(usize)) {
    if mask == u64::MAX {
        (0..64).for_each(f);
    } else if mask == u32::MAX as u64 {
        (0..32).for_each(f);
    } else {
        lanes_of(mask).for_each(|lane| f(lane as usize));
    }
}

pub fn write_scalar(wave: &mut Wave, p: &Prepared, index: usize, value: u64) {
    if let Some(&Dest::Scalar(first, dwords)) = p.defs.get(index) {
        let first = first as usize;
        wave.scalars[first] = value as u32;
        if dwords > 1 {
            wave.scalars[first + 1] = (value >> 32) as u32;
        }
        // EXEC has no lanes above the wave's.
        if wave.lanes == 32 {
            wave.scalars[slot::EXEC as usize + 1] = 0;
        }
    }
}

/// What happens to a float result on its way out.
fn finish_float(p: &Prepared, mode: FloatMode) -> Result<fn(u64) -> u64, Box<Fault>> {
    fn same(v: u64) -> u64 {
        v
    }
    fn clamp32(v: u64) -> u64 {
        let f = f32::from_bits(v as u32);
        // DX10_CLAMP: a NaN becomes 0.
        (if f.is_nan() || f <= 0.0 { 0.0f32 } else { f.min(1.0) }).to_bits() as u64
    }
    fn clamp16(v: u64) -> u64 {
        let (negative, size) = (v & 0x8000 != 0, v & 0x7fff);
        if negative || size > 0x7c00 { 0 } else { size.min(0x3c00) }
    }
    let mods = &p.inst.mods;
    if mods.omod != 0 {
        return Err(Fault::unsupported("an output multiplier"));
    }
    if !mods.clamp {
        return Ok(same);
    }
    let one_dword = p.inst.op.defs.first().is_some_and(|d| d.bits == 32);
    let to_integer = ["v_cvt_i", "v_cvt_u", "v_cvt_pk"].iter().any(|prefix| p.inst.op.name.starts_with(prefix));
    if one_dword && is_float_result(&p.inst) && !to_integer && mode.dx10_clamp {
        return Ok(clamp32);
    }
    if p.inst.op.name == "v_cvt_f16_f32" && mode.dx10_clamp {
        return Ok(clamp16);
    }
    Err(Fault::unsupported("clamp on this op"))
}
