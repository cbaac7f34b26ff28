//! The exec stage against a simulation: random control flow runs on a machine of one wave that knows only the ops the stage
//! emits, and each lane must walk the logical CFG as its own decisions say.

use crate::divergence::{Rng, random_func, random_graph};
use std::collections::HashMap;
use warp2wave::amd::{self, Encoding, Mods, Target, ops};
use warp2wave::diag::Span;
use warp2wave::exec::insert_masks;
use warp2wave::id::EntityRef;
use warp2wave::ir;
use warp2wave::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg, RegClass, Terminator, VReg, text, verify::verify};

/// A copy of a block's index marks the block; with this added it is the decision of its switch.
const ORACLE: u64 = 1000;

/// What a lane does at the end of a block, and where it may go.
#[derive(Clone, Debug, PartialEq)]
enum End {
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
}

#[derive(Clone, Debug)]
struct BlockSpec {
    end: End,
    /// No instructions at all (with `Jump` or `Exit`).
    empty: bool,
    /// A scalar write that other blocks read: must never run without lanes.
    effect: bool,
    /// By SCC rather than by a mask, if it branches uniformly.
    scc: bool,
    resume: bool,
}

impl BlockSpec {
    fn targets(&self) -> Vec<usize> {
        match &self.end {
            End::Jump(t) | End::Barrier { next: t, .. } => vec![*t],
            End::Branch { then, els, .. } => vec![*then, *els],
            End::Switch { targets, .. } => targets.clone(),
            End::Exit | End::Trap => vec![],
        }
    }
}

fn random_spec(rng: &mut Rng) -> Vec<BlockSpec> {
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

/// The control flow of a random IR function, with what the analysis says about it.
fn spec_of_ir(seed: u64, wave_lanes: u32) -> Vec<BlockSpec> {
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
                ir::Terminator::Barrier { barrier, next } => End::Barrier { whole: barrier.whole, next: to(next) },
            };
            let empty = data.insts.is_empty() && matches!(end, End::Jump(_) | End::Exit);
            BlockSpec { end, empty, effect: rng.chance(25), scc: rng.chance(50), resume: data.resume }
        })
        .collect()
}

fn build(spec: &[BlockSpec], target: &Target) -> MirFunc {
    let mut func = MirFunc::new("f");
    let blocks: Vec<Block> = spec.iter().map(|_| func.add_block()).collect();
    func.layout = blocks.clone();
    func.entry = blocks[0];
    let marker = func.new_vreg(RegClass::Vgpr, 1);
    let marker = func.reg(marker);
    let shared = func.new_vreg(RegClass::Sgpr, 1);
    let shared = func.reg(shared);
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
            End::Jump(t) => Terminator::Jump(at(*t)),
            End::Exit => Terminator::Exit,
            End::Trap => Terminator::Trap,
            End::Barrier { whole, next } => Terminator::Barrier { whole: *whole, next: at(*next) },
            End::Branch { uniform: true, then, els } if s.scc => {
                let compare = amd::Inst::new(ops::s_cmp_eq_u32, [], [shared.into(), id]);
                insts.push(Inst::op(compare, Span::NONE));
                Terminator::BranchScc { then: at(*then), els: at(*els) }
            }
            End::Branch { uniform, then, els } => {
                let mask = func.new_vreg(RegClass::Sgpr, target.mask_dwords());
                let mask = func.reg(mask);
                let compare = amd::Inst::new(ops::v_cmp_ne_u32, [mask], [marker.into(), id]);
                let compare = compare.with(Mods { encoding: Encoding::Vop3, ..Mods::default() });
                insts.push(Inst::op(compare, Span::NONE));
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
    func
}

#[derive(Copy, Clone, PartialEq, Debug)]
enum Lane {
    /// Not launched, or done.
    Gone,
    /// About to run a block.
    To(usize),
    /// At a barrier, with the block to go on in.
    Waits(usize),
}

struct Machine<'a> {
    func: &'a MirFunc,
    spec: &'a [BlockSpec],
    wide: bool,
    /// Steps towards an exit: the successor to take when patience is over.
    way_out: Vec<usize>,
    comes_to_barrier: Vec<bool>,
    rng: Rng,
    exec: u64,
    scc: bool,
    masks: HashMap<VReg, u64>,
    lanes: Vec<Lane>,
    index: HashMap<(VReg, usize), u64>,
    at: Vec<Option<Block>>,
    decisions: usize,
    /// Decides instead of chance: (lane, block it visits, whether it decides now).
    script: Option<Script>,
}

type Script = Box<dyn FnMut(usize, usize, bool) -> usize>;

type Step<T> = Result<T, String>;

impl Machine<'_> {
    /// The block that a lane comes to by an edge: empty ones are passed over.
    fn settle(&self, mut b: usize) -> Lane {
        for _ in 0..self.spec.len() + 1 {
            match (&self.spec[b].end, self.spec[b].empty && b != 0) {
                (End::Jump(t), true) => b = *t,
                (End::Exit, true) => return Lane::Gone,
                _ => break,
            }
        }
        Lane::To(b)
    }

    fn active(&self) -> Vec<usize> {
        (0..self.lanes.len()).filter(|&l| self.exec >> l & 1 != 0).collect()
    }

    fn choose(&mut self, b: usize) -> usize {
        self.decisions += 1;
        let n = self.spec[b].targets().len();
        if self.decisions > 200 { self.way_out[b] } else { self.rng.below(n) }
    }

    fn value(&self, operand: &Operand) -> Step<u64> {
        match operand {
            Operand::Imm(n) if self.wide => Ok(*n as i64 as u64),
            Operand::Imm(n) => Ok(*n),
            Operand::Reg(Reg::Phys(_)) => Ok(self.exec),
            Operand::Reg(Reg::Virt(p)) => {
                self.masks.get(&p.vreg).copied().ok_or_else(|| format!("{} is read before it is written", p.vreg))
            }
            other => Err(format!("operand {other:?}")),
        }
    }

    fn set(&mut self, reg: Reg, value: u64) {
        let value = if self.wide { value } else { value & 0xffff_ffff };
        match reg {
            Reg::Phys(r) => {
                assert_eq!(r.file, amd::File::Exec);
                self.exec = value;
            }
            Reg::Virt(p) => {
                self.masks.insert(p.vreg, value);
            }
        }
    }

    /// The marker of a block: its lanes are those, and only those, that came to it.
    fn visit(&mut self, b: usize) -> Step<()> {
        for l in self.active() {
            if self.lanes[l] != Lane::To(b) {
                return Err(format!("lane {l} runs bb{b} and is {:?}", self.lanes[l]));
            }
            if let Some(script) = &mut self.script {
                script(l, b, false);
            }
            self.lanes[l] = match self.spec[b].end {
                End::Jump(t) => self.settle(t),
                End::Exit | End::Trap => Lane::Gone,
                End::Barrier { next, .. } => Lane::Waits(next),
                // Where to follows when the decision is made.
                End::Branch { .. } | End::Switch { .. } => Lane::To(b),
            };
        }
        Ok(())
    }

    fn barrier(&mut self) -> Step<()> {
        for l in 0..self.lanes.len() {
            match self.lanes[l] {
                Lane::To(b) if self.comes_to_barrier[b] => {
                    return Err(format!("a barrier without lane {l}, which is about to run bb{b}"));
                }
                Lane::Gone | Lane::To(_) => {}
                Lane::Waits(next) => self.lanes[l] = self.settle(next),
            }
        }
        Ok(())
    }

    fn copy(&mut self, dst: Reg, src: &Operand) -> Step<()> {
        let (Reg::Virt(part), Operand::Imm(n)) = (dst, src) else { return Err("a copy".into()) };
        let vector = self.func.vregs[part.vreg].class == RegClass::Vgpr;
        if part.vreg.index() == 1 && self.exec == 0 {
            return Err(format!("{dst} is written without lanes"));
        }
        if *n < ORACLE {
            if vector {
                self.visit(*n as usize)?;
            }
            self.masks.insert(part.vreg, *n);
            return Ok(());
        }
        // The index of a switch.
        let b = (*n - ORACLE) as usize;
        let common = self.choose(b);
        for l in self.active() {
            let choice = if vector { self.choose(b) } else { common };
            self.index.insert((part.vreg, l), choice as u64);
            self.lanes[l] = self.settle(self.spec[b].targets()[choice]);
        }
        self.masks.insert(part.vreg, common as u64);
        Ok(())
    }

    /// The decision of a block that branches; true is `then`.
    fn decide(&mut self, b: usize) -> Step<u64> {
        let End::Branch { uniform, .. } = self.spec[b].end else { return Err("not a branch".into()) };
        let common = self.choose(b);
        // Bits of inactive lanes are anything.
        let mut bits = self.rng.next() << 32 ^ self.rng.next();
        for l in self.active() {
            let choice = match &mut self.script {
                Some(script) => script(l, b, true),
                None if uniform => common,
                None => self.choose(b),
            };
            bits = bits & !(1 << l) | u64::from(choice == 0) << l;
            if self.lanes[l] != Lane::To(b) {
                return Err(format!("lane {l} decides in bb{b} and is {:?}", self.lanes[l]));
            }
            self.lanes[l] = self.settle(self.spec[b].targets()[choice]);
        }
        Ok(bits)
    }

    /// Returns where to go, if anywhere but on.
    fn op(&mut self, block: Block, inst: &amd::Inst<Reg>) -> Step<Option<Option<Block>>> {
        let name = inst.op.name;
        let label = || match inst.uses[0] {
            Operand::Label(b) => Ok(Some(Some(Block::new(b as usize)))),
            _ => Err("a branch without a label".to_string()),
        };
        let size = if self.wide { "64" } else { "32" };
        let taken = match name {
            "s_branch" => true,
            "s_cbranch_scc0" | "s_cbranch_scc1" if self.exec == 0 && !self.func.blocks[block].linear_only => {
                return Err("a uniform branch without lanes".into());
            }
            "s_cbranch_scc0" => !self.scc,
            "s_cbranch_scc1" => self.scc,
            "s_cbranch_execz" => self.exec == 0,
            "s_cbranch_execnz" => self.exec != 0,
            "s_endpgm" => return Ok(Some(None)),
            "s_trap" => {
                return match self.spec.get(block.index()) {
                    Some(s) if s.end == End::Trap && self.exec != 0 => {
                        self.lanes.fill(Lane::Gone);
                        Ok(None)
                    }
                    _ => Err("the dispatcher found no lane".into()),
                };
            }
            "s_barrier" | "s_barrier_wait" => {
                self.barrier()?;
                return Ok(None);
            }
            "s_barrier_signal" => return Ok(None),
            "s_cmp_eq_u32" => {
                let lanes = self.active();
                let bits = self.decide(block.index())?;
                self.scc = lanes.first().is_some_and(|&l| bits >> l & 1 != 0);
                return Ok(None);
            }
            "s_cmp_lt_u32" => {
                self.scc = self.value(&inst.uses[0])? < self.value(&inst.uses[1])?;
                return Ok(None);
            }
            "s_cmp_lg_u32" | "s_cmp_lg_u64" => {
                self.scc = self.value(&inst.uses[0])? != self.value(&inst.uses[1])?;
                return Ok(None);
            }
            "v_cmp_ne_u32" => {
                let bits = self.decide(block.index())?;
                self.set(inst.defs[0], bits);
                return Ok(None);
            }
            "v_cmp_gt_u32" => {
                let bound = self.value(&inst.uses[0])?;
                let Operand::Reg(Reg::Virt(p)) = inst.uses[1] else { return Err("a compare".into()) };
                let mut bits = self.rng.next() << 32 ^ self.rng.next();
                for l in self.active() {
                    let index = self.index.get(&(p.vreg, l)).ok_or("no index")?;
                    bits = bits & !(1 << l) | u64::from(bound > *index) << l;
                }
                self.set(inst.defs[0], bits);
                return Ok(None);
            }
            _ => {
                let Some(stem) = name.strip_suffix(size) else { return Err(format!("{name} in a wave{size}")) };
                let a = self.value(&inst.uses[0])?;
                let b = inst.uses.get(1).map_or(Ok(0), |o| self.value(o))?;
                let old = self.exec;
                match stem {
                    "s_mov_b" => {
                        self.set(inst.defs[0], a);
                        return Ok(None);
                    }
                    "s_and_saveexec_b" => {
                        self.exec &= a;
                        self.scc = self.exec != 0;
                        self.set(inst.defs[0], old);
                        return Ok(None);
                    }
                    _ => {}
                }
                let result = match stem {
                    "s_and_b" => a & b,
                    "s_and_not1_b" => a & !b,
                    "s_or_b" => a | b,
                    "s_xor_b" => a ^ b,
                    _ => return Err(format!("no meaning for {name}")),
                };
                self.set(inst.defs[0], result);
                self.scc = if self.wide { result != 0 } else { result as u32 != 0 };
                return Ok(None);
            }
        };
        if taken { label() } else { Ok(None) }
    }

    fn run(&mut self) -> Step<usize> {
        let layout = &self.func.layout;
        let mut position = 0;
        let mut steps = 0;
        loop {
            steps += 1;
            if steps > 40_000 {
                return Err("no end".into());
            }
            let block = layout[position];
            let data = &self.func.blocks[block];
            // The wave's end is a block of both kinds.
            let body = !data.linear_only && !data.insts.first().is_some_and(|i| is_op(i, "s_endpgm"));
            if body {
                for l in self.active() {
                    if let Some(from) = self.at[l]
                        && !self.func.blocks[from].logical_succs.contains(&block)
                    {
                        return Err(format!("lane {l} goes from {from} to {block}, against logical_succs"));
                    }
                    self.at[l] = Some(block);
                }
            }
            let exec = self.exec;
            let mut next = None;
            for inst in &data.insts {
                match &inst.kind {
                    InstKind::Copy { dst, src } => self.copy(*dst, src)?,
                    InstKind::Op(op) => {
                        if let Some(to) = self.op(block, op)? {
                            next = Some(to);
                            break;
                        }
                    }
                    other => return Err(format!("{other:?}")),
                }
            }
            if !data.linear_only && exec != self.exec {
                return Err(format!("{block} changes EXEC"));
            }
            let to = match next {
                Some(None) => {
                    return match self.lanes.iter().position(|&l| l != Lane::Gone) {
                        None => Ok(steps),
                        Some(l) => Err(format!("lane {l} is lost: {:?}", self.lanes[l])),
                    };
                }
                Some(Some(to)) => to,
                None => *layout.get(position + 1).ok_or("the wave runs off the end")?,
            };
            if !data.linear_succs.contains(&to) {
                return Err(format!("{block} goes on to {to}, against linear_succs"));
            }
            position = layout.iter().position(|&b| b == to).ok_or("a branch out of the layout")?;
        }
    }
}

fn simulate(spec: &[BlockSpec], seed: u64, target: &Target) -> Result<(usize, MirFunc), String> {
    simulate_with(spec, seed, target, None)
}

fn simulate_with(
    spec: &[BlockSpec],
    seed: u64,
    target: &Target,
    script: Option<Script>,
) -> Result<(usize, MirFunc), String> {
    let mut func = build(spec, target);
    let before = text::print(&func);
    verify(&func, target)?;
    insert_masks(&mut func, target);
    let explain = |e: String| format!("seed {seed}, {target}: {e}\n{before}\n{}", text::print(&func));
    verify(&func, target).map_err(explain)?;
    let n = spec.len();
    // Distances to an end, and to barriers.
    let mut distance = vec![usize::MAX; n];
    let mut comes_to_barrier = vec![false; n];
    for _ in 0..n + 1 {
        for b in 0..n {
            let targets = spec[b].targets();
            let best = targets.iter().map(|&t| distance[t]).min().unwrap_or(0).saturating_add(1);
            distance[b] = if targets.is_empty() { 0 } else { best };
            comes_to_barrier[b] =
                matches!(spec[b].end, End::Barrier { .. }) || targets.iter().any(|&t| comes_to_barrier[t]);
        }
    }
    if (0..n).any(|b| distance[b] > n && reachable(spec, b)) {
        // Some lane could run for ever.
        return Ok((0, func));
    }
    let way_out = (0..n)
        .map(|b| {
            let targets = spec[b].targets();
            (0..targets.len()).min_by_key(|&i| distance[targets[i]]).unwrap_or(0)
        })
        .collect();
    let mut rng = Rng::new(seed ^ 0xabcdef);
    let wave_lanes = target.wave_lanes() as usize;
    // The last wave of a work-group may be partial.
    let mut exec = 0u64;
    for _ in 0..1 + rng.below(7) + 4 * usize::from(script.is_some()) {
        exec |= 1 << rng.below(wave_lanes);
    }
    let mut machine = Machine {
        func: &func,
        spec,
        wide: wave_lanes == 64,
        way_out,
        comes_to_barrier,
        rng,
        exec,
        scc: false,
        masks: HashMap::new(),
        lanes: vec![Lane::Gone; wave_lanes],
        index: HashMap::new(),
        at: vec![None; wave_lanes],
        decisions: 0,
        script,
    };
    // The scalar that compares name is never read for its value.
    let scratch = machine.func.vregs.keys().nth(1).ok_or("no registers")?;
    machine.masks.insert(scratch, 0);
    for l in machine.active() {
        machine.lanes[l] = Lane::To(0);
    }
    let steps = machine.run().map_err(explain)?;
    Ok((steps, func))
}

fn is_op(inst: &Inst, name: &str) -> bool {
    matches!(&inst.kind, InstKind::Op(op) if op.op.name == name)
}

fn reachable(spec: &[BlockSpec], block: usize) -> bool {
    let mut seen = vec![false; spec.len()];
    let mut work = vec![0];
    while let Some(b) = work.pop() {
        if !std::mem::replace(&mut seen[b], true) {
            work.extend(spec[b].targets());
        }
    }
    seen[block]
}

fn targets() -> [Target; 3] {
    ["gfx1100", "gfx942", "gfx1200"].map(|t| Target::parse(t).unwrap())
}

#[test]
fn no_lane_is_lost_on_random_graphs() {
    let targets = targets();
    let mut ran = 0;
    for seed in 0..6000 {
        let spec = random_spec(&mut Rng::new(seed));
        let (steps, _) = simulate(&spec, seed, &targets[seed as usize % 3]).unwrap_or_else(|e| panic!("{e}\n{spec:?}"));
        ran += usize::from(steps > 0);
    }
    assert!(ran > 2000, "{ran}");
}

#[test]
fn no_lane_is_lost_where_the_analysis_says_what_is_uniform() {
    let targets = targets();
    let mut ran = 0;
    for seed in 0..3000 {
        let target = &targets[seed as usize % 3];
        let spec = spec_of_ir(seed, target.wave_lanes());
        let (steps, _) = simulate(&spec, seed, target).unwrap_or_else(|e| panic!("{e}\n{spec:?}"));
        ran += usize::from(steps > 0);
    }
    assert!(ran > 500, "{ran}");
}

fn plain(end: End) -> BlockSpec {
    BlockSpec { end, empty: false, effect: false, scc: false, resume: false }
}

fn branch(then: usize, els: usize) -> End {
    End::Branch { uniform: false, then, els }
}

/// A lock that one lane at a time takes, and gives back behind the loop in which the others spin.
fn lock(yields: bool, target: &Target) -> Result<(), String> {
    let spin = BlockSpec { resume: yields, ..plain(branch(2, 1)) };
    let spec = [plain(End::Jump(1)), spin, plain(End::Jump(3)), plain(End::Exit)];
    let mut holder = None;
    let script = move |lane: usize, block: usize, decides: bool| {
        if block == 2 {
            assert_eq!(holder, Some(lane));
            holder = None;
        }
        if block == 1 && decides && holder.is_none() {
            holder = Some(lane);
            return 0;
        }
        1
    };
    simulate_with(&spec, 3, target, Some(Box::new(script))).map(|_| ())
}

#[test]
fn a_lane_that_holds_a_lock_runs_while_others_spin() {
    for target in targets() {
        lock(true, &target).unwrap();
        assert!(lock(false, &target).unwrap_err().contains("no end"));
    }
}

#[test]
fn two_spinning_loops_take_turns() {
    for target in targets() {
        // Odd lanes spin in bb2 until bb4 has run five times, then set a flag in bb3; even lanes count in bb4 until it is set.
        let spin = |end: End| BlockSpec { resume: true, ..plain(end) };
        let spec = [
            plain(branch(1, 4)),
            plain(End::Jump(2)),
            spin(branch(3, 2)),
            plain(End::Jump(5)),
            spin(branch(5, 4)),
            plain(End::Exit),
        ];
        for seed in 0..8 {
            two_loops(&spec, seed, &target);
        }
    }
}

fn two_loops(spec: &[BlockSpec], seed: u64, target: &Target) {
    let (mut count, mut flag) = (0, false);
    let script = move |lane: usize, block: usize, decides: bool| match (block, decides) {
        (0, true) => 1 - lane % 2,
        (2, true) => usize::from(count < 5),
        (3, false) => {
            flag = true;
            0
        }
        (4, true) => {
            count += 1;
            usize::from(!flag)
        }
        _ => 0,
    };
    // These seeds all start lanes of both kinds.
    simulate_with(spec, seed, target, Some(Box::new(script))).unwrap_or_else(|e| panic!("{e}"));
}

/// The code that a function gets, blocks as they stand in the layout.
fn listing(body: &str) -> String {
    let source = format!("func @f {{\n  %0: s1\n  %1: v1\n  %2: v2\n  %3: s1\n{body}}}\n");
    let target = Target::parse("gfx1100").unwrap();
    let mut func = text::parse(&source).unwrap_or_else(|d| panic!("{d:?}"));
    insert_masks(&mut func, &target);
    verify(&func, &target).unwrap();
    let code = text::print(&func);
    let lines = code.lines().skip(1).filter(|l| !l.starts_with("  %") && *l != "  linear" && *l != "}");
    let shown = lines.take_while(|l| !l.contains("unplaced"));
    shown.map(|l| l.split(" ->").next().unwrap_or(l).trim_end_matches(':').to_string() + "\n").collect()
}

const STORE: &str = "  global_store_b32 %2, %1, off\n";

/// As few scalar ops as llc 22 needs for the same shapes, or fewer: and_saveexec and a restore for `if`, one more for `else`
/// (llc: two), one for each divergent way out of a loop (llc: two).
#[test]
fn structured_code_is_what_one_would_write() {
    let store = |text: &str| text.replace("STORE\n", STORE);
    let check = |body: &str, expected: &str| assert_eq!(listing(&store(body)), store(expected), "{body}");
    check(
        "bb0 -> bb1, bb2:\n  branch_mask %0, bb1, bb2\nbb1 -> bb2:\nSTORE\n  jump bb2\nbb2:\nSTORE\n  exit\n",
        "bb0\nbb5\n  s_and_saveexec_b32 %6, %0\n  s_cbranch_execz bb4\nbb1\nSTORE\nbb4\n  s_mov_b32 exec_lo, %6\n\
         bb2\nSTORE\nbb3\n  s_endpgm\n",
    );
    check(
        "bb0 -> bb1, bb2:\n  branch_mask %0, bb1, bb2\nbb1 -> bb3:\nSTORE\n  jump bb3\nbb2 -> bb3:\nSTORE\n  jump bb3\n\
         bb3:\nSTORE\n  exit\n",
        "bb0\nbb7\n  s_and_saveexec_b32 %7, %0\n  s_xor_b32 %6, %7, exec_lo\n  s_cbranch_execz bb5\nbb1\nSTORE\n\
         bb5\n  s_mov_b32 exec_lo, %6\n  s_cbranch_execz bb6\nbb2\nSTORE\nbb6\n  s_mov_b32 exec_lo, %7\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
    // A loop that lanes leave in its middle and at its end.
    check(
        "bb0 -> bb1:\n  jump bb1\nbb1 -> bb2, bb3:\nSTORE\n  branch_mask %0, bb3, bb2\nbb2 -> bb1, bb3:\nSTORE\n\
         branch_mask %0, bb1, bb3\nbb3:\nSTORE\n  exit\n"
            .replace("bb2, bb3:\nSTORE", "bb3, bb2:\nSTORE")
            .as_str(),
        "bb0\nbb5\n  s_mov_b32 %6, exec_lo\nbb1\nSTORE\nbb7\n  s_and_not1_b32 exec_lo, exec_lo, %0\n  s_cbranch_execz bb6\n\
         bb2\nSTORE\nbb8\n  s_and_b32 exec_lo, exec_lo, %0\n  s_cbranch_execnz bb1\nbb6\n  s_mov_b32 exec_lo, %6\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
    // Lanes that are done at once, then a uniform loop.
    check(
        "bb0 -> bb2, bb1:\n  branch_mask %0, bb2, bb1\nbb1 -> bb1, bb2:\nSTORE\n  s_cmp_eq_u32 %3, 5\n  branch_scc bb1, bb2\n\
         bb2:\n  exit\n",
        "bb0\nbb4\n  s_and_not1_b32 exec_lo, exec_lo, %0\n  s_cbranch_execz bb3\nbb1\nSTORE\n  s_cmp_eq_u32 %3, 5\n\
         s_cbranch_scc1 bb1\nbb3\n  s_endpgm\n"
            .replace("\ns_cbranch", "\n  s_cbranch")
            .as_str(),
    );
    check(
        "bb0 -> bb1, bb2:\n  s_cmp_eq_u32 %3, 5\n  branch_scc bb1, bb2\nbb1 -> bb3:\nSTORE\n  jump bb3\nbb2 -> bb3:\nSTORE\n\
         jump bb3\nbb3:\nSTORE\n  exit\n",
        "bb0\n  s_cmp_eq_u32 %3, 5\n  s_cbranch_scc0 bb2\nbb1\nSTORE\n  s_branch bb3\nbb2\nSTORE\nbb3\nSTORE\n\
         bb4\n  s_endpgm\n",
    );
}

/// Many blocks: a long chain of ifs, nested loops, early exits and a wide switch, in time that grows with their number.
#[test]
fn thousands_of_blocks() {
    let target = Target::parse("gfx942").unwrap();
    let n = 9000;
    let spec: Vec<BlockSpec> = (0..n)
        .map(|b| {
            let next = (b + 1).min(n - 1);
            plain(match b {
                _ if b == n - 1 => End::Exit,
                // Early exits to one end, ifs, breaks out of a loop, and a switch over it all.
                _ if b == 5000 => End::Switch { uniform: false, targets: (5001..5600).collect() },
                _ if b % 7 == 3 => branch(next, n - 1),
                _ if b % 50 == 40 => branch(b - 30, next),
                _ if b % 3 == 0 => branch(next, (b + 2).min(n - 1)),
                _ => End::Jump(next),
            })
        })
        .collect();
    let mut func = build(&spec, &target);
    insert_masks(&mut func, &target);
    verify(&func, &target).unwrap();
}

#[test]
fn any_bytes_are_a_control_flow() {
    let mut rng = Rng::new(7);
    for _ in 0..400 {
        let bytes: Vec<u8> = (0..rng.below(160)).map(|_| rng.next() as u8).collect();
        warp2wave::fuzz::control_flow(&bytes);
    }
}
