//! Building a generated crate, and running what came of it.

use crate::cache::Package;
use crate::{Error, Step};
use bantam_weigh::Row;
use std::path::Path;
use std::process::{Command, Stdio};

/// What cargo adds to an error for want of a crate, when it may not go to the registry.
const MISSING: &str = "--offline";

/// Builds the crate's programs, unless that was done before.
pub(crate) fn build(package: &Package, programs: &[&str], progress: &mut dyn FnMut(Step<'_>)) -> Result<(), Error> {
    if programs.iter().all(|name| package.program(name).is_file()) {
        return Ok(());
    }
    progress(Step::Build(package.folder()));
    std::fs::create_dir_all(package.target()).map_err(|e| Error::io(&package.target(), &e))?;
    // One at a time: cargo would make others wait as well, but the programs lie under one name until they are copied.
    let lock = package.target().join("bantam.lock");
    let held = std::fs::File::create(&lock).map_err(|e| Error::io(&lock, &e))?;
    held.lock().map_err(|e| Error::io(&lock, &e))?;
    // Another run may have built it meanwhile.
    if programs.iter().all(|name| package.program(name).is_file()) {
        return Ok(());
    }
    package.write().map_err(|e| Error::io(package.folder(), &e))?;
    match cargo(package, true) {
        // What is missing is fetched.
        Err(Error::Build { output, .. }) if output.contains(MISSING) => cargo(package, false)?,
        done => done?,
    }
    for program in programs {
        let to = package.program(program);
        let name = to.file_name().unwrap_or_default();
        // A program is there whole or not at all.
        let part = to.with_extension("part");
        std::fs::copy(package.target().join("release").join(name), &part).map_err(|e| Error::io(&part, &e))?;
        std::fs::rename(&part, &to).map_err(|e| Error::io(&to, &e))?;
    }
    Ok(())
}

fn cargo(package: &Package, offline: bool) -> Result<(), Error> {
    let mut command = Command::new("cargo");
    command.args(["build", "--release", "--locked", "--quiet", "--target-dir"]).arg(package.target());
    command.current_dir(package.folder()).stdin(Stdio::null());
    if offline {
        command.env("CARGO_NET_OFFLINE", "true");
    }
    let done = command.output().map_err(|e| match e.kind() {
        std::io::ErrorKind::NotFound => Error::NoCargo,
        _ => Error::io(Path::new("cargo"), &e),
    })?;
    if done.status.success() {
        return Ok(());
    }
    Err(Error::Build {
        folder: package.folder().to_owned(),
        output: String::from_utf8_lossy(&done.stderr).trim_end().to_owned(),
    })
}

/// Runs a program on a neutral file; its rows.
pub(crate) fn run(program: &Path, neutral: &Path, quick: bool) -> Result<Vec<Row>, Error> {
    let mut command = Command::new(program);
    command.arg(neutral).args(quick.then_some("--quick")).stdin(Stdio::null());
    let done = command.output().map_err(|e| Error::io(program, &e))?;
    let failed = |reason: String| Error::Run { program: program.to_owned(), reason };
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr).trim_end().to_owned();
        return Err(failed(format!("{}; {said}", done.status)));
    }
    serde_json::from_slice(&done.stdout).map_err(|e| failed(e.to_string()))
}

/// The compiler that cargo calls, as it names itself.
pub(crate) fn compiler(package: &Package) -> Option<String> {
    let done = Command::new("rustc").arg("--version").current_dir(package.folder()).output().ok()?;
    let text = String::from_utf8(done.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|t| !t.is_empty())
}
