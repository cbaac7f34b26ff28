//! An instruction to its dwords.
//!
//! Spec: the AMD ISA manuals, "Microcode Formats"; limits on literals and scalar sources from "Operand Fields" and "Constant
//! Bus". Refuses what the target cannot say; never changes the meaning to make it fit.

mod memory;
mod modifiers;
mod operands;

pub(super) use modifiers::splits_halves;

use super::format::forms;
use super::format::{self, FieldName, PackError, Packer};
use super::inst::{Encoding, Inst};
use super::op::{Format, Op};
use super::reg::Reg;
use super::target::Target;
use smallvec::SmallVec;
use std::fmt;

/// Why an instruction has no encoding. Operands are counted from 0, defs first, then uses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EncodeError {
    /// The target lacks the op.
    NoSuchOp,
    /// The op lacks the encoding asked for.
    NoSuchEncoding(Encoding),
    /// Not as many operands as the row says.
    OperandCount,
    OperandNotEncodable {
        operand: u8,
        why: &'static str,
    },
    LiteralNotAllowed {
        operand: u8,
    },
    TwoLiterals,
    /// More scalar sources and literals than the limit.
    ConstantBus {
        limit: u8,
    },
    OffsetOutOfRange,
    /// A modifier that the op or the target lacks.
    Modifier(&'static str),
    /// A branch target without a distance: resolve labels first.
    LabelNotResolved,
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EncodeError::NoSuchOp => f.write_str("the target has no such instruction"),
            EncodeError::NoSuchEncoding(encoding) => write!(f, "no {encoding:?} encoding"),
            EncodeError::OperandCount => f.write_str("wrong number of operands"),
            EncodeError::OperandNotEncodable { operand, why } => write!(f, "operand {operand}: {why}"),
            EncodeError::LiteralNotAllowed { operand } => write!(f, "operand {operand}: no literal is possible here"),
            EncodeError::TwoLiterals => f.write_str("two different literals"),
            EncodeError::ConstantBus { limit } => write!(f, "more than {limit} scalar sources and literals"),
            EncodeError::OffsetOutOfRange => f.write_str("the offset does not fit"),
            EncodeError::Modifier(name) => write!(f, "no modifier `{name}` here"),
            EncodeError::LabelNotResolved => f.write_str("a label without a distance"),
        }
    }
}
impl std::error::Error for EncodeError {}

impl From<PackError> for EncodeError {
    fn from(error: PackError) -> EncodeError {
        use FieldName::*;
        let (PackError::Missing(name) | PackError::TooWide(name)) = error;
        EncodeError::Modifier(match name {
            OffsetSigned | OffsetUnsigned | Offset0 | Offset1 => return EncodeError::OffsetOutOfRange,
            Glc => "glc",
            Slc => "slc",
            Dlc => "dlc",
            Sc0 => "sc0",
            Sc1 => "sc1",
            Nt => "nt",
            Scope => "scope",
            Th => "th",
            Abs | Src0Abs | Src1Abs => "abs",
            Neg | Src0Neg | Src1Neg => "neg",
            NegHi => "neg_hi",
            OpSel => "op_sel",
            OpSelHi01 | OpSelHi2 => "op_sel_hi",
            Clamp => "clamp",
            Omod => "omod",
            Bitop3Low | Bitop3Middle | Bitop3High => "bitop3",
            FormSrc0 | DppCtrl | FetchInactive | BoundCtrl | BankMask | RowMask | Dpp8Lanes => "dpp",
            DstSel | DstUnused | Src0Sel | Src0Sext | Src1Sel | Src1Sext => "sdwa",
            Src0Scalar | Src1Scalar | SdstEnable | Op | Vdst | Sdst | Src0 | Src1 | Src2 | Vsrc1 | Simm16 | Sbase
            | Sdata | Soffset | ImmEnable | SoffsetEnable | Addr | Data0 | Data1 | Saddr | VaddrEnable => "operand",
        })
    }
}

/// One instruction: at most three dwords and a literal of one or two.
pub type Dwords = SmallVec<[u32; 5]>;

/// The dwords of an instruction, literals last.
pub fn encode(inst: &Inst, target: &Target) -> Result<Dwords, EncodeError> {
    let op = inst.op;
    let code = op.opcode(target).ok_or(EncodeError::NoSuchOp)?;
    if inst.defs.len() != op.defs.len() || inst.uses.len() != op.uses.len() {
        return Err(EncodeError::OperandCount);
    }
    let encoding = match inst.mods.encoding {
        // An op of a VOP3 format has that one anyway.
        Encoding::Vop3 if matches!(code.format, Format::Vop3 | Format::Vop3sd) => Encoding::Native,
        other => other,
    };
    let (layout, format, number) =
        format::select(op, code, encoding, target).ok_or(EncodeError::NoSuchEncoding(encoding))?;
    let mut encoder = Encoder {
        inst,
        target,
        format,
        form: Form::of(encoding),
        packer: Packer::new(layout),
        literal: None,
        scalars: SmallVec::new(),
    };
    encoder.packer.set(FieldName::Op, number)?;
    if encoder.form != Form::Plain {
        encoder.marker(encoding)?;
    }
    for (index, reg) in inst.defs.iter().enumerate() {
        encoder.def(index, *reg)?;
    }
    for (index, operand) in inst.uses.iter().enumerate() {
        encoder.use_of(index, *operand)?;
    }
    encoder.check_constant_bus()?;
    encoder.address()?;
    encoder.cache()?;
    encoder.modifiers()?;
    let mut dwords: Dwords = encoder.packer.dwords().collect();
    match encoder.literal {
        Some(Literal::Dword(dword)) => dwords.push(dword),
        Some(Literal::Pair(value)) => dwords.extend([value as u32, (value >> 32) as u32]),
        None => {}
    }
    Ok(dwords)
}

#[derive(Copy, Clone, PartialEq)]
enum Literal {
    Dword(u32),
    /// gfx1250.
    Pair(u64),
}

/// What SRC0 holds.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Form {
    Plain,
    Dpp,
    Sdwa,
}

impl Form {
    fn of(encoding: Encoding) -> Form {
        match encoding {
            Encoding::Native | Encoding::Vop3 => Form::Plain,
            Encoding::Dpp16 | Encoding::Dpp8 | Encoding::Vop3Dpp16 | Encoding::Vop3Dpp8 => Form::Dpp,
            Encoding::Sdwa => Form::Sdwa,
        }
    }
}

struct Encoder<'a> {
    inst: &'a Inst,
    target: &'a Target,
    /// Of the encoding, which need not be the row's.
    format: Format,
    form: Form,
    packer: Packer,
    literal: Option<Literal>,
    /// Different scalar sources of a vector instruction.
    scalars: SmallVec<[Reg; 4]>,
}

impl Encoder<'_> {
    fn op(&self) -> Op {
        self.inst.op
    }

    fn bad(&self, operand: usize, why: &'static str) -> EncodeError {
        EncodeError::OperandNotEncodable { operand: operand as u8, why }
    }

    fn marker(&mut self, encoding: Encoding) -> Result<(), EncodeError> {
        let code = match encoding {
            Encoding::Sdwa => forms::SDWA,
            Encoding::Dpp8 | Encoding::Vop3Dpp8 => match self.inst.mods.dpp {
                Some(dpp) if dpp.fetch_inactive => forms::DPP8_FETCH_INACTIVE,
                _ => forms::DPP8,
            },
            Encoding::Dpp16 | Encoding::Vop3Dpp16 | Encoding::Native | Encoding::Vop3 => forms::DPP16,
        };
        Ok(self.packer.set(FieldName::Src0, code)?)
    }
}
