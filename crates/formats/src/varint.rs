//! Base 128 varints and zigzag numbers, eight bytes at a time in safe Rust.
//!
//! Protocol Buffers and Thrift's compact protocol share them: "Base 128 Varints" and "Signed Integers" in
//! <https://protobuf.dev/programming-guides/encoding/>.

use bantam_model::{Error, ErrorKind, Result};

const STOPS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from `at`, zeros beyond the end of the input.
#[inline(always)]
pub(crate) fn load8(input: &[u8], at: usize) -> u64 {
    match input.get(at..).and_then(<[u8]>::first_chunk::<8>) {
        Some(chunk) => u64::from_le_bytes(*chunk),
        None => load_tail(input, at),
    }
}

#[cold]
#[inline(never)]
fn load_tail(input: &[u8], at: usize) -> u64 {
    let mut chunk = [0; 8];
    let tail = input.get(at..).unwrap_or_default();
    chunk[..tail.len()].copy_from_slice(tail);
    u64::from_le_bytes(chunk)
}

/// The varint in the lowest bytes of `chunk`, of which `have` bytes count: its value and length, or nothing if
/// it goes on beyond them.
#[inline(always)]
pub(crate) fn varint_in(chunk: u64, have: u32) -> Option<(u64, u32)> {
    let stops = !chunk & STOPS;
    let len = (stops.trailing_zeros() >> 3) + 1;
    // No stop bit gives 64 >> 3 + 1 = 9, more than any `have`.
    if len > have {
        return None;
    }
    let kept = chunk & (stops ^ stops.wrapping_sub(1));
    Some((pack7(kept), len))
}

/// Takes the top bit out of each byte and closes the gaps.
#[inline(always)]
fn pack7(chunk: u64) -> u64 {
    let x = chunk & !STOPS;
    let x = (x & 0x007f_007f_007f_007f) | ((x & 0x7f00_7f00_7f00_7f00) >> 1);
    let x = (x & 0x0000_3fff_0000_3fff) | ((x & 0x3fff_0000_3fff_0000) >> 2);
    (x & 0x0000_0000_0fff_ffff) | ((x & 0x0fff_ffff_0000_0000) >> 4)
}

/// The varint at `at`, which must end before `end`: its value and the place behind it. Bits beyond the 64th
/// are dropped, as the C++ library does.
#[inline]
pub(crate) fn varint(input: &[u8], at: usize, end: usize) -> Result<(u64, usize)> {
    if let Some((value, len)) = varint_in(load8(input, at), 8)
        && at + len as usize <= end
    {
        return Ok((value, at + len as usize));
    }
    long_varint(input, at, end)
}

#[cold]
#[inline(never)]
fn long_varint(input: &[u8], at: usize, end: usize) -> Result<(u64, usize)> {
    let mut value = 0;
    for (count, &byte) in input[at..end].iter().enumerate().take(10) {
        value |= u64::from(byte & 0x7f) << (7 * count);
        if byte < 0x80 {
            return Ok((value, at + count + 1));
        }
    }
    if end - at < 10 {
        return Err(truncated("a varint", end));
    }
    Err(Error::new(ErrorKind::Syntax, "a varint of more than 10 bytes").at_byte(at))
}

#[cold]
#[inline(never)]
pub(crate) fn truncated(what: &str, end: usize) -> Error {
    Error::new(ErrorKind::Truncated, format!("the input ends inside {what}")).at_byte(end)
}

/// A value below 2^56 as a varint: its bytes in a word, and how many they are.
#[inline(always)]
pub(crate) fn spread7(value: u64) -> (u64, u32) {
    let x = (value & 0x0000_0000_0fff_ffff) | ((value & 0x00ff_ffff_f000_0000) << 4);
    let x = (x & 0x0000_3fff_0000_3fff) | ((x & 0x0fff_c000_0fff_c000) << 2);
    let x = (x & 0x007f_007f_007f_007f) | ((x & 0x3f80_3f80_3f80_3f80) << 1);
    let len = varint_len(value);
    let more = STOPS & ((1 << (8 * (len - 1))) - 1);
    (x | more, len)
}

/// Bytes of a value as a varint, 1 to 10.
#[inline(always)]
pub(crate) fn varint_len(value: u64) -> u32 {
    let bits = 64 - (value | 1).leading_zeros();
    (bits * 9 + 64) >> 6
}

/// 0, −1, 1, −2, … for 0, 1, 2, 3, …
#[inline(always)]
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// 0, 1, 2, 3, … for 0, −1, 1, −2, …
#[inline(always)]
pub(crate) fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(mut value: u64) -> Vec<u8> {
        let mut out = Vec::new();
        while value >= 0x80 {
            out.push(value as u8 | 0x80);
            value >>= 7;
        }
        out.push(value as u8);
        out
    }

    #[test]
    fn every_length_reads_and_writes_as_the_plain_loop() {
        for bits in 0..64 {
            for value in [1u64 << bits, (1 << bits) - 1, (1 << bits) + 1, u64::MAX >> bits] {
                let bytes = plain(value);
                assert_eq!(varint_len(value) as usize, bytes.len(), "{value}");
                assert_eq!(varint(&bytes, 0, bytes.len()).unwrap(), (value, bytes.len()));
                if value < 1 << 56 {
                    let (word, len) = spread7(value);
                    assert_eq!(&word.to_le_bytes()[..len as usize], bytes);
                }
                assert_eq!(zigzag(unzigzag(value)), value);
            }
        }
    }

    #[test]
    fn overlong_and_cut_varints() {
        assert_eq!(varint(&[0x81, 0x80, 0x80, 0x00], 0, 4).unwrap(), (1, 4));
        assert_eq!(varint(&[0x81, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00], 0, 10).unwrap(), (1, 10));
        assert_eq!(varint(&[0xff; 12], 0, 12).unwrap_err().kind(), ErrorKind::Syntax);
        assert_eq!(varint(&[0xff; 3], 0, 3).unwrap_err().kind(), ErrorKind::Truncated);
        assert_eq!(varint(&[0x80, 0x01], 0, 1).unwrap_err().kind(), ErrorKind::Truncated);
    }
}
