//! The compressors that Bantam knows, one table.
//!
//! [`COMPRESSORS`] is the table: a compressor is one file and one row in it, and help, parsing of
//! `zstd:19`, recognition by content and the tests follow from the row. Every row works on whole
//! buffers, from one slice to one reused vector, and sets up a fresh state in each call, as the
//! one-shot functions of these libraries do. A time that is measured around a call includes that.
//!
//! ```
//! use bantam_compress::Choice;
//!
//! let choice: Choice = "zstd:19".parse()?;
//! let (mut small, mut back) = (Vec::new(), Vec::new());
//! choice.compress(b"bantam bantam bantam bantam", &mut small)?;
//! choice.compressor.decompress(&small, 1 << 20, &mut back)?;
//! assert_eq!(back, b"bantam bantam bantam bantam");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod bzip2;
mod choice;
mod deflate;
mod dictionary;
mod error;
mod gzip;
mod lz4;
mod none;
mod session;
mod zlib;
mod zstd;

pub use choice::{Choice, ChoiceError};
pub use dictionary::{Dictionary, DictionaryError, Prepared};
pub use error::Error;
pub use session::Session;

/// Every compressor, in the order in which listings show them.
pub static COMPRESSORS: &[&Compressor] =
    &[&none::NONE, &zlib::ZLIB, &gzip::GZIP, &zstd::ZSTD, &lz4::LZ4, &bzip2::BZIP2];

/// One row of [`COMPRESSORS`]: bytes to fewer bytes, and back.
pub struct Compressor {
    /// The name it is asked for by, as in `--compress zlib`.
    pub name: &'static str,
    /// One line for listings: the library, the format's specification, what is written.
    pub about: &'static str,
    /// The levels it takes; `None` when there is nothing to choose.
    pub levels: Option<Levels>,
    /// File name extensions without the dot, the usual one first.
    pub extensions: &'static [&'static str],
    /// Whether compressed data after compressed data expands to the one after the other, so that a large file can be
    /// written piece by piece.
    pub concatenates: bool,
    /// Whether a weigh-in takes it without being asked for it.
    pub weighed: bool,
    recognise: fn(&[u8]) -> bool,
    compress: Compress,
    decompress: Decompress,
    /// Sets up a state that is kept from message to message, where that is worth it ([`Session`]).
    keep: Option<SetUp>,
}

/// Compresses at a level that was checked (0 where there are none) onto an empty vector.
type Compress = fn(&[u8], i32, &mut Vec<u8>) -> Result<(), Error>;
/// Expands to no more than so many bytes onto an empty vector.
type Decompress = fn(&[u8], usize, &mut Vec<u8>) -> Result<(), Error>;

/// Sets up a state at a level that was checked.
type SetUp = fn(i32) -> Result<Box<dyn session::Keep>, Error>;

/// The levels of a compressor: whole numbers, both ends included, larger is smaller and slower.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Levels {
    /// The level taken when none is named.
    pub default: i32,
    /// The lowest level.
    pub lowest: i32,
    /// The highest level.
    pub highest: i32,
}

impl Compressor {
    /// The level that `asked` comes to: the default for `None`, and `None` where there are no levels.
    ///
    /// # Errors
    /// [`Error::Level`] when the level is outside the row's range, or the row has no levels.
    pub fn level(&self, asked: Option<i32>) -> Result<Option<i32>, Error> {
        match (self.levels, asked) {
            (None, None) => Ok(None),
            (Some(levels), None) => Ok(Some(levels.default)),
            (Some(levels), Some(level)) if (levels.lowest..=levels.highest).contains(&level) => Ok(Some(level)),
            (levels, Some(level)) => Err(Error::Level { compressor: self.name, level, levels }),
        }
    }

    /// Compresses all of `input` into `out`, which is cleared first and keeps its capacity.
    ///
    /// # Errors
    /// [`Error::Level`] for a level that the row does not have; [`Error::Library`] when the
    /// library fails, which it has no reason to on any input.
    pub fn compress(&self, input: &[u8], level: Option<i32>, out: &mut Vec<u8>) -> Result<(), Error> {
        let level = self.level(level)?.unwrap_or(0);
        out.clear();
        (self.compress)(input, level, out)
    }

    /// Expands all of `input` into `out`, which is cleared first and keeps its capacity.
    ///
    /// Members of a gzip file, frames of a zstd or lz4 file and streams of a bzip2 file that follow each other are
    /// read as one. `limit` is the named limit `expanded_size`, in bytes: `out` never holds more, and
    /// memory set aside for it stays below `limit` plus a few megabytes of the library's own
    /// (zstd: up to its window of 128 MiB). Time is bounded by the input and `limit` together.
    ///
    /// # Errors
    /// [`Error::Expanded`] when more than `limit` bytes would come out, [`Error::Truncated`],
    /// [`Error::Trailing`] and [`Error::Corrupt`] as the input deserves. What `out` holds then is
    /// unspecified, but no more than `limit` bytes.
    pub fn decompress(&self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        let done = (self.decompress)(input, limit, out);
        // The room that was there already may have taken a little more before the fault was found.
        out.truncate(limit);
        done
    }

    /// Whether `input` starts as this compressor's output does. Never true for `none`.
    ///
    /// zlib has no magic number, so its two header bytes and the start of the data behind them
    /// must both be right: up to 4 KiB are expanded to see.
    pub fn recognises(&self, input: &[u8]) -> bool {
        (self.recognise)(input)
    }
}

impl std::fmt::Debug for Compressor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Compressor").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The row of that name, exactly as written.
pub fn by_name(name: &str) -> Option<&'static Compressor> {
    COMPRESSORS.iter().copied().find(|row| row.name == name)
}

/// The row that a file name's extension (without the dot, in any case) belongs to.
pub fn by_extension(extension: &str) -> Option<&'static Compressor> {
    COMPRESSORS.iter().copied().find(|row| row.extensions.iter().any(|known| known.eq_ignore_ascii_case(extension)))
}

/// The row whose output `input` looks like, by content alone; `None` when it is not compressed.
pub fn recognise(input: &[u8]) -> Option<&'static Compressor> {
    COMPRESSORS.iter().copied().find(|row| row.recognises(input))
}

/// Sets aside room in `out` for the next step of an expansion of unknown length.
///
/// Doubles what is there (64 KiB at first), but asks for no more than one byte above `limit`: that
/// byte is how an expansion beyond the limit shows.
fn make_room(out: &mut Vec<u8>, limit: usize) {
    let step = out.len().max(64 << 10);
    let most = limit.saturating_add(1).saturating_sub(out.len());
    out.reserve_exact(step.min(most));
}

/// Cuts `out` back to `limit` and says so, when it went beyond.
fn check_limit(compressor: &'static str, out: &mut Vec<u8>, limit: usize) -> Result<(), Error> {
    if out.len() > limit {
        out.truncate(limit);
        return Err(Error::Expanded { compressor, limit });
    }
    Ok(())
}
