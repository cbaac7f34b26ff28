//! Numbers of the values that the checker follows, and what is known at a point.

use super::{CONSTANT, Loc, Value, Values};
use crate::amd::{self, File};
use crate::id::SecondaryMap;
use crate::mir::liveness::keeps_part_of_def;
use crate::mir::{InstKind, MirFunc, Operand, Reg, RegClass, VReg, constant_dword};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// Numbers of the original function's values.
pub(super) struct Names {
    pub(super) base: SecondaryMap<VReg, u32>,
    pub(super) phys_base: u32,
    /// Whether a value follows the linear CFG.
    pub(super) linear: Vec<bool>,
    /// Dense numbers of values that cross block borders; `u32::MAX` for others.
    pub(super) global: Vec<u32>,
    pub(super) globals: u32,
    /// Physical dwords that the original function names: SGPRs, then VGPRs. Nobody asks for the others.
    pub(super) named: Vec<bool>,
    /// Values whose only definition is a constant.
    pub(super) constant: Vec<Option<u32>>,
}

pub(super) const PHYS_SGPRS: u32 = 128;
pub(super) const VCC: u16 = 106;

impl Names {
    pub(super) fn new(func: &MirFunc) -> Names {
        let mut base = SecondaryMap::new();
        let mut linear = vec![];
        for (vreg, data) in func.vregs.iter() {
            base[vreg] = linear.len() as u32;
            linear.extend(std::iter::repeat_n(data.class == RegClass::Sgpr || data.linear, data.dwords.into()));
        }
        let phys_base = linear.len() as u32;
        linear.extend(std::iter::repeat_n(true, PHYS_SGPRS as usize));
        linear.extend(std::iter::repeat_n(false, 256));
        let count = linear.len();
        let mut names = Names {
            base,
            phys_base,
            named: vec![false; count - phys_base as usize],
            linear,
            global: vec![u32::MAX; count],
            globals: 0,
            constant: vec![None; count],
        };
        names.find_globals(func);
        names.find_constants(func);
        names
    }

    /// The value in a dword of a register; `None` where it is not tracked.
    pub(super) fn value(&self, reg: Reg, k: u8) -> Option<u32> {
        match reg {
            Reg::Virt(p) => Some(self.base[p.vreg] + (p.first + k) as u32),
            Reg::Phys(r) => {
                let index = r.index as u32 + k as u32;
                match r.file {
                    File::Sgpr => Some(self.phys_base + index),
                    File::Vcc => Some(self.phys_base + VCC as u32 + index),
                    File::Vgpr => Some(self.phys_base + PHYS_SGPRS + index),
                    _ => None,
                }
            }
        }
    }

    pub(super) fn find_globals(&mut self, func: &MirFunc) {
        // Where a value was met first: u32::MAX nowhere, else the block.
        let mut home = vec![u32::MAX; self.linear.len()];
        let mut is_global = vec![false; self.linear.len()];
        is_global[self.phys_base as usize..].fill(true);
        for &block in &func.layout {
            for inst in &func.blocks[block].insts {
                let mut note = |reg: Reg, is_use: bool| {
                    for k in 0..reg.dwords() {
                        let Some(v) = self.value(reg, k) else { continue };
                        let v = v as usize;
                        is_global[v] |= home[v] != block.as_u32() && (is_use || home[v] != u32::MAX);
                        home[v] = block.as_u32();
                    }
                };
                let mut defs: SmallVec<[Reg; 4]> = smallvec![];
                inst.visit(|r| note(r, true), |r| defs.push(r));
                let kept = matches!(&inst.kind, InstKind::Op(op) if keeps_part_of_def(op));
                defs.into_iter().for_each(|r| note(r, kept));
            }
        }
        for (named, home) in self.named.iter_mut().zip(&home[self.phys_base as usize..]) {
            *named = *home != u32::MAX;
        }
        for (v, _) in is_global.iter().enumerate().filter(|g| *g.1) {
            self.global[v] = self.globals;
            self.globals += 1;
        }
    }

    pub(super) fn find_constants(&mut self, func: &MirFunc) {
        let mut defs = vec![0u32; self.linear.len()];
        for inst in func.layout.iter().flat_map(|&b| &func.blocks[b].insts) {
            let copies: SmallVec<[(Reg, Operand); 2]> = match &inst.kind {
                InstKind::Copy { dst, src } => smallvec![(*dst, *src)],
                InstKind::ParallelCopy(list) => list.iter().copied().collect(),
                InstKind::Op(op) if is_mov(op) => smallvec![(op.defs[0], op.uses[0])],
                _ => smallvec![],
            };
            let mut all: SmallVec<[Reg; 4]> = smallvec![];
            inst.visit(|_| {}, |r| all.push(r));
            for reg in all {
                let value = copies.iter().find(|c| c.0 == reg).map(|c| c.1);
                for k in 0..reg.dwords() {
                    let Some(v) = self.value(reg, k) else { continue };
                    defs[v as usize] += 1;
                    self.constant[v as usize] = match value {
                        Some(Operand::Imm(bits)) if defs[v as usize] == 1 => Some(constant_dword(bits, k)),
                        _ => None,
                    };
                }
            }
        }
        self.constant[self.phys_base as usize..].fill(None);
    }
}

/// `v_mov_b32`, `s_mov_b32` without modifiers.
pub(super) fn is_mov(op: &amd::Inst<Reg>) -> bool {
    matches!(op.op.name, "v_mov_b32" | "s_mov_b32") && op.mods == amd::Mods::default()
}

/// What is known at a point, for the places of one CFG.
#[derive(Clone, Default, PartialEq)]
pub(super) struct State {
    pub(super) places: BTreeMap<Loc, Values>,
    /// Bit set by global number: values that some path defined.
    pub(super) defined: Vec<u64>,
}

impl State {
    pub(super) fn is_defined(&self, global: u32) -> bool {
        self.defined.get(global as usize / 64).is_some_and(|w| w >> (global % 64) & 1 == 1)
    }

    /// Merges a predecessor's end into the start of a block. Tells whether anything changed.
    pub(super) fn merge(&mut self, other: &State, names: &Names) -> bool {
        let global = |v: Value| (v < CONSTANT).then(|| names.global[v as usize]);
        let mut changed = false;
        let empty = Values::new();
        let mut news = vec![];
        let locs = self.places.keys().chain(other.places.keys().filter(|loc| !self.places.contains_key(loc)));
        for &loc in locs {
            let theirs = other.places.get(&loc).unwrap_or(&empty);
            let ours = self.places.get(&loc).unwrap_or(&empty);
            let mut merged = Values::new();
            for &v in ours {
                let undefined = global(v).is_some_and(|g| !other.is_defined(g));
                if theirs.contains(&v) || undefined {
                    merged.push(v);
                }
            }
            for &v in theirs {
                if !merged.contains(&v) && global(v).is_some_and(|g| g != u32::MAX && !self.is_defined(g)) {
                    merged.push(v);
                }
            }
            if merged != *ours {
                news.push((loc, merged));
            }
        }
        changed |= !news.is_empty();
        self.places.extend(news);
        self.defined.resize(self.defined.len().max(other.defined.len()), 0);
        for (a, b) in self.defined.iter_mut().zip(&other.defined) {
            changed |= *a | *b != *a;
            *a |= *b;
        }
        changed
    }
}
