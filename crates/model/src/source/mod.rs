//! Schema files: what they are, and reading them.
//!
//! A file is recognised by its content first and by its extension second: `.proto` text, a binary
//! `FileDescriptorSet` (`protoc --descriptor_set_out --include_imports`), or `.thrift` text. The schema holds
//! every message that the file declares and those of its imports that they use; if it declares none, all of
//! the imports' messages.
//!
//! ```
//! use bantam_model::{Cardinality, Idl, source};
//! let text = "syntax = \"proto3\"; message Point { double x = 1; optional double y = 2; }";
//! let source = source::read("point.proto", text.as_bytes(), &[])?;
//! let point = source.schema.message(source.schema.root()?);
//! assert_eq!((source.idl, point.name.as_str()), (Idl::Proto, "Point"));
//! assert_eq!(point.field("y").unwrap().cardinality, Cardinality::Optional);
//! # Ok::<(), bantam_model::Error>(())
//! ```
//!
//! # Lines of documentation that `.proto` has no word for
//!
//! A line of a comment that is exactly `bantam: WORD` is read as the following and kept out of the
//! documentation. These lines are a promise to users: what [`to_proto`] writes, and what may
//! be written by hand.
//!
//! | on | line | meaning |
//! |---|---|---|
//! | message | `bantam: list` | a list inside a list or map: exactly one repeated or map field ([`Shape::Wrapper`](crate::Shape::Wrapper)) |
//! | message | `bantam: entry` | a map's entry with a key that `map<>` does not allow; a repeated field of it is a map |
//! | field | `bantam: set` | a repeated field whose order means nothing |
//! | field | `bantam: int8`, `int16`, `uint8`, `uint16` | narrows an integer of 32 bits |
//! | field | `bantam: implicit` | zero counts as absent, in a proto2 file |
//! | field | `bantam: group` | written between group tags, where `group` itself cannot say so |
//! | field | `bantam: number N` | the number, where Protocol Buffers do not allow it |
//! | field | `bantam: default VALUE` | a default that `[default = …]` cannot hold |
//! | field | `bantam: entry "NAME"` | the full name of a map's entry message |
//! | enum | `bantam: open` | numbers without a name are kept, in a proto2 file |
//! | enum value | `bantam: placeholder` | not a value of the schema; `.proto` allows no empty enum |
//! | all, oneofs too | `bantam: name "NAME"` | the name, where `.proto` does not allow it; of messages and enums the full name |
//!
//! A field that is renamed so also gets its name as `json_name`, for other tools; `json_name` alone never
//! names a field, since a schema's names are those that stand in its source. Any other line is documentation.

mod descriptor;
mod marks;
mod names;
mod print;
mod proto;
mod skim;
mod thrift;

pub use print::to_proto;

use crate::error::{Error, ErrorKind, Result};
use crate::schema::Schema;
use skim::{Piece, Skim};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes that one schema file may have: 16 MiB.
pub const MOST_FILE_BYTES: usize = 16 << 20;

/// The most files that one schema may be made of, its imports counted.
pub const MOST_FILES: usize = 1_000;

/// The most messages and enums that one schema may have, map entries and wrappers counted.
pub const MOST_TYPES: usize = 100_000;

/// A kind of schema file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Idl {
    /// Protocol Buffers: `.proto`, or a binary `FileDescriptorSet`.
    Proto,
    /// Thrift: `.thrift`.
    Thrift,
}

/// A schema with the kind of file it came from.
#[derive(Debug, Clone)]
pub struct Source {
    /// What the file declares, and what that uses of its imports.
    pub schema: Arc<Schema>,
    /// The kind of file.
    pub idl: Idl,
}

/// Reads a schema file. Its imports are looked for in its own folder, then in the folders of `include`.
///
/// # Errors
/// [`ErrorKind::Schema`] if a file cannot be read; else as [`read`].
pub fn load(path: impl AsRef<Path>, include: &[PathBuf]) -> Result<Source> {
    let path = path.as_ref();
    let shown = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| Error::new(ErrorKind::Schema, format!("cannot read {shown}: {e}")))?;
    let folder = path.parent().map(Path::to_path_buf).unwrap_or_default();
    let dirs: Vec<_> = std::iter::once(folder).chain(include.iter().cloned()).collect();
    // The name under which another file would import this one.
    let name = include.iter().find_map(|dir| path.strip_prefix(dir).ok()).or(path.file_name().map(Path::new));
    read_as(&shown, name.and_then(Path::to_str).unwrap_or("schema"), &bytes, &dirs)
}

/// Reads a schema from memory. `name` stands in errors and gives the extension; imports are looked for in
/// the folders of `include`.
///
/// # Errors
/// [`ErrorKind::Syntax`] with line and column if the text does not follow the grammar, [`ErrorKind::Schema`]
/// if it contradicts itself or an import is missing, [`ErrorKind::Unsupported`] for what Bantam does not read
/// (editions, `senum`, `uuid`, …), [`ErrorKind::Limit`] beyond a limit, [`ErrorKind::Ambiguous`] if the
/// kind of file cannot be told.
pub fn read(name: &str, bytes: &[u8], include: &[PathBuf]) -> Result<Source> {
    read_as(name, name, bytes, include)
}

fn read_as(shown: &str, name: &str, bytes: &[u8], dirs: &[PathBuf]) -> Result<Source> {
    check_size(shown, bytes.len())?;
    let (schema, idl) = match detect(shown, bytes)? {
        Form::Set => (proto::read_set(shown, bytes)?, Idl::Proto),
        Form::Proto(text) => (proto::read(shown, name, text, dirs)?, Idl::Proto),
        Form::Thrift(text) => (thrift::read(shown, name, text, dirs)?, Idl::Thrift),
    };
    Ok(Source { schema: Arc::new(schema), idl })
}

/// What a file is.
enum Form<'a> {
    Set,
    Proto(&'a str),
    Thrift(&'a str),
}

fn detect<'a>(shown: &str, bytes: &'a [u8]) -> Result<Form<'a>> {
    let extension = Path::new(shown).extension().and_then(|e| e.to_str()).unwrap_or_default();
    let binary = |b: &u8| *b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r' | 0x0c);
    let text = match std::str::from_utf8(bytes) {
        // Every descriptor of a message or a field has a control character among its tags and lengths.
        Ok(text) if !bytes.iter().any(binary) => text.strip_prefix('\u{feff}').unwrap_or(text),
        Err(e) if matches!(extension, "proto" | "thrift") => {
            return Err(Error::new(ErrorKind::Text, format!("the schema is not UTF-8{}", in_file(shown)))
                .at_byte(e.valid_up_to())
                .with_lines(bytes));
        }
        _ => return Ok(Form::Set),
    };
    match (idl_of(text), extension) {
        (Some(Idl::Proto), _) | (None, "proto") => Ok(Form::Proto(text)),
        (Some(Idl::Thrift), _) | (None, "thrift") => Ok(Form::Thrift(text)),
        _ => {
            let text = "this is no schema that Bantam knows: expected .proto, a FileDescriptorSet, or .thrift";
            Err(Error::new(ErrorKind::Ambiguous, format!("{text}{}", in_file(shown))))
        }
    }
}

/// The language that the words at the start of statements tell, if any does.
fn idl_of(text: &str) -> Option<Idl> {
    let mut depth = 0usize;
    let mut start = true;
    for (_, piece) in Skim::new(text) {
        match piece {
            Piece::Word(word) if start && depth == 0 => match word {
                "syntax" | "edition" | "package" | "import" | "message" | "option" | "extend" => {
                    return Some(Idl::Proto);
                }
                "namespace" | "include" | "cpp_include" | "struct" | "union" | "exception" | "typedef" | "const"
                | "senum" => return Some(Idl::Thrift),
                _ => {}
            },
            Piece::Mark('{') => depth += 1,
            Piece::Mark('}') => depth = depth.saturating_sub(1),
            _ => {}
        }
        start = matches!(piece, Piece::Mark('}' | ';'));
    }
    None
}

/// Checks a file's size.
fn check_size(shown: &str, bytes: usize) -> Result<()> {
    if bytes > MOST_FILE_BYTES {
        let text = format!("a schema file may have {MOST_FILE_BYTES} bytes, not {bytes}{}", in_file(shown));
        return Err(Error::new(ErrorKind::Limit, text));
    }
    Ok(())
}

/// Finds an imported file in the folders and reads it; `None` if none has it.
fn find(name: &str, dirs: &[PathBuf]) -> Result<Option<(PathBuf, String)>> {
    for dir in dirs {
        let path = dir.join(name);
        if !path.is_file() {
            continue;
        }
        let fail = |e: &dyn std::fmt::Display| {
            Error::new(ErrorKind::Schema, format!("cannot read the import {}: {e}", path.display()))
        };
        let size = path.metadata().map_err(|e| fail(&e))?.len();
        check_size(name, size.try_into().unwrap_or(usize::MAX))?;
        let bytes = std::fs::read(&path).map_err(|e| fail(&e))?;
        let text = String::from_utf8(bytes).map_err(|_| fail(&"it is not UTF-8"))?;
        return Ok(Some((path, text)));
    }
    Ok(None)
}

/// The end of a message that names the file.
fn in_file(shown: &str) -> String {
    format!(" (in {shown})")
}

/// Documentation in the form that schemas hold: no spaces at the ends of lines, no blank lines around.
fn tidy_doc<'a>(lines: impl Iterator<Item = &'a str>) -> String {
    let lines: Vec<_> = lines.map(str::trim_end).collect();
    let from = lines.iter().position(|l| !l.is_empty()).unwrap_or(lines.len());
    let to = lines.iter().rposition(|l| !l.is_empty()).map_or(from, |at| at + 1);
    lines[from..to].join("\n")
}

#[cfg(test)]
mod tests;
