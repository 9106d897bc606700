//! What serde spells differently for people and for programs: bytes, and numbers with names.

use crate::neutral::{Neutral, Reader};
use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// Bytes: base64 text in formats for people, bytes in the others.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bytes(pub Vec<u8>);

impl Neutral for Bytes {
    fn read(from: &mut Reader<'_>) -> Self {
        Self(Vec::read(from))
    }
    fn write(&self, out: &mut Vec<u8>) {
        self.0.write(out);
    }
    fn is_zero(&self) -> bool {
        self.0.is_empty()
    }
}

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if serializer.is_human_readable() {
            serializer.serialize_str(&base64_of(&self.0))
        } else {
            serializer.serialize_bytes(&self.0)
        }
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            deserializer.deserialize_str(BytesVisitor)
        } else {
            deserializer.deserialize_byte_buf(BytesVisitor)
        }
    }
}

struct BytesVisitor;

impl Visitor<'_> for BytesVisitor {
    type Value = Bytes;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes, or base64 text")
    }
    fn visit_str<E: Error>(self, text: &str) -> Result<Bytes, E> {
        of_base64(text.as_bytes()).map(Bytes).ok_or_else(|| E::custom("no base64"))
    }
    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Bytes, E> {
        Ok(Bytes(bytes.to_vec()))
    }
    fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
        Ok(Bytes(bytes))
    }
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// RFC 4648, section 4, with padding.
fn base64_of(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for part in bytes.chunks(3) {
        let word = part.iter().fold(0_u32, |word, &byte| word << 8 | u32::from(byte)) << (8 * (3 - part.len()));
        for at in 0..4 {
            let digit = ALPHABET[(word >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= part.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

fn of_base64(text: &[u8]) -> Option<Vec<u8>> {
    let text = text.strip_suffix(b"==").or_else(|| text.strip_suffix(b"=")).unwrap_or(text);
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3 + 2);
    for part in text.chunks(4) {
        let mut word = 0_u32;
        for &digit in part {
            word = word << 6 | value_of(digit)?;
        }
        word <<= 6 * (4 - part.len());
        bytes.extend_from_slice(&word.to_be_bytes()[1..part.len()]);
    }
    Some(bytes)
}

fn value_of(digit: u8) -> Option<u32> {
    Some(u32::from(match digit {
        b'A'..=b'Z' => digit - b'A',
        b'a'..=b'z' => digit - b'a' + 26,
        b'0'..=b'9' => digit - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    }))
}

/// Makes a type of an enum: its name in formats for people, where it has one, and its number in the others.
#[allow(unused_macros)]
macro_rules! names {
    ($type:ident { $($number:literal => $name:literal),* }) => {
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub struct $type(pub i32);

        impl crate::neutral::Neutral for $type {
            fn read(from: &mut crate::neutral::Reader<'_>) -> Self {
                Self(i32::read(from))
            }
            fn write(&self, out: &mut Vec<u8>) {
                self.0.write(out);
            }
            fn is_zero(&self) -> bool {
                self.0 == 0
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                #[allow(unreachable_patterns)]
                let name = match self.0 {
                    $($number => $name,)*
                    _ => "",
                };
                if name.is_empty() || !serializer.is_human_readable() {
                    serializer.serialize_i32(self.0)
                } else {
                    serializer.serialize_str(name)
                }
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                fn number_of(name: &str) -> Option<i32> {
                    #[allow(unreachable_patterns)]
                    match name {
                        $($name => Some($number),)*
                        _ => None,
                    }
                }
                if deserializer.is_human_readable() {
                    deserializer.deserialize_any(crate::text::EnumVisitor(number_of)).map(Self)
                } else {
                    i32::deserialize(deserializer).map(Self)
                }
            }
        }
    };
}

#[allow(unused_imports)]
pub(crate) use names;

/// Reads an enum by its name or number.
pub struct EnumVisitor(pub fn(&str) -> Option<i32>);

impl Visitor<'_> for EnumVisitor {
    type Value = i32;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name or number of an enum")
    }
    fn visit_str<E: Error>(self, name: &str) -> Result<i32, E> {
        (self.0)(name).ok_or_else(|| E::custom(format_args!("no value is named `{name}`")))
    }
    fn visit_i64<E: Error>(self, number: i64) -> Result<i32, E> {
        number.try_into().map_err(E::custom)
    }
    fn visit_u64<E: Error>(self, number: u64) -> Result<i32, E> {
        number.try_into().map_err(E::custom)
    }
}
