//! SIMM16 by name: wait counters, messages, hardware registers; the patterns of `ds_swizzle_b32`.
//!
//! Spec: LLVM's AMDGPU assembler ("waitcnt", "waitcnt_depctr", "delay_alu", "sendmsg", "hwreg", "swizzle" in "Syntax of AMDGPU Instruction
//! Operands"). A word is named only if the assembler makes the same word of the names: bits beside the fields stay numbers.

use super::super::op::Op;
use super::super::target::{Column, Feature, Target};
use std::fmt::Write;

/// The text of a constant of `op`, where it has a better one than hexadecimal.
pub fn simm16(op: Op, value: u64, target: &Target) -> Option<String> {
    let word = value as u16 as u32;
    match op.name {
        "s_waitcnt" => waitcnt(word, target),
        "s_wait_alu" => depctr(word, target),
        "s_delay_alu" => delay_alu(word),
        "s_sendmsg" | "s_sendmsg_rtn_b32" | "s_sendmsg_rtn_b64" => message(word, target),
        "s_getreg_b32" | "s_setreg_b32" | "s_setreg_imm32_b32" => Some(hwreg(word, target)),
        "s_nop" | "s_sleep" | "s_sethalt" | "s_setprio" | "s_trap" if word <= 64 => Some(word.to_string()),
        _ => None,
    }
}

/// A field of a word: first bit and width.
type Bits = (u32, u32);

fn get(word: u32, (first, width): Bits) -> u32 {
    word >> first & ((1 << width) - 1)
}

fn mask((first, width): Bits) -> u32 {
    ((1 << width) - 1) << first
}

/// Counters at their maximum wait for nothing and are left out, unless all are.
fn counters(fields: &[(&str, u32, u32)]) -> String {
    let mut text = String::new();
    for all in [false, true] {
        for (name, value, most) in fields.iter().filter(|field| all || field.1 != field.2) {
            let _ = write!(text, "{}{name}({})", if text.is_empty() { "" } else { " " }, value.min(most));
        }
        if !text.is_empty() {
            break;
        }
    }
    text
}

fn waitcnt(word: u32, target: &Target) -> Option<String> {
    // The vector counter of GFX9 and GFX10 has its upper bits apart.
    let (vector, vector_high, export, lds): (Bits, Bits, Bits, Bits) = match target.column() {
        Column::Gfx9 => ((0, 4), (14, 2), (4, 3), (8, 4)),
        Column::Gfx10 => ((0, 4), (14, 2), (4, 3), (8, 6)),
        Column::Gfx11 | Column::Gfx12 => ((10, 6), (0, 0), (0, 3), (4, 6)),
    };
    let known = [vector, vector_high, export, lds].into_iter().fold(0, |bits, field| bits | mask(field));
    let most = |(_, width): Bits| (1 << width) - 1;
    (word & !known == 0).then(|| {
        let vector_value = get(word, vector) | get(word, vector_high) << vector.1;
        let vector_most = (1 << (vector.1 + vector_high.1)) - 1;
        counters(&[
            ("vmcnt", vector_value, vector_most),
            ("expcnt", get(word, export), most(export)),
            ("lgkmcnt", get(word, lds), most(lds)),
        ])
    })
}

const HOLD_CNT: Bits = (7, 1);
const DEPCTR: [(&str, Bits); 6] = [
    ("depctr_sa_sdst", (0, 1)),
    ("depctr_va_vdst", (12, 4)),
    ("depctr_va_sdst", (9, 3)),
    ("depctr_va_ssrc", (8, 1)),
    ("depctr_va_vcc", (1, 1)),
    ("depctr_vm_vsrc", (2, 3)),
];

/// The bits of `s_wait_alu` (`s_waitcnt_depctr`) that are part of a field.
pub fn depctr_bits(target: &Target) -> u16 {
    let fields = DEPCTR.iter().fold(0, |bits, field| bits | mask(field.1));
    (if has_hold_cnt(target) { fields | mask(HOLD_CNT) } else { fields }) as u16
}

/// gfx10.1 has no such field.
fn has_hold_cnt(target: &Target) -> bool {
    !target.has(Feature::BranchOffset3fBug)
}

fn depctr(word: u32, target: &Target) -> Option<String> {
    let hold = has_hold_cnt(target).then_some(("depctr_hold_cnt", HOLD_CNT));
    let fields = hold.into_iter().chain(DEPCTR).map(|(name, bits)| (name, get(word, bits), (1 << bits.1) - 1));
    (word & !(depctr_bits(target) as u32) == 0).then(|| counters(&fields.collect::<Vec<_>>()))
}

/// Which instruction back, and which kind, each of two instructions depends on.
fn delay_alu(word: u32) -> Option<String> {
    const IDS: [&str; 12] = [
        "NO_DEP",
        "VALU_DEP_1",
        "VALU_DEP_2",
        "VALU_DEP_3",
        "VALU_DEP_4",
        "TRANS32_DEP_1",
        "TRANS32_DEP_2",
        "TRANS32_DEP_3",
        "FMA_ACCUM_CYCLE_1",
        "SALU_CYCLE_1",
        "SALU_CYCLE_2",
        "SALU_CYCLE_3",
    ];
    const SKIPS: [&str; 6] = ["SAME", "NEXT", "SKIP_1", "SKIP_2", "SKIP_3", "SKIP_4"];
    let (first, skip, second) = (get(word, (0, 4)), get(word, (4, 3)), get(word, (7, 4)));
    if word >> 11 != 0 || first == 0 && skip == 0 && second == 0 {
        return None;
    }
    let mut parts = Vec::new();
    for (name, value, names) in [("instid0", first, &IDS[..]), ("instskip", skip, &SKIPS), ("instid1", second, &IDS)] {
        let text = names.get(value as usize)?;
        if value != 0 {
            parts.push(format!("{name}({text})"));
        }
    }
    Some(parts.join(" | "))
}

fn message(word: u32, target: &Target) -> Option<String> {
    let newer = matches!(target.column(), Column::Gfx11 | Column::Gfx12);
    let name = match (word, newer) {
        (0x1, _) => "MSG_INTERRUPT",
        (0x4, false) => "MSG_SAVEWAVE",
        (0x6, false) => "MSG_HALT_WAVES",
        (0xa, false) => "MSG_GET_DOORBELL",
        (0x3, true) => "MSG_DEALLOC_VGPRS",
        (0x80, true) => "MSG_RTN_GET_DOORBELL",
        (0x82, true) => "MSG_RTN_GET_TMA",
        (0x83, true) => "MSG_RTN_GET_REALTIME",
        (0x85, true) => "MSG_RTN_GET_TBA",
        _ => return (word <= 64).then(|| word.to_string()),
    };
    Some(format!("sendmsg({name})"))
}

/// Register, first bit and width; the last two are left out where they say the whole register.
fn hwreg(word: u32, target: &Target) -> String {
    let (id, offset, size) = (get(word, (0, 6)), get(word, (6, 5)), get(word, (11, 5)) + 1);
    let name = hwreg_name(id, target).map_or_else(|| id.to_string(), str::to_string);
    if offset == 0 && size == 32 { format!("hwreg({name})") } else { format!("hwreg({name}, {offset}, {size})") }
}

fn hwreg_name(id: u32, target: &Target) -> Option<&'static str> {
    use Column::*;
    let column = target.column();
    Some(match (id, column) {
        (1, Gfx9 | Gfx10 | Gfx11) => "HW_REG_MODE",
        (2, Gfx9 | Gfx10 | Gfx11) => "HW_REG_STATUS",
        (3, Gfx9 | Gfx10 | Gfx11) => "HW_REG_TRAPSTS",
        (4, Gfx9) => "HW_REG_HW_ID",
        (5, Gfx9 | Gfx10 | Gfx11) => "HW_REG_GPR_ALLOC",
        (6, Gfx9 | Gfx10 | Gfx11) => "HW_REG_LDS_ALLOC",
        (7, _) => "HW_REG_IB_STS",
        (15, Gfx9 | Gfx10 | Gfx11) => "HW_REG_SH_MEM_BASES",
        (20, Gfx10 | Gfx11) => "HW_REG_FLAT_SCR_LO",
        (21, Gfx10 | Gfx11) => "HW_REG_FLAT_SCR_HI",
        (23, Gfx10 | Gfx11) => "HW_REG_HW_ID1",
        (24, Gfx10 | Gfx11) => "HW_REG_HW_ID2",
        (1, Gfx12) => "HW_REG_WAVE_MODE",
        (2, Gfx12) => "HW_REG_WAVE_STATUS",
        (4, Gfx12) => "HW_REG_WAVE_STATE_PRIV",
        (5, Gfx12) => "HW_REG_WAVE_GPR_ALLOC",
        (6, Gfx12) => "HW_REG_WAVE_LDS_ALLOC",
        (20, Gfx12) => "HW_REG_WAVE_SCRATCH_BASE_LO",
        (21, Gfx12) => "HW_REG_WAVE_SCRATCH_BASE_HI",
        (23, Gfx12) => "HW_REG_WAVE_HW_ID1",
        (24, Gfx12) => "HW_REG_WAVE_HW_ID2",
        (26, Gfx12) => "HW_REG_WAVE_SCHED_MODE",
        (28, Gfx12) if target.has(Feature::XCounter) => "HW_REG_IB_STS2",
        _ => return None,
    })
}

/// The pattern that an offset of `ds_swizzle_b32` is, where it is one that the assembler makes the same offset of.
pub fn swizzle(offset: u32) -> Option<String> {
    if offset & 0xff00 == 0x8000 {
        let lane = |i: u32| offset >> (2 * i) & 3;
        return Some(format!("swizzle(QUAD_PERM,{},{},{},{})", lane(0), lane(1), lane(2), lane(3)));
    }
    if offset >= 0x8000 {
        return None;
    }
    let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
    if and == 31 && or == 0 && xor.is_power_of_two() {
        return Some(format!("swizzle(SWAP,{xor})"));
    }
    if and == 31 && or == 0 && xor > 0 && (xor + 1).is_power_of_two() {
        return Some(format!("swizzle(REVERSE,{})", xor + 1));
    }
    let group = 32 - and;
    if xor == 0 && group > 1 && group.is_power_of_two() && or < group {
        return Some(format!("swizzle(BROADCAST,{group},{or})"));
    }
    // From the highest bit of the lane number down: kept, inverted, 0 or 1.
    let mut mask = String::new();
    for bit in (0..5).rev() {
        mask.push(match (and >> bit & 1, or >> bit & 1, xor >> bit & 1) {
            (1, 0, 0) => 'p',
            (1, 0, 1) => 'i',
            (0, 0, 0) => '0',
            (0, 1, 0) => '1',
            _ => return None,
        });
    }
    Some(format!("swizzle(BITMASK_PERM,\"{mask}\")"))
}
