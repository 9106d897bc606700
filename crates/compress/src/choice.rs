//! A compressor and its level, as people write them: `zlib`, `zstd:19`.

use std::fmt;
use std::str::FromStr;

use crate::{COMPRESSORS, Compressor, Error, by_name};

/// A compressor with the level to use, parsed from `NAME` or `NAME:LEVEL`.
///
/// Shown in full (`zstd:3`), since a figure without its level says too little; `none` and `lz4` have
/// no level and are shown by name alone. What is shown parses back to the same choice.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// The row of the table.
    pub compressor: &'static Compressor,
    /// The level; `None` exactly where the compressor has no levels.
    pub level: Option<i32>,
}

impl Choice {
    /// That compressor at its default level.
    pub fn of(compressor: &'static Compressor) -> Self {
        Self { compressor, level: compressor.levels.map(|levels| levels.default) }
    }

    /// Compresses all of `input` into `out`, cleared first.
    ///
    /// # Errors
    /// As [`Compressor::compress`].
    pub fn compress(&self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.compressor.compress(input, self.level, out)
    }

    /// Expands all of `input`, to no more than `limit` bytes, into `out`, cleared first.
    ///
    /// # Errors
    /// As [`Compressor::decompress`].
    pub fn decompress(&self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.compressor.decompress(input, limit, out)
    }
}

impl PartialEq for Choice {
    fn eq(&self, other: &Self) -> bool {
        self.compressor.name == other.compressor.name && self.level == other.level
    }
}

impl Eq for Choice {}

impl fmt::Display for Choice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.level {
            Some(level) => write!(f, "{}:{level}", self.compressor.name),
            None => f.write_str(self.compressor.name),
        }
    }
}

impl FromStr for Choice {
    type Err = ChoiceError;

    fn from_str(text: &str) -> Result<Self, ChoiceError> {
        let (name, level) = match text.split_once(':') {
            Some((name, level)) => (name, Some(level)),
            None => (text, None),
        };
        let compressor = by_name(name).ok_or_else(|| ChoiceError::Unknown(name.to_owned()))?;
        let level =
            level.map(|digits| digits.parse().map_err(|_| ChoiceError::NotANumber(digits.to_owned()))).transpose()?;
        Ok(Self { compressor, level: compressor.level(level)? })
    }
}

/// Text that is no [`Choice`]. The message lists what can be chosen.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ChoiceError {
    /// No compressor of that name.
    #[error("no compressor is called {0:?}; there are {known}", known = known())]
    Unknown(String),
    /// What follows the colon is not a whole number.
    #[error("{0:?} is not a level; write NAME or NAME:LEVEL, where NAME and LEVEL are {known}", known = known())]
    NotANumber(String),
    /// The compressor does not have that level.
    #[error(transparent)]
    Level(#[from] Error),
}

/// `none, zlib (0 to 9, else 6), …`: the names and ranges of the table.
fn known() -> String {
    let rows: Vec<String> = COMPRESSORS
        .iter()
        .map(|row| match row.levels {
            Some(l) => format!("{} ({} to {}, else {})", row.name, l.lowest, l.highest, l.default),
            None => row.name.to_owned(),
        })
        .collect();
    rows.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_parses_back() {
        for (text, shown) in [
            ("none", "none"),
            ("zlib", "zlib:6"),
            ("zlib:9", "zlib:9"),
            ("gzip", "gzip:6"),
            ("zstd", "zstd:3"),
            ("zstd:19", "zstd:19"),
            ("zstd:1", "zstd:1"),
            ("lz4", "lz4"),
            ("bzip2", "bzip2:9"),
        ] {
            let choice: Choice = text.parse().unwrap();
            assert_eq!(choice.to_string(), shown);
            assert_eq!(shown.parse::<Choice>().unwrap(), choice);
        }
        for row in COMPRESSORS {
            assert_eq!(row.name.parse::<Choice>().unwrap(), Choice::of(row));
        }
    }

    #[test]
    fn errors_say_what_can_be_chosen() {
        for (text, message) in [
            (
                "zip",
                "no compressor is called \"zip\"; there are none, zlib (0 to 9, else 6), \
                 gzip (0 to 9, else 6), zstd (1 to 22, else 3), lz4, bzip2 (1 to 9, else 9)",
            ),
            (
                "zstd:x",
                "\"x\" is not a level; write NAME or NAME:LEVEL, where NAME and LEVEL are none, \
                 zlib (0 to 9, else 6), gzip (0 to 9, else 6), zstd (1 to 22, else 3), lz4, bzip2 (1 to 9, else 9)",
            ),
            ("zstd:0", "zstd has no level 0: levels go from 1 to 22"),
            ("zstd:23", "zstd has no level 23: levels go from 1 to 22"),
            ("zlib:10", "zlib has no level 10: levels go from 0 to 9"),
            ("lz4:1", "lz4 has no level 1: it has no levels"),
            ("none:0", "none has no level 0: it has no levels"),
        ] {
            assert_eq!(text.parse::<Choice>().unwrap_err().to_string(), message, "{text}");
        }
        for text in ["", ":", "zstd:", "ZSTD", " zstd", "zstd:3:3", "zstd:3.0"] {
            assert!(text.parse::<Choice>().is_err(), "{text:?}");
        }
    }
}
