//! Whether an operand is what its form expects.

use super::Checker;
use super::names::Entity;
use crate::diag::Span;
use crate::ptx::forms::{self, Braces, Expected, Kind, Lax, Match, Pair, Place};
use crate::ptx::names::Name;
use crate::ptx::tree::*;
use crate::ptx::word;

/// Why a form does not take the operands.
#[derive(Copy, Clone)]
pub struct Misfit {
    /// How many operands were right.
    pub progress: usize,
    /// The operand that is not; none when too few are there.
    pub operand: Span,
    pub why: Why,
    pub expected: Expected,
}

impl Misfit {
    /// Of two attempts, the one that came further, and then the one that says more.
    pub fn explains_more_than(&self, other: &Misfit) -> bool {
        let says = |why: Why| match why {
            Why::Count | Why::Shape => 0,
            Why::Special | Why::Memory(_) => 1,
            Why::Type(_) | Why::Constant | Why::ConstantResult | Why::Length | Why::Sink | Why::Mixed => 2,
            Why::Space(_) | Why::ShortAddress(_) | Why::Absolute | Why::Values => 3,
        };
        (self.progress, says(self.why)) > (other.progress, says(other.why))
    }

    /// Too few or too many operands.
    pub fn count(progress: usize) -> Misfit {
        let expected = Expected {
            result: false,
            kind: Kind::Any,
            ty: None,
            wider: false,
            register: false,
            exact: false,
            count: 1,
            braces: Braces::Never,
            pair: Pair::Never,
            sink: false,
            optional: false,
            space: None,
            values: None,
            unified: false,
            four: false,
            longer: false,
            bare: false,
            any_sort: false,
            needs: None,
            lax: Lax::default(),
        };
        Misfit { progress, operand: Span::NONE, why: Why::Count, expected }
    }
}

#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Why {
    Count,
    /// Something of another kind stands here.
    Shape,
    /// The register has another type.
    Type(Name),
    /// A variable where a value must be.
    Memory(Name),
    /// A constant of the wrong sort.
    Constant,
    /// A constant where the result goes.
    ConstantResult,
    /// A vector of the wrong length.
    Length,
    /// An address in the wrong state space.
    Space(Name),
    /// A 32-bit register addresses memory that needs 64 bits.
    ShortAddress(Name),
    /// Only `.local` has absolute addresses.
    Absolute,
    /// `_` where the result is needed.
    Sink,
    /// A special register, which only `mov` and `cvt` read.
    Special,
    /// A constant that is none of those that may stand here.
    Values,
    /// A vector of registers that are not of one type.
    Mixed,
}

/// The three families of registers.
#[derive(PartialEq)]
enum Class {
    Bits,
    Integer,
    Float,
    /// f16x2 and its like: as floats, but of another make.
    Packed,
    Predicate,
    Opaque,
}

fn class(ty: ScalarType) -> Class {
    use ScalarType::*;
    match ty {
        B8 | B16 | B32 | B64 | B128 => Class::Bits,
        U8 | U16 | U32 | U64 | S8 | S16 | S32 | S64 => Class::Integer,
        F16 | Bf16 | Tf32 | F32 | F64 | E4m3 | E5m2 => Class::Float,
        F16x2 | Bf16x2 | U16x2 | S16x2 | E4m3x2 | E5m2x2 | E2m1x2 | E2m3x2 | E3m2x2 | Ue8m0x2 => Class::Packed,
        Pred => Class::Predicate,
        Texref | Samplerref | Surfref => Class::Opaque,
    }
}

/// Formats of floating point whose values are kept in registers of bits.
fn is_alternate(ty: ScalarType) -> bool {
    use ScalarType::*;
    matches!(ty, Bf16 | Bf16x2 | Tf32 | E4m3 | E5m2 | E4m3x2 | E5m2x2 | E2m1x2 | E2m3x2 | E3m2x2 | Ue8m0x2)
}

/// Whether a register of one type may stand where an instruction has another.
///
/// Bits go with everything of their size, signed with unsigned integers. With `wider` the register may be larger, but a
/// float is larger only in a register of bits.
pub fn agrees(register: ScalarType, instruction: ScalarType, wider: bool) -> bool {
    let (r, i) = (class(register), class(instruction));
    let kinds = match (&r, &i) {
        (Class::Predicate, Class::Predicate) => return true,
        (Class::Predicate | Class::Opaque, _) | (_, Class::Predicate | Class::Opaque) => return false,
        // Types that no register has.
        _ if is_alternate(instruction) => r == Class::Bits,
        (Class::Bits, _) | (_, Class::Bits) => true,
        _ => r == i,
    };
    let sizes = match (register.size_bytes(), instruction.size_bytes()) {
        (Some(r), Some(i)) => r == i || wider && r > i,
        _ => false,
    };
    let exact = register.size_bytes() == instruction.size_bytes();
    kinds && sizes && (exact || i == Class::Integer || i == Class::Bits || r == Class::Bits)
}

/// Whether an instruction of this type takes the constant.
pub fn takes(ty: ScalarType, literal: Literal) -> bool {
    match (class(ty), literal) {
        (Class::Bits | Class::Integer | Class::Predicate, Literal::Int { .. }) => true,
        (Class::Bits, Literal::F32(_)) => ty == ScalarType::B32,
        (Class::Bits, Literal::F64(_) | Literal::Decimal(_)) => ty == ScalarType::B64,
        (Class::Float, Literal::F32(_) | Literal::F64(_) | Literal::Decimal(_)) => {
            matches!(ty, ScalarType::F32 | ScalarType::F64)
        }
        _ => false,
    }
}

/// Whether the constant has more bits than the type, seen as signed or as unsigned.
pub fn loses_bits(ty: ScalarType, literal: Literal) -> bool {
    let (Literal::Int { value, unsigned }, Some(size)) = (literal, ty.size_bytes()) else { return false };
    let bits = size * 8;
    if bits >= 64 {
        return false;
    }
    let negative = !unsigned && (value as i64) < 0;
    if negative { (value as i64) < -(1 << (bits - 1)) } else { value >> bits != 0 }
}

impl<'m> Checker<'m> {
    /// Names in the operand are resolved already.
    pub(super) fn fits(&self, candidate: &Match, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        if let (Some(values), OperandKind::Literal(Literal::Int { value, .. })) = (expected.values, operand.kind)
            && !values.contain(value as i64)
        {
            return Err(Why::Values);
        }
        match expected.kind {
            Kind::Any => Ok(()),
            Kind::Value => self.value(expected, operand),
            Kind::Immediate => match operand.kind {
                OperandKind::Literal(Literal::Int { .. }) => Ok(()),
                OperandKind::Literal(_) => Err(Why::Constant),
                _ => Err(Why::Shape),
            },
            Kind::Address(Place::Memory) => self.address(expected, operand),
            Kind::Address(place) => match operand.kind {
                OperandKind::Address { base, offset } => self.object(expected, place, base, offset.bytes()),
                _ => Err(Why::Shape),
            },
            Kind::Object(place) => match operand.kind {
                OperandKind::Name(name) => self.object(expected, place, name, 0),
                _ => Err(Why::Shape),
            },
            Kind::Bracket { from, count } => {
                let OperandKind::Bracket(list) = operand.kind else { return Err(Why::Shape) };
                self.elements(candidate, candidate.inner(from, count), self.module.list(list))
            }
            Kind::Tuple { from, count } => {
                let OperandKind::Vector(list) = operand.kind else { return Err(Why::Shape) };
                let (items, inner) = (self.module.list(list), candidate.inner(from, count));
                if list.len() != inner.len() && !expected.takes_more(list.len(), inner.len()) {
                    return Err(Why::Length);
                }
                let (items, more) = items.split_at(inner.len().min(items.len()));
                self.elements(candidate, inner, items)?;
                // Coordinates that do not count are of one type with the last that does.
                let Some(last) = inner.last() else { return Ok(()) };
                more.iter().try_for_each(|item| self.fits(candidate, last, item))
            }
            Kind::Sink => match operand.kind {
                OperandKind::Sink => Ok(()),
                _ => Err(Why::Shape),
            },
            Kind::Label => self.entity_is(operand, |e| matches!(e, Entity::Label)),
            Kind::Targets => self.entity_is(operand, |e| matches!(e, Entity::Targets)),
            Kind::Symbol => self.symbol(expected, operand),
            Kind::SpecialRegister => self.special(expected, operand),
            Kind::AddressRegister => match operand.kind {
                OperandKind::Name(name) => {
                    self.register(name, ScalarType::U64, false).or_else(|_| self.register(name, ScalarType::U32, false))
                }
                _ => Err(Why::Shape),
            },
            Kind::Pack => self.pack(expected, operand),
            Kind::Part(selector) => match operand.kind {
                OperandKind::Part(_, part) if !selector.has(self.spell(part)) => Err(Why::Shape),
                OperandKind::Part(name, _) | OperandKind::Name(name) => self.register(name, ScalarType::U32, false),
                OperandKind::Literal(Literal::Int { .. }) if !expected.result => Ok(()),
                _ => Err(Why::Shape),
            },
        }
    }

    /// What stands between brackets or braces, where an optional element may be left out.
    fn elements(&self, candidate: &Match, expected: &[Expected], items: &[Operand]) -> Result<(), Why> {
        let missing = expected.len().checked_sub(items.len()).ok_or(Why::Shape)?;
        let mut skipped = 0;
        let mut items = items.iter();
        for expected in expected {
            if expected.optional && skipped < missing {
                skipped += 1;
                continue;
            }
            let item = items.next().ok_or(Why::Shape)?;
            self.fits(candidate, expected, item)?;
        }
        if items.next().is_none() { Ok(()) } else { Err(Why::Shape) }
    }

    fn entity(&self, name: Name) -> Entity<'m> {
        self.scopes.find(name).map_or(Entity::Unknown, |(entity, _)| entity)
    }

    fn entity_is(&self, operand: &Operand, test: impl Fn(Entity<'m>) -> bool) -> Result<(), Why> {
        let OperandKind::Name(name) = operand.kind else { return Err(Why::Shape) };
        if word::is_special_register(name) {
            return Err(Why::Shape);
        }
        let entity = self.entity(name);
        if test(entity) || matches!(entity, Entity::Unknown) { Ok(()) } else { Err(Why::Shape) }
    }

    /// A scalar register of a type that agrees.
    fn register(&self, name: Name, ty: ScalarType, wider: bool) -> Result<(), Why> {
        if word::is_special_register(name) {
            return Err(Why::Special);
        }
        match self.entity(name) {
            Entity::Unknown => Ok(()),
            Entity::Variable(v) if v.space == Space::Reg => {
                if v.vector == 1 && agrees(v.ty, ty, wider) {
                    Ok(())
                } else {
                    Err(Why::Type(name))
                }
            }
            Entity::Variable(_) | Entity::Function(_) => Err(Why::Memory(name)),
            Entity::Label | Entity::Targets | Entity::Callees(_) => Err(Why::Shape),
        }
    }

    fn exactly(&self, name: Name, ty: ScalarType) -> Result<(), Why> {
        match self.entity(name) {
            Entity::Variable(v) if v.ty != ty => Err(Why::Type(name)),
            _ => Ok(()),
        }
    }

    /// Any scalar register.
    fn any_register(&self, name: Name) -> Result<(), Why> {
        match self.entity(name) {
            Entity::Unknown => Ok(()),
            Entity::Variable(v) if v.space == Space::Reg && v.vector == 1 => Ok(()),
            _ => Err(Why::Shape),
        }
    }

    fn value(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        if let OperandKind::Pair(pair) = operand.kind {
            let ([left, right], Pair::May | Pair::Must) = (self.module.list(pair), expected.pair) else {
                return Err(Why::Shape);
            };
            self.value(&Expected { pair: Pair::Never, sink: true, ..*expected }, left)?;
            if expected.braces == Braces::Must && right.kind == OperandKind::Sink {
                return Err(Why::Sink);
            }
            let second = Expected { ty: Some(ScalarType::Pred), wider: false, ..*expected };
            return self.scalar(&second, right, true);
        }
        if expected.pair == Pair::Must {
            return Err(Why::Shape);
        }
        if let OperandKind::Vector(list) = operand.kind {
            let items = self.module.list(list);
            match expected.braces {
                Braces::Never => return Err(Why::Shape),
                _ if expected.takes_more(items.len(), usize::from(expected.count)) => {}
                Braces::May if items.len() != 1 => return Err(Why::Shape),
                _ if items.len() != usize::from(expected.count) => return Err(Why::Length),
                Braces::May | Braces::Must => {}
            }
            let sink = expected.result && !expected.register || expected.sink;
            items.iter().try_for_each(|item| self.scalar(expected, item, sink))?;
            return if expected.register { self.of_one_type(items) } else { Ok(()) };
        }
        if expected.braces == Braces::Must {
            return self.vector_register(expected, operand);
        }
        self.scalar(expected, operand, expected.sink)
    }

    /// The registers of a fragment of a matrix are declared alike.
    fn of_one_type(&self, items: &[Operand]) -> Result<(), Why> {
        let mut types = items.iter().filter_map(|item| match item.kind {
            OperandKind::Name(name) => match self.entity(name) {
                Entity::Variable(v) => Some(v.ty),
                _ => None,
            },
            _ => None,
        });
        let first = types.next();
        if types.all(|ty| Some(ty) == first) { Ok(()) } else { Err(Why::Mixed) }
    }

    /// A register declared with `.v2` or `.v4`.
    fn vector_register(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        let OperandKind::Name(name) = operand.kind else { return Err(Why::Length) };
        match self.entity(name) {
            Entity::Unknown if !word::is_special_register(name) => Ok(()),
            Entity::Variable(v) if v.space == Space::Reg && v.vector > 1 && v.vector == expected.count => {
                match expected.ty {
                    Some(ty) if !agrees(v.ty, ty, expected.wider) => Err(Why::Type(name)),
                    _ => Ok(()),
                }
            }
            _ => Err(Why::Length),
        }
    }

    /// One register, or one constant where it is a source.
    fn scalar(&self, expected: &Expected, operand: &Operand, sink: bool) -> Result<(), Why> {
        match &operand.kind {
            OperandKind::Name(name) => match expected.ty {
                Some(ty) if expected.exact => self.register(*name, ty, false).and_then(|()| self.exactly(*name, ty)),
                Some(ty) if expected.any_sort => self.register(*name, forms::bits_of(ty), expected.wider),
                Some(ty) => self.register(*name, ty, expected.wider),
                None => self.any_register(*name),
            },
            OperandKind::Component(name, index) => match self.entity(*name) {
                Entity::Unknown => Ok(()),
                Entity::Variable(v) if v.space == Space::Reg && v.vector > *index => match expected.ty {
                    Some(ty) if !agrees(v.ty, ty, expected.wider) => Err(Why::Type(*name)),
                    _ => Ok(()),
                },
                _ => Err(Why::Shape),
            },
            OperandKind::Literal(_) if expected.result => Err(Why::ConstantResult),
            OperandKind::Literal(_) if expected.register => Err(Why::Constant),
            OperandKind::Literal(literal) => match expected.ty {
                Some(ty) if !takes(ty, *literal) => Err(Why::Constant),
                _ => Ok(()),
            },
            OperandKind::Not(name) if !expected.result && expected.ty == Some(ScalarType::Pred) => {
                self.register(*name, ScalarType::Pred, false)
            }
            OperandKind::Sink if sink => Ok(()),
            OperandKind::Sink => Err(Why::Sink),
            _ => Err(Why::Shape),
        }
    }

    /// Elements that together are as large as the type: `mov.b32 %r, {%rs1, %rs2}`.
    fn pack(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        let (OperandKind::Vector(list), Some(ty)) = (operand.kind, expected.ty) else { return Err(Why::Shape) };
        let items = self.module.list(list);
        let (Some(size), true) = (ty.size_bytes(), matches!(items.len(), 2 | 4 | 8)) else { return Err(Why::Length) };
        let element = match size / items.len() as u32 {
            1 => ScalarType::B8,
            2 => ScalarType::B16,
            4 => ScalarType::B32,
            8 => ScalarType::B64,
            _ => return Err(Why::Length),
        };
        let part = Expected { ty: Some(element), kind: Kind::Value, ..*expected };
        items.iter().try_for_each(|item| self.scalar(&part, item, expected.result))
    }

    fn symbol(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        let (OperandKind::Name(name) | OperandKind::NameOffset(name, _)) = operand.kind else {
            return Err(Why::Shape);
        };
        if word::is_special_register(name) {
            return Err(Why::Shape);
        }
        let space = match self.entity(name) {
            Entity::Unknown => return Ok(()),
            Entity::Function(_) => Space::Global,
            Entity::Variable(v) if v.space != Space::Reg => v.space,
            _ => return Err(Why::Shape),
        };
        if expected.space.is_some_and(|wanted| wanted != space) {
            return Err(Why::Space(name));
        }
        let short = expected.ty.and_then(ScalarType::size_bytes) == Some(4);
        let global = space == Space::Global && self.module.address_size == 64;
        if short && global { Err(Why::ShortAddress(name)) } else { Ok(()) }
    }

    fn special(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        let OperandKind::Name(name) = operand.kind else { return Err(Why::Shape) };
        if !word::is_special_register(name) {
            return Err(Why::Shape);
        }
        let size = expected.ty.and_then(ScalarType::size_bytes);
        let vector = word::component(name, 0).is_some();
        let fits = match word::special_register_bytes(name) {
            _ if vector => expected.count == 4,
            _ if expected.count != 1 => false,
            None => expected.ty == Some(ScalarType::Pred),
            // The old 16-bit reads of what once had 16 bits, and `%gridid`, which once had 32.
            // `cvt` takes part of a wider one.
            Some(bytes) if expected.wider => size.is_some_and(|size| size <= bytes),
            Some(4) => size == Some(4) || size == Some(2) && (word::TID..=word::NCTAID_W).contains(&name),
            Some(bytes) => size == Some(bytes) || name == word::GRIDID && matches!(size, Some(2 | 4)),
        };
        if fits { Ok(()) } else { Err(Why::Type(name)) }
    }

    /// A texture and the like by its name or its handle, a tensor map by its address.
    fn object(&self, expected: &Expected, place: Place, name: Name, offset: i64) -> Result<(), Why> {
        if word::is_special_register(name) {
            return Err(Why::Special);
        }
        let bits = if place == Place::TensorMemory { ScalarType::U32 } else { ScalarType::U64 };
        let opaque = match place {
            Place::Memory | Place::TensorMemory | Place::TensorMap => None,
            Place::Texture => Some(ScalarType::Texref),
            Place::Sampler => Some(ScalarType::Samplerref),
            Place::Surface => Some(ScalarType::Surfref),
        };
        match self.entity(name) {
            Entity::Unknown => Ok(()),
            Entity::Variable(v) if v.space == Space::Reg => match self.register(name, bits, false) {
                Ok(()) if opaque.is_some() && offset != 0 => Err(Why::Shape),
                Ok(()) if expected.register && v.ty != ScalarType::B32 => Err(Why::Type(name)),
                other => other,
            },
            // Textures had a state space of their own before they had a type.
            Entity::Variable(v) if v.space == Space::Tex && place == Place::Texture => Ok(()),
            Entity::Variable(v) if opaque == Some(v.ty) => Ok(()),
            Entity::Variable(v) if place == Place::TensorMap => match v.space {
                Space::Param | Space::Const | Space::Global => Ok(()),
                _ => Err(Why::Space(name)),
            },
            Entity::Variable(_) => Err(Why::Memory(name)),
            Entity::Function(_) | Entity::Label | Entity::Targets | Entity::Callees(_) => Err(Why::Shape),
        }
    }

    fn address(&self, expected: &Expected, operand: &Operand) -> Result<(), Why> {
        let space = expected.space;
        let name = match operand.kind {
            OperandKind::Unified { base, .. } if expected.lax.unified && expected.unified => {
                return self.register(base, ScalarType::U64, false);
            }
            OperandKind::Unified { base, .. } if expected.unified && matches!(space, None | Some(Space::Global)) => {
                base
            }
            OperandKind::Unified { .. } => return Err(Why::Shape),
            OperandKind::Address { base, .. } if word::is_special_register(base) => return Err(Why::Special),
            OperandKind::Address { base, .. } => base,
            OperandKind::Name(name) if expected.bare => name,
            OperandKind::Absolute(_) if space == Some(Space::Local) => return Ok(()),
            OperandKind::Absolute(_) => return Err(Why::Absolute),
            _ => return Err(Why::Shape),
        };
        match self.entity(name) {
            Entity::Unknown => Ok(()),
            Entity::Variable(v) if v.space == Space::Reg => {
                let short = self.register(name, ScalarType::U32, false).is_ok();
                if !short {
                    return self.register(name, ScalarType::U64, false);
                }
                let needs_long = matches!(space, None | Some(Space::Global)) && self.module.address_size == 64;
                if needs_long { Err(Why::ShortAddress(name)) } else { Ok(()) }
            }
            Entity::Variable(v) if space.is_none_or(|s| s == v.space) => Ok(()),
            Entity::Variable(_) => Err(Why::Space(name)),
            Entity::Function(_) | Entity::Label | Entity::Targets | Entity::Callees(_) => Err(Why::Shape),
        }
    }
}
