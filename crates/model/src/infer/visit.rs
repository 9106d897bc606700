//! Watching a serde deserializer go by: each value leaves its mark at its place, and is gone.

use super::context::Context;
use super::dictionary;
use super::place::{Class, NONE, Object, Place, Seen};
use crate::error::{Error, ErrorKind, Result};
use serde::de::{self, DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Whether a value stands by itself or is a list's item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Field,
    List,
    Map,
}

/// Sees one value.
struct Observe<'a> {
    place: &'a mut Place,
    context: &'a mut Context,
    within: Within,
}

impl<'de> DeserializeSeed<'de> for Observe<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl Observe<'_> {
    fn admit<E: de::Error>(self, class: Class) -> Result<(), E> {
        let record = self.context.record;
        self.place.admit(class, record).map(drop).map_err(|e| self.context.fail(e))
    }

    fn integer<E: de::Error>(self, value: i128) -> Result<(), E> {
        let record = self.context.record;
        let number = self.place.admit_number(record).map_err(|e| self.context.fail(e))?;
        number.integer(value, record);
        Ok(())
    }

    fn wide<E: de::Error>(self, text: &str) -> Result<(), E> {
        let record = self.context.record;
        let number = self.place.admit_number(record);
        number.and_then(|n| n.wide(text, record)).map_err(|e| self.context.fail(e))
    }

    fn null<E: de::Error>(self) -> Result<(), E> {
        let what = match self.within {
            Within::Field => None,
            Within::List => Some("a null in a list: its items cannot be absent, and a null has no kind"),
            Within::Map => Some("a null in what was taken for a dictionary: its values cannot be absent"),
        };
        if let Some(what) = what {
            return Err(self.context.fail(Error::new(ErrorKind::Unsupported, what)));
        }
        self.place.nulls += 1;
        Ok(())
    }
}

impl<'de> Visitor<'de> for Observe<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_bool<E: de::Error>(self, _: bool) -> Result<(), E> {
        self.admit(Class::Bool)
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<(), E> {
        self.integer(value as i128)
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<(), E> {
        self.integer(value as i128)
    }

    fn visit_i128<E: de::Error>(self, value: i128) -> Result<(), E> {
        let fits = i64::MIN as i128 <= value && value <= u64::MAX as i128;
        if fits { self.integer(value) } else { self.wide(&value.to_string()) }
    }

    fn visit_u128<E: de::Error>(self, value: u128) -> Result<(), E> {
        if value <= u64::MAX as u128 { self.integer(value as i128) } else { self.wide(&value.to_string()) }
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<(), E> {
        let record = self.context.record;
        let number = self.place.admit_number(record).map_err(|e| self.context.fail(e))?;
        number.float(value, record);
        Ok(())
    }

    fn visit_str<E: de::Error>(self, _: &str) -> Result<(), E> {
        self.admit(Class::Text)
    }

    fn visit_bytes<E: de::Error>(self, _: &[u8]) -> Result<(), E> {
        self.admit(Class::Bytes)
    }

    fn visit_unit<E: de::Error>(self) -> Result<(), E> {
        self.null()
    }

    fn visit_none<E: de::Error>(self) -> Result<(), E> {
        self.null()
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { place, context, within } = self;
        // A field's list is the field itself, any other a message around it.
        if within != Within::Field {
            context.enter().map_err(|e| context.fail(e))?;
        }
        let item = match place.admit(Class::List, context.record) {
            Ok(Seen::List(item)) => item,
            Ok(_) => unreachable!("a class admits only its own values"),
            Err(error) => return Err(context.fail(error)),
        };
        let mut index = 0;
        loop {
            let next = items.next_element_seed(Observe { place: item, context, within: Within::List });
            match next.inspect_err(|_| context.locate(|e| e.in_item(index)))? {
                Some(()) => index += 1,
                None => break,
            }
        }
        if within != Within::Field {
            context.leave();
        }
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { place, context, .. } = self;
        context.enter().map_err(|e| context.fail(e))?;
        let dictionary = match place.admit(Class::Object, context.record) {
            Ok(Seen::Object(object)) => see_object(object, context, &mut entries, Level::Below)?,
            Ok(_) => None,
            Err(error) => return Err(context.fail(error)),
        };
        if let Some(values) = dictionary {
            context.shrink(place.fields() - values.fields());
            place.seen = Seen::Map(Box::new(values));
        }
        if let Seen::Map(values) = &mut place.seen {
            see_entries(values, context, &mut entries)?;
        }
        context.leave();
        Ok(())
    }
}

/// Whether an object is a record itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Record,
    Below,
}

/// Sees an object's fields; stops with its values so far, merged, if it proves to be a dictionary.
pub(super) fn see_object<'de, A: MapAccess<'de>>(
    object: &mut Object,
    context: &mut Context,
    entries: &mut A,
    level: Level,
) -> Result<Option<Place>, A::Error> {
    object.begin();
    let mut after = NONE;
    while let Some((at, new)) = entries.next_key_seed(Key(&mut *object, after))? {
        if new {
            context.grow(object.fields.len()).map_err(|e| context.fail(e))?;
        }
        let field = &mut object.fields[at as usize];
        let value = Observe { place: &mut field.place, context, within: Within::Field };
        entries.next_value_seed(value).inspect_err(|_| context.locate(|e| e.in_field(&field.name)))?;
        after = at;
        if new && level == Level::Below {
            let dictionary = dictionary::early(object);
            if dictionary.is_some() {
                return Ok(dictionary);
            }
        }
    }
    Ok(None)
}

/// Sees a dictionary's entries.
fn see_entries<'de, A: MapAccess<'de>>(
    values: &mut Place,
    context: &mut Context,
    entries: &mut A,
) -> Result<(), A::Error> {
    let mut name = String::new();
    while entries.next_key_seed(KeyText(&mut name))?.is_some() {
        let value = Observe { place: &mut *values, context, within: Within::Map };
        entries.next_value_seed(value).inspect_err(|_| context.locate(|e| e.in_field(&name)))?;
    }
    Ok(())
}

/// A key as text: looked up without a copy.
fn with_key<'de, D: Deserializer<'de>, T>(deserializer: D, take: impl FnOnce(&str) -> T) -> Result<T, D::Error> {
    struct Text<F>(F);

    impl<T, F: FnOnce(&str) -> T> Visitor<'_> for Text<F> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a key that is text")
        }

        fn visit_str<E: de::Error>(self, key: &str) -> Result<T, E> {
            Ok((self.0)(key))
        }

        fn visit_bool<E: de::Error>(self, key: bool) -> Result<T, E> {
            self.visit_str(if key { "true" } else { "false" })
        }

        fn visit_i64<E: de::Error>(self, key: i64) -> Result<T, E> {
            self.visit_str(&key.to_string())
        }

        fn visit_u64<E: de::Error>(self, key: u64) -> Result<T, E> {
            self.visit_str(&key.to_string())
        }
    }

    deserializer.deserialize_str(Text(take))
}

struct Key<'a>(&'a mut Object, u32);

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = (u32, bool);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        with_key(deserializer, |key| self.0.key(key, self.1))
    }
}

struct KeyText<'a>(&'a mut String);

impl<'de> DeserializeSeed<'de> for KeyText<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        with_key(deserializer, |key| {
            self.0.clear();
            self.0.push_str(key);
        })
    }
}
