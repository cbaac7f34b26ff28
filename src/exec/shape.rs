//! Brings a function into the form that [`super::plan`] reasons about: two-way branches, no empty blocks, one end.

use super::ops::MaskOps;
use crate::amd::op::Format;
use crate::amd::{self, Encoding, Flags, Mods, Target, ops};
use crate::diag::Span;
use crate::id::{EntityRef, PrimaryMap, SecondaryMap};
use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg, RegClass, Terminator, VReg};

/// The longest block that runs with no lanes rather than being skipped, instructions.
const RUN_THROUGH_INSTS: usize = 6;

/// What the plan needs to know, by block index.
pub(super) struct Shape {
    pub entry: Block,
    /// Where lanes go that are done: `s_endpgm`. Nothing else leads the wave here but the end of the layout.
    pub end: Block,
    /// Successors without `end`.
    pub succs: Vec<Vec<u32>>,
    /// Active lanes may take different ways.
    pub divergent: Vec<bool>,
    /// Some lanes that are here are done next.
    pub ends: Vec<bool>,
    /// A barrier at which lanes park.
    pub parks: Vec<bool>,
    /// The block after such a barrier.
    pub parked: Vec<bool>,
    /// Lanes may wait to run the block again.
    pub waits: Vec<bool>,
    /// Marked by the analysis as the header of a loop that yields.
    pub yields: Vec<bool>,
    /// Some block asks which lanes are live.
    pub asks_live: bool,
    /// Nothing in the block minds running without lanes, and it is short.
    pub harmless: Vec<bool>,
    /// Preferred order.
    pub rank: Vec<u32>,
}

pub(super) fn normalise(func: &mut MirFunc, target: &Target) -> Shape {
    lower_switches(func, target);
    let end = func.add_block();
    func.blocks[end].insts.push(MaskOps::new(target).plain(ops::s_endpgm, []));
    thread_jumps(func, end);
    give_entry_no_predecessors(func);
    let parked = lower_barriers(func, end, target);
    let n = func.blocks.len();
    let harmless = find_harmless(func);
    let mut shape = Shape {
        entry: func.entry,
        end,
        succs: vec![vec![]; n],
        divergent: vec![false; n],
        ends: vec![false; n],
        parks: vec![false; n],
        waits: vec![false; n],
        parked,
        yields: vec![false; n],
        asks_live: func.blocks.values().any(|data| data.insts.iter().any(asks_live)),
        harmless,
        rank: vec![u32::MAX; n],
    };
    for block in func.blocks.keys().collect::<Vec<_>>() {
        let data = &mut func.blocks[block];
        let b = block.index();
        data.logical_succs = data.term.successors();
        shape.divergent[b] = matches!(data.term, Terminator::BranchMask { uniform: false, .. });
        shape.ends[b] = data.term == Terminator::Exit || data.logical_succs.contains(&end);
        shape.waits[b] = matches!(data.term, Terminator::Wait { .. });
        shape.parks[b] = shape.waits[b] || matches!(data.term, Terminator::Barrier { .. });
        shape.yields[b] = data.resume && !shape.parked[b] && !shape.waits[b];
        shape.succs[b] = data.logical_succs.iter().filter(|&&s| s != end).map(|s| s.index() as u32).collect();
        expand_merges(func, block, target);
    }
    shape.ends[end.index()] = false;
    rank(func, &mut shape);
    shape
}

/// Blocks keep their order as far as the graph allows, but for kernels with barriers: what ends without one comes first, so that its
/// stores are done before the others go on.
fn rank(func: &MirFunc, shape: &mut Shape) {
    let n = func.blocks.len() as u32;
    for (i, &b) in func.layout.iter().enumerate() {
        shape.rank[b.index()] = n + i as u32;
    }
    // Who asks for the live lanes waits for those that come.
    let waits = |b: Block| {
        let insts = &func.blocks[b].insts;
        shape.parks[b.index()] || has_barrier(insts) || insts.iter().any(asks_live)
    };
    let mut work: Vec<Block> = func.blocks.keys().filter(|&b| waits(b)).collect();
    if work.is_empty() {
        return;
    }
    let mut preds: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for (b, succs) in shape.succs.iter().enumerate() {
        succs.iter().for_each(|&s| preds[Block::new(s as usize)].push(Block::new(b)));
    }
    let mut comes_to_one = vec![false; n as usize];
    work.iter().for_each(|b| comes_to_one[b.index()] = true);
    while let Some(b) = work.pop() {
        for &p in &preds[b] {
            if !std::mem::replace(&mut comes_to_one[p.index()], true) {
                work.push(p);
            }
        }
    }
    for &b in &func.layout {
        if !comes_to_one[b.index()] {
            shape.rank[b.index()] -= n;
        }
    }
}

fn asks_live(inst: &Inst) -> bool {
    matches!(inst.kind, InstKind::LiveLanes { .. })
}

fn has_barrier(insts: &[Inst]) -> bool {
    insts
        .iter()
        .any(|i| matches!(&i.kind, InstKind::Op(op) if op.op == ops::s_barrier || op.op == ops::s_barrier_signal))
}

/// A divergent switch becomes a tree of comparisons, a branch each. (A uniform one stays: its index in an SGPR must be read at once.)
fn lower_switches(func: &mut MirFunc, target: &Target) {
    let mut behind: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    for block in func.layout.clone() {
        let span = func.blocks[block].term_span;
        let Terminator::Switch { index, targets } = func.blocks[block].term.clone() else { continue };
        if func.class(index) == RegClass::Sgpr {
            continue;
        }
        let mut work = vec![(block, 0usize, targets.len())];
        let mut made = vec![];
        while let Some((at, low, high)) = work.pop() {
            if at != block {
                made.push(at);
            }
            let mut middle = low.midpoint(high);
            // Equal targets stay together where that is free.
            while middle > low + 1 && targets[middle] == targets[middle - 1] {
                middle -= 1;
            }
            let mut side = |func: &mut MirFunc, low: usize, high: usize| {
                if targets[low..high].iter().all(|t| *t == targets[low]) {
                    return targets[low];
                }
                let new = func.add_block();
                func.blocks[new].term_span = span;
                work.push((new, low, high));
                new
            };
            if targets[low..high].iter().all(|t| *t == targets[low]) {
                func.blocks[at].term = Terminator::Jump(targets[low]);
                continue;
            }
            let then = side(func, low, middle);
            let els = side(func, middle, high);
            let term = compare_index(func, target, at, index, middle as u32, span, then, els);
            func.blocks[at].term = term;
        }
        behind[block] = made;
    }
    place_behind(func, behind);
}

/// Puts new blocks into the preferred order.
fn place_behind(func: &mut MirFunc, mut behind: SecondaryMap<Block, Vec<Block>>) {
    for block in std::mem::take(&mut func.layout) {
        func.layout.push(block);
        func.layout.append(&mut behind[block]);
    }
}

/// Index below the bound: to `then`.
#[allow(clippy::too_many_arguments)]
fn compare_index(
    func: &mut MirFunc,
    target: &Target,
    at: Block,
    index: Reg,
    bound: u32,
    span: Span,
    then: Block,
    els: Block,
) -> Terminator {
    let mut bound = Operand::Imm(bound as u64);
    if matches!(bound, Operand::Imm(n) if n > 64) {
        // VOP3 has no literal on gfx9.
        let vreg = func.new_vreg(RegClass::Sgpr, 1);
        let reg = func.reg(vreg);
        func.blocks[at].insts.push(Inst::new(InstKind::Copy { dst: reg, src: bound }, span));
        bound = reg.into();
    }
    let mask = MaskOps::new(target).fresh(func);
    let compare = amd::Inst::new(ops::v_cmp_gt_u32, [mask], [bound, index.into()]);
    let compare = compare.with(Mods { encoding: Encoding::Vop3, ..Mods::default() });
    func.blocks[at].insts.push(Inst::op(compare, span));
    Terminator::BranchMask { mask, uniform: false, then, els }
}

/// Edges pass over empty blocks; those that only end go to `end`.
fn thread_jumps(func: &mut MirFunc, end: Block) {
    let mut to: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for block in func.blocks.keys() {
        let data = &func.blocks[block];
        if block == func.entry || block == end || !data.insts.is_empty() || data.resume {
            continue;
        }
        to[block] = match data.term {
            Terminator::Exit => Some(end),
            // Lanes that come to a wait are gathered with those that wait there; so it must not become a loop's header.
            Terminator::Jump(next) if matches!(func.blocks[next].term, Terminator::Wait { .. }) => None,
            Terminator::Jump(next) => Some(next),
            _ => None,
        };
    }
    // Follow chains, shortening them; a cycle of empty blocks keeps one of them.
    let mut last: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    let mut walked: SecondaryMap<Block, Option<Block>> = SecondaryMap::new();
    for block in func.blocks.keys() {
        let mut path = vec![];
        let mut at = block;
        let target = loop {
            if let Some(known) = last[at] {
                break known;
            }
            walked[at] = Some(block);
            match to[at] {
                Some(next) if walked[next] != Some(block) => {
                    path.push(at);
                    at = next;
                }
                Some(_) => {
                    to[at] = None;
                    break at;
                }
                None => break at,
            }
        };
        last[at] = Some(target);
        path.into_iter().for_each(|b| last[b] = Some(target));
    }
    for block in func.blocks.keys().collect::<Vec<_>>() {
        let term = &mut func.blocks[block].term;
        targets_mut(term, |t| *t = last[*t].unwrap_or(*t));
        match *term {
            Terminator::BranchScc { then, els } | Terminator::BranchMask { then, els, .. } if then == els => {
                *term = Terminator::Jump(then);
            }
            Terminator::Switch { ref targets, .. } if targets.iter().all(|t| *t == targets[0]) => {
                *term = Terminator::Jump(targets[0]);
            }
            _ => {}
        }
        if *term == Terminator::Jump(end) && block != end {
            *term = Terminator::Exit;
        }
    }
}

fn targets_mut(term: &mut Terminator, mut f: impl FnMut(&mut Block)) {
    match term {
        Terminator::Jump(b) | Terminator::Wait { next: b, .. } | Terminator::Barrier { next: b, .. } => f(b),
        Terminator::BranchScc { then, els } | Terminator::BranchMask { then, els, .. } => {
            f(then);
            f(els);
        }
        Terminator::Switch { targets, .. } => targets.iter_mut().for_each(f),
        Terminator::Exit | Terminator::Trap | Terminator::Linear => {}
    }
}

fn give_entry_no_predecessors(func: &mut MirFunc) {
    let entry = func.entry;
    if !func.blocks.values().any(|data| data.term.successors().contains(&entry)) {
        return;
    }
    let new = func.add_block();
    func.blocks[new].term = Terminator::Jump(entry);
    func.entry = new;
    func.layout.insert(0, new);
}

/// Whole barriers become instructions; the others get a block of their own to go on in. Returns which blocks those are.
fn lower_barriers(func: &mut MirFunc, end: Block, target: &Target) -> Vec<bool> {
    let mut preds: SecondaryMap<Block, u32> = SecondaryMap::new();
    for data in func.blocks.values() {
        data.term.successors().iter().for_each(|&s| preds[s] += 1);
    }
    let mut parked: Vec<Block> = vec![];
    let mut behind: SecondaryMap<Block, Vec<Block>> = SecondaryMap::new();
    let jump = |next| if next == end { Terminator::Exit } else { Terminator::Jump(next) };
    for block in func.blocks.keys().collect::<Vec<_>>() {
        let Terminator::Barrier { whole, next } = func.blocks[block].term else { continue };
        let ops = MaskOps::new(target).at(func.blocks[block].term_span);
        if whole {
            func.blocks[block].insts.extend(ops.barrier(target));
            func.blocks[block].term = jump(next);
            continue;
        }
        let mut go_on = next;
        if preds[next] > 1 || !func.blocks[next].resume {
            go_on = func.add_block();
            func.blocks[go_on].term = jump(next);
            func.blocks[go_on].term_span = ops.span;
            behind[block].push(go_on);
        }
        func.blocks[go_on].resume = true;
        func.blocks[block].term = Terminator::Barrier { whole, next: go_on };
        parked.push(go_on);
    }
    place_behind(func, behind);
    let mut out = vec![false; func.blocks.len()];
    parked.into_iter().for_each(|b| out[b.index()] = true);
    out
}

/// dst = (dst & !EXEC) | (src & EXEC).
fn expand_merges(func: &mut MirFunc, block: Block, target: &Target) {
    if !func.blocks[block].insts.iter().any(|i| matches!(i.kind, InstKind::MaskMerge { .. })) {
        return;
    }
    let mut out = vec![];
    for inst in std::mem::take(&mut func.blocks[block].insts) {
        let ops = MaskOps::new(target).at(inst.span);
        match inst.kind {
            InstKind::MaskMerge { dst, src, .. } if src == Operand::Reg(dst) => {}
            InstKind::MaskMerge { dst, src: Operand::Imm(0), .. } => out.push(ops.and_not(dst, dst, ops.exec)),
            InstKind::MaskMerge { dst, src: Operand::Imm(_), .. } => out.push(ops.or(dst, dst, ops.exec)),
            InstKind::MaskMerge { dst, src, scratch } => out.extend([
                ops.and(scratch, ops.exec, src),
                ops.and_not(dst, dst, ops.exec),
                ops.or(dst, dst, scratch),
            ]),
            _ => out.push(inst),
        }
    }
    func.blocks[block].insts = out;
}

/// Where registers occur: in one block, or in several.
fn homes(blocks: &PrimaryMap<Block, crate::mir::BlockData>) -> SecondaryMap<VReg, Option<Option<Block>>> {
    let mut homes: SecondaryMap<VReg, Option<Option<Block>>> = SecondaryMap::new();
    for (block, data) in blocks.iter() {
        let home = std::cell::RefCell::new(&mut homes);
        let note = |reg: Reg| {
            if let Reg::Virt(part) = reg {
                let slot = &mut home.borrow_mut()[part.vreg];
                *slot = match *slot {
                    None => Some(Some(block)),
                    Some(Some(b)) if b == block => Some(Some(b)),
                    Some(_) => Some(None),
                };
            }
        };
        data.insts.iter().for_each(|inst| inst.visit(note, note));
        match &data.term {
            Terminator::BranchMask { mask, .. } | Terminator::Wait { mask, .. } => note(*mask),
            Terminator::Switch { index, .. } => note(*index),
            _ => {}
        }
    }
    homes
}

fn find_harmless(func: &MirFunc) -> Vec<bool> {
    let homes = homes(&func.blocks);
    let mut out = vec![false; func.blocks.len()];
    for (block, data) in func.blocks.iter() {
        let own = |reg: Reg| match reg {
            Reg::Virt(part) => homes[part.vreg] == Some(Some(block)),
            Reg::Phys(_) => false,
        };
        // What a lane mask or another SGPR holds for other blocks must not change.
        let keeps = |reg: Reg| func.class(reg) == RegClass::Vgpr && !is_linear(func, reg) || own(reg);
        let plain =
            matches!(data.term, Terminator::Jump(_) | Terminator::Exit | Terminator::BranchMask { uniform: false, .. });
        out[block.index()] = plain
            && data.insts.len() <= RUN_THROUGH_INSTS
            && data.insts.iter().all(|inst| match &inst.kind {
                InstKind::Op(op) => {
                    let busy = Flags::LOAD
                        | Flags::STORE
                        | Flags::ATOMIC
                        | Flags::BRANCH
                        | Flags::EFFECT
                        | Flags::IGNORES_EXEC
                        | Flags::TRANS
                        | Flags::WRITES_VCC
                        | Flags::WRITES_EXEC;
                    let memory = op.op.codes.iter().flatten().any(|c| {
                        matches!(c.format, Format::Smem | Format::Ds | Format::Flat | Format::Global | Format::Scratch)
                    });
                    !op.op.flags.intersects(busy) && !memory && op.defs.iter().all(|&d| keeps(d))
                }
                InstKind::Copy { dst, .. } | InstKind::Undef { dst } => keeps(*dst),
                InstKind::ParallelCopy(copies) => copies.iter().all(|&(dst, _)| keeps(dst)),
                // Changes nothing without lanes.
                InstKind::MaskMerge { scratch, .. } => own(*scratch),
                InstKind::GlobalAddr { dst, .. } | InstKind::LiveLanes { dst } => own(*dst),
                InstKind::Spill { .. } | InstKind::Reload { .. } => false,
            });
    }
    out
}

fn is_linear(func: &MirFunc, reg: Reg) -> bool {
    matches!(reg, Reg::Virt(part) if func.vregs[part.vreg].linear)
}
