//! What makes a map's entry complete, and what leaves it out.

use super::decode::Decoder;
use bantam_model::{Enum, Kind, List, MessageId, Result};

impl Decoder<'_, '_, '_> {
    /// Puts the default where an entry leaves out its key or value: zero, empty text, an empty message, or a closed
    /// enum's first value.
    pub(super) fn complete_entry(&mut self, id: u32, row: usize) -> Result<()> {
        let layout = self.batch.layout().clone();
        for slot in &layout.message(MessageId(id)).slots {
            if self.batch.has(row, slot.index) {
                continue;
            }
            let word = match slot.kind {
                Kind::Message(of) => self.batch.push_row(layout.message(of).stride)? as u64,
                Kind::Enum(of) => first(layout.schema().enumeration(of)),
                _ => 0,
            };
            self.batch.set(row, slot, word);
        }
        let message = layout.message(MessageId(id));
        self.batch.check_required(row, message)
    }

    /// Whether the closed enums in a complete entry have names for their numbers. If not, the entry as a whole is
    /// an unknown field ("Enum Behavior", <https://protobuf.dev/programming-guides/enum/>).
    pub(super) fn is_named(&self, id: u32, row: usize) -> bool {
        let layout = self.batch.layout();
        layout.message(MessageId(id)).slots.iter().all(|slot| match slot.kind {
            Kind::Enum(of) => {
                let of = layout.schema().enumeration(of);
                of.open || of.name_of(self.batch.words()[row + slot.word as usize] as i32).is_some()
            }
            _ => true,
        })
    }

    /// Takes the last item out of the list at word `list_at`.
    pub(super) fn take_back(&mut self, list_at: usize, stride: u32) {
        let list = List::from_word(self.batch.words()[list_at]);
        let left = list.len() - 1;
        let at = list.offset() + left * stride as usize;
        let words = self.batch.words_mut();
        words[at..at + stride as usize].fill(0);
        words[list_at] = List::new(list.offset() as u32, left as u32).word();
    }
}

fn first(of: &Enum) -> u64 {
    let number = if of.open { 0 } else { of.values.first().map_or(0, |v| v.number) };
    i64::from(number) as u64
}
