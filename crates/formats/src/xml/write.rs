//! Rows → elements.

use super::Names;
use crate::text::{self, NonFinite};
use bantam_model::lowering::fits_xml;
use bantam_model::{Batch, Row, Schema, Value};

/// The lexical forms of XML Schema, part 2, sections 3.2.4 and 3.2.5.
const NON_FINITE: NonFinite = NonFinite { nan: "NaN", infinity: "INF", negative: "-INF" };

const DECLARATION: &[u8] = b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

/// Writes a document of one record.
pub(super) fn each(names: &Names, row: Row<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(DECLARATION);
    record(names, row, out);
}

/// Writes a document of all records.
pub(super) fn list(names: &Names, batch: &Batch<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(DECLARATION);
    out.extend_from_slice(b"<records>\n");
    for row in batch.rows() {
        record(names, row, out);
    }
    out.extend_from_slice(b"</records>\n");
}

fn record(names: &Names, row: Row<'_>, out: &mut Vec<u8>) {
    let schema = row.batch().layout().schema();
    element(names, schema, &names.record, Value::Message(row), out);
    out.push(b'\n');
}

fn fields(names: &Names, schema: &Schema, row: Row<'_>, out: &mut Vec<u8>) {
    let of = &names.messages[row.layout().id.0 as usize];
    for (slot, value) in row.fields() {
        let name = &of[slot.index as usize];
        match value {
            Value::List(items) => items.iter().for_each(|item| element(names, schema, name, item, out)),
            value => element(names, schema, name, value, out),
        }
    }
}

fn element(names: &Names, schema: &Schema, name: &str, value: Value<'_>, out: &mut Vec<u8>) {
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    match value {
        Value::String(text) if !fits_xml(text) => {
            out.extend_from_slice(b" encoding=\"base64\">");
            text::write_base64(out, text.as_bytes());
        }
        value => {
            out.push(b'>');
            match value {
                Value::String(text) => escape(text, out),
                Value::Message(row) => fields(names, schema, row, out),
                value => text::write_scalar(out, schema, value, &NON_FINITE),
            }
        }
    }
    out.extend_from_slice(b"</");
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
}

/// Writes character data. A carriage return is written by reference, since a reader takes a bare one for a
/// line feed; `>` only where it would end `]]>`.
fn escape(text: &str, out: &mut Vec<u8>) {
    let bytes = text.as_bytes();
    let mut from = 0;
    for (at, &byte) in bytes.iter().enumerate() {
        let reference: &[u8] = match byte {
            b'&' => b"&amp;",
            b'<' => b"&lt;",
            b'\r' => b"&#13;",
            b'>' if at > 0 && bytes[at - 1] == b']' => b"&gt;",
            _ => continue,
        };
        out.extend_from_slice(&bytes[from..at]);
        out.extend_from_slice(reference);
        from = at + 1;
    }
    out.extend_from_slice(&bytes[from..]);
}
