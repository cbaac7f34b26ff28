//! Every launch of the corpus tests, interpreted: the expected values are those of host crates and plain host code.

use crate::corpus::SOURCES;
use crate::corpus::case::{Arg, difference};
use crate::corpus::check::files;
use warp2wave::eval::{self, Launch, Program};
use warp2wave::ptx;

#[test]
fn every_corpus_launch_computes_what_the_host_does() {
    let only = std::env::var("W2W_ONLY").unwrap_or_default();
    let (mut wrong, mut count, mut steps) = (vec![], 0, 0);
    for source in SOURCES {
        for file in files(source) {
            for case in (source.cases)(&file) {
                let name = format!("{}/{}", file.file, case.kernel);
                if !name.contains(&only) || !file.kernels().contains(&case.kernel) {
                    continue;
                }
                count += 1;
                let text = case.edits.iter().fold(file.text.clone(), |text, (from, to)| text.replace(from, to));
                let (module, _) = ptx::parse(&text);
                let program = match Program::new(&module, case.kernel) {
                    Ok(program) => program,
                    // Approximations have no exact result.
                    Err(diags) if diags.iter().all(|d| d.message.contains(".approx")) => continue,
                    Err(diags) => {
                        wrong.push(format!("{name}: {}", diags[0].message));
                        continue;
                    }
                };
                let arg = |arg: &Arg| match arg {
                    Arg::Value(bytes) => eval::Arg::Bytes(bytes.clone()),
                    Arg::Buffer { before, .. } => eval::Arg::Buffer { address: None, bytes: before.clone() },
                };
                let launch = Launch {
                    grid: case.grid,
                    block: case.block,
                    dynamic_shared_bytes: case.dynamic_lds_bytes,
                    args: case.args.iter().map(arg).collect(),
                    ..Launch::default()
                };
                let outcome = match eval::launch(&program, &launch) {
                    Ok(outcome) => outcome,
                    Err(fault) => {
                        wrong.push(format!("{name}, {}: {fault}", case.what));
                        continue;
                    }
                };
                steps += outcome.steps;
                let wants = case.args.iter().filter_map(|arg| match arg {
                    Arg::Value(_) => None,
                    Arg::Buffer { after, .. } => Some(after),
                });
                for (n, (want, got)) in wants.zip(&outcome.buffers).enumerate() {
                    if let Some(what) = difference(want, got) {
                        wrong.push(format!("{name}, {}: buffer {n} {what}", case.what));
                    }
                }
            }
        }
    }
    println!("{count} launches, {steps} instructions");
    wrong.dedup();
    assert!(wrong.is_empty(), "{} of {count} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
