//! Appending words and text with one bounds check each.

use crate::varint::{spread7, varint_len};

/// Writes into a vector that is longer than what was written, so that a store needs one check.
pub(crate) struct Writer<'o> {
    out: &'o mut Vec<u8>,
    at: usize,
}

/// Bytes kept free beyond what is asked for.
const SLACK: usize = 64;

impl<'o> Writer<'o> {
    /// Appends to `out`; `expected` bytes are made ready at once.
    pub(crate) fn new(out: &'o mut Vec<u8>, expected: usize) -> Self {
        let at = out.len();
        out.resize(at + expected + SLACK, 0);
        Self { out, at }
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

    #[cold]
    #[inline(never)]
    fn make_room(&mut self, bytes: usize) -> &mut [u8] {
        let len = (self.at + bytes + SLACK).max(self.out.len() * 2);
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
        let (bytes, len) = spread7(value);
        if len + tag_len <= 8 && value < 1 << 56 {
            self.word(tag_bytes | bytes << (8 * tag_len), tag_len + len);
        } else {
            self.word(tag_bytes, tag_len);
            self.varint(value);
        }
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

/// A varint by the plain loop.
pub(crate) fn plain_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
