//! The modifiers of an instruction as texts, taken one by one; what nobody takes makes the form unknown.

use crate::ptx::names::Names;
use crate::ptx::tree::{Inst, ScalarType};
use crate::ptx::word;

pub struct Words<'i> {
    texts: Vec<Option<(&'i str, Option<ScalarType>)>>,
}

impl<'i> Words<'i> {
    pub fn new(inst: &Inst<'_>, names: &'i Names) -> Words<'i> {
        Words { texts: inst.modifiers.iter().map(|&m| Some((names.get(m), word::scalar_type(m)))).collect() }
    }

    pub fn flag(&mut self, text: &str) -> bool {
        self.one_of(&[text]).is_some()
    }

    pub fn one_of(&mut self, texts: &[&str]) -> Option<&'i str> {
        let slot = self.texts.iter_mut().find(|slot| slot.is_some_and(|(text, _)| texts.contains(&text)))?;
        slot.take().map(|(text, _)| text)
    }

    /// The next type.
    pub fn ty(&mut self) -> Option<ScalarType> {
        let slot = self.texts.iter_mut().find(|slot| slot.is_some_and(|(_, ty)| ty.is_some()))?;
        slot.take().and_then(|(_, ty)| ty)
    }

    pub fn done(&self) -> bool {
        self.texts.iter().all(Option::is_none)
    }
}
