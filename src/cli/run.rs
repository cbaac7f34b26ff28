//! `run`.

use super::args::Run;
use super::report::Reporter;
use super::{Outcome, bundle, files};
use anyhow::{Context, Result, anyhow, bail};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use warp2wave::run::{self, Arg, ArgError, Dump, Launch, OutFile, Value};
use warp2wave::{Options, amd, container, object, translate};

/// Translates where needed, launches, then prints and writes buffers.
pub fn run(args: &Run, reporter: &Reporter) -> Result<Outcome> {
    let parsed: Vec<Arg> = each(&args.args, "--arg", Arg::parse)?;
    let dumps: Vec<Dump> = each(&args.dump, "--dump", Dump::parse)?;
    let outs: Vec<OutFile> = each(&args.out, "--out", OutFile::parse)?;

    let Some(code) = code_object(args, reporter)? else { return Ok(Outcome::Refused) };
    let object = object::read(&code).with_context(|| files::shown(&args.file))?;
    if let Some(target) = &args.target
        && !amd::Target::parse(&object.target).is_ok_and(|of_object| target.loads(&of_object))
    {
        bail!("{} is a code object for {}, not for {target}", files::shown(&args.file), object.target);
    }
    let kernel = match (&args.kernel, object.kernels.as_slice()) {
        (Some(name), kernels) => kernels.iter().find(|k| k.name == *name).with_context(|| {
            let names: Vec<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
            format!("no kernel `{name}`; there are: {}", names.join(", "))
        })?,
        (None, [only]) => only,
        (None, kernels) => {
            let names: Vec<&str> = kernels.iter().map(|k| k.name.as_str()).collect();
            bail!("which kernel? --kernel takes one of: {}", names.join(", "));
        }
    };
    let parameters: Vec<Option<String>> =
        kernel.metadata.args.iter().filter(|a| !a.is_hidden()).map(|a| a.name.clone()).collect();
    // Before the kernel runs, so that a misspelt name costs nothing.
    let find = |name: &str| run::find_buffer(&parsed, &parameters, name).map_err(|e| anyhow!(e));
    let dumps = dumps.into_iter().map(|d| Ok((find(&d.name)?, d))).collect::<Result<Vec<_>>>()?;
    let outs = outs.into_iter().map(|o| Ok((find(&o.name)?, o))).collect::<Result<Vec<_>>>()?;

    let read = |path: &str| std::fs::read(path).map_err(|e| format!("{path}: {e}"));
    let values = parsed.iter().map(|a| a.resolve(read).map_err(|e| anyhow!(e))).collect::<Result<Vec<_>>>()?;
    let launch = Launch {
        kernel: kernel.name.clone(),
        grid: args.grid,
        block: args.block,
        dynamic_lds_bytes: args.dynamic_shared,
        args: values,
    };
    let buffers = run::launch(&code, &launch)?;

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
    Ok(Outcome::Done)
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
