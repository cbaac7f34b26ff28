//! Bitwise expressions of up to three values as one truth table.
//!
//! Compilers write `(e & f) ^ (~e & g)`, and the machine has it as one `v_bfi_b32`. The expression tree above an op is cut at three
//! values or fewer; its table goes to [`super::lop3`], and the cut that saves most is taken. Only vector ops that nobody else reads
//! are taken in. The cuts are those of FPGA mapping (Cong and Ding, "FlowMap", 1994), on trees a few ops high.

use super::Ctx;
use super::lop3::{Plan, constant_table};
use crate::ir::{InstData, IntOp, Op, UnaryOp, Value, Width};
use crate::mir::{Operand, Reg};
use smallvec::{SmallVec, smallvec};

/// Values that an expression is cut at, and how many ops lie between.
#[derive(Clone, PartialEq)]
struct Cut {
    leaves: SmallVec<[Value; 3]>,
    ops: usize,
}

type Cuts = SmallVec<[Cut; 4]>;

const MOST_LEAVES: usize = 3;
/// How many ops high a tree may be, and how many cuts of a value are followed.
const HEIGHT: usize = 4;
const MOST_CUTS: usize = 12;

impl Ctx<'_> {
    /// Writes a vector logic op together with the ones above it, if that takes fewer instructions.
    pub(super) fn fold_logic(&mut self, dst: Reg, root: &InstData) -> bool {
        let inner = |&arg: &Value| self.folded(arg).is_some_and(|data| is_logic(&data.op));
        if !root.args.iter().any(inner) {
            return false;
        }
        let mut best: Option<(usize, Plan, Cut, u8)> = None;
        for cut in self.cuts_of(root, HEIGHT) {
            if cut.ops < 2 {
                continue;
            }
            let table = self.table_of(root, &cut.leaves);
            let least = best.as_ref().map_or(1, |b| b.0 + 1);
            let Some(plan) = self.lop3_plan_within(table, cut.ops - least.min(cut.ops)) else { continue };
            let saved = cut.ops - plan.steps.len();
            if saved >= least {
                best = Some((saved, plan, cut, table));
            }
        }
        let Some((_, plan, cut, table)) = best else { return false };
        let mut operands = [Operand::Imm(0); 3];
        for (operand, &leaf) in operands.iter_mut().zip(&cut.leaves) {
            *operand = self.src(leaf);
        }
        self.write_lop3(&plan, table, dst, &operands, false);
        true
    }

    /// The cuts of an op, itself taken in.
    fn cuts_of(&self, data: &InstData, height: usize) -> Cuts {
        if !is_logic(&data.op) || height == 0 {
            return Cuts::new();
        }
        let mut cuts: Cuts = smallvec![Cut { leaves: SmallVec::new(), ops: 1 }];
        for &arg in &data.args {
            let mut merged = Cuts::new();
            for with in self.cuts_through(arg, height - 1) {
                for cut in &cuts {
                    let mut leaves = cut.leaves.clone();
                    leaves.extend(with.leaves.iter().copied().filter(|l| !cut.leaves.contains(l)));
                    if leaves.len() <= MOST_LEAVES && merged.len() < MOST_CUTS {
                        merged.push(Cut { leaves, ops: cut.ops + with.ops });
                    }
                }
            }
            cuts = merged;
        }
        cuts
    }

    /// A value as a leaf, or cut further up.
    fn cuts_through(&self, value: Value, height: usize) -> Cuts {
        if self.const32(value).and_then(constant_table).is_some() {
            return smallvec![Cut { leaves: SmallVec::new(), ops: 0 }];
        }
        let mut cuts = self.folded(value).map_or(Cuts::new(), |data| self.cuts_of(data, height));
        cuts.push(Cut { leaves: SmallVec::from_slice(&[value]), ops: 0 });
        cuts
    }

    fn table_of(&self, data: &InstData, leaves: &[Value]) -> u8 {
        let args: SmallVec<[u8; 3]> = data.args.iter().map(|&arg| self.table_through(arg, leaves)).collect();
        match (&data.op, &args[..]) {
            (Op::Int(IntOp::And, _), [a, b]) => a & b,
            (Op::Int(IntOp::Or, _), [a, b]) => a | b,
            (Op::Int(_, _), [a, b]) => a ^ b,
            (Op::BitSelect, [mask, a, b]) => (mask & a) | (!mask & b),
            (Op::Lop3(table), [a, b, c]) => {
                let bit = |i: u32| (a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1);
                (0..8).fold(0, |out, i| out | (table >> bit(i) & 1) << i)
            }
            (_, [a, ..]) => !a,
            (_, []) => 0,
        }
    }

    fn table_through(&self, value: Value, leaves: &[Value]) -> u8 {
        if let Some(n) = leaves.iter().position(|&l| l == value) {
            return [0xf0, 0xcc, 0xaa][n];
        }
        match (self.const32(value).and_then(constant_table), self.func.def(value)) {
            (Some(table), _) => table,
            (None, Some((data, _))) => self.table_of(data, leaves),
            (None, None) => 0,
        }
    }
}

fn is_logic(op: &Op) -> bool {
    matches!(
        op,
        Op::Int(IntOp::And | IntOp::Or | IntOp::Xor, Width::W32)
            | Op::Unary(UnaryOp::Not, Width::W32)
            | Op::Lop3(_)
            | Op::BitSelect
    )
}
