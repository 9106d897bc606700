//! JSON, driven by tables compiled from the schema.
//!
//! Follows RFC 8259. Keys are the schema's field names as written, numbers are numbers (64 bits exact), maps
//! are objects, nested lists are arrays in arrays, enums are names. What JSON does not have is lowered: bytes
//! are base64 text, NaN and infinities the texts that Protocol Buffers' JSON uses, keys of maps always text.
//! Floats are written in the shortest form that reads back the same.

mod library;
mod read;
mod scan;
mod table;
mod value;
mod write;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use crate::writer::Writer;
use bantam_model::{Batch, Layout, Lowerings, Result, Row};
use read::Reader;
use std::ops::Range;
use std::sync::Arc;
use table::Tables;
use write::Encoder;

/// How the same values are spaced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// No space at all; records of a stream end in a line feed.
    Compact,
    /// A space after each comma and colon.
    Spaced,
    /// A line for each value, indented by two spaces.
    Pretty,
}

impl Style {
    const fn comma(self) -> &'static [u8] {
        match self {
            Self::Spaced => b", ",
            Self::Compact | Self::Pretty => b",",
        }
    }

    const fn colon(self) -> &'static [u8] {
        match self {
            Self::Compact => b":",
            Self::Spaced | Self::Pretty => b": ",
        }
    }
}

const LOWERS: Lowerings = Lowerings::BYTES_BASE64
    .or(Lowerings::NON_FINITE_TEXT)
    .or(Lowerings::MAP_KEY_TEXT)
    .or(Lowerings::MAP_ENTRIES)
    .or(Lowerings::NULL_ABSENT);
const FORGETS: Lowerings = Lowerings::NAN_PAYLOAD.or(Lowerings::UNKNOWN_DROPPED);

/// Compact JSON's row of the table.
pub(crate) static JSON: Format = Format {
    name: "json",
    about: "JSON without spaces; a list is an array, a stream one record a line",
    extensions: &["json"],
    framings: &[Framing::List, Framing::Stream],
    text: true,
    scope: Scope::Any,
    costs: None,
    idl: None,
    lowers: LOWERS,
    forgets: FORGETS,
    engines: &[
        Engine { name: "bantam", adapter: false, build: |layout| boxed(layout, Style::Compact, &JSON) },
        Engine { name: "serde_json", adapter: true, build: library::serde_json_compact },
        Engine { name: "sonic-rs", adapter: true, build: library::sonic_rs_compact },
    ],
};

/// The row of JSON with a space after each comma and colon.
pub(crate) static SPACED: Format = Format {
    name: "json-spaced",
    about: "JSON with a space after each comma and colon, as Python writes it",
    extensions: &[],
    engines: &[
        Engine { name: "bantam", adapter: false, build: |layout| boxed(layout, Style::Spaced, &SPACED) },
        Engine { name: "serde_json", adapter: true, build: library::serde_json_spaced },
        Engine { name: "sonic-rs", adapter: true, build: library::sonic_rs_spaced },
    ],
    ..JSON
};

/// The row of JSON with a line for each value.
pub(crate) static PRETTY: Format = Format {
    name: "json-pretty",
    about: "JSON with a line for each value, indented by two spaces",
    extensions: &[],
    engines: &[
        Engine { name: "bantam", adapter: false, build: |layout| boxed(layout, Style::Pretty, &PRETTY) },
        Engine { name: "serde_json", adapter: true, build: library::serde_json_pretty },
        Engine { name: "sonic-rs", adapter: true, build: library::sonic_rs_pretty },
    ],
    ..JSON
};

/// The row of JSON lines.
pub(crate) static LINES: Format = Format {
    name: "ndjson",
    about: "JSON lines: one record a line, no array around them",
    extensions: &["ndjson", "jsonl"],
    framings: &[Framing::Stream],
    engines: &[
        Engine { name: "bantam", adapter: false, build: |layout| boxed(layout, Style::Compact, &LINES) },
        Engine { name: "serde_json", adapter: true, build: library::serde_json_lines },
        Engine { name: "sonic-rs", adapter: true, build: library::sonic_rs_lines },
    ],
    ..JSON
};

fn boxed(layout: &Arc<Layout>, style: Style, row: &'static Format) -> Result<Box<dyn Codec>> {
    Ok(Box::new(Json::new(layout, style, row)?))
}

/// Bantam's codec for JSON.
#[derive(Debug)]
struct Json {
    row: &'static Format,
    tables: Arc<Tables>,
    style: Style,
    next: Vec<u16>,
    expected: usize,
}

impl Json {
    fn new(layout: &Arc<Layout>, style: Style, row: &'static Format) -> Result<Self> {
        let tables = Tables::new(layout, style)?;
        let mut next = Vec::with_capacity(tables.predictions);
        for table in &tables.messages {
            next.extend(0..=table.fields.len() as u16);
        }
        Ok(Self { row, tables: Arc::new(tables), style, next, expected: 64 })
    }

    fn read<'a>(
        &mut self,
        input: &'a [u8],
        at: usize,
        batch: &mut Batch<'a>,
        read: impl FnOnce(&mut Reader<'_, 'a, '_>) -> Result<()>,
    ) -> Result<()> {
        let (max_string, max_depth) = (batch.limits().max_string_bytes() as usize, batch.limits().max_depth());
        let mut reader = Reader { tables: &self.tables, next: &mut self.next, input, at, batch, max_string, max_depth };
        read(&mut reader).map_err(|e| e.with_lines(input))
    }

    fn write(&self, row: Row<'_>, out: &mut Writer<'_>) {
        let batch = row.batch();
        let encoder = Encoder { tables: &self.tables, style: self.style, batch, words: batch.words() };
        encoder.object(row.layout().id.0, row.offset(), 0, out);
    }
}

impl Codec for Json {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        let mut writer = Writer::new(out, self.expected);
        self.write(row, &mut writer);
        writer.finish();
        Ok(())
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        self.read(&input[..at.end], at.start, batch, |reader| {
            reader.token();
            reader.record()?;
            reader.at_end()
        })
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        self.row.check(framing)?;
        let before = out.len();
        let mut writer = Writer::new(out, self.expected * batch.len());
        if framing == Framing::List {
            let encoder = Encoder { tables: &self.tables, style: self.style, batch, words: batch.words() };
            encoder.records(&mut writer);
        } else {
            for row in batch.rows() {
                self.write(row, &mut writer);
                if framing == Framing::Stream {
                    writer.byte(b'\n');
                }
            }
        }
        writer.finish();
        self.expected = (out.len() - before).div_ceil(batch.len().max(1));
        Ok(())
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        self.row.check(framing)?;
        batch.reset(input)?;
        // Windows editors put a byte order mark before UTF-8; RFC 8259 lets a reader pass over it.
        let start = if input.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        self.read(input, start, batch, |reader| match framing {
            Framing::List => {
                reader.records()?;
                reader.at_end()
            }
            Framing::Stream => {
                while reader.token() != 0 || reader.at < input.len() {
                    reader.record()?;
                }
                Ok(())
            }
            Framing::Each => {
                reader.token();
                reader.record()?;
                reader.at_end()
            }
        })
    }
}
