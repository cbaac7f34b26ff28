//! The command line: exit codes, places of errors, and that nothing is written when something is wrong.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn warp2wave() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warp2wave"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

pub fn run(args: &[&str]) -> Output {
    warp2wave().args(args).output().expect("the program starts")
}

pub fn stderr(out: &Output) -> String {
    String::from_utf8_lossy(&out.stderr).into_owned()
}

pub fn stdout(out: &Output) -> String {
    String::from_utf8_lossy(&out.stdout).into_owned()
}

/// A folder of its own, removed when dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("w2w-cli-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).expect("the temporary folder is writable");
        Folder(path)
    }
    pub fn file(&self, name: &str, content: &[u8]) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, content).expect("writable");
        path.display().to_string()
    }
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const SWAP: &str = "fixtures/ptx/corpus/01_endian_swap.nvcc.sm_75.ptx";

pub const KERNEL: &str = ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n    .reg .b32 %r<4>;\n    \
     .reg .b64 %rd<2>;\n    ld.param.u64 %rd1, [p];\n    ld.param.u32 %r1, [n];\n    st.global.u32 [%rd1], %r1;\n    ret;\n}\n";

#[test]
fn translates_runs_and_prints() {
    let out = run(&[
        "run",
        SWAP,
        "--target",
        "gfx942",
        "--kernel",
        "bswap32_perm",
        "--grid",
        "1",
        "--block",
        "4",
        "--arg",
        "u32[4]={0x11223344,0xaabbccdd,1,0xffff0000}",
        "--arg",
        "u32[4]",
        "--arg",
        "u32:4",
        "--dump",
        "1:hex",
    ]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert_eq!(stdout(&out), "1:\n     0: 0x44332211 0xddccbbaa 0x01000000 0x0000ffff\n");
}

#[test]
fn a_code_object_runs_as_its_source_does() {
    let folder = Folder::new("object");
    let ptx = folder.file("k.ptx", KERNEL.as_bytes());
    for target in ["gfx1100", "gfx942"] {
        let object = folder.path("k.hsaco");
        let out = run(&["translate-file", &ptx, "--target", target, "-o", &object]);
        assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
        let out = run(&["run", &object, "--arg", "u32[1]", "--arg", "u32:77", "--dump", "p"]);
        assert_eq!(stdout(&out), "p:\n     0: 77\n", "{}", stderr(&out));
        let out = run(&["disasm", &object]);
        assert!(stdout(&out).contains("s_endpgm"), "{}", stdout(&out));
    }
}

#[test]
fn several_targets_give_several_files() {
    let folder = Folder::new("several");
    let ptx = folder.file("k.ptx", KERNEL.as_bytes());
    let place = folder.0.display().to_string();
    let out = run(&["translate-file", &ptx, "--target", "gfx1100,gfx942", "-o", &place]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    assert!(Path::new(&folder.path("k.gfx1100.hsaco")).exists() && Path::new(&folder.path("k.gfx942.hsaco")).exists());
}

#[test]
fn wrong_usage_exits_with_2() {
    for args in [
        &["translate-file"][..],
        &["translate-file", SWAP],
        &["translate-file", SWAP, "--target", "gfx12345"],
        &["translate-file", SWAP, "--target", "gfx1100:xnack+"],
        &["translate-file", SWAP, "--target", "gfx942", "--emit", "exe"],
        &["translate-file", SWAP, "--target", "gfx942", "--max-block", "2048"],
        &["run", SWAP, "--grid", "1,2,3,4"],
        &["run", SWAP, "--block", "0"],
        &["frobnicate"],
    ] {
        let out = run(args);
        assert_eq!(out.status.code(), Some(2), "{args:?}: {}", stderr(&out));
        assert!(!stderr(&out).is_empty() && stdout(&out).is_empty(), "{args:?}");
    }
}

/// Bad inputs: what the message must say, and that no output appears.
#[test]
fn bad_input_is_located_and_writes_nothing() {
    let folder = Folder::new("bad");
    let truncated = &KERNEL[..KERNEL.len() - 30];
    let cases: &[(&str, &[u8], &str)] = &[
        ("empty.ptx", b"", "empty.ptx"),
        ("words.ptx", b"hello world\n", "words.ptx:1:"),
        ("binary.ptx", b"\x00\x01\x02\x03\xff\xfe", "binary"),
        ("elf.ptx", b"\x7fELF\x02\x01\x01\x00", "an ELF file"),
        ("truncated.ptx", truncated.as_bytes(), "truncated.ptx:"),
        ("undeclared.ptx", &KERNEL.replace("[%rd1], %r1", "[%rd1], %r9").into_bytes(), "undeclared.ptx:10:"),
        ("count.ptx", &KERNEL.replace("[%rd1], %r1", "[%rd1], %r1, %r1").into_bytes(), "count.ptx:10:"),
        ("type.ptx", &KERNEL.replace("u32 [%rd1], %r1", "u64 [%rd1], %r1").into_bytes(), "type.ptx:10:"),
        ("opcode.ptx", &KERNEL.replace("st.global.u32", "store.global.u32").into_bytes(), "opcode.ptx:10:"),
        (
            "lds.ptx",
            &KERNEL.replace("{\n", "{\n    .shared .b8 s[99999];\n    st.shared.u8 [s], 1;\n").into_bytes(),
            "lds.ptx:4:17",
        ),
        ("latin1.ptx", &[KERNEL.as_bytes(), b"// caf\xe9\n.entry"].concat(), "latin1.ptx:"),
    ];
    for (name, content, expected) in cases {
        let ptx = folder.file(name, content);
        let object = folder.path("out.hsaco");
        let out = run(&["translate-file", &ptx, "--target", "gfx1100", "-o", &object]);
        assert_eq!(out.status.code(), Some(1), "{name}: {}{}", stdout(&out), stderr(&out));
        assert!(stderr(&out).contains(expected), "{name}: `{expected}` is not in\n{}", stderr(&out));
        assert!(!Path::new(&object).exists(), "{name}");
    }
    let out = run(&["translate-file", &folder.path("missing.ptx"), "--target", "gfx1100"]);
    assert_eq!(out.status.code(), Some(1));
    assert!(stderr(&out).contains("missing.ptx"), "{}", stderr(&out));
}

#[test]
fn one_bad_file_of_many_writes_none() {
    let folder = Folder::new("many");
    let good = folder.file("good.ptx", KERNEL.as_bytes());
    let bad = folder.file("bad.ptx", b"bad");
    let place = folder.0.display().to_string();
    let out = run(&["translate-file", &good, &bad, "--target", "gfx1100", "-o", &place]);
    assert_eq!(out.status.code(), Some(1), "{}", stderr(&out));
    assert!(!Path::new(&folder.path("good.hsaco")).exists());
}

#[test]
fn a_missing_kernel_is_named_with_those_there_are() {
    let out = run(&["translate-file", SWAP, "--target", "gfx1100", "--kernel", "nobody", "-o", "/dev/null"]);
    assert_eq!(out.status.code(), Some(1));
    let text = stderr(&out);
    assert!(text.contains("nobody") && text.contains("bswap32_perm"), "{text}");
}

#[test]
fn wrong_arguments_of_a_launch_are_refused() {
    let kernel = &["run", SWAP, "--target", "gfx1100", "--kernel", "bswap32_perm"][..];
    for (args, expected) in [
        (&["--arg", "u32:1"][..], "3 arguments"),
        (&["--arg", "u32[4]", "--arg", "u32[4]", "--arg", "u64:4"], "bytes"),
        (&["--arg", "u32[4]=rang", "--arg", "u32[4]", "--arg", "u32:4"], "range"),
        (&["--arg", "u32[4]", "--arg", "u32[4]", "--arg", "u32:4", "--dump", "nothing"], "nothing"),
        (&["--arg", "u32[4]", "--arg", "u8[]=@/no/such/file", "--arg", "u32:4"], "/no/such/file"),
        // One element fewer than the kernel touches.
        (&["--block", "4", "--arg", "u32[3]", "--arg", "u32[4]", "--arg", "u32:4"], "lane 3"),
    ] {
        let all: Vec<&str> = kernel.iter().chain(args).copied().collect();
        let out = run(&all);
        assert_eq!(out.status.code(), Some(1), "{args:?}: {}", stdout(&out));
        assert!(stderr(&out).contains(expected), "{args:?}: `{expected}` is not in\n{}", stderr(&out));
    }
}

#[test]
fn messages_as_json_have_places() {
    let folder = Folder::new("json");
    let ptx = folder.file("k.ptx", KERNEL.replace("[%rd1], %r1", "[%rd1], %r9").as_bytes());
    let out = run(&["--message-format", "json", "translate-file", &ptx, "--target", "gfx1100", "-o", "/dev/null"]);
    let line: serde_json::Value = serde_json::from_str(stderr(&out).lines().next().expect("a line")).expect("JSON");
    assert_eq!(line["line"], 10);
    assert_eq!(line["code"], "W2W0003");
    assert_eq!(line["severity"], "error");
}

#[test]
fn targets_are_listed() {
    insta::assert_snapshot!("targets", stdout(&run(&["targets"])));
    let rows: serde_json::Value = serde_json::from_str(&stdout(&run(&["targets", "--json"]))).expect("JSON");
    let rows = rows.as_array().expect("a list");
    assert_eq!(rows.len(), 39);
    let gfx950 = rows.iter().find(|r| r["name"] == "gfx950").expect("a row");
    insta::assert_snapshot!("target_gfx950", serde_json::to_string_pretty(gfx950).expect("JSON"));
}

/// Splits a command line as a shell does: spaces, and double quotes around what has them.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("one word at least").push(c),
        }
    }
    words.retain(|w| !w.is_empty());
    words
}

#[test]
fn the_readme_command_prints_what_the_readme_says() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md");
    let (_, rest) = readme.split_once("\n    cargo run --release -- ").expect("the command");
    let (line, rest) = rest.split_once('\n').expect("a line");
    let (_, rest) = rest.split_once("```text\n").expect("its output");
    let (expected, _) = rest.split_once("```").expect("the end of its output");
    let out = warp2wave().args(words(line)).output().expect("the program starts");
    assert_eq!((stdout(&out).as_str(), stderr(&out).as_str()), (expected, ""));
}

/// Sessions of `check` and `fmt`: the command behind the prompt prints the rest of its block.
#[test]
fn readme_sessions_print_what_the_readme_says() {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md")).expect("README.md");
    for command in ["check", "fmt"] {
        let start = format!("\n```console\n$ warp2wave {command} ");
        let sessions: Vec<&str> = readme.split(&start).skip(1).collect();
        assert!(!sessions.is_empty(), "{command}");
        for session in sessions {
            let (line, rest) = session.split_once('\n').expect("a command");
            let (expected, _) = rest.split_once("```").expect("the end of the session");
            let out = warp2wave().arg(command).args(words(line)).output().expect("the program starts");
            assert_eq!((stdout(&out).as_str(), stderr(&out).as_str()), (expected, ""), "{command} {line}");
        }
    }
}

#[test]
fn explains_an_instruction() {
    let out = run(&["explain", "prmt.b32 d, a, b, 0x9a41", "--target", "gfx90a,gfx1030,gfx1035"]);
    assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
    insta::assert_snapshot!("cli_explain_prmt", stdout(&out));
    // Everything, side by side.
    let all = stdout(&run(&["explain", "prmt.b32 d, a, b, 0x0123;"]));
    for id in ["gfx900 ", "gfx942 ", "gfx1010 ", "gfx1103 ", "gfx12-generic"] {
        assert!(all.contains(id), "no {id} in {all}");
    }
    assert_eq!(all.matches("v_perm_b32").count(), 3, "{all}");
    // The scalar unit, 64 bits, and what is no permute.
    let uniform = stdout(&run(&["explain", "mov.b32 d, {x, y}", "--uniform", "--target", "gfx1100"]));
    assert!(uniform.contains("s_pack_ll_b32_b16"), "{uniform}");
    let halves = stdout(&run(&["explain", "mov.b64 {x, y}, v", "--target", "gfx1100"]));
    assert!(halves.contains("byte 3  v.hi[31:24]") && halves.contains("nothing to do"), "{halves}");
    let barrier = stdout(&run(&["explain", "bar.sync 0", "--target", "gfx942"]));
    assert!(barrier.contains("s_barrier"), "{barrier}");
}

#[test]
fn explains_as_json_and_refuses() {
    let out = run(&["explain", "prmt.b32 d, a, b, 0x8880", "--target", "gfx1201", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&out)).expect("JSON");
    let group = &json["groups"][0];
    assert_eq!(group["targets"], serde_json::json!(["gfx1201"]));
    assert_eq!(group["fewest_vector_instructions"], 1);
    assert_eq!(group["instructions"][0]["words"], serde_json::json!(["d6110001", "02210101"]));
    assert_eq!(group["results"][0]["bytes"][0], serde_json::json!({"source": "a", "byte": 0}));
    assert_eq!(group["results"][0]["bytes"][3], serde_json::json!({"source": "a", "sign_of_byte": 0}));

    for (instruction, complaint) in [
        ("prmt.b32 d, a, b", "takes 4 operands"),
        ("prmt.b33 d, a, b, 0", "<instruction>:1"),
        ("add.s32 a, b, c; add.s32 d, e, f", "one instruction is expected"),
        ("", "an instruction is expected"),
    ] {
        let out = run(&["explain", instruction]);
        assert_eq!(out.status.code(), Some(1));
        assert!(stderr(&out).contains(complaint), "{}", stderr(&out));
    }
}

/// Bytes become floats on the way out of their word: signed ones by SDWA where there is any, unsigned ones everywhere.
#[test]
fn bytes_convert_where_they_are() {
    let folder = Folder::new("bytes");
    let mut body = String::new();
    for byte in 0..4 {
        for (n, sign) in ["s", "u"].into_iter().enumerate() {
            let at = 8 * byte + 4 * n;
            body += &format!("    bfe.{sign}32 %r2, %r1, {}, 8;\n    cvt.rn.f32.{sign}32 %f1, %r2;\n", 8 * byte);
            body += &format!("    st.global.f32 [%rd2+{at}], %f1;\n");
        }
    }
    let source = format!(
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u64 q)\n{{\n    .reg .b32 %r<4>;\n    \
         .reg .b64 %rd<5>;\n    .reg .f32 %f1;\n    ld.param.u64 %rd1, [p];\n    ld.param.u64 %rd2, [q];\n    mov.u32 %r3, %tid.x;\n    \
         mul.wide.u32 %rd3, %r3, 4;\n    add.u64 %rd1, %rd1, %rd3;\n    mul.wide.u32 %rd4, %r3, 32;\n    add.u64 %rd2, %rd2, %rd4;\n    \
         ld.global.u32 %r1, [%rd1];\n{body}    ret;\n}}\n"
    );
    let file = folder.file("k.ptx", source.as_bytes());
    for (target, ops) in
        [("gfx906", ["_sdwa", "ubyte"]), ("gfx1030", ["_sdwa", "ubyte"]), ("gfx1201", ["v_bfe_i32", "ubyte"])]
    {
        let asm = stdout(&run(&["translate-file", &file, "--target", target, "--emit", "asm", "-o", "-"]));
        assert_eq!(ops.map(|op| asm.contains(op)), [true, true], "{asm}");
        assert!(!asm.contains("v_bfe_u32"), "{asm}");
        let args = ["run", &file, "--target", target, "--block", "2", "--arg", "u32[2]={0x807fff01,0x00c80281}"];
        let out = run(&[&args[..], &["--arg", "f32[16]", "--dump", "1:f32"]].concat());
        assert_eq!(out.status.code(), Some(0), "{}", stderr(&out));
        let numbers: Vec<f32> = stdout(&out).split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let expected = [1, 1, -1, 255, 127, 127, -128, 128, -127, 129, 2, 2, -56, 200, 0, 0].map(|n| n as f32);
        assert_eq!(numbers, expected, "{target}: {}", stdout(&out));
    }
}
