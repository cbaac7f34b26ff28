//! Divergence analysis against a simulation: random functions run on a wave whose lanes wait in pending masks, each lane with
//! values of its own beside one cell for each value that the analysis calls uniform (an SGPR) and one mask for each predicate. A
//! cell must hold the lane's own value whenever it is read.

use std::collections::HashMap;
use warp2wave::graph::{Graph, Layout, NONE};
use warp2wave::id::EntityRef;
use warp2wave::ir::dom::{Dominators, predecessors, reverse_postorder};
use warp2wave::ir::*;

/// xorshift64*.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Successor lists of a random graph; block 0 is the entry, which nothing leads to. `wild` graphs are mostly irreducible.
pub fn random_graph(rng: &mut Rng, blocks: usize, wild: bool, exits: usize) -> Vec<Vec<usize>> {
    let mut succs = vec![];
    for b in 0..blocks {
        let target = |rng: &mut Rng| {
            if wild || rng.chance(4) {
                1 + rng.below(blocks - 1)
            } else if rng.chance(22) {
                1 + rng.below(b.max(1)).min(blocks - 2)
            } else {
                (b + 1 + rng.below(4)).clamp(1, blocks - 1)
            }
        };
        let n = match rng.below(100) {
            _ if b > 0 && rng.chance(exits) => 0,
            0..30 => 1,
            30..95 => 2,
            _ => 3 + rng.below(3),
        };
        let n = if b == blocks - 1 && !wild { n.min(1) * usize::from(rng.chance(50)) } else { n };
        succs.push((0..n).map(|_| target(rng)).collect());
    }
    succs
}

pub fn random_func(rng: &mut Rng) -> Func {
    let blocks = 3 + rng.below(14);
    let (wild, exits) = (rng.chance(20), 2 + rng.below(8));
    let graph = random_graph(rng, blocks, wild, exits);
    let barriers = if rng.chance(50) { 0 } else { 25 };
    let atomics = if rng.chance(60) { 0 } else { 80 };
    let mut func = Func::new();
    let ids: Vec<Block> = std::iter::once(func.entry).chain((1..blocks).map(|_| func.add_block())).collect();
    for (b, succs) in graph.iter().enumerate() {
        let edges = || succs.iter().map(|&s| Edge::new(ids[s], []));
        func.blocks[ids[b]].term = match succs.len() {
            0 => Terminator::Exit,
            1 if rng.chance(barriers) => {
                Terminator::Barrier { barrier: Barrier { whole: false }, next: Edge::new(ids[succs[0]], []) }
            }
            1 => Terminator::Jump(Edge::new(ids[succs[0]], [])),
            2 => Terminator::Branch {
                cond: Value::new(0),
                then: Edge::new(ids[succs[0]], []),
                els: Edge::new(ids[succs[1]], []),
            },
            _ => Terminator::Switch { index: Value::new(0), targets: edges().collect() },
        };
    }
    func.order = reverse_postorder(&func);
    let preds = predecessors(&func);
    let dominators = Dominators::new(&func);
    // Two dwords and a predicate live everywhere; other values are used wherever they dominate.
    let types = [Type::B32, Type::B32, Type::Pred];
    let mut outs: HashMap<Block, Vec<Value>> = HashMap::new();
    let mut visible: HashMap<Block, Vec<Value>> = HashMap::new();
    for block in func.order.clone() {
        let mut values = dominators.idom(block).map_or(vec![], |d| visible[&d].clone());
        let mut vars: Vec<Value> = match preds[block].len() {
            0 => vec![],
            1 => outs[&preds[block][0]].clone(),
            _ => types.iter().map(|&ty| func.add_param(block, ty)).collect(),
        };
        values.extend(&vars);
        if block == func.entry {
            for op in [
                Op::Special(Special::LaneId),
                Op::Special(Special::CtaidX),
                Op::ConstPred(true),
                Op::Special(Special::WarpId),
            ] {
                let inst = func.push(block, op, [], warp2wave::diag::Span::NONE);
                values.push(func.result(inst));
            }
            vars = values[..3].to_vec();
        }
        let pick = |func: &Func, rng: &mut Rng, values: &[Value], ty: Type| loop {
            // Recent values more often.
            let n = values.len();
            let at = if rng.chance(50) { n - 1 - rng.below(n.min(5)) } else { rng.below(n) };
            if func.ty(values[at]) == ty {
                return values[at];
            }
        };
        for _ in 0..rng.below(6) {
            let op = match rng.below(10) {
                0 => Op::Const32(rng.below(3) as u32),
                1..4 => Op::Undef(Type::B32),
                4 if rng.chance(40) => {
                    Op::Atomic { op: AtomicOp::Add, width: Width::W32, mem: Mem::new(Space::Shared, 4) }
                }
                4..6 => Op::Int(IntOp::Add, Width::W32),
                6 => Op::Int(IntOp::Xor, Width::W32),
                7 => Op::Cmp(CmpOp::LtU, Width::W32),
                8 => Op::PredBin(PredOp::Xor),
                _ => Op::Select(Type::B32),
            };
            if matches!(op, Op::Atomic { .. }) && !rng.chance(atomics) {
                continue;
            }
            let wanted: Vec<Type> = match op {
                Op::Const32(_) | Op::Undef(_) => vec![],
                Op::PredBin(_) => vec![Type::Pred; 2],
                Op::Select(_) => vec![Type::Pred, Type::B32, Type::B32],
                _ => vec![Type::B32; 2],
            };
            let args: Vec<Value> = wanted.into_iter().map(|ty| pick(&func, rng, &values, ty)).collect();
            let inst = func.push(block, op, args, warp2wave::diag::Span::NONE);
            values.push(func.result(inst));
        }
        for (i, &ty) in types.iter().enumerate() {
            if rng.chance(50) {
                vars[i] = pick(&func, rng, &values, ty);
            }
        }
        let (cond, index) = (pick(&func, rng, &values, Type::Pred), pick(&func, rng, &values, Type::B32));
        match &mut func.blocks[block].term {
            Terminator::Branch { cond: c, .. } => *c = cond,
            Terminator::Switch { index: i, .. } => *i = index,
            _ => {}
        }
        outs.insert(block, vars);
        visible.insert(block, values);
    }
    for block in func.order.clone() {
        let vars = outs[&block].clone();
        let mut term = std::mem::take(&mut func.blocks[block].term);
        for edge in term.edges_mut() {
            if preds[edge.block].len() > 1 {
                edge.args = vars.iter().copied().collect();
            }
        }
        func.blocks[block].term = term;
    }
    func
}

struct Wave<'a> {
    func: &'a Func,
    divergence: &'a divergence::Divergence,
    lanes: Vec<Vec<u32>>,
    cells: Vec<u32>,
    masks: Vec<u64>,
    rng: Rng,
    /// The lanes are of two warps.
    wide: bool,
}

impl Wave<'_> {
    /// The lane's own value, checked against the register that code would read.
    fn read(&self, lane: usize, v: Value, at: &str) -> Result<u32, String> {
        let own = self.lanes[lane][v.index()];
        let held = if self.func.ty(v) == Type::Pred {
            (self.masks[v.index()] >> lane & 1) as u32
        } else if self.divergence.is_uniform(v) {
            self.cells[v.index()]
        } else {
            own
        };
        if held == own { Ok(own) } else { Err(format!("lane {lane} reads {v} in {at}: {held}, not {own}")) }
    }

    fn write(&mut self, active: &[usize], v: Value, values: &[u32], merge: bool) -> Result<(), String> {
        if self.divergence.is_uniform(v) && values.iter().any(|&x| x != values[0]) {
            return Err(format!("{v} is not uniform: {values:?} in lanes {active:?}"));
        }
        self.cells[v.index()] = values[0];
        if !merge {
            self.masks[v.index()] = 0;
        }
        for (&lane, &x) in active.iter().zip(values) {
            self.lanes[lane][v.index()] = x;
            self.masks[v.index()] = self.masks[v.index()] & !(1 << lane) | u64::from(x) << lane;
        }
        Ok(())
    }

    /// Runs a block and its copies; returns where each lane goes, none when it ends.
    fn run(&mut self, block: Block, active: &[usize]) -> Result<Vec<Option<Block>>, String> {
        let at = block.to_string();
        let data = self.func.blocks[block].clone();
        for inst in data.insts {
            let InstData { op, args, results } = self.func.insts[inst].clone();
            let fresh = self.rng.next() as u32 & 3;
            let mut out = vec![];
            for &lane in active {
                let arg = args.iter().map(|&a| self.read(lane, a, &at)).collect::<Result<Vec<u32>, _>>()?;
                out.push(match op {
                    Op::Const32(x) => x,
                    Op::ConstPred(x) => u32::from(x),
                    Op::Undef(_) => fresh,
                    Op::Atomic { .. } => self.rng.next() as u32 & 3,
                    Op::Special(Special::LaneId) => lane as u32 % 32,
                    Op::Special(Special::WarpId) => (self.wide && lane >= self.lanes.len() / 2) as u32,
                    Op::Special(_) => 1,
                    Op::Int(IntOp::Add, _) => arg[0].wrapping_add(arg[1]) & 7,
                    Op::Int(..) => arg[0] ^ arg[1],
                    Op::Cmp(CmpOp::LtU, _) => u32::from(arg[0] < arg[1]),
                    Op::Cmp(..) => u32::from(arg[0] != arg[1]),
                    Op::PredBin(_) => arg[0] ^ arg[1],
                    Op::Select(_) => arg[if arg[0] != 0 { 1 } else { 2 }],
                    _ => return Err(format!("no meaning for {op:?}")),
                });
            }
            if let Some(&r) = results.first() {
                self.write(active, r, &out, false)?;
            }
        }
        let mut targets = vec![];
        for &lane in active {
            targets.push(match &data.term {
                Terminator::Exit | Terminator::Trap => None,
                Terminator::Jump(e) | Terminator::Wait { next: e, .. } | Terminator::Barrier { next: e, .. } => Some(e),
                Terminator::Branch { cond, then, els } => {
                    Some(if self.read(lane, *cond, &at)? != 0 { then } else { els })
                }
                Terminator::Switch { index, targets } => {
                    Some(&targets[self.read(lane, *index, &at)? as usize % targets.len()])
                }
            });
        }
        if let Terminator::Jump(edge) = &data.term {
            let params = &self.func.blocks[edge.block].params;
            let mut news = vec![];
            for &arg in &edge.args {
                news.push(active.iter().map(|&l| self.read(l, arg, &at)).collect::<Result<Vec<u32>, _>>()?);
            }
            for (&param, values) in params.iter().zip(&news) {
                self.write(active, param, values, true)?;
            }
        }
        Ok(targets.into_iter().map(|t| t.map(|e| e.block)).collect())
    }
}

/// Counts of what a simulation met.
#[derive(Default)]
struct Met {
    whole: usize,
    parked: usize,
    uniform: usize,
    yields: usize,
}

fn simulate(seed: u64, wave_lanes: u32, met: &mut Met) -> Result<(), String> {
    // Fewer lanes than a wave has, for speed.
    let lanes = 7;
    let mut rng = Rng::new(seed);
    let mut func = random_func(&mut rng);
    let before = text::print("f", &func);
    verify(&func)?;
    let divergence = divergence::prepare(&mut func, wave_lanes);
    verify(&func)?;
    let explain = |e: String| format!("seed {seed}: {e}\n{before}\n{}", text::print("prepared", &func));
    met.uniform += func.values.keys().filter(|&v| divergence.is_uniform(v)).count();

    let graph = Graph::new(func.blocks.len(), 0, |b, out| {
        out.extend(func.successors(Block::new(b as usize)).iter().map(|s| s.index() as u32))
    });
    let layout = Layout::new(&graph, 0, &vec![0; func.blocks.len()]);
    let mut comes_to_barrier = vec![false; func.blocks.len()];
    for _ in 0..func.blocks.len() {
        for &b in &layout.order {
            let block = Block::new(b as usize);
            comes_to_barrier[b as usize] |= matches!(func.blocks[block].term, Terminator::Barrier { .. })
                || func.successors(block).iter().any(|s| comes_to_barrier[s.index()]);
        }
    }
    let mut wave = Wave {
        func: &func,
        divergence: &divergence,
        lanes: vec![vec![0; func.values.len()]; lanes],
        cells: vec![0; func.values.len()],
        masks: vec![0; func.values.len()],
        rng: Rng::new(seed ^ 0x5555),
        wide: wave_lanes == 64,
    };
    let mut pending = vec![0u64; func.blocks.len()];
    let (mut parked, mut live) = (0u64, u64::MAX >> (64 - lanes));
    pending[0] = live;
    let (mut at, mut steps) = (0usize, 0);
    while live != 0 && steps < 400 {
        steps += 1;
        if at == layout.order.len() {
            if live & !parked == 0 {
                parked = 0;
            }
            at = (0..at)
                .find(|&p| pending[layout.order[p] as usize] & !parked != 0)
                .ok_or("lanes are lost")
                .map_err(|e| explain(e.into()))?;
        }
        let b = layout.order[at];
        let mask = pending[b as usize] & !parked;
        if mask != 0 {
            pending[b as usize] &= parked;
            let block = Block::new(b as usize);
            let active: Vec<usize> = (0..lanes).filter(|&l| mask >> l & 1 != 0).collect();
            let targets = wave.run(block, &active).map_err(explain)?;
            if let Terminator::Barrier { barrier, .. } = func.blocks[block].term {
                if barrier.whole {
                    met.whole += 1;
                    for (x, &waiting) in pending.iter().enumerate() {
                        if waiting != 0 && comes_to_barrier[x] {
                            return Err(explain(format!("{block} is not whole: {waiting:x} wait in bb{x}")));
                        }
                    }
                } else {
                    met.parked += 1;
                    parked |= mask;
                }
            }
            for (&lane, target) in active.iter().zip(targets) {
                match target {
                    Some(t) => pending[t.index()] |= 1 << lane,
                    None => live &= !(1 << lane),
                }
            }
        }
        // Behind the block: the bottoms of the components that end here, inner ones first.
        let mut next = at + 1;
        for c in layout.around(layout.component[b as usize]) {
            let component = &layout.components[c as usize];
            if component.end as usize != at + 1 {
                break;
            }
            let waiting = pending[component.header as usize] & !parked;
            let yields = divergence.resume[Block::new(component.header as usize)];
            if waiting != 0 && yields && live & !parked & !waiting != 0 {
                met.yields += 1;
            } else if waiting != 0 {
                next = component.first as usize;
                break;
            }
        }
        at = next;
        assert_ne!(at as u32, NONE);
    }
    Ok(())
}

#[test]
fn uniform_values_hold_what_each_lane_would_have() {
    let mut met = Met::default();
    for seed in (0..5000).chain([6209, 9157]) {
        let lanes = if seed % 3 == 0 { 64 } else { 32 };
        simulate(seed, lanes, &mut met).unwrap_or_else(|e| panic!("{e}"));
    }
    // The sample is worth something only if it meets everything.
    assert!(
        met.whole > 200 && met.parked > 200 && met.uniform > 10_000 && met.yields > 30,
        "{} {} {} {}",
        met.whole,
        met.parked,
        met.uniform,
        met.yields
    );
}

/// Whether a loop with this body yields: it holds %0, an address, and %2, which differs between lanes; bb2 is behind it.
#[track_caller]
fn yields(body: &str) -> bool {
    let source = format!(
        "func @f {{\nbb0:\n  %0 = load.param.u64 [0]\n  %1 = load.global.u32 [%0]\n  %2 = special.tid_x\n\
         \x20 %3 = const.b32 0x0\n{body}bb2:\n  fence.cta\n  exit\n}}\n"
    );
    let (_, mut func) = text::parse(&source).unwrap_or_else(|d| panic!("{} at {:?}\n{source}", d.message, d.span));
    verify(&func).unwrap();
    divergence::prepare(&mut func, 32);
    func.blocks.values().any(|data| data.resume)
}

#[test]
fn a_loop_that_retries_its_own_swap_waits_for_nobody() {
    let cas =
        "  %5 = int.add.b32 %4, %2\n  %6 = atomic.cas.b32.global.u32.relaxed [%0], %4, %5\n  %7 = cmp.ne.b32 %6, %4\n";
    // Tries again with what the swap found, or with what it loads anew.
    assert!(!yields(&format!("  jump bb1(%1)\nbb1(%4: b32):\n{cas}  branch %7, bb1(%6), bb2\n")));
    assert!(!yields(&format!("  jump bb1\nbb1:\n  %4 = load.global.u32 [%0]\n{cas}  branch %7, bb1, bb2\n")));
    // A lock, whether the value that is waited for stays or not.
    let lock =
        cas.replace("[%0], %4", "[%0], %3").replace("%6, %4", "%6, %3").replace("int.add.b32 %4", "int.add.b32 %3");
    assert!(yields(&format!("  jump bb1\nbb1:\n{lock}  branch %7, bb1, bb2\n")));
    let other = "  %8 = int.xor.b32 %6, %2\n";
    assert!(yields(&format!("  jump bb1(%1)\nbb1(%4: b32):\n{cas}{other}  branch %7, bb1(%8), bb2\n")));
    assert!(yields(&format!("  jump bb1\nbb1:\n  %4 = load.global.u32 [%0 + 4]\n{cas}  branch %7, bb1, bb2\n")));
}

/// What is left is what loops are found in: a back edge that nobody can take would make one larger than it is.
#[test]
fn branches_on_constants_are_followed_first() {
    let source = "func @f {\nbb0:\n  %0 = const.pred true\n  %1 = pred.not %0\n  %2 = const.b32 0x1\n  jump bb1\n\
                  bb1:\n  fence.cta\n  branch %1, bb1, bb2\nbb2:\n  branch %0, bb3(%0), bb1\n\
                  bb3(%3: pred):\n  branch %3, bb4, bb1\nbb4:\n  switch %2, bb1, bb5\nbb5:\n  exit\n}\n";
    let (_, mut func) = text::parse(source).unwrap_or_else(|d| panic!("{} at {:?}\n{source}", d.message, d.span));
    verify(&func).unwrap();
    divergence::prepare(&mut func, 32);
    verify(&func).unwrap();
    let text = text::print("f", &func);
    assert!(!text.contains("branch") && !text.contains("switch") && text.contains("exit"), "{text}");
}
