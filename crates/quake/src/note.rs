//! What a reader left out or assumed: typed, counted, with its first place.

use bantam_model::Position;
use std::fmt;

/// What kind of thing was left out or assumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum NoteKind {
    // Left out by the definition of a Quake, or harmless.
    /// Arrivals that were not used: weight 0 or below, or `timeUsed` false.
    UnusedArrival,
    /// Station magnitudes that were not used: weight 0 or below.
    UnusedStationMagnitude,
    /// Origins that no event prefers.
    OtherOrigin,
    /// Magnitudes of other origins than the preferred one, which is not the preferred magnitude.
    OtherMagnitude,
    /// Picks that no arrival of a preferred origin names.
    OtherPick,
    /// Amplitudes that no station magnitude in a Quake names.
    OtherAmplitude,
    /// Station magnitudes that no magnitude in a Quake names.
    OtherStationMagnitude,
    /// Focal mechanisms.
    FocalMechanism,
    /// Elements and attributes that a Quake has no place for.
    OtherElement,
    /// Parts of the file that hold no events: inventory, configuration and others.
    OtherPart,
    /// References of an event to origins or magnitudes that are not in the file.
    ReferenceNotFound,
    /// Times without a zone, taken as UTC.
    TimeWithoutZone,
    /// The second 60, taken as the first of the next minute.
    LeapSecond,
    /// Digits of a time beyond nanoseconds.
    BeyondNanoseconds,

    // Assumed, or not as it should be.
    /// The schema's version is newer than what is known.
    NewerVersion,
    /// There is no event in the file.
    NoEvent,
    /// Preferred origins that are not in the file.
    OriginNotFound,
    /// Events whose origin was chosen by rule, as none is preferred or the preferred one is not in the file.
    OriginChosen,
    /// Events without any origin.
    NoOrigin,
    /// Preferred magnitudes that are not in the file.
    MagnitudeNotFound,
    /// Events whose magnitude was chosen by rule, as none is preferred or the preferred one is not in the file.
    MagnitudeChosen,
    /// Events without any magnitude.
    NoMagnitude,
    /// Magnitudes that do not say of which origin they are, taken as the preferred one's.
    MagnitudeWithoutOrigin,
    /// Arrivals whose pick is not in the file: kept without station and time.
    PickNotFound,
    /// Station magnitudes whose amplitude is not in the file: kept without it.
    AmplitudeNotFound,
    /// Contributions whose station magnitude is not in the file: kept without station and magnitude.
    StationMagnitudeNotFound,
    /// Objects with the identifier of another one: the first in the file counts.
    DuplicateId,
    /// Events without an identifier.
    NoId,
    /// Elements without a value where one is due: absent.
    Empty,
    /// NaN or infinite numbers: absent.
    NotFinite,
    /// Text where a number is due: absent.
    BadNumber,
    /// Text where a time is due: absent.
    BadTime,
    /// Text where true or false is due: absent.
    BadBool,
    /// Values beyond their range: kept as they are.
    OutOfRange,
}

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

impl NoteKind {
    /// All kinds, those that are harmless first.
    pub const ALL: &[Self] = &[
        Self::UnusedArrival,
        Self::UnusedStationMagnitude,
        Self::OtherOrigin,
        Self::OtherMagnitude,
        Self::OtherPick,
        Self::OtherAmplitude,
        Self::OtherStationMagnitude,
        Self::FocalMechanism,
        Self::OtherElement,
        Self::OtherPart,
        Self::ReferenceNotFound,
        Self::TimeWithoutZone,
        Self::LeapSecond,
        Self::BeyondNanoseconds,
        Self::NewerVersion,
        Self::NoEvent,
        Self::OriginNotFound,
        Self::OriginChosen,
        Self::NoOrigin,
        Self::MagnitudeNotFound,
        Self::MagnitudeChosen,
        Self::NoMagnitude,
        Self::MagnitudeWithoutOrigin,
        Self::PickNotFound,
        Self::AmplitudeNotFound,
        Self::StationMagnitudeNotFound,
        Self::DuplicateId,
        Self::NoId,
        Self::Empty,
        Self::NotFinite,
        Self::BadNumber,
        Self::BadTime,
        Self::BadBool,
        Self::OutOfRange,
    ];

    /// How much it matters.
    pub fn severity(self) -> Severity {
        if self < Self::NewerVersion { Severity::Info } else { Severity::Warning }
    }

    /// The name for programs, such as `unused-arrival`.
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// The name, what one is called, what several are called, and what was done.
    fn row(self) -> (&'static str, &'static str, &'static str, &'static str) {
        match self {
            Self::UnusedArrival => ("unused-arrival", "unused arrival", "unused arrivals", "left out"),
            Self::UnusedStationMagnitude => {
                ("unused-station-magnitude", "unused station magnitude", "unused station magnitudes", "left out")
            }
            Self::OtherOrigin => {
                ("other-origin", "origin that no event prefers", "origins that no event prefers", "left out")
            }
            Self::OtherMagnitude => {
                ("other-magnitude", "magnitude of another origin", "magnitudes of other origins", "left out")
            }
            Self::OtherPick => ("other-pick", "pick without a phase", "picks without a phase", "left out"),
            Self::OtherAmplitude => (
                "other-amplitude",
                "amplitude without a station magnitude",
                "amplitudes without a station magnitude",
                "left out",
            ),
            Self::OtherStationMagnitude => (
                "other-station-magnitude",
                "station magnitude without a magnitude",
                "station magnitudes without a magnitude",
                "left out",
            ),
            Self::FocalMechanism => ("focal-mechanism", "focal mechanism", "focal mechanisms", "left out"),
            Self::OtherElement => (
                "other-element",
                "element or attribute that a Quake has no place for",
                "elements and attributes that a Quake has no place for",
                "left out",
            ),
            Self::OtherPart => ("other-part", "part without events", "parts without events", "left out"),
            Self::TimeWithoutZone => {
                ("time-without-zone", "time without a zone", "times without a zone", "taken as UTC")
            }
            Self::LeapSecond => ("leap-second", "second 60", "seconds 60", "taken as the next minute's first"),
            Self::BeyondNanoseconds => (
                "beyond-nanoseconds",
                "time finer than nanoseconds",
                "times finer than nanoseconds",
                "cut to nanoseconds",
            ),
            Self::NewerVersion => {
                ("newer-version", "newer version", "newer versions", "read as the newest that is known")
            }
            Self::NoEvent => ("no-event", "file without events", "files without events", "nothing to read"),
            Self::OriginNotFound => (
                "origin-not-found",
                "preferred origin that is not in the file",
                "preferred origins that are not in the file",
                "passed over",
            ),
            Self::OriginChosen => (
                "origin-chosen",
                "event without a preferred origin in the file",
                "events without a preferred origin in the file",
                "its best other origin was taken",
            ),
            Self::NoOrigin => {
                ("no-origin", "event without any origin", "events without any origin", "kept without a place")
            }
            Self::MagnitudeNotFound => (
                "magnitude-not-found",
                "preferred magnitude that is not in the file",
                "preferred magnitudes that are not in the file",
                "passed over",
            ),
            Self::MagnitudeChosen => (
                "magnitude-chosen",
                "event without a preferred magnitude in the file",
                "events without a preferred magnitude in the file",
                "its best other magnitude was taken",
            ),
            Self::NoMagnitude => {
                ("no-magnitude", "event without any magnitude", "events without any magnitude", "kept without one")
            }
            Self::MagnitudeWithoutOrigin => (
                "magnitude-without-origin",
                "magnitude that names no origin",
                "magnitudes that name no origin",
                "taken as the preferred origin's",
            ),
            Self::PickNotFound => (
                "pick-not-found",
                "arrival whose pick is not in the file",
                "arrivals whose picks are not in the file",
                "kept without station and time",
            ),
            Self::AmplitudeNotFound => (
                "amplitude-not-found",
                "station magnitude whose amplitude is not in the file",
                "station magnitudes whose amplitudes are not in the file",
                "kept without amplitude",
            ),
            Self::StationMagnitudeNotFound => (
                "station-magnitude-not-found",
                "contribution whose station magnitude is not in the file",
                "contributions whose station magnitudes are not in the file",
                "kept without station and value",
            ),
            Self::ReferenceNotFound => (
                "reference-not-found",
                "reference to an object that is not in the file",
                "references to objects that are not in the file",
                "passed over",
            ),
            Self::DuplicateId => (
                "duplicate-id",
                "object with another one's identifier",
                "objects with other ones' identifiers",
                "the first counts",
            ),
            Self::NoId => ("no-id", "event without an identifier", "events without an identifier", "kept without one"),
            Self::Empty => ("empty", "element without a value", "elements without a value", "taken as absent"),
            Self::NotFinite => {
                ("not-finite", "number that is not finite", "numbers that are not finite", "taken as absent")
            }
            Self::BadNumber => {
                ("bad-number", "value that is no number", "values that are no numbers", "taken as absent")
            }
            Self::BadTime => ("bad-time", "value that is no time", "values that are no times", "taken as absent"),
            Self::BadBool => (
                "bad-bool",
                "value that is neither true nor false",
                "values that are neither true nor false",
                "taken as absent",
            ),
            Self::OutOfRange => {
                ("out-of-range", "value beyond its range", "values beyond their range", "kept as it is")
            }
        }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Note {
    /// `3 unused arrivals, left out; the first: Pick/1, line 12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (_, one, several, done) = self.kind.row();
        let called = if self.count == 1 { one } else { several };
        write!(f, "{} {called}, {done}", self.count)?;
        let line = self.first.line.map(|(line, _)| format!("line {line}"));
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
