//! Thrift's binary and compact protocols, driven by tables compiled from the schema.
//!
//! Follows the specifications named in `protocol.rs`. Records as a list are `struct { 1: list<record> }`; as a
//! stream, one struct follows another. Unsigned 32 bit numbers become `i64`, unless a Thrift IDL of their own
//! says `i32`; unsigned 64 bit numbers become `i64` where they fit; a number that does not fit is an error.

mod cost;
mod protocol;
mod read;
mod table;
mod write;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use crate::writer::Writer;
use bantam_model::{Batch, Error, ErrorKind, Idl, Layout, Lowerings, Result, Row};
use protocol::{Binary, Compact, Cursor, Protocol};
use read::Reader;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use table::{Tables, Type};
use write::Encoder;

const LOWERS: Lowerings = Lowerings::UINT32_I64.or(Lowerings::UINT64_I64).or(Lowerings::FLOAT_DOUBLE);
const FORGETS: Lowerings = Lowerings::NAN_PAYLOAD.or(Lowerings::UNKNOWN_DROPPED);

/// The binary protocol's row of the table.
pub(crate) static BINARY: Format = Format {
    name: "thrift-binary",
    about: "Thrift's binary protocol; a list is struct {1: list<record>}, a stream one struct after another",
    extensions: &["thriftbin", "thrift-binary"],
    framings: &[Framing::List, Framing::Stream],
    text: false,
    scope: Scope::Any,
    idl: Some(Idl::Thrift),
    lowers: LOWERS,
    forgets: FORGETS,
    engines: &[Engine { name: "bantam", adapter: false, build: |layout| Ok(Box::new(Thrift::<Binary>::new(layout)?)) }],
    costs: Some(cost::count::<Binary>),
};

/// The compact protocol's row of the table.
pub(crate) static COMPACT: Format = Format {
    name: "thrift-compact",
    about: "Thrift's compact protocol; a list is struct {1: list<record>}, a stream one struct after another",
    extensions: &["thriftcompact", "thrift-compact"],
    engines: &[Engine {
        name: "bantam",
        adapter: false,
        build: |layout| Ok(Box::new(Thrift::<Compact>::new(layout)?)),
    }],
    costs: Some(cost::count::<Compact>),
    ..BINARY
};

/// The id of the field that holds the records of a list.
const RECORDS_ID: i16 = 1;

/// Bantam's codec for one of Thrift's protocols.
#[derive(Debug)]
struct Thrift<P> {
    tables: Arc<Tables>,
    next: Vec<u16>,
    expected: usize,
    protocol: PhantomData<P>,
}

impl<P: Protocol> Thrift<P> {
    fn new(layout: &Arc<Layout>) -> Result<Self> {
        let tables = Tables::new(layout)?;
        let mut next = Vec::with_capacity(tables.predictions);
        for table in &tables.messages {
            next.extend(0..=table.fields.len() as u16);
        }
        Ok(Self { tables: Arc::new(tables), next, expected: 32, protocol: PhantomData })
    }

    fn reader<'c, 'a, 'b>(
        &'c mut self,
        input: &'a [u8],
        at: Range<usize>,
        batch: &'b mut Batch<'a>,
    ) -> Reader<'c, 'a, 'b, P> {
        let max_string = batch.limits().max_string_bytes() as usize;
        let from = Cursor { input, at: at.start, end: at.end };
        Reader { tables: &self.tables, next: &mut self.next, from, batch, max_string, protocol: PhantomData }
    }

    fn read_list<'a>(&mut self, input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
        let mut reader = self.reader(input, 0..input.len(), batch);
        let mut last = 0;
        loop {
            let (of, id, value) = P::read_field(&mut reader.from, last)?;
            match (of, id) {
                (Type::Stop, _) => break,
                (Type::List, RECORDS_ID) => reader.records()?,
                _ => reader.skip_field(of, value, 0)?,
            }
            last = id;
        }
        at_end(&reader.from)
    }

    fn read_stream<'a>(&mut self, input: &'a [u8], batch: &mut Batch<'a>) -> Result<()> {
        let mut reader = self.reader(input, 0..input.len(), batch);
        while reader.from.at < input.len() {
            reader.record()?;
        }
        Ok(())
    }

    fn write(&self, row: Row<'_>, out: &mut Writer<'_>) -> Result<()> {
        let batch = row.batch();
        let encoder = Encoder::<P> { tables: &self.tables, batch, words: batch.words(), protocol: PhantomData };
        encoder.structure(row.layout().id.0, row.offset(), out)
    }
}

fn at_end(from: &Cursor<'_>) -> Result<()> {
    if from.at == from.end {
        return Ok(());
    }
    let text = format!("{} bytes behind the end of the struct", from.end - from.at);
    Err(Error::new(ErrorKind::Syntax, text).at_byte(from.at))
}

impl<P: Protocol + Send> Codec for Thrift<P> {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        let mut writer = Writer::new(out, self.expected);
        let done = self.write(row, &mut writer);
        writer.finish();
        done
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        let mut reader = self.reader(input, at, batch);
        reader.record()?;
        at_end(&reader.from)
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        let before = out.len();
        let mut writer = Writer::new(out, self.expected * batch.len());
        if framing == Framing::List {
            P::write_field(&mut writer, Type::List, RECORDS_ID, 0, None);
            P::write_list(&mut writer, Type::Struct, batch.len());
        }
        let done = batch
            .rows()
            .enumerate()
            .try_for_each(|(record, row)| self.write(row, &mut writer).map_err(|e| e.in_record(record)));
        if framing == Framing::List {
            writer.word(0, 1);
        }
        writer.finish();
        self.expected = (out.len() - before).div_ceil(batch.len().max(1));
        done
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
