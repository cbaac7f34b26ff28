//! Permutes that are too long for the scalar unit but must be there: bytes that move by the same distance go together by a shift
//! and a mask, signs by a field extract.
//!
//! A permute is placed on the scalar unit for what is known of its sources then. When it is written, more may be known (that two are one, what a constant
//! is), and for what it has become the table may have no row of two instructions.

use super::{Bytes, Place, Plan, Step};
use crate::amd::{Op, ops};
use crate::ir::byteperm::ByteSel;
use smallvec::smallvec;

/// A plan for any selection, of any number of sources.
pub fn scalar_parts(sels: Bytes) -> Plan {
    let mut parts = Parts { steps: vec![] };
    let mut sum: Option<Place> = None;
    let ones = byte_mask(|i| sels[i] == ByteSel::Ones);
    if ones != 0 || sels.iter().all(|sel| sel.source().is_none()) {
        sum = Some(Place::Constant(ones));
    }
    let mut done = 0u32;
    for (i, &sel) in sels.iter().enumerate() {
        if done >> (8 * i) & 1 == 1 {
            continue;
        }
        let (part, mask) = match sel {
            ByteSel::Byte(source, byte) => {
                let up = i as i32 - byte as i32;
                let mask = byte_mask(
                    |j| matches!(sels[j], ByteSel::Byte(other, from) if other == source && j as i32 - from as i32 == up),
                );
                (parts.moved(source, up, mask), mask)
            }
            ByteSel::Sign(source, byte) => {
                let mask = byte_mask(|j| sels[j] == sel);
                let field = 1 << 16 | (8 * byte as u32 + 7);
                let sign = parts.step(ops::s_bfe_i32, Place::Source(source), Place::Constant(field));
                (parts.masked(sign, mask), mask)
            }
            ByteSel::Zero | ByteSel::Ones => continue,
        };
        done |= mask;
        sum = Some(match sum {
            Some(sum) => parts.step(ops::s_or_b32, sum, part),
            None => part,
        });
    }
    Plan { steps: parts.steps, result: sum.unwrap_or(Place::Constant(0)) }
}

struct Parts {
    steps: Vec<Step>,
}

impl Parts {
    fn step(&mut self, op: Op, a: Place, b: Place) -> Place {
        self.steps.push(Step { op, uses: smallvec![a, b], halves: None });
        Place::Step(self.steps.len() as u8 - 1)
    }

    /// A source moved up by so many bytes, without the bytes outside the mask.
    fn moved(&mut self, source: u8, up_bytes: i32, mask: u32) -> Place {
        let bits = 8 * up_bytes.unsigned_abs();
        let (op, filled) = match up_bytes {
            0 => return self.masked(Place::Source(source), mask),
            1.. => (ops::s_lshl_b32, u32::MAX << bits),
            _ => (ops::s_lshr_b32, u32::MAX >> bits),
        };
        let moved = self.step(op, Place::Source(source), Place::Constant(bits));
        // A shift leaves zeros at one end.
        if filled == mask { moved } else { self.masked(moved, mask) }
    }

    fn masked(&mut self, place: Place, mask: u32) -> Place {
        match mask {
            u32::MAX => place,
            _ => self.step(ops::s_and_b32, place, Place::Constant(mask)),
        }
    }
}

fn byte_mask(on: impl Fn(usize) -> bool) -> u32 {
    u32::from_le_bytes(std::array::from_fn(|i| if on(i) { 0xff } else { 0 }))
}
