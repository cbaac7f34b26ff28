//! `verify`.

use super::args::Verify;
use super::report::Reporter;
use super::{Outcome, files};
use anyhow::{Context, Result, anyhow, bail};
use std::path::{Path, PathBuf};
use warp2wave::amd::Target;
use warp2wave::diag::{Diag, Span, codes};
use warp2wave::run::Launch;
use warp2wave::verify::{self, Subject, Trouble, Verdict};
use warp2wave::{Options, eval, translate};

/// One processor of each family that differs in more than details.
const TARGETS: [&str; 6] = ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];

/// Every kernel on every target: a line for each on standard output, what is wrong on standard error.
pub fn verify(args: &Verify, reporter: &Reporter) -> Result<Outcome> {
    let source = files::ptx_text(files::read(&args.file)?, &args.file)?;
    let shown = files::shown(&args.file);
    let mut targets = args.target.clone();
    if targets.is_empty() {
        targets = TARGETS.iter().map(|name| Target::parse(name).map_err(|e| anyhow!(e))).collect::<Result<_>>()?;
    }
    let names = match verify::kernels(&source) {
        Ok(names) => names,
        Err(diags) => {
            reporter.diags(&diags, &shown, &source);
            return Ok(Outcome::Refused);
        }
    };
    if let Some(missing) = args.kernels.iter().find(|name| !names.contains(name)) {
        bail!("no kernel `{missing}`; there are: {}", names.join(", "));
    }
    let given = launches(args)?;
    let mut job = Job { args, reporter, shown, source, all_same: true };
    for name in names.iter().filter(|name| args.kernels.is_empty() || args.kernels.contains(name)) {
        job.kernel(name, &targets, &given);
    }
    Ok(if job.all_same { Outcome::Done } else { Outcome::Refused })
}

/// The launches of a file beside the source, or of the one that was named.
fn launches(args: &Verify) -> Result<Vec<Launch>> {
    let beside = PathBuf::from(format!("{}.toml", args.file.display()));
    let path = match &args.launches {
        Some(path) => path.clone(),
        None if !files::is_std(&args.file) && beside.exists() => beside,
        None => return Ok(vec![]),
    };
    let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
    // Files that launches name stand beside theirs.
    let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
    let read = |name: &str| std::fs::read(folder.join(name)).map_err(|e| format!("{name}: {e}"));
    verify::launches_of(&text, read).map_err(|e| anyhow!("{}: {e}", path.display()))
}

struct Job<'a> {
    args: &'a Verify,
    reporter: &'a Reporter,
    shown: String,
    source: String,
    all_same: bool,
}

impl Job<'_> {
    fn tell(&mut self, diags: &[Diag]) {
        self.all_same = false;
        self.reporter.diags(diags, &self.shown, &self.source);
    }

    fn kernel(&mut self, name: &str, targets: &[Target], given: &[Launch]) {
        let subject = match Subject::new(&self.source, name) {
            Ok(subject) => subject,
            Err(diags) => return self.tell(&diags),
        };
        let mut launches: Vec<Launch> = given.iter().filter(|launch| launch.kernel == name).cloned().collect();
        if launches.is_empty() {
            match verify::derive(&subject, name) {
                Ok(launch) => launches.push(launch),
                Err(fault) => {
                    let note = "no arguments were found under which it runs: describe a launch in FILE.toml";
                    return self.tell(&[fault.diag().note(note)]);
                }
            }
        }
        for target in targets {
            let options = Options { kernels: Some(vec![name.to_string()]), ..Options::new(target.clone()) };
            let object = match translate(&self.source, &options) {
                Ok(object) => object,
                Err(diags) => {
                    self.tell(&diags);
                    continue;
                }
            };
            for launch in &launches {
                match subject.compare(&object, launch, self.args.step_limit) {
                    Ok(Verdict::Same { order_dependent: 0, steps: (ptx, amd) }) => {
                        println!("{name} on {target}: same ({ptx} PTX instructions of threads, {amd} of waves)");
                    }
                    Ok(Verdict::Same { order_dependent, .. }) => println!(
                        "{name} on {target}: same, but for {order_dependent} bytes that depend on the order of threads"
                    ),
                    Ok(Verdict::Differs(difference)) => {
                        println!("{name} on {target}: DIFFERS");
                        let span = difference.origin.map_or(Span::NONE, |origin| origin.span);
                        let mut diag =
                            Diag::error(codes::MISMATCH, span, format!("kernel `{name}` on {target}: {difference}"));
                        if let Some(origin) = difference.origin {
                            let who = format!("stored here by thread {} of block {}", origin.thread, origin.block);
                            diag = diag.label(span, who);
                        }
                        if let Some(origin) = &difference.origin
                            && let Ok(blame) = subject.blame(&self.source, &options, launch, origin, difference.address)
                        {
                            if let Some((span, value)) = blame.agrees {
                                diag = diag.label(span, format!("the last value that agrees: {value:#x}"));
                            }
                            if let Some(wrong) = blame.differs {
                                let got: Vec<String> = wrong.got.iter().map(|v| format!("{v:#x}")).collect();
                                diag =
                                    diag.label(wrong.span, format!("PTX gives {:#x} here", wrong.value)).note(format!(
                                        "`{}` at kernel + {:#x} gives {}",
                                        wrong.text,
                                        wrong.code_offset,
                                        got.join(", ")
                                    ));
                            }
                        }
                        let mut diags = vec![diag];
                        // An undefined program may do anything.
                        let options = eval::Options { step_limit: self.args.step_limit, ..eval::Options::default() };
                        let findings = subject.sanitize(launch, options).1;
                        if !findings.is_empty() {
                            let note = "the PTX itself does what is undefined, as follows: that may be the reason";
                            diags[0].notes.push(note.to_string());
                            diags.extend(findings.iter().take(3).map(eval::Fault::diag));
                        }
                        self.tell(&diags);
                    }
                    Ok(Verdict::Fault(fault)) => {
                        println!("{name} on {target}: FAULT");
                        self.tell(&[Diag::error(codes::MISMATCH, Span::NONE, format!("on {target}: {fault}"))]);
                    }
                    Err(Trouble::Refused(diags)) => self.tell(&diags),
                    Err(Trouble::Eval(fault)) => self.tell(&[fault.diag()]),
                }
            }
        }
    }
}
