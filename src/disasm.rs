//! The text of a code object: what `warp2wave disasm` prints.

use crate::amd::{self, Target};
use crate::object::CodeObject;
use std::fmt::Write as _;

/// Every kernel of the object: its resources, then one instruction a line with its offset and words; words that are no
/// instruction of the target as `.long`. Fails for a target that is not known and a kernel whose code is not in the object.
pub fn text(object: &CodeObject) -> Result<String, String> {
    let target = Target::parse(&object.target)?;
    let mut out = String::new();
    let _ = writeln!(out, "; {target}, code object {:?}", object.version);
    for kernel in &object.kernels {
        let Some(image) = object.image(kernel.entry_address, kernel.code_bytes) else {
            return Err(format!("the code of `{}` lies outside the file", kernel.name));
        };
        let words: Vec<u32> = image.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let m = &kernel.metadata;
        // On gfx9 the metadata count VCC, the XNACK mask and FLAT_SCRATCH as well.
        let extra = if target.column() == amd::Column::Gfx9 { 6 } else { 0 };
        let needs = amd::target::Needs {
            vgprs: m.vgpr_count,
            sgprs: m.sgpr_count.saturating_sub(extra),
            lds_bytes: m.group_segment_fixed_size,
            workgroup_items: (m.reqd_workgroup_size.map_or(1, |size| size.iter().product()), m.max_flat_workgroup_size),
        };
        let _ = writeln!(
            out,
            "\n{}: ; {} VGPRs, {} SGPRs, {} bytes of LDS, {} of scratch, {} of arguments; occupancy {}",
            kernel.name,
            m.vgpr_count,
            m.sgpr_count,
            m.group_segment_fixed_size,
            m.private_segment_fixed_size,
            m.kernarg_segment_size,
            target.occupancy(&needs),
        );
        let mut at = 0;
        while at < words.len() {
            let (text, dwords) = match amd::decode(&words[at..], &target) {
                Ok((inst, dwords)) => (amd::asm::print(&inst, &target), dwords),
                Err(_) => match amd::vopd::decode(&words[at..], &target) {
                    Ok((dual, dwords)) => (amd::vopd::print(&dual, &target), dwords),
                    Err(_) => (format!(".long 0x{:08x}", words[at]), 1),
                },
            };
            let mut hex = String::new();
            for word in &words[at..at + dwords] {
                let _ = write!(hex, " {word:08X}");
            }
            let _ = writeln!(out, "    {text:<60} ; {:06x}:{hex}", at * 4);
            at += dwords;
        }
    }
    Ok(out)
}
