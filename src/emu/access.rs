//! Loads, stores and atomics: SMEM, DS, FLAT, GLOBAL, SCRATCH.
//!
//! Spec: the AMD ISA manuals, "Scalar Memory Operations", "Data Share Operations", "Flat Memory Instructions". Lanes are
//! served in ascending order, which makes atomics deterministic. A dword access must be dword-aligned and an atomic
//! naturally aligned, whatever a machine's mode would let pass.

use super::code::{Dest, Prepared, Source};
use super::fault::{Fault, FaultKind, Space};
use super::group::Machine;
use super::wave::{Wave, lanes_of, slot};
use crate::amd::lane::{AtomicKind, AtomicOp, MemKind, Sem};
use crate::amd::op::Format;
use smallvec::{SmallVec, smallvec};

type Done = Result<(), Box<Fault>>;

/// What of a vector access is the same for all lanes.
struct Plan {
    format: Format,
    /// First VGPR of the address, and dwords.
    address: Option<(u16, u8)>,
    /// Added to it.
    base: u64,
    /// One, or two of `read2`/`write2`.
    parts: SmallVec<[Part; 2]>,
}

struct Part {
    /// Bytes from the lane's address.
    offset: u64,
    /// Where the bytes stand in a load's result.
    start: usize,
    bytes: usize,
}

/// Where one lane's access goes.
#[derive(Copy, Clone)]
enum Place {
    Global(u64),
    Lds(u32),
    /// Lane whose scratch, and offset in it.
    Scratch(u32, u64),
}

impl Place {
    fn plus(self, bytes: u64) -> Place {
        match self {
            Place::Global(address) => Place::Global(address.wrapping_add(bytes)),
            Place::Lds(address) => Place::Lds(address.wrapping_add(bytes as u32)),
            Place::Scratch(lane, offset) => Place::Scratch(lane, offset.wrapping_add(bytes)),
        }
    }
    fn space_and_address(self) -> (Space, u64) {
        match self {
            Place::Global(address) => (Space::Global, address),
            Place::Lds(address) => (Space::Lds, address as u64),
            Place::Scratch(_, offset) => (Space::Scratch, offset),
        }
    }
    fn check_aligned(self, align: u64) -> Done {
        let (space, address) = self.space_and_address();
        if address.is_multiple_of(align) {
            return Ok(());
        }
        Err(Fault::new(FaultKind::Misaligned { space, address, align: align as u32 }))
    }
}

impl Machine<'_> {
    /// Executes a load, store or atomic.
    pub fn access(&mut self, wave: &mut Wave, p: &Prepared, format: Format) -> Done {
        match (p.inst.op.sem, format) {
            (Sem::Load(kind), Format::Smem) => self.scalar_load(wave, p, kind),
            (Sem::Load(kind), _) => self.vector_load(wave, p, format, kind),
            (Sem::Store(kind), _) => self.vector_store(wave, p, format, kind),
            (Sem::Atomic(kind), _) => self.atomic(wave, p, format, kind),
            _ => Err(Fault::unsupported("this memory access")),
        }
    }

    fn scalar_load(&mut self, wave: &mut Wave, p: &Prepared, kind: MemKind) -> Done {
        let base = self.scalar_use(wave, p, 0)?;
        let offset = match p.uses.get(1).map(|u| u.source) {
            None | Some(Source::Off) => 0,
            Some(_) => self.scalar_use(wave, p, 1)? & 0xffff_ffff,
        };
        let address = base.wrapping_add(offset).wrapping_add(p.inst.mods.offset as i64 as u64);
        Place::Global(address).check_aligned(kind.bytes.min(4) as u64)?;
        let Some(&Dest::Scalar(first, _)) = p.defs.first() else { return Ok(()) };
        let bytes = kind.bytes as usize * kind.count as usize;
        let content = self.memory.read(address, bytes)?;
        if kind.bytes < 4 {
            wave.scalars[first as usize] = extend(content, kind) as u32;
            return Ok(());
        }
        for (index, dword) in content.chunks_exact(4).enumerate() {
            wave.scalars[first as usize + index] = u32::from_le_bytes([dword[0], dword[1], dword[2], dword[3]]);
        }
        Ok(())
    }

    fn vector_load(&mut self, wave: &mut Wave, p: &Prepared, format: Format, kind: MemKind) -> Done {
        let Some(&Dest::Vector(first, _)) = p.defs.first() else { return Err(Fault::unsupported("a load to nowhere")) };
        let plan = self.plan(wave, p, format, kind)?;
        let total = kind.bytes as usize * kind.count as usize;
        let mut raw = [0u8; 64];
        for lane in lanes_of(wave.exec()) {
            self.read_parts(wave, &plan, kind, lane, &mut raw).map_err(|f| f.at_lane(lane))?;
            if kind.bytes < 4 {
                let value = extend(&raw[..kind.bytes as usize], kind) as u32;
                let old = wave.vgpr(first, lane);
                let value = if kind.high { old & 0xffff | value << 16 } else { value };
                wave.set_vgpr(first, lane, value);
                continue;
            }
            for (index, dword) in raw[..total].chunks_exact(4).enumerate() {
                let value = u32::from_le_bytes([dword[0], dword[1], dword[2], dword[3]]);
                wave.set_vgpr(first + index as u16, lane, value);
            }
        }
        Ok(())
    }

    fn read_parts(&mut self, wave: &Wave, plan: &Plan, kind: MemKind, lane: u32, raw: &mut [u8; 64]) -> Done {
        let place = self.place(wave, plan, lane)?;
        for part in &plan.parts {
            let place = place.plus(part.offset);
            place.check_aligned(kind.bytes.min(4) as u64)?;
            self.read_place(wave, place, &mut raw[part.start..part.start + part.bytes])?;
        }
        Ok(())
    }

    fn vector_store(&mut self, wave: &mut Wave, p: &Prepared, format: Format, kind: MemKind) -> Done {
        let plan = self.plan(wave, p, format, kind)?;
        // Two addresses have their data in two operands.
        let mut data = [0; 2];
        for (index, first) in data.iter_mut().enumerate().take(plan.parts.len()) {
            match p.uses.get(1 + index).map(|u| u.source) {
                Some(Source::Vector(register, _)) => *first = register,
                _ => return Err(Fault::unsupported("a store without data")),
            }
        }
        for lane in lanes_of(wave.exec()) {
            self.store_lane(wave, &plan, kind, lane, data).map_err(|f| f.at_lane(lane))?;
        }
        Ok(())
    }

    fn store_lane(&mut self, wave: &mut Wave, plan: &Plan, kind: MemKind, lane: u32, data: [u16; 2]) -> Done {
        let place = self.place(wave, plan, lane)?;
        for (part, first) in plan.parts.iter().zip(data) {
            let place = place.plus(part.offset);
            place.check_aligned(kind.bytes.min(4) as u64)?;
            let mut raw = [0u8; 64];
            for (index, dword) in raw[..part.bytes].chunks_mut(4).enumerate() {
                let value = wave.vgpr(first + index as u16, lane);
                let value = if kind.high { value >> 16 } else { value };
                dword.copy_from_slice(&value.to_le_bytes()[..dword.len()]);
            }
            self.write_place(wave, place, &raw[..part.bytes])?;
        }
        Ok(())
    }

    fn atomic(&mut self, wave: &mut Wave, p: &Prepared, format: Format, kind: AtomicKind) -> Done {
        let plan = self.plan(wave, p, format, MemKind::unsigned(kind.bytes))?;
        for lane in lanes_of(wave.exec()) {
            self.atomic_lane(wave, p, format, kind, &plan, lane).map_err(|f| f.at_lane(lane))?;
        }
        Ok(())
    }

    fn atomic_lane(
        &mut self,
        wave: &mut Wave,
        p: &Prepared,
        format: Format,
        kind: AtomicKind,
        plan: &Plan,
        lane: u32,
    ) -> Done {
        let bytes = kind.bytes as usize;
        let dwords = bytes as u16 / 4;
        let place = self.place(wave, plan, lane)?;
        place.check_aligned(bytes as u64)?;
        let data = |index: usize, skip: u16| match p.uses.get(index).map(|u| u.source) {
            Some(Source::Vector(first, _)) => Ok(dwords_at(wave, first + skip, dwords, lane)),
            _ => Err(Fault::unsupported("an atomic without data")),
        };
        let (new, compare) = if kind.op != AtomicOp::CmpSwap {
            (data(1, 0)?, 0)
        } else if format != Format::Ds {
            // One tuple: the new value, then what to compare with.
            (data(1, 0)?, data(1, dwords)?)
        } else if p.inst.op.name.starts_with("ds_cmpst_") {
            // Up to gfx10 the comparison comes first.
            (data(2, 0)?, data(1, 0)?)
        } else {
            (data(1, 0)?, data(2, 0)?)
        };
        let mut raw = [0u8; 8];
        self.read_place(wave, place, &mut raw[..bytes])?;
        let old = u64::from_le_bytes(raw);
        let result = atomic_result(kind, old, new, compare)?;
        self.write_place(wave, place, &result.to_le_bytes()[..bytes])?;
        if let Some(&Dest::Vector(first, _)) = p.defs.first() {
            wave.set_vgpr(first, lane, old as u32);
            if dwords == 2 {
                wave.set_vgpr(first + 1, lane, (old >> 32) as u32);
            }
        }
        Ok(())
    }

    /// What of a vector access is the same for all lanes.
    fn plan(&self, wave: &Wave, p: &Prepared, format: Format, kind: MemKind) -> Result<Plan, Box<Fault>> {
        let mods = &p.inst.mods;
        let address = match p.uses.first().map(|u| u.source) {
            Some(Source::Vector(first, dwords)) => Some((first, dwords)),
            _ => None,
        };
        let scalar = match p.uses.last().map(|u| u.source) {
            Some(Source::Scalar(first, 1)) => wave.scalars[first as usize] as u64,
            Some(Source::Scalar(first, _)) => wave.scalar64(first),
            _ => 0,
        };
        match format {
            Format::Ds | Format::Flat if address.is_none() => {
                return Err(Fault::unsupported("an address that is no VGPR"));
            }
            Format::Scratch => self.check_scratch_base(wave)?,
            Format::Ds | Format::Flat | Format::Global => {}
            _ => return Err(Fault::unsupported("this memory format")),
        }
        let size = kind.bytes as usize;
        let parts = if kind.two {
            let step = kind.bytes as u64 * if kind.stride64 { 64 } else { 1 };
            // A load writes the two side by side.
            let second = if p.defs.is_empty() { 0 } else { size };
            smallvec![
                Part { offset: mods.offset0 as u64 * step, start: 0, bytes: size },
                Part { offset: mods.offset1 as u64 * step, start: second, bytes: size }
            ]
        } else {
            smallvec![Part { offset: 0, start: 0, bytes: size * kind.count as usize }]
        };
        Ok(Plan { format, address, base: scalar.wrapping_add(mods.offset as i64 as u64), parts })
    }

    /// Where a lane's access starts.
    fn place(&self, wave: &Wave, plan: &Plan, lane: u32) -> Result<Place, Box<Fault>> {
        let own = plan.address.map_or(0, |(first, dwords)| dwords_at(wave, first, dwords as u16, lane));
        let sum = plan.base.wrapping_add(own);
        match plan.format {
            Format::Ds => Ok(Place::Lds(sum as u32)),
            Format::Flat => self.generic(wave, sum, lane),
            // The sum is 32 bits wide: a negative offset is an address beyond the end.
            Format::Scratch => Ok(Place::Scratch(lane, sum & 0xffff_ffff)),
            _ => Ok(Place::Global(sum)),
        }
    }

    /// A generic address: the apertures decide.
    fn generic(&self, wave: &Wave, address: u64, lane: u32) -> Result<Place, Box<Fault>> {
        if address >> 32 == self.apertures.shared >> 32 {
            return Ok(Place::Lds(address as u32));
        }
        if let Some(base) = self.apertures.flat_scratch {
            let relative = address.wrapping_sub(base);
            // Bit 26 of the high dword and above must be the base's.
            if (address ^ base) >> 58 == 0 {
                return Ok(Place::Scratch((relative >> 52) as u32, relative & ((1 << 52) - 1)));
            }
        } else if address >> 32 == self.apertures.private >> 32 {
            self.check_scratch_base(wave)?;
            return Ok(Place::Scratch(lane, address & 0xffff_ffff));
        }
        Ok(Place::Global(address))
    }

    /// Where scratch is set up by code, it must have been.
    fn check_scratch_base(&self, wave: &Wave) -> Done {
        match self.scratch_base {
            Some(expected) if wave.scalar64(slot::FLAT_SCRATCH) != expected + self.scratch_wave_offset(wave.number) => {
                Err(Fault::unsupported(format!(
                    "scratch, because flat_scratch is {:#x} and not {:#x} (initial value plus wave offset)",
                    wave.scalar64(slot::FLAT_SCRATCH),
                    expected + self.scratch_wave_offset(wave.number)
                )))
            }
            _ => Ok(()),
        }
    }

    fn read_place(&mut self, wave: &Wave, place: Place, into: &mut [u8]) -> Done {
        let from = match place {
            Place::Global(address) => self.memory.read(address, into.len())?,
            Place::Lds(address) => within(&self.lds, Space::Lds, address as u64, into.len(), false)?,
            Place::Scratch(lane, offset) => {
                let own = self.scratch_of(wave, lane)?;
                within(&wave.scratch[own], Space::Scratch, offset, into.len(), false)?
            }
        };
        into.copy_from_slice(from);
        Ok(())
    }

    fn write_place(&mut self, wave: &mut Wave, place: Place, bytes: &[u8]) -> Done {
        let into = match place {
            Place::Global(address) => self.memory.write(address, bytes.len())?,
            Place::Lds(address) => {
                within(&self.lds, Space::Lds, address as u64, bytes.len(), true)?;
                &mut self.lds[address as usize..address as usize + bytes.len()]
            }
            Place::Scratch(lane, offset) => {
                let own = self.scratch_of(wave, lane)?;
                within(&wave.scratch[own.clone()], Space::Scratch, offset, bytes.len(), true)?;
                let start = own.start + offset as usize;
                &mut wave.scratch[start..start + bytes.len()]
            }
        };
        self.changes += u64::from(into != bytes);
        into.copy_from_slice(bytes);
        Ok(())
    }

    fn scratch_of(&self, wave: &Wave, lane: u32) -> Result<std::ops::Range<usize>, Box<Fault>> {
        if lane >= wave.lanes {
            return Err(Fault::unsupported(format!("scratch of lane {lane}")));
        }
        let bytes = self.scratch_bytes as usize;
        Ok(lane as usize * bytes..(lane as usize + 1) * bytes)
    }
}

fn within(memory: &[u8], space: Space, address: u64, len: usize, write: bool) -> Result<&[u8], Box<Fault>> {
    let size = memory.len() as u64;
    if address <= size && size - address >= len as u64 {
        return Ok(&memory[address as usize..address as usize + len]);
    }
    let near = format!("the kernel has {size} bytes of it");
    Err(Fault::new(FaultKind::OutOfBounds { space, address, bytes: len as u32, write, near }))
}

fn dwords_at(wave: &Wave, first: u16, dwords: u16, lane: u32) -> u64 {
    let low = wave.vgpr(first, lane) as u64;
    if dwords == 2 { low | (wave.vgpr(first + 1, lane) as u64) << 32 } else { low }
}

/// A byte or half as the register holds it.
fn extend(bytes: &[u8], kind: MemKind) -> u64 {
    let raw = match bytes {
        [byte] => *byte as u32,
        [low, high, ..] => u16::from_le_bytes([*low, *high]) as u32,
        [] => 0,
    };
    let shift = 32 - 8 * bytes.len().clamp(1, 4) as u32;
    (if kind.signed { ((raw << shift) as i32 >> shift) as u32 } else { raw }) as u64
}

/// What memory holds after the atomic.
fn atomic_result(kind: AtomicKind, old: u64, new: u64, compare: u64) -> Result<u64, Box<Fault>> {
    let wide = kind.bytes == 8;
    let signed = |v: u64| if wide { v as i64 } else { v as u32 as i32 as i64 };
    Ok(match kind.op {
        AtomicOp::Swap => new,
        AtomicOp::CmpSwap => {
            if old == compare {
                new
            } else {
                old
            }
        }
        AtomicOp::Add => old.wrapping_add(new),
        AtomicOp::Sub => old.wrapping_sub(new),
        AtomicOp::SMin => signed(old).min(signed(new)) as u64,
        AtomicOp::SMax => signed(old).max(signed(new)) as u64,
        AtomicOp::UMin => old.min(new),
        AtomicOp::UMax => old.max(new),
        AtomicOp::And => old & new,
        AtomicOp::Or => old | new,
        AtomicOp::Xor => old ^ new,
        AtomicOp::Inc => {
            if old >= new {
                0
            } else {
                old + 1
            }
        }
        AtomicOp::Dec => {
            if old == 0 || old > new {
                new
            } else {
                old - 1
            }
        }
        // Whether denormals survive depends on the memory and the processor: not modelled.
        AtomicOp::AddF32 | AtomicOp::AddF64 => return Err(Fault::unsupported("float atomics")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atomics_by_the_manual() {
        let run = |op, bytes, old, new| {
            atomic_result(AtomicKind { op, bytes }, old, new, 7).expect("an atomic of a width that exists")
        };
        let low = |v: u64| v as u32;
        assert_eq!(low(run(AtomicOp::SMin, 4, 0xffff_ffff, 1)), 0xffff_ffff);
        assert_eq!(low(run(AtomicOp::SMax, 4, 0xffff_ffff, 1)), 1);
        assert_eq!(low(run(AtomicOp::UMin, 4, 0xffff_ffff, 1)), 1);
        assert_eq!(run(AtomicOp::SMin, 8, u64::MAX, 1), u64::MAX);
        assert_eq!(low(run(AtomicOp::Add, 4, 0xffff_ffff, 2)), 1);
        // tmp = old; mem = old >= limit ? 0 : old + 1.
        assert_eq!([run(AtomicOp::Inc, 4, 4, 5), run(AtomicOp::Inc, 4, 5, 5), run(AtomicOp::Inc, 4, 9, 5)], [5, 0, 0]);
        // mem = old == 0 || old > limit ? limit : old - 1.
        assert_eq!([run(AtomicOp::Dec, 4, 0, 5), run(AtomicOp::Dec, 4, 6, 5), run(AtomicOp::Dec, 4, 5, 5)], [5, 5, 4]);
        assert_eq!([run(AtomicOp::CmpSwap, 4, 7, 1), run(AtomicOp::CmpSwap, 4, 8, 1)], [1, 8]);
    }

    #[test]
    fn small_loads_extend() {
        let kind = |bytes, signed| MemKind { signed, ..MemKind::unsigned(bytes) };
        assert_eq!(extend(&[0x80], kind(1, true)), 0xffff_ff80);
        assert_eq!(extend(&[0x80], kind(1, false)), 0x80);
        assert_eq!(extend(&[0xff, 0x80], kind(2, true)), 0xffff_80ff);
        assert_eq!(extend(&[0xff, 0x80], kind(2, false)), 0x80ff);
    }
}
