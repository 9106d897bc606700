//! What reading found or assumed: a sentence, or a count with its kind.

use crate::quake;
use std::fmt;

/// What reading an input found, assumed or left out.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Note {
    /// A sentence.
    Text(String),
    /// Of a reader of quakes: counted, by kind.
    Quake(quake::Note),
}

impl Note {
    /// What it is, for programs; a sentence has none.
    pub fn kind(&self) -> Option<&'static str> {
        match self {
            Self::Text(_) => None,
            Self::Quake(note) => Some(note.kind.name()),
        }
    }

    /// How often, where it is counted.
    pub fn count(&self) -> Option<u64> {
        match self {
            Self::Text(_) => None,
            Self::Quake(note) => Some(note.count),
        }
    }

    /// Whether something was assumed or is not as it should be.
    pub fn is_warning(&self) -> bool {
        match self {
            Self::Text(_) => false,
            Self::Quake(note) => note.kind.severity() == quake::Severity::Warning,
        }
    }

    /// Line and column of the first place, both from 1.
    pub fn first(&self) -> Option<(u64, u64)> {
        match self {
            Self::Text(_) => None,
            Self::Quake(note) => note.first.line,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Quake(note) => note.fmt(f),
        }
    }
}

impl From<String> for Note {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<quake::Note> for Note {
    fn from(note: quake::Note) -> Self {
        Self::Quake(note)
    }
}
