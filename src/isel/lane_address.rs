//! Lane maps that no cheap moves cover become reads by address: an IR pass behind the optimisations.
//!
//! The number of the lane to read from is computed from the own one, once in a block: by an addition or exchange of bits where the map is
//! of that kind, with lanes that keep their own value chosen by a constant mask; else bit by bit out of constants, a bit of
//! which each lane picks by its number.

use super::lane::map_of;
use super::lane_plan;
use crate::amd::Target;
use crate::diag::Span;
use crate::ir::lanemap::LaneMap;
use crate::ir::{Block, Func, IntOp, Op, Special, Type, Value, Width};
use std::collections::BTreeMap;

pub fn lower_lane_maps(func: &mut Func, target: &Target) {
    let mut planned: BTreeMap<LaneMap, bool> = BTreeMap::new();
    for block in func.order.clone() {
        let is_map = |&inst: &crate::ir::Inst| map_of(&func.insts[inst].op).is_some();
        if !func.blocks[block].insts.iter().any(is_map) {
            continue;
        }
        let mut addresses: BTreeMap<LaneMap, Value> = BTreeMap::new();
        for inst in std::mem::take(&mut func.blocks[block].insts) {
            if let Some(map) = map_of(&func.insts[inst].op).copied() {
                // One lane of a warp that is a wave is read as such.
                let cheap = *planned.entry(map).or_insert_with(|| {
                    let scalar = target.wave_lanes() == 32 && map.broadcast().is_some();
                    scalar || lane_plan::plan(&map, target).is_some()
                });
                if !cheap {
                    let span = func.spans[inst];
                    let from =
                        *addresses.entry(map).or_insert_with(|| Lower { func: &mut *func, block, span }.number(&map));
                    let data = &mut func.insts[inst];
                    data.op = Op::LaneRead;
                    data.args.push(from);
                }
            }
            func.blocks[block].insts.push(inst);
        }
    }
}

struct Lower<'a> {
    func: &'a mut Func,
    block: Block,
    span: Span,
}

impl Lower<'_> {
    /// The number of the lane that the own one reads from.
    fn number(&mut self, map: &LaneMap) -> Value {
        if let Some(from) = map.broadcast() {
            return self.c32(from as u32);
        }
        let own = self.push(Op::Special(Special::LaneId), &[]);
        let moved: Vec<u8> = (0..32).filter(|&lane| map.source(lane) != lane).collect();
        let Some(&first) = moved.first() else { return own };
        let kept = moved.iter().fold(u32::MAX, |kept, lane| kept & !(1 << lane));
        let distance = map.source(first).wrapping_sub(first);
        let flipped = map.source(first) ^ first;
        let all = |of: &dyn Fn(u8) -> u8| moved.iter().all(|&lane| map.source(lane) == of(lane));
        let by = if all(&|lane| lane.wrapping_add(distance)) {
            let distance = self.c32(distance as i8 as i32 as u32);
            self.int(IntOp::Add, own, distance)
        } else if all(&|lane| lane ^ flipped) {
            let flipped = self.c32(flipped as u32);
            self.int(IntOp::Xor, own, flipped)
        } else {
            return self.by_bits(map, own);
        };
        if kept == 0 {
            return by;
        }
        let kept = self.push(Op::LaneBits(kept), &[]);
        self.push(Op::Select(Type::B32), &[kept, own, by])
    }

    fn by_bits(&mut self, map: &LaneMap, own: Value) -> Value {
        let mut number = self.c32(0);
        let one = self.c32(1);
        for bit in 0..5 {
            let picked = match map.plane(bit) {
                0 => continue,
                u32::MAX => self.c32(1),
                table => {
                    let table = self.c32(table);
                    let there = self.int(IntOp::ShrU, table, own);
                    self.int(IntOp::And, there, one)
                }
            };
            let bit = self.c32(bit as u32);
            let placed = self.int(IntOp::Shl, picked, bit);
            number = self.int(IntOp::Or, number, placed);
        }
        number
    }

    fn c32(&mut self, value: u32) -> Value {
        self.push(Op::Const32(value), &[])
    }

    fn int(&mut self, op: IntOp, a: Value, b: Value) -> Value {
        self.push(Op::Int(op, Width::W32), &[a, b])
    }

    fn push(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.func.push(self.block, op, args.iter().copied(), self.span);
        self.func.result(inst)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::lanemap::ShuffleMode;

    /// Ops for the number of the lane to read from.
    fn ops(map: &LaneMap) -> usize {
        let mut func = Func::new();
        let block = func.entry;
        Lower { func: &mut func, block, span: Span::NONE }.number(map);
        func.blocks[block].insts.len()
    }

    /// Why nothing is pushed to the lanes of the inverse map (`ds_permute_b32`) instead of pulled.
    #[test]
    fn a_permutation_turned_around_is_no_cheaper() {
        let mut maps = vec![];
        for (mode, clamp) in [(ShuffleMode::Bfly, 31), (ShuffleMode::Idx, 31)] {
            for step in 0..32 {
                maps.push(LaneMap::shuffle(mode, |_| step, clamp).0);
                maps.push(LaneMap::shuffle(mode, |lane| u32::from(lane) * (2 * step + 1) + 3, clamp).0);
                maps.push(LaneMap::shuffle(mode, |lane| u32::from(lane.rotate_left(step)), clamp).0);
            }
        }
        let mut state = 1u32;
        for _ in 0..500 {
            let mut sources: [u8; 32] = std::array::from_fn(|lane| lane as u8);
            for lane in (1..32).rev() {
                state = state.wrapping_mul(0x0019_660d).wrapping_add(0x3c6e_f35f);
                sources.swap(lane, (state >> 8) as usize % (lane + 1));
            }
            maps.push(LaneMap::new(|lane| sources[lane as usize]));
        }
        let permutations: Vec<_> = maps.iter().filter_map(|map| Some((map, map.inverse()?))).collect();
        assert!(permutations.len() > 550, "{}", permutations.len());
        for (map, inverse) in permutations {
            assert_eq!(ops(map), ops(&inverse), "{map:?}");
        }
    }
}
