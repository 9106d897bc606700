//! The plain writer of both protocols.

use super::{BOOL, COMPACT, type_of};
use bantam_model::{Cardinality, Kind, Layout, Row, Shape, Slot, Value};

pub struct Writer<'l> {
    pub layout: &'l Layout,
    pub compact: bool,
    pub out: Vec<u8>,
}

impl Writer<'_> {
    fn varint(&mut self, mut value: u64) {
        while value > 127 {
            self.out.push(value as u8 | 128);
            value >>= 7;
        }
        self.out.push(value as u8);
    }

    fn type_byte(&self, of: u8) -> u8 {
        if self.compact { COMPACT.iter().position(|&t| t == of).expect("a type") as u8 } else { of }
    }

    fn size(&mut self, size: usize) {
        if self.compact { self.varint(size as u64) } else { self.out.extend((size as u32).to_be_bytes()) }
    }

    fn int(&mut self, of: u8, value: i64) {
        match (of, self.compact) {
            (3, _) => self.out.push(value as u8),
            (_, true) => self.varint((value << 1 ^ value >> 63) as u64),
            (6, _) => self.out.extend((value as i16).to_be_bytes()),
            (8, _) => self.out.extend((value as i32).to_be_bytes()),
            _ => self.out.extend(value.to_be_bytes()),
        }
    }

    pub fn structure(&mut self, row: Row<'_>) {
        let mut fields: Vec<_> = row.fields().collect();
        fields.sort_by_key(|(slot, _)| slot.number);
        let mut last = 0;
        for (slot, value) in fields {
            let of = type_of(self.layout, slot, false);
            let id = slot.number as i16;
            let byte = if matches!(value, Value::Bool(false)) && self.compact { 2 } else { self.type_byte(of) };
            let step = i32::from(id) - last;
            match (self.compact, step) {
                (true, 1..16) => self.out.push((step as u8) << 4 | byte),
                (true, _) => {
                    self.out.push(byte);
                    self.int(6, id.into());
                }
                (false, _) => {
                    self.out.push(byte);
                    self.out.extend(id.to_be_bytes());
                }
            }
            last = id.into();
            if !(self.compact && of == BOOL) {
                self.value(slot, value);
            }
        }
        self.out.push(0);
    }

    fn value(&mut self, slot: &Slot, value: Value<'_>) {
        match value {
            Value::Bool(v) => self.out.push(if self.compact { 2 - u8::from(v) } else { v.into() }),
            Value::Int(v) => self.int(type_of(self.layout, slot, true), v),
            Value::Uint(v) => self.int(type_of(self.layout, slot, true), v as i64),
            Value::Enum(_, v) => self.int(8, v.into()),
            Value::Float(v) => self.double(v.into()),
            Value::Double(v) => self.double(v),
            Value::String(v) => self.text(v.as_bytes()),
            Value::Bytes(v) => self.text(v),
            Value::Message(row) if row.layout().shape == Shape::Wrapper => {
                let slot = &row.layout().slots[0];
                self.value(slot, row.get(slot).expect("a wrapper's list"));
            }
            Value::Message(row) => self.structure(row),
            Value::List(items) => {
                let types: Vec<u8> = match slot.kind {
                    Kind::Message(id) if slot.cardinality == Cardinality::Map => {
                        self.layout.message(id).slots.iter().map(|s| type_of(self.layout, s, false)).collect()
                    }
                    _ => vec![type_of(self.layout, slot, true)],
                };
                let bytes: Vec<u8> = types.iter().map(|&t| self.type_byte(t)).collect();
                match (&bytes[..], self.compact) {
                    (bytes, false) => {
                        self.out.extend_from_slice(bytes);
                        self.size(items.len());
                    }
                    (&[one], true) if items.len() < 15 => self.out.push((items.len() as u8) << 4 | one),
                    (&[one], true) => {
                        self.out.push(0xf0 | one);
                        self.size(items.len());
                    }
                    (bytes, true) => {
                        self.size(items.len());
                        self.out.extend((!items.is_empty()).then(|| bytes[0] << 4 | bytes[1]));
                    }
                }
                for item in items.iter() {
                    match (item, slot.cardinality) {
                        (Value::Message(entry), Cardinality::Map) => {
                            entry.fields().for_each(|(slot, value)| self.value(slot, value));
                        }
                        _ => self.value(slot, item),
                    }
                }
            }
        }
    }

    fn double(&mut self, value: f64) {
        if self.compact { self.out.extend(value.to_le_bytes()) } else { self.out.extend(value.to_be_bytes()) }
    }

    fn text(&mut self, text: &[u8]) {
        self.size(text.len());
        self.out.extend_from_slice(text);
    }
}
