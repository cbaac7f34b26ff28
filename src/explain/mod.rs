//! One PTX instruction, and what becomes of it: the machine instructions for each target, what each of them holds byte by byte, what
//! they cost and how many there must be at least.
//!
//! The instruction is wrapped in a kernel that loads its operands and stores its results ([`wrap`]), translated like any other, and
//! executed over named bits ([`crate::provenance`]): what is printed is what the code does, not what it was meant to do.

mod steps;
mod text;
mod wrap;

pub use text::{json, text};

use crate::amd::Target;
use crate::diag::{Diag, Span};
use crate::options::Options;
use crate::pipeline;
use crate::provenance::Byte;

/// Where the operands are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Operands {
    /// Each lane has its own: in VGPRs.
    Divergent,
    /// The whole wave has the same: in SGPRs.
    Uniform,
}

/// An instruction explained for some targets.
#[derive(Clone, Debug)]
pub struct Explanation {
    pub instruction: String,
    /// The operands, by the number that named bytes have.
    pub sources: Vec<String>,
    /// Targets that get the same words, in the order of the processor table.
    pub groups: Vec<Group>,
}

#[derive(Clone, Debug)]
pub struct Group {
    pub targets: Vec<String>,
    /// Registers of the operands that are read, as `v1`, in the order of `sources`.
    pub registers: Vec<Option<String>>,
    pub steps: Vec<Step>,
    pub results: Vec<Value>,
    pub cost: Cost,
    /// The fewest vector instructions that there can be, where that is known.
    pub bound: Option<Bound>,
    /// What needed more than one would think, in whole sentences.
    pub reasons: Vec<String>,
}

/// One machine instruction.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    pub text: String,
    pub words: Vec<u32>,
    pub unit: Unit,
    /// What its result holds from byte 3 down, where at least a byte has a name.
    pub gives: Option<[Byte; 4]>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Unit {
    Vector,
    Scalar,
    /// A constant put into a register: shared with other instructions and kept out of loops.
    Constant,
    /// Memory, control flow, waits.
    Other,
}

/// A dword of a result.
#[derive(Clone, PartialEq, Debug)]
pub struct Value {
    /// `d`, or `d.lo` and `d.hi` of 64 bits.
    pub name: String,
    pub bytes: [Byte; 4],
}

#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Cost {
    pub vector: u32,
    pub scalar: u32,
    pub constants: u32,
    pub bytes: u32,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Bound {
    pub instructions: u32,
    pub by: &'static str,
}

/// Explains one instruction. Diagnostics have their places in its own text.
pub fn explain(instruction: &str, targets: &[Target], operands: Operands) -> Result<Explanation, Vec<Diag>> {
    let wrapped = wrap::wrap(instruction, operands)?;
    let mut groups: Vec<Group> = vec![];
    for target in targets {
        let options = Options { max_block: 64, code_object_version: 6, ..Options::new(target.clone()) };
        let code = pipeline::code_of(&wrapped.source, &options).map_err(|diags| wrapped.relocated(diags))?;
        let group = steps::group(&wrapped, &code[0], target, operands);
        match groups.iter_mut().find(|known| known.steps == group.steps) {
            Some(known) => known.targets.extend(group.targets),
            None => groups.push(group),
        }
    }
    let sources = wrapped.sources.iter().map(|source| source.name.clone()).collect();
    Ok(Explanation { instruction: wrapped.instruction().to_string(), sources, groups })
}

/// A span that lies in the wrapped source, moved into the instruction's own text.
fn moved(span: Span, by: u32, length: u32) -> Span {
    if span.is_none() || span.start < by || span.end > by + length {
        return Span::NONE;
    }
    Span::new(span.start - by, span.end - by)
}
