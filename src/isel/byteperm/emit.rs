//! Writing what a plan says, for the vector and the scalar unit.

use super::super::{Ctx, Lowered, Operands};
use super::{Bytes, Place, Plan};
use crate::amd::{Mods, Target, ops};
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
            return match super::scalar_plan(sels, self.target) {
                Some(plan) => self.write_plan(&plan, dst, sources),
                None => self.scalar_parts(dst, sels, sources),
            };
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

    /// What is too long for the scalar unit but must be there: bytes that move by the same distance go together by a shift and a
    /// mask, signs by a field extract.
    fn scalar_parts(&mut self, dst: Reg, sels: Bytes, sources: &[Operand]) {
        let mut parts: Vec<Operand> = vec![];
        let ones = byte_mask(|i| sels[i] == ByteSel::Ones);
        if ones != 0 || sels.iter().all(|s| s.source().is_none()) {
            parts.push(Operand::Imm(ones as u64));
        }
        let mut done = [false; 4];
        for i in 0..4 {
            if done[i] {
                continue;
            }
            let (source, mask) = match sels[i] {
                ByteSel::Byte(source, byte) => {
                    let up = i as i32 - byte as i32;
                    let together = |j: usize| match sels[j] {
                        ByteSel::Byte(other, from) => other == source && j as i32 - from as i32 == up,
                        ByteSel::Sign(..) | ByteSel::Zero | ByteSel::Ones => false,
                    };
                    (self.scalar_shift(sources[source as usize], up), byte_mask(together))
                }
                ByteSel::Sign(source, byte) => {
                    let tmp = self.stmp(1);
                    let field = Operand::Imm((1 << 16) | (8 * byte as u64 + 7));
                    self.salu(ops::s_bfe_i32, &[tmp], &[sources[source as usize], field]);
                    (tmp.into(), byte_mask(|j| sels[j] == sels[i]))
                }
                ByteSel::Zero | ByteSel::Ones => continue,
            };
            for (j, done) in done.iter_mut().enumerate() {
                *done |= mask.to_le_bytes()[j] != 0;
            }
            parts.push(self.scalar_masked(source, mask, sels[i], i));
        }
        match parts[..] {
            [] => self.copy(dst, Operand::Imm(0)),
            [only] => self.copy(dst, only),
            [first, ref rest @ ..] => {
                let mut sum = first;
                for (n, &part) in rest.iter().enumerate() {
                    let out = if n + 1 == rest.len() { dst } else { self.stmp(1) };
                    self.salu(ops::s_or_b32, &[out], &[sum, part]);
                    sum = out.into();
                }
            }
        }
    }

    /// The operand moved up by so many bytes, zeros behind.
    fn scalar_shift(&mut self, of: Operand, up_bytes: i32) -> Operand {
        if up_bytes == 0 {
            return of;
        }
        let tmp = self.stmp(1);
        let op = if up_bytes > 0 { ops::s_lshl_b32 } else { ops::s_lshr_b32 };
        self.salu(op, &[tmp], &[of, Operand::Imm(8 * up_bytes.unsigned_abs() as u64)]);
        tmp.into()
    }

    /// Clears the bytes outside the mask, unless a shift has.
    fn scalar_masked(&mut self, of: Operand, mask: u32, sel: ByteSel, at: usize) -> Operand {
        let filled = match sel {
            // A shift by n bytes leaves zeros in n bytes of one end.
            ByteSel::Byte(_, byte) if at >= byte as usize => u32::MAX << (8 * (at - byte as usize)),
            ByteSel::Byte(_, byte) => u32::MAX >> (8 * (byte as usize - at)),
            _ => u32::MAX,
        };
        if filled == mask {
            return of;
        }
        let tmp = self.stmp(1);
        self.salu(ops::s_and_b32, &[tmp], &[of, Operand::Imm(mask as u64)]);
        tmp.into()
    }
}

fn byte_mask(on: impl Fn(usize) -> bool) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| if on(i) { 0xff } else { 0 }))
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
