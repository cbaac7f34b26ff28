//! Runs the cases of a source over its files, and tells what failed in one table.

use super::case::{Arg, Case, Ptx, entries};
use super::{SOURCES, Source, outside};
use std::{fs, path::PathBuf};

/// The PTX files of a source, by name.
pub fn files(source: &Source) -> Vec<Ptx> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus");
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("fixtures/ptx/corpus")
        .map(|entry| entry.expect("a folder entry").file_name().into_string().expect("a plain name"))
        .filter(|name| name.split('.').next() == Some(source.stem) && name.ends_with(".ptx"))
        .collect();
    names.sort();
    assert_eq!(names.len(), source.files, "files of {}: {names:?}", source.stem);
    let read = |file: String| Ptx { text: fs::read_to_string(folder.join(&file)).expect("a readable fixture"), file };
    names.into_iter().map(read).collect()
}

/// What is wrong with the cases of a file before anything runs: a kernel without cases, arguments that do not fit.
fn misfits(source: &Source, ptx: &Ptx, cases: &[Case]) -> Vec<String> {
    let mut wrong = vec![];
    for (kernel, params) in entries(&ptx.text) {
        let mine: Vec<&Case> = cases.iter().filter(|case| case.kernel == kernel).collect();
        match (outside::reason(source.stem, kernel), mine.is_empty()) {
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
            wrong.extend(misfits(source, &ptx, &cases));
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

/// Until the translator is there, a source is checked for having a case for everything.
pub fn check(source: &Source) {
    for ptx in files(source) {
        assert_eq!(misfits(source, &ptx, &(source.cases)(&ptx)), Vec::<String>::new());
    }
}
