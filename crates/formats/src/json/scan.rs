//! Text and numbers in JSON, eight bytes at a time.
//!
//! RFC 8259, sections 6 (numbers) and 7 (strings).

use crate::varint::load8;
use bantam_model::{Error, ErrorKind, Result};

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = 0x8080_8080_8080_8080;

/// Marks the top bit of each byte that is a quote, a backslash or a control character. Above the first marked
/// byte there may be false marks, never below.
#[inline(always)]
fn specials(chunk: u64) -> u64 {
    let quote = chunk ^ (ONES * 0x22);
    let slash = chunk ^ (ONES * 0x5c);
    let quote = quote.wrapping_sub(ONES) & !quote;
    let slash = slash.wrapping_sub(ONES) & !slash;
    let control = chunk.wrapping_sub(ONES * 0x20) & !chunk;
    (quote | slash | control) & TOPS
}

/// The first quote, backslash or control character from `at`, or a place at or beyond the end; and whether a
/// byte before it is not ASCII.
#[inline(always)]
pub(super) fn find_special(input: &[u8], mut at: usize) -> (usize, bool) {
    let mut tops = 0;
    loop {
        let chunk = load8(input, at);
        let found = specials(chunk);
        if found != 0 {
            let bits = found.trailing_zeros() & !7;
            tops |= chunk & TOPS & ((1 << bits) - 1);
            return (at + bits as usize / 8, tops != 0);
        }
        tops |= chunk & TOPS;
        at += 8;
    }
}

/// The number of bytes from `from` that can be written as they are, at most `len`.
#[inline(always)]
pub(super) fn plain_prefix(source: &[u8], from: usize, len: usize) -> usize {
    let mut done = 0;
    while done < len {
        let found = specials(load8(source, from + done));
        if found != 0 {
            return (done + found.trailing_zeros() as usize / 8).min(len);
        }
        done += 8;
    }
    len
}

/// Appends what `input[at..end]`, the inside of a string, stands for. It must have no raw control character.
///
/// # Errors
/// At an escape that JSON does not have, and at half a surrogate pair.
pub(super) fn unescape(input: &[u8], mut at: usize, end: usize, out: &mut Vec<u8>) -> Result<()> {
    while at < end {
        let run = memchr::memchr(b'\\', &input[at..end]).unwrap_or(end - at);
        out.extend_from_slice(&input[at..at + run]);
        at += run;
        if at == end {
            break;
        }
        let escape = *input.get(at + 1).unwrap_or(&0);
        let byte = match escape {
            b'"' | b'\\' | b'/' => escape,
            b'b' => 8,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'u' => {
                let (c, len) = unicode(&input[at..end]).map_err(|e| e.at_byte(at))?;
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
                at += len;
                continue;
            }
            _ => {
                let text = format!("`\\{}` is no escape of JSON", char::from(escape).escape_default());
                return Err(Error::new(ErrorKind::Syntax, text).at_byte(at));
            }
        };
        out.push(byte);
        at += 2;
    }
    Ok(())
}

/// The character of `\uXXXX`, or of a pair of them, and how many bytes they take.
fn unicode(text: &[u8]) -> Result<(char, usize)> {
    let unit = |at: usize| -> Option<u32> {
        let digits = text.get(at..at + 6)?;
        if !digits.starts_with(b"\\u") {
            return None;
        }
        digits[2..].iter().try_fold(0, |sum, &d| Some(sum * 16 + char::from(d).to_digit(16)?))
    };
    let Some(first) = unit(0) else {
        return Err(Error::new(ErrorKind::Syntax, "`\\u` wants four hexadecimal digits"));
    };
    if let Some(c) = char::from_u32(first) {
        return Ok((c, 6));
    }
    if let (0xd800..0xdc00, Some(second @ 0xdc00..0xe000)) = (first, unit(6))
        && let Some(c) = char::from_u32(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00))
    {
        return Ok((c, 12));
    }
    Err(Error::new(ErrorKind::Text, format!("`\\u{first:04x}` is half a surrogate pair, no character")))
}

/// How many of the lowest bytes are digits.
#[inline(always)]
fn digits_in(chunk: u64) -> u32 {
    let x = chunk ^ (ONES * 0x30);
    // A byte above 9 carries into its top bit, or has it.
    ((x.wrapping_add(ONES * 0x76) | x) & TOPS).trailing_zeros() >> 3
}

/// The number that the lowest `count` bytes, all digits, 1 to 8, write.
#[inline(always)]
fn number_in(chunk: u64, count: u32) -> u64 {
    let x = (chunk ^ (ONES * 0x30)) << (64 - 8 * count);
    let x = (x.wrapping_mul(10) + (x >> 8)) & 0x00ff_00ff_00ff_00ff;
    let x = (x.wrapping_mul(100) + (x >> 16)) & 0x0000_ffff_0000_ffff;
    x.wrapping_mul(10_000).wrapping_add(x >> 32) & 0xffff_ffff
}

const POWERS: [u64; 9] = [1, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

/// The digits from `at`: their number (nothing if it is beyond 64 bits) and how many there are.
#[inline(always)]
pub(super) fn digits(input: &[u8], at: usize) -> (Option<u64>, usize) {
    let chunk = load8(input, at);
    let first = digits_in(chunk);
    if first == 0 {
        return (Some(0), 0);
    }
    let value = number_in(chunk, first);
    if first < 8 {
        return (Some(value), first as usize);
    }
    let chunk = load8(input, at + 8);
    let second = digits_in(chunk);
    if second == 0 {
        return (Some(value), 8);
    }
    let value = value * POWERS[second as usize] + number_in(chunk, second);
    if second < 8 {
        return (Some(value), 8 + second as usize);
    }
    more_digits(input, at, value)
}

#[inline(never)]
fn more_digits(input: &[u8], start: usize, value: u64) -> (Option<u64>, usize) {
    let mut value = Some(value);
    let mut at = start + 16;
    while let Some(digit @ b'0'..=b'9') = input.get(at) {
        value = value.and_then(|v| v.checked_mul(10)?.checked_add(u64::from(digit - b'0')));
        at += 1;
    }
    (value, at - start)
}

/// A number as it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Number {
    pub(super) negative: bool,
    /// All digits without point and exponent, unless they are beyond 64 bits.
    pub(super) mantissa: Option<u64>,
    /// The power of ten that the mantissa is of.
    pub(super) exponent: i64,
    /// Whether it has a point or an exponent.
    pub(super) is_float: bool,
    /// Behind its last character.
    pub(super) end: usize,
}

/// Reads a number's text at `at`.
///
/// # Errors
/// If there is none, or one that JSON does not allow: leading zeros, a point without digits, …
#[inline(always)]
pub(super) fn number(input: &[u8], start: usize) -> Result<Number> {
    let negative = input.get(start) == Some(&b'-');
    let at = start + usize::from(negative);
    let (mantissa, count) = digits(input, at);
    if count == 0 || (count > 1 && input[at] == b'0') {
        return Err(no_number(input, start));
    }
    let end = at + count;
    match input.get(end) {
        Some(b'.' | b'e' | b'E') => {
            fraction(input, start, Number { negative, mantissa, exponent: 0, is_float: true, end })
        }
        _ => Ok(Number { negative, mantissa, exponent: 0, is_float: false, end }),
    }
}

fn fraction(input: &[u8], start: usize, mut number: Number) -> Result<Number> {
    if input[number.end] == b'.' {
        let (value, count) = digits(input, number.end + 1);
        if count == 0 {
            return Err(no_number(input, start));
        }
        number.mantissa = match (number.mantissa, value) {
            (Some(whole), Some(part)) if count < 20 => {
                10u64.checked_pow(count as u32).and_then(|p| whole.checked_mul(p)?.checked_add(part))
            }
            _ => None,
        };
        number.exponent = -(count as i64);
        number.end += 1 + count;
    }
    if let Some(b'e' | b'E') = input.get(number.end) {
        let mut at = number.end + 1;
        let negative = input.get(at) == Some(&b'-');
        at += usize::from(matches!(input.get(at), Some(b'-' | b'+')));
        let (value, count) = digits(input, at);
        if count == 0 {
            return Err(no_number(input, start));
        }
        // Beyond a million, all exponents mean zero or infinity.
        let value = value.unwrap_or(u64::MAX).min(1_000_000) as i64;
        number.exponent += if negative { -value } else { value };
        number.end = at + count;
    }
    Ok(number)
}

#[cold]
fn no_number(input: &[u8], at: usize) -> Error {
    let text = String::from_utf8_lossy(&input[at..input.len().min(at + 20)]).into_owned();
    Error::new(ErrorKind::Syntax, format!("no number of JSON: {text:?}")).at_byte(at)
}

/// Powers of ten that doubles hold exactly.
const EXACT: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

impl Number {
    /// The nearest double: by one exact multiplication or division where that is right (Clinger, "How to read
    /// floating point numbers accurately", 1990), else by the standard library.
    #[inline]
    pub(super) fn double(&self, input: &[u8], start: usize) -> f64 {
        if let Some(mantissa) = self.mantissa
            && mantissa < 1 << 53
            && let Some(power) = EXACT.get(self.exponent.unsigned_abs() as usize)
        {
            let value = mantissa as f64;
            let value = if self.exponent < 0 { value / power } else { value * power };
            return if self.negative { -value } else { value };
        }
        self.text(input, start).parse().unwrap_or(f64::NAN)
    }

    /// The nearest float, rounded once.
    pub(super) fn float(&self, input: &[u8], start: usize) -> f32 {
        self.text(input, start).parse().unwrap_or(f32::NAN)
    }

    /// The whole number that it is, however it is written: `1.0` and `1e3` too.
    pub(super) fn whole(&self, input: &[u8], start: usize) -> Option<i128> {
        let (mantissa, exponent) = match self.mantissa {
            Some(mantissa) => (mantissa, self.exponent),
            None => self.without_zeros(input, start)?,
        };
        let mut value = i128::from(mantissa);
        for _ in 0..exponent.unsigned_abs().min(40) {
            if value == 0 {
                break;
            }
            if exponent < 0 {
                if value % 10 != 0 {
                    return None;
                }
                value /= 10;
            } else {
                value = value.checked_mul(10)?;
            }
        }
        Some(if self.negative { -value } else { value })
    }

    /// The digits without zeros at the end as a number, and the power of ten that it is of; nothing if they are
    /// still beyond 64 bits. The exponent is that of the last digit written.
    #[cold]
    fn without_zeros(&self, input: &[u8], start: usize) -> Option<(u64, i64)> {
        let text = self.text(input, start);
        let digits = text.split(['e', 'E']).next()?.trim_start_matches('-');
        let (mut value, mut zeros) = (0_u64, 0_u32);
        for digit in digits.bytes().filter(|&b| b != b'.') {
            if digit == b'0' {
                zeros += 1;
                continue;
            }
            if value != 0 {
                value = value.checked_mul(10_u64.checked_pow(zeros)?)?;
            }
            value = value.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
            zeros = 0;
        }
        Some((value, self.exponent + i64::from(zeros)))
    }

    fn text<'a>(&self, input: &'a [u8], start: usize) -> &'a str {
        // Digits, signs, points and e are ASCII.
        std::str::from_utf8(&input[start..self.end]).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_of_every_length() {
        for text in
            ["0", "7", "42", "12345678", "123456789", "1234567890123456", "12345678901234567", "18446744073709551615"]
        {
            for tail in ["", ",", " ", "x", ":", "/"] {
                let input = format!("{text}{tail}");
                assert_eq!(digits(input.as_bytes(), 0), (text.parse().ok(), text.len()), "{input}");
            }
        }
        assert_eq!(digits(b"18446744073709551616", 0), (None, 20));
        assert_eq!(digits(b"", 0), (Some(0), 0));
        for byte in 0..=255u8 {
            assert_eq!(digits(&[byte], 0).1, usize::from(byte.is_ascii_digit()), "{byte}");
        }
    }

    #[test]
    fn numbers_are_what_the_standard_library_reads() {
        for text in [
            "0",
            "-0",
            "1.5",
            "-2.25e3",
            "1e22",
            "1e23",
            "9007199254740993",
            "123456789012345678901234567890",
            "2.2250738585072011e-308",
            "4.9e-324",
            "1e-400",
            "1e400",
            "0.1",
            "3.141592653589793",
            "1E+2",
            "0.000001",
            "179769313486231570000000000000000000000e270",
            "1e-22",
            "65.613616999999977",
        ] {
            let n = number(text.as_bytes(), 0).unwrap();
            assert_eq!(n.end, text.len());
            let want: f64 = text.parse().unwrap();
            assert_eq!(n.double(text.as_bytes(), 0).to_bits(), want.to_bits(), "{text}");
            assert_eq!(n.float(text.as_bytes(), 0).to_bits(), text.parse::<f32>().unwrap().to_bits(), "{text}");
        }
        for text in ["", "-", "01", "-01", ".5", "1.", "1e", "1e+", "+1", "x", "--1"] {
            assert!(number(text.as_bytes(), 0).is_err(), "{text}");
        }
    }

    #[test]
    fn whole_numbers_however_they_are_written() {
        for (text, want) in [
            ("12", Some(12)),
            ("-1.0", Some(-1)),
            ("1e3", Some(1000)),
            ("1.5", None),
            ("150e-1", Some(15)),
            ("0e999", Some(0)),
            ("1.00000000000000000000", Some(1)),
            ("-12.5000000000000000000000e1", Some(-125)),
            ("0.00000000000000000000000000000000000000000001e44", Some(1)),
            ("0.000000000000000000000000000000", Some(0)),
            ("18446744073709551615.00000", Some(u64::MAX as i128)),
            ("18446744073709551616", None),
            ("1.00000000000000000001", None),
            ("100000000000000000000e-18", Some(100)),
        ] {
            assert_eq!(number(text.as_bytes(), 0).unwrap().whole(text.as_bytes(), 0), want, "{text}");
        }
    }

    #[test]
    fn specials_are_found_wherever_they_are() {
        for special in [b'"', b'\\', 0, 31] {
            for before in 0..20 {
                for filler in [b'a', 0x7f, 0x80, 0xff, b' ', b'!', b'#'] {
                    let mut text = vec![filler; before];
                    text.push(special);
                    text.extend([b'"'; 9]);
                    assert_eq!(find_special(&text, 0), (before, before > 0 && filler >= 0x80));
                    assert_eq!(plain_prefix(&text, 0, text.len()), before);
                }
            }
        }
    }

    #[test]
    fn escapes() {
        let check = |text: &str| {
            let mut out = Vec::new();
            unescape(text.as_bytes(), 0, text.len(), &mut out).map(|()| String::from_utf8(out).unwrap())
        };
        assert_eq!(check(r#"\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\ude00x"#).unwrap(), "\"\\/\u{8}\u{c}\n\r\tAé😀x");
        for bad in [r"\x", r"\u12", r"\ud83d", r"\ud83dx", r"\ude00", r"\ud83d\u0041", "\\", r"\u+123"] {
            assert!(check(bad).is_err(), "{bad}");
        }
    }
}
