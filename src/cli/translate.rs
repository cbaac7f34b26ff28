//! `translate-file`.

use super::args::{Common, DebugOf, Emit, TranslateFile};
use super::report::Reporter;
use super::{Outcome, files, progress};
use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use warp2wave::amd::Target;
use warp2wave::diag::Diag;
use warp2wave::pipeline::{self, Stage};
use warp2wave::{Debug, Options, container, translate, translate_bundle};

/// Translates every file for every target. Outputs are written only when every file of the call has translated.
pub fn translate_files(args: &TranslateFile, reporter: &Reporter) -> Result<Outcome> {
    if args.compress && args.emit != Emit::Bundle {
        bail!("--compress is for bundles: add --emit bundle");
    }
    let jobs = jobs(args)?;
    let bar = progress::bar(args.files.len());
    let results: Vec<FileResult> = args
        .files
        .par_iter()
        .map(|path| {
            let result = translate_file(path, args);
            bar.inc(1);
            result
        })
        .collect();
    bar.finish_and_clear();

    let mut outcome = Outcome::Done;
    let mut outputs = vec![];
    for (path, result) in args.files.iter().zip(results) {
        match result {
            FileResult::Unreadable(err) => {
                reporter.failure(&err);
                outcome = Outcome::Refused;
            }
            FileResult::Done { source, diags, outputs: bytes } => {
                reporter.diags(&diags, &files::shown(path), &source);
                match bytes {
                    Some(bytes) => outputs.push(bytes),
                    None => outcome = Outcome::Refused,
                }
            }
        }
    }
    if matches!(outcome, Outcome::Refused) {
        return Ok(outcome);
    }
    for (path, mut bytes) in jobs.iter().zip(outputs.into_iter().flatten()) {
        if args.compress {
            bytes = container::compress(&bytes)?;
        }
        files::write(path, &bytes)?;
    }
    Ok(outcome)
}

enum FileResult {
    Unreadable(anyhow::Error),
    /// `outputs` has one entry a target, or is `None` when one was refused.
    Done {
        source: String,
        diags: Vec<Diag>,
        outputs: Option<Vec<Vec<u8>>>,
    },
}

fn translate_file(path: &Path, args: &TranslateFile) -> FileResult {
    let source = match files::read(path).and_then(|bytes| files::ptx_text(bytes, path)) {
        Ok(source) => source,
        Err(err) => return FileResult::Unreadable(err),
    };
    if args.emit == Emit::Bundle {
        let each: Vec<Options> = args.target.iter().map(|target| options(target, &args.common, path)).collect();
        let (diags, outputs) = match translate_bundle(&source, &each) {
            Ok(bundle) => (vec![], Some(vec![bundle])),
            Err(diags) => (diags, None),
        };
        return FileResult::Done { source, diags, outputs };
    }
    let mut diags: Vec<Diag> = vec![];
    let mut outputs = vec![];
    let mut refused = false;
    for target in &args.target {
        let options = options(target, &args.common, path);
        let result = match args.emit {
            Emit::Hsaco | Emit::Bundle => translate(&source, &options).map(|t| t.into_bytes()),
            Emit::Asm => pipeline::text_of(&source, &options, Stage::Assembly).map(String::into_bytes),
            Emit::Ir => pipeline::text_of(&source, &options, Stage::Opt).map(String::into_bytes),
            Emit::Mir => pipeline::text_of(&source, &options, Stage::Isel).map(String::into_bytes),
        };
        match result {
            Ok(bytes) => outputs.push(bytes),
            Err(found) => {
                refused = true;
                // What does not depend on the target is said once.
                for diag in found {
                    if !diags.contains(&diag) {
                        diags.push(diag);
                    }
                }
            }
        }
    }
    FileResult::Done { source, diags, outputs: (!refused).then_some(outputs) }
}

/// What the command line asks for.
pub fn options(target: &Target, common: &Common, path: &Path) -> Options {
    let defaults = Options::new(target.clone());
    Options {
        kernels: (!common.kernels.is_empty()).then(|| common.kernels.clone()),
        code_object_version: common.code_object.unwrap_or(defaults.code_object_version),
        max_block: common.max_block,
        debug: match common.debug {
            None => Debug::None,
            Some(DebugOf::Ptx) => Debug::Ptx,
            Some(DebugOf::Source) => Debug::Source,
        },
        source_name: files::shown(path),
        ..defaults
    }
}

/// Where each output goes: files outermost, targets innermost. A bundle takes all targets.
fn jobs(args: &TranslateFile) -> Result<Vec<PathBuf>> {
    let targets = if args.emit == Emit::Bundle { &args.target[..1] } else { &args.target[..] };
    let several = args.files.len() * targets.len() > 1;
    if !several
        && let Some(out) = &args.output
        && !out.is_dir()
    {
        return Ok(vec![out.clone()]);
    }
    let folder = match &args.output {
        Some(out) if files::is_std(out) => bail!("several outputs cannot all go to standard output"),
        Some(out) if !out.is_dir() => bail!("{} is not a folder, and there are several outputs", out.display()),
        Some(out) => out.clone(),
        None => PathBuf::new(),
    };
    let ending = match args.emit {
        Emit::Hsaco => "hsaco",
        Emit::Bundle => "hsacobundle",
        Emit::Asm => "s",
        Emit::Ir => "ir",
        Emit::Mir => "mir",
    };
    let mut jobs: Vec<PathBuf> = vec![];
    for path in &args.files {
        let stem = if files::is_std(path) {
            "stdin".into()
        } else {
            path.file_stem().with_context(|| format!("{} is not a file", path.display()))?.to_string_lossy()
        };
        for target in targets {
            let name = match targets.len() {
                1 => format!("{stem}.{ending}"),
                _ => format!("{stem}.{}.{ending}", target.to_string().replace(':', "-")),
            };
            jobs.push(folder.join(name));
        }
    }
    let mut sorted = jobs.clone();
    sorted.sort();
    if let Some(pair) = sorted.windows(2).find(|p| p[0] == p[1]) {
        bail!("two inputs would both be written to {}", pair[0].display());
    }
    Ok(jobs)
}
