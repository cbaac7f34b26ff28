//! Proves an allocation, knowing nothing of how it was made.
//!
//! It executes the allocated code symbolically: for each physical dword, lane of a spill VGPR and scratch slot, the set of values
//! of the original function that it holds. Moves carry sets along; where paths meet, the sets intersect, except that
//! a value which a path has not defined is wherever one likes on that path. Every operand of every original instruction
//! must find its value in the register that it was given. SGPRs, linear VGPRs and lanes of spill VGPRs follow the linear CFG, the
//! other VGPRs and scratch the logical one; a VGPR that anything writes regardless of EXEC must hold nothing else, ever.
//!
//! Method: Rideau and Leroy, "Validating register allocation and spilling"; the sets of regalloc2's checker.

mod names;
mod places;
mod walk;

use super::{Tag, Tags};
use crate::amd::{File, Target};
use crate::id::SecondaryMap;
use crate::mir::{Block, InstKind, MirFunc, Operand, Reg};
use names::{Names, PHYS_SGPRS, State};
use smallvec::{SmallVec, smallvec};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use walk::{Walk, copied_source};

/// Where an allocation is wrong, and how.
#[derive(Clone, Debug)]
pub struct Fault {
    pub block: Block,
    /// Index of the allocated instruction.
    pub inst: usize,
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} instruction {}: {}", self.block, self.inst, self.message)
    }
}

/// Checks `allocated` against the function that it was made from.
pub fn check(original: &MirFunc, allocated: &MirFunc, tags: &Tags, target: &Target) -> Result<(), Fault> {
    let names = Names::new(original);
    let checker = Checker { original, allocated, tags, target, names };
    checker.run()
}

/// A value: a dword of a register of the original function, a constant, or a special register's content right now.
type Value = u64;
const CONSTANT: u64 = 1 << 32;
const SPECIAL: u64 = 2 << 32;

type Values = SmallVec<[Value; 2]>;

/// A place that holds a dword.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Loc {
    /// SGPRs; VCC at 106 and 107.
    Sgpr(u16),
    Vgpr(u16),
    /// A VGPR as the home of a linear register.
    LinearVgpr(u16),
    Lane(u16, u8),
    /// Byte address.
    Scratch(u32),
}

struct Checker<'a> {
    original: &'a MirFunc,
    allocated: &'a MirFunc,
    tags: &'a Tags,
    target: &'a Target,
    names: Names,
}

impl Checker<'_> {
    fn run(&self) -> Result<(), Fault> {
        self.check_exclusive()?;
        let mut scalar: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
        let mut vector: SecondaryMap<Block, Option<State>> = SecondaryMap::new();
        let mut start = State { places: BTreeMap::new(), defined: vec![0; self.names.globals.div_ceil(64) as usize] };
        for v in self.names.phys_base..self.names.linear.len() as u32 {
            let global = self.names.global[v as usize];
            start.defined[global as usize / 64] |= 1 << (global % 64);
            let index = v - self.names.phys_base;
            if !self.names.named[index as usize] {
                continue;
            }
            let loc = match index.checked_sub(PHYS_SGPRS) {
                Some(vgpr) => Loc::Vgpr(vgpr as u16),
                None => Loc::Sgpr(index as u16),
            };
            start.places.insert(loc, smallvec![v as u64]);
        }
        let mut order: SecondaryMap<Block, u32> = SecondaryMap::new();
        for (at, &block) in self.original.layout.iter().enumerate() {
            order[block] = at as u32;
        }
        for linear in [true, false] {
            let states = if linear { &mut scalar } else { &mut vector };
            let mut first = start.clone();
            first.places.retain(|loc, _| matches!(loc, Loc::Sgpr(_)) == linear);
            states[self.original.entry] = Some(first);
            // In the order of the layout, so that most of what comes to a block has come before it is walked through.
            let mut work = BTreeSet::from([(order[self.original.entry], self.original.entry)]);
            while let Some((_, block)) = work.pop_first() {
                let mut walk = Walk::new(self, block, false);
                if linear {
                    walk.scalar = scalar[block].clone().unwrap_or_default().into();
                } else {
                    let Some(state) = &scalar[block] else { continue };
                    walk.scalar = state.clone().into();
                    walk.vector = vector[block].clone().unwrap_or_default().into();
                }
                walk.block()?;
                let data = &self.original.blocks[block];
                let (end, succs) = match linear {
                    true => (walk.scalar, &data.linear_succs),
                    false => (walk.vector, &data.logical_succs),
                };
                let end = end.into_state(|v| v >= CONSTANT || self.names.global[v as usize] != u32::MAX);
                let states = if linear { &mut scalar } else { &mut vector };
                for &s in succs {
                    let changed = match &mut states[s] {
                        Some(state) => state.merge(&end, &self.names),
                        empty => {
                            *empty = Some(end.clone());
                            true
                        }
                    };
                    if changed {
                        work.insert((order[s], s));
                    }
                }
            }
        }
        for &block in &self.original.layout {
            let Some(state) = &scalar[block] else { continue };
            let mut walk = Walk::new(self, block, true);
            walk.scalar = state.clone().into();
            walk.check_vector = vector[block].is_some();
            walk.vector = vector[block].clone().unwrap_or_default().into();
            walk.block()?;
        }
        Ok(())
    }

    /// VGPRs written regardless of EXEC must have no other use.
    fn check_exclusive(&self) -> Result<(), Fault> {
        // VGPR to whether it is linear.
        let mut kinds: BTreeMap<u16, bool> = BTreeMap::new();
        for &block in &self.allocated.layout {
            let original = &self.original.blocks[block].insts;
            for (i, (inst, &tag)) in self.allocated.blocks[block].insts.iter().zip(&self.tags[block]).enumerate() {
                let InstKind::Op(op) = &inst.kind else { continue };
                let source = original.get(Tag::index(tag)).map(|inst| &inst.kind);
                let own = match source {
                    Some(InstKind::Op(source)) if Tag::is_main(tag) => Some(source),
                    _ => None,
                };
                let mut note = |reg: Reg, linear: bool| {
                    let Reg::Phys(r) = reg else { return Ok(()) };
                    for index in (r.index..r.index + r.dwords as u16).filter(|_| r.file == File::Vgpr) {
                        if *kinds.entry(index).or_insert(linear) != linear {
                            let message = format!("v{index} is written regardless of EXEC and also otherwise");
                            return Err(Fault { block, inst: i, message });
                        }
                    }
                    Ok(())
                };
                let is_linear = |reg: Option<&Reg>| match reg {
                    Some(Reg::Virt(p)) => self.original.vregs[p.vreg].linear,
                    _ => false,
                };
                for (k, &def) in op.defs.iter().enumerate() {
                    let linear = match own {
                        Some(own) => is_linear(own.defs.get(k)),
                        None => op.op.name == "v_writelane_b32" || self.moves_linear(source),
                    };
                    note(def, linear)?;
                }
                // What arrives in VGPRs was written per lane. Other reads are of values that the walk follows.
                for source in own.into_iter().flat_map(|own| &own.uses).chain(copied_source(source).as_ref()) {
                    if let Operand::Reg(reg @ Reg::Phys(_)) = source {
                        note(*reg, false)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether an original copy has a linear register as its destination.
    fn moves_linear(&self, kind: Option<&InstKind>) -> bool {
        let linear = |reg: &Reg| matches!(reg, Reg::Virt(p) if self.original.vregs[p.vreg].linear);
        match kind {
            Some(InstKind::Copy { dst, .. }) => linear(dst),
            Some(InstKind::ParallelCopy(list)) => list.iter().any(|c| linear(&c.0)),
            _ => false,
        }
    }
}
