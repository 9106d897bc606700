//! Reading rows through serde.
//!
//! A library's error type cannot carry a path or a kind, so what goes wrong is kept in the [`Reader`], and
//! the codec joins it with the library's message and position in [`Reader::error`].

mod many;
mod scalar;

use super::Style;
use crate::batch::Batch;
use crate::error::{Error, ErrorKind};
use crate::layout::{Layout, MessageLayout, Presence, Slot};
use crate::schema::{Kind, Shape};
use many::ManySeed;
use scalar::{ScalarSeed, Walk};
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Appends what serde libraries read to a batch.
#[derive(Debug)]
pub struct Reader<'r, 'a> {
    layout: &'r Layout,
    batch: &'r mut Batch<'a>,
    style: Style,
    depth: u32,
    /// What went wrong and its path so far; without a message where only the library knows more.
    failed: Option<Error>,
}

impl<'r, 'a> Reader<'r, 'a> {
    /// Reads into a batch that was reset to the input; `layout` is that of the batch.
    pub fn new(layout: &'r Layout, batch: &'r mut Batch<'a>, style: Style) -> Self {
        Self { layout, batch, style, depth: 0, failed: None }
    }

    /// The seed of one record.
    pub fn record(&mut self) -> RecordSeed<'_, 'r, 'a> {
        RecordSeed(self)
    }

    /// The seed of all records: a sequence, or a map as the only record, or null as none.
    pub fn records(&mut self) -> RecordsSeed<'_, 'r, 'a> {
        RecordsSeed(self)
    }

    /// The error behind a library's. Kind, message, path and record come from here, and only where nothing
    /// is known the library's own kind and message; the codec adds the position.
    #[must_use]
    pub fn error(&mut self, kind: ErrorKind, message: impl Into<String>) -> Error {
        match self.failed.take() {
            Some(error) if !error.message().is_empty() => error,
            Some(place) => {
                let at = place.position();
                let error = Error::new(kind, message).in_field(&at.path);
                match at.record {
                    Some(record) => error.in_record(record as usize),
                    None => error,
                }
            }
            None => Error::new(kind, message),
        }
    }

    #[cold]
    fn fail<E: serde::de::Error>(&mut self, error: Error) -> E {
        self.failed = Some(error);
        E::custom("the value does not fit the schema")
    }

    /// Notes, on the way up, where it went wrong.
    #[cold]
    fn within(&mut self, place: impl FnOnce(Error) -> Error) {
        let error = self.failed.take().unwrap_or_else(|| Error::new(ErrorKind::Syntax, ""));
        self.failed = Some(place(error));
    }

    fn enter<E: serde::de::Error>(&mut self) -> Result<(), E> {
        self.depth += 1;
        self.batch.limits().check_depth(self.depth).map_err(|error| self.fail(error))
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }

    fn check_required<E: serde::de::Error>(&mut self, row: usize, message: &MessageLayout) -> Result<(), E> {
        self.batch.check_required(row, message).map_err(|error| self.fail(error))
    }

    /// Sets a single field, unless the value means absence; a oneof's other members go.
    fn put(&mut self, row: usize, message: &MessageLayout, slot: &Slot, word: u64) {
        if slot.presence == Presence::Implicit && scalar::means_absence(slot.kind, word) {
            return self.batch.unset(row, slot);
        }
        self.batch.set(row, slot, word);
        for &rival in &slot.rivals {
            self.batch.unset(row, &message.slots[rival as usize]);
        }
    }
}

/// Reads one record and adds it to the batch.
#[derive(Debug)]
pub struct RecordSeed<'x, 'r, 'a>(&'x mut Reader<'r, 'a>);

/// Reads all records and adds them to the batch.
#[derive(Debug)]
pub struct RecordsSeed<'x, 'r, 'a>(&'x mut Reader<'r, 'a>);

impl RecordSeed<'_, '_, '_> {
    fn read<E: serde::de::Error>(self, read: impl FnOnce(MessageSeed<'_, '_, '_>) -> Result<(), E>) -> Result<(), E> {
        let Self(reader) = self;
        let message = reader.layout.root();
        let row = reader.batch.push_record().map_err(|error| reader.fail::<E>(error))?;
        read(MessageSeed { reader: &mut *reader, message, row })?;
        reader.check_required(row, message)
    }
}

impl<'de> DeserializeSeed<'de> for RecordSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.read(|message| message.deserialize(deserializer))
    }
}

impl<'de> DeserializeSeed<'de> for RecordsSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for RecordsSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of records")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let Self(reader) = self;
        loop {
            let record = reader.batch.len();
            match seq.next_element_seed(RecordSeed(&mut *reader)) {
                Ok(Some(())) => {}
                Ok(None) => return Ok(()),
                Err(error) => {
                    // A fault between records is in none of them.
                    if reader.batch.len() > record {
                        reader.within(|e| e.in_record(record));
                    }
                    return Err(error);
                }
            }
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        RecordSeed(self.0).read(|message| message.visit_map(map))
    }
}

/// Fills a row that was pushed before.
struct MessageSeed<'x, 'r, 'a> {
    reader: &'x mut Reader<'r, 'a>,
    message: &'r MessageLayout,
    row: usize,
}

impl<'de> DeserializeSeed<'de> for MessageSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.message.shape != Shape::Wrapper {
            return deserializer.deserialize_map(self);
        }
        let slot = &self.message.slots[0];
        ManySeed { reader: self.reader, row: self.row, slot }.deserialize(deserializer)
    }
}

impl<'de> Visitor<'de> for MessageSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an object of message {}", self.reader.layout.schema().message(self.message.id).name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { reader, message, row } = self;
        let mut next = 0;
        while let Some(found) = map.next_key_seed(NameSeed { message, next })? {
            let Some(index) = found else {
                skip_value(&mut map, reader.style)?;
                reader.batch.skip();
                continue;
            };
            let slot = &message.slots[index];
            if let Err(error) = map.next_value_seed(FieldSeed { reader: &mut *reader, message, row, slot }) {
                reader.within(|e| e.in_field(&slot.name));
                return Err(error);
            }
            next = index + 1;
        }
        Ok(())
    }
}

fn skip_value<'de, A: MapAccess<'de>>(map: &mut A, style: Style) -> Result<(), A::Error> {
    if style.walk_unknown { map.next_value_seed(Walk) } else { map.next_value::<IgnoredAny>().map(drop) }
}

/// Finds the slot of a field's name; the one after the last comes first, as records repeat.
struct NameSeed<'r> {
    message: &'r MessageLayout,
    next: usize,
}

impl<'de> DeserializeSeed<'de> for NameSeed<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for NameSeed<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field's name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        self.visit_bytes(name.as_bytes())
    }

    fn visit_bytes<E>(self, name: &[u8]) -> Result<Self::Value, E> {
        match self.message.slots.get(self.next) {
            Some(slot) if slot.name.as_bytes() == name => Ok(Some(self.next)),
            _ => Ok(self.message.by_name(name).map(|slot| slot.index as usize)),
        }
    }
}

/// Reads one field's value, or null as its absence.
struct FieldSeed<'x, 'r, 'a> {
    reader: &'x mut Reader<'r, 'a>,
    message: &'r MessageLayout,
    row: usize,
    slot: &'r Slot,
}

impl<'de> DeserializeSeed<'de> for FieldSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_option(self)
    }
}

impl<'de> Visitor<'de> for FieldSeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} or null", self.slot.kind)
    }

    fn visit_none<E>(self) -> Result<(), E> {
        self.reader.batch.unset(self.row, self.slot);
        Ok(())
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<(), E> {
        self.visit_none()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { reader, message, row, slot } = self;
        if slot.presence == Presence::Many {
            return ManySeed { reader, row, slot }.deserialize(deserializer);
        }
        if let Kind::Message(id) = slot.kind {
            reader.enter()?;
            let inner = reader.layout.message(id);
            let inner_row = reader.batch.push_row(inner.stride).map_err(|error| reader.fail(error))?;
            MessageSeed { reader: &mut *reader, message: inner, row: inner_row }.deserialize(deserializer)?;
            reader.put(row, message, slot, inner_row as u64);
            reader.leave();
            return Ok(());
        }
        match (ScalarSeed { reader: &mut *reader, kind: slot.kind }).deserialize(deserializer)? {
            Some(word) => reader.put(row, message, slot, word),
            None => reader.batch.skip(),
        }
        Ok(())
    }
}
