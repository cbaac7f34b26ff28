//! Writing what a plan says, for the vector and the scalar unit.

use super::super::{Ctx, Lowered, Operands};
use super::{Bytes, Place, Plan};
use crate::amd::{Mods, Target};
use crate::ir::byteperm::ByteSel;
use crate::ir::{Func, InstData, Op, Value};
use crate::mir::{Operand, Reg, RegClass};
use smallvec::SmallVec;

fn operand(place: Place, results: &[Reg], sources: &[Operand]) -> Operand {
    match place {
        Place::Source(n) => sources[n as usize],
        Place::Step(n) => results[n as usize].into(),
        Place::Constant(bits) => Operand::Imm(bits as u64),
    }
}

impl Ctx<'_> {
    pub(in crate::isel) fn lower_byteperm(&mut self, sels: [ByteSel; 4], data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let sources: Operands = data.args.iter().map(|&a| self.src(a)).collect();
        self.byteperm(dst, sels, &sources);
        Ok(())
    }

    /// Writes a byte permute of any sources into a VGPR, or of SGPRs and constants into an SGPR.
    pub(in crate::isel) fn byteperm(&mut self, dst: Reg, sels: [ByteSel; 4], sources: &[Operand]) {
        let sels = sels.map(|sel| canonical(sel, sources));
        if self.mir.class(dst) == RegClass::Sgpr {
            let plan = super::scalar_plan(sels, self.target).unwrap_or_else(|| super::scalar_parts(sels));
            return self.write_plan(&plan, dst, sources);
        }
        let plan = super::plan(sels);
        self.write_plan(&plan, dst, sources);
    }

    fn write_plan(&mut self, plan: &Plan, dst: Reg, sources: &[Operand]) {
        let mut results: SmallVec<[Reg; 4]> = SmallVec::new();
        let scalar = self.mir.class(dst) == RegClass::Sgpr;
        for (n, step) in plan.steps.iter().enumerate() {
            let out = match (n + 1 == plan.steps.len(), scalar) {
                (true, _) => dst,
                (false, true) => self.stmp(1),
                (false, false) => self.vtmp(1),
            };
            let uses: Operands = step.uses.iter().map(|&place| operand(place, &results, sources)).collect();
            match step.halves {
                _ if scalar => self.salu(step.op, &[out], &uses),
                Some((op_sel, op_sel_hi)) => {
                    let mods = Mods { op_sel, op_sel_hi: op_sel_hi | 0b100, ..Mods::vop3p() };
                    self.valu_mods(step.op, &[out], &uses, mods);
                }
                None => self.valu(step.op, out, &uses),
            }
            results.push(out);
        }
        if plan.steps.is_empty() {
            let src = operand(plan.result, &results, sources);
            self.copy(dst, src);
        }
    }
}

/// Whether the scalar unit does a permute in few instructions, given where its arguments' constants are.
pub(in crate::isel) fn is_scalar(func: &Func, sels: Bytes, args: &[Value], target: &Target) -> bool {
    // Only whether operands are equal or constant matters here.
    let operand = |&arg: &Value| match func.def(arg).map(|(data, _)| &data.op) {
        Some(Op::Const32(bits)) => Operand::Imm(*bits as u64),
        _ => Operand::Label(arg.as_u32()),
    };
    let operands: Operands = args.iter().map(operand).collect();
    super::scalar_plan(sels.map(|sel| canonical(sel, &operands)), target).is_some()
}

/// The same byte by its first name: sources may be equal, and constant bytes are known when they are 0x00 or 0xff.
fn canonical(sel: ByteSel, sources: &[Operand]) -> ByteSel {
    let constant = |source: u8| match sources[source as usize] {
        Operand::Imm(bits) => Some(bits),
        _ => None,
    };
    sel.folded(constant).compose(|source, byte| {
        let first = sources.iter().position(|&operand| operand == sources[source as usize]);
        ByteSel::Byte(first.map_or(source, |n| n as u8), byte)
    })
}
