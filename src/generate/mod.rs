//! Random kernels that are valid PTX, end, stay in bounds, race with nobody and use nothing that PTX leaves open.
//!
//! A seed makes the same kernel for ever on one version of this program. Every thread works on registers of all sizes that
//! are set at the start; it reads one buffer, writes its own part of another, and meets the others only where all of the
//! block come: shared memory is exchanged between barriers, and atomics commute. So the memory afterwards is determined.

/// Appends a line whose text may draw random numbers.
macro_rules! emit {
    ($generator:ident, $text:expr $(,)?) => {{
        let text = $text;
        $generator.line(text);
    }};
}

mod atomics;
mod calls;
mod control;
mod fill;
mod forms;
mod lanes;
mod memory;
mod statements;
mod together;

pub use atomics::COUNTER_BYTES;

use std::fmt::Write;

/// What kernels may be like.
#[derive(Clone, Debug)]
pub struct Config {
    /// Statements, roughly.
    pub size: u32,
    /// Shuffles, votes and the like.
    pub lanes: bool,
    /// Floating-point arithmetic.
    pub floats: bool,
}

impl Default for Config {
    fn default() -> Config {
        Config { size: 40, lanes: false, floats: false }
    }
}

/// A module with one kernel `k(out, in, shared counters, a, b)`, and a launch of it.
#[derive(Clone, Debug)]
pub struct Generated {
    pub source: String,
    pub grid: u32,
    pub block: u32,
    /// Bytes of the buffer that is written: [`OUT_BYTES`] for each thread.
    pub out_bytes: usize,
    pub input: Vec<u8>,
    pub scalars: [u32; 2],
    pub structure: [u8; PARAM_BYTES],
}

/// Bytes of the output that belong to one thread.
pub const OUT_BYTES: usize = 256;
/// Bytes of the input.
pub const IN_BYTES: usize = 1024;
/// Bytes of the structure that the kernel takes.
pub const PARAM_BYTES: usize = 32;
/// Bytes of shared memory that a thread alone uses.
const OWN_BYTES: u32 = 32;

/// Registers of each kind that statements use.
const DWORDS: u32 = 10;
const PAIRS: u32 = 5;
const HALVES: u32 = 4;
const PREDICATES: u32 = 4;
const FLOATS: u32 = 4;
/// Of the block as a whole.
const UNIFORMS: u32 = 3;

/// splitmix64, or somebody else's choices as long as there are any.
pub struct Rng {
    state: u64,
    /// Choices to make, a byte each: the last one first.
    choices: Vec<u8>,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng { state: seed ^ 0x6a09_e667_f3bc_c908, choices: vec![] };
        rng.bits();
        rng
    }

    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u32) -> u32 {
        match self.choices.pop() {
            Some(choice) => u32::from(choice) % n.max(1),
            None => (self.bits() >> 33) as u32 % n.max(1),
        }
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    pub fn pick<'t, T>(&mut self, from: &'t [T]) -> &'t T {
        &from[self.below(from.len() as u32) as usize]
    }
}

/// A kernel being written.
struct Generator<'c> {
    rng: Rng,
    config: &'c Config,
    grid: u32,
    block: u32,
    text: String,
    /// Labels and loop counters used so far.
    labels: u32,
    counters: u32,
    /// Statements left.
    left: u32,
    /// All threads of the block that have not ended execute this together.
    uniform: bool,
    /// Some thread may have ended.
    may_have_ended: bool,
    depth: u32,
}

/// The kernel of a seed.
pub fn generate(seed: u64, config: &Config) -> Generated {
    generate_by(seed, &[], config)
}

/// The kernel of a seed whose first statements are as `choices` say: small changes of these change the kernel a little, which is
/// what a fuzzer needs.
pub fn generate_by(seed: u64, choices: &[u8], config: &Config) -> Generated {
    let mut rng = Rng::new(seed);
    let block = *rng.pick(&[1, 7, 32, 33, 40, 48, 64, 64, 64, 96, 128]);
    let grid = if rng.one_in(6) { 2 } else { 1 };
    let input = (0..IN_BYTES / 4).flat_map(|_| interesting(&mut rng).to_le_bytes()).collect();
    let scalars = [interesting(&mut rng), interesting(&mut rng)];
    let mut structure = [0; PARAM_BYTES];
    for dword in structure.chunks_exact_mut(4) {
        dword.copy_from_slice(&interesting(&mut rng).to_le_bytes());
    }
    let left = config.size / 2 + rng.below(config.size.max(1));
    rng.choices = choices.iter().rev().copied().collect();
    let mut generator = Generator {
        rng,
        config,
        grid,
        block,
        text: String::new(),
        labels: 0,
        counters: 0,
        left,
        uniform: true,
        may_have_ended: false,
        depth: 0,
    };
    let function = generator.function();
    generator.body();
    let counters = generator.counters;
    let mut source = format!("// seed {seed}\n{HEAD}{function}{KERNEL}");
    let _ = writeln!(source, ".reg .b32 %c<{}>;", counters + 1);
    source += &generator.text;
    source += "}\n";
    Generated { source, grid, block, out_bytes: OUT_BYTES * (block * grid) as usize, input, scalars, structure }
}

/// Numbers at which things happen, and any others.
fn interesting(rng: &mut Rng) -> u32 {
    match rng.below(8) {
        0 => rng.below(4),
        1 => rng.below(70),
        2 => 1 << rng.below(32),
        3 => (1u32 << rng.below(32)).wrapping_sub(1),
        4 => *rng.pick(&[0, u32::MAX, 0x8000_0000, 0x7fff_ffff, 0xffff, 0x8000, 0x7fff, 0xff, 0x80, 0x7f, 0xffff_ff80]),
        _ => rng.bits() as u32,
    }
}

const HEAD: &str = ".version 8.8
.target sm_100f
.address_size 64
.const .align 16 .b8 table[64] = {3,1,4,1,5,9,2,6,255,128,127,8,7,250,4,6,2,0,0,0,128,255,255,255,1,2,4,8,16,32,64,128,9,9,8,8,7,7,6,6,5,4,3,2,1,0,255,254,17,34,51,68,85,102,119,136,153,170,187,204,221,238,255,11};
.func (.param .b32 r) mixes(.param .b32 x, .param .b64 y)
{
.reg .b32 %r<6>;
.reg .b64 %y;
.reg .pred %p;
ld.param.b32 %r1, [x];
ld.param.b64 %y, [y];
cvt.u32.u64 %r2, %y;
setp.lt.s32 %p, %r1, %r2;
mov.b32 %r3, 77;
@%p bra LESS;
prmt.b32 %r3, %r1, %r2, 0x5140;
bra.uni OUT;
LESS:
shf.l.wrap.b32 %r3, %r1, %r2, %r1;
OUT:
st.param.b32 [r], %r3;
ret;
}
";

const KERNEL: &str =
    ".visible .entry k(.param .u64 out, .param .u64 in, .param .u64 counters, .param .u32 a, .param .u32 b,
.param .align 16 .b8 s[32])
{
.reg .b32 %r<20>;
.reg .b64 %d<16>;
.reg .b16 %h<12>;
.reg .f32 %f<12>;
.reg .pred %p<12>;
.reg .b32 %u<8>;
.reg .b32 %t<20>;
.reg .b64 %a<16>;
.reg .pred %q<8>;
.shared .align 16 .b8 shared[1024];
.shared .align 16 .b8 own[4096];
.shared .align 16 .b8 counts[168];
.local .align 16 .b8 local[64];
";
