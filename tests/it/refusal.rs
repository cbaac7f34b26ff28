//! Whole modules that hold something untranslatable are refused as a whole, and every offending instruction is named.
//!
//! The files are the corpus programs that hold kernels outside the instructions translated so far (`corpus::outside`).
//! Which instructions must be named is found by a scan of the text that owes nothing to the parser under test.

use crate::corpus::{SOURCES, check, harness, outside};
use std::collections::BTreeMap;
use warp2wave::amd::Target;
use warp2wave::diag::render_human;
use warp2wave::{Options, translate};

/// What an opcode is to a translator of today.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Fate {
    Translated,
    Refused,
    /// A copy or negation of f64 bits: exact without any f64 arithmetic, so either is right.
    Either,
}

fn fate(opcode: &str) -> Fate {
    let parts: Vec<&str> = opcode.split('.').collect();
    let has = |part: &str| parts.contains(&part);
    let moves = matches!(parts[0], "ld" | "st" | "mov");
    match parts[0] {
        "sqrt" | "nanosleep" => Fate::Refused,
        "isspacep" if has("const") => Fate::Refused,
        _ if has("acquire") || has("release") || parts[0].starts_with('%') => Fate::Refused,
        "atom" | "red" if has("f32") => Fate::Refused,
        "cvt" if has("f16") && has("f32") => Fate::Translated,
        "mov" | "abs" | "neg" | "selp" if has("f64") => Fate::Either,
        _ if !moves && (has("f64") || has("f16") || has("f16x2")) => Fate::Refused,
        _ => Fate::Translated,
    }
}

/// Special registers that have no translation: the line is refused for them, not for its opcode.
const REGISTERS: [&str; 6] = ["%smid", "%nsmid", "%gridid", "%clock", "%clock64", "%globaltimer"];

/// What each line that holds an instruction is to be named by, by line number from 1: its opcode, or one of [`REGISTERS`].
fn opcodes(text: &str) -> BTreeMap<usize, &str> {
    let mut found = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split("//").next().unwrap_or("").trim_start_matches(['{', ' ', '\t']);
        let line = if line.starts_with('@') {
            line.split_once(char::is_whitespace).map_or("", |(_, rest)| rest)
        } else {
            line
        };
        let opcode = line.split_whitespace().next().unwrap_or("").trim_end_matches(';');
        let register = line.split([' ', '\t', ',', ';']).find(|word| REGISTERS.contains(word));
        if opcode.starts_with(|c: char| c.is_ascii_lowercase()) && !opcode.ends_with(':') {
            found.insert(number, register.unwrap_or(opcode));
        }
    }
    found
}

/// The line of a byte of the text, from 1.
fn line_of(text: &str, at: u32) -> usize {
    text.as_bytes()[..at as usize].iter().filter(|&&b| b == b'\n').count() + 1
}

#[test]
fn every_offending_instruction_of_a_whole_module_is_named() {
    let mut wrong = vec![];
    for source in SOURCES.iter().filter(|s| outside::OUTSIDE.iter().any(|(stem, _, _)| *stem == s.stem)) {
        for ptx in check::files(source) {
            let opcodes = opcodes(&ptx.text);
            for harness::Runs { target, .. } in harness::targets().iter().filter(|runs| runs.all_files) {
                let name = format!("{} for {target}", ptx.file);
                let Err(refusal) = harness::compile(&ptx.file, &ptx.text, target, None) else {
                    wrong.push(format!("{name}: translated as a whole"));
                    continue;
                };
                // What the diagnostics say about each line.
                let mut named: BTreeMap<usize, String> = BTreeMap::new();
                for diag in refusal.diags.iter().filter(|d| d.is_fatal()) {
                    if diag.span.is_none() {
                        wrong.push(format!("{name}: no place: {}", diag.message));
                        continue;
                    }
                    let said = named.entry(line_of(&ptx.text, diag.span.start)).or_default();
                    let labels = diag.labels.iter().map(|label| &label.text);
                    for text in [&diag.message].into_iter().chain(labels).chain(&diag.notes) {
                        said.push_str(text);
                        said.push('\n');
                    }
                }
                for (line, said) in &named {
                    if opcodes.get(line).is_none_or(|opcode| fate(opcode) == Fate::Translated) {
                        wrong.push(format!("{name}:{line}: refused without need: {}", said.trim_end()));
                    }
                }
                for (line, opcode) in opcodes.iter().filter(|(_, opcode)| fate(opcode) == Fate::Refused) {
                    match named.get(line) {
                        None => wrong.push(format!("{name}:{line}: `{opcode}` is not named")),
                        Some(said) if !said.contains(opcode) || !said.contains(target) => {
                            wrong.push(format!(
                                "{name}:{line}: `{opcode}` or `{target}` is not in `{}`",
                                said.trim_end()
                            ));
                        }
                        Some(_) => {}
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} complaints\n{}", wrong.len(), wrong.join("\n"));
}

/// One small module per target, word for word.
#[test]
fn refusals_as_a_user_reads_them() {
    for (stem, producer, target) in [("31_blas1", "nvcc", "gfx942"), ("41_dyn_shared", "clang", "gfx1100")] {
        let source = SOURCES.iter().find(|source| source.stem == stem).expect("a corpus source");
        let ptx = check::files(source).into_iter().find(|ptx| ptx.by(producer) && !ptx.is("ftz")).expect("a file");
        let refusal = harness::compile(&ptx.file, &ptx.text, target, None).expect_err("kernels outside");
        let shown: Vec<String> =
            refusal.diags.iter().map(|diag| render_human(diag, &ptx.file, &ptx.text, false)).collect();
        insta::assert_snapshot!(format!("refusal_{stem}_{target}"), shown.join("\n"));
    }
}

/// The other files of the corpus: nothing is promised for them yet, but no kernel of theirs is an error or a crash.
#[test]
fn other_corpus_kernels_translate_or_are_refused_at_a_place() {
    let mut wrong = vec![];
    for ptx in check::other_files() {
        for kernel in ptx.kernels() {
            for harness::Runs { target, .. } in harness::targets().iter().filter(|runs| runs.all_files) {
                match harness::compile(&ptx.file, &ptx.text, target, Some(kernel)) {
                    Err(refusal) if !refusal.is_located_unsupported() => {
                        wrong.push(format!("{}/{kernel}/{target}\n{}", ptx.file, refusal.text));
                    }
                    _ => {}
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} complaints\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn opcodes_are_read_off_the_text() {
    let text = "ret;\n\t@!%p1 bra $L_1;\n{  cvt.rn.f16.f32 low, %f1;}\n$L_1:\n// add.f64\n\t.reg .f64 %fd<2>;\n shfl.sync.idx.b32 %r1, %r2;";
    let expected = [(1, "ret"), (2, "bra"), (3, "cvt.rn.f16.f32"), (7, "shfl.sync.idx.b32")];
    assert_eq!(opcodes(text).into_iter().collect::<Vec<_>>(), expected);
    assert_eq!(fate("cvt.rn.f16.f32"), Fate::Translated);
    assert_eq!(fate("cvt.rn.f16x2.f32"), Fate::Refused);
    assert_eq!(fate("ld.global.v2.f64"), Fate::Translated);
}

/// Kernels that no processor, or not this one, can hold: the text, the target, and what is said at which line and column.
#[test]
fn limits_are_refused_at_their_place() {
    let module = |directives: &str, params: &str, body: &str| {
        format!(
            ".version 8.1\n.target sm_80\n.address_size 64\n.visible .entry k({params}) {directives}\n{{\n{body}    ret;\n}}\n"
        )
    };
    let store = "    .reg .b64 %rd;\n    mov.u64 %rd, a;\n    st.u32 [a], 1;\n";
    let shared = |bytes: u32| {
        module("", "", &format!("    .shared .align 4 .b8 a[{bytes}];\n{}", store.replace("st.", "st.shared.")))
    };
    // The index is not known, so the array stays in memory.
    let local = |bytes: u32| {
        let body = format!(
            "    .local .align 4 .b8 a[{bytes}];\n    .reg .b32 %r<3>;\n    .reg .b64 %rd<3>;\n    mov.u32 %r1, %tid.x;\n    \
             mul.wide.u32 %rd1, %r1, 4;\n    mov.u64 %rd2, a;\n    add.s64 %rd2, %rd2, %rd1;\n    st.local.u32 [%rd2], %r1;\n    \
             ld.local.u32 %r2, [%rd2+4];\n    st.local.u32 [%rd2+8], %r2;\n    ld.param.u64 %rd1, [p];\n    \
             st.global.u32 [%rd1], %r2;\n"
        );
        module("", ".param .u64 p", &body)
    };
    // So many uniform values over a barrier that their places in lanes of VGPRs take all of those that 1024 work-items leave.
    let uniform = |count: u32| {
        let mut body =
            format!("    .reg .b32 %r<{count}>;\n    .reg .b32 %x;\n    .reg .b64 %q;\n    ld.param.u64 %q, [q];\n");
        for i in 0..count {
            body += &format!("    ld.param.u32 %r{i}, [p+{}];\n", 4 * i);
        }
        body += "    bar.sync 0;\n    mov.u32 %x, 0;\n";
        for i in 0..count {
            body += &format!("    xor.b32 %x, %x, %r{i};\n    mul.lo.u32 %x, %x, %r{i};\n");
        }
        body += "    st.global.u32 [%q], %x;\n";
        module("", &format!(".param .align 4 .b8 p[{}], .param .u64 q", 4 * count), &body)
    };
    let cases: &[(String, &str, &str)] = &[
        (uniform(1000), "gfx900", ""),
        (uniform(5000), "gfx900", "4:17 kernel `k` needs more SGPRs at once than gfx900 has for it"),
        (shared(65536), "gfx1100", ""),
        (shared(65540), "gfx1100", "4:17 `k` has 65540 bytes of `.shared` memory; gfx1100 has 65536"),
        (shared(65540), "gfx950", ""),
        (shared(163844), "gfx950", "4:17 `k` has 163844 bytes of `.shared` memory; gfx950 has 163840"),
        (shared(327684), "gfx1250", "4:17 `k` has 327684 bytes of `.shared` memory; gfx1250 has 327680"),
        (local(131056), "gfx942", ""),
        (local(131060), "gfx942", "4:17 `k` has 131060 bytes of `.local` memory; gfx942 has 131056 for each work-item"),
        (
            local(262140),
            "gfx1100",
            "4:17 `k` has 262140 bytes of `.local` memory; gfx1100 has 262136 for each work-item",
        ),
        (local(262140), "gfx1201", ""),
        (module(".maxntid 1024", "", ""), "gfx942", ""),
        (module(".maxntid 1025", "", ""), "gfx942", "4:21 `.maxntid` of 1025 threads: a CTA has 1 to 1024"),
        (module(".reqntid 32, 32, 2", "", ""), "gfx942", "4:21 `.reqntid` of 2048 threads: a CTA has 1 to 1024"),
        (module(".reqntid 0", "", ""), "gfx942", "4:21 a CTA has threads in each dimension"),
        (module("", ".param .align 4 .b8 p[32764]", ""), "gfx942", ""),
        (
            module("", ".param .align 4 .b8 p[32760], .param .u64 q", ""),
            "gfx942",
            "4:49 a kernel has at most 32764 bytes of parameters",
        ),
    ];
    for (text, target, expected) in cases {
        let options = Options::new(Target::parse(target).expect("a known target"));
        let said = match translate(text, &options) {
            Ok(_) => String::new(),
            Err(diags) => {
                assert_eq!(diags.len(), 1, "{diags:?}");
                let at = diags[0].span.start;
                let before = &text[..at as usize];
                let column = before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1;
                format!("{}:{column} {}", line_of(text, at), diags[0].message)
            }
        };
        assert_eq!(said, *expected, "{target}\n{text}");
    }
}

#[test]
fn options_that_no_object_can_have_are_refused() {
    let refused = |id: &str, change: &dyn Fn(&mut Options)| {
        let mut options = Options::new(Target::parse(id).expect("a known target"));
        change(&mut options);
        translate(".version 8.0\n.target sm_80\n.address_size 64\n", &options).expect_err("refused")[0].message.clone()
    };
    assert_eq!(refused("gfx11-generic", &|o| o.code_object_version = 5), "gfx11-generic needs code object version 6");
    assert_eq!(
        refused("gfx1100", &|o| o.code_object_version = 3),
        "code object version 3 does not exist: 4, 5 and 6 do"
    );
    assert_eq!(refused("gfx1100", &|o| o.max_block = 1025), "a work-group has 1 to 1024 work-items, not 1025");
}
