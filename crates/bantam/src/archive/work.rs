//! What a thread does with one file after another.

use super::latest::{Kept, Update, updates};
use super::summary::Failure;
use super::walk::{Files, real};
use super::{Archive, Output};
use crate::formats::Framing;
use crate::model::Batch;
use crate::session::are_quakes;
use crate::{Converted, Dataset, Input, Job, Note, Session, output};
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What is said of other records where only quakes make sense.
pub(super) const NO_QUAKES: &str =
    "only quakes have updates, of which the latest could be kept; of quakes in other formats, name their schema";

/// What became of a file.
pub(super) enum Fate {
    UpToDate,
    Failed(Failure),
    Done(Done),
}

/// A file that was converted.
pub(super) struct Done {
    pub(super) records: usize,
    pub(super) quakes: bool,
    /// Bytes that were written.
    pub(super) written: u64,
    /// What goes into the document, if there is one.
    pub(super) part: Option<Part>,
    pub(super) notes: Vec<Note>,
}

/// A file's part of a document.
pub(super) enum Part {
    /// Written already, one record after another.
    Bytes(Vec<u8>),
    /// To be written with those of all others.
    Records(Batch<'static>),
}

/// A thread's own session and memory.
pub(super) struct Worker<'a> {
    archive: &'a Archive,
    files: &'a Files,
    kept: Option<&'a Kept>,
    session: Session,
    /// When the run began: what changes later is newer than its outputs.
    started: SystemTime,
    /// Memory for the bytes of a file.
    memory: Vec<u8>,
    /// Bytes of the last file.
    read: u64,
}

impl<'a> Worker<'a> {
    pub(super) fn new(
        archive: &'a Archive,
        job: Job,
        files: &'a Files,
        kept: Option<&'a Kept>,
        started: SystemTime,
    ) -> Self {
        Self { archive, files, kept, session: Session::new(job), started, memory: Vec::new(), read: 0 }
    }

    /// The updates of quakes in a file, with the bytes that were read.
    pub(super) fn look(&mut self, file: usize) -> (u64, Result<Vec<Update>, Failure>) {
        self.read = 0;
        let found = self.with_dataset(file, |worker, dataset| {
            if !are_quakes(dataset.batch.layout()) {
                return Err((NO_QUAKES.to_owned(), true));
            }
            let found = updates(&dataset.batch);
            worker.session.give_back(dataset.batch);
            Ok(found)
        });
        (self.read, found)
    }

    /// Converts a file; gives the bytes that were read, too.
    pub(super) fn convert(&mut self, file: usize) -> (u64, Fate) {
        self.read = 0;
        let done = match &self.archive.output {
            Output::Folder(_) => self.file(file),
            Output::Document(_) => self.with_dataset(file, |worker, dataset| worker.part(dataset, file)).map(Some),
        };
        let fate = match done {
            Ok(Some(done)) => Fate::Done(done),
            Ok(None) => Fate::UpToDate,
            Err(failure) => Fate::Failed(failure),
        };
        (self.read, fate)
    }

    /// Reads a file and does something with its records. An error is said with whether the order is at fault.
    fn with_dataset<T>(
        &mut self,
        file: usize,
        work: impl FnOnce(&mut Self, Dataset<'_>) -> Result<T, (String, bool)>,
    ) -> Result<T, Failure> {
        let path = &self.files.paths[file];
        let input = self.input(path).map_err(|e| Failure::new(path, e))?;
        let done = match self.session.read(&input) {
            Ok(dataset) => work(self, dataset),
            Err(error) => Err((error.to_string(), false)),
        };
        self.memory = input.bytes;
        done.map_err(|(error, refused)| Failure { refused, ..Failure::new(path, error) })
    }

    fn input(&mut self, path: &Path) -> Result<Input, String> {
        let mut bytes = std::mem::take(&mut self.memory);
        bytes.clear();
        File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|e| e.to_string())?;
        self.read = bytes.len() as u64;
        Input::with_limit(path.to_string_lossy(), bytes, self.archive.max_expanded).map_err(|e| e.to_string())
    }

    /// Leaves only the latest updates, if that is asked for.
    fn choose(&self, batch: &mut Batch<'_>, file: usize) {
        if let Some(kept) = self.kept {
            batch.retain(|record| kept.holds(file, record));
        }
    }

    /// A file's part of a document.
    fn part(&mut self, mut dataset: Dataset<'_>, file: usize) -> Result<Done, (String, bool)> {
        let request = &self.session.job().request;
        if request.schemas.is_none() && !are_quakes(dataset.batch.layout()) {
            let text = "records of many files in one document need one schema; name it with --schema";
            return Err((text.to_owned(), true));
        }
        self.choose(&mut dataset.batch, file);
        if self.session.job().target.framing == Some(Framing::Stream) {
            let Converted { mut documents, records, quakes, notes, .. } =
                self.session.write(dataset).map_err(|e| (e.to_string(), false))?;
            let part = Part::Bytes(documents.pop().unwrap_or_default());
            return Ok(Done { records, quakes, written: 0, part: Some(part), notes });
        }
        let (records, quakes) = (dataset.batch.len(), are_quakes(dataset.batch.layout()));
        // A copy of its records alone: the input would come with all that is not used of it.
        let copy = dataset.batch.converted(&dataset.batch.layout().clone()).map_err(|e| (e.to_string(), false))?;
        self.session.give_back(dataset.batch);
        Ok(Done { records, quakes, written: 0, part: Some(Part::Records(copy)), notes: dataset.notes })
    }

    /// Converts a file into one of its own, unless that is up to date.
    fn file(&mut self, file: usize) -> Result<Option<Done>, Failure> {
        let path = &self.files.paths[file];
        let to = self.output_of(path);
        self.check(file, &to).map_err(|e| Failure::new(path, e))?;
        if self.archive.newer && self.is_up_to_date(path, &to) {
            return Ok(None);
        }
        let Converted { documents, from, records, quakes, notes } =
            self.with_dataset(file, |worker, mut dataset| {
                worker.choose(&mut dataset.batch, file);
                worker.session.write(dataset).map_err(|e| (e.to_string(), false))
            })?;
        if from.only().is_some() && self.is_itself(file, &to) {
            let error = "its output would overwrite it, and holds less; name another folder for the output";
            return Err(Failure::new(path, error.to_owned()));
        }
        self.write(&to, &documents).map_err(|e| Failure::new(path, e))?;
        stamp(&to, self.started);
        let written = documents.iter().map(|d| d.len() as u64).sum();
        Ok(Some(Done { records, quakes, written, part: None, notes }))
    }

    fn output_of(&self, path: &Path) -> PathBuf {
        let Output::Folder(folder) = &self.archive.output else { return PathBuf::new() };
        let relative = path.strip_prefix(&self.archive.input).unwrap_or(path);
        output_name(&folder.join(relative), output::extension(self.session.job().target.format))
    }

    /// Sees to it that no input and no output of another file is overwritten.
    fn check(&self, file: usize, to: &Path) -> Result<(), String> {
        if let Some(other) = self.overwritten(file, to) {
            return Err(format!("its output would overwrite the input {}", other.display()));
        }
        let earlier = std::iter::successors(self.files.namesakes.get(&file), |f| self.files.namesakes.get(f));
        let mut earlier = earlier.filter(|&&f| self.kept.is_none_or(|kept| kept.holds_any(f)));
        if let Some(&first) = earlier.find(|&&f| self.overwritten(f, to).is_none()) {
            let first = self.files.paths[first].display();
            return Err(format!("{} is another file's output already, that of {first}", to.display()));
        }
        // Which of the two came first would else depend on the threads.
        if self.is_folder_of_inputs(to) {
            return Err(format!("{} is a folder of outputs", to.display()));
        }
        Ok(())
    }

    /// The other input that would be overwritten.
    fn overwritten(&self, file: usize, to: &Path) -> Option<PathBuf> {
        real(to).filter(|to| self.files.holds(to) && real(&self.files.paths[file]).as_ref() != Some(to))
    }

    /// Whether an output is the input itself.
    fn is_itself(&self, file: usize, to: &Path) -> bool {
        real(to).is_some_and(|to| real(&self.files.paths[file]) == Some(to))
    }

    /// Whether a path among the outputs stands for a folder of the inputs.
    fn is_folder_of_inputs(&self, to: &Path) -> bool {
        let Output::Folder(folder) = &self.archive.output else { return false };
        to.strip_prefix(folder).is_ok_and(|relative| self.archive.input.join(relative).is_dir())
    }

    fn is_up_to_date(&self, path: &Path, to: &Path) -> bool {
        let each = self.session.job().target.framing == Some(Framing::Each);
        is_up_to_date(path, to)
            || (each && to.with_extension("").is_dir() && is_up_to_date(path, &to.with_extension("")))
    }

    fn write(&self, to: &Path, documents: &[Vec<u8>]) -> Result<(), String> {
        let to = if documents.len() > 1 { &to.with_extension("") } else { to };
        if documents.len() > 1 && self.is_folder_of_inputs(to) {
            return Err(format!("{} is a folder of outputs", to.display()));
        }
        let parent = to.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(parent).map_err(|e| format!("{}: {e}", parent.display()))?;
        let extension = output::extension(self.session.job().target.format);
        output::write_each(to, documents, extension).map_err(|e| format!("{}: {e}", to.display()))
    }
}

/// The name of a file's output.
pub(super) fn output_name(path: &Path, extension: &str) -> PathBuf {
    let mut to = path.to_owned();
    if output::compressor_of_name(&to).is_some() {
        to.set_extension("");
    }
    to.set_extension(extension);
    to
}

/// Gives an output a time, by which a later run sees what is newer. Where that cannot be done, it has that of its writing.
pub(super) fn stamp(output: &Path, time: SystemTime) {
    let _ = File::options().write(true).open(output).and_then(|file| file.set_modified(time));
}

/// Whether an output is there and not older than its input.
pub(super) fn is_up_to_date(input: &Path, output: &Path) -> bool {
    let time = |path| fs::metadata(path).and_then(|m| m.modified()).ok();
    matches!((time(input), time(output)), (Some(input), Some(output)) if output >= input)
}
