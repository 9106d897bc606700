//! What records hold: messages, fields, enums.
//!
//! One model for Protocol Buffers 2 and 3, Thrift structs, Avro records and inferred schemas.
//! Messages refer to each other by index, so recursion costs nothing.

use crate::error::{Error, ErrorKind, Result};
use std::collections::HashSet;
use std::fmt;

/// A message's place in [`Schema::messages`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MessageId(pub u32);

/// An enum's place in [`Schema::enums`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EnumId(pub u32);

/// Messages and enums, in the order of their source.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Schema {
    /// All messages, with those that stand for map entries and nested lists.
    pub messages: Vec<Message>,
    /// All enums.
    pub enums: Vec<Enum>,
}

/// A message (Thrift: struct, union or exception; Avro: record).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Message {
    /// The full name, with package and outer messages: `dns.Record`.
    pub name: String,
    /// The fields, in the order of the source.
    pub fields: Vec<Field>,
    /// The names of the oneofs; a field's [`Field::oneof`] is an index into them.
    pub oneofs: Vec<String>,
    /// What the message stands for.
    pub shape: Shape,
    /// Declared in a file that the schema's own file imports; such messages are no candidates for records.
    pub imported: bool,
    /// Documentation: plain text, lines split by `\n`, empty for none.
    pub doc: String,
}

/// What a message stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Shape {
    /// A message in its own right.
    #[default]
    Record,
    /// A map's entry: exactly the fields `key` = 1 and `value` = 2.
    Entry,
    /// A list inside a list or map: exactly one repeated or map field. Formats that can nest lists write
    /// the bare list, the others the message.
    Wrapper,
}

/// A field of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// The name as written in the source.
    pub name: String,
    /// The number: Protocol Buffers 1..2^29, Thrift any 16 bit number.
    pub number: i32,
    /// What one value is.
    pub kind: Kind,
    /// How many values there are, and how absence is told.
    pub cardinality: Cardinality,
    /// The oneof it belongs to, an index into [`Message::oneofs`].
    pub oneof: Option<u32>,
    /// The default that the source gives. Reading never fills it in: absent stays absent.
    pub default: Option<Constant>,
    /// Repeated scalars are written packed in Protocol Buffers.
    pub packed: bool,
    /// Written between group tags in Protocol Buffers (`group`, or delimited by edition feature).
    pub group: bool,
    /// Documentation: plain text, lines split by `\n`, empty for none.
    pub doc: String,
}

impl Field {
    /// A plain field; the rest is set with struct update.
    pub fn new(name: impl Into<String>, number: i32, kind: Kind, cardinality: Cardinality) -> Self {
        Self {
            name: name.into(),
            number,
            kind,
            cardinality,
            oneof: None,
            default: None,
            packed: false,
            group: false,
            doc: String::new(),
        }
    }
}

/// What one value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// True or false.
    Bool,
    /// A whole number.
    Int(Int),
    /// IEEE 754 binary32.
    Float,
    /// IEEE 754 binary64.
    Double,
    /// UTF-8 text.
    String,
    /// Any bytes.
    Bytes,
    /// A number with names.
    Enum(EnumId),
    /// A message.
    Message(MessageId),
}

/// A whole number's range and its wire encoding in Protocol Buffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Int {
    /// Whether it can be negative.
    pub signed: bool,
    /// Its width.
    pub width: Width,
    /// How Protocol Buffers write it.
    pub encoding: Encoding,
}

impl Int {
    /// `int32`.
    pub const I32: Self = Self { signed: true, width: Width::W32, encoding: Encoding::Varint };
    /// `int64`.
    pub const I64: Self = Self { signed: true, width: Width::W64, encoding: Encoding::Varint };
    /// `uint32`.
    pub const U32: Self = Self { signed: false, width: Width::W32, encoding: Encoding::Varint };
    /// `uint64`.
    pub const U64: Self = Self { signed: false, width: Width::W64, encoding: Encoding::Varint };

    /// The same range in another encoding.
    #[must_use]
    pub const fn encoded(self, encoding: Encoding) -> Self {
        Self { encoding, ..self }
    }

    /// The smallest value.
    pub const fn min(self) -> i64 {
        match (self.signed, self.width) {
            (false, _) => 0,
            (true, Width::W8) => i8::MIN as i64,
            (true, Width::W16) => i16::MIN as i64,
            (true, Width::W32) => i32::MIN as i64,
            (true, Width::W64) => i64::MIN,
        }
    }

    /// The largest value.
    pub const fn max(self) -> u64 {
        match (self.signed, self.width) {
            (false, Width::W8) => u8::MAX as u64,
            (false, Width::W16) => u16::MAX as u64,
            (false, Width::W32) => u32::MAX as u64,
            (false, Width::W64) => u64::MAX,
            (true, Width::W8) => i8::MAX as u64,
            (true, Width::W16) => i16::MAX as u64,
            (true, Width::W32) => i32::MAX as u64,
            (true, Width::W64) => i64::MAX as u64,
        }
    }

    /// Whether this number is in range.
    pub const fn holds(self, value: i128) -> bool {
        value >= self.min() as i128 && value <= self.max() as i128
    }

    /// The name of the range: `int32`, `uint64`, …; 8 and 16 bits are `int8`, `int16`.
    pub const fn name(self) -> &'static str {
        match (self.signed, self.width) {
            (true, Width::W8) => "int8",
            (true, Width::W16) => "int16",
            (true, Width::W32) => "int32",
            (true, Width::W64) => "int64",
            (false, Width::W8) => "uint8",
            (false, Width::W16) => "uint16",
            (false, Width::W32) => "uint32",
            (false, Width::W64) => "uint64",
        }
    }
}

/// A whole number's width in bits. 8 and 16 come from Thrift; Protocol Buffers write them as 32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Width {
    /// 8 bits.
    W8,
    /// 16 bits.
    W16,
    /// 32 bits.
    W32,
    /// 64 bits.
    W64,
}

/// How Protocol Buffers write a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// 7 bits a byte; a negative number takes 10 bytes (`int32`, `uint64`, …).
    Varint,
    /// 7 bits a byte, small negative numbers short (`sint32`, `sint64`).
    Zigzag,
    /// 4 or 8 bytes (`fixed32`, `sfixed64`, …).
    Fixed,
}

/// How many values a field has, and how absence is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cardinality {
    /// One, always there.
    Required,
    /// One or none.
    Optional,
    /// One; zero, false and empty count as absent (a proto3 field without `optional`).
    Implicit,
    /// Any number, in order.
    Repeated,
    /// Any number, the order without meaning (Thrift `set`); else as `Repeated`.
    Set,
    /// Entries: the kind is a message of [`Shape::Entry`].
    Map,
}

impl Cardinality {
    /// Whether it is a list, set or map.
    pub const fn is_many(self) -> bool {
        matches!(self, Self::Repeated | Self::Set | Self::Map)
    }
}

/// A value that a schema states: a default.
#[derive(Debug, Clone, PartialEq)]
pub enum Constant {
    /// A bool.
    Bool(bool),
    /// A whole number of any kind, an enum's too.
    Int(i128),
    /// A float or double.
    Float(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A list or set.
    List(Vec<Constant>),
    /// A map, or a struct by field names.
    Map(Vec<(Constant, Constant)>),
}

/// Numbers with names.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Enum {
    /// The full name.
    pub name: String,
    /// The names and numbers, in the order of the source; two names of one number are allowed.
    pub values: Vec<EnumValue>,
    /// Numbers without a name are kept (proto3); else they count as unknown fields (proto2).
    pub open: bool,
    /// Documentation: plain text, lines split by `\n`, empty for none.
    pub doc: String,
}

/// One name of an enum.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EnumValue {
    /// The name as written.
    pub name: String,
    /// Its number.
    pub number: i32,
    /// Documentation, empty for none.
    pub doc: String,
}

impl Enum {
    /// The first name of a number.
    pub fn name_of(&self, number: i32) -> Option<&str> {
        self.values.iter().find(|v| v.number == number).map(|v| v.name.as_str())
    }

    /// The number of a name.
    pub fn number_of(&self, name: &str) -> Option<i32> {
        self.values.iter().find(|v| v.name == name).map(|v| v.number)
    }
}

impl Message {
    /// The name without package and outer messages.
    pub fn short_name(&self) -> &str {
        self.name.rsplit('.').next().unwrap_or(&self.name)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|f| f.name == name)
    }
}

impl Schema {
    /// The message behind an id.
    ///
    /// # Panics
    /// If the id is of another schema.
    pub fn message(&self, id: MessageId) -> &Message {
        &self.messages[id.0 as usize]
    }

    /// The enum behind an id.
    ///
    /// # Panics
    /// If the id is of another schema.
    pub fn enumeration(&self, id: EnumId) -> &Enum {
        &self.enums[id.0 as usize]
    }

    /// Finds a message by its full name, or by its short name if only one has it.
    ///
    /// # Errors
    /// [`ErrorKind::Schema`] if there is none, or several; the message lists what there is.
    pub fn find(&self, name: &str) -> Result<MessageId> {
        let full = self.messages.iter().position(|m| m.name == name);
        if let Some(at) = full {
            return Ok(MessageId(at as u32));
        }
        let mut short = self.records().filter(|&id| self.message(id).short_name() == name);
        match (short.next(), short.next()) {
            (Some(id), None) => Ok(id),
            (Some(_), Some(_)) => Err(Error::new(
                ErrorKind::Ambiguous,
                format!("several messages are named `{name}`; give the full name: {}", self.names()),
            )),
            (None, _) => {
                Err(Error::new(ErrorKind::Schema, format!("no message `{name}`; there are: {}", self.names())))
            }
        }
    }

    /// The one message that no other refers to, in a schema where just one is such a root. Messages that the
    /// schema's own file imports are passed over, unless it declares none itself.
    ///
    /// # Errors
    /// [`ErrorKind::Ambiguous`] if several could be meant, [`ErrorKind::Schema`] if there is no message.
    pub fn root(&self) -> Result<MessageId> {
        let own: Vec<_> = self.records().filter(|&id| !self.message(id).imported).collect();
        let candidates = if own.is_empty() { self.records().collect() } else { own };
        if candidates.is_empty() {
            return Err(Error::new(ErrorKind::Schema, "the schema has no message"));
        }
        let mut used = vec![false; self.messages.len()];
        for id in self.records() {
            self.mark_used(id, &mut used);
        }
        let mut roots = candidates.iter().filter(|id| candidates.len() == 1 || !used[id.0 as usize]);
        match (roots.next(), roots.next()) {
            (Some(&id), None) => Ok(id),
            _ => Err(Error::new(
                ErrorKind::Ambiguous,
                format!("which message are the records? Name one with --message: {}", self.names()),
            )),
        }
    }

    /// Marks the records that a message refers to, itself excepted, through map entries and wrappers.
    fn mark_used(&self, id: MessageId, used: &mut [bool]) {
        let mut seen = HashSet::from([id]);
        let mut open = vec![id];
        while let Some(from) = open.pop() {
            for field in &self.message(from).fields {
                let Kind::Message(to) = field.kind else { continue };
                if !seen.insert(to) {
                    continue;
                }
                if self.message(to).shape == Shape::Record {
                    used[to.0 as usize] = true;
                } else {
                    open.push(to);
                }
            }
        }
    }

    /// The messages in their own right: no map entries, no wrappers.
    pub fn records(&self) -> impl Iterator<Item = MessageId> + '_ {
        (0..self.messages.len() as u32).map(MessageId).filter(|&id| self.message(id).shape == Shape::Record)
    }

    fn names(&self) -> String {
        self.records().map(|id| self.message(id).name.as_str()).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Bool => "bool",
            Self::Int(int) => int.name(),
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Enum(_) => "enum",
            Self::Message(_) => "message",
        })
    }
}
