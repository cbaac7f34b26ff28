//! Places in the source: lines of the PTX, or lines of what the PTX was made of by its `.file` and `.loc` directives.

use crate::diag::{Diag, Lines, Span, codes};
use crate::finish::Code;
use crate::object::{DebugInput, KernelLines, Language, LineRow, Place};
use crate::options::{Debug, Options};
use crate::ptx::tree::{Directive, Item, Module, Stmt};

/// What the PTX says of its own source.
#[derive(Clone, Default)]
pub struct SourceMap {
    /// Number and name of each `.file`, in order.
    files: Vec<(u32, String)>,
    /// Where a location begins to hold in the PTX text, in order; `None` at the start of each function.
    locations: Vec<(u32, Option<Location>)>,
}

#[derive(Copy, Clone)]
struct Location {
    file: u32,
    line: u32,
    column: u32,
}

impl SourceMap {
    /// Reads the directives. Fails where there are none.
    pub fn new(tree: &Module) -> Result<SourceMap, Diag> {
        let mut map = SourceMap::default();
        for item in &tree.items {
            match item {
                Item::Directive(directive) => map.file(tree, directive),
                Item::Function(function) => {
                    map.locations.push((function.span.start, None));
                    map.statements(tree, function.body.as_deref().unwrap_or(&[]));
                }
                Item::Variable(_) | Item::Broken(_) => {}
            }
        }
        if map.files.is_empty() || map.locations.iter().all(|(_, location)| location.is_none()) {
            let text = "this PTX has no `.loc` directives, so the lines of its source are not known";
            let note = "compile it with `-lineinfo`, or ask for its own lines by `-g=ptx`";
            return Err(Diag::error(codes::DIRECTIVE, Span::NONE, text).note(note));
        }
        map.files.sort();
        map.files.dedup_by_key(|(number, _)| *number);
        Ok(map)
    }

    fn statements(&mut self, tree: &Module, list: &[Stmt]) {
        for statement in list {
            match statement {
                Stmt::Loc { file, line, column, span, .. } => {
                    let location = Location { file: *file, line: *line, column: *column };
                    self.locations.push((span.start, Some(location)));
                }
                Stmt::Block(inner, _) => self.statements(tree, inner),
                Stmt::Directive(directive) => self.file(tree, directive),
                _ => {}
            }
        }
    }

    /// `.file 1 "path", 1234, 567`.
    fn file(&mut self, tree: &Module, directive: &Directive) {
        if tree.names.get(directive.name) != "file" {
            return;
        }
        let text = tree.names.get(directive.text);
        let number = text.split_whitespace().next().and_then(|word| word.parse().ok());
        let name = text.split_once('"').and_then(|(_, rest)| rest.split_once('"')).map(|(name, _)| name);
        if let (Some(number), Some(name)) = (number, name)
            && !name.is_empty()
            && !name.contains('\0')
        {
            self.files.push((number, name.to_string()));
        }
    }
}

/// Finds lines and columns.
pub struct Places<'s> {
    lines: Lines<'s>,
    map: SourceMap,
}

impl<'s> Places<'s> {
    pub fn new(source: &'s str, map: SourceMap) -> Places<'s> {
        Places { lines: Lines::new(source), map }
    }

    /// The line of the PTX, from 1, that a span starts in.
    pub fn ptx_line(&self, span: Span) -> Option<usize> {
        (!span.is_none()).then(|| self.lines.line(span.start))
    }

    pub fn ptx_text(&self, line: usize) -> &'s str {
        &self.lines.text()[self.lines.range(line)]
    }

    /// Names of the files that [`Places::place`] speaks of: the PTX first, then those it names.
    pub fn files(&self, options: &Options) -> Vec<String> {
        let ptx = options.source_name.replace('\0', "");
        let ptx = if ptx.is_empty() { "kernel.ptx".to_string() } else { ptx };
        std::iter::once(ptx).chain(self.map.files.iter().map(|(_, name)| name.clone())).collect()
    }

    /// The place of a span: by the last `.loc` before it if there is one, else in the PTX.
    fn place(&self, span: Span) -> Option<Place> {
        if span.is_none() {
            return None;
        }
        let locations = &self.map.locations;
        let before = locations.partition_point(|(start, _)| *start <= span.start);
        if let Some((_, Some(location))) = before.checked_sub(1).map(|at| &locations[at])
            && let Some(file) = self.map.files.iter().position(|(number, _)| *number == location.file)
        {
            return Some(Place { file: file as u32 + 1, line: location.line, column: location.column });
        }
        let place = self.lines.place(span.start);
        Some(Place { file: 0, line: place.line as u32, column: place.column as u32 })
    }

    /// The rows of a kernel: one where the place changes. What a pass put in has the place of what stands before it.
    pub fn kernel(&self, name: Span, code: &Code) -> KernelLines {
        let declared = self.place(name).unwrap_or(Place { file: 0, line: 0, column: 0 });
        let mut rows: Vec<LineRow> = vec![];
        let mut in_prologue = true;
        for line in &code.insts {
            let place = match self.place(line.span) {
                Some(place) => place,
                None if rows.is_empty() => declared,
                None => continue,
            };
            let prologue_end = in_prologue && !line.span.is_none();
            if prologue_end || rows.last().is_none_or(|last| last.place != place) {
                rows.push(LineRow { offset: line.offset, place, prologue_end });
            }
            in_prologue &= !prologue_end;
        }
        KernelLines { declared, rows }
    }

    /// What the object's DWARF is made of.
    pub fn debug_input(&self, options: &Options, kernels: Vec<KernelLines>) -> DebugInput {
        let mut files = self.files(options);
        let mut kernels = kernels;
        let language = match options.debug {
            Debug::None | Debug::Ptx => Language::Assembler,
            Debug::Source => {
                // The unit is named after the source of the first kernel.
                let main = kernels.iter().flat_map(|k| &k.rows).map(|row| row.place.file).find(|&file| file > 0);
                Self::put_first(&mut files, &mut kernels, main.unwrap_or(0));
                if files[0].ends_with(".py") { Language::Python } else { Language::CPlusPlus }
            }
        };
        DebugInput { files, language, kernels }
    }

    /// Swaps a file with the first one.
    fn put_first(files: &mut [String], kernels: &mut [KernelLines], main: u32) {
        files.swap(0, main as usize);
        let swapped = |place: &mut Place| {
            place.file = match place.file {
                0 => main,
                file if file == main => 0,
                file => file,
            }
        };
        for kernel in kernels {
            swapped(&mut kernel.declared);
            kernel.rows.iter_mut().for_each(|row| swapped(&mut row.place));
        }
    }
}
