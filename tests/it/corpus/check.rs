//! Runs the cases of a source over its files, and tells what failed in one table.

use super::case::{Arg, Case, Ptx, Want, difference, entries};
use super::{SOURCES, Source, harness, outside};
use std::any::Any;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;

/// Replacements in the text of a module, as in [`Case::edits`].
type Edits = [(String, String)];

/// The PTX files of a source, by name.
pub fn files(source: &Source) -> Vec<Ptx> {
    let files = files_where(|stem| stem == source.stem);
    let names: Vec<&String> = files.iter().map(|ptx| &ptx.file).collect();
    assert_eq!(names.len(), source.files, "files of {}: {names:?}", source.stem);
    files
}

/// The PTX files that belong to no source here.
pub fn other_files() -> Vec<Ptx> {
    files_where(|stem| SOURCES.iter().all(|source| source.stem != stem))
}

fn files_where(wanted: impl Fn(&str) -> bool) -> Vec<Ptx> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("fixtures/ptx/corpus")
        .map(|entry| entry.expect("a folder entry").file_name().into_string().expect("a plain name"))
        .filter(|name| name.split('.').next().is_some_and(&wanted) && name.ends_with(".ptx"))
        .collect();
    names.sort();
    let read = |file: String| Ptx { text: fs::read_to_string(folder.join(&file)).expect("a readable fixture"), file };
    names.into_iter().map(read).collect()
}

/// What is wrong with the cases of a file before anything runs: a kernel without cases, arguments that do not fit.
fn misfits(ptx: &Ptx, cases: &[Case]) -> Vec<String> {
    let mut wrong = vec![];
    for (kernel, params) in entries(&ptx.text) {
        let mine: Vec<&Case> = cases.iter().filter(|case| case.kernel == kernel).collect();
        match (outside::reason(&ptx.file, kernel), mine.is_empty()) {
            (None, true) => wrong.push(format!("{}/{kernel}: no case, and not listed as outside", ptx.file)),
            (Some(_), false) => wrong.push(format!("{}/{kernel}: listed as outside, yet has cases", ptx.file)),
            _ => {}
        }
        for case in mine {
            let size = |arg: &Arg| match arg {
                Arg::Value(bytes) => bytes.len(),
                Arg::Buffer { .. } => 8,
            };
            let sizes: Vec<usize> = case.args.iter().map(size).collect();
            for (k, arg) in case.args.iter().enumerate() {
                match arg {
                    Arg::Buffer { before, after } if before.len() != after.size_bytes() || before.is_empty() => {
                        wrong.push(format!("{}/{kernel}: argument {k} changes size or is empty", ptx.file));
                    }
                    _ => {}
                }
            }
            let threads: u32 = case.block.iter().product();
            if !(1..=1024).contains(&threads) || case.grid.contains(&0) {
                wrong.push(format!("{}/{kernel}: no such launch: {}", ptx.file, case.what));
            }
            if sizes != params {
                wrong.push(format!("{}/{kernel}: parameters of {params:?} bytes, arguments of {sizes:?}", ptx.file));
            }
        }
    }
    wrong
}

#[test]
fn every_kernel_is_covered_and_every_argument_fits() {
    let mut wrong = vec![];
    for source in SOURCES {
        let mut seen = vec![];
        let mut given = vec![];
        for ptx in files(source) {
            let cases = (source.cases)(&ptx);
            wrong.extend(misfits(&ptx, &cases));
            seen.extend(ptx.kernels().into_iter().map(str::to_string));
            given.extend(cases.iter().map(|case| case.kernel));
            for case in &cases {
                for (from, _) in &case.edits {
                    if !ptx.text.contains(from.as_str()) {
                        wrong.push(format!("{}/{}: nothing reads `{from}`", ptx.file, case.kernel));
                    }
                }
            }
        }
        given.extend(outside::OUTSIDE.iter().filter(|(stem, _, _)| *stem == source.stem).map(|(_, kernel, _)| *kernel));
        let unknown = given.iter().filter(|kernel| !seen.iter().any(|name| name == *kernel));
        wrong.extend(unknown.map(|kernel| format!("{}: no file has a kernel {kernel}", source.stem)));
    }
    wrong.sort();
    wrong.dedup();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Translates and runs every kernel of a source's files on every target, and fails with a table of what went wrong.
pub fn check(source: &Source) {
    let only = std::env::var("W2W_ONLY").unwrap_or_default();
    let mut failures = vec![];
    let mut count = 0;
    let mut one = |name: String, body: &dyn Fn() -> Result<(), String>| {
        if name.contains(&only) {
            count += 1;
            let outcome = catch_unwind(AssertUnwindSafe(body));
            let outcome = outcome.unwrap_or_else(|panic| Err(format!("panicked: {}", panic_text(&*panic))));
            failures.extend(outcome.err().map(|what| format!("{name}\n    {}", what.replace('\n', "\n    "))));
        }
    };
    for ptx in files(source) {
        let cases = (source.cases)(&ptx);
        let reason = |kernel: &str| outside::reason(&ptx.file, kernel);
        for harness::Runs { target, all_files } in &harness::targets() {
            if !all_files && !harness::is_selected(&ptx.file) {
                continue;
            }
            for kernel in ptx.kernels() {
                one(format!("{}/{kernel}/{target}", ptx.file), &|| match reason(kernel) {
                    Some(why) => refused(&ptx, kernel, target, why),
                    None => computed(&ptx, kernel, target, &cases),
                });
            }
            if *all_files && ptx.kernels().iter().all(|kernel| reason(kernel).is_none()) {
                one(format!("{}/whole/{target}", ptx.file), &|| whole(&ptx, target, &cases));
            }
        }
    }
    let table = failures.join("\n");
    assert!(failures.is_empty(), "{}: {} of {count} failed\n{table}\n", source.stem, failures.len());
}

/// A kernel that is outside must be refused, with a place and as unsupported.
fn refused(ptx: &Ptx, kernel: &str, target: &str, why: &str) -> Result<(), String> {
    match harness::compile(&ptx.file, &ptx.text, target, Some(kernel)) {
        Ok(_) => Err(format!("translates, but is listed as outside for {why}: give it cases and drop the row")),
        Err(refusal) if refusal.is_located_unsupported() => Ok(()),
        Err(refusal) => Err(format!("refused, but not as unsupported at a place\n{}", refusal.text)),
    }
}

/// The kernel is translated (once for each state of the module's variables) and all its cases run; the first
/// difference is told, and how many cases differ.
fn computed(ptx: &Ptx, kernel: &str, target: &str, cases: &[Case]) -> Result<(), String> {
    let mut objects: Vec<(&Edits, Vec<u8>)> = vec![];
    let (mut wrong, mut count) = (vec![], 0);
    for case in cases.iter().filter(|case| case.kernel == kernel) {
        count += 1;
        if !objects.iter().any(|(edits, _)| *edits == case.edits) {
            let text = case.edits.iter().fold(ptx.text.clone(), |text, (from, to)| text.replace(from, to));
            let object = harness::compile(&ptx.file, &text, target, Some(kernel)).map_err(|refusal| {
                let more = refusal.diags.len().saturating_sub(1);
                format!("refused, with {more} more\n{}", refusal.text)
            })?;
            objects.push((&case.edits, object));
        }
        let object = objects.iter().find(|(edits, _)| *edits == case.edits).map_or(&[][..], |(_, object)| object);
        if let Err(what) = run(object, case) {
            wrong.push(format!("{}: {what}", case.what));
        }
    }
    match wrong.first() {
        None => Ok(()),
        Some(first) => Err(format!("{} of {count} cases wrong, first: {first}", wrong.len())),
    }
}

/// The module as a whole is one object that holds every kernel; one case of each shows that it does.
fn whole(ptx: &Ptx, target: &str, cases: &[Case]) -> Result<(), String> {
    let object = harness::compile(&ptx.file, &ptx.text, target, None).map_err(|refusal| refusal.text)?;
    for kernel in ptx.kernels() {
        if let Some(case) = cases.iter().rfind(|case| case.kernel == kernel && case.edits.is_empty()) {
            run(&object, case).map_err(|what| format!("{kernel}, {}: {what}", case.what))?;
        }
    }
    Ok(())
}

fn run(object: &[u8], case: &Case) -> Result<(), String> {
    run_in(object, case, case.block)
}

/// Runs a case in blocks of another shape.
pub fn run_in(object: &[u8], case: &Case, block: [u32; 3]) -> Result<(), String> {
    let got = harness::launch(object, case, block)?;
    let wants = case.args.iter().enumerate().filter_map(|(k, arg)| match arg {
        Arg::Value(_) => None,
        Arg::Buffer { after, .. } => Some((k, after)),
    });
    let wants: Vec<(usize, &Want)> = wants.collect();
    if got.len() != wants.len() {
        return Err(format!("{} buffers came back, not {}", got.len(), wants.len()));
    }
    match wants.iter().zip(&got).find_map(|((k, want), got)| difference(want, got).map(|what| (k, what))) {
        None => Ok(()),
        Some((k, what)) => Err(format!("argument {k} {what}")),
    }
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("(no text)")
}
