//! The formats of this crate as codecs: reading is the same for all that are read, and a format that is written is one function.

use crate::message::{Fields, MESSAGE};
use crate::read::{Options, Reader};
use bantam_formats::{Codec, Format, Framing, Scope};
use bantam_model::{Batch, Error, ErrorKind, Layout, Lowerings, Result, Row};
use std::ops::Range;

/// Appends a document of quakes: with [`Framing::Each`] of the one that there is, else of all.
pub(crate) type Write = fn(fields: &Fields, quakes: &[Row<'_>], framing: Framing, out: &mut Vec<u8>) -> Result<()>;

/// What the rows of formats of quakes have in common, if they are written and not read.
pub(crate) const WRITTEN: Format = Format {
    name: "",
    about: "",
    extensions: &[],
    framings: &[Framing::List],
    text: true,
    scope: Scope::Only { message: MESSAGE, reads: false, writes: true },
    idl: None,
    lowers: Lowerings::NONE,
    forgets: Lowerings::NONE,
    engines: &[],
    costs: None,
};

/// A codec of quakes.
pub(crate) struct QuakeCodec {
    format: &'static Format,
    fields: Fields,
    reader: Option<Reader>,
    write: Option<Write>,
}

impl QuakeCodec {
    /// A codec that reads, if the format's row says so, and writes, if there is a function for it.
    ///
    /// # Errors
    /// [`ErrorKind::Unsupported`] if the layout is not a Quake's.
    pub(crate) fn build(layout: &Layout, format: &'static Format, write: Option<Write>) -> Result<Box<dyn Codec>> {
        let fields = Fields::of(layout)?;
        let reader = format.reads().then(|| Reader::new(Options::default()));
        Ok(Box::new(Self { format, fields, reader, write }))
    }

    fn reader(&mut self) -> Result<&mut Reader> {
        let (name, reader) = (self.format.name, self.reader.as_mut());
        reader.ok_or_else(|| Error::new(ErrorKind::Unsupported, format!("{name} is written, but not read")))
    }

    fn write(&self, quakes: &[Row<'_>], framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        let Some(write) = self.write else {
            let text = format!("{} is read, but not written; quakeml is", self.format.name);
            return Err(Error::new(ErrorKind::Unsupported, text));
        };
        write(&self.fields, quakes, framing, out)
    }
}

impl Codec for QuakeCodec {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        self.write(&[row], Framing::Each, out)
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        let before = batch.len();
        self.reader()?.add(input, at, batch)?;
        let found = batch.len() - before;
        if found != 1 {
            let text = format!("the document holds {found} events; by itself, a record is one");
            return Err(Error::new(ErrorKind::Mismatch, text));
        }
        Ok(())
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        self.format.check(framing)?;
        if framing == Framing::Each {
            return batch.rows().try_for_each(|row| self.encode_each(row, out));
        }
        self.write(&batch.rows().collect::<Vec<_>>(), framing, out)
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        self.format.check(framing)?;
        if framing == Framing::Each {
            batch.reset(input)?;
            return self.decode_each(input, 0..input.len(), batch);
        }
        self.reader()?.read(input, batch).map(drop)
    }
}
