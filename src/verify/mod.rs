//! Two executions of one kernel, compared: `eval` interprets the PTX, `emu` runs the translation's bytes.
//!
//! All buffers and exported variables must hold the same afterwards. What depends on the order of threads (PTX leaves that
//! open) is found by interpreting under other orders, and left out; a NaN equals any other NaN where the kernel
//! computes floats. `docs/eval.md` has the user's page.

mod blame;
mod generated;
mod inputs;
mod origin;
mod reduce;

pub use blame::{Blame, Differs};
pub use generated::{Checker, check_generated, launch_of, still_fails};
pub use inputs::{derive, launches_of};
pub use origin::Origin;
pub use reduce::{lines, reduce};

use crate::diag::Diag;
use crate::emu;
use crate::eval::{self, Fault, Program};
use crate::options::{CodeObject, Options};
use crate::ptx;
use crate::ptx::tree::{FunctionKind, Item};
use crate::run::{self, ArgValue, Launch, Placed};
use std::fmt;

/// Why there is no verdict.
#[derive(Debug)]
pub enum Trouble {
    /// The source is refused, by the reader, the translator or the interpreter.
    Refused(Vec<Diag>),
    /// The interpreter stopped: the kernel is at fault, or the launch is.
    Eval(Box<Fault>),
}

/// What the two executions say.
#[derive(Debug)]
pub enum Verdict {
    Same {
        /// Bytes that depend on the order of threads, which were not compared.
        order_dependent: usize,
        /// Instructions that the interpreter and the emulator executed.
        steps: (u64, u64),
    },
    Differs(Box<Difference>),
    /// The emulator stopped where the interpreter went through.
    Fault(String),
}

/// The first byte that differs.
#[derive(Clone, Debug)]
pub struct Difference {
    /// "buffer 1" or "variable `x`".
    pub place: String,
    pub offset: usize,
    /// The bytes around it (eight, aligned) by PTX and by the translation.
    pub expected: Vec<u8>,
    pub got: Vec<u8>,
    /// How many bytes of all memory differ.
    pub count: usize,
    /// Its address.
    pub address: u64,
    /// Who wrote that byte last, in PTX.
    pub origin: Option<Origin>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<Vec<_>>().join(" ");
        let Difference { place, offset, expected, got, count, .. } = self;
        let from = offset / 8 * 8;
        write!(
            f,
            "{place} differs at byte {offset}: bytes {from} to {} are {} by PTX, {} by the translation; {count} bytes differ in all",
            from + expected.len() - 1,
            hex(expected),
            hex(got)
        )
    }
}

/// A kernel ready to be interpreted and compared, for any number of targets.
pub struct Subject {
    pub program: Program,
}

impl Subject {
    pub fn new(source: &str, kernel: &str) -> Result<Subject, Vec<Diag>> {
        let (tree, diags) = ptx::parse(source);
        if diags.iter().any(Diag::is_fatal) {
            return Err(diags);
        }
        Ok(Subject { program: Program::new(&tree, kernel)? })
    }

    /// Interprets a launch with buffers and variables at the given addresses.
    pub fn eval(
        &self,
        launch: &Launch,
        placed: Option<&Placed>,
        options: eval::Options,
    ) -> Result<eval::Outcome, Box<Fault>> {
        eval::launch(&self.program, &self.launch(launch, placed, options))
    }

    /// The same under the sanitizer, with what it found.
    pub fn sanitize(&self, launch: &Launch, options: eval::Options) -> (Result<eval::Outcome, Box<Fault>>, Vec<Fault>) {
        eval::sanitize(&self.program, &self.launch(launch, None, options))
    }

    fn launch(&self, launch: &Launch, placed: Option<&Placed>, options: eval::Options) -> eval::Launch {
        let mut addresses = placed.into_iter().flat_map(|p| p.buffers.iter().map(|(address, _)| *address));
        let args = launch.args.iter().map(|arg| match arg {
            ArgValue::Bytes(bytes) => eval::Arg::Bytes(bytes.clone()),
            ArgValue::Buffer(bytes) => eval::Arg::Buffer { address: addresses.next(), bytes: bytes.clone() },
        });
        eval::Launch {
            grid: launch.grid,
            block: launch.block,
            dynamic_shared_bytes: launch.dynamic_lds_bytes,
            args: args.collect(),
            variables: placed.into_iter().flat_map(|p| p.variables.iter().map(|v| (v.0.clone(), v.1))).collect(),
            options,
        }
    }

    /// Compares what a translation leaves behind with what PTX says.
    pub fn compare(&self, object: &CodeObject, launch: &Launch, step_limit: u64) -> Result<Verdict, Trouble> {
        let options = eval::Options { step_limit, ..eval::Options::default() };
        let emu_options = emu::Options { step_limit, ..emu::Options::default() };
        let placed = match run::launch_placed(object.bytes(), launch, &emu_options) {
            Ok(placed) => placed,
            Err(error) => {
                // The kernel's own fault stops both.
                self.eval(launch, None, options).map_err(Trouble::Eval)?;
                return Ok(Verdict::Fault(error.to_string()));
            }
        };
        let expected = self.eval(launch, Some(&placed), options.clone()).map_err(Trouble::Eval)?;
        self.judge(launch, &placed, &expected, options)
    }

    /// The verdict on what an emulated launch left, given what the interpreter left at the same addresses.
    pub fn judge(
        &self,
        launch: &Launch,
        placed: &Placed,
        expected: &eval::Outcome,
        options: eval::Options,
    ) -> Result<Verdict, Trouble> {
        let steps = (expected.steps, placed.stats.instructions);
        let pairs = |outcome: &eval::Outcome| -> Vec<(String, Vec<u8>)> {
            let buffers = outcome.buffers.iter().enumerate().map(|(n, b)| (format!("buffer {n}"), b.clone()));
            buffers.chain(outcome.variables.iter().map(|(n, b)| (format!("variable `{n}`"), b.clone()))).collect()
        };
        let got = |n: usize, name: &str| -> Option<(u64, &[u8])> {
            match placed.buffers.get(n) {
                Some((address, bytes)) => Some((*address, bytes)),
                None => {
                    let found = placed.variables.iter().find(|v| name == format!("variable `{}`", v.0))?;
                    Some((found.1, &found.2))
                }
            }
        };
        let all = pairs(expected);
        let mut masks: Vec<Vec<bool>> = vec![];
        for (n, (name, want)) in all.iter().enumerate() {
            masks.push(match got(n, name) {
                Some((_, bytes)) => differing(want, bytes, self.program.computes_floats),
                None => vec![],
            });
        }
        if masks.iter().flatten().all(|differs| !differs) {
            return Ok(Verdict::Same { order_dependent: 0, steps });
        }
        // What other orders of threads leave differently, nobody promises.
        let mut order_dependent = 0;
        for seed in 1..=ORDERS {
            if masks.iter().flatten().all(|differs| !differs) {
                break;
            }
            let other = eval::Options { seed, ..options.clone() };
            let outcome = self.eval(launch, Some(placed), other).map_err(Trouble::Eval)?;
            for ((mask, (_, want)), (_, again)) in masks.iter_mut().zip(&all).zip(pairs(&outcome)) {
                for (differs, (a, b)) in mask.iter_mut().zip(want.iter().zip(&again)) {
                    if *differs && a != b {
                        *differs = false;
                        order_dependent += 1;
                    }
                }
            }
        }
        let count = masks.iter().flatten().filter(|differs| **differs).count();
        let first = masks.iter().enumerate().find_map(|(n, mask)| Some((n, mask.iter().position(|d| *d)?)));
        let Some((n, offset)) = first else { return Ok(Verdict::Same { order_dependent, steps }) };
        let (name, want) = &all[n];
        let (address, bytes) = got(n, name).unwrap_or((0, &[]));
        let window = offset / 8 * 8..(offset / 8 * 8 + 8).min(want.len());
        let origin = origin::find(&self.program, &self.launch(launch, Some(placed), options), address + offset as u64);
        Ok(Verdict::Differs(Box::new(Difference {
            place: name.clone(),
            offset,
            expected: want[window.clone()].to_vec(),
            got: bytes.get(window).unwrap_or(&[]).to_vec(),
            count,
            address: address + offset as u64,
            origin,
        })))
    }
}

/// Orders of threads in which the interpreter must leave a byte alike before a difference in it counts. Where two stores race, each
/// order shows it or not: a few orders miss one of many bytes.
const ORDERS: u64 = 64;

/// The names of the kernels of a source that parses.
pub fn kernels(source: &str) -> Result<Vec<String>, Vec<Diag>> {
    let (tree, diags) = ptx::parse(source);
    if diags.iter().any(Diag::is_fatal) {
        return Err(diags);
    }
    let entry = |item: &Item| match item {
        Item::Function(f) if f.kind == FunctionKind::Entry && f.body.is_some() => {
            Some(tree.names.get(f.name).to_string())
        }
        _ => None,
    };
    Ok(tree.items.iter().filter_map(entry).collect())
}

/// Translates a kernel and compares one launch of it.
pub fn verify(source: &str, options: &Options, launch: &Launch, step_limit: u64) -> Result<Verdict, Trouble> {
    let subject = Subject::new(source, &launch.kernel).map_err(Trouble::Refused)?;
    let options = Options { kernels: Some(vec![launch.kernel.clone()]), ..options.clone() };
    let object = crate::pipeline::translate(source, &options).map_err(Trouble::Refused)?;
    subject.compare(&object, launch, step_limit)
}

/// Which bytes differ; a NaN agrees with any NaN of its size where floats are computed.
fn differing(want: &[u8], got: &[u8], floats: bool) -> Vec<bool> {
    let mut mask: Vec<bool> = want.iter().zip(got).map(|(a, b)| a != b).collect();
    mask.resize(want.len().max(got.len()), true);
    if !floats {
        return mask;
    }
    let clear = |mask: &mut Vec<bool>, size: usize, is_nan: fn(u64) -> bool| {
        for at in (0..want.len().min(got.len())).step_by(size) {
            let (Some(a), Some(b)) = (want.get(at..at + size), got.get(at..at + size)) else { continue };
            if a != b && is_nan(number(a)) && is_nan(number(b)) {
                mask[at..at + size].fill(false);
            }
        }
    };
    clear(&mut mask, 4, |bits| f32::from_bits(bits as u32).is_nan());
    clear(&mut mask, 8, |bits| f64::from_bits(bits).is_nan());
    clear(&mut mask, 2, |bits| bits & 0x7fff > 0x7c00);
    mask
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte))
}
