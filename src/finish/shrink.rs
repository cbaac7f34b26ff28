//! Short encodings: a VOP3 form of a VOP1, VOP2 or VOPC op becomes the 32-bit form where that holds the same operands.
//!
//! The encoder is the judge: what it accepts in the native format means the same.

use crate::amd::op::Format;
use crate::amd::{Encoding, Target};
use crate::mir::{InstKind, MirFunc};

pub fn shrink(func: &mut MirFunc, target: &Target) {
    for block in func.blocks.values_mut() {
        for inst in &mut block.insts {
            let InstKind::Op(op) = &mut inst.kind else { continue };
            if op.mods.encoding != Encoding::Vop3 {
                continue;
            }
            let short =
                op.op.opcode(target).is_some_and(|c| matches!(c.format, Format::Vop1 | Format::Vop2 | Format::Vopc));
            if !short {
                continue;
            }
            let mut native = super::layout::physical(op);
            native.mods.encoding = Encoding::Native;
            if crate::amd::encode(&native, target).is_ok() {
                op.mods.encoding = Encoding::Native;
            }
        }
    }
}
