//! Where each dword of a register class is live, as ranges of positions along the layout.
//!
//! Non-linear VGPRs follow the logical CFG, SGPRs and linear VGPRs the linear one (DESIGN, "Liveness"). A dword is live where a use
//! may still come *and* a def may have come before: a value defined in a block that can be skipped is not live up to the
//! entry. Physical SGPRs, VGPRs and VCC that instructions name are tracked the same way; they count as defined at entry.
//!
//! Cost: linear in the instructions plus the sum over blocks of the dwords live there.
//!
//! Not here: EXEC, M0, SCC and MODE, which nobody allocates.

use super::{Block, BlockData, Inst, InstKind, MirFunc, Operand, Reg, RegClass, VReg};
use crate::amd::op::Format;
use crate::amd::target::Setting;
use crate::amd::{self, Feature, File, Flags, Sel, Target, Unused};
use crate::id::{EntityRef, SecondaryMap, side_table};
use smallvec::SmallVec;

/// Positions `[start, end)`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    pub start: u32,
    pub end: u32,
}

/// The live range of a dword: ascending, disjoint, not even touching.
pub type Range = SmallVec<[Segment; 2]>;

/// The tracked physical registers of a class: SGPRs with VCC at 106 and 107 as in the encodings, or VGPRs.
pub const PHYS_REGS: u32 = 256;

/// Index of the low half of VCC among the physical SGPRs.
pub const VCC_INDEX: u16 = 106;

/// Live ranges of one class.
pub struct Liveness {
    pub class: RegClass,
    /// First dword of each register of the class among `ranges`.
    base: SecondaryMap<VReg, u32>,
    /// One for each dword of the class's virtual registers, then [`PHYS_REGS`] for the physical ones.
    pub ranges: Vec<Range>,
    block_start: SecondaryMap<Block, u32>,
    starts: Vec<u32>,
    /// Behind the last position.
    pub end: u32,
    phys_base: u32,
}

/// What an instruction does with a register.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Role {
    Use,
    Def,
}

impl Liveness {
    pub fn compute(func: &MirFunc, class: RegClass, target: &Target) -> Liveness {
        let mut live = Liveness::number(func, class);
        let flow = Flow::new(func, &live);
        let (live_in, live_out) = global_ranges(func, &live, &flow);
        live.build_ranges(func, target, &live_in, &live_out);
        live
    }

    fn number(func: &MirFunc, class: RegClass) -> Liveness {
        let mut base = side_table(func.vregs.len(), u32::MAX);
        let mut count = 0;
        for (vreg, data) in func.vregs.iter().filter(|v| v.1.class == class) {
            base[vreg] = count;
            count += data.dwords as u32;
        }
        let mut block_start = SecondaryMap::new();
        let mut starts = vec![];
        let mut at = 0;
        for &block in &func.layout {
            block_start[block] = at;
            starts.push(at);
            at += 2 * (func.blocks[block].insts.len() as u32 + 1);
        }
        let ranges = vec![Range::new(); (count + PHYS_REGS) as usize];
        Liveness { class, base, ranges, block_start, starts, end: at, phys_base: count }
    }

    /// First positions of the blocks, in layout order.
    pub fn layout_starts(&self) -> Vec<u32> {
        self.starts.clone()
    }

    /// Ranges of the dwords of a virtual register of the class.
    pub fn of(&self, vreg: VReg, dwords: u8) -> &[Range] {
        let base = self.base[vreg] as usize;
        &self.ranges[base..base + dwords as usize]
    }

    /// Ranges of the physical registers, by index.
    pub fn phys(&self) -> &[Range] {
        &self.ranges[self.phys_base as usize..]
    }

    /// First dword and number of dwords of a register that is tracked here.
    fn dwords_of(&self, func: &MirFunc, reg: Reg) -> Option<(u32, u32)> {
        match reg {
            Reg::Virt(p) if func.vregs[p.vreg].class == self.class => {
                Some((self.base[p.vreg] + p.first as u32, p.dwords as u32))
            }
            Reg::Virt(_) => None,
            Reg::Phys(r) => phys_index(r, self.class).map(|i| (self.phys_base + i as u32, r.dwords as u32)),
        }
    }

    /// Fills `ranges`, going backwards through the layout so that each range grows at its front.
    fn build_ranges(&mut self, func: &MirFunc, target: &Target, live_in: &BlockLists, live_out: &BlockLists) {
        // Where the open range of a dword ends; 0 when none is open.
        let mut open = vec![0u32; self.ranges.len()];
        let mut touched: Vec<u32> = vec![];
        let mut in_stamp = vec![u32::MAX; self.ranges.len()];
        for (nth, &block) in func.layout.iter().enumerate().rev() {
            let insts = &func.blocks[block].insts;
            let start = self.block_start[block];
            let end = start + 2 * (insts.len() as u32 + 1);
            for &var in &live_out[block] {
                open[var as usize] = end;
                touched.push(var);
            }
            for (i, inst) in insts.iter().enumerate().rev() {
                let read = start + 2 * (i as u32 + 1);
                let last_read = if is_early_clobber(inst, target) { read + 2 } else { read + 1 };
                visit_all(inst, |reg, role| {
                    if role == Role::Use {
                        return;
                    }
                    let Some((first, count)) = self.dwords_of(func, reg) else { return };
                    for var in first..first + count {
                        let end = std::mem::take(&mut open[var as usize]).max(read + 2);
                        push_front(&mut self.ranges[var as usize], Segment { start: read + 1, end });
                    }
                });
                visit_all(inst, |reg, role| {
                    if role == Role::Def {
                        return;
                    }
                    let Some((first, count)) = self.dwords_of(func, reg) else { return };
                    for var in first..first + count {
                        if open[var as usize] < last_read {
                            open[var as usize] = last_read;
                            touched.push(var);
                        }
                    }
                });
            }
            live_in[block].iter().for_each(|&var| in_stamp[var as usize] = nth as u32);
            for var in touched.drain(..) {
                let end = std::mem::take(&mut open[var as usize]);
                // What is open but never defined before is undefined: it needs no register of its own.
                if end != 0 && in_stamp[var as usize] == nth as u32 {
                    push_front(&mut self.ranges[var as usize], Segment { start, end });
                }
            }
        }
        self.ranges.iter_mut().for_each(|range| range.reverse());
    }
}

/// Adds a segment that starts before those there, which stand in descending order; merges it with one that it touches.
fn push_front(range: &mut Range, segment: Segment) {
    match range.last_mut() {
        Some(last) if last.start <= segment.end => {
            last.start = segment.start;
            last.end = last.end.max(segment.end);
        }
        _ => range.push(segment),
    }
}

/// The index of a physical register's first dword in its class.
pub fn phys_index(reg: amd::Reg, class: RegClass) -> Option<u16> {
    match (reg.file, class) {
        (File::Vgpr, RegClass::Vgpr) | (File::Sgpr, RegClass::Sgpr) => Some(reg.index),
        (File::Vcc, RegClass::Sgpr) => Some(VCC_INDEX + reg.index),
        _ => None,
    }
}

/// Calls `f` for every register that an instruction reads or writes, implicit VCC and kept halves or lanes included.
pub fn visit_all(inst: &Inst, mut f: impl FnMut(Reg, Role)) {
    let f = std::cell::RefCell::new(&mut f);
    inst.visit(|reg| (f.borrow_mut())(reg, Role::Use), |reg| (f.borrow_mut())(reg, Role::Def));
    let InstKind::Op(op) = &inst.kind else { return };
    if op.op.flags.contains(Flags::READS_VCC) {
        (f.borrow_mut())(Reg::Phys(amd::Reg::VCC), Role::Use);
    }
    if op.op.flags.contains(Flags::WRITES_VCC) {
        (f.borrow_mut())(Reg::Phys(amd::Reg::VCC), Role::Def);
    }
    if keeps_part_of_def(op) {
        (f.borrow_mut())(op.defs[0], Role::Use);
    }
}

/// Whether part of the destination keeps its old value: half of it, what SDWA preserves, or lanes that DPP switches off.
pub fn keeps_part_of_def<R>(op: &amd::Inst<R>) -> bool {
    let half = op.mods.op_sel & 8 != 0;
    let lanes = op.mods.dpp.is_some_and(|d| !(d.bound_ctrl && d.row_mask == 15 && d.bank_mask == 15));
    let part = op.mods.sdwa.is_some_and(|s| s.unused == Unused::Preserve && s.dst != Sel::Dword);
    !op.defs.is_empty() && (half || lanes || part)
}

/// Whether no destination may share a register with a source.
///
/// A multi-dword SMEM load may be replayed with XNACK on, and needs its address then (`ABI_FACTS`, section 5).
/// `v_mad_u64_u32` of gfx1100 to gfx1103 may read a source after it wrote half of the result.
pub fn is_early_clobber(inst: &Inst, target: &Target) -> bool {
    let InstKind::Op(op) = &inst.kind else { return false };
    let Some(code) = op.op.opcode(target) else { return false };
    let replayed = matches!(target.xnack, Setting::Any | Setting::On);
    (code.format == Format::Smem && replayed && op.defs.iter().any(|d| d.dwords() > 1))
        || (target.has(Feature::MadForwardBug) && matches!(op.op.name, "v_mad_co_u64_u32" | "v_mad_co_i64_i32"))
}

type BlockLists = SecondaryMap<Block, Vec<u32>>;

/// Predecessors on both CFGs.
struct Flow {
    logical_preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    linear_preds: SecondaryMap<Block, SmallVec<[Block; 2]>>,
    /// Whether a dword follows the linear CFG.
    linear: Vec<bool>,
    /// By block, lower bounds of the places in the layout that may be reached from it.
    logical_lowest: Vec<u32>,
    linear_lowest: Vec<u32>,
    /// Places in the layout.
    place: Vec<u32>,
}

impl Flow {
    fn new(func: &MirFunc, live: &Liveness) -> Flow {
        let mut linear = vec![live.class == RegClass::Sgpr; live.ranges.len()];
        for (vreg, data) in func.vregs.iter().filter(|v| v.1.class == live.class && v.1.linear) {
            let base = live.base[vreg] as usize;
            linear[base..base + data.dwords as usize].fill(true);
        }
        let mut flow = Flow {
            logical_preds: SecondaryMap::new(),
            linear_preds: SecondaryMap::new(),
            linear,
            logical_lowest: lowest(func, |b| &b.logical_succs),
            linear_lowest: lowest(func, |b| &b.linear_succs),
            place: places(func),
        };
        for &block in &func.layout {
            let data = &func.blocks[block];
            data.logical_succs.iter().for_each(|&s| flow.logical_preds[s].push(block));
            data.linear_succs.iter().for_each(|&s| flow.linear_preds[s].push(block));
        }
        flow
    }
}

/// The place of each block in the layout.
fn places(func: &MirFunc) -> Vec<u32> {
    let mut place = vec![u32::MAX; func.blocks.len()];
    func.layout.iter().enumerate().for_each(|(i, b)| place[b.index()] = i as u32);
    place
}

/// For each block the start of the run of blocks that edges against the layout join to it, or its own place. From a block nothing
/// before that can be reached.
fn lowest(func: &MirFunc, succs: impl Fn(&BlockData) -> &SmallVec<[Block; 2]>) -> Vec<u32> {
    let place = places(func);
    // Edges back, as ranges of places. Ranges that share a block are one run.
    let mut runs: Vec<(u32, u32)> = vec![];
    for (at, &block) in func.layout.iter().enumerate() {
        let at = at as u32;
        runs.extend(succs(&func.blocks[block]).iter().map(|s| (place[s.index()], at)).filter(|r| r.0 <= r.1));
    }
    runs.sort_unstable();
    let mut lowest: Vec<u32> = place.clone();
    let mut runs = runs.into_iter().peekable();
    while let Some((start, mut end)) = runs.next() {
        while let Some(more) = runs.next_if(|next| next.0 <= end) {
            end = end.max(more.1);
        }
        for &block in &func.layout[start as usize..=end as usize] {
            lowest[block.index()] = start;
        }
    }
    lowest
}

/// Which dwords are live at the start and at the end of each block.
fn global_ranges(func: &MirFunc, live: &Liveness, flow: &Flow) -> (BlockLists, BlockLists) {
    let (exposed, defs) = block_summary(func, live);
    let mut live_in: BlockLists = SecondaryMap::new();
    let mut live_out: BlockLists = SecondaryMap::new();
    // Stamped with the dword that is being walked.
    let blocks = func.blocks.len();
    let (mut needs_in, mut needs_out) = (vec![u32::MAX; blocks], vec![u32::MAX; blocks]);
    let (mut has_def, mut reach_in) = (vec![u32::MAX; blocks], vec![u32::MAX; blocks]);
    let mut reach_out = vec![u32::MAX; blocks];
    let mut work: Vec<Block> = vec![];
    let mut outs: Vec<Block> = vec![];
    let mut next_def = 0;
    for uses in exposed.chunk_by(|a, b| a.0 == b.0) {
        let var = uses[0].0;
        while next_def < defs.len() && defs[next_def].0 < var {
            next_def += 1;
        }
        let linear = flow.linear[var as usize];
        let lowest = if linear { &flow.linear_lowest } else { &flow.logical_lowest };
        // Nothing before this place can have the value.
        let mut first = u32::MAX;
        while next_def < defs.len() && defs[next_def].0 == var {
            let block = defs[next_def].1.index();
            has_def[block] = var;
            first = first.min(lowest[block]);
            next_def += 1;
        }
        if var >= live.phys_base {
            first = 0;
        }
        if first == u32::MAX {
            continue;
        }
        let preds = if linear { &flow.linear_preds } else { &flow.logical_preds };
        // Backwards: where it may be needed.
        outs.clear();
        for &(_, block) in uses {
            needs_in[block.index()] = var;
            work.push(block);
        }
        while let Some(block) = work.pop() {
            for &p in &preds[block] {
                if flow.place[p.index()] < first {
                    continue;
                }
                if std::mem::replace(&mut needs_out[p.index()], var) == var {
                    continue;
                }
                outs.push(p);
                if has_def[p.index()] != var && std::mem::replace(&mut needs_in[p.index()], var) != var {
                    work.push(p);
                }
            }
        }
        // Forwards: where a def may have come before.
        let at_entry = var >= live.phys_base && needs_in[func.entry.index()] == var;
        if at_entry {
            reach_in[func.entry.index()] = var;
            live_in[func.entry].push(var);
            if needs_out[func.entry.index()] == var {
                work.push(func.entry);
            }
        }
        work.extend(outs.iter().copied().filter(|b| has_def[b.index()] == var));
        while let Some(block) = work.pop() {
            if std::mem::replace(&mut reach_out[block.index()], var) == var {
                continue;
            }
            live_out[block].push(var);
            let data = &func.blocks[block];
            for &s in if linear { &data.linear_succs } else { &data.logical_succs } {
                if needs_in[s.index()] == var && std::mem::replace(&mut reach_in[s.index()], var) != var {
                    live_in[s].push(var);
                    if needs_out[s.index()] == var {
                        work.push(s);
                    }
                }
            }
        }
    }
    (live_in, live_out)
}

/// (dword, block) pairs, sorted: dwords read in a block before they are written there, and where those are written.
#[allow(clippy::type_complexity)]
fn block_summary(func: &MirFunc, live: &Liveness) -> (Vec<(u32, Block)>, Vec<(u32, Block)>) {
    let (mut exposed, mut defs) = (vec![], vec![]);
    let mut defined = vec![u32::MAX; live.ranges.len()];
    let mut used = vec![u32::MAX; live.ranges.len()];
    for (nth, &block) in func.layout.iter().enumerate() {
        let nth = nth as u32;
        for inst in &func.blocks[block].insts {
            for wanted in [Role::Use, Role::Def] {
                visit_all(inst, |reg, role| {
                    if role != wanted {
                        return;
                    }
                    let Some((first, count)) = live.dwords_of(func, reg) else { return };
                    for var in first..first + count {
                        let known = &mut if role == Role::Use { &mut used } else { &mut defined }[var as usize];
                        if *known == nth {
                            continue;
                        }
                        *known = nth;
                        match role {
                            Role::Use if defined[var as usize] != nth => exposed.push((var, block)),
                            Role::Use => {}
                            Role::Def => defs.push((var, block)),
                        }
                    }
                });
            }
        }
    }
    // Most live within one block.
    let mut crosses = vec![false; live.ranges.len()];
    exposed.iter().for_each(|&(var, _)| crosses[var as usize] = true);
    defs.retain(|&(var, _)| crosses[var as usize]);
    exposed.sort_unstable();
    defs.sort_unstable();
    (exposed, defs)
}

/// The registers that an operand names.
pub fn operand_reg(operand: &Operand) -> Option<Reg> {
    match operand {
        Operand::Reg(r) => Some(*r),
        Operand::Imm(_) | Operand::Label(_) | Operand::Off => None,
    }
}
