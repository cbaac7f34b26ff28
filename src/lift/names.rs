//! What names mean while a function is lifted: scopes, register ranges, and the module behind them.
//!
//! PTX ISA, "Identifiers", "Register State Space", "Parameterized Variable Names". A name is a dense number, so the
//! innermost meaning lies in a table, and leaving a scope undoes what the scope has done. Each inlined call is a frame of
//! its own, in which only its own names and the module's are visible.

use crate::ir::Block;
use crate::ir::ssa::Var;
use crate::ptx::names::{Name, Names};
use crate::ptx::tree::ScalarType;
use std::collections::HashMap;

/// What a name of a function's scope stands for.
#[derive(Copy, Clone, Debug)]
pub enum Binding {
    /// A register: its first variable, one for each element of a vector.
    Register {
        var: Var,
        ty: ScalarType,
        elements: u8,
    },
    Label(Block),
    /// Address of a `.shared` variable, bytes from the start of the static part.
    Shared(u32),
    /// A dynamic `.shared` array.
    DynamicShared,
    /// Address of a `.local` variable in the thread's frame.
    Local(u32),
    /// A parameter of the kernel.
    KernelParam {
        offset: u32,
        size: u32,
    },
    /// A `.param` variable of a call: dword variables from `var` on.
    CallParam {
        var: Var,
        bytes: u32,
    },
    /// A `.branchtargets` list, by number.
    BranchTargets(u32),
    /// A `.calltargets` list or a call prototype.
    Prototype,
}

#[derive(Copy, Clone)]
struct Slot {
    /// The frame that the binding belongs to; 0 is none.
    frame: u32,
    binding: Binding,
}

/// `%r<10>`: numbered registers with consecutive variables.
struct Range {
    prefix: Name,
    count: u32,
    first: Var,
    ty: ScalarType,
    elements: u8,
}

struct FrameState {
    id: u32,
    /// Open scopes below it.
    marks: usize,
    /// Index of the frame's first range.
    ranges: usize,
}

/// Slots of one page of the table.
const PAGE: usize = 256;

/// A slot for each name, of which a function uses few: a page is there once something in it is bound, so that a module may have many
/// names and many functions.
struct Table(Vec<Option<Box<[Slot; PAGE]>>>);

impl Table {
    const EMPTY: Slot = Slot { frame: 0, binding: Binding::Prototype };

    fn new(names: usize) -> Table {
        Table(std::iter::repeat_with(|| None).take(names.div_ceil(PAGE)).collect())
    }

    #[inline]
    fn get(&self, name: Name) -> Slot {
        match self.0.get(name.index() / PAGE) {
            Some(Some(page)) => page[name.index() % PAGE],
            _ => Table::EMPTY,
        }
    }

    /// Gives what was there before.
    #[inline]
    fn replace(&mut self, name: Name, slot: Slot) -> Slot {
        let Some(page) = self.0.get_mut(name.index() / PAGE) else { return Table::EMPTY };
        let page = page.get_or_insert_with(|| Box::new([Table::EMPTY; PAGE]));
        std::mem::replace(&mut page[name.index() % PAGE], slot)
    }
}

pub struct Scopes<'m> {
    names: &'m Names,
    table: Table,
    undo: Vec<(Name, Slot)>,
    ranges: Vec<Range>,
    /// The positions in `ranges` of each prefix, the innermost last.
    by_prefix: HashMap<Name, Vec<usize>>,
    /// Lengths of `undo` and `ranges` at each open scope.
    marks: Vec<(usize, usize)>,
    frames: Vec<FrameState>,
    frame_count: u32,
}

impl<'m> Scopes<'m> {
    pub fn new(names: &'m Names) -> Scopes<'m> {
        Scopes {
            names,
            table: Table::new(names.len()),
            undo: Vec::new(),
            ranges: Vec::new(),
            by_prefix: HashMap::new(),
            marks: Vec::new(),
            frames: Vec::new(),
            frame_count: 0,
        }
    }

    /// Opens the outermost scope of a function.
    pub fn enter_frame(&mut self) {
        self.frame_count += 1;
        self.frames.push(FrameState { id: self.frame_count, marks: self.marks.len(), ranges: self.ranges.len() });
        self.enter();
    }

    pub fn leave_frame(&mut self) {
        self.leave();
        self.frames.pop();
    }

    pub fn enter(&mut self) {
        self.marks.push((self.undo.len(), self.ranges.len()));
    }

    pub fn leave(&mut self) {
        let Some((undo, ranges)) = self.marks.pop() else { return };
        while self.undo.len() > undo {
            if let Some((name, slot)) = self.undo.pop() {
                self.table.replace(name, slot);
            }
        }
        for range in self.ranges.drain(ranges..).rev() {
            if let Some(positions) = self.by_prefix.get_mut(&range.prefix) {
                positions.pop();
            }
        }
    }

    fn frame(&self) -> u32 {
        self.frames.last().map_or(0, |frame| frame.id)
    }

    pub fn bind(&mut self, name: Name, binding: Binding) {
        let slot = Slot { frame: self.frame(), binding };
        let old = self.table.replace(name, slot);
        self.undo.push((name, old));
    }

    /// Declares `prefix0` to `prefix(count-1)`; the element `n` of the register `i` is the variable `first + i * elements + n`.
    pub fn bind_range(&mut self, prefix: Name, count: u32, first: Var, ty: ScalarType, elements: u8) {
        let range = Range { prefix, count, first, ty, elements };
        // In a nested scope, names of outer scopes that are in the table would hide the range.
        let nested = self.frames.last().is_some_and(|frame| self.marks.len() > frame.marks + 1);
        if nested {
            let text = self.names.get(prefix);
            if (count as usize) < self.names.len() {
                for index in 0..count {
                    if let Some(name) = self.names.lookup(&format!("{text}{index}")) {
                        self.bind(name, range.binding(index));
                    }
                }
            } else {
                for name in (0..self.names.len() as u32).map(Name) {
                    let index = self.names.get(name).strip_prefix(text).and_then(number);
                    if let Some(index) = index.filter(|&index| index < count) {
                        self.bind(name, range.binding(index));
                    }
                }
            }
        }
        self.by_prefix.entry(prefix).or_default().push(self.ranges.len());
        self.ranges.push(range);
    }

    /// What a name means in the function, if the function declares it.
    pub fn lookup(&mut self, name: Name) -> Option<Binding> {
        let slot = self.table.get(name);
        let frame = self.frames.last()?;
        if slot.frame == frame.id {
            return Some(slot.binding);
        }
        let text = self.names.get(name);
        let digits = text.bytes().rev().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
        // `%r1<2>` also declares `%r10` and `%r11`: try every split of the digits, the longest number first.
        for (stem, rest) in (text.len() - digits..text.len()).map(|at| text.split_at(at)) {
            let Some(index) = number(rest) else { continue };
            let Some(positions) = self.names.lookup(stem).and_then(|prefix| self.by_prefix.get(&prefix)) else {
                continue;
            };
            let own = positions.iter().rev().take_while(|&&at| at >= frame.ranges).map(|&at| &self.ranges[at]);
            let found = own.filter(|range| index < range.count).map(|range| range.binding(index)).next();
            if let Some(binding) = found {
                self.bind(name, binding);
                return Some(binding);
            }
        }
        None
    }
}

/// Digits of the largest number of a range, which has 32 bits.
const MAX_DIGITS: usize = 10;

/// A number as a range spells it: decimal without leading zeros.
fn number(text: &str) -> Option<u32> {
    let canonical = text == "0" || (!text.starts_with('0') && text.bytes().all(|b| b.is_ascii_digit()));
    if canonical { text.parse().ok() } else { None }
}

impl Range {
    fn binding(&self, index: u32) -> Binding {
        let var = Var::from_u32(self.first.as_u32() + index * u32::from(self.elements));
        Binding::Register { var, ty: self.ty, elements: self.elements }
    }
}
