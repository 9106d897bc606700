//! Putting a sample's values into a layout that names its fields as the sample does.

use bantam_model::{Batch, Cardinality, Error, ErrorKind, Kind, Layout, Presence, Result, Slot};

/// The slot for whole numbers of `first..=last`.
pub(crate) fn number_slot(layout: &Layout, name: &str, first: u64, last: u64) -> Result<Slot> {
    slot(layout, name, |kind| match kind {
        Kind::Int(int) => int.holds(i128::from(first)) && int.holds(i128::from(last)),
        _ => false,
    })
}

/// The slot for text.
pub(crate) fn text_slot(layout: &Layout, name: &str) -> Result<Slot> {
    slot(layout, name, |kind| kind == Kind::String)
}

fn slot(layout: &Layout, name: &str, holds: impl Fn(Kind) -> bool) -> Result<Slot> {
    let wrong = |text: String| Error::new(ErrorKind::Schema, text).in_field(name);
    let slot = layout.root().by_name(name.as_bytes());
    let slot = slot.ok_or_else(|| wrong("the schema has no such field, which the sample fills".into()))?;
    if matches!(slot.cardinality, Cardinality::Repeated | Cardinality::Set | Cardinality::Map) || !holds(slot.kind) {
        return Err(wrong(format!("{:?} {} cannot hold the sample's values", slot.cardinality, slot.kind)));
    }
    Ok(slot.clone())
}

/// Sets a whole number.
pub(crate) fn number(batch: &mut Batch<'_>, row: usize, slot: &Slot, value: u64) {
    if value != 0 || slot.presence != Presence::Implicit {
        batch.set(row, slot, value);
    }
}

/// Sets text.
pub(crate) fn text(batch: &mut Batch<'_>, row: usize, slot: &Slot, value: &[u8]) -> Result<()> {
    if !value.is_empty() || slot.presence != Presence::Implicit {
        let span = batch.store(value)?;
        batch.set(row, slot, span.word());
    }
    Ok(())
}
