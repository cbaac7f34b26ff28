//! What the command line accepts.

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;
use std::path::PathBuf;
use warp2wave::amd::Target;
use warp2wave::diag::rules::{self, Rule};

/// Translates NVIDIA PTX kernels to loadable AMD GPU code objects, offline, and runs them on this CPU.
#[derive(Parser)]
#[command(name = "warp2wave", version, max_term_width = 100)]
pub struct Args {
    /// How diagnostics are printed on standard error.
    #[arg(long, value_enum, default_value = "human", global = true)]
    pub message_format: MessageFormat,
    /// When to colour diagnostics.
    #[arg(long, value_enum, default_value = "auto", global = true)]
    pub color: Color,
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum MessageFormat {
    /// Text with source excerpts.
    Human,
    /// One JSON object a line.
    Json,
    /// One SARIF 2.1.0 log.
    Sarif,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Subcommand)]
pub enum Command {
    /// Say what of PTX files can be translated and what blocks the rest, without writing anything.
    Check(Check),
    /// Format PTX files.
    Fmt(Fmt),
    /// Translate PTX files to code objects.
    TranslateFile(TranslateFile),
    /// Run one kernel of a PTX file or code object on the CPU.
    Run(Run),
    /// Translate kernels and compare what they compute with an interpreter of PTX.
    Verify(Verify),
    /// Print the instructions of a code object.
    Disasm(Disasm),
    /// Show what one PTX instruction becomes, byte by byte, for each processor; or what a diagnostic's code means.
    Explain(Explain),
    /// List the processors that can be translated for.
    Targets(Targets),
    /// Print a script that completes commands and options in a shell.
    Completions(Completions),
    /// Print the manual page.
    Man(Man),
}

#[derive(ClapArgs)]
pub struct TranslateFile {
    /// PTX files; `-` is standard input.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Processors with optional features, as `gfx1100` or `gfx90a:xnack-`; several by commas.
    #[arg(long, short, required = true, value_delimiter = ',', value_name = "ID", value_parser = parse_target)]
    pub target: Vec<Target>,
    /// The file to write (`-` is standard output), or the folder when there are several. By default FILE's name with the
    /// ending of its kind, in the current folder.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
    /// What to write.
    #[arg(long, value_enum, default_value = "hsaco")]
    pub emit: Emit,
    /// Compress the bundle (with `--emit bundle`).
    #[arg(long)]
    pub compress: bool,
    #[command(flatten)]
    pub common: Common,
}

/// The verdicts are those of `translate-file` with the same options.
#[derive(ClapArgs)]
pub struct Check {
    /// PTX files, and folders that are searched for `.ptx` files; `-` is standard input.
    #[arg(required_unless_present = "explain", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Tell what a diagnostic's code means, with an example.
    #[arg(long, value_name = "CODE", conflicts_with = "files", value_parser = parse_rule)]
    pub explain: Option<&'static Rule>,
    /// Processors, as for `translate-file`; by default one of each family.
    #[arg(long, short, value_delimiter = ',', value_name = "ID", value_parser = parse_target)]
    pub target: Vec<Target>,
    /// Only whether the PTX is right, not whether it can be translated.
    #[arg(long, conflicts_with = "target")]
    pub ptx_only: bool,
    /// Only the tables over all files: no diagnostics, no verdicts for each file and kernel.
    #[arg(long)]
    pub summary: bool,
    #[command(flatten)]
    pub common: Common,
}

/// Options of every command that translates.
#[derive(ClapArgs)]
pub struct Common {
    /// Only these kernels and what they reach; others of the file may be untranslatable.
    #[arg(long = "kernel", value_delimiter = ',', value_name = "NAME")]
    pub kernels: Vec<String>,
    /// Work-items of the largest work-group that kernels without `.maxntid` or `.reqntid` will be launched with; fewer leave
    /// more registers for each.
    #[arg(long, default_value_t = 1024, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub max_block: u32,
    /// Code object version; 6 for generic targets, else 5 unless given.
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u8).range(4..=6))]
    pub code_object: Option<u8>,
    /// Write debug information that gives each instruction its line: of the PTX, or of what the PTX was compiled from.
    #[arg(short = 'g', long, value_enum, num_args = 0..=1, require_equals = true, default_missing_value = "ptx", value_name = "OF")]
    pub debug: Option<DebugOf>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum DebugOf {
    /// Lines of the PTX.
    Ptx,
    /// Lines by the PTX's `.loc` directives.
    Source,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum Emit {
    /// A loadable code object.
    Hsaco,
    /// One offload bundle with a code object for each target, as `hipModuleLoad` takes it.
    Bundle,
    /// Assembly text of the kernels, with the PTX lines it comes from.
    Asm,
    /// The IR after optimisation.
    Ir,
    /// Machine instructions over virtual registers, after selection.
    Mir,
}

#[derive(ClapArgs)]
pub struct Run {
    /// A PTX file (translated first), a code object or a bundle of them.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The kernel to run; may be left out where the file has one.
    #[arg(long, value_name = "NAME")]
    pub kernel: Option<String>,
    /// What executes the kernel.
    #[arg(long, value_enum, default_value = "emu")]
    pub engine: Engine,
    /// Report races, uninitialised reads and barriers met apart (with `--engine ptx`).
    #[arg(long)]
    pub sanitize: bool,
    /// Order of threads and blocks of the PTX interpreter; 0 is their own.
    #[arg(long, default_value_t = 0, value_name = "SEED")]
    pub seed: u64,
    /// The processor to translate for and to emulate; a code object names its own. Of a bundle, the entry that this processor
    /// would load.
    #[arg(long, short, value_name = "ID", value_parser = parse_target)]
    pub target: Option<Target>,
    /// Work-groups (CTAs) in x, y, z.
    #[arg(long, default_value = "1", value_name = "X,Y,Z", value_parser = parse_dims)]
    pub grid: [u32; 3],
    /// Work-items (threads) of a work-group in x, y, z.
    #[arg(long, default_value = "1", value_name = "X,Y,Z", value_parser = parse_dims)]
    pub block: [u32; 3],
    /// Bytes of dynamic shared memory.
    #[arg(long, default_value_t = 0, value_name = "BYTES")]
    pub dynamic_shared: u32,
    /// One argument of the kernel, in order: see `docs/run.md` (`u32:7`, `f32:0.5`, `u32[64]=range`, `u8[]=@file`).
    #[arg(long = "arg", short = 'a', value_name = "ARG", allow_hyphen_values = true)]
    pub args: Vec<String>,
    /// Print a buffer afterwards, by its name or position: `out`, `out:hex`, `2:f32:16`.
    #[arg(long, value_name = "NAME[:FORMAT][:COUNT]")]
    pub dump: Vec<String>,
    /// Write a buffer's bytes to a file afterwards.
    #[arg(long, value_name = "NAME=FILE")]
    pub out: Vec<String>,
    /// Code object version; 6 for generic targets, else 5 unless given.
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u8).range(4..=6))]
    pub code_object: Option<u8>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum Engine {
    /// The emulator of AMD code objects.
    Emu,
    /// The interpreter of PTX.
    Ptx,
}

#[derive(ClapArgs)]
pub struct Verify {
    /// A PTX file. Launches come from FILE.toml beside it if there is one, else they are found by trying.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Processors to translate for; by default one of each of six families.
    #[arg(long, short, value_delimiter = ',', value_name = "ID", value_parser = parse_target)]
    pub target: Vec<Target>,
    /// Only these kernels.
    #[arg(long = "kernel", value_delimiter = ',', value_name = "NAME")]
    pub kernels: Vec<String>,
    /// A file of launches, as FILE.toml.
    #[arg(long, value_name = "TOML")]
    pub launches: Option<PathBuf>,
    /// Instructions that each execution may take.
    #[arg(long, default_value_t = 200_000_000, value_name = "N")]
    pub step_limit: u64,
}

#[derive(ClapArgs)]
pub struct Disasm {
    /// A code object or a bundle of them.
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// Of a bundle, only the entry that this processor would load.
    #[arg(long, short, value_name = "ID", value_parser = parse_target)]
    pub target: Option<Target>,
}

/// White space is set anew, and comments stay; nothing else changes. Files with errors are reported and left as they are.
#[derive(ClapArgs)]
pub struct Fmt {
    /// PTX files, and folders that are searched for `.ptx` files. Each is written anew in its place; `-` is standard input, and goes
    /// to standard output.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing: list the files that would change, and exit with 1 if there are any.
    #[arg(long)]
    pub check: bool,
    /// Write to standard output instead.
    #[arg(long, conflicts_with = "check")]
    pub stdout: bool,
    /// Write one file to this one instead.
    #[arg(long, short, value_name = "OUT", conflicts_with_all = ["check", "stdout"])]
    pub output: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub struct Completions {
    #[arg(value_enum)]
    pub shell: Shell,
}

#[derive(ClapArgs)]
pub struct Man {
    /// Write a page for each command into this folder instead of one page to standard output.
    #[arg(long, short, value_name = "FOLDER")]
    pub output: Option<PathBuf>,
}

#[derive(ClapArgs)]
pub struct Explain {
    /// One instruction; its registers need no declaration: `prmt.b32 d, a, b, 0x9a41`. Or a code: `W2W0020`.
    #[arg(value_name = "INSTRUCTION")]
    pub instruction: String,
    /// Only for these processors; all of them otherwise.
    #[arg(long, short, value_delimiter = ',', value_name = "ID", value_parser = parse_target)]
    pub target: Vec<Target>,
    /// Operands that are the same in the whole wave, in SGPRs.
    #[arg(long)]
    pub uniform: bool,
    #[arg(long, value_enum, default_value = "text")]
    pub format: ExplainFormat,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
pub enum ExplainFormat {
    /// For reading.
    Text,
    /// One JSON object.
    Json,
}

#[derive(ClapArgs)]
pub struct Targets {
    /// As JSON.
    #[arg(long)]
    pub json: bool,
}

fn parse_rule(text: &str) -> Result<&'static Rule, String> {
    Rule::find(text).ok_or_else(|| {
        let codes: Vec<String> = rules::ALL.iter().map(|rule| rule.code.to_string()).collect();
        format!("there is no such code; there are {}", codes.join(", "))
    })
}

fn parse_target(text: &str) -> Result<Target, String> {
    Target::parse(text)
}

fn parse_dims(text: &str) -> Result<[u32; 3], String> {
    let mut dims = [1; 3];
    let parts: Vec<&str> = text.split(',').collect();
    if parts.len() > 3 {
        return Err("one to three numbers are expected, as 8 or 8,4,1".into());
    }
    for (dim, part) in dims.iter_mut().zip(parts) {
        *dim = part.trim().parse().map_err(|e| format!("`{part}`: {e}"))?;
        if *dim == 0 {
            return Err("a dimension must be at least 1".into());
        }
    }
    Ok(dims)
}
