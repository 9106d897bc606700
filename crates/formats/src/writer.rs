//! Appending words and text with one bounds check each.

use crate::varint::{spread7, varint_len};

/// Writes into a vector that is longer than what was written, so that a store needs one check.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    /// Where this writer began: what lies before is of others, and no measure for how much will follow.
    start: usize,
    at: usize,
}

/// Bytes kept free beyond what is asked for.
const SLACK: usize = 64;

impl<'o> Writer<'o> {
    /// Appends to `out`; `expected` bytes are made ready at once.
    pub(crate) fn new(out: &'o mut Vec<u8>, expected: usize) -> Self {
        let at = out.len();
        out.resize(at + expected + SLACK, 0);
        Self { out, start: at, at }
    }

    pub(crate) fn finish(self) {
        self.out.truncate(self.at);
    }

    pub(crate) fn position(&self) -> usize {
        self.at
    }

    /// Writes the lowest `len` bytes of a word.
    #[inline(always)]
    pub(crate) fn word(&mut self, word: u64, len: u32) {
        match self.out.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<8>) {
            Some(place) => *place = word.to_le_bytes(),
            None => self.make_room(8)[..8].copy_from_slice(&word.to_le_bytes()),
        }
        self.at += len as usize;
    }

    #[inline(always)]
    pub(crate) fn byte(&mut self, byte: u8) {
        self.word(byte.into(), 1);
    }

    /// Short text, such as a separator.
    #[inline]
    pub(crate) fn text(&mut self, text: &[u8]) {
        self.copy(text, 0, text.len());
    }

    /// A whole number in decimal digits.
    #[inline(always)]
    pub(crate) fn decimal(&mut self, value: u64) {
        if value < 100_000_000 {
            let (digits, count) = eight_digits(value);
            self.word(digits, count);
        } else {
            self.long_decimal(value);
        }
    }

    fn long_decimal(&mut self, value: u64) {
        const EIGHT: u64 = 100_000_000;
        let (high, low) = (value / EIGHT, value % EIGHT);
        if high < EIGHT {
            self.decimal(high);
        } else {
            self.decimal(high / EIGHT);
            self.word(padded_digits(high % EIGHT), 8);
        }
        self.word(padded_digits(low), 8);
    }

    /// A whole number in decimal digits, with its sign.
    #[inline(always)]
    pub(crate) fn signed(&mut self, value: i64) {
        if value < 0 {
            self.byte(b'-');
        }
        self.decimal(value.unsigned_abs());
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, bytes: usize) -> &mut [u8] {
        let len = self.at + bytes + SLACK + (self.out.len() - self.start);
        self.out.resize(len, 0);
        &mut self.out[self.at..]
    }

    /// Copies `source[from..from + len]`; up to 32 bytes go as one block where both sides have them.
    #[inline(always)]
    pub(crate) fn copy(&mut self, source: &[u8], from: usize, len: usize) {
        const BLOCK: usize = 32;
        let to = self.at;
        self.at += len;
        if len <= BLOCK
            && let Some(block) = source.get(from..).and_then(<[u8]>::first_chunk::<BLOCK>)
            && let Some(place) = self.out.get_mut(to..).and_then(<[u8]>::first_chunk_mut::<BLOCK>)
        {
            *place = *block;
            return;
        }
        self.copy_long(&source[from..from + len], to);
    }

    #[inline(never)]
    fn copy_long(&mut self, bytes: &[u8], to: usize) {
        if to + bytes.len() > self.out.len() {
            self.at = to;
            self.make_room(bytes.len());
            self.at = to + bytes.len();
        }
        self.out[to..to + bytes.len()].copy_from_slice(bytes);
    }

    #[inline]
    pub(crate) fn varint(&mut self, value: u64) {
        if value < 1 << 56 {
            let (bytes, len) = spread7(value);
            self.word(bytes, len);
        } else {
            let low = value & 0x00ff_ffff_ffff_ffff;
            self.word(spread7(low).0 | 0x8080_8080_8080_8080, 8);
            self.varint(value >> 56);
        }
    }

    /// A tag and a varint.
    #[inline(always)]
    pub(crate) fn varint_field(&mut self, tag_bytes: u64, tag_len: u32, value: u64) {
        if value < 1 << 56 {
            let (bytes, len) = spread7(value);
            if len + tag_len <= 8 {
                return self.word(tag_bytes | (bytes << (8 * tag_len)), tag_len + len);
            }
        }
        self.word(tag_bytes, tag_len);
        self.varint(value);
    }

    /// A tag, the length of a text, and the text. Short text goes as one block with one check on each side.
    #[inline(always)]
    pub(crate) fn text_field(&mut self, tag_bytes: u64, tag_len: u32, source: &[u8], from: usize, len: usize) {
        const BLOCK: usize = 32;
        if len <= BLOCK
            && let Some(block) = source.get(from..).and_then(<[u8]>::first_chunk::<BLOCK>)
            && let Some(place) = self.out.get_mut(self.at..).and_then(<[u8]>::first_chunk_mut::<{ BLOCK + 8 }>)
        {
            let header = tag_len as usize + 1;
            place[..8].copy_from_slice(&(tag_bytes | (len as u64) << (8 * tag_len)).to_le_bytes());
            place[header..header + BLOCK].copy_from_slice(block);
            self.at += header + len;
            return;
        }
        self.varint_field(tag_bytes, tag_len, len as u64);
        self.copy(source, from, len);
    }

    /// Writes `width` bytes of room for a length.
    #[inline(always)]
    pub(crate) fn length_room(&mut self, width: u8) {
        self.word(0, width.into());
    }

    /// Fills the room of `*width` bytes before `start` with the length of what was written since; makes the room
    /// fit if it does not, and remembers the right width.
    #[inline(always)]
    pub(crate) fn fill_length(&mut self, start: usize, width: &mut u8) {
        let len = (self.at - start) as u64;
        if *width == 1 && len < 0x80 {
            self.out[start - 1] = len as u8;
        } else {
            self.fill_long(start, len, width);
        }
    }

    #[inline(never)]
    fn fill_long(&mut self, start: usize, len: u64, width: &mut u8) {
        let needed = varint_len(len) as u8;
        let room = start - *width as usize;
        if needed != *width {
            let to = room + needed as usize;
            let end = self.at;
            if end + SLACK > self.out.len() {
                self.make_room(SLACK);
            }
            self.out.copy_within(start..end, to);
            self.at = to + (end - start);
            *width = needed;
        }
        let (bytes, _) = spread7(len);
        self.out[room..room + needed as usize].copy_from_slice(&bytes.to_le_bytes()[..needed as usize]);
    }
}

/// The eight decimal digits of a number below 10^8, with leading zeros, the first in the lowest byte.
#[inline(always)]
fn padded_digits(value: u64) -> u64 {
    // Halves, quarters, eighths: each step splits every lane into quotient and rest by a multiplication.
    let lanes = (value / 10_000) | ((value % 10_000) << 32);
    let tens = ((lanes * 10_486) >> 20) & 0x7f_0000_007f;
    let lanes = tens | ((lanes - tens * 100) << 16);
    let tens = ((lanes * 103) >> 10) & 0x000f_000f_000f_000f;
    (tens | ((lanes - tens * 10) << 8)) | 0x3030_3030_3030_3030
}

/// The decimal digits of a number below 10^8 without leading zeros, and how many they are.
#[inline(always)]
fn eight_digits(value: u64) -> (u64, u32) {
    let digits = padded_digits(value);
    // The last digit stays even if it is zero.
    let zeros = ((digits ^ 0x3030_3030_3030_3030) | (1 << 56)).trailing_zeros() >> 3;
    (digits >> (8 * zeros), 8 - zeros)
}

/// A varint by the plain loop.
pub(crate) fn plain_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Records that are written one by one into one vector must not pay for those before them.
    #[test]
    fn room_grows_with_what_this_writer_wrote() {
        let mut out = vec![1; 1 << 20];
        let mut writer = Writer::new(&mut out, 16);
        writer.text(&[2; 200]);
        assert!(writer.out.len() < (1 << 20) + 1_000, "{}", writer.out.len());
        writer.text(&[3; 300]);
        writer.finish();
        assert_eq!((out.len(), out[1 << 20], out.last()), ((1 << 20) + 500, 2, Some(&3)));
    }

    #[test]
    fn decimal_digits_are_those_of_the_standard_library() {
        let powers = (0..20).map(|n| 10u64.pow(n));
        let values = powers.flat_map(|p| [p - 1, p, p + 1, p.wrapping_mul(7)]).chain(0..10_000);
        for value in values.chain([u64::MAX, i64::MAX as u64, i64::MIN as u64]) {
            let mut out = Vec::new();
            let mut writer = Writer::new(&mut out, 0);
            writer.decimal(value);
            writer.signed(value as i64);
            writer.finish();
            assert_eq!(String::from_utf8(out).unwrap(), format!("{value}{}", value as i64));
        }
        for value in (0..100_000_000).step_by(9_973) {
            assert_eq!(padded_digits(value).to_le_bytes(), *format!("{value:08}").as_bytes());
        }
    }

    #[test]
    fn text_of_every_length_is_copied_whole() {
        let source: Vec<u8> = (0..200).collect();
        for len in 0..100 {
            for from in [0, 7, 200 - len] {
                let mut out = vec![9; 3];
                let mut writer = Writer::new(&mut out, 1);
                writer.copy(&source, from, len);
                writer.byte(1);
                writer.finish();
                assert_eq!(out[3..3 + len], source[from..from + len]);
                assert_eq!((&out[..3], out.len(), out[3 + len]), (&[9; 3][..], len + 4, 1));
            }
        }
    }
}
