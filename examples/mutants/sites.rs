//! Where a fault can be put into a source file, and the text that puts it there.
//!
//! Every fault is guarded by `crate::mutant::on(N)`, so that one build holds them all. A fault never changes types: where it
//! would, the compiler says so and the tree drops it.

use proc_macro2::Span;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{BinOp, Expr, ItemFn, ReturnType, Stmt, Type, UnOp};

/// One fault that can be switched on.
#[derive(Clone, Debug)]
pub struct Site {
    /// What the fault replaces; empty where it adds something.
    pub range: Range<usize>,
    pub line: usize,
    /// For people: what becomes of what.
    pub what: String,
    pub edit: Edit,
}

#[derive(Clone, Debug)]
pub enum Edit {
    /// An expression is this text instead.
    Replace(String),
    /// A Boolean expression has the other value.
    Negate,
    /// A statement is left out.
    Skip,
    /// The function returns this at once.
    Return(String),
    /// A match arm is never taken: text before and behind its guard.
    Never { guard: Option<Range<usize>> },
}

/// The faults of a file, by position.
pub fn find(source: &str) -> Result<Vec<Site>, syn::Error> {
    let file = syn::parse_file(source)?;
    let mut finder = Finder { source, sites: vec![] };
    finder.visit_file(&file);
    Ok(finder.sites)
}

struct Finder<'s> {
    source: &'s str,
    sites: Vec<Site>,
}

impl Finder<'_> {
    fn text(&self, span: Span) -> &str {
        &self.source[span.byte_range()]
    }

    fn site(&mut self, span: Span, what: String, edit: Edit) {
        self.sites.push(Site { range: span.byte_range(), line: span.start().line, what, edit });
    }

    fn replaced(&mut self, span: Span, by: String) {
        let what = format!("`{}` -> `{}`", short(self.text(span)), short(&by));
        self.site(span, what, Edit::Replace(by));
    }

    fn negated(&mut self, span: Span) {
        let what = format!("not `{}`", short(self.text(span)));
        self.site(span, what, Edit::Negate);
    }

    /// Whatever a function may return before it has done anything.
    fn returns(&mut self, signature: &syn::Signature, block: &syn::Block) {
        if signature.constness.is_some() || block.stmts.is_empty() {
            return;
        }
        let values: &[&str] = match &signature.output {
            ReturnType::Default => &[""],
            ReturnType::Type(_, ty) => returned(ty),
        };
        let start = block.brace_token.span.open();
        for value in values {
            let what = format!("`{}` returns {}", signature.ident, if value.is_empty() { "at once" } else { value });
            let at = start.byte_range().end;
            let line = signature.ident.span().start().line;
            self.sites.push(Site { range: at..at, line, what, edit: Edit::Return(value.to_string()) });
        }
    }

    fn binary(&mut self, e: &syn::ExprBinary) {
        let (left, right) = (self.text(e.left.span()).to_string(), self.text(e.right.span()).to_string());
        let others: &[&str] = match e.op {
            BinOp::Eq(_) | BinOp::Ne(_) => return self.negated(e.span()),
            BinOp::Lt(_) => &["<=", ">="],
            BinOp::Le(_) => &["<", ">"],
            BinOp::Gt(_) => &[">=", "<="],
            BinOp::Ge(_) => &[">", "<"],
            BinOp::And(_) => &["||"],
            BinOp::Or(_) => &["&&"],
            BinOp::Add(_) => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) => &["+"],
            BinOp::Div(_) => &["*"],
            BinOp::BitAnd(_) => &["|"],
            BinOp::BitOr(_) => &["&"],
            BinOp::BitXor(_) => &["|"],
            BinOp::Shl(_) => &[">>"],
            BinOp::Shr(_) => &["<<"],
            BinOp::AddAssign(_) => &["-="],
            BinOp::SubAssign(_) => &["+="],
            BinOp::BitOrAssign(_) => &["&="],
            BinOp::BitAndAssign(_) => &["|="],
            _ => &[],
        };
        for other in others {
            self.replaced(e.span(), format!("{left} {other} {right}"));
        }
    }
}

impl<'ast> Visit<'ast> for Finder<'_> {
    fn visit_item_fn(&mut self, f: &'ast ItemFn) {
        if f.sig.constness.is_none() && !is_test(&f.attrs) {
            self.returns(&f.sig, &f.block);
            self.visit_block(&f.block);
        }
    }

    fn visit_impl_item_fn(&mut self, f: &'ast syn::ImplItemFn) {
        if f.sig.constness.is_none() && !is_test(&f.attrs) {
            self.returns(&f.sig, &f.block);
            self.visit_block(&f.block);
        }
    }

    fn visit_item_impl(&mut self, i: &'ast syn::ItemImpl) {
        let shows = |name: &str| matches!(name, "Display" | "Debug");
        let of = i.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
        if !of.is_some_and(|segment| shows(&segment.ident.to_string())) {
            visit::visit_item_impl(self, i);
        }
    }

    fn visit_item_mod(&mut self, m: &'ast syn::ItemMod) {
        if !is_test(&m.attrs) {
            visit::visit_item_mod(self, m);
        }
    }

    // What is computed while compiling cannot be switched.
    fn visit_item_const(&mut self, _: &'ast syn::ItemConst) {}
    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {}
    fn visit_item_static(&mut self, _: &'ast syn::ItemStatic) {}
    fn visit_type(&mut self, _: &'ast Type) {}
    fn visit_pat(&mut self, _: &'ast syn::Pat) {}
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_generic_argument(&mut self, _: &'ast syn::GenericArgument) {}
    fn visit_expr_repeat(&mut self, e: &'ast syn::ExprRepeat) {
        self.visit_expr(&e.expr);
    }

    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(e, Some(_)) = statement
            && matches!(e, Expr::Call(_) | Expr::MethodCall(_) | Expr::Assign(_) | Expr::Try(_))
        {
            let what = format!("no `{}`", short(self.text(e.span())));
            self.site(statement.span(), what, Edit::Skip);
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_expr_binary(&mut self, e: &'ast syn::ExprBinary) {
        if !has_let(&e.left) && !has_let(&e.right) {
            self.binary(e);
        }
        visit::visit_expr_binary(self, e);
    }

    fn visit_expr_unary(&mut self, e: &'ast syn::ExprUnary) {
        if matches!(e.op, UnOp::Not(_)) {
            let inner = self.text(e.expr.span()).to_string();
            self.replaced(e.span(), inner);
        }
        visit::visit_expr_unary(self, e);
    }

    fn visit_expr_lit(&mut self, e: &'ast syn::ExprLit) {
        match &e.lit {
            syn::Lit::Int(n) => {
                if let Ok(value) = n.base10_parse::<u64>()
                    && value < u64::MAX
                {
                    self.replaced(e.span(), format!("{}{}", value + 1, n.suffix()));
                }
            }
            syn::Lit::Bool(b) => self.replaced(e.span(), (!b.value).to_string()),
            _ => {}
        }
    }

    fn visit_expr_array(&mut self, e: &'ast syn::ExprArray) {
        let mut parts: Vec<String> = e.elems.iter().map(|part| self.text(part.span()).to_string()).collect();
        if parts.len() >= 2 && parts[0] != parts[1] {
            parts.swap(0, 1);
            self.replaced(e.span(), format!("[{}]", parts.join(", ")));
        }
        visit::visit_expr_array(self, e);
    }

    fn visit_expr_if(&mut self, e: &'ast syn::ExprIf) {
        if matches!(*e.cond, Expr::MethodCall(_) | Expr::Call(_) | Expr::Path(_) | Expr::Field(_) | Expr::Macro(_)) {
            self.negated(e.cond.span());
        }
        visit::visit_expr_if(self, e);
    }

    fn visit_expr_match(&mut self, e: &'ast syn::ExprMatch) {
        let open = |arm: &syn::Arm| arm.guard.is_none() && matches!(arm.pat, syn::Pat::Wild(_));
        if e.arms.iter().any(open) {
            for arm in e.arms.iter().filter(|arm| !open(arm)) {
                let what = format!("no arm `{}`", short(self.text(arm.pat.span())));
                let guard = arm.guard.as_ref().map(|(_, guard)| guard.span().byte_range());
                if arm.guard.as_ref().is_some_and(|(_, guard)| has_let(guard)) {
                    continue;
                }
                let at = arm.pat.span().byte_range().end;
                let range = guard.clone().unwrap_or(at..at);
                let line = arm.pat.span().start().line;
                self.sites.push(Site { range, line, what, edit: Edit::Never { guard } });
            }
        }
        visit::visit_expr_match(self, e);
    }
}

fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let path = attribute.path();
        path.is_ident("test")
            || path.is_ident("cfg")
                && attribute.meta.require_list().is_ok_and(|list| list.tokens.to_string().contains("test"))
    })
}

fn has_let(e: &Expr) -> bool {
    match e {
        Expr::Let(_) => true,
        Expr::Binary(e) => has_let(&e.left) || has_let(&e.right),
        Expr::Paren(e) => has_let(&e.expr),
        _ => false,
    }
}

fn returned(ty: &Type) -> &'static [&'static str] {
    let Type::Path(path) = ty else {
        return if matches!(ty, Type::Tuple(t) if t.elems.is_empty()) { &[""] } else { &[] };
    };
    let Some(last) = path.path.segments.last() else { return &[] };
    match last.ident.to_string().as_str() {
        "bool" => &["true", "false"],
        "u8" | "u16" | "u32" | "u64" | "usize" | "i8" | "i16" | "i32" | "i64" => &["0", "1"],
        "Option" => &["None"],
        "Vec" => &["vec![]"],
        "String" => &["String::new()"],
        "Result" => &["Ok(Default::default())"],
        _ => &[],
    }
}

fn short(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= 70 { line } else { line.chars().take(67).collect::<String>() + ".." }
}
