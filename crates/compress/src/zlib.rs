//! `zlib`: DEFLATE in the zlib wrapper, RFC 1950.

use crate::deflate::{self, Wrapper};
use crate::{Compressor, Levels};

pub(crate) static ZLIB: Compressor = Compressor {
    name: "zlib",
    about: "DEFLATE in the zlib wrapper (RFC 1950), by stock zlib",
    levels: Some(Levels { default: 6, lowest: 0, highest: 9 }),
    extensions: &["zz", "zlib"],
    concatenates: false,
    weighed: true,
    recognise,
    compress: |input, level, out| deflate::compress(Wrapper::Zlib, input, level, out),
    decompress: |input, limit, out| deflate::decompress(Wrapper::Zlib, input, limit, out),
    keep: Some(|level| Ok(deflate::keep(Wrapper::Zlib, level))),
};

/// RFC 1950 has no magic number: method 8 (DEFLATE), a window of at most 32 KiB, no preset
/// dictionary, and a check that both bytes, read as one number, divide by 31. `8O` and `hC` pass, and so
/// does a protobuf field with the value 29, so the data behind the header must expand as well.
fn recognise(input: &[u8]) -> bool {
    let &[method_and_window, flags, ..] = input else { return false };
    method_and_window & 0x0F == 8
        && method_and_window >> 4 <= 7
        && flags & 0x20 == 0
        && (u16::from(method_and_window) << 8 | u16::from(flags)).is_multiple_of(31)
        && deflate::looks_like_zlib(input)
}
