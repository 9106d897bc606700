//! Writing rows through serde.

use super::text::{BASE64, of_non_finite};
use super::{NonFinite, Style};
use crate::batch::Batch;
use crate::row::{Items, Row, Value};
use crate::schema::{Cardinality, Kind, Schema, Shape};
use base64::display::Base64Display;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, Serializer};

/// All records of a batch, as one sequence.
///
/// ```
/// # use bantam_model::{Batch, Cardinality, Field, Int, Kind, Layout, Message, MessageId, Schema};
/// use bantam_model::adapter::Records;
/// # let field = Field::new("ttl", 1, Kind::Int(Int::U32), Cardinality::Optional);
/// # let message = Message { name: "Record".into(), fields: vec![field], ..Message::default() };
/// # let schema = Schema { messages: vec![message], enums: vec![] };
/// # let layout = std::sync::Arc::new(Layout::new(schema.into(), MessageId(0)).unwrap());
/// # let mut batch = Batch::new(layout.clone());
/// # let row = batch.push_record().unwrap();
/// # batch.set(row, &layout.root().slots[0], 3600);
/// assert_eq!(serde_json::to_string(&Records::new(&batch)).unwrap(), r#"[{"ttl":3600}]"#);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Records<'b> {
    batch: &'b Batch<'b>,
    style: Style,
}

/// One record in a [`Style`]; a bare [`Row`] is written in the default one.
#[derive(Debug, Clone, Copy)]
pub struct Record<'b> {
    row: Row<'b>,
    style: Style,
}

impl<'b> Records<'b> {
    /// The records in the default style.
    pub fn new(batch: &'b Batch<'b>) -> Self {
        Self { batch, style: Style::default() }
    }

    /// The same in another style.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        Self { style, ..self }
    }
}

impl<'b> Record<'b> {
    /// A record in a style.
    pub fn new(row: Row<'b>, style: Style) -> Self {
        Self { row, style }
    }
}

impl Serialize for Records<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut records = serializer.serialize_seq(Some(self.batch.len()))?;
        let at = At { schema: self.batch.layout().schema(), style: self.style };
        for row in self.batch.rows() {
            records.serialize_element(&Message { at, row })?;
        }
        records.end()
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = At { schema: self.row.batch().layout().schema(), style: self.style };
        Message { at, row: self.row }.serialize(serializer)
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Record::new(*self, Style::default()).serialize(serializer)
    }
}

/// What every value needs beside itself.
#[derive(Clone, Copy)]
struct At<'b> {
    schema: &'b Schema,
    style: Style,
}

struct Message<'b> {
    at: At<'b>,
    row: Row<'b>,
}

struct Of<'b> {
    at: At<'b>,
    value: Value<'b>,
}

struct List<'b> {
    at: At<'b>,
    items: Items<'b>,
}

impl Serialize for Message<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (at, row) = (self.at, self.row);
        let layout = row.layout();
        if layout.shape == Shape::Wrapper {
            return match row.get(&layout.slots[0]) {
                Some(value) => Of { at, value }.serialize(serializer),
                None if layout.slots[0].cardinality == Cardinality::Map => serializer.serialize_map(Some(0))?.end(),
                None => serializer.serialize_seq(Some(0))?.end(),
            };
        }
        let has = &row.batch().words()[row.offset()..row.offset() + layout.has_words as usize];
        let present: u32 = has.iter().map(|word| word.count_ones()).sum();
        let mut map = serializer.serialize_map(Some(present as usize))?;
        for slot in &layout.slots {
            if let Some(value) = row.get(slot) {
                map.serialize_entry(&*slot.name, &Of { at, value })?;
            }
        }
        map.end()
    }
}

impl Serialize for Of<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = self.at;
        match self.value {
            Value::Bool(value) => serializer.serialize_bool(value),
            Value::Int(value) => serializer.serialize_i64(value),
            Value::Uint(value) => serializer.serialize_u64(value),
            Value::Float(value) => float(value, at.style, serializer),
            Value::Double(value) => double(value, at.style, serializer),
            Value::String(text) => serializer.serialize_str(text),
            Value::Bytes(bytes) if serializer.is_human_readable() => {
                serializer.collect_str(&Base64Display::new(bytes, &BASE64))
            }
            Value::Bytes(bytes) => serializer.serialize_bytes(bytes),
            Value::Enum(id, number) => match at.schema.enumeration(id).name_of(number) {
                Some(name) if serializer.is_human_readable() => serializer.serialize_str(name),
                _ => serializer.serialize_i32(number),
            },
            Value::Message(row) => Message { at, row }.serialize(serializer),
            Value::List(items) => List { at, items }.serialize(serializer),
        }
    }
}

fn float<S: Serializer>(value: f32, style: Style, serializer: S) -> Result<S::Ok, S::Error> {
    match of_non_finite(value as f64) {
        Some(text) if serializer.is_human_readable() && style.floats == NonFinite::Text => {
            serializer.serialize_str(text)
        }
        // Of all floats, only this one's shortest text, 7.038531e-26, turns into another when it is read as a
        // double and then rounded; as a double it is written in full.
        _ if value.abs().to_bits() == 0x15ae_43fd && serializer.is_human_readable() => {
            serializer.serialize_f64(value as f64)
        }
        _ => serializer.serialize_f32(value),
    }
}

fn double<S: Serializer>(value: f64, style: Style, serializer: S) -> Result<S::Ok, S::Error> {
    match of_non_finite(value) {
        Some(text) if serializer.is_human_readable() && style.floats == NonFinite::Text => {
            serializer.serialize_str(text)
        }
        _ => serializer.serialize_f64(value),
    }
}

/// Whether maps of this entry are written as maps.
pub(super) fn is_scalar_key(key: Kind) -> bool {
    matches!(key, Kind::String | Kind::Int(_) | Kind::Bool | Kind::Enum(_))
}

impl Serialize for List<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (at, items) = (self.at, self.items);
        if let Kind::Message(id) = items.kind()
            && items.cardinality() == Cardinality::Map
            && is_scalar_key(at.schema.message(id).fields[0].kind)
        {
            return self.as_map(serializer);
        }
        let mut list = serializer.serialize_seq(Some(items.len()))?;
        for value in items.iter() {
            list.serialize_element(&Of { at, value })?;
        }
        list.end()
    }
}

impl List<'_> {
    fn as_map<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = self.at;
        let mut map = serializer.serialize_map(Some(self.items.len()))?;
        for item in self.items.iter() {
            let Value::Message(entry) = item else { continue };
            let [key, value] = &entry.layout().slots[..] else { continue };
            // Both are required in every entry.
            if let (Some(key), Some(value)) = (entry.get(key), entry.get(value)) {
                map.serialize_entry(&Of { at, value: key }, &Of { at, value })?;
            }
        }
        map.end()
    }
}
