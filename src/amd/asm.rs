//! Assembly text.
//!
//! Spec: LLVM's AMDGPU assembler ("Syntax of AMDGPU Instruction Operands" and "Modifiers"). What is printed assembles to the
//! same bytes with llvm-mc for the same processor: the encoding is forced by `_e32`, `_e64`, `_dpp`; constants are written as
//! their bits unless inline; waits, messages and hardware registers by name ([`names`]).

mod names;

pub use names::depctr_bits;

use super::format::operand::inline_text;
use super::inst::{Cache, Dpp, Encoding, Inst, Mods, Operand, Sdwa, Sel, Unused};
use super::lane::{Sem, Wave};
use super::op::{Flags, Format, Num, Op, Slot, SlotKind};
use super::reg::{File, Reg};
use super::target::{Column, Feature, Target};
use std::fmt::Write;

/// One instruction, a label as `label_N`.
pub fn print(inst: &Inst, target: &Target) -> String {
    print_with(inst, target, |label| format!("label_{label}"))
}

/// One instruction, labels spelled by the caller.
pub fn print_with(inst: &Inst, target: &Target, label: impl Fn(u32) -> String) -> String {
    let op = inst.op;
    let format = op.opcode(target).map(|code| code.format);
    let mut text = op.mnemonic(target).to_string();
    text.push_str(suffix(op, format, inst.mods.encoding));
    let halves = names_halves(inst, target);
    let mut operands: Vec<String> = Vec::with_capacity(4);
    for (index, (slot, reg)) in op.defs.iter().zip(&inst.defs).enumerate() {
        // The second register of `v_swap_b16` is a source too.
        let high = inst.mods.op_sel & if index == 0 { 8 } else { 1 } != 0;
        operands.push(format!("{}{}", register(*reg), if halves { half(*slot, *reg, high) } else { "" }));
    }
    for (index, (slot, operand)) in op.uses.iter().zip(&inst.uses).enumerate() {
        if !slot.tied {
            let named = match (slot.kind, operand) {
                (SlotKind::Simm16, Operand::Imm(value)) => names::simm16(op, *value, target),
                _ => None,
            };
            operands.push(named.unwrap_or_else(|| source(inst, format, index, *slot, *operand, halves, &label)));
        }
    }
    scalar_offset_operand(inst, format, &mut operands);
    if !operands.is_empty() {
        text.push(' ');
        text.push_str(&operands.join(", "));
    }
    modifiers(&mut text, inst, format, target);
    text
}

/// Says which encoding is meant, where an op has several.
fn suffix(op: Op, format: Option<Format>, encoding: Encoding) -> &'static str {
    use Wave::*;
    let only = matches!(op.sem, Sem::Wave(Nop | ReadFirstLane | Permlane64 | Swap | Swap16))
        || op.flags.contains(Flags::ONE_FORM);
    let short = matches!(format, Some(Format::Vop1 | Format::Vop2 | Format::Vopc)) && !only;
    match encoding {
        Encoding::Native if short => "_e32",
        Encoding::Vop3 if short => "_e64",
        Encoding::Dpp16 | Encoding::Dpp8 => "_dpp",
        Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8 => "_e64_dpp",
        Encoding::Sdwa => "_sdwa",
        Encoding::Native | Encoding::Vop3 => "",
    }
}

/// Whether 16-bit VGPRs are printed as `v1.l` and `v1.h`. LLVM wants them so on gfx11, where it takes them for registers of
/// their own, and on later processors only when asked (`-mattr=+real-true16`): there we write halves where one is an upper.
fn names_halves(inst: &Inst, target: &Target) -> bool {
    match target.column() {
        Column::Gfx9 | Column::Gfx10 => false,
        Column::Gfx11 => true,
        Column::Gfx12 => inst.mods.op_sel != 0 && !inst.op.is_vop3p() || inst.op.flags.contains(Flags::TRUE16),
    }
}

/// The half of a 16-bit VGPR.
fn half(slot: Slot, reg: Reg, high: bool) -> &'static str {
    match (slot.bits == 16 && reg.file == File::Vgpr, high) {
        (false, _) => "",
        (true, false) => ".l",
        (true, true) => ".h",
    }
}

fn register(reg: Reg) -> String {
    match (reg.file, reg.index) {
        (File::Scc, _) => "src_scc".to_string(),
        (File::FlatScratchBase, 0) => "src_flat_scratch_base_lo".to_string(),
        (File::FlatScratchBase, 1) => "src_flat_scratch_base_hi".to_string(),
        _ => reg.to_string(),
    }
}

fn source(
    inst: &Inst,
    format: Option<Format>,
    index: usize,
    slot: Slot,
    operand: Operand,
    halves: bool,
    label: impl Fn(u32) -> String,
) -> String {
    let text = match operand {
        Operand::Reg(reg) if halves => register(reg) + half(slot, reg, inst.mods.op_sel >> index & 1 == 1),
        Operand::Reg(reg) => register(reg),
        Operand::Imm(value) => constant(value, slot),
        Operand::Label(id) => label(id),
        Operand::Off => "off".to_string(),
    };
    let (neg, abs) = match format {
        // `neg_lo` and `neg_hi` of VOP3P follow the operands.
        Some(Format::Vop3p) => (false, false),
        _ => (inst.mods.neg >> index & 1 == 1, inst.mods.abs >> index & 1 == 1),
    };
    if inst.mods.sdwa.is_some_and(|sdwa| sdwa.sext >> index & 1 == 1) {
        return format!("sext({text})");
    }
    let text = if abs { format!("|{text}|") } else { text };
    match (neg, operand) {
        (false, _) => text,
        // A minus before a number would be part of it.
        (true, Operand::Imm(_)) if !abs => format!("neg({text})"),
        (true, _) => format!("-{text}"),
    }
}

fn constant(value: u64, slot: Slot) -> String {
    match slot.kind {
        SlotKind::Label => value.to_string(),
        SlotKind::Src | SlotKind::Ssrc => {
            // The literal of a double is its high half.
            let double = slot.bits == 64 && slot.num == Num::Float;
            inline_text(value, slot).unwrap_or_else(|| format!("{:#x}", if double { value >> 32 } else { value }))
        }
        SlotKind::Vgpr
        | SlotKind::Agpr
        | SlotKind::Sgpr
        | SlotKind::Mask
        | SlotKind::VgprOrOff
        | SlotKind::SgprOrOff
        | SlotKind::VgprAddr
        | SlotKind::Simm16
        | SlotKind::Literal => format!("{value:#x}"),
    }
}

/// SMEM writes its constant offset in the place of the register, or after it as `offset:`.
fn scalar_offset_operand(inst: &Inst, format: Option<Format>, operands: &mut [String]) {
    if format == Some(Format::Smem)
        && inst.uses.get(1) == Some(&Operand::Off)
        && let Some(last) = operands.last_mut()
    {
        *last = signed_hex(inst.mods.offset);
    }
}

fn signed_hex(value: i32) -> String {
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{:#x}", value.unsigned_abs())
}

fn modifiers(text: &mut String, inst: &Inst, format: Option<Format>, target: &Target) {
    let mods = &inst.mods;
    match format {
        Some(Format::Smem) => {
            if mods.offset != 0 && matches!(inst.uses.get(1), Some(Operand::Reg(_))) {
                let _ = write!(text, " offset:{}", signed_hex(mods.offset));
            }
        }
        Some(Format::Ds) if matches!(inst.op.sem, Sem::Load(kind) | Sem::Store(kind) if kind.two) => {
            for (name, offset) in [("offset0", mods.offset0), ("offset1", mods.offset1)] {
                if offset != 0 {
                    let _ = write!(text, " {name}:{offset}");
                }
            }
        }
        _ => {
            let pattern = match inst.op.sem {
                Sem::Wave(Wave::DsSwizzle) => names::swizzle(mods.offset as u32),
                _ => None,
            };
            if mods.offset != 0
                && let Some(pattern) = pattern
            {
                let _ = write!(text, " offset:{pattern}");
            } else if mods.offset != 0 {
                let _ = write!(text, " offset:{}", mods.offset);
            }
        }
    }
    cache(text, inst.op, mods.cache, target);
    if inst.op.is_bitop3() && mods.bitop3 != 0 {
        let _ = write!(text, " bitop3:{:#x}", mods.bitop3);
    }
    selects(text, inst, format);
    if mods.clamp {
        text.push_str(" clamp");
    }
    text.push_str(match mods.omod {
        1 => " mul:2",
        2 => " mul:4",
        3 => " div:2",
        _ => "",
    });
    if let Some(dpp) = mods.dpp {
        dpp_controls(text, mods.encoding, dpp, target);
    }
    if let Some(sdwa) = mods.sdwa {
        sdwa_controls(text, format, sdwa);
    }
}

fn sdwa_controls(text: &mut String, format: Option<Format>, sdwa: Sdwa) {
    let part = |sel| match sel {
        Sel::Byte0 => "BYTE_0",
        Sel::Byte1 => "BYTE_1",
        Sel::Byte2 => "BYTE_2",
        Sel::Byte3 => "BYTE_3",
        Sel::Word0 => "WORD_0",
        Sel::Word1 => "WORD_1",
        Sel::Dword => "DWORD",
    };
    if format != Some(Format::Vopc) {
        let unused = match sdwa.unused {
            Unused::Pad => "UNUSED_PAD",
            Unused::Sext => "UNUSED_SEXT",
            Unused::Preserve => "UNUSED_PRESERVE",
        };
        let _ = write!(text, " dst_sel:{} dst_unused:{unused}", part(sdwa.dst));
    }
    let _ = write!(text, " src0_sel:{}", part(sdwa.src[0]));
    if format != Some(Format::Vop1) {
        let _ = write!(text, " src1_sel:{}", part(sdwa.src[1]));
    }
}

fn cache(text: &mut String, op: Op, cache: Cache, target: &Target) {
    let atomic = matches!(op.sem, Sem::Atomic(_));
    let returns = op.returns_old();
    let split = target.column() == Column::Gfx12;
    if split {
        let kind = match op.sem {
            Sem::Store(_) => "STORE",
            _ => "LOAD",
        };
        match (returns, cache.contains(Cache::TH_NT)) {
            (false, false) => {}
            (true, false) => text.push_str(" th:TH_ATOMIC_RETURN"),
            (true, true) => text.push_str(" th:TH_ATOMIC_NT_RETURN"),
            (false, true) if atomic => text.push_str(" th:TH_ATOMIC_NT"),
            (false, true) => {
                let _ = write!(text, " th:TH_{kind}_NT");
            }
        }
        text.push_str(match (cache.contains(Cache::SCOPE_DEV), cache.contains(Cache::SCOPE_SE)) {
            (false, false) => "",
            (false, true) => " scope:SCOPE_SE",
            (true, false) => " scope:SCOPE_DEV",
            (true, true) => " scope:SCOPE_SYS",
        });
        return;
    }
    if returns {
        text.push_str(if target.has(Feature::ScBits) { " sc0" } else { " glc" });
    }
    for (flag, name) in [
        (Cache::GLC, " glc"),
        (Cache::SLC, " slc"),
        (Cache::DLC, " dlc"),
        (Cache::SC0, " sc0"),
        (Cache::SC1, " sc1"),
        (Cache::NT, " nt"),
    ] {
        if cache.contains(flag) {
            text.push_str(name);
        }
    }
}

/// A list of bits, as `op_sel:[0,1]`.
fn bit_list(text: &mut String, name: &str, bits: u8, positions: impl Iterator<Item = usize>) {
    let list: Vec<_> = positions.map(|i| if bits >> i & 1 == 1 { "1" } else { "0" }).collect();
    let _ = write!(text, " {name}:[{}]", list.join(","));
}

fn selects(text: &mut String, inst: &Inst, format: Option<Format>) {
    let mods = &inst.mods;
    let sources = inst.op.uses.iter().filter(|slot| !slot.tied).count();
    if format == Some(Format::Vop3p) {
        let default = Mods::vop3p();
        let all = ((1u16 << sources) - 1) as u8;
        if mods.op_sel & all != 0 {
            bit_list(text, "op_sel", mods.op_sel, 0..sources);
        }
        if mods.op_sel_hi & all != default.op_sel_hi & all {
            bit_list(text, "op_sel_hi", mods.op_sel_hi, 0..sources);
        }
        if mods.neg != 0 {
            bit_list(text, "neg_lo", mods.neg, 0..sources);
        }
        if mods.abs != 0 {
            bit_list(text, "neg_hi", mods.abs, 0..sources);
        }
    } else if mods.op_sel != 0 && !says_halves_in_registers(inst, format) {
        // `v_permlane16_b32` lists its two controls; a 16-bit op its sources and the destination, which is bit 3.
        if matches!(inst.op.sem, Sem::Wave(_)) {
            bit_list(text, "op_sel", mods.op_sel, 0..2);
        } else {
            // The tied source of `v_fmac_f16` is a half like the destination, and so listed.
            let tied = inst.op.uses.iter().any(|slot| slot.tied && slot.bits == 16);
            // A compare has no half to write.
            let def = inst.op.defs.first().is_some_and(|slot| slot.kind == SlotKind::Vgpr);
            bit_list(text, "op_sel", mods.op_sel, (0..sources).chain(tied.then_some(3)).chain(def.then_some(3)));
        }
    }
}

/// Whether the names of the registers say which halves are meant, and no list follows.
fn says_halves_in_registers(inst: &Inst, format: Option<Format>) -> bool {
    let short = matches!(inst.mods.encoding, Encoding::Native | Encoding::Dpp16 | Encoding::Dpp8)
        && matches!(format, Some(Format::Vop1 | Format::Vop2 | Format::Vopc));
    short || matches!(inst.op.sem, Sem::LaneSelect(_))
}

fn dpp_controls(text: &mut String, encoding: Encoding, dpp: Dpp, target: &Target) {
    if encoding.is_dpp8() {
        let lanes: Vec<_> = (0..8).map(|i| (dpp.ctrl >> (3 * i) & 7).to_string()).collect();
        let _ = write!(text, " dpp8:[{}]", lanes.join(","));
        text.push_str(if dpp.fetch_inactive { " fi:1" } else { "" });
        return;
    }
    let n = dpp.ctrl & 15;
    let control = match dpp.ctrl {
        0..=0xff => {
            let lane = |i: u32| dpp.ctrl >> (2 * i) & 3;
            format!("quad_perm:[{},{},{},{}]", lane(0), lane(1), lane(2), lane(3))
        }
        0x101..=0x10f => format!("row_shl:{n}"),
        0x111..=0x11f => format!("row_shr:{n}"),
        0x121..=0x12f => format!("row_ror:{n}"),
        0x130 => "wave_shl:1".to_string(),
        0x134 => "wave_rol:1".to_string(),
        0x138 => "wave_shr:1".to_string(),
        0x13c => "wave_ror:1".to_string(),
        0x140 => "row_mirror".to_string(),
        0x141 => "row_half_mirror".to_string(),
        0x142 => "row_bcast:15".to_string(),
        0x143 => "row_bcast:31".to_string(),
        0x150..=0x15f if target.column() == Column::Gfx9 => format!("row_newbcast:{n}"),
        0x150..=0x15f => format!("row_share:{n}"),
        0x160..=0x16f => format!("row_xmask:{n}"),
        _ => format!("dpp_ctrl:{:#x}", dpp.ctrl),
    };
    let _ = write!(text, " {control} row_mask:{:#x} bank_mask:{:#x}", dpp.row_mask, dpp.bank_mask);
    if dpp.bound_ctrl {
        // `bound_ctrl:0` sets the bit on some generations and clears it on others.
        text.push_str(" bound_ctrl:1");
    }
    if dpp.fetch_inactive {
        text.push_str(" fi:1");
    }
}
