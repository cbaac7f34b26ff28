//! Reading inputs and writing outputs: whole or not at all.

use anyhow::{Context, Result, bail};
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

pub fn is_std(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// The name diagnostics use.
pub fn shown(path: &Path) -> String {
    if is_std(path) { "<stdin>".into() } else { path.display().to_string() }
}

pub fn read(path: &Path) -> Result<Vec<u8>> {
    if is_std(path) {
        let mut bytes = vec![];
        std::io::stdin().lock().read_to_end(&mut bytes).context("cannot read standard input")?;
        return Ok(bytes);
    }
    fs::read(path).with_context(|| format!("cannot read {}", path.display()))
}

/// PTX is ASCII, but comments and file names of other encodings occur: each byte that is not UTF-8 becomes `?`, so that places stay right.
pub fn ptx_text(bytes: Vec<u8>, path: &Path) -> Result<String> {
    let kind = match bytes.get(..4) {
        Some(b"\x7fELF") => Some("an ELF file"),
        Some(b"CCOB" | b"__CL") => Some("an offload bundle"),
        Some(b"\x50\xed\x55\xba") => Some("a CUDA fat binary"),
        Some([b'P', b'K', ..]) => Some("an archive"),
        // Text taken from a fat binary ends in zeros.
        _ if bytes.iter().take(4096).skip_while(|&&b| b != 0).any(|&b| b != 0) || bytes.first() == Some(&0) => {
            Some("a binary file")
        }
        _ => None,
    };
    if let Some(kind) = kind {
        bail!("{} is {kind}, not PTX text", shown(path));
    }
    if u32::try_from(bytes.len()).is_err() {
        bail!("{} has more than 4 GiB", shown(path));
    }
    Ok(match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(err) => {
            let mut bytes = err.into_bytes();
            let mut at = 0;
            while let Err(err) = std::str::from_utf8(&bytes[at..]) {
                at += err.valid_up_to();
                bytes[at] = b'?';
            }
            String::from_utf8(bytes).context("text")?
        }
    })
}

/// Writes a file through a temporary one beside it, so that no half-written output is ever seen.
pub fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if is_std(path) {
        let mut out = std::io::stdout().lock();
        return out.write_all(bytes).and_then(|()| out.flush()).context("cannot write standard output");
    }
    let special = fs::metadata(path).is_ok_and(|m| !m.is_file());
    if special {
        return fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()));
    }
    let mut name = path.file_name().context("an output needs a file name")?.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary: PathBuf = path.with_file_name(name);
    // Who may read what was there may read what comes in its place.
    let permissions = fs::metadata(path).map(|metadata| metadata.permissions());
    let keep = || permissions.map_or(Ok(()), |permissions| fs::set_permissions(&temporary, permissions));
    let result = fs::write(&temporary, bytes).and_then(|()| keep()).and_then(|()| fs::rename(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    result.with_context(|| format!("cannot write {}", path.display()))
}
