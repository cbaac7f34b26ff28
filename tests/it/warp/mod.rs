//! What the threads of a warp do together, on the emulator, against the PTX ISA's rules written out here.

mod apart;
mod bytes;
mod docs;
mod plans;
mod random;
mod shuffle;
mod votes;

use warp2wave::amd::Target;
use warp2wave::run::{ArgValue, Launch, launch};
use warp2wave::{Options, translate};

/// One processor of every family.
const TARGETS: [&str; 11] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];

/// A kernel `k` with parameters `out` and `more` (u64 pointers), a register of each kind, `%me` the linear thread number and `%at`
/// the address in `out` of its `words` words, `%in` its word of `more`.
fn kernel(words: u32, body: &str) -> String {
    format!(
        ".version 8.6
.target sm_100a
.address_size 64
.visible .entry k(.param .u64 out, .param .u64 more)
{{
.reg .b32 %r<64>;
.reg .b64 %d<16>;
.reg .f32 %f<16>;
.reg .pred %p<16>;
.reg .b32 %me, %in, %lane;
.reg .b64 %at, %from;
ld.param.u64 %at, [out];
ld.param.u64 %from, [more];
mov.u32 %r1, %tid.x;
mov.u32 %r2, %tid.y;
mov.u32 %r3, %tid.z;
mov.u32 %r4, %ntid.x;
mov.u32 %r5, %ntid.y;
mad.lo.u32 %r6, %r3, %r5, %r2;
mad.lo.u32 %me, %r6, %r4, %r1;
mov.u32 %lane, %laneid;
mul.wide.u32 %d1, %me, {};
add.u64 %at, %at, %d1;
mul.wide.u32 %d1, %me, 4;
add.u64 %d2, %from, %d1;
ld.global.u32 %in, [%d2];
{body}
ret;
}}
",
        4 * words
    )
}

/// Runs one block of such a kernel; `input` has a word for each thread. The words of `out` for each thread.
#[track_caller]
fn run(target: &str, source: &str, block: [u32; 3], words: usize, input: &[u32]) -> Vec<Vec<u32>> {
    try_run(target, source, block, words, input).unwrap_or_else(|e| panic!("{e}\n{source}"))
}

#[track_caller]
fn try_run(target: &str, source: &str, block: [u32; 3], words: usize, input: &[u32]) -> Result<Vec<Vec<u32>>, String> {
    let threads: u32 = block.iter().product();
    let target = Target::parse(target).unwrap();
    let options = Options { max_block: threads.max(64), ..Options::new(target) };
    let object = translate(source, &options).unwrap_or_else(|d| panic!("{d:?}\n{source}"));
    let bytes = input.iter().flat_map(|w| w.to_le_bytes()).collect();
    let filler = [0xcd; 4].repeat(words * threads as usize);
    let args = vec![ArgValue::Buffer(filler), ArgValue::Buffer(bytes)];
    let launched = Launch { kernel: "k".into(), grid: [1, 1, 1], block, dynamic_lds_bytes: 0, args };
    let buffers = launch(object.bytes(), &launched).map_err(|e| e.to_string())?;
    let words_of = |thread: &[u8]| thread.chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
    Ok(buffers[0].chunks(4 * words).map(words_of).collect())
}

/// Blocks: whole and partial warps, one and several waves, rows that are no multiple of a warp.
const BLOCKS: [[u32; 3]; 9] =
    [[32, 1, 1], [64, 1, 1], [96, 1, 1], [1, 1, 1], [20, 1, 1], [50, 1, 1], [20, 7, 1], [5, 3, 9], [1024, 1, 1]];

fn threads(block: [u32; 3]) -> usize {
    block.iter().product::<u32>() as usize
}

/// The threads of each warp, by linear number.
fn warps(threads: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..threads).step_by(32).map(move |first| first..(first + 32).min(threads))
}

/// A word that looks like nothing in particular.
fn noise(n: u32) -> u32 {
    let x = (n ^ 0x5bd1_e995).wrapping_mul(0x9e37_79b9);
    (x ^ x >> 15).wrapping_mul(0x85eb_ca6b) ^ x >> 7
}
