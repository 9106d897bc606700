//! Files that appear whole or not at all: written beside their place, and moved there at the end.

use crate::compress::Compressor;
use crate::find_format;
use crate::formats::Format;
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempDir};

/// How the names of files and folders start that are not whole yet. A run that is killed may leave some.
pub(crate) const UNFINISHED: &str = ".bantam-";

/// Writes a file, which appears whole or not at all.
///
/// # Errors
/// If it cannot be written, if the path is a folder, or if there is no folder to write into.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = Pending::new(path)?;
    file.write_all(bytes)?;
    file.finish()
}

/// Writes a file a document into a new or empty folder: `0.pb`, `1.pb`, …; one document, or none, is a file of its own.
///
/// # Errors
/// As [`write()`], and if several documents would go into a folder that is not empty.
pub fn write_each(path: &Path, documents: &[Vec<u8>], extension: &str) -> io::Result<()> {
    write_parts(path, documents.len(), extension, |at| Ok(Cow::Borrowed(&documents[at][..])), |e| e)
}

/// As [`write_each`], with documents that are made one after another.
///
/// # Errors
/// As [`write_each`], by way of `failed`, and what `document` gives.
pub fn write_parts<'d, E>(
    path: &Path,
    count: usize,
    extension: &str,
    mut document: impl FnMut(usize) -> Result<Cow<'d, [u8]>, E>,
    failed: impl Fn(io::Error) -> E,
) -> Result<(), E> {
    match count {
        0 => return write(path, &[]).map_err(failed),
        1 => return write(path, &document(0)?).map_err(failed),
        _ => {}
    }
    if path.is_dir() && fs::read_dir(path).map_err(&failed)?.next().is_some() {
        let text = "the folder is not empty, and records of other runs would mix with these; name a new one";
        return Err(failed(io::Error::other(text)));
    }
    let parent = parent(path);
    fs::create_dir_all(parent).map_err(&failed)?;
    let made = tempfile::Builder::new().prefix(UNFINISHED).tempdir_in(parent).map_err(&failed)?;
    let width = (count - 1).to_string().len();
    for at in 0..count {
        fs::write(made.path().join(format!("{at:0width$}.{extension}")), document(at)?).map_err(&failed)?;
    }
    put(made, path).map_err(failed)
}

/// Moves a folder that is filled into its place.
fn put(made: TempDir, path: &Path) -> io::Result<()> {
    open_to_all(made.path())?;
    if path.is_dir() {
        fs::remove_dir(path)?;
    }
    fs::rename(made.path(), path)?;
    // It has moved away, so there is nothing to remove.
    let _ = made.keep();
    Ok(())
}

/// A file on its way.
pub(crate) enum Pending {
    /// Beside the place where it is going to be.
    Beside(NamedTempFile, PathBuf),
    /// A device or a pipe, which cannot be replaced by a file.
    Device(File),
}

impl Pending {
    /// Begins a file.
    pub(crate) fn new(path: &Path) -> io::Result<Self> {
        // A link stays one: what it leads to is replaced.
        let path = match fs::symlink_metadata(path) {
            Ok(link) if link.is_symlink() => {
                &fs::canonicalize(path).map_err(|e| io::Error::other(format!("a link to nothing: {e}")))?
            }
            _ => path,
        };
        if path.is_dir() {
            return Err(io::Error::other("it is a folder; name a file in it"));
        }
        let folder = parent(path);
        if !folder.is_dir() {
            return Err(io::Error::other(format!("there is no folder {} to write into", folder.display())));
        }
        if path.exists() && !path.is_file() {
            return Ok(Self::Device(File::options().write(true).open(path)?));
        }
        let file = tempfile::Builder::new().prefix(UNFINISHED).tempfile_in(folder)?;
        Ok(Self::Beside(file, path.to_owned()))
    }

    /// Puts the file into its place.
    pub(crate) fn finish(self) -> io::Result<()> {
        if let Self::Beside(file, path) = self {
            permit(file.as_file(), &path)?;
            file.persist(path).map_err(|e| e.error)?;
        }
        Ok(())
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Beside(file, _) => file.write(bytes),
            Self::Device(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Beside(file, _) => file.flush(),
            Self::Device(file) => file.flush(),
        }
    }
}

/// The folder that a path lies in.
fn parent(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
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

/// Gives a file that was made as the owner's alone the permissions of the file that it replaces, or those of a plain new one.
#[cfg(unix)]
fn permit(file: &File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let permissions = match fs::metadata(path) {
        Ok(old) => old.permissions(),
        // Temporary files are the owner's alone; there is no way to ask for the umask but to set it.
        Err(_) => fs::Permissions::from_mode(0o644),
    };
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn permit(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}

/// The extension of a format's files; a style has that of the format it is a style of.
pub fn extension(format: &Format) -> &'static str {
    format.extensions.first().copied().unwrap_or_else(|| {
        let base = format.name.split('-').next().and_then(find_format);
        base.and_then(|f| f.extensions.first().copied()).unwrap_or("out")
    })
}

/// The compressor whose extension a file's name has.
pub fn compressor_of_name(path: &Path) -> Option<&'static Compressor> {
    path.extension()?.to_str().and_then(crate::compress::by_extension)
}

/// The format of a file's name, by its extension or the one before a compressor's.
pub fn format_of_name(path: &Path) -> Option<&'static Format> {
    let stem = path.with_extension("");
    let path = if compressor_of_name(path).is_some() { &stem } else { path };
    path.extension()?.to_str().and_then(crate::by_extension)
}
