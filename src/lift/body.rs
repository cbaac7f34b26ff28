//! Walks the statements of a kernel and of all it calls, and keeps the blocks, scopes and guards.
//!
//! PTX ISA, "Predicated Execution", "Scoping". The walk has its own stack of tasks: nesting and call depth do not use
//! ours. A guarded instruction without side effects is computed always and selects its results; other guarded
//! instructions go into a block of their own, which runs of instructions under one guard share.

use super::declare::{Layout, MAX_VARS};
use super::module::{KernelScope, ModuleScope, Reached};
use super::names::{Binding, Scopes};
use super::operands::{Fault, Res};
use super::{Diags, bits, compare, memory};
use crate::diag::{Diag, Span, codes};
use crate::id::EntityRef;
use crate::ir::ssa::{Ssa, Var};
use crate::ir::{self, Block, Edge, Func, Inst as IrInst, Op, Terminator, Type, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Function, Guard, Inst, ScalarType, Stmt};
use crate::ptx::word;

/// Instructions of one kernel after inlining.
const MAX_INSTS: usize = 1 << 20;
/// A kernel's code and the memory that its variables take.
pub struct Lifted<'m> {
    pub func: Func,
    pub reached: Reached<'m>,
    pub shared_bytes: u32,
    pub dynamic_shared: bool,
    pub local_bytes: u32,
}

/// A function being walked: the kernel, or a call of a `.func` under way.
pub struct Frame<'m> {
    pub function: &'m Function,
    /// Where `ret` goes; none in the kernel, where the thread ends.
    pub return_block: Option<Block>,
    /// The condition code `CC.CF`.
    pub carry: Var,
}

pub enum Task<'m> {
    Stmts(std::slice::Iter<'m, Stmt>),
    LeaveScope,
    /// The end of the kernel's body.
    LeaveKernel,
    /// The end of a called function's body; `rejoin` is where a guarded call meets the path around it.
    LeaveCall {
        call: Inst<'m>,
        rejoin: Option<Block>,
    },
}

/// Instructions under one guard that share a block.
struct OpenGuard {
    register: Name,
    negated: bool,
    var: Var,
    /// The predicate at the time of the branch; the run ends when it changes.
    value: Value,
    join: Block,
}

pub struct Body<'m, 'a> {
    pub scope: KernelScope<'m, 'a>,
    pub diags: &'a mut Diags,
    pub ssa: Ssa,
    pub scopes: Scopes<'m>,
    pub frames: Vec<Frame<'m>>,
    pub tasks: Vec<Task<'m>>,
    pub branch_targets: Vec<&'m [(Name, Span)]>,
    /// The statement being lifted.
    pub span: Span,
    /// Writes take effect only under this predicate.
    pub select: Option<Value>,
    open_guard: Option<OpenGuard>,
    pub(super) layout: Layout,
    insts: usize,
}

pub fn lift_body<'m, 'a>(
    function: &'m Function,
    params: &[ir::Param],
    module: &'a ModuleScope<'m>,
    diags: &'a mut Diags,
) -> Option<Lifted<'m>> {
    let names = &module.module.names;
    let mut body = Body {
        scope: KernelScope::new(module),
        diags,
        ssa: Ssa::new(),
        scopes: Scopes::new(names),
        frames: Vec::new(),
        tasks: Vec::new(),
        branch_targets: Vec::new(),
        span: function.span,
        select: None,
        open_guard: None,
        layout: Layout::default(),
        insts: 0,
    };
    body.scopes.enter_frame();
    let carry = body.ssa.add_var(Type::Pred);
    body.frames.push(Frame { function, return_block: None, carry });
    for (param, data) in function.params.iter().zip(params) {
        body.scopes.bind(param.name, Binding::KernelParam { offset: data.offset_bytes, size: data.size_bytes });
    }
    // The entry has no predecessors, whatever label the body begins with.
    let stmts = function.body.as_deref().unwrap_or(&[]);
    body.ssa.func.reserve(stmts.len());
    body.prescan(stmts);
    body.tasks.push(Task::LeaveKernel);
    body.tasks.push(Task::Stmts(stmts.iter()));
    body.walk();
    body.finish(function.span)
}

impl<'m> Body<'m, '_> {
    fn finish(mut self, span: Span) -> Option<Lifted<'m>> {
        let mut func = match self.ssa.finish() {
            Ok(func) => func,
            Err(message) => {
                self.diags.push(Diag::error(codes::LIMIT, span, message));
                return None;
            }
        };
        // Barriers may need words of their own behind the variables; dynamic shared memory starts behind those.
        let mut shared_bytes = self.layout.shared_bytes;
        shared_bytes += ir::barrier::lower(&mut func, shared_bytes);
        let dynamic_shared = !self.layout.dynamic_uses.is_empty();
        if dynamic_shared {
            shared_bytes = shared_bytes.next_multiple_of(u64::from(self.layout.dynamic_align.max(1)));
        }
        for inst in std::mem::take(&mut self.layout.dynamic_uses) {
            func.insts[inst].op = Op::Const32(shared_bytes as u32);
        }
        let (shared_bytes, local_bytes) = (u32::try_from(shared_bytes), u32::try_from(self.layout.local_bytes));
        let (Ok(shared_bytes), Ok(local_bytes)) = (shared_bytes, local_bytes) else {
            self.diags.push(Diag::error(codes::LIMIT, span, "the variables of the kernel need more than 4 GiB"));
            return None;
        };
        let func = ir::compact(func);
        debug_assert_eq!(ir::verify(&func), Ok(()));
        Some(Lifted { func, reached: self.scope.reached, shared_bytes, dynamic_shared, local_bytes })
    }

    fn walk(&mut self) {
        while let Some(task) = self.tasks.last_mut() {
            match task {
                Task::Stmts(stmts) => match stmts.next() {
                    Some(stmt) => self.stmt(stmt),
                    None => {
                        self.tasks.pop();
                    }
                },
                Task::LeaveScope => {
                    self.tasks.pop();
                    self.scopes.leave();
                }
                Task::LeaveKernel => {
                    self.tasks.pop();
                    self.close_guard();
                    self.ssa.set_terminator(Terminator::Exit, self.span);
                }
                Task::LeaveCall { call, rejoin } => {
                    let (call, rejoin) = (*call, *rejoin);
                    self.tasks.pop();
                    self.close_guard();
                    if let Err(fault) = self.leave_call(&call, rejoin) {
                        self.report(&call, fault);
                    }
                }
            }
        }
    }

    fn stmt(&mut self, stmt: &'m Stmt) {
        match stmt {
            Stmt::Inst(inst) => self.guarded(&self.scope.module.inst(inst)),
            Stmt::Label(name, span) => {
                self.close_guard();
                match self.scopes.lookup(*name) {
                    Some(Binding::Label(block)) if !self.ssa.has_begun(block) => self.jump_to(block),
                    _ => {
                        let message = format!("the label `{}` is there twice", self.scope.text(*name));
                        self.diags.push(Diag::error(codes::DUPLICATE, *span, message));
                    }
                }
            }
            Stmt::Variable(variable) => {
                if let Err(diag) = self.declare(variable) {
                    self.diags.push(*diag);
                }
            }
            Stmt::Block(stmts, _) => {
                self.scopes.enter();
                self.prescan(stmts);
                self.tasks.push(Task::LeaveScope);
                self.tasks.push(Task::Stmts(stmts.iter()));
            }
            // Line information, hints, and what the pre-scan has bound.
            Stmt::Loc { .. } | Stmt::Directive(_) => {}
            Stmt::BranchTargets(_) | Stmt::CallTargets(_) | Stmt::CallPrototype(_) => {}
            // Reported by the reader.
            Stmt::Error(_) => {}
        }
    }

    /// Binds the labels of a scope, which may be used before they stand.
    pub fn prescan(&mut self, stmts: &'m [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Label(name, _) => {
                    let block = self.ssa.func.add_block();
                    self.scopes.bind(*name, Binding::Label(block));
                }
                Stmt::BranchTargets(list) => {
                    self.scopes.bind(list.name, Binding::BranchTargets(self.branch_targets.len() as u32));
                    self.branch_targets.push(&list.targets);
                }
                Stmt::CallTargets(list) => self.scopes.bind(list.name, Binding::Prototype),
                Stmt::CallPrototype(prototype) => self.scopes.bind(prototype.name, Binding::Prototype),
                Stmt::Inst(_) | Stmt::Variable(_) | Stmt::Block(..) | Stmt::Loc { .. } => {}
                Stmt::Directive(_) | Stmt::Error(_) => {}
            }
        }
    }

    /// Ends the block with a jump and goes on in the target.
    pub fn jump_to(&mut self, block: Block) {
        self.ssa.set_terminator(Terminator::Jump(Edge::new(block, [])), self.span);
        self.ssa.begin(block);
    }

    /// Ends the block; what follows is unreachable until a label.
    pub fn end_block(&mut self, term: Terminator) {
        self.ssa.set_terminator(term, self.span);
        let next = self.ssa.func.add_block();
        self.ssa.begin(next);
    }

    fn guarded(&mut self, inst: &Inst<'m>) {
        self.insts += 1;
        if self.insts > MAX_INSTS || self.ssa.var_count() > MAX_VARS {
            let message = "the kernel has too many instructions or registers once its calls are inlined";
            self.diags.push(Diag::error(codes::LIMIT, inst.span, message));
            self.tasks.clear();
            return;
        }
        let Some(guard) = &inst.guard else {
            self.close_guard();
            self.span = inst.span;
            return self.attempt(inst, None);
        };
        let ends_block = ends_block(inst.opcode);
        let continues = !ends_block
            && self.open_guard.as_ref().is_some_and(|g| g.register == guard.register && g.negated == guard.negated);
        if !continues {
            self.close_guard();
            self.span = inst.span;
            let condition = match self.predicate(guard) {
                Ok(condition) => condition,
                Err(fault) => return self.report(inst, fault),
            };
            if inst.opcode == word::BRA {
                let next = self.ssa.func.add_block();
                match self.branch_target(inst) {
                    Ok(target) => {
                        let (then, els) = (Edge::new(target, []), Edge::new(next, []));
                        self.ssa.set_terminator(Terminator::Branch { cond: condition, then, els }, self.span);
                        self.ssa.begin(next);
                    }
                    Err(fault) => self.report(inst, fault),
                }
                return;
            }
            if !ends_block && computes_only(inst) {
                self.select = Some(condition);
                self.attempt(inst, None);
                self.select = None;
                return;
            }
            let (then, join) = (self.ssa.func.add_block(), self.ssa.func.add_block());
            let (to_then, to_join) = (Edge::new(then, []), Edge::new(join, []));
            let term = Terminator::Branch { cond: condition, then: to_then, els: to_join };
            self.ssa.set_terminator(term, self.span);
            self.ssa.begin(then);
            if inst.opcode == word::CALL {
                // The callee's statements come next; leaving it rejoins.
                return self.attempt(inst, Some(join));
            }
            if ends_block {
                self.attempt(inst, None);
                return self.jump_to(join);
            }
            if let Ok((var, _)) = self.register(guard.register, guard.span) {
                let value = self.ssa.read(var);
                let (register, negated) = (guard.register, guard.negated);
                self.open_guard = Some(OpenGuard { register, negated, var, value, join });
            }
        }
        self.span = inst.span;
        self.attempt(inst, None);
        if let Some(open) = &self.open_guard
            && self.ssa.read(open.var) != open.value
        {
            self.close_guard();
        }
    }

    /// Ends a run of instructions under one guard.
    pub fn close_guard(&mut self) {
        if let Some(open) = self.open_guard.take() {
            self.jump_to(open.join);
        }
    }

    fn predicate(&mut self, guard: &Guard) -> Res<Value> {
        let (var, _) = self.register(guard.register, guard.span)?;
        let value = self.ssa.read(var);
        if self.ssa.func.ty(value) != Type::Pred {
            return Err(Fault::operand(guard.span, "a guard is a predicate register"));
        }
        Ok(if guard.negated { self.emit(Op::PredNot, [value]) } else { value })
    }

    /// Lifts one instruction without its guard; a fault is reported, and the walk goes on.
    fn attempt(&mut self, inst: &Inst<'m>, rejoin: Option<Block>) {
        let result = match inst.opcode {
            word::CALL => self.call(inst, rejoin),
            _ => self.inst(inst),
        };
        if let Err(fault) = result {
            self.report(inst, fault);
            if let Some(join) = rejoin {
                self.jump_to(join);
            }
        }
    }

    pub fn report(&mut self, inst: &Inst<'_>, fault: Fault) {
        let diag = match fault {
            Fault::Diag(diag) => *diag,
            Fault::Form => {
                let form = self.form(inst);
                let message = format!("`{form}` has no exact translation yet");
                Diag::unsupported(codes::UNSUPPORTED_INST, inst.opcode_span, message)
            }
            Fault::Detail(detail) => {
                let form = self.form(inst);
                let message = format!("`{form}` {detail} has no exact translation yet");
                Diag::unsupported(codes::UNSUPPORTED_INST, inst.opcode_span, message)
            }
        };
        self.diags.push(diag);
    }

    /// Opcode and modifiers as written.
    fn form(&self, inst: &Inst<'_>) -> String {
        let mut form = self.scope.text(inst.opcode).to_string();
        for &modifier in inst.modifiers {
            form.push('.');
            form.push_str(self.scope.text(modifier));
        }
        form
    }

    pub fn carry(&self) -> Var {
        self.frames.last().map_or(Var::new(0), |frame| frame.carry)
    }

    /// Appends an op with one result.
    pub fn emit(&mut self, op: Op, args: impl IntoIterator<Item = Value>) -> Value {
        let inst = self.ssa.func.push(self.ssa.current, op, args, self.span);
        self.ssa.func.result(inst)
    }

    /// Appends an op with any number of results.
    pub fn emit_inst(&mut self, op: Op, args: impl IntoIterator<Item = Value>) -> IrInst {
        self.ssa.func.push(self.ssa.current, op, args, self.span)
    }

    pub fn c32(&mut self, value: u32) -> Value {
        self.emit(Op::Const32(value), [])
    }

    pub fn c64(&mut self, value: u64) -> Value {
        self.emit(Op::Const64(value), [])
    }

    pub fn constant(&mut self, width: Width, value: u64) -> Value {
        match width {
            Width::W32 => self.c32(value as u32),
            Width::W64 => self.c64(value),
        }
    }

    fn inst(&mut self, inst: &Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::MOV => self.mov(inst),
            word::LD => self.ld(inst),
            word::ST => self.st(inst),
            word::ATOM | word::RED => self.atom(inst),
            word::CVTA => self.cvta(inst),
            word::ISSPACEP => self.isspacep(inst),
            word::MEMBAR | word::FENCE => self.fence(inst),
            word::ADD | word::SUB | word::MUL | word::MAD | word::FMA | word::DIV | word::REM => self.arith(inst),
            word::ABS | word::NEG | word::MIN | word::MAX | word::COPYSIGN => self.arith(inst),
            word::ADDC | word::SUBC | word::MADC => self.arith(inst),
            word::MUL24 | word::MAD24 | word::SAD | word::DP4A | word::DP2A => self.arith(inst),
            word::AND | word::OR | word::XOR | word::NOT | word::CNOT => self.logic(inst),
            word::SHL | word::SHR | word::SHF | word::LOP3 | word::BFE | word::BFI | word::BREV => self.bits(inst),
            word::POPC | word::CLZ | word::BFIND | word::BMSK | word::SZEXT | word::FNS | word::PRMT => self.bits(inst),
            word::SET | word::SETP | word::SELP | word::SLCT => self.compare(inst),
            word::CVT => self.cvt(inst),
            word::RCP | word::RSQRT | word::EX2 if inst.ty(0) == Some(ScalarType::F32) => self.float(inst),
            word::SHFL | word::VOTE | word::MATCH_ | word::REDUX | word::ELECT | word::ACTIVEMASK => self.warp(inst),
            word::BAR if inst.modifiers.contains(&word::WARP) => self.warp(inst),
            word::BRA | word::BRX | word::RET | word::EXIT | word::TRAP | word::BAR | word::BARRIER => {
                self.control(inst)
            }
            _ => Err(Fault::Form),
        }
    }
}

/// Whether an instruction ends a block, or goes elsewhere.
fn ends_block(opcode: Name) -> bool {
    matches!(
        opcode,
        word::BRA | word::BRX | word::RET | word::EXIT | word::TRAP | word::BAR | word::BARRIER | word::CALL
    )
}

/// Whether an instruction is cheap and does nothing but compute: such a one may run for threads whose guard is false.
fn computes_only(inst: &Inst<'_>) -> bool {
    !matches!(inst.opcode, word::DIV | word::REM | word::FNS | word::MEMBAR | word::FENCE)
        && !memory::touches_memory(inst.opcode)
        && (bits::knows(inst.opcode) || compare::knows(inst.opcode) || is_arith(inst.opcode))
}

fn is_arith(opcode: Name) -> bool {
    matches!(
        opcode,
        word::MOV
            | word::CVT
            | word::CVTA
            | word::ADD
            | word::SUB
            | word::MUL
            | word::MAD
            | word::FMA
            | word::ABS
            | word::NEG
            | word::MIN
            | word::MAX
            | word::COPYSIGN
            | word::ADDC
            | word::SUBC
            | word::MADC
            | word::MUL24
            | word::MAD24
            | word::SAD
            | word::DP4A
            | word::DP2A
    )
}

/// The IR type of a register; none for those that we cannot hold.
pub fn register_type(ty: ScalarType) -> Option<Type> {
    match ty {
        ScalarType::Pred => Some(Type::Pred),
        _ => match ty.size_bytes()? {
            1 | 2 | 4 => Some(Type::B32),
            8 => Some(Type::B64),
            _ => None,
        },
    }
}

/// The word of a type, without its dot.
pub fn type_word(ty: ScalarType) -> &'static str {
    // The words of the types stand in the order of `ScalarType`.
    word::TEXTS.get(word::U8.index() + ty as usize).copied().unwrap_or("?")
}
