//! CSV, RFC 4180 (<https://www.rfc-editor.org/rfc/rfc4180>), for records without messages, lists or maps.
//!
//! - The first line names the columns, then comes one line a record. One record by itself has the first line
//!   too: without it nobody could tell which cell is which. Lines end with a line feed; a reader takes CR LF and
//!   CR as well.
//! - A cell is empty where the field is absent. So empty text becomes absent, but in a required field, where
//!   an empty cell is empty text.
//! - Numbers are decimal, floats the shortest that reads back, `NaN`, `Infinity` and `-Infinity`; bools `true`
//!   and `false`; enums by name; bytes base64.
//!
//! The reader goes by the names of the columns, in any order. Cells of columns that the schema does not name are
//! passed over and counted. Blank lines do not count, nor do blanks around numbers, but text is kept exactly.

mod read;
mod write;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use bantam_model::{Batch, Error, ErrorKind, Kind, Layout, Lowerings, Result, Row};
use std::ops::Range;
use std::sync::Arc;

/// The table's row.
pub(crate) static CSV: Format = Format {
    name: "csv",
    about: "CSV with a line of column names; flat records only",
    extensions: &["csv"],
    framings: &[Framing::List],
    text: true,
    scope: Scope::Any,
    costs: None,
    idl: None,
    lowers: Lowerings::BYTES_BASE64.or(Lowerings::NON_FINITE_TEXT).or(Lowerings::EMPTY_TEXT_ABSENT),
    forgets: Lowerings::EMPTY_TEXT_ABSENT.or(Lowerings::NAN_PAYLOAD).or(Lowerings::UNKNOWN_DROPPED),
    engines: &[Engine { name: "bantam", adapter: false, build }],
};

fn build(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
    let refused = |text: &str| Error::new(ErrorKind::Unsupported, text);
    let slots = &layout.root().slots;
    for slot in slots {
        let text = match slot.kind {
            _ if slot.cardinality.is_many() => "CSV has one cell a field, and cannot hold a list, set or map",
            Kind::Message(_) => "CSV has one cell a field, and cannot hold a message",
            _ => continue,
        };
        return Err(refused(text).in_field(&slot.name));
    }
    if slots.is_empty() {
        return Err(refused("CSV cannot hold a message without fields"));
    }
    Ok(Box::new(Csv { layout: layout.clone() }))
}

struct Csv {
    layout: Arc<Layout>,
}

impl Codec for Csv {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        write::records(&self.layout, std::iter::once(row), out);
        Ok(())
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        let before = batch.len();
        read::records(&self.layout, input, at.clone(), batch)?;
        match batch.len() - before {
            1 => Ok(()),
            count => {
                let text = format!("expected the column names and one record, found {count} records");
                Err(Error::new(ErrorKind::Mismatch, text).at_byte(at.start).with_lines(input))
            }
        }
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        match framing {
            Framing::List => write::records(&self.layout, batch.rows(), out),
            Framing::Each => return batch.rows().try_for_each(|row| self.encode_each(row, out)),
            Framing::Stream => return Err(CSV.no_framing(framing)),
        }
        Ok(())
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        CSV.check(framing)?;
        batch.reset(input)?;
        if framing == Framing::Each {
            return self.decode_each(input, 0..input.len(), batch);
        }
        read::records(&self.layout, input, 0..input.len(), batch)
    }
}

#[cfg(test)]
mod tests;
