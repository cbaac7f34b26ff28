//! Loads, stores, atomics and fences.
//!
//! PTX ISA, "ld", "ld.global.nc", "st", "atom", "red", "membar/fence", "Cache Operators", "Memory Consistency Model".
//! Hints of caches and eviction change no result; `.cs`, `.lu` and evict-first become the non-temporal flag, `.cv` reads
//! at system scope. Acquire and release forms are refused.

use super::body::Body;
use super::declare::Resolved;
use super::names::Binding;
use super::operands::{Fault, Mods, Res, operand};
use crate::diag::Span;
use crate::ir::ssa::Var;
use crate::ir::{AtomicOp, IntOp, Mem, Op, Order, Scope, Space, Type, Value, Width};
use crate::ptx::names::Name;
use crate::ptx::tree::{Inst, Module, Operand, OperandKind, ScalarType};
use crate::ptx::word;

/// Where an access goes.
enum Place {
    Memory {
        space: Space,
        /// None in the parameter space.
        base: Option<Value>,
        offset: i32,
    },
    /// A `.param` variable of a call, with the bytes it has left from the offset on.
    CallParam { var: Var, offset: u32, left: u32 },
}

/// Eviction and prefetch hints, which change no result.
const HINTS: &[Name] = &[
    word::L1_EVICT_NORMAL,
    word::L1_EVICT_UNCHANGED,
    word::L1_EVICT_LAST,
    word::L1_NO_ALLOCATE,
    word::L2_EVICT_NORMAL,
    word::L2_EVICT_LAST,
    word::L2_EVICT_UNCHANGED,
    word::L2_64B,
    word::L2_128B,
    word::L2_256B,
];

pub fn touches_memory(opcode: Name) -> bool {
    matches!(opcode, word::LD | word::ST | word::ATOM | word::RED)
}

/// The modifiers that loads and stores share.
struct Access {
    mem: Mem,
    ty: ScalarType,
    /// Elements of `.v2`, `.v4`, `.v8`; 1 without.
    count: u8,
}

impl<'m> Body<'m, '_> {
    pub fn ld(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let non_coherent = mods.flag(word::NC);
        let mut access = access(&mut mods, &[word::CA, word::CG, word::CS, word::LU, word::CV])?;
        let (to, address) = (operand(inst, 0)?, operand(inst, 1)?);
        let place = self.place(address, &mut access.mem)?;
        if non_coherent {
            if access.mem.space != Space::Global || access.mem.order != Order::Weak {
                return Err(Fault::Form);
            }
            access.mem.space = Space::Const;
        }
        let targets = elements(self.scope.module, to, access.count)?;
        let values: Vec<Value> = match place {
            Place::Memory { space: Space::Param, base: None, offset } => {
                access.mem.offset = offset;
                let inst = self.emit_inst(Op::Load(access.mem), []);
                self.ssa.func.insts[inst].results.to_vec()
            }
            Place::Memory { base, offset, .. } => {
                access.mem.offset = offset;
                let inst = self.emit_inst(Op::Load(access.mem), base);
                self.ssa.func.insts[inst].results.to_vec()
            }
            Place::CallParam { var, offset, left } => {
                self.check_call_param(&access, left, address.span)?;
                (0..u32::from(access.count)).map(|n| self.read_element(var, offset, n, access.ty)).collect()
            }
        };
        for (target, value) in targets.iter().zip(values) {
            self.dst_wide(target, value, access.ty, true)?;
        }
        Ok(())
    }

    fn read_element(&mut self, var: Var, offset: u32, n: u32, ty: ScalarType) -> Value {
        let size = ty.size_bytes().unwrap_or(4);
        let at = offset + n * size;
        if size == 8 {
            let (low, high) = (self.read_call_param(var, at, 4), self.read_call_param(var, at + 4, 4));
            return self.emit(Op::Pack64, [low, high]);
        }
        let value = self.read_call_param(var, at, size);
        if ty.is_signed() { self.extend(value, ty) } else { value }
    }

    pub fn st(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let mut access = access(&mut mods, &[word::WB, word::CG, word::CS, word::WT])?;
        let (address, from) = (operand(inst, 0)?, operand(inst, 1)?);
        let place = self.place(address, &mut access.mem)?;
        let mut values = Vec::new();
        for source in elements(self.scope.module, from, access.count)? {
            values.push(self.src(source, access.ty)?);
        }
        match place {
            Place::Memory { space: Space::Param | Space::Const, .. } => {
                return Err(Fault::operand(address.span, "this state space cannot be written"));
            }
            Place::Memory { base, offset, .. } => {
                access.mem.offset = offset;
                access.mem.signed = false;
                self.emit_inst(Op::Store(access.mem), base.into_iter().chain(values));
            }
            Place::CallParam { var, offset, left } => {
                self.check_call_param(&access, left, address.span)?;
                let size = access.ty.size_bytes().unwrap_or(4);
                for (n, value) in values.into_iter().enumerate() {
                    let at = offset + n as u32 * size;
                    if size == 8 {
                        let (low, high) = (self.emit(Op::Lo, [value]), self.emit(Op::Hi, [value]));
                        self.write_call_param(var, at, 4, low);
                        self.write_call_param(var, at + 4, 4, high);
                    } else {
                        self.write_call_param(var, at, size, value);
                    }
                }
            }
        }
        Ok(())
    }

    fn check_call_param(&self, access: &Access, left: u32, span: Span) -> Res<()> {
        let size = access.ty.size_bytes().unwrap_or(8) * u32::from(access.count);
        if size > left {
            return Err(Fault::operand(span, "the access goes beyond the parameter"));
        }
        Ok(())
    }

    /// The place that an address operand names, in the space of the instruction; `mem.space` is refined where the
    /// address tells more.
    fn place(&mut self, operand: &Operand, mem: &mut Mem) -> Res<Place> {
        let span = operand.span;
        let (name, offset) = match operand.kind {
            OperandKind::Address { base, offset } => (base, offset.bytes()),
            OperandKind::Absolute(offset) => {
                if mem.space == Space::Param {
                    return Err(Fault::operand(span, "a parameter is addressed by its name"));
                }
                let base = match mem.space.address_type() {
                    Type::B64 => self.c64(offset as u64),
                    _ => self.c32(offset as u32),
                };
                return Ok(Place::Memory { space: mem.space, base: Some(base), offset: 0 });
            }
            _ => return Err(Fault::operand(span, "an address is expected")),
        };
        if self.is_register(name) {
            return self.register_place(name, offset, mem, span);
        }
        match self.resolve(name, span)? {
            Resolved::Local(Binding::KernelParam { offset: param, size }) if mem.space == Space::Param => {
                let end = offset.checked_add(i64::from(mem.bytes) * i64::from(mem.count));
                if offset < 0 || end.is_none_or(|end| end > i64::from(size)) {
                    return Err(Fault::operand(span, "the access goes beyond the parameter"));
                }
                Ok(Place::Memory { space: Space::Param, base: None, offset: param as i32 + offset as i32 })
            }
            Resolved::Local(Binding::CallParam { var, bytes }) if mem.space == Space::Param => {
                match u32::try_from(offset) {
                    Ok(offset) if offset <= bytes => Ok(Place::CallParam { var, offset, left: bytes - offset }),
                    _ => Err(Fault::operand(span, "the access goes beyond the parameter")),
                }
            }
            Resolved::Local(Binding::Shared(_) | Binding::DynamicShared | Binding::Local(_)) | Resolved::Global(_) => {
                let (space, value) = self.address_value(name, 0, span)?;
                let fits =
                    space == mem.space || space == Space::Global && matches!(mem.space, Space::Generic | Space::Const);
                if !fits {
                    return Err(Fault::operand(span, "the variable is in another state space"));
                }
                if mem.space == Space::Generic {
                    mem.space = space;
                }
                self.based(value, offset, mem)
            }
            _ => Err(Fault::operand(span, format!("`{}` is no address here", self.scope.text(name)))),
        }
    }

    fn register_place(&mut self, name: Name, offset: i64, mem: &mut Mem, span: Span) -> Res<Place> {
        let (var, ty) = self.register(name, span)?;
        let value = self.ssa.read(var);
        let value = match (ty.size_bytes(), self.ssa.func.ty(value)) {
            (Some(8), Type::B64) => value,
            (Some(4), Type::B32) => self.widen(value, false),
            _ => return Err(Fault::operand(span, "an address register has 32 or 64 bits")),
        };
        if mem.space == Space::Param {
            // An address inside the kernel's parameters, which nothing writes.
            mem.space = Space::Const;
        }
        self.based(value, offset, mem)
    }

    /// A base of 64 bits with an offset that may not fit the field.
    fn based(&mut self, value: Value, offset: i64, mem: &Mem) -> Res<Place> {
        let space = mem.space;
        if space.address_type() == Type::B32 {
            // Offsets within shared and local memory wrap at 32 bits, as their addresses do.
            let base = Some(self.emit(Op::Lo, [value]));
            return Ok(Place::Memory { space, base, offset: offset as i32 });
        }
        if let Ok(offset) = i32::try_from(offset) {
            return Ok(Place::Memory { space, base: Some(value), offset });
        }
        let offset = self.c64(offset as u64);
        let base = Some(self.int(IntOp::Add, Width::W64, value, offset));
        Ok(Place::Memory { space, base, offset: 0 })
    }

    pub fn atom(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let returns = inst.opcode == word::ATOM;
        mods.flag(word::RELAXED);
        let scope = scope(&mut mods).unwrap_or(Scope::Gpu);
        let space = space(&mut mods)?;
        if !matches!(space, Space::Global | Space::Shared | Space::Generic) {
            return Err(Fault::Form);
        }
        let op = mods
            .one_of(&[
                word::AND,
                word::OR,
                word::XOR,
                word::CAS,
                word::EXCH,
                word::ADD,
                word::INC,
                word::DEC,
                word::MIN,
                word::MAX,
            ])
            .ok_or(Fault::Form)?;
        let hint = mods.flag(word::L2_CACHE_HINT);
        let ty = mods.ty()?;
        mods.done()?;
        let op = atomic_op(op, ty, returns).ok_or(Fault::Form)?;
        let width = super::operands::width(ty)?;
        let mut mem = Mem::new(space, if width == Width::W64 { 8 } else { 4 });
        (mem.order, mem.scope) = (Order::Relaxed, scope);

        let first = usize::from(returns);
        let mut args: Vec<Value> = Vec::new();
        match self.place(operand(inst, first)?, &mut mem)? {
            Place::Memory { base, offset, .. } => {
                mem.offset = offset;
                args.extend(base);
            }
            Place::CallParam { .. } => return Err(Fault::Form),
        }
        let sources = if op == AtomicOp::CompareExchange { 2 } else { 1 };
        let expected = first + 1 + sources + usize::from(hint);
        if inst.operands.len() != expected {
            return Err(Fault::operand(inst.span, format!("{expected} operands are expected here")));
        }
        for n in 0..sources {
            args.push(self.src(operand(inst, first + 1 + n)?, ty)?);
        }
        let old = self.emit(Op::Atomic { op, width, mem }, args);
        if returns { self.dst(operand(inst, 0)?, old) } else { Ok(()) }
    }

    pub fn fence(&mut self, inst: &Inst<'m>) -> Res<()> {
        let mut mods = Mods::new(inst);
        let scope = if inst.opcode == word::MEMBAR {
            match mods.one_of(&[word::CTA, word::GL, word::SYS]).ok_or(Fault::Form)? {
                word::CTA => Scope::Cta,
                word::GL => Scope::Gpu,
                _ => Scope::Sys,
            }
        } else {
            // One kind of fence orders both ways; the one-way forms are weaker.
            mods.one_of(&[word::SC, word::ACQ_REL, word::ACQUIRE, word::RELEASE]).ok_or(Fault::Form)?;
            scope(&mut mods).ok_or(Fault::Form)?
        };
        mods.done()?;
        self.emit_inst(Op::Fence(scope), []);
        Ok(())
    }
}

fn scope(mods: &mut Mods<'_>) -> Option<Scope> {
    Some(match mods.one_of(&[word::CTA, word::CLUSTER, word::GPU, word::SYS])? {
        word::CTA => Scope::Cta,
        word::CLUSTER => Scope::Cluster,
        word::GPU => Scope::Gpu,
        _ => Scope::Sys,
    })
}

fn space(mods: &mut Mods<'_>) -> Res<Space> {
    let spaces = [
        word::GLOBAL,
        word::SHARED,
        word::SHARED_CTA,
        word::LOCAL,
        word::CONST_,
        word::PARAM,
        word::PARAM_ENTRY,
        word::PARAM_FUNC,
    ];
    Ok(match mods.one_of(&spaces) {
        None => Space::Generic,
        Some(word::GLOBAL) => Space::Global,
        Some(word::SHARED | word::SHARED_CTA) => Space::Shared,
        Some(word::LOCAL) => Space::Local,
        Some(word::CONST_) => Space::Const,
        Some(_) => Space::Param,
    })
}

fn access(mods: &mut Mods<'_>, cache_operators: &[Name]) -> Res<Access> {
    let mut order = Order::Weak;
    let mut scope_of = Scope::Cta;
    match mods.one_of(&[word::WEAK, word::VOLATILE, word::RELAXED]) {
        Some(word::VOLATILE) => order = Order::Volatile,
        Some(word::RELAXED) => {
            order = Order::Relaxed;
            scope_of = scope(mods).ok_or(Fault::Form)?;
        }
        _ => {}
    }
    let space = space(mods)?;
    let mut nontemporal = false;
    match mods.one_of(cache_operators) {
        Some(word::CS | word::LU) => nontemporal = true,
        // "Don't cache and fetch again": what the system sees.
        Some(word::CV) if order == Order::Weak => (order, scope_of) = (Order::Relaxed, Scope::Sys),
        _ => {}
    }
    nontemporal |= mods.flag(word::L1_EVICT_FIRST) | mods.flag(word::L2_EVICT_FIRST);
    while mods.one_of(HINTS).is_some() {}
    mods.flag(word::L2_CACHE_HINT);
    let count = match mods.one_of(&[word::V2, word::V4, word::V8]) {
        None => 1,
        Some(word::V2) => 2,
        Some(word::V4) => 4,
        Some(_) => 8,
    };
    let ty = mods.ty()?;
    mods.done()?;
    let bytes = match ty.size_bytes() {
        Some(bytes @ (1 | 2 | 4 | 8)) => bytes as u8,
        _ => return Err(Fault::Form),
    };
    if u32::from(bytes) * u32::from(count) > 32 {
        return Err(Fault::Form);
    }
    let mut mem = Mem::new(space, bytes);
    mem.signed = ty.is_signed() && bytes < 4;
    mem.count = count;
    (mem.order, mem.scope, mem.nontemporal) = (order, scope_of, nontemporal);
    Ok(Access { mem, ty, count })
}

/// The elements of a vector operand, or the operand itself.
fn elements<'m>(module: &'m Module, operand: &'m Operand, count: u8) -> Res<&'m [Operand]> {
    let elements = match operand.kind {
        OperandKind::Vector(elements) => module.list(elements),
        _ => std::slice::from_ref(operand),
    };
    if elements.len() != count as usize {
        return Err(Fault::operand(operand.span, format!("{count} elements are expected here")));
    }
    Ok(elements)
}

fn atomic_op(op: Name, ty: ScalarType, returns: bool) -> Option<AtomicOp> {
    use ScalarType::*;
    let signed = ty.is_signed();
    Some(match (op, ty) {
        (word::ADD, U32 | S32 | U64 | S64) => AtomicOp::Add,
        (word::AND, B32 | B64) => AtomicOp::And,
        (word::OR, B32 | B64) => AtomicOp::Or,
        (word::XOR, B32 | B64) => AtomicOp::Xor,
        (word::EXCH, B32 | B64) if returns => AtomicOp::Exchange,
        (word::CAS, B32 | B64) if returns => AtomicOp::CompareExchange,
        (word::INC, U32) => AtomicOp::Inc,
        (word::DEC, U32) => AtomicOp::Dec,
        (word::MIN, U32 | S32 | U64 | S64) => {
            if signed {
                AtomicOp::MinS
            } else {
                AtomicOp::MinU
            }
        }
        (word::MAX, U32 | S32 | U64 | S64) => {
            if signed {
                AtomicOp::MaxS
            } else {
                AtomicOp::MaxU
            }
        }
        _ => return None,
    })
}
