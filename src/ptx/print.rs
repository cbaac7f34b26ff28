//! The printer: one statement a line, one declaration a name, every literal in one spelling.

use super::code::List;
use super::names::Name;
use super::tree::*;
use super::word;
use std::fmt::Write;

/// The whole module.
pub fn print_module(module: &Module) -> String {
    let mut p = Printer { module, out: String::new(), indent: 0 };
    if let Some((major, minor)) = module.version {
        p.line(format_args!(".version {major}.{minor}"));
    }
    if !module.targets.is_empty() {
        let targets: Vec<_> = module.targets.iter().map(|&t| module.names.get(t)).collect();
        p.line(format_args!(".target {}", targets.join(", ")));
    }
    // Early versions have no word for it.
    if module.version.is_none_or(|version| version >= (2, 3)) || module.address_size != 32 {
        p.line(format_args!(".address_size {}", module.address_size));
    }
    for item in &module.items {
        match item {
            Item::Function(function) => p.function(function),
            Item::Variable(variable) => {
                p.start();
                p.variable(variable);
                p.out.push_str(";\n");
            }
            Item::Directive(directive) => p.directive(directive),
            Item::Broken(_) => p.line(format_args!("// a function that could not be read")),
        }
    }
    p.out
}

/// One instruction, without its semicolon: for messages and dumps.
pub fn print_inst(module: &Module, inst: &Inst<'_>) -> String {
    let mut p = Printer { module, out: String::new(), indent: 0 };
    p.inst(inst);
    p.out
}

struct Printer<'m> {
    module: &'m Module,
    out: String,
    indent: usize,
}

impl<'m> Printer<'m> {
    fn name(&self, name: Name) -> &'m str {
        self.module.names.get(name)
    }

    fn push(&mut self, name: Name) {
        self.out.push_str(self.module.names.get(name));
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // A String takes everything.
        let _ = self.out.write_fmt(text);
    }

    fn start(&mut self) {
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
    }

    fn line(&mut self, text: std::fmt::Arguments<'_>) {
        self.start();
        self.put(text);
        self.out.push('\n');
    }

    fn list<T>(&mut self, items: &[T], mut one: impl FnMut(&mut Self, &T)) {
        for (n, item) in items.iter().enumerate() {
            if n > 0 {
                self.out.push_str(", ");
            }
            one(self, item);
        }
    }

    // ---- declarations ----

    fn linkage(&mut self, linkage: Linkage) {
        self.out.push_str(match linkage {
            Linkage::Internal => "",
            Linkage::Visible => ".visible ",
            Linkage::Extern => ".extern ",
            Linkage::Weak => ".weak ",
            Linkage::Common => ".common ",
        });
    }

    fn space(space: Space) -> &'static str {
        match space {
            Space::Reg => ".reg",
            Space::Sreg => ".sreg",
            Space::Const => ".const",
            Space::Global => ".global",
            Space::Local => ".local",
            Space::Param => ".param",
            Space::Shared => ".shared",
            Space::Tex => ".tex",
        }
    }

    fn variable(&mut self, v: &Variable) {
        self.linkage(v.linkage);
        self.out.push_str(Self::space(v.space));
        if !v.attributes.is_empty() {
            self.out.push_str(" .attribute(");
            self.list(&v.attributes, |p, &word| {
                p.out.push('.');
                p.push(word);
            });
            self.out.push(')');
        }
        if let Some(bytes) = v.align_bytes {
            self.put(format_args!(" .align {bytes}"));
        }
        if v.vector > 1 {
            self.put(format_args!(" .v{}", v.vector));
        }
        self.put(format_args!(" .{}", v.ty.word()));
        if let Some(ptr) = v.ptr {
            self.out.push_str(" .ptr");
            if let Some(space) = ptr.space {
                self.out.push(' ');
                self.out.push_str(Self::space(space));
            }
            if let Some(bytes) = ptr.align_bytes {
                self.put(format_args!(" .align {bytes}"));
            }
        }
        self.out.push(' ');
        self.push(v.name);
        if let Some(range) = v.range {
            self.put(format_args!("<{range}>"));
        }
        for dim in &v.dims {
            match dim {
                Some(count) => self.put(format_args!("[{count}]")),
                None => self.out.push_str("[]"),
            }
        }
        if let Some(init) = &v.init {
            self.out.push_str(" = ");
            self.init(init);
        }
    }

    fn init(&mut self, init: &Init) {
        match init {
            Init::Literal(literal, _) => self.literal(*literal),
            Init::Address { name, offset, generic, mask, .. } => {
                if let Some(mask) = mask {
                    self.put(format_args!("{mask:#x}("));
                }
                if *generic {
                    self.put(format_args!("generic({})", self.name(*name)));
                } else {
                    self.push(*name);
                }
                self.offset(*offset);
                if mask.is_some() {
                    self.out.push(')');
                }
            }
            Init::List(items, _) => {
                self.out.push('{');
                self.list(items, |p, item| p.init(item));
                self.out.push('}');
            }
            Init::Field { name, value, .. } => {
                self.push(*name);
                self.out.push_str(" = ");
                self.init(value);
            }
        }
    }

    fn parameters(&mut self, params: &[Variable]) {
        self.out.push('(');
        self.list(params, |p, v| p.variable(v));
        self.out.push(')');
    }

    fn function(&mut self, f: &Function) {
        self.linkage(f.linkage);
        self.out.push_str(match f.kind {
            FunctionKind::Entry => ".entry ",
            FunctionKind::Func => ".func ",
        });
        if !f.returns.is_empty() {
            self.parameters(&f.returns);
            self.out.push(' ');
        }
        self.push(f.name);
        self.parameters(&f.params);
        for directive in &f.directives {
            self.out.push_str(" .");
            self.push(directive.name);
            if let Some(text) = directive.text {
                self.put(format_args!(" \"{}\";", self.name(text)));
            }
            for (n, number) in directive.numbers.iter().enumerate() {
                self.put(format_args!("{} {number}", if n > 0 { "," } else { "" }));
            }
        }
        match &f.body {
            None => self.out.push_str(";\n"),
            Some(body) => {
                self.out.push('\n');
                self.block(body);
            }
        }
    }

    fn directive(&mut self, d: &Directive) {
        self.start();
        if d.name == word::DWARF {
            self.push(d.text);
        } else {
            self.put(format_args!(".{} {}", self.name(d.name), self.name(d.text)));
            if matches!(d.name, word::PRAGMA | word::ALIAS) {
                self.out.push(';');
            }
        }
        self.out.push('\n');
    }

    // ---- statements ----

    fn block(&mut self, body: &[Stmt]) {
        self.line(format_args!("{{"));
        self.indent += 1;
        for stmt in body {
            self.stmt(stmt);
        }
        self.indent -= 1;
        self.line(format_args!("}}"));
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Block(body, _) => return self.block(body),
            Stmt::Directive(directive) => return self.directive(directive),
            Stmt::Label(name, _) => {
                self.put(format_args!("{}:\n", self.name(*name)));
                return;
            }
            _ => self.start(),
        }
        match stmt {
            Stmt::Block(..) | Stmt::Directive(_) | Stmt::Label(..) => {}
            Stmt::Inst(inst) => {
                self.inst(&self.module.inst(inst));
                self.out.push(';');
            }
            Stmt::Variable(variable) => {
                self.variable(variable);
                self.out.push(';');
            }
            Stmt::Loc { file, line, column, rest, .. } => {
                self.put(format_args!(".loc {file} {line} {column}"));
                if let Some(rest) = rest {
                    self.push(*rest);
                }
            }
            Stmt::BranchTargets(list) => self.targets(list, "branchtargets"),
            Stmt::CallTargets(list) => self.targets(list, "calltargets"),
            Stmt::CallPrototype(prototype) => {
                self.put(format_args!("{}: .callprototype ", self.name(prototype.name)));
                self.parameters(&prototype.returns);
                self.out.push_str(" _ ");
                self.parameters(&prototype.params);
                self.out.push(';');
            }
            Stmt::Error(_) => self.out.push_str("// a statement that could not be read"),
        }
        self.out.push('\n');
    }

    fn targets(&mut self, list: &Targets, word: &str) {
        self.put(format_args!("{}: .{word} ", self.name(list.name)));
        self.list(&list.targets, |p, &(target, _)| p.push(target));
        self.out.push(';');
    }

    fn inst(&mut self, inst: &Inst<'_>) {
        if let Some(guard) = inst.guard {
            self.out.push_str(if guard.negated { "@!" } else { "@" });
            self.push(guard.register);
            self.out.push(' ');
        }
        self.push(inst.opcode);
        for &modifier in inst.modifiers {
            self.out.push('.');
            self.push(modifier);
        }
        if !inst.operands.is_empty() {
            self.out.push(' ');
            self.list(inst.operands, |p, operand| p.operand(operand));
        }
    }

    fn operand(&mut self, operand: &Operand) {
        match operand.kind {
            OperandKind::Name(name) => self.push(name),
            OperandKind::Not(name) => {
                self.out.push('!');
                self.push(name);
            }
            OperandKind::Literal(literal) => self.literal(literal),
            OperandKind::NameOffset(name, offset) => {
                self.push(name);
                self.put(format_args!("{:+}", offset.bytes()));
            }
            OperandKind::Address { base, offset } => {
                self.out.push('[');
                self.push(base);
                self.offset(offset.bytes());
                self.out.push(']');
            }
            OperandKind::Unified { base, offset } => {
                self.out.push('[');
                self.push(base);
                self.offset(offset.bytes());
                self.out.push_str("].unified");
            }
            OperandKind::Absolute(offset) => self.put(format_args!("[{}]", offset as u64)),
            OperandKind::Vector(list) => self.enclosed('{', list, '}'),
            OperandKind::Pair(list) => {
                for (n, half) in self.module.list(list).iter().enumerate() {
                    self.out.push_str(if n > 0 { "|" } else { "" });
                    self.operand(half);
                }
            }
            OperandKind::Component(name, index) => {
                self.push(name);
                self.out.push_str([".x", ".y", ".z", ".w"].get(usize::from(index)).unwrap_or(&".x"));
            }
            OperandKind::Part(name, part) => self.put(format_args!("{}.{}", self.name(name), self.name(part))),
            OperandKind::Sink => self.out.push('_'),
            OperandKind::List(list) => self.enclosed('(', list, ')'),
            OperandKind::Bracket(list) => self.enclosed('[', list, ']'),
        }
    }

    fn enclosed(&mut self, open: char, list: List, close: char) {
        self.out.push(open);
        self.list(self.module.list(list), |p, item| p.operand(item));
        self.out.push(close);
    }

    fn offset(&mut self, offset: i64) {
        if offset != 0 {
            self.put(format_args!("{offset:+}"));
        }
    }

    fn literal(&mut self, literal: Literal) {
        match literal {
            Literal::Int { value, unsigned: true } => self.put(format_args!("{value}U")),
            // The magnitude of the least number is unsigned, and would stay so under its minus.
            Literal::Int { value, .. } if value as i64 == i64::MIN => self.put(format_args!("{}-1", i64::MIN + 1)),
            Literal::Int { value, .. } => self.put(format_args!("{}", value as i64)),
            Literal::F32(bits) => self.put(format_args!("0f{bits:08X}")),
            Literal::F64(bits) => self.put(format_args!("0d{bits:016X}")),
            Literal::Decimal(bits) => self.put(format_args!("{:?}", f64::from_bits(bits))),
        }
    }
}
