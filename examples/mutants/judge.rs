//! Which tests come to a fault, and whether one of them fails for it.

use anyhow::{Context, Result, bail};
use rayon::prelude::*;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One test of one program.
pub struct Test {
    pub program: PathBuf,
    pub name: String,
    /// Alone, without a fault.
    pub time: Duration,
}

/// The tests, those that say most in the least time first, and for each fault those that come to it.
pub struct Judge {
    root: PathBuf,
    /// Tests of one fault that take longer together are left out, the last ones: what only they would catch counts as surviving.
    patience: Duration,
    pub tests: Vec<Test>,
    pub reached: Vec<Vec<usize>>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    Caught,
    /// Tests ran for far longer than without the fault.
    Endless,
    Survives,
    /// No test comes to it.
    Unreached,
}

/// Tests of one process take together about this at first, then more: most faults are seen by a quick test.
const BATCHES: [Duration; 3] = [Duration::from_millis(700), Duration::from_secs(8), Duration::MAX];

/// What every test does without a fault: its time, and the faults that it comes to.
pub struct Recorded(Vec<(Test, Vec<usize>)>);

impl Recorded {
    /// Runs every test alone.
    pub fn new(root: &Path, programs: &[PathBuf], progress: impl Fn(usize, usize) + Sync) -> Result<Recorded> {
        let mut names = vec![];
        for program in programs {
            let output = Command::new(program).current_dir(root).args(["--list", "--format=terse"]).output()?;
            for line in String::from_utf8(output.stdout)?.lines() {
                if let Some(name) = line.strip_suffix(": test") {
                    names.push((program.clone(), name.to_string()));
                }
            }
        }
        let done = std::sync::atomic::AtomicUsize::new(0);
        let recorded = names
            .par_iter()
            .enumerate()
            .map(|(index, (program, name))| {
                let hits = root.join(format!("hits.{index}"));
                let _ = std::fs::remove_file(&hits);
                let start = Instant::now();
                let status = quiet(program, root).args(["--exact", name]).env("W2W_MUTANT_HITS", &hits).status()?;
                let time = start.elapsed();
                if !status.success() {
                    bail!("{name} fails without a fault");
                }
                let text = std::fs::read_to_string(&hits).unwrap_or_default();
                let reached: Vec<usize> = text.lines().map(str::parse).collect::<Result<_, _>>().context("hits")?;
                let _ = std::fs::remove_file(&hits);
                progress(1 + done.fetch_add(1, std::sync::atomic::Ordering::Relaxed), names.len());
                Ok((Test { program: program.clone(), name: name.clone(), time }, reached))
            })
            .collect::<Result<_>>()?;
        Ok(Recorded(recorded))
    }

    pub fn write(&self, to: &Path) -> Result<()> {
        let row = |(test, hits): &(Test, Vec<usize>)| {
            serde_json::json!([test.program.to_string_lossy(), test.name, test.time.as_micros() as u64, hits])
        };
        Ok(std::fs::write(to, serde_json::to_vec(&self.0.iter().map(row).collect::<Vec<_>>())?)?)
    }

    pub fn read(from: &Path) -> Result<Recorded> {
        let rows: Vec<serde_json::Value> = serde_json::from_slice(&std::fs::read(from)?)?;
        let test = |row: &serde_json::Value| {
            let test = Test {
                program: row[0].as_str()?.into(),
                name: row[1].as_str()?.to_string(),
                time: Duration::from_micros(row[2].as_u64()?),
            };
            let hits = row[3].as_array()?.iter().map(|hit| Some(hit.as_u64()? as usize)).collect::<Option<_>>()?;
            Some((test, hits))
        };
        rows.iter().map(test).collect::<Option<_>>().map(Recorded).context("the record is damaged")
    }
}

impl Judge {
    pub fn new(root: &Path, patience: Duration, recorded: Recorded, faults: usize) -> Judge {
        let Recorded(mut recorded) = recorded;
        // A test that comes to few faults is about them; one that comes to all shows most of them only if it shows any.
        recorded.sort_by_key(|(test, hits)| test.time.as_micros() * hits.len() as u128);
        let mut reached = vec![vec![]; faults];
        let mut tests = vec![];
        for (test, hits) in recorded {
            hits.into_iter().for_each(|n| reached[n].push(tests.len()));
            tests.push(test);
        }
        Judge { root: root.to_path_buf(), patience, tests, reached }
    }

    /// Runs the tests that come to a fault with it, in their order, until one fails.
    pub fn judge(&self, fault: usize) -> Result<Verdict> {
        let mut all = Duration::ZERO;
        let fits = |&&test: &&usize| {
            all += self.tests[test].time;
            all <= self.patience
        };
        let count = self.reached[fault].iter().take_while(fits).count();
        if self.reached[fault].is_empty() {
            return Ok(Verdict::Unreached);
        }
        let mut left = &self.reached[fault][..count];
        for limit in BATCHES {
            if left.is_empty() {
                break;
            }
            let mut sum = Duration::ZERO;
            let fits = |&&test: &&usize| {
                sum += self.tests[test].time;
                sum <= limit
            };
            let count = left.iter().take_while(fits).count().max(1).min(left.len());
            let (now, later) = left.split_at(count);
            left = later;
            for program in programs_of(&self.tests, now) {
                let own: Vec<&Test> = now.iter().map(|&t| &self.tests[t]).filter(|t| t.program == program).collect();
                match self.run(&program, &own, fault)? {
                    Verdict::Survives => {}
                    verdict => return Ok(verdict),
                }
            }
        }
        Ok(Verdict::Survives)
    }

    fn run(&self, program: &Path, tests: &[&Test], fault: usize) -> Result<Verdict> {
        let patience = tests.iter().map(|t| t.time).sum::<Duration>() * 6 + Duration::from_secs(20);
        let mut command = quiet(program, &self.root);
        command.arg("--exact").args(tests.iter().map(|t| &t.name)).env("W2W_MUTANT", fault.to_string());
        let mut child = command.spawn()?;
        let start = Instant::now();
        let mut pause = Duration::from_millis(2);
        loop {
            if let Some(status) = child.try_wait()? {
                return Ok(if status.success() { Verdict::Survives } else { Verdict::Caught });
            }
            if start.elapsed() > patience {
                child.kill()?;
                child.wait()?;
                return Ok(Verdict::Endless);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(50));
        }
    }
}

fn programs_of(tests: &[Test], some: &[usize]) -> Vec<PathBuf> {
    let mut programs: Vec<PathBuf> = some.iter().map(|&t| tests[t].program.clone()).collect();
    programs.sort();
    programs.dedup();
    programs
}

/// A test program that says nothing, on one thread, and records no snapshots. A fault may want any amount of memory: 8 GiB are enough
/// for every test without one.
fn quiet(program: &Path, root: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 8388608; exec \"$@\"", "sh"]).arg(program);
    command.current_dir(root).args(["--test-threads=1", "-q"]).env("RAYON_NUM_THREADS", "1").env("INSTA_UPDATE", "no");
    command.env("CARGO_MANIFEST_DIR", root).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}
