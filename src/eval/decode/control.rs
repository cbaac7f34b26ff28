//! Branches, calls, barriers and what the threads of a warp do together.
//!
//! PTX ISA, "Control Flow Instructions", "bar, barrier", "shfl.sync", "vote.sync", "match.sync", "redux.sync", "elect.sync",
//! "activemask". The forms without `.sync` meet whoever is there.

use super::super::code::*;
use super::super::float;
use super::super::int::Compute;
use super::super::words::Words;
use super::names::Binding;
use super::{Decoder, Fault, Res};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

impl<'m> Decoder<'m, '_> {
    pub fn control(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::BRA => {
                let label = self.label(self.operand(inst, 0)?)?;
                self.push(Kind::Branch(label));
            }
            word::BRX => {
                let index = self.src(self.operand(inst, 0)?, ScalarType::U32)?;
                let list = self.operand(inst, 1)?;
                let names: Vec<Name> = match list.kind {
                    OperandKind::Name(name) => match self.scopes.find(name) {
                        Some(Binding::Stmt(at)) => self.scopes.lists.get(&at).cloned().unwrap_or_default(),
                        _ => vec![],
                    },
                    _ => vec![],
                };
                let label = |name| match self.scopes.find(name) {
                    Some(Binding::Label(label)) => Ok(label),
                    _ => Err(Fault::at(list.span, "a list of labels is expected")),
                };
                let targets = names.into_iter().map(label).collect::<Res<Vec<u32>>>()?;
                self.function.tables.push(Table { index, targets });
                self.push(Kind::Table(self.function.tables.len() as u32 - 1));
            }
            word::CALL => self.call(inst)?,
            word::RET => self.push(if self.is_kernel { Kind::Exit } else { Kind::Ret }),
            word::EXIT => self.push(Kind::Exit),
            _ => self.push(Kind::Trap),
        }
        Ok(())
    }

    fn label(&self, operand: &Operand) -> Res<u32> {
        match operand.kind {
            OperandKind::Name(name) => match self.scopes.find(name) {
                Some(Binding::Label(label)) => Ok(label),
                _ => Err(Fault::at(operand.span, "a label is expected")),
            },
            _ => Err(Fault::at(operand.span, "a label is expected")),
        }
    }

    fn call(&mut self, inst: &Inst<'m>) -> Res<()> {
        let module = self.shared.module;
        let list = |operand: Option<&Operand>| match operand.map(|o| o.kind) {
            Some(OperandKind::List(items)) => Some(module.list(items)),
            _ => None,
        };
        let results = list(inst.operands.first());
        let at = usize::from(results.is_some());
        let target = self.operand(inst, at)?;
        let OperandKind::Name(name) = target.kind else { return Err(Fault::Form) };
        let callee = match self.binding(name) {
            Some(Binding::Register { first, elements: 1, .. }) => Callee::Indirect(first),
            _ => match self.shared.functions.get(&name) {
                Some(&function) => Callee::Direct(self.shared.reach(function)),
                None => return Err(Fault::at(target.span, "a function is expected")),
            },
        };
        let mut passed = [vec![], vec![]];
        let arguments = list(inst.operands.get(at + 1)).unwrap_or(&[]);
        // Constants take the type of the parameter where it is known.
        let types: Vec<ScalarType> = match self.shared.functions.get(&name) {
            Some(function) => function.params.iter().map(|v| v.ty).collect(),
            None => vec![],
        };
        for (list, operands) in passed.iter_mut().zip([arguments, results.unwrap_or(&[])]) {
            for (n, operand) in operands.iter().enumerate() {
                let frame = match operand.kind {
                    OperandKind::Name(name) => match self.binding(name) {
                        Some(Binding::Local { offset, bytes, param: true }) => Some(Passed::Frame { offset, bytes }),
                        _ => None,
                    },
                    _ => None,
                };
                list.push(match frame {
                    Some(frame) => frame,
                    None => {
                        let ty = types.get(n).copied().filter(|ty| ty.size_bytes().is_some());
                        Passed::Slot(self.src(operand, ty.unwrap_or(ScalarType::B64))?)
                    }
                });
            }
        }
        let [arguments, results] = passed;
        self.function.calls.push(Call { callee, arguments, results });
        self.push(Kind::Call(self.function.calls.len() as u32 - 1));
        Ok(())
    }

    pub fn barrier(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        if w.flag("warp") {
            w.flag("sync");
            let mask = self.src(self.operand(inst, 0)?, ScalarType::B32)?;
            let op = self.warp_op(inst, WarpKind::Barrier, Some(mask));
            return self.push_warp(op, w);
        }
        w.flag("cta");
        let aligned = w.flag("aligned") || inst.opcode == word::BAR;
        let what = w.one_of(&["sync", "arrive", "red"]).ok_or(Fault::Form)?;
        let first = usize::from(what == "red");
        let number = self.src(self.operand(inst, first)?, ScalarType::U32)?;
        let (kind, rest) = match what {
            "sync" => (BarrierKind::Sync, inst.operands.len()),
            "arrive" => (BarrierKind::Arrive, inst.operands.len()),
            _ => {
                let op = w.one_of(&["popc", "and", "or"]).ok_or(Fault::Form)?;
                w.ty();
                let d = self.dst(self.operand(inst, 0)?)?.0;
                let last = inst.operands.len() - 1;
                let p = self.src(self.operand(inst, last)?, ScalarType::Pred)?;
                let kind = match op {
                    "popc" => BarrierKind::Popc { d, p },
                    "and" => BarrierKind::And { d, p },
                    _ => BarrierKind::Or { d, p },
                };
                (kind, last)
            }
        };
        let count =
            if rest > first + 1 { Some(self.src(self.operand(inst, first + 1)?, ScalarType::U32)?) } else { None };
        if !w.done() {
            return Err(Fault::Form);
        }
        self.function.barriers.push(Barrier { number, count, kind, aligned });
        self.push(Kind::Barrier(self.function.barriers.len() as u32 - 1));
        Ok(())
    }

    fn warp_op(&self, inst: &Inst<'m>, kind: WarpKind, mask: Option<Slot>) -> WarpOp {
        WarpOp { kind, key: inst.head.index() as u32, mask, d: SINK, p: SINK, s: [ZERO; 3] }
    }

    fn push_warp(&mut self, op: WarpOp, w: Words<'_>) -> Res<()> {
        if !w.done() {
            return Err(Fault::Form);
        }
        self.function.warp_ops.push(op);
        self.push(Kind::Warp(self.function.warp_ops.len() as u32 - 1));
        Ok(())
    }

    pub fn warp(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let sync = w.flag("sync");
        // Sources, the last of which is the membermask; `d|p` stands first.
        let (kind, types): (WarpKind, &[ScalarType]) = match inst.opcode {
            word::SHFL => {
                let mode = w.one_of(&["up", "down", "bfly", "idx"]).ok_or(Fault::Form)?;
                w.flag("b32");
                let kind = match mode {
                    "up" => WarpKind::ShflUp,
                    "down" => WarpKind::ShflDown,
                    "bfly" => WarpKind::ShflBfly,
                    _ => WarpKind::ShflIdx,
                };
                (kind, &[ScalarType::B32, ScalarType::B32, ScalarType::B32])
            }
            word::VOTE => {
                let mode = w.one_of(&["all", "any", "uni", "ballot"]).ok_or(Fault::Form)?;
                w.ty();
                let kind = match mode {
                    "all" => WarpKind::VoteAll,
                    "any" => WarpKind::VoteAny,
                    "uni" => WarpKind::VoteUni,
                    _ => WarpKind::Ballot,
                };
                (kind, &[ScalarType::Pred])
            }
            word::MATCH_ => {
                let kind =
                    if w.one_of(&["any", "all"]) == Some("any") { WarpKind::MatchAny } else { WarpKind::MatchAll };
                match w.ty() {
                    Some(ScalarType::B64) => (kind, &[ScalarType::B64]),
                    _ => (kind, &[ScalarType::B32]),
                }
            }
            word::REDUX => {
                let op = w.one_of(&["add", "min", "max", "and", "or", "xor"]).ok_or(Fault::Form)?;
                let (abs, nan) = (w.flag("abs"), w.flag("NaN"));
                let ty = w.ty().ok_or(Fault::Form)?;
                if ty == ScalarType::F32 {
                    self.shared.computes_floats = true;
                    let f = float::reduction(op, abs, nan).ok_or(Fault::Form)?;
                    (WarpKind::ReduxFloat(f), &[ScalarType::F32])
                } else {
                    let f = reduction(op, ty).filter(|_| !abs && !nan).ok_or(Fault::Form)?;
                    (WarpKind::Redux(f), &[ScalarType::B32])
                }
            }
            word::ELECT => (WarpKind::Elect, &[]),
            _ => {
                w.ty();
                (WarpKind::ActiveMask, &[])
            }
        };
        let mut op = self.warp_op(inst, kind, None);
        let (first, second) = self.pair(self.operand(inst, 0)?)?;
        for (n, &ty) in types.iter().enumerate() {
            op.s[n] = self.src(self.operand(inst, n + 1)?, ty)?;
        }
        if sync {
            op.mask = Some(self.src(self.operand(inst, types.len() + 1)?, ScalarType::B32)?);
        }
        op.d = self.dst(&first)?.0;
        if let Some(second) = second {
            op.p = self.dst(&second)?.0;
        }
        self.push_warp(op, w)
    }
}

fn reduction(op: &str, ty: ScalarType) -> Option<Compute> {
    use ScalarType::*;
    Some(match (op, ty) {
        ("add", U32 | S32) => |a, b, _, _| u64::from((a as u32).wrapping_add(b as u32)),
        ("min", U32) => |a, b, _, _| a.min(b),
        ("max", U32) => |a, b, _, _| a.max(b),
        ("min", S32) => |a, b, _, _| if (a as i32) < b as i32 { a } else { b },
        ("max", S32) => |a, b, _, _| if (a as i32) > b as i32 { a } else { b },
        ("and", B32) => |a, b, _, _| a & b,
        ("or", B32) => |a, b, _, _| a | b,
        ("xor", B32) => |a, b, _, _| a ^ b,
        _ => return None,
    })
}
