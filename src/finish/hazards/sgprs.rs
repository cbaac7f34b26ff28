//! gfx1200 and gfx1201: an SGPR that VALU ever read may be read again by its old value after it was written.
//!
//! Spec: LLVM 22 (AMDGPUWaitSGPRHazards), as `docs/hazards.md` lists it. A write of an SGPR whose pair VALU has read on some way here must be
//! waited for before it is read: SALU's write by VALU and SALU, VALU's by VALU. SALU's reads wait for VALU by themselves, and so does
//! what goes to memory through SGPRs alone.

use super::rows::{Key, SGPRS, VCC as VCC_KEY, View, depctr, scalar};
use crate::amd::{Feature, Target};

pub const NAMES: [&str; 3] = [
    "SGPR read by VALU, SALU writes it, VALU or SALU reads it",
    "SGPR read by VALU, VALU writes it, VALU reads it",
    "VCC read by VALU, VALU writes it, VALU reads it",
];

/// One bit for each SGPR, VCC among them.
type Set = u128;
const VCC: Set = 3 << (VCC_KEY - SGPRS);

#[derive(Copy, Clone, PartialEq, Eq, Default)]
pub struct Sgprs {
    /// Read by VALU on some way here; both of a pair.
    read: Set,
    /// Written since, and not waited for.
    by_salu: Set,
    by_valu: Set,
}

impl Sgprs {
    pub fn applies(target: &Target) -> bool {
        target.has(Feature::SampleCounter)
    }

    pub fn merge(&mut self, other: Sgprs) -> bool {
        let before = *self;
        self.read |= other.read;
        self.by_salu |= other.by_salu;
        self.by_valu |= other.by_valu;
        *self != before
    }

    /// The fields of `s_wait_alu` that must be at zero before an instruction.
    pub fn fields(&self, view: &View) -> u16 {
        if self.by_salu | self.by_valu == 0 || !(view.is_valu() || view.is_salu()) {
            return 0;
        }
        let uses = set(view.uses());
        let mut fields = if uses & self.by_salu != 0 { depctr::SA_SDST } else { 0 };
        if view.is_valu() && uses & self.by_valu & !VCC != 0 {
            fields |= depctr::VA_SDST;
        }
        if view.is_valu() && uses & self.by_valu & VCC != 0 {
            fields |= depctr::VA_VCC;
        }
        fields
    }

    pub fn pass(&mut self, view: &View) {
        if view.is_smem() || view.is_mubuf() {
            (self.by_salu, self.by_valu) = (0, 0);
        } else if let Some(word) = view.depctr() {
            self.by_salu &= if word & depctr::SA_SDST == 0 { 0 } else { Set::MAX };
            self.by_valu &= if word & depctr::VA_SDST == 0 { VCC } else { Set::MAX };
            self.by_valu &= if word & depctr::VA_VCC == 0 { !VCC } else { Set::MAX };
        } else if view.is_valu() {
            let uses = set(view.uses());
            for pair in [uses, uses << 1 & ODD, uses >> 1 & !ODD] {
                self.read |= pair;
            }
            self.write(set(view.defs()), true);
        } else if view.is_salu() {
            let known = set(view.uses()) & self.read;
            self.by_valu &= if known & !VCC != 0 { VCC } else { Set::MAX };
            self.by_valu &= if known & VCC != 0 { !VCC } else { Set::MAX };
            self.write(set(view.defs()), false);
        }
    }

    fn write(&mut self, defs: Set, valu: bool) {
        let (ours, others) =
            if valu { (&mut self.by_valu, &mut self.by_salu) } else { (&mut self.by_salu, &mut self.by_valu) };
        *ours |= defs & self.read;
        // The last one to write VCC is the one to wait for.
        if defs & VCC != 0 {
            *others &= !VCC;
        }
    }
}

/// The second registers of pairs.
const ODD: Set = Set::MAX / 3 * 2;

fn set(keys: &[Key]) -> Set {
    keys.iter().filter(|&&k| scalar(k)).fold(0, |set, k| set | 1 << (k - SGPRS))
}
