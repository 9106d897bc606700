//! The kinds of notes: one table.

use super::Severity;
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
    /// Arrivals that were not used, kept and marked as such, as asked for.
    KeptArrival,
    /// Station magnitudes that were not used, kept and marked as such, as asked for.
    KeptStationMagnitude,
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

/// What there is to say of a kind.
pub(super) struct Row {
    kind: NoteKind,
    name: &'static str,
    /// What one is called, and several.
    one: &'static str,
    several: &'static str,
    /// What was done about it.
    pub(super) done: &'static str,
}

const fn row(kind: NoteKind, name: &'static str, one: &'static str, several: &'static str, done: &'static str) -> Row {
    Row { kind, name, one, several, done }
}

/// In the order of the kinds.
static ROWS: &[Row] = &[
    row(NoteKind::UnusedArrival, "unused-arrival", "unused arrival", "unused arrivals", "left out"),
    row(
        NoteKind::UnusedStationMagnitude,
        "unused-station-magnitude",
        "unused station magnitude",
        "unused station magnitudes",
        "left out",
    ),
    row(NoteKind::KeptArrival, "kept-arrival", "unused arrival", "unused arrivals", "kept, marked as unused"),
    row(
        NoteKind::KeptStationMagnitude,
        "kept-station-magnitude",
        "unused station magnitude",
        "unused station magnitudes",
        "kept, marked as unused",
    ),
    row(
        NoteKind::OtherOrigin,
        "other-origin",
        "origin that no event prefers",
        "origins that no event prefers",
        "left out",
    ),
    row(
        NoteKind::OtherMagnitude,
        "other-magnitude",
        "magnitude of another origin",
        "magnitudes of other origins",
        "left out",
    ),
    row(
        NoteKind::OtherPick,
        "other-pick",
        "pick that no kept arrival names",
        "picks that no kept arrival names",
        "left out",
    ),
    row(
        NoteKind::OtherAmplitude,
        "other-amplitude",
        "amplitude that no kept station magnitude names",
        "amplitudes that no kept station magnitude names",
        "left out",
    ),
    row(
        NoteKind::OtherStationMagnitude,
        "other-station-magnitude",
        "station magnitude that no kept magnitude uses",
        "station magnitudes that no kept magnitude uses",
        "left out",
    ),
    row(NoteKind::FocalMechanism, "focal-mechanism", "focal mechanism", "focal mechanisms", "left out"),
    row(
        NoteKind::OtherElement,
        "other-element",
        "element or attribute that a Quake has no place for",
        "elements and attributes that a Quake has no place for",
        "left out",
    ),
    row(NoteKind::OtherPart, "other-part", "part without events", "parts without events", "left out"),
    row(
        NoteKind::ReferenceNotFound,
        "reference-not-found",
        "reference to an object that is not in the file",
        "references to objects that are not in the file",
        "passed over",
    ),
    row(NoteKind::TimeWithoutZone, "time-without-zone", "time without a zone", "times without a zone", "taken as UTC"),
    row(NoteKind::LeapSecond, "leap-second", "second 60", "seconds 60", "taken as the next minute's first"),
    row(
        NoteKind::BeyondNanoseconds,
        "beyond-nanoseconds",
        "time finer than nanoseconds",
        "times finer than nanoseconds",
        "cut to nanoseconds",
    ),
    row(NoteKind::NewerVersion, "newer-version", "newer version", "newer versions", "read as the newest that is known"),
    row(NoteKind::NoEvent, "no-event", "file without events", "files without events", "nothing to read"),
    row(
        NoteKind::OriginNotFound,
        "origin-not-found",
        "preferred origin that is not in the file",
        "preferred origins that are not in the file",
        "passed over",
    ),
    row(
        NoteKind::OriginChosen,
        "origin-chosen",
        "event without a preferred origin in the file",
        "events without a preferred origin in the file",
        "the best other origin was taken",
    ),
    row(
        NoteKind::NoOrigin,
        "no-origin",
        "event without any origin",
        "events without any origin",
        "kept without a place",
    ),
    row(
        NoteKind::MagnitudeNotFound,
        "magnitude-not-found",
        "preferred magnitude that is not in the file",
        "preferred magnitudes that are not in the file",
        "passed over",
    ),
    row(
        NoteKind::MagnitudeChosen,
        "magnitude-chosen",
        "event without a preferred magnitude in the file",
        "events without a preferred magnitude in the file",
        "the best other magnitude was taken",
    ),
    row(
        NoteKind::NoMagnitude,
        "no-magnitude",
        "event without any magnitude",
        "events without any magnitude",
        "kept without one",
    ),
    row(
        NoteKind::MagnitudeWithoutOrigin,
        "magnitude-without-origin",
        "magnitude that names no origin",
        "magnitudes that name no origin",
        "taken as the preferred origin's",
    ),
    row(
        NoteKind::PickNotFound,
        "pick-not-found",
        "arrival whose pick is not in the file",
        "arrivals whose picks are not in the file",
        "kept without station and time",
    ),
    row(
        NoteKind::AmplitudeNotFound,
        "amplitude-not-found",
        "station magnitude whose amplitude is not in the file",
        "station magnitudes whose amplitudes are not in the file",
        "kept without amplitude",
    ),
    row(
        NoteKind::StationMagnitudeNotFound,
        "station-magnitude-not-found",
        "contribution whose station magnitude is not in the file",
        "contributions whose station magnitudes are not in the file",
        "kept without station and value",
    ),
    row(
        NoteKind::DuplicateId,
        "duplicate-id",
        "object with another one's identifier",
        "objects with other ones' identifiers",
        "the first counts",
    ),
    row(NoteKind::NoId, "no-id", "event without an identifier", "events without an identifier", "kept without one"),
    row(NoteKind::Empty, "empty", "element without a value", "elements without a value", "taken as absent"),
    row(
        NoteKind::NotFinite,
        "not-finite",
        "number that is not finite",
        "numbers that are not finite",
        "taken as absent",
    ),
    row(NoteKind::BadNumber, "bad-number", "value that is no number", "values that are no numbers", "taken as absent"),
    row(NoteKind::BadTime, "bad-time", "value that is no time", "values that are no times", "taken as absent"),
    row(
        NoteKind::BadBool,
        "bad-bool",
        "value that is neither true nor false",
        "values that are neither true nor false",
        "taken as absent",
    ),
    row(NoteKind::OutOfRange, "out-of-range", "value beyond its range", "values beyond their range", "kept"),
];

impl NoteKind {
    /// All kinds, those that are harmless first.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        ROWS.iter().map(|row| row.kind)
    }

    /// How much it matters.
    pub fn severity(self) -> Severity {
        if self < Self::NewerVersion { Severity::Info } else { Severity::Warning }
    }

    /// The name for programs, such as `unused-arrival`.
    pub fn name(self) -> &'static str {
        self.row().name
    }

    pub(super) fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }
}

impl Row {
    /// What so many are called.
    pub(super) fn called(&self, count: u64) -> &'static str {
        if count == 1 { self.one } else { self.several }
    }
}

impl fmt::Display for NoteKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_in_the_order_of_the_kinds() {
        for (at, kind) in NoteKind::all().enumerate() {
            assert_eq!(kind as usize, at, "{kind}");
            assert!(NoteKind::all().skip(at + 1).all(|other| other.name() != kind.name()), "{kind}");
        }
        assert_eq!(NoteKind::all().len(), NoteKind::OutOfRange as usize + 1);
    }
}
