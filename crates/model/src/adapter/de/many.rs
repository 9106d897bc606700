//! Lists, sets and maps.

use super::scalar::{KeySeed, ScalarSeed};
use super::{FieldSeed, MessageSeed, Reader};
use crate::adapter::ser::is_scalar_key;
use crate::layout::{MessageLayout, Slot};
use crate::schema::{Cardinality, Kind};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use std::fmt;

/// Reads a list, set or map in place of what the slot held.
pub(super) struct ManySeed<'x, 'r, 'a> {
    pub(super) reader: &'x mut Reader<'r, 'a>,
    pub(super) row: usize,
    pub(super) slot: &'r Slot,
}

impl<'de> DeserializeSeed<'de> for ManySeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        self.reader.batch.unset(self.row, self.slot);
        self.reader.batch.mark(self.row, self.slot.index);
        match self.slot.cardinality {
            Cardinality::Map => deserializer.deserialize_any(self),
            _ => deserializer.deserialize_seq(self),
        }
    }
}

impl ManySeed<'_, '_, '_> {
    fn list_at(&self) -> usize {
        self.row + self.slot.word as usize
    }
}

impl<'de> Visitor<'de> for ManySeed<'_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.slot.cardinality {
            Cardinality::Map => f.write_str("a map"),
            _ => write!(f, "a list of {}", self.slot.kind),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        let (list_at, kind, cardinality) = (self.list_at(), self.slot.kind, self.slot.cardinality);
        let reader = self.reader;
        for index in 0.. {
            let read = match kind {
                Kind::Message(_) => seq.next_element_seed(ItemSeed { reader: &mut *reader, list_at, kind }),
                _ => next_scalar(&mut seq, reader, list_at, kind),
            };
            match read {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) => {
                    reader.within(|e| e.in_item(index));
                    return Err(error);
                }
            }
        }
        if let (Cardinality::Map, Kind::Message(id)) = (cardinality, kind) {
            reader.batch.unite_keys(list_at, reader.layout.message(id));
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let list_at = self.list_at();
        let Kind::Message(id) = self.slot.kind else {
            return Err(serde::de::Error::invalid_type(Unexpected::Map, &self));
        };
        let entry = self.reader.layout.message(id);
        if self.slot.cardinality != Cardinality::Map || !is_scalar_key(entry.slots[0].kind) {
            return Err(serde::de::Error::invalid_type(Unexpected::Map, &self));
        }
        let reader = self.reader;
        reader.enter()?;
        for index in 0.. {
            match next_entry(&mut map, reader, list_at, entry) {
                Ok(Some(())) => {}
                Ok(None) => break,
                Err(error) => {
                    reader.within(|e| e.in_item(index));
                    return Err(error);
                }
            }
        }
        reader.leave();
        reader.batch.unite_keys(list_at, entry);
        Ok(())
    }
}

fn next_scalar<'de, A: SeqAccess<'de>>(
    seq: &mut A,
    reader: &mut Reader<'_, '_>,
    list_at: usize,
    kind: Kind,
) -> Result<Option<()>, A::Error> {
    match seq.next_element_seed(ScalarSeed { reader: &mut *reader, kind })? {
        Some(Some(word)) => {
            let item = reader.batch.push_item(list_at, 1).map_err(|error| reader.fail(error))?;
            reader.batch.words_mut()[item] = word;
        }
        Some(None) => reader.batch.skip(),
        None => return Ok(None),
    }
    Ok(Some(()))
}

fn next_entry<'de, 'r, A: MapAccess<'de>>(
    map: &mut A,
    reader: &mut Reader<'r, '_>,
    list_at: usize,
    entry: &'r MessageLayout,
) -> Result<Option<()>, A::Error> {
    let (key, value) = (&entry.slots[0], &entry.slots[1]);
    let Some(word) = map.next_key_seed(KeySeed { reader: &mut *reader, kind: key.kind })? else { return Ok(None) };
    let row = reader.batch.push_item(list_at, entry.stride).map_err(|error| reader.fail(error))?;
    reader.put(row, entry, key, word);
    let seed = FieldSeed { reader: &mut *reader, message: entry, row, slot: value };
    if let Err(error) = map.next_value_seed(seed) {
        reader.within(|e| e.in_field(&value.name));
        return Err(error);
    }
    reader.check_required(row, entry)?;
    Ok(Some(()))
}

/// Adds one message to a list.
struct ItemSeed<'x, 'r, 'a> {
    reader: &'x mut Reader<'r, 'a>,
    list_at: usize,
    kind: Kind,
}

impl<'de> DeserializeSeed<'de> for ItemSeed<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        let Self { reader, list_at, kind } = self;
        let Kind::Message(id) = kind else { return Ok(()) };
        let message = reader.layout.message(id);
        reader.enter()?;
        let row = reader.batch.push_item(list_at, message.stride).map_err(|error| reader.fail(error))?;
        MessageSeed { reader: &mut *reader, message, row }.deserialize(deserializer)?;
        reader.leave();
        reader.check_required(row, message)
    }
}
