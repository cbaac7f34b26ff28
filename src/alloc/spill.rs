//! Spilling: the rewriting of a function whose spilled registers live in slots.
//!
//! A definition is followed by a `Spill`, a use preceded by a `Reload` into a register of its own; copies move between slots
//! and registers directly. A dword whose only definition is a constant has no store: its uses make the constant again. A
//! spill under a narrower EXEC than the value's lanes is right, for it is per lane, and so is a reload.

use super::copies::{Source, Step, sequence};
use super::{Tag, Work};
use crate::amd::{self, File};
use crate::diag::Span;
use crate::id::SecondaryMap;
use crate::mir::liveness::{Role, visit_all};
use crate::mir::{Block, Inst, InstKind, Operand, Part, Reg, RegClass, VReg, constant_dword};
use smallvec::SmallVec;

/// Where a spilled register went.
#[derive(Clone, Debug)]
pub(super) struct Home {
    /// First slot of the register.
    pub slot: u32,
    /// The constant that a dword is, if that is all it ever is.
    pub constants: SmallVec<[Option<u32>; 2]>,
}

/// Rewrites the function so that none of the registers in `homes` is left.
pub(super) fn rewrite(work: &mut Work, class: RegClass, mut homes: SecondaryMap<VReg, Option<Home>>) {
    find_constants(work, &mut homes);
    for block in work.func.layout.clone() {
        let insts = std::mem::take(&mut work.func.blocks[block].insts);
        let tags = std::mem::take(&mut work.tags[block]);
        let mut ctx = Ctx { work, homes: &homes, class, block, tag: 0, span: Span::NONE };
        for (inst, tag) in insts.into_iter().zip(tags) {
            (ctx.tag, ctx.span) = (tag, inst.span);
            ctx.inst(inst);
        }
    }
}

/// Fills in `constants`.
fn find_constants(work: &Work, homes: &mut SecondaryMap<VReg, Option<Home>>) {
    let mut defs: SecondaryMap<VReg, SmallVec<[u8; 4]>> = SecondaryMap::new();
    for inst in work.func.layout.iter().flat_map(|&b| &work.func.blocks[b].insts) {
        let mut note = |reg: Reg, value: Option<u64>| {
            let Reg::Virt(p) = reg else { return };
            let Some(home) = &mut homes[p.vreg] else { return };
            let counts = &mut defs[p.vreg];
            counts.resize(home.constants.len(), 0);
            for k in 0..p.dwords {
                let dword = (p.first + k) as usize;
                counts[dword] = counts[dword].saturating_add(1);
                let value = value.map(|v| constant_dword(v, k));
                home.constants[dword] = value.filter(|_| counts[dword] == 1);
            }
        };
        match &inst.kind {
            InstKind::Copy { dst, src } => note(*dst, immediate(src)),
            InstKind::ParallelCopy(list) => list.iter().for_each(|(dst, src)| note(*dst, immediate(src))),
            InstKind::Op(op) if is_constant_move(op) => note(op.defs[0], immediate(&op.uses[0])),
            _ => visit_all(inst, |reg, role| {
                if role == Role::Def {
                    note(reg, None);
                }
            }),
        }
    }
}

fn immediate(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Imm(v) => Some(*v),
        Operand::Reg(_) | Operand::Label(_) | Operand::Off => None,
    }
}

/// `v_mov_b32` or `s_mov_b32` of a constant, without modifiers.
pub(super) fn is_constant_move(op: &amd::Inst<Reg>) -> bool {
    (op.op == amd::ops::v_mov_b32 || op.op == amd::ops::s_mov_b32)
        && op.mods == amd::Mods::default()
        && matches!(op.uses[0], Operand::Imm(_))
}

/// A dword that moves read or write.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
enum Loc {
    Virt(VReg, u8),
    Phys(amd::Reg),
    Slot(u32),
}

struct Ctx<'a> {
    work: &'a mut Work,
    homes: &'a SecondaryMap<VReg, Option<Home>>,
    class: RegClass,
    block: Block,
    /// Of the instruction being rewritten.
    tag: u32,
    span: Span,
}

impl Ctx<'_> {
    fn push(&mut self, kind: InstKind, tag: u32) {
        self.work.func.blocks[self.block].insts.push(Inst::new(kind, self.span));
        self.work.tags[self.block].push(tag);
    }

    /// A register that lives only around this instruction.
    fn temporary(&mut self, class: RegClass, dwords: u8) -> VReg {
        let vreg = self.work.func.new_vreg(class, dwords);
        self.work.temporary[vreg] = true;
        vreg
    }

    fn inst(&mut self, inst: Inst) {
        let mut spilled: SmallVec<[VReg; 4]> = SmallVec::new();
        visit_all(&inst, |reg, _| {
            if let Reg::Virt(p) = reg
                && self.homes[p.vreg].is_some()
                && !spilled.contains(&p.vreg)
            {
                spilled.push(p.vreg);
            }
        });
        if spilled.is_empty() {
            self.work.func.blocks[self.block].insts.push(inst);
            self.work.tags[self.block].push(self.tag);
            return;
        }
        match inst.kind {
            InstKind::Copy { dst, src } => self.copies(&[(dst, src)]),
            InstKind::ParallelCopy(list) => self.copies(&list),
            InstKind::Undef { dst } => {
                // Dwords that are not spilled stay undefined without being told.
                let _ = dst;
            }
            InstKind::Op(ref op) if is_constant_move(op) && self.is_constant(op.defs[0]) => {}
            _ => self.around(inst, &spilled),
        }
    }

    /// Whether every dword of a spilled register is remade at its uses.
    fn is_constant(&self, reg: Reg) -> bool {
        let Reg::Virt(p) = reg else { return false };
        let Some(home) = &self.homes[p.vreg] else { return false };
        (p.first..p.first + p.dwords).all(|k| home.constants[k as usize].is_some())
    }

    /// An instruction with reloads before and spills behind it.
    fn around(&mut self, mut inst: Inst, spilled: &[VReg]) {
        // A move is a piece of its copy, whose other pieces have the same tag.
        let (before, after) = match inst.kind {
            InstKind::Op(_) | InstKind::GlobalAddr { .. } => (Tag::before(self.tag), Tag::after(self.tag)),
            _ => (self.tag, self.tag),
        };
        let mut stores = vec![];
        for &vreg in spilled {
            let Some(home) = self.homes[vreg].clone() else { continue };
            // Dwords named, read and written.
            let (mut first, mut last, mut read, mut written) = (u8::MAX, 0, 0u64, 0u64);
            visit_all(&inst, |reg, role| {
                if let Reg::Virt(p) = reg
                    && p.vreg == vreg
                {
                    (first, last) = (first.min(p.first), last.max(p.first + p.dwords - 1));
                    let bits = ((1u64 << p.dwords) - 1) << p.first;
                    match role {
                        Role::Use => read |= bits,
                        Role::Def => written |= bits,
                    }
                }
            });
            let temp = self.temporary(self.class, last - first + 1);
            let part = |dword: u8| Reg::Virt(Part { vreg: temp, first: dword - first, dwords: 1 });
            for dword in (first..=last).filter(|d| read >> d & 1 == 1) {
                let kind = match home.constants[dword as usize] {
                    Some(value) => InstKind::Copy { dst: part(dword), src: Operand::Imm(value.into()) },
                    None => InstKind::Reload { dst: part(dword), slot: home.slot + dword as u32 },
                };
                self.push(kind, before);
            }
            for dword in (first..=last).filter(|d| written >> d & 1 == 1) {
                if home.constants[dword as usize].is_none() {
                    stores.push(InstKind::Spill { slot: home.slot + dword as u32, src: part(dword) });
                }
            }
            map_regs(&mut inst, |reg| match reg {
                Reg::Virt(p) if p.vreg == vreg => {
                    Reg::Virt(Part { vreg: temp, first: p.first - first, dwords: p.dwords })
                }
                other => other,
            });
        }
        self.work.func.blocks[self.block].insts.push(inst);
        self.work.tags[self.block].push(self.tag);
        for store in stores {
            self.push(store, after);
        }
    }

    fn loc(&self, reg: Reg) -> Loc {
        match reg {
            Reg::Virt(p) => match &self.homes[p.vreg] {
                Some(home) => Loc::Slot(home.slot + p.first as u32),
                None => Loc::Virt(p.vreg, p.first),
            },
            Reg::Phys(r) => Loc::Phys(r),
        }
    }

    /// Copies that happen at once, as moves one after the other.
    fn copies(&mut self, list: &[(Reg, Operand)]) {
        let mut moves: Vec<(Loc, Source<Loc, u32>)> = vec![];
        for (dst, src) in list {
            let mut src = *src;
            if let Operand::Reg(Reg::Phys(r)) = src
                && is_aperture(r.file)
            {
                // Its halves cannot be read alone.
                let temp = self.temporary(RegClass::Sgpr, r.dwords);
                let temp = self.work.func.reg(temp);
                self.push(InstKind::Copy { dst: temp, src }, self.tag);
                src = Operand::Reg(temp);
            }
            for k in 0..dst.dwords() {
                if self.is_constant(dst.sub(k, 1)) {
                    continue;
                }
                let from = match src {
                    Operand::Reg(r) => match self.constant(r.sub(k, 1)) {
                        Some(value) => Source::Other(value),
                        None => Source::Loc(self.loc(r.sub(k, 1))),
                    },
                    Operand::Imm(v) => Source::Other(constant_dword(v, k)),
                    Operand::Label(_) | Operand::Off => continue,
                };
                moves.push((self.loc(dst.sub(k, 1)), from));
            }
        }
        let mut cycles: Vec<(Loc, VReg)> = vec![];
        let classes: Vec<(Loc, RegClass)> = moves.iter().map(|m| (m.0, self.loc_class(m.0))).collect();
        let steps = sequence(&moves, |loc| {
            let class = classes.iter().find(|c| c.0 == loc).map_or(self.class, |c| c.1);
            let temp = self.temporary(class, 1);
            cycles.push((loc, temp));
            Some(Loc::Virt(temp, 0))
        });
        for step in steps {
            match step {
                Step::Move(dst, src) => self.step(dst, src),
                // Every cycle has its temporary.
                Step::Swap(..) => {}
            }
        }
    }

    fn constant(&self, reg: Reg) -> Option<u32> {
        let Reg::Virt(p) = reg else { return None };
        self.homes[p.vreg].as_ref().and_then(|home| home.constants[p.first as usize])
    }

    fn loc_class(&self, loc: Loc) -> RegClass {
        match loc {
            Loc::Virt(vreg, _) => self.work.func.vregs[vreg].class,
            Loc::Phys(r) => self.work.func.class(Reg::Phys(r)),
            Loc::Slot(_) => self.class,
        }
    }

    fn step(&mut self, dst: Loc, src: Source<Loc, u32>) {
        let tag = self.tag;
        let reg = |loc: Loc| match loc {
            Loc::Virt(vreg, first) => Some(Reg::Virt(Part { vreg, first, dwords: 1 })),
            Loc::Phys(r) => Some(Reg::Phys(r)),
            Loc::Slot(_) => None,
        };
        // The source as an operand: from a slot by way of the destination, if that may be reloaded, or a temporary.
        let src = match src {
            Source::Other(value) => Operand::Imm(value.into()),
            Source::Loc(Loc::Slot(slot)) => {
                if let Some(dst) = reg(dst)
                    && self.work.func.class(dst) == self.class
                    && matches!(dst, Reg::Virt(_))
                {
                    return self.push(InstKind::Reload { dst, slot }, tag);
                }
                let temp = self.temporary(self.class, 1);
                let temp = self.work.func.reg(temp);
                self.push(InstKind::Reload { dst: temp, slot }, tag);
                Operand::Reg(temp)
            }
            Source::Loc(loc) => match reg(loc) {
                Some(r) => Operand::Reg(r),
                None => return,
            },
        };
        match (dst, src) {
            (Loc::Slot(slot), Operand::Reg(r)) if is_storable(&self.work.func, r, self.class) => {
                self.push(InstKind::Spill { slot, src: r }, tag);
            }
            (Loc::Slot(slot), src) => {
                let temp = self.temporary(self.class, 1);
                let temp = self.work.func.reg(temp);
                self.push(InstKind::Copy { dst: temp, src }, tag);
                self.push(InstKind::Spill { slot, src: temp }, tag);
            }
            (Loc::Virt(..) | Loc::Phys(_), src) => {
                if let Some(dst) = reg(dst) {
                    self.push(InstKind::Copy { dst, src }, tag);
                }
            }
        }
    }
}

fn is_storable(func: &crate::mir::MirFunc, reg: Reg, class: RegClass) -> bool {
    match reg {
        Reg::Virt(p) => func.vregs[p.vreg].class == class,
        Reg::Phys(r) => matches!((r.file, class), (File::Vgpr, RegClass::Vgpr) | (File::Sgpr, RegClass::Sgpr)),
    }
}

/// The 64-bit registers whose useful half is the high one.
pub(super) fn is_aperture(file: File) -> bool {
    matches!(
        file,
        File::SharedBase | File::SharedLimit | File::PrivateBase | File::PrivateLimit | File::FlatScratchBase
    )
}

/// Replaces every register of an instruction.
pub(super) fn map_regs(inst: &mut Inst, mut map: impl FnMut(Reg) -> Reg) {
    let operand = |o: &mut Operand, map: &mut dyn FnMut(Reg) -> Reg| {
        if let Operand::Reg(r) = o {
            *r = map(*r);
        }
    };
    match &mut inst.kind {
        InstKind::Op(op) => {
            op.uses.iter_mut().for_each(|o| operand(o, &mut map));
            op.defs.iter_mut().for_each(|r| *r = map(*r));
        }
        InstKind::Copy { dst, src } => {
            operand(src, &mut map);
            *dst = map(*dst);
        }
        InstKind::ParallelCopy(list) => {
            for (dst, src) in list {
                operand(src, &mut map);
                *dst = map(*dst);
            }
        }
        InstKind::MaskMerge { dst, src, scratch } => {
            operand(src, &mut map);
            *dst = map(*dst);
            *scratch = map(*scratch);
        }
        InstKind::GlobalAddr { dst, .. } | InstKind::Reload { dst, .. } => *dst = map(*dst),
        InstKind::Undef { dst } | InstKind::LiveLanes { dst } => *dst = map(*dst),
        InstKind::Spill { src, .. } => *src = map(*src),
    }
}

/// An empty home for a register of `dwords`, at a slot.
pub(super) fn home(slot: u32, dwords: u8) -> Home {
    Home { slot, constants: SmallVec::from_elem(None, dwords as usize) }
}
