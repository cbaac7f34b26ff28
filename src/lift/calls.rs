//! Direct calls, by inlining, and the `.param` variables that carry arguments and results.
//!
//! PTX ISA, "call", "Parameter State Space", "Device Function Parameters". A `.param` variable of a call is a row of dword
//! variables: `st.param` and `ld.param` of any width and offset become moves and byte permutes, which fold away.

use super::body::{Body, Frame, Task};
use super::names::Binding;
use super::operands::{Fault, Res, operand};
use crate::diag::{Diag, Span, codes};
use crate::ir::byteperm::ByteSel;
use crate::ir::ssa::Var;
use crate::ir::{Block, Op, Type, Value};
use crate::ptx::tree::{Function, FunctionKind, Inst, Module, Operand, OperandKind, Variable};

/// Calls within calls.
const MAX_DEPTH: usize = 1 << 10;

/// What one parameter carries over.
enum Passed {
    Register(Value),
    /// Dwords of a `.param` variable.
    Dwords(Vec<Value>),
}

fn refused(span: Span, message: impl Into<String>) -> Fault {
    Fault::Diag(Box::new(Diag::unsupported(codes::UNSUPPORTED_CALL, span, message)))
}

/// Results, callee and arguments of a call.
struct Call<'i> {
    results: &'i [Operand],
    callee: &'i Operand,
    arguments: &'i [Operand],
}

fn parts<'m>(module: &'m Module, inst: &Inst<'m>) -> Res<Call<'m>> {
    let list = |n: usize| match inst.operands.get(n) {
        Some(Operand { kind: OperandKind::List(items), .. }) => Some(module.list(*items)),
        _ => None,
    };
    let results = list(0);
    let at = usize::from(results.is_some());
    let callee = operand(inst, at)?;
    Ok(Call { results: results.unwrap_or(&[]), callee, arguments: list(at + 1).unwrap_or(&[]) })
}

impl<'m> Body<'m, '_> {
    /// Enters the callee: its statements come next. `rejoin` is where a guarded call goes on.
    pub fn call(&mut self, inst: &Inst<'m>, rejoin: Option<Block>) -> Res<()> {
        let call = parts(self.scope.module, inst)?;
        let span = call.callee.span;
        let function = match call.callee.kind {
            OperandKind::Name(name) if self.is_register(name) => None,
            OperandKind::Name(name) => self.callee(name, span)?,
            _ => None,
        };
        let Some(function) = function else {
            return Err(refused(span, "an indirect call has no exact translation yet"));
        };
        let name = self.scope.text(function.name);
        let Some(stmts) = function.body.as_deref() else {
            let message = format!("`{name}` has no body in this module, so the call cannot be inlined");
            return Err(refused(span, message));
        };
        if function.kind == FunctionKind::Entry {
            return Err(refused(span, format!("the call of the kernel `{name}` cannot be inlined")));
        }
        if self.frames.iter().any(|frame| std::ptr::eq(frame.function, function)) {
            return Err(refused(span, format!("the call of `{name}` is recursive and cannot be inlined")));
        }
        if self.frames.len() > MAX_DEPTH {
            return Err(refused(span, format!("calls are nested more than {MAX_DEPTH} deep")));
        }
        if call.arguments.len() != function.params.len() || call.results.len() != function.returns.len() {
            let message = format!(
                "`{name}` takes {} arguments and gives {} results",
                function.params.len(),
                function.returns.len()
            );
            return Err(Fault::operand(inst.span, message));
        }
        let mut passed = Vec::new();
        for (argument, param) in call.arguments.iter().zip(&function.params) {
            passed.push(self.pass(argument, param)?);
        }

        self.scopes.enter_frame();
        let carry = self.ssa.add_var(Type::Pred);
        let return_block = Some(self.ssa.func.add_block());
        self.frames.push(Frame { function, return_block, carry });
        // From here on the frame must be left: faults are reported, not returned.
        for variable in function.returns.iter().chain(&function.params) {
            if let Err(diag) = self.declare(variable) {
                self.diags.push(*diag);
            }
        }
        for (param, value) in function.params.iter().zip(passed) {
            self.receive(param, value, call.callee.span);
        }
        self.prescan(stmts);
        self.tasks.push(Task::LeaveCall { call: *inst, rejoin });
        self.tasks.push(Task::Stmts(stmts.iter()));
        Ok(())
    }

    /// The end of the callee's statements: falls into the return block, hands the results over, and leaves the frame.
    pub fn leave_call(&mut self, inst: &Inst<'m>, rejoin: Option<Block>) -> Res<()> {
        let frame = self.frames.pop();
        let mut result = Ok(());
        if let Some(Frame { function, return_block: Some(block), .. }) = frame {
            self.jump_to(block);
            self.span = inst.span;
            let values = self.returned(function);
            self.scopes.leave_frame();
            result = parts(self.scope.module, inst).and_then(|call| {
                for (operand, value) in call.results.iter().zip(values) {
                    self.take(operand, value)?;
                }
                Ok(())
            });
        }
        if let Some(join) = rejoin {
            self.jump_to(join);
        }
        result
    }

    fn returned(&mut self, function: &'m Function) -> Vec<Passed> {
        let mut values = Vec::new();
        for variable in &function.returns {
            values.push(match self.scopes.lookup(variable.name) {
                Some(Binding::CallParam { var, bytes }) => Passed::Dwords(self.dwords(var, bytes)),
                Some(Binding::Register { var, .. }) => Passed::Register(self.ssa.read(var)),
                _ => Passed::Dwords(Vec::new()),
            });
        }
        values
    }

    fn dwords(&mut self, var: Var, bytes: u32) -> Vec<Value> {
        (0..bytes.div_ceil(4)).map(|n| self.ssa.read(dword(var, n))).collect()
    }

    /// The value of an argument in the caller.
    fn pass(&mut self, argument: &Operand, param: &Variable) -> Res<Passed> {
        if let OperandKind::Name(name) = argument.kind
            && let Some(Binding::CallParam { var, bytes }) = self.scopes.lookup(name)
        {
            return Ok(Passed::Dwords(self.dwords(var, bytes)));
        }
        Ok(Passed::Register(self.src(argument, param.ty)?))
    }

    /// Gives a parameter its value in the callee's frame.
    fn receive(&mut self, param: &Variable, value: Passed, span: Span) {
        match (self.scopes.lookup(param.name), value) {
            (Some(Binding::CallParam { var, bytes }), Passed::Dwords(values)) => {
                for (n, value) in values.into_iter().take(bytes.div_ceil(4) as usize).enumerate() {
                    self.ssa.write(dword(var, n as u32), value);
                }
            }
            (Some(Binding::CallParam { var, bytes }), Passed::Register(value)) => match self.ssa.func.ty(value) {
                Type::B64 if bytes >= 8 => {
                    let (low, high) = (self.emit(Op::Lo, [value]), self.emit(Op::Hi, [value]));
                    self.ssa.write(var, low);
                    self.ssa.write(dword(var, 1), high);
                }
                Type::B32 => self.ssa.write(var, value),
                _ => self.mismatch(span),
            },
            (Some(Binding::Register { var, elements: 1, ty }), value) => {
                let wide = ty.size_bytes() == Some(8);
                let value = match value {
                    Passed::Register(value) => value,
                    Passed::Dwords(dwords) => match (wide, &dwords[..]) {
                        (false, &[low, ..]) => low,
                        (true, &[low, high, ..]) => self.emit(Op::Pack64, [low, high]),
                        _ => return self.mismatch(span),
                    },
                };
                if super::body::register_type(ty) != Some(self.ssa.func.ty(value)) {
                    return self.mismatch(span);
                }
                self.ssa.write(var, value);
            }
            _ => self.mismatch(span),
        }
    }

    fn mismatch(&mut self, span: Span) {
        let message = "an argument's size does not fit the parameter";
        self.diags.push(Diag::error(codes::OPERAND, span, message));
    }

    /// Writes a result to what the call names for it.
    fn take(&mut self, operand: &Operand, value: Passed) -> Res<()> {
        if let OperandKind::Name(name) = operand.kind
            && let Some(Binding::CallParam { var, bytes }) = self.scopes.lookup(name)
        {
            let values = match value {
                Passed::Dwords(values) => values,
                Passed::Register(value) if self.ssa.func.ty(value) == Type::B64 => {
                    vec![self.emit(Op::Lo, [value]), self.emit(Op::Hi, [value])]
                }
                Passed::Register(value) => vec![value],
            };
            for (n, value) in values.into_iter().take(bytes.div_ceil(4) as usize).enumerate() {
                self.ssa.write(dword(var, n as u32), value);
            }
            return Ok(());
        }
        match value {
            Passed::Register(value) => self.dst(operand, value),
            Passed::Dwords(values) => match values[..] {
                [value] => self.dst(operand, value),
                [low, high] => {
                    let value = self.emit(Op::Pack64, [low, high]);
                    self.dst(operand, value)
                }
                _ => Err(Fault::operand(operand.span, "the result does not fit a register")),
            },
        }
    }

    /// `size` bytes (1, 2 or 4) at `offset` of a `.param` variable, in the low bits of a dword.
    pub fn read_call_param(&mut self, var: Var, offset: u32, size: u32) -> Value {
        if offset.is_multiple_of(4) && size == 4 {
            return self.ssa.read(dword(var, offset / 4));
        }
        let first = self.ssa.read(dword(var, offset / 4));
        let mut args = vec![first];
        if (offset % 4) + size > 4 {
            args.push(self.ssa.read(dword(var, offset / 4 + 1)));
        }
        let mut sels = [ByteSel::Zero; 4];
        for (n, sel) in sels.iter_mut().enumerate().take(size as usize) {
            let at = offset % 4 + n as u32;
            *sel = ByteSel::Byte((at / 4) as u8, (at % 4) as u8);
        }
        self.emit(Op::BytePerm(sels), args)
    }

    /// Stores the low `size` bytes (1, 2 or 4) of a dword at `offset` of a `.param` variable.
    pub fn write_call_param(&mut self, var: Var, offset: u32, size: u32, value: Value) {
        if offset.is_multiple_of(4) && size == 4 {
            return self.write(dword(var, offset / 4), value);
        }
        let end = offset + size;
        for n in offset / 4..end.div_ceil(4) {
            let old = self.ssa.read(dword(var, n));
            let mut sels = [ByteSel::Byte(0, 0), ByteSel::Byte(0, 1), ByteSel::Byte(0, 2), ByteSel::Byte(0, 3)];
            for (byte, sel) in sels.iter_mut().enumerate() {
                let at = n * 4 + byte as u32;
                if (offset..end).contains(&at) {
                    *sel = ByteSel::Byte(1, (at - offset) as u8);
                }
            }
            let mixed = self.emit(Op::BytePerm(sels), [old, value]);
            self.write(dword(var, n), mixed);
        }
    }
}

fn dword(var: Var, n: u32) -> Var {
    Var::from_u32(var.as_u32() + n)
}
