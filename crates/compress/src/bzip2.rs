//! `bzip2`: Julian Seward's block-sorting compressor, by the port of its library to Rust.
//!
//! There is no specification but the program, <https://sourceware.org/bzip2/>; its format is described in
//! <https://github.com/dsnet/compress/blob/master/doc/bzip2-format.pdf>. Archives are full of it, so it is read as the others are;
//! a weigh-in takes it only when it is named, since it is slow and rarely chosen for new data.

use bzip2::{Action, Compress, Compression, Decompress, Status};

use crate::{Compressor, Error, Levels, check_limit, make_room};

const NAME: &str = "bzip2";
/// The first bytes of a stream, before its level as a digit.
const MAGIC: &[u8] = b"BZh";
/// What follows the level: the digits of pi before a block, those of its root at the end of the stream.
const MARKS: [&[u8]; 2] = [b"\x31\x41\x59\x26\x53\x59", b"\x17\x72\x45\x38\x50\x90"];

pub(crate) static BZIP2: Compressor = Compressor {
    name: NAME,
    about: "bzip2, by libbz2-rs; only where it is named",
    levels: Some(Levels { default: 9, lowest: 1, highest: 9 }),
    extensions: &["bz2", "bzip2"],
    concatenates: true,
    weighed: false,
    recognise,
    compress,
    decompress,
    keep: None,
};

/// `BZh1` alone could start a text; with the mark behind it, it cannot.
fn recognise(input: &[u8]) -> bool {
    let Some((level, rest)) = input.strip_prefix(MAGIC).and_then(|rest| rest.split_first()) else { return false };
    (b'1'..=b'9').contains(level) && MARKS.iter().any(|mark| rest.starts_with(mark))
}

fn compress(input: &[u8], level: i32, out: &mut Vec<u8>) -> Result<(), Error> {
    // 0 is the library's own limit of effort before it takes the sort for repetitive data.
    let mut state = Compress::new(Compression::new(level.unsigned_abs()), 0);
    // What cannot be compressed grows by about 1 %, as the library's manual says.
    out.reserve(input.len() + input.len() / 100 + 600);
    loop {
        let rest = &input[state.total_in() as usize..];
        let status = state
            .compress_vec(rest, out, Action::Finish)
            .map_err(|error| Error::Library { compressor: NAME, reason: error.to_string() })?;
        if status == Status::StreamEnd {
            return Ok(());
        }
        out.reserve(64 << 10);
    }
}

fn decompress(input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    let mut at = 0;
    loop {
        at += decompress_one(input, at, limit, out)?;
        let rest = &input[at..];
        if rest.is_empty() {
            return Ok(());
        }
        if !rest.starts_with(MAGIC) {
            return Err(Error::Trailing { compressor: NAME, offset: at });
        }
    }
}

/// Expands the stream that starts at `start` and returns how many bytes of the input it takes.
fn decompress_one(input: &[u8], start: usize, limit: usize, out: &mut Vec<u8>) -> Result<usize, Error> {
    let mut state = Decompress::new(false);
    loop {
        if out.len() == out.capacity() {
            make_room(out, limit);
        }
        let at = start + state.total_in() as usize;
        let before = (state.total_in(), state.total_out());
        let status = state.decompress_vec(&input[at..], out).map_err(|error| Error::Corrupt {
            compressor: NAME,
            offset: start + state.total_in() as usize,
            reason: error.to_string().trim_start_matches("bzip2: ").to_owned(),
        })?;
        check_limit(NAME, out, limit)?;
        match status {
            Status::StreamEnd => return Ok(state.total_in() as usize),
            Status::MemNeeded => return Err(Error::Library { compressor: NAME, reason: "out of memory".to_owned() }),
            _ => {}
        }
        let stuck = before == (state.total_in(), state.total_out());
        if stuck && out.len() < out.capacity() {
            return Err(Error::Truncated { compressor: NAME, offset: input.len() });
        }
    }
}
