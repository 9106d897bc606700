//! The plain writer.

use super::{EGROUP, LEN, SGROUP, wire_of};
use bantam_model::{Encoding, Items, Kind, Row, Slot, Value, Width};

/// Appends one record.
pub(in crate::protobuf) fn write(row: Row<'_>, out: &mut Vec<u8>) {
    let fields = &row.batch().layout().schema().message(row.layout().id).fields;
    let mut slots: Vec<&Slot> = row.layout().slots.iter().collect();
    slots.sort_by_key(|s| s.number);
    for slot in slots {
        let field = &fields[slot.index as usize];
        match row.get(slot) {
            None => {}
            Some(Value::List(items)) if field.packed => put_packed(slot, items, out),
            Some(Value::List(items)) => items.iter().for_each(|item| put_field(slot, field.group, item, out)),
            Some(value) => put_field(slot, field.group, value, out),
        }
    }
    row.unknown().for_each(|bytes| out.extend_from_slice(bytes));
}

fn put_packed(slot: &Slot, items: Items<'_>, out: &mut Vec<u8>) {
    let mut inside = Vec::new();
    items.iter().for_each(|item| put_value(slot.kind, item, &mut inside));
    if !inside.is_empty() {
        put_varint(out, (slot.number as u64) << 3 | u64::from(LEN));
        put_sized(out, &inside);
    }
}

fn put_field(slot: &Slot, group: bool, value: Value<'_>, out: &mut Vec<u8>) {
    let number = (slot.number as u64) << 3;
    if let (true, Value::Message(row)) = (group, value) {
        put_varint(out, number | u64::from(SGROUP));
        write(row, out);
        put_varint(out, number | u64::from(EGROUP));
    } else {
        put_varint(out, number | u64::from(wire_of(slot.kind)));
        put_value(slot.kind, value, out);
    }
}

fn put_value(kind: Kind, value: Value<'_>, out: &mut Vec<u8>) {
    match value {
        Value::Bool(v) => out.push(v.into()),
        Value::Int(v) => put_int(kind, v, out),
        Value::Uint(v) => put_int(kind, v as i64, out),
        Value::Enum(_, v) => put_varint(out, i64::from(v) as u64),
        Value::Float(v) => out.extend(v.to_le_bytes()),
        Value::Double(v) => out.extend(v.to_le_bytes()),
        Value::String(v) => put_sized(out, v.as_bytes()),
        Value::Bytes(v) => put_sized(out, v),
        Value::Message(row) => {
            let mut inside = Vec::new();
            write(row, &mut inside);
            put_sized(out, &inside);
        }
        Value::List(_) => unreachable!("a list is no item of a list"),
    }
}

fn put_int(kind: Kind, value: i64, out: &mut Vec<u8>) {
    let Kind::Int(int) = kind else { unreachable!("a number of a kind that has none") };
    match int.encoding {
        Encoding::Varint => put_varint(out, value as u64),
        Encoding::Zigzag if value < 0 => put_varint(out, !(value as u64) * 2 + 1),
        Encoding::Zigzag => put_varint(out, value as u64 * 2),
        Encoding::Fixed if int.width == Width::W64 => out.extend(value.to_le_bytes()),
        Encoding::Fixed => out.extend((value as u32).to_le_bytes()),
    }
}

fn put_sized(out: &mut Vec<u8>, bytes: &[u8]) {
    put_varint(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

pub(super) fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value > 127 {
        out.push((value % 128) as u8 + 128);
        value /= 128;
    }
    out.push(value as u8);
}
