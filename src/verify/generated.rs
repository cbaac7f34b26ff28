//! Generated kernels through the comparison.

use super::{Subject, Trouble, Verdict};
use crate::amd::Target;
use crate::diag::Diag;
use crate::emu;
use crate::eval;
use crate::generate::{COUNTER_BYTES, Generated};
use crate::options::Options;
use crate::pipeline;
use crate::run::{self, ArgValue, Launch};

/// Instructions of one generated kernel, all threads together.
const STEP_LIMIT: u64 = 20_000_000;

/// The launch that a generated kernel comes with.
pub fn launch_of(kernel: &Generated) -> Launch {
    Launch {
        kernel: "k".to_string(),
        grid: [kernel.grid, 1, 1],
        block: [kernel.block, 1, 1],
        dynamic_lds_bytes: 0,
        args: vec![
            ArgValue::Buffer(vec![0; kernel.out_bytes]),
            ArgValue::Buffer(kernel.input.clone()),
            ArgValue::Buffer(vec![0; COUNTER_BYTES]),
            ArgValue::Bytes(kernel.scalars[0].to_le_bytes().to_vec()),
            ArgValue::Bytes(kernel.scalars[1].to_le_bytes().to_vec()),
            ArgValue::Bytes(kernel.structure.to_vec()),
        ],
    }
}

/// What is wrong with the kernel on a target, if anything.
pub fn check_generated(kernel: &Generated, target: &Target) -> Option<String> {
    Checker::new(kernel).map_or_else(Some, |checker| checker.check(target).err())
}

/// A generated kernel, interpreted once and compared with its translations for any number of targets.
pub struct Checker<'k> {
    kernel: &'k Generated,
    launch: Launch,
    subject: Subject,
    expected: eval::Outcome,
}

impl Checker<'_> {
    /// Fails for a kernel that is refused or faults: the generator is wrong.
    pub fn new(kernel: &Generated) -> Result<Checker<'_>, String> {
        let subject = Subject::new(&kernel.source, "k").map_err(|diags| shown(&kernel.source, diags))?;
        let launch = launch_of(kernel);
        let options = eval::Options { step_limit: STEP_LIMIT, ..eval::Options::default() };
        // No address gets into memory, so that it does not matter where buffers lie.
        let expected = subject.eval(&launch, None, options).map_err(|fault| format!("interpreter: {fault}"))?;
        Ok(Checker { kernel, launch, subject, expected })
    }

    /// What is wrong on a target.
    pub fn check(&self, target: &Target) -> Result<(), String> {
        let source = &self.kernel.source;
        let options = Options { max_block: 128, ..Options::new(target.clone()) };
        let object = pipeline::translate(source, &options).map_err(|diags| shown(source, diags))?;
        let emu_options = emu::Options { step_limit: STEP_LIMIT, ..emu::Options::default() };
        let placed = run::launch_placed(object.bytes(), &self.launch, &emu_options).map_err(|e| e.to_string())?;
        let options = eval::Options { step_limit: STEP_LIMIT, ..eval::Options::default() };
        told(source, self.subject.judge(&self.launch, &placed, &self.expected, options))
    }
}

fn shown(source: &str, diags: Vec<Diag>) -> String {
    let first = diags.iter().find(|d| d.is_fatal()).map(|d| format!("{} at `{}`", d.message, d.span.text(source)));
    format!("refused: {}", first.unwrap_or_default())
}

/// A verdict in words; only complete agreement is well.
fn told(source: &str, verdict: Result<Verdict, Trouble>) -> Result<(), String> {
    match verdict {
        Ok(Verdict::Same { order_dependent: 0, .. }) => Ok(()),
        Ok(Verdict::Same { order_dependent, .. }) => {
            Err(format!("{order_dependent} bytes depend on the order of threads"))
        }
        Ok(Verdict::Differs(difference)) => {
            let store = difference
                .origin
                .map_or(String::new(), |o| format!(" (stored by thread {} at `{}`)", o.thread, o.span.text(source)));
            Err(format!("{difference}{store}"))
        }
        Ok(Verdict::Fault(fault)) => Err(fault),
        Err(Trouble::Refused(diags)) => Err(shown(source, diags)),
        Err(Trouble::Eval(fault)) => Err(format!("interpreter: {fault}")),
    }
}

/// Whether a piece of the kernel's text is valid, determined, and still translated wrongly.
pub fn still_fails(kernel: &Generated, source: &str, target: &Target) -> bool {
    let launch = launch_of(kernel);
    let Ok(subject) = Subject::new(source, "k") else { return false };
    let small = eval::Options { step_limit: STEP_LIMIT / 10, ..eval::Options::default() };
    let (outcome, findings) = subject.sanitize(&launch, small);
    if outcome.is_err() || !findings.is_empty() {
        return false;
    }
    let options = Options { max_block: 128, ..Options::new(target.clone()) };
    // A refusal stays one, and what translates does.
    let refused = || pipeline::translate(&kernel.source, &options).is_err();
    let Ok(object) = pipeline::translate(source, &options) else { return refused() };
    let wrong = matches!(subject.compare(&object, &launch, STEP_LIMIT), Ok(Verdict::Differs(_) | Verdict::Fault(_)));
    wrong && !refused()
}
