//! The pipeline kernel by kernel: what translates and what stops the rest, everything at once.
//!
//! Each kernel goes the way that [`super::translate`] takes with that kernel alone. Nothing here knows what is supported.

use super::{back, check_options, finish_kernel, middle, package};
use crate::diag::{Diag, Span};
use crate::options::{Debug, Options};
use crate::pipeline::places::{Places, SourceMap};
use crate::ptx::tree::Module;
use crate::{ir, lift, ptx};
use rayon::prelude::*;

/// What came of a module for several targets.
pub struct Examined {
    pub tree: Module,
    /// What is wrong with the PTX or with what was asked for, whatever the target; warnings too. With an error, nothing translates.
    pub module: Vec<Diag>,
    /// What is wrong with variables that the host can see: the module does not translate as a whole.
    pub visible: Vec<Diag>,
    /// What stops everything on each target.
    pub targets: Vec<Vec<Diag>>,
    pub kernels: Vec<Kernel>,
}

/// What came of one kernel.
pub struct Kernel {
    pub name: String,
    pub name_span: Span,
    /// What blocks it on every target.
    pub everywhere: Vec<Diag>,
    /// What blocks it on each.
    pub targets: Vec<Vec<Diag>>,
}

impl Examined {
    /// Whether the PTX, or what was asked for, has errors.
    pub fn is_broken(&self) -> bool {
        self.module.iter().any(Diag::is_fatal)
    }

    /// Whether a kernel translates alone for the `target`th target.
    pub fn translates(&self, kernel: &Kernel, target: usize) -> bool {
        let mut blocking = self.targets[target].iter().chain(&kernel.everywhere).chain(&kernel.targets[target]);
        !self.is_broken() && !blocking.any(Diag::is_fatal)
    }

    /// Whether the whole module translates for the `target`th target.
    pub fn all_translates(&self, target: usize) -> bool {
        let mut blocking = self.targets[target].iter().chain(&self.visible);
        let whole = !self.is_broken() && !blocking.any(Diag::is_fatal);
        whole && self.kernels.iter().all(|kernel| self.translates(kernel, target))
    }
}

/// Translates every kernel on its own for every target; options differ in their target only.
pub fn examine(source: &str, each: &[Options]) -> Examined {
    let (tree, module) = ptx::parse(source);
    let targets = each.iter().map(|options| check_options(options).err().unwrap_or_default()).collect();
    let mut examined = Examined { tree, module, visible: Vec::new(), targets, kernels: Vec::new() };
    let wanted = each.first().and_then(|options| options.kernels.as_deref());
    let mut lifted = None;
    let mut map = SourceMap::default();
    if !examined.is_broken() && !each.is_empty() {
        match lift::lift_each(&examined.tree, wanted) {
            Ok(found) => lifted = Some(found),
            Err(diags) => examined.module.extend(diags),
        }
        if each.iter().any(|options| options.debug == Debug::Source) {
            match SourceMap::new(&examined.tree) {
                Ok(found) => map = found,
                Err(diag) => examined.module.push(diag),
            }
        }
    }
    let Some(mut lifted) = lifted else {
        // The kernels are named all the same.
        let names = &examined.tree.names;
        let entries = lift::entries(&examined.tree).into_iter();
        let wanted = entries.filter(|f| wanted.is_none_or(|list| list.iter().any(|k| k == names.get(f.name))));
        let kernel = |f: &ptx::tree::Function| Kernel {
            name: names.get(f.name).to_string(),
            name_span: f.name_span,
            everywhere: Vec::new(),
            targets: vec![Vec::new(); each.len()],
        };
        examined.kernels = wanted.map(kernel).collect();
        return examined;
    };
    examined.visible.clone_from(&lifted.visible);
    // The targets part here.
    lifted.module.kernels.par_iter_mut().for_each(middle);
    // By target, then by kernel.
    let outcomes: Vec<Outcomes> = each
        .par_iter()
        .enumerate()
        .map(|(n, options)| {
            if !examined.targets[n].is_empty() {
                return Outcomes { kernels: vec![Vec::new(); lifted.entries.len()], object: Vec::new() };
            }
            let places = (options.debug != Debug::None).then(|| Places::new(source, map.clone()));
            outcomes(&lifted, places.as_ref(), options)
        })
        .collect();
    let mut by_kernel: Vec<Vec<Vec<Diag>>> = vec![Vec::new(); lifted.entries.len()];
    for (outcome, module) in outcomes.into_iter().zip(&mut examined.targets) {
        module.extend(outcome.object);
        outcome.kernels.into_iter().zip(&mut by_kernel).for_each(|(diags, kernel)| kernel.push(diags));
    }
    let kernel = |(entry, targets): (lift::Entry, Vec<Vec<Diag>>)| Kernel {
        name: entry.name,
        name_span: entry.name_span,
        everywhere: entry.diags,
        targets,
    };
    examined.kernels = lifted.entries.into_iter().zip(by_kernel).map(kernel).collect();
    examined
}

/// What blocks each kernel on one target, and what the module as a whole.
struct Outcomes {
    kernels: Vec<Vec<Diag>>,
    object: Vec<Diag>,
}

fn outcomes(lifted: &lift::Lifted, places: Option<&Places>, options: &Options) -> Outcomes {
    let one = |entry: &lift::Entry| -> Result<Option<(ir::Kernel, package::Finished)>, Vec<Diag>> {
        let Some(kernel) = entry.kernel.filter(|_| !entry.diags.iter().any(Diag::is_fatal)) else { return Ok(None) };
        let mut kernel = lifted.module.kernels[kernel].clone();
        let finished = finish_kernel(back(&mut kernel, options, None)?, options)?;
        package::check(&kernel, &finished, options)?;
        Ok(Some((kernel, finished)))
    };
    let results: Vec<_> = lifted.entries.par_iter().map(one).collect();
    let mut module = ir::Module::default();
    let mut done = Vec::new();
    let mut kernels = Vec::new();
    for result in results {
        let (translated, diags) = match result {
            Ok(translated) => (translated, Vec::new()),
            Err(diags) => (None, diags),
        };
        kernels.push(diags);
        if let Some((kernel, finished)) = translated {
            module.kernels.push(kernel);
            done.push(finished);
        }
    }
    let mut object = Vec::new();
    if lifted.visible.is_empty() {
        module.globals = lifted.module.globals.clone();
        object = package::object(&module, &done, places, options).err().unwrap_or_default();
    }
    Outcomes { kernels, object }
}
