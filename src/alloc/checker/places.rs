//! Which values the places hold during the walk through a block, and the other way round.

use super::names::State;
use super::{Loc, SPECIAL, Value, Values};
use std::collections::{BTreeMap, HashMap};

/// The places of one CFG.
#[derive(Default)]
pub(super) struct Places {
    held: BTreeMap<Loc, Values>,
    /// Where each value is, and perhaps where it was: looking at all places for each value would cost their number each time.
    holders: HashMap<Value, Vec<Loc>>,
    /// Values of special registers that some place holds or held.
    specials: Vec<Value>,
    defined: Vec<u64>,
}

impl From<State> for Places {
    fn from(state: State) -> Places {
        let mut places = Places { defined: state.defined, ..Places::default() };
        for (loc, values) in &state.places {
            places.note(*loc, values);
        }
        places.held = state.places;
        places
    }
}

impl Places {
    /// What is known at the end of the block, of the values that `keep` names.
    pub(super) fn into_state(mut self, keep: impl Fn(Value) -> bool) -> State {
        self.held.retain(|_, values| {
            values.retain(|v| keep(*v));
            !values.is_empty()
        });
        State { places: self.held, defined: self.defined }
    }

    fn note(&mut self, loc: Loc, values: &[Value]) {
        for &value in values {
            self.holders.entry(value).or_default().push(loc);
            if value >= SPECIAL {
                self.specials.push(value);
            }
        }
    }

    pub(super) fn get(&self, loc: Loc) -> Option<&Values> {
        self.held.get(&loc)
    }

    pub(super) fn insert(&mut self, loc: Loc, values: Values) {
        self.note(loc, &values);
        self.held.insert(loc, values);
    }

    pub(super) fn remove(&mut self, loc: Loc) {
        self.held.remove(&loc);
    }

    /// Forgets all lanes of a VGPR.
    pub(super) fn remove_lanes(&mut self, index: u16) {
        let lanes = Loc::Lane(index, 0)..=Loc::Lane(index, u8::MAX);
        let stale: Vec<Loc> = self.held.range(lanes).map(|place| *place.0).collect();
        stale.into_iter().for_each(|loc| self.remove(loc));
    }

    /// A place that holds something holds this value as well.
    pub(super) fn add(&mut self, loc: Loc, value: Value) {
        if let Some(values) = self.held.get_mut(&loc) {
            values.push(value);
            self.note(loc, &[value]);
        }
    }

    /// No place holds the value any more.
    pub(super) fn forget(&mut self, value: Value) {
        for loc in self.holders.remove(&value).into_iter().flatten() {
            if let Some(values) = self.held.get_mut(&loc) {
                values.retain(|v| *v != value);
            }
        }
    }

    /// What special registers held is known only within one tag.
    pub(super) fn forget_specials(&mut self) {
        for value in std::mem::take(&mut self.specials) {
            self.forget(value);
        }
    }

    /// Where the value is.
    pub(super) fn holders(&mut self, value: Value) -> &[Loc] {
        let Some(locs) = self.holders.get_mut(&value) else { return &[] };
        locs.sort_unstable();
        locs.dedup();
        locs.retain(|loc| self.held.get(loc).is_some_and(|values| values.contains(&value)));
        locs
    }

    pub(super) fn is_defined(&self, global: u32) -> bool {
        self.defined.get(global as usize / 64).is_some_and(|w| w >> (global % 64) & 1 == 1)
    }

    pub(super) fn set_defined(&mut self, global: u32, globals: u32) {
        self.defined.resize(globals.div_ceil(64) as usize, 0);
        self.defined[global as usize / 64] |= 1 << (global % 64);
    }

    pub(super) fn set_undefined(&mut self, global: u32) {
        if let Some(word) = self.defined.get_mut(global as usize / 64) {
            *word &= !(1 << (global % 64));
        }
    }
}
