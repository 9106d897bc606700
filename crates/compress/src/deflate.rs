//! What zlib and gzip share: DEFLATE (RFC 1951), through flate2 over stock zlib.
//!
//! Why stock zlib and not a port in Rust: sizes "under zlib" are compared with what other people's
//! zlib writes, and only the original makes the same choices. On 10,000 DNS records at level 6, three
//! seeds, against the zlib of Python's standard library (1.2.13):
//!
//! | flate2 backend | thrift-binary | protobuf | json-spaced | json | yaml-flow |
//! |---|---|---|---|---|---|
//! | `zlib-default` (stock zlib 1.4, bundled) | 0.00 % | 0.00 % | 0.00 % | 0.00 % | 0.00 % |
//! | `rust_backend` (`miniz_oxide`) | −0.4 % | −0.1 % | −0.8 % | −0.8 % | −1.0 % |
//! | `zlib-rs` | −4.3 % | −0.6 % | +2.6 % | +1.9 % | +0.4 % |
//!
//! At level 1 the gaps are 5–9 % and 11–32 %. Stock zlib needs a C compiler, which zstd needs anyway.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

use crate::session::Keep;
use crate::{Error, check_limit, make_room};

/// Base-2 logarithm of the window: 32 KiB, the largest, as every zlib takes by default.
const WINDOW_BITS: u8 = 15;

/// What is wrapped around the DEFLATE data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wrapper {
    /// Two bytes and an Adler-32 (RFC 1950).
    Zlib,
    /// Ten bytes or more, a CRC-32 and the length (RFC 1952).
    Gzip,
}

impl Wrapper {
    fn name(self) -> &'static str {
        match self {
            Self::Zlib => "zlib",
            Self::Gzip => "gzip",
        }
    }

    /// The row's range is 0 to 9 and was checked.
    fn compressor(self, level: i32) -> Compress {
        let level = Compression::new(level.unsigned_abs());
        match self {
            Self::Zlib => Compress::new(level, true),
            Self::Gzip => Compress::new_gzip(level, WINDOW_BITS),
        }
    }

    fn decompressor(self) -> Decompress {
        match self {
            Self::Zlib => Decompress::new(true),
            Self::Gzip => Decompress::new_gzip(WINDOW_BITS),
        }
    }
}

/// Compresses `input` onto `out`.
pub(crate) fn compress(wrapper: Wrapper, input: &[u8], level: i32, out: &mut Vec<u8>) -> Result<(), Error> {
    compress_with(&mut wrapper.compressor(level), wrapper.name(), input, out)
}

/// Compresses `input` onto `out`, with a state that is new or was reset.
fn compress_with(state: &mut Compress, name: &'static str, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    // Incompressible data grows by 5 bytes a block of 16 KiB; 64 more cover header and trailer.
    out.reserve(input.len() + input.len() / 1000 + 64);
    loop {
        let rest = &input[state.total_in() as usize..];
        let status = state
            .compress_vec(rest, out, FlushCompress::Finish)
            .map_err(|error| Error::Library { compressor: name, reason: error.to_string() })?;
        match status {
            Status::StreamEnd => return Ok(()),
            Status::Ok | Status::BufError => out.reserve(64 << 10),
        }
    }
}

/// The state of a compressor, to be reset for each message.
struct Kept {
    wrapper: Wrapper,
    state: Compress,
}

pub(crate) fn keep(wrapper: Wrapper, level: i32) -> Box<dyn Keep> {
    Box::new(Kept { wrapper, state: wrapper.compressor(level) })
}

impl Keep for Kept {
    fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        self.state.reset();
        compress_with(&mut self.state, self.wrapper.name(), input, out)
    }

    /// A state for reading is small, and flate2 cannot reset one of gzip: it would read zlib from then on.
    fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        decompress(self.wrapper, input, limit, out)
    }
}

/// Expands the one zlib stream, or the gzip members, that `input` must consist of, onto `out`.
pub(crate) fn decompress(wrapper: Wrapper, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut at = 0;
    loop {
        at += decompress_one(wrapper, input, at, limit, out)?;
        match &input[at..] {
            [] => return Ok(()),
            // RFC 1952, section 2.2: members simply follow each other.
            [0x1F, 0x8B, ..] if wrapper == Wrapper::Gzip => {}
            _ => return Err(Error::Trailing { compressor: wrapper.name(), offset: at }),
        }
    }
}

/// Expands the stream that starts at `start` and returns how many bytes of the input it takes.
fn decompress_one(
    wrapper: Wrapper,
    input: &[u8],
    start: usize,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    let name = wrapper.name();
    let mut state = wrapper.decompressor();
    loop {
        if out.len() == out.capacity() {
            make_room(out, limit);
        }
        let at = start + state.total_in() as usize;
        let before = (state.total_in(), state.total_out());
        let status = state
            .decompress_vec(&input[at..], out, FlushDecompress::None)
            .map_err(|error| corrupt(name, start + state.total_in() as usize, &error))?;
        check_limit(name, out, limit)?;
        if status == Status::StreamEnd {
            return Ok(state.total_in() as usize);
        }
        let stuck = before == (state.total_in(), state.total_out());
        if stuck && out.len() < out.capacity() {
            return Err(Error::Truncated { compressor: name, offset: input.len() });
        }
    }
}

fn corrupt(compressor: &'static str, offset: usize, error: &flate2::DecompressError) -> Error {
    let reason = match error.needs_dictionary() {
        Some(_) => "it needs a preset dictionary, which Bantam has none of".to_owned(),
        None => error.message().unwrap_or("no valid DEFLATE data").to_owned(),
    };
    Error::Corrupt { compressor, offset, reason }
}

/// Whether the start of `input` expands as a zlib stream, as far as the first bytes can tell.
pub(crate) fn looks_like_zlib(input: &[u8]) -> bool {
    const LOOK_AT: usize = 1 << 10;
    const EXPAND_TO: usize = 4 << 10;
    let mut out = Vec::with_capacity(EXPAND_TO);
    let mut state = Wrapper::Zlib.decompressor();
    let start = &input[..input.len().min(LOOK_AT)];
    match state.decompress_vec(start, &mut out, FlushDecompress::None) {
        Ok(Status::StreamEnd) => true,
        // No error within a whole kilobyte, or until the output was full. Shorter input that
        // has not ended yet is not proof enough: two bytes of many a text would pass.
        Ok(Status::Ok | Status::BufError) => state.total_in() as usize == LOOK_AT || out.len() == EXPAND_TO,
        Err(_) => false,
    }
}
