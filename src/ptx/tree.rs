//! The PTX tree: what the text says, with spans, before any meaning.
//!
//! Every instruction is one shape: guard, opcode, modifiers in source order, operands. What is valid is decided by the
//! forms of `grammar/*.forms`; after a parse without fatal diagnostics every [`Inst`] matches one form, so a reader may
//! rely on operand counts and kinds.
//! Names and words are interned in [`Module::names`]; opcode and modifier words have fixed ids (`ptx::word`).

use crate::diag::Span;
use crate::ptx::names::{Name, Names};
use smallvec::SmallVec;

/// A whole `.ptx` file.
#[derive(Debug)]
pub struct Module {
    pub names: Names,
    /// `.version major.minor`.
    pub version: Option<(u16, u16)>,
    /// `.target` words in source order: `sm_80`, `debug`, `texmode_independent`.
    pub targets: Vec<Name>,
    /// `.address_size`: 32 or 64.
    pub address_size: u8,
    pub items: Vec<Item>,
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
        crate::ptx::word::TEXTS[crate::ptx::word::U8.index() + self as usize]
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

#[derive(Debug, PartialEq)]
pub enum Stmt {
    Inst(Inst),
    Label(Name, Span),
    Variable(Variable),
    /// A nested `{ }` scope: names and labels declared inside are local to it.
    Block(Vec<Stmt>, Span),
    /// `.loc file line column`, with optional `function_name`/`inlined_at` text.
    Loc {
        file: u32,
        line: u32,
        column: u32,
        rest: Option<Name>,
        span: Span,
    },
    /// `name: .branchtargets L0, L1;`
    BranchTargets {
        name: Name,
        targets: Vec<(Name, Span)>,
        span: Span,
    },
    /// `name: .calltargets f, g;`
    CallTargets {
        name: Name,
        targets: Vec<(Name, Span)>,
        span: Span,
    },
    /// `name: .callprototype (ret) _ (params);`
    CallPrototype {
        name: Name,
        returns: Vec<Variable>,
        params: Vec<Variable>,
        span: Span,
    },
    Directive(Directive),
    /// A statement that did not parse; it has been reported.
    Error(Span),
}

#[derive(Debug, PartialEq)]
pub struct Inst {
    pub guard: Option<Guard>,
    pub opcode: Name,
    /// Words after the opcode without their dots, in source order: `["lo", "s32"]`, `["shared::cta", "v4", "u32"]`.
    pub modifiers: SmallVec<[Name; 4]>,
    pub operands: SmallVec<[Operand; 4]>,
    /// The statement, from the guard to the semicolon.
    pub span: Span,
    /// Opcode and modifiers.
    pub opcode_span: Span,
}

impl Inst {
    pub fn has(&self, modifier: Name) -> bool {
        self.modifiers.contains(&modifier)
    }

    /// The `n`th type among the modifiers: `cvt.u32.s16` has two.
    pub fn ty(&self, n: usize) -> Option<ScalarType> {
        self.modifiers.iter().filter_map(|&m| crate::ptx::word::scalar_type(m)).nth(n)
    }
}

/// `@p` or `@!p`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Guard {
    pub register: Name,
    pub negated: bool,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub struct Operand {
    pub kind: OperandKind,
    pub span: Span,
}

#[derive(Debug, PartialEq)]
pub enum OperandKind {
    /// A register, special register (`%tid.x` is one name with its component), variable, function or label.
    Name(Name),
    /// `!p`.
    Not(Name),
    /// `-%r1` of old PTX is not accepted; a minus belongs to the literal.
    Literal(Literal),
    /// `name+4` outside brackets.
    NameOffset(Name, i64),
    /// `[base]`, `[base+8]`, `[8]`.
    Address { base: AddressBase, offset: i64 },
    /// `{a, b, c, d}`; elements may be `_`.
    Vector(Vec<Operand>),
    /// `p|q`.
    Pair(Box<Operand>, Box<Operand>),
    /// `r.x` component of a vector register, also `.r .g .b .a` spellings: 0 to 3.
    Component(Name, u8),
    /// `r.b0`, `r.h1`, `r.b3210`: bytes or halves of a register, as video instructions take them.
    Part(Name, Name),
    /// `_`.
    Sink,
    /// `(a, b)`: the result or argument list of a call.
    List(Vec<Operand>),
    /// `[tex, {x, y}]` and `[map, {c0, c1}]`.
    Bracket(Vec<Operand>),
}

#[derive(Copy, Clone, Debug, PartialEq)]
pub enum AddressBase {
    Name(Name),
    /// An absolute address; the offset holds it.
    None,
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
