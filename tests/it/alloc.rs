//! Register allocation: random programs under tight budgets, judged by the checker; faults that the checker must see.

use warp2wave::alloc::{self, Budget, checker};
use warp2wave::amd::{self, Op, Target, ops};
use warp2wave::diag::Span;
use warp2wave::finish;
use warp2wave::id::EntityRef;
use warp2wave::mir::{Block, Inst, InstKind, MirFunc, Operand, Part, Reg, RegClass, Terminator, VReg, text};

/// xorshift64*: random programs from a printed seed.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// Sizes of a random program.
pub struct Shape {
    pub blocks: usize,
    pub insts: usize,
    /// Registers of each class.
    pub vregs: usize,
    /// Whether every register is defined before it is used.
    pub defined: bool,
    /// Percentage of operands that name a register of recent use.
    pub recent: usize,
}

struct Gen<'a> {
    random: Random,
    func: MirFunc,
    target: &'a Target,
    recent: usize,
    /// Where operands are taken from.
    window: (usize, usize),
}

fn new_func() -> MirFunc {
    text::parse("func @random max_workgroup_items=256 local_bytes=20 {\n}\n").unwrap()
}

impl Gen<'_> {
    fn pick(&mut self, class: RegClass, dwords: u8, linear: bool) -> Reg {
        let (first, count) = self.window;
        let near = self.random.chance(self.recent);
        for _ in 0..200 {
            let i = if near { first + self.random.below(count) } else { self.random.below(self.func.vregs.len()) };
            let vreg = VReg::new(i.min(self.func.vregs.len() - 1));
            let data = &self.func.vregs[vreg];
            if data.class != class || data.linear != linear || data.dwords < dwords {
                continue;
            }
            let step = match (class, dwords) {
                (_, 1) => 1,
                (RegClass::Sgpr, 4) => 4,
                _ => 2,
            };
            let first = (self.random.below((data.dwords - dwords + 1) as usize) as u8) / step * step;
            return Reg::Virt(Part { vreg, first, dwords });
        }
        let found = self.func.vregs.iter().find(|v| linear && v.1.linear).map(|v| v.0);
        let vreg = found.unwrap_or_else(|| self.func.new_vreg(class, dwords));
        self.func.vregs[vreg].linear = linear;
        self.func.reg(vreg)
    }
    fn v(&mut self, dwords: u8) -> Reg {
        self.pick(RegClass::Vgpr, dwords, false)
    }
    fn s(&mut self, dwords: u8) -> Reg {
        self.pick(RegClass::Sgpr, dwords, false)
    }
    fn mask(&mut self) -> Reg {
        self.s(self.target.mask_dwords())
    }
    fn source(&mut self, class: RegClass, dwords: u8) -> Operand {
        match self.random.below(5) {
            0 if dwords <= 2 => Operand::Imm(self.random.next() % 100),
            1 if class == RegClass::Vgpr => Operand::Reg(self.s(dwords)),
            _ => Operand::Reg(self.pick(class, dwords, false)),
        }
    }

    fn inst(&mut self) -> InstKind {
        let op = |op: Op, defs: &[Reg], uses: &[Operand]| {
            InstKind::Op(amd::Inst::new(op, defs.iter().copied(), uses.iter().copied()))
        };
        let r = Operand::Reg;
        match self.random.below(20) {
            0 | 1 => op(ops::v_add_nc_u32, &[self.v(1)], &[self.source(RegClass::Vgpr, 1), r(self.v(1))]),
            2 => op(ops::v_perm_b32, &[self.v(1)], &[r(self.v(1)), r(self.v(1)), r(self.v(1))]),
            3 => {
                let (d, c) = (self.v(2), self.mask());
                op(ops::v_mad_co_u64_u32, &[d, c], &[r(self.v(1)), r(self.v(1)), r(self.v(2))])
            }
            4 => op(ops::v_cmp_lt_u32, &[self.mask()], &[r(self.v(1)), r(self.v(1))]),
            5 => op(ops::v_cndmask_b32, &[self.v(1)], &[r(self.v(1)), r(self.v(1)), r(self.mask())]),
            6 => match self.random.below(3) {
                0 => op(ops::global_load_b128, &[self.v(4)], &[r(self.v(2)), Operand::Off]),
                1 => op(ops::flat_load_b64, &[self.v(2)], &[r(self.v(2))]),
                _ => op(ops::ds_load_b32, &[self.v(1)], &[r(self.v(1))]),
            },
            7 => op(ops::global_store_b64, &[], &[r(self.v(2)), r(self.v(2)), Operand::Off]),
            8 => op(ops::s_load_b64, &[self.s(2)], &[r(self.s(2)), Operand::Off]),
            9 => op(ops::s_load_b128, &[self.s(4)], &[r(self.s(2)), Operand::Off]),
            10 | 11 => {
                op(ops::s_add_co_u32, &[self.s(1)], &[self.source(RegClass::Sgpr, 1), self.source(RegClass::Sgpr, 1)])
            }
            12 => op(ops::v_readfirstlane_b32, &[self.s(1)], &[r(self.v(1))]),
            13 => {
                let linear = self.pick(RegClass::Vgpr, 1, true);
                op(ops::v_writelane_b32, &[linear], &[r(self.s(1)), Operand::Imm(3), r(linear)])
            }
            14 => {
                let linear = self.pick(RegClass::Vgpr, 1, true);
                op(ops::v_readlane_b32, &[self.s(1)], &[r(linear), Operand::Imm(3)])
            }
            15 => match self.random.below(4) {
                0 => InstKind::Undef { dst: self.v(2) },
                // A tied source in another register.
                1 => op(ops::v_fmac_f32, &[self.v(1)], &[r(self.v(1)), r(self.v(1)), r(self.v(1))]),
                2 => InstKind::Copy { dst: self.s(2), src: r(Reg::Phys(amd::Reg::exec(64))) },
                _ => InstKind::GlobalAddr { dst: self.s(2), global: 1, addend: 4 },
            },
            16 => {
                let mut copies: Vec<(Reg, Operand)> = vec![];
                for _ in 0..self.random.below(5) + 1 {
                    let class = if self.random.chance(60) { RegClass::Vgpr } else { RegClass::Sgpr };
                    let dwords = 1 + self.random.below(2) as u8;
                    let dst = self.pick(class, dwords, false);
                    let src = self.source(class, dwords);
                    let Reg::Virt(d) = dst else { continue };
                    if copies.iter().all(|c| !matches!(c.0, Reg::Virt(p) if p.vreg == d.vreg)) {
                        copies.push((dst, src));
                    }
                }
                InstKind::ParallelCopy(copies)
            }
            _ => {
                let class = if self.random.chance(60) { RegClass::Vgpr } else { RegClass::Sgpr };
                let dwords = [1, 1, 2, 4][self.random.below(4)];
                InstKind::Copy { dst: self.pick(class, dwords, false), src: self.source(class, dwords) }
            }
        }
    }
}

/// A random function in the linear state, often with irreducible loops on both CFGs, and with uses of undefined registers.
pub fn random_func(seed: u64, shape: &Shape, target: &Target) -> MirFunc {
    let mut func = new_func();
    let mut random = Random::new(seed);
    for i in 0..shape.vregs {
        let dwords = [1, 1, 1, 2, 2, 4][random.below(6)];
        func.new_vreg(RegClass::Vgpr, dwords);
        let dwords = [1, 1, 1, 2, 2, 4][random.below(6)];
        func.new_vreg(RegClass::Sgpr, dwords);
        if i % 64 == 63 && i < 200 {
            let linear = func.new_vreg(RegClass::Vgpr, 1);
            func.vregs[linear].linear = true;
        }
    }
    let total = func.vregs.len();
    let mut generator = Gen { random, func, target, recent: shape.recent, window: (0, total) };
    for b in 0..shape.blocks {
        let block = generator.func.add_block();
        let span = if shape.vregs > 200 { 60 } else { total };
        generator.window = (b * total.saturating_sub(span) / shape.blocks, span);
        let mut insts: Vec<InstKind> = vec![];
        if b == 0 {
            // What a kernel finds in registers.
            let id = generator.v(1);
            insts.push(InstKind::Copy { dst: id, src: Operand::Reg(Reg::Phys(amd::Reg::v(0))) });
            let kernarg = generator.s(2);
            insts.push(InstKind::Copy { dst: kernarg, src: Operand::Reg(Reg::Phys(amd::Reg::sn(2, 2))) });
        }
        if b == 0 && shape.defined {
            let all: Vec<VReg> = generator.func.vregs.keys().collect();
            for vreg in all {
                let reg = generator.func.reg(vreg);
                let kernarg = Operand::Reg(Reg::Phys(amd::Reg::sn(2, 2)));
                let (op, uses) = match (generator.func.class(reg), reg.dwords()) {
                    (RegClass::Vgpr, 1) => (ops::v_mbcnt_lo_u32_b32, [Operand::Imm(1), Operand::Imm(0)]),
                    (RegClass::Vgpr, 2) => (ops::v_lshlrev_b64, [Operand::Imm(1), Operand::Imm(1)]),
                    (RegClass::Vgpr, _) => (ops::global_load_b128, [Operand::Reg(Reg::Phys(amd::Reg::v(0))), kernarg]),
                    (RegClass::Sgpr, 1) => (ops::s_load_b32, [kernarg, Operand::Off]),
                    (RegClass::Sgpr, 2) => (ops::s_load_b64, [kernarg, Operand::Off]),
                    (RegClass::Sgpr, _) => (ops::s_load_b128, [kernarg, Operand::Off]),
                };
                insts.push(InstKind::Op(amd::Inst::new(op, [reg], uses)));
            }
        }
        let count = shape.insts / shape.blocks;
        for _ in 0..generator.random.below(count + 1) + count / 2 {
            insts.push(generator.inst());
        }
        let data = &mut generator.func.blocks[block];
        data.insts = insts.into_iter().map(|kind| Inst::new(kind, Span::NONE)).collect();
        data.term = Terminator::Linear;
        data.loop_depth = generator.random.below(3) as u8;
    }
    let n = shape.blocks;
    for b in 0..n {
        let random = &mut generator.random;
        let mut edges = |logical: bool| {
            let mut succs = smallvec::SmallVec::new();
            if b + 1 < n && (!logical || random.chance(80)) {
                succs.push(Block::new(b + 1));
            }
            if random.chance(40) && b + 2 < n {
                succs.push(Block::new(b + 2 + random.below((n - b - 2).min(8))));
            }
            if random.chance(15) {
                succs.push(Block::new(b - random.below(b.min(8) + 1)));
            }
            succs
        };
        let (linear, logical) = (edges(false), edges(true));
        let data = &mut generator.func.blocks[Block::new(b)];
        (data.linear_succs, data.logical_succs) = (linear, logical);
    }
    generator.func.layout = generator.func.blocks.keys().collect();
    generator.func
}

fn target(name: &str) -> Target {
    Target::parse(name).unwrap()
}

/// Allocates and checks; the error of the checker, if it has one.
fn run(seed: u64, shape: &Shape, target: &Target, budget: Budget) -> alloc::AllocStats {
    let original = random_func(seed, shape, target);
    let mut func = original.clone();
    // Some spill slots are out of reach of an immediate offset.
    func.local_bytes = if seed % 4 == 3 { 4090 } else { 20 };
    let (tags, stats) = alloc::allocate_unchecked(&mut func, target, budget)
        .unwrap_or_else(|diags| panic!("seed {seed} on {target}: {diags:?}"));
    if let Err(fault) = checker::check(&original, &func, &tags, target) {
        panic!("seed {seed} on {target}: {fault}\n{}\n{}", text::print(&original), text::print(&func));
    }
    finish::waits::insert(&mut func, target);
    finish::hazards::insert(&mut func, target);
    assert_eq!(finish::hazards::check(&func, target), Ok(()), "seed {seed} on {target}");
    stats
}

#[test]
fn random_programs_allocate_and_pass_the_checker() {
    let (mut spilled_vgprs, mut spilled_sgprs) = (0, 0);
    for seed in 0..120 {
        let name = ["gfx1100", "gfx942", "gfx906", "gfx1010", "gfx1030", "gfx1201"][seed as usize % 6];
        let target = target(name);
        let shape = Shape {
            blocks: 1 + seed as usize % 13,
            insts: 20 + (seed as usize * 7) % 150,
            vregs: 6 + seed as usize % 25,
            recent: 0,
            defined: seed % 5 != 0,
        };
        let tight = seed % 3 == 0;
        let budget = if tight { Budget { vgprs: 24, sgprs: 24 } } else { Budget { vgprs: 64, sgprs: 60 } };
        let stats = run(seed, &shape, &target, budget);
        assert!(stats.vgprs <= budget.vgprs && stats.sgprs <= budget.sgprs, "{stats:?}");
        spilled_vgprs += stats.spilled_vgprs;
        spilled_sgprs += stats.spilled_sgprs;
    }
    assert!(spilled_vgprs > 100 && spilled_sgprs > 100, "the test must spill: {spilled_vgprs} {spilled_sgprs}");
}

/// Values that all matter, more than fit: each operand of the allocated code is changed in turn, and the checker must see
/// every one.
#[test]
fn the_checker_sees_every_wrong_register() {
    let mut source = String::from("func @f local_bytes=8 {\n");
    for i in 0..24 {
        source += &format!("%{i}: {}\n", ["v1", "s1", "v2", "s2"][i % 4]);
    }
    source += "bb0 -> bb1 | bb1:\n";
    for i in 0..24 {
        source += &match i % 4 {
            0 => format!("v_mbcnt_lo_u32_b32 %{i}, {i}, 0\n"),
            1 => format!("s_load_b32 %{i}, s[0:1], off offset:{}\n", 4 * i),
            2 => format!("v_lshlrev_b64 %{i}, {i}, 1\n"),
            _ => format!("s_load_b64 %{i}, s[0:1], off offset:{}\n", 4 * i),
        };
    }
    source += "linear\nbb1 -> bb1, bb2 | bb1, bb2 depth 1:\n";
    for i in (0..24).step_by(4) {
        let next = (i + 4) % 24;
        source += &format!("v_perm_b32 %{0}[0], %{i}, %{1}[1], %{0}[0]\n", i + 2, next + 2);
        source += &format!("s_add_co_u32 %{0}[1], %{1}, %{0}[1]\n", i + 3, next + 1);
    }
    // Two cycles.
    source += "%0, %4, %8 = parallel_copy %4, %8, %0\n%1, %5, %9 = parallel_copy %5, %9, %1\nlinear\nbb2:\n";
    for i in (0..24).step_by(4) {
        source += &format!("global_store_b64 %{i}, %{}, %{}\nv_readlane_b32 m0, v9, %{}\n", i + 2, i + 3, i + 1);
    }
    source += "linear\n}\n";
    for (name, budget) in [
        ("gfx1100", Budget { vgprs: 12, sgprs: 14 }),
        ("gfx942", Budget { vgprs: 12, sgprs: 18 }),
        ("gfx1100", Budget { vgprs: 60, sgprs: 90 }),
    ] {
        let target = target(name);
        let original = text::parse(&source).unwrap_or_else(|d| panic!("{}", d.message));
        let mut func = original.clone();
        let (tags, stats) = alloc::allocate_unchecked(&mut func, &target, budget).unwrap();
        assert_eq!(stats.spilled_sgprs > 0 && stats.spilled_vgprs > 0, budget.vgprs == 12, "{stats:?}");
        checker::check(&original, &func, &tags, &target).unwrap();
        let mut faults = 0;
        for block in func.layout.clone() {
            for at in 0..func.blocks[block].insts.len() {
                let sound = func.blocks[block].insts[at].clone();
                let InstKind::Op(op) = &sound.kind else { continue };
                for operand in 0..op.defs.len() + op.uses.len() {
                    let mut broken = op.clone();
                    let reg = match operand.checked_sub(op.defs.len()) {
                        None => &mut broken.defs[operand],
                        Some(i) => match &mut broken.uses[i] {
                            Operand::Reg(r) => r,
                            // Lane numbers of spills.
                            Operand::Imm(n) if op.op == ops::v_readlane_b32 => {
                                *n ^= 1;
                                func.blocks[block].insts[at].kind = InstKind::Op(broken);
                                assert!(checker::check(&original, &func, &tags, &target).is_err(), "{op:?}");
                                func.blocks[block].insts[at] = sound.clone();
                                continue;
                            }
                            _ => continue,
                        },
                    };
                    let Reg::Phys(r) = reg else { continue };
                    if !matches!(r.file, amd::File::Sgpr | amd::File::Vgpr) || *r == amd::Reg::v(9) {
                        continue;
                    }
                    r.index ^= 2;
                    func.blocks[block].insts[at].kind = InstKind::Op(broken.clone());
                    let result = checker::check(&original, &func, &tags, &target);
                    assert!(result.is_err(), "{name} {block} {at}: {op:?} as {broken:?} passes");
                    faults += 1;
                    func.blocks[block].insts[at] = sound.clone();
                }
                // A missing move is a fault too.
                let made = ["s_mov_b32", "v_mov_b32", "v_writelane_b32", "scratch_store_b32", "v_xor_b32"];
                if made.contains(&op.op.name) {
                    let mut broken = func.clone();
                    let mut tags = tags.clone();
                    broken.blocks[block].insts.remove(at);
                    tags[block].remove(at);
                    assert!(checker::check(&original, &broken, &tags, &target).is_err(), "{name}: without {op:?}");
                }
            }
        }
        assert!(faults > 100, "{faults}");
    }
}

/// Allocates a function given as text and prints it without its header.
fn allocated(target_name: &str, source: &str) -> String {
    let target = target(target_name);
    let mut func = text::parse(source).unwrap_or_else(|d| panic!("{}: {:?}", d.message, d.span));
    alloc::allocate(&mut func, &target).unwrap();
    let printed = text::print(&func);
    let body = printed.find("bb0").unwrap();
    printed[body..].to_string()
}

/// Elements of a vector store are computed in place, and the loop's phi has no copy.
#[test]
fn copies_coalesce() {
    let text = allocated(
        "gfx942",
        "func @f {
           %0: v2
           %1: v1
           %2: v1
           %3: v2
           %4: v1
         bb0 -> bb1 | bb1:
           %0 = copy v[0:1]
           %1 = copy 7
           linear
         bb1 -> bb1, bb2 | bb1, bb2 depth 1:
           v_add_nc_u32 %2, 1, %1
           %1 = copy %2
           linear
         bb2:
           v_add_nc_u32 %4, 3, %1
           %3[0] = copy %4
           %3[1] = copy %1
           global_store_b64 %0, %3, off
           s_endpgm
           linear
         }",
    );
    let moves = text.matches("v_mov_b32").count();
    assert_eq!(moves, 1, "only the constant: {text}");
}

/// A value that only one side of a branch defines does not occupy its SGPR on the way there.
#[test]
fn a_skipped_definition_does_not_extend_the_range() {
    let target = target("gfx1100");
    let source = "func @f {
           %0: s1
           %1: s1
         bb0 -> bb1, bb2 | bb1, bb2:
           s_mov_b32 %0, 1
           s_add_co_u32 %0, %0, %0
           s_mov_b32 m0, %0
           linear
         bb1 -> bb2 | bb2:
           s_mov_b32 %1, 2
           linear
         bb2:
           s_mov_b32 m0, %1
           linear
         }";
    let mut func = text::parse(source).unwrap();
    let stats = alloc::allocate(&mut func, &target).unwrap();
    assert_eq!(stats.sgprs, 1);
}

/// Two registers trade places in a loop: one cycle, broken by a spare register.
#[test]
fn a_swap_uses_a_spare_register() {
    let text = allocated(
        "gfx1100",
        "func @f {
           %0: s1
           %1: s1
         bb0 -> bb1 | bb1:
           s_mov_b32 %0, 1
           s_mov_b32 %1, 2
           linear
         bb1 -> bb1 | bb1:
           %0, %1 = parallel_copy %1, %0
           linear
         }",
    );
    assert!(text.contains("s_mov_b32 s105, s"), "{text}");
    assert_eq!(text.matches("s_mov_b32").count(), 5, "{text}");
}

#[test]
fn too_many_values_at_once_are_refused_with_their_place() {
    let mut source = String::from("func @f {\n");
    for i in 0..17 {
        source += &format!("%{i}: s8\n");
    }
    source += "bb0:\n";
    for i in 0..17 {
        source += &format!("s_load_b256 %{i}, s[0:1], off @{i}..{}\n", i + 1);
    }
    source += "s_endpgm\nlinear\n}\n";
    let mut func = text::parse(&source).unwrap();
    // Not even one of them fits.
    let result = alloc::allocate_within(&mut func, &target("gfx1100"), Budget { vgprs: 8, sgprs: 6 });
    let diags = result.unwrap_err();
    assert!(diags[0].message.contains("SGPRs"), "{diags:?}");
    assert!(!diags[0].span.is_none());
}
