//! `none`: a copy. The baseline that every compressor's time is held against.

use crate::{Compressor, Error, check_limit};

pub(crate) static NONE: Compressor = Compressor {
    name: "none",
    about: "no compression: a copy, the baseline of sizes and times",
    levels: None,
    extensions: &[],
    concatenates: false,
    weighed: true,
    recognise: |_| false,
    compress: |input, _level, out| {
        out.extend_from_slice(input);
        Ok(())
    },
    decompress,
    keep: None,
};

fn decompress(input: &[u8], limit: usize, out: &mut Vec<u8>) -> Result<(), Error> {
    // One byte more than allowed is enough to know.
    out.extend_from_slice(&input[..input.len().min(limit.saturating_add(1))]);
    check_limit("none", out, limit)
}
