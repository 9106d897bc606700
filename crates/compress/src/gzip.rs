//! `gzip`: DEFLATE in the gzip wrapper, RFC 1952.

use crate::deflate::{self, Wrapper};
use crate::{Compressor, Levels};

pub(crate) static GZIP: Compressor = Compressor {
    name: "gzip",
    // Without them the output depends on the input and the level alone.
    about: "DEFLATE in the gzip wrapper (RFC 1952), by stock zlib; no file name, no time",
    levels: Some(Levels { default: 6, lowest: 0, highest: 9 }),
    extensions: &["gz"],
    concatenates: true,
    weighed: true,
    // Two bytes of magic, then the one method there is.
    recognise: |input| input.starts_with(&[0x1F, 0x8B, 8]),
    compress: |input, level, out| deflate::compress(Wrapper::Gzip, input, level, out),
    decompress: |input, limit, out| deflate::decompress(Wrapper::Gzip, input, limit, out),
    keep: Some(|level| Ok(deflate::keep(Wrapper::Gzip, level))),
};
