//! What lanes do, block by block: random, or as the analysis of a random IR function says; and the MIR that asks for it.

use crate::divergence::{Rng, random_func, random_graph};
use warp2wave::amd::{self, Encoding, Mods, Target, ops};
use warp2wave::diag::Span;
use warp2wave::id::EntityRef;
use warp2wave::ir;
use warp2wave::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg, RegClass, Terminator, VReg};

/// A copy of a block's index marks the block; with this added it is the decision of its switch.
pub const ORACLE: u64 = 1000;

/// What a lane does at the end of a block, and where it may go.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    Jump(usize),
    /// Per lane, or for all active lanes alike.
    Branch {
        uniform: bool,
        then: usize,
        els: usize,
    },
    Switch {
        uniform: bool,
        targets: Vec<usize>,
    },
    Exit,
    Trap,
    Barrier {
        whole: bool,
        next: usize,
    },
    /// Round and round until all live lanes of the warp are here.
    Gather {
        next: usize,
    },
    /// The warp, which is all here, arrives at a barrier for some of the threads.
    Arrive {
        next: usize,
    },
    /// Round and round until that barrier has completed.
    Wait {
        next: usize,
    },
}

#[derive(Clone, Debug)]
pub struct BlockSpec {
    pub end: End,
    /// No instructions at all (with `Jump` or `Exit`).
    pub empty: bool,
    /// A scalar write that other blocks read: must never run without lanes.
    pub effect: bool,
    /// By SCC rather than by a mask, if it branches uniformly.
    pub scc: bool,
    pub resume: bool,
}

impl BlockSpec {
    /// `own`: the block's own index, which it may go back to.
    pub fn targets(&self, own: usize) -> Vec<usize> {
        match &self.end {
            End::Jump(t) | End::Barrier { next: t, .. } | End::Arrive { next: t } => vec![*t],
            End::Gather { next } | End::Wait { next } => vec![*next, own],
            End::Branch { then, els, .. } => vec![*then, *els],
            End::Switch { targets, .. } => targets.clone(),
            End::Exit | End::Trap => vec![],
        }
    }
}

pub fn random_spec(rng: &mut Rng) -> Vec<BlockSpec> {
    let most = if rng.chance(10) { 40 } else { 12 };
    let blocks = 2 + rng.below(most);
    let (wild, exits) = (rng.chance(25), 2 + rng.below(10));
    let graph = random_graph(rng, blocks.max(3), wild, exits);
    let uniform = [0, 30, 60, 100][rng.below(4)];
    let (barriers, resumes) = if rng.chance(60) { (0, 0) } else { (rng.below(30), rng.below(2) * 10) };
    graph
        .into_iter()
        .map(|succs| {
            let uniform = rng.chance(uniform);
            let end = match succs.len() {
                0 if rng.chance(5) => End::Trap,
                0 => End::Exit,
                1 if rng.chance(barriers) => End::Barrier { whole: false, next: succs[0] },
                1 => End::Jump(succs[0]),
                2 => End::Branch { uniform, then: succs[0], els: succs[1] },
                _ => End::Switch { uniform, targets: succs },
            };
            let passive = matches!(end, End::Jump(_) | End::Exit);
            BlockSpec {
                end,
                empty: passive && rng.chance(25),
                effect: rng.chance(25),
                scc: rng.chance(50),
                resume: rng.chance(resumes),
            }
        })
        .collect()
}

/// A random graph whose warps meet at barriers for some of the threads, as `ir::barrier` writes them, and at that for all. Where a warp
/// goes is the same for its lanes, but for those that end; nothing is the same for the two warps of a wave64.
pub fn random_meetings(rng: &mut Rng, wave_lanes: u32) -> Vec<BlockSpec> {
    let mut spec = random_spec(rng);
    let barriers = 10 + rng.below(60);
    for b in 0..spec.len() {
        // Lanes that come to an empty end are done at once, unless they may wait there: so none is empty.
        spec[b].empty = false;
        if wave_lanes == 64
            && let End::Branch { uniform, .. } | End::Switch { uniform, .. } = &mut spec[b].end
        {
            *uniform = false;
        }
        match spec[b].end {
            End::Jump(next) if b != 0 && rng.chance(barriers) => {
                spec[b].empty = false;
                // The block waits itself: nothing stands before the meeting.
                let (gather, arrive) = (spec.len(), spec.len() + 1);
                spec[b].end = End::Jump(gather);
                let (effect, waits) = (rng.chance(25), rng.chance(70));
                let plain = |end: End| BlockSpec { end, empty: false, effect, scc: false, resume: false };
                spec.push(BlockSpec { resume: true, ..plain(End::Gather { next: arrive }) });
                spec.push(plain(End::Arrive { next: if waits { arrive + 1 } else { next } }));
                if waits {
                    spec.push(BlockSpec { resume: true, ..plain(End::Wait { next }) });
                }
            }
            End::Jump(next) if b != 0 && rng.chance(10) => {
                spec[b].empty = false;
                spec[b].end = End::Barrier { whole: false, next };
            }
            _ => {}
        }
    }
    spec
}

/// The control flow of a random IR function, with what the analysis says about it.
pub fn spec_of_ir(seed: u64, wave_lanes: u32) -> Vec<BlockSpec> {
    let mut rng = Rng::new(seed);
    let mut func = random_func(&mut rng);
    let divergence = ir::divergence::prepare(&mut func, wave_lanes);
    func.blocks
        .values()
        .map(|data| {
            let to = |e: &ir::Edge| e.block.index();
            let end = match &data.term {
                ir::Terminator::Jump(e) => End::Jump(to(e)),
                ir::Terminator::Branch { cond, then, els } => {
                    End::Branch { uniform: divergence.is_uniform(*cond), then: to(then), els: to(els) }
                }
                ir::Terminator::Switch { index, targets } => {
                    End::Switch { uniform: divergence.is_uniform(*index), targets: targets.iter().map(to).collect() }
                }
                ir::Terminator::Exit => End::Exit,
                ir::Terminator::Trap => End::Trap,
                ir::Terminator::Wait { next, .. } => End::Jump(to(next)),
                ir::Terminator::Barrier { barrier, next } => End::Barrier { whole: barrier.whole, next: to(next) },
            };
            let empty = data.insts.is_empty() && matches!(end, End::Jump(_) | End::Exit);
            BlockSpec { end, empty, effect: rng.chance(25), scc: rng.chance(50), resume: data.resume }
        })
        .collect()
}

/// The function, and by block the register in which a gathering one finds the live lanes.
pub fn build(spec: &[BlockSpec], target: &Target) -> (MirFunc, Vec<Option<VReg>>) {
    let mut func = MirFunc::new("f");
    let blocks: Vec<Block> = spec.iter().map(|_| func.add_block()).collect();
    func.layout = blocks.clone();
    func.entry = blocks[0];
    let marker = func.new_vreg(RegClass::Vgpr, 1);
    let marker = func.reg(marker);
    let shared = func.new_vreg(RegClass::Sgpr, 1);
    let shared = func.reg(shared);
    let mut live_in = vec![None; spec.len()];
    for (b, s) in spec.iter().enumerate() {
        let data = &mut func.blocks[blocks[b]];
        data.resume = s.resume;
        let mut insts = vec![];
        let copy = |dst: Reg, n: u64| Inst::new(InstKind::Copy { dst, src: Operand::Imm(n) }, Span::NONE);
        let id = Operand::Imm(0);
        if !s.empty || b == 0 {
            insts.push(copy(marker, b as u64));
            // The entry always has one, so that the register is that of several blocks.
            if s.effect || b == 0 {
                insts.push(copy(shared, b as u64));
            }
        }
        let at = |t: usize| blocks[t];
        let term = match &s.end {
            End::Jump(t) | End::Arrive { next: t } => Terminator::Jump(at(*t)),
            End::Exit => Terminator::Exit,
            End::Trap => Terminator::Trap,
            End::Barrier { whole, next } => Terminator::Barrier { whole: *whole, next: at(*next) },
            End::Branch { uniform: true, then, els } if s.scc => {
                let compare = amd::Inst::new(ops::s_cmp_eq_u32, [], [shared.into(), id]);
                insts.push(Inst::op(compare, Span::NONE));
                Terminator::BranchScc { then: at(*then), els: at(*els) }
            }
            End::Gather { next } | End::Wait { next } => {
                if matches!(s.end, End::Gather { .. }) {
                    let live = func.new_vreg(RegClass::Sgpr, target.mask_dwords());
                    live_in[b] = Some(live);
                    insts.push(Inst::new(InstKind::LiveLanes { dst: func.reg(live) }, Span::NONE));
                }
                let (mask, compare) = compare_marker(&mut func, target, marker);
                insts.push(compare);
                Terminator::BranchMask { mask, uniform: false, then: at(*next), els: at(b) }
            }
            End::Branch { uniform, then, els } => {
                let (mask, compare) = compare_marker(&mut func, target, marker);
                insts.push(compare);
                Terminator::BranchMask { mask, uniform: *uniform, then: at(*then), els: at(*els) }
            }
            End::Switch { uniform, targets } => {
                let index = func.new_vreg(if *uniform { RegClass::Sgpr } else { RegClass::Vgpr }, 1);
                let index = func.reg(index);
                insts.push(copy(index, ORACLE + b as u64));
                Terminator::Switch { index, targets: targets.iter().map(|&t| at(t)).collect() }
            }
        };
        let data = &mut func.blocks[blocks[b]];
        data.insts = insts;
        data.logical_succs = term.successors();
        data.term = term;
    }
    (func, live_in)
}

/// A decision of each lane: the mask that it is found in.
fn compare_marker(func: &mut MirFunc, target: &Target, marker: Reg) -> (Reg, Inst) {
    let mask = func.new_vreg(RegClass::Sgpr, target.mask_dwords());
    let mask = func.reg(mask);
    let compare = amd::Inst::new(ops::v_cmp_ne_u32, [mask], [marker.into(), Operand::Imm(0)]);
    let compare = compare.with(Mods { encoding: Encoding::Vop3, ..Mods::default() });
    (mask, Inst::op(compare, Span::NONE))
}
