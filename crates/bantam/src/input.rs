//! What is read: bytes with a name, taken out of a compressor's file if they are in one.

use crate::compress;
use crate::model::{Error, ErrorKind, Result};

/// Bytes with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// The file's name, without the extension of a compressor that was taken off.
    pub name: String,
    /// The bytes, decompressed.
    pub bytes: Vec<u8>,
    /// The compressor whose file it was.
    pub compressor: Option<&'static str>,
}

impl Input {
    /// The most bytes that a compressed input may expand to by default: 2 GiB.
    pub const MOST_BYTES: usize = 2 << 30;

    /// Takes the bytes as they are, or what they decompress to if they are a compressor's file by content.
    ///
    /// # Errors
    /// [`ErrorKind::Syntax`] if a compressor's file is damaged, [`ErrorKind::Limit`] if it expands to more than
    /// [`Input::MOST_BYTES`].
    pub fn new(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self> {
        Self::with_limit(name, bytes, Self::MOST_BYTES)
    }

    /// As [`Input::new`], with a limit of the bytes that a compressed input may expand to.
    ///
    /// # Errors
    /// As [`Input::new`].
    pub fn with_limit(name: impl Into<String>, bytes: Vec<u8>, most: usize) -> Result<Self> {
        let mut name = name.into();
        let Some(compressor) = compress::recognise(&bytes) else {
            return Ok(Self { name, bytes, compressor: None });
        };
        let mut out = Vec::new();
        compressor.decompress(&bytes, most, &mut out).map_err(|e| {
            let kind = match e {
                compress::Error::Expanded { .. } => ErrorKind::Limit,
                compress::Error::Truncated { .. } => ErrorKind::Truncated,
                _ => ErrorKind::Syntax,
            };
            Error::new(kind, e.to_string())
        })?;
        let stem = name
            .rsplit_once('.')
            .filter(|(_, extension)| compressor.extensions.iter().any(|e| e.eq_ignore_ascii_case(extension)));
        if let Some(len) = stem.map(|(stem, _)| stem.len()) {
            name.truncate(len);
        }
        Ok(Self { name, bytes: out, compressor: Some(compressor.name) })
    }

    /// The extension of the name, in lower case.
    pub fn extension(&self) -> Option<String> {
        let (stem, extension) = self.name.rsplit_once('.')?;
        (!stem.is_empty() && !extension.contains(['/', '\\'])).then(|| extension.to_ascii_lowercase())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compressed_file_is_read_as_it_is() {
        let gzip = compress::by_name("gzip").unwrap();
        let mut bytes = Vec::new();
        gzip.compress(b"[]", None, &mut bytes).unwrap();
        let input = Input::new("a.json.gz", bytes.clone()).unwrap();
        assert_eq!((input.name.as_str(), &input.bytes[..], input.compressor), ("a.json", &b"[]"[..], Some("gzip")));
        assert_eq!(input.extension().as_deref(), Some("json"));
        bytes.truncate(12);
        assert!(Input::new("a.json.gz", bytes).is_err());
    }
}
