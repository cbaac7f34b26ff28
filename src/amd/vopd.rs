//! VOPD: two vector ops in one instruction (RDNA3 and RDNA4).
//!
//! Spec: RDNA3 ISA and RDNA4 ISA, "VOPD" in "Microcode Formats" and "Dual Issue VALU". OPX \[25:22\], OPY \[21:17\], SRCX0 \[8:0\],
//! VSRCX1 \[16:9\]; second dword SRCY0 \[8:0\], VSRCY1 \[16:9\], VDSTY without its lowest bit \[23:17\], VDSTX \[31:24\]. One
//! destination is even and the other odd; the first sources come from different banks (register number modulo 4), and so do
//! the second ones; both halves together have two scalars and one literal at most. gfx1250 has other rules and a longer form,
//! which is not here. We read and write such pairs and emit none.

use super::decode::DecodeError;
use super::encode::{Dwords, EncodeError};
use super::format::operand;
use super::inst::{Inst, Mods, Operand};
use super::lane::Sem;
use super::op::{Format, Op, Slot};
use super::ops;
use super::reg::{File, Reg};
use super::target::{Feature, Target};
use smallvec::SmallVec;

/// Two instructions that issue together; each as it would be alone in its short encoding.
#[derive(Clone, PartialEq, Debug)]
pub struct Dual {
    pub x: Inst,
    pub y: Inst,
}

/// What may stand in a half: numbers above 15 in the second only.
const TABLE: [(u32, Op); 12] = [
    (0, ops::v_fmac_f32),
    (3, ops::v_mul_f32),
    (4, ops::v_add_f32),
    (5, ops::v_sub_f32),
    (6, ops::v_subrev_f32),
    (8, ops::v_mov_b32),
    (9, ops::v_cndmask_b32),
    (10, ops::v_max_num_f32),
    (11, ops::v_min_num_f32),
    (16, ops::v_add_nc_u32),
    (17, ops::v_lshlrev_b32),
    (18, ops::v_and_b32),
];

const MARK: u32 = 0b110010;

/// The ops of a half.
pub fn ops_of_half(second: bool) -> impl Iterator<Item = Op> {
    TABLE.iter().filter(move |row| second || row.0 < 16).map(|row| row.1)
}

fn has_vopd(target: &Target) -> bool {
    target.has(Feature::Vopd) && !target.has(Feature::Literal64)
}

/// One half's fields, and what both halves share.
#[derive(Default)]
struct Parts {
    scalars: SmallVec<[Reg; 4]>,
    literal: Option<u32>,
    /// VCC of `v_cndmask_b32`, which counts apart from one that is named.
    implied: bool,
}

struct Half {
    number: u32,
    src0: u32,
    /// 0 where the op has one source only.
    vsrc1: u32,
    vdst: u32,
}

impl Parts {
    fn half(&mut self, inst: &Inst, target: &Target) -> Result<Half, EncodeError> {
        let wrong = |operand, why| EncodeError::OperandNotEncodable { operand, why };
        let number = TABLE.iter().find(|row| row.1 == inst.op).map(|row| row.0).ok_or(EncodeError::NoSuchOp)?;
        if inst.mods != Mods::default() {
            return Err(EncodeError::Modifier("any in VOPD"));
        }
        if inst.defs.len() != 1 || inst.uses.len() != inst.op.uses.len() {
            return Err(EncodeError::OperandCount);
        }
        let vgpr = |at: u8, operand: Operand| match operand {
            Operand::Reg(reg) if reg.file == File::Vgpr && reg.dwords == 1 && reg.index < 256 => Ok(reg.index as u32),
            _ => Err(wrong(at, "only a VGPR is possible here")),
        };
        let vdst = vgpr(0, inst.defs[0].into())?;
        let src0 = match inst.uses[0] {
            Operand::Imm(value) => self.constant(value, inst.op.uses[0])?,
            Operand::Reg(reg) if reg.dwords == 1 => {
                let code = operand::encode_reg(reg, target).map_err(|_| wrong(1, "the target lacks this register"))?;
                if code < operand::VGPR && reg.file != File::Null && !self.scalars.contains(&reg) {
                    self.scalars.push(reg);
                }
                code
            }
            Operand::Reg(_) | Operand::Label(_) | Operand::Off => return Err(wrong(1, "the wrong kind of operand")),
        };
        let mut vsrc1 = 0;
        for (at, (slot, operand)) in inst.op.uses.iter().zip(&inst.uses).enumerate().skip(1) {
            let at = at as u8 + 1;
            match slot {
                slot if slot.tied && *operand == Operand::Reg(inst.defs[0]) => {}
                slot if slot.tied => return Err(wrong(at, "must be the same register as the result")),
                slot if slot.bits == 0 => {
                    if *operand != Operand::Reg(Reg::VCC_LO) {
                        return Err(wrong(at, "this encoding has VCC only"));
                    }
                    self.implied = true;
                }
                _ => vsrc1 = vgpr(at, *operand)?,
            }
        }
        Ok(Half { number, src0, vsrc1, vdst })
    }

    fn constant(&mut self, value: u64, slot: Slot) -> Result<u32, EncodeError> {
        if let Some(code) = operand::encode_inline(value, slot) {
            return Ok(code);
        }
        let dword = operand::literal(value, slot).ok_or(EncodeError::LiteralNotAllowed { operand: 1 })?;
        match self.literal.replace(dword) {
            Some(other) if other != dword => Err(EncodeError::TwoLiterals),
            _ => Ok(operand::LITERAL),
        }
    }
}

/// The dwords of a pair, a literal last.
pub fn encode(dual: &Dual, target: &Target) -> Result<Dwords, EncodeError> {
    if !has_vopd(target) {
        return Err(EncodeError::NoSuchOp);
    }
    let mut parts = Parts::default();
    let (x, y) = (parts.half(&dual.x, target)?, parts.half(&dual.y, target)?);
    if x.number > 15 {
        return Err(EncodeError::NoSuchOp);
    }
    let bank = |why| EncodeError::OperandNotEncodable { operand: 1, why };
    if x.vdst % 2 == y.vdst % 2 {
        return Err(bank("one result must be even and the other odd"));
    }
    if x.src0 >= operand::VGPR && y.src0 >= operand::VGPR && x.src0 % 4 == y.src0 % 4 {
        return Err(bank("the first sources come from one bank"));
    }
    let two = |inst: &Inst| inst.op.opcode(target).is_some_and(|code| code.format == Format::Vop2);
    if two(&dual.x) && two(&dual.y) && x.vsrc1 % 4 == y.vsrc1 % 4 {
        return Err(bank("the second sources come from one bank"));
    }
    let limit = target.constant_bus_limit();
    if parts.scalars.len() + parts.implied as usize + parts.literal.is_some() as usize > limit as usize {
        return Err(EncodeError::ConstantBus { limit });
    }
    let mut dwords = Dwords::new();
    dwords.push(MARK << 26 | x.number << 22 | y.number << 17 | x.vsrc1 << 9 | x.src0);
    dwords.push(x.vdst << 24 | (y.vdst >> 1) << 17 | y.vsrc1 << 9 | y.src0);
    dwords.extend(parts.literal);
    Ok(dwords)
}

/// The pair at the start of `dwords`, and how many of them it takes. [`DecodeError::UnknownEncoding`] is the answer to what is
/// no pair at all.
pub fn decode(dwords: &[u32], target: &Target) -> Result<(Dual, usize), DecodeError> {
    let first = *dwords.first().ok_or(DecodeError::Truncated)?;
    if !has_vopd(target) || first >> 26 != MARK {
        return Err(DecodeError::UnknownEncoding);
    }
    let second = *dwords.get(1).ok_or(DecodeError::Truncated)?;
    let row = |number: u32| {
        let row = TABLE.iter().find(|row| row.0 == number).map(|row| row.1);
        row.ok_or(DecodeError::UnknownOp { format: Format::Vop2, number })
    };
    let (x, y) = (row(first >> 22 & 15)?, row(second_number(first))?);
    let vdst = second >> 24;
    // The other parity.
    let vdst_y = (second >> 17 & 127) << 1 | (vdst & 1 ^ 1);
    let literal = dwords.get(2).copied();
    let half = |op: Op, src0: u32, vsrc1: u32, vdst: u32| -> Result<Inst, DecodeError> {
        let error = DecodeError::Operand { op: op.name };
        let slot = op.uses[0];
        let source = if src0 == operand::LITERAL {
            let value = operand::literal_value(literal.ok_or(DecodeError::Truncated)?, slot);
            Operand::Imm(value.ok_or(error)?)
        } else if let Some(value) = operand::decode_inline(src0, slot) {
            Operand::Imm(value)
        } else {
            let reg = match src0.checked_sub(operand::VGPR) {
                Some(index) => Some(Reg::v(index as u16)),
                None => operand::decode_scalar(src0, 1, target),
            };
            Operand::Reg(reg.ok_or(error)?)
        };
        let def = Reg::v(vdst as u16);
        let rest = op.uses[1..].iter().map(|slot| match slot {
            slot if slot.tied => Operand::Reg(def),
            slot if slot.bits == 0 => Operand::Reg(Reg::VCC_LO),
            _ => Operand::Reg(Reg::v(vsrc1 as u16)),
        });
        Ok(Inst::new(op, [def], std::iter::once(source).chain(rest)))
    };
    let dual = Dual {
        x: half(x, first & 0x1ff, first >> 9 & 0xff, vdst)?,
        y: half(y, second & 0x1ff, second >> 9 & 0xff, vdst_y)?,
    };
    // What the rules forbid, unused fields that are not zero.
    match encode(&dual, target) {
        Ok(again) if dwords.starts_with(&again) => Ok((dual, again.len())),
        _ => Err(DecodeError::NotCanonical { op: x.name }),
    }
}

fn second_number(first: u32) -> u32 {
    first >> 17 & 31
}

/// The text of a pair: `v_dual_mov_b32 v1, v2 :: v_dual_add_f32 v4, v5, v6`.
pub fn print(dual: &Dual, target: &Target) -> String {
    let half = |inst: &Inst| {
        let text = super::asm::print(inst, target);
        let (mnemonic, operands) = text.split_once(' ').unwrap_or((&text, ""));
        let mnemonic = mnemonic.trim_start_matches("v_").trim_end_matches("_e32");
        // VCC goes without saying.
        let operands = match inst.op.sem {
            Sem::LaneSelect(_) => operands.trim_end_matches(", vcc_lo"),
            _ => operands,
        };
        format!("v_dual_{mnemonic} {operands}")
    };
    format!("{} :: {}", half(&dual.x), half(&dual.y))
}
