//! Protocol Buffers, driven by tables compiled from the schema.
//!
//! Follows "Encoding" (<https://protobuf.dev/programming-guides/encoding/>) and the conformance rules that go
//! with it: fields in any order, the last one of a single field wins, a second single message is merged into
//! the first, lists are read packed or not, unknown fields are skipped or kept, and overlong varints are read.
//!
//! Records as a list are one message that holds them as its repeated field 1; as a stream, each is written
//! behind its length, as `writeDelimitedTo` does.

#[cfg(test)]
mod agreement;
mod cost;
mod decode;
mod encode;
mod entry;
#[cfg(test)]
mod reference;
mod table;
mod wire;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use crate::varint::{load8, truncated, varint};
use crate::writer::Writer;
use bantam_model::{Batch, Idl, Layout, Lowerings, Result, Row};
use decode::{Decoder, Part};
use encode::Encoder;
use std::ops::Range;
use std::sync::Arc;
use table::Tables;

/// The row of the table.
pub(crate) static PROTOBUF: Format = Format {
    name: "protobuf",
    about: "Protocol Buffers; a list is one message with the records as repeated field 1, a stream is length-delimited",
    extensions: &["pb", "binpb", "protobuf"],
    framings: &[Framing::List, Framing::Stream],
    text: false,
    scope: Scope::Any,
    costs: Some(cost::count),
    idl: Some(Idl::Proto),
    lowers: Lowerings::NONE,
    forgets: Lowerings::EMPTY_LIST_ABSENT,
    engines: &[Engine { name: "bantam", adapter: false, build: |layout| Ok(Box::new(Protobuf::new(layout)?)) }],
};

/// The tag of field 1, length-delimited.
const RECORD_TAG: u32 = 1 << 3 | wire::LEN;

/// Bantam's codec for Protocol Buffers.
#[derive(Debug)]
pub(crate) struct Protobuf {
    tables: Arc<Tables>,
    next: Vec<u16>,
    widths: Vec<u8>,
    record_width: u8,
    /// Bytes a record that the last batch took, to make room for the next at once.
    expected: usize,
}

impl Protobuf {
    /// Compiles the tables for a layout.
    ///
    /// # Errors
    /// [`bantam_model::ErrorKind::Unsupported`] for field numbers that the format does not have.
    fn new(layout: &Arc<Layout>) -> Result<Self> {
        let tables = Tables::new(layout)?;
        let mut next = Vec::with_capacity(tables.predictions);
        for table in &tables.messages {
            let entries = table.entries.len();
            // Each entry is followed by the one after it, the start by the first.
            next.extend((0..entries).map(|at| if at + 1 < entries { at as u16 + 1 } else { 0 }));
        }
        let widths = vec![1; tables.predictions];
        Ok(Self { tables: Arc::new(tables), next, widths, record_width: 1, expected: 16 })
    }

    fn decoder<'c, 'a, 'b>(&'c mut self, input: &'a [u8], batch: &'b mut Batch<'a>) -> Decoder<'c, 'a, 'b> {
        let max_string = batch.limits().max_string_bytes() as usize;
        Decoder { tables: &self.tables, next: &mut self.next, input, batch, max_string }
    }

    fn read_list<'a>(&mut self, input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
        let mut decoder = self.decoder(input, batch);
        let mut at = 0;
        while at < input.len() {
            // One byte of tag and one of length, nearly always.
            let chunk = load8(input, at);
            let (tag, len) = (chunk as u8, chunk >> 8 & 0xff);
            if u32::from(tag) == RECORD_TAG && len < 0x80 && len as usize + 2 <= input.len() - at {
                decoder.record(at + 2, at + 2 + len as usize)?;
                at += 2 + len as usize;
                continue;
            }
            let (tag, len) = decode::read_tag(input, at, input.len())?;
            let value = at + len as usize;
            if tag == RECORD_TAG {
                let (start, end) = delimited(input, value)?;
                decoder.record(start, end)?;
                at = end;
            } else {
                let part = Part { at: value, end: input.len(), depth: 0, group: 0 };
                at = decode::skip(input, tag, part, decoder.batch.limits())?;
                decoder.batch.skip();
            }
        }
        Ok(())
    }

    fn read_stream<'a>(&mut self, input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
        let mut decoder = self.decoder(input, batch);
        let mut at = 0;
        while at < input.len() {
            let (start, end) = delimited(input, at).map_err(|e| e.in_record(decoder.batch.len()))?;
            decoder.record(start, end)?;
            at = end;
        }
        Ok(())
    }
}

/// A length and what it spans: start and end.
fn delimited(input: &[u8], at: usize) -> Result<(usize, usize)> {
    let (len, start) = varint(input, at, input.len())?;
    if len > (input.len() - start) as u64 {
        return Err(truncated("a record", input.len()));
    }
    Ok((start, start + len as usize))
}

impl Codec for Protobuf {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        let batch = row.batch();
        let mut writer = Writer::new(out, self.expected);
        let mut encoder = Encoder::new(&self.tables, &mut self.widths, batch);
        encoder.message(row.layout().id.0, row.offset(), &mut writer);
        writer.finish();
        Ok(())
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        self.decoder(input, batch).record(at.start, at.end)
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        let tag = match framing {
            Framing::List => Some(u64::from(RECORD_TAG)),
            Framing::Stream => None,
            Framing::Each => return batch.rows().try_for_each(|row| self.encode_each(row, out)),
        };
        let before = out.len();
        let mut writer = Writer::new(out, self.expected * batch.len());
        let mut encoder = Encoder::new(&self.tables, &mut self.widths, batch);
        let mut width = self.record_width;
        for row in batch.rows() {
            encoder.framed(row.offset(), tag, &mut width, &mut writer);
        }
        writer.finish();
        self.record_width = width;
        self.expected = (out.len() - before).div_ceil(batch.len().max(1));
        Ok(())
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        batch.reset(input)?;
        match framing {
            Framing::List => self.read_list(input, batch),
            Framing::Stream => self.read_stream(input, batch),
            Framing::Each => self.decode_each(input, 0..input.len(), batch),
        }
    }
}
