//! What can go wrong, and where.

use crate::Levels;

/// An error of one compressor. Offsets are bytes from the start of the compressed input.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A level that the compressor does not have.
    #[error("{compressor} has no level {level}: {}", allowed(*levels))]
    Level {
        /// The compressor's name.
        compressor: &'static str,
        /// The level asked for.
        level: i32,
        /// The levels there are, if any.
        levels: Option<Levels>,
    },
    /// The output would be larger than the caller allows.
    #[error(
        "{compressor}: the data expands to more than {limit} bytes, the limit expanded_size; raise it to read this input"
    )]
    Expanded {
        /// The compressor's name.
        compressor: &'static str,
        /// The limit, in bytes.
        limit: usize,
    },
    /// The input ends before the compressed data does.
    #[error("{compressor}: the input ends at byte {offset}, in the middle of the compressed data")]
    Truncated {
        /// The compressor's name.
        compressor: &'static str,
        /// Where the input ends.
        offset: usize,
    },
    /// Something follows the compressed data that is not compressed data.
    #[error("{compressor}: the compressed data ends at byte {offset}, but the input goes on")]
    Trailing {
        /// The compressor's name.
        compressor: &'static str,
        /// Where the compressed data ends.
        offset: usize,
    },
    /// The input is not what it should be.
    #[error("{compressor}: bad data at or before byte {offset}: {reason}")]
    Corrupt {
        /// The compressor's name.
        compressor: &'static str,
        /// How far the library had read when it noticed.
        offset: usize,
        /// The library's words.
        reason: String,
    },
    /// The library failed for a reason that does not lie in the input, such as a lack of memory.
    #[error("{compressor}: {reason}")]
    Library {
        /// The compressor's name.
        compressor: &'static str,
        /// The library's words.
        reason: String,
    },
}

fn allowed(levels: Option<Levels>) -> String {
    levels.map_or_else(
        || "it has no levels".to_owned(),
        |levels| format!("levels go from {} to {}", levels.lowest, levels.highest),
    )
}
