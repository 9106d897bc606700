//! Folders of many files, converted by several threads.
//!
//! Files are read and written whole, each by one thread, so memory is bounded by the largest file times the threads. Of a
//! file that is done nothing is kept but what the [`Summary`] says. Results are taken in the order of the files, so what
//! is written and said does not depend on the number of threads.

mod document;
mod latest;
mod pool;
mod summary;
mod walk;
mod work;

pub use latest::Latest;
pub use summary::{Failure, NoteOfFiles, Notes, Summary};

use crate::formats::Framing;
use crate::session::are_quakes;
use crate::{Job, Schemas};
use document::Document;
use latest::{Choice, Kept};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;
use walk::{Files, Walk, real};
use work::{Done, Fate, Worker, is_up_to_date, stamp};

/// A folder that is to be converted.
#[derive(Debug, Clone)]
pub struct Archive {
    /// The folder; all files below it are read.
    pub input: PathBuf,
    /// What is written.
    pub output: Output,
    /// How each file is converted.
    pub job: Job,
    /// How many threads work.
    pub threads: usize,
    /// Pass over what is up to date: an output that is not older than its input, or a document that is not older than all.
    pub newer: bool,
    /// Keep only the latest update of each quake.
    pub latest: bool,
    /// Read only files with one of these extensions, before that of a compressor; all, if there are none.
    pub only: Vec<String>,
    /// Bytes that a compressed file may expand to.
    pub max_expanded: usize,
}

/// What is written.
#[derive(Debug, Clone)]
pub enum Output {
    /// A file for each input, in a folder of the same shape.
    Folder(PathBuf),
    /// The records of all files in one document, compressed if its name says so.
    Document(PathBuf),
}

/// How far a conversion is.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Whether the latest updates are still looked for: the first of two times that files are read.
    pub looking: bool,
    /// Files that are done.
    pub done: usize,
    /// All files.
    pub of: usize,
    /// Bytes that were read.
    pub bytes: u64,
    /// The file that was done last.
    pub file: &'a Path,
}

/// Why nothing was converted at all.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// What is asked for cannot be done.
    Usage(String),
    /// The folder cannot be read, or the document not be written: what, and why.
    Failed {
        /// The file or folder.
        what: PathBuf,
        /// The error.
        error: String,
    },
}

impl Error {
    fn io(what: &Path, error: &io::Error) -> Self {
        Self::Failed { what: what.to_owned(), error: error.to_string() }
    }
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Failed { what: PathBuf::new(), error: error.to_string() }
    }
}

impl Archive {
    /// Converts all files, on past bad ones.
    ///
    /// # Errors
    /// If what is asked for cannot be done with such records, the folder cannot be read, or the document cannot be written.
    pub fn convert(&self, watch: &mut dyn FnMut(Progress<'_>)) -> Result<Summary, Error> {
        let job = self.checked()?;
        let files = self.files()?;
        let mut summary = Summary {
            files: (files.paths.len() + files.failed.len()) as u64,
            other: files.other,
            failed: files.failed.clone(),
            passed: files.passed.clone(),
            ..Summary::default()
        };
        if let Output::Document(path) = &self.output
            && self.newer
            && !files.paths.is_empty()
            && files.paths.iter().all(|file| is_up_to_date(file, path))
        {
            summary.up_to_date = files.paths.len() as u64;
            return Ok(summary);
        }
        let run = Run { archive: self, job: &job, files: &files, started: SystemTime::now() };
        let kept = if self.latest { Some(run.look(&mut summary, watch)?) } else { None };
        run.write(kept.as_ref(), &mut summary, watch)?;
        summary.failed.sort_by(|a, b| a.file.cmp(&b.file));
        if summary.converted + summary.up_to_date == 0
            && let Some(refused) = summary.failed.iter().find(|f| f.refused)
        {
            return Err(Error::Usage(format!("{}: {}", refused.file.display(), refused.error)));
        }
        Ok(summary)
    }

    /// The job as a worker does it, if it can be done.
    fn checked(&self) -> Result<Job, Error> {
        let mut job = self.job.clone();
        let usage = |error: crate::model::Error| Error::Usage(error.to_string());
        let given = &job.request.schemas;
        if self.latest && !given.is_none() && given.layout().is_ok_and(|layout| !are_quakes(&layout)) {
            return Err(Error::Usage(work::NO_QUAKES.to_owned()));
        }
        if self.latest && self.newer && matches!(self.output, Output::Folder(_)) {
            let text =
                "--latest and --newer together need one document as the output: a folder would keep what is superseded";
            return Err(Error::Usage(text.to_owned()));
        }
        if let Output::Document(_) = self.output {
            let format = job.target.format;
            // One after another is how binary records are appended; people expect text in its usual form.
            let usual = if !format.text && format.has(Framing::Stream) { Framing::Stream } else { format.framings[0] };
            let framing = job.target.framing.unwrap_or(usual);
            if framing == Framing::Each {
                return Err(Error::Usage("with the framing `each`, the output of a folder is a folder".to_owned()));
            }
            format.check(framing).map_err(usage)?;
            job.target.framing = Some(framing);
        }
        Ok(job)
    }

    fn files(&self) -> Result<Files, Error> {
        let without = match &self.output {
            Output::Folder(folder) => real(folder).filter(|o| real(&self.input).as_ref() != Some(o)),
            Output::Document(_) => None,
        };
        let extension = crate::output::extension(self.job.target.format);
        let output = |path: &Path| work::output_name(path, extension);
        let walk = Walk { without, only: &self.only, output: &output };
        let files = walk.list(&self.input).map_err(|e| Error::io(&self.input, &e))?;
        if let Output::Document(path) = &self.output
            && real(path).is_some_and(|path| files.holds(&path))
        {
            let text = format!("{} is one of the inputs; name a file that is not among them", path.display());
            return Err(Error::Usage(text));
        }
        Ok(files)
    }
}

/// A conversion under way.
struct Run<'a> {
    archive: &'a Archive,
    job: &'a Job,
    files: &'a Files,
    started: SystemTime,
}

impl Run<'_> {
    fn worker<'a>(&'a self, kept: Option<&'a Kept>) -> Worker<'a> {
        Worker::new(self.archive, self.job.clone(), self.files, kept, self.started)
    }

    /// Results that may wait for their turn.
    fn ahead(&self) -> usize {
        4 * self.archive.threads + 4
    }

    /// Looks for the latest update of each quake.
    fn look(&self, summary: &mut Summary, watch: &mut dyn FnMut(Progress<'_>)) -> Result<Kept, Error> {
        let paths = &self.files.paths;
        let worker = || {
            let mut worker = self.worker(None);
            move |file| worker.look(file)
        };
        let (mut choice, mut bytes) = (Choice::default(), 0);
        pool::in_order(paths.len(), self.archive.threads, self.ahead(), worker, |file, (read, found)| {
            bytes += read;
            match found {
                Ok(updates) => choice.add(file, updates),
                Err(failure) => summary.failed.push(failure),
            }
            watch(Progress { looking: true, done: file + 1, of: paths.len(), bytes, file: &paths[file] });
            Ok::<_, Error>(())
        })?;
        let (kept, counts) = choice.finish();
        summary.latest = Some(counts);
        Ok(kept)
    }

    /// Converts the files that are kept, or all.
    fn write(
        &self,
        kept: Option<&Kept>,
        summary: &mut Summary,
        watch: &mut dyn FnMut(Progress<'_>),
    ) -> Result<(), Error> {
        let chosen = kept.map(Kept::files);
        let of = chosen.as_ref().map_or(self.files.paths.len(), Vec::len);
        if kept.is_some() {
            summary.superseded = summary.files - summary.failed.len() as u64 - of as u64;
        }
        let mut document = match &self.archive.output {
            Output::Document(path) => Some(Document::new(path, self.job).map_err(|e| Error::io(path, &e))?),
            Output::Folder(_) => None,
        };
        let file_of = |item: usize| chosen.as_ref().map_or(item, |files| files[item]);
        let worker = || {
            let mut worker = self.worker(kept);
            move |item| worker.convert(file_of(item))
        };
        let (mut notes, mut bytes) = (Notes::default(), 0);
        pool::in_order(of, self.archive.threads, self.ahead(), worker, |item, (read, fate)| {
            let file = &self.files.paths[file_of(item)];
            bytes += read;
            match fate {
                Fate::UpToDate => summary.up_to_date += 1,
                Fate::Failed(failure) => summary.failed.push(failure),
                Fate::Done(Done { records, quakes, written, part, notes: found }) => {
                    if let (Some(document), Some(part)) = (&mut document, part) {
                        document.add(part, file)?;
                    }
                    summary.add(records, quakes, read, written);
                    notes.add(found, file);
                }
            }
            watch(Progress { looking: false, done: item + 1, of, bytes, file });
            Ok::<_, Error>(())
        })?;
        // A document without a file in it would only hide an earlier one.
        if let Some(document) = document.filter(|_| summary.converted > 0) {
            summary.bytes_after = document.finish()?;
            if let Output::Document(path) = &self.archive.output {
                // A document that lacks files is never up to date.
                stamp(path, if summary.failed.is_empty() { self.started } else { SystemTime::UNIX_EPOCH });
            }
        }
        summary.notes = notes.finish();
        Ok(())
    }
}

/// The schemas of the records in a document of many files: those that are given, else the quakes' own.
fn schemas(job: &Job) -> Schemas {
    if job.request.schemas.is_none() { Schemas::quake() } else { job.request.schemas.clone() }
}
