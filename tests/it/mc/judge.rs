//! llvm-mc as the judge.

use std::collections::HashMap;
use std::io::Write;
use std::process::{Command, Stdio};

const TOOL: &str = "llvm-mc-22";

/// Whether llvm-mc is installed. Missing where judges are required is a failure; elsewhere the test says what it left out.
pub fn present() -> bool {
    let found = Command::new(TOOL).arg("--version").output().is_ok_and(|output| output.status.success());
    if !found {
        assert!(std::env::var_os("W2W_REQUIRE_JUDGES").is_none(), "{TOOL} is required and not installed");
        eprintln!("{TOOL} is not installed: the recorded bytes were not assembled again");
    }
    found
}

fn arguments(cpu: &str) -> Vec<String> {
    ["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={cpu}"), "-show-encoding"].map(String::from).to_vec()
}

/// The first lines of a fixture.
pub fn header(cpu: &str) -> String {
    let output = Command::new(TOOL).arg("--version").output().expect("llvm-mc runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.lines().find(|line| line.contains("version")).unwrap_or_default().trim();
    format!(
        "# {version}: {TOOL} {}; dwords, text. Written by `W2W_RECORD=1 cargo test --test it mc::write_fixtures`.\n",
        arguments(cpu).join(" ")
    )
}

/// The bytes of all lines together; `None` where llvm-mc complains about one.
pub fn assemble_all(cpu: &str, attributes: &str, lines: &str) -> Option<Vec<u8>> {
    let mut child = Command::new(TOOL)
        .args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={cpu}"), attributes, "-filetype=obj", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("llvm-mc runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let object = std::thread::scope(|scope| {
        // A complaint may end the reading early.
        scope.spawn(move || drop(stdin.write_all(lines.as_bytes())));
        child.wait_with_output().expect("llvm-mc ends")
    });
    if !object.status.success() {
        return None;
    }
    let elf = goblin::elf::Elf::parse(&object.stdout).expect("llvm-mc writes ELF");
    let text = elf.section_headers.iter().find(|s| elf.shdr_strtab.get_at(s.sh_name) == Some(".text"))?;
    Some(object.stdout[text.file_range()?].to_vec())
}

/// The dwords of each line, or llvm-mc's complaint.
pub fn assemble(cpu: &str, attributes: &str, lines: &[&str]) -> Vec<Result<Vec<u32>, String>> {
    let mut child = Command::new(TOOL)
        .args(arguments(cpu))
        .arg(attributes)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("llvm-mc runs");
    let input = lines.join("\n") + "\n";
    let mut stdin = child.stdin.take().expect("a pipe");
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("llvm-mc ends");
    writer.join().expect("the writer ends").expect("llvm-mc reads");
    let complaints = String::from_utf8_lossy(&output.stderr);
    let mut errors: HashMap<usize, String> = HashMap::new();
    for complaint in complaints.lines() {
        let Some(place) = complaint.strip_prefix("<stdin>:") else { continue };
        let mut parts = place.splitn(3, ':');
        let (Some(line), Some(_column), Some(message)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if message.contains("error:") {
            errors.entry(line.parse::<usize>().expect("a line number") - 1).or_insert(message.trim().to_string());
        }
    }
    let listing = String::from_utf8_lossy(&output.stdout);
    let mut encodings = listing.lines().filter_map(|line| {
        let (_, rest) = line.split_once("encoding: [")?;
        let bytes: Vec<u8> = rest
            .trim_end_matches(']')
            .split(',')
            .map(|byte| u8::from_str_radix(byte.trim().trim_start_matches("0x"), 16).expect("a byte"))
            .collect();
        Some(bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect::<Vec<u32>>())
    });
    let results = (0..lines.len())
        .map(|line| match errors.remove(&line) {
            Some(message) => Err(message),
            None => encodings.next().ok_or_else(|| "no encoding".to_string()),
        })
        .collect();
    assert!(encodings.next().is_none(), "{cpu}: more encodings than lines");
    results
}

/// `e_flags` of an object that llvm-mc writes for a processor.
pub fn e_flags(cpu: &str) -> u32 {
    let mut child = Command::new(TOOL)
        .args(["-triple=amdgcn-amd-amdhsa", &format!("-mcpu={cpu}"), "-filetype=obj", "-o", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("llvm-mc runs");
    child.stdin.take().expect("a pipe").write_all(b"s_nop 0\n").expect("llvm-mc reads");
    let object = child.wait_with_output().expect("llvm-mc ends").stdout;
    // Offset 48 of an ELF64 header.
    object.get(48..52).map_or(0, |b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
}
