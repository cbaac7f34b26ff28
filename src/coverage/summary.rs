//! Coverage over many modules.

use super::Coverage;
use crate::diag::codes;
use std::collections::HashMap;

/// How many files and kernels there are and translate, and what blocks the others.
#[derive(Default)]
pub struct Summary {
    pub files: usize,
    /// Files that could not be read as PTX text.
    pub unreadable: usize,
    /// Files with errors in their PTX; none of their kernels translates.
    pub broken: usize,
    pub kernels: usize,
    pub targets: Vec<TargetCount>,
    forms: HashMap<String, FormCount>,
}

/// What translates for a target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TargetCount {
    pub target: String,
    pub files: usize,
    pub kernels: usize,
}

/// What blocks, and how much of it there is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FormCount {
    /// As the manual writes it, or the title of a diagnostic where it is no instruction.
    pub form: String,
    /// One way in which it stands in a source.
    pub example: Option<String>,
    pub kernels: usize,
    pub places: usize,
    pub files: usize,
}

impl Summary {
    pub fn new(targets: impl Iterator<Item = String>) -> Summary {
        let target = |target| TargetCount { target, files: 0, kernels: 0 };
        Summary { targets: targets.map(target).collect(), ..Summary::default() }
    }

    pub fn add(&mut self, coverage: &Coverage) {
        self.files += 1;
        self.kernels += coverage.kernels.len();
        for (n, count) in self.targets.iter_mut().enumerate() {
            count.files += usize::from(coverage.translates[n]);
            count.kernels += coverage.kernels.iter().filter(|kernel| kernel.translates[n]).count();
        }
        let fatal = coverage.blockers.iter().filter(|blocker| blocker.diag.is_fatal());
        // Of the forms of this file: the kernels that each blocks.
        let mut blocked: HashMap<&str, Vec<usize>> = HashMap::new();
        let all: Vec<usize> = (0..coverage.kernels.len()).collect();
        for blocker in fatal {
            let (form, example) = match &blocker.form {
                Some(form) => (form.form.as_str(), Some(&form.spelled)),
                None => (title(blocker.diag.code), None),
            };
            let kernels = if coverage.broken { &all } else { &blocker.kernels };
            blocked.entry(form).or_default().extend(kernels);
            let count = self.forms.entry(form.to_string()).or_insert_with(|| FormCount {
                form: form.to_string(),
                example: example.cloned(),
                kernels: 0,
                places: 0,
                files: 0,
            });
            count.places += 1;
        }
        for (form, mut kernels) in blocked {
            kernels.sort_unstable();
            kernels.dedup();
            if let Some(count) = self.forms.get_mut(form) {
                count.files += 1;
                count.kernels += kernels.len();
            }
        }
        self.broken += usize::from(coverage.broken);
    }

    /// What blocks, most kernels first.
    pub fn forms(&self) -> Vec<&FormCount> {
        let mut forms: Vec<&FormCount> = self.forms.values().collect();
        forms.sort_by(|a, b| (b.kernels, b.places, &a.form).cmp(&(a.kernels, a.places, &b.form)));
        forms
    }
}

fn title(code: crate::diag::Code) -> &'static str {
    codes::ALL.iter().find(|(other, _)| *other == code).map_or("", |(_, title)| title)
}
