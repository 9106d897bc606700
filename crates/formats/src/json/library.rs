//! JSON (RFC 8259) through `serde_json` and `sonic-rs`, each by the serde adapter.
//!
//! Both read and write the same records in the same styles. Bytes are base64 text, NaN and infinities the texts
//! `NaN`, `Infinity`, `-Infinity`, map keys that are no text become text. What the libraries leave open is set here:
//!
//! - Nesting: `serde_json`'s own limit of 128 values is off and the limit of messages holds instead; `sonic-rs`
//!   cannot go beyond 254 values, and as it skips unknown values without any limit, they are walked.
//! - UTF-8: `sonic-rs` gets text that was checked before; `serde_json` checks the strings that it hands over.
//! - Floats: 32 bit floats are read as doubles and then rounded, which is exact for everything that is written here.

#[cfg(test)]
mod tests;

use bantam_model::adapter::{Reader, Record, Records, Style};
use bantam_model::{Batch, Error, ErrorKind, Layout, Result, Row};
use serde::Serialize;
use serde::de::DeserializeSeed;
use std::io;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

use crate::codec::{Codec, Format, Framing};

/// What a style of JSON looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// Nothing between tokens.
    Compact,
    /// A space after each comma and colon.
    Spaced,
    /// A line a value, two spaces a level.
    Pretty,
    /// Nothing between tokens, a line a record, and no list around them.
    Lines,
}

impl Look {
    /// Its row of the table.
    fn row(self) -> &'static Format {
        match self {
            Self::Compact => &super::JSON,
            Self::Spaced => &super::SPACED,
            Self::Pretty => &super::PRETTY,
            Self::Lines => &super::LINES,
        }
    }
}

macro_rules! engines {
    ($($name:ident $library:ident $look:ident;)*) => {$(
        /// A codec of this library in this style.
        ///
        /// # Errors
        /// None: JSON holds every schema.
        #[allow(clippy::unnecessary_wraps, reason = "the table of engines has one type for all")]
        pub(crate) fn $name(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
            Ok(Box::new(LibraryCodec::<$library> { layout: layout.clone(), look: Look::$look, library: PhantomData }))
        }
    )*};
}

engines! {
    serde_json_compact SerdeJson Compact;
    serde_json_spaced SerdeJson Spaced;
    serde_json_pretty SerdeJson Pretty;
    serde_json_lines SerdeJson Lines;
    sonic_rs_compact SonicRs Compact;
    sonic_rs_spaced SonicRs Spaced;
    sonic_rs_pretty SonicRs Pretty;
    sonic_rs_lines SonicRs Lines;
}

/// What the codec needs of a library.
trait Library: Send + 'static {
    const STYLE: Style;

    /// Appends a value; the error is the library's message.
    fn write<T: Serialize>(value: &T, look: Look, out: &mut Vec<u8>) -> Result<(), String>;

    /// Reads the one value that `text` is.
    fn read<'de, T: DeserializeSeed<'de>>(seed: T, text: &'de [u8]) -> Result<T::Value, Fault>;
}

/// A library's error.
struct Fault {
    kind: ErrorKind,
    message: String,
    /// Offset in the text that was read.
    byte: usize,
}

struct LibraryCodec<L> {
    layout: Arc<Layout>,
    look: Look,
    library: PhantomData<fn() -> L>,
}

impl<L: Library> LibraryCodec<L> {
    fn write<T: Serialize>(&self, value: &T, out: &mut Vec<u8>) -> Result<()> {
        L::write(value, self.look, out).map_err(|message| Error::new(ErrorKind::Unsupported, message))
    }

    /// Reads one record, or all in one list, from a range of the input.
    fn read<'a>(&self, input: &'a [u8], at: Range<usize>, list: bool, batch: &mut Batch<'a>) -> Result<()> {
        let text = &input[at.clone()];
        let mut reader = Reader::new(&self.layout, batch, L::STYLE);
        let read = if list { L::read(reader.records(), text) } else { L::read(reader.record(), text) };
        read.map_err(|fault| {
            let error = reader.error(fault.kind, fault.message);
            error.at_byte(at.start + fault.byte).with_lines(input)
        })
    }

    /// Reads one record after another.
    fn read_stream<'a>(&self, input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
        let mut rest = skip_space(input, byte_order_mark(input));
        while rest < input.len() {
            // In lines a record is all there is up to the next line feed, so the search is cheap.
            let end = match self.look {
                Look::Lines => memchr::memchr(b'\n', &input[rest..]).map_or(input.len(), |len| rest + len),
                _ => value_end(input, rest),
            };
            let record = batch.len();
            self.read(input, rest..end, false, batch).map_err(|error| error.in_record(record))?;
            rest = skip_space(input, end);
        }
        Ok(())
    }
}

impl<L: Library> Codec for LibraryCodec<L> {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.write(&Record::new(row, L::STYLE), out)
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        self.read(input, at, false, batch)
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        self.look.row().check(framing)?;
        match framing {
            Framing::List => self.write(&Records::new(batch).style(L::STYLE), out),
            Framing::Stream => batch.rows().try_for_each(|row| {
                self.encode_each(row, out)?;
                out.push(b'\n');
                Ok(())
            }),
            Framing::Each => batch.rows().try_for_each(|row| self.encode_each(row, out)),
        }
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        self.look.row().check(framing)?;
        batch.reset(input)?;
        match framing {
            Framing::List => self.read(input, byte_order_mark(input)..input.len(), true, batch),
            Framing::Stream => self.read_stream(input, batch),
            Framing::Each => self.read(input, byte_order_mark(input)..input.len(), false, batch),
        }
    }
}

/// Bytes of a byte order mark at the start: RFC 8259 section 8.1 lets readers pass over it.
fn byte_order_mark(input: &[u8]) -> usize {
    if input.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 }
}

fn skip_space(input: &[u8], from: usize) -> usize {
    let space = input[from..].iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count();
    from + space
}

/// The end of the object or array at `from`; of anything else the end of its line. It is only a guess for text
/// that is no JSON, which the library then reports.
fn value_end(input: &[u8], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while let Some(&byte) = input.get(at) {
        at += 1;
        match byte {
            b'"' => at = string_end(input, at),
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            b'\n' if depth == 0 => return at,
            _ => {}
        }
    }
    at
}

/// The end of a string whose content starts at `at`.
fn string_end(input: &[u8], mut at: usize) -> usize {
    while let Some(found) = input.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found + 1;
        if input[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    input.len()
}

/// The library's message without its position, which the error carries by itself.
fn without_position(message: &str) -> String {
    let end = message.rfind(" at line ").unwrap_or(message.len());
    message[..end].to_owned()
}

struct SerdeJson;

impl Library for SerdeJson {
    const STYLE: Style = Style::JSON;

    fn write<T: Serialize>(value: &T, look: Look, out: &mut Vec<u8>) -> Result<(), String> {
        let written = match look {
            Look::Compact | Look::Lines => serde_json::to_writer(out, value),
            Look::Spaced => value.serialize(&mut serde_json::Serializer::with_formatter(out, Spaced)),
            Look::Pretty => serde_json::to_writer_pretty(out, value),
        };
        written.map_err(|error| error.to_string())
    }

    fn read<'de, T: DeserializeSeed<'de>>(seed: T, text: &'de [u8]) -> Result<T::Value, Fault> {
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        deserializer.disable_recursion_limit();
        let read = seed.deserialize(&mut deserializer);
        read.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| {
            let kind = match error.classify() {
                serde_json::error::Category::Eof => ErrorKind::Truncated,
                serde_json::error::Category::Data => ErrorKind::Mismatch,
                _ => ErrorKind::Syntax,
            };
            let lines = memchr::memchr_iter(b'\n', text);
            let line_start = lines.take(error.line().saturating_sub(1)).last().map_or(0, |at| at + 1);
            let byte = (line_start + error.column().saturating_sub(1)).min(text.len());
            Fault { kind, message: without_position(&error.to_string()), byte }
        })
    }
}

struct SonicRs;

impl Library for SonicRs {
    const STYLE: Style = Style::JSON_WALKED;

    fn write<T: Serialize>(value: &T, look: Look, out: &mut Vec<u8>) -> Result<(), String> {
        let written = match look {
            Look::Compact | Look::Lines => sonic_rs::to_writer(out, value),
            Look::Spaced => value.serialize(&mut sonic_rs::Serializer::with_formatter(out, Spaced)),
            Look::Pretty => sonic_rs::to_writer_pretty(out, value),
        };
        written.map_err(|error| error.to_string())
    }

    fn read<'de, T: DeserializeSeed<'de>>(seed: T, text: &'de [u8]) -> Result<T::Value, Fault> {
        let text = std::str::from_utf8(text).map_err(|error| Fault {
            kind: ErrorKind::Text,
            message: "the text is not UTF-8".into(),
            byte: error.valid_up_to(),
        })?;
        let mut deserializer = sonic_rs::Deserializer::from_str(text);
        let read = seed.deserialize(&mut deserializer);
        read.and_then(|value| deserializer.end().map(|()| value)).map_err(|error| {
            let message = without_position(&error.to_string());
            let kind = match error.classify() {
                // The library gives its limit of depth no class of its own.
                _ if message.contains("layers deep") => ErrorKind::Limit,
                sonic_rs::error::Category::Eof => ErrorKind::Truncated,
                sonic_rs::error::Category::TypeUnmatched => ErrorKind::Mismatch,
                _ => ErrorKind::Syntax,
            };
            let message = if kind == ErrorKind::Limit { "sonic-rs nests at most 254 values".into() } else { message };
            Fault { kind, message, byte: error.offset().min(text.len()) }
        })
    }
}

/// A space after each comma and colon, as Python's `json.dumps` writes by default.
#[derive(Clone)]
struct Spaced;

macro_rules! spaced {
    ($formatter:path) => {
        impl $formatter for Spaced {
            fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
                if first { Ok(()) } else { writer.write_all(b", ") }
            }

            fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
                if first { Ok(()) } else { writer.write_all(b", ") }
            }

            fn begin_object_value<W: ?Sized + io::Write>(&mut self, writer: &mut W) -> io::Result<()> {
                writer.write_all(b": ")
            }
        }
    };
}

spaced!(serde_json::ser::Formatter);
spaced!(sonic_rs::format::Formatter);
