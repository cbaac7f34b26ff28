//! The PTX reader on real compilers' output: it reads everything, finds nothing wrong, and prints what it read.

use std::path::{Path, PathBuf};
use warp2wave::diag::{Diag, codes, render_human};
use warp2wave::ptx;
use warp2wave::ptx::tree::{Init, Item, Literal, Variable};

/// The `.ptx` files of a folder, in order.
pub fn ptx_files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "ptx"))
        .collect();
    files.sort();
    files
}

/// The shipped corpus, and the folder that `W2W_CORPUS` names.
pub fn corpus() -> Vec<PathBuf> {
    let mut files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/corpus"));
    assert!(!files.is_empty());
    if let Some(folder) = std::env::var_os("W2W_CORPUS") {
        files.extend(ptx_files(Path::new(&folder)));
    }
    files
}

pub fn rendered(diags: &[Diag], path: &str, source: &str) -> String {
    diags.iter().map(|d| render_human(d, path, source, false)).collect()
}

/// What is wrong with reading a file, or with reading again what was printed.
fn complaints(path: &Path) -> String {
    let source = std::fs::read_to_string(path).unwrap();
    let (module, diags) = ptx::parse(&source);
    let name = path.file_name().unwrap().to_string_lossy();
    // Of the many alike, three will do.
    let shown: Vec<Diag> = diags.into_iter().filter(|d| d.code != codes::VERSION).take(3).collect();
    let mut complaints = rendered(&shown, &name, &source);
    let printed = ptx::print(&module);
    let (again, _) = ptx::parse(&printed);
    if !ptx::same_tree(&module, &again) {
        complaints.push_str(&format!("{name}: the printed module reads as another tree\n{printed}"));
    }
    if ptx::print(&again) != printed {
        complaints.push_str(&format!("{name}: printing twice gives two texts\n"));
    }
    complaints
}

#[test]
fn corpus_reads_without_complaint_and_prints_to_the_same_tree() {
    let complaints: String = corpus().iter().map(|path| complaints(path)).collect();
    assert!(complaints.is_empty(), "{complaints}");
}

#[test]
fn unusual_syntax_reads_without_complaint_and_prints_to_the_same_tree() {
    let files = ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/ok"));
    assert!(!files.is_empty());
    let complaints: String = files.iter().map(|path| complaints(path)).collect();
    assert!(complaints.is_empty(), "{complaints}");
}

/// What ptxas 13.2 put into `.nv.global.init` for an array of `.u64` with these values.
const CONSTANTS: &[(&str, i64)] = &[
    ("1", 1),
    ("0x1F", 31),
    ("017", 15),
    ("0b101", 5),
    ("3U", 3),
    ("-1", -1),
    ("1+2*3", 7),
    ("(1+2)*3", 9),
    ("1<<4|3", 19),
    ("~0&0xFF", 255),
    ("7/2-7 % 2", 2),
    ("2>1?10:20", 10),
    ("!0||0", 1),
    ("WARP_SZ", 32),
    ("(.s64)0xFFFFFFFFFFFFFFFF>>63", -1),
    ("0xFFFFFFFFFFFFFFFF>>63", 1),
    ("-9223372036854775807-1", i64::MIN),
    ("-7/2", -3),
    ("-7 % 2", 1),
    ("-7 % -2", -7),
    ("(-7 % 2)-2<0", 0),
    ("-7/2U", 9223372036854775804),
    ("-1>>1", -1),
    ("-1>>1U", -1),
    ("-1U>>1", i64::MAX),
    ("1<<63", i64::MIN),
    ("(1U<<1)-4<0", 0),
    ("(1<<1U)-4<0", 1),
    ("-1<1U", 0),
    ("-1<1", 1),
    ("(1>0U)-4<0", 1),
    ("(1U?-1:2U)<0", 1),
    ("(.u64)-1<0", 0),
    ("(.s64)1U-2<0", 1),
    ("0x8000000000000000>0", 1),
    ("5&&0", 0),
    ("5^3", 6),
    ("5&6|1", 5),
    ("1==1", 1),
    ("1!=1", 0),
    ("3<=3", 1),
    ("4>=5", 0),
    ("1?2:3?4:5", 2),
    ("0?2:0?4:5", 5),
    ("10-4-3", 3),
    ("100/10/2", 5),
    ("1<<2<<3", 32),
    ("-(-5)", 5),
    ("~1", -2),
    ("0xFFFFFFFFFFFFFFFF", -1),
    ("9223372036854775808", i64::MIN),
];

/// The same for an array of `.f64`.
const DOUBLES: &[(&str, u64)] = &[
    ("1.5", 0x3ff8_0000_0000_0000),
    (".5", 0x3fe0_0000_0000_0000),
    ("2.", 0x4000_0000_0000_0000),
    ("1e-3", 0x3f50_624d_d2f1_a9fc),
    ("-2.5E+2", 0xc06f_4000_0000_0000),
    ("0d3FF0000000000000", 0x3ff0_0000_0000_0000),
    ("1.0+2.0*3.0", 0x401c_0000_0000_0000),
    ("1.0/3.0", 0x3fd5_5555_5555_5555),
];

#[test]
fn constants_have_the_values_that_ptxas_gives_them() {
    let integer = |literal| match literal {
        Literal::Int { value, .. } => value,
        Literal::F64(bits) | Literal::Decimal(bits) => bits,
        Literal::F32(bits) => u64::from(bits),
    };
    let all = CONSTANTS.iter().map(|&(text, value)| ("u64", text, value as u64));
    for (ty, text, value) in all.chain(DOUBLES.iter().map(|&(text, value)| ("f64", text, value))) {
        let source = format!(".version 8.8\n.target sm_90\n.global .{ty} a = {text};\n");
        let (module, diags) = ptx::parse(&source);
        assert!(diags.is_empty(), "{}", rendered(&diags, "", &source));
        let Item::Variable(Variable { init: Some(Init::Literal(literal, _)), .. }) = &module.items[0] else {
            panic!("{text}: {:?}", module.items[0]);
        };
        assert_eq!(integer(*literal), value, "{text}");
    }
}

/// Examples stand beside the productions they exercise: `// test_ok name`, then the lines of the example.
#[test]
fn examples_beside_productions_are_read() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/ptx");
    let mut count = 0;
    for file in ["inst.rs", "decl.rs", "read.rs", "literal.rs"] {
        let text = std::fs::read_to_string(folder.join(file)).unwrap();
        let mut lines = text.lines().map(str::trim).peekable();
        while let Some(line) = lines.next() {
            let Some(name) = line.strip_prefix("// test_ok ") else { continue };
            let mut example = String::new();
            while let Some(line) = lines.next_if(|l| l.starts_with("//   ")) {
                example.push_str(&line[5..]);
                example.push('\n');
            }
            let body = if example.starts_with('.') { example } else { format!(".entry k() {{ {example} }}") };
            // Early versions have registers outside of functions.
            let source = format!(".version 2.3\n.target sm_20\n{body}");
            let (_, diags) = ptx::parse(&source);
            // The names of an example need no declaration.
            let syntax: Vec<Diag> =
                diags.into_iter().filter(|d| d.code == codes::SYNTAX || d.code == codes::DIRECTIVE).collect();
            assert!(syntax.is_empty(), "{name}: {}", rendered(&syntax, file, &source));
            count += 1;
        }
    }
    assert!(count >= 4);
}
