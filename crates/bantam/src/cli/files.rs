//! Reading inputs and writing outputs: whole files, or nothing.

use super::args::Reading;
use super::stop::Stop;
use bantam::compress::Compressor;
use bantam::formats::{Format, Framing};
use bantam::model::infer::At;
use bantam::model::{Error, Limits};
use bantam::{Input, Request, Schemas};
use std::borrow::Cow;
use std::fmt::Display;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::str::FromStr;

/// The name that stands for the standard streams.
pub(super) const STANDARD: &str = "-";

/// Reads a file or standard input; what is compressed expands to `most` bytes.
pub(super) fn read(name: &str, most: usize) -> Result<Input, Stop> {
    let bytes = if name == STANDARD {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(name)
    };
    let bytes = bytes.map_err(|e| Stop::io(shown(name), &e))?;
    Input::with_limit(name, bytes, most).map_err(|e| Stop::in_file(shown(name), &e))
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
    let failed = |error: &dyn Display| Stop::Failed { what: name.to_owned(), error: error.to_string() };
    // A link stays one: what it leads to is replaced.
    let path = match fs::symlink_metadata(name) {
        Ok(link) if link.is_symlink() => {
            &fs::canonicalize(name).map_err(|e| failed(&format!("a link to nothing: {e}")))?
        }
        _ => Path::new(name),
    };
    if path.is_dir() {
        return Err(failed(&"it is a folder; name a file in it"));
    }
    let folder = parent(path);
    if !folder.is_dir() {
        return Err(failed(&format!("there is no folder {} to write into", folder.display())));
    }
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

/// The folder that a path lies in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Writes a file a record into a new or empty folder: `0.pb`, `1.pb`, …; one record is a file of its own.
pub(super) fn write_each(to: &str, documents: &[Vec<u8>], format: &Format) -> Result<(), Stop> {
    write_parts(to, documents.len(), extension(format), |at| Ok(Cow::Borrowed(&documents[at])))
}

/// As [`write_each`], with documents that are made one after another.
pub(super) fn write_parts<'d>(
    to: &str,
    count: usize,
    extension: &str,
    mut document: impl FnMut(usize) -> Result<Cow<'d, [u8]>, Stop>,
) -> Result<(), Stop> {
    match count {
        0 => return write(to, &[]),
        1 => return write(to, &document(0)?),
        _ if to == STANDARD || Path::new(to).is_file() => {
            let text = format!("{count} records each by itself need a folder for the output");
            return Err(Stop::Usage(text));
        }
        _ => {}
    }
    let io = |e: io::Error| Stop::io(to, &e);
    if Path::new(to).is_dir() && fs::read_dir(to).map_err(io)?.next().is_some() {
        let error = "the folder is not empty, and records of other runs would mix with these; name a new one";
        return Err(Stop::Failed { what: to.to_owned(), error: error.to_owned() });
    }
    // Filled beside its place, so that it appears whole.
    let path = Path::new(to);
    let parent = parent(path);
    fs::create_dir_all(parent).map_err(io)?;
    let made = tempfile::Builder::new().prefix(".bantam-").tempdir_in(parent).map_err(io)?;
    let width = (count - 1).to_string().len();
    for at in 0..count {
        fs::write(made.path().join(format!("{at:0width$}.{extension}")), document(at)?).map_err(io)?;
    }
    open_to_all(made.path()).map_err(io)?;
    if path.is_dir() {
        fs::remove_dir(path).map_err(io)?;
    }
    fs::rename(made.path(), path).map_err(io)?;
    // It has moved away, so there is nothing to remove.
    let _ = made.keep();
    Ok(())
}

/// Gives a folder that was made as the owner's alone the permissions that a plain new one has.
#[cfg(unix)]
fn open_to_all(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn open_to_all(_: &Path) -> io::Result<()> {
    Ok(())
}

/// The extension of a format's files; a style has that of the format it is a style of.
pub(super) fn extension(format: &Format) -> &'static str {
    format.extensions.first().copied().unwrap_or_else(|| {
        let base = format.name.split('-').next().and_then(bantam::find_format);
        base.and_then(|f| f.extensions.first().copied()).unwrap_or("out")
    })
}

/// The compressor whose extension a file's name has.
pub(super) fn compressor(name: &str) -> Option<&'static Compressor> {
    Path::new(name).extension()?.to_str().and_then(bantam::compress::by_extension)
}

/// The format of a file's name, by its extension or the one before a compressor's.
pub(super) fn format_of_name(name: &str) -> Option<&'static Format> {
    let path = Path::new(name);
    let stem = path.with_extension("");
    let path = if compressor(name).is_some() { &stem } else { path };
    path.extension()?.to_str().and_then(bantam::by_extension)
}

/// Compresses documents if the file's name asks for it.
pub(super) fn packed(name: &str, documents: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stop> {
    let Some(compressor) = compressor(name).filter(|_| name != STANDARD) else { return Ok(documents) };
    let pack = |document: Vec<u8>| {
        let mut out = Vec::new();
        let done = compressor.compress(&document, None, &mut out);
        done.map(|()| out).map_err(|e| Stop::Failed { what: name.to_owned(), error: e.to_string() })
    };
    documents.into_iter().map(pack).collect()
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
    name.and_then(bantam::find_format)
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
            quakes: bantam::quake::Options { keep_unused: self.keep_unused, strict: self.strict },
        })
    }

    /// The schema files.
    pub(super) fn schemas(&self) -> Result<Schemas, Stop> {
        let mut schemas = Schemas::none();
        for name in &self.schema {
            schemas.add(name, &self.include).map_err(|e| Stop::in_schema(name, &e))?;
        }
        let schemas = schemas.message(self.message.clone());
        if !schemas.is_none() {
            // Found out before any input is read.
            schemas.main().map_err(|e: Error| Stop::Usage(e.to_string()))?;
        }
        Ok(schemas)
    }
}
