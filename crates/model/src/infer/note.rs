//! What an inference noticed beside the schema.

use std::fmt;

/// Something about the records that the schema itself does not say.
///
/// Paths name a place in the schema: `statuses[].user.name` for the items of a list, `events.*.name` for the
/// values of a dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// Nulls beside values: they are read as absence.
    Nulls {
        /// The place.
        path: String,
        /// Nulls there.
        count: u64,
    },
    /// A field that never had a value, so that its kind is not known: it is left out.
    OnlyNulls {
        /// The place.
        path: String,
        /// Nulls there.
        count: u64,
    },
    /// A column of text cells that never had a value: taken for text.
    NoValue {
        /// The place.
        path: String,
    },
    /// A list that was always empty, so that the kind of its items is not known: taken for text.
    OnlyEmptyLists {
        /// The place.
        path: String,
        /// Empty lists there.
        count: u64,
    },
    /// An object that was always empty: a message without fields.
    OnlyEmptyObjects {
        /// The place.
        path: String,
        /// Empty objects there.
        count: u64,
    },
    /// Objects taken for dictionaries: a map.
    Dictionary {
        /// The place.
        path: String,
        /// Dictionaries there.
        count: u64,
        /// Their entries together.
        entries: u64,
    },
    /// Whole numbers beside floats: all are doubles, and exact.
    Widened {
        /// The place.
        path: String,
        /// Whole numbers there.
        integers: u64,
    },
    /// Floats without exception whole: doubles all the same, as they are written with a point or exponent.
    WholeFloats {
        /// The place.
        path: String,
        /// Floats there.
        count: u64,
    },
    /// Whole numbers beyond 64 bits: doubles. A reader that gives them as floats may have rounded them already.
    Beyond64Bits {
        /// The place.
        path: String,
        /// Such numbers there.
        count: u64,
    },
}

impl Note {
    /// The place it is about.
    pub fn path(&self) -> &str {
        match self {
            Self::Nulls { path, .. }
            | Self::OnlyNulls { path, .. }
            | Self::NoValue { path }
            | Self::OnlyEmptyLists { path, .. }
            | Self::OnlyEmptyObjects { path, .. }
            | Self::Dictionary { path, .. }
            | Self::Widened { path, .. }
            | Self::WholeFloats { path, .. }
            | Self::Beyond64Bits { path, .. } => path,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.path())?;
        match self {
            Self::Nulls { count, .. } => write!(f, "{count} × null, read as absence"),
            Self::OnlyNulls { count, .. } => write!(f, "left out, only ever null ({count} ×)"),
            Self::NoValue { .. } => write!(f, "never has a value, taken for text"),
            Self::OnlyEmptyLists { count, .. } => write!(f, "only ever an empty list ({count} ×), taken for text"),
            Self::OnlyEmptyObjects { count, .. } => write!(f, "only ever an empty object ({count} ×)"),
            Self::Dictionary { count, entries, .. } => {
                write!(f, "taken for a dictionary ({entries} entries in {count})")
            }
            Self::Widened { integers, .. } => write!(f, "{integers} whole numbers beside floats, all as double"),
            Self::WholeFloats { count, .. } => write!(f, "{count} floats that are all whole, kept as double"),
            Self::Beyond64Bits { count, .. } => write!(f, "{count} whole numbers beyond 64 bits, as double"),
        }
    }
}
