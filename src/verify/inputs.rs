//! Launches of a kernel when nobody gave one: sizes and contents that let it run to its end.
//!
//! A parameter of 64 bits may be a pointer: it gets a buffer, which grows when the interpreter goes beyond it. Contents are
//! tried in turn (random bytes, small numbers, floats, zeros) until the kernel faults nowhere. A file `NAME.ptx.toml` beside
//! the source says it better:
//!
//! ```toml
//! [[launch]]
//! kernel = "saxpy"
//! grid = [4, 1, 1]
//! block = [64, 1, 1]
//! args = ["f32:2.5", "f32[256]=rand", "f32[256]=rand:1", "u32:256"]
//! ```

use super::Subject;
use crate::eval::{self, Fault, FaultKind, Param};
use crate::run::{Arg, ArgValue, Launch};
use toml_edit::{DocumentMut, Item, Table};

const FIRST_BYTES: usize = 1 << 14;
const MAX_BYTES: usize = 1 << 24;
const STEP_LIMIT: u64 = 10_000_000;

/// What buffers are filled with.
#[derive(Copy, Clone, PartialEq)]
enum Fill {
    Random,
    Small,
    Floats,
    Zero,
}

fn fill(kind: Fill, bytes: usize, seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 32) as u32
    };
    let words = (0..bytes.div_ceil(4)).map(|_| match kind {
        Fill::Random => next(),
        Fill::Small => next() % 64,
        Fill::Floats => ((next() % 2048) as f32 / 64.0 - 16.0).to_bits(),
        Fill::Zero => 0,
    });
    let mut content: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    content.truncate(bytes);
    content
}

/// A launch under which the interpreter comes to the end and the sanitizer finds nothing, or one with findings if there is no
/// other, or the fault of the last try.
pub fn derive(subject: &Subject, kernel: &str) -> Result<Launch, Box<Fault>> {
    let program = &subject.program;
    let most: u32 = program.maxntid.map_or(1024, |dims| dims.iter().product());
    let shapes: Vec<[u32; 3]> = match program.reqntid {
        Some(dims) => vec![dims],
        None => SHAPES.iter().copied().filter(|dims| dims.iter().product::<u32>() <= most).collect(),
    };
    let (mut last, mut doubtful) = (None, None);
    for block in shapes {
        for kind in [Fill::Random, Fill::Small, Fill::Floats, Fill::Zero] {
            for scalar in [100, 1] {
                match grow(subject, kernel, block, kind, scalar) {
                    Ok(launch) => {
                        let options = eval::Options { step_limit: STEP_LIMIT, ..eval::Options::default() };
                        if subject.sanitize(&launch, options).1.is_empty() {
                            return Ok(launch);
                        }
                        doubtful = doubtful.or(Some(launch));
                    }
                    Err(fault) => last = Some(fault),
                }
            }
        }
    }
    let nothing = || Fault::of(FaultKind::Launch("the kernel takes no block of this size".to_string()));
    doubtful.ok_or_else(|| last.unwrap_or_else(nothing))
}

/// Blocks to try: what kernels are most often written for.
const SHAPES: [[u32; 3]; 6] = [[64, 1, 1], [256, 1, 1], [128, 1, 1], [16, 16, 1], [32, 8, 1], [32, 1, 1]];

/// A launch of this kind that faults nowhere: buffers grow until nothing goes beyond them.
fn grow(subject: &Subject, kernel: &str, block: [u32; 3], kind: Fill, scalar: u32) -> Result<Launch, Box<Fault>> {
    let program = &subject.program;
    let mut sizes = vec![FIRST_BYTES; program.params.len()];
    loop {
        let argument = |(n, param): (usize, &Param)| match param.may_point {
            true => ArgValue::Buffer(fill(kind, sizes[n], n as u64)),
            // A struct by value: its dwords are small numbers.
            false => ArgValue::Bytes(scalar.to_le_bytes().into_iter().cycle().take(param.bytes as usize).collect()),
        };
        let launch = Launch {
            kernel: kernel.to_string(),
            grid: [2, 1, 1],
            block,
            dynamic_lds_bytes: if program.has_dynamic_shared { 16384 } else { 0 },
            args: program.params.iter().enumerate().map(argument).collect(),
        };
        let options = eval::Options { step_limit: STEP_LIMIT, ..eval::Options::default() };
        let Err(fault) = subject.eval(&launch, None, options) else { return Ok(launch) };
        match beyond(&fault).and_then(|n| sizes.get_mut(n)).filter(|size| **size < MAX_BYTES) {
            Some(size) => *size *= 4,
            None => return Err(fault),
        }
    }
}

/// The buffer that an access just beyond its end was meant for.
fn beyond(fault: &Fault) -> Option<usize> {
    let FaultKind::OutOfBounds { near, .. } = &fault.kind else { return None };
    near.split_once("of buffer ")?.1.split(' ').next()?.parse().ok()
}

/// The launches that a `.toml` text lists.
pub fn launches_of(text: &str, mut read: impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Vec<Launch>, String> {
    let document: DocumentMut = text.parse().map_err(|e| format!("{e}"))?;
    let Some(tables) = document.get("launch").and_then(Item::as_array_of_tables) else {
        return Err("no `[[launch]]` in the file".to_string());
    };
    tables.iter().map(|table| one_launch(table, &mut read)).collect()
}

fn one_launch(table: &Table, read: &mut impl FnMut(&str) -> Result<Vec<u8>, String>) -> Result<Launch, String> {
    for (key, _) in table.iter() {
        if !["kernel", "grid", "block", "dynamic_shared", "args"].contains(&key) {
            return Err(format!("`{key}` means nothing in a launch"));
        }
    }
    let number = |item: &toml_edit::Value, what: &str| {
        item.as_integer().and_then(|n| u32::try_from(n).ok()).ok_or_else(|| format!("`{what}` is no number"))
    };
    let dims = |name: &str| -> Result<[u32; 3], String> {
        let mut dims = [1; 3];
        let Some(item) = table.get(name) else { return Ok(dims) };
        let list =
            item.as_array().filter(|list| list.len() <= 3).ok_or_else(|| format!("`{name}` is no list of numbers"))?;
        for (dim, item) in dims.iter_mut().zip(list) {
            *dim = number(item, name)?;
        }
        Ok(dims)
    };
    let kernel = table.get("kernel").and_then(Item::as_str).ok_or("a launch names its `kernel`")?.to_string();
    let dynamic = table.get("dynamic_shared").and_then(Item::as_value);
    let mut args = vec![];
    for item in table.get("args").and_then(Item::as_array).into_iter().flatten() {
        let text = item.as_str().ok_or("an argument is a text, as \"u32:5\"")?;
        let arg = Arg::parse(text).map_err(|e| e.to_string())?;
        args.push(arg.resolve(&mut *read)?);
    }
    Ok(Launch {
        kernel,
        grid: dims("grid")?,
        block: dims("block")?,
        dynamic_lds_bytes: dynamic.map_or(Ok(0), |item| number(item, "dynamic_shared"))?,
        args,
    })
}
