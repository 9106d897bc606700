//! Reading inputs and writing outputs: whole files, or nothing.

use super::args::Reading;
use super::stop::Stop;
use bantam::formats::{Format, Framing};
use bantam::model::infer::At;
use bantam::model::{Error, Limits};
use bantam::{Input, Request, Schemas};
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::str::FromStr;

/// The name that stands for the standard streams.
pub(super) const STANDARD: &str = "-";

/// Reads a file or standard input.
pub(super) fn read(name: &str) -> Result<Input, Stop> {
    let bytes = if name == STANDARD {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(name)
    };
    let bytes = bytes.map_err(|e| Stop::io(shown(name), &e))?;
    Input::new(name, bytes).map_err(|e| Stop::in_file(shown(name), &e))
}

/// A file's name for people.
pub(super) fn shown(name: &str) -> &str {
    if name == STANDARD { "standard input" } else { name }
}

/// Writes a file, which appears whole or not at all, or standard output.
pub(super) fn write(name: &str, bytes: &[u8]) -> Result<(), Stop> {
    if name == STANDARD {
        let mut out = io::stdout().lock();
        return Ok(out.write_all(bytes).and_then(|()| out.flush())?);
    }
    let path = Path::new(name);
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let write = || -> io::Result<()> {
        if path.exists() && !path.is_file() {
            // A device or a pipe cannot be replaced by a file.
            return fs::write(path, bytes);
        }
        let mut file = tempfile::Builder::new().prefix(".bantam-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        permit(file.as_file(), path)?;
        file.persist(path).map_err(|e| e.error)?;
        Ok(())
    };
    write().map_err(|e| Stop::io(name, &e))
}

/// Gives the new file the permissions that a plain new file has, or those of the file that it replaces.
#[cfg(unix)]
fn permit(file: &fs::File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = match fs::metadata(path) {
        Ok(old) => old.permissions(),
        // Temporary files are the owner's alone; there is no way to ask for the umask but to set it.
        Err(_) => fs::Permissions::from_mode(0o644),
    };
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn permit(_: &fs::File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The format of a name that the definitions have checked.
pub(super) fn format(name: Option<&str>) -> Option<&'static Format> {
    name.and_then(bantam::formats::find)
}

/// The framing of a name that the definitions have checked.
pub(super) fn framing(name: Option<&str>) -> Option<Framing> {
    name.and_then(|n| Framing::from_str(n).ok())
}

impl Reading {
    /// What is asked of the inputs.
    pub(super) fn request(&self) -> Result<Request, Stop> {
        let at = match &self.at {
            Some(path) => Some(At::parse(path).map_err(|e| Stop::Usage(format!("--at {path}: {e}")))?),
            None => None,
        };
        Ok(Request {
            from: format(self.from.as_deref()),
            framing: None,
            schemas: self.schemas()?,
            at,
            limits: Limits::default().depth(self.max_depth),
            keep_unknown: false,
        })
    }

    /// The schema files.
    pub(super) fn schemas(&self) -> Result<Schemas, Stop> {
        let mut schemas = Schemas::none();
        for name in &self.schema {
            schemas.add(name, &self.include).map_err(|e| Stop::in_file(name, &e))?;
        }
        let schemas = schemas.message(self.message.clone());
        if !schemas.is_none() {
            // Found out before any input is read.
            schemas.main().map_err(|e: Error| Stop::Usage(e.to_string()))?;
        }
        Ok(schemas)
    }
}
