//! Instruction selection: IR to MIR for one target.
//!
//! Each block is walked from its end to its start, so that a value's uses are seen before its definition: an instruction
//! that nobody reads is never emitted, and one that a user has folded into its own machine op neither.
//!
//! Where a value lives is decided first ([`place`]): predicates are lane masks in SGPRs; a value that is the same in all
//! lanes and that the scalar unit can compute is in SGPRs; the rest is in VGPRs. A value of two dwords is a group; `Lo`, `Hi`
//! and the results of one load are parts of a group and cost nothing.
//!
//! Lowering rules are small functions or rows of tables, one file per family. An op without a rule is a located refusal.
//! Limits of machine operands (constant bus, literals) are kept by [`legalize`] while instructions are written.
//!
//! Not here: EXEC, the order of blocks, physical registers (but for the entry state), waits and hazards.

mod address;
mod alu;
mod approx;
mod atomic;
mod barrier;
mod bits;
mod byteperm;
mod compare;
mod control;
mod entry;
mod float;
mod generic_local;
mod hoist;
mod lane;
mod lane_address;
mod lane_plan;
mod legalize;
mod logic;
mod lop3;
mod memory;
mod order;
mod place;
mod prmt;
mod special;
mod wide;

pub use byteperm::{
    Place as BytePermPlace, Plan as BytePermPlan, Step as BytePermStep, minimum as byteperm_minimum,
    plan as byteperm_plan, scalar_parts as byteperm_scalar_parts, scalar_plan as byteperm_scalar_plan,
};
pub use generic_local::lower_generic_local;
pub use lane_address::lower_lane_maps;
pub use lane_plan::{Base as LaneBase, Move as LaneMove, Plan as LanePlan, plan as lane_plan};
pub use lop3::{Logic, Plan as Lop3Plan, Source as Lop3Source, Step as Lop3Step, scalar_plan, vector_plan};
pub use special::lower_specials;

use crate::amd::{self, Target};
use crate::diag::{Diag, Span, codes};
use crate::id::{SecondaryMap, side_table};
use crate::ir::divergence::Divergence;
use crate::ir::lanemap::LaneMap;
use crate::ir::{self, Op, Type, Value, ValueDef};
use crate::mir::{self, FloatMode, Inst, InstKind, MirFunc, Operand, Reg, RegClass};
use place::Place;
use smallvec::SmallVec;
use std::collections::BTreeMap;

/// What selection needs to know beside the kernel and the target.
#[derive(Clone, Debug)]
pub struct IselOptions {
    /// The largest work-group of a kernel that states none, work-items.
    pub max_block: u32,
}

impl Default for IselOptions {
    fn default() -> IselOptions {
        IselOptions { max_block: 1024 }
    }
}

/// A rule's outcome: machine instructions in [`Ctx`], or why there are none.
type Lowered = Result<(), Diag>;

/// Selects machine instructions for one kernel.
///
/// Needs: `ir::verify`d code without division, remainders or the specials that [`lower_specials`] expands. Leaves: the logical
/// state of [`crate::mir`]. Every construct without a rule is reported, not only the first.
pub fn select(
    kernel: &ir::Kernel,
    divergence: &Divergence,
    target: &Target,
    options: &IselOptions,
) -> Result<MirFunc, Vec<Diag>> {
    let mut ctx = Ctx::new(kernel, divergence, target, options);
    ctx.make_blocks();
    for &block in kernel.func.order.iter().rev() {
        ctx.lower_block(block);
    }
    ctx.finish()
}

/// The state of selecting one kernel.
struct Ctx<'a> {
    kernel: &'a ir::Kernel,
    func: &'a ir::Func,
    divergence: &'a Divergence,
    target: &'a Target,
    places: SecondaryMap<Value, Place>,
    /// Reads of a value, terminators included.
    uses: SecondaryMap<Value, u32>,
    /// The block of each instruction.
    home: SecondaryMap<ir::Inst, Option<ir::Block>>,
    /// Incoming edges of each block.
    preds: SecondaryMap<ir::Block, u32>,
    /// The block's parameters are the arguments of its only edge, given here.
    only_edge: SecondaryMap<ir::Block, Option<(ir::Block, u32)>>,
    /// Where a value lives, once a use has asked.
    regs: SecondaryMap<Value, Option<Reg>>,
    blocks: SecondaryMap<ir::Block, Option<mir::Block>>,
    mir: MirFunc,
    /// Blocks made for critical edges, by the IR block that they leave, one entry for each of its edges.
    edge_blocks: SecondaryMap<ir::Block, Vec<Option<mir::Block>>>,
    cur: ir::Block,
    /// Instructions of the IR instruction at hand, in order.
    seq: Vec<Inst>,
    /// Instructions of the block at hand, last first.
    rev: Vec<Inst>,
    constants: legalize::Constants,
    entry: entry::EntryState,
    lane_plans: BTreeMap<LaneMap, Option<lane_plan::Plan>>,
    /// Sequences found for truth tables, for the scalar (true) and the vector unit.
    lop3_plans: BTreeMap<(u8, bool), lop3::Plan>,
    /// The same for the vector unit where few steps were allowed, with how many.
    short_plans: BTreeMap<u8, (usize, Option<lop3::Plan>)>,
    span: Span,
    float_mode: FloatMode,
    diags: Vec<Diag>,
}

impl<'a> Ctx<'a> {
    fn new(kernel: &'a ir::Kernel, divergence: &'a Divergence, target: &'a Target, options: &IselOptions) -> Ctx<'a> {
        let func = &kernel.func;
        let mut uses = side_table(func.values.len(), 0);
        let mut home = side_table(func.insts.len(), None);
        let mut preds = SecondaryMap::with_default(0);
        let mut only_edge = SecondaryMap::with_default(None);
        for &block in &func.order {
            let data = &func.blocks[block];
            for &inst in &data.insts {
                home[inst] = Some(block);
                data_uses(&func.insts[inst].args, &mut uses);
            }
            if let Some(v) = data.term.condition() {
                uses[v] += 1;
            }
            for (n, edge) in data.term.edges().into_iter().enumerate() {
                data_uses(&edge.args, &mut uses);
                preds[edge.block] += 1;
                only_edge[edge.block] = (preds[edge.block] == 1).then_some((block, n as u32));
            }
        }
        let max_workgroup_items = match (kernel.reqntid, kernel.maxntid) {
            (Some(n), _) | (None, Some(n)) => n.iter().product(),
            (None, None) => options.max_block,
        };
        let mut mir = MirFunc::new(&kernel.name);
        mir.local_bytes = kernel.local_bytes;
        mir.lds_bytes = kernel.shared_bytes;
        mir.max_workgroup_items = max_workgroup_items;
        mir.min_workgroups = kernel.min_ctas_per_sm.unwrap_or(0);
        Ctx {
            kernel,
            func,
            divergence,
            target,
            places: place::assign(func, divergence, target),
            uses,
            home,
            preds,
            only_edge,
            regs: side_table(func.values.len(), None),
            blocks: SecondaryMap::with_default(None),
            mir,
            edge_blocks: SecondaryMap::new(),
            cur: func.entry,
            seq: vec![],
            rev: vec![],
            constants: legalize::Constants::default(),
            entry: entry::EntryState::default(),
            lane_plans: BTreeMap::new(),
            lop3_plans: BTreeMap::new(),
            short_plans: BTreeMap::new(),
            span: Span::NONE,
            float_mode: FloatMode::default(),
            diags: vec![],
        }
    }

    fn finish(mut self) -> Result<MirFunc, Vec<Diag>> {
        self.lay_out();
        if self.diags.iter().any(Diag::is_fatal) {
            self.diags.sort_by_key(|d| d.span);
            return Err(self.diags);
        }
        hoist::hoist_constants(&mut self.mir);
        Ok(self.mir)
    }

    /// Dispatches one IR instruction to the rule of its family.
    fn lower(&mut self, inst: ir::Inst) -> Lowered {
        let data = &self.func.insts[inst];
        match &data.op {
            // Rematerialised at each use, or parts of other values.
            Op::Const32(_) | Op::Const64(_) | Op::ConstPred(_) | Op::Undef(_) | Op::Special(_) | Op::ParamBase => {
                Ok(())
            }
            Op::Lo | Op::Hi => {
                // A part, unless the two live in different kinds of places.
                let dst = self.dst(data.results[0]);
                let src = self.half(data.args[0], (data.op == Op::Hi) as u8);
                self.copy(dst, src);
                Ok(())
            }
            Op::GlobalAddr(global, addend) => {
                let dst = self.dst(data.results[0]);
                let sgprs = if self.is_sgpr(data.results[0]) { dst } else { self.stmp(2) };
                self.emit(InstKind::GlobalAddr { dst: sgprs, global: global.as_u32(), addend: *addend });
                self.copy(dst, sgprs.into());
                Ok(())
            }
            Op::Aperture(which) => self.lower_aperture(*which, data),
            Op::Pack64 => {
                let dst = self.dst(data.results[0]);
                self.fill(dst.sub(0, 1), data.args[0]);
                self.fill(dst.sub(1, 1), data.args[1]);
                Ok(())
            }
            Op::Int(op, ir::Width::W32) => self.lower_int32(*op, data),
            Op::Int(op, ir::Width::W64) => self.lower_int64(*op, data),
            Op::Unary(op, ir::Width::W32) => self.lower_unary32(*op, data),
            Op::Unary(op, ir::Width::W64) => self.lower_unary64(*op, data),
            Op::MulWide { signed } => self.lower_mul_wide(*signed, data),
            Op::Mad24 { signed } => self.lower_mad24(*signed, data),
            Op::Mul24Hi { signed } => self.lower_mul24_hi(*signed, data),
            Op::AddCarry(width) => self.lower_carry(*width, wide::Carry::Add, data),
            Op::SubBorrow(width) => self.lower_carry(*width, wide::Carry::Sub, data),
            Op::Lop3(lut) => self.lower_lop3(*lut, data),
            Op::FunnelShr => self.lower_funnel(data),
            Op::Bfe { signed } => self.lower_bfe(*signed, data),
            Op::BitSelect => self.lower_bit_select(data),
            Op::Sad { signed } => self.lower_sad(*signed, data),
            Op::Dot4 { a_signed, b_signed } => self.lower_dot4(*a_signed, *b_signed, data),
            Op::BytePerm(sels) => self.lower_byteperm(*sels, data),
            Op::PrmtDynamic(mode) => self.lower_prmt(*mode, data),
            Op::Cmp(op, width) => self.lower_cmp(*op, *width, data),
            Op::PredBin(op) => self.lower_pred_bin(*op, data),
            Op::PredNot => self.lower_pred_not(data),
            Op::Select(ty) => self.lower_select(*ty, data),
            Op::Float(op, ty, env) => self.lower_float(*op, *ty, *env, data),
            Op::FCmp(op, ty, env) => self.lower_fcmp(*op, *ty, *env, data),
            Op::RcpF32 => {
                let (dst, a) = (self.dst(data.results[0]), self.src(data.args[0]));
                self.valu(amd::ops::v_rcp_iflag_f32, dst, &[a]);
                Ok(())
            }
            Op::Approx { op, ftz } => self.lower_approx(*op, *ftz, data),
            Op::FloatConvert { from, to, env } => self.lower_float_convert(*from, *to, *env, data),
            Op::IntToFloat { signed, from, to, env } => self.lower_int_to_float(*signed, *from, *to, *env, data),
            Op::FloatToInt { signed, from, to, round, ftz } => {
                self.lower_float_to_int(*signed, *from, *to, *round, *ftz, data)
            }
            Op::Load(mem) => self.lower_load(mem, data),
            Op::Store(mem) => self.lower_store(mem, data),
            Op::Atomic { op, width, mem } => self.lower_atomic(*op, *width, mem, data),
            Op::Fence(scope) => self.lower_fence(*scope),
            Op::Ballot => self.lower_ballot(data),
            Op::LiveLanes => self.lower_live_lanes(data),
            Op::FromFirstLane => self.lower_from_first_lane(data),
            Op::Bar(_) => Err(self.unsupported("a barrier that was not expanded")),
            Op::LaneRead => self.lower_lane_read(data),
            Op::LanePerm(map) => self.lower_lane_perm(map, data),
            Op::LaneBits(bits) => self.lower_lane_bits(*bits, data),
            Op::Shuffle(_) => Err(self.unsupported("`shfl`: `opt` expands it first")),
            Op::WarpSync | Op::WarpBarrier => {
                Err(self.unsupported("a wait for threads of the warp: `prepare` expands it first"))
            }
        }
    }

    /// A refusal of `what` at the instruction at hand.
    fn unsupported(&self, what: impl std::fmt::Display) -> Diag {
        Diag::unsupported(
            codes::UNSUPPORTED_INST,
            self.span,
            format!("no translation of {what} on {}", self.target.name()),
        )
    }

    // Values.

    /// Where a value is, for reading it: constants are immediate, parts are parts.
    fn src(&mut self, value: Value) -> Operand {
        if let Some(reg) = self.regs[value] {
            return reg.into();
        }
        // Parameters that simply are their argument, however many blocks up.
        let mut origin = value;
        let mut passed: SmallVec<[Value; 4]> = SmallVec::new();
        while self.regs[origin].is_none()
            && let ValueDef::Param(block, n) = self.func.values[origin].def
            && let Some(arg) = self.forwarded_param(block, n, origin)
        {
            passed.push(origin);
            origin = arg;
        }
        let operand = self.src_of_origin(origin);
        if let Operand::Reg(reg) = operand {
            for value in passed {
                self.regs[value] = Some(reg);
            }
        }
        operand
    }

    fn src_of_origin(&mut self, value: Value) -> Operand {
        let func = self.func;
        if let (None, ValueDef::Result(inst, n)) = (self.regs[value], func.values[value].def) {
            let data = &func.insts[inst];
            match data.op {
                Op::Const32(c) => return Operand::Imm(c as u64),
                Op::Const64(c) => return Operand::Imm(c),
                Op::ConstPred(c) => return Operand::Imm(self.mask_constant(c)),
                Op::Undef(_) => return Operand::Imm(0),
                Op::Lo if self.is_part(value, data.args[0]) => return self.half(data.args[0], 0),
                Op::Hi if self.is_part(value, data.args[0]) => return self.half(data.args[0], 1),
                Op::Pack64 => {
                    if let Some(bits) = self.constant(value) {
                        return Operand::Imm(bits);
                    }
                }
                Op::Special(s) => return self.special_reg(s).into(),
                Op::ParamBase => return self.kernarg_reg().into(),
                Op::Load(ref mem) if mem.count > 1 && mem.bytes >= 4 => {
                    self.load_tuple(data);
                    return self.reg_of(data.results[n as usize]).into();
                }
                _ => {}
            }
        }
        self.reg_of(value).into()
    }

    /// The register of a value that has one of its own.
    fn reg_of(&mut self, value: Value) -> Reg {
        if let Some(reg) = self.regs[value] {
            return reg;
        }
        let reg = match (self.places[value], self.func.ty(value)) {
            (_, Type::Pred) => self.mask_tmp(),
            (Place::Sgpr, ty) => self.stmp(ty.dwords()),
            (Place::Vgpr, ty) => self.vtmp(ty.dwords()),
        };
        self.regs[value] = Some(reg);
        reg
    }

    /// One dword of a B64 value. A packed one is the dword that was packed: where it lives in the same kind of place, or is at hand
    /// in this block (an SGPR may be overwritten for lanes that wait elsewhere).
    fn half(&mut self, value: Value, which: u8) -> Operand {
        if let ValueDef::Result(inst, _) = self.func.values[value].def
            && self.func.insts[inst].op == Op::Pack64
            && self.regs[value].is_none()
        {
            let arg = self.func.insts[inst].args[which as usize];
            if self.home[inst] == Some(self.cur) || self.is_part(arg, value) {
                return self.src(arg);
            }
        }
        half(self.src(value), which)
    }

    /// Whether a dword can be named as a part of a group.
    fn is_part(&self, dword: Value, group: Value) -> bool {
        self.places[dword] == self.places[group] || self.constant(group).is_some() || self.const32(dword).is_some()
    }

    /// Where a result goes. Only asked while its instruction is being lowered.
    fn dst(&mut self, value: Value) -> Reg {
        self.reg_of(value)
    }

    /// Whether anything reads the value (so far: that is all there is, since uses come first).
    fn is_read(&self, value: Value) -> bool {
        self.regs[value].is_some()
    }

    /// Puts a value into a part of a group: computed right there if this is its only use, else by a copy.
    fn fill(&mut self, part: Reg, value: Value) {
        if self.can_be_placed(value, part) {
            self.regs[value] = Some(part);
        } else {
            let src = self.src(value);
            self.copy(part, src);
        }
    }

    fn can_be_placed(&self, value: Value, part: Reg) -> bool {
        let ValueDef::Result(inst, _) = self.func.values[value].def else { return false };
        let data = &self.func.insts[inst];
        let plain = match &data.op {
            Op::Const32(_) | Op::Const64(_) | Op::ConstPred(_) | Op::Undef(_) | Op::Special(_) => false,
            Op::Lo | Op::Hi => !self.is_part(value, data.args[0]),
            Op::ParamBase => false,
            Op::Pack64 => data.args.iter().any(|&a| self.const32(a).is_none()),
            Op::Load(mem) => mem.count == 1,
            _ => true,
        };
        let class = match self.places[value] {
            Place::Sgpr => RegClass::Sgpr,
            Place::Vgpr => RegClass::Vgpr,
        };
        plain
            && self.regs[value].is_none()
            && self.uses[value] == 1
            && self.home[inst] == Some(self.cur)
            && self.func.ty(value) != Type::Pred
            && self.mir.class(part) == class
    }

    fn const32(&self, value: Value) -> Option<u32> {
        match self.func.def(value)?.0.op {
            Op::Const32(c) => Some(c),
            _ => None,
        }
    }

    /// A constant of either width.
    fn constant(&self, value: Value) -> Option<u64> {
        let (data, _) = self.func.def(value)?;
        match data.op {
            Op::Const32(c) => Some(c as u64),
            Op::Const64(c) => Some(c),
            Op::Pack64 => {
                let (lo, hi) = (self.const32(data.args[0])?, self.const32(data.args[1])?);
                Some((hi as u64) << 32 | lo as u64)
            }
            _ => None,
        }
    }

    fn is_sgpr(&self, value: Value) -> bool {
        self.places[value] == Place::Sgpr
    }

    /// The instruction that computes a value for one reader alone, in this block and on the vector unit: it may be folded.
    fn folded(&self, value: Value) -> Option<&'a ir::InstData> {
        let ValueDef::Result(inst, 0) = self.func.values[value].def else { return None };
        let own = self.uses[value] == 1 && self.home[inst] == Some(self.cur) && self.regs[value].is_none();
        (own && self.places[value] == Place::Vgpr).then(|| &self.func.insts[inst])
    }

    fn mask_constant(&self, set: bool) -> u64 {
        match (set, self.target.mask_dwords()) {
            (false, _) => 0,
            (true, 1) => u32::MAX as u64,
            (true, _) => u64::MAX,
        }
    }

    // Registers.

    fn vtmp(&mut self, dwords: u8) -> Reg {
        let v = self.mir.new_vreg(RegClass::Vgpr, dwords);
        self.mir.reg(v)
    }

    fn stmp(&mut self, dwords: u8) -> Reg {
        let v = self.mir.new_vreg(RegClass::Sgpr, dwords);
        self.mir.reg(v)
    }

    fn mask_tmp(&mut self) -> Reg {
        self.stmp(self.target.mask_dwords())
    }

    // Instructions.

    fn emit(&mut self, kind: InstKind) {
        self.seq.push(Inst { kind, span: self.span, float_mode: FloatMode::default() });
    }

    fn emit_op(&mut self, inst: amd::Inst<Reg>) {
        let float_mode =
            if inst.op.flags.contains(amd::Flags::READS_MODE) { self.float_mode } else { FloatMode::default() };
        self.seq.push(Inst { kind: InstKind::Op(inst), span: self.span, float_mode });
    }

    fn copy(&mut self, dst: Reg, src: Operand) {
        if src != Operand::Reg(dst) {
            self.emit(InstKind::Copy { dst, src });
        }
    }

    /// Moves what has been written for one IR instruction in front of the rest of the block, and behind it (above it in the
    /// program) the constants that have waited longest.
    fn flush(&mut self) {
        self.rev.extend(self.seq.drain(..).rev());
        for (reg, bits) in self.constants.take_evicted() {
            self.rev.push(Inst::new(InstKind::Copy { dst: reg, src: Operand::Imm(bits) }, self.span));
        }
    }
}

fn data_uses(args: &[Value], uses: &mut SecondaryMap<Value, u32>) {
    for &arg in args {
        uses[arg] += 1;
    }
}

/// One dword of an operand of two.
fn half(operand: Operand, which: u8) -> Operand {
    match operand {
        Operand::Reg(reg) => reg.sub(which, 1).into(),
        Operand::Imm(bits) => Operand::Imm(bits >> (32 * which) & 0xffff_ffff),
        other => other,
    }
}

/// Both dwords.
fn halves(operand: Operand) -> [Operand; 2] {
    [half(operand, 0), half(operand, 1)]
}

type Operands = SmallVec<[Operand; 4]>;
