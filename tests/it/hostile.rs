//! Input that is made to do harm: some megabytes of one thing, numbers that ask for memory, bytes that are no text. Everything ends, soon,
//! with a verdict; whatever takes more than linear time here does not end at all.

use super::cli::{Folder, run, stderr, stdout};
use warp2wave::amd::Target;
use warp2wave::diag::Source;
use warp2wave::{Options, coverage, ptx};

const HEAD: &str = ".version 8.8\n.target sm_90\n.address_size 64\n";

/// Reads, checks, formats and describes a text as `check` and `fmt` do.
fn survive(source: &str) {
    let each = [Options::new(Target::parse("gfx1100").expect("a known target"))];
    let coverage = coverage::of(source, &each);
    let named = Source::new("hostile.ptx", source);
    let mut printed = 0;
    for blocker in &coverage.blockers {
        printed += coverage::blocker_text(blocker, &coverage, &named, false).len();
        printed += coverage::diagnostic_json(blocker, &coverage, &named).to_string().len();
    }
    // An excerpt is short, however long the line.
    assert!(printed <= coverage.blockers.len() * 20_000 + 4 * source.len(), "{printed} bytes of messages");
    if let Ok(formatted) = ptx::format(source) {
        assert!(formatted.len() <= 40 * source.len() + 1000, "{} from {} bytes", formatted.len(), source.len());
    }
}

fn body(text: &str) -> String {
    format!("{HEAD}.entry k()\n{{\n{text}\nret;\n}}\n")
}

/// A quarter of a megabyte of each: in linear time a moment, in quadratic time minutes.
#[test]
fn much_of_one_thing() {
    let bytes = 1 << 18;
    let many = |text: &str| text.repeat(bytes / text.len());
    for piece in [
        "(",
        ")",
        "{",
        "}",
        "[",
        "]",
        "<",
        "@!",
        "@",
        "!",
        "-",
        "~",
        "\"",
        "/*",
        "//",
        ".",
        ",",
        ";",
        ":",
        "|",
        "+",
        "?",
        "=",
        "%",
        "a",
        "0",
        "\n",
        " ",
        "\0",
        "\u{e9}",
        "\u{10348}",
        "@@",
        "1+",
        "(.s64)",
        "1?",
        "a=",
        "{,",
        "},",
        "x:",
        "L:\n",
        "ret;",
        ".reg .b32 ",
        ".param .b32 ",
        "@p ",
        "_,",
        "%r1,",
        "call (",
        ".loc 1 1 1\n",
        ".file 1 \"\"\n",
        ".pragma \"\";",
        ".section {",
        "x: .callprototype _ (",
        ".v4",
        "/* */",
        "// \n",
    ] {
        let text = many(piece);
        survive(&text);
        survive(&format!("{HEAD}{text}"));
        survive(&body(&text));
        survive(&body(&format!("add.s32 %r1, {text}")));
        survive(&format!("{HEAD}.global .u32 a = {text}"));
    }
}

#[test]
fn ten_megabytes_of_one_thing() {
    let bytes = 10 << 20;
    for piece in ["(", "{", "n", "ret; "] {
        survive(&body(&piece.repeat(bytes / piece.len())));
    }
}

/// Many faults in one long line: each excerpt is a piece of it.
#[test]
fn faults_in_one_line_of_megabytes() {
    let line = format!("mov.u32 %r1, undeclared; {}", "add.s32 %r1, %r2, %r2; ".repeat(400)).repeat(300);
    survive(&body(&format!(".reg .b32 %r<3>; {line}")));
    let wrong = format!("mov.u32 %r1, %rd1; {}", "add.s32 %r1, %r2, %r2; ".repeat(400)).repeat(300);
    survive(&body(&format!(".reg .b64 %rd<3>; .reg .b32 %r<3>; {wrong}")));
    let names: String = (0..100_000).map(|n| format!("mov.u32 u{n}, 1; /* \u{e9} */ ")).collect();
    survive(&body(&names));
}

/// One name of a megabyte.
#[test]
fn a_long_name() {
    let name = "n".repeat(1 << 20);
    survive(&body(&format!("mov.u32 {name}, 1;")));
    survive(&body(&format!(".reg .b32 {name}; mov.u64 {name}, {name};")));
    survive(&body(&format!("{name}.u32 a, b;")));
    survive(&body(&format!("mov.{name} a, b;")));
    survive(&format!("{HEAD}.entry {name}() {{ bra x; }}"));
    survive(&format!("{HEAD}.target {name}\n.{name} x;"));
}

/// Numbers that stand for memory cost none.
#[test]
fn declared_sizes_are_numbers() {
    for declaration in [
        ".reg .b32 %r<4294967295>;",
        ".reg .v4 .b32 %r<4294967295>;",
        ".shared .b8 a[4611686018427387904];",
        ".shared .align 4 .b8 a[4294967295];\nst.shared.u32 [a], 1;",
        ".shared .v4 .f64 a[1<<30][1<<30];\nst.shared.u32 [a], 1;",
        ".local .b8 a[1<<62];\nst.local.u32 [a], 1;",
        ".local .align 8 .b8 a[1<<30];\nst.local.u32 [a], 1;",
        ".param .b8 a[1<<40];\nst.param.b32 [a], 1;",
        ".param .b8 a[1073741824];\nst.param.b32 [a], 1;",
        ".reg .b64 %d;\nmov.u64 %d, big;\nst.global.u64 [%d], %d;",
        ".reg .b64 %d;\nmov.u64 %d, nested;\nst.global.u64 [%d], %d;",
        ".reg .b32 %r<200000000>;\nmov.u32 %r199999999, 1;",
        "bar.sync 0, 4294967295;",
    ] {
        let globals = ".visible .global .b8 big[1<<62];\n.global .u32 nested[1<<30][1<<30] = {{1}, {2}};\n";
        survive(&format!(
            "{HEAD}{globals}.entry k() .maxntid 4294967295 .reqntid 18446744073709551615\n{{\n{declaration}\nret;\n}}\n"
        ));
    }
    survive(&format!("{HEAD}.entry k(.param .b8 p[1<<40], .param .align 0x80000000 .b8 q[1]) {{ ret; }}"));
    survive(&format!("{HEAD}.visible .global .b32 g[1<<28] = {{1}};\n.entry k() {{ ret; }}"));
}

/// Many thousands of what has a name, a scope or a place.
#[test]
fn many_entities() {
    let n = 20_000;
    let list = |each: &dyn Fn(usize) -> String| (0..n).map(each).collect::<String>();
    survive(&body(&list(&|i| format!("L{i}:\n"))));
    survive(&body(&list(&|i| format!("L{i}: bra L{};\n", (i * 7) % n))));
    survive(&body(&list(&|i| format!(".reg .b32 a{i};\n"))));
    survive(&body(&list(&|i| format!(".reg .b32 a{i}<4>;\n"))));
    survive(&body(&list(&|i| format!("add.x{i} a, b;\n"))));
    survive(&body(&format!(".reg .b32 %r<2>; {}", list(&|_| "{ .reg .b32 %r<2>; mov.u32 %r1, 1; }".into()))));
    survive(&format!("{HEAD}{}", list(&|i| format!(".global .u32 g{i} = 1;\n"))));
    survive(&format!(
        "{HEAD}.global .u64 g0;\n{}",
        (1..n).map(|i| format!(".visible .global .u64 g{i} = g{};\n", i - 1)).collect::<String>()
    ));
    survive(&format!(
        "{HEAD}{}",
        list(&|i| format!(".entry k{i}() {{ ret; }}\n"))[..80_000].rsplit_once('\n').expect("lines").0
    ));
    survive(&format!(
        "{HEAD}{}.entry k() {{ call f0; ret; }}",
        (0..n).map(|i| format!(".func f{i} {{ call f{}; ret; }}\n", i + 1)).collect::<String>()
    ));
    let params: Vec<String> = (0..n).map(|i| format!(".param .u32 p{i}")).collect();
    survive(&format!("{HEAD}.entry k({}) {{ ret; }}", params.join(", ")));
    survive(&format!("{HEAD}.func f({}) {{ ret; }}\n.entry k() {{ call f, (1); }}", params.join(", ")));
    let values: Vec<String> = (0..n).map(|i| i.to_string()).collect();
    survive(&format!("{HEAD}.visible .global .u32 g[] = {{{}}};", values.join(",")));
    survive(&body(&format!("L: x: .branchtargets {};", vec!["L"; n].join(", "))));
    survive(&body(&format!(".reg .b32 %r; mov.b64 %r, {{{}}};", vec!["%r"; n].join(", "))));
}

/// Calls within calls double the code each time: inlining stops.
#[test]
fn calls_that_double() {
    let functions: String =
        (0..64).map(|i| format!(".func f{i} {{ call f{}; call f{}; ret; }}\n", i + 1, i + 1)).collect();
    survive(&format!("{HEAD}.func f64 {{ ret; }}\n{functions}.entry k() {{ call f0; ret; }}"));
}

/// Bytes that are no text, through the program itself.
#[test]
fn files_of_any_bytes() {
    let folder = Folder::new("hostile");
    let good = format!("{HEAD}.entry k() {{ ret; }}\n");
    let cases: Vec<(&str, Vec<u8>, i32)> = vec![
        ("empty.ptx", vec![], 1),
        ("nul.ptx", vec![0; 1 << 20], 1),
        ("ones.ptx", vec![0xff; 1 << 20], 1),
        ("tail.ptx", [good.as_bytes(), &[0; 4096]].concat(), 0),
        ("inner.ptx", [HEAD.as_bytes(), &[b' '; 8192], b"\0.entry k() { ret; }"].concat(), 1),
        ("latin.ptx", [HEAD.as_bytes(), b"// caf\xe9 \xf0\x9f\n", b".entry k() { ret; }"].concat(), 0),
        ("utf16.ptx", good.encode_utf16().flat_map(u16::to_le_bytes).collect(), 1),
        ("bom.ptx", [b"\xef\xbb\xbf", good.as_bytes()].concat(), 0),
        ("all.ptx", (0..1 << 20).map(|n: u32| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect(), 1),
    ];
    for (name, bytes, code) in &cases {
        let path = folder.file(name, bytes);
        for format in ["human", "json", "sarif"] {
            let out = run(&["check", &path, "--target", "gfx942", "--message-format", format]);
            assert_eq!(out.status.code(), Some(*code), "{name}: {}{}", stdout(&out), stderr(&out));
            assert!(!stderr(&out).contains("panicked"), "{name}: {}", stderr(&out));
        }
        let out = run(&["fmt", "--stdout", &path]);
        assert!(matches!(out.status.code(), Some(0 | 1)), "{name}: {}", stderr(&out));
        assert!(!stderr(&out).contains("panicked"), "{name}: {}", stderr(&out));
        assert_eq!(&std::fs::read(&path).expect("readable"), bytes, "{name}");
    }
}
