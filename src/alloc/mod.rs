//! Register allocation: from linear machine IR to physical registers.
//!
//! Interval allocation over bundles ([`bundle`]): live ranges of dwords along the layout, copies coalesced first, then first fit with
//! hints under alignment, with moves, spills and remade constants where there is too little room ([`assign`], [`spill`]).
//! SGPRs come first, for they spill into lanes of VGPRs, which the VGPRs then do without; VGPRs spill to scratch.
//!
//! Needs: the linear state (`exec` has run). Leaves: physical registers, no pseudo op but `GlobalAddr`. EXEC, SCC and M0 are never
//! touched by what this inserts. The last two SGPRs stay out of the allocation: they break cycles of copies, hold large
//! scratch offsets, and carry the target of a far branch ([`reserved_sgprs`]).
//!
//! [`checker`] proves each result in debug builds.

mod assign;
mod bundle;
pub mod checker;
mod copies;
mod rewrite;
mod spill;
mod tied;

use crate::amd::{Column, Reg as PhysReg, Target};
use crate::diag::{Diag, Span, codes};
use crate::id::{SecondaryMap, side_table};
use crate::mir::liveness::Liveness;
use crate::mir::{Block, MirFunc, RegClass, VReg};

/// What allocation did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AllocStats {
    /// Registers from v0 and s0 up to the highest used, the two reserved SGPRs not counted.
    pub vgprs: u16,
    pub sgprs: u16,
    /// Dwords.
    pub spilled_vgprs: u32,
    pub spilled_sgprs: u32,
    /// Times that ranges were computed and registers assigned.
    pub rounds: u32,
}

/// How many registers there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    pub vgprs: u16,
    /// The reserved two not counted.
    pub sgprs: u16,
}

impl Budget {
    pub fn of(func: &MirFunc, target: &Target) -> Budget {
        let items = if func.max_workgroup_items == 0 { 1024 } else { func.max_workgroup_items };
        let wanted = match func.min_workgroups {
            0 => u16::MAX,
            groups => target.vgprs_for_groups(groups, items),
        };
        Budget { vgprs: target.max_vgprs(items).min(wanted), sgprs: target.processor().sgprs - 2 }
    }
}

/// The aligned pair of SGPRs that allocation leaves alone.
pub fn reserved_sgprs(target: &Target) -> PhysReg {
    PhysReg::sn(target.processor().sgprs - 2, 2)
}

/// Gives every virtual register a physical one.
pub fn allocate(func: &mut MirFunc, target: &Target) -> Result<AllocStats, Vec<Diag>> {
    if func.min_workgroups > 0 {
        // A wish: where so few registers will not do, it goes unheard.
        let mut attempt = func.clone();
        if let Ok(stats) = allocate_within(&mut attempt, target, Budget::of(func, target)) {
            *func = attempt;
            return Ok(stats);
        }
        func.min_workgroups = 0;
    }
    let budget = Budget::of(func, target);
    allocate_within(func, target, budget)
}

/// [`allocate`] with fewer registers than the target has.
pub fn allocate_within(func: &mut MirFunc, target: &Target, budget: Budget) -> Result<AllocStats, Vec<Diag>> {
    let original = cfg!(debug_assertions).then(|| func.clone());
    let tags = allocate_unchecked(func, target, budget)?;
    if let Some(original) = original
        && let Err(fault) = checker::check(&original, func, &tags.0, target)
    {
        panic!("allocation is wrong: {fault}\n{}", crate::mir::text::print(func));
    }
    Ok(tags.1)
}

/// For each instruction of a block which of the original ones it belongs to: see [`Tag`].
pub type Tags = SecondaryMap<Block, Vec<u32>>;

/// Allocates without the check, and tells what the checker needs.
pub fn allocate_unchecked(
    func: &mut MirFunc,
    target: &Target,
    budget: Budget,
) -> Result<(Tags, AllocStats), Vec<Diag>> {
    let mut work = Work {
        tags: SecondaryMap::new(),
        temporary: SecondaryMap::new(),
        sgpr_slots: 0,
        vgpr_slots: 0,
        func: std::mem::replace(func, empty()),
    };
    for &block in &work.func.layout {
        work.tags[block] = (0..work.func.blocks[block].insts.len()).map(|i| Tag::main(i as u32)).collect();
    }
    let mut stats = AllocStats::default();
    let result = allocate_work(&mut work, target, budget, &mut stats);
    *func = work.func;
    result.map(|()| (work.tags, stats)).map_err(|diag| vec![diag])
}

fn allocate_work(work: &mut Work, target: &Target, budget: Budget, stats: &mut AllocStats) -> Result<(), Diag> {
    tied::separate(work, target);
    let mut places = side_table(work.func.vregs.len(), 0);
    let sgprs = allocate_class(work, target, RegClass::Sgpr, budget.sgprs, &mut places, stats)?;
    let lane_vgprs = work.sgpr_slots.div_ceil(target.wave_lanes()) as u16;
    let Some(vgprs) = budget.vgprs.checked_sub(lane_vgprs) else {
        return Err(too_many(work, RegClass::Sgpr, Span::NONE, target));
    };
    let used = allocate_class(work, target, RegClass::Vgpr, vgprs, &mut places, stats)?;
    stats.vgprs = used + lane_vgprs;
    stats.sgprs = sgprs;
    (stats.spilled_sgprs, stats.spilled_vgprs) = (work.sgpr_slots, work.vgpr_slots);
    work.func.spill_bytes = 4 * work.vgpr_slots;
    rewrite::rewrite(work, target, &places, rewrite::Frame { first_lane_vgpr: used, used_vgprs: stats.vgprs, budget });
    Ok(())
}

/// Assigns registers of one class, spilling until they suffice. Gives the number of registers used.
fn allocate_class(
    work: &mut Work,
    target: &Target,
    class: RegClass,
    limit: u16,
    places: &mut SecondaryMap<VReg, u16>,
    stats: &mut AllocStats,
) -> Result<u16, Diag> {
    const ROUNDS: u32 = 24;
    for _ in 0..ROUNDS {
        stats.rounds += 1;
        let live = Liveness::compute(&work.func, class, target);
        let bundles = bundle::build(&work.func, &live, target, |vreg| work.temporary[vreg]);
        let mask_dwords = if class == RegClass::Sgpr { target.mask_dwords() } else { 0 };
        let assignment = match assign::assign(&bundles, &live, limit, mask_dwords) {
            Ok(assignment) => assignment,
            Err(assign::OutOfRegisters { bundle }) => {
                let span = first_span(work, &bundles.list[bundle as usize]);
                return Err(too_many(work, class, span, target));
            }
        };
        if assignment.spilled.is_empty() {
            let mut used = 0;
            for (bundle, reg) in bundles.list.iter().zip(&assignment.regs) {
                let Some(reg) = *reg else { continue };
                for &(vreg, offset) in &bundle.members {
                    places[vreg] = reg + offset as u16;
                }
                if reg + (bundle.width() as u16) <= limit {
                    used = used.max(reg + bundle.width() as u16);
                }
            }
            let fixed = live.phys().iter().take(limit as usize).rposition(|r| !r.is_empty());
            return Ok(used.max(fixed.map_or(0, |i| i as u16 + 1)));
        }
        let mut homes = SecondaryMap::new();
        for &i in &assignment.spilled {
            let bundle = &bundles.list[i as usize];
            let slots = match class {
                RegClass::Sgpr => &mut work.sgpr_slots,
                RegClass::Vgpr => &mut work.vgpr_slots,
            };
            let first = *slots;
            *slots += bundle.width() as u32;
            for &(vreg, offset) in &bundle.members {
                homes[vreg] = Some(spill::home(first + offset as u32, work.func.vregs[vreg].dwords));
            }
        }
        spill::rewrite(work, class, homes);
    }
    Err(too_many(work, class, Span::NONE, target))
}

fn too_many(work: &Work, class: RegClass, span: Span, target: &Target) -> Diag {
    let class = match class {
        RegClass::Vgpr => "VGPRs",
        RegClass::Sgpr => "SGPRs",
    };
    let message = format!("kernel `{}` needs more {class} at once than {target} has for it", work.func.name);
    Diag::unsupported(codes::RESOURCES, span, message)
}

/// The source place of the first instruction that names a member.
fn first_span(work: &Work, bundle: &bundle::Bundle) -> Span {
    let insts = work.func.layout.iter().flat_map(|&b| &work.func.blocks[b].insts);
    for inst in insts.filter(|i| !i.span.is_none()) {
        let mut found = false;
        crate::mir::liveness::visit_all(inst, |reg, _| {
            if let crate::mir::Reg::Virt(p) = reg {
                found |= bundle.members.iter().any(|m| m.0 == p.vreg);
            }
        });
        if found {
            return inst.span;
        }
    }
    Span::NONE
}

/// What a loop of some depth multiplies costs with.
fn weight(loop_depth: u8) -> f32 {
    10f32.powi(loop_depth.min(8).into())
}

/// A function being allocated.
struct Work {
    func: MirFunc,
    /// One for each instruction.
    tags: Tags,
    /// Registers that spilling made.
    temporary: SecondaryMap<VReg, bool>,
    /// Spill slots in use, dwords: of SGPRs (lanes of VGPRs) and of VGPRs (scratch).
    sgpr_slots: u32,
    vgpr_slots: u32,
}

/// Which original instruction of its block an instruction belongs to: four times its index, plus 0 for what stands before
/// it, 1 for the instruction itself or what it became, 2 for what stands behind it. Tags ascend within a block.
pub struct Tag;

impl Tag {
    pub fn main(index: u32) -> u32 {
        4 * index + 1
    }
    pub fn before(tag: u32) -> u32 {
        if Tag::is_main(tag) { tag - 1 } else { tag }
    }
    pub fn after(tag: u32) -> u32 {
        if Tag::is_main(tag) { tag + 1 } else { tag }
    }
    pub fn is_main(tag: u32) -> bool {
        tag % 4 == 1
    }
    pub fn index(tag: u32) -> usize {
        tag as usize / 4
    }
}

fn empty() -> MirFunc {
    MirFunc {
        name: String::new(),
        vregs: Default::default(),
        blocks: Default::default(),
        entry: crate::id::EntityRef::new(0),
        layout: vec![],
        abi: Default::default(),
        local_bytes: 0,
        spill_bytes: 0,
        max_workgroup_items: 0,
        min_workgroups: 0,
        lds_bytes: 0,
    }
}

/// The largest immediate offset of `scratch_*`, bytes.
fn max_scratch_offset(target: &Target) -> u32 {
    match target.column() {
        Column::Gfx9 | Column::Gfx11 => 4095,
        Column::Gfx10 => 2047,
        Column::Gfx12 => 0x7f_ffff,
    }
}
