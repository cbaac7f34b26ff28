//! Looks for hazards in finished code: instructions that come too close for the hardware, and forms that it gets wrong.
//!
//! Spec: the AMD ISA manuals, "Manually Inserted Wait States" (Vega, MI200, MI300); for RDNA and gfx1250, which have no such table,
//! what LLVM 22 is seen to insert. `docs/hazards.md` lists all of it with sources. This is the judge of `finish::hazards` and of other
//! compilers' code: it starts from bytes, has its own account of every rule ([`rules`]: looking backwards from an instruction until
//! enough has passed; [`flow`]: what no distance ends; [`single`]: one instruction or a run of them), and shares nothing with that pass.
//!
//! Not here: waits for memory, which `emu` watches.

mod facts;
mod flow;
mod rules;
mod single;

use super::lane::{Sem, Wave};
use super::{Flags, Inst, Operand, Target, decode_any, ops};
use facts::Facts;
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;
use std::fmt;

/// One instruction of finished code, and where the wave may go from it.
#[derive(Clone, Debug)]
pub struct Step {
    pub inst: Inst,
    /// Bytes from the start of the code.
    pub offset: u32,
    /// Indices of steps.
    pub next: SmallVec<[u32; 2]>,
}

/// A hazard that is left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The rule, as `docs/hazards.md` calls it.
    pub rule: &'static str,
    /// The step that comes too soon.
    pub at: usize,
    /// Its place, bytes from the start of the code.
    pub offset: u32,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "hazard at code + {:#x}: {}", self.offset, self.rule)
    }
}

/// The names of all rules that hold on a target.
pub fn rule_names(target: &Target) -> Vec<&'static str> {
    let near = rules::RULES.iter().filter(|r| (r.applies)(target)).map(|r| r.name);
    near.chain(flow::names(target)).chain(single::names(target)).collect()
}

/// Tells of the first hazard that is left. `vgprs`: how many VGPRs the code's waves have (AGPRs not counted).
pub fn check(steps: &[Step], vgprs: u32, target: &Target) -> Result<(), Fault> {
    let facts: Vec<Facts> = steps.iter().map(|s| Facts::new(&s.inst, target)).collect();
    let mut preds: Vec<SmallVec<[u32; 2]>> = vec![smallvec![]; steps.len()];
    for (index, step) in steps.iter().enumerate() {
        step.next.iter().for_each(|&n| preds[n as usize].push(index as u32));
    }
    let found = rules::find(&facts, &preds, target)
        .or_else(|| flow::find(&facts, steps, target))
        .or_else(|| single::find(&facts, &preds, vgprs, target));
    match found {
        Some((at, rule)) => Err(Fault { rule, at, offset: steps[at].offset }),
        None => Ok(()),
    }
}

/// Reads code from its bytes: instruction after instruction from the start to the end, or to padding. A jump through registers goes where the
/// `s_getpc_b64` and the sums in front of it say; one that nothing is known of ends the way there.
pub fn read(bytes: &[u8], target: &Target) -> Result<Vec<Step>, String> {
    let dwords: Vec<u32> = bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
    let mut steps: Vec<Step> = vec![];
    let mut by_offset = HashMap::new();
    let mut at = 0;
    while at < dwords.len() {
        let end = (at + 4).min(dwords.len());
        let (inst, length, _) =
            decode_any(&dwords[at..end], target).map_err(|e| format!("at code + {:#x}: {e}", 4 * at))?;
        if inst.op == ops::s_code_end {
            break;
        }
        by_offset.insert(4 * at as i64, steps.len() as u32);
        steps.push(Step { inst, offset: 4 * at as u32, next: smallvec![] });
        at += length;
    }
    for index in 0..steps.len() {
        let Step { inst, offset, .. } = &steps[index];
        let behind = steps.get(index + 1).map_or(4 * dwords.len() as i64, |s| i64::from(s.offset));
        let mut next: SmallVec<[u32; 2]> = smallvec![];
        if !inst.op.flags.contains(Flags::END) && index + 1 < steps.len() {
            next.push(index as u32 + 1);
        }
        let goes_to = match inst.op.sem {
            Sem::Wave(Wave::SetPc) => far_target(&steps[..index]),
            _ if inst.op.flags.contains(Flags::BRANCH) => inst.uses.first().and_then(|u| match u {
                Operand::Imm(simm16) => Some(behind + 4 * i64::from(*simm16 as u16 as i16)),
                Operand::Label(distance) => Some(behind + 4 * i64::from(*distance as u16 as i16)),
                _ => None,
            }),
            _ => None,
        };
        if let Some(to) = goes_to {
            let to = by_offset.get(&to).ok_or_else(|| format!("the branch at code + {offset:#x} leads nowhere"))?;
            next.push(*to);
        }
        steps[index].next = next;
    }
    Ok(steps)
}

/// Where a jump goes whose address stands before it as `s_getpc_b64`, `s_add_u32` of a constant, `s_addc_u32` (and
/// on gfx12 what goes between).
fn far_target(before: &[Step]) -> Option<i64> {
    let getpc = before.iter().rposition(|s| s.inst.op == ops::s_getpc_b64)?;
    let add = before[getpc..].iter().find(|s| s.inst.op == ops::s_add_co_u32)?;
    let low = add.inst.uses.iter().find_map(|u| match u {
        Operand::Imm(value) => Some(i64::from(*value as u32 as i32)),
        _ => None,
    })?;
    (before.len() - getpc <= 8).then(|| i64::from(before.get(getpc + 1).map_or(0, |s| s.offset)) + low)
}
