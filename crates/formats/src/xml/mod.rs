//! XML 1.0 (fifth edition, <https://www.w3.org/TR/xml/>), one element a field.
//!
//! - A document of many records is `<records>` with one element a record, named by the message's short
//!   name; one record by itself is that element as the root.
//! - A field is an element of its name, a list one element an item, a map one element an entry with `<key>` and
//!   `<value>`, a list inside a list an element with one element an item. Names that XML cannot hold are
//!   escaped as `_xHHHH_`.
//! - Scalars are in the lexical forms of XML Schema (`true`, `INF`, base64), enums by name.
//! - An element that is there and empty is empty text; an absent field has no element. So an empty list becomes
//!   an absent one.
//! - Text with characters that XML cannot hold (most below U+0020; U+FFFE, U+FFFF) is base64 of its UTF-8, in
//!   an element with the attribute `encoding="base64"`.
//!
//! The reader also takes what others write: prefixes do not count, an attribute may stand for a field of a
//! message, blanks around numbers do not count, `xsi:nil="true"` is absence, and of two elements of a single
//! field, or two entries of one key, the last counts. What the schema does not name is passed over, but has to be well-formed, and is
//! counted. A document type declaration is passed over: its entities are errors where they are used,
//! and nothing outside the document is ever read. Only UTF-8 is read.
//!
//! Not checked: the content of a document type declaration, and of processing instructions.

mod attribute;
mod check;
mod name;
mod read;
mod write;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use bantam_model::{Batch, Cardinality, Layout, Lowerings, MessageLayout, Result, Row};
use std::ops::Range;
use std::sync::Arc;

/// The table's row.
pub(crate) static XML: Format = Format {
    name: "xml",
    about: "XML 1.0: <records> with one element a record, one element a field",
    extensions: &["xml"],
    framings: &[Framing::List],
    text: true,
    scope: Scope::Any,
    idl: None,
    lowers: Lowerings::BYTES_BASE64.or(Lowerings::XML_ESCAPED),
    forgets: Lowerings::EMPTY_LIST_ABSENT.or(Lowerings::NAN_PAYLOAD).or(Lowerings::UNKNOWN_DROPPED),
    engines: &[Engine { name: "bantam", adapter: false, build }],
};

// The signature is the table's, and other formats refuse schemas.
#[allow(clippy::unnecessary_wraps)]
fn build(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
    let learned = layout.messages().iter().map(|m| (0..=m.slots.len() as u32).collect()).collect();
    Ok(Box::new(Xml { layout: layout.clone(), names: Names::new(layout), learned, scratch: String::new() }))
}

/// The names of elements.
struct Names {
    /// By message and slot.
    messages: Vec<Box<[Box<str>]>>,
    /// A record's.
    record: Box<str>,
    /// By message: the slots that are maps.
    maps: Vec<Box<[u32]>>,
}

impl Names {
    fn new(layout: &Layout) -> Self {
        let escaped = |name: &str| name::escape(name).into();
        let maps =
            |m: &MessageLayout| m.slots.iter().filter(|s| s.cardinality == Cardinality::Map).map(|s| s.index).collect();
        Self {
            messages: layout.messages().iter().map(|m| m.slots.iter().map(|s| escaped(&s.name)).collect()).collect(),
            record: escaped(layout.schema().message(layout.root().id).short_name()),
            maps: layout.messages().iter().map(maps).collect(),
        }
    }
}

struct Xml {
    layout: Arc<Layout>,
    names: Names,
    /// By message: the slot that came first, then for each slot which other one came after it.
    learned: Vec<Box<[u32]>>,
    scratch: String,
}

impl Xml {
    fn read<'a>(&mut self, input: &'a [u8], at: Range<usize>, framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        let mut reader =
            read::Reader::new(self, &input[at.clone()], at.start, batch).map_err(|e| e.with_lines(input))?;
        reader.document(framing).map_err(|e| e.at_byte(reader.position()).with_lines(input))
    }
}

impl Codec for Xml {
    fn encode_each(&mut self, row: Row<'_>, out: &mut Vec<u8>) -> Result<()> {
        write::each(&self.names, row, out);
        Ok(())
    }

    fn decode_each<'a>(&mut self, input: &'a [u8], at: Range<usize>, batch: &mut Batch<'a>) -> Result<()> {
        self.read(input, at, Framing::Each, batch)
    }

    fn encode(&mut self, batch: &Batch<'_>, framing: Framing, out: &mut Vec<u8>) -> Result<()> {
        match framing {
            Framing::List => write::list(&self.names, batch, out),
            Framing::Each => batch.rows().for_each(|row| write::each(&self.names, row, out)),
            Framing::Stream => return Err(XML.no_framing(framing)),
        }
        Ok(())
    }

    fn decode<'a>(&mut self, input: &'a [u8], framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        XML.check(framing)?;
        batch.reset(input)?;
        self.read(input, 0..input.len(), framing, batch)
    }
}

#[cfg(test)]
mod tests;
