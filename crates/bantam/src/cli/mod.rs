//! The command line: the only part that prints, reads the environment or exits.

mod archive;
mod args;
mod convert;
mod document;
mod files;
mod formats;
mod held;
mod machine;
mod native;
mod sample;
mod schema;
mod stop;
mod summary;
mod weigh;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use indicatif::{ProgressBar, ProgressStyle};
use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;
use stop::Stop;

/// Exit codes, as `--help` promises them.
const ALL_WELL: u8 = 0;
const SOME_FAILED: u8 = 1;
const USAGE: u8 = 2;

/// Runs the command that the arguments name.
pub(crate) fn run() -> ExitCode {
    let done = match Cli::parse().command {
        Command::Weigh(args) => weigh::run(&args),
        Command::Convert(args) => convert::run(&args),
        Command::Schema(args) => schema::run(&args.command),
        Command::Sample(args) => sample::run(&args),
        Command::Formats(args) => formats::run(&args),
        Command::Completions { shell } => completions(shell),
        Command::Man => man(),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(stop) => stop.report(),
    }
}

fn completions(shell: clap_complete::Shell) -> Result<u8, Stop> {
    let mut out = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "bantam", &mut out);
    print(&out)
}

fn man() -> Result<u8, Stop> {
    let mut out = Vec::new();
    clap_mangen::Man::new(Cli::command()).render(&mut out)?;
    pages(&Cli::command(), "bantam", &mut out)?;
    print(&out)
}

/// The pages of a command's commands, and of theirs.
fn pages(of: &clap::Command, name: &str, out: &mut Vec<u8>) -> io::Result<()> {
    for command in of.get_subcommands().filter(|c| !c.is_hide_set()) {
        let name = format!("{name}-{}", command.get_name());
        clap_mangen::Man::new(command.clone().name(name.clone())).render(out)?;
        pages(command, &name, out)?;
    }
    Ok(())
}

/// Writes a result to standard output.
fn print(bytes: &[u8]) -> Result<u8, Stop> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()?;
    Ok(ALL_WELL)
}

/// Writes a note to standard error.
fn note(text: &str) {
    let style = anstyle::AnsiColor::Cyan.on_default();
    // A note that cannot be written has no reader.
    let _ = writeln!(anstream::stderr(), "{style}note{style:#}: {}", printable(text));
}

/// Writes what there is to say of an input: a warning by that name.
fn tell(found: &bantam::Note, name: &str) {
    if !found.is_warning() {
        return note(&format!("{name}: {found}"));
    }
    let style = anstyle::AnsiColor::Yellow.on_default();
    let text = format!("{name}: {found}");
    let _ = writeln!(anstream::stderr(), "{style}warning{style:#}: {}", printable(&text));
}

/// Text from files and names, made safe for a terminal: control characters are escaped.
fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return text.into();
    }
    let plain = |c: char| if c.is_control() { c.escape_debug().collect::<String>() } else { c.to_string() };
    text.chars().map(plain).collect::<String>().into()
}

/// A bar on standard error, if people look at it.
fn progress_bar() -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(1);
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {wide_msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_of_the_command_line_are_sound() {
        Cli::command().debug_assert();
    }
}
