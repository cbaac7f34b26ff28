//! `run`.

use super::args::{Engine, Run};
use super::report::Reporter;
use super::{Outcome, bundle, files};
use anyhow::{Context, Result, anyhow, bail};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use warp2wave::diag::Diag;
use warp2wave::run::{self, Arg, ArgError, Dump, Launch, OutFile, Value};
use warp2wave::verify::{self, Subject};
use warp2wave::{Options, amd, container, eval, object, translate};

/// Translates where needed, launches, then prints and writes buffers.
pub fn run(args: &Run, reporter: &Reporter) -> Result<Outcome> {
    let parsed: Vec<Arg> = each(&args.args, "--arg", Arg::parse)?;
    let dumps: Vec<Dump> = each(&args.dump, "--dump", Dump::parse)?;
    let outs: Vec<OutFile> = each(&args.out, "--out", OutFile::parse)?;

    let Some(loaded) = load(args, reporter)? else { return Ok(Outcome::Refused) };
    let Loaded { kernel, parameters, executes } = loaded;
    // Before the kernel runs, so that a misspelt name costs nothing.
    let find = |name: &str| run::find_buffer(&parsed, &parameters, name).map_err(|e| anyhow!(e));
    let dumps = dumps.into_iter().map(|d| Ok((find(&d.name)?, d))).collect::<Result<Vec<_>>>()?;
    let outs = outs.into_iter().map(|o| Ok((find(&o.name)?, o))).collect::<Result<Vec<_>>>()?;

    let read = |path: &str| std::fs::read(path).map_err(|e| format!("{path}: {e}"));
    let values = parsed.iter().map(|a| a.resolve(read).map_err(|e| anyhow!(e))).collect::<Result<Vec<_>>>()?;
    let launch =
        Launch { kernel, grid: args.grid, block: args.block, dynamic_lds_bytes: args.dynamic_shared, args: values };
    let (buffers, outcome) = match executes {
        Executes::Object(code) => (run::launch(&code, &launch)?, Outcome::Done),
        Executes::Ptx { source, subject } => match interpret(args, reporter, &source, &subject, &launch) {
            Some(done) => done,
            None => return Ok(Outcome::Refused),
        },
    };

    let mut text = String::new();
    for ((arg, buffer), dump) in &dumps {
        if let Value::Buffer { ty, .. } = parsed[*arg].value {
            let _ = write!(text, "{}:\n{}", dump.name, run::render(&buffers[*buffer], ty, dump));
        }
    }
    for ((_, buffer), out) in &outs {
        files::write(Path::new(&out.path), &buffers[*buffer])?;
    }
    std::io::stdout().lock().write_all(text.as_bytes())?;
    Ok(outcome)
}

/// A kernel that can be launched.
struct Loaded {
    kernel: String,
    parameters: Vec<Option<String>>,
    executes: Executes,
}

enum Executes {
    Object(Vec<u8>),
    Ptx { source: String, subject: Box<Subject> },
}

/// `None` when the file was refused.
fn load(args: &Run, reporter: &Reporter) -> Result<Option<Loaded>> {
    if args.engine == Engine::Ptx {
        return load_ptx(args, reporter);
    }
    if args.sanitize || args.seed != 0 {
        bail!("--sanitize and --seed belong to --engine ptx");
    }
    let Some(code) = code_object(args, reporter)? else { return Ok(None) };
    let object = object::read(&code).with_context(|| files::shown(&args.file))?;
    if let Some(target) = &args.target
        && !amd::Target::parse(&object.target).is_ok_and(|of_object| target.loads(&of_object))
    {
        bail!("{} is a code object for {}, not for {target}", files::shown(&args.file), object.target);
    }
    let names: Vec<&str> = object.kernels.iter().map(|k| k.name.as_str()).collect();
    let kernel = &object.kernels[choose(args, &names)?];
    let parameters = kernel.metadata.args.iter().filter(|a| !a.is_hidden()).map(|a| a.name.clone()).collect();
    Ok(Some(Loaded { kernel: kernel.name.clone(), parameters, executes: Executes::Object(code) }))
}

/// Which of these kernels is meant.
fn choose(args: &Run, names: &[&str]) -> Result<usize> {
    match (&args.kernel, names) {
        (Some(name), names) => {
            let found = names.iter().position(|n| n == name);
            found.with_context(|| format!("no kernel `{name}`; there are: {}", names.join(", ")))
        }
        (None, [_]) => Ok(0),
        (None, names) => bail!("which kernel? --kernel takes one of: {}", names.join(", ")),
    }
}

fn load_ptx(args: &Run, reporter: &Reporter) -> Result<Option<Loaded>> {
    let source = files::ptx_text(files::read(&args.file)?, &args.file)?;
    let names = match verify::kernels(&source) {
        Ok(names) => names,
        Err(diags) => {
            reporter.diags(&diags, &files::shown(&args.file), &source);
            return Ok(None);
        }
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let kernel = names[choose(args, &names)?].to_string();
    match Subject::new(&source, &kernel) {
        Ok(subject) => {
            let parameters = subject.program.params.iter().map(|p| Some(p.name.clone())).collect();
            let subject = Box::new(subject);
            Ok(Some(Loaded { kernel, parameters, executes: Executes::Ptx { source, subject } }))
        }
        Err(diags) => {
            reporter.diags(&diags, &files::shown(&args.file), &source);
            Ok(None)
        }
    }
}

/// Interprets a launch: the buffers, and whether the sanitizer was content. `None` after a fault, which was reported.
fn interpret(
    args: &Run,
    reporter: &Reporter,
    source: &str,
    subject: &Subject,
    launch: &Launch,
) -> Option<(Vec<Vec<u8>>, Outcome)> {
    let options = eval::Options { seed: args.seed, ..eval::Options::default() };
    let (result, findings) =
        if args.sanitize { subject.sanitize(launch, options) } else { (subject.eval(launch, None, options), vec![]) };
    let mut diags: Vec<Diag> = findings.iter().map(eval::Fault::diag).collect();
    let outcome = if diags.is_empty() { Outcome::Done } else { Outcome::Refused };
    diags.extend(result.as_ref().err().map(|fault| fault.diag()));
    reporter.diags(&diags, &files::shown(&args.file), source);
    result.ok().map(|result| (result.buffers, outcome))
}

/// The file's bytes if it is a code object, else the translation of its PTX; `None` when that was refused.
fn code_object(args: &Run, reporter: &Reporter) -> Result<Option<Vec<u8>>> {
    let bytes = files::read(&args.file)?;
    if bytes.starts_with(b"\x7fELF") || container::is_bundle(&bytes) {
        return bundle::code_object(bytes, args.target.as_ref()).map(Some).with_context(|| files::shown(&args.file));
    }
    let source = files::ptx_text(bytes, &args.file)?;
    let Some(target) = &args.target else {
        bail!("PTX needs a --target to be translated for, as gfx1100 or gfx942");
    };
    let block = args.block.iter().product::<u32>().max(1);
    let defaults = Options::new(target.clone());
    let options = Options {
        kernels: args.kernel.clone().map(|k| vec![k]),
        code_object_version: args.code_object.unwrap_or(defaults.code_object_version),
        max_block: block.min(1024),
        ..defaults
    };
    match translate(&source, &options) {
        Ok(object) => Ok(Some(object.into_bytes())),
        Err(diags) => {
            reporter.diags(&diags, &files::shown(&args.file), &source);
            Ok(None)
        }
    }
}

/// Parses each use of an option; a mistake is shown in place.
fn each<T>(texts: &[String], option: &str, parse: impl Fn(&str) -> Result<T, ArgError>) -> Result<Vec<T>> {
    texts.iter().map(|t| parse(t).map_err(|e| anyhow!("{option}: {e}"))).collect()
}
