//! Branches, ends of threads, barriers.
//!
//! PTX ISA, "Control Flow Instructions", "bar, barrier". What a barrier becomes is [`crate::ir::barrier`]'s to decide, which sees
//! all of a kernel's.

use super::body::Body;
use super::declare::Resolved;
use super::names::Binding;
use super::operands::{Fault, Mods, Res, operand};
use crate::diag::{Diag, Span, codes};
use crate::ir::{Bar, BarKind, Block, Edge, Op, Terminator};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, OperandKind, ScalarType};
use crate::ptx::word;

impl<'m> Body<'m, '_> {
    pub fn control(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::BRA => {
                let target = self.branch_target(inst)?;
                self.end_block(Terminator::Jump(Edge::new(target, [])));
                Ok(())
            }
            word::BRX => self.brx(inst),
            word::RET => {
                let mut mods = Mods::new(inst);
                mods.flag(word::UNI);
                mods.done()?;
                let term = match self.frames.last().and_then(|frame| frame.return_block) {
                    Some(block) => Terminator::Jump(Edge::new(block, [])),
                    None => Terminator::Exit,
                };
                self.end_block(term);
                Ok(())
            }
            word::EXIT | word::TRAP => {
                Mods::new(inst).done()?;
                let exit = inst.opcode == word::EXIT;
                self.end_block(if exit { Terminator::Exit } else { Terminator::Trap });
                Ok(())
            }
            _ => self.barrier(inst),
        }
    }

    /// The label of `bra`.
    pub fn branch_target(&mut self, inst: &Inst<'_>) -> Res<Block> {
        let mut mods = Mods::new(inst);
        mods.flag(word::UNI);
        mods.done()?;
        let target = operand(inst, 0)?;
        match target.kind {
            OperandKind::Name(name) => self.label(name, target.span),
            _ => Err(not_a_label(target.span)),
        }
    }

    fn label(&mut self, name: Name, span: Span) -> Res<Block> {
        match self.scopes.lookup(name) {
            Some(Binding::Label(block)) => Ok(block),
            Some(_) => Err(not_a_label(span)),
            None => {
                let message = format!("nothing declares the label `{}`", self.scope.text(name));
                Err(Fault::Diag(Box::new(Diag::error(codes::UNDECLARED, span, message))))
            }
        }
    }

    fn brx(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        if !mods.flag(word::IDX) {
            return Err(Fault::Form);
        }
        mods.flag(word::UNI);
        mods.done()?;
        let index = self.src(operand(inst, 0)?, ScalarType::U32)?;
        let list = operand(inst, 1)?;
        let targets = match list.kind {
            OperandKind::Name(name) => match self.scopes.lookup(name) {
                Some(Binding::BranchTargets(n)) => self.branch_targets[n as usize],
                _ => return Err(Fault::operand(list.span, "the name of a `.branchtargets` list is expected")),
            },
            _ => return Err(Fault::operand(list.span, "the name of a `.branchtargets` list is expected")),
        };
        let mut edges = Vec::new();
        for &(name, span) in targets {
            edges.push(Edge::new(self.label(name, span)?, []));
        }
        if edges.is_empty() {
            return Err(Fault::operand(list.span, "the list of branch targets is empty"));
        }
        self.end_block(Terminator::Switch { index, targets: edges });
        Ok(())
    }

    /// `bar` is `barrier` with `.aligned`.
    fn barrier(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        mods.flag(word::CTA);
        let kind = match mods.one_of(&[word::SYNC, word::ARRIVE, word::RED]) {
            Some(word::SYNC) => BarKind::Sync,
            Some(word::ARRIVE) => BarKind::Arrive,
            Some(_) => match mods.one_of(&[word::POPC, word::AND, word::OR]) {
                Some(word::POPC) => BarKind::Popc,
                Some(word::AND) => BarKind::And,
                Some(_) => BarKind::Or,
                None => return Err(Fault::Form),
            },
            None => return Err(Fault::Form),
        };
        let aligned = mods.flag(word::ALIGNED) || inst.opcode == word::BAR;
        let result = match kind {
            BarKind::Sync | BarKind::Arrive => None,
            BarKind::Popc => Some(ScalarType::U32),
            BarKind::And | BarKind::Or => Some(ScalarType::Pred),
        };
        if result.is_some_and(|ty| mods.ty().ok() != Some(ty)) {
            return Err(Fault::Form);
        }
        mods.done()?;
        let first = kind.reduces() as usize;
        let last = inst.operands.len() - kind.reduces() as usize;
        let mut args = vec![self.src(operand(inst, first)?, ScalarType::U32)?];
        let counted = last > first + 1;
        if counted {
            args.push(self.src(operand(inst, first + 1)?, ScalarType::U32)?);
        }
        if kind.reduces() {
            args.push(self.src(operand(inst, last)?, ScalarType::Pred)?);
        }
        let made = self.emit_inst(Op::Bar(Bar { kind, counted, aligned }), args);
        match self.ssa.func.insts[made].results.first() {
            Some(&value) => self.dst(operand(inst, 0)?, value),
            None => Ok(()),
        }
    }

    /// Whether a name is a function, a label or the like rather than a register.
    pub fn callee(&mut self, name: Name, span: Span) -> Res<Option<&'m crate::ptx::tree::Function>> {
        match self.resolve(name, span)? {
            Resolved::Function(function) => Ok(Some(function)),
            _ => Ok(None),
        }
    }
}

fn not_a_label(span: Span) -> Fault {
    Fault::Diag(Box::new(Diag::error(codes::CONTROL, span, "a label is expected")))
}
