//! PTX `lop3`: any function of three bits, with few machine ops.
//!
//! A truth table is a byte: bit `a<<2 | b<<1 | c` of it is the function's value, so a, b and c themselves are 0xf0, 0xcc and
//! 0xaa, and a machine op acts on tables as it does on registers. A search over sequences of one and two ops (three for the
//! few that need them) finds the shortest. Which ops there are depends on the unit and on the target; `v_bitop3_b32` is `lop3` itself.

use super::{Ctx, Lowered};
use crate::amd::{Feature, Mods, ops};
use crate::ir::InstData;
use crate::mir::{Operand, Reg};

/// A bitwise machine op.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Logic {
    And,
    Or,
    Xor,
    Not,
    /// Scalar: x & !y, x | !y, and the inverses of the three above.
    AndNot,
    OrNot,
    Nand,
    Nor,
    Xnor,
    /// Vector: (x & y) | (!x & z), (x & y) | z, x | y | z, x ^ y ^ z.
    Select,
    AndOr,
    Or3,
    Xor3,
}

/// A source: one of the three operands, an earlier step, or a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Source {
    Operand(u8),
    Step(u8),
    Zero,
    Ones,
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Step {
    pub op: Logic,
    pub sources: [Source; 3],
}

/// The steps in order; the result is the last one's, or a source when there is none.
#[derive(Clone, PartialEq, Debug)]
pub struct Plan {
    pub steps: Vec<Step>,
    pub result: Source,
}

impl Logic {
    fn arity(self) -> usize {
        match self {
            Logic::Not => 1,
            Logic::And | Logic::Or | Logic::Xor | Logic::AndNot | Logic::OrNot => 2,
            Logic::Nand | Logic::Nor | Logic::Xnor => 2,
            Logic::Select | Logic::AndOr | Logic::Or3 | Logic::Xor3 => 3,
        }
    }

    /// On truth tables, or on any other bits.
    pub fn eval(self, [x, y, z]: [u8; 3]) -> u8 {
        match self {
            Logic::And => x & y,
            Logic::Or => x | y,
            Logic::Xor => x ^ y,
            Logic::Not => !x,
            Logic::AndNot => x & !y,
            Logic::OrNot => x | !y,
            Logic::Nand => !(x & y),
            Logic::Nor => !(x | y),
            Logic::Xnor => !(x ^ y),
            Logic::Select => x & y | !x & z,
            Logic::AndOr => x & y | z,
            Logic::Or3 => x | y | z,
            Logic::Xor3 => x ^ y ^ z,
        }
    }

    /// Whether constants make sense as the second and third source.
    fn takes_constants(self) -> bool {
        self == Logic::Select
    }
}

const SCALAR: &[Logic] =
    &[Logic::And, Logic::Or, Logic::Xor, Logic::Not, Logic::AndNot, Logic::OrNot, Logic::Nand, Logic::Nor, Logic::Xnor];

/// The shortest sequence for the scalar unit.
pub fn scalar_plan(lut: u8) -> Plan {
    plan(lut, SCALAR)
}

/// The shortest sequence for the vector unit, without `v_bitop3_b32`.
pub fn vector_plan(lut: u8, xor3: bool, xnor: bool) -> Plan {
    plan(lut, &vector_ops(xor3, xnor))
}

fn vector_ops(xor3: bool, xnor: bool) -> Vec<Logic> {
    let mut ops = vec![Logic::And, Logic::Or, Logic::Xor, Logic::Not, Logic::Select, Logic::AndOr, Logic::Or3];
    ops.extend(xor3.then_some(Logic::Xor3));
    ops.extend(xnor.then_some(Logic::Xnor));
    ops
}

/// The table of a constant that is the same in every bit.
pub(super) fn constant_table(bits: u32) -> Option<u8> {
    match bits {
        0 => Some(0x00),
        u32::MAX => Some(0xff),
        _ => None,
    }
}

fn plan(lut: u8, ops: &[Logic]) -> Plan {
    (1..).find_map(|most| plan_within(lut, ops, most)).unwrap_or(Plan { steps: vec![], result: Source::Zero })
}

/// The shortest sequence, if it has at most so many steps.
fn plan_within(lut: u8, ops: &[Logic], most: usize) -> Option<Plan> {
    let mut pool = vec![(Source::Operand(0), 0xf0), (Source::Operand(1), 0xcc), (Source::Operand(2), 0xaa)];
    let ready =
        [(Source::Zero, 0x00), (Source::Ones, 0xff)].into_iter().chain(pool.iter().copied()).find(|p| p.1 == lut);
    if let Some((result, _)) = ready {
        return Some(Plan { steps: vec![], result });
    }
    (1..=most).find_map(|depth| {
        let mut steps = vec![];
        search(lut, ops, depth, &mut pool, &mut steps).then(|| {
            let result = Source::Step(steps.len() as u8 - 1);
            Plan { steps, result }
        })
    })
}

/// Extends `steps` by `depth` more so that the last one gives `lut`.
fn search(lut: u8, ops: &[Logic], depth: usize, pool: &mut Vec<(Source, u8)>, steps: &mut Vec<Step>) -> bool {
    let mut seen = [false; 256];
    for &(_, table) in pool.iter() {
        seen[table as usize] = true;
    }
    let mut found = vec![];
    for &op in ops {
        for_each_step(op, pool, &mut |step, table| {
            if depth == 1 {
                if table == lut && found.is_empty() {
                    found.push((step, table));
                }
            } else if !std::mem::replace(&mut seen[table as usize], true) {
                found.push((step, table));
            }
        });
    }
    if depth == 1 {
        steps.extend(found.first().map(|f| f.0));
        return !found.is_empty();
    }
    for (step, table) in found {
        steps.push(step);
        pool.push((Source::Step(steps.len() as u8 - 1), table));
        if search(lut, ops, depth - 1, pool, steps) {
            return true;
        }
        pool.pop();
        steps.pop();
    }
    false
}

fn for_each_step(op: Logic, pool: &[(Source, u8)], visit: &mut impl FnMut(Step, u8)) {
    const CONSTANTS: [(Source, u8); 2] = [(Source::Zero, 0x00), (Source::Ones, 0xff)];
    let none = (Source::Zero, 0);
    let rest: Vec<(Source, u8)> = match op.takes_constants() {
        true => pool.iter().copied().chain(CONSTANTS).collect(),
        false => pool.to_vec(),
    };
    let (second, third): (&[_], &[_]) = match op.arity() {
        1 => (&[none], &[none]),
        2 => (&rest, &[none]),
        _ => (&rest, &rest),
    };
    for &x in pool {
        for &y in second {
            for &z in third {
                let step = Step { op, sources: [x.0, y.0, z.0] };
                visit(step, op.eval([x.1, y.1, z.1]));
            }
        }
    }
}

impl Ctx<'_> {
    pub(super) fn lower_lop3(&mut self, lut: u8, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let scalar = self.is_sgpr(data.results[0]);
        if !scalar && self.fold_logic(dst, data) {
            return Ok(());
        }
        let operands = [0, 1, 2].map(|i| self.src(data.args[i]));
        let plan = self.lop3_plan(lut, scalar);
        self.write_lop3(&plan, lut, dst, &operands, scalar);
        Ok(())
    }

    pub(super) fn write_lop3(&mut self, plan: &Plan, lut: u8, dst: Reg, operands: &[Operand; 3], scalar: bool) {
        if !scalar && plan.steps.len() > 1 && self.target.has(Feature::Bitop3) {
            let mods = Mods { bitop3: lut, ..ops::v_bitop3_b32.default_mods() };
            return self.valu_mods(ops::v_bitop3_b32, &[dst], operands, mods);
        }
        let mut results: Vec<Reg> = vec![];
        for (n, step) in plan.steps.iter().enumerate() {
            let last = n + 1 == plan.steps.len();
            let out = match (last, scalar) {
                (true, _) => dst,
                (false, true) => self.stmp(1),
                (false, false) => self.vtmp(1),
            };
            let sources = step.sources.map(|s| operand(s, operands, &results));
            self.logic(step.op, scalar, out, &sources[..step.op.arity()]);
            results.push(out);
        }
        if plan.steps.is_empty() {
            self.copy(dst, operand(plan.result, operands, &results));
        }
    }

    /// Each table is searched for once in a kernel.
    fn lop3_plan(&mut self, lut: u8, scalar: bool) -> Plan {
        if let Some(plan) = self.lop3_plans.get(&(lut, scalar)) {
            return plan.clone();
        }
        let plan = if scalar { scalar_plan(lut) } else { plan(lut, &self.vector_ops()) };
        self.lop3_plans.insert((lut, scalar), plan.clone());
        plan
    }

    /// A vector sequence of at most `most` steps; with `v_bitop3_b32`, one step is all it takes.
    pub(super) fn lop3_plan_within(&mut self, lut: u8, most: usize) -> Option<Plan> {
        if let Some(plan) = self.lop3_plans.get(&(lut, false)) {
            return (plan.steps.len() <= most).then(|| plan.clone());
        }
        // Three steps are seldom worth the search.
        let most = most.min(2);
        if let Some((searched, found)) = self.short_plans.get(&lut)
            && (*searched >= most || found.is_some())
        {
            return found.clone().filter(|plan| plan.steps.len() <= most);
        }
        let found = plan_within(lut, &self.vector_ops(), most);
        self.short_plans.insert(lut, (most, found.clone()));
        found
    }

    fn vector_ops(&self) -> Vec<Logic> {
        vector_ops(self.target.has(Feature::Xor3), self.target.has(Feature::Fmac))
    }

    fn logic(&mut self, op: Logic, scalar: bool, dst: Reg, uses: &[Operand]) {
        let machine = match (op, scalar) {
            (Logic::And, true) => ops::s_and_b32,
            (Logic::Or, true) => ops::s_or_b32,
            (Logic::Xor, true) => ops::s_xor_b32,
            (Logic::Not, true) => ops::s_not_b32,
            (Logic::AndNot, _) => ops::s_and_not1_b32,
            (Logic::OrNot, _) => ops::s_or_not1_b32,
            (Logic::Nand, _) => ops::s_nand_b32,
            (Logic::Nor, _) => ops::s_nor_b32,
            (Logic::Xnor, true) => ops::s_xnor_b32,
            (Logic::And, false) => ops::v_and_b32,
            (Logic::Or, false) => ops::v_or_b32,
            (Logic::Xor, false) => ops::v_xor_b32,
            (Logic::Not, false) => ops::v_not_b32,
            (Logic::Xnor, false) => ops::v_xnor_b32,
            (Logic::Select, _) => ops::v_bfi_b32,
            (Logic::AndOr, _) => ops::v_and_or_b32,
            (Logic::Or3, _) => ops::v_or3_b32,
            (Logic::Xor3, _) => ops::v_xor3_b32,
        };
        if scalar {
            self.salu(machine, &[dst], uses);
        } else {
            self.valu(machine, dst, uses);
        }
    }
}

fn operand(source: Source, operands: &[Operand; 3], results: &[Reg]) -> Operand {
    match source {
        Source::Operand(n) => operands[n as usize],
        Source::Step(n) => results[n as usize].into(),
        Source::Zero => Operand::Imm(0),
        Source::Ones => Operand::Imm(0xffff_ffff),
    }
}
