//! Covers a constant lane map with machine moves.
//!
//! Spec: the AMD ISA manuals, "DPP", "DS_SWIZZLE_B32", "V_PERMLANE16_B32", "V_PERMLANEX16_B32". A DPP move may leave lanes as they were: those
//! that its row or bank mask excludes, and those whose source is outside the row. So a map is covered in layers over a base: what the
//! later ones leave, the earlier ones or the base must have right. On a wave of 64 lanes each half is a warp of its own, and no
//! lane may take from the other half: `wave_shl`, `wave_shr` and `row_bcast15` are right but for lanes that a later layer writes;
//! `row_bcast31`, `wave_rol`, `wave_ror` and `v_permlane32_swap_b32` would be right in no lane that those are not.

use crate::amd::{Feature, Target};
use crate::ir::lanemap::LaneMap;

/// One machine move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Move {
    /// `v_mov_b32_dpp`. `zero`: `bound_ctrl`, so that every lane is written.
    Dpp16 { ctrl: u16, row_mask: u8, bank_mask: u8, zero: bool },
    /// `v_mov_b32_dpp` within groups of 8 lanes, 3 bits for each.
    Dpp8(u32),
    /// `ds_swizzle_b32` by and, or, xor.
    Swizzle(u16),
    /// `v_permlane16_b32`: any permutation of a row's 16 lanes, the same in each row; or of the `other` row of the pair.
    Row { other: bool, select: [u32; 2] },
}

/// What the result holds before the first move.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Base {
    Nothing,
    /// The lane's own value.
    Own,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Step {
    pub what: Move,
    /// Of the step before rather than of the value itself.
    pub of_last: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub base: Base,
    pub steps: Vec<Step>,
}

/// Costs, in quarters of what a plain vector op takes. A DPP move reads registers late, or after two idle states (GFX9); an LDS move waits
/// for its result; one by address computes that first.
const COPY: u32 = 4;
const DPP: u32 = 6;
const ROW: u32 = 8;
const SWIZZLE: u32 = 24;
const BY_ADDRESS: u32 = 36;

const WAVE_SHL: u16 = 0x130;
const WAVE_SHR: u16 = 0x138;

impl Plan {
    fn single(what: Move) -> Plan {
        Plan { base: Base::Nothing, steps: vec![Step { what, of_last: false }] }
    }

    /// The one DPP move that is all there is.
    pub fn only_dpp(&self) -> Option<Move> {
        match (&self.steps[..], self.base) {
            ([Step { what: what @ (Move::Dpp16 { .. } | Move::Dpp8(_)), .. }], Base::Nothing) => Some(*what),
            _ => None,
        }
    }

    /// DPP moves of the value itself, and nothing else but its own base.
    pub fn is_dpp_layers(&self) -> bool {
        self.steps.iter().all(|s| !s.of_last && matches!(s.what, Move::Dpp16 { .. } | Move::Dpp8(_)))
    }

    pub fn cost(&self) -> u32 {
        let base = if self.base == Base::Own { COPY } else { 0 };
        let step = |s: &Step| match s.what {
            Move::Dpp16 { .. } | Move::Dpp8(_) => DPP,
            Move::Swizzle(_) => SWIZZLE,
            Move::Row { .. } => ROW,
        };
        base + self.steps.iter().map(step).sum::<u32>()
    }

    /// Where each lane's result comes from; `None` is unspecified. For a wave of so many lanes.
    pub fn lanes(&self, wave_lanes: u32) -> Vec<Option<u32>> {
        let own = self.base == Base::Own;
        let mut result: Vec<Option<u32>> = (0..wave_lanes).map(|lane| own.then_some(lane)).collect();
        for step in &self.steps {
            let last = result.clone();
            for lane in 0..wave_lanes {
                if let Some(from) = step.what.source(lane) {
                    result[lane as usize] = if step.of_last { last[from as usize] } else { Some(from) };
                }
            }
        }
        result
    }
}

impl Move {
    fn dpp(ctrl: u16) -> Move {
        Move::Dpp16 { ctrl, row_mask: 15, bank_mask: 15, zero: true }
    }

    /// The lane that `lane` reads, if it is written.
    pub fn source(self, lane: u32) -> Option<u32> {
        let (row, at) = (lane & !15, lane & 15);
        match self {
            Move::Dpp16 { ctrl, row_mask, bank_mask, .. } => {
                if row_mask >> (lane / 16) & 1 == 0 || bank_mask >> (at / 4) & 1 == 0 {
                    return None;
                }
                let n = (ctrl & 15) as u32;
                match ctrl >> 4 {
                    0x00..=0x0f => Some(lane & !3 | (ctrl as u32 >> (2 * (lane & 3)) & 3)),
                    0x10 => (at + n < 16).then_some(lane + n),
                    0x11 => (at >= n).then(|| lane - n),
                    0x12 => Some(row | (at + 16 - n) & 15),
                    // `wave_shl:1`, `wave_shr:1`, of 64 lanes.
                    0x13 if n == 0 => (lane < 63).then_some(lane + 1),
                    0x13 => lane.checked_sub(1),
                    0x14 => match n {
                        0 => Some(row | (15 - at)),
                        1 => Some(lane & !7 | (7 - (lane & 7))),
                        _ => row.checked_sub(1),
                    },
                    0x15 => Some(row | n),
                    _ => Some(row | at ^ n),
                }
            }
            Move::Dpp8(select) => Some(lane & !7 | select >> (3 * (lane & 7)) & 7),
            Move::Swizzle(offset) => {
                let (and, or, xor) = (offset & 31, offset >> 5 & 31, offset >> 10 & 31);
                Some(lane & !31 | (lane & 31 & and as u32 | or as u32) ^ xor as u32)
            }
            Move::Row { other, select } => {
                let select = (select[1] as u64) << 32 | select[0] as u64;
                let row = if other { row ^ 16 } else { row };
                Some(row | (select >> (4 * at) & 15) as u32)
            }
        }
    }
}

/// The cheapest cover of a map, or none where a read by address is cheaper.
pub fn plan(map: &LaneMap, target: &Target) -> Option<Plan> {
    let search = Search::new(map, target);
    let mut best = Best { plan: None, cost: BY_ADDRESS };
    let one_dpp = search.one_dpp();
    let several = one_dpp.is_none();
    best.offer(one_dpp);
    best.offer(search.eight());
    best.offer(search.rows(search.all).map(Plan::single));
    best.offer(search.swizzle().map(Plan::single));
    if several && best.cost > COPY + DPP {
        best.offer(search.chain());
        search.far(&mut best);
        search.layers(&mut best);
    }
    best.plan
}

/// The cheapest so far; the first of several.
struct Best {
    plan: Option<Plan>,
    cost: u32,
}

impl Best {
    fn offer(&mut self, plan: Option<Plan>) {
        if let Some(plan) = plan
            && plan.cost() < self.cost
        {
            self.cost = plan.cost();
            self.plan = Some(plan);
        }
    }
}

struct Search<'a> {
    map: &'a LaneMap,
    target: &'a Target,
    wave_lanes: u32,
    /// Every lane of the wave, and those that take their own value.
    all: u64,
    own: u64,
}

/// A DPP move with the lanes it writes, and those of them that it gives what the map says.
struct Layer {
    what: Move,
    written: u64,
    right: u64,
}

impl<'a> Search<'a> {
    fn new(map: &'a LaneMap, target: &'a Target) -> Search<'a> {
        let wave_lanes = target.wave_lanes();
        let all = if wave_lanes == 64 { u64::MAX } else { u32::MAX as u64 };
        let mut search = Search { map, target, wave_lanes, all, own: 0 };
        search.own = (0..wave_lanes).filter(|&lane| search.wanted(lane) == lane).fold(0, |set, lane| set | 1 << lane);
        search
    }

    fn wanted(&self, lane: u32) -> u32 {
        lane & !31 | self.map.source(lane as u8 & 31) as u32
    }

    fn layer(&self, what: Move) -> Layer {
        let (mut written, mut right) = (0, 0);
        for lane in 0..self.wave_lanes {
            if let Some(from) = what.source(lane) {
                written |= 1 << lane;
                right |= ((from == self.wanted(lane)) as u64) << lane;
            }
        }
        Layer { what, written, right }
    }

    /// The controls that give some lane what it wants: those of quads from the map itself.
    fn controls(&self) -> Vec<u16> {
        let gfx9 = !self.target.has(Feature::Dpp8);
        let sources = self.map.sources();
        let mut quads: Vec<u16> = (0..8)
            .filter_map(|quad| {
                let lanes = &sources[4 * quad..4 * quad + 4];
                lanes
                    .iter()
                    .all(|&from| from as usize / 4 == quad)
                    .then(|| lanes.iter().enumerate().fold(0, |ctrl, (n, &from)| ctrl | (from as u16 & 3) << (2 * n)))
            })
            .collect();
        // Quads that keep their own lanes.
        quads.push(0xe4);
        quads.sort_unstable();
        quads.dedup();
        let rows = (0x101..=0x10f).chain(0x111..=0x11f).chain(0x121..=0x12f).chain(0x140..=0x141);
        let more = match (gfx9, self.target.has(Feature::EvenVgprTuples)) {
            (true, false) => (0x142..=0x142).chain(0..=0),
            // `row_newbcast` came with gfx90a.
            (true, true) => (0x142..=0x142).chain(0x150..=0x15f),
            (false, _) => (0x150..=0x15f).chain(0x161..=0x16f),
        };
        let over_rows = if gfx9 { &[WAVE_SHL, WAVE_SHR][..] } else { &[] };
        quads.extend(rows.chain(more).chain(over_rows.iter().copied()).filter(|&c| c != 0));
        quads
    }

    /// One move for all lanes.
    fn one_dpp(&self) -> Option<Plan> {
        let full = |&ctrl: &u16| self.layer(Move::dpp(ctrl)).right == self.all;
        self.controls().into_iter().find(full).map(|ctrl| Plan::single(Move::dpp(ctrl)))
    }

    fn eight(&self) -> Option<Plan> {
        if !self.target.has(Feature::Dpp8) {
            return None;
        }
        let select = (0..8).fold(0, |select, n| select | (self.map.source(n) as u32 & 7) << (3 * n));
        let what = Move::Dpp8(select);
        (self.layer(what).right == self.all).then(|| Plan::single(what))
    }

    /// A permutation of rows, or of the other row, that is right in the lanes asked for.
    fn rows(&self, lanes: u64) -> Option<Move> {
        if !self.target.has(Feature::Permlane16) {
            return None;
        }
        let first = lanes.trailing_zeros();
        let other = (self.wanted(first) ^ first) & 16 != 0;
        let mut select = [None; 16];
        for lane in (0..self.wave_lanes).filter(|lane| lanes >> lane & 1 == 1) {
            let from = self.wanted(lane);
            let slot = &mut select[lane as usize & 15];
            if ((from ^ lane) & 16 != 0) != other || slot.is_some_and(|known| known != from & 15) {
                return None;
            }
            *slot = Some(from & 15);
        }
        let bits = |half: usize| {
            (0..8).fold(0, |bits, n| bits | select[8 * half + n].unwrap_or(8 * half as u32 + n as u32) << (4 * n))
        };
        Some(Move::Row { other, select: [bits(0), bits(1)] })
    }

    /// Bit by bit: each bit of the source is the same bit of the lane, its inverse, or a constant.
    fn swizzle(&self) -> Option<Move> {
        let (zero, ones) = (self.map.source(0) as u16, self.map.source(31) as u16);
        // Where lanes 0 and 31 agree the bit is constant: cleared by `and`, set by `or` (as the assembler says it too).
        let and = (zero ^ ones) & 31;
        let what = Move::Swizzle(and | (zero & !and & 31) << 5 | (zero & and) << 10);
        (self.layer(what).right == self.all).then_some(what)
    }

    /// Two moves, the second within quads: of a mirror, a rotation or an exchange.
    fn chain(&self) -> Option<Plan> {
        let first = [0x140, 0x141].into_iter().chain(0x121..=0x12f);
        first.into_iter().find_map(|ctrl: u16| {
            let first = Move::dpp(ctrl);
            let mut quad = 0u16;
            for n in 0..4 {
                let wanted = self.wanted(n);
                let at = (0..4).find(|&m| first.source(m) == Some(wanted))?;
                quad |= (at as u16) << (2 * n);
            }
            let steps = vec![Step { what: first, of_last: false }, Step { what: Move::dpp(quad), of_last: true }];
            let plan = Plan { base: Base::Nothing, steps };
            let lanes = plan.lanes(self.wave_lanes);
            (0..self.wave_lanes).all(|lane| lanes[lane as usize] == Some(self.wanted(lane))).then_some(plan)
        })
    }

    /// Several moves by one lane over the whole wave, and one within quads where lanes keep their own: GFX9.
    fn far(&self, best: &mut Best) {
        if self.target.has(Feature::Dpp8) {
            return;
        }
        for (ctrl, rows) in [(WAVE_SHL, 10), (WAVE_SHR, 5)] {
            for count in 2..BY_ADDRESS / DPP {
                let moves = (0..count).map(|n| Step { what: Move::dpp(ctrl), of_last: n > 0 });
                let mut steps: Vec<Step> = moves.collect();
                let lanes = Plan { base: Base::Nothing, steps: steps.clone() }.lanes(self.wave_lanes);
                let wrong: Vec<u32> =
                    (0..self.wave_lanes).filter(|&lane| lanes[lane as usize] != Some(self.wanted(lane))).collect();
                let Some(&first) = wrong.first() else { continue };
                let banks = wrong.iter().fold(0u8, |banks, lane| banks | 1 << (lane / 4 % 4));
                // The map within the first quad that differs, so far as it stays in that.
                let quad = (0..4).fold(0, |quad, n| quad | (self.wanted(first & !3 | n) as u16 & 3) << (2 * n));
                let what = Move::Dpp16 { ctrl: quad, row_mask: rows, bank_mask: banks, zero: false };
                steps.push(Step { what, of_last: false });
                let plan = Plan { base: Base::Nothing, steps };
                let lanes = plan.lanes(self.wave_lanes);
                if (0..self.wave_lanes).all(|lane| lanes[lane as usize] == Some(self.wanted(lane))) {
                    best.offer(Some(plan));
                }
            }
        }
    }

    /// One or two DPP moves over a base.
    fn layers(&self, best: &mut Best) {
        let masks: Vec<(u8, u8, u64)> = [15, 5, 10]
            .into_iter()
            .flat_map(|rows| (1..=15).map(move |banks| (rows, banks, cells(rows, banks))))
            .collect();
        let mut layers = vec![];
        for ctrl in self.controls() {
            let full = self.layer(Move::dpp(ctrl));
            if full.right & !self.own == 0 && ctrl != 0xe4 {
                continue;
            }
            for &(row_mask, bank_mask, cells) in &masks {
                let what = Move::Dpp16 { ctrl, row_mask, bank_mask, zero: false };
                layers.push(Layer { what, written: full.written & cells, right: full.right & cells });
            }
        }
        let last: Vec<&Layer> = layers.iter().filter(|l| l.written != 0 && l.written == l.right).collect();
        // Of those, the ones that no other covers.
        let top: Vec<&Layer> = last
            .iter()
            .copied()
            .filter(|l| !last.iter().any(|m| m.right != l.right && m.right & l.right == l.right))
            .collect();
        for layer in &top {
            self.over(&[layer], best);
        }
        for layer in &top {
            // Two layers over nothing are the least that can be.
            if best.cost <= 2 * DPP {
                return;
            }
            for below in layers.iter().filter(|b| b.written & !layer.written & !b.right == 0) {
                if below.written & !layer.written != 0 {
                    self.over(&[below, layer], best);
                }
            }
        }
    }

    /// Layers, from below, over the base that fits what they leave.
    fn over(&self, layers: &[&Layer], best: &mut Best) {
        let rest = layers.iter().fold(self.all, |rest, layer| rest & !layer.written);
        let moves = DPP * layers.len() as u32;
        let (base, cost) = match rest {
            0 => (Base::Nothing, moves),
            _ if rest & !self.own == 0 => (Base::Own, moves + COPY),
            _ => (Base::Nothing, moves + ROW),
        };
        if cost >= best.cost {
            return;
        }
        let mut first = None;
        if cost == moves + ROW {
            match self.rows(rest) {
                Some(rows) => first = Some(rows),
                None => return,
            }
        }
        let moves = first.into_iter().chain(layers.iter().map(|l| l.what));
        best.offer(Some(Plan { base, steps: moves.map(|what| Step { what, of_last: false }).collect() }));
    }
}

/// The lanes that masks of rows and banks let through.
fn cells(row_mask: u8, bank_mask: u8) -> u64 {
    (0..64)
        .filter(|lane| row_mask >> (lane / 16) & 1 == 1 && bank_mask >> (lane / 4 % 4) & 1 == 1)
        .fold(0, |s, l| s | 1 << l)
}
