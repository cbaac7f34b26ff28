//! PTX to IR: the corpus lifts, refusals are located and complete, and small inputs have the IR that the manual asks for.

use std::path::{Path, PathBuf};
use warp2wave::diag::{Diag, Severity, codes};
use warp2wave::{ir, lift, ptx};

fn corpus() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    files.sort();
    files
}

fn parse(source: &str) -> ptx::tree::Module {
    let (module, diags) = ptx::parse(source);
    let fatal: Vec<&Diag> = diags.iter().filter(|d| d.is_fatal()).collect();
    assert!(fatal.is_empty(), "{fatal:#?}");
    module
}

/// Names of the entries of a module.
fn entries(module: &ptx::tree::Module) -> Vec<String> {
    let mut names = Vec::new();
    for item in &module.items {
        if let ptx::tree::Item::Function(f) = item
            && f.kind == ptx::tree::FunctionKind::Entry
        {
            names.push(module.names.get(f.name).to_string());
        }
    }
    names
}

/// Kernels of the files that must translate, and lie outside of what is translated so far.
const OUTSIDE: &[&str] = &["shfl", "vote", "f16", "f64", "sqrt", "atom.global.add.f32", "bar.warp.sync"];

#[test]
fn corpus_kernels_lift_or_are_refused_by_name() {
    let mut lifted = 0;
    for path in corpus() {
        let source = std::fs::read_to_string(&path).unwrap();
        let module = parse(&source);
        for kernel in entries(&module) {
            match lift::lift(&module, Some(std::slice::from_ref(&kernel))) {
                Ok(out) => {
                    lifted += 1;
                    assert_eq!(out.kernels.len(), 1);
                    ir::verify(&out.kernels[0].func).unwrap();
                }
                Err(diags) => {
                    for diag in diags {
                        assert_eq!(diag.severity, Severity::Unsupported, "{} in {kernel}: {diag:?}", path.display());
                        assert!(!diag.span.is_none());
                        if must_translate(&path) {
                            let known = OUTSIDE.iter().any(|word| diag.message.contains(word));
                            assert!(known, "{} in {kernel}: {}", path.display(), diag.message);
                        }
                    }
                }
            }
        }
    }
    assert!(lifted > 300, "{lifted} kernels");
}

/// The programs that the first milestone lists.
fn must_translate(path: &Path) -> bool {
    let name = path.file_name().unwrap().to_str().unwrap();
    let number = name.split('_').next().unwrap();
    let listed = [
        "01", "02", "03", "06", "07", "08", "09", "10", "11", "12", "13", "14", "15", "16", "17", "23", "24", "25",
        "31", "36", "37", "39", "41", "42", "44", "51",
    ];
    listed.contains(&number) || name.starts_with("triton_vec_add")
}

#[test]
fn missing_kernel_is_an_error_that_lists_what_there_is() {
    let module = parse(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry a() { ret; }\n.visible .entry b() { ret; }\n",
    );
    let diags = lift::lift(&module, Some(&["c".to_string()])).unwrap_err();
    assert_eq!(diags.len(), 1);
    assert_eq!((diags[0].severity, diags[0].code), (Severity::Error, codes::NO_SUCH_KERNEL));
    assert_eq!(diags[0].notes, ["its kernels are a, b"]);
}

fn with_body(functions: &str, body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n{functions}.visible .entry k(.param .u64 p, .param .u32 n)\n\
         {{\n.reg .b32 %r<30001>;\n.reg .b64 %rd;\n.reg .pred %p;\nld.param.u64 %rd, [p];\nld.param.u32 %r0, [n];\n\
         {body}ret;\n}}\n"
    )
}

#[test]
fn long_kernels_need_no_deep_stack() {
    // A long line, then as many joins as there are labels, through which a register lives.
    let mut body = String::new();
    for n in 1..=30_000 {
        body += &format!("mad.lo.s32 %r{n}, %r{}, 3, %r{};\n", n - 1, n / 2);
    }
    for n in 0..10_000 {
        body += &format!("setp.lt.u32 %p, %r0, {n};\n@%p bra L{n};\nadd.u32 %r1, %r1, 1;\nL{n}:\n");
    }
    body += "st.global.u32 [%rd], %r30000;\nst.global.u32 [%rd], %r1;\n";
    let out = lift::lift(&parse(&with_body("", &body)), None).unwrap();
    let mut func = out.kernels.into_iter().next().unwrap().func;
    ir::verify(&func).unwrap();
    warp2wave::opt::run(&mut func);
    assert!(func.insts.len() > 60_000);
}

#[test]
fn calls_too_deep_or_too_many_are_refused() {
    // Each function calls the next one twice: two to the fortieth in the end.
    let mut doubling = String::from(".func f0() { ret; }\n");
    let mut deep = doubling.clone();
    for n in 1..=40 {
        doubling += &format!(".func f{n}() {{ call f{0}; call f{0}; ret; }}\n", n - 1);
    }
    for n in 1..=2000 {
        deep += &format!(".func f{n}() {{ call f{}; ret; }}\n", n - 1);
    }
    for (functions, call, code) in
        [(doubling, "call f40;\n", codes::LIMIT), (deep, "call f2000;\n", codes::UNSUPPORTED_CALL)]
    {
        let diags = lift::lift(&parse(&with_body(&functions, call)), None).unwrap_err();
        assert_eq!(diags.iter().map(|d| d.code).collect::<Vec<_>>(), [code]);
    }
}
