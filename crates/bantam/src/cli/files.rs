//! Reading inputs and writing outputs: whole files, or nothing.

use super::args::Reading;
use super::stop::Stop;
use bantam::formats::{Format, Framing};
use bantam::model::infer::At;
use bantam::model::{Error, Limits};
use bantam::{Input, Request, Schemas, output};
use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::str::FromStr;

/// The name that stands for the standard streams.
pub(super) const STANDARD: &str = "-";

/// Reads a file or standard input; what is compressed expands to `most` bytes.
pub(super) fn read(name: &str, most: usize) -> Result<Input, Stop> {
    read_counted(name, most).map(|(input, _)| input)
}

/// As [`read`], with the bytes that were read.
pub(super) fn read_counted(name: &str, most: usize) -> Result<(Input, u64), Stop> {
    let bytes = if name == STANDARD {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(name)
    };
    let bytes = bytes.map_err(|e| Stop::io(shown(name), &e))?;
    let count = bytes.len() as u64;
    let input = Input::with_limit(name, bytes, most).map_err(|e| Stop::in_file(shown(name), &e))?;
    Ok((input, count))
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
    output::write(Path::new(name), bytes).map_err(|e| Stop::io(name, &e))
}

/// Writes a file a record into a new or empty folder: `0.pb`, `1.pb`, …; one record is a file of its own.
pub(super) fn write_each(to: &str, documents: &[Vec<u8>], format: &Format) -> Result<(), Stop> {
    write_parts(to, documents.len(), output::extension(format), |at| Ok(Cow::Borrowed(&documents[at])))
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
    output::write_parts(Path::new(to), count, extension, document, |e| Stop::io(to, &e))
}

/// The format of a file's name, by its extension or the one before a compressor's.
pub(super) fn format_of_name(name: &str) -> Option<&'static Format> {
    output::format_of_name(Path::new(name))
}

/// Compresses documents if the file's name asks for it.
pub(super) fn packed(name: &str, documents: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, Stop> {
    let Some(compressor) = output::compressor_of_name(Path::new(name)).filter(|_| name != STANDARD) else {
        return Ok(documents);
    };
    let pack = |document: Vec<u8>| {
        let mut out = Vec::new();
        let done = compressor.compress(&document, None, &mut out);
        done.map(|()| out).map_err(|e| Stop::Failed { what: name.to_owned(), error: e.to_string() })
    };
    documents.into_iter().map(pack).collect()
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
