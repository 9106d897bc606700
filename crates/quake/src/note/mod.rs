//! What a reader left out or assumed: typed, counted, with its first place.

mod kind;

pub use kind::NoteKind;

use bantam_model::Position;
use std::fmt;

/// How much a note matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Severity {
    /// Left out by the definition of a Quake, or understood without doubt.
    Info,
    /// Assumed, or not as it should be; an error to a strict reader.
    Warning,
}

/// What a reader left out or assumed.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// What it is.
    pub kind: NoteKind,
    /// How often.
    pub count: u64,
    /// The first one in its own words: an identifier, a value with its element, a version.
    pub what: String,
    /// Where the first one is, as far as it is known.
    pub first: Position,
}

impl fmt::Display for Note {
    /// `3 unused arrivals, left out; the first: Pick/1, line 12 column 7`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let row = self.kind.row();
        let (called, done) = (row.called(self.count), row.done);
        write!(f, "{} {called}, {done}", self.count)?;
        let line = self.first.line.map(|(line, column)| format!("line {line} column {column}"));
        let places: Vec<_> = Some(self.what.clone()).filter(|w| !w.is_empty()).into_iter().chain(line).collect();
        if places.is_empty() {
            return Ok(());
        }
        let first = if self.count == 1 { "" } else { "the first: " };
        write!(f, "; {first}{}", places.join(", "))
    }
}

/// The notes of a file while it is read, one a kind.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    found: Vec<Note>,
}

impl Notes {
    /// Counts one. `byte` is where it lies in the document; `what` is asked for only if it is the first.
    pub(crate) fn add(&mut self, kind: NoteKind, byte: Option<usize>, what: impl FnOnce() -> String) {
        self.add_many(kind, 1, byte, what);
    }

    /// Counts several.
    pub(crate) fn add_many(&mut self, kind: NoteKind, count: u64, byte: Option<usize>, what: impl FnOnce() -> String) {
        if count == 0 {
            return;
        }
        if let Some(note) = self.found.iter_mut().find(|n| n.kind == kind) {
            note.count += count;
            return;
        }
        let first = Position { byte: byte.map(|b| b as u64), ..Position::default() };
        self.found.push(Note { kind, count, what: what(), first });
    }

    /// The notes with their lines in the document, warnings first.
    pub(crate) fn finish(&mut self, document: &[u8]) -> Vec<Note> {
        let mut notes = std::mem::take(&mut self.found);
        notes.sort_by_key(|n| (n.kind.severity() == Severity::Info, n.kind));
        for note in &mut notes {
            let Some(byte) = note.first.byte else { continue };
            let before = &document[..document.len().min(byte as usize)];
            let line = memchr::memchr_iter(b'\n', before).count() + 1;
            let column = before.len() - memchr::memrchr(b'\n', before).map_or(0, |at| at + 1) + 1;
            note.first.line = Some((line as u64, column as u64));
        }
        notes
    }
}
