//! Running the binary, and folders to run it in.

use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// What a run left behind.
pub(crate) struct Run {
    pub(crate) code: i32,
    pub(crate) out: Vec<u8>,
    pub(crate) err: String,
}

/// Runs `bantam` without input.
pub(crate) fn bantam(args: &[&str]) -> Run {
    bantam_with(args, b"")
}

/// Runs `bantam` with standard input.
pub(crate) fn bantam_with(args: &[&str], input: &[u8]) -> Run {
    run(&[], args, input)
}

/// Runs `bantam` without input and with these variables besides.
pub(crate) fn bantam_in(environment: &[(&str, &str)], args: &[&str]) -> Run {
    run(environment, args, b"")
}

fn run(environment: &[(&str, &str)], args: &[&str], input: &[u8]) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bantam"))
        .args(args)
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_vec();
    // A command that does not read its input closes the pipe.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    let err = String::from_utf8(output.stderr).unwrap();
    assert!(!err.contains("panicked"), "{args:?}: {err}");
    let code = output.status.code().unwrap_or_else(|| panic!("{args:?} was killed: {err}"));
    Run { code, out: output.stdout, err }
}

impl Run {
    /// Exit code 0.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }

    /// This exit code, nothing on standard output; gives what standard error says.
    #[track_caller]
    pub(crate) fn fails(self, code: i32) -> String {
        assert_eq!((self.code, self.out.len()), (code, 0), "{}", self.err);
        self.err
    }

    #[track_caller]
    pub(crate) fn text(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out).unwrap()
    }
}

/// A folder that goes away with the test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// The path of a name in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file and gives its path.
    pub(crate) fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
    }

    /// All files below it, sorted.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut found = Vec::new();
        list(self.0.path(), self.0.path(), &mut found);
        found.sort();
        found
    }
}

fn list(top: &Path, folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            list(top, &path, found);
        } else {
            found.push(path.strip_prefix(top).unwrap().to_str().unwrap().to_owned());
        }
    }
}

/// A sample's records in a format.
pub(crate) fn sample(name: &str, records: &str, format: &str) -> Vec<u8> {
    bantam(&["sample", name, "--records", records, "--to", format]).ok().out
}

/// Records in JSON as values.
#[track_caller]
pub(crate) fn values(json: &[u8]) -> Value {
    serde_json::from_slice(json).unwrap()
}
