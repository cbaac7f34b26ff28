//! Bodies of the fuzz targets: `fuzz/` calls them for ever, the tests for a moment. Each panics on a finding.

use crate::amd::{self, Target};
use crate::generate::{Config, generate_by};
use crate::run::{ArgValue, Launch};
use crate::verify::Checker;
use crate::{Options, container, disasm, emu, object, ptx};
use std::sync::LazyLock;

/// Inputs longer than this only slow a fuzzer down.
const LIMIT_BYTES: usize = 1 << 16;

/// Any text parses or is refused; what parses, prints and formats to text that parses to an equal tree and stays as it is.
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
    let Ok(formatted) = ptx::format(source) else { return };
    assert!(ptx::same_tree(&tree, &ptx::parse(&formatted).0), "another tree\n{source}\n---\n{formatted}");
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

/// Any bytes are a code object, or an offload bundle of some, or are refused; an object is disassembled and run.
pub fn object(bytes: &[u8]) {
    let entries = container::read(bytes).unwrap_or_default();
    for bytes in entries.iter().map(|entry| entry.bytes.as_slice()).take(4).chain([bytes]) {
        let Ok(object) = object::read(bytes) else { continue };
        let _ = disasm::text(&object);
        for kernel in object.kernels.iter().take(2) {
            let wanted = u64::from(kernel.metadata.private_segment_fixed_size) * 1024;
            let image = object.segments.iter().fold(0, |sum: u64, s| sum.saturating_add(s.memory_bytes));
            // What an object asks for is given, up to a GiB, but not to a fuzzer.
            if wanted.max(image) < 1 << 22 {
                run(bytes, kernel, &emu::Options { step_limit: 2000, ..emu::Options::default() });
            }
        }
    }
}

/// Launches a kernel with buffers, or zeros, as arguments.
fn run(bytes: &[u8], kernel: &object::Kernel, options: &emu::Options) {
    let explicit = kernel.metadata.args.iter().filter(|arg| !arg.is_hidden());
    let args = explicit.map(|arg| match arg.size {
        8 => ArgValue::Buffer(vec![0; 256]),
        n => ArgValue::Bytes(vec![0; n.min(1 << 16) as usize]),
    });
    let block = kernel.metadata.reqd_workgroup_size.unwrap_or([70.min(kernel.metadata.max_flat_workgroup_size), 1, 1]);
    let launch =
        Launch { kernel: kernel.name.clone(), grid: [2, 1, 1], block, dynamic_lds_bytes: 64, args: args.collect() };
    let _ = crate::run::launch_with(bytes, &launch, options);
}

/// Any words decode or are refused, on every target; executed, they end, fault, or come to the limit.
pub fn code(bytes: &[u8]) {
    decode(bytes);
    emulate(bytes);
}

fn decode(bytes: &[u8]) {
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

/// A kernel with every kind of memory, whose code is overwritten.
const HOST: &str = "
.version 8.0\n.target sm_80\n.address_size 64
.visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)
{
.reg .b32 %r<8>;\n.reg .b64 %d<6>;\n.reg .pred %p<2>;
.shared .align 8 .b8 s[512];\n.local .align 8 .b8 l[64];
ld.param.u64 %d1, [a];\nld.param.u64 %d2, [b];\nld.param.u32 %r1, [n];
mov.u32 %r2, %tid.x;\nmul.wide.u32 %d3, %r2, 4;\nadd.s64 %d4, %d1, %d3;\nmov.u32 %r3, s;\nand.b32 %r4, %r2, 63;
shl.b32 %r5, %r4, 2;\nadd.u32 %r3, %r3, %r5;\nmov.u32 %r6, l;\nand.b32 %r5, %r1, 15;\nshl.b32 %r5, %r5, 2;\nadd.u32 %r6, %r6, %r5;
L:\nst.shared.u32 [%r3], %r2;\nst.local.u32 [%r6], %r1;\nbar.sync 0;\nld.shared.u32 %r7, [%r3];\nld.local.u32 %r5, [%r6];
atom.global.add.u32 %r7, [%d2], %r7;\nshfl.sync.bfly.b32 %r4, %r7, 1, 31, -1;\nadd.u32 %r4, %r4, %r5;\nst.global.u32 [%d4], %r4;
sub.u32 %r1, %r1, 1;\nsetp.lt.s32 %p1, %r1, 1;\n@!%p1 bra L;
ret;\n}\n";

/// The first byte chooses the processor, the second how it is run and where in the code the others go.
fn emulate(bytes: &[u8]) {
    static HOSTS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
        let host = |target| crate::translate(HOST, &Options::new(target)).map(crate::CodeObject::into_bytes);
        Target::all().map(|target| host(target).unwrap_or_else(|diags| panic!("{diags:?}"))).collect()
    });
    let [target, how, code @ ..] = bytes else { return };
    let mut bytes = HOSTS[*target as usize % HOSTS.len()].clone();
    let Ok(object) = object::read(&bytes) else { panic!("our own object is not read") };
    let kernel = &object.kernels[0];
    let Some(image) = object.image(kernel.entry_address, kernel.code_bytes) else { panic!("the code lies outside") };
    let at = memchr::memmem::find(&bytes, &image).unwrap_or_else(|| panic!("the code is not in the file"));
    let from = (*how as usize >> 3) * 4;
    let count = code.len().min(image.len().saturating_sub(from));
    bytes[at + from..at + from + count].copy_from_slice(&code[..count]);
    let options = emu::Options {
        zero_fill: how & 1 != 0,
        check_hazards: how & 2 != 0,
        check_waits: how & 4 != 0,
        step_limit: 2000,
        ..emu::Options::default()
    };
    run(&bytes, kernel, &options);
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
            true => ArgValue::Buffer(bytes(256)),
            false => ArgValue::Bytes(bytes(param.bytes)),
        });
        let launch = Launch {
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

/// A generated kernel computes on every family what the interpreter says. Eight bytes are the seed of its data, one its kind, the
/// others the choices of its statements.
pub fn verify(bytes: &[u8]) {
    let Some((seed, [kind, choices @ ..])) = bytes.split_first_chunk() else { return };
    let config = Config { size: 10 + u32::from(kind >> 2), floats: kind & 1 != 0, lanes: kind & 2 != 0 };
    let kernel = generate_by(u64::from_le_bytes(*seed), choices, &config);
    let checker = match Checker::new(&kernel) {
        Ok(checker) => checker,
        Err(what) => panic!("{what}\n{}", kernel.source),
    };
    for name in ["gfx906", "gfx90a", "gfx942", "gfx1030", "gfx1100", "gfx1201"] {
        if let Ok(target) = Target::parse(name)
            && let Err(what) = checker.check(&target)
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
    use crate::mir::{Block, Inst, InstKind, MirFunc, Operand, RegClass, Terminator, verify::verify};
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
            // Lanes that are done may end where they are.
            let ends = matches!(func.blocks[next].insts[..], [Inst { kind: InstKind::Op(ref op), .. }] if op.op == ops::s_endpgm);
            assert!(seen[next.index()] || ends, "the wave never comes to {next}");
        }
    }
}
