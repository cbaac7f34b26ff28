//! `--emit asm`: one file that `llvm-mc` assembles to the code we write, with the PTX lines it comes from as comments.

use super::package::{self, Finished};
use crate::amd::{self, Operand, Target};
use crate::diag::{Diag, Span};
use crate::finish::Line;
use crate::ir;
use crate::options::Options;
use std::fmt::Write;

pub fn module(source: &str, module: &ir::Module, kernels: &[Finished], options: &Options) -> Result<String, Vec<Diag>> {
    let target = &options.target;
    let lines = LineStarts::new(source);
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "\t.amdgcn_target \"amdgcn-amd-amdhsa--{target}\"");
    let _ = writeln!(out, "\t.amdhsa_code_object_version {}", options.code_object_version);
    for (kernel, finished) in module.kernels.iter().zip(kernels) {
        let name = symbol(&kernel.name);
        let _ = writeln!(
            out,
            "\n\t.text\n\t.protected\t{name}\n\t.globl\t{name}\n\t.p2align\t8\n\t.type\t{name},@function\n{name}:"
        );
        body(&mut out, source, &lines, module, finished, target);
        let _ = writeln!(out, ".Lend_{}:\n\t.size\t{name}, .Lend_{}-{name}", kernel.name, kernel.name);
        package::descriptor_directives(&mut out, kernel, finished, options)?;
    }
    variables(&mut out, module);
    Ok(out)
}

/// A name as the assembler takes it.
fn symbol(name: &str) -> String {
    let plain = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'));
    if plain { name.into() } else { format!("\"{name}\"") }
}

fn body(out: &mut String, source: &str, lines: &LineStarts, module: &ir::Module, finished: &Finished, target: &Target) {
    let code = &finished.code;
    let mut blocks = code.blocks.iter().peekable();
    let mut last_line = None;
    let label = |block: u32| format!(".L{}_bb{block}", finished.func.name);
    for Line { offset, inst, span } in &code.insts {
        while let Some((block, _)) = blocks.next_if(|(_, start)| start <= offset) {
            let _ = writeln!(out, "{}:", label(*block));
        }
        let line = lines.of(*span);
        if line != last_line
            && let Some(line) = line
        {
            let _ = writeln!(out, "\t; {line}: {}", lines.text(source, line).trim());
        }
        last_line = line.or(last_line);
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

fn variables(out: &mut String, module: &ir::Module) {
    for global in module.globals.values() {
        let name = symbol(&global.name);
        let _ = writeln!(out, "\n\t.data\n\t.p2align\t{}", global.align_bytes.max(1).trailing_zeros());
        if global.exported {
            let _ = writeln!(out, "\t.globl\t{name}");
        }
        let _ = writeln!(out, "\t.type\t{name},@object\n{name}:");
        let mut at = 0u64;
        let mut relocs = global.relocs.clone();
        relocs.sort_by_key(|r| r.offset_bytes);
        let bytes = |out: &mut String, from: u64, to: u64| {
            let given = (global.init.len() as u64).clamp(from, to);
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

/// Byte offsets of line starts.
struct LineStarts(Vec<u32>);

impl LineStarts {
    fn new(source: &str) -> LineStarts {
        let newlines = source.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        LineStarts(std::iter::once(0).chain(newlines.map(|(at, _)| at as u32 + 1)).collect())
    }

    /// The 1-based line that a span starts in.
    fn of(&self, span: Span) -> Option<usize> {
        (!span.is_none()).then(|| self.0.partition_point(|&start| start <= span.start))
    }

    fn text<'s>(&self, source: &'s str, line: usize) -> &'s str {
        let start = self.0[line - 1] as usize;
        source[start..].lines().next().unwrap_or("")
    }
}
