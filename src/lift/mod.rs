//! PTX tree to IR: names, types, state spaces, calls, SSA.
//!
//! One IR function for each requested kernel, with everything it calls inlined. What has no exact translation becomes a
//! located [`Diag`] that names the form; all of them are collected over the requested kernels and what those reach, and
//! nothing else is looked at. Values follow the rules of [`crate::ir`]: 8- and 16-bit registers hold unspecified high
//! bits and are extended where that matters; shift amounts are clamped here, because IR shifts take them modulo the
//! width.
//!
//! Not here: what is fast. `opt` cleans up after us.

mod arith;
mod bits;
mod body;
mod calls;
mod compare;
mod control;
mod convert;
mod declare;
mod float;
mod memory;
mod module;
mod moves;
mod names;
mod operands;
mod warp;

use crate::diag::{Diag, Span, codes};
use crate::ir;
use crate::ptx::tree::{self, Function, FunctionKind, Item, Space};
use crate::ptx::word;
use module::{ModuleScope, Reached, size_and_align};
use rayon::prelude::*;
use std::collections::BTreeSet;

/// Diagnostics of a whole lift; the same fault at the same place is reported once, however often it is inlined.
#[derive(Default)]
pub struct Diags {
    list: Vec<Diag>,
    seen: BTreeSet<(Span, u16)>,
}

impl Diags {
    pub fn push(&mut self, diag: Diag) {
        if self.seen.insert((diag.span, diag.code.0)) {
            self.list.push(diag);
        }
    }

    fn len(&self) -> usize {
        self.list.len()
    }
}

/// What came of lifting the entries of a module, each on its own.
#[derive(Default)]
pub struct Lifted {
    /// The kernels that could be lifted, in the order of the module, and all variables that they reach.
    pub module: ir::Module,
    pub entries: Vec<Entry>,
    /// What is wrong with variables that the host can see, and with all that their initialisers reach.
    pub visible: Vec<Diag>,
}

/// One entry. What is wrong with the variables that it reaches is wrong with it.
pub struct Entry {
    pub name: String,
    pub name_span: Span,
    /// The position in the module's kernels.
    pub kernel: Option<usize>,
    pub diags: Vec<Diag>,
}

impl Lifted {
    /// Everything that is wrong, once.
    fn diags(&self) -> Vec<Diag> {
        let mut diags = Diags::default();
        let all = self.entries.iter().flat_map(|entry| &entry.diags).chain(&self.visible);
        all.for_each(|diag| diags.push(diag.clone()));
        diags.list.sort_by_key(|diag| diag.span);
        diags.list
    }
}

/// Lifts the entries named, or all of them. The kernels come in the order of the module.
pub fn lift(module: &tree::Module, kernels: Option<&[String]>) -> Result<ir::Module, Vec<Diag>> {
    let lifted = lift_each(module, kernels)?;
    let diags = lifted.diags();
    if diags.iter().any(Diag::is_fatal) { Err(diags) } else { Ok(lifted.module) }
}

/// Lifts the entries named, or all of them, as far as each goes. Fails where the module has no such entry, or none can be lifted.
pub fn lift_each(module: &tree::Module, kernels: Option<&[String]>) -> Result<Lifted, Vec<Diag>> {
    let mut diags = Diags::default();
    let entries = entries(module);
    let wanted = |f: &Function| kernels.is_none_or(|list| list.iter().any(|k| k == module.names.get(f.name)));
    for name in kernels.unwrap_or(&[]) {
        if !entries.iter().any(|f| module.names.get(f.name) == name) {
            diags.push_missing(name, module, &entries);
        }
    }
    if module.address_size != 64 {
        let message = "a module with `.address_size 32` has no exact translation yet";
        diags.push(Diag::unsupported(codes::UNSUPPORTED_DECL, Span::NONE, message));
    }
    if diags.len() > 0 {
        return Err(diags.list);
    }

    let mut scope = ModuleScope::new(module);
    if kernels.is_none() {
        scope.add_visible();
    }
    let visible: Vec<ir::Global> = scope.globals().keys().collect();
    let chosen: Vec<&Function> = entries.into_iter().filter(|f| wanted(f)).collect();
    let lift_one = |function| {
        let mut diags = Diags::default();
        (kernel(function, &scope, &mut diags), diags.list)
    };
    // One kernel needs no threads.
    let lifted: Vec<_> = match &chosen[..] {
        &[only] => vec![lift_one(only)],
        chosen => chosen.par_iter().copied().map(lift_one).collect(),
    };
    let mut out = Lifted::default();
    let mut reach = Vec::with_capacity(chosen.len());
    for (function, (kernel, mut diags)) in chosen.iter().zip(lifted) {
        let mut index = None;
        let mut globals = Vec::new();
        if let Some((mut kernel, reached)) = kernel {
            match scope.adopt(&reached, &mut kernel.func) {
                Ok(found) => {
                    index = Some(out.module.kernels.len());
                    globals = found;
                    out.module.kernels.push(kernel);
                }
                Err(diag) => diags.push(*diag),
            }
        }
        let name = module.names.get(function.name).to_string();
        out.entries.push(Entry { name, name_span: function.name_span, kernel: index, diags });
        reach.push(globals);
    }
    let faults = scope.initialise();
    for (entry, globals) in out.entries.iter_mut().zip(&reach) {
        entry.diags.extend(faults.reached(globals));
    }
    out.visible = faults.reached(&visible);
    out.module.globals = scope.into_globals();
    Ok(out)
}

/// The kernels of a module that have a body.
pub fn entries(module: &tree::Module) -> Vec<&Function> {
    let functions = module.items.iter().filter_map(|item| match item {
        Item::Function(f) => Some(f),
        _ => None,
    });
    functions.filter(|f| f.kind == FunctionKind::Entry && f.body.is_some()).collect()
}

impl Diags {
    fn push_missing(&mut self, name: &str, module: &tree::Module, entries: &[&Function]) {
        let mut diag =
            Diag::error(codes::NO_SUCH_KERNEL, Span::NONE, format!("the module has no kernel called `{name}`"));
        let names: Vec<&str> = entries.iter().map(|f| module.names.get(f.name)).collect();
        diag = diag.note(match names[..] {
            [] => "it has no kernels".to_string(),
            _ => format!("its kernels are {}", names.join(", ")),
        });
        // Each missing name is a fault of its own, and none has a place.
        self.list.push(diag);
    }
}

fn kernel<'m>(function: &'m Function, scope: &ModuleScope<'m>, diags: &mut Diags) -> Option<(ir::Kernel, Reached<'m>)> {
    let (params, param_bytes, param_align_bytes) = match kernel_params(function, scope) {
        Ok(params) => params,
        Err(diag) => {
            diags.push(*diag);
            return None;
        }
    };
    let (mut reqntid, mut maxntid, mut min_ctas_per_sm) = (None, None, None);
    for directive in &function.directives {
        let mut numbers = || {
            let at = |n: usize| directive.numbers.get(n).copied().unwrap_or(1);
            let threads = at(0).saturating_mul(at(1)).saturating_mul(at(2));
            if !(1..=MAX_CTA_THREADS).contains(&threads) {
                let name = scope.text(directive.name);
                let message = format!("`.{name}` of {threads} threads: a CTA has 1 to {MAX_CTA_THREADS}");
                diags.push(Diag::error(codes::RESOURCES, directive.span, message));
                return None;
            }
            Some([at(0) as u32, at(1) as u32, at(2) as u32])
        };
        match directive.name {
            word::REQNTID => reqntid = numbers(),
            word::MAXNTID => maxntid = numbers(),
            word::MINNCTAPERSM => {
                min_ctas_per_sm = directive.numbers.first().and_then(|&n| u32::try_from(n).ok());
            }
            word::EXPLICITCLUSTER | word::REQNCTAPERCLUSTER | word::MAXCLUSTERRANK | word::BLOCKSARECLUSTERS => {
                let name = scope.text(directive.name);
                let message = format!("`.{name}` has no exact translation yet: clusters");
                diags.push(Diag::unsupported(codes::UNSUPPORTED_DECL, directive.span, message));
            }
            // Hints: `.maxnreg`, pragmas and the like change no result.
            _ => {}
        }
    }
    let lifted = body::lift_body(function, &params, scope, diags);
    if diags.len() > 0 {
        return None;
    }
    let body::Lifted { func, reached, shared_bytes, dynamic_shared, local_bytes } = lifted?;
    let kernel = ir::Kernel {
        name: scope.text(function.name).to_string(),
        func,
        params,
        param_bytes,
        param_align_bytes,
        shared_bytes,
        dynamic_shared,
        local_bytes,
        reqntid,
        maxntid,
        min_ctas_per_sm,
        span: function.name_span,
    };
    Some((kernel, reached))
}

/// Threads of a CTA: the PTX ISA's limit, and the work-items of a work-group on every AMD processor.
const MAX_CTA_THREADS: u64 = 1024;
/// Bytes of a kernel's parameters: PTX ISA, "Kernel Function Parameters" (4352 before PTX 8.1).
const MAX_PARAM_BYTES: u64 = 32764;

/// The parameters of an entry at their offsets, the bytes of all of them, and the alignment of the whole.
fn kernel_params(function: &Function, scope: &ModuleScope<'_>) -> Result<(Vec<ir::Param>, u32, u32), Box<Diag>> {
    let mut params = Vec::new();
    let (mut offset, mut align) = (0u64, 1);
    for param in &function.params {
        let (size, param_align) = size_and_align(param, scope)?;
        offset = offset.next_multiple_of(u64::from(param_align));
        align = align.max(param_align);
        let too_large = || {
            let message = format!("a kernel has at most {MAX_PARAM_BYTES} bytes of parameters");
            Box::new(Diag::error(codes::LIMIT, param.span, message))
        };
        if param.space != Space::Param {
            let message = "a parameter of a kernel is in the `.param` space";
            return Err(Box::new(Diag::error(codes::DIRECTIVE, param.span, message)));
        }
        if offset + size > MAX_PARAM_BYTES {
            return Err(too_large());
        }
        let ty = body::type_word(param.ty);
        let dims: String = param.dims.iter().map(|d| format!("[{}]", d.unwrap_or(0))).collect();
        params.push(ir::Param {
            name: scope.text(param.name).to_string(),
            offset_bytes: offset as u32,
            size_bytes: size as u32,
            align_bytes: param_align,
            pointer: param.ptr.is_some(),
            type_name: format!("{ty}{dims}"),
        });
        offset += size;
    }
    Ok((params, offset as u32, align))
}
