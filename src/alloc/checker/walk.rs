//! The symbolic execution of one block.

use super::names::{PHYS_SGPRS, VCC, is_mov};
use super::places::Places;
use super::{CONSTANT, Checker, Fault, Loc, SPECIAL, Value, Values};
use crate::alloc::Tag;
use crate::amd::{self, Feature, File, Flags};
use crate::mir::liveness::{is_early_clobber, keeps_part_of_def};
use crate::mir::{Block, Inst, InstKind, Operand, Reg, RegClass, constant_dword};
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// One pass through a block.
pub(super) struct Walk<'a> {
    checker: &'a Checker<'a>,
    block: Block,
    checking: bool,
    /// Whether the block has a logical predecessor, so that `vector` means something.
    pub(super) check_vector: bool,
    pub(super) scalar: Places,
    pub(super) vector: Places,
    /// Values defined in this block that are not global.
    local: BTreeSet<u32>,
    /// What the instructions of this tag wrote to EXEC, M0 and the like.
    special: Vec<(amd::Reg, Values)>,
    /// Index of the allocated instruction.
    at: usize,
}

impl<'a> Walk<'a> {
    pub(super) fn new(checker: &'a Checker<'a>, block: Block, checking: bool) -> Walk<'a> {
        Walk {
            checker,
            block,
            checking,
            check_vector: true,
            scalar: Places::default(),
            vector: Places::default(),
            local: BTreeSet::new(),
            special: vec![],
            at: 0,
        }
    }

    fn fault(&self, message: impl Into<String>) -> Fault {
        Fault { block: self.block, inst: self.at, message: message.into() }
    }

    pub(super) fn block(&mut self) -> Result<(), Fault> {
        let original = &self.checker.original.blocks[self.block].insts;
        let allocated = &self.checker.allocated.blocks[self.block].insts;
        let tags = &self.checker.tags[self.block];
        let mut next = 0;
        let mut at = 0;
        while at < allocated.len() {
            self.at = at;
            let tag = *tags.get(at).ok_or_else(|| self.fault("has no tag"))?;
            let index = Tag::index(tag);
            let reached = if tag % 4 == 2 { index + 1 } else { index };
            while next < reached {
                self.pseudo(&original[next])?;
                next += 1;
            }
            let own = original.get(index).filter(|o| Tag::is_main(tag) && is_machine(o));
            if let Some(own) = own {
                if next != index {
                    return Err(self.fault("original instructions out of order"));
                }
                self.own(own, &allocated[at])?;
                next += 1;
                at += 1;
            } else {
                at += self.inserted(&allocated[at..])?;
            }
        }
        while next < original.len() {
            self.pseudo(&original[next])?;
            next += 1;
        }
        Ok(())
    }

    fn is_linear(&self, value: u32) -> bool {
        self.checker.names.linear[value as usize]
    }

    fn state(&mut self, linear: bool) -> &mut Places {
        if linear { &mut self.scalar } else { &mut self.vector }
    }

    /// Where a physical dword is, for a value that follows the linear CFG or one that does not.
    fn loc(&self, reg: amd::Reg, k: u8, linear: bool) -> Option<Loc> {
        let index = reg.index + k as u16;
        match reg.file {
            File::Sgpr => Some(Loc::Sgpr(index)),
            File::Vcc => Some(Loc::Sgpr(VCC + index)),
            File::Vgpr if linear => Some(Loc::LinearVgpr(index)),
            File::Vgpr => Some(Loc::Vgpr(index)),
            _ => None,
        }
    }

    fn is_defined(&self, value: u32) -> bool {
        let global = self.checker.names.global[value as usize];
        let state = if self.is_linear(value) { &self.scalar } else { &self.vector };
        if global == u32::MAX { self.local.contains(&value) } else { state.is_defined(global) }
    }

    fn set_defined(&mut self, value: u32) {
        let global = self.checker.names.global[value as usize];
        if global == u32::MAX {
            self.local.insert(value);
            return;
        }
        let globals = self.checker.names.globals;
        let linear = self.is_linear(value);
        self.state(linear).set_defined(global, globals);
    }

    fn set_undefined(&mut self, value: u32) {
        let global = self.checker.names.global[value as usize];
        self.local.remove(&value);
        let linear = self.is_linear(value);
        self.state(linear).set_undefined(global);
    }

    /// Forgets a value that is about to be defined anew.
    fn forget(&mut self, value: u32) {
        self.scalar.forget(value.into());
        self.vector.forget(value.into());
    }

    /// Checks that a physical dword holds a value.
    fn expect(&mut self, value: u32, reg: amd::Reg, k: u8, what: &str) -> Result<(), Fault> {
        let linear = self.is_linear(value);
        if !self.checking || !self.is_defined(value) || (!linear && !self.check_vector) {
            return Ok(());
        }
        let state = if linear { &self.scalar } else { &self.vector };
        let held = self.loc(reg, k, linear).and_then(|loc| state.get(loc));
        if held.is_some_and(|h| h.iter().any(|v| self.stands_for(*v, value as u64))) {
            return Ok(());
        }
        let name = self.name(value);
        let held: Vec<String> = held.into_iter().flatten().map(|v| self.value_name(*v)).collect();
        let holders = self.state(linear).holders(value.into()).iter();
        let holders: Vec<String> = holders.map(|loc| format!("{loc:?}")).collect();
        let (held, holders) = (held.join(", "), holders.join(", "));
        Err(self
            .fault(format!("{what} `{name}` is not in dword {k} of {reg}, which holds [{held}]; it is in [{holders}]")))
    }

    /// Whether what a place holds is as good as a value: itself, or the constant that it always is.
    fn stands_for(&self, held: Value, value: Value) -> bool {
        let constant = || self.checker.names.constant[value as usize].map(|c| CONSTANT | c as u64);
        held == value || (value < CONSTANT && constant() == Some(held))
    }

    fn value_name(&self, value: Value) -> String {
        match value {
            v if v >= SPECIAL => "a special register".into(),
            v if v >= CONSTANT => format!("{:#x}", v as u32),
            v => self.name(v as u32),
        }
    }

    fn name(&self, value: u32) -> String {
        let names = &self.checker.names;
        match value.checked_sub(names.phys_base) {
            Some(index) if index < PHYS_SGPRS => format!("s{index}"),
            Some(index) => format!("v{}", index - PHYS_SGPRS),
            None => {
                let vreg = self.checker.original.vregs.keys().rfind(|&v| names.base[v] <= value);
                vreg.map_or(String::new(), |v| format!("{v}[{}]", value - names.base[v]))
            }
        }
    }

    /// Puts values into a dword, which loses what it held in every sense.
    fn write(&mut self, reg: amd::Reg, k: u8, linear: bool, values: Values) {
        let Some(loc) = self.loc(reg, k, linear) else {
            self.special.push((reg.sub(k, 1), values));
            return;
        };
        if reg.file == File::Vgpr {
            let index = reg.index + k as u16;
            self.vector.remove(Loc::Vgpr(index));
            self.scalar.remove(Loc::LinearVgpr(index));
            self.scalar.remove_lanes(index);
        }
        let in_scalar = !matches!(loc, Loc::Vgpr(_) | Loc::Scratch(_));
        self.state(in_scalar).insert(loc, values);
    }

    fn define(&mut self, from: Reg, to: amd::Reg) -> Result<(), Fault> {
        for k in 0..from.dwords() {
            let Some(value) = self.checker.names.value(from, k) else { continue };
            self.forget(value);
            self.set_defined(value);
            let linear = self.is_linear(value);
            self.write(to, k, linear, smallvec![value as u64]);
        }
        Ok(())
    }

    /// An original instruction beside its allocated form.
    fn own(&mut self, original: &Inst, allocated: &Inst) -> Result<(), Fault> {
        match (&original.kind, &allocated.kind) {
            (InstKind::Op(o), InstKind::Op(a)) => self.own_op(original, o, a),
            (
                InstKind::GlobalAddr { dst, global, addend },
                InstKind::GlobalAddr { dst: Reg::Phys(to), global: g, addend: b },
            ) if global == g && addend == b => {
                self.check_place(*dst, *to)?;
                self.define(*dst, *to)
            }
            _ => Err(self.fault("differs from the original instruction")),
        }
    }

    fn own_op(&mut self, inst: &Inst, o: &amd::Inst<Reg>, a: &amd::Inst<Reg>) -> Result<(), Fault> {
        if o.op != a.op || o.mods != a.mods || o.defs.len() != a.defs.len() || o.uses.len() != a.uses.len() {
            return Err(self.fault("differs from the original instruction"));
        }
        for (slot, (from, to)) in o.op.uses.iter().zip(o.uses.iter().zip(&a.uses)) {
            match (from, to) {
                (Operand::Reg(from), Operand::Reg(Reg::Phys(to))) => {
                    self.check_place(*from, *to)?;
                    for k in 0..from.dwords() {
                        if let Some(value) = self.checker.names.value(*from, k) {
                            self.expect(value, *to, k, "source")?;
                        }
                    }
                }
                // A tied constant was moved into the destination.
                (Operand::Imm(bits), Operand::Reg(Reg::Phys(to))) if slot.tied => {
                    let linear = to.file != File::Vgpr;
                    let held = self.loc(*to, 0, linear);
                    let state = if linear { &self.scalar } else { &self.vector };
                    let wanted = CONSTANT | (*bits & 0xffff_ffff);
                    let found = held.and_then(|l| state.get(l)).is_some_and(|h| h.contains(&wanted));
                    if self.checking && !found {
                        return Err(self.fault(format!("tied constant {bits} is not in {to}")));
                    }
                }
                (Operand::Imm(_) | Operand::Label(_) | Operand::Off, to) if from == to => {}
                _ => return Err(self.fault("a source differs from the original's")),
            }
            if slot.tied && *to != Operand::Reg(a.defs[0]) {
                return Err(self.fault("a tied source is not the destination"));
            }
        }
        if o.op.flags.contains(Flags::READS_VCC) {
            let vcc = amd::Reg::vcc(self.checker.target.wave_lanes());
            for k in 0..vcc.dwords {
                if let Some(value) = self.checker.names.value(Reg::Phys(vcc), k) {
                    self.expect(value, vcc, k, "implicit source")?;
                }
            }
        }
        let defs: SmallVec<[amd::Reg; 2]> = a.defs.iter().filter_map(|d| phys(*d)).collect();
        if keeps_part_of_def(o) {
            for k in 0..o.defs[0].dwords() {
                if let Some(value) = self.checker.names.value(o.defs[0], k) {
                    self.expect(value, defs[0], k, "kept part")?;
                }
            }
        }
        if is_early_clobber(inst, self.checker.target) {
            for (from, to) in o.uses.iter().zip(&a.uses) {
                let (Operand::Reg(from), Operand::Reg(Reg::Phys(to))) = (from, to) else { continue };
                for k in 0..to.dwords {
                    let matters = self.checker.names.value(*from, k).is_none_or(|v| self.is_defined(v));
                    if matters && defs.iter().any(|d| d.overlaps(to.sub(k, 1))) {
                        return Err(self.fault("a destination overlaps a source"));
                    }
                }
            }
        }
        if defs.len() == 2 && defs[0].overlaps(defs[1]) {
            return Err(self.fault("the destinations overlap"));
        }
        if o.op.flags.contains(Flags::WRITES_VCC) {
            self.define(Reg::Phys(amd::Reg::VCC), amd::Reg::VCC)?;
        }
        for (from, &to) in o.defs.iter().zip(&defs) {
            self.check_place(*from, to)?;
            self.define(*from, to)?;
        }
        Ok(())
    }

    /// Size, file and alignment of a register.
    fn check_place(&self, from: Reg, to: amd::Reg) -> Result<(), Fault> {
        if let Reg::Phys(r) = from {
            return if r == to { Ok(()) } else { Err(self.fault(format!("{r} became {to}"))) };
        }
        let class = self.checker.original.class(from);
        let right_file = matches!(
            (class, to.file),
            (RegClass::Vgpr, File::Vgpr) | (RegClass::Sgpr, File::Sgpr) | (RegClass::Sgpr, File::Vcc)
        );
        let align = match (class, to.dwords) {
            (_, 1) => 1,
            (RegClass::Sgpr, 2) => 2,
            (RegClass::Sgpr, _) => 4,
            (RegClass::Vgpr, _) if self.checker.target.has(Feature::EvenVgprTuples) => 2,
            (RegClass::Vgpr, _) => 1,
        };
        if !right_file || from.dwords() != to.dwords || !to.index.is_multiple_of(align) {
            return Err(self.fault(format!("{from} cannot be {to}")));
        }
        Ok(())
    }

    /// An original copy, whose moves are done: what held the source holds the destination too.
    fn pseudo(&mut self, original: &Inst) -> Result<(), Fault> {
        let copies: SmallVec<[(Reg, Operand); 2]> = match &original.kind {
            InstKind::Copy { dst, src } => smallvec![(*dst, *src)],
            InstKind::ParallelCopy(list) => list.iter().copied().collect(),
            InstKind::Undef { dst } => {
                for k in 0..dst.dwords() {
                    if let Some(value) = self.checker.names.value(*dst, k) {
                        self.forget(value);
                        self.set_undefined(value);
                    }
                }
                return Ok(());
            }
            // A constant that is remade at its uses.
            InstKind::Op(op) if is_mov(op) && matches!(op.uses[0], Operand::Imm(_)) => {
                smallvec![(op.defs[0], op.uses[0])]
            }
            _ => return Err(self.fault("an original instruction is missing before this one")),
        };
        /// A destination, what holds the source, and whether the source is undefined.
        type Found = (u32, Vec<Loc>, bool);
        let mut found: Vec<Found> = vec![];
        for (dst, src) in &copies {
            for k in 0..dst.dwords() {
                let source = match *src {
                    Operand::Imm(bits) => CONSTANT | constant_dword(bits, k) as u64,
                    Operand::Reg(r) => match (self.checker.names.value(r, k), r) {
                        (Some(value), _) => value as u64,
                        (None, Reg::Phys(r)) => special(r, k),
                        (None, Reg::Virt(_)) => continue,
                    },
                    Operand::Label(_) | Operand::Off => continue,
                };
                let Some(value) = self.checker.names.value(*dst, k) else {
                    self.check_special(*dst, k, source)?;
                    continue;
                };
                let linear = self.is_linear(value);
                let mut holders = self.state(linear).holders(source).to_vec();
                // What holds the constant that the source always is stands for it.
                if source < CONSTANT
                    && let Some(constant) = self.checker.names.constant[source as usize]
                {
                    holders.extend(self.state(linear).holders(CONSTANT | constant as u64));
                    holders.sort_unstable();
                    holders.dedup();
                }
                // The copy of an undefined value is as undefined.
                let undefined = source < CONSTANT && !self.is_defined(source as u32);
                found.push((value, holders, undefined));
            }
        }
        found.iter().for_each(|f| self.forget(f.0));
        for (value, holders, undefined) in found {
            if undefined {
                self.set_undefined(value);
            } else {
                self.set_defined(value);
            }
            let linear = self.is_linear(value);
            for loc in holders {
                self.state(linear).add(loc, value.into());
            }
        }
        self.scalar.forget_specials();
        self.vector.forget_specials();
        self.special.clear();
        Ok(())
    }

    /// A copy to EXEC, M0 or the like must have been made.
    fn check_special(&self, dst: Reg, k: u8, source: Value) -> Result<(), Fault> {
        let Reg::Phys(r) = dst else { return Ok(()) };
        let written = self.special.iter().rev().find(|s| s.0 == r.sub(k, 1));
        if self.checking && !written.is_some_and(|w| w.1.iter().any(|v| self.stands_for(*v, source))) {
            return Err(self.fault(format!("the copy to {r} before this is missing")));
        }
        Ok(())
    }

    /// What a dword of a source holds.
    fn held(&self, operand: &Operand, k: u8) -> Values {
        match operand {
            Operand::Imm(bits) => smallvec![CONSTANT | constant_dword(*bits, k) as u64],
            Operand::Reg(Reg::Phys(r)) => {
                let places = |linear: bool| if linear { &self.scalar } else { &self.vector };
                let mut values = Values::new();
                let Some(loc) = self.loc(*r, k, false) else { return smallvec![special(*r, k)] };
                let in_scalar = matches!(loc, Loc::Sgpr(_));
                values.extend(places(in_scalar).get(loc).into_iter().flatten().copied());
                if let Some(loc) = self.loc(*r, k, true).filter(|_| !in_scalar) {
                    values.extend(places(true).get(loc).into_iter().flatten().copied());
                }
                values
            }
            _ => Values::new(),
        }
    }

    /// Instructions that allocation made. Tells how many it took.
    fn inserted(&mut self, insts: &[Inst]) -> Result<usize, Fault> {
        let InstKind::Op(op) = &insts[0].kind else {
            return Err(self.fault("allocation leaves no pseudo op"));
        };
        let place = |reg: Option<&Reg>| reg.copied().and_then(phys);
        match op.op.name {
            "s_mov_b32" | "v_mov_b32" | "s_mov_b64" | "v_mov_b64" if op.mods == amd::Mods::default() => {
                let Some(dst) = place(op.defs.first()) else { return Err(self.fault("has no destination")) };
                let values: Vec<Values> = (0..dst.dwords).map(|k| self.held(&op.uses[0], k)).collect();
                for (k, values) in values.into_iter().enumerate() {
                    // Values of linear registers go on as such.
                    let is_linear = |v: &u64| *v >= CONSTANT || self.is_linear(*v as u32);
                    let linear: Values = values.iter().copied().filter(is_linear).collect();
                    self.write(dst, k as u8, dst.file != File::Vgpr, values);
                    if dst.file == File::Vgpr && !linear.is_empty() {
                        self.scalar.insert(Loc::LinearVgpr(dst.index + k as u16), linear);
                    }
                }
            }
            "v_xor_b32" => {
                let Some((a, b)) = swap(insts) else { return Err(self.fault("unexpected v_xor_b32")) };
                let (held_a, held_b) = (self.held(&Operand::Reg(a.into()), 0), self.held(&Operand::Reg(b.into()), 0));
                self.write(a, 0, false, held_b);
                self.write(b, 0, false, held_a);
                return Ok(3);
            }
            "v_writelane_b32" => {
                let (Some(vgpr), Some(lane)) = (place(op.defs.first()), immediate(&op.uses[1])) else {
                    return Err(self.fault("a lane must be a constant"));
                };
                if op.uses[2] != Operand::Reg(vgpr.into()) {
                    return Err(self.fault("a tied source is not the destination"));
                }
                let values = self.held(&op.uses[0], 0);
                self.vector.remove(Loc::Vgpr(vgpr.index));
                self.scalar.remove(Loc::LinearVgpr(vgpr.index));
                self.scalar.insert(Loc::Lane(vgpr.index, lane as u8), values);
            }
            "v_readlane_b32" => {
                let vgpr = match op.uses[0] {
                    Operand::Reg(r) => phys(r),
                    _ => None,
                };
                let (Some(dst), Some(vgpr), Some(lane)) = (place(op.defs.first()), vgpr, immediate(&op.uses[1])) else {
                    return Err(self.fault("a lane must be a constant"));
                };
                let values = self.scalar.get(Loc::Lane(vgpr.index, lane as u8)).cloned().unwrap_or_default();
                self.write(dst, 0, true, values);
            }
            "scratch_store_b32" => {
                let loc = self.scratch(op, 2)?;
                let values = self.held(&op.uses[1], 0);
                self.vector.insert(loc, values);
            }
            "scratch_load_b32" => {
                let loc = self.scratch(op, 1)?;
                let values = self.vector.get(loc).cloned().unwrap_or_default();
                let Some(dst) = place(op.defs.first()) else { return Err(self.fault("has no destination")) };
                self.write(dst, 0, false, values);
            }
            name => return Err(self.fault(format!("unexpected `{name}`"))),
        }
        Ok(1)
    }

    /// The slot that a scratch access means.
    fn scratch(&self, op: &amd::Inst<Reg>, base: usize) -> Result<Loc, Fault> {
        let offset = op.mods.offset as u32;
        let address = match &op.uses[base] {
            Operand::Off => offset,
            operand => {
                let held = self.held(operand, 0);
                match held.iter().find(|v| **v & CONSTANT != 0) {
                    Some(v) => *v as u32 + offset,
                    // Not known before the fixed point is reached.
                    None if !self.checking => return Ok(Loc::Scratch(u32::MAX)),
                    None => return Err(self.fault("the base of a spill is not a constant")),
                }
            }
        };
        let func = self.checker.allocated;
        let first = func.local_bytes.next_multiple_of(4);
        if op.uses[0] != Operand::Off || address < first || address + 4 > first + func.spill_bytes || address % 4 != 0 {
            return Err(self.fault(format!("scratch address {address} is not a spill slot")));
        }
        Ok(Loc::Scratch(address))
    }
}

/// The source of an original copy.
pub(super) fn copied_source(kind: Option<&InstKind>) -> Option<Operand> {
    match kind {
        Some(InstKind::Copy { src, .. }) => Some(*src),
        _ => None,
    }
}

/// Whether an instruction stays one instruction.
fn is_machine(inst: &Inst) -> bool {
    matches!(inst.kind, InstKind::Op(_) | InstKind::GlobalAddr { .. })
}

fn special(reg: amd::Reg, k: u8) -> Value {
    SPECIAL | (reg.file as u64) << 16 | (reg.index + k as u16) as u64
}

fn phys(reg: Reg) -> Option<amd::Reg> {
    match reg {
        Reg::Phys(r) => Some(r),
        Reg::Virt(_) => None,
    }
}

fn immediate(operand: &Operand) -> Option<u64> {
    match operand {
        Operand::Imm(v) => Some(*v),
        _ => None,
    }
}

/// The two registers of `a ^= b; b ^= a; a ^= b`.
fn swap(insts: &[Inst]) -> Option<(amd::Reg, amd::Reg)> {
    let mut pairs = vec![];
    for inst in insts.get(..3)? {
        let InstKind::Op(op) = &inst.kind else { return None };
        let (Operand::Reg(src), Operand::Reg(kept)) = (op.uses.first()?, op.uses.get(1)?) else { return None };
        if op.op.name != "v_xor_b32" || op.mods != amd::Mods::default() || op.defs[0] != *kept {
            return None;
        }
        pairs.push((phys(op.defs[0])?, phys(*src)?));
    }
    let (a, b) = pairs[0];
    (a.file == File::Vgpr && b.file == File::Vgpr && a != b && pairs[1] == (b, a) && pairs[2] == (a, b))
        .then_some((a, b))
}
