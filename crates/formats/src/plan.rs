//! What every table-driven codec knows of a field: its place in a row and what its values are.

use bantam_model::{
    Batch, Cardinality, Error, ErrorKind, Int, Kind, Layout, MessageId, MessageLayout, Presence, Result, Shape, Slot,
};

/// What one value is, for a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of {
    Bool,
    Int(Int),
    /// The enum's place in the schema.
    Enum(u32),
    Float,
    Double,
    Text,
    Bytes,
    Message(u32),
    /// A message that stands for a list inside a list.
    Wrapper(u32),
}

/// How many values a field has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Many {
    One,
    List,
    Set,
    Map,
}

/// A field's place in a row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) of: Of,
    pub(crate) many: Many,
    pub(crate) word: u32,
    pub(crate) index: u32,
    /// Words of one item of a list.
    pub(crate) item_words: u32,
    /// Zero, false and empty are absence.
    pub(crate) implicit: bool,
    pub(crate) in_oneof: bool,
    /// The message of a message, of list items or of a map's entries.
    pub(crate) message: u32,
}

impl Place {
    pub(crate) fn new(layout: &Layout, slot: &Slot) -> Self {
        let of = match slot.kind {
            Kind::Bool => Of::Bool,
            Kind::Int(int) => Of::Int(int),
            Kind::Enum(id) => Of::Enum(id.0),
            Kind::Float => Of::Float,
            Kind::Double => Of::Double,
            Kind::String => Of::Text,
            Kind::Bytes => Of::Bytes,
            Kind::Message(id) if layout.message(id).shape == Shape::Wrapper => Of::Wrapper(id.0),
            Kind::Message(id) => Of::Message(id.0),
        };
        let many = match slot.cardinality {
            Cardinality::Map => Many::Map,
            Cardinality::Set => Many::Set,
            Cardinality::Repeated => Many::List,
            _ => Many::One,
        };
        Self {
            of,
            many,
            word: slot.word,
            index: slot.index,
            item_words: slot.item_words(layout),
            implicit: slot.presence == Presence::Implicit,
            in_oneof: !slot.rivals.is_empty(),
            message: if let Kind::Message(id) = slot.kind { id.0 } else { u32::MAX },
        }
    }

    /// Whether one value is one word, not a row.
    #[inline(always)]
    pub(crate) fn is_plain(&self) -> bool {
        self.many == Many::One && !matches!(self.of, Of::Message(_) | Of::Wrapper(_))
    }

    /// Stores a plain value, or clears the slot where a zero is absence.
    #[inline(always)]
    pub(crate) fn store(&self, batch: &mut Batch<'_>, row: usize, word: u64) {
        // Empty text has an offset but no length, which is the upper half.
        let zero = if matches!(self.of, Of::Text | Of::Bytes) { word << 1 >> 33 == 0 } else { word == 0 };
        let has = 1 << (self.index % 64);
        let words = batch.words_mut();
        if self.implicit && zero {
            words[row + self.word as usize] = 0;
            words[row + self.index as usize / 64] &= !has;
        } else {
            words[row + self.word as usize] = word;
            words[row + self.index as usize / 64] |= has;
        }
    }

    /// Clears the other fields of this one's oneof.
    #[cold]
    pub(crate) fn drop_rivals(&self, batch: &mut Batch<'_>, message: u32, row: usize) {
        let layout = batch.layout().clone();
        let message = layout.message(MessageId(message));
        for &rival in &message.slots[self.index as usize].rivals {
            batch.unset(row, &message.slots[rival as usize]);
        }
    }

    /// The field's name put before an error's path.
    #[cold]
    pub(crate) fn named(&self, error: Error, batch: &Batch<'_>, message: u32) -> Error {
        error.in_field(&batch.layout().message(MessageId(message)).slots[self.index as usize].name)
    }
}

/// Most entries of one message in a table: predictions have 16 bits, and one value stands for the start of a message.
pub(crate) const MOST_ENTRIES: usize = u16::MAX as usize - 1;

/// Checks that predictions can name every entry of a message's table.
///
/// # Errors
/// [`ErrorKind::Unsupported`] if there are more than [`MOST_ENTRIES`].
pub(crate) fn check_entries(count: usize) -> Result<()> {
    if count <= MOST_ENTRIES {
        return Ok(());
    }
    let text = format!("{count} fields to tell apart in one message, and Bantam's codecs take at most {MOST_ENTRIES}");
    Err(Error::new(ErrorKind::Unsupported, text))
}

/// What makes a row whole: its required fields.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Whole {
    /// The required fields among the first 64.
    first: u64,
    /// Whether there are others, or single messages with required fields of their own.
    more: bool,
}

impl Whole {
    pub(crate) fn new(message: &MessageLayout) -> Self {
        let others = message.required.iter().skip(1).any(|&mask| mask != 0);
        Self { first: message.required[0], more: others || !message.checked.is_empty() }
    }

    /// Checks a row that was read from `at` on.
    #[inline(always)]
    pub(crate) fn check(self, batch: &Batch<'_>, message: u32, row: usize, at: usize) -> Result<()> {
        if !self.more && batch.words()[row] & self.first == self.first {
            return Ok(());
        }
        batch.check_required(row, batch.layout().message(MessageId(message))).map_err(|e| e.at_byte(at))
    }
}

/// Checks text that is not all ASCII; `advice` says how a field of any bytes is declared.
#[inline(never)]
pub(crate) fn check_utf8(bytes: &[u8], at: usize, advice: &str) -> Result<()> {
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(()),
        Err(error) => {
            let text = format!("text that is not UTF-8; {advice}");
            Err(Error::new(ErrorKind::Text, text).at_byte(at + error.valid_up_to()))
        }
    }
}
