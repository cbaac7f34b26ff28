//! Plain statements are read without tokens; a comment within makes them go the way of all others. Both ways give the
//! same tree with the same places.

use crate::ptx::corpus;
use warp2wave::diag::Span;
use warp2wave::ptx;
use warp2wave::ptx::tree::{Item, Module, Operand, OperandKind, Stmt};

const COMMENT: &str = "/**/";

/// The text with a comment before the end of each statement. Sections, which are kept as text, stay.
fn commented(source: &str) -> String {
    let (code, sections) = source.split_at(source.find("\t.section").unwrap_or(source.len()));
    let line = |line: &str| match line {
        _ if line.contains('"') || line.contains("//") => format!("{line}\n"),
        _ => format!("{line}\n")
            .replace(".loc\t", &format!(".loc{COMMENT}\t"))
            .replace(';', &format!("{COMMENT};"))
            .replace(":\n", &format!("{COMMENT}:\n")),
    };
    code.lines().map(line).collect::<String>() + sections
}

/// What stands at each place that the statements name.
struct Places<'s> {
    module: &'s Module,
    source: &'s str,
    texts: Vec<String>,
}

impl Places<'_> {
    fn of(module: &Module, source: &str) -> Vec<String> {
        let mut places = Places { module, source, texts: Vec::new() };
        for item in &module.items {
            if let Item::Function(function) = item {
                places.statements(function.body.as_deref().unwrap_or(&[]));
            }
        }
        places.texts
    }

    fn place(&mut self, span: Span) {
        self.texts.push(span.text(self.source).replace(COMMENT, ""));
    }

    fn operands(&mut self, operands: &[Operand]) {
        for operand in operands {
            self.place(operand.span);
            if let OperandKind::Vector(list) | OperandKind::Pair(list) = operand.kind {
                self.operands(self.module.list(list));
            }
        }
    }

    fn statements(&mut self, body: &[Stmt]) {
        for stmt in body {
            match stmt {
                Stmt::Inst(packed) => {
                    let inst = self.module.inst(packed);
                    self.place(inst.span);
                    self.place(inst.opcode_span);
                    inst.guard.into_iter().for_each(|guard| self.place(guard.span));
                    self.operands(inst.operands);
                }
                Stmt::Variable(v) => [v.span, v.name_span].into_iter().for_each(|span| self.place(span)),
                Stmt::Label(_, span) | Stmt::Loc { span, .. } => self.place(*span),
                Stmt::Block(body, _) => self.statements(body),
                _ => {}
            }
        }
    }
}

#[test]
fn plain_statements_are_read_as_those_with_comments_are() {
    for path in corpus() {
        let source = std::fs::read_to_string(&path).expect("text");
        let other = commented(&source);
        let ((plain, _), (slow, _)) = (ptx::parse(&source), ptx::parse(&other));
        assert!(ptx::same_tree(&plain, &slow), "{}", path.display());
        let (left, right) = (Places::of(&plain, &source), Places::of(&slow, &other));
        let differ = left.iter().zip(&right).find(|(l, r)| l != r);
        assert!(left.len() == right.len() && differ.is_none(), "{}: {differ:?}", path.display());
    }
}
