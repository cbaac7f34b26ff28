//! Reads of other lanes, and lane maps.
//!
//! Spec: the AMD ISA manuals, "DS_BPERMUTE_B32", "DS_SWIZZLE_B32", "V_READLANE_B32", "DPP", "V_PERMLANE16_B32"; DESIGN, "Warp is 32,
//! wave is 32 or 64". On a wave of 64 lanes a warp is one half, and the number of a lane is added to that of the half's first.

use super::lane_plan::{self, Base, Move, Plan};
use super::{Ctx, Lowered};
use crate::amd::op::Format;
use crate::amd::{self, Dpp, Encoding, Mods, ops};
use crate::ir::lanemap::LaneMap;
use crate::ir::{InstData, Op, Value};
use crate::mir::{InstKind, Operand, Reg, RegClass};

impl Ctx<'_> {
    fn two_warps(&self) -> bool {
        self.target.wave_lanes() == 64
    }

    pub(super) fn lower_lane_bits(&mut self, bits: u32, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let bits = bits as u64;
        self.copy(dst, Operand::Imm(if self.two_warps() { bits << 32 | bits } else { bits }));
        Ok(())
    }

    pub(super) fn lower_lane_read(&mut self, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let (a, from) = (self.src(data.args[0]), self.src(data.args[1]));
        if !self.is_vgpr(a) {
            // The same in all lanes.
            self.copy(dst, a);
        } else if self.is_sgpr(data.results[0]) {
            self.read_lane(dst, a, from);
        } else {
            let address = self.lane_address(from);
            let data = self.in_vgpr(a, 1);
            self.raw(ops::ds_bpermute_b32, &[dst], &[address.into(), data.into()], Mods::default());
        }
        Ok(())
    }

    fn read_lane(&mut self, dst: Reg, a: Operand, from: Operand) {
        let from = match from {
            Operand::Imm(n) => Operand::Imm(n & 31),
            other => other,
        };
        self.raw(ops::v_readlane_b32, &[dst], &[a, from], Mods::default());
    }

    /// The byte address of a lane of the own warp.
    fn lane_address(&mut self, from: Operand) -> Reg {
        let address = self.vtmp(1);
        if self.two_warps() {
            let base = self.warp_base();
            self.valu(ops::v_lshl_add_u32, address, &[from, Operand::Imm(2), base.into()]);
        } else {
            self.valu(ops::v_lshlrev_b32, address, &[Operand::Imm(2), from]);
        }
        address
    }

    pub(super) fn lower_lane_perm(&mut self, map: &LaneMap, data: &InstData) -> Lowered {
        let dst = self.dst(data.results[0]);
        let a = self.src(data.args[0]);
        if !self.is_vgpr(a) {
            self.copy(dst, a);
            return Ok(());
        }
        if self.is_sgpr(data.results[0])
            && let Some(from) = map.broadcast()
        {
            self.read_lane(dst, a, Operand::Imm(from as u64));
            return Ok(());
        }
        let Some(plan) = self.lane_plan(map) else {
            return Err(self.unsupported("this lane map: `lower_lane_maps` makes it a read by address"));
        };
        self.emit_plan(dst, a, &plan);
        Ok(())
    }

    pub(super) fn lane_plan(&mut self, map: &LaneMap) -> Option<Plan> {
        let target = self.target;
        self.lane_plans.entry(*map).or_insert_with(|| lane_plan::plan(map, target)).clone()
    }

    fn emit_plan(&mut self, dst: Reg, a: Operand, plan: &Plan) {
        let a = self.in_vgpr(a, 1);
        match plan.base {
            // What the first move leaves is written by a later one, and is no value until then.
            Base::Nothing if matches!(plan.steps[0].what, Move::Dpp16 { zero: false, .. }) => self.undef(dst),
            Base::Nothing => {}
            Base::Own => self.copy(dst, a.into()),
        }
        let mut last = a;
        for (n, step) in plan.steps.iter().enumerate() {
            let from = if step.of_last { last } else { a };
            let to = if n + 1 == plan.steps.len() || !plan.steps[n + 1].of_last { dst } else { self.vtmp(1) };
            self.emit_move(to, from, step.what);
            last = to;
        }
    }

    fn emit_move(&mut self, dst: Reg, a: Reg, what: Move) {
        match what {
            Move::Dpp16 { .. } | Move::Dpp8(_) => {
                self.raw(ops::v_mov_b32, &[dst], &[a.into()], dpp_mods(what));
            }
            Move::Swizzle(offset) => {
                let mods = Mods { offset: offset as i32, ..Mods::default() };
                self.raw(ops::ds_swizzle_b32, &[dst], &[a.into()], mods);
            }
            Move::Row { other, select } => {
                let op = if other { ops::v_permlanex16_b32 } else { ops::v_permlane16_b32 };
                let select = select.map(|half| self.constant_reg(half as u64, RegClass::Sgpr, 1));
                // `fi`: every lane is written, so what was there before does not matter.
                self.emit(InstKind::Undef { dst });
                let uses = [a.into(), select[0].into(), select[1].into(), dst.into()];
                self.raw(op, &[dst], &uses, Mods { op_sel: 1, ..Mods::default() });
            }
        }
    }
}

impl Ctx<'_> {
    /// Takes the lane map of one source into a VOP2 op, whose sources stand in the machine's order: `op(map(x), y)` is one DPP op if the
    /// map is one DPP move. Of a map in layers each layer is one, over `op(x, y)` where lanes keep their own: every lane has the result of the
    /// last layer that writes it.
    pub(super) fn fold_dpp(&mut self, op: amd::Op, dst: Reg, sources: [Value; 2]) -> bool {
        let [x, y] = sources;
        for (op, moved, other) in [(Some(op), x, y), (super::legalize::commuted(op), y, x)] {
            let Some(op) = op else { continue };
            let short = op.opcode(self.target).is_some_and(|code| code.format == Format::Vop2);
            let Some(&InstData { op: Op::LanePerm(map), ref args, .. }) = self.folded(moved) else { continue };
            if !short {
                continue;
            }
            let Some(plan) = self.lane_plan(&map).filter(Plan::is_dpp_layers) else { continue };
            let a = self.src(args[0]);
            if !self.is_vgpr(a) {
                continue;
            }
            let b = self.src(other);
            let b = self.in_vgpr(b, 1);
            match plan.base {
                Base::Own => self.raw(op, &[dst], &[a, b.into()], op.default_mods()),
                Base::Nothing if matches!(plan.steps[0].what, Move::Dpp16 { zero: false, .. }) => self.undef(dst),
                Base::Nothing => {}
            }
            for step in &plan.steps {
                self.raw(op, &[dst], &[a, b.into()], dpp_mods(step.what));
            }
            return true;
        }
        false
    }
}

/// The encoding of a DPP move, or of an op whose first source is so moved.
pub(super) fn dpp_mods(what: Move) -> Mods {
    match what {
        Move::Dpp16 { ctrl, row_mask, bank_mask, zero } => {
            let dpp = Dpp { ctrl: ctrl as u32, row_mask, bank_mask, bound_ctrl: zero, fetch_inactive: false };
            Mods { encoding: Encoding::Dpp16, dpp: Some(dpp), ..Mods::default() }
        }
        Move::Dpp8(ctrl) => {
            Mods { encoding: Encoding::Dpp8, dpp: Some(Dpp { ctrl, ..Dpp::default() }), ..Mods::default() }
        }
        Move::Swizzle(_) | Move::Row { .. } => Mods::default(),
    }
}

/// Whether an op needs its map planned: for the pass in front.
pub(super) fn map_of(op: &Op) -> Option<&LaneMap> {
    match op {
        Op::LanePerm(map) => Some(map),
        _ => None,
    }
}
