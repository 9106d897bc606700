//! The console blocks of the README and of `docs/measuring.md`, run in order in one temporary folder for each, so that later
//! blocks use the files of earlier ones.
//!
//! A line that starts with `$ ` is a command for the shell, what follows is its output, standard error included. In it,
//! a line `...` stands for any lines, and `[..]` for anything within a line. The tests run a debug build, so its warning
//! about times is taken out.

#![cfg(unix)]

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

/// Each with the least number of commands that it has.
const DOCUMENTS: [(&str, &str, usize); 2] = [
    ("README.md", include_str!("../../../README.md"), 10),
    ("docs/measuring.md", include_str!("../../../docs/measuring.md"), 3),
];

/// A command with the output that the document shows.
struct Step {
    line: usize,
    command: &'static str,
    expected: Vec<&'static str>,
}

fn steps(document: &'static str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    for (at, text) in document.lines().enumerate() {
        match (inside, text) {
            (false, "```console") => inside = true,
            (true, "```") => inside = false,
            (true, _) => match text.strip_prefix("$ ") {
                Some(command) => steps.push(Step { line: at + 1, command, expected: Vec::new() }),
                None => steps.last_mut().expect("a block starts with a command").expected.push(text),
            },
            (false, _) => {}
        }
    }
    steps
}

/// What the shell's standard output and standard error get, in their order.
fn run(command: &str, folder: &Path) -> String {
    let bin = Path::new(env!("CARGO_BIN_EXE_bantam")).parent().expect("the program lies in a folder");
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([bin.to_path_buf()].into_iter().chain(env::split_paths(&path))).expect("a path");
    let output = Command::new("sh")
        .args(["-c", &format!("exec 2>&1\n{command}")])
        .current_dir(folder)
        .env("PATH", path)
        .env_remove("CLICOLOR_FORCE")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    String::from_utf8(output.stdout).expect("output is text")
}

/// Whether a line is as the pattern says.
fn is_line(pattern: &str, line: &str) -> bool {
    match pattern.split_once("[..]") {
        None => pattern == line,
        Some((start, rest)) => line
            .strip_prefix(start)
            .is_some_and(|line| (0..=line.len()).any(|at| line.get(at..).is_some_and(|line| is_line(rest, line)))),
    }
}

/// Whether the lines are as the patterns say.
fn is_output(patterns: &[&str], lines: &[&str]) -> bool {
    match patterns {
        [] => lines.is_empty(),
        ["...", rest @ ..] => (0..=lines.len()).any(|at| is_output(rest, &lines[at..])),
        [first, rest @ ..] => {
            lines.split_first().is_some_and(|(line, lines)| is_line(first, line) && is_output(rest, lines))
        }
    }
}

#[test]
fn the_documents_show_what_happens() {
    let mut wrong = Vec::new();
    for (name, text, least) in DOCUMENTS {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let steps = steps(text);
        assert!(steps.len() >= least, "{name} has lost its console blocks");
        for Step { line, command, expected } in &steps {
            let found = run(command, folder.path());
            let lines: Vec<_> = found.lines().filter(|line| !line.starts_with("This is a debug build:")).collect();
            if !is_output(expected, &lines) {
                let expected = expected.join("\n");
                wrong.push(format!("{name} line {line}: `{command}` printed\n{found}\ninstead of\n{expected}\n"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn patterns_match_what_they_should_and_no_more() {
    assert!(is_line("a [..] b", "a 1 2 b") && is_line("[..]", "") && !is_line("a [..]", "b 1") && !is_line("a", "ab"));
    assert!(is_output(&["a", "...", "b"], &["a", "x", "y", "b"]) && is_output(&["..."], &[]));
    assert!(!is_output(&["a"], &["a", "b"]) && !is_output(&["...", "b"], &["a"]));
}
