//! Which field each operand of a row goes into.
//!
//! Spec: the AMD ISA manuals, "Microcode Formats".

use super::FieldName::{self, *};
use crate::amd::op::{Format, Op, Slot, SlotKind};

/// Where an operand is written.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Field(FieldName),
    /// In no field: it must be VCC (VOP2 carries, VOPC results).
    Vcc,
    /// In no field: the same register as a def.
    Tied,
    /// A dword after the instruction.
    LiteralDword,
}

/// The place of def `index`.
pub fn of_def(op: Op, format: Format, index: usize) -> Place {
    let slot = op.defs[index];
    match format {
        Format::Sop1 | Format::Sop2 | Format::Sopc | Format::Sopk | Format::Sopp => Place::Field(Sdst),
        Format::Smem => Place::Field(Sdata),
        Format::Vop1 | Format::Vop2 | Format::Vopc if slot.kind == SlotKind::Mask => Place::Vcc,
        // `v_swap_b32` writes its source too.
        Format::Vop1 if index == 1 => Place::Field(Src0),
        Format::Vop3sd if index == 1 => Place::Field(Sdst),
        Format::Vop1
        | Format::Vop2
        | Format::Vopc
        | Format::Vop3
        | Format::Vop3sd
        | Format::Vop3p
        | Format::Ds
        | Format::Flat
        | Format::Global
        | Format::Scratch
        | Format::Mubuf => Place::Field(Vdst),
    }
}

/// The place of use `index`.
pub fn of_use(op: Op, format: Format, index: usize) -> Place {
    let slot = op.uses[index];
    if slot.tied {
        return Place::Tied;
    }
    let nth = op.uses[..index].iter().filter(|s| !s.tied).count();
    match slot.kind {
        SlotKind::Literal => return Place::LiteralDword,
        SlotKind::Label => return Place::Field(Simm16),
        SlotKind::Simm16 => return Place::Field(if format == Format::Sop1 { Src0 } else { Simm16 }),
        SlotKind::Vgpr
        | SlotKind::Agpr
        | SlotKind::Sgpr
        | SlotKind::Src
        | SlotKind::Ssrc
        | SlotKind::Mask
        | SlotKind::VgprOrOff
        | SlotKind::SgprOrOff
        | SlotKind::VgprAddr => {}
    }
    match format {
        Format::Sopk | Format::Sopp => Place::Field(Sdst),
        Format::Smem => Place::Field(if nth == 0 { Sbase } else { Soffset }),
        Format::Vop2 if slot.kind == SlotKind::Mask => Place::Vcc,
        Format::Vop2 | Format::Vopc if nth == 1 => Place::Field(Vsrc1),
        Format::Sop1
        | Format::Sop2
        | Format::Sopc
        | Format::Vop1
        | Format::Vop2
        | Format::Vopc
        | Format::Vop3
        | Format::Vop3sd
        | Format::Vop3p => Place::Field([Src0, Src1, Src2][nth.min(2)]),
        Format::Ds => Place::Field([Addr, Data0, Data1][nth.min(2)]),
        Format::Flat | Format::Global | Format::Scratch | Format::Mubuf => match slot.kind {
            SlotKind::SgprOrOff => Place::Field(Saddr),
            _ if nth == 0 => Place::Field(Addr),
            _ => Place::Field(Data0),
        },
    }
}

/// Dwords of a use: what its slot says, but the address of GLOBAL is 64 bits only without an SGPR base.
pub fn dwords_of_use(slot: Slot, wave_lanes: u32, has_base: bool) -> u8 {
    if slot.kind == SlotKind::VgprAddr && has_base { 1 } else { slot.dwords(wave_lanes) }
}
