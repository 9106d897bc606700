//! A schema compiled for speed: fixed-stride rows of 64 bit words, one slot a field.
//!
//! A row is `has_words` words of has-bits (bit `i` for slot `i`), then one word a slot, then, if unknown
//! fields are kept, one word for their list. What a slot's word holds:
//!
//! | kind | word |
//! |---|---|
//! | bool | 0 or 1 |
//! | signed integers, enums | sign-extended to 64 bits |
//! | unsigned integers | zero-extended |
//! | float | the 32 bits of its IEEE 754 form |
//! | double | the 64 bits of its IEEE 754 form |
//! | string, bytes | a [`Span`](crate::Span): a range of the input, or of the batch's own text |
//! | message | the word offset of its row |
//! | list, set, map | a [`List`](crate::List): word offset and count; scalars take one word, messages one row |
//!
//! A slot whose has-bit is off holds 0. A list's has-bit says that the list is there, empty or not.

use crate::error::{Error, ErrorKind, Result};
use crate::schema::{Cardinality, Kind, Message, MessageId, Schema, Shape};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A compiled schema with the message that the records are.
#[derive(Debug)]
pub struct Layout {
    schema: Arc<Schema>,
    root: MessageId,
    messages: Vec<MessageLayout>,
}

/// One message's row.
#[derive(Debug)]
pub struct MessageLayout {
    /// Its place in the schema and in the layout.
    pub id: MessageId,
    /// What the message stands for.
    pub shape: Shape,
    /// Words of has-bits at the start of a row.
    pub has_words: u32,
    /// Words of a row.
    pub stride: u32,
    /// One a field, in the order of the schema.
    pub slots: Vec<Slot>,
    /// The word of a row that lists the unknown fields, where they are kept.
    pub unknown: Option<u32>,
    /// Has-bits that every row must have, one mask a has-word.
    pub required: Vec<u64>,
    /// Slots of single messages that need a check of their own required fields.
    pub checked: Vec<u32>,
    names: HashMap<Box<[u8]>, u32>,
    numbers: HashMap<i32, u32>,
}

/// One field's place in a row.
#[derive(Debug, Clone)]
pub struct Slot {
    /// The field's name as written in the schema.
    pub name: Box<str>,
    /// The field's number.
    pub number: i32,
    /// What one value is.
    pub kind: Kind,
    /// How absence is told.
    pub presence: Presence,
    /// The field's cardinality.
    pub cardinality: Cardinality,
    /// Its index among the slots: the has-bit.
    pub index: u32,
    /// Its word in a row.
    pub word: u32,
    /// The other slots of its oneof.
    pub rivals: Box<[u32]>,
}

/// How a field's absence is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// A row without it is an error.
    Required,
    /// The has-bit tells.
    Optional,
    /// Zero, false and empty are absence: such a value is never stored with a has-bit.
    Implicit,
    /// A list, set or map; the has-bit tells an empty one from an absent one.
    Many,
}

impl Layout {
    /// Compiles a schema for records of one message.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] if the schema contradicts itself: unknown ids, two fields of one name or number,
    /// map entries of the wrong shape, or a message that requires itself and so cannot exist.
    pub fn new(schema: Arc<Schema>, root: MessageId) -> Result<Self> {
        Self::build(schema, root, false)
    }

    /// The same with room for unknown fields, which Protocol Buffers readers then keep.
    ///
    /// # Errors
    /// As [`Layout::new`].
    pub fn keeping_unknown(schema: Arc<Schema>, root: MessageId) -> Result<Self> {
        Self::build(schema, root, true)
    }

    fn build(schema: Arc<Schema>, root: MessageId, keep_unknown: bool) -> Result<Self> {
        if root.0 as usize >= schema.messages.len() {
            return Err(Error::new(ErrorKind::Schema, "the root message is not of this schema"));
        }
        for message in &schema.messages {
            check(&schema, message).map_err(|e| e.in_field(&message.name))?;
        }
        if let Some(cycle) = requiring_itself(&schema) {
            let text = format!("no such message can exist, as it requires itself: {cycle}");
            return Err(Error::new(ErrorKind::Schema, text));
        }
        let mut messages = Vec::with_capacity(schema.messages.len());
        for (at, message) in schema.messages.iter().enumerate() {
            messages.push(MessageLayout::new(MessageId(at as u32), message, keep_unknown));
        }
        let needs = needing_check(&schema);
        for (layout, message) in messages.iter_mut().zip(&schema.messages) {
            layout.checked = single_messages(message).filter(|&(_, id)| needs[id.0 as usize]).map(|(i, _)| i).collect();
        }
        Ok(Self { schema, root, messages })
    }

    /// The schema.
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The message that the records are.
    pub fn root(&self) -> &MessageLayout {
        self.message(self.root)
    }

    /// A message's row layout.
    ///
    /// # Panics
    /// If the id is of another schema.
    #[inline]
    pub fn message(&self, id: MessageId) -> &MessageLayout {
        &self.messages[id.0 as usize]
    }

    /// All messages, in the schema's order.
    pub fn messages(&self) -> &[MessageLayout] {
        &self.messages
    }

    /// Whether both describe the same rows: the same schema and root.
    pub fn same_rows(&self, other: &Self) -> bool {
        self.root == other.root
            && self.messages[0].unknown == other.messages[0].unknown
            && (Arc::ptr_eq(&self.schema, &other.schema) || self.schema == other.schema)
    }

    /// The messages that records can hold, the root first.
    pub fn reachable(&self) -> Vec<MessageId> {
        let mut seen = vec![false; self.messages.len()];
        let mut found = vec![self.root];
        seen[self.root.0 as usize] = true;
        let mut next = 0;
        while next < found.len() {
            for slot in &self.message(found[next]).slots {
                if let Kind::Message(id) = slot.kind
                    && !std::mem::replace(&mut seen[id.0 as usize], true)
                {
                    found.push(id);
                }
            }
            next += 1;
        }
        found
    }
}

impl MessageLayout {
    fn new(id: MessageId, message: &Message, keep_unknown: bool) -> Self {
        let has_words = (message.fields.len() as u32).div_ceil(64).max(1);
        let mut required = vec![0; has_words as usize];
        let mut slots = Vec::with_capacity(message.fields.len());
        for (index, field) in message.fields.iter().enumerate() {
            // Nearly all fields are in no oneof, and looking at all pairs takes seconds where there are many.
            let others = if field.oneof.is_some() { &message.fields[..] } else { &[] };
            let rivals = others.iter().enumerate().filter(|(other, f)| *other != index && f.oneof == field.oneof);
            let presence = match field.cardinality {
                // A map's entry always has both; a reader that finds one alone puts in the other's zero.
                _ if message.shape == Shape::Entry => Presence::Required,
                Cardinality::Required => Presence::Required,
                // A oneof tells absence by itself, and a message by its row.
                Cardinality::Implicit if field.oneof.is_none() && !matches!(field.kind, Kind::Message(_)) => {
                    Presence::Implicit
                }
                Cardinality::Optional | Cardinality::Implicit => Presence::Optional,
                Cardinality::Repeated | Cardinality::Set | Cardinality::Map => Presence::Many,
            };
            if presence == Presence::Required {
                required[index / 64] |= 1 << (index % 64);
            }
            slots.push(Slot {
                name: field.name.as_str().into(),
                number: field.number,
                kind: field.kind,
                presence,
                cardinality: field.cardinality,
                index: index as u32,
                word: has_words + index as u32,
                rivals: rivals.map(|(other, _)| other as u32).collect(),
            });
        }
        let words = has_words + slots.len() as u32;
        Self {
            id,
            shape: message.shape,
            has_words,
            stride: words + u32::from(keep_unknown),
            unknown: keep_unknown.then_some(words),
            required,
            checked: Vec::new(),
            names: slots.iter().map(|s| (s.name.as_bytes().into(), s.index)).collect(),
            numbers: slots.iter().map(|s| (s.number, s.index)).collect(),
            slots,
        }
    }

    /// The slot of a field's name.
    pub fn by_name(&self, name: &[u8]) -> Option<&Slot> {
        self.names.get(name).map(|&at| &self.slots[at as usize])
    }

    /// The slot of a field's number.
    pub fn by_number(&self, number: i32) -> Option<&Slot> {
        self.numbers.get(&number).map(|&at| &self.slots[at as usize])
    }

    /// Whether a row needs any check of required fields.
    pub fn needs_check(&self) -> bool {
        !self.checked.is_empty() || self.required.iter().any(|&mask| mask != 0)
    }
}

impl Slot {
    /// Words of one item of a list of this slot's kind.
    pub fn item_words(&self, layout: &Layout) -> u32 {
        match self.kind {
            Kind::Message(id) => layout.message(id).stride,
            _ => 1,
        }
    }
}

fn check(schema: &Schema, message: &Message) -> Result<()> {
    let wrong = |text: String| Err(Error::new(ErrorKind::Schema, text));
    let mut names = HashSet::new();
    let mut numbers = HashMap::new();
    for field in &message.fields {
        if !names.insert(&field.name) {
            return wrong(format!("two fields are named `{}`", field.name));
        }
        if let Some(other) = numbers.insert(field.number, &field.name) {
            return wrong(format!("`{other}` and `{}` both have the number {}", field.name, field.number));
        }
        if field.oneof.is_some_and(|o| o as usize >= message.oneofs.len() || field.cardinality.is_many()) {
            return wrong(format!("`{}` is in a oneof that cannot hold it", field.name));
        }
        let entry = match field.kind {
            Kind::Message(id) => match schema.messages.get(id.0 as usize) {
                Some(of) => of.shape == Shape::Entry,
                None => return wrong(format!("`{}` is of a message that is not there", field.name)),
            },
            Kind::Enum(id) if id.0 as usize >= schema.enums.len() => {
                return wrong(format!("`{}` is of an enum that is not there", field.name));
            }
            _ => false,
        };
        if entry != (field.cardinality == Cardinality::Map) {
            return wrong(format!("`{}`: map fields, and only they, are of a map's entry", field.name));
        }
    }
    let shape = match (message.shape, &message.fields[..]) {
        (Shape::Record, _) => true,
        (Shape::Entry, [key, value]) => {
            (key.name.as_str(), key.number, value.name.as_str(), value.number) == ("key", 1, "value", 2)
                && !key.cardinality.is_many()
                && !value.cardinality.is_many()
        }
        (Shape::Wrapper, [items]) => items.cardinality.is_many(),
        _ => false,
    };
    if shape { Ok(()) } else { wrong(format!("a message of shape {:?} has other fields than it must", message.shape)) }
}

/// Single (not repeated) message fields: slot index and message.
fn single_messages(message: &Message) -> impl Iterator<Item = (u32, MessageId)> + '_ {
    message.fields.iter().enumerate().filter_map(|(at, field)| match field.kind {
        Kind::Message(id) if !field.cardinality.is_many() => Some((at as u32, id)),
        _ => None,
    })
}

/// Messages that a message requires: field and message.
fn required_messages(schema: &Schema, id: usize) -> impl Iterator<Item = (&str, usize)> {
    schema.messages[id].fields.iter().filter_map(|field| match field.kind {
        Kind::Message(of) if field.cardinality == Cardinality::Required => Some((field.name.as_str(), of.0 as usize)),
        _ => None,
    })
}

/// The first cycle of messages that require each other, for people: `A.b requires B, B.a requires A`.
fn requiring_itself(schema: &Schema) -> Option<String> {
    // Who requires it; and how many of those that it requires are not known to be possible.
    let count = schema.messages.len();
    let (mut needed_by, mut waits) = (vec![Vec::new(); count], vec![0_usize; count]);
    for (id, waits) in waits.iter_mut().enumerate() {
        for (_, of) in required_messages(schema, id) {
            needed_by[of].push(id);
            *waits += 1;
        }
    }
    let mut possible: Vec<usize> = (0..count).filter(|&id| waits[id] == 0).collect();
    while let Some(id) = possible.pop() {
        for &user in &needed_by[id] {
            waits[user] -= 1;
            if waits[user] == 0 {
                possible.push(user);
            }
        }
    }
    // From one that is not possible, the way to others never ends, so it comes back to where it was.
    let mut id = waits.iter().position(|&left| left > 0)?;
    let (mut path, mut place) = (Vec::new(), vec![None; count]);
    while place[id].is_none() {
        place[id] = Some(path.len());
        let (field, of) = required_messages(schema, id).find(|&(_, of)| waits[of] > 0)?;
        let name = |id: usize| &schema.messages[id].name;
        path.push(format!("{}.{field} requires {}", name(id), name(of)));
        id = of;
    }
    Some(path[place[id]?..].join(", "))
}

/// Which messages have required fields in themselves or in single messages below them.
fn needing_check(schema: &Schema) -> Vec<bool> {
    let required = |m: &Message| m.fields.iter().any(|f| f.cardinality == Cardinality::Required);
    let mut needs: Vec<bool> = schema.messages.iter().map(required).collect();
    loop {
        let mut changed = false;
        for (at, message) in schema.messages.iter().enumerate() {
            if !needs[at] && single_messages(message).any(|(_, id)| needs[id.0 as usize]) {
                needs[at] = true;
                changed = true;
            }
        }
        if !changed {
            return needs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Field, Int};

    fn schema(fields: Vec<Field>) -> Arc<Schema> {
        let message = Message { name: "M".into(), fields, ..Message::default() };
        Arc::new(Schema { messages: vec![message], enums: Vec::new() })
    }

    #[test]
    fn a_row_is_has_bits_then_slots() {
        let fields: Vec<_> =
            (1..=65).map(|n| Field::new(format!("f{n}"), n, Kind::Bool, Cardinality::Required)).collect();
        let layout = Layout::new(schema(fields), MessageId(0)).unwrap();
        let root = layout.root();
        assert_eq!((root.has_words, root.stride), (2, 67));
        assert_eq!(root.required, [u64::MAX, 1]);
        assert_eq!(root.by_name(b"f65").unwrap().word, 66);
        assert_eq!(root.by_number(1).unwrap().word, 2);
    }

    #[test]
    fn a_schema_that_contradicts_itself_is_refused() {
        let a = || Field::new("a", 1, Kind::Bool, Cardinality::Optional);
        for (fields, text) in [
            (vec![a(), a()], "two fields are named `a`"),
            (vec![a(), Field { name: "b".into(), ..a() }], "both have the number 1"),
            (vec![Field { kind: Kind::Message(MessageId(9)), ..a() }], "not there"),
            (vec![Field { cardinality: Cardinality::Map, ..a() }], "only they"),
            (vec![Field { oneof: Some(0), ..a() }], "oneof"),
        ] {
            let error = Layout::new(schema(fields), MessageId(0)).unwrap_err();
            assert!(error.to_string().contains(text), "{error}");
        }
    }

    #[test]
    fn a_message_that_requires_itself_is_refused_with_the_way_round() {
        use Cardinality::{Optional, Repeated, Required};
        let refused = |edges: &[(u32, u32, Cardinality)]| {
            let message = |id: u32| Message {
                name: format!("p.{}", char::from(b'A' + id as u8)),
                fields: edges
                    .iter()
                    .enumerate()
                    .filter(|(_, (from, ..))| *from == id)
                    .map(|(at, &(_, to, many))| {
                        Field::new(format!("f{at}"), at as i32 + 1, Kind::Message(MessageId(to)), many)
                    })
                    .collect(),
                ..Message::default()
            };
            let schema = Schema { messages: (0..4).map(message).collect(), enums: vec![] };
            Layout::new(Arc::new(schema), MessageId(0)).err().map(|e| e.message().to_owned())
        };
        let round = |way: &str| Some(format!("no such message can exist, as it requires itself: {way}"));
        assert_eq!(refused(&[(0, 0, Required)]), round("p.A.f0 requires p.A"));
        assert_eq!(
            refused(&[(0, 1, Required), (1, 3, Required), (1, 2, Required), (2, 1, Required)]),
            round("p.B.f2 requires p.C, p.C.f3 requires p.B")
        );
        assert_eq!(refused(&[(0, 0, Optional), (0, 1, Required), (1, 0, Repeated)]), None);
        assert_eq!(refused(&[(0, 1, Required), (0, 2, Required), (1, 3, Required), (2, 3, Required)]), None);
        assert_eq!(refused(&[(0, 1, Required), (0, 1, Required)]), None);
    }

    #[test]
    fn required_fields_below_single_messages_are_checked() {
        let inner = Message {
            name: "Inner".into(),
            fields: vec![Field::new("x", 1, Kind::Int(Int::I32), Cardinality::Required)],
            ..Message::default()
        };
        let outer = Message {
            name: "Outer".into(),
            fields: vec![Field::new("inner", 1, Kind::Message(MessageId(0)), Cardinality::Optional)],
            ..Message::default()
        };
        let schema = Arc::new(Schema { messages: vec![inner, outer], enums: vec![] });
        let layout = Layout::new(schema, MessageId(1)).unwrap();
        assert_eq!(layout.root().checked, [0]);
        assert!(layout.root().needs_check());
    }
}
