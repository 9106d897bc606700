//! Rows → lines.

use crate::text::{self, NonFinite};
use bantam_model::{Layout, Row, Value};

pub(super) const NON_FINITE: NonFinite = NonFinite { nan: "NaN", infinity: "Infinity", negative: "-Infinity" };

/// Writes the column names and the records.
pub(super) fn records<'b>(layout: &Layout, rows: impl Iterator<Item = Row<'b>>, out: &mut Vec<u8>) {
    let slots = &layout.root().slots;
    line(slots.len(), out, |column, out| quoted(&slots[column].name, out));
    for row in rows {
        line(slots.len(), out, |column, out| match row.get(&slots[column]) {
            None => {}
            Some(Value::String(text)) => quoted(text, out),
            Some(value) => text::write_scalar(out, layout.schema(), value, &NON_FINITE),
        });
    }
}

fn line(columns: usize, out: &mut Vec<u8>, mut cell: impl FnMut(usize, &mut Vec<u8>)) {
    let start = out.len();
    for column in 0..columns {
        if column > 0 {
            out.push(b',');
        }
        cell(column, out);
    }
    if out.len() == start {
        // A blank line is no record.
        out.extend_from_slice(b"\"\"");
    }
    out.push(b'\n');
}

/// Writes a cell, in quotes if it has to be: RFC 4180, section 2, rules 5 to 7.
fn quoted(text: &str, out: &mut Vec<u8>) {
    if !text.bytes().any(|b| matches!(b, b',' | b'"' | b'\r' | b'\n')) && !text.starts_with('\u{feff}') {
        out.extend_from_slice(text.as_bytes());
        return;
    }
    out.push(b'"');
    for (at, part) in text.split('"').enumerate() {
        if at > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(part.as_bytes());
    }
    out.push(b'"');
}
