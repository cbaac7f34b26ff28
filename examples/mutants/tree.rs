//! A copy of the project with every fault in it, each behind its number.

use crate::sites::{self, Edit, Site};
use anyhow::{Context, Result, bail};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A fault with its file; its number is its place in the list.
pub struct Mutant {
    pub file: String,
    pub site: Site,
}

pub struct Tree {
    pub root: PathBuf,
    pub mutants: Vec<Mutant>,
    files: Vec<String>,
    /// Faults that the compiler does not take.
    pub dropped: BTreeSet<usize>,
}

/// The switch, in the copy's library. Where `W2W_MUTANT_HITS` names a file, it gets the number of each fault that is come to.
const SWITCH: &str = r#"
#[doc(hidden)]
pub mod mutant {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicBool, Ordering};
    static ON: LazyLock<u32> =
        LazyLock::new(|| std::env::var("W2W_MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(u32::MAX));
    static FILE: LazyLock<Option<String>> = LazyLock::new(|| std::env::var("W2W_MUTANT_HITS").ok());
    static HIT: [AtomicBool; COUNT] = [const { AtomicBool::new(false) }; COUNT];
    pub fn on(n: u32) -> bool {
        if let Some(file) = &*FILE
            && !HIT[n as usize].swap(true, Ordering::Relaxed)
        {
            use std::io::Write;
            let mut file = std::fs::OpenOptions::new().append(true).create(true).open(file).expect("the file of hits");
            file.write_all(format!("{n}\n").as_bytes()).expect("the file of hits");
        }
        *ON == n
    }
}
"#;

impl Tree {
    /// Copies what git tracks to `root` and finds the faults of `files`.
    pub fn copy(from: &Path, root: &Path, files: &[String]) -> Result<Tree> {
        let listed = Command::new("git").arg("-C").arg(from).args(["ls-files", "-z"]).output()?;
        for name in String::from_utf8(listed.stdout)?.split('\0').filter(|name| !name.is_empty()) {
            let to = root.join(name);
            std::fs::create_dir_all(to.parent().unwrap_or(root))?;
            let content = std::fs::read(from.join(name)).with_context(|| name.to_string())?;
            // An unchanged file keeps its time, and cargo what it has built of it.
            if std::fs::read(&to).ok().as_ref() != Some(&content) && !files.iter().any(|file| file == name) {
                std::fs::write(&to, content)?;
            }
        }
        let mut mutants = vec![];
        for file in files {
            let source = std::fs::read_to_string(from.join(file)).with_context(|| file.clone())?;
            let found = sites::find(&source).with_context(|| file.clone())?;
            mutants.extend(found.into_iter().map(|site| Mutant { file: file.clone(), site }));
        }
        Ok(Tree { root: root.to_path_buf(), mutants, files: files.to_vec(), dropped: BTreeSet::new() })
    }

    /// Writes the faults into the copy.
    fn write(&self, from: &Path) -> Result<()> {
        for file in &self.files {
            let source = std::fs::read_to_string(from.join(file))?;
            let mut own: Vec<(usize, &Site)> = self.mutants.iter().enumerate().map(|(n, m)| (n, &m.site)).collect();
            own.retain(|(n, _)| self.mutants[*n].file == *file && !self.dropped.contains(n));
            own.sort_by_key(|(n, site)| (site.range.start, std::cmp::Reverse(site.range.end), *n));
            let text = render(&source, 0..source.len(), &own);
            let to = self.root.join(file);
            if std::fs::read_to_string(&to).ok().as_ref() != Some(&text) {
                std::fs::write(to, text)?;
            }
        }
        let library = std::fs::read_to_string(from.join("src/lib.rs"))?;
        let switch = SWITCH.replace("COUNT", &self.mutants.len().to_string());
        let (to, text) = (self.root.join("src/lib.rs"), library + &switch);
        if std::fs::read_to_string(&to).ok().as_ref() != Some(&text) {
            std::fs::write(to, text)?;
        }
        Ok(())
    }

    /// Builds the tests, dropping the faults that do not compile.
    pub fn build(&mut self, from: &Path) -> Result<()> {
        // Some lints that deny see only what is optimised.
        let mut commands = [["check", "--lib"], ["build", "--lib"]].iter().peekable();
        for round in 1.. {
            self.write(from)?;
            let Some(command) = commands.peek() else { return Ok(()) };
            let errors = self.compile(*command)?;
            if errors.is_empty() {
                commands.next();
                continue;
            }
            let mut new = BTreeSet::new();
            for (file, at, message) in &errors {
                match self.enclosing(file, *at)? {
                    Some(n) => drop(new.insert(n)),
                    None => eprintln!("no fault at {file}, byte {at}: {message}"),
                }
            }
            eprintln!("round {round}: {} errors, {} faults dropped", errors.len(), new.len());
            if new.is_empty() || round == 30 {
                bail!("the copy does not compile");
            }
            self.dropped.extend(new);
        }
        Ok(())
    }

    fn cargo(&self) -> Command {
        let mut command = Command::new("cargo");
        command.current_dir(&self.root);
        command
    }

    /// The errors of the library: file, byte, message.
    fn compile(&self, command: &[&str]) -> Result<Vec<(String, usize, String)>> {
        let output =
            self.cargo().args(command).args(["--profile=test", "--locked", "--message-format=json"]).output()?;
        let mut errors = vec![];
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let value: serde_json::Value = serde_json::from_str(line)?;
            let message = &value["message"];
            if message["level"] == "error" {
                for span in message["spans"].as_array().into_iter().flatten() {
                    let file = span["file_name"].as_str().unwrap_or("").to_string();
                    let at = span["byte_start"].as_u64().unwrap_or(0) as usize;
                    errors.push((file, at, message["message"].as_str().unwrap_or("").to_string()));
                }
            }
        }
        if errors.is_empty() && !output.status.success() {
            bail!("cargo check fails: {}", String::from_utf8_lossy(&output.stderr));
        }
        Ok(errors)
    }

    /// The innermost fault whose text holds this byte.
    fn enclosing(&self, file: &str, at: usize) -> Result<Option<usize>> {
        let text = std::fs::read_to_string(self.root.join(file))?;
        let mut open = vec![];
        let mut from = 0;
        while let Some(next) = text[from..].find("/*m") {
            from += next + 3;
            if from > at + 20 {
                break;
            }
            let end = text[from..].find("*/").context("a mark")?;
            let mark = &text[from..from + end];
            match mark {
                "e" if from <= at => drop(open.pop()),
                "e" => {}
                _ if from <= at + 3 => open.push(mark.parse()?),
                _ => {}
            }
        }
        Ok(open.pop())
    }

    /// The test programs of the copy.
    pub fn programs(&self) -> Result<Vec<PathBuf>> {
        let arguments = ["test", "--locked", "--no-run", "--lib", "--test", "it", "--message-format=json"];
        let output = self.cargo().args(arguments).output()?;
        if !output.status.success() {
            bail!("{}", String::from_utf8_lossy(&output.stderr));
        }
        let mut programs = vec![];
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let value: serde_json::Value = serde_json::from_str(line)?;
            if value["profile"]["test"] == true
                && let Some(path) = value["executable"].as_str()
            {
                programs.push(path.into());
            }
        }
        Ok(programs)
    }
}

/// The text of `range` with its faults, sorted from the outside in.
fn render(source: &str, range: std::ops::Range<usize>, sites: &[(usize, &Site)]) -> String {
    let mut out = String::new();
    let mut at = range.start;
    let mut index = 0;
    while let Some((n, site)) = sites.get(index) {
        let inside = |other: &Site| other.range.start < site.range.end && other.range.end <= site.range.end;
        let count = sites[index + 1..].iter().take_while(|(_, other)| inside(other)).count();
        out += &source[at..site.range.start];
        let inner = render(source, site.range.clone(), &sites[index + 1..index + 1 + count]);
        wrap(&mut out, *n, site, &inner);
        at = site.range.end;
        index += 1 + count;
    }
    out + &source[at..range.end]
}

fn wrap(out: &mut String, n: usize, site: &Site, inner: &str) {
    let on = format!("crate::mutant::on({n})");
    let _ = match &site.edit {
        Edit::Replace(text) => write!(out, "/*m{n}*/(if {on} {{ {text} }} else {{ {inner} }})/*me*/"),
        Edit::Negate => write!(out, "/*m{n}*/(({inner}) != {on})/*me*/"),
        Edit::Skip => write!(out, "/*m{n}*/if !{on} {{ {inner} }}/*me*/"),
        Edit::Return(value) => write!(out, "/*m{n}*/if {on} {{ return {value}; }}/*me*/"),
        Edit::Never { guard: Some(_) } => write!(out, "/*m{n}*/({inner}) && !{on}/*me*/"),
        Edit::Never { guard: None } => write!(out, "/*m{n}*/ if !{on}/*me*/"),
    };
}
