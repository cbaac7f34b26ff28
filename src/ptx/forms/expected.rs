//! What an operand of a form may be.

use super::Needs;
use crate::ptx::tree::{ScalarType, Space};
use smallvec::SmallVec;

/// The values that a constant may have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Values {
    /// One of these.
    List(SmallVec<[i64; 4]>),
    /// Both ends are in; a multiple of `step`.
    Range { low: i64, high: i64, step: i64 },
}

impl Values {
    pub fn contain(&self, value: i64) -> bool {
        match self {
            Values::List(list) => list.contains(&value),
            &Values::Range { low, high, step } => (low..=high).contains(&value) && value % step == 0,
        }
    }
}

impl std::fmt::Display for Values {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Values::List(list) => {
                for (n, value) in list.iter().enumerate() {
                    let between = if n == 0 {
                        ""
                    } else if n + 1 == list.len() {
                        " or "
                    } else {
                        ", "
                    };
                    write!(f, "{between}{value}")?;
                }
                Ok(())
            }
            Values::Range { low, high, step: 1 } => write!(f, "{low} to {high}"),
            Values::Range { low, high, step } => write!(f, "a multiple of {step} from {low} to {high}"),
        }
    }
}

/// What an operand may be.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A register; as a source, a constant too.
    Value,
    Immediate,
    /// `[a]`.
    Address(Place),
    /// The name of such a thing, or a register with its handle: an element of brackets.
    Object(Place),
    /// `[a, {x, y}]`: the elements in [`Match::inner`].
    Bracket {
        from: u8,
        count: u8,
    },
    /// `{l, x}`: elements of their own types, in [`Match::inner`].
    Tuple {
        from: u8,
        count: u8,
    },
    /// `_`: the result is not wanted.
    Sink,
    Label,
    /// The label of a `.branchtargets` list.
    Targets,
    /// A variable or function, perhaps with an offset.
    Symbol,
    SpecialRegister,
    /// A 32- or 64-bit integer register.
    AddressRegister,
    /// A vector whose elements together have the size of the type.
    Pack,
    /// A register with or without a selector.
    Part(Selector),
    Any,
}

/// The bytes or halves of a register that a video instruction takes.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Selector {
    /// `.b2`, `.h1`: one value.
    One,
    /// `.h10`: the halves of the result that are written.
    Mask2,
    /// `.b3210`.
    Mask4,
    /// `.h32`: two halves out of the four of both operands.
    Lanes2,
    /// `.b7610`: four bytes out of the eight.
    Lanes4,
}

impl Selector {
    pub fn has(self, text: &str) -> bool {
        let Some((kind, digits)) = text.split_at_checked(1) else { return false };
        let bytes = digits.as_bytes();
        // The lanes of a mask are named once each, the highest first.
        let mask = |highest: u8| !bytes.is_empty() && bytes[0] <= highest && bytes.is_sorted_by(|a, b| a > b);
        let below = |limit: u8| bytes.iter().all(|digit| (b'0'..limit).contains(digit));
        match (self, kind) {
            (Selector::One, "b") => bytes.len() == 1 && below(b'4'),
            (Selector::One, "h") => bytes.len() == 1 && below(b'2'),
            (Selector::Mask2, "h") => mask(b'1') && below(b'2'),
            (Selector::Mask4, "b") => mask(b'3') && below(b'4'),
            (Selector::Lanes2, "h") => bytes.len() == 2 && below(b'4'),
            (Selector::Lanes4, "b") => bytes.len() == 4 && below(b'8'),
            _ => false,
        }
    }
}

/// What an address is of.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Place {
    Memory,
    /// Of the matrix units of sm_100: a 32-bit register.
    TensorMemory,
    Texture,
    Sampler,
    Surface,
    /// 128 bytes in `.param`, `.const` or `.global` memory that describe a tensor.
    TensorMap,
}

/// `d|p`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Pair {
    Never,
    May,
    Must,
}

/// Whether an operand stands in braces.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Braces {
    Never,
    May,
    Must,
}

/// What ptxas takes for an operand that the PTX ISA does not list.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Lax {
    /// An integer constant in place of a register.
    pub constant: bool,
    /// A register of another sort and the same size.
    pub sort: bool,
    /// `[a].unified`.
    pub unified: bool,
    /// An address without its brackets.
    pub bare: bool,
    /// Up to four coordinates.
    pub four: bool,
}

/// What one operand of an instruction must be, its modifiers known.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Expected {
    pub result: bool,
    pub kind: Kind,
    /// None where any type will do.
    pub ty: Option<ScalarType>,
    /// A wider register will do.
    pub wider: bool,
    /// A constant will not do.
    pub register: bool,
    /// Only a register of this very type will do.
    pub exact: bool,
    /// Elements of a vector.
    pub count: u8,
    pub braces: Braces,
    pub pair: Pair,
    /// The result may be `_`.
    pub sink: bool,
    pub optional: bool,
    /// Of an address; none for a generic one.
    pub space: Option<Space>,
    /// What a constant may be.
    pub values: Option<&'static Values>,
    /// `[a].unified` may stand here.
    pub unified: bool,
    /// A vector of four will do too; those beyond the count do not count.
    pub four: bool,
    /// So will one of any length up to four.
    pub longer: bool,
    /// An address may stand without its brackets.
    pub bare: bool,
    /// Registers of every sort will do that have the size of the type.
    pub any_sort: bool,
    /// What an optional operand, or the predicate of a pair, needs where it stands.
    pub needs: Option<&'static Needs>,
    pub lax: Lax,
}

impl Expected {
    /// Whether so many coordinates will do where this many count.
    pub fn takes_more(&self, given: usize, count: usize) -> bool {
        given > count && (self.four && given == 4 || self.longer && given < 4)
    }

    /// The same with what ptxas takes beyond the PTX ISA.
    pub fn loosened(self) -> Expected {
        let Lax { constant, sort, unified, bare, four } = self.lax;
        Expected {
            any_sort: self.any_sort || sort,
            register: self.register && !constant,
            unified: self.unified || unified,
            bare: self.bare || bare,
            four: self.four || four,
            longer: self.four || four,
            ..self
        }
    }
}

/// The type of bits of this size.
pub fn bits_of(ty: ScalarType) -> ScalarType {
    match ty.size_bytes() {
        Some(4) => ScalarType::B32,
        Some(8) => ScalarType::B64,
        _ => ty,
    }
}
