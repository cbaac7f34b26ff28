//! What the rows of the generated table are made of.

use crate::amd::Op;

/// An operand: the first or second source, the step before this one, or a constant.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum RowUse {
    First,
    Second,
    Helper,
    Constant(u32),
}

pub(super) const A: RowUse = RowUse::First;
pub(super) const B: RowUse = RowUse::Second;
pub(super) const H: RowUse = RowUse::Helper;

#[allow(non_snake_case, reason = "a short word for tables, beside `A`, `B` and `H`")]
pub(super) const fn K(bits: u32) -> RowUse {
    RowUse::Constant(bits)
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub(super) struct RowStep {
    pub op: Op,
    pub uses: &'static [RowUse],
    /// `op_sel` and `op_sel_hi` of packed ops.
    pub halves: Option<(u8, u8)>,
}

pub(super) const fn step(op: Op, uses: &'static [RowUse]) -> RowStep {
    RowStep { op, uses, halves: None }
}

pub(super) const fn pk(op: Op, uses: &'static [RowUse], op_sel: u8, op_sel_hi: u8) -> RowStep {
    RowStep { op, uses, halves: Some((op_sel, op_sel_hi)) }
}

/// Key and steps.
pub(super) type Row = (u32, &'static [RowStep]);

/// What it gives, and the step.
pub(super) type Helper = ([u8; 6], RowStep);
