//! What came of a conversion, as data.

use crate::Note;
use crate::archive::latest::Latest;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// What came of a conversion of one file or many. Sizes are bytes, as the files lie on the disk.
#[derive(Debug, Default)]
pub struct Summary {
    /// Files that were to be converted, those that failed among them.
    pub files: u64,
    /// Files that were converted.
    pub converted: u64,
    /// Files that were passed over, as their output is not older than they.
    pub up_to_date: u64,
    /// Files that were passed over, as they hold no latest update of any quake.
    pub superseded: u64,
    /// Files that were passed over by their extension. They are not among `files`.
    pub other: u64,
    /// What could not be converted, in the order of the files.
    pub failed: Vec<Failure>,
    /// What is no file to be read, and why.
    pub passed: Vec<(PathBuf, &'static str)>,
    /// Records that were written.
    pub records: u64,
    /// Whether all of them are quakes.
    pub quakes: bool,
    /// Bytes of the files that were converted.
    pub bytes_before: u64,
    /// Bytes that were written.
    pub bytes_after: u64,
    /// What was found, assumed, left out or lowered: one note a kind or sentence, warnings first.
    pub notes: Vec<NoteOfFiles>,
    /// What the choice of the latest updates left out, if it was asked for.
    pub latest: Option<Latest>,
}

/// A file that could not be converted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Its path.
    pub file: PathBuf,
    /// Why.
    pub error: String,
    /// Whether it is the order that is at fault: what was asked for cannot be done with such records.
    pub refused: bool,
}

/// A note of one or more files.
#[derive(Debug, Clone, PartialEq)]
pub struct NoteOfFiles {
    /// The note of the first file, with the counts of all.
    pub note: Note,
    /// How many files it is true of.
    pub files: u64,
    /// The first of them.
    pub first: PathBuf,
}

impl Failure {
    /// A failure that lies in the file.
    pub fn new(file: &Path, error: String) -> Self {
        Self { file: file.to_owned(), error, refused: false }
    }
}

impl Summary {
    /// Adds a file that was converted.
    pub fn add(&mut self, records: usize, quakes: bool, before: u64, after: u64) {
        self.quakes = quakes && (self.quakes || self.records == 0);
        self.converted += 1;
        self.records += records as u64;
        self.bytes_before += before;
        self.bytes_after += after;
    }
}

/// Notes of many files on their way into one a kind or sentence.
#[derive(Debug, Default)]
pub struct Notes {
    found: Vec<NoteOfFiles>,
    places: HashMap<String, usize>,
}

impl Notes {
    /// Adds the notes of a file.
    pub fn add(&mut self, notes: Vec<Note>, file: &Path) {
        for note in notes {
            let key = note.kind().map_or_else(|| note.to_string(), str::to_owned);
            let at = *self.places.entry(key).or_insert(self.found.len());
            match self.found.get_mut(at) {
                Some(known) => {
                    known.files += 1;
                    if let (Note::Quake(all), Note::Quake(one)) = (&mut known.note, &note) {
                        all.count += one.count;
                    }
                }
                None => self.found.push(NoteOfFiles { note, files: 1, first: file.to_owned() }),
            }
        }
    }

    /// All notes, warnings first.
    pub fn finish(mut self) -> Vec<NoteOfFiles> {
        self.found.sort_by_key(|n| !n.note.is_warning());
        self.found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Position;
    use crate::quake::{self, NoteKind};

    fn note(kind: NoteKind, count: u64) -> Note {
        Note::Quake(quake::Note { kind, count, what: "Pick/1".to_owned(), first: Position::default() })
    }

    #[test]
    fn notes_are_united_by_kind_or_sentence() {
        let mut notes = Notes::default();
        let text = || Note::Text("read as a list".to_owned());
        notes.add(vec![text(), note(NoteKind::UnusedArrival, 2)], Path::new("a"));
        notes.add(vec![note(NoteKind::UnusedArrival, 3), note(NoteKind::NoOrigin, 1), text()], Path::new("b"));
        let found = notes.finish();
        let shown: Vec<_> =
            found.iter().map(|n| (n.note.kind(), n.note.count(), n.files, n.first.to_str().unwrap())).collect();
        let expected =
            [(Some("no-origin"), Some(1), 1, "b"), (None, None, 2, "a"), (Some("unused-arrival"), Some(5), 2, "a")];
        assert_eq!(shown, expected);
    }
}
