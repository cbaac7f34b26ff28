//! The only place where these tests touch the translator: PTX to bytes, bytes to buffers.

use super::case::{Arg, Case};
use warp2wave::amd::Target;
use warp2wave::diag::{self, Diag, Severity};
use warp2wave::run::{self, ArgValue, Launch};
use warp2wave::{Options, translate};

/// A processor, and what of the corpus runs on it.
pub struct Runs {
    pub target: String,
    /// All files, or [`is_selected`] ones.
    pub all_files: bool,
}

/// The processors that every file runs on: one of wave32 and one of wave64.
const ALL_FILES: &[&str] = &["gfx1100", "gfx942"];

/// One processor of every other family.
const SELECTED_FILES: &[&str] =
    &["gfx906", "gfx908", "gfx90a", "gfx950", "gfx1010", "gfx1030", "gfx1151", "gfx1201", "gfx1250"];

/// One processor of every family, or those that `W2W_TARGETS` lists with commas between them, then with all files.
pub fn targets() -> Vec<Runs> {
    let runs = |target: &str, all_files: bool| Runs { target: target.to_string(), all_files };
    match std::env::var("W2W_TARGETS") {
        Ok(list) => list.split(',').map(|target| runs(target, true)).collect(),
        Err(_) => {
            let every = ALL_FILES.iter().map(|target| runs(target, true));
            every.chain(SELECTED_FILES.iter().map(|target| runs(target, false))).collect()
        }
    }
}

/// Whether a file is among the few that stand for a source: nvcc's plain one (the only one, of Triton), and those of nvcc without
/// optimisation.
pub fn is_selected(file: &str) -> bool {
    let mut parts = file.split('.').skip(1);
    match parts.next() {
        Some("nvcc") => matches!((parts.next(), parts.next()), (Some("sm_75"), Some("ptx" | "O0" | "G"))),
        Some("triton") => true,
        _ => false,
    }
}

/// A refusal: the diagnostics, and the first of them as a user sees it.
pub struct Refusal {
    pub diags: Vec<Diag>,
    pub text: String,
}

impl Refusal {
    /// Whether some diagnostic says "unsupported" and where, and none says that the input is wrong.
    pub fn is_located_unsupported(&self) -> bool {
        let unsupported = |d: &Diag| d.severity == Severity::Unsupported && !d.span.is_none();
        self.diags.iter().any(unsupported) && self.diags.iter().all(|d| d.severity != Severity::Error)
    }
}

/// One kernel, or the whole module, for one target.
pub fn compile(file: &str, text: &str, target: &str, kernel: Option<&str>) -> Result<Vec<u8>, Refusal> {
    let target = Target::parse(target).expect("a known target");
    let options = Options { kernels: kernel.map(|name| vec![name.to_string()]), ..Options::new(target) };
    translate(text, &options).map(|object| object.bytes().to_vec()).map_err(|diags| {
        let shown = diags.first().map(|d| diag::render_human(d, file, text, false));
        Refusal { text: shown.unwrap_or_else(|| "refused without a word".to_string()), diags }
    })
}

/// Runs a case in blocks of a shape; returns what its buffers hold afterwards.
pub fn launch(code_object: &[u8], case: &Case, block: [u32; 3]) -> Result<Vec<Vec<u8>>, String> {
    let value = |arg: &Arg| match arg {
        Arg::Value(bytes) => ArgValue::Bytes(bytes.clone()),
        Arg::Buffer { before, .. } => ArgValue::Buffer(before.clone()),
    };
    let launch = Launch {
        kernel: case.kernel.to_string(),
        grid: case.grid,
        block,
        dynamic_lds_bytes: case.dynamic_lds_bytes,
        args: case.args.iter().map(value).collect(),
    };
    run::launch(code_object, &launch).map_err(|error| error.to_string())
}
