//! `completions` and `man`: what the definitions of the command line say, in other forms.

use super::Outcome;
use super::args::{Args, Completions, Man};
use super::files;
use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man as Page;
use std::io::Write;
use std::path::Path;

pub fn completions(args: &Completions) -> Result<Outcome> {
    let mut out = vec![];
    clap_complete::generate(args.shell, &mut Args::command(), "warp2wave", &mut out);
    std::io::stdout().lock().write_all(&out)?;
    Ok(Outcome::Done)
}

/// The page of the program, or one more for each command in a folder.
pub fn man(args: &Man) -> Result<Outcome> {
    let mut command = Args::command();
    command.build();
    let Some(folder) = &args.output else {
        std::io::stdout().lock().write_all(&page(command)?)?;
        return Ok(Outcome::Done);
    };
    let subcommands: Vec<clap::Command> =
        command.get_subcommands().filter(|c| c.get_name() != "help").cloned().collect();
    write(folder, "warp2wave", command)?;
    for subcommand in subcommands {
        let name = format!("warp2wave-{}", subcommand.get_name());
        let subcommand = subcommand.display_name(name.clone());
        write(folder, &name, subcommand)?;
    }
    Ok(Outcome::Done)
}

fn page(command: clap::Command) -> Result<Vec<u8>> {
    let mut out = vec![];
    Page::new(command).render(&mut out).context("the page")?;
    Ok(out)
}

fn write(folder: &Path, name: &str, command: clap::Command) -> Result<()> {
    files::write(&folder.join(format!("{name}.1")), &page(command)?)
}
