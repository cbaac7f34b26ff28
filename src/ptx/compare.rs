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
            let left = Bare { from: &a.names, into: &mut names }.item(x);
            let right = Bare { from: &b.names, into: &mut names }.item(y);
            left == right
        })
}

/// Copies parts of a tree without spans, with names of a common interner.
struct Bare<'n> {
    from: &'n Names,
    into: &'n mut Names,
}

impl Bare<'_> {
    fn name(&mut self, name: Name) -> Name {
        self.into.intern(self.from.get(name))
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
                body: f.body.as_ref().map(|b| self.body(b)),
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

    fn body(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        body.iter().map(|s| self.stmt(s)).collect()
    }

    fn targets(&mut self, targets: &[(Name, Span)]) -> Vec<(Name, Span)> {
        targets.iter().map(|&(n, _)| (self.name(n), Span::NONE)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        let span = Span::NONE;
        match stmt {
            Stmt::Inst(inst) => Stmt::Inst(Inst {
                guard: inst.guard.map(|g| Guard { register: self.name(g.register), span, ..g }),
                opcode: self.name(inst.opcode),
                modifiers: self.names(&inst.modifiers).into(),
                operands: self.operands(&inst.operands).into(),
                span,
                opcode_span: span,
            }),
            Stmt::Label(name, _) => Stmt::Label(self.name(*name), span),
            Stmt::Variable(v) => Stmt::Variable(self.variable(v)),
            Stmt::Block(body, _) => Stmt::Block(self.body(body), span),
            Stmt::Loc { file, line, column, rest, .. } => {
                Stmt::Loc { file: *file, line: *line, column: *column, rest: rest.map(|r| self.name(r)), span }
            }
            Stmt::BranchTargets { name, targets, .. } => {
                Stmt::BranchTargets { name: self.name(*name), targets: self.targets(targets), span }
            }
            Stmt::CallTargets { name, targets, .. } => {
                Stmt::CallTargets { name: self.name(*name), targets: self.targets(targets), span }
            }
            Stmt::CallPrototype { name, returns, params, .. } => Stmt::CallPrototype {
                name: self.name(*name),
                returns: self.variables(returns),
                params: self.variables(params),
                span,
            },
            Stmt::Directive(d) => Stmt::Directive(self.directive(d)),
            Stmt::Error(_) => Stmt::Error(span),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<Operand> {
        operands.iter().map(|o| self.operand(o)).collect()
    }

    fn operand(&mut self, operand: &Operand) -> Operand {
        let kind = match &operand.kind {
            OperandKind::Name(name) => OperandKind::Name(self.name(*name)),
            OperandKind::Not(name) => OperandKind::Not(self.name(*name)),
            OperandKind::Literal(literal) => OperandKind::Literal(*literal),
            OperandKind::NameOffset(name, offset) => OperandKind::NameOffset(self.name(*name), *offset),
            OperandKind::Address { base, offset } => {
                let base = match base {
                    AddressBase::Name(name) => AddressBase::Name(self.name(*name)),
                    AddressBase::None => AddressBase::None,
                };
                OperandKind::Address { base, offset: *offset }
            }
            OperandKind::Vector(items) => OperandKind::Vector(self.operands(items)),
            OperandKind::Pair(left, right) => {
                OperandKind::Pair(Box::new(self.operand(left)), Box::new(self.operand(right)))
            }
            OperandKind::Component(name, index) => OperandKind::Component(self.name(*name), *index),
            OperandKind::Part(name, part) => OperandKind::Part(self.name(*name), self.name(*part)),
            OperandKind::Sink => OperandKind::Sink,
            OperandKind::List(items) => OperandKind::List(self.operands(items)),
            OperandKind::Bracket(items) => OperandKind::Bracket(self.operands(items)),
        };
        Operand { kind, span: Span::NONE }
    }
}
