//! What of the corpus translates, as a table; and that `check` says what `translate` does.

use super::ptx::ptx_files;
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use warp2wave::amd::Target;
use warp2wave::coverage::{self, Coverage, Summary};
use warp2wave::diag::{Diag, Span};
use warp2wave::{Options, translate};

/// One processor of each family, as `check` takes them by default.
const FAMILIES: [&str; 11] = [
    "gfx906", "gfx908", "gfx90a", "gfx942", "gfx950", "gfx1010", "gfx1030", "gfx1100", "gfx1151", "gfx1201", "gfx1250",
];
/// Files up to this size go through all families, others through two: the rest takes minutes with all verifiers at work.
const SMALL_BYTES: u64 = 12 << 10;

fn options(name: &str) -> Options {
    Options::new(Target::parse(name).expect("a known target"))
}

/// The shipped corpus: nothing depends on folders that the environment names.
fn files(wanted: impl Fn(u64) -> bool) -> Vec<PathBuf> {
    let mut files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus"));
    files.retain(|path| wanted(std::fs::metadata(path).expect("a file").len()));
    files
}

fn summary(covered: &[(PathBuf, String, Coverage)], targets: &[&str]) -> String {
    let mut summary = Summary::new(targets.iter().map(|name| name.to_string()));
    covered.iter().for_each(|(_, _, coverage)| summary.add(coverage));
    coverage::summary_text(&summary)
}

fn cover(files: Vec<PathBuf>, targets: &[&str]) -> Vec<(PathBuf, String, Coverage)> {
    let each: Vec<Options> = targets.iter().map(|name| options(name)).collect();
    let one = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).expect("readable");
        let coverage = coverage::of(&text, &each);
        (path, text, coverage)
    };
    files.into_par_iter().map(one).collect()
}

/// Places and codes of what stops a translation.
fn places<'d>(diags: impl IntoIterator<Item = &'d Diag>) -> BTreeSet<(Span, u16)> {
    diags.into_iter().filter(|diag| diag.is_fatal()).map(|diag| (diag.span, diag.code.0)).collect()
}

/// What `check` and `translate` disagree about for one target.
fn disagreements(path: &Path, text: &str, coverage: &Coverage, target: usize) -> String {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = &coverage.targets[target];
    let mut wrong = String::new();
    let blocking = |kernel: Option<usize>| {
        let of_kernel =
            move |blocker: &&coverage::Blocker| kernel.is_none_or(|kernel| blocker.kernels.contains(&kernel));
        let here = coverage.blockers.iter().filter(move |blocker| blocker.targets.contains(&target));
        places(here.filter(of_kernel).map(|blocker| &blocker.diag))
    };
    match translate(text, &options(name)) {
        Ok(_) => {
            if !coverage.translates[target] || !blocking(None).is_empty() {
                wrong += &format!("{file} on {name}: translates, and check says no\n");
            }
            // A module that translates has kernels that do.
            if coverage.kernels.iter().any(|kernel| !kernel.translates[target]) {
                wrong += &format!("{file} on {name}: a kernel of it does not translate by check\n");
            }
            return wrong;
        }
        Err(diags) => {
            let said = places(&diags);
            if coverage.translates[target] || said.is_empty() || !blocking(None).is_superset(&said) {
                wrong += &format!("{file} on {name}: translate refuses {said:?}, check {:?}\n", blocking(None));
            }
        }
    }
    for (n, kernel) in coverage.kernels.iter().enumerate() {
        let alone = Options { kernels: Some(vec![kernel.name.clone()]), ..options(name) };
        let said = translate(text, &alone).err().map_or_else(BTreeSet::new, |diags| places(&diags));
        if kernel.translates[target] != said.is_empty() || blocking(Some(n)) != said {
            wrong +=
                &format!("{file}/{} on {name}: translate says {said:?}, check {:?}\n", kernel.name, blocking(Some(n)));
        }
    }
    wrong
}

/// The whole corpus for two processors, a wave64 and a wave32 one. A change of this table is news.
#[test]
fn corpus_coverage() {
    let targets = ["gfx942", "gfx1100"];
    let covered = cover(files(|_| true), &targets);
    insta::assert_snapshot!("coverage_corpus", summary(&covered, &targets));
    // Each file is translated for one of them.
    let compare =
        |(n, (path, text, coverage)): (usize, &(PathBuf, String, Coverage))| disagreements(path, text, coverage, n % 2);
    let wrong: String = covered.par_iter().enumerate().map(compare).collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// The small files of the corpus for one processor of each family.
#[test]
fn coverage_of_families() {
    let covered = cover(files(|bytes| bytes <= SMALL_BYTES), &FAMILIES);
    insta::assert_snapshot!("coverage_families", summary(&covered, &FAMILIES));
    let wrong: String = covered
        .par_iter()
        .enumerate()
        .map(|(n, (path, text, coverage))| disagreements(path, text, coverage, n % FAMILIES.len()))
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
}

/// What only some processors have room for: no kernel of the corpus is so large.
#[test]
fn limits_are_those_of_translate() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/check/filter.ptx");
    for (path, text, coverage) in cover(vec![path], &FAMILIES) {
        let roomy: Vec<&str> =
            (0..FAMILIES.len()).filter(|&n| coverage.kernels[0].translates[n]).map(|n| FAMILIES[n]).collect();
        assert_eq!(roomy, ["gfx950", "gfx1250"]);
        let wrong: String = (0..FAMILIES.len()).map(|n| disagreements(&path, &text, &coverage, n)).collect();
        assert!(wrong.is_empty(), "{wrong}");
    }
}
