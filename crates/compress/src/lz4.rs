//! `lz4`: the LZ4 frame format, version 1.6.
//!
//! Specification: <https://github.com/lz4/lz4/blob/dev/doc/lz4_Frame_format.md>. The library reads a
//! frame that is cut off between two blocks as if it were whole, so the frame's structure is walked
//! first; that also tells where it ends.

use std::io::{BufRead, Write};

use lz4_flex::frame::{FrameDecoder, FrameEncoder};

use crate::{Compressor, Error, check_limit};

const NAME: &str = "lz4";
const MAGIC: [u8; 4] = [0x04, 0x22, 0x4D, 0x18];

pub(crate) static LZ4: Compressor = Compressor {
    name: NAME,
    about: "LZ4 frames, by lz4_flex; independent blocks of up to 4 MB, no checksum",
    levels: None,
    extensions: &["lz4"],
    concatenates: true,
    weighed: true,
    recognise: |input| input.starts_with(&MAGIC),
    compress,
    decompress,
    keep: None,
};

fn compress(input: &[u8], _level: i32, out: &mut Vec<u8>) -> Result<(), Error> {
    let failed = |reason: String| Error::Library { compressor: NAME, reason };
    let mut frame = FrameEncoder::new(out);
    frame.write_all(input).map_err(|error| failed(error.to_string()))?;
    frame.finish().map_err(|error| failed(error.to_string()))?;
    Ok(())
}

fn decompress(input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut at = 0;
    loop {
        let rest = &input[at..];
        if at > 0 && rest.is_empty() {
            return Ok(());
        }
        if at > 0 && !rest.starts_with(&MAGIC) && !is_skippable(rest) {
            return Err(Error::Trailing { compressor: NAME, offset: at });
        }
        let end = frame_end(input, at)?;
        if !is_skippable(rest) {
            decompress_frame(&input[at..end], at, limit, out)?;
        }
        at = end;
    }
}

/// Expands one whole frame, which starts at byte `start` of the input.
fn decompress_frame(frame: &[u8], start: usize, limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut decoder = FrameDecoder::new(frame);
    loop {
        let block = decoder.fill_buf().map_err(|error| error.to_string());
        let length = match block {
            Ok(block) => {
                let most = limit.saturating_add(1).saturating_sub(out.len());
                out.extend_from_slice(&block[..block.len().min(most)]);
                block.len()
            }
            Err(reason) => {
                let offset = start + frame.len() - decoder.get_ref().len();
                return Err(Error::Corrupt { compressor: NAME, offset, reason });
            }
        };
        check_limit(NAME, out, limit)?;
        decoder.consume(length);
        // A block may be empty; only the end of the frame ends it.
        if length == 0 && decoder.get_ref().is_empty() {
            return Ok(());
        }
    }
}

/// Where the frame that starts at `start` ends, by its block lengths alone.
fn frame_end(input: &[u8], start: usize) -> Result<usize, Error> {
    if is_skippable(&input[start..]) {
        let length = u32_at(input, start + 4)? as usize;
        return within(input, (start + 8).saturating_add(length));
    }
    u32_at(input, start)?;
    if !input[start..].starts_with(&MAGIC) {
        let reason = "no LZ4 frame starts here".to_owned();
        return Err(Error::Corrupt { compressor: NAME, offset: start, reason });
    }
    let flags = *input.get(start + 4).ok_or_else(|| truncated(input))?;
    let has = |bit: u8, bytes: usize| if flags & bit == 0 { 0 } else { bytes };
    let block_checksum = has(0x10, 4);
    // Magic, flags, block size, content size, dictionary, header checksum.
    let mut at = within(input, start + 4 + 2 + has(0x08, 8) + has(0x01, 4) + 1)?;
    loop {
        let word = u32_at(input, at)?;
        if word == 0 {
            return within(input, at + 4 + has(0x04, 4));
        }
        // The highest bit says that the block is stored as it is.
        let length = (word & 0x7FFF_FFFF) as usize;
        at = within(input, (at + 4 + block_checksum).saturating_add(length))?;
    }
}

fn u32_at(input: &[u8], at: usize) -> Result<u32, Error> {
    let bytes = input.get(at..).and_then(<[u8]>::first_chunk).ok_or_else(|| truncated(input))?;
    Ok(u32::from_le_bytes(*bytes))
}

fn within(input: &[u8], at: usize) -> Result<usize, Error> {
    if at > input.len() { Err(truncated(input)) } else { Ok(at) }
}

fn truncated(input: &[u8]) -> Error {
    Error::Truncated { compressor: NAME, offset: input.len() }
}

/// Frames of user data, to be passed over; zstd shares them.
fn is_skippable(input: &[u8]) -> bool {
    matches!(input, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}
