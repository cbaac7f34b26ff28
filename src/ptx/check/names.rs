//! Scopes: what each name means where we are.
//!
//! One slot a name, an undo list a scope. The registers of a range (`%r<10>`) get their slots when they are first used.

use crate::diag::Span;
use crate::ptx::names::Name;
use crate::ptx::tree::{Module, ScalarType, Space, Stmt, Variable};

/// What a name stands for.
#[derive(Copy, Clone, Debug)]
pub enum Entity<'m> {
    /// A register, parameter or memory variable.
    Variable(&'m Variable),
    /// The item of the module.
    Function(u32),
    Label,
    /// A `.branchtargets` list.
    Targets,
    /// A `.calltargets` list or `.callprototype`.
    Callees(&'m Stmt),
    /// Reported already; fits everywhere.
    Unknown,
}

/// What a declaration says.
#[derive(Copy, Clone)]
struct Decl<'m> {
    entity: Entity<'m>,
    span: Span,
    depth: u32,
    /// The registers of a range.
    ranged: bool,
    /// The type, when this is a scalar register.
    register: Option<ScalarType>,
}

/// The position of a declaration plus one; 0 is none.
type DeclId = u32;

/// `%r<10>`. A range of the same prefix in an inner scope hides the registers that it has itself, no others.
#[derive(Copy, Clone)]
struct Range {
    decl: DeclId,
    count: u32,
    /// As `Scopes::ranges` has it.
    outer: u32,
}

pub struct Scopes<'m> {
    module: &'m Module,
    /// What each name means here; all registers of a range mean their range.
    slots: Vec<DeclId>,
    decls: Vec<Decl<'m>>,
    /// The innermost range of each prefix, as a position in `all_ranges` plus one.
    ranges: Vec<u32>,
    all_ranges: Vec<Range>,
    /// `%r7` as its prefix plus one and its number, by name, for names that some range has had.
    numbered: Vec<[u32; 2]>,
    /// Names that got their slot from a range.
    ranged: Vec<Name>,
    /// Names of the function that nothing declares.
    unknown: Vec<Name>,
    /// What to restore when scopes close: at this depth, the name had this.
    undo: Vec<(u32, Undo)>,
    depth: u32,
    /// Declarations and ranges of the module, before those of its function.
    outside: (usize, usize),
}

enum Undo {
    Slot(Name, DeclId),
    Range(Name, u32),
}

impl<'m> Scopes<'m> {
    pub fn new(module: &'m Module) -> Scopes<'m> {
        let count = module.names.len();
        Scopes {
            module,
            slots: vec![0; count],
            decls: Vec::new(),
            ranges: vec![0; count],
            all_ranges: Vec::new(),
            numbered: vec![[0; 2]; count],
            ranged: Vec::new(),
            unknown: Vec::new(),
            undo: Vec::new(),
            depth: 0,
            outside: (0, 0),
        }
    }

    /// Whether this is the scope of a function or one inside.
    pub fn is_inner(&self) -> bool {
        self.depth > 0
    }

    pub fn open(&mut self) {
        if self.depth == 0 {
            self.outside = (self.decls.len(), self.all_ranges.len());
        }
        self.depth += 1;
    }

    pub fn close(&mut self) {
        let mut ranges = false;
        while let Some((depth, _)) = self.undo.last() {
            if *depth < self.depth {
                break;
            }
            match self.undo.pop() {
                Some((_, Undo::Slot(name, before))) => self.slots[name.index()] = before,
                Some((_, Undo::Range(name, range))) => {
                    self.ranges[name.index()] = range;
                    ranges = true;
                }
                None => break,
            }
        }
        if ranges {
            self.forget_ranged();
        }
        self.depth -= 1;
        if self.depth == 0 {
            for name in self.unknown.drain(..) {
                self.slots[name.index()] = 0;
            }
            self.decls.truncate(self.outside.0);
            self.all_ranges.truncate(self.outside.1);
        }
    }

    /// Slots that came out of ranges are found anew.
    fn forget_ranged(&mut self) {
        for name in self.ranged.drain(..) {
            let slot = &mut self.slots[name.index()];
            if slot.checked_sub(1).is_some_and(|decl| self.decls[decl as usize].ranged) {
                *slot = 0;
            }
        }
    }

    fn add(&mut self, entity: Entity<'m>, span: Span, depth: u32, ranged: bool) -> DeclId {
        let register = match entity {
            Entity::Variable(v) if v.space == Space::Reg && v.vector == 1 => Some(v.ty),
            _ => None,
        };
        self.decls.push(Decl { entity, span, depth, ranged, register });
        self.decls.len() as DeclId
    }

    pub fn declare(&mut self, name: Name, entity: Entity<'m>, span: Span) {
        let decl = self.add(entity, span, self.depth, false);
        let before = self.slots[name.index()];
        let ranged = before.checked_sub(1).is_some_and(|decl| self.decls[decl as usize].ranged);
        if self.depth > 0 {
            self.undo.push((self.depth, Undo::Slot(name, if ranged { 0 } else { before })));
        }
        self.slots[name.index()] = decl;
    }

    /// A name that is used without declaration: quiet from now on, in this function.
    pub fn declare_unknown(&mut self, name: Name, span: Span) {
        // It was found in no scope, so nothing is hidden; the end of the function forgets it.
        let depth = self.depth.min(1);
        self.slots[name.index()] = self.add(Entity::Unknown, span, depth, false);
        if depth > 0 {
            self.unknown.push(name);
        }
    }

    /// `%r<10>`; the span of the range of the same prefix in the same scope, if there is one.
    pub fn declare_range(&mut self, prefix: Name, variable: &'m Variable) -> Result<(), Span> {
        let outer = self.ranges[prefix.index()];
        if let Some(first) = outer.checked_sub(1).map(|n| self.all_ranges[n as usize]) {
            let first = self.decls[first.decl as usize - 1];
            if first.depth == self.depth {
                return Err(first.span);
            }
            self.forget_ranged();
        }
        self.undo.push((self.depth, Undo::Range(prefix, outer)));
        let decl = self.add(Entity::Variable(variable), variable.name_span, self.depth, true);
        self.all_ranges.push(Range { decl, count: variable.range.unwrap_or(0), outer });
        self.ranges[prefix.index()] = self.all_ranges.len() as u32;
        Ok(())
    }

    /// What the name means, and where that was said.
    pub fn find(&self, name: Name) -> Option<(Entity<'m>, Span)> {
        self.decl(name).map(|decl| (decl.entity, decl.span))
    }

    /// The same, if it was said in this very scope.
    pub fn own(&self, name: Name) -> Option<(Entity<'m>, Span)> {
        let decl = self.decl(name)?;
        (decl.depth == self.depth && !matches!(decl.entity, Entity::Unknown)).then_some((decl.entity, decl.span))
    }

    /// The type of a scalar register; none for every other name.
    #[inline(always)]
    pub fn register(&mut self, name: Name) -> Option<ScalarType> {
        if self.slots[name.index()] == 0 {
            self.remember(name);
        }
        self.decls.get(self.slots[name.index()].wrapping_sub(1) as usize)?.register
    }

    #[inline]
    fn decl(&self, name: Name) -> Option<&Decl<'m>> {
        // Names of other modules have no slot.
        let id = match self.slots.get(name.index()) {
            Some(&id) if id != 0 => id,
            _ => self.in_range(name)?,
        };
        self.decls.get(id as usize - 1)
    }

    /// `%r7` of `%r<10>`. ptxas also takes `%r07`; what it then means is not written anywhere, so we do not.
    fn in_range(&self, name: Name) -> Option<DeclId> {
        let text = self.module.names.get(name);
        let (mut at, mut number, mut scale) = (text.len(), 0, 1);
        while let Some(digit @ b'0'..=b'9') = text.as_bytes().get(at.wrapping_sub(1)) {
            if text.len() - at == 9 {
                return self.in_any_range(text);
            }
            number += u32::from(digit - b'0') * scale;
            scale *= 10;
            at -= 1;
        }
        let (prefix, digits) = text.split_at(at);
        if digits.is_empty() {
            return None;
        }
        let found = if digits.len() > 1 && digits.starts_with('0') { None } else { self.range_of(prefix, number) };
        // The longest number is tried first.
        if found.is_some() || digits.len() == 1 { found } else { self.in_any_range(text) }
    }

    fn range_of(&self, prefix: &str, number: u32) -> Option<DeclId> {
        self.range_with(self.module.names.lookup(prefix)?, number)
    }

    /// The range of this prefix that has the number.
    #[inline]
    fn range_with(&self, prefix: Name, number: u32) -> Option<DeclId> {
        let mut range = self.ranges.get(prefix.index()).copied().unwrap_or(0);
        while let Some(found) = range.checked_sub(1).and_then(|n| self.all_ranges.get(n as usize)) {
            if number < found.count {
                return Some(found.decl);
            }
            range = found.outer;
        }
        None
    }

    /// The same, however the text divides into prefix and number.
    fn in_any_range(&self, text: &str) -> Option<DeclId> {
        let prefix_end = text.bytes().rposition(|b| !b.is_ascii_digit()).map_or(0, |n| n + 1);
        let digits = text.len() - prefix_end;
        // The prefix itself may end in digits: `%r1<4>` declares `%r10` to `%r13`.
        // More than ten digits are no u32.
        for split in digits.saturating_sub(10)..digits {
            let (prefix, number) = text.split_at(prefix_end + split);
            if number.len() > 1 && number.starts_with('0') {
                continue;
            }
            let Ok(number) = number.parse::<u32>() else { continue };
            if let Some(decl) = self.range_of(prefix, number) {
                return Some(decl);
            }
        }
        None
    }

    /// Gives a name of a range its slot, so that it is found at once from now on.
    #[inline]
    pub fn remember(&mut self, name: Name) {
        if self.slots[name.index()] != 0 {
            return;
        }
        // Functions have registers of the same names.
        let [prefix, number] = self.numbered[name.index()];
        let known = prefix.checked_sub(1).and_then(|prefix| self.range_with(Name(prefix), number));
        if let Some(decl) = known.or_else(|| self.in_range_at_first(name)) {
            self.slots[name.index()] = decl;
            self.ranged.push(name);
        }
    }

    #[cold]
    #[inline(never)]
    fn in_range_at_first(&mut self, name: Name) -> Option<DeclId> {
        let found = self.in_range(name)?;
        let text = self.module.names.get(name);
        let (prefix, number) = text.split_at(text.bytes().rposition(|b| !b.is_ascii_digit()).map_or(0, |n| n + 1));
        // What `in_range` tries before all else.
        if number.len() <= 9
            && (number.len() == 1 || !number.starts_with('0'))
            && let (Some(prefix), Ok(number)) = (self.module.names.lookup(prefix), number.parse())
        {
            self.numbered[name.index()] = [prefix.0 + 1, number];
        }
        Some(found)
    }

    /// The one declared name that differs from the text by one letter.
    pub fn nearest(&self, text: &str) -> Option<&'m str> {
        let declared = self.slots.iter().enumerate().filter(|&(_, id)| {
            let decl = id.checked_sub(1).map(|n| &self.decls[n as usize]);
            decl.is_some_and(|decl| !decl.ranged && !matches!(decl.entity, Entity::Unknown))
        });
        let names = declared.map(|(index, _)| self.module.names.get(Name(index as u32)));
        super::explain::nearest(text, names)
    }
}
