//! What lies below a folder.

use super::summary::Failure;
use crate::compress;
use crate::output::UNFINISHED;
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The files below a folder. Of each, the name is all that is kept.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// All that are converted, in the order of their paths.
    pub(super) paths: Vec<PathBuf>,
    /// What is not looked at, and why.
    pub(super) passed: Vec<(PathBuf, &'static str)>,
    /// Folders that cannot be read.
    pub(super) failed: Vec<Failure>,
    /// Files that are left out by their extension.
    pub(super) other: u64,
    /// For a file whose output has the name of an earlier one's: the last such, by its place in `paths`.
    pub(super) namesakes: HashMap<usize, usize>,
    /// The folder, and where it really is.
    top: (PathBuf, Option<PathBuf>),
    /// Where the files are that links lead to.
    linked: HashSet<PathBuf>,
}

/// What is asked of a walk.
pub(super) struct Walk<'a> {
    /// The folder of the outputs, which are no inputs of a second run.
    pub(super) without: Option<PathBuf>,
    /// Only files with one of these extensions, if there are any.
    pub(super) only: &'a [String],
    /// The name of a file's output, in the same folder.
    pub(super) output: &'a dyn Fn(&Path) -> PathBuf,
}

impl Walk<'_> {
    /// Lists the files below a folder.
    ///
    /// # Errors
    /// If the folder itself cannot be read.
    pub(super) fn list(&self, folder: &Path) -> io::Result<Files> {
        let mut files = Files { top: (folder.to_owned(), real(folder)), ..Files::default() };
        self.add(folder, &mut files)?;
        Ok(files)
    }

    fn add(&self, folder: &Path, files: &mut Files) -> io::Result<()> {
        if self.without.is_some() && real(folder) == self.without {
            return Ok(());
        }
        let mut entries = fs::read_dir(folder)?.collect::<Result<Vec<_>, _>>()?;
        entries.sort_by_key(DirEntry::file_name);
        // Names can only be the same within a folder, so no more is remembered.
        let mut outputs: HashMap<PathBuf, usize> = HashMap::new();
        for entry in entries {
            let (path, kind) = (entry.path(), entry.file_type()?);
            if entry.file_name().as_encoded_bytes().starts_with(UNFINISHED.as_bytes()) {
                files.passed.push((path, "left by a run that was stopped, passed over"));
            } else if kind.is_dir() {
                if let Err(error) = self.add(&path, files) {
                    files.failed.push(Failure::new(&path, error.to_string()));
                }
            } else if let Some(why) = (!kind.is_file()).then(|| not_read(&path)).flatten() {
                files.passed.push((path, why));
            } else if self.takes(&path) {
                if kind.is_symlink() {
                    files.linked.extend(real(&path));
                }
                let at = files.paths.len();
                if let Some(same) = outputs.insert((self.output)(&path), at) {
                    files.namesakes.insert(at, same);
                }
                files.paths.push(path);
            } else {
                files.other += 1;
            }
        }
        Ok(())
    }

    /// Whether a file has one of the extensions, before that of a compressor or with it.
    fn takes(&self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        let packed = Path::new(&name).extension().and_then(OsStr::to_str).and_then(compress::by_extension);
        let plain = name.rsplit_once('.').filter(|_| packed.is_some()).map_or(&name[..], |(plain, _)| plain);
        let ends = |extension: &String| [&name[..], plain].iter().any(|n| has_extension(n, extension));
        self.only.is_empty() || self.only.iter().any(ends)
    }
}

fn has_extension(name: &str, extension: &str) -> bool {
    let extension = extension.trim_start_matches('.').to_ascii_lowercase();
    name.strip_suffix(&extension).is_some_and(|stem| stem.ends_with('.'))
}

/// Why a link or something else that is no file is not looked at. A link to nothing is: it fails.
fn not_read(path: &Path) -> Option<&'static str> {
    if path.is_dir() {
        // It could lead round in a circle.
        Some("a link to a folder, not followed")
    } else if path.exists() && !path.is_file() {
        // Reading a pipe could wait for ever.
        Some("not a file, passed over")
    } else {
        None
    }
}

impl Files {
    /// Whether a path without links and detours is that of an input.
    pub(super) fn holds(&self, real: &Path) -> bool {
        let below = |top: &PathBuf| real.strip_prefix(top).ok().map(|rest| self.top.0.join(rest));
        let listed = self.top.1.as_ref().and_then(below).is_some_and(|path| self.paths.binary_search(&path).is_ok());
        listed || self.linked.contains(real)
    }
}

/// The path without links and detours, if there is something.
pub(super) fn real(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_in_order_and_extensions_choose() {
        let top = tempfile::tempdir().unwrap();
        for name in ["b/z.xml", "b.xml", "b-c/1.XML.gz", "a/.DS_Store", "a.tar.gz", "README", "xml", ".bantam-x"] {
            let path = top.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let output = |path: &Path| path.with_extension("pb");
        let names = |only: &[&str]| {
            let only: Vec<_> = only.iter().map(ToString::to_string).collect();
            let files = Walk { without: None, only: &only, output: &output }.list(top.path()).unwrap();
            assert!(files.paths.is_sorted());
            assert!(files.paths.iter().all(|path| files.holds(&real(path).unwrap())));
            assert_eq!((files.passed.len(), files.paths.len() as u64 + files.other), (1, 7));
            let name = |path: &PathBuf| path.strip_prefix(top.path()).unwrap().to_str().unwrap().to_owned();
            files.paths.iter().map(name).collect::<Vec<_>>()
        };
        assert_eq!(names(&[]).len(), 7);
        assert_eq!(names(&["xml"]), ["b/z.xml", "b-c/1.XML.gz", "b.xml"]);
        assert_eq!(names(&[".gz", "xml.gz"]), ["a.tar.gz", "b-c/1.XML.gz"]);
    }
}
