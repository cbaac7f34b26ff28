//! Runs straight-line logical MIR for one lane, by the meanings of the op rows.
//!
//! Registers are virtual; reading one that nothing wrote is a failure. Memory is one array at address 0; kernel arguments
//! another. A lane mask is the value of its SGPRs, of which the lane is bit 0; EXEC is that bit alone, and a compare leaves ones
//! in the bits of inactive lanes, so that whoever trusts them gets caught.

use std::collections::HashMap;
use warp2wave::amd::lane::{FloatMode, MemKind, Sem, Wave};
use warp2wave::amd::op::{Format, Slot, SlotKind};
use warp2wave::amd::{self, File, Mods, Target};
use warp2wave::mir::{InstKind, MirFunc, Operand, Reg};

pub struct Lane<'a> {
    pub func: &'a MirFunc,
    pub target: &'a Target,
    pub memory: Vec<u8>,
    pub kernarg: Vec<u8>,
    /// `v0` to `v2` and SGPRs at entry.
    pub physical: HashMap<amd::Reg, u32>,
    dwords: HashMap<(u32, u8), u32>,
    scc: Option<bool>,
}

/// Where the kernel's arguments lie, as an address.
const KERNARG: u64 = 0x1_0000_0000;

impl<'a> Lane<'a> {
    pub fn new(func: &'a MirFunc, target: &'a Target, memory: Vec<u8>, kernarg: Vec<u8>) -> Lane<'a> {
        let mut lane =
            Lane { func, target, memory, kernarg, physical: HashMap::new(), dwords: HashMap::new(), scc: None };
        let pair = if func.abi.dispatch_ptr { 2 } else { 0 };
        lane.physical.insert(amd::Reg::s(pair), KERNARG as u32);
        lane.physical.insert(amd::Reg::s(pair + 1), (KERNARG >> 32) as u32);
        lane
    }

    /// Runs the entry block.
    pub fn run(&mut self) {
        self.dwords.clear();
        for inst in &self.func.blocks[self.func.entry].insts {
            match &inst.kind {
                InstKind::Op(op) => self.op(op, inst.float_mode),
                InstKind::Copy { dst, src } => {
                    let value = self.operand(*src, dst.dwords() as u16 * 32);
                    self.write(*dst, &value);
                }
                InstKind::ParallelCopy(copies) => {
                    let values: Vec<_> =
                        copies.iter().map(|(dst, src)| (*dst, self.operand(*src, dst.dwords() as u16 * 32))).collect();
                    values.iter().for_each(|(dst, value)| self.write(*dst, value));
                }
                InstKind::Undef { dst } => self.write(*dst, &vec![0xdead_beef; dst.dwords() as usize]),
                other => panic!("not straight-line code: {other:?}"),
            }
        }
    }

    fn read(&self, reg: Reg) -> Vec<u32> {
        (0..reg.dwords())
            .map(|n| match reg.sub(n, 1) {
                Reg::Virt(p) => *self
                    .dwords
                    .get(&(p.vreg.as_u32(), p.first))
                    .unwrap_or_else(|| panic!("{reg} is read and not written")),
                Reg::Phys(r) if r.file == File::Exec => (r.index == 0) as u32,
                Reg::Phys(r) => *self.physical.get(&r).unwrap_or_else(|| panic!("{r} is read at entry")),
            })
            .collect()
    }

    fn write(&mut self, reg: Reg, value: &[u32]) {
        for (n, &dword) in value.iter().enumerate().take(reg.dwords() as usize) {
            if let Reg::Virt(p) = reg.sub(n as u8, 1) {
                self.dwords.insert((p.vreg.as_u32(), p.first), dword);
            }
        }
    }

    fn operand(&self, operand: Operand, bits: u16) -> Vec<u32> {
        match operand {
            Operand::Reg(reg) => self.read(reg),
            Operand::Imm(value) => [value as u32, (value >> 32) as u32][..bits.div_ceil(32).min(2) as usize].to_vec(),
            Operand::Off => vec![],
            Operand::Label(_) => panic!("a label"),
        }
    }

    fn op(&mut self, inst: &amd::Inst<Reg>, mode: warp2wave::mir::FloatMode) {
        let op = inst.op;
        let mode = FloatMode {
            round_f32: mode.round_f32,
            round_f64: mode.round_f64,
            denorm_f32: if mode.ftz_f32 { 0 } else { 3 },
            denorm_f64: 3,
            ieee: false,
            dx10_clamp: true,
        };
        let wave = self.target.wave_lanes();
        let slot_bits = |slot: &Slot| slot.dwords(wave) as u16 * 32;
        let all: Vec<Vec<u32>> =
            inst.uses.iter().zip(op.uses).map(|(&u, slot)| self.operand(u, slot_bits(slot))).collect();
        let value = |n: usize| all.get(n).map_or(0, |v| joined(v));
        let mods = &inst.mods;
        let float = |n: usize| modified(value(n), n, mods);
        let sources = [value(0), value(1), value(2)];
        let mask = |n: usize| value(n) & 1 == 1;
        let (first, second) = match op.sem {
            Sem::Lane(f) => (f(sources), None),
            Sem::LaneMods(f) => (f(sources, mods), None),
            Sem::LaneFloat(f) => {
                let is_float = |n: usize| op.uses.get(n).is_some_and(|s| s.num == amd::op::Num::Float);
                let source = |n: usize| if is_float(n) { float(n) } else { value(n) };
                let out = f([source(0), source(1), source(2)], mode);
                (if mods.clamp { clamped(out) } else { out }, None)
            }
            Sem::LaneCarry(f) => {
                let (d, carry) = f(value(0), value(1), all.len() > 2 && mask(2));
                (d, Some(carry))
            }
            Sem::LaneWide(f) => {
                let (d, bit) = f(sources);
                (d, Some(bit))
            }
            Sem::LaneSelect(f) => (f(value(0), value(1), mask(2)), None),
            Sem::LaneCmp(f) => (self.lane_mask(f(value(0), value(1))), None),
            Sem::LaneCmpFloat(f) => (self.lane_mask(f(float(0), float(1), mode)), None),
            Sem::Scalar(f) => {
                let reads = op.flags.contains(amd::Flags::READS_SCC);
                let scc = if reads { self.scc.expect("SCC is set") } else { false };
                let (d, out) = f(sources, scc);
                if op.flags.contains(amd::Flags::WRITES_SCC) {
                    self.scc = Some(out);
                } else if !reads {
                    // Nothing of ours is left to anyone behind.
                    self.scc = None;
                }
                (d, None)
            }
            Sem::ScalarCmp(f) => {
                self.scc = Some(f(value(0), value(1)));
                (0, None)
            }
            Sem::Load(kind) => return self.load(inst, kind, &all),
            Sem::Store(kind) => return self.store(inst, kind, &all),
            Sem::Wave(Wave::MbcntLo | Wave::MbcntHi) => (value(1), None),
            _ => panic!("{} is not straight-line", op.name),
        };
        if let Some(&dst) = inst.defs.first() {
            self.write(dst, &split(first));
        }
        if let (Some(bit), Some(&dst)) = (second, inst.defs.get(1)) {
            let mask = self.lane_mask(bit);
            self.write(dst, &split(mask));
        }
    }

    fn lane_mask(&self, bit: bool) -> u64 {
        u64::MAX << 1 | bit as u64
    }

    fn address(&self, inst: &amd::Inst<Reg>, all: &[Vec<u32>]) -> u64 {
        let format = inst.op.opcode(self.target).expect("the target has it").format;
        let offset = inst.mods.offset as i64 as u64;
        let base = joined(&all[0]);
        let last = all.last().map_or(0, |l| joined(l));
        let scalar_base = matches!(inst.op.uses.last().map(|s| s.kind), Some(SlotKind::SgprOrOff));
        match format {
            Format::Global | Format::Scratch if scalar_base => base.wrapping_add(last).wrapping_add(offset),
            // LDS addresses are of 32 bits.
            Format::Ds => base.wrapping_add(offset) & 0xffff_ffff,
            _ => base.wrapping_add(offset),
        }
    }

    fn bytes(&mut self, address: u64, count: usize) -> &mut [u8] {
        let (area, at) = if address >= KERNARG {
            (&mut self.kernarg, (address - KERNARG) as usize)
        } else {
            (&mut self.memory, address as usize)
        };
        assert!(at % count.min(16) == 0 || count == 12, "{count} bytes at {address:#x} are not aligned");
        &mut area[at..at + count]
    }

    fn load(&mut self, inst: &amd::Inst<Reg>, kind: MemKind, all: &[Vec<u32>]) {
        let address = self.address(inst, all);
        let total = kind.bytes as usize * kind.count as usize;
        // Scalar loads are aligned to a dword only.
        let data: Vec<u8> = if inst.op.is_scalar() {
            (0..total as u64 / 4).flat_map(|n| self.bytes(address + 4 * n, 4).to_vec()).collect()
        } else {
            self.bytes(address, total).to_vec()
        };
        let value: Vec<u32> = match (kind.bytes, kind.signed) {
            (1, false) => vec![data[0] as u32],
            (1, true) => vec![data[0] as i8 as u32],
            (2, false) => vec![u16::from_le_bytes([data[0], data[1]]) as u32],
            (2, true) => vec![u16::from_le_bytes([data[0], data[1]]) as i16 as u32],
            _ => data.chunks(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect(),
        };
        self.write(inst.defs[0], &value);
    }

    fn store(&mut self, inst: &amd::Inst<Reg>, kind: MemKind, all: &[Vec<u32>]) {
        let address = self.address(inst, all);
        let total = kind.bytes as usize * kind.count as usize;
        let data: Vec<u8> = all[1].iter().flat_map(|d| d.to_le_bytes()).take(total).collect();
        self.bytes(address, total).copy_from_slice(&data);
    }
}

fn joined(dwords: &[u32]) -> u64 {
    dwords.iter().take(2).rev().fold(0, |sum, &d| sum << 32 | d as u64)
}

fn split(value: u64) -> [u32; 2] {
    [value as u32, (value >> 32) as u32]
}

/// Source modifiers of an f32.
fn modified(mut value: u64, n: usize, mods: &Mods) -> u64 {
    if mods.abs >> n & 1 == 1 {
        value &= 0x7fff_ffff;
    }
    if mods.neg >> n & 1 == 1 {
        value ^= 0x8000_0000;
    }
    value
}

/// [0, 1], NaN to 0.
fn clamped(value: u64) -> u64 {
    let float = f32::from_bits(value as u32);
    if float.is_nan() { 0 } else { float.clamp(0.0, 1.0).to_bits() as u64 & !(1 << 31) }
}
