//! Running a kernel of a code object on the CPU: arguments from values or text, buffers back.
//!
//! The library part of `warp2wave run` (`docs/run.md`), and what the tests use. The object's metadata says where each
//! argument lies; count and sizes are checked against it. Not here: files, printing, PTX.

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
    Object(crate::object::ReadError),
    /// The object and the launch do not fit each other.
    Launch(String),
    /// The kernel did something that no kernel may do, or never ended.
    Fault(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Object(e) => e.fmt(f),
            RunError::Launch(e) | RunError::Fault(e) => f.write_str(e),
        }
    }
}
impl std::error::Error for RunError {}

/// Executes the launch and returns what each buffer argument holds afterwards, in order.
pub fn launch(code_object: &[u8], launch: &Launch) -> Result<Vec<Buffer>, RunError> {
    let object = crate::object::read(code_object).map_err(RunError::Object)?;
    Err(RunError::Launch(format!("`{}` ({}): there is no emulator in this build", launch.kernel, object.target)))
}
