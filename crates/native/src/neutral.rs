//! The neutral file: the records as the generated crate reads them.
//!
//! Every contender reads its own types from these bytes, and what came back is written in the same way and compared byte
//! for byte. It is no format to keep anything in: fields in the schema's order and without names, each whole number, bool and enum
//! as eight bytes, floats by their bits, text and bytes after their length, lists after their count (four bytes both), an
//! `Option` after a byte that says whether it is there.

use crate::types::{Field, Holds, Types};
use bantam_model::{Batch, Cardinality, Items, Kind, Row, Value};
use std::cmp::Ordering;

/// The records, after their count.
pub(crate) fn write(batch: &Batch<'_>, types: &Types) -> Vec<u8> {
    let mut out = Vec::new();
    count(batch.len(), &mut out);
    batch.rows().for_each(|row| write_row(row, types, &mut out));
    out
}

fn write_row(row: Row<'_>, types: &Types, out: &mut Vec<u8>) {
    let fields = &types.of_message(row.layout().id).fields;
    for (slot, field) in row.layout().slots.iter().zip(fields) {
        let value = row.get(slot);
        if field.holds.is_option() {
            out.push(u8::from(value.is_some()));
        }
        match value {
            Some(value) => write_value(value, types, out),
            None if field.holds.is_option() => {}
            None => write_nothing(field, out),
        }
    }
}

/// What an absent field is that is no `Option`: zero, or an empty list.
fn write_nothing(field: &Field, out: &mut Vec<u8>) {
    match field.kind {
        _ if field.holds == Holds::Filled || field.holds == Holds::Many => count(0, out),
        Kind::String | Kind::Bytes => count(0, out),
        Kind::Float => out.extend([0; 4]),
        _ => out.extend([0; 8]),
    }
}

fn write_value(value: Value<'_>, types: &Types, out: &mut Vec<u8>) {
    match value {
        Value::Bool(v) => out.extend(u64::from(v).to_le_bytes()),
        Value::Int(v) => out.extend(v.to_le_bytes()),
        Value::Uint(v) => out.extend(v.to_le_bytes()),
        Value::Enum(_, v) => out.extend(i64::from(v).to_le_bytes()),
        Value::Float(v) => out.extend(v.to_bits().to_le_bytes()),
        Value::Double(v) => out.extend(v.to_bits().to_le_bytes()),
        Value::String(v) => bytes(v.as_bytes(), out),
        Value::Bytes(v) => bytes(v, out),
        Value::Message(row) => write_row(row, types, out),
        Value::List(items) => {
            count(items.len(), out);
            if items.cardinality() == Cardinality::Map {
                for entry in sorted(items) {
                    write_row(entry, types, out);
                }
            } else {
                items.iter().for_each(|item| write_value(item, types, out));
            }
        }
    }
}

/// A map's entries in the order of `BTreeMap`, so that what comes back can be compared byte for byte.
fn sorted<'b>(entries: Items<'b>) -> Vec<Row<'b>> {
    let mut rows: Vec<Row<'b>> =
        entries.iter().filter_map(|entry| if let Value::Message(row) = entry { Some(row) } else { None }).collect();
    rows.sort_by(|a, b| match (a.field("key"), b.field("key")) {
        (Some(Value::String(a)), Some(Value::String(b))) => a.cmp(b),
        (Some(Value::Bytes(a)), Some(Value::Bytes(b))) => a.cmp(b),
        (Some(Value::Int(a)), Some(Value::Int(b))) => a.cmp(&b),
        (Some(Value::Uint(a)), Some(Value::Uint(b))) => a.cmp(&b),
        (Some(Value::Enum(_, a)), Some(Value::Enum(_, b))) => a.cmp(&b),
        (Some(Value::Bool(a)), Some(Value::Bool(b))) => a.cmp(&b),
        _ => Ordering::Equal,
    });
    rows
}

fn bytes(bytes: &[u8], out: &mut Vec<u8>) {
    count(bytes.len(), out);
    out.extend_from_slice(bytes);
}

/// A batch's offsets have 32 bits, so every count fits.
fn count(count: usize, out: &mut Vec<u8>) {
    out.extend((count as u32).to_le_bytes());
}
