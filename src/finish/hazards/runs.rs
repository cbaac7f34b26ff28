//! The hazards that are no pair: LDS, branch, vector memory on gfx10.1, and runs of memory instructions that may be replayed.
//!
//! Spec: LLVM 22 (post-RA-hazard-rec), as `docs/hazards.md` lists it.

use super::rows::{Key, Keys, View};
use crate::amd::target::Setting;
use crate::amd::{Column, Feature, Target};

/// The names of those that a target has.
pub fn names(target: &Target) -> impl Iterator<Item = &'static str> {
    let runs = Clause::applies(target);
    [
        (LdsBranch::applies(target), "LDS, branch, vector memory, or the other way round"),
        (runs, "a run of SMEM overwrites a source of its own, with XNACK"),
        (
            runs && target.column() == Column::Gfx9,
            "a run of VMEM loads overwrites a source of its own or goes on with a store, with XNACK",
        ),
    ]
    .into_iter()
    .filter_map(|(has, name)| has.then_some(name))
}

/// What may have been the last use of LDS or vector memory, and whether a branch stands behind it.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct LdsBranch {
    lds: bool,
    vmem: bool,
    lds_branch: bool,
    vmem_branch: bool,
}

impl LdsBranch {
    pub fn applies(target: &Target) -> bool {
        target.has(Feature::BranchOffset3fBug)
    }

    pub fn merge(&mut self, other: LdsBranch) -> bool {
        let before = *self;
        self.lds |= other.lds;
        self.vmem |= other.vmem;
        self.lds_branch |= other.lds_branch;
        self.vmem_branch |= other.vmem_branch;
        *self != before
    }

    pub fn meets(&self, view: &View) -> bool {
        (view.is_vmem() && self.lds_branch) || (view.is_ds() && self.vmem_branch)
    }

    pub fn pass(&mut self, view: &View) {
        if view.is_ds() || view.is_vmem() {
            *self = LdsBranch { lds: view.is_ds(), vmem: view.is_vmem(), ..LdsBranch::default() };
        } else if view.is_store_wait() {
            *self = LdsBranch::default();
        } else if view.is_branch() {
            self.lds_branch |= std::mem::take(&mut self.lds);
            self.vmem_branch |= std::mem::take(&mut self.vmem);
        }
    }
}

/// SMEM or vector memory instructions that follow each other at once, and may be replayed together: with XNACK, SMEM everywhere and vector
/// memory on gfx9. None of them may write what another reads, and a store does not join a run that has a load.
#[derive(Clone, PartialEq, Default)]
pub struct Clause {
    kind: Option<Kind>,
    read: Registers,
    written: Registers,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Smem,
    Vmem,
    /// One of the two, by the way here.
    Either,
}

/// VGPRs in four words, SGPRs and VCC in two.
#[derive(Copy, Clone, PartialEq, Eq, Default)]
struct Registers([u64; 6]);

impl Registers {
    fn add(&mut self, keys: &[Key]) {
        for &key in keys.iter().filter(|&&k| k < 6 * 64) {
            self.0[key as usize / 64] |= 1 << (key % 64);
        }
    }
    fn join(&mut self, other: &Registers) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
    fn meets(&self, other: &Registers) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }
}

impl Clause {
    pub fn applies(target: &Target) -> bool {
        matches!(target.xnack, Setting::Any | Setting::On)
    }

    fn kind(view: &View, target: &Target) -> Option<Kind> {
        if view.is_smem() {
            return Some(Kind::Smem);
        }
        (view.is_vmem() && target.column() == Column::Gfx9).then_some(Kind::Vmem)
    }

    pub fn merge(&mut self, other: &Clause) -> bool {
        let before = self.clone();
        self.kind = match (self.kind, other.kind) {
            (None, kind) | (kind, None) => kind,
            (Some(a), Some(b)) => Some(if a == b { a } else { Kind::Either }),
        };
        self.read.join(&other.read);
        self.written.join(&other.written);
        *self != before
    }

    /// Whether an instruction must not go on with the run.
    pub fn must_end_before(&self, view: &View, target: &Target) -> bool {
        let kind = Clause::kind(view, target);
        if kind.is_none() || self.kind.is_none_or(|k| k != Kind::Either && Some(k) != kind) {
            return false;
        }
        if self.written == Registers::default() {
            return false;
        }
        let mut longer = self.clone();
        longer.take(view);
        view.is_store() || longer.read.meets(&longer.written)
    }

    fn take(&mut self, view: &View) {
        let every = |_: Key| true;
        let (read, written): (Keys, Keys) = (view.read(every), view.written(every));
        self.read.add(&read);
        self.written.add(&written);
    }

    pub fn pass(&mut self, view: &View, target: &Target) {
        let kind = Clause::kind(view, target);
        if kind.is_none() || (self.kind != Some(Kind::Either) && self.kind != kind) {
            *self = Clause { kind, ..Clause::default() };
        }
        if kind.is_some() {
            self.kind = kind;
            self.take(view);
        }
    }
}
