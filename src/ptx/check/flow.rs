//! Control flow within a body: it does not run off the end.
//!
//! PTX ISA 9.0, "Control Flow Instructions". A warning: ptxas says nothing, and the kernel ends there. That some
//! instruction is never reached is not worth a word, for compilers write such code behind an inlined `exit`.

use super::Checker;
use super::names::Entity;
use crate::diag::{Diag, codes};
use crate::ptx::tree::*;
use crate::ptx::word;

impl Checker<'_> {
    pub(super) fn flow(&mut self, f: &Function, body: &[Stmt]) {
        if self.reaches_end(body, true) {
            let message = format!("control comes to the end of `{}` without `ret` or `exit`", self.spell(f.name));
            self.report(Diag::warning(codes::CONTROL, f.name_span, message));
        }
    }

    /// Whether control comes to the end of the statements.
    fn reaches_end(&self, body: &[Stmt], mut reached: bool) -> bool {
        // A label makes what follows it reachable; behind the last instruction it only marks the end, for debuggers.
        let mut labelled = false;
        for stmt in body {
            if matches!(stmt, Stmt::Inst(_) | Stmt::Block(..)) {
                reached |= std::mem::take(&mut labelled);
            }
            match stmt {
                Stmt::Inst(packed) => reached &= self.goes_on(packed),
                Stmt::Label(..) => labelled = true,
                Stmt::Error(_) => reached = true,
                Stmt::Block(body, _) => reached = self.reaches_end(body, reached),
                Stmt::Variable(_) | Stmt::Loc { .. } | Stmt::BranchTargets(_) | Stmt::CallTargets(_) => {}
                Stmt::CallPrototype(_) | Stmt::Directive(_) => {}
            }
        }
        reached
    }

    /// Whether control goes on behind the instruction.
    fn goes_on(&self, packed: &PackedInst) -> bool {
        match self.module.code.head(packed.head).0 {
            _ if packed.guarded => true,
            word::RET | word::EXIT | word::TRAP | word::BRA | word::BRX => false,
            word::CALL => !self.module.inst(packed).operands.iter().any(|operand| self.never_returns(operand)),
            _ => true,
        }
    }

    /// The name of a `.noreturn` function.
    fn never_returns(&self, operand: &Operand) -> bool {
        let OperandKind::Name(name) = operand.kind else { return false };
        let Some((Entity::Function(index), _)) = self.scopes.find(name) else { return false };
        match self.module.items.get(index as usize) {
            Some(Item::Function(f)) => f.directives.iter().any(|d| d.name == word::NORETURN),
            _ => false,
        }
    }
}
