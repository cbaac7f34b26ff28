//! Bodies of the fuzz targets: `fuzz/` calls them for ever, the tests for a moment. Each panics on a finding.

use crate::amd::{self, Target};
use crate::{Options, container, object, ptx};

/// Inputs longer than this only slow a fuzzer down.
const LIMIT_BYTES: usize = 1 << 16;

/// Any text parses or is refused; what parses prints to text that parses to an equal tree.
pub fn ptx(source: &str) {
    let (tree, diags) = ptx::parse(source);
    if diags.iter().any(crate::diag::Diag::is_fatal) {
        for diag in &diags {
            crate::diag::render_human(diag, "fuzz.ptx", source, false);
        }
        return;
    }
    let text = ptx::print(&tree);
    let (again, diags) = ptx::parse(&text);
    assert!(!diags.iter().any(crate::diag::Diag::is_fatal), "the printed text does not parse: {diags:?}\n{text}");
    assert_eq!(ptx::print(&again), text, "printing is not stable");
}

/// Any text is formatted or refused; formatted text reads as the same tree and stays as it is.
pub fn format(source: &str) {
    let Ok(formatted) = ptx::format(source) else { return };
    assert!(
        ptx::same_tree(&ptx::parse(source).0, &ptx::parse(&formatted).0),
        "another tree\n{source}\n---\n{formatted}"
    );
    assert_eq!(ptx::format(&formatted).ok().as_ref(), Some(&formatted), "formatting is not stable\n{source}");
}

/// Any text is checked, and the verdict is that of the translation.
pub fn check(source: &str) {
    if source.len() > LIMIT_BYTES {
        return;
    }
    for name in ["gfx1100", "gfx942"] {
        if let Ok(target) = Target::parse(name) {
            let options = Options::new(target);
            let coverage = crate::coverage::of(source, std::slice::from_ref(&options));
            assert_eq!(coverage.is_complete(), crate::translate(source, &options).is_ok(), "on {name}\n{source}");
        }
    }
}

/// A module made from the forms at random is read and printed; damaged, it is refused or read.
pub fn forms(bytes: &[u8]) {
    ptx::forms::sample::fuzz(&bytes[..bytes.len().min(LIMIT_BYTES)]);
}

/// Any bytes are a code object or are refused.
pub fn object(bytes: &[u8]) {
    if let Ok(object) = object::read(bytes) {
        for kernel in &object.kernels {
            object.image(kernel.entry_address, kernel.code_bytes.min(1 << 20));
        }
    }
}

/// Any bytes are an offload bundle or are refused.
pub fn bundle(bytes: &[u8]) {
    if let Ok(entries) = container::read(bytes) {
        for entry in entries {
            object(&entry.bytes);
        }
    }
}

/// Any words decode or are refused, on every target.
pub fn decode(bytes: &[u8]) {
    let words: Vec<u32> =
        bytes.chunks_exact(4).take(64).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
    for target in Target::all() {
        if let Ok((inst, dwords)) = amd::decode(&words, &target) {
            assert!(dwords >= 1 && dwords <= words.len());
            amd::asm::print(&inst, &target);
            // Unused bits of a word need not survive, but what we write must read back the same.
            if let Ok(encoded) = amd::encode(&inst, &target) {
                let again = amd::decode(&encoded, &target).map(|(i, _)| i);
                assert_eq!(again.as_ref().ok(), Some(&inst), "{target}");
            }
        }
    }
}

/// Any text is translated or refused.
pub fn translate(source: &str) {
    if source.len() > LIMIT_BYTES {
        return;
    }
    for name in ["gfx1100", "gfx942"] {
        if let Ok(target) = Target::parse(name) {
            let _ = crate::translate(source, &Options::new(target));
        }
    }
}

/// Any text is interpreted to its end, faults, or is refused, in bounded time.
pub fn eval(source: &str) {
    if source.len() > LIMIT_BYTES {
        return;
    }
    let Ok(names) = crate::verify::kernels(source) else { return };
    for name in names.iter().take(4) {
        let Ok(subject) = crate::verify::Subject::new(source, name) else { continue };
        let bytes = |n: u32| vec![0u8; n as usize];
        let args = subject.program.params.iter().map(|param| match param.may_point {
            true => crate::run::ArgValue::Buffer(bytes(256)),
            false => crate::run::ArgValue::Bytes(bytes(param.bytes)),
        });
        let launch = crate::run::Launch {
            kernel: name.clone(),
            grid: [2, 1, 1],
            block: subject.program.reqntid.unwrap_or([33, 1, 1]),
            dynamic_lds_bytes: 64,
            args: args.collect(),
        };
        let options = crate::eval::Options { step_limit: 20_000, ..crate::eval::Options::default() };
        let _ = subject.sanitize(&launch, options);
    }
}

/// A generated kernel computes on every family what the interpreter says.
pub fn verify(bytes: &[u8]) {
    let Some(seed) = bytes.first_chunk().map(|b| u64::from_le_bytes(*b)) else { return };
    let kind = bytes.get(8).copied().unwrap_or(0);
    let config = crate::generate::Config { size: 10 + u32::from(kind >> 2), floats: kind & 1 != 0, lanes: false };
    let kernel = crate::generate::generate(seed, &config);
    for name in ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"] {
        if let Ok(target) = Target::parse(name)
            && let Some(what) = crate::verify::check_generated(&kernel, &target)
        {
            panic!("{name}: {what}\n{}", kernel.source);
        }
    }
}

/// Any text is an argument of `run`, or a mistake with a place.
pub fn run_arg(text: &str) {
    // A buffer that is asked for may be large; nothing is made here.
    let _ = crate::run::Arg::parse(text);
    let _ = crate::run::Dump::parse(text);
    let _ = crate::run::OutFile::parse(text);
}

/// Any control flow gets masks: what comes out is well formed, and the wave comes to every block that a lane can come to.
pub fn control_flow(bytes: &[u8]) {
    use crate::amd::{Encoding, Mods, ops};
    use crate::diag::Span;
    use crate::id::EntityRef;
    use crate::mir::{Block, Inst, MirFunc, Operand, RegClass, Terminator, verify::verify};
    let Some((&first, rest)) = bytes.split_first() else { return };
    let Ok(target) = Target::parse(if first & 1 == 0 { "gfx1100" } else { "gfx942" }) else { return };
    let specs: Vec<[u8; 4]> = rest.chunks_exact(4).take(200).map(|c| [c[0], c[1], c[2], c[3]]).collect();
    if specs.is_empty() {
        return;
    }
    let mut func = MirFunc::new("fuzz");
    func.layout = specs.iter().map(|_| func.add_block()).collect();
    let (lane, mask) = (func.new_vreg(RegClass::Vgpr, 1), func.new_vreg(RegClass::Sgpr, target.mask_dwords()));
    let (lane, mask) = (func.reg(lane), func.reg(mask));
    for (at, [kind, a, b, flags]) in specs.iter().copied().enumerate() {
        let to = |n: u8| Block::new(n as usize % specs.len());
        let data = &mut func.blocks[Block::new(at)];
        let compare = amd::Inst::new(ops::v_cmp_ne_u32, [mask], [Operand::Imm(0), lane.into()]);
        let compare = compare.with(Mods { encoding: Encoding::Vop3, ..Mods::default() });
        data.resume = flags & 7 == 0;
        if flags & 24 != 0 {
            data.insts.push(Inst::op(compare, Span::NONE));
        }
        data.term = match kind % 8 {
            0 => Terminator::Exit,
            1 => Terminator::Jump(to(a)),
            2 => Terminator::Barrier { whole: false, next: to(a) },
            3 => Terminator::Switch { index: lane, targets: vec![to(a), to(b), to(a ^ b), to(flags)] },
            _ => Terminator::BranchMask { mask, uniform: kind & 64 != 0, then: to(a), els: to(b) },
        };
        data.logical_succs = data.term.successors();
    }
    crate::exec::insert_masks(&mut func, &target);
    verify(&func, &target).unwrap_or_else(|e| panic!("{e}"));
    let mut seen = vec![false; func.blocks.len()];
    let mut work = vec![func.entry];
    while let Some(block) = work.pop() {
        if !std::mem::replace(&mut seen[block.index()], true) {
            work.extend(&func.blocks[block].linear_succs);
        }
    }
    for &block in &func.layout {
        for &next in &func.blocks[block].logical_succs {
            assert!(seen[next.index()], "the wave never comes to {next}");
        }
    }
}
