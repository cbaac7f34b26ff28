//! From the tree to [`Program`]: names, scopes, labels, variables, instructions.
//!
//! Nothing is translated or simplified: an instruction becomes one step, or a few where it has several results. What the
//! interpreter cannot do is a located [`Diag`]; only what the kernel reaches is looked at.

mod alu;
mod control;
mod memory;
mod names;
mod operand;
mod variables;

pub use operand::{LOCAL_HIGH, SHARED_HIGH};

use super::code::*;
use crate::diag::{Diag, Span, codes};
use crate::ptx::names::Name;
use crate::ptx::tree::{self, FunctionKind, Item, Stmt};
use crate::ptx::word;
use names::{Binding, Scopes};
use std::collections::HashMap;

/// A reason why a statement cannot be decoded.
pub enum Fault {
    /// The form as a whole is not known here.
    Form,
    Diag(Box<Diag>),
}

impl Fault {
    fn at(span: Span, message: impl Into<String>) -> Fault {
        Fault::Diag(Box::new(Diag::unsupported(codes::UNSUPPORTED_INST, span, message)))
    }
}

type Res<T> = Result<T, Fault>;

/// What the functions of a program share.
struct Shared<'m> {
    module: &'m tree::Module,
    functions: HashMap<Name, &'m tree::Function>,
    variables: HashMap<Name, &'m tree::Variable>,
    /// Functions that something reaches, in order; the number is their place in the program.
    reached: Vec<&'m tree::Function>,
    reached_at: HashMap<Name, u32>,
    globals: Vec<Variable>,
    global_at: HashMap<Name, u32>,
    shared_bytes: u32,
    /// Shared variables by the place of their declaration.
    shared_at: HashMap<u32, u32>,
    dynamic_align: u32,
    has_dynamic_shared: bool,
    computes_floats: bool,
    diags: Vec<Diag>,
}

struct Decoder<'m, 'p> {
    shared: &'p mut Shared<'m>,
    function: Function,
    scopes: Scopes,
    constants: HashMap<(u64, Option<Reloc>), Slot>,
    /// Where each label stands; branches hold label numbers until the end.
    labels: Vec<u32>,
    guard: (Slot, bool),
    span: Span,
    /// Only the kernel's parameters lie outside the frame.
    is_kernel: bool,
}

impl Reloc {
    fn none() -> Option<Reloc> {
        None
    }
}

impl Program {
    /// Decodes a kernel of a module that parsed without a fatal diagnostic.
    pub fn new(module: &tree::Module, kernel: &str) -> Result<Program, Vec<Diag>> {
        let mut shared = Shared {
            module,
            functions: HashMap::new(),
            variables: HashMap::new(),
            reached: vec![],
            reached_at: HashMap::new(),
            globals: vec![],
            global_at: HashMap::new(),
            shared_bytes: 0,
            shared_at: HashMap::new(),
            dynamic_align: 1,
            has_dynamic_shared: false,
            computes_floats: false,
            diags: vec![],
        };
        let mut entry = None;
        for item in &module.items {
            match item {
                Item::Function(f) => {
                    // A definition stands above declarations of the same name.
                    if f.body.is_some() || !shared.functions.contains_key(&f.name) {
                        shared.functions.insert(f.name, f);
                    }
                    if f.kind == FunctionKind::Entry && f.body.is_some() && module.names.get(f.name) == kernel {
                        entry = Some(f);
                    }
                }
                Item::Variable(v) => {
                    let known = shared.variables.get(&v.name);
                    if known.is_none_or(|old| old.linkage == tree::Linkage::Extern) {
                        shared.variables.insert(v.name, v);
                    }
                }
                Item::Directive(_) | Item::Broken(_) => {}
            }
        }
        let Some(entry) = entry else {
            let message = format!("the module has no kernel called `{kernel}`");
            return Err(vec![Diag::error(codes::NO_SUCH_KERNEL, Span::NONE, message)]);
        };
        let (params, param_bytes) = kernel_params(module, entry).map_err(|diag| vec![*diag])?;
        shared.reach(entry);
        shared.export_variables();
        let mut functions = vec![];
        while let Some(&function) = shared.reached.get(functions.len()) {
            functions.push(decode_function(&mut shared, function, &params));
        }
        if !shared.diags.is_empty() {
            shared.diags.sort_by_key(|diag| diag.span);
            shared.diags.dedup();
            return Err(shared.diags);
        }
        let numbers = |name| {
            let directive = entry.directives.iter().find(|d| d.name == name)?;
            let at = |n: usize| directive.numbers.get(n).map_or(1, |&v| u32::try_from(v).unwrap_or(u32::MAX));
            Some([at(0), at(1), at(2)])
        };
        Ok(Program {
            kernel: kernel.to_string(),
            functions,
            variables: shared.globals,
            params,
            param_bytes,
            shared_bytes: shared.shared_bytes,
            dynamic_align: shared.dynamic_align,
            has_dynamic_shared: shared.has_dynamic_shared,
            reqntid: numbers(word::REQNTID),
            maxntid: numbers(word::MAXNTID),
            computes_floats: shared.computes_floats,
        })
    }
}

/// Each parameter is aligned to its own size, or as it says.
fn kernel_params(module: &tree::Module, entry: &tree::Function) -> Result<(Vec<Param>, u32), Box<Diag>> {
    let mut offset = 0;
    let mut params = vec![];
    for param in &entry.params {
        let (bytes, align) = variables::size_and_align(param);
        offset = u64::next_multiple_of(offset, align.into());
        if bytes > 1 << 16 || offset + bytes > 1 << 16 {
            let message = "the parameters of the kernel need more than 65536 bytes";
            return Err(Box::new(Diag::error(codes::LIMIT, param.span, message)));
        }
        let plain = param.dims.is_empty() && !param.ty.is_float();
        params.push(Param {
            name: module.names.get(param.name).to_string(),
            offset: offset as u32,
            bytes: bytes as u32,
            may_point: plain && bytes == 8,
        });
        offset += bytes;
    }
    Ok((params, offset as u32))
}

impl<'m> Shared<'m> {
    /// The number of a function that is called or whose address is taken.
    fn reach(&mut self, function: &'m tree::Function) -> u32 {
        let next = self.reached.len() as u32;
        let number = *self.reached_at.entry(function.name).or_insert(next);
        if number == next {
            self.reached.push(function);
        }
        number
    }

    fn text(&self, name: Name) -> &'m str {
        self.module.names.get(name)
    }
}

fn decode_function<'m>(shared: &mut Shared<'m>, function: &'m tree::Function, params: &[Param]) -> Function {
    let is_kernel = function.kind == FunctionKind::Entry;
    let name = shared.text(function.name).to_string();
    let mut d = Decoder {
        shared,
        function: Function { name, template: vec![0; FIRST as usize], ..Function::default() },
        scopes: Scopes::new(),
        constants: HashMap::new(),
        labels: vec![],
        guard: (NONE, true),
        span: function.span,
        is_kernel,
    };
    if is_kernel {
        for (param, data) in function.params.iter().zip(params) {
            d.scopes.bind(param.name, Binding::KernelParam { offset: data.offset });
        }
    } else {
        for variable in function.returns.iter().chain(&function.params) {
            d.declare(variable);
        }
        d.function.returns = function.returns.iter().filter_map(|v| d.passed(v.name)).collect();
        d.function.params = function.params.iter().filter_map(|v| d.passed(v.name)).collect();
    }
    match &function.body {
        Some(body) => {
            d.scopes.enter();
            d.stmts(body);
            // The end of the body is nobody's predicate.
            d.guard = (NONE, true);
            d.push(if is_kernel { Kind::Exit } else { Kind::Ret });
        }
        None => {
            let message = format!("`{}` has no body in this module", d.function.name);
            d.shared.diags.push(Diag::unsupported(codes::UNSUPPORTED_CALL, function.name_span, message));
        }
    }
    d.finish()
}

impl<'m> Decoder<'m, '_> {
    fn finish(mut self) -> Function {
        for inst in &mut self.function.insts {
            if let Kind::Branch(label) = &mut inst.kind {
                *label = self.labels[*label as usize];
            }
        }
        for table in &mut self.function.tables {
            for label in &mut table.targets {
                *label = self.labels[*label as usize];
            }
        }
        self.function
    }

    fn stmts(&mut self, stmts: &'m [Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Label(name, _) => {
                    self.scopes.bind(*name, Binding::Label(self.labels.len() as u32));
                    self.labels.push(0);
                }
                Stmt::BranchTargets(list) => self.scopes.bind(list.name, Binding::Stmt(list.span.start)),
                _ => {}
            }
        }
        let lists: HashMap<u32, &'m tree::Targets> = stmts
            .iter()
            .filter_map(|stmt| match stmt {
                Stmt::BranchTargets(list) => Some((list.span.start, &**list)),
                _ => None,
            })
            .collect();
        self.scopes.lists.extend(lists.iter().map(|(&at, list)| (at, list.targets.iter().map(|t| t.0).collect())));
        for stmt in stmts {
            match stmt {
                Stmt::Inst(packed) => self.inst(&self.shared.module.inst(packed)),
                Stmt::Label(name, _) => {
                    if let Some(Binding::Label(label)) = self.scopes.find(*name) {
                        self.labels[label as usize] = self.function.insts.len() as u32;
                    }
                }
                Stmt::Variable(variable) => self.declare(variable),
                Stmt::Block(inner, _) => {
                    self.scopes.enter();
                    self.stmts(inner);
                    self.scopes.leave();
                }
                Stmt::Loc { .. } | Stmt::Directive(_) | Stmt::Error(_) => {}
                Stmt::BranchTargets(_) | Stmt::CallTargets(_) | Stmt::CallPrototype(_) => {}
            }
        }
    }

    fn inst(&mut self, inst: &tree::Inst<'m>) {
        self.span = inst.span;
        self.guard = (NONE, true);
        if let Some(guard) = &inst.guard {
            match self.register(guard.register, guard.span) {
                Ok((slot, _)) => self.guard = (slot, !guard.negated),
                Err(fault) => return self.report(inst, fault),
            }
        }
        if let Err(fault) = self.decode(inst) {
            self.report(inst, fault);
        }
    }

    fn report(&mut self, inst: &tree::Inst<'_>, fault: Fault) {
        let diag = match fault {
            Fault::Diag(diag) => *diag,
            Fault::Form => {
                let mut form = self.shared.text(inst.opcode).to_string();
                for &modifier in inst.modifiers {
                    form.push('.');
                    form.push_str(self.shared.text(modifier));
                }
                let message = format!("`{form}` cannot be interpreted yet");
                Diag::unsupported(codes::UNSUPPORTED_INST, inst.opcode_span, message)
            }
        };
        self.shared.diags.push(diag);
    }

    fn decode(&mut self, inst: &tree::Inst<'m>) -> Res<()> {
        match inst.opcode {
            word::MOV => self.mov(inst),
            word::LD | word::LDU => self.ld(inst),
            word::ST => self.st(inst),
            word::ATOM | word::RED => self.atom(inst),
            word::MEMBAR | word::FENCE => {
                self.push(Kind::Fence);
                Ok(())
            }
            word::CVTA => self.cvta(inst),
            word::ISSPACEP => self.isspacep(inst),
            // Hints.
            word::PREFETCH | word::PREFETCHU | word::APPLYPRIORITY | word::NANOSLEEP | word::PMEVENT => {
                self.push(Kind::Nop);
                Ok(())
            }
            word::BRA | word::BRX | word::CALL | word::RET | word::EXIT | word::TRAP => self.control(inst),
            word::BAR | word::BARRIER => self.barrier(inst),
            word::SHFL | word::VOTE | word::MATCH_ | word::REDUX | word::ELECT | word::ACTIVEMASK => self.warp(inst),
            word::SETP | word::SET => self.compare(inst),
            _ => self.alu(inst),
        }
    }

    fn push(&mut self, kind: Kind) {
        self.function.insts.push(Inst { kind, guard: self.guard.0, when: self.guard.1, span: self.span });
    }

    /// A fresh slot, zero at first.
    fn slot(&mut self) -> Slot {
        self.function.template.push(0);
        self.function.template.len() as Slot - 1
    }

    /// The slot of a constant.
    fn constant(&mut self, value: u64) -> Slot {
        self.relocated(value, Reloc::none())
    }

    fn relocated(&mut self, value: u64, reloc: Option<Reloc>) -> Slot {
        if let Some(&slot) = self.constants.get(&(value, reloc)) {
            return slot;
        }
        let slot = self.slot();
        self.function.template[slot as usize] = value;
        if let Some(reloc) = reloc {
            self.function.relocs.push((slot, reloc));
        }
        self.constants.insert((value, reloc), slot);
        slot
    }
}
