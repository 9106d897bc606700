//! A layout compiled for JSON: each field's key as it is read and written.

use super::Style;
use crate::plan::{Place, Whole, check_entries};
use bantam_model::{Layout, Result, Shape};
use std::collections::HashMap;

#[derive(Debug)]
pub(super) struct Tables {
    pub(super) messages: Vec<Table>,
    pub(super) enums: Vec<EnumTable>,
    pub(super) root: u32,
    pub(super) predictions: usize,
}

#[derive(Debug)]
pub(super) struct Table {
    pub(super) stride: u32,
    pub(super) fields: Vec<Field>,
    pub(super) first_prediction: usize,
    pub(super) whole: Whole,
    /// A map's entry whose key can be an object's key.
    pub(super) keyed: bool,
}

#[derive(Debug)]
pub(super) struct Field {
    /// `"name":`, and its first 16 bytes as words with their masks.
    pub(super) key: Box<[u8]>,
    words: [u64; 2],
    masks: [u64; 2],
    /// `,"name":` in the style, with as many bytes behind it as a block copy reads.
    pub(super) written: Box<[u8]>,
    pub(super) written_len: usize,
    pub(super) place: Place,
}

#[derive(Debug)]
pub(super) struct EnumTable {
    /// Quoted.
    pub(super) names: HashMap<i32, Box<[u8]>>,
    pub(super) numbers: HashMap<Box<[u8]>, i32>,
    pub(super) full_name: Box<str>,
}

impl Tables {
    pub(super) fn new(layout: &Layout, style: Style) -> Result<Self> {
        let mut predictions = 0;
        let mut messages = Vec::new();
        for message in layout.messages() {
            let name = &layout.schema().message(message.id).name;
            check_entries(message.slots.len()).map_err(|e| e.in_field(name))?;
            let fields: Vec<_> =
                message.slots.iter().map(|s| Field::new(&s.name, Place::new(layout, s), style)).collect();
            let keyed = message.shape == Shape::Entry && fields.first().is_some_and(|f| can_be_key(f.place));
            let first_prediction = predictions;
            predictions += fields.len() + 1;
            let (stride, whole) = (message.stride, Whole::new(message));
            messages.push(Table { stride, fields, first_prediction, whole, keyed });
        }
        let enums = layout.schema().enums.iter().map(|e| {
            let names = e.values.iter().rev().map(|v| (v.number, quoted(&v.name).into())).collect();
            let numbers = e.values.iter().map(|v| (v.name.as_bytes().into(), v.number)).collect();
            EnumTable { names, numbers, full_name: e.name.as_str().into() }
        });
        Ok(Self { messages, enums: enums.collect(), root: layout.root().id.0, predictions })
    }
}

/// Whether a map's key has a text that can stand as an object's key.
fn can_be_key(place: Place) -> bool {
    use crate::plan::Of;
    matches!(place.of, Of::Text | Of::Int(_) | Of::Bool | Of::Enum(_))
}

impl Field {
    fn new(name: &str, place: Place, style: Style) -> Self {
        let mut key = quoted(name);
        key.push(b':');
        let word = |from: usize| {
            let mut bytes = [[0; 8]; 2];
            for (at, &byte) in key.iter().skip(from).take(8).enumerate() {
                bytes[0][at] = byte;
                bytes[1][at] = 0xff;
            }
            bytes.map(u64::from_le_bytes)
        };
        let ([low, low_mask], [high, high_mask]) = (word(0), word(8));
        let mut written = style.comma().to_vec();
        written.extend_from_slice(&key[..key.len() - 1]);
        written.extend_from_slice(style.colon());
        let written_len = written.len();
        written.extend([0; 32]);
        Self {
            key: key.into(),
            words: [low, high],
            masks: [low_mask, high_mask],
            written: written.into(),
            written_len,
            place,
        }
    }

    /// Whether the key lies at `at`.
    #[inline(always)]
    pub(super) fn is_at(&self, input: &[u8], at: usize) -> bool {
        use crate::varint::load8;
        load8(input, at) & self.masks[0] == self.words[0]
            && (self.key.len() <= 8 || load8(input, at + 8) & self.masks[1] == self.words[1])
            && (self.key.len() <= 16 || input.get(at + 16..at + self.key.len()) == Some(&self.key[16..]))
    }
}

/// A name as a string of JSON.
fn quoted(name: &str) -> Vec<u8> {
    let mut out = Vec::new();
    super::write::quote(name.as_bytes(), &mut out);
    out
}
