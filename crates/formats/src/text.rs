//! Scalars as text: what the formats that people read share.
//!
//! Whole numbers are decimal; floats are the shortest text that reads back as the same bits, with a point or
//! an exponent (`1.0`, `1e+21`); bytes are base64 (RFC 4648, section 4, padded). A parser takes the whole text
//! it is given, without blanks around it.

use bantam_model::{Enum, Error, ErrorKind, Int, Kind, Result, Schema, Value};
use base64::Engine as _;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Writes with padding, reads with or without.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &base64::alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// How a format spells what is no finite number.
#[derive(Debug)]
pub(crate) struct NonFinite {
    pub(crate) nan: &'static str,
    pub(crate) infinity: &'static str,
    pub(crate) negative: &'static str,
}

/// Appends a signed number.
pub(crate) fn write_i64(out: &mut Vec<u8>, value: i64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends an unsigned number.
pub(crate) fn write_u64(out: &mut Vec<u8>, value: u64) {
    out.extend_from_slice(itoa::Buffer::new().format(value).as_bytes());
}

/// Appends a double.
pub(crate) fn write_f64(out: &mut Vec<u8>, value: f64, spelling: &NonFinite) {
    if value.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else {
        write_non_finite(out, value, spelling);
    }
}

/// Appends a float: the shortest text for its 32 bits.
pub(crate) fn write_f32(out: &mut Vec<u8>, value: f32, spelling: &NonFinite) {
    if value.is_finite() {
        out.extend_from_slice(zmij::Buffer::new().format_finite(value).as_bytes());
    } else {
        write_non_finite(out, f64::from(value), spelling);
    }
}

#[cold]
fn write_non_finite(out: &mut Vec<u8>, value: f64, spelling: &NonFinite) {
    let text = if value.is_nan() {
        spelling.nan
    } else if value > 0.0 {
        spelling.infinity
    } else {
        spelling.negative
    };
    out.extend_from_slice(text.as_bytes());
}

/// Appends bytes as base64.
pub(crate) fn write_base64(out: &mut Vec<u8>, bytes: &[u8]) {
    let at = out.len();
    // 4 characters for every 3 bytes begun.
    out.resize(at + bytes.len().div_ceil(3) * 4, 0);
    let written = BASE64.encode_slice(bytes, &mut out[at..]).unwrap_or(0);
    out.truncate(at + written);
}

/// Appends an enum's value: its name, or the number if that has none.
pub(crate) fn write_enum(out: &mut Vec<u8>, of: &Enum, number: i32) {
    match of.name_of(number) {
        Some(name) => out.extend_from_slice(name.as_bytes()),
        None => write_i64(out, i64::from(number)),
    }
}

/// Appends any scalar but strings, which each format escapes in its own way. Messages and lists are none.
pub(crate) fn write_scalar(out: &mut Vec<u8>, schema: &Schema, value: Value<'_>, spelling: &NonFinite) {
    match value {
        Value::Bool(v) => out.extend_from_slice(if v { b"true" } else { b"false" }),
        Value::Int(v) => write_i64(out, v),
        Value::Uint(v) => write_u64(out, v),
        Value::Float(v) => write_f32(out, v, spelling),
        Value::Double(v) => write_f64(out, v, spelling),
        Value::Enum(id, number) => write_enum(out, schema.enumeration(id), number),
        Value::Bytes(bytes) => write_base64(out, bytes),
        Value::String(_) | Value::Message(_) | Value::List(_) => {}
    }
}

/// Reads a bool, number or enum: the word that a row holds. Strings, bytes and messages are none.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is of another kind, [`ErrorKind::Range`] if it does not fit.
pub(crate) fn parse_scalar(schema: &Schema, kind: Kind, text: &str) -> Result<u64> {
    match kind {
        Kind::Bool => parse_bool(text).map(u64::from),
        Kind::Int(int) => parse_int(text, int),
        Kind::Float => parse_f32(text).map(|v| u64::from(v.to_bits())),
        Kind::Double => parse_f64(text).map(f64::to_bits),
        Kind::Enum(id) => parse_enum(text, schema.enumeration(id)).map(|v| i64::from(v) as u64),
        Kind::String | Kind::Bytes | Kind::Message(_) => Err(mismatch(text, "a scalar")),
    }
}

/// Reads `true`, `false`, `1` or `0`.
///
/// # Errors
/// [`ErrorKind::Mismatch`] for anything else.
pub(crate) fn parse_bool(text: &str) -> Result<bool> {
    match text {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(mismatch(text, "true or false")),
    }
}

/// Reads a whole number: the word that a row holds.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is none, [`ErrorKind::Range`] if it does not fit.
pub(crate) fn parse_int(text: &str, int: Int) -> Result<u64> {
    let (word, fits) = if int.signed {
        let value = text.parse::<i64>();
        (value.clone().map(|v| v as u64), value.is_ok_and(|v| int.holds(i128::from(v))))
    } else {
        let value = text.parse::<u64>();
        (value.clone(), value.is_ok_and(|v| int.holds(i128::from(v))))
    };
    match word {
        Ok(word) if fits => Ok(word),
        _ => Err(no_int(text, int)),
    }
}

#[cold]
fn no_int(text: &str, int: Int) -> Error {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || digits.bytes().any(|b| !b.is_ascii_digit()) {
        return mismatch(text, "a whole number");
    }
    let text = format!("{} does not fit {}, which holds {} to {}", shown(text), int.name(), int.min(), int.max());
    Error::new(ErrorKind::Range, text)
}

/// Reads a double. Infinities and NaN in any of their usual spellings; every NaN is the usual one.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is no number, [`ErrorKind::Range`] if it is beyond the largest.
pub(crate) fn parse_f64(text: &str) -> Result<f64> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) if value.is_nan() => Ok(f64::NAN),
        Ok(value) if is_spelt_out(text) => Ok(value),
        Ok(_) => Err(too_large(text, "a double")),
        Err(_) => Err(mismatch(text, "a number")),
    }
}

/// Reads a float, rounded once.
///
/// # Errors
/// As [`parse_f64`].
pub(crate) fn parse_f32(text: &str) -> Result<f32> {
    match text.parse::<f32>() {
        Ok(value) if value.is_finite() => Ok(value),
        Ok(value) if value.is_nan() => Ok(f32::NAN),
        Ok(value) if is_spelt_out(text) => Ok(value),
        Ok(_) => Err(too_large(text, "a float")),
        Err(_) => Err(mismatch(text, "a number")),
    }
}

/// Whether an infinity is written as a word, rather than a number too large.
fn is_spelt_out(text: &str) -> bool {
    text.bytes().any(|b| b.eq_ignore_ascii_case(&b'n'))
}

/// Reads an enum's name, or its number.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is neither, or a number without a name in a closed enum.
pub(crate) fn parse_enum(text: &str, of: &Enum) -> Result<i32> {
    if let Some(number) = of.number_of(text) {
        return Ok(number);
    }
    match text.parse::<i32>() {
        Ok(number) if of.open || of.name_of(number).is_some() => Ok(number),
        _ => Err(mismatch(text, &format!("a name of the enum `{}`", of.name))),
    }
}

/// Appends the bytes behind base64 text; blanks in it, such as line breaks, do not count.
///
/// # Errors
/// [`ErrorKind::Mismatch`] if it is no base64.
pub(crate) fn read_base64(out: &mut Vec<u8>, text: &str) -> Result<()> {
    let at = out.len();
    if BASE64.decode_vec(text, out).is_ok() {
        return Ok(());
    }
    out.truncate(at);
    let tight: Vec<u8> = text.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    BASE64.decode_vec(tight, out).map_err(|_| mismatch(text, "base64"))
}

#[cold]
fn too_large(text: &str, expected: &str) -> Error {
    Error::new(ErrorKind::Range, format!("{} is beyond the range of {expected}", shown(text)))
}

/// An error for text that is of another kind than the schema says.
#[cold]
pub(crate) fn mismatch(text: &str, expected: &str) -> Error {
    Error::new(ErrorKind::Mismatch, format!("expected {expected}, found {}", shown(text)))
}

/// Text for an error message, cut to a length that fits a line.
pub(crate) fn shown(text: &str) -> String {
    const MOST: usize = 40;
    if text.is_empty() {
        return "nothing".into();
    }
    match text.char_indices().nth(MOST) {
        Some((cut, _)) => format!("{:?}…", &text[..cut]),
        None => format!("{text:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bantam_model::Width;
    use bantam_model::schema::EnumValue;

    const WORDS: NonFinite = NonFinite { nan: "NaN", infinity: "INF", negative: "-INF" };

    fn written(write: impl FnOnce(&mut Vec<u8>)) -> String {
        let mut out = b"x".to_vec();
        write(&mut out);
        String::from_utf8(out.split_off(1)).unwrap()
    }

    #[test]
    fn floats_are_the_shortest_that_reads_back() {
        for (value, text) in [
            (1.0, "1.0"),
            (-0.0, "-0.0"),
            (0.1, "0.1"),
            (1e21, "1e+21"),
            (1e-7, "1e-7"),
            (123_456_789.125, "123456789.125"),
            (5e-324, "5e-324"),
            (f64::NAN, "NaN"),
            (f64::INFINITY, "INF"),
            (f64::NEG_INFINITY, "-INF"),
        ] {
            assert_eq!(written(|out| write_f64(out, value, &WORDS)), text);
            assert_eq!(parse_f64(text).unwrap().to_bits(), value.to_bits(), "{text}");
        }
        assert_eq!(written(|out| write_f32(out, 0.1, &WORDS)), "0.1");
        assert_eq!(parse_f32("0.1").unwrap().to_bits(), 0.1_f32.to_bits());
        assert_eq!(parse_f32("3.4028236e38").unwrap_err().kind(), ErrorKind::Range);
        assert_eq!(parse_f64("-infinity").unwrap().to_bits(), f64::NEG_INFINITY.to_bits());
        assert_eq!(parse_f64("-nan").unwrap().to_bits(), f64::NAN.to_bits());
    }

    #[test]
    fn whole_numbers_keep_to_their_range() {
        let of = |signed, width| Int { signed, width, ..Int::I32 };
        for (text, int, word) in [
            ("-128", of(true, Width::W8), Some(-128_i64 as u64)),
            ("127", of(true, Width::W8), Some(127)),
            ("128", of(true, Width::W8), None),
            ("255", of(false, Width::W8), Some(255)),
            ("-1", of(false, Width::W8), None),
            ("18446744073709551615", Int::U64, Some(u64::MAX)),
            ("18446744073709551616", Int::U64, None),
            ("-9223372036854775808", Int::I64, Some(1 << 63)),
            ("007", Int::I32, Some(7)),
            ("+7", Int::I32, Some(7)),
        ] {
            assert_eq!(parse_int(text, int).ok(), word, "{text}");
            if word.is_none() {
                assert_eq!(parse_int(text, int).unwrap_err().kind(), ErrorKind::Range, "{text}");
            }
        }
        for text in ["", "-", "1.0", " 1", "1e3", "x"] {
            assert_eq!(parse_int(text, Int::I32).unwrap_err().kind(), ErrorKind::Mismatch, "{text}");
        }
        let error = parse_int("300", of(true, Width::W8)).unwrap_err().to_string();
        assert_eq!(error, "\"300\" does not fit int8, which holds -128 to 127");
    }

    #[test]
    fn enums_go_by_name() {
        let value = |name: &str, number| EnumValue { name: name.into(), number, doc: String::new() };
        let mut of = Enum { name: "E".into(), values: vec![value("A", 1), value("B", -2)], ..Enum::default() };
        assert_eq!(written(|out| write_enum(out, &of, -2)), "B");
        assert_eq!(written(|out| write_enum(out, &of, 7)), "7");
        assert_eq!((parse_enum("A", &of).unwrap(), parse_enum("-2", &of).unwrap()), (1, -2));
        let error = parse_enum("7", &of).unwrap_err().to_string();
        assert_eq!(error, "expected a name of the enum `E`, found \"7\"");
        of.open = true;
        assert_eq!(parse_enum("7", &of).unwrap(), 7);
    }

    #[test]
    fn base64_has_padding_and_reads_without() {
        for (bytes, text) in
            [(&b""[..], ""), (b"f", "Zg=="), (b"fo", "Zm8="), (b"foo", "Zm9v"), (&[0xfb, 0xff], "+/8=")]
        {
            assert_eq!(written(|out| write_base64(out, bytes)), text);
            for text in [text, text.trim_end_matches('='), &format!(" {text}\n")] {
                let mut out = b"x".to_vec();
                read_base64(&mut out, text).unwrap();
                assert_eq!(&out[1..], bytes);
            }
        }
        assert_eq!(read_base64(&mut Vec::new(), "Zg=a").unwrap_err().to_string(), "expected base64, found \"Zg=a\"");
    }

    #[test]
    fn bools_are_words_or_digits() {
        assert!(parse_bool("true").unwrap() && parse_bool("1").unwrap());
        assert!(!parse_bool("false").unwrap() && !parse_bool("0").unwrap());
        assert_eq!(parse_bool("True").unwrap_err().to_string(), "expected true or false, found \"True\"");
    }
}
