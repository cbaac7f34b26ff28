//! Generates kernels, translates them, and compares the interpreter with the emulator, on all cores.
//!
//! ```text
//! cargo run --release --example generate_verify -- --seeds 0..100000 --target gfx906,gfx1100 [--lanes] [--floats] [--size N]
//! ```
//! The first failures are reduced to a few lines and printed.

use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::time::Instant;
use warp2wave::amd::Target;
use warp2wave::generate::{Config, generate};
use warp2wave::verify::{Checker, reduce, still_fails};

#[cfg(feature = "mimalloc")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Failures that are reduced and printed.
const SHOWN: usize = 10;

struct Arguments {
    seeds: std::ops::Range<u64>,
    targets: Vec<Target>,
    config: Config,
    threads: usize,
}

fn arguments() -> Result<Arguments, String> {
    let mut found = Arguments { seeds: 0..1000, targets: vec![], config: Config::default(), threads: 0 };
    let mut list = std::env::args().skip(1);
    while let Some(name) = list.next() {
        let mut value = || list.next().ok_or(format!("{name} needs a value"));
        match name.as_str() {
            "--seeds" => {
                let text = value()?;
                let (from, to) = text.split_once("..").ok_or("--seeds takes FROM..TO")?;
                let number = |text: &str| text.parse::<u64>().map_err(|e| format!("{text}: {e}"));
                found.seeds = number(from)?..number(to)?;
            }
            "--target" => found.targets = value()?.split(',').map(Target::parse).collect::<Result<_, _>>()?,
            "--size" => found.config.size = value()?.parse().map_err(|e| format!("--size: {e}"))?,
            "--threads" => found.threads = value()?.parse().map_err(|e| format!("--threads: {e}"))?,
            "--lanes" => found.config.lanes = true,
            "--floats" => found.config.floats = true,
            "--print" => {
                let seed = value()?.parse().map_err(|e| format!("--print: {e}"))?;
                print!("{}", generate(seed, &found.config).source);
                std::process::exit(0);
            }
            _ => return Err(format!("{name} is no option")),
        }
    }
    if found.targets.is_empty() {
        let names = ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"];
        found.targets = names.iter().map(|name| Target::parse(name)).collect::<Result<_, _>>()?;
    }
    Ok(found)
}

fn main() -> Result<(), String> {
    let Arguments { seeds, targets, config, threads } = arguments()?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(|e| e.to_string())?;
    // A panic is a finding like any other, and is told with its seed.
    std::panic::set_hook(Box::new(|_| {}));
    let bar = ProgressBar::new(seeds.end - seeds.start);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} kernels, {per_sec}, {eta} left, {msg}") {
        bar.set_style(style);
    }
    let failures: Mutex<Vec<(u64, String, String)>> = Mutex::new(vec![]);
    let start = Instant::now();
    pool.install(|| {
        seeds.clone().into_par_iter().for_each(|seed| {
            let kernel = generate(seed, &config);
            let checker = Checker::new(&kernel);
            for target in &targets {
                let result = catch_unwind(AssertUnwindSafe(|| match &checker {
                    Ok(checker) => checker.check(target).err(),
                    Err(what) => Some(what.clone()),
                }));
                if let Some(what) = result.unwrap_or_else(|panic| Some(format!("panic: {}", panic_text(&*panic)))) {
                    eprintln!("seed {seed}, {target}: {}", what.lines().next().unwrap_or(""));
                    if let Ok(mut list) = failures.lock() {
                        list.push((seed, target.to_string(), what));
                        bar.set_message(format!("{} failures", list.len()));
                    }
                }
            }
            bar.inc(1);
        });
    });
    bar.finish_and_clear();
    let seconds = start.elapsed().as_secs_f64();
    let mut failures = failures.into_inner().map_err(|e| e.to_string())?;
    failures.sort();
    let count = seeds.end - seeds.start;
    println!(
        "{count} kernels (seeds {}..{}) on {} targets in {seconds:.1} s: {:.0} comparisons a second, {} failures",
        seeds.start,
        seeds.end,
        targets.len(),
        (count * targets.len() as u64) as f64 / seconds,
        failures.len()
    );
    for (seed, target, what) in &failures {
        println!("seed {seed}, {target}: {}", what.lines().next().unwrap_or(""));
    }
    for (seed, target, what) in failures.iter().take(SHOWN) {
        let target = Target::parse(target)?;
        let kernel = generate(*seed, &config);
        let small = reduce(&kernel.source, 3000, |text| {
            let outcome = catch_unwind(AssertUnwindSafe(|| still_fails(&kernel, text, &target)));
            outcome.unwrap_or(true)
        });
        println!("\n---- seed {seed}, {target}: {what}\ngrid {}, block {}\n{small}", kernel.grid, kernel.block);
    }
    if failures.is_empty() { Ok(()) } else { Err("some kernels fail".to_string()) }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("(no text)").to_string()
}
