//! The least that going through the adapter can cost: writing to a library that does nothing, and reading from one that has nothing to
//! parse.

use super::ser::is_scalar_key;
use crate::batch::Batch;
use crate::error::Error;
use crate::layout::Slot;
use crate::row::{Items, Row, Value};
use crate::schema::{Cardinality, Kind, Shape};
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::forward_to_deserialize_any;
use serde::ser::{self, Serialize, Serializer};
use std::fmt;
use std::hint::black_box;

/// A serializer that takes every value and does nothing with it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Discard;

/// All records of a batch, as a deserializer that has them already: values are handed over as they lie there, and
/// names are the schema's own.
#[derive(Debug, Clone, Copy)]
pub struct Replay<'b>(&'b Batch<'b>);

impl<'b> Replay<'b> {
    /// Over these records.
    pub fn new(batch: &'b Batch<'b>) -> Self {
        Self(batch)
    }
}

macro_rules! discard {
    ($($name:ident: $of:ty),*) => {
        $(fn $name(self, value: $of) -> Result<(), Error> {
            // The value is made, though nobody looks at it.
            black_box(value);
            Ok(())
        })*
    };
}

impl Serializer for Discard {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    discard! {
        serialize_bool: bool, serialize_i8: i8, serialize_i16: i16, serialize_i32: i32, serialize_i64: i64,
        serialize_u8: u8, serialize_u16: u16, serialize_u32: u32, serialize_u64: u64, serialize_f32: f32,
        serialize_f64: f64, serialize_char: char, serialize_str: &str, serialize_bytes: &[u8],
        serialize_unit_struct: &'static str
    }

    fn is_human_readable(&self) -> bool {
        false
    }

    fn serialize_none(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_unit(self) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, _: &'static str) -> Result<(), Error> {
        Ok(())
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _: &'static str, value: &T) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        value: &T,
    ) -> Result<(), Error> {
        value.serialize(self)
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_map(self, _: Option<usize>) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(self, _: &'static str, _: u32, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn collect_str<T: fmt::Display + ?Sized>(self, value: &T) -> Result<(), Error> {
        black_box(value);
        Ok(())
    }
}

macro_rules! discard_parts {
    ($($of:ident $($name:ident($($key:ty)?))+;)*) => {
        $(impl ser::$of for Discard {
            type Ok = ();
            type Error = Error;

            $(fn $name<T: Serialize + ?Sized>(&mut self, $(_: $key,)? value: &T) -> Result<(), Error> {
                value.serialize(Self)
            })+

            fn end(self) -> Result<(), Error> {
                Ok(())
            }
        })*
    };
}

discard_parts! {
    SerializeSeq serialize_element();
    SerializeTuple serialize_element();
    SerializeTupleStruct serialize_field();
    SerializeTupleVariant serialize_field();
    SerializeMap serialize_key() serialize_value();
    SerializeStruct serialize_field(&'static str);
    SerializeStructVariant serialize_field(&'static str);
}

/// One value to hand over.
struct Of<'b>(Value<'b>);

/// The fields of a row that are left.
struct Fields<'b> {
    row: Row<'b>,
    slots: std::slice::Iter<'b, Slot>,
    value: Option<Value<'b>>,
}

/// The items of a list that are left: as they are, or as a map's keys and values.
struct Rest<'b, I: Iterator<Item = Value<'b>>> {
    items: I,
    value: Option<Value<'b>>,
}

impl<'de> Deserializer<'de> for Replay<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_seq(Rest { items: self.0.rows().map(Value::Message), value: None })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> Deserializer<'de> for Of<'de> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.0 {
            Value::Bool(value) => visitor.visit_bool(value),
            Value::Int(value) => visitor.visit_i64(value),
            Value::Uint(value) => visitor.visit_u64(value),
            Value::Float(value) => visitor.visit_f32(value),
            Value::Double(value) => visitor.visit_f64(value),
            Value::String(text) => visitor.visit_borrowed_str(text),
            Value::Bytes(bytes) => visitor.visit_borrowed_bytes(bytes),
            Value::Enum(_, number) => visitor.visit_i32(number),
            Value::Message(row) if row.layout().shape == Shape::Wrapper => match row.get(&row.layout().slots[0]) {
                Some(list) => Of(list).deserialize_any(visitor),
                None => visitor.visit_seq(Rest { items: std::iter::empty(), value: None }),
            },
            Value::Message(row) => visitor.visit_map(Fields { row, slots: row.layout().slots.iter(), value: None }),
            Value::List(items) if is_map(items) => visitor.visit_map(Rest { items: items.iter(), value: None }),
            Value::List(items) => visitor.visit_seq(Rest { items: items.iter(), value: None }),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

fn is_map(items: Items<'_>) -> bool {
    items.cardinality() == Cardinality::Map
        && matches!(items.kind(), Kind::Message(id)
            if is_scalar_key(items.batch().layout().message(id).slots[0].kind))
}

impl<'b> MapAccess<'b> for Fields<'b> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'b>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        for slot in self.slots.by_ref() {
            if let Some(value) = self.row.get(slot) {
                self.value = Some(value);
                return seed.deserialize(Of(Value::String(&slot.name))).map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'b>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Of(self.value.take().expect("a key was asked for before its value")))
    }
}

impl<'b, I: Iterator<Item = Value<'b>>> SeqAccess<'b> for Rest<'b, I> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'b>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.items.next().map(|value| seed.deserialize(Of(value))).transpose()
    }
}

impl<'b, I: Iterator<Item = Value<'b>>> MapAccess<'b> for Rest<'b, I> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'b>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(Value::Message(entry)) = self.items.next() else { return Ok(None) };
        let of = |at: usize| entry.get(&entry.layout().slots[at]).expect("key and value are required in every entry");
        self.value = Some(of(1));
        seed.deserialize(Of(of(0))).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'b>>(&mut self, seed: V) -> Result<V::Value, Error> {
        seed.deserialize(Of(self.value.take().expect("a key was asked for before its value")))
    }
}
