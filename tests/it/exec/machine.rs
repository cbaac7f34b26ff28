//! A machine of one wave that knows only the ops the stage emits, and checks that each lane walks as its own decisions say.

use super::spec::{BlockSpec, End, ORACLE, build};
use crate::divergence::Rng;
use std::collections::HashMap;
use warp2wave::amd::{self, Target};
use warp2wave::exec::insert_masks;
use warp2wave::id::EntityRef;
use warp2wave::mir::{Block, Inst, InstKind, MirFunc, Operand, Reg, RegClass, VReg, text, verify::verify};

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
    live_in: &'a [Option<VReg>],
    /// The lanes of a warp decide alike, but for those that end; by warp and lane, what the decisions follow from.
    meetings: Option<Meetings>,
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

/// What barriers for some of the threads have to know.
struct Meetings {
    seed: u64,
    /// By lane and block.
    visits: HashMap<(usize, usize), u64>,
    /// By lane.
    steps: Vec<u64>,
    /// By warp: blocks run, and since when it has waited for how many of the other warp's.
    ran: [u64; 2],
    since: [(u64, u64); 2],
    ticks: [u64; 2],
}

pub type Script = Box<dyn FnMut(usize, usize, bool) -> usize>;

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

    /// What a lane decides, or with none all active ones.
    fn choose(&mut self, b: usize, lane: Option<usize>) -> usize {
        self.decisions += 1;
        let targets = self.spec[b].targets(b);
        let Some(meetings) = &self.meetings else {
            return if self.decisions > 200 { self.way_out[b] } else { self.rng.below(targets.len()) };
        };
        let Some(lane) = lane.or(self.active().first().copied()) else { return 0 };
        // The lanes of a warp have been the same ways, so they decide alike.
        let place = (lane as u64 / 32) << 32 | (b as u64) << 16 | meetings.visits.get(&(lane, b)).copied().unwrap_or(0);
        let mut rng = Rng::new(meetings.seed ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let stays: Vec<usize> = (0..targets.len()).filter(|&n| self.spec[targets[n]].end != End::Exit).collect();
        if stays.is_empty() || stays.len() == targets.len() {
            return if meetings.steps[lane] > 60 { self.way_out[b] } else { rng.below(targets.len()) };
        }
        if meetings.steps[lane] > 60 || Rng::new(meetings.seed ^ place << 8 ^ lane as u64).chance(25) {
            return (0..targets.len()).find(|n| !stays.contains(n)).unwrap_or(0);
        }
        stays[rng.below(stays.len())]
    }

    /// Live lanes of a warp.
    fn alive(&self, warp: usize) -> Vec<usize> {
        (warp * 32..self.lanes.len().min(warp * 32 + 32)).filter(|&l| self.lanes[l] != Lane::Gone).collect()
    }

    /// Whether a lane that gathers or waits goes on.
    fn goes_on(&mut self, b: usize, lane: usize) -> Step<bool> {
        let (warp, active) = (lane / 32, self.active());
        if let Some(live) = self.live_in[b] {
            let told = self.masks.get(&live).copied().unwrap_or(0);
            let truth = (0..self.lanes.len()).filter(|&l| self.lanes[l] != Lane::Gone).fold(0, |m, l| m | 1u64 << l);
            if told != truth {
                return Err(format!("the live lanes are {truth:#x}, bb{b} is told {told:#x}"));
            }
            return Ok(self.alive(warp).iter().all(|l| active.contains(l)));
        }
        let others = self.alive(1 - warp);
        let stuck = |&l: &usize| match self.lanes[l] {
            Lane::Waits(_) => true,
            Lane::To(at) => matches!(self.spec[at].end, End::Wait { .. }),
            Lane::Gone => false,
        };
        let all_stuck = others.iter().all(stuck);
        let Some(meetings) = &mut self.meetings else { return Err("a wait without barriers".into()) };
        let (since, blocks) = meetings.since[warp];
        Ok(if others.is_empty() || all_stuck {
            // Other waves arrive, sooner or later.
            meetings.ticks[warp] += 1;
            meetings.ticks[warp] > 32 * blocks
        } else {
            // The other warp has to get on first.
            meetings.ran[1 - warp] >= since + blocks
        })
    }

    fn arrive(&mut self, b: usize) -> Step<()> {
        let active = self.active();
        for warp in [0, 1] {
            let here = active.iter().any(|l| l / 32 == warp);
            let missing = self.alive(warp).into_iter().find(|l| !active.contains(l));
            if let (true, Some(lane)) = (here, missing) {
                return Err(format!(
                    "warp {warp} arrives in bb{b} without lane {lane}, which is {:?}",
                    self.lanes[lane]
                ));
            }
            let blocks = self.rng.below(4) as u64;
            if let (true, Some(meetings)) = (here, &mut self.meetings) {
                meetings.since[warp] = (meetings.ran[1 - warp], blocks);
                meetings.ticks[warp] = 0;
            }
        }
        Ok(())
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
        if let End::Arrive { .. } = self.spec[b].end {
            self.arrive(b)?;
        }
        let active = self.active();
        if let Some(meetings) = &mut self.meetings {
            for &l in &active {
                *meetings.visits.entry((l, b)).or_default() += 1;
                // Going round at a barrier is not getting on.
                let idle = matches!(self.spec[b].end, End::Gather { .. } | End::Wait { .. });
                meetings.steps[l] += u64::from(!idle);
                meetings.ran[l / 32] += u64::from(!idle);
            }
        }
        for l in active {
            if self.lanes[l] != Lane::To(b) {
                return Err(format!("lane {l} runs bb{b} and is {:?}", self.lanes[l]));
            }
            if let Some(script) = &mut self.script {
                script(l, b, false);
            }
            self.lanes[l] = match self.spec[b].end {
                End::Jump(t) | End::Arrive { next: t } => self.settle(t),
                End::Exit | End::Trap => Lane::Gone,
                End::Barrier { next, .. } => Lane::Waits(next),
                // Where to follows when the decision is made.
                End::Branch { .. } | End::Switch { .. } | End::Gather { .. } | End::Wait { .. } => Lane::To(b),
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
        let common = self.choose(b, None);
        for l in self.active() {
            let choice = if vector { self.choose(b, Some(l)) } else { common };
            self.index.insert((part.vreg, l), choice as u64);
            self.lanes[l] = self.settle(self.spec[b].targets(b)[choice]);
        }
        self.masks.insert(part.vreg, common as u64);
        Ok(())
    }

    /// The decision of a block that branches; true is `then`.
    fn decide(&mut self, b: usize) -> Step<u64> {
        let (uniform, waits) = match self.spec[b].end {
            End::Branch { uniform, .. } => (uniform, false),
            End::Gather { .. } | End::Wait { .. } => (false, true),
            _ => return Err("not a branch".into()),
        };
        let common = self.choose(b, None);
        // Bits of inactive lanes are anything.
        let mut bits = self.rng.next() << 32 ^ self.rng.next();
        let active = self.active();
        let mut going = vec![false; active.len()];
        for (n, &l) in active.iter().enumerate() {
            if !waits {
                break;
            }
            // As the first of its warp.
            let first = active.iter().position(|o| o / 32 == l / 32).unwrap_or(n);
            going[n] = if first < n { going[first] } else { self.goes_on(b, l)? };
        }
        for (n, &l) in active.iter().enumerate() {
            let choice = match &mut self.script {
                Some(script) => script(l, b, true),
                None if uniform => common,
                None if waits => usize::from(!going[n]),
                None => self.choose(b, Some(l)),
            };
            bits = bits & !(1 << l) | u64::from(choice == 0) << l;
            if self.lanes[l] != Lane::To(b) {
                return Err(format!("lane {l} decides in bb{b} and is {:?}", self.lanes[l]));
            }
            self.lanes[l] = self.settle(self.spec[b].targets(b)[choice]);
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

pub fn simulate(spec: &[BlockSpec], seed: u64, target: &Target) -> Result<(usize, MirFunc), String> {
    simulate_with(spec, seed, target, None, |_| {})
}

pub fn simulate_with(
    spec: &[BlockSpec],
    seed: u64,
    target: &Target,
    script: Option<Script>,
    change: impl Fn(&mut MirFunc),
) -> Result<(usize, MirFunc), String> {
    let (mut func, live_in) = build(spec, target);
    let before = text::print(&func);
    verify(&func, target)?;
    insert_masks(&mut func, target);
    change(&mut func);
    let explain = |e: String| format!("seed {seed}, {target}: {e}\n{before}\n{}", text::print(&func));
    verify(&func, target).map_err(explain)?;
    let n = spec.len();
    // Distances to an end, and to barriers.
    let mut distance = vec![usize::MAX; n];
    let mut comes_to_barrier = vec![false; n];
    for _ in 0..n + 1 {
        for b in 0..n {
            let targets = spec[b].targets(b);
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
            let targets = spec[b].targets(b);
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
    let meets = spec.iter().any(|s| matches!(s.end, End::Gather { .. } | End::Wait { .. }));
    let steps = vec![0; wave_lanes];
    let meetings = Meetings { seed, visits: HashMap::new(), steps, ran: [0; 2], since: [(0, 0); 2], ticks: [0; 2] };
    let mut machine = Machine {
        func: &func,
        live_in: &live_in,
        meetings: meets.then_some(meetings),
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
            work.extend(spec[b].targets(b));
        }
    }
    seen[block]
}
