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
//! and nothing outside the document is ever read. A document in UTF-16,
//! ISO-8859-1 or Windows-1252 becomes UTF-8 first, see [`to_utf8`].
//!
//! Not checked: the content of a document type declaration, and of processing instructions.
//!
//! Reading is by prediction: the next element is what came in this place the last time, which one compare of its
//! bytes verifies; its text ends at the next `<`, where its end tag is expected. All else is read by tokens. Whether all
//! characters are legal is found out before, for the whole document.

mod attribute;
mod check;
mod doctype;
mod encoding;
mod learn;
mod name;
mod read;
mod scan;
mod step;
mod token;
mod write;

pub use encoding::to_utf8;

use crate::codec::{Codec, Engine, Format, Framing, Scope};
use crate::plan::Place;
use bantam_model::{Batch, Cardinality, Layout, Lowerings, MessageLayout, Result, Row};
use std::borrow::Cow;
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
    costs: None,
    idl: None,
    lowers: Lowerings::BYTES_BASE64.or(Lowerings::XML_ESCAPED),
    forgets: Lowerings::EMPTY_LIST_ABSENT.or(Lowerings::NAN_PAYLOAD).or(Lowerings::UNKNOWN_DROPPED),
    engines: &[Engine { name: "bantam", adapter: false, build }],
};

// The signature is the table's, and other formats refuse schemas.
#[allow(clippy::unnecessary_wraps)]
fn build(layout: &Arc<Layout>) -> Result<Box<dyn Codec>> {
    Ok(Box::new(Xml::new(layout)))
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
    /// By message and slot.
    places: Vec<Box<[Place]>>,
    learned: learn::Learned,
    scratch: String,
    open: Vec<step::Open>,
}

impl Xml {
    fn new(layout: &Arc<Layout>) -> Self {
        let places = |m: &MessageLayout| m.slots.iter().map(|slot| Place::new(layout, slot)).collect();
        Self {
            layout: layout.clone(),
            names: Names::new(layout),
            places: layout.messages().iter().map(places).collect(),
            learned: learn::Learned::new(layout),
            scratch: String::new(),
            open: Vec::new(),
        }
    }

    fn read<'a>(&mut self, input: &'a [u8], at: Range<usize>, framing: Framing, batch: &mut Batch<'a>) -> Result<()> {
        let bytes = &input[at.clone()];
        let document = to_utf8(bytes).map_err(|e| e.at_byte(at.start).with_lines(input))?;
        match document {
            Cow::Borrowed(text) => {
                // What is missing at the start is a byte order mark.
                let start = at.start + bytes.len() - text.len();
                self.read_utf8(text, Some(start), framing, batch).map_err(|e| e.with_lines(input))
            }
            Cow::Owned(text) => {
                batch.limits().check_batch(text.len() as u64)?;
                self.read_utf8(&text, None, framing, batch).map_err(|e| e.with_lines(&text))
            }
        }
    }

    /// Reads a document in UTF-8. `start` says where it lies in the batch's input, if it does.
    fn read_utf8(&mut self, text: &[u8], start: Option<usize>, framing: Framing, batch: &mut Batch<'_>) -> Result<()> {
        let mut reader = read::Reader::new(self, text, start, batch)?;
        reader.document(framing).map_err(|e| e.at_byte(reader.position()))
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
mod agreement;
#[cfg(test)]
mod reference;
#[cfg(test)]
mod tests;
