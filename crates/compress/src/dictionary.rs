//! Trained dictionaries of zstd (RFC 8878, section 5): what messages have in common, known to both sides beforehand.
//!
//! Training is libzstd's `ZDICT_trainFromBuffer`, with its own choice of parameters. Messages are compressed to plain
//! frames that name the dictionary by its number (up to four bytes each), so that every decoder of zstd can tell which one
//! it needs. The dictionary is prepared once for all messages, and a [`Session`] keeps the state between them.
//!
//! ```
//! use bantam_compress::Dictionary;
//!
//! let messages: Vec<String> = (0..200).map(|n| format!("{{\"host\":\"example-{n}.net\",\"port\":{}}}", n * 7)).collect();
//! let parts: Vec<&[u8]> = messages.iter().map(|message| message.as_bytes()).collect();
//! let dictionary = Dictionary::train(&parts, 1_024)?;
//! let prepared = dictionary.prepare(3)?;
//! let mut session = prepared.session();
//! let (mut small, mut back) = (Vec::new(), Vec::new());
//! session.compress(parts[0], &mut small)?;
//! session.decompress(&small, parts[0].len(), &mut back)?;
//! assert_eq!(back, parts[0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use zstd::dict::{DecoderDictionary, EncoderDictionary};
use zstd::zstd_safe::{CCtx, DCtx, compress_bound, get_error_name, get_frame_content_size};

use crate::session::{Keep, Session};
use crate::{Choice, Error, check_limit};

const NAME: &str = "zstd";

/// A trained dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dictionary(Vec<u8>);

/// Why no dictionary came of some messages.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DictionaryError {
    /// Too few messages to train on.
    #[error("{messages} messages to train on are too few: a dictionary takes at least {least}")]
    TooFew {
        /// How many there are.
        messages: usize,
        /// [`Dictionary::FEWEST`].
        least: usize,
    },
    /// Too little content to train on.
    #[error("{bytes} bytes to train on are too few: a dictionary takes at least {least}")]
    TooSmall {
        /// How many there are, in all messages.
        bytes: usize,
        /// [`Dictionary::LEAST_TRAINING`].
        least: usize,
    },
    /// A size that no dictionary has.
    #[error("a dictionary has {least} to {most} bytes, not {asked}")]
    Size {
        /// The size asked for, in bytes.
        asked: usize,
        /// [`Dictionary::LEAST`].
        least: usize,
        /// [`Dictionary::MOST`].
        most: usize,
    },
    /// The library found nothing to keep, as where messages have nothing in common.
    #[error("zstd makes no dictionary of these messages: {reason}")]
    Library {
        /// The library's words.
        reason: String,
    },
}

impl Dictionary {
    /// The smallest size that can be asked for, in bytes (`ZDICT_DICTSIZE_MIN`).
    pub const LEAST: usize = 256;
    /// The largest, in bytes: what `zstd --train` takes unless told otherwise.
    pub const MOST: usize = 112_640;
    /// Messages to train on, at least: of three quarters of them the dictionary is made, and the library wants five.
    pub const FEWEST: usize = 7;
    /// Bytes to train on, at least: with fewer, the library has no content to choose from.
    pub const LEAST_TRAINING: usize = 128;

    /// The size that suits so many bytes to train on: a hundredth of them, as the manual of libzstd advises
    /// (`zdict.h`), but a kilobyte at least.
    pub fn usual_size(training_bytes: usize) -> usize {
        (training_bytes / 100).clamp(1_024, Self::MOST)
    }

    /// Whether a choice of compressor can take a dictionary.
    pub fn suits(choice: Choice) -> bool {
        choice.compressor.name == NAME
    }

    /// Trains a dictionary of no more than so many bytes.
    ///
    /// # Errors
    /// As [`DictionaryError`] names them; messages of any length and number are no cause for a panic.
    pub fn train(messages: &[&[u8]], size: usize) -> Result<Self, DictionaryError> {
        let (least, most) = (Self::LEAST, Self::MOST);
        if !(least..=most).contains(&size) {
            return Err(DictionaryError::Size { asked: size, least, most });
        }
        // Nothing can be learned of a message without bytes, and the library divides by what it learned.
        let messages: Vec<&[u8]> = messages.iter().copied().filter(|message| !message.is_empty()).collect();
        if messages.len() < Self::FEWEST {
            return Err(DictionaryError::TooFew { messages: messages.len(), least: Self::FEWEST });
        }
        let bytes = messages.iter().map(|message| message.len()).sum();
        if bytes < Self::LEAST_TRAINING {
            return Err(DictionaryError::TooSmall { bytes, least: Self::LEAST_TRAINING });
        }
        let trained = zstd::dict::from_samples(&messages, size);
        let trained = trained.map_err(|error| DictionaryError::Library { reason: error.to_string() })?;
        Ok(Self(trained))
    }

    /// Its bytes, which both sides have to know.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// Digests it for both ways, once for all messages.
    ///
    /// # Errors
    /// [`Error::Level`] for a level that zstd does not have, [`Error::Library`] if the library does not take it.
    pub fn prepare(&self, level: i32) -> Result<Prepared, Error> {
        crate::zstd::ZSTD.level(Some(level))?;
        let failed = |error: std::io::Error| Error::Library { compressor: NAME, reason: error.to_string() };
        Ok(Prepared {
            encoder: EncoderDictionary::try_copy(&self.0, level).map_err(failed)?,
            decoder: DecoderDictionary::try_copy(&self.0).map_err(failed)?,
        })
    }
}

/// A dictionary that is ready for use at one level.
pub struct Prepared {
    encoder: EncoderDictionary<'static>,
    decoder: DecoderDictionary<'static>,
}

impl std::fmt::Debug for Prepared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Prepared").finish_non_exhaustive()
    }
}

impl Prepared {
    /// Sets up a state for one message after another.
    ///
    /// Its errors when reading: [`Error::Expanded`] when the frame says that it holds more than the limit, [`Error::Corrupt`] when it
    /// is none, has no size, or was made with another dictionary.
    pub fn session(&self) -> Session<'_> {
        Session(Box::new(Kept { dictionary: self, writing: CCtx::create(), reading: DCtx::create() }))
    }
}

struct Kept<'d> {
    dictionary: &'d Prepared,
    writing: CCtx<'d>,
    reading: DCtx<'d>,
}

impl Keep for Kept<'_> {
    fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        out.reserve(compress_bound(input.len()));
        let done = self.writing.compress_using_cdict(out, input, self.dictionary.encoder.as_cdict());
        done.map_err(|code| Error::Library { compressor: NAME, reason: get_error_name(code).into() })?;
        Ok(())
    }

    fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        let corrupt = |reason: &str| Error::Corrupt { compressor: NAME, offset: 0, reason: reason.into() };
        let size = get_frame_content_size(input).ok().flatten();
        let size = size.ok_or_else(|| corrupt("this is no frame that tells its size"))?;
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        if size > limit {
            return Err(Error::Expanded { compressor: NAME, limit });
        }
        out.reserve(size);
        let done = self.reading.decompress_using_ddict(out, input, self.dictionary.decoder.as_ddict());
        done.map_err(|code| corrupt(get_error_name(code)))?;
        check_limit(NAME, out, limit)
    }
}
