//! `disasm` and `targets`.

use super::args::{Disasm, Targets};
use super::{Outcome, bundle, files};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::io::Write as _;
use warp2wave::amd::{self, Target};
use warp2wave::object;

/// Prints every kernel of a code object, or of those of a bundle, one instruction a line with its address and words.
pub fn disasm(args: &Disasm) -> Result<Outcome> {
    let mut out = String::new();
    let objects = bundle::code_objects(files::read(&args.file)?, args.target.as_ref());
    for (index, bytes) in objects.with_context(|| files::shown(&args.file))?.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        let object = object::read(bytes).with_context(|| files::shown(&args.file))?;
        disasm_object(&object, &mut out)?;
    }
    std::io::stdout().lock().write_all(out.as_bytes())?;
    Ok(Outcome::Done)
}

fn disasm_object(object: &object::CodeObject, out: &mut String) -> Result<()> {
    let target = Target::parse(&object.target).map_err(anyhow::Error::msg)?;
    let _ = writeln!(out, "; {target}, code object {:?}", object.version);
    for kernel in &object.kernels {
        let Some(image) = object.image(kernel.entry_address, kernel.code_bytes) else {
            bail!("the code of `{}` lies outside the file", kernel.name);
        };
        let words: Vec<u32> = image.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let m = &kernel.metadata;
        let _ = writeln!(
            out,
            "\n{}: ; {} VGPRs, {} SGPRs, {} bytes of LDS, {} of scratch, {} of arguments",
            kernel.name,
            m.vgpr_count,
            m.sgpr_count,
            m.group_segment_fixed_size,
            m.private_segment_fixed_size,
            m.kernarg_segment_size,
        );
        let mut at = 0;
        while at < words.len() {
            let (text, dwords) = match amd::decode(&words[at..], &target) {
                Ok((inst, dwords)) => (amd::asm::print(&inst, &target), dwords),
                Err(_) => (format!(".long 0x{:08x}", words[at]), 1),
            };
            let mut hex = String::new();
            for word in &words[at..at + dwords] {
                let _ = write!(hex, " {word:08X}");
            }
            let _ = writeln!(out, "    {text:<60} ; {:06x}:{hex}", at * 4);
            at += dwords;
        }
    }
    Ok(())
}

/// Prints the table of processors.
pub fn targets(args: &Targets) -> Result<Outcome> {
    let mut out = String::new();
    if args.json {
        let rows: Vec<_> = Target::all()
            .map(|t| {
                let p = t.processor();
                serde_json::json!({
                    "name": p.name, "machine": p.machine, "generic_version": p.generic_version,
                    "wave_lanes": p.wave_lanes, "vgprs": p.vgprs, "sgprs": p.sgprs, "lds_bytes": p.lds_bytes,
                })
            })
            .collect();
        out = serde_json::to_string_pretty(&rows)? + "\n";
    } else {
        let _ = writeln!(out, "{:<18} {:>5} {:>6} {:>6} {:>7}  machine", "processor", "wave", "VGPRs", "SGPRs", "LDS");
        for t in Target::all() {
            let p = t.processor();
            let _ = writeln!(
                out,
                "{:<18} {:>5} {:>6} {:>6} {:>7}  0x{:02x}",
                p.name, p.wave_lanes, p.vgprs, p.sgprs, p.lds_bytes, p.machine
            );
        }
    }
    std::io::stdout().lock().write_all(out.as_bytes())?;
    Ok(Outcome::Done)
}
