//! Compressing one message after another with one state, as whoever serves a queue does.
//!
//! A fresh state costs more than a small message does: some seven microseconds each way with zstd, most of it memory that is
//! mapped and given back. So the libraries say to keep it. zstd, zlib and gzip do here; the others have nothing
//! worth keeping, or no way to. What is written is the same in both cases, to the byte.

use crate::{Choice, Compressor, Error};

/// What a session keeps. `out` comes empty.
pub(crate) trait Keep {
    fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error>;
    fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error>;
}

/// One compressor at one level, for one message after another.
///
/// ```
/// use bantam_compress::Choice;
///
/// let choice: Choice = "zstd:3".parse()?;
/// let mut session = choice.session()?;
/// let (mut small, mut back) = (Vec::new(), Vec::new());
/// for message in [&b"one"[..], b"two", b""] {
///     session.compress(message, &mut small)?;
///     session.decompress(&small, 16, &mut back)?;
///     assert_eq!(back, message);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Session<'d>(pub(crate) Box<dyn Keep + 'd>);

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").finish_non_exhaustive()
    }
}

impl Session<'_> {
    /// As [`Compressor::compress`]: all of `input` into `out`, cleared first.
    ///
    /// # Errors
    /// [`Error::Library`] when the library fails, which it has no reason to on any input.
    pub fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        self.0.compress(input, out)
    }

    /// As [`Compressor::decompress`]: to no more than `limit` bytes in `out`, cleared first. After an error the next message is
    /// read as if there had been none.
    ///
    /// # Errors
    /// As [`Compressor::decompress`].
    pub fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        out.clear();
        self.0.decompress(input, limit, out)
    }
}

impl Choice {
    /// Sets up its state for one message after another.
    ///
    /// # Errors
    /// [`Error::Level`] for a level that the compressor does not have, [`Error::Library`] if the state cannot be had.
    pub fn session(&self) -> Result<Session<'static>, Error> {
        let level = self.compressor.level(self.level)?.unwrap_or(0);
        let kept = self.compressor.keep.map(|keep| keep(level)).transpose()?;
        Ok(Session(kept.unwrap_or(Box::new(Anew { compressor: self.compressor, level }))))
    }
}

/// The state of each message is its own.
struct Anew {
    compressor: &'static Compressor,
    level: i32,
}

impl Keep for Anew {
    fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        (self.compressor.compress)(input, self.level, out)
    }

    fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        (self.compressor.decompress)(input, limit, out)
    }
}
