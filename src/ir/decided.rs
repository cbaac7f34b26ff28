//! Branches that can only go one way.
//!
//! They go before the analysis of divergence: which loops there are, and what lies outside of them, is asked of the graph that is
//! left, and nothing may take an edge away after that.

use super::dom::reverse_postorder;
use super::{Func, Op, Terminator, Value, remove_redundant_params};

/// Rounds after which branches that became decided by earlier ones are left alone; they are right as they stand.
const ROUNDS: usize = 8;

/// Replaces branches and switches on constants by jumps, and drops what nothing reaches any more.
pub fn follow_decided_branches(func: &mut Func) {
    for _ in 0..ROUNDS {
        let mut changed = false;
        for block in func.order.clone() {
            if let Some(term) = decided(func, &func.blocks[block].term) {
                func.blocks[block].term = term;
                changed = true;
            }
        }
        if !changed {
            return;
        }
        func.order = reverse_postorder(func);
        remove_redundant_params(func);
    }
}

fn decided(func: &Func, term: &Terminator) -> Option<Terminator> {
    match term {
        Terminator::Branch { cond, then, els } => {
            let taken = truth(func, *cond)?;
            Some(Terminator::Jump(if taken { then.clone() } else { els.clone() }))
        }
        Terminator::Switch { index, targets } => match func.def(*index)?.0.op {
            // An index out of range is undefined.
            Op::Const32(n) => {
                Some(targets.get(n as usize).map_or(Terminator::Trap, |edge| Terminator::Jump(edge.clone())))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The value of a predicate that is a constant, or the inverse of one.
fn truth(func: &Func, mut pred: Value) -> Option<bool> {
    let mut inverse = false;
    loop {
        let data = func.def(pred)?.0;
        match data.op {
            Op::ConstPred(value) => return Some(value != inverse),
            Op::PredNot => (pred, inverse) = (data.args[0], !inverse),
            _ => return None,
        }
    }
}
