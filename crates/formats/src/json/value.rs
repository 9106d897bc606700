//! Values of one word: numbers, text, bytes, enums, and the keys of maps.

use super::read::Reader;
use super::scan::{find_special, number, unescape};
use crate::plan::{Of, check_utf8};
use bantam_model::{Error, ErrorKind, Int, Result, Span};
use base64::Engine as _;

const BYTES_ADVICE: &str = "JSON is always UTF-8";

impl Reader<'_, '_, '_> {
    pub(super) fn map_key(&mut self, of: Of) -> Result<u64> {
        if of == Of::Text {
            return Ok(self.text()?.word());
        }
        let at = self.at;
        let name = self.string("a key")?;
        let text = self.unescaped(name)?;
        match of {
            Of::Bool if text == b"true" => Ok(1),
            Of::Bool if text == b"false" => Ok(0),
            // A number without a name stands in quotes, as all keys do.
            Of::Enum(_) if matches!(text[..], [b'-' | b'0'..=b'9', ..]) => parse_int(Int::I32, &text, at),
            Of::Enum(id) => self.enum_number(id, &text, at),
            Of::Int(int) => parse_int(int, &text, at),
            _ => Err(Error::new(ErrorKind::Mismatch, "a map's key of another kind").at_byte(at)),
        }
    }

    /// A value of one word; `token` is its first byte.
    #[inline(always)]
    pub(super) fn scalar(&mut self, of: Of, token: u8) -> Result<u64> {
        match of {
            Of::Int(int) => self.integer(int, token),
            Of::Text => self.text().map(Span::word),
            Of::Double => self.double(token),
            _ => self.other(of, token),
        }
    }

    fn other(&mut self, of: Of, token: u8) -> Result<u64> {
        match of {
            Of::Bool => match token {
                b't' => self.literal("true").map(|()| 1),
                b'f' => self.literal("false").map(|()| 0),
                _ => Err(self.due("a bool")),
            },
            Of::Float => self.float(token),
            Of::Bytes => self.bytes(),
            Of::Enum(id) if token == b'"' => {
                let at = self.at;
                let name = self.string("an enum's name")?;
                let text = self.unescaped(name)?;
                self.enum_number(id, &text, at)
            }
            Of::Enum(_) => self.integer(Int::I32, token),
            _ => Err(self.due("another kind of value")),
        }
    }

    #[inline(always)]
    fn integer(&mut self, int: Int, token: u8) -> Result<u64> {
        if token == b'"' || !(token == b'-' || token.is_ascii_digit()) {
            return self.quoted_integer(int, token);
        }
        let start = self.at;
        let number = number(self.input, start)?;
        self.at = number.end;
        if let (Some(value), false, false) = (number.mantissa, number.is_float, number.negative)
            && value <= int.max()
        {
            return Ok(value);
        }
        match number.whole(self.input, start) {
            Some(value) if int.holds(value) => Ok(value as u64),
            _ => Err(out_of_range(int, &self.input[start..number.end], start)),
        }
    }

    #[inline(never)]
    fn quoted_integer(&mut self, int: Int, token: u8) -> Result<u64> {
        if token != b'"' {
            return Err(self.due(int.name()));
        }
        let at = self.at;
        let name = self.string("a number")?;
        let text = self.unescaped(name)?;
        parse_int(int, &text, at)
    }

    #[inline]
    fn double(&mut self, token: u8) -> Result<u64> {
        if token == b'"' {
            return self.non_finite("a double").map(f64::to_bits);
        }
        if !(token == b'-' || token.is_ascii_digit()) {
            return Err(self.due("a double"));
        }
        let start = self.at;
        let number = number(self.input, start)?;
        self.at = number.end;
        let value = number.double(self.input, start);
        if value.is_finite() { Ok(value.to_bits()) } else { Err(too_large("a double", start)) }
    }

    fn float(&mut self, token: u8) -> Result<u64> {
        if token == b'"' {
            return self.non_finite("a float").map(|v| (v as f32).to_bits().into());
        }
        if !(token == b'-' || token.is_ascii_digit()) {
            return Err(self.due("a float"));
        }
        let start = self.at;
        let number = number(self.input, start)?;
        self.at = number.end;
        let value = number.float(self.input, start);
        if value.is_finite() { Ok(value.to_bits().into()) } else { Err(too_large("a float", start)) }
    }

    fn non_finite(&mut self, what: &str) -> Result<f64> {
        let at = self.at;
        let name = self.string(what)?;
        match &*self.unescaped(name)? {
            b"NaN" => Ok(f64::NAN),
            b"Infinity" => Ok(f64::INFINITY),
            b"-Infinity" => Ok(f64::NEG_INFINITY),
            _ => Err(Error::new(ErrorKind::Mismatch, format!("a string where {what} is due")).at_byte(at)),
        }
    }

    fn bytes(&mut self) -> Result<u64> {
        let at = self.at;
        let name = self.string("bytes as base64 text")?;
        let text = self.unescaped(name)?;
        let bytes = from_base64(&text).ok_or_else(|| {
            Error::new(ErrorKind::Mismatch, "text that is not base64, where bytes are due").at_byte(at)
        })?;
        self.batch.store(&bytes).map(Span::word).map_err(|e| e.at_byte(at))
    }

    #[inline(never)]
    fn enum_number(&self, id: u32, name: &[u8], at: usize) -> Result<u64> {
        let table = &self.tables.enums[id as usize];
        if let Some(&number) = table.numbers.get(name) {
            return Ok(number as i64 as u64);
        }
        let text = format!("`{}` is no name of the enum {}", String::from_utf8_lossy(name), table.full_name);
        Err(Error::new(ErrorKind::Range, text).at_byte(at))
    }

    #[inline]
    pub(super) fn literal(&mut self, word: &str) -> Result<()> {
        if self.input.get(self.at..self.at + word.len()) != Some(word.as_bytes()) {
            return Err(no_word(self.input, self.at));
        }
        self.at += word.len();
        Ok(())
    }

    /// A string as a field's text: a range of the input unless it has escapes.
    #[inline(always)]
    fn text(&mut self) -> Result<Span> {
        let text = self.string("a string")?;
        let len = text.end - text.start;
        if len > self.max_string {
            self.batch.limits().check_string(len).map_err(|e| e.at_byte(text.start))?;
        }
        if text.escaped {
            let input = self.input;
            return self
                .batch
                .store_with(|out| unescape(input, text.start, text.end, out))
                .map_err(|e| e.at_byte(text.start));
        }
        Ok(Span::of_input(text.start as u32, len as u32))
    }

    #[inline(always)]
    pub(super) fn string(&mut self, what: &str) -> Result<Text> {
        if self.input.get(self.at) != Some(&b'"') {
            return Err(self.due(what));
        }
        let start = self.at + 1;
        let (end, non_ascii) = find_special(self.input, start);
        if self.input.get(end) == Some(&b'"') {
            self.at = end + 1;
            if non_ascii {
                check_utf8(&self.input[start..end], start, BYTES_ADVICE)?;
            }
            return Ok(Text { start, end, escaped: false });
        }
        self.long_string(start, end)
    }

    /// A string from its first escape on.
    #[inline(never)]
    fn long_string(&mut self, start: usize, mut at: usize) -> Result<Text> {
        loop {
            match self.input.get(at) {
                Some(b'"') => break,
                Some(b'\\') => at += 2,
                Some(&byte) => {
                    let text = format!("a raw control character {byte:#04x} in a string");
                    return Err(Error::new(ErrorKind::Syntax, text).at_byte(at));
                }
                None => {
                    self.at = self.input.len();
                    return Err(self.due("the end of a string"));
                }
            }
            at = find_special(self.input, at).0;
        }
        check_utf8(&self.input[start..at], start, BYTES_ADVICE)?;
        self.at = at + 1;
        Ok(Text { start, end: at, escaped: true })
    }

    pub(super) fn unescaped(&self, text: Text) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        unescape(self.input, text.start, text.end, &mut out)?;
        Ok(out)
    }
}

/// The inside of a string.
#[derive(Clone, Copy)]
pub(super) struct Text {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) escaped: bool,
}

/// Bytes of base64 text, in either alphabet, padded or not.
pub(super) fn from_base64(text: &[u8]) -> Option<Vec<u8>> {
    use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
    const EITHER: GeneralPurposeConfig =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    const STANDARD: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::STANDARD, EITHER);
    const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&base64::alphabet::URL_SAFE, EITHER);
    STANDARD.decode(text).or_else(|_| URL_SAFE.decode(text)).ok()
}

fn parse_int(int: Int, text: &[u8], at: usize) -> Result<u64> {
    match number(text, 0) {
        Ok(number) if number.end == text.len() => match number.whole(text, 0) {
            Some(value) if int.holds(value) => Ok(value as u64),
            _ => Err(out_of_range(int, text, at)),
        },
        _ => {
            let found = String::from_utf8_lossy(text);
            let text = format!("the string {found:?} where {} is due", int.name());
            Err(Error::new(ErrorKind::Mismatch, text).at_byte(at))
        }
    }
}

#[cold]
fn no_word(input: &[u8], at: usize) -> Error {
    let text = String::from_utf8_lossy(&input[at..input.len().min(at + 20)]).into_owned();
    Error::new(ErrorKind::Syntax, format!("no word of JSON: {text:?}")).at_byte(at)
}

#[cold]
fn out_of_range(int: Int, text: &[u8], at: usize) -> Error {
    let text = String::from_utf8_lossy(&text[..text.len().min(40)]).into_owned();
    let text = format!("{text} does not fit {} ({} to {})", int.name(), int.min(), int.max());
    Error::new(ErrorKind::Range, text).at_byte(at)
}

#[cold]
fn too_large(what: &str, at: usize) -> Error {
    Error::new(ErrorKind::Range, format!("a number too large for {what}")).at_byte(at)
}
