//! What an instruction lacks, where its operands say it.

use super::Checker;
use crate::diag::{Diag, Span, codes};
use crate::ptx::forms;
use crate::ptx::names::Name;
use crate::ptx::tree::*;
use crate::ptx::word;

/// Modifiers up to which a missing type is looked for: no form has more.
const MAX_MODIFIERS: usize = 16;

impl Checker<'_> {
    /// The one type that would make an instruction without type right, as a diagnostic; none where several would.
    pub(super) fn missing_type(&self, inst: &Inst<'_>) -> Option<Diag> {
        let typed = inst.modifiers.iter().any(|&modifier| word::scalar_type(modifier).is_some());
        if typed || inst.modifiers.len() > MAX_MODIFIERS || inst.opcode == word::CALL {
            return None;
        }
        let mut words: Vec<Name> = forms::forms_of(inst.opcode).iter().flat_map(|form| form.words()).collect();
        words.retain(|&word| word::scalar_type(word).is_some());
        words.sort_unstable();
        words.dedup();
        let mut fitting = words.into_iter().filter(|&ty| self.fits_with(inst, ty));
        let (Some(ty), None) = (fitting.next(), fitting.next()) else { return None };
        let (opcode, ty) = (self.spell(inst.opcode), self.spell(ty));
        let end = Span::new(inst.opcode_span.end, inst.opcode_span.end);
        let diag = Diag::error(codes::UNKNOWN_FORM, inst.opcode_span, format!("`{opcode}` has no type here"));
        Some(diag.fix(end, format!(".{ty}"), format!("these operands have the type `.{ty}`")))
    }

    fn fits_with(&self, inst: &Inst<'_>, ty: Name) -> bool {
        let modifiers: Vec<Name> = inst.modifiers.iter().copied().chain([ty]).collect();
        let mut matches = forms::matches(inst.opcode, &modifiers);
        matches.retain(|found| !self.ground.is_past(found.form));
        matches.iter().any(|candidate| candidate.in_order && self.attempt(candidate, inst).is_ok())
    }
}
