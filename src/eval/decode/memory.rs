//! Loads, stores and atomics.
//!
//! PTX ISA, "ld", "st", "atom", "red", "Operand Size Exceeding Instruction-Type Size".

use super::super::code::*;
use super::super::int::Compute;
use super::super::words::Words;
use super::{Decoder, Fault, Res};
use crate::ptx::tree::{Inst, Operand, OperandKind, ScalarType};
use crate::ptx::word;

const HINTS: &[&str] = &[
    "L1::evict_normal",
    "L1::evict_unchanged",
    "L1::evict_first",
    "L1::evict_last",
    "L1::no_allocate",
    "L2::evict_normal",
    "L2::evict_first",
    "L2::evict_last",
    "L2::evict_unchanged",
    "L2::cache_hint",
    "L2::64B",
    "L2::128B",
    "L2::256B",
    "nc",
    "ca",
    "cg",
    "cs",
    "lu",
    "cv",
    "wb",
    "wt",
    "weak",
];
const SCOPES: &[&str] = &["cta", "cluster", "gpu", "sys"];

fn space(w: &mut Words<'_>) -> Space {
    let spaces = ["global", "shared", "shared::cta", "local", "const", "param", "param::entry", "param::func"];
    match w.one_of(&spaces) {
        Some("global") => Space::Global,
        Some("shared" | "shared::cta") => Space::Shared,
        Some("local") => Space::Local,
        Some("const") => Space::Const,
        // A parameter's address is generic here.
        _ => Space::Generic,
    }
}

fn order(w: &mut Words<'_>, otherwise: Order) -> Order {
    let order = match w.one_of(&["volatile", "relaxed", "acquire", "release", "acq_rel", "mmio"]) {
        Some("volatile" | "relaxed" | "mmio") => Order::Strong,
        Some("acquire") => Order::Acquire,
        Some("release") => Order::Release,
        Some(_) => Order::AcquireRelease,
        None => otherwise,
    };
    w.flag("relaxed");
    w.one_of(SCOPES);
    order
}

impl<'m> Decoder<'m, '_> {
    pub fn ld(&mut self, inst: &Inst<'m>) -> Res<()> {
        let (mut access, ty, count) = self.access(inst, 1)?;
        access.signed = ty.is_signed();
        for operand in self.elements(self.operand(inst, 0)?, count)? {
            let (slot, register) = self.dst(&operand)?;
            access.list.push((slot, register.and_then(ScalarType::size_bytes).unwrap_or(8) as u8));
        }
        let index = self.add_access(access);
        self.push(Kind::Load(index));
        Ok(())
    }

    pub fn st(&mut self, inst: &Inst<'m>) -> Res<()> {
        let (mut access, ty, count) = self.access(inst, 0)?;
        for operand in self.elements(self.operand(inst, 1)?, count)? {
            let slot = self.src(&operand, ty)?;
            access.list.push((slot, 0));
        }
        let index = self.add_access(access);
        self.push(Kind::Store(index));
        Ok(())
    }

    /// The modifiers of a load or store, its address, type and number of elements.
    fn access(&mut self, inst: &Inst<'m>, address: usize) -> Res<(Access, ScalarType, usize)> {
        let mut w = Words::new(inst, &self.shared.module.names);
        while w.one_of(HINTS).is_some() {}
        let order = order(&mut w, Order::Weak);
        let space = space(&mut w);
        let count = match w.one_of(&["v2", "v4", "v8"]) {
            Some("v2") => 2,
            Some("v4") => 4,
            Some(_) => 8,
            None => 1,
        };
        let ty = w.ty().ok_or(Fault::Form)?;
        let bytes = ty.size_bytes().filter(|&bytes| bytes <= 8).ok_or(Fault::Form)?;
        if !w.done() {
            return Err(Fault::Form);
        }
        let (space, base, offset) = self.place(self.operand(inst, address)?, space)?;
        let access =
            Access { space, base, offset, bytes: bytes as u8, signed: false, order, list: vec![], atomic: None };
        Ok((access, ty, count))
    }

    fn add_access(&mut self, access: Access) -> u32 {
        self.function.accesses.push(access);
        self.function.accesses.len() as u32 - 1
    }

    fn elements(&self, operand: &Operand, count: usize) -> Res<Vec<Operand>> {
        let elements = self.vector(operand)?;
        if elements.len() == count { Ok(elements) } else { Err(Fault::Form) }
    }

    /// Space, base and offset of an address operand. A variable is in its own space, whatever the instruction says.
    fn place(&mut self, operand: &Operand, space: Space) -> Res<(Space, Slot, i64)> {
        match operand.kind {
            OperandKind::Address { base, offset } => match self.binding(base) {
                Some(super::names::Binding::Register { first, elements: 1, .. }) => Ok((space, first, offset.bytes())),
                _ => {
                    let (own, slot) = self.variable(base, 0, operand.span)?;
                    Ok((own, slot, offset.bytes()))
                }
            },
            OperandKind::Absolute(offset) => Ok((space, ZERO, offset)),
            _ => Err(Fault::at(operand.span, "an address is expected")),
        }
    }

    pub fn atom(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut w = Words::new(inst, &self.shared.module.names);
        let order = order(&mut w, Order::Strong);
        let space = space(&mut w);
        let names = ["and", "or", "xor", "exch", "cas", "add", "inc", "dec", "min", "max"];
        let op = w.one_of(&names).ok_or(Fault::Form)?;
        w.flag("L2::cache_hint");
        w.flag("noftz");
        let ty = w.ty().ok_or(Fault::Form)?;
        if !w.done() {
            return Err(Fault::Form);
        }
        let f = atomic(op, ty).ok_or(Fault::Form)?;
        self.shared.computes_floats |= ty.is_float();
        let returns = usize::from(inst.opcode == word::ATOM);
        let d = if returns == 1 { self.dst(self.operand(inst, 0)?)?.0 } else { SINK };
        let (space, base, offset) = self.place(self.operand(inst, returns)?, space)?;
        let a = self.src(self.operand(inst, returns + 1)?, ty)?;
        let b = if op == "cas" { self.src(self.operand(inst, returns + 2)?, ty)? } else { ZERO };
        let bytes = ty.size_bytes().filter(|&bytes| bytes <= 8).ok_or(Fault::Form)? as u8;
        let atomic = Some(Atomic { f, d, s: [a, b] });
        let access = Access { space, base, offset, bytes, signed: false, order, list: vec![], atomic };
        let index = self.add_access(access);
        self.push(Kind::Atomic(index));
        Ok(())
    }
}

/// From the old value and the operands to the new one.
fn atomic(op: &str, ty: ScalarType) -> Option<Compute> {
    use ScalarType::*;
    Some(match (op, ty) {
        ("and", B32 | B64) => |old, b, _, _| old & b,
        ("or", B32 | B64) => |old, b, _, _| old | b,
        ("xor", B32 | B64) => |old, b, _, _| old ^ b,
        ("exch", B32 | B64) => |_, b, _, _| b,
        ("cas", B16 | B32 | B64) => |old, b, c, _| if old == b { c } else { old },
        ("add", U32 | S32) => |old, b, _, _| u64::from((old as u32).wrapping_add(b as u32)),
        ("add", U64 | S64) => |old, b, _, _| old.wrapping_add(b),
        ("add", F32 | F64 | F16 | F16x2 | Bf16 | Bf16x2) => super::super::float::add_of(ty)?,
        ("inc", U32) => |old, b, _, _| if old >= b { 0 } else { old + 1 },
        ("dec", U32) => |old, b, _, _| if old == 0 || old > b { b } else { old - 1 },
        ("min", U32 | U64) => |old, b, _, _| old.min(b),
        ("max", U32 | U64) => |old, b, _, _| old.max(b),
        ("min", S32) => |old, b, _, _| if (old as i32) < b as i32 { old } else { b },
        ("max", S32) => |old, b, _, _| if (old as i32) > b as i32 { old } else { b },
        ("min", S64) => |old, b, _, _| (old as i64).min(b as i64) as u64,
        ("max", S64) => |old, b, _, _| (old as i64).max(b as i64) as u64,
        _ => return None,
    })
}
