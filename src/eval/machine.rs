//! A launch: memory, blocks one after another, and the threads of a block in turns.
//!
//! A thread runs until it waits for others or its slice is over; which one runs next is their order, or drawn by the
//! seed. Blocks run one after another, in their order or in one drawn by the seed.

use super::code::*;
use super::fault::{Fault, FaultKind};
use super::memory::{Memory, Region};
use super::thread::{FILL, Status, Thread};
use super::watch::Watch;
use crate::diag::Span;

/// How a launch is executed.
#[derive(Clone, Debug)]
pub struct Options {
    /// 0 is the plain order; any other draws the order of blocks, threads and the lengths of slices.
    pub seed: u64,
    /// Instructions of all threads together.
    pub step_limit: u64,
    /// Instructions that a thread executes at a stretch.
    pub slice: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, step_limit: 2_000_000_000, slice: 20_000 }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// The very bytes of a parameter, little-endian.
    Bytes(Vec<u8>),
    /// Memory with this content, at an address if that matters; the argument is the address.
    Buffer { address: Option<u64>, bytes: Vec<u8> },
}

#[derive(Clone, Debug, Default)]
pub struct Launch {
    /// Blocks (CTAs).
    pub grid: [u32; 3],
    /// Threads of a block.
    pub block: [u32; 3],
    pub dynamic_shared_bytes: u32,
    pub args: Vec<Arg>,
    /// Addresses of module variables, where they matter.
    pub variables: Vec<(String, u64)>,
    pub options: Options,
}

/// What a launch leaves behind.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    /// In the order of the arguments.
    pub buffers: Vec<Vec<u8>>,
    /// Variables that the host can see, with their content.
    pub variables: Vec<(String, Vec<u8>)>,
    /// Instructions executed by all threads.
    pub steps: u64,
}

/// Where things lie unless the launch says otherwise.
const BUFFERS: u64 = 0x7a00_0000_0000;
const VARIABLES: u64 = 0x7c00_0000_0000;
const PARAMS: u64 = 0x7d00_0000_0000;
pub const FUNCTIONS: u64 = 0x7e00_0000_0000;
pub const FUNCTION_BYTES: u64 = 16;

/// splitmix64.
pub struct Random(pub u64);

impl Random {
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n.max(1)
    }
}

pub struct Machine<'p, W> {
    pub program: &'p Program,
    pub memory: Memory,
    pub shared: Vec<u8>,
    /// The functions' templates with addresses filled in.
    pub templates: Vec<Vec<u64>>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub dynamic_shared_bytes: u32,
    /// The block that runs: its index, and linear.
    pub ctaid: [u32; 3],
    pub block_number: u32,
    pub barriers: Vec<super::meet::BarrierState>,
    pub steps: u64,
    pub options: Options,
    pub random: Random,
    pub watch: &'p mut W,
}

/// Executes a launch.
pub fn launch_watched<W: Watch>(program: &Program, launch: &Launch, watch: &mut W) -> Result<Outcome, Box<Fault>> {
    let named = |mut fault: Box<Fault>| {
        fault.kernel = program.kernel.clone();
        fault
    };
    check(program, launch).map_err(|message| named(Fault::launch(message)))?;
    let (memory, places) = lay_out(program, launch).map_err(named)?;
    let dynamic_base = u64::from(program.shared_bytes.next_multiple_of(program.dynamic_align));
    let templates = program
        .functions
        .iter()
        .map(|function| {
            let mut template = function.template.clone();
            for &(slot, reloc) in &function.relocs {
                let base = match reloc {
                    Reloc::Variable(n) => places.variables[n as usize],
                    Reloc::Params => PARAMS,
                    Reloc::DynamicShared => dynamic_base,
                    Reloc::Function(n) => FUNCTIONS + u64::from(n) * FUNCTION_BYTES,
                };
                template[slot as usize] = template[slot as usize].wrapping_add(base);
            }
            template
        })
        .collect();
    let mut machine = Machine {
        program,
        memory,
        shared: vec![],
        templates,
        grid: launch.grid,
        block: launch.block,
        dynamic_shared_bytes: launch.dynamic_shared_bytes,
        ctaid: [0; 3],
        block_number: 0,
        barriers: vec![],
        steps: 0,
        options: launch.options.clone(),
        random: Random(launch.options.seed),
        watch,
    };
    machine.grid().map_err(named)?;
    let content = |start: u64| machine.memory.region_at(start).map(|r| r.bytes.clone()).unwrap_or_default();
    let exported = program.variables.iter().zip(&places.variables).filter(|(v, _)| v.exported);
    Ok(Outcome {
        buffers: places.buffers.iter().map(|&start| content(start)).collect(),
        variables: exported.map(|(v, &start)| (v.name.clone(), content(start))).collect(),
        steps: machine.steps,
    })
}

struct Places {
    buffers: Vec<u64>,
    variables: Vec<u64>,
}

/// What a driver would refuse.
fn check(program: &Program, launch: &Launch) -> Result<(), String> {
    let threads = launch.block.iter().fold(1u64, |n, &d| n.saturating_mul(d.into()));
    if launch.block.contains(&0) || launch.grid.contains(&0) || threads > 1024 {
        return Err(format!("there is no launch of grid {:?} and block {:?}", launch.grid, launch.block));
    }
    if launch.dynamic_shared_bytes > 1 << 20 {
        return Err(format!(
            "{} bytes of dynamic shared memory are more than any machine has",
            launch.dynamic_shared_bytes
        ));
    }
    if program.reqntid.is_some_and(|wanted| wanted != launch.block) {
        return Err(format!("the kernel requires blocks of {:?}", program.reqntid.unwrap_or_default()));
    }
    if program.maxntid.is_some_and(|most| most.iter().fold(1u64, |n, &d| n.saturating_mul(d.into())) < threads) {
        return Err(format!("the kernel takes blocks up to {:?}", program.maxntid.unwrap_or_default()));
    }
    if program.params.len() != launch.args.len() {
        return Err(format!("it takes {} arguments, {} were given", program.params.len(), launch.args.len()));
    }
    for (n, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        let bytes = match arg {
            Arg::Bytes(bytes) => bytes.len(),
            Arg::Buffer { .. } => 8,
        };
        if bytes != param.bytes as usize {
            return Err(format!("argument {n} `{}` has {} bytes, {bytes} were given", param.name, param.bytes));
        }
    }
    Ok(())
}

fn lay_out(program: &Program, launch: &Launch) -> Result<(Memory, Places), Box<Fault>> {
    let mut memory = Memory::default();
    let mut places = Places { buffers: vec![], variables: vec![] };
    let mut params = vec![0; program.param_bytes as usize];
    // Allocations lie far apart, so that nothing runs from one into the next.
    let mut next = BUFFERS;
    for (n, (param, arg)) in program.params.iter().zip(&launch.args).enumerate() {
        let value = match arg {
            Arg::Bytes(bytes) => bytes.clone(),
            Arg::Buffer { address, bytes } => {
                let start = address.unwrap_or(next);
                next += (bytes.len() as u64).next_multiple_of(1 << 24) + (1 << 24);
                let name = format!("buffer {n} `{}`", param.name);
                // An empty buffer has an address and no bytes.
                if !bytes.is_empty() {
                    memory.add(Region { name, start, bytes: bytes.clone(), writable: true })?;
                }
                places.buffers.push(start);
                start.to_le_bytes().to_vec()
            }
        };
        params[param.offset as usize..(param.offset + param.bytes) as usize].copy_from_slice(&value);
    }
    let mut next = VARIABLES;
    for variable in &program.variables {
        let given = launch.variables.iter().find(|(name, _)| *name == variable.name).map(|(_, address)| *address);
        let start = given.unwrap_or(next.next_multiple_of(variable.align.into()));
        next = next.max(start) + (variable.bytes.len() as u64).next_multiple_of(1 << 20) + (1 << 20);
        places.variables.push(start);
    }
    for (variable, &start) in program.variables.iter().zip(&places.variables) {
        let mut bytes = variable.bytes.clone();
        for pointer in &variable.pointers {
            let base = match pointer.target {
                Target::Variable(n) => places.variables[n as usize],
                Target::Function(n) => FUNCTIONS + u64::from(n) * FUNCTION_BYTES,
            };
            let address = base.wrapping_add(pointer.addend as u64);
            let (value, count) = match pointer.mask {
                Some(mask) => ((address & mask) >> mask.trailing_zeros(), 1),
                None => (address, 8),
            };
            if let Some(place) = bytes.get_mut(pointer.at as usize..pointer.at as usize + count) {
                place.copy_from_slice(&value.to_le_bytes()[..count]);
            }
        }
        if !bytes.is_empty() {
            let name = format!("variable `{}`", variable.name);
            memory.add(Region { name, start, bytes, writable: variable.writable })?;
        }
    }
    if !params.is_empty() {
        let name = "the kernel's parameters".to_string();
        memory.add(Region { name, start: PARAMS, bytes: params, writable: false })?;
    }
    Ok((memory, places))
}

impl<W: Watch> Machine<'_, W> {
    fn grid(&mut self) -> Result<(), Box<Fault>> {
        let [gx, gy, gz] = self.grid;
        let count = u64::from(gx) * u64::from(gy) * u64::from(gz);
        let [bx, by, bz] = self.block;
        let mut threads: Vec<Thread> = vec![];
        for z in 0..bz {
            for y in 0..by {
                for x in 0..bx {
                    threads.push(Thread::new(threads.len() as u32, [x, y, z]));
                }
            }
        }
        // A step through all blocks that is prime to their number.
        let (first, mut step) = match self.options.seed {
            0 => (0, 1),
            _ => (self.random.below(count), 1 + self.random.below(count)),
        };
        while gcd(step, count) != 1 {
            step += 1;
        }
        for n in 0..count {
            let block = ((u128::from(n) * u128::from(step) + u128::from(first)) % u128::from(count)) as u64;
            self.block_number = block as u32;
            let (x, rest) = (block % u64::from(gx), block / u64::from(gx));
            self.ctaid = [x as u32, (rest % u64::from(gy)) as u32, (rest / u64::from(gy)) as u32];
            self.run_block(&mut threads)?;
        }
        Ok(())
    }

    fn run_block(&mut self, threads: &mut [Thread]) -> Result<(), Box<Fault>> {
        let program = self.program;
        let statics = match program.has_dynamic_shared {
            true => program.shared_bytes.next_multiple_of(program.dynamic_align),
            false => program.shared_bytes,
        };
        let shared_bytes = statics.saturating_add(self.dynamic_shared_bytes);
        self.shared.clear();
        self.shared.resize(shared_bytes as usize, FILL);
        self.barriers = (0..16).map(|_| Default::default()).collect();
        for (n, thread) in threads.iter_mut().enumerate() {
            thread.restart(n as u32, &program.functions[0], &self.templates[0]);
        }
        if W::ACTIVE {
            self.watch.block_begins(self.block_number, threads.len() as u32, shared_bytes);
            for thread in threads.iter() {
                let who = self.who(thread, program.functions[0].insts.first().map_or(Span::NONE, |i| i.span));
                self.watch.enter(who, &program.functions[0], 0);
            }
        }
        let mut ready: std::collections::VecDeque<u32> = (0..threads.len() as u32).collect();
        loop {
            let number = match self.options.seed {
                0 => ready.pop_front(),
                _ if ready.is_empty() => None,
                _ => ready.swap_remove_back(self.random.below(ready.len() as u64) as usize),
            };
            let Some(number) = number else {
                if threads.iter().all(|t| matches!(t.status, Status::Done)) {
                    return Ok(());
                }
                self.unblock(threads, &mut ready)?;
                continue;
            };
            let slice = match self.options.seed {
                0 => u64::from(self.options.slice),
                // Mostly short, so that orders differ, sometimes long.
                _ => 1 + (self.random.below(200) << self.random.below(8)),
            };
            let stop = self.run_thread(&mut threads[number as usize], slice)?;
            self.stopped(threads, number, stop, &mut ready)?;
        }
    }

    /// Puts the place of a thread into a fault.
    pub fn place(&self, mut fault: Box<Fault>, thread: &Thread, span: Span) -> Box<Fault> {
        if fault.span.is_none() {
            fault.span = span;
        }
        fault.thread = Some((thread.tid, self.ctaid));
        fault
    }

    pub fn limit(&self) -> Box<Fault> {
        Fault::new(FaultKind::StepLimit(self.options.step_limit))
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
