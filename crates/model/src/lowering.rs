//! What a format cannot hold natively, and how it is lowered: the profile printed beside its size.

use crate::batch::Batch;
use crate::row::{Row, Value};
use crate::schema::{Cardinality, Kind, Width};
use std::fmt;
use std::ops::{BitOr, BitOrAssign};

/// A set of lowerings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lowerings(u32);

macro_rules! lowerings {
    ($($bit:literal $name:ident $text:literal;)*) => {
        impl Lowerings {
            $(#[doc = $text] pub const $name: Self = Self(1 << $bit);)*

            /// Each lowering with the words that reports show.
            pub const ALL: &'static [(Self, &'static str)] = &[$((Self::$name, $text)),*];
        }
    };
}

lowerings! {
    0 EMPTY_LIST_ABSENT "an empty list is an absent one";
    1 EMPTY_TEXT_ABSENT "empty text is absent";
    2 NAN_PAYLOAD "every NaN is the one NaN";
    3 UNKNOWN_DROPPED "unknown fields are dropped";
    4 BYTES_BASE64 "bytes as base64 text";
    5 NON_FINITE_TEXT "NaN and infinities as text";
    6 MAP_KEY_TEXT "map keys that are no text as text";
    7 UINT32_I64 "unsigned 32 bit as signed 64 bit";
    8 UINT64_I64 "unsigned 64 bit as signed 64 bit";
    9 FLOAT_DOUBLE "float as double";
    10 NULL_ABSENT "null is absence";
    11 MAP_ENTRIES "a map whose keys are no scalars as a list of entries";
    12 XML_ESCAPED "characters that XML cannot hold as base64 text";
}

impl Lowerings {
    /// None.
    pub const NONE: Self = Self(0);

    /// Whether all of `other` are in it.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The words for each lowering in the set.
    pub fn texts(self) -> impl Iterator<Item = &'static str> {
        Self::ALL.iter().filter(move |(one, _)| self.contains(*one)).map(|&(_, text)| text)
    }

    /// The lowerings that these records would need in a format which has none of the things concerned; a
    /// format keeps those that concern it with [`Lowerings::and`].
    pub fn called_for(batch: &Batch<'_>) -> Self {
        let mut found = Self::NONE;
        for row in batch.rows() {
            of_row(row, &mut found);
        }
        found
    }
}

fn of_row(row: Row<'_>, found: &mut Lowerings) {
    if row.unknown().next().is_some() {
        *found |= Lowerings::UNKNOWN_DROPPED;
    }
    for (slot, value) in row.fields() {
        of_value(slot.kind, value, found);
    }
}

fn of_value(kind: Kind, value: Value<'_>, found: &mut Lowerings) {
    match value {
        Value::Message(row) => of_row(row, found),
        Value::List(items) => {
            if items.is_empty() {
                *found |= Lowerings::EMPTY_LIST_ABSENT;
            }
            for item in items.iter() {
                if let (Cardinality::Map, Value::Message(entry)) = (items.cardinality(), item) {
                    of_key(entry, found);
                }
                of_value(items.kind(), item, found);
            }
        }
        Value::Float(v) => {
            *found |= Lowerings::FLOAT_DOUBLE;
            if !v.is_finite() {
                *found |= Lowerings::NON_FINITE_TEXT;
            }
        }
        Value::Double(v) if !v.is_finite() => *found |= Lowerings::NON_FINITE_TEXT,
        Value::Bytes(_) => *found |= Lowerings::BYTES_BASE64,
        Value::String("") => *found |= Lowerings::EMPTY_TEXT_ABSENT,
        Value::String(text) if !fits_xml(text) => *found |= Lowerings::XML_ESCAPED,
        Value::Uint(_) => {
            *found |= match kind {
                Kind::Int(int) if int.width == Width::W64 => Lowerings::UINT64_I64,
                Kind::Int(int) if int.width == Width::W32 => Lowerings::UINT32_I64,
                _ => Lowerings::NONE,
            }
        }
        _ => {}
    }
}

/// Whether XML 1.0 can hold all characters of a text (fifth edition, section 2.2, production 2).
///
/// ```
/// use bantam_model::lowering::fits_xml;
/// assert!(fits_xml("tab\tand line\n"));
/// assert!(!fits_xml("escape \u{1b}") && !fits_xml("\u{ffff}"));
/// ```
pub fn fits_xml(text: &str) -> bool {
    let is_control = |b: u8| b < 0x20 && !matches!(b, b'\t' | b'\n' | b'\r');
    // The two others in UTF-8 are EF BF BE and EF BF BF, and EF is rare.
    let bytes = text.as_bytes();
    let odd = bytes.contains(&0xef) && text.contains(['\u{fffe}', '\u{ffff}']);
    !odd && !bytes.iter().any(|&b| is_control(b))
}

fn of_key(entry: Row<'_>, found: &mut Lowerings) {
    *found |= match entry.layout().slots[0].kind {
        Kind::String => Lowerings::NONE,
        Kind::Message(_) | Kind::Bytes | Kind::Float | Kind::Double => Lowerings::MAP_ENTRIES,
        _ => Lowerings::MAP_KEY_TEXT,
    };
}

impl BitOr for Lowerings {
    type Output = Self;
    fn bitor(self, other: Self) -> Self {
        self.or(other)
    }
}

impl BitOrAssign for Lowerings {
    fn bitor_assign(&mut self, other: Self) {
        *self = self.or(other);
    }
}

impl fmt::Display for Lowerings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.texts().collect::<Vec<_>>().join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::Layout;
    use crate::schema::{Field, Message, MessageId, Schema};
    use std::sync::Arc;

    #[test]
    fn text_that_xml_cannot_hold_calls_for_escaping() {
        let fields = vec![Field::new("s", 1, Kind::String, Cardinality::Repeated)];
        let message = Message { name: "R".into(), fields, ..Message::default() };
        let schema = Arc::new(Schema { messages: vec![message], enums: vec![] });
        let layout = Arc::new(Layout::new(schema, MessageId(0)).unwrap());
        for (text, called) in [
            ("a\tb\r\n", false),
            ("\u{7f}\u{85}\u{d7ff}\u{e000}\u{fffd}\u{10ffff}", false),
            ("a\0", true),
            ("\u{1f}", true),
            ("\u{fffe}", true),
            ("x\u{ffff}", true),
        ] {
            let mut batch = Batch::new(layout.clone());
            let row = batch.push_record().unwrap();
            batch.mark(row, 0);
            let item = batch.push_item(row + 1, 1).unwrap();
            let span = batch.store(text.as_bytes()).unwrap();
            batch.words_mut()[item] = span.word();
            let found = Lowerings::called_for(&batch);
            assert_eq!(found.contains(Lowerings::XML_ESCAPED), called, "{text:?}");
        }
    }
}
