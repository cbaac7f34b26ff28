//! The formatter: only white space changes, comments stay, and formatting twice is formatting once.

use super::cli::{Folder, run, stderr, stdout};
use super::ptx::{corpus, ptx_files, rendered};
use std::path::{Path, PathBuf};
use warp2wave::ptx;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx");
    let mut files = corpus();
    files.extend(["ok", "bytes"].iter().flat_map(|name| ptx_files(&folder.join(name))));
    files
}

/// The text without white space and byte order mark, which is all that may change.
fn ink(text: &str) -> String {
    text.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace()).collect()
}

/// What is wrong with formatting a text.
fn complaints(name: &str, source: &str) -> String {
    let formatted = match ptx::format(source) {
        Ok(formatted) => formatted,
        Err(diags) => return format!("{name} is refused\n{}", rendered(&diags, name, source)),
    };
    let mut wrong = String::new();
    if !ptx::same_tree(&ptx::parse(source).0, &ptx::parse(&formatted).0) {
        wrong += &format!("{name} reads as another tree\n{formatted}\n");
    }
    // Semicolons without a statement go.
    if ink(&formatted).replace(';', "") != ink(source.trim_end_matches('\0')).replace(';', "") {
        wrong += &format!("{name} has lost or won something\n{formatted}\n");
    }
    match ptx::format(&formatted) {
        Ok(again) if again == formatted => {}
        Ok(again) => wrong += &format!("{name} changes when formatted again\n{formatted}\n---\n{again}\n"),
        Err(_) => wrong += &format!("{name} does not read when formatted\n{formatted}\n"),
    }
    if formatted.lines().any(|line| line.ends_with(' ')) && !source.contains(".section") {
        wrong += &format!("{name} has spaces at the end of a line\n");
    }
    wrong
}

#[test]
fn corpus_files_are_formatted_without_loss() {
    let wrong: String = fixtures()
        .iter()
        .map(|path| complaints(&path.display().to_string(), &std::fs::read_to_string(path).expect("readable")))
        .collect();
    assert!(wrong.is_empty(), "{wrong}");
}

const UNTIDY: &str = "\
// A kernel.
   .version 8.0 // the version
.target sm_80,debug
.address_size   64


/* A table
   in two lines. */
.global .align 4 .b32 table[4]={ 0x10 ,0x20,   1<<4|3 , -7 % 2 };  /* four */ // words
;
.extern .shared .b8 dynamic[ ] ;
.func(.reg .b32 %r)f(.reg .b32 %a)
; // declared
.visible .entry k (.param .u64 p, // where to
    .param .u32 n /* how many */
    // and no more
    ) .maxntid 256,1,1 .minnctapersm 2 // hints
{ // begin
.reg .b32 %r<9>,%s ; .reg .pred %p ;
  // Load.

  // Both.
ld.param.u32 %r1 , [ n ] ; /* next: */ mov.u32 %r2,%tid.x;
  @ ! %p bra   L ; // out
   mov.b64 %rd1, { %r1 , /* low */ %r2 } ;
  { mov.u32 %r3, 1; }
 add.s32 %r4, // left
     %r1, %r2; // right
/* before the label */
L : M: call (%r5) , f , (%r4) ;


  ret ; /* at
 last */
  // The end.
}
// After all.
";

#[test]
fn comments_stay_where_they_stood() {
    insta::assert_snapshot!("fmt_untidy", ptx::format(UNTIDY).expect("no errors of syntax"));
    assert_eq!(complaints("untidy", UNTIDY), "");
    assert_eq!(complaints("untidy, with other line ends", &UNTIDY.replace('\n', "\r\n")), "");
}

/// A comment at any place between two tokens comes out, and the result stays as it is when formatted again.
#[test]
fn a_comment_may_stand_anywhere() {
    let source = "\
.version 8.0
.target sm_80
.file 1 \"a.cu\"
.section .debug_str { .b8 1, 2 }
.pragma \"x\";
.global .u32 g = {1, 2};
.func (.reg .b32 %r) f(.reg .b32 %a);
.visible .entry k(.param .u64 p, .param .u64 q) .maxntid 8, 1 .pragma \"y\"; {
.loc 1 2 3
@!%p add.s32 %r, %a|%b, {%c, -1};
L: ts: .branchtargets L, L;
{ ret; }
}";
    let tokens: Vec<usize> =
        source.char_indices().filter(|(_, c)| " \n,;:(){}[]<>".contains(*c)).map(|(at, _)| at).collect();
    let mut wrong = String::new();
    for at in tokens.into_iter().chain([0, source.len()]) {
        for comment in ["/* c */", "// c\n", "\n// c\n", "\n/* c\n d */\n", " /* a *//* b */ // c\n", "\n\n/* c */ "] {
            let text = format!("{}{comment}{}", &source[..at], &source[at..]);
            // Some places are within a token, or a directive that is kept as text.
            if ptx::parse(&text).1.iter().any(|diag| diag.code == warp2wave::diag::codes::SYNTAX) {
                continue;
            }
            wrong += &complaints(&format!("{comment:?} at {at}"), &text);
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn what_does_not_parse_is_refused() {
    for path in ptx_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/ptx/err")) {
        let source = String::from_utf8_lossy(&std::fs::read(&path).expect("readable")).into_owned();
        let (_, diags) = ptx::parse(&source);
        let syntax = diags.iter().any(|diag| diag.code == warp2wave::diag::codes::SYNTAX);
        if syntax {
            assert!(ptx::format(&source).is_err(), "{}", path.display());
        }
    }
}

#[test]
fn files_are_formatted_in_place_or_not_at_all() {
    let folder = Folder::new("fmt");
    let untidy = folder.file("untidy.ptx", UNTIDY.as_bytes());
    let broken = folder.file("broken.ptx", b".version 8.0\n.target sm_80\n.entry k() { ret }\n");
    let latin = folder.file("latin.ptx", b".version 8.0\n.target sm_80\n// caf\xe9\n");
    let formatted = ptx::format(UNTIDY).expect("no errors of syntax");
    let read = |path: &str| std::fs::read(path).expect("readable");

    let out = run(&["fmt", "--check", &untidy, &broken, &latin]);
    assert_eq!(out.status.code(), Some(1));
    assert_eq!(stdout(&out), format!("would be formatted: {untidy}\n"));
    assert!(
        stderr(&out).contains("broken.ptx:3:18") && stderr(&out).contains("latin.ptx is not UTF-8"),
        "{}",
        stderr(&out)
    );
    assert_eq!(read(&untidy), UNTIDY.as_bytes());

    let out = run(&["fmt", &untidy, &broken, &latin]);
    assert_eq!(out.status.code(), Some(1), "{}", stderr(&out));
    assert_eq!(read(&untidy), formatted.as_bytes());
    assert_eq!(read(&broken), b".version 8.0\n.target sm_80\n.entry k() { ret }\n");
    assert_eq!(read(&latin), b".version 8.0\n.target sm_80\n// caf\xe9\n");

    let out = run(&["fmt", "--check", &untidy]);
    assert_eq!((out.status.code(), stdout(&out), stderr(&out)), (Some(0), String::new(), String::new()));
    let other = folder.path("other.ptx");
    assert_eq!(run(&["fmt", &untidy, "-o", &other]).status.code(), Some(0));
    assert_eq!(read(&other), formatted.as_bytes());
    assert_eq!(stdout(&run(&["fmt", "--stdout", &untidy])), formatted);
    assert_eq!(run(&["fmt", &untidy, &broken, "-o", &other]).status.code(), Some(1));
    assert_eq!(run(&["fmt", &untidy, "--check", "--stdout"]).status.code(), Some(2));
}

/// Where the white space and comments of a line table stand says nothing.
#[test]
fn untidy_line_tables_stay_what_they_are() {
    let body = |loc: &str| {
        format!(".version 8.8\n.target sm_90\n.address_size 64\n.visible .entry k()\n{{\n{loc}\nret;\n}}\n")
    };
    let tidy = body(".loc 1 10 5, function_name $L__info+20, inlined_at 1 5 3");
    for loc in [
        ".loc 1 10  5,function_name   $L__info + 20 ,inlined_at 1 5\n3",
        ".loc\t1 10 5 , function_name $L__info/* + 3 */+20,// 4\ninlined_at 1/**/5 3",
    ] {
        let untidy = body(loc);
        assert!(ptx::same_tree(&ptx::parse(&tidy).0, &ptx::parse(&untidy).0), "{untidy}");
        assert_eq!(complaints(loc, &untidy), "");
    }
}
