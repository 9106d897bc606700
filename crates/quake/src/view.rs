//! A quake, or a message below it, as the writers of this crate see it: values by slot.
//!
//! What no text format can hold counts as absent here, once for all of them: numbers that are not finite, and times outside of
//! the years 1 to 9999, which neither ISO 8601 nor XML Schema writes with four digits.

use crate::message::Fields;
use crate::time::Time;
use bantam_model::{Row, Slot, Value};

/// The first second of the year 1, and the last of the year 9999.
const SECONDS: std::ops::RangeInclusive<i64> = -62_135_596_800..=253_402_300_799;

/// One message with the fields of all.
#[derive(Clone, Copy)]
pub(crate) struct View<'r> {
    pub(crate) fields: &'r Fields,
    row: Row<'r>,
}

impl<'r> View<'r> {
    pub(crate) fn new(fields: &'r Fields, row: Row<'r>) -> Self {
        Self { fields, row }
    }

    /// A finite number.
    pub(crate) fn number(&self, slot: &Slot) -> Option<f64> {
        match self.row.get(slot) {
            Some(Value::Double(number)) => Some(number).filter(|n| n.is_finite()),
            _ => None,
        }
    }

    pub(crate) fn count(&self, slot: &Slot) -> Option<i64> {
        match self.row.get(slot) {
            Some(Value::Int(count)) => Some(count),
            _ => None,
        }
    }

    /// Text, empty where it is absent.
    pub(crate) fn text(&self, slot: &Slot) -> &'r str {
        match self.row.get(slot) {
            Some(Value::String(text)) => text,
            _ => "",
        }
    }

    /// The first text that is not empty.
    pub(crate) fn first(&self, slots: [&Slot; 2]) -> &'r str {
        slots.into_iter().map(|slot| self.text(slot)).find(|text| !text.is_empty()).unwrap_or("")
    }

    pub(crate) fn flag(&self, slot: &Slot) -> bool {
        matches!(self.row.get(slot), Some(Value::Bool(true)))
    }

    pub(crate) fn time(&self, slot: &Slot) -> Option<Time> {
        let (message, of) = (self.message(slot)?, &self.fields.timestamp);
        let secs = message.count(&of.secs).unwrap_or(0);
        let nanos = u32::try_from(message.count(&of.nanos).unwrap_or(0)).ok()?;
        (SECONDS.contains(&secs) && nanos < 1_000_000_000).then_some(Time { secs, nanos })
    }

    pub(crate) fn message(&self, slot: &Slot) -> Option<Self> {
        match self.row.get(slot) {
            Some(Value::Message(row)) => Some(Self { fields: self.fields, row }),
            _ => None,
        }
    }

    /// The messages of a list.
    pub(crate) fn items(&self, slot: &Slot) -> impl ExactSizeIterator<Item = Self> + use<'r> {
        let (view, items) = (*self, self.row.get(slot));
        let len = if let Some(Value::List(items)) = items { items.len() } else { 0 };
        (0..len).map(move |item| match items {
            Some(Value::List(items)) => match items.get(item) {
                Some(Value::Message(row)) => Self { fields: view.fields, row },
                _ => view,
            },
            _ => view,
        })
    }
}

/// Appends the shortest text that reads back as the same number.
pub(crate) fn push_number(out: &mut Vec<u8>, number: f64) {
    out.extend_from_slice(zmij::Buffer::new().format_finite(number).as_bytes());
}
