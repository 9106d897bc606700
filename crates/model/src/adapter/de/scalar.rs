//! Scalars, map keys, and values that nobody wants.

use super::Reader;
use crate::adapter::text::{BASE64, BASE64_URL, non_finite};
use crate::batch::Span;
use crate::error::{Error, ErrorKind};
use crate::schema::{EnumId, Int, Kind, Width};
use base64::Engine as _;
use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Unexpected, Visitor};
use std::fmt;

/// Whether a value of an implicit field is absence: zero, false, or nothing.
pub(super) fn means_absence(kind: Kind, word: u64) -> bool {
    match kind {
        Kind::String | Kind::Bytes => Span::from_word(word).is_empty(),
        _ => word == 0,
    }
}

/// Reads one scalar as a row's word; nothing for a number without a name in an enum that is not open.
pub(super) struct ScalarSeed<'x, 'r, 'a> {
    pub(super) reader: &'x mut Reader<'r, 'a>,
    pub(super) kind: Kind,
}

impl<'de> DeserializeSeed<'de> for ScalarSeed<'_, '_, '_> {
    type Value = Option<u64>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<u64>, D::Error> {
        if !self.reader.style.untyped {
            return deserializer.deserialize_any(self);
        }
        match self.kind {
            Kind::Bool => deserializer.deserialize_bool(self),
            Kind::Float => deserializer.deserialize_f32(self),
            Kind::Double => deserializer.deserialize_f64(self),
            Kind::String | Kind::Bytes | Kind::Enum(_) => deserializer.deserialize_str(self),
            Kind::Int(_) | Kind::Message(_) => deserializer.deserialize_any(self),
        }
    }
}

impl<'de> Visitor<'de> for ScalarSeed<'_, '_, '_> {
    type Value = Option<u64>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::Int(int) => write!(f, "{} ({}..={})", int.name(), int.min(), int.max()),
            Kind::Enum(id) => write!(f, "a value of enum {}", self.reader.layout.schema().enumeration(id).name),
            Kind::Bytes => f.write_str("bytes as base64 text"),
            kind => write!(f, "{kind}"),
        }
    }

    fn visit_bool<E: serde::de::Error>(self, value: bool) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Bool => Ok(Some(value as u64)),
            _ => Err(E::invalid_type(Unexpected::Bool(value), &self)),
        }
    }

    fn visit_i64<E: serde::de::Error>(self, value: i64) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Int(int) => self.integer(int, value as i128),
            Kind::Float => Ok(Some((value as f32).to_bits() as u64)),
            Kind::Double => Ok(Some((value as f64).to_bits())),
            Kind::Enum(id) => self.number(id, value as i128),
            _ => Err(E::invalid_type(Unexpected::Signed(value), &self)),
        }
    }

    fn visit_u64<E: serde::de::Error>(self, value: u64) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Int(int) => self.integer(int, value as i128),
            Kind::Float => Ok(Some((value as f32).to_bits() as u64)),
            Kind::Double => Ok(Some((value as f64).to_bits())),
            Kind::Enum(id) => self.number(id, value as i128),
            _ => Err(E::invalid_type(Unexpected::Unsigned(value), &self)),
        }
    }

    fn visit_i128<E: serde::de::Error>(self, value: i128) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Int(int) => self.integer(int, value),
            _ => Err(E::invalid_type(Unexpected::Other("a number beyond 64 bits"), &self)),
        }
    }

    fn visit_f32<E: serde::de::Error>(self, value: f32) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Float => Ok(Some(value.to_bits() as u64)),
            _ => self.visit_f64(value as f64),
        }
    }

    fn visit_f64<E: serde::de::Error>(self, value: f64) -> Result<Option<u64>, E> {
        // From 2^53 on, what was written may have been another whole number.
        let is_whole = value.fract() == 0.0 && value.abs() < 2f64.powi(53);
        match self.kind {
            Kind::Double => Ok(Some(value.to_bits())),
            Kind::Float if value.is_finite() && (value as f32).is_infinite() => {
                let text = format!("{value} does not fit a float, whose largest value is {}", f32::MAX);
                Err(self.reader.fail(Error::new(ErrorKind::Range, text)))
            }
            Kind::Float => Ok(Some((value as f32).to_bits() as u64)),
            Kind::Int(int) if is_whole => self.integer(int, value as i128),
            Kind::Enum(id) if is_whole => self.number(id, value as i128),
            // The bounds themselves may be what a number beyond them was rounded to.
            Kind::Int(int) if value.fract() == 0.0 && value > int.min() as f64 && value < int.max() as f64 => {
                let text = format!("{value:?} is a float of 2^53 or beyond, which need not be the number written");
                Err(self.reader.fail(Error::new(ErrorKind::Range, text)))
            }
            Kind::Int(int) if value.is_finite() => Err(self.reader.fail(out_of_range(value, int))),
            _ => Err(E::invalid_type(Unexpected::Float(value), &self)),
        }
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::String => self.reader.store(text.as_bytes(), false).map(Some),
            Kind::Bytes => self.base64(text).map(Some),
            Kind::Enum(id) => self.name(id, text),
            Kind::Int(int) if int.width == Width::W64 => match text.parse::<i128>() {
                Ok(value) => self.integer(int, value),
                Err(_) => Err(E::invalid_type(Unexpected::Str(&cut(text)), &self)),
            },
            Kind::Float | Kind::Double => match non_finite(text) {
                Some(value) => self.visit_f64(value),
                None => Err(E::invalid_type(Unexpected::Str(&cut(text)), &self)),
            },
            _ => Err(E::invalid_type(Unexpected::Str(&cut(text)), &self)),
        }
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::String => self.reader.store(text.as_bytes(), true).map(Some),
            _ => self.visit_str(text),
        }
    }

    fn visit_bytes<E: serde::de::Error>(self, bytes: &[u8]) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Bytes => self.reader.store(bytes, false).map(Some),
            _ => Err(E::invalid_type(Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_borrowed_bytes<E: serde::de::Error>(self, bytes: &'de [u8]) -> Result<Option<u64>, E> {
        match self.kind {
            Kind::Bytes => self.reader.store(bytes, true).map(Some),
            _ => Err(E::invalid_type(Unexpected::Bytes(bytes), &self)),
        }
    }

    fn visit_unit<E: serde::de::Error>(self) -> Result<Option<u64>, E> {
        Err(E::invalid_type(Unexpected::Other("null"), &self))
    }
}

impl ScalarSeed<'_, '_, '_> {
    fn integer<E: serde::de::Error>(self, int: Int, value: i128) -> Result<Option<u64>, E> {
        if int.holds(value) { Ok(Some(value as u64)) } else { Err(self.reader.fail(out_of_range(value, int))) }
    }

    fn number<E: serde::de::Error>(self, id: EnumId, value: i128) -> Result<Option<u64>, E> {
        let Ok(number) = i32::try_from(value) else {
            return Err(self.reader.fail(out_of_range(value, Int::I32)));
        };
        let of = self.reader.layout.schema().enumeration(id);
        Ok((of.open || of.name_of(number).is_some()).then_some(number as i64 as u64))
    }

    fn name<E: serde::de::Error>(self, id: EnumId, text: &str) -> Result<Option<u64>, E> {
        let of = self.reader.layout.schema().enumeration(id);
        if let Some(number) = of.number_of(text) {
            return Ok(Some(number as i64 as u64));
        }
        // A name is never a number, and untyped libraries give both as text.
        if let (true, Ok(value)) = (self.reader.style.untyped, text.parse::<i128>()) {
            return self.number(id, value);
        }
        Err(self.reader.fail(no_such_name(of, text)))
    }

    fn base64<E: serde::de::Error>(self, text: &str) -> Result<u64, E> {
        if self.reader.style.untyped && text.contains(|c: char| c.is_ascii_whitespace()) {
            // YAML's `!!binary` is broken into lines.
            return self.base64(&text.split_ascii_whitespace().collect::<String>());
        }
        let batch = &mut *self.reader.batch;
        let url = text.bytes().any(|b| b == b'-' || b == b'_');
        let engine = if url { &BASE64_URL } else { &BASE64 };
        let span = batch.limits().check_string(text.len() / 4 * 3).and_then(|()| {
            batch.store_with(|out| {
                engine.decode_vec(text, out).map_err(|error| {
                    Error::new(ErrorKind::Mismatch, format!("{:?} is no base64 text: {error}", cut(text)))
                })
            })
        });
        span.map(Span::word).map_err(|error| self.reader.fail(error))
    }
}

impl Reader<'_, '_> {
    /// Text as a span: a range of the input if the library borrowed it from there, else a copy.
    fn store<E: serde::de::Error>(&mut self, bytes: &[u8], borrowed: bool) -> Result<u64, E> {
        let input = self.batch.input();
        let at = bytes.as_ptr().addr().wrapping_sub(input.as_ptr().addr());
        let inside = borrowed && at <= input.len() && bytes.len() <= input.len() - at;
        let span = if inside { self.batch.span(at, bytes.len()) } else { self.batch.store(bytes) };
        span.map(Span::word).map_err(|error| self.fail(error))
    }
}

/// Reads a map's key; formats for people have all keys as text.
pub(super) struct KeySeed<'x, 'r, 'a> {
    pub(super) reader: &'x mut Reader<'r, 'a>,
    pub(super) kind: Kind,
}

impl KeySeed<'_, '_, '_> {
    fn known<E: serde::de::Error>(word: Option<u64>) -> Result<u64, E> {
        word.ok_or_else(|| E::custom("a map's key is a number that its enum has no name for"))
    }
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_, '_, '_> {
    type Value = u64;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<u64, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(self)
        } else {
            let scalar = ScalarSeed { reader: self.reader, kind: self.kind };
            Self::known(scalar.deserialize(deserializer)?)
        }
    }
}

impl<'de> Visitor<'de> for KeySeed<'_, '_, '_> {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a key of kind {}", self.kind)
    }

    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<u64, E> {
        let Self { reader, kind } = self;
        let word = match (kind, text) {
            (Kind::String, _) => ScalarSeed { reader, kind }.visit_str(text),
            (Kind::Bool, "true") => Ok(Some(1)),
            (Kind::Bool, "false") => Ok(Some(0)),
            (Kind::Int(int), _) => match text.parse() {
                Ok(value) => ScalarSeed { reader, kind }.integer(int, value),
                Err(_) => Err(E::invalid_value(Unexpected::Str(&cut(text)), &Self { reader, kind })),
            },
            (Kind::Enum(id), _) => match text.parse() {
                Ok(number) => ScalarSeed { reader, kind }.number(id, number),
                Err(_) => ScalarSeed { reader, kind }.name(id, text),
            },
            _ => Err(E::invalid_value(Unexpected::Str(&cut(text)), &Self { reader, kind })),
        };
        Self::known(word?)
    }

    fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<u64, E> {
        match self.kind {
            Kind::String => self.reader.store(text.as_bytes(), true),
            _ => self.visit_str(text),
        }
    }
}

/// Passes over a value of any kind.
pub(super) struct Walk;

impl<'de> DeserializeSeed<'de> for Walk {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Walk {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        Ok(())
    }

    fn visit_i64<E>(self, _: i64) -> Result<(), E> {
        Ok(())
    }

    fn visit_u64<E>(self, _: u64) -> Result<(), E> {
        Ok(())
    }

    fn visit_f64<E>(self, _: f64) -> Result<(), E> {
        Ok(())
    }

    fn visit_str<E>(self, _: &str) -> Result<(), E> {
        Ok(())
    }

    fn visit_bytes<E>(self, _: &[u8]) -> Result<(), E> {
        Ok(())
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Walk)?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while map.next_key_seed(Walk)?.is_some() {
            map.next_value_seed(Walk)?;
        }
        Ok(())
    }
}

#[cold]
fn out_of_range(value: impl fmt::Display, int: Int) -> Error {
    let text = format!("{value} does not fit {}, which is {}..={}", int.name(), int.min(), int.max());
    Error::new(ErrorKind::Range, text)
}

#[cold]
fn no_such_name(of: &crate::schema::Enum, text: &str) -> Error {
    const SHOWN: usize = 20;
    let mut names: Vec<&str> = of.values.iter().take(SHOWN).map(|value| value.name.as_str()).collect();
    if of.values.len() > SHOWN {
        names.push("…");
    }
    let text = format!("{:?} is no name of enum {}; there are: {}", cut(text), of.name, names.join(", "));
    Error::new(ErrorKind::Mismatch, text)
}

/// The start of a text, for messages.
fn cut(text: &str) -> String {
    const SHOWN: usize = 40;
    match text.char_indices().nth(SHOWN) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}
