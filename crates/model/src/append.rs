//! Copying records from one batch into another, whose schema may be another one: fields are matched by name.
//!
//! This is how records of several files come into one batch, and how a format gets its records by its own
//! schema file: a Thrift IDL beside the main schema, for example.

use crate::batch::{Batch, List, Span};
use crate::error::{Error, ErrorKind, Result};
use crate::layout::{Layout, MessageLayout, Presence, Slot};
use crate::row::{Items, Row, Value};
use crate::schema::{Kind, Shape};
use std::sync::Arc;

impl Batch<'_> {
    /// Adds copies of all records of `other`, their text too. Where the schemas differ, fields are matched by
    /// name, and whole numbers, enums, floats, text and bytes are converted if the value fits.
    ///
    /// # Errors
    /// If a field that a record has is missing in this batch's schema, a value does not fit, a required field
    /// stays empty, or a limit is reached.
    pub fn append(&mut self, other: &Batch<'_>) -> Result<()> {
        let layout = self.layout().clone();
        for (at, row) in other.rows().enumerate() {
            let record = self.push_record()?;
            Copy { to: self, layout: &layout }.message(row, layout.root(), record).map_err(|e| e.in_record(at))?;
        }
        Ok(())
    }

    /// Copies of all records under another schema, as [`Batch::append`] makes them.
    ///
    /// # Errors
    /// As [`Batch::append`].
    pub fn converted(&self, layout: &Arc<Layout>) -> Result<Batch<'static>> {
        let mut batch = Batch::with_limits(layout.clone(), self.limits().clone());
        batch.append(self)?;
        Ok(batch)
    }
}

struct Copy<'t, 'a, 'l> {
    to: &'t mut Batch<'a>,
    layout: &'l Layout,
}

impl<'l> Copy<'_, '_, 'l> {
    fn message(&mut self, from: Row<'_>, into: &MessageLayout, row: usize) -> Result<()> {
        for (slot, value) in from.fields() {
            let target = match (from.layout().shape, into.shape) {
                (Shape::Wrapper, Shape::Wrapper) => into.slots.first(),
                _ => into
                    .slots
                    .get(slot.index as usize)
                    .filter(|s| s.name == slot.name)
                    .or_else(|| into.by_name(slot.name.as_bytes())),
            };
            let Some(target) = target else {
                let text = "the other schema has no field of this name";
                return Err(Error::new(ErrorKind::Schema, text).in_field(&slot.name));
            };
            self.field(value, target, row).map_err(|e| e.in_field(&slot.name))?;
        }
        if let Some(at) = into.unknown {
            for bytes in from.unknown() {
                let span = self.to.store(bytes)?;
                let item = self.to.push_item(row + at as usize, 1)?;
                self.to.words_mut()[item] = span.word();
            }
        }
        self.to.check_required(row, into)
    }

    fn field(&mut self, value: Value<'_>, slot: &Slot, row: usize) -> Result<()> {
        let word_at = row + slot.word as usize;
        match (value, slot.presence) {
            (Value::List(items), Presence::Many) => {
                self.to.mark(row, slot.index);
                return self.items(items, slot, word_at);
            }
            (Value::List(_), _) => return Err(mismatch("a list", "one value")),
            (_, Presence::Many) => return Err(mismatch("one value", "a list")),
            _ => {}
        }
        for &rival in &slot.rivals {
            if self.to.has(row, rival) {
                return Err(mismatch("two fields", "one field of a oneof"));
            }
        }
        let word = match value {
            Value::Message(from) => {
                let into = self.message_of(slot.kind)?;
                let inner = self.to.push_row(into.stride)?;
                self.message(from, into, inner)?;
                inner as u64
            }
            value => self.scalar(value, slot.kind)?,
        };
        let zero =
            if matches!(slot.kind, Kind::String | Kind::Bytes) { Span::from_word(word).is_empty() } else { word == 0 };
        if !(slot.presence == Presence::Implicit && zero) {
            self.to.set(row, slot, word);
        }
        Ok(())
    }

    fn items(&mut self, items: Items<'_>, slot: &Slot, list_at: usize) -> Result<()> {
        let words = slot.item_words(self.layout);
        for (at, value) in items.iter().enumerate() {
            let item = self.to.push_item(list_at, words)?;
            match value {
                Value::Message(from) => {
                    let into = self.message_of(slot.kind)?;
                    self.message(from, into, item).map_err(|e| e.in_item(at))?;
                }
                value => {
                    let word = self.scalar(value, slot.kind).map_err(|e| e.in_item(at))?;
                    self.to.words_mut()[item] = word;
                }
            }
        }
        debug_assert_eq!(List::from_word(self.to.words()[list_at]).len(), items.len());
        Ok(())
    }

    fn message_of(&self, kind: Kind) -> Result<&'l MessageLayout> {
        match kind {
            Kind::Message(id) => Ok(self.layout.message(id)),
            kind => Err(mismatch("a message", &format!("the other schema's {kind}"))),
        }
    }

    fn scalar(&mut self, value: Value<'_>, kind: Kind) -> Result<u64> {
        let whole = match value {
            Value::Bool(v) if kind == Kind::Bool => return Ok(v.into()),
            Value::Int(v) => Some(i128::from(v)),
            Value::Uint(v) => Some(i128::from(v)),
            Value::Enum(_, v) => Some(i128::from(v)),
            _ => None,
        };
        match (kind, value, whole) {
            (Kind::Int(int), _, Some(v)) if int.holds(v) => Ok(v as u64),
            (Kind::Enum(_), _, Some(v)) if i32::try_from(v).is_ok() => Ok(v as u64),
            (Kind::Double, Value::Double(v), _) => Ok(v.to_bits()),
            (Kind::Double, Value::Float(v), _) => Ok(f64::from(v).to_bits()),
            (Kind::Float, Value::Float(v), _) => Ok(v.to_bits().into()),
            (Kind::Float, Value::Double(v), _) if f64::from(v as f32).to_bits() == v.to_bits() || v.is_nan() => {
                Ok((v as f32).to_bits().into())
            }
            (Kind::String | Kind::Bytes, Value::String(v), _) => self.to.store(v.as_bytes()).map(Span::word),
            (Kind::Bytes, Value::Bytes(v), _) => self.to.store(v).map(Span::word),
            (Kind::String, Value::Bytes(v), _) if std::str::from_utf8(v).is_ok() => self.to.store(v).map(Span::word),
            (Kind::Int(_) | Kind::Enum(_), _, Some(v)) => {
                Err(Error::new(ErrorKind::Range, format!("{v} does not fit the other schema's {kind}")))
            }
            (kind, ..) => Err(mismatch("this value", &format!("the other schema's {kind}"))),
        }
    }
}

fn mismatch(found: &str, due: &str) -> Error {
    Error::new(ErrorKind::Mismatch, format!("{found} does not fit {due}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Cardinality, Field, Int, Message, MessageId, Schema};

    fn layout(fields: Vec<Field>) -> Arc<Layout> {
        let message = Message { name: "R".into(), fields, ..Message::default() };
        Arc::new(Layout::new(Arc::new(Schema { messages: vec![message], enums: vec![] }), MessageId(0)).unwrap())
    }

    fn one(value: u64) -> Batch<'static> {
        let unsigned = Field::new("n", 1, Kind::Int(Int::U32), Cardinality::Required);
        let from = layout(vec![unsigned, Field::new("s", 2, Kind::String, Cardinality::Optional)]);
        let mut batch = Batch::new(from.clone());
        let row = batch.push_record().unwrap();
        batch.set(row, &from.root().slots[0], value);
        let text = batch.store(b"text").unwrap();
        batch.set(row, &from.root().slots[1], text.word());
        batch
    }

    #[test]
    fn fields_are_matched_by_name_and_numbers_widened() {
        let text = Field::new("s", 7, Kind::String, Cardinality::Optional);
        let to = layout(vec![text, Field::new("n", 9, Kind::Int(Int::I64), Cardinality::Optional)]);
        let there = one(4_000_000_000).converted(&to).unwrap();
        let row = there.get(0).unwrap();
        assert!(matches!(row.field("n"), Some(Value::Int(4_000_000_000))));
        assert!(matches!(row.field("s"), Some(Value::String("text"))));
        let back = there.converted(one(0).layout()).unwrap();
        crate::compare(&back, &one(4_000_000_000), crate::Lowerings::NONE).unwrap();
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let text = || Field::new("s", 7, Kind::String, Cardinality::Optional);
        let narrow = layout(vec![text(), Field::new("n", 9, Kind::Int(Int::I32), Cardinality::Optional)]);
        let error = one(4_000_000_000).converted(&narrow).unwrap_err();
        assert_eq!(error.to_string(), "record 0, field n: 4000000000 does not fit the other schema's int32");
        let error = one(1).converted(&layout(vec![text()])).unwrap_err();
        assert_eq!(error.to_string(), "record 0, field n: the other schema has no field of this name");
    }
}
