//! Instruction selection: what is emitted, and that it computes what the IR says.
//!
//! Each family is run through the meanings of the emitted rows ([`crate::mir_eval`]) on edge cases and random inputs, from
//! VGPRs (inputs loaded from global memory) and from SGPRs (from constant memory), and compared with plain Rust.

mod blocks;
mod bytes;
mod floats;
mod integers;
mod logic;
mod memory;

use crate::mir_eval::Lane;
use warp2wave::amd::Target;
use warp2wave::diag::Span;
use warp2wave::ir::byteperm::ByteSel;
use warp2wave::ir::divergence::prepare;
use warp2wave::ir::{Kernel, text, verify as verify_ir};
use warp2wave::isel::{IselOptions, byteperm_plan, lower_specials, scalar_plan, select, vector_plan};
use warp2wave::mir::MirFunc;
use warp2wave::mir::verify::verify;

const TARGETS: [&str; 2] = ["gfx1100", "gfx942"];

/// One of each kind of op table and feature set, for what is cheap.
const FAMILIES: [&str; 7] = ["gfx900", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201", "gfx1250"];

fn kernel(source: &str) -> Kernel {
    let (name, func) =
        text::parse(source).unwrap_or_else(|d| panic!("{} at {:?} of\n{source}", d.message, d.span.text(source)));
    Kernel {
        name,
        func,
        params: vec![],
        param_bytes: 64,
        param_align_bytes: 8,
        shared_bytes: 0,
        dynamic_shared: false,
        local_bytes: 0,
        reqntid: None,
        maxntid: None,
        min_ctas_per_sm: None,
        span: Span::NONE,
    }
}

fn try_select(source: &str, target: &Target) -> Result<MirFunc, Vec<String>> {
    let mut kernel = kernel(source);
    verify_ir(&kernel.func).unwrap();
    lower_specials(&mut kernel);
    let divergence = prepare(&mut kernel.func, target.wave_lanes());
    verify_ir(&kernel.func).unwrap();
    let func = select(&kernel, &divergence, target, &IselOptions::default())
        .map_err(|diags| diags.into_iter().map(|d| d.message).collect::<Vec<_>>())?;
    verify(&func, target).unwrap_or_else(|fault| panic!("{fault}"));
    Ok(func)
}

fn selected(source: &str, target: &str) -> MirFunc {
    let target = Target::parse(target).unwrap();
    try_select(source, &target).unwrap_or_else(|messages| panic!("{messages:?}"))
}

/// The MIR of a body between `bb0:` and the end, without its register table.
fn listing(body: &str, target: &str) -> String {
    let func = selected(&format!("func @f {{\n{body}}}\n"), target);
    let text = warp2wave::mir::text::print(&func);
    text.lines().filter(|l| !l.starts_with("  %") || !l.contains(": ")).collect::<Vec<_>>().join("\n")
}

fn ops_of(func: &MirFunc) -> Vec<&'static str> {
    let insts = func.layout.iter().flat_map(|&b| &func.blocks[b].insts);
    insts
        .filter_map(|i| match &i.kind {
            warp2wave::mir::InstKind::Op(op) => Some(op.op.name),
            _ => None,
        })
        .collect()
}

/// A type of a test's input or output, and how it goes to and from memory.
#[derive(Copy, Clone, PartialEq)]
enum Ty {
    B32,
    B64,
    Pred,
}
use Ty::{B32, B64, Pred};

/// IR that loads inputs `%1..` from 0x100 on, runs a body and stores its outputs from 0x800 on, 8 bytes each.
fn program(space: &str, inputs: &[Ty], body: &str, outputs: &[(&str, Ty)]) -> String {
    let mut out =
        String::from("func @f {\nbb0:\n  %60 = load.param.u64 [0]\n  %61 = const.b32 0x0\n  %62 = const.b32 0x1\n");
    for (n, ty) in inputs.iter().enumerate() {
        let (bits, at, v) = (if *ty == B64 { 64 } else { 32 }, 0x100 + 8 * n, n + 1);
        match ty {
            Pred => {
                out += &format!("  %{} = load.{space}.u32 [%60 + {at}]\n", 70 + n);
                out += &format!("  %{v} = cmp.ne.b32 %{}, %61\n", 70 + n);
            }
            B32 | B64 => out += &format!("  %{v} = load.{space}.u{bits} [%60 + {at}]\n"),
        }
    }
    out += body;
    for (n, (name, ty)) in outputs.iter().enumerate() {
        let at = 0x800 + 8 * n;
        match ty {
            Pred => {
                out += &format!("  %{} = select.b32 {name}, %62, %61\n", 80 + n);
                out += &format!("  store.global.u32 [%60 + {at}], %{}\n", 80 + n);
            }
            B32 => out += &format!("  store.global.u32 [%60 + {at}], {name}\n"),
            B64 => out += &format!("  store.global.u64 [%60 + {at}], {name}\n"),
        }
    }
    out + "  exit\n}\n"
}

fn run(func: &MirFunc, target: &Target, inputs: &[u64], outputs: usize) -> Vec<u64> {
    let mut memory = vec![0; 0x800 + 8 * outputs];
    for (n, input) in inputs.iter().enumerate() {
        memory[0x100 + 8 * n..][..8].copy_from_slice(&input.to_le_bytes());
    }
    let mut lane = Lane::new(func, target, memory, vec![0; 64]);
    lane.run();
    (0..outputs).map(|n| u64::from_le_bytes(lane.memory[0x800 + 8 * n..][..8].try_into().unwrap())).collect()
}

/// xorshift64*, with the edges of words mixed in.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn value(&mut self, ty: Ty) -> u64 {
        const EDGES: [u64; 20] = [
            0,
            1,
            2,
            31,
            32,
            33,
            63,
            64,
            0x7fff_ffff,
            0x8000_0000,
            0xffff_ffff,
            0x8000_0000_0000_0000,
            // As f32: 1, -2, infinities, NaNs, subnormals.
            0x3f80_0000,
            0xc000_0000,
            0x7f80_0000,
            0xff80_0000,
            0x7fc0_0000,
            0xffa0_0001,
            0x0000_0400,
            0x807f_ffff,
        ];
        let edge = EDGES[self.next() as usize % EDGES.len()];
        let value = match self.next() % 6 {
            0 => edge,
            1 => edge.wrapping_neg(),
            2 => edge << 32 | EDGES[self.next() as usize % EDGES.len()],
            3 => self.next() >> (self.next() % 64),
            _ => self.next(),
        };
        match ty {
            B64 => value,
            B32 => value as u32 as u64,
            Pred => value & 1,
        }
    }
}

/// Compares a body's outputs with `expected` on both targets, from VGPRs and SGPRs.
#[track_caller]
fn check(inputs: &[Ty], body: &str, outputs: &[(&str, Ty)], expected: impl Fn(&[u64]) -> Vec<u64>) {
    for id in FAMILIES {
        let target = Target::parse(id).unwrap();
        for space in ["global", "const"] {
            let func = selected(&program(space, inputs, body, outputs), id);
            let mut random = Random(0x9e37_79b9_7f4a_7c15 + id.len() as u64 + inputs.len() as u64);
            for _ in 0..50 {
                let values: Vec<u64> = inputs.iter().map(|&ty| random.value(ty)).collect();
                let want = expected(&values);
                let got = run(&func, &target, &values, outputs.len());
                assert_eq!(
                    format!("{got:x?}"),
                    format!("{want:x?}"),
                    "{values:x?} on {id} from {space}:\n{}",
                    warp2wave::mir::text::print(&func)
                );
            }
        }
    }
}

/// One op: its result is `%50`.
#[track_caller]
fn op(line: &str, inputs: &[Ty], output: Ty, expected: impl Fn(&[u64]) -> u64) {
    check(inputs, &format!("  %50 = {line}\n"), &[("%50", output)], |v| vec![expected(v)]);
}

fn s32(v: u64) -> i32 {
    v as i32
}

fn u32_of(v: i32) -> u64 {
    v as u32 as u64
}
