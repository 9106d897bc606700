//! The way in: a record, or a list of them.

use super::context::Context;
use super::place::{Class, Object};
use super::visit::{Level, see_object};
use crate::error::{Error, ErrorKind};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Sees a record, or a list of them.
pub(super) struct Records<'a> {
    pub(super) root: &'a mut Object,
    pub(super) context: &'a mut Context,
    /// Whether a list is a list of records.
    pub(super) list: bool,
}

impl<'de> DeserializeSeed<'de> for Records<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Records<'_> {
    fn refuse<E: de::Error>(self, class: Class) -> Result<(), E> {
        let what = format!("a record is an object, and this is {}", class.words());
        Err(self.context.fail(Error::new(ErrorKind::Mismatch, what)))
    }
}

impl<'de> Visitor<'de> for Records<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.list { "a list of records, or a record" } else { "a record" })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { root, context, .. } = self;
        context.start();
        context.enter().map_err(|e| context.fail(e))?;
        see_object(root, context, &mut entries, Level::Record)?;
        context.record += 1;
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { root, context, list } = self;
        if !list {
            return Self { root, context, list }.refuse(Class::List);
        }
        while items.next_element_seed(Records { root, context, list: false })?.is_some() {}
        Ok(())
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.refuse(Class::Bool)
    }

    fn visit_i64<E: de::Error>(self, _: i64) -> Result<(), E> {
        self.refuse(Class::Number)
    }

    fn visit_u64<E: de::Error>(self, _: u64) -> Result<(), E> {
        self.refuse(Class::Number)
    }

    fn visit_f64<E: de::Error>(self, _: f64) -> Result<(), E> {
        self.refuse(Class::Number)
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        self.refuse(Class::Text)
    }

    fn visit_bytes<E: de::Error>(self, _: &[u8]) -> Result<(), E> {
        self.refuse(Class::Bytes)
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.refuse(Class::Nothing)
    }
}
