//! Scopes: what each name means where we are.
//!
//! One slot a name, an undo list a scope. The registers of a range (`%r<10>`) get their slots when they are first used.

use crate::diag::Span;
use crate::ptx::names::Name;
use crate::ptx::tree::{Module, Stmt, Variable};

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

#[derive(Copy, Clone)]
struct Slot<'m> {
    entity: Entity<'m>,
    span: Span,
    depth: u32,
    /// Came out of a range.
    ranged: bool,
}

/// `%r<10>`. A range of the same prefix in an inner scope hides the registers that it has itself, no others.
struct Range<'m> {
    variable: &'m Variable,
    depth: u32,
    outer: Option<u32>,
}

pub struct Scopes<'m> {
    module: &'m Module,
    slots: Vec<Option<Slot<'m>>>,
    /// The innermost range of each prefix, as a position in `all_ranges`.
    ranges: Vec<Option<u32>>,
    all_ranges: Vec<Range<'m>>,
    /// Names that got their slot from a range.
    ranged: Vec<Name>,
    /// Names of the function that nothing declares.
    unknown: Vec<Name>,
    /// What to restore when scopes close: at this depth, the name had this.
    undo: Vec<(u32, Undo<'m>)>,
    depth: u32,
}

enum Undo<'m> {
    Slot(Name, Option<Slot<'m>>),
    Range(Name, Option<u32>),
}

impl<'m> Scopes<'m> {
    pub fn new(module: &'m Module) -> Scopes<'m> {
        let count = module.names.len();
        Scopes {
            module,
            slots: vec![None; count],
            ranges: vec![None; count],
            all_ranges: Vec::new(),
            ranged: Vec::new(),
            unknown: Vec::new(),
            undo: Vec::new(),
            depth: 0,
        }
    }

    /// Whether this is the scope of a function or one inside.
    pub fn is_inner(&self) -> bool {
        self.depth > 0
    }

    pub fn open(&mut self) {
        self.depth += 1;
    }

    pub fn close(&mut self) {
        let mut ranges = false;
        while let Some((depth, _)) = self.undo.last() {
            if *depth < self.depth {
                break;
            }
            match self.undo.pop() {
                Some((_, Undo::Slot(name, slot))) => self.slots[name.index()] = slot,
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
                self.slots[name.index()] = None;
            }
        }
    }

    /// Slots that came out of ranges are found anew.
    fn forget_ranged(&mut self) {
        for name in self.ranged.drain(..) {
            if self.slots[name.index()].is_some_and(|slot| slot.ranged) {
                self.slots[name.index()] = None;
            }
        }
    }

    fn put(&mut self, name: Name, slot: Slot<'m>) {
        let before = self.slots[name.index()].filter(|slot| !slot.ranged);
        if self.depth > 0 {
            self.undo.push((self.depth, Undo::Slot(name, before)));
        }
        self.slots[name.index()] = Some(slot);
    }

    pub fn declare(&mut self, name: Name, entity: Entity<'m>, span: Span) {
        self.put(name, Slot { entity, span, depth: self.depth, ranged: false });
    }

    /// A name that is used without declaration: quiet from now on, in this function.
    pub fn declare_unknown(&mut self, name: Name, span: Span) {
        // It was found in no scope, so nothing is hidden; the end of the function forgets it.
        let depth = self.depth.min(1);
        self.slots[name.index()] = Some(Slot { entity: Entity::Unknown, span, depth, ranged: false });
        if depth > 0 {
            self.unknown.push(name);
        }
    }

    /// `%r<10>`; the span of the range of the same prefix in the same scope, if there is one.
    pub fn declare_range(&mut self, prefix: Name, variable: &'m Variable) -> Result<(), Span> {
        let outer = self.ranges[prefix.index()];
        if let Some(first) = outer.map(|n| &self.all_ranges[n as usize]) {
            if first.depth == self.depth {
                return Err(first.variable.name_span);
            }
            self.forget_ranged();
        }
        self.undo.push((self.depth, Undo::Range(prefix, outer)));
        self.ranges[prefix.index()] = Some(self.all_ranges.len() as u32);
        self.all_ranges.push(Range { variable, depth: self.depth, outer });
        Ok(())
    }

    /// What the name means, and where that was said.
    pub fn find(&self, name: Name) -> Option<(Entity<'m>, Span)> {
        self.slot(name).map(|slot| (slot.entity, slot.span))
    }

    /// The same, if it was said in this very scope.
    pub fn own(&self, name: Name) -> Option<(Entity<'m>, Span)> {
        let slot = self.slot(name)?;
        (slot.depth == self.depth && !matches!(slot.entity, Entity::Unknown)).then_some((slot.entity, slot.span))
    }

    fn slot(&self, name: Name) -> Option<Slot<'m>> {
        // Names of other modules have no slot.
        match self.slots.get(name.index()).copied().flatten() {
            Some(slot) => Some(slot),
            None => self.in_range(name),
        }
    }

    /// `%r7` of `%r<10>`. ptxas also takes `%r07`; what it then means is not written anywhere, so we do not.
    fn in_range(&self, name: Name) -> Option<Slot<'m>> {
        let text = self.module.names.get(name);
        let prefix_end = text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let digits = &text[prefix_end..];
        // The prefix itself may end in digits: `%r1<4>` declares `%r10` to `%r13`.
        // More than ten digits are no u32.
        for split in digits.len().saturating_sub(10)..digits.len() {
            let (prefix, number) = text.split_at(prefix_end + split);
            if number.len() > 1 && number.starts_with('0') {
                continue;
            }
            let Ok(number) = number.parse::<u32>() else { continue };
            let prefix = self.module.names.lookup(prefix);
            let mut range = prefix.and_then(|p| self.ranges.get(p.index()).copied().flatten());
            while let Some(found) = range.and_then(|n| self.all_ranges.get(n as usize)) {
                let Range { variable, depth, outer } = *found;
                if variable.range.is_some_and(|count| number < count) {
                    let span = variable.name_span;
                    return Some(Slot { entity: Entity::Variable(variable), span, depth, ranged: true });
                }
                range = outer;
            }
        }
        None
    }

    /// Gives a name of a range its slot, so that it is found at once from now on.
    pub fn remember(&mut self, name: Name) {
        if self.slots[name.index()].is_none()
            && let Some(slot) = self.in_range(name)
        {
            self.slots[name.index()] = Some(slot);
            self.ranged.push(name);
        }
    }

    /// The one declared name that differs from the text by one letter.
    pub fn nearest(&self, text: &str) -> Option<&'m str> {
        let declared = self
            .slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.is_some_and(|slot| !slot.ranged && !matches!(slot.entity, Entity::Unknown)));
        let names = declared.map(|(index, _)| self.module.names.get(Name(index as u32)));
        super::explain::nearest(text, names)
    }
}
