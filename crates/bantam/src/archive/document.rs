//! The records of many files in one document, which appears whole or not at all.

use super::work::Part;
use super::{Error, schemas};
use crate::Job;
use crate::compress::Compressor;
use crate::model::Batch;
use crate::output::{Pending, compressor_of_name};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are compressed at once, where the compressor's pieces can follow each other.
const PIECE: usize = 8 << 20;

/// A document on its way. Streams are written while going on; what cannot be appended to is collected in a batch, up to the
/// limits of one.
pub(super) struct Document<'a> {
    path: PathBuf,
    job: &'a Job,
    out: Out,
    collected: Option<Batch<'static>>,
}

impl<'a> Document<'a> {
    pub(super) fn new(path: &Path, job: &'a Job) -> io::Result<Self> {
        Ok(Self { path: path.to_owned(), job, out: Out::new(path)?, collected: None })
    }

    /// Adds a file's part.
    pub(super) fn add(&mut self, part: Part, file: &Path) -> Result<(), Error> {
        match part {
            Part::Bytes(bytes) => self.out.add(&bytes).map_err(|e| Error::io(&self.path, &e)),
            Part::Records(records) => {
                let limits = &self.job.request.limits;
                let all =
                    self.collected.get_or_insert_with(|| Batch::with_limits(records.layout().clone(), limits.clone()));
                all.append(&records).map_err(|e| {
                    let error = format!(
                        "at {}: {e}. A list is collected in memory; a stream or a folder of files has no such limit",
                        file.display()
                    );
                    Error::Failed { what: self.path.clone(), error }
                })
            }
        }
    }

    /// Puts the document into its place; gives its bytes.
    pub(super) fn finish(mut self) -> Result<u64, Error> {
        if let Some(all) = self.collected.take() {
            let written = self.job.target.write(&all, &schemas(self.job));
            let failed = |e: crate::model::Error| Error::Failed { what: self.path.clone(), error: e.to_string() };
            for document in written.map_err(failed)?.documents {
                self.out.add(&document).map_err(|e| Error::io(&self.path, &e))?;
            }
        }
        self.out.finish().map_err(|e| Error::io(&self.path, &e))
    }
}

/// A file on its way, compressed if its name says so.
struct Out {
    file: BufWriter<Pending>,
    compressor: Option<&'static Compressor>,
    /// What is not compressed yet.
    waiting: Vec<u8>,
    packed: Vec<u8>,
    written: u64,
}

impl Out {
    fn new(path: &Path) -> io::Result<Self> {
        let (file, compressor) = (BufWriter::new(Pending::new(path)?), compressor_of_name(path));
        Ok(Self { file, compressor, waiting: Vec::new(), packed: Vec::new(), written: 0 })
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(compressor) = self.compressor else {
            self.written += bytes.len() as u64;
            return self.file.write_all(bytes);
        };
        self.waiting.extend_from_slice(bytes);
        if compressor.concatenates && self.waiting.len() >= PIECE { self.pack(compressor) } else { Ok(()) }
    }

    fn pack(&mut self, compressor: &Compressor) -> io::Result<()> {
        compressor.compress(&self.waiting, None, &mut self.packed).map_err(io::Error::other)?;
        self.waiting.clear();
        self.written += self.packed.len() as u64;
        self.file.write_all(&self.packed)
    }

    fn finish(mut self) -> io::Result<u64> {
        if let Some(compressor) = self.compressor.filter(|_| self.written == 0 || !self.waiting.is_empty()) {
            self.pack(compressor)?;
        }
        self.file.into_inner().map_err(io::IntoInnerError::into_error)?.finish()?;
        Ok(self.written)
    }
}
