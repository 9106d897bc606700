//! Named limits, so that hostile input costs bounded time and memory.

use crate::error::{Error, ErrorKind, Result};

/// What a reader accepts. Each limit has a default that real data stays far below, and a setter.
///
/// ```
/// use bantam_model::Limits;
/// let limits = Limits::default().depth(20).list_items(1_000);
/// assert_eq!(limits.max_depth(), 20);
/// assert!(limits.check_list(1_001).is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    depth: u32,
    string_bytes: u32,
    list_items: u32,
    batch_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            depth: Self::DEPTH,
            string_bytes: Self::STRING_BYTES,
            list_items: Self::LIST_ITEMS,
            batch_bytes: Self::BATCH_BYTES,
        }
    }
}

impl Limits {
    /// Default nesting of messages: 100, as in the Protocol Buffers libraries.
    pub const DEPTH: u32 = 100;
    /// Default bytes of one string: 256 MiB.
    pub const STRING_BYTES: u32 = 256 << 20;
    /// Default items of one list, and records of one batch: 100 million.
    pub const LIST_ITEMS: u32 = 100_000_000;
    /// Default bytes of a batch, rows and side text together: 2 GiB.
    pub const BATCH_BYTES: u64 = 2 << 30;
    /// No batch, and no input of one, reaches 4 GiB: offsets are 32 bits wide.
    pub const MOST_BATCH_BYTES: u64 = u32::MAX as u64;
    /// No string is longer than 2 GiB less one byte: its length has 31 bits.
    pub const MOST_STRING_BYTES: u32 = i32::MAX as u32;
    /// No nesting is deeper than 1,000, since codecs recurse.
    pub const MOST_DEPTH: u32 = 1_000;

    /// Sets how deep messages may nest, at most [`Self::MOST_DEPTH`].
    #[must_use]
    pub fn depth(mut self, messages: u32) -> Self {
        self.depth = messages.min(Self::MOST_DEPTH);
        self
    }

    /// Sets how many bytes one string may have, at most [`Self::MOST_STRING_BYTES`].
    #[must_use]
    pub fn string_bytes(mut self, bytes: u32) -> Self {
        self.string_bytes = bytes.min(Self::MOST_STRING_BYTES);
        self
    }

    /// Sets how many items one list may have.
    #[must_use]
    pub fn list_items(mut self, items: u32) -> Self {
        self.list_items = items;
        self
    }

    /// Sets how many bytes a batch may take, below 4 GiB.
    #[must_use]
    pub fn batch_bytes(mut self, bytes: u64) -> Self {
        self.batch_bytes = bytes.min(Self::MOST_BATCH_BYTES);
        self
    }

    /// How deep messages may nest.
    pub fn max_depth(&self) -> u32 {
        self.depth
    }

    /// How many bytes one string may have.
    pub fn max_string_bytes(&self) -> u32 {
        self.string_bytes
    }

    /// How many items one list may have.
    pub fn max_list_items(&self) -> u32 {
        self.list_items
    }

    /// How many bytes a batch may take.
    pub fn max_batch_bytes(&self) -> u64 {
        self.batch_bytes
    }

    /// Checks a nesting depth.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] beyond the limit.
    #[inline]
    pub fn check_depth(&self, depth: u32) -> Result<()> {
        if depth > self.depth { Err(reached("depth", depth as u64, self.depth as u64)) } else { Ok(()) }
    }

    /// Checks a string's bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] beyond the limit.
    #[inline]
    pub fn check_string(&self, bytes: usize) -> Result<()> {
        if bytes > self.string_bytes as usize {
            Err(reached("string_bytes", bytes as u64, self.string_bytes as u64))
        } else {
            Ok(())
        }
    }

    /// Checks a list's items.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] beyond the limit.
    #[inline]
    pub fn check_list(&self, items: usize) -> Result<()> {
        if items > self.list_items as usize {
            Err(reached("list_items", items as u64, self.list_items as u64))
        } else {
            Ok(())
        }
    }

    /// Checks an input's or a batch's bytes.
    ///
    /// # Errors
    /// [`ErrorKind::Limit`] beyond the limit.
    #[inline]
    pub fn check_batch(&self, bytes: u64) -> Result<()> {
        if bytes > self.batch_bytes { Err(reached("batch_bytes", bytes, self.batch_bytes)) } else { Ok(()) }
    }
}

#[cold]
fn reached(limit: &str, found: u64, allowed: u64) -> Error {
    Error::new(ErrorKind::Limit, format!("{found} is beyond the limit `{limit}` of {allowed}"))
}
