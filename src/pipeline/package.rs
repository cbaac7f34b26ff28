//! Finished kernels to the input of the object writer: descriptor fields, arguments, variables.

use super::limits;
use super::places::Places;
use crate::alloc::AllocStats;
use crate::amd::{Column, Feature, Target, ops};
use crate::diag::{Diag, Span, codes};
use crate::finish::Code;
use crate::id::EntityRef;
use crate::ir;
use crate::mir::MirFunc;
use crate::object::{
    self, AddressOf, ArgInfo, CodeObjectInput, Content, Descriptor, Family, Fixup, FixupKind, KernelInput, TargetInfo,
    TextPadding, Variable, VariableKind, Version,
};
use crate::options::Options;

/// A kernel in its final registers, and its bytes.
pub struct Finished {
    pub func: MirFunc,
    pub code: Code,
    pub stats: AllocStats,
}

/// What the object writer takes.
pub fn input(module: &ir::Module, kernels: &[Finished], options: &Options) -> Result<CodeObjectInput, Vec<Diag>> {
    let target = &options.target;
    let family = Family::of_machine(target.processor().machine).ok_or_else(|| {
        let text = format!("no descriptor layout is known for {target}");
        vec![Diag::error(codes::UNSUPPORTED_TARGET, Span::NONE, text)]
    })?;
    Ok(CodeObjectInput {
        version: match options.code_object_version {
            4 => Version::V4,
            5 => Version::V5,
            _ => Version::V6,
        },
        target: target_info(target),
        kernels: module
            .kernels
            .iter()
            .zip(kernels)
            .map(|(kernel, finished)| kernel_input(kernel, finished, family, options))
            .collect::<Result<_, _>>()
            .map_err(|d| vec![d])?,
        variables: module.globals.values().map(variable).collect(),
        padding: padding(target),
        debug: None,
    })
}

/// What a kernel needs more than the target has.
pub fn check(kernel: &ir::Kernel, finished: &Finished, options: &Options) -> Result<(), Vec<Diag>> {
    limits::check(kernel, finished.func.scratch_bytes(), &options.target).map_err(|diag| vec![diag])
}

/// The code object, with debug information where there are places.
pub fn object(
    module: &ir::Module,
    kernels: &[Finished],
    places: Option<&Places>,
    options: &Options,
) -> Result<Vec<u8>, Vec<Diag>> {
    let mut input = input(module, kernels, options)?;
    input.debug = places.map(|places| {
        let lines = module.kernels.iter().zip(kernels).map(|(kernel, done)| places.kernel(kernel.span, &done.code));
        places.debug_input(options, lines.collect())
    });
    object::write(&input).map_err(|e| vec![Diag::error(codes::LIMIT, Span::NONE, e.to_string())])
}

fn target_info(target: &Target) -> TargetInfo {
    let setting = |s| match s {
        crate::amd::target::Setting::Unsupported => object::Setting::Unsupported,
        crate::amd::target::Setting::Any => object::Setting::Any,
        crate::amd::target::Setting::Off => object::Setting::Off,
        crate::amd::target::Setting::On => object::Setting::On,
    };
    TargetInfo {
        id: target.to_string(),
        machine: target.processor().machine,
        generic_version: target.processor().generic_version,
        xnack: setting(target.xnack),
        sramecc: setting(target.sramecc),
    }
}

/// What LLVM 22 puts behind the last kernel, so that instruction prefetch stays in the segment (ABI_FACTS, section 3).
fn padding(target: &Target) -> TextPadding {
    let nop = word(&crate::amd::Inst::new(ops::s_nop, [], [crate::amd::Operand::Imm(0)]), target);
    let code_end = || word(&crate::amd::Inst::new(ops::s_code_end, [], []), target);
    match target.column() {
        Column::Gfx9 if target.has(Feature::UnifiedAgprs) => {
            TextPadding { gap_word: nop, end_word: nop, end_align_bytes: 64, end_words: 256 }
        }
        Column::Gfx9 => TextPadding { gap_word: nop, end_word: nop, end_align_bytes: 4, end_words: 0 },
        Column::Gfx10 => TextPadding { gap_word: nop, end_word: code_end(), end_align_bytes: 64, end_words: 48 },
        Column::Gfx11 | Column::Gfx12 => {
            TextPadding { gap_word: nop, end_word: code_end(), end_align_bytes: 128, end_words: 96 }
        }
    }
}

fn word(inst: &crate::amd::Inst, target: &Target) -> u32 {
    crate::amd::encode(inst, target).map_or(0, |words| words[0])
}

fn kernel_input(
    kernel: &ir::Kernel,
    finished: &Finished,
    family: Family,
    options: &Options,
) -> Result<KernelInput, Diag> {
    let Finished { func, code, stats } = finished;
    let target = &options.target;
    let hidden_base = kernel.param_bytes.next_multiple_of(8);
    let (args, kernarg_bytes) = arguments(kernel, func, hidden_base, options.code_object_version);
    let scratch_bytes = func.scratch_bytes();
    limits::check(kernel, scratch_bytes, target)?;
    let abi = &func.abi;
    let mut descriptor = Descriptor::new(family);
    descriptor.lds_bytes = kernel.shared_bytes;
    descriptor.scratch_bytes = scratch_bytes;
    descriptor.private_segment = scratch_bytes > 0;
    descriptor.kernarg_bytes = kernarg_bytes;
    // PTX `min`/`max` return the number beside a signalling NaN; with IEEE set AMD returns the quieted NaN.
    descriptor.ieee = false;
    descriptor.wave32 = target.wave_lanes() == 32;
    descriptor.user_sgpr_count = abi.user_sgprs.into();
    descriptor.user_dispatch_ptr = abi.dispatch_ptr;
    descriptor.user_kernarg_segment_ptr = abi.kernarg_ptr;
    descriptor.user_flat_scratch_init = scratch_bytes > 0 && abi.flat_scratch_init.is_some();
    [descriptor.workgroup_id_x, descriptor.workgroup_id_y, descriptor.workgroup_id_z] = abi.workgroup_id;
    descriptor.workitem_ids = abi.workitem_dims.into();
    Ok(KernelInput {
        name: kernel.name.clone(),
        code: code.bytes.clone(),
        fixups: code.fixups.iter().map(fixup).collect(),
        vgprs: code.vgprs_used,
        agprs: 0,
        sgprs: code.sgprs_used.max(arriving_sgprs(func, target)),
        descriptor,
        kernarg_align_bytes: kernel.param_align_bytes.max(8),
        args,
        wave_lanes: target.wave_lanes(),
        max_flat_workgroup_size: func.max_workgroup_items,
        reqd_workgroup_size: kernel.reqntid,
        sgpr_spill_count: stats.spilled_sgprs,
        vgpr_spill_count: stats.spilled_vgprs,
    })
}

/// GFX9 counts SGPRs: those that something arrives in belong to the wave, read or not.
fn arriving_sgprs(func: &MirFunc, target: &Target) -> u32 {
    if target.column() != Column::Gfx9 {
        return 0;
    }
    let ids = func.abi.workgroup_id.iter().filter(|&&on| on).count() as u32;
    let wave_offset = func.scratch_bytes() > 0 && !target.has(Feature::ArchitectedScratch);
    func.abi.user_sgprs as u32 + ids + wave_offset as u32
}

fn arguments(kernel: &ir::Kernel, func: &MirFunc, hidden_base: u32, version: u8) -> (Vec<ArgInfo>, u32) {
    let mut args: Vec<ArgInfo> = kernel
        .params
        .iter()
        .map(|p| ArgInfo {
            name: Some(p.name.clone()),
            offset: p.offset_bytes,
            size: p.size_bytes,
            value_kind: if p.pointer { "global_buffer" } else { "by_value" }.into(),
            address_space: p.pointer.then(|| "global".into()),
            type_name: Some(p.type_name.clone()),
        })
        .collect();
    if func.abi.hidden_args.is_empty() {
        return (args, kernel.param_bytes);
    }
    args.extend(func.abi.hidden_args.iter().map(|&(kind, offset, size)| ArgInfo {
        offset: hidden_base + offset,
        size,
        value_kind: kind.into(),
        ..ArgInfo::default()
    }));
    let hidden_bytes = if version == 4 { 56 } else { 256 };
    (args, hidden_base + hidden_bytes)
}

fn fixup(f: &crate::finish::Fixup) -> Fixup {
    Fixup {
        kind: FixupKind::Low32,
        offset: f.offset,
        pc_offset: f.pc_offset,
        variable: f.global as usize,
        addend: f.addend,
    }
}

fn variable(global: &ir::GlobalData) -> Variable {
    let mut bytes = global.init.clone();
    let content = if global.relocs.is_empty() && bytes.iter().all(|&b| b == 0) {
        Content::Zero(global.size_bytes)
    } else {
        bytes.resize(global.size_bytes as usize, 0);
        Content::Bytes(bytes)
    };
    Variable {
        name: global.name.clone(),
        // `.const` too: the host may write it, and code addresses variables as lying behind it.
        kind: VariableKind::ReadWrite,
        align_bytes: global.align_bytes.into(),
        content,
        exported: global.exported,
        addresses: global
            .relocs
            .iter()
            .map(|r| AddressOf { offset: r.offset_bytes, variable: r.target.index(), addend: r.addend })
            .collect(),
    }
}
