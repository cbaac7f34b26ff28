//! Bad PTX: what the reader says, and that it never panics.

use super::ptx::{corpus, ptx_files, rendered};
use proptest::prelude::*;
use std::path::Path;
use warp2wave::ptx;

#[test]
fn messages() {
    let files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/err"));
    assert!(!files.is_empty());
    for path in files {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let source = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
        let (_, diags) = ptx::parse(&source);
        assert!(diags.iter().any(|d| d.is_fatal()), "{name} is fine");
        insta::assert_snapshot!(format!("ptx_err_{name}"), rendered(&diags, &format!("{name}.ptx"), &source));
    }
}

const HEAD: &str = ".version 8.8\n.target sm_90\n.address_size 64\n";

#[test]
fn nesting_is_limited() {
    let deep = 100_000;
    let scopes = format!("{HEAD}.entry k() {{ {} ret; {} }}", "{".repeat(deep), "}".repeat(deep));
    let constant = format!("{HEAD}.global .u32 a = {}1{};", "(".repeat(deep), ")".repeat(deep));
    let signs = format!("{HEAD}.global .u32 a = {}1;", "-".repeat(deep));
    let lists = format!("{HEAD}.global .u32 a = {}1{};", "{".repeat(deep), "}".repeat(deep));
    let fields = format!("{HEAD}.global .u32 a = {}1;", "b = ".repeat(deep));
    let question = format!("{HEAD}.global .u32 a = 1 {} : 1;", "? 1".repeat(deep));
    for source in [scopes, constant, signs, lists, fields, question] {
        let (_, diags) = ptx::parse(&source);
        assert!(diags.iter().any(|d| d.is_fatal()), "{}", &source[..80]);
    }
}

/// Input of some hundred kilobytes that would take minutes if anything were quadratic in it.
#[test]
fn hostile_input_takes_linear_time() {
    let n = 100_000;
    let many = |text: &str| text.repeat(n);
    let undeclared: String = (0..n).map(|i| format!("mov.u32 u{i}, 1;")).collect();
    let scopes: String = (0..n).map(|i| format!("{{.reg .b32 r<2>; .reg .b32 v{i}; mov.u32 r1, v{i};}}")).collect();
    let bodies = [
        undeclared.clone(),
        format!(".reg .b32 ;{undeclared}"),
        scopes,
        format!("mov.u32 %r{}, 1;", "1".repeat(n)),
        many("\0 ") + ";",
        many("mov.u32 \n"),
        many("add.u32 a\n"),
        many("add.u32 {\n"),
        many("add.u32 {a,\n"),
        many("L:"),
        many("mov {;"),
        many("} {"),
        many("\"") + ";",
        many("/* "),
        many("(") + ";",
        many("call ("),
    ];
    for body in bodies {
        let (module, _) = ptx::parse(&format!("{HEAD}.entry k() {{ {body} }}"));
        ptx::print(&module);
        let (module, _) = ptx::parse(&format!("{HEAD}{body}"));
        ptx::print(&module);
    }
}

#[test]
fn sizes_are_only_numbers() {
    let source = format!(
        "{HEAD}.global .b8 a[9223372036854775807][9223372036854775807];\n\
         .entry k() {{ .reg .b32 %r<4294967295>; mov.u32 %r4294967294, 1; ret; }}"
    );
    let (module, diags) = ptx::parse(&source);
    assert!(diags.is_empty(), "{diags:?}");
    assert_eq!(module.items.len(), 2);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// A corpus file with a piece cut out, doubled or overwritten.
    #[test]
    fn damaged_files_never_panic(which in any::<prop::sample::Index>(), edits in prop::collection::vec(edit(), 1..6)) {
        let files = corpus();
        let mut bytes = std::fs::read(which.get(&files)).unwrap();
        bytes.truncate(60_000);
        for (at, length, with) in edits {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            let end = (at + length).min(bytes.len());
            bytes.splice(at..end, with);
        }
        let (module, _) = ptx::parse(&String::from_utf8_lossy(&bytes));
        ptx::print(&module);
    }

    #[test]
    fn words_in_any_order_never_panic(words in prop::collection::vec(prop::sample::select(WORDS), 0..120)) {
        let (module, _) = ptx::parse(&format!("{HEAD}.entry k() {{ {}", words.join(" ")));
        ptx::print(&module);
        let (module, _) = ptx::parse(&format!("{HEAD}{}", words.join("")));
        ptx::print(&module);
    }
}

fn edit() -> impl Strategy<Value = (prop::sample::Index, usize, Vec<u8>)> {
    let text = prop_oneof![
        Just(b"{".to_vec()),
        Just(b"}".to_vec()),
        Just(b";".to_vec()),
        Just(b"\"".to_vec()),
        Just(b"/*".to_vec()),
        Just(Vec::new()),
        prop::collection::vec(any::<u8>(), 0..8),
    ];
    (any::<prop::sample::Index>(), 0usize..40, text)
}

const WORDS: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "@",
    "!",
    "|",
    "+",
    "-",
    "<",
    ">",
    "=",
    "?",
    "%",
    "_",
    "..",
    "\"",
    "//",
    "/*",
    "*/",
    "0",
    "1",
    "0x",
    "0f3F800000",
    "1.5",
    "1e",
    "%r1",
    "%tid.x",
    "%tid",
    "p",
    "add",
    ".u32",
    ".s32",
    "ld",
    ".global",
    ".v4",
    "bra",
    "call",
    "L",
    ".reg",
    ".b32",
    "%r<4>",
    ".entry",
    ".func",
    ".param",
    ".loc",
    ".section",
    ".file",
    ".align",
    ".branchtargets",
    ".callprototype",
    ".pragma",
    "\"x\"",
    "\n",
    "@@DWARF",
    "\u{e9}",
    "\0",
    ".visible",
    "mov",
    ".pred",
    "WARP_SZ",
    "generic",
    ".attribute",
    ".maxntid",
    ".version",
    ".target",
    "prmt",
    ".5",
    ".texref",
];
