//! Quakes made by hand: every field set, by walking the layout, so that a new field is set too; none; and odd ones.

use bantam_model::{Batch, Kind, Layout, MessageLayout, Presence};
use bantam_quake::layout;
use std::sync::Arc;

/// Quakes without any field.
pub(crate) fn none(records: usize) -> Batch<'static> {
    let mut batch = Batch::new(layout());
    for _ in 0..records {
        batch.push_record().expect("room");
    }
    batch
}

/// Quakes with every field set to a value of its own that all formats can hold, lists with two items. Of phases and station
/// magnitudes, the second is unused.
pub(crate) fn full(records: usize) -> Batch<'static> {
    let mut batch = none(records);
    let (layout, start) = (layout(), batch.records().offset());
    let mut fill = Fill { layout: layout.clone(), number: 0, text: text_of };
    for record in 0..records {
        fill.message(&mut batch, layout.root(), start + record * layout.root().stride as usize, record);
    }
    batch
}

/// Quakes with every field set, all text being this one.
pub(crate) fn of_text(text: &'static str) -> Batch<'static> {
    thread_local!(static TEXT: std::cell::Cell<&'static str> = const { std::cell::Cell::new("") });
    TEXT.set(text);
    let mut batch = none(2);
    let (layout, start) = (layout(), batch.records().offset());
    let mut fill = Fill { layout: layout.clone(), number: 0, text: |_, _| TEXT.get().to_owned() };
    for record in 0..2 {
        fill.message(&mut batch, layout.root(), start + record * layout.root().stride as usize, record);
    }
    batch
}

/// A field of a record, set to text.
pub(crate) fn set_text(batch: &mut Batch<'_>, record: usize, field: &str, text: &str) {
    let layout = layout();
    let slot = layout.root().by_name(field.as_bytes()).expect("a field");
    let row = batch.get(record).expect("a record").offset();
    let span = batch.store(text.as_bytes()).expect("room");
    if text.is_empty() { batch.unset(row, slot) } else { batch.set(row, slot, span.word()) }
}

/// A field of a record, set to a number, or absent.
pub(crate) fn set_number(batch: &mut Batch<'_>, record: usize, field: &str, number: Option<f64>) {
    let layout = layout();
    let slot = layout.root().by_name(field.as_bytes()).expect("a field");
    let row = batch.get(record).expect("a record").offset();
    match number {
        Some(number) => batch.set(row, slot, number.to_bits()),
        None => batch.unset(row, slot),
    }
}

/// A time of a record, in seconds and nanoseconds.
pub(crate) fn set_time(batch: &mut Batch<'_>, record: usize, field: &str, parts: [i64; 2]) {
    let layout = layout();
    let slot = layout.root().by_name(field.as_bytes()).expect("a field");
    let row = batch.get(record).expect("a record").offset();
    let Kind::Message(id) = slot.kind else { panic!("{field} is no time") };
    let at = batch.push_row(layout.message(id).stride).expect("room");
    for (part, number) in layout.message(id).slots.iter().zip(parts) {
        batch.set(at, part, number as u64);
    }
    batch.set(row, slot, at as u64);
}

struct Fill {
    layout: Arc<Layout>,
    number: i64,
    text: fn(&str, i64) -> String,
}

impl Fill {
    /// Fills the item of a list, or a message by itself.
    fn message(&mut self, batch: &mut Batch<'_>, message: &MessageLayout, row: usize, item: usize) {
        let layout = self.layout.clone();
        for slot in &message.slots {
            self.number += 1;
            let name: &str = &slot.name;
            match slot.kind {
                Kind::Message(id) if slot.presence == Presence::Many => {
                    batch.mark(row, slot.index);
                    for item in 0..2 {
                        let at = batch.push_item(row + slot.word as usize, layout.message(id).stride).expect("room");
                        self.message(batch, layout.message(id), at, item);
                    }
                }
                Kind::Message(id) => {
                    let at = batch.push_row(layout.message(id).stride).expect("room");
                    // A Quake is modified last, by its definition.
                    let later = if name == "modification_time" { 10_000 } else { 0 };
                    self.number += later;
                    self.message(batch, layout.message(id), at, item);
                    self.number -= later;
                    batch.set(row, slot, at as u64);
                }
                Kind::Bool if item % 2 == 1 => batch.set(row, slot, 1),
                Kind::Bool => {}
                // The mark of an unused item in QuakeML.
                Kind::Double if name == "weight" && item % 2 == 1 => batch.set(row, slot, 0.0_f64.to_bits()),
                Kind::Double => batch.set(row, slot, (self.number as f64 * 0.3 + 0.01).to_bits()),
                Kind::Int(_) => batch.set(row, slot, (self.number * 9_001) as u64),
                Kind::String => {
                    let text = (self.text)(name, self.number);
                    let span = batch.store(text.as_bytes()).expect("room");
                    if !text.is_empty() {
                        batch.set(row, slot, span.word());
                    }
                }
                _ => panic!("{name} needs a value"),
            }
        }
    }
}

/// Text for a field: of its vocabulary, where it has one.
fn text_of(name: &str, number: i64) -> String {
    match name {
        "quake_type" => "quarry blast".into(),
        "depth_type" => "operator assigned".into(),
        "evaluation_mode" => "manual".into(),
        "evaluation_status" => "reviewed".into(),
        "type_certainty" => "suspected".into(),
        "method" | "earth_model" | "magnitude_method" => format!("smi:org.example/{name}/{number}"),
        _ if name.ends_with("iD") => format!("smi:org.example/{name}/{number}"),
        _ if name.ends_with("_code") => format!("{}{number}", name[..1].to_uppercase()),
        _ => format!("{} {number}", name.replace('_', " ")),
    }
}
