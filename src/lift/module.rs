//! Names and variables of the module: `.global` and `.const` memory with its initialisers.
//!
//! PTX ISA, "State Spaces", "Variables", "Initializers". A variable becomes an [`ir::Global`] when something reaches it:
//! code that is translated, the initialiser of a reached variable, or the host (`.visible`).

use crate::diag::{Diag, Span, codes};
use crate::id::{EntityRef, PrimaryMap};
use crate::ir::{Func, Global, GlobalData, GlobalReloc, Op};
use crate::ptx::names::Name;
use crate::ptx::tree::{self, Function, Init, Item, Linkage, Literal, ScalarType, Space, Variable};
use std::collections::{HashMap, HashSet};
use std::ops::Deref;

/// What a name at module scope stands for.
#[derive(Copy, Clone)]
pub enum ModuleName<'m> {
    Function(&'m Function),
    Variable(&'m Variable),
}

/// Memory of a variable is bounded, so that a declaration cannot fill ours.
const MAX_BYTES: u64 = 1 << 30;

/// A page of the loader, bytes: more than that a code object cannot ask for.
const MAX_ALIGN: u32 = 4096;

pub struct ModuleScope<'m> {
    pub module: &'m tree::Module,
    table: Vec<Option<ModuleName<'m>>>,
    globals: PrimaryMap<Global, GlobalData>,
    /// The variable of each global, parallel to `globals`.
    sources: Vec<&'m Variable>,
    global_of: Vec<Option<Global>>,
    /// Globals whose initialisers have not been read.
    unread: usize,
    /// Which globals the initialisers of globals name.
    names: Vec<(Global, Global)>,
}

impl<'m> ModuleScope<'m> {
    pub fn new(module: &'m tree::Module) -> ModuleScope<'m> {
        let mut table = vec![None; module.names.len()];
        for item in &module.items {
            match item {
                // A definition stands above declarations of the same name.
                Item::Function(function) => match &mut table[function.name.index()] {
                    Some(ModuleName::Function(old)) if old.body.is_some() || function.body.is_none() => {}
                    slot => *slot = Some(ModuleName::Function(function)),
                },
                Item::Variable(variable) => match &mut table[variable.name.index()] {
                    Some(ModuleName::Variable(old)) if old.linkage != Linkage::Extern => {}
                    slot => *slot = Some(ModuleName::Variable(variable)),
                },
                Item::Directive(_) | Item::Broken(_) => {}
            }
        }
        ModuleScope {
            module,
            table,
            globals: PrimaryMap::new(),
            sources: Vec::new(),
            global_of: vec![None; module.names.len()],
            unread: 0,
            names: Vec::new(),
        }
    }

    pub fn globals(&self) -> &PrimaryMap<Global, GlobalData> {
        &self.globals
    }

    pub fn lookup(&self, name: Name) -> Option<ModuleName<'m>> {
        self.table.get(name.index()).copied().flatten()
    }

    pub fn text(&self, name: Name) -> &'m str {
        self.module.names.get(name)
    }

    /// Bytes and alignment of a `.global` or `.const` variable, if it is memory that we can lay out.
    fn layout(&self, variable: &Variable) -> Result<(u64, u32), Box<Diag>> {
        let name = self.text(variable.name);
        if variable.linkage == Linkage::Extern {
            let message = format!("`{name}` is declared `.extern`, and nothing in this module defines it");
            return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.name_span, message)));
        }
        if !variable.attributes.is_empty() {
            let message = format!("attributes of `{name}` have no exact translation yet");
            return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message)));
        }
        let (size, align) = size_and_align(variable, self)?;
        if align > MAX_ALIGN {
            let message = format!("`{name}` is aligned to {align} bytes: a code object keeps {MAX_ALIGN} at most");
            return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message)));
        }
        Ok((size, align))
    }

    /// The global of a `.global` or `.const` variable.
    fn global(&mut self, variable: &'m Variable) -> Result<Global, Box<Diag>> {
        if let Some(global) = self.global_of[variable.name.index()] {
            return Ok(global);
        }
        let (size_bytes, align_bytes) = self.layout(variable)?;
        let name = self.text(variable.name);
        let global = self.globals.push(GlobalData {
            name: name.to_string(),
            size_bytes,
            align_bytes,
            init: Vec::new(),
            relocs: Vec::new(),
            constant: variable.space == Space::Const,
            exported: matches!(variable.linkage, Linkage::Visible | Linkage::Weak | Linkage::Common),
            span: variable.span,
        });
        self.sources.push(variable);
        self.global_of[variable.name.index()] = Some(global);
        Ok(global)
    }

    /// Reads the initialisers of all globals, and of those that they point to.
    pub fn initialise(&mut self) -> Faults {
        let mut faults = Faults::default();
        while let Some(&variable) = self.sources.get(self.unread) {
            let global = Global::from_u32(self.unread as u32);
            self.unread += 1;
            if let Some(init) = &variable.init
                && let Err(diag) = self.read_init(global, variable, init)
            {
                faults.of.insert(global, *diag);
            }
        }
        for &(from, to) in &self.names {
            faults.names.entry(from).or_default().push(to);
        }
        faults
    }

    /// Makes globals of what a kernel has reached, in the order it came to them, and gives its code their names.
    pub fn adopt(&mut self, reached: &Reached<'m>, func: &mut Func) -> Result<Vec<Global>, Box<Diag>> {
        let names: Vec<Global> = reached.iter().map(|variable| self.global(variable)).collect::<Result<_, _>>()?;
        if names.iter().enumerate().any(|(n, global)| global.index() != n) {
            for data in func.insts.values_mut() {
                if let Op::GlobalAddr(global, _) = &mut data.op {
                    *global = names[global.index()];
                }
            }
        }
        Ok(names)
    }

    /// Makes globals of the variables that the host can see and that can be laid out. What cannot is no fault as long as
    /// no kernel uses it.
    pub fn add_visible(&mut self) {
        let visible =
            |variable: &&Variable| matches!(variable.linkage, Linkage::Visible | Linkage::Weak | Linkage::Common);
        let variables = self.module.items.iter().filter_map(|item| match item {
            Item::Variable(variable) => Some(variable),
            _ => None,
        });
        let visible: Vec<&'m Variable> = variables.filter(visible).collect();
        let unfit = self.unfit(&visible);
        for variable in visible {
            if !unfit.contains(&variable.name) {
                let _ = self.global(variable);
            }
        }
    }

    /// Of some variables and all that their initialisers reach, those that are no plain memory of this module or reach such.
    fn unfit(&self, variables: &[&'m Variable]) -> HashSet<Name> {
        let mut seen: HashSet<Name> = variables.iter().map(|variable| variable.name).collect();
        let mut work = variables.to_vec();
        let mut unfit = Vec::new();
        // Who names a variable in its initialiser.
        let mut named_by: HashMap<Name, Vec<Name>> = HashMap::new();
        while let Some(variable) = work.pop() {
            let mut plain = matches!(variable.space, Space::Global | Space::Const)
                && variable.linkage != Linkage::Extern
                && variable.attributes.is_empty()
                && variable.ty.size_bytes().is_some();
            let mut inits: Vec<&Init> = variable.init.iter().collect();
            while let Some(init) = inits.pop() {
                match init {
                    Init::Literal(..) => {}
                    Init::Field { .. } => plain = false,
                    Init::List(items, _) => inits.extend(items),
                    Init::Address { name, .. } => match self.lookup(*name) {
                        Some(ModuleName::Variable(target)) => {
                            named_by.entry(target.name).or_default().push(variable.name);
                            if seen.insert(target.name) {
                                work.push(target);
                            }
                        }
                        _ => plain = false,
                    },
                }
            }
            if !plain {
                unfit.push(variable.name);
            }
        }
        let mut all: HashSet<Name> = unfit.iter().copied().collect();
        while let Some(name) = unfit.pop() {
            for &by in named_by.get(&name).into_iter().flatten() {
                if all.insert(by) {
                    unfit.push(by);
                }
            }
        }
        all
    }

    fn read_init(&mut self, global: Global, variable: &'m Variable, init: &'m Init) -> Result<(), Box<Diag>> {
        let Some(element) = variable.ty.size_bytes() else { return Ok(()) };
        let size = self.globals[global].size_bytes;
        let mut out = InitBytes { global, bytes: Vec::new(), relocs: Vec::new(), element, ty: variable.ty };
        // Elements under each dimension, innermost last: a list fills its part, and the rest of the part is zero.
        let count = u64::from(variable.vector) * variable.dims.iter().map(|d| d.unwrap_or(1)).product::<u64>();
        let unsized_outer = variable.dims.first() == Some(&None);
        let count = if unsized_outer { u64::MAX } else { count };
        self.read_level(&mut out, init, &variable.dims, count)?;
        if out.bytes.len() as u64 > size {
            let message = format!("`{}` has more initial values than elements", self.text(variable.name));
            return Err(Box::new(Diag::error(codes::DIRECTIVE, variable.span, message)));
        }
        let data = &mut self.globals[global];
        data.init = out.bytes;
        data.relocs = out.relocs;
        Ok(())
    }

    /// Nesting is bounded by the dimensions, so this recursion is shallow.
    fn read_level(
        &mut self,
        out: &mut InitBytes,
        init: &'m Init,
        dims: &[Option<u64>],
        count: u64,
    ) -> Result<(), Box<Diag>> {
        match init {
            Init::Literal(literal, span) => out.literal(*literal, *span),
            Init::Field { span, .. } => {
                let message = "an initialiser of a texture or sampler has no exact translation yet";
                Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, *span, message)))
            }
            Init::Address { name, offset, mask, span, .. } => {
                let target = match self.lookup(*name) {
                    Some(ModuleName::Variable(v)) if matches!(v.space, Space::Global | Space::Const) => v,
                    _ => {
                        let message = format!(
                            "the address of `{}` in an initialiser has no exact translation yet",
                            self.text(*name)
                        );
                        return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, *span, message)));
                    }
                };
                if mask.is_some() || out.element != 8 {
                    let message = "a part of an address in an initialiser has no exact translation yet";
                    return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, *span, message)));
                }
                let target = self.global(target)?;
                self.names.push((out.global, target));
                out.relocs.push(GlobalReloc { offset_bytes: out.bytes.len() as u64, target, addend: *offset });
                out.bytes.extend([0; 8]);
                Ok(())
            }
            Init::List(items, span) => {
                let start = out.bytes.len() as u64;
                let inner = dims.get(1..).unwrap_or(&[]);
                let part = match dims.first() {
                    Some(Some(n)) if *n > 0 && count != u64::MAX => count / n,
                    _ => inner.iter().map(|d| d.unwrap_or(1)).product::<u64>().max(1),
                };
                for item in items {
                    let nested = matches!(item, Init::List(..));
                    if nested && dims.len() <= 1 {
                        // `{{1, 2}, {3, 4}}` for `.v2` elements.
                        let Init::List(elements, _) = item else { continue };
                        for element in elements {
                            self.read_level(out, element, &[], 1)?;
                        }
                        continue;
                    }
                    let before = out.bytes.len() as u64;
                    self.read_level(out, item, inner, part)?;
                    if nested {
                        let end = before + part.saturating_mul(u64::from(out.element));
                        if end > MAX_BYTES {
                            return Err(Box::new(Diag::error(codes::LIMIT, *span, "the variable is too large")));
                        }
                        if out.bytes.len() as u64 > end {
                            let message = "the initialiser has more values than the dimension has elements";
                            return Err(Box::new(Diag::error(codes::DIRECTIVE, *span, message)));
                        }
                        out.bytes.resize(end as usize, 0);
                    }
                }
                let limit = start.saturating_add(count.saturating_mul(u64::from(out.element)));
                if out.bytes.len() as u64 > limit {
                    let message = "the initialiser has more values than the variable has elements";
                    return Err(Box::new(Diag::error(codes::DIRECTIVE, *span, message)));
                }
                Ok(())
            }
        }
    }

    pub fn into_globals(self) -> PrimaryMap<Global, GlobalData> {
        self.globals
    }
}

/// What is wrong with initialisers.
#[derive(Default)]
pub struct Faults {
    of: HashMap<Global, Diag>,
    /// The globals that initialisers name.
    names: HashMap<Global, Vec<Global>>,
}

impl Faults {
    /// Those of some globals, and of all that their initialisers reach.
    pub fn reached(&self, globals: &[Global]) -> Vec<Diag> {
        if self.of.is_empty() {
            return Vec::new();
        }
        let mut seen = HashSet::new();
        let mut work = globals.to_vec();
        let mut found = Vec::new();
        while let Some(global) = work.pop() {
            if seen.insert(global) {
                found.extend(self.of.get(&global).cloned());
                work.extend(self.names.get(&global).into_iter().flatten());
            }
        }
        found.sort_by_key(|diag| diag.span);
        found
    }
}

/// Variables that a kernel names, in the order it comes to them.
pub type Reached<'m> = Vec<&'m Variable>;

/// The module as one kernel sees it: many kernels look at it at once. The globals in its code are places in `reached` until
/// [`ModuleScope::adopt`].
pub struct KernelScope<'m, 'a> {
    scope: &'a ModuleScope<'m>,
    pub reached: Reached<'m>,
    global_of: HashMap<Name, Global>,
}

impl<'m, 'a> KernelScope<'m, 'a> {
    pub fn new(scope: &'a ModuleScope<'m>) -> KernelScope<'m, 'a> {
        KernelScope { scope, reached: Vec::new(), global_of: HashMap::new() }
    }

    /// The global of a `.global` or `.const` variable.
    pub fn global(&mut self, variable: &'m Variable) -> Result<Global, Box<Diag>> {
        if let Some(&global) = self.global_of.get(&variable.name) {
            return Ok(global);
        }
        self.scope.layout(variable)?;
        let global = Global::new(self.reached.len());
        self.reached.push(variable);
        self.global_of.insert(variable.name, global);
        Ok(global)
    }
}

impl<'m> Deref for KernelScope<'m, '_> {
    type Target = ModuleScope<'m>;

    fn deref(&self) -> &ModuleScope<'m> {
        self.scope
    }
}

struct InitBytes {
    global: Global,
    bytes: Vec<u8>,
    relocs: Vec<GlobalReloc>,
    /// Bytes of one element.
    element: u32,
    ty: ScalarType,
}

impl InitBytes {
    fn literal(&mut self, literal: Literal, span: Span) -> Result<(), Box<Diag>> {
        let bits = match (literal, self.ty) {
            (Literal::Int { value, .. }, ScalarType::F32) => f32::to_bits(value as i64 as f32).into(),
            (Literal::Int { value, .. }, ScalarType::F64) => f64::to_bits(value as i64 as f64),
            (Literal::Int { value, .. }, _) => value,
            (Literal::F32(bits), ScalarType::F64) => f64::from(f32::from_bits(bits)).to_bits(),
            (Literal::F32(bits), _) => u64::from(bits),
            (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F32) => {
                u64::from((f64::from_bits(bits) as f32).to_bits())
            }
            (Literal::F64(bits) | Literal::Decimal(bits), ScalarType::F64 | ScalarType::B64) => bits,
            (Literal::F64(_) | Literal::Decimal(_), _) => {
                let message = "a floating-point value cannot initialise this type";
                return Err(Box::new(Diag::error(codes::DIRECTIVE, span, message)));
            }
        };
        let bytes = bits.to_le_bytes();
        match bytes.get(..self.element as usize) {
            Some(bytes) => self.bytes.extend_from_slice(bytes),
            None => {
                let message = "an initialiser of this type has no exact translation yet";
                return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, span, message)));
            }
        }
        Ok(())
    }
}

/// Bytes of a memory variable and its alignment.
pub fn size_and_align(variable: &Variable, scope: &ModuleScope<'_>) -> Result<(u64, u32), Box<Diag>> {
    let name = scope.text(variable.name);
    let Some(element) = variable.ty.size_bytes() else {
        let message = format!("`{name}` is an opaque variable, which has no exact translation yet");
        return Err(Box::new(Diag::unsupported(codes::UNSUPPORTED_DECL, variable.span, message)));
    };
    let element = u64::from(element) * u64::from(variable.vector);
    let mut count: u64 = u64::from(variable.range.unwrap_or(1));
    for (n, dim) in variable.dims.iter().enumerate() {
        let dim = match dim {
            Some(dim) => *dim,
            // `[]` takes its length from the initialiser.
            None if n == 0 => match &variable.init {
                Some(Init::List(items, _)) => items.len() as u64,
                _ => 0,
            },
            None => 0,
        };
        count = count.saturating_mul(dim);
    }
    let size = element.saturating_mul(count);
    if size > MAX_BYTES {
        let message = format!("`{name}` has more than {MAX_BYTES} bytes");
        return Err(Box::new(Diag::error(codes::LIMIT, variable.span, message)));
    }
    let natural = element as u32;
    let align = variable.align_bytes.unwrap_or(natural);
    if !align.is_power_of_two() || align > 1 << 16 {
        let message = format!("the alignment {align} of `{name}` is not a power of two up to 65536");
        return Err(Box::new(Diag::error(codes::DIRECTIVE, variable.span, message)));
    }
    Ok((size, align))
}
