//! What of PTX translates for which processors, and what blocks the rest.
//!
//! The verdicts are those of the pipeline, which translates each kernel on its own: there is no list of what is supported.
//! Here they are put in order: what is wrong in several kernels or for several targets in the same words is one [`Blocker`].
//! `docs/check.md` tells the report's JSON.

mod json;
mod summary;
mod text;

pub use json::{
    about as about_json, diagnostic as diagnostic_json, file as file_json, kernel as kernel_json,
    summary as summary_json,
};
pub use summary::{FormCount, Summary, TargetCount};
pub use text::{blocker as blocker_text, kernels as kernels_text, summary as summary_text};

use crate::diag::{Code, Diag, Span, codes};
use crate::options::Options;
use crate::pipeline::{self, Examined};
use crate::ptx;
use std::collections::HashMap;

/// The coverage of one module.
pub struct Coverage {
    /// The processors, as the options name them.
    pub targets: Vec<String>,
    /// Whether the PTX has errors, so that nothing of it translates.
    pub broken: bool,
    /// Whether the whole module translates, for each target.
    pub translates: Vec<bool>,
    /// In the order of the module.
    pub kernels: Vec<Kernel>,
    /// In the order of the source.
    pub blockers: Vec<Blocker>,
}

pub struct Kernel {
    pub name: String,
    pub name_span: Span,
    /// Whether the kernel translates alone, for each target.
    pub translates: Vec<bool>,
    /// How many blockers it has.
    pub blockers: usize,
}

/// Something that is wrong, or a warning.
pub struct Blocker {
    pub diag: Diag,
    /// The kernels that it blocks, as positions; none when it is the whole module's.
    pub kernels: Vec<usize>,
    /// The targets that it concerns, as positions.
    pub targets: Vec<usize>,
    /// What cannot be translated.
    pub form: Option<BlockedForm>,
}

/// A form of an instruction that blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlockedForm {
    /// As the manual writes it.
    pub form: String,
    /// As it stands in the source: opcode and modifiers, or a special register.
    pub spelled: String,
}

impl Coverage {
    /// Whether everything translates for every target.
    pub fn is_complete(&self) -> bool {
        let fatal = self.blockers.iter().any(|blocker| blocker.diag.is_fatal());
        !fatal && self.translates.iter().all(|&translates| translates)
    }
}

/// What of a module translates with each of some options, which differ in their target. Without options the PTX alone is checked.
pub fn of(source: &str, each: &[Options]) -> Coverage {
    let targets = each.iter().map(|options| options.target.to_string()).collect::<Vec<_>>();
    let mut examined = pipeline::examine(source, each);
    let everywhere: Vec<usize> = (0..each.len()).collect();
    let kernels: Vec<Kernel> = examined
        .kernels
        .iter()
        .map(|kernel| Kernel {
            name: kernel.name.clone(),
            name_span: kernel.name_span,
            translates: everywhere.iter().map(|&target| examined.translates(kernel, target)).collect(),
            blockers: 0,
        })
        .collect();
    let translates = everywhere.iter().map(|&target| examined.all_translates(target)).collect();
    let broken = examined.is_broken();
    let mut gathered = Gathered::default();
    for diag in std::mem::take(&mut examined.module) {
        gathered.add(diag, None, &everywhere);
    }
    for diag in std::mem::take(&mut examined.visible) {
        gathered.add(diag, None, &everywhere);
    }
    for (target, diags) in std::mem::take(&mut examined.targets).into_iter().enumerate() {
        diags.into_iter().for_each(|diag| gathered.add(for_any_target(diag, &targets[target]), None, &[target]));
    }
    for (n, kernel) in std::mem::take(&mut examined.kernels).into_iter().enumerate() {
        kernel.everywhere.into_iter().for_each(|diag| gathered.add(diag, Some(n), &everywhere));
        for (target, diags) in kernel.targets.into_iter().enumerate() {
            diags.into_iter().for_each(|diag| gathered.add(for_any_target(diag, &targets[target]), Some(n), &[target]));
        }
    }
    let mut coverage = Coverage { targets, broken, translates, kernels, blockers: gathered.list };
    name_forms(&examined, &mut coverage.blockers);
    coverage.blockers.sort_by_key(|blocker| blocker.diag.span);
    for blocker in coverage.blockers.iter().filter(|blocker| blocker.diag.is_fatal()) {
        blocker.kernels.iter().for_each(|&kernel| coverage.kernels[kernel].blockers += 1);
    }
    coverage
}

/// The same words for every target, where they only end in its name.
fn for_any_target(mut diag: Diag, target: &str) -> Diag {
    if let Some(rest) = diag.message.strip_suffix(target).and_then(|rest| rest.strip_suffix(" on ")) {
        diag.message.truncate(rest.len());
    }
    diag
}

/// Blockers by what they say and where.
#[derive(Default)]
struct Gathered {
    list: Vec<Blocker>,
    index: HashMap<(Span, Code, String), usize>,
}

impl Gathered {
    fn add(&mut self, diag: Diag, kernel: Option<usize>, targets: &[usize]) {
        let key = (diag.span, diag.code, diag.message.clone());
        let at = *self.index.entry(key).or_insert_with(|| {
            self.list.push(Blocker { diag, kernels: Vec::new(), targets: Vec::new(), form: None });
            self.list.len() - 1
        });
        let blocker = &mut self.list[at];
        // Both come in order, so repetition is at the end.
        if kernel.is_some_and(|kernel| blocker.kernels.last() != Some(&kernel)) {
            blocker.kernels.extend(kernel);
        }
        targets.iter().for_each(|target| {
            if !blocker.targets.contains(target) {
                blocker.targets.push(*target);
            }
        });
    }
}

/// Names what cannot be translated where that is an instruction or a special register.
fn name_forms(examined: &Examined, blockers: &mut [Blocker]) {
    let wanted = |blocker: &Blocker| blocker.diag.code == codes::UNSUPPORTED_INST && !blocker.diag.span.is_none();
    if !blockers.iter().any(wanted) {
        return;
    }
    let instructions = ptx::Instructions::new(&examined.tree);
    for blocker in blockers.iter_mut().filter(|blocker| wanted(blocker)) {
        let Some(inst) = instructions.at(blocker.diag.span) else { continue };
        let register = ptx::special_register_at(&inst, blocker.diag.span, &examined.tree);
        let spelled = register.map_or_else(|| ptx::spelling(&inst, &examined.tree), str::to_string);
        let form = match register {
            Some(register) => Some(register.to_string()),
            None => ptx::form_of(&inst),
        };
        blocker.form = form.map(|form| BlockedForm { form, spelled });
    }
}
