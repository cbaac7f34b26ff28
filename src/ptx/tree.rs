//! The PTX tree: what the text says, with spans, before any meaning.
//!
//! Every instruction is one shape: guard, opcode, modifiers in source order, operands. What is valid is decided by the
//! forms of `grammar/*.forms`; after a parse without fatal diagnostics every [`Inst`] matches one form, so a reader may
//! rely on operand counts and kinds. The statements of a body hold instructions packed, with their operands and spellings
//! in the rows of [`Code`]; [`Module::inst`] gives the instruction itself.
//! Names and words are interned in [`Module::names`]; opcode and modifier words have fixed ids (`ptx::word`).

use crate::diag::Span;
use crate::ptx::code::{Code, HeadId, List};
use crate::ptx::names::{Name, Names};
use crate::ptx::word;
use smallvec::SmallVec;

/// A whole `.ptx` file.
#[derive(Debug)]
pub struct Module {
    pub names: Names,
    /// `.version major.minor`.
    pub version: Option<(u16, u16)>,
    /// Where the version and the targets stand.
    pub version_span: Span,
    pub targets_span: Span,
    /// `.target` words in source order: `sm_80`, `debug`, `texmode_independent`.
    pub targets: Vec<Name>,
    /// `.address_size`: 32 or 64.
    pub address_size: u8,
    pub items: Vec<Item>,
    /// Operands and spellings of all instructions.
    pub code: Code,
}

impl Module {
    /// The instruction of a statement.
    #[inline]
    pub fn inst(&self, packed: &PackedInst) -> Inst<'_> {
        let (opcode, modifiers) = self.code.head(packed.head);
        let mut row = &self.code.operands[packed.operands.range()];
        let mut guard = None;
        if packed.guarded
            && let Some((first, rest)) = row.split_first()
        {
            let (register, negated) = match first.kind {
                OperandKind::Not(register) => (register, true),
                OperandKind::Name(register) => (register, false),
                _ => (word::SINK, false),
            };
            guard = Some(Guard { register, negated, span: first.span });
            row = rest;
        }
        let PackedInst { head, span, opcode_span, .. } = *packed;
        Inst { head, guard, opcode, modifiers, operands: row, span, opcode_span }
    }

    /// The operands in a list.
    pub fn list(&self, list: List) -> &[Operand] {
        self.code.elements.get(list.range()).unwrap_or(&[])
    }
}

#[derive(Debug, PartialEq)]
pub enum Item {
    Function(Function),
    Variable(Variable),
    /// A module-scope directive that has no effect on the code: `.file`, `.section`, `.pragma`, `.alias`.
    Directive(Directive),
    /// An item that did not parse; it has been reported.
    Broken(Span),
}

/// A directive kept as its text: its name without the dot, and the raw text between it and its end, trimmed.
#[derive(Debug, PartialEq)]
pub struct Directive {
    pub name: Name,
    pub text: Name,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Linkage {
    Internal,
    Visible,
    Extern,
    Weak,
    Common,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    Entry,
    Func,
}

/// `.entry` or `.func`; without a body it is a declaration.
#[derive(Debug, PartialEq)]
pub struct Function {
    pub kind: FunctionKind,
    pub linkage: Linkage,
    pub name: Name,
    pub name_span: Span,
    /// `.func (.reg .b32 r, ...) name`: registers or `.param` variables.
    pub returns: Vec<Variable>,
    pub params: Vec<Variable>,
    pub directives: Vec<KernelDirective>,
    pub body: Option<Vec<Stmt>>,
    pub span: Span,
}

/// Performance and linkage directives between the parameter list and the body.
#[derive(Debug, PartialEq)]
pub struct KernelDirective {
    /// `maxntid`, `reqntid`, `minnctapersm`, `maxnreg`, `noreturn`, `pragma`, ... without the dot.
    pub name: Name,
    /// Up to three numbers (`.maxntid 256, 1, 1`).
    pub numbers: SmallVec<[u64; 3]>,
    /// The string of a `.pragma`.
    pub text: Option<Name>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    Reg,
    Sreg,
    Const,
    Global,
    Local,
    Param,
    Shared,
    Tex,
}

/// A declaration: register, parameter or memory variable.
#[derive(Debug, PartialEq)]
pub struct Variable {
    pub linkage: Linkage,
    pub space: Space,
    /// Explicit `.align`, bytes.
    pub align_bytes: Option<u32>,
    /// Elements of `.v2`/`.v4`, else 1.
    pub vector: u8,
    pub ty: ScalarType,
    pub name: Name,
    pub name_span: Span,
    /// `%r<10>` declares `%r0` to `%r9`.
    pub range: Option<u32>,
    /// Array dimensions, outermost first; `None` for `[]`.
    pub dims: SmallVec<[Option<u64>; 2]>,
    /// `.param .u64 .ptr .global .align 16 p`.
    pub ptr: Option<PtrAttribute>,
    /// `.attribute(.managed)` and the like, as words.
    pub attributes: Vec<Name>,
    pub init: Option<Init>,
    pub span: Span,
}

impl Variable {
    /// A single value of its own, without a place.
    pub(super) fn scalar(space: Space, ty: ScalarType, name: Name, name_span: Span) -> Variable {
        Variable {
            linkage: Linkage::Internal,
            space,
            align_bytes: None,
            vector: 1,
            ty,
            name,
            name_span,
            range: None,
            dims: SmallVec::new(),
            ptr: None,
            attributes: Vec::new(),
            init: None,
            span: Span::NONE,
        }
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PtrAttribute {
    pub space: Option<Space>,
    pub align_bytes: Option<u32>,
}

/// An initialiser: `= 1`, `= {1, 2, {3, name+4}}`, `= "text"` is not PTX.
#[derive(Debug, PartialEq)]
pub enum Init {
    Literal(Literal, Span),
    /// `name`, `name+4`, `generic(name)+4`, and a byte of an address by `0xFF(name)` masks.
    Address {
        name: Name,
        offset: i64,
        generic: bool,
        mask: Option<u64>,
        span: Span,
    },
    List(Vec<Init>, Span),
    /// A field of a texture, sampler or surface: `addr_mode_0 = mirror`, `width = 32`.
    Field {
        name: Name,
        value: Box<Init>,
        span: Span,
    },
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScalarType {
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    B8,
    B16,
    B32,
    B64,
    B128,
    F16,
    F16x2,
    Bf16,
    Bf16x2,
    Tf32,
    F32,
    F64,
    Pred,
    U16x2,
    S16x2,
    E4m3,
    E5m2,
    E4m3x2,
    E5m2x2,
    E2m1x2,
    E2m3x2,
    E3m2x2,
    Ue8m0x2,
    Texref,
    Samplerref,
    Surfref,
}

impl ScalarType {
    /// Size in memory, bytes; predicates and opaque types have none.
    pub const fn size_bytes(self) -> Option<u32> {
        use ScalarType::*;
        Some(match self {
            U8 | S8 | B8 | E4m3 | E5m2 => 1,
            U16 | S16 | B16 | F16 | Bf16 | E4m3x2 | E5m2x2 | E2m1x2 | E2m3x2 | E3m2x2 | Ue8m0x2 => 2,
            U32 | S32 | B32 | F32 | F16x2 | Bf16x2 | Tf32 | U16x2 | S16x2 => 4,
            U64 | S64 | B64 | F64 => 8,
            B128 => 16,
            Pred | Texref | Samplerref | Surfref => return None,
        })
    }

    /// The spelling without its dot.
    pub fn word(self) -> &'static str {
        word::TEXTS[word::U8.index() + self as usize]
    }

    pub const fn is_signed(self) -> bool {
        use ScalarType::*;
        matches!(self, S8 | S16 | S32 | S64 | S16x2)
    }

    pub const fn is_float(self) -> bool {
        use ScalarType::*;
        matches!(self, F16 | F16x2 | Bf16 | Bf16x2 | Tf32 | F32 | F64)
    }
}

/// A statement of a body, in 32 bytes.
#[derive(Debug, PartialEq)]
pub enum Stmt {
    Inst(PackedInst),
    Label(Name, Span),
    Variable(Box<Variable>),
    /// A nested `{ }` scope: names and labels declared inside are local to it.
    Block(Box<[Stmt]>, Span),
    /// `.loc file line column`, with optional `function_name`/`inlined_at` text.
    Loc {
        file: u32,
        line: u32,
        column: u32,
        rest: Option<Name>,
        span: Span,
    },
    /// `name: .branchtargets L0, L1;`
    BranchTargets(Box<Targets>),
    /// `name: .calltargets f, g;`
    CallTargets(Box<Targets>),
    /// `name: .callprototype (ret) _ (params);`
    CallPrototype(Box<Prototype>),
    Directive(Directive),
    /// A statement that did not parse; it has been reported.
    Error(Span),
}

/// A named list of labels or functions.
#[derive(Debug, PartialEq)]
pub struct Targets {
    pub name: Name,
    pub targets: Vec<(Name, Span)>,
    pub span: Span,
}

/// What a call through a register takes and gives.
#[derive(Debug, PartialEq)]
pub struct Prototype {
    pub name: Name,
    pub returns: Vec<Variable>,
    pub params: Vec<Variable>,
    pub span: Span,
}

/// An instruction as a statement holds it; [`Module::inst`] unpacks it.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct PackedInst {
    pub(super) head: HeadId,
    /// With the guard as the first of them.
    pub(super) operands: List,
    pub(super) guarded: bool,
    pub span: Span,
    pub opcode_span: Span,
}

/// An instruction of a [`Module`].
#[derive(Copy, Clone, Debug)]
pub struct Inst<'m> {
    /// The opcode with its modifiers.
    pub head: HeadId,
    pub guard: Option<Guard>,
    pub opcode: Name,
    /// Words after the opcode without their dots, in source order: `["lo", "s32"]`, `["shared::cta", "v4", "u32"]`.
    pub modifiers: &'m [Name],
    pub operands: &'m [Operand],
    /// The statement, from the guard to the semicolon.
    pub span: Span,
    /// Opcode and modifiers.
    pub opcode_span: Span,
}

impl Inst<'_> {
    pub fn has(&self, modifier: Name) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The `n`th type among the modifiers: `cvt.u32.s16` has two.
    pub fn ty(&self, n: usize) -> Option<ScalarType> {
        self.modifiers.iter().filter_map(|&m| word::scalar_type(m)).nth(n)
    }
}

/// `@p` or `@!p`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Guard {
    pub register: Name,
    pub negated: bool,
    pub span: Span,
}

/// An operand, in 24 bytes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Operand {
    pub kind: OperandKind,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// A register, special register (`%tid.x` is one name with its component), variable, function or label.
    Name(Name),
    /// `!p`.
    Not(Name),
    /// `-%r1` of old PTX is not accepted; a minus belongs to the literal.
    Literal(Literal),
    /// `name+4` outside brackets.
    NameOffset(Name, Offset),
    /// `[base]`, `[base+8]`.
    Address { base: Name, offset: Offset },
    /// `[a].unified`: the address is the same for host and device.
    Unified { base: Name, offset: Offset },
    /// `[8]`.
    Absolute(i64),
    /// `{a, b, c, d}`; elements may be `_`.
    Vector(List),
    /// `p|q`: a list of two; the first may be a vector.
    Pair(List),
    /// `r.x` component of a vector register, also `.r .g .b .a` spellings: 0 to 3.
    Component(Name, u8),
    /// `r.b0`, `r.h1`, `r.b3210`: bytes or halves of a register, as video instructions take them.
    Part(Name, Name),
    /// `_`.
    Sink,
    /// `(a, b)`: the result or argument list of a call.
    List(List),
    /// `[tex, {x, y}]` and `[map, {c0, c1}]`.
    Bracket(List),
}

const _: () = assert!(size_of::<Operand>() == 24);
const _: () = assert!(size_of::<Stmt>() == 32);

/// Bytes behind a name: 64 bits that need no more alignment than the name.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Offset {
    low: u32,
    high: u32,
}

impl Offset {
    pub const fn new(bytes: i64) -> Offset {
        Offset { low: bytes as u32, high: (bytes >> 32) as u32 }
    }

    pub const fn bytes(self) -> i64 {
        (self.high as i64) << 32 | self.low as i64
    }
}

/// A number as written. Integers are 64-bit with wrap-around, as the PTX ISA evaluates constant expressions.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Literal {
    /// `123`, `0x7f`, `-1`; `signed` is false for a `U` suffix.
    Int { value: u64, unsigned: bool },
    /// `0f3F800000`: the bits.
    F32(u32),
    /// `0d3FF0000000000000`: the bits.
    F64(u64),
    /// `1.5`, `1e-3`: a decimal, as f64 bits rounded to nearest even.
    Decimal(u64),
}
