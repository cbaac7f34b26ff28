//! `--emit asm`: one file that `llvm-mc` assembles to the code we write, with the PTX lines it comes from as comments.

use super::package::{self, Finished};
use super::places::Places;
use crate::amd::{self, Column, Feature, Operand, Target};
use crate::diag::Diag;
use crate::finish::Line;
use crate::ir;
use crate::object::{self, Family, KernelInput, LineRow};
use crate::options::{Debug, Options};
use std::fmt::Write;

pub fn module(
    places: &Places,
    module: &ir::Module,
    kernels: &[Finished],
    options: &Options,
) -> Result<String, Vec<Diag>> {
    let target = &options.target;
    let input = package::input(module, kernels, options)?;
    let family = Family::of_machine(input.target.machine).unwrap_or(Family::Gfx9);
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\t.amdgcn_target \"amdgcn-amd-amdhsa--{target}\"");
    let _ = writeln!(out, "\t.amdhsa_code_object_version {}", options.code_object_version);
    if options.debug != Debug::None {
        for (number, name) in (1..).zip(places.files(options)) {
            let _ = writeln!(out, "\t.file\t{number} \"{}\"", escaped(&name));
        }
    }
    for ((kernel, finished), of_module) in input.kernels.iter().zip(kernels).zip(&module.kernels) {
        let rows = match options.debug {
            Debug::None => vec![],
            Debug::Ptx | Debug::Source => places.kernel(of_module.span, &finished.code).rows,
        };
        let name = symbol(&kernel.name);
        let _ = writeln!(out, "\n\t.text\n\t.protected\t{name}\n\t.globl\t{name}");
        let _ = writeln!(out, "\t.p2alignl\t8, 0x{:x}\n\t.type\t{name},@function\n{name}:", input.padding.gap_word);
        body(&mut out, places, &rows, module, finished, target);
        let end = symbol(&format!(".Lend_{}", kernel.name));
        let _ = writeln!(out, "{end}:\n\t.size\t{name}, {end}-{name}");
        let (d, waves) = (&kernel.descriptor, target.occupancy(&needs(kernel)));
        let _ = writeln!(out, "; NumVgprs: {}\n; NumSgprs: {}", kernel.vgprs, kernel.sgprs);
        let _ =
            writeln!(out, "; ScratchSize: {}\n; LDSByteSize: {}\n; Occupancy: {waves}", d.scratch_bytes, d.lds_bytes);
        let _ = writeln!(out, "\n\t.rodata\n\t.p2align\t6\n\t.amdhsa_kernel {name}");
        for (directive, value) in descriptor(kernel, family, target) {
            let _ = writeln!(out, "\t\t.amdhsa_{directive} {value}");
        }
        let _ = writeln!(out, "\t.end_amdhsa_kernel");
    }
    let padding = &input.padding;
    if !input.kernels.is_empty() && padding.end_words > 0 {
        let (align, word) = (padding.end_align_bytes.trailing_zeros(), padding.end_word);
        let _ =
            writeln!(out, "\n\t.text\n\t.p2alignl\t{align}, 0x{word:x}\n\t.fill\t{}, 4, 0x{word:x}", padding.end_words);
    }
    variables(&mut out, module);
    let _ = writeln!(
        out,
        "\n\t.amdgpu_metadata\n---\n{}...\n\t.end_amdgpu_metadata",
        object::metadata_yaml(&input, family)
    );
    Ok(out)
}

/// What limits how many waves run at once.
fn needs(kernel: &KernelInput) -> amd::target::Needs {
    let most = kernel.max_flat_workgroup_size;
    let least = kernel.reqd_workgroup_size.map_or(1, |size| size.iter().product());
    amd::target::Needs {
        vgprs: kernel.vgprs,
        sgprs: kernel.sgprs,
        lds_bytes: kernel.descriptor.lds_bytes,
        workgroup_items: (least, most),
    }
}

/// The directives of a kernel's descriptor whose values may differ from the assembler's defaults.
fn descriptor(kernel: &KernelInput, family: Family, target: &Target) -> Vec<(&'static str, u32)> {
    let d = &kernel.descriptor;
    let mut list = vec![
        ("group_segment_fixed_size", d.lds_bytes),
        ("private_segment_fixed_size", d.scratch_bytes),
        ("kernarg_size", d.kernarg_bytes),
        ("user_sgpr_count", d.user_sgpr_count),
        ("user_sgpr_dispatch_ptr", d.user_dispatch_ptr.into()),
        ("user_sgpr_kernarg_segment_ptr", d.user_kernarg_segment_ptr.into()),
        ("system_sgpr_workgroup_id_x", d.workgroup_id_x.into()),
        ("system_sgpr_workgroup_id_y", d.workgroup_id_y.into()),
        ("system_sgpr_workgroup_id_z", d.workgroup_id_z.into()),
        ("system_vgpr_workitem_id", d.workitem_ids),
        ("next_free_vgpr", kernel.vgprs.max(1)),
        ("next_free_sgpr", kernel.sgprs.max(1)),
        ("float_denorm_mode_32", d.denorm_f32),
    ];
    if target.column() >= Column::Gfx10 {
        list.push(("wavefront_size32", d.wave32.into()));
    }
    if target.has(Feature::ArchitectedScratch) {
        list.push(("enable_private_segment", d.private_segment.into()));
    } else {
        list.push(("user_sgpr_flat_scratch_init", d.user_flat_scratch_init.into()));
        list.push(("system_sgpr_private_segment_wavefront_offset", d.private_segment.into()));
    }
    if target.has(Feature::UnifiedAgprs) {
        list.push(("accum_offset", kernel.vgprs.max(1).next_multiple_of(4)));
    }
    if target.has(Feature::IeeeBit) {
        list.push(("ieee_mode", d.ieee.into()));
    }
    if target.column() >= Column::Gfx11 {
        list.push(("inst_pref_size", object::inst_pref_size(kernel.code.len() as u32, family)));
    }
    list
}

/// A name as the assembler takes it.
fn symbol(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'));
    if plain { name.into() } else { format!("\"{name}\"") }
}

fn body(
    out: &mut String,
    places: &Places,
    rows: &[LineRow],
    module: &ir::Module,
    finished: &Finished,
    target: &Target,
) {
    let code = &finished.code;
    let mut blocks = code.blocks.iter().peekable();
    let mut rows = rows.iter().peekable();
    let mut last_line = None;
    let label = |block: u32| symbol(&format!(".L{}_bb{block}", finished.func.name));
    for Line { offset, inst, span } in &code.insts {
        while let Some((block, _)) = blocks.next_if(|(_, start)| start <= offset) {
            let _ = writeln!(out, "{}:", label(*block));
        }
        let line = places.ptx_line(*span);
        if line != last_line
            && let Some(line) = line
        {
            let _ = writeln!(out, "\t; {line}: {}", places.ptx_text(line).trim());
        }
        last_line = line.or(last_line);
        while let Some(LineRow { place, prologue_end, .. }) = rows.next_if(|row| row.offset <= *offset) {
            let end = if *prologue_end { " prologue_end" } else { "" };
            let _ = writeln!(out, "\t.loc\t{} {} {}{end}", place.file + 1, place.line, place.column);
        }
        let mut text = amd::asm::print_with(inst, target, label);
        // The distance to a variable is the linker's to fill in.
        if let Some(fixup) = code.fixups.iter().find(|f| f.offset == offset + 4)
            && inst.uses.iter().any(|u| matches!(u, Operand::Imm(_)))
        {
            let global = &module.globals[crate::id::EntityRef::new(fixup.global as usize)];
            let addend = fixup.addend + i64::from(fixup.offset - fixup.pc_offset);
            let at = text.rfind(", ").unwrap_or(text.len());
            text.truncate(at);
            let _ = write!(text, ", {}@rel32@lo{addend:+}", symbol(&global.name));
        }
        let _ = writeln!(out, "\t{text}");
    }
    for (block, _) in blocks {
        let _ = writeln!(out, "{}:", label(*block));
    }
}

/// A file name between quotes.
fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn variables(out: &mut String, module: &ir::Module) {
    for global in module.globals.values() {
        let name = symbol(&global.name);
        let is_zero = global.relocs.is_empty() && global.init.iter().all(|&b| b == 0);
        let section = if is_zero { ".bss" } else { ".data" };
        let _ = writeln!(out, "\n\t{section}\n\t.p2align\t{}", global.align_bytes.max(1).trailing_zeros());
        if global.exported {
            // Protected, as code counts on its place.
            let _ = writeln!(out, "\t.protected\t{name}\n\t.globl\t{name}");
        }
        let _ = writeln!(out, "\t.type\t{name},@object\n{name}:");
        let mut at = 0u64;
        let mut relocs = global.relocs.clone();
        relocs.sort_by_key(|r| r.offset_bytes);
        let bytes = |out: &mut String, from: u64, to: u64| {
            let given = if is_zero { from } else { (global.init.len() as u64).clamp(from, to) };
            for chunk in global.init.get(from as usize..given as usize).unwrap_or(&[]).chunks(16) {
                let list: Vec<String> = chunk.iter().map(|b| format!("0x{b:02x}")).collect();
                let _ = writeln!(out, "\t.byte\t{}", list.join(", "));
            }
            if given < to {
                let _ = writeln!(out, "\t.zero\t{}", to - given);
            }
        };
        for reloc in relocs {
            bytes(out, at, reloc.offset_bytes);
            let _ = writeln!(out, "\t.quad\t{}{:+}", symbol(&module.globals[reloc.target].name), reloc.addend);
            at = reloc.offset_bytes + 8;
        }
        bytes(out, at, global.size_bytes);
        let _ = writeln!(out, "\t.size\t{name}, {}", global.size_bytes);
    }
}
