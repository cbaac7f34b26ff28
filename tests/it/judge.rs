//! The outside judges: LLVM 22's tools, where the machine has them.
//!
//! With `W2W_REQUIRE_JUDGES=1` a missing judge fails the test; without it the test says what it did not check.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// A command for `tool` (`llvm-readelf-22`), or `None` after saying what goes unchecked.
pub fn tool(tool: &str) -> Option<Command> {
    let found = std::env::var_os("PATH")
        .is_some_and(|path| std::env::split_paths(&path).any(|folder| folder.join(tool).is_file()));
    if found {
        return Some(Command::new(tool));
    }
    let required = std::env::var("W2W_REQUIRE_JUDGES").is_ok_and(|v| v == "1");
    assert!(!required, "{tool} is not on the PATH, and W2W_REQUIRE_JUDGES=1 requires it");
    eprintln!("not checked: {tool} is not on the PATH");
    None
}

/// A fresh file for a judge to read; removed when dropped.
pub struct TempFile(PathBuf);

impl TempFile {
    pub fn new(suffix: &str, bytes: &[u8]) -> TempFile {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("w2w-{}-{number}{suffix}", std::process::id()));
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
        TempFile(path)
    }
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Standard output of a judge that must succeed and print no warning.
pub fn output(mut command: Command) -> String {
    let out = command.output().expect("the judge starts");
    let errors = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && errors.is_empty(), "{command:?}: {errors}");
    String::from_utf8_lossy(&out.stdout).into_owned()
}
