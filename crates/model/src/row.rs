//! Reading rows: values by slot, lists by position.
//!
//! Rows, values and lists are shown for people as `{id: 7, name: "x", kids: [{id: 8}]}`, cut where that gets long.

mod show;

pub(crate) use show::shown;

use crate::batch::{Batch, List, Span};
use crate::layout::{MessageLayout, Slot};
use crate::schema::{Cardinality, EnumId, Kind};

/// One message of a batch.
#[derive(Clone, Copy)]
pub struct Row<'b> {
    batch: &'b Batch<'b>,
    layout: &'b MessageLayout,
    at: usize,
}

/// One value of a row or list.
#[derive(Clone, Copy)]
pub enum Value<'b> {
    /// A bool.
    Bool(bool),
    /// A signed whole number.
    Int(i64),
    /// An unsigned whole number.
    Uint(u64),
    /// A float.
    Float(f32),
    /// A double.
    Double(f64),
    /// Text.
    String(&'b str),
    /// Bytes.
    Bytes(&'b [u8]),
    /// An enum's number.
    Enum(EnumId, i32),
    /// A message.
    Message(Row<'b>),
    /// A list, set or map.
    List(Items<'b>),
}

/// A list's items. A map's are messages of its key and value.
#[derive(Clone, Copy)]
pub struct Items<'b> {
    batch: &'b Batch<'b>,
    kind: Kind,
    cardinality: Cardinality,
    list: List,
}

impl<'b> Row<'b> {
    /// The row at a word offset of a batch.
    #[inline]
    pub fn new(batch: &'b Batch<'_>, layout: &'b MessageLayout, at: usize) -> Self {
        Self { batch, layout, at }
    }

    /// The layout of this row's message.
    #[inline]
    pub fn layout(&self) -> &'b MessageLayout {
        self.layout
    }

    /// The batch it is of.
    #[inline]
    pub fn batch(&self) -> &'b Batch<'b> {
        self.batch
    }

    /// Its word offset.
    #[inline]
    pub fn offset(&self) -> usize {
        self.at
    }

    /// Whether a slot is there.
    #[inline]
    pub fn has(&self, slot: &Slot) -> bool {
        self.batch.has(self.at, slot.index)
    }

    /// A slot's word; 0 where it is absent.
    #[inline]
    pub fn word(&self, slot: &Slot) -> u64 {
        self.batch.words()[self.at + slot.word as usize]
    }

    /// A slot's value, or nothing where it is absent.
    pub fn get(&self, slot: &Slot) -> Option<Value<'b>> {
        if !self.has(slot) {
            return None;
        }
        let word = self.word(slot);
        if slot.cardinality.is_many() {
            let list = List::from_word(word);
            return Some(Value::List(Items {
                batch: self.batch,
                kind: slot.kind,
                cardinality: slot.cardinality,
                list,
            }));
        }
        Some(match slot.kind {
            Kind::Message(id) => Value::Message(Row::new(self.batch, self.batch.layout().message(id), word as usize)),
            kind => scalar(self.batch, kind, word),
        })
    }

    /// A field's value by its name.
    pub fn field(&self, name: &str) -> Option<Value<'b>> {
        self.get(self.layout.by_name(name.as_bytes())?)
    }

    /// The fields that are there, in the schema's order.
    pub fn fields(&self) -> impl Iterator<Item = (&'b Slot, Value<'b>)> + '_ {
        self.layout.slots.iter().filter_map(|slot| Some((slot, self.get(slot)?)))
    }

    /// The unknown fields' bytes, where the layout keeps them.
    pub fn unknown(&self) -> impl Iterator<Item = &'b [u8]> + use<'b> {
        let (batch, list) = match self.layout.unknown {
            Some(word) => (self.batch, List::from_word(self.batch.words()[self.at + word as usize])),
            None => (self.batch, List::default()),
        };
        (0..list.len()).map(move |item| batch.bytes_of(Span::from_word(batch.words()[list.offset() + item])))
    }
}

impl<'b> Items<'b> {
    /// The batch it is of.
    pub fn batch(&self) -> &'b Batch<'b> {
        self.batch
    }

    /// How many.
    #[inline]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What each item is.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Whether it is a list, a set or a map.
    pub fn cardinality(&self) -> Cardinality {
        self.cardinality
    }

    /// An item, counted from 0.
    pub fn get(&self, item: usize) -> Option<Value<'b>> {
        if item >= self.len() {
            return None;
        }
        Some(match self.kind {
            Kind::Message(id) => {
                let layout = self.batch.layout().message(id);
                Value::Message(Row::new(self.batch, layout, self.list.offset() + item * layout.stride as usize))
            }
            kind => scalar(self.batch, kind, self.batch.words()[self.list.offset() + item]),
        })
    }

    /// The items, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Value<'b>> + use<'b> {
        let items = *self;
        // In range by construction.
        (0..items.len()).map(move |item| items.get(item).unwrap_or(Value::Bool(false)))
    }
}

fn scalar<'b>(batch: &'b Batch<'b>, kind: Kind, word: u64) -> Value<'b> {
    match kind {
        Kind::Bool => Value::Bool(word != 0),
        Kind::Int(int) if int.signed => Value::Int(word as i64),
        Kind::Int(_) => Value::Uint(word),
        Kind::Float => Value::Float(f32::from_bits(word as u32)),
        Kind::Double => Value::Double(f64::from_bits(word)),
        // Every reader checks text before it stores it, so this never falls back.
        Kind::String => Value::String(std::str::from_utf8(batch.bytes_of(Span::from_word(word))).unwrap_or("\u{fffd}")),
        Kind::Bytes => Value::Bytes(batch.bytes_of(Span::from_word(word))),
        Kind::Enum(id) => Value::Enum(id, word as u32 as i32),
        Kind::Message(id) => Value::Message(Row::new(batch, batch.layout().message(id), word as usize)),
    }
}
