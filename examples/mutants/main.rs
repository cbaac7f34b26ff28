//! Measures which share of small faults in the compiler the tests catch.
//!
//! ```text
//! cargo run --release --example mutants -- DIR [--sample N] [--seed S] [--only N,..] [--patience SECONDS] [--again] [PATH..]
//! ```
//! Copies the project to DIR with every fault of the given files (by default the stages from selection to finishing) built in at once,
//! each behind a switch in the environment; runs every test once to see which faults it comes to; then judges the faults,
//! or a random sample of them, by the tests that come to them. `--again` takes what an earlier run has recorded. Prints the share caught for each file, and every survivor.

mod judge;
mod sites;
mod tree;

use anyhow::{Context, Result, bail};
use indicatif::{ProgressBar, ProgressStyle};
use judge::{Judge, Recorded, Verdict};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tree::Tree;
use warp2wave::generate::Rng;

const DEFAULT: &[&str] = &["src/isel", "src/finish", "src/alloc", "src/ir/byteperm.rs"];
/// Generated data, no code.
const DATA: &[&str] = &["src/isel/byteperm/table.rs"];

struct Arguments {
    root: PathBuf,
    sample: usize,
    seed: u64,
    only: Vec<usize>,
    patience: u64,
    again: bool,
    paths: Vec<String>,
}

fn arguments() -> Result<Arguments> {
    let mut list = std::env::args().skip(1);
    let mut found = Arguments {
        root: PathBuf::new(),
        sample: usize::MAX,
        seed: 0,
        only: vec![],
        patience: 25,
        again: false,
        paths: vec![],
    };
    while let Some(word) = list.next() {
        let mut value = || list.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--sample" => found.sample = value()?.parse()?,
            "--seed" => found.seed = value()?.parse()?,
            "--only" => found.only = value()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--again" => found.again = true,
            "--patience" => found.patience = value()?.parse()?,
            _ if found.root.as_os_str().is_empty() => found.root = word.into(),
            _ => found.paths.push(word),
        }
    }
    if found.root.as_os_str().is_empty() {
        bail!("no folder for the copy is given");
    }
    if found.paths.is_empty() {
        found.paths = DEFAULT.iter().map(|path| path.to_string()).collect();
    }
    Ok(found)
}

/// The Rust files in the folders, and the files.
fn files(project: &Path, paths: &[String]) -> Result<Vec<String>> {
    let mut files = vec![];
    for path in paths {
        for entry in walkdir::WalkDir::new(project.join(path)) {
            let entry = entry?;
            let name = entry.path().strip_prefix(project)?.to_string_lossy().into_owned();
            if name.ends_with(".rs") && !DATA.contains(&name.as_str()) {
                files.push(name);
            }
        }
    }
    files.sort();
    files.dedup();
    Ok(files)
}

fn bar(length: usize) -> ProgressBar {
    let bar = ProgressBar::new(length as u64);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len}, {eta} left, {msg}") {
        bar.set_style(style);
    }
    bar
}

fn main() -> Result<()> {
    let arguments = arguments()?;
    let project = std::env::current_dir()?;
    let files = files(&project, &arguments.paths)?;
    std::fs::create_dir_all(&arguments.root)?;
    let root = arguments.root.canonicalize()?;
    let mut tree = Tree::copy(&project, &root, &files)?;
    println!("{} faults in {} files", tree.mutants.len(), files.len());
    tree.build(&project)?;
    println!("{} do not compile", tree.dropped.len());
    let programs = tree.programs()?;
    let record = root.join("recorded.json");
    let progress = bar(0);
    if !arguments.again {
        Recorded::new(&root, &programs, |done, all| {
            progress.set_length(all as u64);
            progress.set_position(done as u64);
        })?
        .write(&record)?;
    }
    let patience = Duration::from_secs(arguments.patience);
    let judge = Judge::new(&root, patience, Recorded::read(&record)?, tree.mutants.len());
    progress.finish_and_clear();
    let chosen = choose(&arguments, &tree);
    let progress = bar(chosen.len());
    let mut verdicts: Vec<(usize, Verdict)> = chosen
        .par_iter()
        .map(|&n| {
            let verdict = judge.judge(n)?;
            let mutant = &tree.mutants[n];
            if matches!(verdict, Verdict::Survives | Verdict::Unreached) {
                progress
                    .suspend(|| println!("{n} {verdict:?}: {}:{} {}", mutant.file, mutant.site.line, mutant.site.what));
            }
            progress.inc(1);
            // Where no bar is shown, too.
            let judged = progress.position();
            if judged.is_multiple_of(100) {
                progress.suspend(|| println!("{judged} judged"));
            }
            Ok((n, verdict))
        })
        .collect::<Result<_>>()?;
    progress.finish_and_clear();
    verdicts.sort_by_key(|v| v.0);
    report(&tree, &verdicts);
    Ok(())
}

/// The faults to judge, spread over all files alike.
fn choose(arguments: &Arguments, tree: &Tree) -> Vec<usize> {
    let mut all: Vec<usize> = (0..tree.mutants.len()).filter(|n| !tree.dropped.contains(n)).collect();
    if !arguments.only.is_empty() {
        all.retain(|n| arguments.only.contains(n));
    }
    let mut rng = Rng::new(arguments.seed);
    for last in (1..all.len()).rev() {
        all.swap(last, rng.below(last as u32 + 1) as usize);
    }
    all.truncate(arguments.sample);
    all
}

fn report(tree: &Tree, verdicts: &[(usize, Verdict)]) {
    let caught = |v: &Verdict| matches!(v, Verdict::Caught | Verdict::Endless);
    let mut by_file: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
    for (n, verdict) in verdicts {
        let counts = by_file.entry(&tree.mutants[*n].file).or_default();
        counts[0] += usize::from(caught(verdict));
        counts[1] += 1;
    }
    for (file, [caught, all]) in &by_file {
        println!("{file}: {caught} of {all}");
    }
    let count = |wanted: Verdict| verdicts.iter().filter(|v| v.1 == wanted).count();
    let all = verdicts.len();
    let good = verdicts.iter().filter(|v| caught(&v.1)).count();
    println!(
        "{good} of {all} caught ({:.1} %), {} of them by running far longer; {} survive, {} are reached by no test",
        100.0 * good as f64 / all.max(1) as f64,
        count(Verdict::Endless),
        count(Verdict::Survives),
        count(Verdict::Unreached)
    );
}
