//! Bytes: the first that matters, and whole tokens by one compare.
//!
//! The loops are shaped so that the compiler turns them into vector instructions.

#![allow(
    clippy::needless_bitwise_bool,
    reason = "lazy operators are branches, and a loop with branches is no vector code"
)]

/// Bytes looked at in one go.
const WINDOW: usize = 16;

/// Where the first byte from `from` on lies that stops, or the end.
#[inline(always)]
pub(super) fn first(bytes: &[u8], from: usize, stops: impl Fn(u8) -> bool) -> usize {
    let mut at = from;
    while let Some(window) = bytes.get(at..).and_then(<[u8]>::first_chunk::<WINDOW>) {
        let mut marks = [0; WINDOW];
        for (mark, &byte) in marks.iter_mut().zip(window) {
            *mark = if stops(byte) { u8::MAX } else { 0 };
        }
        let found = u128::from_le_bytes(marks);
        if found != 0 {
            return at + found.trailing_zeros() as usize / 8;
        }
        at += WINDOW;
    }
    bytes.get(at..).and_then(|rest| rest.iter().position(|&byte| stops(byte))).map_or(bytes.len(), |more| at + more)
}

/// White space: `S`, production 3.
#[inline(always)]
pub(super) fn is_blank_byte(byte: u8) -> bool {
    (byte == b' ') | (byte == b'\n') | (byte == b'\t') | (byte == b'\r')
}

/// Whether text is nothing but white space.
pub(super) fn is_blank(text: &str) -> bool {
    text.bytes().all(is_blank_byte)
}

/// What ends a tag, or starts a value in which its end may stand.
#[inline(always)]
pub(super) fn ends_tag(byte: u8) -> bool {
    (byte == b'>') | (byte == b'"') | (byte == b'\'')
}

/// What ends text that is taken as it lies there: markup, a reference, a line end to be normalised, and what may
/// be `]]>`.
#[inline(always)]
pub(super) fn ends_plain_text(byte: u8) -> bool {
    (byte == b'<') | (byte == b'&') | (byte == b'\r') | (byte == b']')
}

/// What ends an attribute's value that is taken as it lies there: a quote, markup, a reference, and white space to
/// be normalised.
#[inline(always)]
pub(super) fn ends_plain_value(byte: u8) -> bool {
    (byte == b'"') | (byte == b'\'') | (byte == b'<') | (byte == b'&') | (byte < b' ')
}

/// Whether all characters are ones of XML: `Char`, production 2.
pub(super) fn fits(document: &str) -> bool {
    // Long enough for vectors, short enough to find a stray character early.
    const BLOCK: usize = 4096;
    let mut all = 0;
    for block in document.as_bytes().chunks(BLOCK) {
        let mut stray = 0;
        for &byte in block {
            let legal = (byte >= b' ') | (byte == b'\n') | (byte == b'\t') | (byte == b'\r');
            stray |= u8::from(!legal);
            all |= byte;
        }
        if stray != 0 {
            return false;
        }
    }
    // The two others, U+FFFE and U+FFFF, start with EF in UTF-8.
    all.is_ascii() || memchr::memchr(0xef, document.as_bytes()).is_none_or(|at| !has_noncharacter(document, at))
}

fn has_noncharacter(document: &str, from: usize) -> bool {
    document[from..].contains(['\u{fffe}', '\u{ffff}'])
}

/// Bytes of the longest pattern.
pub(super) const WIDTH: usize = 48;
const WORDS: usize = WIDTH / 8;

/// A short sequence of bytes that is compared at once.
#[derive(Debug, Clone)]
pub(super) struct Pattern {
    words: [u64; WORDS],
    mask: [u64; WORDS],
    pub(super) len: u32,
}

impl Pattern {
    /// What no bytes match.
    pub(super) const NEVER: Self = Self { words: [1; WORDS], mask: [0; WORDS], len: 0 };

    /// A pattern of the parts one after another; one that never matches if they are too long.
    pub(super) fn new(parts: &[&[u8]]) -> Self {
        let whole = parts.concat();
        if whole.is_empty() || whole.len() > WIDTH {
            return Self::NEVER;
        }
        let mut pattern = Self { words: [0; WORDS], mask: [0; WORDS], len: whole.len() as u32 };
        for (at, &byte) in whole.iter().enumerate() {
            pattern.words[at / 8] |= u64::from(byte) << (at % 8 * 8);
            pattern.mask[at / 8] |= 0xff << (at % 8 * 8);
        }
        pattern
    }

    /// Whether the bytes at `at` are these.
    #[inline(always)]
    pub(super) fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        match bytes.get(at..).and_then(<[u8]>::first_chunk::<WIDTH>) {
            Some(window) => self.is(window),
            None => self.is_near_the_end(bytes, at),
        }
    }

    #[inline(always)]
    fn is(&self, window: &[u8; WIDTH]) -> bool {
        let mut differ = 0;
        for (at, chunk) in window.as_chunks::<8>().0.iter().enumerate() {
            differ |= (u64::from_le_bytes(*chunk) & self.mask[at]) ^ self.words[at];
        }
        differ == 0
    }

    #[inline(never)]
    fn is_near_the_end(&self, bytes: &[u8], at: usize) -> bool {
        let rest = bytes.get(at..).unwrap_or_default();
        let mut window = [0; WIDTH];
        window[..rest.len()].copy_from_slice(rest);
        // The bytes that were filled in are zero, which no document holds.
        self.is(&window)
    }
}
