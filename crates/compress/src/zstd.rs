//! `zstd`: Zstandard, RFC 8878.

use zstd::zstd_safe::{
    CCtx, CParameter, DCtx, ErrorCode, InBuffer, OutBuffer, ResetDirective, compress_bound, get_error_name,
    get_frame_content_size,
};

use crate::session::Keep;
use crate::{Compressor, Error, Levels, check_limit, make_room};

const NAME: &str = "zstd";
/// RFC 8878, section 3.1.1: the first bytes of a frame.
const MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

pub(crate) static ZSTD: Compressor = Compressor {
    name: NAME,
    about: "Zstandard (RFC 8878), by libzstd; one frame with its size, no checksum",
    // libzstd also takes 0, which means 3, and negative levels for less compression than lz4 gives.
    levels: Some(Levels { default: 3, lowest: 1, highest: 22 }),
    extensions: &["zst", "zstd"],
    concatenates: true,
    weighed: true,
    recognise: |input| input.starts_with(&MAGIC),
    compress,
    decompress: |input, limit, out| decompress(&mut DCtx::create(), input, limit, out),
    keep: Some(|level| Ok(Box::new(Kept { writing: writing(level)?, reading: DCtx::create() }))),
};

fn failed(code: ErrorCode) -> Error {
    Error::Library { compressor: NAME, reason: get_error_name(code).into() }
}

/// A state for compressing at that level.
fn writing(level: i32) -> Result<CCtx<'static>, Error> {
    let mut state = CCtx::create();
    state.set_parameter(CParameter::CompressionLevel(level)).map_err(failed)?;
    Ok(state)
}

fn compress(input: &[u8], level: i32, out: &mut Vec<u8>) -> Result<(), Error> {
    compress_with(&mut writing(level)?, input, out)
}

fn compress_with(state: &mut CCtx<'_>, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
    out.reserve(compress_bound(input.len()));
    state.compress2(out, input).map_err(failed)?;
    Ok(())
}

/// Both states, for one message after another.
struct Kept {
    writing: CCtx<'static>,
    reading: DCtx<'static>,
}

impl Keep for Kept {
    fn compress(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<(), Error> {
        compress_with(&mut self.writing, input, out)
    }

    fn decompress(&mut self, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        // The message before may have ended in the middle of a frame.
        self.reading.reset(ResetDirective::SessionOnly).map_err(failed)?;
        decompress(&mut self.reading, input, limit, out)
    }
}

fn decompress(state: &mut DCtx<'_>, input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut at = 0;
    loop {
        at = decompress_frame(state, input, at, limit, out)?;
        let rest = &input[at..];
        if rest.is_empty() {
            return Ok(());
        }
        if !(rest.starts_with(&MAGIC) || is_skippable(rest)) {
            return Err(Error::Trailing { compressor: NAME, offset: at });
        }
    }
}

/// Expands the frame that starts at `start` and returns where it ends.
fn decompress_frame(
    state: &mut DCtx<'_>,
    input: &[u8],
    start: usize,
    limit: usize,
    out: &mut Vec<u8>,
) -> Result<usize, Error> {
    // A frame that says how large it is and finds the room is expanded in one go, without the
    // window's copy. The size is only a claim: the limit holds, and a lie costs an allocation.
    if let Ok(Some(size)) = get_frame_content_size(&input[start..]) {
        let most = limit.saturating_add(1).saturating_sub(out.len());
        out.reserve_exact(usize::try_from(size).unwrap_or(most).min(most));
    }
    let mut from = InBuffer { src: input, pos: start };
    loop {
        if out.len() == out.capacity() {
            make_room(out, limit);
        }
        let (read, written) = (from.pos, out.len());
        let hint = state
            .decompress_stream(&mut OutBuffer::around_pos(out, written), &mut from)
            .map_err(|code| corrupt(from.pos, code))?;
        check_limit(NAME, out, limit)?;
        if hint == 0 {
            return Ok(from.pos);
        }
        let stuck = (read, written) == (from.pos, out.len());
        if stuck && out.len() < out.capacity() {
            return Err(Error::Truncated { compressor: NAME, offset: input.len() });
        }
    }
}

fn corrupt(offset: usize, code: ErrorCode) -> Error {
    Error::Corrupt { compressor: NAME, offset, reason: get_error_name(code).into() }
}

/// RFC 8878, section 3.1.2: frames of user data, to be passed over.
fn is_skippable(input: &[u8]) -> bool {
    matches!(input, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}
