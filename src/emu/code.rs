//! Decoded instructions, prepared for execution once per address.
//!
//! The bytes are the object's own; [`crate::amd`] decodes them. Preparing resolves registers to slots, checks that the
//! descriptor asked for them, and works out what the wait counters need to know.

use super::fault::{Fault, FaultKind};
use super::waits::{Counter, Issue, RegRange};
use super::wave::{slot, slot_of};
use crate::amd::lane::{Sem, Wave as WaveOp};
use crate::amd::op::{Format, Num, SlotKind};
use crate::amd::reg::File;
use crate::amd::{Column, Feature, Flags, Inst, Operand, Reg, Sel, Target};
use smallvec::{SmallVec, smallvec};

/// What limits the registers that code may name.
#[derive(Clone, Debug)]
pub struct RegisterFile {
    /// VGPRs; with a unified file, those below the first AGPR.
    pub vgprs: u16,
    /// AGPRs; register `vgprs + n` of the wave's array is AGPR n.
    pub agprs: u16,
    pub sgprs: u16,
}

/// Where a source comes from.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    Const(u64),
    /// First VGPR and dwords.
    Vector(u16, u8),
    /// First slot and dwords.
    Scalar(u16, u8),
    Scc,
    /// An aperture register, whose value the device gives.
    Aperture(File),
    /// The same, one dword of it: whether the upper.
    ApertureHalf(File, bool),
    /// `off`.
    Off,
}

/// Where a result goes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Dest {
    Vector(u16, u8),
    Scalar(u16, u8),
    /// `null`.
    Nowhere,
}

/// A source with what happens to its bits on the way in.
#[derive(Copy, Clone, Debug)]
pub struct Use {
    pub source: Source,
    pub bits: u16,
    pub neg: bool,
    pub abs: bool,
    /// The upper half of a 16-bit source's register.
    pub high: bool,
    /// SDWA: the part of the register, and whether it is sign-extended.
    pub sel: Sel,
    pub sext: bool,
}

impl Use {
    /// Applies the modifiers to raw register bits.
    pub fn fix(&self, raw: u64) -> u64 {
        let mut value = if self.high { raw >> 16 } else { raw };
        if self.sel != Sel::Dword {
            let (first, width) = self.sel.bits();
            let part = ((raw as u32) << (32 - width - first)) >> (32 - width);
            value = if self.sext { (part << (32 - width)) as i32 >> (32 - width) } else { part as i32 } as u32 as u64;
        }
        let sign = match self.bits {
            16 => {
                value &= 0xffff;
                1 << 15
            }
            64 => 1 << 63,
            _ => 1 << 31,
        };
        if self.abs {
            value &= !sign;
        }
        if self.neg {
            value ^= sign;
        }
        value
    }

    pub fn is_plain(&self) -> bool {
        !self.neg && !self.abs && self.bits != 16 && self.sel == Sel::Dword
    }
}

pub struct Prepared {
    pub inst: Inst,
    pub bytes: u64,
    pub defs: SmallVec<[Dest; 2]>,
    pub uses: SmallVec<[Use; 4]>,
    /// For the wait check, and what is issued itself.
    pub reads: SmallVec<[RegRange; 4]>,
    pub writes: SmallVec<[RegRange; 2]>,
    pub issue: Issue,
    pub waits: SmallVec<[(Counter, u64); 2]>,
}

/// Decodes and prepares the instruction at the start of `bytes`.
pub fn prepare(bytes: &[u8], target: &Target, file: &RegisterFile) -> Result<Prepared, Box<Fault>> {
    let (inst, size) = decode(bytes, target)?;
    let mut prepared = Prepared {
        bytes: size,
        defs: smallvec![],
        uses: smallvec![],
        reads: smallvec![],
        writes: smallvec![],
        issue: Issue::default(),
        waits: smallvec![],
        inst,
    };
    let inst = &prepared.inst;
    let op = inst.op;
    for reg in &inst.defs {
        let dest = dest(*reg, file)?;
        if let Some(range) = range_of_dest(dest) {
            prepared.writes.push(range);
        }
        prepared.defs.push(dest);
    }
    for (index, (slot, operand)) in op.uses.iter().zip(&inst.uses).enumerate() {
        let source = source(operand, file)?;
        if let Some(range) = range_of_source(source) {
            prepared.reads.push(range);
        }
        let bit = 1u8 << index;
        // Some ops read their modifiers themselves: VOP3P, where `neg` of a dot product means "signed".
        let packed = matches!(op.sem, Sem::LaneMods(_) | Sem::LaneFloatMods(_));
        let (sel, sext) = match inst.mods.sdwa {
            Some(sdwa) if index < 2 => (sdwa.src[index], sdwa.sext & bit != 0),
            _ => (Sel::Dword, false),
        };
        let sixteen = slot.bits == 16 && matches!(slot.kind, SlotKind::Src | SlotKind::Vgpr);
        prepared.uses.push(Use {
            source,
            bits: slot.bits,
            neg: !packed && inst.mods.neg & bit != 0,
            abs: !packed && inst.mods.abs & bit != 0,
            high: sixteen && inst.mods.op_sel & bit != 0 && !matches!(source, Source::Const(_)),
            sel,
            sext,
        });
    }
    prepared.issue = issue(&prepared, target);
    prepared.waits = waits(&prepared.inst, target)?;
    Ok(prepared)
}

fn decode(bytes: &[u8], target: &Target) -> Result<(Inst, u64), Box<Fault>> {
    let word = |b: &[u8]| u32::from_le_bytes([b[0], b[1], b[2], b[3]]);
    // No instruction has more than four dwords.
    let dwords: SmallVec<[u32; 4]> = bytes.chunks_exact(4).take(4).map(word).collect();
    match crate::amd::decode_any(&dwords, target) {
        Ok((inst, length, _)) => Ok((inst, length as u64 * 4)),
        Err(error) => {
            let raw: Vec<String> = dwords.iter().take(2).map(|dword| format!("{dword:#010x}")).collect();
            Err(Fault::new(FaultKind::Undecodable(format!("{error} ({})", raw.join(" ")))))
        }
    }
}

fn dest(reg: Reg, file: &RegisterFile) -> Result<Dest, Box<Fault>> {
    Ok(match reg.file {
        File::Vgpr | File::Agpr => Dest::Vector(vector_register(reg, file)?, reg.dwords),
        File::Null => Dest::Nowhere,
        _ => match scalar_register(reg, file)? {
            Some(slot) => Dest::Scalar(slot, reg.dwords),
            None => return Err(Fault::unsupported(format!("{reg} as a result"))),
        },
    })
}

fn source(operand: &Operand, file: &RegisterFile) -> Result<Source, Box<Fault>> {
    Ok(match *operand {
        Operand::Imm(bits) => Source::Const(bits),
        Operand::Label(offset) => Source::Const(offset as u64),
        Operand::Off => Source::Off,
        Operand::Reg(reg) => match reg.file {
            File::Vgpr | File::Agpr => Source::Vector(vector_register(reg, file)?, reg.dwords),
            File::Null => Source::Const(0),
            File::Scc => Source::Scc,
            File::FlatScratchBase if reg.dwords == 1 => Source::ApertureHalf(reg.file, reg.index != 0),
            // What 32-bit instructions read of these is in no manual; LLVM knows hardware on which it is nothing sensible.
            File::SharedBase | File::SharedLimit | File::PrivateBase | File::PrivateLimit if reg.dwords == 1 => {
                return Err(Fault::unsupported(format!("{reg} as a source of 32 bits")));
            }
            File::SharedBase | File::SharedLimit | File::PrivateBase | File::PrivateLimit | File::FlatScratchBase => {
                Source::Aperture(reg.file)
            }
            _ => match scalar_register(reg, file)? {
                Some(first) => Source::Scalar(first, reg.dwords),
                None => return Err(Fault::unsupported(format!("{reg} as a source"))),
            },
        },
    })
}

fn vector_register(reg: Reg, file: &RegisterFile) -> Result<u16, Box<Fault>> {
    let (base, limit) = if reg.file == File::Agpr { (file.vgprs, file.agprs) } else { (0, file.vgprs) };
    if reg.index + reg.dwords as u16 > limit {
        let message = format!("{reg} is used, but the descriptor gives the wave {limit} registers of this kind");
        return Err(Fault::new(FaultKind::BeyondRegisters(message)));
    }
    Ok(base + reg.index)
}

fn scalar_register(reg: Reg, file: &RegisterFile) -> Result<Option<u16>, Box<Fault>> {
    if reg.file == File::Sgpr && reg.index + reg.dwords as u16 > file.sgprs {
        let message = format!("{reg} is used, but the descriptor gives the wave {} SGPRs", file.sgprs);
        return Err(Fault::new(FaultKind::BeyondRegisters(message)));
    }
    let last = slot_of(reg.file, reg.index + reg.dwords.max(1) as u16 - 1);
    Ok(slot_of(reg.file, reg.index).filter(|_| last.is_some()))
}

fn range_of_dest(dest: Dest) -> Option<RegRange> {
    match dest {
        Dest::Vector(first, count) => Some(RegRange { scalar: false, first, count: count as u16 }),
        Dest::Scalar(first, count) => Some(RegRange { scalar: true, first, count: count as u16 }),
        Dest::Nowhere => None,
    }
}

fn range_of_source(source: Source) -> Option<RegRange> {
    match source {
        Source::Vector(first, count) => Some(RegRange { scalar: false, first, count: count as u16 }),
        Source::Scalar(first, count) => Some(RegRange { scalar: true, first, count: count as u16 }),
        Source::Const(_) | Source::Scc | Source::Aperture(_) | Source::ApertureHalf(..) | Source::Off => None,
    }
}

/// The register of a range as the assembler writes it.
pub fn range_name(range: RegRange, file: &RegisterFile) -> String {
    let RegRange { scalar, first, count } = range;
    let named = |file, index| Reg::new(file, index, count as u8).to_string();
    match (scalar, first) {
        (false, first) if first >= file.vgprs => named(File::Agpr, first - file.vgprs),
        (false, first) => named(File::Vgpr, first),
        (true, slot::EXEC..) => named(File::Exec, first - slot::EXEC),
        (true, slot::M0..) => named(File::M0, 0),
        (true, slot::XNACK_MASK..) => named(File::XnackMask, first - slot::XNACK_MASK),
        (true, slot::FLAT_SCRATCH..) => named(File::FlatScratch, first - slot::FLAT_SCRATCH),
        (true, slot::TTMP..) => named(File::Ttmp, first - slot::TTMP),
        (true, slot::VCC..) => named(File::Vcc, first - slot::VCC),
        (true, _) => named(File::Sgpr, first),
    }
}

/// The counters that an instruction adds to.
fn issue(prepared: &Prepared, target: &Target) -> Issue {
    let inst = &prepared.inst;
    let Some(format) = inst.op.opcode(target).map(|code| code.format) else { return Issue::default() };
    let returns = !inst.defs.is_empty();
    let is_store = match inst.op.sem {
        Sem::Store(_) => true,
        Sem::Atomic(_) => !returns,
        _ => false,
    };
    let own_store_counter = target.has(Feature::StoreCounter) || target.has(Feature::SplitWaitCounters);
    let memory = if is_store && own_store_counter { Counter::Store } else { Counter::Vector };
    let scalar = if target.has(Feature::SplitWaitCounters) { Counter::Scalar } else { Counter::Lds };
    let (counters, out_of_order): (SmallVec<[Counter; 2]>, bool) = match format {
        Format::Global | Format::Scratch => (smallvec![memory], false),
        Format::Flat => (smallvec![memory, Counter::Lds], true),
        Format::Ds => (smallvec![Counter::Lds], false),
        Format::Smem if returns => (smallvec![scalar], true),
        Format::Sop1 if matches!(inst.op.sem, Sem::Wave(WaveOp::SendMsg)) => (smallvec![scalar], true),
        _ => return Issue::default(),
    };
    // Only VMEM and SMEM are watched for their sources; LDS instructions read theirs when they issue.
    let watched = target.has(Feature::XCounter) && !matches!(format, Format::Ds | Format::Sop1);
    Issue {
        counters,
        out_of_order,
        results: prepared.writes.iter().copied().collect(),
        sources: if watched { prepared.reads.iter().copied().collect() } else { smallvec![] },
        counts_sources: watched,
    }
}

/// What a wait instruction waits for: at most so many outstanding.
fn waits(inst: &Inst, target: &Target) -> Result<SmallVec<[(Counter, u64); 2]>, Box<Fault>> {
    if !matches!(inst.op.sem, Sem::Wave(WaveOp::WaitCnt)) {
        return Ok(smallvec![]);
    }
    let word = inst.uses.iter().find_map(|u| match u {
        Operand::Imm(bits) => Some(*bits & 0xffff),
        _ => None,
    });
    let Some(word) = word else { return Err(Fault::unsupported("a wait without a number")) };
    let field = |hi: u32, lo: u32| word >> lo & ((1 << (hi - lo + 1)) - 1);
    Ok(match inst.op.name {
        "s_waitcnt" => match target.column() {
            Column::Gfx9 => {
                smallvec![(Counter::Vector, field(3, 0) | field(15, 14) << 4), (Counter::Lds, field(11, 8))]
            }
            Column::Gfx10 => {
                smallvec![(Counter::Vector, field(3, 0) | field(15, 14) << 4), (Counter::Lds, field(13, 8))]
            }
            Column::Gfx11 => smallvec![(Counter::Vector, field(15, 10)), (Counter::Lds, field(9, 4))],
            Column::Gfx12 => return Err(Fault::unsupported("s_waitcnt on gfx12")),
        },
        "s_waitcnt_vscnt" | "s_wait_storecnt" => smallvec![(Counter::Store, word & 0x3f)],
        "s_wait_loadcnt" => smallvec![(Counter::Vector, word & 0x3f)],
        "s_wait_dscnt" => smallvec![(Counter::Lds, word & 0x3f)],
        "s_wait_kmcnt" => smallvec![(Counter::Scalar, word & 0x1f)],
        "s_wait_loadcnt_dscnt" => smallvec![(Counter::Vector, field(13, 8)), (Counter::Lds, field(5, 0))],
        "s_wait_storecnt_dscnt" => smallvec![(Counter::Store, field(13, 8)), (Counter::Lds, field(5, 0))],
        "s_wait_xcnt" => smallvec![(Counter::Sources, word & 0x3f)],
        // Nothing that we issue counts there, and ALU results are there at once.
        "s_wait_alu" | "s_wait_expcnt" | "s_wait_samplecnt" | "s_wait_bvhcnt" | "s_wait_asynccnt"
        | "s_wait_tensorcnt" => smallvec![],
        other => return Err(Fault::unsupported(format!("`{other}`"))),
    })
}

/// Whether the op reads modifiers or clamps by itself.
pub fn is_float_result(inst: &Inst) -> bool {
    inst.op.uses.iter().any(|u| u.num == Num::Float) || inst.op.flags.contains(Flags::READS_MODE)
}

/// The instruction as the assembler writes it.
pub fn text(inst: &Inst, target: &Target) -> String {
    crate::amd::asm::print(inst, target)
}
