//! The Thrift IDL (<https://thrift.apache.org/docs/idl>), by a small parser of its own: the crates for it are
//! either old or keep neither positions nor comments.
//!
//! What becomes of it:
//! - Messages and enums of the file itself keep their names; those of an included file `shared.thrift` are
//!   named `shared.Name`, as the file itself writes them. Only what is used of an included file comes in.
//! - `required` is [`Cardinality::Required`](crate::Cardinality::Required); `optional` and the default
//!   requiredness are `Optional`: readers of Thrift accept that the latter is missing. `xsd_optional`,
//!   references (`&`) and annotations are skipped.
//! - A field without an id gets -1, -2, … as the Apache compiler numbers them; ids that are written, even
//!   negative ones, are kept.
//! - A union's fields are in one oneof named `value`. A list, set or map in a union, in another list or in a
//!   map goes through a message of [`Shape::Wrapper`](crate::Shape::Wrapper) with the one field `items`.
//! - Enums are open: the Apache libraries keep numbers without a name, or read them as absent.
//! - `/** */` comments are documentation, as in the Apache compiler; `//`, `#` and `/* */` are not.
//! - Lists of numbers are packed in Protocol Buffers.
//! - Services are skipped. `senum`, `slist` and `uuid` (a type of its own on the wire) are
//!   [`ErrorKind::Unsupported`].

mod build;
mod constant;
mod lex;
mod parse;
mod syntax;

use super::{MOST_FILES, check_size, find, in_file};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::Schema;
use lex::{Pos, at};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use syntax::Document;

/// Reads a Thrift file. Includes are looked for beside the including file, then in `dirs`.
pub(super) fn read(shown: &str, name: &str, text: &str, dirs: &[PathBuf]) -> Result<Schema> {
    let mut program = Program { files: Vec::new(), known: HashMap::new(), open: Vec::new() };
    program.add(shown, &stem_of(name), None, text, dirs)?;
    build::build(&program.files, shown)
}

/// One file with the files it includes, by the name that it gives them.
#[derive(Debug)]
struct Unit {
    shown: String,
    /// What its names are prefixed with in the schema; empty for the main file.
    prefix: String,
    document: Document,
    includes: HashMap<String, usize>,
}

/// The files that a schema is made of. An included file has a higher place than its includer.
struct Program {
    files: Vec<Unit>,
    known: HashMap<PathBuf, usize>,
    open: Vec<usize>,
}

impl Program {
    fn add(&mut self, shown: &str, stem: &str, path: Option<PathBuf>, text: &str, dirs: &[PathBuf]) -> Result<usize> {
        check_size(shown, text.len())?;
        if self.files.len() >= MOST_FILES {
            return Err(Error::new(ErrorKind::Limit, format!("more than {MOST_FILES} files{}", in_file(shown))));
        }
        let document = parse::parse(shown, text)?;
        let this = self.files.len();
        let prefix = if this == 0 { String::new() } else { self.free_prefix(stem) };
        let folder = path.as_deref().and_then(Path::parent).map(Path::to_path_buf);
        self.known.extend(path.map(|path| (path, this)));
        self.files.push(Unit { shown: shown.into(), prefix, document, includes: HashMap::new() });
        self.open.push(this);
        for at in 0..self.files[this].document.includes.len() {
            let (name, pos) = self.files[this].document.includes[at].clone();
            let file = self.include(shown, &name, pos, folder.as_deref(), dirs)?;
            self.files[this].includes.insert(stem_of(&name), file);
        }
        self.open.pop();
        Ok(this)
    }

    fn include(&mut self, shown: &str, name: &str, pos: Pos, folder: Option<&Path>, dirs: &[PathBuf]) -> Result<usize> {
        let dirs_here: Vec<_> = folder.into_iter().map(Path::to_path_buf).chain(dirs.iter().cloned()).collect();
        let Some((path, text)) = find(name, &dirs_here)? else {
            let shown_dirs: Vec<_> = dirs_here.iter().map(|d| format!("`{}`", d.join("").display())).collect();
            let text = format!("the include `{name}` is not in {}", shown_dirs.join(", "));
            let text = if dirs_here.is_empty() { format!("the include `{name}` has no folder to be in") } else { text };
            return Err(at(ErrorKind::Schema, shown, pos, text));
        };
        // Two ways to one file are one file.
        let path = path.canonicalize().unwrap_or(path);
        match self.known.get(&path) {
            Some(file) if self.open.contains(file) => {
                Err(at(ErrorKind::Schema, shown, pos, format!("the include `{name}` leads back to the same file")))
            }
            Some(&file) => Ok(file),
            // A chain of includes recurses, so its length is bounded too.
            None if self.open.len() > parse::MOST_DEPTH as usize => {
                Err(at(ErrorKind::Limit, shown, pos, format!("includes nested more than {} deep", parse::MOST_DEPTH)))
            }
            None => self.add(name, &stem_of(name), Some(path), &text, dirs),
        }
    }

    fn free_prefix(&self, stem: &str) -> String {
        let taken = |prefix: &str| self.files.iter().any(|f| f.prefix == prefix);
        let mut prefix = format!("{stem}.");
        let mut next = 2;
        while taken(&prefix) {
            prefix = format!("{stem}_{next}.");
            next += 1;
        }
        prefix
    }
}

/// The name by which a file's items are known to those that include it.
fn stem_of(name: &str) -> String {
    Path::new(name).file_stem().and_then(|s| s.to_str()).unwrap_or_default().to_owned()
}
