//! What generated kernels are made of: every form of instruction that translates, or the reason why it is left out.

use std::collections::{BTreeMap, BTreeSet};
use warp2wave::amd::Target;
use warp2wave::generate::{Config, generate};
use warp2wave::ptx;
use warp2wave::ptx::forms::{self, sample};
use warp2wave::ptx::tree::{Item, Module, Stmt};
use warp2wave::run::{ArgValue, Launch, launch_with};
use warp2wave::verify::{Subject, Verdict};
use warp2wave::{Options, translate};

/// A form as the grammar has it, with each word that it may have.
type Part = (&'static str, String);

/// The parts that an instruction shows: of the first form that fits it.
fn parts(module: &Module, stmts: &[Stmt], found: &mut BTreeSet<Part>) {
    for stmt in stmts {
        match stmt {
            Stmt::Inst(packed) => {
                let inst = module.inst(packed);
                if let Some(fit) = forms::matches(inst.opcode, inst.modifiers).first() {
                    found.insert((fit.form.line, String::new()));
                    found
                        .extend(inst.modifiers.iter().map(|&word| (fit.form.line, module.names.get(word).to_string())));
                }
            }
            Stmt::Block(inner, _) => parts(module, inner, found),
            _ => {}
        }
    }
}

/// The parts of all functions of a source.
fn parts_of(source: &str) -> BTreeSet<Part> {
    let (module, _) = ptx::parse(source);
    let mut found = BTreeSet::new();
    for item in &module.items {
        if let Item::Function(function) = item
            && let Some(body) = &function.body
        {
            parts(&module, body, &mut found);
        }
    }
    found
}

/// Forms that translate and are left out: approximations differ in their last bits between machines, so that the interpreter has none.
const LEFT_OUT: &[&str] = &["div.approx", "div.full", "ex2.approx", "rcp.approx", "rsqrt.approx"];

/// The parts that translation takes, each with a sample; and samples that the interpreter does not know.
fn translated() -> (BTreeMap<Part, String>, Vec<String>) {
    let options = Options::new(Target::parse("gfx1100").unwrap());
    // Declarations that no kernel may have are no reason to refuse a statement.
    let refused = ["texref", "surfref", ".b128", ".f64", ".f16x2"];
    let lines = sample::FRAME.lines().filter(|line| !refused.iter().any(|word| line.contains(word)));
    let frame: String = lines.flat_map(|line| [line, "\n"]).collect();
    assert!(translate(&frame, &options).is_ok(), "the frame itself is refused");
    let own = parts_of(&frame);
    let (mut found, mut unknown) = (BTreeMap::new(), vec![]);
    for statement in sample::all().flat_map(|samples| samples.right) {
        let source = frame.replace("//BODY", &statement);
        if LEFT_OUT.iter().any(|left| statement.starts_with(left)) || translate(&source, &options).is_err() {
            continue;
        }
        if let Err(diags) = Subject::new(&source, "kernel_") {
            unknown.push(format!("{statement} {}", diags[0].message));
        }
        for part in parts_of(&source).difference(&own) {
            found.entry(part.clone()).or_insert(statement.clone());
        }
    }
    (found, unknown)
}

#[test]
fn every_form_that_translates_is_generated() {
    let (wanted, unknown) = translated();
    assert!(wanted.len() > 1500, "{} parts translate", wanted.len());
    assert!(unknown.is_empty(), "not interpreted:\n{}", unknown.join("\n"));
    let mut made = BTreeSet::new();
    for seed in 0..4000 {
        let config = Config { lanes: true, floats: true, ..Config::default() };
        made.extend(parts_of(&generate(seed, &config).source));
    }
    let missing = wanted.iter().filter(|(part, _)| !made.contains(part));
    let missing: Vec<String> = missing.map(|((line, word), sample)| format!("{line} | {word} | {sample}")).collect();
    assert!(missing.is_empty(), "{} of {} never generated:\n{}", missing.len(), wanted.len(), missing.join("\n"));
}

/// One thread's `%r1` after some statements, by the interpreter and on each family, which must agree.
fn result(statements: &str, block: u32) -> u32 {
    let source = format!(
        ".version 8.8\n.target sm_100f\n.address_size 64\n.global .align 32 .b8 in[32];\n.visible .entry k(.param .u64 out, .param .b32 n)\n{{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n\
         .reg .f32 %f<9>;\n.reg .pred %p<9>;\n.reg .b16 %h<9>;\nld.param.u64 %d1, [out];\nld.param.b32 %r2, [n];\nmov.b32 %f2, %r2;\n{statements}\n\
         st.global.b32 [%d1], %r1;\nret;\n}}\n"
    );
    let subject = Subject::new(&source, "k").unwrap_or_else(|d| panic!("{d:?}\n{source}"));
    let launch = Launch {
        kernel: "k".to_string(),
        grid: [1; 3],
        block: [block, 1, 1],
        dynamic_lds_bytes: 0,
        args: vec![ArgValue::Buffer(vec![0; 4]), ArgValue::Bytes(2.5f32.to_bits().to_le_bytes().to_vec())],
    };
    let results = ["gfx906", "gfx942", "gfx1030", "gfx1100", "gfx1201"].map(|name| {
        let object = translate(&source, &Options::new(Target::parse(name).unwrap()));
        let object = object.unwrap_or_else(|d| panic!("{name}: {d:?}\n{source}"));
        let verdict = subject.compare(&object, &launch, 1 << 20);
        assert!(matches!(verdict, Ok(Verdict::Same { .. })), "{name}: {verdict:?}\n{source}");
        let out = launch_with(object.bytes(), &launch, &warp2wave::emu::Options::default());
        u32::from_le_bytes(out.unwrap_or_else(|e| panic!("{name}: {e}")).0[0][..4].try_into().unwrap())
    });
    assert!(results.iter().all(|&r| r == results[0]), "{results:x?}\n{source}");
    results[0]
}

/// What generated kernels showed to be wrong, with results that the manual gives. `n` is 2.5.
#[test]
fn what_generated_kernels_found() {
    let one = |statements: &str| result(statements, 1);
    // `.sat` with a rounding to a whole number.
    assert_eq!(one("cvt.rpi.sat.f32.f32 %f1, %f2;\nmov.b32 %r1, %f1;"), 1.0f32.to_bits());
    assert_eq!(one("cvt.rmi.f32.f32 %f1, %f2;\nmov.b32 %r1, %f1;"), 2.0f32.to_bits());
    // `.ftz` is for f32: the smallest f16 is no subnormal there.
    let to_f32 = |words: &str, bits: u32| {
        one(&format!("mov.b32 %r3, {bits};\ncvt.u16.u32 %h1, %r3;\ncvt{words}.f32.f16 %f1, %h1;\nmov.b32 %r1, %f1;"))
    };
    assert_eq!(to_f32(".ftz", 1), 2f32.powi(-24).to_bits());
    assert_eq!(to_f32("", 0x1234_4248), 3.140625f32.to_bits());
    let half = |words: &str| one(&format!("cvt.rn{words}.f16.f32 %h1, %f2;\ncvt.u32.u16 %r1, %h1;"));
    assert_eq!((half(".sat"), half("")), (0x3c00, 0x4100));
    // Hints for both caches.
    assert_eq!(
        one("ld.global.L1::evict_first.L2::evict_first.v8.b32 {%r1, %r3, %r4, %r5, %r6, %r7, %r8, %r2}, [in];").min(1),
        0
    );
    // Threads come out of one barrier in parts, and wait for each other at the next.
    let apart = "barrier.sync 0, 64;\nbar.sync 0;\nbarrier.arrive 0, 64;\nmov.u32 %r1, 7;";
    assert_eq!(result(apart, 64), 7);
    // Of a vector loaded once for the wave, one element is still read behind a barrier where threads wait, the others are not.
    let vector = "bar.sync 0;\nbarrier.sync 0, 32;\nmov.u64 %d2, in;\nld.global.nc.v2.b32 {%r3, %r4}, [%d2];\nand.b32 %r5, %r4, 3;\nTOP:\n\
                  sub.s32 %r5, %r5, 1;\nsetp.gt.s32 %p1, %r5, 0;\n@%p1 bra TOP;\nbar.sync 0;\nadd.s32 %r1, %r3, 9;";
    assert_eq!(one(vector), 9);
    // Reductions of f32.
    let reduction =
        |words: &str| one(&format!("neg.f32 %f1, %f2;\nredux.sync.{words}.f32 %f1, %f1, 1;\nmov.b32 %r1, %f1;"));
    assert_eq!((reduction("min"), reduction("max.abs")), ((-2.5f32).to_bits(), 2.5f32.to_bits()));
}
