//! Comparison of trees by what they say: spans do not count, and names are equal when they are spelled alike.

use super::names::{Name, Names};
use super::tree::*;
use crate::diag::Span;

/// Whether two modules are the same but for spans and the numbering of their names.
pub fn same_tree(a: &Module, b: &Module) -> bool {
    let mut names = Names::new();
    let heads = |m: &Module, names: &mut Names| -> Vec<Name> {
        m.targets.iter().map(|&t| names.intern(m.names.get(t))).collect()
    };
    (a.version, a.address_size) == (b.version, b.address_size)
        && heads(a, &mut names) == heads(b, &mut names)
        && a.items.len() == b.items.len()
        && a.items.iter().zip(&b.items).all(|(x, y)| {
            let left = Bare { module: a, into: &mut names }.item(x);
            let right = Bare { module: b, into: &mut names }.item(y);
            left == right && same_bodies(a, x, b, y, &mut names)
        })
}

fn same_bodies(a: &Module, x: &Item, b: &Module, y: &Item, names: &mut Names) -> bool {
    match (x, y) {
        (Item::Function(x), Item::Function(y)) => match (&x.body, &y.body) {
            (Some(x), Some(y)) => same_body(a, x, b, y, names),
            (x, y) => x.is_none() == y.is_none(),
        },
        _ => true,
    }
}

fn same_body(a: &Module, x: &[Stmt], b: &Module, y: &[Stmt], names: &mut Names) -> bool {
    x.len() == y.len()
        && x.iter().zip(y).all(|(x, y)| match (x, y) {
            (Stmt::Block(x, _), Stmt::Block(y, _)) => same_body(a, x, b, y, names),
            (Stmt::Inst(x), Stmt::Inst(y)) => {
                let left = Bare { module: a, into: names }.inst(&a.inst(x));
                left == Bare { module: b, into: names }.inst(&b.inst(y))
            }
            _ => {
                let left = Bare { module: a, into: names }.stmt(x);
                left.is_some() && left == Bare { module: b, into: names }.stmt(y)
            }
        })
}

/// An instruction with its operands in place of their lists.
#[derive(PartialEq)]
struct BareInst {
    guard: Option<Guard>,
    /// Opcode and modifiers.
    words: Vec<Name>,
    operands: Vec<BareOperand>,
}

#[derive(PartialEq)]
enum BareOperand {
    One(OperandKind),
    /// The sort of list, and its elements.
    List(u8, Vec<BareOperand>),
}

/// Copies parts of a tree without spans, with names of a common interner.
struct Bare<'n> {
    module: &'n Module,
    into: &'n mut Names,
}

impl Bare<'_> {
    fn name(&mut self, name: Name) -> Name {
        self.into.intern(self.module.names.get(name))
    }

    fn names(&mut self, names: &[Name]) -> Vec<Name> {
        names.iter().map(|&n| self.name(n)).collect()
    }

    fn item(&mut self, item: &Item) -> Item {
        match item {
            Item::Function(f) => Item::Function(Function {
                kind: f.kind,
                linkage: f.linkage,
                name: self.name(f.name),
                name_span: Span::NONE,
                returns: self.variables(&f.returns),
                params: self.variables(&f.params),
                directives: f
                    .directives
                    .iter()
                    .map(|d| KernelDirective {
                        name: self.name(d.name),
                        numbers: d.numbers.clone(),
                        text: d.text.map(|t| self.name(t)),
                        span: Span::NONE,
                    })
                    .collect(),
                // Compared apart.
                body: None,
                span: Span::NONE,
            }),
            Item::Variable(v) => Item::Variable(self.variable(v)),
            Item::Directive(d) => Item::Directive(self.directive(d)),
            Item::Broken(_) => Item::Broken(Span::NONE),
        }
    }

    fn directive(&mut self, d: &Directive) -> Directive {
        Directive { name: self.name(d.name), text: self.name(d.text), span: Span::NONE }
    }

    fn variables(&mut self, variables: &[Variable]) -> Vec<Variable> {
        variables.iter().map(|v| self.variable(v)).collect()
    }

    fn variable(&mut self, v: &Variable) -> Variable {
        Variable {
            linkage: v.linkage,
            space: v.space,
            align_bytes: v.align_bytes,
            vector: v.vector,
            ty: v.ty,
            name: self.name(v.name),
            name_span: Span::NONE,
            range: v.range,
            dims: v.dims.clone(),
            ptr: v.ptr,
            attributes: self.names(&v.attributes),
            init: v.init.as_ref().map(|i| self.init(i)),
            span: Span::NONE,
        }
    }

    fn init(&mut self, init: &Init) -> Init {
        match init {
            Init::Literal(literal, _) => Init::Literal(*literal, Span::NONE),
            Init::Address { name, offset, generic, mask, .. } => Init::Address {
                name: self.name(*name),
                offset: *offset,
                generic: *generic,
                mask: *mask,
                span: Span::NONE,
            },
            Init::List(items, _) => Init::List(items.iter().map(|i| self.init(i)).collect(), Span::NONE),
            Init::Field { name, value, .. } => {
                Init::Field { name: self.name(*name), value: Box::new(self.init(value)), span: Span::NONE }
            }
        }
    }

    fn targets(&mut self, list: &Targets) -> Box<Targets> {
        let targets = list.targets.iter().map(|&(n, _)| (self.name(n), Span::NONE)).collect();
        Box::new(Targets { name: self.name(list.name), targets, span: Span::NONE })
    }

    /// A statement other than an instruction or scope.
    fn stmt(&mut self, stmt: &Stmt) -> Option<Stmt> {
        let span = Span::NONE;
        Some(match stmt {
            Stmt::Inst(_) | Stmt::Block(..) => return None,
            Stmt::Label(name, _) => Stmt::Label(self.name(*name), span),
            Stmt::Variable(v) => Stmt::Variable(Box::new(self.variable(v))),
            Stmt::Loc { file, line, column, rest, .. } => {
                Stmt::Loc { file: *file, line: *line, column: *column, rest: rest.map(|r| self.name(r)), span }
            }
            Stmt::BranchTargets(list) => Stmt::BranchTargets(self.targets(list)),
            Stmt::CallTargets(list) => Stmt::CallTargets(self.targets(list)),
            Stmt::CallPrototype(prototype) => Stmt::CallPrototype(Box::new(Prototype {
                name: self.name(prototype.name),
                returns: self.variables(&prototype.returns),
                params: self.variables(&prototype.params),
                span,
            })),
            Stmt::Directive(d) => Stmt::Directive(self.directive(d)),
            Stmt::Error(_) => Stmt::Error(span),
        })
    }

    fn inst(&mut self, inst: &Inst<'_>) -> BareInst {
        let guard = inst.guard.map(|g| Guard { register: self.name(g.register), span: Span::NONE, ..g });
        let words = std::iter::once(&inst.opcode).chain(inst.modifiers).map(|&word| self.name(word)).collect();
        BareInst { guard, words, operands: self.operands(inst.operands) }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<BareOperand> {
        operands.iter().map(|o| self.operand(o)).collect()
    }

    fn operand(&mut self, operand: &Operand) -> BareOperand {
        let mut list = |sort, list| BareOperand::List(sort, self.operands(self.module.list(list)));
        BareOperand::One(match operand.kind {
            OperandKind::Vector(items) => return list(0, items),
            OperandKind::Pair(items) => return list(1, items),
            OperandKind::List(items) => return list(2, items),
            OperandKind::Bracket(items) => return list(3, items),
            OperandKind::Name(name) => OperandKind::Name(self.name(name)),
            OperandKind::Not(name) => OperandKind::Not(self.name(name)),
            OperandKind::NameOffset(name, offset) => OperandKind::NameOffset(self.name(name), offset),
            OperandKind::Address { base, offset } => OperandKind::Address { base: self.name(base), offset },
            OperandKind::Unified { base, offset } => OperandKind::Unified { base: self.name(base), offset },
            OperandKind::Component(name, index) => OperandKind::Component(self.name(name), index),
            OperandKind::Part(name, part) => OperandKind::Part(self.name(name), self.name(part)),
            OperandKind::Literal(_) | OperandKind::Absolute(_) | OperandKind::Sink => operand.kind,
        })
    }
}
