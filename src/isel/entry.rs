//! The state at a kernel's entry: which registers hold what, and what the descriptor must ask for.
//!
//! Spec: ABI_FACTS, section 1; AMDGPUUsage, "Initial Kernel Execution State"; the HSA dispatch packet. Only what the code reads is
//! asked for. User SGPRs: the dispatch packet's address if needed, then the kernel arguments' address, then, where scratch is set up
//! by code, room for the initial FLAT_SCRATCH; then the work-group ids and the wave's offset in scratch. `finish` writes the set-up
//! if there is scratch in the end.

use super::Ctx;
use crate::amd::{self, Feature, File, Mods, ops};
use crate::ir::{self, Special};
use crate::mir::{Abi, InstKind, Operand, Reg, RegClass};

/// What the code turned out to need, collected while it is selected from its end to its start.
#[derive(Default)]
pub(super) struct EntryState {
    specials: Vec<(Special, Reg)>,
    kernarg: Option<Reg>,
    /// Byte address, for `ds_bpermute_b32`, of the first lane of the lane's warp: 0 or 128.
    warp_base: Option<Reg>,
    /// Addresses of module variables that memory accesses start from.
    variables: Vec<(ir::Global, Reg)>,
    /// Lane masks that are merged into before anything else defines them.
    undefined: Vec<Reg>,
}

impl EntryState {
    pub(super) fn undefined(&mut self, reg: Reg) {
        if !self.undefined.contains(&reg) {
            self.undefined.push(reg);
        }
    }
}

/// Offsets in the dispatch packet, bytes.
const PACKET_NTID_XY: i32 = 4;
const PACKET_NTID_Z: i32 = 8;
const PACKET_GRID: [i32; 3] = [12, 16, 20];

/// `hidden_dynamic_lds_size` in the hidden arguments of code object V5 and V6, bytes.
const HIDDEN_DYNAMIC_LDS: (&str, u32, u32) = ("hidden_dynamic_lds_size", 120, 4);

/// `hwreg(HW_REG_IB_STS2, 6, 4)`.
const IB_STS2_CLUSTER: u64 = 28 | 6 << 6 | (4 - 1) << 11;

impl Ctx<'_> {
    pub(super) fn special_reg(&mut self, special: Special) -> Reg {
        if let Some(&(_, reg)) = self.entry.specials.iter().find(|s| s.0 == special) {
            return reg;
        }
        let class = match special {
            Special::TidX | Special::TidY | Special::TidZ | Special::LaneId => RegClass::Vgpr,
            _ => RegClass::Sgpr,
        };
        let vreg = self.mir.new_vreg(class, 1);
        let reg = self.mir.reg(vreg);
        self.entry.specials.push((special, reg));
        reg
    }

    /// The address of the kernel's arguments.
    pub(super) fn kernarg_reg(&mut self) -> Reg {
        if let Some(reg) = self.entry.kernarg {
            return reg;
        }
        let reg = self.stmp(2);
        self.entry.kernarg = Some(reg);
        reg
    }

    /// Of a wave of two warps: the byte address that `ds_bpermute_b32` knows the first lane of the lane's own warp by.
    pub(super) fn warp_base(&mut self) -> Reg {
        if let Some(reg) = self.entry.warp_base {
            return reg;
        }
        let reg = self.vtmp(1);
        self.entry.warp_base = Some(reg);
        reg
    }

    /// The address of a module variable, computed once at the entry.
    pub(super) fn variable_reg(&mut self, global: ir::Global) -> Reg {
        if let Some(&(_, reg)) = self.entry.variables.iter().find(|v| v.0 == global) {
            return reg;
        }
        let reg = self.stmp(2);
        self.entry.variables.push((global, reg));
        reg
    }

    fn special(&self, special: Special) -> Option<Reg> {
        self.entry.specials.iter().find(|s| s.0 == special).map(|s| s.1)
    }

    /// Writes the start of the entry block: one parallel copy out of the physical registers, then what is computed from them.
    pub(super) fn lower_entry(&mut self) {
        use Special::*;
        for s in [NctaidX, NctaidY, NctaidZ, WarpId, LanemaskEq, LanemaskLe, LanemaskLt, LanemaskGe, LanemaskGt] {
            if self.special(s).is_some() {
                self.refuse_kernel(self.span, format!("`{s:?}` must be expanded before selection"));
            }
        }
        if self.special(DynamicSharedBytes).is_some() {
            self.kernarg_reg();
        }
        let packet_reads = [NtidX, NtidY, NtidZ, GridX, GridY, GridZ];
        let packet = packet_reads.iter().any(|&s| self.special(s).is_some()).then(|| self.stmp(2));
        let groups = [CtaidX, CtaidY, CtaidZ].map(|s| self.special(s));
        let items = [TidX, TidY, TidZ].map(|s| self.special(s));

        let mut abi = Abi {
            dispatch_ptr: packet.is_some(),
            kernarg_ptr: self.entry.kernarg.is_some(),
            workgroup_id: groups.map(|g| g.is_some()),
            workitem_dims: items.iter().rposition(|i| i.is_some()).unwrap_or(0) as u8,
            ..Abi::default()
        };
        let mut copies: Vec<(Reg, Operand)> = vec![];
        let mut next = 0;
        for pair in [packet, self.entry.kernarg].into_iter().flatten() {
            copies.push((pair, Reg::Phys(amd::Reg::sn(next, 2)).into()));
            next += 2;
        }
        if !self.target.has(Feature::ArchitectedScratch) {
            abi.flat_scratch_init = Some(next as u8);
            next += 2;
        }
        abi.user_sgprs = self.user_sgprs(next as u8, &abi);
        self.work_group_ids(groups, abi.user_sgprs, &mut copies);
        let clusters = self.target.has(Feature::XCounter) && groups.iter().any(|g| g.is_some());
        let cluster = clusters.then(|| self.stmp(1));
        copies.extend(cluster.map(|reg| (reg, Reg::Phys(amd::Reg::new(File::Ttmp, 6, 1)).into())));
        let packed = self.work_item_ids(items, &mut copies);
        match copies[..] {
            [] => {}
            [(dst, src)] => self.copy(dst, src),
            _ => self.emit(InstKind::ParallelCopy(copies)),
        }
        if let Some(packed) = packed {
            self.unpack_work_items(packed, items);
        }
        self.unpack_work_groups(groups, cluster);
        if let Some(packet) = packet {
            self.read_packet(packet);
        }
        if let (Some(dst), Some(kernarg)) = (self.special(DynamicSharedBytes), self.entry.kernarg) {
            let (_, offset, _) = HIDDEN_DYNAMIC_LDS;
            let base = self.kernel.param_bytes.next_multiple_of(8);
            self.scalar_load(dst, kernarg, (base + offset) as i32);
            abi.hidden_args.push(HIDDEN_DYNAMIC_LDS);
        }
        if let Some(lane) = self.special(LaneId) {
            self.lane_id(lane);
        }
        if let Some(base) = self.entry.warp_base {
            let (low, both, half) = (self.vtmp(1), self.vtmp(1), self.vtmp(1));
            self.valu(ops::v_mbcnt_lo_u32_b32, low, &[Operand::Imm(0xffff_ffff), Operand::Imm(0)]);
            self.valu(ops::v_mbcnt_hi_u32_b32, both, &[Operand::Imm(0xffff_ffff), low.into()]);
            self.valu(ops::v_and_b32, half, &[Operand::Imm(32), both.into()]);
            self.valu(ops::v_lshlrev_b32, base, &[Operand::Imm(2), half.into()]);
        }
        for (global, dst) in std::mem::take(&mut self.entry.variables) {
            self.emit(InstKind::GlobalAddr { dst, global: global.as_u32(), addend: 0 });
        }
        for reg in std::mem::take(&mut self.entry.undefined) {
            self.undef(reg);
        }
        self.mir.abi = abi;
    }

    /// gfx1100 and gfx1102: user and system SGPRs must total 16, or the ids arrive elsewhere.
    fn user_sgprs(&self, used: u8, abi: &Abi) -> u8 {
        if !self.target.has(Feature::Sgpr16Minimum) {
            return used;
        }
        let system = abi.workgroup_id.iter().filter(|&&on| on).count() as u8;
        used.max(16 - system)
    }

    fn work_group_ids(&self, groups: [Option<Reg>; 3], user_sgprs: u8, copies: &mut Vec<(Reg, Operand)>) {
        if self.target.has(Feature::TtmpWorkgroupIds) {
            // x = ttmp9; y and z share ttmp7 and are taken apart behind the copies.
            for (dim, ttmp) in [(0, 9), (1, 7), (2, 7)] {
                if let Some(reg) = groups[dim] {
                    copies.push((reg, Reg::Phys(amd::Reg::new(File::Ttmp, ttmp, 1)).into()));
                }
            }
            return;
        }
        for (n, reg) in groups.into_iter().flatten().enumerate() {
            copies.push((reg, Reg::Phys(amd::Reg::s(user_sgprs as u16 + n as u16)).into()));
        }
    }

    fn unpack_work_groups(&mut self, groups: [Option<Reg>; 3], cluster: Option<Reg>) {
        if !self.target.has(Feature::TtmpWorkgroupIds) {
            return;
        }
        if let Some(y) = groups[1] {
            self.salu(ops::s_and_b32, &[y], &[y.into(), Operand::Imm(0xffff)]);
        }
        if let Some(z) = groups[2] {
            self.salu(ops::s_lshr_b32, &[z], &[z.into(), Operand::Imm(16)]);
        }
        if let Some(cluster) = cluster {
            self.ids_in_clusters(groups, cluster);
        }
    }

    /// gfx1250: the ids are those of the cluster where the launch has clusters (IB_STS2[9:6] is not zero). TTMP6 holds the place in the
    /// cluster from bit 0 and its size less one from bit 12, four bits for each dimension.
    fn ids_in_clusters(&mut self, groups: [Option<Reg>; 3], cluster: Reg) {
        let mut clustered = [None; 3];
        for (dim, id) in groups.into_iter().enumerate().filter_map(|(dim, id)| Some((dim as u64, id?))) {
            let (of_group, place) = (self.stmp(1), self.stmp(1));
            let field = |first_bit: u64| Operand::Imm(first_bit | 4 << 16);
            self.salu(ops::s_bfe_u32, &[of_group], &[cluster.into(), field(12 + 4 * dim)]);
            self.salu(ops::s_add_co_u32, &[of_group], &[of_group.into(), Operand::Imm(1)]);
            self.salu(ops::s_mul_i32, &[of_group], &[of_group.into(), id.into()]);
            self.salu(ops::s_bfe_u32, &[place], &[cluster.into(), field(4 * dim)]);
            self.salu(ops::s_add_co_u32, &[of_group], &[of_group.into(), place.into()]);
            clustered[dim as usize] = Some((id, of_group));
        }
        let state = self.stmp(1);
        self.salu(ops::s_getreg_b32, &[state], &[Operand::Imm(IB_STS2_CLUSTER)]);
        self.salu(ops::s_cmp_eq_u32, &[], &[state.into(), Operand::Imm(0)]);
        for (id, of_group) in clustered.into_iter().flatten() {
            self.salu(ops::s_cselect_b32, &[id], &[id.into(), of_group.into()]);
        }
    }

    /// Work-item ids: in v0 to v2, or packed in v0, which is then given back.
    fn work_item_ids(&mut self, items: [Option<Reg>; 3], copies: &mut Vec<(Reg, Operand)>) -> Option<Reg> {
        if items.iter().all(|i| i.is_none()) {
            return None;
        }
        if self.target.has(Feature::PackedWorkitemIds) {
            let packed = self.vtmp(1);
            copies.push((packed, Reg::Phys(amd::Reg::v(0)).into()));
            return Some(packed);
        }
        for (n, reg) in items.into_iter().enumerate() {
            if let Some(reg) = reg {
                copies.push((reg, Reg::Phys(amd::Reg::v(n as u16)).into()));
            }
        }
        None
    }

    fn unpack_work_items(&mut self, packed: Reg, items: [Option<Reg>; 3]) {
        if let Some(x) = items[0] {
            self.valu(ops::v_and_b32, x, &[Operand::Imm(0x3ff), packed.into()]);
        }
        for (dim, first_bit) in [(1, 10), (2, 20)] {
            if let Some(reg) = items[dim] {
                self.valu(ops::v_bfe_u32, reg, &[packed.into(), Operand::Imm(first_bit), Operand::Imm(10)]);
            }
        }
    }

    fn read_packet(&mut self, packet: Reg) {
        use Special::*;
        let (x, y) = (self.special(NtidX), self.special(NtidY));
        if x.is_some() || y.is_some() {
            let both = self.stmp(1);
            self.scalar_load(both, packet, PACKET_NTID_XY);
            if let Some(x) = x {
                self.salu(ops::s_and_b32, &[x], &[both.into(), Operand::Imm(0xffff)]);
            }
            if let Some(y) = y {
                self.salu(ops::s_lshr_b32, &[y], &[both.into(), Operand::Imm(16)]);
            }
        }
        if let Some(z) = self.special(NtidZ) {
            let both = self.stmp(1);
            self.scalar_load(both, packet, PACKET_NTID_Z);
            self.salu(ops::s_and_b32, &[z], &[both.into(), Operand::Imm(0xffff)]);
        }
        for (special, offset) in [GridX, GridY, GridZ].into_iter().zip(PACKET_GRID) {
            if let Some(reg) = self.special(special) {
                self.scalar_load(reg, packet, offset);
            }
        }
    }

    fn scalar_load(&mut self, dst: Reg, base: Reg, offset: i32) {
        self.raw(ops::s_load_b32, &[dst], &[base.into(), Operand::Off], Mods { offset, ..Mods::default() });
    }

    /// The lane within its warp: the wave's lane modulo 32, since waves are filled in the order of linear thread ids.
    fn lane_id(&mut self, lane: Reg) {
        let ones = Operand::Imm(0xffff_ffff);
        if self.target.wave_lanes() == 32 {
            return self.valu(ops::v_mbcnt_lo_u32_b32, lane, &[ones, Operand::Imm(0)]);
        }
        let (low, both) = (self.vtmp(1), self.vtmp(1));
        self.valu(ops::v_mbcnt_lo_u32_b32, low, &[ones, Operand::Imm(0)]);
        self.valu(ops::v_mbcnt_hi_u32_b32, both, &[ones, low.into()]);
        self.valu(ops::v_and_b32, lane, &[Operand::Imm(31), both.into()]);
    }
}
