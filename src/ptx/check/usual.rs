//! The usual operands of an opcode with its modifiers, for a quick yes.
//!
//! Nearly every instruction has registers and constants of the right types. What fits here fits the first form in all
//! respects and is not looked at again; what does not is checked in full.

use super::names::{Entity, Scopes};
use super::operand::{agrees, loses_bits, takes};
use crate::ptx::forms::{Braces, Expected, Kind, Match, Pair, Place};
use crate::ptx::tree::*;
use crate::ptx::word;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// What the operands usually are, when they are ever usual.
pub struct Usual(Option<SmallVec<[Accept; 4]>>);

/// What is usual for one operand.
#[derive(Copy, Clone)]
struct Accept {
    /// The types of scalar registers that fit, one bit each.
    registers: u64,
    /// The type of constants that fit.
    constant: Option<ScalarType>,
    /// The elements of a vector of such registers and constants.
    count: u8,
    /// `[register]` fits when the register is one of `registers`, rather than the register itself.
    address: bool,
    label: bool,
    /// One register or constant fits.
    is_single: bool,
}

const _: () = assert!((ScalarType::Surfref as u32) < u64::BITS);

/// The types of registers that go with each type, one bit each: of its size, and perhaps wider.
static AGREEING: LazyLock<Vec<[u64; 2]>> = LazyLock::new(|| {
    let bits = |ty, wider| {
        let registers = word::scalar_types().filter(|&register| agrees(register, ty, wider));
        registers.fold(0, |bits, register| bits | 1 << register as u32)
    };
    word::scalar_types().map(|ty| [bits(ty, false), bits(ty, true)]).collect()
});

fn registers_for(ty: ScalarType, wider: bool) -> u64 {
    AGREEING.get(ty as usize).map_or(0, |bits| bits[usize::from(wider)])
}

impl Usual {
    /// The operands of the first form; optional ones at its end are left out.
    pub fn of(matches: &[Match]) -> Usual {
        let Some(first) = Usual::form(matches) else { return Usual(None) };
        let needed = first.operands.iter().take_while(|o| !o.optional).count();
        let (needed, others) = first.operands.split_at(needed);
        let usual = needed.iter().map(Accept::of).collect::<Option<_>>();
        Usual(usual.filter(|_| others.iter().all(|o| o.optional)))
    }

    /// The form whose operands they are.
    pub fn form(matches: &[Match]) -> Option<&Match> {
        matches.first()
    }

    /// Whether these operands are the usual ones.
    #[inline]
    pub fn are<'m>(&self, operands: &[Operand], module: &'m Module, scopes: &mut Scopes<'m>) -> bool {
        let Usual(Some(usual)) = self else { return false };
        usual.len() == operands.len() && usual.iter().zip(operands).all(|(usual, o)| usual.is(o, module, scopes))
    }
}

impl Accept {
    fn of(expected: &Expected) -> Option<Accept> {
        let none = Accept { registers: 0, constant: None, count: 1, address: false, label: false, is_single: false };
        match (expected.kind, expected.ty) {
            (Kind::Value, Some(ty))
                if expected.pair != Pair::Must && !(expected.register && expected.braces == Braces::Must) =>
            {
                Some(Accept {
                    registers: if expected.exact { 1 << ty as u32 } else { registers_for(ty, expected.wider) },
                    constant: (!expected.result && !expected.register && expected.values.is_none()).then_some(ty),
                    count: expected.count,
                    is_single: expected.count == 1,
                    ..none
                })
            }
            // Shorter registers depend on the state space.
            (Kind::Address(Place::Memory), _) => {
                Some(Accept { registers: registers_for(ScalarType::U64, false), address: true, ..none })
            }
            (Kind::Label, _) => Some(Accept { label: true, ..none }),
            _ => None,
        }
    }

    #[inline(always)]
    fn is<'m>(&self, operand: &Operand, module: &'m Module, scopes: &mut Scopes<'m>) -> bool {
        match operand.kind {
            OperandKind::Name(name) => match scopes.register(name) {
                Some(ty) => self.is_single && self.has(Some(ty)),
                None => self.label && matches!(scopes.find(name), Some((Entity::Label, _))),
            },
            OperandKind::Address { base, .. } => self.address && self.has(scopes.register(base)),
            OperandKind::Vector(list) => {
                let items = module.list(list);
                self.count > 1
                    && items.len() == usize::from(self.count)
                    && items.iter().all(|item| self.is_scalar(item, scopes))
            }
            _ => self.is_single && self.is_scalar(operand, scopes),
        }
    }

    #[inline(always)]
    fn is_scalar(&self, operand: &Operand, scopes: &mut Scopes<'_>) -> bool {
        match (operand.kind, self.constant) {
            (OperandKind::Name(name), _) => self.has(scopes.register(name)),
            (OperandKind::Literal(literal), Some(ty)) => takes(ty, literal) && !loses_bits(ty, literal),
            _ => false,
        }
    }

    #[inline(always)]
    fn has(&self, register: Option<ScalarType>) -> bool {
        register.is_some_and(|ty| self.registers >> ty as u32 & 1 != 0)
    }
}
