//! The command line: the only part that prints, reads the environment or exits.

mod args;
mod convert;
mod files;
mod formats;
mod sample;
mod schema;
mod stop;
mod weigh;

use args::{Cli, Command};
use clap::{CommandFactory, Parser};
use std::io::{self, Write};
use std::process::ExitCode;
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
    for command in Cli::command().get_subcommands_mut().filter(|c| !c.is_hide_set()) {
        let name = format!("bantam-{}", command.get_name());
        clap_mangen::Man::new(command.clone().name(name)).render(&mut out)?;
    }
    print(&out)
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
    let _ = writeln!(anstream::stderr(), "{style}note{style:#}: {text}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definitions_of_the_command_line_are_sound() {
        Cli::command().debug_assert();
    }
}
