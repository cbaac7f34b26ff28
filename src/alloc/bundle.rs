//! Bundles: virtual registers that share a place, and the coalescing of copies that makes them.
//!
//! A bundle is a run of dwords; each of its members stands at an offset in it. Two bundles join along a copy when, at the offsets
//! that the copy asks for, no two of their dwords are live at once. That is how vector operands are built in place, phi
//! copies vanish, and halves of pairs are no copies.

use super::weight;
use crate::amd::op::SlotKind;
use crate::amd::{Feature, Flags, Target};
use crate::id::{SecondaryMap, side_table};
use crate::mir::liveness::{Liveness, Range, Segment, operand_reg, phys_index, visit_all};
use crate::mir::{Inst, InstKind, MirFunc, Operand, Part, Reg, RegClass, VReg};
use smallvec::{SmallVec, smallvec};

/// Whether a bundle may live in VCC, where 32-bit encodings of compares, carries and selects want it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Vcc {
    Never,
    May,
    Prefer,
}

#[derive(Clone, Debug)]
pub(super) struct Bundle {
    /// The first register is `phase` modulo `align`, a power of two.
    pub align: u8,
    pub phase: u8,
    /// One for each dword.
    pub ranges: SmallVec<[Range; 1]>,
    /// Virtual registers and the dwords they stand at.
    pub members: SmallVec<[(VReg, u8); 1]>,
    /// Loads and stores that spilling costs, weighted by loop depth.
    pub cost: f32,
    /// Infinite for what must not be spilled.
    pub spillable: bool,
    /// The first register that would make a copy from or to a physical register vanish.
    pub hint: Option<u16>,
    pub vcc: Vcc,
}

impl Bundle {
    pub fn width(&self) -> u8 {
        self.ranges.len() as u8
    }

    /// First position of any dword; `u32::MAX` when none is ever live.
    pub fn start(&self) -> u32 {
        self.ranges.iter().filter_map(|r| r.first()).map(|s| s.start).min().unwrap_or(u32::MAX)
    }

    /// Cost of spilling it per position that this frees.
    pub fn density(&self) -> f32 {
        if !self.spillable {
            return f32::INFINITY;
        }
        let length: u32 = self.ranges.iter().flatten().map(|s| s.end - s.start).sum();
        self.cost / length.max(1) as f32
    }
}

/// The bundles of a class, and where each virtual register of the class stands.
pub(super) struct Bundles {
    pub list: Vec<Bundle>,
    /// Index and dword offset.
    pub of: SecondaryMap<VReg, (u32, u8)>,
}

/// First register of a group of `dwords`: a multiple of this.
pub(super) fn alignment(class: RegClass, dwords: u8, target: &Target) -> u8 {
    match (class, dwords) {
        (_, 1) => 1,
        (RegClass::Sgpr, 2) => 2,
        (RegClass::Sgpr, _) => 4,
        (RegClass::Vgpr, _) if target.has(Feature::EvenVgprTuples) => 2,
        (RegClass::Vgpr, _) => 1,
    }
}

/// Makes the bundles of a class. `is_temporary` says which registers spilling made: those stay alone and are not spilled again.
pub(super) fn build(func: &MirFunc, live: &Liveness, target: &Target, is_temporary: impl Fn(VReg) -> bool) -> Bundles {
    let class = live.class;
    let uses = Usage::collect(func, class, target);
    let mut bundles = Bundles { list: vec![], of: side_table(func.vregs.len(), (u32::MAX, 0)) };
    for (vreg, data) in func.vregs.iter().filter(|v| v.1.class == class) {
        let mut ranges: SmallVec<[Range; 1]> = live.of(vreg, data.dwords).iter().cloned().collect();
        if data.linear && class == RegClass::Vgpr && ranges.iter().any(|r| !r.is_empty()) {
            // Written under any EXEC: no lane of another value may wait in the register, at any time.
            ranges.iter_mut().for_each(|r| *r = smallvec![Segment { start: 0, end: live.end }]);
        }
        bundles.of[vreg] = (bundles.list.len() as u32, 0);
        bundles.list.push(Bundle {
            align: alignment(class, data.dwords, target),
            phase: 0,
            ranges,
            members: smallvec![(vreg, 0)],
            cost: uses.cost[vreg],
            spillable: !is_temporary(vreg) && !uses.pinned[vreg] && !data.linear,
            hint: None,
            vcc: uses.vcc[vreg],
        });
    }
    let alone = |vreg: VReg| is_temporary(vreg) || func.vregs[vreg].linear;
    for copy in copies(func, class) {
        match (copy.dst, copy.src) {
            (Reg::Virt(dst), Reg::Virt(src)) => {
                if !alone(dst.vreg) && !alone(src.vreg) {
                    bundles.join(dst, src);
                }
            }
            (Reg::Virt(virt), Reg::Phys(phys)) | (Reg::Phys(phys), Reg::Virt(virt)) => {
                let (bundle, offset) = bundles.of[virt.vreg];
                let wanted = phys_index(phys, class).and_then(|i| i.checked_sub(offset as u16 + virt.first as u16));
                let bundle = &mut bundles.list[bundle as usize];
                bundle.hint = bundle.hint.or(wanted);
            }
            (Reg::Phys(_), Reg::Phys(_)) => {}
        }
    }
    bundles
}

struct CopyOf {
    dst: Reg,
    src: Reg,
    weight: f32,
}

/// Register copies within a class, the heaviest first.
fn copies(func: &MirFunc, class: RegClass) -> Vec<CopyOf> {
    let mut copies = vec![];
    for &block in &func.layout {
        let data = &func.blocks[block];
        let weight = weight(data.loop_depth);
        let mut add = |dst: &Reg, src: &Operand| {
            if let Some(src) = operand_reg(src)
                && func.class(*dst) == class
                && func.class(src) == class
            {
                copies.push(CopyOf { dst: *dst, src, weight });
            }
        };
        for inst in &data.insts {
            match &inst.kind {
                InstKind::Copy { dst, src } => add(dst, src),
                InstKind::ParallelCopy(list) => list.iter().for_each(|(dst, src)| add(dst, src)),
                _ => {}
            }
        }
    }
    copies.sort_by(|a, b| b.weight.total_cmp(&a.weight));
    copies
}

impl Bundles {
    /// Puts the two parts into one place, if nothing speaks against it.
    fn join(&mut self, dst: Part, src: Part) {
        let (a, a_offset) = self.of[dst.vreg];
        let (b, b_offset) = self.of[src.vreg];
        if a == b {
            return;
        }
        // Dword 0 of b at dword `delta` of a.
        let delta = (a_offset + dst.first) as i32 - (b_offset + src.first) as i32;
        let (keep, gone, delta) = match self.list[a as usize].members.len() >= self.list[b as usize].members.len() {
            true => (a as usize, b as usize, delta),
            false => (b as usize, a as usize, -delta),
        };
        let (k, g) = (&self.list[keep], &self.list[gone]);
        let shift = (-delta).max(0);
        let (k_at, g_at) = (shift, delta + shift);
        let width = (k_at + k.width() as i32).max(g_at + g.width() as i32);
        let widest = k.width().max(g.width()) as i32;
        if k.vcc != g.vcc && (k.vcc == Vcc::Never || g.vcc == Vcc::Never) && k.vcc.max(g.vcc) == Vcc::Prefer {
            // A mask keeps its chance of VCC.
            return;
        }
        if width > widest.max(4) || width > 32 {
            return;
        }
        let (k_phase, g_phase) = ((k.phase as i32 - k_at) as u8, (g.phase as i32 - g_at) as u8);
        let common = k.align.min(g.align);
        if (k_phase ^ g_phase) & (common - 1) != 0 {
            return;
        }
        for (i, range) in g.ranges.iter().enumerate() {
            let other = usize::try_from(g_at + i as i32 - k_at).ok().and_then(|at| k.ranges.get(at));
            if other.is_some_and(|other| overlap(range, other)) {
                return;
            }
        }
        let gone = std::mem::replace(&mut self.list[gone], Bundle::nothing());
        let k = &mut self.list[keep];
        (k.align, k.phase) = if gone.align > k.align { (gone.align, g_phase) } else { (k.align, k_phase) };
        k.phase &= k.align - 1;
        (0..k_at).for_each(|_| k.ranges.insert(0, Range::new()));
        k.ranges.resize(width as usize, Range::new());
        for (i, range) in gone.ranges.into_iter().enumerate() {
            unite(&mut k.ranges[g_at as usize + i], range);
        }
        k.cost += gone.cost;
        k.spillable &= gone.spillable;
        k.vcc = k.vcc.min(gone.vcc);
        k.hint = k.hint.and_then(|h| h.checked_sub(k_at as u16));
        k.hint = k.hint.or(gone.hint.and_then(|h| h.checked_sub(g_at as u16)));
        if k_at > 0 {
            for (vreg, offset) in &mut k.members {
                *offset += k_at as u8;
                self.of[*vreg] = (keep as u32, *offset);
            }
        }
        for (vreg, offset) in gone.members {
            let at = offset + g_at as u8;
            k.members.push((vreg, at));
            self.of[vreg] = (keep as u32, at);
        }
    }
}

impl Bundle {
    fn nothing() -> Bundle {
        Bundle {
            align: 1,
            phase: 0,
            ranges: SmallVec::new(),
            members: SmallVec::new(),
            cost: 0.0,
            spillable: false,
            hint: None,
            vcc: Vcc::Never,
        }
    }
}

/// Whether two ranges share a position. Searches the longer for each segment of the shorter.
pub(super) fn overlap(a: &Range, b: &Range) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    short.iter().any(|s| {
        let i = long.partition_point(|l| l.end <= s.start);
        long.get(i).is_some_and(|l| l.start < s.end)
    })
}

/// Adds the segments of a range that does not overlap.
fn unite(into: &mut Range, other: Range) {
    if into.is_empty() {
        *into = other;
        return;
    }
    let (mut long, short) =
        if into.len() >= other.len() { (std::mem::take(into), other) } else { (other, std::mem::take(into)) };
    for s in short {
        let i = long.partition_point(|l| l.end < s.start);
        // `long[i]` is the first that touches or follows.
        let joins_left = long.get(i).is_some_and(|l| l.end == s.start);
        if joins_left {
            long[i].end = s.end;
            if long.get(i + 1).is_some_and(|l| l.start == s.end) {
                long[i].end = long[i + 1].end;
                long.remove(i + 1);
            }
        } else if long.get(i).is_some_and(|l| l.start == s.end) {
            long[i].start = s.start;
        } else {
            long.insert(i, s);
        }
    }
    *into = long;
}

/// What the instructions say about each virtual register.
struct Usage {
    cost: SecondaryMap<VReg, f32>,
    /// Read in lanes that EXEC may have switched off: a spill would not keep those.
    pinned: SecondaryMap<VReg, bool>,
    vcc: SecondaryMap<VReg, Vcc>,
}

impl Usage {
    fn collect(func: &MirFunc, class: RegClass, target: &Target) -> Usage {
        let count = func.vregs.len();
        let mut usage =
            Usage { cost: side_table(count, 0.0), pinned: side_table(count, false), vcc: side_table(count, Vcc::May) };
        for (vreg, data) in func.vregs.iter() {
            if data.class != RegClass::Sgpr || data.dwords != target.mask_dwords() {
                usage.vcc[vreg] = Vcc::Never;
            }
        }
        for &block in &func.layout {
            let data = &func.blocks[block];
            let weight = weight(data.loop_depth);
            for inst in &data.insts {
                visit_all(inst, |reg, _| {
                    if let Reg::Virt(p) = reg
                        && func.vregs[p.vreg].class == class
                    {
                        usage.cost[p.vreg] += weight * p.dwords as f32;
                    }
                });
                usage.note(func, inst);
            }
        }
        usage
    }

    fn note(&mut self, func: &MirFunc, inst: &Inst) {
        let InstKind::Op(op) = &inst.kind else { return };
        let wave = op.op.flags.contains(Flags::IGNORES_EXEC);
        let slots = op.op.defs.iter().chain(op.op.uses);
        let regs = op.defs.iter().copied().map(Some).chain(op.uses.iter().map(operand_reg));
        let memory = Flags::LOAD | Flags::STORE | Flags::ATOMIC;
        let scalar_memory = op.op.flags.intersects(memory) && op.op.is_scalar();
        for (slot, reg) in slots.zip(regs) {
            let Some(Reg::Virt(p)) = reg else { continue };
            if wave && func.vregs[p.vreg].class == RegClass::Vgpr {
                self.pinned[p.vreg] = true;
            }
            let vcc = match slot.kind {
                SlotKind::Mask => Vcc::Prefer,
                SlotKind::Sgpr if scalar_memory => Vcc::Never,
                SlotKind::SgprOrOff => Vcc::Never,
                SlotKind::Vgpr
                | SlotKind::Agpr
                | SlotKind::Sgpr
                | SlotKind::Src
                | SlotKind::Ssrc
                | SlotKind::VgprOrOff
                | SlotKind::VgprAddr
                | SlotKind::Simm16
                | SlotKind::Literal
                | SlotKind::Label => continue,
            };
            let known = &mut self.vcc[p.vreg];
            if *known != Vcc::Never {
                *known = vcc;
            }
        }
    }
}
