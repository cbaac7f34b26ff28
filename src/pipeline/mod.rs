//! The ordered list of passes, in one screenful.
//!
//! Each stage has a text form: [`text_of`] stops there and prints it. Debug builds verify after every step.

mod assembly;
mod examine;
mod limits;
mod package;
mod places;

use crate::alloc::AllocStats;
use crate::amd::Target;
use crate::diag::{Diag, Severity, Span, codes};
use crate::isel::IselOptions;
use crate::options::{CodeObject, Debug, Options};
use crate::{alloc, container, exec, finish, ir, isel, lift, mir, opt, ptx};
pub use examine::{Examined, Kernel, examine};
use places::{Places, SourceMap};
use rayon::prelude::*;

/// The stages whose text form can be asked for.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The module's IR as lifted.
    Lift,
    /// After the IR passes.
    Opt,
    /// Machine instructions over virtual registers.
    Isel,
    /// With EXEC masks and branches.
    Exec,
    /// In physical registers.
    Alloc,
    /// The finished kernels as assembly text.
    Assembly,
}

/// Translates a PTX module to a code object. One error means no output; every error found is returned.
pub fn translate(source: &str, options: &Options) -> Result<CodeObject, Vec<Diag>> {
    let (mut module, map) = front(source, options)?;
    let kernels = each_kernel(&mut module, |kernel| compile(kernel, options))?;
    let places = (options.debug != Debug::None).then(|| Places::new(source, map));
    let bytes = package::object(&module, &kernels, places.as_ref(), options)?;
    Ok(CodeObject { bytes })
}

/// An instruction of a kernel, with the PTX that it comes from.
pub struct CodeLine {
    /// Bytes from the start of the kernel's code.
    pub offset: u32,
    pub span: Span,
    /// As the assembler writes it.
    pub text: String,
}

/// The instructions of the selected kernels, as [`translate`] makes them.
pub fn lines_of(source: &str, options: &Options) -> Result<Vec<Vec<CodeLine>>, Vec<Diag>> {
    let (mut module, _) = front(source, options)?;
    let kernels = each_kernel(&mut module, |kernel| compile(kernel, options))?;
    let line = |line: &finish::Line| CodeLine {
        offset: line.offset,
        span: line.span,
        text: crate::amd::asm::print(&line.inst, &options.target),
    };
    Ok(kernels.iter().map(|kernel| kernel.code.insts.iter().map(line).collect()).collect())
}

/// Translates a PTX module for several targets into one offload bundle, as `hipModuleLoad` takes it. What is wrong for
/// several targets in the same words is said once.
pub fn translate_bundle(source: &str, each: &[Options]) -> Result<Vec<u8>, Vec<Diag>> {
    let mut objects = vec![];
    let mut diags: Vec<Diag> = vec![];
    for options in each {
        match translate(source, options) {
            Ok(object) => objects.push((options.target.to_string(), object)),
            Err(found) => {
                for diag in found {
                    if !diags.contains(&diag) {
                        diags.push(diag);
                    }
                }
            }
        }
    }
    if !diags.is_empty() {
        return Err(diags);
    }
    let entries: Vec<(String, &[u8])> = objects.iter().map(|(id, object)| (id.clone(), object.bytes())).collect();
    container::write(&entries).map_err(|e| vec![Diag::error(codes::UNSUPPORTED_TARGET, Span::NONE, e.to_string())])
}

/// The text form of every selected kernel after a stage.
pub fn text_of(source: &str, options: &Options, stage: Stage) -> Result<String, Vec<Diag>> {
    let (mut module, map) = front(source, options)?;
    if stage == Stage::Lift {
        let mut out = String::new();
        for kernel in &module.kernels {
            out += &ir::text::print(&kernel.name, &kernel.func);
            out.push('\n');
        }
        return Ok(out);
    }
    if stage == Stage::Assembly {
        let kernels = each_kernel(&mut module, |kernel| compile(kernel, options))?;
        return assembly::module(&Places::new(source, map), &module, &kernels, options);
    }
    let texts = each_kernel(&mut module, |kernel| {
        middle(kernel);
        let mut text = String::new();
        back(kernel, options, Some((stage, &mut text)))?;
        Ok(text)
    })?;
    Ok(texts.join("\n"))
}

/// The finished code of every selected kernel, each instruction with the place in the source that it comes from.
pub fn code_of(source: &str, options: &Options) -> Result<Vec<finish::Code>, Vec<Diag>> {
    let (mut module, _) = front(source, options)?;
    let kernels = each_kernel(&mut module, |kernel| compile(kernel, options))?;
    Ok(kernels.into_iter().map(|finished| finished.code).collect())
}

/// Source to the IR of the selected kernels, and to what it says of its own source where that is asked for.
fn front(source: &str, options: &Options) -> Result<(ir::Module, SourceMap), Vec<Diag>> {
    check_options(options)?;
    let (tree, diags) = ptx::parse(source);
    if diags.iter().any(Diag::is_fatal) {
        return Err(diags);
    }
    let module = lift::lift(&tree, options.kernels.as_deref()).map_err(|diags| for_target(diags, &options.target))?;
    for kernel in &module.kernels {
        verify_ir(&kernel.func, "lift");
    }
    let map = match options.debug {
        Debug::None | Debug::Ptx => SourceMap::default(),
        Debug::Source => SourceMap::new(&tree).map_err(|diag| vec![diag])?,
    };
    Ok((module, map))
}

/// Names the target in what the front end cannot do; the front end itself knows none.
fn for_target(mut diags: Vec<Diag>, target: &Target) -> Vec<Diag> {
    for diag in diags.iter_mut().filter(|diag| diag.severity == Severity::Unsupported) {
        diag.message += &format!(" on {target}");
    }
    diags
}

/// A kernel as lifted to its bytes.
fn compile(kernel: &mut ir::Kernel, options: &Options) -> Result<package::Finished, Vec<Diag>> {
    middle(kernel);
    finish_kernel(back(kernel, options, None)?, options)
}

/// The passes that know no target; the IR goes through them in place.
fn middle(kernel: &mut ir::Kernel) {
    isel::lower_specials(kernel);
    verify_ir(&kernel.func, "lower_specials");
    opt::run_kernel(kernel);
    verify_ir(&kernel.func, "opt");
}

/// A kernel down to physical registers; its IR goes through the passes in place. With `stop`, the text form after that stage is written and the rest is left out.
fn back(
    kernel: &mut ir::Kernel,
    options: &Options,
    mut stop: Option<(Stage, &mut String)>,
) -> Result<(mir::MirFunc, AllocStats), Vec<Diag>> {
    let target = &options.target;
    limits::check(kernel, kernel.local_bytes, target).map_err(|diag| vec![diag])?;
    isel::lower_generic_local(&mut kernel.func, target);
    verify_ir(&kernel.func, "lower_generic_local");
    isel::lower_lane_maps(&mut kernel.func, target);
    verify_ir(&kernel.func, "lower_lane_maps");
    let divergence = ir::divergence::prepare(&mut kernel.func, target.wave_lanes());
    verify_ir(&kernel.func, "prepare");
    if let Some((Stage::Opt, out)) = &mut stop {
        **out = ir::text::print(&kernel.name, &kernel.func);
    }

    let mut func = isel::select(kernel, &divergence, target, &IselOptions { max_block: options.max_block })?;
    verify_mir(&func, target, "isel");
    write_mir(&func, Stage::Isel, &mut stop);
    exec::insert_masks(&mut func, target);
    verify_mir(&func, target, "exec");
    write_mir(&func, Stage::Exec, &mut stop);
    let stats = alloc::allocate(&mut func, target).map_err(|diags| at_kernel(diags, kernel))?;
    verify_mir(&func, target, "alloc");
    write_mir(&func, Stage::Alloc, &mut stop);
    Ok((func, stats))
}

/// What a pass has no place for is the kernel's.
fn at_kernel(mut diags: Vec<Diag>, kernel: &ir::Kernel) -> Vec<Diag> {
    diags.iter_mut().filter(|diag| diag.span.is_none()).for_each(|diag| diag.span = kernel.span);
    diags
}

fn write_mir(func: &mir::MirFunc, stage: Stage, stop: &mut Option<(Stage, &mut String)>) {
    if let Some((wanted, out)) = stop
        && *wanted == stage
    {
        **out = mir::text::print(func);
    }
}

/// Physical registers to bytes.
fn finish_kernel(
    (mut func, stats): (mir::MirFunc, AllocStats),
    options: &Options,
) -> Result<package::Finished, Vec<Diag>> {
    let code = finish::run(&mut func, &options.target)?;
    Ok(package::Finished { func, code, stats })
}

/// Runs a step for every kernel, several in parallel, and collects what is wrong in all of them, in the module's order.
fn each_kernel<T: Send>(
    module: &mut ir::Module,
    step: impl Fn(&mut ir::Kernel) -> Result<T, Vec<Diag>> + Sync,
) -> Result<Vec<T>, Vec<Diag>> {
    let mut done = vec![];
    let mut diags = vec![];
    // One kernel needs no threads.
    let results: Vec<_> = match &mut module.kernels[..] {
        [only] => vec![step(only)],
        kernels => kernels.par_iter_mut().map(&step).collect(),
    };
    for result in results {
        match result {
            Ok(result) => done.push(result),
            Err(found) => diags.extend(found),
        }
    }
    if diags.is_empty() { Ok(done) } else { Err(diags) }
}

fn check_options(options: &Options) -> Result<(), Vec<Diag>> {
    let refuse = |text: String| Err(vec![Diag::error(codes::UNSUPPORTED_TARGET, Span::NONE, text)]);
    if !(4..=6).contains(&options.code_object_version) {
        return refuse(format!("code object version {} does not exist: 4, 5 and 6 do", options.code_object_version));
    }
    if options.target.processor().generic_version != 0 && options.code_object_version < 6 {
        return refuse(format!("{} needs code object version 6", options.target));
    }
    if !(1..=1024).contains(&options.max_block) {
        return refuse(format!("a work-group has 1 to 1024 work-items, not {}", options.max_block));
    }
    Ok(())
}

fn verify_ir(func: &ir::Func, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(text) = ir::verify(func)
    {
        panic!("after {pass}: {text}");
    }
}

fn verify_mir(func: &mir::MirFunc, target: &Target, pass: &str) {
    if cfg!(debug_assertions)
        && let Err(text) = mir::verify::verify(func, target)
    {
        panic!("after {pass}: {text}");
    }
}

/// Whether anything of a list stops the translation.
pub fn has_fatal(diags: &[Diag]) -> bool {
    diags.iter().any(|d| d.severity != Severity::Warning)
}
