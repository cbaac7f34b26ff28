//! Byte permutes, proved: what is emitted for `prmt` is executed over named bits ([`warp2wave::provenance`]) and compared with the PTX
//! rule, bit by bit, so that each case holds for all values of its operands.
//!
//! The whole front end is in the loop: PTX text goes in, and selection for each processor is judged. Processors that get the
//! very same instructions are proved once.

mod bytes;
mod compared;
mod docs;
mod laws;
mod meanings;
mod plans;
mod proof;
mod registers;

use warp2wave::amd::{self, Target};
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::ir::divergence::prepare;
use warp2wave::ir::{self, Func, Kernel, Op, Value};
use warp2wave::isel::{IselOptions, lower_generic_local, lower_specials, select};
use warp2wave::mir::{InstKind, MirFunc, Operand, Reg};
use warp2wave::provenance::{Bit, Machine, Word};
use warp2wave::{lift, opt, ptx};

/// One processor of every op table and set of features that selection asks for: those whose bytes are snapshots.
const FAMILIES: [&str; 12] = [
    "gfx900", "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201",
    "gfx1250",
];

/// One processor of each kind there is. Processors are of a kind if their rows have the same op table, features and wave size: selection
/// reads nothing else of a row (`proof::processors_of_a_kind_are_alike`), so what holds for one holds for all.
fn kinds() -> &'static [(Target, Vec<Target>)] {
    static KINDS: std::sync::LazyLock<Vec<(Target, Vec<Target>)>> = std::sync::LazyLock::new(|| {
        let mut kinds: Vec<(Target, Vec<Target>)> = vec![];
        for target in Target::all() {
            let facts = |t: &Target| (t.column(), t.processor().features, t.wave_lanes());
            match kinds.iter_mut().find(|(first, _)| facts(first) == facts(&target)) {
                Some((_, others)) => others.push(target),
                None => kinds.push((target, vec![])),
            }
        }
        kinds
    });
    &KINDS
}

/// A kernel whose threads load `a`, `b` and `c` (sources 0 to 2) and store the `%d` of each line of the body in turn.
struct Program {
    text: String,
    results: usize,
}

impl Program {
    fn new() -> Program {
        let mut text = String::from(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n    \
             .reg .b32 %a, %b, %c, %t, %d, %r<8>;\n    .reg .b64 %in, %out, %at;\n    ld.param.u64 %in, [in];\n    \
             ld.param.u64 %out, [out];\n    mov.u32 %t, %tid.x;\n    mul.wide.u32 %at, %t, 4096;\n    \
             add.u64 %in, %in, %at;\n    add.u64 %out, %out, %at;\n    ld.global.u32 %a, [%in];\n    \
             ld.global.u32 %b, [%in+4];\n    ld.global.u32 %c, [%in+8];\n",
        );
        text.reserve(1 << 14);
        Program { text, results: 0 }
    }

    /// Instructions that leave a value in `%d`.
    fn line(&mut self, body: &str) {
        self.text += &format!("    {body}\n    st.global.u32 [%out+{}], %d;\n", 4 * self.results);
        self.results += 1;
    }

    fn kernel(&self) -> Kernel {
        let text = format!("{}    ret;\n}}\n", self.text);
        let (tree, diags) = ptx::parse(&text);
        assert!(diags.is_empty(), "{diags:?}\n{text}");
        let module = lift::lift(&tree, None).expect("the kernel lifts");
        let mut kernel = module.kernels.into_iter().next().expect("one kernel");
        lower_specials(&mut kernel);
        opt::run_kernel(&mut kernel);
        kernel
    }
}

fn selected(kernel: &Kernel, id: &str) -> MirFunc {
    selected_for(kernel, &Target::parse(id).expect("a processor"))
}

fn selected_for(kernel: &Kernel, target: &Target) -> MirFunc {
    let mut kernel = kernel.clone();
    lower_generic_local(&mut kernel.func, target);
    let divergence = prepare(&mut kernel.func, target.wave_lanes());
    debug_assert_eq!(ir::verify(&kernel.func), Ok(()));
    select(&kernel, &divergence, target, &IselOptions::default()).expect("selection succeeds")
}

/// What is stored, in order, when the loads give these words.
fn outputs(func: &MirFunc, inputs: &[Word], results: usize) -> Vec<Word> {
    let mut machine: Machine<Reg> = Machine::default();
    let mut out = vec![Word::UNKNOWN; results];
    for inst in &func.blocks[func.entry].insts {
        match &inst.kind {
            InstKind::Op(op) if op.op.flags.contains(amd::Flags::LOAD) && op.op.name.starts_with("global") => {
                let from = op.mods.offset as usize / 4;
                machine.write(op.defs[0], &inputs[from..from + op.defs[0].dwords() as usize]);
            }
            InstKind::Op(op) if op.op.flags.contains(amd::Flags::STORE) => {
                let data = stored(op);
                for (n, word) in machine.operand(data).into_iter().enumerate() {
                    if let Some(out) = out.get_mut(op.mods.offset as usize / 4 + n) {
                        *out = word;
                    }
                }
            }
            InstKind::Op(op) => machine.step(op),
            InstKind::Copy { dst, src } => {
                let words = machine.operand(*src);
                machine.write(*dst, &words);
            }
            InstKind::ParallelCopy(copies) => {
                let words: Vec<_> = copies.iter().map(|(dst, src)| (*dst, machine.operand(*src))).collect();
                words.iter().for_each(|(dst, words)| machine.write(*dst, words));
            }
            InstKind::Undef { dst } => machine.write(*dst, &[]),
            other => panic!("not straight-line code: {other:?}"),
        }
    }
    out
}

/// The data of a store: the operand behind the vector address, one dword each here or more where stores were joined.
fn stored(op: &amd::Inst<Reg>) -> Operand {
    op.uses[1]
}

/// What is stored, in order, read off the IR: bytes of what the loads give and of constants, whatever processor comes next.
fn meanings(kernel: &Kernel, inputs: &[Word], results: usize) -> Vec<Word> {
    let func = &kernel.func;
    let mut out = vec![Word::UNKNOWN; results];
    for &block in &func.order {
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let Op::Store(mem) = &data.op else { continue };
            for (n, &value) in data.args[1..].iter().enumerate() {
                out[mem.offset as usize / 4 + n] = meaning(func, value, inputs);
            }
        }
    }
    out
}

fn meaning(func: &Func, value: Value, inputs: &[Word]) -> Word {
    let (data, n) = func.def(value).expect("no parameters here");
    match &data.op {
        Op::Const32(bits) => Word::constant(*bits),
        Op::Load(mem) => inputs[mem.offset as usize / 4 + n as usize],
        Op::BytePerm(sels) => {
            let args: Vec<Word> = data.args.iter().map(|&arg| meaning(func, arg, inputs)).collect();
            Word::from_bytes(sels.map(|sel| match sel {
                ByteSel::Byte(source, byte) => args[source as usize].byte_bits(byte as usize),
                ByteSel::Sign(source, byte) => [args[source as usize].byte_bits(byte as usize)[7]; 8],
                ByteSel::Zero => [Bit::Zero; 8],
                ByteSel::Ones => [Bit::One; 8],
            }))
        }
        other => panic!("not a permute: {other:?}"),
    }
}

/// What is emitted apart from memory accesses.
fn moves(func: &MirFunc) -> Vec<amd::Inst<Reg>> {
    let insts = func.blocks[func.entry].insts.iter();
    insts
        .filter_map(|inst| match &inst.kind {
            InstKind::Op(op) if !op.op.flags.intersects(amd::Flags::LOAD | amd::Flags::STORE) => Some(op.clone()),
            _ => None,
        })
        .collect()
}

/// What was proved already, to leave out processors that get the very same instructions.
#[derive(Default)]
struct Proved(Vec<Vec<amd::Inst<Reg>>>);

impl Proved {
    /// Whether these are new.
    fn add(&mut self, func: &MirFunc) -> bool {
        let moves = moves(func);
        let new = !self.0.contains(&moves);
        if new {
            self.0.push(moves);
        }
        new
    }
}

/// PTX ISA, "prmt": for each result byte, from byte 0 up, which byte of {b, a} (0 to 7) and whether its sign.
fn rule(mode: &str, c: u32) -> [(usize, bool); 4] {
    // The manual's tables for c[1:0] = 0, 1, 2, 3, most significant byte first as it prints them.
    let table: [&str; 4] = match mode {
        "" => return std::array::from_fn(|n| ((c >> (4 * n) & 7) as usize, c >> (4 * n + 3) & 1 == 1)),
        "f4e" => ["3210", "4321", "5432", "6543"],
        "b4e" => ["5670", "6701", "7012", "0123"],
        "rc8" => ["0000", "1111", "2222", "3333"],
        "ecl" => ["3210", "3211", "3222", "3333"],
        "ecr" => ["0000", "1110", "2210", "3210"],
        "rc16" => ["1010", "3232", "1010", "3232"],
        _ => panic!("{mode} is no mode of prmt"),
    };
    let digits = table[(c & 3) as usize].as_bytes();
    std::array::from_fn(|n| ((digits[3 - n] - b'0') as usize, false))
}

/// The rule applied to named words.
fn expected(rule: [(usize, bool); 4], a: &Word, b: &Word) -> Word {
    Word::from_bytes(rule.map(|(byte, sign)| {
        let bits = if byte < 4 { a.byte_bits(byte) } else { b.byte_bits(byte - 4) };
        if sign { [bits[7]; 8] } else { bits }
    }))
}

/// A selector whose low half is known and whose upper half is whatever `c` has there.
fn with_garbage(selector: u32) -> Word {
    let c = Word::named(2);
    Word(std::array::from_fn(|n| if n < 16 { Bit::known(selector >> n & 1 == 1) } else { c.0[n] }))
}

/// The search's record: for a kind of selection, how many take so many instructions and constants.
fn searched(kind: &str) -> std::collections::BTreeMap<(usize, usize), u32> {
    let path = format!("{}/fixtures/byteperm/search.txt", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).expect("the record of the search");
    let prefix = format!("  {kind}: ");
    let line = text.lines().find_map(|line| line.strip_prefix(&prefix)).expect("a line for the kind");
    line.split(", ")
        .map(|part| {
            let numbers: Vec<usize> = part.split(' ').filter_map(|word| word.parse().ok()).collect();
            ((numbers[1], numbers[2]), numbers[0] as u32)
        })
        .collect()
}
