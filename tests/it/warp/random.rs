//! Made-up kernels whose warps come apart in branches, loops and turns of loops, and exchange values in between: the emulator on every
//! family against the interpreter of PTX, which knows threads only.
//!
//! Every `.sync` operation names the threads that come to it: their mask is voted for before each branch and in each turn of a loop. In a *skewed* loop
//! each thread runs the body once, in a turn of its own choice, so that the threads wait for each other. Sources of shuffles are members that
//! have not ended.

use super::{TARGETS, kernel, noise, try_run};
use warp2wave::eval::{self, Arg, Launch, Program};
use warp2wave::ptx;

struct Maker {
    state: u64,
    out: String,
    labels: u32,
    /// Registers from 40 up hold masks; this is the next.
    masks: u32,
}

/// Values are in `%r20` to `%r23`.
const VALUES: u32 = 4;

impl Maker {
    fn below(&mut self, n: u32) -> u32 {
        self.state = self.state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.state >> 33) % u64::from(n)) as u32
    }

    fn value(&mut self) -> String {
        format!("%r{}", 20 + self.below(VALUES))
    }

    fn line(&mut self, text: String) {
        self.out += &text;
        self.out.push('\n');
    }

    fn label(&mut self) -> String {
        self.labels += 1;
        format!("L{}", self.labels)
    }

    /// %p1 = a bit of a value.
    fn condition(&mut self) {
        let (value, bit) = (self.value(), self.below(8));
        self.line(format!("and.b32 %r30, {value}, {};", 1 << bit));
        self.line("setp.ne.u32 %p1, %r30, 0;".to_string());
    }

    fn new_mask(&mut self) -> String {
        self.masks += 1;
        format!("%m{}", self.masks)
    }

    fn statements(&mut self, mask: &str, depth: u32) {
        for _ in 0..1 + self.below(3) {
            self.statement(mask, depth);
        }
    }

    fn statement(&mut self, mask: &str, depth: u32) {
        let (a, b, c) = (self.value(), self.value(), self.value());
        match self.below(if depth == 0 { 7 } else { 11 }) {
            0 => self.line(format!("mad.lo.u32 {a}, {b}, 3, {c};")),
            1 => self.line(format!("xor.b32 {a}, {b}, {c};\nadd.u32 {a}, {a}, %lane;")),
            2 | 3 => {
                // From the member that a value names, or the thread itself where that is none.
                self.line(format!(
                    "vote.sync.ballot.b32 %r31, 1, {mask};\nand.b32 %r32, {b}, 31;\nshr.u32 %r33, %r31, %r32;"
                ));
                self.line(
                    "and.b32 %r33, %r33, 1;\nsetp.ne.u32 %p2, %r33, 0;\nselp.u32 %r32, %r32, %lane, %p2;".to_string(),
                );
                self.line(format!("shfl.sync.idx.b32 {a}, {c}, %r32, 31, {mask};"));
            }
            4 => {
                self.condition();
                self.line(format!("vote.sync.ballot.b32 %r31, %p1, {mask};\nadd.u32 {a}, {a}, %r31;"));
            }
            5 => {
                let op = ["add.u32", "max.s32", "xor.b32"][self.below(3) as usize];
                self.line(format!("redux.sync.{op} {a}, {b}, {mask};"));
            }
            6 => self.line(format!(
                "and.b32 %r31, {b}, 3;\nmatch.any.sync.b32 %r31, %r31, {mask};\nxor.b32 {a}, {c}, %r31;"
            )),
            7 | 8 => {
                let (els, end) = (self.label(), self.label());
                let (yes, no) = (self.new_mask(), self.new_mask());
                self.condition();
                self.line(format!(
                    "vote.sync.ballot.b32 {yes}, %p1, {mask};\nnot.b32 {no}, {yes};\nand.b32 {no}, {no}, {mask};"
                ));
                self.line(format!("@!%p1 bra {els};"));
                self.statements(&yes, depth - 1);
                if self.below(6) == 0 {
                    let value = self.value();
                    self.line(format!("st.global.u32 [%at], {value};\nexit;"));
                }
                self.line(format!("bra.uni {end};\n{els}:"));
                if self.below(2) == 0 {
                    self.statements(&no, depth - 1);
                }
                self.line(format!("{end}:"));
            }
            9 => {
                // Turns by a value of each thread; who goes on votes.
                let (head, end) = (self.label(), self.label());
                let (turns, counter) = (self.new_mask(), self.new_mask());
                let own = self.new_mask();
                self.line(format!("and.b32 {turns}, {a}, 3;\nmov.u32 {counter}, 0;\nmov.u32 {own}, {mask};\n{head}:"));
                self.line(format!(
                    "setp.lt.u32 %p1, {counter}, {turns};\nvote.sync.ballot.b32 {own}, %p1, {own};\n@!%p1 bra {end};"
                ));
                self.statements(&own, depth - 1);
                self.line(format!("add.u32 {counter}, {counter}, 1;\nbra.uni {head};\n{end}:"));
            }
            _ => {
                // Each thread in one of three turns.
                let (head, skip) = (self.label(), self.label());
                let (turn, counter) = (self.new_mask(), self.new_mask());
                self.line(format!(
                    "shr.u32 {turn}, {a}, 3;\nrem.u32 {turn}, {turn}, 3;\nmov.u32 {counter}, 0;\n{head}:"
                ));
                self.line(format!("setp.ne.u32 %p1, {counter}, {turn};\n@%p1 bra {skip};"));
                self.statements(mask, depth - 1);
                self.line(format!(
                    "{skip}:\nadd.u32 {counter}, {counter}, 1;\nsetp.lt.u32 %p1, {counter}, 3;\n@%p1 bra {head};"
                ));
            }
        }
    }
}

fn made_up(seed: u64) -> String {
    let mut maker = Maker { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15), out: String::new(), labels: 0, masks: 0 };
    maker.line("mov.u32 %r20, %in;\nshr.u32 %r21, %in, 7;\nmul.lo.u32 %r22, %in, 77;\nmov.u32 %r23, %me;".to_string());
    maker.line("mov.u32 %m0, 0xffffffff;".to_string());
    for _ in 0..3 {
        maker.statement("%m0", 3);
    }
    maker.line("add.u32 %r20, %r20, %r21;\nxor.b32 %r22, %r22, %r23;\nadd.u32 %r20, %r20, %r22;".to_string());
    maker.line("st.global.u32 [%at], %r20;".to_string());
    let masks = maker.masks + 1;
    kernel(1, &maker.out).replace(".reg .b32 %r<64>;", &format!(".reg .b32 %r<64>;\n.reg .b32 %m<{masks}>;"))
}

/// What the interpreter of PTX leaves in `out`.
fn interpreted(source: &str, block: u32, input: &[u32]) -> Vec<u32> {
    let (module, diags) = ptx::parse(source);
    assert!(diags.iter().all(|d| !d.is_fatal()), "{diags:#?}\n{source}");
    let program = Program::new(&module, "k").unwrap_or_else(|d| panic!("{d:#?}\n{source}"));
    let bytes = input.iter().flat_map(|w| w.to_le_bytes()).collect();
    let filler = [0xcd; 4].repeat(block as usize);
    let args = [filler, bytes].map(|bytes| Arg::Buffer { address: None, bytes }).into();
    let launch = Launch { grid: [1; 3], block: [block, 1, 1], args, ..Launch::default() };
    let outcome = eval::launch(&program, &launch).unwrap_or_else(|fault| panic!("{fault:?}\n{source}"));
    outcome.buffers[0].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect()
}

#[test]
fn made_up_kernels() {
    let from = std::env::var("W2W_SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(0u64);
    for seed in from..from + 16 {
        let source = made_up(seed);
        let block = [64, 96, 50][seed as usize % 3];
        let input: Vec<u32> = (0..block).map(|n| noise(n + 1000 * seed as u32)).collect();
        let wanted = interpreted(&source, block, &input);
        for target in ["gfx1100", "gfx942", TARGETS[seed as usize % TARGETS.len()]] {
            let got = try_run(target, &source, [block, 1, 1], 1, &input);
            let got = got.unwrap_or_else(|e| panic!("seed {seed}, {target}: {e}\n{source}"));
            for (thread, got) in got.iter().enumerate() {
                assert_eq!(got[0], wanted[thread], "seed {seed}, {target}, thread {thread}\n{source}");
            }
        }
    }
}
