//! Running a kernel of a code object on the CPU: arguments from values or text, buffers back.
//!
//! The library part of `warp2wave run` (`docs/run.md`), and what the tests use. The object's metadata says where each
//! argument lies; count and sizes are checked against it. Not here: files, printing to the terminal, PTX.

mod arg;
mod dump;
mod scan;

pub use arg::{Arg, ElementType, Init, Value};
pub use dump::{Dump, DumpFormat, OutFile, find_buffer, render};
pub use scan::ArgError;

use crate::amd::Target;
use crate::emu::{Device, Executed, Fault, FaultKind, Options, Stats};
use crate::object::{self, ArgInfo, ReadError, SymbolKind};
use std::fmt;

/// One launch of one kernel.
#[derive(Clone, PartialEq, Debug)]
pub struct Launch {
    pub kernel: String,
    /// Work-groups.
    pub grid: [u32; 3],
    /// Work-items of a work-group.
    pub block: [u32; 3],
    pub dynamic_lds_bytes: u32,
    /// The explicit arguments, in the kernel's order.
    pub args: Vec<ArgValue>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ArgValue {
    /// The very bytes of the argument, little-endian; as many as its size.
    Bytes(Vec<u8>),
    /// Memory of the device with this content; the argument is its address.
    Buffer(Vec<u8>),
}

/// The final content of a buffer argument.
pub type Buffer = Vec<u8>;

/// Why a launch did not end well.
#[derive(Clone, PartialEq, Debug)]
pub enum RunError {
    /// The bytes are no code object.
    Object(ReadError),
    /// The object and the launch do not fit each other.
    Launch(String),
    /// The kernel did something that no kernel may do, or never ended.
    Fault(Box<Fault>),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Object(e) => e.fmt(f),
            RunError::Launch(e) => f.write_str(e),
            RunError::Fault(e) => e.fmt(f),
        }
    }
}
impl std::error::Error for RunError {}

impl From<Box<Fault>> for RunError {
    fn from(fault: Box<Fault>) -> RunError {
        match fault.kind {
            FaultKind::Launch(_) => RunError::Launch(fault.to_string()),
            _ => RunError::Fault(fault),
        }
    }
}

/// Executes the launch and returns what each buffer argument holds afterwards, in order.
pub fn launch(code_object: &[u8], launch: &Launch) -> Result<Vec<Buffer>, RunError> {
    launch_with(code_object, launch, &Options::default()).map(|(buffers, _)| buffers)
}

/// The same under other options, with what was executed.
pub fn launch_with(code_object: &[u8], launch: &Launch, options: &Options) -> Result<(Vec<Buffer>, Stats), RunError> {
    let placed = launch_placed(code_object, launch, options)?;
    Ok((placed.buffers.into_iter().map(|(_, content)| content).collect(), placed.stats))
}

/// What a launch leaves in memory, and at which device addresses.
#[derive(Clone, PartialEq, Debug)]
pub struct Placed {
    /// Buffer arguments, in order.
    pub buffers: Vec<(u64, Buffer)>,
    /// Exported variables by name.
    pub variables: Vec<(String, u64, Vec<u8>)>,
    pub stats: Stats,
    /// What a recorded lane has executed.
    pub trace: Vec<Executed>,
}

/// The same with addresses and variables.
pub fn launch_placed(code_object: &[u8], launch: &Launch, options: &Options) -> Result<Placed, RunError> {
    let object = object::read(code_object).map_err(RunError::Object)?;
    let target = Target::parse(&object.target).map_err(RunError::Launch)?;
    let Some(kernel) = object.kernel(&launch.kernel) else {
        let names: Vec<&str> = object.kernels.iter().map(|k| k.name.as_str()).collect();
        let message = format!("no kernel `{}`; the object has: {}", launch.kernel, names.join(", "));
        return Err(RunError::Launch(message));
    };
    let explicit: Vec<&ArgInfo> = kernel.metadata.args.iter().filter(|a| !a.is_hidden()).collect();
    check_args(&launch.kernel, &explicit, &launch.args)?;

    let mut device = Device::new(&target)?;
    device.options = options.clone();
    let module = device.load(code_object)?;
    let mut kernarg = vec![];
    let mut places = vec![];
    for (index, (info, value)) in explicit.iter().zip(&launch.args).enumerate() {
        let bytes = match value {
            ArgValue::Bytes(bytes) => bytes.clone(),
            ArgValue::Buffer(content) => {
                let address = device.alloc(&format!("buffer {}", describe(index, info)), content.clone());
                places.push((address, content.len()));
                address.to_le_bytes().to_vec()
            }
        };
        let offset = info.offset as usize;
        kernarg.resize(kernarg.len().max(offset + bytes.len()), 0);
        kernarg[offset..offset + bytes.len()].copy_from_slice(&bytes);
    }
    let Launch { kernel, grid, block, dynamic_lds_bytes, .. } = launch;
    let stats = device.launch(&module, kernel, *grid, *block, *dynamic_lds_bytes, &kernarg)?;
    let mut content = |address: u64, bytes: usize| if bytes == 0 { Ok(vec![]) } else { device.read(address, bytes) };
    let mut buffers = vec![];
    for (address, bytes) in places {
        buffers.push((address, content(address, bytes)?));
    }
    let mut variables = vec![];
    for symbol in &module.object().symbols {
        if symbol.kind == SymbolKind::Object
            && !symbol.name.ends_with(".kd")
            && let Some((address, bytes)) = module.variable(&symbol.name)
        {
            variables.push((symbol.name.clone(), address, content(address, bytes as usize)?));
        }
    }
    Ok(Placed { buffers, variables, stats, trace: std::mem::take(&mut device.trace) })
}

/// Count and size of every argument, all mistakes at once.
fn check_args(kernel: &str, explicit: &[&ArgInfo], given: &[ArgValue]) -> Result<(), RunError> {
    let mut mistakes = vec![];
    if explicit.len() != given.len() {
        mistakes.push(format!("it takes {} arguments, {} were given", explicit.len(), given.len()));
    }
    for (index, (info, value)) in explicit.iter().zip(given).enumerate() {
        let what = describe(index, info);
        match value {
            ArgValue::Bytes(bytes) if bytes.len() != info.size as usize => {
                mistakes.push(format!("argument {what} has {} bytes, {} were given", info.size, bytes.len()));
            }
            ArgValue::Buffer(_) if info.size != 8 => {
                mistakes.push(format!("argument {what} has {} bytes and cannot hold a buffer's address", info.size));
            }
            ArgValue::Bytes(_) | ArgValue::Buffer(_) => {}
        }
    }
    if mistakes.is_empty() {
        return Ok(());
    }
    if explicit.len() != given.len() {
        let signature: Vec<String> = explicit
            .iter()
            .enumerate()
            .map(|(index, info)| format!("{} ({} bytes, {})", describe(index, info), info.size, info.value_kind))
            .collect();
        mistakes.push(format!(
            "its arguments: {}",
            if signature.is_empty() { "none".into() } else { signature.join(", ") }
        ));
    }
    Err(RunError::Launch(format!("kernel `{kernel}`: {}", mistakes.join("; "))))
}

fn describe(index: usize, info: &ArgInfo) -> String {
    match &info.name {
        Some(name) => format!("{index} `{name}`"),
        None => index.to_string(),
    }
}
